//! Stepping, resetting and reading do not touch the heap once they are warm; bad input uses little of
//! it.

mod attacks;
mod budget;
mod counting;
mod crowds;
mod flexes;

use counting::allocations;
use sinew::batch::Batch;
use sinew::collision::ray::Ray;
use sinew::engine::derivative::BiasTerm;
use sinew::engine::query::Axes;
use sinew::engine::ray::RayFilter;
use sinew::engine::state_vector::state_size;
use sinew::engine::{Control, Data, Engine, NewtonEuler, Sensors};
use sinew::math::Vec3;
use sinew::math::dense::{cholesky_factor, cholesky_solve};
use sinew::model::Model;
use sinew::model::kinds::{EnableFlag, ObjectType, Stage, StateComponent};
use sinew::models;

fn load(name: &str) -> Model {
    let model = models::get(name).unwrap_or_else(|| panic!("{name} is built in"));
    match model.load() {
        Ok(loaded) => loaded.model,
        Err(error) => panic!("{name}: {error}"),
    }
}

/// Allocations of `steps` steps after `warm` steps.
fn allocations_of_steps(model: &Model, warm: usize, steps: usize) -> usize {
    let mut data = Data::new(model);
    let mut control = 0.0;
    let mut step = |data: &mut Data| {
        control += 0.01;
        for (i, u) in data.input.ctrl.iter_mut().enumerate() {
            *u = 0.2 * wiggle(control + i as f64);
        }
        // Divergence resets the state, which must not allocate either.
        let _ = data.step(model);
    };
    for _ in 0..warm {
        step(&mut data);
    }
    let before = allocations();
    for _ in 0..steps {
        step(&mut data);
    }
    allocations() - before
}

/// A sine good enough to wiggle controls.
fn wiggle(x: f64) -> f64 {
    let x = x % std::f64::consts::TAU - std::f64::consts::PI;
    x - x * x * x / 6.0 + x * x * x * x * x / 120.0
}

const CONSTRAINT: i32 = 1;

#[test]
fn warm_steps_without_constraints_do_not_allocate() {
    let names = [
        "pendulum",
        "double_pendulum",
        "cartpole",
        "arm_actuators",
        "quadruped",
        "humanoid",
        "finger",
        "muscle_arm",
        "drone",
        "swimmer",
        "sensor_zoo",
    ];
    for name in names {
        let mut model = load(name);
        model.opt.disableflags |= CONSTRAINT;
        for integrator in 0..4 {
            model.opt.integrator = integrator;
            let count = allocations_of_steps(&model, 20, 2500);
            assert_eq!(count, 0, "{name}, integrator {integrator}");
        }
    }
}

/// Moves a simulation through an episode: controls wiggle, a body is pushed now and then, so that
/// contacts come and go.
fn episode(model: &Model, data: &mut Data, steps: usize) -> usize {
    let mut contacts = 0;
    for step in 0..steps {
        let phase = 0.01 * step as f64;
        for (i, u) in data.input.ctrl.iter_mut().enumerate() {
            *u = 0.5 * wiggle(phase * (1.0 + 0.1 * i as f64));
        }
        if model.nbody > 1 {
            let body = 1 + step / 200 % (model.nbody - 1);
            data.input.xfrc_applied.fill([0.0; 6]);
            let push = if step % 200 < 20 { 20.0 } else { 0.0 };
            data.input.xfrc_applied[body][step % 3] = push * model.body_mass[body];
        }
        let _ = data.step(model);
        contacts = contacts.max(data.position.contacts.contact.len());
    }
    contacts
}

/// Models with everything on: contacts, friction, limits, equalities, sensors, delays.
const MODELS: [&str; 11] = [
    "humanoid",
    "quadruped",
    "finger",
    "mechanism",
    "sensor_zoo",
    "muscle_arm",
    "arm_actuators",
    "drone",
    "swimmer",
    "cartpole",
    "terrain",
];

#[test]
fn warm_steps_with_everything_on_do_not_allocate() {
    for name in MODELS {
        let model = load(name);
        let mut data = Data::new(&model);
        // The first pass takes storage to its high-water mark.
        let contacts = episode(&model, &mut data, 10_000);
        data.reset(&model).expect("its own model");
        let before = allocations();
        assert_eq!(episode(&model, &mut data, 10_000), contacts, "{name}");
        assert_eq!(allocations() - before, 0, "{name}");
    }
}

#[test]
fn warm_steps_of_every_solver_do_not_allocate() {
    for name in ["humanoid", "quadruped", "mechanism", "box_pile"] {
        let mut model = load(name);
        for (solver, cone) in [(0, 0), (0, 1), (1, 0), (1, 1), (2, 0), (2, 1)] {
            (model.opt.solver, model.opt.cone) = (solver, cone);
            model.opt.noslip_iterations = 3;
            for integrator in 0..4 {
                model.opt.integrator = integrator;
                let mut data = Data::new(&model);
                episode(&model, &mut data, 40);
                data.reset(&model).expect("its own model");
                let before = allocations();
                episode(&model, &mut data, 40);
                let count = allocations() - before;
                assert_eq!(count, 0, "{name} {solver} {cone} {integrator}");
            }
        }
    }
}

#[test]
fn resets_readings_and_queries_do_not_allocate() {
    for name in MODELS {
        let model = load(name);
        let mut data = Data::new(&model);
        let all = StateComponent::Integration.code();
        let size = state_size(&model, all).expect("known components");
        let mut saved = vec![0.0; size];
        let (mut jacp, mut jacr) = (vec![0.0; 3 * model.nv], vec![0.0; 3 * model.nv]);
        let mut other = Data::new(&model);
        let mut round = |data: &mut Data| -> f64 {
            data.reset(&model).expect("its own model");
            episode(&model, data, 20);
            data.get_state(&model, all, &mut saved).expect("fits");
            data.reset(&model).expect("its own model");
            for key in 0..model.nkey {
                data.reset_to_keyframe(&model, key).expect("a keyframe");
                data.forward(&model).expect("its own model");
            }
            data.set_state(&model, all, &saved).expect("fits");
            other.copy_state(data, all).expect("fits");
            data.forward(&model).expect("its own model");
            let readings: f64 = data.sensor.sensordata.iter().sum();
            data.inverse(&model).expect("its own model");
            Engine::new(&model)
                .subtree_momentum(data)
                .expect("its own model");
            Engine::new(&model)
                .body_forces(data)
                .expect("its own model");
            for body in 0..model.nbody {
                let point = data.position.kinematics.xipos[body];
                data.jacobian(&model, body, point, &mut jacp, &mut jacr)
                    .expect("fits");
                data.object_velocity(&model, ObjectType::Body, body, Axes::Local)
                    .expect("a body");
            }
            Engine::new(&model)
                .velocity_derivative(data, BiasTerm::Included)
                .expect("its own model");
            readings
        };
        round(&mut data);
        round(&mut data);
        let before = allocations();
        let readings = round(&mut data);
        assert_eq!(allocations() - before, 0, "{name}");
        assert!(readings.is_finite(), "{name}");
    }
}

/// Allocations of a batch's first steps, and of as many after them.
fn allocations_of_a_batch(name: &str, threads: usize, steps: usize) -> [usize; 2] {
    let derived = ["xpos", "cfrc_ext", "subtree_linvel"];
    let mut batch = Batch::with(load(name), 70, threads, &derived).expect("fits");
    let reward = |_: &Model, data: &Data| data.state.qpos[0];
    [(); 2].map(|()| {
        let before = allocations();
        for _ in 0..steps {
            batch.step(1, &reward);
            batch.forward();
        }
        allocations() - before
    })
}

#[test]
fn warm_steps_of_a_batch_do_not_allocate() {
    for name in ["quadruped", "box_pile"] {
        let [first, second] = allocations_of_a_batch(name, 1, 240);
        assert!(first > 0, "{name}");
        assert_eq!(second, 0, "{name}");
        // Which thread gets a world is chance, so it may be late that one of them meets the most contacts. But none
        // allocates more than to become warm once, however many steps there are.
        let threads = 3;
        let all: usize = allocations_of_a_batch(name, threads, 240).iter().sum();
        assert!(all <= 2 * threads * first, "{name}: {all}, alone {first}");
    }
}

/// The same worlds go through the same steps twice, with values of their own and without.
#[test]
fn warm_steps_side_by_side_do_not_allocate() {
    for name in ["quadruped", "humanoid"] {
        for own in [&[][..], &["body_mass", "geom_friction", "opt.gravity"]] {
            let mut batch = Batch::with(load(name), 70, 1, &["xpos", "cfrc_ext"]).expect("fits");
            for value in own {
                batch.expand(value).expect("a value");
            }
            let start = batch.save();
            let [first, second] = [(); 2].map(|()| {
                batch.restore(&start).expect("its own");
                let before = allocations();
                for step in 0..120 {
                    let controls = batch.get_mut("ctrl").expect("kept").iter_mut();
                    controls.for_each(|x| *x = f64::from(step % 7) * 0.1);
                    batch.step(2, &());
                }
                allocations() - before
            });
            assert!(first > 0, "{name} {own:?}");
            assert_eq!(second, 0, "{name} {own:?}");
        }
    }
}

/// Split steps, stages on their own, forward and inverse dynamics that skip what is current.
#[test]
fn parts_of_a_step_do_not_allocate() {
    for name in MODELS {
        let mut model = load(name);
        // Energy, forward against inverse dynamics, islands.
        model.opt.enableflags |= EnableFlag::Energy.code() | EnableFlag::Fwdinv.code();
        for integrator in 0..4 {
            model.opt.integrator = integrator;
            let mut data = Data::new(&model);
            let round = |data: &mut Data| {
                data.reset(&model).expect("its own model");
                for step in 0..10 {
                    for (i, u) in data.input.ctrl.iter_mut().enumerate() {
                        *u = 0.2 * wiggle((step + i) as f64);
                    }
                    let _ = data.step1(&model);
                    let _ = data.step2(&model);
                    for stage in [Stage::None, Stage::Pos, Stage::Vel] {
                        for sensors in [Sensors::Computed, Sensors::Skipped] {
                            Engine::new(&model)
                                .forward_from(data, stage, sensors)
                                .expect("fits");
                            Engine::new(&model)
                                .inverse_from(data, stage, sensors)
                                .expect("fits");
                        }
                    }
                    for stage in [
                        Engine::compute_kinematics,
                        Engine::compute_com,
                        Engine::compute_view,
                        Engine::compute_tendon,
                        Engine::compute_inertia,
                        Engine::factor_inertia,
                        Engine::compute_contacts,
                        Engine::compute_constraints,
                        Engine::compute_islands,
                        Engine::compute_transmission,
                        Engine::compute_com_velocity,
                        Engine::compute_passive,
                        Engine::compute_reference,
                        Engine::compute_actuation,
                        Engine::compute_smooth_acceleration,
                        Engine::solve_constraints,
                        Engine::compute_potential_energy,
                        Engine::compute_kinetic_energy,
                        Engine::inverse_constraints,
                        Engine::compare_forward_inverse,
                    ] {
                        stage(&mut Engine::new(&model), data).expect("its own model");
                    }
                    // Divergence, its counters and the reset.
                    if step == 5 {
                        data.state.qvel[0] = f64::NAN;
                        data.input.ctrl.fill(f64::INFINITY);
                    }
                }
            };
            round(&mut data);
            round(&mut data);
            let before = allocations();
            round(&mut data);
            let count = allocations() - before;
            assert_eq!(count, 0, "{name}, integrator {integrator}");
        }
    }
}

/// Queries that write into what the caller gives them.
#[test]
fn queries_do_not_allocate() {
    for name in MODELS {
        let model = load(name);
        let mut data = Data::new(&model);
        let nv = model.nv;
        let (mut jacp, mut jacr) = (vec![0.0; 3 * nv], vec![0.0; 3 * nv]);
        let (mut force, mut dense) = (vec![0.0; nv], vec![0.0; nv * nv]);
        let mut reading = [0.0; 64];
        let directions = [Vec3([0.0, 0.0, -1.0]), Vec3([1.0, 0.0, -0.5])];
        let mut hits = [None; 2];
        let mut distances = 0.0;
        episode(&model, &mut data, 50);
        data.forward(&model).expect("its own model");
        let mut round = |data: &mut Data| {
            for body in 0..model.nbody {
                let point = data.position.kinematics.xipos[body];
                let at = (point, Vec3([0.0, 0.0, 1.0]));
                data.jacobian_rate(&model, body, point, &mut jacp, &mut jacr)
                    .expect("fits");
                data.point_axis_jacobian(&model, body, at, &mut jacp, &mut jacr)
                    .expect("fits");
                data.subtree_com_jacobian(&model, body, &mut jacp)
                    .expect("fits");
                data.angular_momentum_matrix(&model, body, &mut jacp)
                    .expect("fits");
                data.apply_force(&model, body, point, point, point, &mut force)
                    .expect("fits");
                data.object_acceleration(&model, ObjectType::Body, body, Axes::World)
                    .expect("a body");
            }
            data.newton_euler(&model, NewtonEuler::Acceleration, &mut force)
                .expect("fits");
            data.multiply_inertia(&model, &jacp[..nv], &mut force)
                .expect("fits");
            data.solve_inertia(&model, &mut force).expect("fits");
            data.inertia_matrix(&model, &mut dense).expect("fits");
            for contact in 0..data.position.contacts.contact.len() {
                data.contact_force(&model, contact).expect("a contact");
            }
            for sensor in 0..model.nsensor {
                let width = model.sensor_dim[sensor] as usize;
                if width <= reading.len() {
                    let out = &mut reading[..width];
                    data.read_sensor(&model, sensor, 0.1, None, out)
                        .expect("fits");
                }
            }
            for actuator in 0..model.nu {
                data.read_control(&model, actuator, 0.1, None).expect("one");
            }
            for geom in 0..model.ngeom {
                let distance = data.geom_distance(&model, 0, geom, 1.0);
                distances += distance.map_or(0.0, |found| found.dist);
            }
            let (origin, filter) = (Vec3([0.1, 0.2, 3.0]), RayFilter::default());
            for direction in directions {
                let ray = Ray { origin, direction };
                data.cast_ray(&model, &ray, &filter).expect("fits");
            }
            data.cast_rays(&model, origin, &directions, &filter, 1e9, &mut hits)
                .expect("fits");
        };
        round(&mut data);
        let before = allocations();
        round(&mut data);
        assert_eq!(allocations() - before, 0, "{name}");
    }
}

#[test]
fn factoring_and_solving_do_not_allocate() {
    let model = load("humanoid");
    let mut data = Data::new(&model);
    data.forward(&model).expect("its own model");
    let n = model.nv;
    let mut x = vec![1.0; n];
    let (mut full, mut dense) = (vec![0.0; n * n], vec![0.0; n * n]);
    data.inertia_matrix(&model, &mut full).expect("fits");
    let before = allocations();
    for _ in 0..100 {
        Engine::new(&model)
            .factor_inertia(&mut data)
            .expect("its own model");
        data.solve_inertia(&model, &mut x).expect("fits");
        dense.copy_from_slice(&full);
        assert_eq!(cholesky_factor(&mut dense, n, 1e-15), n);
        cholesky_solve(&dense, &mut x);
    }
    assert_eq!(allocations() - before, 0);
}

#[test]
fn parts_do_not_allocate() {
    let model = load("cartpole");
    let mut data = Data::new(&model);
    let mut engine = Engine::new(&model).controller(Control(|_: &Model, data: &mut Data| {
        data.input.ctrl[0] = -data.state.qpos[0];
    }));
    let mut steps = |count: usize| {
        for _ in 0..count {
            engine.step(&mut data).expect("finite");
        }
    };
    steps(20);
    let before = allocations();
    steps(200);
    assert_eq!(allocations() - before, 0);
}
