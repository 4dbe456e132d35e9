//! Flexes: sizes, pins and material of what flexcomps make, against numbers that MuJoCo 3.5.0 gives.
//!
//! `cases.rs` compares whole models; these tests say which numbers matter.

use sinew_mjcf::spec::extra::{Flex, FlexTable};
use sinew_mjcf::spec::value::NameList;
use sinew_mjcf::{At, Loader, Place, load_text, write};
use sinew_model::Model;

fn world(inside: &str) -> Model {
    let text = format!("<mujoco><worldbody>{inside}</worldbody></mujoco>");
    match load_text(&text) {
        Ok(loaded) => loaded.model,
        Err(error) => panic!("{text}\n{error}"),
    }
}

fn flexcomp(attributes: &str, inside: &str) -> Model {
    world(&format!(
        "<flexcomp name='f' spacing='.1 .1 .1' {attributes}>{inside}</flexcomp>"
    ))
}

fn near(found: &[f64], expected: &[f64], tolerance: f64) {
    assert_eq!(found.len(), expected.len());
    for (a, b) in found.iter().zip(expected) {
        assert!(
            (a - b).abs() <= tolerance,
            "{found:?} instead of {expected:?}"
        );
    }
}

#[test]
fn every_shape_has_its_number_of_vertices_elements_edges_and_dofs() {
    let none = "<contact selfcollide='none'/>";
    for (attributes, inside, sizes) in [
        ("dim='1' count='5 1 1'", "", [5, 4, 4, 15]),
        ("dim='1' count='4 1 1'", "", [4, 3, 3, 12]),
        ("count='3 3 1'", "", [9, 8, 16, 27]),
        ("count='9 9 1'", "", [81, 128, 208, 243]),
        ("dim='3' count='3 3 3'", "", [27, 48, 98, 81]),
        ("type='circle' dim='1' count='5 1 1'", "", [4, 4, 4, 12]),
        ("type='disc' count='5 5 1'", "", [25, 32, 56, 75]),
        ("type='box' dim='3' count='3 3 3'", "", [27, 48, 98, 81]),
        (
            "type='box' dim='3' dof='radial' count='3 3 3'",
            "",
            [27, 48, 98, 26],
        ),
        ("type='box' count='3 3 3'", "", [25, 40, 64, 75]),
        (
            "dim='3' dof='trilinear' count='5 5 5'",
            none,
            [125, 384, 604, 24],
        ),
        (
            "dim='3' dof='quadratic' count='5 5 5'",
            none,
            [125, 384, 604, 81],
        ),
    ] {
        let model = flexcomp(attributes, inside);
        let found = [model.nflexvert, model.nflexelem, model.nflexedge, model.nv];
        assert_eq!(found, sizes, "{attributes}");
    }
}

#[test]
fn pins_take_degrees_of_freedom_away() {
    for (pins, nv) in [
        ("<pin id='0 2'/>", 21),
        ("<pin gridrange='0 0 2 0'/>", 18),
        ("<pin id='0'/><pin range='0 2'/><pin grid='2 2'/>", 15),
    ] {
        assert_eq!(flexcomp("count='3 3 1'", pins).nv, nv, "{pins}");
    }
    for (attributes, pins) in [("rigid='true'", ""), ("", "<pin range='0 8'/>")] {
        let model = flexcomp(&format!("count='3 3 1' {attributes}"), pins);
        assert_eq!(model.nbody, 1);
        assert_eq!(model.flex_rigid, [1]);
        assert_eq!(model.flexedge_rigid, [1; 16]);
    }
}

#[test]
fn points_share_the_mass_whether_pinned_or_not() {
    let model = world(
        "<flexcomp name='f' dim='1' count='3 1 1' mass='3' spacing='.2 .2 .2'>\
         <edge equality='true'/><pin id='0'/></flexcomp>",
    );
    assert_eq!((model.nbody, model.nv, model.neq), (3, 6, 1));
    let sizes = (model.nflexvert, model.nflexedge, model.nflexelem);
    assert_eq!(sizes, (3, 2, 2));
    assert_eq!(model.body_mass, [0.0, 1.0, 1.0]);
    near(&model.body_inertia[1].0, &[5e-5 / 3.0; 3], 1e-18);
    near(&model.flexedge_length0, &[0.2; 2], 1e-15);
    let free = flexcomp("dim='1' count='3 1 1'", "");
    assert_eq!(free.neq, 0);
    let cloth = flexcomp("count='3 3 1'", "");
    near(&cloth.body_mass[1..], &[1.0 / 9.0; 9], 1e-16);
}

#[test]
fn a_grid_lists_its_elements_and_edges_in_the_reference_s_order() {
    let model = flexcomp("count='3 3 1' mass='.9' radius='.01'", "");
    assert_eq!((model.nbody, model.nv, model.nflexvert), (10, 27, 9));
    let elements = [
        [0, 3, 4],
        [0, 4, 1],
        [1, 4, 5],
        [1, 5, 2],
        [3, 6, 7],
        [3, 7, 4],
        [4, 7, 8],
        [4, 8, 5],
    ];
    assert_eq!(model.flex_elem, elements.as_flattened());
    let edges = [
        [3, 4],
        [0, 4],
        [0, 3],
        [1, 4],
        [0, 1],
        [4, 5],
        [1, 5],
        [2, 5],
        [1, 2],
        [6, 7],
        [3, 7],
        [3, 6],
        [4, 7],
        [7, 8],
        [4, 8],
        [5, 8],
    ];
    assert_eq!(model.flex_edge, edges);
    assert_eq!(model.flex_edgeflap, [[-1; 2]; 16]);
    near(&model.body_pos[1].0, &[-0.1, -0.1, 0.0], 1e-16);
    near(&[model.body_mass[1]], &[0.1], 1e-16);
    near(&model.body_inertia[1].0, &[5e-6 / 3.0; 3], 1e-18);
}

const MATERIAL: &str = "young='1e4' poisson='.3' thickness='.01'";

/// Row 0 of the bending matrix at the edge between the first two of four points.
fn bending(points: &str, elements: &str) -> [f64; 17] {
    let model = world(&format!(
        "<flexcomp name='f' type='direct' point='{points}' element='{elements}'>\
         <elasticity {MATERIAL} elastic2d='bend'/></flexcomp>"
    ));
    let edge = model.flex_edge.iter().position(|edge| *edge == [0, 1]);
    model.flex_bending[edge.expect("the edge")]
}

#[test]
fn bending_follows_the_order_of_the_first_triangle() {
    let points = "0 0 0 1 0 0 .2 .7 0 .6 -.4 0";
    let row = bending(points, "0 1 2 1 0 3");
    near(
        &row[..4],
        &[
            0.0040138433,
            0.003344869416,
            -0.002675895533,
            -0.004682817183,
        ],
        1e-12,
    );
    assert_eq!(row[16], 0.0);
    let row = bending(points, "1 0 3 0 1 2");
    near(
        &row[..4],
        &[
            0.00278739118,
            0.003344869416,
            -0.003902347652,
            -0.002229912944,
        ],
        1e-12,
    );
}

#[test]
fn boundary_edges_do_not_bend() {
    let model = flexcomp(
        "count='3 3 1'",
        &format!("<elasticity {MATERIAL} elastic2d='both'/>"),
    );
    let mut boundary = 0;
    for (flap, bending) in model.flex_edgeflap.iter().zip(&model.flex_bending) {
        if flap[1] == -1 {
            assert_eq!(*bending, [0.0; 17]);
            boundary += 1;
        } else {
            // A rigid shift costs nothing.
            near(&[bending[..4].iter().sum()], &[0.0], 1e-12);
        }
    }
    assert_eq!(boundary, 8);
}

#[test]
fn stretching_of_a_triangle_has_the_reference_s_stiffness() {
    let model = flexcomp(
        "count='4 4 1'",
        &format!("<elasticity {MATERIAL} elastic2d='stretch'/>"),
    );
    near(
        &model.flex_stiffness[0][..6],
        &[
            1442.307692,
            -240.384615,
            961.538462,
            240.384615,
            -240.384615,
            1442.307692,
        ],
        1e-6,
    );
    assert_eq!(model.flex_stiffness[0][6..], [0.0; 15]);
}

#[test]
fn a_flex_written_out_equals_the_flexcomp() {
    let slides = "<joint type='slide' axis='1 0 0'/><joint type='slide' axis='0 1 0'/>\
        <joint type='slide' axis='0 0 1'/>";
    let mut bodies = String::new();
    for (index, place) in ["-.05 -.05 1", "-.05 .05 1", ".05 -.05 1", ".05 .05 1"]
        .into_iter()
        .enumerate()
    {
        bodies += &format!(
            "<body name='f_{index}' pos='{place}'><inertial pos='0 0 0' mass='.25' \
             diaginertia='4.1666666666666665e-06 4.1666666666666665e-06 4.1666666666666665e-06'/>\
             {slides}</body>"
        );
    }
    let forces = format!("<edge damping='.1'/><elasticity {MATERIAL} elastic2d='both'/>");
    let written = load_text(&format!(
        "<mujoco><worldbody>{bodies}</worldbody><deformable><flex name='f' \
         body='f_0 f_1 f_2 f_3' element='0 2 3 0 3 1'>{forces}</flex></deformable></mujoco>"
    ));
    let written = written.expect("a model").model;
    let made = flexcomp("count='2 2 1' pos='0 0 1'", &forces);
    assert_eq!(written.sizes(), made.sizes());
    for (a, b) in written.columns().iter().zip(made.columns()) {
        assert_eq!(a.bytes, b.bytes, "{}", a.name);
    }
}

#[test]
fn a_flex_made_by_a_program_equals_one_that_was_read() {
    let bodies = "<worldbody><body name='a'/><body name='b' pos='1 0 0'/></worldbody>";
    let flex =
        "<deformable><flex name='f' dim='1' radius='.01' body='a b' element='0 1'/></deformable>";
    let read = load_text(&format!("<mujoco>{bodies}{flex}</mujoco>"));
    let loader = Loader::new();
    let mut spec = loader.read_spec_text(&format!("<mujoco>{bodies}</mujoco>"));
    let spec = &mut spec.as_mut().expect("a spec").spec;
    let here = Place::default();
    spec.flexes.push(Flex {
        table: FlexTable {
            name: Some(At::new("f".into(), here)),
            dim: Some(At::new(1, here)),
            radius: Some(At::new(0.01, here)),
            body: Some(At::new(NameList(vec!["a".into(), "b".into()]), here)),
            element: Some(At::new(vec![0, 1], here)),
            ..FlexTable::default()
        },
        ..Flex::default()
    });
    let made = loader.load_text(&write::write(spec));
    let (read, made) = (read.expect("a model").model, made.expect("a model").model);
    assert_eq!(read.sizes(), made.sizes());
    for (a, b) in read.columns().iter().zip(made.columns()) {
        assert_eq!(a.bytes, b.bytes, "{}", a.name);
    }
}

/// The reference gives `passive` of a `flex` the value of another attribute, or none.
#[test]
fn passive_means_what_is_written() {
    for (contact, passive) in [
        ("passive='true'", 1),
        ("internal='false' passive='true'", 1),
        ("internal='true' passive='false'", 0),
        ("", 0),
    ] {
        let model = load_text(&format!(
            "<mujoco><worldbody><body name='b'/></worldbody><deformable><flex dim='1' body='b' \
             vertex='0 0 0 1 0 0' element='0 1'><contact {contact}/></flex></deformable></mujoco>"
        ));
        assert_eq!(model.expect("a model").model.flex_passive, [passive]);
    }
}

#[test]
fn files_given_in_memory_make_flexes() {
    let pyramid = "v 1 0 0\nv 0 1 0\nv -1 0 0\nv 0 -1 0\nv 0 0 1\n\
        f 1 2 5\nf 2 3 5\nf 3 4 5\nf 4 1 5\nf 3 2 1\nf 4 3 1\n";
    let loader = sinew_mjcf::Loader::new().asset("a.obj", pyramid.as_bytes().to_vec());
    let text =
        "<mujoco><worldbody><flexcomp name='f' type='mesh' file='a.obj'/></worldbody></mujoco>";
    let model = loader.load_text(text).expect("a model").model;
    assert_eq!((model.nflexvert, model.nflexelem), (5, 6));
}

#[test]
fn weights_of_edges_do_not_depend_on_a_rigid_flex_beside_them() {
    let rope = "<body name='b' pos='0 0 1'><joint/><geom size='.1'/>\
        <flexcomp name='rope' dim='1' count='3 1 1' spacing='.1 .1 .1'><edge damping='1'/></flexcomp></body>";
    let rigid = "<body name='c'><freejoint/><geom size='.1'/><flexcomp name='rigid' count='2 2 1' \
        spacing='.1 .1 .1' rigid='true'><edge damping='1'/></flexcomp></body>";
    let alone = world(rope);
    let both = world(&format!("{rope}{rigid}"));
    assert_eq!(both.flexedge_invweight0[..2], alone.flexedge_invweight0[..]);
    assert_eq!(both.flexedge_length0[..2], alone.flexedge_length0[..]);
}
