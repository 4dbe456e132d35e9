//! Centres of mass, and inertias and motion axes expressed about them.
//!
//! All spatial quantities of a kinematic tree are about the centre of mass of the whole tree
//! (`subtree_com` of its root body), in world axes: that keeps their numbers small wherever the
//! tree travels. `cinert` is a body's inertia, `cdof` the unit motion of a degree of freedom.
//! Conforms to MuJoCo's `mj_comPos`.

use crate::kinematics::KinematicsRef;
use core::ops::Range;
use sinew_math::series::Cells;
use sinew_math::spatial::{Inertia, Spatial, inertia_about, rotation_dof, translation_dof};
use sinew_math::{Lift, MIN_VALUE, Mask, Real, Vec3};
use sinew_model::kinds::JointType;
use sinew_model::view::{Tree, TreeValues};

sinew_model::columns! {
    /// Centres of mass, inertias and motion axes.
    pub struct Com<T>(ComRef, ComMut) for Model {
        sizes {
            /// Bodies.
            nbody,
            /// Degrees of freedom.
            nv,
        }
        columns {
            /// Centre of mass of each body's subtree.
            subtree_com: nbody x Vec3<T>,
            /// Unit motion of each degree of freedom: rotation, translation.
            cdof: nv x Spatial<T>,
            /// Body inertias.
            cinert: nbody x Inertia<T>,
        }
    }
}

/// Centres of mass of subtrees. A body outside the range, such as the world, gets nothing of those in it.
#[inline(always)]
pub fn centres<T: Real, V: Lift<T>>(
    tree: &Tree<'_>,
    values: &TreeValues<'_, V>,
    kinematics: &KinematicsRef<'_, T>,
    bodies: Range<usize>,
    out: &mut ComMut<'_, T>,
) {
    moments(values, kinematics, bodies.clone(), out);
    for i in (bodies.start.max(1)..bodies.end).rev() {
        let parent = tree.body_parentid[i] as usize;
        if parent >= bodies.start {
            let moment = *out.subtree_com.at(i);
            *out.subtree_com.at_mut(parent) += moment;
        }
    }
    means(values, kinematics, bodies, out);
}

/// Centres of mass of bodies, times their masses: what those of subtrees add up.
#[inline(always)]
pub fn moments<T: Real, V: Lift<T>>(
    values: &TreeValues<'_, V>,
    kinematics: &KinematicsRef<'_, T>,
    bodies: Range<usize>,
    out: &mut ComMut<'_, T>,
) {
    for i in bodies {
        *out.subtree_com.at_mut(i) = *kinematics.xipos.at(i) * values.body_mass[i].lift();
    }
}

/// Centres of mass of subtrees, whose moments are known.
#[inline(always)]
pub fn means<T: Real, V: Lift<T>>(
    values: &TreeValues<'_, V>,
    kinematics: &KinematicsRef<'_, T>,
    bodies: Range<usize>,
    out: &mut ComMut<'_, T>,
) {
    for i in bodies {
        let mass: T = values.body_subtreemass[i].lift();
        let is_weightless = mass.less(T::from_f64(MIN_VALUE));
        let centre = *kinematics.xipos.at(i);
        *out.subtree_com.at_mut(i) = if is_weightless.all() {
            centre
        } else {
            let mean = *out.subtree_com.at(i) * (T::ONE / mass);
            Vec3::select(is_weightless, centre, mean)
        };
    }
}

/// Inertias of bodies about the centres of their trees.
#[inline(always)]
pub fn inertias<T: Real, V: Lift<T>>(
    tree: &Tree<'_>,
    values: &TreeValues<'_, V>,
    kinematics: &KinematicsRef<'_, T>,
    bodies: Range<usize>,
    out: &mut ComMut<'_, T>,
) {
    if bodies.start == 0 && !bodies.is_empty() {
        *out.cinert.at_mut(0) = [T::ZERO; 10];
    }
    for i in bodies.start.max(1)..bodies.end {
        let offset = *kinematics.xipos.at(i) - *out.subtree_com.at(tree.body_rootid[i] as usize);
        *out.cinert.at_mut(i) = inertia_about(
            values.body_inertia[i].lift(),
            &kinematics.ximat.at(i),
            offset,
            values.body_mass[i].lift(),
        );
    }
}

/// Motion axes of joints about the centres of their trees.
#[inline(always)]
pub fn axes<T: Real>(
    tree: &Tree<'_>,
    kinematics: &KinematicsRef<'_, T>,
    joints: Range<usize>,
    out: &mut ComMut<'_, T>,
) {
    let (o, i) = (T::ZERO, T::ONE);
    for j in joints {
        let body = tree.jnt_bodyid[j] as usize;
        let mut dof = tree.jnt_dofadr[j] as usize;
        let offset =
            *out.subtree_com.at(tree.body_rootid[body] as usize) - *kinematics.xanchor.at(j);
        match JointType::from_code(tree.jnt_type[j]) {
            Some(JointType::Slide) => {
                *out.cdof.at_mut(dof) = translation_dof(*kinematics.xaxis.at(j))
            }
            Some(JointType::Hinge) => {
                *out.cdof.at_mut(dof) = rotation_dof(*kinematics.xaxis.at(j), offset)
            }
            kind => {
                if kind == Some(JointType::Free) {
                    *out.cdof.at_mut(dof) = translation_dof(Vec3([i, o, o]));
                    *out.cdof.at_mut(dof + 1) = translation_dof(Vec3([o, i, o]));
                    *out.cdof.at_mut(dof + 2) = translation_dof(Vec3([o, o, i]));
                    dof += 3;
                }
                // Rotation about the body's own axes.
                for k in 0..3 {
                    *out.cdof.at_mut(dof + k) =
                        rotation_dof(kinematics.xmat.at(body).column(k), offset);
                }
            }
        }
    }
}
