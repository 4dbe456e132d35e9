//! Models changed by programs: elements with complete values, added, found, changed, deleted.
//!
//! A [`Draft`] holds what the reference's `mjSpec` holds: every element has a value for each of its
//! fields, taken from the built-in values or a default class when it was made. Elements are known
//! by an [`Id`] that is never used twice, so that a handle on a deleted element is refused.
//!
//! ```
//! use sinew_mjcf::edit::{Draft, Kind};
//! use sinew_mjcf::Loader;
//!
//! let mut draft = Draft::new();
//! let body = draft.add(Kind::Body, draft.world(), None)?;
//! draft.set(body, "pos", [0.0, 0.0, 1.0])?;
//! let geom = draft.add(Kind::Geom, body, None)?;
//! draft.set(geom, "size", [0.1, 0.0, 0.0])?;
//! let joint = draft.add(Kind::Joint, body, None)?;
//! draft.set(joint, "axis", [0.0, 1.0, 0.0])?;
//! let loaded = draft.compile(&Loader::new())?;
//! assert_eq!(loaded.model.nq, 1);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! ```text
//! field.rs   what a field is; table/ the fields of every kind of element
//! value.rs   the value of a field; shared.rs numbers that arrays outside may show
//! record.rs  one element; draft.rs all: made, named, changed; find.rs … found and listed; delete.rs … deleted;
//!            keys.rs keyframes follow
//! names.rs   by which elements refer to each other; attach.rs … models put together
//! read/      Spec → Draft: classes resolved, every value filled in
//! save/      compiled values → text
//! write/     Draft → Spec: what differs from the built-in values becomes an attribute
//! ```

#![deny(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing
)]

mod attach;
mod delete;
mod draft;
mod error;
pub mod field;
mod find;
mod keys;
mod names;
mod read;
mod record;
mod save;
pub mod shared;
pub mod table;
mod value;
mod write;

pub use draft::Draft;
pub use error::EditError;
pub use field::{Field, FieldKind};
pub use record::{Id, Record};
pub use table::Kind;
pub use value::Value;
