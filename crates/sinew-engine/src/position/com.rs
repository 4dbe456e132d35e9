//! Centres of mass, and inertias and motion axes expressed about them.
//!
//! All spatial quantities of a kinematic tree are about the centre of mass of the whole tree
//! (`subtree_com` of its root body), in world axes: that keeps their numbers small wherever the
//! tree travels. `cinert` is a body's inertia, `cdof` the unit motion of a degree of freedom.
//! Conforms to MuJoCo's `mj_comPos`.

use super::kinematics::Kinematics;
use sinew_math::spatial::{inertia_about, rotation_dof, translation_dof};
use sinew_math::{MIN_VALUE, Vec3};
use sinew_model::Model;
use sinew_model::kinds::JointType;

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
            cdof: nv x [T; 6],
            /// Body inertias.
            cinert: nbody x [T; 10],
        }
    }
}

/// Centres of mass, then inertias and axes about them.
#[doc(alias = "mj_comPos")]
pub(crate) fn compute(model: &Model, kinematics: &Kinematics, out: &mut Com) {
    centres(model, kinematics, out);
    out.cinert[0] = [0.0; 10];
    for i in 1..model.nbody {
        let offset = kinematics.xipos[i] - out.subtree_com[model.body_rootid[i] as usize];
        out.cinert[i] = inertia_about(
            model.body_inertia[i],
            &kinematics.ximat[i],
            offset,
            model.body_mass[i],
        );
    }
    axes(model, kinematics, out);
}

fn centres(model: &Model, kinematics: &Kinematics, out: &mut Com) {
    for i in 0..model.nbody {
        out.subtree_com[i] = kinematics.xipos[i] * model.body_mass[i];
    }
    for i in (1..model.nbody).rev() {
        let moment = out.subtree_com[i];
        out.subtree_com[model.body_parentid[i] as usize] += moment;
    }
    for i in 0..model.nbody {
        let mass = model.body_subtreemass[i];
        if mass < MIN_VALUE {
            out.subtree_com[i] = kinematics.xipos[i];
        } else {
            out.subtree_com[i] *= 1.0 / mass;
        }
    }
}

fn axes(model: &Model, kinematics: &Kinematics, out: &mut Com) {
    for j in 0..model.njnt {
        let body = model.jnt_bodyid[j] as usize;
        let mut dof = model.jnt_dofadr[j] as usize;
        let offset = out.subtree_com[model.body_rootid[body] as usize] - kinematics.xanchor[j];
        match JointType::from_code(model.jnt_type[j]) {
            Some(JointType::Slide) => out.cdof[dof] = translation_dof(kinematics.xaxis[j]),
            Some(JointType::Hinge) => out.cdof[dof] = rotation_dof(kinematics.xaxis[j], offset),
            kind => {
                if kind == Some(JointType::Free) {
                    out.cdof[dof] = translation_dof(Vec3::X);
                    out.cdof[dof + 1] = translation_dof(Vec3::Y);
                    out.cdof[dof + 2] = translation_dof(Vec3::Z);
                    dof += 3;
                }
                // Rotation about the body's own axes.
                for k in 0..3 {
                    out.cdof[dof + k] = rotation_dof(kinematics.xmat[body].column(k), offset);
                }
            }
        }
    }
}
