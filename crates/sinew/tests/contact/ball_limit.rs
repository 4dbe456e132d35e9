//! Limits of ball joints: a cone around the initial orientation.

use crate::{Case, close, near};
use sinew::model::kinds::{Constraint, DisableFlag, Jacobian};
use std::f64::consts::PI;

/// A ball joint with a range in degrees, on a sphere of 1 kg, without gravity.
fn ball(range: &str, extra: &str) -> Case {
    Case::new(&format!(
        r#"<mujoco><compiler angle="degree"/><option gravity="0 0 0" timestep=".001"/><worldbody>
           <body><joint type="ball" limited="true" range="{range}" {extra}/>
             <geom size=".1" mass="1"/></body></worldbody></mujoco>"#
    ))
}

/// The same with a range from 0 to some degrees.
fn limited(degrees: f64) -> Case {
    ball(&format!("0 {degrees}"), "")
}

/// The quaternion of a rotation by degrees about an axis.
fn rotation(axis: [f64; 3], degrees: f64) -> [f64; 4] {
    let length = crate::norm(&axis);
    let (sin, cos) = (0.5 * degrees.to_radians()).sin_cos();
    [
        cos,
        sin * axis[0] / length,
        sin * axis[1] / length,
        sin * axis[2] / length,
    ]
}

const X: [f64; 3] = [1.0, 0.0, 0.0];
const Y: [f64; 3] = [0.0, 1.0, 0.0];
const Z: [f64; 3] = [0.0, 0.0, 1.0];

/// Rotation angle in degrees.
fn angle(quat: &[f64]) -> f64 {
    2.0 * crate::norm(&quat[1..]).atan2(quat[0].abs()).to_degrees()
}

/// Number of rows; violation and Jacobian of the first.
#[track_caller]
fn check_row(case: &Case, pos: f64, jacobian: [f64; 3], tolerance: f64) {
    assert_eq!((case.rows().nl, case.nefc()), (1, 1));
    near(case.rows().efc_pos[0], pos, tolerance);
    let dofs = case.jacobian(0);
    close(&dofs[dofs.len() - 3..], &jacobian, tolerance);
}

/// Line 1.
#[test]
fn angle_and_axis_of_a_quaternion() {
    let diagonal = [0.6, 0.8, 0.0];
    for (quat, degrees, axis) in [
        (rotation(Z, 90.0), 90.0, Z),
        (rotation(diagonal, 50.0), 50.0, diagonal),
        (rotation(Z, 200.0), 160.0, [0.0, 0.0, -1.0]),
        (rotation(X, 60.0), 60.0, X),
        (rotation(X, 60.0).map(|q| -q), 60.0, X),
        (rotation(Y, 180.0), 180.0, Y),
        (rotation(X, 45.0), 45.0, X),
    ] {
        // A zero cone makes the row for every angle: the violation is the angle itself.
        let case = limited(0.0).qpos(&quat).forward();
        check_row(&case, -degrees * PI / 180.0, axis.map(|x| -x), 1e-10);
    }
    let tiny = [1.0, 1e-15, 1e-15, 1e-15];
    let case = limited(0.0).qpos(&tiny).forward();
    assert!(case.rows().efc_pos.iter().all(|pos| pos.abs() < 1e-10));
    assert!(case.qacc().iter().all(|x| x.is_finite()));
}

/// Line 2.
#[test]
fn a_violated_cone_makes_one_row() {
    let case = limited(45.0).qpos(&rotation(X, 60.0)).forward();
    assert_eq!(case.model.jnt_limited, [1]);
    close(&case.model.jnt_range[0], &[0.0, 0.785398163397448], 1e-12);
    check_row(&case, -0.261799387799149, [-1.0, 0.0, 0.0], 1e-10);
}

/// Line 3.
#[test]
fn velocity_and_force_of_an_oblique_row() {
    let case = limited(45.0)
        .qpos(&rotation([0.6, 0.8, 0.0], 50.0))
        .qvel(&[1.0, 2.0, 0.5])
        .forward();
    check_row(&case, -PI / 36.0, [-0.6, -0.8, 0.0], 1e-10);
    near(case.efc_vel()[0], -2.2, 1e-10);
    near(case.force()[0], 1.752664625997, 1e-8);
}

/// Line 4.
#[test]
fn free_joints_have_no_limit() {
    let case = Case::new(
        r#"<mujoco><worldbody><body><joint type="free" limited="true" range="0 0.5"/>
           <geom size=".1"/></body></worldbody></mujoco>"#,
    );
    let quat = rotation(X, 120.0);
    let case = case
        .qpos(&[0.0, 0.0, 0.0, quat[0], quat[1], quat[2], quat[3]])
        .forward();
    assert_eq!(case.model.jnt_limited, [0]);
    assert_eq!(case.nefc(), 0);
}

/// Lines 5, 6 and 7.
#[test]
fn within_the_cone_there_is_no_row() {
    let rows = |range: f64, quat: [f64; 4]| limited(range).qpos(&quat).forward().nefc();
    assert_eq!(rows(45.0, rotation(Y, 30.0)), 0);
    assert_eq!(rows(45.0, [1.0, 0.0, 0.0, 0.0]), 0);
    for exact in [30.0, 60.0, 90.0, 120.0, 150.0] {
        let case = limited(exact).qpos(&rotation(X, exact)).forward();
        assert!(case.rows().efc_pos.iter().all(|pos| pos.abs() < 1e-15));
    }
    assert_eq!(rows(90.0, rotation(X, 90.0)), 0);
    assert_eq!(rows(45.0, rotation(X, 44.999)), 0);
    let case = limited(45.0).qpos(&rotation(X, 45.0)).forward();
    assert!(case.rows().efc_pos.iter().all(|pos| pos.abs() < 1e-15));

    let unlimited = Case::new(
        r#"<mujoco><worldbody><body><joint type="ball" limited="false" range="0 45"/>
           <geom size=".1"/></body></worldbody></mujoco>"#,
    );
    assert_eq!(unlimited.model.jnt_range, [[0.0, 45.0]]);
    assert_eq!(unlimited.qpos(&rotation(X, 170.0)).forward().nefc(), 0);
}

/// Lines 8, 14 and 15.
#[test]
fn rows_near_and_beyond_half_a_turn() {
    let case = |range, quat: [f64; 4]| limited(range).qpos(&quat).forward();
    check_row(
        &case(150.0, rotation(Z, 200.0)),
        -0.174532925199433,
        Z,
        1e-10,
    );
    check_row(
        &case(170.0, rotation(X, 175.0)),
        -0.0872664625997165,
        [-1.0, 0.0, 0.0],
        1e-10,
    );
    check_row(
        &case(45.0, rotation(Z, 45.5)),
        -0.008726646259972,
        [0.0, 0.0, -1.0],
        1e-12,
    );
}

/// Line 9.
#[test]
fn the_unit_is_the_compiler_s() {
    let xml = |compiler: &str| {
        format!(
            r#"<mujoco>{compiler}<worldbody><body><joint type="ball" range="0 0.7853981633974483"/>
               <geom size=".1"/></body></worldbody></mujoco>"#
        )
    };
    let radian = Case::new(&xml(r#"<compiler angle="radian"/>"#));
    assert_eq!(radian.model.jnt_range, [[0.0, 0.7853981633974483]]);
    assert_eq!(radian.qpos(&rotation(X, 60.0)).forward().nefc(), 1);
    let degree = Case::new(&xml(""));
    near(degree.model.jnt_range[0][1], 0.013707783890402, 1e-12);
}

/// Line 10: the larger bound counts, whichever it is.
#[test]
fn a_range_rewritten_at_run_time() {
    let mut case = limited(45.0);
    case.model.unchecked().jnt_range[0] = [PI / 4.0, 0.0];
    let case = case.qpos(&rotation(X, 60.0)).forward();
    check_row(&case, -0.261799387799149, [-1.0, 0.0, 0.0], 1e-10);
}

fn chain(joints: &[&str]) -> Case {
    let mut xml = String::new();
    for joint in joints {
        xml += &format!(r#"<body pos=".2 0 0"><joint {joint}/><geom size=".1" mass=".5"/>"#);
    }
    xml += &"</body>".repeat(joints.len());
    Case::new(&format!(
        r#"<mujoco><option gravity="0 0 0"/><worldbody>{xml}</worldbody></mujoco>"#
    ))
}

fn concatenate(quats: &[[f64; 4]]) -> Vec<f64> {
    quats.concat()
}

/// Line 11.
#[test]
fn one_of_three_joints_is_violated() {
    let joints = [
        r#"type="ball" range="0 30""#,
        r#"type="ball" range="0 90""#,
        r#"type="ball""#,
    ];
    let quats = [rotation(X, 50.0), rotation(Y, 45.0), rotation(Z, 170.0)];
    let case = chain(&joints).qpos(&concatenate(&quats)).forward();
    assert_eq!(case.rows().nl, 1);
    assert_eq!(case.rows().efc_id[0], 0);
}

/// Line 12.
#[test]
fn a_hinge_and_a_ball() {
    let joints = [r#"range="-30 30""#, r#"type="ball" range="0 45""#];
    let mut qpos = vec![40f64.to_radians()];
    qpos.extend(rotation(Y, 60.0));
    let case = chain(&joints)
        .disable(DisableFlag::Contact)
        .qpos(&qpos)
        .forward();
    assert_eq!(case.rows().efc_id, [0, 1]);
    let pos = [-0.174532925199433, -0.261799387799149];
    close(&case.rows().efc_pos, &pos, 1e-10);
    close(&case.jacobian(0), &[-1.0, 0.0, 0.0, 0.0], 1e-10);
    close(&case.jacobian(1), &[0.0, 0.0, -1.0, 0.0], 1e-10);
}

/// Line 13.
#[test]
fn two_balls() {
    let joints = [r#"type="ball" range="0 30""#, r#"type="ball" range="0 45""#];
    let quats = [rotation(X, 50.0), rotation(Y, 60.0)];
    let case = chain(&joints).qpos(&concatenate(&quats)).forward();
    assert_eq!(case.rows().efc_id, [0, 1]);
    let pos = [-0.349065850398866, -0.261799387799149];
    close(&case.rows().efc_pos, &pos, 1e-10);
    close(&case.jacobian(0), &[-1.0, 0.0, 0.0, 0.0, 0.0, 0.0], 1e-10);
    close(&case.jacobian(1), &[0.0, 0.0, 0.0, 0.0, -1.0, 0.0], 1e-10);
}

/// Line 16.
#[test]
fn a_quaternion_and_its_negative_are_one_rotation() {
    let quat = rotation(X, 60.0);
    let runs = [quat, quat.map(|q| -q)].map(|quat| {
        let case = limited(45.0).qpos(&quat).forward();
        check_row(&case, -0.261799387799149, [-1.0, 0.0, 0.0], 1e-12);
        case.steps(100)
    });
    for case in &runs {
        let sign = case.qpos_of()[0].signum();
        let expected = [0.957486462396831, 0.288478204249127, 0.0, 0.0];
        close(case.qpos_of(), &expected.map(|q| sign * q), 1e-9);
        near(case.qvel_of()[0], -4.8585067646510, 1e-9);
    }
}

/// Lines 17 and 24, and the sensors of a limit.
#[test]
fn force_follows_the_velocity() {
    for (velocity, force) in [(2.0, 3.417993877991), (-2.0, 1.817993877991)] {
        let case = limited(45.0)
            .qpos(&rotation(X, 60.0))
            .qvel(&[velocity, 0.0, 0.0])
            .forward();
        near(case.efc_vel()[0], -velocity, 1e-10);
        near(case.force()[0], force, 1e-8);
    }
    let case = limited(30.0).qpos(&rotation(X, 60.0)).forward();
    near(case.force()[0], 5.235987755983, 1e-8);
    close(case.qfrc_constraint(), &[-case.force()[0], 0.0, 0.0], 1e-14);

    let sensed = |range: &str, extra: &str, degrees: f64, velocity: f64| {
        let case = Case::new(&format!(
            r#"<mujoco><option gravity="0 0 0" timestep=".001"/><worldbody><body>
               <joint name="j" type="ball" range="{range}" {extra}/><geom size=".1" mass="1"/></body>
               </worldbody><sensor><jointlimitpos joint="j"/><jointlimitvel joint="j"/>
               <jointlimitfrc joint="j"/></sensor></mujoco>"#
        ))
        .qpos(&rotation(X, degrees))
        .qvel(&[velocity, 0.0, 0.0])
        .forward();
        case.data.sensor.sensordata.clone()
    };
    let expected = [-0.261799387799149, -1.0, 3.017993877991];
    close(&sensed("0 45", "", 60.0, 1.0), &expected, 1e-8);
    assert_eq!(sensed("0 45", "", 30.0, 1.0), [0.0; 3]);
    let inside = sensed("0 45", r#"margin="0.02""#, 44.5, 0.0);
    near(inside[0], -0.011273353740028, 1e-12);
    let force = sensed("0 30", "", 60.0, 0.0)[2];
    near(force, 5.235987755983, 1e-8);
}

/// Line 18.
#[test]
fn the_length_of_the_quaternion_does_not_matter() {
    let quat = rotation(X, 60.0);
    let scaled = |scale: f64| limited(45.0).qpos(&quat.map(|q| scale * q)).forward();
    let case = scaled(1.05);
    check_row(&case, -0.261799387799149, [-1.0, 0.0, 0.0], 1e-12);
    near(crate::norm(case.qpos_of()), 1.05, 1e-15);
    near(crate::norm(case.steps(1).qpos_of()), 1.0, 1e-15);
    check_row(&scaled(1e-12), -0.261799387799149, [-1.0, 0.0, 0.0], 1e-12);
    assert_eq!(scaled(1e-16).nefc(), 0);
    assert_eq!(scaled(0.0).nefc(), 0);
}

/// Line 19.
#[test]
fn a_margin_makes_the_row_earlier() {
    let case = |range: &str, extra: &str, degrees: f64| {
        ball(range, extra).qpos(&rotation(X, degrees)).forward()
    };
    assert_eq!(case("0 45", "", 44.5).nefc(), 0);
    assert_eq!(case("0 45", "", 45.5).nefc(), 1);
    let early = case("0 45", r#"margin="0.02""#, 44.5);
    check_row(&early, 0.008726646259972, [-1.0, 0.0, 0.0], 1e-10);
    assert_eq!(early.rows().efc_margin, [0.02]);
    near(early.force()[0], 0.112733537400, 1e-8);
    assert_eq!(case("0 45", r#"margin="0.005""#, 44.5).nefc(), 0);
    let still = case("0 0", r#"margin="0.1""#, 0.0);
    check_row(&still, 0.0, [-1.0, 0.0, 0.0], 1e-15);
    near(still.force()[0], 1.0, 1e-10);
}

/// Line 20.
#[test]
fn a_torque_presses_against_the_cone() {
    let mut case = limited(60.0).push(&[0.01, 0.0, 0.0]);
    let mut peak: f64 = 0.0;
    for _ in 0..5000 {
        case.step();
        peak = peak.max(angle(case.qpos_of()));
    }
    near(peak, 60.899, 1e-3);
    near(angle(case.qpos_of()), 60.00629, 1e-3);
    near(case.force()[0], 0.01, 1e-8);
    near(case.qvel_of()[0], 0.0, 1e-8);
}

/// Lines 21, 22 and 23.
#[test]
fn a_rotation_beyond_the_cone_comes_back() {
    let mut case = limited(30.0)
        .qpos(&rotation(X, 35.0))
        .qvel(&[2.0, 0.0, 0.0]);
    for _ in 0..500 {
        case.step();
        assert!(angle(case.qpos_of()) < 35.26);
    }
    assert!(angle(case.qpos_of()) < 32.0);
    let rebound = [0.994116936636566, -0.108312124401324, 0.0, 0.0];
    close(case.qpos_of(), &rebound, 1e-6);

    let locked = limited(0.0).qpos(&rotation(Y, 20.0)).forward();
    check_row(&locked, -0.349065850398866, [0.0, -1.0, 0.0], 1e-10);
    let locked = locked.steps(201);
    near(angle(locked.qpos_of()), 0.09348, 1e-4);
    assert_eq!(limited(0.0).forward().nefc(), 0);
    let tiny = limited(0.0).qpos(&rotation(Y, 1e-9)).forward();
    assert_eq!(tiny.nefc(), 1);
    close(&tiny.jacobian(0), &[0.0, -1.0, 0.0], 1e-10);

    let wide = limited(170.0).qpos(&rotation(X, 175.0)).steps(201);
    near(angle(wide.qpos_of()), 156.806, 1e-3);
}

/// Line 25.
#[test]
fn many_joints_of_all_kinds() {
    let kinds = [
        r#"type="ball" range="0 20""#,
        r#"type="ball""#,
        r#"range="-10 10""#,
        r#"type="slide" range="-.1 .1""#,
        r#"type="ball" limited="true" range="0 0" margin=".1""#,
        r#"axis="0 1 0""#,
    ];
    let joints: Vec<&str> = (0..30).map(|i| kinds[i % kinds.len()]).collect();
    for jacobian in [Jacobian::Dense, Jacobian::Sparse] {
        let mut case = chain(&joints).disable(DisableFlag::Contact);
        case.model.opt.jacobian = jacobian.code();
        for (i, q) in case.data.state.qpos.iter_mut().enumerate() {
            *q += ((i * 7919 + 13) % 101) as f64 / 101.0 - 0.5;
        }
        for _ in 0..20 {
            case.step();
            let rows = case.rows();
            assert_eq!(rows.nl, rows.nefc());
            assert!(rows.nl > 0);
            assert_eq!(
                rows.efc_J_rownnz.iter().sum::<i32>() as usize,
                rows.efc_J.len()
            );
        }
    }
}

/// Line 26.
#[test]
fn limits_stand_between_friction_and_contacts() {
    let xml = r#"<mujoco><worldbody><geom type="plane" size="5 5 1"/>
        <body pos="0 0 .09"><joint type="ball" range="0 10" frictionloss=".1"/>
          <geom size=".1" mass="1"/></body>
        <body pos="2 0 1"><joint name="h" axis="0 1 0" range="-10 10"/><geom size=".1" mass="1"/>
          <body pos=".5 0 0"><joint name="k" axis="0 1 0"/><geom size=".1" mass="1"/></body></body>
        </worldbody>
        <tendon><fixed range="-.1 .1"><joint joint="h" coef="1"/></fixed></tendon>
        <equality><joint joint1="k"/></equality></mujoco>"#;
    let mut qpos = rotation(X, 30.0).to_vec();
    qpos.extend([0.5, 0.2]);
    let case = Case::new(xml).qpos(&qpos).forward();
    use Constraint as C;
    let mut expected = vec![C::Equality];
    expected.extend([C::FrictionDof; 3]);
    expected.extend([C::LimitJoint, C::LimitJoint, C::LimitTendon]);
    expected.extend([C::ContactPyramidal; 4]);
    let expected: Vec<i32> = expected.into_iter().map(Constraint::code).collect();
    assert_eq!(case.rows().efc_type, expected);
    assert_eq!(case.rows().efc_id[4..6], [0, 1]);
}

/// Line 27.
#[test]
fn a_long_body_has_one_weight() {
    let case = Case::new(
        r#"<mujoco><worldbody><body><joint type="ball" range="0 30"/>
           <geom type="box" size=".1 .2 .05" mass="1"/></body></worldbody></mujoco>"#,
    )
    .qpos(&rotation([1.0, 2.0, 3.0], 60.0))
    .forward();
    near(case.rows().efc_diagApprox[0], 123.529411764706, 1e-8);
    near(case.rows().efc_R[0], 6.501547987616, 1e-8);
    near(case.force()[0], 11.609512632047, 1e-8);
}

/// A ball joint beside a slide, sparse storage, the flag, and default classes.
#[test]
fn rows_follow_the_joint_s_own_dofs() {
    let xml = r#"<mujoco><default><default class="c"><joint range="0 10" margin=".01"
        solreflimit=".05 1" solimplimit=".8 .9 .01"/></default></default><worldbody><body>
        <joint type="slide" axis="1 0 0"/><joint class="c" type="ball"/><geom size=".1"/></body>
        </worldbody></mujoco>"#;
    let mut qpos = vec![0.0];
    qpos.extend(rotation(X, 20.0));
    let case = Case::new(xml).qpos(&qpos).forward();
    assert_eq!(case.rows().efc_id, [1]);
    close(&case.jacobian(0), &[0.0, -1.0, 0.0, 0.0], 1e-10);
    assert_eq!(case.model.jnt_margin[1], 0.01);
    assert_eq!(case.model.jnt_solref[1], [0.05, 1.0]);
    assert_eq!(case.model.jnt_solimp[1], [0.8, 0.9, 0.01, 0.5, 2.0]);
    assert_eq!(case.disable(DisableFlag::Limit).forward().nefc(), 0);

    let mut case = limited(45.0);
    case.model.opt.jacobian = Jacobian::Sparse.code();
    let case = case.qpos(&rotation([1.0, 2.0, 3.0], 60.0)).forward();
    assert_eq!(case.rows().efc_J_rownnz, [3]);
    let entries = [-0.267261241912424, -0.534522483824849, -0.801783725737273];
    close(&case.rows().efc_J, &entries, 1e-12);
}
