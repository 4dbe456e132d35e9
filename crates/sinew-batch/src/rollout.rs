//! Trajectories of all worlds under controls that are known beforehand.

use crate::batch::{Batch, GoesOn};
use crate::error::BatchError;
use crate::which::Which;
use sinew_engine::CallError;

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
    /// The array: `states`, or one that the batch keeps.
    pub name: &'a str,
    /// What it was after each step.
    pub cells: &'a mut [f64],
}

impl Batch {
    /// Makes a number of steps with every world from its present state, under the given controls or the present
    /// ones, and records arrays after each step. Returns how many steps each world made.
    ///
    /// A world that fails makes no more steps; the rest of its records repeats what that step left. `is_wanted` is called
    /// after every step of all worlds with the number of steps made; the rollout ends when it, or `goes_on`, says so.
    pub fn rollout(
        &mut self,
        steps: usize,
        controls: Option<Controls<'_>>,
        records: &mut [Record<'_>],
        goes_on: GoesOn<'_>,
        mut is_wanted: impl FnMut(usize) -> bool,
    ) -> Result<Vec<usize>, BatchError> {
        let count = self.len();
        if let Some(controls) = &controls {
            self.check_controls(steps, controls)?;
        }
        for record in &*records {
            self.check_record(steps, record)?;
        }
        let mut made = vec![0; count];
        let mut is_running = vec![true; count];
        for step in 0..steps {
            if let Some(controls) = controls {
                self.set_controls(step, controls)?;
            }
            self.step_while(Which::Where(&is_running), 1, &(), goes_on)?;
            if !goes_on() {
                break;
            }
            let errors = &self.outcome().errors;
            for ((is_running, made), error) in is_running.iter_mut().zip(&mut made).zip(errors) {
                *made += usize::from(*is_running);
                *is_running &= error.is_none();
            }
            for record in &mut *records {
                self.write(step, steps, record)?;
            }
            if !is_wanted(step + 1) {
                break;
            }
        }
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

    fn check_record(&self, steps: usize, record: &Record<'_>) -> Result<(), BatchError> {
        let cells = self.recorded(record.name)?;
        let (expected, found) = (cells.len() * steps, record.cells.len());
        if found != expected {
            let what = "record";
            return Err(BatchError::Call(CallError::Length {
                what,
                expected,
                found,
            }));
        }
        Ok(())
    }

    fn set_controls(&mut self, step: usize, controls: Controls<'_>) -> Result<(), BatchError> {
        let (count, width) = (self.len(), self.model().nu);
        let target = self.get_mut("ctrl")?;
        for world in 0..count {
            let row = world % controls.worlds * controls.steps + step % controls.steps;
            target[world * width..][..width]
                .copy_from_slice(&controls.cells[row * width..][..width]);
        }
        Ok(())
    }

    /// The array that a record is about.
    fn recorded(&self, name: &str) -> Result<&[f64], BatchError> {
        match name {
            "states" => Ok(self.states()),
            name => self.get(name),
        }
    }

    fn write(&self, step: usize, steps: usize, record: &mut Record<'_>) -> Result<(), BatchError> {
        let cells = self.recorded(record.name)?;
        let width = cells.len() / self.len().max(1);
        for world in 0..self.len() {
            record.cells[(world * steps + step) * width..][..width]
                .copy_from_slice(&cells[world * width..][..width]);
        }
        Ok(())
    }
}
