//! Timed runs of the workload, on one thread and on several.

use super::workload::{Controls, Plan, cpu_seconds, reset};
use sinew::engine::Data;
use sinew::model::Model;
use std::time::Instant;

/// What one run of all episodes took.
#[derive(Clone, Copy, Default)]
pub struct Rollout {
    /// Seconds of the timed steps.
    pub wall: f64,
    /// Seconds of the timed steps on a processor, where the system tells.
    pub cpu: Option<f64>,
    /// Sum of the positions at the end of every episode.
    pub checksum: f64,
    /// Steps that met a bad value.
    pub divergences: usize,
}

/// All episodes once; only the timed steps count.
pub fn rollout(model: &Model, plan: &Plan, thread: u64) -> Rollout {
    let mut data = Data::new(model);
    let mut controls = Controls::new(model, plan.key, thread);
    let mut out = Rollout::default();
    let mut cpu = Some(0.0);
    for _ in 0..plan.episodes {
        reset(model, &mut data, plan.key);
        for _ in 0..plan.warm {
            controls.set(&mut data.input.ctrl);
            out.divergences += usize::from(data.step(model).is_err());
        }
        let (start, cpu_start) = (Instant::now(), cpu_seconds());
        for _ in 0..plan.steps {
            controls.set(&mut data.input.ctrl);
            out.divergences += usize::from(data.step(model).is_err());
        }
        let cpu_end = cpu_seconds();
        out.wall += start.elapsed().as_secs_f64();
        cpu = match (cpu, cpu_start, cpu_end) {
            (Some(sum), Some(start), Some(end)) => Some(sum + end - start),
            _ => None,
        };
        out.checksum += data.state.qpos.iter().sum::<f64>();
    }
    out.cpu = cpu;
    out
}

/// Steps per second of several threads together: the sum of what each reaches beside the others,
/// median over the repetitions.
pub fn throughput(model: &Model, plan: &Plan, threads: usize, repetitions: usize) -> f64 {
    let steps = (plan.steps * plan.episodes) as f64;
    let start = std::sync::Barrier::new(threads);
    let once = || {
        std::thread::scope(|scope| {
            let running: Vec<_> = (0..threads)
                .map(|thread| {
                    let start = &start;
                    scope.spawn(move || {
                        start.wait();
                        steps / rollout(model, plan, thread as u64).wall
                    })
                })
                .collect();
            let rates = running.into_iter().map(|thread| thread.join());
            rates.map(|rate| rate.unwrap_or(0.0)).sum::<f64>()
        })
    };
    let mut rates: Vec<f64> = (0..repetitions).map(|_| once()).collect();
    median(&mut rates)
}

/// The middle value, or the mean of the two in the middle.
pub fn median(values: &mut [f64]) -> f64 {
    values.sort_by(f64::total_cmp);
    let half = values.len() / 2;
    match values.get(half) {
        Some(&upper) if values.len() % 2 == 0 => 0.5 * (values[half - 1] + upper),
        Some(&middle) => middle,
        None => 0.0,
    }
}
