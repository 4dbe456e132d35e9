//! Height files, with something that falls on them.
#![no_main]

use libfuzzer_sys::fuzz_target;

fuzz_target!(|data: &[u8]| {
    let text = "<mujoco><asset><hfield name='h' size='1 1 1 1' file='a.bin'/></asset><worldbody>\
        <geom type='hfield' hfield='h'/><body pos='0 0 .5'><freejoint/><geom size='.3'/></body>\
        <body pos='.3 0 .5'><freejoint/><geom type='box' size='.2 .3 .1'/></body></worldbody></mujoco>";
    sinew_fuzz::load(text, Some(("a.bin", data)));
});
