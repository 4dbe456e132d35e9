//! The kinematic tree.

use super::Writer;
use crate::edit::record::{Id, Record};
use crate::edit::table::Kind;
use crate::place::{At, Place};
use crate::spec::element::Element;
use crate::spec::tree::{
    Body, BodyTable, Camera, Child, Frame, FrameTable, FreeJoint, Geom, GeomTable, Inertial, Joint,
    Light, Site,
};
use crate::spec::value::{FluidShape, Words};
use sinew_model::kinds::{GeomType, JointType};

/// What a camera can put out, in the order of the bits.
pub(in crate::edit) const CAMERA_OUTPUTS: [&str; 5] =
    ["rgb", "depth", "distance", "normal", "segmentation"];

impl Writer<'_> {
    /// What stands in a body. The order of elements is that of the body; frames are opened around
    /// elements that follow each other, as often as it takes.
    pub(super) fn children(&mut self, body: Id) -> Vec<Child> {
        let draft = self.draft;
        let Ok(body) = draft.record(body) else {
            return Vec::new();
        };
        let mut children: Vec<Child> = Vec::new();
        let mut open: Vec<Id> = Vec::new();
        let mut ids = body.children.clone();
        if self.keeps_classes {
            let kind = |id: Id| draft.record(id).map_or(Kind::Frame, |record| record.kind);
            ids.sort_by_key(|&id| (kind(id) == Kind::Body, kind(id)));
        }
        for id in ids {
            let Some(record) = draft.record(id).ok().filter(|one| one.kind != Kind::Frame) else {
                continue;
            };
            let chain = self.frames_around(record);
            let Some(child) = self.child(id, record) else {
                continue;
            };
            insert(self, &mut children, &open, &chain, child);
            open = chain;
        }
        children
    }

    /// The frames that an element stands in, from the outside.
    fn frames_around(&self, record: &Record) -> Vec<Id> {
        let mut chain = Vec::new();
        let mut at = record.frame;
        while let Some(frame) = at.and_then(|id| Some((id, self.draft.record(id).ok()?))) {
            if self.is_written(frame.1) {
                chain.push(frame.0);
            }
            at = frame.1.frame;
        }
        chain.reverse();
        chain
    }

    /// A frame without its children. It may be opened several times and has its name once, when saved.
    fn frame(&mut self, id: Id) -> Option<Frame> {
        let record = self.draft.record(id).ok()?;
        let mut table: FrameTable = self.table(id, record);
        table.childclass = self.class_name(record, table.place);
        if !self.keeps_classes || self.named.contains(&id) {
            table.name = None;
        }
        self.named.push(id);
        Some(Frame {
            table,
            children: Vec::new(),
        })
    }

    fn child(&mut self, id: Id, record: &Record) -> Option<Child> {
        let place = self.place(id, record);
        Some(match record.kind {
            Kind::Body => Child::Body(Box::new(self.body(id, record, place))),
            Kind::Joint => self.joint(id, record, place),
            Kind::Geom => {
                let mut geom = Geom {
                    table: self.table(id, record),
                    plugins: self.plugin(record, place).into_iter().collect(),
                };
                if record.real("fluid_ellipsoid") > 0.0 {
                    geom.table.fluidshape = Some(At::new(FluidShape::Ellipsoid, place));
                }
                geom.table.class = self.class_name(record, place);
                if self.keeps_classes {
                    shorten_size(&mut geom.table, record);
                }
                Child::Geom(Box::new(geom))
            }
            Kind::Site => {
                let mut site: Site = self.table(id, record);
                site.class = self.class_name(record, place);
                self.always(&mut site, record, &["pos"], place);
                Child::Site(Box::new(site))
            }
            Kind::Camera => {
                let mut camera: Camera = self.table(id, record);
                let bits = record.integer("output");
                if bits != 1 {
                    let words = CAMERA_OUTPUTS.iter().enumerate();
                    let words = words.filter(|(bit, _)| bits >> bit & 1 == 1);
                    let words = words.map(|(_, word)| word.to_string()).collect();
                    camera.output = Some(At::new(Words(words), place));
                }
                camera.class = self.class_name(record, place);
                self.always(&mut camera, record, &["pos"], place);
                Child::Camera(Box::new(camera))
            }
            Kind::Light => {
                let mut light: Light = self.table(id, record);
                light.class = self.class_name(record, place);
                self.always(&mut light, record, &["pos", "dir"], place);
                Child::Light(Box::new(light))
            }
            _ => return None,
        })
    }

    fn body(&mut self, id: Id, record: &Record, place: Place) -> Body {
        let mut children = self.children(id);
        if let Some(inertial) = self.inertial(record, place) {
            children.push(Child::Inertial(Box::new(inertial)));
        }
        if let Some(plugin) = self.plugin(record, place) {
            children.push(Child::Plugin(Box::new(plugin)));
        }
        if self.keeps_classes && matches!(children.last(), Some(Child::Inertial(_))) {
            children.rotate_right(1);
        }
        let mut table: BodyTable = self.table(id, record);
        table.childclass = self.class_name(record, place);
        Body { table, children }
    }

    /// Writes fields of a saved element even where they are the built-in ones.
    fn always<T: Element>(
        &mut self,
        table: &mut T,
        record: &Record,
        fields: &[&str],
        place: Place,
    ) {
        if !self.keeps_classes {
            return;
        }
        for field in record
            .kind
            .fields()
            .iter()
            .filter(|field| fields.contains(&field.name))
        {
            if let Some(value) = record.value(field.name) {
                self.attribute(table, field, value, place);
            }
        }
    }

    /// Mass and inertia, if they are given: with a centre, or for a body that has no geoms.
    fn inertial(&mut self, record: &Record, place: Place) -> Option<Inertial> {
        let pos: [f64; 3] = fixed(&record.reals("ipos"))?;
        let mass = record.real("mass");
        let inertia: [f64; 3] = fixed(&record.reals("inertia"))?;
        let full: [f64; 6] = fixed(&record.reals("fullinertia"))?;
        let is_given = mass != 0.0 || inertia != [0.0; 3] || !full[0].is_nan();
        let draft = self.draft;
        let mut kinds = record
            .children
            .iter()
            .filter_map(|&id| draft.record(id).ok());
        let has_geoms = kinds.any(|child| child.kind == Kind::Geom);
        if pos[0].is_nan() && (!is_given || has_geoms) {
            return None;
        }
        let mut inertial = Inertial {
            place,
            pos: Some(At::new(if pos[0].is_nan() { [0.0; 3] } else { pos }, place)),
            quat: fixed(&record.reals("iquat")).map(|quat| At::new(quat, place)),
            mass: Some(At::new(mass, place)),
            ..Inertial::default()
        };
        if full[0].is_nan() {
            inertial.diaginertia = Some(At::new(inertia, place));
        } else {
            inertial.fullinertia = Some(At::new(full, place));
            inertial.quat = None;
        }
        self.orientation_of(&mut inertial, record, "ialt", place);
        Some(inertial)
    }

    /// A free joint without further settings is one of its own kind, which can be aligned.
    fn joint(&mut self, id: Id, record: &Record, place: Place) -> Child {
        let mut joint: Joint = self.table(id, record);
        let is_free = record.integer("type") == i64::from(JointType::Free.code());
        let plain = Joint {
            place,
            name: joint.name.clone(),
            kind: joint.kind.clone(),
            group: joint.group.clone(),
            ..Joint::default()
        };
        let is_aligned = record.integer("align") != 2;
        if is_free && joint == plain && (is_aligned || !self.keeps_classes) {
            return Child::FreeJoint(Box::new(self.table::<FreeJoint>(id, record)));
        }
        joint.class = self.class_name(record, place);
        if !is_free {
            let is_ball = record.integer("type") == i64::from(JointType::Ball.code());
            self.always(
                &mut joint,
                record,
                if is_ball { &["pos"] } else { &["pos", "axis"] },
                place,
            );
        }
        Child::Joint(Box::new(joint))
    }
}

/// Leaves out the sizes that a shape does not have.
fn shorten_size(table: &mut GeomTable, record: &Record) {
    let code = i32::try_from(record.integer("type")).ok();
    let count = match code.and_then(GeomType::from_code) {
        Some(GeomType::Sphere) => 1,
        Some(GeomType::Capsule | GeomType::Cylinder) => 2,
        Some(GeomType::Plane | GeomType::Ellipsoid | GeomType::Box) => 3,
        _ => 0,
    };
    match &mut table.size {
        Some(_) if count == 0 => table.size = None,
        Some(size) => size.value.count = count,
        None => {}
    }
}

/// Numbers as an array.
fn fixed<const N: usize>(numbers: &[f64]) -> Option<[f64; N]> {
    <[f64; N]>::try_from(numbers).ok()
}

/// Puts a child into its chain of frames, using those that are open already.
fn insert(
    writer: &mut Writer<'_>,
    children: &mut Vec<Child>,
    open: &[Id],
    chain: &[Id],
    child: Child,
) {
    let mut into = children;
    let shared = open
        .iter()
        .zip(chain)
        .take_while(|(one, other)| one == other)
        .count();
    for (depth, &frame) in chain.iter().enumerate() {
        if depth >= shared {
            let Some(frame) = writer.frame(frame) else {
                return;
            };
            into.push(Child::Frame(Box::new(frame)));
        }
        into = match into.last_mut() {
            Some(Child::Frame(frame)) => &mut frame.children,
            _ => return,
        };
    }
    into.push(child);
}
