//! The same state and input give the same bits: in one process, in several, on several threads,
//! after saving and restoring, and today as when the hashes in `hashes.txt` were published.
//!
//! A changed hash means that a trajectory moved: it needs a line under "Numbers changed" in the
//! changelog. To publish new ones: `SINEW_UPDATE_HASHES=1 cargo test -p sinew --test determinism`.

use sinew::engine::state_vector::state_size;
use sinew::engine::{Data, Input};
use sinew::model::Model;
use sinew::model::kinds::StateComponent;
use sinew::models;
use std::fmt::Write;
use std::path::PathBuf;
use std::process::Command;

fn load(name: &str) -> Model {
    let model = models::get(name).unwrap_or_else(|| panic!("{name} is built in"));
    match model.load() {
        Ok(loaded) => loaded.model,
        Err(error) => panic!("{name}: {error}"),
    }
}

fn drive(input: &mut Input, step: usize) {
    for (i, u) in input.ctrl.iter_mut().enumerate() {
        *u = ((step * (i + 3)) % 17) as f64 / 17.0 - 0.5;
    }
}

fn advance(model: &Model, data: &mut Data, steps: core::ops::Range<usize>) {
    for step in steps {
        drive(&mut data.input, step);
        // A reset after divergence is as deterministic as the rest.
        let _ = data.step(model);
    }
}

/// State and input, all that a simulation starts from.
fn saved(model: &Model, data: &Data) -> Vec<f64> {
    let all = StateComponent::Integration.code();
    let mut vector = vec![0.0; state_size(model, all).expect("known components")];
    data.get_state(model, all, &mut vector).expect("fits");
    vector
}

fn bits(model: &Model, data: &Data) -> Vec<u64> {
    let mut all: Vec<u64> = saved(model, data).iter().map(|x| x.to_bits()).collect();
    all.extend(data.sensor.sensordata.iter().map(|x| x.to_bits()));
    all
}

/// FNV-1a over the bytes of state, input and sensor readings.
fn hash(model: &Model, data: &Data) -> u64 {
    bits(model, data)
        .iter()
        .flat_map(|word| word.to_le_bytes())
        .fold(0xcbf2_9ce4_8422_2325, |hash, byte| {
            (hash ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01b3)
        })
}

/// The scenes with a published hash: limbs, contacts, friction, tendons, muscles, equalities,
/// sensors with delays, fluids, height fields.
const SCENES: [&str; 10] = [
    "humanoid",
    "quadruped",
    "finger",
    "mechanism",
    "sensor_zoo",
    "muscle_arm",
    "arm_actuators",
    "swimmer",
    "terrain",
    "drone",
];

fn hashes() -> String {
    hashes_of(&SCENES)
}

/// One line per scene: target, name, hash after 1,000 steps.
fn hashes_of(scenes: &[&str]) -> String {
    let target = format!("{}-{}", std::env::consts::ARCH, std::env::consts::OS);
    let mut lines = String::new();
    for name in scenes {
        let model = load(name);
        let mut data = Data::new(&model);
        advance(&model, &mut data, 0..1000);
        let _ = writeln!(lines, "{target} {name} {:016x}", hash(&model, &data));
    }
    lines
}

#[test]
fn scenes_end_in_the_published_states() {
    let path = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("tests/hashes.txt");
    let published = std::fs::read_to_string(&path).expect("hashes.txt");
    let today = hashes();
    let target = today.split(' ').next().expect("a target");
    if std::env::var_os("SINEW_UPDATE_HASHES").is_some() {
        let others = published.lines().filter(|line| !line.starts_with(target));
        let mut text: String = others.map(|line| format!("{line}\n")).collect();
        text += &today;
        std::fs::write(&path, text).expect("hashes.txt");
        return;
    }
    // Equal bits are claimed for the targets on which they were checked.
    let expected: Vec<&str> = published
        .lines()
        .filter(|line| line.starts_with(target))
        .collect();
    if !expected.is_empty() {
        let today: Vec<&str> = today.lines().collect();
        assert_eq!(
            today, expected,
            "a trajectory moved, see the head of this file"
        );
    }
}

const CHILD: &str = "SINEW_PRINT_HASHES";

#[test]
fn two_processes_agree() {
    // The same binary, asked to run this test alone, prints its hashes.
    if std::env::var_os(CHILD).is_some() {
        println!("{}", hashes());
        return;
    }
    let run = || {
        let binary = std::env::current_exe().expect("this binary");
        let output = Command::new(binary)
            .args(["--exact", "two_processes_agree", "--nocapture"])
            .env(CHILD, "1")
            .output()
            .expect("the binary runs");
        let text = String::from_utf8_lossy(&output.stdout).into_owned();
        let lines: Vec<String> = text
            .lines()
            .filter(|line| line.contains(std::env::consts::ARCH))
            .map(str::to_owned)
            .collect();
        assert_eq!(lines.len(), SCENES.len(), "{text}");
        lines
    };
    let first = run();
    assert_eq!(first, run());
    let own = hashes();
    assert_eq!(first, own.lines().collect::<Vec<_>>());
}

#[test]
fn threads_agree() {
    let scenes = ["quadruped", "sensor_zoo", "finger"];
    let run = || hashes_of(&scenes);
    let alone = run();
    for threads in [2, 4, 8, 16] {
        std::thread::scope(|scope| {
            let all: Vec<_> = (0..threads).map(|_| scope.spawn(run)).collect();
            for thread in all {
                assert_eq!(thread.join().expect("no panic"), alone);
            }
        });
    }
}

#[test]
fn two_runs_agree() {
    for name in SCENES {
        let mut model = load(name);
        for integrator in 0..4 {
            model.opt.integrator = integrator;
            let run = |data: &mut Data| {
                advance(&model, data, 0..200);
                bits(&model, data)
            };
            let mut data = Data::new(&model);
            let first = run(&mut data);
            assert_eq!(first, run(&mut Data::new(&model)), "{name} {integrator}");
            // After a reset nothing is left of the first run.
            data.reset(&model).expect("its own model");
            assert_eq!(first, run(&mut data), "{name} {integrator}");
        }
    }
}

#[test]
fn a_run_continued_from_a_saved_state_agrees() {
    for name in SCENES {
        let mut model = load(name);
        for integrator in 0..4 {
            model.opt.integrator = integrator;
            let mut whole = Data::new(&model);
            advance(&model, &mut whole, 0..150);
            let state = saved(&model, &whole);
            advance(&model, &mut whole, 150..300);
            let expected = bits(&model, &whole);

            // Into a new simulation, and into one that was busy elsewhere.
            let mut busy = Data::new(&model);
            advance(&model, &mut busy, 0..77);
            for mut resumed in [Data::new(&model), busy] {
                let all = StateComponent::Integration.code();
                resumed.set_state(&model, all, &state).expect("fits");
                advance(&model, &mut resumed, 150..300);
                assert_eq!(bits(&model, &resumed), expected, "{name} {integrator}");
            }
            // A copy of everything goes on alike.
            let mut copy = Data::new(&model);
            advance(&model, &mut copy, 0..150);
            let mut clone = copy.clone();
            advance(&model, &mut clone, 150..300);
            assert_eq!(bits(&model, &clone), expected, "{name} {integrator}");
        }
    }
}
