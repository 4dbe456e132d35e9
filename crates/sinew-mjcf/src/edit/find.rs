//! Finding and listing elements.

use super::draft::Draft;
use super::record::Id;
use super::table::Kind;

impl Draft {
    /// All elements of a kind in one of the models, in the order of their ids in a compiled model.
    pub fn list(&self, model: usize, kind: Kind) -> Vec<Id> {
        let Some(root) = self.root(model) else {
            return Vec::new();
        };
        match kind {
            Kind::Body => self.bodies_below(root.world, true),
            Kind::Default => root.classes.clone(),
            _ if kind.is_in_tree() => {
                let bodies = self.bodies_below(root.world, true);
                let lists = bodies.into_iter().map(|body| self.children(body, kind));
                lists.flatten().collect()
            }
            _ => self.of_kind(&root.listed, kind),
        }
    }

    /// The elements of a kind that stand in a body.
    pub fn children(&self, body: Id, kind: Kind) -> Vec<Id> {
        match self.record(body) {
            Ok(record) => self.of_kind(&record.children, kind),
            Err(_) => Vec::new(),
        }
    }

    /// The elements of a kind in a body and the bodies below it, the body itself aside.
    pub fn descendants(&self, body: Id, kind: Kind) -> Vec<Id> {
        if kind == Kind::Body {
            return self.bodies_below(body, false);
        }
        let bodies = self.bodies_below(body, true);
        let lists = bodies.into_iter().map(|body| self.children(body, kind));
        lists.flatten().collect()
    }

    /// Bodies depth-first.
    pub(super) fn bodies_below(&self, top: Id, is_included: bool) -> Vec<Id> {
        let mut found = Vec::new();
        let mut open = vec![top];
        while let Some(body) = open.pop() {
            if body != top || is_included {
                found.push(body);
            }
            open.extend(self.children(body, Kind::Body).into_iter().rev());
        }
        found
    }

    fn of_kind(&self, ids: &[Id], kind: Kind) -> Vec<Id> {
        let is_of_kind = |id: &&Id| self.record(**id).is_ok_and(|record| record.kind == kind);
        ids.iter().filter(is_of_kind).copied().collect()
    }

    /// The element of a kind that has a name. A mesh, texture or other asset without a name is
    /// known by its file.
    pub fn find(&self, model: usize, kind: Kind, name: &str) -> Option<Id> {
        if kind == Kind::Default {
            return self.find_class(model, name);
        }
        self.list(model, kind).into_iter().find(|&id| {
            self.record(id).is_ok_and(|record| {
                let own = record.name.as_str();
                own == name
                    || (own.is_empty() && !name.is_empty() && stem(record.text("file")) == name)
            })
        })
    }

    /// The same, file names aside.
    pub(super) fn find_named(&self, model: usize, kind: Kind, name: &str) -> Option<Id> {
        let has_name = |id: &Id| self.record(*id).is_ok_and(|record| record.name == name);
        self.list(model, kind).into_iter().find(has_name)
    }

    /// The default class with a name; for a model that was attached also one of the whole.
    pub fn find_class(&self, model: usize, name: &str) -> Option<Id> {
        let has_name = |id: &&Id| self.record(**id).is_ok_and(|class| class.name == name);
        let among = |model| self.root(model)?.classes.iter().find(has_name).copied();
        among(model).or_else(|| among(self.outermost(model)))
    }

    /// The number that an element of the tree, or outside it, has in a compiled model.
    pub fn position(&self, id: Id) -> Option<usize> {
        let record = self.record(id).ok()?;
        let model = self.outermost(record.root);
        self.list(model, record.kind)
            .iter()
            .position(|&other| other == id)
    }
}

/// A file's name without folders and ending.
pub(super) fn stem(file: &str) -> &str {
    let name = file.rsplit(['/', '\\']).next().unwrap_or(file);
    name.rsplit_once('.').map_or(name, |(stem, _)| stem)
}
