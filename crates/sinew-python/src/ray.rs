//! Rays through the world of a simulation.

use crate::data::NativeData;
use crate::model::NativeModel;
use crate::query::{ask, check_length, index, wrong_call};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use sinew::collision::ray::{Hit, Ray};
use sinew::engine::ray::{FlexParts, RayFilter, against_geom, counts};
use sinew::math::Vec3;

/// Distance (−1: nothing met), geom or vertex (−1) and normal.
type Answer = (f64, i32, [f64; 3]);

/// Groups that count, whether static geoms are left out, a body that is (−1: none), a cutoff.
type Filter = (Option<[u8; 6]>, bool, i64, Option<f64>);

/// What rays from one point meet, in units of each direction's length.
#[pyfunction]
pub fn rays(
    model: &Bound<'_, NativeModel>,
    data: &Bound<'_, NativeData>,
    origin: [f64; 3],
    directions: Vec<f64>,
    filter: Filter,
) -> PyResult<Vec<Answer>> {
    let (groups, skips_static, excluded_body, cutoff) = filter;
    check_length("vec", directions.len() % 3, 0)?;
    if directions.chunks_exact(3).any(is_too_short) {
        return Err(PyValueError::new_err(
            "a ray needs a direction with a length",
        ));
    }
    let filter = RayFilter {
        groups: groups.map(|groups| groups.map(|is_in| is_in != 0)),
        skips_static,
        excluded_body: usize::try_from(excluded_body).ok(),
    };
    ask(model, data, |model, data| {
        let kinematics = &data.position.kinematics;
        let origin = Vec3(origin);
        // Beyond the cutoff a geom is left out by its bounding sphere, not by where a ray meets it.
        let is_near = |geom: usize| {
            let offset = kinematics.geom_xpos[geom] - origin;
            let reach = cutoff.map(|cutoff| cutoff + model.geom_rbound[geom]);
            reach.is_none_or(|reach| offset.norm() <= reach)
        };
        let geoms: Vec<usize> = (0..model.ngeom)
            .filter(|&geom| counts(model, geom, &filter) && is_near(geom))
            .collect();
        let mut stack = Vec::new();
        let mut shoot = |direction: &[f64]| {
            let direction = Vec3([direction[0], direction[1], direction[2]]);
            let ray = Ray { origin, direction };
            let mut nearest = (-1.0, -1, [0.0; 3]);
            for &geom in &geoms {
                match against_geom(model, kinematics, geom, &ray, &mut stack) {
                    Some(hit) if nearest.1 < 0 || hit.distance < nearest.0 => {
                        nearest = (hit.distance, geom as i32, hit.normal.0);
                    }
                    _ => {}
                }
            }
            nearest
        };
        Ok(directions.chunks_exact(3).map(&mut shoot).collect())
    })
}

fn is_too_short(direction: &[f64]) -> bool {
    let length: f64 = direction.iter().map(|x| x * x).sum::<f64>().sqrt();
    length.is_nan() || length < 1e-15
}

/// Where a ray meets one geom: distance (−1: not at all) and normal.
#[pyfunction]
pub fn ray_against_geom(
    model: &Bound<'_, NativeModel>,
    data: &Bound<'_, NativeData>,
    geom: i64,
    origin: [f64; 3],
    direction: [f64; 3],
) -> PyResult<(f64, [f64; 3])> {
    ask(model, data, |model, data| {
        let geom = index("geom", geom, model.ngeom)?;
        let ray = Ray {
            origin: Vec3(origin),
            direction: Vec3(direction),
        };
        let kinematics = &data.position.kinematics;
        let hit: Option<Hit> = against_geom(model, kinematics, geom, &ray, &mut Vec::new());
        Ok(hit.map_or((-1.0, [0.0; 3]), |hit| (hit.distance, hit.normal.0)))
    })
}

/// Where a ray, given by origin and direction, meets one flex: distance (−1: not at all), nearest vertex and normal. The
/// parts are the layer of faces, then flags for vertices, edges, faces and the surface.
#[pyfunction]
pub fn ray_against_flex(
    model: &Bound<'_, NativeModel>,
    data: &Bound<'_, NativeData>,
    flex: i64,
    parts: (i32, bool, bool, bool, bool),
    ray: ([f64; 3], [f64; 3]),
) -> PyResult<Answer> {
    let (layer, vertices, edges, faces, skin) = parts;
    let (origin, direction) = ray;
    ask(model, data, |model, data| {
        let flex = index("flex", flex, model.nflex)?;
        let ray = Ray {
            origin: Vec3(origin),
            direction: Vec3(direction),
        };
        let parts = FlexParts {
            vertices,
            edges,
            faces,
            layer,
            skin,
        };
        let hit = data.cast_ray_at_flex(model, &ray, flex, parts);
        let hit = hit.map_err(wrong_call)?;
        Ok(hit.map_or((-1.0, -1, [0.0; 3]), |(vertex, hit)| {
            (hit.distance, vertex, hit.normal.0)
        }))
    })
}
