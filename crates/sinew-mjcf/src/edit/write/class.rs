//! Default classes, and which class an element says it belongs to.

use super::Writer;
use crate::edit::record::{Id, Record};
use crate::edit::table::Kind;
use crate::place::{At, Place};
use crate::spec::DefaultClass;
use crate::spec::actuator::{Actuator, ActuatorTable};
use crate::spec::asset::Material;
use crate::spec::element::Element;

impl Writer<'_> {
    /// The classes, each with what differs from the one above it.
    pub(super) fn classes(&mut self) -> Vec<DefaultClass> {
        let draft = self.draft;
        let ids = draft.list(0, Kind::Default);
        let mut classes = Vec::with_capacity(ids.len());
        for &id in &ids {
            let Ok(record) = draft.record(id) else {
                continue;
            };
            let above = record
                .parent
                .and_then(|above| ids.iter().position(|&id| id == above));
            let mut class = DefaultClass {
                name: record.name.clone(),
                parent: above,
                ..DefaultClass::default()
            };
            for &part in &record.children {
                if let Ok(record) = draft.record(part) {
                    self.part(&mut class, part, record);
                }
            }
            classes.push(class);
        }
        classes
    }

    fn part(&mut self, class: &mut DefaultClass, id: Id, record: &Record) {
        macro_rules! table {
            ($field:ident) => {
                class.$field =
                    Some(Box::new(self.table(id, record))).filter(|table| says_something(&**table))
            };
        }
        match record.kind {
            Kind::Mesh => table!(mesh),
            Kind::Joint => table!(joint),
            Kind::Geom => table!(geom),
            Kind::Site => table!(site),
            Kind::Camera => table!(camera),
            Kind::Light => table!(light),
            Kind::Pair => table!(pair),
            Kind::Equality => table!(equality),
            Kind::Tendon => table!(tendon),
            Kind::Material => {
                let material = Material {
                    table: self.table(id, record),
                    layers: Vec::new(),
                };
                class.material = Some(Box::new(material)).filter(|one| says_something(&one.table));
            }
            Kind::Actuator => {
                let table: ActuatorTable = self.table(id, record);
                if says_something(&table) {
                    class.actuators.push(Actuator {
                        table,
                        ..Actuator::default()
                    });
                }
            }
            _ => {}
        }
    }

    /// The class that an element names: none if it is the one in force around it.
    pub(super) fn class_name(&self, record: &Record, place: Place) -> Option<At<String>> {
        if !self.keeps_classes {
            return None;
        }
        let draft = self.draft;
        let mut around = record.frame;
        while let Some(frame) = around.and_then(|id| draft.record(id).ok()) {
            if self.is_written(frame) {
                break;
            }
            around = frame.frame;
        }
        let around = around
            .or(record.parent)
            .and_then(|id| draft.record(id).ok());
        let own = self.name_of_class(record);
        let inherited = around.map_or("main", |around| self.name_of_class(around));
        (own != inherited).then(|| At::new(own.to_string(), place))
    }

    fn name_of_class<'b>(&'b self, record: &Record) -> &'b str {
        let class = record.class.and_then(|class| self.draft.record(class).ok());
        class.map_or("main", |class| class.name.as_str())
    }

    /// Whether a frame is written: a saved one has no pose, only a name or a class to give.
    pub(super) fn is_written(&self, frame: &Record) -> bool {
        !self.keeps_classes || !frame.name.is_empty() || self.name_of_class(frame) != "main"
    }
}

fn says_something(table: &impl Element) -> bool {
    !table.written().is_empty()
}
