//! Mesh files with the extension .stl.
#![no_main]

use libfuzzer_sys::fuzz_target;
use sinew_fuzz::{MESH, load};

fuzz_target!(|data: &[u8]| {
    load(&MESH.replace("FILE", "a.stl"), Some(("a.stl", data)));
});
