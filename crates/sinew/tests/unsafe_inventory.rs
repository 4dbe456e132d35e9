//! Where `unsafe` stands, counted. The numbers may only fall.

use std::fs;
use std::path::{Path, PathBuf};

/// Files with `unsafe` blocks or functions, and how many. Everything else forbids it.
const INVENTORY: &[(&str, usize)] = &[
    ("sinew-batch/src/pool.rs", 1),
    ("sinew-gpu/src/device/batch/copy.rs", 1),
    ("sinew-gpu/src/device/batch/mod.rs", 2),
    ("sinew-gpu/src/device/batch/worlds.rs", 5),
    ("sinew-gpu/src/device/launch.rs", 9),
    ("sinew-gpu/src/device/mod.rs", 2),
    ("sinew-gpu/src/emulated.rs", 4),
    ("sinew-gpu/src/worlds.rs", 3),
    ("sinew-kernels/src/device.rs", 24),
    ("sinew-kernels/src/device/gauge.rs", 1),
    ("sinew-kernels/src/team.rs", 1),
    ("sinew-kernels/src/warp.rs", 10),
    ("sinew-math/src/lanes/neon.rs", 19),
    ("sinew-math/src/lanes/x86/avx2.rs", 4),
    ("sinew-math/src/lanes/x86/mod.rs", 16),
    ("sinew-math/src/mat3.rs", 2),
    ("sinew-math/src/quat.rs", 2),
    ("sinew-math/src/series.rs", 14),
    ("sinew-math/src/vec3.rs", 2),
    ("sinew-math/src/wide.rs", 1),
    ("sinew-python/src/array.rs", 5),
    ("sinew-python/src/batch.rs", 1),
    ("sinew-python/src/data.rs", 1),
    ("sinew-python/src/device.rs", 3),
    ("sinew-python/src/dlpack.rs", 9),
    ("sinew-python/src/model.rs", 1),
    ("sinew-python/src/place.rs", 1),
    ("sinew-python/src/view.rs", 6),
];

/// Crates that name functions for others to call, which counts as unsafe, and have no block or function that is.
const NAMING: &[&str] = &["sinew-playground"];

fn rust_files(folder: &Path, found: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(folder).expect("folder") {
        let path = entry.expect("entry").path();
        if path.is_dir() {
            rust_files(&path, found);
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            found.push(path);
        }
    }
}

#[test]
fn unsafe_code_is_where_the_inventory_says() {
    let crates = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    let mut files = Vec::new();
    for entry in fs::read_dir(&crates).expect("crates/") {
        rust_files(&entry.expect("entry").path().join("src"), &mut files);
    }
    let mut found: Vec<(String, usize)> = Vec::new();
    for file in files {
        let text = fs::read_to_string(&file).expect("source");
        let code = text
            .lines()
            .map(|line| line.split("//").next().unwrap_or(""));
        let count: usize = code
            .map(|line| {
                ["unsafe {", "unsafe fn", "unsafe impl", "unsafe trait"]
                    .iter()
                    .map(|word| line.matches(word).count())
                    .sum::<usize>()
            })
            .sum();
        if count > 0 {
            let name = file.strip_prefix(&crates).expect("below crates/");
            found.push((name.to_string_lossy().replace('\\', "/"), count));
        }
    }
    found.sort();
    let recorded: Vec<(String, usize)> = INVENTORY
        .iter()
        .map(|&(file, count)| (file.to_owned(), count))
        .collect();
    assert_eq!(found, recorded, "say why in the commit, or remove it again");
}

#[test]
fn crates_without_unsafe_forbid_it() {
    let crates = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    for entry in fs::read_dir(&crates).expect("crates/") {
        let folder = entry.expect("entry").path();
        let name = folder
            .file_name()
            .expect("name")
            .to_string_lossy()
            .into_owned();
        let manifest = fs::read_to_string(folder.join("Cargo.toml")).expect("manifest");
        // Either the workspace's lints forbid it, or the crate's own first file does.
        let inherits = manifest.contains("[lints]\nworkspace = true");
        let library = fs::read_to_string(folder.join("src/lib.rs")).unwrap_or_default();
        let forbids = inherits || library.contains("#![forbid(unsafe_code)]");
        let in_inventory = INVENTORY
            .iter()
            .any(|(file, _)| file.starts_with(&format!("{name}/")));
        let is_listed = in_inventory || NAMING.contains(&name.as_str());
        assert!(
            forbids != is_listed,
            "{name} must forbid unsafe code or stand in the inventory"
        );
    }
}
