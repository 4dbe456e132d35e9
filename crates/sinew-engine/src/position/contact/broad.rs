//! Which bodies may touch.
//!
//! A body pair can ever touch if the bodies are not rigidly attached to each other, are not parent
//! and child (unless the parent is the world, or the filter is off), their contact bits match and
//! they are not excluded. For small models these pairs are listed once and each step compares
//! bounding boxes along the list. Large models sort the boxes along x, keeping the order of the
//! last step, and sweep.
//!
//! Boxes are conservative, so this decides cost and never contacts. What the reference loses by
//! rounding is taken out later (`sweep.rs`).

use crate::position::kinematics::Kinematics;
use sinew_math::Vec3;
use sinew_model::Model;
use sinew_model::kinds::{DisableFlag, EnableFlag, GeomType};

/// Models with at most this many collidable bodies keep a list of pairs.
const MOST_LISTED: usize = 300;

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

    #[inline]
    fn overlap(&self, other: &Bounds) -> bool {
        (0..3).all(|k| self.low[k] <= other.high[k] && other.low[k] <= self.high[k])
    }
}

#[derive(Clone, Debug, Default)]
pub(super) struct Broad {
    /// Bodies with geoms that can touch anything.
    bodies: Vec<u32>,
    /// Bounding boxes, parallel to `bodies`.
    bounds: Vec<Bounds>,
    /// Pairs of positions in `bodies` that may ever touch; empty when sweeping.
    candidates: Vec<[u32; 2]>,
    /// Positions in `bodies` by ascending lower x bound.
    order: Vec<u32>,
    /// The list was made with the parent filter on.
    is_parent_filtered: bool,
    is_listed: bool,
    /// Body pairs whose boxes overlap, in ascending order.
    active: Vec<[u32; 2]>,
}

impl Broad {
    pub fn new(model: &Model) -> Broad {
        let can_touch = |b: &usize| model.body_contype[*b] != 0 || model.body_conaffinity[*b] != 0;
        let bodies: Vec<u32> = (0..model.nbody)
            .filter(|b| model.body_geomnum[*b] > 0)
            .filter(can_touch)
            .map(|b| b as u32)
            .collect();
        let mut broad = Broad {
            bounds: vec![Bounds::default(); bodies.len()],
            order: (0..bodies.len() as u32).collect(),
            is_listed: bodies.len() <= MOST_LISTED,
            bodies,
            ..Broad::default()
        };
        broad.list_candidates(model);
        broad
    }

    /// Pairs found by the last [`update`](Self::update).
    pub fn pairs(&self) -> &[[u32; 2]] {
        &self.active
    }

    pub fn update(&mut self, model: &Model, kinematics: &Kinematics) {
        if self.is_listed && self.is_parent_filtered != is_parent_filtered(model) {
            self.list_candidates(model);
        }
        for (body, bounds) in self.bodies.iter().zip(&mut self.bounds) {
            *bounds = body_bounds(model, kinematics, *body as usize);
        }
        self.active.clear();
        if self.is_listed {
            for &[i, j] in &self.candidates {
                if self.bounds[i as usize].overlap(&self.bounds[j as usize]) {
                    self.active
                        .push([self.bodies[i as usize], self.bodies[j as usize]]);
                }
            }
        } else {
            self.sweep(model);
        }
    }

    fn list_candidates(&mut self, model: &Model) {
        self.candidates.clear();
        self.is_parent_filtered = is_parent_filtered(model);
        if !self.is_listed {
            return;
        }
        for i in 0..self.bodies.len() {
            for j in i + 1..self.bodies.len() {
                if may_touch(model, self.bodies[i] as usize, self.bodies[j] as usize) {
                    self.candidates.push([i as u32, j as u32]);
                }
            }
        }
    }

    fn sweep(&mut self, model: &Model) {
        // Insertion sort: bodies move little between steps.
        for k in 1..self.order.len() {
            let moving = self.order[k];
            let value = self.bounds[moving as usize].low[0];
            let mut slot = k;
            while slot > 0 && self.bounds[self.order[slot - 1] as usize].low[0] > value {
                self.order[slot] = self.order[slot - 1];
                slot -= 1;
            }
            self.order[slot] = moving;
        }
        for (k, &i) in self.order.iter().enumerate() {
            let reach = self.bounds[i as usize].high[0];
            for &j in &self.order[k + 1..] {
                if self.bounds[j as usize].low[0] > reach {
                    break;
                }
                if self.bounds[i as usize].overlap(&self.bounds[j as usize]) {
                    let (a, b) = (self.bodies[i as usize], self.bodies[j as usize]);
                    let pair = [a.min(b), a.max(b)];
                    if may_touch(model, pair[0] as usize, pair[1] as usize) {
                        self.active.push(pair);
                    }
                }
            }
        }
        self.active.sort_unstable();
    }
}

fn is_parent_filtered(model: &Model) -> bool {
    model.opt.disableflags & DisableFlag::Filterparent.code() == 0
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
    let matches = model.body_contype[first] & model.body_conaffinity[second] != 0
        || model.body_contype[second] & model.body_conaffinity[first] != 0;
    if !matches {
        return false;
    }
    let signature = ((first as i32) << 16).wrapping_add(second as i32);
    let excluded = model
        .exclude_signature
        .binary_search_by_key(&(signature as u32), |s| *s as u32);
    excluded.is_err()
}

/// A box around all geoms of a body, margins included. The world and static bodies with a plane
/// are everywhere.
fn body_bounds(model: &Model, kinematics: &Kinematics, body: usize) -> Bounds {
    if body == 0 {
        return Bounds::EVERYTHING;
    }
    let is_overridden = model.opt.enableflags & EnableFlag::Override.code() != 0;
    let mut bounds = Bounds {
        low: Vec3([f64::INFINITY; 3]),
        high: Vec3([f64::NEG_INFINITY; 3]),
    };
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
        let reach = model.geom_rbound[geom] + margin;
        let centre = kinematics.geom_xpos[geom];
        for k in 0..3 {
            bounds.low[k] = bounds.low[k].min(centre[k] - reach);
            bounds.high[k] = bounds.high[k].max(centre[k] + reach);
        }
    }
    bounds
}
