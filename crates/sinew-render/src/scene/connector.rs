//! What runs from one point to another.

use super::{Piece, Shape, Surface};
use sinew_math::{Mat3, Quat, Vec3};

/// A frame whose z axis has a direction.
pub(crate) fn along(direction: Vec3) -> Mat3 {
    Quat::from_z_to(direction).to_mat()
}

/// A piece between two points: a capsule or a cylinder, or what begins at the first of them.
#[doc(alias = "mjv_connector")]
pub(super) fn connector(
    shape: Shape,
    width: f64,
    (from, to): (Vec3, Vec3),
    surface: Surface,
    object: [i32; 2],
) -> Piece {
    let length = from.distance(to);
    let is_centred = matches!(shape, Shape::Capsule | Shape::Cylinder);
    Piece {
        shape,
        size: [width, width, if is_centred { 0.5 * length } else { length }],
        position: if is_centred { (from + to) * 0.5 } else { from },
        axes: along(to - from),
        surface,
        object,
        is_decoration: false,
    }
}
