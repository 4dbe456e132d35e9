//! Forces of the surrounding fluid on a body or geom, from its velocity in its own frame.
//!
//! Two models. *Inertia box*: the body is the box with its mass and inertia; viscous drag of the
//! equivalent sphere plus quadratic drag on the faces. *Ellipsoid*, per geom: added mass, Magnus and Kutta lift, blunt
//! and slender drag, angular drag and Stokes viscosity of the ellipsoid with the geom's semi-axes. Conforms to MuJoCo's
//! `mj_inertiaBoxFluidModel` and `mj_ellipsoidFluidModel`.

use core::f64::consts::PI;
use sinew_math::spatial::{Spatial, rotation, spatial, translation};
use sinew_math::{Lift, MIN_VALUE, Real, Vec3};

/// What surrounds bodies.
#[derive(Clone, Copy, Debug)]
pub struct Medium {
    /// Mass per volume.
    pub density: f64,
    /// How it resists being sheared.
    pub viscosity: f64,
}

/// Coefficients of a geom's interaction with the fluid.
#[derive(Clone, Copy, Debug)]
pub struct Interaction {
    /// Scales everything.
    pub scale: f64,
    /// Drag across the velocity.
    pub blunt_drag: f64,
    /// Drag along the velocity.
    pub slender_drag: f64,
    /// Drag of turning.
    pub angular_drag: f64,
    /// Lift of a tilted body.
    pub kutta_lift: f64,
    /// Lift of a spinning body.
    pub magnus_lift: f64,
    /// Mass of the fluid that moves along.
    pub virtual_mass: Vec3,
    /// Inertia of the fluid that turns along.
    pub virtual_inertia: Vec3,
}

impl Interaction {
    /// The coefficients in the order in which a model has them.
    pub fn of(fluid: &[f64; 12]) -> Self {
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

/// Torque and force on a box with the given edges.
#[inline(always)]
pub fn on_box<T: Real>(v: &Spatial<T>, medium: Medium, [x, y, z]: [f64; 3]) -> Spatial<T> {
    let Medium { density, viscosity } = medium;
    let mut f = [T::ZERO; 6];
    if viscosity > 0.0 {
        let diameter = (x + y + z) / 3.0;
        let turning = T::from_f64(-PI * diameter * diameter * diameter * viscosity);
        let moving = T::from_f64(-3.0 * PI * diameter * viscosity);
        for k in 0..3 {
            f[k] = v[k] * turning;
            f[k + 3] = v[k + 3] * moving;
        }
    }
    if density > 0.0 {
        let fourth = |a: f64| a * a * a * a;
        f[3] -= T::from_f64(0.5 * density * y * z) * v[3].abs() * v[3];
        f[4] -= T::from_f64(0.5 * density * x * z) * v[4].abs() * v[4];
        f[5] -= T::from_f64(0.5 * density * x * y) * v[5].abs() * v[5];
        let share = T::from_f64(64.0);
        f[0] -= T::from_f64(density * x * (fourth(y) + fourth(z))) * v[0].abs() * v[0] / share;
        f[1] -= T::from_f64(density * y * (fourth(x) + fourth(z))) * v[1].abs() * v[1] / share;
        f[2] -= T::from_f64(density * z * (fourth(x) + fourth(y))) * v[2].abs() * v[2] / share;
    }
    f
}

/// Torque and force on an ellipsoid with the given semi-axes.
#[inline(always)]
pub fn on_ellipsoid<T: Real>(
    v: &Spatial<T>,
    medium: Medium,
    size: [f64; 3],
    interaction: &Interaction,
) -> Spatial<T> {
    let mut f = added_mass(v, medium.density, interaction);
    viscous(v, medium, size, interaction, &mut f);
    for value in &mut f {
        *value *= T::from_f64(interaction.scale);
    }
    f
}

/// Force of the fluid that moves along with the body, without its acceleration.
#[doc(alias = "mj_addedMassForces")]
#[inline(always)]
fn added_mass<T: Real>(v: &Spatial<T>, density: f64, interaction: &Interaction) -> Spatial<T> {
    let (angular, linear) = (rotation(v), translation(v));
    let linear_momentum = momentum(density, interaction.virtual_mass, linear);
    let angular_momentum = momentum(density, interaction.virtual_inertia, angular);
    let torque = linear_momentum.cross(linear) + angular_momentum.cross(angular);
    spatial(torque, linear_momentum.cross(angular))
}

#[inline(always)]
fn momentum<T: Real>(density: f64, inertia: Vec3, v: Vec3<T>) -> Vec3<T> {
    Vec3([
        T::from_f64(density * inertia[0]) * v[0],
        T::from_f64(density * inertia[1]) * v[1],
        T::from_f64(density * inertia[2]) * v[2],
    ])
}

/// x²
#[inline(always)]
pub fn pow2<T: Real>(x: T) -> T {
    x * x
}

/// x⁴
#[inline(always)]
pub fn pow4(x: f64) -> f64 {
    (x * x) * (x * x)
}

/// Largest moment of an ellipsoid's swept area about one of its axes.
pub fn max_moment(size: &[f64; 3], axis: usize) -> f64 {
    let (d0, d1, d2) = (size[axis], size[(axis + 1) % 3], size[(axis + 2) % 3]);
    8.0 / 15.0 * PI * d0 * pow4(d1.max(d2))
}

/// Adds lift and drag of an ellipsoid.
#[doc(alias = "mj_viscousForces")]
#[inline(always)]
fn viscous<T: Real>(
    v: &Spatial<T>,
    medium: Medium,
    size: [f64; 3],
    interaction: &Interaction,
    f: &mut Spatial<T>,
) {
    let Medium { density, viscosity } = medium;
    let (angular, linear) = (rotation(v), translation(v));
    let volume = 4.0 / 3.0 * PI * size[0] * size[1] * size[2];
    let largest = size[0].max(size[1]).max(size[2]);
    let smallest = size[0].min(size[1]).min(size[2]);
    let middle = size[0] + size[1] + size[2] - largest - smallest;
    let max_area = PI * largest * middle;
    let lifted = |x: f64| T::from_f64(x);

    let magnus = angular.cross(linear) * lifted(interaction.magnus_lift * density * volume);

    // The ellipsoid's shadow along the velocity and the normal of its cross-section.
    let faces: [f64; 3] = [size[1] * size[2], size[2] * size[0], size[0] * size[1]];
    let [yz, zx, xy]: [T; 3] = faces.lift();
    let [yz4, zx4, xy4] = faces.map(|face| lifted(pow4(face)));
    let denominator = yz4 * pow2(linear[0]) + zx4 * pow2(linear[1]) + xy4 * pow2(linear[2]);
    let numerator = pow2(yz * linear[0]) + pow2(zx * linear[1]) + pow2(xy * linear[2]);
    let least = lifted(MIN_VALUE);
    let area = lifted(PI) * (denominator / numerator.max_of(least)).sqrt();
    let [yz2, zx2, xy2] = faces.map(|face| lifted(pow2(face)));
    let normal = Vec3([yz2 * linear[0], zx2 * linear[1], xy2 * linear[2]]);
    let speed = linear.norm();
    let cosine = numerator / (speed * denominator).max_of(least);
    let lift = lifted(interaction.kutta_lift * density) * cosine * area;
    let kutta = (normal.cross(linear) * lift).cross(linear);

    // Stokes flow about the sphere of equal mean diameter.
    let diameter = 2.0 / 3.0 * (size[0] + size[1] + size[2]);
    let linear_viscous = 3.0 * PI * diameter;
    let angular_viscous = PI * diameter * diameter * diameter;

    let max_inertia = 8.0 / 15.0 * PI * middle * pow4(largest);
    let mut moment = Vec3::zero();
    for k in 0..3 {
        let inertia = max_moment(&size, k);
        let turning =
            interaction.angular_drag * inertia + interaction.slender_drag * (max_inertia - inertia);
        moment[k] = angular[k] * lifted(turning);
    }
    let along = lifted(interaction.slender_drag) * (lifted(max_area) - area);
    let across = area * lifted(interaction.blunt_drag);
    let drag = lifted(density) * speed * (across + along);
    let linear_drag = lifted(viscosity * linear_viscous) + drag;
    let angular_drag = lifted(viscosity * angular_viscous) + lifted(density) * moment.norm();
    for k in 0..3 {
        f[k] -= angular_drag * angular[k];
        f[k + 3] += magnus[k] + kutta[k] - linear_drag * linear[k];
    }
}
