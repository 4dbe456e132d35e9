//! Accelerations of bodies, and forces on and between them, after the accelerations are known.
//!
//! Newton–Euler once more, with all external forces: `cfrc_int` is what a body's parent exerts on
//! it. About the tree's centre of mass, torque first. Conforms to MuJoCo's `mj_rnePostConstraint`.

use crate::position::Position;
use crate::state::{Input, State};
use crate::velocity::bias::{body_force, world_acceleration};
use crate::velocity::com::{ComVelocity, body_dofs, combine};
use sinew_math::spatial::{add, shift_force};
use sinew_model::Model;

sinew_model::columns! {
    /// Forces and accelerations of bodies.
    pub struct BodyForce {
        sizes {
            /// Bodies.
            nbody,
        }
        columns {
            /// Accelerations, gravity included.
            cacc: nbody x [f64; 6],
            /// Force and torque from the parent.
            cfrc_int: nbody x [f64; 6],
            /// External force and torque.
            cfrc_ext: nbody x [f64; 6],
        }
        other {
            /// Whether the arrays belong to the current accelerations.
            is_current: bool,
        }
    }
}

impl BodyForce {
    /// Arrays for a model.
    pub fn new(model: &Model) -> Self {
        let mut out = BodyForce {
            nbody: model.nbody,
            ..Default::default()
        };
        out.allocate();
        out
    }
}

/// Accelerations and forces of all bodies.
#[doc(alias = "mj_rnePostConstraint")]
pub fn compute(
    model: &Model,
    state: &State,
    input: &Input,
    position: &Position,
    velocity: &ComVelocity,
    qacc: &[f64],
    out: &mut BodyForce,
) {
    let com = &position.com;
    out.cfrc_ext.fill([0.0; 6]);
    for i in 1..model.nbody {
        let [fx, fy, fz, tx, ty, tz] = input.xfrc_applied[i];
        let wrench = [tx, ty, tz, fx, fy, fz];
        if wrench != [0.0; 6] {
            let origin = com.subtree_com[model.body_rootid[i] as usize];
            out.cfrc_ext[i] = shift_force(&wrench, origin, position.kinematics.xipos[i]);
        }
    }

    out.cacc[0] = world_acceleration(model);
    out.cfrc_int[0] = [0.0; 6];
    for i in 1..model.nbody {
        let dofs = body_dofs(model, i);
        let carried = combine(&velocity.cdof_dot[dofs.clone()], &state.qvel[dofs.clone()]);
        let own = combine(&com.cdof[dofs.clone()], &qacc[dofs]);
        let parent = model.body_parentid[i] as usize;
        out.cacc[i] = add(&add(&out.cacc[parent], &carried), &own);
        let needed = body_force(&com.cinert[i], &velocity.cvel[i], &out.cacc[i]);
        for k in 0..6 {
            out.cfrc_int[i][k] = needed[k] - out.cfrc_ext[i][k];
        }
    }
    for i in (1..model.nbody).rev() {
        let parent = model.body_parentid[i] as usize;
        out.cfrc_int[parent] = add(&out.cfrc_int[parent], &out.cfrc_int[i]);
    }
    out.is_current = true;
}
