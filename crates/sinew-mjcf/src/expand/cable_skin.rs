//! The skin of a cable made of boxes: a flat tube of two sheets with closed rims.
//!
//! Both sheets are grids of `along × across` vertices; every vertex sits at the origin of the bones
//! that hold it, so that the bones alone place it. Without a subgrid each grid point has its own
//! bone. With one, the points between bones are bicubic: a vertex inside a cell is held by up to
//! 4 × 4 bones with weights `w(x)·w(y)`, where `w` are the weights of a cubic Hermite segment whose
//! slopes are central differences, one-sided at the ends of the grid.

use crate::place::At;
use crate::spec::asset::{Bone, Skin};
use crate::spec::tree::Composite;

/// Makes the skin of a cable with `count` points.
pub fn make(composite: &Composite, prefix: &str, count: usize) -> Skin {
    let place = composite.table.place;
    let written = composite.skin.clone().unwrap_or_default();
    let size = composite
        .geom
        .as_ref()
        .and_then(|geom| geom.size.as_ref())
        .map_or([0.0; 3], |at| at.value.over([0.0; 3]));
    let subgrid = subgrid(composite);
    let bones_across = bones_across(subgrid);
    let sheet = Sheet::new(count, subgrid);
    let mut skin = Skin::default();
    let table = &mut skin.table;
    table.place = place;
    table.name = Some(At::new(format!("{prefix}Skin"), place));
    table.material = written.material.filter(|at| !at.value.is_empty());
    table.rgba = written.rgba.or(Some(At::new([1.0; 4], place)));
    table.inflate = Some(At::new((2.0 * size[2]) as f32, place));
    table.group = written.group;
    table.vertex = Some(At::new(vec![0.0; 6 * sheet.points()], place));
    if written.texcoord.is_some_and(|at| at.value) {
        table.texcoord = Some(At::new(sheet.texture_coordinates(), place));
    }
    table.face = Some(At::new(sheet.faces(), place));
    skin.bones = bones(composite, prefix, count, bones_across, size);
    if subgrid == 0 {
        for (point, bone) in skin.bones.iter_mut().enumerate() {
            hold(bone, point, sheet.points(), 1.0);
        }
    } else {
        hold_bicubic(&mut skin.bones, &sheet, count, bones_across, subgrid);
    }
    skin
}

/// Number of vertices that the skin of a cable with `count` points will have.
pub fn vertices(composite: &Composite, count: usize) -> usize {
    Sheet::new(count, subgrid(composite))
        .points()
        .saturating_mul(2)
}

/// Points between two bones.
fn subgrid(composite: &Composite) -> usize {
    let written = composite
        .skin
        .as_ref()
        .and_then(|skin| skin.subgrid.as_ref());
    written.map_or(0, |at| usize::try_from(at.value).unwrap_or(0))
}

fn bones_across(subgrid: usize) -> usize {
    if subgrid > 0 { 3 } else { 2 }
}

/// The grid of one sheet.
struct Sheet {
    along: usize,
    across: usize,
}

impl Sheet {
    fn new(count: usize, subgrid: usize) -> Sheet {
        let between = |bones: usize| {
            let cells = bones.saturating_sub(1);
            bones.saturating_add(cells.saturating_mul(subgrid))
        };
        Sheet {
            along: between(count),
            across: between(bones_across(subgrid)),
        }
    }

    fn points(&self) -> usize {
        self.along.saturating_mul(self.across)
    }

    fn texture_coordinates(&self) -> Vec<f32> {
        let mut out = Vec::with_capacity(4 * self.points());
        for _ in 0..2 {
            for i in 0..self.along {
                for j in 0..self.across {
                    out.push(i as f32 / (self.along as f32 - 1.0));
                    out.push(j as f32 / (self.across as f32 - 1.0));
                }
            }
        }
        out
    }

    /// Two triangles per cell of each sheet, facing away from the other sheet, then the rims.
    fn faces(&self) -> Vec<i32> {
        let (n, across) = (self.points(), self.across);
        let (last_i, last_j) = (self.along - 1, across - 1);
        let top = |i: usize, j: usize| i * across + j;
        let bottom = |i: usize, j: usize| n + i * across + j;
        let mut out = Vec::new();
        let mut add = |triangle: [usize; 3]| out.extend(triangle.map(|v| v as i32));
        for i in 0..last_i {
            for j in 0..last_j {
                add([top(i, j), top(i + 1, j), top(i + 1, j + 1)]);
                add([top(i, j), top(i + 1, j + 1), top(i, j + 1)]);
            }
        }
        for i in 0..last_i {
            for j in 0..last_j {
                add([bottom(i, j), bottom(i + 1, j + 1), bottom(i + 1, j)]);
                add([bottom(i, j), bottom(i, j + 1), bottom(i + 1, j + 1)]);
            }
        }
        for i in 0..last_i {
            add([top(i, 0), bottom(i + 1, 0), top(i + 1, 0)]);
            add([top(i, 0), bottom(i, 0), bottom(i + 1, 0)]);
        }
        for i in 0..last_i {
            add([top(i, last_j), top(i + 1, last_j), bottom(i + 1, last_j)]);
            add([top(i, last_j), bottom(i + 1, last_j), bottom(i, last_j)]);
        }
        for j in 0..last_j {
            add([top(0, j), top(0, j + 1), bottom(0, j + 1)]);
            add([top(0, j), bottom(0, j + 1), bottom(0, j)]);
        }
        for j in 0..last_j {
            add([top(last_i, j), bottom(last_i, j + 1), top(last_i, j + 1)]);
            add([top(last_i, j), bottom(last_i, j), bottom(last_i, j + 1)]);
        }
        out
    }
}

/// One bone per point of the coarse grid; the last two rows belong to the last body.
fn bones(
    composite: &Composite,
    prefix: &str,
    count: usize,
    across: usize,
    size: [f64; 3],
) -> Vec<Bone> {
    let place = composite.table.place;
    let mut out = Vec::with_capacity(count * across);
    for i in 0..count {
        let body = if i == 0 {
            format!("{prefix}B_first")
        } else if i + 2 >= count {
            format!("{prefix}B_last")
        } else {
            format!("{prefix}B_{i}")
        };
        let x = if i + 1 == count { -2.0 * size[0] } else { 0.0 };
        for j in 0..across {
            let y = if j == 0 {
                -size[1]
            } else if j + 1 == across {
                size[1]
            } else {
                0.0
            };
            out.push(Bone {
                place,
                body: Some(At::new(body.clone(), place)),
                bindpos: Some(At::new([x as f32, y as f32, 0.0], place)),
                bindquat: Some(At::new([1.0, 0.0, 0.0, 0.0], place)),
                vertid: Some(At::new(Vec::new(), place)),
                vertweight: Some(At::new(Vec::new(), place)),
            });
        }
    }
    out
}

/// Gives a bone a vertex of both sheets.
fn hold(bone: &mut Bone, vertex: usize, points: usize, weight: f32) {
    if let Some(ids) = &mut bone.vertid {
        ids.value.push(vertex as i32);
        ids.value.push((vertex + points) as i32);
    }
    if let Some(weights) = &mut bone.vertweight {
        weights.value.push(weight);
        weights.value.push(weight);
    }
}

fn hold_bicubic(bones: &mut [Bone], sheet: &Sheet, count: usize, across: usize, subgrid: usize) {
    let step = 1.0 / (1.0 + subgrid as f64);
    for cell_i in 0..count - 1 {
        for cell_j in 0..across - 1 {
            // A cell owns its first points; the last cell of a row also the closing ones.
            let own_i = 1 + subgrid + usize::from(cell_i + 2 == count);
            let own_j = 1 + subgrid + usize::from(cell_j + 2 == across);
            for i in 0..own_i {
                let wx = weights(i as f64 * step, cell_i == 0, cell_i + 2 == count);
                for j in 0..own_j {
                    let wy = weights(j as f64 * step, cell_j == 0, cell_j + 2 == across);
                    let vertex =
                        (cell_i * (1 + subgrid) + i) * sheet.across + cell_j * (1 + subgrid) + j;
                    for (di, wx) in wx.iter().enumerate() {
                        for (dj, wy) in wy.iter().enumerate() {
                            let weight = wx * wy;
                            if weight == 0.0 {
                                continue;
                            }
                            let bone = (cell_i + di)
                                .checked_sub(1)
                                .zip((cell_j + dj).checked_sub(1));
                            let bone = bone.and_then(|(i, j)| bones.get_mut(i * across + j));
                            if let Some(bone) = bone {
                                hold(bone, vertex, sheet.points(), weight as f32);
                            }
                        }
                    }
                }
            }
        }
    }
}

/// Weights of the four grid values around a segment for the point `t` along it. `is_first` and
/// `is_last`: there is no grid value before, or after, the segment.
fn weights(t: f64, is_first: bool, is_last: bool) -> [f64; 4] {
    let (t2, t3) = (t * t, t * t * t);
    let value = [1.0 - 3.0 * t2 + 2.0 * t3, 3.0 * t2 - 2.0 * t3];
    let slope = [t - 2.0 * t2 + t3, -t2 + t3];
    let one_sided = [0.0, -1.0, 1.0, 0.0];
    let start = if is_first {
        one_sided
    } else {
        [-0.5, 0.0, 0.5, 0.0]
    };
    let end = if is_last {
        one_sided
    } else {
        [0.0, -0.5, 0.0, 0.5]
    };
    let mut out = [0.0, value[0], value[1], 0.0];
    for (weight, (start, end)) in out.iter_mut().zip(start.into_iter().zip(end)) {
        *weight += slope[0] * start + slope[1] * end;
    }
    out
}
