//! Functions of positions, velocities and inputs: forces and accelerations.
//!
//! ```text
//! actuation   act_dot actuator_force qfrc_actuator
//! smooth      qfrc_smooth qacc_smooth
//! constraint  qfrc_constraint qacc
//! body_force  cacc cfrc_int cfrc_ext   (on demand)
//! ```

pub mod actuation;
pub mod body_force;
pub mod constraint;
pub mod contact_force;
pub mod muscle;
pub mod smooth;

use actuation::Actuation;
use body_force::BodyForce;
use constraint::Solution;
use sinew_model::Model;
use sinew_model::column::{Column, ColumnMut};
use sinew_solver::problem::Statistic;
use smooth::Smooth;

/// Forces and accelerations.
#[derive(Clone, Debug, Default)]
pub struct Acceleration {
    /// Actuator forces.
    pub actuation: Actuation,
    /// Sum of all forces but constraints, and the acceleration it causes.
    pub smooth: Smooth,
    /// Constraint force and the resulting acceleration.
    pub solution: Solution,
    /// Accelerations of bodies and forces between them.
    pub body_force: BodyForce,
}

impl Acceleration {
    /// Arrays for a model.
    pub fn new(model: &Model) -> Self {
        Acceleration {
            actuation: Actuation::new(model),
            smooth: Smooth::new(model),
            solution: Solution::new(model),
            body_force: BodyForce::new(model),
        }
    }

    /// As new: nothing computed yet. Storage stays.
    pub(crate) fn clear(&mut self) {
        self.actuation.clear_columns();
        self.smooth.clear_columns();
        self.solution.clear_columns();
        self.solution.efc_force.clear();
        self.solution.efc_state.clear();
        self.solution.efc_b.clear();
        self.solution.solver_niter.fill(0);
        self.solution.solver.fill(Statistic::default());
        self.body_force.clear_columns();
        self.body_force.is_current = false;
    }

    /// Every array under the reference's name.
    pub fn columns(&self) -> Vec<Column<'_>> {
        let mut all = self.actuation.columns();
        all.extend(self.smooth.columns());
        all.extend(self.solution.columns());
        all.extend(self.body_force.columns());
        all
    }

    /// Every array under the reference's name, writable.
    pub fn columns_mut(&mut self) -> Vec<ColumnMut<'_>> {
        let mut all = self.actuation.columns_mut();
        all.extend(self.smooth.columns_mut());
        all.extend(self.solution.columns_mut());
        all.extend(self.body_force.columns_mut());
        all
    }
}
