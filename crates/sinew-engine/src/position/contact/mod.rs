//! Contacts between geoms, and with flexes.
//!
//! ```text
//! broad    which bodies may touch            boxes around bodies
//! middle   which of their geoms may touch    bounding spheres and volume trees
//! narrow   where they touch                  sinew-collision
//! mixing   with which parameters             priorities, margins, friction
//! storage  how many fit                      the memory of the model
//! sweep    which of them are lost            rounding in the reference's broad phase
//! side     what moves their sides            the bodies of geoms
//!
//! flex        contacts of flexes
//! candidates  all pairs that may ever touch, for worlds side by side
//! ```
//!
//! The order of contacts is the reference's: by body pair, explicit pairs before the other geoms
//! of the same bodies; between bodies of several geoms by geom ids. Conforms to `mj_collision`.

mod broad;
pub mod candidates;
mod distance;
pub(crate) mod flex;
mod middle;
mod mixing;
mod narrow;
mod side;
pub mod storage;
mod sweep;

use super::flex::Flex;
use super::kinematics::Kinematics;
use crate::engine::is_interrupted;
use crate::parts::Moment::{Begin, End, Pause};
use crate::parts::{ContactFilter, Observer, Parts};
use crate::state::State;
use broad::Broad;
pub use distance::GeomDistance;
use flex::Flexes;
pub(crate) use narrow::bits_match;
use side::NOTHING_MOVES;
use sinew_dynamics::row::contact::Friction;
use sinew_math::{Mat3, Vec3};
use sinew_model::Model;
use sinew_model::column::Group;
use sinew_model::kinds::{Cone, DisableFlag, TimerKind};
use storage::Storage;

/// A contact point.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Contact {
    /// Distance between the surfaces; negative in penetration.
    pub dist: f64,
    /// Midpoint between the surfaces, world.
    pub pos: Vec3,
    /// Normal (from the first geom to the second) and two tangents as rows, world.
    pub frame: Mat3,
    /// A force arises below this distance.
    pub includemargin: f64,
    /// Friction coefficients: two sliding, one spinning, two rolling.
    pub friction: [f64; 5],
    /// Reference of the normal direction.
    pub solref: [f64; 2],
    /// Reference of the friction directions; zero: as the normal direction.
    pub solreffriction: [f64; 2],
    /// Impedance.
    pub solimp: [f64; 5],
    /// Dimension: 1, 3, 4 or 6.
    pub dim: i32,
    /// The geoms on both sides; −1: a flex.
    pub geom: [i32; 2],
    /// The flexes; −1: a geom.
    pub flex: [i32; 2],
    /// Their elements; −1: a geom, or a vertex of a flex.
    pub elem: [i32; 2],
    /// Their vertices; −1: a geom, or an element of a flex.
    pub vert: [i32; 2],
    /// Why it has no constraint rows: 0 it has, 1 in the gap, 2 fused, 3 nothing can move, 4 its force is
    /// passive.
    pub exclude: i32,
}

impl Default for Contact {
    /// Zero throughout, between two geoms.
    fn default() -> Self {
        Contact {
            dist: 0.0,
            pos: Vec3::ZERO,
            frame: Mat3::default(),
            includemargin: 0.0,
            friction: [0.0; 5],
            solref: [0.0; 2],
            solreffriction: [0.0; 2],
            solimp: [0.0; 5],
            dim: 0,
            geom: [0; 2],
            flex: [-1; 2],
            elem: [-1; 2],
            vert: [-1; 2],
            exclude: 0,
        }
    }
}

impl Contact {
    /// What rows the contact has, with the cone of the model.
    #[inline]
    pub fn friction_form(&self, model: &Model) -> Friction {
        match self.dim.max(1) as usize {
            1 => Friction::None,
            dim if model.opt.cone == Cone::Pyramidal.code() => Friction::Pyramidal(dim),
            dim => Friction::Elliptic(dim),
        }
    }
}

/// All contacts of the current position.
#[derive(Clone, Debug, Default)]
pub struct Contacts {
    /// The contacts.
    pub contact: Vec<Contact>,
    /// What did not fit the list.
    pub storage: Storage,
    broad: Broad,
    narrow: narrow::Narrow,
    middle: middle::Middle,
    flexes: Flexes,
}

impl Group for Contacts {
    /// An empty list, with the body pairs of a model that may ever touch.
    fn new(model: &Model) -> Self {
        Contacts {
            broad: Broad::new(model),
            narrow: narrow::Narrow::new(model),
            ..Contacts::default()
        }
    }

    fn clear(&mut self, _: &Model) {
        self.contact.clear();
    }

    fn copy_from(&mut self, other: &Self) {
        self.contact.clone_from(&other.contact);
        self.storage.clone_from(&other.storage);
    }
}

impl Contacts {
    /// Drops the last contacts: those whose constraint rows did not fit.
    pub(crate) fn drop_last(&mut self, count: usize) {
        self.contact.truncate(self.contact.len() - count);
    }
}

/// Finds all contacts. Geoms of automatic pairs are first shown to the contact filter.
#[doc(alias = "mj_collision")]
pub(crate) fn compute<P: Parts>(
    model: &Model,
    state: &State,
    (kinematics, flex): (&Kinematics, &Flex),
    parts: &mut P,
    out: &mut Contacts,
) {
    parts.observer().observe(Begin(TimerKind::PosCollision));
    out.contact.clear();
    out.storage.begin(0, 0);
    let disabled = DisableFlag::Constraint.code() | DisableFlag::Contact.code();
    if model.opt.disableflags & disabled != 0 || model.nbody + model.nflex < 2 {
        return parts.observer().observe(Pause(TimerKind::PosCollision));
    }
    let Contacts {
        contact,
        storage,
        broad,
        narrow: work,
        middle,
        flexes,
    } = out;
    parts.observer().observe(Begin(TimerKind::ColBroad));
    broad.update(model, kinematics);
    if model.nflex > 0 {
        flexes.add_pairs(model, kinematics, flex, broad);
    }
    storage.begin(broad.bytes(), broad.left_out());
    parts.observer().observe(End(TimerKind::ColBroad));
    parts.observer().observe(Begin(TimerKind::ColNarrow));
    work.update(model);

    // Explicit pairs stand before the geoms of the body pair with the same signature.
    let mut pair = 0;
    let mut question = Question::default();
    for [first, second] in broad.pairs() {
        if !question.may_go_on(parts) {
            break;
        }
        let signature = ((first as i32) << 16).wrapping_add(second as i32);
        let pairs_from = pair;
        while pair < model.npair && model.pair_signature[pair] as u32 <= signature as u32 {
            narrow::explicit(model, kinematics, pair, work, contact);
            pair += 1;
        }
        let explicit = pairs_from..pair;
        let before = contact.len();
        let (first, second) = (first as usize, second as usize);
        if second >= model.nbody {
            let positions = (model, kinematics, flex);
            flexes.pair(positions, [first, second], middle, work, contact);
            storage.trim(model, contact);
            continue;
        }
        middle.body_pair(
            model,
            kinematics,
            [first, second],
            &explicit,
            &mut |first, second| {
                question.may_go_on(parts)
                    && parts
                        .contact_filter()
                        .may_touch(model, state, first, second)
            },
            work,
            contact,
        );
        let positions = (kinematics, flex);
        if sweep::loses(model, positions, [first, second], &contact[before..]) {
            contact.truncate(before);
        }
        storage.trim(model, contact);
        storage.leave_out(std::mem::take(&mut middle.left_out));
    }
    for pair in pair..model.npair {
        if !question.may_go_on(parts) {
            break;
        }
        narrow::explicit(model, kinematics, pair, work, contact);
        storage.trim(model, contact);
    }
    if model.nflex > 0 {
        flexes.with_themselves((model, kinematics, flex), work, (storage, contact));
    }
    if question.is_refused {
        // What comes next then has little to do.
        contact.clear();
    }
    parts.observer().observe(End(TimerKind::ColNarrow));
    parts.observer().observe(End(TimerKind::PosCollision));
}

/// Asks the observer now and then whether to go on: looking at a clock costs as much as some pairs.
#[derive(Default)]
struct Question {
    count: u32,
    is_refused: bool,
}

impl Question {
    const PAIRS: u32 = 32;

    #[inline]
    fn may_go_on<P: Parts>(&mut self, parts: &mut P) -> bool {
        self.count = self.count.wrapping_add(1);
        if self.count.is_multiple_of(Question::PAIRS) && !self.is_refused {
            self.is_refused = is_interrupted(parts);
        }
        !self.is_refused
    }
}
