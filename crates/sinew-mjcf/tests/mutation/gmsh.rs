//! Files of Gmsh, of which flexcomps are made: both versions, as text and binary.

use super::file_mutations;
use std::fmt::Write;

const MODEL: &str = "<mujoco><worldbody><flexcomp name='f' type='gmsh' file='a.gmsh' dim='3'>\
    <elasticity young='1e4' poisson='.2'/></flexcomp></worldbody></mujoco>";

/// A cube in five tetrahedra.
const POINTS: [[f64; 3]; 8] = [
    [0.0, 0.0, 0.0],
    [1.0, 0.0, 0.0],
    [0.0, 1.0, 0.0],
    [1.0, 1.0, 0.0],
    [0.0, 0.0, 1.0],
    [1.0, 0.0, 1.0],
    [0.0, 1.0, 1.0],
    [1.0, 1.0, 1.0],
];
const SOLIDS: [[i32; 4]; 5] = [
    [1, 2, 3, 5],
    [4, 3, 2, 8],
    [6, 5, 8, 2],
    [7, 8, 5, 3],
    [2, 3, 5, 8],
];

fn mutate(format: &'static str, bytes: Vec<u8>, expected: u64) {
    file_mutations(format, "a.gmsh", bytes, MODEL, expected);
}

#[test]
fn mutated_text_of_version_22() {
    let mut text = "$MeshFormat\n2.2 0 8\n$EndMeshFormat\n$Nodes\n8\n".to_string();
    for (index, [x, y, z]) in POINTS.iter().enumerate() {
        let _ = writeln!(text, "{} {x} {y} {z}", index + 1);
    }
    text.push_str("$EndNodes\n$Elements\n5\n");
    for (index, [a, b, c, d]) in SOLIDS.iter().enumerate() {
        let _ = writeln!(text, "{} 4 2 0 1 {a} {b} {c} {d}", index + 1);
    }
    text.push_str("$EndElements\n");
    mutate("gmsh 2.2", text.into_bytes(), 1_103);
}

#[test]
fn mutated_binaries_of_version_22() {
    let mut bytes = b"$MeshFormat\n2.2 1 8\n\x01\0\0\0\n$EndMeshFormat\n$Nodes\n8\n".to_vec();
    for (index, point) in POINTS.iter().enumerate() {
        bytes.extend((index as i32 + 1).to_le_bytes());
        bytes.extend(point.iter().flat_map(|x| x.to_le_bytes()));
    }
    bytes.extend(b"\n$EndNodes\n$Elements\n5\n");
    // One header for all elements, which have no tags.
    bytes.extend([4_i32, 5, 0].iter().flat_map(|word| word.to_le_bytes()));
    for (index, solid) in SOLIDS.iter().enumerate() {
        bytes.extend((index as i32 + 1).to_le_bytes());
        bytes.extend(solid.iter().flat_map(|node| node.to_le_bytes()));
    }
    bytes.extend(b"\n$EndElements\n");
    mutate("gmsh 2.2 binary", bytes, 4_504);
}

#[test]
fn mutated_text_of_version_41() {
    let mut text = "$MeshFormat\n4.1 0 8\n$EndMeshFormat\n$Nodes\n1 8 1 8\n3 1 0 8\n".to_string();
    for tag in 1..=POINTS.len() {
        let _ = writeln!(text, "{tag}");
    }
    for [x, y, z] in POINTS {
        let _ = writeln!(text, "{x} {y} {z}");
    }
    text.push_str("$EndNodes\n$Elements\n1 5 1 5\n3 1 4 5\n");
    for (index, [a, b, c, d]) in SOLIDS.iter().enumerate() {
        let _ = writeln!(text, "{} {a} {b} {c} {d}", index + 1);
    }
    text.push_str("$EndElements\n");
    mutate("gmsh 4.1", text.into_bytes(), 1_036);
}

#[test]
fn mutated_binaries_of_version_41() {
    let long = |number: usize| (number as u64).to_le_bytes();
    let header = |bytes: &mut Vec<u8>, count: usize, kind: i32| {
        bytes.extend([1, count, 1, count].iter().flat_map(|number| long(*number)));
        bytes.extend([3, 1, kind].iter().flat_map(|word| word.to_le_bytes()));
        bytes.extend(long(count));
    };
    let mut bytes = b"$MeshFormat\n4.1 1 8\n\x01\0\0\0\n$EndMeshFormat\n$Nodes\n".to_vec();
    header(&mut bytes, POINTS.len(), 0);
    bytes.extend((1..=POINTS.len()).flat_map(long));
    let coordinates = POINTS.as_flattened().iter();
    bytes.extend(coordinates.flat_map(|x| x.to_le_bytes()));
    bytes.extend(b"\n$EndNodes\n$Elements\n");
    header(&mut bytes, SOLIDS.len(), 4);
    for (index, solid) in SOLIDS.iter().enumerate() {
        bytes.extend(long(index + 1));
        bytes.extend(solid.iter().flat_map(|node| long(*node as usize)));
    }
    bytes.extend(b"\n$EndElements\n");
    mutate("gmsh 4.1 binary", bytes, 2_716);
}
