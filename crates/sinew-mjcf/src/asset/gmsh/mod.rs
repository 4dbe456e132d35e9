//! Meshes in the format of Gmsh, versions 2.2 and 4.1, as text or binary: the points and the simplices
//! of a flexcomp.
//!
//! A file is a sequence of sections `$Name … $EndName`; read are `MeshFormat`, `Nodes` and `Elements`.
//! All elements are of one kind: lines (4.1 only), triangles or tetrahedra. Numbers of binary files are
//! little-endian. Conforms to `mjCFlexcomp::LoadGMSH`.
//!
//! Differs from MuJoCo: numbers that are negative where none may be, and text in place of a number, are
//! errors with their line. In binary files of version 2.2 the nodes of every element are compared with
//! the number of nodes (the reference compares all but the first element's with the number of elements).
//!
//! | file | what |
//! |---|---|
//! | `text.rs` | words with their lines |
//! | `binary.rs` | numbers at byte offsets |
//! | `version_22.rs`, `version_41.rs` | the sections of each version |

#![deny(
    clippy::indexing_slicing,
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::arithmetic_side_effects
)]

mod binary;
#[cfg(test)]
mod tests;
mod text;
mod version_22;
mod version_41;

use crate::asset::mesh::{MeshError, Place};
use crate::asset::pace::{Late, Pace};
use sinew_math::Vec3;

/// Counts beyond this are refused, as in the reference.
const MOST: usize = (i32::MAX / 4) as usize;

/// Points and simplices.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct GmshMesh {
    /// Dimension of the elements.
    pub dim: usize,
    /// The points.
    pub points: Vec<Vec3>,
    /// Points of each element, counted from 0, dim + 1 in a row. Whether they exist is not checked.
    pub elements: Vec<i32>,
}

/// A section of a file: its content and where it begins.
#[derive(Clone, Copy)]
struct Section<'a> {
    name: &'static str,
    bytes: &'a [u8],
    /// Bytes of the file before it.
    start: usize,
    /// Number of its first line.
    line: usize,
    pace: &'a Pace<'a>,
}

/// Reads a file, as long as there is time.
#[doc(alias = "LoadGMSH")]
pub fn read(bytes: &[u8], pace: &Pace) -> Result<GmshMesh, MeshError> {
    let Some(rest) = bytes.strip_prefix(b"$MeshFormat") else {
        return Err(malformed(None, "a Gmsh file begins with $MeshFormat"));
    };
    let mut header = text::Words::new(rest, 1, pace);
    let version = header.real("the version of the format")?;
    let is_binary = header.whole("the kind of file, 0 (text) or 1 (binary)")? != 0;
    let nodes = section(bytes, "$Nodes", "$EndNodes", pace)?;
    let elements = section(bytes, "$Elements", "$EndElements", pace)?;
    match ((100.0 * version).round() as i64, is_binary) {
        (220, false) => version_22::read_text(nodes, elements),
        (220, true) => version_22::read_binary(nodes, elements),
        (410, false) => version_41::read_text(nodes, elements),
        (410, true) => version_41::read_binary(nodes, elements),
        _ => Err(MeshError::Format {
            message: format!("Gmsh format {version} is not supported, only 2.2 and 4.1 are"),
        }),
    }
}

/// Finds a section. Its end mark does not count as the last word of a file, where the reference does
/// not find it.
fn section<'a>(
    bytes: &'a [u8],
    begin: &'static str,
    end: &'static str,
    pace: &'a Pace,
) -> Result<Section<'a>, MeshError> {
    let Some(mark) = find(bytes, begin, pace)? else {
        return Err(malformed(None, format!("the Gmsh file has no {begin}")));
    };
    // One byte ends the line of the mark; in text the other half of a line ending is white space.
    let start = mark.saturating_add(begin.len()).saturating_add(1);
    let content = find(bytes, end, pace)?.and_then(|end| bytes.get(start..end));
    let Some(content) = content else {
        return Err(malformed(
            None,
            format!("the Gmsh file has no {end} after {begin}"),
        ));
    };
    let before = bytes.get(..start).unwrap_or_default();
    let line_endings = before.iter().filter(|byte| **byte == b'\n').count();
    Ok(Section {
        name: begin,
        bytes: content,
        start,
        line: line_endings.saturating_add(1),
        pace,
    })
}

/// Where a mark stands for the first time, with something after it.
fn find(bytes: &[u8], mark: &str, pace: &Pace) -> Result<Option<usize>, Late> {
    let mark = mark.as_bytes();
    for start in (0..bytes.len()).step_by(Pace::BYTES) {
        pace.look()?;
        // What begins in a piece may end in the next.
        let end = start.saturating_add(Pace::BYTES).saturating_add(mark.len());
        let piece = bytes.get(start..end.min(bytes.len())).unwrap_or_default();
        let found = piece.windows(mark.len()).position(|window| window == mark);
        if let Some(found) = found {
            let at = start.saturating_add(found);
            return Ok(Some(at).filter(|at| at.saturating_add(mark.len()) < bytes.len()));
        }
    }
    Ok(None)
}

fn malformed(place: Option<Place>, message: impl Into<String>) -> MeshError {
    MeshError::Malformed {
        message: message.into(),
        place,
    }
}

/// A count that fits the arrays of a model.
fn counted(count: u64, what: &str, place: Place) -> Result<usize, MeshError> {
    usize::try_from(count)
        .ok()
        .filter(|count| *count < MOST)
        .ok_or_else(|| malformed(Some(place), format!("{count} {what} are too many")))
}

/// The dimension of elements of a kind: lines, triangles, tetrahedra.
fn dimension_of(kind: i64) -> Option<usize> {
    match kind {
        1 => Some(1),
        2 => Some(2),
        4 => Some(3),
        _ => None,
    }
}
