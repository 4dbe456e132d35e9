//! Contact parameters from those of two geoms: priority, mixing, margins, gaps, overrides.

use crate::{Case, close, near};
use sinew::engine::position::contact::Contact;

/// The contact of two spheres of radius 0.1 whose surfaces are `distance` apart.
fn contacts(option: &str, first: &str, second: &str, distance: f64) -> Case {
    let x = 0.2 + distance;
    Case::new(&format!(
        r#"<mujoco>{option}<worldbody><body><freejoint/><geom size=".1" {first}/></body>
           <body pos="{x} 0 0"><freejoint/><geom size=".1" {second}/></body></worldbody></mujoco>"#
    ))
    .forward()
}

fn contact(first: &str, second: &str) -> Contact {
    let case = contacts("", first, second, -0.01);
    assert_eq!(case.contacts().len(), 1);
    case.contacts()[0]
}

/// Line 7 of the dimension requirements: the larger dimension, or that of the higher priority.
#[test]
fn the_higher_priority_gives_all_parameters() {
    assert_eq!(contact(r#"condim="1""#, r#"condim="3""#).dim, 3);
    assert_eq!(contact(r#"condim="6""#, r#"condim="4""#).dim, 6);
    let strong = r#"priority="1" condim="1" friction=".5 .02 .001" solref=".1 1""#;
    let weak = r#"condim="6" friction=".8 .01 .002""#;
    for c in [contact(strong, weak), contact(weak, strong)] {
        assert_eq!(c.dim, 1);
        assert_eq!(c.friction, [0.5, 0.5, 0.02, 0.001, 0.001]);
        assert_eq!(c.solref, [0.1, 1.0]);
        assert_eq!(c.solimp, [0.9, 0.95, 0.001, 0.5, 2.0]);
    }
    let low = r#"priority="-1" condim="6""#;
    assert_eq!(contact(low, r#"condim="1""#).dim, 1);
}

/// Line 8.
#[test]
fn friction_is_the_larger_of_each() {
    let c = contact(r#"friction=".5 .02 .001""#, r#"friction=".8 .01 .002""#);
    assert_eq!(c.friction, [0.8, 0.8, 0.02, 0.002, 0.002]);
}

/// Line 9.
#[test]
fn solref_and_solimp_are_weighted_by_solmix() {
    let heavy = r#"solmix="3" solref="0.1 1" solimp="0.5 0.6""#;
    for c in [contact(heavy, ""), contact("", heavy)] {
        close(&c.solref, &[0.08, 1.0], 1e-15);
        close(&c.solimp, &[0.6, 0.6875, 0.001, 0.5, 2.0], 1e-15);
    }
    let none = r#"solmix="0" solref="0.1 1""#;
    assert_eq!(contact(none, "").solref, [0.02, 1.0]);
    assert_eq!(contact("", none).solref, [0.02, 1.0]);
    let both = contact(none, r#"solmix="0""#);
    close(&both.solref, &[0.06, 1.0], 1e-15);
    let direct = contact(r#"solref="-100 -5""#, "");
    assert_eq!(direct.solref, [-100.0, -5.0]);
    let both = contact(r#"solref="-100 -5""#, r#"solref="-50 -9""#);
    assert_eq!(both.solref, [-100.0, -9.0]);
}

/// Line 10.
#[test]
fn margins_and_gaps_add() {
    let first = r#"margin=".02" gap=".01""#;
    let second = r#"margin=".03" gap=".005""#;
    near(contact(first, second).includemargin, 0.035, 1e-15);

    let found = |first: &str, second: &str, distance: f64| {
        let case = contacts("", first, second, distance);
        (case.contacts().len(), case.nefc())
    };
    let margin = r#"margin=".01""#;
    assert_eq!(found(margin, "", 0.005), (1, 4));
    assert_eq!(found("", margin, 0.005), (1, 4));
    assert_eq!(found(r#"margin=".01" gap=".008""#, "", 0.005), (1, 0));
    assert_eq!(found(margin, margin, 0.015), (1, 4));
    assert_eq!(found(margin, margin, 0.025), (0, 0));
    let case = contacts("", r#"margin=".01" gap=".008""#, "", 0.005);
    assert_eq!(
        (
            case.contacts()[0].exclude,
            case.rows().contact_efc_address[0]
        ),
        (1, -1)
    );
    // Priority changes neither.
    let strong = r#"priority="5" margin=".02" gap=".01""#;
    near(contact(strong, second).includemargin, 0.035, 1e-15);
}

/// Line 12 of the flag requirements.
#[test]
fn overrides_replace_the_parameters_of_all_contacts() {
    let scene = |flag: &str| {
        format!(
            r#"<mujoco><option o_solref=".05 1" o_friction=".7 .7 .01 .002 .002" o_margin=".02">
               <flag override="{flag}"/></option><worldbody>
               <geom type="plane" size="1 1 1" friction="2 1 1" solref=".01 1" margin=".1"/>
               <body pos="0 0 .11"><freejoint/><geom size=".1"/></body></worldbody></mujoco>"#
        )
    };
    let off = Case::new(&scene("disable")).forward().contacts()[0];
    close(&off.solref, &[0.015, 1.0], 1e-15);
    assert_eq!(off.friction, [2.0, 2.0, 1.0, 1.0, 1.0]);
    near(off.includemargin, 0.1, 1e-15);
    assert_eq!(off.solreffriction, [0.0, 0.0]);
    let on = Case::new(&scene("enable")).forward().contacts()[0];
    assert_eq!(on.solref, [0.05, 1.0]);
    assert_eq!(on.solreffriction, [0.05, 1.0]);
    assert_eq!(on.friction, [0.7, 0.7, 0.01, 0.002, 0.002]);
    assert_eq!(on.includemargin, 0.02);
}

/// Overrides reach explicit pairs too, whose gap stays.
#[test]
fn overrides_replace_the_parameters_of_pairs() {
    let xml = r#"<mujoco><option o_margin=".05" o_solimp=".8 .9 .01 .5 2" o_friction="0 .1 .2 .3 .4">
        <flag override="enable"/></option><worldbody>
        <body><freejoint/><geom name="a" size=".1"/></body>
        <body pos=".21 0 0"><freejoint/><geom name="b" size=".1"/></body></worldbody>
        <contact><pair geom1="a" geom2="b" condim="6" gap=".01" solref=".3 1" friction="9"/></contact>
        </mujoco>"#;
    let case = Case::new(xml).forward();
    let c = case.contacts()[0];
    assert_eq!(c.dim, 6);
    near(c.includemargin, 0.04, 1e-15);
    assert_eq!(c.solref, [0.02, 1.0]);
    assert_eq!(c.solimp, [0.8, 0.9, 0.01, 0.5, 2.0]);
    assert_eq!(c.friction, [1e-5, 0.1, 0.2, 0.3, 0.4]);
}
