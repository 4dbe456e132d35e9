//! Forces and torques at points of bodies as generalised forces. Conforms to MuJoCo's `mj_applyFT`.

use crate::com::ComRef;
use crate::jacobian::{dofs_of, offset, translation_column};
use sinew_math::series::Cells;
use sinew_math::spatial::{Spatial, rotation};
use sinew_math::{Real, Vec3};
use sinew_model::view::Tree;

/// Adds a force and a torque (world frame) at a point of a body to a generalised force, where they act.
#[inline(always)]
pub fn apply<T: Real>(
    tree: &Tree<'_>,
    com: &ComRef<'_, T>,
    (body, point): (usize, Vec3<T>),
    (force, torque): (Vec3<T>, Vec3<T>),
    acts: T::Mask,
    qfrc: &mut [T],
) {
    let offset = offset(tree, com.subtree_com, body, point);
    for dof in dofs_of(tree, body) {
        let cdof = &com.cdof.at(dof);
        let turned = add(qfrc[dof], cdof, offset, (force, torque));
        qfrc[dof] = T::select(acts, turned, qfrc[dof]);
    }
}

/// The force along a degree of freedom with a wrench added, at an offset from the centre of mass of its tree.
#[inline(always)]
pub fn add<T: Real>(
    sum: T,
    cdof: &Spatial<T>,
    offset: Vec3<T>,
    (force, torque): (Vec3<T>, Vec3<T>),
) -> T {
    let pushed = sum + translation_column(cdof, offset).dot(force);
    pushed + rotation(cdof).dot(torque)
}
