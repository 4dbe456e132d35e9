//! Deleting elements.

use super::draft::{Draft, not_possible};
use super::error::EditError;
use super::names::Names;
use super::record::Id;
use super::table::Kind;

impl Draft {
    /// Deletes an element. With a body goes what stands in it and what refers to that; with a frame
    /// nothing else: its elements stand where they are without it.
    pub fn delete(&mut self, id: Id) -> Result<(), EditError> {
        let record = self.record(id)?;
        let (kind, parent, root) = (record.kind, record.parent, record.root);
        if self.roots.iter().any(|root| root.world == id) {
            return Err(not_possible("the world cannot be deleted".to_string()));
        }
        match kind {
            Kind::Default => return self.delete_class(id, root),
            _ if Kind::SETTINGS.contains(&kind) => {
                return Err(not_possible("settings cannot be deleted".to_string()));
            }
            _ => {}
        }
        let gone = match kind {
            Kind::Body => self.with_references(id, root),
            _ => vec![id],
        };
        for root in &mut self.roots {
            root.listed.retain(|other| !gone.contains(other));
        }
        if let Some(parent) = parent.and_then(|parent| self.record_mut(parent)) {
            parent.children.retain(|&other| other != id);
        }
        for gone in gone {
            let record = self.records.get_mut(gone.0).and_then(Option::take);
            for child in record.map(|record| record.children).unwrap_or_default() {
                let is_body = self
                    .record(child)
                    .is_ok_and(|child| child.kind == Kind::Body);
                if !is_body && let Some(slot) = self.records.get_mut(child.0) {
                    *slot = None;
                }
            }
        }
        if kind == Kind::Frame {
            for record in self.records.iter_mut().flatten() {
                if record.frame == Some(id) {
                    record.frame = None;
                }
            }
        }
        Ok(())
    }

    /// A body with the bodies below it, what refers to something in them, and what refers to that. Keyframes lose
    /// their numbers.
    fn with_references(&mut self, body: Id, root: usize) -> Vec<Id> {
        let model = self.outermost(root);
        let mut gone = self.bodies_below(body, true);
        let mut names: Names = self.names_in(&gone);
        let listed = self.root(model).map(|root| root.listed.clone());
        let mut listed = listed.unwrap_or_default();
        loop {
            let refers = |id: &Id| !self.references(*id).is_disjoint(&names);
            let (go, stay): (Vec<Id>, Vec<Id>) = listed.into_iter().partition(refers);
            listed = stay;
            if go.is_empty() {
                break;
            }
            let records = go.iter().filter_map(|&id| self.record(id).ok());
            names.extend(records.map(|record| (record.kind, record.name.clone())));
            gone.extend(go);
        }
        let children = gone.iter().filter_map(|&id| self.record(id).ok());
        let children = children.flat_map(|record| record.children.iter().copied());
        let all = gone.iter().copied().chain(children).collect();
        self.shorten_keys(model, &all);
        gone
    }

    /// Deletes a class and those below it; what was made with them belongs to `main`.
    fn delete_class(&mut self, id: Id, root: usize) -> Result<(), EditError> {
        if self.main_class(root) == Some(id) {
            return Err(not_possible("cannot remove the global default".to_string()));
        }
        let main = self.main_class(root);
        let classes = self.root(root).map(|root| root.classes.clone());
        let mut gone = vec![id];
        for class in classes.unwrap_or_default() {
            let above = self.record(class).ok().and_then(|class| class.parent);
            if above.is_some_and(|above| gone.contains(&above)) {
                gone.push(class);
            }
        }
        if let Some(root) = self.roots.get_mut(root) {
            root.classes.retain(|class| !gone.contains(class));
        }
        for class in &gone {
            let parts = self.records.get_mut(class.0).and_then(Option::take);
            for part in parts.map(|class| class.children).unwrap_or_default() {
                if let Some(slot) = self.records.get_mut(part.0) {
                    *slot = None;
                }
            }
        }
        for record in self.records.iter_mut().flatten() {
            if record.class.is_some_and(|class| gone.contains(&class)) {
                record.class = main;
            }
        }
        Ok(())
    }
}
