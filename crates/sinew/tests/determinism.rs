//! The same state and input give the same bits.

use sinew::engine::{Data, Input, State};
use sinew::model::Model;
use sinew::models;

fn load(name: &str) -> Model {
    let model = models::get(name).unwrap_or_else(|| panic!("{name} is built in"));
    match model.load() {
        Ok(loaded) => loaded.model,
        Err(error) => panic!("{name}: {error}"),
    }
}

fn drive(input: &mut Input, step: usize) {
    for (i, u) in input.ctrl.iter_mut().enumerate() {
        *u = ((step * (i + 3)) % 17) as f64 / 17.0 - 0.5;
    }
}

fn advance(model: &Model, data: &mut Data, steps: core::ops::Range<usize>) {
    for step in steps {
        drive(&mut data.input, step);
        // A reset after divergence is as deterministic as the rest.
        let _ = data.step(model);
    }
}

fn bits(state: &State) -> Vec<u64> {
    let parts = [&state.qpos, &state.qvel, &state.act, &state.history];
    parts
        .iter()
        .flat_map(|part| part.iter().map(|x| x.to_bits()))
        .chain([state.time.to_bits()])
        .collect()
}

const NAMES: [&str; 5] = [
    "humanoid",
    "quadruped",
    "arm_actuators",
    "muscle_arm",
    "swimmer",
];

#[test]
fn two_runs_agree() {
    for name in NAMES {
        let mut model = load(name);
        for integrator in 0..4 {
            model.opt.integrator = integrator;
            let run = || {
                let mut data = Data::new(&model);
                advance(&model, &mut data, 0..300);
                bits(&data.state)
            };
            assert_eq!(run(), run(), "{name}, integrator {integrator}");
        }
    }
}

#[test]
fn a_run_continued_from_a_saved_state_agrees() {
    for name in NAMES {
        let model = load(name);
        let mut whole = Data::new(&model);
        advance(&model, &mut whole, 0..150);
        let (state, input) = (whole.state.clone(), whole.input.clone());
        advance(&model, &mut whole, 150..300);

        let mut resumed = Data::new(&model);
        resumed.state = state;
        resumed.input = input;
        advance(&model, &mut resumed, 150..300);
        assert_eq!(bits(&whole.state), bits(&resumed.state), "{name}");
    }
}
