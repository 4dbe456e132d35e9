//! What can go wrong while a model is edited.

use std::fmt;

/// Why an edit was refused; the model is as before.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum EditError {
    /// The element was deleted, or belongs to another model.
    Gone,
    /// The element has no such field.
    NoField {
        /// What the element is.
        kind: &'static str,
        /// The name asked for.
        field: String,
    },
    /// A value of another type.
    WrongType {
        /// The field.
        field: &'static str,
    },
    /// A list of another length.
    WrongLength {
        /// The field.
        field: &'static str,
        /// How many there must be.
        expected: usize,
        /// How many were given.
        given: usize,
    },
    /// Another element of the kind has the name.
    RepeatedName {
        /// What the element is.
        kind: &'static str,
        /// The name.
        name: String,
    },
    /// The edit makes no sense for these elements.
    NotPossible(String),
}

impl fmt::Display for EditError {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            EditError::Gone => write!(formatter, "the element was deleted"),
            EditError::NoField { kind, field } => {
                write!(formatter, "{kind} has no field `{field}`")
            }
            EditError::WrongType { field } => write!(formatter, "{field} is the wrong type."),
            EditError::WrongLength {
                field, expected, ..
            } => write!(
                formatter,
                "{field} should be a list/array of size {expected}."
            ),
            EditError::RepeatedName { kind, name } => {
                write!(formatter, "Error: repeated name '{name}' in {kind}")
            }
            EditError::NotPossible(why) => write!(formatter, "{why}"),
        }
    }
}

impl std::error::Error for EditError {}
