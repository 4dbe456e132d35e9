//! Contacts of two boxes whose axis of least penetration is the normal of a face.

use super::{Line, Pair, Turn, cross_rectangle};
use crate::pair::{Touch, Touches};
use sinew_math::{Scalar, Vec3, vec3};

/// Contacts of the other box with a face of the reference box.
pub fn face_contacts<T: Scalar>(
    pair: &Pair<'_, T>,
    face: usize,
    of_second: bool,
    out: &mut impl Touches<T>,
) {
    let (zero, one, two) = (T::ZERO, T::ONE, T::from_f64(2.0));
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
        let side = if down[i] < zero { one } else { -one };
        corner = corner.add_scaled(other_axes.column(i), other_size[i] * side);
    }
    let mut edges = [Vec3::zero(); 2];
    let mut edge_count = 0;
    for i in 0..3 {
        if down[i].abs() < T::from_f64(0.5) && edge_count < 2 {
            let length = other_size[i] * if down[i] < zero { -two } else { two };
            edges[edge_count] = other_axes.column(i) * length;
            edge_count += 1;
        }
    }
    let beyond1 = corner + edges[0];
    let beyond2 = corner + edges[1];
    let opposite = beyond1 + edges[1];

    let to_world = turn.columns(&reference.mat);
    let normal = to_world.column(2) * if of_second { -one } else { one };
    let mut add = |point: Vec3<T>| {
        if point[2] > pair.margin {
            return;
        }
        let mut middle = point;
        middle[2] *= T::from_f64(0.5);
        let dist = two * middle[2];
        middle[2] += height;
        let touch = Touch::new(dist, to_world * middle + reference.pos, normal);
        out.add(true, touch);
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
            let u = (x * d - y * b) * (one / determinant);
            let v = (y * a - x * c) * (one / determinant);
            if u <= zero || v <= zero || u >= one || v >= one {
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
}
