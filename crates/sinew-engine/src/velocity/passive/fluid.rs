//! Forces of the surrounding fluid.
//!
//! Two models. *Inertia box*: the body is the box with its mass and inertia; viscous drag of the
//! equivalent sphere plus quadratic drag on the faces. *Ellipsoid*, per geom, where any geom of the
//! body asks for it: added mass, Magnus and Kutta lift, blunt and slender drag, angular drag and
//! Stokes viscosity of the ellipsoid with the geom's semi-axes. Velocities are relative to the wind
//! and in the frame of the box or geom. Conforms to MuJoCo's `mj_inertiaBoxFluidModel` and
//! `mj_ellipsoidFluidModel`.

use super::apply_wrench;
use crate::position::Position;
use crate::velocity::com::ComVelocity;
use crate::velocity::object::velocity_in_frame;
use core::f64::consts::PI;
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
pub(crate) fn has_fluid(model: &Model) -> bool {
    model.opt.viscosity != 0.0 || model.opt.density != 0.0
}

pub(crate) fn body_geoms(model: &Model, body: usize) -> core::ops::Range<usize> {
    match model.body_geomnum[body] as usize {
        0 => 0..0,
        count => {
            let first = model.body_geomadr[body] as usize;
            first..first + count
        }
    }
}

/// Whether some geom of the body asks for the ellipsoid model.
pub(crate) fn uses_ellipsoids(model: &Model, body: usize) -> bool {
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
pub(crate) fn box_of(model: &Model, body: usize) -> [f64; 3] {
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
    let (viscosity, density) = (model.opt.viscosity, model.opt.density);
    let [x, y, z] = box_of(model, body);
    let frame = (
        position.kinematics.xipos[body],
        &position.kinematics.ximat[body],
    );
    let v = relative_velocity(model, position, velocity, body, frame);
    let mut f = [0.0; 6];
    if viscosity > 0.0 {
        let diameter = (x + y + z) / 3.0;
        for k in 0..3 {
            f[k] = v[k] * (-PI * diameter * diameter * diameter * viscosity);
            f[k + 3] = v[k + 3] * (-3.0 * PI * diameter * viscosity);
        }
    }
    if density > 0.0 {
        f[3] -= 0.5 * density * y * z * v[3].abs() * v[3];
        f[4] -= 0.5 * density * x * z * v[4].abs() * v[4];
        f[5] -= 0.5 * density * x * y * v[5].abs() * v[5];
        let fourth = |a: f64| a * a * a * a;
        f[0] -= density * x * (fourth(y) + fourth(z)) * v[0].abs() * v[0] / 64.0;
        f[1] -= density * y * (fourth(x) + fourth(z)) * v[1].abs() * v[1] / 64.0;
        f[2] -= density * z * (fourth(x) + fourth(y)) * v[2].abs() * v[2] / 64.0;
    }
    apply_in_frame(model, position, body, frame, &f, qfrc);
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

/// Coefficients of a geom's interaction with the fluid.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Interaction {
    /// Scales everything.
    pub scale: f64,
    pub blunt_drag: f64,
    pub slender_drag: f64,
    pub angular_drag: f64,
    pub kutta_lift: f64,
    pub magnus_lift: f64,
    pub virtual_mass: Vec3,
    pub virtual_inertia: Vec3,
}

impl Interaction {
    pub(crate) fn of(fluid: &[f64; 12]) -> Self {
        let [
            scale,
            blunt_drag,
            slender_drag,
            angular_drag,
            kutta_lift,
            magnus_lift,
            rest @ ..,
        ] = *fluid;
        Interaction {
            scale,
            blunt_drag,
            slender_drag,
            angular_drag,
            kutta_lift,
            magnus_lift,
            virtual_mass: Vec3([rest[0], rest[1], rest[2]]),
            virtual_inertia: Vec3([rest[3], rest[4], rest[5]]),
        }
    }
}

/// Semi-axes of the ellipsoid that stands for a geom.
#[doc(alias = "mju_geomSemiAxes")]
pub(crate) fn semi_axes(model: &Model, geom: usize) -> [f64; 3] {
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
    let mut f = added_mass(&v, model.opt.density, &interaction);
    viscous(
        &v,
        (model.opt.density, model.opt.viscosity),
        semi_axes(model, geom),
        &interaction,
        &mut f,
    );
    for value in &mut f {
        *value *= interaction.scale;
    }
    apply_in_frame(model, position, body, frame, &f, qfrc);
}

/// Force of the fluid that moves along with the body, without its acceleration.
#[doc(alias = "mj_addedMassForces")]
fn added_mass(v: &Spatial, density: f64, interaction: &Interaction) -> Spatial {
    let (angular, linear) = (rotation(v), translation(v));
    let momentum = |inertia: Vec3, v: Vec3| {
        Vec3([
            density * inertia[0] * v[0],
            density * inertia[1] * v[1],
            density * inertia[2] * v[2],
        ])
    };
    let linear_momentum = momentum(interaction.virtual_mass, linear);
    let angular_momentum = momentum(interaction.virtual_inertia, angular);
    let torque = linear_momentum.cross(linear) + angular_momentum.cross(angular);
    sinew_math::spatial::spatial(torque, linear_momentum.cross(angular))
}

pub(crate) fn pow2(x: f64) -> f64 {
    x * x
}

pub(crate) fn pow4(x: f64) -> f64 {
    (x * x) * (x * x)
}

/// Largest moment of an ellipsoid's swept area about one of its axes.
pub(crate) fn max_moment(size: &[f64; 3], axis: usize) -> f64 {
    let (d0, d1, d2) = (size[axis], size[(axis + 1) % 3], size[(axis + 2) % 3]);
    8.0 / 15.0 * PI * d0 * pow4(d1.max(d2))
}

/// Adds lift and drag of an ellipsoid.
#[doc(alias = "mj_viscousForces")]
fn viscous(
    v: &Spatial,
    (density, viscosity): (f64, f64),
    size: [f64; 3],
    interaction: &Interaction,
    f: &mut Spatial,
) {
    let (angular, linear) = (rotation(v), translation(v));
    let volume = 4.0 / 3.0 * PI * size[0] * size[1] * size[2];
    let largest = size[0].max(size[1]).max(size[2]);
    let smallest = size[0].min(size[1]).min(size[2]);
    let middle = size[0] + size[1] + size[2] - largest - smallest;
    let max_area = PI * largest * middle;

    let magnus = angular.cross(linear) * (interaction.magnus_lift * density * volume);

    // The ellipsoid's shadow along the velocity and the normal of its cross-section.
    let [yz, zx, xy] = [size[1] * size[2], size[2] * size[0], size[0] * size[1]];
    let denominator =
        pow4(yz) * pow2(linear[0]) + pow4(zx) * pow2(linear[1]) + pow4(xy) * pow2(linear[2]);
    let numerator = pow2(yz * linear[0]) + pow2(zx * linear[1]) + pow2(xy * linear[2]);
    let area = PI * (denominator / numerator.max(MIN_VALUE)).sqrt();
    let normal = Vec3([
        pow2(yz) * linear[0],
        pow2(zx) * linear[1],
        pow2(xy) * linear[2],
    ]);
    let speed = linear.norm();
    let cosine = numerator / (speed * denominator).max(MIN_VALUE);
    let circulation = normal.cross(linear) * (interaction.kutta_lift * density * cosine * area);
    let kutta = circulation.cross(linear);

    // Stokes flow about the sphere of equal mean diameter.
    let diameter = 2.0 / 3.0 * (size[0] + size[1] + size[2]);
    let linear_viscous = 3.0 * PI * diameter;
    let angular_viscous = PI * diameter * diameter * diameter;

    let max_inertia = 8.0 / 15.0 * PI * middle * pow4(largest);
    let mut moment = Vec3::ZERO;
    for k in 0..3 {
        let inertia = max_moment(&size, k);
        moment[k] = angular[k]
            * (interaction.angular_drag * inertia
                + interaction.slender_drag * (max_inertia - inertia));
    }
    let linear_drag = viscosity * linear_viscous
        + density
            * speed
            * (area * interaction.blunt_drag + interaction.slender_drag * (max_area - area));
    let angular_drag = viscosity * angular_viscous + density * moment.norm();
    for k in 0..3 {
        f[k] -= angular_drag * angular[k];
        f[k + 3] += magnus[k] + kutta[k] - linear_drag * linear[k];
    }
}
