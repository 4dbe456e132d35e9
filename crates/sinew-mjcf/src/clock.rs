//! The clock that limits on time look at. The bare target of browsers has none: there no time passes.

use std::time::{Duration, Instant};

const HAS_CLOCK: bool = !cfg!(all(target_family = "wasm", target_os = "unknown"));

/// A moment, where there is a clock.
#[derive(Clone, Copy, Debug)]
pub struct Moment(Option<Instant>);

impl Moment {
    /// This moment.
    pub fn now() -> Self {
        Moment(HAS_CLOCK.then(Instant::now))
    }

    /// How long ago it is.
    pub fn elapsed(self) -> Duration {
        self.0.map_or(Duration::ZERO, |moment| moment.elapsed())
    }
}
