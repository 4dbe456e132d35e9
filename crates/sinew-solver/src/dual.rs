//! Projected Gauss–Seidel over forces, and noslip.
//!
//! The dual problem is: minimise ½fᵀ(A + R)f + fᵀb over the admissible forces, A = J·M⁻¹·Jᵀ and
//! b = J·aₛ − a_ref. One sweep visits the rows in order and minimises over one row, or one
//! contact, at a time. *Noslip* afterwards sweeps over friction only, without the regularisation
//! R and with normal forces held, so that what should stick sticks.
//!
//! Whichever way the forces come about, a = aₛ + M⁻¹Jᵀf satisfies the equations of motion.

use crate::cost;
use crate::problem::{Columns, Cone, Problem, Pyramid, Rows, Settings, Statistic, state};
use crate::qcqp;
use sinew_math::MIN_VALUE;
use sinew_math::dense::{add_scaled, dot, norm};
use sinew_math::tree::{self, dot_sparse};

/// A + R in compressed rows (columns ascending), with the sparsity of shared kinematic trees.
#[derive(Clone, Debug, Default)]
pub struct Projection {
    /// First entry of each row; one more than rows.
    pub start: Vec<usize>,
    /// Column of each entry.
    pub colind: Vec<i32>,
    /// The entries.
    pub value: Vec<f64>,
    /// Whether sums over a row run in the order they would have in a full matrix.
    is_dense: bool,
    half: Half,
    inverse_sqrt: Vec<f64>,
    sum: Vec<f64>,
    mark: Vec<usize>,
}

/// X = J·L⁻¹·D^(−½) in compressed rows, and its columns: A = X·Xᵀ.
#[derive(Clone, Debug, Default)]
struct Half {
    rownnz: Vec<i32>,
    rowadr: Vec<i32>,
    colind: Vec<i32>,
    value: Vec<f64>,
    columns: Columns,
    buffer: Vec<f64>,
    mark: Vec<usize>,
}

impl Half {
    /// Solves row by row. A row of X has the columns of J's row and all their ancestors.
    fn compute(&mut self, problem: &Problem<'_>, inverse_sqrt: &[f64]) {
        let (n, rows) = (problem.dof_count(), problem.row_count());
        let tree = problem.inertia_rows;
        for list in [&mut self.rownnz, &mut self.rowadr, &mut self.colind] {
            list.clear();
        }
        self.value.clear();
        self.buffer.clear();
        self.buffer.resize(n, 0.0);
        self.mark.clear();
        self.mark.resize(n, 0);
        for i in 0..rows {
            let (columns, values) = problem.jacobian.row(i);
            let start = self.colind.len();
            for (&column, &value) in columns.iter().zip(values) {
                self.buffer[column as usize] = value;
                let ancestors = tree.rowadr[column as usize] as usize;
                let end = ancestors + tree.rownnz[column as usize] as usize;
                for &ancestor in &tree.colind[ancestors..end] {
                    if self.mark[ancestor as usize] != i + 1 {
                        self.mark[ancestor as usize] = i + 1;
                        self.colind.push(ancestor);
                    }
                }
            }
            let pattern = &mut self.colind[start..];
            pattern.sort_unstable();

            // Substitution from the last column to the first.
            for &column in pattern.iter().rev() {
                let value = self.buffer[column as usize];
                if value == 0.0 {
                    continue;
                }
                let first = tree.rowadr[column as usize] as usize;
                let diagonal = first + tree.rownnz[column as usize] as usize - 1;
                let entries = problem.factor[first..diagonal].iter();
                for (&ancestor, &entry) in tree.colind[first..diagonal].iter().zip(entries) {
                    self.buffer[ancestor as usize] -= entry * value;
                }
            }
            for &column in pattern.iter() {
                let column = column as usize;
                self.value.push(self.buffer[column] * inverse_sqrt[column]);
                self.buffer[column] = 0.0;
            }
            self.rowadr.push(start as i32);
            self.rownnz.push((self.colind.len() - start) as i32);
        }
        let matrix = Rows {
            rownnz: &self.rownnz,
            rowadr: &self.rowadr,
            colind: &self.colind,
            repeats: problem.jacobian.repeats,
            value: &self.value,
            full: None,
        };
        self.columns.collect(&matrix, n);
    }

    /// Columns and entries of row `i`.
    fn row(&self, i: usize) -> (&[i32], &[f64]) {
        let start = self.rowadr[i] as usize;
        let end = start + self.rownnz[i] as usize;
        (&self.colind[start..end], &self.value[start..end])
    }
}

impl Projection {
    /// No rows. Storage stays.
    pub fn clear(&mut self) {
        self.start.clear();
        self.colind.clear();
        self.value.clear();
    }

    /// Computes A + R. Rows are coupled where they share a degree of freedom after the half solve;
    /// each entry is summed over the shared degrees of freedom in ascending order.
    #[doc(alias = "mj_projectConstraint")]
    pub fn compute(&mut self, problem: &Problem<'_>) {
        let (n, rows) = (problem.dof_count(), problem.row_count());
        let tree = problem.inertia_rows;
        self.is_dense = problem.jacobian.full.is_some();
        self.inverse_sqrt.clear();
        self.inverse_sqrt.extend((0..n).map(|i| {
            let diagonal = tree.rowadr[i] + tree.rownnz[i] - 1;
            1.0 / problem.factor[diagonal as usize].sqrt()
        }));
        if self.is_dense {
            self.compute_full(problem);
            return;
        }
        self.half.compute(problem, &self.inverse_sqrt);

        self.start.clear();
        self.colind.clear();
        self.value.clear();
        self.start.push(0);
        self.sum.clear();
        self.sum.resize(rows, 0.0);
        self.mark.clear();
        self.mark.resize(rows, 0);
        for i in 0..rows {
            let (columns, values) = self.half.row(i);
            for (&column, &value) in columns.iter().zip(values) {
                let (others, entries) = self.half.columns.column(column as usize);
                for (&j, &entry) in others.iter().zip(entries) {
                    let j = j as usize;
                    if self.mark[j] != i + 1 {
                        self.mark[j] = i + 1;
                        self.sum[j] = 0.0;
                    }
                    self.sum[j] += entry * value;
                }
            }
            // A row without any degree of freedom still has its diagonal.
            self.mark[i] = i + 1;
            self.sum[i] = dot(values, values) + problem.R[i];
            for j in 0..rows {
                if self.mark[j] == i + 1 {
                    self.colind.push(j as i32);
                    self.value.push(self.sum[j]);
                }
            }
            self.start.push(self.colind.len());
        }
    }

    /// All entries, from the columns of a full X.
    fn compute_full(&mut self, problem: &Problem<'_>) {
        let (n, rows) = (problem.dof_count(), problem.row_count());
        self.sum.clear();
        self.sum.resize(n, 0.0);
        // Column c of X starts at c · rows.
        let half = &mut self.half.value;
        half.clear();
        half.resize(n * rows, 0.0);
        for i in 0..rows {
            self.sum.fill(0.0);
            let (columns, values) = problem.jacobian.row(i);
            for (&column, &value) in columns.iter().zip(values) {
                self.sum[column as usize] = value;
            }
            tree::half_solve(
                problem.inertia_rows,
                problem.factor,
                &self.inverse_sqrt,
                &mut self.sum,
            );
            for (column, &value) in self.sum.iter().enumerate() {
                half[column * rows + i] = value;
            }
        }
        self.start.clear();
        self.start.extend((0..=rows).map(|i| i * rows));
        self.colind.clear();
        self.value.clear();
        self.value.resize(rows * rows, 0.0);
        for (i, out) in self.value.chunks_exact_mut(rows.max(1)).enumerate() {
            self.colind.extend(0..rows as i32);
            for column in half.chunks_exact(rows) {
                if column[i] != 0.0 {
                    add_scaled(out, column, column[i]);
                }
            }
            out[i] += problem.R[i];
        }
    }

    /// Columns and entries of row `i`.
    #[inline]
    pub fn row(&self, i: usize) -> (&[i32], &[f64]) {
        let range = self.start[i]..self.start[i + 1];
        (&self.colind[range.clone()], &self.value[range])
    }

    /// Entry (i, j).
    fn entry(&self, i: usize, j: usize) -> f64 {
        let (columns, values) = self.row(i);
        if self.is_dense {
            return values[j];
        }
        columns
            .binary_search(&(j as i32))
            .map_or(0.0, |k| values[k])
    }

    /// Row i of (A + R)·f
    #[inline]
    fn product(&self, i: usize, f: &[f64]) -> f64 {
        let (columns, values) = self.row(i);
        if self.is_dense {
            dot(values, f)
        } else {
            dot_sparse(values, columns, f)
        }
    }

    /// out = (A + R)·f
    pub fn multiply(&self, f: &[f64], out: &mut [f64]) {
        for (i, out) in out.iter_mut().enumerate() {
            *out = self.product(i, f);
        }
    }
}

/// Storage kept between solves.
#[derive(Clone, Debug, Default)]
pub struct Workspace {
    /// 1 over the diagonal.
    inverse_diagonal: Vec<f64>,
    /// The diagonal, as 1 over that.
    curvature: Vec<f64>,
    old_state: Vec<i32>,
}

/// Gauss–Seidel from the forces given; returns the number of sweeps.
#[doc(alias = "mj_solPGS")]
pub fn solve(
    problem: &Problem<'_>,
    projection: &Projection,
    b: &[f64],
    settings: &Settings,
    force: &mut [f64],
    row_state: &mut [i32],
    work: &mut Workspace,
    mut report: impl FnMut(usize, Statistic),
) -> usize {
    let rows = problem.row_count();
    work.inverse_diagonal.clear();
    work.inverse_diagonal
        .extend((0..rows).map(|i| 1.0 / projection.entry(i, i)));
    work.curvature.clear();
    work.curvature
        .extend(work.inverse_diagonal.iter().map(|inverse| 1.0 / inverse));
    classify(problem, force, row_state);

    let relaxation = Relaxation {
        problem,
        inverse_diagonal: &work.inverse_diagonal,
        curvature: &work.curvature,
    };
    // Rows of a full matrix go four at a time while nothing but themselves has to be asked.
    let in_fours = match projection.is_dense && problem.cones.is_empty() {
        true => rows / 4,
        false => 0,
    };
    let mut sweep = 0;
    while sweep < settings.iterations {
        let mut improvement = 0.0;
        for block in 0..in_fours {
            improvement = relaxation.four(projection, b, block, force, improvement);
        }
        let mut cones = problem.cones.iter().peekable();
        let mut i = 4 * in_fours;
        while i < rows {
            if let Some(cone) = cones.next_if(|cone| cone.row == i) {
                improvement -= sweep_cone(projection, b, cone, force);
                i += cone.dim;
                continue;
            }
            let gradient = residual(projection, b, force, i);
            (force[i], improvement) = relaxation.one(i, force[i], gradient, improvement);
            i += 1;
        }
        improvement *= problem.scale;
        let changes = reclassify(problem, force, row_state, &mut work.old_state);
        report(
            sweep,
            Statistic {
                improvement,
                nactive: changes.0,
                nchange: changes.1,
                ..Statistic::default()
            },
        );
        sweep += 1;
        if improvement < settings.tolerance {
            break;
        }
    }
    sweep
}

/// The best force of one row while all others stay.
struct Relaxation<'a> {
    problem: &'a Problem<'a>,
    inverse_diagonal: &'a [f64],
    curvature: &'a [f64],
}

impl Relaxation<'_> {
    /// The new force of row `i`, and the improvement with it.
    #[inline(always)]
    fn one(&self, i: usize, old: f64, gradient: f64, improvement: f64) -> (f64, f64) {
        let problem = self.problem;
        let friction = problem.equality_count..problem.equality_count + problem.friction_count;
        let mut new = old - gradient * self.inverse_diagonal[i];
        if friction.contains(&i) {
            let bound = problem.frictionloss[i];
            if new < -bound {
                new = -bound;
            } else if new > bound {
                new = bound;
            }
        } else if i >= friction.end && new < 0.0 {
            new = 0.0;
        }
        let delta = new - old;
        let change = 0.5 * delta * delta * self.curvature[i] + delta * gradient;
        // An update that raises the cost is not made.
        if change > MOST_RISE {
            (old, improvement)
        } else {
            (new, improvement - change)
        }
    }

    /// Four rows of a full matrix, one after the other. Their forces stay in registers: a number
    /// that was just written cannot be read at once as part of a wider piece of memory.
    #[inline(always)]
    fn four(
        &self,
        projection: &Projection,
        b: &[f64],
        block: usize,
        force: &mut [f64],
        mut improvement: f64,
    ) -> f64 {
        let (blocks, _) = force.as_chunks::<4>();
        let mut new = blocks[block];
        macro_rules! lane {
            ($lane:literal) => {
                let i = 4 * block + $lane;
                let gradient = b[i] + dot_with(projection.row(i).1, force, block, new);
                (new[$lane], improvement) = self.one(i, new[$lane], gradient, improvement);
            };
        }
        lane!(0);
        lane!(1);
        lane!(2);
        lane!(3);
        force.as_chunks_mut::<4>().0[block] = new;
        improvement
    }
}

/// [`dot`] with other numbers in the place of four.
#[inline(always)]
fn dot_with(a: &[f64], x: &[f64], block: usize, instead: [f64; 4]) -> f64 {
    let ((a, a_rest), (x, x_rest)) = (a.as_chunks::<4>(), x.as_chunks::<4>());
    let mut sum = [0.0; 4];
    let mut add = |a: &[f64; 4], x: &[f64; 4]| {
        for k in 0..4 {
            sum[k] += a[k] * x[k];
        }
    };
    for (a, x) in a[..block].iter().zip(&x[..block]) {
        add(a, x);
    }
    add(&a[block], &instead);
    for (a, x) in a[block + 1..].iter().zip(&x[block + 1..]) {
        add(a, x);
    }
    let total = (sum[0] + sum[2]) + (sum[1] + sum[3]);
    match (a_rest, x_rest) {
        (&[a, b, c], &[x, y, z]) => total + (a * x + b * y + c * z),
        (&[a, b], &[x, y]) => total + (a * x + b * y),
        (&[a], &[x]) => total + a * x,
        _ => total,
    }
}

/// Sweeps over friction without regularisation; returns the number of sweeps.
#[doc(alias = "mj_solNoSlip")]
pub fn no_slip(
    problem: &Problem<'_>,
    pyramids: &[Pyramid],
    projection: &Projection,
    b: &[f64],
    iterations: usize,
    tolerance: f64,
    force: &mut [f64],
    row_state: &mut [i32],
    work: &mut Workspace,
    mut report: impl FnMut(usize, Statistic),
) -> usize {
    let rows = problem.row_count();
    let R = problem.R;
    work.inverse_diagonal.clear();
    work.inverse_diagonal
        .extend((0..rows).map(|i| 1.0 / (projection.entry(i, i) - R[i]).max(MIN_VALUE)));
    classify(problem, force, row_state);

    let friction = problem.equality_count..problem.equality_count + problem.friction_count;
    let mut sweep = 0;
    while sweep < iterations {
        let mut improvement = 0.0;
        // Dropping R lowers the cost by what it contributed.
        if sweep == 0 {
            improvement = (0..rows).map(|i| 0.5 * force[i] * force[i] * R[i]).sum();
        }
        for i in friction.clone() {
            let gradient = residual(projection, b, force, i) - R[i] * force[i];
            let old = force[i];
            let bound = problem.frictionloss[i];
            let inverse = work.inverse_diagonal[i];
            let free = old - gradient * inverse;
            force[i] = if free < -bound {
                -bound
            } else if free > bound {
                bound
            } else {
                free
            };
            let delta = force[i] - old;
            improvement -= 0.5 * delta * delta / inverse + delta * gradient;
        }
        for pyramid in pyramids {
            for row in (pyramid.row..pyramid.row + 2 * (pyramid.dim - 1)).step_by(2) {
                improvement -= slide_pair(projection, b, R, row, force);
            }
        }
        for cone in problem.cones {
            improvement -= slide_cone(projection, b, R, cone, force);
        }
        improvement *= problem.scale;
        let changes = reclassify(problem, force, row_state, &mut work.old_state);
        report(
            sweep,
            Statistic {
                improvement,
                nactive: changes.0,
                nchange: changes.1,
                ..Statistic::default()
            },
        );
        sweep += 1;
        if improvement < tolerance {
            break;
        }
    }
    sweep
}

/// qfrc_constraint = Jᵀf, qacc = aₛ + M⁻¹·Jᵀf
pub fn finish(problem: &Problem<'_>, force: &[f64], qfrc_constraint: &mut [f64], qacc: &mut [f64]) {
    problem.jacobian.multiply_transposed(force, qfrc_constraint);
    qacc.copy_from_slice(qfrc_constraint);
    tree::solve(
        problem.inertia_rows,
        problem.factor,
        problem.factor_inverse,
        qacc,
    );
    for (a, smooth) in qacc.iter_mut().zip(problem.qacc_smooth) {
        *a += smooth;
    }
}

/// Gradient of the dual cost for one row: b + (A + R)f.
#[inline(always)]
fn residual(projection: &Projection, b: &[f64], force: &[f64], i: usize) -> f64 {
    b[i] + projection.product(i, force)
}

/// The diagonal block of A + R, or of A with its diagonal kept above 1e-10.
fn block(projection: &Projection, start: usize, n: usize, without: Option<&[f64]>) -> [f64; 36] {
    let mut out = [0.0; 36];
    for i in 0..n {
        for j in 0..n {
            out[i * n + j] = projection.entry(start + i, start + j);
        }
        if let Some(R) = without {
            out[i * n + i] = (out[i * n + i] - R[start + i]).max(1e-10);
        }
    }
    out
}

/// A cost change above this counts as a rise.
const MOST_RISE: f64 = 1e-10;

/// Cost change of a block update; an update that raises the cost is taken back.
fn accept(a: &[f64], force: &mut [f64], old: &[f64], gradient: &[f64]) -> f64 {
    let n = force.len();
    let mut delta = [0.0; 6];
    for i in 0..n {
        delta[i] = force[i] - old[i];
    }
    let delta = &delta[..n];
    let change = 0.5 * quadratic(a, delta) + dot(delta, gradient);
    if change > MOST_RISE {
        force.copy_from_slice(old);
        return 0.0;
    }
    change
}

/// xᵀAx
fn quadratic(a: &[f64], x: &[f64]) -> f64 {
    let n = x.len();
    let mut sum = 0.0;
    for i in 0..n {
        sum += x[i] * dot(&a[i * n..(i + 1) * n], x);
    }
    sum
}

/// One elliptic contact: along its force ray, then friction with the normal force held.
fn sweep_cone(projection: &Projection, b: &[f64], cone: &Cone, force: &mut [f64]) -> f64 {
    let dim = cone.dim;
    let rows = cone.row..cone.row + dim;
    let a = block(projection, cone.row, dim, None);
    let mut old = [0.0; 6];
    old[..dim].copy_from_slice(&force[rows.clone()]);
    let mut gradient = [0.0; 6];
    for j in 0..dim {
        gradient[j] = residual(projection, b, force, cone.row + j);
    }
    let f = &mut force[rows];

    if f[0] < MIN_VALUE {
        f[0] = (f[0] - gradient[0] * (1.0 / a[0])).max(0.0);
        f[1..].fill(0.0);
    } else {
        let mut product = [0.0; 6];
        for i in 0..dim {
            product[i] = dot(&a[i * dim..(i + 1) * dim], &old[..dim]);
        }
        let curvature = dot(&old[..dim], &product[..dim]);
        if curvature >= MIN_VALUE {
            let mut x = -dot(&old[..dim], &gradient[..dim]) / curvature;
            if f[0] + x * old[0] < 0.0 {
                x = -old[0] / f[0];
            }
            for j in 0..dim {
                f[j] += x * old[j];
            }
        }
    }

    let n = dim - 1;
    let mut tangential = [0.0; 25];
    let mut right = [0.0; 5];
    for j in 0..n {
        let row = &a[(j + 1) * dim + 1..(j + 2) * dim];
        tangential[j * n..(j + 1) * n].copy_from_slice(row);
        right[j] = gradient[j + 1] - dot(row, &old[1..dim]);
        right[j] += a[(j + 1) * dim] * (f[0] - old[0]);
    }
    solve_friction(&tangential, &right, cone, f);
    accept(&a[..dim * dim], f, &old[..dim], &gradient[..dim])
}

/// Friction of one contact with the normal force `f[0]` held: the bounded quadratic minimum, put
/// exactly onto the cone where the bound is active.
fn solve_friction(a: &[f64], b: &[f64], cone: &Cone, f: &mut [f64]) {
    let n = cone.dim - 1;
    if f[0] < MIN_VALUE {
        f[1..].fill(0.0);
        return;
    }
    let (mut x, is_bounded) = qcqp::minimise(a, b, &cone.friction, f[0], n);
    if is_bounded {
        let mut sum = 0.0;
        for j in 0..n {
            sum += x[j] * x[j] / (cone.friction[j] * cone.friction[j]);
        }
        let scale = (f[0] * f[0] / sum.max(MIN_VALUE)).sqrt();
        for value in &mut x[..n] {
            *value *= scale;
        }
    }
    f[1..].copy_from_slice(&x[..n]);
}

/// Noslip on one elliptic contact.
fn slide_cone(
    projection: &Projection,
    b: &[f64],
    R: &[f64],
    cone: &Cone,
    force: &mut [f64],
) -> f64 {
    let n = cone.dim - 1;
    let first = cone.row + 1;
    let a = block(projection, first, n, Some(R));
    let mut old = [0.0; 5];
    let mut gradient = [0.0; 5];
    let mut right = [0.0; 5];
    old[..n].copy_from_slice(&force[first..first + n]);
    for j in 0..n {
        gradient[j] = residual(projection, b, force, first + j) - R[first + j] * force[first + j];
        right[j] = gradient[j] - dot(&a[j * n..(j + 1) * n], &old[..n]);
    }
    let f = &mut force[cone.row..cone.row + cone.dim];
    solve_friction(&a, &right, cone, f);
    accept(&a[..n * n], &mut f[1..], &old[..n], &gradient[..n])
}

/// Noslip on two opposing edges of a pyramid: their sum is held.
fn slide_pair(projection: &Projection, b: &[f64], R: &[f64], row: usize, force: &mut [f64]) -> f64 {
    let a = block(projection, row, 2, Some(R));
    let old = [force[row], force[row + 1]];
    let mut gradient = [0.0; 2];
    let mut right = [0.0; 2];
    for k in 0..2 {
        gradient[k] = residual(projection, b, force, row + k) - R[row + k] * force[row + k];
        right[k] = gradient[k] - dot(&a[2 * k..2 * k + 2], &old);
    }
    let f = &mut force[row..row + 2];
    let middle = 0.5 * (f[0] + f[1]);
    let curvature = a[0] + a[3] - a[1] - a[2];
    let slope = middle * (a[0] - a[3]) + right[0] - right[1];
    if curvature < MIN_VALUE {
        f.fill(middle);
    } else {
        let y = -slope / curvature;
        if y < -middle {
            f.copy_from_slice(&[0.0, 2.0 * middle]);
        } else if y > middle {
            f.copy_from_slice(&[2.0 * middle, 0.0]);
        } else {
            f.copy_from_slice(&[middle + y, middle - y]);
        }
    }
    accept(&a[..4], f, &old, &gradient)
}

/// States that forces imply; returns the number of active rows.
fn classify(problem: &Problem<'_>, force: &[f64], row_state: &mut [i32]) -> i32 {
    let friction_start = problem.equality_count;
    let push_start = friction_start + problem.friction_count;
    let mut active = push_start;
    row_state[..friction_start].fill(state::QUADRATIC);
    for i in friction_start..push_start {
        let bound = problem.frictionloss[i];
        row_state[i] = if force[i] <= -bound {
            state::LINEAR_POSITIVE
        } else if force[i] >= bound {
            state::LINEAR_NEGATIVE
        } else {
            state::QUADRATIC
        };
    }
    let mut cones = problem.cones.iter().peekable();
    let mut i = push_start;
    while i < problem.row_count() {
        if let Some(cone) = cones.next_if(|cone| cone.row == i) {
            let mut f = [0.0; 6];
            f[0] = force[i] / cone.mu;
            for j in 1..cone.dim {
                f[j] = force[i + j] / cone.friction[j - 1];
            }
            let (n, t) = (f[0], norm(&f[1..cone.dim]));
            let zone = if cone.mu * n >= t {
                state::SATISFIED
            } else if n + cone.mu * t <= 0.0 {
                state::QUADRATIC
            } else {
                state::CONE
            };
            if zone != state::SATISFIED {
                active += cone.dim;
            }
            row_state[i..i + cone.dim].fill(zone);
            i += cone.dim;
        } else {
            row_state[i] = if force[i] <= 0.0 {
                state::SATISFIED
            } else {
                state::QUADRATIC
            };
            active += usize::from(force[i] > 0.0);
            i += 1;
        }
    }
    active as i32
}

/// Classifies again; returns the number of active and of changed rows.
fn reclassify(
    problem: &Problem<'_>,
    force: &[f64],
    row_state: &mut [i32],
    old: &mut Vec<i32>,
) -> (i32, i32) {
    old.clear();
    old.extend_from_slice(row_state);
    let active = classify(problem, force, row_state);
    let changed = old.iter().zip(&*row_state).filter(|(a, b)| a != b).count();
    (active, changed as i32)
}

/// Forces to start Gauss–Seidel from: those of an acceleration, if they are better than none.
pub fn warm_start(
    problem: &Problem<'_>,
    projection: &Projection,
    b: &[f64],
    residual: &[f64],
    force: &mut [f64],
    row_state: &mut [i32],
    scratch: &mut Vec<f64>,
) {
    cost::update(problem, residual, row_state, force);
    scratch.clear();
    scratch.resize(force.len(), 0.0);
    projection.multiply(force, scratch);
    if dot(force, b) + 0.5 * dot(force, scratch) > 0.0 {
        force.fill(0.0);
    }
}
