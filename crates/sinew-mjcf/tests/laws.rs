//! Laws in place of the reference's, as files choose them.

use sinew_mjcf::edit::Kind;
use sinew_mjcf::{Loader, load_text, write::write};
use sinew_model::law::Law;

const TEXT: &str = r#"<mujoco><option sinew_solver="xpbd 20 2"/>
<default><default class="spring"><general sinew_gain="series_elastic 100 5 2"/></default></default>
<worldbody><body><joint name="x" type="slide"/><geom size=".1"/></body>
<flexcomp name="cloth" type="grid" dim="2" count="3 3 1" spacing=".1 .1 .1" radius=".001" sinew_bending="dihedral 0.01">
<elasticity young="1e4" thickness=".01" elastic2d="bend"/></flexcomp>
<flexcomp name="jelly" type="grid" dim="3" count="3 3 3" spacing=".1 .1 .1" radius=".001" pos="2 0 0"
sinew_elasticity="neo_hookean"><elasticity young="1e4"/></flexcomp></worldbody>
<actuator><motor joint="x"/><general class="spring" name="driven" joint="x"/></actuator></mujoco>"#;

#[test]
fn a_file_chooses_laws_object_by_object() {
    let model = load_text(TEXT).expect("it is a model").model;
    let laws = model.laws();
    assert_eq!(laws.bending.get(&0), Some(&Law::new("dihedral", [0.01])));
    assert_eq!(laws.bending.len(), 1);
    assert_eq!(laws.elasticity.get(&1), Some(&Law::new("neo_hookean", [])));
    assert_eq!(
        laws.gain.get(&1),
        Some(&Law::new("series_elastic", [100.0, 5.0, 2.0]))
    );
    assert_eq!(laws.solver, Some(Law::new("xpbd", [20.0, 2.0])));
    assert_eq!(
        model.actuator_history[1][0], 1,
        "the control of the last step is remembered"
    );
    assert!(
        load_text("<mujoco/>")
            .expect("it is a model")
            .model
            .laws()
            .is_empty()
    );
}

#[test]
fn the_writer_keeps_them() {
    let read = Loader::new().read_spec_text(TEXT).expect("it is a spec");
    let text = write(&read.spec);
    for kept in [
        "sinew_solver=\"xpbd 20 2\"",
        "sinew_gain=\"series_elastic 100 5 2\"",
        "sinew_bending=\"dihedral 0.01\"",
        "sinew_elasticity=\"neo_hookean\"",
    ] {
        assert!(text.contains(kept), "{kept} is not in {text}");
    }
    let (first, second) = (load_text(TEXT), load_text(&text));
    assert_eq!(
        first.expect("read").model.laws(),
        second.expect("written").model.laws()
    );
}

#[test]
fn a_strict_loader_refuses_them() {
    let error = Loader::new()
        .strict()
        .load_text(TEXT)
        .expect_err("they are not the reference's");
    let text = error.to_string();
    for refused in [
        "sinew_solver",
        "sinew_gain",
        "sinew_bending",
        "sinew_elasticity",
    ] {
        assert!(text.contains(refused), "{text}");
    }
}

#[track_caller]
fn fails(text: &str, expected: &str) {
    let error = load_text(text).expect_err(text).to_string();
    assert!(error.contains(expected), "{error}");
}

#[test]
fn what_is_wrong_is_said_of_the_object() {
    let cloth = |law: &str| {
        format!(
            "<mujoco><worldbody><flexcomp name='f' type='grid' dim='2' count='3 3 1' spacing='.1 .1 .1' \
             radius='.001' {law}/></worldbody></mujoco>"
        )
    };
    fails(
        &cloth("sinew_bending='stiff'"),
        "flex `f`: there is no law `stiff`",
    );
    fails(
        &cloth("sinew_bending='dihedral x'"),
        "a law is a name and numbers",
    );
    fails(&cloth("sinew_bending='dihedral -1'"), "must be positive");
    fails(
        &cloth("sinew_elasticity='neo_hookean 1'"),
        "0, 2 or 3 parameters, not 1",
    );
    fails(
        "<mujoco><option sinew_solver='xpbd 0'/></mujoco>",
        "at least 1",
    );
    fails(
        "<mujoco><worldbody><flexcomp name='line' type='grid' dim='1' count='3 1 1' spacing='.1 .1 .1' \
         sinew_elasticity='neo_hookean'/></worldbody></mujoco>",
        "flex `line`: a line has no neo-Hookean elements",
    );
}

#[test]
fn what_has_no_effect_is_a_warning() {
    let loaded = load_text(
        "<mujoco><worldbody><flexcomp name='f' type='grid' dim='3' count='3 3 3' spacing='.1 .1 .1' radius='.001' \
         sinew_bending='dihedral'/></worldbody></mujoco>",
    );
    let loaded = loaded.expect("it is a model");
    assert!(loaded.model.laws().is_empty());
    assert!(
        loaded
            .warnings
            .iter()
            .any(|warning| warning.message.contains("no effect"))
    );
}

/// The rows of a flexcomp whose law holds its edges are those of the equality.
#[test]
fn linear_edges_are_the_equality() {
    let cloth = |attribute: &str, inside: &str| {
        let text = format!(
            "<mujoco><worldbody><flexcomp name='f' type='grid' dim='2' count='3 3 1' spacing='.1 .1 .1' \
             radius='.001' {attribute}>{inside}<pin id='0'/></flexcomp></worldbody></mujoco>"
        );
        let model = load_text(&text).expect("it is a model").model;
        let mut data = sinew_engine::Data::new(&model);
        for _ in 0..100 {
            data.step(&model).expect("finite");
        }
        let rows = &data.position.constraints;
        (
            data.state.qpos.clone(),
            rows.efc_J.clone(),
            rows.efc_pos.clone(),
        )
    };
    let law = cloth("sinew_elasticity='linear_edge'", "");
    assert_eq!(law, cloth("", "<edge equality='true'/>"));
    assert!(!law.2.is_empty());
}

#[test]
fn a_draft_keeps_them_and_chooses_others() {
    let mut draft = Loader::new()
        .read_draft_text(TEXT)
        .expect("the model is read");
    let direct = load_text(TEXT).expect("it is a model").model;
    let compiled = draft.compile(&Loader::new()).expect("it compiles").model;
    assert_eq!(compiled.laws(), direct.laws());
    let text = draft.to_text(&compiled).expect("it can be written");
    let saved = load_text(&text).expect("the text is a model").model;
    assert_eq!(saved.laws(), direct.laws(), "{text}");
    let option = draft.setting(0, Kind::Option).expect("there are options");
    draft
        .set(option, "sinew_solver", "default")
        .expect("a setting");
    let other = draft.compile(&Loader::new()).expect("it compiles").model;
    assert_eq!(other.laws().solver, Some(Law::new("default", [])));
}
