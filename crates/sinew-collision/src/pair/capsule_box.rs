//! Capsule and box: the capsule's segment against the box, then spheres at one or two of its points.
//!
//! First the point of the segment nearest to the box is found, which is either an end facing a
//! face of the box or a point facing one of the twelve edges. Around that point the relative
//! direction of capsule and box decides whether a second point of the segment, as far away as the
//! box reaches, also deserves a contact. Everything happens in the box frame, with positions along
//! the segment measured in half lengths from its middle (−1 to 1).
//!
//! `f64` only: the nearest part of the box decides which coordinates are read from then on, so lanes
//! whose capsules face different parts would have to compute the second point for every face, edge and
//! corner. Worlds in lanes call it one after the other.

use super::{Shape, Touch, sphere_box};
use sinew_math::{MIN_VALUE, Vec3, vec3};

/// What part of the box is nearest to the segment.
#[derive(Clone, Copy)]
enum Feature {
    /// An end of the segment (−1 or 1) faces the face across `axis`; `None`: it lies inside.
    Face { end: f64, axis: Option<usize> },
    /// The inner part of the edge along `axis`; `on_edge` runs from −1 to 1 along it.
    Edge {
        axis: usize,
        corner: usize,
        on_edge: f64,
    },
    /// A corner, by its bits: bit i is set on the positive side of axis i.
    Corner { corner: usize },
}

struct Segment {
    /// Middle, box frame.
    middle: Vec3,
    /// Unit axis, box frame.
    axis: Vec3,
    /// From the middle to the positive end, box frame.
    half: Vec3,
    /// Bit i is set when the half axis points to the positive side of axis i.
    direction: usize,
}

/// Up to two contacts.
#[doc(alias = "mjc_CapsuleBox")]
pub fn capsule_box(capsule: &Shape, cuboid: &Shape, margin: f64, out: &mut Vec<Touch>) {
    let axis = cuboid.mat.transpose_mul(capsule.axis());
    let half = axis * capsule.size[1];
    let segment = Segment {
        middle: cuboid.mat.transpose_mul(capsule.pos - cuboid.pos),
        axis,
        half,
        direction: (0..3).map(|i| usize::from(half[i] > 0.0) << i).sum(),
    };
    let Some((feature, nearest)) = nearest_feature(&segment, capsule, cuboid.size, margin) else {
        return;
    };
    let mut sphere_at = |along: f64| {
        let local = segment.middle.add_scaled(segment.half, along);
        let centre = cuboid.mat * local + cuboid.pos;
        sphere_box(&capsule.at(centre), cuboid, margin, out);
    };
    sphere_at(nearest);
    let second = match feature {
        Feature::Corner { corner } => from_corner(&segment, cuboid.size, corner, nearest),
        Feature::Edge {
            axis,
            corner,
            on_edge,
        } => from_edge(&segment, cuboid.size, axis, corner, on_edge, nearest),
        Feature::Face { end, axis } => axis.map(|axis| from_face(&segment, cuboid.size, end, axis)),
    };
    if let Some(offset) = second {
        sphere_at(offset + nearest);
    }
}

/// The nearest part of the box and the position along the segment that faces it.
fn nearest_feature(
    segment: &Segment,
    capsule: &Shape,
    size: [f64; 3],
    margin: f64,
) -> Option<(Feature, f64)> {
    let half_length = capsule.size[1];
    let mut best = margin + 2.0 * (capsule.size[0] + half_length + size[0] + size[1] + size[2]);
    let mut found = None;

    // Ends that face a face, or lie inside: outside the box in at most one direction.
    for end in [-1.0, 1.0] {
        let point = segment.middle.add_scaled(segment.half, end);
        let mut inside = point;
        let mut outside_axes = 0;
        let mut axis = None;
        for j in 0..3 {
            if point[j] < -size[j] {
                outside_axes += 1;
                axis = Some(j);
                inside[j] = -size[j];
            } else if point[j] > size[j] {
                outside_axes += 1;
                axis = Some(j);
                inside[j] = size[j];
            }
        }
        if outside_axes > 1 {
            continue;
        }
        let away = inside - point;
        let squared = away.dot(away);
        if squared < best {
            best = squared;
            found = Some((Feature::Face { end, axis }, end));
        }
    }

    // All edges: along axis j, at the side given by the other two bits of i.
    for j in 0..3 {
        for i in (0..8).filter(|i| i & (1 << j) == 0) {
            let sign = |bit: usize| if i & bit != 0 { 1.0 } else { -1.0 };
            let mut start = vec3(sign(1) * size[0], sign(2) * size[1], sign(4) * size[2]);
            start[j] = 0.0;
            let between = start - segment.middle;

            let a = size[j] * size[j];
            let b = -size[j] * segment.half[j];
            let c = half_length * half_length;
            let u = -size[j] * between[j];
            let v = segment.half.dot(between);
            let determinant = a * c - b * b;
            if determinant.abs() < MIN_VALUE {
                continue;
            }
            let inverse = 1.0 / determinant;
            // Once an end of the edge was reached it counts as the nearest corner, even if the
            // correction for the segment's end moves the point back onto the edge.
            let mut end_reached = None;
            let mut keep_on_edge = |x: f64| {
                if x > 1.0 {
                    end_reached = Some(1);
                    1.0
                } else if x < -1.0 {
                    end_reached = Some(0);
                    -1.0
                } else {
                    x
                }
            };
            let free = (c * u - b * v) * inverse;
            let mut on_edge = keep_on_edge(free);
            let mut along = if free > 1.0 {
                (v - b) * (1.0 / c)
            } else if free < -1.0 {
                (v + b) * (1.0 / c)
            } else {
                (a * v - b * u) * inverse
            };
            if along > 1.0 {
                along = 1.0;
                on_edge = keep_on_edge((u - b) * (1.0 / a));
            } else if along < -1.0 {
                along = -1.0;
                on_edge = keep_on_edge((u + b) * (1.0 / a));
            }
            let mut away = between.add_scaled(segment.half, -along);
            away[j] += size[j] * on_edge;
            let squared = away.dot(away);
            // The slack keeps a capsule parallel to a face from jumping between equal edges.
            if squared < best - MIN_VALUE {
                best = squared;
                let feature = match end_reached {
                    Some(upper) => Feature::Corner {
                        corner: i + (upper << j),
                    },
                    None => Feature::Edge {
                        axis: j,
                        corner: i,
                        on_edge,
                    },
                };
                found = Some((feature, along));
            }
        }
    }
    found
}

/// Second point when a corner is nearest: along the edge or the face the capsule leans over, or
/// none when it points towards or away from the corner.
fn from_corner(segment: &Segment, size: [f64; 3], corner: usize, nearest: f64) -> Option<f64> {
    let relative = segment.direction ^ corner;
    let (sign, bit) = match relative {
        0 | 7 => return None,
        1 | 2 | 4 => (1.0, relative),
        _ => (-1.0, 7 - relative),
    };
    let along_edge = 1.0 - sign * nearest;
    let along_face = 1.0 + sign * nearest;
    let axis = bit.trailing_zeros() as usize;
    if segment.axis[axis] * segment.axis[axis] > 0.5 {
        let reach = 2.0 * size[axis] / segment.half[axis].abs();
        Some(lesser(along_edge, reach) * sign)
    } else {
        let mut offset = along_face;
        for other in [(axis + 1) % 3, (axis + 2) % 3] {
            offset = lesser(offset, 2.0 * size[other] / segment.half[other].abs());
        }
        Some(offset * -sign)
    }
}

/// Second point when the inside of an edge is nearest: over the face with the smaller angle, or
/// none when edge and capsule form a T.
fn from_edge(
    segment: &Segment,
    size: [f64; 3],
    axis: usize,
    corner: usize,
    on_edge: f64,
    nearest: f64,
) -> Option<f64> {
    let relative = (segment.direction ^ corner) & (7 - (1 << axis));
    if !matches!(relative, 1 | 2 | 4) {
        return None;
    }
    // Of the two faces at the edge, the one the capsule makes the smaller angle with; `across`
    // is the direction away from the edge within that face.
    let (first, second) = ((axis + 1) % 3, (axis + 2) % 3);
    let shallow = if segment.axis[first].abs() > segment.axis[second].abs() {
        second
    } else {
        first
    };
    let across = 3 - axis - shallow;

    let points_across = relative & (1 << across) != 0;
    let sign = if points_across { 1.0 } else { -1.0 };
    let mut offset = 1.0 - sign * nearest;
    offset = lesser(offset, 2.0 * size[across] / segment.half[across].abs());
    let to_edge_end = if (segment.direction & (1 << axis) != 0) == points_across {
        1.0 - on_edge
    } else {
        1.0 + on_edge
    };
    offset = lesser(offset, size[axis] * to_edge_end / segment.half[axis].abs());
    Some(offset * sign)
}

/// Second point when an end faces a face: towards the other end, as far as the face reaches.
fn from_face(segment: &Segment, size: [f64; 3], end: f64, axis: usize) -> f64 {
    let sign = -end;
    let start = segment.middle.add_scaled(segment.half, -sign);
    let mut offset = 2.0;
    for i in (0..3).filter(|&i| i != axis) {
        for side in [size[i], -size[i]] {
            let crossing = (side - start[i]) / segment.half[i] * sign;
            if crossing > 0.0 && crossing < offset {
                offset = crossing;
            }
        }
    }
    offset * sign
}

/// The second if it is smaller, else the first.
fn lesser(a: f64, b: f64) -> f64 {
    if b < a { b } else { a }
}
