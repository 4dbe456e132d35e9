//! Accelerations of bodies, and forces on and between them, after the accelerations are known.
//!
//! Newton–Euler once more, with all external forces: `cfrc_int` is what a body's parent exerts on
//! it. About the tree's centre of mass, torque first. Conforms to MuJoCo's `mj_rnePostConstraint`.

use super::constraint::Solution;
use super::contact_force;
use crate::position::Position;
use crate::state::{Input, State};
use crate::velocity::bias::{body_force, world_acceleration};
use crate::velocity::com::ComVelocity;
use sinew_dynamics::bias::accelerations;
use sinew_math::Vec3;
use sinew_math::spatial::{Spatial, add, scale, shift_force, spatial};
use sinew_model::Model;
use sinew_model::kinds::{EqualityType, ObjectType};
use sinew_model::view::Tree;

sinew_model::columns! {
    /// Forces and accelerations of bodies.
    pub struct BodyForce for Model {
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

/// Accelerations and forces of all bodies.
#[doc(alias = "mj_rnePostConstraint")]
pub(crate) fn compute(
    model: &Model,
    state: &State,
    input: &Input,
    position: &Position,
    velocity: &ComVelocity,
    solution: &Solution,
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

    contacts(model, position, solution, &mut out.cfrc_ext);
    equalities(model, position, solution, &mut out.cfrc_ext);

    accelerations(
        &Tree::from(model),
        (&state.qvel, &solution.qacc),
        (&com.cdof, &velocity.cdof_dot),
        world_acceleration(model),
        &mut out.cacc,
    );
    out.cfrc_int[0] = [0.0; 6];
    for i in 1..model.nbody {
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

/// Adds a force and torque at a point to the external force on a body; the world takes none.
fn add_at(
    model: &Model,
    position: &Position,
    (body, point): (usize, Vec3),
    wrench: &Spatial,
    external: &mut [Spatial],
) {
    if body > 0 {
        let origin = position.com.subtree_com[model.body_rootid[body] as usize];
        external[body] = add(&external[body], &shift_force(wrench, origin, point));
    }
}

/// Contact forces act on the second body and react on the first.
fn contacts(model: &Model, position: &Position, solution: &Solution, external: &mut [Spatial]) {
    for (i, contact) in position.contacts.contact.iter().enumerate() {
        let Some([first, second]) = contact.body_pair(model) else {
            continue;
        };
        let Some(first_row) = position.constraints.first_row(i) else {
            continue;
        };
        let efc_force = &solution.efc_force;
        let local = contact_force::in_contact_frame(model, contact, Some(first_row), efc_force);
        let force = contact
            .frame
            .transpose_mul(Vec3([local[0], local[1], local[2]]));
        let torque = contact
            .frame
            .transpose_mul(Vec3([local[3], local[4], local[5]]));
        let wrench = spatial(torque, force);
        let reaction = scale(&wrench, -1.0);
        add_at(model, position, (first, contact.pos), &reaction, external);
        add_at(model, position, (second, contact.pos), &wrench, external);
    }
}

/// Forces of connects and welds at their anchors.
fn equalities(model: &Model, position: &Position, solution: &Solution, external: &mut [Spatial]) {
    let constraints = &position.constraints;
    let kinematics = &position.kinematics;
    let mut row = 0;
    while row < constraints.ne {
        let id = constraints.efc_id[row] as usize;
        let (rows, is_weld) = match EqualityType::from_code(model.eq_type[id]) {
            Some(EqualityType::Connect) => (3, false),
            Some(EqualityType::Weld) => (6, true),
            _ => {
                row += 1;
                continue;
            }
        };
        // Rows made after the last solution have no force yet.
        let Some(force) = solution.efc_force.get(row..row + rows) else {
            return;
        };
        let torque = if is_weld {
            Vec3([force[3], force[4], force[5]])
        } else {
            Vec3::ZERO
        };
        let wrench = spatial(torque, Vec3([force[0], force[1], force[2]]));
        let anchor = |object: usize, first: usize| {
            if model.eq_objtype[id] == ObjectType::Body.code() {
                let data = &model.eq_data[id][first..first + 3];
                let local = Vec3([data[0], data[1], data[2]]);
                (object, kinematics.point(object, local))
            } else {
                let body = model.site_bodyid[object] as usize;
                (body, kinematics.point(body, model.site_pos[object]))
            }
        };
        // A connect gives the anchor in the first body first, a weld in the second.
        let (in_first, in_second) = if is_weld { (3, 0) } else { (0, 3) };
        let first = anchor(model.eq_obj1id[id] as usize, in_first);
        let second = anchor(model.eq_obj2id[id] as usize, in_second);
        add_at(model, position, first, &wrench, external);
        add_at(model, position, second, &scale(&wrench, -1.0), external);
        row += rows;
    }
}
