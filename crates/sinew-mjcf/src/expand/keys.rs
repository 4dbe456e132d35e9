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

use super::names::Affix;
use crate::place::At;
use crate::spec::actuator::{Actuator, ActuatorKind};
use crate::spec::extra::{AssembledKey, Key};
use sinew_model::kinds::{DynamicsType, JointType};
use std::collections::BTreeMap;
use std::ops::Range;

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
        match self.kind {
            JointType::Free => 7,
            JointType::Ball => 4,
            JointType::Slide | JointType::Hinge => 1,
        }
    }

    fn nv(&self) -> usize {
        match self.kind {
            JointType::Free => 6,
            JointType::Ball => 3,
            JointType::Slide | JointType::Hinge => 1,
        }
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

/// Slots of a piece of the tree.
#[derive(Clone, Debug)]
pub struct Piece {
    joints: Range<usize>,
    mocaps: Range<usize>,
    /// Running number of the body that holds the piece in the original.
    holder: usize,
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

    /// The slots from here on belong to a piece held by `holder`.
    pub fn start_piece(&self, holder: usize) -> Piece {
        Piece {
            joints: self.joints.len()..self.joints.len(),
            mocaps: self.mocaps.len()..self.mocaps.len(),
            holder,
        }
    }

    /// The piece ends here.
    pub fn end_piece(&self, piece: &mut Piece) {
        piece.joints.end = self.joints.len();
        piece.mocaps.end = self.mocaps.len();
    }

    /// Stores every key as a state under the name of the copy that follows. `Err` says which
    /// vector of which key has another size than the model at this point.
    pub fn store(
        &mut self,
        keys: &[Key],
        affix: &Affix,
        states: &mut States,
    ) -> Result<Vec<Pending>, (usize, String)> {
        let mut pending = Vec::new();
        if !self.is_on || keys.is_empty() {
            return Ok(pending);
        }
        let sizes = self.sizes();
        let order = self.joint_order();
        for (index, key) in keys.iter().enumerate() {
            check_sizes(key, &sizes).map_err(|message| (index, message))?;
            let name = affix.apply(key.name.as_ref().map_or("", |at| at.value.as_str()));
            let state = states.id(&name);
            pending.push(Pending {
                state,
                written: AssembledKey {
                    name,
                    place: key.place,
                    time: key.time.as_ref().map_or(0.0, |at| at.value),
                    qpos: given(&key.qpos).map(|_| Vec::new()),
                    qvel: given(&key.qvel).map(|_| Vec::new()),
                    act: given(&key.act).map(|_| Vec::new()),
                    ctrl: given(&key.ctrl).map(|_| Vec::new()),
                    mpos: given(&key.mpos).map(|_| Vec::new()),
                    mquat: given(&key.mquat).map(|_| Vec::new()),
                },
            });
            self.save(key, state, &order);
        }
        Ok(pending)
    }

    fn save(&mut self, key: &Key, state: u32, order: &[usize]) {
        let mut qpos = given(&key.qpos).map(|numbers| numbers.iter());
        let mut qvel = given(&key.qvel).map(|numbers| numbers.iter());
        for index in order {
            let Some(slot) = self.joints.get_mut(*index) else {
                continue;
            };
            if let Some(numbers) = &mut qpos {
                let mut own = [0.0; 7];
                fill(&mut own, slot.nq(), numbers);
                slot.qpos.insert(state, own);
            }
            if let Some(numbers) = &mut qvel {
                let mut own = [0.0; 6];
                fill(&mut own, slot.nv(), numbers);
                slot.qvel.insert(state, own);
            }
        }
        let mut act = given(&key.act).map(|numbers| numbers.iter());
        let mut ctrl = given(&key.ctrl).map(|numbers| numbers.iter());
        for slot in self.actuators.iter_mut().filter(|slot| !slot.is_removed) {
            if let (Some(numbers), true) = (&mut act, slot.actdim > 0) {
                let own = numbers.by_ref().take(slot.actdim).copied().collect();
                slot.act.insert(state, own);
            }
            if let Some(number) = ctrl.as_mut().and_then(Iterator::next) {
                slot.ctrl.insert(state, *number);
            }
        }
        let mut mpos = given(&key.mpos).map(|numbers| numbers.iter());
        let mut mquat = given(&key.mquat).map(|numbers| numbers.iter());
        for slot in &mut self.mocaps {
            if let Some(numbers) = &mut mpos {
                let mut own = [0.0; 3];
                fill(&mut own, 3, numbers);
                slot.mpos.insert(state, own);
            }
            if let Some(numbers) = &mut mquat {
                let mut own = [0.0; 4];
                fill(&mut own, 4, numbers);
                slot.mquat.insert(state, own);
            }
        }
    }

    /// Copies a piece of `source` (this ledger's own if `None`) under the body `holder`. Bodies of
    /// the piece that are copied forget their states.
    pub fn copy_piece(&mut self, source: Option<&mut Ledger>, piece: &Piece, holder: usize) {
        if !self.is_on {
            return;
        }
        let first = self.bodies;
        let moved = |body: usize| {
            if body <= piece.holder {
                holder
            } else {
                first + (body - piece.holder - 1)
            }
        };
        let original: &Ledger = source.as_deref().unwrap_or(self);
        let mut joints = original
            .joints
            .get(piece.joints.clone())
            .unwrap_or_default()
            .to_vec();
        let mut mocaps = original
            .mocaps
            .get(piece.mocaps.clone())
            .unwrap_or_default()
            .to_vec();
        for slot in &mut joints {
            slot.body = moved(slot.body);
            self.bodies = self.bodies.max(slot.body + 1);
        }
        for slot in &mut mocaps {
            slot.body = moved(slot.body);
            self.bodies = self.bodies.max(slot.body + 1);
        }
        match source {
            Some(source) => source.forget(piece),
            None => self.forget(piece),
        }
        self.joints.append(&mut joints);
        self.mocaps.append(&mut mocaps);
    }

    fn forget(&mut self, piece: &Piece) {
        for slot in self
            .joints
            .get_mut(piece.joints.clone())
            .unwrap_or_default()
        {
            if slot.body > piece.holder {
                slot.qpos.clear();
                slot.qvel.clear();
            }
        }
        for slot in self
            .mocaps
            .get_mut(piece.mocaps.clone())
            .unwrap_or_default()
        {
            slot.mpos.clear();
            slot.mquat.clear();
        }
    }

    /// Adds a copy of an actuator of `source` (this ledger's own if `None`); the original forgets.
    pub fn copy_actuator(&mut self, source: Option<&mut Ledger>, position: usize) {
        if !self.is_on {
            return;
        }
        let original = match source {
            Some(ledger) => ledger.actuators.get_mut(position),
            None => self.actuators.get_mut(position),
        };
        let copy = original.map(|original| {
            let copy = original.clone();
            original.act.clear();
            original.ctrl.clear();
            copy
        });
        self.actuators.push(copy.unwrap_or_default());
    }

    /// Removes the original of a replicate.
    pub fn remove_piece(&mut self, piece: &Piece) {
        if self.is_on {
            self.joints.drain(piece.joints.clone());
            self.mocaps.drain(piece.mocaps.clone());
        }
    }

    /// Actuators that no longer exist.
    pub fn remove_actuators(&mut self, positions: &[usize]) {
        for position in positions {
            if let Some(slot) = self.actuators.get_mut(*position) {
                *slot = ActuatorSlot {
                    is_removed: true,
                    ..ActuatorSlot::default()
                };
            }
        }
    }

    /// The actuators at these positions forget their states.
    pub fn forget_actuators(&mut self, positions: impl Iterator<Item = usize>) {
        for position in positions {
            if let Some(slot) = self.actuators.get_mut(position) {
                slot.act.clear();
                slot.ctrl.clear();
            }
        }
    }

    /// Lengthens keys to the size the model has now, with reference values as written.
    pub fn lengthen(&self, keys: &mut [Key]) {
        if !self.is_on || keys.is_empty() {
            return;
        }
        let sizes = self.sizes();
        let reference: Vec<f64> = self
            .joint_order()
            .into_iter()
            .filter_map(|index| self.joints.get(index))
            .flat_map(|slot| slot.reference.into_iter().take(slot.nq()))
            .collect();
        let mpos: Vec<f64> = self.mocaps.iter().flat_map(|slot| slot.pos).collect();
        let mquat: Vec<f64> = self.mocaps.iter().flat_map(|slot| slot.quat).collect();
        for key in keys {
            pad(&mut key.qpos, &reference, 1);
            pad(&mut key.qvel, &vec![0.0; sizes.nv], 1);
            pad(&mut key.act, &vec![0.0; sizes.na], 1);
            pad(&mut key.ctrl, &vec![0.0; sizes.nu], 1);
            pad(&mut key.mpos, &mpos, 3);
            pad(&mut key.mquat, &mquat, 4);
        }
    }

    /// The piece with these joints and mocap bodies, counted in document order.
    pub fn piece(&self, joints: Range<usize>, mocaps: Range<usize>) -> Piece {
        let first_joint = self.joints.get(joints.clone()).unwrap_or_default();
        let first_mocap = self.mocaps.get(mocaps.clone()).unwrap_or_default();
        let first_body = first_joint
            .iter()
            .map(|slot| slot.body)
            .chain(first_mocap.iter().map(|slot| slot.body))
            .min()
            .unwrap_or(1);
        Piece {
            joints,
            mocaps,
            holder: first_body.saturating_sub(1),
        }
    }

    fn sort(&mut self) {
        self.joints.sort_by_key(|slot| slot.body);
        self.mocaps.sort_by_key(|slot| slot.body);
    }

    /// How many numbers the finished keys will have.
    pub fn numbers(&self) -> usize {
        let sizes = self.sizes();
        let row = sizes.nq + sizes.nv + sizes.na + sizes.nu + 7 * sizes.nmocap;
        self.pending.len().saturating_mul(row)
    }

    /// The keys put together.
    pub fn assemble(mut self) -> Vec<AssembledKey> {
        self.sort();
        let mut out = Vec::with_capacity(self.pending.len());
        for Pending { state, written } in &self.pending {
            let mut key = written.clone();
            for slot in &self.joints {
                if let Some(qpos) = &mut key.qpos {
                    let own = slot.qpos.get(state).filter(|own| !own[0].is_nan());
                    qpos.extend((0..slot.nq()).map(|i| own.and_then(|own| own.get(i).copied())));
                }
                if let Some(qvel) = &mut key.qvel {
                    let own = slot.qvel.get(state).filter(|own| !own[0].is_nan());
                    qvel.extend(
                        (0..slot.nv())
                            .map(|i| own.and_then(|own| own.get(i).copied()).unwrap_or(0.0)),
                    );
                }
            }
            for slot in self.actuators.iter().filter(|slot| !slot.is_removed) {
                if let Some(act) = &mut key.act {
                    let own = slot.act.get(state);
                    act.extend(
                        (0..slot.actdim)
                            .map(|i| own.and_then(|own| own.get(i).copied()).unwrap_or(0.0)),
                    );
                }
                if let Some(ctrl) = &mut key.ctrl {
                    ctrl.push(slot.ctrl.get(state).copied().unwrap_or(0.0));
                }
            }
            for slot in &self.mocaps {
                if let Some(mpos) = &mut key.mpos {
                    let own = slot.mpos.get(state).filter(|own| !own[0].is_nan());
                    mpos.extend((0..3).map(|i| own.and_then(|own| own.get(i).copied())));
                }
                if let Some(mquat) = &mut key.mquat {
                    let own = slot.mquat.get(state).filter(|own| !own[0].is_nan());
                    mquat.extend((0..4).map(|i| own.and_then(|own| own.get(i).copied())));
                }
            }
            out.push(key);
        }
        out
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

/// The numbers of a vector that is not empty.
fn given(value: &Option<At<Vec<f64>>>) -> Option<&Vec<f64>> {
    value
        .as_ref()
        .map(|at| &at.value)
        .filter(|numbers| !numbers.is_empty())
}

fn fill<'n>(own: &mut [f64], count: usize, numbers: &mut impl Iterator<Item = &'n f64>) {
    for place in own.iter_mut().take(count) {
        *place = numbers.next().copied().unwrap_or(0.0);
    }
}

/// Extends a given vector to the length of `reference` with its tail; whole groups only.
fn pad(value: &mut Option<At<Vec<f64>>>, reference: &[f64], group: usize) {
    let Some(at) = value else { return };
    let groups = at.value.len() / group;
    if at.value.is_empty() || reference.len() / group <= groups {
        return;
    }
    at.value.truncate(groups * group);
    let tail = reference.get(groups * group..).unwrap_or_default();
    at.value.extend_from_slice(tail);
}

fn check_sizes(key: &Key, sizes: &Sizes) -> Result<(), String> {
    for (what, value, expected) in [
        ("qpos", &key.qpos, sizes.nq),
        ("qvel", &key.qvel, sizes.nv),
        ("act", &key.act, sizes.na),
        ("ctrl", &key.ctrl, sizes.nu),
        ("mpos", &key.mpos, 3 * sizes.nmocap),
        ("mquat", &key.mquat, 4 * sizes.nmocap),
    ] {
        if let Some(numbers) = given(value)
            && numbers.len() != expected
        {
            return Err(format!(
                "`{what}` of a key has {} numbers where the model read so far has {expected}",
                numbers.len()
            ));
        }
    }
    Ok(())
}

/// Number of activations of an actuator: its class elements from the root down, then itself.
pub fn activations<'a>(written: impl Iterator<Item = &'a Actuator>) -> usize {
    let mut dyntype = DynamicsType::None;
    let mut actdim = -1;
    for actuator in written {
        let table = &actuator.table;
        match actuator.kind {
            ActuatorKind::General | ActuatorKind::Plugin => {
                if let Some(at) = &table.dyntype {
                    dyntype = at.value;
                }
                if let Some(at) = &table.actdim {
                    actdim = at.value;
                }
            }
            ActuatorKind::Motor | ActuatorKind::Velocity | ActuatorKind::Damper => {
                dyntype = DynamicsType::None;
            }
            ActuatorKind::Position => {
                if let Some(first) = table.timeconst.as_ref().and_then(|at| at.value.first()) {
                    dyntype = if *first == 0.0 {
                        DynamicsType::None
                    } else {
                        DynamicsType::Filterexact
                    };
                }
            }
            ActuatorKind::IntVelocity => dyntype = DynamicsType::Integrator,
            ActuatorKind::Cylinder => dyntype = DynamicsType::Filter,
            ActuatorKind::Muscle => dyntype = DynamicsType::Muscle,
            ActuatorKind::Adhesion => {}
        }
    }
    match usize::try_from(actdim) {
        Ok(actdim) if actdim > 0 => actdim.min(1 << 20),
        _ => usize::from(dyntype != DynamicsType::None),
    }
}
