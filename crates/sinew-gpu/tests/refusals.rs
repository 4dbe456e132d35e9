//! Everything that kernels do not compute is refused by its name, before the first step.

use sinew_gpu::{Capacity, DeviceError, Refusal, Scene};
use sinew_mjcf::load_text;
use sinew_model::Model;
use sinew_model::kinds::{DisableFlag, EnableFlag, Integrator, Solver};
use sinew_model::law::Law;
use std::path::Path;

fn written(body: &str) -> Model {
    load_text(&format!("<mujoco>{body}</mujoco>"))
        .unwrap_or_else(|error| panic!("{body}: {error:?}"))
        .model
}

/// A ball on a rod, with more elements and more in its body.
fn rod(inside: &str, elements: &str) -> Model {
    written(&format!(
        r#"<worldbody><geom type="plane" size="1 1 .1"/><site name="anchor"/>
          <body name="rod" pos="0 0 1"><joint name="hinge"/><geom size=".1" pos=".3 0 0"/><site name="tip"/>{inside}</body>
        </worldbody>{elements}"#
    ))
}

fn refused(model: &Model) -> Option<Refusal> {
    Scene::<f64>::new(model, Capacity::default()).err()
}

/// A model for every refusal that an option causes.
fn by_options() -> Vec<(Refusal, Model)> {
    let with = |change: &dyn Fn(&mut Model)| {
        let mut model = rod("", "");
        change(&mut model);
        model
    };
    let enabled = |flag: EnableFlag| with(&|model| model.opt.enableflags |= flag.code());
    vec![
        (Refusal::EnabledManyContacts, enabled(EnableFlag::Multiccd)),
        (Refusal::EnabledSleep, enabled(EnableFlag::Sleep)),
        (
            Refusal::Solver,
            with(&|model| model.opt.solver = Solver::Pgs.code()),
        ),
        (
            Refusal::Noslip,
            with(&|model| model.opt.noslip_iterations = 1),
        ),
        (
            Refusal::Implicit,
            with(&|model| model.opt.integrator = Integrator::Implicit.code()),
        ),
    ]
}

/// A model for every refusal that bodies, geoms and tendons cause.
fn by_bodies() -> Vec<(Refusal, Model)> {
    let inner = r#"<contact><pair geom1="first" geom2="second"/></contact>"#;
    let parts =
        r#"<geom name="first" size=".1"/><body pos="1 0 0"><geom name="second" size=".1"/></body>"#;
    let grid = r#"<flexcomp name="cloth" type="grid" dim="2" count="3 3 1" spacing=".1 .1 .1"><contact selfcollide="none"/></flexcomp>"#;
    vec![
        (
            Refusal::NothingMoves,
            written(r#"<worldbody><geom size=".1"/></worldbody>"#),
        ),
        (Refusal::Flexes, rod(grid, "")),
        (Refusal::InnerContacts, rod(parts, inner)),
        (Refusal::OldConvex, {
            let egg = r#"<geom type="ellipsoid" size=".1 .2 .3"/>"#;
            let other = format!("<worldbody>{egg}</worldbody>");
            let mut model = rod(
                &format!(r#"<body pos="1 0 0"><joint/>{egg}</body>"#),
                &other,
            );
            model.opt.disableflags |= DisableFlag::Nativeccd.code();
            model
        }),
    ]
}

/// A model for every refusal that actuators and plugins cause.
fn by_actuators() -> Vec<(Refusal, Model)> {
    let driven = |actuator: &str| rod("", &format!("<actuator>{actuator}</actuator>"));
    let mut plugged = rod("", "");
    plugged.unchecked().nplugin = 1;
    let mut by_projection = rod("", "");
    by_projection.laws_mut().solver = Some(Law::new("xpbd", []));
    vec![
        (
            Refusal::Delays,
            driven(r#"<motor joint="hinge" delay=".01" nsample="8"/>"#),
        ),
        (Refusal::Plugins, plugged),
        (Refusal::Laws, by_projection),
        (
            Refusal::Activation,
            driven(r#"<general joint="hinge" dyntype="user"/>"#),
        ),
        (
            Refusal::ManyActivations,
            driven(r#"<general joint="hinge" dyntype="user" actdim="2"/>"#),
        ),
        (
            Refusal::Gain,
            driven(r#"<general joint="hinge" gaintype="user"/>"#),
        ),
        (
            Refusal::Bias,
            driven(r#"<general joint="hinge" biastype="user"/>"#),
        ),
    ]
}

#[test]
fn what_kernels_do_not_know_is_refused_by_name() {
    assert_eq!(refused(&rod("", "")), None);
    let mut cases = by_options();
    cases.extend(by_bodies());
    cases.extend(by_actuators());
    for (refusal, model) in &cases {
        assert_eq!(refused(model), Some(*refusal));
        let error = DeviceError::Refused(*refusal).to_string();
        assert_eq!(error, format!("the model has {}", refusal.name()));
    }
    // None is forgotten, also not by the documentation.
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/gpu.md");
    let documentation = std::fs::read_to_string(path).expect("docs/gpu.md");
    for refusal in Refusal::ALL {
        let line = format!("\n- {refusal}\n");
        assert!(documentation.contains(&line), "{refusal}");
        let is_tried = cases.iter().any(|(tried, _)| tried == refusal);
        assert!(is_tried, "{refusal:?}");
    }
}
