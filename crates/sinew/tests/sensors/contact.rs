//! The contact sensor: filters, fields, reductions.

use crate::{Case, close};

fn ball(sensors: &str) -> Case {
    Case::new(&format!(
        r#"<mujoco><worldbody><geom name="floor" type="plane" size="5 5 .1"/><site name="zone" size=".05"/>
             <site name="away" size=".05" pos="1 0 0"/>
             <body name="ball" pos="0 0 .1"><freejoint/><geom name="ball" size=".1" mass="1"/></body></worldbody>
           <sensor>{sensors}</sensor></mujoco>"#
    ))
    .steps(2000)
}

#[test]
fn a_resting_ball_reports_its_weight() {
    let case =
        ball(r#"<contact name="c" geom1="ball" data="found force dist pos normal" num="2"/>"#);
    let slots = case.reading("c");
    assert_eq!(slots.len(), 22);
    assert_eq!(slots[0], 1.0);
    close(&slots[1..4], &[9.81, 0.0, 0.0], 1e-6);
    assert!(slots[4] < 0.0 && slots[4] > -1e-3, "depth {}", slots[4]);
    close(&slots[5..7], &[0.0, 0.0], 1e-12);
    close(&slots[8..11], &[0.0, 0.0, -1.0], 1e-12);
    assert_eq!(slots[11..], [0.0; 11], "nothing in the second slot");
}

#[test]
fn the_normal_points_away_from_the_first_object() {
    for (filter, up) in [
        ("", 1.0),
        (r#"geom1="ball""#, -1.0),
        (r#"geom1="floor""#, 1.0),
        (r#"geom2="floor""#, -1.0),
        (r#"body1="ball" body2="world""#, -1.0),
        (r#"body1="world" geom2="ball""#, 1.0),
        (r#"subtree1="ball""#, -1.0),
        (r#"subtree1="world" body2="ball""#, 1.0),
        (r#"site="zone""#, 1.0),
        (r#"site="zone" geom2="floor""#, -1.0),
    ] {
        let case = ball(&format!(
            r#"<contact name="c" {filter} data="found normal"/>"#
        ));
        println!("{filter}");
        close(case.reading("c"), &[1.0, 0.0, 0.0, up], 1e-12);
    }
    for nothing in [r#"site="away""#, r#"geom1="ball" body2="ball""#] {
        let case = ball(&format!(
            r#"<contact name="c" {nothing} data="found normal"/>"#
        ));
        close(case.reading("c"), &[0.0; 4], 0.0);
    }
}

/// Two balls of masses 1 and 3, the second pressed deeper, the first listed first.
fn pair(sensors: &str) -> Case {
    Case::new(&format!(
        r#"<mujoco><worldbody><geom name="floor" type="plane" size="5 5 .1"/>
             <body name="a" pos="0 0 .1"><freejoint/><geom size=".1" mass="1"/></body>
             <body name="b" pos="1 0 .1"><freejoint/><geom size=".1" mass="3" solref=".04 1"/></body></worldbody>
           <sensor>{sensors}</sensor></mujoco>"#
    ))
    .steps(3000)
}

#[test]
fn reductions_choose_and_order() {
    let case = pair(
        r#"<contact name="none" data="found force" num="3"/>
           <contact name="mindist" data="found force" num="2" reduce="mindist"/>
           <contact name="maxforce" data="found force" reduce="maxforce"/>
           <contact name="netforce" data="found force torque pos normal tangent" reduce="netforce"/>"#,
    );
    let weights = |mass: f64| [2.0, mass * 9.81, 0.0, 0.0];
    let none = [weights(1.0), weights(3.0), [0.0; 4]].concat();
    close(case.reading("none"), &none, 1e-6);
    let sorted = [weights(3.0), weights(1.0)].concat();
    close(case.reading("mindist"), &sorted, 1e-6);
    close(case.reading("maxforce"), &weights(3.0), 1e-6);
    // World axes: the sum, about the centre of the two forces.
    let net = case.reading("netforce");
    close(&net[..4], &[2.0, 0.0, 0.0, 4.0 * 9.81], 1e-6);
    close(&net[4..7], &[0.0; 3], 1e-6);
    close(&net[7..9], &[0.75, 0.0], 1e-6);
    assert_eq!(net[10..], [1.0, 0.0, 0.0, 0.0, 1.0, 0.0]);
}

#[test]
fn forces_on_either_side_are_opposite() {
    let case = pair(
        r#"<contact name="on" body2="b" data="force torque pos" reduce="netforce"/>
           <contact name="by" body1="b" data="force torque pos" reduce="netforce"/>"#,
    );
    let (on, by) = (case.reading("on"), case.reading("by"));
    close(&on[..3], &[0.0, 0.0, 3.0 * 9.81], 1e-6);
    for k in 0..6 {
        assert_eq!(on[k], -by[k]);
    }
    assert_eq!(on[6..], by[6..]);
}
