//! MJCF: text → [`Spec`] (what was written) → `Model` (compiled).

#![cfg_attr(
    not(test),
    deny(
        clippy::unwrap_used,
        clippy::expect_used,
        clippy::panic,
        clippy::unreachable,
        clippy::todo,
        clippy::unimplemented
    )
)]

pub mod asset;
pub mod classes;
mod clock;
pub mod compile;
pub mod diagnostic;
pub mod edit;
pub mod expand;
mod hint;
pub mod loader;
pub mod memory;
mod nearest;
pub mod place;
pub mod read;
mod render;
pub mod report;
pub mod source;
pub mod spec;
mod urdf;
pub mod write;

pub use classes::Classes;
pub use diagnostic::{Diagnostic, LoadError, Severity};
pub use loader::{Loaded, Loader, ReadSpec, load_path, load_text};
pub use nearest::nearest;
pub use place::{At, Place};
pub use source::{AssetKind, Limits, Source, SourceError};
pub use spec::Spec;
