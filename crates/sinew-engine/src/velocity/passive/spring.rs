//! Springs and dampers of joints and tendons.
//!
//! A joint spring pulls towards `qpos_spring`, rotations along the shortest turn. A tendon spring
//! acts outside its dead band of rest lengths. Dampers are linear in velocity.

use super::Passive;
use crate::is_sparse;
use crate::position::Position;
use crate::state::State;
use crate::velocity::length::LengthVelocity;
use sinew_dynamics::spring::{self, outside_band};
use sinew_model::Model;
use sinew_model::view::{Tree, TreeValues};

pub(super) fn joint_springs(model: &Model, state: &State, qfrc: &mut [f64]) {
    let (tree, values) = (&Tree::from(model), &TreeValues::from(model));
    spring::springs(tree, values, &state.qpos, 0..model.njnt, qfrc);
}

pub(super) fn joint_dampers(model: &Model, state: &State, qfrc: &mut [f64]) {
    spring::dampers(&TreeValues::from(model), &state.qvel, 0..model.nv, qfrc);
}

pub(super) fn tendons(
    model: &Model,
    position: &Position,
    velocity: &LengthVelocity,
    (has_springs, has_dampers): (bool, bool),
    out: &mut Passive,
) {
    let is_sparse = is_sparse(model);
    let tendon = &position.tendon;
    for i in 0..model.ntendon {
        let stiffness = if has_springs {
            model.tendon_stiffness[i]
        } else {
            0.0
        };
        let damping = if has_dampers {
            model.tendon_damping[i]
        } else {
            0.0
        };
        if stiffness == 0.0 && damping == 0.0 {
            continue;
        }
        let spring = stiffness * outside_band(tendon.ten_length[i], model.tendon_lengthspring[i]);
        let damper = -damping * velocity.ten_velocity[i];
        if spring != 0.0 || damper != 0.0 {
            tendon.for_each_entry(is_sparse, i, |dof, value| {
                out.qfrc_spring[dof] += value * spring;
                out.qfrc_damper[dof] += value * damper;
            });
        }
    }
}
