//! Finds out whether the compiled kernels belong to the source, others are not used, and for which devices there is machine
//! code.

mod sources;

use std::path::Path;
use std::{env, fs, io};

fn main() -> io::Result<()> {
    println!("cargo::rustc-check-cfg=cfg(kernels_are_current)");
    let own = Path::new(env!("CARGO_MANIFEST_DIR"));
    let listed = own.join("kernels/sources.txt");
    println!("cargo::rerun-if-changed=build");
    println!("cargo::rerun-if-changed=kernels");
    let table = Path::new(&env::var("OUT_DIR").unwrap_or_default()).join("machine_code.rs");
    fs::write(table, machine_code(&own.join("kernels"))?)?;
    let Some(crates) = own.parent() else {
        return Ok(());
    };
    for place in sources::PLACES {
        let path = crates.join(place);
        if path.exists() {
            println!("cargo::rerun-if-changed={}", path.display());
        }
    }
    let listed = fs::read_to_string(listed).unwrap_or_default();
    // In a package, where the sources are not beside this crate, they are those that it was made with.
    let are_current = sources::list(crates).is_none_or(|present| present.iter().eq(listed.lines()));
    if are_current {
        println!("cargo::rustc-cfg=kernels_are_current");
    }
    Ok(())
}

/// A list of the machine code beside the kernels: number, architecture, packed bytes. Files are named as in `f32-sm_90.cubin.lzma`.
fn machine_code(folder: &Path) -> io::Result<String> {
    let mut rows = Vec::new();
    for entry in fs::read_dir(folder)? {
        let path = entry?.path();
        let name = path
            .file_name()
            .and_then(|name| name.to_str())
            .unwrap_or("");
        let parts = name
            .strip_suffix(".cubin.lzma")
            .and_then(|stem| stem.split_once("-sm_"));
        if let Some((number, architecture)) = parts {
            let path = path.display().to_string();
            rows.push(format!(
                "    (\"{number}\", {architecture}, include_bytes!({path:?})),\n"
            ));
        }
    }
    rows.sort();
    Ok(format!("&[\n{}]\n", rows.concat()))
}
