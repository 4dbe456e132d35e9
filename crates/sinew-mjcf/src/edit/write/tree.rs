//! The kinematic tree.

use super::Writer;
use crate::edit::draft::{Id, Record};
use crate::edit::table::Kind;
use crate::place::{At, Place};
use crate::spec::tree::{
    Body, Camera, Child, Frame, FreeJoint, Geom, Inertial, Joint, Light, Site,
};
use crate::spec::value::{FluidShape, Words};
use sinew_model::kinds::JointType;

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
        for &id in &body.children {
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
            chain.push(frame.0);
            at = frame.1.frame;
        }
        chain.reverse();
        chain
    }

    /// A frame without its children. It has no name: it may be opened several times.
    fn frame(&mut self, id: Id) -> Option<Frame> {
        let record = self.draft.record(id).ok()?;
        let mut table: crate::spec::tree::FrameTable = self.table(id, record);
        table.name = None;
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
                Child::Geom(Box::new(geom))
            }
            Kind::Site => Child::Site(Box::new(self.table::<Site>(id, record))),
            Kind::Camera => {
                let mut camera: Camera = self.table(id, record);
                let bits = record.integer("output");
                if bits != 1 {
                    let words = CAMERA_OUTPUTS.iter().enumerate();
                    let words = words.filter(|(bit, _)| bits >> bit & 1 == 1);
                    let words = words.map(|(_, word)| word.to_string()).collect();
                    camera.output = Some(At::new(Words(words), place));
                }
                Child::Camera(Box::new(camera))
            }
            Kind::Light => Child::Light(Box::new(self.table::<Light>(id, record))),
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
        Body {
            table: self.table(id, record),
            children,
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
        let joint: Joint = self.table(id, record);
        let is_free = record.integer("type") == i64::from(JointType::Free.code());
        let plain = Joint {
            place,
            name: joint.name.clone(),
            kind: joint.kind.clone(),
            group: joint.group.clone(),
            ..Joint::default()
        };
        if is_free && joint == plain {
            return Child::FreeJoint(Box::new(self.table::<FreeJoint>(id, record)));
        }
        Child::Joint(Box::new(joint))
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
