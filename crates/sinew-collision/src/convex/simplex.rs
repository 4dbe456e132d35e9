//! The point of a simplex nearest to the origin, in barycentric coordinates.
//!
//! Signed volumes: the origin's projection lies inside a simplex when all sub-volumes have the
//! sign of the whole; otherwise the nearest point is on one of the sub-simplices whose sign
//! disagrees. A coordinate that is exactly 0 means the vertex is not needed.

use sinew_math::{MIN_VALUE, Scalar, Vec3};

/// Weights of the nearest point of the simplex spanned by `points` (1 to 4 of them).
pub(super) fn nearest<T: Scalar>(points: &[Vec3<T>]) -> [T; 4] {
    match *points {
        [a, b, c, d] => of_tetrahedron(a, b, c, d),
        [a, b, c] => {
            let [x, y, z] = of_triangle(a, b, c);
            [x, y, z, T::ZERO]
        }
        [a, b] => {
            let [x, y] = of_segment(a, b);
            [x, y, T::ZERO, T::ZERO]
        }
        _ => [T::ONE, T::ZERO, T::ZERO, T::ZERO],
    }
}

/// Σ weight · point, over as many points as there are.
pub(super) fn combine<T: Scalar>(weights: &[T], points: impl Iterator<Item = Vec3<T>>) -> Vec3<T> {
    let mut terms = weights.iter().zip(points);
    let Some((&first, point)) = terms.next() else {
        return Vec3::zero();
    };
    terms.fold(point * first, |sum, (&weight, point)| sum + point * weight)
}

/// a · (b × c)
pub(super) fn volume<T: Scalar>(a: Vec3<T>, b: Vec3<T>, c: Vec3<T>) -> T {
    a.dot(b.cross(c))
}

fn same_sign<T: Scalar>(a: T, b: T) -> bool {
    (a > T::ZERO && b > T::ZERO) || (a < T::ZERO && b < T::ZERO)
}

fn of_tetrahedron<T: Scalar>(a: Vec3<T>, b: Vec3<T>, c: Vec3<T>, d: Vec3<T>) -> [T; 4] {
    let parts = [
        -volume(b, c, d),
        volume(a, c, d),
        -volume(a, b, d),
        volume(a, b, c),
    ];
    let whole = parts[0] + parts[1] + parts[2] + parts[3];
    if parts.iter().all(|part| same_sign(whole, *part)) {
        return parts.map(|part| part / whole);
    }
    let mut best = [T::ZERO; 4];
    let mut nearest = T::from_f64(f64::MAX);
    let points = [a, b, c, d];
    for (i, part) in parts.iter().enumerate() {
        if same_sign(whole, *part) {
            continue;
        }
        let others = [0, 1, 2, 3].into_iter().filter(|k| *k != i);
        let mut kept = [0; 3];
        kept.iter_mut().zip(others).for_each(|(slot, k)| *slot = k);
        let face = kept.map(|k| points[k]);
        let weights = of_triangle(face[0], face[1], face[2]);
        let point = combine(&weights, face.into_iter());
        let squared = point.dot(point);
        // The first candidate is taken even if its distance is not a number.
        if squared < nearest || (i == 0 && nearest == T::from_f64(f64::MAX)) {
            nearest = squared;
            // The fourth weight of an earlier face stays when the first three points are best. The
            // origin then counts as inside although it is not: the reference's distance is 0 there.
            if i < 3 {
                best = [T::ZERO; 4];
            }
            for (k, weight) in kept.into_iter().zip(weights) {
                best[k] = weight;
            }
        }
    }
    best
}

/// The coordinate plane a triangle projects to with the largest area: its two axes and the signed
/// area.
pub(super) fn best_projection<T: Scalar>(a: Vec3<T>, b: Vec3<T>, c: Vec3<T>) -> (usize, usize, T) {
    let area = |x: usize, y: usize| {
        b[x] * c[y] - b[y] * c[x] - a[x] * c[y] + a[y] * c[x] + a[x] * b[y] - a[y] * b[x]
    };
    let (yz, xz, xy) = (area(1, 2), area(0, 2), area(0, 1));
    if yz.abs() >= xz.abs() && yz.abs() >= xy.abs() {
        (1, 2, yz)
    } else if xz.abs() >= xy.abs() {
        (0, 2, xz)
    } else {
        (0, 1, xy)
    }
}

/// Signed areas that p makes with the edges of a projected triangle.
pub(super) fn sub_areas<T: Scalar>(
    a: Vec3<T>,
    b: Vec3<T>,
    c: Vec3<T>,
    p: Vec3<T>,
    x: usize,
    y: usize,
) -> [T; 3] {
    let area = |u: Vec3<T>, v: Vec3<T>| {
        p[x] * u[y] + p[y] * v[x] + u[x] * v[y] - p[x] * v[y] - p[y] * u[x] - v[x] * u[y]
    };
    [area(b, c), area(c, a), area(a, b)]
}

fn of_triangle<T: Scalar>(a: Vec3<T>, b: Vec3<T>, c: Vec3<T>) -> [T; 3] {
    let Some(projection) = project_on_plane(a, b, c) else {
        let [x, y] = of_segment(a, b);
        return [x, y, T::ZERO];
    };
    let (x, y, whole) = best_projection(a, b, c);
    let parts = sub_areas(a, b, c, projection, x, y);
    if parts.iter().all(|part| same_sign(whole, *part)) {
        return parts.map(|part| part / whole);
    }
    let mut best = [T::ZERO; 3];
    let mut nearest = T::from_f64(f64::MAX);
    let edges = [(b, c, 1, 2), (a, c, 0, 2), (a, b, 0, 1)];
    for (i, (part, (u, v, first, second))) in parts.into_iter().zip(edges).enumerate() {
        if same_sign(whole, part) {
            continue;
        }
        let weights = of_segment(u, v);
        let point = combine(&weights, [u, v].into_iter());
        let squared = point.dot(point);
        if squared < nearest || (i == 0 && nearest == T::from_f64(f64::MAX)) {
            nearest = squared;
            best = [T::ZERO; 3];
            best[first] = weights[0];
            best[second] = weights[1];
        }
    }
    best
}

fn of_segment<T: Scalar>(a: Vec3<T>, b: Vec3<T>) -> [T; 2] {
    // The origin's projection on the line, measured along the axis of largest extent.
    let along = b - a;
    let scale = -(b.dot(along) / along.dot(along));
    let projection = b + along * scale;
    let mut axis = 0;
    let mut extent = a[0] - b[0];
    for k in 1..3 {
        if (a[k] - b[k]).abs() >= extent.abs() {
            axis = k;
            extent = a[k] - b[k];
        }
    }
    let (c1, c2) = (projection[axis] - b[axis], a[axis] - projection[axis]);
    if same_sign(extent, c1) && same_sign(extent, c2) {
        [c1 / extent, c2 / extent]
    } else {
        [T::ZERO, T::ONE]
    }
}

/// The origin projected onto the plane of three points; `None` when they lie on a line. Of the
/// three ways to form the normal the first that is numerically sound is used.
#[inline]
pub(super) fn project_on_plane<T: Scalar>(a: Vec3<T>, b: Vec3<T>, c: Vec3<T>) -> Option<Vec3<T>> {
    let (ab, ac, bc) = (b - a, c - a, c - b);
    let normal = bc.cross(ab);
    let height = normal.dot(b);
    let squared = normal.dot(normal);
    if squared == T::ZERO {
        return None;
    }
    if height != T::ZERO && squared > T::from_f64(MIN_VALUE) {
        return Some(normal * (height / squared));
    }
    project_on_plane_again(a, c, (ab, ac, bc))
}

/// With the other two ways to form the normal.
#[cold]
fn project_on_plane_again<T: Scalar>(
    a: Vec3<T>,
    c: Vec3<T>,
    (ab, ac, bc): (Vec3<T>, Vec3<T>, Vec3<T>),
) -> Option<Vec3<T>> {
    let normal = ab.cross(ac);
    let height = normal.dot(a);
    let squared = normal.dot(normal);
    if squared == T::ZERO {
        return None;
    }
    if height != T::ZERO && squared > T::from_f64(MIN_VALUE) {
        return Some(normal * (height / squared));
    }
    let normal = ac.cross(bc);
    Some(normal * (normal.dot(c) / normal.dot(normal)))
}
