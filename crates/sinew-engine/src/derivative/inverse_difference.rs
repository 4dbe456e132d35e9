//! Derivatives of inverse dynamics: how forces and sensors depend on positions, velocities and
//! accelerations.
//!
//! One-sided differences, a row for each changed input. Conforms to MuJoCo's `mjd_inverseFD`.

use super::difference::{DifferenceError, check, write_column};
use crate::data::Data;
use crate::hooks::NoHooks;
use crate::integrate::integrate_position;
use crate::step::Sensors;
use sinew_model::Model;
use sinew_model::kinds::Stage;

/// Whether the actuators count.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ActuatorForce {
    /// Force = `qfrc_inverse`.
    Ignored,
    /// Force = `qfrc_inverse` − `qfrc_actuator`.
    Subtracted,
}

/// Derivatives of inverse dynamics, dense and row-major, a row per changed input.
#[allow(non_snake_case)]
#[derive(Clone, Debug, Default, PartialEq)]
pub struct InverseDerivative {
    /// Force by position: nv × nv.
    pub DfDq: Vec<f64>,
    /// Force by velocity: nv × nv.
    pub DfDv: Vec<f64>,
    /// Force by acceleration: nv × nv.
    pub DfDa: Vec<f64>,
    /// Sensors by position: nv × nsensordata. Empty if sensors are skipped.
    pub DsDq: Vec<f64>,
    /// Sensors by velocity.
    pub DsDv: Vec<f64>,
    /// Sensors by acceleration.
    pub DsDa: Vec<f64>,
    /// Inertia by position: nv × nM.
    pub DmDq: Vec<f64>,
}

impl Data {
    /// Differentiates inverse dynamics about the current positions, velocities and accelerations,
    /// which stay.
    #[doc(alias = "mjd_inverseFD")]
    pub fn inverse_derivative(
        &mut self,
        model: &Model,
        eps: f64,
        actuators: ActuatorForce,
        sensors: Sensors,
        out: &mut InverseDerivative,
    ) -> Result<(), DifferenceError> {
        check(self, model, eps)?;
        if model.opt.noslip_iterations > 0 {
            return Err(DifferenceError::Noslip);
        }
        let (nv, nm) = (model.nv, model.nM);
        let ns = match sensors {
            Sensors::Computed => model.nsensordata,
            Sensors::Skipped => 0,
        };
        for (matrix, size) in [
            (&mut out.DfDq, nv * nv),
            (&mut out.DfDv, nv * nv),
            (&mut out.DfDa, nv * nv),
            (&mut out.DsDq, nv * ns),
            (&mut out.DsDv, nv * ns),
            (&mut out.DsDa, nv * ns),
            (&mut out.DmDq, nv * nm),
        ] {
            matrix.clear();
            matrix.resize(size, 0.0);
        }

        let qpos = self.state.qpos.clone();
        let force = self.inverse_force(model, Stage::None, actuators, sensors);
        let readings = self.sensor.sensordata[..ns].to_vec();
        let inertia = self.position.inertia.qM.clone();
        let row = |out: &mut [f64], i: usize, from: &[f64], to: &[f64]| {
            let width = from.len();
            write_column(&mut out[i * width..(i + 1) * width], (0, 1), from, to, eps);
        };
        for i in 0..nv {
            let kept = self.acceleration.solution.qacc[i];
            self.acceleration.solution.qacc[i] += eps;
            let changed = self.inverse_force(model, Stage::Vel, actuators, sensors);
            self.acceleration.solution.qacc[i] = kept;
            row(&mut out.DfDa, i, &force, &changed);
            row(&mut out.DsDa, i, &readings, &self.sensor.sensordata);
        }
        for i in 0..nv {
            let kept = self.state.qvel[i];
            self.state.qvel[i] += eps;
            let changed = self.inverse_force(model, Stage::Pos, actuators, sensors);
            self.state.qvel[i] = kept;
            row(&mut out.DfDv, i, &force, &changed);
            row(&mut out.DsDv, i, &readings, &self.sensor.sensordata);
        }
        let mut direction = vec![0.0; nv];
        for i in 0..nv {
            direction.fill(0.0);
            direction[i] = 1.0;
            let moved = integrate_position(model, &mut self.state.qpos, &direction, eps);
            moved.map_err(DifferenceError::Call)?;
            let changed = self.inverse_force(model, Stage::None, actuators, sensors);
            self.state.qpos.copy_from_slice(&qpos);
            row(&mut out.DfDq, i, &force, &changed);
            row(&mut out.DsDq, i, &readings, &self.sensor.sensordata);
            row(&mut out.DmDq, i, &inertia, &self.position.inertia.qM);
        }
        Ok(())
    }

    fn inverse_force(
        &mut self,
        model: &Model,
        current: Stage,
        actuators: ActuatorForce,
        sensors: Sensors,
    ) -> Vec<f64> {
        self.inverse_stages(model, current, sensors, &mut NoHooks);
        let mut force = self.inverse.qfrc_inverse.clone();
        if actuators == ActuatorForce::Subtracted {
            self.actuation_stage(model, &mut NoHooks);
            let actuator = &self.acceleration.actuation.qfrc_actuator;
            for (force, actuator) in force.iter_mut().zip(actuator) {
                *force -= actuator;
            }
        }
        force
    }
}
