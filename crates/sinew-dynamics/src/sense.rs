//! What sensors read of frames that are fixed in bodies.

use sinew_math::spatial::{Spatial, into_axes, rotation, shift_motion, spatial, translation};
use sinew_math::{Mat3, Real, Vec3};

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
