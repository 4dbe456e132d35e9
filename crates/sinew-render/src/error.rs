//! Why there is no picture.

use std::fmt;

/// Why there is no picture.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum RenderError {
    /// A picture needs pixels, and not more than can be held.
    Size {
        /// Pixels in a row.
        width: usize,
        /// Rows.
        height: usize,
    },
    /// The model has more triangles or pixels of textures than are drawn.
    TooMuch {
        /// What there is too much of.
        what: &'static str,
        /// How much.
        found: u64,
        /// The most that is drawn.
        most: u64,
    },
}

impl fmt::Display for RenderError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            RenderError::Size { width, height } => write!(
                f,
                "a picture of {width} × {height} pixels: each side needs 1 to 8192"
            ),
            RenderError::TooMuch { what, found, most } => {
                write!(f, "{found} {what} to draw, at most {most} are")
            }
        }
    }
}

impl std::error::Error for RenderError {}
