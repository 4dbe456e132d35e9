//! Steps of a scene, for tools that count instructions: `python3 -m conformance.instructions` says how many a step takes.
//!
//! usage: cargo run --release --example instructions -- cloth|humanoid|lanes|laws|lent STEPS

use sinew::batch::{Batch, Lanes, Which};
use sinew::engine::Bending;
use sinew::engine::integrate::integrate_position;
use sinew::engine::law::{Dihedral, NeoHookean, SeriesElastic, Xpbd};
use sinew::prelude::*;
use std::sync::Arc;

/// A cloth that touches nothing: most of a step is passive forces.
const CLOTH: &str = r#"<mujoco>
    <option timestep="5e-4"><flag contact="disable"/></option>
    <worldbody><flexcomp name="cloth" type="grid" dim="2" count="16 16 1" spacing=".05 .05 .05" mass=".5">
        <elasticity young="1e4" poisson=".3" thickness=".005" damping=".001" elastic2d="both"/>
        <contact selfcollide="none"/>
    </flexcomp></worldbody></mujoco>"#;

/// Something for every law: a cloth on the floor beside a cart with a motor and an end stop.
const LAWS: &str = r#"<mujoco>
    <worldbody><geom type="plane" size="5 5 1"/>
    <body pos="3 0 .1"><joint name="slide" type="slide" axis="1 0 0" range="-1 .01" limited="true" frictionloss=".1"/>
        <geom size=".1" mass="1"/></body>
    <flexcomp name="cloth" type="grid" dim="2" count="8 8 1" spacing=".1 .1 .1" pos="0 0 .02" radius=".02" mass=".5">
        <elasticity young="1e4" poisson=".3" thickness=".005" elastic2d="both"/>
        <contact selfcollide="none"/>
    </flexcomp></worldbody>
    <actuator><motor name="push" joint="slide"/></actuator></mujoco>"#;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [scene, steps] = arguments.as_slice() else {
        return Err("usage: instructions cloth|humanoid|lanes|laws|lent STEPS".into());
    };
    let steps = steps.parse()?;
    match scene.as_str() {
        "cloth" => alone(Model::from_str(CLOTH)?, steps),
        "humanoid" => alone(Model::built_in("humanoid")?, steps),
        "lanes" => side_by_side(steps),
        "laws" => composed(Dihedral::default(), steps),
        "lent" => composed(&mut Dihedral::default() as &mut dyn Bending, steps),
        other => Err(format!("`{other}` is no scene").into()),
    }
}

/// The plain interface, from the model's state with some speed.
fn alone(model: Model, steps: usize) -> Result<(), Box<dyn std::error::Error>> {
    let mut data = Data::new(&model);
    for (k, speed) in data.state.qvel.iter_mut().enumerate() {
        *speed = 0.05 * (k % 7) as f64;
    }
    for _ in 0..steps {
        data.step(&model)?;
    }
    Ok(())
}

/// Eight humanoids that fall, four in each register.
fn side_by_side(steps: usize) -> Result<(), Box<dyn std::error::Error>> {
    if Lanes::widest() == Lanes::One {
        return Err("this processor has no registers for lanes".into());
    }
    let model = Arc::new(Model::built_in("humanoid")?);
    let mut batch = Batch::with(Arc::clone(&model), 8, 1, &[])?;
    batch.set_lanes(Lanes::Four);
    if let (_, Some(reason)) = batch.plan() {
        return Err(format!("one world at a time, because of {reason}").into());
    }
    batch.put(Which::All, |world, data| {
        let away = vec![0.01 * world as f64; model.nv];
        integrate_position(&model, &mut data.state.qpos, &away, 1.0)
    })?;
    batch.step(steps, &());
    Ok(())
}

/// Every law replaced. Where bending is a type and no trait object, the compiler sees all that happens.
fn composed(bending: impl Bending, steps: usize) -> Result<(), Box<dyn std::error::Error>> {
    let mut sim = Simulation::builder(Model::from_str(LAWS)?)
        .bending(bending)
        .elasticity(NeoHookean::default())
        .gain(SeriesElastic::default().with(0, 100.0, 1.0, 10.0))
        .solver(Xpbd::default())
        .build()?;
    sim.set_ctrl("push", 0.01)?;
    for _ in 0..steps {
        sim.step()?;
    }
    Ok(())
}
