//! Worlds that kernels step on the processor, compared with worlds of the engine.

use sinew_engine::Data;
use sinew_gpu::{Capacity, Emulation, Event, Order, Scene};
use sinew_model::Model;

const WORLDS: usize = 6;

/// Numbers between −1 and 1 that look as if they were random, equal in every run.
struct Noise(u64);

impl Noise {
    fn next(&mut self) -> f64 {
        self.0 = self
            .0
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 11) as f64 / (1_u64 << 52) as f64 - 1.0
    }
}

/// How worlds begin.
pub struct Start {
    /// Largest velocity.
    pub velocity: f64,
    /// Contacts that there is room for.
    pub contacts: usize,
}

impl Default for Start {
    fn default() -> Self {
        Start {
            velocity: 2.0,
            contacts: 64,
        }
    }
}

fn bits(numbers: &[f64]) -> Vec<u64> {
    numbers.iter().map(|x| x.to_bits()).collect()
}

/// Steps worlds by the kernels and by the engine, from equal states with equal controls, and compares every bit of what
/// integrates and of what sensors read. Returns the most rows that a world had.
pub fn compare(model: &Model, steps: usize, start: &Start, order: Order) -> usize {
    let capacity = Capacity {
        contacts: start.contacts,
        ..Capacity::default()
    };
    let scene = Scene::<f64>::new(model, capacity).expect("a model that kernels know");
    let mut worlds = Emulation::new(scene, WORLDS, order);
    let mut noise = Noise(7);
    let mut engines: Vec<Data> = (0..WORLDS).map(|_| Data::new(model)).collect();
    for (world, engine) in engines.iter_mut().enumerate() {
        for v in &mut engine.state.qvel {
            *v = start.velocity * noise.next();
        }
        worlds.qvel(world).copy_from_slice(&engine.state.qvel);
    }
    let mut most = 0;
    for step in 0..steps {
        for x in &mut worlds.ctrl {
            *x = noise.next();
        }
        for (world, engine) in engines.iter_mut().enumerate() {
            let ctrl = &worlds.ctrl[world * model.nu..(world + 1) * model.nu];
            engine.input.ctrl.copy_from_slice(ctrl);
            engine.step(model).expect("a step");
        }
        worlds.step();
        for (world, engine) in engines.iter().enumerate() {
            let at = format!("world {world}, step {step}");
            assert_eq!(
                bits(worlds.qpos(world)),
                bits(&engine.state.qpos),
                "qpos, {at}"
            );
            assert_eq!(
                bits(worlds.qvel(world)),
                bits(&engine.state.qvel),
                "qvel, {at}"
            );
            if worlds.scene().unread.is_empty() {
                assert_eq!(
                    bits(worlds.sensordata(world)),
                    bits(&engine.sensor.sensordata),
                    "sensors, {at}"
                );
            }
            assert_eq!(worlds.count(world, Event::LostContact), 0, "room, {at}");
            most = most.max(worlds.counts(world)[0]);
        }
    }
    most
}
