//! Many rays from one point.
//!
//! Geoms are sorted out once for the point: by the filter, by their distance, and for each ray by
//! the range of directions under which their box is seen. The ranges are generous, and the sphere
//! about a body's boxes ignores how the body is turned, as in the reference: next to a turned body
//! with off-centre geoms a ray may pass unseen. Conforms to `mj_multiRay`.

use super::{RayFilter, against_geom, counts};
use crate::position::kinematics::Kinematics;
use core::f64::consts::PI;
use sinew_collision::ray::{Hit, Pose, Ray, meets_bound};
use sinew_math::{MIN_VALUE, Vec3};
use sinew_model::Model;

/// Storage kept between calls.
#[derive(Clone, Debug, Default)]
pub struct Fan {
    /// Whether each geom counts.
    counts: Vec<bool>,
    /// Directions under which each geom may be seen: least and largest azimuth, then elevation.
    seen: Vec<[[f64; 2]; 2]>,
    stack: Vec<i32>,
}

/// Everything.
const ALL: [[f64; 2]; 2] = [[-PI, PI], [0.0, PI]];

/// The nearest geom along each direction. Geoms whose bounding sphere is beyond `cutoff` are left
/// out.
pub fn cast_many<'a>(
    model: &'a Model,
    kinematics: &'a Kinematics,
    origin: Vec3,
    directions: impl Iterator<Item = Vec3> + 'a,
    filter: &RayFilter,
    cutoff: f64,
    fan: &'a mut Fan,
) -> impl Iterator<Item = Option<(usize, Hit)>> + 'a {
    fan.prepare(model, kinematics, origin, filter, cutoff);
    directions.map(move |direction| fan.cast(model, kinematics, Ray { origin, direction }))
}

impl Fan {
    fn prepare(
        &mut self,
        model: &Model,
        kinematics: &Kinematics,
        origin: Vec3,
        filter: &RayFilter,
        cutoff: f64,
    ) {
        self.counts.clear();
        self.counts
            .extend((0..model.ngeom).map(|geom| counts(model, geom, filter)));
        self.seen.clear();
        self.seen.resize(model.ngeom, ALL);
        for geom in 0..model.ngeom {
            let body = model.geom_bodyid[geom] as usize;
            if model.body_bvhadr[body] == -1 || !self.counts[geom] {
                continue;
            }
            let distance = kinematics.geom_xpos[geom].distance(origin);
            if distance > cutoff + model.geom_rbound[geom] {
                self.counts[geom] = false;
            } else {
                self.seen[geom] = seen_from(model, kinematics, geom, origin);
            }
        }
    }

    fn cast(&mut self, model: &Model, kinematics: &Kinematics, ray: Ray) -> Option<(usize, Hit)> {
        if ray.direction.dot(ray.direction) < MIN_VALUE {
            return None;
        }
        let angles = angles(ray.direction);
        let mut nearest: Option<(usize, Hit)> = None;
        for body in 0..model.nbody {
            let root = model.body_bvhadr[body];
            if root != -1 && !meets_body(model, kinematics, body, root as usize, &ray) {
                continue;
            }
            let first = usize::try_from(model.body_geomadr[body]).unwrap_or(0);
            for geom in first..first + model.body_geomnum[body] as usize {
                if !self.counts[geom] || (root != -1 && !is_within(angles, self.seen[geom])) {
                    continue;
                }
                let is_nearer =
                    |hit: &Hit| nearest.is_none_or(|(_, best)| hit.distance < best.distance);
                let hit = against_geom(model, kinematics, geom, &ray, &mut self.stack);
                nearest = hit.filter(is_nearer).map(|hit| (geom, hit)).or(nearest);
            }
        }
        nearest
    }
}

/// Whether a ray meets the sphere about the boxes of a body.
fn meets_body(model: &Model, kinematics: &Kinematics, body: usize, root: usize, ray: &Ray) -> bool {
    let aabb = model.bvh_aabb[root];
    let centre = Vec3([aabb[0], aabb[1], aabb[2]]) + kinematics.xipos[body];
    let square = aabb[3] * aabb[3] + aabb[4] * aabb[4] + aabb[5] * aabb[5];
    meets_bound(ray, centre, square)
}

/// Azimuth and elevation (from the z axis) of a direction.
fn angles(v: Vec3) -> [f64; 2] {
    let flat = (v[0] * v[0] + v[1] * v[1]).sqrt();
    [libm::atan2(v[1], v[0]), libm::atan2(flat, v[2])]
}

/// The directions under which a geom's box is seen from a point.
fn seen_from(model: &Model, kinematics: &Kinematics, geom: usize, origin: Vec3) -> [[f64; 2]; 2] {
    let pose = Pose {
        pos: kinematics.geom_xpos[geom],
        mat: &kinematics.geom_xmat[geom],
    };
    let aabb = model.geom_aabb[geom];
    let local = pose.mat.transpose_mul(origin - pose.pos) - Vec3([aabb[0], aabb[1], aabb[2]]);
    if (0..3).all(|k| local[k].abs() <= aabb[3 + k]) {
        return ALL;
    }
    let mut seen = [[f64::INFINITY, f64::NEG_INFINITY]; 2];
    for corner in 0..8 {
        let along = |k: usize| {
            if corner & (1 << k) != 0 {
                aabb[k] + aabb[3 + k]
            } else {
                aabb[k] - aabb[3 + k]
            }
        };
        let vertex = *pose.mat * Vec3([along(0), along(1), along(2)]) + pose.pos;
        for (range, angle) in seen.iter_mut().zip(angles(vertex - origin)) {
            *range = [range[0].min(angle), range[1].max(angle)];
        }
    }
    // Faces bulge beyond the directions of their corners.
    let half = aabb[3].max(aabb[4].max(aabb[5]));
    let distance = origin.distance(pose.pos);
    if distance > MIN_VALUE {
        let slack = libm::atan2(half, distance);
        for range in &mut seen {
            *range = [range[0] - slack, range[1] + slack];
        }
    }
    if seen.iter().any(|[low, high]| high - low > PI) {
        return ALL;
    }
    seen
}

fn is_within([azimuth, elevation]: [f64; 2], [around, above]: [[f64; 2]; 2]) -> bool {
    if elevation < above[0] || elevation > above[1] {
        return false;
    }
    let mut off = azimuth - (around[0] + around[1]) * 0.5;
    if off > PI {
        off -= 2.0 * PI;
    } else if off < -PI {
        off += 2.0 * PI;
    }
    off.abs() <= (around[1] - around[0]) * 0.5
}
