//! Noslip: friction solved again as if it were rigid.

use crate::{CONES, Case, SOLVERS, box_on_slope, close, near};
use sinew::mjcf::load_text;
use sinew::model::kinds::{Constraint, DisableFlag, Solver};

/// A box on a plane under gravity that is tilted by some degrees.
fn incline(degrees: f64, friction: f64, condim: i32, cone: &str, noslip: i32) -> String {
    let angle = degrees.to_radians();
    let (x, z) = (9.81 * angle.sin(), -9.81 * angle.cos());
    let attributes = format!(r#"friction="{friction} .005 .0001" condim="{condim}""#);
    format!(
        r#"<mujoco><option gravity="{x} 0 {z}" cone="{cone}" noslip_iterations="{noslip}"/>
           <worldbody><geom type="plane" size="1 1 1" {attributes}/><body pos="0 0 .1"><freejoint/>
             <geom type="box" size=".1 .1 .1" mass="1" {attributes}/></body></worldbody></mujoco>"#
    )
}

fn twenty_degrees(cone: &str, noslip: i32) -> Case {
    Case::new(&incline(20.0, 1.0, 3, cone, noslip))
}

/// Lines 1, 2 and 3.
#[test]
fn a_box_slips_less() {
    let slips = [
        ("elliptic", Solver::Pgs, 9.6607e-4, 1.2054e-4),
        ("pyramidal", Solver::Pgs, 1.93652e-3, 1.45316e-4),
        ("elliptic", Solver::Cg, 9.6625e-4, 1.20927e-4),
        ("pyramidal", Solver::Cg, 1.93634e-3, 1.45461e-4),
        ("elliptic", Solver::Newton, 9.66259e-4, 1.20927e-4),
        ("pyramidal", Solver::Newton, 1.93637e-3, 1.45383e-4),
    ];
    for (cone, solver, soft, rigid) in slips {
        for (noslip, slip) in [(0, soft), (10, rigid)] {
            let case = twenty_degrees(cone, noslip).solver(solver).steps(500);
            near(case.qpos_of()[0], slip, 0.01 * slip);
        }
    }
}

/// Line 4.
#[test]
fn creep_ends() {
    let rates = [
        ("elliptic", 0, 8.74e-4, 1e-6),
        ("pyramidal", 0, 1.851e-3, 1e-6),
        ("elliptic", 10, 0.0, 1e-8),
        ("pyramidal", 10, 0.0, 1e-6),
    ];
    for (cone, noslip, rate, tolerance) in rates {
        let case = twenty_degrees(cone, noslip).steps(500);
        let start = case.qpos_of()[0];
        near(case.steps(500).qpos_of()[0] - start, rate, tolerance);
    }
}

/// The slope of the solver's requirements, line 16 there: drift and what impratio does to it.
#[test]
fn a_box_pressed_into_a_slope_stays() {
    let drift = |option: &str| {
        let case = Case::new(&box_on_slope(20.0, 1.0, 2e-4, option)).steps(500);
        let place = |case: &Case| [case.qpos_of()[0], case.qpos_of()[2]];
        let start = place(&case);
        let end = place(&case.steps(500));
        (end[0] - start[0]).hypot(end[1] - start[1])
    };
    for (option, expected) in [
        (r#"cone="elliptic""#, 8.7e-4),
        (r#"cone="pyramidal""#, 1.85e-3),
        (r#"cone="elliptic" impratio="10""#, 8.7e-5),
        (r#"cone="elliptic" impratio="100""#, 8.7e-6),
    ] {
        near(drift(option), expected, 0.1 * expected);
    }
    for cone in CONES {
        assert!(drift(&format!(r#"cone="{cone}" noslip_iterations="10""#)) < 1e-6);
    }
}

/// Lines 5 and 18, and what the option accepts.
#[test]
fn off_means_off() {
    let plain = |option: &str| {
        let text = incline(20.0, 1.0, 3, "elliptic", 0);
        text.replace(r#"noslip_iterations="0""#, option)
    };
    for (_, solver) in SOLVERS {
        let run = |option: &str| {
            let case = Case::new(&plain(option)).solver(solver).steps(50);
            let bits = |x: &[f64]| x.iter().map(|x| x.to_bits()).collect::<Vec<_>>();
            (
                bits(case.qpos_of()),
                bits(case.qvel_of()),
                bits(case.force()),
                case.niter(),
            )
        };
        assert_eq!(run(""), run(r#"noslip_iterations="0""#));
        assert_eq!(run(""), run(r#"noslip_iterations="-7""#));
    }
    let options = |option: &str| {
        let opt = load_text(&plain(option)).expect("loads").model.opt;
        (opt.noslip_iterations, opt.noslip_tolerance)
    };
    assert_eq!(options(""), (0, 1e-6));
    let both = r#"noslip_iterations="7" noslip_tolerance="1e-3""#;
    assert_eq!(options(both), (7, 0.001));
    assert_eq!(options(r#"noslip_tolerance="-1""#), (0, -1.0));
}

/// Line 6.
#[test]
fn normal_forces_are_not_touched() {
    for (_, solver) in SOLVERS {
        let solve = |cone: &str, noslip| {
            twenty_degrees(cone, noslip)
                .solver(solver)
                .disable(DisableFlag::Island)
                .z(0.0995)
                .qvel(&[0.01, 0.0, 0.0, 0.0, 0.0, 0.0])
                .forward()
        };
        let (before, after) = (solve("elliptic", 0), solve("elliptic", 20));
        for contact in 0..before.contacts().len() {
            let normal = first_row(&before, contact);
            assert_eq!(before.force()[normal], after.force()[normal]);
        }
        assert_ne!(before.force(), after.force());
        let (before, after) = (solve("pyramidal", 0), solve("pyramidal", 20));
        for (old, new) in before.force().chunks(2).zip(after.force().chunks(2)) {
            near(old[0] + old[1], new[0] + new[1], 1e-15);
            // Line 10.
            assert!(new[0] >= 0.0 && new[1] >= 0.0);
        }
    }
}

fn slide(frictionloss: &str, sections: &str, noslip: i32) -> String {
    format!(
        r#"<mujoco><option noslip_iterations="{noslip}"/><worldbody><body>
             <joint name="j" type="slide" axis="0 0 1" {frictionloss}/><geom size=".1" mass="1"/>
           </body></worldbody>{sections}</mujoco>"#
    )
}

/// Lines 7, 8 and 9.
#[test]
fn dry_friction_sticks() {
    let tendon = r#"<tendon><fixed frictionloss="20"><joint joint="j" coef="2"/></fixed></tendon>"#;
    for (_, solver) in SOLVERS {
        let solve = |joint: &str, sections: &str, noslip, force: f64, qacc: f64| {
            let case = Case::new(&slide(joint, sections, noslip)).solver(solver);
            let case = case.forward();
            near(case.force()[0], force, 1e-9);
            near(case.qacc()[0], qacc, 1e-9);
            case
        };
        let sticking = r#"frictionloss="20""#;
        let case = solve(sticking, "", 0, 8.829, -0.981).steps(500);
        near(case.qpos_of()[0], -0.0102664, 1e-7);
        let case = solve(sticking, "", 10, 9.81, 0.0);
        near(case.qacc()[0], 0.0, 1e-12);
        near(case.steps(500).qpos_of()[0], 0.0, 1e-12);
        for noslip in [0, 10] {
            let case = solve(r#"frictionloss="5""#, "", noslip, 5.0, -4.81);
            assert_eq!(case.force(), [5.0]);
        }
        solve("", tendon, 0, 4.4145, -0.981);
        solve("", tendon, 10, 4.905, 0.0);
    }
}

/// b + A·f of every row, with R taken off the diagonal.
fn residual(case: &Case) -> Vec<f64> {
    let solution = &case.data.acceleration.solution;
    let mut product = vec![0.0; case.nefc()];
    solution.projection.multiply(case.force(), &mut product);
    (0..case.nefc())
        .map(|i| product[i] - case.rows().efc_R[i] * case.force()[i] + solution.efc_b[i])
        .collect()
}

fn first_row(case: &Case, contact: usize) -> usize {
    case.rows().first_row(contact).expect("it has rows")
}

/// Whether an elliptic contact is on the side of its cone.
fn excess(case: &Case, contact: usize) -> f64 {
    let first = first_row(case, contact);
    let contact = &case.contacts()[contact];
    let force = &case.force()[first..first + contact.dim as usize];
    let tangential: f64 = force[1..]
        .iter()
        .zip(contact.friction)
        .map(|(f, mu)| (f / mu) * (f / mu))
        .sum();
    tangential - force[0] * force[0]
}

/// Line 11.
#[test]
fn friction_rows_end_at_zero_residual() {
    let solve = |cone: &str| {
        let mut case = twenty_degrees(cone, 200).z(0.0995);
        case.model.opt.noslip_tolerance = 0.0;
        case.forward()
    };
    let case = solve("elliptic");
    let rest = residual(&case);
    let mut inside = 0;
    for contact in 0..case.contacts().len() {
        if excess(&case, contact) < -1e-9 {
            let first = first_row(&case, contact);
            assert!(rest[first + 1].abs() < 1e-12 && rest[first + 2].abs() < 1e-12);
            inside += 1;
        }
    }
    assert!(inside > 0);
    let case = solve("pyramidal");
    let rest = residual(&case);
    for (pair, force) in rest.chunks(2).zip(case.force().chunks(2)) {
        if force[0] > 1e-9 && force[1] > 1e-9 {
            near(pair[0], pair[1], 1e-9);
        }
    }
}

/// Line 12.
#[test]
fn sliding_friction_lies_on_the_cone() {
    let case = Case::new(&incline(60.0, 0.5, 3, "elliptic", 20))
        .z(0.0995)
        .forward();
    assert_eq!(case.contacts().len(), 4);
    for contact in 0..4 {
        near(excess(&case, contact), 0.0, 1e-12);
    }
}

/// Line 13.
#[test]
fn equalities_and_limits_keep_their_forces() {
    let xml = |noslip: i32| {
        format!(
            r#"<mujoco><option cone="elliptic" noslip_iterations="{noslip}"><flag island="disable"/>
               </option><worldbody><geom type="plane" size="5 5 1"/>
               <body pos="0 0 1"><joint name="a" axis="0 1 0" range="-10 10" frictionloss=".3"/>
                 <geom type="capsule" fromto="0 0 0 .3 0 0" size=".03" mass="1"/></body>
               <body pos="0 1 1"><joint name="b" axis="0 1 0"/>
                 <geom type="capsule" fromto="0 0 0 .3 0 0" size=".03" mass="1"/></body>
               <body pos="0 2 .0995"><freejoint/><geom type="box" size=".1 .1 .1" mass="1"/></body>
             </worldbody><equality><joint joint1="b" polycoef=".1 0 0 0 0"/></equality></mujoco>"#
        )
    };
    let solve = |noslip| {
        let mut case = Case::new(&xml(noslip));
        case.data.state.qpos[0] = 0.3;
        case.data.state.qvel[2] = 0.01;
        case.forward()
    };
    let (before, after) = (solve(0), solve(50));
    let mut kept = 0;
    for (row, kind) in before.rows().efc_type.iter().enumerate() {
        let is_kept = [Constraint::Equality, Constraint::LimitJoint];
        if is_kept.map(Constraint::code).contains(kind) {
            assert_eq!(before.force()[row], after.force()[row]);
            assert_ne!(before.force()[row], 0.0);
            kept += 1;
        }
    }
    assert_eq!(kept, 2);
    assert!(after.force().iter().all(|force| force.is_finite()));
    assert_ne!(before.force(), after.force());
}

/// Line 14.
#[test]
fn a_leaving_contact_has_no_force() {
    for (_, solver) in SOLVERS {
        let xml = r#"<mujoco><option gravity="0 0 0" cone="elliptic" noslip_iterations="10"/>
            <worldbody><geom type="plane" size="1 1 1"/><body pos="0 0 .0999999"><freejoint/>
            <geom size=".1" mass="1"/></body></worldbody></mujoco>"#;
        let case = Case::new(xml).solver(solver);
        let case = case.qvel(&[0.0, 0.0, 5.0, 0.0, 0.0, 0.0]).forward();
        assert_eq!(case.force(), [0.0; 3]);
    }
}

/// Line 15.
#[test]
fn the_tolerance_ends_the_sweeps() {
    for cone in CONES {
        let slip = |noslip| twenty_degrees(cone, noslip).steps(500).qpos_of()[0];
        assert_eq!(slip(10), slip(50));
    }
}

/// Line 16.
#[test]
fn a_small_case_is_exact() {
    let solve = |cone: &str, noslip: i32| {
        let xml = format!(
            r#"<mujoco><option cone="{cone}" noslip_iterations="{noslip}"/><worldbody>
               <geom type="plane" size="1 1 1"/><body pos="0 0 .0999">
               <joint type="slide" axis="1 0 0"/><joint type="slide" axis="0 0 1"/>
               <geom size=".1" mass="1"/></body></worldbody></mujoco>"#
        );
        Case::new(&xml)
            .qvel(&[0.001, 0.0])
            .push(&[1.0, 0.0])
            .forward()
    };
    let tangential = |case: &Case| {
        let force = case.contact_force(0);
        force[1].hypot(force[2])
    };
    let soft = solve("elliptic", 0);
    near(tangential(&soft), 0.995842105263158, 1e-9);
    close(soft.qacc(), &[0.004157894736842, -0.746314376731296], 1e-9);
    let rigid = solve("elliptic", 10);
    near(tangential(&rigid), 1.105263157894737, 1e-9);
    close(
        rigid.qacc(),
        &[-0.105263157894737, -0.746314376731295],
        1e-9,
    );
    let pyramid = solve("pyramidal", 10);
    let edges = [
        2.265921405817176,
        2.265921405817176,
        2.818552984764545,
        1.713289826869807,
    ];
    close(pyramid.force(), &edges, 1e-9);
    near(pyramid.qacc()[0], -0.105263157894737, 1e-9);
    for (cone, rigid) in [("elliptic", &rigid), ("pyramidal", &pyramid)] {
        let mut monolithic = solve(cone, 0).disable(DisableFlag::Island);
        monolithic
            .data
            .forward(&monolithic.model)
            .expect("its own model");
        assert_eq!(rigid.niter() - monolithic.niter(), 2, "{cone}");
    }
}

/// Line 17.
#[test]
fn spinning_and_rolling_contacts_work() {
    for cone in CONES {
        for condim in [4, 6] {
            let case = Case::new(&incline(20.0, 1.0, condim, cone, 50)).steps(500);
            assert!(case.force().iter().all(|force| force.is_finite()));
            let slip = case.qpos_of()[0];
            if cone == "elliptic" {
                assert!(slip < 1.3e-4);
            } else if condim == 6 {
                // Pyramids with rolling friction still creep, by as much as in the reference.
                near(slip, 2.8e-3, 0.05e-3);
            }
        }
    }
}
