//! Removes contacts of two boxes that clipping produced where they should not be.

use super::{Shape, Touch};
use sinew_math::Vec3;

/// A contact this much (relative to the box) outside a surface is no contact.
const SLACK: f64 = 1.01;

/// Drops contacts that lie outside one box without lying inside the other, and of contacts at the
/// very same position all but the last.
pub fn drop_outside_and_repeated(
    first: &Shape,
    second: &Shape,
    margin: f64,
    touches: &mut Vec<Touch>,
    start: usize,
) {
    let mut kept = start;
    for i in start..touches.len() {
        let where1 = side(touches[i].pos, first, margin);
        let where2 = side(touches[i].pos, second, margin);
        let is_outside = (where1 == Side::Outside && where2 != Side::Inside)
            || (where2 == Side::Outside && where1 != Side::Inside);
        if !is_outside {
            touches[kept] = touches[i];
            kept += 1;
        }
    }
    touches.truncate(kept);
    let mut kept = start;
    for i in start..touches.len() {
        let pos = touches[i].pos;
        if !touches[i + 1..].iter().any(|later| later.pos == pos) {
            touches[kept] = touches[i];
            kept += 1;
        }
    }
    touches.truncate(kept);
}

#[derive(PartialEq)]
enum Side {
    Outside,
    Near,
    Inside,
}

fn side(point: Vec3, cuboid: &Shape, margin: f64) -> Side {
    let local = cuboid.mat.transpose_mul(point - cuboid.pos);
    let size = cuboid.size.map(|s| s + margin);
    if (0..3).any(|k| local[k].abs() > size[k] * SLACK) {
        Side::Outside
    } else if (0..3).all(|k| local[k].abs() < size[k] / SLACK) {
        Side::Inside
    } else {
        Side::Near
    }
}
