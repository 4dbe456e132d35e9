//! Rays from sites that may meet meshes and height fields. They are in double precision, as the functions for them are.

use super::cut;
use crate::Number;
use crate::local::{Local, kinematics_of};
use crate::meeting::Place;
use crate::scene::{FIELD_WORDS, NODE_WORDS, RAY_WORDS, SOLID_WORDS, Scene};
use crate::sense::ray::{against_shape, double, double_axes, write};
use sinew_collision::convex::Heights;
use sinew_collision::ray::field::{Grid, hfield};
use sinew_collision::ray::mesh::Way;
use sinew_collision::ray::{Hit, Pose, Ray};
use sinew_dynamics::kinematics::KinematicsRef;
use sinew_math::series::Cells;
use sinew_math::{MIN_VALUE, Vec3};
use sinew_model::kinds::GeomType;

/// How much wider boxes are in single precision, in which they may have been rounded.
const WIDER: f64 = 1e-6;

/// Reads a rangefinder.
#[inline(always)]
pub fn ray<T: Number>(scene: &Scene<'_, T>, sensor: usize, place: &mut Place<'_, '_, T>) {
    let at = &Local::cut(&scene.head, &mut *place.memory.0, &mut *place.memory.1);
    let at = &kinematics_of(&at.kinematics);
    let words = &scene.tables.ray_words.as_chunks::<RAY_WORDS>().0[sensor];
    let [site, fields, address, dim, numbers] = *words;
    let site = site as usize;
    let axes = *at.site_xmat.at(site);
    let ray = &Ray {
        origin: double(*at.site_xpos.at(site)),
        direction: double_axes(&axes).column(2),
    };
    let body = scene.attached.site_bodyid[site] as usize;
    let hit = cast(scene, at, ray, body);
    let out = &mut place.problem.sensordata[address as usize..(address + dim) as usize];
    write(fields, ray, hit, out);
    let cutoff = scene.tables.ray_cutoffs[sensor];
    for k in 0..out.len() {
        out[k] = cut(numbers, cutoff, out[k]);
    }
}

/// The nearest geom of another body that a ray meets.
#[inline(always)]
fn cast<T: Number>(
    scene: &Scene<'_, T>,
    at: &KinematicsRef<'_, T>,
    ray: &Ray,
    body: usize,
) -> Option<Hit> {
    if ray.direction.norm() < MIN_VALUE {
        return None;
    }
    let mut nearest: Option<Hit> = None;
    for geom in 0..scene.head.ngeom {
        let Some(kind) = GeomType::from_code(scene.tables.ray_geoms[geom]) else {
            continue;
        };
        if scene.attached.geom_bodyid[geom] as usize == body {
            continue;
        }
        let axes = *at.geom_xmat.at(geom);
        let pose = Pose {
            pos: double(*at.geom_xpos.at(geom)),
            mat: &double_axes(&axes),
        };
        let size = scene.extra.geom_size[geom].map(|x| x.to_f64());
        let hit = match kind {
            GeomType::Mesh => mesh(scene, geom, ray, pose, size),
            GeomType::Hfield => field(scene, geom, ray, pose),
            kind => against_shape(kind, ray, pose, size),
        };
        if let Some(hit) = hit {
            let is_nearer = nearest.is_none_or(|best| hit.distance < best.distance);
            nearest = if is_nearer { Some(hit) } else { nearest };
        }
    }
    nearest
}

/// The mesh or the height field of a geom.
#[inline(always)]
fn shape_of<T: Number>(scene: &Scene<'_, T>, geom: usize) -> Option<usize> {
    usize::try_from(scene.tables.solid_words.as_chunks::<SOLID_WORDS>().0[geom][1]).ok()
}

/// Where a ray meets a mesh. The boxes stand in the order in which they are looked at, and each knows how far the way leads on
/// where it is missed.
#[inline(always)]
fn mesh<T: Number>(
    scene: &Scene<'_, T>,
    geom: usize,
    ray: &Ray,
    pose: Pose<'_>,
    size: [f64; 3],
) -> Option<Hit> {
    let tables = &scene.tables;
    let mesh = shape_of(scene, geom)?;
    let way = &mut Way::new(ray, pose, size)?;
    let [mut node, end] = [0, 1].map(|k| tables.node_starts[mesh + k] as usize);
    while node < end {
        let mut bounds: [f64; 6] =
            core::array::from_fn(|k| tables.node_boxes[6 * node + k].to_f64());
        if T::MAY_REORDER {
            for k in 0..3 {
                bounds[3 + k] += WIDER * (bounds[k].abs() + bounds[3 + k]);
            }
        }
        let [skip, corners @ ..] = tables.node_words.as_chunks::<NODE_WORDS>().0[node];
        if !way.meets_box(&bounds) {
            node = skip as usize;
            continue;
        }
        if corners[0] >= 0 {
            let vertices = tables.mesh_vertices.as_chunks::<3>().0;
            way.add(corners.map(|corner| double(Vec3(vertices[corner as usize]))));
        }
        node += 1;
    }
    way.end(pose)
}

/// Elevations in double precision.
struct Samples<'a, T>(&'a [T]);

impl<T: Number> Heights<f64> for Samples<'_, T> {
    #[inline(always)]
    fn at(&self, i: usize) -> f64 {
        self.0[i].to_f64()
    }
}

/// Where a ray meets a height field.
#[inline(always)]
fn field<T: Number>(scene: &Scene<'_, T>, geom: usize, ray: &Ray, pose: Pose<'_>) -> Option<Hit> {
    let tables = &scene.tables;
    let field = shape_of(scene, geom)?;
    let words = &tables.field_words.as_chunks::<FIELD_WORDS>().0[field];
    let [rows, columns, start] = words.map(|word| word as usize);
    let grid = &Grid {
        rows,
        columns,
        size: core::array::from_fn(|k| tables.field_sizes[4 * field + k].to_f64()),
        samples: Samples(&tables.field_heights[start..]),
    };
    hfield(ray, pose, grid)
}
