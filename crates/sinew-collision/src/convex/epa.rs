//! The expanding polytope: how deep two shapes penetrate.
//!
//! Starting from a small polytope of Minkowski-difference vertices around the origin, the face
//! nearest to the origin is replaced: the support point along its normal is connected to the
//! *horizon*, the edges between faces it can see and faces it cannot. The distance of the nearest
//! face bounds the depth from below, that of the support point from above.

use super::list::{Lent, LentList, List, Record, Storage, to_number, to_word};
use super::simplex::{best_projection, combine, project_on_plane, sub_areas, volume};
use super::{Mesh, Run, Settings, Solid, Vertex, is_discrete, support};
use bytemuck::Pod;
use sinew_math::{MIN_VALUE, Mat3, Scalar, Vec3};

const LEAST_SQUARED: f64 = MIN_VALUE * MIN_VALUE;

/// The place of a face that is not in the list of candidates.
const UNLISTED: u32 = u32::MAX - 1;
/// The place of a face that is no longer in the polytope.
const DELETED: u32 = u32::MAX;

/// A face, in one cache line.
#[derive(Clone, Copy, Debug)]
#[repr(align(64))]
pub struct Face<T> {
    /// The origin's projection on the face's plane.
    projection: Vec3<T>,
    squared: T,
    vertices: [u32; 3],
    /// Faces beyond the edges 0–1, 1–2, 2–0.
    adjacent: [u32; 3],
    /// Where in the list of candidates it stands.
    place: u32,
}

impl<T: Copy> Record<T> for Face<T> {
    const NUMBERS: usize = 11;

    #[inline(always)]
    fn read(numbers: &[T]) -> Self
    where
        T: Pod,
    {
        let word = |k: usize| to_word(numbers[k]);
        Face {
            projection: Vec3([numbers[0], numbers[1], numbers[2]]),
            squared: numbers[3],
            vertices: [word(4), word(5), word(6)],
            adjacent: [word(7), word(8), word(9)],
            place: word(10),
        }
    }

    #[inline(always)]
    fn write(&self, numbers: &mut [T])
    where
        T: Pod,
    {
        for k in 0..3 {
            numbers[k] = self.projection[k];
            numbers[4 + k] = to_number(self.vertices[k]);
            numbers[7 + k] = to_number(self.adjacent[k]);
        }
        numbers[3] = self.squared;
        numbers[10] = to_number(self.place);
    }
}

/// A face that can be the nearest, with its distance at hand.
#[derive(Clone, Copy, Debug)]
pub struct Candidate<T> {
    squared: T,
    face: u32,
}

impl<T: Copy> Record<T> for Candidate<T> {
    const NUMBERS: usize = 2;

    #[inline(always)]
    fn read(numbers: &[T]) -> Self
    where
        T: Pod,
    {
        Candidate {
            squared: numbers[0],
            face: to_word(numbers[1]),
        }
    }

    #[inline(always)]
    fn write(&self, numbers: &mut [T])
    where
        T: Pod,
    {
        numbers[0] = self.squared;
        numbers[1] = to_number(self.face);
    }
}

/// The polytope, in lists of some kind.
pub struct Polytope<T: Copy, S: Storage<T>> {
    pub(super) vertices: S::List<Vertex<T>>,
    pub(super) faces: S::List<Face<T>>,
    pub(super) most_faces: usize,
    /// Faces that can be the nearest.
    pub(super) list: S::List<Candidate<T>>,
    /// Faces beyond the horizon, with the edge that is on it.
    pub(super) horizon: S::List<[u32; 2]>,
    pub(super) stack: S::List<[u32; 3]>,
}

impl<'a, T: Scalar + Pod> Polytope<T, Lent<'a>> {
    /// One that works in lent memory, of [`room`] numbers for as many iterations.
    #[inline(always)]
    pub fn lent(memory: &'a mut [T], iterations: usize) -> Self {
        let [vertices, faces, horizon, stack] = rooms(iterations);
        let rest = &mut { memory };
        Polytope {
            vertices: LentList::cut(rest, vertices),
            faces: LentList::cut(rest, faces),
            most_faces: 0,
            list: LentList::cut(rest, faces),
            horizon: LentList::cut(rest, horizon),
            stack: LentList::cut(rest, stack),
        }
    }
}

/// Numbers of memory that a polytope takes.
pub fn room(iterations: usize) -> usize {
    let [vertices, faces, horizon, stack] = rooms(iterations);
    vertices * <Vertex<f64> as Record<f64>>::NUMBERS
        + faces * (<Face<f64> as Record<f64>>::NUMBERS + <Candidate<f64> as Record<f64>>::NUMBERS)
        + 2 * horizon
        + 3 * stack
}

/// Vertices, faces, edges of the horizon and faces on the way to it at most. A vertex is connected to at most all before
/// it; a polytope of n vertices has 2n − 4 faces.
fn rooms(iterations: usize) -> [usize; 4] {
    let vertices = iterations + 6;
    let faces = 6 + vertices * (vertices + 1) / 2;
    let horizon = 3 * vertices;
    [
        vertices,
        faces.min(most_faces(iterations)),
        horizon,
        2 * vertices,
    ]
}

fn most_faces(iterations: usize) -> usize {
    6 * iterations.max(170)
}

impl<T: Scalar, S: Storage<T>> Polytope<T, S> {
    /// Builds the first polytope from the simplex of a run; false when it does not hold the
    /// origin or has no volume.
    pub(super) fn start<M: Mesh<T>>(
        &mut self,
        run: &mut Run<T>,
        first: &mut Solid<M, T>,
        second: &mut Solid<M, T>,
        iterations: usize,
    ) -> bool {
        self.most_faces = most_faces(iterations).min(self.faces.room());
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

    fn insert(&mut self, vertex: Vertex<T>) -> u32 {
        self.vertices.push(vertex);
        self.vertices.count() as u32 - 1
    }

    #[inline]
    fn face(&self, face: u32) -> Face<T> {
        self.faces.get(face as usize)
    }

    /// Adds the support point along a direction.
    fn insert_support<M: Mesh<T>>(
        &mut self,
        first: &mut Solid<M, T>,
        second: &mut Solid<M, T>,
        direction: Vec3<T>,
        length: T,
    ) -> u32 {
        let unit = if length > T::from_f64(MIN_VALUE) {
            Vec3([
                direction[0] / length,
                direction[1] / length,
                direction[2] / length,
            ])
        } else {
            Vec3([T::ONE, T::ZERO, T::ZERO])
        };
        let vertex = support(first, second, unit);
        self.insert(vertex)
    }

    /// Adds a face; returns the squared distance of its plane from the origin, 0 for a face
    /// without a plane.
    #[inline]
    fn attach(&mut self, vertices: [u32; 3], adjacent: [u32; 3]) -> T {
        let [a, b, c] = vertices.map(|v| self.point(v));
        let projection = project_on_plane(c, b, a);
        let point = projection.unwrap_or(Vec3::zero());
        let squared = point.dot(point);
        self.faces.push(Face {
            vertices,
            adjacent,
            projection: point,
            squared,
            place: UNLISTED,
        });
        if projection.is_some() {
            squared
        } else {
            T::ZERO
        }
    }

    fn list_all(&mut self) {
        self.list.clear();
        for i in 0..self.faces.count() {
            let face = i as u32;
            let squared = self.face(face).squared;
            self.faces.update(i, |face| face.place = i as u32);
            self.list.push(Candidate { squared, face });
        }
    }

    /// Starts over from one face.
    fn restart_from<M: Mesh<T>>(
        &mut self,
        run: &mut Run<T>,
        [a, b, c]: [u32; 3],
        first: &mut Solid<M, T>,
        second: &mut Solid<M, T>,
    ) -> bool {
        run.simplex_count = 3;
        run.simplex[0] = self.vertices.get(a as usize);
        run.simplex[1] = self.vertices.get(b as usize);
        run.simplex[2] = self.vertices.get(c as usize);
        self.clear();
        self.start_at_triangle(run, first, second)
    }

    /// A segment through the origin: three support points around it make a hexahedron.
    fn start_at_segment<M: Mesh<T>>(
        &mut self,
        run: &mut Run<T>,
        first: &mut Solid<M, T>,
        second: &mut Solid<M, T>,
    ) -> bool {
        let (p1, p2) = (run.simplex[0].point, run.simplex[1].point);
        let along = p2 - p1;
        let mut axis = 0;
        for i in 1..3 {
            if along[i].abs() < along[axis].abs() {
                axis = i;
            }
        }
        let mut unit = Vec3::zero();
        unit[axis] = T::ONE;
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
            if self.attach(vertices, adjacent) < T::from_f64(LEAST_SQUARED) {
                return self.restart_from(run, vertices, first, second);
            }
        }
        let [p3, p4, p5] = [v3, v4, v5].map(|v| self.point(v));
        if !line_meets_triangle(p1, p2, p3, p4, p5) {
            return false;
        }
        self.list_all();
        true
    }

    /// A triangle near the origin: a support point on either side makes a hexahedron.
    fn start_at_triangle<M: Mesh<T>>(
        &mut self,
        run: &mut Run<T>,
        first: &mut Solid<M, T>,
        second: &mut Solid<M, T>,
    ) -> bool {
        let [p1, p2, p3] = [0, 1, 2].map(|i| run.simplex[i].point);
        let normal = (p2 - p1).cross(p3 - p1);
        let length = normal.norm();
        if length < T::from_f64(MIN_VALUE) {
            return false;
        }
        let v1 = self.insert(run.simplex[0]);
        let v2 = self.insert(run.simplex[1]);
        let v3 = self.insert(run.simplex[2]);
        let v5 = self.insert_support(first, second, normal * -T::ONE, length);
        let v4 = self.insert_support(first, second, normal, length);
        let [p4, p5] = [v4, v5].map(|v| self.point(v));
        if is_on_triangle(p1, p2, p3, p4) || is_on_triangle(p1, p2, p3, p5) {
            return false;
        }
        if run.dist > T::from_f64(10.0 * MIN_VALUE)
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
            if self.attach(vertices, adjacent) < T::from_f64(LEAST_SQUARED) {
                return false;
            }
        }
        self.list_all();
        true
    }

    fn start_at_tetrahedron<M: Mesh<T>>(
        &mut self,
        run: &mut Run<T>,
        first: &mut Solid<M, T>,
        second: &mut Solid<M, T>,
    ) -> bool {
        let [v1, v2, v3, v4] = [0, 1, 2, 3].map(|i| self.insert(run.simplex[i]));
        let faces = [
            ([v1, v2, v3], [1, 3, 2]),
            ([v1, v4, v2], [2, 3, 0]),
            ([v1, v3, v4], [0, 3, 1]),
            ([v4, v3, v2], [2, 0, 1]),
        ];
        for (vertices, adjacent) in faces {
            if self.attach(vertices, adjacent) < T::from_f64(LEAST_SQUARED) {
                return self.restart_from(run, vertices, first, second);
            }
        }
        let [p1, p2, p3, p4] = [v1, v2, v3, v4].map(|v| self.point(v));
        if !holds_origin(p1, p2, p3, p4) {
            return false;
        }
        self.list_all();
        true
    }

    /// Expands until the nearest face is good enough; returns it with the (negative) depth.
    pub(super) fn expand<M: Mesh<T>>(
        &mut self,
        settings: &Settings<T>,
        first: &mut Solid<M, T>,
        second: &mut Solid<M, T>,
    ) -> Option<(u32, T)> {
        let is_discrete = is_discrete(first, second);
        let tolerance = if is_discrete {
            T::from_f64(MIN_VALUE)
        } else {
            settings.tolerance
        };
        let most = T::from_f64(f64::MAX);
        let (mut upper, mut upper_squared) = (most, most);
        let mut face: Option<u32> = None;
        for _ in 0..settings.iterations {
            let previous = face;
            let mut lower_squared = most;
            for candidate in self.list.values() {
                if candidate.squared < lower_squared {
                    face = Some(candidate.face);
                    lower_squared = candidate.squared;
                }
            }
            let Some(nearest) = face.filter(|_| lower_squared <= upper_squared) else {
                face = previous;
                break;
            };
            if lower_squared <= T::ZERO {
                break;
            }
            let lower = lower_squared.sqrt();
            let normal = self.face(nearest).projection;
            let new = self.insert_support(first, second, normal, lower);
            let w = self.vertices.get(new as usize);
            let bound = normal.dot(w.point) / lower;
            if bound < upper {
                upper = bound;
                upper_squared = upper * upper;
            }
            if upper - lower < tolerance {
                break;
            }
            if is_discrete {
                let is_same = |v: Vertex<T>| v.index1 == w.index1 && v.index2 == w.index2;
                if self.vertices.values().take(new as usize).any(is_same) {
                    break;
                }
            }

            self.find_horizon(nearest, w.point);
            if self.horizon.count() < 3 {
                face = None;
                break;
            }
            if self.horizon.count() > self.most_faces.saturating_sub(self.faces.count()) {
                break;
            }
            if !self.close(new, lower_squared, upper_squared) {
                face = None;
            }
            self.horizon.clear();
            if self.list.count() == 0 || face.is_none() {
                break;
            }
        }
        face.map(|face| (face, -self.face(face).squared.sqrt()))
    }

    /// Connects a new vertex to the horizon; false on a face without a plane.
    fn close(&mut self, new: u32, lower_squared: T, upper_squared: T) -> bool {
        let first = self.faces.count() as u32;
        let count = self.horizon.count() as u32;
        for i in 0..count {
            let [beyond, edge] = self.horizon.get(i as usize);
            let face = self.face(beyond);
            let v1 = at(face.vertices, edge);
            let v2 = at(face.vertices, next(edge));
            self.faces.update(beyond as usize, |face| {
                for k in 0..3 {
                    if k == edge {
                        face.adjacent[k as usize] = first + i;
                    }
                }
            });
            let before = first + if i == 0 { count - 1 } else { i - 1 };
            let after = first + if i + 1 == count { 0 } else { i + 1 };
            let squared = self.attach([new, v2, v1], [before, beyond, after]);
            if squared == T::ZERO {
                return false;
            }
            if squared >= lower_squared && squared <= upper_squared {
                let place = self.list.count() as u32;
                self.faces
                    .update((first + i) as usize, |face| face.place = place);
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
            if (slot as usize) < self.list.count() {
                let moved = self.list.get(slot as usize).face;
                self.faces.update(moved as usize, |face| face.place = slot);
            }
        }
        self.faces
            .update(face as usize, |face| face.place = DELETED);
    }

    /// Deletes the faces that w can see, starting from one of them, and lists the horizon in order.
    fn find_horizon(&mut self, start: u32, w: Vec3<T>) {
        self.delete(start);
        for edge in 0..3 {
            let beyond = at(self.face(start).adjacent, edge);
            if edge > 0 && self.face(beyond).place == DELETED {
                continue;
            }
            let shared = self.edge_at(beyond, at(self.face(start).vertices, next(edge)));
            self.flood(beyond, shared, w);
        }
    }

    /// Follows visible faces from one entered through an edge; invisible ones make the horizon.
    fn flood(&mut self, face: u32, edge: u32, w: Vec3<T>) {
        if !self.is_visible(face, w) {
            self.horizon.push([face, edge]);
            return;
        }
        self.delete(face);
        self.stack.clear();
        self.stack.push([face, edge, 1]);
        while let Some([face, edge, turn]) = self.stack.pop() {
            if turn == 3 {
                continue;
            }
            self.stack.push([face, edge, turn + 1]);
            let i = if turn == 1 {
                next(edge)
            } else {
                next(next(edge))
            };
            let beyond = at(self.face(face).adjacent, i);
            if self.face(beyond).place == DELETED {
                continue;
            }
            let shared = self.edge_at(beyond, at(self.face(face).vertices, next(i)));
            if self.is_visible(beyond, w) {
                self.delete(beyond);
                self.stack.push([beyond, shared, 1]);
            } else {
                self.horizon.push([beyond, shared]);
            }
        }
    }

    #[inline]
    fn is_visible(&self, face: u32, w: Vec3<T>) -> bool {
        let face = self.face(face);
        face.projection.dot(w) - face.squared > T::from_f64(MIN_VALUE)
    }

    /// The edge of a face that starts at a vertex.
    #[inline]
    fn edge_at(&self, face: u32, vertex: u32) -> u32 {
        let vertices = self.face(face).vertices;
        if vertices[0] == vertex {
            0
        } else if vertices[1] == vertex {
            1
        } else {
            2
        }
    }

    /// The points on both shapes that a face's projection stands for.
    pub(super) fn witness(&self, face: u32) -> (Vec3<T>, Vec3<T>) {
        let corners = self.corners(face);
        let [a, b, c] = corners.map(|v| v.point);
        let weights = affine_coordinates(a, b, c, self.face(face).projection);
        (
            combine(&weights, corners.iter().map(|v| v.point1)),
            combine(&weights, corners.iter().map(|v| v.point2)),
        )
    }

    /// The three vertices of a face.
    pub(super) fn corners(&self, face: u32) -> [Vertex<T>; 3] {
        self.face(face)
            .vertices
            .map(|v| self.vertices.get(v as usize))
    }

    #[inline]
    fn point(&self, vertex: u32) -> Vec3<T> {
        self.vertices.get(vertex as usize).point
    }
}

/// The edge after an edge of a face.
#[inline]
fn next(edge: u32) -> u32 {
    if edge == 2 { 0 } else { edge + 1 }
}

/// What belongs to an edge of a face.
#[inline]
fn at(of: [u32; 3], edge: u32) -> u32 {
    of[edge as usize]
}

/// Rotation by 120° about an axis.
fn third_of_a_turn<T: Scalar>(axis: Vec3<T>) -> Mat3<T> {
    let (sin, cos) = (T::from_f64(0.86602540378), T::from_f64(-0.5));
    let length = axis.norm();
    let (x, y, z) = (axis[0] / length, axis[1] / length, axis[2] / length);
    let c = T::ONE - cos;
    Mat3([
        cos + x * x * c,
        x * y * c - z * sin,
        x * z * c + y * sin,
        y * x * c + z * sin,
        cos + y * y * c,
        y * z * c - x * sin,
        x * z * c - y * sin,
        y * z * c + x * sin,
        cos + z * z * c,
    ])
}

/// Whether the line through two points passes through a triangle.
fn line_meets_triangle<T: Scalar>(
    p1: Vec3<T>,
    p2: Vec3<T>,
    a: Vec3<T>,
    b: Vec3<T>,
    c: Vec3<T>,
) -> bool {
    let along = p2 - p1;
    let (a, b, c) = (a - p1, b - p1, c - p1);
    let volumes = [
        volume(a, b, along),
        volume(b, c, along),
        volume(c, a, along),
    ];
    volumes.iter().all(|v| *v >= T::ZERO) || volumes.iter().all(|v| *v <= T::ZERO)
}

/// Affine coordinates of a point in the plane of a triangle.
fn affine_coordinates<T: Scalar>(a: Vec3<T>, b: Vec3<T>, c: Vec3<T>, p: Vec3<T>) -> [T; 3] {
    let (x, y, whole) = best_projection(a, b, c);
    sub_areas(a, b, c, p, x, y).map(|part| part / whole)
}

fn is_on_triangle<T: Scalar>(a: Vec3<T>, b: Vec3<T>, c: Vec3<T>, p: Vec3<T>) -> bool {
    let weights = affine_coordinates(a, b, c, p);
    if weights.iter().any(|w| *w < T::ZERO) {
        return false;
    }
    let nearest = combine(&weights, [a, b, c].into_iter());
    (nearest - p).norm() < T::from_f64(MIN_VALUE)
}

/// Whether the origin and a point lie on the same side of a plane.
fn is_same_side<T: Scalar>(p0: Vec3<T>, p1: Vec3<T>, p2: Vec3<T>, point: Vec3<T>) -> bool {
    let zero = T::ZERO;
    let normal = (p1 - p0).cross(p2 - p0);
    let side = normal.dot(point - p0);
    let origin = normal.dot(p0 * -T::ONE);
    (side > zero && origin > zero) || (side < zero && origin < zero)
}

fn holds_origin<T: Scalar>(a: Vec3<T>, b: Vec3<T>, c: Vec3<T>, d: Vec3<T>) -> bool {
    is_same_side(a, b, c, d)
        && is_same_side(b, c, d, a)
        && is_same_side(c, d, a, b)
        && is_same_side(d, a, b, c)
}
