//! Finds out whether the compiled kernels belong to the source: others are not used.

mod sources;

use std::path::Path;

fn main() {
    println!("cargo::rustc-check-cfg=cfg(kernels_are_current)");
    let own = Path::new(env!("CARGO_MANIFEST_DIR"));
    let listed = own.join("kernels/sources.txt");
    println!("cargo::rerun-if-changed=build");
    println!("cargo::rerun-if-changed={}", listed.display());
    let Some(crates) = own.parent() else {
        return;
    };
    for place in sources::PLACES {
        let path = crates.join(place);
        if path.exists() {
            println!("cargo::rerun-if-changed={}", path.display());
        }
    }
    let listed = std::fs::read_to_string(listed).unwrap_or_default();
    // In a package, where the sources are not beside this crate, they are those that it was made with.
    let are_current = sources::list(crates).is_none_or(|present| present.iter().eq(listed.lines()));
    if are_current {
        println!("cargo::rustc-cfg=kernels_are_current");
    }
}
