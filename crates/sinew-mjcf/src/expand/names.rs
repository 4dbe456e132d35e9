//! Names while a model is being put together: which exist, and how copies are renamed.

use crate::report::Report;
use crate::spec::Spec;
use sinew_model::kinds::ObjectType;
use std::collections::{BTreeMap, BTreeSet};

/// What a copy adds around every name: sub-models a prefix, replicas a suffix.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Affix {
    /// Text before the name.
    pub prefix: String,
    /// Text after the name.
    pub suffix: String,
}

impl Affix {
    /// The name of a copy.
    pub fn apply(&self, name: &str) -> String {
        let mut out = String::with_capacity(self.prefix.len() + name.len() + self.suffix.len());
        out.push_str(&self.prefix);
        out.push_str(name);
        out.push_str(&self.suffix);
        out
    }

    /// Renames in place; an empty name stays empty.
    pub fn rename(&self, name: &mut String) {
        if !name.is_empty() {
            *name = self.apply(name);
        }
    }
}

/// Something that knows which names exist.
pub trait Lookup {
    /// Whether something of that kind has the name.
    fn contains(&self, kind: ObjectType, name: &str) -> bool;
}

/// The names that exist at a moment, with how often each occurs.
#[derive(Clone, Debug, Default)]
pub struct Names {
    of: BTreeMap<u8, BTreeMap<String, u32>>,
}

/// A named object.
pub type Named = (ObjectType, String);

impl Names {
    /// The names outside the tree of a model as written, as far as there is time.
    pub fn outside(spec: &Spec, report: &mut Report) -> Names {
        let mut names = Names::default();
        names.insert(ObjectType::Body, "world");
        macro_rules! insert {
            ($($list:ident $($table:ident)? => $kind:ident,)*) => { $(
                for element in &spec.$list {
                    if !report.has_time(element$(.$table)?.place) {
                        return names;
                    }
                    if let Some(name) = &element$(.$table)?.name {
                        names.insert(ObjectType::$kind, &name.value);
                    }
                }
            )* };
        }
        insert! {
            meshes table => Mesh, hfields => Hfield, textures => Texture,
            materials table => Material, skins table => Skin, numerics => Numeric,
            texts => Text, tuples table => Tuple, pairs => Pair, excludes => Exclude,
            flexes table => Flex, equalities table => Equality, tendons table => Tendon,
            actuators table => Actuator, sensors table => Sensor, keys => Key,
        }
        names
    }

    /// Adds a name; the empty one is nobody's.
    pub fn insert(&mut self, kind: ObjectType, name: &str) {
        if name.is_empty() {
            return;
        }
        let names = self.of.entry(slot(kind)).or_default();
        match names.get_mut(name) {
            Some(count) => *count = count.saturating_add(1),
            None => {
                names.insert(name.to_string(), 1);
            }
        }
    }

    /// Removes one occurrence of a name.
    pub fn remove(&mut self, kind: ObjectType, name: &str) {
        let Some(names) = self.of.get_mut(&slot(kind)) else {
            return;
        };
        if let Some(count) = names.get_mut(name) {
            *count -= 1;
            if *count == 0 {
                names.remove(name);
            }
        }
    }

    /// Names that occur more than once.
    pub fn repeated(&self) -> Vec<Named> {
        let mut out = Vec::new();
        for (kind, names) in &self.of {
            let Some(kind) = kind_of(*kind) else { continue };
            let repeated = names.iter().filter(|(_, count)| **count > 1);
            out.extend(repeated.map(|(name, _)| (kind, name.clone())));
        }
        out
    }

    /// For every copy number below `count`, the names that already look like such a copy: whoever
    /// refers to the part before the suffix finds a copy there, meant or not.
    pub fn lookalikes(
        &self,
        separator: &str,
        digits: usize,
        count: usize,
    ) -> BTreeMap<usize, Vec<Named>> {
        let mut out: BTreeMap<usize, Vec<Named>> = BTreeMap::new();
        for (kind, names) in &self.of {
            let Some(kind) = kind_of(*kind) else { continue };
            for name in names.keys() {
                let found = name.len().checked_sub(digits).and_then(|cut| {
                    let (head, number) = (name.get(..cut)?, name.get(cut..)?);
                    let base = head.strip_suffix(separator)?;
                    let all_digits = number.bytes().all(|byte| byte.is_ascii_digit());
                    let index = number.parse::<usize>().ok()?;
                    (all_digits && index < count && !base.is_empty()).then_some((index, base))
                });
                if let Some((index, base)) = found {
                    out.entry(index).or_default().push((kind, base.to_string()));
                }
            }
        }
        out
    }
}

impl Lookup for Names {
    fn contains(&self, kind: ObjectType, name: &str) -> bool {
        self.of
            .get(&slot(kind))
            .is_some_and(|names| names.contains_key(name))
    }
}

/// The names that exist together with some that no longer do.
pub struct WithGone<'a> {
    /// What exists.
    pub names: &'a Names,
    /// What existed.
    pub gone: &'a BTreeSet<(u8, String)>,
}

impl Lookup for WithGone<'_> {
    fn contains(&self, kind: ObjectType, name: &str) -> bool {
        self.names.contains(kind, name) || self.gone.contains(&key(kind, name))
    }
}

/// A name as a key of ordered collections.
pub fn key(kind: ObjectType, name: &str) -> (u8, String) {
    (slot(kind), name.to_string())
}

/// Bodies have two kinds of reference and one name.
fn slot(kind: ObjectType) -> u8 {
    if kind == ObjectType::Xbody {
        ObjectType::Body as u8
    } else {
        kind as u8
    }
}

const KINDS: [(ObjectType, &str); 25] = [
    (ObjectType::Body, "body"),
    (ObjectType::Xbody, "xbody"),
    (ObjectType::Joint, "joint"),
    (ObjectType::Dof, "dof"),
    (ObjectType::Geom, "geom"),
    (ObjectType::Site, "site"),
    (ObjectType::Camera, "camera"),
    (ObjectType::Light, "light"),
    (ObjectType::Flex, "flex"),
    (ObjectType::Mesh, "mesh"),
    (ObjectType::Skin, "skin"),
    (ObjectType::Hfield, "hfield"),
    (ObjectType::Texture, "texture"),
    (ObjectType::Material, "material"),
    (ObjectType::Pair, "pair"),
    (ObjectType::Exclude, "exclude"),
    (ObjectType::Equality, "equality"),
    (ObjectType::Tendon, "tendon"),
    (ObjectType::Actuator, "actuator"),
    (ObjectType::Sensor, "sensor"),
    (ObjectType::Numeric, "numeric"),
    (ObjectType::Text, "text"),
    (ObjectType::Tuple, "tuple"),
    (ObjectType::Key, "key"),
    (ObjectType::Plugin, "plugin"),
];

fn kind_of(slot: u8) -> Option<ObjectType> {
    KINDS
        .iter()
        .find(|(kind, _)| *kind as u8 == slot)
        .map(|(kind, _)| *kind)
}

/// The kind of object a word such as `xbody` means.
pub fn kind_from_word(word: &str) -> Option<ObjectType> {
    KINDS
        .iter()
        .find(|(_, name)| *name == word)
        .map(|(kind, _)| *kind)
}
