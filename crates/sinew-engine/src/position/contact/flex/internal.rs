//! A flex against being turned inside out: elements and vertices that are near each other at rest, then the faces of
//! each tetrahedron and the vertex opposite. Margin and gap do not count.

use super::placed::PlacedFlex;
use super::{Scene, margin};
use crate::position::contact::narrow::{self, Narrow};
use crate::position::contact::{Contact, mixing};
use sinew_collision::convex::{Convex, convex_simplex};
use sinew_collision::pair::{self, Shape, Touch};
use sinew_math::{Mat3, Vec3};

/// The faces of a tetrahedron, seen from outside, each with the corner opposite.
const FACES: [([usize; 3], usize); 4] = [
    ([0, 1, 2], 3),
    ([0, 2, 3], 1),
    ([0, 3, 1], 2),
    ([1, 3, 2], 0),
];

/// Finds the contacts inside one flex.
#[doc(alias = "mj_collideFlexInternal")]
pub(super) fn find(
    scene: &Scene<'_>,
    placed: &PlacedFlex<'_>,
    work: &mut Narrow,
    out: &mut Vec<Contact>,
) {
    let model = scene.model;
    let surface = mixing::Surface::of_flex(model, placed.id);
    let mut parameters = mixing::of_surfaces(model, &[surface, surface], 0.0);
    parameters.includemargin = 0.0;
    let start = out.len();
    let first = model.flex_evpairadr[placed.id].max(0) as usize;
    let pairs = model.flex_evpair.iter().skip(first);
    for [element, vertex] in pairs.take(model.flex_evpairnum[placed.id] as usize) {
        let ids = [*element as usize, *vertex as usize];
        element_vertex(scene, placed, ids, &parameters, work, out);
    }
    if placed.dimension() == 3 {
        parameters.dim = 1;
        for element in 0..placed.element_count() {
            tetrahedron(placed, element, &parameters, out);
        }
    }
    super::share::exclude(scene, &mut out[start..]);
}

/// An element and a vertex, which is a sphere.
#[doc(alias = "mj_collideElemVert")]
fn element_vertex(
    scene: &Scene<'_>,
    placed: &PlacedFlex<'_>,
    [element, vertex]: [usize; 2],
    parameters: &mixing::Parameters,
    work: &mut Narrow,
    out: &mut Vec<Contact>,
) {
    let (model, radius) = (scene.model, placed.radius);
    let point = placed.vertices[vertex];
    let reach = margin(model, model.flex_margin[placed.id]) + radius;
    if !meets(&placed.boxes[element], point, reach) {
        return;
    }
    let Narrow {
        touches, convex, ..
    } = work;
    touches.clear();
    match placed.dimension() {
        1 => {
            let sphere = Shape {
                pos: point,
                mat: Mat3::IDENTITY,
                size: [radius, 0.0, 0.0],
            };
            pair::sphere_capsule(&sphere, &placed.capsule(element), 0.0, touches);
        }
        2 => pair::sphere_triangle(point, radius, &placed.triangle(element), 0.0, touches),
        _ => {
            let mut sphere = Convex::simplex(&[point], point, radius, 0.0);
            let mut simplex = placed.simplex(element, 0.0);
            let settings = narrow::settings(model);
            convex_simplex(&settings, &mut sphere, &mut simplex, 0.0, convex, touches);
        }
    }
    let start = out.len();
    parameters.add_contacts(touches, [-1, -1], out);
    for contact in &mut out[start..] {
        contact.flex = [placed.id as i32; 2];
        contact.elem[1] = element as i32;
        contact.vert[0] = vertex as i32;
    }
}

/// Whether the box around a point meets a box.
fn meets(around: &[f64; 6], point: Vec3, reach: f64) -> bool {
    !(0..3).any(|k| {
        around[k] - around[k + 3] > point[k] + reach || around[k] + around[k + 3] < point[k] - reach
    })
}

/// The corners of a tetrahedron that came through the face opposite.
fn tetrahedron(
    placed: &PlacedFlex<'_>,
    element: usize,
    parameters: &mixing::Parameters,
    out: &mut Vec<Contact>,
) {
    let ids = placed.corner_ids(element);
    let corner = |k: usize| placed.vertices[ids[k] as usize];
    for ([a, b, c], opposite) in FACES {
        let origin = corner(a);
        let normal = (corner(b) - origin).cross(corner(c) - origin).normalized();
        let height = (corner(opposite) - origin).dot(normal);
        if height <= -2.0 * placed.radius {
            continue;
        }
        let touch = Touch {
            dist: -height - 2.0 * placed.radius,
            pos: corner(opposite).add_scaled(normal, -0.5 * height),
            normal: normal * -1.0,
            tangent: Vec3::ZERO,
        };
        let mut contact = parameters.contact(&touch, touch.frame(), [-1, -1]);
        contact.flex = [placed.id as i32; 2];
        contact.elem[0] = element as i32;
        contact.vert[1] = ids[opposite];
        out.push(contact);
    }
}
