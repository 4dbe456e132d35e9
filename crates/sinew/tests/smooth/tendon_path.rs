//! The points a string passes: `wrap_xpos`, `wrap_obj`, `ten_wrapadr`, `ten_wrapnum`.

use crate::{Case, close, numbers};
use sinew::engine::Data;

/// World geom `w` (id 0), then bodies and sites, then tendons.
fn model(world: &str, tendons: &str) -> Case {
    Case::new(&format!(
        "<mujoco><worldbody>{world}</worldbody><tendon>{tendons}</tendon></mujoco>"
    ))
}

/// A path of sites `a`, geoms `(w)`, with a side site `(w/s)`, and pulleys `/2`.
fn path(elements: &str) -> String {
    let steps: String = elements
        .split(' ')
        .map(|element| match element.split_at(1) {
            ("/", divisor) => format!(r#"<pulley divisor="{divisor}"/>"#),
            ("(", rest) => match rest.trim_end_matches(')').split_once('/') {
                Some((geom, side)) => format!(r#"<geom geom="{geom}" sidesite="{side}"/>"#),
                None => format!(r#"<geom geom="{}"/>"#, rest.trim_end_matches(')')),
            },
            _ => format!(r#"<site site="{element}"/>"#),
        })
        .collect();
    format!("<spatial>{steps}</spatial>")
}

fn site(name: &str, pos: &str) -> String {
    format!(r#"<site name="{name}" pos="{pos}"/>"#)
}

/// Markers and points of a tendon.
fn points(data: &Data, tendon: usize) -> (Vec<i32>, Vec<[f64; 3]>) {
    let found = &data.position.tendon;
    let first = found.ten_wrapadr[tendon] as usize;
    let range = first..first + found.ten_wrapnum[tendon] as usize;
    let markers = found.wrap_obj.as_flattened()[range.clone()].to_vec();
    let numbers = found.wrap_xpos.as_flattened();
    let points = range
        .map(|k| [numbers[3 * k], numbers[3 * k + 1], numbers[3 * k + 2]])
        .collect();
    (markers, points)
}

#[track_caller]
fn check(case: &Case, markers: &[i32], expected: &[(usize, &str)], length: f64) {
    let (found, at) = points(&case.data, 0);
    assert_eq!(found, markers);
    for (index, point) in expected {
        close(&at[*index], &numbers(point), 1e-11);
    }
    close(case.ten_length(), &[length], 1e-11);
    contiguous(case);
}

#[track_caller]
fn contiguous(case: &Case) {
    let tendon = &case.data.position.tendon;
    let mut next = 0;
    for (adr, num) in tendon.ten_wrapadr.iter().zip(&tendon.ten_wrapnum) {
        assert_eq!(*adr, next);
        next += num;
    }
    assert!(next as usize <= 2 * case.model.nwrap);
}

/// A hinged body with a site, below a world site.
fn hinged(more: &str, elements: &str) -> Case {
    model(
        &format!(
            r#"{}<body pos="0 0 .5"><joint axis="0 1 0"/><geom size=".02"/>{}{more}</body>"#,
            site("a", "0 0 1"),
            site("b", "0 0 -.2")
        ),
        &path(elements),
    )
}

fn two_hinges() -> Case {
    let child = format!(
        r#"<body pos="0 0 -.4"><joint axis="0 1 0"/><geom size=".02"/>{}</body>"#,
        site("c", ".1 0 -.1")
    );
    hinged(&child, "a b c").qpos(&[0.3, -0.2]).forward()
}

/// Two bodies on slides along y with a sphere between them.
fn sphere_between(more: &str, tendons: &str) -> Case {
    let slider = |name: &str, pos: &str| {
        format!(
            r#"<body pos="{pos}"><joint name="j{name}" type="slide" axis="0 1 0"/>
                 <geom size=".02" mass=".1" contype="0" conaffinity="0"/><site name="{name}"/></body>"#
        )
    };
    model(
        &format!(
            r#"<geom name="w" size=".1"/>{}{}{more}"#,
            slider("o", "-.3 .05 0"),
            slider("i", ".3 .05 0")
        ),
        tendons,
    )
}

#[test]
fn capacity_is_two_points_per_element() {
    let case = two_hinges();
    let tendon = &Data::new(&case.model).position.tendon;
    assert_eq!(tendon.wrap_xpos.as_flattened().len(), 6 * case.model.nwrap);
    assert_eq!(tendon.wrap_obj.as_flattened().len(), 2 * case.model.nwrap);
    assert_eq!((tendon.ten_wrapadr.len(), tendon.ten_wrapnum.len()), (1, 1));
}

#[test]
fn straight_strings_store_each_site_once() {
    let case = hinged("", "a b").qpos(&[0.3]).forward();
    check(
        &case,
        &[-1, -1],
        &[(0, "0 0 1"), (1, "-.059104041332268 0 .308932702174879")],
        0.693590151188093,
    );
    let three = two_hinges();
    check(
        &three,
        &[-1, -1, -1],
        &[(2, "-.028691007801416 0 .008381646157272")],
        0.995676049372445,
    );
    // The pieces between the points add up to the length.
    for case in [case, three] {
        let (_, at) = points(&case.data, 0);
        let sum: f64 = at
            .windows(2)
            .map(|pair| {
                let square = |k: usize| (pair[1][k] - pair[0][k]) * (pair[1][k] - pair[0][k]);
                (square(0) + square(1) + square(2)).sqrt()
            })
            .sum();
        close(&[sum], case.ten_length(), 1e-12);
    }
}

#[test]
fn wrapped_pieces_store_two_points_on_the_geom() {
    let case = sphere_between("", &path("o (w) i")).forward();
    check(
        &case,
        &[-1, 0, 0, -1],
        &[
            (1, "-.016906587441789 .098560475349265 0"),
            (2, ".016906587441789 .098560475349265 0"),
        ],
        0.608432629250355,
    );
    let clear = sphere_between("", &path("o (w) i"))
        .qpos(&[0.15, 0.15])
        .forward();
    check(&clear, &[-1, -1], &[], 0.6);
    let cylinder = model(
        &format!(
            r#"{}<geom name="w" type="cylinder" size=".08 .3"/><body pos=".3 -.05 -.2">
                 <joint type="slide" axis="1 0 0"/><geom size=".02" contype="0" conaffinity="0"/>{}</body>"#,
            site("o", "-.3 .1 .2"),
            site("i", "0 0 0")
        ),
        &path("o (w) i"),
    )
    .forward();
    check(
        &cylinder,
        &[-1, 0, 0, -1],
        &[
            (1, ".005275293665245 .079825880995736 .005317640178297"),
            (2, ".033445535784753 .072673214708521 -.01328025172264"),
        ],
        0.745072068093545,
    );
    // Contact points lie on the surface.
    for (case, coordinates, radius) in [(&case, 3, 0.1), (&cylinder, 2, 0.08)] {
        for point in &points(&case.data, 0).1[1..3] {
            let square: f64 = point[..coordinates].iter().map(|x| x * x).sum();
            close(&[square.sqrt()], &[radius], 1e-10);
        }
    }
}

#[test]
fn pulleys_are_marked_at_the_origin() {
    let slider = |name: &str, pos: &str| {
        format!(
            r#"<body pos="{pos}"><joint type="slide" axis="0 0 1"/><geom size=".01"/>
                 <site name="{name}"/></body>"#
        )
    };
    let world = slider("a", "0 0 .5")
        + &site("b", "0 .1 0")
        + &site("c", "0 -.1 0")
        + &slider("e", "0 0 -.5");
    let case = model(&world, &path("a b /2 c e")).forward();
    check(
        &case,
        &[-1, -1, -2, -1, -1],
        &[(2, "0 0 0")],
        0.764852927038918,
    );
    let case = model(&world, &path("/2 c e")).forward();
    check(
        &case,
        &[-2, -1, -1],
        &[],
        (0.1f64 * 0.1 + 0.25).sqrt() / 2.0,
    );
}

#[test]
fn inside_wraps_store_one_point_twice() {
    let case = model(
        &format!(
            r#"<geom name="w" size=".15"/>{}{}<body><joint axis="0 1 0"/>
                 <geom size=".01" contype="0" conaffinity="0"/>{}</body>"#,
            site("a", ".3 0 .15"),
            site("s", ".05 0 0"),
            site("b", ".3 0 -.15")
        ),
        &path("a (w/s) b"),
    )
    .forward();
    let (markers, at) = points(&case.data, 0);
    assert_eq!((markers, at[1]), (vec![-1, 0, 0, -1], at[2]));
    close(&at[1], &[0.15, 0.0, 0.0], 1e-6);
    close(case.ten_length(), &[0.424264068711929], 1e-11);
    for (q, point, length) in [
        (0.0, ".15 0 0", 0.53851648071345),
        (
            0.4,
            ".147009986674087 .029800399629617 0",
            0.522815179850151,
        ),
    ] {
        let case = model(
            &format!(
                r#"<geom name="w" type="cylinder" size=".15 .5"/>{}{}<body><joint axis="0 0 1"/>
                     <geom size=".01" contype="0" conaffinity="0"/>{}</body>"#,
                site("a", ".3 .1 .2"),
                site("s", ".05 0 0"),
                site("b", ".3 -.1 -.2")
            ),
            &path("a (w/s) b"),
        )
        .qpos(&[q])
        .forward();
        let (_, at) = points(&case.data, 0);
        assert_eq!(at[1], at[2]);
        close(&at[1], &numbers(point), 1e-6);
        close(case.ten_length(), &[length], 1e-9);
    }
}

#[test]
fn tangent_points_follow_the_reference() {
    let upper = [
        "0.016020828249552 .098708323165771 0",
        ".047958277423076 .087749664538455 0",
    ];
    let lower = [
        "-.069354161582886 -.072041656499105 0",
        ".016906587441789 -.098560475349265 0",
    ];
    for (side, [first, second], length) in [
        (Some("0 .3 0"), upper, 0.641312096241965),
        (None, upper, 0.641312096241965),
        (Some("0 -.3 0"), lower, 0.701011882559201),
    ] {
        let more = side.map_or(String::new(), |pos| site("s", pos));
        let elements = if side.is_some() {
            "o (w/s) i"
        } else {
            "o (w) i"
        };
        let case = model(
            &format!(
                r#"<geom name="w" size=".1"/>{}{}{more}"#,
                site("o", "-.3 .15 0"),
                site("i", ".3 -.05 0")
            ),
            &path(elements),
        )
        .forward();
        check(&case, &[-1, 0, 0, -1], &[(1, first), (2, second)], length);
    }
    // Collinear ends fix the plane of the path by a rule of its own.
    for (geom, first, second) in [
        (
            r#"size=".1""#,
            "-.033333333333333 .066666666666667 .066666666666667",
            ".033333333333333 .066666666666667 .066666666666667",
        ),
        (
            r#"type="cylinder" size=".1 .2""#,
            "-.033333333333333 -.094280904158206 0",
            ".033333333333333 -.094280904158206 0",
        ),
    ] {
        let world = format!(
            r#"<geom name="w" {geom}/>{}{}"#,
            site("o", "-.3 0 0"),
            site("i", ".3 0 0")
        );
        let case = model(&world, &path("o (w) i")).forward();
        let expected = [(1, first), (2, second)];
        check(&case, &[-1, 0, 0, -1], &expected, 0.633652806840062);
    }
}

#[test]
fn points_describe_the_start_of_the_step() {
    let spring = path("o (w) i").replace(
        "<spatial>",
        r#"<spatial stiffness="200" springlength="0.5">"#,
    );
    let mut case = sphere_between("", &spring);
    for expected in [
        -0.016906587441789,
        -0.016856985044188,
        -0.016757936083935,
        -0.016609751869146,
        -0.016412898447112,
    ] {
        case = case.steps(1);
        close(&[points(&case.data, 0).1[1][0]], &[expected], 1e-9);
    }
    close(&case.data.state.qpos, &[0.00218256675899; 2], 1e-11);
}

#[test]
fn slices_of_several_tendons_follow_each_other() {
    let fixed = r#"<fixed><joint joint="jo" coef="1"/></fixed>"#;
    let tendons = path("o z") + fixed + &path("o (w) i");
    let case = sphere_between(&site("z", ".5 .3 .1"), &tendons).forward();
    let tendon = &case.data.position.tendon;
    assert_eq!(tendon.ten_wrapadr, [0, 2, 2]);
    assert_eq!(tendon.ten_wrapnum, [2, 0, 4]);
    assert_eq!(case.model.nwrap, 6);
    contiguous(&case);
}

#[test]
fn mixed_paths_store_shared_sites_once() {
    let world = site("z", ".5 .3 .1") + &site("y", ".5 .4 .1");
    let case = sphere_between(&world, &path("z o (w) i")).forward();
    check(&case, &[-1, -1, 0, 0, -1], &[], 1.452529780057061);
    let case = sphere_between(&world, &path("o (w) i /3 z y")).forward();
    check(&case, &[-1, 0, 0, -1, -2, -1, -1], &[], 0.641765962583688);
}

#[test]
fn copies_carry_the_points_and_a_reset_clears_them() {
    let case = two_hinges();
    let mut copy = case.data.clone();
    assert_eq!(points(&copy, 0), points(&case.data, 0));
    copy.reset(&case.model).expect("its own model");
    let tendon = &copy.position.tendon;
    assert!(tendon.wrap_xpos.as_flattened().iter().all(|&x| x == 0.0));
    assert!(tendon.wrap_obj.as_flattened().iter().all(|&x| x == 0));
    assert_eq!((tendon.ten_wrapadr[0], tendon.ten_wrapnum[0]), (0, 0));
}

#[test]
fn a_changed_radius_takes_effect() {
    let mut case = sphere_between("", &path("o (w) i"));
    case.model
        .change(|arrays| arrays.geom_size[0][0] = 0.04)
        .expect("a value");
    check(&case.forward(), &[-1, -1], &[], 0.6);
}
