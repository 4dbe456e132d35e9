//! Many worlds of one model, stepped together.

use crate::error::BatchError;
use crate::field::Field;
use crate::lanes::{LaneWorker, Lanes, Precision, Reason};
use crate::needs::Needs;
use crate::outcome::Outcome;
use crate::pool::Pool;
use crate::step::{Shared, StepCall, Worker};
use crate::task::Task;
use crate::values::{OwnModel, Values};
use crate::which::Which;
use crate::worlds::{Chunk, Lists, Shape, Worlds};
use sinew_engine::{CallError, Data};
use sinew_model::Model;
use sinew_model::kinds::DisableFlag;
use std::sync::Arc;

/// Worlds that a thread takes at once, at most.
pub(crate) const CHUNK: usize = 128;

/// How often a thread goes for more work, at least, so that all end at nearly the same time.
const VISITS: usize = 8;

/// Whether a call goes on. It is asked before every step of a world, or of several side by side, by whichever thread is
/// about to make it, and by the calling thread now and then while it waits for the others. Once the answer is no it
/// must stay no.
pub type GoesOn<'a> = &'a (dyn Fn() -> bool + Sync);

/// Many independent worlds of one model.
///
/// Every array of the worlds is one matrix with a row per world: what users set is written there
/// before a step, what they want to know is read there after it. No world knows of another or of the thread it
/// runs on: each has the bits that it has alone, for any number of worlds and threads.
///
/// ```
/// use sinew_batch::Batch;
/// # use sinew_model::Model;
/// # fn train(model: Model) -> Result<(), sinew_batch::BatchError> {
/// let mut batch = Batch::new(model, 1000)?;
/// batch.get_mut("ctrl")?.fill(0.1);
/// batch.step(10, &|_: &Model, data: &sinew_engine::Data| data.state.qvel[0]);
/// println!("{:?}", batch.outcome().rewards);
/// # Ok(())
/// # }
/// ```
#[derive(Debug)]
pub struct Batch {
    pub(crate) model: Arc<Model>,
    pub(crate) worlds: Worlds,
    /// What the worlds have of their own in the model.
    pub(crate) values: Values,
    pub(crate) shapes: Vec<Shape>,
    /// qpos and qvel of each world side by side.
    states: Vec<f64>,
    pub(crate) workers: Vec<Worker>,
    /// How many worlds may be computed side by side.
    pub(crate) lanes: Lanes,
    precision: Precision,
    /// Why worlds are computed one at a time.
    one_at_a_time: Option<Reason>,
    pub(crate) pool: Pool,
    lists: Lists,
    /// Episodes are truncated at this simulated time.
    time_limit: f64,
}

impl Batch {
    /// So many worlds in the model's initial state, on as many threads as the machine runs at once.
    pub fn new(model: impl Into<Arc<Model>>, count: usize) -> Result<Self, BatchError> {
        Batch::with(model, count, 0, &[])
    }

    /// The same on a number of threads, the calling one included (0: as many as the machine runs at
    /// once), which also keeps some derived arrays, by name.
    pub fn with(
        model: impl Into<Arc<Model>>,
        count: usize,
        threads: usize,
        derived: &[&str],
    ) -> Result<Self, BatchError> {
        let model = model.into();
        let mut fields: Vec<&'static Field> = Vec::new();
        for name in derived {
            let field = Field::named(name);
            let field = field.ok_or_else(|| BatchError::UnknownField((*name).to_owned()))?;
            let is_new = !fields.iter().any(|known| known.name == field.name);
            if is_new && !field.is_kept_always() {
                fields.push(field);
            }
        }
        let worlds = Worlds::new(&model, count, &fields);
        let worlds = worlds.ok_or(BatchError::Memory { count })?;
        let shape = |matrix: &crate::worlds::Matrix| Shape {
            field: matrix.field,
            width: matrix.width,
        };
        let shapes = worlds.matrices.iter().map(shape).collect();
        let mut states = Vec::new();
        let length = count.checked_mul(model.nq + model.nv);
        let length = length.ok_or(BatchError::Memory { count })?;
        let reserved = states.try_reserve_exact(length);
        reserved.map_err(|_| BatchError::Memory { count })?;
        states.resize(length, 0.0);
        let pool = Pool::new(threads);
        let workers = vec![Worker::new(&model); pool.threads()];
        let mut batch = Batch {
            model,
            worlds,
            values: Values::default(),
            shapes,
            states,
            workers,
            lanes: Lanes::widest(),
            precision: Precision::Double,
            one_at_a_time: None,
            pool,
            lists: Lists::default(),
            time_limit: f64::INFINITY,
        };
        batch.set_lanes(batch.lanes);
        batch.fill_states();
        Ok(batch)
    }

    /// Number of worlds.
    pub fn len(&self) -> usize {
        self.worlds.count
    }

    /// Whether there are no worlds.
    pub fn is_empty(&self) -> bool {
        self.worlds.count == 0
    }

    /// The model of all worlds.
    pub fn model(&self) -> &Arc<Model> {
        &self.model
    }

    /// Number of threads, the calling one included.
    pub fn threads(&self) -> usize {
        self.pool.threads()
    }

    /// Works on another number of threads from now on (0: as many as the machine runs at once).
    pub fn set_threads(&mut self, threads: usize) {
        self.pool = Pool::new(threads);
        self.workers = vec![Worker::new(&self.model); self.pool.threads()];
        self.set_lanes(self.lanes);
    }

    /// Goes on with the values of another model of the same structure. Those that worlds have of their own stay.
    pub fn set_model(&mut self, model: impl Into<Arc<Model>>) -> Result<(), CallError> {
        let model = model.into();
        if model.signature != self.model.signature {
            return Err(CallError::ForeignModel);
        }
        self.model = model;
        for worker in &mut self.workers {
            worker.own = OwnModel::default();
        }
        self.set_lanes(self.lanes);
        Ok(())
    }

    /// Bytes that a world takes.
    pub fn bytes_per_world(&self) -> usize {
        let states = 8 * self.states.len();
        (self.worlds.bytes() + self.values.bytes() + states).div_ceil(self.len().max(1))
    }

    /// Episodes count as truncated from this simulated time on.
    pub fn set_time_limit(&mut self, seconds: f64) {
        self.time_limit = seconds;
    }

    /// With how exact numbers worlds are computed side by side. States and inputs stay numbers of 64 bits.
    pub fn set_precision(&mut self, precision: Precision) {
        self.precision = precision;
        self.set_lanes(self.lanes);
    }

    /// How many worlds are computed side by side at most: as many as the processor has lanes for, or fewer. The
    /// bits are the same.
    pub fn set_lanes(&mut self, lanes: Lanes) {
        let lanes = lanes.min(Lanes::widest());
        self.lanes = lanes;
        let (model, values, precision) = (&self.model, &self.values, self.precision);
        let made = LaneWorker::new(model, values, &self.shapes, lanes, precision);
        self.one_at_a_time = made.as_ref().err().cloned();
        for worker in &mut self.workers {
            worker.lanes = made.clone().ok();
        }
    }

    /// How steps are computed: how many worlds side by side, and why only one if it is one.
    pub fn plan(&self) -> (usize, Option<&str>) {
        let lanes = self
            .workers
            .first()
            .and_then(|worker| worker.lanes.as_ref());
        let count = lanes.map_or(1, LaneWorker::count);
        (count, self.one_at_a_time.as_deref())
    }

    /// The arrays that are kept.
    pub fn fields(&self) -> impl Iterator<Item = &'static Field> {
        self.worlds.matrices.iter().map(|matrix| matrix.field)
    }

    /// An array of all worlds, row by row; an error if the batch does not keep it.
    pub fn get(&self, name: &str) -> Result<&[f64], BatchError> {
        let matrix = self.worlds.matrix(name);
        let matrix = matrix.ok_or_else(|| BatchError::UnknownField(name.to_owned()))?;
        Ok(&matrix.cells)
    }

    /// An array of all worlds for writing. What is derived is overwritten by the next step.
    pub fn get_mut(&mut self, name: &str) -> Result<&mut [f64], BatchError> {
        let matrix = self.worlds.matrix_mut(name);
        let matrix = matrix.ok_or_else(|| BatchError::UnknownField(name.to_owned()))?;
        Ok(&mut matrix.cells)
    }

    /// Which equality constraints are active, a row per world.
    pub fn eq_active(&self) -> &[u8] {
        &self.worlds.eq_active
    }

    /// Which equality constraints are active, for writing.
    pub fn eq_active_mut(&mut self) -> &mut [u8] {
        &mut self.worlds.eq_active
    }

    /// qpos and qvel of each world after the last call that moved it, a row per world.
    pub fn states(&self) -> &[f64] {
        &self.states
    }

    /// What the last step gave.
    pub fn outcome(&self) -> &Outcome {
        &self.worlds.outcome
    }

    /// Worlds that have a reading of a sensor which is not finite. That is no failure: steps go on, as those of a single
    /// simulation, which counts such readings.
    pub fn bad_sensors(&self) -> impl Iterator<Item = usize> {
        let readings = self.worlds.matrix("sensordata");
        let (cells, width) = readings.map_or((&[][..], 0), |m| (&*m.cells, m.width));
        let rows = cells.chunks_exact(width.max(1)).enumerate();
        rows.filter(|(_, row)| row.iter().any(|x| !x.is_finite()))
            .map(|(world, _)| world)
    }

    /// Advances every world by a number of steps, with its own inputs, then asks the task.
    ///
    /// A world that fails ends its steps there and is marked in the [`Outcome`]; the next call resets it first, unless
    /// the model disables automatic resets.
    pub fn step(&mut self, count: usize, task: &impl Task) -> &Outcome {
        // All worlds are the batch's own.
        let _ = self.step_while(Which::All, count, task, &|| true);
        &self.worlds.outcome
    }

    /// The same for some of the worlds, as long as the call is to go on. When it ends early, worlds have made
    /// different numbers of steps, each of them whole.
    pub fn step_while(
        &mut self,
        which: Which<'_>,
        count: usize,
        task: &impl Task,
        goes_on: GoesOn<'_>,
    ) -> Result<(), CallError> {
        which.check(self.len())?;
        let call = &self.step_call(task, goes_on);
        self.for_each_chunk(which, goes_on, |shared, worker, chunk| {
            let first = chunk.first;
            let is_meant = |world: usize| which.has(first + world);
            call.advance(shared, worker, chunk, &is_meant, count);
        });
        self.fill_states();
        Ok(())
    }

    /// What a call that makes steps is about.
    pub(crate) fn step_call<'a, K: Task>(
        &self,
        task: &'a K,
        goes_on: GoesOn<'a>,
    ) -> StepCall<'a, K> {
        StepCall {
            needs: Needs::of(&self.shapes),
            time_limit: self.time_limit,
            resets: self.model.opt.disableflags & DisableFlag::Autoreset.code() == 0,
            task,
            goes_on,
        }
    }

    /// Computes the derived arrays of the current states and inputs.
    pub fn forward(&mut self) {
        // All worlds are the batch's own.
        let _ = self.forward_while(Which::All, &|| true);
    }

    /// The same for some of the worlds, as long as the call is to go on.
    pub fn forward_while(
        &mut self,
        which: Which<'_>,
        goes_on: GoesOn<'_>,
    ) -> Result<(), CallError> {
        which.check(self.len())?;
        let needs = Needs::of(&self.shapes);
        self.for_each_chunk(which, goes_on, |shared, worker, chunk| {
            for world in 0..chunk.count() {
                if !which.has(chunk.first + world) || !goes_on() {
                    continue;
                }
                let (data, model) = worker.at(shared, chunk.first + world);
                let shapes = shared.shapes;
                chunk.load(shapes, world, data);
                // A simulation of this very model.
                if data.forward(model).is_ok() {
                    needs.complete(model, data);
                }
                chunk.store(shapes, world, data);
            }
        });
        Ok(())
    }

    /// Puts one world into a simulation.
    pub fn load(&self, world: usize, data: &mut Data) -> Result<(), CallError> {
        data.check_model(&self.model)?;
        let count = self.len();
        if world >= count {
            let (what, index) = ("world", world);
            return Err(CallError::Index { what, index, count });
        }
        for matrix in &self.worlds.matrices {
            if matrix.field.is_kept_always() {
                let row = &matrix.cells[world * matrix.width..][..matrix.width];
                (matrix.field.write)(data).copy_from_slice(row);
            }
        }
        let equalities = self.worlds.equalities;
        let active = &self.worlds.eq_active[world * equalities..][..equalities];
        data.input.eq_active.copy_from_slice(active);
        Ok(())
    }

    /// All worlds as they are now.
    pub fn save(&self) -> Snapshot {
        Snapshot(self.worlds.clone(), self.values.clone())
    }

    /// All worlds as they were when the snapshot was taken from this batch, or from one of as many worlds of
    /// the same structure with the same arrays. Values of their own that worlds have got since then stay. No array moves.
    pub fn restore(&mut self, snapshot: &Snapshot) -> Result<(), CallError> {
        let fits = |worlds: &Worlds| {
            let shapes = worlds.matrices.iter().map(|m| (m.field.name, m.width));
            let own = self.shapes.iter().map(|s| (s.field.name, s.width));
            worlds.count == self.worlds.count && shapes.eq(own)
        };
        if !fits(&snapshot.0) || self.values.copy_from(&snapshot.1).is_none() {
            return Err(CallError::ForeignModel);
        }
        self.worlds.copy_from(&snapshot.0);
        self.fill_states();
        Ok(())
    }

    /// Works on all chunks that have worlds which are meant; who waits for others asks whether the call goes on. Threads
    /// that would find nothing to do are left alone.
    pub(crate) fn for_each_chunk(
        &mut self,
        which: Which<'_>,
        goes_on: GoesOn<'_>,
        work: impl Fn(&Shared<'_>, &mut Worker, &mut Chunk<'_, '_>) + Sync,
    ) {
        let size = self.chunk_size();
        let Batch {
            model,
            worlds,
            values,
            shapes,
            workers,
            pool,
            lists,
            ..
        } = self;
        let shared = &Shared {
            model,
            values,
            shapes,
        };
        let busy = which.count_chunks(size, worlds.count).min(workers.len());
        let workers = &mut workers[..busy];
        worlds.in_chunks(size, lists, |chunks| {
            pool.for_each_while(workers, chunks, goes_on, |worker, chunk| {
                work(shared, worker, chunk);
            });
        });
    }

    /// How many worlds a thread takes at once.
    pub(crate) fn chunk_size(&self) -> usize {
        let size = match self.workers.len() {
            // Nobody to end with: the more worlds there are, the better they are sorted by their effort.
            1 => CHUNK,
            threads => self.len().div_ceil(VISITS * threads),
        };
        size.next_multiple_of(self.plan().0).clamp(1, CHUNK)
    }

    /// Works on worlds one after the other, with the first simulation. What was said of their last step is forgotten.
    pub(crate) fn for_each_in_turn(
        &mut self,
        which: Which<'_>,
        mut work: impl FnMut(
            &Model,
            &[Shape],
            &mut Data,
            &mut Chunk<'_, '_>,
            usize,
        ) -> Result<(), CallError>,
    ) -> Result<(), CallError> {
        which.check(self.len())?;
        let Batch {
            model,
            worlds,
            values,
            shapes,
            workers,
            lists,
            ..
        } = self;
        let Some(worker) = workers.first_mut() else {
            return Ok(());
        };
        let shared = &Shared {
            model,
            values,
            shapes,
        };
        worlds.in_chunks(CHUNK, lists, |chunks| {
            for chunk in chunks {
                let mut chunk = crate::pool::lock(chunk);
                for world in 0..chunk.count() {
                    let number = chunk.first + world;
                    if which.has(number) {
                        let (data, model) = worker.at(shared, number);
                        work(model, shapes, data, &mut chunk, world)?;
                        chunk.outcome.clear(world);
                    }
                }
            }
            Ok(())
        })?;
        self.fill_states();
        Ok(())
    }

    /// Copies positions and velocities to their common matrix.
    pub(crate) fn fill_states(&mut self) {
        let (nq, nv) = (self.model.nq, self.model.nv);
        if nq + nv == 0 {
            return;
        }
        let (qpos, qvel) = (self.worlds.matrix("qpos"), self.worlds.matrix("qvel"));
        let (Some(qpos), Some(qvel)) = (qpos, qvel) else {
            return;
        };
        for (world, row) in self.states.chunks_exact_mut(nq + nv).enumerate() {
            row[..nq].copy_from_slice(&qpos.cells[world * nq..][..nq]);
            row[nq..].copy_from_slice(&qvel.cells[world * nv..][..nv]);
        }
    }
}

/// All worlds of a batch at one moment.
#[derive(Clone, Debug)]
pub struct Snapshot(Worlds, Values);
