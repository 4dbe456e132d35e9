//! Values that are not numbers or too large: counters, resets and errors of a step.

use crate::{Case, close};
use sinew::engine::{CallError, Data, Diverged, StepError};
use sinew::model::kinds::Warning;

/// A double pendulum with a motor, five steps into its motion.
fn started(flags: &str) -> Case {
    let mut case = Case::new(&format!(
        r#"<mujoco><option><flag contact="disable" {flags}/></option><worldbody>
             <body><joint name="a" axis="0 1 0"/><geom size=".1" pos="0 0 -1" mass="1"/>
               <body pos="0 0 -1"><joint axis="0 1 0"/><geom size=".1" pos="0 0 -1" mass="1"/></body></body>
           </worldbody><actuator><motor joint="a"/></actuator></mujoco>"#
    ))
    .qpos(&[0.5, 0.1])
    .ctrl(&[0.3]);
    case.data.input.qfrc_applied[1] = 0.2;
    case.steps(5)
}

type Spoil = fn(&mut Case);

/// What is spoilt, which warning it raises and at which index.
const STATES: [(Spoil, Warning, usize); 7] = [
    (|c| c.data.state.qpos[1] = f64::NAN, Warning::Badqpos, 1),
    (
        |c| c.data.state.qpos[0] = f64::INFINITY,
        Warning::Badqpos,
        0,
    ),
    (|c| c.data.state.qvel[0] = f64::NAN, Warning::Badqvel, 0),
    (|c| c.data.state.qvel[1] = 1e30, Warning::Badqvel, 1),
    (
        |c| c.data.input.xfrc_applied[1][0] = f64::NAN,
        Warning::Badqacc,
        0,
    ),
    (
        |c| c.data.input.qfrc_applied[0] = f64::NAN,
        Warning::Badqacc,
        0,
    ),
    // Exactly the largest velocity allowed, but too fast for the acceleration.
    (|c| c.data.state.qvel[0] = 1e10, Warning::Badqacc, 0),
];

#[test]
fn a_bad_state_is_counted_and_reset() {
    for (spoil, warning, index) in STATES {
        let mut case = started("");
        spoil(&mut case);
        let error = case.data.step(&case.model).expect_err("a bad value");
        assert_eq!(error, StepError::Diverged(Diverged { warning, index }));
        assert!(error.to_string().contains("not finite or too large"));
        let data = &case.data;
        assert_eq!(
            (data.state.time, data.state.qpos.as_slice()),
            (0.002, &[0.0; 2][..])
        );
        assert_eq!(data.state.qvel, [0.0; 2]);
        assert_eq!((data.input.ctrl[0], data.input.qfrc_applied[1]), (0.0, 0.0));
        assert_eq!(data.input.xfrc_applied[1], [0.0; 6]);
        let count = data.warnings.get(warning);
        assert_eq!((count.number, count.lastinfo), (1, index as i32));
        let all: i32 = data.warnings.all().iter().map(|count| count.number).sum();
        assert_eq!(all, 1);
        assert_eq!(case.data.step(&case.model), Ok(()));
    }
}

#[test]
fn without_automatic_reset_it_is_only_counted() {
    for (spoil, warning, index) in STATES {
        let mut case = started(r#"autoreset="disable""#);
        spoil(&mut case);
        let error = case.data.step(&case.model).expect_err("a bad value");
        assert_eq!(error, StepError::Diverged(Diverged { warning, index }));
        let data = &case.data;
        close(&[data.state.time], &[0.012], 1e-15);
        assert_eq!(data.input.ctrl, [0.3]);
        assert_eq!(data.warnings.get(warning).number, 2);
        assert_eq!(data.warnings.get(Warning::Badqacc).number, 2);
        assert_eq!(data.warnings.resets(), 0);
        // A reset by hand restores everything.
        let fresh = Data::new(&case.model);
        case.data.reset(&case.model).expect("its own model");
        assert_eq!(case.data.state.qpos, fresh.state.qpos);
        assert_eq!(case.data.warnings.get(warning).number, 0);
        assert_eq!(case.data.step(&case.model), Ok(()));
    }
}

#[test]
fn a_bad_control_counts_as_none_for_the_step() {
    for flags in ["", r#"autoreset="disable""#] {
        for bad in [f64::NAN, 2e10] {
            let mut case = started(flags).ctrl(&[bad]);
            assert_eq!(case.data.step(&case.model), Ok(()));
            let data = &case.data;
            close(
                &data.state.qpos,
                &[0.49966755932245194, 0.1002152105043104],
                1e-13,
            );
            close(
                &data.state.qvel,
                &[-0.047905454278689835, 0.03156943523647728],
                1e-13,
            );
            assert_eq!(data.warnings.get(Warning::Badctrl).number, 1);
            assert_eq!(data.input.ctrl[0].to_bits(), bad.to_bits());
            assert_eq!(data.input.qfrc_applied, [0.0, 0.2]);
        }
    }
}

#[test]
fn a_cause_that_outlives_the_reset_ends_the_step_in_a_finite_state() {
    for split in [false, true] {
        let mut case = started("");
        case.model.opt.gravity.0[2] = f64::NAN;
        for round in 1..4 {
            let (data, model) = (&mut case.data, &case.model);
            let error = if split {
                data.step1(model).and_then(|()| data.step2(model))
            } else {
                data.step(model)
            };
            let bad = Diverged {
                warning: Warning::Badqacc,
                index: 0,
            };
            assert_eq!(error, Err(StepError::StillBad(bad)));
            assert_eq!(
                (data.state.time, data.state.qpos.as_slice()),
                (0.0, &[0.0; 2][..])
            );
            let numbers = [&data.state.qvel, &data.acceleration.solution.qacc];
            assert!(numbers.into_iter().flatten().all(|x| *x == 0.0));
            assert_eq!(data.warnings.get(Warning::Badqacc).number, 1);
            assert_eq!(data.warnings.total(Warning::Badqacc).number, round);
        }
        case.model.opt.gravity.0[2] = -9.81;
        assert_eq!(case.data.step(&case.model), Ok(()));
    }
    // Positions that are bad from the start cannot be reset away.
    let mut case = started("");
    case.model.unchecked().qpos0[1] = f64::NAN;
    case.data.state.qpos[0] = f64::NAN;
    let error = case.data.step(&case.model);
    assert!(matches!(error, Err(StepError::StillBad(_))), "{error:?}");
}

#[test]
fn totals_live_until_the_user_clears_them() {
    let mut case = started("");
    for _ in 0..3 {
        case.data.state.qpos[1] = f64::NAN;
        let _ = case.data.step(&case.model);
        case.data.reset(&case.model).expect("its own model");
    }
    case.data.input.ctrl[0] = f64::NAN;
    let _ = case.data.step(&case.model);
    let warnings = &mut case.data.warnings;
    assert_eq!(warnings.get(Warning::Badqpos).number, 0);
    let total = warnings.total(Warning::Badqpos);
    assert_eq!((total.number, total.lastinfo, total.time), (3, 1, 0.0));
    assert_eq!(warnings.total(Warning::Badctrl).number, 1);
    assert_eq!(warnings.resets(), 3);
    warnings.clear_totals();
    assert!(warnings.totals().iter().all(|total| total.number == 0));
    assert_eq!(warnings.resets(), 0);
    // The time of the last event is the simulated time at which it was met.
    let mut case = started("");
    case.data.state.qvel[0] = f64::NAN;
    let _ = case.data.step(&case.model);
    close(
        &[case.data.warnings.total(Warning::Badqvel).time],
        &[0.01],
        1e-15,
    );
}

#[test]
fn a_time_step_that_is_none_is_refused() {
    for timestep in [0.0, -0.001, f64::NAN, f64::INFINITY] {
        let mut case = started("");
        let before = case.data.state.qpos.clone();
        case.model.opt.timestep = timestep;
        for error in [
            case.data.step(&case.model),
            case.data.step1(&case.model),
            case.data.step2(&case.model),
        ] {
            let Err(StepError::Timestep(found)) = error else {
                panic!("{error:?}");
            };
            assert_eq!(found.to_bits(), timestep.to_bits());
        }
        assert_eq!(case.data.state.qpos, before);
        assert_eq!(case.data.state.time, 0.01);
    }
}

#[test]
fn a_model_of_another_structure_is_refused() {
    let mut case = started("");
    let other = Case::new(
        r#"<mujoco><worldbody><body><joint/><geom size="1"/></body></worldbody></mujoco>"#,
    );
    // As many of everything, but two trees instead of a chain.
    let same_sizes = Case::new(
        r#"<mujoco><worldbody><body><joint name="a" axis="0 1 0"/><geom size=".1"/></body>
             <body><joint axis="0 1 0"/><geom size=".1"/></body></worldbody>
           <actuator><motor joint="a"/></actuator></mujoco>"#,
    );
    assert_eq!(same_sizes.model.nv, case.model.nv);
    let before = case.data.state.qpos.clone();
    for foreign in [&other.model, &same_sizes.model] {
        let refused = Err(StepError::Call(CallError::ForeignModel));
        assert_eq!(case.data.step(foreign), refused);
        assert_eq!(case.data.step1(foreign), refused);
        assert_eq!(case.data.step2(foreign), refused);
        assert_eq!(case.data.check_model(foreign), Err(CallError::ForeignModel));
    }
    assert_eq!(case.data.state.qpos, before);
    // Other numbers do not make another structure.
    let mut heavier = case.model.clone();
    heavier
        .change(|arrays| arrays.body_mass[1] = 7.0)
        .expect("a value");
    assert_eq!(case.data.step(&heavier), Ok(()));
}

/// The log of a simulation, silent unless asked for: one entry for each doubling of a count.
#[test]
fn a_log_hears_of_events_less_and_less_often() {
    use std::sync::{Arc, Mutex};
    let heard = Arc::new(Mutex::new(Vec::new()));
    let mut case = started("");
    let log = heard.clone();
    case.data.warnings.log_to(move |event| {
        log.lock().expect("one thread").push(event.to_string());
    });
    for _ in 0..1000 {
        case.data.state.qpos[1] = f64::NAN;
        let _ = case.data.step(&case.model);
    }
    case.data.input.ctrl[0] = f64::INFINITY;
    let _ = case.data.step(&case.model);
    // Another simulation has a log of its own: none.
    let mut other = started("");
    other.data.copy_from(&case.data).expect("the same model");
    other.data.input.ctrl[0] = f64::NAN;
    let _ = other.data.step(&other.model);

    let heard = heard.lock().expect("one thread");
    assert_eq!(heard.len(), 11, "{heard:?}");
    assert_eq!(
        heard[0],
        "position 1 is not finite or too large at time 0.01"
    );
    let last = "position 1 is not finite or too large at time 0.002, 512 times so far";
    assert_eq!(heard[9], last);
    assert!(
        heard[10].starts_with("control 0 is not finite"),
        "{}",
        heard[10]
    );
    assert_eq!(case.data.warnings.total(Warning::Badqpos).number, 1000);
    assert_eq!(case.data.warnings.resets(), 1000);
}
