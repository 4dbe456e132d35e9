//! `frame` and `childclass`: what they do to everything inside, compared with MuJoCo 3.5.0.

use crate::support::{close, id, load, refuse, same_rotation};
use sinew_model::Model;
use sinew_model::kinds::ObjectType;
use std::f64::consts::FRAC_1_SQRT_2 as H;

const Z90: [f64; 4] = [H, 0.0, 0.0, H];

fn in_body(compiler: &str, content: &str) -> Model {
    load(&format!(
        "<mujoco><compiler {compiler}/><worldbody><body name=\"b\">{content}</body></worldbody></mujoco>"
    ))
}

/// A frame around a sphere: position of the sphere, and its rotation if given.
fn check(frame: &str, geom: &str, pos: [f64; 3], quat: Option<[f64; 4]>) {
    let model = in_body(
        "",
        &format!("<frame {frame}><geom size=\"0.1\" {geom}/></frame>"),
    );
    close(&model.geom_pos[0].0, &pos, 1e-10, frame);
    if let Some(quat) = quat {
        same_rotation(&model.geom_quat[0].0, quat, 1e-10, frame);
    }
}

#[test]
fn a_frame_moves_and_turns_its_geoms() {
    check(r#"pos="1 0 0""#, "", [1.0, 0.0, 0.0], None);
    check(
        r#"euler="0 0 90""#,
        r#"pos="1 0 0""#,
        [0.0, 1.0, 0.0],
        Some(Z90),
    );
    check(
        r#"pos="1 0 0" euler="0 0 90""#,
        r#"pos="1 0 0""#,
        [1.0, 1.0, 0.0],
        None,
    );
    check(r#"pos="3 0 0""#, r#"pos="0 2 0""#, [3.0, 2.0, 0.0], None);
    check(
        r#"xyaxes="0 1 0 -1 0 0""#,
        r#"pos="1 0 0""#,
        [0.0, 1.0, 0.0],
        None,
    );
    check(r#"zaxis="1 0 0""#, r#"pos="0 0 1""#, [1.0, 0.0, 0.0], None);
    check(
        r#"axisangle="0 0 1 90""#,
        r#"pos="1 0 0""#,
        [0.0, 1.0, 0.0],
        None,
    );
    check(
        r#"euler="0 0 90""#,
        r#"euler="90 0 0""#,
        [0.0; 3],
        Some([0.5; 4]),
    );
    let model = in_body(
        r#"angle="radian""#,
        r#"<frame euler="0 0 1.5707963"><geom size="0.1" pos="1 0 0"/></frame>"#,
    );
    close(&model.geom_pos[0].0, &[0.0, 1.0, 0.0], 1e-6, "radians");
}

#[test]
fn frames_nest() {
    let two = r#"<frame pos="1 0 0"><frame pos="0 1 0"><geom size="0.1"/></frame></frame>"#;
    close(
        &in_body("", two).geom_pos[0].0,
        &[1.0, 1.0, 0.0],
        1e-10,
        "two",
    );
    let three = r#"<frame pos="1 0 0"><frame pos="0 1 0"><frame pos="0 0 1"><geom size="0.1"/>
        </frame></frame></frame>"#;
    close(&in_body("", three).geom_pos[0].0, &[1.0; 3], 1e-10, "three");
}

#[test]
fn bodies_sites_and_world_geoms_move_too() {
    let model = load(
        r#"<mujoco><worldbody>
  <frame pos="2 0 0"><body name="b" pos="1 0 0"><geom size="0.1"/></body></frame>
  <frame pos="1 0 0"><geom name="g" size="0.1"/></frame>
  <body><frame pos="0.5 0 0"><site name="s"/></frame></body>
</worldbody></mujoco>"#,
    );
    let body = id(&model, ObjectType::Body, "b");
    close(&model.body_pos[body].0, &[3.0, 0.0, 0.0], 1e-10, "body");
    let geom = id(&model, ObjectType::Geom, "g");
    close(
        &model.geom_pos[geom].0,
        &[1.0, 0.0, 0.0],
        1e-10,
        "world geom",
    );
    close(&model.site_pos[0].0, &[0.5, 0.0, 0.0], 1e-10, "site");
}

#[test]
fn fromto_is_resolved_before_the_frame() {
    let capsule = r#"<geom type="capsule" size="0.1" fromto="0 0 0 0 0 1"/>"#;
    let model = in_body("", &format!(r#"<frame pos="1 0 0">{capsule}</frame>"#));
    close(&model.geom_pos[0].0, &[1.0, 0.0, 0.5], 1e-6, "moved");
    close(&model.geom_size[0], &[0.1, 0.5, 0.0], 1e-6, "half length");
    same_rotation(&model.geom_quat[0].0, [0.0, 1.0, 0.0, 0.0], 1e-6, "moved");
    let model = in_body("", &format!(r#"<frame euler="0 90 0">{capsule}</frame>"#));
    close(&model.geom_pos[0].0, &[0.5, 0.0, 0.0], 1e-6, "turned");
    same_rotation(&model.geom_quat[0].0, [0.0, H, 0.0, -H], 1e-6, "turned");
}

#[test]
fn an_empty_frame_does_nothing() {
    let model = in_body("", r#"<frame pos="1 0 0"/><geom size="0.1"/>"#);
    close(&model.geom_pos[0].0, &[0.0; 3], 0.0, "untouched");
    assert_eq!(model.ngeom, 1);
}

#[test]
fn joints_follow_their_frame() {
    let joint = |frame: &str, joint: &str| {
        in_body(
            "",
            &format!(r#"<geom size="0.1"/><frame {frame}>{joint}</frame>"#),
        )
    };
    let turned = r#"pos="1 0 0" euler="0 0 90""#;
    let model = joint(turned, r#"<joint axis="1 0 0" pos="0 0 0.5"/>"#);
    close(&model.jnt_axis[0].0, &[0.0, 1.0, 0.0], 1e-10, "hinge axis");
    close(&model.jnt_pos[0].0, &[1.0, 0.0, 0.5], 1e-10, "hinge anchor");
    let model = joint(r#"euler="0 90 0""#, r#"<joint type="slide" axis="0 0 1"/>"#);
    close(&model.jnt_axis[0].0, &[1.0, 0.0, 0.0], 1e-10, "slide axis");
    let model = joint(turned, r#"<joint type="ball" pos="0 1 0"/>"#);
    close(&model.jnt_pos[0].0, &[0.0; 3], 1e-10, "ball anchor");
    let model = load(
        r#"<mujoco><worldbody><body pos="1 2 3"><geom size="0.1"/>
<frame pos="5 5 5" euler="0 0 90"><freejoint/></frame></body></worldbody></mujoco>"#,
    );
    close(
        &model.qpos0,
        &[1.0, 2.0, 3.0, 1.0, 0.0, 0.0, 0.0],
        0.0,
        "free",
    );
}

#[test]
fn an_inertial_ignores_the_frame_it_stands_in() {
    let model = in_body(
        "",
        r#"<joint/><frame pos="1 0 0"><inertial pos="0.1 0.2 0.3" mass="1" diaginertia="1 1 1"/></frame>"#,
    );
    close(&model.body_ipos[1].0, &[0.1, 0.2, 0.3], 0.0, "ipos");
}

#[test]
fn cameras_and_lights_follow_their_frame() {
    let model = in_body(
        "",
        r#"<frame pos="1 0 0" euler="0 0 90"><camera pos="1 0 0"/><light dir="1 0 0"/></frame>"#,
    );
    close(&model.cam_pos[0].0, &[1.0, 1.0, 0.0], 1e-10, "camera");
    same_rotation(&model.cam_quat[0].0, Z90, 1e-10, "camera");
    close(&model.light_dir[0].0, &[0.0, 1.0, 0.0], 1e-10, "light");
    close(&model.light_pos[0].0, &[1.0, 0.0, 0.0], 1e-10, "light");
}

#[test]
fn document_order_is_kept() {
    let model = load(
        r#"<mujoco><worldbody>
  <geom name="a" size="1"/><frame><geom name="b" size="1"/></frame><geom name="c" size="1"/>
  <body name="x"/><frame><body name="y"/></frame><body name="z"/>
</worldbody></mujoco>"#,
    );
    for (k, name) in ["a", "b", "c"].into_iter().enumerate() {
        assert_eq!(id(&model, ObjectType::Geom, name), k);
    }
    for (k, name) in ["world", "x", "y", "z"].into_iter().enumerate() {
        assert_eq!(id(&model, ObjectType::Body, name), k);
    }
}

const CLASSES: &str = r#"<default>
  <default class="red"><geom contype="2"/><joint damping="3"/></default>
  <default class="blue"><geom contype="4"/><joint damping="9"/></default>
  <default class="green"><geom contype="8"/></default>
  <default class="robot"><geom contype="5"/><default class="arm"><geom conaffinity="3"/></default></default>
  <default class="all"><geom contype="7"/><joint damping="5"/><site size="0.05"/></default>
</default>"#;

fn contypes(world: &str) -> Vec<i32> {
    load(&format!(
        "<mujoco>{CLASSES}<worldbody>{world}</worldbody></mujoco>"
    ))
    .geom_contype
    .clone()
}

#[test]
fn the_nearest_childclass_decides() {
    let g = r#"<geom size="0.1"/>"#;
    let blue = r#"<geom class="blue" size="0.1"/>"#;
    let cases = [
        (format!(r#"<body childclass="red">{g}</body>"#), vec![2]),
        (format!(r#"<body childclass="red">{blue}</body>"#), vec![4]),
        (
            format!(r#"<body childclass="red"><frame childclass="green">{g}</frame></body>"#),
            vec![8],
        ),
        (
            format!(r#"<body childclass="red"><frame>{g}</frame></body>"#),
            vec![2],
        ),
        (
            format!(
                r#"<body childclass="red"><frame childclass="green"><body>{g}</body></frame></body>"#
            ),
            vec![8],
        ),
        (
            format!(r#"<body childclass="red"><body childclass="blue">{g}</body></body>"#),
            vec![4],
        ),
        (
            format!(
                r#"<frame childclass="blue"><frame>{g}</frame><frame childclass="green">{g}</frame></frame>"#
            ),
            vec![4, 8],
        ),
        (
            r#"<body childclass="red"><geom class="main" size="0.1"/></body>"#.to_string(),
            vec![1],
        ),
    ];
    for (world, expected) in cases {
        assert_eq!(contypes(&world), expected, "{world}");
    }
}

#[test]
fn childclass_reaches_every_kind_and_depth() {
    let body = r#"<body childclass="arm"><geom size="0.1"/></body>"#;
    let model = load(&format!(
        "<mujoco>{CLASSES}<worldbody>{body}</worldbody></mujoco>"
    ));
    assert_eq!((model.geom_contype[0], model.geom_conaffinity[0]), (5, 3));

    let body = r#"<body childclass="all"><geom size="0.1"/><joint/><site/></body>"#;
    let model = load(&format!(
        "<mujoco>{CLASSES}<worldbody>{body}</worldbody></mujoco>"
    ));
    assert_eq!(model.geom_contype[0], 7);
    assert_eq!(model.dof_damping[0], 5.0);
    close(&model.site_size[0], &[0.05, 0.005, 0.005], 0.0, "site");

    let chain = |top: &str, middle: &str| {
        let xml = format!(
            r#"<mujoco>{CLASSES}<worldbody><body {top}><geom size="1"/><body {middle}><geom size="1"/>
<body><geom size="1"/><joint/></body></body></body></worldbody></mujoco>"#
        );
        load(&xml).dof_damping[0]
    };
    assert_eq!(chain(r#"childclass="red""#, ""), 3.0);
    assert_eq!(chain(r#"childclass="red""#, r#"childclass="blue""#), 9.0);
}

#[test]
fn a_childclass_without_children_is_fine() {
    let model = load(&format!(
        r#"<mujoco>{CLASSES}<worldbody><body childclass="red"/></worldbody></mujoco>"#
    ));
    assert_eq!((model.nbody, model.ngeom), (2, 0));
}

#[test]
fn bad_frames_and_classes_are_refused() {
    let world =
        |content: &str| format!("<mujoco>{CLASSES}<worldbody>{content}</worldbody></mujoco>");
    let cases = [
        (r#"<body childclass="nonexistent"/>"#, "nonexistent"),
        (r#"<frame childclass="ghost"/>"#, "ghost"),
        (r#"<body childclass=""/>"#, "class"),
        (r#"<frame childclass=""/>"#, "class"),
        (r#"<geom class="ghost" size="1"/>"#, "ghost"),
        (
            r#"<frame euler="0 0 1" quat="1 0 0 0"/>"#,
            "two orientations",
        ),
        (r#"<frame quat="0 0 0 0"/>"#, "zero quaternion"),
        (r#"<frame zaxis="0 0 0"/>"#, "too short"),
        (r#"<frame><wheel/></frame>"#, "wheel"),
        (r#"<frame name="f"/><frame name="f"/>"#, "repeated name"),
        (r#"<frame><joint/></frame>"#, "world"),
        (r#"<frame><freejoint/></frame>"#, "world"),
        (
            r#"<frame><inertial pos="0 0 0" mass="1" diaginertia="1 1 1"/></frame>"#,
            "world",
        ),
        (r#"<body class="red"/>"#, "class"),
    ];
    for (content, text) in cases {
        refuse(&world(content), text);
    }
    refuse(
        r#"<mujoco><worldbody childclass="main"/></mujoco>"#,
        "childclass",
    );
}
