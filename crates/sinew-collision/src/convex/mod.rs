//! Distance and penetration of any two convex shapes.
//!
//! A shape is known by its support function alone ([`Convex`]). `gjk` finds the point of the
//! Minkowski difference nearest to the origin; when the shapes overlap, `epa` expands a polytope
//! inside the difference until its nearest face is the face of least penetration; for flat-faced
//! shapes `clip` then turns that face into several contact points. Conforms to `mjc_ccd`. Models may ask for the
//! older `portal` instead ([`Method`]).
//!
//! - M. Montanari, N. Petrinic, E. Barbieri, "Improving the GJK Algorithm for Faster and More
//!   Reliable Distance Queries Between Convex Objects", 2017
//! - G. van den Bergen, "Proximity Queries and Penetration Depth Computation on 3D Game Objects",
//!   2001

mod climb;
mod clip;
mod epa;
mod gjk;
mod hfield;
mod pair;
mod plane;
mod portal;
mod round_wall;
mod simplex;
mod support;

pub use climb::Hull;
pub use hfield::{HeightField, hfield_convex, hfield_simplex};
pub use pair::{Method, PairSettings, convex_convex, convex_simplex};
pub use plane::plane_convex;
pub use support::{Convex, Kind, MeshShape};

use epa::Polytope;
use sinew_math::Vec3;

/// Stands for "no distance".
pub const NO_DISTANCE: f64 = f64::MAX;

/// A vertex of the Minkowski difference with the points it is made of.
#[derive(Clone, Copy, Debug, Default)]
struct Vertex {
    /// point1 − point2
    point: Vec3,
    point1: Vec3,
    point2: Vec3,
    /// Which vertex of a flat-faced shape the points are.
    index1: i32,
    index2: i32,
}

/// What to find, and how hard to try.
#[derive(Clone, Copy, Debug)]
pub struct Settings {
    /// Most iterations of each algorithm.
    pub iterations: usize,
    /// Distance at which an answer is good enough.
    pub tolerance: f64,
    /// Most contact points to recover; 0: the distance only.
    pub most_contacts: usize,
    /// Largest distance of interest; 0: only whether the shapes overlap.
    pub cutoff: f64,
}

/// Storage kept between queries, and the points of the last one.
#[derive(Clone, Debug, Default)]
pub struct Workspace {
    /// Pairs of points: on the first shape, on the second.
    pub witness: Vec<(Vec3, Vec3)>,
    polytope: Polytope,
    polygon: [Vec<Vec3>; 2],
}

/// A run of the distance algorithm.
#[derive(Clone, Debug, Default)]
struct Run {
    simplex: [Vertex; 4],
    simplex_count: usize,
    dist: f64,
    x1: Vec3,
    x2: Vec3,
    has_witness: bool,
}

/// Distance of two shapes, negative in penetration; [`NO_DISTANCE`] when they are farther apart
/// than the cutoff. Witness points are left in the workspace.
#[doc(alias = "mjc_ccd")]
pub fn distance(
    settings: &Settings,
    first: &mut Convex<'_>,
    second: &mut Convex<'_>,
    work: &mut Workspace,
) -> f64 {
    work.witness.clear();

    // Spheres and capsules are a point and a line with a radius: shallow contacts follow from
    // those exactly.
    if first.core_radius().is_some() || second.core_radius().is_some() {
        let inflation1 = first.core_radius().map_or(0.0, |r| r + 0.5 * first.margin);
        let inflation2 = second
            .core_radius()
            .map_or(0.0, |r| r + 0.5 * second.margin);
        let mut core1 = first.core();
        let mut core2 = second.core();
        let widened = Settings {
            cutoff: settings.cutoff + inflation1 + inflation2,
            ..*settings
        };
        let mut run = gjk::run(&widened, &mut core1, &mut core2);
        first.keep_start(&core1);
        second.keep_start(&core2);
        if run.dist > settings.tolerance {
            let normal = (run.x2 - run.x1).normalized();
            if inflation1 != 0.0 {
                run.x1 += normal * inflation1;
            }
            if inflation2 != 0.0 {
                run.x2 -= normal * inflation2;
            }
            run.dist -= inflation1 + inflation2;
            if run.has_witness {
                work.witness.push((run.x1, run.x2));
            }
            return if run.dist > settings.cutoff {
                NO_DISTANCE
            } else {
                run.dist
            };
        }
        if settings.most_contacts == 0 {
            return 0.0;
        }
    }

    let mut run = gjk::run(settings, first, second);
    if run.has_witness {
        work.witness.push((run.x1, run.x2));
    }
    if settings.most_contacts == 0 || run.dist > settings.tolerance || run.simplex_count < 2 {
        return run.dist;
    }

    // Touching or overlapping.
    run.dist = 0.0;
    if !work
        .polytope
        .start(&mut run, first, second, settings.iterations)
    {
        return run.dist;
    }
    work.witness.clear();
    let Some((face, dist)) = work.polytope.expand(settings, first, second) else {
        return 0.0;
    };
    work.witness.push(work.polytope.witness(face));
    if settings.most_contacts > 1 {
        clip::contacts(work, face, settings.most_contacts, first, second);
    }
    dist
}

/// Whether both shapes have flat faces only, so that the algorithms end exactly.
fn is_discrete(first: &Convex<'_>, second: &Convex<'_>) -> bool {
    first.is_flat_faced() && second.is_flat_faced()
}

/// The vertex of the Minkowski difference farthest along a unit direction.
fn support(first: &mut Convex<'_>, second: &mut Convex<'_>, direction: Vec3) -> Vertex {
    let point1 = first.support(direction);
    let point2 = second.support(-direction);
    Vertex {
        point: point1 - point2,
        point1,
        point2,
        index1: first.vertex,
        index2: second.vertex,
    }
}
