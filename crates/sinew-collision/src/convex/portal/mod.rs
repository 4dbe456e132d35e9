//! Penetration by refining a portal: the older algorithm, for models that switch the native one off.
//!
//! From a point inside the Minkowski difference, the middle, a ray goes through the origin. The triangle of
//! vertices of the difference through which it leaves is the portal. It is moved outwards, one vertex at a time, until it lies on
//! the surface; the shapes overlap if it is then beyond the origin. Its point nearest to the origin gives depth and direction, so
//! that what is found depends on where the middle is: it is not the least penetration. Conforms to `ccdMPRPenetration` of libccd.
//!
//! - G. Snethen, "XenoCollide: Complex Collision Made Simple", Game Programming Gems 7, 2008

mod nearest;
mod support;

use super::{Convex, Vertex};
use nearest::nearest_of_triangle;
use sinew_math::Vec3;

/// What is smaller counts as zero.
const ZERO: f64 = f64::EPSILON;

/// Most changes of a portal before it has passed the origin. Shapes of finite size need a few dozen; rounding could make a portal
/// come back for ever.
const MOST_CHANGES: usize = 10_000;

/// How two shapes overlap.
#[derive(Clone, Copy, Debug)]
pub(super) struct Penetration {
    pub depth: f64,
    /// Unit vector along which the second shape leaves the first.
    pub direction: Vec3,
    /// The point between the surfaces.
    pub pos: Vec3,
}

/// The middle of the difference, then the portal, which looks outwards.
#[derive(Clone, Copy, Debug)]
struct Portal([Vertex; 4]);

/// What the search for the first portal ends with.
enum Start {
    /// The shapes do not overlap.
    Apart,
    /// The origin lies between the middle and the first vertex, which alone is known.
    Along,
    /// The portal is known.
    Found,
}

/// How two shapes overlap; `None` if they do not, or touch in a point without a direction.
#[doc(alias = "ccdMPRPenetration")]
pub(super) fn penetration(
    (iterations, tolerance): (usize, f64),
    first: &mut Convex<'_>,
    second: &mut Convex<'_>,
) -> Option<Penetration> {
    let mut portal = Portal([Vertex::default(); 4]);
    let found = match portal.start(first, second) {
        Start::Apart => return None,
        Start::Along => {
            let vertex = portal.0[1];
            Penetration {
                depth: vertex.point.dot(vertex.point).sqrt(),
                direction: unit(vertex.point),
                pos: (vertex.point1 + vertex.point2) * 0.5,
            }
        }
        Start::Found => {
            if !portal.passes_origin(tolerance, first, second) {
                return None;
            }
            portal.reach_surface((iterations, tolerance), first, second);
            portal.penetration()?
        }
    };
    let is_finite = |v: Vec3| v.iter().all(|x| x.is_finite());
    (is_finite(found.direction) && is_finite(found.pos)).then_some(found)
}

impl Portal {
    /// Looks for the first portal.
    fn start(&mut self, first: &mut Convex<'_>, second: &mut Convex<'_>) -> Start {
        let (point1, point2) = (first.centre(), second.centre());
        let mut middle = Vertex {
            point: point1 - point2,
            point1,
            point2,
            ..Vertex::default()
        };
        if middle.point.iter().all(|x| x.abs() < ZERO) {
            // A ray needs two ends.
            middle.point[0] += 10.0 * ZERO;
        }

        let toward = unit(-middle.point);
        let v1 = farthest(first, second, toward);
        if v1.point.dot(toward) < ZERO {
            return Start::Apart;
        }
        let across = middle.point.cross(v1.point);
        if across.dot(across) < ZERO {
            let is_origin = v1.point.iter().all(|x| x.abs() < ZERO);
            self.0[1] = v1;
            return match is_origin {
                // They touch in a point, and nothing says from where.
                true => Start::Apart,
                false => Start::Along,
            };
        }
        let across = unit(across);
        let v2 = farthest(first, second, across);
        if v2.point.dot(across) < ZERO {
            return Start::Apart;
        }

        let normal =
            |a: Vertex, b: Vertex| unit((a.point - middle.point).cross(b.point - middle.point));
        let (mut v1, mut v2, mut outward) = (v1, v2, normal(v1, v2));
        if outward.dot(middle.point) > 0.0 {
            (v1, v2, outward) = (v2, v1, -outward);
        }
        for _ in 0..MOST_CHANGES {
            let v3 = farthest(first, second, outward);
            if v3.point.dot(outward) < ZERO {
                return Start::Apart;
            }
            // The ray may leave beside one of the two sides that meet at the new vertex.
            if v1.point.cross(v3.point).dot(middle.point) <= -ZERO {
                v2 = v3;
            } else if v3.point.cross(v2.point).dot(middle.point) <= -ZERO {
                v1 = v3;
            } else {
                self.0 = [middle, v1, v2, v3];
                return Start::Found;
            }
            outward = normal(v1, v2);
        }
        Start::Apart
    }

    /// The direction in which the portal looks.
    fn outward(&self) -> Vec3 {
        let [_, v1, v2, v3] = self.0.map(|vertex| vertex.point);
        unit((v2 - v1).cross(v3 - v1))
    }

    /// Moves the portal outwards until the origin is inside of it. False if it never is.
    fn passes_origin(
        &mut self,
        tolerance: f64,
        first: &mut Convex<'_>,
        second: &mut Convex<'_>,
    ) -> bool {
        for _ in 0..MOST_CHANGES {
            let outward = self.outward();
            if outward.dot(self.0[1].point) > -ZERO {
                return true;
            }
            let vertex = farthest(first, second, outward);
            // A vertex that is NaN is no way on.
            let goes_on = vertex.point.dot(outward) > -ZERO;
            if !goes_on || self.is_surface(&vertex, outward, tolerance) {
                return false;
            }
            self.take(vertex);
        }
        false
    }

    /// Moves the portal outwards until it lies on the surface.
    fn reach_surface(
        &mut self,
        (iterations, tolerance): (usize, f64),
        first: &mut Convex<'_>,
        second: &mut Convex<'_>,
    ) {
        for iteration in 0.. {
            let outward = self.outward();
            let vertex = farthest(first, second, outward);
            if self.is_surface(&vertex, outward, tolerance) || iteration > iterations {
                return;
            }
            self.take(vertex);
        }
    }

    /// Whether the farthest vertex is hardly farther out than the portal.
    fn is_surface(&self, farthest: &Vertex, outward: Vec3, tolerance: f64) -> bool {
        let height = |vertex: &Vertex| vertex.point.dot(outward);
        let top = height(farthest);
        let [_, v1, v2, v3] = &self.0;
        let gain = (top - height(v1))
            .min(top - height(v2))
            .min(top - height(v3));
        gain < tolerance || are_equal(gain, tolerance)
    }

    /// Puts a vertex beyond the portal in the place of the one whose loss keeps the ray inside.
    fn take(&mut self, vertex: Vertex) {
        let [middle, v1, v2, v3] = self.0.map(|vertex| vertex.point);
        let side = vertex.point.cross(middle);
        let replaced = if v1.dot(side) > 0.0 {
            if v2.dot(side) > 0.0 { 1 } else { 3 }
        } else if v3.dot(side) > 0.0 {
            2
        } else {
            1
        };
        self.0[replaced] = vertex;
    }

    /// Depth, direction and place of a portal on the surface; `None` if it goes through the origin.
    fn penetration(&self) -> Option<Penetration> {
        let [_, v1, v2, v3] = self.0.map(|vertex| vertex.point);
        let (squared, nearest) = nearest_of_triangle([v1, v2, v3]);
        let depth = squared.sqrt();
        if depth < ZERO {
            return None;
        }
        Some(Penetration {
            depth,
            direction: unit(nearest),
            pos: self.pos(),
        })
    }

    /// The origin as a point of the tetrahedron, taken in both shapes: the middle between the two.
    fn pos(&self) -> Vec3 {
        let [v0, v1, v2, v3] = self.0.map(|vertex| vertex.point);
        let mut weights = [
            v1.cross(v2).dot(v3),
            v3.cross(v2).dot(v0),
            v0.cross(v1).dot(v3),
            v2.cross(v1).dot(v0),
        ];
        let mut sum = weights[0] + weights[1] + weights[2] + weights[3];
        if sum < ZERO {
            // A tetrahedron without volume: as a point of the portal.
            let outward = self.outward();
            weights = [
                0.0,
                v2.cross(v3).dot(outward),
                v3.cross(v1).dot(outward),
                v1.cross(v2).dot(outward),
            ];
            sum = weights[1] + weights[2] + weights[3];
        }
        let (mut point1, mut point2) = (Vec3::ZERO, Vec3::ZERO);
        for (vertex, weight) in self.0.iter().zip(weights) {
            point1 += vertex.point1 * weight;
            point2 += vertex.point2 * weight;
        }
        let inverse = 1.0 / sum;
        (point1 * inverse + point2 * inverse) * 0.5
    }
}

/// The vertex of the difference farthest along a unit direction.
fn farthest(first: &mut Convex<'_>, second: &mut Convex<'_>, direction: Vec3) -> Vertex {
    let point1 = support::support(first, direction);
    let point2 = support::support(second, -direction);
    Vertex {
        point: point1 - point2,
        point1,
        point2,
        ..Vertex::default()
    }
}

/// A vector of length 1; not a number if it has none.
fn unit(v: Vec3) -> Vec3 {
    v * (1.0 / v.dot(v).sqrt())
}

/// Whether two numbers are equal but for their last bits.
fn are_equal(a: f64, b: f64) -> bool {
    let apart = (a - b).abs();
    apart < ZERO || apart < ZERO * a.abs().max(b.abs())
}
