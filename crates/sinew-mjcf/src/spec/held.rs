//! How much memory written elements hold, so that copies can be weighed before they are made.

use super::actuator::Actuator;
use super::asset::{Material, Mesh, Skin};
use super::constraint::{Equality, PathElement, Tendon};
use super::extra::{AssembledKey, Flex, PluginDeclaration, PluginInstance, Tuple};
use super::sensor::Sensor;
use super::tree::{Body, Child, Composite, Flexcomp, Frame, Geom, Plugin, Replicate};
use super::{DefaultClass, Spec};

/// Something that knows what it holds outside itself.
pub trait Held {
    /// Bytes on the heap.
    fn heap(&self) -> usize;

    /// Bytes in all.
    fn bytes(&self) -> usize
    where
        Self: Sized,
    {
        size_of::<Self>().saturating_add(self.heap())
    }
}

impl<T: Held> Held for Vec<T> {
    fn heap(&self) -> usize {
        let spare = self.capacity().saturating_sub(self.len());
        let inside = self.iter().map(Held::bytes).fold(0, usize::saturating_add);
        inside.saturating_add(spare.saturating_mul(size_of::<T>()))
    }
}

impl<T: Held> Held for Option<T> {
    fn heap(&self) -> usize {
        self.as_ref().map_or(0, Held::heap)
    }
}

impl<T: Held> Held for Box<T> {
    fn heap(&self) -> usize {
        T::bytes(self)
    }
}

impl Held for String {
    fn heap(&self) -> usize {
        self.capacity()
    }
}

/// The heap of a struct is that of the fields that have one.
macro_rules! held {
    ($($name:ident: $($field:ident),*;)*) => { $(
        impl Held for $name {
            fn heap(&self) -> usize {
                0_usize $(.saturating_add(self.$field.heap()))*
            }
        }
    )* };
}

held! {
    Plugin: table, config;
    Geom: table, plugins;
    Body: table, children;
    Frame: table, children;
    Replicate: table, children;
    Composite: table, joints, skin, geom, site, plugins;
    Flexcomp: table, edge, elasticity, contact, pins, plugins;
    Mesh: table, plugins;
    Material: table, layers;
    Skin: table, bones;
    Equality: table;
    Tendon: table, path;
    Actuator: table, config;
    Sensor: table, config;
    Tuple: table, elements;
    PluginDeclaration: table, instances;
    PluginInstance: table, config;
    Flex: table, contact, edge, elasticity;
    DefaultClass: name, mesh, material, joint, geom, site, camera, light, pair, equality, tendon, actuators;
}

impl Held for Child {
    fn heap(&self) -> usize {
        match self {
            Child::Body(element) => element.heap(),
            Child::Frame(element) => element.heap(),
            Child::Replicate(element) => element.heap(),
            Child::Attach(element) => element.heap(),
            Child::Inertial(element) => element.heap(),
            Child::Joint(element) => element.heap(),
            Child::FreeJoint(element) => element.heap(),
            Child::Geom(element) => element.heap(),
            Child::Site(element) => element.heap(),
            Child::Camera(element) => element.heap(),
            Child::Light(element) => element.heap(),
            Child::Plugin(element) => element.heap(),
            Child::Composite(element) => element.heap(),
            Child::Flexcomp(element) => element.heap(),
        }
    }
}

impl Held for PathElement {
    fn heap(&self) -> usize {
        match self {
            PathElement::Site(element) => element.heap(),
            PathElement::Geom(element) => element.heap(),
            PathElement::Pulley(element) => element.heap(),
            PathElement::Joint(element) => element.heap(),
        }
    }
}

impl Held for AssembledKey {
    fn heap(&self) -> usize {
        fn numbers<T>(vector: &Option<Vec<T>>) -> usize {
            vector
                .as_ref()
                .map_or(0, |v| v.capacity().saturating_mul(size_of::<T>()))
        }
        self.name
            .heap()
            .saturating_add(numbers(&self.qpos))
            .saturating_add(numbers(&self.qvel))
            .saturating_add(numbers(&self.act))
            .saturating_add(numbers(&self.ctrl))
            .saturating_add(numbers(&self.mpos))
            .saturating_add(numbers(&self.mquat))
    }
}

/// What a model holds outside its tree and its sub-models.
pub fn outside_tree(spec: &Spec) -> usize {
    [
        spec.defaults.heap(),
        spec.extensions.heap(),
        spec.numerics.heap(),
        spec.texts.heap(),
        spec.tuples.heap(),
        spec.meshes.heap(),
        spec.hfields.heap(),
        spec.textures.heap(),
        spec.materials.heap(),
        spec.skins.heap(),
        spec.pairs.heap(),
        spec.excludes.heap(),
        spec.flexes.heap(),
        spec.equalities.heap(),
        spec.tendons.heap(),
        spec.actuators.heap(),
        spec.sensors.heap(),
        spec.keys.heap(),
        spec.assembled_keys.heap(),
    ]
    .into_iter()
    .fold(0, usize::saturating_add)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::place::{At, Place};
    use crate::spec::tree::GeomTable;

    #[test]
    fn lists_and_texts_count() {
        let mut geom = GeomTable::default();
        assert_eq!(geom.heap(), 0);
        geom.user = Some(At::new(vec![0.0; 1000], Place::default()));
        geom.name = Some(At::new("x".repeat(50), Place::default()));
        assert_eq!(geom.heap(), 8050);
        let child = Child::Geom(Box::new(Geom {
            table: geom,
            plugins: Vec::new(),
        }));
        assert_eq!(child.heap(), size_of::<Geom>() + 8050);
        let body = Body {
            children: vec![child.clone(), child],
            ..Body::default()
        };
        assert_eq!(
            body.heap(),
            2 * (size_of::<Child>() + size_of::<Geom>() + 8050)
        );
    }
}
