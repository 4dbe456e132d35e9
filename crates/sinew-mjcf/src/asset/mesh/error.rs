//! What can go wrong with a mesh.

use crate::asset::pace::Late;
use std::fmt;

/// Where in a mesh file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Place {
    /// Line of a text file, from 1.
    Line(usize),
    /// Offset in a binary file, from 0.
    Byte(usize),
}

/// A mesh that cannot be compiled.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum MeshError {
    /// The file type is not known or not supported.
    Format {
        /// What is wrong.
        message: String,
    },
    /// The content of the file is not what its type promises.
    Malformed {
        /// What is wrong.
        message: String,
        /// Where, if it is one place.
        place: Option<Place>,
    },
    /// There is no time left, or nobody wants it any more.
    Late,
    /// A count is beyond the limits.
    Limit {
        /// What is wrong.
        message: String,
    },
    /// An attribute of the element is wrong or contradicts another or the file.
    Attribute {
        /// The attribute.
        attribute: &'static str,
        /// What is wrong.
        message: String,
    },
    /// The data are readable but make no mesh.
    Geometry {
        /// What is wrong.
        message: String,
    },
}

impl MeshError {
    pub(super) fn format(message: impl Into<String>) -> Self {
        MeshError::Format {
            message: message.into(),
        }
    }

    pub(super) fn malformed(message: impl Into<String>) -> Self {
        MeshError::Malformed {
            message: message.into(),
            place: None,
        }
    }

    pub(super) fn at_line(line: usize, message: impl Into<String>) -> Self {
        MeshError::Malformed {
            message: message.into(),
            place: Some(Place::Line(line)),
        }
    }

    pub(super) fn at_byte(byte: usize, message: impl Into<String>) -> Self {
        MeshError::Malformed {
            message: message.into(),
            place: Some(Place::Byte(byte)),
        }
    }

    pub(super) fn limit(message: impl Into<String>) -> Self {
        MeshError::Limit {
            message: message.into(),
        }
    }

    pub(super) fn attribute(attribute: &'static str, message: impl Into<String>) -> Self {
        MeshError::Attribute {
            attribute,
            message: message.into(),
        }
    }

    pub(super) fn geometry(message: impl Into<String>) -> Self {
        MeshError::Geometry {
            message: message.into(),
        }
    }

    /// The message without the place.
    pub fn message(&self) -> &str {
        match self {
            MeshError::Late => Late::MESSAGE,
            MeshError::Format { message }
            | MeshError::Malformed { message, .. }
            | MeshError::Limit { message }
            | MeshError::Attribute { message, .. }
            | MeshError::Geometry { message } => message,
        }
    }

    /// The place in the mesh file, if known.
    pub fn place(&self) -> Option<Place> {
        match self {
            MeshError::Malformed { place, .. } => *place,
            _ => None,
        }
    }

    /// The attribute of the element that is to blame, if one is.
    pub fn blamed_attribute(&self) -> Option<&'static str> {
        match self {
            MeshError::Attribute { attribute, .. } => Some(attribute),
            _ => None,
        }
    }
}

impl fmt::Display for MeshError {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        match self.place() {
            Some(Place::Line(line)) => write!(f, "line {line}: ")?,
            Some(Place::Byte(byte)) => write!(f, "byte {byte}: ")?,
            None => {}
        }
        f.write_str(self.message())
    }
}

impl std::error::Error for MeshError {}

impl From<Late> for MeshError {
    fn from(_: Late) -> Self {
        MeshError::Late
    }
}
