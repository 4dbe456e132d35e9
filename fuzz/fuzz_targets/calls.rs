//! Sequences of calls on one simulation, with whatever numbers in between: each returns, and a reset
//! brings everything back.
#![no_main]

use libfuzzer_sys::fuzz_target;
use sinew::engine::{Data, Engine};
use sinew::model::Model;
use sinew::model::kinds::{Integrator, Stage};
use std::sync::LazyLock;

/// Models with one of most things, and with laws of ours.
static MODELS: LazyLock<[Model; 2]> = LazyLock::new(|| {
    [
        include_str!("../seeds/mjcf/everything.xml"),
        include_str!("../seeds/mjcf/laws.xml"),
    ]
    .map(|text| {
        let loaded = sinew::mjcf::Loader::new().load_text(text);
        loaded.expect("our own model").model
    })
});

const VALUES: [f64; 12] = [
    0.0,
    1.0,
    -1.0,
    1e-300,
    1e300,
    -1e11,
    1e10,
    0.5,
    3.0,
    f64::NAN,
    f64::INFINITY,
    f64::NEG_INFINITY,
];

fuzz_target!(|data: &[u8]| {
    let mut model = MODELS[data.len() % 3 / 2].clone();
    let mut state = Data::new(&model);
    for call in data.chunks_exact(3).take(200) {
        let [what, place, value] = [call[0], call[1], call[2]];
        let value = VALUES[usize::from(value) % VALUES.len()];
        perform(&mut model, &mut state, what, usize::from(place), value);
    }
    let _ = state.reset(&model);
    assert!(state.state.qpos == model.qpos0);
});

fn put(numbers: &mut [f64], place: usize, value: f64) {
    if !numbers.is_empty() {
        let at = place % numbers.len();
        numbers[at] = value;
    }
}

fn perform(model: &mut Model, data: &mut Data, what: u8, place: usize, value: f64) {
    match what % 32 {
        0 => put(&mut data.state.qpos, place, value),
        1 => put(&mut data.state.qvel, place, value),
        2 => put(&mut data.state.act, place, value),
        3 => put(&mut data.input.ctrl, place, value),
        4 => put(&mut data.input.qfrc_applied, place, value),
        5 => drop(model.change(|arrays| put(&mut arrays.body_mass, place, value))),
        6 => drop(model.change(|arrays| put(&mut arrays.dof_damping, place, value))),
        7 => drop(model.change(|arrays| put(&mut arrays.dof_armature, place, value))),
        8 => drop(data.reset_to_keyframe(model, place)),
        9 => drop(data.reset(model)),
        10..=13 => drop(data.step(model)),
        other => {
            let mut engine = Engine::new(model);
            match other {
                14 => drop(engine.forward(data)),
                15 => drop(engine.inverse(data)),
                16 => drop(engine.compute_kinematics(data)),
                17 => drop(engine.compute_com(data)),
                18 => drop(engine.compute_contacts(data)),
                19 => drop(engine.compute_constraints(data)),
                20 => drop(engine.compute_inertia(data)),
                21 => drop(engine.factor_inertia(data)),
                22 => drop(engine.compute_transmission(data)),
                23 => drop(engine.compute_tendon(data)),
                24 => drop(engine.compute_actuation(data)),
                25 => drop(engine.solve_constraints(data)),
                26 => drop(engine.compute_sensors(data, Stage::Pos)),
                27 => drop(engine.compute_sensors(data, Stage::Acc)),
                28 => drop(engine.integrate(data, Integrator::Implicit)),
                29 => drop(engine.integrate(data, Integrator::Rk4)),
                30 => drop(engine.step1(data)),
                _ => drop(engine.step2(data)),
            }
        }
    }
}
