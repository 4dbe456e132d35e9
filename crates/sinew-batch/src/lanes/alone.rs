//! Constraint forces of one world after the other, where worlds side by side have no method for all: conjugate gradients,
//! elliptic cones of Gauss and Seidel's method, noslip, islands of many small trees.
//!
//! The rows of a lane are taken out as the problem that its world has alone, in the same order.

use super::group::Group;
use super::merge::LaneSet;
use super::rows::RowStore;
use sinew_dynamics::inertia::rows as inertia_rows;
use sinew_dynamics::row::contact::Friction;
use sinew_engine::acceleration::constraint::settings;
use sinew_math::Real;
use sinew_model::Model;
use sinew_model::kinds::DisableFlag;
use sinew_model::view::Tree;
use sinew_solver::island::{Coupling, Islands};
use sinew_solver::problem::{Cone, ConeShape, Pyramid};
use sinew_solver::{Problem, Projection, Rows, Solution, Workspace};

/// The problem of one world, and what is found for it.
#[derive(Clone, Debug, Default)]
pub(super) struct Alone {
    equality_count: usize,
    friction_count: usize,
    /// First row of a contact.
    contact_start: usize,
    rownnz: Vec<i32>,
    rowadr: Vec<i32>,
    colind: Vec<i32>,
    repeats: Vec<bool>,
    value: Vec<f64>,
    full: Vec<f64>,
    /// Row of the group that each row is in.
    origin: Vec<usize>,
    cones: Vec<Cone>,
    cone_shapes: Vec<ConeShape>,
    pyramids: Vec<Pyramid>,
    inverse: Vec<f64>,
    regularisation: Vec<f64>,
    frictionloss: Vec<f64>,
    reference: Vec<f64>,
    inertia: Vec<f64>,
    factor: Vec<f64>,
    factor_inverse: Vec<f64>,
    qfrc_smooth: Vec<f64>,
    qacc_smooth: Vec<f64>,
    warm_start: Vec<f64>,
    islands: Islands,
    qacc: Vec<f64>,
    qfrc_constraint: Vec<f64>,
    force: Vec<f64>,
    state: Vec<i32>,
    b: Vec<f64>,
    projection: Projection,
    work: Workspace,
}

/// Finds the constraint forces of worlds that are still in their lanes; others move as if there were no constraints.
pub(super) fn solve<P: Real>(model: &Model, group: &mut Group<P>) {
    group.qacc.copy_from_slice(&group.smooth.qacc_smooth);
    group.constraint.fill(P::ZERO);
    group.effort = P::ZERO;
    group.answer.make_room(group.rows.count);
    let is_here =
        |lane: &usize| group.is_alive.lane(*lane) != 0.0 && group.is_left.lane(*lane) == 0.0;
    let lanes = (0..P::LANES)
        .filter(is_here)
        .fold(0, |set, lane| set | 1 << lane);
    solve_lanes(model, group, lanes);
}

/// Finds the constraint forces in some lanes.
pub(super) fn solve_lanes<P: Real>(model: &Model, group: &mut Group<P>, lanes: LaneSet) {
    let mut alone = core::mem::take(&mut group.alone);
    for lane in (0..P::LANES).filter(|lane| lanes & (1 << lane) != 0) {
        alone.take_rows(group, lane);
        let rows = alone.origin.len();
        group.effort.set_lane(lane, rows as f64);
        if rows > 0 {
            alone.take_inertia(group, lane);
            alone.solve(model, group.common.scale.lane(lane));
            put(&mut group.qacc, &alone.qacc, lane);
            put(&mut group.constraint, &alone.qfrc_constraint, lane);
            for (&row, &force) in alone.origin.iter().zip(&alone.force) {
                group.answer.force[row].set_lane(lane, force);
            }
        }
    }
    group.alone = alone;
}

fn put<P: Real>(cells: &mut [P], numbers: &[f64], lane: usize) {
    for (cell, &x) in cells.iter_mut().zip(numbers) {
        cell.set_lane(lane, x);
    }
}

fn take<P: Real>(out: &mut Vec<f64>, cells: &[P], lane: usize) {
    out.clear();
    out.extend(cells.iter().map(|cell| cell.lane(lane)));
}

impl Alone {
    /// Takes the rows of a lane.
    fn take_rows<P: Real>(&mut self, group: &Group<P>, lane: usize) {
        self.clear();
        let store = &group.rows;
        let others = store.kind.len();
        for row in (0..others).filter(|&row| store.exists[row].lane(lane) != 0.0) {
            let object = (store.kind[row], store.id[row]);
            let before = self.origin.last();
            let repeats = before.is_some_and(|&row| object == (store.kind[row], store.id[row]));
            self.take_row(store, row, store.columns_of(row), repeats, lane);
            match row {
                _ if row < store.equality_count => self.equality_count += 1,
                _ if row < store.equality_count + store.friction_count => self.friction_count += 1,
                _ => {}
            }
        }
        self.contact_start = self.origin.len();
        if store.count == others {
            return;
        }
        let mut before = None;
        let shares = group.merge.shares.iter();
        for share in shares.filter(|share| share.lanes & (1 << lane) != 0) {
            let pair = &group.plan.pairs[group.contacts[share.contact].pair];
            let (row, dim) = (self.origin.len(), pair.friction.dim());
            let first = others + group.merge.shared[share.shared].row;
            match pair.friction {
                Friction::None => {}
                Friction::Pyramidal(_) => self.pyramids.push(Pyramid { row, dim }),
                Friction::Elliptic(_) => {
                    let cone = store.cones.partition_point(|cone| cone.row < first);
                    let shape = store.cone_shapes[cone].map(|x| x.lane(lane));
                    self.cone_shapes.push(shape);
                    self.cones.push(Cone { row, dim });
                }
            }
            let bodies = Some(pair.candidate.bodies);
            for k in 0..pair.friction.rows() {
                let repeats = k > 0 || before == bodies;
                self.take_row(store, first + k, &pair.columns, repeats, lane);
            }
            before = bodies;
        }
    }

    fn clear(&mut self) {
        (self.equality_count, self.friction_count) = (0, 0);
        for list in [&mut self.rownnz, &mut self.rowadr, &mut self.colind] {
            list.clear();
        }
        for list in [
            &mut self.value,
            &mut self.full,
            &mut self.inverse,
            &mut self.regularisation,
            &mut self.frictionloss,
            &mut self.reference,
        ] {
            list.clear();
        }
        self.repeats.clear();
        self.origin.clear();
        self.cones.clear();
        self.cone_shapes.clear();
        self.pyramids.clear();
    }

    fn take_row<P: Real>(
        &mut self,
        store: &RowStore<P>,
        row: usize,
        columns: &[i32],
        repeats: bool,
        lane: usize,
    ) {
        let entries = store.entries_of(row);
        self.rownnz.push(columns.len() as i32);
        self.rowadr.push(self.value.len() as i32);
        self.colind.extend_from_slice(columns);
        self.repeats.push(repeats);
        let own = columns
            .iter()
            .map(|&column| entries[column as usize].lane(lane));
        self.value.extend(own);
        self.origin.push(row);
        self.inverse.push(store.inverse[row].lane(lane));
        self.regularisation
            .push(store.regularisation[row].lane(lane));
        self.frictionloss.push(store.frictionloss[row].lane(lane));
        self.reference.push(store.reference[row].lane(lane));
    }

    fn take_inertia<P: Real>(&mut self, group: &Group<P>, lane: usize) {
        take(&mut self.inertia, &group.inertia.M, lane);
        take(&mut self.factor, &group.inertia.qLD, lane);
        take(&mut self.factor_inverse, &group.inertia.qLDiagInv, lane);
        take(&mut self.qfrc_smooth, &group.smooth.qfrc_smooth, lane);
        take(&mut self.qacc_smooth, &group.smooth.qacc_smooth, lane);
        take(&mut self.warm_start, &group.warm_start, lane);
    }

    fn solve(&mut self, model: &Model, scale: f64) {
        let rows = self.origin.len();
        let jacobian = Rows {
            rownnz: &self.rownnz,
            rowadr: &self.rowadr,
            colind: &self.colind,
            repeats: &self.repeats,
            value: &self.value,
            full: None,
        };
        jacobian.expand(model.nv, &mut self.full);
        let has_islands = model.opt.disableflags & DisableFlag::Island.code() == 0;
        if has_islands {
            let coupling = Coupling {
                tree_dofadr: &model.tree_dofadr,
                tree_dofnum: &model.tree_dofnum,
                dof_treeid: &model.dof_treeid,
                jacobian,
                equality_count: self.equality_count,
                friction_count: self.friction_count,
                contact_start: self.contact_start,
            };
            // The plan has let no contacts within one body pass: every row has entries.
            self.islands.find(&coupling, |_| 0);
        }
        let warm = model.opt.disableflags & DisableFlag::Warmstart.code() == 0;
        let problem = Problem {
            equality_count: self.equality_count,
            friction_count: self.friction_count,
            jacobian: Rows {
                full: Some(&self.full),
                ..jacobian
            },
            cones: &self.cones,
            cone_shapes: &self.cone_shapes,
            pyramids: &self.pyramids,
            D: &self.inverse,
            R: &self.regularisation,
            frictionloss: &self.frictionloss,
            aref: &self.reference,
            tree: &model.dof_treeid,
            inertia_rows: inertia_rows(&Tree::from(model)),
            inertia: &self.inertia,
            factor: &self.factor,
            factor_inverse: &self.factor_inverse,
            qfrc_smooth: &self.qfrc_smooth,
            qacc_smooth: &self.qacc_smooth,
            warm_start: warm.then_some(&self.warm_start),
            scale,
        };
        self.qacc.resize(model.nv, 0.0);
        self.qfrc_constraint.resize(model.nv, 0.0);
        self.force.resize(rows, 0.0);
        self.state.resize(rows, 0);
        self.b.resize(rows, 0.0);
        let out = &mut Solution {
            qacc: &mut self.qacc,
            qfrc_constraint: &mut self.qfrc_constraint,
            force: &mut self.force,
            state: &mut self.state,
            b: &mut self.b,
            projection: &mut self.projection,
            iterations: &mut [],
            statistics: &mut [],
            work: &mut self.work,
        };
        let islands = has_islands.then_some(&self.islands);
        sinew_solver::solve(&problem, islands, &settings(model), out);
    }
}
