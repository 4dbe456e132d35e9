//! Contacts of flexes.
//!
//! ```text
//! broad     which bodies and flexes may touch     boxes along principal axes
//! tree      which of their parts may touch        bounding-volume trees
//! sweep     which elements of one flex may touch  a sweep along an axis
//! open      what a sweep compares with            boxes that have begun, sixteen at a time
//! placed    a flex where it stands                vertices, elements, boxes
//! geom      geoms and flexes                      planes by vertices, others by elements
//! element   elements of flexes
//! gap       elements that clearly do not touch    directions that keep them apart
//! internal  a flex turned inside out              elements and their own vertices
//! share     what moves their sides                bodies of vertices, or of nodes
//! motion    how degrees of freedom move them
//! ```
//!
//! Flexes stand behind all bodies in the order of pairs. A flex may also touch itself, after everything
//! else. Conforms to `mj_collision`.

mod broad;
mod element;
mod gap;
mod geom;
mod internal;
pub(crate) mod motion;
mod open;
mod placed;
pub(crate) mod share;
mod sweep;
mod tree;

use super::broad::Broad;
use super::middle::Middle;
use super::narrow::Narrow;
use super::{Contact, Storage, mixing};
use crate::is_disabled;
use crate::position::flex::Flex;
use crate::position::kinematics::Kinematics;
use broad::FlexPairs;
use placed::PlacedFlex;
use sinew_model::Model;
use sinew_model::kinds::{DisableFlag, FlexSelf};

/// Storage of the contacts of flexes, kept between steps.
#[derive(Clone, Debug, Default)]
pub(super) struct Flexes {
    pairs: FlexPairs,
    stack: Vec<[i32; 2]>,
    sweep: sweep::Sweep,
}

/// What is known when contacts of flexes are looked for.
#[derive(Clone, Copy)]
struct Scene<'a> {
    model: &'a Model,
    kinematics: &'a Kinematics,
    flex: &'a Flex,
}

impl<'a> Scene<'a> {
    fn placed(&self, flex: usize) -> PlacedFlex<'a> {
        PlacedFlex::new(self.model, self.flex, flex)
    }

    /// Whether trees tell which parts are compared.
    fn descends(&self) -> bool {
        !is_disabled(self.model, DisableFlag::Midphase)
    }
}

impl Flexes {
    /// Adds the pairs of bodies and flexes, and of flexes, to those of bodies.
    pub fn add_pairs(
        &mut self,
        model: &Model,
        kinematics: &Kinematics,
        flex: &Flex,
        broad: &mut Broad,
    ) {
        let scene = Scene {
            model,
            kinematics,
            flex,
        };
        self.pairs.list(&scene);
        broad.add(&self.pairs.pairs);
    }

    /// Finds the contacts of a pair whose second member is a flex, counted from behind the bodies.
    pub fn pair(
        &mut self,
        (model, kinematics, flex): (&Model, &Kinematics, &Flex),
        [first, second]: [usize; 2],
        middle: &mut Middle,
        work: &mut Narrow,
        out: &mut Vec<Contact>,
    ) {
        let scene = Scene {
            model,
            kinematics,
            flex,
        };
        let start = out.len();
        let placed = scene.placed(second - model.nbody);
        let is_sorted = match first.checked_sub(model.nbody) {
            None => geom::body(&scene, first, &placed, &mut self.stack, work, out),
            Some(other) => {
                let other = scene.placed(other);
                element::flexes(&scene, &other, &placed, &mut self.stack, work, out)
            }
        };
        if is_sorted {
            middle.sort(&mut out[start..], objects);
        }
    }

    /// Finds the contacts of all flexes with themselves.
    pub fn with_themselves(
        &mut self,
        (model, kinematics, flex): (&Model, &Kinematics, &Flex),
        work: &mut Narrow,
        (storage, out): (&mut Storage, &mut Vec<Contact>),
    ) {
        let scene = Scene {
            model,
            kinematics,
            flex,
        };
        for id in 0..model.nflex {
            let can_touch = model.flex_contype[id] & model.flex_conaffinity[id] != 0;
            if model.flex_rigid[id] != 0 || !can_touch {
                continue;
            }
            let placed = scene.placed(id);
            if model.flex_internal[id] != 0 {
                internal::find(&scene, &placed, work, out);
            }
            self.with_itself(&scene, &placed, work, out);
            storage.trim(model, out);
        }
    }

    fn with_itself(
        &mut self,
        scene: &Scene<'_>,
        placed: &PlacedFlex<'_>,
        work: &mut Narrow,
        out: &mut Vec<Contact>,
    ) {
        use FlexSelf::{Auto, Bvh, Narrow, None};
        let mode = FlexSelf::from_code(scene.model.flex_selfcollide[placed.id]);
        let visit =
            |e1: usize, e2: usize| element::pair(scene, (placed, e1), (placed, e2), work, out);
        let tree = placed.tree().filter(|_| scene.descends());
        match (mode, tree) {
            (Some(None), _) => {}
            (Some(Bvh), Some(tree)) => {
                element::descend_itself(scene, placed, &tree, &mut self.stack, visit)
            }
            (Some(Auto), Some(tree)) if placed.dimension() == 3 => {
                element::descend_itself(scene, placed, &tree, &mut self.stack, visit);
            }
            (mode, Some(tree)) if mode != Some(Narrow) => {
                self.sweep.find(placed, &tree, |e1, e2| {
                    let (first, second) = ((placed, e1), (placed, e2));
                    element::pair_without_shared_body(scene, first, second, work, out);
                });
            }
            _ => element::all(placed, visit),
        }
    }
}

/// What orders the contacts of a pair: geoms, elements or vertices.
fn objects(contact: &Contact) -> [i32; 2] {
    [0, 1].map(|side| {
        let (geom, element) = (contact.geom[side], contact.elem[side]);
        match (geom >= 0, element >= 0) {
            (true, _) => geom,
            (false, true) => element,
            (false, false) => contact.vert[side],
        }
    })
}

/// Distance up to which contacts are listed, unless it is overridden.
fn margin(model: &Model, usual: f64) -> f64 {
    mixing::chosen_margin(model, usual)
}
