//! All arrays of one running simulation, grouped by the stage that writes them.

use crate::acceleration::Acceleration;
use crate::energy::Energy;
use crate::error::{CallError, check_index};
use crate::integrate::Integration;
use crate::inverse::Inverse;
use crate::position::Position;
use crate::scratch::Scratch;
use crate::sensor::Sensor;
use crate::state::{Input, State};
use crate::velocity::Velocity;
use crate::warning::Warnings;
use sinew_model::Model;
use sinew_model::column::{Column, ColumnMut};

/// One simulation of a model. Allocated once; stepping does not allocate.
#[derive(Clone, Debug)]
pub struct Data {
    /// What integration advances.
    pub state: State,
    /// What the user sets.
    pub input: Input,
    /// Functions of the positions.
    pub position: Position,
    /// Functions of positions and velocities.
    pub velocity: Velocity,
    /// Forces and accelerations.
    pub acceleration: Acceleration,
    /// Inverse dynamics.
    pub inverse: Inverse,
    /// Matrices of the integrators.
    pub integration: Integration,
    /// Potential and kinetic energy.
    pub energy: Energy,
    /// Sensor readings.
    pub sensor: Sensor,
    /// Counters of bad values met.
    pub warnings: Warnings,
    /// Working memory of the stages.
    pub(crate) scratch: Scratch,
    /// The structure of the models it fits.
    pub(crate) signature: u64,
}

impl Data {
    /// A simulation at the model's initial state. Derived arrays are zero until a stage runs.
    #[doc(alias = "mj_makeData")]
    pub fn new(model: &Model) -> Self {
        Data {
            state: State::new(model),
            input: Input::new(model),
            position: Position::new(model),
            velocity: Velocity::new(model),
            acceleration: Acceleration::new(model),
            inverse: Inverse::new(model),
            integration: Integration::new(model),
            energy: Energy::default(),
            sensor: Sensor::new(model),
            warnings: Warnings::default(),
            scratch: Scratch::new(model),
            signature: model.signature,
        }
    }

    /// Back to the model's initial state and input. Derived arrays are zero until a stage runs.
    #[doc(alias = "mj_resetData")]
    pub fn reset(&mut self, model: &Model) -> Result<(), CallError> {
        self.check_model(model)?;
        self.restart(model);
        Ok(())
    }

    pub(crate) fn restart(&mut self, model: &Model) {
        self.state.reset(model);
        self.input.reset(model);
        self.energy = Energy::default();
        self.sensor.clear_columns();
        self.warnings.clear();
        self.position.clear(model);
        self.velocity.clear();
        self.acceleration.clear();
        self.inverse.clear_columns();
        self.integration.clear_columns();
        self.inverse.solver_fwdinv = [0.0; 2];
    }

    /// The initial state with time, positions, velocities, activations, controls and mocap poses of
    /// a keyframe. An unknown keyframe changes nothing.
    #[doc(alias = "mj_resetDataKeyframe")]
    pub fn reset_to_keyframe(&mut self, model: &Model, key: usize) -> Result<(), CallError> {
        self.check_model(model)?;
        check_index("keyframe", key, model.nkey)?;
        self.restart(model);
        fn row(column: &[f64], key: usize, width: usize) -> &[f64] {
            &column[key * width..(key + 1) * width]
        }
        let (state, input) = (&mut self.state, &mut self.input);
        state.time = model.key_time[key];
        state
            .qpos
            .copy_from_slice(row(&model.key_qpos, key, model.nq));
        state
            .qvel
            .copy_from_slice(row(&model.key_qvel, key, model.nv));
        state
            .act
            .copy_from_slice(row(&model.key_act, key, model.na));
        input
            .ctrl
            .copy_from_slice(row(&model.key_ctrl, key, model.nu));
        bytemuck::cast_slice_mut::<_, f64>(&mut input.mocap_pos).copy_from_slice(row(
            &model.key_mpos,
            key,
            3 * model.nmocap,
        ));
        bytemuck::cast_slice_mut::<_, f64>(&mut input.mocap_quat).copy_from_slice(row(
            &model.key_mquat,
            key,
            4 * model.nmocap,
        ));
        Ok(())
    }

    /// Takes over everything from another simulation of the same structure. No array moves.
    #[doc(alias = "mj_copyData")]
    pub fn copy_from(&mut self, other: &Data) -> Result<(), CallError> {
        self.check_same_structure(other)?;
        for (target, source) in self.columns_mut().into_iter().zip(other.columns()) {
            target.bytes.copy_from_slice(source.bytes);
        }
        self.state.time = other.state.time;
        self.energy = other.energy.clone();
        self.warnings.copy_from(&other.warnings);
        let (position, from) = (&mut self.position, &other.position);
        position.contacts.contact.clone_from(&from.contacts.contact);
        position.constraints.clone_from(&from.constraints);
        position.islands.clone_from(&from.islands);
        position.inertia.is_factored = from.inertia.is_factored;
        let (velocity, from) = (&mut self.velocity, &other.velocity);
        velocity.reference.clone_from(&from.reference);
        velocity.momentum.is_current = from.momentum.is_current;
        let (acceleration, from) = (&mut self.acceleration, &other.acceleration);
        acceleration.body_force.is_current = from.body_force.is_current;
        let (solution, from) = (&mut acceleration.solution, &from.solution);
        solution.efc_force.clone_from(&from.efc_force);
        solution.efc_state.clone_from(&from.efc_state);
        solution.efc_b.clone_from(&from.efc_b);
        solution.solver_niter = from.solver_niter;
        solution.solver.clone_from(&from.solver);
        self.inverse.solver_fwdinv = other.inverse.solver_fwdinv;
        Ok(())
    }

    /// Every array under the reference's name.
    pub fn columns(&self) -> Vec<Column<'_>> {
        let mut all = self.state.columns();
        all.extend(self.input.columns());
        all.extend(self.position.columns());
        all.extend(self.velocity.columns());
        all.extend(self.acceleration.columns());
        all.extend(self.inverse.columns());
        all.extend(self.integration.columns());
        all.extend(self.sensor.columns());
        all
    }

    /// Every array under the reference's name, writable.
    pub fn columns_mut(&mut self) -> Vec<ColumnMut<'_>> {
        let mut all = self.state.columns_mut();
        all.extend(self.input.columns_mut());
        all.extend(self.position.columns_mut());
        all.extend(self.velocity.columns_mut());
        all.extend(self.acceleration.columns_mut());
        all.extend(self.inverse.columns_mut());
        all.extend(self.integration.columns_mut());
        all.extend(self.sensor.columns_mut());
        all
    }
}
