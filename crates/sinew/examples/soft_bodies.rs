//! A rope bridge, a flag and a jelly cube for a minute at 60 Hz: by projection, and by forces of the same stiffness.
//!
//! cargo run --release --example soft_bodies

use sinew::prelude::*;
use sinew::soft::{Cloth, ClothMaterial, Rope, RopeMaterial, Scene, SoftBody, SoftMaterial};

const STEP: f64 = 1.0 / 60.0;

/// Two ropes over a gap, with a plank that lies on them.
fn bridge() -> Scene {
    let plank = "<geom type='plane' size='5 5 1' pos='0 0 -1'/><body name='plank' pos='0 0 .05'><freejoint/><geom type='box' size='.1 .2 .02' mass='2'/></body>";
    let rope = |y: f64| {
        Rope::new(17, 0.1)
            .of(RopeMaterial::Rope)
            .at([0.0, y, 0.0])
            .pin([0, 16])
    };
    let scene = Scene::new(plank).timestep(STEP);
    scene.rope("left", rope(-0.1)).rope("right", rope(0.1))
}

/// A flag at a pole.
fn flag() -> Scene {
    let cloth = Cloth::new([10, 7], 0.08)
        .of(ClothMaterial::Silk)
        .turned([90.0, 0.0, 0.0]);
    Scene::new("")
        .timestep(STEP)
        .cloth("flag", cloth.at([0.4, 0.0, 1.0]).pin(0..7))
}

/// A cube of gelatin that falls onto the floor.
fn jelly() -> Scene {
    let cube = SoftBody::new([4, 4, 4], 0.06)
        .of(SoftMaterial::Gelatin)
        .at([0.0, 0.0, 0.4]);
    Scene::new("<geom type='plane' size='2 2 1'/>")
        .timestep(STEP)
        .soft_body("cube", cube)
}

/// The same objects with the default laws and the same stiffness.
fn by_forces(text: &str, law: &str) -> Result<usize, Box<dyn std::error::Error>> {
    let text = text.replace("</flexcomp>", &format!("{law}</flexcomp>"));
    let model = Model::from_str(&text)?;
    let mut data = Data::new(&model);
    // A breath of wind, so that nothing lies in one plane.
    data.state
        .qvel
        .iter_mut()
        .enumerate()
        .for_each(|(k, v)| *v = 1e-3 * (k % 5) as f64);
    Ok((0..3600).take_while(|_| data.step(&model).is_ok()).count())
}

pub(crate) fn main() -> Result<(), Box<dyn std::error::Error>> {
    let springs = "<edge stiffness='3e6' damping='1'/>";
    let cloth = "<elasticity young='1e7' poisson='.25' thickness='.001' elastic2d='stretch'/>";
    let solid = "<elasticity young='5e3' poisson='.45'/>";
    for (name, scene, law) in [
        ("rope bridge", bridge(), springs),
        ("flag", flag(), cloth),
        ("jelly cube", jelly(), solid),
    ] {
        let diverged = by_forces(&scene.text(), law)?;
        let mut sim = scene.build()?;
        for step in 0..3600 {
            sim.step()
                .map_err(|error| format!("{name}, step {step}: {error}"))?;
            assert!(
                sim.data().state.qpos.iter().all(|x| x.abs() < 100.0),
                "{name}, step {step}"
            );
        }
        println!(
            "{name:12} projected: 3600 steps, finite; forces of the same stiffness: {diverged} steps"
        );
        assert!(diverged < 3600, "{name}");
    }
    Ok(())
}
