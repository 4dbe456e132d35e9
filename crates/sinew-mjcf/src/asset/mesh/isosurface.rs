//! A mesh of the surface where a signed distance is zero, by marching cubes.
//!
//! W. Lorensen and H. Cline, "Marching cubes: a high resolution 3D surface construction algorithm"
//! (1987). Space is cut into cubes; the signs at the corners of a cube choose its triangles, whose
//! vertices lie on the edges of the cube, where the distance, taken as linear, vanishes. Vertices
//! are shared between cubes and numbered in the order in which the edges are first met. The choice
//! of triangles and that order are those of the library the reference uses (MarchingCubeCpp by
//! A. Paris, MIT licence): another choice would be as good, but not the same mesh.

use super::raw::RawMesh;
use sinew_collision::sdf::Shape;
use sinew_math::vec3;

/// Grid points along the three sides of the box together.
const RESOLUTION: f64 = 300.0;

/// The triangles of a cube, three edges each, by the signs of its corners (bit i: corner i is
/// inside). Edges 0 to 3 run along x, 4 to 7 along y, 8 to b along z.
#[rustfmt::skip]
const TRIANGLES: [&str; 256] = [
    "", "048", "509", "495489", "1a4", "1801a8", "1a4950", "51a5a99a8", "b15", "5b1804", "0b109b",
    "14818bb89", "a5ba45", "05b0b88ba", "40949aa9b", "8ba89b", "286", "062046", "950628",
    "295256654", "41a286", "a62a21120", "0958621a4", "61a621251295", "28615b", "604620b15",
    "b09b10628", "46162916919b", "5a45ba286", "2a625a5ba052", "286a9ba49409", "2a629a9ba", "927",
    "048792", "250275", "827874475", "1a4279", "1801a8792", "250275a41", "827871175a81", "b15279",
    "0485b1279", "7b1712210", "48242112717b", "a5ba45279", "7928ba80b05b", "ba7a407a0702",
    "7827b8ba8", "879867", "904947746", "086065567", "467475", "7867981a4", "79661a916901",
    "a41567506086", "a51a65675", "87986715b", "15b746794904", "08606bb6710b", "17b147467",
    "4ba45b698679", "670ba0a605b0790", "ba06707b0860a40", "67b6ba", "36a", "a36048", "36a095",
    "94895436a", "341364", "680603301", "341364950", "958836538513", "36a5b1", "15b48036a",
    "0b109b6a3", "6a3b89b18148", "b36b65564", "8368030b305b", "6b360b09b406", "6b368b89b",
    "2a328a", "4a3430032", "a28a32509", "34a394954293", "841812213", "013032", "509213281841",
    "529512132", "2a328a5b1", "b150320434a3", "38a32819b109", "9b4324294a34b14", "5b4428b24b32",
    "b05b30320", "3249b4b34094284", "32939b", "792a36", "2796a3048", "527502a36", "36a475487827",
    "436413927", "927301360680", "164136075027", "138758518278368", "36a79215b", "0486a379215b",
    "a362102717b1", "36ab17127142482", "2795645b6b36", "2798060360535b3", "02b64b40b36b27b",
    "6838b387b827", "37939aa98", "a04a30390379", "8a0a370a7075", "34a374754", "184178798371",
    "937903013", "758138378418508", "137175", "5b1a98a39379", "15ba34304370790", "8a7107087b17a37",
    "37a74a7147b1", "4539838437935b3", "9070370b305b", "08437b", "7b3", "73b", "0483b7", "5093b7",
    "4954893b7", "b7341a", "81a80173b", "1a4b73095", "3b79a895a51a", "173157", "715731804",
    "973930031", "148187789317", "3a4347745", "80aa7307a057", "a40a03309397", "3973a9a89",
    "286b73", "062046b73", "2869503b7", "b73654625295", "3b7a41286", "73b1201a2a62",
    "1a48629503b7", "3b762a21a291951", "173157862", "246204357315", "628031093973",
    "469319149739629", "8627457343a4", "57a20a05a62a73a", "2867393093a0a40", "2969a693a973",
    "3923b9", "3923b9480", "b50b03302", "54b482b42b23", "93b92341a", "0a801a2b923b",
    "41a3023b0b50", "235a858251a53b5", "592521123", "804123152592", "031023", "814821231",
    "3a4349945239", "a852353a5925805", "43a403023", "23a2a8", "63b6b88b9", "63b6b00b9460",
    "86383003b0b5", "b63b56546", "1a48b986b63b", "016b969063b61a6", "1a450b03b083863",
    "a616516b563b", "985863583531", "319469639049159", "608630310", "314346", "983453593a43863",
    "3a6059", "6383083403a4", "3a6", "6b76ab", "b6ab76048", "6b76ab095", "854895a76ab7",
    "1b7174476", "0680b6b761b0", "9504764171b7", "891761681b71951", "a15a56657", "0486576a5a15",
    "7696a1961910", "7618919714816a1", "476457", "068056576", "940974764", "897876", "72878bb8a",
    "b7aa0470a720", "095b8ab78728", "ab25424a2952b72", "4284121721b7", "71b721201",
    "0954181281b2b72", "5191291721b7", "872817157a18", "20a57a72a15a04a", "1078a7a17287097",
    "14a297", "872847457", "205257", "842472497409", "972", "26a2a99ab", "4809ab92a26a",
    "26a2a55ab025", "542ab2b526a2482", "4166921961b9", "b960161b6806926", "64b02b26b50b41b",
    "2681b5", "6a1612215259", "0489252152616a1", "a26a12102", "a16126182148", "259265645",
    "058568526592", "026064", "268", "8ab8b9", "4904a9ab9", "0b508b8ab", "ab5a54", "1841b8b98",
    "01b0b9", "1b4b84b08b50", "b51", "5a159a98a", "4a0a90a59a15", "10818a", "14a", "459498", "590",
    "084", "",
];

/// Corner offsets: x varies first, then y, then z.
const CORNERS: [[usize; 3]; 8] = [
    [0, 0, 0],
    [1, 0, 0],
    [0, 1, 0],
    [1, 1, 0],
    [0, 0, 1],
    [1, 0, 1],
    [0, 1, 1],
    [1, 1, 1],
];

/// The edges in the order they are met: corners they join, axis, and position of the corner they
/// start from. Their place here is not their number in [`TRIANGLES`] but their order of discovery.
const EDGES: [([usize; 2], usize, usize); 12] = [
    ([0, 1], 0, 0),
    ([2, 3], 0, 1),
    ([4, 5], 0, 2),
    ([6, 7], 0, 3),
    ([0, 2], 1, 4),
    ([1, 3], 1, 5),
    ([4, 6], 1, 6),
    ([5, 7], 1, 7),
    ([0, 4], 2, 8),
    ([1, 5], 2, 9),
    ([2, 6], 2, 10),
    ([3, 7], 2, 11),
];

/// Extracts the surface of a shape. `None`: the shape has no sensible size.
pub(super) fn extract(shape: &Shape) -> Option<RawMesh> {
    let half = shape.half_sizes();
    let total: f64 = half.iter().sum();
    if !half.iter().all(|h| h.is_finite() && *h > 0.0) {
        return None;
    }
    let size = half.map(|h| libm::floor(RESOLUTION / total * h) as usize + 1);
    let [nx, ny, nz] = size;
    if size.iter().any(|n| *n < 2) {
        return None;
    }
    let coordinate = |axis: usize, i: usize| {
        0.0 - half[axis] + 2.0 * half[axis] * i as f64 / (size[axis] - 1) as f64
    };
    let mut field = vec![0.0_f32; nx * ny * nz];
    for k in 0..nz {
        for j in 0..ny {
            for i in 0..nx {
                let point = vec3(coordinate(0, i), coordinate(1, j), coordinate(2, k));
                field[(k * ny + j) * nx + i] = shape.distance(point) as f32;
            }
        }
    }
    let mut mesh = march(&field, size);
    for vertex in &mut mesh.vertices {
        for axis in 0..3 {
            let steps = (size[axis] - 1) as f64;
            let value = 2.0 * half[axis] * f64::from(vertex[axis]) / steps + 0.0 - half[axis];
            vertex[axis] = value as f32;
        }
    }
    Some(mesh)
}

/// Marches over the cubes of a field. Vertices are in units of the grid.
fn march(field: &[f32], [nx, ny, nz]: [usize; 3]) -> RawMesh {
    let mut mesh = RawMesh::default();
    // Vertex on the edge along each axis from each grid point, for two layers of the grid.
    let mut on_edge = vec![[0_i32; 3]; 2 * nx * ny];
    let slot = |x: usize, y: usize, z: usize| nx * ny * (z % 2) + y * nx + x;
    for z in 0..nz - 1 {
        for y in 0..ny - 1 {
            for x in 0..nx - 1 {
                let values = CORNERS.map(|[i, j, k]| field[((z + k) * ny + y + j) * nx + x + i]);
                let mut signs = 0;
                for (bit, value) in values.iter().enumerate() {
                    signs |= usize::from(*value < 0.0) << bit;
                }
                if signs == 0 || signs == 255 {
                    continue;
                }
                let position = [x, y, z];
                let mut edges = [0_i32; 12];
                for ([from, to], axis, number) in EDGES {
                    let offset = CORNERS[from];
                    let start = [x + offset[0], y + offset[1], z + offset[2]];
                    // An edge that an earlier cube has seen carries its vertex already.
                    let is_new = (0..3)
                        .all(|other| other == axis || offset[other] == 1 || position[other] == 0);
                    let (a, b) = (values[from], values[to]);
                    let place = slot(start[0], start[1], start[2]);
                    if is_new && (a < 0.0) != (b < 0.0) {
                        let mut vertex = start.map(|n| n as f32);
                        vertex[axis] += a / (a - b);
                        on_edge[place][axis] = mesh.vertices.len() as i32;
                        mesh.vertices.push(vertex);
                        mesh.normals.push([0.0; 3]);
                    }
                    edges[number] = on_edge[place][axis];
                }
                add_triangles(&mut mesh, TRIANGLES[signs], &edges);
            }
        }
    }
    for normal in &mut mesh.normals {
        let [x, y, z] = *normal;
        let length = (x * x + y * y + z * z).sqrt();
        *normal = [x / length, y / length, z / length];
    }
    mesh
}

fn add_triangles(mesh: &mut RawMesh, triangles: &str, edges: &[i32; 12]) {
    let digits: Vec<usize> = triangles
        .chars()
        .filter_map(|digit| digit.to_digit(16))
        .map(|digit| digit as usize)
        .collect();
    for triangle in digits.chunks_exact(3) {
        let face = [triangle[0], triangle[1], triangle[2]].map(|edge| edges[edge]);
        mesh.faces.push(face);
        // The normals of a vertex's triangles add up, weighted by area.
        let [a, b, c] = face.map(|i| mesh.vertices[i as usize]);
        let from_b = |p: [f32; 3]| [p[0] - b[0], p[1] - b[1], p[2] - b[2]];
        let (u, v) = (from_b(c), from_b(a));
        let normal = [
            u[1] * v[2] - u[2] * v[1],
            u[2] * v[0] - u[0] * v[2],
            u[0] * v[1] - u[1] * v[0],
        ];
        for i in face {
            for (sum, part) in mesh.normals[i as usize].iter_mut().zip(normal) {
                *sum += part;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_ring_becomes_a_closed_mesh_near_its_surface() {
        let ring = Shape::Torus {
            radius1: 0.35,
            radius2: 0.15,
        };
        let mesh = extract(&ring).expect("a mesh");
        assert!(mesh.vertices.len() > 1000);
        for v in &mesh.vertices {
            let point = vec3(f64::from(v[0]), f64::from(v[1]), f64::from(v[2]));
            assert!(ring.distance(point).abs() < 1e-3);
        }
        // Every edge belongs to two triangles, in opposite directions.
        let mut edges: Vec<[i32; 2]> = Vec::new();
        for [a, b, c] in &mesh.faces {
            edges.extend([[*a, *b], [*b, *c], [*c, *a]]);
        }
        let mut reversed: Vec<[i32; 2]> = edges.iter().map(|[a, b]| [*b, *a]).collect();
        edges.sort_unstable();
        reversed.sort_unstable();
        assert_eq!(edges.len(), reversed.len());
        assert_eq!(edges, reversed);
        // A ring has genus one: V − E + F = 0.
        let count = mesh.vertices.len() as i64 - edges.len() as i64 / 2 + mesh.faces.len() as i64;
        assert_eq!(count, 0);
    }

    #[test]
    fn shapes_without_size_have_no_mesh() {
        for radius2 in [0.0, f64::NAN, -1.0] {
            let ring = Shape::Torus {
                radius1: 0.35,
                radius2,
            };
            assert!(extract(&ring).is_none());
        }
    }
}
