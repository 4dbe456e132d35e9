//! Nodes of interpolated flexes in the implicit integrators: their stiffness is taken at the end of the step.
//!
//! With K the stiffness of a box of nodes, turned into the world, d its damping and J the Jacobian of its nodes,
//! the accelerations of the degrees of freedom of nodes solve
//!
//! ```text
//! (M − h·∂f/∂q̇ + (h² + h·d)·JᵀKJ)·a = f − h·JᵀKJ·q̇ − C·b
//! ```
//!
//! where b are the accelerations of the other degrees of freedom, which the integrator found without that stiffness, and C
//! couples them. The factor of the second term is that of the first flex, as in the reference. Conforms to
//! the flex part of MuJoCo's `mj_implicit`.

use crate::flex;
use crate::position::Position;
use crate::position::jacobian::{for_each_dof, offset, translation_column};
use crate::state::State;
use crate::velocity::passive::flex::interpolated::{Turned, turned};
use sinew_math::dense::{cholesky_factor, cholesky_solve, dot};
use sinew_math::tree::TreeRows;
use sinew_math::{MIN_VALUE, Mat3, Vec3};
use sinew_model::Model;

/// The system of the nodes of all interpolated flexes, with working memory. Empty if there are none.
#[derive(Clone, Debug, Default)]
pub struct System {
    /// Degrees of freedom of nodes.
    dofs: Vec<usize>,
    /// Where each degree of freedom of the model is among these.
    place: Vec<Option<usize>>,
    /// The matrix, then its factor.
    matrix: Vec<f64>,
    /// The right-hand side, then the solution.
    force: Vec<f64>,
    /// Entries that couple a node with another degree of freedom: row, degree of freedom, value.
    couplings: Vec<(usize, usize, f64)>,
    /// −(h² + h·d)·JᵀKJ·q̇.
    velocity_term: Vec<f64>,
    box_of_nodes: BoxOfNodes,
}

/// One flex, in the world.
#[derive(Clone, Debug, Default)]
struct BoxOfNodes {
    /// Its stiffness, scaled.
    stiffness: Vec<f64>,
    /// Columns of the Jacobian of each node, in order of degree of freedom, and where those of a node end.
    columns: Vec<(usize, Vec3)>,
    ends: Vec<usize>,
    /// Velocities of nodes, and forces.
    velocity: Vec<f64>,
    force: Vec<f64>,
    /// K·J and JᵀKJ.
    half_product: Vec<f64>,
    product: Vec<f64>,
}

impl System {
    /// Makes the system of the current state from the matrix of the integrator, which has these rows, and the force.
    pub(super) fn assemble(
        &mut self,
        model: &Model,
        state: &State,
        position: &Position,
        (rows, inertia): (TreeRows<'_>, &[f64]),
        qfrc: &[f64],
    ) {
        self.dofs.clear();
        if model.nflex == 0 {
            return;
        }
        self.find_dofs(model);
        let size = self.dofs.len();
        if size == 0 {
            return;
        }
        self.take_inertia(rows, inertia);
        self.velocity_term.clear();
        self.velocity_term.resize(model.nv, 0.0);
        let timestep = model.opt.timestep;
        let scale = |flex: usize| timestep * timestep + timestep * model.flex_damping[flex];
        for flex in (0..model.nflex).filter(|flex| is_soft(model, *flex)) {
            if scale(flex) != 0.0 {
                let turned = turned(model, position, flex);
                self.box_of_nodes.turn(model, flex, scale(flex), &turned);
                self.box_of_nodes
                    .find_columns(model, position, flex, &turned);
                self.box_of_nodes
                    .add_force(&state.qvel, &mut self.velocity_term);
                self.box_of_nodes
                    .subtract_from(&mut self.matrix, size, &self.place);
            }
        }
        cholesky_factor(&mut self.matrix, size, MIN_VALUE);
        let factor = match scale(0) > MIN_VALUE {
            true => timestep / scale(0),
            false => 0.0,
        };
        self.force.clear();
        let dofs = self.dofs.iter();
        let force = dofs.map(|&dof| qfrc[dof] + self.velocity_term[dof] * factor);
        self.force.extend(force);
    }

    /// Replaces the accelerations of nodes by the solution.
    pub(super) fn solve(&mut self, acceleration: &mut [f64]) {
        if self.dofs.is_empty() {
            return;
        }
        for &(row, dof, value) in &self.couplings {
            self.force[row] -= value * acceleration[dof];
        }
        cholesky_solve(&self.matrix, &mut self.force);
        for (&dof, &value) in self.dofs.iter().zip(&self.force) {
            acceleration[dof] = value;
        }
    }

    fn find_dofs(&mut self, model: &Model) {
        self.place.clear();
        self.place.resize(model.nv, None);
        for flex in (0..model.nflex).filter(|flex| model.flex_interp[*flex] != 0) {
            for &body in flex::bodies(model, flex) {
                let (start, count) = (
                    model.body_dofadr[body as usize],
                    model.body_dofnum[body as usize],
                );
                for dof in flex::range(start.max(0), count) {
                    self.place[dof] = Some(self.dofs.len());
                    self.dofs.push(dof);
                }
            }
        }
    }

    /// Takes over what the matrix of the integrator has in the rows of nodes.
    fn take_inertia(&mut self, rows: TreeRows<'_>, inertia: &[f64]) {
        let size = self.dofs.len();
        self.couplings.clear();
        self.matrix.clear();
        self.matrix.resize(size * size, 0.0);
        for (row, &dof) in self.dofs.iter().enumerate() {
            for entry in flex::range(rows.rowadr[dof], rows.rownnz[dof]) {
                let column = rows.colind[entry] as usize;
                match self.place[column] {
                    Some(place) => self.matrix[row * size + place] = inertia[entry],
                    None => self.couplings.push((row, column, inertia[entry])),
                }
            }
        }
    }
}

fn is_soft(model: &Model, flex: usize) -> bool {
    model.flex_interp[flex] != 0 && model.flex_rigid[flex] == 0 && flex::is_elastic(model, flex)
}

impl BoxOfNodes {
    /// Turns the stiffness of a flex into the world: scale·RᵀKR, block by block.
    fn turn(&mut self, model: &Model, flex: usize, scale: f64, turned: &Turned) {
        let nodes = flex::nodes(model, flex).len();
        let stiffness = flex::node_stiffness(model, flex);
        let size = 3 * nodes;
        let turn = turned.turn.to_mat();
        let back = turn.transpose();
        self.stiffness.resize(size * size, 0.0);
        for i in 0..nodes {
            for j in 0..nodes {
                let entry = |k: usize| size * (3 * i + k / 3) + 3 * j + k % 3;
                let block = Mat3(core::array::from_fn(|k| stiffness[entry(k)]));
                let block = back * (block * turn);
                for (k, value) in block.0.into_iter().enumerate() {
                    self.stiffness[entry(k)] = scale * value;
                }
            }
        }
    }

    /// The Jacobians of the nodes.
    fn find_columns(&mut self, model: &Model, position: &Position, flex: usize, turned: &Turned) {
        self.columns.clear();
        self.ends.clear();
        let com = &position.com;
        for (&body, &place) in flex::bodies(model, flex).iter().zip(&turned.places) {
            let body = body as usize;
            let offset = offset(model, com, body, place);
            let start = self.columns.len();
            for_each_dof(model, body, |dof| {
                let column = translation_column(&com.cdof[dof], offset);
                self.columns.push((dof, column));
            });
            self.columns[start..].reverse();
            self.ends.push(self.columns.len());
        }
    }

    /// Calls `visit(number, dof, entry)` for the entries of the Jacobian that are not zero, number by number of all nodes.
    fn for_each_entry(&self, mut visit: impl FnMut(usize, usize, f64)) {
        let mut start = 0;
        for (node, &end) in self.ends.iter().enumerate() {
            for axis in 0..3 {
                for &(dof, column) in &self.columns[start..end] {
                    if column[axis] != 0.0 {
                        visit(3 * node + axis, dof, column[axis]);
                    }
                }
            }
            start = end;
        }
    }

    /// Adds the force that the stiffness makes of velocities.
    fn add_force(&mut self, qvel: &[f64], out: &mut [f64]) {
        let size = 3 * self.ends.len();
        let mut velocity = core::mem::take(&mut self.velocity);
        velocity.clear();
        velocity.resize(size, 0.0);
        self.for_each_entry(|number, dof, entry| velocity[number] += entry * qvel[dof]);
        self.force.clear();
        let rows = self.stiffness.chunks_exact(size);
        self.force.extend(rows.map(|row| dot(row, &velocity)));
        self.for_each_entry(|number, dof, entry| out[dof] += entry * self.force[number]);
        self.velocity = velocity;
    }

    /// Subtracts JᵀKJ from the lower triangle of a matrix over the degrees of freedom of nodes.
    fn subtract_from(&mut self, matrix: &mut [f64], size: usize, place: &[Option<usize>]) {
        let numbers = 3 * self.ends.len();
        let mut half = core::mem::take(&mut self.half_product);
        half.clear();
        half.resize(numbers * size, 0.0);
        self.for_each_entry(|number, dof, entry| {
            if let Some(column) = place[dof] {
                let entries = half.iter_mut().skip(column).step_by(size);
                let stiffness = self.stiffness.iter().skip(number).step_by(numbers);
                for (half, stiffness) in entries.zip(stiffness) {
                    *half += stiffness * entry;
                }
            }
        });
        let mut product = core::mem::take(&mut self.product);
        product.clear();
        product.resize(size * size, 0.0);
        self.for_each_entry(|number, dof, entry| {
            if let Some(row) = place[dof] {
                let entries = &mut product[row * size..=row * size + row];
                for (product, half) in entries.iter_mut().zip(&half[number * size..]) {
                    *product += entry * half;
                }
            }
        });
        for (entry, product) in matrix.iter_mut().zip(&product) {
            *entry -= product;
        }
        self.half_product = half;
        self.product = product;
    }
}
