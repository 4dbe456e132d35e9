//! What the loader has to say about a model: errors and warnings as data.
//!
//! A [`Diagnostic`] carries a stable code, the place, the element path, the attribute, the message
//! and a hint; how it is shown is decided by whoever shows it. `Diagnostics` collects them, so
//! that one pass over a file reports everything it finds and not only the first mistake.

#![deny(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    clippy::arithmetic_side_effects
)]

use std::fmt;

/// How bad it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Severity {
    /// The model does not load.
    Error,
    /// The model loads; something looks unintended.
    Warning,
}

/// One message about a model.
#[derive(Clone, Debug, PartialEq)]
pub struct Diagnostic {
    /// Stable code, such as `mjcf::unknown-attribute`.
    pub code: &'static str,
    /// Error or warning.
    pub severity: Severity,
    /// The file, as the user would name it; empty when unknown.
    pub file: String,
    /// Line, from 1; 0 when unknown.
    pub line: u32,
    /// Column, from 1; 0 when unknown.
    pub column: u32,
    /// Path of the element, such as `mujoco/worldbody/body[torso]/geom`; empty when unknown.
    pub element: String,
    /// The attribute concerned.
    pub attribute: Option<String>,
    /// What is wrong.
    pub message: String,
    /// How to mend it.
    pub hint: Option<String>,
    /// The line of source text, for display.
    pub source_line: Option<String>,
}

impl fmt::Display for Diagnostic {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if !self.file.is_empty() {
            write!(f, "{}:", self.file)?;
            if self.line > 0 {
                write!(f, "{}:{}:", self.line, self.column)?;
            }
            write!(f, " ")?;
        }
        write!(f, "{}", self.message)?;
        if let Some(hint) = &self.hint {
            write!(f, "; {hint}")?;
        }
        Ok(())
    }
}

/// Why a model did not load: at least one error, with the warnings seen on the way.
#[derive(Clone, Debug, PartialEq)]
pub struct LoadError {
    /// All messages, errors first in the order they were found.
    pub diagnostics: Vec<Diagnostic>,
}

impl fmt::Display for LoadError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (i, diagnostic) in self.diagnostics.iter().enumerate() {
            if i > 0 {
                writeln!(f)?;
            }
            write!(f, "{diagnostic}")?;
        }
        Ok(())
    }
}

impl std::error::Error for LoadError {}
