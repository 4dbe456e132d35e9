//! Delays and intervals.

use crate::{Case, close};

fn clocks(sensors: &str) -> Case {
    Case::new(&format!(
        r#"<mujoco><option timestep=".01"/><worldbody/><sensor>{sensors}</sensor></mujoco>"#
    ))
}

#[test]
fn clocks_show_the_time_of_what_is_read() {
    let case = clocks(
        r#"<clock nsample="5" delay=".02"/><clock nsample="5" interval=".03"/><clock/>
           <clock nsample="5" delay=".025" interp="linear"/>"#,
    )
    .steps(5);
    close(&[case.data.state.time], &[0.05], 1e-15);
    close(case.readings(), &[0.02, 0.03, 0.04, 0.015], 1e-12);
}

#[test]
fn before_the_first_sample_a_delayed_reading_is_zero() {
    let mut case = clocks(r#"<clock nsample="5" delay=".03"/>"#);
    let mut seen = Vec::new();
    for _ in 0..7 {
        case = case.steps(1);
        seen.push(case.readings()[0]);
    }
    close(&seen, &[0.0, 0.0, 0.0, 0.0, 0.01, 0.02, 0.03], 1e-12);
}

#[test]
fn a_phase_shifts_the_samples_of_an_interval() {
    let mut case = clocks(r#"<clock nsample="2" interval=".03 -.01"/>"#);
    let mut seen = Vec::new();
    for _ in 0..8 {
        case = case.steps(1);
        seen.push(case.readings()[0]);
    }
    close(&seen, &PHASED, 1e-12);
}

const PHASED: [f64; 8] = [0.0, 0.0, 0.02, 0.02, 0.02, 0.05, 0.05, 0.05];

#[test]
fn a_reset_forgets() {
    let sensors = r#"<clock nsample="5" delay=".02"/>"#;
    let fresh = clocks(sensors).steps(3);
    let mut again = clocks(sensors).steps(20);
    again.data.reset(&again.model).expect("its own model");
    close(again.steps(3).readings(), fresh.readings(), 0.0);
}

#[test]
fn histories_can_be_read_and_set() {
    use sinew::engine::delay::HistoryError;
    use sinew::engine::history::Interpolation;
    let mut case = clocks(r#"<clock name="c" nsample="3" delay=".02" interp="linear"/><clock/>"#);
    let Case { model, data } = &mut case;
    let mut out = [0.0];
    let values = [1.0, 2.0, 4.0];
    data.set_sensor_history(model, 0, Some(&[0.0, 0.1, 0.2]), &values, 0.0)
        .expect("fits");
    // Values of the reference: time minus delay, held, linear and cubic.
    for (time, how, expected) in [
        (0.17, None, 3.0),
        (0.17, Some(Interpolation::Hold), 2.0),
        (0.17, Some(Interpolation::Cubic), 3.1875),
        (9.0, None, 4.0),
        (-9.0, None, 1.0),
        (0.12, Some(Interpolation::Hold), 2.0),
    ] {
        data.read_sensor(model, 0, time, how, &mut out)
            .expect("fits");
        close(&out, &[expected], 1e-12);
    }
    data.read_sensor(model, 1, 5.0, None, &mut out)
        .expect("fits");
    close(&out, &[0.0], 0.0);
    // Times that are there stay.
    data.set_sensor_history(model, 0, None, &[7.0, 8.0, 9.0], 0.0)
        .expect("fits");
    data.read_sensor(model, 0, 0.12, None, &mut out)
        .expect("fits");
    close(&out, &[8.0], 1e-12);
    let refused = [
        data.set_sensor_history(model, 0, Some(&[0.0, 0.2, 0.1]), &values, 0.0),
        data.set_sensor_history(model, 1, None, &values, 0.0),
        data.set_sensor_history(model, 0, None, &values[..2], 0.0),
        data.set_sensor_history(model, 2, None, &values, 0.0),
    ];
    assert_eq!(refused[0], Err(HistoryError::Order(2)));
    assert_eq!(refused[1], Err(HistoryError::None));
    assert!(refused.iter().all(Result::is_err));
}

#[test]
fn delayed_controls_can_be_read_and_set() {
    let mut case = Case::new(
        r#"<mujoco><option timestep=".01"/><worldbody><body><joint name="j"/><geom size=".1"/></body></worldbody>
           <actuator><motor joint="j" delay=".02" nsample="4"/><motor joint="j"/></actuator></mujoco>"#,
    );
    let Case { model, data } = &mut case;
    data.input.ctrl.copy_from_slice(&[5.0, 6.0]);
    assert_eq!(data.read_control(model, 1, 0.0, None), Ok(6.0));
    data.set_control_history(
        model,
        0,
        Some(&[-0.04, -0.03, -0.02, -0.01]),
        &[1.0, 2.0, 3.0, 4.0],
    )
    .expect("fits");
    assert_eq!(data.read_control(model, 0, 0.0, None), Ok(3.0));
    assert!(data.set_control_history(model, 1, None, &[0.0]).is_err());
    assert!(data.read_control(model, 2, 0.0, None).is_err());
    // What acts is what is read.
    data.forward(model).expect("its own model");
    close(
        &data.acceleration.actuation.actuator_force,
        &[3.0, 6.0],
        1e-15,
    );
    // A broken cursor is no reason to fall over.
    for cursor in [f64::NAN, -3.0, 1e300] {
        data.state.history[1] = cursor;
        data.step(model).expect("finite");
    }
}

/// Accelerometers on a double pendulum after four steps: an optional one of the present, a late one.
fn late(integrator: &str, present: &str) -> Case {
    Case::new(&format!(
        r#"<mujoco><option integrator="{integrator}" timestep=".01"/><worldbody><body><joint axis="0 1 0"/>
             <geom size=".1" pos=".3 0 0" mass="1"/><body pos=".3 0 0"><joint axis="1 0 0"/>
               <geom size=".1" pos="0 .3 0" mass="1"/><site name="s" pos="0 .3 0"/></body></body></worldbody>
           <sensor>{present}<accelerometer name="late" site="s" nsample="3" delay=".01"/></sensor></mujoco>"#
    ))
    .qvel(&[1.0, -2.0])
    .steps(4)
}

#[test]
fn what_runge_kutta_records_of_forces_is_the_references() {
    // Recorded is the last stage; body forces are those of the whole step if a reading needed them.
    let alone = [-4.398899179582954, -1.377307698391326, 0.04139002020948136];
    close(late("RK4", "").reading("late"), &alone, 1e-12);
    let beside = [
        -3.9584934804706586,
        -1.5448624257575914,
        0.03415962253806865,
    ];
    let present = r#"<accelerometer site="s"/>"#;
    close(late("RK4", present).reading("late"), &beside, 1e-12);
    for integrator in ["Euler", "implicit", "implicitfast"] {
        let (alone, beside) = (late(integrator, ""), late(integrator, present));
        assert_eq!(alone.reading("late"), beside.reading("late"));
    }
}
