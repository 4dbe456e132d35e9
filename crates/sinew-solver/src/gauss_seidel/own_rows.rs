//! The rows of each lane without gaps: the k-th row is the k-th that the lane has.
//!
//! A sum over all rows of a world adds up rows in four interleaved partial sums, and the one to three rows behind
//! the last four by themselves ([`sinew_math::dense::dot`]). Which rows those are differs per lane, so the sums are
//! over `fours`, where they are zero, and over `rest`, where only they are.

use super::projection::Projection;
use crate::jacobian::Jacobian;
use crate::problem::Problem;
use sinew_math::{Mask, Real};

/// Rows behind the last four, at most.
pub(super) const REST: usize = 3;

/// The rows of each lane, moved together. A row that a lane does not have is zero and stays so.
pub(super) struct OwnRows<'a, T> {
    /// The most rows that a lane has.
    pub rows: usize,
    /// How many a lane has.
    count: T,
    /// Where the rows end that come in fours.
    fours_end: T,
    /// J, row by row.
    pub jacobian: &'a mut [T],
    /// J·qacc_smooth − aref.
    pub b: &'a mut [T],
    /// Regularisation; 1 in rows that a lane does not have.
    pub regularisation: &'a mut [T],
    /// Between which forces stay.
    pub bounds: &'a mut [[T; 2]],
    pub force: &'a mut [T],
    /// The forces in rows that come in fours, others zero.
    pub fours: &'a mut [T],
    /// (A + R) times the forces given.
    product: &'a mut [T],
    /// The forces behind them.
    pub rest: [T; REST],
}

/// The most rows that a lane among some has.
#[inline(always)]
pub(super) fn most_rows<T: Real>(exists: &[T], lanes: T::Mask) -> usize {
    let mut count = T::ZERO;
    for &exists in exists {
        count += exists;
    }
    let counts = (0..T::LANES).filter(|&lane| lanes.lane(lane));
    counts
        .map(|lane| count.lane(lane) as usize)
        .max()
        .unwrap_or(0)
}

/// Takes the lanes that go to the same place out of those that are left.
#[inline(always)]
fn next_place<T: Real>(place: T, left: &mut T::Mask) -> Option<(usize, T::Mask)> {
    let lane = (0..T::LANES).find(|&lane| left.lane(lane))?;
    let row = place.lane(lane);
    let here = *left & place.equals(T::from_f64(row));
    *left = *left & !here;
    Some((row as usize, here))
}

impl<'a, T: Real> OwnRows<'a, T> {
    /// Numbers of memory.
    pub fn length(rows: usize, dofs: usize) -> usize {
        rows * (dofs + 7)
    }

    /// In memory of that length.
    #[inline(always)]
    pub fn cut(rows: usize, dofs: usize, memory: &'a mut [T]) -> Self {
        memory.fill(T::ZERO);
        let (jacobian, memory) = memory.split_at_mut(rows * dofs);
        let (b, memory) = memory.split_at_mut(rows);
        let (regularisation, memory) = memory.split_at_mut(rows);
        let (force, memory) = memory.split_at_mut(rows);
        let (fours, memory) = memory.split_at_mut(rows);
        let (product, bounds) = memory.split_at_mut(rows);
        regularisation.fill(T::ONE);
        OwnRows {
            rows,
            count: T::ZERO,
            fours_end: T::ZERO,
            jacobian,
            b,
            regularisation,
            bounds: bounds.as_chunks_mut().0,
            force,
            fours,
            product,
            rest: [T::ZERO; REST],
        }
    }

    /// Fetches the rows that exist in active lanes, with b and forces, and writes to which row each went; −1: none.
    #[inline(always)]
    pub fn gather<J: Jacobian<T>>(
        &mut self,
        problem: &Problem<'_, T, J>,
        (exists, active): (&[T], T::Mask),
        (b, force): (&[T], &[T]),
        place: &mut [T],
    ) {
        let dofs = problem.dof_count();
        for i in 0..problem.row_count() {
            let is_there = exists[i].equals(T::ONE) & active;
            place[i] = T::select(is_there, self.count, -T::ONE);
            let bounds = bounds(problem, i);
            let mut left = is_there;
            while let Some((row, here)) = next_place(place[i], &mut left) {
                let put = |new: T, old: &mut T| *old = T::select(here, new, *old);
                let entries = &mut self.jacobian[row * dofs..(row + 1) * dofs];
                problem.jacobian.write_row(i, here, entries);
                put(b[i], &mut self.b[row]);
                put(problem.R[i], &mut self.regularisation[row]);
                put(force[i], &mut self.force[row]);
                put(bounds[0], &mut self.bounds[row][0]);
                put(bounds[1], &mut self.bounds[row][1]);
            }
            self.count = T::select(is_there, self.count + T::ONE, self.count);
        }
        for lane in 0..T::LANES {
            let end = self.count.lane(lane) as usize / 4 * 4;
            self.fours_end.set_lane(lane, end as f64);
        }
    }

    /// Keeps the forces if they are better than none.
    #[inline(always)]
    pub fn start(&mut self, projection: &Projection<'_, T>) {
        for i in 0..self.rows {
            self.set_force(i, self.force[i]);
        }
        // The cost ½fᵀ(A + R)f + fᵀb.
        let along_b = self.dot(self.b, self.rest_of(self.b));
        for i in 0..self.rows {
            self.product[i] = projection.product(i, self);
        }
        let along_product = self.dot(self.product, self.rest_of(self.product));
        let cost = along_b + T::from_f64(0.5) * along_product;
        let is_worse = cost.greater(T::ZERO);
        for i in 0..self.rows {
            self.set_force(i, T::select(is_worse, T::ZERO, self.force[i]));
        }
    }

    /// Where a row is one of those behind the last four.
    #[inline(always)]
    pub fn is_behind(&self, row: usize) -> T::Mask {
        let row = T::from_f64(row as f64);
        row.at_least(self.fours_end) & row.less(self.count)
    }

    /// Writes a force.
    #[inline(always)]
    pub fn set_force(&mut self, row: usize, force: T) {
        self.force[row] = force;
        let is_behind = self.is_behind(row);
        self.fours[row] = T::select(is_behind, T::ZERO, force);
        if let Some(rest) = self.rest.get_mut(row % 4) {
            *rest = T::select(is_behind, force, *rest);
        }
    }

    /// The entries of a vector behind the last four.
    #[inline(always)]
    fn rest_of(&self, x: &[T]) -> [T; REST] {
        let mut rest = [T::ZERO; REST];
        for (row, &x) in x.iter().enumerate().filter(|(row, _)| row % 4 < REST) {
            rest[row % 4] = T::select(self.is_behind(row), x, rest[row % 4]);
        }
        rest
    }

    /// The forces times a vector whose entries behind the last four are given.
    #[inline(always)]
    pub fn dot(&self, x: &[T], rest: [T; REST]) -> T {
        let (blocks, _) = x.as_chunks::<4>();
        let (forces, _) = self.fours.as_chunks::<4>();
        let mut sum = [T::ZERO; 4];
        for (x, force) in blocks.iter().zip(forces) {
            for k in 0..4 {
                sum[k] += x[k] * force[k];
            }
        }
        let total = (sum[0] + sum[2]) + (sum[1] + sum[3]);
        let [a, b, c] = self.rest;
        total + (rest[0] * a + rest[1] * b + rest[2] * c)
    }

    /// Puts the forces back to where their rows came from.
    #[inline(always)]
    pub fn scatter(&self, place: &[T], out: &mut [T]) {
        for (out, &place) in out.iter_mut().zip(place) {
            *out = T::ZERO;
            let mut left = place.at_least(T::ZERO);
            while let Some((row, here)) = next_place(place, &mut left) {
                *out = T::select(here, self.force[row], *out);
            }
        }
    }
}

/// Between which forces of a row stay.
#[inline(always)]
fn bounds<T: Real, J>(problem: &Problem<'_, T, J>, row: usize) -> [T; 2] {
    let infinity = T::from_f64(f64::INFINITY);
    let friction_end = problem.equality_count + problem.friction_count;
    match row {
        _ if row < problem.equality_count => [-infinity, infinity],
        _ if row < friction_end => [-problem.frictionloss[row], problem.frictionloss[row]],
        _ => [T::ZERO, infinity],
    }
}
