#![allow(clippy::expect_used, clippy::indexing_slicing)]

use super::{GmshMesh, MeshError, Pace};
use core::cell::Cell;
use sinew_math::Vec3;

const TEXT_22: &str = "$MeshFormat\n2.2 0 8\n$EndMeshFormat\n\
    $Nodes\n4\n1 0 0 0\n2 1 0 0\n3 0 1.5 0\n4 0 0 -2e-1\n$EndNodes\n\
    $Elements\n1\n1 4 2 0 1 1 2 3 4\n$EndElements\n";
const TEXT_41: &str = "$MeshFormat\n4.1 0 8\n$EndMeshFormat\n\
    $Nodes\n1 4 1 4\n3 1 0 4\n1\n2\n3\n4\n0 0 0\n1 0 0\n0 1.5 0\n0 0 -2e-1\n$EndNodes\n\
    $Elements\n1 1 1 1\n3 1 4 1\n1 1 2 3 4\n$EndElements\n";
const POINTS: [[f64; 3]; 4] = [
    [0.0, 0.0, 0.0],
    [1.0, 0.0, 0.0],
    [0.0, 1.5, 0.0],
    [0.0, 0.0, -0.2],
];

fn read(bytes: &[u8]) -> Result<GmshMesh, MeshError> {
    super::read(bytes, &Pace::new(&|| true))
}

fn tetrahedron() -> GmshMesh {
    GmshMesh {
        dim: 3,
        points: POINTS.map(Vec3).to_vec(),
        elements: vec![0, 1, 2, 3],
    }
}

fn longs(numbers: &[u64]) -> Vec<u8> {
    numbers
        .iter()
        .flat_map(|number| number.to_le_bytes())
        .collect()
}

fn ints(numbers: &[i32]) -> Vec<u8> {
    numbers
        .iter()
        .flat_map(|number| number.to_le_bytes())
        .collect()
}

/// A binary file of version 2.2; `elements` follow their count.
fn binary_22(elements: &[i32]) -> Vec<u8> {
    let mut bytes = b"$MeshFormat\n2.2 1 8\n\x01\0\0\0\n$EndMeshFormat\n$Nodes\n4\n".to_vec();
    for (point, tag) in POINTS.iter().zip(1..) {
        bytes.extend(ints(&[tag]));
        bytes.extend(point.iter().flat_map(|x| x.to_le_bytes()));
    }
    bytes.extend(b"\n$EndNodes\n$Elements\n1\n");
    bytes.extend(ints(elements));
    bytes.extend(b"\n$EndElements\n");
    bytes
}

fn binary_41() -> Vec<u8> {
    let mut bytes = b"$MeshFormat\n4.1 1 8\n\x01\0\0\0\n$EndMeshFormat\n$Nodes\n".to_vec();
    bytes.extend(longs(&[1, 4, 1, 4]));
    bytes.extend(ints(&[3, 1, 0]));
    bytes.extend(longs(&[4, 1, 2, 3, 4]));
    bytes.extend(POINTS.as_flattened().iter().flat_map(|x| x.to_le_bytes()));
    bytes.extend(b"\n$EndNodes\n$Elements\n");
    bytes.extend(longs(&[1, 1, 1, 1]));
    bytes.extend(ints(&[3, 1, 4]));
    bytes.extend(longs(&[1, 7, 1, 2, 3, 4]));
    bytes.extend(b"\n$EndElements\n");
    bytes
}

#[test]
fn all_kinds_of_file_hold_the_same_tetrahedron() {
    let own_headers = binary_22(&[4, 1, 2, 1, 0, 1, 1, 2, 3, 4]);
    // Without tags one header stands for all elements.
    let shared_header = binary_22(&[4, 1, 0, 1, 1, 2, 3, 4]);
    for bytes in [
        TEXT_22.as_bytes().to_vec(),
        TEXT_22.replace('\n', "\r\n").into_bytes(),
        TEXT_41.as_bytes().to_vec(),
        own_headers,
        shared_header,
        binary_41(),
    ] {
        assert_eq!(read(&bytes).expect("a mesh"), tetrahedron());
    }
}

#[test]
fn errors_name_the_line() {
    for (from, to, said) in [
        (
            "3 0 1.5 0",
            "3 0 x 0",
            "line 8: expected a coordinate of a node, found `x`",
        ),
        (
            "1 2 3 4\n$End",
            "1 2 3 9\n$End",
            "line 13: an element has node 9, there are 4",
        ),
        (
            "\n4\n1",
            "\n4 \n1",
            "line 5: expected a line with nothing but",
        ),
        ("1 4 2", "1 3 2", "line 13: elements of kind 3"),
        ("2.2 0", "2.1 0", "Gmsh format 2.1 is not supported"),
        (
            "$EndElements\n",
            "$EndElements",
            "no $EndElements after $Elements",
        ),
    ] {
        let text = TEXT_22.replace(from, to);
        assert_ne!(text, TEXT_22, "{from}");
        let error = read(text.as_bytes()).expect_err(from).to_string();
        assert!(error.starts_with(said) || error.contains(said), "{error}");
    }
}

#[test]
fn counts_beyond_the_file_reserve_nothing() {
    for (text, from, to) in [
        (TEXT_22, "\n4\n1", "\n500000000\n1"),
        (
            TEXT_41,
            "1 4 1 4\n3 1 0 4",
            "1 500000000 1 500000000\n3 1 0 500000000",
        ),
    ] {
        let text = text.replace(from, to);
        let error = read(text.as_bytes())
            .expect_err("too few nodes")
            .to_string();
        assert!(
            error.contains("expected")
                || error.contains("missing")
                || error.contains("consecutive"),
            "{error}"
        );
    }
}

/// Files are read as long as the caller wants, wherever they are long.
#[test]
fn long_files_ask_whether_to_go_on() {
    let blanks = " ".repeat(3 * Pace::BYTES);
    let long_node = TEXT_41.replace("0 1.5 0", &format!("0{blanks}1.5 0"));
    let far_section = TEXT_22.replace("$Nodes", &format!("{blanks}$Nodes"));
    let long_word = TEXT_22.replace("1.5", &format!("1.5{}", "0".repeat(3 * Pace::BYTES)));
    for text in [long_node, far_section, long_word] {
        let asked = Cell::new(0);
        let ask = || {
            asked.set(asked.get() + 1);
            true
        };
        let mesh = super::read(text.as_bytes(), &Pace::new(&ask));
        assert_eq!(mesh.expect("a mesh"), tetrahedron());
        let calls = asked.get();
        assert!(calls >= 3, "{calls}");
        for last in 0..calls {
            asked.set(0);
            let ask = || {
                asked.set(asked.get() + 1);
                asked.get() <= last
            };
            let mesh = super::read(text.as_bytes(), &Pace::new(&ask));
            assert_eq!(mesh, Err(MeshError::Late));
            assert_eq!(asked.get(), last + 1);
        }
    }
}
