//! Rest, sliding and rolling against closed forms.

use crate::{CONES, Case, near, norm, stack_of_boxes};

/// Impedance of a violation r ≥ 0 after the definition of `solimp`.
fn impedance(solimp: [f64; 5], r: f64) -> f64 {
    let [low, high, width, midpoint, power] = solimp;
    let x = (r / width).min(1.0);
    let y = if x <= midpoint {
        x.powf(power) / midpoint.powf(power - 1.0)
    } else {
        1.0 - (1.0 - x).powf(power) / (1.0 - midpoint).powf(power - 1.0)
    };
    low + y * (high - low)
}

/// Depth r at which a free body rests: its weight equals the force d/(1 − d)·m·K·d·r, d = d(r).
fn rest_depth(solref: [f64; 2], solimp: [f64; 5]) -> f64 {
    let high = solimp[1];
    let stiffness = if solref[0] > 0.0 {
        1.0 / (high * solref[0] * solref[1]).powi(2)
    } else {
        -solref[0] / (high * high)
    };
    let excess = |r: f64| {
        let d = impedance(solimp, r);
        stiffness * d * d * r / (1.0 - d) - 9.81
    };
    let (mut shallow, mut deep) = (0.0, 1.0);
    for _ in 0..200 {
        let middle = 0.5 * (shallow + deep);
        if excess(middle) < 0.0 {
            shallow = middle;
        } else {
            deep = middle;
        }
    }
    0.5 * (shallow + deep)
}

#[test]
fn a_sphere_rests_at_the_closed_form_depth() {
    let references = [
        [0.02, 1.0],
        [0.05, 1.0],
        [0.01, 1.0],
        [0.02, 0.7],
        [0.03, 2.0],
        [-2000.0, -100.0],
        [-500.0, -60.0],
    ];
    let impedances = [
        [0.9, 0.95, 0.001, 0.5, 2.0],
        [0.9, 0.9, 0.001, 0.5, 2.0],
        [0.5, 0.95, 0.01, 0.5, 2.0],
        [0.8, 0.95, 0.005, 0.3, 3.0],
        [0.7, 0.9, 0.02, 0.6, 1.0],
        [0.3, 0.99, 0.003, 0.4, 4.5],
    ];
    for solref in references {
        for solimp in impedances {
            for (cone, condim) in [("pyramidal", 1), ("elliptic", 3)] {
                let depth = rest_depth(solref, solimp);
                let text = |x: &[f64]| x.iter().map(f64::to_string).collect::<Vec<_>>().join(" ");
                let attributes = format!(
                    r#"solref="{}" solimp="{}" condim="{condim}""#,
                    text(&solref),
                    text(&solimp)
                );
                let case = Case::new(&format!(
                    r#"<mujoco><option cone="{cone}"/><worldbody>
                       <geom type="plane" size="1 1 1" {attributes}/><body><freejoint/>
                       <geom size=".1" {attributes}/></body></worldbody></mujoco>"#
                ))
                .z(0.1 - depth)
                .forward();
                near(case.qacc()[2], 0.0, 1e-9);
                // Dropped from above it comes to the same height.
                let case = case.z(0.1 - 0.9 * depth).steps(2000);
                near(case.qpos_of()[2], 0.1 - depth, 1e-5 * depth + 1e-9);
            }
        }
    }
}

/// A body that cannot turn, on a plane under gravity tilted by some degrees.
fn block(degrees: f64, friction: f64, cone: &str) -> Case {
    let angle = degrees.to_radians();
    let (x, z) = (9.81 * angle.sin(), -9.81 * angle.cos());
    Case::new(&format!(
        r#"<mujoco><option gravity="{x} 0 {z}" cone="{cone}" impratio="10"/><default>
           <geom friction="{friction}"/></default><worldbody><geom type="plane" size="9 9 1"/>
           <body pos="0 0 .0996"><joint type="slide" axis="1 0 0"/><joint type="slide" axis="0 1 0"/>
             <joint type="slide" axis="0 0 1"/><geom size=".1" mass="1"/></body>
           </worldbody></mujoco>"#
    ))
}

#[test]
fn a_body_slides_beyond_the_angle_of_friction() {
    for cone in CONES {
        for friction in [0.2_f64, 0.5, 1.0] {
            let angle = friction.atan().to_degrees();
            let below = block(angle - 1.0, friction, cone).steps(500);
            assert!(below.qvel_of()[0].abs() < 0.01, "{cone} {friction}");
            let above = block(angle + 1.0, friction, cone).steps(250);
            let early = above.qvel_of()[0];
            let late = above.steps(250).qvel_of()[0];
            let slope = (angle + 1.0).to_radians();
            let gain = 9.81 * (slope.sin() - friction * slope.cos()) * 0.5;
            // The difference of two large forces: a hundredth of one of them.
            near(
                late - early,
                gain,
                0.01 * 9.81 * friction * slope.cos() * 0.5,
            );
        }
    }
}

/// A solid ball of radius R that rolls without slipping is braked by the torque τ of rolling friction:
/// v̇ = (5/7)·τ/(m·R). On the elliptic cone τ = μ·m·g·√(1 − (v̇/g)²), where μ is the rolling
/// coefficient, a length, and the sliding coefficient is 1.
#[test]
fn a_rolling_ball_slows_down_evenly() {
    for coefficient in [0.01, 0.015, 0.02] {
        let mut case = Case::new(&format!(
            r#"<mujoco><option cone="elliptic"/><default>
               <geom condim="6" friction="1 .005 {coefficient}"/></default><worldbody>
               <geom type="plane" size="5 5 1"/><body pos="0 0 .0997"><freejoint/>
               <geom size=".1" mass="1"/></body></worldbody></mujoco>"#
        ));
        case.data.state.qvel[0] = 3.0;
        case.data.state.qvel[4] = 30.0;
        let case = case.steps(100);
        let early = case.qvel_of()[0];
        let case = case.steps(200);
        let braking = (early - case.qvel_of()[0]) / 0.4;
        let full = 5.0 / 7.0 * coefficient * 9.81 / 0.1;
        let mut expected = full;
        for _ in 0..50 {
            expected = full * (1.0 - (expected / 9.81_f64).powi(2)).sqrt();
        }
        near(braking, expected, 0.05 * expected);
        near(0.1 * case.qvel_of()[4], case.qvel_of()[0], 0.1);
    }
}

#[test]
fn a_stack_of_boxes_rests_for_ten_thousand_steps() {
    for cone in CONES {
        let mut case = Case::new(&stack_of_boxes(4, &format!(r#"cone="{cone}""#))).steps(1000);
        let start = case.qpos_of().to_vec();
        for _ in 0..9 {
            case = case.steps(1000);
            for body in 0..4 {
                let place = 7 * body..7 * body + 3;
                for (now, then) in case.qpos_of()[place.clone()].iter().zip(&start[place]) {
                    near(*now, *then, 1e-3);
                }
            }
            assert!(norm(case.qvel_of()) < 1e-2);
        }
    }
}
