//! Single stages of a simulation, for callers that want one and not the whole step.
//!
//! Each reads what earlier stages left in the [`Data`]; calling one out of order gives the answer
//! for old positions, never an error.

use crate::acceleration::{actuation, constraint, smooth};
use crate::data::Data;
use crate::position::{
    com, constraint as rows, contact, inertia, island, kinematics, tendon, transmission, view,
};
use sinew_model::Model;

impl Data {
    /// Poses of bodies, joints, geoms and sites, from `qpos` and the mocap poses.
    #[doc(alias = "mj_kinematics")]
    pub fn compute_kinematics(&mut self, model: &Model) {
        kinematics::compute(
            model,
            &self.state,
            &self.input,
            &mut self.position.kinematics,
        );
    }

    /// Centres of mass, inertias and motion axes about them.
    #[doc(alias = "mj_comPos")]
    pub fn compute_com(&mut self, model: &Model) {
        com::compute(model, &self.position.kinematics, &mut self.position.com);
    }

    /// Poses of cameras and lights.
    #[doc(alias = "mj_camlight")]
    pub fn compute_view(&mut self, model: &Model) {
        let position = &mut self.position;
        view::compute(
            model,
            &position.kinematics,
            &position.com,
            &mut position.view,
        );
    }

    /// Tendon lengths, paths and Jacobians.
    #[doc(alias = "mj_tendon")]
    pub fn compute_tendon(&mut self, model: &Model) {
        let Data {
            state,
            position,
            scratch,
            ..
        } = self;
        let (kinematics, com) = (&position.kinematics, &position.com);
        tendon::compute(model, state, kinematics, com, &mut position.tendon, scratch);
    }

    /// Joint-space inertia.
    #[doc(alias = "mj_makeM")]
    pub fn compute_inertia(&mut self, model: &Model) {
        let position = &mut self.position;
        inertia::compute(
            model,
            &position.com,
            &position.tendon,
            &mut position.inertia,
        );
    }

    /// Factor of the joint-space inertia.
    #[doc(alias = "mj_factorM")]
    pub fn factor_inertia(&mut self, model: &Model) {
        inertia::factor(model, &mut self.position.inertia);
    }

    /// Contacts between geoms.
    #[doc(alias = "mj_collision")]
    pub fn compute_contacts(&mut self, model: &Model) {
        let position = &mut self.position;
        contact::compute(model, &position.kinematics, &mut position.contacts);
    }

    /// Constraint rows: equalities, dry friction, limits, contacts.
    #[doc(alias = "mj_makeConstraint")]
    pub fn compute_constraints(&mut self, model: &Model) {
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
    }

    /// Groups of trees that constraints tie together.
    #[doc(alias = "mj_island")]
    pub fn compute_islands(&mut self, model: &Model) {
        let position = &mut self.position;
        let (contacts, constraints) = (&position.contacts, &position.constraints);
        island::compute(model, contacts, constraints, &mut position.islands);
    }

    /// Actuator lengths and moments.
    #[doc(alias = "mj_transmission")]
    pub fn compute_transmission(&mut self, model: &Model) {
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
    }

    /// Actuator forces and activation rates.
    #[doc(alias = "mj_fwdActuation")]
    pub fn compute_actuation(&mut self, model: &Model) {
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
        let out = &mut acceleration.actuation;
        actuation::compute(
            model, state, input, position, velocity, out, scratch, warnings,
        );
    }

    /// Sum of the smooth forces and the acceleration it causes.
    #[doc(alias = "mj_fwdAcceleration")]
    pub fn compute_smooth_acceleration(&mut self, model: &Model) {
        let (input, position, velocity) = (&self.input, &self.position, &self.velocity);
        let acceleration = &mut self.acceleration;
        let actuation = &acceleration.actuation;
        let out = &mut acceleration.smooth;
        smooth::compute(model, input, position, velocity, actuation, out);
    }

    /// Constraint forces and the resulting acceleration.
    #[doc(alias = "mj_fwdConstraint")]
    pub fn solve_constraints(&mut self, model: &Model) {
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
    }
}
