//! The kinematic tree: limits, inertia, what is dropped or fused, and what is refused. Values are
//! those of MuJoCo 3.5.0 unless a test says otherwise.

use crate::support::{close, id, load, refuse, same_rotation};
use sinew_model::Model;
use sinew_model::kinds::ObjectType;
use std::f64::consts::FRAC_1_SQRT_2 as H;

fn world(compiler: &str, content: &str) -> String {
    format!("<mujoco><compiler {compiler}/><worldbody>{content}</worldbody></mujoco>")
}

fn joint(compiler: &str, joint: &str) -> Model {
    load(&world(
        compiler,
        &format!(r#"<body><geom size="0.1"/><joint {joint}/></body>"#),
    ))
}

#[test]
fn autolimits_follow_the_range() {
    for (range, limited) in [("-1 1", 1), ("1 -1", 0), ("0 0", 0)] {
        let model = joint("", &format!(r#"range="{range}""#));
        assert_eq!(model.jnt_limited[0], limited, "{range}");
    }
    assert_eq!(joint("", "").jnt_limited[0], 0);
    let body = |joint: &str| {
        world(
            r#"autolimits="false""#,
            &format!("<body><geom size=\"1\"/>{joint}</body>"),
        )
    };
    refuse(
        &body(r#"<joint range="-1 1"/>"#),
        "`range` is given but not `limited`",
    );
    refuse(
        &body(r#"<joint actuatorfrcrange="-1 1"/>"#),
        "`actuatorfrcrange`",
    );
    let model = joint(r#"autolimits="false""#, r#"limited="true" range="-1 1""#);
    assert_eq!(model.jnt_limited[0], 1);
}

#[test]
fn limits_are_checked() {
    let body = |joint: &str| world("", &format!("<body><geom size=\"1\"/>{joint}</body>"));
    refuse(
        &body(r#"<joint limited="true"/>"#),
        "range[0] should be smaller",
    );
    refuse(
        &body(r#"<joint limited="true" range="1 0"/>"#),
        "range[0] should be smaller",
    );
    refuse(
        &body(r#"<joint type="ball" range="1 2"/>"#),
        "range[0] should be 0",
    );
    refuse(
        &body(r#"<joint actuatorfrclimited="true" actuatorfrcrange="1 0"/>"#),
        "actuatorfrcrange[0]",
    );
    refuse(&body(r#"<joint springdamper="1 -1"/>"#), "springdamper");
    refuse(&body(r#"<joint axis="0 0 0"/>"#), "axis");
}

#[test]
fn inertia_comes_from_geoms_as_asked() {
    let sphere = r#"<geom size="0.1" mass="1"/>"#;
    let inertial = r#"<inertial pos="0 0 0" mass="3" diaginertia="1 1 1"/>"#;
    let never = r#"inertiafromgeom="false""#;
    assert_eq!(
        load(&world(never, &format!("<body>{sphere}</body>"))).body_mass[1],
        0.0
    );
    refuse(
        &world(never, &format!("<body><joint/>{sphere}</body>")),
        "mass and inertia",
    );
    let both = format!("<body><joint/>{inertial}{sphere}</body>");
    assert_eq!(load(&world("", &both)).body_mass[1], 3.0);
    let always = r#"inertiafromgeom="true""#;
    let model = load(&world(always, &both));
    assert_eq!(model.body_mass[1], 1.0);
    close(&model.body_inertia[1].0, &[0.004; 3], 1e-15, "sphere");
    // Without a usable geom the stated inertia stays.
    let alone = format!("<body><joint/>{inertial}</body>");
    assert_eq!(load(&world(always, &alone)).body_mass[1], 3.0);
    let grouped = format!(r#"<body><joint/>{sphere}<geom size="0.1" mass="2" group="3"/></body>"#);
    let model = load(&world(r#"inertiagrouprange="3 5""#, &grouped));
    assert_eq!(model.body_mass[1], 2.0);
}

#[test]
fn visual_geoms_are_dropped_and_their_mass_kept() {
    let body = r#"<body><joint/><geom name="hard" size="0.1" mass="1"/>
<geom name="seen" size="0.1" mass="2" contype="0" conaffinity="0" material="m"/></body>
<body><joint/><geom name="other" size="0.1"/><site name="s" pos="1 0 0"/><site name="t" pos="2 0 0"/></body>"#;
    let full = |outside: &str| {
        format!(
            r#"<mujoco><compiler discardvisual="true"/><asset><texture name="t" builtin="flat" width="8" height="8"/>
<material name="m" texture="t"/></asset><worldbody>{body}</worldbody>{outside}</mujoco>"#
        )
    };
    let model = load(&full(""));
    assert_eq!((model.ngeom, model.nmat, model.ntex), (2, 0, 0));
    close(&[model.body_mass[1]], &[3.0], 0.0, "mass");
    close(&model.body_inertia[1].0, &[0.012; 3], 1e-15, "inertia");
    for outside in [
        r#"<contact><pair geom1="seen" geom2="other"/></contact>"#,
        r#"<sensor><framepos objtype="geom" objname="seen"/></sensor>"#,
        r#"<tendon><spatial><site site="s"/><geom geom="seen"/><site site="t"/></spatial></tendon>"#,
        r#"<custom><tuple name="x"><element objtype="geom" objname="seen"/></tuple></custom>"#,
    ] {
        assert_eq!(load(&full(outside)).ngeom, 3, "{outside}");
    }
}

/// Free body `b` with a static child `s` that holds a sphere, a site and a jointed child `t`.
fn fusible(compiler: &str, joint: &str, turn: &str, outside: &str) -> String {
    format!(
        r#"<mujoco><compiler {compiler}/><worldbody>
<body name="b">{joint}<geom size="0.1" mass="1"/>
  <body name="s" pos="1 0 0" {turn}>
    <geom name="g" size="0.1" mass="1" pos="1 0 0"/><site name="p" pos="0 1 0"/>
    <body name="t" pos="0 0 1"><joint axis="0 1 0"/><geom size="0.1" mass="1"/></body>
  </body>
</body></worldbody>{outside}</mujoco>"#
    )
}

const FUSE: &str = r#"fusestatic="true""#;

// MuJoCo 3.5.0 merges the mass of a rotated body as if it were not rotated and reports the centre
// (1, 0, 0); the fused model then moves differently from the unfused one.
#[test]
fn a_rotated_body_is_fused_with_its_rotation() {
    let turn = r#"euler="0 0 90""#;
    let model = load(&fusible(FUSE, "<freejoint/>", turn, ""));
    let geom = id(&model, ObjectType::Geom, "g");
    close(&model.geom_pos[geom].0, &[1.0, 1.0, 0.0], 1e-12, "geom");
    close(&model.site_pos[0].0, &[0.0; 3], 1e-12, "site");
    close(&model.body_pos[2].0, &[1.0, 0.0, 1.0], 1e-12, "child");
    same_rotation(&model.body_quat[2].0, [H, 0.0, 0.0, H], 1e-12, "child");
    close(&model.body_ipos[1].0, &[0.5, 0.5, 0.0], 1e-12, "centre");

    // Fused and unfused models have the same inertia at every joint.
    let hinge = r#"<joint axis="0 1 0"/>"#;
    let fused = load(&fusible(FUSE, hinge, turn, ""));
    let plain = load(&fusible("", hinge, turn, ""));
    close(&fused.dof_M0, &plain.dof_M0, 1e-10, "dof_M0");
    close(
        &fused.dof_invweight0,
        &plain.dof_invweight0,
        1e-10,
        "dof_invweight0",
    );
}

#[test]
fn bodies_that_are_referred_to_are_not_fused() {
    for outside in [
        r#"<contact><exclude body1="s" body2="b"/></contact>"#,
        r#"<equality><weld body1="s"/></equality>"#,
        r#"<sensor><framepos objtype="body" objname="s"/></sensor>"#,
        r#"<sensor><force site="p"/></sensor>"#,
        r#"<sensor><subtreecom body="s"/></sensor>"#,
    ] {
        assert_eq!(
            load(&fusible(FUSE, "<freejoint/>", "", outside)).nbody,
            4,
            "{outside}"
        );
    }
    let model = load(&world(
        FUSE,
        r#"<body mocap="true"><geom size="0.1"/></body>"#,
    ));
    assert_eq!((model.nbody, model.nmocap), (2, 1));
}

#[test]
fn cameras_and_lights_move_with_a_fused_body() {
    let model = load(&world(
        FUSE,
        r#"<body><freejoint/><geom size="0.1"/><body pos="1 0 0" euler="0 0 90">
<camera pos="1 0 0"/><light pos="1 0 0" dir="1 0 0"/></body></body>"#,
    ));
    assert_eq!((model.cam_bodyid[0], model.light_bodyid[0]), (1, 1));
    close(&model.cam_pos[0].0, &[1.0, 1.0, 0.0], 1e-12, "camera");
    close(&model.light_pos[0].0, &[1.0, 1.0, 0.0], 1e-12, "light");
    close(&model.light_dir[0].0, &[0.0, 1.0, 0.0], 1e-12, "light");
}

#[test]
fn bodies_and_geoms_are_checked() {
    let cases = [
        (r#"<body><joint/></body>"#, "mass and inertia"),
        (r#"<geom size="0.1" condim="2"/>"#, "condim"),
        (r#"<geom/>"#, "size 0 must be positive"),
        (
            r#"<geom type="box" size="1 1"/>"#,
            "size 2 must be positive",
        ),
        (r#"<geom type="plane" size="1 1 0"/>"#, "plane"),
        (
            r#"<body><joint/><geom type="plane" size="1 1 1"/></body>"#,
            "static bodies",
        ),
        (r#"<geom type="mesh"/>"#, "mesh"),
        (r#"<geom type="hfield"/>"#, "hfield"),
        (r#"<geom size="1" mesh="none"/>"#, "none"),
        (r#"<geom size="1" material="none"/>"#, "none"),
        (
            r#"<body><joint/><geom size="1" mass="-1"/></body>"#,
            "negative",
        ),
        (r#"<site type="plane"/>"#, "plane"),
        (r#"<light dir="0 0 0"/>"#, "direction"),
        (r#"<camera fovy="180"/>"#, "fovy"),
        (r#"<camera target="none"/>"#, "none"),
        (r#"<camera focal="1 1"/>"#, "sensorsize"),
        (r#"<camera fovy="10" sensorsize="1 1"/>"#, "fovy"),
        (r#"<light directional="true" type="spot"/>"#, "directional"),
        (
            r#"<geom name="a" size="1"/><geom name="a" size="1"/>"#,
            "repeated name",
        ),
        (r#"<body name="world"/>"#, "repeated name"),
        (
            r#"<body><freejoint/><joint/><geom size="1"/></body>"#,
            "by itself",
        ),
        (
            r#"<body><body><freejoint/><geom size="1"/></body></body>"#,
            "top level",
        ),
        (
            r#"<body><joint type="ball"/><joint/><geom size="1"/></body>"#,
            "ball",
        ),
        (
            r#"<body><joint type="ball"/><joint type="slide"/><joint type="slide"/>
<joint type="slide"/><joint type="slide"/><geom size="1"/></body>"#,
            "more than 6",
        ),
        (
            r#"<body mocap="true"><joint/><geom size="1"/></body>"#,
            "mocap",
        ),
        (r#"<body><body mocap="true"/></body>"#, "mocap"),
        (
            r#"<body><joint/><inertial pos="" mass="1" diaginertia="1 1 1"/></body>"#,
            "\"pos\" missing",
        ),
        (
            r#"<body><inertial pos="0 0 0" mass=" " diaginertia="1 1 1"/></body>"#,
            "\"mass\" missing",
        ),
        (
            r#"<body><joint/><inertial pos="0 0 0" mass="-1" diaginertia="1 1 1"/></body>"#,
            "mass and inertia",
        ),
        (
            r#"<body><joint/><inertial pos="0 0 0" mass="1" fullinertia="1 1 -1 0 0 0"/></body>"#,
            "eigenvalues",
        ),
        (
            r#"<body><joint/><inertial pos="0 0 0" mass="1" diaginertia="1 1 1" fullinertia="1 1 1 0 0 0"/></body>"#,
            "diaginertia",
        ),
        (r#"<body sleep="never"><geom size="1"/></body>"#, "sleep"),
    ];
    for (content, text) in cases {
        refuse(&world("", content), text);
    }
    refuse(
        r#"<mujoco><size nuser_geom="1"/><worldbody><geom size="1" user="1 2"/></worldbody></mujoco>"#,
        "nuser_geom",
    );
}

/// One free ball whose geom has further attributes, with options and defaults before it.
fn in_fluid(before: &str, geom: &str) -> String {
    format!(
        r#"<mujoco>{before}<worldbody><body><freejoint/><geom size=".1" {geom}/></body></worldbody></mujoco>"#
    )
}

#[test]
fn fluid_settings_are_inherited_and_completed() {
    let fluid = |before: &str, geom: &str| {
        let model = load(&in_fluid(before, geom));
        let mut found = [0.0; 6];
        found.copy_from_slice(&model.geom_fluid[0][..6]);
        found
    };
    let shape = r#"fluidshape="ellipsoid""#;
    assert_eq!(fluid("", ""), [0.0; 6]);
    assert_eq!(fluid("", shape), [1.0, 0.5, 0.25, 1.5, 1.0, 1.0]);
    let partly = format!(r#"{shape} fluidcoef="0.7 0.3""#);
    assert_eq!(fluid("", &partly), [1.0, 0.7, 0.3, 1.5, 1.0, 1.0]);
    let negative = format!(r#"{shape} fluidcoef="-1""#);
    assert_eq!(fluid("", &negative)[1], -1.0);
    assert_eq!(fluid("", r#"fluidcoef="1 2 3 4 5""#), [0.0; 6]);
    let classes = r#"<default><geom fluidshape="ellipsoid" fluidcoef="2 3 4 5 6"/>
        <default class="q"><geom fluidshape="none" fluidcoef="5 4 3 2 1"/></default></default>"#;
    assert_eq!(fluid(classes, ""), [1.0, 2.0, 3.0, 4.0, 5.0, 6.0]);
    assert_eq!(fluid(classes, r#"class="q""#), [0.0; 6]);
    let base = r#"<default><geom fluidshape="ellipsoid" fluidcoef="1 2 3 4 5"/></default>"#;
    assert_eq!(
        fluid(base, r#"fluidcoef="9 8""#),
        [1.0, 9.0, 8.0, 3.0, 4.0, 5.0]
    );
    assert_eq!(
        fluid(base, r#"fluidcoef="""#),
        [1.0, 1.0, 2.0, 3.0, 4.0, 5.0]
    );
    // Negative media load.
    load(&in_fluid(r#"<option density="-1" viscosity="-2"/>"#, ""));
}

#[test]
fn wrong_fluid_settings_are_refused() {
    for shape in ["box", "Ellipsoid", ""] {
        refuse(
            &in_fluid("", &format!(r#"fluidshape="{shape}""#)),
            "fluidshape",
        );
    }
    refuse(&in_fluid("", r#"fluidcoef="1 2 3 4 5 6""#), "fluidcoef");
    refuse(&in_fluid("", r#"fluidcoef="a""#), "fluidcoef");
    for (option, text) in [
        (r#"density="a""#, "density"),
        (r#"density="1 2""#, "density"),
        (r#"viscosity="x""#, "viscosity"),
        (r#"wind="1 2""#, "wind"),
        (r#"wind="1 2 3 4""#, "wind"),
    ] {
        refuse(&in_fluid(&format!("<option {option}/>"), ""), text);
    }
    let flag = r#"<option><flag passive="disable"/></option>"#;
    refuse(&in_fluid(flag, ""), "passive");
    refuse(&in_fluid("", r#"mass="1e-20""#), "mass and inertia");
}

#[test]
fn gravity_compensation_is_an_attribute_of_bodies() {
    let body = |attributes: &str| {
        world(
            "",
            &format!("<body {attributes}><joint/><geom size='1'/></body>"),
        )
    };
    assert_eq!(load(&body("gravcomp='0.5'")).body_gravcomp[1], 0.5);
    assert_eq!(load(&body("gravcomp='0.5'")).ngravcomp, 1);
    assert_eq!(load(&body("gravcomp='-1'")).ngravcomp, 0);
    refuse(&body("gravcomp='a'"), "gravcomp");
    refuse(&body("gravcomp='1 2'"), "gravcomp");
    refuse("<mujoco><worldbody gravcomp='1'/></mujoco>", "gravcomp");
    refuse(
        "<mujoco><default><body gravcomp='1'/></default></mujoco>",
        "body",
    );
    let free = |joint: &str| world("", &format!("<body>{joint}<geom size='1'/></body>"));
    refuse(
        &free("<freejoint actuatorgravcomp='true'/>"),
        "actuatorgravcomp",
    );
    let model = load(&free("<joint type='free' actuatorgravcomp='true'/>"));
    assert_eq!(model.jnt_actgravcomp, [1]);
    let model = load(&body("gravcomp='nan'"));
    assert_eq!(model.ngravcomp, 0);
}

#[test]
fn fused_bodies_lose_their_compensation() {
    let model = load(
        r#"<mujoco><compiler fusestatic="true"/><worldbody><body gravcomp="0"><joint/><geom size="1"/>
             <body gravcomp="1"><geom size="1"/></body></body></worldbody></mujoco>"#,
    );
    assert_eq!((model.nbody, model.ngravcomp), (2, 0));
}

#[test]
fn integrators_are_chosen_by_their_exact_names() {
    for (code, name) in ["Euler", "RK4", "implicit", "implicitfast"]
        .into_iter()
        .enumerate()
    {
        let text = format!(r#"<mujoco><option integrator="{name}"/></mujoco>"#);
        assert_eq!(load(&text).opt.integrator, code as i32);
    }
    let model = load("<mujoco/>");
    assert_eq!((model.opt.integrator, model.opt.timestep), (0, 0.002));
    for name in [
        "euler",
        "rk4",
        "Implicit",
        "implicitspringdamper",
        "ImplicitFast",
        "",
    ] {
        let text = format!(r#"<mujoco><option integrator="{name}"/></mujoco>"#);
        refuse(&text, "integrator");
    }
    for attribute in [
        "regularization",
        "default_eq_stiffness",
        "default_eq_damping",
        "max_constraint_vel",
        "max_constraint_angvel",
        "friction_smoothing",
    ] {
        refuse(
            &format!(r#"<mujoco><option {attribute}="1"/></mujoco>"#),
            attribute,
        );
    }
    refuse(
        "<mujoco><equality><distance/></equality></mujoco>",
        "distance",
    );
    for timestep in ["0", "-1", "nan", "inf"] {
        let text = format!(r#"<mujoco><option timestep="{timestep}"/></mujoco>"#);
        refuse(&text, "timestep");
    }
}
