//! A pendulum that falls: load, name a joint, step, read.
//!
//! cargo run --example hello_pendulum

use sinew::prelude::*;

const PENDULUM: &str = r#"
<mujoco>
  <option timestep="0.002"/>
  <worldbody>
    <body name="rod" pos="0 0 1">
      <joint name="hinge" axis="0 1 0" damping="0.01"/>
      <geom type="capsule" fromto="0 0 0 0 0 -0.5" size="0.02"/>
    </body>
  </worldbody>
</mujoco>"#;

pub(crate) fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut sim = Simulation::new(Model::from_str(PENDULUM)?);
    let hinge = sim.model().joint("hinge")?;
    sim.set_qpos(hinge, &[1.0])?;
    for _ in 0..10 {
        sim.step_for(0.1)?;
        println!("{:.1} s  {:+.3} rad", sim.time(), sim.qpos(hinge)?[0]);
    }
    assert!(sim.qpos(hinge)?[0].abs() < 1.0);
    Ok(())
}
