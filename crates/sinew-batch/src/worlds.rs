//! The arrays of many worlds: a matrix per field, a row per world.

use crate::field::{FIELDS, Field, Role};
use crate::outcome::{Outcome, OutcomeMut};
use sinew_engine::Data;
use sinew_model::Model;
use std::sync::Mutex;

/// Where the time is among the fields.
const TIME: usize = 0;

/// One field of all worlds, row by row.
#[derive(Clone, Debug)]
pub(crate) struct Matrix {
    pub field: &'static Field,
    /// Numbers per world.
    pub width: usize,
    pub cells: Vec<f64>,
}

/// All worlds.
#[derive(Clone, Debug)]
pub(crate) struct Worlds {
    pub count: usize,
    /// The fields that are always kept, in the order of [`FIELDS`], then those asked for.
    pub matrices: Vec<Matrix>,
    /// Which equality constraints are active.
    pub eq_active: Vec<u8>,
    pub equalities: usize,
    /// How much work the last step of each world was, by which worlds are put side by side.
    pub effort: Vec<u32>,
    /// How often each world has drawn random numbers.
    pub draws: Vec<u64>,
    pub outcome: Outcome,
}

/// Worlds that follow each other, for one worker.
#[derive(Debug)]
pub(crate) struct Chunk<'a, 'c> {
    /// The first of them.
    pub first: usize,
    /// Their rows of each matrix.
    pub rows: &'c mut [&'a mut [f64]],
    pub eq_active: &'a mut [u8],
    pub effort: &'a mut [u32],
    pub draws: &'a mut [u64],
    pub outcome: OutcomeMut<'a>,
}

/// Memory of the lists that a call makes, used again by the next one.
#[derive(Debug, Default)]
pub(crate) struct Lists {
    slices: Vec<&'static mut [f64]>,
    chunks: Vec<Mutex<Chunk<'static, 'static>>>,
}

/// An empty vector with the memory of another one.
fn recycle<A, B>(mut old: Vec<A>) -> Vec<B> {
    old.clear();
    old.into_iter().filter_map(|_| None).collect()
}

impl Worlds {
    /// Worlds whose rows are all those of one simulation.
    pub fn new(model: &Model, count: usize, derived: &[&'static Field]) -> Option<Self> {
        let data = Data::new(model);
        let always = FIELDS.iter().filter(|field| field.is_kept_always());
        let mut matrices = Vec::new();
        for field in always.chain(derived.iter().copied()) {
            let row = (field.read)(&data);
            matrices.push(Matrix {
                field,
                width: row.len(),
                cells: repeated(row, count)?,
            });
        }
        Some(Worlds {
            count,
            matrices,
            eq_active: repeated(&data.input.eq_active, count)?,
            equalities: model.neq,
            effort: repeated(&[0], count)?,
            draws: repeated(&[0], count)?,
            outcome: Outcome::new(count)?,
        })
    }

    pub fn matrix(&self, name: &str) -> Option<&Matrix> {
        self.matrices.iter().find(|m| m.field.name == name)
    }

    pub fn matrix_mut(&mut self, name: &str) -> Option<&mut Matrix> {
        self.matrices.iter_mut().find(|m| m.field.name == name)
    }

    /// Takes over the worlds of another batch of the same shapes. No array moves: others may look at them.
    pub fn copy_from(&mut self, other: &Worlds) {
        for (matrix, from) in self.matrices.iter_mut().zip(&other.matrices) {
            matrix.cells.copy_from_slice(&from.cells);
        }
        self.eq_active.copy_from_slice(&other.eq_active);
        self.effort.copy_from_slice(&other.effort);
        self.draws.copy_from_slice(&other.draws);
        self.outcome.clone_from(&other.outcome);
    }

    /// Bytes that all worlds take.
    pub fn bytes(&self) -> usize {
        let cells: usize = self.matrices.iter().map(|m| 8 * m.cells.len()).sum();
        let counters = 4 * self.effort.len() + 8 * self.draws.len();
        cells + self.eq_active.len() + counters + self.outcome.bytes()
    }

    /// Shows all worlds as chunks of at most `size` that can be worked on at the same time.
    pub fn in_chunks<R>(
        &mut self,
        size: usize,
        lists: &mut Lists,
        work: impl FnOnce(&[Mutex<Chunk<'_, '_>>]) -> R,
    ) -> R {
        let size = size.max(1);
        let columns = self.matrices.len();
        let count = self.count;
        let mut slices: Vec<&mut [f64]> = recycle(core::mem::take(&mut lists.slices));
        let chunk_count = count.div_ceil(size);
        // Chunk by chunk, so that the slices of one chunk follow each other.
        slices.resize_with(chunk_count * columns, Default::default);
        for (k, matrix) in self.matrices.iter_mut().enumerate() {
            let mut rest = matrix.cells.as_mut_slice();
            for chunk in 0..chunk_count {
                let length = (count - chunk * size).min(size) * matrix.width;
                let (own, others) = rest.split_at_mut(length);
                slices[chunk * columns + k] = own;
                rest = others;
            }
        }
        let mut chunks: Vec<Mutex<Chunk<'_, '_>>> = recycle(core::mem::take(&mut lists.chunks));
        let mut eq_active = self.eq_active.as_mut_slice();
        let mut effort = self.effort.as_mut_slice();
        let mut draws = self.draws.as_mut_slice();
        let mut outcome = self.outcome.as_mut();
        for (k, rows) in slices.chunks_exact_mut(columns).enumerate() {
            let first = k * size;
            let length = (count - first).min(size);
            let active;
            (active, eq_active) = eq_active.split_at_mut(length * self.equalities);
            let efforts;
            (efforts, effort) = effort.split_at_mut(length);
            let drawn;
            (drawn, draws) = draws.split_at_mut(length);
            let own;
            (own, outcome) = outcome.split_at(length);
            chunks.push(Mutex::new(Chunk {
                first,
                rows,
                eq_active: active,
                effort: efforts,
                draws: drawn,
                outcome: own,
            }));
        }
        let result = work(&chunks);
        lists.chunks = recycle(chunks);
        lists.slices = recycle(slices);
        result
    }
}

impl Chunk<'_, '_> {
    /// Number of worlds.
    pub fn count(&self) -> usize {
        self.outcome.errors.len()
    }

    /// Simulated time of a world.
    pub fn time(&self, world: usize) -> f64 {
        self.rows[TIME][world]
    }

    /// Puts a world into a simulation.
    pub fn load(&self, matrices: &[Shape], world: usize, data: &mut Data) {
        for (shape, rows) in matrices.iter().zip(&*self.rows) {
            if shape.field.is_kept_always() {
                let row = &rows[world * shape.width..][..shape.width];
                (shape.field.write)(data).copy_from_slice(row);
            }
        }
        let active = &self.eq_active[world * data.input.eq_active.len()..];
        let count = data.input.eq_active.len();
        data.input.eq_active.copy_from_slice(&active[..count]);
    }

    /// Takes what a step writes out of a simulation.
    pub fn store(&mut self, matrices: &[Shape], world: usize, data: &Data) {
        self.store_where(matrices, world, data, |role| role != Role::Input);
    }

    /// Takes a world out of a simulation, with its inputs.
    pub fn store_all(&mut self, matrices: &[Shape], world: usize, data: &Data) {
        self.store_where(matrices, world, data, |_| true);
        let count = data.input.eq_active.len();
        self.eq_active[world * count..][..count].copy_from_slice(&data.input.eq_active);
    }

    /// Takes the derived arrays out of a simulation.
    pub fn store_derived(&mut self, matrices: &[Shape], world: usize, data: &Data) {
        self.store_where(matrices, world, data, |role| {
            matches!(role, Role::Derived(_))
        });
    }

    fn store_where(
        &mut self,
        matrices: &[Shape],
        world: usize,
        data: &Data,
        is_stored: impl Fn(Role) -> bool,
    ) {
        let stored = matrices.iter().zip(&mut *self.rows);
        for (shape, rows) in stored.filter(|(shape, _)| is_stored(shape.field.role)) {
            let row = &mut rows[world * shape.width..][..shape.width];
            row.copy_from_slice((shape.field.read)(data));
        }
    }
}

/// A field and how many numbers a world has of it.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Shape {
    pub field: &'static Field,
    pub width: usize,
}

/// A row repeated for every world; `None` if there is no memory for it.
pub(crate) fn repeated<T: Copy>(row: &[T], count: usize) -> Option<Vec<T>> {
    let mut cells = Vec::new();
    cells
        .try_reserve_exact(row.len().checked_mul(count)?)
        .ok()?;
    for _ in 0..count {
        cells.extend_from_slice(row);
    }
    Some(cells)
}
