//! Attached sub-models: a copy of one body, or of everything in the world of another model.
//!
//! Every name gets the prefix. Classes come along under new names, rooted in themselves: a class of
//! the sub-model never inherits from this model. All assets and custom fields come along; elements
//! outside the tree come along if what they refer to did. Options, sizes, visual settings and
//! statistics stay behind. Frames around an attached body stay behind, too: its own pose counts from
//! the place of attachment.
//!
//! | file | what |
//! |---|---|
//! | `part.rs` | the part of the tree that is copied |
//! | `belongings.rs` | what comes along with it |
//! | `moved.rs` | a body that is here already and only moves |

mod belongings;
mod moved;
mod part;

use super::names::{Affix, Lookup};
use super::rename::{Contents, Renaming};
use super::walk::{Scope, key_place, value};
use super::{Assembly, Shared, Submodel};
use crate::place::{At, Place};
use crate::spec::tree::{Attach, Child, Frame};
use moved::{move_body, unnamed_in};
use part::Part;
use sinew_model::kinds::ObjectType;

impl Assembly {
    pub(super) fn attach(&mut self, attach: &Attach, scope: &mut Scope, shared: &mut Shared) {
        let (Some(model), Some(prefix)) = (&attach.model, value(&attach.prefix)) else {
            shared
                .report
                .error(
                    "mjcf::missing-attribute",
                    attach.place,
                    "an attach needs a `model` and a `prefix`",
                )
                .element("attach");
            return;
        };
        let body = value(&attach.body).filter(|name| !name.is_empty());
        let wanted = format!("{prefix}{}", body.as_deref().unwrap_or(""));
        // If it is here already, it moves to this frame. Without prefix and body, that is so if
        // some body has no name.
        let exists = match wanted.as_str() {
            "" => self.unnamed_bodies > 0,
            wanted => self.names.contains(ObjectType::Body, wanted),
        };
        if exists {
            if self.unnamed_bodies > unnamed_in(scope) && wanted.is_empty()
                || !move_body(&wanted, scope)
            {
                let message = match wanted.as_str() {
                    "" => "without a prefix this means the first body without a name, which has another parent".to_string(),
                    wanted => format!("body `{wanted}` exists already and has another parent"),
                };
                shared
                    .report
                    .error("mjcf::attach", attach.place, message)
                    .element("attach");
            }
            return;
        }
        let Some(index) = self.find_submodel(&model.value, shared) else {
            shared
                .report
                .error(
                    "mjcf::unknown-name",
                    model.place,
                    format!("no model asset is named `{}`", model.value),
                )
                .element("attach")
                .attribute("model");
            return;
        };
        let Some(mut child) = self.take_submodel(index, attach.place, shared) else {
            return;
        };
        let affix = Affix {
            prefix,
            suffix: String::new(),
        };
        let copied = match &body {
            None => Some(Part::world(&child, shared.report)),
            Some(name) => Part::body(&child, name, shared.report),
        };
        match copied {
            Some(part) => {
                self.take_in(&mut child, part, &affix, attach.place, scope, shared);
            }
            None => {
                let place = attach.body.as_ref().map_or(attach.place, |at| at.place);
                shared
                    .report
                    .error(
                        "mjcf::unknown-name",
                        place,
                        format!(
                            "model `{}` has no body named `{}`",
                            model.value,
                            body.as_deref().unwrap_or("")
                        ),
                    )
                    .element("attach")
                    .attribute("body");
            }
        }
        if let Some(slot) = self.submodels.get_mut(index) {
            *slot = Submodel::Expanded(child);
        }
    }

    /// The first sub-model with a name: that of the asset, or of the model itself.
    fn find_submodel(&self, name: &str, shared: &Shared) -> Option<usize> {
        self.submodels
            .iter()
            .enumerate()
            .position(|(index, submodel)| {
                let given = self
                    .spec
                    .models
                    .get(index)
                    .and_then(|model| model.name.as_ref());
                if let Some(given) = given {
                    return given.value == name;
                }
                let document = match submodel {
                    Submodel::Written(spec) => spec.document,
                    Submodel::Expanded(assembly) => assembly.spec.document,
                    Submodel::Busy => return false,
                };
                let own = shared.documents.get(document as usize);
                own.is_some_and(|document| match document.name.as_str() {
                    "" => name == "MuJoCo Model",
                    own => name == own,
                })
            })
    }

    /// Takes a sub-model out of its slot, expanded.
    pub(super) fn take_submodel(
        &mut self,
        index: usize,
        place: Place,
        shared: &mut Shared,
    ) -> Option<Box<Assembly>> {
        let slot = self.submodels.get_mut(index)?;
        match std::mem::replace(slot, Submodel::Busy) {
            Submodel::Expanded(child) => Some(child),
            Submodel::Written(spec) => {
                let mut child = Box::new(Assembly::new(*spec, shared));
                child.is_submodel = true;
                for (kind, name) in child.names.repeated() {
                    shared.repeated_name(kind, &name, self.submodel_place(index));
                }
                child.expand(shared);
                Some(child)
            }
            Submodel::Busy => {
                shared
                    .report
                    .error("mjcf::attach", place, "a model cannot attach itself")
                    .element("attach");
                None
            }
        }
    }

    /// Where a sub-model is asked for.
    fn submodel_place(&self, index: usize) -> Place {
        let asset = self.spec.models.get(index);
        asset.map(|asset| asset.place).unwrap_or_default()
    }

    /// Copies a part of a sub-model into this model.
    fn take_in(
        &mut self,
        child: &mut Assembly,
        part: Part,
        affix: &Affix,
        place: Place,
        scope: &mut Scope,
        shared: &mut Shared,
    ) {
        let contents = Contents::of(&part.children);
        if !shared.may_nest(scope.total_depth() + contents.depth + 1, place)
            || !shared.spend(
                contents.elements + 1 + child.outside_count(),
                contents.bytes.saturating_add(child.outside_bytes()),
                place,
            )
        {
            return;
        }
        if !child.ledger.pending.is_empty() {
            shared.report.warning(
                "mjcf::attach",
                place,
                "keyframes that the attached model put together itself keep their names without prefix",
            );
        }
        match child
            .ledger
            .store(&child.spec.keys, affix, &mut shared.states)
        {
            Ok(pending) => self.ledger.pending.extend(pending),
            Err((index, message)) => {
                let place = key_place(&child.spec.keys, index);
                shared
                    .report
                    .error("mjcf::key-size", place, message)
                    .element("key");
                return;
            }
        }
        let classes = self.add_classes(child, affix);
        let renaming = Renaming {
            affix,
            classes: Some(&classes),
        };

        // The tree.
        let mut children = part.children;
        renaming.tree(&mut children);
        let class = part.class.as_deref().unwrap_or("main");
        let class = classes.get(class).cloned().map(|name| At::new(name, place));
        if let ([Child::Body(body)], true) = (children.as_mut_slice(), part.is_body) {
            if body.table.childclass.is_none() {
                body.table.childclass = class;
            }
            if let Some(level) = scope.levels.last_mut() {
                level.children.append(&mut children);
            }
        } else {
            let mut frame = Frame {
                children,
                ..Frame::default()
            };
            frame.table.place = place;
            frame.table.childclass = class;
            scope.push(Child::Frame(Box::new(frame)));
        }
        for (kind, name) in &contents.names {
            self.names.insert(*kind, &affix.apply(name));
        }
        self.unnamed_bodies += contents.unnamed_bodies;
        let piece = child.ledger.piece(part.joints, part.mocaps);
        self.ledger
            .copy_piece(Some(&mut child.ledger), &piece, scope.body);

        // Everything else.
        self.take_assets(child, &renaming);
        self.ledger.pending.append(&mut child.ledger.pending);
        self.take_fields(child, affix);
        self.take_flexes(child, &renaming);
        self.take_lists(child, &renaming);
        self.take_instances(child, &contents.instances, affix);
        self.ledger.lengthen(&mut self.spec.keys);
    }
}
