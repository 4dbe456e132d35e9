//! Stepping does not touch the heap once it is warm.

use sinew::engine::{Control, Data};
use sinew::model::Model;
use sinew::models;
use std::alloc::{GlobalAlloc, Layout, System};
use std::cell::Cell;

thread_local! {
    static ALLOCATIONS: Cell<usize> = const { Cell::new(0) };
}

/// The system's allocator, counting per thread.
struct Counting;

fn count() {
    // A thread that is going away has nothing to count.
    let _ = ALLOCATIONS.try_with(|n| n.set(n.get() + 1));
}

// SAFETY: every call goes unchanged to the system's allocator.
#[allow(unsafe_code)]
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        count();
        unsafe { System.alloc(layout) }
    }

    unsafe fn dealloc(&self, pointer: *mut u8, layout: Layout) {
        unsafe { System.dealloc(pointer, layout) }
    }

    unsafe fn realloc(&self, pointer: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        count();
        unsafe { System.realloc(pointer, layout, size) }
    }
}

#[global_allocator]
static ALLOCATOR: Counting = Counting;

fn load(name: &str) -> Model {
    let model = models::get(name).unwrap_or_else(|| panic!("{name} is built in"));
    match model.load() {
        Ok(loaded) => loaded.model,
        Err(error) => panic!("{name}: {error}"),
    }
}

/// Allocations of `steps` steps after `warm` steps.
fn allocations(model: &Model, warm: usize, steps: usize) -> usize {
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
    let before = ALLOCATIONS.with(Cell::get);
    for _ in 0..steps {
        step(&mut data);
    }
    ALLOCATIONS.with(Cell::get) - before
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
            let count = allocations(&model, 20, 2500);
            assert_eq!(count, 0, "{name}, integrator {integrator}");
        }
    }
}

#[test]
fn factoring_and_solving_do_not_allocate() {
    let model = load("humanoid");
    let mut data = Data::new(&model);
    data.forward(&model);
    let mut x = vec![1.0; model.nv];
    let before = ALLOCATIONS.with(Cell::get);
    for _ in 0..100 {
        data.factor_inertia(&model);
        data.position.inertia.solve(&model, &mut x);
    }
    assert_eq!(ALLOCATIONS.with(Cell::get) - before, 0);
}

#[test]
fn hooks_do_not_allocate() {
    let model = load("cartpole");
    let mut data = Data::new(&model);
    let mut hooks = Control(|_: &Model, data: &mut Data| {
        data.input.ctrl[0] = -data.state.qpos[0];
    });
    let mut steps = |count: usize| {
        for _ in 0..count {
            data.step_with(&model, &mut hooks).expect("finite");
        }
    };
    steps(20);
    let before = ALLOCATIONS.with(Cell::get);
    steps(200);
    assert_eq!(ALLOCATIONS.with(Cell::get) - before, 0);
}
