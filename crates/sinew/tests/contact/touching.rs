//! Bodies that touch by less than a 32-bit number resolves.
//!
//! The reference's broad phase sorts the ends of bounding boxes as 32-bit numbers, with the end of
//! an earlier body before the start of a later one. The numbers of contacts are the reference's.

use crate::Case;

/// Contacts of two spheres of radius ½ with centres on the x axis.
fn count(x1: f64, x2: f64) -> usize {
    let case = Case::new(&format!(
        r#"<mujoco><worldbody><body pos="{x1:?} 0 0"><freejoint/><geom size=".5"/></body>
           <body pos="{x2:?} 0 0"><freejoint/><geom size=".5"/></body></worldbody></mujoco>"#
    ))
    .forward();
    case.contacts().len()
}

#[test]
fn contacts_that_vanish_in_single_precision_are_lost() {
    for (base, depth, expected) in [
        (0.0, 0.0, [0, 1]),
        (0.0, 1e-9, [0, 1]),
        (0.0, 1e-8, [0, 1]),
        (0.0, 3e-8, [1, 1]),
        (0.0, 1e-6, [1, 1]),
        (0.3, 1e-8, [0, 1]),
        (0.3, 3e-8, [1, 1]),
        (10.0, 3e-8, [0, 1]),
        (10.0, 1e-7, [0, 1]),
        (10.0, 1e-6, [1, 1]),
        (10.0, 1e-5, [1, 1]),
    ] {
        let far = base + 1.0 - depth;
        let found = [count(base, far), count(far, base)];
        assert_eq!(found, expected, "at {base}, {depth} deep");
    }
}

#[test]
fn the_world_is_not_swept() {
    let case = Case::new(
        r#"<mujoco><worldbody><geom size=".5"/>
           <body pos="1 0 0"><freejoint/><geom size=".5"/></body></worldbody></mujoco>"#,
    )
    .forward();
    assert_eq!(case.contacts().len(), 1);
}
