//! Passive forces: springs, dampers, material of flexes, contacts that are springs, gravity compensation and fluid.
//!
//! Each kind has its own array; `qfrc_passive` is their sum, without the gravity compensation of
//! joints that count it as actuator force. Conforms to MuJoCo's `mj_passive`.

pub mod flex;
pub mod fluid;
pub mod gravcomp;
pub mod spring;

use super::com::ComVelocity;
use super::length::LengthVelocity;
use crate::is_disabled;
use crate::parts::Laws;
use crate::position::Position;
use crate::position::com::Com;
use crate::state::State;
use flex::law::Evaluation;
use sinew_dynamics::wrench;
use sinew_math::Vec3;
use sinew_model::Model;
use sinew_model::kinds::DisableFlag;
use sinew_model::view::Tree;

sinew_model::columns! {
    /// Passive forces.
    pub struct Passive<T>(PassiveRef, PassiveMut) for Model {
        sizes {
            /// Degrees of freedom.
            nv,
        }
        columns {
            /// Springs of joints, tendons and flexes, and contacts of passive flexes.
            qfrc_spring: nv x T,
            /// Dampers of joints, tendons and flexes.
            qfrc_damper: nv x T,
            /// Gravity compensation.
            qfrc_gravcomp: nv x T,
            /// Fluid.
            qfrc_fluid: nv x T,
            /// Sum of the passive forces.
            qfrc_passive: nv x T,
        }
        scratch {
            /// Working memory of flexes.
            flex: flex::FlexScratch,
        }
    }
}

/// Whether there are passive forces at all.
pub(crate) fn is_active(model: &Model) -> bool {
    let (has_springs, has_dampers) = active(model);
    has_springs || has_dampers
}

/// Whether there are springs, and dampers.
#[inline]
pub(crate) fn active(model: &Model) -> (bool, bool) {
    (
        !is_disabled(model, DisableFlag::Spring),
        !is_disabled(model, DisableFlag::Damper),
    )
}

/// All passive forces.
#[doc(alias = "mj_passive")]
pub(crate) fn compute<L: Laws>(
    model: &Model,
    state: &State,
    position: &Position,
    (velocity, length): (&ComVelocity, &LengthVelocity),
    laws: &mut L,
    out: &mut Passive,
) {
    out.qfrc_spring.fill(0.0);
    out.qfrc_damper.fill(0.0);
    out.qfrc_gravcomp.fill(0.0);
    out.qfrc_fluid.fill(0.0);
    out.qfrc_passive.fill(0.0);
    let (has_springs, has_dampers) = active(model);
    if !has_springs && !has_dampers {
        return;
    }
    if has_springs {
        spring::joint_springs(model, state, &mut out.qfrc_spring);
    }
    if has_dampers {
        spring::joint_dampers(model, state, &mut out.qfrc_damper);
    }
    if model.nflex > 0 {
        let evaluation = Evaluation {
            model,
            state,
            position,
            velocity,
            active: (has_springs, has_dampers),
        };
        flex::compute(&evaluation, length, laws, out);
    }
    spring::tendons(model, position, length, (has_springs, has_dampers), out);
    let has_gravcomp = gravcomp::compute(model, position, &mut out.qfrc_gravcomp);
    let has_fluid = fluid::compute(model, position, velocity, &mut out.qfrc_fluid);
    for (dof, force) in &position.constraints.passive_force {
        out.qfrc_spring[*dof as usize] += force;
    }

    for i in 0..model.nv {
        out.qfrc_passive[i] = out.qfrc_spring[i] + out.qfrc_damper[i];
        if has_fluid {
            out.qfrc_passive[i] += out.qfrc_fluid[i];
        }
        if has_gravcomp && model.jnt_actgravcomp[model.dof_jntid[i] as usize] == 0 {
            out.qfrc_passive[i] += out.qfrc_gravcomp[i];
        }
    }
}

/// Adds a force and a torque (world frame) at a point of a body to a generalised force.
#[doc(alias = "mj_applyFT")]
#[inline]
pub(crate) fn apply_wrench(
    model: &Model,
    com: &Com,
    at: (usize, Vec3),
    wrench: (Vec3, Vec3),
    qfrc: &mut [f64],
) {
    wrench::apply(&Tree::from(model), &com.as_ref(), at, wrench, true, qfrc);
}
