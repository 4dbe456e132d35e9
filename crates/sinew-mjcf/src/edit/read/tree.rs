//! The kinematic tree.

use super::{Reader, orientation, plugin};
use crate::edit::record::{Id, Record};
use crate::edit::table::{Kind, ORIENTATION};
use crate::edit::value::Value;
use crate::edit::write::CAMERA_OUTPUTS;
use crate::place::Place;
use crate::spec::element::Element;
use crate::spec::tree::{Child, Inertial};
use sinew_model::kinds::{JointType, LightType};

/// Where elements stand, and the class in force there.
#[derive(Clone, Copy)]
struct Spot {
    body: Id,
    frame: Option<Id>,
    class: usize,
}

impl Reader<'_> {
    /// The whole tree, with a stack of its own.
    pub(super) fn tree(&mut self) {
        let spec = self.spec;
        let spot = Spot {
            body: self.draft.world(),
            frame: None,
            class: 0,
        };
        let mut open = vec![(spec.world.iter(), spot)];
        while let Some((children, spot)) = open.last_mut() {
            let spot = *spot;
            let Some(child) = children.next() else {
                open.pop();
                continue;
            };
            if !self.goes_on(child.place()) {
                return;
            }
            match child {
                Child::Body(body) => {
                    let class = self.class(&body.table.childclass, spot.class);
                    let id = self.stand(Kind::Body, &body.table, body.table.place, spot, class);
                    self.put_class_name(
                        id,
                        body.table.childclass.as_ref().map(|at| at.value.as_str()),
                    );
                    let inside = Spot {
                        body: id,
                        frame: None,
                        class,
                    };
                    open.push((body.children.iter(), inside));
                }
                Child::Frame(frame) => {
                    let given = frame
                        .table
                        .childclass
                        .as_ref()
                        .or(frame.table.class.as_ref())
                        .cloned();
                    let class = self.class(&given, spot.class);
                    let id = self.stand(Kind::Frame, &frame.table, frame.table.place, spot, class);
                    self.put_class_name(id, given.as_ref().map(|at| at.value.as_str()));
                    let inside = Spot {
                        frame: Some(id),
                        class,
                        ..spot
                    };
                    open.push((frame.children.iter(), inside));
                }
                other => self.element(other, spot),
            }
        }
    }

    fn put_class_name(&mut self, id: Id, name: Option<&str>) {
        if let (Some(record), Some(name)) = (self.draft.record_mut(id), name) {
            record.put("childclass", name);
        }
    }

    /// Makes an element of the tree from a complete table.
    fn stand<T: Element>(
        &mut self,
        kind: Kind,
        table: &T,
        place: Place,
        spot: Spot,
        class: usize,
    ) -> Id {
        let id = self.make(kind, table, place, class);
        if let Some(record) = self.draft.record_mut(id) {
            record.parent = Some(spot.body);
            record.frame = spot.frame;
            odd_attributes(record, &table.written());
        }
        if let Some(body) = self.draft.record_mut(spot.body) {
            body.children.push(id);
        }
        id
    }

    fn element(&mut self, child: &Child, spot: Spot) {
        macro_rules! with_class {
            ($kind:ident, $table:expr, $class:ident) => {{
                let class = self.class(&$table.class, spot.class);
                let mut table = $table.clone();
                table.inherit(self.classes.$class(class));
                self.stand(Kind::$kind, &table, table.place, spot, class)
            }};
        }
        match child {
            Child::Joint(joint) => {
                with_class!(Joint, **joint, joint);
            }
            Child::FreeJoint(joint) => {
                let id = self.stand(Kind::Joint, &**joint, joint.place, spot, 0);
                if let Some(record) = self.draft.record_mut(id) {
                    record.put("type", JointType::Free.code());
                }
            }
            Child::Geom(geom) => {
                let id = with_class!(Geom, geom.table, geom);
                if let Some(record) = self.draft.record_mut(id) {
                    plugin(record, &geom.plugins);
                }
            }
            Child::Site(site) => {
                with_class!(Site, **site, site);
            }
            Child::Camera(camera) => {
                with_class!(Camera, **camera, camera);
            }
            Child::Light(light) => {
                with_class!(Light, **light, light);
            }
            Child::Inertial(given) => {
                if let Some(body) = self.draft.record_mut(spot.body) {
                    inertial(body, given);
                }
            }
            Child::Plugin(given) => {
                if let Some(body) = self.draft.record_mut(spot.body) {
                    plugin(body, std::slice::from_ref(given));
                }
            }
            _ => {}
        }
    }
}

/// Attributes that no field has for itself.
pub(super) fn odd_attributes(record: &mut Record, written: &[(&'static str, String)]) {
    let text = |name: &str| {
        written
            .iter()
            .find(|(known, _)| *known == name)
            .map(|(_, text)| text.as_str())
    };
    match record.kind {
        Kind::Geom => {
            if let Some(shape) = text("fluidshape") {
                record.put("fluid_ellipsoid", f64::from(u8::from(shape == "ellipsoid")));
            }
        }
        Kind::Camera => {
            if let Some(words) = text("output") {
                let words: Vec<&str> = words.split_ascii_whitespace().collect();
                let chosen = CAMERA_OUTPUTS
                    .iter()
                    .enumerate()
                    .filter(|(_, word)| words.contains(word));
                record.put("output", chosen.map(|(bit, _)| 1i64 << bit).sum::<i64>());
            }
        }
        Kind::Light => {
            if let Some(directional) = text("directional") {
                let kind = if directional == "true" {
                    LightType::Directional
                } else {
                    LightType::Spot
                };
                record.put("type", kind.code());
            }
        }
        _ => {}
    }
}

fn inertial(body: &mut Record, given: &Inertial) {
    body.put("explicitinertial", 1);
    for (field, numbers) in [
        ("ipos", given.pos.as_ref().map(|at| at.value.to_vec())),
        ("iquat", given.quat.as_ref().map(|at| at.value.to_vec())),
        (
            "inertia",
            given.diaginertia.as_ref().map(|at| at.value.to_vec()),
        ),
        (
            "fullinertia",
            given.fullinertia.as_ref().map(|at| at.value.to_vec()),
        ),
    ] {
        if let Some(numbers) = numbers {
            body.put(field, numbers);
        }
    }
    if given.pos.is_none() {
        body.put("ipos", vec![0.0; 3]);
    }
    if let Some(mass) = &given.mass {
        body.put("mass", mass.value);
    }
    let position = Kind::Body
        .fields()
        .iter()
        .position(|field| field.name == "ialt");
    if let Some(Value::Group(values)) = position.and_then(|at| body.values.get_mut(at)) {
        for (attribute, text) in given.written() {
            orientation(ORIENTATION, values, attribute, &text);
        }
    }
}
