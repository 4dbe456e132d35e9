//! Rays against flexes.
//!
//! Which parts of a flex are met is chosen as a viewer shows them: vertices are spheres and edges capsules of the
//! flex's radius, faces are triangles without thickness. Conforms to MuJoCo's `mj_rayFlex`.

use crate::data::Data;
use crate::error::{CallError, check_index};
use crate::flex;
use sinew_collision::ray::{self, Across, Hit, Pose, Ray};
use sinew_math::{Mat3, Quat, Vec3};
use sinew_model::Model;

/// The parts of a flex that a ray may meet.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct FlexParts {
    /// Vertices; not looked at where edges are.
    pub vertices: bool,
    /// Edges.
    pub edges: bool,
    /// Faces of elements; of a solid, those of one layer.
    pub faces: bool,
    /// The layer of a solid whose faces are met.
    pub layer: i32,
    /// The surface: edges and faces of a cloth, or of the outermost layer of a solid.
    pub skin: bool,
}

/// Corners of the triangles of an element; a triangle has the first one only.
const TRIANGLES: [[usize; 3]; 4] = [[0, 1, 2], [0, 1, 3], [0, 2, 3], [1, 2, 3]];

impl Data {
    /// Where a ray meets a flex, and the nearest vertex there, counted within the flex.
    #[doc(alias = "mj_rayFlex")]
    pub fn cast_ray_at_flex(
        &self,
        model: &Model,
        ray: &Ray,
        flex: usize,
        parts: FlexParts,
    ) -> Result<Option<(i32, Hit)>, CallError> {
        self.check_model(model)?;
        check_index("flex", flex, model.nflex)?;
        let vertices = &self.position.flex.flexvert_xpos[flex::vertices(model, flex)];
        Ok(against_flex(model, vertices, ray, flex, parts))
    }
}

fn against_flex(
    model: &Model,
    vertices: &[Vec3],
    ray: &Ray,
    flex: usize,
    parts: FlexParts,
) -> Option<(i32, Hit)> {
    let radius = model.flex_radius[flex];
    if !meets_box(ray, vertices, radius) {
        return None;
    }
    let is_line = model.flex_dim[flex] == 1;
    let has_skin = parts.skin && !is_line;
    let mut nearest = None;
    if parts.edges || has_skin {
        for edge in &model.flex_edge[flex::edges(model, flex)] {
            against_edge(ray, vertices, radius, *edge, &mut nearest);
        }
    } else if parts.vertices {
        for (vertex, &pos) in vertices.iter().enumerate() {
            let mat = &Mat3::IDENTITY;
            let hit = ray::sphere(ray, Pose { pos, mat }, [radius; 3]);
            keep_nearer(hit, &mut nearest, |_| vertex as i32);
        }
    }
    if !is_line && (parts.faces || has_skin) {
        against_faces(model, vertices, ray, flex, parts, &mut nearest);
    }
    nearest
}

/// Whether a ray meets the box around all vertices, as thick as they are.
fn meets_box(ray: &Ray, vertices: &[Vec3], radius: f64) -> bool {
    let Some(&first) = vertices.first() else {
        return false;
    };
    let (mut low, mut high) = (first, first);
    for vertex in vertices {
        for axis in 0..3 {
            low[axis] = low[axis].min(vertex[axis]);
            high[axis] = high[axis].max(vertex[axis]);
        }
    }
    let thick = Vec3([radius; 3]);
    let (low, high) = (low - thick, high + thick);
    let pose = Pose {
        pos: (low + high) * 0.5,
        mat: &Mat3::IDENTITY,
    };
    ray::cuboid(ray, pose, ((high - low) * 0.5).0).is_some()
}

/// A capsule around an edge.
fn against_edge(
    ray: &Ray,
    vertices: &[Vec3],
    radius: f64,
    edge: [i32; 2],
    nearest: &mut Option<(i32, Hit)>,
) {
    let ends = edge.map(|vertex| vertices[vertex as usize]);
    let (axis, length) = (ends[1] - ends[0]).normalize();
    let pose = Pose {
        pos: (ends[0] + ends[1]) * 0.5,
        mat: &Quat::from_z_to(axis).to_mat(),
    };
    let hit = ray::capsule(ray, pose, [radius, 0.5 * length, 0.0]);
    keep_nearer(hit, nearest, |hit| {
        let point = ray.at(hit.distance);
        let is_first = ends[0].distance(point) < ends[1].distance(point);
        edge[usize::from(!is_first)]
    });
}

/// The triangles of elements that are shown.
fn against_faces(
    model: &Model,
    vertices: &[Vec3],
    ray: &Ray,
    flex: usize,
    parts: FlexParts,
    nearest: &mut Option<(i32, Hit)>,
) {
    let dim = model.flex_dim[flex] as usize;
    let triangles = if dim == 2 { 1 } else { TRIANGLES.len() };
    let layers = &model.flex_elemlayer[flex::elements(model, flex)];
    let elements = flex::corners(model, flex).chunks_exact(dim + 1);
    let across = Across::new(ray);
    for (corners, &layer) in elements.zip(layers) {
        let shown = if parts.skin {
            layer <= 0
        } else {
            layer == parts.layer
        };
        if dim == 3 && !shown {
            continue;
        }
        for triangle in &TRIANGLES[..triangles] {
            let ids = triangle.map(|corner| corners[corner]);
            let points = ids.map(|vertex| vertices[vertex as usize]);
            let hit = ray::triangle(ray, across, points).filter(|hit| hit.distance >= 0.0);
            keep_nearer(hit, nearest, |hit| {
                let point = ray.at(hit.distance);
                let [a, b, c] = points.map(|corner| corner.distance(point));
                if a <= b && a <= c {
                    ids[0]
                } else if b <= c {
                    ids[1]
                } else {
                    ids[2]
                }
            });
        }
    }
}

/// Takes a hit that is nearer than the nearest so far; `vertex` says at which vertex it is.
fn keep_nearer(
    hit: Option<Hit>,
    nearest: &mut Option<(i32, Hit)>,
    vertex: impl FnOnce(&Hit) -> i32,
) {
    if let Some(hit) = hit
        && nearest.is_none_or(|(_, best)| hit.distance < best.distance)
    {
        *nearest = Some((vertex(&hit), hit));
    }
}
