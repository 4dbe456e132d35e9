//! Contacts of two boxes whose axis of least penetration is the cross product of two edges.

use super::{EdgeAxis, Line, Pair, Turn, cross_rectangle};
use crate::pair::Touch;
use sinew_math::{MIN_VALUE, Vec3, vec3};

/// Contacts when two edges cross: the faces of both boxes nearest to the axis, projected onto each
/// other along it. Positions are midway between the two surfaces.
pub fn edge_contacts(pair: &Pair<'_>, axis: &EdgeAxis, out: &mut Vec<Touch>) {
    let Some(faces) = Faces::nearest(pair, axis) else {
        return;
    };
    let mut found = Found::default();
    faces.add_crossings(pair.margin, &mut found);
    let crossings = found.count;
    faces.add_corners_of_first(pair.margin, crossings, &mut found);
    faces.add_corners_of_second(pair.margin, crossings, &mut found);

    let to_world = faces.turn.columns(&pair.first.mat);
    let normal = to_world * faces.direction * if axis.is_inverted { -1.0 } else { 1.0 };
    for (point, dist) in &found.points[..found.count] {
        let mut point = *point;
        point[2] += faces.half[2];
        out.push(Touch::new(*dist, to_world * point + pair.first.pos, normal));
    }
}

/// The face of each box nearest to an axis of edges, in a frame in which the first box's face is the
/// rectangle ±`half` at z = 0.
struct Faces {
    turn: Turn,
    /// Half sizes of the first box in this frame.
    half: [f64; 3],
    /// The axis.
    direction: Vec3,
    /// From heights above the first face to depths along the axis.
    scale: f64,
    /// Corners of the second box's face: the origin, its two neighbours, the one across.
    corners: [Vec3; 4],
    /// The corners projected onto the first face along the axis.
    projected: [Vec3; 4],
}

impl Faces {
    /// `None`: the axis lies in the first face.
    fn nearest(pair: &Pair<'_>, axis: &EdgeAxis) -> Option<Faces> {
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
        if direction[2].abs() < MIN_VALUE {
            return None;
        }
        let inverse = 1.0 / direction[2];
        let scale = inverse * if axis.is_inverted { -1.0 } else { 1.0 };

        let side = |k: usize| {
            if axis.side2 & (1 << k) != 0 {
                1.0
            } else {
                -1.0
            }
        };
        let edge = axes2.column(q2);
        let mut corners = [Vec3::ZERO; 4];
        for (i, corner) in corners.iter_mut().enumerate() {
            let flip = if i < 2 { 1.0 } else { -1.0 };
            let end = if i % 2 == 0 { 1.0 } else { -1.0 };
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
    fn add_crossings(&self, margin: f64, found: &mut Found) {
        for (line, above) in outline(&self.projected).iter().zip(&outline(&self.corners)) {
            cross_rectangle(line, self.half, |q, side, fraction, other| {
                if (above.start[2] + above.along[2] * fraction) * self.scale > margin {
                    return;
                }
                let mut point = (above.start * 0.5).add_scaled(above.along, 0.5 * fraction);
                point[q] += 0.5 * side;
                point[1 - q] += 0.5 * other;
                let dist = point[2] * self.scale * 2.0;
                found.add(point, dist);
            });
        }
    }

    /// Corners of the first face inside the projection of the second.
    fn add_corners_of_first(&self, margin: f64, crossings: usize, found: &mut Found) {
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
            let u = (x * d - y * b) * (1.0 / determinant);
            let v = (y * a - x * c) * (1.0 / determinant);
            let is_outside = |w: f64| w < 0.0 || w > 1.0;
            let is_skipped = if crossings == 0 {
                is_outside(u) && is_outside(v)
            } else {
                is_outside(u) || is_outside(v)
            };
            if is_skipped {
                continue;
            }
            let (u, v) = (u.clamp(0.0, 1.0), v.clamp(0.0, 1.0));
            let opposite = (corners[0] * (1.0 - u - v))
                .add_scaled(corners[1], u)
                .add_scaled(corners[2], v);
            let point = vec3(at_x, at_y, 0.0);
            let away = point - opposite;
            // Differs from what one would write: the reference overwrites the determinant here, and
            // the remaining corners of this loop see the squared distance in its place.
            determinant = away.dot(away);
            if opposite[2] > 0.0 && determinant > margin_squared {
                continue;
            }
            let sign = if opposite[2] < 0.0 { -1.0 } else { 1.0 };
            found.add((point + opposite) * 0.5, determinant.sqrt() * sign);
        }
    }

    /// Corners of the second face over the first.
    fn add_corners_of_second(&self, margin: f64, crossings: usize, found: &mut Found) {
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
            let mut squared = 0.0;
            let mut point = vec3(flat[0] * 0.5, flat[1] * 0.5, 0.0);
            for j in 0..2 {
                if flat[j] < -half[j] {
                    squared += (flat[j] + half[j]) * (flat[j] + half[j]);
                    point[j] = -half[j] * 0.5;
                } else if flat[j] > half[j] {
                    squared += (flat[j] - half[j]) * (flat[j] - half[j]);
                    point[j] = half[j] * 0.5;
                }
            }
            squared += corner[2] * self.scale * corner[2] * self.scale;
            if corner[2] > 0.0 && squared > margin * margin {
                continue;
            }
            let sign = if corner[2] < 0.0 { -1.0 } else { 1.0 };
            found.add(point.add_scaled(*corner, 0.5), squared.sqrt() * sign);
        }
    }
}

/// The four edges of a parallelogram from its origin, its two neighbours and the one across.
fn outline(corners: &[Vec3; 4]) -> [Line; 4] {
    let origin = corners[0];
    let edges = [corners[1] - origin, corners[2] - origin];
    let line = |start: Vec3, along: Vec3| Line { start, along };
    [
        line(origin, edges[0]),
        line(origin, edges[1]),
        line(origin + edges[0], edges[1]),
        line(origin + edges[1], edges[0]),
    ]
}

/// Contact points with their distances: at most four on each of four lines and one at each corner.
#[derive(Default)]
struct Found {
    points: [(Vec3, f64); 24],
    count: usize,
}

impl Found {
    fn add(&mut self, point: Vec3, dist: f64) {
        self.points[self.count] = (point, dist);
        self.count += 1;
    }
}
