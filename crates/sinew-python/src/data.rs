//! One simulation of a model as a Python object, and the functions that work on it.
//!
//! A call takes the data for itself and releases the interpreter lock. A second thread that comes
//! in meanwhile gets `BusyError`. If a call panics the data refuses work until it is reset.

// The functions carry the reference's names.
#![allow(non_snake_case)]

use crate::counter::Timers;
use crate::failure;
use crate::hooks::PythonHooks;
use crate::model::NativeModel;
use crate::timing::{Clock, Timing};
use crate::varying::Handed;
use crate::view::{self, Access};
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyTuple};
use sinew::engine::error::{CallError, StepError};
use sinew::engine::state_vector::state_size;
use sinew::engine::step::Sensors;
use sinew::engine::{Data, Hooks, Moment};
use sinew::model::Model;
use sinew::model::column::{ColumnMut, Number};
use sinew::model::kinds::{Integrator, Stage, TimerKind};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError, RwLock, RwLockWriteGuard, TryLockError};
use std::time::{Duration, Instant};

/// How long a call may run before it looks whether the user has pressed Ctrl-C.
pub const PATIENCE: Duration = Duration::from_millis(50);

/// One simulation. The arrays handed out point into it and never move.
#[pyclass(name = "Data", module = "sinew._native", frozen)]
pub struct NativeData {
    /// The model it was made for.
    model: Py<NativeModel>,
    data: RwLock<Data>,
    /// Set while a call of several steps, or with hooks, has the data for itself.
    is_claimed: AtomicBool,
    /// The thread whose hook may use the data meanwhile; 0: none.
    lent_to: AtomicU64,
    /// Set when a call panicked.
    is_faulty: AtomicBool,
    /// What a fault left half computed. Views into it may still exist.
    discarded: Mutex<Vec<Data>>,
    /// Arrays of varying length that Python has.
    pub(crate) handed: Handed,
    timers: Mutex<Timers>,
    /// The simulated time, while the data is inside a stage that lets Python look at it.
    shown_time: Mutex<Option<f64>>,
}

impl NativeData {
    /// The data, for one call.
    pub fn write(&self) -> PyResult<RwLockWriteGuard<'_, Data>> {
        let is_lent = self.lent_to.load(Ordering::Acquire) == this_thread();
        if self.is_claimed.load(Ordering::Acquire) && !is_lent {
            return Err(failure::busy("data"));
        }
        self.write_claimed()
    }

    /// The model it was made for.
    pub fn model(&self) -> &Py<NativeModel> {
        &self.model
    }

    /// How often parts of the computation ran.
    pub fn timers(&self) -> MutexGuard<'_, Timers> {
        unpoisoned(self.timers.lock())
    }

    /// The data, for one part of a call that has claimed it.
    pub fn write_claimed(&self) -> PyResult<RwLockWriteGuard<'_, Data>> {
        let faulty = || {
            failure::exception(
                "InternalError",
                "a fault of sinew left this data half computed; call mj_resetData first".to_owned(),
            )
        };
        if self.is_faulty.load(Ordering::Acquire) {
            return Err(faulty());
        }
        self.data.try_write().map_err(|error| match error {
            TryLockError::WouldBlock => failure::busy("data"),
            TryLockError::Poisoned(_) => faulty(),
        })
    }

    /// Lets Python read the simulated time until this is dropped.
    pub fn show_time(&self, seconds: f64) -> Shown<'_> {
        let mut slot = unpoisoned(self.shown_time.lock());
        *slot = Some(seconds);
        Shown(&self.shown_time)
    }

    /// Puts a simulation where Python expects it, for the time of a hook.
    pub fn lend<'a>(&'a self, borrowed: &'a mut Data) -> PyResult<Lent<'a>> {
        std::mem::swap(&mut *self.write_claimed()?, borrowed);
        let before = self.lent_to.swap(this_thread(), Ordering::AcqRel);
        Ok(Lent {
            owner: self,
            borrowed,
            before,
        })
    }

    /// Runs something that may call hooks: the simulation is taken out of its place and put back.
    /// A panic or an exception of a hook is raised; nobody else gets in.
    pub fn run_with_hooks(
        &self,
        model: &Bound<'_, NativeModel>,
        given: &Bound<'_, PyTuple>,
        call: impl FnOnce(&mut Data, &Model, &mut PythonHooks<'_>) -> PyResult<()> + Send,
    ) -> PyResult<()> {
        self.check_fits(model)?;
        let _claim = self.claim()?;
        let mut hooks = PythonHooks::new(self, given)?;
        let (py, shared) = (model.py(), model.get());
        self.session(py, || {
            py.detach(|| {
                let model = shared.read()?;
                let result = self.take_out(|data| call(data, &model, &mut hooks));
                hooks.finish().map_or(result, Err)
            })
        })
    }

    /// Takes the simulation out of its place, where hooks may put it back for their time.
    pub fn take_out<T>(&self, call: impl FnOnce(&mut Data) -> PyResult<T>) -> PyResult<T> {
        let mut working = Data::new(&Model::default());
        std::mem::swap(&mut *self.write_claimed()?, &mut working);
        let result = failure::guard(|| call(&mut working));
        std::mem::swap(&mut *self.write_claimed()?, &mut working);
        if result.is_err() {
            self.is_faulty.store(true, Ordering::Release);
        }
        result?
    }

    /// Keeps others out until the claim is dropped, also between two uses of the data.
    pub fn claim(&self) -> PyResult<Claim<'_>> {
        let order = (Ordering::AcqRel, Ordering::Acquire);
        let claimed = &self.is_claimed;
        match claimed.compare_exchange(false, true, order.0, order.1) {
            Ok(_) => Ok(Claim(claimed)),
            Err(_) => Err(failure::busy("data")),
        }
    }

    fn wrap(model: Py<NativeModel>, data: Data) -> Self {
        NativeData {
            model,
            data: RwLock::new(data),
            is_claimed: AtomicBool::new(false),
            lent_to: AtomicU64::new(0),
            is_faulty: AtomicBool::new(false),
            discarded: Mutex::default(),
            handed: Handed::default(),
            timers: Mutex::default(),
            shown_time: Mutex::default(),
        }
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

/// The simulation goes back where it came from when this is dropped.
pub struct Lent<'a> {
    owner: &'a NativeData,
    borrowed: &'a mut Data,
    before: u64,
}

impl Drop for Lent<'_> {
    fn drop(&mut self) {
        self.owner.lent_to.store(self.before, Ordering::Release);
        let mut slot = unpoisoned(self.owner.data.write());
        std::mem::swap(&mut *slot, self.borrowed);
    }
}

/// The simulated time can be read as long as this lives.
pub struct Shown<'a>(&'a Mutex<Option<f64>>);

impl Drop for Shown<'_> {
    fn drop(&mut self) {
        *unpoisoned(self.0.lock()) = None;
    }
}

/// What a lock guards, also after a panic elsewhere.
fn unpoisoned<T>(guard: Result<T, PoisonError<T>>) -> T {
    guard.unwrap_or_else(PoisonError::into_inner)
}

/// A number of its own for each thread, not 0.
fn this_thread() -> u64 {
    static NEXT: AtomicU64 = AtomicU64::new(1);
    thread_local! {
        static NUMBER: u64 = NEXT.fetch_add(1, Ordering::Relaxed);
    }
    NUMBER.with(|number| *number)
}

/// The data belongs to one call as long as this lives.
pub struct Claim<'a>(&'a AtomicBool);

impl Drop for Claim<'_> {
    fn drop(&mut self) {
        self.0.store(false, Ordering::Release);
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
        Ok(NativeData::wrap(model.clone().unbind(), data))
    }

    /// A simulation of its own in the same state, of the same model.
    fn copy(&self, py: Python<'_>) -> PyResult<Self> {
        drop(self.write()?);
        self.collect(py)?;
        let data = self.write()?.clone();
        let copied = NativeData::wrap(self.model.clone_ref(py), data);
        *copied.timers() = self.timers().clone();
        Ok(copied)
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

    /// A number of contacts, constraint rows or islands at the last positions computed, or a flag.
    fn count(&self, name: &str) -> PyResult<usize> {
        let data = self.write()?;
        let (rows, islands) = (&data.position.constraints, &data.position.islands);
        Ok(match name {
            "ncon" => data.position.contacts.contact.len(),
            "ne" => rows.ne,
            "nf" => rows.nf,
            "nl" => rows.nl,
            "nefc" => rows.nefc(),
            "nisland" => islands.nisland,
            "nidof" => islands.nidof,
            "flg_energypos" => usize::from(data.energy.has_potential),
            "flg_energyvel" => usize::from(data.energy.has_kinetic),
            "flg_subtreevel" => usize::from(data.velocity.momentum.is_current),
            "flg_rnepost" => usize::from(data.acceleration.body_force.is_current),
            _ => return Err(pyo3::exceptions::PyAttributeError::new_err(name.to_owned())),
        })
    }

    /// Simulated time in seconds.
    #[getter]
    fn time(&self) -> PyResult<f64> {
        if let Some(seconds) = *unpoisoned(self.shown_time.lock()) {
            return Ok(seconds);
        }
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

/// Runs a stage with the interpreter lock released, and counts what it does.
fn run<E: Into<StepError> + Send>(
    model: &Bound<'_, NativeModel>,
    data: &Bound<'_, NativeData>,
    stage: impl FnOnce(&mut Data, &Model, &mut Timing) -> Result<(), E> + Send,
) -> PyResult<()> {
    let own = data.get();
    let done = work(model, data, |data, model| {
        let mut timing = Timing::new(Clock::None);
        let done = stage(data, model, &mut timing);
        timing.add_to(&mut own.timers());
        Ok(done)
    });
    done.and_then(outcome)
}

/// A stage that nothing is counted in.
fn plain<E>(
    stage: impl FnOnce(&mut Data, &Model) -> Result<(), E>,
) -> impl FnOnce(&mut Data, &Model, &mut Timing) -> Result<(), E> {
    |data, model, _| stage(data, model)
}

/// Runs a function of data and model with the interpreter lock released.
pub fn work<T: Send>(
    model: &Bound<'_, NativeModel>,
    data: &Bound<'_, NativeData>,
    work: impl FnOnce(&mut Data, &Model) -> PyResult<T> + Send,
) -> PyResult<T> {
    data.get().check_fits(model)?;
    let (py, shared, own) = (model.py(), model.get(), data.get());
    drop(own.write()?);
    own.session(py, || {
        py.detach(|| {
            let model = shared.read()?;
            failure::guard(|| own.write().and_then(|mut data| work(&mut data, &model)))?
        })
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

        /// Adds the functions to the module, and their names.
        pub fn add_stages(module: &Bound<'_, PyModule>) -> PyResult<()> {
            $( module.add_function(wrap_pyfunction!($name, module)?)?; )*
            module.add("STAGES", [$( stringify!($name), )*])
        }
    };
}

stages! {
    /// Poses of bodies, joints, geoms and sites.
    mj_kinematics => plain(Data::compute_kinematics);
    /// Centres of mass, inertias and motion axes about them.
    mj_comPos => plain(Data::compute_com);
    /// Poses of cameras and lights.
    mj_camlight => plain(Data::compute_view);
    /// Tendon lengths, paths and Jacobians.
    mj_tendon => plain(Data::compute_tendon);
    /// Poses, centres of mass, cameras and lights, tendons.
    mj_fwdKinematics => plain(|data, model| {
        data.compute_kinematics(model)?;
        data.compute_com(model)?;
        data.compute_view(model)?;
        data.compute_tendon(model)
    });
    /// Contacts between geoms.
    mj_collision => |data, model, timing| data.compute_contacts_with(model, timing);
    /// Constraint rows: equalities, dry friction, limits, contacts.
    mj_makeConstraint => plain(Data::compute_constraints);
    /// Couplings of the constraint rows, for solvers that work on forces.
    mj_projectConstraint => plain(Data::project_constraints);
    /// Groups of trees that constraints tie together.
    mj_island => plain(Data::compute_islands);
    /// Rates of tendon and actuator lengths, spatial velocities about the centres of mass.
    mj_comVel => plain(Data::compute_com_velocity);
    /// Springs, dampers, gravity compensation, fluid.
    mj_passive => plain(Data::compute_passive);
    /// What the constraint rows aim at.
    mj_referenceConstraint => plain(Data::compute_reference);
    /// Joint-space inertia; the same as mj_makeM.
    mj_crb => plain(Data::compute_inertia);
    /// Joint-space inertia.
    mj_makeM => |data, model, timing| {
        timing.clock(Moment::Begin(TimerKind::PosInertia));
        let made = data.compute_inertia(model);
        timing.clock(Moment::End(TimerKind::PosInertia));
        made
    };
    /// Factor of the joint-space inertia.
    mj_factorM => plain(Data::factor_inertia);
    /// Actuator lengths and moments.
    mj_transmission => plain(Data::compute_transmission);
    /// Everything that depends on positions alone.
    mj_fwdPosition => |data, model, timing| data.forward_position_with(model, timing);
    /// Everything that depends on positions and velocities.
    mj_fwdVelocity => |data, model, timing| data.forward_velocity_with(model, timing);
    /// Actuator forces and activation rates.
    mj_fwdActuation => |data, model, timing| data.compute_actuation_with(model, timing);
    /// Sum of the smooth forces and the acceleration it causes.
    mj_fwdAcceleration => plain(Data::compute_smooth_acceleration);
    /// Constraint forces and the resulting acceleration.
    mj_fwdConstraint => |data, model, timing| data.solve_constraints_with(model, timing);
    /// All derived quantities of the current state and input.
    mj_forward => |data, model, timing| data.forward_with(model, timing);
    /// The force that makes the accelerations `qacc`, into `qfrc_inverse`.
    mj_inverse => |data, model, timing| data.inverse_with(model, timing);
    /// The positions' part of inverse dynamics.
    mj_invPosition => |data, model, timing| data.inverse_position_with(model, timing);
    /// The velocities' part of inverse dynamics.
    mj_invVelocity => |data, model, timing| data.forward_velocity_with(model, timing);
    /// Constraint forces at the accelerations `qacc`.
    mj_invConstraint => plain(Data::inverse_constraints);
    /// Sensors that depend on positions.
    mj_sensorPos => plain(|data, model| data.compute_sensors(model, Stage::Pos));
    /// Sensors that depend on velocities.
    mj_sensorVel => plain(|data, model| data.compute_sensors(model, Stage::Vel));
    /// Sensors that depend on forces and accelerations.
    mj_sensorAcc => plain(|data, model| data.compute_sensors(model, Stage::Acc));
    /// Potential energy, into `energy[0]`.
    mj_energyPos => plain(Data::compute_potential_energy);
    /// Kinetic energy, into `energy[1]`.
    mj_energyVel => plain(Data::compute_kinetic_energy);
    /// Counts and resets bad positions.
    mj_checkPos => plain(Data::check_position);
    /// Counts and resets bad velocities.
    mj_checkVel => plain(Data::check_velocity);
    /// Counts and resets bad accelerations.
    mj_checkAcc => |data, model, timing| data.check_acceleration_with(model, timing);
    /// Advances the state by the semi-implicit Euler rule.
    mj_Euler => |data, model, timing| data.integrate_with(model, Integrator::Euler, timing);
    /// How well inverse dynamics returns what forward dynamics was given, into `solver_fwdinv`.
    mj_compareFwdInv => plain(Data::compare_forward_inverse);
    /// Linear velocity and angular momentum of subtrees.
    mj_subtreeVel => plain(Data::subtree_momentum);
    /// Accelerations of bodies and forces between them.
    mj_rnePostConstraint => plain(Data::body_forces);
}

/// As in the reference a diverging state is counted and reset, and the simulation goes on. What is
/// left after that is an error.
pub fn outcome<E: Into<StepError>>(step: Result<(), E>) -> PyResult<()> {
    match step.map_err(E::into) {
        Ok(()) | Err(StepError::Diverged(_)) => Ok(()),
        Err(error) => Err(failure::exception("StepError", error.to_string())),
    }
}

/// The part of a step before controls and forces are set.
#[pyfunction]
pub fn mj_step1(model: &Bound<'_, NativeModel>, data: &Bound<'_, NativeData>) -> PyResult<()> {
    run(model, data, |data, model, timing| {
        data.step1_with(model, timing)
    })
}

/// The part of a step after controls and forces are set.
#[pyfunction]
pub fn mj_step2(model: &Bound<'_, NativeModel>, data: &Bound<'_, NativeData>) -> PyResult<()> {
    run(model, data, |data, model, timing| {
        data.step2_with(model, timing)
    })
}

/// Advances the simulation. As in the reference a state that diverges is counted in the warnings
/// and reset. Ctrl-C ends the call between two steps; nobody else gets in before the last one.
#[pyfunction]
pub fn mj_step(
    model: &Bound<'_, NativeModel>,
    data: &Bound<'_, NativeData>,
    nstep: i64,
) -> PyResult<()> {
    data.get().check_fits(model)?;
    let (shared, own) = (model.get(), data.get());
    let py = model.py();
    let _claim = own.claim()?;
    let some_steps = |count: i64| {
        let model = shared.read()?;
        failure::guard(|| {
            let mut data = own.write_claimed()?;
            let start = Instant::now();
            let mut left = count;
            let mut timing = Timing::new(Clock::None);
            let mut done = Ok(());
            while left > 0 && done.is_ok() && start.elapsed() < PATIENCE {
                done = outcome(data.step_with(&model, &mut timing));
                left -= 1;
            }
            timing.add_to(&mut own.timers());
            done.map(|()| left)
        })?
    };
    own.session(py, || {
        let mut left = nstep;
        while left > 0 {
            left = py.detach(|| some_steps(left))?;
            py.check_signals()?;
        }
        Ok(())
    })
}

/// The stage with this code; anything else is an error.
fn stage(code: i32) -> PyResult<Stage> {
    Stage::from_code(code).ok_or_else(|| {
        let message = format!("{code} is no mjtStage: mjSTAGE_NONE, _POS, _VEL or _ACC");
        pyo3::exceptions::PyValueError::new_err(message)
    })
}

fn sensors(skips: i32) -> Sensors {
    if skips == 0 {
        Sensors::Computed
    } else {
        Sensors::Skipped
    }
}

/// Forward dynamics of what comes after a stage that is still current.
#[pyfunction]
pub fn mj_forwardSkip(
    model: &Bound<'_, NativeModel>,
    data: &Bound<'_, NativeData>,
    skipstage: i32,
    skipsensor: i32,
) -> PyResult<()> {
    let (current, sensors) = (stage(skipstage)?, sensors(skipsensor));
    run(model, data, |data, model, timing| {
        data.forward_from_with(model, current, sensors, timing)
    })
}

/// Inverse dynamics of what comes after a stage that is still current.
#[pyfunction]
pub fn mj_inverseSkip(
    model: &Bound<'_, NativeModel>,
    data: &Bound<'_, NativeData>,
    skipstage: i32,
    skipsensor: i32,
) -> PyResult<()> {
    let (current, sensors) = (stage(skipstage)?, sensors(skipsensor));
    run(model, data, |data, model, timing| {
        data.inverse_from_with(model, current, sensors, timing)
    })
}

/// Advances the state by the implicit rule that the model asks for.
#[pyfunction]
pub fn mj_implicit(model: &Bound<'_, NativeModel>, data: &Bound<'_, NativeData>) -> PyResult<()> {
    data.get().check_fits(model)?;
    let rule = implicit_rule(&*model.get().read()?)?;
    run(model, data, |data, model, timing| {
        data.integrate_with(model, rule, timing)
    })
}

/// The implicit rule that the model asks for.
fn implicit_rule(model: &Model) -> PyResult<Integrator> {
    match Integrator::from_code(model.opt.integrator) {
        Some(rule @ (Integrator::Implicit | Integrator::Implicitfast)) => Ok(rule),
        _ => Err(pyo3::exceptions::PyValueError::new_err(
            "the model's integrator must be implicit or implicitfast",
        )),
    }
}

/// Advances the state by Runge and Kutta's rule of order 4.
#[pyfunction]
pub fn mj_RungeKutta(
    model: &Bound<'_, NativeModel>,
    data: &Bound<'_, NativeData>,
    N: i32,
) -> PyResult<()> {
    if N != 4 {
        let message = format!("only the rule of order 4 is there, not {N}");
        return Err(pyo3::exceptions::PyValueError::new_err(message));
    }
    run(model, data, |data, model, timing| {
        data.integrate_with(model, Integrator::Rk4, timing)
    })
}

/// Back to the model's initial state. A data that refused work after a fault is made anew: true
/// then, and arrays must be asked for again.
#[pyfunction]
pub fn mj_resetData(
    model: &Bound<'_, NativeModel>,
    data: &Bound<'_, NativeData>,
) -> PyResult<bool> {
    let own = data.get();
    own.check_fits(model)?;
    let _claim = own.claim()?;
    if own.is_faulty.load(Ordering::Acquire) || own.data.is_poisoned() {
        let fresh = failure::guard(|| Ok::<_, PyErr>(Data::new(&*model.get().read()?)))??;
        let mut slot = unpoisoned(own.data.write());
        let faulty = std::mem::replace(&mut *slot, fresh);
        drop(slot);
        unpoisoned(own.discarded.lock()).push(faulty);
        own.data.clear_poison();
        own.is_faulty.store(false, Ordering::Release);
        own.publish(model.py())?;
        return Ok(true);
    }
    let (py, shared) = (model.py(), model.get());
    let result = own.session(py, || {
        py.detach(|| {
            let model = shared.read()?;
            *own.timers() = Timers::default();
            failure::guard(|| own.write_claimed().map(|mut data| data.reset(&model)))?
        })
    })?;
    outcome(result)?;
    Ok(false)
}

/// Back to a keyframe; without such a keyframe, to the initial state. Returns as mj_resetData.
#[pyfunction]
pub fn mj_resetDataKeyframe(
    model: &Bound<'_, NativeModel>,
    data: &Bound<'_, NativeData>,
    key: i64,
) -> PyResult<bool> {
    let is_new = mj_resetData(model, data)?;
    if let Ok(key) = usize::try_from(key) {
        let model = model.get().read()?;
        let mut data = data.get().write()?;
        // Without such a keyframe the reset is all that happens, as in the reference.
        let _ = failure::guard(|| data.reset_to_keyframe(&model, key))?;
    }
    Ok(is_new)
}

/// Copies everything from one simulation to another of the same structure.
#[pyfunction]
pub fn mj_copyData(
    dest: &Bound<'_, NativeData>,
    model: &Bound<'_, NativeModel>,
    src: &Bound<'_, NativeData>,
) -> PyResult<()> {
    dest.get().check_fits(model)?;
    src.get().check_fits(model)?;
    if dest.is(src) {
        return Ok(());
    }
    let py = model.py();
    drop(src.get().write()?);
    src.get().collect(py)?;
    {
        let source = src.get().write()?;
        let mut target = dest.get().write()?;
        outcome(failure::guard(|| target.copy_from(&source))?)?;
        let timers = src.get().timers().clone();
        *dest.get().timers() = timers;
    }
    dest.get().publish(py)
}

/// Panics while it has the data, so that a test can see what a fault of ours leaves behind.
#[pyfunction]
pub fn fail_in_data(model: &Bound<'_, NativeModel>, data: &Bound<'_, NativeData>) -> PyResult<()> {
    let fault = |_: &mut Data, _: &Model| -> Result<(), CallError> { panic!("failed on purpose") };
    run(model, data, plain(fault))
}

/// Steps with hooks. A hook that raises leaves the state as it was before the step it raised in.
#[pyfunction]
pub fn step_with_hooks(
    model: &Bound<'_, NativeModel>,
    data: &Bound<'_, NativeData>,
    nstep: i64,
    hooks: &Bound<'_, PyTuple>,
) -> PyResult<()> {
    const EVERYTHING: i32 = (1 << 14) - 1;
    data.get()
        .run_with_hooks(model, hooks, |data, model, hooks| {
            let size = state_size(model, EVERYTHING).unwrap_or(0);
            let mut before = vec![0.0; size];
            let mut signals = Instant::now();
            for _ in 0..nstep.max(0) {
                let _ = data.get_state(model, EVERYTHING, &mut before);
                let result = data.step_with(model, hooks);
                if hooks.has_failed() {
                    let _ = data.set_state(model, EVERYTHING, &before);
                    break;
                }
                outcome(result)?;
                if signals.elapsed() > PATIENCE {
                    Python::attach(|py| py.check_signals())?;
                    signals = Instant::now();
                }
            }
            Ok(())
        })
}

/// Runs one of the other functions that hooks take part in, by its name.
#[pyfunction]
pub fn call_with_hooks(
    name: &str,
    model: &Bound<'_, NativeModel>,
    data: &Bound<'_, NativeData>,
    skips: (i32, i32),
    hooks: &Bound<'_, PyTuple>,
) -> PyResult<()> {
    let (current, sensors) = (stage(skips.0)?, sensors(skips.1));
    data.get()
        .run_with_hooks(model, hooks, |data, model, hooks| {
            let result = match name {
                "mj_step1" => return outcome(data.step1_with(model, hooks)),
                "mj_step2" => return outcome(data.step2_with(model, hooks)),
                "mj_checkAcc" => return outcome(data.check_acceleration_with(model, hooks)),
                "mj_Euler" => {
                    return outcome(data.integrate_with(model, Integrator::Euler, hooks));
                }
                "mj_RungeKutta" => {
                    return outcome(data.integrate_with(model, Integrator::Rk4, hooks));
                }
                "mj_implicit" => {
                    let rule = implicit_rule(model)?;
                    return outcome(data.integrate_with(model, rule, hooks));
                }
                "mj_forward" => data.forward_with(model, hooks),
                "mj_forwardSkip" => data.forward_from_with(model, current, sensors, hooks),
                "mj_inverse" => data.inverse_with(model, hooks),
                "mj_inverseSkip" => data.inverse_from_with(model, current, sensors, hooks),
                "mj_collision" => data.compute_contacts_with(model, hooks),
                "mj_fwdPosition" => data.forward_position_with(model, hooks),
                "mj_invPosition" => data.inverse_position_with(model, hooks),
                "mj_fwdConstraint" => data.solve_constraints_with(model, hooks),
                "mj_fwdVelocity" | "mj_invVelocity" => data.forward_velocity_with(model, hooks),
                "mj_fwdActuation" => data.compute_actuation_with(model, hooks),
                "mj_passive" => data.compute_passive_with(model, hooks),
                "mj_sensorPos" => data.compute_sensors_with(model, Stage::Pos, hooks),
                "mj_sensorVel" => data.compute_sensors_with(model, Stage::Vel, hooks),
                "mj_sensorAcc" => data.compute_sensors_with(model, Stage::Acc, hooks),
                _ => {
                    let message = format!("no hooks take part in {name}");
                    return Err(pyo3::exceptions::PyValueError::new_err(message));
                }
            };
            outcome(result)
        })
}
