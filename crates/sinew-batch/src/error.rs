//! What can be wrong with a batch.

use core::fmt;
use sinew_engine::CallError;

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
            BatchError::Call(error) => error.fmt(f),
        }
    }
}

impl core::error::Error for BatchError {}
