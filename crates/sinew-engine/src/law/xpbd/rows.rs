//! Constraint rows as projection sees them: one direction after the other, each with the motion that its multiplier makes.
//!
//! The edges of a pyramid are turned back into a normal and tangents, so that every contact has the same form.

use crate::parts::Constrained;
use sinew_math::tree;
use sinew_model::kinds::Constraint;

/// What a multiplier may be.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    /// Anything: an equality.
    Both,
    /// Not negative: a limit, or the normal of a contact.
    Push,
    /// Within a bound: dry friction.
    Bounded,
    /// Within the cone of the contact whose normal stands before it.
    Tangent,
}

/// One direction.
#[derive(Clone, Copy, Debug)]
struct Direction {
    kind: Kind,
    /// Entries of its Jacobian, and of the motion that a unit multiplier makes.
    entries: (usize, usize),
    response: (usize, usize),
    /// Violation when the step begins.
    start: f64,
    /// J·M⁻¹·Jᵀ.
    weight: f64,
    /// Bound of dry friction, or coefficient of a tangent.
    bound: f64,
    /// The first direction of its contact, and how many of them there are.
    contact: (usize, usize),
    /// The row it belongs to, or the first row of its contact.
    row: usize,
}

/// All directions of a step.
#[derive(Clone, Debug, Default)]
pub(super) struct Projected {
    directions: Vec<Direction>,
    columns: Vec<u32>,
    values: Vec<f64>,
    response_columns: Vec<u32>,
    response: Vec<f64>,
    /// A vector over all degrees of freedom, zero outside of its use.
    full: Vec<f64>,
    is_pyramidal: bool,
}

impl Projected {
    pub fn len(&self) -> usize {
        self.directions.len()
    }

    /// Products that it takes to project all of them once.
    pub fn entries(&self) -> usize {
        self.len() + self.values.len() + self.response.len()
    }

    pub fn kind(&self, direction: usize) -> Kind {
        self.directions[direction].kind
    }

    pub fn start(&self, direction: usize) -> f64 {
        self.directions[direction].start
    }

    pub fn weight(&self, direction: usize) -> f64 {
        self.directions[direction].weight
    }

    /// J·x of a direction.
    #[inline]
    pub fn product(&self, direction: usize, x: &[f64]) -> f64 {
        let (start, end) = self.directions[direction].entries;
        let entries = self.columns[start..end]
            .iter()
            .zip(&self.values[start..end]);
        entries
            .map(|(&column, value)| value * x[column as usize])
            .sum()
    }

    /// How far a direction has moved: since the start of the step, or of the substep if what it resists is speed.
    #[inline]
    pub fn moved(&self, direction: usize, motion: &[f64], before: &[f64]) -> f64 {
        let whole = self.product(direction, motion);
        match self.directions[direction].kind {
            Kind::Both | Kind::Push => whole,
            Kind::Bounded | Kind::Tangent => whole - self.product(direction, before),
        }
    }

    /// Changes a multiplier as far as it may, and the motion with it. `unit` turns the bound of a force into
    /// that of a multiplier.
    #[inline]
    pub fn project(
        &self,
        direction: usize,
        change: f64,
        unit: f64,
        lambda: &mut [f64],
        motion: &mut [f64],
    ) {
        let Direction {
            kind,
            bound,
            contact: (first, count),
            ..
        } = self.directions[direction];
        let wanted = lambda[direction] + change;
        let allowed = match kind {
            Kind::Both => wanted,
            Kind::Push => wanted.max(0.0),
            Kind::Bounded => within(wanted, bound * unit),
            Kind::Tangent => {
                let rest = self.used(direction, (first, count), lambda);
                let normal = lambda[first];
                let left = match self.is_pyramidal {
                    true => (normal - rest).max(0.0),
                    false => (normal * normal - rest * rest).max(0.0).sqrt(),
                };
                within(wanted, bound * left)
            }
        };
        self.apply(direction, allowed - lambda[direction], lambda, motion);
        if kind == Kind::Push && count > 1 {
            self.shrink((first, count), lambda, motion);
        }
    }

    /// What the other tangents of a contact take of its normal force.
    fn used(&self, direction: usize, (first, count): (usize, usize), lambda: &[f64]) -> f64 {
        let others = (first + 1..first + count).filter(|other| *other != direction);
        let share = |other: usize| {
            let bound = self.directions[other].bound;
            if bound > 0.0 {
                (lambda[other] / bound).abs()
            } else {
                0.0
            }
        };
        match self.is_pyramidal {
            true => others.map(share).sum(),
            false => others
                .map(|other| share(other) * share(other))
                .sum::<f64>()
                .sqrt(),
        }
    }

    /// Brings the tangents of a contact back into a cone that has become narrower.
    fn shrink(&self, (first, count): (usize, usize), lambda: &mut [f64], motion: &mut [f64]) {
        let used = self.used(first, (first, count), lambda);
        if used > lambda[first] {
            let factor = if used > 0.0 {
                lambda[first] / used
            } else {
                0.0
            };
            for tangent in first + 1..first + count {
                let change = lambda[tangent] * (factor - 1.0);
                self.apply(tangent, change, lambda, motion);
            }
        }
    }

    #[inline]
    fn apply(&self, direction: usize, change: f64, lambda: &mut [f64], motion: &mut [f64]) {
        if change == 0.0 {
            return;
        }
        lambda[direction] += change;
        let (start, end) = self.directions[direction].response;
        let columns = &self.response_columns[start..end];
        for (&column, value) in columns.iter().zip(&self.response[start..end]) {
            motion[column as usize] += value * change;
        }
    }

    /// Takes the rows of a step.
    pub fn collect(&mut self, task: &Constrained<'_>) {
        self.directions.clear();
        self.columns.clear();
        self.values.clear();
        self.response_columns.clear();
        self.response.clear();
        self.full.clear();
        self.full.resize(task.model.nv, 0.0);
        let constraints = &task.position.constraints;
        self.is_pyramidal = !task.problem.pyramids.is_empty();
        let mut row = 0;
        while row < constraints.nefc() {
            let start = constraints.efc_pos[row] - constraints.efc_margin[row];
            let kind = Constraint::from_code(constraints.efc_type[row]);
            match kind {
                Some(Constraint::ContactPyramidal | Constraint::ContactElliptic)
                    if is_first_of_contact(task, row) =>
                {
                    row += self.contact(task, row, start);
                    continue;
                }
                Some(Constraint::Equality) => self.add(task, Kind::Both, (row, start, 0.0)),
                Some(Constraint::FrictionDof | Constraint::FrictionTendon) => {
                    let bound = constraints.efc_frictionloss[row];
                    self.add(task, Kind::Bounded, (row, 0.0, bound));
                }
                _ => self.add(task, Kind::Push, (row, start, 0.0)),
            }
            row += 1;
        }
    }

    /// Takes one row as it is.
    fn add(&mut self, task: &Constrained<'_>, kind: Kind, (row, start, bound): (usize, f64, f64)) {
        let (columns, values) = task.problem.jacobian.row(row);
        for (&column, &value) in columns.iter().zip(values) {
            self.full[column as usize] = value;
        }
        let at = self.directions.len();
        self.finish(task, columns, (kind, row, start, bound), (at, 1));
    }

    /// Takes a contact; returns how many rows it has.
    fn contact(&mut self, task: &Constrained<'_>, row: usize, start: f64) -> usize {
        let constraints = &task.position.constraints;
        let record = &task.position.contacts.contact[constraints.efc_id[row] as usize];
        let dim = record.dim.max(1) as usize;
        let jacobian = &task.problem.jacobian;
        let (columns, _) = jacobian.row(row);
        let first = self.directions.len();
        let is_pyramidal =
            constraints.efc_type[row] == Constraint::ContactPyramidal.code() && dim > 1;
        for k in 0..dim {
            // Opposing edges of a pyramid are normal ± μ·tangent.
            let (plus, minus) = match (is_pyramidal, k) {
                (false, _) => ((row + k, 1.0), None),
                (true, 0) => ((row, 0.5), Some((row + 1, 0.5))),
                (true, _) => {
                    let scale = 0.5 / record.friction[k - 1];
                    let edge = row + 2 * (k - 1);
                    ((edge, scale), Some((edge + 1, -scale)))
                }
            };
            for (edge, scale) in [Some(plus), minus].into_iter().flatten() {
                let (columns, values) = jacobian.row(edge);
                for (&column, value) in columns.iter().zip(values) {
                    self.full[column as usize] += value * scale;
                }
            }
            let (kind, start, bound) = match k {
                0 => (Kind::Push, start, 0.0),
                _ => (Kind::Tangent, 0.0, record.friction[k - 1]),
            };
            self.finish(task, columns, (kind, row, start, bound), (first, dim));
        }
        match is_pyramidal {
            true => 2 * (dim - 1),
            false => dim,
        }
    }

    /// Takes a direction whose Jacobian stands in the full vector, and clears that.
    fn finish(
        &mut self,
        task: &Constrained<'_>,
        columns: &[i32],
        (kind, row, start, bound): (Kind, usize, f64, f64),
        contact: (usize, usize),
    ) {
        let entries = self.columns.len();
        for &column in columns {
            self.columns.push(column as u32);
            self.values.push(self.full[column as usize]);
        }
        let problem = task.problem;
        tree::solve(
            problem.inertia_rows,
            problem.factor,
            problem.factor_inverse,
            &mut self.full,
        );
        let response = self.response.len();
        for (column, value) in self.full.iter_mut().enumerate() {
            if *value != 0.0 {
                self.response_columns.push(column as u32);
                self.response.push(*value);
            }
        }
        let mut weight = 0.0;
        for (&column, value) in self.columns[entries..].iter().zip(&self.values[entries..]) {
            weight += value * self.full[column as usize];
        }
        self.full.fill(0.0);
        self.directions.push(Direction {
            kind,
            entries: (entries, self.columns.len()),
            response: (response, self.response.len()),
            start,
            weight,
            bound,
            contact,
            row,
        });
    }

    /// Writes the mean forces of rows over a step from the impulses of directions.
    pub fn write_forces(&self, impulse: &[f64], timestep: f64, force: &mut [f64]) {
        force.fill(0.0);
        for (index, direction) in self.directions.iter().enumerate() {
            let mean = impulse[index] / timestep;
            let (first, dim) = direction.contact;
            let k = index - first;
            if !self.is_pyramidal || dim == 1 {
                force[direction.row + k] = mean;
                continue;
            }
            // A normal is shared by all edges, a tangent by its two.
            let edges = &mut force[direction.row..direction.row + 2 * (dim - 1)];
            match k {
                0 => edges
                    .iter_mut()
                    .for_each(|edge| *edge += mean / (2 * (dim - 1)) as f64),
                _ => {
                    edges[2 * (k - 1)] += 0.5 * mean / direction.bound;
                    edges[2 * (k - 1) + 1] -= 0.5 * mean / direction.bound;
                }
            }
        }
    }
}

/// Whether all rows of a contact begin here. Rows that were written by others may be without one; they push.
fn is_first_of_contact(task: &Constrained<'_>, row: usize) -> bool {
    let constraints = &task.position.constraints;
    let id = constraints.efc_id[row] as usize;
    let Some(contact) = task.position.contacts.contact.get(id) else {
        return false;
    };
    let dim = contact.dim.max(1) as usize;
    let is_pyramid = constraints.efc_type[row] == Constraint::ContactPyramidal.code();
    let rows = match is_pyramid && dim > 1 {
        true => 2 * (dim - 1),
        false => dim,
    };
    constraints.first_row(id) == Some(row) && row + rows <= constraints.nefc()
}

/// A number that is not beyond a bound on either side. A bound may be negative or no number, as models may.
fn within(number: f64, bound: f64) -> f64 {
    if number > bound {
        bound
    } else if number < -bound {
        -bound
    } else {
        number
    }
}
