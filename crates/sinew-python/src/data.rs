//! One simulation of a model as a Python object, and the functions that work on it.
//!
//! A call takes the data for itself and releases the interpreter lock. A second thread that comes
//! in meanwhile gets `BusyError`. If a call panics the data refuses work until it is reset.

// The functions carry the reference's names.
#![allow(non_snake_case)]

use crate::failure;
use crate::model::NativeModel;
use crate::view::{self, Access};
use pyo3::prelude::*;
use pyo3::types::PyDict;
use sinew::engine::Data;
use sinew::model::Model;
use sinew::model::column::{ColumnMut, Number};
use std::sync::{RwLock, RwLockWriteGuard, TryLockError};
use std::time::{Duration, Instant};

/// How long a call may run before it looks whether the user has pressed Ctrl-C.
const PATIENCE: Duration = Duration::from_millis(50);

/// One simulation. The arrays handed out point into it and never move.
#[pyclass(name = "Data", module = "sinew._native", frozen)]
pub struct NativeData {
    /// The model it was made for.
    model: Py<NativeModel>,
    data: RwLock<Data>,
}

impl NativeData {
    /// The data, for one call.
    pub fn write(&self) -> PyResult<RwLockWriteGuard<'_, Data>> {
        self.data.try_write().map_err(|error| match error {
            TryLockError::WouldBlock => failure::busy("data"),
            TryLockError::Poisoned(_) => failure::exception(
                "InternalError",
                "a fault of sinew left this data half computed; call mj_resetData first".to_owned(),
            ),
        })
    }

    /// The given model fits if it is the one the data was made for, or has the same structure.
    pub fn check_fits(&self, model: &Bound<'_, NativeModel>) -> PyResult<()> {
        let own = self.model.bind(model.py());
        if own.is(model) || own.get().signature()? == model.get().signature()? {
            return Ok(());
        }
        let message = "this MjData was made for another model; make one with MjData(model)";
        Err(pyo3::exceptions::PyValueError::new_err(message))
    }
}

#[pymethods]
impl NativeData {
    /// A simulation at the model's initial state.
    #[new]
    fn new(py: Python<'_>, model: &Bound<'_, NativeModel>) -> PyResult<Self> {
        let shared = model.get();
        let data = py.detach(|| {
            let model = shared.read()?;
            failure::guard(|| Data::new(&model))
        })?;
        Ok(NativeData {
            model: model.clone().unbind(),
            data: RwLock::new(data),
        })
    }

    /// A simulation of its own in the same state, of the same model.
    fn copy(&self, py: Python<'_>) -> PyResult<Self> {
        Ok(NativeData {
            model: self.model.clone_ref(py),
            data: RwLock::new(self.write()?.clone()),
        })
    }

    /// All columns by name, as views.
    fn arrays<'py>(slf: &Bound<'py, Self>) -> PyResult<Bound<'py, PyDict>> {
        let arrays = PyDict::new(slf.py());
        let mut data = slf.get().write()?;
        for mut column in data.columns_mut() {
            arrays.set_item(column.name, data_view(&mut column, slf)?)?;
        }
        arrays.set_item("energy", data_view(&mut energy(&mut data), slf)?)?;
        Ok(arrays)
    }

    /// Numbers of contacts, constraint rows and islands at the last positions computed.
    fn counts(&self) -> PyResult<Vec<(&'static str, usize)>> {
        let data = self.write()?;
        let (rows, islands) = (&data.position.constraints, &data.position.islands);
        Ok(vec![
            ("ncon", data.position.contacts.contact.len()),
            ("ne", rows.ne),
            ("nf", rows.nf),
            ("nl", rows.nl),
            ("nefc", rows.nefc()),
            ("nisland", islands.nisland),
            ("nidof", islands.nidof),
        ])
    }

    /// The warning counters: last information and number of each.
    fn warnings(&self) -> PyResult<Vec<(i32, i32)>> {
        let data = self.write()?;
        Ok(data
            .warnings
            .all()
            .iter()
            .map(|entry| (entry.lastinfo, entry.number))
            .collect())
    }

    /// Simulated time in seconds.
    #[getter]
    fn time(&self) -> PyResult<f64> {
        Ok(self.write()?.state.time)
    }

    #[setter]
    fn set_time(&self, seconds: f64) -> PyResult<()> {
        self.write()?.state.time = seconds;
        Ok(())
    }
}

/// A view of a column of the simulation that lives in `owner`.
#[allow(unsafe_code)]
fn data_view<'py>(
    column: &mut ColumnMut<'_>,
    owner: &Bound<'py, NativeData>,
) -> PyResult<Bound<'py, PyAny>> {
    // SAFETY: stages write into the columns of a `Data` but never resize them; the object is
    // frozen, nothing replaces its `Data`, and Python objects do not move.
    unsafe { view::column(column, Access::Write, owner.as_any()) }
}

/// The columns of a simulation, in declaration order: name, row count's name, type, width.
#[pyfunction]
pub fn data_columns() -> Vec<crate::ColumnRow> {
    let mut data = Data::new(&Model::default());
    let columns = data.columns();
    let describe = |name, size, number, width| (name, size, view::dtype(name, number), width);
    let mut rows: Vec<crate::ColumnRow> = columns
        .iter()
        .map(|c| describe(c.name, c.size, c.number, c.width))
        .collect();
    let energy = energy(&mut data);
    rows.push(describe(energy.name, "", energy.number, energy.width));
    rows
}

/// Potential and kinetic energy as a column.
fn energy(data: &mut Data) -> ColumnMut<'_> {
    let values = &mut data.energy.values;
    ColumnMut {
        name: "energy",
        number: Number::F64,
        rows: values.len(),
        width: None,
        bytes: bytemuck::cast_slice_mut(values),
    }
}

/// Runs a function of model and data with the interpreter lock released.
fn run(
    model: &Bound<'_, NativeModel>,
    data: &Bound<'_, NativeData>,
    stage: fn(&mut Data, &Model),
) -> PyResult<()> {
    data.get().check_fits(model)?;
    let (shared, own) = (model.get(), data.get());
    model.py().detach(|| {
        let model = shared.read()?;
        failure::guard(|| own.write().map(|mut data| stage(&mut data, &model)))?
    })
}

macro_rules! stages {
    ($( $(#[$meta:meta])* $name:ident => $stage:expr; )*) => {
        $(
            $(#[$meta])*
            #[pyfunction]
            fn $name(model: &Bound<'_, NativeModel>, data: &Bound<'_, NativeData>) -> PyResult<()> {
                run(model, data, $stage)
            }
        )*

        /// Adds the functions to the module.
        pub fn add_stages(module: &Bound<'_, PyModule>) -> PyResult<()> {
            $( module.add_function(wrap_pyfunction!($name, module)?)?; )*
            Ok(())
        }
    };
}

stages! {
    /// Poses of bodies, joints, geoms and sites.
    mj_kinematics => Data::compute_kinematics;
    /// Centres of mass, inertias and motion axes about them.
    mj_comPos => Data::compute_com;
    /// Poses of cameras and lights.
    mj_camlight => Data::compute_view;
    /// Tendon lengths, paths and Jacobians.
    mj_tendon => Data::compute_tendon;
    /// Joint-space inertia.
    mj_makeM => Data::compute_inertia;
    /// Factor of the joint-space inertia.
    mj_factorM => Data::factor_inertia;
    /// Actuator lengths and moments.
    mj_transmission => Data::compute_transmission;
    /// Everything that depends on positions alone.
    mj_fwdPosition => Data::forward_position;
    /// Everything that depends on positions and velocities.
    mj_fwdVelocity => Data::forward_velocity;
    /// Actuator forces and activation rates.
    mj_fwdActuation => Data::compute_actuation;
    /// Sum of the smooth forces and the acceleration it causes.
    mj_fwdAcceleration => Data::compute_smooth_acceleration;
    /// Constraint forces and the resulting acceleration.
    mj_fwdConstraint => Data::solve_constraints;
    /// All derived quantities of the current state and input.
    mj_forward => Data::forward;
    /// The part of a step before controls and forces are set.
    mj_step1 => |data, model| { let _ = data.step1(model); };
    /// The part of a step after controls and forces are set.
    mj_step2 => |data, model| { let _ = data.step2(model); };
    /// Linear velocity and angular momentum of subtrees.
    mj_subtreeVel => Data::subtree_momentum;
    /// Accelerations of bodies and forces between them.
    mj_rnePostConstraint => Data::body_forces;
}

/// Advances the simulation. As in the reference a state that diverges is counted in the warnings
/// and reset. Ctrl-C ends the call between two steps.
#[pyfunction]
pub fn mj_step(
    model: &Bound<'_, NativeModel>,
    data: &Bound<'_, NativeData>,
    nstep: i64,
) -> PyResult<()> {
    data.get().check_fits(model)?;
    let (shared, own) = (model.get(), data.get());
    let mut left = nstep;
    while left > 0 {
        left = model.py().detach(|| {
            let model = shared.read()?;
            failure::guard(|| {
                let mut data = own.write()?;
                let start = Instant::now();
                let mut left = left;
                while left > 0 && start.elapsed() < PATIENCE {
                    let _ = data.step(&model);
                    left -= 1;
                }
                Ok::<_, PyErr>(left)
            })?
        })?;
        model.py().check_signals()?;
    }
    Ok(())
}

/// Back to the model's initial state; a data that refused work is usable again.
#[pyfunction]
pub fn mj_resetData(model: &Bound<'_, NativeModel>, data: &Bound<'_, NativeData>) -> PyResult<()> {
    data.get().check_fits(model)?;
    data.get().data.clear_poison();
    run(model, data, Data::reset)
}

/// Back to a keyframe; without such a keyframe, to the initial state.
#[pyfunction]
pub fn mj_resetDataKeyframe(
    model: &Bound<'_, NativeModel>,
    data: &Bound<'_, NativeData>,
    key: i64,
) -> PyResult<()> {
    mj_resetData(model, data)?;
    let Ok(key) = usize::try_from(key) else {
        return Ok(());
    };
    let model = model.get().read()?;
    let mut data = data.get().write()?;
    failure::guard(|| data.reset_to_keyframe(&model, key)).map(|_| ())
}
