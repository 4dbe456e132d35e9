//! The acceleration that all forces but those of constraints cause.

use core::ops::Range;
use sinew_math::Real;
use sinew_math::series::Series;

sinew_model::columns! {
    /// Unconstrained dynamics.
    pub struct Smooth<T>(SmoothRef, SmoothMut) for Model {
        sizes {
            /// Degrees of freedom.
            nv,
        }
        columns {
            /// Passive − bias + applied + actuator force.
            qfrc_smooth: nv x T,
            /// M⁻¹·qfrc_smooth.
            qacc_smooth: nv x T,
        }
    }
}

/// The generalised forces that act besides constraints.
#[derive(Clone, Copy, Debug)]
pub struct Forces<'a, T = f64> {
    /// Springs, dampers, gravity compensation, fluid.
    pub passive: &'a Series<T>,
    /// Coriolis, centrifugal and gravitational force.
    pub bias: &'a Series<T>,
    /// Force applied by the user.
    pub applied: &'a Series<T>,
    /// Force of the actuators.
    pub actuator: &'a Series<T>,
}

/// Adds the forces up.
#[inline(always)]
pub fn sum<T: Real>(forces: &Forces<'_, T>, dofs: Range<usize>, qfrc_smooth: &mut Series<T>) {
    for i in dofs {
        let mut force = forces.passive[i] - forces.bias[i];
        force += forces.applied[i];
        force += forces.actuator[i];
        qfrc_smooth[i] = force;
    }
}
