//! What is wrong with a flexcomp, with the place and how to mend it.

use crate::place::Place;
use crate::report::Report;

/// A flexcomp that cannot be expanded.
#[derive(Clone, Debug)]
pub struct Fault {
    code: &'static str,
    place: Place,
    element: &'static str,
    attribute: Option<&'static str>,
    message: String,
    hint: String,
}

impl Fault {
    /// A fault of an attribute of `flexcomp` itself.
    pub fn new(
        place: Place,
        attribute: &'static str,
        message: impl Into<String>,
        hint: impl Into<String>,
    ) -> Self {
        Fault {
            code: "mjcf::flexcomp",
            place,
            element: "flexcomp",
            attribute: Some(attribute),
            message: message.into(),
            hint: hint.into(),
        }
    }

    /// A fault of the element as a whole.
    pub fn whole(place: Place, message: impl Into<String>, hint: impl Into<String>) -> Self {
        Fault {
            attribute: None,
            ..Fault::new(place, "", message, hint)
        }
    }

    /// Under another code.
    pub fn code(self, code: &'static str) -> Self {
        Fault { code, ..self }
    }

    /// Of an element inside the flexcomp.
    pub fn element(self, element: &'static str) -> Self {
        Fault { element, ..self }
    }

    /// Adds it to a report.
    pub fn report(self, report: &mut Report) {
        let entry = report
            .error(self.code, self.place, self.message)
            .element(self.element)
            .hint(self.hint);
        if let Some(attribute) = self.attribute {
            entry.attribute(attribute);
        }
    }
}
