//! Inverse weights: means of the diagonal of J·M⁻¹·Jᵀ, how much a unit force accelerates a body, a
//! degree of freedom, an edge of a flex, a tendon, an actuator.
//!
//! Trees with long paths have [a way of their own](super::chain). Rows of J are solved several at a time ([`solve_many`]): the factor of a long chain is large, and
//! reading it costs more than the arithmetic. A row is solved within its tree only, and no further than
//! the last degree of freedom it has.

use super::chain::Chains;
use super::{ConstantsError, flex};
use crate::is_sparse;
use crate::position::jacobian::{for_each_dof, offset, translation_column};
use crate::position::{Position, inertia};
use core::ops::Range;
use sinew_dynamics::inertia::rows;
use sinew_math::MIN_VALUE;
use sinew_math::dense::{dot, norm};
use sinew_math::spatial::rotation;
use sinew_math::tree::solve_many;
use sinew_model::Model;
use sinew_model::joint::Layout;

/// Rows that are solved together.
const TOGETHER: usize = 8;

/// Fills `body_invweight0`, `dof_invweight0`, `flexedge_invweight0`, `tendon_invweight0` and
/// `actuator_acc0`. `may_go_on` is asked every few rows.
pub(super) fn compute(
    model: &mut Model,
    p: &mut Position,
    may_go_on: &mut dyn FnMut() -> bool,
) -> Result<(), ConstantsError> {
    let chains = Chains::find(model, p);
    if !chains.are_all_long() || model.ntendon + model.nu + model.nflexedge > 0 {
        inertia::factor(model, &mut p.inertia, &mut *may_go_on);
    }
    bodies(model, p, &chains, may_go_on)?;
    dofs(model, p, &chains, may_go_on)?;
    flex_edges(model, p, may_go_on)?;
    tendons(model, p, may_go_on)?;
    actuators(model, p, may_go_on)
}

/// What becomes of the solution of a row.
type Measure = fn(row: &[f64], solution: &[f64]) -> f64;

/// Rows of J that wait to be solved, and the results of those before.
struct Queue<'a> {
    model: &'a Model,
    p: &'a Position,
    may_go_on: &'a mut dyn FnMut() -> bool,
    measure: Measure,
    /// Whether a row's solution counts beyond the row's own degrees of freedom.
    wants_all: bool,
    /// Whether sums are grouped as over all degrees of freedom, not over those of the trees alone.
    sums_all: bool,
    /// One number of each waiting row per degree of freedom.
    waiting: Vec<[f64; TOGETHER]>,
    count: usize,
    /// The whole trees that the waiting rows are in, and the last degree of freedom they have.
    trees: Range<usize>,
    end: usize,
    solution: Vec<[f64; TOGETHER]>,
    row: Vec<f64>,
    column: Vec<f64>,
    results: Vec<f64>,
}

impl<'a> Queue<'a> {
    fn new(model: &'a Model, p: &'a Position, may_go_on: &'a mut dyn FnMut() -> bool) -> Self {
        Queue {
            model,
            p,
            may_go_on,
            measure: dot::<f64>,
            wants_all: false,
            sums_all: false,
            waiting: vec![[0.0; TOGETHER]; model.nv],
            count: 0,
            trees: 0..0,
            end: 0,
            solution: vec![[0.0; TOGETHER]; model.nv],
            row: Vec::with_capacity(model.nv),
            column: Vec::with_capacity(model.nv),
            results: Vec::new(),
        }
    }

    /// Adds a row that lies within whole trees; `fill` is given a function that sets its entries.
    fn push(
        &mut self,
        trees: Range<usize>,
        fill: impl FnOnce(&mut dyn FnMut(usize, f64)),
    ) -> Result<(), ConstantsError> {
        if self.count == TOGETHER || (self.count > 0 && self.trees != trees) {
            self.flush()?;
        }
        self.trees = trees;
        let lane = self.count;
        self.count += 1;
        fill(&mut |dof, value| {
            self.waiting[dof][lane] = value;
            self.end = self.end.max(dof + 1);
        });
        Ok(())
    }

    /// Adds a result that is known without solving.
    fn push_known(&mut self, result: f64) -> Result<(), ConstantsError> {
        if self.count > 0 {
            self.flush()?;
        }
        self.results.push(result);
        Ok(())
    }

    /// Solves what waits.
    fn flush(&mut self) -> Result<(), ConstantsError> {
        if !(self.may_go_on)() {
            return Err(ConstantsError::Interrupted);
        }
        let trees = self.trees.clone();
        let end = if self.wants_all {
            trees.end
        } else {
            self.end.max(trees.start)
        };
        // What is not solved counts for nothing: the row is zero there.
        self.solution[trees.clone()].copy_from_slice(&self.waiting[trees.clone()]);
        let inertia = &self.p.inertia;
        solve_many(
            rows(&self.model.into()),
            trees.start..end,
            &inertia.qLD,
            &inertia.qLDiagInv,
            &mut self.solution,
        );
        let (before, after) = self.margins(&trees);
        for lane in 0..self.count {
            for (out, rows) in [
                (&mut self.row, &self.waiting),
                (&mut self.column, &self.solution),
            ] {
                out.clear();
                out.resize(before, 0.0);
                out.extend(rows[trees.clone()].iter().map(|x| x[lane]));
                out.resize(out.len() + after, 0.0);
            }
            self.results.push((self.measure)(&self.row, &self.column));
        }
        self.waiting[trees].fill([0.0; TOGETHER]);
        self.count = 0;
        self.end = 0;
        Ok(())
    }

    /// Zeros before and after the trees with which products are summed up as over all degrees of freedom: four sums
    /// side by side, then what is left.
    fn margins(&self, trees: &Range<usize>) -> (usize, usize) {
        if !self.sums_all {
            return (0, 0);
        }
        let end = trees.end.next_multiple_of(4).min(self.model.nv);
        (trees.start % 4, end - trees.end)
    }

    /// The results of all rows, in the order they were added.
    fn finish(mut self) -> Result<std::vec::IntoIter<f64>, ConstantsError> {
        if self.count > 0 {
            self.flush()?;
        }
        Ok(self.results.into_iter())
    }
}

/// Whether the weights of a body come from rows: it moves, and not on sliders only.
fn has_rows(model: &Model, body: usize) -> bool {
    model.body_weldid[body] != 0 && model.body_simple[body] != 2
}

/// Means over translation and rotation of the centre of mass. A body that can only translate or only
/// rotate gets the one value for both.
fn bodies(
    model: &mut Model,
    p: &Position,
    chains: &Chains,
    may_go_on: &mut dyn FnMut() -> bool,
) -> Result<(), ConstantsError> {
    let mut queue = Queue::new(model, p, may_go_on);
    for i in (0..model.nbody).filter(|&i| has_rows(model, i)) {
        let offset = offset(model, &p.com, i, p.kinematics.xipos[i]);
        if chains.is_long(model.body_treeid[i]) {
            for weight in chains.body(i, offset) {
                queue.push_known(weight)?;
            }
            continue;
        }
        for half in 0..2 {
            for axis in 0..3 {
                queue.push(tree_dofs(model, model.body_treeid[i]), |set| {
                    for_each_dof(model, i, |dof| {
                        let cdof = &p.com.cdof[dof];
                        let value = if half == 0 {
                            translation_column(cdof, offset)[axis]
                        } else {
                            rotation(cdof)[axis]
                        };
                        set(dof, value);
                    });
                })?;
            }
        }
    }
    let mut weights = queue.finish()?;
    for i in 0..model.nbody {
        let weight = if model.body_weldid[i] == 0 {
            [0.0, 0.0]
        } else if !has_rows(model, i) {
            [1.0 / slider_mass(model, i)?, 0.0]
        } else {
            let mean = |weights: &mut std::vec::IntoIter<f64>| {
                weights
                    .by_ref()
                    .take(3)
                    .fold(0.0, |sum, weight| sum + weight)
                    / 3.0
            };
            let (translation, rotation) = (mean(&mut weights), mean(&mut weights));
            if translation < MIN_VALUE && rotation > MIN_VALUE {
                [rotation; 2]
            } else if rotation < MIN_VALUE && translation > MIN_VALUE {
                [translation; 2]
            } else {
                [translation, rotation]
            }
        };
        model.unchecked().body_invweight0[i] = weight;
    }
    Ok(())
}

/// Means over the degrees of freedom of each ball, and of each half of a free joint.
fn dofs(
    model: &mut Model,
    p: &Position,
    chains: &Chains,
    may_go_on: &mut dyn FnMut() -> bool,
) -> Result<(), ConstantsError> {
    let mut queue = Queue::new(model, p, may_go_on);
    for dof in 0..model.nv {
        if model.body_simple[model.dof_bodyid[dof] as usize] == 2 {
            continue;
        }
        if chains.is_long(model.dof_treeid[dof]) {
            queue.push_known(chains.dof(dof))?;
        } else {
            let trees = tree_dofs(model, model.dof_treeid[dof]);
            queue.push(trees, |set| set(dof, 1.0))?;
        }
    }
    let mut weights = queue.finish()?;
    for j in 0..model.njnt {
        let first = model.jnt_dofadr[j] as usize;
        let body = model.jnt_bodyid[j] as usize;
        if model.body_simple[body] == 2 {
            model.unchecked().dof_invweight0[first] = 1.0 / slider_mass(model, body)?;
            continue;
        }
        let layout = Layout::of(model.jnt_type[j]);
        let group = if layout.turns { 3 } else { 1 };
        for start in (0..layout.dofs()).step_by(group) {
            let sum = weights
                .by_ref()
                .take(group)
                .fold(0.0, |sum, weight| sum + weight);
            let mean = if group == 1 { sum } else { sum / 3.0 };
            let dofs = first + start..first + start + group;
            model.unchecked().dof_invweight0[dofs].fill(mean);
        }
    }
    Ok(())
}

/// Edges between bodies that only slide need no solution: the mean of their inverse masses.
fn flex_edges(
    model: &mut Model,
    p: &Position,
    may_go_on: &mut dyn FnMut() -> bool,
) -> Result<(), ConstantsError> {
    let slides = |model: &Model, body: usize| model.body_simple[body] == 2;
    let has_row = |model: &Model, f: usize, edge: usize| {
        let [a, b] = flex::end_bodies(model, f, edge);
        let is_fixed = model.flexedge_rigid[edge] != 0 || model.nv == 0;
        let needs_none = is_fixed || (slides(model, a) && slides(model, b));
        !needs_none
    };
    let deformed = |model: &Model| -> Vec<usize> {
        let flexes = 0..model.nflex;
        flexes.filter(|&f| model.flex_interp[f] == 0).collect()
    };
    let mut queue = Queue::new(model, p, may_go_on);
    queue.sums_all = true;
    for f in deformed(model) {
        for edge in flex::edges(model, f).filter(|&edge| has_row(model, f, edge)) {
            let mut trees = Span::default();
            flex::for_each_entry(model, p, f, edge, |dof, _| {
                trees.include(tree_dofs(model, model.dof_treeid[dof]));
            });
            queue.push(trees.0, |set| {
                flex::for_each_entry(model, p, f, edge, set);
            })?;
        }
    }
    let mut weights = queue.finish()?;
    for f in deformed(model) {
        for edge in flex::edges(model, f) {
            let weight = if has_row(model, f, edge) {
                weights.next().unwrap_or(0.0)
            } else if model.flexedge_rigid[edge] != 0 || model.nv == 0 {
                0.0
            } else {
                let [a, b] = flex::end_bodies(model, f, edge);
                (1.0 / model.body_mass[a] + 1.0 / model.body_mass[b]) / 2.0
            };
            model.unchecked().flexedge_invweight0[edge] = weight;
        }
    }
    Ok(())
}

fn tendons(
    model: &mut Model,
    p: &Position,
    may_go_on: &mut dyn FnMut() -> bool,
) -> Result<(), ConstantsError> {
    let mut queue = Queue::new(model, p, may_go_on);
    for i in 0..model.ntendon {
        let mut trees = Span::default();
        p.tendon.for_each_entry(is_sparse(model), i, |dof, value| {
            if value != 0.0 {
                trees.include(tree_dofs(model, model.dof_treeid[dof]));
            }
        });
        queue.push(trees.0, |set| {
            p.tendon.for_each_entry(is_sparse(model), i, |dof, value| {
                if value != 0.0 {
                    set(dof, value);
                }
            });
        })?;
    }
    for (i, weight) in queue.finish()?.enumerate() {
        model.unchecked().tendon_invweight0[i] = weight;
    }
    Ok(())
}

/// Length of the acceleration that unit actuator force causes.
fn actuators(
    model: &mut Model,
    p: &Position,
    may_go_on: &mut dyn FnMut() -> bool,
) -> Result<(), ConstantsError> {
    let mut queue = Queue::new(model, p, may_go_on);
    queue.measure = |_, solution| norm(solution);
    queue.wants_all = true;
    for i in 0..model.nu {
        let (columns, values) = p.transmission.row(i);
        let mut trees = Span::default();
        for &dof in columns {
            trees.include(tree_dofs(model, model.dof_treeid[dof as usize]));
        }
        queue.push(trees.0, |set| {
            for (&dof, &value) in columns.iter().zip(values) {
                set(dof as usize, value);
            }
        })?;
    }
    for (i, acceleration) in queue.finish()?.enumerate() {
        model.unchecked().actuator_acc0[i] = acceleration;
    }
    Ok(())
}

/// The smallest range that holds several.
#[derive(Default)]
struct Span(Range<usize>);

impl Span {
    fn include(&mut self, other: Range<usize>) {
        self.0 = if self.0.is_empty() {
            other
        } else {
            self.0.start.min(other.start)..self.0.end.max(other.end)
        };
    }
}

/// The degrees of freedom of a tree.
fn tree_dofs(model: &Model, tree: i32) -> Range<usize> {
    let first = model.tree_dofadr[tree as usize] as usize;
    first..first + model.tree_dofnum[tree as usize] as usize
}

fn slider_mass(model: &Model, body: usize) -> Result<f64, ConstantsError> {
    match model.body_mass[body] {
        0.0 => Err(ConstantsError::MasslessBody(body)),
        mass => Ok(mass.max(MIN_VALUE)),
    }
}
