//! Boxes, cylinders and ellipsoids: the surface of a box, projected; solids are filled from the centre.
//!
//! Points are numbered face by face: the two lids (z), then the sides across y without the rows that
//! the lids have, then those across x without the corners. A shell of dimension 2 is open at the top:
//! it has one lid, and its sides reach the upper rim. Solids have the centre as point 0 and join every
//! triangle of the surface to it.

use super::fault::Fault;
use super::grid::{texture, unit};
use super::settings::{Settings, place};
use super::shape::{Shape, check_size};
use crate::expand::Shared;
use crate::spec::value::FlexcompType;
use sinew_math::Vec3;
use sinew_math::quotient::normalize3;

/// In which order the two triangles of a square visit its corners, which are 00, 10, 11, 01.
#[derive(Clone, Copy)]
enum Winding {
    Forward,
    Backward,
    Bottom,
}

impl Winding {
    fn triangles(self, [a, b, c, d]: [i32; 4]) -> [i32; 6] {
        match self {
            Winding::Forward => [a, b, c, a, c, d],
            Winding::Backward => [b, a, d, b, d, c],
            Winding::Bottom => [a, c, b, a, d, c],
        }
    }
}

/// The face that a point is numbered with.
#[derive(Clone, Copy)]
enum Face {
    Lid,
    AcrossY,
    AcrossX,
}

/// The numbering of the points.
struct Surface {
    count: [usize; 3],
    is_solid: bool,
    /// Whether the top is missing.
    is_open: bool,
}

/// Makes the shape.
pub fn make(settings: &Settings, shared: &Shared) -> Result<Shape, Fault> {
    let surface = Surface {
        count: settings.count,
        is_solid: settings.dim == 3,
        is_open: settings.dim == 2,
    };
    if settings.count.iter().any(|count| *count < 2) {
        return Err(Fault::new(
            place(&settings.table.count, settings.table.place),
            "count",
            "a box, cylinder or ellipsoid needs at least 2 points along every axis",
            "use type \"square\" or \"disc\" for something flat",
        ));
    }
    let squares = surface.squares();
    check_size(
        settings,
        shared,
        squares,
        squares.and_then(|n| n.checked_mul(2)),
    )?;

    let mut shape = Shape::new(settings);
    let has_texture = settings.needs_texcoord();
    if surface.is_solid {
        shape.points.push(Vec3::ZERO);
    }
    if has_texture {
        // The reference gives the centre a place in the texture also where there is none.
        shape.texcoord.extend([0.0, 0.0]);
    }
    surface.points(|index, face| {
        shape.points.push(project(settings, index));
        if has_texture {
            let ([ix, iy, iz], [x, y, z]) = (index, surface.count);
            shape.texcoord.extend(match face {
                Face::Lid => texture(ix, x, iy, y),
                Face::AcrossY => texture(ix, x, iz, z),
                Face::AcrossX => texture(iy, y, iz, z),
            });
        }
    });
    surface.elements(&mut shape.elements);
    Ok(shape)
}

impl Surface {
    /// At least as many squares as the surface has.
    fn squares(&self) -> Option<usize> {
        let [x, y, z] = self.count;
        let sides = [x.checked_mul(y)?, y.checked_mul(z)?, z.checked_mul(x)?];
        let half = sides
            .iter()
            .try_fold(0_usize, |sum, side| sum.checked_add(*side))?;
        half.checked_mul(2)
    }

    /// The lids: their heights.
    fn lids(&self) -> impl Iterator<Item = usize> + use<> {
        let [_, _, z] = self.count;
        let top = (!self.is_open).then_some(z - 1);
        core::iter::once(0).chain(top)
    }

    /// The rows of the sides between the lids.
    fn rows(&self) -> core::ops::Range<usize> {
        let [_, _, z] = self.count;
        1..z - usize::from(!self.is_open)
    }

    /// Visits the points in order.
    fn points(&self, mut visit: impl FnMut([usize; 3], Face)) {
        let [x, y, _] = self.count;
        for iz in self.lids() {
            for ix in 0..x {
                for iy in 0..y {
                    visit([ix, iy, iz], Face::Lid);
                }
            }
        }
        for iy in [0, y - 1] {
            for ix in 0..x {
                for iz in self.rows() {
                    visit([ix, iy, iz], Face::AcrossY);
                }
            }
        }
        for ix in [0, x - 1] {
            for iy in 1..y - 1 {
                for iz in self.rows() {
                    visit([ix, iy, iz], Face::AcrossX);
                }
            }
        }
    }

    /// The number of the point with these coordinates on the grid.
    fn id(&self, [ix, iy, iz]: [usize; 3]) -> i32 {
        let [x, y, z] = self.count;
        let (lid, rows) = (x * y, self.rows().len());
        let lids = lid * self.lids().count();
        let id = if iz == 0 {
            ix * y + iy
        } else if iz == z - 1 && !self.is_open {
            lid + ix * y + iy
        } else if iy == 0 {
            lids + ix * rows + iz - 1
        } else if iy == y - 1 {
            lids + (x + ix) * rows + iz - 1
        } else if ix == 0 {
            lids + (2 * x + iy - 1) * rows + iz - 1
        } else {
            lids + (2 * x + y - 2 + iy - 1) * rows + iz - 1
        };
        (id + usize::from(self.is_solid)) as i32
    }

    /// Adds the elements of all squares.
    fn elements(&self, out: &mut Vec<i32>) {
        let [x, y, z] = self.count;
        for iz in self.lids() {
            let winding = if iz == 0 {
                Winding::Bottom
            } else {
                Winding::Forward
            };
            for (ix, iy) in cells(x, y) {
                self.square(|u, v| [ix + u, iy + v, iz], winding, out);
            }
        }
        for iy in [0, y - 1] {
            let winding = if iy == 0 {
                Winding::Forward
            } else {
                Winding::Backward
            };
            for (ix, iz) in cells(x, z) {
                self.square(|u, v| [ix + u, iy, iz + v], winding, out);
            }
        }
        for ix in [0, x - 1] {
            let winding = if ix == 0 {
                Winding::Backward
            } else {
                Winding::Forward
            };
            for (iy, iz) in cells(y, z) {
                self.square(|u, v| [ix, iy + u, iz + v], winding, out);
            }
        }
    }

    /// Two triangles, or two tetrahedra with the centre.
    fn square(
        &self,
        corner: impl Fn(usize, usize) -> [usize; 3],
        winding: Winding,
        out: &mut Vec<i32>,
    ) {
        let corners = [(0, 0), (1, 0), (1, 1), (0, 1)].map(|(u, v)| self.id(corner(u, v)));
        if self.is_solid {
            let [a, b, c, d] = corners;
            out.extend([0, a, b, c, 0, a, d, c]);
            return;
        }
        out.extend(winding.triangles(corners));
    }
}

/// The cells of a grid with so many points.
fn cells(first: usize, second: usize) -> impl Iterator<Item = (usize, usize)> {
    (0..first - 1).flat_map(move |i| (0..second - 1).map(move |j| (i, j)))
}

/// The place of a point of the grid on the shape.
fn project(settings: &Settings, index: [usize; 3]) -> Vec3 {
    let ([nx, ny, nz], [dx, dy, dz]) = (settings.count, settings.spacing);
    let [ix, iy, iz] = index;
    // Half the size of the shape, and where the point lies in the cube from −1 to 1.
    let half = |spacing: f64, count: usize| 0.5 * spacing * (count as f64 - 1.0);
    let within = |index: usize, count: usize| 2.0 * index as f64 / (count as f64 - 1.0) - 1.0;
    let [width, depth, height] = [half(dx, nx), half(dy, ny), half(dz, nz)];
    let [x, y, z] = [within(ix, nx), within(iy, ny), within(iz, nz)];
    match settings.kind {
        FlexcompType::Cylinder => {
            let reach = x.abs().max(y.abs());
            let [x, y] = unit([x, y]);
            Vec3([x * (width * reach), y * (depth * reach), z * height])
        }
        FlexcompType::Ellipsoid => {
            let (Vec3([x, y, z]), _) = normalize3(Vec3([x, y, z]));
            Vec3([x * width, y * depth, z * height])
        }
        _ => Vec3([x * width, y * depth, z * height]),
    }
}
