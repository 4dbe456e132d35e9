//! Rays.

use crate::{away, close, number, open, reference};
use sinew::collision::ray::{Hit, Ray};
use sinew::engine::Data;
use sinew::engine::ray::RayFilter;
use sinew::math::Vec3;
use sinew::model::Model;

const RAYS: usize = 120;
const ORIGIN: Vec3 = Vec3([-1.0, 0.1, 0.4]);
const CUTOFF: f64 = 1.2;

fn scene() -> (Model, Data) {
    let mut model = open("features/rays");
    for group in model.unchecked().geom_group.iter_mut().step_by(3) {
        *group = 1;
    }
    let data = away(&model, 0.2);
    (model, data)
}

fn direction(k: usize) -> Vec3 {
    Vec3([
        1.0 + number(3 * k),
        1.5 * number(3 * k + 1),
        1.5 * number(3 * k + 2),
    ])
}

/// Geom, distance and normal, as the reference gives them.
fn flat(hit: Option<(usize, Hit)>) -> [f64; 5] {
    match hit {
        None => [-1.0, -1.0, 0.0, 0.0, 0.0],
        Some((geom, hit)) => {
            let [x, y, z] = hit.normal.0;
            [geom as f64, hit.distance, x, y, z]
        }
    }
}

#[test]
fn rays_meet_what_they_meet_in_the_reference() {
    let (model, mut data) = scene();
    let all = RayFilter::default();
    let filters = [
        ("all", all),
        (
            "groups",
            RayFilter {
                groups: Some([true, false, true, true, true, true]),
                ..all
            },
        ),
        (
            "moving",
            RayFilter {
                skips_static: true,
                ..all
            },
        ),
        (
            "other bodies",
            RayFilter {
                excluded_body: Some(5),
                ..all
            },
        ),
    ];
    for (name, filter) in filters {
        let mut actual = Vec::new();
        for k in 0..RAYS {
            let ray = Ray {
                origin: ORIGIN,
                direction: direction(k),
            };
            let hit = data.cast_ray(&model, &ray, &filter).expect("fits");
            actual.extend(flat(hit));
        }
        let name = format!("ray {name}");
        close(&name, &actual, &reference(&name), 1e-9);
    }
}

#[test]
fn a_fan_of_rays_is_that_of_the_reference() {
    let (model, mut data) = scene();
    let directions: Vec<Vec3> = (0..RAYS).map(direction).collect();
    let mut hits = vec![None; RAYS];
    let filter = RayFilter::default();
    data.cast_rays(&model, ORIGIN, &directions, &filter, CUTOFF, &mut hits)
        .expect("fits");
    let actual: Vec<f64> = hits.into_iter().flat_map(flat).collect();
    close("rays", &actual, &reference("rays"), 1e-9);
}

#[test]
fn a_ray_without_direction_meets_nothing() {
    let (model, mut data) = scene();
    let ray = Ray {
        origin: ORIGIN,
        direction: Vec3::ZERO,
    };
    let filter = RayFilter::default();
    assert_eq!(data.cast_ray(&model, &ray, &filter), Ok(None));
    let mut hits = [Some((
        7,
        Hit {
            distance: 1.0,
            normal: Vec3::ZERO,
        },
    ))];
    data.cast_rays(&model, ORIGIN, &[Vec3::ZERO], &filter, 9.0, &mut hits)
        .expect("fits");
    assert_eq!(hits, [None]);
    let short = data.cast_rays(&model, ORIGIN, &[Vec3::ZERO; 2], &filter, 9.0, &mut hits);
    assert!(short.is_err());
}
