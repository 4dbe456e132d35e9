//! Nothing falls through anything in ten thousand steps at default settings.

use crate::Case;

const STEPS: usize = 10_000;

/// Geoms with a half-height of about 0.1.
const SHAPES: [(&str, &str); 6] = [
    ("sphere", r#"type="sphere" size=".1""#),
    ("ellipsoid", r#"type="ellipsoid" size=".15 .12 .1""#),
    ("cylinder", r#"type="cylinder" size=".12 .1""#),
    ("capsule", r#"type="capsule" size=".1 .1""#),
    ("box", r#"type="box" size=".12 .11 .1""#),
    ("mesh", r#"type="mesh" mesh="rock""#),
];

/// A convex polyhedron of twelve corners, and a mesh of a flat slab.
const MESHES: &str = r#"<mesh name="rock" scale=".12 .12 .12" vertex="-.526 .851 0 .526 .851 0
    -.526 -.851 0 .526 -.851 0 0 -.526 .851 0 .526 .851 0 -.526 -.851 0 .526 -.851 .851 0 -.526
    .851 0 .526 -.851 0 -.526 -.851 0 .526"/>
  <mesh name="slab" vertex="-3 -3 -.3 3 -3 -.3 -3 3 -.3 3 3 -.3 -3 -3 0 3 -3 0 -3 3 0 3 3 0"/>"#;

/// All shapes, tilted, a metre apart above a support whose top is at height 0.
fn shapes_above(assets: &str, support: &str) -> String {
    let bodies: String = SHAPES
        .iter()
        .enumerate()
        .map(|(i, (name, geom))| {
            let (x, y) = (-1.0 + (i % 3) as f64, -0.5 + (i / 3) as f64);
            format!(
                r#"<body name="{name}" pos="{x} {y} .35" euler="{} {} 10"><freejoint/>
                     <geom {geom} density="1000"/></body>"#,
                13 * i,
                40 - 9 * i as i32
            )
        })
        .collect();
    format!(
        r#"<mujoco><asset>{MESHES}{assets}</asset><worldbody>{support}{bodies}</worldbody></mujoco>"#
    )
}

/// Steps and asserts that every free body stays within `reach` and above `floor`.
fn stays_above(xml: &str, reach: f64, floor: f64) {
    let mut case = Case::new(xml);
    for step in 0..STEPS {
        case.step();
        for (place, (name, _)) in case.qpos_of().chunks(7).zip(SHAPES) {
            assert!(
                place[2] > floor && place[0].abs() < reach && place[1].abs() < reach,
                "{name} is at {:?} after {step} steps",
                &place[..3]
            );
        }
    }
    let height = |i: usize| case.qpos_of()[7 * i + 2];
    assert!((0..SHAPES.len()).all(|i| height(i) < 0.4));
}

#[test]
fn every_shape_on_a_box() {
    let support = r#"<geom type="box" size="3 3 .2" pos="0 0 -.2"/>"#;
    stays_above(&shapes_above("", support), 3.0, 0.07);
}

#[test]
fn every_shape_on_a_mesh() {
    let support = r#"<geom type="mesh" mesh="slab"/>"#;
    stays_above(&shapes_above("", support), 3.0, 0.07);
}

#[test]
fn every_shape_on_a_height_field() {
    // A bowl with bumps: the border is high, so that nothing rolls off.
    let count = 25;
    let elevation: String = (0..count * count)
        .map(|i| {
            let (row, column) = ((i / count) as f64, (i % count) as f64);
            let centre = (count - 1) as f64 / 2.0;
            let border = ((row - centre).abs().max((column - centre).abs()) / centre).powi(4);
            let bump = 0.1 * (row * 1.3).sin() * (column * 0.9).cos();
            format!("{:.4} ", 0.2 + border + bump)
        })
        .collect();
    let asset = format!(
        r#"<hfield name="bowl" nrow="{count}" ncol="{count}" size="3 3 .5 .1"
           elevation="{elevation}"/>"#
    );
    let support = r#"<geom type="hfield" hfield="bowl" pos="0 0 -.1"/>"#;
    stays_above(&shapes_above(&asset, support), 3.0, -0.05);
}

/// A body on a vertical slide (it may turn about the vertical) above a fixed geom.
fn on_a_slide(moving: &str, fixed: &str) -> String {
    format!(
        r#"<mujoco><asset>{MESHES}</asset><worldbody><geom {fixed}/><body pos=".01 .02 .35">
           <joint type="slide" axis="0 0 1"/><joint axis="0 0 1"/>
           <geom {moving} density="1000"/></body></worldbody></mujoco>"#
    )
}

#[test]
fn round_shapes_on_round_shapes() {
    let lying = r#"zaxis="0 1 0""#;
    let capsule = r#"type="capsule" size=".1 .3""#;
    let cylinder = r#"type="cylinder" size=".1 .3""#;
    let along = r#"zaxis="1 0 0""#;
    let rock = r#"type="mesh" mesh="rock""#;
    let ellipsoid = r#"type="ellipsoid" size=".2 .15 .1""#;
    for (moving, fixed) in [
        (format!("{capsule} {along}"), format!("{capsule} {lying}")),
        (format!("{capsule} {lying}"), format!("{capsule} {lying}")),
        (format!("{cylinder} {along}"), format!("{cylinder} {lying}")),
        (format!("{cylinder} {lying}"), format!("{cylinder} {lying}")),
        (cylinder.to_string(), format!("{cylinder} {lying}")),
        (format!("{cylinder} {along}"), format!("{capsule} {lying}")),
        (rock.to_string(), rock.to_string()),
        (rock.to_string(), format!("{cylinder} {lying}")),
        (ellipsoid.to_string(), rock.to_string()),
        (ellipsoid.to_string(), ellipsoid.to_string()),
        (format!("{ellipsoid} {lying}"), format!("{capsule} {lying}")),
    ] {
        let mut case = Case::new(&on_a_slide(&moving, &fixed));
        for step in 0..STEPS {
            case.step();
            let height = 0.35 + case.qpos_of()[0];
            assert!(
                height > 0.12,
                "{moving} on {fixed}: {height} at step {step}"
            );
        }
        assert!(!case.contacts().is_empty(), "{moving} on {fixed}");
        assert!(case.qvel_of()[0].abs() < 1e-2, "{moving} on {fixed}");
    }
}
