//! The smallest distance between two geoms, or between any geoms of two bodies.
//!
//! Pairs of shapes with a closed form answer with their contacts, others with the distance of convex shapes, as
//! `sinew_engine::position::contact::distance` says. Which pair is which was found out before.

use super::cut;
use crate::Number;
use crate::contact::{SHAPES, Shapes};
use crate::local::{Local, kinematics_of};
use crate::meeting::Place;
use crate::scene::{APART_WORDS, DISTANCE_WORDS, Scene};
use crate::solid::{NoMesh, Polyhedron, height_field, solid};
use sinew_collision::convex::{self, Polytope, Settings, Solid, SolidKind, plane_convex};
use sinew_collision::pair::{self, Shape, Touch, Touches};
use sinew_dynamics::kinematics::KinematicsRef;
use sinew_math::Vec3;
use sinew_math::series::Cells;
use sinew_model::kinds::SensorType;

/// How far apart two geoms are.
#[derive(Clone, Copy)]
struct Distance<T> {
    dist: T,
    /// The shortest segment.
    ends: [Vec3<T>; 2],
}

/// The nearest contact of two geoms; `sign` is −1 where the second one came first.
struct Nearest<T> {
    found: Distance<T>,
    sign: T,
}

impl<T: Number> Touches<T> for Nearest<T> {
    #[inline(always)]
    fn add(&mut self, exists: bool, touch: Touch<T>) {
        if exists && touch.dist < self.found.dist {
            let half = T::from_f64(0.5) * self.sign * touch.dist;
            self.found = Distance {
                dist: touch.dist,
                ends: [
                    touch.pos.add_scaled(touch.normal, -half),
                    touch.pos.add_scaled(touch.normal, half),
                ],
            };
        }
    }
}

/// Reads a sensor of a distance, its direction or its ends, with memory for a polytope.
#[inline(always)]
pub fn distance<T: Number>(
    scene: &Scene<'_, T>,
    sensor: usize,
    place: &mut Place<'_, '_, T>,
    memory: &mut [T],
) {
    let at = &Local::cut(&scene.head, &mut *place.memory.0, &mut *place.memory.1);
    let at = &kinematics_of(&at.kinematics);
    let tables = &scene.tables;
    let words = &tables.distance_words.as_chunks::<DISTANCE_WORDS>().0[sensor];
    let [kind, address, first, count, numbers] = *words;
    let cutoff = tables.distance_cutoffs[sensor];
    let mut nearest = Distance {
        dist: cutoff,
        ends: [Vec3::zero(); 2],
    };
    for pair in first..first + count {
        let found = between(scene, pair as usize, (at, cutoff), memory);
        if found.dist < nearest.dist {
            nearest = found;
        }
    }
    let [from, to] = nearest.ends;
    let out = &mut place.problem.sensordata[address as usize..];
    match SensorType::from_code(kind) {
        Some(SensorType::Geomdist) => out[0] = cut(numbers, cutoff, nearest.dist),
        Some(SensorType::Geomnormal) => {
            let segment = to - from;
            let is_point = segment.0 == [T::ZERO; 3];
            let normal = if is_point {
                segment
            } else {
                segment.normalized()
            };
            for k in 0..3 {
                out[k] = cut(numbers, cutoff, normal[k]);
            }
        }
        // Ends are never cut.
        _ => {
            for k in 0..3 {
                (out[k], out[3 + k]) = (from[k], to[k]);
            }
        }
    }
}

/// Distance of the geoms of a pair, up to a largest one.
#[inline(always)]
fn between<T: Number>(
    scene: &Scene<'_, T>,
    pair: usize,
    (at, most): (&KinematicsRef<'_, T>, T),
    memory: &mut [T],
) -> Distance<T> {
    let tables = &scene.tables;
    let [one, other, shapes, is_flipped] =
        tables.apart_words.as_chunks::<APART_WORDS>().0[pair].map(|word| word as usize);
    let placed = |geom: usize| Shape {
        pos: *at.geom_xpos.at(geom),
        mat: *at.geom_xmat.at(geom),
        size: scene.extra.geom_size[geom],
    };
    let found = Distance {
        dist: most,
        ends: [Vec3::zero(); 2],
    };
    let shapes = SHAPES.get(shapes);
    if matches!(shapes, Some(Shapes::Convex)) {
        let solids = [one, other].map(|geom| solid(scene, geom, &placed(geom), T::ZERO));
        return of_solids(scene, solids, found, memory);
    }
    let (low, high) = match is_flipped {
        0 => (one, other),
        _ => (other, one),
    };
    let (first, second) = (&placed(low), &placed(high));
    let radius = tables.geom_bounds[high];
    let out = &mut Nearest {
        found,
        sign: if is_flipped == 0 { T::ONE } else { -T::ONE },
    };
    match shapes {
        Some(Shapes::PlaneSphere) => pair::plane_sphere(first, second, most, out),
        Some(Shapes::PlaneCapsule) => pair::plane_capsule(first, second, most, out),
        Some(Shapes::PlaneCylinder) => pair::plane_cylinder(first, second, most, out),
        Some(Shapes::PlaneBox) => pair::plane_box(first, second, most, out),
        Some(Shapes::SphereSphere) => pair::sphere_sphere(first, second, most, out),
        Some(Shapes::SphereCapsule) => pair::sphere_capsule(first, second, most, out),
        Some(Shapes::SphereCylinder) => pair::sphere_cylinder(first, second, most, out),
        Some(Shapes::SphereBox) => pair::sphere_box(first, second, most, out),
        Some(Shapes::CapsuleCapsule) => pair::capsule_capsule(first, second, most, out),
        Some(Shapes::CapsuleBox) => pair::capsule_box(first, second, most, out),
        Some(Shapes::PlaneEllipsoid) => {
            let kind = SolidKind::<NoMesh, T>::Ellipsoid;
            let mut shape = Solid::new(kind, second.pos, second.mat, second.size, T::ZERO);
            plane_convex(first, &mut shape, radius, most, out);
        }
        Some(Shapes::PlaneMesh) => {
            let mut shape = solid(scene, high, second, T::ZERO);
            plane_convex(first, &mut shape, radius, most, out);
        }
        Some(Shapes::FieldConvex) => {
            let ground = &height_field(scene, low, first);
            let shape = &solid(scene, high, second, T::ZERO);
            let limits = (scene.head.ccd_iterations, scene.constants.ccd_tolerance);
            let polytope = &mut Polytope::lent(memory, limits.0);
            let find = |prism: &mut _, shape: &mut _| {
                convex::deepest(limits, prism, shape, T::ZERO, polytope)
            };
            convex::field_contacts(ground, shape, radius, most, find, out);
        }
        _ => {}
    }
    out.found
}

/// Distance of two convex shapes.
#[inline(always)]
fn of_solids<T: Number>(
    scene: &Scene<'_, T>,
    [mut first, mut second]: [Solid<Polyhedron<'_, T>, T>; 2],
    mut found: Distance<T>,
    memory: &mut [T],
) -> Distance<T> {
    let settings = &Settings {
        iterations: scene.head.ccd_iterations,
        tolerance: scene.constants.ccd_tolerance,
        most_contacts: 1,
        cutoff: found.dist,
    };
    let polytope = &mut Polytope::lent(memory, settings.iterations);
    let (dist, ends) = convex::separation(settings, &mut first, &mut second, polytope);
    if let Some((from, to)) = ends {
        found.ends = [from, to];
    }
    if dist < found.dist {
        found.dist = dist;
    }
    found
}
