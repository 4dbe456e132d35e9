//! Forces of the surrounding fluid.
//!
//! A body is the box with its mass and inertia, or each of its geoms an ellipsoid, where any of them asks for it. The
//! arithmetic is [`sinew_dynamics::fluid`]'s. Velocities are relative to the wind and in the frame of the box or geom.

use super::apply_wrench;
use crate::position::Position;
use crate::velocity::com::ComVelocity;
use crate::velocity::object::velocity_in_frame;
pub(crate) use sinew_dynamics::fluid::Interaction;
use sinew_dynamics::fluid::{Medium, on_box, on_ellipsoid};
use sinew_math::spatial::{Spatial, rotation, translation};
use sinew_math::{MIN_VALUE, Mat3, Vec3};
use sinew_model::Model;
use sinew_model::kinds::GeomType;

/// Adds the fluid forces on all bodies; false if there is no fluid.
pub(super) fn compute(
    model: &Model,
    position: &Position,
    velocity: &ComVelocity,
    qfrc: &mut [f64],
) -> bool {
    if !has_fluid(model) {
        return false;
    }
    for body in 0..model.nbody {
        if model.body_mass[body] < MIN_VALUE {
            continue;
        }
        if uses_ellipsoids(model, body) {
            for geom in body_geoms(model, body) {
                if model.geom_fluid[geom][0] != 0.0 {
                    ellipsoid(model, position, velocity, (body, geom), qfrc);
                }
            }
        } else {
            inertia_box(model, position, velocity, body, qfrc);
        }
    }
    true
}

/// Whether the surroundings have density or viscosity.
pub fn has_fluid(model: &Model) -> bool {
    model.opt.viscosity != 0.0 || model.opt.density != 0.0
}

/// The geoms of a body.
pub fn body_geoms(model: &Model, body: usize) -> core::ops::Range<usize> {
    match model.body_geomnum[body] as usize {
        0 => 0..0,
        count => {
            let first = model.body_geomadr[body] as usize;
            first..first + count
        }
    }
}

/// Whether some geom of the body asks for the ellipsoid model.
pub fn uses_ellipsoids(model: &Model, body: usize) -> bool {
    body_geoms(model, body).any(|geom| model.geom_fluid[geom][0] > 0.0)
}

/// Velocity of a frame relative to the fluid, in the frame's axes.
pub(crate) fn relative_velocity(
    model: &Model,
    position: &Position,
    velocity: &ComVelocity,
    body: usize,
    (point, axes): (Vec3, &Mat3),
) -> Spatial {
    let mut v = velocity_in_frame(model, &position.com, velocity, body, (point, axes));
    let wind = axes.transpose_mul(model.opt.wind);
    for k in 0..3 {
        v[3 + k] -= wind[k];
    }
    v
}

/// Edge lengths of the box with the mass and inertia of a body.
pub fn box_of(model: &Model, body: usize) -> [f64; 3] {
    let (inertia, mass) = (model.body_inertia[body], model.body_mass[body]);
    let edge = |a: usize, b: usize, c: usize| {
        ((inertia[a] + inertia[b] - inertia[c]).max(MIN_VALUE) / mass * 6.0).sqrt()
    };
    [edge(1, 2, 0), edge(0, 2, 1), edge(0, 1, 2)]
}

fn inertia_box(
    model: &Model,
    position: &Position,
    velocity: &ComVelocity,
    body: usize,
    qfrc: &mut [f64],
) {
    let frame = (
        position.kinematics.xipos[body],
        &position.kinematics.ximat[body],
    );
    let v = relative_velocity(model, position, velocity, body, frame);
    let f = on_box(&v, medium(model), box_of(model, body));
    apply_in_frame(model, position, body, frame, &f, qfrc);
}

/// The fluid of a model.
pub fn medium(model: &Model) -> Medium {
    Medium {
        density: model.opt.density,
        viscosity: model.opt.viscosity,
    }
}

fn apply_in_frame(
    model: &Model,
    position: &Position,
    body: usize,
    (point, axes): (Vec3, &Mat3),
    f: &Spatial,
    qfrc: &mut [f64],
) {
    let (torque, force) = (*axes * rotation(f), *axes * translation(f));
    apply_wrench(model, &position.com, (body, point), (force, torque), qfrc);
}

/// Semi-axes of the ellipsoid that stands for a geom.
#[doc(alias = "mju_geomSemiAxes")]
pub fn semi_axes(model: &Model, geom: usize) -> [f64; 3] {
    let size = model.geom_size[geom];
    match GeomType::from_code(model.geom_type[geom]) {
        Some(GeomType::Sphere) => [size[0]; 3],
        Some(GeomType::Capsule) => [size[0], size[0], size[1] + size[0]],
        Some(GeomType::Cylinder) => [size[0], size[0], size[1]],
        _ => size,
    }
}

fn ellipsoid(
    model: &Model,
    position: &Position,
    velocity: &ComVelocity,
    (body, geom): (usize, usize),
    qfrc: &mut [f64],
) {
    let interaction = Interaction::of(&model.geom_fluid[geom]);
    let frame = (
        position.kinematics.geom_xpos[geom],
        &position.kinematics.geom_xmat[geom],
    );
    let v = relative_velocity(model, position, velocity, body, frame);
    let axes = semi_axes(model, geom);
    let f = on_ellipsoid(&v, medium(model), axes, &interaction);
    apply_in_frame(model, position, body, frame, &f, qfrc);
}
