//! Single stages, for callers that want one and not the whole step.
//!
//! Each reads what earlier stages left in the [`Data`]; calling one out of order gives the answer
//! for old positions, never an error.

use crate::acceleration::constraint;
use crate::data::Data;
use crate::engine::Engine;
use crate::error::{CallError, StepError, check_index, check_length};
use crate::parts::Parts;
use crate::pipeline::{acceleration, check, position, velocity};
use crate::position::contact::Contact;
use crate::velocity::bias;
use crate::{forward_inverse, sensor};
use sinew_model::Model;
use sinew_model::kinds::Stage;

/// Stages of the positions.
impl<P: Parts> Engine<'_, P> {
    /// Poses, centres of mass, cameras and lights, flexes, tendons.
    #[doc(alias = "mj_fwdKinematics")]
    pub fn forward_kinematics(&mut self, data: &mut Data) -> Result<(), CallError> {
        data.check_model(self.model)?;
        position::all_kinematics(self.model, data);
        Ok(())
    }

    /// Poses of bodies, joints, geoms and sites, from `qpos` and the mocap poses.
    #[doc(alias = "mj_kinematics")]
    pub fn compute_kinematics(&mut self, data: &mut Data) -> Result<(), CallError> {
        data.check_model(self.model)?;
        position::kinematics(self.model, data);
        Ok(())
    }

    /// Centres of mass, inertias and motion axes about them.
    #[doc(alias = "mj_comPos")]
    pub fn compute_com(&mut self, data: &mut Data) -> Result<(), CallError> {
        data.check_model(self.model)?;
        position::com(self.model, data);
        Ok(())
    }

    /// Poses of cameras and lights.
    #[doc(alias = "mj_camlight")]
    pub fn compute_view(&mut self, data: &mut Data) -> Result<(), CallError> {
        data.check_model(self.model)?;
        position::view(self.model, data);
        Ok(())
    }

    /// Vertices, boxes and edges of flexes.
    #[doc(alias = "mj_flex")]
    pub fn compute_flex(&mut self, data: &mut Data) -> Result<(), CallError> {
        data.check_model(self.model)?;
        position::flex(self.model, data);
        Ok(())
    }

    /// Tendon lengths, paths and Jacobians.
    #[doc(alias = "mj_tendon")]
    pub fn compute_tendon(&mut self, data: &mut Data) -> Result<(), CallError> {
        data.check_model(self.model)?;
        position::tendon(self.model, data);
        Ok(())
    }

    /// Joint-space inertia.
    #[doc(alias = "mj_makeM")]
    pub fn compute_inertia(&mut self, data: &mut Data) -> Result<(), CallError> {
        data.check_model(self.model)?;
        position::inertia(self, data);
        Ok(())
    }

    /// Joint-space inertia `M` of the bodies, without the armature of tendons.
    #[doc(alias = "mj_crb")]
    pub fn compute_body_inertia(&mut self, data: &mut Data) -> Result<(), CallError> {
        data.check_model(self.model)?;
        position::body_inertia(self.model, data);
        Ok(())
    }

    /// Factor of the joint-space inertia.
    #[doc(alias = "mj_factorM")]
    pub fn factor_inertia(&mut self, data: &mut Data) -> Result<(), CallError> {
        data.check_model(self.model)?;
        position::factor(self, data);
        Ok(())
    }

    /// Contacts between geoms, and with flexes. There are no constraint rows until they are made again.
    #[doc(alias = "mj_collision")]
    pub fn compute_contacts(&mut self, data: &mut Data) -> Result<(), CallError> {
        data.check_stages(self.model)?;
        data.position.clear_rows(self.model);
        position::contacts(self, data);
        Ok(())
    }

    /// Constraint rows: equalities, dry friction, limits, contacts. There are no islands until they
    /// are found again.
    #[doc(alias = "mj_makeConstraint")]
    pub fn compute_constraints(&mut self, data: &mut Data) -> Result<(), CallError> {
        data.check_stages(self.model)?;
        position::rows(self, data);
        Ok(())
    }

    /// Groups of trees that constraints tie together.
    #[doc(alias = "mj_island")]
    pub fn compute_islands(&mut self, data: &mut Data) -> Result<(), CallError> {
        data.check_model(self.model)?;
        position::islands(self.model, data);
        Ok(())
    }

    /// Actuator lengths and moments.
    #[doc(alias = "mj_transmission")]
    pub fn compute_transmission(&mut self, data: &mut Data) -> Result<(), CallError> {
        data.check_model(self.model)?;
        position::transmission(self.model, data);
        Ok(())
    }

    /// Potential energy, whether or not the model asks for it.
    #[doc(alias = "mj_energyPos")]
    pub fn compute_potential_energy(&mut self, data: &mut Data) -> Result<(), CallError> {
        data.check_model(self.model)?;
        position::energy(self.model, data);
        Ok(())
    }
}

/// Stages of the velocities.
impl<P: Parts> Engine<'_, P> {
    /// Rates of tendon and actuator lengths.
    pub fn compute_length_velocity(&mut self, data: &mut Data) -> Result<(), CallError> {
        data.check_model(self.model)?;
        velocity::length(self.model, data);
        Ok(())
    }

    /// Spatial velocities about the centres of mass.
    #[doc(alias = "mj_comVel")]
    pub fn compute_com_velocity(&mut self, data: &mut Data) -> Result<(), CallError> {
        data.check_model(self.model)?;
        velocity::com(self.model, data);
        Ok(())
    }

    /// Springs, dampers, gravity compensation, fluid, and the passive force of the parts.
    #[doc(alias = "mj_passive")]
    pub fn compute_passive(&mut self, data: &mut Data) -> Result<(), CallError> {
        data.check_model(self.model)?;
        velocity::passive(self, data);
        Ok(())
    }

    /// What the constraint rows aim at.
    #[doc(alias = "mj_referenceConstraint")]
    pub fn compute_reference(&mut self, data: &mut Data) -> Result<(), CallError> {
        data.check_model(self.model)?;
        velocity::reference(data);
        Ok(())
    }

    /// Kinetic energy, whether or not the model asks for it.
    #[doc(alias = "mj_energyVel")]
    pub fn compute_kinetic_energy(&mut self, data: &mut Data) -> Result<(), CallError> {
        data.check_model(self.model)?;
        velocity::energy(self.model, data);
        Ok(())
    }

    /// Linear velocity and angular momentum of subtrees at the current state.
    #[doc(alias = "mj_subtreeVel")]
    pub fn subtree_momentum(&mut self, data: &mut Data) -> Result<(), CallError> {
        data.check_model(self.model)?;
        velocity::momentum(self.model, data);
        Ok(())
    }
}

/// Stages of forces and accelerations.
impl<P: Parts> Engine<'_, P> {
    /// Actuator forces and activation rates.
    #[doc(alias = "mj_fwdActuation")]
    pub fn compute_actuation(&mut self, data: &mut Data) -> Result<(), CallError> {
        data.check_model(self.model)?;
        acceleration::actuation(self, data);
        Ok(())
    }

    /// Sum of the smooth forces and the acceleration it causes.
    #[doc(alias = "mj_fwdAcceleration")]
    pub fn compute_smooth_acceleration(&mut self, data: &mut Data) -> Result<(), CallError> {
        data.check_model(self.model)?;
        acceleration::smooth(self.model, data);
        Ok(())
    }

    /// J·M⁻¹·Jᵀ + R of the constraint rows, where the solver needs it.
    #[doc(alias = "mj_projectConstraint")]
    pub fn project_constraints(&mut self, data: &mut Data) -> Result<(), CallError> {
        data.check_model(self.model)?;
        acceleration::projection(self.model, data);
        Ok(())
    }

    /// Constraint forces and the resulting acceleration.
    #[doc(alias = "mj_fwdConstraint")]
    pub fn solve_constraints(&mut self, data: &mut Data) -> Result<(), CallError> {
        data.check_stages(self.model)?;
        acceleration::solution(self, data);
        Ok(())
    }

    /// Constraint forces at the current accelerations.
    #[doc(alias = "mj_invConstraint")]
    pub fn inverse_constraints(&mut self, data: &mut Data) -> Result<(), CallError> {
        data.check_stages(self.model)?;
        acceleration::inverse_solution(self, data);
        Ok(())
    }

    /// How well inverse dynamics returns what forward dynamics was given, into `solver_fwdinv`;
    /// forward results stay. Zero without constraints.
    #[doc(alias = "mj_compareFwdInv")]
    pub fn compare_forward_inverse(&mut self, data: &mut Data) -> Result<(), CallError> {
        data.check_inverse(self.model)?;
        forward_inverse::compare(self, data);
        Ok(())
    }

    /// Accelerations of bodies and forces between them at the current accelerations.
    #[doc(alias = "mj_rnePostConstraint")]
    pub fn body_forces(&mut self, data: &mut Data) -> Result<(), CallError> {
        data.check_model(self.model)?;
        acceleration::body_force(self.model, data);
        Ok(())
    }
}

/// Sensors and checks.
impl<P: Parts> Engine<'_, P> {
    /// The sensors that belong to a stage.
    #[doc(alias = "mj_sensorPos")]
    #[doc(alias = "mj_sensorVel")]
    #[doc(alias = "mj_sensorAcc")]
    pub fn compute_sensors(&mut self, data: &mut Data, stage: Stage) -> Result<(), CallError> {
        data.check_stages(self.model)?;
        sensor::compute(self, data, stage);
        Ok(())
    }

    /// Counts and resets bad positions.
    #[doc(alias = "mj_checkPos")]
    pub fn check_position(&mut self, data: &mut Data) -> Result<(), StepError> {
        data.check_model(self.model)?;
        check::outcome(check::positions(self.model, data))
    }

    /// Counts and resets bad velocities.
    #[doc(alias = "mj_checkVel")]
    pub fn check_velocity(&mut self, data: &mut Data) -> Result<(), StepError> {
        data.check_model(self.model)?;
        check::outcome(check::velocities(self.model, data))
    }

    /// Counts and resets bad accelerations; computes forward dynamics again after a reset.
    #[doc(alias = "mj_checkAcc")]
    pub fn check_acceleration(&mut self, data: &mut Data) -> Result<(), StepError> {
        data.check_model(self.model)?;
        check::outcome(check::accelerations(self, data))
    }
}

/// What no stage computes.
impl Data {
    /// Adds a contact behind those found. There are no constraint rows until they are made again.
    #[doc(alias = "mj_addContact")]
    pub fn add_contact(&mut self, model: &Model, mut contact: Contact) -> Result<(), CallError> {
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
        contact.exclude_if_fixed(model);
        self.position.clear_rows(model);
        self.position.contacts.contact.push(contact);
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
        velocity::complete_reference(self);
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
