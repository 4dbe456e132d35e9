//! Numbers of joints, actuators, sensors and tendons, by id or name.

use super::Simulation;
use crate::access::AccessError;
use crate::ids::{ActuatorId, BodyId, EqualityId, Find, Id, JointId, SensorId, TendonId};
use core::ops::Range;
use sinew_math::{Quat, Vec3};
use sinew_model::Model;
use sinew_model::joint::Layout;

/// The part of an array that belongs to an object.
fn part<'a>(
    what: &'static str,
    array: &'a [f64],
    range: Range<usize>,
) -> Result<&'a [f64], AccessError> {
    let found = array.len();
    let expected = range.end;
    array.get(range).ok_or(AccessError::Length {
        what,
        expected,
        found,
    })
}

/// Writes the part of an array that belongs to an object.
fn write(
    what: &'static str,
    array: &mut [f64],
    range: Range<usize>,
    values: &[f64],
) -> Result<(), AccessError> {
    let expected = range.len();
    match array.get_mut(range) {
        Some(own) if own.len() == values.len() => {
            own.copy_from_slice(values);
            Ok(())
        }
        _ => Err(AccessError::Length {
            what,
            expected,
            found: values.len(),
        }),
    }
}

/// One number of an array.
fn one(what: &'static str, array: &[f64], index: usize) -> Result<f64, AccessError> {
    Ok(part(what, array, index..index + 1)?[0])
}

/// Where positions and velocities of a joint stand.
fn places(model: &Model, joint: JointId) -> (Range<usize>, Range<usize>) {
    let joint = joint.index();
    let layout = Layout::of(model.jnt_type[joint]);
    let range = |first: i32, count: usize| first as usize..first as usize + count;
    (
        range(model.jnt_qposadr[joint], layout.positions()),
        range(model.jnt_dofadr[joint], layout.dofs()),
    )
}

/// Joints, actuators, sensors, tendons and equalities.
///
/// ```
/// use sinew::prelude::*;
/// let mut sim = Simulation::new(Model::built_in("cartpole")?);
/// let push = sim.model().actuator("push")?;
/// sim.reset_to("tilted")?;
/// sim.set_ctrl(push, 0.2)?;
/// sim.step()?;
/// println!("{:?} {:?}", sim.qpos("pivot")?, sim.sensor("pole_angle")?);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
impl<P> Simulation<P> {
    /// Position of a joint: an angle or a length, a unit quaternion of a ball, place and quaternion of a
    /// free joint.
    pub fn qpos(&self, joint: impl Find<JointId>) -> Result<&[f64], AccessError> {
        let (positions, _) = places(&self.model, joint.id_in(&self.model)?);
        part("qpos", &self.data.state.qpos, positions)
    }

    /// Sets the position of a joint.
    pub fn set_qpos(
        &mut self,
        joint: impl Find<JointId>,
        values: &[f64],
    ) -> Result<(), AccessError> {
        let (positions, _) = places(&self.model, joint.id_in(&self.model)?);
        write(
            "qpos of the joint",
            &mut self.data.state.qpos,
            positions,
            values,
        )
    }

    /// Velocity of a joint: one number, three of a ball, six of a free joint (translation, then rotation).
    pub fn qvel(&self, joint: impl Find<JointId>) -> Result<&[f64], AccessError> {
        let (_, dofs) = places(&self.model, joint.id_in(&self.model)?);
        part("qvel", &self.data.state.qvel, dofs)
    }

    /// Sets the velocity of a joint.
    pub fn set_qvel(
        &mut self,
        joint: impl Find<JointId>,
        values: &[f64],
    ) -> Result<(), AccessError> {
        let (_, dofs) = places(&self.model, joint.id_in(&self.model)?);
        write("qvel of the joint", &mut self.data.state.qvel, dofs, values)
    }

    /// Acceleration of a joint.
    pub fn qacc(&self, joint: impl Find<JointId>) -> Result<&[f64], AccessError> {
        let (_, dofs) = places(&self.model, joint.id_in(&self.model)?);
        part("qacc", &self.data.acceleration.solution.qacc, dofs)
    }

    /// Force or torque that the user applies to a joint, besides actuators.
    pub fn set_joint_force(
        &mut self,
        joint: impl Find<JointId>,
        values: &[f64],
    ) -> Result<(), AccessError> {
        let (_, dofs) = places(&self.model, joint.id_in(&self.model)?);
        let applied = &mut self.data.input.qfrc_applied;
        write("the force of the joint", applied, dofs, values)
    }

    /// Control of an actuator.
    pub fn ctrl(&self, actuator: impl Find<ActuatorId>) -> Result<f64, AccessError> {
        let actuator = actuator.id_in(&self.model)?.index();
        one("ctrl", &self.data.input.ctrl, actuator)
    }

    /// Sets the control of an actuator. It stays until it is set again.
    pub fn set_ctrl(
        &mut self,
        actuator: impl Find<ActuatorId>,
        value: f64,
    ) -> Result<(), AccessError> {
        let actuator = actuator.id_in(&self.model)?.index();
        write(
            "ctrl",
            &mut self.data.input.ctrl,
            actuator..actuator + 1,
            &[value],
        )
    }

    /// Force of an actuator.
    pub fn actuator_force(&self, actuator: impl Find<ActuatorId>) -> Result<f64, AccessError> {
        let actuator = actuator.id_in(&self.model)?.index();
        let forces = &self.data.acceleration.actuation.actuator_force;
        one("actuator_force", forces, actuator)
    }

    /// Reading of a sensor.
    pub fn sensor(&self, sensor: impl Find<SensorId>) -> Result<&[f64], AccessError> {
        let sensor = sensor.id_in(&self.model)?.index();
        let first = self.model.sensor_adr[sensor] as usize;
        let range = first..first + self.model.sensor_dim[sensor] as usize;
        part("sensordata", &self.data.sensor.sensordata, range)
    }

    /// Length of a tendon.
    pub fn tendon_length(&self, tendon: impl Find<TendonId>) -> Result<f64, AccessError> {
        let tendon = tendon.id_in(&self.model)?.index();
        one("ten_length", &self.data.position.tendon.ten_length, tendon)
    }

    /// Switches an equality constraint on or off.
    pub fn set_equality(
        &mut self,
        equality: impl Find<EqualityId>,
        is_active: bool,
    ) -> Result<(), AccessError> {
        let equality = equality.id_in(&self.model)?.index();
        if let Some(flag) = self.data.input.eq_active.get_mut(equality) {
            *flag = u8::from(is_active);
        }
        Ok(())
    }

    /// Force and torque that the user applies to a body at its centre of mass, in the axes of the world.
    /// They stay until they are set again.
    pub fn set_body_force(
        &mut self,
        body: impl Find<BodyId>,
        force: Vec3,
        torque: Vec3,
    ) -> Result<(), AccessError> {
        let body = body.id_in(&self.model)?.index();
        if let Some(applied) = self.data.input.xfrc_applied.get_mut(body) {
            let (f, t) = (force.0, torque.0);
            *applied = [f[0], f[1], f[2], t[0], t[1], t[2]];
        }
        Ok(())
    }

    /// Moves a mocap body.
    pub fn set_mocap(
        &mut self,
        body: impl Find<BodyId>,
        position: Vec3,
        orientation: Quat,
    ) -> Result<(), AccessError> {
        let body = body.id_in(&self.model)?.index();
        let mocap = usize::try_from(self.model.body_mocapid[body]);
        let mocap = mocap.map_err(|_| AccessError::NotMocap)?;
        let input = &mut self.data.input;
        if let (Some(pos), Some(quat)) = (
            input.mocap_pos.get_mut(mocap),
            input.mocap_quat.get_mut(mocap),
        ) {
            (*pos, *quat) = (position, orientation);
        }
        Ok(())
    }
}
