//! The older algorithm on shapes that give it no hold: it ends, and what it gives are numbers.

use sinew_collision::convex::{
    Convex, Field, Kind, Method, PairSettings, Workspace, convex_convex, hfield_convex,
};
use sinew_collision::pair::Touch;
use sinew_math::{Mat3, Vec3, vec3};

const PORTAL: PairSettings = PairSettings {
    method: Method::Portal,
    iterations: 50,
    tolerance: 1e-6,
    is_multiple: true,
};

fn touches(first: &Convex<'_>, second: &Convex<'_>) -> Vec<Touch> {
    let (mut work, mut out) = (Workspace::default(), Vec::new());
    let (mut first, mut second, margin) = (*first, *second, first.margin);
    convex_convex(
        &PORTAL,
        &mut first,
        &mut second,
        1.0,
        margin,
        &mut work,
        &mut out,
    );
    out
}

#[track_caller]
fn are_numbers(touches: &[Touch]) {
    for touch in touches {
        let numbers = touch.pos.iter().chain(touch.normal.iter());
        assert!(touch.dist.is_finite() && numbers.clone().all(|x| x.is_finite()));
    }
}

#[test]
fn every_pair_ends_wherever_it_stands() {
    let kinds = [
        Kind::Sphere,
        Kind::Capsule,
        Kind::Ellipsoid,
        Kind::Cylinder,
        Kind::Box,
    ];
    let sizes = [
        [0.2, 0.1, 0.3],
        [0.0, 0.0, 0.0],
        [1e-9, 1e9, 1.0],
        [f64::NAN, 1.0, 1.0],
        [f64::INFINITY, 1.0, 1.0],
    ];
    let places = [
        Vec3::ZERO,
        vec3(0.1, 0.0, 0.0),
        vec3(0.3, 0.2, 0.1),
        vec3(1e-300, 0.0, 0.0),
        vec3(1e300, 0.0, 0.0),
        vec3(f64::NAN, 0.0, 0.0),
        vec3(0.0, f64::INFINITY, 0.0),
    ];
    for kind1 in kinds {
        for kind2 in kinds {
            for size in sizes {
                for pos in places {
                    for margin in [0.0, 0.1] {
                        let origin = Vec3::ZERO;
                        let first = Convex::new(kind1, origin, Mat3::IDENTITY, sizes[0], margin);
                        let second = Convex::new(kind2, pos, Mat3::IDENTITY, size, margin);
                        are_numbers(&touches(&first, &second));
                    }
                }
            }
        }
    }
}

/// Two boxes of which one stands in the other's side: the second leaves the first along x.
#[test]
fn the_second_shape_leaves_along_the_normal() {
    let first = Convex::new(Kind::Box, Vec3::ZERO, Mat3::IDENTITY, [0.1; 3], 0.0);
    let mut second = first;
    second.pos = vec3(0.19, 0.01, 0.02);
    let found = touches(&first, &second);
    assert!(!found.is_empty());
    assert!((found[0].dist + 0.01).abs() < 1e-9, "{found:?}");
    assert!(found[0].normal.distance(Vec3::X) < 1e-9, "{found:?}");
}

#[test]
fn fields_end_too() {
    let field = Field {
        pos: Vec3::ZERO,
        mat: Mat3::IDENTITY,
        size: [1.0, 1.0, 0.5, 0.1],
        rows: 3,
        columns: 3,
        elevation: &[0.0, 1.0, 0.0, f32::NAN, 0.0, 1.0, 0.5, 0.5, 0.5],
    };
    let (mut work, mut out) = (Workspace::default(), Vec::new());
    for size in [[0.2, 0.1, 0.3], [0.0; 3]] {
        let shape = Convex::new(
            Kind::Ellipsoid,
            vec3(0.1, 0.2, 0.1),
            Mat3::IDENTITY,
            size,
            0.0,
        );
        hfield_convex(&PORTAL, &field, &shape, 1.0, 0.01, &mut work, &mut out);
    }
    assert!(!out.is_empty());
    are_numbers(&out);
}
