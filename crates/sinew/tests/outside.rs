//! A crate outside of the workspace can replace every law: it is compiled against the library as built, and run.

use std::path::{Path, PathBuf};
use std::process::Command;

/// The libraries of the facade that are built, the newest first.
fn libraries(folder: &Path) -> Vec<PathBuf> {
    let entries = std::fs::read_dir(folder).expect("the folder of this test");
    let paths = entries.filter_map(|entry| Some(entry.ok()?.path()));
    let is_facade = |path: &PathBuf| {
        let name = path
            .file_name()
            .and_then(|name| name.to_str())
            .unwrap_or("");
        name.starts_with("libsinew-") && name.ends_with(".rlib")
    };
    let mut found: Vec<PathBuf> = paths.filter(is_facade).collect();
    found.sort_by_key(|path| {
        std::fs::metadata(path)
            .and_then(|data| data.modified())
            .ok()
    });
    found.reverse();
    found
}

#[test]
fn a_crate_outside_replaces_every_law() {
    let this = std::env::current_exe().expect("this test is a file");
    let folder = this.parent().expect("in a folder").to_path_buf();
    let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/outside/src/main.rs");
    let program = folder.join(format!("outside-{}", std::process::id()));
    let compiler = std::env::var("RUSTC").unwrap_or_else(|_| "rustc".into());
    let mut said = String::new();
    // Other builds may have left libraries of other versions of their dependencies.
    let is_built = libraries(&folder).iter().any(|library| {
        let output = Command::new(&compiler)
            .args([
                "--edition",
                "2024",
                "-C",
                "opt-level=2",
                "--crate-name",
                "outside",
            ])
            .arg(&source)
            .arg("--extern")
            .arg(format!("sinew={}", library.display()))
            .arg("-L")
            .arg(format!("dependency={}", folder.display()))
            .arg("-o")
            .arg(&program)
            .output()
            .expect("there is a compiler");
        said = String::from_utf8_lossy(&output.stderr).into_owned();
        output.status.success()
    });
    assert!(is_built, "{said}");
    let output = Command::new(&program).output().expect("it was built");
    let _ = std::fs::remove_file(&program);
    let (out, error) = (
        String::from_utf8_lossy(&output.stdout),
        String::from_utf8_lossy(&output.stderr),
    );
    assert!(output.status.success(), "{error}");
    assert_eq!(out, "flex `cloth`: paper has a stiffness\n");
}
