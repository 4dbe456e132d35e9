//! Inverse dynamics: the force that makes given accelerations.
//!
//! τ = M·q̈ + bias − passive − constraint force at q̈. With discrete inverse dynamics enabled, the
//! accelerations are differences of velocities over a step and are first converted to those that
//! the integrator would turn into them. Conforms to MuJoCo's `mj_inverse`.

use crate::data::Data;
use crate::derivative::{BiasTerm, smooth_velocity};
use crate::error::CallError;
use crate::forward_inverse::Comparison;
use crate::hooks::Moment::{Begin, End};
use crate::hooks::{Hooks, NoHooks};
use crate::integrate::Integration;
use crate::position::inertia::rows;
use crate::step::Sensors;
use crate::{acceleration, is_disabled, is_enabled, sensor};
use sinew_math::tree;
use sinew_model::Model;
use sinew_model::kinds::{DisableFlag, EnableFlag, Integrator, Stage, TimerKind};

sinew_model::columns! {
    /// Inverse dynamics.
    pub struct Inverse for Model {
        sizes {
            /// Degrees of freedom.
            nv,
        }
        columns {
            /// Force that causes `qacc`.
            qfrc_inverse: nv x f64,
        }
        other {
            /// Disagreement of forward and inverse dynamics: constraint forces, applied forces.
            solver_fwdinv: [f64; 2],
        }
        scratch {
            /// Forward results during that comparison.
            comparison: Comparison,
            /// Accelerations to restore.
            saved: Vec<f64> = nv,
            /// Forces of the conversion.
            force: Vec<f64> = nv,
        }
    }
}

impl Data {
    /// Computes `qfrc_inverse` from positions, velocities and `qacc`. An error if it is not defined
    /// for the model's settings, see [`Data::check_inverse`].
    #[doc(alias = "mj_inverse")]
    pub fn inverse(&mut self, model: &Model) -> Result<(), CallError> {
        self.inverse_from(model, Stage::None, Sensors::Computed)
    }

    /// Inverse dynamics of what comes after a stage that is still current.
    #[doc(alias = "mj_inverseSkip")]
    pub fn inverse_from(
        &mut self,
        model: &Model,
        current: Stage,
        sensors: Sensors,
    ) -> Result<(), CallError> {
        self.inverse_from_with(model, current, sensors, &mut NoHooks)
    }

    /// Inverse dynamics with the passive forces and user sensors of the hooks.
    pub fn inverse_with<H: Hooks + ?Sized>(
        &mut self,
        model: &Model,
        hooks: &mut H,
    ) -> Result<(), CallError> {
        self.inverse_from_with(model, Stage::None, Sensors::Computed, hooks)
    }

    /// The positions' part of inverse dynamics, with the contact filter of the hooks.
    #[doc(alias = "mj_invPosition")]
    pub fn inverse_position_with<H: Hooks + ?Sized>(
        &mut self,
        model: &Model,
        hooks: &mut H,
    ) -> Result<(), CallError> {
        self.check_stages(model)?;
        self.position_stage(model, hooks);
        Ok(())
    }

    /// Inverse dynamics of what comes after a stage that is still current, with hooks.
    pub fn inverse_from_with<H: Hooks + ?Sized>(
        &mut self,
        model: &Model,
        current: Stage,
        sensors: Sensors,
        hooks: &mut H,
    ) -> Result<(), CallError> {
        self.check_inverse(model)?;
        self.inverse_stages(model, current, sensors, hooks);
        Ok(())
    }

    pub(crate) fn inverse_stages<H: Hooks + ?Sized>(
        &mut self,
        model: &Model,
        current: Stage,
        sensors: Sensors,
        hooks: &mut H,
    ) {
        hooks.clock(Begin(TimerKind::Inverse));
        let has_sensors = sensors == Sensors::Computed;
        let has_energy = is_enabled(model, EnableFlag::Energy);
        if current == Stage::None {
            self.position_stage(model, hooks);
            if has_sensors {
                sensor::compute(model, self, Stage::Pos, hooks);
            }
            if has_energy && !self.energy.has_potential {
                self.potential_energy_stage(model);
            }
        }
        if matches!(current, Stage::None | Stage::Pos) {
            self.velocity_stage(model, hooks);
            if has_sensors {
                sensor::compute(model, self, Stage::Vel, hooks);
            }
            if has_energy && !self.energy.has_kinetic {
                self.kinetic_energy_stage(model);
            }
        }
        hooks.clock(Begin(TimerKind::Constraint));
        self.inverse_acceleration(model);
        hooks.clock(End(TimerKind::Constraint));
        self.acceleration.body_force.is_current = false;
        if has_sensors {
            sensor::compute(model, self, Stage::Acc, hooks);
        }
        hooks.clock(End(TimerKind::Inverse));
    }

    /// Constraint forces at the current accelerations.
    #[doc(alias = "mj_invConstraint")]
    pub fn inverse_constraints(&mut self, model: &Model) -> Result<(), CallError> {
        self.check_stages(model)?;
        self.complete_reference();
        let (position, reference) = (&self.position, &self.velocity.reference);
        let (smooth, out) = (&self.acceleration.smooth, &mut self.acceleration.solution);
        acceleration::constraint::inverse(model, position, reference, smooth, out);
        Ok(())
    }

    /// The part of inverse dynamics after the position and velocity stages.
    pub(crate) fn inverse_acceleration(&mut self, model: &Model) {
        self.complete_reference();
        let is_discrete = is_enabled(model, EnableFlag::Invdiscrete);
        if is_discrete {
            self.inverse
                .saved
                .copy_from_slice(&self.acceleration.solution.qacc);
            self.continuous_acceleration(model);
        }
        let Data {
            position,
            velocity,
            acceleration,
            inverse,
            ..
        } = self;
        let solution = &mut acceleration.solution;
        acceleration::constraint::inverse(
            model,
            position,
            &velocity.reference,
            &acceleration.smooth,
            solution,
        );
        position
            .inertia
            .multiply(model, &solution.qacc, &mut inverse.force);
        for i in 0..model.nv {
            inverse.qfrc_inverse[i] = velocity.bias.qfrc_bias[i]
                + (inverse.force[i]
                    - velocity.passive.qfrc_passive[i]
                    - solution.qfrc_constraint[i]);
        }
        if is_discrete {
            solution.qacc.copy_from_slice(&inverse.saved);
        }
    }

    /// Turns accelerations that are velocity differences into those of the equations of motion.
    fn continuous_acceleration(&mut self, model: &Model) {
        let Data {
            state,
            input,
            position,
            velocity,
            acceleration,
            integration,
            inverse,
            ..
        } = self;
        let qacc = &mut acceleration.solution.qacc;
        let timestep = model.opt.timestep;
        let Integration {
            qH,
            qDeriv,
            qLU,
            derivative,
            ..
        } = integration;
        let mut differentiate = |bias_term| {
            smooth_velocity(
                model,
                state,
                input,
                position,
                velocity,
                &acceleration.actuation,
                bias_term,
                qDeriv,
                derivative,
            );
        };
        match Integrator::from_code(model.opt.integrator) {
            Some(Integrator::Implicit) => {
                differentiate(BiasTerm::Included);
                for (k, value) in qLU.iter_mut().enumerate() {
                    let inertia = match usize::try_from(model.mapM2D[k]) {
                        Ok(entry) => position.inertia.M[entry],
                        Err(_) => 0.0,
                    };
                    *value = inertia + qDeriv[k] * -timestep;
                }
                for i in 0..model.nv {
                    let start = model.D_rowadr[i] as usize;
                    let end = start + model.D_rownnz[i] as usize;
                    inverse.force[i] =
                        tree::dot_sparse(&qLU[start..end], &model.D_colind[start..end], qacc);
                }
            }
            Some(Integrator::Implicitfast) => {
                differentiate(BiasTerm::Left);
                for (k, value) in qH.iter_mut().enumerate() {
                    let derivative = qDeriv[model.mapD2M[k] as usize];
                    *value = position.inertia.M[k] + derivative * -timestep;
                }
                tree::multiply(rows(model), qH, qacc, &mut inverse.force);
            }
            // Runge–Kutta steps have no single acceleration: taken as they are.
            Some(Integrator::Rk4) => return,
            _ => {
                let has_damping = model.dof_damping.iter().any(|&b| b > 0.0);
                if is_disabled(model, DisableFlag::Eulerdamp) || !has_damping {
                    return;
                }
                position.inertia.multiply(model, qacc, &mut inverse.force);
                for i in 0..model.nv {
                    inverse.force[i] += timestep * model.dof_damping[i] * qacc[i];
                }
            }
        }
        qacc.copy_from_slice(&inverse.force);
        position.inertia.solve(model, qacc);
    }
}
