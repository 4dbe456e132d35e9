//! Contact forces as pyramids, muscles, rays against one shape.

// The functions carry the reference's names.
#![allow(non_snake_case)]

use crate::argument::functions;
use crate::array::{Fixed, Numbers, Target, Vector};
use crate::failure::wrong_call;
use crate::ray::distance_and_normal;
use sinew::collision::ray::{Pose, Ray};
use sinew::engine::acceleration::muscle;
use sinew::engine::ray::against_shape;
use sinew::math::{Mat3, Real, Vec3};
use sinew::model::kinds::GeomType;

/// The parameters of a muscle, filled up.
fn filled<const N: usize>(prm: [f64; N]) -> [f64; 10] {
    let mut all = [0.0; 10];
    all[..N].copy_from_slice(&prm);
    all
}

functions! {
    /// Forces along the edges of a friction pyramid that add up to a contact force.
    fn mju_encodePyramid(pyramid: Target, force: Numbers, mu: Numbers) {
        let friction = mu.slice();
        let tangents = friction.len();
        let force = force.exactly(tangents + 1)?;
        let share = force[0] / tangents as f64;
        let mut found = Vec::with_capacity(2 * tangents);
        for (tangent, coefficient) in force[1..].iter().zip(friction) {
            let difference = share.min(tangent / coefficient);
            found.extend([0.5 * (share + difference), 0.5 * (share - difference)]);
        }
        pyramid.put(&found)
    }

    /// The contact force of forces along the edges of a friction pyramid.
    fn mju_decodePyramid(force: Target, pyramid: Numbers, mu: Numbers) {
        let friction = mu.slice();
        if friction.is_empty() {
            let normal = pyramid.exactly(1)?[0];
            return force.put(&[normal]);
        }
        let (edges, _) = pyramid.exactly(2 * friction.len())?.as_chunks::<2>();
        let mut found = vec![edges.as_flattened().iter().fold(0.0, |sum, edge| sum + edge)];
        found.extend(edges.iter().zip(friction).map(|(edge, mu)| (edge[0] - edge[1]) * mu));
        force.put(&found)
    }

    /// Position after a time of a unit mass on a spring and a damper.
    fn mju_springDamper(pos0: f64, vel0: f64, Kp: f64, Kv: f64, dt: f64) -> f64 {
        let determinant = Kv * Kv - 4.0 * Kp;
        if determinant > 1e-15 {
            let root = determinant.sqrt();
            let (fast, slow) = ((-Kv - root) / 2.0, (-Kv + root) / 2.0);
            let of_fast = (pos0 * slow - vel0) / root;
            let of_slow = (vel0 - pos0 * fast) / root;
            return Ok(of_fast * Real::exp(fast * dt) + of_slow * Real::exp(slow * dt));
        }
        let decay = Real::exp(-Kv / 2.0 * dt);
        let drift = vel0 + pos0 * Kv / 2.0;
        if determinant > -1e-15 {
            return Ok(decay * (pos0 + drift * dt));
        }
        let frequency = (-determinant).sqrt() / 2.0;
        let (sine, cosine) = Real::sin_cos(frequency * dt);
        Ok(decay * (pos0 * cosine + drift / frequency * sine))
    }

    /// A smooth step from 0 at 0 to 1 at 1, of order 5.
    fn mju_sigmoid(x: f64) -> f64 { Ok(muscle::sigmoid(x)) }

    /// Active force of a muscle at full activation, which pulls: it is not positive.
    fn mju_muscleGain(len: f64, vel: f64, lengthrange: Vector<2>, acc0: f64, prm: Vector<9>) -> f64 {
        Ok(muscle::gain(len, vel, lengthrange.0, acc0, &filled(prm.0)))
    }

    /// Passive force of a muscle.
    fn mju_muscleBias(len: f64, lengthrange: Vector<2>, acc0: f64, prm: Vector<9>) -> f64 {
        Ok(muscle::bias(len, lengthrange.0, acc0, &filled(prm.0)))
    }

    /// Rate of a muscle's activation.
    fn mju_muscleDynamics(ctrl: f64, act: f64, prm: Vector<3>) -> f64 {
        Ok(muscle::activation_rate(ctrl, act, &filled(prm.0)))
    }

    /// How far a ray goes until it meets a primitive shape, in units of ``vec``; -1 if it does not.
    fn mju_rayGeom(
        pos: Vector<3>, mat: Vector<9>, size: Vector<3>, pnt: Vector<3>, vec: Vector<3>, geomtype: i32,
        normal: Option<Fixed<3>> = None,
    ) -> f64 {
        let primitive = GeomType::from_code(geomtype).filter(|kind| {
            use GeomType::{Box, Capsule, Cylinder, Ellipsoid, Plane, Sphere};
            matches!(kind, Plane | Sphere | Capsule | Ellipsoid | Cylinder | Box)
        });
        let Some(primitive) = primitive else {
            let message = format!("{geomtype} is no mjtGeom of a plane, sphere, capsule, … or box");
            return Err(wrong_call(message));
        };
        let ray = Ray { origin: Vec3(pnt.0), direction: Vec3(vec.0) };
        let mat = Mat3(mat.0);
        let pose = Pose { pos: Vec3(pos.0), mat: &mat };
        distance_and_normal(against_shape(primitive, &ray, pose, size.0), normal.as_ref())
    }
}
