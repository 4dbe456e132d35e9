//! A height field and a convex shape.
//!
//! The field is a grid of vertical prisms, two for each cell, that reach from the base to the
//! surface. The shape is tested against the prisms under its bounding box, in the field's frame.

use super::{Convex, Kind, Settings, Workspace, distance};
use crate::pair::{MOST_CONTACTS, Touch};
use sinew_math::{Mat3, Vec3, vec3};

/// A height field where it stands.
#[derive(Clone, Copy, Debug)]
pub struct HeightField<'a> {
    /// Position, world.
    pub pos: Vec3,
    /// Orientation, world.
    pub mat: Mat3,
    /// Half sizes in x and y, height of elevation 1, depth of the base.
    pub size: [f64; 4],
    /// Rows, along y.
    pub rows: usize,
    /// Columns, along x.
    pub columns: usize,
    /// Elevations from 0 to 1, row by row.
    pub elevation: &'a [f32],
}

/// Up to fifty contacts, one for each prism that is touched.
#[doc(alias = "mjc_ConvexHField")]
pub fn hfield_convex(
    settings: &super::PairSettings,
    field: &HeightField<'_>,
    shape: &Convex<'_>,
    bounding_radius: f64,
    margin: f64,
    work: &mut Workspace,
    out: &mut Vec<Touch>,
) {
    let [size_x, size_y, top, base] = field.size;
    let pos = field.mat.transpose_mul(shape.pos - field.pos);
    let radius = bounding_radius + margin;
    if size_x < pos[0] - radius
        || -size_x > pos[0] + radius
        || size_y < pos[1] - radius
        || -size_y > pos[1] + radius
        || top < pos[2] - radius
        || -base > pos[2] + radius
    {
        return;
    }

    // The shape in the field's frame, and its bounding box there.
    let mut shape = Convex {
        pos,
        mat: field.mat.transpose() * shape.mat,
        margin: 0.0,
        ..*shape
    };
    let mut bound = |axis: usize, sign: f64| {
        let mut direction = Vec3::ZERO;
        direction[axis] = sign;
        shape.support(direction)[axis]
    };
    let (x_max, x_min) = (bound(0, 1.0), bound(0, -1.0));
    let (y_max, y_min) = (bound(1, 1.0), bound(1, -1.0));
    let (z_max, z_min) = (bound(2, 1.0), bound(2, -1.0));
    if x_min - margin > size_x
        || x_max + margin < -size_x
        || y_min - margin > size_y
        || y_max + margin < -size_y
        || z_min - margin > top
        || z_max + margin < -base
    {
        return;
    }
    let (rows, columns) = (field.rows, field.columns);
    let cell = |x: f64, size: f64, count: usize| (x + size) / (2.0 * size) * (count - 1) as f64;
    let low = |x: f64| x.floor().max(0.0) as usize;
    let high = |x: f64, count: usize| (x.ceil().max(-1.0)).min((count - 1) as f64) as i64;
    let (column_min, column_max) = (
        low(cell(x_min, size_x, columns)),
        high(cell(x_max, size_x, columns), columns),
    );
    let (row_min, row_max) = (
        low(cell(y_min, size_y, rows)),
        high(cell(y_max, size_y, rows), rows),
    );

    // No cell under the shape.
    if column_min as i64 >= column_max || row_min as i64 >= row_max {
        return;
    }

    shape.margin = margin;
    let query = Settings {
        iterations: settings.iterations,
        tolerance: settings.tolerance,
        most_contacts: 1,
        cutoff: 0.0,
    };
    let step_x = (2.0 * size_x) / (columns - 1) as f64;
    let step_y = (2.0 * size_y) / (rows - 1) as f64;
    let mut prism = [vec3(0.0, 0.0, -base); 6];
    let mut count = 0;
    for row in row_min as i64..row_max {
        let add = |prism: &mut [Vec3; 6], column: i64, i: i64| {
            prism[0] = prism[1];
            prism[1] = prism[2];
            prism[3] = prism[4];
            prism[4] = prism[5];
            let row = row + 1 - i;
            let (x, y) = (
                step_x * column as f64 - size_x,
                step_y * row as f64 - size_y,
            );
            let elevation = field.elevation[row as usize * columns + column as usize];
            prism[2] = vec3(x, y, prism[2][2]);
            prism[5] = vec3(x, y, f64::from(elevation) * top + margin);
        };
        add(&mut prism, column_min as i64, 0);
        add(&mut prism, column_min as i64, 1);
        for column in column_min as i64 + 1..=column_max {
            for i in 0..2 {
                add(&mut prism, column, i);
                if prism[3..].iter().all(|point| point[2] < z_min) {
                    continue;
                }
                let mut ground = Convex::new(
                    Kind::Prism(prism),
                    Vec3::ZERO,
                    Mat3::IDENTITY,
                    [0.0; 3],
                    0.0,
                );
                let dist = distance(&query, &mut ground, &mut shape, work);
                if dist >= 0.0 {
                    continue;
                }
                let Some(&(x1, x2)) = work.witness.first() else {
                    continue;
                };
                let normal = (x1 - x2).normalized();
                let middle = (x1 + x2) * 0.5;
                out.push(Touch {
                    dist,
                    pos: field.mat * middle + field.pos,
                    normal: field.mat * normal,
                    tangent: Vec3::ZERO,
                });
                count += 1;
                if count == MOST_CONTACTS {
                    return;
                }
            }
        }
    }
}
