//! Two boxes: separating axes, then clipping.
//!
//! Fifteen candidate axes (three face normals of each box, nine cross products of edges) are
//! tested; the one with the least penetration decides how the contacts are made:
//!
//! - a *face* axis: the incident face of the other box is clipped against the rectangle of this
//!   face ([`face_contacts`]);
//! - an *edge* axis: the two faces nearest to the axis are projected onto each other along it
//!   ([`edge_contacts`]).
//!
//! Either way the work happens in a frame turned so that the reference face looks along +z.
//!
//! For one number at a time: the axis decides about the frame and about which of the two ways is gone, and clipping
//! adds corners and crossings as they come. Lanes with different axes would share next to nothing after
//! the test of the axes, so worlds in lanes call it one after the other.

mod edge;
mod face;

use super::{Shape, Touches};
use edge::edge_contacts;
use face::face_contacts;
use sinew_math::{MIN_VALUE, Mat3, Scalar, Vec3, vec3};

/// Up to eight contacts in general position (more are possible with coincident features).
#[doc(alias = "mjc_BoxBox")]
pub fn box_box<T: Scalar, Out: Touches<T>>(
    first: &Shape<T>,
    second: &Shape<T>,
    margin: T,
    out: &mut Out,
) {
    let pair = Pair {
        first,
        second,
        margin,
        second_in_first: first.mat.transpose_mul(second.pos - first.pos),
        first_in_second: second.mat.transpose_mul(first.pos - second.pos),
        rotation: first.mat.transpose() * second.mat,
    };
    match pair.least_penetration() {
        None => {}
        Some(Axis::Face { face, of_second }) => face_contacts(&pair, face, of_second, out),
        Some(Axis::Edges(axis)) => edge_contacts(&pair, &axis, out),
    }
}

struct Pair<'a, T> {
    first: &'a Shape<T>,
    second: &'a Shape<T>,
    margin: T,
    /// Centre of the second box in the frame of the first.
    second_in_first: Vec3<T>,
    /// Centre of the first box in the frame of the second.
    first_in_second: Vec3<T>,
    /// Axes of the second box as columns in the frame of the first.
    rotation: Mat3<T>,
}

/// The axis of least penetration.
enum Axis<T> {
    /// Normal of face 0–5 (+x +y +z −x −y −z) of one of the boxes.
    Face { face: usize, of_second: bool },
    /// Cross product of an edge of each box.
    Edges(EdgeAxis<T>),
}

struct EdgeAxis<T> {
    /// Edge direction of the first box.
    edge1: usize,
    /// Edge direction of the second box.
    edge2: usize,
    /// Sides of the first box on which the edge lies, one bit per axis.
    side1: usize,
    /// Sides of the second box on which the edge lies, one bit per axis.
    side2: usize,
    /// Unit axis in the frame of the first box.
    direction: Vec3<T>,
    /// The second box lies on the negative side of the axis.
    is_inverted: bool,
}

impl<T: Scalar> Pair<'_, T> {
    /// Tests all fifteen axes; `None` when one of them separates the boxes by more than the margin.
    fn least_penetration(&self) -> Option<Axis<T>> {
        let zero = T::ZERO;
        let (size1, size2) = (self.first.size, self.second.size);
        let rotation = self.rotation.0;
        let absolute = Mat3(rotation.map(T::abs));
        let extent2 = absolute * Vec3(size2);
        let extent1 = absolute.transpose_mul(Vec3(size1));

        let mut least = self.margin;
        for i in 0..3 {
            least += size1[i] * T::from_f64(3.0) + size2[i] * T::from_f64(3.0);
        }
        let mut best = None;

        for i in 0..3 {
            let depth1 = -self.second_in_first[i].abs() + size1[i] + extent2[i];
            let depth2 = -self.first_in_second[i].abs() + size2[i] + extent1[i];
            if depth1 < -self.margin || depth2 < -self.margin {
                return None;
            }
            if depth1 < least {
                least = depth1;
                let face = i + 3 * usize::from(self.second_in_first[i] < zero);
                best = Some(Axis::Face {
                    face,
                    of_second: false,
                });
            }
            if depth2 < least {
                least = depth2;
                let face = i + 3 * usize::from(self.first_in_second[i] < zero);
                best = Some(Axis::Face {
                    face,
                    of_second: true,
                });
            }
        }

        for i in 0..3 {
            for j in 0..3 {
                // Axis i of the first box × axis j of the second, in the first frame.
                let edge = self.rotation.column(j);
                let cross = match i {
                    0 => vec3(zero, -edge[2], edge[1]),
                    1 => vec3(edge[2], zero, -edge[0]),
                    _ => vec3(-edge[1], edge[0], zero),
                };
                let (direction, length) = cross.normalize();
                if length < T::from_f64(MIN_VALUE) {
                    continue;
                }
                let offset = self.second_in_first.dot(direction);
                let mut depth = zero;
                for k in (0..3).filter(|&k| k != i) {
                    depth += size1[k] * direction[k].abs();
                }
                for k in (0..3).filter(|&k| k != j) {
                    depth += size2[k] * absolute[3 * i + 3 - k - j] / length;
                }
                depth -= offset.abs();
                if depth < -self.margin {
                    return None;
                }
                // Edges must be clearly better than faces.
                if depth < least * T::from_f64(1.0 - 1e-12) {
                    least = depth;
                    let is_inverted = offset < zero;
                    let side1 = (0..3)
                        .filter(|&k| k != i && ((direction[k] > zero) ^ is_inverted))
                        .map(|k| 1 << k)
                        .sum();
                    let side2 = (0..3)
                        .filter(|&k| {
                            k != j
                                && ((rotation[3 * i + 3 - k - j] > zero)
                                    ^ is_inverted
                                    ^ ((k + 3 - j) % 3 == 1))
                        })
                        .map(|k| 1 << k)
                        .sum();
                    best = Some(Axis::Edges(EdgeAxis {
                        edge1: i,
                        edge2: j,
                        side1,
                        side2,
                        direction,
                        is_inverted,
                    }));
                }
            }
        }
        best
    }
}

/// A rotation by multiples of 90° that brings a face to +z: a permutation of axes with signs.
struct Turn {
    from: [usize; 3],
    sign: [f64; 3],
}

impl Turn {
    fn of_face(face: usize) -> Turn {
        let (from, sign) = match face {
            0 => ([2, 1, 0], [-1.0, 1.0, 1.0]),
            1 => ([0, 2, 1], [1.0, -1.0, 1.0]),
            2 => ([0, 1, 2], [1.0, 1.0, 1.0]),
            3 => ([2, 1, 0], [1.0, 1.0, -1.0]),
            4 => ([0, 2, 1], [1.0, 1.0, -1.0]),
            _ => ([0, 1, 2], [-1.0, 1.0, -1.0]),
        };
        Turn { from, sign }
    }

    fn vector<T: Scalar>(&self, v: Vec3<T>) -> Vec3<T> {
        let part = |k: usize| v[self.from[k]] * T::from_f64(self.sign[k]);
        vec3(part(0), part(1), part(2))
    }

    fn sizes<T: Scalar>(&self, size: [T; 3]) -> [T; 3] {
        [size[self.from[0]], size[self.from[1]], size[self.from[2]]]
    }

    /// turn · m
    fn rows<T: Scalar>(&self, m: &Mat3<T>) -> Mat3<T> {
        let row = |k: usize| m.row(self.from[k]) * T::from_f64(self.sign[k]);
        Mat3::from_columns(row(0), row(1), row(2)).transpose()
    }

    /// m · turnᵀ
    fn columns<T: Scalar>(&self, m: &Mat3<T>) -> Mat3<T> {
        let column = |k: usize| m.column(self.from[k]) * T::from_f64(self.sign[k]);
        Mat3::from_columns(column(0), column(1), column(2))
    }
}

/// A line with a start and a direction whose length is that of the edge.
#[derive(Clone, Copy)]
struct Line<T> {
    start: Vec3<T>,
    along: Vec3<T>,
}

/// Where a line crosses the sides of the rectangle ±`half` in the xy plane: calls `hit` with the
/// coordinate index q of the side, the side's coordinate, the fraction along the line and the
/// other coordinate.
fn cross_rectangle<T: Scalar>(line: &Line<T>, half: [T; 3], mut hit: impl FnMut(usize, T, T, T)) {
    for q in 0..2 {
        let (a, b) = (line.start[q], line.along[q]);
        let (c, d) = (line.start[1 - q], line.along[1 - q]);
        if b.abs() <= T::from_f64(MIN_VALUE) {
            continue;
        }
        for side in [-half[q], half[q]] {
            let fraction = (side - a) * (T::ONE / b);
            if fraction < T::ZERO || fraction > T::ONE {
                continue;
            }
            let other = c + d * fraction;
            if other.abs() > half[1 - q] {
                continue;
            }
            hit(q, side, fraction, other);
        }
    }
}
