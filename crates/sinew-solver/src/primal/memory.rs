//! Working memory of a descent, cut from one slice.

use super::line_search::{ConeLine, Quadratic};
use crate::problem::Problem;
use sinew_math::Real;

/// Vectors of a descent.
pub(crate) struct Memory<'a, T = f64> {
    /// M·qacc
    pub inertia_acceleration: &'a mut [T],
    /// M·qacc − qfrc_smooth − Jᵀf
    pub gradient: &'a mut [T],
    pub direction: &'a mut [T],
    /// M·direction
    pub inertia_direction: &'a mut [T],
    /// J·direction
    pub jacobian_direction: &'a mut [T],
    pub old_state: &'a mut [T],
    pub quadratics: &'a mut [Quadratic<T>],
    pub cones: &'a mut [ConeLine<T>],
}

/// How much of everything there is.
#[derive(Clone, Copy)]
pub(crate) struct Sizes {
    pub dofs: usize,
    pub rows: usize,
    pub cones: usize,
}

impl Sizes {
    /// Those of a problem.
    pub fn of<T: Real, J>(problem: &Problem<'_, T, J>) -> Self {
        Sizes {
            dofs: problem.dof_count(),
            rows: problem.row_count(),
            cones: problem.cones.len(),
        }
    }

    /// Numbers that [`Memory::cut`] takes.
    pub fn length(self) -> usize {
        4 * self.dofs + 5 * self.rows + 6 * self.cones
    }
}

impl<'a, T: Real> Memory<'a, T> {
    /// Cuts the memory from the front of a slice; returns what is left.
    #[inline(always)]
    pub fn cut(sizes: Sizes, slice: &'a mut [T]) -> (Self, &'a mut [T]) {
        let Sizes { dofs, rows, cones } = sizes;
        let (inertia_acceleration, slice) = slice.split_at_mut(dofs);
        let (gradient, slice) = slice.split_at_mut(dofs);
        let (direction, slice) = slice.split_at_mut(dofs);
        let (inertia_direction, slice) = slice.split_at_mut(dofs);
        let (jacobian_direction, slice) = slice.split_at_mut(rows);
        let (old_state, slice) = slice.split_at_mut(rows);
        let (quadratics, slice) = slice.split_at_mut(3 * rows);
        let (cones, rest) = slice.split_at_mut(6 * cones);
        let memory = Memory {
            inertia_acceleration,
            gradient,
            direction,
            inertia_direction,
            jacobian_direction,
            old_state,
            quadratics: quadratics.as_chunks_mut().0,
            cones: cones.as_chunks_mut().0,
        };
        (memory, rest)
    }
}
