//! How many elements expansion would make, counted before anything is copied.
//!
//! Sub-models that attach sub-models multiply: twelve small files can ask for 10¹² bodies. Each
//! sub-model is counted once, with the size of every named body in it.

use super::Shared;
use crate::place::Place;
use crate::report::Report;
use crate::spec::Spec;
use crate::spec::tree::Child;
use std::collections::BTreeMap;

/// Whether a model's expansion stays within the budget; reported if not.
pub(super) fn is_affordable(spec: &Spec, shared: &mut Shared) -> bool {
    let count = |model| Counts::of(model, shared.report);
    let submodels: Vec<Counts> = spec.submodels.iter().map(count).collect();
    let mut counting = Counting::new(spec, &submodels, shared.report);
    let total = counting.children(&spec.world);
    let largest = counting.largest.1;
    let most = shared.budget.elements;
    if total <= most {
        return shared.has_time(Place::default());
    }
    shared.stop(
        "mjcf::too-many-elements",
        largest,
        format!("expansion would make more than {most} elements"),
    );
    false
}

/// Elements of a model after expansion.
struct Counts {
    whole: usize,
    bodies: BTreeMap<String, usize>,
}

impl Counts {
    fn of(spec: &Spec, report: &mut Report) -> Counts {
        let count = |model| Counts::of(model, report);
        let submodels: Vec<Counts> = spec.submodels.iter().map(count).collect();
        let mut counting = Counting::new(spec, &submodels, report);
        let whole = counting.children(&spec.world);
        Counts {
            whole,
            bodies: counting.bodies,
        }
    }
}

struct Counting<'a> {
    spec: &'a Spec,
    submodels: &'a [Counts],
    report: &'a mut Report,
    bodies: BTreeMap<String, usize>,
    /// The replicate, attach or composite that makes most.
    largest: (usize, Place),
}

impl<'a> Counting<'a> {
    fn new(spec: &'a Spec, submodels: &'a [Counts], report: &'a mut Report) -> Self {
        Counting {
            spec,
            submodels,
            report,
            bodies: BTreeMap::new(),
            largest: (0, Place::default()),
        }
    }

    fn children(&mut self, children: &[Child]) -> usize {
        let mut total = 0_usize;
        for child in children {
            if !self.report.has_time(child.place()) {
                break;
            }
            total = total.saturating_add(self.child(child));
        }
        total
    }

    fn child(&mut self, child: &Child) -> usize {
        match child {
            Child::Body(body) => {
                let count = self.children(&body.children).saturating_add(1);
                if let Some(name) = &body.table.name {
                    self.bodies.insert(name.value.clone(), count);
                }
                count
            }
            Child::Frame(frame) => self.children(&frame.children).saturating_add(1),
            Child::Replicate(replicate) => {
                let copies = replicate
                    .table
                    .count
                    .as_ref()
                    .map_or(0, |count| count.value);
                let copies = usize::try_from(copies).unwrap_or(0);
                let inside = self.children(&replicate.children).saturating_add(1);
                self.made(copies.saturating_mul(inside), replicate.table.place)
            }
            Child::Attach(attach) => {
                let count = self.attached(attach.model.as_ref(), attach.body.as_ref());
                self.made(count, attach.place)
            }
            _ => 1,
        }
    }

    fn attached(
        &self,
        model: Option<&crate::place::At<String>>,
        body: Option<&crate::place::At<String>>,
    ) -> usize {
        let Some(model) = model else { return 0 };
        let name_of = |index: usize| self.spec.models.get(index)?.name.as_ref();
        let found = (0..self.submodels.len())
            .find(|index| name_of(*index).is_some_and(|name| name.value == model.value));
        let Some(counts) = found.and_then(|index| self.submodels.get(index)) else {
            return 0;
        };
        match body {
            Some(body) if !body.value.is_empty() => {
                counts.bodies.get(&body.value).copied().unwrap_or(0)
            }
            _ => counts.whole,
        }
    }

    fn made(&mut self, count: usize, place: Place) -> usize {
        if count > self.largest.0 {
            self.largest = (count, place);
        }
        count
    }
}
