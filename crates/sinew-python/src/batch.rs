//! Many worlds of one model as a Python object.
//!
//! A call has the batch for itself and releases the interpreter lock; a second thread that comes in
//! meanwhile gets `BusyError`. In a forked process the batch starts its threads again; one that was in the
//! middle of a call when the process forked stays busy there.
//!
//! # Safety
//!
//! The matrices of a [`Batch`] are allocated when it is made and neither moved nor resized before it is
//! dropped, which a test of `sinew` holds it to; [`NativeBatch`] owns it, never replaces it and is the base of
//! every array. Numbers may be read and written through arrays while worlds are computed: a race for
//! numbers, not for memory, as `place.rs` says for data. Flags of the type `bool`, of which not every bit
//! pattern is one, are only handed out as copies.

use crate::data::check_room_of_threads;
use crate::failure;
use crate::interrupt::Interrupt;
use crate::model::NativeModel;
use crate::query::wrong_call;
use crate::room;
use crate::structure::Extent;
use crate::view::{self, Access, Memory};
use numpy::{PyArray1, PyReadonlyArray1, PyReadonlyArray3, PyReadwriteArray1, PyReadwriteArray3};
use pyo3::exceptions::{PyMemoryError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::PyDict;
use sinew::batch::{
    Batch, BatchError, Controls, FIELDS, GoesOn, Lanes, Noise, Precision, Record, Snapshot, Spread,
    Which,
};
use sinew::engine::Data;
use sinew::model::Value;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, TryLockError};
use std::time::{Duration, Instant};

/// How often a rollout tells how far it is.
const TELL: Duration = Duration::from_millis(100);

/// Tells Python how far a rollout is.
struct Teller {
    function: Option<Py<PyAny>>,
    worlds: usize,
    /// Steps of all worlds.
    made: AtomicUsize,
    told: Mutex<Instant>,
}

impl Teller {
    fn new(function: Option<Py<PyAny>>, worlds: usize) -> Self {
        Teller {
            function,
            worlds,
            made: AtomicUsize::new(0),
            told: Mutex::new(Instant::now()),
        }
    }

    /// Tells it if the last time is long ago. In the calling thread.
    fn tell_now_and_then(&self, interrupt: &Interrupt) {
        let mut told = self.told.lock().unwrap_or_else(PoisonError::into_inner);
        if told.elapsed() > TELL {
            *told = Instant::now();
            self.tell(self.made.load(Ordering::Relaxed) / self.worlds, interrupt);
        }
    }

    /// Tells how many steps are made; an error of the function ends the work.
    fn tell(&self, steps: usize, interrupt: &Interrupt) {
        if let Some(function) = &self.function
            && let Err(error) = Python::attach(|py| function.call1(py, (steps,)))
        {
            interrupt.stop(error);
        }
    }
}

/// Many worlds of one model. The arrays handed out point into it and never move.
#[pyclass(name = "Batch", module = "sinew._native", frozen)]
pub struct NativeBatch {
    batch: Mutex<Batch>,
}

/// All worlds of a batch at one moment.
#[pyclass(name = "Snapshot", module = "sinew._native", frozen)]
pub struct NativeSnapshot(Snapshot);

/// An array with an entry for each world that a call is about.
type Mask<'py> = Option<PyReadonlyArray1<'py, bool>>;

impl NativeBatch {
    /// The batch for one call.
    pub fn enter(&self) -> PyResult<MutexGuard<'_, Batch>> {
        match self.batch.try_lock() {
            Ok(batch) => Ok(batch),
            Err(TryLockError::Poisoned(poisoned)) => Ok(poisoned.into_inner()),
            Err(TryLockError::WouldBlock) => Err(failure::busy("batch")),
        }
    }

    /// Runs something that computes, with the interpreter lock released, until Ctrl-C.
    fn compute<T: Send>(
        &self,
        py: Python<'_>,
        mask: Mask<'_>,
        work: impl FnOnce(&mut Batch, Which<'_>, &Interrupt, GoesOn<'_>) -> Result<T, BatchError> + Send,
    ) -> PyResult<T> {
        let mask = mask.map(|mask| mask.as_array().to_vec());
        let mut held = self.enter()?;
        let batch = &mut *held;
        let interrupt = Interrupt::new();
        let result = py.detach(|| {
            let which = mask.as_deref().map_or(Which::All, Which::Where);
            let goes_on = || interrupt.goes_on();
            failure::guard(|| work(batch, which, &interrupt, &goes_on))
        });
        drop(held);
        interrupt.raise()?;
        result?.map_err(refused)
    }
}

#[pymethods]
impl NativeBatch {
    /// So many worlds of a model as it is now, on a number of threads (0: as many as the machine runs at once),
    /// which keep some derived arrays.
    #[new]
    fn new(
        py: Python<'_>,
        model: &Bound<'_, NativeModel>,
        count: usize,
        threads: usize,
        derived: Vec<String>,
    ) -> PyResult<Self> {
        let shared = model.get();
        let made = py.detach(|| {
            let derived: Vec<&str> = derived.iter().map(String::as_str).collect();
            let model = shared.cloned(Extent::Rays)?;
            check_room_of_threads(&model, threads)?;
            failure::guard(|| Batch::with(model, count, threads, &derived))
        });
        let batch = Mutex::new(made?.map_err(refused)?);
        Ok(NativeBatch { batch })
    }

    /// Number of threads, the calling one included.
    #[getter]
    fn threads(&self) -> PyResult<usize> {
        Ok(self.enter()?.threads())
    }

    /// Works on another number of threads from now on.
    fn set_threads(&self, threads: usize) -> PyResult<()> {
        let mut batch = self.enter()?;
        check_room_of_threads(batch.model(), threads)?;
        batch.set_threads(threads);
        Ok(())
    }

    /// How many worlds are computed side by side, and why only one if it is one.
    fn plan(&self) -> PyResult<(usize, Option<String>)> {
        let batch = self.enter()?;
        let (count, reason) = batch.plan();
        Ok((count, reason.map(str::to_owned)))
    }

    /// Computes at most so many worlds side by side: 1, 4 or 8.
    fn set_lanes(&self, count: usize) -> PyResult<()> {
        let known = [Lanes::One, Lanes::Four, Lanes::Eight];
        let most = Lanes::widest().count();
        match known.into_iter().find(|lanes| lanes.count() == count) {
            Some(lanes) if count <= most => self.enter()?.set_lanes(lanes),
            _ => {
                let message =
                    format!("lanes must be 1, 4 or 8, and at most {most} on this processor");
                return Err(PyValueError::new_err(message));
            }
        }
        Ok(())
    }

    /// Computes worlds side by side with numbers of 32 bits from now on, or of 64.
    fn set_single(&self, is_single: bool) -> PyResult<()> {
        let precision = match is_single {
            true => Precision::Single,
            false => Precision::Double,
        };
        self.enter()?.set_precision(precision);
        Ok(())
    }

    /// Bytes that a world takes.
    #[getter]
    fn bytes_per_world(&self) -> PyResult<usize> {
        Ok(self.enter()?.bytes_per_world())
    }

    /// Episodes count as truncated from this simulated time on.
    fn set_time_limit(&self, seconds: f64) -> PyResult<()> {
        self.enter()?.set_time_limit(seconds);
        Ok(())
    }

    /// Goes on with the values that a model of the same structure has now.
    fn set_model(&self, model: &Bound<'_, NativeModel>) -> PyResult<()> {
        let model = model.get().cloned(Extent::Rays)?;
        self.enter()?.set_model(model).map_err(wrong_call)
    }

    /// The arrays that the batch keeps, as views with a row per world.
    fn arrays<'py>(slf: &Bound<'py, Self>) -> PyResult<Bound<'py, PyDict>> {
        let arrays = PyDict::new(slf.py());
        let mut held = slf.get().enter()?;
        for (memory, access) in memories(&mut held).map_err(refused)? {
            arrays.set_item(memory.name, batch_view(&memory, access, slf)?)?;
        }
        Ok(arrays)
    }

    /// Lets worlds differ in arrays of the model.
    fn expand(&self, names: Vec<String>) -> PyResult<()> {
        let mut batch = self.enter()?;
        let mut expand = |name: &String| batch.expand(name).map_err(refused);
        names.iter().try_for_each(&mut expand)
    }

    /// The values that worlds have of their own, as views with a row per world.
    fn values<'py>(slf: &Bound<'py, Self>) -> PyResult<Bound<'py, PyDict>> {
        let arrays = PyDict::new(slf.py());
        let mut held = slf.get().enter()?;
        let count = held.len();
        let known = held.values();
        let known: Vec<_> = known
            .map(|(name, shape)| (name.to_owned(), shape.to_vec()))
            .collect();
        for (name, shape) in known {
            let shape = [count].into_iter().chain(shape).collect();
            let memory =
                Memory::of_numbers("values", held.value_mut(&name).map_err(refused)?, shape);
            arrays.set_item(name, batch_view(&memory, Access::Write, slf)?)?;
        }
        Ok(arrays)
    }

    /// Derives constants from the values of worlds.
    fn derive_constants(&self, py: Python<'_>, mask: Mask<'_>) -> PyResult<()> {
        self.compute(py, mask, |batch, which, _, goes_on| {
            batch.derive_constants(which, goes_on)
        })
    }

    /// How many bodies of each world have their weight carried; empty before constants were derived.
    fn floating_bodies(&self) -> PyResult<Vec<usize>> {
        Ok(self.enter()?.floating_bodies().to_vec())
    }

    /// Sets how many bodies of each world have their weight carried.
    fn set_floating_bodies(&self, counts: Vec<usize>) -> PyResult<()> {
        self.enter()?
            .set_floating_bodies(&counts)
            .map_err(wrong_call)
    }

    /// The model of a world, with its own values.
    fn model_of(&self, world: usize) -> PyResult<NativeModel> {
        Ok(NativeModel::new(self.enter()?.model_of(world)))
    }

    /// Advances worlds by a number of steps.
    fn step(&self, py: Python<'_>, count: usize, mask: Mask<'_>) -> PyResult<()> {
        self.compute(py, mask, |batch, which, _, goes_on| {
            Ok(batch.step_while(which, count, &(), goes_on)?)
        })
    }

    /// Computes the derived arrays of the current states and inputs.
    fn forward(&self, py: Python<'_>, mask: Mask<'_>) -> PyResult<()> {
        self.compute(py, mask, |batch, which, _, goes_on| {
            Ok(batch.forward_while(which, goes_on)?)
        })
    }

    /// Puts worlds into the initial state, or into that of a keyframe.
    fn reset(&self, py: Python<'_>, mask: Mask<'_>, key: Option<usize>) -> PyResult<()> {
        self.compute(py, mask, |batch, which, _, _| Ok(batch.reset(which, key)?))
    }

    /// The same with noise of positions and of velocities.
    fn reset_randomly(
        &self,
        py: Python<'_>,
        mask: Mask<'_>,
        key: Option<usize>,
        noise: (f64, f64, bool),
        seed: u64,
    ) -> PyResult<()> {
        let (position, velocity, is_normal) = noise;
        let spread = if is_normal {
            Spread::Normal
        } else {
            Spread::Uniform
        };
        let noise = Noise {
            position,
            velocity,
            spread,
        };
        self.compute(py, mask, |batch, which, _, _| {
            Ok(batch.reset_randomly(which, key, &noise, seed)?)
        })
    }

    /// Makes steps from the present states under the given controls and records arrays; returns how many steps
    /// each world made. `tell` is called with the number of steps made now and then, and at the end.
    fn rollout<'py>(
        &self,
        py: Python<'py>,
        steps: usize,
        controls: Option<PyReadonlyArray3<'py, f64>>,
        mut records: Vec<(String, PyReadwriteArray3<'py, f64>)>,
        tell: Option<Py<PyAny>>,
    ) -> PyResult<Bound<'py, PyArray1<i64>>> {
        let controls = match &controls {
            Some(controls) => {
                let shape = controls.as_array().dim();
                let cells = controls.as_slice()?;
                let (worlds, steps) = (shape.0, shape.1);
                Some(Controls {
                    cells,
                    worlds,
                    steps,
                })
            }
            None => None,
        };
        let mut targets = Vec::new();
        for (name, table) in &mut records {
            let cells = table.as_slice_mut()?;
            targets.push(Record { name, cells });
        }
        let made = self.compute(py, None, |batch, _, interrupt, goes_on| {
            let teller = Teller::new(tell, batch.len().max(1));
            let goes_on = || {
                if interrupt.is_in_caller() {
                    teller.tell_now_and_then(interrupt);
                }
                goes_on()
            };
            let made = batch.rollout(steps, controls, &mut targets, &goes_on, &teller.made)?;
            if goes_on() {
                teller.tell(steps, interrupt);
            }
            Ok(made)
        })?;
        let made = made.into_iter().map(|count| count as i64);
        Ok(PyArray1::from_iter(py, made))
    }

    /// The worlds whose last step failed, and why.
    fn failures(&self) -> PyResult<Vec<(usize, String)>> {
        let batch = self.enter()?;
        let failures = batch.outcome().failures();
        Ok(failures
            .map(|(world, error)| (world, error.to_string()))
            .collect())
    }

    /// Writes whether episodes have ended, by failure and by the time limit.
    fn ends(
        &self,
        mut terminated: PyReadwriteArray1<'_, bool>,
        mut truncated: PyReadwriteArray1<'_, bool>,
    ) -> PyResult<()> {
        let batch = self.enter()?;
        let outcome = batch.outcome();
        for (target, flags) in [
            (terminated.as_slice_mut()?, &outcome.terminated),
            (truncated.as_slice_mut()?, &outcome.truncated),
        ] {
            if target.len() != flags.len() {
                return Err(PyValueError::new_err("there must be a flag for each world"));
            }
            target.copy_from_slice(flags);
        }
        Ok(())
    }

    /// How often each world has drawn random numbers.
    fn draws<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyArray1<u64>>> {
        Ok(PyArray1::from_slice(py, self.enter()?.draws()))
    }

    /// Sets how often each world has drawn random numbers.
    fn set_draws(&self, draws: PyReadonlyArray1<'_, u64>) -> PyResult<()> {
        let mut batch = self.enter()?;
        let (target, draws) = (batch.draws_mut(), draws.as_slice()?);
        if target.len() != draws.len() {
            return Err(PyValueError::new_err(
                "there must be a number for each world",
            ));
        }
        target.copy_from_slice(draws);
        Ok(())
    }

    /// All worlds as they are now.
    fn save(&self) -> PyResult<NativeSnapshot> {
        let batch = self.enter()?;
        let bytes = batch.bytes_per_world().saturating_mul(batch.len());
        room::check(bytes as u64, "a copy of worlds")?;
        Ok(NativeSnapshot(batch.save()))
    }

    /// All worlds as they were.
    fn restore(&self, snapshot: &Bound<'_, NativeSnapshot>) -> PyResult<()> {
        let restored = self.enter()?.restore(&snapshot.get().0);
        restored.map_err(|_| PyValueError::new_err("the snapshot is one of other worlds"))
    }
}

/// Where the arrays of a batch lie.
fn memories(batch: &mut Batch) -> Result<Vec<(Memory, Access)>, BatchError> {
    let count = batch.len();
    let model = Arc::clone(batch.model());
    let fields: Vec<_> = batch.fields().collect();
    let data = Data::new(&model);
    let columns = data.columns();
    let mut found = Vec::new();
    for field in fields {
        let shape = match columns.iter().find(|column| column.name == field.name) {
            Some(column) => [count, column.rows]
                .into_iter()
                .chain(column.width)
                .collect(),
            None if field.name == "time" => vec![count],
            None => vec![count, data.energy.values.len()],
        };
        let memory = Memory::of_numbers(field.name, batch.get_mut(field.name)?, shape);
        found.push((memory, Access::Write));
    }
    let active = Memory::of_numbers("eq_active", batch.eq_active_mut(), vec![count, model.neq]);
    found.push((active, Access::Write));
    let width = model.nq + model.nv;
    let states = Memory::of_constants("states", batch.states(), vec![count, width]);
    found.push((states, Access::Read));
    Ok(found)
}

/// The arrays of a model in which worlds can differ.
#[pyfunction]
pub fn value_names() -> Vec<String> {
    Value::all().map(|(name, _)| name).collect()
}

/// A view of a matrix of the batch that lives in `owner`.
#[allow(unsafe_code)]
fn batch_view<'py>(
    memory: &Memory,
    access: Access,
    owner: &Bound<'py, NativeBatch>,
) -> PyResult<Bound<'py, PyAny>> {
    // SAFETY: the memory belongs to the batch of `owner`, which keeps it until it is dropped itself and
    // never moves it: see the top of this file.
    unsafe { view::show(memory, access, owner.as_any()) }
}

/// The arrays that a batch can keep: name, and whether every batch does.
#[pyfunction]
pub fn batch_fields() -> Vec<(&'static str, bool)> {
    let fields = FIELDS.iter();
    fields
        .map(|field| (field.name, field.is_kept_always()))
        .collect()
}

fn refused(error: BatchError) -> PyErr {
    match error {
        BatchError::Call(error) => wrong_call(error),
        BatchError::Memory { .. } => PyMemoryError::new_err(error.to_string()),
        error => PyValueError::new_err(error.to_string()),
    }
}
