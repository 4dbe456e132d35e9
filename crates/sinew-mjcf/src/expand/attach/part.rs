//! The part of a sub-model that is copied: one body, or everything in its world.

use crate::expand::Assembly;
use crate::expand::rename::copy_tree;
use crate::expand::walk::value;
use crate::report::Report;
use crate::spec::tree::{Body, Child};
use std::ops::Range;

/// The part of a sub-model that is copied.
pub struct Part {
    /// What is copied.
    pub children: Vec<Child>,
    /// Class in force where the part stands.
    pub class: Option<String>,
    /// Whether it is a single body.
    pub is_body: bool,
    /// Its joints, counted in document order.
    pub joints: Range<usize>,
    /// Its mocap bodies, counted in document order.
    pub mocaps: Range<usize>,
}

/// Joints and mocap bodies passed so far.
#[derive(Clone, Copy, Default)]
struct Passed {
    joints: usize,
    mocaps: usize,
}

impl Part {
    /// Everything in the world of a model.
    pub fn world(model: &Assembly, report: &mut Report) -> Part {
        let mut all = Passed::default();
        all.pass(&model.spec.world);
        Part {
            children: copy_tree(&model.spec.world, report),
            class: None,
            is_body: false,
            joints: 0..all.joints,
            mocaps: 0..all.mocaps,
        }
    }

    /// The first body with a name.
    pub fn body(model: &Assembly, name: &str, report: &mut Report) -> Option<Part> {
        let mut passed = Passed::default();
        find(&model.spec.world, name, None, &mut passed, report)
    }
}

impl Passed {
    fn pass(&mut self, children: &[Child]) {
        for child in children {
            self.pass_one(child);
        }
    }

    fn pass_one(&mut self, child: &Child) {
        match child {
            Child::Joint(_) | Child::FreeJoint(_) => self.joints += 1,
            Child::Frame(frame) => self.pass(&frame.children),
            Child::Body(body) => {
                self.pass_body(body);
                self.pass(&body.children);
            }
            _ => {}
        }
    }

    fn pass_body(&mut self, body: &Body) {
        self.mocaps += usize::from(value(&body.table.mocap).unwrap_or(false));
    }
}

fn find(
    children: &[Child],
    name: &str,
    class: Option<&str>,
    passed: &mut Passed,
    report: &mut Report,
) -> Option<Part> {
    for child in children {
        match child {
            Child::Body(body) => {
                let own = body.table.childclass.as_ref().map(|at| at.value.as_str());
                if body.table.name.as_ref().is_some_and(|at| at.value == name) {
                    let before = *passed;
                    passed.pass_one(child);
                    return Some(Part {
                        children: copy_tree(std::slice::from_ref(child), report),
                        class: own.or(class).map(str::to_string),
                        is_body: true,
                        joints: before.joints..passed.joints,
                        mocaps: before.mocaps..passed.mocaps,
                    });
                }
                passed.pass_body(body);
                if let Some(part) = find(&body.children, name, own.or(class), passed, report) {
                    return Some(part);
                }
            }
            Child::Frame(frame) => {
                let own = frame
                    .table
                    .childclass
                    .as_ref()
                    .or(frame.table.class.as_ref());
                let own = own.map(|at| at.value.as_str());
                if let Some(part) = find(&frame.children, name, own.or(class), passed, report) {
                    return Some(part);
                }
            }
            other => passed.pass_one(other),
        }
    }
    None
}
