//! Meshes against values of MuJoCo 3.5.0, malformed files, and mutated ones.

use super::*;

const TETRAHEDRON: [f32; 12] = [
    0.0, 0.0, 0.0, //
    1.0, 0.0, 0.0, //
    0.0, 2.0, 0.0, //
    0.0, 0.0, 3.0,
];
const TETRAHEDRON_FACES: [i32; 12] = [0, 2, 1, 0, 1, 3, 0, 3, 2, 1, 2, 3];

fn tetrahedron() -> MeshRequest<'static> {
    MeshRequest {
        vertex: &TETRAHEDRON,
        face: &TETRAHEDRON_FACES,
        ..MeshRequest::default()
    }
}

fn file<'a>(name: &'a str, bytes: &'a [u8]) -> MeshRequest<'a> {
    MeshRequest {
        source: MeshSource::File {
            name,
            content_type: "",
            bytes,
        },
        needs_hull: true,
        ..MeshRequest::default()
    }
}

/// A cube with normals and texture coordinates, quads and both kinds of indices.
const CUBE_OBJ: &str = "\
# cube
mtllib none.mtl
o cube
v 0 0 0
v 1 0 0
v 1 1 0
v 0 1 0
v 0.0 0.0 1.0
v 1.0 0.0 1e0
v 1.0 1.0 10e-1
v 0.0 1.0 +1
vt 0 0
vt 1 0.25
vn 0 0 1
vn 0 0 -1
usemtl red
f 4/1/2 3/2/2 2/1/2 1/1/2
f 5/1/1 6/1/1 7/2/1 8/1/1
s off
f -8//2 -7//2 -3//1 -4//1
f 2//2 3//2 7//1 6//1
f 3//2 4//2 8//1 7//1
f 4//2 1//2 5//1 8//1
g second shape, ignored
f 1//1 2//1 7//1
";

fn cube_stl() -> Vec<u8> {
    let mesh = compile_mesh(&file("cube.obj", CUBE_OBJ.as_bytes())).unwrap();
    let mut bytes = vec![b' '; 80];
    bytes.extend((mesh.face.len() as u32).to_le_bytes());
    for face in &mesh.face {
        bytes.extend([0; 12]);
        for vertex in face {
            for x in mesh.vert[*vertex as usize] {
                bytes.extend(x.to_le_bytes());
            }
        }
        bytes.extend([0; 2]);
    }
    bytes
}

fn cube_msh() -> Vec<u8> {
    let mesh = compile_mesh(&file("cube.obj", CUBE_OBJ.as_bytes())).unwrap();
    let mut bytes = Vec::new();
    for count in [8, 8, 8, mesh.face.len()] {
        bytes.extend((count as i32).to_le_bytes());
    }
    for table in [&mesh.vert, &mesh.vert] {
        for x in table.as_flattened() {
            bytes.extend(x.to_le_bytes());
        }
    }
    for k in 0..16_u8 {
        bytes.extend((f32::from(k) / 16.0).to_le_bytes());
    }
    for index in mesh.face.as_flattened() {
        bytes.extend(index.to_le_bytes());
    }
    bytes
}

#[test]
fn transformed_tetrahedron_equals_the_reference_in_every_inertia_mode() {
    let solid = (
        [-1.4999999999999998, -2.249999999999999, 1.4999999999999996],
        [
            0.14770730689233727,
            0.3845247678498316,
            -0.6915074487065749,
            0.5934144443674864,
        ],
        [
            0.9280216693878174,
            -1.179244479843078e-10,
            0.4486377537250519,
        ],
    );
    let convex = (
        solid.0,
        [
            0.5934144445558015,
            0.6915074485470952,
            0.38452476788705336,
            -0.14770730678549793,
        ],
        [
            -0.9280216693878174,
            -1.179241149174004e-10,
            0.4486377537250519,
        ],
    );
    let shell = (
        [-1.4909325828655509, -2.157599249532217, 1.4909325828655504],
        [
            0.14529273693639572,
            0.3865937072454402,
            -0.6920188008468624,
            0.5920686661074306,
        ],
        [
            0.9766221642494202,
            -9.474016016142173e-11,
            0.5235909223556519,
        ],
    );
    for (inertia, (pos, quat, first)) in [
        (MeshInertia::Legacy, solid),
        (MeshInertia::Exact, solid),
        (MeshInertia::Convex, convex),
        (MeshInertia::Shell, shell),
    ] {
        let mesh = compile_mesh(&MeshRequest {
            refpos: [1.0, 2.0, 3.0],
            refquat: [1.0, 1.0, 0.0, 0.0],
            scale: [2.0, 1.0, 1.0],
            inertia,
            needs_hull: true,
            ..tetrahedron()
        })
        .unwrap();
        assert_eq!(mesh.pos.0, pos);
        assert_eq!(mesh.quat.0, quat);
        let first: [f64; 3] = first;
        assert_eq!(mesh.vert[0], first.map(|x| x as f32));
        if inertia != MeshInertia::Shell {
            assert!((mesh.volume - 2.0).abs() < 1e-14);
        }
    }
}

#[test]
fn products_of_the_tetrahedron_equal_the_reference() {
    let mesh = compile_mesh(&MeshRequest {
        needs_hull: true,
        ..tetrahedron()
    })
    .unwrap();
    assert_eq!(mesh.bvh.nodeid, [-1, -1, 0, 3, -1, 2, 1]);
    assert_eq!(
        mesh.bvh.aabb[0],
        [
            -0.046366348997293416,
            0.16219603135089322,
            0.5701105059685723,
            0.4697409950902548,
            1.0684717245507858,
            1.7346546012032606
        ]
    );
    assert_eq!(mesh.polyvert, [2, 3, 1, 2, 1, 0, 1, 3, 0, 3, 2, 0]);
    assert_eq!(mesh.polyvertnum, [3; 4]);
    assert_eq!(
        mesh.polynormal[0].0,
        [
            0.9816504319662539,
            0.18037997201083814,
            0.061850587045204165
        ]
    );
    assert_eq!(
        mesh.normal[0],
        [
            -0.9394819736480713_f32,
            0.3322484791278839,
            0.08357354253530502
        ]
    );
}

#[test]
fn obj_quads_are_cut_and_later_shapes_ignored() {
    let mesh = compile_mesh(&file("cube.OBJ", CUBE_OBJ.as_bytes())).unwrap();
    assert_eq!(mesh.vert.len(), 8);
    assert_eq!(mesh.face.len(), 12);
    assert_eq!(mesh.face[0], [3, 2, 1]);
    assert_eq!(mesh.facenormal[2], [0, 0, 0]);
    assert_eq!(mesh.facetexcoord[0], [0, 1, 0]);
    assert_eq!(mesh.facetexcoord[4], [-1, -1, -1]);
    // The second texture coordinate is counted from the other side.
    assert_eq!(mesh.texcoord, [[0.0, 1.0], [1.0, 0.75]]);
    assert!((mesh.volume - 1.0).abs() < 1e-15);
    assert_eq!(mesh.polyvertnum, [4; 6]);
    assert_eq!(mesh.graph[..2], [8, 12]);
}

#[test]
fn stl_vertices_are_merged_in_order_of_appearance() {
    let mesh = compile_mesh(&file("cube.stl", &cube_stl())).unwrap();
    assert_eq!(mesh.vert.len(), 8);
    assert_eq!(mesh.face[0], [0, 1, 2]);
    assert_eq!(mesh.face.len(), 12);
}

#[test]
fn mirroring_scale_turns_faces_of_files_around() {
    let bytes = cube_stl();
    let mirrored = MeshRequest {
        scale: [1.0, 1.0, -1.0],
        inertia: MeshInertia::Exact,
        ..file("cube.stl", &bytes)
    };
    let mesh = compile_mesh(&mirrored).unwrap();
    assert_eq!(mesh.face[0], [0, 2, 1]);
    assert!((mesh.volume - 1.0).abs() < 1e-12);
}

#[test]
fn msh_normals_and_texture_coordinates_share_the_vertex_index() {
    let mesh = compile_mesh(&file("cube.msh", &cube_msh())).unwrap();
    assert_eq!(mesh.facenormal, mesh.face);
    assert_eq!(mesh.facetexcoord, mesh.face);
    assert_eq!(mesh.texcoord[3], [6.0 / 16.0, 7.0 / 16.0]);
}

#[test]
fn builtin_shapes_have_their_vertices_and_volumes() {
    for (builtin, params, vertices) in [
        (MeshBuiltin::Sphere, &[1.0][..], 42),
        (MeshBuiltin::Hemisphere, &[2.0], 26),
        (MeshBuiltin::Cone, &[6.0, 0.5], 12),
        (MeshBuiltin::Cone, &[6.0, 0.0], 7),
        (MeshBuiltin::Supersphere, &[10.0, 1.0, 1.0], 92),
        (MeshBuiltin::Supertorus, &[8.0, 0.4, 1.0, 1.0], 64),
        (MeshBuiltin::Wedge, &[4.0, 4.0, 90.0, 45.0, 0.0], 16),
        (MeshBuiltin::Plate, &[3.0, 4.0], 12),
    ] {
        let mesh = compile_mesh(&MeshRequest {
            source: MeshSource::Builtin { builtin, params },
            ..MeshRequest::default()
        })
        .unwrap();
        assert_eq!(mesh.vert.len(), vertices, "{builtin:?}");
        let is_shell = builtin == MeshBuiltin::Plate;
        assert_eq!(mesh.inertia == MeshInertia::Shell, is_shell);
    }
}

#[test]
fn errors_say_what_and_where() {
    let check = |request: MeshRequest, expected: &str| {
        let error = compile_mesh(&request).unwrap_err().to_string();
        assert!(error.contains(expected), "{error:?} lacks {expected:?}");
    };
    check(file("a.stl", b""), "empty");
    check(file("a.stl", b"solid ascii"), "shorter than 84 bytes");
    let mut text = b"solid of a text file ".repeat(8);
    check(file("a.stl", &text), "perhaps this is an ASCII file?");
    text.truncate(84);
    text[80..].copy_from_slice(&3_u32.to_le_bytes());
    check(
        file("a.stl", &text),
        "0 bytes of faces, which is not what its header says",
    );
    check(file("a.msh", &[0; 15]), "missing header");
    check(file("a.msh", &[255; 16]), "invalid sizes");
    let mut huge = Vec::new();
    for _ in 0..4 {
        huge.extend(i32::MAX.to_le_bytes());
    }
    check(file("a.msh", &huge), "may have 10000000 vertices");
    check(file("a.obj", b"v 1 2 x\n"), "line 1: `v` has a malformed");
    check(file("a.obj", b"\nv 1 2\n"), "line 2: `v` has too few");
    check(file("a.obj", b"v 1 2 3\nf 0 1 2\n"), "line 2: an index");
    check(file("a.obj", b"v 1 2 3\n"), "at least 4 vertices");
    let corners = "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nvn 0 0 1\nvt 0 0\n";
    let text = format!("{corners}f 1//1 2//2 3//1\n");
    check(
        file("a.obj", text.as_bytes()),
        "in face 0, normal index 1 does not exist",
    );
    let text = format!("{corners}f 1/1 2/7 3/1\n");
    check(
        file("a.obj", text.as_bytes()),
        "in face 0, texcoord index 6 does not exist",
    );
    check(file("a.ply", b""), "model/ply");
    check(file("a", b""), "unknown or unsupported");
    check(
        MeshRequest {
            face: &[0, 1, 4],
            ..tetrahedron()
        },
        "vertex index 4 does not exist",
    );
    check(
        MeshRequest {
            face: &[0, 1],
            ..tetrahedron()
        },
        "multiple of 3",
    );
    check(
        MeshRequest {
            vertex: &[
                0.0,
                0.0,
                f32::NAN,
                1.0,
                0.0,
                0.0,
                0.0,
                1.0,
                0.0,
                0.0,
                0.0,
                1.0,
            ],
            face: &[],
            ..tetrahedron()
        },
        "vertex 0 are not finite",
    );
    check(
        MeshRequest {
            scale: [1.0, f64::INFINITY, 1.0],
            ..tetrahedron()
        },
        "scale must be finite",
    );
    check(
        MeshRequest {
            scale: [1.0, 1.0, 0.0],
            ..tetrahedron()
        },
        "volume is too small",
    );
    check(
        MeshRequest {
            face: &[0, 1, 2, 0, 1, 3, 0, 3, 2, 1, 2, 3],
            inertia: MeshInertia::Exact,
            ..tetrahedron()
        },
        "inconsistent orientation",
    );
    let twice = file("cube.obj", CUBE_OBJ.as_bytes());
    check(
        MeshRequest {
            vertex: &TETRAHEDRON,
            ..twice
        },
        "repeated vertex",
    );
}

#[test]
fn content_type_overrides_the_extension() {
    let bytes = cube_stl();
    for (content_type, works) in [
        ("model/stl", true),
        ("model/stl;charset=none", true),
        ("model/", false),
        ("model/obj", false),
        ("stl", false),
    ] {
        let mesh = compile_mesh(&MeshRequest {
            source: MeshSource::File {
                name: "cube.dat",
                content_type,
                bytes: &bytes,
            },
            ..MeshRequest::default()
        });
        assert_eq!(mesh.is_ok(), works, "{content_type}");
    }
}

/// Changes, inserts, deletes, repeats or cuts bytes, by a fixed sequence of numbers.
fn mutate(bytes: &[u8], state: &mut u64) -> Vec<u8> {
    let mut next = |limit: usize| {
        *state = state
            .wrapping_mul(6364136223846793005)
            .wrapping_add(1442695040888963407);
        (*state >> 33) as usize % limit.max(1)
    };
    let mut result = bytes.to_vec();
    for _ in 0..1 + next(4) {
        let at = next(result.len());
        match next(7) {
            0 => result[at..]
                .iter_mut()
                .take(1)
                .for_each(|b| *b ^= 1 << (at % 8)),
            1 => result[at..].iter_mut().take(1).for_each(|b| *b = 255),
            2 => result.insert(at, b"0-/. e9\nvf"[at % 10]),
            3 => drop(result.drain(at..(at + next(9)).min(result.len()))),
            4 => {
                let part = result[at..(at + next(40)).min(result.len())].to_vec();
                result.splice(at..at, part);
            }
            5 => {
                let value = [0, 1, 0x7fff_ffff, 0x8000_0000, 0x7f80_0000, 0xffff_ffff][next(6)];
                let value: u32 = value;
                let words = result[at / 4 * 4..].iter_mut().take(4);
                words.zip(value.to_le_bytes()).for_each(|(b, v)| *b = v);
            }
            _ => result.truncate(at),
        }
        if result.is_empty() {
            result.push(b'v');
        }
    }
    result
}

fn survive_mutations(name: &str, bytes: &[u8]) {
    let mut state = 20_000;
    let mut compiled = 0;
    for round in 0..20_000 {
        let mutant = mutate(bytes, &mut state);
        let request = MeshRequest {
            inertia: [
                MeshInertia::Convex,
                MeshInertia::Exact,
                MeshInertia::Legacy,
                MeshInertia::Shell,
            ][round % 4],
            maxhullvert: [-1, 5][round % 2],
            scale: [1.0, 2.0, [1.0, -1.0, 1e-20, 1e30][round / 4 % 4]],
            ..file(name, &mutant)
        };
        if let Ok(mesh) = compile_mesh(&request) {
            compiled += 1;
            assert!(mesh.vert.iter().flatten().all(|x| x.is_finite()));
            let count = mesh.vert.len() as i32;
            assert!(mesh.face.iter().flatten().all(|i| (0..count).contains(i)));
        }
    }
    // The mutations are mild enough that many files stay valid.
    assert!(compiled > 500, "{compiled}");
}

#[test]
fn mutated_obj_files_give_a_mesh_or_an_error() {
    survive_mutations("cube.obj", CUBE_OBJ.as_bytes());
}

#[test]
fn mutated_stl_files_give_a_mesh_or_an_error() {
    survive_mutations("cube.stl", &cube_stl());
}

#[test]
fn mutated_msh_files_give_a_mesh_or_an_error() {
    survive_mutations("cube.msh", &cube_msh());
}
