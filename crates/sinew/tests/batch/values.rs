//! Worlds that differ in values of the model: each has the bits of a model changed for it alone.

use crate::worlds::{bits, built_in, floating};
use sinew::batch::{Batch, BatchError, Which};
use sinew::engine::Data;
use sinew::engine::constants::{ConstantsError, set_constants};
use sinew::model::{Model, Value};
use std::sync::Arc;

const ALWAYS: &(dyn Fn() -> bool + Sync) = &|| true;
const WORLDS: usize = 5;
const STEPS: usize = 40;

/// What each world changes, in turn: an array, and by which factor for world 0, 1, ….
const CHANGES: [(&str, f64); 9] = [
    ("body_mass", 0.2),
    ("body_inertia", 0.2),
    ("geom_friction", -0.1),
    ("geom_size", 0.05),
    ("dof_damping", 0.5),
    ("actuator_gainprm", 0.3),
    ("opt.gravity", -0.1),
    ("opt.timestep", 0.1),
    ("qpos0", 0.01),
];

fn factor(world: usize, change: f64) -> f64 {
    1.0 + change * world as f64
}

/// A world's own model, made the way one makes a model of one's own.
fn changed(model: &Model, world: usize, derives: bool) -> Model {
    let mut own = model.clone();
    for (name, change) in CHANGES {
        for number in Value::named(name).expect("there is one").of(&mut own) {
            *number *= factor(world, change);
        }
    }
    if derives {
        set_constants(&mut own).expect("has mass");
    }
    own
}

fn alone(model: &Model) -> Data {
    let mut data = Data::new(model);
    for step in 0..STEPS {
        data.input.ctrl.fill(0.02 * step as f64);
        data.step(model).expect("finite");
    }
    data
}

fn check(model: &Arc<Model>, threads: usize, derives: bool) {
    let mut batch = Batch::with(Arc::clone(model), WORLDS, threads, &["xpos"]).expect("fits");
    for (name, change) in CHANGES {
        batch.expand(name).expect("a value");
        let width = batch.value(name).expect("kept").len() / WORLDS;
        for (k, number) in batch.value_mut(name).expect("kept").iter_mut().enumerate() {
            *number *= factor(k / width.max(1), change);
        }
    }
    if derives {
        batch
            .derive_constants(Which::All, ALWAYS)
            .expect("has mass");
    }
    batch.reset(Which::All, None).expect("all");
    for step in 0..STEPS {
        batch
            .get_mut("ctrl")
            .expect("kept")
            .fill(0.02 * step as f64);
        batch.step(1, &());
    }
    assert_eq!(batch.outcome().failures().count(), 0);
    for world in 0..WORLDS {
        let own = changed(model, world, derives);
        let data = alone(&own);
        let row = |name: &str| {
            let cells = batch.get(name).expect("kept");
            let width = cells.len() / WORLDS;
            bits(&cells[world * width..][..width])
        };
        assert_eq!(row("qpos"), bits(&data.state.qpos), "world {world}");
        assert_eq!(row("qvel"), bits(&data.state.qvel), "world {world}");
        assert_eq!(row("sensordata"), bits(&data.sensor.sensordata));
        assert_eq!(row("time"), bits(&[data.state.time]));
        let (found, expected) = (batch.model_of(world), own);
        for (found, expected) in found.columns().iter().zip(expected.columns()) {
            assert_eq!(found.bytes, expected.bytes, "{}", found.name);
        }
        assert_eq!((&found.opt, &found.stat), (&expected.opt, &expected.stat));
        assert_eq!(found.ngravcomp, expected.ngravcomp);
    }
}

#[test]
fn a_world_with_values_of_its_own_has_the_bits_of_a_model_of_its_own() {
    for name in ["quadruped", "cartpole", "box_pile"] {
        let model = Arc::new(built_in(name));
        for threads in [1, 3] {
            check(&model, threads, false);
            check(&model, threads, true);
        }
    }
}

#[test]
fn worlds_differ_in_meshes_scaled_by_nothing_and_bodies_that_float() {
    let text = r#"<mujoco><asset><mesh name="m" vertex="0 0 0 .2 0 0 0 .2 0 0 0 .2"/></asset><worldbody>
        <geom type="plane" size="5 5 1"/>
        <body pos="0 0 .3"><freejoint/><geom type="mesh" mesh="m"/></body></worldbody></mujoco>"#;
    let model = Arc::new(sinew::mjcf::load_text(text).expect("loads").model);
    let mut batch = Batch::with(Arc::clone(&model), 3, 2, &[]).expect("fits");
    batch.expand("body_gravcomp").expect("a value");
    batch.value_mut("body_gravcomp").expect("kept")[5] = 1.0;
    batch
        .derive_constants(Which::All, ALWAYS)
        .expect("has mass");
    batch.step(200, &());
    for world in 0..3 {
        let mut own = Model::clone(&model);
        own.change(|arrays| arrays.body_gravcomp[1] = if world == 2 { 1.0 } else { 0.0 })
            .expect("makes sense");
        set_constants(&mut own).expect("has mass");
        let mut data = Data::new(&own);
        for _ in 0..200 {
            data.step(&own).expect("finite");
        }
        assert_eq!(
            bits(&batch.get("qpos").expect("kept")[world * 7..][..7]),
            bits(&data.state.qpos)
        );
    }
    assert_eq!(batch.get("qpos").expect("kept")[16], 0.3, "it floats");
}

#[test]
fn constants_are_derived_for_the_named_worlds_and_kept_where_they_cannot_be() {
    let model = Arc::new(floating());
    let mut batch = Batch::with(Arc::clone(&model), 3, 1, &[]).expect("fits");
    batch.expand("body_mass").expect("a value");
    batch
        .value_mut("body_mass")
        .expect("kept")
        .iter_mut()
        .for_each(|mass| *mass *= 2.0);
    batch
        .derive_constants(Which::One(1), ALWAYS)
        .expect("has mass");
    let total = |batch: &Batch, world: usize| {
        batch.value("body_subtreemass").expect("kept")[world * model.nbody]
    };
    assert_eq!(total(&batch, 0), model.body_subtreemass[0]);
    assert_eq!(total(&batch, 1), 2.0 * model.body_subtreemass[0]);
    assert!(batch.derive_constants(Which::One(3), ALWAYS).is_err());

    let slides = r#"<mujoco><worldbody><body><joint type="slide"/><geom size=".1"/></body></worldbody></mujoco>"#;
    let model = sinew::mjcf::load_text(slides).expect("loads").model;
    let mut batch = Batch::with(model, 2, 1, &[]).expect("fits");
    for name in ["body_mass", "body_inertia"] {
        batch.expand(name).expect("a value");
        let half = batch.value(name).expect("kept").len() / 2;
        batch.value_mut(name).expect("kept")[half..].fill(0.0);
    }
    let refused = batch.derive_constants(Which::All, ALWAYS);
    let error = ConstantsError::MasslessBody(1);
    assert_eq!(refused, Err(BatchError::Constants { world: 1, error }));
    assert!(batch.value("body_subtreemass").expect("kept")[2] > 0.0);
}

#[test]
fn values_belong_to_snapshots_and_what_is_no_value_is_refused() {
    let model = Arc::new(floating());
    let mut batch = Batch::with(Arc::clone(&model), 2, 1, &[]).expect("fits");
    let before = batch.save();
    batch.expand("body_mass").expect("a value");
    batch.expand("body_mass").expect("again");
    let address = batch.value("body_mass").expect("kept").as_ptr();
    let saved = batch.save();
    batch.value_mut("body_mass").expect("kept").fill(9.0);
    batch.restore(&before).expect("has none");
    assert_eq!(batch.value("body_mass").expect("kept")[1], 9.0);
    batch.restore(&saved).expect("has them");
    assert_eq!(
        batch.value("body_mass").expect("kept")[1],
        model.body_mass[1]
    );
    batch.expand("geom_size").expect("a value");
    batch
        .derive_constants(Which::All, ALWAYS)
        .expect("has mass");
    assert_eq!(
        batch.value("body_mass").expect("kept").as_ptr(),
        address,
        "no array moves"
    );
    assert_eq!(batch.values().next(), Some(("body_mass", &[3][..])));
    let unknown = Err(BatchError::UnknownValue("geom_pos".into()));
    assert_eq!(batch.value("geom_pos"), unknown);
    let mut fresh = Batch::with(model, 2, 1, &[]).expect("fits");
    assert!(fresh.restore(&saved).is_err());
    for name in ["body_parentid", "qpos", "opt.solver", ""] {
        assert_eq!(
            fresh.expand(name),
            Err(BatchError::UnknownValue(name.into()))
        );
    }
}
