//! Any sequence of calls with any numbers returns: nothing panics, and a simulation that was reset is
//! as good as new.

use crate::open;
use sinew::engine::derivative::BiasTerm;
use sinew::engine::query::Axes;
use sinew::engine::state_vector::state_size;
use sinew::engine::step::Sensors;
use sinew::engine::{CallError, Data};
use sinew::math::Vec3;
use sinew::model::Model;
use sinew::model::kinds::{ObjectType, Stage, StateComponent};

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

/// Changes an option or an input.
fn change(model: &mut Model, data: &mut Data, random: &mut Random) {
    let input = &mut data.input;
    match random.below(14) {
        0 => random.spoil(&mut data.state.qpos),
        1 => random.spoil(&mut data.state.qvel),
        2 => random.spoil(&mut data.state.act),
        3 | 4 => random.spoil(&mut input.ctrl),
        5 => random.spoil(&mut input.qfrc_applied),
        6 => random.spoil(input.xfrc_applied.as_flattened_mut()),
        7 => {
            if let Some(pos) = input.mocap_pos.first_mut() {
                random.spoil(&mut pos.0);
            }
        }
        8 => {
            if let Some(quat) = input.mocap_quat.first_mut() {
                random.spoil(&mut quat.0);
            }
        }
        9 => model.opt.integrator = random.below(4) as i32,
        10 => model.opt.solver = random.below(3) as i32,
        11 => model.opt.cone = random.below(2) as i32,
        12 => model.opt.jacobian = random.below(3) as i32,
        _ => {
            model.opt.disableflags = if random.below(2) == 0 {
                0
            } else {
                1 << random.below(19)
            };
            model.opt.noslip_iterations = random.below(3) as i32;
        }
    }
}

/// Makes one call.
fn call(model: &Model, data: &mut Data, random: &mut Random) {
    let size = 3 * model.nv + random.below(8) / 7;
    let body = random.below(model.nbody + 2);
    let point = Vec3([random.number(), random.number(), random.number()]);
    let (mut jacp, mut jacr) = (vec![0.0; size], vec![0.0; 3 * model.nv]);
    match random.below(18) {
        0..=5 => drop(data.step(model)),
        6 => {
            let _ = data.step1(model);
            let _ = data.step2(model);
        }
        7 => data.forward(model).expect("fits"),
        8 => {
            data.inverse(model).expect("its own model");
        }
        9 => {
            // Stages to skip must be there.
            data.forward(model).expect("its own model");
            let stage = [Stage::None, Stage::Pos, Stage::Vel][random.below(3)];
            data.forward_from(model, stage, Sensors::Skipped)
                .expect("its own model");
        }
        10 => drop(data.reset_to_keyframe(model, random.below(3))),
        11 => {
            let _ = data.jacobian(model, body, point, &mut jacp, &mut jacr);
            let _ = data.jacobian_rate(model, body, point, &mut jacp, &mut jacr);
            let _ = data.subtree_com_jacobian(model, body, &mut jacp);
            let _ = data.angular_momentum_matrix(model, body, &mut jacp);
            let _ = data.apply_force(model, body, point, point, point, &mut jacp);
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
            data.subtree_momentum(model).expect("its own model");
            data.body_forces(model).expect("its own model");
            data.velocity_derivative(model, BiasTerm::Included)
                .expect("its own model");
        }
        15 => {
            // Single stages, in an order of their own.
            data.forward(model).expect("its own model");
            type Stage = fn(&mut Data, &Model) -> Result<(), CallError>;
            let stages: [Stage; 9] = [
                Data::compute_kinematics,
                Data::compute_com,
                Data::compute_view,
                Data::compute_tendon,
                Data::compute_contacts,
                Data::compute_constraints,
                Data::compute_islands,
                Data::compute_transmission,
                Data::body_forces,
            ];
            for _ in 0..5 {
                stages[random.below(stages.len())](data, model).expect("fits");
            }
        }
        16 => {
            let (first, second) = (random.below(model.ngeom + 1), random.below(model.ngeom + 1));
            let _ = data.geom_distance(model, first, second, random.number());
        }
        _ => data.reset(model).expect("fits"),
    }
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
    ];
    let all = StateComponent::Integration.code();
    for (k, name) in names.into_iter().enumerate() {
        let original = open(name);
        let mut expected = Data::new(&original);
        for _ in 0..3 {
            expected.step(&original).expect("finite");
        }
        for round in 0..85 {
            let seed = (1000 * k + round + 1) as u64;
            let mut random = Random(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15));
            let mut model = original.clone();
            let mut data = Data::new(&model);
            for _ in 0..30 {
                if random.below(3) > 0 {
                    change(&mut model, &mut data, &mut random);
                }
                call(&model, &mut data, &mut random);
            }
            // With automatic resets on, a step never leaves a state that is no state for long.
            data.reset(&original).expect("its own model");
            for _ in 0..3 {
                assert_eq!(data.step(&original), Ok(()), "{name} {seed}");
            }
            let mut vectors = [vec![], vec![]];
            for (data, vector) in [&data, &expected].into_iter().zip(&mut vectors) {
                vector.resize(state_size(&original, all).expect("known"), 0.0);
                data.get_state(&original, all, vector).expect("fits");
            }
            assert_eq!(vectors[0], vectors[1], "{name} {seed}");
        }
    }
}
