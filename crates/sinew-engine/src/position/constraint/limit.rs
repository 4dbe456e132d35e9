//! Limits of joints and tendons.
//!
//! A slide, hinge or tendon has a lower and an upper bound, each a row of its own; a ball joint is
//! bounded in its angle of rotation from the reference.

use super::{Constraints, Row, for_each_tendon_entry};
use crate::position::tendon::Tendon;
use crate::state::State;
use sinew_dynamics::joint::quat_at;
use sinew_model::Model;
use sinew_model::kinds::{Constraint, DisableFlag, JointType};

pub(super) fn add(model: &Model, state: &State, tendon: &Tendon, out: &mut Constraints) {
    if model.opt.disableflags & DisableFlag::Limit.code() != 0 {
        return;
    }
    let row = |kind, id, pos, margin| Row {
        kind,
        id,
        pos,
        margin,
        frictionloss: 0.0,
    };
    for joint in 0..model.njnt {
        if model.jnt_limited[joint] == 0 {
            continue;
        }
        let margin = model.jnt_margin[joint];
        let address = model.jnt_qposadr[joint] as usize;
        let dof = model.jnt_dofadr[joint];
        match JointType::from_code(model.jnt_type[joint]) {
            Some(JointType::Slide | JointType::Hinge) => {
                for (side, bound) in [-1.0, 1.0].into_iter().zip(model.jnt_range[joint]) {
                    let dist = side * (bound - state.qpos[address]);
                    if dist < margin {
                        let row = row(Constraint::LimitJoint, joint, dist, margin);
                        out.push_row(row, &[dof], std::iter::once(-side));
                    }
                }
            }
            Some(JointType::Ball) => {
                let rotation = quat_at(&state.qpos, address).normalized().to_velocity(1.0);
                let (axis, angle) = rotation.normalize();
                let [low, high] = model.jnt_range[joint];
                let dist = low.max(high) - angle;
                if dist < margin {
                    let row = row(Constraint::LimitJoint, joint, dist, margin);
                    out.push_row(row, &[dof, dof + 1, dof + 2], axis.0.iter().map(|x| -x));
                }
            }
            _ => {}
        }
    }
    for i in 0..model.ntendon {
        if model.tendon_limited[i] == 0 {
            continue;
        }
        let margin = model.tendon_margin[i];
        for (side, bound) in [-1.0, 1.0].into_iter().zip(model.tendon_range[i]) {
            let dist = side * (bound - tendon.ten_length[i]);
            if dist < margin {
                let start = out.efc_J.len();
                for_each_tendon_entry(model, tendon, i, |column, value| {
                    out.efc_J_colind.push(column);
                    out.efc_J.push(value * -side);
                });
                let address = out.nefc() as i32;
                if out.efc_J.len() > start {
                    out.finish_row(row(Constraint::LimitTendon, i, dist, margin), start);
                }
                if out.tendon_efcadr[i] < 0 {
                    out.tendon_efcadr[i] = address;
                }
            }
        }
    }
}
