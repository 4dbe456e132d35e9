//! Trajectories as worlds of a batch, which computes several of them side by side.

use crate::interrupt::Interrupt;
use crate::rollout::{Task, wrong};
use crate::step::outcome;
use pyo3::prelude::*;
use sinew::batch::{Batch, BatchError, Controls, Record, WorldError};
use sinew::model::Model;
use sinew::model::kinds::StateComponent;
use std::sync::atomic::AtomicUsize;

/// Trajectories and steps of all trajectories from which on a batch is worth its making.
const WORTH: (usize, usize) = (16, 256);

/// What a state consists of, in its order.
const PHYSICS: [&str; 6] = ["time", "qpos", "qvel", "act", "history", "plugin_state"];

/// Runs all trajectories but the last one, if they can be computed side by side; says how many that were. The tables
/// are those of all.
pub fn run(
    task: &Task<'_>,
    threads: usize,
    states: &mut [f64],
    sensors: &mut [f64],
) -> PyResult<usize> {
    let is_worth = task.batch > WORTH.0 && task.batch * task.steps >= WORTH.1;
    let is_plain = task.models.len() == 1 && task.components == StateComponent::Ctrl.code();
    let (Some(control), true, true) = (task.control, is_worth, is_plain) else {
        return Ok(0);
    };
    let model: Model = task.models[0].clone();
    let (count, readings) = (task.batch - 1, model.nsensordata);
    let mut batch = Batch::with(model, count, threads, &[]).map_err(wrong)?;
    if batch.plan().0 == 1 {
        return Ok(0);
    }
    begin(task, &mut batch).map_err(wrong)?;
    let controls = Controls {
        cells: &control[..count * task.steps * task.control_size],
        worlds: count,
        steps: task.steps,
    };
    let records = &mut [
        Record {
            name: "physics",
            cells: &mut states[..count * task.steps * task.state_size],
        },
        Record {
            name: "sensordata",
            cells: &mut sensors[..count * task.steps * readings],
        },
    ];
    let interrupt = Interrupt::new();
    let goes_on = || interrupt.goes_on();
    let progress = AtomicUsize::new(0);
    let made = batch.rollout(task.steps, Some(controls), records, &goes_on, &progress);
    interrupt.raise()?;
    made.map_err(wrong)?;
    for (_, error) in batch.outcome().failures() {
        match error {
            WorldError::Step(error) => outcome(Err(*error))?,
            WorldError::Panic(message) => return Err(wrong(message)),
        }
    }
    Ok(count)
}

/// The initial states. Inputs are those of new worlds.
fn begin(task: &Task<'_>, batch: &mut Batch) -> Result<(), BatchError> {
    let count = batch.len();
    let mut offset = 0;
    for name in PHYSICS {
        let cells = batch.get_mut(name)?;
        let width = cells.len() / count;
        for (world, row) in cells.chunks_exact_mut(width.max(1)).enumerate() {
            let start = world * task.state_size + offset;
            row.copy_from_slice(&task.initial_state[start..start + width]);
        }
        offset += width;
    }
    let warmstart = batch.get_mut("qacc_warmstart")?;
    if let Some(given) = task.initial_warmstart {
        warmstart.copy_from_slice(&given[..warmstart.len()]);
    }
    Ok(())
}
