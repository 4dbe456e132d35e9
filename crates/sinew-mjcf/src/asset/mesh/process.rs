//! From raw geometry to the compiled mesh.

use super::error::MeshError;
use super::raw::RawMesh;
use super::{CompiledMesh, MeshInertia, MeshRequest, MeshSource};
use crate::asset::pace::Late;
use sinew_collision::bvh::{self, Bvh};
use sinew_collision::hull::{self, Hull, HullError};
use sinew_collision::mesh::mass::{self, InertiaMode, MassError, MassProperties};
use sinew_collision::mesh::polygon;
use sinew_collision::mesh::{Face, normal, triangle};
use sinew_math::{MIN_VALUE, Quat, Vec3, eigen, quotient, vec3};

/// What the steps hold at their worst moment for each face and each vertex, in bytes; measured.
const FACE_BYTES: u64 = 700;
const VERTEX_BYTES: u64 = 100;
const HULL_VERTEX_BYTES: u64 = 900;

/// Runs all steps on checked geometry.
pub(super) fn run(
    request: &MeshRequest,
    raw: RawMesh,
    inertia: MeshInertia,
) -> Result<CompiledMesh, MeshError> {
    let (face_count, vertex_count) = (raw.faces.len() as u64, raw.vertices.len() as u64);
    request.take(face_count * FACE_BYTES + vertex_count * VERTEX_BYTES)?;
    let mut vertices: Vec<Vec3> = raw
        .vertices
        .iter()
        .map(|v| vec3(f64::from(v[0]), f64::from(v[1]), f64::from(v[2])))
        .collect();
    // Indices were checked, so the conversion cannot lose anything.
    let mut faces: Vec<Face> = raw.faces.iter().map(|f| f.map(|i| i as u32)).collect();

    if inertia == MeshInertia::Exact {
        check_winding(&vertices, &faces)?;
    }
    let wants_hull = request.needs_hull || inertia == MeshInertia::Convex || faces.is_empty();
    let hull = if wants_hull {
        request.take(vertex_count * HULL_VERTEX_BYTES)?;
        let limit = usize::try_from(request.maxhullvert).ok();
        let hull = hull::convex_hull_while(&vertices, limit, || request.may_go_on())
            .map_err(hull_error)?;
        request.take(hull.faces.len() as u64 * FACE_BYTES)?;
        Some(hull)
    } else {
        None
    };
    if let (true, Some(hull)) = (faces.is_empty(), &hull) {
        faces.clone_from(&hull.faces);
    }

    request.look_at_clock()?;
    let (mut normals, face_normals) = normals_of(request, &raw, &vertices, &faces)?;
    let face_texcoords = texcoords_of(&raw, &faces)?;
    let hull_faces = hull.as_ref().map_or(&faces[..], |hull| &hull.faces);
    let polygons = polygon::merge_coplanar_while(&vertices, hull_faces, || request.may_go_on())
        .ok_or(MeshError::Late)?;

    apply_reference(request, &mut vertices, &mut normals);
    let mass =
        mass::properties(&vertices, &faces, hull_faces, mode(inertia)).map_err(mass_error)?;
    let (mut quat, inertia_box) = principal_axes(&mass)?;
    let mut center = mass.center;
    if let MeshSource::Distance(_) = request.source {
        // The formula and its surface must stay together.
        (center, quat) = (Vec3::ZERO, Quat::IDENTITY);
    }
    let aamm = move_to_inertial_frame(&mut vertices, &mut normals, center, quat);

    let vert: Vec<[f32; 3]> = vertices.iter().map(|v| v.map(|x| x as f32)).collect();
    if vert.iter().flatten().any(|x| !x.is_finite()) {
        return Err(MeshError::geometry(
            "vertices are not finite after refpos, refquat and scale",
        ));
    }
    request.look_at_clock()?;
    let map = polygons.by_vertex(vert.len());
    let bvh = face_tree(request, &vertices, &faces)?;
    Ok(CompiledMesh {
        vert,
        normal: normals,
        texcoord: raw.texcoords,
        face: faces.iter().map(|f| f.map(|i| i as i32)).collect(),
        facenormal: face_normals,
        facetexcoord: face_texcoords,
        graph: hull.as_ref().map(Hull::graph).unwrap_or_default(),
        polynormal: polygons.normals(&vertices),
        polyvertadr: signed(polygons.addresses),
        polyvertnum: signed(polygons.lengths),
        polyvert: signed(polygons.vertices),
        polymapadr: signed(map.addresses),
        polymapnum: signed(map.lengths),
        polymap: signed(map.polygons),
        bvh,
        scale: request.scale,
        pos: center,
        quat,
        volume: mass.measure,
        inertia,
        inertia_box,
        aamm,
    })
}

fn mode(inertia: MeshInertia) -> InertiaMode {
    match inertia {
        MeshInertia::Convex => InertiaMode::Convex,
        MeshInertia::Exact => InertiaMode::Exact,
        MeshInertia::Legacy => InertiaMode::Legacy,
        MeshInertia::Shell => InertiaMode::Shell,
    }
}

fn hull_error(error: HullError) -> MeshError {
    if error == HullError::Interrupted {
        return Late.into();
    }
    MeshError::geometry(match error {
        HullError::TooFewPoints => "the convex hull needs at least 4 vertices",
        HullError::Flat => {
            "the convex hull has no volume: the vertices lie in a plane, on a line or in one place"
        }
        HullError::TooComplex => {
            "the convex hull has flat facets with too many corners; reduce them or set maxhullvert"
        }
        HullError::Numerical | HullError::Interrupted => "the convex hull could not be computed",
    })
}

fn mass_error(error: MassError) -> MeshError {
    MeshError::geometry(match error {
        MassError::AreaTooSmall => "mesh surface area is too small",
        MassError::VolumeTooSmall => "mesh volume is too small; try setting inertia to \"shell\"",
        MassError::VolumeNegative => "mesh volume is negative (misoriented triangles)",
    })
}

/// Refuses two faces that run along an edge in the same direction.
fn check_winding(vertices: &[Vec3], faces: &[Face]) -> Result<(), MeshError> {
    let mut edges: Vec<(u32, u32)> = Vec::with_capacity(3 * faces.len());
    for &[a, b, c] in faces {
        let corners = [a, b, c].map(|i| vertices[i as usize]);
        if triangle::measure(corners).area > MIN_VALUE.sqrt() {
            edges.extend([(a, b), (b, c), (c, a)]);
        }
    }
    edges.sort_unstable();
    match edges.windows(2).find(|pair| pair[0] == pair[1]) {
        Some(pair) => Err(MeshError::geometry(format!(
            "faces have inconsistent orientation; check the faces that contain the vertices {} \
             and {} (counted from 1)",
            pair[0].0 + 1,
            pair[0].1 + 1
        ))),
        None => Ok(()),
    }
}

/// Normals and their indices per face.
fn normals_of(
    request: &MeshRequest,
    raw: &RawMesh,
    vertices: &[Vec3],
    faces: &[Face],
) -> Result<(Vec<[f32; 3]>, Vec<[i32; 3]>), MeshError> {
    let same_as_faces =
        |step: i32| -> Vec<[i32; 3]> { faces.iter().map(|f| f.map(|i| step * i as i32)).collect() };
    if raw.normals.is_empty() {
        let normals = if request.smoothnormal {
            normal::smooth(vertices, faces)
        } else {
            normal::sharp(vertices, faces)
        };
        return Ok((normals, same_as_faces(1)));
    }
    if raw.face_normals.is_empty() {
        // One row per vertex, or several (a frame); with fewer rows every face takes the first.
        let rows_per_vertex = (raw.normals.len() / vertices.len()) as i32;
        return Ok((raw.normals.clone(), same_as_faces(rows_per_vertex)));
    }
    if raw.face_normals.len() != faces.len() {
        return Err(MeshError::geometry(
            "face data must have the same size as face normal data",
        ));
    }
    Ok((raw.normals.clone(), raw.face_normals.clone()))
}

/// Texture-coordinate indices per face.
fn texcoords_of(raw: &RawMesh, faces: &[Face]) -> Result<Vec<[i32; 3]>, MeshError> {
    if raw.texcoords.is_empty() {
        return Ok(vec![[0; 3]; faces.len()]);
    }
    if !raw.face_texcoords.is_empty() {
        return Ok(raw.face_texcoords.clone());
    }
    if faces
        .iter()
        .flatten()
        .any(|i| *i as usize >= raw.texcoords.len())
    {
        return Err(MeshError::geometry(
            "there are fewer texture coordinates than vertices and the faces do not refer to them",
        ));
    }
    Ok(faces.iter().map(|f| f.map(|i| i as i32)).collect())
}

/// Applies refpos, refquat and scale to vertices and normals, and normalises the normals.
fn apply_reference(request: &MeshRequest, vertices: &mut [Vec3], normals: &mut [[f32; 3]]) {
    let refpos = Vec3(request.refpos);
    if refpos != Vec3::ZERO {
        for vertex in vertices.iter_mut() {
            *vertex -= refpos;
        }
    }
    let refquat = Quat(request.refquat);
    if refquat != Quat::IDENTITY {
        let frame = quotient::normalized4(refquat).to_mat();
        for vertex in vertices.iter_mut() {
            *vertex = frame.transpose_mul(*vertex);
        }
        for normal in normals.iter_mut() {
            *normal = frame.transpose_mul(widen(*normal)).map(|x| x as f32);
        }
    }
    let scale = request.scale;
    if scale != [1.0; 3] {
        for vertex in vertices.iter_mut() {
            for k in 0..3 {
                vertex[k] *= scale[k];
            }
        }
        for normal in normals.iter_mut() {
            for k in 0..3 {
                normal[k] = (f64::from(normal[k]) * scale[k]) as f32;
            }
        }
    }
    for n in normals {
        let square = n[0] * n[0] + n[1] * n[1] + n[2] * n[2];
        if f64::from(square) > MIN_VALUE {
            let inverse = 1.0 / square.sqrt();
            *n = n.map(|x| x * inverse);
        } else {
            *n = [0.0, 0.0, 1.0];
        }
    }
}

fn widen(v: [f32; 3]) -> Vec3 {
    Vec3(v.map(f64::from))
}

/// Orientation of the principal axes and half sizes of the equivalent box.
fn principal_axes(mass: &MassProperties) -> Result<(Quat, [f64; 3]), MeshError> {
    /// Slack of the triangle inequality between principal moments.
    const ABSOLUTE: f64 = 1e-9;
    const RELATIVE: f64 = 1e-6;
    let eigen = eigen::symmetric3_compiled(&mass.inertia);
    let [a, b, c] = eigen.values;
    if !eigen.values.iter().all(|x| x.is_finite()) {
        return Err(MeshError::geometry("mesh inertia is not finite"));
    }
    if c <= 0.0 {
        return Err(MeshError::geometry(
            "eigenvalue of mesh inertia must be positive",
        ));
    }
    let fits = |x: f64, y: f64, z: f64| x + y >= z * (1.0 - RELATIVE) - ABSOLUTE;
    if !(fits(a, b, c) && fits(a, c, b) && fits(b, c, a)) {
        return Err(MeshError::geometry(
            "eigenvalues of mesh inertia violate A + B >= C",
        ));
    }
    let half = |x: f64, y: f64, z: f64| 0.5 * (6.0 * (x + y - z) / mass.measure).sqrt();
    Ok((eigen.quat, [half(b, c, a), half(a, c, b), half(a, b, c)]))
}

/// Moves the centre of mass to the origin and turns the principal axes to x y z; returns the
/// smallest and largest coordinates.
fn move_to_inertial_frame(
    vertices: &mut [Vec3],
    normals: &mut [[f32; 3]],
    center: Vec3,
    quat: Quat,
) -> [f64; 6] {
    let rotation = quat.conjugate().to_mat();
    // The reference starts from these bounds.
    let mut aamm = [1e10, 1e10, 1e10, -1e10, -1e10, -1e10];
    for vertex in vertices {
        *vertex = rotation * (*vertex - center);
        for k in 0..3 {
            if vertex[k] < aamm[k] {
                aamm[k] = vertex[k];
            }
            if vertex[k] > aamm[k + 3] {
                aamm[k + 3] = vertex[k];
            }
        }
    }
    for normal in normals {
        *normal = (rotation * widen(*normal)).map(|x| x as f32);
    }
    aamm
}

/// The bounding-volume tree of the faces, split by their circumcentres.
fn face_tree(request: &MeshRequest, vertices: &[Vec3], faces: &[Face]) -> Result<Bvh, MeshError> {
    let elements: Vec<bvh::Element> = faces
        .iter()
        .enumerate()
        .map(|(id, face)| {
            let corners = face.map(|i| vertices[i as usize]);
            let mut low = [f64::MAX; 3];
            let mut high = [-f64::MAX; 3];
            for corner in corners {
                for k in 0..3 {
                    low[k] = low[k].min(corner[k]);
                    high[k] = high[k].max(corner[k]);
                }
            }
            let middle = |k: usize| 0.5 * (low[k] + high[k]);
            let half = |k: usize| 0.5 * (high[k] - low[k]);
            bvh::Element {
                id: id as i32,
                pos: triangle::circumcenter(corners),
                quat: None,
                aabb: [middle(0), middle(1), middle(2), half(0), half(1), half(2)],
            }
        })
        .collect();
    let mut goes_on = || request.may_go_on();
    bvh::build_while(&elements, Vec3::ZERO, Quat::IDENTITY, &mut goes_on).ok_or(MeshError::Late)
}

/// Counts and indices as the model stores them; all are far below the range of `i32`.
fn signed(values: Vec<u32>) -> Vec<i32> {
    values.into_iter().map(|value| value as i32).collect()
}
