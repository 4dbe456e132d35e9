//! Hulls against closed forms and against graphs of MuJoCo 3.5.0.

use super::*;
use sinew_math::vec3;

/// A stream of numbers in [0, 1), the same on every run.
fn numbers(seed: u64) -> impl FnMut() -> f64 {
    let mut state = seed;
    move || {
        state = state
            .wrapping_mul(6364136223846793005)
            .wrapping_add(1442695040888963407);
        (state >> 11) as f64 / (1_u64 << 53) as f64
    }
}

fn cube() -> Vec<Vec3> {
    (0..8)
        .map(|i| {
            vec3(
                f64::from(i & 1),
                f64::from(i >> 1 & 1),
                f64::from(i >> 2 & 1),
            )
        })
        .collect()
}

/// Lattice points at most √5 from the origin: octahedral symmetry, many coplanar points.
fn lattice_ball() -> Vec<Vec3> {
    let range = -2..=2;
    let mut points = Vec::new();
    for x in range.clone() {
        for y in range.clone() {
            for z in range.clone() {
                if x * x + y * y + z * z <= 5 {
                    points.push(vec3(f64::from(x), f64::from(y), f64::from(z)));
                }
            }
        }
    }
    points
}

/// The hull has the topology of a sphere and all points are below all its faces.
fn check_hull(points: &[Vec3], hull: &Hull) {
    assert_eq!(hull.faces.len(), 2 * hull.vertices.len() - 4);
    let edges: usize = hull.neighbors.iter().map(Vec::len).sum();
    assert_eq!(edges, 3 * hull.faces.len());
    let size = points.iter().map(|p| p.norm()).fold(0.0, f64::max);
    for face in &hull.faces {
        let [a, b, c] = face.map(|i| points[i as usize]);
        let normal = (b - a).cross(c - a);
        // Slivers have no direction worth testing.
        if normal.norm() < 1e-9 * size * size {
            continue;
        }
        let normal = normal.normalized();
        for point in points {
            assert!(normal.dot(*point - a) < 1e-10 * size);
        }
    }
}

#[test]
fn cube_has_the_graph_of_the_reference() {
    #[rustfmt::skip]
    let expected = [
        8, 12, 0, 7, 11, 18, 22, 29, 33, 37, 3, 2, 0, 1, 5, 4, 7, 6, 1, 2, 3, 4, 6, 7, -1, 0, 2,
        7, -1, 0, 1, 3, 4, 5, 7, -1, 0, 2, 4, -1, 3, 2, 5, 0, 6, 7, -1, 4, 2, 7, -1, 4, 0, 7, -1,
        1, 2, 5, 0, 6, 4, -1, 2, 3, 0, 3, 1, 0, 1, 5, 0, 5, 4, 0, 3, 5, 1, 5, 3, 7, 6, 2, 0, 4, 6,
        0, 6, 3, 2, 3, 6, 7, 5, 6, 4, 6, 5, 7,
    ];
    let hull = convex_hull(&cube(), None).unwrap();
    assert_eq!(hull.graph(), expected);
    check_hull(&cube(), &hull);
}

#[test]
fn merged_facets_give_the_corners_of_the_reference_in_its_order() {
    let points = lattice_ball();
    let hull = convex_hull(&points, None).unwrap();
    assert_eq!(
        hull.vertices,
        [
            4, 1, 0, 3, 21, 31, 9, 43, 5, 18, 25, 35, 13, 47, 36, 17, 53, 39, 52, 38, 51, 20, 56,
            55
        ]
    );
    check_hull(&points, &hull);
}

#[test]
fn vertex_limit_stops_where_the_reference_stops() {
    let hull = convex_hull(&lattice_ball(), Some(9)).unwrap();
    assert_eq!(hull.vertices, [1, 13, 17, 0, 18, 9, 31, 35, 52]);
    assert_eq!(hull.faces.len(), 14);
    let tetrahedron = convex_hull(&cube(), Some(4)).unwrap();
    assert_eq!(tetrahedron.vertices.len(), 4);
}

#[test]
fn flat_point_sets_have_no_hull() {
    let plane: Vec<Vec3> = (0..20)
        .map(|i| vec3(f64::from(i % 5), f64::from(i / 5), 1.0))
        .collect();
    assert_eq!(convex_hull(&plane, None), Err(HullError::Flat));
    assert_eq!(convex_hull(&[Vec3::X; 9], None), Err(HullError::Flat));
    let line: Vec<Vec3> = (0..9).map(|i| Vec3::Y * f64::from(i)).collect();
    assert_eq!(convex_hull(&line, None), Err(HullError::Flat));
    assert_eq!(
        convex_hull(&[Vec3::X, Vec3::Y, Vec3::Z], None),
        Err(HullError::TooFewPoints)
    );
}

#[test]
fn duplicated_and_inner_points_are_no_corners() {
    let mut points = cube();
    points.extend(cube());
    points.push(vec3(0.5, 0.5, 0.5));
    points.push(vec3(0.5, 0.5, 1.0));
    points.push(vec3(0.5, 1.0, 1.0));
    let hull = convex_hull(&points, None).unwrap();
    let mut vertices = hull.vertices.clone();
    vertices.sort_unstable();
    assert_eq!(vertices, [0, 1, 2, 3, 4, 5, 6, 7]);
}

#[test]
fn random_clouds_are_inside_their_hulls() {
    let mut next = numbers(5);
    for count in [4, 5, 8, 20, 100, 1000] {
        for thickness in [1.0, 1e-6, 1e-12] {
            let points: Vec<Vec3> = (0..count)
                .map(|_| vec3(next() - 0.5, next() - 0.5, (next() - 0.5) * thickness))
                .collect();
            let hull = convex_hull(&points, None).unwrap();
            check_hull(&points, &hull);
        }
    }
}

/// What the search for points outside, left out here, would have to find: nothing.
#[test]
fn lattices_with_noise_are_inside_their_hulls() {
    let mut next = numbers(17);
    for noise in [1e-16, 1e-14, 1e-12, 1e-9] {
        for _ in 0..50 {
            let points: Vec<Vec3> = (0..60)
                .map(|_| {
                    let mut coordinate =
                        || (next() * 4.0).floor() + (next() - 0.5) * noise * (1.0 + next());
                    vec3(coordinate(), coordinate(), coordinate())
                })
                .collect();
            let hull = convex_hull(&points, None).unwrap();
            check_hull(&points, &hull);
        }
    }
}

#[test]
fn every_point_of_a_sphere_is_a_corner() {
    let mut next = numbers(11);
    let points: Vec<Vec3> = (0..3000)
        .map(|_| vec3(next() - 0.5, next() - 0.5, next() - 0.5).normalized())
        .collect();
    let hull = convex_hull(&points, None).unwrap();
    assert_eq!(hull.vertices.len(), points.len());
    assert_eq!(hull.faces.len(), 2 * points.len() - 4);
}

#[test]
fn any_numbers_give_a_hull_or_an_error() {
    let mut next = numbers(3);
    for round in 0..3000 {
        let count = 4 + (next() * 40.0) as usize;
        let points: Vec<Vec3> = (0..count)
            .map(|_| {
                let mut coordinate = || {
                    let value = match round % 4 {
                        // Any bits of a 32-bit number.
                        0 => f64::from(f32::from_bits((next() * 4_294_967_296.0) as u32)),
                        // Small whole numbers with noise near the round-off.
                        1 => (next() * 3.0).floor() + (next() - 0.5) * 1e-15,
                        2 => (next() * 2.0).floor() * 1e-30 + (next() * 3.0).floor(),
                        _ => (next() - 0.5) * libm::exp((next() - 0.5) * 80.0),
                    };
                    if value.is_finite() { value } else { 0.0 }
                };
                vec3(coordinate(), coordinate(), coordinate())
            })
            .collect();
        let limit = (round % 5 == 0).then_some(6);
        if let Ok(hull) = convex_hull(&points, limit) {
            let count = points.len() as u32;
            assert!(hull.vertices.iter().all(|v| *v < count));
            assert!(hull.faces.iter().flatten().all(|v| *v < count));
        }
    }
}

#[test]
fn facets_with_too_many_corners_are_given_up() {
    let count = 500;
    let prism: Vec<Vec3> = (0..2 * count)
        .map(|i| {
            let angle = f64::from(i / 2) * std::f64::consts::TAU / f64::from(count);
            vec3(libm::cos(angle), libm::sin(angle), f64::from(i % 2))
        })
        .collect();
    let mut builder = Builder::new(&prism).unwrap();
    builder.max_work = 100_000;
    assert_eq!(builder.build(None, || true), Err(HullError::TooComplex));
    check_hull(&prism, &convex_hull(&prism, None).unwrap());
}

#[test]
fn a_caller_that_has_enough_is_heard() {
    let points = lattice_ball();
    let mut asked = 0;
    let result = convex_hull_while(&points, None, || {
        asked += 1;
        asked < 2
    });
    assert_eq!((result, asked), (Err(HullError::Interrupted), 2));
    let refused = convex_hull_while(&points, None, || false);
    assert_eq!(refused, Err(HullError::Interrupted));
    assert_eq!(
        convex_hull_while(&points, None, || true),
        convex_hull(&points, None)
    );
}
