//! Constraint rows of one constraint, by a thread, into the block of its world.
//!
//! What is only needed to make them lives in a few registers or on the stack, and each row is written once.

use crate::Number;
use crate::block::Problem;
use crate::scene::{MOST_DOFS, Scene};
use crate::sums::dot_of;
use sinew_dynamics::row::contact::Settings;
use sinew_dynamics::row::impedance::reference;
use sinew_dynamics::row::{HardnessMut, NewRows, Row, parameter};
use sinew_math::series::Series;

/// Rows of a constraint at most.
const MOST_ROWS: usize = 10;

/// Rows of one constraint on their way into the block.
pub(super) struct Making<'a, 'b, T> {
    out: &'a mut Problem<'b, T>,
    qvel: &'a Series<T>,
    row: [T; MOST_DOFS],
    /// Rows that are finished.
    pub done: usize,
    /// Rows that were told since.
    new: usize,
    kind: i32,
    id: i32,
    pos: [T; MOST_ROWS],
    margin: [T; MOST_ROWS],
    velocity: [T; MOST_ROWS],
    diagonal: [T; MOST_ROWS],
    parameters: [[T; 4]; MOST_ROWS],
}

impl<T: Number> NewRows<T> for Making<'_, '_, T> {
    #[inline(always)]
    fn add(&mut self, _: bool, row: Row<T>, columns: &[i32], entries: impl Iterator<Item = T>) {
        self.row.fill(T::ZERO);
        for (&column, entry) in columns.iter().zip(entries) {
            self.row[column as usize] = entry;
        }
        let k = self.new;
        self.pos[k] = row.pos;
        self.margin[k] = row.margin;
        self.out.frictionloss[self.done + k] = row.frictionloss;
        (self.kind, self.id) = (row.kind.code(), row.id as i32);
        self.write_row(k);
        self.new += 1;
    }
}

impl<'a, 'b, T: Number> Making<'a, 'b, T> {
    #[inline(always)]
    pub fn new(out: &'a mut Problem<'b, T>, qvel: &'a Series<T>, done: usize) -> Self {
        Making {
            out,
            qvel,
            row: [T::ZERO; MOST_DOFS],
            done,
            new: 0,
            kind: 0,
            id: 0,
            pos: [T::ZERO; MOST_ROWS],
            margin: [T::ZERO; MOST_ROWS],
            velocity: [T::ZERO; MOST_ROWS],
            diagonal: [T::ZERO; MOST_ROWS],
            parameters: [[T::ZERO; 4]; MOST_ROWS],
        }
    }

    /// Writes the row at hand and its velocity.
    #[inline(always)]
    fn write_row(&mut self, k: usize) {
        let n = self.qvel.len();
        let row = &self.row[..n];
        let qvel = self.qvel;
        self.velocity[k] = dot_of(n, |i| row[i] * qvel[i]);
        let at = (self.done + k) * n;
        self.out.J[at..at + n].copy_from_slice(row);
    }

    /// How hard the new rows are, none of which is a contact's.
    #[inline(always)]
    pub fn harden(&mut self, scene: &Scene<'_, T>) {
        if self.new == 0 {
            return;
        }
        let (rows, new) = (self.done..self.done + self.new, self.new);
        let (kinds, ids) = ([self.kind; MOST_ROWS], [self.id; MOST_ROWS]);
        parameter::rows(
            &scene.source(),
            (&kinds[..new], &ids[..new]),
            (&self.pos[..new], &self.margin[..new]),
            settings(scene).timestep,
            &mut HardnessMut {
                efc_diagApprox: &mut self.diagonal[..new],
                efc_R: &mut self.out.R[rows.clone()],
                efc_D: &mut self.out.D[rows],
                efc_KBIP: &mut self.parameters[..new],
            },
        );
        self.finish();
    }

    /// What the new rows aim at.
    #[inline(always)]
    fn finish(&mut self) {
        for k in 0..self.new {
            let violation = self.pos[k] - self.margin[k];
            let aim = reference(self.parameters[k], self.velocity[k], violation);
            self.out.aref[self.done + k] = aim;
        }
        self.done += self.new;
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
