//! Robots: a link and a joint around whatever comes, and whatever comes as it is.
#![no_main]

use libfuzzer_sys::fuzz_target;

fuzz_target!(|data: &[u8]| {
    let text = String::from_utf8_lossy(data);
    if text.trim_start().starts_with("<robot") {
        sinew_fuzz::load(&text, None);
    } else {
        sinew_fuzz::load(
            &format!("<robot name='r'><link name='a'/>{text}</robot>"),
            None,
        );
    }
});
