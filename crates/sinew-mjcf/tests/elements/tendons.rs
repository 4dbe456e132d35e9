//! Tendons: paths, limits, rest lengths. Values are the reference's (3.5.0).

use crate::workbench::{close, load, refuse, scene};
use sinew_model::Model;
use sinew_model::kinds::{ObjectType, WrapType};

/// One body with a joint of its own, and a fixed tendon on it, in radians.
fn fixed(defaults: &str, joint: &str, tendon: &str) -> String {
    format!(
        "<mujoco><compiler angle='radian'/><default>{defaults}</default><worldbody>\
         <body><joint name='j' {joint}/><geom size='.1' mass='1'/></body></worldbody>\
         <tendon><fixed name='x' {tendon}><joint joint='j' coef='1'/></fixed></tendon></mujoco>"
    )
}

fn spring(defaults: &str, joint: &str, tendon: &str) -> [f64; 2] {
    load(&fixed(defaults, joint, tendon)).tendon_lengthspring[0]
}

#[test]
fn rest_lengths_are_as_written_or_those_of_the_spring_configuration() {
    let q = "ref='0.5' springref='0.2'";
    for (joint, tendon, expected) in [
        ("", "springlength='0.5'", [0.5, 0.5]),
        ("", "springlength='0.3 0.7'", [0.3, 0.7]),
        ("ref='0.5'", "stiffness='100'", [0.0, 0.0]),
        (q, "stiffness='100'", [0.2, 0.2]),
        (q, "", [0.2, 0.2]),
        (q, "springlength='0' stiffness='100'", [0.0, 0.0]),
        (q, "springlength='-1'", [0.2, 0.2]),
        (q, "springlength='-1 -1'", [0.2, 0.2]),
        (q, "springlength=''", [0.2, 0.2]),
        ("", "springlength='-0.5'", [-0.5, -0.5]),
        ("", "springlength='-1 0.5'", [-1.0, 0.5]),
    ] {
        close(&spring("", joint, tendon), &expected, 1e-10);
    }
    close(&load(&fixed("", q, "")).tendon_length0, &[0.5], 1e-12);
    let text = "springlength='0.7 0.3'";
    let message = refuse(&fixed("", "", text)).to_string();
    assert!(message.contains("springlength"), "{message}");
    refuse(&fixed("", "", "springlength='0.3 -0.5'"));
    refuse(&fixed("", "", "springlength='1 2 3'"));
}

#[test]
fn rest_lengths_are_inherited_as_pairs() {
    let class = |settings: &str| format!("<default class='q'><tendon {settings}/></default>");
    let own = |extra: &str| format!("class='q' {extra}");
    let short = class("springlength='0.2' stiffness='50'");
    let m = load(&fixed(&short, "", &own("")));
    assert_eq!(m.tendon_lengthspring, [[0.2, 0.2]]);
    assert_eq!(m.tendon_stiffness, [50.0]);
    let pair = class("springlength='0.2 0.9'");
    assert_eq!(spring(&pair, "", &own("springlength='0.8'")), [0.8, 0.8]);
    assert_eq!(spring(&pair, "", &own("")), [0.2, 0.9]);
    let nested = "<tendon springlength='0.2'/>\
        <default class='q'><tendon stiffness='50'/></default>";
    let m = load(&fixed(nested, "", &own("")));
    assert_eq!(
        (m.tendon_lengthspring[0], m.tendon_stiffness[0]),
        ([0.2, 0.2], 50.0)
    );
    // A bad pair in a class nobody uses is harmless.
    load(&fixed(&class("springlength='0.9 0.2'"), "", ""));
}

#[test]
fn limits_follow_the_range_and_forces_must_be_asked_for() {
    for (attributes, limited, force_limited) in [
        ("", 0, 0),
        ("range='-1 1'", 1, 0),
        ("range='1 -1'", 0, 0),
        ("limited='false' range='0 1'", 0, 0),
        ("actuatorfrcrange='-1 1'", 0, 0),
        ("actuatorfrclimited='auto' actuatorfrcrange='-1 1'", 0, 1),
        ("actuatorfrclimited='true' actuatorfrcrange='-1 1'", 0, 1),
    ] {
        let m = load(&fixed("", "", attributes));
        assert_eq!(m.tendon_limited, [limited], "{attributes}");
        assert_eq!(m.tendon_actfrclimited, [force_limited], "{attributes}");
    }
    let m = load(&fixed("", "", "solreflimit='.03' solimpfriction='.5 .6'"));
    assert_eq!(m.tendon_solref_lim, [[0.03, 1.0]]);
    assert_eq!(m.tendon_solimp_fri, [[0.5, 0.6, 0.001, 0.5, 2.0]]);
    assert_eq!(m.tendon_width, [0.003]);
    assert_eq!(m.tendon_rgba, [[0.5, 0.5, 0.5, 1.0]]);
}

/// Sites w0 w1 on the world, s on a moving body, geoms sph cyl box.
fn spatial(attributes: &str, path: &str) -> String {
    format!(
        "<mujoco><worldbody><geom name='sph' size='.1' pos='0 0 2'/>\
         <geom name='cyl' type='cylinder' size='.1 .2' pos='0 1 2'/>\
         <geom name='box' type='box' size='.1 .1 .1' pos='5 0 0'/>\
         <site name='w0'/><site name='w1' pos='1 0 0'/>\
         <body><joint name='j'/><geom size='.1'/><site name='s' pos='0 0 3'/></body></worldbody>\
         <tendon><spatial name='x' {attributes}>{path}</spatial></tendon></mujoco>"
    )
}

fn wraps(m: &Model) -> Vec<(i32, i32, f64)> {
    let rows = m.wrap_type.iter().zip(&m.wrap_objid).zip(&m.wrap_prm);
    rows.map(|((kind, id), prm)| (*kind, *id, *prm)).collect()
}

#[test]
fn paths_are_stored_row_by_row() {
    let (site, sphere) = (WrapType::Site.code(), WrapType::Sphere.code());
    let (cylinder, pulley) = (WrapType::Cylinder.code(), WrapType::Pulley.code());
    let m = load(&spatial(
        "",
        "<site site='w0'/><geom geom='cyl' sidesite='w1'/><site site='s'/><pulley divisor='2'/>\
         <site site='w1'/><geom geom='sph'/><site site='s'/>",
    ));
    let expected = [
        (site, 0, 0.0),
        (cylinder, 1, 1.0),
        (site, 2, 0.0),
        (pulley, -1, 2.0),
        (site, 1, 0.0),
        (sphere, 0, -1.0),
        (site, 2, 0.0),
    ];
    assert_eq!(wraps(&m), expected);
    assert_eq!((m.tendon_adr[0], m.tendon_num[0], m.nwrap), (0, 7, 7));
    let m = load(&fixed("", "", ""));
    assert_eq!(wraps(&m), [(WrapType::Joint.code(), 0, 1.0)]);
}

#[test]
fn broken_paths_are_refused() {
    let (w0, w1, s) = ("<site site='w0'/>", "<site site='w1'/>", "<site site='s'/>");
    let (sphere, pulley) = ("<geom geom='sph'/>", "<pulley divisor='2'/>");
    for (path, said) in [
        (String::new(), "path cannot be empty"),
        (w0.to_string(), "at least two objects"),
        (format!("{sphere}{w0}{s}"), "between two sites"),
        (format!("{w0}{sphere}"), "between two sites"),
        (format!("{w0}{sphere}{sphere}{s}"), "between two sites"),
        (format!("{w0}{s}{pulley}"), "ends with a pulley"),
        (
            format!("{w0}{s}{pulley}{pulley}{w1}{s}"),
            "two pulleys in a row",
        ),
        (
            format!("{w0}{s}{pulley}{w1}"),
            "neighbour that is not a pulley",
        ),
        (format!("{w0}{w0}{s}"), "same site twice"),
        (
            format!("{w0}<geom geom='box'/>{s}"),
            "neither sphere nor cylinder",
        ),
        (format!("{w0}<geom geom='spg'/>{s}"), "did you mean `sph`?"),
        (
            format!("{w0}<geom geom='sph' sidesite='q'/>{s}"),
            "no site is named `q`",
        ),
        (
            format!("{w0}{s}<pulley divisor='-2'/>{w1}{s}"),
            "positive divisor",
        ),
        (
            format!("{w0}{s}<pulley divisor='0'/>{w1}{s}"),
            "positive divisor",
        ),
    ] {
        let message = refuse(&spatial("", &path)).to_string();
        assert!(message.contains(said), "{path}: {message}");
    }
    let straight = format!("{w0}{s}");
    for (attributes, said) in [
        ("width='0'", "width must be positive"),
        ("armature='-1'", "armature cannot be negative"),
        ("limited='true'", "range"),
        (
            "actuatorfrclimited='true' actuatorfrcrange='.5 1'",
            "contain 0",
        ),
        ("material='zz'", "no material is named `zz`"),
    ] {
        let message = refuse(&spatial(attributes, &straight)).to_string();
        assert!(message.contains(said), "{attributes}: {message}");
    }
    let around = format!("{w0}{sphere}{s}");
    refuse(&spatial("armature='.5'", &around));
    load(&spatial("armature='.5'", &straight));
}

/// The scene with one more tendon section.
fn with_tendons(tendons: &str) -> String {
    scene("", &format!("<tendon>{tendons}</tendon>"))
}

/// Refused, with a message that says so and stands at a line.
#[track_caller]
fn refused(text: &str, said: &str) {
    let error = refuse(text);
    let message = error.to_string();
    assert!(message.contains(said), "{said}: {message}");
    assert!(error.diagnostics.iter().all(|d| d.line > 0), "{message}");
}

#[test]
fn broken_fixed_tendons_are_refused() {
    let fixed = |attributes: &str, path: &str| {
        with_tendons(&format!("<fixed name='x' {attributes}>{path}</fixed>"))
    };
    let joint = "<joint joint='h' coef='1'/>";
    for (attributes, path, said) in [
        ("", "", "path cannot be empty"),
        ("", "<joint coef='1'/>", "\"joint\" missing"),
        ("", "<joint joint='h'/>", "\"coef\" missing"),
        ("", "<joint joint='hh' coef='1'/>", "no joint is named `hh`"),
        ("", "<joint joint='h' coef='a'/>", "coef"),
        ("", "<joint joint='h' coef='1 2'/>", "coef"),
        ("", "<site site='s0'/>", "site"),
        ("", "<geom geom='ga'/>", "geom"),
        ("", "<pulley divisor='2'/>", "pulley"),
        ("limited='true'", joint, "range"),
        ("limited='true' range='1 0'", joint, "range"),
        ("limited='true' range='1 1'", joint, "range"),
        ("springlength='.7 .3'", joint, "springlength"),
        ("springlength='1 2 3'", joint, "springlength"),
        ("springlength='a'", joint, "springlength"),
        ("solreflimit='1 2 3'", joint, "solreflimit"),
        ("solreffriction='1 2 3'", joint, "solreffriction"),
        ("solimplimit='1 2 3 4 5 6'", joint, "solimplimit"),
        ("solimpfriction='1 2 3 4 5 6'", joint, "solimpfriction"),
        ("actuatorfrclimited='true'", joint, "actuatorfrcrange"),
        (
            "actuatorfrclimited='true' actuatorfrcrange='1 -1'",
            joint,
            "actuatorfrcrange",
        ),
        (
            "actuatorfrclimited='true' actuatorfrcrange='1 2'",
            joint,
            "contain 0",
        ),
        ("width='.1'", joint, "width"),
        ("rgba='1 1 1 1'", joint, "rgba"),
        ("material='m'", joint, "material"),
        ("stifness='1'", joint, "stiffness"),
    ] {
        refused(&fixed(attributes, path), said);
    }
    let twice = format!("<fixed name='x'>{joint}</fixed>");
    refused(&with_tendons(&twice.repeat(2)), "repeated name `x`");
    let plain = "<compiler autolimits='false'/>";
    let ranged = format!("<tendon><fixed range='0 1'>{joint}</fixed></tendon>");
    refused(&scene(plain, &ranged), "limited");
    for (sections, said) in [
        (
            "<actuator><motor tendon='tt'/></actuator>",
            "no tendon is named `tt`",
        ),
        (
            "<actuator><motor tendon='t' joint='h'/></actuator>",
            "one target only",
        ),
        ("<sensor><tendonlimitpos tendon='sp'/></sensor>", "limit"),
        (
            "<sensor><tendonpos tendon='tt'/></sensor>",
            "no tendon is named `tt`",
        ),
    ] {
        refused(&scene("", sections), said);
    }
}

#[test]
fn broken_spatial_tendons_are_refused() {
    let (w0, s0) = ("<site site='w0'/>", "<site site='s0'/>");
    for (attributes, path, said) in [
        ("", format!("{w0}<site/>"), "\"site\" missing"),
        (
            "",
            format!("{w0}<site site='zz'/>"),
            "no site is named `zz`",
        ),
        ("", format!("{w0}<geom/>{s0}"), "\"geom\" missing"),
        (
            "",
            format!("{w0}{s0}<pulley/>{w0}{s0}"),
            "\"divisor\" missing",
        ),
        (
            "",
            format!("{w0}{s0}<pulley divisor='2'/><geom geom='ga'/>{s0}"),
            "between two sites",
        ),
        ("", format!("{w0}<joint joint='h' coef='1'/>{s0}"), "joint"),
        ("range='2 1' limited='true'", format!("{w0}{s0}"), "range"),
        ("springlength='2 1'", format!("{w0}{s0}"), "springlength"),
        ("thickness='1'", format!("{w0}{s0}"), "thickness"),
        ("rgba='1 2 3 4 5'", format!("{w0}{s0}"), "rgba"),
    ] {
        let spatial = format!("<spatial {attributes}>{path}</spatial>");
        refused(&with_tendons(&spatial), said);
    }
    let twice = format!("<spatial name='x'>{w0}{s0}</spatial>");
    refused(&with_tendons(&twice.repeat(2)), "repeated name `x`");
    // A side site inside the geom and an empty side site are sound.
    for side in ["", "sidesite=''", "sidesite='s0'", "sidesite='w0'"] {
        let path = format!("{w0}<geom geom='gf' {side}/>{s0}");
        load(&with_tendons(&format!("<spatial>{path}</spatial>")));
    }
}

#[test]
fn odd_values_load_with_a_warning() {
    let warnings = |attributes: &str, path: &str| {
        let tendon = format!("<tendon><fixed {attributes}>{path}</fixed></tendon>");
        match sinew_mjcf::load_text(&scene("", &tendon)) {
            Ok(loaded) => loaded.warnings.iter().map(|w| w.code).collect::<Vec<_>>(),
            Err(error) => panic!("{attributes} {path}: {error}"),
        }
    };
    let joint = "<joint joint='h' coef='1'/>";
    for attribute in ["stiffness", "damping", "frictionloss", "armature", "margin"] {
        let found = warnings(&format!("{attribute}='-1'"), joint);
        assert_eq!(found, ["mjcf::negative-value"], "{attribute}");
    }
    assert_eq!(warnings("", "<joint joint='h' coef='nan'/>").len(), 1);
    assert_eq!(warnings("springlength='nan'", joint).len(), 1);
    assert_eq!(warnings("", "<joint joint='h' coef='inf'/>").len(), 1);
    assert_eq!(
        warnings("", "<joint joint='ba' coef='1'/>"),
        ["mjcf::tendon-joint"]
    );
    assert_eq!(
        warnings("", "<joint joint='fr' coef='1'/>"),
        ["mjcf::tendon-joint"]
    );
    assert_eq!(warnings("", &joint.repeat(2)), ["mjcf::tendon-joint"]);
    let none: [&str; 0] = [];
    assert_eq!(warnings("", "<joint joint='h' coef='0'/>"), none);
}

#[test]
fn fixed_tendons_survive_writing() {
    let text = "<mujoco><worldbody><body><joint name='j1'/><geom size='.1'/></body></worldbody>\
        <tendon><fixed name='t1'><joint joint='j1' coef='1.0'/></fixed></tendon></mujoco>";
    let check = |model: &Model| {
        assert_eq!(model.ntendon, 1);
        assert_eq!(wraps(model), [(WrapType::Joint.code(), 0, 1.0)]);
        assert_eq!(model.name(ObjectType::Tendon, 0), Some("t1"));
    };
    check(&load(text));
    check(&load(&again(text)));
}

/// The text written from what was read.
fn again(text: &str) -> String {
    let mut report = sinew_mjcf::report::Report::default();
    let source = sinew_mjcf::Loader::new().source();
    let spec = sinew_mjcf::read::read_text(text, "a.xml", "", &source, &mut report);
    sinew_mjcf::write::write(&spec)
}

#[test]
fn attributes_of_a_tendon_have_their_defaults() {
    let m = load(&with_tendons("<fixed><joint joint='h' coef='2'/></fixed>"));
    let i = m.ntendon - 1;
    assert_eq!(
        (m.tendon_group[i], m.tendon_limited[i], m.tendon_range[i]),
        (0, 0, [0.0; 2])
    );
    let zero = [
        m.tendon_margin[i],
        m.tendon_stiffness[i],
        m.tendon_damping[i],
        m.tendon_frictionloss[i],
        m.tendon_armature[i],
    ];
    assert_eq!(zero, [0.0; 5]);
    assert_eq!(
        (m.tendon_solref_lim[i], m.tendon_solref_fri[i]),
        ([0.02, 1.0], [0.02, 1.0])
    );
    let solimp = [0.9, 0.95, 0.001, 0.5, 2.0];
    assert_eq!(
        (m.tendon_solimp_lim[i], m.tendon_solimp_fri[i]),
        (solimp, solimp)
    );
    assert_eq!(
        (m.tendon_actfrclimited[i], m.tendon_actfrcrange[i]),
        (0, [0.0; 2])
    );
    assert_eq!(m.name(ObjectType::Tendon, i), None);
    // A second section goes on counting, spatial and fixed together.
    let m = load(&scene(
        "<tendon><fixed name='a'><joint joint='h' coef='1'/></fixed></tendon>",
        "<tendon><spatial name='b'><site site='w0'/><site site='s0'/></spatial></tendon>",
    ));
    let names: Vec<_> = (0..m.ntendon)
        .map(|i| m.name(ObjectType::Tendon, i))
        .collect();
    assert_eq!(names, [Some("a"), Some("t"), Some("sp"), Some("b")]);
}

#[test]
fn what_is_missing_and_who_misses_it_are_named() {
    let text = "<mujoco>\n<worldbody><site name='w0'/></worldbody>\n\
        <tendon><fixed name='cord'>\n<joint joint='jj' coef='1'/></fixed>\n\
        <spatial name='rope'>\n<site site='w0'/>\n<geom geom='gg'/>\n<site site='w9'/></spatial></tendon>\n\
        <actuator><motor name='winch'\ntendon='cordd'/></actuator>\n</mujoco>";
    let diagnostics = refuse(text).diagnostics;
    for (missing, misses) in [
        ("no joint is named `jj`", "in fixed \"cord\""),
        ("no geom is named `gg`", "in spatial \"rope\""),
        ("no site is named `w9`", "in spatial \"rope\""),
        ("no tendon is named `cordd`", "in motor \"winch\""),
    ] {
        let found = diagnostics.iter().find(|d| d.message == missing);
        let shown = found.map(|d| d.render()).unwrap_or_default();
        let place = shown.lines().nth(1).unwrap_or_default();
        assert!(place.ends_with(misses), "{missing}: {shown}");
    }
}
