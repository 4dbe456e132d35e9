//! Values of a model that change after the first step count in the next one. The pairs and distances
//! are the reference's, which reads them anew at every step.

use crate::{Case, close};
use sinew::model::ModelArrays;
use sinew::model::kinds::DisableFlag;

/// Bodies a, b, c hang on each other, d and e are free; all overlap. Geom 0 is the floor, the others
/// have the ids of their bodies. Only the floor and a have contact bits.
const HEAP: &str = r#"<mujoco><worldbody><geom type="plane" size="2 2 1"/>
    <body name="a" pos="0 0 .09"><freejoint/><geom size=".1"/>
      <body name="b" pos=".15 0 0"><joint/><geom size=".1" contype="0" conaffinity="0"/>
        <body name="c" pos="-.1 0 .1"><joint axis="1 0 0"/>
          <geom size=".1" contype="0" conaffinity="0"/></body></body></body>
    <body name="d" pos="0 .15 .1"><freejoint/><geom size=".1" contype="0" conaffinity="0"/></body>
    <body name="e" pos="0 -.15 .1"><freejoint/><geom size=".1" contype="0" conaffinity="0"/></body>
    </worldbody><contact><exclude body1="a" body2="e"/></contact></mujoco>"#;

/// A case whose simulation has already made a step, and is back at the initial state.
fn stepped(xml: &str) -> Case {
    let mut case = Case::new(xml).steps(1);
    case.data.reset(&case.model).expect("its own model");
    case.forward()
}

impl Case {
    fn change(&mut self, edit: impl FnOnce(&mut ModelArrays)) {
        self.model.change(edit).expect("values that make sense");
        self.data.forward(&self.model).expect("its own model");
    }

    fn pairs(&self) -> Vec<[i32; 2]> {
        self.contacts().iter().map(|contact| contact.geom).collect()
    }
}

fn set_bits(model: &mut ModelArrays, contype: i32, conaffinity: i32) {
    model.body_contype.fill(contype);
    model.geom_contype.fill(contype);
    model.body_conaffinity.fill(conaffinity);
    model.geom_conaffinity.fill(conaffinity);
}

#[test]
fn contact_bits_count_from_the_next_step_on() {
    let mut case = stepped(HEAP);
    assert_eq!(case.pairs(), [[0, 1]]);
    // Those of bodies alone open nothing.
    case.change(|model| model.body_contype.fill(1));
    case.change(|model| model.body_conaffinity.fill(1));
    assert_eq!(case.pairs(), [[0, 1]]);
    case.change(|model| set_bits(model, 1, 1));
    let all = [
        [0, 1],
        [0, 2],
        [0, 4],
        [0, 5],
        [1, 3],
        [1, 4],
        [3, 4],
        [3, 5],
    ];
    assert_eq!(case.pairs(), all);
    case.change(|model| set_bits(model, 2, 1));
    assert_eq!(case.pairs(), Vec::<[i32; 2]>::new());
    case.change(|model| {
        model.body_conaffinity[4] = 3;
        model.geom_conaffinity[4] = 3;
    });
    assert_eq!(case.pairs(), [[0, 4], [1, 4], [3, 4]]);
    case.change(|model| set_bits(model, 0, 0));
    assert_eq!(case.pairs(), Vec::<[i32; 2]>::new());
    case.change(|model| set_bits(model, 1, 1));
    assert_eq!(case.pairs(), all);
}

/// Together with the filter of parents, whose pairs come and go; the excluded pair stays away.
#[test]
fn contact_bits_and_the_parent_filter_change_together() {
    let mut case = stepped(HEAP);
    case.model.opt.disableflags = DisableFlag::Filterparent.code();
    case.change(|model| set_bits(model, 1, 1));
    let with_parents = [
        [0, 1],
        [0, 2],
        [0, 4],
        [0, 5],
        [1, 2],
        [1, 3],
        [1, 4],
        [2, 3],
        [3, 4],
        [3, 5],
    ];
    assert_eq!(case.pairs(), with_parents);
    case.change(|model| {
        model.body_contype[2] = 0;
        model.body_conaffinity[2] = 0;
    });
    let without_b = [[0, 1], [0, 4], [0, 5], [1, 3], [1, 4], [3, 4], [3, 5]];
    assert_eq!(case.pairs(), without_b);
    case.model.opt.disableflags = 0;
    case.change(|_| ());
    assert_eq!(case.pairs(), without_b);
}

/// A simulation that has met a model with other bits is none the worse for it.
#[test]
fn one_simulation_serves_models_that_differ_in_bits() {
    let few = stepped(HEAP);
    let mut all = few.clone();
    all.change(|model| set_bits(model, 1, 1));
    let mut data = few.data.clone();
    for case in [&all, &few, &all, &few] {
        data.forward(&case.model).expect("the same structure");
        assert_eq!(data.position.contacts.contact, case.contacts());
    }
}

/// A ball made of triangles above the floor, beside a box.
const MESH: &str = r#"<mujoco>
    <asset><mesh name="m" builtin="sphere" params="2" scale=".1 .1 .1"/></asset>
    <worldbody><geom type="plane" size="2 2 1"/>
      <body pos="0 0 .12"><freejoint/><geom type="mesh" mesh="m"/></body>
      <body pos=".24 0 .2"><freejoint/><geom type="box" size=".1 .1 .1"/></body>
    </worldbody></mujoco>"#;

fn scale(model: &mut ModelArrays, factors: [f32; 3]) {
    for vertex in &mut model.mesh_vert {
        for k in 0..3 {
            vertex[k] *= factors[k];
        }
    }
}

#[test]
fn mesh_vertices_count_from_the_next_step_on() {
    let mut case = stepped(MESH);
    let found = |case: &mut Case| {
        let dist: Vec<f64> = case.contacts().iter().map(|contact| contact.dist).collect();
        let apart = case.data.geom_distance(&case.model, 1, 2, 1.0);
        (case.pairs(), dist, apart.expect("two geoms").dist)
    };
    let check = |case: &mut Case, pairs: &[[i32; 2]], dist: &[f64], apart: f64| {
        let actual = found(case);
        assert_eq!(actual.0, pairs);
        close(&actual.1, dist, 1e-15);
        close(&[actual.2], &[apart], 1e-15);
    };
    check(&mut case, &[], &[], 0.03999999850988387);
    case.change(|model| {
        scale(model, [1.5; 3]);
        // What is derived from the vertices is the user's to change.
        model.geom_rbound[1] *= 1.5;
        model.geom_aabb[1] = model.geom_aabb[1].map(|x| x * 1.5);
    });
    let floor = -0.030000005960464482;
    let deep = -0.01000000596046449;
    check(&mut case, &[[0, 1], [2, 1]], &[floor, deep], deep);
    case.change(|model| scale(model, [0.5, 1.0, 1.0]));
    check(&mut case, &[[0, 1]], &[floor], 0.06499999701976775);
    // Back, and the first query to notice is one for a distance.
    scale(case.model.unchecked(), [2.0, 1.0, 1.0]);
    let apart = case.data.geom_distance(&case.model, 1, 2, 1.0);
    close(&[apart.expect("two geoms").dist], &[deep], 1e-15);
}

/// The copy of a model is another model, however similar.
#[test]
fn one_simulation_serves_models_that_differ_in_vertices() {
    let small = stepped(MESH);
    let mut large = small.clone();
    large.change(|model| {
        scale(model, [1.5; 3]);
        model.geom_rbound[1] *= 1.5;
        model.geom_aabb[1] = model.geom_aabb[1].map(|x| x * 1.5);
    });
    let mut data = small.data.clone();
    for case in [&large, &small, &large, &small] {
        data.forward(&case.model).expect("the same structure");
        assert_eq!(data.position.contacts.contact, case.contacts());
    }
}
