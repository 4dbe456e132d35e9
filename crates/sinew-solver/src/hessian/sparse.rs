//! H in compressed rows, factored as Lᵀ·L from the last row to the first.
//!
//! In that order the inertia of a kinematic tree has no fill-in, and a constraint row only couples
//! the degrees of freedom it touches. [`SparseHessian::analyse`] finds the pattern of L with an
//! elimination tree: column r of L holds every i on the paths from the last column of each row
//! (of J or M) that contains r up to r. [`SparseHessian::factor`] then gathers one row of H at a
//! time in a dense buffer, takes out the rows already factored, and stores it.
//! T. Davis, "Direct Methods for Sparse Linear Systems", 2006, chapter 4.

mod take_out;

use super::pattern::Pattern;
use super::{CONE, QUADRATIC, can_hold, refill};
use crate::cost::{ConeHessian, cone_hessian};
use crate::log::Question;
use crate::problem::Problem;
use sinew_math::MIN_VALUE;
use sinew_math::tree::dot_sparse;
use sinew_math::wide;
use take_out::TakeOut;

const NONE: u32 = u32::MAX;
/// Bytes per entry of L: number, column, row and place by column, and a run at most.
const ENTRY_BYTES: usize = 8 + 4 + 4 + 8 + 8;
/// What finding an entry costs, in products.
const WALK_WORK: usize = 8;

#[derive(Clone, Debug, Default)]
pub(super) struct SparseHessian {
    n: usize,
    /// What the pattern of L was found for.
    pattern: Pattern,
    /// Rows of L: first entry (n + 1 of them), columns ascending with the diagonal last, entries with
    /// the inverse on the diagonal.
    row_start: Vec<usize>,
    column: Vec<i32>,
    value: Vec<f64>,
    /// Runs of consecutive columns in the rows of L: the first run of each row (n + 1 of them), first
    /// entry and its column.
    run_start: Vec<usize>,
    run: Vec<(u32, u32)>,
    /// Columns of L below the diagonal: first entry, row, position in `value`.
    below_start: Vec<usize>,
    below_row: Vec<u32>,
    below_entry: Vec<usize>,
    /// Rows of J that contain each column: first entry, row, position within that row.
    touch_start: Vec<usize>,
    touch_row: Vec<u32>,
    touch_position: Vec<u32>,
    /// The cone a row of J belongs to, if it is the cone's first row; NONE otherwise.
    cone_of_row: Vec<u32>,
    cone_hessians: Vec<ConeHessian>,
    /// Rows of M that contain each column: first entry, row.
    inertia_start: Vec<usize>,
    inertia_row: Vec<u32>,
    buffer: Vec<f64>,
    /// Rows of L that are not current.
    is_old: Vec<bool>,
    parent: Vec<u32>,
    mark: Vec<u32>,
    off_diagonal: Vec<u32>,
}

impl SparseHessian {
    /// Finds the pattern of the factor, independent of row states, and makes room for it. False if it takes more
    /// than a number of bytes, if there is no room, or if somebody did not want to go on.
    pub fn analyse(
        &mut self,
        problem: &Problem<'_>,
        most: usize,
        question: &mut Question<'_>,
    ) -> bool {
        let n = problem.dof_count();
        self.index_cones(problem);
        if self.pattern.is_of(problem) {
            return self.bytes() <= most;
        }
        self.pattern.clear();
        self.n = n;
        self.index_columns(problem);
        self.index_inertia(problem);
        refill(&mut self.parent, n, NONE);
        refill(&mut self.mark, n, NONE);
        refill(&mut self.off_diagonal, n, 0);
        refill(&mut self.below_start, n, 0);
        self.below_row.clear();

        // Columns from the last to the first; the entries of one column stay together.
        for r in (0..n).rev() {
            self.mark[r] = r as u32;
            let first = self.below_row.len();
            self.below_start[r] = first;
            for k in self.inertia_start[r]..self.inertia_start[r + 1] {
                self.walk(self.inertia_row[k] as usize, r);
            }
            for k in self.touch_start[r]..self.touch_start[r + 1] {
                let (columns, _) = problem.jacobian.row(self.touch_row[k] as usize);
                if let Some(&last) = columns.last() {
                    self.walk(last as usize, r);
                }
            }
            for &i in &self.below_row[first..] {
                self.off_diagonal[i as usize] += 1;
            }
            let work = WALK_WORK * (self.below_row.len() - first);
            if self.bytes() > most || !question.may_go_on(work) {
                return false;
            }
        }
        let is_placed = self.has_room() && self.place_rows(question);
        if is_placed {
            self.pattern.keep(problem);
        }
        is_placed
    }

    /// Bytes that the entries found so far take.
    fn bytes(&self) -> usize {
        (self.below_row.len() + self.n).saturating_mul(ENTRY_BYTES)
    }

    /// Reserves what [`SparseHessian::place_rows`] fills.
    fn has_room(&mut self) -> bool {
        let below = self.below_row.len();
        can_hold(&mut self.column, below + self.n)
            && can_hold(&mut self.value, below + self.n)
            && can_hold(&mut self.below_entry, below)
    }

    /// From i towards r along parents, noting every row that gets an entry in column r.
    fn walk(&mut self, mut i: usize, r: usize) {
        while self.mark[i] != r as u32 {
            if self.parent[i] == NONE {
                self.parent[i] = r as u32;
            }
            self.mark[i] = r as u32;
            self.below_row.push(i as u32);
            i = self.parent[i] as usize;
        }
    }

    /// Lays out the rows of L from the column lists; false if somebody did not want to go on.
    fn place_rows(&mut self, question: &mut Question<'_>) -> bool {
        let n = self.n;
        self.row_start.clear();
        let mut total = 0;
        self.row_start.push(0);
        for &count in &self.off_diagonal {
            total += count as usize + 1;
            self.row_start.push(total);
        }
        refill(&mut self.column, total, 0);
        refill(&mut self.value, total, 0.0);
        refill(&mut self.below_entry, self.below_row.len(), 0);
        // Visiting columns in descending order fills each row from its end.
        for r in (0..n).rev() {
            if !question.may_go_on(WALK_WORK * self.column_entries(r).len()) {
                return false;
            }
            self.column[self.row_start[r + 1] - 1] = r as i32;
            for k in self.column_entries(r) {
                let i = self.below_row[k] as usize;
                self.off_diagonal[i] -= 1;
                let entry = self.row_start[i] + self.off_diagonal[i] as usize;
                self.column[entry] = r as i32;
                self.below_entry[k] = entry;
            }
        }
        self.find_runs();
        true
    }

    /// Finds the runs of consecutive columns.
    fn find_runs(&mut self) {
        self.run.clear();
        self.run_start.clear();
        self.run_start.push(0);
        for bounds in self.row_start.windows(2) {
            let mut entry = bounds[0];
            for run in self.column[bounds[0]..bounds[1]].chunk_by(|a, b| a + 1 == *b) {
                self.run.push((entry as u32, run[0] as u32));
                entry += run.len();
            }
            self.run_start.push(self.run.len());
        }
    }

    /// Positions in `below_row` of column r: they were pushed from the last column to the first.
    #[inline(always)]
    fn column_entries(&self, r: usize) -> core::ops::Range<usize> {
        let end = if r == 0 {
            self.below_row.len()
        } else {
            self.below_start[r - 1]
        };
        self.below_start[r]..end
    }

    fn index_columns(&mut self, problem: &Problem<'_>) {
        let n = self.n;
        let rows = problem.row_count();
        refill(&mut self.touch_start, n + 2, 0);
        for i in 0..rows {
            for &c in problem.jacobian.row(i).0 {
                self.touch_start[c as usize + 2] += 1;
            }
        }
        for c in 0..n {
            self.touch_start[c + 2] += self.touch_start[c + 1];
        }
        let total = self.touch_start[n + 1];
        refill(&mut self.touch_row, total, 0);
        refill(&mut self.touch_position, total, 0);
        for i in 0..rows {
            for (position, &c) in problem.jacobian.row(i).0.iter().enumerate() {
                let slot = &mut self.touch_start[c as usize + 1];
                self.touch_row[*slot] = i as u32;
                self.touch_position[*slot] = position as u32;
                *slot += 1;
            }
        }
    }

    fn index_inertia(&mut self, problem: &Problem<'_>) {
        let n = self.n;
        let rows = problem.inertia_rows;
        let row = |i: usize| {
            let start = rows.rowadr[i] as usize;
            &rows.colind[start..start + rows.rownnz[i] as usize]
        };
        refill(&mut self.inertia_start, n + 2, 0);
        for c in (0..n).flat_map(row) {
            self.inertia_start[*c as usize + 2] += 1;
        }
        for c in 0..n {
            self.inertia_start[c + 2] += self.inertia_start[c + 1];
        }
        refill(&mut self.inertia_row, self.inertia_start[n + 1], 0);
        for i in 0..n {
            for &c in row(i) {
                let slot = &mut self.inertia_start[c as usize + 1];
                self.inertia_row[*slot] = i as u32;
                *slot += 1;
            }
        }
    }

    fn index_cones(&mut self, problem: &Problem<'_>) {
        refill(&mut self.cone_of_row, problem.row_count(), NONE);
        for (k, cone) in problem.cones.iter().enumerate() {
            self.cone_of_row[cone.row] = k as u32;
        }
        self.cone_hessians.resize(problem.cones.len(), [0.0; 36]);
    }

    /// Computes the factor for the given states and residuals of the rows; false if somebody did not want to go
    /// on.
    pub fn factor(
        &mut self,
        problem: &Problem<'_>,
        at: (&[f64], &[f64]),
        question: &mut Question<'_>,
    ) -> bool {
        refill(&mut self.is_old, self.n, true);
        self.refactor(problem, at, question)
    }

    /// Computes the factor anew where rows of J changed their state. A change in row r of L reaches
    /// the rows whose columns it has, which are nearer to the root of the elimination tree.
    pub fn update(
        &mut self,
        problem: &Problem<'_>,
        old_state: &[f64],
        at: (&[f64], &[f64]),
        question: &mut Question<'_>,
    ) -> bool {
        let row_state = at.0;
        refill(&mut self.is_old, self.n, false);
        for (i, (&old, &new)) in old_state.iter().zip(row_state).enumerate() {
            let is_changed = (old == QUADRATIC) != (new == QUADRATIC);
            if is_changed || old == CONE || new == CONE {
                for &column in problem.jacobian.row(i).0 {
                    self.is_old[column as usize] = true;
                }
            }
        }
        self.refactor(problem, at, question)
    }

    fn refactor(
        &mut self,
        problem: &Problem<'_>,
        (row_state, residual): (&[f64], &[f64]),
        question: &mut Question<'_>,
    ) -> bool {
        let shaped = problem.cones.iter().zip(problem.cone_shapes);
        for ((cone, shape), hessian) in shaped.zip(&mut self.cone_hessians) {
            if row_state[cone.row] == CONE {
                *hessian = cone_hessian(cone, shape, problem.D, residual);
            }
        }
        let n = self.n;
        let mut buffer = core::mem::take(&mut self.buffer);
        refill(&mut buffer, n, 0.0);
        for r in (0..n).rev() {
            if !self.is_old[r] {
                continue;
            }
            self.gather_row(problem, row_state, r, &mut buffer);

            wide::run(TakeOut {
                factor: self,
                column: r,
                buffer: &mut buffer,
            });

            let inverse = 1.0 / buffer[r].max(MIN_VALUE).sqrt();
            let diagonal = self.row_start[r + 1] - 1;
            for entry in self.row_start[r]..diagonal {
                let c = self.column[entry] as usize;
                self.value[entry] = buffer[c] * inverse;
                self.is_old[c] = true;
                buffer[c] = 0.0;
            }
            self.value[diagonal] = inverse;
            buffer[r] = 0.0;
            // Rows below are about as long as this one.
            let length = diagonal - self.row_start[r] + 1;
            let rows = self.column_entries(r).len() + self.touch_start[r + 1] - self.touch_start[r];
            if !question.may_go_on(length * rows) {
                self.buffer = buffer;
                return false;
            }
        }
        self.buffer = buffer;
        true
    }

    /// buffer += row r of H, up to the diagonal.
    fn gather_row(&self, problem: &Problem<'_>, row_state: &[f64], r: usize, buffer: &mut [f64]) {
        let inertia = problem.inertia_rows;
        let start = inertia.rowadr[r] as usize;
        for k in start..start + inertia.rownnz[r] as usize {
            buffer[inertia.colind[k] as usize] += problem.inertia[k];
        }
        for k in self.touch_start[r]..self.touch_start[r + 1] {
            let i = self.touch_row[k] as usize;
            let position = self.touch_position[k] as usize;
            let (columns, values) = problem.jacobian.row(i);
            if row_state[i] == QUADRATIC {
                let weight = problem.D[i] * values[position];
                for (&c, &v) in columns[..=position].iter().zip(&values[..=position]) {
                    buffer[c as usize] += weight * v;
                }
            } else if row_state[i] == CONE && self.cone_of_row[i] != NONE {
                let which = self.cone_of_row[i] as usize;
                let dim = problem.cones[which].dim;
                let hessian = &self.cone_hessians[which];
                for j in 0..dim {
                    let mut weight = 0.0;
                    for l in 0..dim {
                        weight += hessian[j * dim + l] * problem.jacobian.row(i + l).1[position];
                    }
                    let values = problem.jacobian.row(i + j).1;
                    for (&c, &v) in columns[..=position].iter().zip(&values[..=position]) {
                        buffer[c as usize] += weight * v;
                    }
                }
            }
        }
    }

    /// x ← H⁻¹·x
    pub fn solve(&self, x: &mut [f64]) {
        for i in (0..self.n).rev() {
            if x[i] != 0.0 {
                let (start, diagonal) = (self.row_start[i], self.row_start[i + 1] - 1);
                x[i] *= self.value[diagonal];
                let value = x[i];
                for (&c, &v) in self.column[start..diagonal]
                    .iter()
                    .zip(&self.value[start..diagonal])
                {
                    x[c as usize] -= v * value;
                }
            }
        }
        for i in 0..self.n {
            let (start, diagonal) = (self.row_start[i], self.row_start[i + 1] - 1);
            x[i] -= dot_sparse(
                &self.value[start..diagonal],
                &self.column[start..diagonal],
                x,
            );
            x[i] *= self.value[diagonal];
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::case::{Case, Random};
    use crate::problem::state;

    const SATISFIED: f64 = state::SATISFIED as f64;

    /// States that a solver could find: cones as a whole, other rows on their own.
    fn states(problem: &Problem<'_>, random: &mut Random) -> Vec<f64> {
        let mut states: Vec<f64> = (0..problem.row_count())
            .map(|_| match random.uniform() < 0.6 {
                true => QUADRATIC,
                false => SATISFIED,
            })
            .collect();
        for cone in problem.cones {
            let kinds = [SATISFIED, QUADRATIC, CONE];
            let kind = kinds[(random.uniform() * 3.0) as usize];
            states[cone.row..cone.row + cone.dim].fill(kind);
        }
        states
    }

    #[test]
    fn a_factor_renewed_in_part_is_the_factor() {
        let (mut renewed_rows, mut rows) = (0, 0);
        for seed in 0..20 {
            for is_elliptic in [false, true] {
                let case = Case::random(seed, 9, 5, is_elliptic);
                let problem = case.problem();
                let random = &mut Random(seed + 100);
                let before = states(&problem, random);
                let mut after = before.clone();
                let other = states(&problem, random);
                // A few rows change; of a cone all or none.
                let mut row = 0;
                while row < after.len() {
                    let cone = problem.cones.iter().find(|cone| cone.row == row);
                    let count = cone.map_or(1, |cone| cone.dim);
                    if random.uniform() < 0.05 {
                        after[row..row + count].copy_from_slice(&other[row..row + count]);
                    }
                    row += count;
                }
                let mut residual = || -> Vec<f64> {
                    let rows = 0..problem.row_count();
                    rows.map(|_| random.between(-1.0, -0.1)).collect()
                };
                let (first, second) = (residual(), residual());

                let mut whole = SparseHessian::default();
                let nobody = &mut Question::to(None);
                assert!(whole.analyse(&problem, usize::MAX, nobody));
                let mut part = whole.clone();
                assert!(whole.factor(&problem, (&after, &second), nobody));
                assert!(part.factor(&problem, (&before, &first), nobody));
                assert!(part.update(&problem, &before, (&after, &second), nobody));
                assert_eq!(part.value, whole.value, "{seed}");
                renewed_rows += part.is_old.iter().filter(|is_old| **is_old).count();
                rows += part.n;
            }
        }
        assert!(renewed_rows < rows, "nothing was saved");
    }
}
