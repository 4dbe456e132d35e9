//! Trajectories from many initial states, on as many threads as there are simulations.
//!
//! Where a model allows it they are worlds of a batch (`rollout_batch.rs`), all but the last one, which leaves the
//! simulation as it leaves it alone. Otherwise threads take them from a queue of `sinew-batch`. Each begins with the same inputs whatever ran
//! before, so that results depend neither on the number of threads nor on chance. After a warning a
//! trajectory stands still: what is left of it repeats the step the warning came with.

use crate::data::{NativeData, PATIENCE};
use crate::failure;
use crate::hooks::PythonParts;
use crate::model::NativeModel;
use crate::place::Held;
use crate::rollout_batch;
use crate::step::outcome;
use numpy::{PyArray3, PyArrayMethods, PyReadonlyArray1};
use pyo3::exceptions::{PyMemoryError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::PyTuple;
use sinew::batch::Queue;
use sinew::engine::state_vector::state_size;
use sinew::engine::{Data, Engine};
use sinew::mjcf::memory::available;
use sinew::model::Model;
use sinew::model::kinds::StateComponent;
use std::panic::resume_unwind;
use std::sync::mpsc::{self, RecvTimeoutError};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Instant;

/// What all trajectories start from and are driven by.
pub struct Task<'a> {
    pub models: Vec<&'a Model>,
    pub batch: usize,
    pub steps: usize,
    pub state_size: usize,
    pub control_size: usize,
    pub components: i32,
    pub initial_state: &'a [f64],
    pub initial_warmstart: Option<&'a [f64]>,
    pub control: Option<&'a [f64]>,
}

const PHYSICS: i32 = StateComponent::Time.code()
    | StateComponent::Qpos.code()
    | StateComponent::Qvel.code()
    | StateComponent::Act.code()
    | StateComponent::History.code()
    | StateComponent::Plugin.code();

impl Task<'_> {
    fn model(&self, trajectory: usize) -> &Model {
        self.models[trajectory.min(self.models.len() - 1)]
    }

    /// The initial state and inputs of a trajectory.
    fn begin(&self, trajectory: usize, data: &mut Data) -> PyResult<()> {
        let model = self.model(trajectory);
        let is_given = |component: StateComponent| self.components & component.code() != 0;
        let input = &mut data.input;
        if !is_given(StateComponent::Ctrl) {
            input.ctrl.fill(0.0);
        }
        if !is_given(StateComponent::QfrcApplied) {
            input.qfrc_applied.fill(0.0);
        }
        if !is_given(StateComponent::XfrcApplied) {
            input.xfrc_applied.fill([0.0; 6]);
        }
        if !is_given(StateComponent::EqActive) {
            input.eq_active.copy_from_slice(&model.eq_active0);
        }
        for body in 0..model.nbody {
            let Ok(mocap) = usize::try_from(model.body_mocapid[body]) else {
                continue;
            };
            if !is_given(StateComponent::MocapPos) {
                input.mocap_pos[mocap] = model.body_pos[body];
            }
            if !is_given(StateComponent::MocapQuat) {
                input.mocap_quat[mocap] = model.body_quat[body];
            }
        }
        let state = part(self.initial_state, trajectory, self.state_size);
        data.set_state(model, PHYSICS, state).map_err(wrong)?;
        let warmstart = &mut data.state.qacc_warmstart;
        match self.initial_warmstart {
            Some(given) => warmstart.copy_from_slice(part(given, trajectory, model.nv)),
            None => warmstart.fill(0.0),
        }
        data.warnings.clear();
        Ok(())
    }

    /// One trajectory.
    fn run(
        &self,
        trajectory: Trajectory<'_>,
        data: &mut Data,
        parts: &mut PythonParts<'_>,
        stop: &Stop<'_>,
    ) -> PyResult<()> {
        let Trajectory {
            number,
            states,
            sensors,
        } = trajectory;
        self.begin(number, data)?;
        let (model, width) = (self.model(number), self.state_size);
        let mut engine = Engine { model, parts };
        for step in 0..self.steps {
            let readings = model.nsensordata;
            if step > 0 && data.warnings.all().iter().any(|entry| entry.number > 0) {
                for rest in step..self.steps {
                    states.copy_within((step - 1) * width..step * width, rest * width);
                    sensors.copy_within((step - 1) * readings..step * readings, rest * readings);
                }
                return Ok(());
            }
            if let Some(control) = self.control {
                let given = part(control, number * self.steps + step, self.control_size);
                data.set_state(model, self.components, given)
                    .map_err(wrong)?;
            }
            if engine.parts.has_failed() || stop.is_requested() {
                return Ok(());
            }
            outcome(engine.step(data))?;
            let row = &mut states[step * width..(step + 1) * width];
            data.get_state(model, PHYSICS, row).map_err(wrong)?;
            sensors[step * readings..(step + 1) * readings]
                .copy_from_slice(&data.sensor.sensordata);
        }
        Ok(())
    }

    /// All trajectories, with their parts of the tables.
    fn trajectories<'a>(
        &self,
        mut states: &'a mut [f64],
        mut sensors: &'a mut [f64],
    ) -> Vec<Trajectory<'a>> {
        let readings = self.models[0].nsensordata;
        let mut trajectory = |number| Trajectory {
            number,
            states: first_of(&mut states, self.steps * self.state_size),
            sensors: first_of(&mut sensors, self.steps * readings),
        };
        (0..self.batch).map(&mut trajectory).collect()
    }
}

/// A trajectory and where its results go.
struct Trajectory<'a> {
    number: usize,
    states: &'a mut [f64],
    sensors: &'a mut [f64],
}

/// Takes so many numbers from the front.
fn first_of<'a>(numbers: &mut &'a mut [f64], count: usize) -> &'a mut [f64] {
    let (first, rest) = std::mem::take(numbers).split_at_mut(count);
    *numbers = rest;
    first
}

/// The row of a table.
fn part(values: &[f64], row: usize, width: usize) -> &[f64] {
    &values[row * width..(row + 1) * width]
}

pub fn wrong(error: impl std::fmt::Display) -> PyErr {
    PyValueError::new_err(error.to_string())
}

type Numbers<'py> = PyReadonlyArray1<'py, f64>;
type Table<'py> = Bound<'py, PyArray3<f64>>;

/// Runs trajectories: states (batch × steps × state) and sensor readings.
///
/// `numbers`: batch, steps, mask of the control's components, trajectories taken at once (0: chosen
/// here). `tables`: initial states, initial warm starts, controls. `hooks`: for each simulation.
#[pyfunction]
pub fn rollout<'py>(
    models: Vec<Bound<'py, NativeModel>>,
    simulations: Vec<Bound<'py, NativeData>>,
    numbers: (usize, usize, i32, usize),
    tables: (Numbers<'py>, Option<Numbers<'py>>, Option<Numbers<'py>>),
    hooks: Vec<Option<Bound<'py, PyTuple>>>,
) -> PyResult<(Table<'py>, Table<'py>)> {
    let (batch, steps, components, chunk) = numbers;
    let (Some(first), false) = (models.first(), simulations.is_empty()) else {
        return Err(wrong("there must be a model and a simulation"));
    };
    let py = first.py();
    for simulation in &simulations {
        for model in &models {
            simulation.get().check_fits(model)?;
        }
    }
    let mut workers: Vec<Worker<'_>> = simulations
        .iter()
        .zip(&hooks)
        .map(|(simulation, given)| Worker::new(simulation, given.as_ref()))
        .collect::<PyResult<_>>()?;
    let guards: Vec<_> = models.iter().map(|model| model.get().read()).collect();
    let models: Vec<&Model> = guards.iter().map(|guard| &**guard).collect();
    // Whoever has given them may write to them meanwhile.
    let (initial_state, initial_warmstart, control) = tables;
    let initial_state = copied(&initial_state)?;
    let initial_warmstart = initial_warmstart.as_ref().map(copied).transpose()?;
    let control = control.as_ref().map(copied).transpose()?;
    let task = Task {
        batch,
        steps,
        state_size: state_size(models[0], PHYSICS).map_err(wrong)?,
        control_size: state_size(models[0], components).map_err(wrong)?,
        components,
        initial_state: &initial_state,
        initial_warmstart: initial_warmstart.as_deref(),
        control: control.as_deref(),
        models,
    };
    check_tables(&task)?;
    let readings = task.models[0].nsensordata;
    let size = |width: usize| {
        let cells = batch.checked_mul(steps).and_then(|n| n.checked_mul(width));
        cells.ok_or_else(|| wrong("there are too many states"))
    };
    let (state_count, reading_count) = (size(task.state_size)?, size(readings)?);
    check_numbers(state_count.saturating_add(reading_count))?;
    // The system gives their memory when somebody writes there.
    let zeros = |width: usize| -> PyResult<Table<'py>> {
        let made = py
            .import("numpy")?
            .call_method1("zeros", ((batch, steps, width),));
        Ok(made?.cast_into()?)
    };
    let (states, sensors) = (zeros(task.state_size)?, zeros(readings)?);
    let (mut state_rows, mut sensor_rows) = (states.readwrite(), sensors.readwrite());
    let (state_cells, sensor_cells) = (state_rows.as_slice_mut()?, sensor_rows.as_slice_mut()?);
    let has_hooks = hooks.iter().any(Option::is_some);
    let threads = workers.len();
    let mut result = py.detach(|| {
        let done = if has_hooks {
            0
        } else {
            failure::guard(|| rollout_batch::run(&task, threads, state_cells, sensor_cells))??
        };
        let mut trajectories = task.trajectories(state_cells, sensor_cells);
        trajectories.drain(..done);
        share_out(&task, &Queue::with_chunk(chunk), &mut workers, trajectories)
    });
    for worker in workers {
        result = result.and(worker.finish(py));
    }
    result?;
    py.check_signals()?;
    drop((state_rows, sensor_rows));
    Ok((states, sensors))
}

/// Refuses tables that do not fit the memory that the process may still get.
fn check_numbers(count: usize) -> PyResult<()> {
    let bytes = (count as u64).saturating_mul(8);
    if available().is_some_and(|room| bytes > room) {
        let message = format!("{bytes} bytes of states and readings do not fit the memory");
        return Err(PyMemoryError::new_err(message));
    }
    Ok(())
}

/// The numbers of an array, if there is memory for them.
fn copied(array: &Numbers<'_>) -> PyResult<Vec<f64>> {
    let given = array.as_slice()?;
    let mut numbers = Vec::new();
    let reserved = numbers.try_reserve_exact(given.len());
    reserved.map_err(|error| PyMemoryError::new_err(error.to_string()))?;
    numbers.extend_from_slice(given);
    Ok(numbers)
}

fn check_tables(task: &Task<'_>) -> PyResult<()> {
    let nv = task.models[0].nv;
    let controls = (task.batch.saturating_mul(task.steps)).saturating_mul(task.control_size);
    let is_right = task.initial_state.len() == task.batch * task.state_size
        && task
            .initial_warmstart
            .is_none_or(|w| w.len() == task.batch * nv)
        && task.control.is_none_or(|c| c.len() == controls)
        && (task.models.len() == 1 || task.models.len() == task.batch);
    if is_right {
        Ok(())
    } else {
        Err(wrong(
            "the tables have not as many rows as there are rollouts",
        ))
    }
}

/// One thread's simulation and what takes part in its steps.
struct Worker<'a> {
    owner: &'a NativeData,
    held: Held<'a>,
    parts: PythonParts<'a>,
}

impl<'a> Worker<'a> {
    fn new(
        simulation: &'a Bound<'_, NativeData>,
        hooks: Option<&Bound<'_, PyTuple>>,
    ) -> PyResult<Self> {
        let owner = simulation.get();
        let mut held = owner.place.claim()?;
        owner.collect(simulation.py(), &mut held)?;
        let parts = PythonParts::new(owner, hooks)?;
        Ok(Worker { owner, held, parts })
    }

    /// Runs a trajectory, unless somebody stops; an error ends the work of all.
    fn run(
        &mut self,
        task: &Task<'_>,
        trajectory: Trajectory<'_>,
        stop: &Stop<'_>,
    ) -> PyResult<()> {
        let Worker { owner, held, parts } = self;
        let done = owner
            .place
            .guard(|| task.run(trajectory, held, parts, stop));
        let done = parts.first_error().map_or(done.and_then(|done| done), Err);
        done.inspect_err(|_| stop.queue.stop())
    }

    /// At the end: timers are updated, arrays that Python holds show the outcome.
    fn finish(mut self, py: Python<'_>) -> PyResult<()> {
        let error = self.parts.finish();
        if !self.held.is_faulty() {
            self.owner.publish(py, &mut self.held)?;
        }
        error.map_or(Ok(()), Err)
    }
}

/// Ends the work when the user presses Ctrl-C.
struct Stop<'a> {
    queue: &'a Queue,
    /// What Ctrl-C has raised.
    interrupt: Mutex<Option<PyErr>>,
    /// When the calling thread, if it works itself, last looked for it.
    looked: Option<Mutex<Instant>>,
}

impl Stop<'_> {
    /// Whether somebody has ended the work.
    fn is_requested(&self) -> bool {
        if let Some(last) = &self.looked {
            let mut last = locked(last);
            if last.elapsed() > PATIENCE {
                self.look();
                *last = Instant::now();
            }
        }
        self.queue.is_stopped()
    }

    /// Looks for Ctrl-C; only the calling thread hears of it.
    fn look(&self) {
        if let Err(error) = Python::attach(|py| py.check_signals()) {
            *locked(&self.interrupt) = Some(error);
            self.queue.stop();
        }
    }
}

fn locked<T>(slot: &Mutex<T>) -> MutexGuard<'_, T> {
    slot.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Shares the trajectories out among the workers. One works in the calling thread; several do not, so
/// that the calling thread can look for Ctrl-C.
fn share_out(
    task: &Task<'_>,
    queue: &Queue,
    workers: &mut [Worker<'_>],
    trajectories: Vec<Trajectory<'_>>,
) -> PyResult<()> {
    let works_itself = workers.len() == 1;
    let stop = &Stop {
        queue,
        interrupt: Mutex::default(),
        looked: works_itself.then(|| Mutex::new(Instant::now())),
    };
    let run =
        |worker: &mut Worker<'_>, trajectory: Trajectory<'_>| worker.run(task, trajectory, stop);
    let results = if works_itself {
        queue.run(workers, trajectories, run)
    } else {
        std::thread::scope(|scope| {
            // The channel closes when the work is done.
            let (working, ended) = mpsc::channel::<()>();
            let results = scope.spawn(move || {
                let _working = working;
                queue.run(workers, trajectories, run)
            });
            while ended.recv_timeout(PATIENCE) == Err(RecvTimeoutError::Timeout) {
                stop.look();
            }
            results.join().unwrap_or_else(|panic| resume_unwind(panic))
        })
    };
    if let Some(error) = locked(&stop.interrupt).take() {
        return Err(error);
    }
    results.into_iter().flatten().collect()
}
