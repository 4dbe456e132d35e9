//! Planning by trial: from a saved state, the control is tried that lifts the pendulum most.
//!
//! cargo run --release --example saved_states

use sinew::prelude::*;

/// How high the top of the pole is above the rail.
fn height(sim: &mut Simulation) -> Result<f64, Box<dyn std::error::Error>> {
    sim.forward()?;
    Ok(sim.site("top")?.position[2] - 1.0)
}

pub(crate) fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut sim = Simulation::new(Model::built_in("cartpole")?);
    let push = sim.model().actuator("push")?;
    sim.reset_to("hanging")?;

    let (mut best_ever, mut kept) = (height(&mut sim)?, sim.save());
    for _ in 0..60 {
        let here = sim.save();
        let (mut best, mut chosen) = (f64::NEG_INFINITY, 0.0);
        for ctrl in [-1.0, -0.5, 0.0, 0.5, 1.0] {
            sim.restore(&here)?;
            sim.set_ctrl(push, ctrl)?;
            sim.step_for(0.4)?;
            // Height counts, and so does the speed that will become height.
            let (rate, cart) = (sim.qvel("pivot")?[0], sim.qpos("slider")?[0]);
            let score = height(&mut sim)? + 0.006 * rate * rate - 0.03 * cart * cart;
            if score > best {
                (best, chosen) = (score, ctrl);
            }
        }
        sim.restore(&here)?;
        sim.set_ctrl(push, chosen)?;
        sim.step_for(0.1)?;
        let reached = height(&mut sim)?;
        if reached > best_ever {
            (best_ever, kept) = (reached, sim.save());
        }
    }
    sim.restore(&kept)?;
    println!(
        "highest at {:.1} s: {best_ever:.3} m above the rail",
        sim.time()
    );
    assert!(best_ever > 0.5, "it hung 0.6 m below");
    Ok(())
}
