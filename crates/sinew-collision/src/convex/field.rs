//! A height field and a convex shape.
//!
//! The field is a grid of vertical prisms, two for each cell, that reach from the base to the
//! surface. The shape is tested against the prisms under its bounding box, in the field's frame.

use super::{Mesh, Solid, SolidKind};
use crate::pair::{MOST_CONTACTS, Touch, Touches};
use core::ops::Range;
use sinew_math::{Mat3, Scalar, Vec3, vec3};

/// Elevations of the points of a grid.
pub trait Heights<T> {
    /// One of them.
    fn at(&self, i: usize) -> T;
}

impl<T: Copy> Heights<T> for &[T] {
    #[inline(always)]
    fn at(&self, i: usize) -> T {
        self[i]
    }
}

impl Heights<f64> for &[f32] {
    #[inline(always)]
    fn at(&self, i: usize) -> f64 {
        f64::from(self[i])
    }
}

/// A height field where it stands.
#[derive(Clone, Copy, Debug)]
pub struct HeightField<H, T = f64> {
    /// Position, world.
    pub pos: Vec3<T>,
    /// Orientation, world.
    pub mat: Mat3<T>,
    /// Half sizes in x and y, height of elevation 1, depth of the base.
    pub size: [T; 4],
    /// Rows, along y.
    pub rows: usize,
    /// Columns, along x.
    pub columns: usize,
    /// Elevations from 0 to 1, row by row.
    pub elevation: H,
}

/// Up to fifty contacts, one for each prism that is touched; `find` says where a prism and the shape do.
pub fn field_contacts<T: Scalar, M: Mesh<T>, H: Heights<T>>(
    field: &HeightField<H, T>,
    placed: &Solid<M, T>,
    bounding_radius: T,
    margin: T,
    find: impl FnMut(&mut Solid<M, T>, &mut Solid<M, T>) -> Option<Touch<T>>,
    out: &mut impl Touches<T>,
) {
    let pos = field.mat.transpose_mul(placed.pos - field.pos);
    if !field.reaches(pos, bounding_radius + margin) {
        return;
    }
    // The shape in the field's frame.
    let mut shape = Solid {
        pos,
        mat: field.mat.transpose() * placed.mat,
        margin: T::ZERO,
        ..*placed
    };
    let Some(cells) = field.cells_under(bounds(&mut shape), margin) else {
        return;
    };
    shape.margin = margin;
    field.touch_cells(&cells, &mut shape, margin, find, out);
}

/// The lowest and the highest coordinates of a shape, found one by one.
fn bounds<T: Scalar, M: Mesh<T>>(shape: &mut Solid<M, T>) -> [Vec3<T>; 2] {
    let (mut low, mut high) = (Vec3::zero(), Vec3::zero());
    for axis in 0..3 {
        let mut bound = |sign: T| {
            let mut direction = Vec3::zero();
            direction[axis] = sign;
            shape.support(direction)[axis]
        };
        high[axis] = bound(T::ONE);
        low[axis] = bound(-T::ONE);
    }
    [low, high]
}

/// The cells under a shape.
pub(super) struct Cells<T> {
    /// Grid lines from the first to the last.
    columns: Range<i64>,
    rows: Range<i64>,
    /// The lowest point of the shape.
    lowest: T,
}

impl<T: Scalar, H: Heights<T>> HeightField<H, T> {
    /// Whether a sphere meets the box around the field; its centre is in the field's frame.
    fn reaches(&self, centre: Vec3<T>, radius: T) -> bool {
        let [size_x, size_y, top, base] = self.size;
        !(size_x < centre[0] - radius
            || -size_x > centre[0] + radius
            || size_y < centre[1] - radius
            || -size_y > centre[1] + radius
            || top < centre[2] - radius
            || -base > centre[2] + radius)
    }

    /// Up to fifty contacts of a shape in the field's frame with the prisms of some cells.
    pub(super) fn touch_cells<M: Mesh<T>>(
        &self,
        cells: &Cells<T>,
        shape: &mut Solid<M, T>,
        margin: T,
        mut find: impl FnMut(&mut Solid<M, T>, &mut Solid<M, T>) -> Option<Touch<T>>,
        out: &mut impl Touches<T>,
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
                    if let Some(touch) = find(&mut prism.solid(), shape) {
                        out.add(true, self.to_world(touch));
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
    pub(super) fn cells_under(&self, [low, high]: [Vec3<T>; 2], margin: T) -> Option<Cells<T>> {
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
        let lines = |min: T, max: T, size: T, count: usize| {
            let last = count as i64 - 1;
            let scale = T::from_f64(last as f64);
            let cell = |x: T| ((x + size) / (T::from_f64(2.0) * size) * scale).to_f64();
            line_below(cell(min))..line_above(cell(max)).min(last)
        };
        let columns = lines(x_min, x_max, size_x, self.columns);
        let rows = lines(y_min, y_max, size_y, self.rows);
        (!columns.is_empty() && !rows.is_empty()).then_some(Cells {
            columns,
            rows,
            lowest: z_min,
        })
    }

    /// A contact in the field's frame, world.
    fn to_world(&self, touch: Touch<T>) -> Touch<T> {
        Touch {
            pos: self.mat * touch.pos + self.pos,
            normal: self.mat * touch.normal,
            ..touch
        }
    }
}

/// The last grid line that is not above a place, but none below the first.
fn line_below(x: f64) -> i64 {
    if x > 0.0 { x as i64 } else { 0 }
}

/// The first grid line that is not below a place; −1 for places that are not above it, and for what is not a number.
fn line_above(x: f64) -> i64 {
    if x > -1.0 {
        let line = x as i64;
        line.saturating_add(i64::from(x > line as f64))
    } else {
        -1
    }
}

/// The prism under test. It moves along a row of cells: each new corner replaces the oldest.
struct Prism<'a, H, T> {
    field: &'a HeightField<H, T>,
    /// Distances of grid lines.
    step: [T; 2],
    margin: T,
    /// Three on the base, then the three above them.
    corners: [Vec3<T>; 6],
}

impl<'a, T: Scalar, H: Heights<T>> Prism<'a, H, T> {
    fn new(field: &'a HeightField<H, T>, margin: T) -> Self {
        let [size_x, size_y, _, base] = field.size;
        let two = T::from_f64(2.0);
        let step_x = (two * size_x) / T::from_f64((field.columns - 1) as f64);
        let step_y = (two * size_y) / T::from_f64((field.rows - 1) as f64);
        Prism {
            field,
            step: [step_x, step_y],
            margin,
            corners: [vec3(T::ZERO, T::ZERO, -base); 6],
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
        let x = self.step[0] * T::from_f64(column as f64) - size_x;
        let y = self.step[1] * T::from_f64(row as f64) - size_y;
        let elevation = field
            .elevation
            .at(row as usize * field.columns + column as usize);
        corners[2] = vec3(x, y, corners[2][2]);
        corners[5] = vec3(x, y, elevation * top + self.margin);
    }

    /// In the field's frame.
    fn solid<M: Mesh<T>>(&self) -> Solid<M, T> {
        let kind = SolidKind::Prism(self.corners);
        let zero = T::ZERO;
        Solid::new(kind, Vec3::zero(), Mat3::identity(), [zero; 3], zero)
    }
}
