//! The files that kernels are compiled from, with checksums: the list that `device/sources` of `sinew-kernels` writes.

use std::fs;
use std::path::{Path, PathBuf};

/// Where the code of kernels is, below `crates`.
pub const PLACES: [&str; 10] = [
    "sinew-kernels/src",
    "sinew-kernels/device",
    "sinew-dynamics/src",
    "sinew-collision/src/pair",
    "sinew-collision/src/convex",
    "sinew-collision/src/ray",
    "sinew-collision/src/sdf/primitive.rs",
    "sinew-math/src",
    "sinew-model/src/view.rs",
    "sinew-solver/src/problem.rs",
];

/// What lies there and is no part of it: folders, and how names of files begin or end.
const OTHER_FOLDERS: [&str; 3] = ["tests", "lanes", "portal"];
const OTHER_FILES: [&str; 9] = [
    "climb",
    "clip",
    "hfield",
    "round_wall",
    "workspace",
    "eigen",
    "tree_lu",
    "wide",
    "test",
];
const OTHER_ENDING: &str = "_triangle.rs";

/// A line for each file, with the checksum and the length of its lines that are neither empty nor comments. Nothing
/// where the files cannot be read, as in a package.
pub fn list(crates: &Path) -> Option<Vec<String>> {
    let mut files = Vec::new();
    for place in PLACES {
        find(&crates.join(place), &mut files)?;
    }
    let mut lines = Vec::new();
    for file in files {
        let text = fs::read_to_string(&file).ok()?;
        let mut code = String::new();
        for line in text.lines() {
            let start = line.trim_start();
            if !start.is_empty() && !start.starts_with("//") {
                code.push_str(line);
                code.push('\n');
            }
        }
        let path = file.strip_prefix(crates).ok()?.to_string_lossy();
        let path = format!("crates/{}", path.replace('\\', "/"));
        let (sum, length) = (checksum(code.as_bytes()), code.len());
        lines.push((path.clone(), format!("{sum} {length} {path}")));
    }
    lines.sort();
    Some(lines.into_iter().map(|(_, line)| line).collect())
}

fn find(path: &Path, found: &mut Vec<PathBuf>) -> Option<()> {
    let name = path.file_name()?.to_string_lossy();
    if path.is_dir() {
        if !OTHER_FOLDERS.contains(&&*name) {
            for entry in fs::read_dir(path).ok()? {
                find(&entry.ok()?.path(), found)?;
            }
        }
        return Some(());
    }
    let begins_other = OTHER_FILES.iter().any(|start| name.starts_with(start));
    let is_other = name.ends_with(".rs") && (begins_other || name.ends_with(OTHER_ENDING));
    if !is_other {
        found.push(path.to_path_buf());
    }
    Some(())
}

/// The checksum that POSIX describes for `cksum`.
pub fn checksum(bytes: &[u8]) -> u32 {
    let mut length = bytes.len();
    let mut lengths = Vec::new();
    while length > 0 {
        lengths.push(length as u8);
        length >>= 8;
    }
    let mut sum = 0_u32;
    for &byte in bytes.iter().chain(&lengths) {
        sum ^= u32::from(byte) << 24;
        for _ in 0..8 {
            let carry = sum & 0x8000_0000 != 0;
            sum = (sum << 1) ^ if carry { 0x04c1_1db7 } else { 0 };
        }
    }
    !sum
}
