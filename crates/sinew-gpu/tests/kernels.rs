//! Compiled kernels that do not belong to the source are not used.

#[path = "../build/sources.rs"]
mod sources;

use std::fs;
use std::path::Path;

#[test]
fn checksums_are_those_of_posix() {
    assert_eq!(sources::checksum(b""), 4_294_967_295);
    assert_eq!(sources::checksum(b"123456789"), 930_766_865);
}

#[test]
fn kernels_are_current_where_the_source_has_not_changed() {
    let own = Path::new(env!("CARGO_MANIFEST_DIR"));
    let crates = own.parent().expect("crates/");
    let present = sources::list(crates).expect("the sources");
    let listed = fs::read_to_string(own.join("kernels/sources.txt")).expect("the list of sources");
    let listed: Vec<&str> = listed.lines().collect();
    assert_eq!(sinew_gpu::ARE_CURRENT, present == listed);
    assert!(!present.is_empty() && !listed.is_empty());
}
