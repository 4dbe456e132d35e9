//! What can be wrong with reading or writing by name.

use std::fmt;

/// Why something cannot be read or written. Nothing was changed.
///
/// ```
/// use sinew::prelude::*;
/// let model = Model::built_in("cartpole")?;
/// let error = model.joint("pivto").unwrap_err();
/// assert_eq!(error.to_string(), "no joint is named \"pivto\": did you mean \"pivot\"?");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum AccessError {
    /// No object of the kind has this name.
    Unknown {
        /// The kind.
        what: &'static str,
        /// The name that was asked for.
        name: String,
        /// The name that was probably meant.
        nearest: Option<String>,
        /// Some of the names there are.
        some: Vec<String>,
    },
    /// The id is of another model.
    Foreign {
        /// The kind.
        what: &'static str,
        /// The id's place among its kind.
        index: usize,
        /// How many this model has.
        count: usize,
    },
    /// Another number of values than the object has.
    Length {
        /// Find values.
        what: &'static str,
        /// How many there must be.
        expected: usize,
        /// How many were given.
        found: usize,
    },
    /// The body is not moved by the user: it is no `mocap` body.
    NotMocap,
}

impl fmt::Display for AccessError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            AccessError::Unknown {
                what,
                name,
                nearest: Some(nearest),
                ..
            } => write!(f, "no {what} is named {name:?}: did you mean {nearest:?}?"),
            AccessError::Unknown {
                what, name, some, ..
            } => {
                write!(f, "no {what} is named {name:?}")?;
                match some.split_first() {
                    None => write!(f, ": none has a name"),
                    Some((first, others)) => {
                        write!(f, ": there are {first:?}")?;
                        others.iter().try_for_each(|name| write!(f, ", {name:?}"))?;
                        write!(f, " …")
                    }
                }
            }
            AccessError::Foreign { what, index, count } => write!(
                f,
                "{what} {index} is of another model: this one has {count}"
            ),
            AccessError::Length {
                what,
                expected,
                found,
            } => write!(f, "{what} needs {expected} numbers, not {found}"),
            AccessError::NotMocap => write!(f, "the body is not a mocap body"),
        }
    }
}

impl std::error::Error for AccessError {}
