//! Pieces of the tree in the ledger: their slots are copied with them, and the originals forget.

use super::{ActuatorSlot, Ledger};
use std::ops::Range;

/// Slots of a piece of the tree.
#[derive(Clone, Debug)]
pub struct Piece {
    joints: Range<usize>,
    mocaps: Range<usize>,
    /// Running number of the body that holds the piece in the original.
    holder: usize,
}

impl Ledger {
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
}
