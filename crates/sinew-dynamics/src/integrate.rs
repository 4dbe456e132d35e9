//! Advancing velocities by an acceleration, with joint damping taken implicitly.
//!
//! Where a degree of freedom has damping b, velocities advance by the solution of
//! (M + h·diag(b))·a = f instead of M·a = f: the damping force is that of the new velocity. Other forces
//! that change with velocity can be taken so as well. Conforms to MuJoCo's `mj_Euler`
//! and `mj_implicit`.

use crate::inertia::rows;
use core::ops::Range;
use sinew_math::{Lift, Real, tree};
use sinew_model::view::{Tree, TreeValues};

/// Where the later stages of Runge and Kutta's method stand on the slope of the one before.
pub const STAGE_STEPS: [f64; 3] = [0.5, 0.5, 1.0];

/// The weights of the stages' slopes in the result.
pub const STAGE_WEIGHTS: [f64; 4] = [1.0 / 6.0, 1.0 / 3.0, 1.0 / 3.0, 1.0 / 6.0];

/// A matrix in the layout of M, its factor's inverse diagonal, and the acceleration it is solved for.
#[allow(non_snake_case)]
#[derive(Debug)]
pub struct Damped<'a, T = f64> {
    /// M + h·diag(b), factored.
    pub qH: &'a mut [T],
    /// Inverse diagonal of that factor.
    pub qHDiagInv: &'a mut [T],
    /// The acceleration.
    pub acceleration: &'a mut [T],
}

/// The acceleration with damping taken implicitly.
#[inline(always)]
pub fn damped_acceleration<T: Real, V: Lift<T>>(
    tree: &Tree<'_>,
    values: &TreeValues<'_, V>,
    timestep: T,
    inertia: &[T],
    (smooth, constraint): (&[T], &[T]),
    dofs: Range<usize>,
    out: &mut Damped<'_, T>,
) {
    damped_matrix(tree, values, timestep, inertia, dofs.clone(), out.qH);
    tree::factor(rows(tree), out.qH, out.qHDiagInv);
    solve(tree, (smooth, constraint), dofs, out);
}

/// M + h·diag(b).
#[inline(always)]
pub fn damped_matrix<T: Real, V: Lift<T>>(
    tree: &Tree<'_>,
    values: &TreeValues<'_, V>,
    timestep: T,
    inertia: &[T],
    dofs: Range<usize>,
    out: &mut [T],
) {
    out.copy_from_slice(inertia);
    for i in dofs {
        let diagonal = (tree.M_rowadr[i] + tree.M_rownnz[i] - 1) as usize;
        out[diagonal] += timestep * values.dof_damping[i].lift();
    }
}

/// The acceleration with forces taken implicitly whose derivative by velocity is given, in the layout of M.
#[inline(always)]
pub fn implicit_acceleration<T: Real>(
    tree: &Tree<'_>,
    derivative: &[T],
    timestep: T,
    inertia: &[T],
    forces: (&[T], &[T]),
    dofs: Range<usize>,
    out: &mut Damped<'_, T>,
) {
    let entries = inertia.iter().zip(derivative);
    for (value, (&inertia, &slope)) in out.qH.iter_mut().zip(entries) {
        *value = inertia + slope * -timestep;
    }
    tree::factor(rows(tree), out.qH, out.qHDiagInv);
    solve(tree, forces, dofs, out);
}

/// Solves for the acceleration with the factored matrix.
#[inline(always)]
pub fn solve<T: Real>(
    tree: &Tree<'_>,
    (smooth, constraint): (&[T], &[T]),
    dofs: Range<usize>,
    out: &mut Damped<'_, T>,
) {
    for i in dofs.clone() {
        out.acceleration[i] = smooth[i] + constraint[i];
    }
    tree::solve_range(rows(tree), dofs, out.qH, out.qHDiagInv, out.acceleration);
}

/// Velocities after a time.
#[inline(always)]
pub fn velocities<T: Real>(qvel: &mut [T], acceleration: &[T], timestep: T) {
    for (v, &a) in qvel.iter_mut().zip(acceleration) {
        *v += a * timestep;
    }
}
