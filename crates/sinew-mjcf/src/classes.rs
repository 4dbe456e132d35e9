//! Default classes with their inheritance resolved.
//!
//! A class starts as a copy of its parent and then applies its own settings; [`Classes`] does that
//! once for every class and every kind of element, so that an element only has to
//! [`inherit`](crate::spec::element::Element::inherit) from one table.

#![deny(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    clippy::arithmetic_side_effects
)]

use crate::report::Report;
use crate::spec::actuator::Actuator;
use crate::spec::asset::{MaterialTable, MeshTable};
use crate::spec::constraint::{EqualityTable, Pair, TendonTable};
use crate::spec::element::Element;
use crate::spec::tree::{Camera, GeomTable, Joint, Light, Site};
use crate::spec::{DefaultClass, Spec};
use std::collections::HashMap;
use std::sync::{Arc, LazyLock};

/// The merged tables of one class.
#[derive(Clone, Debug, Default)]
struct Merged {
    name: String,
    mesh: Arc<MeshTable>,
    material: Arc<MaterialTable>,
    joint: Arc<Joint>,
    geom: Arc<GeomTable>,
    site: Arc<Site>,
    camera: Arc<Camera>,
    light: Arc<Light>,
    pair: Arc<Pair>,
    equality: Arc<EqualityTable>,
    tendon: Arc<TendonTable>,
    actuators: Arc<Vec<Actuator>>,
}

/// All classes of a model, merged. Index 0 is `main`.
#[derive(Clone, Debug, Default)]
pub struct Classes {
    merged: Vec<Merged>,
    ids: HashMap<String, usize>,
}

macro_rules! merged_tables {
    ($($kind:ident: $table:ty,)*) => { $(
        #[doc = concat!("The merged `", stringify!($kind), "` settings of a class.")]
        pub fn $kind(&self, class: usize) -> &$table {
            &self.get(class).$kind
        }
    )* };
}

impl Classes {
    /// Merges every class of a model, as long as there is time.
    pub fn new(spec: &Spec, report: &mut Report) -> Self {
        let mut merged: Vec<Merged> = Vec::with_capacity(spec.defaults.len().max(1));
        for class in &spec.defaults {
            if !report.has_time(class.place) {
                break;
            }
            let parent = class.parent.and_then(|parent| merged.get(parent));
            let next = merge(class, parent);
            merged.push(next);
        }
        if merged.is_empty() {
            merged.push(Merged {
                name: "main".to_string(),
                ..Merged::default()
            });
        }
        let mut ids = HashMap::with_capacity(merged.len());
        for (id, class) in merged.iter().enumerate() {
            ids.entry(class.name.clone()).or_insert(id);
        }
        Classes { merged, ids }
    }

    /// A class, or an empty one for an index that does not exist.
    fn get(&self, class: usize) -> &Merged {
        static EMPTY: LazyLock<Merged> = LazyLock::new(Merged::default);
        self.merged.get(class).unwrap_or(&EMPTY)
    }

    /// The index of a class.
    pub fn find(&self, name: &str) -> Option<usize> {
        self.ids.get(name).copied()
    }

    /// Names of all classes.
    pub fn names(&self) -> impl Iterator<Item = &str> {
        self.merged.iter().map(|class| class.name.as_str())
    }

    merged_tables! {
        mesh: MeshTable,
        material: MaterialTable,
        joint: Joint,
        geom: GeomTable,
        site: Site,
        camera: Camera,
        light: Light,
        pair: Pair,
        equality: EqualityTable,
        tendon: TendonTable,
    }

    /// The actuator elements of a class and its ancestors, from the root down: they all write to
    /// one record, in this order.
    pub fn actuators(&self, class: usize) -> &[Actuator] {
        &self.get(class).actuators
    }
}

fn merge(class: &DefaultClass, parent: Option<&Merged>) -> Merged {
    let mut out = parent.cloned().unwrap_or_default();
    out.name.clone_from(&class.name);
    macro_rules! overwrite {
        ($($kind:ident),*) => { $(
            if let Some(own) = &class.$kind {
                Arc::make_mut(&mut out.$kind).overwrite(own);
            }
        )* };
    }
    overwrite!(
        mesh, joint, geom, site, camera, light, pair, equality, tendon
    );
    if let Some(own) = &class.material {
        Arc::make_mut(&mut out.material).overwrite(&own.table);
    }
    if !class.actuators.is_empty() {
        Arc::make_mut(&mut out.actuators).extend(class.actuators.iter().cloned());
    }
    out
}

/// Gives a class what another has and it does not say itself.
pub fn inherit_class(class: &mut DefaultClass, parent: &DefaultClass) {
    under(&mut class.mesh, &parent.mesh);
    under(&mut class.joint, &parent.joint);
    under(&mut class.geom, &parent.geom);
    under(&mut class.site, &parent.site);
    under(&mut class.camera, &parent.camera);
    under(&mut class.light, &parent.light);
    under(&mut class.pair, &parent.pair);
    under(&mut class.equality, &parent.equality);
    under(&mut class.tendon, &parent.tendon);
    if let Some(inherited) = &parent.material {
        let own = class.material.get_or_insert_default();
        own.table.inherit(&inherited.table);
        let mut layers = inherited.layers.clone();
        layers.append(&mut own.layers);
        own.layers = layers;
    }
    let mut actuators = parent.actuators.clone();
    actuators.append(&mut class.actuators);
    class.actuators = actuators;
}

fn under<T: Element>(table: &mut Option<Box<T>>, inherited: &Option<Box<T>>) {
    match (table, inherited) {
        (Some(own), Some(inherited)) => own.inherit(inherited),
        (own @ None, Some(inherited)) => *own = Some(inherited.clone()),
        _ => {}
    }
}
