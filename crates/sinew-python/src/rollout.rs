//! Trajectories from many initial states, on as many threads as there are simulations.
//!
//! Rollouts are shared out in chunks to whichever thread is free. Each begins with the same inputs
//! whatever ran before, so that results depend neither on the number of threads nor on chance. After
//! a warning a trajectory stands still: what is left of it repeats the step the warning came with.

use crate::data::{NativeData, PATIENCE};
use crate::failure;
use crate::hooks::PythonHooks;
use crate::model::NativeModel;
use crate::step::outcome;
use crate::timing::{Clock, Timing};
use numpy::ndarray::Array3;
use numpy::{IntoPyArray, PyArray3};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::PyTuple;
use sinew::engine::state_vector::state_size;
use sinew::engine::{Data, Hooks};
use sinew::model::Model;
use sinew::model::kinds::StateComponent;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError, mpsc};
use std::time::Instant;

/// What all trajectories start from and are driven by.
struct Task<'a> {
    models: Vec<&'a Model>,
    batch: usize,
    steps: usize,
    state_size: usize,
    control_size: usize,
    components: i32,
    initial_state: &'a [f64],
    initial_warmstart: Option<&'a [f64]>,
    control: Option<&'a [f64]>,
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
    fn run<H: Hooks>(
        &self,
        trajectory: usize,
        data: &mut Data,
        hooks: &mut H,
        is_over: impl Fn(&H) -> bool,
        (states, sensors): (&mut [f64], &mut [f64]),
    ) -> PyResult<()> {
        self.begin(trajectory, data)?;
        let (model, width) = (self.model(trajectory), self.state_size);
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
                let given = part(control, trajectory * self.steps + step, self.control_size);
                data.set_state(model, self.components, given)
                    .map_err(wrong)?;
            }
            if is_over(hooks) {
                return Ok(());
            }
            outcome(data.step_with(model, hooks))?;
            let row = &mut states[step * width..(step + 1) * width];
            data.get_state(model, PHYSICS, row).map_err(wrong)?;
            sensors[step * readings..(step + 1) * readings]
                .copy_from_slice(&data.sensor.sensordata);
        }
        Ok(())
    }
}

/// The row of a table.
fn part(values: &[f64], row: usize, width: usize) -> &[f64] {
    &values[row * width..(row + 1) * width]
}

fn wrong(error: impl std::fmt::Display) -> PyErr {
    PyValueError::new_err(error.to_string())
}

/// Trajectories that a thread takes at once: their numbers and where their results go.
struct Chunk<'a> {
    first: usize,
    count: usize,
    states: &'a mut [f64],
    sensors: &'a mut [f64],
}

type Tables<'py> = (Bound<'py, PyArray3<f64>>, Bound<'py, PyArray3<f64>>);

/// Runs trajectories: states (batch × steps × state) and sensor readings.
///
/// `numbers`: batch, steps, mask of the control's components, trajectories taken at once (0: chosen
/// here). `tables`: initial states, initial warm starts, controls. `hooks`: for each simulation.
#[pyfunction]
pub fn rollout<'py>(
    models: Vec<Bound<'py, NativeModel>>,
    simulations: Vec<Bound<'py, NativeData>>,
    numbers: (usize, usize, i32, usize),
    tables: (Vec<f64>, Option<Vec<f64>>, Option<Vec<f64>>),
    hooks: Vec<Option<Bound<'py, PyTuple>>>,
) -> PyResult<Tables<'py>> {
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
    let own: Vec<&NativeData> = simulations.iter().map(|each| each.get()).collect();
    let _claims: Vec<_> = own
        .iter()
        .map(|each| each.claim())
        .collect::<PyResult<_>>()?;
    for each in &own {
        each.collect(py)?;
    }
    let guards: Vec<_> = models
        .iter()
        .map(|model| model.get().read())
        .collect::<PyResult<_>>()?;
    let models: Vec<&Model> = guards.iter().map(|guard| &**guard).collect();
    let (initial_state, initial_warmstart, control) = &tables;
    let task = Task {
        batch,
        steps,
        state_size: state_size(models[0], PHYSICS).map_err(wrong)?,
        control_size: state_size(models[0], components).map_err(wrong)?,
        components,
        initial_state,
        initial_warmstart: initial_warmstart.as_deref(),
        control: control.as_deref(),
        models,
    };
    check_tables(&task)?;
    let chunk = match chunk {
        0 => (batch / (own.len() * 10)).max(1),
        given => given,
    };
    let readings = task.models[0].nsensordata;
    let size = |width: usize| {
        let cells = batch.checked_mul(steps).and_then(|n| n.checked_mul(width));
        cells.ok_or_else(|| wrong("there are too many states"))
    };
    let mut states = vec![0.0; size(task.state_size)?];
    let mut sensors = vec![0.0; size(readings)?];
    let workers: Vec<Worker<'_>> = own
        .iter()
        .zip(&hooks)
        .map(|(owner, given)| {
            let hooks = given.as_ref().map(|given| PythonHooks::new(owner, given));
            let hooks = hooks.transpose()?;
            Ok(Worker { owner, hooks })
        })
        .collect::<PyResult<_>>()?;
    let result = py.detach(|| share_out(&task, chunk, workers, &mut states, &mut sensors));
    for each in &own {
        each.publish(py)?;
    }
    result?;
    py.check_signals()?;
    let table = |values, width| {
        let made = Array3::from_shape_vec((batch, steps, width), values).map_err(wrong)?;
        Ok::<_, PyErr>(made.into_pyarray(py))
    };
    Ok((table(states, task.state_size)?, table(sensors, readings)?))
}

fn check_tables(task: &Task<'_>) -> PyResult<()> {
    let nv = task.models[0].nv;
    let controls = task.batch * task.steps * task.control_size;
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
    hooks: Option<PythonHooks<'a>>,
}

impl Worker<'_> {
    /// Runs trajectories until there are none left, or somebody stops.
    fn work(self, task: &Task<'_>, queue: &Queue<'_>) -> PyResult<()> {
        let owner = self.owner;
        if let Some(mut hooks) = self.hooks {
            return owner.take_out(|data| {
                let result = queue.each(|trajectory, out| {
                    let is_over =
                        |hooks: &PythonHooks<'_>| hooks.has_failed() || queue.is_stopped();
                    task.run(trajectory, data, &mut hooks, is_over, out)?;
                    hooks.first_error().map_or(Ok(()), Err)
                });
                hooks.finish().map_or(result, Err)
            });
        }
        failure::guard(|| {
            let mut data = owner.write_claimed()?;
            let mut timing = Timing::new(Clock::None);
            let result = queue.each(|trajectory, out| {
                let is_over = |_: &Timing| queue.is_stopped();
                task.run(trajectory, &mut data, &mut timing, is_over, out)
            });
            timing.add_to(&mut owner.timers());
            result
        })?
    }
}

/// What nobody has taken yet.
struct Queue<'a> {
    chunks: Vec<Mutex<Chunk<'a>>>,
    next: AtomicUsize,
    is_stopped: AtomicBool,
    /// What Ctrl-C has raised.
    interrupt: Mutex<Option<PyErr>>,
    /// Set where the calling thread works itself and must look for Ctrl-C meanwhile.
    looks: Option<Mutex<Instant>>,
    /// Numbers of a trajectory: states, sensor readings.
    sizes: (usize, usize),
}

impl<'a> Queue<'a> {
    fn new(
        task: &Task<'_>,
        per_chunk: usize,
        mut states: &'a mut [f64],
        mut sensors: &'a mut [f64],
    ) -> Self {
        let sizes = (
            task.steps * task.state_size,
            task.steps * task.models[0].nsensordata,
        );
        let mut chunks = Vec::new();
        for first in (0..task.batch).step_by(per_chunk) {
            let count = per_chunk.min(task.batch - first);
            let (mine, rest) = states.split_at_mut(count * sizes.0);
            states = rest;
            let (readings, rest) = sensors.split_at_mut(count * sizes.1);
            sensors = rest;
            chunks.push(Mutex::new(Chunk {
                first,
                count,
                states: mine,
                sensors: readings,
            }));
        }
        Queue {
            chunks,
            next: AtomicUsize::new(0),
            is_stopped: AtomicBool::new(false),
            interrupt: Mutex::default(),
            looks: None,
            sizes,
        }
    }

    fn stop(&self) {
        self.is_stopped.store(true, Ordering::Relaxed);
    }

    /// Whether somebody has stopped.
    fn is_stopped(&self) -> bool {
        if let Some(last) = &self.looks {
            let mut last = locked(last);
            if last.elapsed() > PATIENCE {
                *last = Instant::now();
                if let Err(error) = Python::attach(|py| py.check_signals()) {
                    *locked(&self.interrupt) = Some(error);
                    self.stop();
                }
            }
        }
        self.is_stopped.load(Ordering::Relaxed)
    }

    /// Calls a function with each trajectory that is left; an error ends the work of all.
    fn each(
        &self,
        mut run: impl FnMut(usize, (&mut [f64], &mut [f64])) -> PyResult<()>,
    ) -> PyResult<()> {
        loop {
            let number = self.next.fetch_add(1, Ordering::Relaxed);
            let Some(chunk) = self.chunks.get(number) else {
                return Ok(());
            };
            let mut chunk = locked(chunk);
            for i in 0..chunk.count {
                if self.is_stopped() {
                    return Ok(());
                }
                let (trajectory, sizes) = (chunk.first + i, self.sizes);
                let Chunk {
                    states, sensors, ..
                } = &mut *chunk;
                let out = (
                    &mut states[i * sizes.0..(i + 1) * sizes.0],
                    &mut sensors[i * sizes.1..(i + 1) * sizes.1],
                );
                run(trajectory, out).inspect_err(|_| self.stop())?;
            }
        }
    }
}

fn locked<T>(slot: &Mutex<T>) -> MutexGuard<'_, T> {
    slot.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Shares the trajectories out among the workers, a thread each; one works in the calling thread.
fn share_out(
    task: &Task<'_>,
    per_chunk: usize,
    mut workers: Vec<Worker<'_>>,
    states: &mut [f64],
    sensors: &mut [f64],
) -> PyResult<()> {
    let mut queue = Queue::new(task, per_chunk, states, sensors);
    if workers.len() == 1 {
        queue.looks = Some(Mutex::new(Instant::now()));
        let result = workers.remove(0).work(task, &queue);
        return locked(&queue.interrupt).take().map_or(result, Err);
    }
    let queue = &queue;
    std::thread::scope(|scope| {
        let (done, results) = mpsc::channel();
        let mut left = workers.len();
        for worker in workers {
            let done = done.clone();
            scope.spawn(move || done.send(worker.work(task, queue)));
        }
        let mut outcome = Ok(());
        while left > 0 {
            match results.recv_timeout(PATIENCE) {
                Ok(result) => {
                    left -= 1;
                    if outcome.is_ok() {
                        outcome = result;
                    }
                }
                Err(_) => {
                    if let Err(error) = Python::attach(|py| py.check_signals()) {
                        queue.stop();
                        outcome = Err(error);
                    }
                }
            }
        }
        outcome
    })
}
