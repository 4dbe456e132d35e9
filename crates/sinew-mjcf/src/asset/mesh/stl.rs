//! Binary STL.
//!
//! 80 bytes of header, the number of faces, then 50 bytes per face: a normal (ignored), three
//! vertices, two bytes of attributes. Vertices that are equal as numbers become one, numbered in
//! the order of their first appearance. Text files of this name are refused, as in the reference.

#![deny(
    clippy::indexing_slicing,
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic
)]

use super::MAX_STL_FACES;
use super::error::MeshError;
use super::raw::RawMesh;
use sinew_collision::hash::QuickMap;

const HEADER: usize = 84;
const FACE: usize = 50;
/// Coordinates beyond this are refused.
const MAX_COORDINATE: f32 = 1_073_741_824.0;

pub(super) fn read(bytes: &[u8], is_mirrored: bool) -> Result<RawMesh, MeshError> {
    if bytes.is_empty() {
        return Err(MeshError::malformed("the STL file is empty"));
    }
    let (Some(count), Some(body)) = (
        bytes.get(80..HEADER).and_then(|b| b.try_into().ok()),
        bytes.get(HEADER..),
    ) else {
        return Err(MeshError::malformed(
            "invalid header in the STL file: it is shorter than 84 bytes",
        ));
    };
    let count = i32::from_le_bytes(count);
    let count = match usize::try_from(count) {
        Ok(count @ 1..=MAX_STL_FACES) => count,
        _ => {
            return Err(MeshError::at_byte(
                80,
                format!(
                    "the number of faces of an STL file should be between 1 and \
                     {MAX_STL_FACES}; perhaps this is an ASCII file?"
                ),
            ));
        }
    };
    if body.len() != count * FACE {
        return Err(MeshError::malformed(format!(
            "the STL file has {} bytes of faces, which is not what its header says; perhaps this is \
             an ASCII file?",
            body.len()
        )));
    }

    let mut raw = RawMesh::default();
    raw.faces.reserve(count);
    let mut known: QuickMap<[u32; 3], i32> = QuickMap::default();
    known.reserve(count);
    for (number, record) in body.chunks_exact(FACE).enumerate() {
        let mut corners = [0_i32; 3];
        for (corner, bytes) in corners.iter_mut().zip(vertex_bytes(record)) {
            let vertex = bytes.map(f32::from_le_bytes);
            if vertex.iter().any(|x| x.abs() > MAX_COORDINATE) {
                return Err(MeshError::at_byte(
                    HEADER + FACE * number,
                    format!("a vertex of face {number} exceeds the maximum bounds of 2^30"),
                ));
            }
            if vertex.iter().any(|x| x.is_nan()) {
                return Err(MeshError::at_byte(
                    HEADER + FACE * number,
                    format!("a vertex of face {number} is not finite"),
                ));
            }
            // Adding zero makes a negative zero positive, so that both are one vertex.
            let key = vertex.map(|x| (x + 0.0).to_bits());
            let next = raw.vertices.len() as i32;
            *corner = *known.entry(key).or_insert_with(|| {
                raw.vertices.push(vertex);
                next
            });
        }
        if is_mirrored {
            corners.swap(1, 2);
        }
        raw.faces.push(corners);
    }
    Ok(raw)
}

/// The most bytes that reading a file holds: faces, vertices in a list that grew, and their map.
pub(super) fn memory(bytes: &[u8]) -> u64 {
    (bytes.len() / FACE) as u64 * 160
}

/// The three vertices of a 50-byte record.
fn vertex_bytes(record: &[u8]) -> impl Iterator<Item = [[u8; 4]; 3]> {
    record.chunks_exact(12).skip(1).take(3).map(|bytes| {
        let word = |k: usize| bytes.get(4 * k..4 * k + 4).and_then(|b| b.try_into().ok());
        [0, 1, 2].map(|k| word(k).unwrap_or_default())
    })
}
