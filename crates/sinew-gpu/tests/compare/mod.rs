//! Steps worlds by the kernels and by the engine, and compares them.

use sinew_engine::Data;
use sinew_gpu::{Capacity, Emulation, Event, Order, Scene};
use sinew_mjcf::load_path;
use sinew_model::Model;
use std::path::Path;

const WORLDS: usize = 6;

/// Numbers between −1 and 1 that look as if they were random, equal in every run.
pub struct Noise(pub u64);

impl Noise {
    /// The next one.
    pub fn next(&mut self) -> f64 {
        self.0 = self
            .0
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 11) as f64 / (1_u64 << 52) as f64 - 1.0
    }
}

/// A model of ours.
pub fn own(name: &str) -> Model {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join(format!("../../models/{name}.xml"));
    load_path(&path.display().to_string())
        .expect("a model of ours")
        .model
}

/// Steps worlds by the kernels and by the engine, from equal states with equal controls, and compares every bit of what
/// integrates. Returns the most rows that a world had.
pub fn compare(model: &Model, steps: usize, spread: f64, order: Order) -> usize {
    compare_pushed(model, steps, spread, order, false)
}

/// The same with forces on bodies, if they are wanted.
pub fn compare_pushed(
    model: &Model,
    steps: usize,
    spread: f64,
    order: Order,
    wrenches: bool,
) -> usize {
    let capacity = Capacity {
        contacts: 128,
        wrenches,
    };
    let scene = Scene::<f64>::new(model, capacity).expect("a model that kernels know");
    compare_in(model, scene, steps, spread, order)
}

/// The same in worlds of a scene, with forces on bodies if there is room for them.
pub fn compare_in(
    model: &Model,
    scene: Scene<f64>,
    steps: usize,
    spread: f64,
    order: Order,
) -> usize {
    let wrenches = scene.head.wrenches != 0;
    let mut worlds = Emulation::new(scene, WORLDS, order);
    let mut noise = Noise(7);
    let mut engines: Vec<Data> = (0..WORLDS).map(|_| Data::new(model)).collect();
    for (world, engine) in engines.iter_mut().enumerate() {
        for v in &mut engine.state.qvel {
            *v = spread * noise.next();
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
            if wrenches {
                // Some bodies are pushed, others are not.
                for (body, wrench) in engine.input.xfrc_applied.iter_mut().enumerate() {
                    *wrench = [(); 6].map(|()| noise.next() * ((step + body) % 3) as f64);
                }
                let given = engine.input.xfrc_applied.as_flattened();
                worlds.wrenches(world).copy_from_slice(given);
            }
            engine.step(model).expect("a step");
        }
        worlds.step();
        for (world, engine) in engines.iter().enumerate() {
            let bits = |numbers: &[f64]| numbers.iter().map(|x| x.to_bits()).collect::<Vec<_>>();
            let at = format!("world {world}, step {step}");
            assert_eq!(worlds.count(world, Event::LostContact), 0, "room, {at}");
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
            assert_eq!(
                worlds.time[world].to_bits(),
                engine.state.time.to_bits(),
                "time, {at}"
            );
            most = most.max(worlds.counts(world)[0]);
        }
    }
    most
}
