//! Jacobians of points fixed in bodies.
//!
//! Column i of the translational Jacobian of a point p is the velocity of p under unit velocity of
//! degree of freedom i: the translation of `cdof[i]` moved from the tree's centre of mass to p.
//! Only the degrees of freedom on the path from the body to the root have non-zero columns, and
//! they are visited by following `dof_parentid`. Conforms to MuJoCo's `mj_jac` family.

use super::com::Com;
use sinew_math::Vec3;
use sinew_math::spatial::{rotation, translation};
use sinew_model::Model;

/// The last degree of freedom that moves a body; −1 for a static body.
#[inline]
pub(crate) fn last_dof(model: &Model, body: usize) -> i32 {
    let weld = model.body_weldid[body] as usize;
    if weld == 0 {
        -1
    } else {
        model.body_dofadr[weld] + model.body_dofnum[weld] - 1
    }
}

/// From the tree's centre of mass to a point in a body.
#[inline]
pub(crate) fn offset(model: &Model, com: &Com, body: usize, point: Vec3) -> Vec3 {
    point - com.subtree_com[model.body_rootid[body] as usize]
}

/// Velocity of a point at `offset` from the centre of mass under a unit motion.
#[inline]
pub(crate) fn translation_column(cdof: &[f64; 6], offset: Vec3) -> Vec3 {
    translation(cdof) + rotation(cdof).cross(offset)
}

/// Calls `visit(dof)` for the degrees of freedom that move a body, from the body to the root.
#[inline]
pub(crate) fn for_each_dof(model: &Model, body: usize, mut visit: impl FnMut(usize)) {
    let mut dof = last_dof(model, body);
    while dof >= 0 {
        visit(dof as usize);
        dof = model.dof_parentid[dof as usize];
    }
}

/// Calls `visit(dof, moves_first, moves_second)` for the degrees of freedom that move either of two
/// bodies, in descending order.
#[inline]
pub(crate) fn for_each_dof_of_pair(
    model: &Model,
    first: usize,
    second: usize,
    mut visit: impl FnMut(usize, bool, bool),
) {
    let (mut a, mut b) = (last_dof(model, first), last_dof(model, second));
    while a >= 0 || b >= 0 {
        let dof = a.max(b);
        let (in_first, in_second) = (a == dof, b == dof);
        visit(dof as usize, in_first, in_second);
        let parent = model.dof_parentid[dof as usize];
        if in_first {
            a = parent;
        }
        if in_second {
            b = parent;
        }
    }
}

/// Column of the Jacobian of (point 2 − point 1).
#[inline]
pub(crate) fn difference_column(
    cdof: &[f64; 6],
    (moves_first, offset1): (bool, Vec3),
    (moves_second, offset2): (bool, Vec3),
) -> Vec3 {
    match (moves_first, moves_second) {
        (false, _) => translation_column(cdof, offset2),
        (true, false) => -translation_column(cdof, offset1),
        (true, true) => translation_column(cdof, offset2) - translation_column(cdof, offset1),
    }
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
