//! The expanding polytope: how deep two shapes penetrate.
//!
//! Starting from a small polytope of Minkowski-difference vertices around the origin, the face
//! nearest to the origin is replaced: the support point along its normal is connected to the
//! *horizon*, the edges between faces it can see and faces it cannot. The distance of the nearest
//! face bounds the depth from below, that of the support point from above.

use super::simplex::{best_projection, combine, project_on_plane, sub_areas};
use super::{Convex, Run, Settings, Vertex, is_discrete, support};
use sinew_math::{MIN_VALUE, Mat3, Vec3};

const LEAST_SQUARED: f64 = MIN_VALUE * MIN_VALUE;

/// Where a face stands: in the list of candidates, out of it, or no longer in the polytope.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Place {
    Listed(usize),
    Unlisted,
    Deleted,
}

#[derive(Clone, Copy, Debug)]
struct Face {
    vertices: [usize; 3],
    /// Faces beyond the edges 0–1, 1–2, 2–0.
    adjacent: [usize; 3],
    /// The origin's projection on the face's plane.
    projection: Vec3,
    squared: f64,
    place: Place,
}

#[derive(Clone, Debug, Default)]
pub(super) struct Polytope {
    vertices: Vec<Vertex>,
    faces: Vec<Face>,
    most_faces: usize,
    /// Faces that can be the nearest.
    list: Vec<usize>,
    /// Faces beyond the horizon, with the edge that is on it.
    horizon: Vec<(usize, usize)>,
    stack: Vec<(usize, usize, usize)>,
}

impl Polytope {
    /// Builds the first polytope from the simplex of a run; false when it does not hold the
    /// origin or has no volume.
    pub fn start(
        &mut self,
        run: &mut Run,
        first: &mut Convex<'_>,
        second: &mut Convex<'_>,
        iterations: usize,
    ) -> bool {
        self.most_faces = 6 * iterations.max(170);
        self.clear();
        match run.simplex_count {
            2 => self.start_at_segment(run, first, second),
            3 => self.start_at_triangle(run, first, second),
            _ => self.start_at_tetrahedron(run, first, second),
        }
    }

    fn clear(&mut self) {
        self.vertices.clear();
        self.faces.clear();
        self.list.clear();
        self.horizon.clear();
    }

    fn insert(&mut self, vertex: Vertex) -> usize {
        self.vertices.push(vertex);
        self.vertices.len() - 1
    }

    /// Adds the support point along a direction.
    fn insert_support(
        &mut self,
        first: &mut Convex<'_>,
        second: &mut Convex<'_>,
        direction: Vec3,
        length: f64,
    ) -> usize {
        let unit = if length > MIN_VALUE {
            Vec3([
                direction[0] / length,
                direction[1] / length,
                direction[2] / length,
            ])
        } else {
            Vec3::X
        };
        let vertex = support(first, second, unit);
        self.insert(vertex)
    }

    /// Adds a face; returns the squared distance of its plane from the origin, 0 for a face
    /// without a plane.
    fn attach(&mut self, vertices: [usize; 3], adjacent: [usize; 3]) -> f64 {
        let [a, b, c] = vertices.map(|v| self.vertices[v].point);
        let projection = project_on_plane(c, b, a);
        let point = projection.unwrap_or(Vec3::ZERO);
        let squared = point.dot(point);
        self.faces.push(Face {
            vertices,
            adjacent,
            projection: point,
            squared,
            place: Place::Unlisted,
        });
        if projection.is_some() { squared } else { 0.0 }
    }

    fn list_all(&mut self) {
        self.list.clear();
        for (i, face) in self.faces.iter_mut().enumerate() {
            face.place = Place::Listed(i);
            self.list.push(i);
        }
    }

    /// Starts over from one face.
    fn restart_from(
        &mut self,
        run: &mut Run,
        [a, b, c]: [usize; 3],
        first: &mut Convex<'_>,
        second: &mut Convex<'_>,
    ) -> bool {
        run.simplex_count = 3;
        run.simplex[0] = self.vertices[a];
        run.simplex[1] = self.vertices[b];
        run.simplex[2] = self.vertices[c];
        self.clear();
        self.start_at_triangle(run, first, second)
    }

    /// A segment through the origin: three support points around it make a hexahedron.
    fn start_at_segment(
        &mut self,
        run: &mut Run,
        first: &mut Convex<'_>,
        second: &mut Convex<'_>,
    ) -> bool {
        let (p1, p2) = (run.simplex[0].point, run.simplex[1].point);
        let along = p2 - p1;
        let mut axis = 0;
        for i in 1..3 {
            if along[i].abs() < along[axis].abs() {
                axis = i;
            }
        }
        let mut unit = Vec3::ZERO;
        unit[axis] = 1.0;
        let turn = third_of_a_turn(along);
        let d1 = unit.cross(along);
        let d2 = turn * d1;
        let d3 = turn * d2;
        let v1 = self.insert(run.simplex[0]);
        let v2 = self.insert(run.simplex[1]);
        let v3 = self.insert_support(first, second, d1, d1.norm());
        let v4 = self.insert_support(first, second, d2, d2.norm());
        let v5 = self.insert_support(first, second, d3, d3.norm());
        let faces = [
            ([v1, v3, v4], [1, 3, 2]),
            ([v1, v5, v3], [2, 4, 0]),
            ([v1, v4, v5], [0, 5, 1]),
            ([v2, v4, v3], [5, 0, 4]),
            ([v2, v3, v5], [3, 1, 5]),
            ([v2, v5, v4], [4, 2, 3]),
        ];
        for (vertices, adjacent) in faces {
            if self.attach(vertices, adjacent) < LEAST_SQUARED {
                return self.restart_from(run, vertices, first, second);
            }
        }
        let [p3, p4, p5] = [v3, v4, v5].map(|v| self.vertices[v].point);
        if !line_meets_triangle(p1, p2, p3, p4, p5) {
            return false;
        }
        self.list_all();
        true
    }

    /// A triangle near the origin: a support point on either side makes a hexahedron.
    fn start_at_triangle(
        &mut self,
        run: &mut Run,
        first: &mut Convex<'_>,
        second: &mut Convex<'_>,
    ) -> bool {
        let [p1, p2, p3] = [0, 1, 2].map(|i| run.simplex[i].point);
        let normal = (p2 - p1).cross(p3 - p1);
        let length = normal.norm();
        if length < MIN_VALUE {
            return false;
        }
        let v1 = self.insert(run.simplex[0]);
        let v2 = self.insert(run.simplex[1]);
        let v3 = self.insert(run.simplex[2]);
        let v5 = self.insert_support(first, second, normal * -1.0, length);
        let v4 = self.insert_support(first, second, normal, length);
        let (p4, p5) = (self.vertices[v4].point, self.vertices[v5].point);
        if is_on_triangle(p1, p2, p3, p4) || is_on_triangle(p1, p2, p3, p5) {
            return false;
        }
        if run.dist > 10.0 * MIN_VALUE
            && !holds_origin(p1, p2, p3, p4)
            && !holds_origin(p1, p2, p3, p5)
        {
            return false;
        }
        let faces = [
            ([v4, v1, v2], [1, 3, 2]),
            ([v4, v3, v1], [2, 4, 0]),
            ([v4, v2, v3], [0, 5, 1]),
            ([v5, v2, v1], [5, 0, 4]),
            ([v5, v1, v3], [3, 1, 5]),
            ([v5, v3, v2], [4, 2, 3]),
        ];
        for (vertices, adjacent) in faces {
            if self.attach(vertices, adjacent) < LEAST_SQUARED {
                return false;
            }
        }
        self.list_all();
        true
    }

    fn start_at_tetrahedron(
        &mut self,
        run: &mut Run,
        first: &mut Convex<'_>,
        second: &mut Convex<'_>,
    ) -> bool {
        let [v1, v2, v3, v4] = [0, 1, 2, 3].map(|i| self.insert(run.simplex[i]));
        let faces = [
            ([v1, v2, v3], [1, 3, 2]),
            ([v1, v4, v2], [2, 3, 0]),
            ([v1, v3, v4], [0, 3, 1]),
            ([v4, v3, v2], [2, 0, 1]),
        ];
        for (vertices, adjacent) in faces {
            if self.attach(vertices, adjacent) < LEAST_SQUARED {
                return self.restart_from(run, vertices, first, second);
            }
        }
        let [p1, p2, p3, p4] = [v1, v2, v3, v4].map(|v| self.vertices[v].point);
        if !holds_origin(p1, p2, p3, p4) {
            return false;
        }
        self.list_all();
        true
    }

    /// Expands until the nearest face is good enough; returns it with the (negative) depth.
    pub fn expand(
        &mut self,
        settings: &Settings,
        first: &mut Convex<'_>,
        second: &mut Convex<'_>,
    ) -> Option<(usize, f64)> {
        let is_discrete = is_discrete(first, second);
        let tolerance = if is_discrete {
            MIN_VALUE
        } else {
            settings.tolerance
        };
        let (mut upper, mut upper_squared) = (f64::MAX, f64::MAX);
        let mut face: Option<usize> = None;
        for _ in 0..settings.iterations {
            let previous = face;
            let mut lower_squared = f64::MAX;
            for &candidate in &self.list {
                if self.faces[candidate].squared < lower_squared {
                    face = Some(candidate);
                    lower_squared = self.faces[candidate].squared;
                }
            }
            let Some(nearest) = face.filter(|_| lower_squared <= upper_squared) else {
                face = previous;
                break;
            };
            if lower_squared <= 0.0 {
                break;
            }
            let lower = lower_squared.sqrt();
            let normal = self.faces[nearest].projection;
            let new = self.insert_support(first, second, normal, lower);
            let w = self.vertices[new];
            let bound = normal.dot(w.point) / lower;
            if bound < upper {
                upper = bound;
                upper_squared = upper * upper;
            }
            if upper - lower < tolerance {
                break;
            }
            if is_discrete {
                let is_same = |v: &Vertex| v.index1 == w.index1 && v.index2 == w.index2;
                if self.vertices[..new].iter().any(is_same) {
                    break;
                }
            }

            self.find_horizon(nearest, w.point);
            if self.horizon.len() < 3 {
                face = None;
                break;
            }
            if self.horizon.len() > self.most_faces.saturating_sub(self.faces.len()) {
                break;
            }
            if !self.close(new, lower_squared, upper_squared) {
                face = None;
            }
            self.horizon.clear();
            if self.list.is_empty() || face.is_none() {
                break;
            }
        }
        face.map(|face| (face, -self.faces[face].squared.sqrt()))
    }

    /// Connects a new vertex to the horizon; false on a face without a plane.
    fn close(&mut self, new: usize, lower_squared: f64, upper_squared: f64) -> bool {
        let first = self.faces.len();
        let count = self.horizon.len();
        for i in 0..count {
            let (beyond, edge) = self.horizon[i];
            let face = &mut self.faces[beyond];
            let v1 = face.vertices[edge];
            let v2 = face.vertices[(edge + 1) % 3];
            face.adjacent[edge] = first + i;
            let before = first + (i + count - 1) % count;
            let after = first + (i + 1) % count;
            let squared = self.attach([new, v2, v1], [before, beyond, after]);
            if squared == 0.0 {
                return false;
            }
            if squared >= lower_squared && squared <= upper_squared {
                self.faces[first + i].place = Place::Listed(self.list.len());
                self.list.push(first + i);
            }
        }
        true
    }

    fn delete(&mut self, face: usize) {
        if let Place::Listed(slot) = self.faces[face].place {
            self.list.swap_remove(slot);
            if let Some(&moved) = self.list.get(slot) {
                self.faces[moved].place = Place::Listed(slot);
            }
        }
        self.faces[face].place = Place::Deleted;
    }

    /// Deletes the faces that w can see, starting from one of them, and lists the horizon in order.
    fn find_horizon(&mut self, start: usize, w: Vec3) {
        self.delete(start);
        for edge in 0..3 {
            let beyond = self.faces[start].adjacent[edge];
            if edge > 0 && self.faces[beyond].place == Place::Deleted {
                continue;
            }
            let shared = self.edge_at(beyond, self.faces[start].vertices[(edge + 1) % 3]);
            self.flood(beyond, shared, w);
        }
    }

    /// Follows visible faces from one entered through an edge; invisible ones make the horizon.
    fn flood(&mut self, face: usize, edge: usize, w: Vec3) {
        if !self.is_visible(face, w) {
            self.horizon.push((face, edge));
            return;
        }
        self.delete(face);
        self.stack.clear();
        self.stack.push((face, edge, 1));
        while let Some((face, edge, next)) = self.stack.pop() {
            if next == 3 {
                continue;
            }
            self.stack.push((face, edge, next + 1));
            let i = (edge + next) % 3;
            let beyond = self.faces[face].adjacent[i];
            if self.faces[beyond].place == Place::Deleted {
                continue;
            }
            let shared = self.edge_at(beyond, self.faces[face].vertices[(i + 1) % 3]);
            if self.is_visible(beyond, w) {
                self.delete(beyond);
                self.stack.push((beyond, shared, 1));
            } else {
                self.horizon.push((beyond, shared));
            }
        }
    }

    fn is_visible(&self, face: usize, w: Vec3) -> bool {
        let face = &self.faces[face];
        face.projection.dot(w) - face.squared > MIN_VALUE
    }

    /// The edge of a face that starts at a vertex.
    fn edge_at(&self, face: usize, vertex: usize) -> usize {
        let vertices = &self.faces[face].vertices;
        vertices
            .iter()
            .position(|v| *v == vertex)
            .unwrap_or(2)
            .min(2)
    }

    /// The points on both shapes that a face's projection stands for.
    pub fn witness(&self, face: usize) -> (Vec3, Vec3) {
        let corners = self.corners(face);
        let [a, b, c] = corners.map(|v| v.point);
        let weights = affine_coordinates(a, b, c, self.faces[face].projection);
        (
            combine(&weights, corners.iter().map(|v| v.point1)),
            combine(&weights, corners.iter().map(|v| v.point2)),
        )
    }

    /// The three vertices of a face.
    pub fn corners(&self, face: usize) -> [Vertex; 3] {
        self.faces[face].vertices.map(|v| self.vertices[v])
    }
}

/// Rotation by 120° about an axis.
fn third_of_a_turn(axis: Vec3) -> Mat3 {
    const SIN: f64 = 0.86602540378;
    const COS: f64 = -0.5;
    let length = axis.norm();
    let (x, y, z) = (axis[0] / length, axis[1] / length, axis[2] / length);
    let c = 1.0 - COS;
    Mat3([
        COS + x * x * c,
        x * y * c - z * SIN,
        x * z * c + y * SIN,
        y * x * c + z * SIN,
        COS + y * y * c,
        y * z * c - x * SIN,
        x * z * c - y * SIN,
        y * z * c + x * SIN,
        COS + z * z * c,
    ])
}

/// Whether the line through two points passes through a triangle.
fn line_meets_triangle(p1: Vec3, p2: Vec3, a: Vec3, b: Vec3, c: Vec3) -> bool {
    let along = p2 - p1;
    let (a, b, c) = (a - p1, b - p1, c - p1);
    let volumes = [
        super::simplex::volume(a, b, along),
        super::simplex::volume(b, c, along),
        super::simplex::volume(c, a, along),
    ];
    volumes.iter().all(|v| *v >= 0.0) || volumes.iter().all(|v| *v <= 0.0)
}

/// Affine coordinates of a point in the plane of a triangle.
fn affine_coordinates(a: Vec3, b: Vec3, c: Vec3, p: Vec3) -> [f64; 3] {
    let (x, y, whole) = best_projection(a, b, c);
    sub_areas(a, b, c, p, x, y).map(|part| part / whole)
}

fn is_on_triangle(a: Vec3, b: Vec3, c: Vec3, p: Vec3) -> bool {
    let weights = affine_coordinates(a, b, c, p);
    if weights.iter().any(|w| *w < 0.0) {
        return false;
    }
    let nearest = combine(&weights, [a, b, c].into_iter());
    (nearest - p).norm() < MIN_VALUE
}

/// Whether the origin and a point lie on the same side of a plane.
fn is_same_side(p0: Vec3, p1: Vec3, p2: Vec3, point: Vec3) -> bool {
    let normal = (p1 - p0).cross(p2 - p0);
    let side = normal.dot(point - p0);
    let origin = normal.dot(p0 * -1.0);
    (side > 0.0 && origin > 0.0) || (side < 0.0 && origin < 0.0)
}

fn holds_origin(a: Vec3, b: Vec3, c: Vec3, d: Vec3) -> bool {
    is_same_side(a, b, c, d)
        && is_same_side(b, c, d, a)
        && is_same_side(c, d, a, b)
        && is_same_side(d, a, b, c)
}
