//! One mesh asset, from bytes to the products the model stores.
//!
//! ```text
//! OBJ, STL, MSH, inline, builtin ─→ RawMesh ─→ hull ─→ normals ─→ polygons
//!   ─→ refpos, refquat, scale ─→ mass ─→ centre of mass to the origin, principal axes to x y z
//!   ─→ bounding box, bounding-volume tree ─→ CompiledMesh
//! ```
//!
//! The order and the arithmetic are those of `mjCMesh::Process`; vertices are computed in double
//! precision from the 32-bit values that files hold and stored as 32-bit values again. Nothing
//! here knows the element that asked: the caller turns a [`MeshError`] into a diagnostic.
//!
//! | file | what it holds |
//! |---|---|
//! | `obj.rs`, `obj/` | Wavefront text |
//! | `stl.rs` | binary STL |
//! | `msh.rs` | the reference's legacy binary format |
//! | `builtin.rs` | shapes made from parameters |
//! | `isosurface.rs` | surfaces of signed distances |
//! | `raw.rs` | what all of them produce, and its checks |
//! | `process.rs` | the steps above |
//! | `surface.rs` | the triangles of a file alone, for flexcomps |
//! | `error.rs` | what can go wrong |

mod builtin;
mod error;
mod isosurface;
mod msh;
mod obj;
mod process;
mod raw;
mod stl;
mod surface;

#[cfg(test)]
mod tests;

pub use error::{MeshError, Place};
pub use sinew_collision::bvh::Bvh;
pub use sinew_model::kinds::{MeshBuiltin, MeshInertia};
pub use surface::{Surface, read_surface};

use super::pace::Late;
use crate::source::Source;
use sinew_math::{Quat, Vec3};

/// Most vertices or faces of a mesh that is not STL.
pub const MAX_ELEMENTS: usize = 10_000_000;
/// Most faces of an STL file.
pub const MAX_STL_FACES: usize = 200_000;

/// Where the geometry comes from.
#[derive(Clone, Copy, Debug)]
pub enum MeshSource<'a> {
    /// From the inline arrays alone.
    Inline,
    /// From a file, completed by inline arrays.
    File {
        /// Name of the file; its extension decides the format.
        name: &'a str,
        /// `type/subtype`, overrides the extension unless empty.
        content_type: &'a str,
        /// The whole file.
        bytes: &'a [u8],
    },
    /// From the surface where a signed distance is zero. Such a mesh keeps its frame.
    Distance(sinew_collision::sdf::Shape),
    /// From a named shape with parameters.
    Builtin {
        /// The shape.
        builtin: MeshBuiltin,
        /// Its parameters.
        params: &'a [f64],
    },
}

/// Everything that decides how a mesh is compiled.
#[derive(Clone, Copy, Debug)]
pub struct MeshRequest<'a> {
    /// Where the geometry comes from.
    pub source: MeshSource<'a>,
    /// Inline vertices, three numbers each.
    pub vertex: &'a [f32],
    /// Inline normals, three numbers each.
    pub normal: &'a [f32],
    /// Inline texture coordinates, two numbers each.
    pub texcoord: &'a [f32],
    /// Inline faces, three vertex indices each.
    pub face: &'a [i32],
    /// Point of the file that becomes the origin.
    pub refpos: [f64; 3],
    /// Orientation of the file that becomes the identity.
    pub refquat: [f64; 4],
    /// Scale along the axes, after `refpos` and `refquat`.
    pub scale: [f64; 3],
    /// Average normals over sharp edges too.
    pub smoothnormal: bool,
    /// Most corners of the hull; −1 for no limit.
    pub maxhullvert: i32,
    /// How the mesh is turned into mass.
    pub inertia: MeshInertia,
    /// Whether the hull is wanted: some geom of this mesh collides, or the mass is convex.
    pub needs_hull: bool,
    /// The load whose memory is taken, for the worst moment and not given back, and whose time is looked
    /// at. `None`: no limits.
    pub load: Option<&'a Source>,
}

impl MeshRequest<'_> {
    /// Whether there is time left.
    fn may_go_on(&self) -> bool {
        !self.load.is_some_and(Source::is_overdue)
    }

    /// An error where the time is over.
    fn look_at_clock(&self) -> Result<(), Late> {
        self.may_go_on().then_some(()).ok_or(Late)
    }

    /// Takes memory for something that is about to be made.
    fn take(&self, bytes: u64) -> Result<(), MeshError> {
        let taken = self.load.map_or(Ok(()), |load| load.memory().take(bytes));
        taken.map_err(|shortage| MeshError::limit(format!("it would take {shortage}")))
    }
}

impl Default for MeshRequest<'_> {
    fn default() -> Self {
        MeshRequest {
            source: MeshSource::Inline,
            vertex: &[],
            normal: &[],
            texcoord: &[],
            face: &[],
            refpos: [0.0; 3],
            refquat: [1.0, 0.0, 0.0, 0.0],
            scale: [1.0; 3],
            smoothnormal: false,
            maxhullvert: -1,
            inertia: MeshInertia::Legacy,
            needs_hull: false,
            load: None,
        }
    }
}

/// A compiled mesh: the `mesh_*` columns of one mesh, with addresses counted from its own start.
#[derive(Clone, Debug, PartialEq)]
pub struct CompiledMesh {
    /// Vertices in the inertial frame.
    pub vert: Vec<[f32; 3]>,
    /// Normals in the inertial frame.
    pub normal: Vec<[f32; 3]>,
    /// Texture coordinates; empty when the mesh has none.
    pub texcoord: Vec<[f32; 2]>,
    /// Vertex indices of each face.
    pub face: Vec<[i32; 3]>,
    /// Normal indices of each face.
    pub facenormal: Vec<[i32; 3]>,
    /// Texture-coordinate indices of each face; zeros when the mesh has none.
    pub facetexcoord: Vec<[i32; 3]>,
    /// Hull graph: numvert, numface, vert_edgeadr, vert_globalid, edge_localid, face_globalid;
    /// empty without a hull.
    pub graph: Vec<i32>,
    /// Unit normals of the polygons.
    pub polynormal: Vec<Vec3>,
    /// First entry of each polygon in `polyvert`.
    pub polyvertadr: Vec<i32>,
    /// Number of vertices of each polygon.
    pub polyvertnum: Vec<i32>,
    /// Vertex indices of the polygons.
    pub polyvert: Vec<i32>,
    /// First entry of each vertex in `polymap`.
    pub polymapadr: Vec<i32>,
    /// Number of polygons of each vertex.
    pub polymapnum: Vec<i32>,
    /// Polygon indices of the vertices.
    pub polymap: Vec<i32>,
    /// Bounding-volume tree of the faces.
    pub bvh: Bvh,
    /// Scale that was applied.
    pub scale: [f64; 3],
    /// Centre of mass in the frame of the file, after refpos, refquat and scale.
    pub pos: Vec3,
    /// Principal axes in the frame of the file.
    pub quat: Quat,
    /// Volume, or area for [`MeshInertia::Shell`].
    pub volume: f64,
    /// How `volume` was measured: a builtin shape may override the request.
    pub inertia: MeshInertia,
    /// Half sizes of the box with the same mass and inertia.
    pub inertia_box: [f64; 3],
    /// Smallest and largest coordinates of the vertices in the inertial frame.
    pub aamm: [f64; 6],
}

impl CompiledMesh {
    /// Roughly the bytes it holds: what belongs to vertices, faces and polygons.
    pub fn bytes(&self) -> u64 {
        let texts = [
            12 * (self.vert.len() + self.normal.len()),
            8 * self.texcoord.len(),
            36 * self.face.len(),
            4 * self.graph.len(),
            32 * self.polynormal.len(),
            4 * self.polyvert.len(),
            8 * self.polymapadr.len(),
            4 * self.polymap.len(),
            64 * self.bvh.depth.len(),
        ];
        texts.iter().map(|bytes| *bytes as u64).sum()
    }
}

/// Compiles one mesh.
#[doc(alias = "mjCMesh")]
pub fn compile_mesh(request: &MeshRequest) -> Result<CompiledMesh, MeshError> {
    let (raw, inertia) = raw::load(request)?;
    process::run(request, raw, inertia)
}
