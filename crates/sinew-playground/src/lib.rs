//! The playground: loader, engine and renderer in a page of the browser, without a server.
//!
//! ```text
//! files that are dropped ──▶ Playground ──▶ bytes of pixels ──▶ canvas
//!        page/zip.js          (a worker, page/worker.js)         page/page.js
//! ```
//!
//! [`Playground`] is all of it as safe code; `boundary` gives it to a page as functions of numbers and places in
//! memory. `crates/sinew-playground/build` makes one file of module, scripts and page.
#![cfg_attr(
    not(test),
    deny(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::todo)
)]

#[cfg(target_arch = "wasm32")]
mod boundary;
mod files;
mod orbit;
mod playground;

pub use playground::Playground;
