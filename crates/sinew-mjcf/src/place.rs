//! Where something was written.

#![deny(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    clippy::arithmetic_side_effects
)]

/// A position in the text of a model: which document, which of its files, line and column.
///
/// A *document* is a main model file with all its includes, or a sub-model pulled in by a `model`
/// asset. Its compiler settings (angle unit, euler sequence, asset folders…) apply to every
/// element written in it, wherever expansion moves the element: so the place also answers "in
/// which units is this number?".
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Place {
    /// Index into [`Spec::documents`](crate::spec::Spec::documents).
    pub document: u16,
    /// Index into [`Spec::files`](crate::spec::Spec::files).
    pub file: u16,
    /// Line, from 1; 0 when the place is unknown.
    pub line: u32,
    /// Column in characters, from 1; 0 when unknown.
    pub column: u32,
}

/// A value together with the place it was written at.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct At<T> {
    /// The value.
    pub value: T,
    /// Where its text starts.
    pub place: Place,
}

impl<T> At<T> {
    /// A value written at a place.
    pub fn new(value: T, place: Place) -> Self {
        At { value, place }
    }
}
