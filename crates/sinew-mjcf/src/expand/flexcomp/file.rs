//! Shapes from files: surfaces of OBJ and STL files, simplices of Gmsh files.

use super::fault::Fault;
use super::settings::{Settings, place};
use super::shape::{Shape, take};
use crate::asset::pace::Pace;
use crate::asset::{gmsh, mesh};
use crate::expand::Shared;
use crate::place::At;
use crate::source::{AssetKind, FileBytes, SourceError, asset_path_among};
use sinew_math::{MIN_VALUE, Vec3};

/// The triangles of a surface, or tetrahedra between them and the point `origin`.
pub fn mesh(settings: &Settings, shared: &Shared) -> Result<Shape, Fault> {
    let table = settings.table;
    if settings.dim < 2 {
        return Err(Fault::new(
            place(&table.dim, table.place),
            "dim",
            "a flexcomp made from a mesh has 2 or 3 dimensions",
            "dim=\"2\" keeps the surface, dim=\"3\" fills it from the point `origin`",
        ));
    }
    let origin = table.origin.as_ref().map(|at| Vec3(at.value));
    let (file, bytes) = read(settings, shared)?;
    let surface = mesh::read_surface(&file.value, &bytes, shared.source);
    let surface = surface.map_err(|error| fault(file, &error))?;
    shared.source.release(bytes);
    let mut shape = Shape::new(settings);
    let vertices = surface.vertices.iter();
    shape.points = vertices.map(|vertex| Vec3(vertex.map(f64::from))).collect();
    if !surface.texcoords.is_empty() {
        shape.texcoord = surface.texcoords.as_flattened().to_vec();
        shape.element_texcoord = surface.face_texcoords.as_flattened().to_vec();
    }
    if settings.dim == 2 {
        shape.elements = surface.faces.as_flattened().to_vec();
        return Ok(shape);
    }
    let Some(origin) = origin else {
        return Err(Fault::whole(
            table.place,
            "a solid made from a mesh needs the attribute `origin`",
            "a point inside the mesh from which all of its surface can be seen, such as origin=\"0 0 0\"",
        ));
    };
    for face in &surface.faces {
        let at = |index: i32| {
            usize::try_from(index)
                .ok()
                .and_then(|i| shape.points.get(i))
        };
        let [a, b, c] = face.map(|index| at(index).copied().unwrap_or(Vec3::ZERO) - origin);
        // Only what opens outwards has a volume.
        if a.cross(b).dot(c) >= MIN_VALUE {
            let [a, b, c] = face.map(|index| index.saturating_add(1));
            shape.elements.extend([0, a, b, c]);
        }
    }
    shape.points.insert(0, origin);
    Ok(shape)
}

/// The points and simplices of a Gmsh file, whose dimension counts.
pub fn gmsh(settings: &Settings, shared: &Shared) -> Result<Shape, Fault> {
    let (file, bytes) = read(settings, shared)?;
    // A number takes two characters of text, or eight bytes, and 16 in a list that grew.
    take(shared, bytes.len().saturating_mul(8), file.place, "file")?;
    let goes_on = || !shared.source.is_overdue();
    let read = gmsh::read(&bytes, &Pace::new(&goes_on)).map_err(|error| fault(file, &error))?;
    shared.source.release(bytes);
    Ok(Shape {
        dim: read.dim,
        points: read.points,
        elements: read.elements,
        ..Shape::new(settings)
    })
}

/// The file that is named, and its content.
fn read<'a>(
    settings: &Settings<'a>,
    shared: &Shared,
) -> Result<(&'a At<String>, FileBytes), Fault> {
    let table = settings.table;
    let Some(file) = table.file.as_ref().filter(|file| !file.value.is_empty()) else {
        return Err(Fault::whole(
            table.place,
            "a flexcomp of type \"mesh\" or \"gmsh\" needs the attribute `file`",
            "name the file, or choose a type that needs none, such as \"grid\"",
        )
        .code("mjcf::missing-attribute"));
    };
    let paths = asset_path_among(
        shared.documents,
        shared.files,
        file.place,
        AssetKind::Mesh,
        &file.value,
    );
    let mut last = SourceError::NotFound;
    for path in &paths {
        match shared.source.read(path) {
            Ok(bytes) => return Ok((file, bytes)),
            Err(SourceError::NotFound) => {}
            Err(error) => {
                last = error;
                break;
            }
        }
    }
    Err(Fault::new(
        file.place,
        "file",
        format!("cannot read \"{}\": {last}", file.value),
        format!("tried {}", paths.join(", ")),
    )
    .code("mjcf::asset-file"))
}

fn fault(file: &At<String>, error: &mesh::MeshError) -> Fault {
    let hint = match error {
        mesh::MeshError::Format { .. } => {
            "surfaces come as .obj or .stl, solids as Gmsh files of version 2.2 or 4.1"
        }
        mesh::MeshError::Late | mesh::MeshError::Limit { .. } => {
            "make it smaller, or raise the limits of loading"
        }
        mesh::MeshError::Malformed { .. } => "export the file again, or look at that place of it",
        _ => "repair the mesh in the program that made it",
    };
    Fault::new(
        file.place,
        "file",
        format!("\"{}\": {error}", file.value),
        hint,
    )
    .code("mjcf::flexcomp-file")
}
