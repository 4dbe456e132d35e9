//! Rays through the world of a simulation.

// The functions carry the reference's names.
#![allow(non_snake_case)]

use crate::argument::{DataObject, Flag, ModelObject, functions};
use crate::array::{Fixed, Groups, Numbers, Target, Vector};
use crate::failure;
use crate::query::{index, look, wrong_call};
use crate::room;
use pyo3::prelude::*;
use sinew::collision::ray::{Hit, Ray};
use sinew::engine::Data;
use sinew::engine::ray::{FlexParts, RayFilter, against_geom, counts};
use sinew::math::Vec3;
use sinew::model::Model;
use sinew::model::kinds::GeomType;

/// What a ray meets: distance (−1: nothing), geom (−1) and normal.
type Answer = (f64, i32, [f64; 3]);

/// What rays from one point meet, in units of each direction's length. Beyond a cutoff geoms are not met.
fn shoot(
    (model, data): (&Model, &Data),
    origin: Vec3,
    directions: &[f64],
    filter: &RayFilter,
    cutoff: Option<f64>,
) -> PyResult<Vec<Answer>> {
    let (directions, _) = directions.as_chunks::<3>();
    if directions.iter().any(is_too_short) {
        let message = "a ray needs a direction with a length";
        return Err(failure::wrong_call(message));
    }
    room::check_numbers(12 * directions.len(), "answers of rays")?;
    let kinematics = &data.position.kinematics;
    // Beyond the cutoff a geom is left out by its bounding sphere, not by where a ray meets it.
    let is_near = |geom: usize| {
        let offset = kinematics.geom_xpos[geom] - origin;
        let reach = cutoff.map(|cutoff| cutoff + model.geom_rbound[geom]);
        reach.is_none_or(|reach| offset.norm() <= reach)
    };
    let geoms: Vec<usize> = (0..model.ngeom)
        .filter(|&geom| counts(model, geom, filter) && is_near(geom))
        .collect();
    let mut stack = Vec::new();
    let mut nearest_along = |direction: &[f64; 3]| {
        let ray = Ray {
            origin,
            direction: Vec3(*direction),
        };
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
    Ok(directions.iter().map(&mut nearest_along).collect())
}

fn is_too_short(direction: &[f64; 3]) -> bool {
    let length: f64 = direction.iter().map(|x| x * x).sum::<f64>().sqrt();
    length.is_nan() || length < 1e-15
}

/// Which geoms count.
fn filter(geomgroup: Option<Groups>, flg_static: &Flag, bodyexclude: i64) -> RayFilter {
    RayFilter {
        groups: geomgroup.map(|groups| groups.0),
        skips_static: !flg_static.0,
        excluded_body: usize::try_from(bodyexclude).ok(),
    }
}

/// Writes the normal where a ray has met something, and returns how far it went; −1 if it met nothing.
pub fn distance_and_normal(hit: Option<Hit>, normal: Option<&Fixed<3>>) -> PyResult<f64> {
    let (distance, found) = hit.map_or((-1.0, [0.0; 3]), |hit| (hit.distance, hit.normal.0));
    normal.map_or(Ok(()), |normal| normal.put(found))?;
    Ok(distance)
}

/// How far a ray goes until it meets a geom of one type.
fn against_one(
    (m, d): (&ModelObject, &DataObject),
    geomid: i64,
    kind: GeomType,
    ray: &Ray,
    normal: Option<&Fixed<3>>,
) -> PyResult<f64> {
    drop(m.checked_for_rays()?);
    let hit = look(m, d, |model, data| {
        let geom = index("geom", geomid, model.ngeom)?;
        if model.geom_type[geom] != kind as i32 {
            let wanted = format!("{kind:?}").to_uppercase();
            return Err(failure::wrong_call(format!(
                "geom {geom} is no mjGEOM_{wanted}"
            )));
        }
        let kinematics = &data.position.kinematics;
        Ok(against_geom(model, kinematics, geom, ray, &mut Vec::new()))
    })?;
    distance_and_normal(hit, normal)
}

/// A ray from what the caller gives.
fn ray(pnt: &Vector<3>, vec: &Vector<3>) -> Ray {
    Ray {
        origin: Vec3(pnt.0),
        direction: Vec3(vec.0),
    }
}

functions! {
    /// How far a ray goes until it meets a geom, in units of ``vec``; -1 if it meets none.
    ///
    /// ``geomgroup`` chooses groups by six flags; geoms of bodies that cannot move count only if ``flg_static``; those
    /// of the body ``bodyexclude`` do not. The geom met goes to ``geomid``, the surface normal there to ``normal``.
    fn mj_ray(
        m: ModelObject, d: DataObject, pnt: Vector<3>, vec: Vector<3>, geomgroup: Option<Groups>, flg_static: Flag,
        bodyexclude: i64, geomid: Option<Fixed<1, i32>>, normal: Option<Fixed<3>> = None,
    ) -> f64 {
        let filter = filter(geomgroup, &flg_static, bodyexclude);
        drop(m.checked_for_rays()?);
        let answers = look(&m, &d, |model, data| shoot((model, data), Vec3(pnt.0), &vec.0, &filter, None))?;
        let (distance, geom, surface) = answers[0];
        geomid.map_or(Ok(()), |geomid| geomid.put([geom]))?;
        normal.map_or(Ok(()), |normal| normal.put(surface))?;
        Ok(distance)
    }

    /// Several rays from one point. Geoms whose bounding sphere is farther than ``cutoff`` are not met.
    fn mj_multiRay(
        m: ModelObject, d: DataObject, pnt: Vector<3>, vec: Numbers, geomgroup: Option<Groups>, flg_static: Flag,
        bodyexclude: i64, geomid: Target<i32>, dist: Target, normal: Option<Target>, nray: usize, cutoff: f64,
    ) {
        let directions = vec.exactly(3 * nray)?;
        geomid.fits(nray)?;
        dist.fits(nray)?;
        normal.as_ref().map_or(Ok(()), |normal| normal.fits(3 * nray))?;
        let filter = filter(geomgroup, &flg_static, bodyexclude);
        drop(m.checked_for_rays()?);
        let answers = look(&m, &d, |model, data| {
            shoot((model, data), Vec3(pnt.0), directions, &filter, Some(cutoff))
        })?;
        dist.put(&answers.iter().map(|answer| answer.0).collect::<Vec<_>>())?;
        geomid.put(&answers.iter().map(|answer| answer.1).collect::<Vec<_>>())?;
        let normals = || answers.iter().flat_map(|answer| answer.2).collect::<Vec<_>>();
        normal.map_or(Ok(()), |normal| normal.put(&normals()))
    }

    /// How far a ray goes until it meets a mesh geom; -1 if it does not.
    fn mj_rayMesh(
        m: ModelObject, d: DataObject, geomid: i64, pnt: Vector<3>, vec: Vector<3>, normal: Option<Fixed<3>> = None,
    ) -> f64 {
        against_one((&m, &d), geomid, GeomType::Mesh, &ray(&pnt, &vec), normal.as_ref())
    }

    /// How far a ray goes until it meets a height field; -1 if it does not.
    fn mj_rayHfield(
        m: ModelObject, d: DataObject, geomid: i64, pnt: Vector<3>, vec: Vector<3>, normal: Option<Fixed<3>> = None,
    ) -> f64 {
        against_one((&m, &d), geomid, GeomType::Hfield, &ray(&pnt, &vec), normal.as_ref())
    }

    /// How far a ray goes until it meets a flex; -1 if it does not.
    ///
    /// Flags choose vertices, edges, faces (of a solid: in the layer ``flex_layer``) or the whole surface. The nearest
    /// vertex goes to ``vertid``, the surface normal there to ``normal``.
    fn mj_rayFlex(
        m: ModelObject, d: DataObject, flex_layer: i32, flg_vert: Flag, flg_edge: Flag, flg_face: Flag, flg_skin: Flag,
        flexid: i64, pnt: Vector<3>, vec: Vector<3>, vertid: Option<Fixed<1, i32>> = None,
        normal: Option<Fixed<3>> = None,
    ) -> f64 {
        let parts = FlexParts {
            vertices: flg_vert.0,
            edges: flg_edge.0,
            faces: flg_face.0,
            layer: flex_layer,
            skin: flg_skin.0,
        };
        let met = look(&m, &d, |model, data| {
            let flex = index("flex", flexid, model.nflex)?;
            data.cast_ray_at_flex(model, &ray(&pnt, &vec), flex, parts).map_err(wrong_call)
        })?;
        if let (Some(vertid), Some((vertex, _))) = (vertid, met.as_ref()) {
            vertid.put([*vertex])?;
        }
        distance_and_normal(met.map(|(_, hit)| hit), normal.as_ref())
    }
}
