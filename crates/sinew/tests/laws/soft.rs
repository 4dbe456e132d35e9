//! Cloth, soft bodies and ropes that are projected.

use sinew::soft::{
    Cloth, ClothMaterial, Material, Rope, RopeMaterial, Scene, SoftBody, SoftMaterial,
};

/// The largest change of the length of an edge against rest.
fn strain(sim: &sinew::soft::SoftSimulation) -> f64 {
    let (model, flex) = (sim.model(), &sim.data().position.flex);
    let edges = flex.flexedge_length.iter().zip(&model.flexedge_length0);
    edges
        .map(|(now, rest)| (now / rest - 1.0).abs())
        .fold(0.0, f64::max)
}

/// Projection of shapes does not undo contacts, and contacts do not undo shapes.
#[test]
fn a_cloth_on_a_ball_keeps_its_edges_and_its_distance() {
    let thickness = 0.02;
    let cotton = Material {
        thickness,
        friction: 1.0,
        ..ClothMaterial::Cotton.into()
    };
    for outer in 1..=4 {
        let mut sim = Scene::new("<geom size='.2'/>")
            .outer_iterations(outer)
            .cloth(
                "cloth",
                Cloth::new([9, 9], 0.05).of(cotton).at([0.0, 0.0, 0.23]),
            )
            .build()
            .expect("a cloth");
        for step in 0..300 {
            sim.step()
                .unwrap_or_else(|error| panic!("step {step}: {error}"));
            let places = &sim.data().position.flex.flexvert_xpos;
            let closest = places.iter().fold(f64::MAX, |least, x| least.min(x.norm()));
            // The radius of the ball and half a thickness, but for what a soft contact would leave.
            assert!(closest > 0.205, "step {step}: {closest}");
        }
        assert!(strain(&sim) < 0.03, "{}", strain(&sim));
        assert!(sim.contacts().count() > 0);
    }
    for outer in [0, 5] {
        let scene = Scene::new("")
            .outer_iterations(outer)
            .rope("rope", Rope::new(3, 0.1));
        let error = scene.build().expect_err("1 to 4").to_string();
        assert_eq!(error, "solver: projection has 1 to 4 outer iterations");
    }
}

#[test]
fn a_soft_block_weighs_on_what_carries_it() {
    // It would wobble for long.
    let tissue = Material {
        damping: 5.0,
        ..SoftMaterial::SoftTissue.into()
    };
    let mut sim = Scene::new("<geom type='plane' size='2 2 1'/>")
        .soft_body(
            "block",
            SoftBody::new([3, 3, 3], 0.1)
                .of(tissue)
                .at([0.0, 0.0, 0.11]),
        )
        .build()
        .expect("a block");
    sim.step_for(4.0).expect("finite");
    sim.forward().expect("its own model");
    let mass: f64 = sim.model().body_mass.iter().sum();
    let carried: f64 = sim.contacts().map(|touch| touch.force()[2].abs()).sum();
    assert!(
        (carried / (mass * 9.81) - 1.0).abs() < 0.01,
        "{carried} of {}",
        mass * 9.81
    );
    let fastest = sim
        .data()
        .state
        .qvel
        .iter()
        .fold(0.0f64, |most, v| most.max(v.abs()));
    assert!(fastest < 1e-3, "{fastest}");
}

#[test]
fn a_body_pulls_the_rope_that_it_lies_on() {
    let plank = "<body name='plank' pos='0 0 .05'><freejoint/><geom type='box' size='.1 .2 .02' mass='2'/></body>";
    let rope = |y: f64| {
        Rope::new(9, 0.1)
            .of(RopeMaterial::Rope)
            .at([0.0, y, 0.0])
            .pin([0, 8])
    };
    let mut sim = Scene::new(plank)
        .rope("a", rope(-0.1))
        .rope("b", rope(0.1))
        .build()
        .expect("a bridge");
    sim.step_for(3.0).expect("finite");
    let plank = sim.body("plank").expect("it is there").position;
    assert!(
        (-0.3..0.1).contains(&plank[2]),
        "the ropes carry it: {plank:?}"
    );
    assert!(strain(&sim) < 0.05, "{}", strain(&sim));
}

#[test]
fn every_material_is_finite_at_sixty_hertz() {
    let scene = || Scene::new("<geom type='plane' size='5 5 1'/>").timestep(1.0 / 60.0);
    let mut scenes = Vec::new();
    for &material in ClothMaterial::ALL {
        scenes.push((
            format!("{material:?}"),
            scene().cloth(
                "f",
                Cloth::new([5, 5], 0.1).of(material).at([0.0, 0.0, 0.3]),
            ),
        ));
    }
    for &material in SoftMaterial::ALL {
        let body = SoftBody::new([3, 3, 3], 0.1)
            .of(material)
            .at([0.0, 0.0, 0.3]);
        scenes.push((format!("{material:?}"), scene().soft_body("f", body)));
    }
    for &material in RopeMaterial::ALL {
        scenes.push((
            format!("{material:?}"),
            scene().rope("f", Rope::new(9, 0.1).of(material).at([0.0, 0.0, 0.3])),
        ));
    }
    assert_eq!(scenes.len(), 16);
    for (name, scene) in scenes {
        let mut sim = scene.build().expect("a material");
        for step in 0..300 {
            sim.step()
                .unwrap_or_else(|error| panic!("{name}, step {step}: {error}"));
        }
        let furthest = sim
            .data()
            .state
            .qpos
            .iter()
            .fold(0.0f64, |most, x| most.max(x.abs()));
        assert!(furthest < 2.0, "{name}: {furthest}");
    }
}
