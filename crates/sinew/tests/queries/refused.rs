//! Calls whose arguments do not fit together: a typed error, and nothing is changed.

use crate::open;
use sinew::collision::ray::Ray;
use sinew::engine::derivative::inverse_difference::{ActuatorForce, InverseDerivative};
use sinew::engine::derivative::transition::Transition;
use sinew::engine::derivative::{BiasTerm, Difference};
use sinew::engine::position::contact::Contact;
use sinew::engine::query::Axes;
use sinew::engine::ray::RayFilter;
use sinew::engine::state_vector::state_size;
use sinew::engine::{Data, Engine, NewtonEuler, Sensors};
use sinew::math::Vec3;
use sinew::model::Model;
use sinew::model::kinds::{Integrator, ObjectType, Stage, StateComponent};

type Call = fn(&mut Data, &Model) -> Result<(), String>;

/// One row: the call's name and what it answers, as text.
macro_rules! calls {
    ($( $name:ident => |$data:ident, $model:ident| $call:expr; )*) => {
        [ $( (stringify!($name), (|$data: &mut Data, $model: &Model| {
            $call.map(|_| ()).map_err(|error| error.to_string())
        }) as Call), )* ]
    };
}

const ALL: i32 = StateComponent::Integration.code();
const POINT: Vec3 = Vec3([0.1, 0.2, 0.3]);

/// Every public call that takes a simulation and its model, with arguments that fit the model.
fn every_call() -> Vec<(&'static str, Call)> {
    let stages = calls! {
        step => |d, m| d.step(m);
        step1 => |d, m| d.step1(m);
        step2 => |d, m| d.step2(m);
        forward => |d, m| d.forward(m);
        forward_from => |d, m| Engine::new(m).forward_from(d, Stage::Pos, Sensors::Skipped);
        forward_position => |d, m| Engine::new(m).forward_position(d);
        forward_velocity => |d, m| Engine::new(m).forward_velocity(d);
        forward_acceleration => |d, m| Engine::new(m).forward_acceleration(d);
        inverse => |d, m| d.inverse(m);
        inverse_from => |d, m| Engine::new(m).inverse_from(d, Stage::Vel, Sensors::Computed);
        inverse_position => |d, m| Engine::new(m).inverse_position(d);
        inverse_constraints => |d, m| Engine::new(m).inverse_constraints(d);
        check_inverse => |d, m| d.check_inverse(m);
        compare_forward_inverse => |d, m| Engine::new(m).compare_forward_inverse(d);
        reset => |d, m| d.reset(m);
        check_position => |d, m| Engine::new(m).check_position(d);
        check_velocity => |d, m| Engine::new(m).check_velocity(d);
        check_acceleration => |d, m| Engine::new(m).check_acceleration(d);
        forward_kinematics => |d, m| Engine::new(m).forward_kinematics(d);
        compute_kinematics => |d, m| Engine::new(m).compute_kinematics(d);
        compute_com => |d, m| Engine::new(m).compute_com(d);
        compute_view => |d, m| Engine::new(m).compute_view(d);
        compute_tendon => |d, m| Engine::new(m).compute_tendon(d);
        compute_inertia => |d, m| Engine::new(m).compute_inertia(d);
        compute_body_inertia => |d, m| Engine::new(m).compute_body_inertia(d);
        factor_inertia => |d, m| Engine::new(m).factor_inertia(d);
        compute_contacts => |d, m| Engine::new(m).compute_contacts(d);
        compute_constraints => |d, m| Engine::new(m).compute_constraints(d);
        compute_islands => |d, m| Engine::new(m).compute_islands(d);
        compute_transmission => |d, m| Engine::new(m).compute_transmission(d);
        compute_actuation => |d, m| Engine::new(m).compute_actuation(d);
        compute_smooth_acceleration => |d, m| Engine::new(m).compute_smooth_acceleration(d);
        solve_constraints => |d, m| Engine::new(m).solve_constraints(d);
        compute_length_velocity => |d, m| Engine::new(m).compute_length_velocity(d);
        compute_com_velocity => |d, m| Engine::new(m).compute_com_velocity(d);
        compute_passive => |d, m| Engine::new(m).compute_passive(d);
        compute_reference => |d, m| Engine::new(m).compute_reference(d);
        compute_sensors => |d, m| Engine::new(m).compute_sensors(d, Stage::Pos);
        compute_potential_energy => |d, m| Engine::new(m).compute_potential_energy(d);
        compute_kinetic_energy => |d, m| Engine::new(m).compute_kinetic_energy(d);
        integrate => |d, m| Engine::new(m).integrate(d, Integrator::Rk4);
        subtree_momentum => |d, m| Engine::new(m).subtree_momentum(d);
        body_forces => |d, m| Engine::new(m).body_forces(d);
        velocity_derivative => |d, m| Engine::new(m).velocity_derivative(d, BiasTerm::Included);
    };
    let queries = calls! {
        newton_euler => |d, m| d.newton_euler(m, NewtonEuler::Bias, &mut vec![0.0; m.nv]);
        update_constraints => |d, m| {
            let residual = vec![0.0; d.position.constraints.nefc()];
            d.update_constraints(m, &residual)
        };
        get_state => |d, m| d.get_state(m, ALL, &mut vec![0.0; state_size(m, ALL).expect("known")]);
        set_state => |d, m| d.set_state(m, ALL, &vec![0.0; state_size(m, ALL).expect("known")]);
        frame => |d, m| d.frame(m, ObjectType::Body, 0);
        jacobian => |d, m| {
            let (mut p, mut r) = (vec![0.0; 3 * m.nv], vec![0.0; 3 * m.nv]);
            d.jacobian(m, 0, POINT, &mut p, &mut r)
        };
        jacobian_rate => |d, m| {
            let (mut p, mut r) = (vec![0.0; 3 * m.nv], vec![0.0; 3 * m.nv]);
            d.jacobian_rate(m, 0, POINT, &mut p, &mut r)
        };
        point_axis_jacobian => |d, m| {
            let (mut p, mut r) = (vec![0.0; 3 * m.nv], vec![0.0; 3 * m.nv]);
            d.point_axis_jacobian(m, 0, (POINT, POINT), &mut p, &mut r)
        };
        subtree_com_jacobian => |d, m| d.subtree_com_jacobian(m, 0, &mut vec![0.0; 3 * m.nv]);
        angular_momentum_matrix => |d, m| {
            d.angular_momentum_matrix(m, 0, &mut vec![0.0; 3 * m.nv])
        };
        object_velocity => |d, m| d.object_velocity(m, ObjectType::Body, 0, Axes::World);
        object_acceleration => |d, m| d.object_acceleration(m, ObjectType::Body, 0, Axes::World);
        apply_force => |d, m| d.apply_force(m, 0, POINT, POINT, POINT, &mut vec![0.0; m.nv]);
        multiply_inertia => |d, m| {
            d.multiply_inertia(m, &vec![1.0; m.nv], &mut vec![0.0; m.nv])
        };
        solve_inertia => |d, m| d.solve_inertia(m, &mut vec![1.0; m.nv]);
        inertia_matrix => |d, m| d.inertia_matrix(m, &mut vec![0.0; m.nv * m.nv]);
        geom_distance => |d, m| d.geom_distance(m, 0, 0, 1.0);
        cast_ray => |d, m| {
            let ray = Ray { origin: POINT, direction: POINT };
            d.cast_ray(m, &ray, &RayFilter::default())
        };
        cast_rays => |d, m| {
            d.cast_rays(m, POINT, &[POINT], &RayFilter::default(), 1e9, &mut [None])
        };
        transition => |d, m| {
            let difference = Difference { eps: 1e-6, is_centered: false };
            Engine::new(m).transition(d, difference, Sensors::Skipped, &mut Transition::default())
        };
        inverse_derivative => |d, m| {
            let mut out = InverseDerivative::default();
            Engine::new(m).inverse_derivative(d, 1e-6, ActuatorForce::Ignored, Sensors::Skipped, &mut out)
        };
    };
    stages.into_iter().chain(queries).collect()
}

/// All numbers of a simulation.
fn bytes(data: &Data) -> Vec<u8> {
    let mut all = data.state.time.to_bits().to_le_bytes().to_vec();
    for column in data.columns() {
        all.extend(column.bytes);
    }
    all
}

#[test]
fn the_calls_are_good_with_their_own_model() {
    let model = open("humanoid");
    for (name, call) in every_call() {
        let mut data = Data::new(&model);
        data.forward(&model).expect("its own model");
        assert_eq!(call(&mut data, &model), Ok(()), "{name}");
    }
}

#[test]
fn a_foreign_model_is_refused_and_nothing_is_changed() {
    let model = open("finger");
    for foreign in ["humanoid", "cartpole", "sensor_zoo"].map(open) {
        for (name, call) in every_call() {
            let mut data = Data::new(&model);
            data.forward(&model).expect("its own model");
            let before = bytes(&data);
            let error = call(&mut data, &foreign).expect_err(name);
            let is_told = error.contains("another structure") || error.contains("do not belong");
            assert!(is_told, "{name}: {error}");
            assert!(bytes(&data) == before, "{name} changed something");
            assert_eq!(data.step(&model), Ok(()), "{name}");
        }
    }
    let mut data = Data::new(&model);
    let foreign = Data::new(&open("cartpole"));
    assert!(data.copy_from(&foreign).is_err());
    assert!(data.copy_state(&foreign, ALL).is_err());
}

/// Arrays of state and input are plain vectors: a wrong length is found before anything happens.
#[test]
fn arrays_of_another_length_are_refused_by_name() {
    let model = open("humanoid");
    type Spoil = fn(&mut Data);
    let spoils: [(&str, Spoil); 5] = [
        ("qpos", |d| d.state.qpos.truncate(3)),
        ("qvel", |d| d.state.qvel.clear()),
        ("ctrl", |d| d.input.ctrl.push(0.0)),
        ("qfrc_applied", |d| d.input.qfrc_applied = vec![1.0]),
        ("xfrc_applied", |d| d.input.xfrc_applied.truncate(1)),
    ];
    for (what, spoil) in spoils {
        for (name, call) in every_call() {
            let mut data = Data::new(&model);
            data.forward(&model).expect("its own model");
            spoil(&mut data);
            let before = bytes(&data);
            let error = call(&mut data, &model).expect_err(name);
            let is_told = error.starts_with(what) || error.contains("do not belong");
            assert!(is_told, "{name}: {error}");
            assert!(bytes(&data) == before, "{name} changed something");
        }
    }
}

/// Options are numbers that anybody may set.
#[test]
fn options_without_meaning_are_refused_by_name() {
    type Set = fn(&mut Model);
    let settings: [(&str, Set); 8] = [
        ("solver", |m| m.opt.solver = 3),
        ("integrator", |m| m.opt.integrator = -1),
        ("cone", |m| m.opt.cone = 2),
        ("iterations", |m| m.opt.iterations = 1_000_001),
        ("ls_iterations", |m| m.opt.ls_iterations = i32::MAX),
        ("noslip_iterations", |m| m.opt.noslip_iterations = i32::MAX),
        ("ccd_iterations", |m| m.opt.ccd_iterations = i32::MAX),
        ("time step", |m| m.opt.timestep = 0.0),
    ];
    let original = open("humanoid");
    for (name, set) in settings {
        let mut model = original.clone();
        set(&mut model);
        let mut data = Data::new(&original);
        data.forward(&original).expect("its own model");
        let before = bytes(&data);
        let mut errors = vec![
            data.step(&model).expect_err(name).to_string(),
            data.step1(&model).expect_err(name).to_string(),
            data.step2(&model).expect_err(name).to_string(),
        ];
        if name != "time step" {
            errors.push(data.forward(&model).expect_err(name).to_string());
            errors.push(data.inverse(&model).expect_err(name).to_string());
            errors.push(
                Engine::new(&model)
                    .solve_constraints(&mut data)
                    .expect_err(name)
                    .to_string(),
            );
        }
        assert!(
            errors.iter().all(|e| e.contains(name)),
            "{name}: {errors:?}"
        );
        assert!(bytes(&data) == before, "{name}");
    }
    // None or fewer iterations than none are as many as none.
    let mut model = original.clone();
    let opt = &mut model.opt;
    (
        opt.iterations,
        opt.ls_iterations,
        opt.noslip_iterations,
        opt.ccd_iterations,
    ) = (-1, -5, -7, i32::MIN);
    let mut data = Data::new(&model);
    for _ in 0..50 {
        let _ = data.step(&model);
    }
}

/// Indices and lengths of every query that takes them.
#[test]
fn wrong_indices_and_lengths_are_refused() {
    let model = open("sensor_zoo");
    let refusals = calls! {
        body => |d, m| d.jacobian(m, m.nbody, POINT, &mut vec![0.0; 3 * m.nv], &mut vec![0.0; 3 * m.nv]);
        jacp => |d, m| d.jacobian(m, 1, POINT, &mut vec![0.0; 3 * m.nv + 1], &mut vec![0.0; 3 * m.nv]);
        jacr => |d, m| d.jacobian(m, 1, POINT, &mut vec![0.0; 3 * m.nv], &mut []);
        body => |d, m| d.jacobian_rate(m, usize::MAX, POINT, &mut vec![0.0; 3 * m.nv], &mut vec![0.0; 3 * m.nv]);
        jacp => |d, m| d.subtree_com_jacobian(m, 0, &mut []);
        jacp => |d, m| d.angular_momentum_matrix(m, 0, &mut [0.0]);
        body => |d, m| d.apply_force(m, m.nbody, POINT, POINT, POINT, &mut vec![0.0; m.nv]);
        qfrc => |d, m| d.apply_force(m, 0, POINT, POINT, POINT, &mut []);
        geom => |d, m| d.geom_distance(m, 0, m.ngeom, 1.0);
        geom => |d, m| d.object_velocity(m, ObjectType::Geom, m.ngeom, Axes::World);
        site => |d, m| d.object_velocity(m, ObjectType::Site, m.nsite, Axes::World);
        camera => |d, m| d.object_velocity(m, ObjectType::Camera, m.ncam, Axes::World);
        body => |d, m| d.object_acceleration(m, ObjectType::Xbody, m.nbody, Axes::Local);
        frame => |d, m| d.frame(m, ObjectType::Tendon, 0);
        contact => |d, m| d.contact_force(m, d.position.contacts.contact.len());
        dimension => |d, m| {
            let contact = Contact { dim: 2, geom: [0, 0], ..Contact::default() };
            d.add_contact(m, contact)
        };
        geom => |d, m| {
            let contact = Contact { dim: 3, geom: [0, -1], ..Contact::default() };
            d.add_contact(m, contact)
        };
        keyframe => |d, m| d.reset_to_keyframe(m, m.nkey);
        actuator => |d, m| d.read_control(m, m.nu, 0.0, None);
        actuator => |d, m| d.moment(m, m.nu);
        body => |d, m| d.point_of_body(m, m.nbody, POINT);
        sensor => |d, m| d.read_sensor(m, m.nsensor, 0.0, None, &mut [0.0]);
        out => |d, m| d.read_sensor(m, 0, 0.0, None, &mut [0.0; 99]);
        actuator => |d, m| d.set_control_history(m, m.nu, None, &[]);
        sensor => |d, m| d.set_sensor_history(m, m.nsensor, None, &[], 0.0);
        out => |d, m| d.newton_euler(m, NewtonEuler::Bias, &mut []);
        residual => |d, m| d.update_constraints(m, &vec![0.0; d.position.constraints.nefc() + 1]);
        x => |d, m| d.multiply_inertia(m, &[], &mut vec![0.0; m.nv]);
        out => |d, m| d.multiply_inertia(m, &vec![0.0; m.nv], &mut []);
        x => |d, m| d.solve_inertia(m, &mut [1.0]);
        out => |d, m| d.inertia_matrix(m, &mut vec![0.0; m.nv]);
        out => |d, m| d.cast_rays(m, POINT, &[POINT], &RayFilter::default(), 1.0, &mut []);
        vector => |d, m| d.get_state(m, ALL, &mut []);
        vector => |d, m| d.set_state(m, ALL, &[0.0]);
        component => |d, m| d.get_state(m, 1 << 20, &mut []);
    };
    let mut data = Data::new(&model);
    data.forward(&model).expect("its own model");
    for (word, call) in refusals {
        let before = bytes(&data);
        let error = call(&mut data, &model).expect_err(word);
        assert!(error.contains(word), "{word}: {error}");
        assert!(bytes(&data) == before, "{word}: {error}");
    }
    assert_eq!(data.step(&model), Ok(()));
}
