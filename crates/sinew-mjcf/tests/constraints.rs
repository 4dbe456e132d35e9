//! Contact pairs, excludes and equality constraints. Values are the reference's (3.5.0).

mod workbench;

use sinew_model::Model;
use sinew_model::kinds::{EqualityType, ObjectType};
use workbench::{close, load, refuse, scene};

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
        ("equality", "<flex flex='q'/>", "not supported yet: flex"),
    ] {
        let text = scene("", &format!("<{section}>{element}</{section}>"));
        let error = refuse(&text);
        let message = error.to_string();
        assert!(message.contains(said), "{element}: {message}");
        assert_eq!(error.diagnostics[0].line, 4, "{element}");
    }
}
