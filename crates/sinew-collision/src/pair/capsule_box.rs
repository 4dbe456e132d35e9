//! Capsule and box: the capsule's segment against the box, then spheres at one or two of its points.
//!
//! First the point of the segment nearest to the box is found, which is either an end facing a
//! face of the box or a point facing one of the twelve edges. Around that point the relative
//! direction of capsule and box decides whether a second point of the segment, as far away as the
//! box reaches, also deserves a contact. Everything happens in the box frame, with positions along
//! the segment measured in half lengths from its middle (−1 to 1).
//!
//! For one number at a time: the nearest part of the box decides which coordinates are read from then on, so lanes
//! whose capsules face different parts would have to compute the second point for every face, edge and
//! corner. Worlds in lanes call it one after the other.

use super::{Shape, Touches, sphere_box};
use sinew_math::{MIN_VALUE, Scalar, Vec3, vec3};

/// What part of the box is nearest to the segment.
#[derive(Clone, Copy)]
enum Feature<T> {
    /// An end of the segment (−1 or 1) faces the face across `axis`; `None`: it lies inside.
    Face { end: T, axis: Option<usize> },
    /// The inner part of the edge along `axis`; `on_edge` runs from −1 to 1 along it.
    Edge {
        axis: usize,
        corner: usize,
        on_edge: T,
    },
    /// A corner, by its bits: bit i is set on the positive side of axis i.
    Corner { corner: usize },
}

struct Segment<T> {
    /// Middle, box frame.
    middle: Vec3<T>,
    /// Unit axis, box frame.
    axis: Vec3<T>,
    /// From the middle to the positive end, box frame.
    half: Vec3<T>,
    /// Bit i is set when the half axis points to the positive side of axis i.
    direction: usize,
}

/// Up to two contacts.
#[doc(alias = "mjc_CapsuleBox")]
pub fn capsule_box<T: Scalar, Out: Touches<T>>(
    capsule: &Shape<T>,
    cuboid: &Shape<T>,
    margin: T,
    out: &mut Out,
) {
    let axis = cuboid.mat.transpose_mul(capsule.axis());
    let half = axis * capsule.size[1];
    let segment = Segment {
        middle: cuboid.mat.transpose_mul(capsule.pos - cuboid.pos),
        axis,
        half,
        direction: (0..3).map(|i| usize::from(half[i] > T::ZERO) << i).sum(),
    };
    let Some((feature, nearest)) = nearest_feature(&segment, capsule, cuboid.size, margin) else {
        return;
    };
    let mut sphere_at = |along: T| {
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
fn nearest_feature<T: Scalar>(
    segment: &Segment<T>,
    capsule: &Shape<T>,
    size: [T; 3],
    margin: T,
) -> Option<(Feature<T>, T)> {
    let one = T::ONE;
    let half_length = capsule.size[1];
    let mut best =
        margin + T::from_f64(2.0) * (capsule.size[0] + half_length + size[0] + size[1] + size[2]);
    let mut found = None;

    // Ends that face a face, or lie inside: outside the box in at most one direction.
    for end in [-one, one] {
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
            let sign = |bit: usize| if i & bit != 0 { one } else { -one };
            let mut start = vec3(sign(1) * size[0], sign(2) * size[1], sign(4) * size[2]);
            start[j] = T::ZERO;
            let between = start - segment.middle;

            let a = size[j] * size[j];
            let b = -size[j] * segment.half[j];
            let c = half_length * half_length;
            let u = -size[j] * between[j];
            let v = segment.half.dot(between);
            let determinant = a * c - b * b;
            if determinant.abs() < T::from_f64(MIN_VALUE) {
                continue;
            }
            let inverse = one / determinant;
            // Once an end of the edge was reached it counts as the nearest corner, even if the
            // correction for the segment's end moves the point back onto the edge.
            let mut end_reached = None;
            let mut keep_on_edge = |x: T| {
                if x > one {
                    end_reached = Some(1);
                    one
                } else if x < -one {
                    end_reached = Some(0);
                    -one
                } else {
                    x
                }
            };
            let free = (c * u - b * v) * inverse;
            let mut on_edge = keep_on_edge(free);
            let mut along = if free > one {
                (v - b) * (one / c)
            } else if free < -one {
                (v + b) * (one / c)
            } else {
                (a * v - b * u) * inverse
            };
            if along > one {
                along = one;
                on_edge = keep_on_edge((u - b) * (one / a));
            } else if along < -one {
                along = -one;
                on_edge = keep_on_edge((u + b) * (one / a));
            }
            let mut away = between.add_scaled(segment.half, -along);
            away[j] += size[j] * on_edge;
            let squared = away.dot(away);
            // The slack keeps a capsule parallel to a face from jumping between equal edges.
            if squared < best - T::from_f64(MIN_VALUE) {
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
fn from_corner<T: Scalar>(
    segment: &Segment<T>,
    size: [T; 3],
    corner: usize,
    nearest: T,
) -> Option<T> {
    let (one, two) = (T::ONE, T::from_f64(2.0));
    let relative = segment.direction ^ corner;
    let (sign, bit) = match relative {
        0 | 7 => return None,
        1 | 2 | 4 => (one, relative),
        _ => (-one, 7 - relative),
    };
    let along_edge = one - sign * nearest;
    let along_face = one + sign * nearest;
    let axis = bit.trailing_zeros() as usize;
    if segment.axis[axis] * segment.axis[axis] > T::from_f64(0.5) {
        let reach = two * size[axis] / segment.half[axis].abs();
        Some(lesser(along_edge, reach) * sign)
    } else {
        let mut offset = along_face;
        for other in [(axis + 1) % 3, (axis + 2) % 3] {
            offset = lesser(offset, two * size[other] / segment.half[other].abs());
        }
        Some(offset * -sign)
    }
}

/// Second point when the inside of an edge is nearest: over the face with the smaller angle, or
/// none when edge and capsule form a T.
fn from_edge<T: Scalar>(
    segment: &Segment<T>,
    size: [T; 3],
    axis: usize,
    corner: usize,
    on_edge: T,
    nearest: T,
) -> Option<T> {
    let (one, two) = (T::ONE, T::from_f64(2.0));
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
    let sign = if points_across { one } else { -one };
    let mut offset = one - sign * nearest;
    offset = lesser(offset, two * size[across] / segment.half[across].abs());
    let to_edge_end = if (segment.direction & (1 << axis) != 0) == points_across {
        one - on_edge
    } else {
        one + on_edge
    };
    offset = lesser(offset, size[axis] * to_edge_end / segment.half[axis].abs());
    Some(offset * sign)
}

/// Second point when an end faces a face: towards the other end, as far as the face reaches.
fn from_face<T: Scalar>(segment: &Segment<T>, size: [T; 3], end: T, axis: usize) -> T {
    let sign = -end;
    let start = segment.middle.add_scaled(segment.half, -sign);
    let mut offset = T::from_f64(2.0);
    for i in (0..3).filter(|&i| i != axis) {
        for side in [size[i], -size[i]] {
            let crossing = (side - start[i]) / segment.half[i] * sign;
            if crossing > T::ZERO && crossing < offset {
                offset = crossing;
            }
        }
    }
    offset * sign
}

/// The second if it is smaller, else the first.
fn lesser<T: Scalar>(a: T, b: T) -> T {
    if b < a { b } else { a }
}
