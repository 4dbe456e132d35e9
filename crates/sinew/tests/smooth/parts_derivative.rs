//! Derivatives of user forces: the implicit integrators, inverse dynamics of discrete accelerations and
//! linearised steps take them like those of the model's own dampers.

use crate::{Case, close};
use sinew::engine::derivative::transition::Transition;
use sinew::engine::derivative::{BiasTerm, Difference, entry};
use sinew::engine::{Data, Engine, Parts, PassiveForce, Sensors};
use sinew::model::Model;
use sinew::model::kinds::{EnableFlag, Integrator};

/// Force −b·(w·q̇)·w on some degrees of freedom, each with its weight.
struct Damper {
    damping: f64,
    weights: Vec<(usize, f64)>,
}

impl PassiveForce for Damper {
    fn add_force(&mut self, _: &Model, data: &mut Data) {
        let rate = |&(dof, weight): &(usize, f64)| weight * data.state.qvel[dof];
        let force = -self.damping * self.weights.iter().map(rate).sum::<f64>();
        for &(dof, weight) in &self.weights {
            data.velocity.passive.qfrc_passive[dof] += weight * force;
        }
    }

    fn add_velocity_derivative(&mut self, model: &Model, data: &mut Data) {
        for &(row, by_row) in &self.weights {
            for &(column, by_column) in &self.weights {
                let entry = entry(model, row, column).expect("on one chain");
                data.integration.qDeriv[entry] -= self.damping * by_row * by_column;
            }
        }
    }
}

fn damper(damping: f64, weights: &[(usize, f64)]) -> Damper {
    let weights = weights.to_vec();
    Damper { damping, weights }
}

const IMPLICIT: [&str; 2] = ["implicit", "implicitfast"];

/// m·v′ = m·v − h·b·v′: the new velocity is v·m/(m + h·b), however stiff the damper.
#[test]
fn an_implicit_step_solves_with_the_damper_of_the_user() {
    let (mass, timestep, speed) = (2.0, 0.01, 3.0);
    for integrator in ["implicit", "implicitfast", "Euler"] {
        for damping in [0.5, 40.0, 1e6] {
            let Case { model, mut data } = Case::new(&format!(
                r#"<mujoco><option timestep="{timestep}" gravity="0 0 0" integrator="{integrator}"/>
                   <worldbody><body><joint type="slide"/><geom size=".1" mass="{mass}"/></body>
                   </worldbody></mujoco>"#
            ))
            .qvel(&[speed]);
            let mut engine = Engine::new(&model).passive_force(damper(damping, &[(0, 1.0)]));
            engine.step(&mut data).expect("finite");
            let expected = match integrator {
                // Only the model's own damping is implicit there.
                "Euler" => speed * (1.0 - timestep * damping / mass),
                _ => speed * mass / (mass + timestep * damping),
            };
            close(&data.state.qvel, &[expected], 1e-14);
        }
    }
}

fn arm(integrator: &str, first_joint: &str, sections: &str) -> Case {
    Case::new(&format!(
        r#"<mujoco><option timestep=".005" integrator="{integrator}"/><worldbody><body>
             <joint name="a" axis="0 1 0" {first_joint}/>
             <geom type="capsule" fromto="0 0 0 .3 0 0" size=".02" mass="1"/>
             <body pos=".3 0 0"><joint name="b" axis="0 1 .2"/>
               <geom type="capsule" fromto="0 0 0 .3 0 0" size=".02" mass="1"/></body></body>
             <body pos="0 1 0"><joint axis="1 0 0"/><geom size=".1" pos="0 .1 0"/></body>
           </worldbody>{sections}</mujoco>"#
    ))
    .qpos(&[0.4, -0.7, 0.2])
    .qvel(&[1.0, -3.0, 0.5])
}

/// Steps, derivatives, discrete inverse dynamics and a linearised step are the same.
fn agree(mut built_in: Case, mut by_hand: Case, part: impl Fn() -> Damper) {
    for case in [&mut built_in, &mut by_hand] {
        case.model.opt.enableflags |= EnableFlag::Invdiscrete.code();
    }
    let ours = numbers(
        by_hand.data,
        Engine::new(&by_hand.model).passive_force(part()),
    );
    let theirs = numbers(built_in.data, Engine::new(&built_in.model));
    close(&ours, &theirs, 1e-11);
}

fn numbers(mut data: Data, mut engine: Engine<'_, impl Parts>) -> Vec<f64> {
    for _ in 0..200 {
        engine.step(&mut data).expect("finite");
    }
    let mut all = [&data.state.qpos[..], &data.state.qvel].concat();
    engine.forward(&mut data).expect("its own model");
    for bias_term in [BiasTerm::Included, BiasTerm::Omitted] {
        let done = engine.velocity_derivative(&mut data, bias_term);
        done.expect("its own model");
        all.extend(&data.integration.qDeriv);
    }
    data.acceleration
        .solution
        .qacc
        .copy_from_slice(&[5.0, -7.0, 1.0]);
    engine.inverse(&mut data).expect("its own model");
    all.extend(&data.inverse.qfrc_inverse);
    let mut found = Transition::default();
    let difference = Difference {
        eps: 1e-4,
        is_centered: true,
    };
    let done = engine.transition(&mut data, difference, Sensors::Skipped, &mut found);
    done.expect("a linear step");
    all.extend(found.A);
    all
}

#[test]
fn a_damper_of_the_user_is_a_damper_of_a_joint() {
    for integrator in IMPLICIT {
        let part = || damper(2.0, &[(0, 1.0)]);
        agree(
            arm(integrator, r#"damping="2""#, ""),
            arm(integrator, "", ""),
            part,
        );
    }
}

#[test]
fn a_damper_between_joints_is_a_damped_tendon() {
    let tendon = r#"<tendon><fixed damping="1.5"><joint joint="a" coef="2"/><joint joint="b" coef="-1"/>
        </fixed></tendon>"#;
    for integrator in IMPLICIT {
        let part = || damper(1.5, &[(0, 2.0), (1, -1.0)]);
        agree(arm(integrator, "", tendon), arm(integrator, "", ""), part);
    }
}

/// Neither the force nor its derivative is there without springs and dampers.
#[test]
fn disabled_passive_forces_have_no_derivative() {
    for integrator in [Integrator::Implicit, Integrator::Implicitfast] {
        let flags = r#"<option><flag spring="disable" damper="disable"/></option>"#;
        let mut plain = arm("implicit", "", flags);
        plain.model.opt.integrator = integrator.code();
        let Case { model, mut data } = plain.clone();
        let mut engine = Engine::new(&model).passive_force(damper(2.0, &[(0, 1.0)]));
        for _ in 0..50 {
            engine.step(&mut data).expect("finite");
        }
        let plain = plain.steps(50);
        assert_eq!(data.state.qvel, plain.data.state.qvel);
    }
}

#[test]
fn only_degrees_of_freedom_on_one_chain_have_an_entry() {
    let model = arm("implicit", "", "").model;
    let all = (0..model.nv).flat_map(|row| (0..model.nv).map(move |column| (row, column)));
    for (row, column) in all {
        let found = entry(&model, row, column);
        assert_eq!(
            found.is_some(),
            (row == 2) == (column == 2),
            "{row} {column}"
        );
        if let Some(entry) = found {
            assert_eq!(model.D_colind[entry] as usize, column);
            let first = model.D_rowadr[row] as usize;
            assert!((first..first + model.D_rownnz[row] as usize).contains(&entry));
        }
    }
    assert_eq!((entry(&model, 0, 9), entry(&model, 9, 0)), (None, None));
}
