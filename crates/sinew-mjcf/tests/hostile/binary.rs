//! Binary files: every 32-bit word of their headers set to what a reader may trust, and every cut.

use crate::{limits, survives};
use sinew_mjcf::Loader;

const WORDS: [u32; 12] = [
    0,
    1,
    2,
    3,
    4,
    0x7fff_ffff,
    0x8000_0000,
    0xffff_ffff,
    0x4000_0000,
    0x5555_5556,
    0x0001_0000,
    0x7fc0_0000,
];

const CORNERS: [[f32; 3]; 4] = [[0.0; 3], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]];
const FACES: [[i32; 3]; 4] = [[0, 2, 1], [0, 1, 3], [1, 2, 3], [2, 0, 3]];

struct Format {
    file: &'static str,
    bytes: Vec<u8>,
    /// Where the words of the header start.
    words: Vec<usize>,
    text: &'static str,
}

fn put<const N: usize>(out: &mut Vec<u8>, words: impl IntoIterator<Item = [u8; N]>) {
    out.extend(words.into_iter().flatten());
}

fn mesh(file: &'static str, bytes: Vec<u8>, words: Vec<usize>) -> Format {
    let text = match file {
        "a.stl" => {
            "<mujoco><asset><mesh name='m' file='a.stl'/></asset>\
            <worldbody><body><freejoint/><geom type='mesh' mesh='m'/></body></worldbody></mujoco>"
        }
        _ => {
            "<mujoco><asset><mesh name='m' file='a.msh'/></asset>\
            <worldbody><body><freejoint/><geom type='mesh' mesh='m'/></body></worldbody></mujoco>"
        }
    };
    Format {
        file,
        bytes,
        words,
        text,
    }
}

fn stl() -> Format {
    let mut bytes = vec![0; 80];
    bytes.extend(4_u32.to_le_bytes());
    for face in FACES {
        bytes.extend([0; 12]);
        for corner in face {
            put(&mut bytes, CORNERS[corner as usize].map(f32::to_le_bytes));
        }
        bytes.extend([0; 2]);
    }
    mesh("a.stl", bytes, (80..84).step_by(4).chain(96..132).collect())
}

fn msh() -> Format {
    let mut bytes = Vec::new();
    put(&mut bytes, [4_i32, 4, 4, 4].map(i32::to_le_bytes));
    put(
        &mut bytes,
        CORNERS.as_flattened().iter().map(|x| x.to_le_bytes()),
    );
    put(
        &mut bytes,
        CORNERS.as_flattened().iter().map(|x| x.to_le_bytes()),
    );
    put(&mut bytes, [0.0_f32; 8].map(f32::to_le_bytes));
    put(
        &mut bytes,
        FACES.as_flattened().iter().map(|x| x.to_le_bytes()),
    );
    let words = (0..bytes.len()).step_by(4).collect();
    mesh("a.msh", bytes, words)
}

fn heights() -> Format {
    let mut bytes = Vec::new();
    put(&mut bytes, [2_i32, 3].map(i32::to_le_bytes));
    put(
        &mut bytes,
        [0.0_f32, 1.0, 2.0, 3.0, 4.0, 5.0].map(f32::to_le_bytes),
    );
    let words = (0..bytes.len()).step_by(4).collect();
    Format {
        file: "a.bin",
        bytes,
        words,
        text: "<mujoco><asset><hfield name='h' size='1 1 1 1' file='a.bin'/></asset>\
            <worldbody><geom type='hfield' hfield='h'/>\
            <body pos='0 0 .5'><freejoint/><geom size='1'/></body></worldbody></mujoco>",
    }
}

fn texture() -> Format {
    let mut bytes = Vec::new();
    put(&mut bytes, [2_i32, 2].map(i32::to_le_bytes));
    bytes.extend([7; 12]);
    Format {
        file: "a.tex",
        bytes,
        words: vec![0, 4],
        text: "<mujoco><asset><texture name='t' type='2d' file='a.tex'/></asset></mujoco>",
    }
}

fn skin() -> Format {
    let mut bytes = Vec::new();
    put(&mut bytes, [4_i32, 4, 4, 1].map(i32::to_le_bytes));
    put(
        &mut bytes,
        CORNERS.as_flattened().iter().map(|x| x.to_le_bytes()),
    );
    put(&mut bytes, [0.0_f32; 8].map(f32::to_le_bytes));
    put(
        &mut bytes,
        FACES.as_flattened().iter().map(|x| x.to_le_bytes()),
    );
    let mut name = b"world".to_vec();
    name.resize(40, 0);
    bytes.extend(name);
    put(
        &mut bytes,
        [0.0_f32, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0].map(f32::to_le_bytes),
    );
    put(&mut bytes, [4_i32, 0, 1, 2, 3].map(i32::to_le_bytes));
    put(&mut bytes, [1.0_f32; 4].map(f32::to_le_bytes));
    let words = (0..bytes.len()).step_by(4).collect();
    Format {
        file: "a.skn",
        bytes,
        words,
        text: "<mujoco><deformable><skin name='s' file='a.skn'/></deformable></mujoco>",
    }
}

#[test]
fn words_and_cuts_of_every_format() {
    for format in [stl(), msh(), heights(), texture(), skin()] {
        let load = |bytes: Vec<u8>| {
            let loader = Loader::new().limits(limits()).asset(format.file, bytes);
            survives(&loader, format.text)
        };
        assert!(load(format.bytes.clone()), "{} as it is", format.file);
        for &at in &format.words {
            for word in WORDS {
                let mut bytes = format.bytes.clone();
                bytes[at..at + 4].copy_from_slice(&word.to_le_bytes());
                load(bytes);
            }
        }
        // A second wrong word may undo the check of a first.
        for (index, &first) in format.words.iter().enumerate().take(4) {
            for &second in format.words.iter().skip(index + 1).take(4) {
                for a in WORDS {
                    for b in WORDS {
                        let mut bytes = format.bytes.clone();
                        bytes[first..first + 4].copy_from_slice(&a.to_le_bytes());
                        bytes[second..second + 4].copy_from_slice(&b.to_le_bytes());
                        load(bytes);
                    }
                }
            }
        }
        for length in 0..format.bytes.len() {
            assert!(
                !load(format.bytes[..length].to_vec()),
                "{} cut",
                format.file
            );
        }
    }
}

#[test]
fn faces_of_an_obj_file_name_what_they_like() {
    let corners = "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nvn 0 0 1\nvt 0 0\n";
    let good = "f 1 3 2\nf 1 2 4\nf 2 3 4\nf 3 1 4\n";
    let text = "<mujoco><asset><mesh name='m' file='a.obj'/></asset>\
        <worldbody><body><freejoint/><geom type='mesh' mesh='m'/></body></worldbody></mujoco>";
    let load = |faces: &str| {
        let bytes = format!("{corners}{faces}").into_bytes();
        let loader = Loader::new().limits(limits()).asset("a.obj", bytes);
        survives(&loader, text)
    };
    assert!(load(good));
    for index in [
        "0",
        "5",
        "-1",
        "-4",
        "-5",
        "2147483647",
        "2147483648",
        "-2147483648",
        "9999999999999999999999",
        "",
        "/",
        "//",
        "1/",
        "1//",
        "1/2",
        "1//2",
        "1/1/2",
        "1/-1/-1",
        "1/-2",
        "nan",
        "1e9",
    ] {
        for faces in [
            format!("f {index} 2 3\n"),
            format!("f 1 2 {index}\n"),
            format!("f {index}\n"),
            format!("f {index} {index} {index} {index} {index}\n"),
            format!("{good}f {index} 2 3 4\n"),
            format!("{good}l {index}\np {index}\n"),
        ] {
            load(&faces);
        }
    }
}
