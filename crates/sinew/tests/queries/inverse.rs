//! Inverse dynamics, and how well it agrees with forward dynamics.

use crate::constraint::settled;
use crate::{away, close, numbers, open, reference};
use sinew::engine::Data;
use sinew::model::kinds::{Cone, EnableFlag, Solver};

const RUNGE_KUTTA: i32 = 1;

#[test]
fn forces_are_those_of_the_reference() {
    for name in ["humanoid", "quadruped", "muscle_arm", "arm_actuators"] {
        let mut model = open(name);
        let mut data = away(&model, 0.3);
        for integrator in 0..4 {
            for discrete in [0, EnableFlag::Invdiscrete.code()] {
                if discrete != 0 && integrator == RUNGE_KUTTA {
                    continue;
                }
                model.opt.integrator = integrator;
                model.opt.enableflags = discrete;
                data.acceleration.solution.qacc = numbers(model.nv, 11, 6.0);
                data.inverse(&model).expect("its own model");
                let key = format!("inverse {name} {integrator} {discrete}");
                close(&key, &data.inverse.qfrc_inverse, &reference(&key), 1e-10);
            }
        }
    }
}

#[test]
fn an_early_end_of_the_solver_shows_in_the_comparison() {
    for (name, solver) in [
        ("newton", Solver::Newton),
        ("cg", Solver::Cg),
        ("pgs", Solver::Pgs),
    ] {
        let (mut model, mut data) = settled("pyramidal", Cone::Pyramidal);
        model.opt.solver = solver.code();
        model.opt.iterations = 1;
        model.opt.enableflags |= EnableFlag::Fwdinv.code();
        data.state.qacc_warmstart.fill(0.0);
        data.step(&model).expect("finite");
        let key = format!("forward inverse {name}");
        close(&key, &data.inverse.solver_fwdinv, &reference(&key), 1e-8);
    }
}

/// A mass m with damping b that Euler takes implicitly: where velocities change at the rate a, the
/// acceleration of the equation of motion, which sensors feel, is (1 + h·b/m)·a.
#[test]
fn sensors_feel_the_continuous_acceleration() {
    let model = sinew::mjcf::load_text(
        r#"<mujoco><option timestep=".01" gravity="0 0 0"><flag invdiscrete="enable"/></option>
           <worldbody><body><joint type="slide" axis="1 0 0" damping="30"/><geom size=".1" mass="2"/>
             <site name="s"/></body></worldbody>
           <sensor><accelerometer site="s"/></sensor></mujoco>"#,
    );
    let model = model.expect("loads").model;
    let mut data = Data::new(&model);
    data.forward(&model).expect("its own model");
    data.acceleration.solution.qacc[0] = 4.0;
    data.inverse(&model).expect("its own model");
    let expected = (1.0 + 0.01 * 30.0 / 2.0) * 4.0;
    close(
        "sensor",
        &data.sensor.sensordata,
        &[expected, 0.0, 0.0],
        1e-14,
    );
    assert_eq!(data.acceleration.solution.qacc, [4.0]);
}

/// Rows are not solved, so nobody needs islands; the reference has none either.
#[test]
fn inverse_dynamics_makes_no_islands() {
    let model = open("box_pile");
    let mut data = Data::new(&model);
    for _ in 0..300 {
        data.step(&model).expect("finite");
    }
    assert!(data.position.islands.nisland > 0);
    let rows = data.position.constraints.nefc();
    data.inverse(&model).expect("its own model");
    assert_eq!(data.position.islands.nisland, 0);
    assert!(rows > 0 && data.position.constraints.nefc() > 0);
}
