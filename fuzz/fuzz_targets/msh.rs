//! Mesh files with the extension .msh.
#![no_main]

use libfuzzer_sys::fuzz_target;
use sinew_fuzz::{MESH, load};

fuzz_target!(|data: &[u8]| {
    load(&MESH.replace("FILE", "a.msh"), Some(("a.msh", data)));
});
