//! `sinew run` and `sinew bench` as a user meets them.

use std::fs;
use std::path::PathBuf;
use std::process::{Command, Output, Stdio};
use std::time::Duration;

fn sinew(arguments: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_sinew"));
    command.args(arguments).env("NO_COLOR", "1");
    command
}

/// Exit code, standard output, standard error.
fn run(arguments: &[&str]) -> (i32, String, String) {
    let Output {
        status,
        stdout,
        stderr,
    } = sinew(arguments).output().expect("starts");
    let text = |bytes| String::from_utf8(bytes).expect("UTF-8");
    let code = status.code().expect("ends by itself");
    (code, text(stdout), text(stderr))
}

fn folder(name: &str) -> PathBuf {
    let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(name);
    fs::create_dir_all(&folder).expect("folder");
    folder
}

#[test]
fn run_reports_time_speed_energy_and_contacts_of_the_default_model() {
    let (code, out, err) = run(&["run", "--seconds", "0.5"]);
    assert_eq!((code, err.as_str()), (0, ""), "{out}");
    for part in [
        "simulated",
        "0.500 s in ",
        "steps per second",
        "real time",
        "energy",
        "J before",
        "contacts now",
    ] {
        assert!(out.contains(part), "{part:?} in {out}");
    }
}

#[test]
fn run_records_a_table_that_starts_after_the_first_step() {
    let file = folder("record").join("out.csv");
    let path = file.to_str().expect("UTF-8");
    let (code, out, _) = run(&["run", "pendulum", "--steps", "5", "--record", path]);
    assert_eq!(code, 0);
    assert!(out.contains("5 steps") && out.contains(path), "{out}");
    let text = fs::read_to_string(&file).expect("recorded");
    let lines: Vec<&str> = text.lines().collect();
    assert_eq!(lines[0], "time,qpos0,qvel0");
    assert_eq!(lines.len(), 6);
    let model = sinew::models::get("pendulum").expect("built in").load();
    let model = model.expect("loads").model;
    let mut data = sinew::engine::Data::new(&model);
    data.step(&model).expect("steps");
    let numbers: Vec<f64> = lines[1]
        .split(',')
        .map(|x| x.parse().expect("number"))
        .collect();
    assert_eq!(
        numbers,
        [data.state.time, data.state.qpos[0], data.state.qvel[0]]
    );
    let left = fs::read_dir(folder("record")).expect("folder").count();
    assert_eq!(left, 1, "no temporary file stays");
}

#[test]
fn run_records_an_archive_of_arrays() {
    let file = folder("archive").join("out.npz");
    let path = file.to_str().expect("UTF-8");
    let arguments = [
        "run", "cartpole", "--steps", "7", "--key", "0", "--ctrl", "0.25",
    ];
    let (code, _, err) = run(&[&arguments[..], &["--record", path]].concat());
    assert_eq!((code, err.as_str()), (0, ""));
    let bytes = fs::read(&file).expect("recorded");
    let text = String::from_utf8_lossy(&bytes);
    for part in [
        "time.npy",
        "qpos.npy",
        "qvel.npy",
        "'shape': (7,)",
        "'shape': (7, 2)",
    ] {
        assert!(text.contains(part), "{part}");
    }
    assert!(bytes.starts_with(b"PK\x03\x04"));
}

#[test]
fn run_starts_from_a_keyframe_and_applies_controls() {
    let last = |arguments: &[&str]| {
        let file =
            folder("start").join(format!("run{}.csv", arguments.join("_").replace('.', "_")));
        let path = file.to_str().expect("UTF-8").to_owned();
        let given = [
            &["run", "cartpole", "--steps", "20", "--record", &path],
            arguments,
        ]
        .concat();
        let (code, _, err) = run(&given);
        assert_eq!((code, err.as_str()), (0, ""), "{given:?}");
        let text = fs::read_to_string(&file).expect("recorded");
        text.lines().last().expect("a line").to_owned()
    };
    let plain = last(&[]);
    assert_ne!(plain, last(&["--ctrl", "0.5"]));
    assert_ne!(plain, last(&["--ctrl=-0.5"]));
    assert_ne!(plain, last(&["--key", "0"]));
}

#[test]
fn run_refuses_what_it_cannot_do_before_it_starts() {
    let cases: [(&[&str], i32, &str); 10] = [
        (
            &["--record", "out.txt"],
            1,
            "recordings end in .csv or .npz",
        ),
        (
            &["--record", "no/such/folder/out.csv"],
            1,
            "the folder does not exist",
        ),
        (
            &["--steps", "99999999999", "--record", "out.csv"],
            1,
            "too large",
        ),
        (&["--ctrl", "1,2,3,4,5,6,7,8,9"], 1, "9 controls were given"),
        (&["--key", "nobody"], 1, "no keyframe `nobody`"),
        (&["--key", "99"], 1, "keyframe 99 is out of range"),
        (&["--ctrl", "fast"], 2, "not a number"),
        (&["--seconds", "nan"], 2, "not a number of seconds"),
        (&["--seconds", "-1"], 2, "not a number of seconds"),
        (&["--steps", "-1"], 2, "unexpected argument"),
    ];
    for (arguments, expected, part) in cases {
        let (code, out, err) = run(&[&["run", "pendulum"], arguments].concat());
        assert_eq!((code, out.as_str()), (expected, ""), "{arguments:?}: {err}");
        assert!(err.contains(part), "{part:?} in {err}");
    }
    let (code, _, err) = run(&["run", "no/such/file.xml"]);
    assert_eq!(code, 1);
    assert!(err.starts_with("error["), "{err}");
}

#[test]
fn run_says_when_a_simulation_goes_wrong() {
    let file = folder("wrong").join("wild.xml");
    let text = r#"<mujoco><option timestep="0.5"/><worldbody><body>
        <joint type="slide" stiffness="1000"/><geom size=".1"/></body></worldbody>
        <keyframe><key qpos="1"/></keyframe></mujoco>"#;
    fs::write(&file, text).expect("file");
    let path = file.to_str().expect("UTF-8");
    let (code, out, _) = run(&["run", path, "--steps", "200", "--key", "0"]);
    assert_eq!(code, 0, "{out}");
    assert!(out.contains("trouble") && out.contains("at step "), "{out}");
    assert!(out.contains("bad acceleration, "), "{out}");

    // A model whose initial state is bad already cannot be simulated at all.
    let text = text.replace("stiffness=\"1000\"", "stiffness=\"1e13\" springref=\"9\"");
    fs::write(&file, text).expect("file");
    let (code, out, _) = run(&["run", path]);
    assert_eq!(code, 1, "{out}");
    assert!(out.contains("0 steps, then stopped"), "{out}");
    assert!(out.contains("even after a reset"), "{out}");
}

#[cfg(unix)]
#[test]
fn an_interrupt_ends_a_run_with_130_and_a_report() {
    let child = sinew(&["run", "humanoid", "--steps", "1000000000"])
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("starts");
    std::thread::sleep(Duration::from_millis(700));
    let id = child.id().to_string();
    let killed = Command::new("kill").args(["-INT", &id]).status();
    assert!(killed.expect("kill").success());
    let output = child.wait_with_output().expect("ends");
    assert_eq!(output.status.code(), Some(130));
    let out = String::from_utf8(output.stdout).expect("UTF-8");
    assert!(out.contains("then interrupted"), "{out}");
}

#[cfg(unix)]
#[test]
fn an_interrupt_ends_a_benchmark_with_130() {
    let child = sinew(&["bench", "humanoid", "--episodes", "100000"])
        .stdout(Stdio::piped())
        .spawn()
        .expect("starts");
    std::thread::sleep(Duration::from_millis(700));
    let id = child.id().to_string();
    assert!(Command::new("kill").args(["-INT", &id]).status().is_ok());
    let output = child.wait_with_output().expect("ends");
    assert_eq!(output.status.code(), Some(130));
    assert!(output.stdout.is_empty());
}

#[test]
fn bench_reports_everything_as_json() {
    let arguments = "bench cartpole --key 0 --warm 3 --steps 20 --episodes 2 --repetitions 1 --threads 2 --json";
    let (code, out, err) = run(&arguments.split(' ').collect::<Vec<_>>());
    assert_eq!((code, err.as_str()), (0, ""));
    let found: serde_json::Value = serde_json::from_str(&out).expect("JSON");
    assert_eq!(found["steps"], 40);
    assert_eq!(found["threads"], 2);
    for name in [
        "steps_per_second",
        "steps_per_cpu_second",
        "steps_per_second_all_threads",
        "load_milliseconds",
        "model_bytes",
        "data_bytes",
    ] {
        assert!(found[name].as_f64().is_some_and(|x| x > 0.0), "{name}");
    }
    for name in ["mean_contacts", "mean_rows", "mean_iterations", "checksum"] {
        assert!(found[name].is_number(), "{name}");
    }
    let stages = found["microseconds"].as_object().expect("stages");
    let names = "kinematics inertia collision rows velocity actuation solver rest step";
    assert_eq!(stages.len(), 9);
    for name in names.split(' ') {
        assert!(stages[name].is_number(), "{name}");
    }
}

#[test]
fn bench_times_the_stages_of_a_step() {
    let arguments = "bench double_pendulum --steps 400 --episodes 2 --repetitions 1 --json";
    let (code, out, err) = run(&arguments.split(' ').collect::<Vec<_>>());
    assert_eq!((code, err.as_str()), (0, ""));
    let found: serde_json::Value = serde_json::from_str(&out).expect("JSON");
    let time = |name: &str| found["microseconds"][name].as_f64().expect("number");
    for name in ["kinematics", "inertia", "velocity", "step"] {
        assert!(time(name) > 0.0, "{name}: {out}");
    }
}

#[test]
fn bench_refuses_to_run_nothing() {
    for count in ["--steps", "--episodes", "--repetitions", "--threads"] {
        let (code, out, err) = run(&["bench", "pendulum", count, "0"]);
        assert_eq!((code, out.as_str()), (2, ""));
        assert!(err.contains("it must be at least 1"), "{err}");
    }
    let (code, _, err) = run(&["bench", "pendulum", "--steps", "many"]);
    assert_eq!(code, 2);
    assert!(err.contains("invalid digit"), "{err}");
}

#[test]
fn bench_switches_off_parts_of_the_physics() {
    let arguments = "bench humanoid --steps 300 --episodes 1 --repetitions 1 --json";
    let contacts = |extra: &[&str]| {
        let (code, out, err) =
            run(&[&arguments.split(' ').collect::<Vec<_>>()[..], extra].concat());
        assert_eq!((code, err.as_str()), (0, ""));
        let found: serde_json::Value = serde_json::from_str(&out).expect("JSON");
        found["mean_contacts"].as_f64().expect("number")
    };
    assert!(contacts(&[]) > 0.0);
    assert_eq!(contacts(&["--disable", "contact,warmstart"]), 0.0);
    let (code, _, err) = run(&["bench", "--disable", "friends"]);
    assert_eq!(code, 2);
    assert!(err.contains("there are constraint, equality"), "{err}");
}

#[test]
fn bench_is_the_same_workload_every_time() {
    let checksum = |extra: &[&str]| {
        let arguments = [
            "bench",
            "humanoid",
            "--steps",
            "50",
            "--episodes",
            "2",
            "--json",
        ];
        let (_, out, _) = run(&[&arguments[..], extra].concat());
        let found: serde_json::Value = serde_json::from_str(&out).expect("JSON");
        found["checksum"].as_f64().expect("number")
    };
    assert_eq!(
        checksum(&["--repetitions", "1"]),
        checksum(&["--repetitions", "2"])
    );
}

#[test]
fn bench_for_people_is_a_table() {
    let arguments = ["bench", "pendulum", "--steps", "20", "--episodes", "1"];
    let (code, out, _) = run(&arguments);
    assert_eq!(code, 0);
    for part in [
        "steps per second",
        "contacts, rows, iterations",
        "solver",
        "µs",
        "load",
        "KiB",
    ] {
        assert!(out.contains(part), "{part:?} in {out}");
    }
}

#[test]
fn bench_replays_states_and_compares() {
    let model = sinew::models::get("pendulum").expect("built in").load();
    let model = model.expect("loads").model;
    let mut data = sinew::engine::Data::new(&model);
    let mut bytes = b"SNWST001".to_vec();
    for size in [model.nq, model.nv, model.na, model.nu, 3] {
        bytes.extend((size as u32).to_le_bytes());
    }
    for _ in 0..3 {
        let state = &data.state;
        let mut row = vec![state.time];
        row.extend(state.qpos.iter().chain(&state.qvel).chain(&state.act));
        row.extend(state.qacc_warmstart.iter().chain(&data.input.ctrl));
        data.step(&model).expect("steps");
        row.extend(data.state.qpos.iter().chain(&data.state.qvel));
        row.extend([0.0, 0.0, 0.0]);
        bytes.extend(row.iter().flat_map(|x| x.to_le_bytes()));
    }
    let file = folder("replay").join("states.bin");
    fs::write(&file, &bytes).expect("file");
    let path = file.to_str().expect("UTF-8");
    let (code, out, err) = run(&["bench", "pendulum", "--replay", path, "--json"]);
    assert_eq!((code, err.as_str()), (0, ""));
    let found: serde_json::Value = serde_json::from_str(&out).expect("JSON");
    assert_eq!(found["states"], 3);
    assert_eq!(found["largest_qpos_difference"], 0.0);
    assert_eq!(found["rows_differ"], 0);
    assert!(
        found["microseconds_per_step"]
            .as_f64()
            .is_some_and(|x| x > 0.0)
    );
    let (code, out, _) = run(&["bench", "pendulum", "--replay", path]);
    assert_eq!(code, 0);
    assert!(out.contains("largest qpos difference"), "{out}");

    // Damaged, foreign and missing files are refused.
    fs::write(&file, &bytes[..bytes.len() - 1]).expect("file");
    let refused = [
        (run(&["bench", "pendulum", "--replay", path]), "cut off"),
        (
            run(&["bench", "cartpole", "--replay", path]),
            "the states have sizes",
        ),
        (
            run(&["bench", "pendulum", "--replay", "no.bin"]),
            "cannot read no.bin",
        ),
        (
            run(&["bench", "pendulum", "--key", "nobody"]),
            "no keyframe",
        ),
    ];
    for ((code, out, err), part) in refused {
        assert_eq!((code, out.as_str()), (1, ""));
        assert!(err.contains(part), "{part:?} in {err}");
    }
}

#[test]
fn the_commands_of_the_readme_work() {
    let root = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../..");
    let text = fs::read_to_string(root.join("README.md")).expect("README");
    let lines = text.lines().filter_map(|line| line.strip_prefix("sinew "));
    let mut count = 0;
    for line in lines {
        let command = line.split('#').next().unwrap_or_default();
        // What they write goes elsewhere.
        let is_written = |word: &str| ["out.npz", "humanoid.png", "plot.png"].contains(&word);
        let arguments: Vec<String> = command
            .split_whitespace()
            .map(|word| match is_written(word) {
                true => folder("readme").join(word).display().to_string(),
                false => word.to_owned(),
            })
            .collect();
        let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
        let output = sinew(&arguments)
            .current_dir(&root)
            .output()
            .expect("starts");
        assert_eq!(output.status.code(), Some(0), "{line}");
        assert!(!output.stdout.is_empty(), "{line}");
        count += 1;
    }
    assert!(count >= 6, "the README shows the commands");
}

#[test]
fn the_error_of_the_readme_is_what_is_printed() {
    let root = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../..");
    let readme = fs::read_to_string(root.join("README.md")).expect("README");
    let folder = folder("readme-error");
    let model = format!(
        "<mujoco><worldbody>{}  <geom name=\"palm\" frictoin=\"1\"/>\n</worldbody></mujoco>\n",
        "\n".repeat(11)
    );
    fs::write(folder.join("my_robot.xml"), model).expect("writes");
    let output = sinew(&["check", "my_robot.xml"])
        .current_dir(&folder)
        .output()
        .expect("starts");
    let printed = String::from_utf8(output.stdout).expect("UTF-8")
        + &String::from_utf8(output.stderr).expect("UTF-8");
    let error = printed.split("\n\n").next().unwrap_or_default();
    assert!(
        error.contains("friction") && readme.contains(error),
        "{error}"
    );
}

#[test]
fn a_recording_never_overwrites_its_model() {
    let folder = folder("same_file");
    let model = folder.join("model.csv");
    let text = "<mujoco><worldbody><body><joint/><geom size='1'/></body></worldbody></mujoco>";
    fs::write(&model, text).expect("written");
    let mut names = vec![model.clone(), folder.join("../same_file/model.csv")];
    #[cfg(unix)]
    for (name, is_hard) in [("soft.csv", false), ("hard.csv", true)] {
        let link = folder.join(name);
        let _ = fs::remove_file(&link);
        if is_hard {
            fs::hard_link(&model, &link).expect("linked");
        } else {
            std::os::unix::fs::symlink(&model, &link).expect("linked");
        }
        names.push(link);
    }
    for name in names {
        let (model, name) = (
            model.to_str().expect("UTF-8"),
            name.to_str().expect("UTF-8"),
        );
        let (code, out, err) = run(&["run", model, "--steps", "2", "--record", name]);
        assert_eq!((code, out.as_str()), (1, ""), "{name}");
        assert!(err.contains("overwrite"), "{err}");
        assert_eq!(fs::read_to_string(name).expect("still there"), text);
    }
}
