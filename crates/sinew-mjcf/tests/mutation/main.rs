//! Seeded mutations of our own models and assets through the whole loader: it may refuse or accept,
//! but must not panic, hang or ask for more memory than its limits. How many it accepts is known: were
//! it none, the mutations would be too coarse to reach far; were it more than before, a check is gone.
//!
//! Text is mutated by structure (elements removed, copied, moved, wrapped; attributes removed,
//! renamed, exchanged), by number, and by character; binary files by byte and by 32-bit word.

mod gmsh;
#[path = "../limited/mod.rs"]
mod limited;
mod mutate;

use mutate::{Random, mutate_bytes, mutate_text};
use sinew_engine::Data;
use sinew_mjcf::{Limits, Loader};
use std::fmt::Write;
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

/// Mutations per format, unless `SINEW_MUTATIONS` asks for another number.
const USUAL_COUNT: u64 = 20_000;

fn count_per_format() -> u64 {
    std::env::var("SINEW_MUTATIONS")
        .ok()
        .and_then(|count| count.parse().ok())
        .unwrap_or(USUAL_COUNT)
}

fn models_folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../models")
}

/// All files below a folder, sorted, so that a seed means the same everywhere.
fn files(folder: &Path) -> Vec<PathBuf> {
    let mut out = Vec::new();
    let mut entries: Vec<PathBuf> = std::fs::read_dir(folder)
        .expect("a folder")
        .map(|entry| entry.expect("an entry").path())
        .collect();
    entries.sort();
    for path in entries {
        if path.is_dir() {
            out.extend(files(&path));
        } else {
            out.push(path);
        }
    }
    out
}

/// A loader that finds our assets in memory and gives up early.
fn loader() -> Loader {
    let mut loader = Loader::new().limits(Limits {
        elements: 20_000,
        pixels: 1 << 16,
        model_bytes: 64 << 20,
        data_bytes: 64 << 20,
        load_time: Duration::from_secs(10),
        ..Limits::default()
    });
    for path in files(&models_folder()) {
        let name = path.file_name().expect("a name").to_string_lossy();
        let bytes: Arc<[u8]> = std::fs::read(&path).expect("a file").into();
        loader = loader.asset(&name, bytes);
    }
    loader
}

/// Loads; a model that is accepted must be whole, and steps return.
fn load(loader: &Loader, text: &str) -> bool {
    match loader.load_text(text) {
        Ok(loaded) => {
            let model = loaded.model;
            assert_eq!(model.misshapen_column(), None);
            let mut data = Data::new(&model);
            data.input.ctrl.fill(0.1);
            let mut was_finite = true;
            for _ in 0..10 {
                // A step may diverge but not panic; the next one tells.
                let result = data.step(&model);
                assert!(was_finite || result.is_err());
                was_finite = data.state.qpos.iter().all(|x| x.is_finite());
            }
            true
        }
        Err(error) => {
            assert!(!error.diagnostics.is_empty());
            for diagnostic in &error.diagnostics {
                let _ = diagnostic.render();
            }
            false
        }
    }
}

/// Runs mutations `seeds` of a format; how many were accepted.
fn run(
    format: &'static str,
    seeds: Range<u64>,
    case: impl Fn(u64) -> (Loader, String) + Send + Clone + 'static,
) -> u64 {
    let mut accepted = 0;
    for start in seeds.clone().step_by(50) {
        let (case, end) = (case.clone(), (start + 50).min(seeds.end));
        let batch = move || {
            let mut accepted = 0;
            for seed in start..end {
                let (loader, text) = case(seed);
                // The message of a panic then names the seed.
                let note = Note { format, seed };
                accepted += u64::from(load(&loader, &text));
                note.done();
            }
            accepted
        };
        let (in_batch, time) = limited::run(batch);
        assert!(
            time < Duration::from_secs(20),
            "{format}: seeds {start}..{end} took {time:?}"
        );
        accepted += in_batch;
    }
    accepted
}

/// Tells which seed was at work when a load panicked.
struct Note {
    format: &'static str,
    seed: u64,
}

impl Note {
    fn done(self) {
        std::mem::forget(self);
    }
}

impl Drop for Note {
    fn drop(&mut self) {
        eprintln!("{}: seed {} failed", self.format, self.seed);
    }
}

/// Two texts of three mutations are one mutation away from a model, others more.
fn mutated_model(texts: &[String], seed: u64) -> String {
    let mut random = Random(seed);
    let mut text = texts[random.below(texts.len())].clone();
    for _ in 0..1 + random.below(3) {
        text = mutate_text(&text, &mut random);
    }
    text
}

fn text_mutations(seeds: Range<u64>) {
    let texts: Vec<String> = files(&models_folder())
        .iter()
        .filter(|path| path.extension().is_some_and(|e| e == "xml"))
        .map(|path| std::fs::read_to_string(path).expect("a text"))
        .collect();
    assert!(texts.len() > 10);
    let loader = loader();
    let count = seeds.end - seeds.start;
    let accepted = run("mjcf", seeds, move |seed| {
        (loader.clone(), mutated_model(&texts, seed))
    });
    // About one in six. Not exactly, since a seed means another text when a model joins ours.
    let share = accepted as f64 / count as f64;
    let room = 0.03 + chance(0.16, count);
    assert!(
        (share - 0.16).abs() <= room,
        "{accepted} of {count} accepted"
    );
}

/// How far the share of `count` cases may stray from `share` by the choice of seeds alone: five
/// standard deviations.
fn chance(share: f64, count: u64) -> f64 {
    5.0 * (share * (1.0 - share) / count as f64).sqrt()
}

#[test]
fn mutated_models_first_half() {
    text_mutations(0..count_per_format() / 2);
}

#[test]
fn mutated_models_second_half() {
    text_mutations(count_per_format() / 2..count_per_format());
}

/// Mutations of a file that a small model names. `expected` of the usual number are accepted, and
/// as large a share of any other.
fn file_mutations(
    format: &'static str,
    name: &'static str,
    bytes: Vec<u8>,
    text: &'static str,
    expected: u64,
) {
    let limits = Limits {
        pixels: 1 << 16,
        mesh_elements: 10_000,
        ..Limits::default()
    };
    let base = Loader::new().limits(limits);
    let count = count_per_format();
    let accepted = run(format, 0..count, move |seed| {
        let mut random = Random(seed);
        let mut mutated = bytes.clone();
        for _ in 0..1 + random.below(2) {
            mutated = mutate_bytes(&mutated, &mut random);
        }
        (base.clone().asset(name, mutated), text.to_string())
    });
    if count == USUAL_COUNT {
        assert_eq!(accepted, expected, "{format}: accepted of {count}");
        return;
    }
    let expected = expected as f64 / USUAL_COUNT as f64;
    let share = accepted as f64 / count as f64;
    assert!(
        (share - expected).abs() <= chance(expected, count) + chance(expected, USUAL_COUNT),
        "{format}: {accepted} of {count} accepted"
    );
}

const MESH: &str = "<mujoco><asset><mesh name='m' file='FILE' inertia='exact'/></asset>\
    <worldbody><body><geom type='mesh' mesh='m'/></body></worldbody></mujoco>";

/// A tetrahedron and a square pyramid's worth of corners.
const CORNERS: [[f32; 3]; 5] = [
    [0.0, 0.0, 0.0],
    [1.0, 0.0, 0.0],
    [0.0, 1.0, 0.0],
    [1.0, 1.0, 0.0],
    [0.5, 0.5, 1.0],
];
const TRIANGLES: [[u32; 3]; 6] = [
    [0, 2, 1],
    [1, 2, 3],
    [0, 1, 4],
    [1, 3, 4],
    [3, 2, 4],
    [2, 0, 4],
];

#[test]
fn mutated_obj_files() {
    let mut text = String::new();
    for [x, y, z] in CORNERS {
        let _ = writeln!(text, "v {x} {y} {z}");
    }
    for [a, b, c] in TRIANGLES {
        let _ = writeln!(text, "f {} {} {}", a + 1, b + 1, c + 1);
    }
    let model: &'static str = Box::leak(MESH.replace("FILE", "a.obj").into_boxed_str());
    file_mutations("obj", "a.obj", text.into_bytes(), model, 4_771);
}

#[test]
fn mutated_stl_files() {
    let mut bytes = vec![b' '; 80];
    bytes.extend(6_u32.to_le_bytes());
    for triangle in TRIANGLES {
        bytes.extend([0; 12]);
        for corner in triangle {
            for number in CORNERS[corner as usize] {
                bytes.extend(number.to_le_bytes());
            }
        }
        bytes.extend([0; 2]);
    }
    let model: &'static str = Box::leak(MESH.replace("FILE", "a.stl").into_boxed_str());
    file_mutations("stl", "a.stl", bytes, model, 6_778);
}

#[test]
fn mutated_msh_files() {
    let mut bytes = Vec::new();
    for count in [5_u32, 0, 0, 6] {
        bytes.extend(count.to_le_bytes());
    }
    for number in CORNERS.as_flattened() {
        bytes.extend(number.to_le_bytes());
    }
    for index in TRIANGLES.as_flattened() {
        bytes.extend(index.to_le_bytes());
    }
    let model: &'static str = Box::leak(MESH.replace("FILE", "a.msh").into_boxed_str());
    file_mutations("msh", "a.msh", bytes, model, 2_237);
}

#[test]
fn mutated_png_files() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/corpus/images/good.png");
    let bytes = std::fs::read(path).expect("an image");
    let text = "<mujoco><asset><texture name='t' type='2d' file='a.png'/>\
        <hfield name='h' size='1 1 1 1' file='a.png'/></asset></mujoco>";
    file_mutations("png", "a.png", bytes, text, 1_547);
}

#[test]
fn mutated_height_files() {
    let mut bytes = Vec::new();
    for count in [3_u32, 4] {
        bytes.extend(count.to_le_bytes());
    }
    for height in 0..12_u8 {
        bytes.extend(f32::from(height).to_le_bytes());
    }
    let text = "<mujoco><asset><hfield name='h' size='1 1 1 1' file='a.bin'/></asset></mujoco>";
    file_mutations("height field", "a.bin", bytes, text, 6_243);
}

#[test]
fn mutated_skin_files() {
    let mut bytes = Vec::new();
    for count in [5_u32, 0, 6, 1] {
        bytes.extend(count.to_le_bytes());
    }
    for number in CORNERS.as_flattened() {
        bytes.extend(number.to_le_bytes());
    }
    for index in TRIANGLES.as_flattened() {
        bytes.extend(index.to_le_bytes());
    }
    let mut name = [0; 40];
    name[..5].copy_from_slice(b"world");
    bytes.extend(name);
    for number in [0.0_f32, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0] {
        bytes.extend(number.to_le_bytes());
    }
    bytes.extend(5_u32.to_le_bytes());
    for vertex in 0..5_u32 {
        bytes.extend(vertex.to_le_bytes());
    }
    for _ in 0..5 {
        bytes.extend(1.0_f32.to_le_bytes());
    }
    let text = "<mujoco><deformable><skin name='s' file='a.skn'/></deformable></mujoco>";
    file_mutations("skin", "a.skn", bytes, text, 3_721);
}
