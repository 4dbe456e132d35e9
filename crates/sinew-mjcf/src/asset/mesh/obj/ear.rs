//! Polygons cut into triangles by ear clipping.
//!
//! The polygon is projected along the axis of its largest edge product; corners that turn with
//! the area and contain no other corner are cut off one after the other. Single precision and the
//! order of the search are those of tinyobjloader, which decide which triangles result.

#![deny(
    clippy::indexing_slicing,
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic
)]

use super::super::error::MeshError;
use super::Corner;

/// Corner tests left for one file; polygons that need more are refused.
pub(super) struct Budget(u64);

impl Default for Budget {
    fn default() -> Self {
        Budget(1_000_000_000)
    }
}

/// Appends the triangles of a polygon; fewer than three corners give none.
pub(super) fn clip(
    polygon: &[Corner],
    vertices: &[[f32; 3]],
    budget: &mut Budget,
    triangles: &mut Vec<[Corner; 3]>,
) -> Result<(), MeshError> {
    match polygon {
        [] | [_] | [_, _] => return Ok(()),
        [a, b, c] => {
            triangles.push([*a, *b, *c]);
            return Ok(());
        }
        _ => {}
    }
    let position = |corner: &Corner| -> Option<[f32; 3]> {
        usize::try_from(corner.vertex)
            .ok()
            .and_then(|index| vertices.get(index))
            .copied()
    };
    let axes = projection(polygon, position);
    let project = |corner: &Corner| position(corner).map(|p| axes.map(|axis| axis.of(p)));

    // Twice the sum of corner products is the signed area of the outline.
    let mut area = 0.0_f32;
    for (corner, next) in polygon.iter().zip(polygon.iter().cycle().skip(1)) {
        if let (Some([x0, y0]), Some([x1, y1])) = (project(corner), project(next)) {
            area += (x0 * y1 - y0 * x1) * 0.5;
        }
    }

    let mut remaining: Vec<Corner> = polygon.to_vec();
    let mut guess = 0;
    let mut rounds = remaining.len();
    let mut previous = remaining.len();
    while remaining.len() > 3 && rounds > 0 {
        let count = remaining.len();
        if guess >= count {
            guess -= count;
        }
        if previous != count {
            previous = count;
            rounds = count;
        } else {
            rounds -= 1;
        }
        budget.0 = budget.0.checked_sub(count as u64).ok_or_else(|| {
            MeshError::limit("the polygons of the OBJ file are too large to be triangulated")
        })?;

        let at = |offset: usize| remaining.get((guess + offset) % count).copied();
        let (Some(a), Some(b), Some(c)) = (at(0), at(1), at(2)) else {
            break;
        };
        let triangle = [a, b, c].map(|corner| project(&corner).unwrap_or([0.0; 2]));
        let [[x0, y0], [x1, y1], [x2, y2]] = triangle;
        let turn = (x1 - x0) * (y2 - y1) - (y1 - y0) * (x2 - x1);
        if turn * area < 0.0 {
            guess += 1;
            continue;
        }
        let is_occupied = (3..count)
            .filter_map(|offset| at(offset).as_ref().and_then(project))
            .any(|point| contains(&triangle, point));
        if is_occupied {
            guess += 1;
            continue;
        }
        triangles.push([a, b, c]);
        remaining.remove((guess + 1) % count);
    }
    if let [a, b, c] = remaining[..] {
        triangles.push([a, b, c]);
    }
    Ok(())
}

#[derive(Clone, Copy)]
enum Axis {
    X,
    Y,
    Z,
}

impl Axis {
    fn of(self, [x, y, z]: [f32; 3]) -> f32 {
        match self {
            Axis::X => x,
            Axis::Y => y,
            Axis::Z => z,
        }
    }
}

/// The two axes to work in, from the first corner that is not straight.
fn projection(polygon: &[Corner], position: impl Fn(&Corner) -> Option<[f32; 3]>) -> [Axis; 2] {
    let following = |k| polygon.iter().cycle().skip(k);
    for ((a, b), c) in polygon.iter().zip(following(1)).zip(following(2)) {
        let (Some(a), Some(b), Some(c)) = (position(a), position(b), position(c)) else {
            continue;
        };
        let ([ax, ay, az], [bx, by, bz], [cx, cy, cz]) = (a, b, c);
        let (ux, uy, uz) = (bx - ax, by - ay, bz - az);
        let (wx, wy, wz) = (cx - bx, cy - by, cz - bz);
        let nx = (uy * wz - uz * wy).abs();
        let ny = (uz * wx - ux * wz).abs();
        let nz = (ux * wy - uy * wx).abs();
        if nx > f32::EPSILON || ny > f32::EPSILON || nz > f32::EPSILON {
            return if nx > ny && nx > nz {
                [Axis::Y, Axis::Z]
            } else if nz > nx && nz > ny {
                [Axis::X, Axis::Y]
            } else {
                [Axis::X, Axis::Z]
            };
        }
    }
    [Axis::Y, Axis::Z]
}

/// Whether a ray from the point crosses the outline of the triangle an odd number of times.
fn contains(triangle: &[[f32; 2]; 3], [px, py]: [f32; 2]) -> bool {
    let [a, b, c] = *triangle;
    let mut is_inside = false;
    for ([xi, yi], [xj, yj]) in [(a, c), (b, a), (c, b)] {
        if (yi > py) != (yj > py) && px < (xj - xi) * (py - yi) / (yj - yi) + xi {
            is_inside = !is_inside;
        }
    }
    is_inside
}
