//! The `compiler` element: units, folders, limits and mass rules. Values are the reference's
//! (3.5.0).

use std::f64::consts::FRAC_1_SQRT_2;

use sinew_mjcf::{LoadError, Loader, load_text};
use sinew_model::Model;
use sinew_model::kinds::{LengthRangeMode, ObjectType};

fn load(text: &str) -> Model {
    match load_text(text) {
        Ok(loaded) => loaded.model,
        Err(error) => panic!("{error}\nin {text}"),
    }
}

fn refuse(text: &str) -> LoadError {
    match load_text(text) {
        Ok(_) => panic!("loads: {text}"),
        Err(error) => error,
    }
}

fn compile(compiler: &str, world: &str) -> Model {
    load(&format!(
        "<mujoco><compiler {compiler}/><worldbody>{world}</worldbody></mujoco>"
    ))
}

/// A body with a joint and a sphere of radius 0.1.
fn jointed(joint: &str) -> String {
    format!("<body><joint {joint}/><geom size='0.1' mass='1'/></body>")
}

fn close(a: impl IntoIterator<Item = f64>, b: impl IntoIterator<Item = f64>, tolerance: f64) {
    let (a, b): (Vec<f64>, Vec<f64>) = (a.into_iter().collect(), b.into_iter().collect());
    assert_eq!(a.len(), b.len());
    for (x, y) in a.iter().zip(&b) {
        assert!((x - y).abs() <= tolerance * y.abs().max(1.0), "{a:?} {b:?}");
    }
}

#[test]
fn degrees_are_converted() {
    let half_turn = std::f64::consts::PI;
    let m = compile("", &jointed("range='-90 90' ref='90' springref='45'"));
    close(m.jnt_range[0], [-half_turn / 2.0, half_turn / 2.0], 1e-15);
    close([m.qpos0[0]], [half_turn / 2.0], 1e-15);
    close([m.qpos_spring[0]], [half_turn / 4.0], 1e-15);
    let m = compile("", &jointed("type='ball' range='0 60'"));
    close(m.jnt_range[0], [0.0, 1.047_197_551_196_597_6], 1e-15);
    let quat = |attribute: &str| compile("", &format!("<body {attribute}/>")).body_quat[1].0;
    close(
        quat("euler='90 0 0'"),
        [FRAC_1_SQRT_2, FRAC_1_SQRT_2, 0.0, 0.0],
        1e-15,
    );
    close(
        quat("axisangle='0 0 1 45'"),
        [0.923_879_53, 0.0, 0.0, 0.382_683_43],
        1e-8,
    );
}

#[test]
fn radians_stay() {
    let m = compile("angle='radian'", &jointed("range='-1.57 1.57'"));
    assert_eq!(m.jnt_range, [[-1.57, 1.57]]);
}

#[test]
fn lengths_are_never_converted() {
    for unit in ["degree", "radian"] {
        let m = compile(
            &format!("angle='{unit}'"),
            &jointed("type='slide' range='-90 90' ref='45' springref='30'"),
        );
        assert_eq!(m.jnt_range, [[-90.0, 90.0]]);
        assert_eq!((m.qpos0[0], m.qpos_spring[0]), (45.0, 30.0));
        let m = compile(
            &format!("angle='{unit}'"),
            &jointed("type='free' range='-90 90'"),
        );
        assert_eq!(m.jnt_limited, [0]);
        assert_eq!(m.jnt_range, [[-90.0, 90.0]]);
    }
}

#[test]
fn unlimited_ranges_stay_as_written() {
    let m = compile("", &jointed("limited='false' range='-90 90'"));
    assert_eq!(m.jnt_range, [[-90.0, 90.0]]);
}

#[test]
fn euler_sequences() {
    let quat = |sequence: &str| {
        let compiler = format!("angle='radian' eulerseq='{sequence}'");
        compile(&compiler, "<body euler='0.3 0.2 0.1'/>").body_quat[1].0
    };
    close(
        quat("ZYX"),
        [
            0.981_856_172_866_081,
            0.064_071_347_706_071_16,
            0.091_157_549_342_990_71,
            0.153_439_302_024_222_6,
        ],
        1e-12,
    );
    close(
        quat("XYZ"),
        [
            0.983_347_443_256_355_9,
            0.143_572_175_027_391_92,
            0.106_020_511_061_795_62,
            0.034_270_798_550_482_11,
        ],
        1e-12,
    );
    close(
        quat("XYz"),
        [
            0.983_347_443_256_355_9,
            0.153_439_302_024_222_6,
            0.091_157_549_342_990_71,
            0.034_270_798_550_482_11,
        ],
        1e-12,
    );
    close(
        quat("xyz"),
        [
            0.981_856_172_866_081,
            0.153_439_302_024_222_6,
            0.091_157_549_342_990_71,
            0.064_071_347_706_071_16,
        ],
        1e-12,
    );
}

#[test]
fn limits_are_automatic() {
    let limited = |joint: &str| compile("", &jointed(joint)).jnt_limited[0];
    assert_eq!(limited("range='-1 1'"), 1);
    assert_eq!(limited(""), 0);
    assert_eq!(limited("range='1 -1'"), 0);
    assert_eq!(limited("range='0 0'"), 0);
}

#[test]
fn inertia_never_from_geoms() {
    let compiler = "inertiafromgeom='false'";
    let m = compile(compiler, "<body><geom size='1'/></body>");
    assert_eq!(m.body_mass[1], 0.0);
    let error = refuse(&format!(
        "<mujoco><compiler {compiler}/><worldbody>{}</worldbody></mujoco>",
        jointed("")
    ));
    assert!(error.to_string().contains("mass"), "{error}");
}

#[test]
fn inertia_from_geoms_or_as_written() {
    let world = "<body><inertial pos='0 0 0' mass='3' diaginertia='1 1 1'/>\
        <geom size='0.1' mass='1'/></body>";
    assert_eq!(compile("", world).body_mass[1], 3.0);
    let m = compile("inertiafromgeom='true'", world);
    assert_eq!(m.body_mass[1], 1.0);
    close(m.body_inertia[1].0, [0.004; 3], 1e-12);
}

#[test]
fn total_mass_is_scaled_last() {
    let world = format!("{}<body><geom size='0.1' mass='3'/></body>", jointed(""));
    let m = compile("settotalmass='10'", &world);
    close(m.body_mass[1..].iter().copied(), [2.5, 7.5], 1e-12);
    close(m.body_inertia[1].0, [0.004 * 2.5; 3], 1e-12);
    let m = compile("settotalmass='1' boundmass='2'", &world);
    close(m.body_mass[1..].iter().copied(), [0.4, 0.6], 1e-12);
}

#[test]
fn impossible_inertias_are_balanced_or_refused() {
    let world = "<body><inertial pos='0 0 0' mass='1' diaginertia='1 1 10'/></body>";
    let m = compile("balanceinertia='true'", world);
    assert_eq!(m.body_inertia[1].0, [4.0; 3]);
    refuse(&format!("<mujoco><worldbody>{world}</worldbody></mujoco>"));
    for compiler in ["boundinertia='5'", "boundinertia='5' balanceinertia='true'"] {
        // Inertia is stored in decreasing order of nothing: as written.
        let mut inertia = compile(compiler, world).body_inertia[1].0;
        inertia.sort_by(f64::total_cmp);
        assert_eq!(inertia, [5.0, 5.0, 10.0]);
    }
}

#[test]
fn bounds_raise_what_is_smaller() {
    let world = "<body><geom size='0.1' mass='0.001'/></body>";
    let m = compile("boundmass='0.01'", world);
    assert_eq!(m.body_mass[1], 0.01);
    close(m.body_inertia[1].0, [4e-6; 3], 1e-12);
    let m = compile("boundinertia='0.01'", world);
    assert_eq!(m.body_mass[1], 0.001);
    assert_eq!(m.body_inertia[1].0, [0.01; 3]);
    let m = compile(
        "boundmass='0.01' boundinertia='0.001'",
        "<body><joint/></body>",
    );
    assert_eq!(m.body_mass[1], 0.01);
    assert_eq!(compile("boundmass='-1'", world).body_mass[1], 0.001);
}

#[test]
fn global_coordinates_are_refused() {
    let error = refuse("<mujoco><compiler coordinate='global'/></mujoco>");
    assert_eq!(error.diagnostics[0].code, "mjcf::global-coordinates");
    compile("coordinate='local'", "");
}

#[test]
fn settings_merge_attribute_by_attribute() {
    let m = load(
        "<mujoco><compiler angle='radian' autolimits='false'/>\
        <worldbody><body euler='0 0 1'/></worldbody>\
        <compiler autolimits='true'/><option timestep='0.01' gravity='0 0 -5'/>\
        <option timestep='0.005'/></mujoco>",
    );
    close(
        m.body_quat[1].0,
        [libm::cos(0.5), 0.0, 0.0, libm::sin(0.5)],
        1e-12,
    );
    assert_eq!(m.opt.timestep, 0.005);
    assert_eq!(m.opt.gravity, [0.0, 0.0, -5.0].into());
}

#[test]
fn visual_geoms_are_discarded_with_their_mass_kept() {
    let spheres = "<body><geom size='0.1' mass='1'/>\
        <geom name='v' size='0.1' mass='2' contype='0' conaffinity='0'/></body>";
    let m = compile("discardvisual='true'", spheres);
    assert_eq!(m.ngeom, 1);
    close([m.body_mass[1]], [3.0], 1e-12);
    close(m.body_inertia[1].0, [0.012; 3], 1e-12);
    let m = load(&format!(
        "<mujoco><compiler discardvisual='true'/><worldbody><geom name='w' size='1'/>{spheres}\
        </worldbody><contact><pair geom1='v' geom2='w'/></contact></mujoco>"
    ));
    assert_eq!(m.ngeom, 3);
}

#[test]
fn static_bodies_are_fused() {
    let tree = "<body name='b'><freejoint/><geom size='0.1' mass='1'/>\
        <body name='s' pos='1 0 0'><geom name='far' size='0.1' mass='1' pos='1 0 0'/>\
        <site name='i' pos='0 1 0'/>\
        <body name='t' pos='0 0 1'><joint/><geom size='0.1' mass='1'/></body></body></body>";
    let m = compile("fusestatic='true'", tree);
    let names: Vec<_> = (0..m.nbody)
        .map(|id| m.name(ObjectType::Body, id).unwrap_or(""))
        .collect();
    assert_eq!(names, ["world", "b", "t"]);
    let far = m.id(ObjectType::Geom, "far").expect("kept");
    close(m.geom_pos[far].0, [2.0, 0.0, 0.0], 1e-12);
    close(m.site_pos[0].0, [1.0, 1.0, 0.0], 1e-12);
    close(m.body_pos[2].0, [1.0, 0.0, 1.0], 1e-12);
    close([m.body_mass[1]], [2.0], 1e-12);
    close(m.body_ipos[1].0, [1.0, 0.0, 0.0], 1e-12);
    let mut inertia = m.body_inertia[1].0;
    inertia.sort_by(f64::total_cmp);
    close(inertia, [0.008, 2.008, 2.008], 1e-12);
    // A body that something refers to stays.
    let m = load(&format!(
        "<mujoco><compiler fusestatic='true'/><worldbody>{tree}</worldbody>\
        <contact><exclude body1='b' body2='s'/></contact></mujoco>"
    ));
    assert_eq!(m.nbody, 4);
    let m = load(&format!(
        "<mujoco><compiler fusestatic='true'/><worldbody>{tree}</worldbody>\
        <sensor><force site='i'/></sensor></mujoco>"
    ));
    assert_eq!(m.nbody, 4);
}

/// Settings that change nothing about a hinge and a sphere of group 0.
const REMAINING: &str = "<compiler fitaabb='true' usethread='false' alignfree='true' \
    saveinertial='true' inertiagrouprange='0 3'><lengthrange mode='none' useexisting='false' \
    uselimit='true' accel='1' maxforce='2' timeconst='3' timestep='0.01' inttotal='4' \
    interval='5' tolrange='0.1'/></compiler>";

#[test]
fn remaining_settings_are_read() {
    let text = format!("<mujoco>{REMAINING}</mujoco>");
    let read = Loader::new().read_spec_text(&text).expect("reads");
    let document = &read.spec.documents[0];
    let compiler = &document.compiler;
    for (setting, expected) in [
        (&compiler.fitaabb, true),
        (&compiler.usethread, false),
        (&compiler.alignfree, true),
        (&compiler.saveinertial, true),
        (&document.length_range.useexisting, false),
        (&document.length_range.uselimit, true),
    ] {
        assert_eq!(setting.as_ref().map(|at| at.value), Some(expected));
    }
    let groups = compiler.inertiagrouprange.as_ref().map(|at| at.value);
    assert_eq!(groups, Some([0, 3]));
    let range = &document.length_range;
    let mode = range.mode.as_ref().map(|at| at.value);
    assert_eq!(mode, Some(LengthRangeMode::None));
    let numbers = [
        &range.accel,
        &range.maxforce,
        &range.timeconst,
        &range.timestep,
        &range.inttotal,
        &range.interval,
        &range.tolrange,
    ];
    let numbers = numbers.map(|number| number.as_ref().map_or(0.0, |at| at.value));
    assert_eq!(numbers, [1.0, 2.0, 3.0, 0.01, 4.0, 5.0, 0.1]);
}

#[test]
fn remaining_settings_change_nothing_they_are_not_about() {
    let text = |settings: &str| {
        let world = jointed("");
        format!("<mujoco>{settings}<worldbody>{world}</worldbody></mujoco>")
    };
    let set = load_text(&text(REMAINING)).expect("loads");
    assert_eq!(set.warnings, []);
    let plain = load(&text(""));
    assert_eq!(set.model.sizes(), plain.sizes());
    for (column, other) in set.model.columns().iter().zip(&plain.columns()) {
        assert_eq!(column.bytes, other.bytes, "{}", column.name);
    }
}

#[test]
fn free_bodies_can_be_aligned() {
    let world = "<body><freejoint/><geom size='0.1' pos='0.5 0 0'/></body>";
    let m = compile("alignfree='true'", world);
    close(m.qpos0[..3].iter().copied(), [0.5, 0.0, 0.0], 1e-12);
    close(m.geom_pos[0].0, [0.0; 3], 1e-12);
    let m = compile("", world);
    close(m.geom_pos[0].0, [0.5, 0.0, 0.0], 1e-12);
}

/// A cube of half-width `half` as an OBJ file.
fn cube(half: f64) -> Vec<u8> {
    let mut text = String::new();
    for corner in 0..8 {
        let at = |bit: i32| if corner & bit == 0 { -half } else { half };
        text += &format!("v {} {} {}\n", at(1), at(2), at(4));
    }
    for face in [
        "1 3 4 2", "5 6 8 7", "1 2 6 5", "3 7 8 4", "1 5 7 3", "2 4 8 6",
    ] {
        text += &format!("f {face}\n");
    }
    text.into_bytes()
}

/// Half the width of the mesh that a model found, from its bounding box.
fn loaded_half(loader: &Loader, compiler: &str, file: &str) -> f64 {
    let text = format!(
        "<mujoco><compiler {compiler}/><asset><mesh name='m' file='{file}'/></asset>\
        <worldbody><geom type='mesh' mesh='m'/></worldbody></mujoco>"
    );
    match loader.load_text(&text) {
        Ok(loaded) => loaded
            .model
            .mesh_vert
            .iter()
            .map(|v| f64::from(v[0].abs()))
            .fold(0.0, f64::max),
        Err(error) => panic!("{error}"),
    }
}

#[test]
fn folders_say_where_assets_lie() {
    let loader = Loader::new()
        .asset("assets/box.obj", cube(1.0))
        .asset("other.obj", cube(2.0))
        .asset("m/box.obj", cube(3.0))
        .asset("data/box.obj", cube(4.0));
    assert_eq!(loaded_half(&loader, "meshdir='assets/'", "box.obj"), 1.0);
    assert_eq!(loaded_half(&loader, "meshdir='assets'", "box.obj"), 1.0);
    assert_eq!(loaded_half(&loader, "assetdir='data'", "box.obj"), 4.0);
    assert_eq!(
        loaded_half(&loader, "assetdir='data' meshdir='m'", "box.obj"),
        3.0
    );
    assert_eq!(
        loaded_half(&loader, "strippath='true' meshdir='m'", "x/y/box.obj"),
        3.0
    );
    assert_eq!(loaded_half(&loader, "", "other.obj"), 2.0);
}

#[test]
fn a_later_assetdir_overrides_an_earlier_meshdir() {
    let loader = Loader::new()
        .asset("a/box.obj", cube(1.0))
        .asset("b/box.obj", cube(2.0));
    let text = "<mujoco><compiler meshdir='a'/><compiler assetdir='b'/>\
        <asset><mesh name='m' file='box.obj'/></asset></mujoco>";
    let read = loader.read_spec_text(text).expect("reads");
    let compiler = &read.spec.documents[0].compiler;
    assert_eq!(
        compiler.meshdir.as_ref().map(|d| d.value.as_str()),
        Some("b")
    );
    assert_eq!(
        compiler.texturedir.as_ref().map(|d| d.value.as_str()),
        Some("b")
    );
}
