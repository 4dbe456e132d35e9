//! Potential and kinetic energy.

use crate::position::Position;
use crate::scratch::Scratch;
use crate::state::State;
use crate::{flex, is_disabled};
use sinew_dynamics::joint::{quat_at, vec3_at};
use sinew_dynamics::spring::outside_band;
use sinew_math::dense::dot;
use sinew_model::Model;
use sinew_model::kinds::{DisableFlag, JointType};

/// Energies and whether they belong to the current state.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Energy {
    /// Potential and kinetic energy; 0 unless the model asks for them.
    pub values: [f64; 2],
    /// Set when the potential energy of the current positions is known.
    pub has_potential: bool,
    /// Set when the kinetic energy of the last velocity stage is known. A sensor of kinetic energy
    /// runs before that stage and then reads the energy of the step before, as in the reference.
    pub has_kinetic: bool,
}

/// Energy of gravity and of the springs of joints, tendons and lines; not of cloths and solids, as in the reference.
#[doc(alias = "mj_energyPos")]
pub(crate) fn potential(model: &Model, state: &State, position: &Position) -> f64 {
    let mut energy = 0.0;
    if !is_disabled(model, DisableFlag::Gravity) {
        for i in 1..model.nbody {
            energy -= model.body_mass[i] * model.opt.gravity.dot(position.kinematics.xipos[i]);
        }
    }
    if is_disabled(model, DisableFlag::Spring) {
        return energy;
    }
    let (qpos, rest) = (&state.qpos, &model.qpos_spring);
    for j in 0..model.njnt {
        let stiffness = model.jnt_stiffness[j];
        if stiffness == 0.0 {
            continue;
        }
        let mut address = model.jnt_qposadr[j] as usize;
        let kind = JointType::from_code(model.jnt_type[j]);
        match kind {
            Some(JointType::Free | JointType::Ball) => {
                if kind == Some(JointType::Free) {
                    let offset = vec3_at(qpos, address) - vec3_at(rest, address);
                    energy += 0.5 * stiffness * offset.dot(offset);
                    address += 3;
                }
                let turn = quat_at(qpos, address).difference(quat_at(rest, address));
                energy += 0.5 * stiffness * turn.dot(turn);
            }
            _ => {
                let offset = qpos[address] - rest[address];
                energy += 0.5 * stiffness * offset * offset;
            }
        }
    }
    for i in 0..model.ntendon {
        let length = position.tendon.ten_length[i];
        let stretch = outside_band(length, model.tendon_lengthspring[i]);
        energy += 0.5 * model.tendon_stiffness[i] * stretch * stretch;
    }
    for flex in 0..model.nflex {
        energy += edge_energy(model, position, flex);
    }
    energy
}

/// Energy of the springs along the edges of a line.
fn edge_energy(model: &Model, position: &Position, flex: usize) -> f64 {
    let stiffness = model.flex_edgestiffness[flex];
    if model.flex_rigid[flex] != 0 || stiffness == 0.0 || model.flex_dim[flex] > 1 {
        return 0.0;
    }
    let mut energy = 0.0;
    for edge in flex::edges(model, flex) {
        if model.flexedge_rigid[edge] == 0 {
            let stretch = model.flexedge_length0[edge] - position.flex.flexedge_length[edge];
            energy += 0.5 * stiffness * stretch * stretch;
        }
    }
    energy
}

/// ½ q̇ᵀ·M·q̇.
#[doc(alias = "mj_energyVel")]
pub(crate) fn kinetic(
    model: &Model,
    state: &State,
    position: &Position,
    scratch: &mut Scratch,
) -> f64 {
    position
        .inertia
        .multiply(model, &state.qvel, &mut scratch.row);
    0.5 * dot(&scratch.row, &state.qvel)
}
