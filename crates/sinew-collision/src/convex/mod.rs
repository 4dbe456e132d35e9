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

#[cfg(feature = "std")]
mod climb;
#[cfg(feature = "std")]
mod clip;
mod epa;
mod field;
mod gjk;
#[cfg(feature = "std")]
mod hfield;
mod list;
#[cfg(feature = "std")]
mod pair;
mod plane;
#[cfg(feature = "std")]
mod portal;
#[cfg(feature = "std")]
mod round_wall;
mod simplex;
mod support;
#[cfg(feature = "std")]
mod workspace;

#[cfg(feature = "std")]
pub use climb::Hull;
pub use epa::{Polytope, room};
pub use field::{HeightField, Heights, field_contacts};
#[cfg(feature = "std")]
pub use hfield::{Field, hfield_convex, hfield_simplex};
pub use list::{Lent, Storage};
#[cfg(feature = "std")]
pub use pair::{Method, PairSettings, convex_convex, convex_simplex};
pub use plane::plane_convex;
#[cfg(feature = "std")]
pub use support::{Convex, Kind, MeshShape};
pub use support::{Mesh, Solid, SolidKind};
#[cfg(feature = "std")]
pub use workspace::{Workspace, distance};

use crate::pair::Touch;
use bytemuck::Pod;
use list::{Record, to_number, to_word};
use sinew_math::{Scalar, Vec3};

/// Stands for "no distance".
pub const NO_DISTANCE: f64 = f64::MAX;

/// A gap this many times wider than the tolerance is one.
const CLEARLY: f64 = 4.0;

/// A vertex of the Minkowski difference with the points it is made of.
#[derive(Clone, Copy, Debug, Default)]
pub struct Vertex<T = f64> {
    /// point1 − point2
    point: Vec3<T>,
    point1: Vec3<T>,
    point2: Vec3<T>,
    /// Which vertex of a flat-faced shape the points are.
    index1: i32,
    index2: i32,
}

impl<T: Copy> Record<T> for Vertex<T> {
    const NUMBERS: usize = 11;

    #[inline(always)]
    fn read(numbers: &[T]) -> Self
    where
        T: Pod,
    {
        let vector = |k: usize| Vec3([numbers[k], numbers[k + 1], numbers[k + 2]]);
        Vertex {
            point: vector(0),
            point1: vector(3),
            point2: vector(6),
            index1: to_word(numbers[9]) as i32,
            index2: to_word(numbers[10]) as i32,
        }
    }

    #[inline(always)]
    fn write(&self, numbers: &mut [T])
    where
        T: Pod,
    {
        for k in 0..3 {
            numbers[k] = self.point[k];
            numbers[3 + k] = self.point1[k];
            numbers[6 + k] = self.point2[k];
        }
        numbers[9] = to_number(self.index1 as u32);
        numbers[10] = to_number(self.index2 as u32);
    }
}

/// What to find, and how hard to try.
#[derive(Clone, Copy, Debug)]
pub struct Settings<T = f64> {
    /// Most iterations of each algorithm.
    pub iterations: usize,
    /// Distance at which an answer is good enough.
    pub tolerance: T,
    /// Most contact points to recover; 0: the distance only.
    pub most_contacts: usize,
    /// Largest distance of interest; 0: only whether the shapes overlap.
    pub cutoff: T,
}

/// A run of the distance algorithm.
#[derive(Clone, Copy, Debug, Default)]
struct Run<T> {
    simplex: [Vertex<T>; 4],
    simplex_count: usize,
    dist: T,
    x1: Vec3<T>,
    x2: Vec3<T>,
    has_witness: bool,
}

/// How far apart two shapes are.
#[derive(Clone, Copy, Debug)]
struct Nearest<T> {
    /// Negative in penetration; [`NO_DISTANCE`] when they are farther apart than the cutoff.
    dist: T,
    /// A point on the first shape, and one on the second.
    witness: Option<(Vec3<T>, Vec3<T>)>,
    /// The face of the polytope, if they overlap.
    #[cfg(feature = "std")]
    face: Option<u32>,
}

impl<T> Nearest<T> {
    fn new(dist: T, witness: Option<(Vec3<T>, Vec3<T>)>) -> Self {
        Nearest {
            dist,
            witness,
            #[cfg(feature = "std")]
            face: None,
        }
    }
}

impl<T: Scalar> Nearest<T> {
    /// The contact of shapes that carry the margin, if they overlap.
    fn contact(self, margin: T) -> Option<Touch<T>> {
        // A distance that is no number counts as one.
        if self.dist >= T::ZERO {
            return None;
        }
        let (x1, x2) = self.witness?;
        Some(touch(margin + self.dist, x1, x2))
    }
}

/// How two shapes came near each other, before a polytope is needed.
#[derive(Clone, Copy, Debug)]
enum Approach<T> {
    /// That is all.
    Known(Nearest<T>),
    /// They touch or overlap: the simplex of the run is expanded.
    Overlap(Run<T>),
}

/// The part of [`nearest`] that needs no memory.
#[inline(always)]
fn approach<T: Scalar, M: Mesh<T>>(
    settings: &Settings<T>,
    first: &mut Solid<M, T>,
    second: &mut Solid<M, T>,
) -> Approach<T> {
    // Spheres and capsules are a point and a line with a radius: shallow contacts follow from
    // those exactly.
    if first.core_radius().is_some() || second.core_radius().is_some() {
        let inflation = |shape: &Solid<M, T>| {
            let half = T::from_f64(0.5) * shape.margin;
            shape.core_radius().map_or(T::ZERO, |r| r + half)
        };
        let (inflation1, inflation2) = (inflation(first), inflation(second));
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
            if inflation1 != T::ZERO {
                run.x1 += normal * inflation1;
            }
            if inflation2 != T::ZERO {
                run.x2 -= normal * inflation2;
            }
            run.dist -= inflation1 + inflation2;
            let witness = run.has_witness.then_some((run.x1, run.x2));
            let dist = if run.dist > settings.cutoff {
                T::from_f64(NO_DISTANCE)
            } else {
                run.dist
            };
            return Approach::Known(Nearest::new(dist, witness));
        }
        if settings.most_contacts == 0 {
            return Approach::Known(Nearest::new(T::ZERO, None));
        }
    }

    let run = gjk::run(settings, first, second);
    if settings.most_contacts == 0 || run.dist > settings.tolerance || run.simplex_count < 2 {
        return Approach::Known(Nearest::new(run.dist, run.witness()));
    }
    Approach::Overlap(run)
}

impl<T: Scalar> Run<T> {
    fn witness(&self) -> Option<(Vec3<T>, Vec3<T>)> {
        self.has_witness.then_some((self.x1, self.x2))
    }

    /// How deep shapes that touch or overlap are in each other.
    #[inline(always)]
    fn expand<M: Mesh<T>, S: Storage<T>>(
        mut self,
        settings: &Settings<T>,
        first: &mut Solid<M, T>,
        second: &mut Solid<M, T>,
        polytope: &mut Polytope<T, S>,
    ) -> Nearest<T> {
        let witness = self.witness();
        self.dist = T::ZERO;
        if !polytope.start(&mut self, first, second, settings.iterations) {
            return Nearest::new(self.dist, witness);
        }
        match polytope.expand(settings, first, second) {
            Some((face, dist)) => Nearest {
                dist,
                witness: Some(polytope.witness(face)),
                #[cfg(feature = "std")]
                face: Some(face),
            },
            None => Nearest::new(T::ZERO, None),
        }
    }
}

/// Distance of two shapes.
fn nearest<T: Scalar, M: Mesh<T>, S: Storage<T>>(
    settings: &Settings<T>,
    first: &mut Solid<M, T>,
    second: &mut Solid<M, T>,
    polytope: &mut Polytope<T, S>,
) -> Nearest<T> {
    match approach(settings, first, second) {
        Approach::Known(found) => found,
        Approach::Overlap(run) => run.expand(settings, first, second, polytope),
    }
}

/// Distance of two shapes, negative in penetration, [`NO_DISTANCE`] when they are farther apart than the cutoff; and a point on
/// each.
pub fn separation<T: Scalar, M: Mesh<T>, S: Storage<T>>(
    settings: &Settings<T>,
    first: &mut Solid<M, T>,
    second: &mut Solid<M, T>,
    polytope: &mut Polytope<T, S>,
) -> (T, Option<(Vec3<T>, Vec3<T>)>) {
    let found = nearest(settings, first, second, polytope);
    (found.dist, found.witness)
}

/// The contact of two shapes, found in two parts: many pairs need no memory and end after the first.
#[derive(Clone, Copy, Debug)]
pub enum Search<T> {
    /// They do not touch, or do in this contact.
    Ended(Option<Touch<T>>),
    /// A polytope must be expanded.
    Begun(Overlap<T>),
}

/// What is known of two shapes that overlap.
#[derive(Clone, Copy, Debug)]
pub struct Overlap<T> {
    run: Run<T>,
    /// Where climbing ended on each shape.
    starts: [[i32; 2]; 2],
}

/// Begins to look for the contact that [`convex_contact`] finds.
#[inline(always)]
pub fn begin<T: Scalar, M: Mesh<T>>(
    (iterations, tolerance): (usize, T),
    first: &mut Solid<M, T>,
    second: &mut Solid<M, T>,
    margin: T,
) -> Search<T> {
    match approach(&one_contact(iterations, tolerance), first, second) {
        Approach::Known(found) => Search::Ended(found.contact(margin)),
        Approach::Overlap(run) => Search::Begun(Overlap {
            run,
            starts: [first.start(), second.start()],
        }),
    }
}

impl<T: Scalar> Overlap<T> {
    /// Ends the search, for the same shapes.
    #[inline(always)]
    pub fn end<M: Mesh<T>, S: Storage<T>>(
        self,
        (iterations, tolerance): (usize, T),
        first: &mut Solid<M, T>,
        second: &mut Solid<M, T>,
        margin: T,
        polytope: &mut Polytope<T, S>,
    ) -> Option<Touch<T>> {
        first.start_at(self.starts[0]);
        second.start_at(self.starts[1]);
        let settings = &one_contact(iterations, tolerance);
        let found = self.run.expand(settings, first, second, polytope);
        found.contact(margin)
    }
}

fn one_contact<T: Scalar>(iterations: usize, tolerance: T) -> Settings<T> {
    Settings {
        iterations,
        tolerance,
        most_contacts: 1,
        cutoff: T::ZERO,
    }
}

/// Whether boxes around two shapes are so far apart that [`convex_contact`] would not call them touching.
#[inline(always)]
pub fn are_clearly_apart<T: Scalar, M: Mesh<T>>(
    first: &Solid<M, T>,
    second: &Solid<M, T>,
    margin: T,
    tolerance: T,
) -> bool {
    let reach = margin.max_of(T::ZERO) + T::from_f64(CLEARLY) * tolerance;
    first.is_clearly_apart(second, reach)
}

/// The deepest contact of two shapes that carry the margin, where they overlap: what `convex_convex` finds by the native
/// algorithm if it looks for one.
pub fn convex_contact<T: Scalar, M: Mesh<T>, S: Storage<T>>(
    (iterations, tolerance): (usize, T),
    first: &mut Solid<M, T>,
    second: &mut Solid<M, T>,
    margin: T,
    polytope: &mut Polytope<T, S>,
) -> Option<Touch<T>> {
    if are_clearly_apart(first, second, margin, tolerance) {
        return None;
    }
    deepest((iterations, tolerance), first, second, margin, polytope)
}

/// The same without a look at the boxes around them.
pub fn deepest<T: Scalar, M: Mesh<T>, S: Storage<T>>(
    (iterations, tolerance): (usize, T),
    first: &mut Solid<M, T>,
    second: &mut Solid<M, T>,
    margin: T,
    polytope: &mut Polytope<T, S>,
) -> Option<Touch<T>> {
    let settings = &one_contact(iterations, tolerance);
    nearest(settings, first, second, polytope).contact(margin)
}

/// The contact between a point of the first shape and one of the second.
fn touch<T: Scalar>(dist: T, x1: Vec3<T>, x2: Vec3<T>) -> Touch<T> {
    Touch {
        dist,
        pos: (x1 + x2) * T::from_f64(0.5),
        normal: (x1 - x2).normalized(),
        tangent: Vec3::zero(),
    }
}

/// Whether both shapes have flat faces only, so that the algorithms end exactly.
fn is_discrete<T: Scalar, M: Mesh<T>>(first: &Solid<M, T>, second: &Solid<M, T>) -> bool {
    first.is_flat_faced() && second.is_flat_faced()
}

/// The vertex of the Minkowski difference farthest along a unit direction.
fn support<T: Scalar, M: Mesh<T>>(
    first: &mut Solid<M, T>,
    second: &mut Solid<M, T>,
    direction: Vec3<T>,
) -> Vertex<T> {
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
