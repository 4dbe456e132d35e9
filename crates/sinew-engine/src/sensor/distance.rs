//! Smallest distance between two geoms, or between any geoms of two bodies, up to the cutoff.

use crate::data::Data;
use crate::position::contact::GeomDistance;
use core::ops::Range;
use sinew_math::Vec3;
use sinew_model::Model;
use sinew_model::kinds::{ObjectType, SensorType};

pub(super) fn compute(
    model: &Model,
    data: &mut Data,
    sensor: usize,
    kind: SensorType,
    out: &mut [f64],
) {
    let cutoff = model.sensor_cutoff[sensor];
    let first = geoms(
        model,
        model.sensor_objtype[sensor],
        model.sensor_objid[sensor],
    );
    let second = geoms(
        model,
        model.sensor_reftype[sensor],
        model.sensor_refid[sensor],
    );
    let mut nearest = GeomDistance {
        dist: cutoff,
        fromto: [Vec3::ZERO; 2],
    };
    let position = &mut data.position;
    for geom1 in first {
        for geom2 in second.clone() {
            let (contacts, kinematics) = (&mut position.contacts, &position.kinematics);
            let found = contacts.distance(model, kinematics, geom1, geom2, cutoff);
            if found.dist < nearest.dist {
                nearest = found;
            }
        }
    }
    let [from, to] = nearest.fromto;
    match kind {
        SensorType::Geomdist => out[0] = nearest.dist,
        SensorType::Geomnormal => {
            let segment = to - from;
            let is_point = segment == Vec3::ZERO;
            let normal = if is_point {
                segment
            } else {
                segment.normalized()
            };
            out.copy_from_slice(&normal.0);
        }
        _ => {
            out[..3].copy_from_slice(&from.0);
            out[3..].copy_from_slice(&to.0);
        }
    }
}

/// A geom, or all geoms of a body.
fn geoms(model: &Model, kind: i32, id: i32) -> Range<usize> {
    let Ok(id) = usize::try_from(id) else {
        return 0..0;
    };
    if kind != ObjectType::Body.code() {
        return id..id + 1;
    }
    match usize::try_from(model.body_geomadr[id]) {
        Ok(start) => start..start + model.body_geomnum[id] as usize,
        Err(_) => 0..0,
    }
}
