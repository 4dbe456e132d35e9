//! Jacobians of points fixed in bodies.
//!
//! The arithmetic is [`sinew_dynamics::jacobian`]'s. Conforms to MuJoCo's `mj_jac` family.

use super::com::Com;
use sinew_dynamics::jacobian;
pub(crate) use sinew_dynamics::jacobian::{Moves, difference_column, translation_column};
use sinew_math::Vec3;
use sinew_model::Model;
use sinew_model::view::Tree;

/// The last degree of freedom that moves a body; −1 for a static body.
#[inline]
pub(crate) fn last_dof(model: &Model, body: usize) -> i32 {
    jacobian::last_dof(&Tree::from(model), body)
}

/// From the tree's centre of mass to a point in a body.
#[inline]
pub(crate) fn offset(model: &Model, com: &Com, body: usize, point: Vec3) -> Vec3 {
    jacobian::offset(&Tree::from(model), &com.subtree_com, body, point)
}

/// Calls `visit(dof)` for the degrees of freedom that move a body, from the body to the root.
#[inline]
pub(crate) fn for_each_dof(model: &Model, body: usize, visit: impl FnMut(usize)) {
    jacobian::for_each_dof(&Tree::from(model), body, visit);
}

/// Calls `visit(dof, moves)` for the degrees of freedom that move either of two bodies, in
/// descending order.
#[inline]
pub(crate) fn for_each_dof_of_pair(
    model: &Model,
    bodies: [usize; 2],
    visit: impl FnMut(usize, Moves),
) {
    jacobian::for_each_dof_of_pair(&Tree::from(model), bodies, visit);
}

/// Dense Jacobians (3 × nv, row-major) of a point fixed in a body: translation and rotation.
#[doc(alias = "mj_jac")]
pub(crate) fn point(
    model: &Model,
    com: &Com,
    body: usize,
    point: Vec3,
    jacp: &mut [f64],
    jacr: &mut [f64],
) {
    let nv = model.nv;
    assert!(
        jacp.len() == 3 * nv && jacr.len() == 3 * nv,
        "3 × nv entries"
    );
    jacp.fill(0.0);
    jacr.fill(0.0);
    let offset = offset(model, com, body, point);
    for_each_dof(model, body, |dof| {
        let column = translation_column(&com.cdof[dof], offset);
        for k in 0..3 {
            jacp[k * nv + dof] = column[k];
            jacr[k * nv + dof] = com.cdof[dof][k];
        }
    });
}
