//! Which bodies may touch.
//!
//! A body pair can ever touch if the bodies are not rigidly attached to each other, are not parent
//! and child (unless the parent is the world, or the filter is off), their contact bits match and
//! they are not excluded. Lists of such bodies and pairs are kept as long as the model has the
//! contact bits and the filter they were made for. Every step compares bounding boxes, at two levels:
//!
//! - within a kinematic tree, along a list of the pairs that can ever touch;
//! - between trees, first the boxes around whole trees, swept along the axis on which the trees
//!   are spread widest, then the bodies of the trees that overlap.
//!
//! Static bodies are trees of their own here. The world, and bodies with a plane, are everywhere.
//! Boxes are conservative, so this decides cost and never contacts. What the reference loses by
//! rounding is taken out later (`sweep.rs`).

use super::storage::{leave_room, limit};
use crate::position::kinematics::Kinematics;
use sinew_math::Vec3;
use sinew_model::Model;
use sinew_model::kinds::{DisableFlag, EnableFlag, GeomType};
use std::ops::Range;

/// Another axis is swept when the trees are this much wider spread along it.
const CLEARLY_WIDER: f64 = 1.25;

#[derive(Clone, Copy, Debug, Default)]
struct Bounds {
    low: Vec3,
    high: Vec3,
}

impl Bounds {
    const EVERYTHING: Bounds = Bounds {
        low: Vec3([f64::NEG_INFINITY; 3]),
        high: Vec3([f64::INFINITY; 3]),
    };
    const NOTHING: Bounds = Bounds {
        low: Vec3([f64::INFINITY; 3]),
        high: Vec3([f64::NEG_INFINITY; 3]),
    };

    #[inline]
    fn overlap(&self, other: &Bounds) -> bool {
        (0..3).all(|k| self.low[k] <= other.high[k] && other.low[k] <= self.high[k])
    }

    #[inline]
    fn include(&mut self, low: Vec3, high: Vec3) {
        for k in 0..3 {
            if low[k] < self.low[k] {
                self.low[k] = low[k];
            }
            if high[k] > self.high[k] {
                self.high[k] = high[k];
            }
        }
    }
}

/// Bodies of one kinematic tree, or one static body.
#[derive(Clone, Debug)]
struct Group {
    /// Positions in the list of bodies.
    members: Range<u32>,
    is_static: bool,
    /// Pairs of members that may ever touch, in the list of candidates.
    candidates: Range<u32>,
}

#[derive(Clone, Debug, Default)]
pub(super) struct Broad {
    /// Bodies with geoms that can touch anything, ascending.
    bodies: Vec<u32>,
    /// Bounding boxes, parallel to `bodies`.
    bounds: Vec<Bounds>,
    groups: Vec<Group>,
    /// Bounding boxes, parallel to `groups`.
    group_bounds: Vec<Bounds>,
    /// Pairs of positions in `bodies`, within a group, that may ever touch.
    candidates: Vec<[u32; 2]>,
    /// What the lists were made for: contact bits of all bodies, and whether the parent filter is on.
    contype: Vec<i32>,
    conaffinity: Vec<i32>,
    is_parent_filtered: bool,
    /// Whether the lists hold no pair at all.
    is_empty: bool,
    /// The axis swept, and the groups but the world's by ascending lower bound along it.
    axis: usize,
    order: Vec<u32>,
    /// The groups' boxes in that order.
    sorted: Vec<Bounds>,
    /// Members of a group that reach into another group's box.
    reaching: Vec<u32>,
    /// Body pairs whose boxes overlap, in ascending order.
    active: Pairs,
}

/// Pairs of bodies, as many as there is memory for.
#[derive(Clone, Debug, Default)]
struct Pairs {
    /// The lower body in the upper half.
    list: Vec<u64>,
    /// How many there may be.
    most: usize,
    /// How many more there were.
    left_out: usize,
}

impl Pairs {
    fn clear(&mut self) {
        self.list.clear();
        self.left_out = 0;
    }

    #[inline]
    fn push(&mut self, first: u32, second: u32) {
        let list = &mut self.list;
        if list.len() == list.capacity() && !self.may_grow() {
            self.left_out += 1;
            return;
        }
        self.list.push(pack(first, second));
    }

    /// A full list grows by a half, as long as it is not too long and leaves memory for the contacts.
    #[cold]
    fn may_grow(&mut self) -> bool {
        let length = self.list.len();
        let more = (length / 2).max(16).min(self.most.saturating_sub(length));
        let bytes = (length + more) * size_of::<u64>();
        more > 0 && leave_room(bytes) && self.list.try_reserve_exact(more).is_ok()
    }
}

/// More pairs than these do not fit: they may take half of what there is.
fn most_pairs(model: &Model) -> usize {
    limit(model) / (2 * size_of::<u64>())
}

/// A pair of bodies as one number, ordered by the first.
#[inline]
fn pack(first: u32, second: u32) -> u64 {
    u64::from(first) << 32 | u64::from(second)
}

impl Broad {
    pub fn new(model: &Model) -> Broad {
        let mut broad = Broad::default();
        broad.list(model);
        broad
    }

    /// Whether the lists were made for the contact bits and the filter of the model.
    fn fits(&self, model: &Model) -> bool {
        self.is_parent_filtered == is_parent_filtered(model)
            && self.contype == model.body_contype
            && self.conaffinity == model.body_conaffinity
    }

    /// Lists the bodies that can touch anything, their groups and the candidates.
    fn list(&mut self, model: &Model) {
        self.is_parent_filtered = is_parent_filtered(model);
        self.contype.clone_from(&model.body_contype);
        self.conaffinity.clone_from(&model.body_conaffinity);
        let can_touch = |b: &usize| model.body_contype[*b] != 0 || model.body_conaffinity[*b] != 0;
        self.bodies.clear();
        self.bodies.extend(
            (0..model.nbody)
                .filter(|b| model.body_geomnum[*b] > 0)
                .filter(can_touch)
                .map(|b| b as u32),
        );
        self.list_groups(model);
        self.list_candidates(model);
        self.bounds.resize(self.bodies.len(), Bounds::default());
        self.group_bounds
            .resize(self.groups.len(), Bounds::default());
        let is_world_first = u32::from(self.bodies.first() == Some(&0));
        self.order.clear();
        self.order.extend(is_world_first..self.groups.len() as u32);
        self.active.clear();
        self.active.most = most_pairs(model);
        self.with_world(model);
        let lists_nothing = self.active.list.is_empty() && self.candidates.is_empty();
        self.is_empty = lists_nothing && self.order.len() < 2;
    }

    /// Bodies of one tree follow each other.
    fn list_groups(&mut self, model: &Model) {
        self.groups.clear();
        let mut last = -1;
        for (i, &body) in self.bodies.iter().enumerate() {
            let i = i as u32;
            let tree = model.body_treeid[body as usize];
            match self.groups.last_mut() {
                Some(group) if tree >= 0 && tree == last => group.members.end = i + 1,
                _ => self.groups.push(Group {
                    members: i..i + 1,
                    is_static: tree < 0,
                    candidates: 0..0,
                }),
            }
            last = tree;
        }
    }

    fn list_candidates(&mut self, model: &Model) {
        self.candidates.clear();
        for group in &mut self.groups {
            let start = self.candidates.len() as u32;
            for i in group.members.clone() {
                for j in i + 1..group.members.end {
                    let pair = [i, j].map(|k| self.bodies[k as usize] as usize);
                    if may_touch(model, pair[0], pair[1]) {
                        self.candidates.push([i, j]);
                    }
                }
            }
            group.candidates = start..self.candidates.len() as u32;
        }
    }

    /// Pairs found by the last [`update`](Self::update).
    pub(crate) fn pairs(&self) -> impl Iterator<Item = [u32; 2]> {
        let pairs = self.active.list.iter();
        pairs.map(|pair| [(pair >> 32) as u32, *pair as u32])
    }

    /// Pairs that were found and did not fit.
    pub(super) fn left_out(&self) -> usize {
        self.active.left_out
    }

    /// Bytes of the pairs.
    pub(super) fn bytes(&self) -> usize {
        size_of_val(&self.active.list[..])
    }

    /// Adds pairs of other kinds to those found by the last [`update`](Self::update).
    pub(crate) fn add(&mut self, pairs: &[[u32; 2]]) {
        for &[first, second] in pairs {
            self.active.push(first, second);
        }
        self.active.list.sort_unstable();
    }

    pub(crate) fn update(&mut self, model: &Model, kinematics: &Kinematics) {
        if !self.fits(model) {
            self.list(model);
        }
        self.active.clear();
        self.active.most = most_pairs(model);
        if self.is_empty {
            return;
        }
        for (body, bounds) in self.bodies.iter().zip(&mut self.bounds) {
            *bounds = body_bounds(model, kinematics, *body as usize);
        }
        self.with_world(model);
        let start = self.active.list.len();
        for group in 0..self.groups.len() {
            self.within(group);
        }
        if self.order.len() > 1 {
            self.sort();
            self.sweep(model);
            self.active.list[start..].sort_unstable();
        }
    }

    /// Pairs of the world, which is everywhere, with moving bodies; they come first.
    fn with_world(&mut self, model: &Model) {
        if self.bodies.first() != Some(&0) {
            return;
        }
        for group in self.groups[1..].iter().filter(|group| !group.is_static) {
            for &body in &self.bodies[group.members.start as usize..group.members.end as usize] {
                if is_allowed(model, 0, body as usize) {
                    self.active.push(0, body);
                }
            }
        }
    }

    /// Tests the candidates of a group, and bounds the group.
    fn within(&mut self, group: usize) {
        let Group {
            members,
            candidates,
            ..
        } = &self.groups[group];
        let mut around = Bounds::NOTHING;
        for bounds in &self.bounds[members.start as usize..members.end as usize] {
            around.include(bounds.low, bounds.high);
        }
        self.group_bounds[group] = around;
        for &[i, j] in &self.candidates[candidates.start as usize..candidates.end as usize] {
            if self.bounds[i as usize].overlap(&self.bounds[j as usize]) {
                let [first, second] = [i, j].map(|k| self.bodies[k as usize]);
                self.active.push(first, second);
            }
        }
    }

    /// Sorts the groups along the axis of widest spread. They move little between steps, so
    /// insertion is cheap.
    fn sort(&mut self) {
        let mut centres = Bounds::NOTHING;
        for group in &self.order {
            let bounds = &self.group_bounds[*group as usize];
            let twice = bounds.low + bounds.high;
            if twice.iter().all(|x| x.is_finite()) {
                centres.include(twice, twice);
            }
        }
        let spread = centres.high - centres.low;
        for axis in 0..3 {
            if spread[axis] > CLEARLY_WIDER * spread[self.axis] {
                self.axis = axis;
            }
        }
        let low = |group: u32| self.group_bounds[group as usize].low[self.axis];
        for k in 1..self.order.len() {
            let moving = self.order[k];
            let value = low(moving);
            let mut slot = k;
            while slot > 0 && low(self.order[slot - 1]) > value {
                self.order[slot] = self.order[slot - 1];
                slot -= 1;
            }
            self.order[slot] = moving;
        }
        self.sorted.clear();
        let bounds = self.order.iter().map(|g| self.group_bounds[*g as usize]);
        self.sorted.extend(bounds);
    }

    /// Finds the overlapping pairs of bodies of different groups.
    fn sweep(&mut self, model: &Model) {
        let axis = self.axis;
        for k in 0..self.order.len() {
            let own = self.sorted[k];
            let reach = own.high[axis];
            for l in k + 1..self.order.len() {
                let other = &self.sorted[l];
                if other.low[axis] > reach {
                    break;
                }
                if own.overlap(other) {
                    self.between(model, self.order[k] as usize, self.order[l] as usize);
                }
            }
        }
    }

    /// Tests the members of two groups whose boxes overlap. Bodies of different trees are neither
    /// attached to each other nor parent and child; two static bodies are attached.
    fn between(&mut self, model: &Model, first: usize, second: usize) {
        let (first, second) = (first.min(second), first.max(second));
        let (group1, group2) = (&self.groups[first], &self.groups[second]);
        if group1.is_static && group2.is_static {
            return;
        }
        // The box around one body is that body's.
        if group1.members.len() == 1 && group2.members.len() == 1 {
            let [body, other] =
                [group1, group2].map(|group| self.bodies[group.members.start as usize]);
            if is_allowed(model, body as usize, other as usize) {
                self.active.push(body, other);
            }
            return;
        }
        let around = self.group_bounds[first];
        self.reaching.clear();
        self.reaching.extend(
            group2
                .members
                .clone()
                .filter(|j| self.bounds[*j as usize].overlap(&around)),
        );
        if self.reaching.is_empty() {
            return;
        }
        let around = self.group_bounds[second];
        for i in group1.members.clone() {
            let own = self.bounds[i as usize];
            if !own.overlap(&around) {
                continue;
            }
            let body = self.bodies[i as usize];
            for &j in &self.reaching {
                if own.overlap(&self.bounds[j as usize]) {
                    let other = self.bodies[j as usize];
                    if is_allowed(model, body as usize, other as usize) {
                        self.active.push(body, other);
                    }
                }
            }
        }
    }
}

fn is_parent_filtered(model: &Model) -> bool {
    model.opt.disableflags & DisableFlag::Filterparent.code() == 0
}

/// Whether two bodies are among those that are compared.
pub(super) fn can_meet(model: &Model, first: usize, second: usize) -> bool {
    let has_geoms = |body: usize| model.body_geomnum[body] > 0;
    has_geoms(first) && has_geoms(second) && may_touch(model, first, second)
}

/// Whether two bodies can touch in any configuration.
fn may_touch(model: &Model, first: usize, second: usize) -> bool {
    let weld1 = model.body_weldid[first];
    let weld2 = model.body_weldid[second];
    if weld1 == weld2 {
        return false;
    }
    let parent = |weld: i32| model.body_weldid[model.body_parentid[weld as usize] as usize];
    if is_parent_filtered(model)
        && weld1 != 0
        && weld2 != 0
        && (weld1 == parent(weld2) || weld2 == parent(weld1))
    {
        return false;
    }
    is_allowed(model, first, second)
}

/// Whether contact bits match and the pair, the lower body first, is not excluded.
fn is_allowed(model: &Model, first: usize, second: usize) -> bool {
    let matches = model.body_contype[first] & model.body_conaffinity[second] != 0
        || model.body_contype[second] & model.body_conaffinity[first] != 0;
    if !matches {
        return false;
    }
    if model.exclude_signature.is_empty() {
        return true;
    }
    let signature = ((first as i32) << 16).wrapping_add(second as i32);
    let excluded = model
        .exclude_signature
        .binary_search_by_key(&(signature as u32), |s| *s as u32);
    excluded.is_err()
}

/// A box around all geoms of a body, margins included. The world and static bodies with a plane
/// are everywhere.
#[inline]
fn body_bounds(model: &Model, kinematics: &Kinematics, body: usize) -> Bounds {
    if body == 0 {
        return Bounds::EVERYTHING;
    }
    let is_overridden = model.opt.enableflags & EnableFlag::Override.code() != 0;
    let mut bounds = Bounds::NOTHING;
    let start = model.body_geomadr[body] as usize;
    for geom in start..start + model.body_geomnum[body] as usize {
        if model.geom_type[geom] == GeomType::Plane.code() {
            return Bounds::EVERYTHING;
        }
        let margin = if is_overridden {
            0.5 * model.opt.o_margin
        } else {
            model.geom_margin[geom]
        };
        let reach = reach(model, kinematics, geom, margin);
        let centre = kinematics.geom_xpos[geom];
        bounds.include(centre - reach, centre + reach);
    }
    bounds
}

/// How far a geom and its margin reach along the world's axes. Only two boxes can be given contacts
/// beyond their margin: where corners face each other, by a factor of up to √3.
#[inline]
fn reach(model: &Model, kinematics: &Kinematics, geom: usize, margin: f64) -> Vec3 {
    const BOX: i32 = GeomType::Box.code();
    const CAPSULE: i32 = GeomType::Capsule.code();
    const SLACK: f64 = 1.0 + 1e-9;
    let size = model.geom_size[geom];
    let mat = &kinematics.geom_xmat[geom];
    match model.geom_type[geom] {
        BOX => {
            let side = |k: usize| {
                let [x, y, z] = mat.row(k).0;
                (x * size[0]).abs() + (y * size[1]).abs() + (z * size[2]).abs()
            };
            Vec3([side(0), side(1), side(2)]) * SLACK + Vec3([1.75 * margin; 3])
        }
        CAPSULE => {
            let side = |k: usize| size[0] + (mat.row(k)[2] * size[1]).abs();
            Vec3([side(0), side(1), side(2)]) * SLACK + Vec3([margin; 3])
        }
        _ => Vec3([model.geom_rbound[geom] + margin; 3]),
    }
}
