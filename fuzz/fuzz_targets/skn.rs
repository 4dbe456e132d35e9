//! Skin files.
#![no_main]

use libfuzzer_sys::fuzz_target;

fuzz_target!(|data: &[u8]| {
    let text = "<mujoco><deformable><skin name='s' file='a.skn'/></deformable></mujoco>";
    sinew_fuzz::load(text, Some(("a.skn", data)));
});
