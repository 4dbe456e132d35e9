//! Default classes: which settings reach which element. Values are the reference's (3.5.0).

use sinew_mjcf::{LoadError, Loader, load_text};
use sinew_model::Model;
use sinew_model::kinds::{BiasType, GeomType, JointType, ObjectType};

fn load(text: &str) -> Model {
    match load_text(text) {
        Ok(loaded) => loaded.model,
        Err(error) => panic!("{error}\nin {text}"),
    }
}

fn refuse(text: &str) -> LoadError {
    match load_text(text) {
        Ok(_) => panic!("loads: {text}"),
        Err(error) => error,
    }
}

/// A model with a default section, tree, and further sections.
fn model(defaults: &str, world: &str, rest: &str) -> String {
    format!("<mujoco>{defaults}<worldbody>{world}</worldbody>{rest}</mujoco>")
}

/// A body with one joint and a sphere.
fn hinge(attributes: &str) -> String {
    format!("<body><joint name='j' {attributes}/><geom size='0.1'/></body>")
}

fn close(a: f64, b: f64) {
    assert!((a - b).abs() <= 1e-12 * b.abs().max(1.0), "{a} {b}");
}

#[test]
fn a_joint_takes_the_top_level_setting() {
    let defaults = "<default><joint damping='0.5'/></default>";
    assert_eq!(load(&model(defaults, &hinge(""), "")).dof_damping, [0.5]);
}

#[test]
fn an_own_value_wins_over_the_class() {
    let defaults = "<default><default class='heavy'><joint damping='0.5'/></default></default>";
    let world = hinge("class='heavy' damping='1.0'");
    assert_eq!(load(&model(defaults, &world, "")).dof_damping, [1.0]);
}

#[test]
fn nested_classes_add_to_their_parents() {
    let defaults = "<default><joint damping='0.1'/><default class='robot'><joint damping='0.5'/>\
        <default class='arm'><joint armature='0.01'/></default></default></default>";
    let m = load(&model(defaults, &hinge("class='arm'"), ""));
    assert_eq!((m.dof_damping[0], m.dof_armature[0]), (0.5, 0.01));
}

#[test]
fn arrays_inherit_component_by_component() {
    let defaults = "<default><geom friction='0.8 0.01 0.001'/>\
        <default class='b'><geom type='box' size='1 2 3'/></default>\
        <motor gear='1 2 3'/></default>";
    let world = "<body><joint name='j'/><geom name='plain' size='1'/>\
        <geom name='short' size='1' friction='0.3'/><geom name='box' class='b' size='5'/></body>";
    let rest = "<actuator><motor joint='j' gear='9'/></actuator>";
    let m = load(&model(defaults, world, rest));
    assert_eq!(m.geom_friction[0], [0.8, 0.01, 0.001]);
    assert_eq!(m.geom_friction[1], [0.3, 0.01, 0.001]);
    assert_eq!(m.geom_size[2], [5.0, 2.0, 3.0]);
    assert_eq!(m.actuator_gear[0], [9.0, 2.0, 3.0, 0.0, 0.0, 0.0]);
}

#[test]
fn actuator_settings_reach_every_kind() {
    for kind in ["general", "motor"] {
        let defaults = format!("<default><{kind} gear='100'/></default>");
        let rest = "<actuator><motor joint='j'/></actuator>";
        let m = load(&model(&defaults, &hinge(""), rest));
        assert_eq!(m.actuator_gear[0], [100.0, 0.0, 0.0, 0.0, 0.0, 0.0]);
    }
    refuse(&model(
        "<default><actuator gear='100'/></default>",
        &hinge(""),
        "",
    ));
}

#[test]
fn tendons_of_both_kinds_take_tendon_settings() {
    let defaults = "<default><tendon stiffness='1000'/></default>";
    let world = format!("{}<site name='a'/><site name='b' pos='1 0 0'/>", hinge(""));
    let rest = "<tendon><fixed><joint joint='j' coef='1'/></fixed>\
        <spatial><site site='a'/><site site='b'/></spatial></tendon>";
    assert_eq!(
        load(&model(defaults, &world, rest)).tendon_stiffness,
        [1000.0, 1000.0]
    );
    let defaults = "<default><tendon stiffness='5'/>\
        <default class='d'><tendon damping='3'/></default></default>";
    let rest = "<tendon><fixed class='d'><joint joint='j' coef='1'/></fixed>\
        <fixed><joint joint='j' coef='1'/></fixed></tendon>";
    let m = load(&model(defaults, &world, rest));
    assert_eq!(m.tendon_stiffness, [5.0, 5.0]);
    assert_eq!(m.tendon_damping, [3.0, 0.0]);
}

#[test]
fn sensors_have_no_defaults() {
    let rest = "<sensor><clock noise='0.01'/><clock/></sensor>";
    assert_eq!(load(&model("", "", rest)).sensor_noise, [0.01, 0.0]);
    refuse(&model("<default><sensor noise='0.01'/></default>", "", ""));
    refuse(&model("", "", "<sensor><clock class='main'/></sensor>"));
}

#[test]
fn densities_from_classes_make_the_mass() {
    let world = |class: &str| format!("<body name='b'><geom {class} size='0.1'/></body>");
    let mass = |defaults: &str, class: &str| {
        let m = load(&model(defaults, &world(class), ""));
        m.body_mass[1]
    };
    close(mass("", ""), 4.188_790_204_786_391);
    close(
        mass("<default><geom density='500'/></default>", ""),
        2.094_395_102_393_195_3,
    );
    let named = "<default><default class='w'><geom density='500'/></default></default>";
    close(mass(named, "class='w'"), 2.094_395_102_393_195_3);
}

#[test]
fn every_kind_of_element_takes_main_settings() {
    let defaults = "<default>\
        <mesh scale='2 2 2'/><material rgba='0.1 0.2 0.3 0.4'/><joint damping='7'/>\
        <geom rgba='1 0 0 1'/><site size='0.3'/><camera fovy='33'/><light cutoff='21'/>\
        <pair condim='4'/><equality solref='0.05 1' active='false'/><tendon stiffness='5'/>\
        <motor gear='3'/></default>";
    let assets = "<asset><material name='m'/>\
        <mesh name='t' vertex='0 0 0 1 0 0 0 1 0 0 0 1'/></asset>";
    let world = "<camera/><light/><geom name='w' size='1'/>\
        <body name='b'><joint name='j'/><geom name='g' size='1'/><site name='s'/>\
        <geom type='mesh' mesh='t'/></body>";
    let rest = format!(
        "{assets}<contact><pair geom1='w' geom2='g'/></contact>\
        <equality><joint joint1='j'/></equality>\
        <tendon><fixed><joint joint='j' coef='1'/></fixed></tendon>\
        <actuator><motor joint='j'/></actuator>"
    );
    let m = load(&model(defaults, world, &rest));
    assert_eq!(m.dof_damping, [7.0]);
    assert_eq!(m.geom_rgba[0], [1.0, 0.0, 0.0, 1.0]);
    assert_eq!(m.site_size[0], [0.3, 0.005, 0.005]);
    assert_eq!(m.cam_fovy, [33.0]);
    assert_eq!(m.light_cutoff, [21.0]);
    assert_eq!(m.pair_dim, [4]);
    assert_eq!(m.eq_solref, [[0.05, 1.0]]);
    assert_eq!(m.eq_active0, [0]);
    assert_eq!(m.tendon_stiffness, [5.0]);
    assert_eq!(m.actuator_gear[0][0], 3.0);
    assert_eq!(m.mat_rgba[0], [0.1, 0.2, 0.3, 0.4]);
    assert_eq!(m.mesh_scale, [[2.0, 2.0, 2.0]]);
    // A tetrahedron of volume 1/6, twice as large in every direction.
    close(m.body_mass[1], 4_188.790_204_786_391 + 1000.0 * 8.0 / 6.0);
}

#[test]
fn unknown_classes_are_named() {
    let error = refuse(&model("", &hinge("class='heavy'"), ""));
    let first = &error.diagnostics[0];
    assert_eq!(first.code, "mjcf::unknown-class");
    assert!(first.message.contains("heavy"), "{first}");
}

#[test]
fn an_empty_default_changes_nothing() {
    let without = load(&model("", &hinge("class='main'"), ""));
    let with = load(&model("<default/>", &hinge("class='main'"), ""));
    for (a, b) in without.columns().iter().zip(with.columns()) {
        assert_eq!(a.bytes, b.bytes, "{}", a.name);
    }
}

#[test]
fn a_written_value_equal_to_the_builtin_default_still_wins() {
    let defaults = "<default><joint damping='5'/>\
        <default class='d'><geom density='500'/></default>\
        <default class='s'><joint type='slide'/></default></default>";
    let m = load(&model(defaults, &hinge("damping='0'"), ""));
    assert_eq!(m.dof_damping, [0.0]);
    let m = load(&model(defaults, &hinge("class='s' type='hinge'"), ""));
    assert_eq!(m.jnt_type, [JointType::Hinge.code()]);
    let world = "<body><geom class='d' density='1000' size='0.1'/></body>";
    close(
        load(&model(defaults, world, "")).body_mass[1],
        4.188_790_204_786_391,
    );
}

#[test]
fn childclass_reaches_down_until_replaced() {
    let defaults = "<default><joint damping='1'/>\
        <default class='A'><joint damping='2'/></default>\
        <default class='B'><joint damping='3'/></default></default>";
    let world = "<body childclass='A'><geom size='1'/><joint name='j0'/><joint name='j1' class='B'/>\
        <body><geom size='1'/><joint name='j2'/>\
        <body childclass='B'><geom size='1'/><joint name='j3'/></body></body></body>\
        <body><geom size='1'/><joint name='j4'/></body>\
        <frame childclass='B'><body><geom size='1'/><joint name='j5'/></body></frame>";
    let m = load(&model(defaults, world, ""));
    let by_name: Vec<f64> = (0..6)
        .map(|i| {
            let joint = m.id(ObjectType::Joint, &format!("j{i}")).expect("named");
            m.dof_damping[joint]
        })
        .collect();
    assert_eq!(by_name, [2.0, 3.0, 2.0, 3.0, 1.0, 3.0]);
}

#[test]
fn sites_take_classes_too() {
    let m = load(&model(
        "<default><site size='0.3'/></default>",
        "<site/>",
        "",
    ));
    assert_eq!(m.site_size, [[0.3, 0.005, 0.005]]);
    let defaults = "<default><default class='a'><site type='box' size='0.3'/></default></default>";
    let m = load(&model(defaults, "<site class='a'/>", ""));
    assert_eq!(m.site_type, [GeomType::Box.code()]);
    assert_eq!(m.site_size, [[0.3, 0.005, 0.005]]);
}

#[test]
fn meshes_take_their_class() {
    let defaults = "<default><default class='q'><mesh scale='3 3 3'/></default></default>";
    let rest = "<asset><mesh class='q' name='t' vertex='0 0 0 1 0 0 0 1 0 0 0 1'/></asset>";
    let m = load(&model(defaults, "<geom type='mesh' mesh='t'/>", rest));
    assert_eq!(m.mesh_scale, [[3.0, 3.0, 3.0]]);
}

#[test]
fn solver_settings_are_defaultable() {
    let defaults = "<default><geom solref='0.05 0.7' solimp='0.8 0.9'/>\
        <joint solreflimit='0.03 1'/></default>";
    let m = load(&model(defaults, &hinge(""), ""));
    assert_eq!(m.geom_solref, [[0.05, 0.7]]);
    assert_eq!(m.geom_solimp, [[0.8, 0.9, 0.001, 0.5, 2.0]]);
    assert_eq!(m.jnt_solref, [[0.03, 1.0]]);
}

#[test]
fn a_nested_class_sees_parent_settings_written_after_it() {
    let defaults = "<default><default class='a'><joint armature='1'/></default>\
        <joint damping='7'/></default>";
    let m = load(&model(defaults, &hinge("class='a'"), ""));
    assert_eq!((m.dof_damping[0], m.dof_armature[0]), (7.0, 1.0));
}

#[test]
fn a_later_section_changes_main_but_not_classes_that_exist() {
    let defaults = "<default><default class='a'><joint armature='1'/></default></default>\
        <default><joint damping='7'/></default>";
    let world = format!(
        "<body><joint class='a'/><geom size='1'/></body>{}",
        hinge("")
    );
    let m = load(&model(defaults, &world, ""));
    assert_eq!(m.dof_damping, [0.0, 7.0]);
    assert_eq!(m.dof_armature, [1.0, 0.0]);
}

#[test]
fn sections_may_come_after_their_use_and_accumulate() {
    let rest = "<default><joint damping='2'/></default><default><joint armature='3'/></default>";
    let m = load(&model("", &hinge(""), rest));
    assert_eq!((m.dof_damping[0], m.dof_armature[0]), (2.0, 3.0));
}

#[test]
fn one_actuator_record_per_class() {
    let prm = |defaults: &str, actuator: &str| {
        let rest = format!("<actuator>{actuator}</actuator>");
        let m = load(&model(defaults, &hinge(""), &rest));
        let (gain, bias) = (m.actuator_gainprm[0], m.actuator_biasprm[0]);
        (
            m.actuator_gear[0][0],
            gain[0],
            [bias[0], bias[1], bias[2]],
            m.actuator_biastype[0],
        )
    };
    let (none, affine) = (BiasType::None.code(), BiasType::Affine.code());
    assert_eq!(
        prm(
            "<default><motor gear='100'/></default>",
            "<position joint='j'/>"
        ),
        (100.0, 1.0, [0.0, -1.0, 0.0], affine)
    );
    let stiff = "<default><position kp='100'/></default>";
    let expected = (1.0, 100.0, [0.0, -100.0, 0.0], affine);
    assert_eq!(prm(stiff, "<position joint='j'/>"), expected);
    assert_eq!(prm(stiff, "<general joint='j'/>"), expected);
    assert_eq!(
        prm(stiff, "<motor joint='j'/>"),
        (1.0, 1.0, [0.0, -100.0, 0.0], none)
    );
    assert_eq!(
        prm(
            "<default><position kp='7' kv='2'/></default>",
            "<position joint='j' kp='9'/>"
        ),
        (1.0, 9.0, [0.0, -9.0, -2.0], affine)
    );
    let both = "<default><motor gear='5'/><position kp='7'/></default>";
    let motor = prm(both, "<motor joint='j'/>");
    assert_eq!((motor.0, motor.1), (5.0, 1.0));
    assert_eq!(
        prm(both, "<position joint='j'/>"),
        (5.0, 7.0, [0.0, -7.0, 0.0], affine)
    );
    assert_eq!(
        prm(both, "<velocity joint='j'/>"),
        (5.0, 7.0, [0.0, 0.0, -7.0], affine)
    );
}

#[test]
fn merged_attributes_follow_the_compile_rules() {
    // Mass beats density, whichever came from the class.
    let defaults = "<default><geom mass='2'/></default>";
    let m = load(&model(
        defaults,
        "<body><geom size='1' density='10'/></body>",
        "",
    ));
    close(m.body_mass[1], 2.0);
    // A range from the class switches limits on.
    let defaults = "<default><default class='r'><joint range='-10 20'/></default></default>";
    let m = load(&model(defaults, &hinge("class='r'"), ""));
    assert_eq!(m.jnt_limited, [1]);
    close(m.jnt_range[0][0], -0.174_532_925_199_432_95);
    close(m.jnt_range[0][1], 0.349_065_850_398_865_9);
    // An alternative orientation beats a quaternion, whichever came from the class.
    let quat = |defaults: &str, geom: &str| {
        let m = load(&model(defaults, &format!("<geom size='1' {geom}/>"), ""));
        m.geom_quat[0].0
    };
    let half = std::f64::consts::FRAC_1_SQRT_2;
    let about_x = [half, half, 0.0, 0.0];
    for (found, expected) in [
        (
            quat(
                "<default><geom euler='90 0 0'/></default>",
                "quat='1 0 0 0'",
            ),
            about_x,
        ),
        (
            quat(
                "<default><geom quat='0 0 0 1'/></default>",
                "euler='90 0 0'",
            ),
            about_x,
        ),
        (
            quat("<default><geom euler='90 0 0'/></default>", "zaxis='1 0 0'"),
            [half, 0.0, half, 0.0],
        ),
    ] {
        for (a, b) in found.into_iter().zip(expected) {
            close(a, b);
        }
    }
    refuse(&model(
        "<default><geom fromto='0 0 0 0 0 1'/></default>",
        "<geom type='capsule' size='1' pos='1 0 0'/>",
        "",
    ));
}

#[test]
fn freejoint_takes_no_defaults() {
    let defaults = "<default><joint damping='1' armature='2' stiffness='3'/></default>";
    let world = "<body><freejoint/><geom size='1'/></body>\
        <body><joint type='free'/><geom size='1'/></body>";
    let m = load(&model(defaults, world, ""));
    assert_eq!(m.dof_damping[..6], [0.0; 6]);
    assert_eq!(m.dof_armature[..6], [0.0; 6]);
    assert_eq!(m.jnt_stiffness[0], 0.0);
    assert_eq!(m.dof_damping[6..], [1.0; 6]);
}

#[test]
fn invalid_merged_elements_are_refused() {
    refuse(&model(
        "<default><joint limited='true'/></default>",
        &hinge(""),
        "",
    ));
    refuse(&model(
        "<compiler autolimits='false'/><default><joint range='0 1'/></default>",
        &hinge(""),
        "",
    ));
    refuse(&model("<default><geom size='1 2 3 4'/></default>", "", ""));
}

#[test]
fn classes_from_an_included_file_are_known() {
    let loader = Loader::new().asset(
        "classes.xml",
        b"<mujocoinclude><default class='a'><joint damping='4'/></default></mujocoinclude>"
            .as_slice(),
    );
    let text = model(
        "<default><include file='classes.xml'/></default>",
        &hinge("class='a'"),
        "",
    );
    let loaded = loader.load_text(&text).expect("loads");
    assert_eq!(loaded.model.dof_damping, [4.0]);
}
