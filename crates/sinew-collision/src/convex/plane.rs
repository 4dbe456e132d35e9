//! A plane and a convex shape: the deepest point, and for meshes up to two of its neighbours.

use super::{Mesh, Solid, SolidKind};
use crate::pair::{Shape, Touch, Touches};
use sinew_math::{Scalar, Vec3};

/// Most contacts with a mesh.
const MOST_CONTACTS: usize = 3;
/// Further contacts keep this distance from the first, relative to the bounding radius.
const SPACING: f64 = 0.3;

/// One contact for an ellipsoid, up to three for a mesh: the deepest vertex, and neighbours of it
/// in the hull (all vertices of a mesh without one) that lie below the margin.
#[doc(alias = "mjc_PlaneConvex")]
pub fn plane_convex<T: Scalar, M: Mesh<T>>(
    plane: &Shape<T>,
    shape: &mut Solid<M, T>,
    bounding_radius: T,
    margin: T,
    out: &mut impl Touches<T>,
) {
    let half = T::from_f64(0.5);
    let normal = plane.axis();
    let down = -normal;
    let local_down = shape.mat.transpose_mul(down);
    let (deepest, start) = match &shape.kind {
        SolidKind::Mesh(mesh) => {
            let (vertex, start) = mesh.first_farthest(local_down, 0);
            (
                shape.mat * mesh.vertex(vertex) + shape.pos,
                Some((vertex, start)),
            )
        }
        SolidKind::Ellipsoid => {
            // Where a unit sphere ends that the half axes stretch.
            let size = Vec3(shape.size);
            let point = local_down.component_mul(size).normalized();
            (shape.mat * point.component_mul(size) + shape.pos, None)
        }
        _ => (shape.support(down), None),
    };
    let dist = normal.dot(deepest - plane.pos);
    if dist > margin {
        return;
    }
    let first = deepest.add_scaled(normal, -half * dist);
    out.add(
        true,
        Touch {
            dist,
            pos: first,
            normal,
            tangent: Vec3::zero(),
        },
    );
    let (SolidKind::Mesh(mesh), Some((deepest_vertex, start))) = (&shape.kind, start) else {
        return;
    };

    let threshold = normal.dot(shape.pos - plane.pos) - margin;
    let mut count = 1;
    let mut add = |vertex: usize| {
        let local = mesh.vertex(vertex);
        if local_down.dot(local) <= threshold {
            return false;
        }
        let world = shape.mat * local + shape.pos;
        if world.distance(first) < T::from_f64(SPACING) * bounding_radius {
            return false;
        }
        let dist = normal.dot(world - plane.pos);
        out.add(
            true,
            Touch {
                dist,
                pos: world.add_scaled(normal, -half * dist),
                normal,
                tangent: Vec3::zero(),
            },
        );
        count += 1;
        count == MOST_CONTACTS
    };
    match start {
        Some(start) => {
            let mut k = 0;
            while let Some(neighbour) = mesh.neighbour(start, k) {
                if add(mesh.id(neighbour)) {
                    break;
                }
                k += 1;
            }
        }
        None => {
            for vertex in 0..mesh.count() {
                if vertex != deepest_vertex && add(vertex) {
                    break;
                }
            }
        }
    }
}
