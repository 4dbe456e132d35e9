//! Rays against height fields.
//!
//! A height field is a box of thickness `base` below its origin and, above it, a grid of two
//! triangles per cell with vertical walls around.

use super::{Across, Hit, Pose, Ray, cuboid, cuboid_faces, into_world, nearer, triangle};
use crate::convex::Heights;
use sinew_math::Vec3;

/// Heights over a rectangle.
#[derive(Clone, Copy, Debug)]
pub struct Grid<H> {
    /// Rows of samples, along y.
    pub rows: usize,
    /// Columns of samples, along x.
    pub columns: usize,
    /// Half size in x and y, height of a sample of 1, thickness of the base.
    pub size: [f64; 4],
    /// Samples from 0 to 1, row by row.
    pub samples: H,
}

impl<H: Heights<f64>> Grid<H> {
    fn sample(&self, row: usize, column: usize) -> f64 {
        self.samples.at(row * self.columns + column)
    }
}

/// The first point where a ray meets the surface, the walls or the base.
#[doc(alias = "mj_rayHfield")]
pub fn hfield<H: Heights<f64>>(ray: &Ray, pose: Pose<'_>, grid: &Grid<H>) -> Option<Hit> {
    let [half_x, half_y, height, base] = grid.size;
    let z = pose.mat.column(2);
    let below = Pose {
        pos: pose.pos - z * base * 0.5,
        ..pose
    };
    let above = Pose {
        pos: pose.pos + z * height * 0.5,
        ..pose
    };
    let base_hit = cuboid(ray, below, [half_x, half_y, base * 0.5]);
    let faces = cuboid_faces(ray, above, [half_x, half_y, height * 0.5]);
    let Some(faces) = faces.filter(|faces| faces.iter().any(Option::is_some)) else {
        return base_hit;
    };

    let local = ray.into_frame(pose);
    let mut hit = base_hit.map(|hit| Hit {
        normal: pose.mat.transpose_mul(hit.normal),
        ..hit
    });
    hit = nearer(hit, surface(&local, grid, &faces));
    hit = walls(&local, grid, &faces, hit);
    into_world(hit, pose)
}

/// The triangles of the cells under the stretch of the ray within the upper box.
fn surface<H: Heights<f64>>(local: &Ray, grid: &Grid<H>, faces: &[Option<f64>; 6]) -> Option<Hit> {
    let [half_x, half_y, height, _] = grid.size;
    let step_x = 2.0 * half_x / (grid.columns as f64 - 1.0);
    let step_y = 2.0 * half_y / (grid.rows as f64 - 1.0);
    let nearest = faces.iter().flatten().fold(f64::INFINITY, |a, &b| a.min(b));
    let farthest = faces.iter().flatten().fold(nearest, |a, &b| a.max(b));
    let start = if farthest > nearest { nearest } else { 0.0 };
    let cells = |axis: usize, half: f64, step: f64, count: usize| {
        let at =
            |distance: f64| (local.origin[axis] + distance * local.direction[axis] + half) / step;
        let (a, b) = (at(start), at(farthest));
        let low = libm::floor(a.min(b)) - 1.0;
        let high = libm::ceil(a.max(b)) + 1.0;
        let last = count as f64 - 1.0;
        (low.max(0.0) as usize, high.min(last).max(0.0) as usize)
    };
    let (first_column, end_column) = cells(0, half_x, step_x, grid.columns);
    let (first_row, end_row) = cells(1, half_y, step_y, grid.rows);

    let across = Across::new(local);
    let corner = |row: usize, column: usize| {
        Vec3([
            step_x * column as f64 - half_x,
            step_y * row as f64 - half_y,
            grid.sample(row, column) * height,
        ])
    };
    let mut hit = None;
    for r in first_row..end_row {
        for c in first_column..end_column {
            let (origin, far) = (corner(r, c), corner(r + 1, c + 1));
            for v in [
                [origin, corner(r, c + 1), far],
                [origin, far, corner(r + 1, c)],
            ] {
                let found = triangle(local, across, v).filter(|hit| hit.distance >= 0.0);
                hit = nearer(hit, found);
            }
        }
    }
    hit
}

/// The vertical walls: where a ray meets a side of the upper box below the edge of the surface.
fn walls<H: Heights<f64>>(
    local: &Ray,
    grid: &Grid<H>,
    faces: &[Option<f64>; 6],
    mut hit: Option<Hit>,
) -> Option<Hit> {
    let [half_x, half_y, height, _] = grid.size;
    for side in 0..4 {
        let Some(distance) = faces[side] else {
            continue;
        };
        if hit.is_some_and(|hit| distance >= hit.distance) {
            continue;
        }
        let point = local.at(distance);
        let is_far = side % 2 == 1;
        let (along, half, count) = if side < 2 {
            (1, half_y, grid.rows)
        } else {
            (0, half_x, grid.columns)
        };
        let step = 2.0 * half / (count as f64 - 1.0);
        let y = (point[along] + half) / step;
        let y0 = libm::floor(y).min(count as f64 - 2.0).max(0.0);
        let index = y0 as usize;
        let edge = |k: usize| {
            if side < 2 {
                grid.sample(k, if is_far { grid.columns - 1 } else { 0 })
            } else {
                grid.sample(if is_far { grid.rows - 1 } else { 0 }, k)
            }
        };
        let top = edge(index) * (y0 + 1.0 - y) + edge(index + 1) * (y - y0);
        if point[2] / height < top {
            let mut normal = Vec3::ZERO;
            normal[side / 2] = if is_far { 1.0 } else { -1.0 };
            hit = Some(Hit { distance, normal });
        }
    }
    hit
}
