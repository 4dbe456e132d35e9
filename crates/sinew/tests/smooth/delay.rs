//! Delayed controls and sensor readings: reading and setting their records.

use crate::{Case, close};
use sinew::engine::CallError;
use sinew::engine::delay::HistoryError;
use sinew::engine::history::Interpolation::{Cubic, Hold, Linear};

fn delayed() -> Case {
    let motor =
        |interp: &str| format!(r#"<motor joint="j" delay="0.025" nsample="4" interp="{interp}"/>"#);
    Case::new(&format!(
        r#"<mujoco><option timestep="0.01" gravity="0 0 0"/><worldbody><body>
             <joint name="j" type="slide" axis="1 0 0"/><geom size=".1" mass="1"/></body></worldbody>
           <actuator>{}{}{}<motor joint="j"/></actuator><sensor>
             <jointpos joint="j" delay="0.015" nsample="3" interp="linear"/><jointvel joint="j"/></sensor>
           </mujoco>"#,
        motor("zoh"),
        motor("linear"),
        motor("cubic")
    ))
}

/// With records of their own.
fn recorded() -> Case {
    let mut case = delayed().ctrl(&[0.0, 0.0, 0.0, 7.0]).qvel(&[1.0]);
    for actuator in 0..3 {
        let (times, values) = ([-0.04, -0.03, -0.02, -0.01], [1.0, 4.0, 9.0, 16.0]);
        case.data
            .set_control_history(&case.model, actuator, Some(&times), &values)
            .expect("a record");
    }
    let (times, values) = ([-0.03, -0.02, -0.01], [2.0, 3.0, 5.0]);
    case.data
        .set_sensor_history(&case.model, 0, Some(&times), &values, -0.01)
        .expect("a record");
    case
}

#[test]
fn records_are_read_between_their_samples() {
    let case = recorded();
    let read = |actuator, time, how| {
        case.data
            .read_control(&case.model, actuator, time, how)
            .expect("an actuator")
    };
    for (time, expected) in [
        (0.0, [4.0, 6.5, 6.25]),
        (0.003, [4.0, 8.0, 7.84]),
        (0.012, [9.0, 13.9, 14.866]),
        (0.02, [16.0, 16.0, 16.0]),
        (-0.05, [1.0, 1.0, 1.0]),
    ] {
        for (k, how) in [Hold, Linear, Cubic].into_iter().enumerate() {
            close(
                &[read(k, time, None), read(0, time, Some(how))],
                &[expected[k]; 2],
                1e-13,
            );
        }
        assert_eq!(read(3, time, None), 7.0);
    }
    for (time, linear, hold) in [(0.0, 4.0, 3.0), (-0.01, 2.5, 2.0), (0.01, 5.0, 5.0)] {
        let (mut own, mut held) = ([0.0], [0.0]);
        let (data, model) = (&case.data, &case.model);
        data.read_sensor(model, 0, time, None, &mut own)
            .expect("a sensor");
        data.read_sensor(model, 0, time, Some(Hold), &mut held)
            .expect("a sensor");
        close(&[own[0], held[0]], &[linear, hold], 1e-13);
    }
}

#[test]
fn steps_act_and_read_with_a_delay() {
    let mut case = recorded();
    for (forces, readings, position) in [
        ([4.0, 6.5, 6.25, 7.0], [4.0, 1.0], 0.012375),
        ([9.0, 12.5, 13.8125, 7.0], [2.5, 1.2375], 0.02898125),
        ([16.0, 8.0, 8.4375, 7.0], [0.0061875, 1.660625], 0.04953125),
        ([0.0, 0.0, -1.0, 7.0], [0.020678125, 2.055], 0.07068125),
        ([0.0, 0.0, 0.0, 7.0], [0.03925625, 2.115], 0.09253125),
    ] {
        case = case.steps(1);
        close(case.actuator_force(), &forces, 1e-13);
        close(&case.data.sensor.sensordata, &readings, 1e-13);
        close(&case.data.state.qpos, &[position], 1e-13);
    }
    // The present value of a sensor without a record.
    let mut out = [0.0];
    case.data
        .read_sensor(&case.model, 1, 9.0, None, &mut out)
        .expect("a sensor");
    assert_eq!(out[0], case.data.sensor.sensordata[1]);
}

#[test]
fn records_that_do_not_fit_are_refused() {
    let mut case = recorded();
    let before = case.data.state.history.clone();
    let (model, data) = (&case.model, &mut case.data);
    let times = [-0.04, -0.03, -0.02, -0.01];
    let backwards = [-0.01, -0.02, -0.03, -0.04];
    let length = |what, expected, found| {
        Err(HistoryError::Call(CallError::Length {
            what,
            expected,
            found,
        }))
    };
    for (found, expected) in [
        (
            data.set_control_history(model, 0, Some(&backwards), &times),
            Err(HistoryError::Order(1)),
        ),
        (
            data.set_control_history(model, 0, Some(&[f64::NAN; 4]), &times),
            Err(HistoryError::Order(1)),
        ),
        (
            data.set_control_history(model, 0, Some(&times[1..]), &times),
            length("times", 4, 3),
        ),
        (
            data.set_control_history(model, 0, None, &times[1..]),
            length("values", 4, 3),
        ),
        (
            data.set_control_history(model, 3, None, &times),
            Err(HistoryError::None),
        ),
        (
            data.set_sensor_history(model, 1, None, &times, 0.0),
            Err(HistoryError::None),
        ),
        (
            data.set_sensor_history(model, 0, None, &times, 0.0),
            length("values", 3, 4),
        ),
    ] {
        assert_eq!(found, expected);
    }
    let index = |what, index, count| CallError::Index { what, index, count };
    assert_eq!(
        data.read_control(model, 4, 0.0, None),
        Err(index("actuator", 4, 4))
    );
    let found = data.read_sensor(model, 2, 0.0, None, &mut [0.0]);
    assert_eq!(found, Err(index("sensor", 2, 2)));
    assert_eq!(data.state.history, before);
}
