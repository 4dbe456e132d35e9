//! Distance sensors: the nearest pair of geoms, up to the cutoff.

use crate::{Case, close};

/// A body with two balls above another with one; gaps 0.5 (near) and 0.9 (far) along x and y.
fn balls(sensors: &str) -> Case {
    Case::new(&format!(
        r#"<mujoco><worldbody><body name="a"><geom name="centre" size=".1"/></body>
             <body name="b"><geom name="far" size=".1" pos="0 1.1 0"/><geom name="near" size=".2" pos=".8 0 0"/></body>
           </worldbody><sensor>{sensors}</sensor></mujoco>"#
    ))
    .forward()
}

#[test]
fn the_nearest_geoms_of_two_bodies_count() {
    let case = balls(
        r#"<distance name="d" body1="a" body2="b" cutoff="2"/><normal name="n" body1="a" body2="b" cutoff="2"/>
           <fromto name="f" body1="a" body2="b" cutoff="2"/><fromto name="back" body1="b" geom2="centre" cutoff="2"/>
           <normal name="far" geom1="far" body2="a" cutoff="2"/>"#,
    );
    close(case.reading("d"), &[0.5], 1e-12);
    close(case.reading("n"), &[1.0, 0.0, 0.0], 1e-12);
    close(case.reading("f"), &[0.1, 0.0, 0.0, 0.6, 0.0, 0.0], 1e-12);
    close(case.reading("back"), &[0.6, 0.0, 0.0, 0.1, 0.0, 0.0], 1e-12);
    close(case.reading("far"), &[0.0, -1.0, 0.0], 1e-12);
}

#[test]
fn beyond_the_cutoff_there_is_nothing() {
    let case = balls(
        r#"<distance name="d" body1="a" body2="b" cutoff=".4"/><normal name="n" body1="a" body2="b" cutoff=".4"/>
           <fromto name="f" body1="a" body2="b" cutoff=".4"/>"#,
    );
    close(case.reading("d"), &[0.4], 0.0);
    close(case.reading("n"), &[0.0; 3], 0.0);
    close(case.reading("f"), &[0.0; 6], 0.0);
}

#[test]
fn overlaps_are_negative_and_cut_on_both_sides() {
    let overlap = |attributes: &str| {
        Case::new(&format!(
            r#"<mujoco><worldbody><geom name="x" size=".5"/><geom name="y" size=".5" pos=".2 0 0"/></worldbody>
               <sensor><distance geom1="x" geom2="y" {attributes}/><fromto geom1="x" geom2="y" {attributes}/>
               </sensor></mujoco>"#
        ))
        .forward()
    };
    // Without a cutoff only overlaps are seen, whole.
    let segment = [0.5, 0.0, 0.0, -0.3, 0.0, 0.0];
    let case = overlap("");
    close(&case.readings()[..1], &[-0.8], 1e-12);
    close(&case.readings()[1..], &segment, 1e-12);
    // The distance is clamped as any reading, the segment is not.
    let case = overlap(r#"cutoff=".3""#);
    close(&case.readings()[..1], &[-0.3], 0.0);
    close(&case.readings()[1..], &segment, 1e-12);
}
