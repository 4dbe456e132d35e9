//! URDF → Spec.
//!
//! A `robot` is a flat list of links and joints. Links become bodies; a joint says which link is the
//! child of which and where it sits, and becomes a joint of the child unless it is fixed. The link
//! `world`, if there is one, is the world itself; other links without a parent stand in the world at
//! its origin. A link's `visual` and `collision` shapes become geoms. Angles are radians; `rpy`
//! turns about fixed axes x, y, z. What physics does not use (`mimic`, `transmission`, `velocity`,
//! `safety_controller`…) is passed over.
//!
//! A `mujoco` element may hold `compiler`, `option` and `size`. Unless it says otherwise, folders are
//! stripped from file names, static bodies are fused and visual geoms dropped.
//!
//! Conforms to `mjXURDF`, also in this: an inertia matrix that is not zero is taken along the axes of
//! the link, whatever `rpy` the inertial origin has.

#![deny(
    clippy::indexing_slicing,
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic
)]

mod geometry;
mod joint;
mod node;

use crate::place::At;
use crate::read::xml::Node;
use crate::report::Report;
use crate::spec::Spec;
use crate::spec::settings::Compiler;
use crate::spec::tree::{Body, Child, Inertial};
use geometry::Shapes;
use node::{Numbers, Origin};
use std::collections::BTreeMap;

/// Deepest chain of links.
const MOST_NESTED: usize = 1_000;

/// Reads links and joints into `spec`, whose settings stand in `compiler` already.
pub fn read(root: &Node, compiler: &Compiler, spec: &mut Spec, report: &mut Report) {
    let Some(mut links) = Links::collect(root, report) else {
        return;
    };
    let mut shapes = Shapes::new(root, compiler, report);
    for link in &mut links.list {
        if !report.has_time(link.node.place) {
            return;
        }
        if let Some(inertial) = node::only(link.node, "inertial", report) {
            link.inertial = inertial_of(inertial, report);
        }
        link.geoms = shapes.geoms(link.node, report);
    }
    spec.meshes = shapes.into_meshes();
    for joint in children_named(root, "joint") {
        if !report.has_time(joint.place) {
            return;
        }
        let Some(read) = joint::read(joint, report) else {
            continue;
        };
        let Some(link) = links.get_mut(&read.child) else {
            continue;
        };
        link.origin = read.origin;
        link.joints = read.joints;
    }
    spec.world = links.into_tree();
}

fn children_named<'n>(node: &'n Node, name: &'static str) -> impl Iterator<Item = &'n Node> {
    node.children.iter().filter(move |child| child.name == name)
}

/// A link and what is known about it.
struct Link<'n> {
    node: &'n Node,
    name: String,
    parent: Option<usize>,
    children: Vec<usize>,
    origin: Origin,
    inertial: Option<Inertial>,
    joints: Vec<Child>,
    geoms: Vec<Child>,
}

/// All links, and their tree.
struct Links<'n> {
    list: Vec<Link<'n>>,
    by_name: BTreeMap<String, usize>,
    /// Parents before children.
    order: Vec<usize>,
}

impl<'n> Links<'n> {
    /// Finds links and who holds whom. `None`: the links do not make a forest.
    fn collect(root: &'n Node, report: &mut Report) -> Option<Links<'n>> {
        let before = report.error_count();
        let mut links = Links {
            list: Vec::new(),
            by_name: BTreeMap::new(),
            order: Vec::new(),
        };
        for link in children_named(root, "link") {
            if !report.has_time(link.place) {
                return None;
            }
            let Some(name) = node::text(link, "name", report) else {
                continue;
            };
            if links
                .by_name
                .insert(name.value.clone(), links.list.len())
                .is_some()
            {
                let message = format!("two links are named \"{}\"", name.value);
                report
                    .error("urdf::repeated-name", name.place, message)
                    .element("link");
                continue;
            }
            links.list.push(Link {
                node: link,
                name: name.value,
                parent: None,
                children: Vec::new(),
                origin: Origin::default(),
                inertial: None,
                joints: Vec::new(),
                geoms: Vec::new(),
            });
        }
        for joint in children_named(root, "joint") {
            if !report.has_time(joint.place) {
                return None;
            }
            let parent = links.end_of(joint, "parent", report);
            let child = links.end_of(joint, "child", report);
            if let (Some(parent), Some(child)) = (parent, child) {
                links.connect(joint, parent, child, report);
            }
        }
        if report.error_count() > before || !links.sort(root, report) {
            return None;
        }
        Some(links)
    }

    fn get_mut(&mut self, name: &str) -> Option<&mut Link<'n>> {
        let index = self.by_name.get(name)?;
        self.list.get_mut(*index)
    }

    /// The link that `parent` or `child` of a joint names.
    fn end_of(&self, joint: &Node, which: &'static str, report: &mut Report) -> Option<usize> {
        let end = node::only_required(joint, which, report)?;
        let name = node::text(end, "link", report)?;
        let found = self.by_name.get(&name.value).copied();
        if found.is_none() {
            let message = format!("no link is named \"{}\"", name.value);
            let wants_hints = report.wants_hints();
            let entry = report.error("urdf::unknown-link", name.place, message);
            entry.element(which).attribute("link");
            let known = self.by_name.keys().map(String::as_str);
            if wants_hints && let Some(hint) = crate::nearest::nearest(&name.value, known) {
                entry.hint(format!("did you mean \"{hint}\"?"));
            }
        }
        found
    }

    fn connect(&mut self, joint: &Node, parent: usize, child: usize, report: &mut Report) {
        let Some(link) = self.list.get_mut(child) else {
            return;
        };
        if link.parent.is_some() || link.name == "world" {
            let message = if link.name == "world" {
                "the link \"world\" cannot be a child".to_string()
            } else {
                format!("link \"{}\" is the child of two joints", link.name)
            };
            report
                .error("urdf::tree", joint.place, message)
                .element("joint");
            return;
        }
        link.parent = Some(parent);
        if let Some(holder) = self.list.get_mut(parent) {
            holder.children.push(child);
        }
    }

    /// Puts parents before children; what is left over hangs in a ring.
    fn sort(&mut self, root: &Node, report: &mut Report) -> bool {
        let mut depth = vec![1usize; self.list.len()];
        let roots = 0..self.list.len();
        self.order = roots
            .filter(|index| {
                self.list
                    .get(*index)
                    .is_some_and(|link| link.parent.is_none())
            })
            .collect();
        let mut done = 0;
        while let Some(index) = self.order.get(done).copied() {
            done += 1;
            let level = depth.get(index).copied().unwrap_or(1) + 1;
            let children = self.list.get(index).map(|link| link.children.clone());
            for child in children.unwrap_or_default() {
                if let Some(slot) = depth.get_mut(child) {
                    *slot = level;
                }
                self.order.push(child);
            }
            if level > MOST_NESTED {
                let message = format!("links hang more than {MOST_NESTED} deep");
                report
                    .error("urdf::tree", root.place, message)
                    .element("robot");
                return false;
            }
        }
        if done == self.list.len() {
            return true;
        }
        // Follow parents from a link that was not reached until one comes again.
        let mut reached = vec![false; self.list.len()];
        for index in &self.order {
            if let Some(slot) = reached.get_mut(*index) {
                *slot = true;
            }
        }
        let mut at = reached.iter().position(|seen| !seen);
        let mut passed = vec![false; self.list.len()];
        let mut ring: Vec<&str> = Vec::new();
        while let Some((index, link)) = at.and_then(|at| Some((at, self.list.get(at)?))) {
            ring.push(&link.name);
            let before = passed
                .get_mut(index)
                .map(|slot| std::mem::replace(slot, true));
            if before != Some(false) {
                break;
            }
            at = link.parent;
        }
        ring.reverse();
        let ring: Vec<&str> = ring.into_iter().take(12).collect();
        let message = format!("links hang in a ring: {}", ring.join(" → "));
        report
            .error("urdf::tree", root.place, message)
            .element("robot");
        false
    }

    /// The children of the world.
    fn into_tree(self) -> Vec<Child> {
        let mut world = Vec::new();
        let mut waiting: Vec<Vec<Child>> = self.list.iter().map(|_| Vec::new()).collect();
        let mut slots: Vec<Option<Link>> = self.list.into_iter().map(Some).collect();
        // Children first, so that each body is complete when its parent takes it in.
        for index in self.order.iter().rev() {
            let Some(link) = slots.get_mut(*index).and_then(Option::take) else {
                continue;
            };
            let mut inside = waiting
                .get_mut(*index)
                .map(std::mem::take)
                .unwrap_or_default();
            inside.reverse();
            let parent = link.parent;
            let mut content = body_content(link, inside);
            let target = match parent {
                Some(parent) => waiting.get_mut(parent),
                None => Some(&mut world),
            };
            if let Some(target) = target {
                content.reverse();
                target.append(&mut content);
            }
        }
        world.reverse();
        world
    }
}

/// A link as a body; the link `world` is only its content.
fn body_content(link: Link, inside: Vec<Child>) -> Vec<Child> {
    let place = link.node.place;
    let mut children = Vec::new();
    if link.name == "world" {
        children.extend(link.geoms);
        children.extend(inside);
        return children;
    }
    children.extend(
        link.inertial
            .map(|inertial| Child::Inertial(Box::new(inertial))),
    );
    children.extend(link.joints);
    children.extend(link.geoms);
    children.extend(inside);
    let mut body = Body {
        children,
        ..Body::default()
    };
    body.table.place = place;
    body.table.name = Some(At::new(link.name, place));
    body.table.pos = Some(At::new(link.origin.pos, place));
    body.table.quat = Some(At::new(link.origin.quat, place));
    vec![Child::Body(Box::new(body))]
}

fn inertial_of(node: &Node, report: &mut Report) -> Option<Inertial> {
    let place = node.place;
    let origin = Origin::read(node, report);
    let mass = node::only_required(node, "mass", report)?;
    let mass = mass.numbers::<1>("value", report)?;
    let inertia = node::only_required(node, "inertia", report)?;
    let mut full = [0.0; 6];
    for (slot, name) in full
        .iter_mut()
        .zip(["ixx", "iyy", "izz", "ixy", "ixz", "iyz"])
    {
        [*slot] = inertia.numbers::<1>(name, report)?;
    }
    let mut out = Inertial {
        place,
        pos: Some(At::new(origin.pos, place)),
        mass: Some(At::new(mass[0], place)),
        ..Inertial::default()
    };
    // All zeros means that nobody knows.
    if full == [0.0; 6] {
        out.quat = Some(At::new(origin.quat, place));
    } else {
        out.fullinertia = Some(At::new(full, place));
    }
    Some(out)
}
