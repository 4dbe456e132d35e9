//! Jacobians, object velocities, inverse dynamics and state vectors agree with each other.

use crate::number;
use sinew::engine::integrate::{differentiate_position, integrate_position, normalize_position};
use sinew::engine::query::{Axes, expand_inertia};
use sinew::engine::state_vector::{StateError, extract_state, state_size};
use sinew::engine::{CallError, Data, Engine};
use sinew::math::Vec3;
use sinew::model::Model;
use sinew::model::kinds::{ObjectType, SameFrame, StateComponent};
use sinew::models;

fn load(name: &str) -> Model {
    let model = models::get(name).unwrap_or_else(|| panic!("{name} is built in"));
    match model.load() {
        Ok(loaded) => loaded.model,
        Err(error) => panic!("{name}: {error}"),
    }
}

/// A state away from rest, the same each time.
fn moved(model: &Model) -> Data {
    let mut data = Data::new(model);
    let velocity: Vec<f64> = (0..model.nv).map(number).collect();
    integrate_position(model, &mut data.state.qpos, &velocity, 1.0).expect("fits");
    for k in 0..model.nv {
        data.state.qvel[k] = 2.0 * number(k + 31);
        data.input.qfrc_applied[k] = number(k + 57);
    }
    for (k, u) in data.input.ctrl.iter_mut().enumerate() {
        *u = number(k + 3);
    }
    for (k, a) in data.state.act.iter_mut().enumerate() {
        *a = 0.5 + 0.5 * number(k);
    }
    for (k, f) in data.input.xfrc_applied.iter_mut().enumerate().skip(1) {
        *f = [number(k), 0.1, number(k + 1), 0.0, number(k + 2), 0.2];
    }
    data.forward(model).expect("its own model");
    data
}

const NAMES: [&str; 5] = ["humanoid", "quadruped", "arm_actuators", "drone", "finger"];

#[test]
fn the_inertia_is_the_same_whole_in_halves_and_in_its_older_layout() {
    for name in NAMES {
        let model = load(name);
        let data = moved(&model);
        let (nv, inertia) = (model.nv, &data.position.inertia);
        let (mut dense, mut expanded) = (vec![0.0; nv * nv], vec![1.0; nv * nv]);
        data.inertia_matrix(&model, &mut dense).expect("fits");
        expand_inertia(&model, &inertia.qM, &mut expanded).expect("fits");
        assert_eq!(dense, expanded, "{name}");

        let x: Vec<f64> = (0..nv).map(number).collect();
        let (mut product, mut half) = (vec![0.0; nv], vec![0.0; nv]);
        data.multiply_inertia(&model, &x, &mut product)
            .expect("fits");
        data.half_multiply_inertia(&model, &x, &mut half)
            .expect("fits");
        let square = |v: &[f64]| v.iter().map(|x| x * x).sum::<f64>();
        let energy: f64 = x.iter().zip(&product).map(|(x, y)| x * y).sum();
        assert!((square(&half) - energy).abs() < 1e-12 * energy, "{name}");

        let roots: Vec<f64> = inertia.qLDiagInv.iter().map(|d| d.sqrt()).collect();
        data.half_solve_inertia(&model, &roots, &mut product)
            .expect("fits");
        assert!((square(&product) - energy).abs() < 1e-10 * energy, "{name}");
    }
}

#[test]
fn frames_of_bodies_are_those_of_their_geoms() {
    for name in NAMES {
        let model = load(name);
        let data = moved(&model);
        for geom in 0..model.ngeom {
            let same = SameFrame::from_code(model.geom_sameframe[geom].into()).expect("compiled");
            let body = model.geom_bodyid[geom] as usize;
            let local = (model.geom_pos[geom], model.geom_quat[geom]);
            let (pos, mat) = data
                .frame_of_body(&model, body, local, same)
                .expect("a body");
            let kinematics = &data.position.kinematics;
            assert_eq!(pos, kinematics.geom_xpos[geom], "{name}, geom {geom}");
            assert_eq!(mat, kinematics.geom_xmat[geom], "{name}, geom {geom}");
        }
    }
}

#[test]
fn normalized_positions_are_positions() {
    for name in NAMES {
        let model = load(name);
        let data = moved(&model);
        let mut qpos = data.state.qpos.clone();
        normalize_position(&model, &mut qpos).expect("fits");
        let mut difference = vec![0.0; model.nv];
        differentiate_position(&model, &mut difference, 1.0, &data.state.qpos, &qpos)
            .expect("fits");
        assert!(difference.iter().all(|x| x.abs() < 1e-14), "{name}");
        if model.jnt_type[0] == 0 {
            qpos[3..7].fill(3.0);
            normalize_position(&model, &mut qpos).expect("fits");
            assert!(qpos[3..7].iter().all(|&x| (x - 0.5).abs() < 1e-15));
        }
    }
    let model = load("humanoid");
    assert!(matches!(
        normalize_position(&model, &mut [0.0]),
        Err(CallError::Length { .. })
    ));
}

#[test]
fn jacobian_times_velocity_is_the_velocity_of_the_point() {
    for name in NAMES {
        let model = load(name);
        let data = moved(&model);
        let (mut jacp, mut jacr) = (vec![0.0; 3 * model.nv], vec![0.0; 3 * model.nv]);
        for body in 1..model.nbody {
            let point = data.position.kinematics.xipos[body];
            data.jacobian(&model, body, point, &mut jacp, &mut jacr)
                .expect("fits");
            let expected = data
                .object_velocity(&model, ObjectType::Body, body, Axes::World)
                .expect("bodies have frames");
            for k in 0..3 {
                let row = |jac: &[f64]| -> f64 {
                    (0..model.nv)
                        .map(|i| jac[k * model.nv + i] * data.state.qvel[i])
                        .sum()
                };
                assert!((row(&jacr) - expected[k]).abs() < 1e-12);
                assert!((row(&jacp) - expected[k + 3]).abs() < 1e-12);
            }
        }
    }
}

#[test]
fn jacobian_of_the_subtree_gives_its_velocity() {
    let model = load("humanoid");
    let mut data = moved(&model);
    Engine::new(&model)
        .subtree_momentum(&mut data)
        .expect("its own model");
    let mut jacp = vec![0.0; 3 * model.nv];
    for body in 0..model.nbody {
        data.subtree_com_jacobian(&model, body, &mut jacp)
            .expect("fits");
        let expected = data.velocity.momentum.subtree_linvel[body];
        for k in 0..3 {
            let product: f64 = (0..model.nv)
                .map(|i| jacp[k * model.nv + i] * data.state.qvel[i])
                .sum();
            assert!((product - expected[k]).abs() < 1e-12);
        }
    }
}

#[test]
fn jacobian_rate_is_the_slope_of_the_jacobian() {
    let model = load("humanoid");
    let data = moved(&model);
    let size = 3 * model.nv;
    let body = model.nbody - 1;
    let local = Vec3([0.1, -0.2, 0.3]);
    let at = |step: f64| {
        let mut other = data.clone();
        let velocity = data.state.qvel.clone();
        integrate_position(&model, &mut other.state.qpos, &velocity, step).expect("fits");
        Engine::new(&model)
            .forward_position(&mut other)
            .expect("its own model");
        let point = other.point_of_body(&model, body, local).expect("a body");
        let (mut jacp, mut jacr) = (vec![0.0; size], vec![0.0; size]);
        other
            .jacobian(&model, body, point, &mut jacp, &mut jacr)
            .expect("fits");
        (jacp, jacr)
    };
    let h = 1e-6;
    let (ahead, behind) = (at(h), at(-h));
    let (mut ratep, mut rater) = (vec![0.0; size], vec![0.0; size]);
    let point = data.point_of_body(&model, body, local).expect("a body");
    data.jacobian_rate(&model, body, point, &mut ratep, &mut rater)
        .expect("fits");
    for k in 0..size {
        assert!(((ahead.0[k] - behind.0[k]) / (2.0 * h) - ratep[k]).abs() < 1e-7);
        assert!(((ahead.1[k] - behind.1[k]) / (2.0 * h) - rater[k]).abs() < 1e-7);
    }
}

#[test]
fn inverse_dynamics_gives_back_the_forces() {
    const CONSTRAINT: i32 = 1;
    for name in NAMES {
        for constrained in [false, true] {
            let mut model = load(name);
            if !constrained {
                model.opt.disableflags |= CONSTRAINT;
            } else {
                model.opt.tolerance = 0.0;
                model.opt.ls_tolerance = 1e-12;
            }
            let mut data = moved(&model);
            let mut expected = data.input.qfrc_applied.clone();
            for i in 0..model.nv {
                expected[i] += data.acceleration.actuation.qfrc_actuator[i];
            }
            for body in 1..model.nbody {
                let [fx, fy, fz, tx, ty, tz] = data.input.xfrc_applied[body];
                let point = data.position.kinematics.xipos[body];
                let (force, torque) = (Vec3([fx, fy, fz]), Vec3([tx, ty, tz]));
                data.apply_force(&model, body, point, force, torque, &mut expected)
                    .expect("fits");
            }
            data.inverse(&model).expect("its own model");
            let scale = expected.iter().fold(1.0f64, |a, f| a.max(f.abs()));
            let constraint = &data.acceleration.solution.qfrc_constraint;
            let scale = constraint.iter().fold(scale, |a, f| a.max(f.abs()));
            for i in 0..model.nv {
                let difference = (data.inverse.qfrc_inverse[i] - expected[i]).abs();
                assert!(difference < 1e-7 * scale, "{name} {i}: {difference:e}");
            }
        }
    }
}

#[test]
fn discrete_inverse_dynamics_undoes_a_step() {
    const CONSTRAINT: i32 = 1;
    const DISCRETE: i32 = 8;
    for name in ["arm_actuators", "humanoid"] {
        for integrator in [0, 2, 3] {
            let mut model = load(name);
            model.opt.disableflags |= CONSTRAINT;
            model.opt.enableflags |= DISCRETE;
            model.opt.integrator = integrator;
            let start = moved(&model);
            let mut expected = start.acceleration.smooth.qfrc_smooth.clone();
            for i in 0..model.nv {
                expected[i] += start.velocity.bias.qfrc_bias[i];
                expected[i] -= start.velocity.passive.qfrc_passive[i];
            }
            let mut next = start.clone();
            next.step(&model).expect("a finite step");
            let mut data = start.clone();
            for i in 0..model.nv {
                data.acceleration.solution.qacc[i] =
                    (next.state.qvel[i] - start.state.qvel[i]) / model.opt.timestep;
            }
            data.inverse(&model).expect("its own model");
            let scale = expected.iter().fold(1.0f64, |a, f| a.max(f.abs()));
            for i in 0..model.nv {
                let difference = (data.inverse.qfrc_inverse[i] - expected[i]).abs();
                assert!(
                    difference < 1e-7 * scale,
                    "{name} {integrator} {i}: {difference:e}"
                );
            }
        }
    }
}

#[test]
fn position_difference_inverts_integration() {
    for name in NAMES {
        let model = load(name);
        let data = moved(&model);
        let mut qpos = data.state.qpos.clone();
        integrate_position(&model, &mut qpos, &data.state.qvel, 0.1).expect("fits");
        let mut velocity = vec![0.0; model.nv];
        differentiate_position(&model, &mut velocity, 0.1, &data.state.qpos, &qpos).expect("fits");
        for i in 0..model.nv {
            assert!((velocity[i] - data.state.qvel[i]).abs() < 1e-12);
        }
    }
}

#[test]
fn state_vectors_go_round() {
    let model = load("sensor_zoo");
    let mut data = Data::new(&model);
    for _ in 0..10 {
        data.step(&model).expect("a finite step");
    }
    let all = StateComponent::Integration.code();
    let size = state_size(&model, all).expect("known components");
    let mut vector = vec![0.0; size];
    data.get_state(&model, all, &mut vector).expect("fits");
    let mut other = Data::new(&model);
    other.set_state(&model, all, &vector).expect("fits");
    assert_eq!(other.state.qpos, data.state.qpos);
    assert_eq!(other.state.history, data.state.history);
    assert_eq!(other.state.time, data.state.time);
    assert_eq!(other.input.eq_active, data.input.eq_active);

    let physics = StateComponent::Physics.code();
    let mut part = vec![0.0; state_size(&model, physics).expect("known components")];
    extract_state(&model, &vector, all, &mut part, physics).expect("contained");
    assert_eq!(part[..model.nq], data.state.qpos);

    let mut copy = Data::new(&model);
    copy.copy_state(&data, all).expect("known components");
    assert_eq!(copy.state.qvel, data.state.qvel);
    let error = data.get_state(&model, all, &mut [0.0]);
    assert_eq!(
        error,
        Err(StateError::Length {
            expected: size,
            found: 1
        })
    );
    assert!(state_size(&model, 1 << 20).is_err());
}

#[test]
fn arguments_that_do_not_fit_are_refused() {
    let model = load("quadruped");
    let other = load("pendulum");
    let mut data = moved(&model);
    let nv = model.nv;
    let (mut long, mut short) = (vec![7.0; 3 * nv], vec![7.0; 3 * nv - 1]);
    let point = Vec3([0.0; 3]);
    let no_body = CallError::Index {
        what: "body",
        index: 99,
        count: model.nbody,
    };
    let length = |what: &'static str, expected: usize, found: usize| CallError::Length {
        what,
        expected,
        found,
    };
    let mut jacobian = |model: &Model, body: usize, is_short: bool| {
        let mut jacr = vec![0.0; 3 * nv];
        let jacp = if is_short { &mut short } else { &mut long };
        let found = data.jacobian(model, body, point, jacp, &mut jacr);
        assert_eq!(
            found,
            data.jacobian_rate(model, body, point, jacp, &mut jacr)
        );
        assert_eq!(found, data.subtree_com_jacobian(model, body, jacp));
        assert!(jacp.iter().all(|&x| x == 7.0), "unchanged");
        found
    };
    assert_eq!(jacobian(&model, 99, false), Err(no_body));
    assert_eq!(
        jacobian(&model, 1, true),
        Err(length("jacp", 3 * nv, 3 * nv - 1))
    );
    assert_eq!(jacobian(&other, 1, false), Err(CallError::ForeignModel));

    for (kind, what, count) in [
        (ObjectType::Body, "body", model.nbody),
        (ObjectType::Xbody, "body", model.nbody),
        (ObjectType::Geom, "geom", model.ngeom),
        (ObjectType::Site, "site", model.nsite),
        (ObjectType::Camera, "camera", model.ncam),
    ] {
        let (index, error) = (
            count,
            Err(CallError::Index {
                what,
                index: count,
                count,
            }),
        );
        assert_eq!(
            data.object_velocity(&model, kind, index, Axes::World),
            error
        );
        assert_eq!(
            data.object_acceleration(&model, kind, index, Axes::Local),
            error
        );
    }
    let joint = data.object_velocity(&model, ObjectType::Joint, 0, Axes::World);
    assert_eq!(joint, Err(CallError::NoFrame));

    let mut force = vec![0.0; nv + 1];
    let applied = data.apply_force(&model, 1, point, point, point, &mut force);
    assert_eq!(applied, Err(length("qfrc", nv, nv + 1)));
    let applied = data.apply_force(&model, 99, point, point, point, &mut force[..nv]);
    assert_eq!(applied, Err(no_body));

    let mut qpos = model.qpos0.clone();
    let velocity = vec![0.0; nv + 1];
    let found = integrate_position(&model, &mut qpos, &velocity, 1.0);
    assert_eq!(found, Err(length("qvel", nv, nv + 1)));
    let found = integrate_position(&model, &mut qpos[1..], &velocity[1..], 1.0);
    assert_eq!(found, Err(length("qpos", model.nq, model.nq - 1)));
    let found = differentiate_position(&model, &mut force, 1.0, &qpos, &qpos);
    assert_eq!(found, Err(length("qvel", nv, nv + 1)));

    let before = data.state.qpos.clone();
    let no_key = Err(CallError::Index {
        what: "keyframe",
        index: 99,
        count: model.nkey,
    });
    assert_eq!(data.reset_to_keyframe(&model, 99), no_key);
    assert_eq!(
        data.reset_to_keyframe(&other, 0),
        Err(CallError::ForeignModel)
    );
    assert_eq!(data.state.qpos, before);

    let all = StateComponent::Integration.code();
    let mut vector = vec![0.0; state_size(&other, all).expect("known components")];
    assert_eq!(
        data.get_state(&other, all, &mut vector),
        Err(StateError::Foreign)
    );
    assert_eq!(
        data.set_state(&other, all, &vector),
        Err(StateError::Foreign)
    );
    assert_eq!(
        data.copy_state(&Data::new(&other), all),
        Err(StateError::Foreign)
    );
    assert_eq!(data.state.qpos, before);
}

#[test]
fn the_matrix_of_angular_momentum_gives_it() {
    for name in NAMES {
        let model = load(name);
        let mut data = moved(&model);
        Engine::new(&model)
            .subtree_momentum(&mut data)
            .expect("its own model");
        let mut matrix = vec![0.0; 3 * model.nv];
        for body in 0..model.nbody {
            data.angular_momentum_matrix(&model, body, &mut matrix)
                .expect("fits");
            let expected = data.velocity.momentum.subtree_angmom[body];
            for k in 0..3 {
                let product: f64 = (0..model.nv)
                    .map(|i| matrix[k * model.nv + i] * data.state.qvel[i])
                    .sum();
                assert!((product - expected[k]).abs() < 1e-11 * (1.0 + expected[k].abs()));
            }
        }
        let error = data.angular_momentum_matrix(&model, 0, &mut matrix[1..]);
        assert!(matches!(error, Err(CallError::Length { .. })));
    }
}

#[test]
fn an_axis_moves_with_its_body() {
    let model = load("humanoid");
    let data = moved(&model);
    let size = 3 * model.nv;
    let body = model.nbody - 1;
    let (local_point, local_axis) = (Vec3([0.1, -0.2, 0.3]), Vec3([0.6, 0.0, 0.8]));
    let at = |step: f64| {
        let mut other = data.clone();
        integrate_position(&model, &mut other.state.qpos, &data.state.qvel, step).expect("fits");
        Engine::new(&model)
            .forward_position(&mut other)
            .expect("its own model");
        let point = other.point_of_body(&model, body, local_point);
        let axes = &other.position.kinematics.xmat;
        (point.expect("a body"), axes[body] * local_axis)
    };
    let (mut point_rows, mut axis_rows) = (vec![0.0; size], vec![0.0; size]);
    data.point_axis_jacobian(&model, body, at(0.0), &mut point_rows, &mut axis_rows)
        .expect("fits");
    let h = 1e-6;
    let (ahead, behind) = (at(h), at(-h));
    for k in 0..3 {
        let times_velocity = |rows: &[f64]| -> f64 {
            (0..model.nv)
                .map(|i| rows[k * model.nv + i] * data.state.qvel[i])
                .sum()
        };
        let slope = (ahead.0[k] - behind.0[k]) / (2.0 * h);
        assert!((times_velocity(&point_rows) - slope).abs() < 1e-7);
        let slope = (ahead.1[k] - behind.1[k]) / (2.0 * h);
        assert!((times_velocity(&axis_rows) - slope).abs() < 1e-7);
    }
}
