//! Newton's method for worlds side by side with several trees: each island is solved on its own, in all lanes that have it.
//!
//! Which trees rows tie together differs per lane. An island that several lanes have is gathered once, with the rows that
//! any of them has, and solved for those lanes.

use super::alone;
use super::constraint::in_lanes;
use super::contact::lane_set;
use super::group::Group;
use super::jacobian::KnownRows;
use super::merge::LaneSet;
use super::solve::{self, Answer, make_room};
use bytemuck::{Pod, cast, cast_slice, cast_slice_mut};
use sinew_dynamics::inertia::rows as inertia_rows;
use sinew_dynamics::row::contact::Friction;
use sinew_math::Real;
use sinew_math::tree::TreeRows;
use sinew_model::Model;
use sinew_model::view::Tree;
use sinew_solver::newton::{self, Solution};
use sinew_solver::problem::{Cone, inertia_scale};
use sinew_solver::{ConeShape, Method, Problem};

/// Trees, a bit each.
pub(super) type TreeSet = u64;

/// From so many trees of up to so many degrees of freedom on, the solver of one world has a Hessian in blocks.
const FEWEST_BLOCKS: u32 = 3;
const LARGEST_BLOCK: i32 = 12;

/// Trees that rows tie together, and the lanes in which they do.
#[derive(Clone, Copy, Debug)]
struct Island {
    trees: TreeSet,
    lanes: LaneSet,
}

/// The islands of all lanes.
#[derive(Clone, Debug, Default)]
pub(super) struct Islands<P> {
    list: Vec<Island>,
    /// Islands of each lane while they are found.
    joined: Vec<Vec<TreeSet>>,
    /// Lanes of shared rows that belong to the island at hand.
    lanes_of_shared: Vec<LaneSet>,
    part: Part<P>,
}

/// The trees of degrees of freedom.
pub(super) fn trees_of(model: &Model, columns: &[i32]) -> TreeSet {
    let tree = |&column: &i32| 1 << model.dof_treeid[column as usize];
    columns
        .iter()
        .map(tree)
        .fold(0, |set, tree: TreeSet| set | tree)
}

impl<P: Real> Islands<P> {
    /// Finds the islands of some lanes. Returns those whose islands are left to the solver of one world.
    fn find(&mut self, model: &Model, group: &Group<P>, lanes: LaneSet) -> LaneSet {
        self.joined.resize(P::LANES, Vec::new());
        for own in &mut self.joined {
            own.clear();
        }
        let store = &group.rows;
        for row in 0..store.kind.len() {
            let trees = trees_of(model, store.columns_of(row));
            let exists = lane_set::<P>(store.exists[row].equals(P::ONE));
            self.join(trees, exists & lanes);
        }
        if store.count > store.kind.len() {
            for share in &group.merge.shares {
                let pair = &group.plan.pairs[group.contacts[share.contact].pair];
                self.join(pair.trees, share.lanes & lanes);
            }
        }
        self.list.clear();
        let mut in_blocks = 0;
        for (lane, own) in self.joined.iter().enumerate() {
            for &trees in own {
                match self.list.iter_mut().find(|island| island.trees == trees) {
                    Some(island) => island.lanes |= 1 << lane,
                    None => self.list.push(Island {
                        trees,
                        lanes: 1 << lane,
                    }),
                }
                if has_blocks(model, trees) {
                    in_blocks |= 1 << lane;
                }
            }
        }
        in_blocks
    }

    /// Ties trees together in some lanes.
    fn join(&mut self, trees: TreeSet, lanes: LaneSet) {
        for lane in (0..P::LANES).filter(|lane| lanes & (1 << lane) != 0) {
            let own = &mut self.joined[lane];
            let mut all = trees;
            own.retain(|&other| {
                let is_apart = other & trees == 0;
                if !is_apart {
                    all |= other;
                }
                is_apart
            });
            own.push(all);
        }
    }
}

/// Whether the solver of one world has the Hessian of these trees in blocks.
fn has_blocks(model: &Model, trees: TreeSet) -> bool {
    let mut sizes = (0..model.ntree).filter(|tree| trees & (1 << tree) != 0);
    trees.count_ones() >= FEWEST_BLOCKS
        && sizes.all(|tree| model.tree_dofnum[tree] <= LARGEST_BLOCK)
}

/// Finds the constraint forces; returns the number of iterations.
#[inline(always)]
pub(super) fn solve<P: Real + Pod, T: Real + Pod>(
    model: &Model,
    group: &mut Group<P>,
    active: T::Mask,
) -> T {
    let mut islands = core::mem::take(&mut group.islands);
    let lanes = lane_set::<T>(active);
    let in_blocks = islands.find(model, group, lanes);
    start::<P, T>(model, group, active);
    hold_untouched::<P, T>(model, group, &islands);
    group.constraint.fill(P::ZERO);
    let mut iterations = T::ZERO;
    let Islands {
        list,
        lanes_of_shared,
        part,
        ..
    } = &mut islands;
    for island in list.iter() {
        let island = &Island {
            lanes: island.lanes & !in_blocks,
            ..*island
        };
        if island.lanes != 0 {
            part.gather_dofs(model, group, island);
            part.gather_rows::<T>(group, island, lanes_of_shared);
            let active = in_lanes::<T>(island.lanes);
            iterations += part.solve::<T>(model, &mut group.solver, active);
            part.scatter::<T>(group, active);
        }
    }
    group.islands = islands;
    if in_blocks != 0 {
        alone::solve_lanes(model, group, in_blocks);
    }
    iterations
}

/// Puts accelerations where all rows together say that a descent begins.
#[inline(always)]
fn start<P: Real + Pod, T: Real + Pod>(model: &Model, group: &mut Group<P>, active: T::Mask) {
    let matrices = &group.inertia.as_ref().cast::<T>();
    let smooth = &group.smooth.as_ref().cast::<T>();
    let start = (&*group.warm_start, cast(group.common.scale));
    let problem = solve::problem(model, &group.rows, matrices, smooth, start);
    make_room(&mut group.solver, newton::memory_length(&problem));
    group.answer.make_room(group.rows.count);
    let mut out =
        group
            .answer
            .solution::<T>(&mut group.qacc, &mut group.constraint, group.rows.count);
    newton::start(
        &problem,
        active,
        &mut out,
        cast_slice_mut(&mut group.solver),
    );
}

/// What no constraint touches moves as if there were none.
#[inline(always)]
fn hold_untouched<P: Real + Pod, T: Real + Pod>(
    model: &Model,
    group: &mut Group<P>,
    islands: &Islands<P>,
) {
    let smooth = group.smooth.as_ref().cast::<T>().qacc_smooth;
    let qacc = cast_slice_mut::<P, T>(&mut group.qacc);
    for tree in 0..model.ntree {
        let has = |island: &&Island| island.trees & (1 << tree) != 0;
        let lanes = islands.list.iter().filter(has);
        let touched = in_lanes::<T>(lanes.fold(0, |set, island| set | island.lanes));
        let first = model.tree_dofadr[tree] as usize;
        for dof in first..first + model.tree_dofnum[tree] as usize {
            qacc[dof] = T::select(touched, qacc[dof], smooth[dof]);
        }
    }
}

/// One island, gathered.
#[derive(Clone, Debug, Default)]
struct Part<P> {
    /// Its degrees of freedom, and the place of each of the model's among them.
    dofs: Vec<usize>,
    place: Vec<i32>,
    rownnz: Vec<i32>,
    rowadr: Vec<i32>,
    colind: Vec<i32>,
    inertia: Vec<P>,
    qfrc_smooth: Vec<P>,
    qacc_smooth: Vec<P>,
    qacc: Vec<P>,
    constraint: Vec<P>,
    equality_count: usize,
    friction_count: usize,
    /// Row of the group that each row is in, and the lanes that have it here.
    origin: Vec<(usize, LaneSet)>,
    entries: Vec<P>,
    columns: Vec<i32>,
    start: Vec<u32>,
    repeats: Vec<bool>,
    inverse: Vec<P>,
    regularisation: Vec<P>,
    frictionloss: Vec<P>,
    reference: Vec<P>,
    cones: Vec<Cone>,
    cone_shapes: Vec<ConeShape<P>>,
    answer: Answer<P>,
}

impl<P: Real + Pod> Part<P> {
    /// Degrees of freedom, with the inertia of their trees.
    #[inline(always)]
    fn gather_dofs(&mut self, model: &Model, group: &Group<P>, island: &Island) {
        let rows = inertia_rows(&Tree::from(model));
        self.dofs.clear();
        self.place.clear();
        for list in [&mut self.rownnz, &mut self.rowadr, &mut self.colind] {
            list.clear();
        }
        self.inertia.clear();
        for dof in 0..model.nv {
            let is_here = island.trees & (1 << model.dof_treeid[dof]) != 0;
            self.place.push(self.dofs.len() as i32);
            if is_here {
                let first = rows.rowadr[dof] as usize;
                let entries = first..first + rows.rownnz[dof] as usize;
                self.dofs.push(dof);
                self.rownnz.push(rows.rownnz[dof]);
                self.rowadr.push(self.colind.len() as i32);
                let columns = rows.colind[entries.clone()].iter();
                let place = &self.place;
                self.colind
                    .extend(columns.map(|&column| place[column as usize]));
                self.inertia.extend_from_slice(&group.inertia.M[entries]);
            }
        }
        for (out, from) in [
            (&mut self.qfrc_smooth, &group.smooth.qfrc_smooth),
            (&mut self.qacc_smooth, &group.smooth.qacc_smooth),
            (&mut self.qacc, &group.qacc),
            (&mut self.constraint, &group.constraint),
        ] {
            out.clear();
            out.extend(self.dofs.iter().map(|&dof| from[dof]));
        }
    }

    /// Rows, with columns renumbered.
    #[inline(always)]
    fn gather_rows<T: Real + Pod>(
        &mut self,
        group: &Group<P>,
        island: &Island,
        lanes_of_shared: &mut Vec<LaneSet>,
    ) {
        self.clear_rows();
        let store = &group.rows;
        let others = store.kind.len();
        for row in 0..others {
            // Rows tie trees together: one column tells which island they belong to.
            let first = store.columns_of(row).first();
            let is_own = first.is_some_and(|&column| self.has(column));
            let exists = lane_set::<P>(store.exists[row].equals(P::ONE));
            let lanes = exists & island.lanes;
            if !is_own || lanes == 0 {
                continue;
            }
            self.add_row::<T>(group, row, lanes, false);
            match row {
                _ if row < store.equality_count => self.equality_count += 1,
                _ if row < store.equality_count + store.friction_count => self.friction_count += 1,
                _ => {}
            }
        }
        if store.count > others {
            lanes_of_shared.clear();
            lanes_of_shared.resize(group.merge.shared.len(), 0);
            for share in &group.merge.shares {
                let pair = &group.plan.pairs[group.contacts[share.contact].pair];
                if pair.trees & !island.trees == 0 {
                    lanes_of_shared[share.shared] |= share.lanes & island.lanes;
                }
            }
            for (shared, &lanes) in group.merge.shared.iter().zip(&*lanes_of_shared) {
                if lanes != 0 {
                    self.add_contact::<T>(group, shared.friction, others + shared.row, lanes);
                }
            }
        }
    }

    /// Whether a degree of freedom is one of the island's.
    #[inline(always)]
    fn has(&self, dof: i32) -> bool {
        let place = self.place[dof as usize] as usize;
        self.dofs.get(place) == Some(&(dof as usize))
    }

    fn clear_rows(&mut self) {
        (self.equality_count, self.friction_count) = (0, 0);
        self.origin.clear();
        self.columns.clear();
        self.start.clear();
        self.start.push(0);
        self.repeats.clear();
        for list in [
            &mut self.entries,
            &mut self.inverse,
            &mut self.regularisation,
            &mut self.frictionloss,
            &mut self.reference,
        ] {
            list.clear();
        }
        self.cones.clear();
        self.cone_shapes.clear();
    }

    /// Adds a row in the lanes that have it here; in others it is zero.
    #[inline(always)]
    fn add_row<T: Real + Pod>(
        &mut self,
        group: &Group<P>,
        row: usize,
        lanes: LaneSet,
        repeats: bool,
    ) {
        let (store, mask) = (&group.rows, in_lanes::<T>(lanes));
        let keep = |x: P| cast::<T, P>(T::select(mask, cast::<P, T>(x), T::ZERO));
        let from = store.entries_of(row);
        let first = self.entries.len();
        self.entries.resize(first + self.dofs.len(), P::ZERO);
        for &column in store.columns_of(row) {
            if self.has(column) {
                let place = self.place[column as usize];
                self.columns.push(place);
                self.entries[first + place as usize] = keep(from[column as usize]);
            }
        }
        self.start.push(self.columns.len() as u32);
        self.repeats.push(repeats);
        self.origin.push((row, lanes));
        self.inverse.push(keep(store.inverse[row]));
        self.regularisation.push(keep(store.regularisation[row]));
        self.frictionloss.push(keep(store.frictionloss[row]));
        self.reference.push(keep(store.reference[row]));
    }

    /// Adds the rows of contacts that share them.
    #[inline(always)]
    fn add_contact<T: Real + Pod>(
        &mut self,
        group: &Group<P>,
        friction: Friction,
        first: usize,
        lanes: LaneSet,
    ) {
        if let Friction::Elliptic(dim) = friction {
            let mask = in_lanes::<T>(lanes);
            let keep = |x: P| cast::<T, P>(T::select(mask, cast::<P, T>(x), T::ZERO));
            let cones = &group.rows.cones;
            let cone = cones.partition_point(|cone| cone.row < first);
            let shape = group.rows.cone_shapes[cone];
            let row = self.origin.len();
            self.cones.push(Cone { row, dim });
            self.cone_shapes.push(shape.map(keep));
        }
        for k in 0..friction.rows() {
            self.add_row::<T>(group, first + k, lanes, k > 0);
        }
    }

    /// Solves the island from where it starts; returns the number of iterations.
    #[inline(always)]
    fn solve<T: Real + Pod>(&mut self, model: &Model, memory: &mut Vec<P>, active: T::Mask) -> T {
        let count = self.origin.len();
        let inertia_rows = TreeRows {
            rownnz: &self.rownnz,
            rowadr: &self.rowadr,
            colind: &self.colind,
        };
        let inertia = cast_slice::<P, T>(&self.inertia);
        let problem = Problem {
            equality_count: self.equality_count,
            friction_count: self.friction_count,
            jacobian: KnownRows {
                entries: cast_slice::<P, T>(&self.entries),
                columns: &self.columns,
                start: &self.start,
                repeats: &self.repeats,
            },
            cones: &self.cones,
            cone_shapes: cast_slice(&self.cone_shapes),
            pyramids: &[],
            D: cast_slice(&self.inverse),
            R: cast_slice(&self.regularisation),
            frictionloss: cast_slice(&self.frictionloss),
            aref: cast_slice(&self.reference),
            tree: &[],
            inertia_rows,
            inertia,
            factor: &[],
            factor_inverse: &[],
            qfrc_smooth: cast_slice(&self.qfrc_smooth),
            qacc_smooth: cast_slice(&self.qacc_smooth),
            warm_start: None,
            scale: inertia_scale(inertia_rows, inertia),
        };
        make_room(memory, newton::memory_length(&problem));
        self.answer.make_room(count);
        let settings = &solve::settings::<T>(model, Method::Newton);
        let (qacc, constraint) = (&mut self.qacc, &mut self.constraint);
        let mut out: Solution<'_, T> = self.answer.solution(qacc, constraint, count);
        newton::solve_from(&problem, settings, active, &mut out, cast_slice_mut(memory));
        out.iterations
    }

    /// Puts the solution to its place among all.
    #[inline(always)]
    fn scatter<T: Real + Pod>(&self, group: &mut Group<P>, active: T::Mask) {
        let put = |mask: T::Mask, new: P, old: &mut P| {
            *old = cast(T::select(mask, cast::<P, T>(new), cast::<P, T>(*old)));
        };
        for (i, &dof) in self.dofs.iter().enumerate() {
            put(active, self.qacc[i], &mut group.qacc[dof]);
            put(active, self.constraint[i], &mut group.constraint[dof]);
        }
        for (i, &(row, lanes)) in self.origin.iter().enumerate() {
            let force = self.answer.force[i];
            put(in_lanes::<T>(lanes), force, &mut group.answer.force[row]);
        }
    }
}
