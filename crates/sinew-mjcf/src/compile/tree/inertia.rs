//! Mass, centre of mass and principal inertia put together from parts.

use crate::compile::pose::{EPSILON, Pose, offset_inertia, rotate_inertia};
use sinew_math::{Mat3, Quat, Vec3, eigen};

/// A rigid lump: mass, pose of the inertial frame, principal moments.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Lump {
    /// Mass.
    pub mass: f64,
    /// Centre of mass and principal axes.
    pub pose: Pose,
    /// Principal moments of inertia.
    pub moments: Vec3,
}

/// Several lumps as one. `None`: the inertia has no positive eigenvalues.
pub fn combine(parts: &[Lump]) -> Option<Lump> {
    let mut mass = 0.0;
    let mut moment = Vec3::ZERO;
    for part in parts {
        mass += part.mass;
        moment += part.pose.pos * part.mass;
    }
    let pos = Vec3(moment.0.map(|x| x / mass));
    let mut total = [0.0; 6];
    for part in parts {
        let own = rotate_inertia(part.moments, part.pose.quat);
        let offset = offset_inertia(part.mass, part.pose.pos - pos);
        for k in 0..6 {
            total[k] = total[k] + own[k] + offset[k];
        }
    }
    let (quat, moments) = principal(total)?;
    Some(Lump {
        mass,
        pose: Pose { pos, quat },
        moments,
    })
}

/// Principal axes and moments of an inertia given as xx yy zz xy xz yz. `None`: the smallest
/// moment is not positive.
#[doc(alias = "mjuu_fullInertia")]
pub fn principal([xx, yy, zz, xy, xz, yz]: [f64; 6]) -> Option<(Quat, Vec3)> {
    let eigen = eigen::symmetric3_compiled(&Mat3([xx, xy, xz, xy, yy, yz, xz, yz, zz]));
    (eigen.values[2] >= EPSILON).then_some((eigen.quat, Vec3(eigen.values)))
}
