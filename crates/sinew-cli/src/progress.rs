//! A line on the terminal that says how far a run is.

use std::io::{IsTerminal, Write};
use std::time::{Duration, Instant};

/// Characters of the bar.
const WIDTH: usize = 30;
/// Time between two drawings.
const PERIOD: Duration = Duration::from_millis(200);

/// The line; nothing is drawn where standard error is no terminal.
pub struct Progress {
    steps: usize,
    /// Steps between two looks at the clock.
    stride: usize,
    start: Instant,
    last: Instant,
    is_terminal: bool,
    is_shown: bool,
}

impl Progress {
    /// For a number of steps, with so many between two looks at the clock, which costs more than a small step.
    pub fn new(steps: usize, stride: usize) -> Self {
        Progress {
            steps,
            stride,
            start: Instant::now(),
            last: Instant::now(),
            is_terminal: std::io::stderr().is_terminal(),
            is_shown: false,
        }
    }

    /// Draws now and then.
    pub fn show(&mut self, done: usize) {
        if !self.is_terminal || done % self.stride != 0 || self.last.elapsed() < PERIOD {
            return;
        }
        self.last = Instant::now();
        self.is_shown = true;
        let elapsed = self.start.elapsed().as_secs_f64();
        let line = bar(done, self.steps, elapsed);
        let _ = write!(std::io::stderr(), "\r{line}\x1b[K");
    }

    /// Takes the line away.
    pub fn clear(&self) {
        if self.is_shown {
            let _ = write!(std::io::stderr(), "\r\x1b[K");
        }
    }
}

/// The bar, the share done and the time left.
fn bar(done: usize, steps: usize, elapsed: f64) -> String {
    let share = done as f64 / steps.max(1) as f64;
    let filled = (share * WIDTH as f64) as usize;
    let left = elapsed * (1.0 - share) / share.max(1e-9);
    format!(
        "{}{} {:3.0} %, {left:.0} s left",
        "█".repeat(filled.min(WIDTH)),
        "░".repeat(WIDTH.saturating_sub(filled)),
        100.0 * share
    )
}

#[cfg(test)]
mod tests {
    use super::bar;

    #[test]
    fn the_bar_says_share_and_time_left() {
        assert_eq!(
            bar(250, 1000, 5.0),
            format!("{}{}  25 %, 15 s left", "█".repeat(7), "░".repeat(23))
        );
        assert!(bar(1000, 1000, 5.0).ends_with("100 %, 0 s left"));
        assert!(bar(0, 0, 0.0).contains("0 %"));
    }
}
