//! Inverse dynamics, and how well it agrees with forward dynamics.

use crate::constraint::settled;
use crate::{away, close, numbers, open, reference};
use sinew::model::kinds::{Cone, EnableFlag, Solver};

const RUNGE_KUTTA: i32 = 1;

#[test]
fn forces_are_those_of_the_reference() {
    for name in ["humanoid", "quadruped", "muscle_arm", "arm_actuators"] {
        let mut model = open(name);
        let mut data = away(&model, 0.3);
        for integrator in 0..4 {
            for discrete in [0, EnableFlag::Invdiscrete.code()] {
                if discrete != 0 && integrator == RUNGE_KUTTA {
                    continue;
                }
                model.opt.integrator = integrator;
                model.opt.enableflags = discrete;
                data.acceleration.solution.qacc = numbers(model.nv, 11, 6.0);
                data.inverse(&model).expect("its own model");
                let key = format!("inverse {name} {integrator} {discrete}");
                close(&key, &data.inverse.qfrc_inverse, &reference(&key), 1e-10);
            }
        }
    }
}

#[test]
fn an_early_end_of_the_solver_shows_in_the_comparison() {
    for (name, solver) in [
        ("newton", Solver::Newton),
        ("cg", Solver::Cg),
        ("pgs", Solver::Pgs),
    ] {
        let (mut model, mut data) = settled("pyramidal", Cone::Pyramidal);
        model.opt.solver = solver.code();
        model.opt.iterations = 1;
        model.opt.enableflags |= EnableFlag::Fwdinv.code();
        data.state.qacc_warmstart.fill(0.0);
        data.step(&model).expect("finite");
        let key = format!("forward inverse {name}");
        close(&key, &data.inverse.solver_fwdinv, &reference(&key), 1e-8);
    }
}
