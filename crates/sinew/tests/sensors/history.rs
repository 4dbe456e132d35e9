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
    again.data.reset(&again.model);
    close(again.steps(3).readings(), fresh.readings(), 0.0);
}
