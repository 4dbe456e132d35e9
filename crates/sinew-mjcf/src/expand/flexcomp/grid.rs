//! Grids: ropes, rings, cloths, discs and blocks.
//!
//! Points lie symmetrically about the origin, the last axis running fastest. A cell of a cloth is two
//! triangles along its diagonal, a cell of a block six tetrahedra around theirs.

use super::fault::Fault;
use super::settings::{Settings, place};
use super::shape::{Shape, check_size};
use crate::expand::Shared;
use crate::spec::value::FlexcompType;
use core::f64::consts::PI;
use sinew_math::Vec3;
use sinew_math::quotient::EPSILON;
use sinew_math::sine::{cos, sin};

/// The six tetrahedra of a cell, whose corners are numbered around the bottom, then around the top.
fn tetrahedra([a, b, c, d, e, f, g, h]: [i32; 8]) -> [[i32; 4]; 6] {
    [
        [a, d, b, h],
        [a, b, e, h],
        [b, d, c, h],
        [b, c, g, h],
        [b, f, e, h],
        [b, g, f, h],
    ]
}

/// A grid of the dimension that is written, or a ring.
pub fn grid(settings: &Settings, shared: &Shared) -> Result<Shape, Fault> {
    let shape = match settings.dim {
        1 if settings.kind == FlexcompType::Circle => ring(settings, shared)?,
        1 => rope(settings, shared)?,
        2 => cloth(settings, shared)?,
        _ => block(settings, shared)?,
    };
    not_empty(settings, shape)
}

fn not_empty(settings: &Settings, shape: Shape) -> Result<Shape, Fault> {
    if shape.elements.is_empty() {
        return Err(Fault::new(
            place(&settings.table.count, settings.table.place),
            "count",
            "the grid has points but no elements between them",
            "counts must be above 1 along as many axes as the flexcomp has dimensions",
        ));
    }
    Ok(shape)
}

/// The coordinate of a point along an axis.
fn along(spacing: f64, count: usize, index: usize) -> f64 {
    spacing * (index as f64 - 0.5 * (count as f64 - 1.0))
}

fn rope(settings: &Settings, shared: &Shared) -> Result<Shape, Fault> {
    let ([count, ..], [spacing, ..]) = (settings.count, settings.spacing);
    check_size(settings, shared, Some(count), Some(count))?;
    let mut shape = Shape::new(settings);
    for index in 0..count {
        let x = along(spacing, count, index);
        shape.points.push(Vec3([x, 0.0, 0.0]));
        if index + 1 < count {
            shape.elements.extend([index as i32, index as i32 + 1]);
        }
    }
    Ok(shape)
}

/// A closed rope: as many points as chords of the given length fit, which is one less than the count.
fn ring(settings: &Settings, shared: &Shared) -> Result<Shape, Fault> {
    let ([count, ..], [spacing, ..]) = (settings.count, settings.spacing);
    let chords = count.saturating_sub(1);
    check_size(settings, shared, Some(chords), Some(chords))?;
    let mut shape = Shape::new(settings);
    let angle = 2.0 * PI / chords as f64;
    let radius = spacing / sin(angle / 2.0) / 2.0;
    for index in 0..chords {
        let turn = angle * index as f64;
        shape
            .points
            .push(Vec3([radius * cos(turn), radius * sin(turn), 0.0]));
        let next = if index + 1 == chords { 0 } else { index + 1 };
        shape.elements.extend([index as i32, next as i32]);
    }
    Ok(shape)
}

/// A flat cloth, square or projected onto a disc.
pub fn cloth(settings: &Settings, shared: &Shared) -> Result<Shape, Fault> {
    let [width, height, depth] = settings.count;
    let [dx, dy, _] = settings.spacing;
    let points = width.checked_mul(height);
    check_size(
        settings,
        shared,
        points,
        points.and_then(|n| n.checked_mul(2)),
    )?;
    let is_disc = settings.kind == FlexcompType::Disc;
    let has_texture = settings.needs_texcoord();
    let mut shape = Shape::new(settings);
    shape.dim = 2;
    for ix in 0..width {
        for iy in 0..height {
            let (x, y) = (along(dx, width, ix), along(dy, height, iy));
            shape.points.push(Vec3([x, y, 0.0]));
            if has_texture {
                shape
                    .texcoord
                    .push((ix as f64 / (width - 1).max(1) as f64) as f32);
                shape
                    .texcoord
                    .push((iy as f64 / (height - 1).max(1) as f64) as f32);
            }
            if ix + 1 == width || iy + 1 == height {
                continue;
            }
            // A third count has no meaning; the numbers it makes are refused later.
            let id = |ix: usize, iy: usize| ((ix * height + iy) * depth) as i32;
            let [a, b, c, d] = [
                id(ix, iy),
                id(ix + 1, iy),
                id(ix + 1, iy + 1),
                id(ix, iy + 1),
            ];
            // On a disc the diagonals run towards the centre.
            let is_second_or_fourth =
                (x < -EPSILON && y > -EPSILON) || (x > -EPSILON && y < -EPSILON);
            if is_disc && is_second_or_fourth {
                shape.elements.extend([a, b, d, b, c, d]);
            } else {
                shape.elements.extend([a, b, c, a, c, d]);
            }
        }
    }
    if is_disc {
        project(settings, &mut shape.points);
    }
    not_empty(settings, shape)
}

/// Moves the points of a square onto circles around its centre.
fn project(settings: &Settings, points: &mut [Vec3]) {
    let ([width, height, _], [dx, dy, _]) = (settings.count, settings.spacing);
    let half_width = 0.5 * dx * (width as f64 - 1.0);
    let half_height = 0.5 * dy * (height as f64 - 1.0);
    for point in points {
        let [x, y, z] = point.0;
        let reach = x.abs().max(y.abs());
        let [x, y] = unit([x, y]);
        *point = Vec3([x * (half_width * reach), y * (half_height * reach), z]);
    }
}

/// A vector of length 1, or what is given if that is too short.
#[doc(alias = "mjuu_normvec")]
pub fn unit([x, y]: [f64; 2]) -> [f64; 2] {
    let square = x * x + y * y;
    if square < EPSILON {
        return [x, y];
    }
    let length = square.sqrt();
    if (length - 1.0).abs() > EPSILON {
        [x / length, y / length]
    } else {
        [x, y]
    }
}

fn block(settings: &Settings, shared: &Shared) -> Result<Shape, Fault> {
    let [width, height, depth] = settings.count;
    let [dx, dy, dz] = settings.spacing;
    let points = width.checked_mul(height).and_then(|n| n.checked_mul(depth));
    check_size(
        settings,
        shared,
        points,
        points.and_then(|n| n.checked_mul(6)),
    )?;
    let has_texture = settings.needs_texcoord();
    let mut shape = Shape::new(settings);
    let id = |ix: usize, iy: usize, iz: usize| ((ix * height + iy) * depth + iz) as i32;
    for ix in 0..width {
        for iy in 0..height {
            for iz in 0..depth {
                shape.points.push(Vec3([
                    along(dx, width, ix),
                    along(dy, height, iy),
                    along(dz, depth, iz),
                ]));
                if has_texture {
                    shape.texcoord.extend(texture(ix, width, iy, height));
                }
                if ix + 1 == width || iy + 1 == height || iz + 1 == depth {
                    continue;
                }
                let corners = [
                    id(ix, iy, iz),
                    id(ix + 1, iy, iz),
                    id(ix + 1, iy + 1, iz),
                    id(ix, iy + 1, iz),
                    id(ix, iy, iz + 1),
                    id(ix + 1, iy, iz + 1),
                    id(ix + 1, iy + 1, iz + 1),
                    id(ix, iy + 1, iz + 1),
                ];
                for tetrahedron in tetrahedra(corners) {
                    shape.elements.extend(tetrahedron);
                }
            }
        }
    }
    Ok(shape)
}

/// How far along two axes a point lies, 0 to 1, in the precision of textures.
pub fn texture(first: usize, first_count: usize, second: usize, second_count: usize) -> [f32; 2] {
    let part = |index: usize, count: usize| index as f32 / count.saturating_sub(1).max(1) as f32;
    [part(first, first_count), part(second, second_count)]
}
