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
    let (cuboid1, cuboid2) = (Cuboid::new(first, margin), Cuboid::new(second, margin));
    for i in start..touches.len() {
        let where1 = cuboid1.side(touches[i].pos);
        let where2 = cuboid2.side(touches[i].pos);
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

/// A box with two shells, a little outside and a little inside of its surface.
struct Cuboid<'a> {
    shape: &'a Shape,
    outer: [f64; 3],
    inner: [f64; 3],
}

impl Cuboid<'_> {
    fn new(shape: &Shape, margin: f64) -> Cuboid<'_> {
        let size = shape.size.map(|s| s + margin);
        Cuboid {
            shape,
            outer: size.map(|s| s * SLACK),
            inner: size.map(|s| s / SLACK),
        }
    }

    fn side(&self, point: Vec3) -> Side {
        let local = self.shape.mat.transpose_mul(point - self.shape.pos);
        if (0..3).any(|k| local[k].abs() > self.outer[k]) {
            Side::Outside
        } else if (0..3).all(|k| local[k].abs() < self.inner[k]) {
            Side::Inside
        } else {
            Side::Near
        }
    }
}
