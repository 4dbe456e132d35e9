//! Whether what a call is about to make fits the memory that the process may still get.
//!
//! An allocation that fails ends a process, so whoever makes something whose size users choose asks here first. What is
//! small is added up, so that the system is asked once for every few megabytes.

use pyo3::exceptions::PyMemoryError;
use pyo3::prelude::*;
use sinew::mjcf::memory::{Bytes, available};
use std::sync::atomic::{AtomicU64, Ordering};

/// So much is made without asking.
const UNASKED: u64 = 2 << 20;
/// So much must stay for what nobody counts.
const RESERVE: u64 = 16 << 20;

static MADE: AtomicU64 = AtomicU64::new(0);

/// Refuses what does not fit.
pub fn check(bytes: u64, what: &str) -> PyResult<()> {
    let made = MADE.fetch_add(bytes, Ordering::Relaxed);
    if made.saturating_add(bytes) < UNASKED {
        return Ok(());
    }
    if available().is_some_and(|room| bytes.saturating_add(RESERVE) > room) {
        // The next one asks again.
        MADE.store(UNASKED, Ordering::Relaxed);
        let message = format!("{what} of {} does not fit the memory", Bytes(bytes));
        return Err(PyMemoryError::new_err(message));
    }
    MADE.store(0, Ordering::Relaxed);
    Ok(())
}

/// Refuses copies of so many numbers of eight bytes.
pub fn check_numbers(count: usize, what: &str) -> PyResult<()> {
    check((count as u64).saturating_mul(8), what)
}
