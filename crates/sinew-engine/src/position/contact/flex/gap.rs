//! Elements that clearly do not touch, told by a direction along which there is a gap between them.
//!
//! Most neighbours whose boxes overlap are apart. A direction that shows it spares the convex algorithms, which would find
//! no contact: tried are the line between the middles of the elements, and what is square to the sides of
//! triangles within their planes, which tells apart the parts of a cloth that lies flat.

use super::placed::PlacedFlex;
use sinew_math::{Real, Vec3};

/// By how much a distance must be greater than needed before it is not measured: more than the measurement errs.
const CLEARLY: f64 = 1.0 + 1e-6;

/// The least gap between triangles, relative to the size of their boxes: narrower ones are measured.
const LEAST_GAP: f64 = 1e-6;

/// Whether a direction clearly keeps two elements from touching.
pub(super) fn are_apart(
    (first, e1): (&PlacedFlex<'_>, usize),
    (second, e2): (&PlacedFlex<'_>, usize),
    margin: f64,
) -> bool {
    let origin = first.centre(e1);
    let between = second.centre(e2) - origin;
    let (corners1, corners2) = (first.corners(e1), second.corners(e2));
    let (corners1, corners2) = (corners1.as_slice(), corners2.as_slice());
    let reach = first.radius + second.radius + margin.abs();
    let is_gap = |direction: Vec3, reach: f64| {
        let along = |point: &Vec3| (*point - origin).dot(direction);
        let high = corners1
            .iter()
            .map(along)
            .fold(f64::NEG_INFINITY, Real::max_of);
        let low = corners2.iter().map(along).fold(f64::INFINITY, Real::min_of);
        let gap = low - high;
        gap > 0.0 && gap * gap > reach * reach * direction.dot(direction) * CLEARLY
    };
    if is_gap(between, reach) {
        return true;
    }
    let (&[a, b, c], &[d, e, f]) = (corners1, corners2) else {
        return false;
    };
    let size = |around: &[f64; 6]| around[3] + around[4] + around[5];
    let reach = reach + LEAST_GAP * (size(&first.boxes[e1]) + size(&second.boxes[e2]));
    // Away from the first triangle, or towards the second.
    across_sides([a, b, c]).any(|direction| is_gap(direction, reach))
        || across_sides([d, e, f]).any(|direction| is_gap(-direction, reach))
}

/// Directions square to the sides of a triangle, in its plane, away from it.
fn across_sides([a, b, c]: [Vec3; 3]) -> impl Iterator<Item = Vec3> {
    let sides = [b - a, c - b, a - c];
    let normal = sides[0].cross(sides[1]);
    sides.into_iter().map(move |side| side.cross(normal))
}
