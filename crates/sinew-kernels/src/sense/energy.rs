//! Energies.

use crate::Number;
use crate::forces::cord_length;
use crate::local::Local;
use crate::scene::Scene;
use crate::sums::dot_of;
use crate::tendon::Cord;
use sinew_dynamics::joint::{quat_at, vec3_at};
use sinew_dynamics::spring::outside_band;
use sinew_math::series::Cells;
use sinew_math::{Quat, Vec3};
use sinew_model::kinds::JointType;

/// Energy of gravity and of springs.
#[inline(always)]
pub(super) fn potential<T: Number>(scene: &Scene<'_, T>, at: &Local<'_, T>) -> T {
    let (head, tree, values) = (&scene.head, &scene.tree, &scene.values);
    let (half, mut energy) = (T::from_f64(0.5), T::ZERO);
    let gravity = Vec3(scene.constants.upward) * -T::ONE;
    for body in 1..head.nbody {
        let height = gravity.dot(*at.kinematics.xipos.at(body));
        energy -= values.body_mass[body] * height;
    }
    for joint in 0..head.njnt {
        let stiffness = values.jnt_stiffness[joint];
        if stiffness == T::ZERO {
            continue;
        }
        let (mut address, rest) = (tree.jnt_qposadr[joint] as usize, values.qpos_spring);
        let kind = JointType::from_code(tree.jnt_type[joint]);
        if matches!(kind, Some(JointType::Free | JointType::Ball)) {
            if kind == Some(JointType::Free) {
                let at_rest = Vec3([rest[address], rest[address + 1], rest[address + 2]]);
                let offset = vec3_at(at.qpos, address) - at_rest;
                energy += half * stiffness * offset.dot(offset);
                address += 3;
            }
            let at_rest = Quat(core::array::from_fn(|k| rest[address + k]));
            let turn = quat_at(at.qpos, address).difference(at_rest);
            energy += half * stiffness * turn.dot(turn);
        } else {
            let offset = at.qpos[address] - rest[address];
            energy += half * stiffness * offset * offset;
        }
    }
    for index in 0..head.cords {
        let length = match head.general {
            0 => cord_length(scene, index, at.qpos),
            _ => at.general.cord_length[index],
        };
        let (stiffness, band) = Cord::new(scene, index).spring();
        let stretch = outside_band(length, band);
        energy += half * stiffness * stretch * stretch;
    }
    energy
}

/// ½ q̇ᵀ·M·q̇.
#[inline(always)]
pub(crate) fn kinetic<T: Number>(scene: &Scene<'_, T>, at: &Local<'_, T>) -> T {
    let (tree, tables, M, qvel) = (&scene.tree, &scene.tables, &*at.inertia.M, &*at.qvel);
    let momentum = |dof: usize| {
        let start = tree.M_rowadr[dof] as usize;
        let diagonal = start + tree.M_rownnz[dof] as usize - 1;
        let mut value = M[diagonal] * qvel[dof];
        for entry in (start..diagonal).rev() {
            value += M[entry] * qvel[tree.M_colind[entry] as usize];
        }
        for k in tables.below_starts[dof]..tables.below_starts[dof + 1] {
            let row = tables.below_rows[k as usize] as usize;
            value += M[tables.below_entries[k as usize] as usize] * qvel[row];
        }
        value
    };
    let products = |dof: usize| momentum(dof) * qvel[dof];
    T::from_f64(0.5) * dot_of(scene.head.nv, products)
}
