//! Reading values out of URDF elements.

use crate::compile::orientation::from_euler;
use crate::place::At;
use crate::read::xml::Node;
use crate::report::Report;
use crate::spec::value::Attribute;

/// The one child with a name; a second one is an error.
pub fn only<'n>(node: &'n Node, name: &str, report: &mut Report) -> Option<&'n Node> {
    let mut found = node.children.iter().filter(|child| child.name == name);
    let first = found.next();
    if let Some(second) = found.next() {
        let message = format!("a second <{name}> in <{}>", node.name);
        report
            .error("urdf::repeated-element", second.place, message)
            .element(node.name.clone());
    }
    first
}

/// The one child with a name, which must be there.
pub fn only_required<'n>(node: &'n Node, name: &str, report: &mut Report) -> Option<&'n Node> {
    let found = only(node, name, report);
    if found.is_none() {
        let message = format!("<{}> needs a <{name}>", node.name);
        report
            .error("urdf::missing-element", node.place, message)
            .element(node.name.clone());
    }
    found
}

/// An attribute that must be there.
pub fn text(node: &Node, name: &str, report: &mut Report) -> Option<At<String>> {
    let found = node.attribute(name);
    if found.is_none() {
        let message = format!("<{}> needs the attribute \"{name}\"", node.name);
        report
            .error("urdf::missing-attribute", node.place, message)
            .element(node.name.clone())
            .attribute(name);
    }
    found.map(|attribute| At::new(attribute.text.clone(), attribute.value_place))
}

/// Numbers in attributes.
pub trait Numbers {
    /// `N` numbers that must be there.
    fn numbers<const N: usize>(&self, name: &str, report: &mut Report) -> Option<[f64; N]>;

    /// `N` numbers, if they are there.
    fn given<const N: usize>(&self, name: &str, report: &mut Report) -> Option<[f64; N]>;
}

impl Numbers for Node {
    fn numbers<const N: usize>(&self, name: &str, report: &mut Report) -> Option<[f64; N]> {
        text(self, name, report)?;
        let before = report.error_count();
        let found = self.given(name, report);
        if found.is_none() && report.error_count() == before {
            let message = format!("attribute \"{name}\" of <{}> is empty", self.name);
            report
                .error("urdf::missing-attribute", self.place, message)
                .element(self.name.clone())
                .attribute(name);
        }
        found
    }

    fn given<const N: usize>(&self, name: &str, report: &mut Report) -> Option<[f64; N]> {
        let attribute = self.attribute(name)?;
        match <[f64; N]>::parse(&attribute.text) {
            Ok(Some(values)) if values.iter().all(|value| value.is_finite()) => Some(values),
            Ok(Some(_)) => {
                let message = format!(
                    "attribute \"{name}\" of <{}> has a NaN or an infinity",
                    self.name
                );
                report
                    .error("urdf::not-finite", attribute.value_place, message)
                    .element(self.name.clone())
                    .attribute(name);
                None
            }
            Ok(None) => None,
            Err(error) => {
                let message = format!(
                    "{} in attribute \"{name}\" of <{}>",
                    error.message, self.name
                );
                report
                    .error("urdf::number", attribute.value_place, message)
                    .element(self.name.clone())
                    .attribute(name);
                None
            }
        }
    }
}

/// Where something sits: the `origin` child.
#[derive(Clone, Copy, Debug)]
pub struct Origin {
    /// Position.
    pub pos: [f64; 3],
    /// Orientation.
    pub quat: [f64; 4],
}

impl Default for Origin {
    fn default() -> Self {
        Origin {
            pos: [0.0; 3],
            quat: [1.0, 0.0, 0.0, 0.0],
        }
    }
}

impl Origin {
    /// Reads the origin of an element; without one it is the identity.
    pub fn read(node: &Node, report: &mut Report) -> Origin {
        let mut out = Origin::default();
        if let Some(origin) = only(node, "origin", report) {
            out.pos = origin.given("xyz", report).unwrap_or(out.pos);
            let turned = origin.given("rpy", report);
            if let Some(quat) = turned.and_then(|rpy| from_euler("XYZ", rpy)) {
                out.quat = quat.0;
            }
        }
        out
    }
}
