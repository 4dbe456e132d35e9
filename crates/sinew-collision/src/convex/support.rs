//! Convex shapes by their support functions.

use super::Hull;
use sinew_math::{MIN_VALUE, Mat3, Vec3, vec3};

/// Meshes with fewer vertices are searched completely.
const CLIMB_FROM: usize = 10;

/// The parts of a compiled mesh that collisions read.
#[derive(Clone, Copy, Debug)]
pub struct MeshShape<'a> {
    /// Vertices in the mesh frame.
    pub vertices: &'a [[f32; 3]],
    /// Hull graph.
    pub hull: Option<&'a Hull>,
    /// Normals of the hull's polygons.
    pub polygon_normals: &'a [Vec3],
    /// First vertex of each polygon in `polygon_vertices`.
    pub polygon_start: &'a [i32],
    /// Number of vertices of each polygon.
    pub polygon_count: &'a [i32],
    /// Vertices of all polygons of all meshes.
    pub polygon_vertices: &'a [i32],
    /// First polygon of each vertex in `vertex_polygons`.
    pub map_start: &'a [i32],
    /// Number of polygons of each vertex.
    pub map_count: &'a [i32],
    /// Polygons of each vertex of all meshes.
    pub vertex_polygons: &'a [i32],
}

impl<'a> MeshShape<'a> {
    #[inline]
    pub(super) fn vertex(&self, i: usize) -> Vec3 {
        let v = self.vertices[i];
        vec3(f64::from(v[0]), f64::from(v[1]), f64::from(v[2]))
    }

    /// The vertex farthest along a direction: by climbing over the hull from `start`, or by looking
    /// at all vertices of a small or hull-less mesh, `last` first. Ties go to the first found.
    /// Returns the vertex and its place in the hull, if that was climbed.
    #[inline]
    fn farthest(&self, direction: Vec3, last: i32, start: i32) -> (usize, Option<usize>) {
        if let Some(hull) = self.hull.filter(|_| self.vertices.len() >= CLIMB_FROM) {
            let top = hull.climb(start.max(0) as usize, f64::from(-f32::MAX), direction);
            return (hull.id(top), Some(top));
        }
        let mut best = last.max(0) as usize;
        let mut highest = if last >= 0 {
            direction.dot(self.vertex(best))
        } else {
            f64::from(-f32::MAX)
        };
        for i in 0..self.vertices.len() {
            let height = direction.dot(self.vertex(i));
            if height > highest {
                highest = height;
                best = i;
            }
        }
        (best, None)
    }
}

impl MeshShape<'_> {
    /// The vertex farthest along a direction, as planes and the older algorithm find it: by climbing from the height of `start`
    /// on over the hull of a mesh of any size, otherwise the first of all. With a hull also its place in there.
    pub(super) fn first_farthest(&self, direction: Vec3, start: usize) -> (usize, Option<usize>) {
        let height = |vertex: usize| direction.dot(self.vertex(vertex));
        if let Some(hull) = self.hull {
            let top = hull.climb(start, height(hull.id(start)), direction);
            return (hull.id(top), Some(top));
        }
        let (mut best, mut highest) = (0, -1e10);
        for vertex in 0..self.vertices.len() {
            if height(vertex) > highest {
                (best, highest) = (vertex, height(vertex));
            }
        }
        (best, None)
    }
}

/// What kind of shape it is.
#[derive(Clone, Copy, Debug)]
pub enum Kind<'a> {
    /// `size[0]` is the radius.
    Sphere,
    /// Radius and half length.
    Capsule,
    /// Semi-axes.
    Ellipsoid,
    /// Radius and half length.
    Cylinder,
    /// Half sizes.
    Box,
    /// A mesh, by its hull where it has one.
    Mesh(MeshShape<'a>),
    /// A vertical prism: three bottom points, three top points.
    Prism([Vec3; 6]),
    /// The centre of a sphere.
    Point,
    /// The segment inside a capsule.
    Segment,
    /// One to four corners in a layer of thickness `size[0]`.
    Simplex {
        /// Corners, world.
        corners: [Vec3; 4],
        /// How many there are.
        count: usize,
    },
}

/// A convex shape where it stands, inflated by half a margin.
#[derive(Clone, Copy, Debug)]
pub struct Convex<'a> {
    /// Kind of shape.
    pub kind: Kind<'a>,
    /// Position, world.
    pub pos: Vec3,
    /// Orientation, world.
    pub mat: Mat3,
    /// Sizes, by kind.
    pub size: [f64; 3],
    /// Half of it is added around the shape.
    pub margin: f64,
    /// The vertex found last, for shapes that have vertices; −1: none.
    pub(super) vertex: i32,
    /// Where the next climb over a hull starts; −1: at the first vertex.
    pub(super) start: i32,
}

impl<'a> Convex<'a> {
    /// A shape at a pose.
    pub fn new(kind: Kind<'a>, pos: Vec3, mat: Mat3, size: [f64; 3], margin: f64) -> Self {
        Convex {
            kind,
            pos,
            mat,
            size,
            margin,
            vertex: -1,
            start: -1,
        }
    }

    /// The simplex of one to four corners in a layer of a radius, seen from a centre. Half the margin is
    /// part of the layer.
    pub fn simplex(corners: &[Vec3], centre: Vec3, radius: f64, margin: f64) -> Self {
        let mut kept = [Vec3::ZERO; 4];
        let count = corners.len().min(4);
        kept[..count].copy_from_slice(&corners[..count]);
        let kind = Kind::Simplex {
            corners: kept,
            count,
        };
        let layer = radius + 0.5 * margin;
        Convex::new(kind, centre, Mat3::IDENTITY, [layer, 0.0, 0.0], 0.0)
    }

    /// A point inside.
    pub(super) fn centre(&self) -> Vec3 {
        match &self.kind {
            Kind::Prism(points) => {
                let mut sum = Vec3::ZERO;
                for point in points {
                    sum += *point;
                }
                sum * (1.0 / 6.0)
            }
            _ => self.pos,
        }
    }

    /// Centre and half sizes of a box around the shape, without its margin, in the shape's frame.
    fn bounds(&self) -> Option<[Vec3; 2]> {
        let [a, b, c] = self.size;
        let half = match &self.kind {
            Kind::Sphere => vec3(a, a, a),
            Kind::Capsule => vec3(a, a, a + b),
            Kind::Ellipsoid | Kind::Box => vec3(a, b, c),
            Kind::Cylinder => vec3(a, a, b),
            Kind::Mesh(mesh) => return mesh.hull.map(Hull::bounds),
            Kind::Prism(_) | Kind::Point | Kind::Segment | Kind::Simplex { .. } => return None,
        };
        Some([Vec3::ZERO, half])
    }

    /// Whether one of the six face normals of the boxes around two shapes shows a gap wider than
    /// `reach` between them.
    pub(super) fn is_clearly_apart(&self, other: &Convex<'_>, reach: f64) -> bool {
        let (Some([centre1, half1]), Some([centre2, half2])) = (self.bounds(), other.bounds())
        else {
            return false;
        };
        let between = other.place(centre2) - self.place(centre1);
        let along = |axis: Vec3, mat: &Mat3, half: Vec3| {
            half[0] * axis.dot(mat.column(0)).abs()
                + half[1] * axis.dot(mat.column(1)).abs()
                + half[2] * axis.dot(mat.column(2)).abs()
        };
        (0..3).any(|k| {
            let (axis1, axis2) = (self.mat.column(k), other.mat.column(k));
            between.dot(axis1).abs() > half1[k] + along(axis1, &other.mat, half2) + reach
                || between.dot(axis2).abs() > half2[k] + along(axis2, &self.mat, half1) + reach
        })
    }

    /// Radius around the core of a sphere or capsule.
    pub(super) fn core_radius(&self) -> Option<f64> {
        matches!(self.kind, Kind::Sphere | Kind::Capsule).then_some(self.size[0])
    }

    /// The centre of a sphere, the segment of a capsule, anything else as it is.
    pub(super) fn core(&self) -> Convex<'a> {
        match self.kind {
            Kind::Sphere => Convex {
                kind: Kind::Point,
                margin: 0.0,
                ..*self
            },
            Kind::Capsule => Convex {
                kind: Kind::Segment,
                margin: 0.0,
                ..*self
            },
            _ => *self,
        }
    }

    /// Takes over where a search on the core ended.
    pub(super) fn keep_start(&mut self, core: &Convex<'a>) {
        self.vertex = core.vertex;
        self.start = core.start;
    }

    /// A box, mesh or prism without a margin.
    pub(super) fn is_flat_faced(&self) -> bool {
        self.margin == 0.0 && matches!(self.kind, Kind::Box | Kind::Mesh(_) | Kind::Prism(_))
    }

    /// The point farthest along a unit direction.
    pub(super) fn support(&mut self, direction: Vec3) -> Vec3 {
        let mut point = self.bare_support(direction);
        // A prism carries its margin in its heights.
        if self.margin > 0.0 {
            point += direction * (0.5 * self.margin);
        }
        point
    }

    fn place(&self, local: Vec3) -> Vec3 {
        self.mat * local + self.pos
    }

    fn bare_support(&mut self, direction: Vec3) -> Vec3 {
        let size = self.size;
        match &self.kind {
            Kind::Point => return self.pos,
            Kind::Sphere => return direction * size[0] + self.pos,
            Kind::Segment => {
                let axis = self.mat.column(2);
                let along = if axis.dot(direction) >= 0.0 {
                    size[1]
                } else {
                    -size[1]
                };
                return axis * along + self.pos;
            }
            Kind::Prism(points) => {
                // The best of the three points on the side the direction looks to.
                let start = if direction[2] < 0.0 { 0 } else { 3 };
                let mut best = start;
                for i in start + 1..start + 3 {
                    if points[i].dot(direction) > points[best].dot(direction) {
                        best = i;
                    }
                }
                return points[best];
            }
            Kind::Simplex { corners, count } => {
                let mut best = corners[0];
                let mut highest = best.dot(direction);
                for corner in &corners[1..*count] {
                    let height = corner.dot(direction);
                    if height > highest {
                        (best, highest) = (*corner, height);
                    }
                }
                return best.add_scaled(direction, size[0]);
            }
            _ => {}
        }
        let local = self.mat.transpose_mul(direction);
        let signed = |x: f64, half: f64| if x >= 0.0 { half } else { -half };
        let point = match &self.kind {
            Kind::Capsule => {
                let mut point = local * size[0];
                point[2] += signed(local[2], size[1]);
                point
            }
            Kind::Ellipsoid => {
                let scaled = local.component_mul(Vec3(size));
                let squared = scaled.dot(scaled);
                if squared < MIN_VALUE * MIN_VALUE {
                    return self.mat.column(0) * size[0] + self.pos;
                }
                let inverse = 1.0 / squared.sqrt();
                vec3(
                    scaled[0] * (inverse * size[0]),
                    scaled[1] * (inverse * size[1]),
                    scaled[2] * (inverse * size[2]),
                )
            }
            Kind::Cylinder => {
                let squared = local[0] * local[0] + local[1] * local[1];
                let scale = if squared >= MIN_VALUE * MIN_VALUE {
                    size[0] / squared.sqrt()
                } else {
                    0.0
                };
                vec3(
                    scale * local[0],
                    scale * local[1],
                    signed(local[2], size[1]),
                )
            }
            Kind::Box => {
                let corner = vec3(
                    signed(local[0], size[0]),
                    signed(local[1], size[1]),
                    signed(local[2], size[2]),
                );
                self.vertex = (0..3).map(|k| i32::from(corner[k] > 0.0) << k).sum();
                corner
            }
            Kind::Mesh(mesh) => {
                let (vertex, top) = mesh.farthest(local, self.vertex, self.start);
                self.vertex = vertex as i32;
                if let Some(top) = top {
                    self.start = top as i32;
                }
                mesh.vertex(vertex)
            }
            _ => Vec3::ZERO,
        };
        self.place(point)
    }
}
