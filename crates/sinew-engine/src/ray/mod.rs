//! Rays through the simulated world.

mod flex;
mod many;

pub use flex::FlexParts;
pub use many::{Fan, cast_many};

use crate::data::Data;
use crate::error::{CallError, check_length};
use crate::position::kinematics::Kinematics;
use sinew_collision::ray::field::{Grid, hfield};
use sinew_collision::ray::mesh::{MeshTree, mesh};
use sinew_collision::ray::{self, Hit, Pose, Ray};
use sinew_math::{MIN_VALUE, Vec3};
use sinew_model::Model;
use sinew_model::kinds::GeomType;

/// Which geoms a ray may meet. Invisible geoms (opacity 0) never count.
#[derive(Clone, Copy, Debug, Default)]
pub struct RayFilter {
    /// Geom groups that count; `None`: all.
    pub groups: Option<[bool; 6]>,
    /// Leave out geoms of bodies that cannot move.
    pub skips_static: bool,
    /// Leave out the geoms of one body.
    pub excluded_body: Option<usize>,
}

impl Data {
    /// The nearest geom that a ray meets, and where. A ray without direction meets nothing.
    #[doc(alias = "mj_ray")]
    pub fn cast_ray(
        &mut self,
        model: &Model,
        ray: &Ray,
        filter: &RayFilter,
    ) -> Result<Option<(usize, Hit)>, CallError> {
        self.check_model(model)?;
        let (kinematics, stack) = (&self.position.kinematics, &mut self.scratch.stack);
        Ok(cast(model, kinematics, ray, filter, stack))
    }

    /// The nearest geoms along several directions from one point. Geoms whose bounding sphere is
    /// beyond `cutoff` are left out.
    #[doc(alias = "mj_multiRay")]
    pub fn cast_rays(
        &mut self,
        model: &Model,
        origin: Vec3,
        directions: &[Vec3],
        filter: &RayFilter,
        cutoff: f64,
        out: &mut [Option<(usize, Hit)>],
    ) -> Result<(), CallError> {
        self.check_model(model)?;
        check_length("out", directions.len(), out.len())?;
        let (kinematics, fan) = (&self.position.kinematics, &mut self.scratch.fan);
        let directions = directions.iter().copied();
        let hits = cast_many(model, kinematics, origin, directions, filter, cutoff, fan);
        for (out, hit) in out.iter_mut().zip(hits) {
            *out = hit;
        }
        Ok(())
    }
}

/// The nearest geom that a ray meets. `stack` is working memory.
#[doc(alias = "mj_ray")]
pub fn cast(
    model: &Model,
    kinematics: &Kinematics,
    ray: &Ray,
    filter: &RayFilter,
    stack: &mut Vec<i32>,
) -> Option<(usize, Hit)> {
    if ray.direction.norm() < MIN_VALUE {
        return None;
    }
    let mut nearest: Option<(usize, Hit)> = None;
    for geom in 0..model.ngeom {
        if !counts(model, geom, filter) {
            continue;
        }
        let is_nearer = |hit: &Hit| nearest.is_none_or(|(_, best)| hit.distance < best.distance);
        let hit = against_geom(model, kinematics, geom, ray, stack).filter(is_nearer);
        nearest = hit.map(|hit| (geom, hit)).or(nearest);
    }
    nearest
}

/// Whether a geom may be met.
pub fn counts(model: &Model, geom: usize, filter: &RayFilter) -> bool {
    let body = model.geom_bodyid[geom] as usize;
    let material = usize::try_from(model.geom_matid[geom]).ok();
    let material = material.and_then(|material| model.mat_rgba.get(material));
    let opacity = material.unwrap_or(&model.geom_rgba[geom])[3];
    let in_group = filter
        .groups
        .is_none_or(|groups| groups[model.geom_group[geom].clamp(0, 5) as usize]);
    filter.excluded_body != Some(body)
        && opacity != 0.0
        && !(filter.skips_static && model.body_weldid[body] == 0)
        && in_group
}

/// Where a ray meets one geom.
pub fn against_geom(
    model: &Model,
    kinematics: &Kinematics,
    geom: usize,
    ray: &Ray,
    stack: &mut Vec<i32>,
) -> Option<Hit> {
    let pose = Pose {
        pos: kinematics.geom_xpos[geom],
        mat: &kinematics.geom_xmat[geom],
    };
    let size = model.geom_size[geom];
    match GeomType::from_code(model.geom_type[geom])? {
        GeomType::Mesh => {
            let id = usize::try_from(model.geom_dataid[geom]).ok()?;
            mesh(ray, pose, size, mesh_tree(model, id), stack)
        }
        GeomType::Hfield => {
            let id = usize::try_from(model.geom_dataid[geom]).ok()?;
            let (rows, columns) = (
                model.hfield_nrow[id] as usize,
                model.hfield_ncol[id] as usize,
            );
            let start = model.hfield_adr[id] as usize;
            let grid = Grid {
                rows,
                columns,
                size: model.hfield_size[id],
                samples: &model.hfield_data[start..start + rows * columns],
            };
            hfield(ray, pose, &grid)
        }
        kind => against_shape(kind, ray, pose, size),
    }
}

/// Where a ray meets a primitive shape; other shapes are never met.
#[doc(alias = "mju_rayGeom")]
pub fn against_shape(kind: GeomType, ray: &Ray, pose: Pose<'_>, size: [f64; 3]) -> Option<Hit> {
    match kind {
        GeomType::Plane => ray::plane(ray, pose, size),
        GeomType::Sphere => ray::sphere(ray, pose, size),
        GeomType::Capsule => ray::capsule(ray, pose, size),
        GeomType::Ellipsoid => ray::ellipsoid(ray, pose, size),
        GeomType::Cylinder => ray::cylinder(ray, pose, size),
        GeomType::Box => ray::cuboid(ray, pose, size),
        _ => None,
    }
}

fn mesh_tree(model: &Model, mesh: usize) -> MeshTree<'_> {
    let part = |start: i32, count: i32| start as usize..(start + count) as usize;
    let nodes = part(model.mesh_bvhadr[mesh], model.mesh_bvhnum[mesh]);
    let vertices = part(model.mesh_vertadr[mesh], model.mesh_vertnum[mesh]);
    let faces = part(model.mesh_faceadr[mesh], model.mesh_facenum[mesh]);
    MeshTree {
        vertices: &model.mesh_vert[vertices],
        faces: &model.mesh_face[faces],
        boxes: &model.bvh_aabb[nodes.clone()],
        children: &model.bvh_child[nodes.clone()],
        leaf_faces: &model.bvh_nodeid[nodes],
    }
}
