//! What sensors read of frames that are fixed in bodies.

use crate::actuation::clip;
use sinew_math::spatial::{Spatial, into_axes, rotation, shift_motion, spatial, translation};
use sinew_math::{Mat3, Real, Scalar, Vec3};
use sinew_model::kinds::GeomType;

/// A frame in the world and the body that carries it.
#[derive(Clone, Copy, Debug)]
pub struct Frame<T = f64> {
    /// The body.
    pub body: usize,
    /// Its origin.
    pub pos: Vec3<T>,
    /// Its axes.
    pub mat: Mat3<T>,
}

impl<T: Real> Frame<T> {
    /// Where it is, in a reference frame if there is one.
    #[inline(always)]
    pub fn position(&self, reference: Option<&Self>) -> Vec3<T> {
        match reference {
            None => self.pos,
            Some(reference) => reference.mat.transpose_mul(self.pos - reference.pos),
        }
    }

    /// One of its axes, in a reference frame if there is one.
    #[inline(always)]
    pub fn axis(&self, index: usize, reference: Option<&Self>) -> Vec3<T> {
        let axis = self.mat.column(index);
        match reference {
            None => axis,
            Some(reference) => reference.mat.transpose_mul(axis),
        }
    }

    /// Its velocity, given in the world, as seen from a reference frame that moves itself.
    #[inline(always)]
    pub fn relative_velocity(
        &self,
        velocity: &Spatial<T>,
        reference: &Self,
        carrier: &Spatial<T>,
    ) -> Spatial<T> {
        let angular = rotation(velocity) - rotation(carrier);
        let drift = (self.pos - reference.pos).cross(rotation(carrier));
        let linear = translation(velocity) - translation(carrier) + drift;
        spatial(
            reference.mat.transpose_mul(angular),
            reference.mat.transpose_mul(linear),
        )
    }

    /// Its acceleration, gravity included, from acceleration and velocity of its body about `origin`: in the world, or in its
    /// own axes.
    #[inline(always)]
    pub fn acceleration(
        &self,
        (acceleration, velocity): (&Spatial<T>, &Spatial<T>),
        origin: Vec3<T>,
        is_local: bool,
    ) -> Spatial<T> {
        let mut acceleration = shift_motion(acceleration, self.pos, origin);
        let mut velocity = shift_motion(velocity, self.pos, origin);
        if is_local {
            acceleration = into_axes(&acceleration, &self.mat);
            velocity = into_axes(&velocity, &self.mat);
        }
        // The point moves along: its acceleration is not that of the velocity field at a place.
        let carried = rotation(&velocity).cross(translation(&velocity));
        for k in 0..3 {
            acceleration[3 + k] += carried[k];
        }
        acceleration
    }
}

/// Whether a point lies strictly inside a primitive shape.
#[doc(alias = "mju_insideGeom")]
#[inline(always)]
pub fn is_inside<T: Scalar>(
    kind: Option<GeomType>,
    size: [T; 3],
    (pos, mat): (Vec3<T>, &Mat3<T>),
    point: Vec3<T>,
) -> bool {
    let offset = point - pos;
    let p = mat.transpose_mul(offset);
    let square = |x: T| x * x;
    match kind {
        Some(GeomType::Sphere) => offset.dot(offset) < square(size[0]),
        Some(GeomType::Capsule) => {
            let half = size[1].abs();
            let beyond = p[2] - clip(p[2], [-half, half]);
            square(p[0]) + square(p[1]) + square(beyond) < square(size[0])
        }
        Some(GeomType::Ellipsoid) => {
            square(p[0]) / square(size[0])
                + square(p[1]) / square(size[1])
                + square(p[2]) / square(size[2])
                < T::ONE
        }
        Some(GeomType::Cylinder) => {
            p[2].abs() < size[1] && square(p[0]) + square(p[1]) < square(size[0])
        }
        Some(GeomType::Box) => (0..3).all(|k| p[k].abs() < size[k]),
        Some(GeomType::Plane) => p[2] < T::ZERO,
        _ => false,
    }
}
