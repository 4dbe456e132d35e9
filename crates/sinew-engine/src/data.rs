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
use sinew_model::column::{Column, ColumnMut, Group};

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
        let mut data = Data {
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
        };
        data.state.reset(model);
        data.input.reset(model);
        data
    }

    /// Back to the model's initial state and input. Derived arrays are zero until a stage runs.
    #[doc(alias = "mj_resetData")]
    pub fn reset(&mut self, model: &Model) -> Result<(), CallError> {
        self.check_model(model)?;
        self.restart(model);
        Ok(())
    }

    pub(crate) fn restart(&mut self, model: &Model) {
        let Data {
            state,
            input,
            position,
            velocity,
            acceleration,
            inverse,
            integration,
            energy,
            sensor,
            warnings,
            scratch: _,
            signature: _,
        } = self;
        state.reset(model);
        input.reset(model);
        position.clear(model);
        velocity.clear(model);
        acceleration.clear(model);
        inverse.clear(model);
        integration.clear(model);
        *energy = Energy::default();
        sensor.clear(model);
        warnings.clear();
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
        let Data {
            state,
            input,
            position,
            velocity,
            acceleration,
            inverse,
            integration,
            energy,
            sensor,
            warnings,
            scratch: _,
            signature: _,
        } = self;
        state.copy_from(&other.state);
        input.copy_from(&other.input);
        position.copy_from(&other.position);
        velocity.copy_from(&other.velocity);
        acceleration.copy_from(&other.acceleration);
        inverse.copy_from(&other.inverse);
        integration.copy_from(&other.integration);
        energy.clone_from(&other.energy);
        sensor.copy_from(&other.sensor);
        warnings.copy_from(&other.warnings);
        Ok(())
    }

    /// Every array under the reference's name.
    pub fn columns(&self) -> Vec<Column<'_>> {
        let mut all = Vec::new();
        self.state.list(&mut all);
        self.input.list(&mut all);
        self.position.list(&mut all);
        self.velocity.list(&mut all);
        self.acceleration.list(&mut all);
        self.inverse.list(&mut all);
        self.integration.list(&mut all);
        self.sensor.list(&mut all);
        all
    }

    /// Every array under the reference's name, writable.
    pub fn columns_mut(&mut self) -> Vec<ColumnMut<'_>> {
        let mut all = Vec::new();
        self.state.list_mut(&mut all);
        self.input.list_mut(&mut all);
        self.position.list_mut(&mut all);
        self.velocity.list_mut(&mut all);
        self.acceleration.list_mut(&mut all);
        self.inverse.list_mut(&mut all);
        self.integration.list_mut(&mut all);
        self.sensor.list_mut(&mut all);
        all
    }
}
