//! Pieces as triangles, in the world and on a screen.

use super::project::{Cut, Point, Projection, cut};
use super::raster::Flat;
use crate::scene::{Corner, Piece, Scene, Shape, along};
use crate::shape::{Triangles, Unit};
use sinew_math::{Mat3, Vec3};

/// A part of a piece: triangles, stretched and moved within the piece.
#[derive(Clone, Copy, Debug)]
pub(super) struct Part<'a> {
    /// Which piece.
    pub piece: usize,
    pub corners: &'a [Corner],
    /// Places of the corners, each once, and which one each corner has; none: each has its own.
    pub shared: Option<(&'a [[f32; 3]], &'a [u32])>,
    /// Whether corners say where in the texture they are.
    pub has_texture: bool,
    /// Its place in the world, its axes, and how it is stretched and lifted along them.
    pub position: Vec3,
    pub axes: Mat3,
    pub scale: [f64; 3],
    pub lift: f64,
    /// Edges of each triangle that are none of the shape, a bit each; empty: there are none.
    pub inner_edges: &'a [u8],
}

/// All parts of a scene.
#[derive(Debug)]
pub(super) struct Parts<'a> {
    pub pieces: &'a [Piece],
    pub parts: Vec<Part<'a>>,
    /// Whether each piece lets through what is behind.
    pub is_clear: Vec<bool>,
    /// Whether each piece is a plane seen from below.
    pub is_below: Vec<bool>,
    /// Whether triangles are seen from outside only.
    pub has_outsides: bool,
}

/// Which triangles are wanted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Which {
    /// Those of pieces that hide what is behind them, facing the eye.
    Opaque,
    /// Those that cast shadows, from both sides; planes are thought of in another way.
    Casting,
    /// All, facing the eye.
    All,
    /// Those of one piece, facing the eye.
    Piece(usize),
}

/// A plane that mirrors.
#[derive(Clone, Copy, Debug)]
pub(super) struct Mirror {
    pub piece: usize,
    pub point: Vec3,
    pub normal: Vec3,
    pub reflectance: f32,
}

impl Mirror {
    /// A point on the other side.
    pub fn reflect(&self, point: Vec3) -> Vec3 {
        point - self.normal * (2.0 * self.height(point))
    }

    pub fn height(&self, point: Vec3) -> f64 {
        (point - self.point).dot(self.normal)
    }
}

/// Shapes that pieces are made of.
#[derive(Clone, Copy, Debug)]
pub(super) struct Shapes<'a> {
    pub units: &'a [Triangles; 9],
    /// Planes that are cut along lines, by the number of their piece.
    pub grids: &'a [(usize, Triangles)],
    pub meshes: &'a [Triangles],
    pub hulls: &'a [Triangles],
    pub fields: &'a [Triangles],
}

impl<'a> Parts<'a> {
    pub fn new(
        scene: &'a Scene,
        shapes: Shapes<'a>,
        eye: Vec3,
        infinite: impl Fn(&Piece, usize) -> f64,
        pixel: impl Fn(Vec3) -> f64,
    ) -> Self {
        let mut parts = Vec::new();
        for (number, piece) in scene.pieces.iter().enumerate() {
            add_parts(&mut parts, number, piece, scene, shapes, &infinite, &pixel);
        }
        let is_below: Vec<bool> = scene
            .pieces
            .iter()
            .map(|piece| {
                let height = (eye - piece.position).dot(piece.axes.column(2));
                piece.shape == Shape::Plane && height < 0.0
            })
            .collect();
        let is_clear = scene.pieces.iter().zip(&is_below);
        Parts {
            pieces: &scene.pieces,
            is_clear: is_clear
                .map(|(piece, &below)| below || piece.surface.colour[3] < 0.995)
                .collect(),
            is_below,
            parts,
            has_outsides: scene.effects.outsides,
        }
    }

    /// A point of a part in the world.
    #[inline]
    pub fn place(&self, part: &Part<'_>, [x, y, z]: [f64; 3]) -> Vec3 {
        let s = &part.scale;
        part.position + part.axes * Vec3([x * s[0], y * s[1], z * s[2] + part.lift])
    }

    /// A normal of a part in the world.
    #[inline]
    pub fn turn(&self, part: &Part<'_>, [x, y, z]: [f64; 3]) -> Vec3 {
        let s = &part.scale;
        let n = Vec3([x / s[0], y / s[1], z / s[2]]);
        (part.axes * n).normalized()
    }

    /// Triangles on a screen.
    pub fn project(
        &self,
        projection: &Projection,
        which: Which,
        mirror: Option<&Mirror>,
    ) -> Vec<Flat> {
        let (mut out, mut placed) = (Vec::new(), Vec::new());
        for number in self.range(which) {
            let part = &self.parts[number];
            let piece = part.piece;
            let is_wanted = match which {
                Which::Opaque => !self.is_clear[piece],
                Which::Casting => {
                    let piece = &self.pieces[piece];
                    !piece.is_decoration && piece.shape != Shape::Plane
                }
                Which::All => true,
                Which::Piece(wanted) => piece == wanted,
            };
            if !is_wanted || mirror.is_some_and(|mirror| mirror.piece == piece) {
                continue;
            }
            // Planes are seen from both sides, others from outside; mirrors turn sides round.
            let is_turned = mirror.is_some() != self.is_below[piece];
            let sides = match which {
                Which::Casting => Sides::Both,
                _ if !self.has_outsides => Sides::Both,
                _ if is_turned => Sides::Back,
                _ => Sides::Front,
            };
            self.place_all(&mut placed, part, projection, mirror);
            let count = part.corners.len() as u32 / 3;
            for first in (0..count).map(|triangle| 3 * triangle) {
                let corners = [0, 1, 2].map(|k| {
                    let corner = (first + k) as usize;
                    let place = part
                        .shared
                        .map_or(corner, |(_, order)| order[corner] as usize);
                    &placed[place]
                });
                let hidden = part.inner_edges.get(first as usize / 3).copied();
                let places = (number as u32, first, hidden.unwrap_or(0));
                push_triangle(&mut out, projection, corners, places, sides);
            }
        }
        out
    }

    /// The parts among which the wanted ones are: parts are in the order of their pieces.
    fn range(&self, which: Which) -> core::ops::Range<usize> {
        let before = |piece: usize| self.parts.partition_point(|part| part.piece < piece);
        match which {
            Which::Piece(piece) => before(piece)..before(piece + 1),
            _ => 0..self.parts.len(),
        }
    }

    /// How many triangles there are.
    pub fn count(&self) -> usize {
        let counts = self.parts.iter().map(|part| part.corners.len() / 3);
        counts.fold(0, usize::saturating_add)
    }

    /// Where the places of a part land.
    fn place_all(
        &self,
        out: &mut Vec<Placed>,
        part: &Part<'_>,
        projection: &Projection,
        mirror: Option<&Mirror>,
    ) {
        let place = |position: [f32; 3]| {
            let world = self.place(part, position.map(f64::from));
            let height = mirror.map_or(0.0, |mirror| mirror.height(world));
            let world = mirror.map_or(world, |mirror| mirror.reflect(world));
            let local = projection.local(world);
            Placed {
                local,
                height,
                point: projection.point(local),
                is_whole: local[2] >= projection.near && height >= 0.0,
            }
        };
        out.clear();
        match part.shared {
            Some((points, _)) => out.extend(points.iter().map(|&point| place(point))),
            None => out.extend(part.corners.iter().map(|corner| place(corner.position))),
        }
    }
}

/// A place of a piece.
struct Placed {
    local: [f64; 3],
    /// Its height above a mirror.
    height: f64,
    /// Where it lands, if it is before the eye.
    point: Point,
    /// Whether it is before the eye and not behind a mirror.
    is_whole: bool,
}

/// The corners' own shares.
const WHOLE: [[f32; 3]; 3] = [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]];

/// Adds what is seen of a triangle.
fn push_triangle(
    out: &mut Vec<Flat>,
    projection: &Projection,
    corners: [&Placed; 3],
    places: (u32, u32, u8),
    sides: Sides,
) {
    if corners.iter().all(|corner| corner.is_whole) {
        let points = corners.map(|corner| corner.point);
        out.extend(flat(projection, points, WHOLE, places, sides));
        return;
    }
    if corners
        .iter()
        .all(|corner| corner.local[2] < projection.near)
    {
        return;
    }
    let cuts = [0, 1, 2].map(|k| Cut {
        local: corners[k].local,
        shares: WHOLE[k].map(f64::from),
        distance: corners[k].height,
    });
    let (mut polygon, mut spare) = (cuts.to_vec(), Vec::new());
    cut(&mut polygon, &mut spare, |c| c.local[2] - projection.near);
    cut(&mut polygon, &mut spare, |c| c.distance);
    for k in 1..polygon.len().saturating_sub(1) {
        let chosen = [&polygon[0], &polygon[k], &polygon[k + 1]];
        let points = chosen.map(|cut| projection.point(cut.local));
        let shares = chosen.map(|cut| cut.shares.map(|x| x as f32));
        out.extend(flat(projection, points, shares, places, sides));
    }
}

/// Which sides of triangles are drawn.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Sides {
    Front,
    Back,
    Both,
}

/// A triangle on the screen; none if it cannot be seen.
#[inline]
fn flat(
    projection: &Projection,
    mut points: [Point; 3],
    mut shares: [[f32; 3]; 3],
    (piece, corner, hidden): (u32, u32, u8),
    sides: Sides,
) -> Option<Flat> {
    let [a, b, c] = &points;
    // Rows run downwards: what is counter-clockwise has a negative area.
    let area = (b.x - a.x) * (c.y - a.y) - (b.y - a.y) * (c.x - a.x);
    let is_front = area < 0.0;
    let is_wanted = match sides {
        Sides::Front => is_front,
        Sides::Back => !is_front,
        Sides::Both => true,
    };
    if !is_wanted || area == 0.0 || !area.is_finite() {
        return None;
    }
    let is_beside = |low: fn(&Point) -> f64, most: f64| {
        points.iter().all(|point| low(point) < 0.0) || points.iter().all(|point| low(point) > most)
    };
    if is_beside(|p| p.x, projection.width) || is_beside(|p| p.y, projection.height) {
        return None;
    }
    if is_front {
        points.swap(1, 2);
        shares.swap(1, 2);
    }
    Some(Flat {
        points,
        shares,
        piece,
        corner,
        area: area.abs(),
        hidden,
    })
}

/// How much wider than its shaft the head of an arrow is.
const HEAD: f64 = 1.75;

fn add_parts<'a>(
    out: &mut Vec<Part<'a>>,
    number: usize,
    piece: &Piece,
    scene: &'a Scene,
    shapes: Shapes<'a>,
    infinite: &impl Fn(&Piece, usize) -> f64,
    pixel: &impl Fn(Vec3) -> f64,
) {
    let mut place = |triangles: &'a Triangles, pose: (Vec3, Mat3), scale: [f64; 3], lift: f64| {
        out.push(Part {
            piece: number,
            corners: &triangles.corners,
            shared: Some((&triangles.points, &triangles.order)),
            has_texture: triangles.has_texture,
            position: pose.0,
            axes: pose.1,
            scale,
            lift,
            inner_edges: &triangles.inner_edges,
        });
    };
    let pose = (piece.position, piece.axes);
    let mut push = |triangles: &'a Triangles, scale: [f64; 3], lift: f64| {
        place(triangles, pose, scale, lift);
    };
    let unit = |unit: Unit| &shapes.units[unit as usize];
    let size = piece.size;
    match piece.shape {
        Shape::Plane => {
            let half = |k: usize| {
                if size[k] > 0.0 {
                    size[k]
                } else {
                    infinite(piece, k)
                }
            };
            match shapes.grids.iter().find(|(piece, _)| *piece == number) {
                Some((_, grid)) => push(grid, [1.0; 3], 0.0),
                None => push(unit(Unit::Square), [half(0), half(1), 1.0], 0.0),
            }
        }
        Shape::Ellipsoid => push(unit(Unit::Ball), size, 0.0),
        Shape::Capsule => {
            let round = [size[0], size[1], 0.5 * (size[0] + size[1])];
            push(unit(Unit::Tube), size, 0.0);
            push(unit(Unit::Dome), round, size[2]);
            push(unit(Unit::Bowl), round, -size[2]);
        }
        Shape::Cylinder => push(unit(Unit::Cylinder), size, 0.0),
        Shape::Box => push(unit(Unit::Cube), size, 0.0),
        Shape::Mesh(id) => {
            if let Some(mesh) = shapes.meshes.get(id) {
                push(mesh, [1.0; 3], 0.0);
            }
        }
        Shape::Hull(id) => {
            if let Some(hull) = shapes.hulls.get(id) {
                push(hull, [1.0; 3], 0.0);
            }
        }
        Shape::HeightField(id) => {
            if let Some(field) = shapes.fields.get(id) {
                push(field, [1.0; 3], 0.0);
            }
        }
        Shape::Arrow | Shape::Pointer => {
            // A shaft of two sixths, then a head of one.
            let part = size[2] / 6.0;
            let wider = if piece.shape == Shape::Arrow {
                HEAD
            } else {
                1.0
            };
            push(unit(Unit::Cylinder), [size[0], size[1], part], part);
            let head = [wider * size[0], wider * size[1], part];
            push(unit(Unit::Cone), head, 2.0 * part);
        }
        Shape::DoubleArrow => {
            let part = size[2] / 6.0;
            push(unit(Unit::Tube), [size[0], size[1], 2.0 * part], 0.0);
            let head = [HEAD * size[0], HEAD * size[1], part];
            push(unit(Unit::Cone), head, 2.0 * part);
            // The other one is turned about x.
            push(unit(Unit::Cone), [head[0], -head[1], -part], -2.0 * part);
        }
        Shape::Line => {
            let middle = piece.position + piece.axes.column(2) * (0.5 * size[2]);
            let radius = 0.5 * size[0] * pixel(middle);
            let half = 0.5 * size[2];
            push(unit(Unit::Tube), [radius, radius, half], half);
        }
        Shape::Triangle => push(unit(Unit::Triangle), [size[0], size[1], 1.0], 0.0),
        Shape::LineBox => {
            for (pose, half) in edges_of_box(piece) {
                let radius = 0.75 * pixel(pose.0);
                place(unit(Unit::Tube), pose, [radius, radius, half], 0.0);
            }
        }
        Shape::Soft(soft) => {
            let (first, count) = soft.links;
            for link in scene.links.get(first..first + count).unwrap_or(&[]) {
                let (from, to) = link.ends;
                let (shape, half) = if from == to {
                    (Unit::Ball, link.radius)
                } else {
                    (Unit::Tube, 0.5 * from.distance(to))
                };
                let pose = ((from + to) * 0.5, along(to - from));
                place(unit(shape), pose, [link.radius, link.radius, half], 0.0);
            }
            let (first, count) = soft.corners;
            if let Some(corners) = scene.corners.get(first..first + count)
                && count > 0
            {
                out.push(Part {
                    piece: number,
                    corners,
                    shared: None,
                    has_texture: true,
                    position: Vec3::ZERO,
                    axes: Mat3::identity(),
                    scale: [1.0; 3],
                    lift: 0.0,
                    inner_edges: &[],
                });
            }
        }
        Shape::Text => {}
    }
}

/// The edges of a box: where their middles are, with z along them, and half their lengths.
fn edges_of_box(piece: &Piece) -> impl Iterator<Item = ((Vec3, Mat3), f64)> + use<> {
    let (position, axes, size) = (piece.position, piece.axes, piece.size);
    (0..12).map(move |number| {
        let axis = number / 4;
        let (first, second) = ((axis + 1) % 3, (axis + 2) % 3);
        let sign = |bit: usize| if number & bit != 0 { 1.0 } else { -1.0 };
        let away = axes.column(first) * (sign(1) * size[first])
            + axes.column(second) * (sign(2) * size[second]);
        let columns = [first, second, axis].map(|k| axes.column(k));
        let turned = Mat3(core::array::from_fn(|k| columns[k % 3][k / 3]));
        ((position + away, turned), size[axis])
    })
}
