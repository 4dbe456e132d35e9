//! Bias force: what it takes to follow the motion without acceleration. Tendons with armature m add
//! m·Jᵀ(J̇·q̇). Conforms to MuJoCo's `mj_rne` and `mj_tendonBias`.

use super::com::ComVelocity;
use super::object::velocity_in_world;
use crate::position::Position;
use crate::position::com::Com;
use crate::position::jacobian::{for_each_dof, offset, translation_column};
use crate::scratch::Scratch;
use crate::state::State;
use crate::{is_disabled, is_sparse};
use sinew_dynamics::bias;
pub(crate) use sinew_dynamics::bias::body_force;
pub use sinew_dynamics::bias::{Bias, BiasMut, BiasRef};
use sinew_math::spatial::{Spatial, cross_motion, rotation, spatial, translation};
use sinew_math::{MIN_VALUE, Vec3};
use sinew_model::Model;
use sinew_model::joint::Layout;
use sinew_model::kinds::{DisableFlag, WrapType};
use sinew_model::view::Tree;

/// Bias force with the contribution of tendon armature.
pub(crate) fn compute(
    model: &Model,
    state: &State,
    position: &Position,
    velocity: &ComVelocity,
    out: &mut Bias,
    scratch: &mut Scratch,
) {
    newton_euler(
        model,
        state,
        &position.com,
        velocity,
        None,
        &mut out.qfrc_bias,
        scratch,
    );
    tendon_bias(model, state, position, velocity, out, scratch);
}

/// Acceleration of the world: minus gravity.
pub(crate) fn world_acceleration(model: &Model) -> Spatial {
    if is_disabled(model, DisableFlag::Gravity) {
        [0.0; 6]
    } else {
        spatial(Vec3::ZERO, model.opt.gravity * -1.0)
    }
}

/// M·q̈ + bias; without accelerations only the bias.
#[doc(alias = "mj_rne")]
pub(crate) fn newton_euler(
    model: &Model,
    state: &State,
    com: &Com,
    velocity: &ComVelocity,
    qacc: Option<&[f64]>,
    out: &mut [f64],
    scratch: &mut Scratch,
) {
    bias::newton_euler(
        &Tree::from(model),
        (&state.qvel, qacc),
        &com.as_ref(),
        &velocity.as_ref(),
        world_acceleration(model),
        (0..model.nbody, 0..model.nv),
        out,
        &mut bias::Scratch {
            acceleration: &mut scratch.body_acceleration,
            force: &mut scratch.body_force,
        },
    );
}

/// Adds m·Jᵀ(J̇·q̇) for spatial tendons with armature m. The rate J̇ is that of straight pieces;
/// armature excludes wrapping.
#[doc(alias = "mj_tendonBias")]
fn tendon_bias(
    model: &Model,
    state: &State,
    position: &Position,
    velocity: &ComVelocity,
    out: &mut Bias,
    scratch: &mut Scratch,
) {
    for i in 0..model.ntendon {
        let armature = model.tendon_armature[i];
        let is_fixed = || model.wrap_type[model.tendon_adr[i] as usize] == WrapType::Joint.code();
        if armature == 0.0 || is_fixed() {
            continue;
        }
        jacobian_rate(model, position, velocity, i, &mut scratch.row);
        let coefficient = armature * sinew_math::dense::dot(&scratch.row, &state.qvel);
        if coefficient != 0.0 {
            position
                .tendon
                .for_each_entry(is_sparse(model), i, |dof, value| {
                    out.qfrc_bias[dof] += value * coefficient;
                });
        }
    }
}

/// Time derivative of a spatial tendon's Jacobian row.
#[doc(alias = "mj_tendonDot")]
fn jacobian_rate(
    model: &Model,
    position: &Position,
    velocity: &ComVelocity,
    tendon: usize,
    row: &mut [f64],
) {
    row.fill(0.0);
    let start = model.tendon_adr[tendon] as usize;
    let end = start + model.tendon_num[tendon] as usize;
    let site_at = |k: usize| {
        (model.wrap_type[k] == WrapType::Site.code()).then(|| {
            let site = model.wrap_objid[k] as usize;
            let body = model.site_bodyid[site] as usize;
            (body, position.kinematics.site_xpos[site])
        })
    };
    let mut divisor = 1.0;
    for k in start..end.saturating_sub(1) {
        if model.wrap_type[k] == WrapType::Pulley.code() {
            divisor = model.wrap_prm[k];
        }
        let (Some((body0, p0)), Some((body1, p1))) = (site_at(k), site_at(k + 1)) else {
            continue;
        };
        if body0 == body1 {
            continue;
        }
        let point_velocity = |body, point| {
            translation(&velocity_in_world(
                model,
                &position.com,
                velocity,
                body,
                point,
            ))
        };
        let (direction, length) = (p1 - p0).normalize();
        let relative = point_velocity(body1, p1) - point_velocity(body0, p0);
        let across = relative.add_scaled(direction, -relative.dot(direction));
        let turning = across
            * if length > MIN_VALUE {
                1.0 / length
            } else {
                0.0
            };
        for (body, point, sign) in [(body1, p1, 1.0), (body0, p0, -1.0)] {
            let offset = offset(model, &position.com, body, point);
            let carried = point_velocity(body, point);
            for_each_dof(model, body, |dof| {
                let cdof = &position.com.cdof[dof];
                let rate = column_rate(model, velocity, dof, cdof, offset, carried);
                let column = translation_column(cdof, offset);
                row[dof] += sign * (rate.dot(direction) + column.dot(turning)) / divisor;
            });
        }
    }
}

/// Rate of change of a motion axis as its body carries it. Axes of balls move with the body they
/// turn, which `cdof_dot` does not count.
pub(crate) fn axis_rate(
    model: &Model,
    velocity: &ComVelocity,
    dof: usize,
    cdof: &Spatial,
) -> Spatial {
    let joint = model.dof_jntid[dof] as usize;
    let within_joint = dof - model.jnt_dofadr[joint] as usize;
    if Layout::of(model.jnt_type[joint]).is_turn(within_joint) {
        cross_motion(&velocity.cvel[model.dof_bodyid[dof] as usize], cdof)
    } else {
        velocity.cdof_dot[dof]
    }
}

/// Rate of change of a column of a point's Jacobian.
#[doc(alias = "mj_jacDot")]
fn column_rate(
    model: &Model,
    velocity: &ComVelocity,
    dof: usize,
    cdof: &Spatial,
    offset: Vec3,
    point_velocity: Vec3,
) -> Vec3 {
    let rate = axis_rate(model, velocity, dof, cdof);
    translation(&rate) + rotation(&rate).cross(offset) + rotation(cdof).cross(point_velocity)
}
