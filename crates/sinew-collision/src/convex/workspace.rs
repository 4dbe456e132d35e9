//! Storage on the heap, kept between queries.

use super::epa::Polytope;
use super::list::Heap;
use super::{Convex, Settings, clip, nearest};
use core::fmt::{self, Debug, Formatter};
use sinew_math::Vec3;

/// Storage kept between queries, and the points of the last one.
#[derive(Clone, Debug, Default)]
pub struct Workspace {
    /// Pairs of points: on the first shape, on the second.
    pub witness: Vec<(Vec3, Vec3)>,
    pub(super) polytope: Polytope<f64, Heap>,
    pub(super) polygon: [Vec<Vec3>; 2],
}

/// Distance of two shapes, negative in penetration; [`super::NO_DISTANCE`] when they are farther apart
/// than the cutoff. Witness points are left in the workspace.
#[doc(alias = "mjc_ccd")]
pub fn distance<'a>(
    settings: &Settings,
    first: &mut Convex<'a>,
    second: &mut Convex<'a>,
    work: &mut Workspace,
) -> f64 {
    work.witness.clear();
    let found = nearest(settings, first, second, &mut work.polytope);
    work.witness.extend(found.witness);
    if let Some(face) = found.face
        && settings.most_contacts > 1
    {
        clip::contacts(work, face, settings.most_contacts, first, second);
    }
    found.dist
}

impl Default for Polytope<f64, Heap> {
    fn default() -> Self {
        Polytope {
            vertices: Vec::new(),
            faces: Vec::new(),
            most_faces: 0,
            list: Vec::new(),
            horizon: Vec::new(),
            stack: Vec::new(),
        }
    }
}

impl Clone for Polytope<f64, Heap> {
    /// Nothing of a polytope outlives the query it was made for.
    fn clone(&self) -> Self {
        Polytope::default()
    }
}

impl Debug for Polytope<f64, Heap> {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        f.debug_struct("Polytope").finish_non_exhaustive()
    }
}
