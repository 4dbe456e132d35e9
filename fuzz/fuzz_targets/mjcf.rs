//! Model files.
#![no_main]

use libfuzzer_sys::fuzz_target;

fuzz_target!(|data: &[u8]| {
    sinew_fuzz::load(&String::from_utf8_lossy(data), None);
});
