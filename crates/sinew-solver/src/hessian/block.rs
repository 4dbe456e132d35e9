//! H in dense blocks, one per kinematic tree, factored in an order with little fill-in.
//!
//! [`Order`] says which blocks exist. The factor L·Lᵀ is stored in panels, the columns of one block
//! with all their rows: one panel is factored with long column operations, then its products are
//! taken out of the panels to come, block by block. The part of H without cones is kept and follows
//! the rows that enter or leave the quadratic state.

use super::order::{Order, Panel};
use super::{CONE, QUADRATIC, can_hold, refill};
use crate::cost::cone_hessian;
use crate::log::Question;
use crate::problem::Problem;
use sinew_math::MIN_VALUE;
use sinew_math::dense::{add_scaled, dot};

#[derive(Clone, Debug, Default)]
pub(super) struct BlockHessian {
    order: Order,
    base: Vec<f64>,
    factor: Vec<f64>,
    inverse: Vec<f64>,
    targets: Vec<Target>,
}

/// The product of two parts of a row lands here: part `a` gives the columns, part `b` the rows.
#[derive(Clone, Copy, Debug)]
struct Target {
    a: Part,
    b: Part,
    /// Entry of the first column and first row.
    entry: usize,
    height: usize,
}

/// Consecutive entries of a row that belong to one block.
#[derive(Clone, Copy, Debug)]
struct Part {
    start: usize,
    end: usize,
    /// First degree of freedom of the block.
    dof: usize,
}

impl BlockHessian {
    /// Whether H and its factor take no more than a number of bytes and can be had.
    pub fn fits(&mut self, problem: &Problem<'_>, most: usize) -> bool {
        self.order.find(problem);
        let bytes = self.order.length.saturating_mul(2 * size_of::<f64>());
        let length = self.order.length;
        bytes <= most && can_hold(&mut self.base, length) && can_hold(&mut self.factor, length)
    }

    /// Builds and factors H at states and residuals of the rows; false if somebody did not want to go on.
    pub fn build(
        &mut self,
        problem: &Problem<'_>,
        at: (&[f64], &[f64]),
        question: &mut Question<'_>,
    ) -> bool {
        let row_state = at.0;
        self.order.find(problem);
        refill(&mut self.base, self.order.length, 0.0);
        let inertia = problem.inertia_rows;
        for panel in &self.order.panels {
            for row in 0..panel.width {
                let start = inertia.rowadr[panel.dof + row] as usize;
                let end = start + inertia.rownnz[panel.dof + row] as usize;
                let columns = &inertia.colind[start..end];
                for (&column, &value) in columns.iter().zip(&problem.inertia[start..end]) {
                    let column = column as usize - panel.dof;
                    self.base[panel.start + column * panel.height + row] = value;
                }
            }
        }
        let weight = |i: usize| match row_state[i] == QUADRATIC {
            true => problem.D[i],
            false => 0.0,
        };
        self.add_rows(problem, weight, question) && self.refactor(problem, at, question)
    }

    /// Follows the rows whose state changed; false if somebody did not want to go on.
    pub fn update(
        &mut self,
        problem: &Problem<'_>,
        old_state: &[f64],
        at: (&[f64], &[f64]),
        question: &mut Question<'_>,
    ) -> bool {
        let row_state = at.0;
        let weight = |i: usize| {
            let was = old_state[i] == QUADRATIC;
            let is = row_state[i] == QUADRATIC;
            match (was, is) {
                (false, true) => problem.D[i],
                (true, false) => -problem.D[i],
                _ => 0.0,
            }
        };
        self.add_rows(problem, weight, question) && self.refactor(problem, at, question)
    }

    /// base += weight · JᵢᵀJᵢ for every row i whose weight is not zero. Rows with the same columns
    /// are added together.
    fn add_rows(
        &mut self,
        problem: &Problem<'_>,
        weight: impl Fn(usize) -> f64,
        question: &mut Question<'_>,
    ) -> bool {
        let jacobian = problem.jacobian;
        let mut group = Group::new(&[]);
        for i in 0..problem.row_count() {
            let weight = weight(i);
            if weight == 0.0 {
                continue;
            }
            let (columns, values) = jacobian.row(i);
            if !question.may_go_on(columns.len() * columns.len()) {
                return false;
            }
            let is_same = group.columns == columns;
            if !is_same || group.is_full() {
                self.add_group(&group);
                if !is_same {
                    list_targets(&self.order, columns, &mut self.targets);
                }
                group = Group::new(columns);
            }
            group.push(values, weight);
        }
        self.add_group(&group);
        true
    }

    fn add_group(&mut self, group: &Group<'_>) {
        for target in &self.targets {
            if group.count > 0 {
                group.add(&mut self.base, target);
            }
        }
    }

    fn refactor(
        &mut self,
        problem: &Problem<'_>,
        (row_state, residual): (&[f64], &[f64]),
        question: &mut Question<'_>,
    ) -> bool {
        self.factor.clone_from(&self.base);
        for (cone, shape) in problem.cones.iter().zip(problem.cone_shapes) {
            if row_state[cone.row] != CONE {
                continue;
            }
            let hessian = cone_hessian(cone, shape, problem.D, residual);
            let (columns, _) = problem.jacobian.row(cone.row);
            list_targets(&self.order, columns, &mut self.targets);
            for j in 0..cone.dim {
                for k in 0..cone.dim {
                    let weight = hessian[j * cone.dim + k];
                    let left = problem.jacobian.row(cone.row + j).1;
                    let right = problem.jacobian.row(cone.row + k).1;
                    for target in &self.targets {
                        add_product(&mut self.factor, target, columns, left, right, weight);
                    }
                }
            }
        }
        refill(&mut self.inverse, problem.dof_count(), 0.0);
        for (place, panel) in self.order.panels.iter().enumerate() {
            let end = panel.start + panel.width * panel.height;
            let (head, later) = self.factor.split_at_mut(end);
            let entries = &mut head[panel.start..];
            let inverse = &mut self.inverse[panel.dof..panel.dof + panel.width];
            factor_panel(entries, panel, inverse);
            subtract_products(&self.order, place, entries, later, end);
            if !question.may_go_on(panel.width * panel.height * panel.height) {
                return false;
            }
        }
        true
    }

    /// x ← H⁻¹·x
    pub fn solve(&self, x: &mut [f64]) {
        for panel in &self.order.panels {
            for column in 0..panel.width {
                let entries = self.column(panel, column);
                let dof = panel.dof + column;
                x[dof] *= self.inverse[dof];
                let value = x[dof];
                let own = &mut x[dof + 1..panel.dof + panel.width];
                add_scaled(own, &entries[column + 1..panel.width], -value);
                for other in self.order.below(panel) {
                    let first = self.order.panels[other.place].dof;
                    let rows = &entries[other.row..other.row + other.size];
                    add_scaled(&mut x[first..first + other.size], rows, -value);
                }
            }
        }
        for panel in self.order.panels.iter().rev() {
            for column in (0..panel.width).rev() {
                let entries = self.column(panel, column);
                let dof = panel.dof + column;
                let own = &x[dof + 1..panel.dof + panel.width];
                let mut sum = dot(own, &entries[column + 1..panel.width]);
                for other in self.order.below(panel) {
                    let first = self.order.panels[other.place].dof;
                    let rows = &entries[other.row..other.row + other.size];
                    sum += dot(&x[first..first + other.size], rows);
                }
                x[dof] = (x[dof] - sum) * self.inverse[dof];
            }
        }
    }

    fn column(&self, panel: &Panel, column: usize) -> &[f64] {
        let start = panel.start + column * panel.height;
        &self.factor[start..start + panel.height]
    }
}

/// Where the products of the parts of a row land.
fn list_targets(order: &Order, columns: &[i32], targets: &mut Vec<Target>) {
    targets.clear();
    let place = |entry: usize| order.place_of_dof[columns[entry] as usize] as usize;
    let part_at = |start: usize| {
        let here = place(start);
        let mut end = start + 1;
        while end < columns.len() && place(end) == here {
            end += 1;
        }
        let dof = order.panels[here].dof;
        Part { start, end, dof }
    };
    let mut first = 0;
    while first < columns.len() {
        let one = part_at(first);
        let mut second = 0;
        while second <= first {
            let other = part_at(second);
            second = other.end;
            // The block that is eliminated first holds the product in its panel.
            let (a, b) = if place(one.start) <= place(other.start) {
                (one, other)
            } else {
                (other, one)
            };
            let panel = &order.panels[place(a.start)];
            let row = match place(a.start) == place(b.start) {
                true => 0,
                false => order.row_in(panel, place(b.start)),
            };
            targets.push(Target {
                a,
                b,
                entry: panel.start + row,
                height: panel.height,
            });
        }
        first = one.end;
    }
}

/// Most rows of a [`Group`].
const MOST_ROWS: usize = 8;

/// Weighted rows with the same columns.
struct Group<'a> {
    columns: &'a [i32],
    values: [&'a [f64]; MOST_ROWS],
    weight: [f64; MOST_ROWS],
    count: usize,
}

impl<'a> Group<'a> {
    fn new(columns: &'a [i32]) -> Self {
        Group {
            columns,
            values: [&[]; MOST_ROWS],
            weight: [0.0; MOST_ROWS],
            count: 0,
        }
    }

    fn is_full(&self) -> bool {
        self.count == MOST_ROWS
    }

    fn push(&mut self, values: &'a [f64], weight: f64) {
        self.values[self.count] = values;
        self.weight[self.count] = weight;
        self.count += 1;
    }

    /// storage += Σ weight · values(a)·values(b)ᵀ
    fn add(&self, storage: &mut [f64], target: &Target) {
        let (a, b) = (target.a, target.b);
        let covers = |part: Part| {
            let last = self.columns[part.end - 1] - self.columns[part.start];
            part.end - part.start == 6 && last == 5
        };
        let rows = self.values[..self.count].iter().zip(&self.weight);
        if !covers(a) || !covers(b) {
            for (values, &weight) in rows {
                add_product(storage, target, self.columns, values, values, weight);
            }
            return;
        }
        let first_column = self.columns[a.start] as usize - a.dof;
        let first_row = self.columns[b.start] as usize - b.dof;
        let start = target.entry + first_column * target.height + first_row;
        for column in 0..6 {
            let start = start + column * target.height;
            let entries = &mut storage[start..start + 6];
            let mut sum = [0.0; 6];
            sum.copy_from_slice(entries);
            for (values, &weight) in rows.clone() {
                let scaled = weight * values[a.start + column];
                let right = &values[b.start..b.start + 6];
                for row in 0..6 {
                    sum[row] += scaled * right[row];
                }
            }
            entries.copy_from_slice(&sum);
        }
    }
}

/// storage += weight · left(a)·right(b)ᵀ
#[inline]
fn add_product(
    storage: &mut [f64],
    target: &Target,
    columns: &[i32],
    left: &[f64],
    right: &[f64],
    weight: f64,
) {
    let Target { a, b, .. } = *target;
    let rows = &columns[b.start..b.end];
    let values = &right[b.start..b.end];
    let first_row = rows[0] as usize - b.dof;
    let is_contiguous = (rows[rows.len() - 1] - rows[0]) as usize + 1 == rows.len();
    for (&column, &value) in columns[a.start..a.end].iter().zip(&left[a.start..a.end]) {
        let start = target.entry + (column as usize - a.dof) * target.height;
        let scaled = weight * value;
        if is_contiguous {
            let start = start + first_row;
            add_scaled(&mut storage[start..start + values.len()], values, scaled);
        } else {
            for (&row, &value) in rows.iter().zip(values) {
                storage[start + row as usize - b.dof] += scaled * value;
            }
        }
    }
}

/// Factors the diagonal block and divides the rows below by it.
fn factor_panel(entries: &mut [f64], panel: &Panel, inverse: &mut [f64]) {
    let height = panel.height;
    for column in 0..panel.width {
        let (head, rest) = entries.split_at_mut((column + 1) * height);
        let pivot_column = &mut head[column * height + column..];
        let scale = 1.0 / pivot_column[0].max(MIN_VALUE).sqrt();
        inverse[column] = scale;
        for value in &mut pivot_column[1..] {
            *value *= scale;
        }
        for (k, other) in rest.chunks_exact_mut(height).enumerate() {
            let weight = pivot_column[k + 1];
            add_scaled(
                &mut other[column + k + 1..],
                &pivot_column[k + 1..],
                -weight,
            );
        }
    }
}

/// Takes the products of a factored panel's blocks out of the panels after it.
fn subtract_products(order: &Order, place: usize, entries: &[f64], later: &mut [f64], end: usize) {
    let panel = &order.panels[place];
    let below = order.below(panel);
    for (k, columns) in below.iter().enumerate() {
        let target = &order.panels[columns.place];
        let storage = &mut later[target.start - end..];
        let mut rows_of_target = order.below(target).iter();
        for rows in &below[k..] {
            let row = match rows.place == columns.place {
                true => 0,
                // Both lists ascend, and every block here is also there.
                false => rows_of_target
                    .find(|other| other.place == rows.place)
                    .map_or(0, |other| other.row),
            };
            let product = Product {
                entries,
                stride: panel.height,
                depth: panel.width,
                rows: rows.row,
                columns: columns.row,
            };
            let storage = &mut storage[row..];
            match (rows.size, columns.size, panel.width) {
                (6, 6, 6) => product.subtract_free_bodies(storage, target.height),
                _ => product.subtract(storage, target.height, rows.size, columns.size),
            }
        }
    }
}

/// Two blocks of one panel whose product is wanted.
struct Product<'a> {
    entries: &'a [f64],
    stride: usize,
    depth: usize,
    rows: usize,
    columns: usize,
}

impl Product<'_> {
    fn subtract(&self, storage: &mut [f64], height: usize, row_count: usize, column_count: usize) {
        for column in 0..column_count {
            let target = &mut storage[column * height..column * height + row_count];
            for k in 0..self.depth {
                let entries = &self.entries[k * self.stride..(k + 1) * self.stride];
                let weight = entries[self.columns + column];
                add_scaled(target, &entries[self.rows..self.rows + row_count], -weight);
            }
        }
    }

    /// The common case: all three blocks are those of free bodies.
    fn subtract_free_bodies(&self, storage: &mut [f64], height: usize) {
        const N: usize = 6;
        let mut rows = [[0.0; N]; N];
        let mut columns = [[0.0; N]; N];
        for k in 0..N {
            let entries = &self.entries[k * self.stride..(k + 1) * self.stride];
            rows[k].copy_from_slice(&entries[self.rows..self.rows + N]);
            columns[k].copy_from_slice(&entries[self.columns..self.columns + N]);
        }
        for column in 0..N {
            let target = &mut storage[column * height..column * height + N];
            let mut sum = [0.0; N];
            sum.copy_from_slice(target);
            for k in 0..N {
                let weight = columns[k][column];
                for row in 0..N {
                    sum[row] -= rows[k][row] * weight;
                }
            }
            target.copy_from_slice(&sum);
        }
    }
}
