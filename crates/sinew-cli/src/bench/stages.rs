//! Where a step spends its time, and how much work it does.
//!
//! A separate pass over the same workload counts contacts, rows and iterations after every step.
//! Every sixteenth step runs under an observer that reads the clock where stages begin and end; another
//! one is timed as a whole, and what the stages do not explain is the rest: smooth acceleration,
//! sensors, checks and integration. Runge–Kutta runs the stages four times per step, so their times
//! are those of four runs.

use super::measure::median;
use super::workload::{Controls, Plan, cpu_seconds, reset};
use sinew::engine::{Data, Engine, Moment, Observer};
use sinew::model::Model;
use sinew::model::kinds::TimerKind;
use std::time::Instant;

/// One step in this many is taken apart.
const STRIDE: usize = 16;

/// The one of them that is timed as a whole.
const PLAIN: usize = STRIDE / 2;

/// Mean microseconds of the parts of a step.
#[derive(Clone, Copy, Default, serde::Serialize)]
pub struct Stages {
    /// Poses, centres of mass, cameras, tendons, transmissions.
    pub kinematics: f64,
    /// Joint-space inertia and its factor.
    pub inertia: f64,
    /// Contacts.
    pub collision: f64,
    /// Constraint rows and islands.
    pub rows: f64,
    /// Everything that depends on velocities.
    pub velocity: f64,
    /// Actuator forces.
    pub actuation: f64,
    /// Constraint forces.
    pub solver: f64,
    /// Smooth acceleration, sensors, checks, integration.
    pub rest: f64,
    /// The whole step.
    pub step: f64,
}

impl Stages {
    /// The parts with their names, in the order of a step.
    pub fn named(&self) -> [(&'static str, f64); 9] {
        [
            ("kinematics", self.kinematics),
            ("inertia", self.inertia),
            ("collision", self.collision),
            ("rows", self.rows),
            ("velocity", self.velocity),
            ("actuation", self.actuation),
            ("solver", self.solver),
            ("rest", self.rest),
            ("step", self.step),
        ]
    }
}

/// What the pass found.
pub struct Statistics {
    pub contacts: f64,
    pub rows: f64,
    pub iterations: f64,
    pub stages: Stages,
}

/// Runs the workload once, counting and timing.
pub fn statistics(model: &Model, plan: &Plan) -> Statistics {
    let mut data = Data::new(model);
    let mut controls = Controls::new(model, plan.key, 0);
    let clock = clock_microseconds();
    let (mut parts, mut whole) = (Vec::new(), Vec::new());
    let (mut contacts, mut rows, mut iterations) = (0.0, 0.0, 0.0);
    for _ in 0..plan.episodes {
        reset(model, &mut data, plan.key);
        for step in 0..plan.warm + plan.steps {
            controls.set(&mut data.input.ctrl);
            if step < plan.warm {
                let _ = data.step(model);
                continue;
            }
            match step % STRIDE {
                0 => parts.extend(undisturbed(|| stage_by_stage(model, &mut data, clock))),
                PLAIN => whole.extend(undisturbed(|| timed(clock, || _ = data.step(model)))),
                _ => _ = data.step(model),
            }
            contacts += data.position.contacts.contact.len() as f64;
            let count = data.position.constraints.nefc();
            rows += count as f64;
            iterations += if count == 0 {
                0.0
            } else {
                mean_iterations(&data)
            };
        }
    }
    let count = (plan.steps * plan.episodes) as f64;
    Statistics {
        contacts: contacts / count,
        rows: rows / count,
        iterations: iterations / count,
        stages: mean(&parts, &whole),
    }
}

/// Solver iterations per island.
fn mean_iterations(data: &Data) -> f64 {
    let counts = &data.acceleration.solution.solver_niter;
    let islands = data.position.islands.nisland.clamp(1, counts.len());
    let sum: i32 = counts[..islands].iter().sum();
    f64::from(sum) / islands as f64
}

/// One step, and the microseconds of its stages.
fn stage_by_stage(model: &Model, data: &mut Data, clock: f64) -> [f64; 7] {
    let mut watch = Stopwatch {
        clock,
        begun: Instant::now(),
        microseconds: [0.0; 7],
    };
    let _ = Engine::new(model).observer(&mut watch).step(data);
    watch.microseconds
}

/// Adds up how long stages run. None of those it times contains another.
struct Stopwatch {
    /// Microseconds that reading the clock takes.
    clock: f64,
    begun: Instant,
    microseconds: [f64; 7],
}

impl Observer for Stopwatch {
    fn observe(&mut self, moment: Moment) {
        match moment {
            Moment::Begin(kind) if place(kind).is_some() => self.begun = Instant::now(),
            Moment::Begin(_) => {}
            Moment::Pause(kind) | Moment::End(kind) => {
                if let Some(place) = place(kind) {
                    self.microseconds[place] += since(self.begun, self.clock);
                }
            }
        }
    }
}

/// Where the time of a stage is added, in the order of [`Stages`].
fn place(kind: TimerKind) -> Option<usize> {
    Some(match kind {
        TimerKind::PosKinematics => 0,
        TimerKind::PosInertia => 1,
        TimerKind::PosCollision => 2,
        TimerKind::PosMake => 3,
        TimerKind::Velocity => 4,
        TimerKind::Actuation => 5,
        TimerKind::Constraint => 6,
        _ => return None,
    })
}

/// Means of the samples.
fn mean(parts: &[[f64; 7]], whole: &[f64]) -> Stages {
    let mut sums = [0.0; 7];
    for part in parts {
        sums.iter_mut().zip(part).for_each(|(sum, x)| *sum += x);
    }
    let step = whole.iter().sum::<f64>() / f64::max(whole.len() as f64, 1.0);
    let [
        kinematics,
        inertia,
        collision,
        rows,
        velocity,
        actuation,
        solver,
    ] = sums.map(|sum| sum / f64::max(parts.len() as f64, 1.0));
    let explained = kinematics + inertia + collision + rows + velocity + actuation + solver;
    Stages {
        kinematics,
        inertia,
        collision,
        rows,
        velocity,
        actuation,
        solver,
        rest: f64::max(step - explained, 0.0),
        step,
    }
}

/// A measurement, unless the thread had to wait for a processor meanwhile.
fn undisturbed<T>(measure: impl FnOnce() -> T) -> Option<T> {
    let (start, cpu_start) = (Instant::now(), cpu_seconds());
    let measured = measure();
    let cpu_end = cpu_seconds();
    let wall = start.elapsed().as_secs_f64();
    let waited = match (cpu_start, cpu_end) {
        (Some(start), Some(end)) => wall - (end - start),
        _ => 0.0,
    };
    (waited < 0.05 * wall + 2e-6).then_some(measured)
}

/// Microseconds that something takes, without what reading the clock takes.
fn timed(clock: f64, run: impl FnOnce()) -> f64 {
    let start = Instant::now();
    run();
    since(start, clock)
}

/// Microseconds since a moment, without what reading the clock takes.
fn since(start: Instant, clock: f64) -> f64 {
    f64::max(start.elapsed().as_secs_f64() * 1e6 - clock, 0.0)
}

/// Microseconds between two readings of the clock with nothing between them.
fn clock_microseconds() -> f64 {
    let mut readings: Vec<f64> = (0..1000).map(|_| timed(0.0, || ())).collect();
    median(&mut readings)
}
