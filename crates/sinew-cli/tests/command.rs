//! The command as a user meets it: what it prints and how it ends.

use std::fs;
use std::path::PathBuf;
use std::process::{Command, Output, Stdio};

fn sinew(arguments: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_sinew"));
    command.args(arguments).env("NO_COLOR", "1");
    command
}

fn run(arguments: &[&str]) -> (i32, String, String) {
    let Output {
        status,
        stdout,
        stderr,
    } = sinew(arguments).output().expect("starts");
    let text = |bytes| String::from_utf8(bytes).expect("UTF-8");
    (
        status.code().expect("ends by itself"),
        text(stdout),
        text(stderr),
    )
}

/// A file in a folder of its own, so that messages show a short name.
fn file(folder: &str, name: &str, text: &str) -> PathBuf {
    let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(folder);
    fs::create_dir_all(&folder).expect("folder");
    let path = folder.join(name);
    fs::write(&path, text).expect("file");
    folder
}

#[test]
fn check_says_ok_for_every_built_in_model() {
    let names: Vec<&str> = sinew::models::ALL.iter().map(|model| model.name).collect();
    let (code, out, err) = run(&[&["check"], names.as_slice()].concat());
    assert_eq!((code, err.as_str()), (0, ""), "{out}");
    for name in &names {
        assert!(out.contains(&format!("{name}: ok: ")), "{name} in {out}");
    }
    assert!(
        out.ends_with(&format!("{} models checked, 0 bad\n", names.len())),
        "{out}"
    );
}

#[test]
fn check_shows_the_line_and_the_remedy() {
    let text = "<mujoco>\n  <worldbody>\n    <geom sizee=\"1\"/>\n  </worldbody>\n</mujoco>\n";
    let folder = file("remedy", "arm.xml", text);
    let output = sinew(&["check", "arm.xml"])
        .current_dir(folder)
        .output()
        .expect("starts");
    assert_eq!(output.status.code(), Some(1));
    let out = String::from_utf8(output.stdout).expect("UTF-8");
    let lines: Vec<&str> = out.lines().collect();
    assert!(
        lines[0].starts_with("error[mjcf::unknown-attribute]: "),
        "{out}"
    );
    assert_eq!(lines[1], " --> arm.xml:3:11");
    assert_eq!(lines[3], "3 |     <geom sizee=\"1\"/>");
    assert!(lines[4].starts_with("  |           ^^^^^ "), "{out}");
    assert!(lines[4].contains("size"), "{out}");
    assert_eq!(lines.last(), Some(&"arm.xml: 1 error"));
}

#[test]
fn check_goes_on_after_a_bad_file() {
    let folder = file("several", "bad.xml", "<mujoco");
    let arguments = ["check", "bad.xml", "missing.xml", "pendulum"];
    let output = sinew(&arguments)
        .current_dir(folder)
        .output()
        .expect("starts");
    assert_eq!(output.status.code(), Some(1));
    let out = String::from_utf8(output.stdout).expect("UTF-8");
    assert!(out.contains("pendulum: ok: "), "{out}");
    assert!(out.contains("missing.xml"), "{out}");
    assert!(out.ends_with("3 models checked, 2 bad\n"), "{out}");
}

#[test]
fn check_as_json_has_places_as_numbers() {
    let text = "<mujoco>\n<worldbody><geom sizee=\"1\"/></worldbody></mujoco>";
    let folder = file("json", "arm.xml", text);
    let output = sinew(&["check", "--json", "arm.xml"])
        .current_dir(folder)
        .output()
        .expect("starts");
    assert_eq!(output.status.code(), Some(1));
    let found: serde_json::Value = serde_json::from_slice(&output.stdout).expect("JSON");
    assert_eq!(found[0]["ok"], false);
    let diagnostic = &found[0]["diagnostics"][0];
    assert_eq!(diagnostic["line"], 2);
    assert_eq!(diagnostic["attribute"], "sizee");
}

#[test]
fn info_describes_the_humanoid_when_nothing_is_named() {
    let (code, out, err) = run(&["info"]);
    assert_eq!((code, err.as_str()), (0, ""));
    assert_eq!(run(&["info", "humanoid"]).1, out);
    for part in [
        "humanoid (humanoid)\n",
        "\nSizes\n",
        "\nOptions\n",
        "\nTree\n",
        "\nActuators\n",
    ] {
        assert!(out.contains(part), "{part:?} in {out}");
    }
    assert!(out.contains("└─ pelvis"), "{out}");
    assert!(
        out.lines().all(|line| line == line.trim_end()),
        "no trailing spaces"
    );
}

#[test]
fn info_as_json_has_the_same_facts() {
    let (code, out, _) = run(&["info", "--json", "quadruped"]);
    assert_eq!(code, 0);
    let facts: serde_json::Value = serde_json::from_str(&out).expect("JSON");
    let model = sinew::models::get("quadruped")
        .expect("built in")
        .load()
        .expect("loads")
        .model;
    assert_eq!(facts["sizes"]["nv"], model.nv);
    assert_eq!(facts["bodies"].as_array().map(Vec::len), Some(model.nbody));
    assert_eq!(facts["actuators"].as_array().map(Vec::len), Some(model.nu));
    assert_eq!(facts["options"]["timestep"], model.opt.timestep);
}

#[test]
fn info_on_a_bad_file_prints_nothing_but_the_error() {
    let (code, out, err) = run(&["info", "no/such/file.xml"]);
    assert_eq!((code, out.as_str()), (1, ""));
    assert!(err.starts_with("error["), "{err}");
}

#[test]
fn an_unknown_name_gets_the_list_of_models() {
    let (code, _, err) = run(&["info", "humanoids"]);
    assert_eq!(code, 1);
    assert!(
        err.contains("no built-in model `humanoids`") && err.contains("quadruped"),
        "{err}"
    );
}

#[test]
fn wrong_use_ends_with_two() {
    for arguments in [&["check"][..], &["fly"], &["info", "--jsn"], &[]] {
        let (code, out, err) = run(arguments);
        assert_eq!((code, out.as_str()), (2, ""), "{arguments:?}");
        assert!(err.contains("Usage"), "{err}");
    }
}

#[test]
fn a_fault_of_ours_ends_with_seventy() {
    let (code, out, err) = run(&["fail-on-purpose"]);
    assert_eq!((code, out.as_str()), (70, ""));
    assert!(
        err.contains("fault of sinew") && err.contains("failed on purpose"),
        "{err}"
    );
}

#[test]
fn a_closed_pipe_is_not_an_error() {
    let mut child = sinew(&["info", "--json", "humanoid"])
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("starts");
    drop(child.stdout.take());
    let output = child.wait_with_output().expect("ends");
    assert_eq!(output.status.code(), Some(0));
    assert!(output.stderr.is_empty());
}

#[test]
fn confined_models_stay_in_their_folder() {
    let secret = file(
        "confined",
        "secret.xml",
        "<mujoco><option timestep='0.1'/></mujoco>",
    );
    let model = file(
        "confined/inside",
        "model.xml",
        "<mujoco><include file='../secret.xml'/></mujoco>",
    );
    assert!(secret.exists());
    let model = model.join("model.xml");
    let model = model.to_str().expect("UTF-8");
    assert_eq!(run(&["check", model]).0, 0);
    for command in ["check", "info", "run", "bench"] {
        let (code, out, err) = run(&[command, model, "--confined"]);
        assert_eq!(code, 1, "{command}: {out}{err}");
        let said = format!("{out}{err}");
        assert!(said.contains("outside the permitted folder"), "{said}");
        assert!(!said.contains("timestep"), "{said}");
    }
}

#[test]
fn memory_and_time_of_loading_are_limited() {
    let model = file(
        "limits",
        "sites.xml",
        &format!(
            "<mujoco><worldbody>{}</worldbody></mujoco>",
            "<site/>".repeat(20_000)
        ),
    );
    let model = model.join("sites.xml");
    let model = model.to_str().expect("UTF-8");
    let (code, out, _) = run(&["check", model, "--memory", "1M"]);
    assert_eq!(code, 1);
    assert!(
        out.contains("mjcf::memory") && out.contains("are left"),
        "{out}"
    );
    assert_eq!(run(&["check", model, "--memory", "1G"]).0, 0);
    assert_eq!(run(&["check", model, "--memory", "much"]).0, 2);
    assert_eq!(run(&["check", model, "--load-time", "-1"]).0, 2);
}

#[test]
fn render_writes_a_picture_and_says_what_is_wrong() {
    let folder = file(
        "render",
        "arm.xml",
        "<mujoco><worldbody><geom size='1'/></worldbody></mujoco>",
    );
    let picture = folder.join("picture.png");
    let path = picture.to_str().expect("UTF-8");
    let (code, out, err) = run(&[
        "render", "cartpole", "-o", path, "--size", "32x24", "--camera", "follow",
    ]);
    assert_eq!((code, err.as_str()), (0, ""));
    assert!(out.ends_with("picture.png: 32 × 24 pixels\n"), "{out}");
    let bytes = fs::read(&picture).expect("a picture");
    assert!(bytes.starts_with(b"\x89PNG"));

    for (arguments, words) in [
        (["--camera", "nobody"], "the model has no camera `nobody`"),
        (["--camera", "7"], "camera 7 is out of range: there are 1"),
        (["--key", "nothing"], "the model has no keyframe `nothing`"),
        (["--size", "9000x10"], "each side needs 1 to 8192"),
    ] {
        let (code, _, err) = run(&["render", "cartpole", "-o", path, arguments[0], arguments[1]]);
        assert_eq!(code, 1, "{err}");
        assert!(err.contains(words), "{err}");
    }
    let model = folder.join("arm.xml");
    let model = model.to_str().expect("UTF-8");
    let (code, _, err) = run(&["render", model, "-o", model]);
    assert_eq!(code, 1);
    assert!(
        err.contains("the picture would overwrite the model"),
        "{err}"
    );
    assert!(
        fs::read_to_string(model)
            .expect("the model")
            .starts_with("<mujoco>")
    );
    for arguments in [
        ["render", model, "-o", "picture.jpg"],
        ["run", model, "--plot", "picture.jpg"],
        ["info", model, "--picture", "picture.jpg"],
    ] {
        let (code, _, err) = run(&arguments);
        assert_eq!(code, 1);
        assert!(err.contains("name it picture.png"), "{err}");
    }
    let (code, _, err) = run(&["render", model, "-o", "no/such/folder.png"]);
    assert_eq!(code, 1);
    assert!(err.contains("the folder does not exist"), "{err}");
    let (code, _, err) = run(&["render", "--size", "10"]);
    assert_eq!(code, 2);
    assert!(err.contains("`10` is not a size such as 640x480"), "{err}");
}

#[test]
fn render_makes_many_pictures_and_films_where_it_can() {
    let folder = file("film", "arm.xml", "<mujoco/>");
    let frames = folder.join("frames");
    let path = frames.to_str().expect("UTF-8");
    let short = ["--size", "16x12", "--seconds", "0.2", "--fps", "20"];
    let with = |more: &[&str]| {
        let arguments: Vec<&str> = ["render", "cartpole"].into_iter().chain(short).collect();
        run(&[&arguments[..], more].concat())
    };
    let (code, out, err) = with(&["--frames", path]);
    assert_eq!((code, err.as_str()), (0, ""));
    assert!(
        out.ends_with("frames: 4 pictures of 16 × 12 pixels\n"),
        "{out}"
    );
    let picture = |number: usize| fs::read(frames.join(format!("{number:05}.png")));
    let pictures: Vec<Vec<u8>> = (0..4).map(|k| picture(k).expect("a picture")).collect();
    assert!(pictures.iter().all(|file| file.starts_with(b"\x89PNG")));
    assert!(picture(4).is_err());

    let film = folder.join("film.gif");
    let (code, out, err) = with(&["-o", film.to_str().expect("UTF-8")]);
    let has_encoder = std::process::Command::new("ffmpeg")
        .arg("-version")
        .output()
        .is_ok();
    if has_encoder {
        assert_eq!(code, 0, "{err}");
        assert!(out.contains("film.gif: 4 pictures"), "{out}");
        assert!(fs::read(&film).expect("a film").starts_with(b"GIF8"));
    } else {
        assert_eq!(code, 1);
        assert!(err.contains("a film needs the program ffmpeg"), "{err}");
    }
    let left = fs::read_dir(&folder).expect("a folder").count();
    assert_eq!(left, 2 + usize::from(has_encoder));
    for arguments in [["--seconds", "-1"], ["--seconds", "1e9"], ["--fps", "0"]] {
        assert_eq!(
            run(&["render", "cartpole", arguments[0], arguments[1]]).0,
            2
        );
    }
}

#[test]
fn runs_and_facts_come_with_pictures() {
    let folder = file("plot", "arm.xml", "<mujoco/>");
    let [plot, portrait] = ["plot.png", "portrait.png"].map(|name| folder.join(name));
    let [plot, portrait] = [&plot, &portrait].map(|path| path.to_str().expect("UTF-8"));
    let (code, out, err) = run(&["run", "cartpole", "--seconds", "0.1", "--plot", plot]);
    assert_eq!((code, err.as_str()), (0, ""));
    assert!(out.contains("plotted"), "{out}");
    let (code, _, err) = run(&["info", "cartpole", "--picture", portrait]);
    assert_eq!((code, err.as_str()), (0, ""));
    for path in [plot, portrait] {
        assert!(fs::read(path).expect("a picture").starts_with(b"\x89PNG"));
    }
    let model = folder.join("arm.xml");
    let model = model.to_str().expect("UTF-8");
    for arguments in [
        ["run", model, "--plot", model],
        ["info", model, "--picture", model],
    ] {
        let (code, _, err) = run(&arguments);
        assert_eq!(code, 1);
        assert!(err.contains("would overwrite the model"), "{err}");
    }
}
