//! Distances between geoms.

use crate::{away, close, open, reference};
use sinew::engine::CallError;
use sinew::mjcf::load_text;

#[test]
fn every_pair_of_shapes_is_as_far_apart_as_in_the_reference() {
    let model = open("features/distances");
    for (state, scale) in [("rest", 0.0), ("moved", 0.3)] {
        let mut data = away(&model, scale);
        let mut actual = Vec::new();
        for first in 0..model.ngeom {
            for second in (0..model.ngeom).filter(|second| *second != first) {
                let found = data.geom_distance(&model, first, second, 0.6).expect("ids");
                actual.push(found.dist);
                actual.extend(found.fromto[0].0);
                actual.extend(found.fromto[1].0);
            }
        }
        let name = format!("distance {state}");
        close(&name, &actual, &reference(&name), 1e-9);
    }
}

#[test]
fn the_segment_is_as_long_as_the_distance() {
    let model = open("features/distances");
    let mut data = away(&model, 0.1);
    for first in 0..model.ngeom {
        for second in first + 1..model.ngeom {
            let one = data.geom_distance(&model, first, second, 0.5).expect("ids");
            let [from, to] = one.fromto;
            if one.dist < 0.5 && one.dist != 0.0 {
                assert!((from.distance(to) - one.dist.abs()).abs() < 1e-6, "{one:?}");
            }
        }
    }
}

#[test]
fn what_never_touches_has_no_distance() {
    let model = load_text(
        r#"<mujoco><worldbody><geom type="plane" size="1 1 1"/><geom type="plane" size="1 1 1" pos="0 0 .1"/>
             <geom size=".1"/></worldbody></mujoco>"#,
    )
    .expect("loads")
    .model;
    let mut data = away(&model, 0.0);
    let planes = data.geom_distance(&model, 0, 1, 3.0).expect("ids");
    assert_eq!(planes.dist, 3.0);
    assert_eq!([planes.fromto[0].0, planes.fromto[1].0], [[0.0; 3]; 2]);
    let missing = CallError::Index {
        what: "geom",
        index: 3,
        count: 3,
    };
    assert_eq!(data.geom_distance(&model, 3, 0, 1.0), Err(missing));
}
