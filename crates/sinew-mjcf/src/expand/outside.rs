//! Elements outside the tree that refer to it: what they name, and whether a copy can stand.
//!
//! When part of a model is copied, every element that refers to it is tried: its names get the
//! prefix or suffix of the copy, and the copy is kept if everything it names then exists. The
//! kinds differ in what they do with a name that has no copy. A pair, an exclude and a sensor with
//! two objects keep the original name of one of them if the other has a copy; a tendon does so for
//! any step of its path as long as one step has a copy; an equality, an actuator and a tuple need
//! copies of everything they name.

use super::names::{Affix, Lookup, kind_from_word};
use crate::place::At;
use crate::spec::actuator::Actuator;
use crate::spec::constraint::{Equality, EqualityKind, Exclude, Pair, PathElement, Tendon};
use crate::spec::extra::Tuple;
use crate::spec::sensor::{Sensor, SensorTable};
use sinew_model::kinds::ObjectType;

/// An element that may be copied because of what it refers to.
pub trait Outside: Clone {
    /// What kind of object it is.
    const KIND: ObjectType;

    /// Its own name.
    fn name(&self) -> Option<&str>;

    /// Calls `visit` with everything it names.
    fn references(&self, visit: &mut dyn FnMut(ObjectType, &str));

    /// The copy with changed names, if all it then names exists.
    fn copy(&self, affix: &Affix, names: &dyn Lookup) -> Option<Self>;

    /// The class attribute, if the kind has one.
    fn class(&mut self) -> Option<&mut Option<At<String>>> {
        None
    }
}

/// Whether everything the element names exists.
pub fn resolves<T: Outside>(element: &T, names: &dyn Lookup) -> bool {
    element.copy(&Affix::default(), names).is_some()
}

fn text(value: &Option<At<String>>) -> Option<&str> {
    value.as_ref().map(|at| at.value.as_str())
}

fn rename(value: &mut Option<At<String>>, affix: &Affix) {
    if let Some(at) = value {
        affix.rename(&mut at.value);
    }
}

fn set(value: &mut Option<At<String>>, name: String) {
    if let Some(at) = value {
        at.value = name;
    }
}

/// Two names of which one may stay as it was if the other has a copy.
fn resolve_two(
    first: (ObjectType, &str),
    second: (ObjectType, &str),
    affix: &Affix,
    names: &dyn Lookup,
) -> Option<(String, String)> {
    let mut one = affix.apply(first.1);
    let mut two = affix.apply(second.1);
    let found = (
        names.contains(first.0, &one),
        names.contains(second.0, &two),
    );
    match found {
        (true, true) => {}
        (false, true) if names.contains(first.0, first.1) => one = first.1.to_string(),
        (true, false) if names.contains(second.0, second.1) => two = second.1.to_string(),
        _ => return None,
    }
    Some((one, two))
}

impl Outside for Pair {
    const KIND: ObjectType = ObjectType::Pair;

    fn name(&self) -> Option<&str> {
        text(&self.name)
    }

    fn references(&self, visit: &mut dyn FnMut(ObjectType, &str)) {
        for name in [text(&self.geom1), text(&self.geom2)].into_iter().flatten() {
            visit(ObjectType::Geom, name);
        }
    }

    fn copy(&self, affix: &Affix, names: &dyn Lookup) -> Option<Self> {
        let (one, two) = resolve_two(
            (ObjectType::Geom, text(&self.geom1)?),
            (ObjectType::Geom, text(&self.geom2)?),
            affix,
            names,
        )?;
        let mut copy = self.clone();
        rename(&mut copy.name, affix);
        set(&mut copy.geom1, one);
        set(&mut copy.geom2, two);
        Some(copy)
    }

    fn class(&mut self) -> Option<&mut Option<At<String>>> {
        Some(&mut self.class)
    }
}

impl Outside for Exclude {
    const KIND: ObjectType = ObjectType::Exclude;

    fn name(&self) -> Option<&str> {
        text(&self.name)
    }

    fn references(&self, visit: &mut dyn FnMut(ObjectType, &str)) {
        for name in [text(&self.body1), text(&self.body2)].into_iter().flatten() {
            visit(ObjectType::Body, name);
        }
    }

    fn copy(&self, affix: &Affix, names: &dyn Lookup) -> Option<Self> {
        let (one, two) = resolve_two(
            (ObjectType::Body, text(&self.body1)?),
            (ObjectType::Body, text(&self.body2)?),
            affix,
            names,
        )?;
        let mut copy = self.clone();
        rename(&mut copy.name, affix);
        set(&mut copy.body1, one);
        set(&mut copy.body2, two);
        Some(copy)
    }
}

impl Outside for Equality {
    const KIND: ObjectType = ObjectType::Equality;

    fn name(&self) -> Option<&str> {
        text(&self.table.name)
    }

    fn references(&self, visit: &mut dyn FnMut(ObjectType, &str)) {
        let (kind, first, second) = equality_names(self);
        for name in [first, second].into_iter().flatten() {
            visit(kind, name);
        }
    }

    fn copy(&self, affix: &Affix, names: &dyn Lookup) -> Option<Self> {
        let (kind, first, second) = equality_names(self);
        if !names.contains(kind, &affix.apply(first?)) {
            return None;
        }
        if second.is_some_and(|name| !names.contains(kind, &affix.apply(name))) {
            return None;
        }
        let mut copy = self.clone();
        let table = &mut copy.table;
        for name in [
            &mut table.name,
            &mut table.body1,
            &mut table.body2,
            &mut table.site1,
            &mut table.site2,
            &mut table.joint1,
            &mut table.joint2,
            &mut table.tendon1,
            &mut table.tendon2,
            &mut table.flex,
        ] {
            rename(name, affix);
        }
        Some(copy)
    }

    fn class(&mut self) -> Option<&mut Option<At<String>>> {
        Some(&mut self.table.class)
    }
}

fn equality_names(equality: &Equality) -> (ObjectType, Option<&str>, Option<&str>) {
    let table = &equality.table;
    let (kind, first, second) = match equality.kind {
        EqualityKind::Connect | EqualityKind::Weld if table.site1.is_some() => {
            (ObjectType::Site, &table.site1, &table.site2)
        }
        EqualityKind::Connect | EqualityKind::Weld => {
            (ObjectType::Body, &table.body1, &table.body2)
        }
        EqualityKind::Joint => (ObjectType::Joint, &table.joint1, &table.joint2),
        EqualityKind::Tendon => (ObjectType::Tendon, &table.tendon1, &table.tendon2),
        EqualityKind::Flex | EqualityKind::FlexVert => (ObjectType::Flex, &table.flex, &None),
    };
    let named = |value| text(value).filter(|name| !name.is_empty());
    (kind, named(first), named(second))
}

impl Outside for Tendon {
    const KIND: ObjectType = ObjectType::Tendon;

    fn name(&self) -> Option<&str> {
        text(&self.table.name)
    }

    fn references(&self, visit: &mut dyn FnMut(ObjectType, &str)) {
        for step in &self.path {
            match step {
                PathElement::Site(site) => {
                    if let Some(name) = text(&site.site) {
                        visit(ObjectType::Site, name);
                    }
                }
                PathElement::Geom(geom) => {
                    if let Some(name) = text(&geom.geom) {
                        visit(ObjectType::Geom, name);
                    }
                }
                PathElement::Joint(joint) => {
                    if let Some(name) = text(&joint.joint) {
                        visit(ObjectType::Joint, name);
                    }
                }
                PathElement::Pulley(_) => {}
            }
        }
    }

    fn copy(&self, affix: &Affix, names: &dyn Lookup) -> Option<Self> {
        let mut copy = self.clone();
        let mut renamed = 0usize;
        for step in &mut copy.path {
            let (kind, name) = match step {
                PathElement::Pulley(_) => continue,
                PathElement::Site(site) => (ObjectType::Site, &mut site.site),
                PathElement::Joint(joint) => (ObjectType::Joint, &mut joint.joint),
                PathElement::Geom(geom) => {
                    // A geom without a side site is looked up with the bare affix as the name of
                    // its side site: it has a copy only if a site happens to be called that.
                    let side = affix.apply(text(&geom.sidesite).unwrap_or_default());
                    let own = affix.apply(text(&geom.geom)?);
                    let has_side = side.is_empty() || names.contains(ObjectType::Site, &side);
                    if has_side && names.contains(ObjectType::Geom, &own) {
                        renamed += 1;
                        set(&mut geom.geom, own);
                        if !side.is_empty() {
                            geom.sidesite = Some(At::new(side, geom.place));
                        }
                    } else {
                        let own = text(&geom.geom)?;
                        let side = text(&geom.sidesite).unwrap_or_default();
                        if !names.contains(ObjectType::Geom, own)
                            || !(side.is_empty() || names.contains(ObjectType::Site, side))
                        {
                            return None;
                        }
                    }
                    continue;
                }
            };
            let own = affix.apply(text(name)?);
            if names.contains(kind, &own) {
                renamed += 1;
                set(name, own);
            } else if !names.contains(kind, text(name)?) {
                return None;
            }
        }
        if renamed == 0 {
            return None;
        }
        rename(&mut copy.table.name, affix);
        Some(copy)
    }

    fn class(&mut self) -> Option<&mut Option<At<String>>> {
        Some(&mut self.table.class)
    }
}

impl Outside for Actuator {
    const KIND: ObjectType = ObjectType::Actuator;

    fn name(&self) -> Option<&str> {
        text(&self.table.name)
    }

    fn references(&self, visit: &mut dyn FnMut(ObjectType, &str)) {
        for (kind, name) in actuator_names(self).into_iter().flatten() {
            visit(kind, name);
        }
    }

    fn copy(&self, affix: &Affix, names: &dyn Lookup) -> Option<Self> {
        let wanted = actuator_names(self);
        // Without a target there is nothing to copy for.
        wanted.first()?.as_ref()?;
        for (kind, name) in wanted.into_iter().flatten() {
            if !names.contains(kind, &affix.apply(name)) {
                return None;
            }
        }
        let mut copy = self.clone();
        let table = &mut copy.table;
        for name in [
            &mut table.name,
            &mut table.joint,
            &mut table.jointinparent,
            &mut table.tendon,
            &mut table.cranksite,
            &mut table.slidersite,
            &mut table.site,
            &mut table.refsite,
            &mut table.body,
            &mut table.instance,
        ] {
            rename(name, affix);
        }
        Some(copy)
    }

    fn class(&mut self) -> Option<&mut Option<At<String>>> {
        Some(&mut self.table.class)
    }
}

/// The target of an actuator first, then what else it names.
fn actuator_names(actuator: &Actuator) -> [Option<(ObjectType, &str)>; 2] {
    let table = &actuator.table;
    let mut target = None;
    for (kind, name) in [
        (ObjectType::Joint, &table.joint),
        (ObjectType::Joint, &table.jointinparent),
        (ObjectType::Tendon, &table.tendon),
        (ObjectType::Site, &table.cranksite),
        (ObjectType::Site, &table.site),
        (ObjectType::Body, &table.body),
    ] {
        if let Some(name) = text(name) {
            target = Some((kind, name));
        }
    }
    let second = if table.cranksite.is_some() {
        text(&table.slidersite)
    } else if table.site.is_some() {
        text(&table.refsite)
    } else {
        None
    };
    [target, second.map(|name| (ObjectType::Site, name))]
}

impl Outside for Sensor {
    const KIND: ObjectType = ObjectType::Sensor;

    fn name(&self) -> Option<&str> {
        text(&self.table.name)
    }

    fn references(&self, visit: &mut dyn FnMut(ObjectType, &str)) {
        for target in sensor_targets(self).into_iter().flatten() {
            if let Some(name) = text((target.get)(&self.table)) {
                visit(target.kind, name);
            }
        }
    }

    fn copy(&self, affix: &Affix, names: &dyn Lookup) -> Option<Self> {
        let mut copy = self.clone();
        match sensor_targets(self) {
            [Some(object), Some(reference)] => {
                let (one, two) = resolve_two(
                    (object.kind, text((object.get)(&self.table))?),
                    (reference.kind, text((reference.get)(&self.table))?),
                    affix,
                    names,
                )?;
                set((object.get_mut)(&mut copy.table), one);
                set((reference.get_mut)(&mut copy.table), two);
            }
            [Some(only), None] | [None, Some(only)] => {
                let name = affix.apply(text((only.get)(&self.table))?);
                if !names.contains(only.kind, &name) {
                    return None;
                }
                set((only.get_mut)(&mut copy.table), name);
            }
            // Clocks, energies and the like refer to nothing and are copied every time.
            [None, None] => {}
        }
        rename(&mut copy.table.name, affix);
        rename(&mut copy.table.instance, affix);
        Some(copy)
    }
}

/// An attribute of a sensor that names an object.
struct Target {
    kind: ObjectType,
    get: fn(&SensorTable) -> &Option<At<String>>,
    get_mut: fn(&mut SensorTable) -> &mut Option<At<String>>,
}

/// The object a sensor measures and the one it measures against.
fn sensor_targets(sensor: &Sensor) -> [Option<Target>; 2] {
    macro_rules! target {
        ($kind:expr, $field:ident) => {
            sensor.table.$field.is_some().then(|| Target {
                kind: $kind,
                get: |table| &table.$field,
                get_mut: |table| &mut table.$field,
            })
        };
    }
    let word = |word: &Option<At<String>>| text(word).and_then(kind_from_word);
    let object = |kind: Option<ObjectType>| kind.and_then(|kind| target!(kind, objname));
    let reference = |kind: Option<ObjectType>| kind.and_then(|kind| target!(kind, refname));
    match sensor.element {
        "camprojection" => [
            target!(ObjectType::Site, site),
            target!(ObjectType::Camera, camera),
        ],
        "insidesite" => [
            object(word(&sensor.table.objtype)),
            target!(ObjectType::Site, site),
        ],
        "tactile" => [
            target!(ObjectType::Mesh, mesh),
            target!(ObjectType::Geom, geom),
        ],
        "distance" | "normal" | "fromto" | "contact" => [
            target!(ObjectType::Site, site)
                .or_else(|| target!(ObjectType::Body, body1))
                .or_else(|| target!(ObjectType::Xbody, subtree1))
                .or_else(|| target!(ObjectType::Geom, geom1)),
            target!(ObjectType::Body, body2)
                .or_else(|| target!(ObjectType::Xbody, subtree2))
                .or_else(|| target!(ObjectType::Geom, geom2)),
        ],
        _ => [
            object(word(&sensor.table.objtype))
                .or_else(|| target!(ObjectType::Site, site))
                .or_else(|| target!(ObjectType::Camera, camera))
                .or_else(|| target!(ObjectType::Joint, joint))
                .or_else(|| target!(ObjectType::Tendon, tendon))
                .or_else(|| target!(ObjectType::Actuator, actuator))
                .or_else(|| target!(ObjectType::Body, body)),
            reference(word(&sensor.table.reftype)),
        ],
    }
}

impl Outside for Tuple {
    const KIND: ObjectType = ObjectType::Tuple;

    fn name(&self) -> Option<&str> {
        text(&self.table.name)
    }

    fn references(&self, visit: &mut dyn FnMut(ObjectType, &str)) {
        for element in &self.elements {
            if let (Some(kind), Some(name)) = (
                text(&element.objtype).and_then(kind_from_word),
                text(&element.objname),
            ) {
                visit(kind, name);
            }
        }
    }

    fn copy(&self, affix: &Affix, names: &dyn Lookup) -> Option<Self> {
        if self.elements.is_empty() {
            return None;
        }
        let mut copy = self.clone();
        for element in &mut copy.elements {
            let kind = text(&element.objtype).and_then(kind_from_word)?;
            let name = affix.apply(text(&element.objname)?);
            if !names.contains(kind, &name) {
                return None;
            }
            set(&mut element.objname, name);
        }
        rename(&mut copy.table.name, affix);
        Some(copy)
    }
}
