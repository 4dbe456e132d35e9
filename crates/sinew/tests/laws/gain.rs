//! Gains in place of the model's.

use super::model;
use sinew::engine::law::SeriesElastic;
use sinew::engine::{ActuatorGain, GainForce, GainInputs, LawError, Memory};
use sinew::prelude::*;

fn slide(integrator: &str, joint: &str, actuator: &str) -> Model {
    model(&format!(
        "<mujoco><option integrator='{integrator}' gravity='0 0 0'/><worldbody><body>\
         <joint name='x' type='slide' axis='1 0 0' {joint}/><geom size='.1' mass='1' contype='0' conaffinity='0'/></body>\
         </worldbody><actuator>{actuator}</actuator></mujoco>"
    ))
}

#[test]
fn a_series_elastic_actuator_pulls_as_its_spring() {
    let model = slide("implicitfast", "", "<general name='a' joint='x'/>");
    let spring = SeriesElastic::default().with(0, 1000.0, 10.0, 50.0);
    let mut sim = Simulation::builder(model)
        .gain(spring)
        .build()
        .expect("a slide");
    let put = |sim: &mut Simulation<_>| {
        sim.set_ctrl("a", 0.01).expect("it is there");
        sim.set_qpos("x", &[0.2]).expect("it is there");
        sim.set_qvel("x", &[0.5]).expect("it is there");
    };
    put(&mut sim);
    sim.forward().expect("its own model");
    assert_eq!(sim.actuator_force("a"), Ok(295.0));
    sim.step().expect("finite");
    assert_eq!(sim.data().integration.qDeriv[0], -10.0);

    // The control has not changed since, so it has no rate; a change of 0.002 in a step of 0.002 is 1/s.
    put(&mut sim);
    sim.forward().expect("its own model");
    assert_eq!(sim.actuator_force("a"), Ok(295.0));
    sim.set_ctrl("a", 0.012).expect("it is there");
    sim.forward().expect("its own model");
    let force = sim.actuator_force("a").expect("it is there");
    assert!((force - (295.0 + 100.0 + 500.0)).abs() < 1e-9, "{force}");

    // What is remembered is saved, and forgotten by a reset.
    let saved = sim.save();
    sim.reset().expect("its own model");
    put(&mut sim);
    sim.set_ctrl("a", 0.012).expect("it is there");
    sim.forward().expect("its own model");
    let fresh = sim.actuator_force("a").expect("it is there");
    assert!((fresh - 395.0).abs() < 1e-9, "{fresh}");
    sim.restore(&saved).expect("its own state");
    sim.forward().expect("its own model");
    assert_eq!(sim.actuator_force("a"), Ok(force));
}

/// k·(N·u − x) − d·ẋ with constant u is a spring about N·u with a damper.
#[test]
fn a_stiff_series_elastic_actuator_is_integrated_as_damper_and_spring() {
    for integrator in ["implicit", "implicitfast"] {
        let driven = slide(integrator, "", "<general name='a' joint='x'/>");
        let spring = SeriesElastic::default().with(0, 400.0, 5000.0, 2.0);
        let mut sim = Simulation::builder(driven)
            .gain(spring)
            .build()
            .expect("a slide");
        sim.set_ctrl("a", 0.3).expect("it is there");
        let mut same = Simulation::new(slide(
            integrator,
            "stiffness='400' damping='5000' springref='.6'",
            "",
        ));
        for _ in 0..500 {
            sim.step().expect("finite");
            same.step().expect("finite");
            let (a, b) = (
                sim.qpos("x").expect("a slide")[0],
                same.qpos("x").expect("a slide")[0],
            );
            assert!((a - b).abs() < 1e-10, "{integrator}: {a} {b}");
        }
        assert!(sim.qpos("x").expect("a slide")[0] > 0.01, "it moves");
    }
}

/// The model's own fixed and affine gains as a law.
#[derive(Clone, Debug)]
struct Own;

impl Memory for Own {}

impl ActuatorGain for Own {
    fn prepare(&mut self, model: &Model, actuator: usize) -> Result<bool, LawError> {
        // Fixed and affine.
        Ok(matches!(model.actuator_gaintype[actuator], 0 | 1))
    }

    fn forces(&mut self, actuators: &[usize], inputs: &GainInputs<'_>, out: &mut [GainForce]) {
        for (&i, out) in actuators.iter().zip(out) {
            let p = &inputs.model.actuator_gainprm[i];
            let is_affine = inputs.model.actuator_gaintype[i] == 1;
            let gain = match is_affine {
                true => p[0] + p[1] * inputs.length[i] + p[2] * inputs.velocity[i],
                false => p[0],
            };
            *out = GainForce {
                force: gain * inputs.drive[i],
                slope: if is_affine {
                    p[2] * inputs.drive[i]
                } else {
                    0.0
                },
            };
        }
    }
}

#[test]
fn the_models_gains_have_the_same_bits_as_laws() {
    for name in ["arm_actuators", "humanoid", "cartpole"] {
        for integrator in [0, 1, 3] {
            let mut model = Model::built_in(name).expect("built in");
            model.opt.integrator = integrator;
            let mut plain = Simulation::new(model.clone());
            let mut law = Simulation::builder(model)
                .gain(Own)
                .build()
                .expect("built in");
            for step in 0..100 {
                for actuator in 0..plain.model().nu {
                    let [low, high] = plain.model().actuator_ctrlrange[actuator];
                    let share = 0.2 * f64::from((step + actuator as i32) % 5 + 1);
                    // Slopes of the reference read controls that are not clamped.
                    let ctrl = if low < high {
                        low + share * (high - low)
                    } else {
                        share
                    };
                    plain.data_mut().input.ctrl[actuator] = ctrl;
                    law.data_mut().input.ctrl[actuator] = ctrl;
                }
                let _ = (plain.step(), law.step());
            }
            let bits = |numbers: &[f64]| numbers.iter().map(|x| x.to_bits()).collect::<Vec<_>>();
            assert_eq!(
                bits(&plain.data().state.qpos),
                bits(&law.data().state.qpos),
                "{name} {integrator}"
            );
        }
    }
}

#[test]
fn slopes_are_those_of_differences() {
    let model = slide("implicitfast", "", "<general name='a' joint='x' gear='3'/>");
    let force = |velocity: f64| {
        let spring = SeriesElastic::default().with(0, 1000.0, 10.0, 5.0);
        let mut sim = Simulation::builder(model.clone())
            .gain(spring)
            .build()
            .expect("a slide");
        sim.set_qvel("x", &[velocity]).expect("it is there");
        sim.step().expect("finite");
        (
            sim.data().acceleration.actuation.qfrc_actuator[0],
            sim.data().integration.qDeriv[0],
        )
    };
    let slope = (force(0.5 + 1e-4).0 - force(0.5 - 1e-4).0) / 2e-4;
    assert!((force(0.5).1 / slope - 1.0).abs() < 1e-6, "{slope}");
    assert!((slope + 90.0).abs() < 1e-6, "{slope}");
}

/// With mass m, step h and implicit damping: v′ = v + h·F/(m + h·d), x′ = x + h·v′.
#[test]
fn steps_with_a_series_elastic_actuator_are_linearised() {
    let (stiffness, damping, ratio) = (300.0, 40.0, 5.0);
    let h = 0.002;
    let (by_type, by_name) = (
        slide("implicitfast", "", "<general name='a' joint='x'/>"),
        slide(
            "implicitfast",
            "",
            "<general name='a' joint='x' sinew_gain='series_elastic 300 40 5'/>",
        ),
    );
    let law = SeriesElastic::default().with(0, stiffness, damping, ratio);
    let mut typed = Simulation::builder(by_type)
        .gain(law)
        .build()
        .expect("a slide");
    let mut named = Simulation::new(by_name);
    let mass = 1.0 + h * damping;
    let (by_x, by_v) = (-h * stiffness / mass, 1.0 - h * damping / mass);
    let by_u = h * (stiffness * ratio + damping * ratio / h) / mass;
    let expected = [1.0 + h * by_x, h * by_v, by_x, by_v, h * by_u, by_u];
    let check = |found: sinew::engine::derivative::transition::Transition| {
        for (found, expected) in found.A.iter().chain(&found.B).zip(expected) {
            assert!((found - expected).abs() < 1e-6, "{found} {expected}");
        }
    };
    typed.set_ctrl("a", 0.02).expect("it is there");
    typed.step().expect("finite");
    named.set_ctrl("a", 0.02).expect("it is there");
    named.step().expect("finite");
    check(typed.linearise(1e-6).expect("a slide"));
    check(named.linearise(1e-6).expect("a slide"));
    // What the actuator remembers is as it was: an unchanged control has no rate.
    for _ in 0..10 {
        typed.step().expect("finite");
        named.step().expect("finite");
        assert_eq!(typed.data().state.qpos, named.data().state.qpos);
    }
}

/// A control that is read late is no part of the state, with or without a law.
#[test]
fn delays_are_not_linearised() {
    let law = "sinew_gain='series_elastic 300 40 5'";
    for law in ["", law] {
        let actuator = format!("<general name='a' joint='x' nsample='4' delay='.004' {law}/>");
        let mut sim = Simulation::new(slide("implicitfast", "", &actuator));
        assert!(sim.linearise(1e-6).is_err());
    }
}

/// Discrete accelerations a are those of the equations of motion times (m + h·d)/m, also where no force was computed before.
#[test]
fn inverse_dynamics_knows_the_slopes_of_gains() {
    let text = "<mujoco><option integrator='implicitfast' gravity='0 0 0'><flag invdiscrete='enable'/></option>\
        <worldbody><body><joint name='x' type='slide' axis='1 0 0'/><geom size='.1' mass='1'/></body></worldbody>\
        <actuator><general name='a' joint='x'/></actuator></mujoco>";
    let model = model(text);
    let law = SeriesElastic::default().with(0, 300.0, 40.0, 5.0);
    let mut data = Data::new(&model);
    data.acceleration.solution.qacc[0] = 2.0;
    let mut engine = sinew::engine::Engine::new(&model).gain(law);
    engine.inverse(&mut data).expect("its own model");
    let force = data.inverse.qfrc_inverse[0];
    assert!(
        (force - 2.0 * (1.0 + 0.002 * 40.0)).abs() < 1e-12,
        "{force}"
    );
}

#[test]
fn wrong_springs_are_refused() {
    let model = slide("Euler", "", "<general name='a' joint='x'/>");
    let built = Simulation::builder(model.clone())
        .gain(SeriesElastic::default().with(0, -1.0, 0.0, 1.0))
        .build();
    assert_eq!(
        built.expect_err("no stiffness").to_string(),
        "actuator `a`: the stiffness of a series-elastic actuator must be positive"
    );
    let mut sim = Simulation::new(model);
    let mut choose = |name: &str, parameters: &[f64]| {
        let law = sinew::model::law::Law::new(name, parameters);
        let outcome = sim.choose_laws(|laws| {
            laws.gain.insert(0, law);
        });
        outcome.expect_err(name).to_string()
    };
    assert!(choose("hydraulic", &[]).contains("only series_elastic"));
    assert!(choose("series_elastic", &[1.0]).contains("3 parameters, not 1"));
    assert!(choose("series_elastic", &[1.0, 1.0, 1.0]).contains("nsample"));
}
