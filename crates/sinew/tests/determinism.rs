//! The same state and input give the same bits: in one process, in several, on several threads,
//! after saving and restoring, on every target, and today as when the hashes in `hashes.txt` were
//! published.
//!
//! There is one list of hashes for all targets, since every operation is either rounded correctly
//! (IEEE 754) or our own. A changed hash means one of two things. Where the target is one on which
//! the list held before, a trajectory moved: it needs a line under "Numbers changed" in the changelog,
//! and `SINEW_UPDATE_HASHES=1 cargo test -p sinew --test determinism` publishes the new list. On
//! another target, its arithmetic differs: that is a bug, and no list of its own mends it.

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

/// One line per scene: name, hash after 1,000 steps.
fn hashes_of(scenes: &[&str]) -> String {
    let mut lines = String::new();
    for name in scenes {
        let model = load(name);
        let mut data = Data::new(&model);
        advance(&model, &mut data, 0..1000);
        let _ = writeln!(lines, "{name} {:016x}", hash(&model, &data));
    }
    lines
}

#[test]
fn scenes_end_in_the_published_states() {
    let path = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("tests/hashes.txt");
    let published = std::fs::read_to_string(&path).expect("hashes.txt");
    let today = hashes();
    if std::env::var_os("SINEW_UPDATE_HASHES").is_some() {
        std::fs::write(&path, today).expect("hashes.txt");
        return;
    }
    let target = format!("{}-{}", std::env::consts::ARCH, std::env::consts::OS);
    assert_eq!(
        today.lines().collect::<Vec<_>>(),
        published.lines().collect::<Vec<_>>(),
        "a trajectory moved, or {target} computes otherwise: see the head of this file"
    );
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
            .filter(|line| {
                SCENES
                    .iter()
                    .any(|name| line.starts_with(&format!("{name} ")))
            })
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

/// Delayed controls and readings, sensors that sample now and then, activations, a mocap body, a
/// switched weld, user numbers.
const EVERYTHING: &str = r#"<mujoco><option timestep=".004"/><size nuserdata="3"/>
  <worldbody><geom type="plane" size="3 3 .1" pos="0 0 -1.9"/>
    <body name="hand" mocap="true" pos=".3 0 -1.6"/>
    <body name="arm"><joint name="a" axis="0 1 0" damping=".1"/><geom size=".1" pos="0 0 -1" mass="1"/>
      <body name="tip" pos="0 0 -1"><joint type="ball"/><geom size=".15" pos="0 0 -.8" mass="1"/>
        <site name="s"/></body></body>
    <body pos="1 0 -1.7"><freejoint/><geom type="box" size=".1 .1 .1"/></body>
  </worldbody>
  <equality><weld body1="tip" body2="hand" active="false"/></equality>
  <actuator>
    <general joint="a" dyntype="filter" dynprm=".1" delay=".006" nsample="3" interp="linear"/>
    <general joint="a" dyntype="integrator" gainprm=".3" actlimited="true" actrange="-1 1"/>
    <motor joint="a" delay=".03" nsample="10" interp="cubic"/>
    <motor joint="a" delay=".01" nsample="5" interp="zoh"/>
  </actuator>
  <sensor><jointpos joint="a" delay=".02" nsample="6" interp="cubic"/>
    <jointvel joint="a" nsample="3" interval=".01 0"/>
    <accelerometer site="s" delay=".012" nsample="4" interval=".008 -.002"/>
    <framepos objtype="body" objname="tip"/><touch site="s"/></sensor></mujoco>"#;

/// What a user may do before a step.
fn disturb(data: &mut Data, step: usize) {
    drive(&mut data.input, step);
    let input = &mut data.input;
    input.eq_active[0] = u8::from(step % 20 >= 10);
    input.mocap_pos[0].0[0] = 0.3 + 0.01 * (step % 7) as f64;
    input.userdata[step % 3] = step as f64;
    input.qfrc_applied[step % 4] = 0.1;
    input.xfrc_applied[3][step % 6] = 0.2 * (step % 3) as f64;
}

#[test]
fn a_saved_state_holds_everything_at_any_step() {
    let mut model = match sinew::mjcf::load_text(EVERYTHING) {
        Ok(loaded) => loaded.model,
        Err(error) => panic!("{error}"),
    };
    assert!(model.nhistory > 0 && model.na == 2 && model.nmocap == 1);
    let step = |model: &Model, data: &mut Data, step: usize| {
        disturb(data, step);
        // A bad control now and then: such a step is like any other.
        if step % 13 == 12 {
            data.input.ctrl[0] = f64::NAN;
        }
        let _ = data.step(model);
    };
    for integrator in 0..4 {
        model.opt.integrator = integrator;
        let mut whole = Data::new(&model);
        let mut states = Vec::new();
        let mut results = Vec::new();
        for k in 0..60 {
            states.push(saved(&model, &whole));
            step(&model, &mut whole, k);
            results.push(bits(&model, &whole));
        }
        // One simulation is set to each of the states in turn, from the last to the first.
        let mut resumed = Data::new(&model);
        for start in (0..60).rev() {
            let all = StateComponent::Integration.code();
            resumed
                .set_state(&model, all, &states[start])
                .expect("fits");
            let end = (start + 8).min(60);
            for k in start..end {
                step(&model, &mut resumed, k);
                assert_eq!(
                    bits(&model, &resumed),
                    results[k],
                    "{integrator} {start} {k}"
                );
            }
            // All of it at once, derived numbers included.
            let mut copy = Data::new(&model);
            copy.copy_from(&resumed).expect("the same model");
            for k in end..end + 3 {
                step(&model, &mut copy, k);
                step(&model, &mut resumed, k);
            }
            assert_eq!(
                bits(&model, &copy),
                bits(&model, &resumed),
                "{integrator} {start}"
            );
        }
    }
}

/// A simulation beside others, some of which fail, goes as it goes alone.
#[test]
fn neighbours_that_fail_change_nothing() {
    let model = load("quadruped");
    let mut alone = Data::new(&model);
    advance(&model, &mut alone, 0..200);
    let mut together: Vec<Data> = (0..5).map(|_| Data::new(&model)).collect();
    for step in 0..200 {
        for (k, data) in together.iter_mut().enumerate() {
            drive(&mut data.input, step);
            if k != 2 && step % (7 + k) == 0 {
                data.state.qvel[k] = f64::NAN;
            }
            let _ = data.step(&model);
        }
    }
    assert_eq!(bits(&model, &together[2]), bits(&model, &alone));
    assert!(together[3].warnings.resets() > 10);
}
