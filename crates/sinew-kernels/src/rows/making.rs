//! Rows of one constraint, by a thread, into the block of its world. Nothing of them is on a stack.
//!
//! A row is finished later, when its velocity is known: until then `aref` has what violation asks for, and a list its damping.

use super::memory::EQUALITY_ROWS;
use crate::Number;
use crate::block::Problem;
use crate::scene::{Head, Scene};
use crate::warp::Shared;
use bytemuck::cast_slice_mut;
use sinew_dynamics::row::contact::Settings;
use sinew_dynamics::row::{HardnessMut, NewRows, Row, Source, parameter};
use sinew_model::kinds::Constraint;

/// What a row aims at, but for its velocity: see `sinew_dynamics::row::impedance::reference`.
#[inline(always)]
pub(super) fn pull<T: Number>([k, _, impedance, _]: [T; 4], violation: T) -> T {
    k * impedance * violation
}

/// Which degrees of freedom rows have, a bit each; nothing where nobody asks.
pub(super) struct Marks<'a> {
    bits: &'a mut [i32],
    /// Words of a row.
    words: usize,
}

impl<'a> Marks<'a> {
    #[inline(always)]
    pub fn new(head: &Head, bits: &'a mut [i32]) -> Self {
        let words = head.row_words();
        Marks { bits, words }
    }

    /// Nobody asks.
    #[inline(always)]
    pub fn none() -> Self {
        Marks {
            bits: &mut [],
            words: 0,
        }
    }

    /// Marks nothing of a row.
    #[inline(always)]
    fn clear(&mut self, row: usize) {
        self.put_words(row, |_| 0);
    }

    /// Marks a degree of freedom of a row.
    #[inline(always)]
    fn put(&mut self, row: usize, dof: usize) {
        if self.words > 0 {
            self.bits[row * self.words + dof / 32] |= 1 << (dof % 32);
        }
    }

    /// Marks those that words have bits of.
    #[inline(always)]
    pub fn put_words(&mut self, row: usize, word: impl Fn(usize) -> i32) {
        for k in 0..self.words {
            self.bits[row * self.words + k] = word(k);
        }
    }
}

/// Rows of a constraint that has one or two, alike but for their violation: one thread makes them, as others do theirs.
pub(super) struct Single<'a, 'b, 'c, T> {
    scene: &'a Scene<'a, T>,
    /// Whose rows are zeros.
    out: &'a mut Problem<'b, T>,
    marks: &'a mut Marks<'c>,
    damping: Shared<'a, T>,
    /// The first row, and how many there are.
    start: usize,
    count: usize,
    id: usize,
    pos: [T; 2],
    margin: T,
    frictionloss: T,
}

impl<T: Number> NewRows<T> for Single<'_, '_, '_, T> {
    #[inline(always)]
    fn add(&mut self, _: bool, row: Row<T>, columns: &[i32], entries: impl Iterator<Item = T>) {
        self.begin(row);
        for (&column, entry) in columns.iter().zip(entries) {
            self.put(column as usize, entry);
        }
        self.end(row);
    }

    /// Entry by entry, so that none is looked up in an array.
    #[inline(always)]
    fn add_few<const N: usize>(
        &mut self,
        _: bool,
        row: Row<T>,
        columns: [i32; N],
        entries: [T; N],
    ) {
        self.begin(row);
        for k in 0..N {
            self.put(columns[k] as usize, entries[k]);
        }
        self.end(row);
    }
}

impl<T: Number> Single<'_, '_, '_, T> {
    /// Begins a row.
    #[inline(always)]
    pub fn begin(&mut self, _: Row<T>) {
        self.marks.clear(self.start + self.count);
    }

    /// Writes an entry of it.
    #[inline(always)]
    pub fn put(&mut self, dof: usize, entry: T) {
        let row = self.start + self.count;
        self.marks.put(row, dof);
        self.out.J[row * self.scene.head.stride() + dof] = entry;
    }

    /// Ends it.
    #[inline(always)]
    pub fn end(&mut self, row: Row<T>) {
        self.pos = match self.count {
            0 => [row.pos, row.pos],
            _ => [self.pos[0], row.pos],
        };
        (self.id, self.margin) = (row.id, row.margin);
        self.frictionloss = row.frictionloss;
        self.count += 1;
    }
}

impl<'a, 'b, 'c, T: Number> Single<'a, 'b, 'c, T> {
    #[inline(always)]
    pub fn new(
        scene: &'a Scene<'a, T>,
        (out, marks): (&'a mut Problem<'b, T>, &'a mut Marks<'c>),
        damping: Shared<'a, T>,
        start: usize,
    ) -> Self {
        Single {
            scene,
            out,
            marks,
            damping,
            start,
            count: 0,
            id: 0,
            pos: [T::ZERO; 2],
            margin: T::ZERO,
            frictionloss: T::ZERO,
        }
    }

    /// How hard the rows are, which are of a kind.
    #[inline(always)]
    pub fn harden(&mut self, source: &Source<'_, T>, kind: Constraint) {
        for k in 0..self.count {
            let pos = if k == 0 { self.pos[0] } else { self.pos[1] };
            let violation = pos - self.margin;
            let timestep = settings(self.scene).timestep;
            let (R, D, parameters) =
                parameter::single(source, (kind, self.id), violation, timestep);
            let (row, out) = (self.start + k, &mut *self.out);
            (out.R[row], out.D[row]) = (R, D);
            out.frictionloss[row] = self.frictionloss;
            out.aref[row] = pull(parameters, violation);
            self.damping[row].set(parameters[1]);
        }
    }
}

/// Rows of one equality after the other, all by one thread.
pub(super) struct Making<'a, 'b, T> {
    out: &'a mut Problem<'b, T>,
    marks: Marks<'a>,
    stride: usize,
    damping: &'a mut [T],
    kinds: &'a mut [i32],
    ids: &'a mut [i32],
    pos: &'a mut [T],
    margin: &'a mut [T],
    diagonal: &'a mut [T],
    parameters: &'a mut [[T; 4]],
    /// Rows that are finished.
    pub done: usize,
    /// Rows that were told since.
    new: usize,
}

impl<T: Number> NewRows<T> for Making<'_, '_, T> {
    #[inline(always)]
    fn add(&mut self, _: bool, row: Row<T>, columns: &[i32], entries: impl Iterator<Item = T>) {
        self.begin(row);
        for (&column, entry) in columns.iter().zip(entries) {
            self.put(column as usize, entry);
        }
        self.end();
    }
}

impl<T: Number> Making<'_, '_, T> {
    /// Begins a row.
    #[inline(always)]
    pub fn begin(&mut self, row: Row<T>) {
        let (k, i) = (self.new, self.done + self.new);
        self.marks.clear(i);
        let start = i * self.stride;
        self.out.J[start..start + self.stride].fill(T::ZERO);
        self.out.frictionloss[i] = row.frictionloss;
        (self.pos[k], self.margin[k]) = (row.pos, row.margin);
        (self.kinds[k], self.ids[k]) = (row.kind.code(), row.id as i32);
    }

    /// Writes an entry of it.
    #[inline(always)]
    pub fn put(&mut self, dof: usize, entry: T) {
        let i = self.done + self.new;
        self.marks.put(i, dof);
        self.out.J[i * self.stride + dof] = entry;
    }

    /// Ends it.
    #[inline(always)]
    pub fn end(&mut self) {
        self.new += 1;
    }
}

impl<'a, 'b, T: Number> Making<'a, 'b, T> {
    /// With memory for the damping of all rows, and for what is known of an equality's.
    #[inline(always)]
    pub fn new(
        (out, marks): (&'a mut Problem<'b, T>, Marks<'a>),
        stride: usize,
        damping: &'a mut [T],
        memory: &'a mut [T],
    ) -> Self {
        let (kinds, memory) = memory.split_at_mut(EQUALITY_ROWS);
        let (ids, memory) = memory.split_at_mut(EQUALITY_ROWS);
        let (pos, memory) = memory.split_at_mut(EQUALITY_ROWS);
        let (margin, memory) = memory.split_at_mut(EQUALITY_ROWS);
        let (diagonal, memory) = memory.split_at_mut(EQUALITY_ROWS);
        Making {
            out,
            marks,
            stride,
            damping,
            kinds: cast_slice_mut(kinds),
            ids: cast_slice_mut(ids),
            pos,
            margin,
            diagonal,
            parameters: memory.as_chunks_mut().0,
            done: 0,
            new: 0,
        }
    }

    /// How hard the new rows are.
    #[inline(always)]
    pub fn harden(&mut self, scene: &Scene<'_, T>) {
        let (rows, new) = (self.done..self.done + self.new, self.new);
        parameter::rows(
            &scene.source(),
            (&self.kinds[..new], &self.ids[..new]),
            (&self.pos[..new], &self.margin[..new]),
            settings(scene).timestep,
            &mut HardnessMut {
                efc_diagApprox: &mut self.diagonal[..new],
                efc_R: &mut self.out.R[rows.clone()],
                efc_D: &mut self.out.D[rows],
                efc_KBIP: &mut self.parameters[..new],
            },
        );
        for k in 0..new {
            let violation = self.pos[k] - self.margin[k];
            self.out.aref[self.done + k] = pull(self.parameters[k], violation);
            self.damping[self.done + k] = self.parameters[k][1];
        }
        self.done += new;
        self.new = 0;
    }
}

/// The options that decide how hard rows are.
#[inline(always)]
pub(super) fn settings<T: Number>(scene: &Scene<'_, T>) -> Settings<T> {
    let is_safe = scene.head.is_safe != 0;
    Settings {
        timestep: is_safe.then_some(scene.constants.timestep),
        impratio: scene.constants.impratio,
    }
}
