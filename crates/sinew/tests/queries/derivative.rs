//! Finite differences of steps and of inverse dynamics; derivatives of rotations.

use crate::{away, close, numbers, open, reference};
use sinew::engine::derivative::inverse_difference::{ActuatorForce, InverseDerivative};
use sinew::engine::derivative::rotation::{difference_derivatives, integral_derivatives};
use sinew::engine::derivative::transition::Transition;
use sinew::engine::derivative::{Difference, DifferenceError};
use sinew::engine::{Engine, Sensors};
use sinew::math::{Quat, Vec3};
use sinew::mjcf::load_text;
use sinew::model::Model;

const EPS: f64 = 1e-6;
const NAMES: [&str; 3] = ["muscle_arm", "drone", "finger"];
/// Differences lose six digits.
const TOLERANCE: f64 = 2e-8;

fn one_sided() -> Difference {
    Difference {
        eps: EPS,
        is_centered: false,
    }
}

#[test]
fn steps_have_the_reference_derivatives() {
    for name in NAMES {
        let mut model = open(name);
        for integrator in [0, 2, 3] {
            model.opt.integrator = integrator;
            for is_centered in [false, true] {
                let mut data = away(&model, 0.3);
                data.state.act = numbers(model.na, 3, 0.4);
                data.input.ctrl = numbers(model.nu, 7, 1.0);
                let before = data.state.clone();
                let difference = Difference {
                    eps: EPS,
                    is_centered,
                };
                let mut found = Transition::default();
                Engine::new(&model)
                    .transition(&mut data, difference, Sensors::Computed, &mut found)
                    .expect("supported");
                assert_eq!(data.state.qpos, before.qpos, "the state stays");
                let centered = i32::from(is_centered);
                for (letter, matrix) in [
                    ("A", &found.A),
                    ("B", &found.B),
                    ("C", &found.C),
                    ("D", &found.D),
                ] {
                    let key = format!("transition {name} {integrator} {centered} {letter}");
                    close(&key, matrix, &reference(&key), TOLERANCE);
                }
                let mut states = Transition::default();
                Engine::new(&model)
                    .transition(&mut data, difference, Sensors::Skipped, &mut states)
                    .expect("supported");
                assert_eq!((states.A, states.B), (found.A, found.B));
                assert!(states.C.is_empty() && states.D.is_empty());
            }
        }
    }
}

#[test]
fn inverse_dynamics_has_the_reference_derivatives() {
    for name in NAMES {
        for (flag, actuators) in [(0, ActuatorForce::Ignored), (1, ActuatorForce::Subtracted)] {
            let mut model = open(name);
            model.opt.integrator = 0;
            let mut data = away(&model, 0.3);
            data.acceleration.solution.qacc = numbers(model.nv, 11, 6.0);
            data.input.ctrl = numbers(model.nu, 7, 1.0);
            let mut found = InverseDerivative::default();
            Engine::new(&model)
                .inverse_derivative(&mut data, EPS, actuators, Sensors::Computed, &mut found)
                .expect("supported");
            for (label, matrix) in [
                ("DfDq", &found.DfDq),
                ("DfDv", &found.DfDv),
                ("DfDa", &found.DfDa),
                ("DsDq", &found.DsDq),
                ("DsDv", &found.DsDv),
                ("DsDa", &found.DsDa),
                ("DmDq", &found.DmDq),
            ] {
                let key = format!("inverse derivative {name} {flag} {label}");
                close(&key, matrix, &reference(&key), TOLERANCE);
            }
        }
    }
}

fn mass_and_spring(actuator: &str) -> Model {
    load_text(&format!(
        r#"<mujoco><option timestep=".1" gravity="0 0 0"/><worldbody><body>
             <joint name="j" type="slide" axis="1 0 0" stiffness="3"/><geom size=".1" mass="2"/></body></worldbody>
           <actuator><motor joint="j" {actuator}/></actuator>
           <sensor><jointpos joint="j"/></sensor></mujoco>"#
    ))
    .expect("loads")
    .model
}

#[test]
fn a_mass_on_a_spring_has_a_known_transition() {
    // v′ = v + h(u − 3x)/2, x′ = x + h·v′
    let model = mass_and_spring("");
    let mut data = away(&model, 0.0);
    let mut found = Transition::default();
    Engine::new(&model)
        .transition(&mut data, one_sided(), Sensors::Computed, &mut found)
        .expect("supported");
    let a = [1.0 - 0.1 * 0.15, 0.1, -0.15, 1.0];
    close("A", &found.A, &a, 1e-8);
    close("B", &found.B, &[0.1 * 0.05, 0.05], 1e-8);
    close("C", &found.C, &[1.0, 0.0], 1e-8);
    close("D", &found.D, &[0.0], 1e-8);
}

#[test]
fn controls_are_changed_within_their_range() {
    let model = mass_and_spring(r#"ctrlrange="-1 1""#);
    // At both ends of the range, beyond it, and in a range too narrow for any change.
    for (ctrl, effect) in [(1.0, 0.05), (-1.0, 0.05), (0.0, 0.05), (2.0, 0.0)] {
        let mut data = away(&model, 0.0);
        data.input.ctrl[0] = ctrl;
        let mut found = Transition::default();
        Engine::new(&model)
            .transition(&mut data, one_sided(), Sensors::Skipped, &mut found)
            .expect("supported");
        close("B", &found.B[1..], &[effect], 1e-8);
    }
}

#[test]
fn what_has_no_differences_is_refused() {
    let mut model = mass_and_spring("");
    let mut data = away(&model, 0.0);
    let mut found = Transition::default();
    let mut run = |model: &Model, eps: f64| {
        let difference = Difference {
            eps,
            is_centered: true,
        };
        Engine::new(model).transition(&mut data, difference, Sensors::Skipped, &mut found)
    };
    assert_eq!(run(&model, 0.0), Err(DifferenceError::Eps(0.0)));
    model.opt.integrator = 1;
    assert_eq!(run(&model, EPS), Err(DifferenceError::RungeKutta));
    model.opt.integrator = 0;
    model.opt.noslip_iterations = 1;
    let mut inverse = InverseDerivative::default();
    let refused = Engine::new(&model).inverse_derivative(
        &mut data,
        EPS,
        ActuatorForce::Ignored,
        Sensors::Skipped,
        &mut inverse,
    );
    assert_eq!(refused, Err(DifferenceError::Noslip));
    let delayed = mass_and_spring(r#"delay=".2" nsample="3""#);
    let mut data = away(&delayed, 0.0);
    let refused =
        Engine::new(&delayed).transition(&mut data, one_sided(), Sensors::Skipped, &mut found);
    assert_eq!(refused, Err(DifferenceError::Delays));
}

#[test]
fn rotations_have_the_reference_derivatives() {
    let first = Quat([0.8, 0.2, -0.5, 0.3]).normalized();
    let far = Quat([0.1, 0.7, 0.4, -0.6]).normalized();
    for (name, second) in [("far", far), ("equal", first)] {
        let [by_first, by_second] = difference_derivatives(first, second);
        let key = format!("quaternion difference {name}");
        let actual = [by_first.0, by_second.0].concat();
        close(&key, &actual, &reference(&key), 1e-12);
    }
    for (name, time) in [("long", 0.7), ("short", 0.01)] {
        let found = integral_derivatives(Vec3([1.0, -2.0, 0.5]), time);
        let key = format!("quaternion integral {name}");
        let actual = [
            &found.by_start.0[..],
            &found.by_velocity.0,
            &found.by_time.0,
        ]
        .concat();
        close(&key, &actual, &reference(&key), 1e-12);
    }
}
