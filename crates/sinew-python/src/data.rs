//! One simulation of a model as a Python object.
//!
//! A call takes the data for itself ([`crate::place`]) and releases the interpreter lock. A second
//! thread that comes in meanwhile gets `BusyError`. If a call panics the data refuses work until it
//! is reset.

// The functions carry the reference's names.
#![allow(non_snake_case)]

use crate::counter::Timers;
use crate::failure;
use crate::model::NativeModel;
use crate::place::Place;
use crate::room;
use crate::step::outcome;
use crate::structure::Extent;
use crate::varying::{self, Handed};
use crate::view::{self, Access, Memory};
use pyo3::exceptions::PyAttributeError;
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyDict};
use sinew::batch::Pool;
use sinew::engine::Data;
use sinew::mjcf::memory::simulation_bytes;
use sinew::model::Model;
use sinew::model::column::ColumnMut;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, MutexGuard, OnceLock, PoisonError};
use std::time::Duration;

/// How long a call may run before it looks whether the user has pressed Ctrl-C.
pub const PATIENCE: Duration = Duration::from_millis(50);

/// One simulation. The arrays handed out point into it and never move.
#[pyclass(name = "Data", module = "sinew._native", frozen)]
pub struct NativeData {
    /// The model it was made for.
    model: Py<NativeModel>,
    /// The simulation.
    pub(crate) place: Place,
    /// Arrays of varying length that Python has.
    pub(crate) handed: Handed,
    timers: Mutex<Timers>,
    /// The simulated time, while the data is inside a stage that lets Python look at it.
    shown_time: Mutex<Option<f64>>,
    /// Whether Python has addresses that it can write: they are looked at before every call then.
    has_lent_addresses: AtomicBool,
    /// Bytes of all arrays of constant length, once somebody has asked.
    column_bytes: OnceLock<u64>,
}

/// Arrays of addresses that Python may write.
const ADDRESSES: [&str; 9] = [
    "ten_wrapadr",
    "ten_wrapnum",
    "ten_J_rownnz",
    "ten_J_rowadr",
    "ten_J_colind",
    "wrap_obj",
    "moment_rownnz",
    "moment_rowadr",
    "moment_colind",
];

impl NativeData {
    /// The model it was made for.
    pub fn model(&self) -> &Py<NativeModel> {
        &self.model
    }

    /// How often parts of the computation ran.
    pub fn timers(&self) -> MutexGuard<'_, Timers> {
        unpoisoned(self.timers.lock())
    }

    /// Lets Python read the simulated time until this is dropped.
    pub fn show_time(&self, seconds: f64) -> Shown<'_> {
        let mut slot = unpoisoned(self.shown_time.lock());
        *slot = Some(seconds);
        Shown(&self.shown_time)
    }

    fn wrap(model: Py<NativeModel>, data: Data) -> Self {
        NativeData {
            model,
            place: Place::new(data),
            handed: Handed::default(),
            timers: Mutex::default(),
            shown_time: Mutex::default(),
            has_lent_addresses: AtomicBool::new(false),
            column_bytes: OnceLock::new(),
        }
    }

    /// Bytes of all arrays of constant length of its simulation.
    pub fn column_bytes(&self, held: &mut Data) -> PyResult<u64> {
        if let Some(&known) = self.column_bytes.get() {
            return Ok(known);
        }
        let mut length = 0;
        for_each_column(held, |column| {
            length += column.bytes.len() as u64;
            Ok(())
        })?;
        Ok(*self.column_bytes.get_or_init(|| length))
    }

    /// Whether Python can write addresses.
    pub fn has_lent_addresses(&self) -> bool {
        self.has_lent_addresses.load(Ordering::Relaxed)
    }

    /// The given model fits if it is the one the data was made for, or has the same structure; what was written of
    /// its structure must hold together.
    pub fn check_fits(&self, model: &Bound<'_, NativeModel>) -> PyResult<()> {
        let own = self.model.bind(model.py());
        if own.is(model) || own.get().signature() == model.get().signature() {
            return model.get().checked(Extent::Step).map(|_| ());
        }
        let message = "this MjData was made for another model; make one with MjData(model)";
        Err(failure::wrong_call(message))
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

#[pymethods]
impl NativeData {
    /// A simulation at the model's initial state.
    #[new]
    fn new(py: Python<'_>, model: &Bound<'_, NativeModel>) -> PyResult<Self> {
        let shared = model.get();
        let data = py.detach(|| {
            let model = shared.checked(Extent::Rays)?;
            check_room(&model)?;
            failure::guard(|| Data::new(&model))
        })?;
        Ok(NativeData::wrap(model.clone().unbind(), data))
    }

    /// A simulation of its own in the same state, of the same model.
    fn copy(&self, py: Python<'_>) -> PyResult<Self> {
        check_room(&self.model.get().read())?;
        let mut held = self.place.enter()?;
        self.collect(py, &mut held)?;
        let copied = NativeData::wrap(self.model.clone_ref(py), held.clone());
        *copied.timers() = self.timers().clone();
        Ok(copied)
    }

    /// In how many steps a reading of a sensor was not finite; the first of the last time, and that time.
    fn bad_sensors(&self) -> PyResult<(u64, i32, f64)> {
        let total = self.place.enter()?.warnings.bad_sensors();
        Ok((total.number, total.lastinfo, total.time))
    }

    /// How often there was a warning of each kind, and in how many steps a reading was not finite: bytes that stay the same as long as
    /// there is nothing to tell.
    fn tally<'py>(slf: &Bound<'py, Self>) -> PyResult<Bound<'py, PyBytes>> {
        let (py, own) = (slf.py(), slf.get());
        let mut held = own.place.enter()?;
        own.collect(py, &mut held)?;
        let mut bytes = Vec::new();
        for counter in held.warnings.all() {
            bytes.extend(counter.number.to_le_bytes());
        }
        bytes.extend(held.warnings.bad_sensors().number.to_le_bytes());
        Ok(PyBytes::new(py, &bytes))
    }

    /// From now on Python can write addresses ([`addresses`]).
    fn lend_addresses(&self) {
        self.has_lent_addresses.store(true, Ordering::Relaxed);
    }

    /// Blank contacts and rows in the place of those there are, with room for entries of J.
    fn make_rows(
        slf: &Bound<'_, Self>,
        contacts: usize,
        rows: usize,
        entries: usize,
    ) -> PyResult<()> {
        let (py, own) = (slf.py(), slf.get());
        let mut held = own.place.enter()?;
        own.anew(py, &mut held, |held| {
            own.with_source(py, held, |source| {
                varying::make_rows(source, contacts, rows, entries)
            })?
        })
    }

    /// All columns by name, as views.
    fn arrays<'py>(slf: &Bound<'py, Self>) -> PyResult<Bound<'py, PyDict>> {
        let arrays = PyDict::new(slf.py());
        let mut data = slf.get().place.enter()?;
        for_each_column(&mut data, |column| {
            arrays.set_item(column.name, data_view(column, slf)?)
        })?;
        Ok(arrays)
    }

    /// A number of contacts, constraint rows or islands at the last positions computed, or a flag.
    fn count(&self, name: &str) -> PyResult<usize> {
        let data = self.place.enter()?;
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
            _ => return Err(PyAttributeError::new_err(name.to_owned())),
        })
    }

    /// Sets a number of contacts or rows: there can be fewer. How many rows of each kind there are follows from what
    /// they are, whatever is said here.
    fn set_count(slf: &Bound<'_, Self>, name: &str, count: i64) -> PyResult<()> {
        let present = slf.get().count(name)?;
        let rows = slf.get().count("nefc")?;
        let wanted = usize::try_from(count).ok();
        let is_kind =
            matches!(name, "ne" | "nf" | "nl") && wanted.is_some_and(|count| count <= rows);
        if is_kind || wanted == Some(present) {
            return Ok(());
        }
        let is_list = matches!(name, "ncon" | "nefc");
        let Some(count) = wanted.filter(|&count| is_list && count < present) else {
            let message = format!(
                "{name} cannot be {count}: {present} were counted at the last positions computed"
            );
            return Err(PyAttributeError::new_err(message));
        };
        let (py, own) = (slf.py(), slf.get());
        let mut held = own.place.enter()?;
        own.session(py, &mut held, |held| {
            own.with_source(py, held, |source| match name {
                "ncon" => varying::keep_contacts(source, count),
                _ => varying::keep_rows(source, count),
            })?
        })
    }

    /// Sets a flag that says whether derived arrays are current.
    fn set_flag(&self, name: &str, is_current: bool) -> PyResult<()> {
        let mut data = self.place.enter()?;
        match name {
            "flg_energypos" => data.energy.has_potential = is_current,
            "flg_energyvel" => data.energy.has_kinetic = is_current,
            "flg_subtreevel" => data.velocity.momentum.is_current = is_current,
            "flg_rnepost" => data.acceleration.body_force.is_current = is_current,
            _ => return Err(PyAttributeError::new_err(name.to_owned())),
        }
        Ok(())
    }

    /// Simulated time in seconds.
    #[getter]
    fn time(&self) -> PyResult<f64> {
        if let Some(seconds) = *unpoisoned(self.shown_time.lock()) {
            return Ok(seconds);
        }
        Ok(self.place.enter()?.state.time)
    }

    #[setter]
    fn set_time(&self, seconds: f64) -> PyResult<()> {
        self.place.enter()?.state.time = seconds;
        Ok(())
    }
}

/// Refuses a simulation that does not fit the memory that the process may still get.
pub fn check_room(model: &Model) -> PyResult<()> {
    room::check(simulation_bytes(model), "a simulation")
}

/// The same for so many threads with a simulation each.
pub fn check_room_of_threads(model: &Model, threads: usize) -> PyResult<()> {
    /// What a thread has of its own besides.
    const THREAD: u64 = 3 << 20;
    let count = threads.clamp(1, Pool::MOST) as u64;
    let one = simulation_bytes(model).saturating_add(THREAD);
    room::check(one.saturating_mul(count), "what threads need")
}

/// A view of a column of the simulation that lives in `owner`.
#[allow(unsafe_code)]
fn data_view<'py>(
    column: &mut ColumnMut<'_>,
    owner: &Bound<'py, NativeData>,
) -> PyResult<Bound<'py, PyAny>> {
    // Flags that the user sets are no structure.
    let access = match column.name {
        "eq_active" => Access::Write,
        name if ADDRESSES.contains(&name) => Access::Write,
        _ => Access::of(column.meaning),
    };
    // SAFETY: the memory belongs to the place of `owner`, which keeps it until it is dropped itself:
    // see `place.rs`.
    unsafe { view::show(&Memory::of(column), access, owner.as_any()) }
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

/// Arrays of addresses that Python may write.
#[pyfunction]
pub fn addresses() -> [&'static str; 9] {
    ADDRESSES
}

/// Every array of constant length, energies included.
pub fn for_each_column(
    data: &mut Data,
    mut call: impl FnMut(&mut ColumnMut<'_>) -> PyResult<()>,
) -> PyResult<()> {
    data.columns_mut().iter_mut().try_for_each(&mut call)?;
    call(&mut energy(data))
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
    reset(model, data, None)
}

/// Back to a keyframe; without such a keyframe, to the initial state. Returns as mj_resetData.
#[pyfunction]
pub fn mj_resetDataKeyframe(
    model: &Bound<'_, NativeModel>,
    data: &Bound<'_, NativeData>,
    key: i64,
) -> PyResult<bool> {
    reset(model, data, usize::try_from(key).ok())
}

fn reset(
    model: &Bound<'_, NativeModel>,
    data: &Bound<'_, NativeData>,
    key: Option<usize>,
) -> PyResult<bool> {
    let (py, shared, own) = (model.py(), model.get(), data.get());
    own.check_fits(model)?;
    let mut held = own.place.claim_even_faulty()?;
    let is_faulty = held.is_faulty();
    if is_faulty {
        held.replace(failure::guard(|| Data::new(&shared.read()))?);
    }
    let result = own.anew(py, &mut held, |held| {
        py.detach(|| {
            let model = shared.read();
            *own.timers() = Timers::default();
            own.place.guard(|| match key {
                // Without such a keyframe the reset is all that happens, as in the reference.
                Some(key) if key < model.nkey => held.reset_to_keyframe(&model, key),
                _ => held.reset(&model),
            })
        })
    })?;
    outcome(result)?;
    Ok(is_faulty)
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
    let (from, to) = (src.get(), dest.get());
    let mut source = from.place.enter()?;
    let mut target = to.place.enter()?;
    from.collect(py, &mut source)?;
    outcome(to.place.guard(|| target.copy_from(&source))?)?;
    let timers = from.timers().clone();
    *to.timers() = timers;
    to.publish(py, &mut target)
}
