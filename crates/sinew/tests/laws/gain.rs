//! Gains in place of the model's.

use super::model;
use sinew::engine::acceleration::muscle;
use sinew::engine::law::SeriesElastic;
use sinew::engine::{ActuatorGain, GainForce, GainInputs, LawError, Memory};
use sinew::model::kinds::GainType;
use sinew::prelude::*;
use std::collections::BTreeSet;

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

/// The model's own gains as a law.
#[derive(Clone, Debug)]
struct Own;

impl Memory for Own {}

impl ActuatorGain for Own {
    fn prepare(&mut self, model: &Model, actuator: usize) -> Result<bool, LawError> {
        let kind = GainType::from_code(model.actuator_gaintype[actuator]);
        Ok(matches!(
            kind,
            Some(GainType::Fixed | GainType::Affine | GainType::Muscle)
        ))
    }

    fn forces(&mut self, actuators: &[usize], inputs: &GainInputs<'_>, out: &mut [GainForce]) {
        let model = inputs.model;
        for (&i, out) in actuators.iter().zip(out) {
            let p = &model.actuator_gainprm[i];
            let (length, velocity) = (inputs.length[i], inputs.velocity[i]);
            let (range, acc0) = (model.actuator_lengthrange[i], model.actuator_acc0[i]);
            let (gain, slope) = match GainType::from_code(model.actuator_gaintype[i]) {
                Some(GainType::Affine) => (p[0] + p[1] * length + p[2] * velocity, p[2]),
                Some(GainType::Muscle) => (
                    muscle::gain(length, velocity, range, acc0, p),
                    muscle::gain_velocity_derivative(length, velocity, range, acc0, p),
                ),
                _ => (p[0], 0.0),
            };
            *out = GainForce {
                force: gain * inputs.drive[i],
                slope: slope * inputs.drive[i],
            };
        }
    }
}

/// Every kind of gain and of activation is met.
#[test]
fn the_models_gains_have_the_same_bits_as_laws() {
    let (mut gains, mut dynamics) = (BTreeSet::new(), BTreeSet::new());
    for name in ["arm_actuators", "muscle_arm", "humanoid", "cartpole"] {
        for integrator in 0..4 {
            let mut model = Model::built_in(name).expect("built in");
            gains.extend(model.actuator_gaintype.iter().copied());
            dynamics.extend(model.actuator_dyntype.iter().copied());
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
            let bits = |data: &Data| {
                let numbers = data.state.qpos.iter().chain(&data.state.act);
                let forces = &data.acceleration.actuation.actuator_force;
                numbers
                    .chain(forces)
                    .map(|x| x.to_bits())
                    .collect::<Vec<_>>()
            };
            assert_eq!(bits(plain.data()), bits(law.data()), "{name} {integrator}");
        }
    }
    assert_eq!(gains, BTreeSet::from([0, 1, 2]), "fixed, affine, muscle");
    assert_eq!(
        dynamics,
        BTreeSet::from([0, 1, 2, 3, 4]),
        "none, integrator, filter, exact filter, muscle"
    );
}

/// Force on the slide and its slope by velocity, of a model's own gain or of one in its place.
fn force_and_slope(actuator: &str, law: Option<Own>, velocity: f64) -> (f64, f64) {
    fn at<P: sinew::engine::Parts>(mut sim: Simulation<P>, velocity: f64) -> (f64, f64) {
        sim.set_ctrl("a", 0.3).expect("it is there");
        sim.set_qpos("x", &[0.07]).expect("it is there");
        sim.set_qvel("x", &[velocity]).expect("it is there");
        sim.data_mut().state.act.fill(0.4);
        sim.step().expect("finite");
        (
            sim.data().acceleration.actuation.qfrc_actuator[0],
            sim.data().integration.qDeriv[0],
        )
    }
    let model = slide("implicitfast", "", actuator);
    match law {
        None => at(Simulation::new(model), velocity),
        Some(own) => {
            let built = Simulation::builder(model).gain(own).build();
            at(built.expect("a slide"), velocity)
        }
    }
}

#[test]
fn slopes_are_those_of_differences() {
    let gear = "name='a' joint='x' gear='3'";
    let muscle = format!("<muscle {gear} lengthrange='-1 1' force='40'/>");
    let fixed = format!("<general {gear} gainprm='2'/>");
    let affine = format!(
        "<general {gear} gaintype='affine' gainprm='1 2 -3' biastype='affine' biasprm='.1 -2 -.7'/>"
    );
    let filtered = affine.replace("<general", "<general dyntype='filter' dynprm='.1'");
    let elastic = format!("<general {gear} sinew_gain='series_elastic 1000 10 5'/>");
    // 3·3·(−3·0.3 − 0.7), 3·3·(−3·0.4 − 0.7) and 3·3·(−10).
    for (actuator, known) in [
        (&fixed, Some(0.0)),
        (&affine, Some(-14.4)),
        (&filtered, Some(-17.1)),
        (&muscle, None),
        (&elastic, Some(-90.0)),
    ] {
        // The chosen law is not asked twice.
        let laws = match actuator == &elastic {
            true => vec![None],
            false => vec![None, Some(Own)],
        };
        for law in laws {
            // Muscles shorten and lengthen by other curves; positive speeds lengthen.
            for velocity in [-0.2, 0.5, 0.02] {
                let at = |velocity: f64| force_and_slope(actuator, law.clone(), velocity);
                let differences = (at(velocity + 1e-4).0 - at(velocity - 1e-4).0) / 2e-4;
                let slope = at(velocity).1;
                let error = (slope - differences).abs();
                assert!(
                    error <= 1e-6 * slope.abs().max(1e-3),
                    "{slope} {differences}: {actuator}"
                );
                match known {
                    Some(known) => assert!((slope - known).abs() < 1e-9, "{slope}: {actuator}"),
                    None => assert!(slope.abs() > 0.1, "{slope}: {actuator}"),
                }
            }
        }
    }
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
