//! Poses of bodies, joints, geoms and sites in the world.

use crate::state::{Input, State, mocap_poses};
use sinew_dynamics::kinematics::{self, Coordinates};
pub use sinew_dynamics::kinematics::{Kinematics, KinematicsMut, KinematicsRef};
use sinew_math::{Quat, Vec3};
use sinew_model::Model;
use sinew_model::view::{Attached, AttachedValues, Tree, TreeValues};

/// Poses of all bodies, joints, geoms and sites.
#[doc(alias = "mj_kinematics")]
pub(crate) fn compute(model: &Model, state: &State, input: &Input, out: &mut Kinematics) {
    let coordinates = Coordinates {
        qpos: &state.qpos,
        mocap_pos: &input.mocap_pos,
        mocap_quat: &input.mocap_quat,
    };
    compute_at(model, &coordinates, out);
}

/// The same poses at `qpos0`, without a simulation.
pub(crate) fn at_rest(model: &Model) -> Kinematics {
    let (mut mocap_pos, mut mocap_quat) = (
        vec![Vec3::ZERO; model.nmocap],
        vec![Quat::IDENTITY; model.nmocap],
    );
    for (mocap, pos, quat) in mocap_poses(model) {
        (mocap_pos[mocap], mocap_quat[mocap]) = (pos, quat);
    }
    let coordinates = Coordinates {
        qpos: &model.qpos0,
        mocap_pos: &mocap_pos,
        mocap_quat: &mocap_quat,
    };
    let mut out = Kinematics::new(model);
    compute_at(model, &coordinates, &mut out);
    out
}

fn compute_at(model: &Model, coordinates: &Coordinates<'_>, out: &mut Kinematics) {
    let (tree, values) = (&Tree::from(model), &TreeValues::from(model));
    let (attached, local) = (&Attached::from(model), &AttachedValues::from(model));
    let out = &mut out.as_mut();
    kinematics::bodies(tree, values, coordinates, 0..model.nbody, out);
    kinematics::inertial_frames(tree, values, 0..model.nbody, out);
    kinematics::geoms(attached, local, 0..model.ngeom, out);
    kinematics::sites(attached, local, 0..model.nsite, out);
}
