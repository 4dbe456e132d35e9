use super::*;
use crate::mat3::Mat3;
use crate::quat::Quat;
use crate::spatial;
use crate::vec3::{Vec3, vec3};

fn vector<T: Real>(x: &[T]) -> Vec3<T> {
    vec3(x[0], x[1], x[2])
}

fn quaternion<T: Real>(x: &[T]) -> Quat<T> {
    Quat([x[0], x[1], x[2], x[3]])
}

struct Vectors;

impl Formula for Vectors {
    const INPUTS: usize = 7;

    #[inline(always)]
    fn apply<T: Real>(x: &[T], out: &mut Vec<T>) {
        let (a, b, s) = (vector(&x[..3]), vector(&x[3..6]), x[6]);
        let (unit, length) = a.normalize();
        out.extend(unit.0);
        out.extend([length, a.dot(b), a.norm(), a.distance(b)]);
        for v in [
            a.cross(b),
            a.add_scaled(b, s),
            a.component_mul(b),
            a * s,
            a - b,
            -a,
        ] {
            out.extend(v.0);
        }
        out.extend(Quat::from_z_to(a).0);
        out.extend(Vec3::select(a[0].less(b[0]), a, b).0);
    }
}

struct Rotations;

impl Formula for Rotations {
    const INPUTS: usize = 12;

    #[inline(always)]
    fn apply<T: Real>(x: &[T], out: &mut Vec<T>) {
        let (p, q) = (quaternion(&x[..4]), quaternion(&x[4..8]));
        let (v, s) = (vector(&x[8..11]), x[11]);
        let (unit, length) = p.normalize();
        out.push(length);
        for quat in [
            unit,
            p * q,
            p.conjugate(),
            p.mul_axis(v),
            p.integrate(v, s),
            Quat::from_axis_angle(v, s),
            unit.to_mat().to_quat(),
            Quat(p.derivative(v)),
            Quat::select(s.less(T::ZERO), p, q),
        ] {
            out.extend(quat.0);
        }
        for vector in [p.rotate(v), p.to_velocity(s), p.difference(q)] {
            out.extend(vector.0);
        }
        out.extend(p.to_mat().0);
        out.extend(unit.to_mat().0);
    }
}

struct Matrices;

impl Formula for Matrices {
    const INPUTS: usize = 21;

    #[inline(always)]
    fn apply<T: Real>(x: &[T], out: &mut Vec<T>) {
        let read = |x: &[T]| Mat3(core::array::from_fn(|k| x[k]));
        let (a, b, v) = (read(&x[..9]), read(&x[9..18]), vector(&x[18..]));
        out.push(a.determinant());
        out.extend(a.to_quat().0);
        for m in [a * b, a.transpose_mul_mat(&b), a.transpose()] {
            out.extend(m.0);
        }
        for u in [a * v, a.transpose_mul(v), a.row(1), a.column(2)] {
            out.extend(u.0);
        }
    }
}

struct Spatials;

impl Formula for Spatials {
    const INPUTS: usize = 28;

    #[inline(always)]
    fn apply<T: Real>(x: &[T], out: &mut Vec<T>) {
        let read = |x: &[T]| -> [T; 6] { core::array::from_fn(|k| x[k]) };
        let (a, b, c) = (read(&x[..6]), read(&x[6..12]), vector(&x[12..15]));
        let (d, axes) = (
            vector(&x[15..18]),
            Mat3(core::array::from_fn(|k| x[18 + k])),
        );
        let inertia = spatial::inertia_about(c, &axes, d, x[27]);
        out.push(spatial::dot(&a, &b));
        out.extend(inertia);
        for v in [
            spatial::add(&a, &b),
            spatial::scale(&a, x[27]),
            spatial::cross_motion(&a, &b),
            spatial::cross_force(&a, &b),
            spatial::mul_inertia(&inertia, &a),
            spatial::rotation_dof(c, d),
            spatial::translation_dof(c),
            spatial::shift_motion(&a, c, d),
            spatial::shift_force(&a, c, d),
            spatial::into_axes(&a, &axes),
        ] {
            out.extend(v);
        }
    }
}

/// Numbers for so many worlds; in some of them the ones that functions treat in their own way.
fn worlds(seed: u64, inputs: usize) -> Vec<f64> {
    let mut random = Random::new(seed);
    let mut worlds = Vec::new();
    for _ in 0..4000 {
        match random.bits() % 8 {
            0 => worlds.extend((0..inputs).map(|_| any_number(&mut random))),
            1 => {
                // Zeros and ones: identities, axes, half turns.
                let few = [0.0, 0.0, 0.0, -0.0, 1.0, -1.0];
                worlds.extend((0..inputs).map(|_| few[random.bits() as usize % 6]));
            }
            2 => worlds.extend((0..inputs).map(|k| f64::from(u8::from(k % 4 == 0)))),
            3 => worlds.extend((0..inputs).map(|_| random.normal() * 1e-16)),
            _ => worlds.extend((0..inputs).map(|_| random.normal())),
        }
    }
    worlds
}

#[test]
fn vectors_agree_in_every_lane() {
    check::<Vectors>(&worlds(21, Vectors::INPUTS));
}

#[test]
fn rotations_agree_in_every_lane() {
    check::<Rotations>(&worlds(22, Rotations::INPUTS));
}

#[test]
fn matrices_agree_in_every_lane() {
    check::<Matrices>(&worlds(23, Matrices::INPUTS));
}

#[test]
fn spatial_vectors_agree_in_every_lane() {
    check::<Spatials>(&worlds(24, Spatials::INPUTS));
}
