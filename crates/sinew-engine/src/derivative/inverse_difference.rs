//! Derivatives of inverse dynamics: how forces and sensors depend on positions, velocities and
//! accelerations.
//!
//! One-sided differences, a row for each changed input. Conforms to MuJoCo's `mjd_inverseFD`.

use super::difference::{DifferenceError, check, write_column};
use crate::data::Data;
use crate::engine::{Engine, Sensors};
use crate::integrate::integrate_position;
use crate::parts::Parts;
use crate::pipeline;
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

impl<P: Parts> Engine<'_, P> {
    /// Differentiates inverse dynamics about the current positions, velocities and accelerations,
    /// which stay.
    #[doc(alias = "mjd_inverseFD")]
    pub fn inverse_derivative(
        &mut self,
        data: &mut Data,
        eps: f64,
        actuators: ActuatorForce,
        sensors: Sensors,
        out: &mut InverseDerivative,
    ) -> Result<(), DifferenceError> {
        let model = self.model;
        check(data, model, eps)?;
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

        let qpos = data.state.qpos.clone();
        let force = self.inverse_force(data, Stage::None, actuators, sensors);
        let readings = data.sensor.sensordata[..ns].to_vec();
        let inertia = data.position.inertia.qM.clone();
        let row = |out: &mut [f64], i: usize, from: &[f64], to: &[f64]| {
            let width = from.len();
            write_column(&mut out[i * width..(i + 1) * width], (0, 1), from, to, eps);
        };
        for i in 0..nv {
            self.check_patience()?;
            let kept = data.acceleration.solution.qacc[i];
            data.acceleration.solution.qacc[i] += eps;
            let changed = self.inverse_force(data, Stage::Vel, actuators, sensors);
            data.acceleration.solution.qacc[i] = kept;
            row(&mut out.DfDa, i, &force, &changed);
            row(&mut out.DsDa, i, &readings, &data.sensor.sensordata);
        }
        for i in 0..nv {
            self.check_patience()?;
            let kept = data.state.qvel[i];
            data.state.qvel[i] += eps;
            let changed = self.inverse_force(data, Stage::Pos, actuators, sensors);
            data.state.qvel[i] = kept;
            row(&mut out.DfDv, i, &force, &changed);
            row(&mut out.DsDv, i, &readings, &data.sensor.sensordata);
        }
        let mut direction = vec![0.0; nv];
        for i in 0..nv {
            self.check_patience()?;
            direction.fill(0.0);
            direction[i] = 1.0;
            let moved = integrate_position(model, &mut data.state.qpos, &direction, eps);
            moved.map_err(DifferenceError::Call)?;
            let changed = self.inverse_force(data, Stage::None, actuators, sensors);
            data.state.qpos.copy_from_slice(&qpos);
            row(&mut out.DfDq, i, &force, &changed);
            row(&mut out.DsDq, i, &readings, &data.sensor.sensordata);
            row(&mut out.DmDq, i, &inertia, &data.position.inertia.qM);
        }
        self.check_patience()
    }

    fn inverse_force(
        &mut self,
        data: &mut Data,
        current: Stage,
        actuators: ActuatorForce,
        sensors: Sensors,
    ) -> Vec<f64> {
        pipeline::inverse(self, data, current, sensors);
        let mut force = data.inverse.qfrc_inverse.clone();
        if actuators == ActuatorForce::Subtracted {
            pipeline::acceleration::actuation(self, data);
            let actuator = &data.acceleration.actuation.qfrc_actuator;
            for (force, actuator) in force.iter_mut().zip(actuator) {
                *force -= actuator;
            }
        }
        force
    }
}
