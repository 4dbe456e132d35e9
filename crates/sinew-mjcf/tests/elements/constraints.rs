//! Contact pairs, excludes and equality constraints. Values are the reference's (3.5.0).

use crate::workbench::{close, load, refuse, scene};
use sinew_model::Model;
use sinew_model::kinds::{EqualityType, ObjectType};

fn contact(elements: &str) -> Model {
    let defaults = "<default><default class='custom'><pair condim='4' friction='.1 .2'/>\
        <default class='inner'><pair friction='.7' margin='.3'/></default></default></default>";
    load(&scene(defaults, &format!("<contact>{elements}</contact>")))
}

#[test]
fn what_a_pair_leaves_out_is_constant() {
    let m = contact("<pair geom1='ga' geom2='gb'/>");
    assert_eq!(m.pair_dim, [3]);
    assert_eq!(m.pair_friction, [[1.0, 1.0, 0.005, 0.0001, 0.0001]]);
    assert_eq!(m.pair_solref, [[0.02, 1.0]]);
    assert_eq!(m.pair_solreffriction, [[0.0, 0.0]]);
    assert_eq!(m.pair_solimp, [[0.9, 0.95, 0.001, 0.5, 2.0]]);
    assert_eq!((m.pair_margin[0], m.pair_gap[0]), (0.0, 0.0));
    let m =
        contact("<pair geom1='ga' geom2='gb' friction='0.5' solref='.05' margin='.1' gap='.05'/>");
    assert_eq!(m.pair_friction, [[0.5, 1.0, 0.005, 0.0001, 0.0001]]);
    assert_eq!(m.pair_solref, [[0.05, 1.0]]);
    assert_eq!((m.pair_margin[0], m.pair_gap[0]), (0.1, 0.05));
    let m = contact("<pair class='inner' geom1='ga' geom2='gb' condim='6'/>");
    assert_eq!(m.pair_dim, [6]);
    assert_eq!(m.pair_friction, [[0.7, 0.2, 0.005, 0.0001, 0.0001]]);
    assert_eq!(m.pair_margin, [0.3]);
}

#[test]
fn pairs_and_excludes_are_sorted_by_their_bodies() {
    let m = contact(
        "<pair name='p0' geom1='gc' geom2='gb' condim='1'/><pair name='p1' geom1='gb' geom2='ga' condim='6'/>\
         <pair name='p2' geom1='ga' geom2='gb' condim='4'/><pair name='p3' geom1='ga' geom2='ga'/>\
         <exclude name='e0' body1='f' body2='a'/><exclude name='e1' body1='world' body2='c'/>\
         <exclude name='e2' body1='b' body2='a'/><exclude name='e3' body1='a' body2='a'/>",
    );
    let names = |kind, count: usize| -> Vec<&str> {
        (0..count)
            .map(|id| m.name(kind, id).unwrap_or(""))
            .collect()
    };
    assert_eq!(names(ObjectType::Pair, 4), ["p3", "p1", "p2", "p0"]);
    assert_eq!(m.pair_dim, [3, 6, 4, 1]);
    assert_eq!(m.pair_geom1, [1, 1, 1, 2]);
    assert_eq!(m.pair_geom2, [1, 2, 2, 3]);
    assert_eq!(m.pair_signature, [65537, 65538, 65538, 2 * 65536 + 3]);
    assert_eq!(names(ObjectType::Exclude, 4), ["e1", "e3", "e2", "e0"]);
    assert_eq!(m.exclude_signature, [3, 65537, 65538, 65536 + 4]);
}

fn equality(elements: &str) -> Model {
    load(&scene("", &format!("<equality>{elements}</equality>")))
}

#[test]
fn equalities_store_objects_and_numbers() {
    let m = equality(
        "<connect body1='a' anchor='1 2 3'/><connect site1='s0' site2='s3'/>\
         <weld body1='a' body2='f' torquescale='5' active='false'/>\
         <joint joint1='h' joint2='sl' polycoef='.1'/><joint joint1='h'/>\
         <tendon tendon1='t' tendon2='sp' polycoef='.1 .2 .3 .4 .5' solref='.1' solimp='.5'/>",
    );
    use EqualityType as E;
    let kinds = [
        E::Connect,
        E::Connect,
        E::Weld,
        E::Joint,
        E::Joint,
        E::Tendon,
    ];
    assert_eq!(m.eq_type, kinds.map(EqualityType::code));
    let (body, site) = (ObjectType::Body.code(), ObjectType::Site.code());
    assert_eq!(m.eq_objtype, [body, site, body, 0, 0, 0]);
    assert_eq!(m.eq_obj1id, [1, 1, 1, 0, 0, 0]);
    assert_eq!(m.eq_obj2id, [0, 4, 4, 1, -1, 1]);
    assert_eq!(m.eq_active0, [1, 1, 0, 1, 1, 1]);
    assert_eq!(m.eq_solref[5], [0.1, 1.0]);
    assert_eq!(m.eq_solimp[5], [0.5, 0.95, 0.001, 0.5, 2.0]);
    assert_eq!(m.nemax, 3 + 3 + 7 + 1 + 1 + 1);
    close(&m.eq_data[0][..3], &[1.0, 2.0, 3.0], 0.0);
    assert_eq!(m.eq_data[2][10], 5.0);
    assert_eq!(m.eq_data[3][..5], [0.1, 1.0, 0.0, 0.0, 0.0]);
    assert_eq!(m.eq_data[4][..5], [0.0, 1.0, 0.0, 0.0, 0.0]);
    assert_eq!(m.eq_data[5][..5], [0.1, 0.2, 0.3, 0.4, 0.5]);
}

#[test]
fn wrong_constraints_are_refused() {
    for (section, element, said) in [
        ("contact", "<pair geom1='ga'/>", "geom2"),
        (
            "contact",
            "<pair geom1='ga' geom2='gx'/>",
            "no geom is named `gx`",
        ),
        (
            "contact",
            "<pair geom1='ga' geom2='gb' condim='2'/>",
            "one of: 1, 3, 4, 6",
        ),
        (
            "contact",
            "<pair class='q' geom1='ga' geom2='gb'/>",
            "unknown default class",
        ),
        (
            "contact",
            "<exclude body1='a' body2='zz'/>",
            "no body is named `zz`",
        ),
        ("contact", "<exclude body1='a'/>", "body2"),
        ("equality", "<connect body1='a'/>", "body1 and anchor"),
        ("equality", "<connect site1='s0' body1='a'/>", "not both"),
        (
            "equality",
            "<weld site1='s0' site2='s3' anchor='1 2 3'/>",
            "not both",
        ),
        ("equality", "<weld/>", "a weld needs body1"),
        ("equality", "<weld body1='a' body2='a'/>", "tied to itself"),
        (
            "equality",
            "<connect body1='world' anchor='0 0 0'/>",
            "tied to itself",
        ),
        ("equality", "<joint joint1='ba'/>", "only hinge and slide"),
        (
            "equality",
            "<joint joint1='h' joint2='fr'/>",
            "only hinge and slide",
        ),
        (
            "equality",
            "<tendon tendon1='t' tendon2='t'/>",
            "tied to itself",
        ),
        ("equality", "<tendon tendon1='spp'/>", "did you mean `sp`?"),
        ("equality", "<flex flex='q'/>", "no flex is named `q`"),
    ] {
        let text = scene("", &format!("<{section}>{element}</{section}>"));
        let error = refuse(&text);
        let message = error.to_string();
        assert!(message.contains(said), "{element}: {message}");
        assert_eq!(error.diagnostics[0].line, 4, "{element}");
    }
}

/// A text with one body, and what the error must say.
fn refused(text: &str, said: &[&str]) {
    let error = refuse(text);
    let message = error.to_string();
    for word in said {
        assert!(message.contains(word), "{text}: {message}");
    }
    assert!(error.diagnostics[0].line > 0, "{text}");
}

fn option(content: &str) -> String {
    scene(&format!("<option {content}"), "")
}

/// Keywords and numbers of the solver; matching minds the case.
#[test]
fn solver_settings_are_checked() {
    for (attributes, said) in [
        ("solver='cg'", ["solver", "cg"]),
        ("solver='CGStrict'", ["solver", "CGStrict"]),
        ("solver='newton'", ["solver", "newton"]),
        ("cone='Elliptic'", ["cone", "Elliptic"]),
        ("cone='round'", ["cone", "round"]),
        ("jacobian='full'", ["jacobian", "full"]),
        ("iterations='1.5'", ["iterations", "1.5"]),
        ("iterations='many'", ["iterations", "many"]),
        ("noslip_iterations='2.5'", ["noslip_iterations", "2.5"]),
        ("noslip_iterations='x'", ["noslip_iterations", "x"]),
        ("noslip_tolerance='x'", ["noslip_tolerance", "x"]),
    ] {
        refused(&option(&format!("{attributes}/>")), &said);
    }
    // What the reference accepts: counts and tolerances of zero and below.
    let m = load(&option(
        "iterations='-1' tolerance='-1' ls_iterations='0' noslip_iterations='-2' noslip_tolerance='-1' \
         impratio='0'/>",
    ));
    assert_eq!((m.opt.iterations, m.opt.noslip_iterations), (-1, -2));
    assert_eq!((m.opt.tolerance, m.opt.impratio), (-1.0, 0.0));
}

/// Flags: names, words, and one element in each option.
#[test]
fn flags_are_checked() {
    refused(&option("><flag passive='disable'/></option>"), &["passive"]);
    refused(
        &option("><flag gravty='disable'/></option>"),
        &["gravty", "gravity"],
    );
    for word in ["off", "true", "Enable", ""] {
        let flag = format!("><flag gravity='{word}'/></option>");
        refused(&option(&flag), &["gravity"]);
    }
    refused(&option("><flag/><flag/></option>"), &["flag"]);
}

/// Contact parameters of geoms.
#[test]
fn contact_parameters_of_geoms_are_checked() {
    let geom = |attributes: &str| {
        format!("<mujoco><worldbody><geom name='g' size='1' {attributes}/></worldbody></mujoco>")
    };
    for condim in ["-1", "0", "2", "5", "7"] {
        refused(&geom(&format!("condim='{condim}'")), &["condim", condim]);
    }
    refused(&geom("friction='1 2 3 4'"), &["friction"]);
    let m = load(&geom(
        "friction='-1 -2 -3' margin='-1' gap='-1' solref='1 -1'",
    ));
    assert_eq!(m.geom_friction, [[-1.0, -2.0, -3.0]]);
}

/// Everything a contact section may not hold, and what it may.
#[test]
fn contact_sections_are_checked() {
    let pair = "<pair name='p' geom1='ga' geom2='gb'/>";
    for (content, said) in [
        ("<pear/>", "pear"),
        ("<pair geom1='ga' geom2='gb' size='1'/>", "size"),
        ("<exclude body1='a' body2='b' class='q'/>", "class"),
        ("<pair geom1='ga' geom2='gb' condim='0'/>", "condim"),
        ("<pair geom1='ga' geom2='gb' condim='5'/>", "condim"),
        (
            "<pair geom1='ga' geom2='gb' friction='1 2 3 4 5 6'/>",
            "friction",
        ),
        (&format!("{pair}{pair}"), "p"),
        ("<pair geom2='gb'/>", "geom1"),
        ("<exclude body2='a'/>", "body1"),
        ("<exclude body1='nobody' body2='a'/>", "nobody"),
        ("<pair geom1='nothing' geom2='gb'/>", "nothing"),
    ] {
        let text = scene("", &format!("<contact>{content}</contact>"));
        refused(&text, &[said]);
    }
    let m = contact(
        "<pair geom1='ga' geom2='ga'/><pair geom1='ga' geom2='gb' friction='-1' margin='-1'/>\
         <pair geom1='gb' geom2='ga'/><exclude body1='a' body2='a'/><exclude body1='a' body2='b'/>\
         <exclude body1='b' body2='a'/>",
    );
    assert_eq!((m.npair, m.nexclude), (3, 3));
    assert_eq!(m.pair_friction[1][0], -1.0);
}

/// Actuators that pull a body towards what it touches.
#[test]
fn adhesion_is_checked() {
    for (attributes, said) in [
        ("body='zz' ctrlrange='0 1'", "zz"),
        ("ctrlrange='0 1'", "body"),
        ("body='a' joint='h' ctrlrange='0 1'", "joint"),
        ("body='a' gear='2' ctrlrange='0 1'", "gear"),
        ("body='a' gain='-1' ctrlrange='0 1'", "gain"),
        ("body='a' ctrlrange='-1 1'", "control range"),
        ("body='a'", "ctrlrange"),
        ("body='a' ctrlrange='0 0'", "ctrlrange"),
        (
            "body='a' ctrlrange='0 1' forcelimited='true' forcerange='1 0'",
            "forcerange",
        ),
    ] {
        let text = scene(
            "",
            &format!("<actuator><adhesion {attributes}/></actuator>"),
        );
        refused(&text, &[said]);
    }
    let two = "<actuator><general body='a' joint='h'/></actuator>";
    refused(&scene("", two), &["one target"]);
}

/// Ties between tendons.
#[test]
fn tendon_ties_are_checked() {
    for (element, said) in [
        ("<tendon/>", "tendon1"),
        ("<tendon tendon2='t'/>", "tendon1"),
        ("<tendon tendon1='nope'/>", "nope"),
        ("<tendon tendon1='t' tendon2='nope'/>", "nope"),
        ("<tendon tendon1='t' polycoef='1 2 3 4 5 6'/>", "polycoef"),
        ("<tendon tendon1='t' polycoef='a'/>", "polycoef"),
        ("<tendon tendon1='t' stiffness='1'/>", "stiffness"),
        ("<tendon tendon1='t' class='q'/>", "q"),
        ("<distance geom1='ga' geom2='gb'/>", "distance"),
    ] {
        let text = scene("", &format!("<equality>{element}</equality>"));
        refused(&text, &[said]);
    }
}

/// Limits of ball and free joints.
#[test]
fn limits_of_ball_joints_are_checked() {
    let body = |compiler: &str, joints: &str| {
        format!(
            "<mujoco>{compiler}<worldbody><body>{joints}<geom size='1'/></body></worldbody></mujoco>"
        )
    };
    let ball = |attributes: &str| body("", &format!("<joint type='ball' {attributes}/>"));
    for range in ["45 0", "10 45", "-45 45"] {
        refused(
            &ball(&format!("limited='true' range='{range}'")),
            &["range"],
        );
        load(&ball(&format!("limited='false' range='{range}'")));
    }
    refused(&ball("range='10 45'"), &["range"]);
    assert_eq!(load(&ball("limited='true' range='0 -45'")).jnt_limited, [1]);
    assert_eq!(load(&ball("range='0 -45'")).jnt_limited, [0]);
    let strict = "<compiler autolimits='false'/>";
    refused(
        &body(strict, "<joint type='ball' range='0 45'/>"),
        &["range", "limited"],
    );
    refused(&ball("range='1'"), &["range"]);
    refused(&ball("range='0 1 2'"), &["range"]);
    refused(&ball("limited='maybe'"), &["limited", "maybe"]);
    refused(&body("", "<freejoint limited='true'/>"), &["limited"]);
    refused(&body("", "<freejoint range='0 1'/>"), &["range"]);
    refused(
        &body("", "<joint limited='true' range='10 10'/>"),
        &["range"],
    );
    refused(&body("", "<joint type='ball'/><joint/>"), &["ball"]);
    assert_eq!(
        load(&ball("actuatorfrcrange='-1 1'")).jnt_actfrclimited,
        [0]
    );
    assert_eq!(load(&ball("axis='0 0 0'")).jnt_axis[0].0, [0.0, 0.0, 1.0]);
    for sensor in ["jointlimitpos", "jointlimitvel", "jointlimitfrc"] {
        for joint in ["<joint name='j' type='ball'/>", "<freejoint name='j'/>"] {
            let text = body("", joint).replace(
                "</mujoco>",
                &format!("<sensor><{sensor} joint='j'/></sensor></mujoco>"),
            );
            refused(&text, &["limited"]);
        }
    }
    let loaded = sinew_mjcf::load_text(&ball("range='0 nan'")).expect("loads");
    assert_eq!(loaded.model.jnt_limited, [0]);
    assert!(!loaded.warnings.is_empty());
}

/// Reference parameters of mixed signs load, with a warning that names what is used instead.
#[test]
fn mixed_reference_parameters_are_pointed_out() {
    let warnings = |text: &str| -> Vec<String> {
        let loaded = sinew_mjcf::load_text(text).expect("loads");
        loaded.warnings.iter().map(|w| w.to_string()).collect()
    };
    let geom = |solref: &str| {
        format!("<mujoco><worldbody><geom size='1' solref='{solref}'/></worldbody></mujoco>")
    };
    for solref in [".1 -1", "-1 1", "0 1", ".1 0"] {
        let said = warnings(&geom(solref));
        assert_eq!(said.len(), 1, "{said:?}");
        assert!(
            said[0].contains("solref") && said[0].contains("0.02 1"),
            "{said:?}"
        );
    }
    for solref in [".1 1", "-1 -1", "0 0", ".1"] {
        assert!(warnings(&geom(solref)).is_empty());
    }
    let pair = "<contact><pair geom1='ga' geom2='gb' solreffriction='1 -1'/></contact>";
    assert!(warnings(&scene("", pair))[0].contains("solref is used"));
}

#[test]
fn a_site_is_not_tied_to_nothing() {
    // An empty name stands for the world where bodies are tied, but the world is no site.
    for kind in ["connect", "weld"] {
        for (sites, attribute) in [
            ("site1='s0' site2=''", "site2"),
            ("site1='' site2='s0'", "site1"),
        ] {
            let text = scene("", &format!("<equality><{kind} {sites}/></equality>"));
            let error = refuse(&text);
            let first = &error.diagnostics[0];
            assert_eq!(
                first.attribute.as_deref(),
                Some(attribute),
                "{text}: {error}"
            );
        }
    }
    load(&scene(
        "",
        "<equality><weld body1='a' body2=''/></equality>",
    ));
}
