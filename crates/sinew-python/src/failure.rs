//! What goes wrong, as Python exceptions.
//!
//! A panic is our fault, never the user's: it becomes `sinew.InternalError` with our version, the
//! message and a backtrace, and the interpreter lives on. The exception classes are defined in
//! `sinew/errors.py`, where they are easy to read and document.

use pyo3::prelude::*;
use std::backtrace::Backtrace;
use std::cell::{Cell, RefCell};
use std::panic::{AssertUnwindSafe, catch_unwind, set_hook, take_hook};
use std::sync::Once;

thread_local! {
    /// Guarded calls in progress on this thread.
    static GUARDS: Cell<u32> = const { Cell::new(0) };
    /// Message and backtrace of the last panic inside a guarded call.
    static REPORT: RefCell<String> = const { RefCell::new(String::new()) };
}

/// Records panics of guarded calls instead of printing them; all others go where they went before.
pub fn capture_panics() {
    static INSTALLED: Once = Once::new();
    INSTALLED.call_once(|| {
        let previous = take_hook();
        set_hook(Box::new(move |info| {
            if GUARDS.get() == 0 {
                previous(info);
                return;
            }
            let report = format!("{info}\n{}", Backtrace::force_capture());
            REPORT.with_borrow_mut(|slot| *slot = report);
        }));
    });
}

/// Runs a function; a panic becomes `InternalError`. Needs no interpreter lock while running.
pub fn guard<T>(run: impl FnOnce() -> T) -> PyResult<T> {
    GUARDS.set(GUARDS.get() + 1);
    let outcome = catch_unwind(AssertUnwindSafe(run));
    GUARDS.set(GUARDS.get() - 1);
    outcome.map_err(|panic| {
        let mut report = REPORT.take();
        // A panic that has come from another thread was printed there.
        if report.is_empty() {
            let text = panic.downcast_ref::<&str>().map(|text| (*text).to_owned());
            let text = text.or_else(|| panic.downcast_ref::<String>().cloned());
            report = text.unwrap_or_default();
        }
        let version = env!("CARGO_PKG_VERSION");
        exception(
            "InternalError",
            format!("this is a fault of sinew {version}, not yours: {report}"),
        )
    })
}

/// An exception of a class in `sinew.errors`.
pub fn exception(class: &str, message: String) -> PyErr {
    Python::attach(|py| {
        let made = py
            .import("sinew.errors")
            .and_then(|errors| errors.getattr(class)?.call1((message,)));
        made.map_or_else(|error| error, PyErr::from_value)
    })
}

/// A call that cannot be made as it is: a `ValueError` that is also what the reference raises.
pub fn wrong_call(message: impl Into<String>) -> PyErr {
    exception("CallError", message.into())
}

/// An index that nothing has: an `IndexError` that is also what the reference raises.
pub fn out_of_range(message: impl Into<String>) -> PyErr {
    exception("OutOfRange", message.into())
}

/// The object is in use by another thread.
pub fn busy(what: &str) -> PyErr {
    exception(
        "BusyError",
        format!("this {what} is in use by another thread; give each thread its own"),
    )
}
