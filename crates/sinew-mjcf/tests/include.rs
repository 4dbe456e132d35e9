//! `include`: splicing, paths, repetition, and the places of what went wrong.

use sinew_mjcf::{LoadError, Loader};
use sinew_model::Model;
use sinew_model::kinds::ObjectType;
use std::path::PathBuf;

/// A folder of files that lives as long as the test.
struct Folder(PathBuf);

impl Folder {
    fn new(name: &str, files: &[(&str, &str)]) -> Folder {
        let root = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(name);
        let _ = std::fs::remove_dir_all(&root);
        for (path, text) in files {
            let path = root.join(path);
            std::fs::create_dir_all(path.parent().expect("inside")).expect("folder");
            std::fs::write(path, text).expect("file");
        }
        Folder(root)
    }

    fn path(&self, file: &str) -> String {
        self.0.join(file).to_string_lossy().into_owned()
    }

    fn load(&self, file: &str) -> Model {
        match Loader::new().load_path(&self.path(file)) {
            Ok(loaded) => loaded.model,
            Err(error) => panic!("{error}"),
        }
    }

    fn refuse(&self, file: &str) -> LoadError {
        match Loader::new().load_path(&self.path(file)) {
            Ok(_) => panic!("{file} loads"),
            Err(error) => error,
        }
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

fn body_names(model: &Model) -> Vec<String> {
    (1..model.nbody)
        .map(|id| model.name(ObjectType::Body, id).unwrap_or("").to_string())
        .collect()
}

const BODY: &str = "<body name='b' pos='0 0 1'><joint name='j' range='-10 20'/>\
    <geom size='0.1'/><body name='c' euler='10 20 30'><geom type='box' size='1 2 3'/></body></body>";

#[test]
fn an_included_tree_equals_the_inlined_one() {
    let folder = Folder::new(
        "include_equal",
        &[
            (
                "inline.xml",
                &format!("<mujoco><worldbody>{BODY}</worldbody></mujoco>"),
            ),
            (
                "main.xml",
                "<mujoco><worldbody><include file='parts/arm.xml'/></worldbody></mujoco>",
            ),
            ("parts/arm.xml", &format!("<anything>{BODY}</anything>")),
        ],
    );
    let (inline, included) = (folder.load("inline.xml"), folder.load("main.xml"));
    for (a, b) in inline.columns().iter().zip(included.columns()) {
        assert_eq!(a.bytes, b.bytes, "{}", a.name);
    }
}

#[test]
fn three_levels_keep_their_order() {
    let folder = Folder::new(
        "include_levels",
        &[
            (
                "main.xml",
                "<mujoco><worldbody><body name='a'/><include file='one.xml'/><body name='e'/>\
                </worldbody></mujoco>",
            ),
            (
                "one.xml",
                "<x><body name='b'/><include file='two.xml'/><body name='d'/></x>",
            ),
            ("two.xml", "<x><include file='three.xml'/></x>"),
            ("three.xml", "<x><body name='c'/></x>"),
        ],
    );
    assert_eq!(
        body_names(&folder.load("main.xml")),
        ["a", "b", "c", "d", "e"]
    );
}

#[test]
fn a_file_takes_part_once() {
    let folder = Folder::new(
        "include_once",
        &[
            (
                "twice.xml",
                "<mujoco>\n<include file='g.xml'/>\n<include file='./g.xml'/>\n</mujoco>",
            ),
            ("g.xml", "<x><option/></x>"),
            ("self.xml", "<mujoco><include file='self.xml'/></mujoco>"),
            ("a.xml", "<mujoco><include file='b.xml'/></mujoco>"),
            ("b.xml", "<x><include file='c.xml'/></x>"),
            ("c.xml", "<x>\n<include file='a.xml'/></x>"),
        ],
    );
    let error = folder.refuse("twice.xml");
    let first = &error.diagnostics[0];
    assert_eq!(
        (first.code, first.line, first.column),
        ("mjcf::repeated-include", 3, 16)
    );
    assert!(first.message.contains("g.xml"), "{first}");
    let error = folder.refuse("self.xml");
    assert!(
        error.diagnostics[0].message.contains("includes itself"),
        "{error}"
    );
    let error = folder.refuse("a.xml");
    let first = &error.diagnostics[0];
    assert!(first.file.ends_with("c.xml") && first.line == 2, "{first}");
    assert!(first.message.contains("b.xml → c.xml → a.xml"), "{first}");
}

#[test]
fn includes_work_in_every_section() {
    let folder = Folder::new(
        "include_sections",
        &[
            (
                "main.xml",
                "<mujoco><asset><include file='asset.xml'/></asset>\
                <default><include file='default.xml'/></default>\
                <worldbody><include file='body.xml'/></worldbody>\
                <actuator><include file='actuator.xml'/></actuator></mujoco>",
            ),
            ("asset.xml", "<x><material name='m' rgba='1 0 0 1'/></x>"),
            ("default.xml", "<x><joint damping='3'/></x>"),
            (
                "body.xml",
                "<x><body><joint name='j'/><geom size='1' material='m'/></body></x>",
            ),
            ("actuator.xml", "<x><motor joint='j'/></x>"),
        ],
    );
    let model = folder.load("main.xml");
    assert_eq!(model.dof_damping, [3.0]);
    assert_eq!((model.nu, model.nmat), (1, 1));
}

#[test]
fn a_malformed_include_is_named() {
    let folder = Folder::new(
        "include_malformed",
        &[
            ("main.xml", "<mujoco><include file='bad.xml'/></mujoco>"),
            ("bad.xml", "<x>\n  <option>\n</x>"),
        ],
    );
    let error = folder.refuse("main.xml");
    let first = &error.diagnostics[0];
    assert!(first.file.ends_with("bad.xml"), "{first}");
    assert_eq!(
        (first.code, first.line, first.column),
        ("mjcf::syntax", 3, 1)
    );
}

#[test]
fn the_main_folder_comes_before_the_including_one() {
    let files = [
        (
            "main.xml",
            "<mujoco><worldbody><include file='sub/a.xml'/></worldbody></mujoco>",
        ),
        ("sub/a.xml", "<x><include file='c.xml'/></x>"),
        ("sub/c.xml", "<x><body name='in_sub'/></x>"),
        ("c.xml", "<x><body name='in_main'/></x>"),
    ];
    let folder = Folder::new("include_both", &files);
    assert_eq!(body_names(&folder.load("main.xml")), ["in_main"]);
    let folder = Folder::new("include_sub", &files[..3]);
    assert_eq!(body_names(&folder.load("main.xml")), ["in_sub"]);
}

#[test]
fn sections_merge_over_files() {
    let folder = Folder::new(
        "include_merge",
        &[
            (
                "main.xml",
                "<mujoco><include file='base.xml'/><option timestep='0.005'/>\
                <actuator><motor name='second' joint='j'/></actuator></mujoco>",
            ),
            (
                "base.xml",
                "<x><option timestep='0.01' gravity='0 0 -5'/>\
                <worldbody><body><joint name='j'/><geom size='1'/></body></worldbody>\
                <actuator><motor name='first' joint='j'/></actuator></x>",
            ),
        ],
    );
    let model = folder.load("main.xml");
    assert_eq!(model.opt.timestep, 0.005);
    assert_eq!(model.opt.gravity, [0.0, 0.0, -5.0].into());
    assert_eq!(model.name(ObjectType::Actuator, 0), Some("first"));
}

#[test]
fn files_in_memory_serve_text() {
    let text = "<mujoco><worldbody><include file='part.xml'/></worldbody></mujoco>";
    let without = Loader::new().load_text(text).expect_err("no such file");
    assert_eq!(without.diagnostics[0].code, "mjcf::include-file");
    let hint = without.diagnostics[0].hint.clone().unwrap_or_default();
    assert!(hint.contains("part.xml"), "{hint}");
    let loader = Loader::new().asset("part.xml", b"<x><body name='p'/></x>".as_slice());
    let model = loader.load_text(text).expect("loads").model;
    assert_eq!(body_names(&model), ["p"]);
}

#[test]
fn assets_of_an_included_file_may_lie_beside_it() {
    let folder = Folder::new(
        "include_asset",
        &[
            (
                "main.xml",
                "<mujoco><compiler meshdir='nowhere'/><include file='sub/part.xml'/></mujoco>",
            ),
            (
                "sub/part.xml",
                "<x><asset><mesh name='m' file='t.obj'/></asset>\
                <worldbody><geom type='mesh' mesh='m'/></worldbody></x>",
            ),
            (
                "sub/t.obj",
                "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 3 2\nf 1 2 4\nf 2 3 4\nf 1 4 3\n",
            ),
        ],
    );
    assert_eq!(folder.load("main.xml").nmesh, 1);
}

#[test]
fn messages_point_into_the_included_file() {
    let folder = Folder::new(
        "include_places",
        &[
            (
                "main.xml",
                "<mujoco>\n<worldbody>\n<include file='part.xml'/>\n</worldbody>\n</mujoco>",
            ),
            (
                "part.xml",
                "<x>\n  <body name='hand'>\n    <geom sizee='1'/>\n  </body>\n</x>",
            ),
        ],
    );
    let error = folder.refuse("main.xml");
    let first = &error.diagnostics[0];
    assert_eq!((first.line, first.column), (3, 11));
    assert_eq!(first.element, "mujoco/worldbody/body[hand]/geom");
    let path = folder.path("part.xml");
    assert_eq!(
        first.to_string(),
        format!("{path}:3:11: unknown attribute \"sizee\" in <geom>; did you mean \"size\"?")
    );
    assert_eq!(
        first.render(),
        format!(
            "error[mjcf::unknown-attribute]: unknown attribute \"sizee\" in <geom>\n \
             --> {path}:3:11\n  |\n3 |     <geom sizee='1'/>\n  |           ^^^^^ did you mean \"size\"?"
        )
    );
}

#[test]
fn all_mistakes_are_reported_at_once() {
    let error = Loader::new()
        .load_text(
            "<mujoco>\n<option timestep='x' cone='flat'/>\n<worldbody>\n<geom siz='1' pos='1 2'/>\n\
             <bdy/>\n</worldbody>\n</mujoco>",
        )
        .expect_err("bad");
    let places: Vec<(u32, &str)> = error.diagnostics.iter().map(|d| (d.line, d.code)).collect();
    assert!(places.contains(&(2, "mjcf::number")), "{error}");
    assert!(places.contains(&(2, "mjcf::keyword")), "{error}");
    assert!(places.contains(&(4, "mjcf::unknown-attribute")), "{error}");
    assert!(places.contains(&(4, "mjcf::count")), "{error}");
    assert!(places.contains(&(5, "mjcf::unknown-element")), "{error}");
}
