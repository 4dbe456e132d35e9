//! Contacts and rows that were made elsewhere take the place of those of a position.

use super::Position;
use super::constraint::layout::{LayoutError, RowLayout};
use super::contact::Contact;
use super::island;
use sinew_model::Model;

impl Position {
    /// Takes over contacts, and rows whose numbers are written afterwards: those that were there stay, by their index,
    /// new ones are zero. Islands are found anew if there are any. An error changes nothing.
    pub fn set_rows(
        &mut self,
        model: &Model,
        contacts: Vec<Contact>,
        layout: RowLayout,
        has_islands: bool,
    ) -> Result<(), LayoutError> {
        self.constraints.set_layout(model, &contacts, layout)?;
        self.contacts.contact = contacts;
        self.constraints.find_passive_forces(
            model,
            (&self.com, &self.flex),
            &self.contacts.contact,
        );
        self.islands.clear();
        if has_islands {
            island::compute(model, &self.contacts, &self.constraints, &mut self.islands);
        }
        Ok(())
    }
}
