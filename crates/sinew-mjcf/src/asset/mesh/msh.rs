//! The reference's legacy binary mesh format.
//!
//! Four integers (vertices, normals, texture coordinates, faces), then the arrays in that order:
//! 3, 3, 2 floats and 3 integers per row. Normals and texture coordinates are absent or one per
//! vertex, and share the index of the vertex.

#![deny(
    clippy::indexing_slicing,
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic
)]

use super::MAX_ELEMENTS;
use super::error::MeshError;
use super::raw::RawMesh;
use crate::asset::pace::Pace;

pub(super) fn read(bytes: &[u8], is_mirrored: bool, pace: &Pace) -> Result<RawMesh, MeshError> {
    if bytes.is_empty() {
        return Err(MeshError::malformed("the MSH file is empty"));
    }
    let words = bytes.chunks_exact(4);
    let rest = words.remainder();
    let words: Vec<[u8; 4]> = words.filter_map(|word| word.try_into().ok()).collect();
    pace.look()?;
    let Some((&header, data)) = words.split_first_chunk() else {
        return Err(MeshError::malformed("missing header in the MSH file"));
    };
    let [vertices, normals, texcoords, faces] = header.map(i32::from_le_bytes);
    let is_valid = vertices >= 4
        && faces >= 0
        && (normals == 0 || normals == vertices)
        && (texcoords == 0 || texcoords == vertices);
    let (Ok(vertices), Ok(normals), Ok(texcoords), Ok(faces), true) = (
        usize::try_from(vertices),
        usize::try_from(normals),
        usize::try_from(texcoords),
        usize::try_from(faces),
        is_valid,
    ) else {
        return Err(MeshError::at_byte(
            0,
            "invalid sizes in the MSH file: at least 4 vertices, as many normals and texture \
             coordinates or none, no negative number of faces",
        ));
    };
    if vertices > MAX_ELEMENTS || faces > MAX_ELEMENTS {
        return Err(MeshError::limit(format!(
            "an MSH file may have {MAX_ELEMENTS} vertices and faces, the header of this one says more"
        )));
    }
    // Counts are below ten million, so this cannot overflow.
    let expected = 3 * vertices + 3 * normals + 2 * texcoords + 3 * faces;
    if data.len() != expected || !rest.is_empty() {
        return Err(MeshError::malformed(format!(
            "the MSH file has {} bytes, which is not what its header says",
            bytes.len(),
        )));
    }

    let (vertex_words, data) = data.split_at(3 * vertices);
    let (normal_words, data) = data.split_at(3 * normals);
    let (texcoord_words, face_words) = data.split_at(2 * texcoords);
    let as_written: Vec<[i32; 3]> = rows(face_words, i32::from_le_bytes);
    pace.look()?;
    let vertices = rows(vertex_words, f32::from_le_bytes);
    pace.look()?;
    let mut mesh = RawMesh {
        vertices,
        normals: rows(normal_words, f32::from_le_bytes),
        texcoords: rows(texcoord_words, f32::from_le_bytes),
        faces: as_written.clone(),
        face_normals: as_written.clone(),
        face_texcoords: if texcoords > 0 {
            as_written
        } else {
            Vec::new()
        },
    };
    // As in the reference, normals and texture coordinates stay in their places.
    if is_mirrored {
        for face in &mut mesh.faces {
            face.swap(1, 2);
        }
    }
    Ok(mesh)
}

fn rows<T, const N: usize>(words: &[[u8; 4]], convert: impl Fn([u8; 4]) -> T) -> Vec<[T; N]> {
    let rows = words.chunks_exact(N);
    let rows = rows.filter_map(|row| <[[u8; 4]; N]>::try_from(row).ok());
    rows.map(|row| row.map(&convert)).collect()
}
