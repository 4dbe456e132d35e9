//! The pipeline: forward dynamics.

use crate::data::Data;
use crate::{acceleration, energy, is_enabled, position, velocity};
use sinew_model::Model;
use sinew_model::kinds::EnableFlag;

impl Data {
    /// Computes everything that depends on positions alone.
    #[doc(alias = "mj_fwdPosition")]
    pub fn forward_position(&mut self, model: &Model) {
        let Data {
            state,
            input,
            position,
            scratch,
            ..
        } = self;
        position::compute(model, state, input, position, scratch);
    }

    /// Computes everything that depends on velocities; the positions' part must be current.
    #[doc(alias = "mj_fwdVelocity")]
    pub fn forward_velocity(&mut self, model: &Model) {
        let Data {
            state,
            position,
            velocity,
            scratch,
            ..
        } = self;
        velocity::compute(model, state, position, velocity, scratch);
    }

    /// Computes forces and accelerations; positions' and velocities' parts must be current.
    #[doc(alias = "mj_fwdAcceleration")]
    pub fn forward_acceleration(&mut self, model: &Model) {
        let Data {
            state,
            input,
            position,
            velocity,
            acceleration,
            scratch,
            warnings,
            ..
        } = self;
        acceleration::compute(
            model,
            state,
            input,
            position,
            velocity,
            acceleration,
            scratch,
            warnings,
        );
    }

    /// Computes all derived quantities of the current state and input.
    #[doc(alias = "mj_forward")]
    pub fn forward(&mut self, model: &Model) {
        self.forward_position(model);
        self.potential_energy(model);
        self.forward_velocity(model);
        self.kinetic_energy(model);
        self.forward_acceleration(model);
    }

    fn potential_energy(&mut self, model: &Model) {
        self.energy = if is_enabled(model, EnableFlag::Energy) {
            let potential = energy::potential(model, &self.state, &self.position);
            [potential, self.energy[1]]
        } else {
            [0.0; 2]
        };
    }

    fn kinetic_energy(&mut self, model: &Model) {
        if is_enabled(model, EnableFlag::Energy) {
            self.energy[1] = energy::kinetic(model, &self.state, &self.position, &mut self.scratch);
        }
    }

    /// Linear velocity and angular momentum of subtrees at the current state.
    #[doc(alias = "mj_subtreeVel")]
    pub fn subtree_momentum(&mut self, model: &Model) {
        let velocity = &mut self.velocity;
        velocity::momentum::compute(model, &self.position, &velocity.com, &mut velocity.momentum);
    }

    /// Accelerations of bodies and forces between them at the current accelerations.
    #[doc(alias = "mj_rnePostConstraint")]
    pub fn body_forces(&mut self, model: &Model) {
        let acceleration = &mut self.acceleration;
        acceleration::body_force::compute(
            model,
            &self.state,
            &self.input,
            &self.position,
            &self.velocity.com,
            &acceleration.solution.qacc,
            &mut acceleration.body_force,
        );
    }
}
