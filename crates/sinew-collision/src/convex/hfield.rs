//! A height field and a convex shape.
//!
//! The field is a grid of vertical prisms, two for each cell, that reach from the base to the
//! surface. The shape is tested against the prisms under its bounding box, in the field's frame.

use super::pair::find;
use super::{Convex, Kind, Method, PairSettings, Workspace, round_wall};
use crate::pair::{MOST_CONTACTS, Touch};
use core::ops::Range;
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
    settings: &PairSettings,
    field: &HeightField<'_>,
    placed: &Convex<'_>,
    bounding_radius: f64,
    margin: f64,
    work: &mut Workspace,
    out: &mut Vec<Touch>,
) {
    let pos = field.mat.transpose_mul(placed.pos - field.pos);
    if !field.reaches(pos, bounding_radius + margin) {
        return;
    }
    // The shape in the field's frame.
    let mut shape = Convex {
        pos,
        mat: field.mat.transpose() * placed.mat,
        margin: 0.0,
        ..*placed
    };
    let Some(cells) = field.cells_under(bounds(&mut shape), margin) else {
        return;
    };
    shape.margin = margin;
    let start = out.len();
    field.touch_cells(settings, &cells, &mut shape, margin, work, out);
    if settings.method == Method::Portal {
        for touch in &mut out[start..] {
            round_wall::correct(None, Some(placed), touch);
        }
    }
}

/// The same for a simplex of one to four corners in a layer of a radius, seen from a centre. The cells are those
/// under the corners, without the layer.
#[doc(alias = "mjc_HFieldElem")]
pub fn hfield_simplex(
    settings: &PairSettings,
    field: &HeightField<'_>,
    (corners, centre, radius): (&[Vec3], Vec3, f64),
    margin: f64,
    work: &mut Workspace,
    out: &mut Vec<Touch>,
) {
    let in_field = |point: Vec3| field.mat.transpose_mul(point - field.pos);
    let mut local = [Vec3::ZERO; 4];
    for (local, corner) in local.iter_mut().zip(corners) {
        *local = in_field(*corner);
    }
    let local = &local[..corners.len().min(4)];
    let (mut low, mut high) = (local[0], local[0]);
    for corner in &local[1..] {
        for k in 0..3 {
            low[k] = low[k].min(corner[k]);
            high[k] = high[k].max(corner[k]);
        }
    }
    let Some(cells) = field.cells_under([low, high], margin) else {
        return;
    };
    let mut shape = Convex::simplex(local, in_field(centre), radius, margin);
    field.touch_cells(settings, &cells, &mut shape, margin, work, out);
}

/// The lowest and the highest coordinates of a shape, found one by one.
fn bounds(shape: &mut Convex<'_>) -> [Vec3; 2] {
    let (mut low, mut high) = (Vec3::ZERO, Vec3::ZERO);
    for axis in 0..3 {
        let mut bound = |sign: f64| {
            let mut direction = Vec3::ZERO;
            direction[axis] = sign;
            shape.support(direction)[axis]
        };
        high[axis] = bound(1.0);
        low[axis] = bound(-1.0);
    }
    [low, high]
}

/// The cells under a shape.
struct Cells {
    /// Grid lines from the first to the last.
    columns: Range<i64>,
    rows: Range<i64>,
    /// The lowest point of the shape.
    lowest: f64,
}

impl HeightField<'_> {
    /// Whether a sphere meets the box around the field; its centre is in the field's frame.
    fn reaches(&self, centre: Vec3, radius: f64) -> bool {
        let [size_x, size_y, top, base] = self.size;
        !(size_x < centre[0] - radius
            || -size_x > centre[0] + radius
            || size_y < centre[1] - radius
            || -size_y > centre[1] + radius
            || top < centre[2] - radius
            || -base > centre[2] + radius)
    }

    /// Up to fifty contacts of a shape in the field's frame with the prisms of some cells.
    fn touch_cells(
        &self,
        settings: &PairSettings,
        cells: &Cells,
        shape: &mut Convex<'_>,
        margin: f64,
        work: &mut Workspace,
        out: &mut Vec<Touch>,
    ) {
        let mut prism = Prism::new(self, margin);
        let mut count = 0;
        for row in cells.rows.clone() {
            prism.add(cells.columns.start, row + 1);
            prism.add(cells.columns.start, row);
            for column in cells.columns.start + 1..=cells.columns.end {
                // The two prisms of a cell.
                for row in [row + 1, row] {
                    prism.add(column, row);
                    if prism.corners[3..]
                        .iter()
                        .all(|point| point[2] < cells.lowest)
                    {
                        continue;
                    }
                    if prism.touch(settings, shape, work, out) {
                        count += 1;
                    }
                    if count == MOST_CONTACTS {
                        return;
                    }
                }
            }
        }
    }

    /// The cells under a bounding box in the field's frame; `None` if there is none.
    fn cells_under(&self, [low, high]: [Vec3; 2], margin: f64) -> Option<Cells> {
        let [size_x, size_y, top, base] = self.size;
        let ([x_min, y_min, z_min], [x_max, y_max, z_max]) = (low.0, high.0);
        if x_min - margin > size_x
            || x_max + margin < -size_x
            || y_min - margin > size_y
            || y_max + margin < -size_y
            || z_min - margin > top
            || z_max + margin < -base
        {
            return None;
        }
        let lines = |min: f64, max: f64, size: f64, count: usize| {
            let last = (count - 1) as f64;
            let cell = |x: f64| (x + size) / (2.0 * size) * last;
            cell(min).floor().max(0.0) as i64..cell(max).ceil().max(-1.0).min(last) as i64
        };
        let columns = lines(x_min, x_max, size_x, self.columns);
        let rows = lines(y_min, y_max, size_y, self.rows);
        (!columns.is_empty() && !rows.is_empty()).then_some(Cells {
            columns,
            rows,
            lowest: z_min,
        })
    }
}

/// The prism under test. It moves along a row of cells: each new corner replaces the oldest.
struct Prism<'a> {
    field: &'a HeightField<'a>,
    /// Distances of grid lines.
    step: [f64; 2],
    margin: f64,
    /// Three on the base, then the three above them.
    corners: [Vec3; 6],
}

impl<'a> Prism<'a> {
    fn new(field: &'a HeightField<'a>, margin: f64) -> Self {
        let [size_x, size_y, _, base] = field.size;
        let step_x = (2.0 * size_x) / (field.columns - 1) as f64;
        let step_y = (2.0 * size_y) / (field.rows - 1) as f64;
        Prism {
            field,
            step: [step_x, step_y],
            margin,
            corners: [vec3(0.0, 0.0, -base); 6],
        }
    }

    /// Takes the point of the grid as the newest corner.
    fn add(&mut self, column: i64, row: i64) {
        let field = self.field;
        let [size_x, size_y, top, _] = field.size;
        let corners = &mut self.corners;
        corners[0] = corners[1];
        corners[1] = corners[2];
        corners[3] = corners[4];
        corners[4] = corners[5];
        let x = self.step[0] * column as f64 - size_x;
        let y = self.step[1] * row as f64 - size_y;
        let elevation = field.elevation[row as usize * field.columns + column as usize];
        corners[2] = vec3(x, y, corners[2][2]);
        corners[5] = vec3(x, y, f64::from(elevation) * top + self.margin);
    }

    /// Adds the contact with a shape in the field's frame, world. False if there is none.
    fn touch(
        &self,
        settings: &PairSettings,
        shape: &mut Convex<'_>,
        work: &mut Workspace,
        out: &mut Vec<Touch>,
    ) -> bool {
        let mut ground = Convex::new(
            Kind::Prism(self.corners),
            Vec3::ZERO,
            Mat3::IDENTITY,
            [0.0; 3],
            0.0,
        );
        let start = out.len();
        find(settings, &mut ground, shape, 1, 0.0, work, out);
        let field = self.field;
        for touch in &mut out[start..] {
            touch.pos = field.mat * touch.pos + field.pos;
            touch.normal = field.mat * touch.normal;
        }
        out.len() > start
    }
}
