//! How a thread steps the worlds that it has taken.

use crate::batch::GoesOn;
use crate::lanes::{LanePart, LaneWorker};
use crate::needs::Needs;
use crate::outcome::WorldError;
use crate::task::Task;
use crate::values::{OwnModel, Values};
use crate::worlds::{Chunk, Shape};
use sinew_engine::{Data, Engine};
use sinew_model::Model;
use std::any::Any;
use std::panic::{AssertUnwindSafe, catch_unwind};

/// What all threads look at.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Shared<'a> {
    pub model: &'a Model,
    pub values: &'a Values,
    pub shapes: &'a [Shape],
}

/// What a thread computes with.
#[derive(Clone, Debug)]
pub(crate) struct Worker {
    pub data: Data,
    pub lanes: Option<LaneWorker>,
    pub own: OwnModel,
}

impl Worker {
    pub fn new(model: &Model) -> Self {
        Worker {
            data: Data::new(model),
            lanes: None,
            own: OwnModel::default(),
        }
    }

    /// The simulation, and the model of a world.
    pub fn at<'a>(&'a mut self, shared: &Shared<'a>, world: usize) -> (&'a mut Data, &'a Model) {
        let model = self.own.of(shared.model, shared.values, world);
        (&mut self.data, model)
    }
}

/// One call that makes steps.
pub(crate) struct StepCall<'a, K> {
    pub needs: Needs,
    pub time_limit: f64,
    /// Whether a world that failed is reset first.
    pub resets: bool,
    pub task: &'a K,
    pub goes_on: GoesOn<'a>,
}

impl<K: Task> StepCall<'_, K> {
    /// Advances worlds of a chunk by a number of steps, side by side where that is possible.
    pub fn advance(
        &self,
        shared: &Shared<'_>,
        worker: &mut Worker,
        chunk: &mut Chunk<'_, '_>,
        is_meant: &dyn Fn(usize) -> bool,
        count: usize,
    ) {
        let (first, worlds, goes_on) = (chunk.first, chunk.count(), self.goes_on);
        let shapes = shared.shapes;
        match &mut worker.lanes {
            Some(lanes) if !self.task.looks() => {
                let part = LanePart {
                    is_meant,
                    steps: count,
                    goes_on,
                };
                let mut alone =
                    |model: &Model, data: &mut Data, chunk: &mut Chunk<'_, '_>, world, left| {
                        self.step(model, shapes, data, chunk, world, left);
                    };
                let one = (&mut worker.data, &mut worker.own);
                lanes.step(shared, chunk, &part, one, &mut alone);
                for world in (0..worlds).filter(|&world| is_meant(world)) {
                    chunk.outcome.truncated[world] = chunk.time(world) >= self.time_limit;
                }
            }
            _ => {
                for world in (0..worlds).filter(|&world| is_meant(world)) {
                    if goes_on() {
                        let (data, model) = worker.at(shared, first + world);
                        self.step(model, shapes, data, chunk, world, count);
                    }
                }
            }
        }
    }

    /// Steps one world of a chunk.
    fn step(
        &self,
        model: &Model,
        shapes: &[Shape],
        data: &mut Data,
        chunk: &mut Chunk<'_, '_>,
        world: usize,
        count: usize,
    ) {
        let has_failed = chunk.outcome.errors[world].is_some();
        chunk.outcome.clear(world);
        data.warnings.clear();
        if has_failed && self.resets {
            restart(model, data);
        } else {
            chunk.load(shapes, world, data);
        }
        let mut engine = Engine::new(model);
        let steps = (0..count).take_while(|&step| step == 0 || (self.goes_on)());
        let stepped = steps.map(|_| engine.step(data)).find(Result::is_err);
        let stepped = stepped.unwrap_or(Ok(()));
        let mut failure = stepped.err().map(WorldError::Step);
        let mut warnings = data.warnings.all().iter();
        chunk.outcome.warned[world] = warnings.any(|warning| warning.number > 0);
        self.needs.complete(model, data);
        let asked = catch_unwind(AssertUnwindSafe(|| {
            let reward = self.task.reward(model, data);
            (reward, self.task.is_over(model, data))
        }));
        match asked {
            Ok((reward, is_over)) => {
                chunk.outcome.rewards[world] = reward;
                chunk.outcome.terminated[world] = is_over;
            }
            Err(panic) => {
                failure.get_or_insert_with(|| WorldError::Panic(message(&*panic)));
            }
        }
        chunk.outcome.truncated[world] = data.state.time >= self.time_limit;
        if failure.is_some() || has_failed {
            chunk.outcome.terminated[world] |= failure.is_some();
            chunk.outcome.errors[world] = failure;
            chunk.store_all(shapes, world, data);
        } else {
            chunk.store(shapes, world, data);
        }
    }
}

/// The initial state; the simulation is one of this model.
fn restart(model: &Model, data: &mut Data) {
    let _ = data.reset(model);
}

/// What a panic says.
fn message(panic: &(dyn Any + Send)) -> String {
    let text = panic.downcast_ref::<&str>().map(|text| (*text).to_owned());
    let text = text.or_else(|| panic.downcast_ref::<String>().cloned());
    text.unwrap_or_else(|| "no message".to_owned())
}
