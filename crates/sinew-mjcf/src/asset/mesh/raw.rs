//! What every source of a mesh produces, and the checks that apply to all of them.

#![deny(
    clippy::indexing_slicing,
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic
)]

use super::error::MeshError;
use super::{
    MAX_ELEMENTS, MeshInertia, MeshRequest, MeshSource, builtin, isosurface, msh, obj, stl,
};
use crate::asset::pace::Pace;

/// Geometry as read. Face indices are still unchecked until [`load`] returns.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct RawMesh {
    pub vertices: Vec<[f32; 3]>,
    pub normals: Vec<[f32; 3]>,
    pub texcoords: Vec<[f32; 2]>,
    pub faces: Vec<[i32; 3]>,
    /// Empty, or as long as `faces`.
    pub face_normals: Vec<[i32; 3]>,
    /// Empty, or as long as `faces`.
    pub face_texcoords: Vec<[i32; 3]>,
}

/// The formats of mesh files.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Format {
    Obj,
    Stl,
    Msh,
}

/// Reads the geometry of a request and checks sizes and indices.
pub(super) fn load(request: &MeshRequest) -> Result<(RawMesh, MeshInertia), MeshError> {
    check_numbers(request)?;
    let mut inertia = request.inertia;
    let inline = Inline::new(request)?;
    let mut is_obj = false;
    let raw = match request.source {
        MeshSource::Inline => inline.into_raw(),
        MeshSource::Distance(shape) => {
            if request.scale != [1.0; 3] {
                return Err(MeshError::attribute(
                    "scale",
                    "a mesh made from a signed distance cannot be scaled",
                ));
            }
            isosurface::extract(&shape)
                .ok_or_else(|| MeshError::geometry("the shape has no positive size"))?
        }
        MeshSource::Builtin { builtin, params } => {
            if !inline.vertices.is_empty() {
                return Err(MeshError::attribute(
                    "builtin",
                    "a builtin mesh cannot be combined with vertex data",
                ));
            }
            let made = builtin::make(builtin, params, request)?;
            if made.is_shell {
                inertia = MeshInertia::Shell;
            }
            let mut raw = inline.into_raw();
            raw.vertices = made.vertices;
            if let Some(normals) = made.normals {
                raw.normals = normals;
            }
            if let Some(faces) = made.faces {
                raw.faces = faces;
            }
            raw
        }
        MeshSource::File {
            name,
            content_type,
            bytes,
        } => {
            // A mirroring scale turns every face around.
            let [x, y, z] = request.scale;
            let is_mirrored = x * y * z <= 0.0;
            let format = format_of(name, content_type)?;
            is_obj = format == Format::Obj;
            let goes_on = || request.may_go_on();
            let pace = &Pace::new(&goes_on);
            request.take(match format {
                Format::Obj => obj::memory(bytes, pace)?,
                Format::Stl => stl::memory(bytes),
                Format::Msh => 4 * bytes.len() as u64,
            })?;
            let raw = match format {
                Format::Obj => obj::read(bytes, is_mirrored, pace)?,
                Format::Stl => stl::read(bytes, is_mirrored)?,
                Format::Msh => msh::read(bytes, is_mirrored, pace)?,
            };
            pace.look()?;
            complete(raw, inline)?
        }
    };
    check(&raw, is_obj)?;
    Ok((raw, inertia))
}

/// Refuses numbers that would spread through the whole mesh.
fn check_numbers(request: &MeshRequest) -> Result<(), MeshError> {
    let finite = |attribute, values: &[f64]| {
        if values.iter().all(|v| v.is_finite()) {
            Ok(())
        } else {
            Err(MeshError::attribute(
                attribute,
                format!("{attribute} must be finite"),
            ))
        }
    };
    finite("scale", &request.scale)?;
    finite("refpos", &request.refpos)?;
    finite("refquat", &request.refquat)?;
    if request.maxhullvert != -1 && request.maxhullvert < 4 {
        return Err(MeshError::attribute(
            "maxhullvert",
            "maxhullvert must be larger than 3",
        ));
    }
    Ok(())
}

/// The inline arrays in rows.
struct Inline {
    vertices: Vec<[f32; 3]>,
    normals: Vec<[f32; 3]>,
    texcoords: Vec<[f32; 2]>,
    faces: Vec<[i32; 3]>,
}

impl Inline {
    fn new(request: &MeshRequest) -> Result<Self, MeshError> {
        Ok(Inline {
            vertices: rows("vertex", request.vertex)?,
            normals: rows("normal", request.normal)?,
            texcoords: rows("texcoord", request.texcoord)?,
            faces: rows("face", request.face)?,
        })
    }

    fn into_raw(self) -> RawMesh {
        RawMesh {
            vertices: self.vertices,
            normals: self.normals,
            texcoords: self.texcoords,
            faces: self.faces,
            ..RawMesh::default()
        }
    }
}

fn rows<T: Copy, const N: usize>(
    attribute: &'static str,
    values: &[T],
) -> Result<Vec<[T; N]>, MeshError> {
    if !values.len().is_multiple_of(N) {
        return Err(MeshError::attribute(
            attribute,
            format!("{attribute} data must be a multiple of {N}"),
        ));
    }
    let rows = values.chunks_exact(N);
    Ok(rows.filter_map(|row| row.try_into().ok()).collect())
}

/// Adds inline arrays to what a file holds; nothing may be given twice.
fn complete(mut raw: RawMesh, inline: Inline) -> Result<RawMesh, MeshError> {
    fn add<T>(
        attribute: &'static str,
        from_file: &mut Vec<T>,
        inline: Vec<T>,
    ) -> Result<(), MeshError> {
        if from_file.is_empty() {
            *from_file = inline;
        } else if !inline.is_empty() {
            return Err(MeshError::attribute(
                attribute,
                format!("repeated {attribute} specification: the file has its own"),
            ));
        }
        Ok(())
    }
    if !raw.face_normals.is_empty() && !inline.normals.is_empty() {
        return Err(MeshError::attribute(
            "normal",
            "repeated normal specification: the faces of the file have their own",
        ));
    }
    add("normal", &mut raw.normals, inline.normals)?;
    add("texcoord", &mut raw.texcoords, inline.texcoords)?;
    add("face", &mut raw.faces, inline.faces)?;
    add("vertex", &mut raw.vertices, inline.vertices)?;
    Ok(raw)
}

fn check(raw: &RawMesh, is_obj: bool) -> Result<(), MeshError> {
    let count = raw.vertices.len();
    if count < 4 {
        return Err(MeshError::geometry(format!(
            "at least 4 vertices required, found {count}"
        )));
    }
    if count > MAX_ELEMENTS || raw.faces.len() > MAX_ELEMENTS {
        return Err(MeshError::limit(format!(
            "a mesh may have {MAX_ELEMENTS} vertices and faces, this one has {count} and {}",
            raw.faces.len()
        )));
    }
    for (index, vertex) in raw.vertices.iter().enumerate() {
        if !vertex.iter().all(|x| x.is_finite()) {
            return Err(MeshError::geometry(format!(
                "the coordinates of vertex {index} are not finite"
            )));
        }
    }
    if !raw.texcoords.is_empty()
        && raw.texcoords.len() != count
        && raw.face_texcoords.is_empty()
        && !is_obj
    {
        return Err(MeshError::attribute(
            "texcoord",
            format!(
                "texcoord must have one row per vertex: {} rows for {count} vertices",
                raw.texcoords.len()
            ),
        ));
    }
    if let Some((face, index)) = first_outside(&raw.faces, 0, count) {
        return Err(MeshError::geometry(format!(
            "in face {face}, vertex index {index} does not exist"
        )));
    }
    // −1 says that a corner of an OBJ face has no normal or no texture coordinate.
    let outside = first_outside(&raw.face_normals, -1, raw.normals.len());
    if let (Some((face, index)), false) = (outside, raw.normals.is_empty()) {
        return Err(MeshError::geometry(format!(
            "in face {face}, normal index {index} does not exist"
        )));
    }
    if let Some((face, index)) = first_outside(&raw.face_texcoords, -1, raw.texcoords.len()) {
        return Err(MeshError::geometry(format!(
            "in face {face}, texcoord index {index} does not exist"
        )));
    }
    Ok(())
}

/// The first index outside `low..count`, with the number of its face.
pub(super) fn first_outside(faces: &[[i32; 3]], low: i32, count: usize) -> Option<(usize, i32)> {
    let high = i32::try_from(count).unwrap_or(i32::MAX);
    faces.iter().enumerate().find_map(|(number, face)| {
        let outside = face.iter().find(|index| **index < low || **index >= high);
        outside.map(|index| (number, *index))
    })
}

pub(super) fn format_of(name: &str, content_type: &str) -> Result<Format, MeshError> {
    let kind = if content_type.is_empty() {
        let extension = name.rsplit_once('.').map_or("", |(_, extension)| extension);
        match extension.to_ascii_lowercase().as_str() {
            "stl" => "model/stl",
            "obj" => "model/obj",
            "msh" => "model/vnd.mujoco.msh",
            "ply" => "model/ply",
            "png" => "image/png",
            _ => {
                return Err(MeshError::format(
                    "unknown or unsupported mesh file: expected .obj, .stl or .msh, \
                     or the attribute content_type",
                ));
            }
        }
    } else {
        media_type(content_type).ok_or_else(|| {
            MeshError::attribute(
                "content_type",
                format!("invalid content type: '{content_type}'"),
            )
        })?
    };
    match kind {
        "model/obj" => Ok(Format::Obj),
        "model/stl" => Ok(Format::Stl),
        "model/vnd.mujoco.msh" => Ok(Format::Msh),
        other => Err(MeshError::format(format!(
            "unsupported mesh type: '{other}', expected model/obj, model/stl or \
             model/vnd.mujoco.msh"
        ))),
    }
}

/// `type/subtype` of a text of the form `type/subtype[;parameter=value]`.
fn media_type(text: &str) -> Option<&str> {
    let slash = text.find('/')?;
    if slash + 1 == text.len() {
        return None;
    }
    match text.find(';') {
        None => Some(text),
        Some(end) if end > slash && text.find('=').is_some_and(|equals| equals > end) => {
            text.get(..end)
        }
        Some(_) => None,
    }
}
