//! Neo-Hookean triangles and tetrahedra.

use super::{flexcomp, largest, model, near, plain, stretched};
use sinew::engine::law::NeoHookean;
use sinew::prelude::*;

/// Moves all vertices by a matrix about the origin.
fn deformed(model: &Model, matrix: [[f64; 3]; 3]) -> Vec<f64> {
    let mut data = Data::new(model);
    data.forward(model).expect("its own model");
    let places = &data.position.flex.flexvert_xpos;
    let moved = places.iter().flat_map(|x| {
        let row = |k: usize| {
            let [a, b, c] = matrix[k];
            a * x[0] + b * x[1] + c * x[2] - x[k]
        };
        [row(0), row(1), row(2)]
    });
    moved.collect()
}

fn stretch(factor: f64) -> [[f64; 3]; 3] {
    [[factor, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]]
}

/// Forces of W = μ/2(I₁ − 3) − μ ln J + λ/2 ln²J on a unit tetrahedron, by formula and differences.
#[test]
fn a_tetrahedron_has_the_forces_of_its_energy() {
    let inside = "<elasticity young='1e3' poisson='.3'/>";
    let attributes = "type='direct' dim='3' point='0 0 0 1 0 0 0 1 0 0 0 1' element='0 1 2 3'";
    let model = flexcomp(attributes, inside);
    let qpos = deformed(&model, [[1.2, 0.1, 0.0], [0.0, 0.9, 0.05], [0.0, 0.0, 1.1]]);
    let rest = vec![0.0; model.nv];
    let force = stretched(&model, (&qpos, &rest), NeoHookean::new(1000.0, 2000.0));
    let expected = [
        125.6308947057,
        47.0673898255,
        89.0791249899,
        -108.964228039,
        -10.1150857734,
        0.4597766261,
        -16.6666666667,
        -28.6189707187,
        -5.5173195128,
        0.0,
        -8.3333333333,
        -84.0215821032,
    ];
    near(&force, &expected, 1e-9);
}

fn block(poisson: f64) -> Model {
    flexcomp(
        "type='grid' dim='3' count='3 3 3' spacing='.1 .1 .1' mass='1'",
        &format!("<elasticity young='1e4' poisson='{poisson}'/>"),
    )
}

fn sheet(poisson: f64) -> Model {
    flexcomp(
        "type='grid' dim='2' count='4 4 1' spacing='.1 .1 .1' mass='1'",
        &format!(
            "<elasticity young='1e4' poisson='{poisson}' thickness='.01' elastic2d='stretch'/>"
        ),
    )
}

#[test]
fn small_strains_feel_the_stiffness_of_the_model() {
    for poisson in [0.0, 0.3, 0.45] {
        for model in [block(poisson), sheet(poisson)] {
            let rest = vec![0.0; model.nv];
            let qpos = deformed(&model, stretch(1.01));
            let (reference, force) = (
                plain(&model, &qpos),
                stretched(&model, (&qpos, &rest), NeoHookean::default()),
            );
            // Of the face that is pulled, whose forces add up to the stress.
            let along = |force: &[f64]| {
                let pulled = force.iter().step_by(3).zip(qpos.iter().step_by(3));
                pulled
                    .filter(|(_, x)| **x > 0.9 * largest(&qpos))
                    .map(|(f, _)| f)
                    .sum::<f64>()
            };
            let ratio = along(&force) / along(&reference);
            assert!(
                (0.95..1.0).contains(&ratio),
                "{ratio} at poisson {poisson}, dim {}",
                model.flex_dim[0]
            );
            assert!(largest(&stretched(&model, (&rest, &rest), NeoHookean::default())) < 1e-12);
        }
    }
}

#[test]
fn a_sheet_opposes_being_stretched() {
    let model = sheet(0.3);
    let (qpos, rest) = (deformed(&model, stretch(1.5)), vec![0.0; model.nv]);
    let force = stretched(
        &model,
        (&qpos, &rest),
        NeoHookean::new(1e3, 1e3).thickness(0.01),
    );
    let work: f64 = force.iter().zip(&qpos).map(|(f, x)| f * x).sum();
    assert!(work < 0.0);
}

#[test]
fn elements_that_are_inside_out_push_back_and_are_counted() {
    let model = block(0.3);
    for factor in [0.0, -0.5, 1e-9] {
        let mut sim = Simulation::builder(model.clone())
            .elasticity(NeoHookean::default())
            .build()
            .expect("a block");
        sim.data_mut()
            .state
            .qpos
            .copy_from_slice(&deformed(&model, stretch(factor)));
        sim.forward().expect("its own model");
        let data = sim.data();
        assert!(
            data.velocity
                .passive
                .qfrc_passive
                .iter()
                .all(|f| f.is_finite())
        );
        assert_eq!(data.warnings.inverted_elements().number, 1, "{factor}");
    }
}

#[test]
fn a_block_rests_on_a_plane_and_keeps_its_volume() {
    let text = "<mujoco><option timestep='.001'/><worldbody><geom type='plane' size='2 2 1'/>\
         <flexcomp name='f' type='grid' dim='3' count='3 3 3' spacing='.1 .1 .1' mass='2' radius='.005' pos='0 0 .12'>\
         <contact selfcollide='none'/><edge damping='.1'/><elasticity young='5e3' poisson='.49' damping='.0002'/>\
         </flexcomp></worldbody></mujoco>";
    let mut sim = Simulation::builder(model(text))
        .laws(sinew::engine::Physics::soft_body())
        .build()
        .expect("a block");
    let volume = |sim: &Simulation<_>| {
        let (model, x) = (sim.model(), &sim.data().position.flex.flexvert_xpos);
        let (corners, _) = model.flex_elem.as_chunks::<4>();
        let one = |corners: &[i32; 4]| {
            let [a, b, c, d] = corners.map(|corner| x[corner as usize]);
            (b - a).cross(c - a).dot(d - a) / 6.0
        };
        corners.iter().map(one).sum::<f64>()
    };
    sim.forward().expect("its own model");
    let before = volume(&sim);
    for step in 0..2000 {
        sim.step()
            .unwrap_or_else(|error| panic!("step {step}: {error}"));
    }
    sim.forward().expect("its own model");
    let change = volume(&sim) / before - 1.0;
    assert!(change.abs() < 0.05, "{change}");
    let lowest = sim
        .data()
        .position
        .flex
        .flexvert_xpos
        .iter()
        .fold(f64::MAX, |low, x| low.min(x[2]));
    assert!(
        (0.0..0.02).contains(&lowest),
        "it lies on the plane: {lowest}"
    );
    assert!(largest(&sim.data().state.qpos) > 1e-3, "and has moved");
}

#[test]
fn flexes_of_different_laws_move_as_alone() {
    let cube = |name: &str, x: f64| {
        format!(
            "<flexcomp name='{name}' type='grid' dim='3' count='3 3 3' spacing='.1 .1 .1' radius='.001' pos='{x} 0 0' \
             mass='1'><contact contype='0' conaffinity='0' selfcollide='none'/><elasticity young='1e4' poisson='.3'/>\
             </flexcomp>"
        )
    };
    let around = |inside: &str| {
        model(&format!(
            "<mujoco><option gravity='0 0 0'/><worldbody>{inside}</worldbody></mujoco>"
        ))
    };
    let (a, b) = (cube("a", 0.0), cube("b", 3.0));
    let squeeze = |sim: &mut Simulation| {
        let model = sim.shared_model();
        let qpos = deformed(&model, stretch(1.0));
        let data = sim.data_mut();
        data.state.qpos.copy_from_slice(&qpos);
        for (k, x) in data.state.qpos.iter_mut().enumerate() {
            *x += 0.005 * ((k % 81) % 7) as f64;
        }
    };
    let run = |text: &str, chosen: Option<usize>| {
        let mut sim = Simulation::new(around(text));
        if let Some(flex) = chosen {
            sim.choose_laws(|laws| {
                laws.elasticity
                    .insert(flex, sinew::model::law::Law::new("neo_hookean", []));
            })
            .expect("it is known");
        }
        squeeze(&mut sim);
        sim.step_for(0.02).expect("finite");
        sim.data().state.qpos.clone()
    };
    let together = run(&format!("{a}{b}"), Some(1));
    assert_eq!(together[..81], run(&a, None));
    assert_eq!(together[81..], run(&b, Some(0)));
}

#[test]
fn lines_and_sheets_without_thickness_are_refused() {
    let line = flexcomp("type='grid' dim='1' count='4 1 1' spacing='.1 .1 .1'", "");
    let built = Simulation::builder(line)
        .elasticity(NeoHookean::new(1.0, 1.0))
        .build();
    assert_eq!(
        built.expect_err("a line").to_string(),
        "flex `f`: a line has no neo-Hookean elements"
    );
    let built = Simulation::builder(sheet(0.3))
        .elasticity(NeoHookean::new(1.0, 1.0))
        .build();
    assert!(
        built
            .expect_err("a sheet")
            .to_string()
            .contains("thickness")
    );
    let built = Simulation::builder(block(0.3))
        .elasticity(NeoHookean::new(0.0, 1.0))
        .build();
    assert!(
        built
            .expect_err("no stiffness")
            .to_string()
            .contains("must be positive")
    );
}
