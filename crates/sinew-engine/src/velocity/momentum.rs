//! Linear velocity of subtree centres of mass and angular momentum about them.

use super::com::ComVelocity;
use super::object::velocity_in_world;
use crate::position::Position;
use sinew_math::spatial::{rotation, translation};
use sinew_math::{MIN_VALUE, Vec3};
use sinew_model::Model;

sinew_model::columns! {
    /// Momenta of subtrees.
    pub struct Momentum for Model {
        sizes {
            /// Bodies.
            nbody,
        }
        columns {
            /// Linear velocity of each subtree's centre of mass.
            subtree_linvel: nbody x Vec3,
            /// Angular momentum of each subtree about its centre of mass.
            subtree_angmom: nbody x Vec3,
        }
        other {
            /// Whether the arrays belong to the current positions and velocities.
            is_current: bool,
        }
        scratch {
            /// Velocity of each body's centre of mass.
            centre_velocity: Vec<Vec3> = nbody,
        }
    }
}

/// Momenta of all subtrees.
#[doc(alias = "mj_subtreeVel")]
pub(crate) fn compute(
    model: &Model,
    position: &Position,
    velocity: &ComVelocity,
    out: &mut Momentum,
) {
    let (kinematics, com) = (&position.kinematics, &position.com);
    for i in 0..model.nbody {
        let v = velocity_in_world(model, com, velocity, i, kinematics.xipos[i]);
        let local = kinematics.ximat[i].transpose_mul(rotation(&v));
        out.centre_velocity[i] = translation(&v);
        out.subtree_linvel[i] = translation(&v) * model.body_mass[i];
        out.subtree_angmom[i] = kinematics.ximat[i] * local.component_mul(model.body_inertia[i]);
    }
    for i in (0..model.nbody).rev() {
        let momentum = out.subtree_linvel[i];
        if i > 0 {
            out.subtree_linvel[model.body_parentid[i] as usize] += momentum;
        }
        out.subtree_linvel[i] = momentum * (1.0 / model.body_subtreemass[i].max(MIN_VALUE));
    }
    for i in (1..model.nbody).rev() {
        let parent = model.body_parentid[i] as usize;
        // The body about its subtree, then the subtree about the parent's.
        let arm = kinematics.xipos[i] - com.subtree_com[i];
        let slip = (out.centre_velocity[i] - out.subtree_linvel[i]) * model.body_mass[i];
        out.subtree_angmom[i] += arm.cross(slip);
        let own = out.subtree_angmom[i];
        out.subtree_angmom[parent] += own;
        let arm = com.subtree_com[i] - com.subtree_com[parent];
        let slip = (out.subtree_linvel[i] - out.subtree_linvel[parent]) * model.body_subtreemass[i];
        out.subtree_angmom[parent] += arm.cross(slip);
    }
    out.is_current = true;
}
