//! The smallest distance between two geoms.
//!
//! Pairs of shapes with a closed form answer with their contacts of the wanted distance as margin;
//! all other convex pairs, boxes included, with the distance algorithm itself. Conforms to
//! `mj_geomDistance`.

use super::Contacts;
use super::narrow::{self, Narrow};
use crate::is_disabled;
use crate::position::kinematics::Kinematics;
use sinew_collision::convex::{self, Settings};
use sinew_math::Vec3;
use sinew_model::Model;
use sinew_model::kinds::{DisableFlag, GeomType};

/// How far apart two geoms are.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct GeomDistance {
    /// Signed distance, negative in penetration; the largest distance asked for if they are farther
    /// apart, or if their shapes never touch.
    pub dist: f64,
    /// The ends of the shortest segment: on the first geom, on the second, world. Zero if there is
    /// none within the largest distance.
    pub fromto: [Vec3; 2],
}

impl Contacts {
    /// Distance of two geoms up to `distmax`, at the given positions.
    pub(crate) fn distance(
        &mut self,
        model: &Model,
        kinematics: &Kinematics,
        first: usize,
        second: usize,
        distmax: f64,
    ) -> GeomDistance {
        self.narrow.update(model);
        let (low, high) = narrow::by_type(model, first, second);
        let none = GeomDistance {
            dist: distmax,
            fromto: [Vec3::ZERO; 2],
        };
        let is_native = !is_disabled(model, DisableFlag::Nativeccd);
        if is_native && is_general(model, low, high) {
            return self.general(model, kinematics, (first, second), none);
        }
        narrow::touches(model, kinematics, low, high, distmax, &mut self.narrow);
        let mut best = none;
        let sign = if low == first { 1.0 } else { -1.0 };
        for touch in &self.narrow.touches {
            if touch.dist < best.dist {
                let half = 0.5 * sign * touch.dist;
                best = GeomDistance {
                    dist: touch.dist,
                    fromto: [
                        touch.pos.add_scaled(touch.normal, -half),
                        touch.pos.add_scaled(touch.normal, half),
                    ],
                };
            }
        }
        best
    }

    /// Distance of two convex shapes.
    fn general(
        &mut self,
        model: &Model,
        kinematics: &Kinematics,
        (first, second): (usize, usize),
        mut best: GeomDistance,
    ) -> GeomDistance {
        let settings = Settings {
            iterations: model.opt.ccd_iterations.max(0) as usize,
            tolerance: model.opt.ccd_tolerance,
            most_contacts: 1,
            cutoff: best.dist,
        };
        let Narrow {
            convex: work,
            hulls,
            ..
        } = &mut self.narrow;
        let convex_shape = |geom: usize| {
            let shape = narrow::shape(model, kinematics, geom);
            narrow::convex_shape(model, hulls, &shape, geom, 0.0)
        };
        let (mut shape1, mut shape2) = (convex_shape(first), convex_shape(second));
        let dist = convex::distance(&settings, &mut shape1, &mut shape2, work);
        if let Some(&(from, to)) = work.witness.first() {
            best.fromto = [from, to];
        }
        if dist < best.dist {
            best.dist = dist;
        }
        best
    }
}

/// Whether a pair, ordered by type, has no closed form that serves for distances.
fn is_general(model: &Model, low: usize, high: usize) -> bool {
    use GeomType::{Box, Capsule, Cylinder, Ellipsoid, Mesh, Sphere};
    let kind = |geom: usize| GeomType::from_code(model.geom_type[geom]);
    matches!(
        (kind(low), kind(high)),
        (
            Some(Sphere | Capsule | Ellipsoid | Cylinder | Box),
            Some(Mesh)
        ) | (Some(Sphere | Capsule | Ellipsoid), Some(Ellipsoid))
            | (Some(Capsule | Ellipsoid | Cylinder), Some(Cylinder))
            | (Some(Ellipsoid | Cylinder | Box), Some(Box))
            | (Some(Mesh), Some(Mesh))
    )
}
