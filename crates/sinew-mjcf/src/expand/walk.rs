//! The walk over the tree in document order.

use super::names::Lookup;
use super::rename::{Contents, is_unnamed};
use super::{Assembly, Shared, cable};
use crate::place::{At, Place};
use crate::read::xml;
use crate::spec::Spec;
use crate::spec::tree::{Body, Child, Composite, Frame, FrameTable, Joint};
use crate::spec::{DefaultClass, extra};
use sinew_model::joint::Layout;
use sinew_model::kinds::{JointType, ObjectType};

/// The body being filled: frames that are open in it, outermost first, with what they hold so far.
pub(super) struct Scope {
    pub levels: Vec<Level>,
    /// Name of the body; empty if it has none.
    pub name: String,
    /// Running number of the body.
    pub body: usize,
    /// Nesting of bodies and frames around it.
    pub depth: usize,
    /// The body is the content of a replicate and goes again; what belongs to itself goes with it.
    pub is_replicate: bool,
    /// Pose of the body as written, for the reference position of a free joint.
    pub reference: [f64; 7],
}

/// An open frame, or at the bottom the body itself.
pub(super) struct Level {
    pub frame: Option<FrameTable>,
    /// Class for elements without one, if set here or further out.
    pub class: Option<String>,
    pub children: Vec<Child>,
}

impl Scope {
    pub fn class(&self) -> Option<&String> {
        self.levels.last().and_then(|level| level.class.as_ref())
    }

    pub fn push(&mut self, child: Child) {
        if let Some(level) = self.levels.last_mut() {
            level.children.push(child);
        }
    }

    pub fn total_depth(&self) -> usize {
        self.depth + self.levels.len()
    }
}

impl Assembly {
    pub(super) fn walk_world(&mut self, children: Vec<Child>, shared: &mut Shared) -> Vec<Child> {
        let mut scope = Scope {
            levels: Vec::new(),
            name: "world".to_string(),
            body: 0,
            depth: 0,
            is_replicate: false,
            reference: [0.0; 7],
        };
        self.fill(children, None, &mut scope, shared)
    }

    /// Fills the body of `scope` and returns its children.
    pub(super) fn fill(
        &mut self,
        children: Vec<Child>,
        class: Option<String>,
        scope: &mut Scope,
        shared: &mut Shared,
    ) -> Vec<Child> {
        scope.levels.push(Level {
            frame: None,
            class,
            children: Vec::with_capacity(children.len()),
        });
        self.walk(children, scope, shared);
        scope
            .levels
            .pop()
            .map_or(Vec::new(), |level| level.children)
    }

    fn walk(&mut self, children: Vec<Child>, scope: &mut Scope, shared: &mut Shared) {
        for child in children {
            if shared.has_stopped {
                return;
            }
            match child {
                Child::Replicate(replicate) => self.replicate(*replicate, scope, shared),
                Child::Attach(attach) => self.attach(&attach, scope, shared),
                Child::Composite(composite) => self.composite(&composite, scope, shared),
                Child::Flexcomp(flexcomp) => self.flexcomp(&flexcomp, scope, shared),
                Child::Frame(frame) => self.frame(*frame, scope, shared),
                Child::Body(mut body) => {
                    let place = body.table.place;
                    self.insert(ObjectType::Body, &body.table.name, shared);
                    self.unnamed_bodies += usize::from(is_unnamed(&body));
                    if !shared.spend(1, 0, place)
                        || !shared.may_nest(scope.total_depth() + 1, place)
                    {
                        return;
                    }
                    let pos = value(&body.table.pos).unwrap_or([0.0; 3]);
                    let quat = value(&body.table.quat).unwrap_or([1.0, 0.0, 0.0, 0.0]);
                    let is_mocap = value(&body.table.mocap).unwrap_or(false);
                    let number = self.ledger.open_body(is_mocap.then_some((pos, quat)));
                    let class = value(&body.table.childclass).or_else(|| scope.class().cloned());
                    let mut inner = Scope {
                        levels: Vec::new(),
                        name: value(&body.table.name).unwrap_or_default(),
                        body: number,
                        depth: scope.total_depth(),
                        is_replicate: false,
                        reference: [pos[0], pos[1], pos[2], quat[0], quat[1], quat[2], quat[3]],
                    };
                    let inside = std::mem::take(&mut body.children);
                    body.children = self.fill(inside, class, &mut inner, shared);
                    scope.push(Child::Body(body));
                }
                other => self.leaf(other, scope, shared),
            }
        }
    }

    fn frame(&mut self, frame: Frame, scope: &mut Scope, shared: &mut Shared) {
        let place = frame.table.place;
        self.insert(ObjectType::Frame, &frame.table.name, shared);
        if !shared.spend(1, 0, place) || !shared.may_nest(scope.total_depth() + 1, place) {
            return;
        }
        let class = value(&frame.table.childclass)
            .or_else(|| value(&frame.table.class))
            .or_else(|| scope.class().cloned());
        scope.levels.push(Level {
            frame: Some(frame.table),
            class,
            children: Vec::with_capacity(frame.children.len()),
        });
        self.walk(frame.children, scope, shared);
        if let Some(level) = scope.levels.pop()
            && let Some(table) = level.frame
        {
            scope.push(Child::Frame(Box::new(Frame {
                table,
                children: level.children,
            })));
        }
    }

    fn leaf(&mut self, mut child: Child, scope: &mut Scope, shared: &mut Shared) {
        self.follow_class(&mut child, scope);
        let place = match &child {
            Child::Joint(joint) => {
                self.insert(ObjectType::Joint, &joint.name, shared);
                self.ledger_joint(joint, scope);
                joint.place
            }
            Child::FreeJoint(joint) => {
                self.insert(ObjectType::Joint, &joint.name, shared);
                self.add_joint(JointType::Free, JointType::Hinge, 0.0, scope);
                joint.place
            }
            Child::Geom(geom) => {
                self.insert(ObjectType::Geom, &geom.table.name, shared);
                geom.table.place
            }
            Child::Site(site) => {
                self.insert(ObjectType::Site, &site.name, shared);
                site.place
            }
            Child::Camera(camera) => {
                self.insert(ObjectType::Camera, &camera.name, shared);
                camera.place
            }
            Child::Light(light) => {
                self.insert(ObjectType::Light, &light.name, shared);
                light.place
            }
            // These belong to the body itself, and the body of a replicate does not last.
            Child::Inertial(_) | Child::Plugin(_) if scope.is_replicate => return,
            Child::Inertial(inertial) => inertial.place,
            Child::Plugin(plugin) => plugin.table.place,
            _ => Place::default(),
        };
        if shared.spend(1, 0, place) {
            scope.push(child);
        }
    }

    /// If an attached model has taken over the name of the class that an element inherits, it means
    /// that one now; a class that the element names itself is still the old one.
    fn follow_class(&self, child: &mut Child, scope: &Scope) {
        if self.taken_classes.is_empty() {
            return;
        }
        let (class, place) = match child {
            Child::Joint(joint) => (&mut joint.class, joint.place),
            Child::Geom(geom) => (&mut geom.table.class, geom.table.place),
            Child::Site(site) => (&mut site.class, site.place),
            Child::Camera(camera) => (&mut camera.class, camera.place),
            Child::Light(light) => (&mut light.class, light.place),
            _ => return,
        };
        let inherited = scope.class().map_or("main", String::as_str);
        if let (None, Some(taken)) = (&class, self.taken_classes.get(inherited)) {
            *class = Some(At::new(taken.clone(), place));
        }
    }

    /// Enters the name of an element as written. The content of a replicate does not last, and of a
    /// sub-model not everything may be taken, so a name repeated there must be noticed at once.
    pub(super) fn insert(
        &mut self,
        kind: ObjectType,
        name: &Option<At<String>>,
        shared: &mut Shared,
    ) {
        if let Some(name) = name {
            if (self.replicates > 0 || self.is_submodel) && self.names.contains(kind, &name.value) {
                shared.repeated_name(kind, &name.value, name.place);
            }
            self.names.insert(kind, &name.value);
        }
    }

    fn ledger_joint(&mut self, joint: &Joint, scope: &Scope) {
        if !self.ledger.is_on() {
            return;
        }
        let class = value(&joint.class).or_else(|| scope.class().cloned());
        let classes = || ancestry(&self.spec, class.as_deref());
        let class_kind = classes().find_map(|class| value(&class.joint.as_ref()?.kind));
        let class_kind = class_kind.unwrap_or(JointType::Hinge);
        let angle = value(&joint.reference)
            .or_else(|| classes().find_map(|class| value(&class.joint.as_ref()?.reference)));
        let kind = value(&joint.kind).unwrap_or(class_kind);
        self.add_joint(kind, class_kind, angle.unwrap_or(0.0), scope);
    }

    /// Enters a joint. The reference position that lengthens a key is written by the type of the
    /// class, not by that of the joint.
    fn add_joint(&mut self, kind: JointType, class_kind: JointType, angle: f64, scope: &Scope) {
        let reference = Layout::of(class_kind.code()).at_reference(scope.reference, angle);
        self.ledger.add_joint(scope.body, kind, reference);
    }

    fn composite(&mut self, composite: &Composite, scope: &mut Scope, shared: &mut Shared) {
        let cable = cable::plan(composite).and_then(|plan| {
            let place = composite.table.place;
            let depth = scope.total_depth().saturating_add(plan.count());
            let elements = plan.elements(composite);
            let bytes = elements.saturating_mul(xml::ELEMENT_BYTES as usize);
            if shared.spend(elements, bytes, place) && shared.may_nest(depth, place) {
                cable::make(composite, plan).map(Some)
            } else {
                Ok(None)
            }
        });
        let cable = match cable {
            Ok(Some(cable)) => cable,
            Ok(None) => return,
            Err(error) => {
                let entry = shared
                    .report
                    .error("mjcf::composite", error.place, error.message)
                    .element("composite");
                if let Some(attribute) = error.attribute {
                    entry.attribute(attribute);
                }
                return;
            }
        };
        self.add_neutral_class();
        if let Some((plugin, instance)) = cable.instance {
            self.add_instance(&plugin, instance);
        }
        self.insert(ObjectType::Text, &cable.text.name, shared);
        self.spec.texts.push(cable.text);
        if let Some(skin) = cable.skin {
            self.insert(ObjectType::Skin, &skin.table.name, shared);
            self.spec.skins.push(skin);
        }
        for exclude in cable.excludes {
            self.lists.excludes.push(exclude);
        }
        let chain = std::slice::from_ref(&cable.root);
        for (kind, name) in Contents::of(chain).names {
            self.names.insert(kind, &name);
        }
        if self.ledger.is_on() {
            self.ledger_chain(&cable.root);
        }
        scope.push(cable.root);
    }

    /// Enters the links of a cable, which are nested one in the other.
    fn ledger_chain(&mut self, root: &Child) {
        let mut next = Some(root);
        while let Some(Child::Body(body)) = next {
            self.ledger_body(body, None);
            next = body.children.last();
        }
    }

    /// Enters a body that was made, with its joints; `class` is theirs if they name none.
    pub(super) fn ledger_body(&mut self, body: &Body, class: Option<String>) {
        if !self.ledger.is_on() {
            return;
        }
        let pos = value(&body.table.pos).unwrap_or_default();
        let quat = value(&body.table.quat).unwrap_or([1.0, 0.0, 0.0, 0.0]);
        let scope = Scope {
            levels: vec![Level {
                frame: None,
                class,
                children: Vec::new(),
            }],
            name: String::new(),
            body: self.ledger.open_body(None),
            depth: 0,
            is_replicate: false,
            reference: [pos[0], pos[1], pos[2], quat[0], quat[1], quat[2], quat[3]],
        };
        for child in &body.children {
            if let Child::Joint(joint) = child {
                self.ledger_joint(joint, &scope);
            }
        }
    }
}

/// What was written, without its place.
pub(super) fn value<T: Clone>(at: &Option<At<T>>) -> Option<T> {
    at.as_ref().map(|at| at.value.clone())
}

/// A class and its ancestors, innermost first.
pub(super) fn ancestry<'s>(
    spec: &'s Spec,
    class: Option<&str>,
) -> impl Iterator<Item = &'s DefaultClass> {
    let name = class.unwrap_or("main");
    let mut next = spec
        .defaults
        .iter()
        .position(|class| class.name == name)
        .or((!spec.defaults.is_empty()).then_some(0));
    std::iter::from_fn(move || {
        let index = next?;
        let class = spec.defaults.get(index)?;
        // A parent precedes its children, so the walk ends.
        next = class.parent.filter(|parent| *parent < index);
        Some(class)
    })
}

/// The position of the first key at fault and its place, for messages.
pub(super) fn key_place(keys: &[extra::Key], index: usize) -> Place {
    keys.get(index).map(|key| key.place).unwrap_or_default()
}
