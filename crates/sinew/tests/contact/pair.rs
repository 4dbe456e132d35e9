//! Explicit contact pairs, and bodies excluded from touching.

use crate::{Case, close, near};
use sinew::engine::State;
use sinew::engine::{ContactFilter, Engine};
use sinew::model::Model;

/// Two overlapping free spheres `ga` and `gb` of bodies A and B, and further sections.
fn two_spheres(geoms: &str, sections: &str) -> Case {
    Case::new(&format!(
        r#"<mujoco>{sections}<worldbody>
             <body name="A"><freejoint/><geom name="ga" size=".1" {geoms}/></body>
             <body name="B" pos=".15 0 0"><freejoint/><geom name="gb" size=".1" {geoms}/></body>
           </worldbody></mujoco>"#
    ))
    .forward()
}

fn section(contact: &str) -> String {
    format!("<contact>{contact}</contact>")
}

fn paired(pair: &str) -> Case {
    two_spheres(
        "",
        &section(&format!(r#"<pair geom1="ga" geom2="gb" {pair}/>"#)),
    )
}

fn dims(case: &Case) -> Vec<i32> {
    case.contacts().iter().map(|contact| contact.dim).collect()
}

const PAIR: &str = r#"<pair geom1="ga" geom2="gb"/>"#;

/// Lines 1, 2, 15, 22, and the base scene.
#[test]
fn an_exclude_stops_bodies_but_not_pairs() {
    for (contact, expected) in [
        ("", 1),
        (r#"<exclude body1="A" body2="B"/>"#, 0),
        (r#"<exclude body1="B" body2="A"/>"#, 0),
        (
            r#"<exclude body1="B" body2="A"/><exclude body1="A" body2="B"/>"#,
            0,
        ),
        (
            r#"<exclude body1="A" body2="B"/><pair geom1="ga" geom2="gb"/>"#,
            1,
        ),
        (r#"<exclude body1="A" body2="A"/>"#, 1),
    ] {
        let case = two_spheres("", &section(contact));
        assert_eq!(case.contacts().len(), expected, "{contact}");
        for contact in case.contacts() {
            assert_eq!(contact.dim, 3);
            near(contact.dist, -0.05, 1e-15);
        }
    }
    for sections in ["", "<contact/>", "<contact></contact><contact/>"] {
        assert_eq!(two_spheres("", sections).contacts().len(), 1);
    }
}

/// Line 3.
#[test]
fn a_pair_passes_every_filter() {
    let invisible = r#"contype="0" conaffinity="0""#;
    assert_eq!(two_spheres(invisible, "").contacts().len(), 0);
    assert_eq!(two_spheres(invisible, &section(PAIR)).contacts().len(), 1);

    let family = |sections: &str| {
        Case::new(&format!(
            r#"<mujoco>{sections}<worldbody><body><joint/><geom name="ga" size=".1"/>
                 <body pos=".1 0 0"><joint/><geom name="gb" size=".1"/></body></body>
               </worldbody></mujoco>"#
        ))
        .forward()
    };
    assert_eq!(family("").contacts().len(), 0);
    let case = family(&section(PAIR));
    assert_eq!(case.contacts().len(), 1);
    near(case.contacts()[0].dist, -0.1, 1e-15);

    let one_body = |sections: &str| {
        Case::new(&format!(
            r#"<mujoco>{sections}<worldbody><body><freejoint/><geom name="ga" size=".1"/>
                 <geom name="gb" size=".1" pos=".15 0 0"/></body></worldbody></mujoco>"#
        ))
        .forward()
    };
    assert_eq!(one_body("").contacts().len(), 0);
    assert_eq!(one_body(&section(PAIR)).contacts().len(), 1);
}

/// Lines 4 and 9: distance, margin and gap of a pair.
#[test]
fn a_pair_has_its_own_reach() {
    let apart = |pair: &str| {
        Case::new(&format!(
            r#"<mujoco><worldbody><body><freejoint/><geom name="ga" size=".1"/></body>
               <body pos="5 0 0"><freejoint/><geom name="gb" size=".1"/></body></worldbody>
               <contact><pair geom1="ga" geom2="gb" {pair}/></contact></mujoco>"#
        ))
        .forward()
    };
    assert_eq!(apart("").contacts().len(), 0);
    let far = apart(r#"margin="10" gap="1""#);
    assert_eq!(far.contacts().len(), 1);
    near(far.contacts()[0].dist, 4.8, 1e-14);
    near(far.contacts()[0].includemargin, 9.0, 1e-14);

    let case = paired(r#"margin=".1" gap=".05""#);
    assert_eq!(
        (case.model.pair_margin[0], case.model.pair_gap[0]),
        (0.1, 0.05)
    );
    near(case.contacts()[0].includemargin, 0.05, 1e-15);
    // A negative margin takes shallow contacts away.
    assert_eq!(paired(r#"margin="-.04""#).contacts().len(), 1);
    assert_eq!(paired(r#"margin="-.06""#).contacts().len(), 0);
}

/// Lines 5, 6, 7, 8.
#[test]
fn a_pair_gives_its_parameters_as_written() {
    assert_eq!(dims(&paired(r#"condim="1""#)), [1]);
    let geoms = r#"condim="3""#;
    let flat = section(r#"<pair geom1="gb" geom2="ga" condim="1"/>"#);
    assert_eq!(dims(&two_spheres(geoms, &flat)), [1]);
    let case = paired(
        r#"friction="0.8 0.7 0.01 0.001 0.002" solref="0.05 0.8" solimp="0.85 0.9 0.002 0.4 1.5""#,
    );
    let contact = case.contacts()[0];
    assert_eq!(contact.friction, [0.8, 0.7, 0.01, 0.001, 0.002]);
    assert_eq!(contact.solref, [0.05, 0.8]);
    assert_eq!(contact.solimp, [0.85, 0.9, 0.002, 0.4, 1.5]);
}

/// Line 10.
#[test]
fn friction_rows_may_have_their_own_reference() {
    let plain = paired(r#"solref="0.05 0.8""#);
    assert_eq!(plain.model.pair_solreffriction[0], [0.0, 0.0]);
    assert_eq!(plain.contacts()[0].solreffriction, [0.0, 0.0]);

    let tangential = |cone: &str, pair: &str| {
        let case = Case::new(&format!(
            r#"<mujoco><option cone="{cone}"/><worldbody><geom name="p" type="plane" size="1 1 1"/>
               <body pos="0 0 .049"><freejoint/><geom name="s" size=".05"/></body></worldbody>
               <contact><pair geom1="p" geom2="s" {pair}/></contact></mujoco>"#
        ))
        .qvel(&[0.1, 0.0, 0.0, 0.0, 0.0, 0.0])
        .forward();
        let force = case.contact_force(0);
        force[1].hypot(force[2])
    };
    for (cone, pair, expected) in [
        ("elliptic", "", 1.573437735),
        ("elliptic", r#"solreffriction="0.1 1""#, 0.314687547),
        ("elliptic", r#"solreffriction="-50 -3""#, 0.047203132),
        // Signs that do not go together count as not given.
        ("elliptic", r#"solreffriction="0.1 -1""#, 1.573437735),
        ("pyramidal", "", 1.550146439),
        ("pyramidal", r#"solreffriction="0.1 1""#, 1.550146439),
    ] {
        near(tangential(cone, pair), expected, 1e-8);
    }
}

/// Line 11.
#[test]
fn a_pair_takes_nothing_from_its_geoms() {
    let geoms = r#"condim="4" friction=".3 .1 .1" solref=".1 1" solimp=".5 .6 .01" margin=".01"
                   gap=".003""#;
    let bare = section(r#"<pair geom1="ga" geom2="gb" condim="3"/>"#);
    let case = two_spheres(geoms, &bare);
    let contact = case.contacts()[0];
    assert_eq!(contact.dim, 3);
    assert_eq!(contact.friction, [1.0, 1.0, 0.005, 0.0001, 0.0001]);
    assert_eq!(contact.solref, [0.02, 1.0]);
    assert_eq!(contact.solimp, [0.9, 0.95, 0.001, 0.5, 2.0]);
    assert_eq!(contact.includemargin, 0.0);
}

/// Three bodies A(a1, a2), B(b1), C(c1) that all touch.
fn cluster(geom: &str, contact: &str) -> Case {
    Case::new(&format!(
        r#"<mujoco><worldbody>
             <body name="A"><freejoint/><geom name="a1" size=".1" {geom}/>
               <geom name="a2" size=".1" pos="0 .02 0" {geom}/></body>
             <body name="B" pos=".1 0 0"><freejoint/><geom name="b1" size=".1"/></body>
             <body name="C" pos=".05 .1 0"><freejoint/><geom name="c1" size=".1"/></body>
           </worldbody><contact>{contact}</contact></mujoco>"#
    ))
    .forward()
}

fn named(case: &Case) -> Vec<([i32; 2], i32)> {
    case.contacts().iter().map(|c| (c.geom, c.dim)).collect()
}

/// Line 18.
#[test]
fn pairs_stand_before_the_other_contacts_of_their_bodies() {
    let pairs =
        r#"<pair geom1="c1" geom2="b1" condim="1"/><pair geom1="a1" geom2="b1" condim="6"/>"#;
    assert_eq!(
        named(&cluster("", pairs)),
        [
            ([0, 2], 6),
            ([1, 2], 3),
            ([0, 3], 3),
            ([1, 3], 3),
            ([2, 3], 1)
        ]
    );
}

/// Line 12.
#[test]
fn geoms_outside_pairs_keep_their_bits() {
    let pairs = r#"<pair geom1="a1" geom2="b1"/>"#;
    let invisible = r#"contype="0" conaffinity="0""#;
    assert_eq!(
        named(&cluster(invisible, pairs)),
        [([0, 2], 3), ([2, 3], 3)]
    );
    let bits = r#"contype="2" conaffinity="4""#;
    assert_eq!(named(&cluster(bits, pairs)), [([0, 2], 3), ([2, 3], 3)]);
}

/// Line 14.
#[test]
fn a_pair_has_a_class() {
    let classes = r#"<default><default class="custom"><pair condim="4" margin=".01"/>
        <default class="inner"><pair margin=".02"/></default></default></default>"#;
    for (class, margin) in [("custom", 0.01), ("inner", 0.02)] {
        let pair = format!(r#"<pair class="{class}" geom1="ga" geom2="gb"/>"#);
        let case = two_spheres("", &format!("{classes}{}", section(&pair)));
        assert_eq!(dims(&case), [4]);
        near(case.contacts()[0].includemargin, margin, 1e-15);
    }
}

/// Line 16, and a geom paired with itself.
#[test]
fn repeated_pairs_are_all_kept() {
    for second in [
        r#"<pair geom1="ga" geom2="gb" condim="4"/>"#,
        r#"<pair geom1="gb" geom2="ga" condim="4"/>"#,
    ] {
        let first = r#"<pair geom1="ga" geom2="gb" condim="1"/>"#;
        let case = two_spheres("", &section(&format!("{first}{second}")));
        assert_eq!(case.model.npair, 2);
        assert_eq!(dims(&case), [1, 4]);
    }
    let own = section(r#"<pair geom1="ga" geom2="ga"/><exclude body1="A" body2="B"/>"#);
    let case = two_spheres("", &own);
    assert_eq!(case.contacts().len(), 1);
    near(case.contacts()[0].dist, -0.2, 1e-15);
    let alone = two_spheres("", &section(r#"<exclude body1="A" body2="B"/>"#));
    close(case.qacc(), alone.qacc(), 1e-12);
}

/// Line 19.
#[test]
fn short_arrays_replace_what_they_name() {
    let friction = |pair: &str| paired(pair).contacts()[0].friction;
    assert_eq!(
        friction(r#"friction="0.5""#),
        [0.5, 1.0, 0.005, 0.0001, 0.0001]
    );
    assert_eq!(
        friction(r#"friction="0.5 0.4""#),
        [0.5, 0.4, 0.005, 0.0001, 0.0001]
    );
    assert_eq!(paired(r#"solref="0.05""#).contacts()[0].solref, [0.05, 1.0]);
}

/// Line 20.
#[test]
fn parents_and_children_touch_only_without_the_filter() {
    let chain = |flag: &str, joint: &str| {
        let case = Case::new(&format!(
            r#"<mujoco><option><flag filterparent="{flag}"/></option><worldbody>
                 <body><joint/><geom size=".1"/><body pos=".05 0 0">{joint}<geom size=".1"/>
                   <body pos=".05 0 0"><joint/><geom size=".1"/></body></body></body>
               </worldbody></mujoco>"#
        ))
        .forward();
        case.contacts().iter().map(|c| c.geom).collect::<Vec<_>>()
    };
    assert_eq!(chain("enable", "<joint/>"), [[0, 2]]);
    assert_eq!(chain("disable", "<joint/>"), [[0, 1], [0, 2], [1, 2]]);
    assert_eq!(chain("enable", ""), Vec::<[i32; 2]>::new());
    assert_eq!(chain("disable", ""), [[0, 2], [1, 2]]);
}

/// Without two bodies nothing collides; static bodies named in a pair touch without rows.
#[test]
fn the_world_alone_has_no_contacts() {
    let geoms = r#"<geom name="ga" size=".1"/><geom name="gb" size=".1" pos=".15 0 0"/>"#;
    let xml = format!("<mujoco><worldbody>{geoms}</worldbody><contact>{PAIR}</contact></mujoco>");
    assert_eq!(Case::new(&xml).forward().contacts().len(), 0);
    let xml = format!(
        r#"<mujoco><worldbody><geom name="ga" size=".1"/><body><geom name="gb" size=".1" pos=".15 0 0"/>
           </body></worldbody><contact>{PAIR}</contact></mujoco>"#
    );
    let case = Case::new(&xml).forward();
    assert_eq!((case.contacts().len(), case.nefc()), (1, 0));
    // The same beside something that moves; the reference ends the process here.
    let mover = r#"<body pos="0 0 9"><freejoint/><geom size=".1"/></body></worldbody>"#;
    let case = Case::new(&xml.replace("</worldbody>", mover)).forward();
    assert_eq!((case.contacts().len(), case.nefc()), (1, 0));
    assert_eq!(case.contacts()[0].exclude, 3);
    // Whoever includes it again gets no rows either.
    let mut case = case;
    case.data.position.contacts.contact[0].exclude = 0;
    Engine::new(&case.model)
        .compute_constraints(&mut case.data)
        .expect("its own model");
    assert_eq!((case.nefc(), case.rows().first_row(0)), (0, None));
    // One that is added is excluded like one that is found.
    let added = case.contacts()[0];
    case.data
        .add_contact(&case.model, added)
        .expect("two geoms");
    let excluded: Vec<i32> = case.contacts().iter().map(|c| c.exclude).collect();
    assert_eq!(excluded, [0, 3]);
}

/// Looks at nothing but the names it was given.
struct Only([usize; 2]);

impl ContactFilter for Only {
    fn may_touch(&mut self, _: &Model, _: &State, geom1: usize, geom2: usize) -> bool {
        [geom1, geom2] == self.0 || [geom2, geom1] == self.0
    }
}

/// A filter of the user replaces the bits of geoms, and leaves pairs, excludes and families alone.
#[test]
fn a_user_s_filter_replaces_the_bits() {
    let geoms = |case: &mut Case, filter: Only| {
        let mut engine = Engine::new(&case.model).contact_filter(filter);
        engine.forward(&mut case.data).expect("its own model");
        named(case)
            .iter()
            .map(|(geom, _)| *geom)
            .collect::<Vec<_>>()
    };
    let mut plain = cluster("", "");
    assert_eq!(geoms(&mut plain, Only([1, 3])), [[1, 3]]);
    assert_eq!(plain.forward().contacts().len(), 5);
    let pairs = r#"<pair geom1="a1" geom2="b1"/><exclude body1="A" body2="C"/>"#;
    let mut paired = cluster("", pairs);
    assert_eq!(geoms(&mut paired, Only([1, 3])), [[0, 2]]);
    assert_eq!(geoms(&mut paired, Only([1, 2])), [[0, 2], [1, 2]]);
    // Bits of single geoms no longer count; here all bits of body A are still 1.
    let mut case = cluster("", "");
    case.model
        .change(|arrays| arrays.geom_contype[1] = 0)
        .expect("a value");
    case.model
        .change(|arrays| arrays.geom_conaffinity[1] = 0)
        .expect("a value");
    assert_eq!(geoms(&mut case, Only([1, 3])), [[1, 3]]);
    // A step asks as well.
    let mut engine = Engine::new(&case.model).contact_filter(Only([0, 2]));
    engine.step(&mut case.data).expect("a finite step");
    assert_eq!(named(&case), [([0, 2], 3)]);
}
