//! Spatial algebra: 6-vectors and the 10-number inertia.
//!
//! A spatial vector holds its rotational part first: (ω, v) for motion, (τ, f) for force, both
//! about one reference point, in world axes. An inertia about that point is stored as
//!
//! ```text
//! [Ixx Iyy Izz Ixy Ixz Iyz  m·cx m·cy m·cz  m]
//! ```
//!
//! with c the centre of mass relative to the point. Conforms to MuJoCo's `mju_crossMotion`,
//! `mju_crossForce`, `mju_inertCom`, `mju_mulInertVec`, `mju_dofCom`, `mju_transformSpatial`.

use crate::mat3::Mat3;
use crate::real::Real;
use crate::vec3::Vec3;

/// A motion or force: rotation first, translation second.
pub type Spatial<T = f64> = [T; 6];

/// A rigid-body inertia about a point.
pub type Inertia<T = f64> = [T; 10];

/// The rotational half.
#[inline(always)]
pub fn rotation<T: Real>(v: &Spatial<T>) -> Vec3<T> {
    Vec3([v[0], v[1], v[2]])
}

/// The translational half.
#[inline(always)]
pub fn translation<T: Real>(v: &Spatial<T>) -> Vec3<T> {
    Vec3([v[3], v[4], v[5]])
}

/// A spatial vector from its halves.
#[inline(always)]
pub fn spatial<T: Real>(rotation: Vec3<T>, translation: Vec3<T>) -> Spatial<T> {
    [
        rotation[0],
        rotation[1],
        rotation[2],
        translation[0],
        translation[1],
        translation[2],
    ]
}

/// Sum of two spatial vectors.
#[inline(always)]
pub fn add<T: Real>(a: &Spatial<T>, b: &Spatial<T>) -> Spatial<T> {
    [
        a[0] + b[0],
        a[1] + b[1],
        a[2] + b[2],
        a[3] + b[3],
        a[4] + b[4],
        a[5] + b[5],
    ]
}

/// Spatial vector times number.
#[inline(always)]
pub fn scale<T: Real>(a: &Spatial<T>, s: T) -> Spatial<T> {
    [a[0] * s, a[1] * s, a[2] * s, a[3] * s, a[4] * s, a[5] * s]
}

/// Power of a force on a motion, or any scalar product of 6-vectors. The order of additions is
/// that of [`dot`](crate::dense::dot).
#[inline(always)]
pub fn dot<T: Real>(a: &Spatial<T>, b: &Spatial<T>) -> T {
    ((a[0] * b[0] + a[2] * b[2]) + (a[1] * b[1] + a[3] * b[3])) + (a[4] * b[4] + a[5] * b[5])
}

/// Rate of change of a motion `m` carried along by the velocity `v`: (ω×mω, ω×mv + v×mω).
#[doc(alias = "mju_crossMotion")]
#[inline(always)]
pub fn cross_motion<T: Real>(v: &Spatial<T>, m: &Spatial<T>) -> Spatial<T> {
    [
        -v[2] * m[1] + v[1] * m[2],
        v[2] * m[0] - v[0] * m[2],
        -v[1] * m[0] + v[0] * m[1],
        (-v[2] * m[4] + v[1] * m[5]) + (-v[5] * m[1] + v[4] * m[2]),
        (v[2] * m[3] - v[0] * m[5]) + (v[5] * m[0] - v[3] * m[2]),
        (-v[1] * m[3] + v[0] * m[4]) + (-v[4] * m[0] + v[3] * m[1]),
    ]
}

/// Rate of change of a force `f` carried along by the velocity `v`: (ω×fτ + v×f, ω×f).
#[doc(alias = "mju_crossForce")]
#[inline(always)]
pub fn cross_force<T: Real>(v: &Spatial<T>, f: &Spatial<T>) -> Spatial<T> {
    [
        (-v[2] * f[1] + v[1] * f[2]) + (-v[5] * f[4] + v[4] * f[5]),
        (v[2] * f[0] - v[0] * f[2]) + (v[5] * f[3] - v[3] * f[5]),
        (-v[1] * f[0] + v[0] * f[1]) + (-v[4] * f[3] + v[3] * f[4]),
        -v[2] * f[4] + v[1] * f[5],
        v[2] * f[3] - v[0] * f[5],
        -v[1] * f[3] + v[0] * f[4],
    ]
}

/// Inertia of a body about a point: principal moments, orientation of the principal axes, centre
/// of mass relative to the point, mass.
#[doc(alias = "mju_inertCom")]
#[inline(always)]
pub fn inertia_about<T: Real>(
    moments: Vec3<T>,
    axes: &Mat3<T>,
    offset: Vec3<T>,
    mass: T,
) -> Inertia<T> {
    let (m, c) = (&axes.0, &offset.0);
    // diag(moments) · axesᵀ
    let t = [
        m[0] * moments[0],
        m[3] * moments[0],
        m[6] * moments[0],
        m[1] * moments[1],
        m[4] * moments[1],
        m[7] * moments[1],
        m[2] * moments[2],
        m[5] * moments[2],
        m[8] * moments[2],
    ];
    [
        (m[0] * t[0] + m[1] * t[3] + m[2] * t[6]) + mass * (c[1] * c[1] + c[2] * c[2]),
        (m[3] * t[1] + m[4] * t[4] + m[5] * t[7]) + mass * (c[0] * c[0] + c[2] * c[2]),
        (m[6] * t[2] + m[7] * t[5] + m[8] * t[8]) + mass * (c[0] * c[0] + c[1] * c[1]),
        (m[0] * t[1] + m[1] * t[4] + m[2] * t[7]) - mass * c[0] * c[1],
        (m[0] * t[2] + m[1] * t[5] + m[2] * t[8]) - mass * c[0] * c[2],
        (m[3] * t[2] + m[4] * t[5] + m[5] * t[8]) - mass * c[1] * c[2],
        mass * c[0],
        mass * c[1],
        mass * c[2],
        mass,
    ]
}

/// Momentum of an inertia moving with a velocity.
#[doc(alias = "mju_mulInertVec")]
#[inline(always)]
pub fn mul_inertia<T: Real>(i: &Inertia<T>, v: &Spatial<T>) -> Spatial<T> {
    [
        i[0] * v[0] + i[3] * v[1] + i[4] * v[2] - i[8] * v[4] + i[7] * v[5],
        i[3] * v[0] + i[1] * v[1] + i[5] * v[2] + i[8] * v[3] - i[6] * v[5],
        i[4] * v[0] + i[5] * v[1] + i[2] * v[2] - i[7] * v[3] + i[6] * v[4],
        i[8] * v[1] - i[7] * v[2] + i[9] * v[3],
        i[6] * v[2] - i[8] * v[0] + i[9] * v[4],
        i[7] * v[0] - i[6] * v[1] + i[9] * v[5],
    ]
}

/// Unit motion of a rotation about `axis` through an anchor; `offset` runs from the anchor to the
/// reference point.
#[doc(alias = "mju_dofCom")]
#[inline(always)]
pub fn rotation_dof<T: Real>(axis: Vec3<T>, offset: Vec3<T>) -> Spatial<T> {
    spatial(axis, axis.cross(offset))
}

/// Unit motion of a translation along `axis`.
#[inline(always)]
pub fn translation_dof<T: Real>(axis: Vec3<T>) -> Spatial<T> {
    spatial(Vec3([T::ZERO; 3]), axis)
}

/// A motion vector about another point, world axes.
#[doc(alias = "mju_transformSpatial")]
#[inline(always)]
pub fn shift_motion<T: Real>(v: &Spatial<T>, new: Vec3<T>, old: Vec3<T>) -> Spatial<T> {
    let w = rotation(v);
    spatial(w, translation(v) - (new - old).cross(w))
}

/// A force vector about another point, world axes.
#[inline(always)]
pub fn shift_force<T: Real>(f: &Spatial<T>, new: Vec3<T>, old: Vec3<T>) -> Spatial<T> {
    let t = translation(f);
    spatial(rotation(f) - (new - old).cross(t), t)
}

/// Both halves turned into the axes given by the columns of `axes`.
#[inline(always)]
pub fn into_axes<T: Real>(v: &Spatial<T>, axes: &Mat3<T>) -> Spatial<T> {
    spatial(
        axes.transpose_mul(rotation(v)),
        axes.transpose_mul(translation(v)),
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::quat::Quat;
    use crate::vec3::vec3;

    const V: Spatial = [0.3, -0.2, 0.9, 1.1, -0.4, 0.2];
    const W: Spatial = [-0.5, 0.7, 0.1, 0.3, 0.8, -1.2];

    #[test]
    fn motion_and_force_cross_products_are_dual() {
        // ⟨v ×* f, m⟩ = −⟨f, v × m⟩ for every v, f, m.
        let f: Spatial = [0.2, 0.4, -0.3, 0.9, 0.1, 0.5];
        let left = dot(&cross_force(&V, &f), &W);
        let right = dot(&f, &cross_motion(&V, &W));
        assert!((left + right).abs() < 1e-15);
    }

    #[test]
    fn shifting_keeps_the_power() {
        let f: Spatial = [0.2, 0.4, -0.3, 0.9, 0.1, 0.5];
        let (new, old) = (vec3(0.3, 0.1, -0.7), vec3(-0.2, 0.5, 0.4));
        let there = dot(&shift_force(&f, new, old), &shift_motion(&V, new, old));
        assert!((there - dot(&f, &V)).abs() < 1e-15);
    }

    #[test]
    fn inertia_gives_the_kinetic_energy_of_a_rotating_body() {
        let axes = Quat([0.9, 0.1, -0.3, 0.2]).normalized().to_mat();
        let (moments, offset, mass) = (vec3(0.4, 0.3, 0.2), vec3(0.1, -0.2, 0.5), 2.5);
        let inertia = inertia_about(moments, &axes, offset, mass);
        let energy = dot(&mul_inertia(&inertia, &V), &V);
        let velocity = translation(&V) + rotation(&V).cross(offset);
        let local = axes.transpose_mul(rotation(&V));
        let expected = mass * velocity.dot(velocity) + local.component_mul(moments).dot(local);
        assert!((energy - expected).abs() < 1e-14);
    }
}
