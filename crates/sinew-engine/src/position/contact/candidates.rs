//! All geom pairs that may ever touch, in the order of their contacts.
//!
//! Who computes several worlds side by side walks this list instead of the phases: which pairs may touch, in
//! which order and with which parameters follows from the model alone.

use super::mixing::{self, Parameters};
pub use super::mixing::{Feel, enough_friction, mixed};
use super::narrow::Narrow;
pub use super::sweep::SHALLOW;
use super::{broad, middle, narrow, sweep};
use sinew_collision::pair::{Shape, Touch};
use sinew_model::Model;

/// Two geoms that may touch.
#[derive(Clone, Copy, Debug)]
pub struct Candidate {
    /// The geoms, ordered by type.
    pub geoms: [usize; 2],
    /// The bodies they belong to, in the order of the geoms.
    pub bodies: [usize; 2],
    /// Distance up to which contacts are listed.
    pub margin: f64,
    /// What their contacts share.
    pub parameters: Parameters,
    /// Whether contacts that only just touch may be lost, as the reference loses them.
    pub is_swept: bool,
    /// Whether the pair is listed by the user, with parameters of its own; others mix those of their geoms.
    pub is_explicit: bool,
}

/// Finds where geoms touch, one pair at a time.
#[derive(Clone, Debug, Default)]
pub struct Prober(Narrow);

impl Prober {
    /// One for the meshes of a model.
    pub fn new(model: &Model) -> Self {
        Prober(Narrow::new(model))
    }

    /// Reads the meshes again if the model has changed.
    #[inline]
    pub fn update(&mut self, model: &Model) {
        self.0.update(model);
    }

    /// Where the geoms of a candidate touch, if they are at the given places; their bounding spheres overlap.
    pub fn touches(
        &mut self,
        model: &Model,
        candidate: &Candidate,
        shapes: &[Shape; 2],
    ) -> &[Touch] {
        let (geoms, margin) = (candidate.geoms, candidate.margin);
        narrow::shapes_touch(model, geoms, shapes, margin, &mut self.0);
        &self.0.touches
    }
}

/// Whether there are bodies with so many geoms that their bounding volumes are asked first which of them may touch. Candidates
/// are more then, and their contacts the same.
pub fn has_volumes(model: &Model) -> bool {
    let descend = |first: usize, second: usize| {
        broad::can_meet(model, first, second) && middle::descends(model, [first, second])
    };
    let after = |first: usize| first + 1..model.nbody;
    (0..model.nbody).any(|first| after(first).any(|second| descend(first, second)))
}

/// All candidates.
pub fn candidates(model: &Model) -> Vec<Candidate> {
    let mut all = Vec::new();
    let mut pair = 0;
    for first in 0..model.nbody {
        for second in first + 1..model.nbody {
            let signature = ((first as i32) << 16).wrapping_add(second as i32) as u32;
            let from = pair;
            while pair < model.npair && model.pair_signature[pair] as u32 <= signature {
                all.push(explicit(model, pair));
                pair += 1;
            }
            if broad::can_meet(model, first, second) {
                automatic(model, [first, second], from..pair, &mut all);
            }
        }
    }
    all.extend((pair..model.npair).map(|pair| explicit(model, pair)));
    all
}

/// The pair that was listed by the user.
fn explicit(model: &Model, pair: usize) -> Candidate {
    let margin = mixing::pair_margin(model, pair);
    let [first, second] = [model.pair_geom1[pair], model.pair_geom2[pair]].map(|g| g as usize);
    let parameters = mixing::of_pair(model, pair, margin);
    Candidate {
        is_explicit: true,
        ..candidate(model, [first, second], margin, parameters, false)
    }
}

/// The other geoms of two bodies.
fn automatic(
    model: &Model,
    bodies: [usize; 2],
    explicit: std::ops::Range<usize>,
    out: &mut Vec<Candidate>,
) {
    let [geoms1, geoms2] = bodies.map(|body| {
        let start = model.body_geomadr[body] as usize;
        start..start + model.body_geomnum[body] as usize
    });
    let is_swept = sweep::may_lose(model, bodies);
    let start = out.len();
    for g1 in geoms1 {
        for g2 in geoms2.clone() {
            let is_explicit = explicit.clone().any(|pair| {
                let listed = (model.pair_geom1[pair], model.pair_geom2[pair]);
                listed == (g1 as i32, g2 as i32) || listed == (g2 as i32, g1 as i32)
            });
            if is_explicit || !narrow::bits_match(model, g1, g2) {
                continue;
            }
            let (first, second) = narrow::by_type(model, g1, g2);
            let margin = mixing::margin(model, first, second);
            let parameters = mixing::mix(model, first, second, margin);
            out.push(candidate(model, [g1, g2], margin, parameters, is_swept));
        }
    }
    if middle::sorts(model, bodies) {
        out[start..].sort_by_key(|candidate| candidate.geoms);
    }
}

fn candidate(
    model: &Model,
    geoms: [usize; 2],
    margin: f64,
    parameters: Parameters,
    is_swept: bool,
) -> Candidate {
    let (first, second) = narrow::by_type(model, geoms[0], geoms[1]);
    Candidate {
        geoms: [first, second],
        bodies: [first, second].map(|geom| model.geom_bodyid[geom] as usize),
        margin,
        parameters,
        is_swept,
        is_explicit: false,
    }
}
