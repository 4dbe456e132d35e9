//! Several contact points between flat faces.
//!
//! The face of least penetration of the Minkowski difference names up to three vertices on each
//! shape: a face, an edge or a corner. Where two faces look at each other (or an edge lies in a
//! face), one is clipped against the sides of the other, and the corners of what remains are the
//! contact points, all with the depth found.

use super::{Convex, Kind, Mesh, MeshShape, Vertex, Workspace};
use sinew_math::{MIN_VALUE, Vec3, vec3};

/// Cosine from which two faces count as parallel (within 1.6e-3 radians).
const PARALLEL: f64 = 0.99999872;
/// Sine up to which an edge counts as lying in a face.
const IN_FACE: f64 = 0.00159999931;
/// Faces with more vertices are cut off.
const MOST_VERTICES: usize = 150;
/// No pair makes more contacts.
const MOST_CONTACTS: usize = 50;

/// A short list on the stack.
#[derive(Clone, Copy)]
struct List<T: Copy, const N: usize> {
    items: [T; N],
    count: usize,
}

impl<T: Copy, const N: usize> List<T, N> {
    fn new(empty: T) -> Self {
        List {
            items: [empty; N],
            count: 0,
        }
    }
    fn push(&mut self, item: T) {
        if self.count < N {
            self.items[self.count] = item;
            self.count += 1;
        }
    }
    fn as_slice(&self) -> &[T] {
        &self.items[..self.count]
    }
}

/// Normals with the index of the face, or the far end of the edge, they belong to.
type Normals = List<(Vec3, usize), MOST_VERTICES>;
type Edges = List<(Vec3, Vec3), MOST_VERTICES>;
type Polygon = List<Vec3, MOST_VERTICES>;

/// The part of a shape that a face of the Minkowski difference touches.
struct Feature {
    /// 1 corner, 2 edge, 3 face.
    dimension: usize,
    index: [i32; 3],
    point: [Vec3; 3],
}

impl Feature {
    fn new(index: [i32; 3], point: [Vec3; 3]) -> Feature {
        let [a, b, c] = index;
        let mut feature = Feature {
            dimension: 3,
            index,
            point,
        };
        if a != b {
            feature.dimension = if c == a || c == b { 2 } else { 3 };
        } else if a != c {
            feature.index[1] = c;
            feature.point[1] = point[2];
            feature.dimension = 2;
        } else {
            feature.dimension = 1;
        }
        feature
    }
}

/// Replaces the single witness by several, where the shapes meet in a face or an edge.
pub(super) fn contacts(
    work: &mut Workspace,
    face: u32,
    most: usize,
    first: &Convex<'_>,
    second: &Convex<'_>,
) {
    let corners: [Vertex; 3] = work.polytope.corners(face);
    let Some(&(x1, x2)) = work.witness.first() else {
        return;
    };
    let depth = x2 - x1;
    let feature1 = Feature::new(corners.map(|v| v.index1), corners.map(|v| v.point1));
    let feature2 = Feature::new(corners.map(|v| v.index2), corners.map(|v| v.point2));
    let normals1 = face_normals(first, &feature1, -depth);
    let normals2 = face_normals(second, &feature2, depth);
    let length = depth.norm();

    // Two faces.
    if let Some((i, j)) = facing(normals1.as_slice(), normals2.as_slice()) {
        let (normal1, face1) = normals1.items[i];
        let (normal2, face2) = normals2.items[j];
        let polygon1 = polygon(first, face1);
        let polygon2 = polygon(second, face2);
        clip(
            work,
            &polygon1,
            polygon2.as_slice(),
            normal1,
            normal2 * length,
            most,
        );
        return;
    }
    // An edge of one in a face of the other.
    if feature1.dimension < 3 && feature1.dimension <= feature2.dimension {
        let edges = edges(first, &feature1);
        if let Some((i, j)) = lying_in(edges.as_slice(), normals2.as_slice()) {
            let (normal, face) = normals2.items[j];
            let edge = [corners[0].point1, edges.items[i].1];
            clip(
                work,
                &polygon(second, face),
                &edge,
                normal,
                normal * length,
                most,
            );
        }
    } else if feature2.dimension < 3 {
        let edges = edges(second, &feature2);
        if let Some((i, j)) = lying_in(edges.as_slice(), normals1.as_slice()) {
            let (normal, face) = normals1.items[j];
            let edge = [corners[0].point2, edges.items[i].1];
            clip(
                work,
                &polygon(first, face),
                &edge,
                normal,
                normal * -length,
                most,
            );
        }
    }
}

/// The first two normals that oppose each other.
fn facing(normals1: &[(Vec3, usize)], normals2: &[(Vec3, usize)]) -> Option<(usize, usize)> {
    for (i, (n1, _)) in normals1.iter().enumerate() {
        for (j, (n2, _)) in normals2.iter().enumerate() {
            if n1.dot(*n2) < -PARALLEL {
                return Some((i, j));
            }
        }
    }
    None
}

/// The first edge and face such that the edge lies in the face.
fn lying_in(edges: &[(Vec3, Vec3)], normals: &[(Vec3, usize)]) -> Option<(usize, usize)> {
    for (j, (normal, _)) in normals.iter().enumerate() {
        for (i, (direction, _)) in edges.iter().enumerate() {
            if direction.dot(*normal).abs() < IN_FACE {
                return Some((i, j));
            }
        }
    }
    None
}

/// Normals of the faces a feature may belong to.
fn face_normals(shape: &Convex<'_>, feature: &Feature, direction: Vec3) -> Normals {
    match &shape.kind {
        Kind::Box => box_normals(shape, feature, direction),
        Kind::Mesh(mesh) => mesh_normals(shape, mesh, feature),
        _ => Normals::new((Vec3::ZERO, 0)),
    }
}

/// Faces of a box are numbered +x −x +y −y +z −z.
fn box_normals(shape: &Convex<'_>, feature: &Feature, direction: Vec3) -> Normals {
    let mut out = Normals::new((Vec3::ZERO, 0));
    let used = &feature.index[..feature.dimension];
    // +1 or −1 where all vertices are on that side of an axis.
    let side = |axis: usize| {
        let bit = 1 << axis;
        if used.iter().all(|v| v & bit != 0) {
            1.0
        } else if used.iter().all(|v| v & bit == 0) {
            -1.0
        } else {
            0.0
        }
    };
    for axis in 0..3 {
        let side = side(axis);
        if side != 0.0 {
            let normal = shape.mat.column(axis) * side;
            out.push((normal, 2 * axis + usize::from(side < 0.0)));
        }
    }
    let wanted = 4 - feature.dimension;
    if out.count == wanted {
        return out;
    }
    // Not the vertices of one face or edge: take the face the contact normal points to.
    let mut out = Normals::new((Vec3::ZERO, 0));
    let local = shape.mat.transpose_mul(direction);
    let local = local * (1.0 / local.dot(local).sqrt());
    for face in 0..6 {
        let (axis, side) = (face / 2, if face % 2 == 0 { 1.0 } else { -1.0 });
        if local[axis] * side > PARALLEL {
            out.push((shape.mat.column(axis) * side, face));
            break;
        }
    }
    out
}

fn mesh_normals(shape: &Convex<'_>, mesh: &MeshShape<'_>, feature: &Feature) -> Normals {
    let mut out = Normals::new((Vec3::ZERO, 0));
    let polygons = |vertex: i32| {
        let start = mesh.map_start[vertex as usize] as usize;
        &mesh.vertex_polygons[start..start + mesh.map_count[vertex as usize] as usize]
    };
    // Up to two polygons that contain both of two vertices.
    let shared = |a: &[i32], b: &[i32]| {
        let mut out = List::<i32, 2>::new(-1);
        for x in a {
            for y in b {
                if x == y {
                    out.push(*x);
                }
            }
            if out.count == 2 {
                break;
            }
        }
        out
    };
    let mut add = |polygon: i32| {
        let normal = shape.mat * mesh.polygon_normals[polygon as usize];
        out.push((normal, polygon as usize));
    };
    let [a, b, c] = feature.index;
    match feature.dimension {
        3 => {
            let edge = shared(polygons(a), polygons(b));
            let face = shared(edge.as_slice(), polygons(c));
            if let Some(&polygon) = face.as_slice().first() {
                add(polygon);
            }
        }
        2 => {
            for &polygon in shared(polygons(a), polygons(b)).as_slice() {
                add(polygon);
            }
        }
        _ => {
            for &polygon in polygons(a).iter().take(MOST_VERTICES) {
                add(polygon);
            }
        }
    }
    out
}

/// Edges that leave a corner, or the edge itself: unit direction and far end.
fn edges(shape: &Convex<'_>, feature: &Feature) -> Edges {
    let mut out = Edges::new((Vec3::ZERO, Vec3::ZERO));
    let from = feature.point[0];
    if feature.dimension == 2 {
        let to = feature.point[1];
        out.push(((to - from).normalized(), to));
        return out;
    }
    match &shape.kind {
        Kind::Box => {
            let corner = feature.index[0];
            let at = |axis: usize| {
                let half = shape.size[axis];
                if corner & (1 << axis) != 0 {
                    half
                } else {
                    -half
                }
            };
            for flipped in 0..3 {
                let mut local = vec3(at(0), at(1), at(2));
                local[flipped] = -local[flipped];
                let to = shape.mat * local + shape.pos;
                out.push(((to - from).normalized(), to));
            }
        }
        Kind::Mesh(mesh) => {
            let vertex = feature.index[0] as usize;
            let start = mesh.map_start[vertex] as usize;
            let count = (mesh.map_count[vertex] as usize).min(MOST_VERTICES);
            for &polygon in &mesh.vertex_polygons[start..start + count] {
                let corners = polygon_vertices(mesh, polygon as usize);
                let Some(at) = corners.iter().position(|v| *v as usize == vertex) else {
                    continue;
                };
                let before = corners[(at + corners.len() - 1) % corners.len()];
                let to = mesh_point(shape, mesh, before);
                out.push(((to - from).normalized(), to));
            }
        }
        _ => {}
    }
    out
}

fn polygon_vertices<'a>(mesh: &MeshShape<'a>, polygon: usize) -> &'a [i32] {
    let start = mesh.polygon_start[polygon] as usize;
    &mesh.polygon_vertices[start..start + mesh.polygon_count[polygon] as usize]
}

fn mesh_point(shape: &Convex<'_>, mesh: &MeshShape<'_>, vertex: i32) -> Vec3 {
    shape.mat * mesh.vertex(vertex as usize) + shape.pos
}

/// Corners of a face, clockwise as seen from outside.
fn polygon(shape: &Convex<'_>, face: usize) -> Polygon {
    let mut out = Polygon::new(Vec3::ZERO);
    match &shape.kind {
        Kind::Box => {
            const CORNERS: [[[f64; 3]; 4]; 6] = [
                [[1., 1., 1.], [1., 1., -1.], [1., -1., -1.], [1., -1., 1.]],
                [
                    [-1., 1., -1.],
                    [-1., 1., 1.],
                    [-1., -1., 1.],
                    [-1., -1., -1.],
                ],
                [[-1., 1., -1.], [1., 1., -1.], [1., 1., 1.], [-1., 1., 1.]],
                [
                    [-1., -1., 1.],
                    [1., -1., 1.],
                    [1., -1., -1.],
                    [-1., -1., -1.],
                ],
                [[-1., 1., 1.], [1., 1., 1.], [1., -1., 1.], [-1., -1., 1.]],
                [
                    [1., 1., -1.],
                    [-1., 1., -1.],
                    [-1., -1., -1.],
                    [1., -1., -1.],
                ],
            ];
            for corner in CORNERS[face] {
                let local = Vec3(corner).component_mul(Vec3(shape.size));
                out.push(shape.mat * local + shape.pos);
            }
        }
        Kind::Mesh(mesh) => {
            let vertices = polygon_vertices(mesh, face);
            for &vertex in vertices[..vertices.len().min(MOST_VERTICES)].iter().rev() {
                out.push(mesh_point(shape, mesh, vertex));
            }
        }
        _ => {}
    }
    out
}

/// Clips a polygon against the sides of another, whose plane has the given normal, and makes the
/// corners of the rest the witness points. `offset` leads from a point on the first shape to its
/// partner on the second.
fn clip(
    work: &mut Workspace,
    sides: &Polygon,
    polygon: &[Vec3],
    normal: Vec3,
    offset: Vec3,
    most: usize,
) {
    let sides = sides.as_slice();
    if sides.len() < 3 {
        return;
    }
    let [current, next] = &mut work.polygon;
    current.clear();
    current.extend_from_slice(polygon);
    for (i, &from) in sides.iter().enumerate() {
        let to = sides[(i + 1) % sides.len()];
        let plane = (to - from).cross((from + normal) - from);
        let height = plane.dot(from);
        let is_inside = |p: Vec3| (p - from).dot(plane) > -MIN_VALUE;
        next.clear();
        for k in 0..current.len() {
            let (p, q) = (current[k], current[(k + 1) % current.len()]);
            let (inside_p, inside_q) = (is_inside(p), is_inside(q));
            if !inside_p && !inside_q {
                continue;
            }
            if inside_p != inside_q {
                let along = q - p;
                let slope = plane.dot(along);
                if slope != 0.0 {
                    let t = (height - plane.dot(p)) / slope;
                    if (0.0..=1.0).contains(&t) {
                        next.push(p + along * t);
                    }
                }
            }
            if inside_q {
                next.push(q);
            }
        }
        std::mem::swap(current, next);
    }
    if current.is_empty() {
        return;
    }
    work.witness.clear();
    let mut add = |point: Vec3| work.witness.push((point - offset, point));
    if most < 5 && current.len() > 4 {
        for i in largest_quadrilateral(current) {
            add(current[i]);
        }
    } else if current.len() > MOST_CONTACTS {
        current[..MOST_CONTACTS].iter().for_each(|p| add(*p));
    } else {
        let is_equal = |a: Vec3, b: Vec3| (0..3).all(|k| (a[k] - b[k]).abs() < MIN_VALUE);
        for (k, &point) in current.iter().enumerate() {
            if !current[..k].iter().any(|earlier| is_equal(*earlier, point)) {
                add(point);
            }
        }
    }
}

/// Four corners of a convex polygon that span the largest area, by rotating the corners.
fn largest_quadrilateral(polygon: &[Vec3]) -> [usize; 4] {
    let n = polygon.len();
    let after = |i: usize| if i == n - 1 { 0 } else { i + 1 };
    let area = |q: [usize; 4]| {
        let [a, b, c, d] = q.map(|i| polygon[i]);
        let sum = (d - a).cross(b - d) + (c - b).cross(a - c);
        0.5 * sum.norm()
    };
    let mut q = [0, 1, 2, 3];
    let mut best = q;
    let mut largest = area(q);
    for a in 0..n {
        q[0] = a;
        loop {
            let moved = area([q[0], q[1], q[2], after(q[3])]);
            if moved <= largest {
                break;
            }
            largest = moved;
            q[3] = after(q[3]);
            best = q;
            for corner in [2, 1] {
                loop {
                    let mut candidate = q;
                    candidate[corner] = after(q[corner]);
                    let moved = area(candidate);
                    if moved <= largest {
                        break;
                    }
                    largest = moved;
                    q = candidate;
                    best = q;
                }
            }
        }
        // Corners must stay in order.
        if q[1] == q[0] {
            q[1] = after(q[1]);
            if q[2] == q[1] {
                q[2] = after(q[2]);
                if q[3] == q[2] {
                    q[3] = after(q[3]);
                }
            }
        }
    }
    best
}
