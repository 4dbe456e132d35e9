//! Poses of bodies, joints, geoms and sites in the world.

use crate::state::{Input, State};
use sinew_dynamics::kinematics::{self, Coordinates};
pub use sinew_dynamics::kinematics::{Kinematics, KinematicsMut, KinematicsRef};
use sinew_model::Model;
use sinew_model::view::{Attached, AttachedValues, Tree, TreeValues};

/// Poses of all bodies, joints, geoms and sites.
#[doc(alias = "mj_kinematics")]
pub(crate) fn compute(model: &Model, state: &State, input: &Input, out: &mut Kinematics) {
    let (tree, values) = (&Tree::from(model), &TreeValues::from(model));
    let (attached, local) = (&Attached::from(model), &AttachedValues::from(model));
    let coordinates = &Coordinates {
        qpos: &state.qpos,
        mocap_pos: &input.mocap_pos,
        mocap_quat: &input.mocap_quat,
    };
    let out = &mut out.as_mut();
    kinematics::bodies(tree, values, coordinates, 0..model.nbody, out);
    kinematics::inertial_frames(tree, values, 0..model.nbody, out);
    kinematics::geoms(attached, local, 0..model.ngeom, out);
    kinematics::sites(attached, local, 0..model.nsite, out);
}
