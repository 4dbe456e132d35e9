//! Nearest points of two convex shapes.
//!
//! The simplex of Minkowski-difference vertices is refined until the gap between the distance
//! found and its lower bound is below the tolerance. When only contact matters, a tetrahedron is
//! handed to a faster test that walks towards the origin without computing distances.

use super::simplex::{combine, nearest};
use super::{Mesh, NO_DISTANCE, Run, Settings, Solid, Vertex, is_discrete, support};
use sinew_math::{MIN_VALUE, Scalar, Vec3};

const LARGE: f64 = 1e10;

/// Runs from the centres of the shapes.
pub(super) fn run<T: Scalar, M: Mesh<T>>(
    settings: &Settings<T>,
    first: &mut Solid<M, T>,
    second: &mut Solid<M, T>,
) -> Run<T> {
    let no_distance = T::from_f64(NO_DISTANCE);
    let wants_distance = settings.cutoff > T::ZERO;
    let mut may_shortcut = !wants_distance;
    // Flat-faced shapes converge exactly.
    let gap = if is_discrete(first, second) {
        T::ZERO
    } else {
        T::from_f64(0.5) * settings.tolerance * settings.tolerance
    };
    let apart = || Run {
        dist: no_distance,
        ..Run::default()
    };

    let mut simplex = [Vertex::default(); 4];
    let mut count = 0;
    let mut weights = [T::ONE, T::ZERO, T::ZERO, T::ZERO];
    let mut x = first.centre() - second.centre();
    let mut length = T::ZERO;
    let mut k = 0;
    while k < settings.iterations {
        length = x.dot(x);
        if length < T::from_f64(MIN_VALUE * MIN_VALUE) {
            break;
        }
        length = length.sqrt();
        let towards = x * (T::ONE / length) * -T::ONE;
        simplex[count] = support(first, second, towards);
        let s = simplex[count].point;

        // Duality gap: no point of the difference is much nearer.
        if x.dot(x - s) < gap {
            if k == 0 {
                count = 1;
            }
            break;
        }
        // The plane through s separates the origin from the difference.
        if !wants_distance {
            if x.dot(s) > T::ZERO {
                return apart();
            }
        } else if settings.cutoff < no_distance {
            let (along, squared) = (x.dot(s), x.dot(x));
            if along > T::ZERO && along * along / squared >= settings.cutoff * settings.cutoff {
                return apart();
            }
        }
        if count == 3 && may_shortcut {
            let mut tetrahedron = simplex;
            let (answer, iterations) =
                intersect(&mut tetrahedron, settings.iterations, k, first, second);
            match answer {
                Some(true) => {
                    return Run {
                        simplex: tetrahedron,
                        simplex_count: 4,
                        dist: T::ZERO,
                        ..Run::default()
                    };
                }
                Some(false) => return apart(),
                None => {
                    k = iterations;
                    may_shortcut = false;
                }
            }
        }

        // Keep the vertices the nearest point needs.
        let points: [Vec3<T>; 4] = simplex.map(|vertex| vertex.point);
        weights = nearest(&points[..=count]);
        count = 0;
        for i in 0..4 {
            if weights[i] != T::ZERO {
                simplex[count] = simplex[i];
                weights[count] = weights[i];
                count += 1;
            }
        }
        if count < 1 {
            return apart();
        }
        let next = combine(&weights[..count], simplex.iter().map(|vertex| vertex.point));
        if (0..3).all(|i| (next[i] - x[i]).abs() < T::from_f64(MIN_VALUE)) {
            break;
        }
        x = next;
        if count == 4 {
            length = T::ZERO;
            break;
        }
        k += 1;
    }
    let weights = &weights[..count];
    Run {
        x1: if count == 0 {
            first.centre()
        } else {
            combine(weights, simplex.iter().map(|vertex| vertex.point1))
        },
        x2: if count == 0 {
            second.centre()
        } else {
            combine(weights, simplex.iter().map(|vertex| vertex.point2))
        },
        simplex,
        simplex_count: count,
        dist: length,
        has_witness: true,
    }
}

/// Signed distance of the origin from a face, with its unit normal; [`NO_DISTANCE`] for a face
/// without one.
fn signed_distance<T: Scalar>(a: &Vertex<T>, b: &Vertex<T>, c: &Vertex<T>) -> (T, Vec3<T>) {
    let normal = (c.point - a.point).cross(b.point - a.point);
    let squared = normal.dot(normal);
    if squared > T::from_f64(MIN_VALUE * MIN_VALUE) && squared < T::from_f64(LARGE * LARGE) {
        let normal = normal * (T::ONE / squared.sqrt());
        (normal.dot(a.point), normal)
    } else {
        (T::from_f64(NO_DISTANCE), normal)
    }
}

/// Whether the difference contains the origin; `None` when that could not be decided. The
/// tetrahedron is moved towards the origin, one vertex at a time, keeping its orientation.
fn intersect<T: Scalar, M: Mesh<T>>(
    simplex: &mut [Vertex<T>; 4],
    most_iterations: usize,
    mut k: usize,
    first: &mut Solid<M, T>,
    second: &mut Solid<M, T>,
) -> (Option<bool>, usize) {
    let mut s = [0, 1, 2, 3];
    while k < most_iterations {
        let at = |i: usize| &simplex[s[i]];
        let faces = [
            signed_distance(at(2), at(1), at(3)),
            signed_distance(at(0), at(2), at(3)),
            signed_distance(at(1), at(0), at(3)),
            signed_distance(at(0), at(1), at(2)),
        ];
        if faces.iter().any(|(dist, _)| *dist == T::ZERO) {
            return (None, k);
        }
        let lesser = |i: usize, j: usize| if faces[i].0 < faces[j].0 { i } else { j };
        let (low, high) = (lesser(0, 1), lesser(2, 3));
        let worst = if faces[low].0 < faces[high].0 {
            low
        } else {
            high
        };
        if faces[worst].0 > T::ZERO {
            *simplex = s.map(|i| simplex[i]);
            return (Some(true), k);
        }
        let normal = faces[worst].1;
        simplex[s[worst]] = support(first, second, normal);
        if normal.dot(simplex[s[worst]].point) < T::ZERO {
            return (Some(false), k);
        }
        s.swap((worst + 1) & 3, (worst + 2) & 3);
        k += 1;
    }
    (None, k)
}
