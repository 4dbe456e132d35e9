//! Solvers in place of the model's.

use super::{largest, model};
use sinew::engine::law::Xpbd;
use sinew::engine::{Constrained, ConstraintSolver, LawError, Memory, Solved};
use sinew::model::law::Law;
use sinew::prelude::*;
use sinew::solver::Bounds;

fn resting_box(height: f64) -> Model {
    model(&format!(
        "<mujoco><worldbody><geom name='floor' type='plane' size='5 5 1'/><body name='box' pos='0 0 {height}'><freejoint/>\
         <geom type='box' size='.1 .1 .1' mass='1'/></body></worldbody></mujoco>"
    ))
}

pub(super) fn projected(model: Model, solver: Xpbd) -> Simulation<impl sinew::engine::Parts> {
    Simulation::builder(model)
        .solver(solver)
        .build()
        .expect("rows of all kinds are handled")
}

#[test]
fn a_box_rests_on_the_floor() {
    for cone in [0, 1] {
        let mut model = resting_box(0.1);
        model.opt.cone = cone;
        let mut sim = projected(model, Xpbd::default());
        for _ in 0..1000 {
            sim.step().expect("finite");
        }
        let qpos = &sim.data().state.qpos;
        assert!((qpos[2] - 0.1).abs() < 1e-3, "{qpos:?}");
        assert!(
            largest(&sim.data().state.qvel) < 1e-3,
            "{:?}",
            sim.data().state.qvel
        );
        assert!((qpos[3].abs() - 1.0).abs() < 1e-6, "no tilt: {qpos:?}");
        let quat: f64 = qpos[3..7].iter().map(|x| x * x).sum();
        assert!((quat - 1.0).abs() < 1e-12);
        sim.forward().expect("its own model");
        let weight: f64 = sim.contacts().map(|touch| touch.normal_force()).sum();
        assert!(
            (weight - 9.81).abs() < 1e-6,
            "the reported forces carry it: {weight}"
        );
    }
}

#[test]
fn overlap_is_undone_without_a_launch() {
    let mut sim = projected(resting_box(0.09), Xpbd::default());
    sim.step().expect("finite");
    let height = sim.data().state.qpos[2];
    assert!((0.1 - height) < 1e-4, "{height}");
    let mut fastest = 0.0f64;
    for _ in 0..200 {
        fastest = fastest.max(sim.data().state.qvel[2]);
        sim.step().expect("finite");
    }
    assert!(fastest < 1e-6, "undoing overlap gives no speed: {fastest}");

    // Rows that yield push, but not faster than they may.
    let soft = Xpbd {
        compliance: 1e-6,
        ..Xpbd::default()
    };
    let mut sim = projected(resting_box(0.09), soft);
    for _ in 0..200 {
        sim.step().expect("finite");
        assert!(
            sim.data().state.qvel[2] < 1.01,
            "{}",
            sim.data().state.qvel[2]
        );
    }
}

#[test]
fn friction_holds_up_to_its_cone() {
    for (gravity, holds) in [(4.0, true), (12.0, false)] {
        let mut model = resting_box(0.1);
        model.opt.gravity = Vec3([gravity, 0.0, -9.81]);
        let mut sim = projected(model, Xpbd::default());
        for _ in 0..500 {
            sim.step().expect("finite");
        }
        let speed = sim.data().state.qvel[0];
        // Friction 1 holds 4 of 9.81; of 12 it leaves 2.19 a second.
        if holds {
            assert!(speed.abs() < 1e-3, "{speed}");
        } else {
            assert!((speed - 2.19).abs() < 0.1, "{speed}");
        }
    }
}

#[test]
fn limits_equalities_and_dry_friction_are_handled() {
    let mut sim = projected(
        model(
            "<mujoco><worldbody><body name='a'><joint name='hinge' axis='0 1 0' range='-20 20' limited='true'/>\
             <geom type='capsule' fromto='0 0 0 .5 0 0' size='.02'/><body name='b' pos='.5 0 0'>\
             <joint name='stuck' axis='0 1 0' frictionloss='5000'/><geom type='capsule' fromto='0 0 0 .3 0 0' size='.02'/>\
             </body></body><body name='c' pos='0 1 0'><freejoint/><geom size='.05'/></body></worldbody>\
             <equality><connect body1='c' anchor='0 0 .3'/></equality></mujoco>",
        ),
        Xpbd {
            iterations: 200,
            substeps: 2,
            ..Xpbd::default()
        },
    );
    for _ in 0..1000 {
        sim.step().expect("finite");
    }
    let limit = 20f64.to_radians();
    let hinge = sim.qpos("hinge").expect("it is there")[0];
    assert!(
        (hinge - limit).abs() < 1e-2,
        "it hangs at its limit: {hinge}"
    );
    // What overlaps when the limit is hit is undone without regard to friction, so that it turns a little once; without
    // friction it would hang down by more than 1 rad.
    let stuck = sim.qpos("stuck").expect("it is there")[0];
    assert!(stuck.abs() < 0.1, "{stuck}");
    assert!(sim.qvel("stuck").expect("it is there")[0].abs() < 1e-3);
    let c = sim.body("c").expect("it is there").position;
    let anchor = c - Vec3([0.0, 1.0, 0.3]);
    assert!((anchor.norm() - 0.3).abs() < 1e-3, "{c:?}");
}

#[test]
fn solvers_change_between_steps() {
    let law = || Some(Law::new("xpbd", [10.0, 2.0]));
    let mut sim = Simulation::new(Model::built_in("box_pile").expect("built in"));
    sim.step_for(0.1).expect("finite");
    sim.choose_laws(|laws| laws.solver = law())
        .expect("it is known");
    sim.step_for(0.1).expect("finite");
    let mut state = sim.save();
    sim.choose_laws(|laws| laws.solver = None)
        .expect("nothing is always known");
    sim.step_for(0.1).expect("finite");

    // The last phase is that of a simulation which never had another solver, and starts without a guess.
    let mut fresh = Simulation::new(Model::built_in("box_pile").expect("built in"));
    fresh.restore(&state).expect("the same model");
    fresh.data_mut().state.qacc_warmstart.fill(0.0);
    fresh.step_for(0.1).expect("finite");
    assert_eq!(sim.data().state.qpos, fresh.data().state.qpos);
    state = fresh.save();
    assert_eq!(state, sim.save());
    let error = sim
        .choose_laws(|laws| laws.solver = Some(Law::new("lcp", [])))
        .expect_err("unknown");
    assert_eq!(
        error.to_string(),
        "option: there is no law `lcp`, only default, xpbd"
    );
    let error = sim
        .choose_laws(|laws| laws.solver = Some(Law::new("xpbd", [0.5])))
        .expect_err("half an iteration");
    assert!(error.to_string().contains("at least 1"));
    for parameters in [
        vec![1e6 + 1.0],
        vec![1e4, 101.0],
        vec![1e300],
        vec![1.0, 1e15, 0.0],
    ] {
        let error = sim
            .choose_laws(|laws| laws.solver = Some(Law::new("xpbd", parameters)))
            .expect_err("more than anybody waits for");
        assert!(error.to_string().contains("at most 1,000,000"), "{error}");
    }
}

/// The model's own solver through the interface.
#[derive(Clone, Debug)]
struct Own;

impl Memory for Own {}

impl ConstraintSolver for Own {
    fn prepare(&mut self, _: &Model) -> Result<(), LawError> {
        Ok(())
    }

    fn solve(&mut self, task: &Constrained<'_>, bounds: Bounds<'_>, out: &mut Solved<'_>) {
        sinew::solver::solve_within(
            task.problem,
            task.islands,
            task.settings,
            bounds,
            &mut out.rows,
        );
    }
}

#[test]
fn the_models_solvers_have_the_same_bits_through_the_interface() {
    for name in ["humanoid", "box_pile", "quadruped", "cartpole"] {
        for solver in 0..3 {
            let mut model = Model::built_in(name).expect("built in");
            model.opt.solver = solver;
            let mut plain = Simulation::new(model.clone());
            let mut own = Simulation::builder(model)
                .solver(Own)
                .build()
                .expect("it can all");
            for _ in 0..100 {
                let _ = (plain.step(), own.step());
            }
            let bits = |numbers: &[f64]| numbers.iter().map(|x| x.to_bits()).collect::<Vec<_>>();
            assert_eq!(
                bits(&plain.data().state.qpos),
                bits(&own.data().state.qpos),
                "{name} {solver}"
            );
        }
    }
}
