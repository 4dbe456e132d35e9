//! Dynamics without contact, against closed forms and values of MuJoCo 3.5.0.
//!
//! Each test states its model in place and the numbers it must give; values with many digits are
//! the reference's.

mod activation;
mod actuator;
mod bad_model;
mod bad_state;
mod bad_values;
#[path = "../bench/mod.rs"]
mod bench;
mod closed_form;
mod control;
mod delay;
mod fixed_tendon;
mod fluid;
mod fluid_derivative;
mod gravcomp;
mod integrator;
mod interrupt;
mod muscle;
mod muscle_model;
mod parts;
mod parts_derivative;
mod site_transmission;
mod spatial_tendon;
mod tendon;
mod tendon_path;
mod timing;
mod wrap_inside;

use bench::{Case, close};

#[allow(non_snake_case)]
impl Case {
    fn ctrl(mut self, ctrl: &[f64]) -> Self {
        self.data.input.ctrl.copy_from_slice(ctrl);
        self
    }

    fn act(mut self, act: &[f64]) -> Self {
        self.data.state.act.copy_from_slice(act);
        self
    }

    fn actuator_force(&self) -> &[f64] {
        &self.data.acceleration.actuation.actuator_force
    }

    fn qfrc_actuator(&self) -> &[f64] {
        &self.data.acceleration.actuation.qfrc_actuator
    }

    fn act_dot(&self) -> &[f64] {
        &self.data.acceleration.actuation.act_dot
    }

    fn qacc(&self) -> &[f64] {
        &self.data.acceleration.solution.qacc
    }

    fn qfrc_passive(&self) -> &[f64] {
        &self.data.velocity.passive.qfrc_passive
    }

    fn ten_length(&self) -> &[f64] {
        &self.data.position.tendon.ten_length
    }

    fn ten_J(&self) -> &[f64] {
        &self.data.position.tendon.ten_J
    }

    fn qfrc_constraint(&self) -> &[f64] {
        &self.data.acceleration.solution.qfrc_constraint
    }

    fn moment(&self, actuator: usize) -> Vec<f64> {
        let mut row = vec![0.0; self.model.nv];
        let (columns, values) = self.data.moment(&self.model, actuator).expect("one");
        for (&dof, &value) in columns.iter().zip(values) {
            row[dof as usize] = value;
        }
        row
    }
}

/// The numbers of a text, as in a table of a specification.
#[track_caller]
fn numbers(text: &str) -> Vec<f64> {
    text.split([' ', ',', '\n'])
        .filter(|word| !word.is_empty())
        .map(|word| match word.parse() {
            Ok(number) => number,
            Err(_) => panic!("{word} is not a number"),
        })
        .collect()
}

/// A body of mass 1 on a slide along x named `j`, without gravity, with the given options, joint
/// attributes and further sections.
fn slide(option: &str, joint: &str, sections: &str) -> String {
    format!(
        r#"<mujoco><option gravity="0 0 0" {option}/><worldbody><body>
             <joint name="j" type="slide" axis="1 0 0" {joint}/><geom size=".1" mass="1"/>
           </body></worldbody>{sections}</mujoco>"#
    )
}
