//! Values that make no sense, written into arrays of a model past all checks.

use crate::Case;
use sinew::engine::constants::{ConstantsError, set_constants};
use sinew::engine::{CallError, Data, StepError};
use sinew::model::Model;
use sinew::model::change::{ChangeError, Fault};
use sinew::model::column::Number;
use std::sync::{Arc, Mutex};

const BAD: [f64; 4] = [f64::NAN, f64::INFINITY, -1e300, -1.0];

/// Numbers that look random and are the same every time.
struct Dice(u64);

impl Dice {
    fn below(&mut self, count: usize) -> usize {
        self.0 = self
            .0
            .wrapping_mul(6364136223846793005)
            .wrapping_add(1442695040888963407);
        (self.0 >> 33) as usize % count
    }
}

/// One number of an array of a model.
struct Entry {
    column: usize,
    name: &'static str,
    number: Number,
    index: usize,
}

/// One or two entries of every array of floats.
fn entries(model: &Model, dice: &mut Dice) -> Vec<Entry> {
    let mut all = Vec::new();
    for (column, array) in model.columns().iter().enumerate() {
        let size = match array.number {
            Number::F64 => 8,
            Number::F32 => 4,
            _ => continue,
        };
        let count = array.bytes.len() / size;
        for _ in 0..count.min(2) {
            all.push(Entry {
                column,
                name: array.name,
                number: array.number,
                index: dice.below(count),
            });
        }
    }
    all
}

fn write(model: &mut Model, entry: &Entry, value: f64) {
    let mut columns = model.unchecked().columns_mut();
    let bytes = &mut *columns[entry.column].bytes;
    match entry.number {
        Number::F64 => bytes[entry.index * 8..][..8].copy_from_slice(&value.to_ne_bytes()),
        _ => bytes[entry.index * 4..][..4].copy_from_slice(&(value as f32).to_ne_bytes()),
    }
}

/// Whatever array a bad number is written into: what then is not finite has an event, a warning or an error.
#[test]
fn nothing_is_bad_in_silence() {
    let dice = &mut Dice(1);
    let (mut cases, mut only_sensors) = (0, 0);
    for name in ["sensor_zoo", "arm_actuators"] {
        let good = sinew::models::get(name)
            .expect("a model of ours")
            .load()
            .expect("it loads")
            .model;
        for entry in entries(&good, dice) {
            for value in BAD {
                let mut model = good.clone();
                write(&mut model, &entry, value);
                let mut data = Data::new(&model);
                data.input.ctrl.fill(0.1);
                let failures = (0..2).filter(|_| data.step(&model).is_err()).count();
                let warnings = data.warnings.totals().iter().any(|total| total.number > 0);
                let is_known = failures > 0 || warnings;
                let is_bad = |numbers: &[f64]| numbers.iter().any(|x| !x.is_finite());
                let case = (name, entry.name, entry.index, value);
                if is_bad(&data.sensor.sensordata) && !is_known {
                    only_sensors += 1;
                    assert!(data.warnings.bad_sensors().number > 0, "{case:?}");
                }
                assert!(is_known || !is_bad(&data.state.qpos), "{case:?}");
                assert!(is_known || !is_bad(&data.state.qvel), "{case:?}");
                cases += 1;
            }
        }
    }
    assert!(cases > 500, "{cases}");
    assert!(only_sensors > 5, "{only_sensors}");
}

#[test]
fn a_log_hears_of_readings_that_are_not_finite() {
    let mut case = Case::new(
        r#"<mujoco><worldbody><site name="s" pos="1 2 3"/></worldbody>
           <sensor><framepos objtype="site" objname="s"/></sensor></mujoco>"#,
    );
    let heard = Arc::new(Mutex::new(Vec::new()));
    let log = heard.clone();
    case.data.warnings.log_to(move |event| {
        log.lock().expect("one thread").push(event.to_string());
    });
    case = case.steps(1);
    assert_eq!(case.data.warnings.bad_sensors().number, 0);
    case.model.unchecked().site_pos[0].0[1] = f64::NAN;
    case = case.steps(4);
    let bad = case.data.warnings.bad_sensors();
    assert_eq!((bad.number, bad.lastinfo, bad.time), (4, 0, 0.008));
    // The reference's counters know nothing of it.
    assert!(
        case.data
            .warnings
            .all()
            .iter()
            .all(|count| count.number == 0)
    );
    let heard = heard.lock().expect("one thread");
    assert_eq!(heard.len(), 3, "{heard:?}");
    assert_eq!(
        heard[0],
        "reading 0 of the sensors is not finite at time 0.002"
    );
    case.data.warnings.clear_totals();
    assert_eq!(case.data.warnings.bad_sensors().number, 0);
}

#[test]
fn negative_masses_are_named_by_steps_and_constants() {
    let case = Case::new(
        r#"<mujoco><worldbody><body><freejoint/><geom size=".1"/></body>
           <body><freejoint/><geom size=".1"/></body></worldbody></mujoco>"#,
    );
    type Spoil = fn(&mut Model);
    let spoilt: [(Spoil, &str, usize); 3] = [
        (|m| m.unchecked().body_mass[2] = -1.0, "body_mass", 2),
        (|m| m.unchecked().body_mass[1] = -1e-9, "body_mass", 1),
        (
            |m| m.unchecked().body_inertia[2].0[1] = -0.1,
            "body_inertia",
            2,
        ),
    ];
    for (spoil, column, row) in spoilt {
        let Case {
            mut model,
            mut data,
        } = case.clone();
        spoil(&mut model);
        let fault = Fault::Negative;
        let error = ChangeError { column, row, fault };
        assert_eq!(error.to_string(), format!("{column}[{row}] is negative"));
        data.state.qpos[2] = 0.5;
        assert_eq!(data.step(&model), Err(StepError::Value(error)));
        assert_eq!((data.state.time, data.state.qpos[2]), (0.0, 0.5));
        let constants = set_constants(&mut model);
        assert_eq!(constants, Err(ConstantsError::Value(error)));
    }
}

/// A mass that was loaded below zero, where nothing can move, does no harm.
#[test]
fn negative_masses_that_never_move_are_left_alone() {
    let mut case =
        Case::new("<mujoco><worldbody><body><geom size='.1'/></body></worldbody></mujoco>");
    case.model.unchecked().body_mass[1] = -1.0;
    set_constants(&mut case.model).expect("constants");
    case.steps(2);
}

#[test]
fn an_empty_model_is_refused() {
    let mut model = Model::default();
    let mut data = Data::new(&model);
    assert_eq!(data.step(&model), Err(StepError::Call(CallError::NoWorld)));
    assert_eq!(data.forward(&model), Err(CallError::NoWorld));
    assert_eq!(data.inverse(&model), Err(CallError::NoWorld));
    assert_eq!(data.reset(&model), Err(CallError::NoWorld));
    assert_eq!(set_constants(&mut model), Err(ConstantsError::NoWorld));
}
