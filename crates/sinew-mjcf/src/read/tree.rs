//! The kinematic tree: children of `worldbody`, `body`, `frame` and `replicate`.

use super::Reader;
use super::asset::{plugin, plugins};
use super::check::Path;
use super::fill;
use crate::report::Report;
use crate::spec::tree::*;

impl Reader<'_> {
    /// The children of a world, body, frame or replicate, in order.
    pub(super) fn tree_children(&mut self, path: &Path<'_>) -> Vec<Child> {
        let mut children = Vec::with_capacity(path.node.children.len());
        for child in path.children() {
            if !self.report.has_time(child.node.place) {
                break;
            }
            let read = match child.node.name.as_str() {
                "body" => Child::Body(Box::new(Body {
                    table: self.table(&child),
                    children: self.tree_children(&child),
                })),
                "frame" => Child::Frame(Box::new(Frame {
                    table: self.table(&child),
                    children: self.tree_children(&child),
                })),
                "replicate" => Child::Replicate(Box::new(Replicate {
                    table: self.table(&child),
                    children: self.tree_children(&child),
                })),
                _ => match leaf(&child, self.report) {
                    Some(leaf) => leaf,
                    None => continue,
                },
            };
            children.push(read);
        }
        children
    }
}

/// An element that holds no bodies.
fn leaf(path: &Path<'_>, report: &mut Report) -> Option<Child> {
    Some(match path.node.name.as_str() {
        "inertial" => Child::Inertial(Box::new(fill::table(path, report))),
        "joint" => Child::Joint(Box::new(fill::table(path, report))),
        "freejoint" => Child::FreeJoint(Box::new(fill::table(path, report))),
        "geom" => Child::Geom(Box::new(Geom {
            table: fill::table(path, report),
            plugins: plugins(path, report),
        })),
        "attach" => Child::Attach(Box::new(fill::table(path, report))),
        "site" => Child::Site(Box::new(fill::table(path, report))),
        "camera" => Child::Camera(Box::new(fill::table(path, report))),
        "light" => Child::Light(Box::new(fill::table(path, report))),
        "plugin" => Child::Plugin(Box::new(plugin(path, report))),
        "composite" => Child::Composite(Box::new(composite(path, report))),
        "flexcomp" => Child::Flexcomp(Box::new(flexcomp(path, report))),
        _ => return None,
    })
}

fn composite(path: &Path<'_>, report: &mut Report) -> Composite {
    let mut composite = Composite {
        table: fill::table(path, report),
        plugins: plugins(path, report),
        ..Composite::default()
    };
    for child in path.children() {
        match child.node.name.as_str() {
            "joint" => composite.joints.push(fill::table(&child, report)),
            "skin" => composite.skin = Some(fill::table(&child, report)),
            "geom" => composite.geom = Some(fill::table(&child, report)),
            "site" => composite.site = Some(fill::table(&child, report)),
            _ => {}
        }
    }
    composite
}

fn flexcomp(path: &Path<'_>, report: &mut Report) -> Flexcomp {
    let mut flexcomp = Flexcomp {
        table: fill::table(path, report),
        plugins: plugins(path, report),
        ..Flexcomp::default()
    };
    for child in path.children() {
        match child.node.name.as_str() {
            "edge" => flexcomp.edge = Some(fill::table(&child, report)),
            "elasticity" => flexcomp.elasticity = Some(fill::table(&child, report)),
            "contact" => flexcomp.contact = Some(fill::table(&child, report)),
            "pin" => flexcomp.pins.push(fill::table(&child, report)),
            _ => {}
        }
    }
    flexcomp
}
