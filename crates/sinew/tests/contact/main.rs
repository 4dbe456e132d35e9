//! Constraints and contact, against closed forms and values of MuJoCo 3.5.0.
//!
//! Each test states its model in place and the numbers it must give; values with many digits are
//! the reference's. A module covers one chapter of the requirements, and the number in a test's
//! comment is the acceptance line it holds.

// Expected values may come from any mathematical library: no test asks for their last bits.
#![allow(clippy::disallowed_methods, clippy::approx_constant)]

mod adhesion;
mod bad_state;
mod ball_limit;
#[path = "../bench/mod.rs"]
mod bench;
mod changed_model;
mod condim;
mod fall_through;
mod flags;
mod island;
mod mixing;
mod noslip;
mod pair;
mod rest;
mod solver;
mod solver_budget;
mod storage;
mod tendon_equality;
mod touching;

use bench::{Case, close};
use sinew::engine::acceleration::contact_force;
use sinew::engine::position::constraint::Constraints;
use sinew::engine::position::contact::Contact;
use sinew::math::tree::{self, TreeRows};
use sinew::model::kinds::{DisableFlag, Solver};

/// The three solvers by name and code.
const SOLVERS: [(&str, Solver); 3] = [
    ("PGS", Solver::Pgs),
    ("CG", Solver::Cg),
    ("Newton", Solver::Newton),
];

/// The two friction cones by name.
const CONES: [&str; 2] = ["pyramidal", "elliptic"];

impl Case {
    fn solver(mut self, solver: Solver) -> Self {
        self.model.opt.solver = solver.code();
        self
    }

    fn disable(mut self, flag: DisableFlag) -> Self {
        self.model.opt.disableflags |= flag.code();
        self
    }

    fn tight(mut self, tolerance: f64, iterations: i32) -> Self {
        self.model.opt.tolerance = tolerance;
        self.model.opt.iterations = iterations;
        self
    }

    /// Sets the third position coordinate: the height of a free body.
    fn z(mut self, z: f64) -> Self {
        self.data.state.qpos[2] = z;
        self
    }

    fn ctrl(mut self, ctrl: &[f64]) -> Self {
        self.data.input.ctrl.copy_from_slice(ctrl);
        self
    }

    fn push(mut self, qfrc_applied: &[f64]) -> Self {
        self.data.input.qfrc_applied.copy_from_slice(qfrc_applied);
        self
    }

    fn step(&mut self) {
        self.data.step(&self.model).expect("a finite step");
    }

    /// The same state solved without warm start.
    fn cold(&self) -> Case {
        let case = Case {
            model: self.model.clone(),
            data: self.data.clone(),
        };
        case.disable(DisableFlag::Warmstart).forward()
    }

    fn contacts(&self) -> &[Contact] {
        &self.data.position.contacts.contact
    }

    fn rows(&self) -> &Constraints {
        &self.data.position.constraints
    }

    fn nefc(&self) -> usize {
        self.rows().nefc()
    }

    fn force(&self) -> &[f64] {
        &self.data.acceleration.solution.efc_force
    }

    /// Force and torque of a contact in its frame.
    fn contact_force(&self, contact: usize) -> [f64; 6] {
        let first_row = self.rows().first_row(contact);
        let contact = &self.contacts()[contact];
        contact_force::in_contact_frame(&self.model, contact, first_row, self.force())
    }

    fn contact_forces(&self) -> Vec<[f64; 6]> {
        (0..self.contacts().len())
            .map(|i| self.contact_force(i))
            .collect()
    }

    fn normal_force(&self) -> f64 {
        self.contact_forces().iter().map(|force| force[0]).sum()
    }

    /// A row of the constraint Jacobian, dense.
    fn jacobian(&self, row: usize) -> Vec<f64> {
        let mut dense = vec![0.0; self.model.nv];
        let (columns, values) = self.rows().jacobian().row(row);
        for (&dof, &value) in columns.iter().zip(values) {
            dense[dof as usize] = value;
        }
        dense
    }

    fn aref(&self) -> &[f64] {
        &self.data.velocity.reference.efc_aref
    }

    fn efc_vel(&self) -> &[f64] {
        &self.data.velocity.reference.efc_vel
    }

    fn qacc(&self) -> &[f64] {
        &self.data.acceleration.solution.qacc
    }

    fn qfrc_constraint(&self) -> &[f64] {
        &self.data.acceleration.solution.qfrc_constraint
    }

    fn qfrc_actuator(&self) -> &[f64] {
        &self.data.acceleration.actuation.qfrc_actuator
    }

    /// Iterations of the first island, or of the whole.
    fn niter(&self) -> i32 {
        self.data.acceleration.solution.solver_niter[0]
    }

    /// M·x
    fn inertia_times(&self, x: &[f64]) -> Vec<f64> {
        let rows = TreeRows {
            rownnz: &self.model.M_rownnz,
            rowadr: &self.model.M_rowadr,
            colind: &self.model.M_colind,
        };
        let mut out = vec![0.0; x.len()];
        tree::multiply(rows, &self.data.position.inertia.M, x, &mut out);
        out
    }

    fn qpos_of(&self) -> &[f64] {
        &self.data.state.qpos
    }

    fn qvel_of(&self) -> &[f64] {
        &self.data.state.qvel
    }
}

/// Asserts that a number is within an absolute distance of another.
#[track_caller]
fn near(actual: f64, expected: f64, tolerance: f64) {
    assert!(
        (actual - expected).abs() <= tolerance,
        "{actual} is not {expected}"
    );
}

fn norm(x: &[f64]) -> f64 {
    x.iter().map(|x| x * x).sum::<f64>().sqrt()
}

/// ‖a − b‖/‖b‖
fn relative(a: &[f64], b: &[f64]) -> f64 {
    let difference: Vec<f64> = a.iter().zip(b).map(|(a, b)| a - b).collect();
    norm(&difference) / norm(b)
}

/// A free sphere of 1 kg and radius 0.05 at z = 0.05 over a plane.
fn sphere_on_plane(option: &str) -> String {
    format!(
        r#"<mujoco><option {option}/><worldbody><geom type="plane" size="1 1 1"/>
             <body pos="0 0 .05"><freejoint/><geom size=".05" mass="1"/></body>
           </worldbody></mujoco>"#
    )
}

/// Boxes of half-size 0.05, 1 kg and sliding friction 0.5 on top of each other.
fn stack_of_boxes(count: usize, option: &str) -> String {
    let bodies: String = (0..count)
        .map(|i| {
            let z = 0.05 + 0.1 * i as f64;
            format!(
                r#"<body pos="0 0 {z:.2}"><freejoint/>
                     <geom type="box" size=".05 .05 .05" mass="1" friction=".5"/></body>"#
            )
        })
        .collect();
    format!(
        r#"<mujoco><option {option}/><worldbody>
             <geom type="plane" size="1 1 1" friction=".5"/>{bodies}</worldbody></mujoco>"#
    )
}

/// A box of half-size 0.05 and 1 kg that touches a plane tilted about y.
fn box_on_slope(degrees: f64, friction: f64, depth: f64, option: &str) -> String {
    let angle = degrees.to_radians();
    let height = 0.05 - depth;
    let (x, z) = (height * angle.sin(), height * angle.cos());
    format!(
        r#"<mujoco><option {option}/><worldbody>
             <geom type="plane" size="1 1 1" euler="0 {degrees} 0" friction="{friction}"/>
             <body pos="{x} 0 {z}" euler="0 {degrees} 0"><freejoint/>
               <geom type="box" size=".05 .05 .05" mass="1" friction="{friction}"/></body>
           </worldbody></mujoco>"#
    )
}
