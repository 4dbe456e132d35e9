//! Any sequence of calls with any numbers returns: nothing panics, and a simulation that was reset is
//! as good as new.

use crate::open;
use sinew::collision::ray::Ray;
use sinew::engine::derivative::BiasTerm;
use sinew::engine::query::Axes;
use sinew::engine::ray::RayFilter;
use sinew::engine::state_vector::state_size;
use sinew::engine::{CallError, Data, Engine, Sensors};
use sinew::math::Vec3;
use sinew::model::Model;
use sinew::model::column::Number;
use sinew::model::kinds::{Integrator, ObjectType, Stage};

struct Random(u64);

impl Random {
    fn bits(&mut self) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0
    }

    fn below(&mut self, count: usize) -> usize {
        (self.bits() % count.max(1) as u64) as usize
    }

    fn unit(&mut self) -> f64 {
        (self.bits() >> 11) as f64 / (1_u64 << 52) as f64 - 1.0
    }

    /// Mostly ordinary numbers, sometimes none at all.
    fn number(&mut self) -> f64 {
        match self.below(40) {
            0 => f64::NAN,
            1 => f64::INFINITY,
            2 => -1e30,
            3 => 1e9,
            4 => 0.0,
            5 => 1e-300,
            _ => 3.0 * self.unit(),
        }
    }

    fn spoil(&mut self, numbers: &mut [f64]) {
        if !numbers.is_empty() {
            let k = self.below(numbers.len());
            numbers[k] = self.number();
        }
    }
}

/// Changes an option, a value of the model or an input.
fn change(model: &mut Model, data: &mut Data, random: &mut Random) {
    let (state, input) = (&mut data.state, &mut data.input);
    match random.below(20) {
        0 => random.spoil(&mut state.qpos),
        1 => random.spoil(&mut state.qvel),
        2 => random.spoil(&mut state.act),
        3 => random.spoil(&mut input.ctrl),
        4 => random.spoil(&mut input.qfrc_applied),
        5 => random.spoil(input.xfrc_applied.as_flattened_mut()),
        6 => {
            if let Some(pos) = input.mocap_pos.first_mut() {
                random.spoil(&mut pos.0);
            }
        }
        7 => {
            if let Some(quat) = input.mocap_quat.first_mut() {
                random.spoil(&mut quat.0);
            }
        }
        8 => random.spoil(&mut state.history),
        9 => random.spoil(&mut state.qacc_warmstart),
        10 => random.spoil(core::slice::from_mut(&mut state.time)),
        11 => {
            if !input.eq_active.is_empty() {
                let k = random.below(input.eq_active.len());
                input.eq_active[k] = random.below(3) as u8;
            }
        }
        12 => model.opt.integrator = random.below(4) as i32,
        13 => model.opt.solver = random.below(3) as i32,
        14 => model.opt.cone = random.below(2) as i32,
        15 => model.opt.jacobian = random.below(4) as i32,
        16 => {
            model.opt.disableflags = if random.below(2) == 0 {
                0
            } else {
                1 << random.below(19)
            };
            model.opt.noslip_iterations = random.below(4) as i32 - 1;
        }
        17 => model.opt.enableflags = 1 << random.below(6),
        18 if random.below(2) == 0 => {
            for contact in &mut data.position.contacts.contact {
                contact.dim = [1, 3, 4, 6][random.below(4)];
                contact.exclude = random.below(2) as i32;
            }
        }
        18 => {
            let opt = &mut model.opt;
            match random.below(7) {
                0 => opt.timestep = random.number(),
                1 => opt.gravity.0[2] = random.number(),
                2 => opt.density = random.number(),
                3 => opt.tolerance = random.number(),
                4 => opt.impratio = random.number(),
                5 => model.stat.meaninertia = random.number(),
                _ => opt.iterations = random.below(4) as i32 - 1,
            }
        }
        _ => change_value(model, random),
    }
}

/// Writes any number into any value of the model, as bindings may, past the checks.
fn change_value(model: &mut Model, random: &mut Random) {
    let mut columns = model.unchecked().columns_mut();
    columns.retain(|column| column.meaning.is_value() && !column.bytes.is_empty());
    if columns.is_empty() {
        return;
    }
    let k = random.below(columns.len());
    let column = &mut columns[k];
    let (number, code) = (random.number(), random.below(9) as i32 - 1);
    let number = match column.number {
        Number::F64 => number.to_ne_bytes().to_vec(),
        Number::F32 => (number as f32).to_ne_bytes().to_vec(),
        Number::I32 => code.to_ne_bytes().to_vec(),
        Number::I64 => i64::from(code).to_ne_bytes().to_vec(),
        Number::U8 => vec![code as u8],
    };
    let size = number.len();
    let place = size * random.below(column.bytes.len() / size);
    column.bytes[place..place + size].copy_from_slice(&number);
}

/// Makes one call.
fn call(model: &Model, data: &mut Data, random: &mut Random) {
    let size = 3 * model.nv + random.below(8) / 7;
    let body = random.below(model.nbody + 2);
    let point = Vec3([random.number(), random.number(), random.number()]);
    let (mut jacp, mut jacr) = (vec![0.0; size], vec![0.0; 3 * model.nv]);
    match random.below(20) {
        0..=4 => drop(data.step(model)),
        5 => {
            let _ = data.step1(model);
            let _ = data.step2(model);
        }
        6 => drop(data.step2(model)),
        7 => drop(data.forward(model)),
        8 => drop(data.inverse(model)),
        9 => {
            // Whether or not the stages to skip have run.
            let stage = [Stage::None, Stage::Pos, Stage::Vel][random.below(3)];
            let sensors = [Sensors::Skipped, Sensors::Computed][random.below(2)];
            if random.below(2) == 0 {
                let _ = Engine::new(model).forward_from(data, stage, sensors);
            } else {
                let _ = Engine::new(model).inverse_from(data, stage, sensors);
            }
        }
        10 => drop(data.reset_to_keyframe(model, random.below(3))),
        11 => {
            let _ = data.jacobian(model, body, point, &mut jacp, &mut jacr);
            let _ = data.jacobian_rate(model, body, point, &mut jacp, &mut jacr);
            let _ = data.subtree_com_jacobian(model, body, &mut jacp);
            let _ = data.angular_momentum_matrix(model, body, &mut jacp);
            let _ = data.apply_force(model, body, point, point, point, &mut jacp);
            let _ = data.solve_inertia(model, &mut jacp);
        }
        12 => {
            for kind in [
                ObjectType::Body,
                ObjectType::Geom,
                ObjectType::Site,
                ObjectType::Joint,
            ] {
                let _ = data.object_velocity(model, kind, body, Axes::Local);
                let _ = data.object_acceleration(model, kind, body, Axes::World);
            }
            let _ = data.contact_force(model, random.below(4));
        }
        13 => {
            let mask = random.below(1 << 15) as i32;
            if let Ok(size) = state_size(model, mask) {
                let mut vector = vec![0.0; size];
                data.get_state(model, mask, &mut vector).expect("fits");
                random.spoil(&mut vector);
                data.set_state(model, mask, &vector).expect("fits");
            }
        }
        14 => {
            let _ = Engine::new(model).velocity_derivative(data, BiasTerm::Included);
            let _ = Engine::new(model).integrate(data, Integrator::Implicit);
        }
        15 | 16 => {
            // Single stages, in an order of their own.
            for _ in 0..5 {
                let _ = STAGES[random.below(STAGES.len())](&mut Engine::new(model), data);
            }
        }
        17 => {
            let (first, second) = (random.below(model.ngeom + 1), random.below(model.ngeom + 1));
            let _ = data.geom_distance(model, first, second, random.number());
            let ray = Ray {
                origin: point,
                direction: point * random.number(),
            };
            let _ = data.cast_ray(model, &ray, &RayFilter::default());
        }
        18 => {
            let (actuator, sensor) = (random.below(model.nu + 1), random.below(model.nsensor + 1));
            let _ = data.read_control(model, actuator, random.number(), None);
            let width = model.sensor_dim.get(sensor).map_or(0, |&dim| dim as usize);
            let _ = data.read_sensor(model, sensor, random.number(), None, &mut vec![0.0; width]);
            let times = [random.number(), random.number(), random.number()];
            let _ = data.set_control_history(model, actuator, Some(&times), &times);
        }
        _ => drop(data.reset(model)),
    }
}

type Call = fn(&mut Engine<'_>, &mut Data) -> Result<(), CallError>;

const STAGES: [Call; 28] = [
    |engine, data| engine.compute_kinematics(data),
    |engine, data| engine.compute_com(data),
    |engine, data| engine.compute_view(data),
    |engine, data| engine.compute_tendon(data),
    |engine, data| engine.compute_inertia(data),
    |engine, data| engine.compute_body_inertia(data),
    |engine, data| engine.factor_inertia(data),
    |engine, data| engine.compute_contacts(data),
    |engine, data| engine.compute_constraints(data),
    |engine, data| engine.compute_islands(data),
    |engine, data| engine.compute_transmission(data),
    |engine, data| engine.compute_actuation(data),
    |engine, data| engine.compute_smooth_acceleration(data),
    |engine, data| engine.solve_constraints(data),
    |engine, data| engine.compute_length_velocity(data),
    |engine, data| engine.compute_com_velocity(data),
    |engine, data| engine.compute_passive(data),
    |engine, data| engine.compute_reference(data),
    |engine, data| engine.compute_potential_energy(data),
    |engine, data| engine.compute_kinetic_energy(data),
    |engine, data| engine.forward_position(data),
    |engine, data| engine.forward_velocity(data),
    |engine, data| engine.forward_acceleration(data),
    |engine, data| engine.inverse_constraints(data),
    |engine, data| engine.compare_forward_inverse(data),
    |engine, data| engine.subtree_momentum(data),
    |engine, data| engine.body_forces(data),
    |engine, data| engine.compute_sensors(data, Stage::Acc),
];

/// A pendulum whose control and sensors are delayed, with a mocap body and a weld.
const DELAYS: &str = r#"<mujoco><size nuserdata="3"/><worldbody>
    <body name="hand" mocap="true" pos="1 0 0"/>
    <body name="arm"><joint name="a" axis="0 1 0"/><geom size=".1" pos="0 0 -1" mass="1"/>
      <body name="tip" pos="0 0 -1"><joint type="ball"/><geom size=".1" pos="0 0 -1" mass="1"/></body></body>
  </worldbody>
  <equality><weld body1="tip" body2="hand" active="false"/></equality>
  <actuator>
    <general joint="a" dyntype="filter" dynprm=".1" delay=".006" nsample="3" interp="linear"/>
    <motor joint="a" delay=".01" nsample="8" interp="cubic"/>
  </actuator>
  <sensor><jointpos joint="a" delay=".006" nsample="4" interp="cubic"/>
    <jointvel joint="a" nsample="3" interval=".005 0"/></sensor></mujoco>"#;

fn delays() -> Model {
    match sinew::mjcf::load_text(DELAYS) {
        Ok(loaded) => loaded.model,
        Err(error) => panic!("{error}"),
    }
}

/// Every number of a simulation.
fn bytes(data: &Data) -> Vec<(&'static str, Vec<u8>)> {
    let columns = data.columns().into_iter();
    let mut all: Vec<_> = columns
        .map(|column| (column.name, column.bytes.to_vec()))
        .collect();
    all.push(("time", data.state.time.to_ne_bytes().to_vec()));
    all
}

/// Sequences of calls; `SINEW_SEQUENCES` asks for another number.
fn count() -> usize {
    let asked = std::env::var("SINEW_SEQUENCES").ok();
    asked.and_then(|count| count.parse().ok()).unwrap_or(1000)
}

/// Thirty random calls, a reset, three steps.
fn sequence(original: &Model, seed: u64) -> Vec<(&'static str, Vec<u8>)> {
    let mut random = Random(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15));
    let mut model = original.clone();
    let mut data = Data::new(&model);
    for _ in 0..30 {
        if random.below(3) > 0 {
            change(&mut model, &mut data, &mut random);
        }
        call(&model, &mut data, &mut random);
    }
    // Whatever happened, after a reset it is a new simulation, to the last bit.
    data.reset(original).expect("its own model");
    for _ in 0..3 {
        assert_eq!(data.step(original), Ok(()));
    }
    bytes(&data)
}

#[test]
fn any_sequence_of_calls_returns_and_a_reset_restores() {
    let names = [
        "humanoid",
        "quadruped",
        "finger",
        "mechanism",
        "sensor_zoo",
        "muscle_arm",
        "arm_actuators",
        "drone",
        "swimmer",
        "terrain",
        "mesh_scene",
        "cartpole",
        "delays",
    ];
    for (k, name) in names.into_iter().enumerate() {
        let original = if name == "delays" {
            delays()
        } else {
            open(name)
        };
        let mut expected = Data::new(&original);
        for _ in 0..3 {
            expected.step(&original).expect("finite");
        }
        let expected = bytes(&expected);
        for round in 0..count().div_ceil(names.len()) {
            let seed = (1_000_000 * k + round + 1) as u64;
            let found = std::panic::catch_unwind(|| sequence(&original, seed));
            let found = found.unwrap_or_else(|_| panic!("{name}, seed {seed}"));
            for (found, expected) in found.iter().zip(&expected) {
                assert!(found == expected, "{name}, seed {seed}: {}", found.0);
            }
        }
    }
}
