//! Rotations, poses and spatial vectors: quaternions (w first), matrices (row-major), motions and forces.

// The functions carry the reference's names.
#![allow(non_snake_case)]

use crate::argument::{Flag, Text, functions};
use crate::array::{Fixed, Vector};
use crate::failure::wrong_call;
use sinew::math::spatial::{into_axes, shift_force, shift_motion};
use sinew::math::{Mat3, Quat, Vec3};

functions! {
    /// res = quat1·quat2: turn by quat2, then by quat1.
    fn mju_mulQuat(res: Fixed<4>, quat1: Vector<4>, quat2: Vector<4>) { res.put((Quat(quat1.0) * Quat(quat2.0)).0) }

    /// res = quat·(0, axis).
    fn mju_mulQuatAxis(res: Fixed<4>, quat: Vector<4>, axis: Vector<3>) {
        res.put(Quat(quat.0).mul_axis(Vec3(axis.0)).0)
    }

    /// The opposite rotation.
    fn mju_negQuat(res: Fixed<4>, quat: Vector<4>) { res.put(Quat(quat.0).conjugate().0) }

    /// Turns a vector.
    fn mju_rotVecQuat(res: Fixed<3>, vec: Vector<3>, quat: Vector<4>) { res.put(Quat(quat.0).rotate(Vec3(vec.0)).0) }

    /// Rotation about a unit axis by an angle in radians.
    fn mju_axisAngle2Quat(res: Fixed<4>, axis: Vector<3>, angle: f64) {
        res.put(Quat::from_axis_angle(Vec3(axis.0), angle).0)
    }

    /// The angular velocity that makes a rotation in a time.
    fn mju_quat2Vel(res: Fixed<3>, quat: Vector<4>, dt: f64) { res.put(Quat(quat.0).to_velocity(dt).0) }

    /// Rotation vector that leads from qb to qa, in the frame of qb.
    fn mju_subQuat(res: Fixed<3>, qa: Vector<4>, qb: Vector<4>) { res.put(Quat(qa.0).difference(Quat(qb.0)).0) }

    /// Rotation matrix of a quaternion.
    fn mju_quat2Mat(res: Fixed<9>, quat: Vector<4>) { res.put(Quat(quat.0).to_mat().0) }

    /// Quaternion of a rotation matrix.
    fn mju_mat2Quat(quat: Fixed<4>, mat: Vector<9>) { quat.put(Mat3(mat.0).to_quat().0) }

    /// The rotation in a matrix (Müller et al., 2016), found from the guess in ``quat``. Returns the iterations.
    fn mju_mat2Rot(quat: Fixed<4>, mat: Vector<9>) -> usize {
        let (found, iterations) = Quat(quat.values()?).extract_rotation(&Mat3(mat.0));
        quat.put(found.0)?;
        Ok(iterations)
    }

    /// Time derivative of a quaternion that turns with an angular velocity.
    fn mju_derivQuat(res: Fixed<4>, quat: Vector<4>, vel: Vector<3>) {
        res.put(Quat(quat.0).derivative(Vec3(vel.0)))
    }

    /// Turns a quaternion with an angular velocity for a time, in place.
    fn mju_quatIntegrate(quat: Fixed<4>, vel: Vector<3>, scale: f64) {
        quat.put(Quat(quat.values()?).integrate(Vec3(vel.0), scale).0)
    }

    /// The rotation that turns the z-axis to a direction.
    fn mju_quatZ2Vec(quat: Fixed<4>, vec: Vector<3>) { quat.put(Quat::from_z_to(Vec3(vec.0)).0) }

    /// Rotation by three angles in radians about the axes named in ``seq``: xyz turn along, XYZ stay fixed.
    fn mju_euler2Quat(quat: Fixed<4>, euler: Vector<3>, seq: Text) {
        let letters = seq.0.as_bytes();
        if letters.len() != 3 {
            return Err(wrong_call("mju_euler2Quat: seq must contain exactly 3 characters".to_owned()));
        }
        if let Some(place) = letters.iter().position(|letter| !b"xyzXYZ".contains(letter)) {
            let found = char::from(letters[place]);
            let message = format!("mju_euler2Quat: seq[{place}] is '{found}', should be one of x, y, z, X, Y, Z");
            return Err(wrong_call(message));
        }
        let mut turned = Quat::IDENTITY;
        for (letter, angle) in letters.iter().zip(euler.0) {
            let mut axis = Vec3([0.0; 3]);
            axis.0[usize::from(letter.to_ascii_lowercase() - b'x')] = 1.0;
            let step = Quat::from_axis_angle(axis, angle);
            turned = if letter.is_ascii_lowercase() { turned * step } else { step * turned };
        }
        quat.put(turned.0)
    }

    /// The pose 2, given in the frame of pose 1, in the frame of pose 1's parent.
    fn mju_mulPose(
        posres: Fixed<3>, quatres: Fixed<4>, pos1: Vector<3>, quat1: Vector<4>, pos2: Vector<3>, quat2: Vector<4>,
    ) {
        let turn = Quat(quat1.0);
        quatres.put((turn * Quat(quat2.0)).normalized().0)?;
        posres.put((turn.rotate(Vec3(pos2.0)) + Vec3(pos1.0)).0)
    }

    /// The inverse of a pose.
    fn mju_negPose(posres: Fixed<3>, quatres: Fixed<4>, pos: Vector<3>, quat: Vector<4>) {
        let back = Quat(quat.0).conjugate();
        quatres.put(back.0)?;
        posres.put(back.rotate(Vec3(pos.0)).0.map(|x| -x))
    }

    /// A point given in the frame of a pose, in its parent frame.
    fn mju_trnVecPose(res: Fixed<3>, pos: Vector<3>, quat: Vector<4>, vec: Vector<3>) {
        res.put((Quat(quat.0).rotate(Vec3(vec.0)) + Vec3(pos.0)).0)
    }

    /// A spatial motion or force (rotation, translation) about another point, in turned axes.
    fn mju_transformSpatial(
        res: Fixed<6>, vec: Vector<6>, flg_force: Flag, newpos: Vector<3>, oldpos: Vector<3>,
        rotnew2old: Option<Vector<9>>,
    ) {
        let shift = if flg_force.0 { shift_force } else { shift_motion };
        let shifted = shift(&vec.0, Vec3(newpos.0), Vec3(oldpos.0));
        res.put(rotnew2old.map_or(shifted, |axes| into_axes(&shifted, &Mat3(axes.0))))
    }
}
