//! The rows of each lane without gaps: the k-th row is the k-th that the lane has.
//!
//! A sum over all rows of a world adds up rows in four interleaved partial sums, and the one to three rows behind
//! the last four by themselves ([`sinew_math::dense::dot`]). Which rows those are differs per lane, so they are put
//! behind the fours of the lane with most of them: a lane with fewer has rows of zeros in between.

use super::projection::Projection;
use crate::jacobian::Jacobian;
use crate::problem::Problem;
use sinew_math::{Mask, Real};

/// Rows behind the last four, at most.
const REST: usize = 3;

/// How many rows lanes have.
#[derive(Clone, Copy)]
pub(super) struct Extent<T> {
    /// That come in fours, in each lane.
    own_fours: T,
    /// That come in fours, in the lane with most.
    fours: usize,
    /// Behind the last four, in the lane with most.
    rest: usize,
}

impl<T: Real> Extent<T> {
    /// Of some lanes, given where rows exist.
    #[inline(always)]
    pub fn of(exists: &[T], lanes: T::Mask) -> Self {
        let mut count = T::ZERO;
        for &exists in exists {
            count += exists;
        }
        let (mut own_fours, mut fours, mut rest) = (T::ZERO, 0, 0);
        for lane in 0..T::LANES {
            if lanes.lane(lane) {
                let count = count.lane(lane) as usize;
                own_fours.set_lane(lane, (count / 4 * 4) as f64);
                fours = fours.max(count / 4 * 4);
                rest = rest.max(count % 4);
            }
        }
        Extent {
            own_fours,
            fours,
            rest,
        }
    }

    /// Rows of all lanes together.
    pub fn rows(&self) -> usize {
        self.fours + self.rest
    }

    /// Numbers in a vector over rows: what is behind the last four has all its places.
    pub fn width(&self) -> usize {
        self.fours + REST
    }

    /// Where rows go of which lanes have so many before.
    #[inline(always)]
    fn place(&self, count: T) -> T {
        let behind = count - self.own_fours + T::from_f64(self.fours as f64);
        T::select(count.at_least(self.own_fours), behind, count)
    }
}

/// The rows of each lane, moved together. A row that a lane does not have is zero and stays so.
pub(super) struct OwnRows<'a, T> {
    pub extent: Extent<T>,
    /// J, row by row.
    pub jacobian: &'a mut [T],
    /// J·qacc_smooth − aref.
    pub b: &'a mut [T],
    /// Regularisation; 1 in rows that a lane does not have.
    pub regularisation: &'a mut [T],
    /// Between which forces stay.
    pub bounds: &'a mut [[T; 2]],
    pub force: &'a mut [T],
    /// (A + R) times the forces given.
    product: &'a mut [T],
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
    pub fn length(extent: &Extent<T>, dofs: usize) -> usize {
        extent.width() * (dofs + 6)
    }

    /// In memory of that length.
    #[inline(always)]
    pub fn cut(extent: Extent<T>, dofs: usize, memory: &'a mut [T]) -> Self {
        memory.fill(T::ZERO);
        let width = extent.width();
        let (jacobian, memory) = memory.split_at_mut(width * dofs);
        let (b, memory) = memory.split_at_mut(width);
        let (regularisation, memory) = memory.split_at_mut(width);
        let (force, memory) = memory.split_at_mut(width);
        let (product, bounds) = memory.split_at_mut(width);
        regularisation.fill(T::ONE);
        OwnRows {
            extent,
            jacobian,
            b,
            regularisation,
            bounds: bounds.as_chunks_mut().0,
            force,
            product,
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
        let mut count = T::ZERO;
        for i in 0..problem.row_count() {
            let is_there = exists[i].equals(T::ONE) & active;
            place[i] = T::select(is_there, self.extent.place(count), -T::ONE);
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
            count = T::select(is_there, count + T::ONE, count);
        }
    }

    /// Keeps the forces if they are better than none.
    #[inline(always)]
    pub fn start(&mut self, projection: &Projection<'_, T>) {
        // The cost ½fᵀ(A + R)f + fᵀb.
        let along_b = self.dot(self.b);
        for i in 0..self.extent.rows() {
            self.product[i] = projection.product(i, self);
        }
        let along_product = self.dot(self.product);
        let cost = along_b + T::from_f64(0.5) * along_product;
        let is_worse = cost.greater(T::ZERO);
        for force in &mut *self.force {
            *force = T::select(is_worse, T::ZERO, *force);
        }
    }

    /// The forces times a vector.
    #[inline(always)]
    pub fn dot(&self, x: &[T]) -> T {
        let (x, x_rest) = x.split_at(self.extent.fours);
        let (forces, rest) = self.force.split_at(self.extent.fours);
        let mut sum = [T::ZERO; 4];
        for (x, force) in x.as_chunks::<4>().0.iter().zip(forces.as_chunks::<4>().0) {
            for k in 0..4 {
                sum[k] += x[k] * force[k];
            }
        }
        let total = (sum[0] + sum[2]) + (sum[1] + sum[3]);
        total + (x_rest[0] * rest[0] + x_rest[1] * rest[1] + x_rest[2] * rest[2])
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
