//! Ctrl-C: the program ends with exit code 130, at once or, where a command asks for it, between
//! two steps.
//!
//! The flags are global because a signal is: there is one handler per process.

use std::sync::atomic::{AtomicBool, Ordering};

static IS_AWAITED: AtomicBool = AtomicBool::new(false);
static IS_RAISED: AtomicBool = AtomicBool::new(false);

/// Installs the handler.
pub fn listen() {
    // Without a handler Ctrl-C ends the program as usual, so there is nothing to report.
    let _ = ctrlc::set_handler(|| {
        let was_raised = IS_RAISED.swap(true, Ordering::Relaxed);
        if was_raised || !IS_AWAITED.load(Ordering::Relaxed) {
            std::process::exit(i32::from(crate::INTERRUPTED));
        }
    });
}

/// From now on the command looks for itself. A second Ctrl-C still ends the program at once.
pub fn wait_for_command() {
    IS_AWAITED.store(true, Ordering::Relaxed);
}

/// Whether Ctrl-C was pressed.
pub fn is_raised() -> bool {
    IS_RAISED.load(Ordering::Relaxed)
}
