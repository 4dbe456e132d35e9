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

use super::{MOST_CONTACTS, Shape, Touch};
use sinew_math::{MIN_VALUE, Mat3, Vec3, vec3};

/// Up to eight contacts in general position (more are possible with coincident features).
#[doc(alias = "mjc_BoxBox")]
pub fn box_box(first: &Shape, second: &Shape, margin: f64, out: &mut Vec<Touch>) {
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

struct Pair<'a> {
    first: &'a Shape,
    second: &'a Shape,
    margin: f64,
    /// Centre of the second box in the frame of the first.
    second_in_first: Vec3,
    /// Centre of the first box in the frame of the second.
    first_in_second: Vec3,
    /// Axes of the second box as columns in the frame of the first.
    rotation: Mat3,
}

/// The axis of least penetration.
enum Axis {
    /// Normal of face 0–5 (+x +y +z −x −y −z) of one of the boxes.
    Face { face: usize, of_second: bool },
    /// Cross product of an edge of each box.
    Edges(EdgeAxis),
}

struct EdgeAxis {
    /// Edge direction of the first box.
    edge1: usize,
    /// Edge direction of the second box.
    edge2: usize,
    /// Sides of the first box on which the edge lies, one bit per axis.
    side1: usize,
    /// Sides of the second box on which the edge lies, one bit per axis.
    side2: usize,
    /// Unit axis in the frame of the first box.
    direction: Vec3,
    /// The second box lies on the negative side of the axis.
    is_inverted: bool,
}

impl Pair<'_> {
    /// Tests all fifteen axes; `None` when one of them separates the boxes by more than the margin.
    fn least_penetration(&self) -> Option<Axis> {
        let (size1, size2) = (self.first.size, self.second.size);
        let rotation = self.rotation.0;
        let absolute = Mat3(rotation.map(f64::abs));
        let extent2 = absolute * Vec3(size2);
        let extent1 = absolute.transpose_mul(Vec3(size1));

        let mut least = self.margin;
        for i in 0..3 {
            least += size1[i] * 3.0 + size2[i] * 3.0;
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
                let face = i + 3 * usize::from(self.second_in_first[i] < 0.0);
                best = Some(Axis::Face {
                    face,
                    of_second: false,
                });
            }
            if depth2 < least {
                least = depth2;
                let face = i + 3 * usize::from(self.first_in_second[i] < 0.0);
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
                    0 => vec3(0.0, -edge[2], edge[1]),
                    1 => vec3(edge[2], 0.0, -edge[0]),
                    _ => vec3(-edge[1], edge[0], 0.0),
                };
                let (direction, length) = cross.normalize();
                if length < MIN_VALUE {
                    continue;
                }
                let offset = self.second_in_first.dot(direction);
                let mut depth = 0.0;
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
                if depth < least * (1.0 - 1e-12) {
                    least = depth;
                    let is_inverted = offset < 0.0;
                    let side1 = (0..3)
                        .filter(|&k| k != i && ((direction[k] > 0.0) ^ is_inverted))
                        .map(|k| 1 << k)
                        .sum();
                    let side2 = (0..3)
                        .filter(|&k| {
                            k != j
                                && ((rotation[3 * i + 3 - k - j] > 0.0)
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

    fn vector(&self, v: Vec3) -> Vec3 {
        let part = |k: usize| v[self.from[k]] * self.sign[k];
        vec3(part(0), part(1), part(2))
    }

    fn sizes(&self, size: [f64; 3]) -> [f64; 3] {
        [size[self.from[0]], size[self.from[1]], size[self.from[2]]]
    }

    /// turn · m
    fn rows(&self, m: &Mat3) -> Mat3 {
        let row = |k: usize| m.row(self.from[k]) * self.sign[k];
        Mat3::from_columns(row(0), row(1), row(2)).transpose()
    }

    /// m · turnᵀ
    fn columns(&self, m: &Mat3) -> Mat3 {
        let column = |k: usize| m.column(self.from[k]) * self.sign[k];
        Mat3::from_columns(column(0), column(1), column(2))
    }
}

/// A line with a start and a direction whose length is that of the edge.
#[derive(Clone, Copy, Default)]
struct Line {
    start: Vec3,
    along: Vec3,
}

/// Where a line crosses the sides of the rectangle ±`half` in the xy plane: calls `hit` with the
/// coordinate index q of the side, the side's coordinate, the fraction along the line and the
/// other coordinate.
fn cross_rectangle(line: &Line, half: [f64; 3], mut hit: impl FnMut(usize, f64, f64, f64)) {
    for q in 0..2 {
        let (a, b) = (line.start[q], line.along[q]);
        let (c, d) = (line.start[1 - q], line.along[1 - q]);
        if b.abs() <= MIN_VALUE {
            continue;
        }
        for side in [-half[q], half[q]] {
            let fraction = (side - a) * (1.0 / b);
            if fraction < 0.0 || fraction > 1.0 {
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

/// Contacts of the other box with a face of the reference box.
fn face_contacts(pair: &Pair<'_>, face: usize, of_second: bool, out: &mut Vec<Touch>) {
    let turn = Turn::of_face(face);
    let (reference, other_size, other_axes, other_centre) = if of_second {
        (
            pair.second,
            pair.first.size,
            turn.rows(&pair.rotation.transpose()),
            pair.first_in_second,
        )
    } else {
        (
            pair.first,
            pair.second.size,
            turn.rows(&pair.rotation),
            pair.second_in_first,
        )
    };
    let half = turn.sizes(reference.size);
    let height = half[2];
    let mut centre = turn.vector(other_centre);
    centre[2] -= height;

    // The corner of the other box that is deepest below the face, and the two box edges from it
    // that run along the face rather than into it.
    let down = other_axes.row(2);
    let mut corner = centre;
    for i in 0..3 {
        let side = if down[i] < 0.0 { 1.0 } else { -1.0 };
        corner = corner.add_scaled(other_axes.column(i), other_size[i] * side);
    }
    let mut edges = [Vec3::ZERO; 2];
    let mut edge_count = 0;
    for i in 0..3 {
        if down[i].abs() < 0.5 && edge_count < 2 {
            let length = other_size[i] * if down[i] < 0.0 { -2.0 } else { 2.0 };
            edges[edge_count] = other_axes.column(i) * length;
            edge_count += 1;
        }
    }
    let beyond1 = corner + edges[0];
    let beyond2 = corner + edges[1];
    let opposite = beyond1 + edges[1];

    let mut points = [Vec3::ZERO; 24];
    let mut count = 0;
    let mut add = |point: Vec3| {
        points[count] = point;
        count += 1;
    };

    // Edges of the incident face against the sides of the rectangle.
    let lines = [
        Line {
            start: corner,
            along: edges[0],
        },
        Line {
            start: corner,
            along: edges[1],
        },
        Line {
            start: beyond1,
            along: edges[1],
        },
        Line {
            start: beyond2,
            along: edges[0],
        },
    ];
    let line_count = [0, 1, 4][edge_count];
    for line in &lines[..line_count] {
        cross_rectangle(line, half, |_, _, fraction, _| {
            add(line.start.add_scaled(line.along, fraction));
        });
    }

    // Corners of the rectangle that lie inside the incident face.
    if edge_count == 2 {
        let (a, b) = (edges[0][0], edges[1][0]);
        let (c, d) = (edges[0][1], edges[1][1]);
        let determinant = a * d - b * c;
        for i in 0..4 {
            let at_x = if i / 2 != 0 { half[0] } else { -half[0] };
            let at_y = if i % 2 != 0 { half[1] } else { -half[1] };
            let (x, y) = (at_x - corner[0], at_y - corner[1]);
            let u = (x * d - y * b) * (1.0 / determinant);
            let v = (y * a - x * c) * (1.0 / determinant);
            if u <= 0.0 || v <= 0.0 || u >= 1.0 || v >= 1.0 {
                continue;
            }
            add(vec3(
                at_x,
                at_y,
                corner[2] + u * edges[0][2] + v * edges[1][2],
            ));
        }
    }

    // Corners of the incident face: the deepest always, the others inside the rectangle.
    add(corner);
    for &point in &[beyond1, beyond2, opposite][..[0, 1, 3][edge_count]] {
        let is_inside = |k: usize| !(point[k] <= -half[k] || point[k] >= half[k]);
        if is_inside(0) && is_inside(1) {
            add(point);
        }
    }

    let to_world = turn.columns(&reference.mat);
    let normal = to_world.column(2) * if of_second { -1.0 } else { 1.0 };
    for point in &points[..count] {
        if point[2] > pair.margin {
            continue;
        }
        let mut middle = *point;
        middle[2] *= 0.5;
        let dist = 2.0 * middle[2];
        middle[2] += height;
        out.push(Touch::new(dist, to_world * middle + reference.pos, normal));
    }
}

/// Contacts when two edges cross: the faces of both boxes nearest to the axis, projected onto each
/// other along it. Positions are midway between the two surfaces.
fn edge_contacts(pair: &Pair<'_>, axis: &EdgeAxis, out: &mut Vec<Touch>) {
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
    let height = half[2];
    let mut centre = turn.vector(pair.second_in_first);
    centre[2] -= height;
    if direction[2].abs() < MIN_VALUE {
        return;
    }
    let inverse = 1.0 / direction[2];
    let scale = inverse * if axis.is_inverted { -1.0 } else { 1.0 };

    // The face of the second box: four corners, and their projections onto the first box's face
    // along the axis.
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
    let face_edges = [corners[1] - corners[0], corners[2] - corners[0]];
    let projected_edges = [projected[1] - projected[0], projected[2] - projected[0]];

    let mut points = [(Vec3::ZERO, 0.0); MOST_CONTACTS];
    let mut count = 0;
    let mut add = |point: Vec3, dist: f64| {
        if count < MOST_CONTACTS {
            points[count] = (point, dist);
            count += 1;
        }
    };

    // Projected edges against the sides of the first box's face.
    let outline = |origin: Vec3, edges: [Vec3; 2]| {
        [
            Line {
                start: origin,
                along: edges[0],
            },
            Line {
                start: origin,
                along: edges[1],
            },
            Line {
                start: origin + edges[0],
                along: edges[1],
            },
            Line {
                start: origin + edges[1],
                along: edges[0],
            },
        ]
    };
    let flat = outline(projected[0], projected_edges);
    let raised = outline(corners[0], face_edges);
    let mut crossings = 0;
    for (line, above) in flat.iter().zip(&raised) {
        cross_rectangle(line, half, |q, side, fraction, other| {
            if (above.start[2] + above.along[2] * fraction) * scale > pair.margin {
                return;
            }
            let mut point = (above.start * 0.5).add_scaled(above.along, 0.5 * fraction);
            point[q] += 0.5 * side;
            point[1 - q] += 0.5 * other;
            let dist = point[2] * scale * 2.0;
            add(point, dist);
            crossings += 1;
        });
    }

    // Corners of the first box's face inside the projection of the second's.
    let margin_squared = pair.margin * pair.margin;
    let (a, b) = (projected_edges[0][0], projected_edges[1][0]);
    let (c, d) = (projected_edges[0][1], projected_edges[1][1]);
    let mut determinant = a * d - b * c;
    let mut found = crossings;
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
        add((point + opposite) * 0.5, determinant.sqrt() * sign);
        found += 1;
    }

    // Corners of the second box's face over the first's.
    for (corner, flat) in corners.iter().zip(&projected) {
        let is_out = |k: usize| flat[k] < -half[k] || flat[k] > half[k];
        let is_skipped = if crossings > 0 {
            is_out(0) || is_out(1)
        } else {
            found > 0 && is_out(0) && is_out(1)
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
        squared += corner[2] * scale * corner[2] * scale;
        if corner[2] > 0.0 && squared > margin_squared {
            continue;
        }
        let sign = if corner[2] < 0.0 { -1.0 } else { 1.0 };
        add(point.add_scaled(*corner, 0.5), squared.sqrt() * sign);
    }

    let to_world = turn.columns(&pair.first.mat);
    let normal = to_world * direction * if axis.is_inverted { -1.0 } else { 1.0 };
    for (point, dist) in &points[..count] {
        let mut point = *point;
        point[2] += height;
        out.push(Touch::new(*dist, to_world * point + pair.first.pos, normal));
    }
}
