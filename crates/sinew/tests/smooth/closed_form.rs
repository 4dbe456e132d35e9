//! Motions with a closed form: periods, invariants and the orders of the integrators.

use crate::{Case, close, numbers};
use sinew::engine::Engine;
use sinew::math::sine::sin;

const INTEGRATORS: [&str; 4] = ["Euler", "RK4", "implicit", "implicitfast"];

/// A point-like mass on an arm of length 1: period 2π·√(I/(m·g·l)) times a factor of the amplitude.
fn pendulum(integrator: &str, timestep: f64, amplitude: f64) -> Case {
    Case::new(&format!(
        r#"<mujoco><option integrator="{integrator}" timestep="{timestep}"/><worldbody><body>
             <joint axis="0 1 0"/><inertial pos="0 0 -1" mass="1" diaginertia="1e-9 1e-9 1e-9"/></body>
           </worldbody></mujoco>"#
    ))
    .qpos(&[amplitude])
}

/// Arithmetic–geometric mean.
fn mean(mut a: f64, mut b: f64) -> f64 {
    while (a - b).abs() > 1e-15 * a {
        (a, b) = ((a + b) / 2.0, (a * b).sqrt());
    }
    a
}

/// Time of the first full swing: twice the time between crossings of the lowest point.
fn period(mut case: Case) -> f64 {
    let mut crossings = Vec::new();
    while crossings.len() < 3 {
        let (q, t) = (case.data.state.qpos[0], case.data.state.time);
        case = case.steps(1);
        let next = case.data.state.qpos[0];
        if q * next < 0.0 {
            // Nearly straight at the crossing: the velocity is at its largest.
            let h = case.model.opt.timestep;
            crossings.push(t + h * q / (q - next));
        }
    }
    crossings[2] - crossings[0]
}

#[test]
fn a_pendulum_swings_with_the_period_of_the_elliptic_integral() {
    for amplitude in [0.1, 0.5, 1.5, 2.5] {
        // T = 2π·√(l/g) / agm(1, cos(amplitude/2)).
        let half = amplitude / 2.0;
        let cosine = sin(core::f64::consts::FRAC_PI_2 - half);
        let expected = core::f64::consts::TAU / 9.81_f64.sqrt() / mean(1.0, cosine);
        let found = period(pendulum("RK4", 1e-3, amplitude));
        assert!((found / expected - 1.0).abs() < 1e-6, "{found} {expected}");
        for integrator in ["Euler", "implicit", "implicitfast"] {
            let found = period(pendulum(integrator, 1e-4, amplitude));
            assert!((found / expected - 1.0).abs() < 1e-3, "{found} {expected}");
        }
    }
}

/// Kinetic and potential energy of a double pendulum after one second.
fn energy_drift(integrator: &str, steps: usize) -> f64 {
    let timestep = 1.0 / steps as f64;
    let link =
        r#"<joint axis="0 1 0"/><geom type="capsule" fromto="0 0 0 0 0 -.5" size=".03" mass="1"/>"#;
    let start = Case::new(&format!(
        r#"<mujoco><option integrator="{integrator}" timestep="{timestep}">
             <flag energy="enable" contact="disable"/></option><worldbody>
             <body>{link}<body pos="0 0 -.5">{link}</body></body></worldbody></mujoco>"#
    ))
    .qpos(&[1.0, -0.5])
    .qvel(&[2.0, -3.0])
    .forward();
    let energy = |case: &Case| case.data.energy.values.iter().sum::<f64>();
    let before = energy(&start);
    (energy(&start.steps(steps).forward()) - before).abs()
}

#[test]
fn energy_drift_falls_with_the_order_of_the_integrator() {
    for (integrator, steps, ratios) in [
        ("Euler", 400, 1.7..2.4),
        ("implicit", 400, 1.7..2.4),
        ("implicitfast", 400, 1.7..2.4),
        ("RK4", 50, 14.0..66.0),
    ] {
        let drifts = [steps, 2 * steps, 4 * steps].map(|steps| energy_drift(integrator, steps));
        for pair in drifts.windows(2) {
            assert!(
                ratios.contains(&(pair[0] / pair[1])),
                "{integrator} {drifts:?}"
            );
        }
    }
}

fn angular_momentum(case: &mut Case) -> [f64; 3] {
    case.data.forward(&case.model).expect("its own model");
    Engine::new(&case.model)
        .subtree_momentum(&mut case.data)
        .expect("its own model");
    case.data.velocity.momentum.subtree_angmom[0].0
}

#[test]
fn a_tumbling_body_keeps_its_momenta() {
    let tumbling = |integrator: &str, timestep: f64| {
        Case::new(&format!(
            r#"<mujoco><option integrator="{integrator}" timestep="{timestep}" gravity="0 0 0"/><worldbody>
                 <body><freejoint/><geom type="box" size=".1 .2 .3" mass="1"/></body></worldbody></mujoco>"#
        ))
        .qvel(&numbers("1 2 3 5 1 8"))
    };
    let drift = |integrator: &str, steps: usize| {
        let mut case = tumbling(integrator, 1.0 / steps as f64);
        let before = angular_momentum(&mut case);
        case = case.steps(steps);
        // Nothing acts on the centre of mass.
        close(&case.data.state.qpos[..3], &[1.0, 2.0, 3.0], 1e-12);
        let after = angular_momentum(&mut case);
        let largest = |v: [f64; 3]| v.iter().fold(0.0_f64, |a, x| a.max(x.abs()));
        let difference = [0, 1, 2].map(|k| after[k] - before[k]);
        largest(difference) / largest(before)
    };
    // Averaged velocities turn a quaternion with second order only, in the reference as well.
    let drifts = [drift("RK4", 1000), drift("RK4", 2000)];
    assert!(
        drifts[0] < 1e-4 && (3.5..20.0).contains(&(drifts[0] / drifts[1])),
        "{drifts:?}"
    );
    for integrator in ["Euler", "implicit", "implicitfast"] {
        let drifts = [drift(integrator, 1000), drift(integrator, 2000)];
        assert!(drifts[0] < 0.05, "{integrator} {drifts:?}");
        assert!(
            (1.7..2.3).contains(&(drifts[0] / drifts[1])),
            "{integrator} {drifts:?}"
        );
    }
}

#[test]
fn an_articulated_body_in_free_space_keeps_its_momenta() {
    let mut case = Case::new(
        r#"<mujoco><option integrator="RK4" timestep="0.0005" gravity="0 0 0"><flag contact="disable"/></option>
             <worldbody><body><freejoint/><geom type="box" size=".1 .2 .3" mass="1"/>
               <body pos=".1 .2 .3"><joint axis="1 2 3"/><geom size=".1" pos=".2 0 0" mass=".5"/>
                 <body pos=".4 0 0"><joint type="ball"/><geom size=".1" pos="0 .2 0" mass=".5"/></body></body>
             </body></worldbody></mujoco>"#,
    )
    .qvel(&numbers("1 2 3 1 -2 3 2 1 2 -1"));
    let before = angular_momentum(&mut case);
    let linear = case.data.velocity.momentum.subtree_linvel[0].0;
    case = case.steps(2000);
    close(&angular_momentum(&mut case), &before, 1e-6);
    close(
        &case.data.velocity.momentum.subtree_linvel[0].0,
        &linear,
        1e-6,
    );
}

#[test]
fn free_fall_is_exact() {
    for integrator in INTEGRATORS {
        let case = Case::new(&format!(
            r#"<mujoco><option integrator="{integrator}"/><worldbody><body><freejoint/>
                 <geom size=".1"/></body></worldbody></mujoco>"#
        ))
        .steps(500);
        let n = 500.0;
        // The semi-implicit sum h²·g·n(n+1)/2, or the parabola itself.
        let sum = if integrator == "RK4" {
            n * n / 2.0
        } else {
            n * (n + 1.0) / 2.0
        };
        close(&case.data.state.qpos[2..3], &[-9.81 * 4e-6 * sum], 1e-12);
        close(&case.data.state.qvel[2..3], &[-9.81], 1e-12);
    }
}
