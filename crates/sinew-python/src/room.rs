//! Whether what a call is about to make fits the memory that the process may still get.
//!
//! An allocation that fails ends a process, so whoever makes something whose size users choose asks here first. The system
//! takes longer to answer than a small model takes to be copied: it is asked once for every small share of what it had left.

use pyo3::exceptions::PyMemoryError;
use pyo3::prelude::*;
use sinew::mjcf::memory::{Bytes, available};
use std::sync::atomic::{AtomicU64, Ordering};

/// What is made before the system is asked again: one part in so many of what is left, within these bounds.
const SHARE: u64 = 64;
const LEAST: u64 = 2 << 20;
const MOST: u64 = 64 << 20;
/// So much must stay for what nobody counts.
const RESERVE: u64 = 16 << 20;

/// How much may still be made without asking.
static UNASKED: AtomicU64 = AtomicU64::new(0);

/// Refuses what does not fit.
pub fn check(bytes: u64, what: &str) -> PyResult<()> {
    let rest = |unasked: u64| unasked.checked_sub(bytes);
    let taken = UNASKED.fetch_update(Ordering::Relaxed, Ordering::Relaxed, rest);
    if taken.is_ok() {
        return Ok(());
    }
    let room = available().unwrap_or(u64::MAX);
    if bytes.saturating_add(RESERVE) > room {
        let message = format!("{what} of {} does not fit the memory", Bytes(bytes));
        return Err(PyMemoryError::new_err(message));
    }
    UNASKED.store((room / SHARE).clamp(LEAST, MOST), Ordering::Relaxed);
    Ok(())
}

/// Refuses copies of so many numbers of eight bytes.
pub fn check_numbers(count: usize, what: &str) -> PyResult<()> {
    check((count as u64).saturating_mul(8), what)
}
