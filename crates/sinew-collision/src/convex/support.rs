//! Convex shapes by their support functions.

#[cfg(feature = "std")]
use super::Hull;
use sinew_math::{MIN_VALUE, Mat3, Scalar, Vec3, vec3};

/// Meshes with fewer vertices are searched completely.
const CLIMB_FROM: usize = 10;

/// A mesh, as support functions see it.
pub trait Mesh<T: Scalar>: Copy {
    /// How many vertices it has.
    fn count(&self) -> usize;
    /// One of them.
    fn vertex(&self, i: usize) -> Vec3<T>;
    /// Whether its hull is known.
    fn has_hull(&self) -> bool;
    /// Centre and half sizes of the box around the hull.
    fn bounds(&self) -> Option<[Vec3<T>; 2]>;
    /// The vertex at a place of the hull.
    fn id(&self, place: usize) -> usize;
    /// The places beside a place of the hull, in their order; after the last `None`.
    fn neighbour(&self, place: usize, k: usize) -> Option<usize>;
    /// Walks over the hull from a place, as long as a neighbour rises above `highest`, always to the first of the highest.
    fn climb(&self, start: usize, highest: T, direction: Vec3<T>) -> usize;

    /// The vertex farthest along a direction: by climbing over the hull from `start`, or by looking
    /// at all vertices of a small or hull-less mesh, `last` first. Ties go to the first found.
    /// Returns the vertex and its place in the hull, if that was climbed.
    #[inline]
    fn farthest(&self, direction: Vec3<T>, last: i32, start: i32) -> (usize, Option<usize>) {
        let lowest = T::from_f64(f64::from(-f32::MAX));
        if self.has_hull() && self.count() >= CLIMB_FROM {
            let top = self.climb(start.max(0) as usize, lowest, direction);
            return (self.id(top), Some(top));
        }
        let mut best = last.max(0) as usize;
        let mut highest = if last >= 0 {
            direction.dot(self.vertex(best))
        } else {
            lowest
        };
        for i in 0..self.count() {
            let height = direction.dot(self.vertex(i));
            if height > highest {
                highest = height;
                best = i;
            }
        }
        (best, None)
    }

    /// The vertex farthest along a direction, as planes and the older algorithm find it: by climbing from the height of `start`
    /// on over the hull of a mesh of any size, otherwise the first of all. With a hull also its place in there.
    #[inline]
    fn first_farthest(&self, direction: Vec3<T>, start: usize) -> (usize, Option<usize>) {
        let height = |vertex: usize| direction.dot(self.vertex(vertex));
        if self.has_hull() {
            let top = self.climb(start, height(self.id(start)), direction);
            return (self.id(top), Some(top));
        }
        let (mut best, mut highest) = (0, T::from_f64(-1e10));
        for vertex in 0..self.count() {
            if height(vertex) > highest {
                (best, highest) = (vertex, height(vertex));
            }
        }
        (best, None)
    }
}

/// The parts of a compiled mesh that collisions read.
#[cfg(feature = "std")]
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

#[cfg(feature = "std")]
impl Mesh<f64> for MeshShape<'_> {
    #[inline]
    fn count(&self) -> usize {
        self.vertices.len()
    }

    #[inline]
    fn vertex(&self, i: usize) -> Vec3 {
        let v = self.vertices[i];
        vec3(f64::from(v[0]), f64::from(v[1]), f64::from(v[2]))
    }

    #[inline]
    fn has_hull(&self) -> bool {
        self.hull.is_some()
    }

    #[inline]
    fn bounds(&self) -> Option<[Vec3; 2]> {
        self.hull.map(Hull::bounds)
    }

    #[inline]
    fn id(&self, place: usize) -> usize {
        self.hull.map_or(place, |hull| hull.id(place))
    }

    #[inline]
    fn neighbour(&self, place: usize, k: usize) -> Option<usize> {
        self.hull.and_then(|hull| hull.neighbour(place, k))
    }

    #[inline]
    fn climb(&self, start: usize, highest: f64, direction: Vec3) -> usize {
        self.hull
            .map_or(start, |hull| hull.climb(start, highest, direction))
    }
}

/// What kind of shape it is.
#[derive(Clone, Copy, Debug)]
pub enum SolidKind<M, T> {
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
    Mesh(M),
    /// A vertical prism: three bottom points, three top points.
    Prism([Vec3<T>; 6]),
    /// The centre of a sphere.
    Point,
    /// The segment inside a capsule.
    Segment,
    /// One to four corners in a layer of thickness `size[0]`.
    Simplex {
        /// Corners, world.
        corners: [Vec3<T>; 4],
        /// How many there are.
        count: usize,
    },
}

/// A convex shape of one world on the processor.
#[cfg(feature = "std")]
pub type Convex<'a> = Solid<MeshShape<'a>, f64>;
/// What kind of shape it is.
#[cfg(feature = "std")]
pub type Kind<'a> = SolidKind<MeshShape<'a>, f64>;

/// A convex shape where it stands, inflated by half a margin.
#[derive(Clone, Copy, Debug)]
pub struct Solid<M, T> {
    /// Kind of shape.
    pub kind: SolidKind<M, T>,
    /// Position, world.
    pub pos: Vec3<T>,
    /// Orientation, world.
    pub mat: Mat3<T>,
    /// Sizes, by kind.
    pub size: [T; 3],
    /// Half of it is added around the shape.
    pub margin: T,
    /// The vertex found last, for shapes that have vertices; −1: none.
    pub(super) vertex: i32,
    /// Where the next climb over a hull starts; −1: at the first vertex.
    pub(super) start: i32,
}

impl<M: Mesh<T>, T: Scalar> Solid<M, T> {
    /// A shape at a pose.
    pub fn new(kind: SolidKind<M, T>, pos: Vec3<T>, mat: Mat3<T>, size: [T; 3], margin: T) -> Self {
        Solid {
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
    pub fn simplex(corners: &[Vec3<T>], centre: Vec3<T>, radius: T, margin: T) -> Self {
        let mut kept = [Vec3::zero(); 4];
        let count = corners.len().min(4);
        kept[..count].copy_from_slice(&corners[..count]);
        let kind = SolidKind::Simplex {
            corners: kept,
            count,
        };
        let layer = radius + T::from_f64(0.5) * margin;
        let zero = T::ZERO;
        Solid::new(kind, centre, Mat3::identity(), [layer, zero, zero], zero)
    }

    /// A point inside.
    pub(super) fn centre(&self) -> Vec3<T> {
        match &self.kind {
            SolidKind::Prism(points) => {
                let mut sum = Vec3::zero();
                for point in points {
                    sum += *point;
                }
                sum * T::from_f64(1.0 / 6.0)
            }
            _ => self.pos,
        }
    }

    /// Centre and half sizes of a box around the shape, without its margin, in the shape's frame.
    fn bounds(&self) -> Option<[Vec3<T>; 2]> {
        let [a, b, c] = self.size;
        let half = match &self.kind {
            SolidKind::Sphere => vec3(a, a, a),
            SolidKind::Capsule => vec3(a, a, a + b),
            SolidKind::Ellipsoid | SolidKind::Box => vec3(a, b, c),
            SolidKind::Cylinder => vec3(a, a, b),
            SolidKind::Mesh(mesh) => return mesh.bounds(),
            SolidKind::Prism(_)
            | SolidKind::Point
            | SolidKind::Segment
            | SolidKind::Simplex { .. } => return None,
        };
        Some([Vec3::zero(), half])
    }

    /// Whether one of the six face normals of the boxes around two shapes shows a gap wider than
    /// `reach` between them.
    pub(super) fn is_clearly_apart(&self, other: &Self, reach: T) -> bool {
        let (Some([centre1, half1]), Some([centre2, half2])) = (self.bounds(), other.bounds())
        else {
            return false;
        };
        let between = other.place(centre2) - self.place(centre1);
        let along = |axis: Vec3<T>, mat: &Mat3<T>, half: Vec3<T>| {
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
    pub(super) fn core_radius(&self) -> Option<T> {
        matches!(self.kind, SolidKind::Sphere | SolidKind::Capsule).then_some(self.size[0])
    }

    /// The centre of a sphere, the segment of a capsule, anything else as it is.
    pub(super) fn core(&self) -> Self {
        match self.kind {
            SolidKind::Sphere => Solid {
                kind: SolidKind::Point,
                margin: T::ZERO,
                ..*self
            },
            SolidKind::Capsule => Solid {
                kind: SolidKind::Segment,
                margin: T::ZERO,
                ..*self
            },
            _ => *self,
        }
    }

    /// Takes over where a search on the core ended.
    pub(super) fn keep_start(&mut self, core: &Self) {
        self.vertex = core.vertex;
        self.start = core.start;
    }

    /// Where the last search ended.
    pub(super) fn start(&self) -> [i32; 2] {
        [self.vertex, self.start]
    }

    /// Takes over where another search of the same shape ended.
    pub(super) fn start_at(&mut self, [vertex, start]: [i32; 2]) {
        (self.vertex, self.start) = (vertex, start);
    }

    /// A box, mesh or prism without a margin.
    pub(super) fn is_flat_faced(&self) -> bool {
        self.margin == T::ZERO
            && matches!(
                self.kind,
                SolidKind::Box | SolidKind::Mesh(_) | SolidKind::Prism(_)
            )
    }

    /// The point farthest along a unit direction.
    pub(super) fn support(&mut self, direction: Vec3<T>) -> Vec3<T> {
        let mut point = self.bare_support(direction);
        // A prism carries its margin in its heights.
        if self.margin > T::ZERO {
            point += direction * (T::from_f64(0.5) * self.margin);
        }
        point
    }

    fn place(&self, local: Vec3<T>) -> Vec3<T> {
        self.mat * local + self.pos
    }

    fn bare_support(&mut self, direction: Vec3<T>) -> Vec3<T> {
        let size = self.size;
        match &self.kind {
            SolidKind::Point => return self.pos,
            SolidKind::Sphere => return direction * size[0] + self.pos,
            SolidKind::Segment => {
                let axis = self.mat.column(2);
                let along = if axis.dot(direction) >= T::ZERO {
                    size[1]
                } else {
                    -size[1]
                };
                return axis * along + self.pos;
            }
            SolidKind::Prism(points) => {
                // The best of the three points on the side the direction looks to.
                let start = if direction[2] < T::ZERO { 0 } else { 3 };
                let mut best = start;
                for i in start + 1..start + 3 {
                    if points[i].dot(direction) > points[best].dot(direction) {
                        best = i;
                    }
                }
                return points[best];
            }
            SolidKind::Simplex { corners, count } => {
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
        let signed = |x: T, half: T| if x >= T::ZERO { half } else { -half };
        let least = T::from_f64(MIN_VALUE * MIN_VALUE);
        let point = match &self.kind {
            SolidKind::Capsule => {
                let mut point = local * size[0];
                point[2] += signed(local[2], size[1]);
                point
            }
            SolidKind::Ellipsoid => {
                let scaled = local.component_mul(Vec3(size));
                let squared = scaled.dot(scaled);
                if squared < least {
                    return self.mat.column(0) * size[0] + self.pos;
                }
                let inverse = T::ONE / squared.sqrt();
                vec3(
                    scaled[0] * (inverse * size[0]),
                    scaled[1] * (inverse * size[1]),
                    scaled[2] * (inverse * size[2]),
                )
            }
            SolidKind::Cylinder => {
                let squared = local[0] * local[0] + local[1] * local[1];
                let scale = if squared >= least {
                    size[0] / squared.sqrt()
                } else {
                    T::ZERO
                };
                vec3(
                    scale * local[0],
                    scale * local[1],
                    signed(local[2], size[1]),
                )
            }
            SolidKind::Box => {
                let corner = vec3(
                    signed(local[0], size[0]),
                    signed(local[1], size[1]),
                    signed(local[2], size[2]),
                );
                self.vertex = (0..3).map(|k| i32::from(corner[k] > T::ZERO) << k).sum();
                corner
            }
            SolidKind::Mesh(mesh) => {
                let (vertex, top) = mesh.farthest(local, self.vertex, self.start);
                self.vertex = vertex as i32;
                if let Some(top) = top {
                    self.start = top as i32;
                }
                mesh.vertex(vertex)
            }
            _ => Vec3::zero(),
        };
        self.place(point)
    }
}
