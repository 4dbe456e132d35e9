//! Replicates: numbered copies of a piece of the tree along a screw motion.
//!
//! Copy *i* stands in a frame at position `pᵢ` with orientation `qᵢ = euler(i · e)`, where
//! `p₀ = 0`, `pᵢ₊₁ = pᵢ + R(qᵢ) · offset`: the orientation is computed afresh for every copy, so
//! that it does not drift. Names get the separator and the number, padded with zeros to the digits
//! of `count`.

use super::names::Affix;
use super::outside::resolves;
use super::rename::{Contents, Renaming, copy_tree};
use super::walk::{Scope, key_place, value};
use super::{Assembly, Shared};
use crate::compile::orientation::from_euler;
use crate::compile::pose::Pose;
use crate::place::{At, Place};
use crate::spec::tree::{Child, Frame, Replicate, ReplicateTable};
use crate::spec::value::AngleUnit;
use core::f64::consts::PI;
use sinew_math::{Quat, Vec3};

impl Assembly {
    pub(super) fn replicate(
        &mut self,
        replicate: Replicate,
        scope: &mut Scope,
        shared: &mut Shared,
    ) {
        let table = replicate.table;
        let place = table.place;
        let Some(count) = value(&table.count) else {
            shared
                .report
                .error(
                    "mjcf::missing-attribute",
                    place,
                    "a replicate needs a `count`",
                )
                .element("replicate")
                .attribute("count");
            return;
        };
        let count = usize::try_from(count).unwrap_or(0);
        let Some(motion) = Motion::new(&table, shared) else {
            return;
        };
        if !shared.may_nest(scope.total_depth() + 2, place) {
            return;
        }

        // Read the content once, as a body of its own.
        let class = value(&table.childclass).or_else(|| scope.class().cloned());
        let mut inner = Scope {
            levels: Vec::new(),
            name: String::new(),
            body: self.ledger.open_body(None),
            depth: scope.total_depth() + 1,
            is_replicate: true,
            reference: [0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0],
        };
        let mut piece = self.ledger.start_piece(inner.body);
        // That body has no name.
        self.replicates += 1;
        self.unnamed_bodies += 1;
        let content = self.fill(replicate.children, class, &mut inner, shared);
        self.unnamed_bodies = self.unnamed_bodies.saturating_sub(1);
        self.replicates -= 1;
        self.ledger.end_piece(&mut piece);
        let contents = Contents::of(&content);
        let copies = contents.elements.saturating_add(1).saturating_mul(count);
        let frame = size_of::<Frame>() + size_of::<Child>();
        let bytes = contents.bytes.saturating_add(frame).saturating_mul(count);
        if !shared.spend(copies, bytes, place) || !shared.allows(self.lists.doubled(count), place) {
            return;
        }

        let separator = value(&table.sep).unwrap_or_default();
        let digits = count.to_string().len();
        let mut lookalikes = self.names.lookalikes(&separator, digits, count);
        let mut pose = Pose::default();
        for index in 0..count {
            pose.quat = motion.orientation(index);
            let affix = Affix {
                prefix: String::new(),
                suffix: format!("{separator}{index:0digits$}"),
            };
            if !self.store_keys(&affix, place, shared) {
                return;
            }

            let mut copy = copy_tree(&content, shared.report);
            Renaming {
                affix: &affix,
                classes: None,
            }
            .tree(&mut copy);
            for (kind, name) in &contents.names {
                if !shared.has_time(place) {
                    return;
                }
                self.names.insert(*kind, &affix.apply(name));
            }
            self.unnamed_bodies += contents.unnamed_bodies;
            self.ledger.copy_piece(None, &piece, scope.body);
            scope.push(in_frame(copy, &table, &pose));

            let mut bases = contents.names.clone();
            bases.extend(lookalikes.remove(&index).unwrap_or_default());
            let added = self.lists.copy_within(&affix, bases, &mut self.names);
            for (kind, name) in &added.repeated {
                shared.repeated_name(*kind, name, place);
            }
            for actuator in &added.actuators {
                self.ledger.copy_actuator(None, actuator.from);
            }
            self.copy_instances(&contents.instances, &affix);
            self.ledger.lengthen(&mut self.spec.keys);
            if !shared.spend(added.count, added.bytes, place) {
                return;
            }
            pose = pose.compose(&motion.step);
        }

        // The original goes, and what stood on it.
        if self.ledger.is_on() {
            let actuators = self.lists.actuators.iter();
            let standing = actuators.filter(|(_, actuator)| resolves(*actuator, &self.names));
            self.ledger
                .forget_actuators(standing.map(|(position, _)| position));
        }
        if !self.store_keys(&Affix::default(), place, shared) {
            return;
        }
        self.spec.keys.clear();
        for (kind, name) in &contents.names {
            self.names.remove(*kind, name);
        }
        self.unnamed_bodies = self.unnamed_bodies.saturating_sub(contents.unnamed_bodies);
        self.ledger.remove_piece(&piece);
        let removed = self.lists.remove(&contents.names, &mut self.names);
        self.ledger.remove_actuators(&removed);
        self.has_removed = true;
        shared.elements = shared.elements.saturating_sub(contents.elements);
    }

    /// Stores the keys of this model for a copy within it.
    fn store_keys(&mut self, affix: &Affix, place: Place, shared: &mut Shared) -> bool {
        match self
            .ledger
            .store(&self.spec.keys, affix, &mut shared.states)
        {
            Ok(pending) => {
                self.ledger.pending.extend(pending);
                shared.holds_keys(self.ledger.numbers(), place)
            }
            Err((index, message)) => {
                shared
                    .report
                    .error("mjcf::key-size", key_place(&self.spec.keys, index), message)
                    .element("key")
                    .hint("a key next to a replicate covers the model before it and one unnumbered copy");
                false
            }
        }
    }
}

/// The screw motion from copy to copy.
struct Motion {
    sequence: String,
    unit: f64,
    euler: [f64; 3],
    step: Pose,
}

impl Motion {
    fn new(table: &ReplicateTable, shared: &mut Shared) -> Option<Motion> {
        let place = table.euler.as_ref().map_or(table.place, |at| at.place);
        let compiler = shared
            .documents
            .get(place.document as usize)
            .map(|document| &document.compiler);
        let angle = compiler.and_then(|compiler| value(&compiler.angle));
        let sequence = compiler.and_then(|compiler| value(&compiler.eulerseq));
        let mut motion = Motion {
            sequence: sequence.unwrap_or_else(|| "xyz".to_string()),
            unit: if angle == Some(AngleUnit::Radian) {
                1.0
            } else {
                180.0
            },
            euler: value(&table.euler).unwrap_or([0.0; 3]),
            step: Pose {
                pos: Vec3(value(&table.offset).unwrap_or([0.0; 3])),
                quat: Quat::IDENTITY,
            },
        };
        let Some(quat) = from_euler(&motion.sequence, motion.radians(1)) else {
            shared
                .report
                .error(
                    "mjcf::orientation",
                    place,
                    "euler: the sequence `eulerseq` must be three letters out of x, y, z, X, Y, Z",
                )
                .element("replicate")
                .attribute("euler");
            return None;
        };
        motion.step.quat = quat;
        Some(motion)
    }

    fn radians(&self, index: usize) -> [f64; 3] {
        self.euler.map(|angle| {
            let angle = index as f64 * angle;
            if self.unit == 1.0 {
                angle
            } else {
                angle / self.unit * PI
            }
        })
    }

    fn orientation(&self, index: usize) -> Quat {
        from_euler(&self.sequence, self.radians(index)).unwrap_or(Quat::IDENTITY)
    }
}

fn in_frame(children: Vec<Child>, table: &ReplicateTable, pose: &Pose) -> Child {
    let mut frame = Frame {
        children,
        ..Frame::default()
    };
    frame.table.place = table.place;
    frame.table.childclass.clone_from(&table.childclass);
    frame.table.pos = Some(At::new(pose.pos.0, table.place));
    frame.table.quat = Some(At::new(pose.quat.0, table.place));
    Child::Frame(Box::new(frame))
}
