//! What a pile weighs, read from its contacts with the floor.
//!
//! cargo run --release --example contact_forces

use sinew::prelude::*;

pub(crate) fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut sim = Simulation::new(Model::built_in("box_pile")?);
    sim.step_for(5.0)?;
    let model = sim.model();
    let floor = model.geom("floor")?;
    let mut held = Vec3([0.0; 3]);
    for touch in sim.contacts().filter(|touch| touch.involves(floor)) {
        let [first, second] = touch.names();
        println!("{first} holds {second} with {:5.2} N", touch.normal_force());
        // The force acts on the second side.
        let is_first = touch.geoms()[0] == Some(floor);
        held += touch.force() * if is_first { 1.0 } else { -1.0 };
    }
    let weight = model.body_subtreemass[0] * -model.opt.gravity[2];
    println!("the floor carries {:.2} N of {weight:.2} N", held[2]);
    assert!(held[2] > 0.5 * weight && held[2] < 1.1 * weight);
    Ok(())
}
