//! Small inputs that ask for a lot: each must end in an error, quickly and with little memory, in a
//! stack of 2 MiB; what is legal must load.

use sinew_mjcf::{Limits, LoadError, Loaded, Loader};
use std::fmt::Write;
use std::sync::Arc;
use std::time::Duration;

mod limited;

/// Loads in a thread with a small stack and checks the time.
fn load(loader: Loader, text: String, most: Duration) -> Result<Loaded, LoadError> {
    let (result, time) = limited::run(move || loader.load_text(&text));
    assert!(time < most, "took {time:?}");
    result
}

fn refuse(loader: Loader, text: impl Into<String>) -> LoadError {
    match load(loader, text.into(), Duration::from_secs(1)) {
        Ok(_) => panic!("it loads"),
        Err(error) => error,
    }
}

fn codes(error: &LoadError) -> Vec<&'static str> {
    error.diagnostics.iter().map(|d| d.code).collect()
}

/// Bodies, each inside the one before, with a hinge each.
fn chain(links: usize, inside: &str) -> String {
    let mut text = String::from("<mujoco><worldbody>");
    for _ in 0..links {
        text.push_str("<body pos='0 0 0.1'>");
        text.push_str(inside);
    }
    text.push_str(&"</body>".repeat(links));
    text.push_str("</worldbody></mujoco>");
    text
}

#[test]
fn a_billion_copies() {
    let text = "<mujoco><worldbody><replicate count='1000000000'><geom size='1'/></replicate>\
        </worldbody></mujoco>";
    assert!(text.len() < 120);
    assert_eq!(
        codes(&refuse(Loader::new(), text)),
        ["mjcf::too-many-elements"]
    );
}

#[test]
fn an_arena_of_petabytes() {
    let error = refuse(Loader::new(), "<mujoco><size memory='900000T'/></mujoco>");
    assert_eq!(codes(&error), ["mjcf::too-large"]);
}

#[test]
fn a_model_that_contains_itself() {
    let text = "<mujoco><asset><model name='m' file='a.xml'/></asset>\
        <worldbody><attach model='m' prefix='p'/></worldbody></mujoco>";
    let loader = Loader::new().asset("a.xml", text.as_bytes());
    assert_eq!(codes(&refuse(loader, text)), ["mjcf::model-cycle"]);
}

#[test]
fn models_that_multiply() {
    // Every level attaches the one below ten times: 10^12 elements.
    let mut loader = Loader::new();
    let leaf = "<mujoco><worldbody><body name='b'><geom size='1'/></body></worldbody></mujoco>";
    loader = loader.asset("l0.xml", leaf.as_bytes());
    let level = |below: usize| {
        let mut text = format!(
            "<mujoco><asset><model name='m' file='l{below}.xml'/></asset><worldbody><body name='b'>"
        );
        for copy in 0..10 {
            let _ = write!(text, "<attach model='m' body='b' prefix='p{copy}'/>");
        }
        text + "</body></worldbody></mujoco>"
    };
    for below in 0..12 {
        loader = loader.asset(&format!("l{}.xml", below + 1), level(below).into_bytes());
    }
    let error = refuse(loader, level(11));
    assert!(
        codes(&error).contains(&"mjcf::too-many-elements"),
        "{error}"
    );
}

#[test]
fn deep_nesting() {
    for element in ["body", "frame", "default", "x"] {
        let text = format!(
            "<mujoco><worldbody>{}{}</worldbody></mujoco>",
            format!("<{element}>").repeat(50_000),
            format!("</{element}>").repeat(50_000)
        );
        assert_eq!(codes(&refuse(Loader::new(), text)), ["mjcf::nesting"]);
    }
    let unclosed = format!("<mujoco><worldbody>{}", "<body>".repeat(50_000));
    refuse(Loader::new(), unclosed);
}

#[test]
fn a_legal_chain_loads() {
    let text = chain(450, "<joint/><geom size='0.01'/>");
    let loaded = load(Loader::new(), text, Duration::from_secs(10)).expect("loads");
    assert_eq!(loaded.model.nv, 450);
}

#[test]
fn nesting_through_includes_is_counted() {
    // 64 files of 400 levels each would overflow a stack if only the files were limited.
    let mut loader = Loader::new();
    for file in 0..60 {
        let inside = format!("<include file='f{}.xml'/>", file + 1);
        let body = format!("{}{inside}{}", "<body>".repeat(400), "</body>".repeat(400));
        loader = loader.asset(
            &format!("f{file}.xml"),
            format!("<x>{body}</x>").into_bytes(),
        );
    }
    let text = "<mujoco><worldbody><include file='f0.xml'/></worldbody></mujoco>";
    assert_eq!(codes(&refuse(loader, text)), ["mjcf::nesting"]);
}

#[test]
fn endless_includes() {
    let mut loader = Loader::new();
    for file in 0..200 {
        let text = format!("<x><include file='i{}.xml'/></x>", file + 1);
        loader = loader.asset(&format!("i{file}.xml"), text.into_bytes());
    }
    let error = refuse(loader, "<mujoco><include file='i0.xml'/></mujoco>");
    assert_eq!(codes(&error), ["mjcf::include-depth"]);
}

#[test]
fn too_many_files_and_bytes() {
    let limits = Limits {
        files: 3,
        ..Limits::default()
    };
    let mut loader = Loader::new().limits(limits);
    let mut text = String::from("<mujoco>");
    for file in 0..5 {
        loader = loader.asset(&format!("p{file}.xml"), b"<x><option/></x>".as_slice());
        let _ = write!(text, "<include file='p{file}.xml'/>");
    }
    let error = refuse(loader, text + "</mujoco>");
    assert!(codes(&error).contains(&"mjcf::include-file"), "{error}");

    let limits = Limits {
        file_bytes: 1000,
        ..Limits::default()
    };
    let large: Arc<[u8]> = vec![b' '; 2000].into();
    let loader = Loader::new().limits(limits).asset("large.xml", large);
    let error = refuse(loader, "<mujoco><include file='large.xml'/></mujoco>");
    assert!(error.to_string().contains("too large"), "{error}");
}

#[test]
fn too_many_elements() {
    let limits = Limits {
        elements: 1000,
        ..Limits::default()
    };
    let text = format!("<mujoco>{}</mujoco>", "<option/>".repeat(2000));
    let error = refuse(Loader::new().limits(limits), text);
    assert_eq!(codes(&error), ["mjcf::too-many-elements"]);
}

#[test]
fn entities_are_not_expanded() {
    let mut text = String::from("<!DOCTYPE m [<!ENTITY e0 'aaaaaaaaaa'>");
    for level in 1..10 {
        let _ = write!(
            text,
            "<!ENTITY e{level} '{}'>",
            format!("&e{};", level - 1).repeat(10)
        );
    }
    text.push_str("]><mujoco model='&e9;'/>");
    assert_eq!(codes(&refuse(Loader::new(), text)), ["mjcf::syntax"]);
}

#[test]
fn thousands_of_mistakes_are_cut_short() {
    let text = format!("<mujoco>{}</mujoco>", "<option x='1'/>\n".repeat(100_000));
    let error = refuse(Loader::new(), text);
    assert!(error.diagnostics.len() <= 1000);
}

#[test]
fn long_names_and_values() {
    let name = "n".repeat(1_000_000);
    let text = format!("<mujoco><worldbody><body {name}='1'/><{name}/></worldbody></mujoco>");
    let error = refuse(Loader::new(), text);
    assert!(error.to_string().len() < 10_000);
    let text = format!(
        "<mujoco><option gravity='{}'/></mujoco>",
        "1 ".repeat(500_000)
    );
    let error = refuse(Loader::new(), text);
    assert_eq!(codes(&error), ["mjcf::count"]);
}

#[test]
fn confined_loads_stay_in_their_folder() {
    let folder = std::path::PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("confined");
    let _ = std::fs::remove_dir_all(&folder);
    let inside = folder.join("inside");
    std::fs::create_dir_all(&inside).expect("folder");
    std::fs::write(folder.join("secret.xml"), "<x><option/></x>").expect("file");
    std::fs::write(inside.join("part.xml"), "<x><option/></x>").expect("file");
    let write = |name: &str, include: &str| {
        let path = inside.join(name);
        let text = format!("<mujoco><include file='{include}'/></mujoco>");
        std::fs::write(&path, text).expect("file");
        path.to_string_lossy().into_owned()
    };
    let confined = Loader::new().confined_to(&inside);
    let good = write("good.xml", "part.xml");
    confined.load_path(&good).expect("inside");
    let bad = write("bad.xml", "../secret.xml");
    Loader::new()
        .load_path(&bad)
        .expect("the default rules allow it");
    let error = confined.load_path(&bad).expect_err("outside");
    assert!(
        error.to_string().contains("outside the permitted folder"),
        "{error}"
    );
    let missing = write("missing.xml", "../no_such_secret.xml");
    let error = confined.load_path(&missing).expect_err("outside");
    assert!(
        error.to_string().contains("outside the permitted folder"),
        "{error}"
    );
    #[cfg(unix)]
    {
        std::os::unix::fs::symlink(folder.join("secret.xml"), inside.join("link.xml"))
            .expect("link");
        let linked = write("linked.xml", "link.xml");
        let error = confined.load_path(&linked).expect_err("outside");
        assert!(
            error.to_string().contains("outside the permitted folder"),
            "{error}"
        );
        let device = write("device.xml", "/dev/zero");
        let error = Loader::new().load_path(&device).expect_err("a device");
        assert!(error.to_string().contains("not a regular file"), "{error}");
    }
    let _ = std::fs::remove_dir_all(&folder);
}

#[test]
fn a_hundred_thousand_classes() {
    let mut text = String::from("<mujoco><default>");
    for class in 0..100_000 {
        let _ = write!(text, "<default class='c{class}'/>");
    }
    text.push_str("</default><worldbody>");
    for class in 0..10_000 {
        let _ = write!(text, "<geom class='c{class}' size='1'/>");
    }
    text.push_str("</worldbody></mujoco>");
    let loaded = load(Loader::new(), text, Duration::from_secs(1)).expect("loads");
    assert_eq!(loaded.model.ngeom, 10_000);
}

#[test]
fn an_element_with_many_attributes() {
    let mut text = String::from("<mujoco><option ");
    for attribute in 0..20_000 {
        let _ = write!(text, "a{attribute}='1' ");
    }
    text.push_str("/></mujoco>");
    refuse(Loader::new(), text);
}

#[test]
fn many_names_are_compared_quickly() {
    let mut text = String::from("<mujoco><worldbody>");
    for site in 0..50_000 {
        let _ = write!(text, "<site name='site_{site}'/>");
    }
    text.push_str("</worldbody><sensor>");
    for site in 0..2_000 {
        let _ = write!(text, "<touch site='sit_{site}'/>");
    }
    text.push_str("</sensor></mujoco>");
    let error = load(Loader::new(), text, Duration::from_secs(1)).expect_err("unknown sites");
    assert!(codes(&error).contains(&"mjcf::unknown-name"), "{error}");
}
