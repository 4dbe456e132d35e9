//! Laws that are put together by type.

use super::{bent, diamond, equilateral, largest, model, noise, plain};
use sinew::engine::law::{Dihedral, NeoHookean, Xpbd};
use sinew::engine::{Bending, Engine, FlexLaw, FlexLoad, FlexView, LawError, Memory, Physics};
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
