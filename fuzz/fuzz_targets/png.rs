//! Images. Checksums are put right first, so that what they guard is reached.
#![no_main]

use libfuzzer_sys::fuzz_target;

const SIGNATURE: &[u8] = b"\x89PNG\r\n\x1a\n";
const TEXT: &str = "<mujoco><asset><texture name='t' type='2d' file='a.png'/>\
    <texture name='u' type='2d' file='a.png' nchannel='4' hflip='true' vflip='true'/>\
    <texture name='c' type='cube' file='a.png' gridsize='3 4' gridlayout='.U..LFRB.D..'/>\
    <hfield name='h' size='1 1 1 1' file='a.png'/></asset></mujoco>";

fuzz_target!(|data: &[u8]| {
    let repaired = repair(data);
    for text in TEXT.split_inclusive("/>").filter_map(one) {
        sinew_fuzz::load(&text, Some(("a.png", &repaired)));
    }
});

/// A model with one of the elements of the text.
fn one(element: &str) -> Option<String> {
    let start = element.rfind("<texture").or(element.rfind("<hfield"))?;
    Some(format!(
        "<mujoco><asset>{}</asset></mujoco>",
        &element[start..]
    ))
}

fn repair(data: &[u8]) -> Vec<u8> {
    let mut out = SIGNATURE.to_vec();
    let mut rest = data.strip_prefix(SIGNATURE).unwrap_or(data);
    while rest.len() >= 8 {
        let length = u32::from_be_bytes([rest[0], rest[1], rest[2], rest[3]]) as usize;
        let body = &rest[4..rest.len().min(length.saturating_add(8))];
        out.extend((body.len() as u32 - 4).to_be_bytes());
        out.extend(body);
        out.extend(checksum(body).to_be_bytes());
        rest = rest.get(body.len() + 8..).unwrap_or_default();
    }
    out.extend(rest);
    out
}

fn checksum(bytes: &[u8]) -> u32 {
    let mut sum = !0_u32;
    for byte in bytes {
        sum ^= u32::from(*byte);
        for _ in 0..8 {
            sum = (sum >> 1) ^ (0xedb8_8320 & (sum & 1).wrapping_neg());
        }
    }
    !sum
}
