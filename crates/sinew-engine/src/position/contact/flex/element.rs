//! Elements of flexes against each other.
//!
//! Elements that share a body do not touch. Within one flex neither margin nor gap counts, or all neighbours would touch
//! all the time.

use super::gap;
use super::placed::PlacedFlex;
use super::tree::{self, Tree};
use super::{Scene, margin};
use crate::position::contact::narrow::{self, Narrow};
use crate::position::contact::{Contact, mixing};
use sinew_collision::convex::convex_simplex;
use sinew_collision::pair;

/// Finds the contacts of two flexes; whether they must be put in order.
pub(super) fn flexes(
    scene: &Scene<'_>,
    first: &PlacedFlex<'_>,
    second: &PlacedFlex<'_>,
    stack: &mut Vec<[i32; 2]>,
    work: &mut Narrow,
    out: &mut Vec<Contact>,
) -> bool {
    let model = scene.model;
    let trees = first.tree().zip(second.tree());
    let mut visit = |e1: usize, e2: usize| pair(scene, (first, e1), (second, e2), work, out);
    match trees.filter(|_| scene.descends()) {
        Some((own, other)) => {
            let usual = model.flex_margin[first.id] + model.flex_margin[second.id];
            let margin = margin(model, usual);
            tree::descend(
                [&own, &other],
                stack,
                |_, _| true,
                |a, b| tree::boxes_meet(a, b, margin),
                |_, [e1, e2]| visit(e1, e2),
            );
            true
        }
        None => {
            for e1 in 0..first.element_count() {
                (0..second.element_count()).for_each(|e2| visit(e1, e2));
            }
            false
        }
    }
}

/// Visits the pairs of elements of one flex whose volumes meet.
pub(super) fn descend_itself(
    scene: &Scene<'_>,
    placed: &PlacedFlex<'_>,
    own: &Tree<'_>,
    stack: &mut Vec<[i32; 2]>,
    mut visit: impl FnMut(usize, usize),
) {
    let own_margin = scene.model.flex_margin[placed.id];
    let margin = margin(scene.model, own_margin + own_margin);
    tree::descend(
        [own, own],
        stack,
        |node1, node2| node1 <= node2,
        |a, b| tree::boxes_meet(a, b, margin),
        |_, [e1, e2]| visit(e1, e2),
    );
}

/// Visits all pairs of active elements of one flex.
pub(super) fn all(placed: &PlacedFlex<'_>, mut visit: impl FnMut(usize, usize)) {
    let count = placed.element_count();
    for e1 in (0..count).filter(|e| placed.is_active(*e)) {
        (e1 + 1..count)
            .filter(|e| placed.is_active(*e))
            .for_each(|e2| visit(e1, e2));
    }
}

/// Two elements.
#[doc(alias = "mj_collideElems")]
pub(super) fn pair(
    scene: &Scene<'_>,
    (first, e1): (&PlacedFlex<'_>, usize),
    (second, e2): (&PlacedFlex<'_>, usize),
    work: &mut Narrow,
    out: &mut Vec<Contact>,
) {
    let others = second.corner_bodies(e2);
    let is_shared = |body: i32| body >= 0 && others.clone().any(|other| other == body);
    if !first.corner_bodies(e1).any(is_shared) {
        pair_without_shared_body(scene, (first, e1), (second, e2), work, out);
    }
}

/// Two elements that share no body.
pub(super) fn pair_without_shared_body(
    scene: &Scene<'_>,
    (first, e1): (&PlacedFlex<'_>, usize),
    (second, e2): (&PlacedFlex<'_>, usize),
    work: &mut Narrow,
    out: &mut Vec<Contact>,
) {
    let model = scene.model;
    let is_own = first.id == second.id;
    let margin = match is_own {
        true => 0.0,
        false => margin(
            model,
            model.flex_margin[first.id] + model.flex_margin[second.id],
        ),
    };
    if !tree::boxes_meet(&first.boxes[e1], &second.boxes[e2], margin)
        || gap::are_apart((first, e1), (second, e2), margin)
    {
        return;
    }
    touches(
        (first, e1),
        (second, e2),
        narrow::settings(model),
        margin,
        work,
    );
    if work.touches.is_empty() {
        return;
    }
    let surfaces = [first, second].map(|placed| mixing::Surface::of_flex(model, placed.id));
    let mut parameters = mixing::of_surfaces(model, &surfaces, margin);
    if is_own {
        parameters.includemargin = margin;
    }
    let start = out.len();
    parameters.add_contacts(&work.touches, [-1, -1], out);
    for contact in &mut out[start..] {
        contact.flex = [first.id as i32, second.id as i32];
        contact.elem = [e1 as i32, e2 as i32];
    }
    super::share::exclude(scene, &mut out[start..]);
}

/// Fills `work.touches`.
fn touches(
    (first, e1): (&PlacedFlex<'_>, usize),
    (second, e2): (&PlacedFlex<'_>, usize),
    settings: sinew_collision::convex::PairSettings,
    margin: f64,
    work: &mut Narrow,
) {
    let Narrow {
        touches, convex, ..
    } = work;
    touches.clear();
    if first.dimension() == 1 && second.dimension() == 1 {
        pair::capsule_capsule(&first.capsule(e1), &second.capsule(e2), margin, touches);
        return;
    }
    let mut simplex1 = first.simplex(e1, margin);
    let mut simplex2 = second.simplex(e2, margin);
    convex_simplex(
        &settings,
        &mut simplex1,
        &mut simplex2,
        margin,
        convex,
        touches,
    );
}
