//! Somebody who refuses to go on ends a step wherever it is, and state and input stay as they were.

use sinew::engine::derivative::inverse_difference::{ActuatorForce, InverseDerivative};
use sinew::engine::derivative::transition::Transition;
use sinew::engine::derivative::{Difference, DifferenceError};
use sinew::engine::state_vector::state_size;
use sinew::engine::{Data, Engine, Sensors, StepError, Until};
use sinew::mjcf::Loader;
use sinew::model::Model;

/// State and input.
const EVERYTHING: i32 = (1 << 14) - 1;

fn state(model: &Model, data: &Data) -> Vec<u64> {
    let size = state_size(model, EVERYTHING).expect("a size");
    let mut numbers = vec![0.0; size];
    data.get_state(model, EVERYTHING, &mut numbers)
        .expect("a state");
    numbers.iter().map(|x| x.to_bits()).collect()
}

/// Boxes that overlap, so that there are pairs, rows and iterations.
fn heap(options: &str) -> Model {
    heap_of(12, 0.04, options)
}

fn heap_of(count: i32, height: f64, options: &str) -> Model {
    let boxes: String = (0..count)
        .map(|i| {
            let (x, z) = (0.03 * f64::from(i % 4), 0.05 + height * f64::from(i));
            format!(
                "<body pos='{x} 0 {z}'><freejoint/><geom type='box' size='.05 .05 .05'/></body>"
            )
        })
        .collect();
    let text = format!(
        "<mujoco><option {options}/><worldbody><geom type='plane' size='1 1 1'/>{boxes}</worldbody></mujoco>"
    );
    Loader::new().load_text(&text).expect("a heap").model
}

/// A simulation whose step was refused at a question, and that is as it was.
#[track_caller]
fn refused(model: &Model, start: &Data, first: usize) -> Data {
    let mut data = start.clone();
    let mut asked = 0;
    let mut engine = Engine::new(model).observer(Until(|| {
        asked += 1;
        asked <= first
    }));
    assert_eq!(
        engine.step(&mut data),
        Err(StepError::Interrupted),
        "{first}"
    );
    assert_eq!(state(model, &data), state(model, start), "{first}");
    data
}

#[test]
fn refused_derivatives_leave_the_state() {
    let model = heap("");
    let mut start = Data::new(&model);
    for _ in 0..5 {
        start.step(&model).expect("a step");
    }
    for is_inverse in [false, true] {
        let derive = |data: &mut Data, most: usize| {
            let mut asked = 0;
            let mut engine = Engine::new(&model).observer(Until(|| {
                asked += 1;
                asked <= most
            }));
            let done = if is_inverse {
                let mut out = InverseDerivative::default();
                let (actuators, sensors) = (ActuatorForce::Ignored, Sensors::Skipped);
                engine.inverse_derivative(data, 1e-6, actuators, sensors, &mut out)
            } else {
                let difference = Difference {
                    eps: 1e-6,
                    is_centered: true,
                };
                engine.transition(
                    data,
                    difference,
                    Sensors::Skipped,
                    &mut Transition::default(),
                )
            };
            (done, asked)
        };
        let mut data = start.clone();
        let (done, questions) = derive(&mut data, usize::MAX);
        assert_eq!(done, Ok(()));
        assert!(questions > 3 * model.nv);
        for most in [0, 1, 20, questions / 2, questions - 1] {
            let mut data = start.clone();
            let (done, asked) = derive(&mut data, most);
            assert_eq!(done, Err(DifferenceError::Interrupted), "{most}");
            assert_eq!(state(&model, &data), state(&model, &start), "{most}");
            assert!(asked < most + 20, "{asked} questions, {most} answers");
        }
    }
}

#[test]
fn a_refused_step_leaves_the_state() {
    for options in [
        "solver='Newton'",
        "solver='CG'",
        "solver='PGS'",
        "noslip_iterations='5'",
        "integrator='RK4'",
        "integrator='implicit'",
    ] {
        let model = heap(options);
        let mut start = Data::new(&model);
        for _ in 0..5 {
            start.step(&model).expect("a step");
        }
        let mut patient = start.clone();
        let mut questions = 0;
        Engine::new(&model)
            .observer(Until(|| {
                questions += 1;
                true
            }))
            .step(&mut patient)
            .expect("a step");
        let mut plain = start.clone();
        plain.step(&model).expect("a step");
        assert_eq!(
            state(&model, &patient),
            state(&model, &plain),
            "{options}: asking changes nothing"
        );
        assert!(questions > 3, "{options}: asked {questions} times");
        // Whichever question is the first to be refused.
        for first in 0..questions {
            let mut data = refused(&model, &start, first);
            data.step(&model).expect("a step");
            assert_eq!(
                state(&model, &data),
                state(&model, &plain),
                "{options} {first}: the step that follows is the one that was refused"
            );
        }
    }
}

/// Somebody is asked while a long chain is factored, whichever matrix it is.
#[test]
fn long_chains_are_factored_as_long_as_somebody_wants() {
    let links = 245;
    let link = "<body pos='0 0 .1'><joint type='ball' damping='1'/><geom size='.01'/>";
    let chain = link.repeat(links) + &"</body>".repeat(links);
    let pieces = (3 * links).div_ceil(16);
    for (integrator, factors) in [("Euler", 2), ("implicit", 2), ("implicitfast", 2)] {
        let text = format!(
            "<mujoco><option integrator='{integrator}'/><worldbody>{chain}</worldbody></mujoco>"
        );
        let model = Loader::new().load_text(&text).expect("a chain").model;
        let start = Data::new(&model);
        let mut questions = 0;
        let mut patient = start.clone();
        let mut engine = Engine::new(&model).observer(Until(|| {
            questions += 1;
            true
        }));
        engine.step(&mut patient).expect("a step");
        assert!(questions > factors * pieces, "{integrator}: {questions}");
        for first in (0..questions).step_by(questions / 5) {
            refused(&model, &start, first);
        }
    }
}

#[test]
fn few_iterations_follow_a_refusal() {
    let model = heap("solver='PGS' iterations='1000000' tolerance='0'");
    let mut data = Data::new(&model);
    let mut asked = 0;
    let mut engine = Engine::new(&model).observer(Until(|| {
        asked += 1;
        asked < 20
    }));
    assert_eq!(engine.step(&mut data), Err(StepError::Interrupted));
    assert!(data.acceleration.solution.solver_niter[0] <= 20);
}

/// Somebody is asked while rows are made, of which there are many here.
#[test]
fn rows_are_made_as_long_as_somebody_wants() {
    let model = heap_of(36, 0.0001, "iterations='1'");
    let start = Data::new(&model);
    let mut questions = 0;
    let mut patient = start.clone();
    let mut engine = Engine::new(&model).observer(Until(|| {
        questions += 1;
        true
    }));
    // Such a heap flies apart.
    let _ = engine.step(&mut patient);
    let contacts = patient.position.contacts.contact.len();
    assert!(contacts > 2048, "{contacts}");
    let pairs = 37 * 36 / 2;
    assert!(questions > pairs / 32 + contacts / 1024, "{questions}");
    for first in (0..questions).step_by(3) {
        let data = refused(&model, &start, first);
        assert!(data.warnings.all().iter().all(|count| count.number == 0));
    }
}

#[test]
fn projection_is_ended_between_its_iterations() {
    let model = heap("sinew_solver='xpbd 100000 10'");
    // Looking for contacts asks a few times; the rest are the solver's, which would take minutes.
    refused(&model, &Data::new(&model), 20);
}
