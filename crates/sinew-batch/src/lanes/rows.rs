//! Constraint rows of worlds side by side.
//!
//! A row is there if one of the lanes has it; in the others it is a row of zeros, which leaves every bit
//! of their solution alone. Rows of one kind follow each other as in each lane, so that each lane sees
//! its own rows in their order.

use bytemuck::{Pod, cast_slice, cast_slice_mut};
use sinew_dynamics::row::impedance::reference;
use sinew_dynamics::row::{HardnessMut, NewRows, Row};
use sinew_math::Real;
use sinew_math::dense::dot_of_known;
use sinew_solver::ConeShape;
use sinew_solver::problem::Cone;

/// Rows, each with an entry for all degrees of freedom.
#[derive(Clone, Debug, Default)]
pub(super) struct RowStore<P> {
    dofs: usize,
    /// Number of rows; what lies behind is room.
    pub count: usize,
    pub equality_count: usize,
    pub friction_count: usize,
    pub kind: Vec<i32>,
    pub id: Vec<i32>,
    /// Degrees of freedom of each row, from `start` of the row to that of the next.
    pub columns: Vec<i32>,
    pub start: Vec<u32>,
    /// Whether a row has the columns of the one before.
    pub repeats: Vec<bool>,
    /// 1 in the lanes that have the row, 0 elsewhere.
    pub exists: Vec<P>,
    pub entries: Vec<P>,
    pub pos: Vec<P>,
    pub margin: Vec<P>,
    pub frictionloss: Vec<P>,
    pub diagonal: Vec<P>,
    pub regularisation: Vec<P>,
    pub inverse: Vec<P>,
    pub parameters: Vec<[P; 4]>,
    pub reference: Vec<P>,
    pub cones: Vec<Cone>,
    pub cone_shapes: Vec<ConeShape<P>>,
}

impl<P: Real> RowStore<P> {
    pub fn new(dofs: usize) -> Self {
        RowStore {
            dofs,
            start: vec![0],
            ..RowStore::default()
        }
    }

    /// No rows.
    pub fn clear(&mut self) {
        self.count = 0;
        self.equality_count = 0;
        self.friction_count = 0;
        self.kind.clear();
        self.id.clear();
        self.columns.clear();
        self.start.truncate(1);
        self.repeats.clear();
        self.cones.clear();
        self.cone_shapes.clear();
    }

    /// Degrees of freedom of a row.
    pub fn columns_of(&self, row: usize) -> &[i32] {
        &self.columns[self.start[row] as usize..self.start[row + 1] as usize]
    }

    /// Entries of a row for all degrees of freedom.
    pub fn entries_of(&self, row: usize) -> &[P] {
        &self.entries[row * self.dofs..(row + 1) * self.dofs]
    }

    /// Makes room for more rows.
    fn reserve(&mut self, rows: usize) {
        let needed = self.count + rows;
        if self.pos.len() < needed {
            self.grow(needed.next_power_of_two());
        }
    }

    #[cold]
    fn grow(&mut self, rows: usize) {
        for column in [
            &mut self.exists,
            &mut self.pos,
            &mut self.margin,
            &mut self.frictionloss,
            &mut self.diagonal,
            &mut self.regularisation,
            &mut self.inverse,
            &mut self.reference,
        ] {
            column.resize(rows, P::ZERO);
        }
        self.parameters.resize(rows, [P::ZERO; 4]);
        self.entries.resize(rows * self.dofs, P::ZERO);
    }
}

impl<P: Real + Pod> RowStore<P> {
    /// Adds rows with the given columns, whose entries are still to be written. Returns the first of them.
    #[inline(always)]
    pub fn add_rows<T: Real + Pod>(
        &mut self,
        exists: T::Mask,
        rows: usize,
        columns: &[i32],
    ) -> usize {
        self.reserve(rows);
        let first = self.count;
        let is_there = T::select(exists, T::ONE, T::ZERO);
        cast_slice_mut::<P, T>(&mut self.exists)[first..first + rows].fill(is_there);
        for row in 0..rows {
            self.repeats.push(row > 0);
            self.columns.extend_from_slice(columns);
            self.start.push(self.columns.len() as u32);
        }
        self.count += rows;
        first
    }

    /// Writes the entries of rows that have the same columns, in the lanes that have them.
    #[inline(always)]
    pub fn write_entries<T: Real + Pod>(
        &mut self,
        first: usize,
        exists: T::Mask,
        columns: &[i32],
        entries: &[T],
    ) {
        let dofs = self.dofs;
        let out = &mut cast_slice_mut::<P, T>(&mut self.entries)[first * dofs..];
        let given = entries.chunks_exact(columns.len());
        for (out, given) in out.chunks_exact_mut(dofs).zip(given) {
            out.fill(T::ZERO);
            for (&column, &entry) in columns.iter().zip(given) {
                out[column as usize] = T::select(exists, entry, T::ZERO);
            }
        }
    }

    /// How hard the rows from a first one on are, for writing.
    #[inline(always)]
    pub fn hardness<T: Real + Pod>(&mut self, first: usize) -> HardnessMut<'_, T> {
        let rows = first..self.count;
        HardnessMut {
            efc_diagApprox: &mut cast_slice_mut(&mut self.diagonal)[rows.clone()],
            efc_R: &mut cast_slice_mut(&mut self.regularisation)[rows.clone()],
            efc_D: &mut cast_slice_mut(&mut self.inverse)[rows.clone()],
            efc_KBIP: &mut cast_slice_mut(&mut self.parameters)[rows],
        }
    }

    /// What the rows aim at; rows that a lane does not have become zero in it.
    #[inline(always)]
    pub fn finish<T: Real + Pod>(&mut self, qvel: &[T]) {
        let (dofs, count) = (self.dofs, self.count);
        let exists = &cast_slice::<P, T>(&self.exists)[..count];
        let entries = cast_slice::<P, T>(&self.entries);
        let pos = cast_slice::<P, T>(&self.pos);
        let margin = cast_slice::<P, T>(&self.margin);
        let parameters = cast_slice::<[P; 4], [T; 4]>(&self.parameters);
        let aim = cast_slice_mut::<P, T>(&mut self.reference);
        let inverse = cast_slice_mut::<P, T>(&mut self.inverse);
        let regularisation = cast_slice_mut::<P, T>(&mut self.regularisation);
        let frictionloss = cast_slice_mut::<P, T>(&mut self.frictionloss);
        for i in 0..count {
            let columns = &self.columns[self.start[i] as usize..self.start[i + 1] as usize];
            let velocity = dot_of_known(&entries[i * dofs..(i + 1) * dofs], qvel, columns);
            let is_there = exists[i].equals(T::ONE);
            let keep = |x: T| T::select(is_there, x, T::ZERO);
            aim[i] = keep(reference(parameters[i], velocity, pos[i] - margin[i]));
            inverse[i] = keep(inverse[i]);
            regularisation[i] = keep(regularisation[i]);
            frictionloss[i] = keep(frictionloss[i]);
        }
    }
}

/// Rows being told by the makers of rows, over the numbers they compute with.
pub(super) struct Told<'a, P, T>(pub &'a mut RowStore<P>, pub core::marker::PhantomData<T>);

impl<P: Real + Pod, T: Real + Pod> NewRows<T> for Told<'_, P, T> {
    #[inline(always)]
    fn add(
        &mut self,
        exists: T::Mask,
        row: Row<T>,
        columns: &[i32],
        entries: impl Iterator<Item = T>,
    ) {
        let store = &mut *self.0;
        let at = store.add_rows::<T>(exists, 1, columns);
        let dofs = store.dofs;
        let out = &mut cast_slice_mut::<P, T>(&mut store.entries)[at * dofs..(at + 1) * dofs];
        out.fill(T::ZERO);
        for (&column, entry) in columns.iter().zip(entries) {
            out[column as usize] = T::select(exists, entry, T::ZERO);
        }
        cast_slice_mut::<P, T>(&mut store.pos)[at] = row.pos;
        cast_slice_mut::<P, T>(&mut store.margin)[at] = row.margin;
        cast_slice_mut::<P, T>(&mut store.frictionloss)[at] = row.frictionloss;
        store.kind.push(row.kind.code());
        store.id.push(row.id as i32);
    }
}
