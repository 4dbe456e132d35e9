//! Ctrl-C in the middle of a long call that has released the interpreter lock and works on several threads.

use crate::data::PATIENCE;
use pyo3::prelude::*;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, PoisonError};
use std::thread::{self, ThreadId};
use std::time::Instant;

/// Watches for Ctrl-C. Only the thread that made it looks, now and then; the others hear of it.
pub struct Interrupt {
    caller: ThreadId,
    looked: Mutex<Instant>,
    has_come: AtomicBool,
    /// What it has raised.
    error: Mutex<Option<PyErr>>,
}

impl Interrupt {
    /// Begins to watch, in this thread.
    pub fn new() -> Self {
        Interrupt {
            caller: thread::current().id(),
            looked: Mutex::new(Instant::now()),
            has_come: AtomicBool::new(false),
            error: Mutex::new(None),
        }
    }

    /// Whether this is the thread that made it.
    pub fn is_in_caller(&self) -> bool {
        thread::current().id() == self.caller
    }

    /// Whether the work goes on. Without the interpreter lock.
    pub fn goes_on(&self) -> bool {
        if !self.has_come.load(Ordering::Relaxed) && self.is_in_caller() {
            let mut looked = self.looked.lock().unwrap_or_else(PoisonError::into_inner);
            if looked.elapsed() > PATIENCE {
                if let Err(error) = Python::attach(|py| py.check_signals()) {
                    self.stop(error);
                }
                *looked = Instant::now();
            }
        }
        !self.has_come.load(Ordering::Relaxed)
    }

    /// Ends the work with an error.
    pub fn stop(&self, error: PyErr) {
        let mut slot = self.error.lock().unwrap_or_else(PoisonError::into_inner);
        slot.get_or_insert(error);
        self.has_come.store(true, Ordering::Relaxed);
    }

    /// What has ended the work, if anything has.
    pub fn raise(&self) -> PyResult<()> {
        let mut error = self.error.lock().unwrap_or_else(PoisonError::into_inner);
        error.take().map_or(Ok(()), Err)
    }
}
