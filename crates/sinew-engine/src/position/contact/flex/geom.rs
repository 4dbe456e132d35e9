//! Geoms of a body and a flex.
//!
//! A plane touches vertices. Every other geom touches elements, one after the other. An element with a vertex on the
//! geom's own body is left out.

use super::placed::PlacedFlex;
use super::tree::{self, Oriented, Tree};
use super::{Scene, broad, margin};
use crate::position::contact::narrow::{self, Narrow};
use crate::position::contact::{Contact, mixing};
use sinew_collision::convex::{convex_simplex, hfield_simplex};
use sinew_collision::pair::{self, Touch};
use sinew_math::Vec3;
use sinew_model::kinds::GeomType;
use std::ops::Range;

/// Finds the contacts of a body and a flex; whether they must be put in order.
pub(super) fn body(
    scene: &Scene<'_>,
    body: usize,
    placed: &PlacedFlex<'_>,
    stack: &mut Vec<[i32; 2]>,
    work: &mut Narrow,
    out: &mut Vec<Contact>,
) -> bool {
    let model = scene.model;
    let start = model.body_geomadr[body] as usize;
    let geoms = start..start + model.body_geomnum[body] as usize;
    let trees = Tree::of_body(model, body).zip(placed.tree());
    match trees.filter(|_| scene.descends()) {
        Some((own, other)) => {
            // Planes of moving bodies are not looked at here.
            if model.body_weldid[body] == 0 {
                for geom in geoms.filter(|geom| is_plane(scene, *geom)) {
                    plane(scene, geom, placed, out);
                }
            }
            descend(scene, body, placed, [&own, &other], stack, work, out);
            true
        }
        None => {
            all(scene, geoms, placed, work, out);
            false
        }
    }
}

fn is_plane(scene: &Scene<'_>, geom: usize) -> bool {
    scene.model.geom_type[geom] == GeomType::Plane.code()
}

fn bits_match(scene: &Scene<'_>, geom: usize, placed: &PlacedFlex<'_>) -> bool {
    let model = scene.model;
    let bits = [model.geom_contype[geom], model.geom_conaffinity[geom]];
    broad::match_flex(model, bits, placed.id)
}

/// Compares all geoms with all elements.
fn all(
    scene: &Scene<'_>,
    geoms: Range<usize>,
    placed: &PlacedFlex<'_>,
    work: &mut Narrow,
    out: &mut Vec<Contact>,
) {
    let matching = geoms.filter(|geom| bits_match(scene, *geom, placed));
    for geom in matching {
        if is_plane(scene, geom) {
            plane(scene, geom, placed, out);
            continue;
        }
        for element in 0..placed.element_count() {
            if reaches(scene, geom, placed, &placed.boxes[element]) {
                geom_element(scene, geom, placed, element, work, out);
            }
        }
    }
}

/// Compares the geoms and elements whose volumes meet.
fn descend(
    scene: &Scene<'_>,
    body: usize,
    placed: &PlacedFlex<'_>,
    trees: [&Tree<'_>; 2],
    stack: &mut Vec<[i32; 2]>,
    work: &mut Narrow,
    out: &mut Vec<Contact>,
) {
    let (model, kinematics) = (scene.model, scene.kinematics);
    let flex_margin = model.flex_margin[placed.id];
    let node_margin = margin(model, model.body_margin[body] + flex_margin);
    let frame = Oriented::new(kinematics.xipos[body], &kinematics.ximat[body]);
    tree::descend(
        trees,
        stack,
        |_, _| true,
        |own, other| frame.node_meets(own, other, node_margin),
        |[_, node], [geom, element]| {
            let around = &trees[1].boxes[node];
            let is_candidate = !is_plane(scene, geom)
                && bits_match(scene, geom, placed)
                && reaches(scene, geom, placed, around);
            if !is_candidate {
                return;
            }
            let geom_margin = margin(model, model.geom_margin[geom] + flex_margin);
            let frame = Oriented::new(kinematics.geom_xpos[geom], &kinematics.geom_xmat[geom]);
            if frame.leaf_meets(&model.geom_aabb[geom], around, geom_margin) {
                geom_element(scene, geom, placed, element, work, out);
            }
        },
    );
}

/// Whether the bounding sphere of a geom, taken for a box, meets a box of the flex.
fn reaches(scene: &Scene<'_>, geom: usize, placed: &PlacedFlex<'_>, around: &[f64; 6]) -> bool {
    let model = scene.model;
    let margin = margin(
        model,
        model.geom_margin[geom] + model.flex_margin[placed.id],
    );
    let radius = model.geom_rbound[geom] + margin;
    tree::sphere_meets(scene.kinematics.geom_xpos[geom], radius, around)
}

/// A plane and the vertices of a flex.
#[doc(alias = "mj_collidePlaneFlex")]
fn plane(scene: &Scene<'_>, geom: usize, placed: &PlacedFlex<'_>, out: &mut Vec<Contact>) {
    let (model, kinematics) = (scene.model, scene.kinematics);
    let margin = margin(
        model,
        model.geom_margin[geom] + model.flex_margin[placed.id],
    );
    let surfaces = [
        mixing::Surface::of_geom(model, geom),
        mixing::Surface::of_flex(model, placed.id),
    ];
    let parameters = mixing::of_surfaces(model, &surfaces, margin);
    let (origin, radius) = (kinematics.geom_xpos[geom], placed.radius);
    let normal = kinematics.geom_xmat[geom].column(2);
    let start = out.len();
    let mut touch = Touch {
        normal,
        ..Touch::default()
    };
    let frame = touch.frame();
    for (vertex, &point) in placed.vertices.iter().enumerate() {
        let height = (point - origin).dot(normal);
        if height > margin + radius {
            continue;
        }
        touch.dist = height - radius;
        touch.pos = point.add_scaled(normal, -touch.dist * 0.5 - radius);
        let mut contact = parameters.contact(&touch, frame, [geom as i32, -1]);
        contact.flex[1] = placed.id as i32;
        contact.vert[1] = vertex as i32;
        out.push(contact);
    }
    super::share::exclude(scene, &mut out[start..]);
}

/// Any other geom and an element.
#[doc(alias = "mj_collideGeomElem")]
fn geom_element(
    scene: &Scene<'_>,
    geom: usize,
    placed: &PlacedFlex<'_>,
    element: usize,
    work: &mut Narrow,
    out: &mut Vec<Contact>,
) {
    let model = scene.model;
    let body = model.geom_bodyid[geom];
    if placed.corner_bodies(element).any(|other| other == body) {
        return;
    }
    let margin = margin(
        model,
        model.geom_margin[geom] + model.flex_margin[placed.id],
    );
    touches(scene, geom, placed, element, margin, work);
    if work.touches.is_empty() {
        return;
    }
    let surfaces = [
        mixing::Surface::of_geom(model, geom),
        mixing::Surface::of_flex(model, placed.id),
    ];
    let start = out.len();
    let parameters = mixing::of_surfaces(model, &surfaces, margin);
    parameters.add_contacts(&work.touches, [geom as i32, -1], out);
    for contact in &mut out[start..] {
        contact.flex[1] = placed.id as i32;
        contact.elem[1] = element as i32;
    }
    super::share::exclude(scene, &mut out[start..]);
}

/// Fills `work.touches`.
fn touches(
    scene: &Scene<'_>,
    geom: usize,
    placed: &PlacedFlex<'_>,
    element: usize,
    margin: f64,
    work: &mut Narrow,
) {
    use GeomType::{Box, Capsule, Hfield, Plane, Sdf, Sphere};
    let model = scene.model;
    let Narrow {
        touches,
        convex,
        hulls,
        ..
    } = work;
    touches.clear();
    let shape = narrow::shape(model, scene.kinematics, geom);
    let Some(kind) = GeomType::from_code(model.geom_type[geom]) else {
        return;
    };
    match (kind, placed.dimension()) {
        (Plane | Sdf, _) => {}
        (Sphere, 1) => pair::sphere_capsule(&shape, &placed.capsule(element), margin, touches),
        (Capsule, 1) => pair::capsule_capsule(&shape, &placed.capsule(element), margin, touches),
        (Box, 1) => {
            pair::capsule_box(&placed.capsule(element), &shape, margin, touches);
            for touch in touches {
                touch.normal *= -1.0;
            }
        }
        (Hfield, _) => {
            let field = narrow::height_field(model, &shape, geom);
            let corners = placed.corners(element);
            let parts = (corners.as_slice(), placed.centre(element), placed.radius);
            hfield_simplex(
                &narrow::settings(model),
                &field,
                parts,
                margin,
                convex,
                touches,
            );
        }
        (Sphere, 2) => {
            let (centre, [radius, ..]): (Vec3, _) = (shape.pos, shape.size);
            pair::sphere_triangle(centre, radius, &placed.triangle(element), margin, touches);
        }
        (Box, 2) => pair::box_triangle(&shape, &placed.triangle(element), margin, touches),
        (Capsule, 2) => pair::capsule_triangle(&shape, &placed.triangle(element), margin, touches),
        _ => {
            let mut first = narrow::convex_shape(model, hulls, &shape, geom, margin);
            let mut simplex = placed.simplex(element, margin);
            let settings = narrow::settings(model);
            convex_simplex(&settings, &mut first, &mut simplex, margin, convex, touches);
        }
    }
}
