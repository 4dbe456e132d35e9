//! Advancing velocities by an acceleration, with joint damping taken implicitly.
//!
//! Where a degree of freedom has damping b, velocities advance by the solution of
//! (M + h·diag(b))·a = f instead of M·a = f: the damping force is that of the new velocity. So it is for all
//! forces that change with the velocity of their own degree of freedom alone. Conforms to MuJoCo's `mj_Euler`
//! and `mj_implicit`.

use crate::inertia::rows;
use core::ops::Range;
use sinew_math::{Lift, Real, tree};
use sinew_model::view::{Tree, TreeValues};

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
    for i in dofs.clone() {
        out.acceleration[i] = timestep * values.dof_damping[i].lift();
    }
    solve_with_diagonal(tree, inertia, (smooth, constraint), dofs, out);
}

/// The acceleration with forces taken implicitly whose derivatives by velocity are diagonal.
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
    for i in dofs.clone() {
        out.acceleration[i] = derivative[i] * -timestep;
    }
    solve_with_diagonal(tree, inertia, forces, dofs, out);
}

/// (M + diag(d))·a = f, where d comes in the place of a.
#[inline(always)]
fn solve_with_diagonal<T: Real>(
    tree: &Tree<'_>,
    inertia: &[T],
    (smooth, constraint): (&[T], &[T]),
    dofs: Range<usize>,
    out: &mut Damped<'_, T>,
) {
    out.qH.copy_from_slice(inertia);
    for i in dofs.clone() {
        let diagonal = (tree.M_rowadr[i] + tree.M_rownnz[i] - 1) as usize;
        out.qH[diagonal] += out.acceleration[i];
    }
    tree::factor(rows(tree), out.qH, out.qHDiagInv);
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
