//! What a file may say that nobody means: empty names, values at the edge of their range, headers and
//! chunks that promise what is not there. Each is an error or a model that steps; none is a panic.

mod attributes;
mod binary;
mod png_chunks;
mod secrets;
mod time;

use sinew_engine::Data;
use sinew_mjcf::{Limits, Loader};
use std::time::Duration;

/// Limits that keep a case small.
fn limits() -> Limits {
    Limits {
        elements: 20_000,
        pixels: 1 << 16,
        mesh_elements: 10_000,
        model_bytes: 64 << 20,
        data_bytes: 64 << 20,
        load_time: Duration::from_secs(10),
        ..Limits::default()
    }
}

/// Loads a text; what is accepted must also step. Whether it was accepted.
fn survives(loader: &Loader, text: &str) -> bool {
    match loader.load_text(text) {
        Ok(loaded) => {
            let model = loaded.model;
            assert_eq!(model.misshapen_column(), None);
            let mut data = Data::new(&model);
            for _ in 0..3 {
                // A state that stays bad is an error of the step; a panic is not.
                let _ = data.step(&model);
            }
            true
        }
        Err(error) => {
            assert!(!error.diagnostics.is_empty());
            false
        }
    }
}
