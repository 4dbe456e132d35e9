//! Single stages of a simulation, for callers that want one and not the whole step.
//!
//! Each reads what earlier stages left in the [`Data`]; calling one out of order gives the answer
//! for old positions, never an error.

use crate::acceleration::actuation::{self, UserTerms};
use crate::acceleration::{constraint, smooth};
use crate::data::Data;
use crate::derivative::BiasTerm;
use crate::error::{CallError, StepError, check_index, check_length};
use crate::hooks::Moment::{Begin, End, Pause};
use crate::hooks::{Hooks, NoHooks};
use crate::integrate::{euler, implicit, rk4};
use crate::position::{
    com, constraint as rows, contact, inertia, island, kinematics, tendon, transmission, view,
};
use crate::velocity::{bias, com as com_velocity, length, passive, reference};
use crate::{energy, sensor};
use sinew_model::Model;
use sinew_model::kinds::{BiasType, DynamicsType, GainType, Integrator, Stage, TimerKind};

impl Data {
    /// Poses of bodies, joints, geoms and sites, from `qpos` and the mocap poses.
    #[doc(alias = "mj_kinematics")]
    pub fn compute_kinematics(&mut self, model: &Model) -> Result<(), CallError> {
        self.check_model(model)?;
        kinematics::compute(
            model,
            &self.state,
            &self.input,
            &mut self.position.kinematics,
        );
        Ok(())
    }

    /// Centres of mass, inertias and motion axes about them.
    #[doc(alias = "mj_comPos")]
    pub fn compute_com(&mut self, model: &Model) -> Result<(), CallError> {
        self.check_model(model)?;
        com::compute(model, &self.position.kinematics, &mut self.position.com);
        Ok(())
    }

    /// Poses of cameras and lights.
    #[doc(alias = "mj_camlight")]
    pub fn compute_view(&mut self, model: &Model) -> Result<(), CallError> {
        self.check_model(model)?;
        let position = &mut self.position;
        view::compute(
            model,
            &position.kinematics,
            &position.com,
            &mut position.view,
        );
        Ok(())
    }

    /// Tendon lengths, paths and Jacobians.
    #[doc(alias = "mj_tendon")]
    pub fn compute_tendon(&mut self, model: &Model) -> Result<(), CallError> {
        self.check_model(model)?;
        let Data {
            state,
            position,
            scratch,
            ..
        } = self;
        let (kinematics, com) = (&position.kinematics, &position.com);
        tendon::compute(model, state, kinematics, com, &mut position.tendon, scratch);
        Ok(())
    }

    /// Joint-space inertia.
    #[doc(alias = "mj_makeM")]
    pub fn compute_inertia(&mut self, model: &Model) -> Result<(), CallError> {
        self.check_model(model)?;
        let position = &mut self.position;
        inertia::compute(
            model,
            &position.com,
            &position.tendon,
            &mut position.inertia,
        );
        Ok(())
    }

    /// Factor of the joint-space inertia.
    #[doc(alias = "mj_factorM")]
    pub fn factor_inertia(&mut self, model: &Model) -> Result<(), CallError> {
        self.check_model(model)?;
        inertia::factor(model, &mut self.position.inertia);
        Ok(())
    }

    /// Contacts between geoms. There are no constraint rows until they are made again.
    #[doc(alias = "mj_collision")]
    pub fn compute_contacts(&mut self, model: &Model) -> Result<(), CallError> {
        self.compute_contacts_with(model, &mut NoHooks)
    }

    /// Contacts between geoms that the hooks let touch.
    pub fn compute_contacts_with<H: Hooks + ?Sized>(
        &mut self,
        model: &Model,
        hooks: &mut H,
    ) -> Result<(), CallError> {
        self.check_stages(model)?;
        self.position.clear_rows(model);
        let (state, position) = (&self.state, &mut self.position);
        let (kinematics, contacts) = (&position.kinematics, &mut position.contacts);
        contact::compute(model, state, kinematics, hooks, contacts);
        Ok(())
    }

    /// Adds a contact behind those found. There are no constraint rows until they are made again.
    #[doc(alias = "mj_addContact")]
    pub fn add_contact(
        &mut self,
        model: &Model,
        contact: contact::Contact,
    ) -> Result<(), CallError> {
        self.check_model(model)?;
        for geom in contact.geom {
            check_index(
                "geom",
                usize::try_from(geom).unwrap_or(usize::MAX),
                model.ngeom,
            )?;
        }
        if !matches!(contact.dim, 1 | 3 | 4 | 6) {
            return Err(CallError::Dimension(contact.dim));
        }
        self.position.clear_rows(model);
        self.position.contacts.contact.push(contact);
        Ok(())
    }

    /// Constraint rows: equalities, dry friction, limits, contacts. There are no islands until they
    /// are found again.
    #[doc(alias = "mj_makeConstraint")]
    pub fn compute_constraints(&mut self, model: &Model) -> Result<(), CallError> {
        self.check_stages(model)?;
        let Data {
            state,
            input,
            position,
            ..
        } = self;
        rows::compute(
            model,
            state,
            input,
            &position.kinematics,
            &position.com,
            &position.tendon,
            &mut position.contacts,
            &mut position.constraints,
        );
        position.islands.clear();
        Ok(())
    }

    /// Groups of trees that constraints tie together.
    #[doc(alias = "mj_island")]
    pub fn compute_islands(&mut self, model: &Model) -> Result<(), CallError> {
        self.check_model(model)?;
        let position = &mut self.position;
        let (contacts, constraints) = (&position.contacts, &position.constraints);
        island::compute(model, contacts, constraints, &mut position.islands);
        Ok(())
    }

    /// Actuator lengths and moments.
    #[doc(alias = "mj_transmission")]
    pub fn compute_transmission(&mut self, model: &Model) -> Result<(), CallError> {
        self.check_model(model)?;
        let Data {
            state,
            position,
            scratch,
            ..
        } = self;
        let (kinematics, com, tendon) = (&position.kinematics, &position.com, &position.tendon);
        let contacts = (&position.contacts, &position.constraints);
        let out = &mut position.transmission;
        transmission::compute(
            model, state, kinematics, com, tendon, contacts, out, scratch,
        );
        Ok(())
    }

    /// Actuator forces and activation rates.
    #[doc(alias = "mj_fwdActuation")]
    pub fn compute_actuation(&mut self, model: &Model) -> Result<(), CallError> {
        self.compute_actuation_with(model, &mut NoHooks)
    }

    /// Actuator forces and activation rates, user dynamics, gains and biases from the hooks.
    pub fn compute_actuation_with<H: Hooks + ?Sized>(
        &mut self,
        model: &Model,
        hooks: &mut H,
    ) -> Result<(), CallError> {
        self.check_model(model)?;
        self.actuation_stage(model, hooks);
        Ok(())
    }

    pub(crate) fn actuation_stage<H: Hooks + ?Sized>(&mut self, model: &Model, hooks: &mut H) {
        hooks.clock(Begin(TimerKind::Actuation));
        let out = &mut self.acceleration.actuation;
        let (state, control) = (&self.state, &mut self.scratch.control);
        if !actuation::begin(model, state, &self.input, out, control, &mut self.warnings) {
            return hooks.clock(Pause(TimerKind::Actuation));
        }
        for i in 0..model.nu {
            if model.actuator_dyntype[i] == DynamicsType::User.code() {
                self.user_activation_rates(model, i, hooks);
            }
        }
        for i in 0..model.nu {
            if !actuation::is_driven(model, i) {
                continue;
            }
            let mut user = UserTerms::default();
            if model.actuator_gaintype[i] == GainType::User.code() {
                user.gain = Some(hooks.gain(model, self, i));
            }
            if model.actuator_biastype[i] == BiasType::User.code() {
                user.bias = Some(hooks.bias(model, self, i));
            }
            let (position, velocity) = (&self.position, &self.velocity);
            let act_dot = &self.acceleration.actuation.act_dot;
            let driven = (i, self.scratch.control[i]);
            let force = actuation::force(
                model,
                &self.state,
                position,
                velocity,
                act_dot,
                driven,
                user,
            );
            self.acceleration.actuation.actuator_force[i] = force;
        }
        let (position, velocity) = (&self.position, &self.velocity);
        let out = &mut self.acceleration.actuation;
        actuation::finish(model, position, velocity, out, &mut self.scratch);
        hooks.clock(End(TimerKind::Actuation));
    }

    /// Rates of the activations of one actuator, from the hooks.
    fn user_activation_rates<H: Hooks + ?Sized>(
        &mut self,
        model: &Model,
        actuator: usize,
        hooks: &mut H,
    ) {
        let Some(range) = actuation::activations(model, actuator) else {
            return;
        };
        let mut rates = core::mem::take(&mut self.scratch.rates);
        rates.clear();
        rates.resize(range.len(), 0.0);
        hooks.activation_rates(model, self, actuator, &mut rates);
        self.acceleration.actuation.act_dot[range].copy_from_slice(&rates);
        self.scratch.rates = rates;
    }

    /// Sum of the smooth forces and the acceleration it causes.
    #[doc(alias = "mj_fwdAcceleration")]
    pub fn compute_smooth_acceleration(&mut self, model: &Model) -> Result<(), CallError> {
        self.check_model(model)?;
        self.smooth_stage(model);
        Ok(())
    }

    pub(crate) fn smooth_stage(&mut self, model: &Model) {
        let (input, position, velocity) = (&self.input, &self.position, &self.velocity);
        let acceleration = &mut self.acceleration;
        let actuation = &acceleration.actuation;
        let out = &mut acceleration.smooth;
        smooth::compute(model, input, position, velocity, actuation, out);
    }

    /// J·M⁻¹·Jᵀ + R of the constraint rows, where the solver needs it.
    #[doc(alias = "mj_projectConstraint")]
    pub fn project_constraints(&mut self, model: &Model) -> Result<(), CallError> {
        self.check_model(model)?;
        self.complete_reference();
        let (reference, acceleration) = (&self.velocity.reference, &mut self.acceleration);
        let out = &mut acceleration.solution;
        constraint::project(model, &self.position, reference, &acceleration.smooth, out);
        Ok(())
    }

    /// What rows aim at that were made after the velocities' part.
    pub(crate) fn complete_reference(&mut self) {
        let rows = &self.position.constraints;
        if self.velocity.reference.efc_aref.len() != rows.nefc() {
            reference::compute(&self.state, rows, &mut self.velocity.reference);
        }
    }

    /// Constraint forces and the resulting acceleration.
    #[doc(alias = "mj_fwdConstraint")]
    pub fn solve_constraints(&mut self, model: &Model) -> Result<(), CallError> {
        self.solve_constraints_with(model, &mut NoHooks)
    }

    /// Constraint forces and the resulting acceleration, timed by the hooks.
    pub fn solve_constraints_with<H: Hooks + ?Sized>(
        &mut self,
        model: &Model,
        hooks: &mut H,
    ) -> Result<(), CallError> {
        self.check_stages(model)?;
        self.constraint_stage(model, hooks);
        Ok(())
    }

    pub(crate) fn constraint_stage<H: Hooks + ?Sized>(&mut self, model: &Model, hooks: &mut H) {
        hooks.clock(Begin(TimerKind::Constraint));
        self.complete_reference();
        let (reference, acceleration) = (&self.velocity.reference, &mut self.acceleration);
        acceleration.body_force.is_current = false;
        constraint::compute(
            model,
            &self.state,
            &self.position,
            reference,
            &acceleration.smooth,
            &mut acceleration.solution,
        );
        hooks.clock(End(TimerKind::Constraint));
    }

    /// Rates of tendon and actuator lengths, spatial velocities about the centres of mass.
    #[doc(alias = "mj_comVel")]
    pub fn compute_com_velocity(&mut self, model: &Model) -> Result<(), CallError> {
        self.check_model(model)?;
        let (state, position, velocity) = (&self.state, &self.position, &mut self.velocity);
        length::compute(model, state, position, &mut velocity.length);
        com_velocity::compute(model, state, &position.com, &mut velocity.com);
        Ok(())
    }

    /// Springs, dampers, gravity compensation, fluid.
    #[doc(alias = "mj_passive")]
    pub fn compute_passive(&mut self, model: &Model) -> Result<(), CallError> {
        self.compute_passive_with(model, &mut NoHooks)
    }

    /// Springs, dampers, gravity compensation, fluid, and the passive force of the hooks.
    pub fn compute_passive_with<H: Hooks + ?Sized>(
        &mut self,
        model: &Model,
        hooks: &mut H,
    ) -> Result<(), CallError> {
        self.check_model(model)?;
        let velocity = &mut self.velocity;
        let (com, length) = (&velocity.com, &velocity.length);
        let out = &mut velocity.passive;
        passive::compute(model, &self.state, &self.position, com, length, out);
        if passive::is_active(model) {
            hooks.passive(model, self);
        }
        Ok(())
    }

    /// What the constraint rows aim at.
    #[doc(alias = "mj_referenceConstraint")]
    pub fn compute_reference(&mut self, model: &Model) -> Result<(), CallError> {
        self.check_model(model)?;
        let rows = &self.position.constraints;
        reference::compute(&self.state, rows, &mut self.velocity.reference);
        Ok(())
    }

    /// Force by the recursive Newton–Euler algorithm: M·q̈ + bias without armature, or the bias
    /// alone.
    #[doc(alias = "mj_rne")]
    pub fn newton_euler(
        &mut self,
        model: &Model,
        terms: NewtonEuler,
        out: &mut [f64],
    ) -> Result<(), CallError> {
        self.check_model(model)?;
        check_length("out", model.nv, out.len())?;
        let qacc = match terms {
            NewtonEuler::Bias => None,
            NewtonEuler::Acceleration => Some(&*self.acceleration.solution.qacc),
        };
        let (state, com, velocity) = (&self.state, &self.position.com, &self.velocity.com);
        bias::newton_euler(model, state, com, velocity, qacc, out, &mut self.scratch);
        Ok(())
    }

    /// The sensors that belong to a stage.
    #[doc(alias = "mj_sensorPos")]
    pub fn compute_sensors(&mut self, model: &Model, stage: Stage) -> Result<(), CallError> {
        self.compute_sensors_with(model, stage, &mut NoHooks)
    }

    /// The sensors that belong to a stage, user sensors from the hooks.
    pub fn compute_sensors_with<H: Hooks + ?Sized>(
        &mut self,
        model: &Model,
        stage: Stage,
        hooks: &mut H,
    ) -> Result<(), CallError> {
        self.check_stages(model)?;
        sensor::compute(model, self, stage, hooks);
        Ok(())
    }

    /// Potential energy, whether or not the model asks for it.
    #[doc(alias = "mj_energyPos")]
    pub fn compute_potential_energy(&mut self, model: &Model) -> Result<(), CallError> {
        self.check_model(model)?;
        self.potential_energy_stage(model);
        Ok(())
    }

    pub(crate) fn potential_energy_stage(&mut self, model: &Model) {
        self.energy.values[0] = energy::potential(model, &self.state, &self.position);
        self.energy.has_potential = true;
    }

    /// Kinetic energy, whether or not the model asks for it.
    #[doc(alias = "mj_energyVel")]
    pub fn compute_kinetic_energy(&mut self, model: &Model) -> Result<(), CallError> {
        self.check_model(model)?;
        self.kinetic_energy_stage(model);
        Ok(())
    }

    pub(crate) fn kinetic_energy_stage(&mut self, model: &Model) {
        let (state, position) = (&self.state, &self.position);
        self.energy.values[1] = energy::kinetic(model, state, position, &mut self.scratch);
        self.energy.has_kinetic = true;
    }

    /// Advances the state by one integrator, whatever the model asks for; accelerations must be
    /// current.
    #[doc(alias = "mj_Euler")]
    pub fn integrate(&mut self, model: &Model, integrator: Integrator) -> Result<(), StepError> {
        self.integrate_with(model, integrator, &mut NoHooks)
    }

    /// Advances the state by one integrator, with hooks at the later stages of Runge–Kutta.
    pub fn integrate_with<H: Hooks + ?Sized>(
        &mut self,
        model: &Model,
        integrator: Integrator,
        hooks: &mut H,
    ) -> Result<(), StepError> {
        self.check_step(model)?;
        if integrator == Integrator::Rk4 {
            rk4::step(model, self, hooks);
            return Ok(());
        }
        hooks.clock(Begin(TimerKind::Advance));
        match integrator {
            Integrator::Implicit => implicit::step(model, self, BiasTerm::Included),
            Integrator::Implicitfast => implicit::step(model, self, BiasTerm::Left),
            _ => euler::step(model, self),
        }
        hooks.clock(End(TimerKind::Advance));
        Ok(())
    }

    /// Forces and states of the constraint rows for given residuals J·q̈ − aref, the generalised
    /// force they make, and their cost. The residuals have one number per row.
    #[doc(alias = "mj_constraintUpdate")]
    pub fn update_constraints(
        &mut self,
        model: &Model,
        residual: &[f64],
    ) -> Result<f64, CallError> {
        self.check_model(model)?;
        check_length("residual", self.position.constraints.nefc(), residual.len())?;
        self.complete_reference();
        let (reference, acceleration) = (&self.velocity.reference, &mut self.acceleration);
        let (smooth, out) = (&acceleration.smooth, &mut acceleration.solution);
        let position = &self.position;
        Ok(constraint::update(
            model, position, reference, smooth, residual, out,
        ))
    }
}

/// What the recursive Newton–Euler algorithm computes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NewtonEuler {
    /// Coriolis, centrifugal and gravitational force.
    Bias,
    /// The force that also makes the current accelerations.
    Acceleration,
}
