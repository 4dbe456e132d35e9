//! PNG files whose checksums are right and whose chunks are not.

use crate::{limits, survives};
use sinew_mjcf::Loader;

const TEXT: &str = "<mujoco><asset><texture name='t' type='2d' file='a.png'/>\
    <hfield name='h' size='1 1 1 1' file='a.png'/></asset></mujoco>";

fn chunk(kind: &[u8; 4], body: &[u8]) -> Vec<u8> {
    let named = [kind, body].concat();
    let mut sum = !0_u32;
    for byte in &named {
        sum ^= u32::from(*byte);
        for _ in 0..8 {
            sum = (sum >> 1) ^ (0xedb8_8320 & (sum & 1).wrapping_neg());
        }
    }
    let length = (body.len() as u32).to_be_bytes();
    [&length[..], &named, &(!sum).to_be_bytes()].concat()
}

/// A zlib stream without compression.
fn stored(bytes: &[u8]) -> Vec<u8> {
    let (mut a, mut b) = (1_u32, 0_u32);
    for byte in bytes {
        a = (a + u32::from(*byte)) % 65521;
        b = (b + a) % 65521;
    }
    let length = (bytes.len() as u16).to_le_bytes();
    let complement = (!(bytes.len() as u16)).to_le_bytes();
    let sum = ((b << 16) | a).to_be_bytes();
    [&[0x78, 1, 1][..], &length, &complement, bytes, &sum].concat()
}

fn header(width: u32, height: u32, depth: u8, colour: u8, interlace: u8) -> Vec<u8> {
    let mut body = [width.to_be_bytes(), height.to_be_bytes()].concat();
    body.extend([depth, colour, 0, 0, interlace]);
    chunk(b"IHDR", &body)
}

fn file(chunks: &[Vec<u8>]) -> Vec<u8> {
    [b"\x89PNG\r\n\x1a\n".to_vec(), chunks.concat()].concat()
}

fn load(chunks: &[Vec<u8>]) -> bool {
    let loader = Loader::new().limits(limits()).asset("a.png", file(chunks));
    survives(&loader, TEXT)
}

/// Two rows of two pixels with one byte each.
fn pixels() -> Vec<u8> {
    chunk(b"IDAT", &stored(&[0, 0, 1, 0, 2, 255]))
}

fn end() -> Vec<u8> {
    chunk(b"IEND", &[])
}

#[test]
fn palettes_of_every_length() {
    for length in (0..12).chain([765, 766, 767, 768, 769, 771, 3000, 65_536]) {
        let palette = chunk(b"PLTE", &vec![9; length]);
        let is_whole = length > 0 && length <= 768 && length % 3 == 0;
        for transparency in [None, Some(0), Some(1), Some(256), Some(257), Some(900)] {
            let mut chunks = vec![header(2, 2, 8, 3, 0), palette.clone()];
            chunks.extend(transparency.map(|length| chunk(b"tRNS", &vec![1; length])));
            chunks.extend([pixels(), end()]);
            assert_eq!(load(&chunks), is_whole, "{length} bytes, {transparency:?}");
        }
    }
    // None, two, one after the pixels.
    let palette = || chunk(b"PLTE", &[1, 2, 3]);
    let header = || header(2, 2, 8, 3, 0);
    assert!(!load(&[header(), pixels(), end()]));
    load(&[header(), palette(), palette(), pixels(), end()]);
    load(&[header(), pixels(), palette(), end()]);
    load(&[header(), chunk(b"tRNS", &[1]), palette(), pixels(), end()]);
}

#[test]
fn headers_of_every_kind() {
    for depth in [0, 1, 2, 3, 4, 8, 15, 16, 17, 255] {
        for colour in 0..=7 {
            for interlace in [0, 1, 2] {
                for (width, height) in [(2, 2), (1, 1), (0, 2), (2, 0), (3, 5), (u32::MAX, 1)] {
                    let header = header(width, height, depth, colour, interlace);
                    let palette = chunk(b"PLTE", &[1, 2, 3, 4, 5, 6]);
                    load(&[header.clone(), pixels(), end()]);
                    load(&[header.clone(), palette, pixels(), end()]);
                    for length in [0, 1, 2, 3, 6, 7] {
                        let alpha = chunk(b"tRNS", &vec![0; length]);
                        load(&[header.clone(), alpha, pixels(), end()]);
                    }
                }
            }
        }
    }
    for length in 0..20 {
        load(&[chunk(b"IHDR", &vec![1; length]), pixels(), end()]);
    }
}

#[test]
fn other_chunks_of_every_length() {
    let kinds = [
        b"gAMA", b"cHRM", b"sRGB", b"iCCP", b"sBIT", b"bKGD", b"hIST", b"pHYs", b"sPLT", b"tIME",
        b"tEXt", b"zTXt", b"iTXt", b"eXIf", b"acTL", b"fcTL", b"fdAT", b"cICP", b"mDCV", b"cLLI",
        b"IDAT", b"IHDR", b"IEND", b"xxxx", b"XXXX",
    ];
    for kind in kinds {
        for length in (0..40).chain([100, 769, 5000]) {
            for fill in [0, 1, 255] {
                let extra = chunk(kind, &vec![fill; length]);
                let header = header(2, 2, 8, 0, 0);
                load(&[header.clone(), extra.clone(), pixels(), end()]);
                load(&[header.clone(), pixels(), extra.clone(), end()]);
                load(&[extra.clone(), header, pixels(), end()]);
            }
        }
    }
}

#[test]
fn pixels_that_are_too_few_too_many_or_bent() {
    for count in 0..12 {
        load(&[
            header(2, 2, 8, 0, 0),
            chunk(b"IDAT", &stored(&vec![0; count])),
            end(),
        ]);
        // Filters from 5 on do not exist.
        let bent = chunk(b"IDAT", &stored(&[count as u8; 6]));
        load(&[header(2, 2, 8, 0, 0), bent, end()]);
    }
    let whole = stored(&[0, 0, 1, 0, 2, 255]);
    for at in 0..whole.len() {
        for value in [0, 1, 127, 255] {
            let mut bent = whole.clone();
            bent[at] = value;
            load(&[header(2, 2, 8, 0, 0), chunk(b"IDAT", &bent), end()]);
        }
        load(&[header(2, 2, 8, 0, 0), chunk(b"IDAT", &whole[..at]), end()]);
        let (first, second) = whole.split_at(at);
        let split = [chunk(b"IDAT", first), chunk(b"IDAT", second)].concat();
        assert!(
            load(&[header(2, 2, 8, 0, 0), split, end()]),
            "split at {at}"
        );
    }
}
