//! Constants that describe the model at its reference position `qpos0`.

use super::{ConstantsError, flex, weight};
use crate::data::Data;
use crate::position::inertia::{self, composite};
use crate::position::{Position, com, kinematics, tendon, transmission, view};
use sinew_math::spatial::{dot as dot6, mul_inertia};
use sinew_math::{MIN_VALUE, Quat, Vec3};
use sinew_model::Model;
use sinew_model::kinds::{EqualityType, ObjectType};

/// Runs the position stage at `qpos0` and fills what follows from it. Leaves the stage's results in
/// `data`, with cameras and lights as if fixed.
pub(super) fn compute(
    model: &mut Model,
    data: &mut Data,
    may_go_on: &mut dyn FnMut() -> bool,
) -> Result<(), ConstantsError> {
    data.state.qpos.copy_from_slice(&model.qpos0);
    let (state, scratch) = (&data.state, &mut data.scratch);
    let p = &mut data.position;
    kinematics::compute(model, state, &data.input, &mut p.kinematics);
    com::compute(model, &p.kinematics, &mut p.com);
    view::fixed(model, &p.kinematics, &mut p.view);
    for direction in &mut p.view.light_xdir {
        *direction = direction.normalized();
    }
    diagonal_inertia(model, p);
    tendon::compute(model, state, &p.kinematics, &p.com, &mut p.tendon, scratch);
    inertia::compute(model, &p.com, &p.tendon, &mut p.inertia);
    let (kinematics, com, tendon) = (&p.kinematics, &p.com, &p.tendon);
    transmission::compute(
        model,
        state,
        kinematics,
        com,
        tendon,
        (&p.contacts, &p.constraints),
        &mut p.transmission,
        scratch,
    );

    model
        .unchecked()
        .tendon_length0
        .copy_from_slice(&p.tendon.ten_length);
    model
        .unchecked()
        .actuator_length0
        .copy_from_slice(&p.transmission.actuator_length);
    flex::lengths(model, p);
    weight::compute(model, p, may_go_on)?;
    equalities(model, p);
    views(model, p);
    damping_ratios(model, p);
    Ok(())
}

/// Diagonal of M without tendon armature: what simple bodies use.
#[doc(alias = "mj_setM0")]
fn diagonal_inertia(model: &mut Model, p: &mut Position) {
    composite(model, &p.com, &mut p.inertia.crb);
    for i in 0..model.nv {
        let cdof = &p.com.cdof[i];
        let momentum = mul_inertia(&p.inertia.crb[model.dof_bodyid[i] as usize], cdof);
        model.unchecked().dof_M0[i] = model.dof_armature[i] + dot6(cdof, &momentum);
    }
}

/// Second anchors of connects, second anchors and relative poses of welds.
fn equalities(model: &mut Model, p: &Position) {
    let k = &p.kinematics;
    for i in 0..model.neq {
        let kind = EqualityType::from_code(model.eq_type[i]);
        let between_bodies = model.eq_objtype[i] == ObjectType::Body.code();
        let (first, second) = (model.eq_obj1id[i] as usize, model.eq_obj2id[i] as usize);
        let data = &mut model.unchecked().eq_data[i];
        let anchor = Vec3([data[0], data[1], data[2]]);
        let in_body = |point: Vec3, body: usize| k.xmat[body].transpose_mul(point - k.xpos[body]);
        match kind {
            Some(EqualityType::Connect) if between_bodies => {
                // Given in the first body.
                let other = in_body(k.point(first, anchor), second);
                data[3..6].copy_from_slice(&other.0);
            }
            Some(EqualityType::Connect) => data.fill(0.0),
            Some(EqualityType::Weld) if between_bodies => {
                let given = Quat([data[6], data[7], data[8], data[9]]);
                if given != Quat([0.0; 4]) {
                    data[6..10].copy_from_slice(&given.normalized().0);
                    continue;
                }
                // Given in the second body.
                let other = in_body(k.point(second, anchor), first);
                let relative = k.xquat[first].conjugate() * k.xquat[second];
                data[3..6].copy_from_slice(&other.0);
                data[6..10].copy_from_slice(&relative.0);
            }
            _ => {}
        }
    }
}

/// Where cameras and lights stand relative to what they may track.
fn views(model: &mut Model, p: &Position) {
    let tracked = |body: i32, target: i32| {
        if target >= 0 {
            target as usize
        } else {
            body as usize
        }
    };
    for i in 0..model.ncam {
        let body = model.cam_bodyid[i];
        let tracked = tracked(body, model.cam_targetbodyid[i]);
        model.unchecked().cam_pos0[i] = p.view.cam_xpos[i] - p.kinematics.xpos[body as usize];
        model.unchecked().cam_poscom0[i] = p.view.cam_xpos[i] - p.com.subtree_com[tracked];
        model.unchecked().cam_mat0[i] = p.view.cam_xmat[i];
    }
    for i in 0..model.nlight {
        let body = model.light_bodyid[i];
        let tracked = tracked(body, model.light_targetbodyid[i]);
        model.unchecked().light_pos0[i] = p.view.light_xpos[i] - p.kinematics.xpos[body as usize];
        model.unchecked().light_poscom0[i] = p.view.light_xpos[i] - p.com.subtree_com[tracked];
        model.unchecked().light_dir0[i] = p.view.light_xdir[i];
    }
}

/// A position servo (gain = −bias[1]) with positive bias[2] gave a damping ratio there: it becomes
/// the damping −2·ratio·√(kp·m), with m the inertia the actuator sees.
fn damping_ratios(model: &mut Model, p: &Position) {
    for i in 0..model.nu {
        let gain = model.actuator_gainprm[i][0];
        let bias = model.actuator_biasprm[i];
        if gain != -bias[1] || bias[2] <= 0.0 {
            continue;
        }
        let (columns, values) = p.transmission.row(i);
        let mut mass = 0.0;
        for (&dof, &value) in columns.iter().zip(values) {
            let square = value.abs() * value.abs();
            if square > MIN_VALUE {
                mass += model.dof_M0[dof as usize] / square;
            }
        }
        model.unchecked().actuator_biasprm[i][2] = -(bias[2] * 2.0 * (gain * mass).sqrt());
    }
}
