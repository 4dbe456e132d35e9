//! Contacts of two boxes whose axis of least penetration is the cross product of two edges.

use super::{EdgeAxis, Line, Pair, Turn, cross_rectangle};
use crate::pair::{Touch, Touches};
use sinew_math::{MIN_VALUE, Mat3, Scalar, Vec3, vec3};

/// Contacts when two edges cross: the faces of both boxes nearest to the axis, projected onto each
/// other along it. Positions are midway between the two surfaces.
pub fn edge_contacts<T: Scalar>(pair: &Pair<'_, T>, axis: &EdgeAxis<T>, out: &mut impl Touches<T>) {
    let Some(faces) = Faces::nearest(pair, axis) else {
        return;
    };
    let to_world = faces.turn.columns(&pair.first.mat);
    let sign = if axis.is_inverted { -T::ONE } else { T::ONE };
    let found = &mut Found {
        normal: to_world * faces.direction * sign,
        to_world,
        origin: pair.first.pos,
        height: faces.half[2],
        count: 0,
        out,
    };
    faces.add_crossings(pair.margin, found);
    let crossings = found.count;
    faces.add_corners_of_first(pair.margin, crossings, found);
    faces.add_corners_of_second(pair.margin, crossings, found);
}

/// The face of each box nearest to an axis of edges, in a frame in which the first box's face is the
/// rectangle ±`half` at z = 0.
struct Faces<T> {
    turn: Turn,
    /// Half sizes of the first box in this frame.
    half: [T; 3],
    /// The axis.
    direction: Vec3<T>,
    /// From heights above the first face to depths along the axis.
    scale: T,
    /// Corners of the second box's face: the origin, its two neighbours, the one across.
    corners: [Vec3<T>; 4],
    /// The corners projected onto the first face along the axis.
    projected: [Vec3<T>; 4],
}

impl<T: Scalar> Faces<T> {
    /// `None`: the axis lies in the first face.
    fn nearest(pair: &Pair<'_, T>, axis: &EdgeAxis<T>) -> Option<Self> {
        let one = T::ONE;
        let (q1, q2) = (axis.edge1, axis.edge2);
        let rotation = &pair.rotation;
        let size2 = pair.second.size;

        // In each box the two directions across the edge; the one more aligned with the other box's
        // edge first. The other one is the normal of the face to use.
        let across = |edge: usize| match edge {
            0 => (1, 2),
            1 => (0, 2),
            _ => (1, 0),
        };
        let (mut along2, mut out2) = across(q2);
        if rotation[3 * q1 + along2].abs() < rotation[3 * q1 + out2].abs() {
            (along2, out2) = (out2, along2);
        }
        let (along1, mut out1) = across(q1);
        if rotation[3 * along1 + q2].abs() < rotation[3 * out1 + q2].abs() {
            out1 = along1;
        }
        let face = if axis.side1 & (1 << out1) != 0 {
            out1
        } else {
            out1 + 3
        };

        let turn = Turn::of_face(face);
        let axes2 = turn.rows(rotation);
        let direction = turn.vector(axis.direction);
        let half = turn.sizes(pair.first.size);
        let mut centre = turn.vector(pair.second_in_first);
        centre[2] -= half[2];
        if direction[2].abs() < T::from_f64(MIN_VALUE) {
            return None;
        }
        let inverse = one / direction[2];
        let scale = inverse * if axis.is_inverted { -one } else { one };

        let side = |k: usize| {
            if axis.side2 & (1 << k) != 0 {
                one
            } else {
                -one
            }
        };
        let edge = axes2.column(q2);
        let mut corners = [Vec3::zero(); 4];
        for (i, corner) in corners.iter_mut().enumerate() {
            let flip = if i < 2 { one } else { -one };
            let end = if i % 2 == 0 { one } else { -one };
            *corner = centre
                .add_scaled(axes2.column(along2), size2[along2] * (side(along2) * flip))
                .add_scaled(axes2.column(out2), size2[out2] * side(out2))
                .add_scaled(edge, size2[q2] * end);
        }
        let projected = corners.map(|corner| corner.add_scaled(direction, -corner[2] * inverse));
        Some(Faces {
            turn,
            half,
            direction,
            scale,
            corners,
            projected,
        })
    }

    /// Projected edges of the second face against the sides of the first.
    fn add_crossings(&self, margin: T, found: &mut Found<'_, T, impl Touches<T>>) {
        let half = T::from_f64(0.5);
        for (line, above) in outline(&self.projected).iter().zip(&outline(&self.corners)) {
            cross_rectangle(line, self.half, |q, side, fraction, other| {
                if (above.start[2] + above.along[2] * fraction) * self.scale > margin {
                    return;
                }
                let mut point = (above.start * half).add_scaled(above.along, half * fraction);
                point[q] += half * side;
                point[1 - q] += half * other;
                let dist = point[2] * self.scale * T::from_f64(2.0);
                found.add(point, dist);
            });
        }
    }

    /// Corners of the first face inside the projection of the second.
    fn add_corners_of_first(
        &self,
        margin: T,
        crossings: usize,
        found: &mut Found<'_, T, impl Touches<T>>,
    ) {
        let (zero, one, middle) = (T::ZERO, T::ONE, T::from_f64(0.5));
        let (corners, projected, half) = (&self.corners, &self.projected, self.half);
        let margin_squared = margin * margin;
        let edges = [projected[1] - projected[0], projected[2] - projected[0]];
        let (a, b) = (edges[0][0], edges[1][0]);
        let (c, d) = (edges[0][1], edges[1][1]);
        let mut determinant = a * d - b * c;
        for i in 0..4 {
            let at_x = if i / 2 != 0 { half[0] } else { -half[0] };
            let at_y = if i % 2 != 0 { half[1] } else { -half[1] };
            let (x, y) = (at_x - projected[0][0], at_y - projected[0][1]);
            let u = (x * d - y * b) * (one / determinant);
            let v = (y * a - x * c) * (one / determinant);
            let is_outside = |w: T| w < zero || w > one;
            let is_skipped = if crossings == 0 {
                is_outside(u) && is_outside(v)
            } else {
                is_outside(u) || is_outside(v)
            };
            if is_skipped {
                continue;
            }
            let (u, v) = (clamp(u), clamp(v));
            let opposite = (corners[0] * (one - u - v))
                .add_scaled(corners[1], u)
                .add_scaled(corners[2], v);
            let point = vec3(at_x, at_y, zero);
            let away = point - opposite;
            // Differs from what one would write: the reference overwrites the determinant here, and
            // the remaining corners of this loop see the squared distance in its place.
            determinant = away.dot(away);
            if opposite[2] > zero && determinant > margin_squared {
                continue;
            }
            let sign = if opposite[2] < zero { -one } else { one };
            found.add((point + opposite) * middle, determinant.sqrt() * sign);
        }
    }

    /// Corners of the second face over the first.
    fn add_corners_of_second(
        &self,
        margin: T,
        crossings: usize,
        found: &mut Found<'_, T, impl Touches<T>>,
    ) {
        let (zero, one, middle) = (T::ZERO, T::ONE, T::from_f64(0.5));
        let half = self.half;
        let has_found = found.count > 0;
        for (corner, flat) in self.corners.iter().zip(&self.projected) {
            let is_out = |k: usize| flat[k] < -half[k] || flat[k] > half[k];
            let is_skipped = if crossings > 0 {
                is_out(0) || is_out(1)
            } else {
                has_found && is_out(0) && is_out(1)
            };
            if is_skipped {
                continue;
            }
            let mut squared = zero;
            let mut point = vec3(flat[0] * middle, flat[1] * middle, zero);
            for j in 0..2 {
                if flat[j] < -half[j] {
                    squared += (flat[j] + half[j]) * (flat[j] + half[j]);
                    point[j] = -half[j] * middle;
                } else if flat[j] > half[j] {
                    squared += (flat[j] - half[j]) * (flat[j] - half[j]);
                    point[j] = half[j] * middle;
                }
            }
            squared += corner[2] * self.scale * corner[2] * self.scale;
            if corner[2] > zero && squared > margin * margin {
                continue;
            }
            let sign = if corner[2] < zero { -one } else { one };
            found.add(point.add_scaled(*corner, middle), squared.sqrt() * sign);
        }
    }
}

/// The four edges of a parallelogram from its origin, its two neighbours and the one across.
fn outline<T: Scalar>(corners: &[Vec3<T>; 4]) -> [Line<T>; 4] {
    let origin = corners[0];
    let edges = [corners[1] - origin, corners[2] - origin];
    let line = |start: Vec3<T>, along: Vec3<T>| Line { start, along };
    [
        line(origin, edges[0]),
        line(origin, edges[1]),
        line(origin + edges[0], edges[1]),
        line(origin + edges[1], edges[0]),
    ]
}

/// `x` between 0 and 1; what is not a number stays that.
fn clamp<T: Scalar>(x: T) -> T {
    let x = if x < T::ZERO { T::ZERO } else { x };
    if x > T::ONE { T::ONE } else { x }
}

/// Tells contacts in the world: at most four on each of four lines and one at each corner.
struct Found<'a, T, Out> {
    to_world: Mat3<T>,
    origin: Vec3<T>,
    normal: Vec3<T>,
    /// Of the first face.
    height: T,
    count: usize,
    out: &'a mut Out,
}

impl<T: Scalar, Out: Touches<T>> Found<'_, T, Out> {
    fn add(&mut self, point: Vec3<T>, dist: T) {
        let mut point = point;
        point[2] += self.height;
        let pos = self.to_world * point + self.origin;
        self.out.add(true, Touch::new(dist, pos, self.normal));
        self.count += 1;
    }
}
