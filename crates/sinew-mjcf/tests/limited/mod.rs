//! Runs a load in a thread with a stack of 2 MiB and measures the time it computes, which does not
//! depend on what else the machine is doing.

use std::time::{Duration, Instant};

/// The stack that must suffice.
pub const STACK_BYTES: usize = 2 << 20;

/// The result of a load and its computing time. A panic in the load is a panic here.
pub fn run<T: Send + 'static>(load: impl FnOnce() -> T + Send + 'static) -> (T, Duration) {
    let measured = move || {
        let started = (Instant::now(), computing_time());
        let result = load();
        let wall = started.0.elapsed();
        let time = match (started.1, computing_time()) {
            (Some(before), Some(after)) => after.saturating_sub(before),
            _ => wall,
        };
        (result, time)
    };
    std::thread::Builder::new()
        .stack_size(STACK_BYTES)
        .spawn(measured)
        .expect("a thread")
        .join()
        .expect("no panic")
}

/// Time the calling thread has spent on a processor, where the system tells.
fn computing_time() -> Option<Duration> {
    let text = std::fs::read_to_string("/proc/thread-self/schedstat").ok()?;
    let nanoseconds = text.split_whitespace().next()?.parse().ok()?;
    Some(Duration::from_nanos(nanoseconds))
}
