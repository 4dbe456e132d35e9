//! Spatial tendons: strings over several sites, past moving and static geoms, with limits.

use crate::tendon::{CYLINDER, SPHERE, string, wrapped};
use crate::{Case, close, numbers};

/// Three hinged links with a string over a site of each.
fn three_links() -> Case {
    let link = |pos: &str, length: f64, radius: f64, site: &str, inner: &str| {
        format!(
            r#"<body pos="{pos}"><joint axis="0 1 0"/>
                 <geom type="capsule" fromto="0 0 0 0 0 -{length}" size="{radius}"/>
                 <site name="{site}"/>{inner}</body>"#
        )
    };
    let third = link("0 0 -.4", 0.3, 0.03, "s3\" pos=\"0 0 -.15", "");
    let second = link("0 0 -.5", 0.4, 0.04, "s2\" pos=\"0 0 -.2", &third);
    let first = link("0 0 1", 0.5, 0.05, "s1", &second);
    Case::new(&format!(
        r#"<mujoco><worldbody>{first}</worldbody><tendon><spatial stiffness="100" damping="10">
             <site site="s1"/><site site="s2"/><site site="s3"/></spatial></tendon></mujoco>"#
    ))
}

#[test]
fn a_string_over_three_sites_sums_its_pieces() {
    for (q, length, slope) in [
        (
            "0.1 0.7 -0.4",
            1.00872584243,
            "0 -0.096793513141 0.034043328203",
        ),
        (
            "0.2 1 0.8",
            0.953879153574,
            "0 -0.133371987955 -0.066635995272",
        ),
    ] {
        let case = three_links().qpos(&numbers(q)).forward();
        close(case.ten_length(), &[length], 1e-10);
        close(case.ten_J(), &numbers(slope), 1e-10);
    }
    let model = three_links().model;
    close(&model.tendon_length0, &[1.05], 1e-14);
    close(&model.tendon_lengthspring[0], &[1.05, 1.05], 1e-14);
}

#[test]
fn trajectories_of_strings_follow_the_reference() {
    let case = string().qpos(&[0.3, 1.2]).steps(100).forward();
    close(
        &case.data.state.qpos,
        &[0.303066433676, 0.412608882094],
        1e-9,
    );
    close(case.ten_length(), &[0.687906647471], 1e-9);
    close(
        &case.data.velocity.length.ten_velocity,
        &[0.44090992903],
        1e-9,
    );
    let case = three_links().qpos(&[0.2, 1.0, 0.8]).steps(100).forward();
    let expected = [0.249298971857, 0.452976738442, 0.705439876477];
    close(&case.data.state.qpos, &expected, 1e-9);
    close(case.ten_length(), &[1.014347872344], 1e-9);
    for (geom, q, length) in [
        (SPHERE, [-0.044364960807, 0.843695025190], 0.583774417088),
        (CYLINDER, [-0.037123293131, 0.877581710038], 0.593199530983),
    ] {
        let case = Case::new(&format!(
            r#"<mujoco><worldbody><geom name="w" {geom} contype="0" conaffinity="0"/>
                 <site name="a" pos="-.3 .05 .1"/><body pos=".1 -.2 0">
                   <joint axis="0 0 1" damping=".01"/><joint axis="0 1 0" damping=".01"/>
                   <geom size=".02" pos=".2 .2 0" mass=".1" contype="0" conaffinity="0"/>
                   <site name="b" pos=".2 .22 -.05"/></body></worldbody>
               <tendon><spatial stiffness="20" springlength=".6" damping="1"><site site="a"/>
                 <geom geom="w"/><site site="b"/></spatial></tendon></mujoco>"#
        ))
        .steps(100)
        .forward();
        close(&case.data.state.qpos, &q, 1e-9);
        close(case.ten_length(), &[length], 1e-9);
    }
}

#[test]
fn springs_of_a_string_follow_its_band() {
    for (rest, expected) in [
        (".5", 1.579923803009),
        (".4 .6", 0.031830391676),
        (".65 .9", -0.742216313990),
        ("0", 9.320390859672),
        ("-1", -1.516263019656),
    ] {
        let mut xml = crate::tendon::STRING.to_string();
        xml = xml.replace("stiffness", &format!(r#"springlength="{rest}" stiffness"#));
        let case = Case::new(&xml).qpos(&[0.3, 1.2]).forward();
        let passive = &case.data.velocity.passive;
        close(&passive.qfrc_spring, &[0.0, expected], 1e-10);
    }
}

#[test]
fn velocity_is_the_rate_of_the_length() {
    let case = string().qpos(&[0.3, 1.2]).qvel(&[0.5, 1.0]).forward();
    let h = 1e-6;
    let length = |step: f64| {
        let q = [0.3 + 0.5 * step, 1.2 + step];
        string().qpos(&q).forward().ten_length()[0]
    };
    let rate = (length(h) - length(-h)) / (2.0 * h);
    close(&case.data.velocity.length.ten_velocity, &[rate], 1e-9);
}

/// A string past a cylinder between two bodies on slides along x.
fn past_cylinder() -> Case {
    Case::new(
        r#"<mujoco><option><flag contact="disable"/></option><worldbody>
             <geom name="w" type="cylinder" size=".08 .3"/>
             <body pos="-.3 .1 .2"><joint type="slide" axis="1 0 0"/><geom size=".01"/><site name="a"/></body>
             <body pos=".3 -.05 -.2"><joint type="slide" axis="1 0 0"/><geom size=".01"/><site name="b"/></body>
           </worldbody><tendon><spatial><site site="a"/><geom geom="w"/><site site="b"/></spatial></tendon>
           </mujoco>"#,
    )
}

#[test]
fn a_string_climbs_around_a_cylinder() {
    let case = past_cylinder().forward();
    close(case.ten_length(), &[0.745072068094], 1e-11);
    close(case.ten_J(), &[-0.841834586578, 0.766403388178], 1e-11);
    let points = case.data.position.tendon.wrap_xpos.as_flattened();
    let expected = "0.005275293665 0.079825880996 0.005317640178 \
                    0.033445535785 0.072673214709 -0.013280251723";
    close(&points[3..9], &numbers(expected), 1e-11);
    for (q, length) in [
        ([0.05, -0.05], 0.667354032482),
        ([-0.1, 0.1], 0.913729469142),
    ] {
        let case = past_cylinder().qpos(&q).forward();
        close(case.ten_length(), &[length], 1e-11);
    }
}

#[test]
fn a_string_past_a_sphere_is_longer_than_straight() {
    let with = |geom: &str| {
        Case::new(&format!(
            r#"<mujoco><worldbody><geom name="w" size=".1"/><site name="a" pos="-.3 .05 0"/>
                 <site name="b" pos=".3 .05 0"/></worldbody><tendon><spatial><site site="a"/>{geom}
                 <site site="b"/></spatial></tendon></mujoco>"#
        ))
        .forward()
    };
    close(with("").ten_length(), &[0.6], 1e-14);
    let case = with(r#"<geom geom="w"/>"#);
    close(case.ten_length(), &[0.60843262925], 1e-11);
    close(&case.model.tendon_length0, &[0.60843262925], 1e-11);
    close(
        &case.model.tendon_lengthspring[0],
        &[0.60843262925; 2],
        1e-11,
    );
    let points = case.data.position.tendon.wrap_xpos.as_flattened();
    let expected = "-0.016906587442 0.098560475349 0 0.016906587442 0.098560475349 0";
    close(&points[3..9], &numbers(expected), 1e-11);
}

#[test]
fn a_side_site_forces_a_clear_string_around() {
    let length = |geom: &str, side: Option<&str>| {
        let (site, attribute) = match side {
            Some(pos) => (
                format!(r#"<site name="side" pos="{pos}"/>"#),
                r#"sidesite="side""#,
            ),
            None => (String::new(), ""),
        };
        Case::new(&format!(
            r#"<mujoco><option><flag contact="disable"/></option><worldbody><geom name="w" {geom}/>
                 <site name="a" pos="-.3 .2 .1"/>{site}<body pos=".3 .25 -.05">
                   <joint type="slide" axis="1 0 0"/><joint type="slide" axis="0 1 0"/>
                   <geom size=".01"/><site name="b"/></body></worldbody>
               <tendon><spatial><site site="a"/><geom geom="w" {attribute}/><site site="b"/></spatial>
               </tendon></mujoco>"#
        ))
        .forward()
    };
    for geom in [SPHERE, CYLINDER] {
        for side in [None, Some("0 .3 0")] {
            close(length(geom, side).ten_length(), &[0.620483682300], 1e-11);
        }
    }
    let below = Some("0 -.3 0");
    let case = length(SPHERE, below);
    close(case.ten_length(), &[0.920115545025], 1e-11);
    close(case.ten_J(), &[0.585226692881, 0.808504263344], 1e-11);
    close(
        length(CYLINDER, below).ten_length(),
        &[0.918506214156],
        1e-11,
    );
    for side in ["0 0 0", "0 -.05 0"] {
        let case = length(SPHERE, Some(side));
        close(case.ten_length(), &[0.669806489795], 1e-9);
        close(case.ten_J(), &[0.881205965187, 0.437169203011], 1e-8);
        let case = length(CYLINDER, Some(side));
        close(case.ten_length(), &[0.668511421263], 1e-9);
        close(case.ten_J(), &[0.874989804668, 0.429006824185], 1e-8);
    }
}

#[test]
fn geoms_and_ends_may_move_and_turn() {
    let case = Case::new(
        r#"<mujoco><option><flag contact="disable"/></option><worldbody>
             <body pos=".1 .2 .3" euler="30 20 10"><joint axis="1 1 0"/>
               <geom name="w" type="cylinder" size=".08 .2"/></body>
             <site name="a" pos="-.2 .25 .35"/>
             <body pos=".4 .2 .25"><joint type="ball"/><geom size=".02" pos="0 .05 0"/>
               <site name="b" pos=".03 .04 .02"/></body></worldbody>
           <tendon><spatial><site site="a"/><geom geom="w"/><site site="b"/></spatial></tendon></mujoco>"#,
    )
    .forward();
    close(case.ten_length(), &[0.638960522427], 1e-11);
    let expected = "0.001350372995 -0.004856204711 0.024828335671 -0.042372364275";
    close(case.ten_J(), &numbers(expected), 1e-11);
    let case = Case::new(
        r#"<mujoco><worldbody><site name="a" pos="-.2 .25 .35"/>
             <body pos=".4 .2 .25" quat=".8 .2 .5 .3"><freejoint/><geom size=".02" pos="0 .05 0"/>
               <site name="b" pos=".03 .04 .02"/></body></worldbody>
           <tendon><spatial><site site="a"/><site site="b"/></spatial></tendon></mujoco>"#,
    )
    .forward();
    close(case.ten_length(), &[0.623170262826], 1e-11);
    let expected = "0.990192986 -0.000943940 -0.139703110 0.040463558 -0.016534681 -0.027625975";
    close(case.ten_J(), &numbers(expected), 1e-8);
}

/// Two links with a string of limited length, its elbow tilted.
fn limited(range: &str, elbow: &str, option: &str, sections: &str) -> String {
    format!(
        r#"<mujoco>{option}<option gravity="0 0 0"><flag contact="disable"/></option><worldbody>
             <body pos="0 0 1"><joint axis="0 1 0"/>
               <geom type="capsule" fromto="0 0 0 0 0 -.5" size=".05"/><site name="s1"/>
               <body pos="0 0 -.5" {elbow}><joint axis="0 1 0"/>
                 <geom type="capsule" fromto="0 0 0 0 0 -.4" size=".04"/>
                 <site name="s2" pos="0 0 -.2"/></body></body></worldbody>
           <tendon><spatial name="t" range="{range}" stiffness="100" damping="10"><site site="s1"/><site site="s2"/></spatial></tendon>
           {sections}</mujoco>"#
    )
}

#[test]
fn limits_of_strings_are_constraint_rows() {
    let at = |range: &str, q: [f64; 2]| Case::new(&limited(range, "", "", "")).qpos(&q).forward();
    let short = at(".35 .9", [0.0, 2.9]);
    close(short.ten_length(), &[0.309529266742], 1e-11);
    let rows = &short.data.position.constraints;
    close(&rows.efc_pos, &[-0.040470733258], 1e-11);
    let force = &short.data.acceleration.solution.efc_force;
    close(force, &[2081.8485475], 1e-6);
    close(short.qfrc_constraint(), &[0.0, -160.915597], 1e-6);
    assert_eq!(at(".35 .9", [0.0, 2.0]).data.position.constraints.nefc(), 0);
    let long = at(".35 .65", [0.0, 0.3]);
    let rows = &long.data.position.constraints;
    close(
        &rows.efc_J[rows.efc_J.len() - 1..],
        &[0.042607324535],
        1e-10,
    );
    let force = &long.data.acceleration.solution.efc_force;
    close(force, &[3288.520464], 1e-6);
    close(long.qfrc_constraint(), &[0.0, 140.115059], 1e-6);
}

#[test]
fn muscles_on_strings_are_scaled_at_the_initial_position() {
    let tilted = r#"euler="0 60 0""#;
    let muscle = r#"<actuator><muscle tendon="t" force="100"/></actuator>"#;
    let use_limit = r#"<compiler><lengthrange uselimit="true"/></compiler>"#;
    let model = Case::new(&limited(".35 .9", tilted, use_limit, muscle)).model;
    close(&model.tendon_length0, &[0.62449979984], 1e-10);
    close(&model.actuator_acc0, &[1.638966703381], 1e-10);
    assert_eq!(model.actuator_lengthrange, [[0.35, 0.9]]);
    // Found by pulling both ways from the initial position.
    let model = Case::new(&limited(".35 .9", tilted, "", muscle)).model;
    close(&model.actuator_lengthrange[0], &[0.349844, 0.7], 1e-3);
    close(&model.actuator_acc0, &[1.638966703381], 1e-10);
}

#[test]
fn wrapping_ends_where_the_string_becomes_tangent() {
    let at = |y: f64| {
        Case::new(
            r#"<mujoco><option><flag contact="disable"/></option><worldbody><geom name="w" size=".1"/>
                 <site name="a" pos="-.3 0 0"/><body pos=".3 0 0"><joint type="slide" axis="0 1 0"/>
                   <geom size=".01"/><site name="b"/></body></worldbody>
               <tendon><spatial><site site="a"/><geom geom="w"/><site site="b"/></spatial></tendon></mujoco>"#,
        )
        .qpos(&[y])
        .forward()
    };
    for (y, length) in [
        (0.05, 0.621042718045),
        (0.1, 0.616826403420),
        (0.2, 0.632539794729),
        (0.3, 0.670820393250),
    ] {
        close(at(y).ten_length(), &[length], 1e-11);
    }
    // At the tangent the number stays finite, where the reference's may not.
    let end = 0.3 / 2f64.sqrt();
    for k in -100_i32..=100 {
        let y = f64::from(k) * 1e-8;
        let case = at(end + y);
        assert!(case.ten_length()[0].is_finite() && case.ten_J()[0].is_finite());
        // Within a hair of the tangent rounding decides which way round the arc is taken, in the
        // reference as well; elsewhere the length goes on with its slope.
        if k.abs() > 1 {
            close(case.ten_length(), &[0.6363961030678929 + y / 3.0], 1e-8);
            close(case.ten_J(), &[1.0 / 3.0], 1e-5);
        }
    }
    close(at(end).ten_length(), &[0.6363961031], 1e-10);
    // A site that enters the circle ends the wrap with a jump.
    let jump = |q: f64| wrapped(SPHERE, None).qpos(&[q, 0.0]).forward().ten_length()[0];
    close(
        &[jump(1.0249440554) - jump(1.0249440553)],
        &[-0.00173773],
        1e-8,
    );
}

#[test]
fn a_string_climbs_along_a_cylinder_it_crosses() {
    let case = Case::new(
        r#"<mujoco><worldbody><geom name="w" type="cylinder" size=".1 .2"/>
             <site name="a" pos="-.3 0 .1"/><site name="b" pos=".3 0 -.1"/></worldbody>
           <tendon><spatial><site site="a"/><geom geom="w"/><site site="b"/></spatial></tendon></mujoco>"#,
    )
    .forward();
    close(case.ten_length(), &[0.664466612868], 1e-11);
}

#[test]
fn sparse_and_dense_jacobians_agree() {
    let forces = |jacobian: &str| {
        let mut xml = crate::tendon::STRING.to_string();
        xml = xml.replace(
            "<mujoco>",
            &format!(r#"<mujoco><option jacobian="{jacobian}"/>"#),
        );
        let case = Case::new(&xml)
            .qpos(&[0.3, 1.2])
            .qvel(&[0.5, 1.0])
            .ctrl(&[2.0])
            .steps(10);
        (case.qfrc_passive().to_vec(), case.data.state.qpos)
    };
    assert_eq!(forces("dense"), forces("sparse"));
}

#[test]
fn points_that_coincide_give_no_nan() {
    let case = Case::new(
        r#"<mujoco><worldbody><site name="a"/><body><joint type="slide" axis="1 0 0"/><geom size=".1"/>
             <site name="b"/></body></worldbody><tendon><spatial stiffness="1" damping="1"><site site="a"/>
             <site site="b"/></spatial></tendon></mujoco>"#,
    )
    .qvel(&[1.0])
    .forward();
    assert_eq!(case.ten_length(), [0.0]);
    assert!(case.ten_J()[0].is_finite() && case.qacc()[0].is_finite());
}
