//! Removes contacts of two boxes that clipping produced where they should not be.

use super::{Shape, TouchSlots};
use sinew_math::{Scalar, Vec3};

/// A contact this much (relative to the box) outside a surface is no contact.
const SLACK: f64 = 1.01;

/// Drops contacts that lie outside one box without lying inside the other, and of contacts at the
/// very same position all but the last.
pub fn drop_outside_and_repeated<T: Scalar>(
    first: &Shape<T>,
    second: &Shape<T>,
    margin: T,
    touches: &mut impl TouchSlots<T>,
    start: usize,
) {
    let mut kept = start;
    let (cuboid1, cuboid2) = (Cuboid::new(first, margin), Cuboid::new(second, margin));
    for i in start..touches.count() {
        let touch = touches.get(i);
        let where1 = cuboid1.side(touch.pos);
        let where2 = cuboid2.side(touch.pos);
        let is_outside = (where1 == Side::Outside && where2 != Side::Inside)
            || (where2 == Side::Outside && where1 != Side::Inside);
        if !is_outside {
            touches.set(kept, touch);
            kept += 1;
        }
    }
    touches.truncate(kept);
    let mut kept = start;
    for i in start..touches.count() {
        let touch = touches.get(i);
        let is_later = |k: usize| touches.get(k).pos == touch.pos;
        if !(i + 1..touches.count()).any(is_later) {
            touches.set(kept, touch);
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
struct Cuboid<'a, T> {
    shape: &'a Shape<T>,
    outer: [T; 3],
    inner: [T; 3],
}

impl<T: Scalar> Cuboid<'_, T> {
    fn new(shape: &Shape<T>, margin: T) -> Cuboid<'_, T> {
        let (size, slack) = (shape.size.map(|s| s + margin), T::from_f64(SLACK));
        Cuboid {
            shape,
            outer: size.map(|s| s * slack),
            inner: size.map(|s| s / slack),
        }
    }

    fn side(&self, point: Vec3<T>) -> Side {
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
