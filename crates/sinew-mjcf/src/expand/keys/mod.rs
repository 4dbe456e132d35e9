//! Keyframes of a model whose parts are copied.
//!
//! A key is a row of numbers for a model as a whole. When a part is copied, the numbers of its
//! joints, mocap bodies and actuators must travel with it. The ledger keeps one slot per joint,
//! mocap body and actuator; a *state* is the set of numbers of one future key, known by its name.
//!
//! Before every copy, each key of the model the copy is taken from is stored as a state under the
//! copy's name; the slots are copied together with the tree; the original forgets what it stored,
//! except joints that stand directly in a replicate. When the original of a replicate is removed,
//! the keys themselves become states and the actuators forget. In the end each state becomes a
//! key; slots without a number of that state take the reference value.
//!
//! Numbers belong to joints in model order: the joints of a body come before those of its
//! children. Slots are kept in document order and carry the running number of their body, so a
//! stable sort by body gives the model order.
//!
//! | file | what |
//! |---|---|
//! | `piece.rs` | slots that are copied, forgotten and removed with a piece of the tree |
//! | `numbers.rs` | from written keys to states, and from states to keys |

mod numbers;
mod piece;

use crate::spec::extra::AssembledKey;
use sinew_model::joint::Layout;
use sinew_model::kinds::JointType;
use std::collections::BTreeMap;

/// Names of states; equal names are the same state.
#[derive(Clone, Debug, Default)]
pub struct States {
    ids: BTreeMap<String, u32>,
}

impl States {
    fn id(&mut self, name: &str) -> u32 {
        if let Some(id) = self.ids.get(name) {
            return *id;
        }
        let id = self.ids.len() as u32;
        self.ids.insert(name.to_string(), id);
        id
    }
}

#[derive(Clone, Debug)]
struct JointSlot {
    body: usize,
    kind: JointType,
    reference: [f64; 7],
    qpos: BTreeMap<u32, [f64; 7]>,
    qvel: BTreeMap<u32, [f64; 6]>,
}

impl JointSlot {
    fn nq(&self) -> usize {
        Layout::of(self.kind.code()).positions()
    }

    fn nv(&self) -> usize {
        Layout::of(self.kind.code()).dofs()
    }
}

#[derive(Clone, Debug)]
struct MocapSlot {
    body: usize,
    pos: [f64; 3],
    quat: [f64; 4],
    mpos: BTreeMap<u32, [f64; 3]>,
    mquat: BTreeMap<u32, [f64; 4]>,
}

#[derive(Clone, Debug, Default)]
struct ActuatorSlot {
    is_removed: bool,
    actdim: usize,
    act: BTreeMap<u32, Vec<f64>>,
    ctrl: BTreeMap<u32, f64>,
}

/// A key that will be put together in the end.
#[derive(Clone, Debug)]
pub struct Pending {
    state: u32,
    written: AssembledKey,
}

/// The slots of a model and its keys to be.
#[derive(Clone, Debug, Default)]
pub struct Ledger {
    /// Off when no key is written anywhere; then nothing is kept.
    is_on: bool,
    bodies: usize,
    joints: Vec<JointSlot>,
    mocaps: Vec<MocapSlot>,
    actuators: Vec<ActuatorSlot>,
    /// Keys to be, in order.
    pub pending: Vec<Pending>,
}

/// Sizes of the parts of a key.
struct Sizes {
    nq: usize,
    nv: usize,
    na: usize,
    nu: usize,
    nmocap: usize,
}

impl Ledger {
    /// An empty ledger; one that is off ignores everything.
    pub fn new(is_on: bool) -> Ledger {
        Ledger {
            is_on,
            bodies: 1,
            ..Ledger::default()
        }
    }

    /// Whether anything is kept.
    pub fn is_on(&self) -> bool {
        self.is_on
    }

    /// Opens the next body and returns its running number; the world is 0.
    pub fn open_body(&mut self, mocap: Option<([f64; 3], [f64; 4])>) -> usize {
        let body = self.bodies;
        self.bodies += 1;
        if let (true, Some((pos, quat))) = (self.is_on, mocap) {
            self.mocaps.push(MocapSlot {
                body,
                pos,
                quat,
                mpos: BTreeMap::new(),
                mquat: BTreeMap::new(),
            });
        }
        body
    }

    /// Adds a joint of a body, with the reference position as written.
    pub fn add_joint(&mut self, body: usize, kind: JointType, reference: [f64; 7]) {
        if self.is_on {
            self.joints.push(JointSlot {
                body,
                kind,
                reference,
                qpos: BTreeMap::new(),
                qvel: BTreeMap::new(),
            });
        }
    }

    /// Adds an actuator with its number of activations.
    pub fn add_actuator(&mut self, actdim: usize) {
        if self.is_on {
            self.actuators.push(ActuatorSlot {
                actdim,
                ..ActuatorSlot::default()
            });
        }
    }

    fn sizes(&self) -> Sizes {
        let actuators = || self.actuators.iter().filter(|slot| !slot.is_removed);
        Sizes {
            nq: self.joints.iter().map(JointSlot::nq).sum(),
            nv: self.joints.iter().map(JointSlot::nv).sum(),
            na: actuators().map(|slot| slot.actdim).sum(),
            nu: actuators().count(),
            nmocap: self.mocaps.len(),
        }
    }

    fn joint_order(&self) -> Vec<usize> {
        let mut order: Vec<usize> = (0..self.joints.len()).collect();
        order.sort_by_key(|index| self.joints.get(*index).map(|slot| slot.body));
        order
    }
}
