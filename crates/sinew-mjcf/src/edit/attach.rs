//! Models put together: a body, a frame or a whole model becomes part of another.
//!
//! What is attached is not copied: the elements of the child stand in the parent from then on, with
//! a prefix and a suffix on their names, and keep the settings (angle unit, folders) of the model
//! they come from. Elements outside the tree come along if everything they refer to does; so do keyframes, whose numbers
//! stay with their elements.

use super::draft::{Draft, not_possible};
use super::error::EditError;
use super::names::{Names, visit};
use super::record::Id;
use super::table::Kind;

impl Draft {
    /// Takes over all elements of another draft, as models of their own. Returns by how much the
    /// numbers of its elements and its models grow.
    pub fn absorb(&mut self, other: Draft) -> (usize, usize) {
        let (shift, models) = (self.records.len(), self.roots.len());
        let move_id = |id: &mut Id| id.0 = id.0.saturating_add(shift);
        for mut record in other.records {
            if let Some(record) = &mut record {
                record.root = record.root.saturating_add(models);
                record.children.iter_mut().for_each(move_id);
                record.about.iter_mut().for_each(move_id);
                for id in [&mut record.class, &mut record.parent, &mut record.frame] {
                    id.iter_mut().for_each(move_id);
                }
            }
            self.records.push(record);
        }
        for mut root in other.roots {
            move_id(&mut root.world);
            for list in [&mut root.settings, &mut root.classes, &mut root.listed] {
                list.iter_mut().for_each(move_id);
            }
            root.parent = root.parent.map(|parent| parent.saturating_add(models));
            self.roots.push(root);
        }
        (shift, models)
    }

    /// Attaches a body, a frame or the world of another model in this draft to a frame, a site or a body. Returns
    /// the body or frame that stands there now.
    pub fn attach(
        &mut self,
        place: Id,
        what: Id,
        prefix: &str,
        suffix: &str,
    ) -> Result<Id, EditError> {
        let (place_root, root) = (self.model_of(place)?, self.model_of(what)?);
        if self.outermost(place_root) == self.outermost(root)
            && self.is_in_tree_of(self.outermost(root), what)
        {
            return Err(not_possible(
                "an element cannot be attached to its own model".to_string(),
            ));
        }
        if self.contains(what, place)? {
            return Err(not_possible(
                "an element cannot be attached to a part of itself".to_string(),
            ));
        }
        let (body, frame) = self.spot(place)?;
        let kind = self.record(what)?.kind;
        let is_world = self.roots.iter().any(|root| root.world == what);
        let moved = match kind {
            Kind::Body if is_world => self.record(what)?.children.clone(),
            Kind::Body => vec![what],
            Kind::Frame => self.content(what),
            _ => {
                return Err(not_possible(format!(
                    "a {} cannot be attached",
                    kind.word()
                )));
            }
        };
        let into = self.outermost(place_root);
        let mut keys = self.key_parts(into);
        let depth = self.depth(frame.unwrap_or(body));
        if depth.saturating_add(self.height(what)) > super::draft::DEEPEST {
            return Err(not_possible("the attached model is too deep".to_string()));
        }
        if self.outermost(root) != into {
            keys.extend(self.key_parts(root));
        }
        let top = if is_world {
            let top = self.push(Kind::Frame, place_root);
            self.stand(top, body, frame);
            top
        } else {
            what
        };
        for &id in &moved {
            let outer = match self.record(id)?.frame {
                _ if id == what => frame,
                None if is_world => Some(top),
                own => own,
            };
            self.stand(id, body, outer);
        }
        let mut bodies = Vec::new();
        for &id in &moved {
            if self.record(id)?.kind == Kind::Body {
                bodies.extend(self.bodies_below(id, true));
            }
        }
        self.bring_along(root, place_root, &moved, &bodies, prefix, suffix);
        self.follow(into, keys);
        Ok(top)
    }

    /// Whether an element, or the body it stands in, is part of another.
    fn contains(&self, whole: Id, place: Id) -> Result<bool, EditError> {
        let tops = match self.record(whole)?.kind {
            Kind::Frame => self.content(whole),
            _ => vec![whole],
        };
        let body = match self.record(place)?.kind {
            Kind::Body => place,
            _ => self.record(place)?.parent.ok_or(EditError::Gone)?,
        };
        let mut bodies = tops.iter().flat_map(|&top| self.bodies_below(top, true));
        Ok(tops.contains(&place) || bodies.any(|one| one == body))
    }

    /// Body and frame that something at a place stands in.
    fn spot(&mut self, place: Id) -> Result<(Id, Option<Id>), EditError> {
        let record = self.record(place)?.clone();
        match record.kind {
            Kind::Body => Ok((place, None)),
            Kind::Frame => Ok((record.parent.ok_or(EditError::Gone)?, Some(place))),
            Kind::Site => {
                let body = record.parent.ok_or(EditError::Gone)?;
                let frame = self.push(Kind::Frame, record.root);
                for field in ["pos", "quat", "alt"] {
                    if let (Some(value), Some(new)) = (record.value(field), self.record_mut(frame))
                    {
                        new.put(field, value.clone());
                    }
                }
                self.stand(frame, body, record.frame);
                Ok((body, Some(frame)))
            }
            other => Err(not_possible(format!(
                "nothing can be attached to a {}",
                other.word()
            ))),
        }
    }

    /// Puts an element into a body and a frame.
    fn stand(&mut self, id: Id, body: Id, frame: Option<Id>) {
        if let Some(record) = self.record_mut(id) {
            record.parent = Some(body);
            record.frame = frame;
        }
        if let Some(body) = self.record_mut(body) {
            body.children.push(id);
        }
    }

    /// A frame and everything in it.
    fn content(&self, frame: Id) -> Vec<Id> {
        let parent = self.record(frame).ok().and_then(|record| record.parent);
        let siblings = parent.and_then(|parent| self.record(parent).ok());
        let is_inside = |id: &Id| {
            let mut at = Some(*id);
            while let Some(one) = at {
                if one == frame {
                    return true;
                }
                at = self.record(one).ok().and_then(|record| record.frame);
            }
            false
        };
        let siblings = siblings.map_or(Vec::new(), |parent| parent.children.clone());
        siblings.into_iter().filter(is_inside).collect()
    }

    /// How deep bodies and frames below an element are nested, from above.
    fn height(&self, id: Id) -> usize {
        let bodies = self.bodies_below(id, true);
        let inside = bodies
            .into_iter()
            .flat_map(|body| self.children(body, Kind::Frame))
            .chain(self.bodies_below(id, true));
        let own = self.depth(id);
        inside
            .map(|one| self.depth(one).saturating_sub(own))
            .max()
            .unwrap_or(0)
    }

    /// Whether an element stands in the tree of a model.
    fn is_in_tree_of(&self, model: usize, id: Id) -> bool {
        let mut at = Some(id);
        while let Some(one) = at {
            if one == self.world_of(model) {
                return true;
            }
            at = self.record(one).ok().and_then(|record| record.parent);
        }
        false
    }

    /// Takes elements outside the tree and classes along and gives everything its new name.
    fn bring_along(
        &mut self,
        from: usize,
        to: usize,
        moved: &[Id],
        bodies: &[Id],
        prefix: &str,
        suffix: &str,
    ) {
        let into = self.outermost(to);
        let present: Vec<Id> = self
            .roots
            .get(into)
            .map_or(Vec::new(), |root| root.listed.clone());
        let (listed, classes, plugins) = match self.roots.get(from) {
            Some(root) => (
                root.listed.clone(),
                root.classes.clone(),
                root.plugins.clone(),
            ),
            None => return,
        };
        let candidates: Vec<Id> = listed
            .into_iter()
            .filter(|id| !present.contains(id))
            .collect();
        let mut known = self.names_in(bodies);
        for &id in moved {
            if let Ok(record) = self.record(id) {
                known.insert((record.kind, record.name.clone()));
            }
        }
        known.insert((Kind::Body, "world".to_string()));
        let kept = self.kept(candidates, known);
        let mut renamed: Vec<Id> = kept.iter().chain(moved).copied().collect();
        for &id in bodies.iter().chain(&kept) {
            if let Ok(record) = self.record(id) {
                renamed.push(id);
                renamed.extend(&record.children);
            }
        }
        let new_classes: Vec<Id> = match self.roots.get(into) {
            Some(root) => classes
                .iter()
                .filter(|id| !root.classes.contains(id))
                .copied()
                .collect(),
            None => Vec::new(),
        };
        renamed.sort_unstable();
        renamed.dedup();
        for id in renamed {
            if let Some(record) = self.record_mut(id) {
                let rename = |name: &mut String| {
                    if !name.is_empty() && name != "world" {
                        *name = format!("{prefix}{name}{suffix}");
                    }
                };
                rename(&mut record.name);
                visit(record, &mut |_, name| rename(name));
                let mut childclass = record.text("childclass").to_string();
                rename(&mut childclass);
                record.put("childclass", childclass);
            }
        }
        let main = self.main_class(into);
        for &class in &new_classes {
            if let Some(record) = self.record_mut(class) {
                record.name = format!("{prefix}{}{suffix}", record.name);
                record.parent = record.parent.or(main);
            }
        }
        if let Some(root) = self.roots.get_mut(into) {
            root.listed.extend(kept);
            root.classes.extend(new_classes);
            for plugin in plugins {
                if !root.plugins.contains(&plugin) {
                    root.plugins.push(plugin);
                }
            }
        }
        if let Some(root) = self.roots.get_mut(from) {
            root.parent = Some(into);
        }
    }

    /// Those whose references are all known, or become so by others that are kept.
    fn kept(&self, candidates: Vec<Id>, mut known: Names) -> Vec<Id> {
        let mut kept = Vec::new();
        let mut rest = candidates;
        loop {
            let before = kept.len();
            let mut later = Vec::new();
            for id in rest {
                let Ok(record) = self.record(id) else {
                    continue;
                };
                let references = self.references(id);
                let is_asset = matches!(
                    record.kind,
                    Kind::Mesh | Kind::Material | Kind::Texture | Kind::HField | Kind::Plugin
                );
                if is_asset || references.is_subset(&known) {
                    let name = match record.name.is_empty() {
                        true => super::find::stem(record.text("file")).to_string(),
                        false => record.name.clone(),
                    };
                    known.insert((record.kind, name));
                    kept.push(id);
                } else {
                    later.push(id);
                }
            }
            rest = later;
            if kept.len() == before {
                break;
            }
        }
        kept.sort_unstable();
        kept
    }

    /// Turns a body into a frame of the body it stands in.
    pub fn body_to_frame(&mut self, id: Id) -> Result<Id, EditError> {
        let record = self.record(id)?.clone();
        let (Kind::Body, Some(parent)) = (record.kind, record.parent) else {
            return Err(not_possible("this body cannot become a frame".to_string()));
        };
        let frame = self.push(Kind::Frame, record.root);
        if let Some(new) = self.record_mut(frame) {
            for field in ["pos", "quat", "alt"] {
                if let Some(value) = record.value(field) {
                    new.put(field, value.clone());
                }
            }
        }
        self.stand(frame, parent, record.frame);
        for child in record.children {
            let inner = self.record(child)?.frame;
            self.stand(child, parent, inner.or(Some(frame)));
        }
        if let Some(record) = self.record_mut(id) {
            record.children.clear();
        }
        self.delete(id)?;
        Ok(frame)
    }
}
