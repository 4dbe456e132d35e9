//! Gravity compensation: a force at a body's centre of mass against a share of its weight.

use super::apply_wrench;
use crate::is_disabled;
use crate::position::Position;
use sinew_math::Vec3;
use sinew_model::Model;
use sinew_model::kinds::DisableFlag;

/// Whether gravity acts and some body compensates it.
pub fn is_active(model: &Model) -> bool {
    model.ngravcomp > 0
        && !is_disabled(model, DisableFlag::Gravity)
        && model.opt.gravity.norm() != 0.0
}

/// Adds the compensation of all bodies; false if there is none.
pub(super) fn compute(model: &Model, position: &Position, qfrc: &mut [f64]) -> bool {
    if !is_active(model) {
        return false;
    }
    for i in 1..model.nbody {
        let share = model.body_gravcomp[i];
        if share != 0.0 {
            let force = model.opt.gravity * -(model.body_mass[i] * share);
            let at = (i, position.kinematics.xipos[i]);
            apply_wrench(model, &position.com, at, (force, Vec3::ZERO), qfrc);
        }
    }
    true
}
