//! One simulation of a model as a Python object.
//!
//! A call takes the data for itself and releases the interpreter lock. A second thread that comes
//! in meanwhile gets `BusyError`. If a call panics the data refuses work until it is reset.

// The functions carry the reference's names.
#![allow(non_snake_case)]

use crate::counter::Timers;
use crate::failure;
use crate::hooks::PythonHooks;
use crate::model::NativeModel;
use crate::step::outcome;
use crate::varying::Handed;
use crate::view::{self, Access};
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyTuple};
use sinew::engine::Data;
use sinew::model::Model;
use sinew::model::column::ColumnMut;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError, RwLock, RwLockWriteGuard, TryLockError};
use std::time::Duration;

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
    ColumnMut::new(("energy", values.len()), None, None, values.as_mut_slice())
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
