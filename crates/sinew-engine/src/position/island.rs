//! Islands: groups of kinematic trees that constraints tie together.
//!
//! Which rows tie which trees is asked of `sinew-solver`. A contact within one body moves nothing
//! and has an empty row; it belongs to the tree of that body. A contact of geoms ties two trees, one with a flex
//! may tie more. Conforms to `mj_island`.

use super::constraint::Constraints;
use super::contact::Contacts;
use sinew_model::Model;
use sinew_model::column::Group;
use sinew_model::kinds::DisableFlag;
use sinew_solver::island::Coupling;
use std::ops::Deref;

/// The partition of trees, degrees of freedom and rows.
#[derive(Clone, Debug, Default)]
pub struct Islands(sinew_solver::Islands);

impl Deref for Islands {
    type Target = sinew_solver::Islands;
    fn deref(&self) -> &sinew_solver::Islands {
        &self.0
    }
}

impl Islands {
    /// No islands. What each tree belonged to last stays.
    pub(crate) fn clear(&mut self) {
        self.0.clear();
    }
}

impl Group for Islands {
    fn new(_: &Model) -> Self {
        Islands::default()
    }
    fn clear(&mut self, _: &Model) {
        self.0.clear();
    }
    fn copy_from(&mut self, other: &Self) {
        self.0.clone_from(&other.0);
    }
}

/// Finds the islands.
#[doc(alias = "mj_island")]
pub(crate) fn compute(
    model: &Model,
    contacts: &Contacts,
    constraints: &Constraints,
    out: &mut Islands,
) {
    if model.opt.disableflags & DisableFlag::Island.code() != 0 {
        return out.clear();
    }
    let coupling = Coupling {
        tree_dofadr: &model.tree_dofadr,
        tree_dofnum: &model.tree_dofnum,
        dof_treeid: &model.dof_treeid,
        jacobian: constraints.jacobian(),
        equality_count: constraints.ne,
        friction_count: constraints.nf,
        contact_start: match model.nflex {
            0 => constraints.ne + constraints.nf + constraints.nl,
            _ => constraints.nefc(),
        },
    };
    out.0.find(&coupling, |row| {
        tree_of_contact(model, contacts, constraints.efc_id[row] as usize)
    });
}

/// The tree of a contact that no degree of freedom changes: that of one of its bodies.
fn tree_of_contact(model: &Model, contacts: &Contacts, contact: usize) -> usize {
    let Some(contact) = contacts.contact.get(contact) else {
        return 0;
    };
    let mut bodies = (0..2).flat_map(|side| contact.bodies(model, side));
    bodies
        .find_map(|(body, _)| usize::try_from(model.body_treeid[body]).ok())
        .unwrap_or(0)
}
