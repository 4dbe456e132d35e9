//! Contact dimensions 1, 3, 4, 6 with pyramidal and elliptic cones.

use crate::{CONES, Case, SOLVERS, close, near};
use sinew::math::Vec3;
use sinew::model::kinds::Solver;

/// A free sphere of radius 0.05 over a plane; attributes for both geoms and for the sphere alone.
fn sphere(option: &str, both: &str, own: &str) -> Case {
    Case::new(&format!(
        r#"<mujoco><option {option}/><worldbody><geom type="plane" size="5 5 1" {both}/>
             <body><freejoint/><geom size=".05" {both} {own}/></body></worldbody></mujoco>"#
    ))
}

fn option(cone: &str) -> String {
    format!(r#"timestep=".001" cone="{cone}""#)
}

/// Line 1.
#[test]
fn rows_and_normal_force_of_a_sphere_at_rest() {
    let pyramidal = [
        (1, 1, 6.188675728184),
        (3, 4, 6.188675728184),
        (4, 6, 6.293568537136),
        (6, 10, 6.380078070293),
    ];
    let elliptic = [1, 3, 4, 6].map(|condim| (condim, condim as usize, 6.188675728184));
    for (cone, cases) in CONES.into_iter().zip([pyramidal, elliptic]) {
        for (condim, rows, normal) in cases {
            let xml = format!(
                r#"<mujoco><option cone="{cone}"/><worldbody>
                   <geom type="plane" size="1 1 1" condim="1"/><body pos="0 0 .049"><freejoint/>
                   <geom size=".05" condim="{condim}"/></body></worldbody></mujoco>"#
            );
            let case = Case::new(&xml).forward();
            assert_eq!(case.nefc(), rows);
            near(case.contact_force(0)[0], normal, 1e-6);
        }
    }
}

/// Line 2.
#[test]
fn a_frictionless_sphere_is_pushed_without_resistance() {
    for cone in CONES {
        let mut case = sphere(&option(cone), r#"condim="1""#, "")
            .z(0.1)
            .push(&[1.0, 0.0, 0.0, 0.0, 0.0, 0.0]);
        for _ in 0..300 {
            case.step();
            assert_eq!(case.nefc(), case.contacts().len());
            for force in case.contact_forces() {
                assert_eq!(force[1..3], [0.0, 0.0]);
            }
        }
        near(case.qvel_of()[0], 0.572957795131, 1e-6);
        near(case.qpos_of()[0], 0.0862301481672, 1e-6);
        near(case.qpos_of()[2], 0.04963593695756, 1e-6);
    }
}

/// Line 3.
#[test]
fn forces_of_a_spinning_sliding_sphere() {
    let alone = [8.80666961, 0.0, 0.0, 0.0, 0.0, 0.0];
    let pyramid_spinning = [10.28369595, -1.92468187, 2.70816222, -0.08985282, 0.0, 0.0];
    let cases: [(&str, i32, [f64; 6]); 8] = [
        ("pyramidal", 1, alone),
        ("elliptic", 1, alone),
        (
            "pyramidal",
            3,
            [9.02100877, -2.32988491, 3.13248740, 0.0, 0.0, 0.0],
        ),
        ("pyramidal", 4, pyramid_spinning),
        ("pyramidal", 6, pyramid_spinning),
        (
            "elliptic",
            3,
            [8.80666961, -2.35228941, 3.16260985, 0.0, 0.0, 0.0],
        ),
        (
            "elliptic",
            4,
            [8.90243503, -2.34046789, 3.14671602, -0.14862396, 0.0, 0.0],
        ),
        (
            "elliptic",
            6,
            [
                9.76248532,
                -2.29781543,
                3.24978037,
                -0.12322218,
                -0.0167406919,
                -0.00362028652,
            ],
        ),
    ];
    for (cone, condim, expected) in cases {
        let both = format!(r#"condim="{condim}" friction=".8 .02 .003""#);
        let case = sphere(&format!(r#"cone="{cone}""#), &both, "")
            .z(0.049)
            .qvel(&[0.3, 0.1, -0.05, 1.0, 2.0, 3.0])
            .forward();
        close(&case.contact_force(0), &expected, 1e-5);
    }
}

/// Line 4.
#[test]
fn spinning_friction_stops_a_spin() {
    for cone in CONES {
        for condim in [1, 3, 4, 6] {
            let both = format!(r#"condim="{condim}" friction="1 .1 .0001""#);
            let mut case = sphere(&option(cone), &both, "").z(0.0499);
            case.data.state.qvel[5] = 10.0;
            for _ in 0..200 {
                case.step();
                for force in case.contact_forces() {
                    assert!(force[3].abs() <= 0.1 * force[0] * (1.0 + 1e-6));
                }
            }
            let spin = case.qvel_of()[5];
            if condim <= 3 {
                near(spin, 10.0, 1e-9);
            } else {
                assert!(spin.abs() < 1e-6, "{cone} {condim} {spin}");
            }
        }
    }
}

/// Line 5.
#[test]
fn rolling_friction_stops_a_ball() {
    let speeds = [
        ("pyramidal", 1, 1.0),
        ("pyramidal", 3, 0.70964745),
        ("pyramidal", 4, 0.70988455),
        ("pyramidal", 6, 0.51460730),
        ("elliptic", 1, 1.0),
        ("elliptic", 3, 0.70967823),
        ("elliptic", 4, 0.70967823),
        ("elliptic", 6, 0.44586896),
    ];
    for (cone, condim, speed) in speeds {
        let ball = |z| {
            let both = format!(r#"condim="{condim}" friction="1 .005 .01""#);
            let mut case = sphere(&option(cone), &both, "").z(z);
            case.data.state.qvel[0] = 1.0;
            case
        };
        let case = ball(0.06).steps(200);
        near(case.qvel_of()[0], speed, 1e-4);
        let early = case.qvel_of()[0];
        let late = case.steps(800).qvel_of()[0];
        let mut rolling = ball(0.0499);
        rolling.data.state.qvel[4] = 20.0;
        let end = rolling.steps(1000).qvel_of()[0];
        match condim {
            3 => {
                near(late, early, 1e-4);
                near(end, 0.99895, 1e-4);
            }
            6 => assert!(late.abs() < 1e-3 && end.abs() < 0.01),
            _ => {}
        }
    }
}

/// A rolling and a frictionless ball above a plane.
fn two_balls(cone: &str, iterations: i32) -> Case {
    Case::new(&format!(
        r#"<mujoco><option timestep=".001" cone="{cone}" iterations="{iterations}"/><worldbody>
          <geom type="plane" size="1 1 1" friction="1 .005 .0001"/>
          <body pos="-.3 0 .06"><freejoint/>
            <geom size=".05" condim="6" friction="1 .005 .01"/></body>
          <body pos=".3 0 .06"><freejoint/><geom size=".05" condim="1"/></body>
        </worldbody></mujoco>"#
    ))
}

/// Line 6.
#[test]
fn balls_of_different_dimension_rest_side_by_side() {
    let heights = [[0.0498311713, 0.0496328182], [0.0496328182, 0.0496328182]];
    for ((cone, rows), heights) in CONES.into_iter().zip([14, 9]).zip(heights) {
        for (_, solver) in SOLVERS {
            let case = two_balls(cone, 100).solver(solver).steps(500);
            let contacts = case.contacts();
            assert_eq!([contacts[0].dim, contacts[1].dim], [6, 3]);
            assert_eq!(contacts[0].friction, [1.0, 1.0, 0.005, 0.01, 0.01]);
            assert_eq!(contacts[1].friction, [1.0, 1.0, 0.005, 0.0001, 0.0001]);
            assert_eq!(case.nefc(), rows);
            for (ball, height) in heights.into_iter().enumerate() {
                near(case.contact_force(ball)[0], 5.136504, 1e-4);
                near(case.qpos_of()[7 * ball + 2], height, 1e-6);
            }
        }
    }
}

/// Line 18.
#[test]
fn one_iteration_a_step_is_enough_to_rest() {
    for (_, solver) in SOLVERS {
        let case = two_balls("elliptic", 1).solver(solver).steps(300);
        for ball in 0..2 {
            near(case.qpos_of()[7 * ball + 2], 0.04963, 2e-4);
        }
        assert!(case.force().iter().all(|force| force.is_finite()));
    }
}

/// A sphere sliding under an explicit pair with its own friction.
fn pulled(cone: &str, condim: i32, friction: &str, velocity: [f64; 6], pull: [f64; 6]) -> Case {
    let xml = format!(
        r#"<mujoco><option cone="{cone}" tolerance="1e-14"/><worldbody>
          <geom name="p" type="plane" size="1 1 1"/><body pos="0 0 .049"><freejoint/>
            <geom name="s" size=".05"/></body></worldbody>
          <contact><pair geom1="p" geom2="s" condim="{condim}" friction="{friction}"/></contact>
        </mujoco>"#
    );
    Case::new(&xml).qvel(&velocity).push(&pull).forward()
}

/// Lines 11 and 12, and the pair requirements' line 21.
#[test]
fn sliding_forces_lie_on_the_anisotropic_cone() {
    let slides = [
        ([0.5, 0.0], [30.0, 0.0]),
        ([0.0, 0.5], [0.0, 30.0]),
        ([0.5, 0.5], [30.0, 30.0]),
    ];
    for cone in CONES {
        for (velocity, pull) in slides {
            for (condim, text, spin) in [
                (3, "1 .5 .005 .0001 .0001", 0.0),
                (6, "1 1 .05 .01 .01", 20.0),
            ] {
                let case = pulled(
                    cone,
                    condim,
                    text,
                    [velocity[0], velocity[1], 0.0, spin, spin, spin],
                    [pull[0], pull[1], 0.0, 0.0, 0.0, 0.0],
                );
                let force = case.contact_force(0);
                let friction = case.contacts()[0].friction;
                let ratios = force[1..condim as usize]
                    .iter()
                    .zip(friction)
                    .map(|(f, mu)| (f / mu).abs());
                let used = if cone == "elliptic" {
                    ratios.map(|x| x * x).sum::<f64>().sqrt()
                } else {
                    ratios.sum()
                };
                near(used, force[0], 1e-9);
                assert!(force[0] > 0.0);
                if condim == 3 {
                    // The second tangent has friction 0.5.
                    assert!(force[2].abs() <= 0.5 * force[0] + 1e-9);
                }
            }
        }
    }
}

/// Line 14.
#[test]
fn an_elliptic_cone_with_equal_friction_is_round() {
    for direction in 0..12 {
        let angle = f64::from(direction) * 0.5;
        let (x, y) = (angle.cos(), angle.sin());
        let case = pulled(
            "elliptic",
            3,
            ".7 .7 .005 .0001 .0001",
            [0.4 * x, 0.4 * y, 0.0, 0.0, 0.0, 0.0],
            [30.0 * x, 30.0 * y, 0.0, 0.0, 0.0, 0.0],
        );
        let force = case.contact_force(0);
        near(force[1].hypot(force[2]), 0.7 * force[0], 1e-9);
    }
}

/// Line 15, and the dimension that nobody asked for: line 23.
#[test]
fn pyramids_of_dimension_three_are_the_default() {
    let run = |option: &str, both: &str| {
        let case = sphere(option, both, "").z(0.049);
        let case = case.qvel(&[0.3, 0.1, 0.0, 1.0, 2.0, 3.0]).steps(50);
        let bits = |x: &[f64]| x.iter().map(|x| x.to_bits()).collect::<Vec<_>>();
        (bits(case.qpos_of()), case.nefc())
    };
    assert_eq!(run("", ""), run(r#"cone="pyramidal""#, r#"condim="3""#));
    assert_eq!(run("", "").1, 4);
    let text = r#"<mujoco><option cone="pyramidal"/></mujoco>"#;
    assert!(
        sinew::mjcf::load_text(text)
            .expect("loads")
            .warnings
            .is_empty()
    );
}

/// Line 16.
#[test]
fn rows_of_a_hinged_sphere() {
    let xml = |cone: &str| {
        format!(
            r#"<mujoco><option cone="{cone}"/><worldbody><geom type="plane" size="1 1 1"/>
               <body pos="0 0 .3"><joint axis="1 2 3"/>
               <geom size=".05" pos="0 0 -.255" condim="6"/></body></worldbody></mujoco>"#
        )
    };
    let elliptic = Case::new(&xml("elliptic")).qvel(&[0.7]).forward();
    let column: Vec<f64> = (0..6).map(|row| elliptic.jacobian(row)[0]).collect();
    let expected = [
        0.0,
        0.080846525679,
        0.161693051357,
        0.801783725737,
        0.534522483825,
        -0.267261241912,
    ];
    close(&column, &expected, 1e-10);
    let pyramidal = Case::new(&xml("pyramidal")).forward();
    let friction = pyramidal.contacts()[0].friction;
    for k in 1..6 {
        for (side, sign) in [1.0, -1.0].into_iter().enumerate() {
            let edge = pyramidal.jacobian(2 * (k - 1) + side)[0];
            near(edge, column[0] + sign * friction[k - 1] * column[k], 1e-10);
        }
    }
}

/// Line 16: rows times velocity are the relative velocity in the contact frame. Line 17: the
/// angular rows of a free body are the frame times its orientation.
#[test]
fn rows_of_a_rotated_free_body() {
    let velocity = [0.3, -0.2, 0.1, 1.5, -0.7, 0.4];
    let mut case = sphere(r#"cone="elliptic""#, "", r#"condim="6""#)
        .z(0.049)
        .qvel(&velocity);
    let quat = [0.8, 0.2, 0.5, 0.3];
    let length = crate::norm(&quat);
    for k in 0..4 {
        case.data.state.qpos[3 + k] = quat[k] / length;
    }
    let case = case.forward();
    let contact = &case.contacts()[0];
    let rotation = case.data.position.kinematics.xmat[1];
    let angular = rotation * Vec3([velocity[3], velocity[4], velocity[5]]);
    let centre = case.data.position.kinematics.xpos[1];
    let linear =
        Vec3([velocity[0], velocity[1], velocity[2]]) + angular.cross(contact.pos - centre);
    for k in 0..3 {
        let axis = contact.frame.row(k);
        near(case.efc_vel()[k], axis.dot(linear), 1e-12);
        near(case.efc_vel()[3 + k], axis.dot(angular), 1e-12);
        let row = case.jacobian(3 + k);
        for column in 0..3 {
            let expected: f64 = (0..3).map(|i| axis[i] * rotation.0[3 * i + column]).sum();
            near(row[3 + column], expected, 1e-12);
            assert_eq!(row[column], 0.0);
        }
    }
}

/// Line 20.
#[test]
fn zero_friction_is_raised_to_a_hundred_thousandth() {
    let mut case = sphere("", r#"friction="0 0 0""#, "").z(0.049);
    case.data.state.qvel[0] = 1.0;
    let case = case.forward();
    assert_eq!(case.nefc(), 4);
    assert_eq!(case.contacts()[0].friction, [1e-5; 5]);
    let force = case.contact_force(0);
    near(force[1].hypot(force[2]), 1e-5 * force[0], 1e-12);
    let case = sphere("", r#"friction="-1 -1 -1""#, "").z(0.049).forward();
    assert_eq!(case.contacts()[0].friction, [1e-5; 5]);
}

/// Line 21.
#[test]
fn the_dimension_may_change_between_steps() {
    for cone in CONES {
        for (name, solver) in SOLVERS {
            let mut case = sphere(&option(cone), "", "").z(0.0495).solver(solver);
            case = case.tight(1e-14, 10_000);
            case.data.state.qvel[0] = 0.1;
            for step in 0..200 {
                case.model
                    .change(|arrays| arrays.geom_condim[1] = [3, 4, 6, 3, 6][step % 5])
                    .expect("a value");
                let cold = case.cold();
                case.step();
                let tolerance = if solver == Solver::Pgs { 1e-3 } else { 1e-6 };
                let difference = crate::relative(case.qacc(), cold.qacc());
                // At rest the accelerations themselves are next to nothing.
                let size = crate::norm(cold.qacc());
                assert!(
                    difference < tolerance || size < 1e-3,
                    "{name} {cone} {step} {difference} {size}"
                );
            }
        }
    }
}

/// Line 22.
#[test]
fn impratio_scales_the_friction_rows() {
    let cases: [(&str, i32, &[f64], f64); 4] = [
        ("elliptic", 1, &[0.100518911426; 3], 0.8),
        ("pyramidal", 1, &[0.211009298866; 4], 0.8),
        (
            "elliptic",
            10,
            &[0.100518911426, 0.010051891143, 0.010051891143],
            0.2529822128,
        ),
        ("pyramidal", 10, &[0.021100929887; 4], 0.2529822128),
    ];
    for (cone, impratio, expected, mu) in cases {
        let option = format!(r#"cone="{cone}" impratio="{impratio}""#);
        let case = sphere(&option, r#"friction=".8""#, "").z(0.049).forward();
        close(&case.rows().efc_R, expected, 1e-10);
        near(case.rows().contact_mu[0], mu, 1e-9);
    }
}
