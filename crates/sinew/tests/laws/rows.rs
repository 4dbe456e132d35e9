//! Projection handles every kind of row.

use super::solver::projected;
use super::{largest, model};
use sinew::engine::law::Xpbd;
use sinew::model::kinds::Constraint;
use sinew::prelude::*;

/// A scene of one kind of row, projected for a second; what it ends in.
#[track_caller]
fn settled(kind: Constraint, scene: &str) -> Simulation<impl sinew::engine::Parts + use<>> {
    let model = model(&format!("<mujoco>{scene}</mujoco>"));
    let solver = Xpbd {
        iterations: 50,
        ..Xpbd::default()
    };
    let mut sim = Simulation::builder(model)
        .solver(solver)
        .build()
        .expect("all rows are handled");
    let mut has_met = false;
    for _ in 0..500 {
        sim.step().expect("finite");
        let rows = &sim.data().position.constraints;
        has_met |= rows.efc_type.contains(&kind.code());
        let is_other = |code: &&i32| **code != kind.code();
        assert_eq!(rows.efc_type.iter().find(is_other), None, "{scene}");
    }
    assert!(has_met, "there are no rows: {scene}");
    sim.forward().expect("its own model");
    let data = sim.data();
    let rows = &data.position.constraints;
    for (pos, margin) in rows.efc_pos.iter().zip(&rows.efc_margin) {
        let is_kept = match kind {
            Constraint::Equality => pos.abs() < 2e-3,
            _ => pos - margin > -2e-3,
        };
        assert!(is_kept, "violated by {pos}: {scene}");
    }
    // What is reported fits together: M·(q̈ − smooth q̈) = Jᵀ·force, here for the sum of both sides.
    let mut force = vec![0.0; sim.model().nv];
    let solution = &data.acceleration.solution;
    rows.jacobian()
        .multiply_transposed(&solution.efc_force, &mut force);
    for (given, made) in solution.qfrc_constraint.iter().zip(&force) {
        assert!((given - made).abs() < 1e-9, "{scene}");
    }
    sim
}

/// A body that falls along z beside others.
fn falling(name: &str, x: f64, joint: &str) -> String {
    format!(
        "<body pos='{x} 0 1'><joint name='{name}' type='slide' axis='0 0 1' {joint}/><geom size='.05' mass='1'/></body>"
    )
}

#[test]
fn every_equality_is_kept() {
    let free =
        "<worldbody><body name='c' pos='0 0 1'><freejoint/><geom size='.05'/></body></worldbody>";
    let pair = format!(
        "<worldbody>{}{}</worldbody>",
        falling("a", 0.0, "stiffness='50'"),
        falling("b", 1.0, "")
    );
    let cords = "<tendon><fixed name='s'><joint joint='a' coef='1'/></fixed>\
                 <fixed name='t'><joint joint='b' coef='1'/></fixed></tendon>";
    let cloth = |kept: &str| {
        format!(
            "<worldbody><flexcomp name='f' type='grid' dim='2' count='4 3 1' spacing='.1 .1 .1' mass='.2' radius='.001'>\
             <edge equality='{kept}'/><contact selfcollide='none'/><pin id='0 3'/></flexcomp></worldbody>"
        )
    };
    for scene in [
        format!("{free}<equality><connect body1='c' anchor='0 0 .3'/></equality>"),
        format!("{free}<equality><weld body1='c'/></equality>"),
        format!("{pair}<equality><joint joint1='a' joint2='b'/></equality>"),
        format!("{pair}{cords}<equality><tendon tendon1='s' tendon2='t'/></equality>"),
        cloth("true"),
    ] {
        settled(Constraint::Equality, &scene);
    }
}

#[test]
fn dry_friction_holds_or_brakes() {
    let slide = |friction: &str| {
        let world = format!("<worldbody>{}</worldbody>", falling("a", 0.0, ""));
        let cord = format!(
            "<tendon><fixed frictionloss='{friction}'><joint joint='a' coef='1'/></fixed></tendon>"
        );
        let joint = falling("a", 0.0, &format!("frictionloss='{friction}'"));
        [
            (Constraint::FrictionTendon, format!("{world}{cord}")),
            (
                Constraint::FrictionDof,
                format!("<worldbody>{joint}</worldbody>"),
            ),
        ]
    };
    for (friction, speed) in [("20", 0.0), ("5", -4.81)] {
        for (kind, scene) in slide(friction) {
            let sim = settled(kind, &scene);
            let found = sim.qvel("a").expect("a slide")[0];
            assert!((found - speed).abs() < 1e-6, "{found}: {scene}");
        }
    }
}

#[test]
fn every_limit_stops() {
    let hinge = |joint: &str| {
        format!(
            "<worldbody><body><joint name='a' {joint}/><geom type='capsule' fromto='0 0 0 .3 0 0' size='.02'/></body>\
             </worldbody>"
        )
    };
    let slide = format!(
        "<worldbody>{}</worldbody>",
        falling("a", 0.0, "range='-.1 1' limited='true'")
    );
    let cord = format!(
        "<worldbody>{}</worldbody><tendon><fixed limited='true' range='-.1 1'><joint joint='a' coef='1'/></fixed></tendon>",
        falling("a", 0.0, "")
    );
    for (kind, scene) in [
        (Constraint::LimitJoint, slide),
        (
            Constraint::LimitJoint,
            hinge("axis='0 1 0' range='-20 20' limited='true'"),
        ),
        (
            Constraint::LimitJoint,
            hinge("type='ball' range='0 20' limited='true'"),
        ),
        (Constraint::LimitTendon, cord),
    ] {
        let sim = settled(kind, &scene);
        let rests = sim.data().state.qvel.iter().all(|speed| speed.abs() < 0.05);
        assert!(rests, "{:?}: {scene}", sim.data().state.qvel);
    }
}

#[test]
fn every_contact_carries() {
    for cone in ["pyramidal", "elliptic"] {
        for dim in [1, 3, 4, 6] {
            let scene = format!(
                "<option cone='{cone}'/><worldbody><geom type='plane' size='1 1 1' condim='{dim}'/>\
                 <body pos='0 0 .11'><freejoint/><geom name='ball' size='.1' condim='{dim}'/></body></worldbody>"
            );
            let kind = match (cone, dim) {
                (_, 1) => Constraint::ContactFrictionless,
                ("pyramidal", _) => Constraint::ContactPyramidal,
                _ => Constraint::ContactElliptic,
            };
            let sim = settled(kind, &scene);
            let carried: f64 = sim.contacts().map(|touch| touch.force().0[2].abs()).sum();
            let weight = 9.81 * sim.model().body_mass[1];
            assert!(
                (carried / weight - 1.0).abs() < 1e-3,
                "{carried} of {weight}: {scene}"
            );
        }
    }
}

/// Rows of strains: two per vertex, each over all triangles around it, so that sweeps converge slowly. The model's own solver
/// diverges in the first step here, as the reference does.
#[test]
fn strains_of_vertices_are_kept_where_the_default_diverges() {
    let text = "<mujoco><worldbody><flexcomp name='f' type='grid' dim='2' count='4 3 1' spacing='.1 .1 .1' mass='.2' \
         radius='.001'><edge equality='vert'/><contact selfcollide='none'/><pin id='0 3'/></flexcomp></worldbody></mujoco>";
    assert!(Simulation::new(model(text)).step_for(0.1).is_err());
    for (iterations, strain) in [(50, 0.03), (1000, 0.01)] {
        let solver = Xpbd {
            iterations,
            ..Xpbd::default()
        };
        let mut sim = projected(model(text), solver);
        for _ in 0..4 {
            sim.step_for(0.25).expect("finite");
            let rows = &sim.data().position.constraints;
            assert_eq!(rows.efc_type, [Constraint::Equality.code(); 24]);
            assert!(
                largest(&rows.efc_pos) < strain,
                "{iterations}: {:?}",
                rows.efc_pos
            );
        }
    }
}
