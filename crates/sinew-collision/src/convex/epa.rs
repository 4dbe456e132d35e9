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

/// The place of a face that is not in the list of candidates.
const UNLISTED: u32 = u32::MAX - 1;
/// The place of a face that is no longer in the polytope.
const DELETED: u32 = u32::MAX;

/// A face, in one cache line.
#[derive(Clone, Copy, Debug)]
#[repr(align(64))]
struct Face {
    /// The origin's projection on the face's plane.
    projection: Vec3,
    squared: f64,
    vertices: [u32; 3],
    /// Faces beyond the edges 0–1, 1–2, 2–0.
    adjacent: [u32; 3],
    /// Where in the list of candidates it stands.
    place: u32,
}

#[derive(Clone, Debug, Default)]
pub(super) struct Polytope {
    vertices: Vec<Vertex>,
    faces: Vec<Face>,
    most_faces: usize,
    /// Faces that can be the nearest.
    list: Vec<Candidate>,
    /// Faces beyond the horizon, with the edge that is on it.
    horizon: Vec<(u32, u32)>,
    stack: Vec<(u32, u32, u32)>,
}

/// A face that can be the nearest, with its distance at hand.
#[derive(Clone, Copy, Debug)]
struct Candidate {
    squared: f64,
    face: u32,
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

    fn insert(&mut self, vertex: Vertex) -> u32 {
        self.vertices.push(vertex);
        self.vertices.len() as u32 - 1
    }

    #[inline]
    fn face(&self, face: u32) -> &Face {
        &self.faces[face as usize]
    }

    /// Adds the support point along a direction.
    fn insert_support(
        &mut self,
        first: &mut Convex<'_>,
        second: &mut Convex<'_>,
        direction: Vec3,
        length: f64,
    ) -> u32 {
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
    #[inline]
    fn attach(&mut self, vertices: [u32; 3], adjacent: [u32; 3]) -> f64 {
        let [a, b, c] = vertices.map(|v| self.vertices[v as usize].point);
        let projection = project_on_plane(c, b, a);
        let point = projection.unwrap_or(Vec3::ZERO);
        let squared = point.dot(point);
        self.faces.push(Face {
            vertices,
            adjacent,
            projection: point,
            squared,
            place: UNLISTED,
        });
        if projection.is_some() { squared } else { 0.0 }
    }

    fn list_all(&mut self) {
        self.list.clear();
        for (i, face) in self.faces.iter_mut().enumerate() {
            face.place = i as u32;
            self.list.push(Candidate {
                squared: face.squared,
                face: i as u32,
            });
        }
    }

    /// Starts over from one face.
    fn restart_from(
        &mut self,
        run: &mut Run,
        [a, b, c]: [u32; 3],
        first: &mut Convex<'_>,
        second: &mut Convex<'_>,
    ) -> bool {
        run.simplex_count = 3;
        run.simplex[0] = self.vertices[a as usize];
        run.simplex[1] = self.vertices[b as usize];
        run.simplex[2] = self.vertices[c as usize];
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
        let [p3, p4, p5] = [v3, v4, v5].map(|v| self.vertices[v as usize].point);
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
        let [p4, p5] = [v4, v5].map(|v| self.vertices[v as usize].point);
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
        let [p1, p2, p3, p4] = [v1, v2, v3, v4].map(|v| self.vertices[v as usize].point);
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
    ) -> Option<(u32, f64)> {
        let is_discrete = is_discrete(first, second);
        let tolerance = if is_discrete {
            MIN_VALUE
        } else {
            settings.tolerance
        };
        let (mut upper, mut upper_squared) = (f64::MAX, f64::MAX);
        let mut face: Option<u32> = None;
        for _ in 0..settings.iterations {
            let previous = face;
            let mut lower_squared = f64::MAX;
            for candidate in &self.list {
                if candidate.squared < lower_squared {
                    face = Some(candidate.face);
                    lower_squared = candidate.squared;
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
            let normal = self.face(nearest).projection;
            let new = self.insert_support(first, second, normal, lower);
            let w = self.vertices[new as usize];
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
                if self.vertices[..new as usize].iter().any(is_same) {
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
        face.map(|face| (face, -self.face(face).squared.sqrt()))
    }

    /// Connects a new vertex to the horizon; false on a face without a plane.
    fn close(&mut self, new: u32, lower_squared: f64, upper_squared: f64) -> bool {
        let first = self.faces.len() as u32;
        let count = self.horizon.len() as u32;
        for i in 0..count {
            let (beyond, edge) = self.horizon[i as usize];
            let face = &mut self.faces[beyond as usize];
            let v1 = face.vertices[edge as usize];
            let v2 = face.vertices[next(edge) as usize];
            face.adjacent[edge as usize] = first + i;
            let before = first + if i == 0 { count - 1 } else { i - 1 };
            let after = first + if i + 1 == count { 0 } else { i + 1 };
            let squared = self.attach([new, v2, v1], [before, beyond, after]);
            if squared == 0.0 {
                return false;
            }
            if squared >= lower_squared && squared <= upper_squared {
                self.faces[(first + i) as usize].place = self.list.len() as u32;
                self.list.push(Candidate {
                    squared,
                    face: first + i,
                });
            }
        }
        true
    }

    fn delete(&mut self, face: u32) {
        let slot = self.face(face).place;
        if slot < UNLISTED {
            self.list.swap_remove(slot as usize);
            if let Some(&moved) = self.list.get(slot as usize) {
                self.faces[moved.face as usize].place = slot;
            }
        }
        self.faces[face as usize].place = DELETED;
    }

    /// Deletes the faces that w can see, starting from one of them, and lists the horizon in order.
    fn find_horizon(&mut self, start: u32, w: Vec3) {
        self.delete(start);
        for edge in 0..3 {
            let beyond = self.face(start).adjacent[edge as usize];
            if edge > 0 && self.face(beyond).place == DELETED {
                continue;
            }
            let shared = self.edge_at(beyond, self.face(start).vertices[next(edge) as usize]);
            self.flood(beyond, shared, w);
        }
    }

    /// Follows visible faces from one entered through an edge; invisible ones make the horizon.
    fn flood(&mut self, face: u32, edge: u32, w: Vec3) {
        if !self.is_visible(face, w) {
            self.horizon.push((face, edge));
            return;
        }
        self.delete(face);
        self.stack.clear();
        self.stack.push((face, edge, 1));
        while let Some((face, edge, turn)) = self.stack.pop() {
            if turn == 3 {
                continue;
            }
            self.stack.push((face, edge, turn + 1));
            let i = if turn == 1 {
                next(edge)
            } else {
                next(next(edge))
            };
            let beyond = self.face(face).adjacent[i as usize];
            if self.face(beyond).place == DELETED {
                continue;
            }
            let shared = self.edge_at(beyond, self.face(face).vertices[next(i) as usize]);
            if self.is_visible(beyond, w) {
                self.delete(beyond);
                self.stack.push((beyond, shared, 1));
            } else {
                self.horizon.push((beyond, shared));
            }
        }
    }

    #[inline]
    fn is_visible(&self, face: u32, w: Vec3) -> bool {
        let face = self.face(face);
        face.projection.dot(w) - face.squared > MIN_VALUE
    }

    /// The edge of a face that starts at a vertex.
    #[inline]
    fn edge_at(&self, face: u32, vertex: u32) -> u32 {
        let vertices = &self.face(face).vertices;
        if vertices[0] == vertex {
            0
        } else if vertices[1] == vertex {
            1
        } else {
            2
        }
    }

    /// The points on both shapes that a face's projection stands for.
    pub fn witness(&self, face: u32) -> (Vec3, Vec3) {
        let corners = self.corners(face);
        let [a, b, c] = corners.map(|v| v.point);
        let weights = affine_coordinates(a, b, c, self.face(face).projection);
        (
            combine(&weights, corners.iter().map(|v| v.point1)),
            combine(&weights, corners.iter().map(|v| v.point2)),
        )
    }

    /// The three vertices of a face.
    pub fn corners(&self, face: u32) -> [Vertex; 3] {
        self.face(face).vertices.map(|v| self.vertices[v as usize])
    }
}

/// The edge after an edge of a face.
#[inline]
fn next(edge: u32) -> u32 {
    if edge == 2 { 0 } else { edge + 1 }
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
