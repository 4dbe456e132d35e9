//! Contacts of flexes: which, where, with which parameters, and how bodies move them.

use super::{model, near, place};
use sinew::engine::position::contact::Contact;
use sinew::engine::{Data, Engine};
use sinew::model::Model;

/// Contacts and rows at given positions, or at the model's own.
fn touching(model: &Model, qpos: Option<&[f64]>) -> Data {
    let qpos = qpos.unwrap_or(&model.qpos0).to_vec();
    let mut data = place(model, &qpos, &vec![0.0; model.nv]);
    let mut engine = Engine::new(model);
    engine.forward_kinematics(&mut data).unwrap();
    engine.compute_contacts(&mut data).unwrap();
    engine.compute_constraints(&mut data).unwrap();
    data
}

fn contacts(text: &str) -> Vec<Contact> {
    touching(&model(text), None).position.contacts.contact
}

/// Two triangles of one flex, one a little above the other.
fn triangles(flags: &str, attributes: &str, contact: &str) -> String {
    format!(
        "<mujoco><option><flag {flags}/></option><worldbody><flexcomp name='f' type='direct' dim='2' radius='.02' \
         point='0 0 0 1 0 0 0 1 0 .2 .2 .03 1.2 .2 .03 .2 1.2 .03' element='0 1 2 3 4 5' {attributes}>\
         <contact {contact}/></flexcomp></worldbody></mujoco>"
    )
}

#[test]
fn a_flex_touches_itself_in_every_mode() {
    for mode in ["", "narrow", "bvh", "sap", "auto"] {
        for flags in ["", "midphase='disable'"] {
            let word = match mode {
                "" => String::new(),
                mode => format!("selfcollide='{mode}'"),
            };
            let found = contacts(&triangles(flags, "", &word));
            assert_eq!(found.len(), 1, "{mode} {flags}");
            assert_eq!((found[0].flex, found[0].elem), ([0, 0], [0, 1]));
            assert_eq!((found[0].geom, found[0].dim), ([-1, -1], 3));
            near(&[found[0].dist], &[-0.01], 1e-6);
        }
    }
    // Margins do not count within a flex.
    let found = contacts(&triangles("", "", "margin='.5' selfcollide='narrow'"));
    assert_eq!((found.len(), found[0].includemargin), (1, 0.0));
}

#[test]
fn a_flex_that_must_not_does_not_touch_itself() {
    for contact in [
        "selfcollide='none'",
        "contype='2' conaffinity='1' selfcollide='narrow'",
        "contype='0'",
        "selfcollide='none' internal='true'",
    ] {
        assert!(
            contacts(&triangles("", "", contact)).is_empty(),
            "{contact}"
        );
    }
    assert!(contacts(&triangles("", "rigid='true'", "")).is_empty());
}

/// A cloth of eight by four points, folded along its middle.
fn folded(mode: &str) -> Vec<([i32; 2], f64)> {
    let model = model(&format!(
        "<mujoco><worldbody><flexcomp name='f' type='grid' dim='2' count='8 4 1' spacing='.1 .1 .1' radius='.01'>\
         <contact selfcollide='{mode}'/></flexcomp></worldbody></mujoco>"
    ));
    let mut qpos = model.qpos0.clone();
    for point in 0..32 {
        let x = 0.1 * ((point / 4) as f64 - 3.5);
        if x > 0.0 {
            qpos[3 * point] = 0.013 - 2.0 * x;
            qpos[3 * point + 2] = 0.012;
        }
    }
    let data = touching(&model, Some(&qpos));
    let pairs = data.position.contacts.contact.iter().map(|contact| {
        let mut elements = contact.elem;
        elements.sort_unstable();
        (elements, contact.dist)
    });
    let mut pairs: Vec<_> = pairs.collect();
    pairs.sort_by_key(|(elements, _)| *elements);
    pairs
}

#[test]
fn all_ways_to_find_pairs_find_the_same() {
    let narrow = folded("narrow");
    assert_eq!(narrow.len(), 176);
    for mode in ["bvh", "sap"] {
        let found = folded(mode);
        assert_eq!(found.len(), 176, "{mode}");
        for (a, b) in narrow.iter().zip(&found) {
            assert_eq!(a.0, b.0, "{mode}");
            near(&[a.1], &[b.1], 1e-6);
        }
    }
}

#[test]
fn a_tetrahedron_that_is_turned_inside_out_touches_itself() {
    let cube = |switches: &str| {
        let model = model(&format!(
            "<mujoco><worldbody><flexcomp name='f' type='grid' dim='3' count='2 2 2' spacing='.1 .1 .1' \
             radius='.01'><contact {switches}/></flexcomp></worldbody></mujoco>"
        ));
        assert!(touching(&model, None).position.contacts.contact.is_empty());
        let mut qpos = model.qpos0.clone();
        qpos[23] = -0.12;
        touching(&model, Some(&qpos)).position.contacts.contact
    };
    // All elements share a vertex, so that they touch themselves inside or not at all.
    for others in ["none", "narrow"] {
        let found = cube(&format!("selfcollide='{others}' internal='true'"));
        assert_eq!(found.len(), 4);
        assert!(found.iter().all(|contact| contact.dim == 1));
        near(&[found[0].dist], &[-0.12], 1e-12);
        assert!(cube(&format!("selfcollide='{others}'")).is_empty());
    }
}

#[test]
fn contacts_with_geoms_do_not_depend_on_what_else_a_flex_touches() {
    let with_geoms = |selfcollide: &str, other: &str| {
        let found = contacts(&format!(
            "<mujoco><worldbody><geom type='plane' size='1 1 1'/><geom size='.1' pos='.3 .3 .03'/><flexcomp name='f' \
             type='direct' dim='2' radius='.02' point='0 0 .01 1 0 .01 0 1 .01 .2 .2 .04 1.2 .2 .04 .2 1.2 .04' \
             element='0 1 2 3 4 5'><contact selfcollide='{selfcollide}'/></flexcomp>{other}</worldbody></mujoco>"
        ));
        let (geoms, flexes): (Vec<Contact>, Vec<Contact>) =
            found.into_iter().partition(|contact| contact.geom[0] >= 0);
        (geoms, flexes.len())
    };
    let (alone, none) = with_geoms("none", "");
    assert_eq!((alone.len(), none), (5, 0));
    let other = "<flexcomp name='g' type='direct' dim='2' radius='.02' point='.1 .1 .06 1 .1 .06 .1 1 .06' \
        element='0 1 2'><contact contype='2' conaffinity='1'/></flexcomp>";
    let (together, of_flexes) = with_geoms("narrow", other);
    assert!(of_flexes >= 2, "{of_flexes}");
    let of_first: Vec<Contact> = together.into_iter().filter(|c| c.flex[1] == 0).collect();
    assert_eq!(format!("{of_first:?}"), format!("{alone:?}"));
}

/// Two cloths, one a little above the other.
fn cloths([first, second]: [&str; 2]) -> Vec<Contact> {
    let cloth = |name: &str, place: &str, contact: &str| {
        format!(
            "<flexcomp name='{name}' type='grid' dim='2' count='3 3 1' spacing='.1 .1 .1' radius='.02' {place}>\
             <contact selfcollide='none' {contact}/></flexcomp>"
        )
    };
    contacts(&format!(
        "<mujoco><worldbody>{}{}</worldbody></mujoco>",
        cloth("f", "", first),
        cloth("g", "pos='.02 .01 .03'", second)
    ))
}

#[test]
fn flexes_touch_each_other_where_their_bits_match() {
    let bits =
        |contype: i32, conaffinity: i32| format!("contype='{contype}' conaffinity='{conaffinity}'");
    for (first, second, expected) in [
        (bits(1, 1), bits(1, 1), 50),
        (bits(1, 0), bits(0, 1), 50),
        (bits(1, 2), bits(1, 2), 0),
        (bits(2, 0), bits(0, 1), 0),
        (bits(0, 0), bits(0, 0), 0),
    ] {
        let found = cloths([&first, &second]);
        assert_eq!(found.len(), expected, "{first} {second}");
        assert!(found.iter().all(|contact| contact.flex == [0, 1]));
        assert!(found.is_sorted_by_key(|contact| contact.elem));
    }
}

#[test]
fn parameters_of_flexes_are_mixed_like_those_of_geoms() {
    let first = |pair: [&str; 2]| cloths(pair)[0];
    assert_eq!(first(["condim='3'", "condim='6'"]).dim, 6);
    let found = first(["friction='.5 .01 .001'", "friction='1 .005 .0001'"]);
    assert_eq!(found.friction, [1.0, 1.0, 0.01, 0.001, 0.001]);
    near(
        &first(["solref='.01 1'", "solref='.03 1'"]).solref,
        &[0.02, 1.0],
        1e-15,
    );
    let found = first(["solref='.01 1' solmix='3'", "solref='.03 1'"]);
    near(&found.solref, &[0.015, 1.0], 1e-15);
    let found = first(["", "priority='1' condim='1' friction='.3' solref='.05 1'"]);
    assert_eq!(
        (found.dim, found.friction[0], found.solref[0]),
        (1, 0.3, 0.05)
    );
    let found = first(["margin='.01' gap='.004'", "margin='.02' gap='.003'"]);
    near(&[found.includemargin], &[0.023], 1e-15);
    let found = first(["solref='-100 -1'", "solref='.02 1'"]);
    assert_eq!(found.solref, [-100.0, -1.0]);
}

#[test]
fn planes_touch_vertices_and_balls_touch_elements() {
    let grid = |geom: &str, place: &str| {
        contacts(&format!(
            "<mujoco><worldbody>{geom}<flexcomp name='f' type='grid' dim='2' count='3 3 1' spacing='.1 .1 .1' \
             radius='.02' pos='{place}'/></worldbody></mujoco>"
        ))
    };
    let found = grid("<geom type='plane' size='1 1 1'/>", "0 0 .015");
    assert_eq!(found.len(), 9);
    for (vertex, contact) in found.iter().enumerate() {
        near(&[contact.dist], &[-0.005], 1e-15);
        assert_eq!((contact.geom, contact.flex), ([0, -1], [-1, 0]));
        assert_eq!(
            (contact.elem, contact.vert),
            ([-1, -1], [-1, vertex as i32])
        );
    }
    let found = grid("<geom size='.1' pos='0 0 .1'/>", ".02 .01 0");
    assert_eq!(found.len(), 7);
    let deepest = found.iter().map(|contact| contact.dist).fold(0.0, f64::min);
    near(&[deepest], &[-0.02], 1e-12);
}

#[test]
fn an_element_with_a_vertex_on_the_body_of_a_geom_does_not_touch_it() {
    let found = contacts(
        "<mujoco><worldbody><body name='b'><freejoint/><geom size='.1'/>\
         <flexcomp name='f' type='grid' dim='2' count='3 3 1' spacing='.1 .1 .1'><pin id='4'/></flexcomp>\
         </body></worldbody></mujoco>",
    );
    // Of the elements within reach, two do not have the pinned vertex.
    let elements: Vec<i32> = found.iter().map(|contact| contact.elem[1]).collect();
    assert_eq!(elements, [3, 4]);
}

#[test]
fn a_contact_with_an_element_moves_with_its_vertices() {
    let model = model(
        "<mujoco><option jacobian='sparse' cone='elliptic'/><worldbody>\
         <body pos='.03 .02 .1'><freejoint/><geom size='.1' mass='1'/></body>\
         <flexcomp name='f' type='grid' dim='2' count='3 3 1' spacing='.1 .1 .1' mass='.9' radius='.01'/>\
         </worldbody></mujoco>",
    );
    let mut qpos = model.qpos0.clone();
    qpos[2] = 0.105;
    let data = touching(&model, Some(&qpos));
    let elements: Vec<i32> = data
        .position
        .contacts
        .contact
        .iter()
        .map(|c| c.elem[1])
        .collect();
    assert_eq!(elements, [2, 5, 6, 7]);
    let rows = &data.position.constraints;
    assert_eq!(rows.nefc(), 12);
    // What MuJoCo 3.5.0 has for the normal of the first contact.
    let columns = [0, 1, 2, 3, 4, 5, 9, 10, 11, 18, 19, 20, 21, 22, 23];
    assert_eq!(rows.efc_J_colind[..15], columns);
    let expected = [
        0.27472112789737807,
        0.0,
        0.9615239476408232,
        0.0,
        0.0,
        0.0,
        -0.039052763511696044,
        0.0,
        -0.13668467229093614,
        -0.18478905141193436,
        0.0,
        -0.6467616799417703,
        -0.0508793129737477,
        0.0,
        -0.17807759540811693,
    ];
    near(&rows.efc_J[..15], &expected, 1e-15);
    near(&rows.efc_R[..3], &[0.6287208061382992; 3], 1e-14);
}

/// A jelly of eight nodes that stands a little inside a slab.
fn jelly(contact: &str) -> (Model, Data) {
    let model = model(&format!(
        "<mujoco><option jacobian='sparse'/><worldbody>\
         <body pos='.02 .01 .05'><freejoint/><geom type='box' size='.2 .2 .05' mass='1'/></body>\
         <flexcomp name='f' type='grid' dim='3' dof='trilinear' count='4 4 4' spacing='.05 .05 .05' mass='1' \
         radius='.005' pos='0 0 .178'><contact selfcollide='none' {contact}/></flexcomp></worldbody></mujoco>"
    ));
    let data = touching(&model, None);
    (model, data)
}

#[test]
fn a_contact_with_an_interpolated_flex_moves_with_its_nodes() {
    let (_, data) = jelly("");
    assert_eq!(data.position.contacts.contact.len(), 34);
    let rows = &data.position.constraints;
    assert_eq!((rows.nefc(), rows.efc_J_rownnz[0]), (136, 30));
    let of_nodes = [
        0.7251239059093934,
        0.04090044017847219,
        0.15414886594775926,
        0.008694729850850423,
    ];
    let found = [8, 11, 14, 17].map(|column| rows.efc_J[column]);
    near(&found, &of_nodes, 1e-12);
}

#[test]
fn contacts_of_passive_flexes_are_springs() {
    let (model, mut data) = jelly("passive='true'");
    let found = &data.position.contacts.contact;
    assert_eq!(found.len(), 34);
    assert!(found.iter().all(|contact| contact.exclude == 4));
    assert_eq!(data.position.constraints.nefc(), 0);
    Engine::new(&model).compute_passive(&mut data).unwrap();
    let expected = [-679.994859021595, 15.634618083163542, -3.6846366282361975];
    near(&data.velocity.passive.qfrc_spring[2..5], &expected, 1e-9);
    near(
        &data.velocity.passive.qfrc_spring[8..9],
        &[154.34768889723154],
        1e-9,
    );
}

/// A row with an entry for each degree of freedom.
fn full_row(model: &Model, data: &Data, row: usize) -> Vec<f64> {
    let rows = &data.position.constraints;
    let start = rows.efc_J_rowadr[row] as usize;
    let mut full = vec![0.0; model.nv];
    for k in start..start + rows.efc_J_rownnz[row] as usize {
        full[rows.efc_J_colind[k] as usize] = rows.efc_J[k];
    }
    full
}

#[test]
fn rows_of_rotation_do_not_depend_on_their_storage() {
    let [dense, sparse] = ["dense", "sparse"].map(|jacobian| {
        let model = model(&format!(
            "<mujoco><option jacobian='{jacobian}' cone='elliptic'/><worldbody>\
             <body pos='.03 .02 .1'><freejoint/><geom size='.1' mass='1' condim='6'/></body>\
             <flexcomp name='f' type='grid' dim='2' count='3 3 1' spacing='.1 .1 .1' mass='.9' radius='.01'/>\
             </worldbody></mujoco>"
        ));
        let data = touching(&model, None);
        assert_eq!(data.position.contacts.contact[0].dim, 6);
        let rows = 0..data.position.constraints.nefc();
        rows.map(|row| full_row(&model, &data, row)).collect::<Vec<_>>()
    });
    assert_eq!(dense, sparse);
    // Only the ball turns: the fourth row is minus its rotation about the normal.
    let turning: f64 = sparse[3][3..6].iter().map(|x| x * x).sum();
    near(&[turning], &[1.0], 1e-12);
    assert!(sparse[3][6..].iter().all(|x| *x == 0.0));
}

#[test]
fn both_sides_of_a_contact_may_be_interpolated() {
    let jelly = |name: &str, height: f64| {
        format!(
            "<flexcomp name='{name}' type='grid' dim='3' dof='trilinear' count='4 4 4' spacing='.05 .05 .05' mass='1' \
             radius='.005' pos='0 0 {height}'><contact selfcollide='none'/></flexcomp>"
        )
    };
    let model = model(&format!(
        "<mujoco><option cone='elliptic'/><worldbody>{}{}</worldbody></mujoco>",
        jelly("f", 0.0),
        jelly("g", 0.158)
    ));
    let data = touching(&model, None);
    let contact = &data.position.contacts.contact[0];
    assert_eq!(contact.flex, [0, 1]);
    let row = full_row(&model, &data, 0);
    for (first, sign) in [(0, -1.0), (24, 1.0)] {
        for k in 0..3 {
            let of_nodes = row[first + k..first + 24].iter().step_by(3);
            near(&[of_nodes.sum()], &[sign * contact.frame.row(0)[k]], 1e-4);
        }
    }
}

#[test]
fn a_contact_that_nothing_can_move_has_no_rows() {
    let found = touching(
        &model(
            "<mujoco><worldbody><geom type='plane' size='1 1 1'/><body pos='1 0 1'><freejoint/><geom size='.1'/></body>\
             <flexcomp name='f' type='grid' dim='2' count='3 3 1' spacing='.1 .1 .1' rigid='true'/></worldbody></mujoco>",
        ),
        None,
    );
    assert_eq!(found.position.contacts.contact.len(), 9);
    assert!(
        found
            .position
            .contacts
            .contact
            .iter()
            .all(|c| c.exclude == 3)
    );
    assert_eq!(found.position.constraints.nefc(), 0);
}

#[test]
fn a_contact_with_a_flex_ties_all_trees_that_move_it() {
    let model = model(
        "<mujoco><worldbody><body pos='.03 .02 .105'><freejoint/><geom size='.1' mass='1'/></body>\
         <flexcomp name='f' type='grid' dim='2' count='3 3 1' spacing='.1 .1 .1' mass='.9' radius='.01'/>\
         </worldbody></mujoco>",
    );
    let mut data = touching(&model, None);
    Engine::new(&model).compute_islands(&mut data).unwrap();
    assert_eq!(data.position.islands.nisland, 1);
    let islands = [0, -1, 0, -1, 0, 0, 0, -1, 0, 0];
    assert_eq!(data.position.islands.tree_island, islands);
}
