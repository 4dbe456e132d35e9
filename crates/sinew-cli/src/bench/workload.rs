//! The benchmark's workload: random controls over episodes, the same for every engine.
//!
//! One 64-bit generator per thread, seed 12345 + thread, runs on through episodes. Before each
//! step every actuator, in order, gets mid + 0.2·half·(2u − 1), clipped to its range.

use sinew::engine::Data;
use sinew::model::Model;

/// What is run.
#[derive(Clone, Copy, Debug)]
pub struct Plan {
    pub key: Option<usize>,
    pub warm: usize,
    pub steps: usize,
    pub episodes: usize,
}

impl Plan {
    /// One episode of at most 200 steps.
    pub fn short(&self) -> Plan {
        Plan {
            steps: self.steps.min(200),
            episodes: 1,
            ..*self
        }
    }
}

/// Random controls around the middle of each range.
pub struct Controls {
    state: u64,
    /// Middle, half range and limits of each control.
    ranges: Vec<(f64, f64, Option<[f64; 2]>)>,
}

impl Controls {
    pub fn new(model: &Model, key: Option<usize>, thread: u64) -> Self {
        let ranges = (0..model.nu)
            .map(|i| {
                let [low, high] = model.actuator_ctrlrange[i];
                let is_limited = model.actuator_ctrllimited[i] != 0;
                let (mut middle, half) = if is_limited {
                    (0.5 * (low + high), 0.5 * (high - low))
                } else {
                    (0.0, 1.0)
                };
                if let Some(key) = key {
                    middle = model.key_ctrl[key * model.nu + i];
                }
                (middle, half, is_limited.then_some([low, high]))
            })
            .collect();
        Controls {
            state: 12345 + thread,
            ranges,
        }
    }

    pub fn set(&mut self, ctrl: &mut [f64]) {
        for (ctrl, (middle, half, limits)) in ctrl.iter_mut().zip(&self.ranges) {
            self.state = self
                .state
                .wrapping_mul(6364136223846793005)
                .wrapping_add(1442695040888963407);
            let u = (self.state >> 11) as f64 * (1.0 / 9007199254740992.0);
            let mut value = middle + 0.2 * half * (2.0 * u - 1.0);
            if let Some([low, high]) = limits {
                value = if value < *low {
                    *low
                } else if value > *high {
                    *high
                } else {
                    value
                };
            }
            *ctrl = value;
        }
    }
}

/// Resets to the plan's start.
pub fn reset(model: &Model, data: &mut Data, key: Option<usize>) {
    let _ = match key {
        Some(key) => data.reset_to_keyframe(model, key),
        None => data.reset(model),
    };
}

/// Seconds this thread has spent on a processor, where the system tells.
#[cfg(unix)]
pub fn cpu_seconds() -> Option<f64> {
    let time = rustix::time::clock_gettime(rustix::time::ClockId::ThreadCPUTime);
    Some(time.tv_sec as f64 + time.tv_nsec as f64 * 1e-9)
}

/// Seconds this thread has spent on a processor, where the system tells.
#[cfg(not(unix))]
pub fn cpu_seconds() -> Option<f64> {
    None
}
