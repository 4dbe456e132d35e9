//! An actuator of one's own: a motor whose torque fades with speed and whose windings heat up.
//!
//! cargo run --example custom_actuator

use sinew::engine::UserActuators;
use sinew::prelude::*;

const WHEEL: &str = r#"
<mujoco>
  <option timestep="0.001" integrator="implicitfast"/>
  <worldbody>
    <body>
      <joint name="axle" axis="0 0 1" damping="0.001"/>
      <geom type="cylinder" size="0.1 0.01" mass="1"/>
    </body>
  </worldbody>
  <actuator>
    <general name="motor" joint="axle" gaintype="user" biastype="none" ctrlrange="-1 1"/>
  </actuator>
</mujoco>"#;

/// A brushed motor.
#[derive(Clone, Debug)]
struct Motor {
    stall_torque: f64,
    free_speed: f64,
    /// Kelvin above the surroundings.
    heat: f64,
}

impl Motor {
    fn torque(&self, speed: f64) -> f64 {
        // Hot windings carry less current.
        let strength = self.stall_torque / (1.0 + 0.004 * self.heat);
        strength * (1.0 - speed / self.free_speed)
    }
}

impl UserActuators for Motor {
    fn gain(&mut self, model: &Model, data: &mut Data, actuator: usize) -> f64 {
        let torque = self.torque(data.velocity.length.actuator_velocity[actuator]);
        let current = data.input.ctrl[actuator] * torque;
        self.heat += (20.0 * current * current - 0.1 * self.heat) * model.opt.timestep;
        torque
    }

    fn velocity_derivative(&mut self, _: &Model, data: &mut Data, actuator: usize) -> f64 {
        let ctrl = data.input.ctrl[actuator];
        -ctrl * self.stall_torque / (1.0 + 0.004 * self.heat) / self.free_speed
    }
}

pub(crate) fn main() -> Result<(), Box<dyn std::error::Error>> {
    let motor = Motor {
        stall_torque: 0.5,
        free_speed: 300.0,
        heat: 0.0,
    };
    let mut sim = Simulation::builder(Model::from_str(WHEEL)?)
        .actuators(motor)
        .build()?;
    sim.set_ctrl("motor", 1.0)?;
    for second in 1..=5 {
        sim.step_for(1.0)?;
        let speed = sim.qvel("axle")?[0];
        println!(
            "{second} s  {speed:5.1} rad/s  {:4.1} K",
            sim.parts.actuators.heat
        );
    }
    let speed = sim.qvel("axle")?[0];
    assert!(speed > 100.0 && speed < 300.0);
    Ok(())
}
