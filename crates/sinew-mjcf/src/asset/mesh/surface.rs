//! The triangles of a mesh file as they are: what a flexcomp is made of.
//!
//! Equal vertices become one, numbered in the order of their first appearance.

#![deny(
    clippy::indexing_slicing,
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic
)]

use super::error::MeshError;
use super::raw::{Format, RawMesh, first_outside, format_of};
use super::{obj, stl};
use crate::asset::pace::Pace;
use crate::source::Source;
use sinew_collision::hash::QuickMap;

/// Vertices and triangles.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Surface {
    /// The vertices, all different.
    pub vertices: Vec<[f32; 3]>,
    /// Vertices of each triangle.
    pub faces: Vec<[i32; 3]>,
    /// Texture coordinates; empty when the file has none.
    pub texcoords: Vec<[f32; 2]>,
    /// Texture coordinates of the corners of each triangle, −1 for none; empty without any.
    pub face_texcoords: Vec<[i32; 3]>,
}

/// Reads the triangles of an OBJ or STL file; its extension decides.
pub fn read_surface(name: &str, bytes: &[u8], load: &Source) -> Result<Surface, MeshError> {
    let goes_on = || !load.is_overdue();
    let pace = &Pace::new(&goes_on);
    // As much again for the merged vertices and their map.
    let take = |bytes: u64| {
        let taken = load.memory().take(bytes.saturating_mul(2));
        taken.map_err(|shortage| MeshError::limit(format!("it would take {shortage}")))
    };
    let raw = match format_of(name, "")? {
        Format::Obj => {
            take(obj::memory(bytes, pace)?)?;
            obj::read(bytes, false, pace)?
        }
        Format::Stl => {
            take(stl::memory(bytes))?;
            stl::read(bytes, false)?
        }
        Format::Msh => {
            return Err(MeshError::format(
                "a flexcomp cannot be made from the legacy MSH format",
            ));
        }
    };
    pace.look()?;
    if let Some((face, index)) = first_outside(&raw.faces, 0, raw.vertices.len()) {
        return Err(MeshError::geometry(format!(
            "in face {face}, vertex index {index} does not exist"
        )));
    }
    if let Some((face, index)) = first_outside(&raw.face_texcoords, -1, raw.texcoords.len()) {
        return Err(MeshError::geometry(format!(
            "in face {face}, texcoord index {index} does not exist"
        )));
    }
    if raw.vertices.is_empty() || raw.faces.is_empty() {
        return Err(MeshError::geometry("the file has no vertices or no faces"));
    }
    Ok(merge(raw))
}

fn merge(raw: RawMesh) -> Surface {
    let mut vertices = Vec::with_capacity(raw.vertices.len());
    let mut known: QuickMap<[u32; 3], i32> = QuickMap::default();
    let mut merged = Vec::with_capacity(raw.vertices.len());
    for vertex in raw.vertices {
        // Adding zero makes a negative zero positive, so that both are one vertex.
        let key = vertex.map(|x| (x + 0.0).to_bits());
        let next = vertices.len() as i32;
        merged.push(*known.entry(key).or_insert_with(|| {
            vertices.push(vertex);
            next
        }));
    }
    let id = |index: i32| {
        usize::try_from(index)
            .ok()
            .and_then(|index| merged.get(index))
    };
    let faces = raw.faces.iter();
    Surface {
        faces: faces
            .map(|face| face.map(|index| id(index).copied().unwrap_or(0)))
            .collect(),
        vertices,
        texcoords: raw.texcoords,
        face_texcoords: raw.face_texcoords,
    }
}
