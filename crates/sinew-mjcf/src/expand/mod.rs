//! Macros of the tree turned into plain elements: replicates, attached sub-models, cables, flexcomps.
//!
//! The tree is walked once in document order, and every macro acts on the model as it is at that
//! moment: the reference expands while it reads, so what a copy finds, renames or drops depends on
//! what came before. Sections outside the tree are read before it; an actuator may name the joint
//! of a replicate written later.
//!
//! * A replicate reads its content once, then copies it `count` times, each copy in a frame of its
//!   own with a numbered suffix on every name (`replicate`); then the content itself goes, and
//!   with it what refers to it.
//! * An attach copies a body of a sub-model, or its whole world, with a prefix on every name, its
//!   classes and assets (`attach`).
//! * A flexcomp makes a flex and the bodies of its points (`flexcomp`).
//! * Elements outside the tree follow what they refer to (`outside`, `lists`).
//! * Keyframes follow the joints (`keys`).
//!
//! Values of a sub-model keep their place, and so the units and folders of their own document.
//! Sizes are checked before anything is copied.

#![deny(
    clippy::indexing_slicing,
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic
)]

mod activations;
mod attach;
mod cable;
mod cable_skin;
mod estimate;
mod flexcomp;
mod keys;
mod lists;
mod names;
mod outside;
mod plugins;
mod rename;
mod replicate;
#[cfg(test)]
mod tests;
mod walk;

use crate::compile::context::kind_word;
use crate::memory::Memory;
use crate::place::Place;
use crate::report::Report;
use crate::source::Source;
use crate::spec::tree::Child;
use crate::spec::{DefaultClass, Document, SourceFile, Spec};
use keys::{Ledger, States};
use lists::Lists;
use names::Names;
use sinew_model::kinds::ObjectType;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

/// How much expansion may make.
#[derive(Clone, Debug)]
pub struct Budget {
    /// Elements in the whole model.
    pub elements: usize,
    /// Nesting of bodies and frames.
    pub nesting: usize,
    /// What may be held.
    pub memory: Arc<Memory>,
}

impl Default for Budget {
    fn default() -> Self {
        Budget {
            elements: 1_000_000,
            nesting: 1_000,
            memory: Arc::default(),
        }
    }
}

/// What the names of an element and where it stands cost besides the element, in bytes.
const NAME_BYTES: usize = 256;

/// Most numbers that keyframes may have after expansion.
const MOST_KEY_NUMBERS: usize = 1 << 26;

/// What a number of a keyframe costs while keyframes are put together, in bytes.
const KEY_NUMBER_BYTES: usize = 128;

/// Replaces every replicate, attach, composite and flexcomp by plain elements. What is wrong is
/// reported; the result then lacks the part in question.
pub fn expand(mut spec: Spec, source: &Source, budget: &Budget, report: &mut Report) -> Spec {
    if !has_macros(&spec.world) && spec.submodels.is_empty() {
        return spec;
    }
    let documents = std::mem::take(&mut spec.documents);
    let files = std::mem::take(&mut spec.files);
    let has_keys = has_keys(&spec);
    let mut shared = Shared {
        report,
        source,
        documents: &documents,
        files: &files,
        budget,
        elements: 0,
        states: States::default(),
        has_keys,
        key_bytes: 0,
        has_stopped: false,
    };
    if !estimate::is_affordable(&spec, &mut shared) {
        spec.documents = documents;
        spec.files = files;
        return spec;
    }
    let mut assembly = Assembly::new(spec, &mut shared);
    if shared.foresees_enough(&assembly.spec.world) {
        assembly.expand(&mut shared);
    }
    let mut spec = assembly.finish(&mut shared);
    spec.documents = documents;
    spec.files = files;
    spec
}

fn has_macros(children: &[Child]) -> bool {
    children.iter().any(|child| match child {
        Child::Replicate(_) | Child::Attach(_) | Child::Composite(_) | Child::Flexcomp(_) => true,
        Child::Body(body) => has_macros(&body.children),
        Child::Frame(frame) => has_macros(&frame.children),
        _ => false,
    })
}

/// Number of elements that a tree will have, attached models aside. `Err`: the outermost replicate
/// that makes more than `most` of them.
fn foresee(children: &[Child], most: usize) -> Result<usize, Place> {
    let mut total = 0usize;
    for child in children {
        let inside = match child {
            Child::Body(body) => foresee(&body.children, most)?,
            Child::Frame(frame) => foresee(&frame.children, most)?,
            Child::Replicate(replicate) => {
                let count = replicate.table.count.as_ref().map_or(0, |at| at.value);
                let count = usize::try_from(count).unwrap_or(0);
                let inside = foresee(&replicate.children, most)?;
                let copies = inside.saturating_add(1).saturating_mul(count);
                if copies > most {
                    return Err(replicate.table.place);
                }
                copies
            }
            _ => 0,
        };
        total = total.saturating_add(inside).saturating_add(1);
    }
    Ok(total)
}

fn has_keys(spec: &Spec) -> bool {
    !spec.keys.is_empty() || spec.submodels.iter().any(has_keys)
}

/// What all models of an expansion share.
struct Shared<'a> {
    report: &'a mut Report,
    source: &'a Source,
    documents: &'a [Document],
    files: &'a [SourceFile],
    budget: &'a Budget,
    /// Elements made so far, in all models.
    elements: usize,
    states: States,
    has_keys: bool,
    /// Bytes taken for keyframes.
    key_bytes: u64,
    /// Whether a limit was passed; then nothing more is expanded.
    has_stopped: bool,
}

impl Shared<'_> {
    /// Books `more` elements that hold `bytes`. `false`: too many, too large, or too late; reported
    /// once.
    fn spend(&mut self, more: usize, bytes: usize, place: Place) -> bool {
        if !self.allows(more, place) {
            return false;
        }
        self.elements = self.elements.saturating_add(more);
        let bytes = more.saturating_mul(NAME_BYTES).saturating_add(bytes);
        if let Err(shortage) = self.budget.memory.take(bytes as u64) {
            self.has_stopped = true;
            shortage.report("expansion", place, self.report);
            return false;
        }
        self.has_time(place)
    }

    /// Whether there is time left to go on; reported once if not.
    fn has_time(&mut self, place: Place) -> bool {
        self.has_stopped |= !self.report.has_time(place);
        !self.has_stopped
    }

    /// Whether `more` elements may be made; reported if not.
    fn allows(&mut self, more: usize, place: Place) -> bool {
        let most = self.budget.elements;
        if self.elements.saturating_add(more) > most {
            self.stop(
                "mjcf::too-many-elements",
                place,
                format!("expansion would make more than {most} elements"),
            );
        }
        !self.has_stopped
    }

    /// Whether the replicates of a tree multiply to less than is allowed; reported if not.
    fn foresees_enough(&mut self, children: &[Child]) -> bool {
        let most = self.budget.elements;
        match foresee(children, most) {
            Ok(_) => true,
            Err(place) => self.spend(usize::MAX, 0, place),
        }
    }

    /// Whether keyframes of so many numbers may be put together; reported if not.
    fn holds_keys(&mut self, numbers: usize, place: Place) -> bool {
        if numbers > MOST_KEY_NUMBERS {
            self.stop(
                "mjcf::too-many-elements",
                place,
                "the keyframes of the expanded model are too large".to_string(),
            );
            return false;
        }
        let bytes = numbers.saturating_mul(KEY_NUMBER_BYTES) as u64;
        if let Err(shortage) = self
            .budget
            .memory
            .take(bytes.saturating_sub(self.key_bytes))
        {
            self.has_stopped = true;
            shortage.report("the keyframes of the expanded model", place, self.report);
            return false;
        }
        self.key_bytes = self.key_bytes.max(bytes);
        true
    }

    fn stop(&mut self, code: &'static str, place: Place, message: String) {
        if !self.has_stopped {
            self.has_stopped = true;
            self.report.error(code, place, message);
        }
    }

    fn repeated_name(&mut self, kind: ObjectType, name: &str, place: Place) {
        let kind = kind_word(kind);
        self.report
            .error(
                "mjcf::repeated-name",
                place,
                format!("repeated name `{name}`: two objects of kind {kind} have it"),
            )
            .hint("names must be unique among objects of one kind");
    }

    /// Whether nesting `depth` levels is allowed; reported if not.
    fn may_nest(&mut self, depth: usize, place: Place) -> bool {
        let most = self.budget.nesting;
        if depth > most {
            self.stop(
                "mjcf::nesting",
                place,
                format!("expansion would nest bodies and frames more than {most} deep"),
            );
        }
        !self.has_stopped
    }
}

/// A sub-model: as written until it is first attached, expanded from then on.
enum Submodel {
    Written(Box<Spec>),
    Expanded(Box<Assembly>),
    /// Being expanded further up the call chain.
    Busy,
}

/// A model being put together.
struct Assembly {
    /// The parts that are not in one of the fields below.
    spec: Spec,
    submodels: Vec<Submodel>,
    names: Names,
    lists: Lists,
    ledger: Ledger,
    class_names: BTreeSet<String>,
    /// Classes whose name an attached model has taken over: what is written from then on means the
    /// class with the new name.
    taken_classes: BTreeMap<String, String>,
    /// Bodies without a name that exist, open ones included.
    unnamed_bodies: usize,
    /// Whether this is a sub-model of another.
    is_submodel: bool,
    /// Replicates whose content is being read.
    replicates: usize,
    /// Whether the original of a replicate was removed.
    has_removed: bool,
}

impl Assembly {
    fn new(mut spec: Spec, shared: &mut Shared) -> Assembly {
        let names = Names::outside(&spec, shared.report);
        let lists = Lists::take(&mut spec, shared.report);
        shared.has_time(Place::default());
        let mut ledger = Ledger::new(shared.has_keys);
        if ledger.is_on() {
            for (_, actuator) in lists.actuators.iter() {
                ledger.add_actuator(activations::count(&spec, actuator));
            }
        }
        let submodels = std::mem::take(&mut spec.submodels)
            .into_iter()
            .map(|submodel| Submodel::Written(Box::new(submodel)))
            .collect();
        let class_names = spec
            .defaults
            .iter()
            .map(|class| class.name.clone())
            .collect();
        Assembly {
            spec,
            class_names,
            taken_classes: BTreeMap::new(),
            unnamed_bodies: 0,
            is_submodel: false,
            replicates: 0,
            submodels,
            names,
            lists,
            ledger,
            has_removed: false,
        }
    }

    /// Expands the sub-models, attached or not, then walks the tree and expands it.
    fn expand(&mut self, shared: &mut Shared) {
        for index in 0..self.submodels.len() {
            if let Some(submodel) = self.take_submodel(index, Place::default(), shared)
                && let Some(slot) = self.submodels.get_mut(index)
            {
                *slot = Submodel::Expanded(submodel);
            }
        }
        let world = std::mem::take(&mut self.spec.world);
        self.spec.world = self.walk_world(world, shared);
    }

    /// The finished model.
    fn finish(mut self, shared: &mut Shared) -> Spec {
        if self.has_removed {
            self.drop_unused_instances();
        }
        self.lists.restore(&mut self.spec);
        if shared.holds_keys(self.ledger.numbers(), Place::default()) {
            self.spec.assembled_keys = self.ledger.assemble();
        }
        self.spec.models.clear();
        self.spec
    }

    /// Makes sure of the class that inherits from nothing.
    fn add_neutral_class(&mut self) {
        if self.class_names.insert(cable::NEUTRAL_CLASS.to_string()) {
            self.spec.defaults.push(DefaultClass {
                name: cable::NEUTRAL_CLASS.to_string(),
                ..DefaultClass::default()
            });
        }
    }
}
