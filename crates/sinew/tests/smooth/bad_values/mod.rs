//! Values that are none, in every array a user writes, with every integrator, with and without
//! automatic resets: state, time, readings and counters against MuJoCo 3.5.0.
//!
//! `reference.txt` is written by `conformance/bad_values.py`, which says what a line holds.

use sinew::engine::Data;
use sinew::mjcf::load_text;
use sinew::model::Model;
use sinew::model::kinds::{DisableFlag, Integrator};

const REFERENCE: &str = include_str!("reference.txt");
const WARM: usize = 5;

fn arm() -> Model {
    match load_text(include_str!("arm.xml")) {
        Ok(loaded) => loaded.model,
        Err(error) => panic!("{error}"),
    }
}

/// Writes an entry of an array under the reference's name.
fn write(data: &mut Data, name: &str, index: usize, value: f64) {
    let mut columns = data.columns_mut().into_iter();
    let column = columns.find(|column| column.name == name);
    let column = column.unwrap_or_else(|| panic!("no array {name}"));
    column.bytes[8 * index..8 * index + 8].copy_from_slice(&value.to_ne_bytes());
}

fn outcome(model: &Model, (name, index, value): (&str, usize, f64)) -> Vec<f64> {
    let mut data = Data::new(model);
    data.state.qpos[0] = 0.4;
    data.input.ctrl.copy_from_slice(&[0.3, 0.2, 0.1]);
    for _ in 0..WARM {
        data.step(model).expect("finite");
    }
    write(&mut data, name, index, value);
    for _ in 0..2 {
        let _ = data.step(model);
    }
    let (state, readings) = (&data.state, &data.sensor.sensordata);
    let mut numbers = vec![state.time];
    for part in [&state.qpos, &state.qvel, &state.act, readings] {
        numbers.extend(part);
    }
    for warning in data.warnings.all() {
        numbers.extend([f64::from(warning.number), f64::from(warning.lastinfo)]);
    }
    numbers
}

#[test]
fn bad_values_do_what_they_do_in_the_reference() {
    let mut model = arm();
    let mut wrong = Vec::new();
    let mut cases = 0;
    for line in REFERENCE.lines().skip(1) {
        let (case, numbers) = line.split_once(": ").expect("a case");
        let words: Vec<&str> = case.split(' ').collect();
        let integrator = match words[3] {
            "Euler" => Integrator::Euler,
            "RK4" => Integrator::Rk4,
            "implicit" => Integrator::Implicit,
            _ => Integrator::Implicitfast,
        };
        model.opt.integrator = integrator.code();
        model.opt.disableflags = DisableFlag::Contact.code();
        if words[4] == "stay" {
            model.opt.disableflags |= DisableFlag::Autoreset.code();
        }
        let index = words[1].parse().expect("an index");
        let value = words[2].parse().expect("a number");
        let found = outcome(&model, (words[0], index, value));
        let expected: Vec<f64> = numbers
            .split(' ')
            .map(|word| word.parse().expect("a number"))
            .collect();
        assert_eq!(found.len(), expected.len(), "{case}");
        let is_equal = |a: f64, e: f64| {
            a == e || a.is_nan() && e.is_nan() || (a - e).abs() <= 1e-10 * e.abs().max(1.0)
        };
        // Joints that turn many times in a step say nothing in their last digits: their state is
        // only the same kind of number then.
        let state = 1..1 + model.nq + model.nv;
        let is_wild = expected[state.clone()].iter().any(|x| x.abs() > 1e3);
        let is_right = |i: usize| {
            let (a, e) = (found[i], expected[i]);
            is_equal(a, e) || (is_wild && state.contains(&i) && a.is_finite() && e.is_finite())
        };
        if !(0..found.len()).all(is_right) {
            wrong.push(format!(
                "{case}\n  found    {found:?}\n  expected {expected:?}"
            ));
        }
        cases += 1;
    }
    assert_eq!(cases, 720);
    let count = wrong.len();
    wrong.truncate(20);
    assert!(
        wrong.is_empty(),
        "{count} cases differ:\n{}",
        wrong.join("\n")
    );
}
