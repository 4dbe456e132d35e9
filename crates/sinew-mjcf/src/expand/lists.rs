//! The lists of elements outside the tree, with an index of who refers to what.
//!
//! The index makes a copy cost what it copies: when a part of the tree is copied, only elements
//! that refer to one of its names are looked at. Removed elements leave a hole until the end, so
//! that positions stay valid.

use super::names::{Affix, Lookup, Named, Names, WithGone, key};
use super::outside::{Outside, resolves};
use crate::place::Place;
use crate::report::Report;
use crate::spec::Spec;
use crate::spec::actuator::Actuator;
use crate::spec::constraint::{Equality, Exclude, Pair, Tendon};
use crate::spec::extra::Tuple;
use crate::spec::held::Held;
use crate::spec::sensor::Sensor;
use std::collections::{BTreeMap, BTreeSet};

/// One list.
#[derive(Clone, Debug, Default)]
pub struct List<T> {
    items: Vec<Option<T>>,
    /// Positions of the elements that name an object, in increasing order.
    naming: BTreeMap<(u8, String), Vec<usize>>,
    /// Positions of the elements that name nothing.
    naming_nothing: Vec<usize>,
}

/// The last list element a copy added, and the one it was made from.
pub struct Copied {
    /// Position of the original.
    pub from: usize,
    /// Position of the copy.
    pub to: usize,
}

impl<T: Outside> List<T> {
    /// As many of the elements as there is time for.
    fn new(items: Vec<T>, report: &mut Report) -> Self {
        let mut list = List {
            items: Vec::with_capacity(items.len()),
            naming: BTreeMap::new(),
            naming_nothing: Vec::new(),
        };
        for item in items {
            if !report.has_time(Place::default()) {
                break;
            }
            list.push(item);
        }
        list
    }

    /// Adds an element at the end.
    pub fn push(&mut self, item: T) {
        let position = self.items.len();
        let mut names_nothing = true;
        item.references(&mut |kind, name| {
            names_nothing = false;
            let at = self.naming.entry(key(kind, name)).or_default();
            if at.last() != Some(&position) {
                at.push(position);
            }
        });
        if names_nothing {
            self.naming_nothing.push(position);
        }
        self.items.push(Some(item));
    }

    /// The elements with their positions.
    pub fn iter(&self) -> impl Iterator<Item = (usize, &T)> {
        self.items
            .iter()
            .enumerate()
            .filter_map(|(position, item)| Some((position, item.as_ref()?)))
    }

    /// The element at a position.
    pub fn get(&self, position: usize) -> Option<&T> {
        self.items.get(position)?.as_ref()
    }

    /// Bytes the elements hold.
    pub fn bytes(&self) -> usize
    where
        T: Held,
    {
        self.items.heap()
    }

    /// Number of positions, holes included.
    pub fn positions(&self) -> usize {
        self.items.len()
    }

    /// Copies what refers to one of `bases`, and what refers to nothing at all. New names enter
    /// `names`, the names they were made from enter `bases`; a name that existed enters
    /// `repeated`. Says what was copied.
    fn copy_within(
        &mut self,
        affix: &Affix,
        bases: &mut Vec<Named>,
        names: &mut Names,
        repeated: &mut Vec<Named>,
    ) -> Vec<Copied> {
        let mut candidates: Vec<usize> = self.naming_nothing.clone();
        for (kind, name) in bases.iter() {
            if let Some(found) = self.naming.get(&key(*kind, name)) {
                candidates.extend_from_slice(found);
            }
        }
        candidates.sort_unstable();
        candidates.dedup();
        let mut copied = Vec::new();
        for from in candidates {
            let Some(original) = self.get(from) else {
                continue;
            };
            let Some(copy) = original.copy(affix, names) else {
                continue;
            };
            if let Some(name) = original.name() {
                bases.push((T::KIND, name.to_string()));
            }
            copied.push(Copied {
                from,
                to: self.items.len(),
            });
            self.push(copy);
        }
        for Copied { to, .. } in &copied {
            if let Some(name) = self.get(*to).and_then(Outside::name) {
                if names.contains(T::KIND, name) {
                    repeated.push((T::KIND, name.to_string()));
                }
                names.insert(T::KIND, name);
            }
        }
        copied
    }

    /// Removes what stood on one of `gone` and no longer finds all it names. What did not stand
    /// before either stays, and fails later with its own message. Removed names join `gone`.
    fn remove(&mut self, gone: &mut BTreeSet<(u8, String)>, names: &mut Names) -> Vec<usize> {
        let mut candidates: Vec<usize> = gone
            .iter()
            .filter_map(|key| self.naming.get(key))
            .flatten()
            .copied()
            .collect();
        candidates.sort_unstable();
        candidates.dedup();
        candidates.retain(|position| {
            self.get(*position).is_some_and(|item| {
                let before = WithGone { names, gone };
                resolves(item, &before) && !resolves(item, names)
            })
        });
        for position in &candidates {
            let removed = self.items.get_mut(*position).and_then(Option::take);
            if let Some(name) = removed.as_ref().and_then(Outside::name) {
                names.remove(T::KIND, name);
                gone.insert(key(T::KIND, name));
            }
        }
        candidates
    }

    fn into_items(self) -> Vec<T> {
        self.items.into_iter().flatten().collect()
    }
}

/// All lists, in the order in which they are copied.
#[derive(Clone, Debug, Default)]
#[allow(missing_docs)]
pub struct Lists {
    pub pairs: List<Pair>,
    pub excludes: List<Exclude>,
    pub tendons: List<Tendon>,
    pub equalities: List<Equality>,
    pub actuators: List<Actuator>,
    pub sensors: List<Sensor>,
    pub tuples: List<Tuple>,
}

/// What a copy added.
pub struct Added {
    /// Number of elements.
    pub count: usize,
    /// Bytes they hold.
    pub bytes: usize,
    /// Actuators among them.
    pub actuators: Vec<Copied>,
    /// Names that existed before.
    pub repeated: Vec<Named>,
}

impl Lists {
    /// Takes the lists out of a model, as far as there is time.
    pub fn take(spec: &mut Spec, report: &mut Report) -> Lists {
        Lists {
            pairs: List::new(std::mem::take(&mut spec.pairs), report),
            excludes: List::new(std::mem::take(&mut spec.excludes), report),
            tendons: List::new(std::mem::take(&mut spec.tendons), report),
            equalities: List::new(std::mem::take(&mut spec.equalities), report),
            actuators: List::new(std::mem::take(&mut spec.actuators), report),
            sensors: List::new(std::mem::take(&mut spec.sensors), report),
            tuples: List::new(std::mem::take(&mut spec.tuples), report),
        }
    }

    /// Puts the lists back into a model.
    pub fn restore(self, spec: &mut Spec) {
        spec.pairs = self.pairs.into_items();
        spec.excludes = self.excludes.into_items();
        spec.tendons = self.tendons.into_items();
        spec.equalities = self.equalities.into_items();
        spec.actuators = self.actuators.into_items();
        spec.sensors = self.sensors.into_items();
        spec.tuples = self.tuples.into_items();
    }

    /// Elements that name nothing are copied with every copy, copies included. This many there will
    /// be after `count` copies.
    pub fn doubled(&self, count: usize) -> usize {
        let now = self.sensors.naming_nothing.len();
        let factor = u32::try_from(count)
            .ok()
            .and_then(|count| 1usize.checked_shl(count));
        now.saturating_mul(factor.unwrap_or(usize::MAX))
    }

    /// Copies whatever refers to `bases`, the names of a part of the tree that was just copied
    /// within the model.
    pub fn copy_within(
        &mut self,
        affix: &Affix,
        mut bases: Vec<Named>,
        names: &mut Names,
    ) -> Added {
        let mut added = Added {
            count: 0,
            bytes: 0,
            actuators: Vec::new(),
            repeated: Vec::new(),
        };
        macro_rules! copy {
            ($($list:ident),*) => { $(
                let $list = self
                    .$list
                    .copy_within(affix, &mut bases, names, &mut added.repeated);
                added.count += $list.len();
                for Copied { to, .. } in &$list {
                    let copy = self.$list.get(*to).map_or(0, Held::bytes);
                    added.bytes = added.bytes.saturating_add(copy);
                }
            )* };
        }
        copy!(
            pairs, excludes, tendons, equalities, actuators, sensors, tuples
        );
        added.actuators = actuators;
        added
    }

    /// Removes whatever stood on names that are gone; tuples stay. Says which actuators went.
    pub fn remove(&mut self, gone: &[Named], names: &mut Names) -> Vec<usize> {
        let mut gone: BTreeSet<(u8, String)> =
            gone.iter().map(|(kind, name)| key(*kind, name)).collect();
        self.pairs.remove(&mut gone, names);
        self.excludes.remove(&mut gone, names);
        self.tendons.remove(&mut gone, names);
        self.equalities.remove(&mut gone, names);
        let actuators = self.actuators.remove(&mut gone, names);
        self.sensors.remove(&mut gone, names);
        actuators
    }
}
