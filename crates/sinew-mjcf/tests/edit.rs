//! Models changed by programs: what is read and compiled again is the same model; edits do what they say.

use sinew_mjcf::edit::{Draft, EditError, Id, Kind, Value};
use sinew_mjcf::memory::Memory;
use sinew_mjcf::write::write_saved;
use sinew_mjcf::{Loader, load_text};
use sinew_model::Model;

/// Classes, frames, units, shortcuts, macros: whatever reading resolves.
const RICH: &str = r#"
<mujoco model="rich">
  <compiler angle="degree" eulerseq="zyx"/>
  <option timestep="0.001" integrator="implicitfast"><flag gravity="disable" energy="enable"/></option>
  <visual><map znear="0.02"/><rgba fog="1 0 0 1"/></visual>
  <statistic extent="3"/>
  <default>
    <geom friction="0.7"/>
    <default class="arm"><joint damping="2" range="-40 30"/><geom rgba="1 0 0 1" euler="0 10 0"/><position kp="7"/></default>
  </default>
  <custom><numeric name="n" data="1 2"/><text name="t" data="x"/><tuple name="u"><element objtype="geom" objname="g" prm="2"/></tuple></custom>
  <asset>
    <texture name="tx" type="2d" builtin="checker" width="4" height="4" rgb1="1 0 0"/>
    <material name="m" texture="tx" shininess="0.1"/>
    <mesh name="me" vertex="0 0 0 1 0 0 0 1 0 0 0 1" scale="2 1 1"/>
    <hfield name="h" nrow="2" ncol="3" size="1 1 1 1" elevation="0 1 2 3 4 5"/>
  </asset>
  <worldbody>
    <light name="l" dir="0 1 -1"/><camera name="c" xyaxes="1 0 0 0 0 1" mode="targetbody" target="b"/>
    <geom type="hfield" hfield="h"/>
    <body name="b" childclass="arm" pos="0 0 1" euler="90 0 20">
      <frame pos="1 2 3" euler="10 20 30">
        <joint name="j"/><geom name="g" size=".1 .2" type="capsule" material="m"/><site name="s" zaxis="1 1 0"/>
        <frame axisangle="0 1 0 45"><geom name="g2" type="mesh" mesh="me"/></frame>
      </frame>
      <geom name="g3" fromto="0 0 0 1 1 1" size=".05" type="capsule" class="main"/>
      <body name="b2" gravcomp="1"><geom name="ball" size=".1"/></body>
    </body>
    <body name="b3" mocap="true"><geom size=".1" contype="0"/></body><body name="b4"><freejoint name="f"/><inertial pos="0 0 .1" mass="2" fullinertia="2 2 3 .1 .2 .3"/></body>
    <replicate count="3" offset="1 0 0"><body name="r"><joint name="rj" type="slide"/><geom size=".3"/><site name="rs"/></body></replicate>
  </worldbody>
  <contact><pair geom1="g" geom2="g3" friction="1 2"/><exclude body1="b" body2="b3"/></contact>
  <equality><weld body1="b" body2="b3" relpose="0 0 1 1 0 0 0"/><joint joint1="j" polycoef="0 2"/><connect site1="s" site2="rs0"/></equality>
  <tendon><spatial name="sp" range="0 3"><site site="s"/><geom geom="ball"/><site site="rs1"/></spatial><fixed name="fx"><joint joint="j" coef="3"/></fixed></tendon>
  <actuator><position class="arm" joint="j" kv="3"/><muscle tendon="sp" lengthrange="0.1 3"/><motor name="mo" joint="rj0" gear="3"/><adhesion body="b" ctrlrange="0 1"/></actuator>
  <sensor><framepos objtype="site" objname="s" reftype="body" refname="b3"/><contact geom1="g" data="force dist" num="2"/><jointpos joint="j"/><rangefinder site="s"/><user dim="2"/><subtreecom body="b"/></sensor>
  <keyframe><key name="k" time="2" ctrl="1 0 0 0"/></keyframe>
</mujoco>"#;

fn check_same(one: &Model, other: &Model) {
    for (one, other) in one.columns().iter().zip(other.columns()) {
        assert_eq!(one.bytes, other.bytes, "{}", one.name);
    }
    assert_eq!(one.opt, other.opt);
    assert_eq!(one.stat, other.stat);
    assert_eq!(one.vis, other.vis);
}

fn plain(draft: &mut Draft, body: Id, name: &str) -> Id {
    let id = draft.add(Kind::Body, body, None).expect("a body");
    draft.set_name(id, name).expect("a free name");
    let geom = draft.add(Kind::Geom, id, None).expect("a geom");
    draft
        .set(geom, "size", [0.1, 0.0, 0.0])
        .expect("three numbers");
    id
}

#[test]
fn a_model_that_was_read_compiles_to_the_same_model() {
    let direct = load_text(RICH).expect("the model loads").model;
    let draft = Loader::new()
        .read_draft_text(RICH)
        .expect("the model is read");
    let loaded = draft.compile(&Loader::new()).expect("the draft compiles");
    check_same(&direct, &loaded.model);
    let copy = draft
        .clone()
        .compile(&Loader::new())
        .expect("the copy compiles");
    check_same(&direct, &copy.model);
}

#[test]
fn a_model_made_by_calls_equals_the_text() {
    let mut draft = Draft::new();
    let class = draft.add_class("big", 0, None).expect("a class");
    let part = draft.record(class).expect("the class").children().to_vec();
    let geoms: Vec<Id> = part
        .into_iter()
        .filter(|&id| draft.record(id).is_ok_and(|part| part.kind() == Kind::Geom))
        .collect();
    draft
        .set(geoms[0], "size", [0.5, 0.5, 0.5])
        .expect("three numbers");
    let body = draft.add(Kind::Body, draft.world(), None).expect("a body");
    let frame = draft.add(Kind::Frame, body, None).expect("a frame");
    draft
        .set(frame, "pos", [0.0, 0.0, 2.0])
        .expect("three numbers");
    let geom = draft.add(Kind::Geom, frame, Some(class)).expect("a geom");
    draft.set(geom, "type", 6).expect("a code");
    let joint = draft.add(Kind::Joint, body, None).expect("a joint");
    draft.set_name(joint, "hinge").expect("a free name");
    let motor = draft
        .add_listed(Kind::Actuator, 0, None)
        .expect("an actuator");
    draft.set(motor, "trntype", 0).expect("a code");
    draft.set(motor, "target", "hinge").expect("a text");
    let made = draft
        .compile(&Loader::new())
        .expect("the draft compiles")
        .model;
    let text = r#"<mujoco model="MuJoCo Model"><worldbody><body><frame pos="0 0 2"><geom type="box" size=".5 .5 .5"/></frame>
        <joint name="hinge"/></body></worldbody><actuator><motor joint="hinge"/></actuator></mujoco>"#;
    check_same(&load_text(text).expect("the text loads").model, &made);
}

#[test]
fn what_was_deleted_is_refused() {
    let mut draft = Draft::new();
    let world = draft.world();
    let body = plain(&mut draft, world, "a");
    let inner = plain(&mut draft, body, "b");
    let exclude = draft
        .add_listed(Kind::Exclude, 0, None)
        .expect("an exclude");
    draft.set(exclude, "bodyname1", "a").expect("a text");
    draft.set(exclude, "bodyname2", "b").expect("a text");
    draft.delete(body).expect("it was there");
    for gone in [body, inner, exclude] {
        assert_eq!(draft.set_name(gone, "x"), Err(EditError::Gone));
    }
    assert!(draft.list(0, Kind::Geom).is_empty());
    assert!(draft.delete(draft.world()).is_err());
}

#[test]
fn keyframes_lose_the_numbers_of_a_deleted_body() {
    let text = r#"<mujoco><worldbody><body name="a"><freejoint/><geom size="1"/></body>
        <body name="b"><joint name="j"/><geom size="1"/></body></worldbody><actuator><motor joint="j"/></actuator>
        <keyframe><key qpos="1 2 3 1 0 0 0 4" ctrl="5"/></keyframe></mujoco>"#;
    let mut draft = Loader::new()
        .read_draft_text(text)
        .expect("the model is read");
    let body = draft.find(0, Kind::Body, "a").expect("the body");
    draft.delete(body).expect("it was there");
    let model = draft
        .compile(&Loader::new())
        .expect("the draft compiles")
        .model;
    assert_eq!(
        (&model.key_qpos[..], &model.key_ctrl[..]),
        (&[4.0][..], &[5.0][..])
    );
    let body = draft.find(0, Kind::Body, "b").expect("the body");
    draft.delete(body).expect("it was there");
    let model = draft
        .compile(&Loader::new())
        .expect("the draft compiles")
        .model;
    assert_eq!((model.nq, model.nu, model.nkey), (0, 0, 1));
}

#[test]
fn wrong_values_change_nothing() {
    let mut draft = Draft::new();
    let world = draft.world();
    let body = plain(&mut draft, world, "a");
    let short = draft.set(body, "pos", [1.0]);
    assert_eq!(
        short,
        Err(EditError::WrongLength {
            field: "pos",
            expected: 3,
            given: 1
        })
    );
    assert!(matches!(
        draft.set(body, "pos", "here"),
        Err(EditError::WrongType { .. })
    ));
    assert!(matches!(
        draft.set(body, "colour", 1),
        Err(EditError::NoField { .. })
    ));
    assert!(matches!(
        draft.set(body, "mocap", i64::MAX),
        Err(EditError::WrongType { .. })
    ));
    let other = draft.add(Kind::Body, draft.world(), None).expect("a body");
    assert!(matches!(
        draft.set_name(other, "a"),
        Err(EditError::RepeatedName { .. })
    ));
    assert_eq!(draft.get(body, "pos").expect("the field").reals(), [0.0; 3]);
}

#[test]
fn a_code_without_a_word_is_an_error_of_the_compiler() {
    let mut draft = Draft::new();
    let world = draft.world();
    let body = plain(&mut draft, world, "a");
    let geom = draft.children(body, Kind::Geom)[0];
    draft.set(geom, "type", 4711).expect("a number");
    let error = draft.compile(&Loader::new()).expect_err("no such type");
    assert_eq!(error.diagnostics[0].line as usize, geom.index() + 1);
}

#[test]
fn nesting_has_an_end() {
    let mut draft = Draft::new();
    let mut at = draft.world();
    let deepest = loop {
        match draft.add(Kind::Body, at, None) {
            Ok(body) => at = body,
            Err(error) => break error,
        }
    };
    assert!(matches!(deepest, EditError::NotPossible(_)));
}

#[test]
fn an_attached_model_keeps_its_units_and_brings_what_it_needs() {
    let child = r#"<mujoco><compiler angle="radian"/><asset><material name="m" rgba="1 0 0 1"/></asset><worldbody>
        <body name="b" euler="0 0 1.5"><joint name="j" range="0 1"/><geom size=".1" material="m"/></body>
        <body name="other"><joint name="oj"/><geom size=".1"/></body></worldbody>
        <actuator><motor name="a" joint="j"/><motor name="oa" joint="oj"/></actuator></mujoco>"#;
    let child = Loader::new()
        .read_draft_text(child)
        .expect("the child is read");
    let mut draft = Draft::new();
    let frame = draft
        .add(Kind::Frame, draft.world(), None)
        .expect("a frame");
    draft
        .set(frame, "alt.euler", [0.0, 0.0, 90.0])
        .expect("three numbers");
    draft.set(frame, "alt.type", 4).expect("a code");
    let (_, model) = draft.absorb(child);
    let body = draft.find(model, Kind::Body, "b").expect("the body");
    assert_eq!(draft.attach(frame, body, "x_", "_y"), Ok(body));
    let made = draft
        .compile(&Loader::new())
        .expect("the draft compiles")
        .model;
    let text = r#"<mujoco model="MuJoCo Model"><compiler angle="radian"/><asset><material name="x_m_y" rgba="1 0 0 1"/></asset>
        <worldbody><frame axisangle="0 0 1 1.5707963267948966"><body name="x_b_y" euler="0 0 1.5"><joint name="x_j_y" range="0 1"/>
        <geom size=".1" material="x_m_y"/></body></frame></worldbody><actuator><motor name="x_a_y" joint="x_j_y"/></actuator></mujoco>"#;
    let same = load_text(text).expect("the text loads").model;
    assert_eq!(
        (made.nbody, made.nu, made.nmat),
        (same.nbody, same.nu, same.nmat)
    );
    assert_eq!(made.names, same.names);
    assert_eq!(made.jnt_range.as_slice(), same.jnt_range.as_slice());
    let world = draft.world_of(model);
    assert!(
        draft.attach(frame, body, "z", "").is_err(),
        "attached twice"
    );
    assert!(draft.attach(body, world, "z", "").is_err(), "into itself");
}

#[test]
fn views_of_numbers_stay_true() {
    let mut draft = Draft::new();
    let world = draft.world();
    let body = plain(&mut draft, world, "a");
    let Value::Reals(numbers) = draft.get(body, "pos").expect("the field") else {
        panic!("a position is a list");
    };
    let memory = numbers.words();
    draft
        .set(body, "pos", [1.0, 2.0, 3.0])
        .expect("three numbers");
    let seen: Vec<f64> = memory
        .iter()
        .map(sinew_mjcf::edit::shared::SharedNumber::load)
        .collect();
    assert_eq!(seen, [1.0, 2.0, 3.0]);
    drop(draft);
    assert_eq!(memory.len(), 3);
}

#[test]
fn saved_text_gives_the_same_model_again() {
    let draft = Loader::new()
        .read_draft_text(RICH)
        .expect("the model is read");
    let model = draft
        .compile(&Loader::new())
        .expect("the draft compiles")
        .model;
    let text = draft.to_text(&model).expect("it can be said");
    let again = load_text(&text).expect("the text loads").model;
    assert_eq!(model.names, again.names);
    let numbers = |model: &Model| {
        let pos = model.geom_pos.iter().flat_map(|pos| pos.to_vec());
        let quat = model.geom_quat.iter().flat_map(|quat| quat.to_vec());
        let range = model.jnt_range.iter().flat_map(|range| range.to_vec());
        let rest = model.body_mass.iter().chain(model.qpos0.iter()).copied();
        pos.chain(quat)
            .chain(range)
            .chain(rest)
            .collect::<Vec<f64>>()
    };
    for (one, other) in numbers(&model).into_iter().zip(numbers(&again)) {
        assert!((one - other).abs() <= 1e-5 * one.abs().max(1.0));
    }
}

/// Whoever writes classes goes down into them, on a stack of 2 MiB.
#[test]
fn classes_are_nested_a_thousand_deep_at_most() {
    let made = std::thread::Builder::new()
        .stack_size(2 << 20)
        .spawn(|| {
            let mut draft = Draft::new();
            let mut above = None;
            let mut add = |name: usize| {
                above = Some(draft.add_class(&name.to_string(), 0, above)?);
                Ok::<(), EditError>(())
            };
            let refused = (1..5000).find_map(|name| add(name).err());
            let words = refused.expect("an end").to_string();
            assert_eq!(words, "more than 1000 classes in each other");
            let model = draft.compile(&Loader::new()).expect("a model").model;
            draft.to_text(&model).expect("a text").len()
        })
        .expect("a thread")
        .join()
        .expect("no panic");
    assert!(made > 0);
}

/// A text takes its memory before it is written, also that of its longest list.
#[test]
fn texts_that_do_not_fit_are_an_error() {
    let numbers = "0 0 0 1 0 0 0 1 0 0 0 1 ".repeat(100_000);
    let text = format!(
        "<mujoco><asset><mesh name='m' vertex='{numbers}'/></asset><custom><text name='t' data='&amp;&quot;'/>\
         </custom></mujoco>"
    );
    let loader = Loader::new();
    let spec = loader.read_spec_text(&text).expect("a spec").spec;
    let whole = write_saved(&spec, &Memory::new(Some(1 << 30))).expect("a text");
    assert!(whole.contains("data=\"&amp;&quot;\""));
    for room in [1 << 10, 1 << 20, 100 << 20] {
        assert!(
            write_saved(&spec, &Memory::new(Some(room))).is_err(),
            "{room}"
        );
    }
}
