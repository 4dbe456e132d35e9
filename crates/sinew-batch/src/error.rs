//! What can be wrong with a batch.

use core::fmt;
use sinew_engine::CallError;
use sinew_engine::constants::ConstantsError;

/// Why a batch cannot be made, or cannot do what is asked.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum BatchError {
    /// There is not enough memory for so many worlds.
    Memory {
        /// Number of worlds.
        count: usize,
    },
    /// A batch cannot keep, or does not keep, an array of this name.
    UnknownField(String),
    /// Worlds cannot differ, or do not differ, in an array of this name.
    UnknownValue(String),
    /// The constants of a world cannot be derived from its values.
    Constants {
        /// The world.
        world: usize,
        /// What is wrong there.
        error: ConstantsError,
    },
    /// Arguments do not fit together.
    Call(CallError),
}

impl From<CallError> for BatchError {
    fn from(error: CallError) -> Self {
        BatchError::Call(error)
    }
}

impl fmt::Display for BatchError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            BatchError::Memory { count } => write!(f, "no memory for {count} worlds"),
            BatchError::UnknownField(name) => {
                write!(
                    f,
                    "the batch has no `{name}`; see `FIELDS` for what it can keep"
                )
            }
            BatchError::UnknownValue(name) => {
                write!(
                    f,
                    "worlds do not differ in `{name}`; see `Value::all` for what `expand` takes"
                )
            }
            BatchError::Constants { world, error } => write!(f, "world {world}: {error}"),
            BatchError::Call(error) => error.fmt(f),
        }
    }
}

impl core::error::Error for BatchError {}
