//! Laws that are put together by type.

use super::{bent, diamond, equilateral, flexcomp, largest, model, noise, plain};
use sinew::engine::law::{Dihedral, NeoHookean, Xpbd};
use sinew::engine::velocity::passive::flex::bending::{product, spring};
use sinew::engine::velocity::passive::flex::element::{TETRAHEDRON_ENDS, TRIANGLE_ENDS};
use sinew::engine::{
    Bending, Elasticity, Engine, FlexLaw, FlexLoad, FlexView, LawError, Memory, Physics, flex,
};
use sinew::prelude::*;

#[test]
fn a_builder_without_laws_has_the_bits_of_the_plain_interface() {
    for name in ["humanoid", "quadruped", "box_pile"] {
        let model = Model::built_in(name).expect("built in");
        let mut plain = Data::new(&model);
        let mut built = Simulation::builder(model.clone())
            .laws(Physics::conformant())
            .build()
            .expect("built in");
        for _ in 0..200 {
            plain.step(&model).expect("finite");
            built.step().expect("finite");
        }
        assert_eq!(plain.state.qpos, built.data().state.qpos, "{name}");
    }
}

/// The reference's elements as a law: what the numbers of the model say, one edge after the other.
#[derive(Clone, Debug)]
struct OwnElements;

impl Memory for OwnElements {}

impl FlexLaw for OwnElements {
    fn prepare(&mut self, _: &Model, _: usize) -> Result<bool, LawError> {
        Ok(true)
    }

    fn add_force(&mut self, view: &FlexView<'_>, load: &mut FlexLoad<'_>) {
        let (model, x) = (view.model, view.xpos);
        let triangles = model.flex_dim[view.flex] == 2;
        let ends: &[[usize; 2]] = match triangles {
            true => &TRIANGLE_ENDS,
            false => &TETRAHEDRON_ENDS,
        };
        let elements = model
            .flex_elem
            .chunks_exact(if triangles { 3 } else { 4 })
            .zip(model.flex_elemedge.chunks_exact(ends.len()))
            .zip(&model.flex_stiffness);
        for ((corners, edges), stiffness) in elements {
            let corner = |k: usize| corners[k] as usize;
            let mut local = [Vec3::ZERO; 4];
            for (i, &edge) in edges.iter().enumerate() {
                let [a, b] = model.flex_edge[edge as usize].map(|vertex| vertex as usize);
                let (length, rest) = ((x[b] - x[a]).norm(), model.flexedge_length0[edge as usize]);
                let driven = length * length - rest * rest;
                for (j, &[a, b]) in ends.iter().enumerate() {
                    // Rows of a symmetric matrix from the diagonal on.
                    let (row, column) = (i.min(j), i.max(j));
                    let entry = stiffness[row * ends.len() - row * (row + 1) / 2 + column];
                    let pull = (x[corner(a)] - x[corner(b)]) * driven * entry;
                    local[a] -= pull;
                    local[b] += pull;
                }
            }
            for (k, force) in local.iter().take(corners.len()).enumerate() {
                load.spring[corner(k)] += *force;
            }
        }
    }
}

impl Elasticity for OwnElements {}

/// The reference's bending as a law.
#[derive(Clone, Debug)]
struct OwnBending;

impl Memory for OwnBending {}

impl FlexLaw for OwnBending {
    fn prepare(&mut self, _: &Model, _: usize) -> Result<bool, LawError> {
        Ok(true)
    }

    fn add_force(&mut self, view: &FlexView<'_>, load: &mut FlexLoad<'_>) {
        let model = view.model;
        for edge in flex::edges(model, view.flex) {
            let ([a, b], [c, d]) = (model.flex_edge[edge], model.flex_edgeflap[edge]);
            if d < 0 {
                continue;
            }
            let corners = [a, b, c, d].map(|vertex| vertex as usize);
            let bending = &model.flex_bending[edge];
            let force = spring(bending, &corners.map(|vertex| view.xpos[vertex]));
            let drag = product(bending, &corners.map(|vertex| view.velocity[vertex]));
            for k in 0..4 {
                load.spring[corners[k]] -= force[k];
                load.damper[corners[k]] -= drag[k] * model.flex_damping[view.flex];
            }
        }
    }
}

impl Bending for OwnBending {}

/// Forces and the way of 50 steps from a shape that is neither flat nor at rest.
#[test]
fn the_models_laws_of_flexes_have_the_same_bits_through_the_interface() {
    let sheet = "type='grid' dim='2' count='6 5 1' spacing='.1 .1 .1' mass='1'";
    let block = "type='grid' dim='3' count='3 3 3' spacing='.1 .1 .1' mass='1'";
    let elastic = |kind: &str| {
        format!("<elasticity young='1e4' poisson='.3' thickness='.01' elastic2d='{kind}'/>")
    };
    let damped = elastic("bend").replace("/>", " damping='.002'/>");
    for (shape, inside, bends) in [
        (sheet, elastic("stretch"), false),
        (
            block,
            "<elasticity young='1e4' poisson='.3'/>".into(),
            false,
        ),
        (sheet, elastic("bend"), true),
        (sheet, damped, true),
    ] {
        let model = flexcomp(shape, &inside);
        let mut plain = Simulation::new(model.clone());
        let (qpos, qvel) = (noise(model.nq, 3), noise(model.nv, 4));
        let start = |data: &mut Data| {
            for (to, from) in data.state.qpos.iter_mut().zip(&qpos) {
                *to = 0.01 * from;
            }
            for (to, from) in data.state.qvel.iter_mut().zip(&qvel) {
                *to = 0.1 * from;
            }
        };
        start(plain.data_mut());
        let follow = |sim: &mut dyn FnMut() -> Vec<f64>| (0..50).map(|_| sim()).collect::<Vec<_>>();
        let numbers = |data: &Data| {
            let passive = &data.velocity.passive;
            let forces = passive.qfrc_spring.iter().chain(&passive.qfrc_damper);
            forces.chain(&data.state.qpos).copied().collect::<Vec<_>>()
        };
        let expected = follow(&mut || {
            plain.step().expect("finite");
            numbers(plain.data())
        });
        assert!(largest(&expected[0]) > 1e-3, "it is bent or stretched");
        let found = if bends {
            let built = Simulation::builder(model).bending(OwnBending).build();
            let mut sim = built.expect("a sheet");
            start(sim.data_mut());
            follow(&mut || {
                sim.step().expect("finite");
                numbers(sim.data())
            })
        } else {
            let built = Simulation::builder(model).elasticity(OwnElements).build();
            let mut sim = built.expect("elements");
            start(sim.data_mut());
            follow(&mut || {
                sim.step().expect("finite");
                numbers(sim.data())
            })
        };
        for (found, expected) in found.iter().flatten().zip(expected.iter().flatten()) {
            assert_eq!(found.to_bits(), expected.to_bits(), "{shape} {inside}");
        }
    }
}

#[test]
fn a_builder_with_a_law_uses_it() {
    let model = diamond(&equilateral(0.3));
    let qpos: Vec<f64> = noise(model.nq, 6).iter().map(|x| 0.05 * x).collect();
    let mut sim = Simulation::builder(model.clone())
        .bending(Dihedral::default())
        .build()
        .expect("a cloth");
    sim.data_mut().state.qpos.copy_from_slice(&qpos);
    sim.forward().expect("its own model");
    let force = sim.data().velocity.passive.qfrc_passive.clone();
    assert_eq!(force, bent(&model, &qpos, Dihedral::default()));
    assert_ne!(force, plain(&model, &qpos));
}

fn jelly() -> Model {
    model(
        "<mujoco><worldbody><geom type='plane' size='2 2 1'/><flexcomp name='jelly' type='grid' dim='3' count='3 3 3' \
         spacing='.1 .1 .1' mass='1' radius='.005' pos='0 0 .15'><contact selfcollide='none'/>\
         <edge damping='.05'/><elasticity young='2e4' poisson='.3' damping='.0002'/></flexcomp></worldbody></mujoco>",
    )
}

#[test]
fn elements_and_projection_work_together() {
    let solver = Xpbd {
        substeps: 4,
        ..Xpbd::default()
    };
    let elements = NeoHookean::new(2e3, 3e3);
    let mut sim = Simulation::builder(jelly())
        .elasticity(elements)
        .solver(solver)
        .build()
        .expect("a jelly");
    for step in 0..500 {
        sim.step()
            .unwrap_or_else(|error| panic!("step {step}: {error}"));
    }
    assert!(sim.contacts().count() > 0);
}

#[test]
fn presets_run() {
    let mut cloth = Simulation::builder(diamond(&equilateral(0.0)))
        .laws(Physics::animation())
        .build()
        .expect("a cloth");
    cloth.step_for(0.1).expect("finite");
    let mut soft = Simulation::builder(jelly())
        .laws(Physics::soft_body())
        .build()
        .expect("a jelly");
    soft.step_for(0.1).expect("finite");
}

/// A law that counts how often it is asked, and remembers it with the simulation.
#[derive(Clone, Debug)]
struct Counting([f64; 1]);

impl Memory for Counting {
    fn reset(&mut self) {
        self.0 = [0.0];
    }
    fn numbers(&self) -> &[f64] {
        &self.0
    }
    fn numbers_mut(&mut self) -> &mut [f64] {
        &mut self.0
    }
}

impl FlexLaw for Counting {
    fn prepare(&mut self, _: &Model, _: usize) -> Result<bool, LawError> {
        Ok(true)
    }
    fn add_force(&mut self, view: &FlexView<'_>, load: &mut FlexLoad<'_>) {
        self.0[0] += 1.0;
        load.damper[0] -= view.velocity[0] * 0.5;
    }
}

impl Bending for Counting {}

/// Laws are part of their stage: of every stage of Runge and Kutta, of inverse dynamics, of derivatives.
#[test]
fn laws_are_asked_wherever_passive_forces_are() {
    let mut model = diamond(&equilateral(0.0));
    for (integrator, asked) in [(0, 1.0), (1, 4.0), (2, 1.0), (3, 1.0)] {
        model.opt.integrator = integrator;
        let mut sim = Simulation::builder(model.clone())
            .bending(Counting([0.0]))
            .build()
            .expect("a cloth");
        sim.data_mut().state.qvel[0] = 1.0;
        sim.step().expect("finite");
        assert_eq!(
            sim.parts.laws.bending.law().0,
            [asked],
            "integrator {integrator}"
        );
        assert!(sim.data().state.qvel[0] < 1.0, "it is slowed down");
        let saved = sim.save();
        sim.step().expect("finite");
        sim.restore(&saved).expect("its own state");
        assert_eq!(sim.parts.laws.bending.law().0, [asked]);
        let copy = sim.clone();
        sim.reset().expect("its own model");
        assert_eq!(sim.parts.laws.bending.law().0, [0.0]);
        assert_eq!(copy.parts.laws.bending.law().0, [asked]);
        if integrator == 0 {
            let linear = sim.linearise(1e-6).expect("Euler");
            assert_eq!(
                sim.parts.laws.bending.law().0,
                [0.0],
                "trials are not remembered"
            );
            let entry = linear.A[24 * 12 + 12];
            assert!(entry < 0.999, "{entry}");
        }
    }
    let mut data = Data::new(&model);
    data.state.qvel[0] = 2.0;
    let mut engine = Engine::new(&model).bending(Counting([0.0]));
    engine.inverse(&mut data).expect("defined");
    assert_eq!(data.inverse.qfrc_inverse[0], 1.0);
}

/// A law that is chosen while the program runs, at the price of a call per flex.
#[test]
fn laws_can_be_lent_as_trait_objects() {
    let model = diamond(&equilateral(0.2));
    let end = |law: &mut dyn Bending| {
        let mut data = Data::new(&model);
        data.state.qpos[11] = 0.05;
        let mut engine = Engine::new(&model).bending(law);
        for _ in 0..50 {
            engine.step(&mut data).expect("finite");
        }
        data.state.qpos
    };
    let laws: [fn() -> Box<dyn Bending>; 3] = [
        || Box::new(Dihedral::default()),
        || Box::new(Dihedral::new(0.5)),
        || Box::new(sinew::engine::law::CorrectedCotangent::default()),
    ];
    let ends: Vec<_> = laws.iter().map(|law| end(&mut *law())).collect();
    assert_ne!(ends[0], ends[1]);
    assert_ne!(ends[0], ends[2]);
    assert_eq!(ends[1], end(&mut *laws[1]()), "the same law, the same bits");
    assert!(ends.iter().all(|end| largest(end).is_finite()));
}

/// Every wrong law of a file is told, each with its place, in one go.
#[test]
fn all_wrong_laws_of_a_file_are_told_at_once() {
    let text = "<mujoco>\n<option sinew_solver='xpbd 0'/>\n<worldbody>\n\
        <flexcomp name='a' type='grid' dim='2' count='3 3 1' spacing='.1 .1 .1' radius='.001' sinew_bending='bridson'/>\n\
        <flexcomp name='b' type='grid' dim='1' count='3 1 1' spacing='.1 .1 .1' radius='.001' sinew_elasticity='neo_hookean 1 1'/>\n\
        <body><joint name='x' type='slide'/><geom size='.1'/></body>\n</worldbody>\n<actuator>\n\
        <general name='m' joint='x' sinew_gain='series_elastic 1'/>\n</actuator>\n</mujoco>";
    let errors = match Model::from_str(text) {
        Ok(_) => panic!("four laws are wrong"),
        Err(errors) => errors.to_string(),
    };
    for (line, words) in [
        (2, "at least 1"),
        (4, "flex `a`: there is no law `bridson`"),
        (5, "flex `b`: a line has no neo-Hookean elements"),
        (9, "actuator `m`: `series_elastic` has 3 parameters, not 1"),
    ] {
        let told = |told: &str| told.contains(words) && told.contains(&format!("{line}:"));
        assert!(errors.lines().any(told), "{line} {words} in\n{errors}");
    }
}
