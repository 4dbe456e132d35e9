//! Touch spread over a surface: one taxel for each vertex of a mesh that is fixed to a geom.
//!
//! For every geom that touches the geom's rigid assembly, a taxel reads how deep it lies inside
//! that geom as a pressure, and how fast it slides along its two tangents. Channels are stored one
//! after the other, each with one number per taxel. Conforms to the tactile sensor of MuJoCo's
//! `mj_sensorAcc`.

use crate::data::Data;
use sinew_collision::sdf::octree::Octree;
use sinew_collision::sdf::primitive;
use sinew_math::spatial::{shift_motion, translation};
use sinew_math::{MIN_VALUE, Vec3};
use sinew_model::Model;
use sinew_model::kinds::GeomType;

/// Depth that would need an infinite pressure if it were positive.
const DEPTH_SCALE: f64 = 0.05;

pub(super) fn compute(model: &Model, data: &mut Data, sensor: usize, out: &mut [f64]) {
    out.fill(0.0);
    let mesh = model.sensor_objid[sensor] as usize;
    let geom = model.sensor_refid[sensor] as usize;
    let assembly = model.body_weldid[model.geom_bodyid[geom] as usize];
    let mut touched = core::mem::take(&mut data.scratch.stack);
    collect_touched(model, data, assembly, &mut touched);
    for &other in &touched {
        press(model, data, mesh, geom, other as usize, out);
    }
    data.scratch.stack = touched;
}

/// Geoms in contact with a rigid assembly of bodies, each once, in order of the contacts.
fn collect_touched(model: &Model, data: &Data, assembly: i32, out: &mut Vec<i32>) {
    out.clear();
    for contact in &data.position.contacts.contact {
        for (side, other) in [(0, contact.geom[1]), (1, contact.geom[0])] {
            let mut bodies = contact.bodies(model, side);
            let is_touched = bodies.any(|(body, _)| model.body_weldid[body] == assembly);
            if is_touched && other >= 0 && !out.contains(&other) {
                out.push(other);
            }
        }
    }
}

/// Writes the taxels that lie inside another geom; the last geom that a taxel lies in counts.
fn press(model: &Model, data: &Data, mesh: usize, geom: usize, other: usize, out: &mut [f64]) {
    let k = &data.position.kinematics;
    let velocity_of = |body: usize, point: Vec3| {
        let origin = data.position.com.subtree_com[model.body_rootid[body] as usize];
        translation(&shift_motion(&data.velocity.com.cvel[body], point, origin))
    };
    let assembly = model.body_weldid[model.geom_bodyid[geom] as usize] as usize;
    let other_velocity = velocity_of(model.geom_bodyid[other] as usize, k.geom_xpos[other]);
    let taxels = model.mesh_vertnum[mesh] as usize;
    let first = model.mesh_vertadr[mesh] as usize;
    let first_normal = model.mesh_normaladr[mesh] as usize;
    let wide = |v: [f32; 3]| Vec3([f64::from(v[0]), f64::from(v[1]), f64::from(v[2])]);

    for taxel in 0..taxels {
        let vertex = wide(model.mesh_vert[first + taxel]);
        let point = k.geom_xmat[geom] * vertex + k.geom_xpos[geom];
        let in_other = k.geom_xmat[other].transpose_mul(point - k.geom_xpos[other]);
        let Some(depth) = distance(model, other, in_other) else {
            return;
        };
        if depth.is_nan() || depth >= 0.0 {
            continue;
        }
        let velocity = velocity_of(assembly, point) - other_velocity;
        // Normal and two tangents of each taxel stand one after the other.
        let axis = |which: usize| {
            let normal = model.mesh_normal.get(first_normal + 3 * taxel + which);
            let normal = normal.map_or(Vec3::ZERO, |&normal| wide(normal));
            if normal == Vec3::ZERO {
                normal
            } else {
                model.mesh_quat[mesh].rotate(normal)
            }
        };
        let normal = axis(0);
        let pressure = depth / (DEPTH_SCALE - depth).max(MIN_VALUE);
        let values = [
            (normal * pressure).dot(normal),
            velocity.dot(axis(1)).abs(),
            velocity.dot(axis(2)).abs(),
        ];
        for (channel, value) in values.into_iter().enumerate() {
            if let Some(out) = out.get_mut(channel * taxels + taxel) {
                *out = value;
            }
        }
    }
}

/// Signed distance of a point in a geom's frame; `None` for geoms that know none.
fn distance(model: &Model, geom: usize, point: Vec3) -> Option<f64> {
    let size = model.geom_size[geom];
    Some(match GeomType::from_code(model.geom_type[geom])? {
        GeomType::Plane => primitive::plane(point),
        GeomType::Sphere => primitive::sphere(point, size[0]),
        GeomType::Capsule => primitive::capsule(point, size),
        GeomType::Ellipsoid => primitive::ellipsoid(point, size),
        GeomType::Cylinder => primitive::cylinder(point, size),
        GeomType::Box => primitive::cuboid(point, size),
        GeomType::Mesh => {
            let mesh = usize::try_from(model.geom_dataid[geom]).ok()?;
            let start = usize::try_from(model.mesh_octadr[mesh]).ok()?;
            let tree = Octree {
                child: &model.oct_child[start..],
                aabb: &model.oct_aabb[start..],
                coeff: &model.oct_coeff[start..],
            };
            tree.distance(point)?
        }
        _ => return None,
    })
}
