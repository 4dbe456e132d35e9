//! Trajectories of all worlds under controls that are known beforehand.
//!
//! A thread takes a few worlds through all their steps before it takes others: their numbers stay near, and nobody waits
//! for anybody between steps.

use crate::batch::{Batch, CHUNK, GoesOn};
use crate::error::BatchError;
use crate::pool::lock;
use crate::which::Which;
use crate::worlds::{Chunk, Shape};
use sinew_engine::CallError;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

/// Controls of a rollout, row by row.
#[derive(Clone, Copy, Debug)]
pub struct Controls<'a> {
    /// Numbers: worlds × steps × `nu`.
    pub cells: &'a [f64],
    /// Number of worlds, or 1: the same for all.
    pub worlds: usize,
    /// Number of steps, or 1: the same in all.
    pub steps: usize,
}

/// Where a rollout writes one array: worlds × steps × numbers of a world.
#[derive(Debug)]
pub struct Record<'a> {
    /// The array: one that the batch keeps; `states`, which are positions and velocities; or `physics`, the reference's
    /// state of the kind `mjSTATE_FULLPHYSICS`.
    pub name: &'a str,
    /// What it was after each step.
    pub cells: &'a mut [f64],
}

/// What the reference's full state of the physics consists of, in its order.
const PHYSICS: [&str; 6] = ["time", "qpos", "qvel", "act", "history", "plugin_state"];

/// Worlds that follow each other, and where their trajectories go.
struct Part<'a> {
    /// Steps that each world made.
    made: &'a mut [usize],
    targets: Vec<Target<'a>>,
}

/// Where a record of some worlds goes, and which arrays it consists of.
struct Target<'a> {
    sources: Vec<usize>,
    /// Numbers per world and step.
    width: usize,
    cells: &'a mut [f64],
}

impl Batch {
    /// Makes a number of steps with every world from its present state, under the given controls or the present
    /// ones, and records arrays after each step. Returns how many steps of each world are recorded.
    ///
    /// A world that fails or counts a warning makes no more steps, as in the reference; the rest of its records repeats what
    /// that step left. A call that ends before
    /// the last step leaves worlds after different numbers of steps, each of them whole; the last may not be recorded.
    /// `progress` counts the steps of all worlds, for whoever wants to know how far the rollout is.
    pub fn rollout(
        &mut self,
        steps: usize,
        controls: Option<Controls<'_>>,
        records: &mut [Record<'_>],
        goes_on: GoesOn<'_>,
        progress: &AtomicUsize,
    ) -> Result<Vec<usize>, BatchError> {
        if let Some(controls) = &controls {
            self.check_controls(steps, controls)?;
        }
        let ctrl = self.place("ctrl")?;
        let mut made = vec![0; self.len()];
        let size = self.chunk_size();
        let parts = &self.parts(steps, size, &mut made, records)?;
        let call = &self.step_call(&(), goes_on);
        self.for_each_chunk(Which::All, goes_on, |shared, worker, chunk| {
            let Some(part) = parts.get(chunk.first / size) else {
                return;
            };
            let part = &mut *lock(part);
            let mut is_running = [true; CHUNK];
            for step in 0..steps {
                if let Some(controls) = controls {
                    set_controls(chunk, ctrl, shared.model.nu, step, controls);
                }
                call.advance(shared, worker, chunk, &|world| is_running[world], 1);
                if !goes_on() {
                    break;
                }
                for world in 0..chunk.count() {
                    part.made[world] += usize::from(is_running[world]);
                    let is_well = chunk.outcome.errors[world].is_none();
                    is_running[world] &= is_well && !chunk.outcome.warned[world];
                }
                for target in &mut part.targets {
                    target.write(shared.shapes, chunk, step, steps);
                }
                progress.fetch_add(chunk.count(), Ordering::Relaxed);
            }
        });
        self.fill_states();
        Ok(made)
    }

    fn check_controls(&self, steps: usize, controls: &Controls<'_>) -> Result<(), CallError> {
        let length = |what, expected, found| {
            Err(CallError::Length {
                what,
                expected,
                found,
            })
        };
        if controls.worlds != 1 && controls.worlds != self.len() {
            return length("controls of worlds", self.len(), controls.worlds);
        }
        if controls.steps != 1 && controls.steps != steps {
            return length("controls of steps", steps, controls.steps);
        }
        let expected = controls.worlds * controls.steps * self.model().nu;
        if controls.cells.len() != expected {
            return length("controls", expected, controls.cells.len());
        }
        Ok(())
    }

    /// Where an array is among those that the batch keeps.
    fn place(&self, name: &str) -> Result<usize, BatchError> {
        let found = self.shapes.iter().position(|s| s.field.name == name);
        found.ok_or_else(|| BatchError::UnknownField(name.to_owned()))
    }

    /// Splits records by the worlds that threads take.
    fn parts<'a>(
        &self,
        steps: usize,
        size: usize,
        made: &'a mut [usize],
        records: &'a mut [Record<'_>],
    ) -> Result<Vec<Mutex<Part<'a>>>, BatchError> {
        let mut parts: Vec<Part<'a>> = Vec::new();
        for made in made.chunks_mut(size) {
            let targets = Vec::new();
            parts.push(Part { made, targets });
        }
        for record in records {
            let names: &[&str] = match record.name {
                "states" => &["qpos", "qvel"],
                "physics" => &PHYSICS,
                ref name => core::slice::from_ref(name),
            };
            let sources: Result<Vec<usize>, _> = names.iter().map(|n| self.place(n)).collect();
            let sources = sources?;
            let width = sources.iter().map(|&place| self.shapes[place].width).sum();
            let (expected, found) = (self.len() * steps * width, record.cells.len());
            if found != expected {
                let what = "record";
                return Err(BatchError::Call(CallError::Length {
                    what,
                    expected,
                    found,
                }));
            }
            let mut rest = &mut *record.cells;
            for part in &mut parts {
                let cells;
                (cells, rest) = rest.split_at_mut(part.made.len() * steps * width);
                let sources = sources.clone();
                part.targets.push(Target {
                    sources,
                    width,
                    cells,
                });
            }
        }
        Ok(parts.into_iter().map(Mutex::new).collect())
    }
}

impl Target<'_> {
    /// Writes what the worlds of a chunk are after a step.
    fn write(&mut self, shapes: &[Shape], chunk: &Chunk<'_, '_>, step: usize, steps: usize) {
        for world in 0..chunk.count() {
            let mut row = &mut self.cells[(world * steps + step) * self.width..][..self.width];
            for &place in &self.sources {
                let width = shapes[place].width;
                let own;
                (own, row) = row.split_at_mut(width);
                own.copy_from_slice(&chunk.rows[place][world * width..][..width]);
            }
        }
    }
}

/// Sets the controls of a chunk for a step.
fn set_controls(
    chunk: &mut Chunk<'_, '_>,
    place: usize,
    width: usize,
    step: usize,
    controls: Controls<'_>,
) {
    for world in 0..chunk.count() {
        let number = (chunk.first + world) % controls.worlds;
        let row = number * controls.steps + step % controls.steps;
        chunk.rows[place][world * width..][..width]
            .copy_from_slice(&controls.cells[row * width..][..width]);
    }
}
