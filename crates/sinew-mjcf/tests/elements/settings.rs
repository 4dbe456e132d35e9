//! Options, sizes, visual settings, custom fields and keyframes. Values are the reference's (3.5.0).

use crate::workbench::{close, load, refuse, scene};
use sinew_mjcf::load_text;
use sinew_model::kinds::{DisableFlag, EnableFlag, Integrator, ObjectType};

#[test]
fn options_and_flags_reach_the_model() {
    let m = load("<mujoco><option/></mujoco>");
    assert_eq!(m.opt.magnetic.0, [0.0, -0.5, 0.0]);
    assert_eq!(m.opt.wind.0, [0.0; 3]);
    assert_eq!((m.opt.density, m.opt.viscosity), (0.0, 0.0));
    let m = load(
        "<mujoco><option timestep='.01' gravity='1 2 3' integrator='RK4' o_solref='.3' \
         o_friction='2' iterations='7' actuatorgroupdisable='0 3 30'><flag contact='disable' \
         energy='enable' gravity='enable'/></option></mujoco>",
    );
    assert_eq!(m.opt.timestep, 0.01);
    assert_eq!(m.opt.gravity.0, [1.0, 2.0, 3.0]);
    assert_eq!(m.opt.integrator, Integrator::Rk4.code());
    assert_eq!(m.opt.o_solref, [0.3, 1.0]);
    assert_eq!(m.opt.o_friction, [2.0, 1.0, 0.005, 0.0001, 0.0001]);
    assert_eq!(m.opt.iterations, 7);
    assert_eq!(m.opt.disableactuator, 1 | 1 << 3 | 1 << 30);
    assert_eq!(m.opt.disableflags, DisableFlag::Contact.code());
    assert_eq!(m.opt.enableflags, EnableFlag::Energy.code());
}

#[test]
fn the_older_convex_algorithm_is_asked_for() {
    let disable = "<flag nativeccd='disable'/>";
    let bit = DisableFlag::Nativeccd.code();
    for (flags, expected) in [
        (disable.to_string(), bit),
        ("<flag nativeccd='enable'/>".to_string(), 0),
        // Later sections have the last word.
        (
            format!("{disable}</option><option><flag nativeccd='enable'/>"),
            0,
        ),
    ] {
        let text = format!("<mujoco><option>{flags}</option></mujoco>");
        let loaded = load_text(&text).expect("loads");
        assert_eq!(loaded.model.opt.disableflags, expected);
        assert_eq!(loaded.warnings, []);
    }
}

#[test]
fn memory_is_counted_as_the_reference_would_reserve_it() {
    let mebibytes = |size: &str| load(&format!("<mujoco>{size}</mujoco>")).narena >> 20;
    assert_eq!(mebibytes(""), 13);
    assert_eq!(mebibytes("<size memory='2M'/>"), 2);
    assert_eq!(mebibytes("<size memory='-1'/>"), 13);
    let m = load("<mujoco><size njmax='300' nconmax='50' nuserdata='7'/></mujoco>");
    assert_eq!((m.njmax, m.nconmax, m.nuserdata), (300, 50, 7));
}

#[test]
fn custom_fields_are_laid_out_one_after_the_other() {
    let m = load(&scene(
        "<custom><numeric name='n' data='1 2 3'/><numeric name='o' data='4' size='3'/>\
         <text name='x' data='hello'/><text name='y' data=' '/>\
         <tuple name='q'><element objtype='body' objname='a'/>\
         <element objtype='pair' objname='late' prm='2.5'/>\
         <element objtype='xbody' objname='world'/></tuple></custom>",
        "<contact><pair name='early' geom1='gb' geom2='gc'/><pair name='late' geom1='ga' geom2='gb'/></contact>",
    ));
    assert_eq!(m.numeric_data, [1.0, 2.0, 3.0, 4.0, 0.0, 0.0]);
    assert_eq!(
        (&m.numeric_adr[..], &m.numeric_size[..]),
        (&[0, 3][..], &[3, 3][..])
    );
    assert_eq!(m.text_data, b"hello\0 \0");
    assert_eq!(
        (&m.text_adr[..], &m.text_size[..]),
        (&[0, 6][..], &[6, 2][..])
    );
    let kinds = [ObjectType::Body, ObjectType::Pair, ObjectType::Xbody];
    assert_eq!(m.tuple_objtype, kinds.map(ObjectType::code));
    assert_eq!(m.tuple_objid, [1, 0, 0]);
    assert_eq!(m.tuple_objprm, [0.0, 2.5, 0.0]);
}

#[test]
fn short_keys_are_padded_with_what_the_text_says() {
    // Angles stay in degrees, free joints are not seen as such, frames are ignored.
    let m = load(
        "<mujoco><size nkey='4'/><worldbody><body><joint type='slide'/><geom size='1'/></body>\
         <body pos='1 2 3' euler='10 0 0'><freejoint/><geom size='1'/></body>\
         <body><joint type='ball'/><geom size='1'/></body>\
         <body><joint ref='30'/><geom size='1'/></body></worldbody>\
         <keyframe><key name='k' time='2' qpos='0.5'/><key/><key qvel='1'/></keyframe></mujoco>",
    );
    let nq = m.nq;
    let padded = [
        0.5, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 30.0,
    ];
    assert_eq!(m.key_qpos[..nq], padded);
    assert_eq!(m.key_qpos[nq..2 * nq], m.qpos0);
    close(
        &m.key_qpos[2 * nq - 1..2 * nq],
        &[30_f64.to_radians()],
        1e-15,
    );
    assert_eq!(m.key_qvel[2 * m.nv..2 * m.nv + 2], [1.0, 0.0]);
    assert_eq!((m.nkey, m.key_time[0]), (4, 2.0));
    assert_eq!(m.name(ObjectType::Key, 0), Some("k"));

    let m = load(
        "<mujoco><worldbody><body mocap='true' pos='1 2 3' quat='0 2 0 0'/><frame pos='9 9 9'>\
         <body mocap='true' pos='4 5 6' euler='10 20 30'/></frame></worldbody>\
         <keyframe><key mpos='7 7 7 7' mquat='1 1 0 0'/><key/></keyframe></mujoco>",
    );
    assert_eq!(
        m.key_mpos,
        [
            7.0, 7.0, 7.0, 4.0, 5.0, 6.0, 1.0, 2.0, 3.0, 13.0, 14.0, 15.0
        ]
    );
    let half = 0.5_f64.sqrt();
    close(&m.key_mquat[..4], &[half, half, 0.0, 0.0], 1e-15);
    assert_eq!(m.key_mquat[4..8], [1.0, 0.0, 0.0, 0.0]);
    assert_eq!(m.key_mquat[8..12], [0.0, 1.0, 0.0, 0.0]);
}

#[test]
fn plugin_declarations_are_kept() {
    let loaded = load_text(&scene(
        "<extension><plugin plugin='mujoco.pid'><instance name='x'><config key='ki' value='2'/>\
         <config key='kp' value='3'/></instance></plugin><plugin plugin='mujoco.sensor.touch_grid'/></extension>",
        "<actuator><motor joint='h'/><plugin instance='x' joint='h' actdim='1'/></actuator>\
         <sensor><plugin plugin='mujoco.sensor.touch_grid' objtype='site' objname='s0'>\
         <config key='size' value='7 5'/></plugin></sensor>",
    ));
    let loaded = loaded.unwrap_or_else(|error| panic!("{error}"));
    let m = &loaded.model;
    assert_eq!(
        (&m.plugin[..], &m.plugin_attradr[..]),
        (&[0, 2][..], &[0, 7][..])
    );
    assert_eq!(m.plugin_attr, b"3\x002\0\0\0\0\x007 5\0\0\0");
    assert_eq!(
        (&m.actuator_plugin[..], &m.sensor_plugin[..]),
        (&[-1, 0][..], &[1][..])
    );
    assert_eq!((m.na, m.nsensordata), (1, 35));
    assert!(
        loaded
            .warnings
            .iter()
            .all(|warning| warning.code == "mjcf::plugin")
    );
}

#[test]
fn plugins_that_cannot_work_are_refused() {
    let grid = |config: &str| {
        scene(
            "<extension><plugin plugin='mujoco.sensor.touch_grid'/></extension>",
            &format!(
                "<sensor><plugin plugin='mujoco.sensor.touch_grid' objtype='site' objname='s0'>\
                 {config}</plugin></sensor>"
            ),
        )
    };
    let pid = |declaration: &str, actuator: &str| {
        let extension = format!("<extension>{declaration}</extension>");
        scene(&extension, &format!("<actuator>{actuator}</actuator>"))
    };
    let declared = "<plugin plugin='mujoco.pid'/>";
    for (text, said) in [
        (grid(""), "two positive numbers"),
        (
            grid("<config key='size' value='7'/>"),
            "two positive numbers",
        ),
        (
            grid("<config key='sise' value='7 5'/>"),
            "no setting `sise`",
        ),
        (
            pid("", "<plugin plugin='mujoco.pid' joint='h'/>"),
            "not declared",
        ),
        (
            pid(declared, "<plugin joint='h'/>"),
            "either `plugin` or `instance`",
        ),
        (
            pid(
                declared,
                "<plugin plugin='mujoco.pid' joint='h'><config key='ki' value='1'/></plugin>",
            ),
            "needs actdim=\"1\"",
        ),
        (
            pid(
                "<plugin plugin='mujoco.sensor.touch_grid'/>",
                "<plugin plugin='mujoco.sensor.touch_grid' joint='h'/>",
            ),
            "does not support actuators",
        ),
    ] {
        let message = refuse(&text).to_string();
        assert!(message.contains(said), "{text}: {message}");
    }
}

#[test]
fn a_misspelt_kind_of_object_is_pointed_out() {
    let text = scene(
        "",
        "<sensor><user dim='1' objtype='tendn' objname='t'/></sensor>",
    );
    let loaded = load_text(&text).unwrap_or_else(|error| panic!("{error}"));
    assert_eq!(loaded.model.sensor_objid, [-1]);
    assert_eq!(loaded.warnings[0].line, 4);
}

/// Sections that are refused, and what is said about them.
const WRONG: &[(&str, &str)] = &[
    ("<option timestep='0'/>", "timestep must be positive"),
    ("<option timestep='nan'/>", "NaN"),
    ("<option iterations='2000000'/>", "at most 1000000"),
    ("<option actuatorgroupdisable='31'/>", "between 0 and 30"),
    ("<option actuatorgroupdisable='-1'/>", "between 0 and 30"),
    ("<option integrator='euler'/>", "Euler"),
    ("<size memory='1Q'/>", "such as 500K"),
    ("<size memory='-2'/>", "such as 500K"),
    ("<size memory='2k' njmax='3'/>", "not both"),
    ("<size nconmax='-2'/>", "at least -1"),
    (
        "<size nuser_actuator='2000000000'/><actuator><motor joint='h'/></actuator>",
        "user data would take",
    ),
    ("<size nuser_geom='2000000000'/>", "user data would take"),
    ("<size nkey='2000000000'/>", "too many"),
    ("<statistic extent='0'/>", "extent must be positive"),
    (
        "<visual><global realtime='0'/></visual>",
        "realtime must be positive",
    ),
    (
        "<visual><map znear='0'/></visual>",
        "znear must be positive",
    ),
    ("<custom><numeric name='x'/></custom>", "between 1 and 500"),
    (
        "<custom><numeric name='x' size='501'/></custom>",
        "between 1 and 500",
    ),
    (
        "<custom><numeric name='x' size='1' data='1 2'/></custom>",
        "do not fit",
    ),
    (
        "<custom><text name='x' data=''/></custom>",
        "cannot be empty",
    ),
    ("<custom><tuple name='x'/></custom>", "cannot be empty"),
    (
        "<custom><tuple name='x'><element objtype='bodi' objname='a'/></tuple></custom>",
        "did you mean `body`?",
    ),
    (
        "<keyframe><key ctrl='1'/></keyframe>",
        "ctrl has 1 numbers, the model has 0",
    ),
    (
        "<keyframe><key mpos='1 2 3'/></keyframe>",
        "mpos has 3 numbers",
    ),
    (
        "<keyframe><key name='a'/><key name='a'/></keyframe>",
        "repeated name `a`",
    ),
    (
        "<actuator><motor joint='h' user='1 2'/></actuator><size nuser_actuator='1'/>",
        "nuser_actuator is 1",
    ),
    ("<actuator><motor/></actuator>", "no transmission target"),
    (
        "<actuator><motor joint='h' tendon='t'/></actuator>",
        "one target only",
    ),
    (
        "<actuator><motor joint='huh'/></actuator>",
        "did you mean `hu`?",
    ),
    (
        "<actuator><motor joint='h' ctrllimited='true'/></actuator>",
        "ctrlrange is needed",
    ),
    (
        "<actuator><damper joint='h' kv='5'/></actuator>",
        "ctrlrange is needed",
    ),
    (
        "<actuator><adhesion body='a'/></actuator>",
        "ctrlrange is needed",
    ),
    (
        "<actuator><adhesion body='a' ctrlrange='-1 1'/></actuator>",
        "cannot be negative",
    ),
    (
        "<actuator><position joint='h' kv='-1'/></actuator>",
        "kv cannot be negative",
    ),
    (
        "<actuator><position joint='hu' inheritrange='1'/></actuator>",
        "has no range",
    ),
    (
        "<actuator><general joint='h' actrange='-1 1'/></actuator>",
        "dyntype is none",
    ),
    (
        "<actuator><general joint='h' dyntype='filter' actdim='2'/></actuator>",
        "dyntype user",
    ),
    (
        "<actuator><muscle joint='h' range='1 .5'/></actuator>",
        "first number below",
    ),
    (
        "<actuator><muscle joint='h' lmin='1.2'/></actuator>",
        "lmin < 1 < lmax",
    ),
    (
        "<actuator><motor joint='h' delay='.1'/></actuator>",
        "nsample",
    ),
    (
        "<actuator><motor joint='h' refsite='s0'/></actuator>",
        "only be used with site",
    ),
    (
        "<actuator><motor cranksite='s0' cranklength='1'/></actuator>",
        "slidersite",
    ),
    (
        "<extension><plugin plugin='mujoco.pdi'/></extension>",
        "did you mean `mujoco.pid`?",
    ),
];

#[test]
fn wrong_settings_are_refused() {
    for &(section, said) in WRONG {
        let error = refuse(&scene("", section));
        let message = error.to_string();
        assert!(message.contains(said), "{section}: {message}");
        assert_eq!(error.diagnostics[0].line, 4, "{section}");
    }
    let message = refuse(
        "<mujoco><compiler autolimits='false'/><worldbody><body><joint name='j'/><geom size='1'/></body>\
         </worldbody><actuator><motor joint='j' ctrlrange='-1 1'/></actuator></mujoco>",
    )
    .to_string();
    assert!(message.contains("`ctrllimited`"), "{message}");
}
