//! Meshes made from a shape name and parameters.
//!
//! | shape | parameters | made of |
//! |---|---|---|
//! | sphere | subdivisions 0–4 | an icosahedron, each face cut in four per subdivision |
//! | hemisphere | rows 0–10 | rings from the pole to the equator, with a flat cap |
//! | cone | edges, top radius | two rings, or a ring and a point; faces come from the hull |
//! | supersphere | resolution, e, n | a sphere of rings with exponents |
//! | supertorus | resolution, radius, s, t | a torus with exponents |
//! | wedge | columns, rows, two fields of view, foveation | points on a sphere with frames |
//! | plate | columns, rows | a square grid, a shell |
//!
//! All coordinates are rounded to 32 bits, as a file would hold them. Conforms to `mjs_makeMesh`.

use super::error::MeshError;
use super::{MAX_ELEMENTS, MeshBuiltin, MeshRequest};
use sinew_collision::hash::QuickMap;
use sinew_math::sine::{cos, sin};
use std::f64::consts::PI;

/// Bytes of a vertex with three normals and a face.
const ROW_BYTES: u64 = 72;

/// What a builtin shape defines; the rest of the arrays stays with the user.
#[derive(Debug, Default)]
pub(super) struct Made {
    pub vertices: Vec<[f32; 3]>,
    pub normals: Option<Vec<[f32; 3]>>,
    pub faces: Option<Vec<[i32; 3]>>,
    /// The shape encloses no volume and has mass on its surface only.
    pub is_shell: bool,
}

pub(super) fn make(
    builtin: MeshBuiltin,
    params: &[f64],
    request: &MeshRequest,
) -> Result<Made, MeshError> {
    let params = Params {
        builtin,
        params,
        request,
    };
    match builtin {
        MeshBuiltin::Sphere => {
            let [subdivisions] = params.take()?;
            let subdivisions = params.whole(subdivisions, "subdivision")?;
            params.require(subdivisions <= 4, "subdivision must be between 0 and 4")?;
            Ok(sphere(subdivisions))
        }
        MeshBuiltin::Hemisphere => {
            let [rows] = params.take()?;
            let rows = params.whole(rows, "resolution")?;
            params.require(rows <= 10, "resolution must be between 0 and 10")?;
            Ok(hemisphere(rows))
        }
        MeshBuiltin::Cone => {
            let [edges, radius] = params.take()?;
            let edges = params.whole(edges, "number of edges")?;
            params.fits(edges, 2)?;
            Ok(cone(edges, radius))
        }
        MeshBuiltin::Supersphere => {
            let [resolution, e, n] = params.take()?;
            let resolution = params.whole(resolution, "resolution")?;
            params.require(resolution >= 3, "resolution must be greater than 2")?;
            params.require(e >= 0.0 && n >= 0.0, "exponents cannot be negative")?;
            params.fits(resolution, 2 * resolution)?;
            Ok(supersphere(resolution, e, n))
        }
        MeshBuiltin::Supertorus => {
            let [resolution, radius, s, t] = params.take()?;
            let resolution = params.whole(resolution, "resolution")?;
            params.require(resolution >= 3, "resolution must be greater than 2")?;
            params.require(radius > 0.0 && radius <= 1.0, "radius must be in (0, 1]")?;
            params.require(s > 0.0 && t > 0.0, "exponents must be greater than 0")?;
            params.fits(resolution, 2 * resolution)?;
            Ok(supertorus(resolution, radius, s, t))
        }
        MeshBuiltin::Wedge => {
            let [columns, rows, horizontal, vertical, gamma] = params.take()?;
            let columns = params.whole(columns, "horizontal resolution")?;
            let rows = params.whole(rows, "vertical resolution")?;
            params.require(
                horizontal > 0.0 && horizontal <= 180.0,
                "horizontal field of view must be in (0, 180] degrees",
            )?;
            params.require(
                vertical > 0.0 && vertical <= 90.0,
                "vertical field of view must be in (0, 90] degrees",
            )?;
            params.require(columns > 0 && rows > 0, "resolutions must be positive")?;
            params.require((0.0..=1.0).contains(&gamma), "gamma must be in [0, 1]")?;
            params.fits(columns, rows)?;
            Ok(wedge([columns, rows], [horizontal, vertical], gamma))
        }
        MeshBuiltin::Plate => {
            let [columns, rows] = params.take()?;
            let columns = params.whole(columns, "horizontal resolution")?;
            let rows = params.whole(rows, "vertical resolution")?;
            params.require(columns > 0 && rows > 0, "resolutions must be positive")?;
            params.fits(columns, rows.saturating_mul(2))?;
            Ok(plate(columns, rows))
        }
        _ => Err(MeshError::attribute("builtin", "unsupported builtin mesh")),
    }
}

/// Checks of the parameter list.
struct Params<'a> {
    builtin: MeshBuiltin,
    params: &'a [f64],
    request: &'a MeshRequest<'a>,
}

impl Params<'_> {
    fn error(&self, text: &str) -> MeshError {
        let name = format!("{:?}", self.builtin).to_ascii_lowercase();
        MeshError::attribute("params", format!("builtin {name}: {text}"))
    }

    fn take<const N: usize>(&self) -> Result<[f64; N], MeshError> {
        self.params.try_into().map_err(|_| {
            let found = self.params.len();
            self.error(&format!("{N} parameters are required, found {found}"))
        })
    }

    fn require(&self, holds: bool, text: &str) -> Result<(), MeshError> {
        if holds { Ok(()) } else { Err(self.error(text)) }
    }

    /// A count; digits after the point are cut off.
    fn whole(&self, value: f64, what: &str) -> Result<usize, MeshError> {
        if value > -1.0 && value <= MAX_ELEMENTS as f64 {
            Ok(value as usize)
        } else {
            Err(self.error(&format!("{what} {value} is out of range")))
        }
    }

    fn fits(&self, a: usize, b: usize) -> Result<(), MeshError> {
        match a.checked_mul(b) {
            Some(count) if count <= MAX_ELEMENTS => self.request.take(count as u64 * ROW_BYTES),
            _ => Err(self.error("the mesh would have too many vertices or faces")),
        }
    }
}

/// Coordinates rounded as a file would hold them.
fn point(x: f64, y: f64, z: f64) -> [f32; 3] {
    [x as f32, y as f32, z as f32]
}

/// A face of indices that are far below the range of `i32`.
fn face(a: usize, b: usize, c: usize) -> [i32; 3] {
    [a as i32, b as i32, c as i32]
}

fn sphere(subdivisions: usize) -> Made {
    let golden = ((1.0 + 5.0_f64.sqrt()) / 2.0) as f32;
    // The square is rounded to 32 bits, the sum is not.
    let norm = (1.0 + f64::from(golden * golden)).sqrt();
    let g = golden;
    let mut vertices: Vec<[f32; 3]> = [
        [-1.0, g, 0.0],
        [1.0, g, 0.0],
        [-1.0, -g, 0.0],
        [1.0, -g, 0.0],
        [0.0, -1.0, g],
        [0.0, 1.0, g],
        [0.0, -1.0, -g],
        [0.0, 1.0, -g],
        [g, 0.0, -1.0],
        [g, 0.0, 1.0],
        [-g, 0.0, -1.0],
        [-g, 0.0, 1.0],
    ]
    .map(|v: [f32; 3]| v.map(|x| (f64::from(x) / norm) as f32))
    .to_vec();
    #[rustfmt::skip]
    let mut faces: Vec<[i32; 3]> = vec![
        [0, 11, 5], [0, 5, 1], [0, 1, 7], [0, 7, 10], [0, 10, 11],
        [1, 5, 9], [5, 11, 4], [11, 10, 2], [10, 7, 6], [7, 1, 8],
        [3, 9, 4], [3, 4, 2], [3, 2, 6], [3, 6, 8], [3, 8, 9],
        [4, 9, 5], [2, 4, 11], [6, 2, 10], [8, 6, 7], [9, 8, 1],
    ];
    for _ in 0..subdivisions {
        let mut middles: QuickMap<(i32, i32), i32> = QuickMap::default();
        let mut middle = |a: i32, b: i32| {
            *middles.entry((a.min(b), a.max(b))).or_insert_with(|| {
                let (u, w) = (vertices[a as usize], vertices[b as usize]);
                let m = [0, 1, 2].map(|k| (u[k] + w[k]) / 2.0);
                let length = (m[0] * m[0] + m[1] * m[1] + m[2] * m[2]).sqrt();
                vertices.push(m.map(|x| x / length));
                vertices.len() as i32 - 1
            })
        };
        faces = faces
            .iter()
            .flat_map(|&[a, b, c]| {
                let (ab, bc, ca) = (middle(a, b), middle(b, c), middle(c, a));
                [[a, ab, ca], [b, bc, ab], [c, ca, bc], [ab, bc, ca]]
            })
            .collect();
    }
    Made {
        vertices,
        faces: Some(faces),
        ..Made::default()
    }
}

fn hemisphere(rows: usize) -> Made {
    const POLE: [f64; 3] = [0.0, 0.0, 1.0];
    const EQUATOR: [[f64; 3]; 4] = [
        [1.0, 0.0, 0.0],
        [0.0, 1.0, 0.0],
        [-1.0, 0.0, 0.0],
        [0.0, -1.0, 0.0],
    ];
    let mut vertices = vec![[0.0, 0.0, 1.0]];
    for row in 0..=rows {
        let factor = (row + 1) as f64 / (rows + 1) as f64;
        for side in 0..4 {
            // Straight from one meridian to the next, then out to the sphere.
            let at = |corner: [f64; 3]| [0, 1, 2].map(|k| POLE[k] + factor * (corner[k] - POLE[k]));
            let (start, end) = (at(EQUATOR[side]), at(EQUATOR[(side + 1) % 4]));
            let delta = [0, 1, 2].map(|k| (end[k] - start[k]) / (row + 1) as f64);
            for i in 0..=row {
                let p = [0, 1, 2].map(|k| start[k] + i as f64 * delta[k]);
                let norm = (p[0] * p[0] + p[1] * p[1] + p[2] * p[2]).sqrt();
                vertices.push(point(p[0] / norm, p[1] / norm, p[2] / norm));
            }
        }
    }
    vertices.push([0.0; 3]);

    let mut faces = vec![[0, 1, 2], [0, 2, 3], [0, 3, 4], [0, 4, 1]];
    for row in 0..rows {
        let (upper, upper_count) = (2 * row * (row + 1) + 1, 4 * (row + 1));
        let (lower, lower_count) = (upper + upper_count, 4 * (row + 2));
        for side in 0..4 {
            for i in 0..row + 2 {
                let (above, below) = (i + (row + 1) * side, i + (row + 2) * side);
                let corner = upper + above % upper_count;
                let next = lower + (below + 1) % lower_count;
                faces.push(face(corner, lower + below % lower_count, next));
                if i < row + 1 {
                    faces.push(face(corner, next, upper + (above + 1) % upper_count));
                }
            }
        }
    }
    let (ring, count) = (2 * rows * (rows + 1) + 1, 4 * (rows + 1));
    for i in 0..count {
        faces.push(face(ring + i, vertices.len() - 1, ring + (i + 1) % count));
    }
    Made {
        vertices,
        faces: Some(faces),
        ..Made::default()
    }
}

fn cone(edges: usize, radius: f64) -> Made {
    let angle = |i: usize| 2.0 * i as f64 * PI / edges as f64;
    let mut vertices: Vec<[f32; 3]> = (0..edges)
        .map(|i| point(cos(angle(i)), sin(angle(i)), -1.0))
        .collect();
    if radius > 0.0 {
        vertices.extend(
            (edges..2 * edges).map(|i| point(radius * cos(angle(i)), radius * sin(angle(i)), 1.0)),
        );
    } else {
        vertices.push([0.0, 0.0, 1.0]);
    }
    Made {
        vertices,
        ..Made::default()
    }
}

/// sign(cos ω)·|cos ω|ᵐ
fn power_cos(omega: f64, m: f64) -> f64 {
    let c = cos(omega);
    libm::copysign(libm::pow(c.abs(), m), c)
}

/// sign(sin ω)·|sin ω|ᵐ
fn power_sin(omega: f64, m: f64) -> f64 {
    let s = sin(omega);
    libm::copysign(libm::pow(s.abs(), m), s)
}

fn supersphere(resolution: usize, e: f64, n: f64) -> Made {
    let r = resolution;
    let mut vertices = vec![[0.0, 0.0, -1.0]];
    for i in 1..r {
        let v = -PI / 2.0 + i as f64 * PI / r as f64;
        for j in 0..r {
            let u = -PI + j as f64 * 2.0 * PI / r as f64;
            vertices.push(point(
                power_cos(v, n) * power_cos(u, e),
                power_cos(v, n) * power_sin(u, e),
                power_sin(v, n),
            ));
        }
    }
    vertices.push([0.0, 0.0, 1.0]);

    let ring = |i: usize, j: usize| 1 + i * r + j % r;
    let mut faces = Vec::with_capacity(2 * r * (r - 1));
    faces.extend((0..r).map(|j| face(0, ring(0, j + 1), ring(0, j))));
    for i in 0..r - 2 {
        for j in 0..r {
            faces.push(face(ring(i, j), ring(i, j + 1), ring(i + 1, j)));
            faces.push(face(ring(i, j + 1), ring(i + 1, j + 1), ring(i + 1, j)));
        }
    }
    let pole = vertices.len() - 1;
    faces.extend((0..r).map(|j| face(ring(r - 2, j), ring(r - 2, j + 1), pole)));
    Made {
        vertices,
        faces: Some(faces),
        ..Made::default()
    }
}

fn supertorus(resolution: usize, radius: f64, s: f64, t: f64) -> Made {
    let r = resolution;
    let mut vertices = Vec::with_capacity(r * r);
    let mut faces = Vec::with_capacity(2 * r * r);
    for i in 0..r {
        for j in 0..r {
            let u = 2.0 * PI * i as f64 / r as f64;
            let v = 2.0 * PI * j as f64 / r as f64;
            vertices.push(point(
                (1.0 + radius * power_cos(v, s)) * power_cos(u, t),
                (1.0 + radius * power_cos(v, s)) * power_sin(u, t),
                radius * power_sin(v, s),
            ));
            let at = |i: usize, j: usize| i % r * r + j % r;
            faces.push(face(at(i, j), at(i + 1, j), at(i, j + 1)));
            faces.push(face(at(i + 1, j), at(i + 1, j + 1), at(i, j + 1)));
        }
    }
    Made {
        vertices,
        faces: Some(faces),
        ..Made::default()
    }
}

/// `count` bins over [−1, 1], foveated and scaled to half the field of view in degrees.
fn bin_edges(count: usize, field_of_view: f64, gamma: f64) -> Vec<f64> {
    let increment = 2.0 / count as f64;
    let mut edge = -1.0;
    (0..=count)
        .map(|_| {
            let x = edge;
            edge += increment;
            let bent = if gamma == 0.0 {
                x
            } else {
                gamma * libm::pow(x, 5.0) + (1.0 - gamma) * x
            };
            field_of_view * PI / 180.0 * bent
        })
        .collect()
}

fn wedge([columns, rows]: [usize; 2], [horizontal, vertical]: [f64; 2], gamma: f64) -> Made {
    let x = bin_edges(columns, horizontal, gamma);
    let y = bin_edges(rows, vertical, gamma);
    let mut vertices = Vec::with_capacity(columns * rows);
    let mut normals = Vec::with_capacity(3 * columns * rows);
    for i in 0..columns {
        for j in 0..rows {
            let a = 0.5 * (x[i + 1] + x[i]);
            let e = 0.5 * (y[j + 1] + y[j]);
            let (sin_a, cos_a, sin_e, cos_e) = (sin(a), cos(a), sin(e), cos(e));
            vertices.push(point(cos_e * sin_a, sin_e, -cos_e * cos_a));
            // Each point carries a frame: the direction inwards and the two tangents.
            let along = sinew_math::vec3(cos_e * cos_a, 0.0, cos_e * sin_a);
            let up = sinew_math::vec3(-sin_e * sin_a, cos_e, sin_e * cos_a);
            let (along, _) = sinew_math::quotient::normalize3(along);
            let (up, _) = sinew_math::quotient::normalize3(up);
            let inward = up.cross(along);
            normals.extend([inward, along, up].map(|v| point(v[0], v[1], v[2])));
        }
    }
    Made {
        vertices,
        normals: Some(normals),
        ..Made::default()
    }
}

fn plate(columns: usize, rows: usize) -> Made {
    let (dx, dy) = (2.0 / columns as f64, 2.0 / rows as f64);
    let mut vertices = Vec::with_capacity(columns * rows);
    let mut normals = Vec::with_capacity(3 * columns * rows);
    let mut faces = Vec::with_capacity(2 * (columns - 1) * (rows - 1));
    let at = |i: usize, j: usize| i * rows + j;
    for i in 0..columns {
        for j in 0..rows {
            vertices.push(point(
                -1.0 + (i as f64 + 0.5) * dx,
                -1.0 + (j as f64 + 0.5) * dy,
                -1.0,
            ));
            normals.extend([[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]]);
            if i > 0 && j > 0 {
                faces.push(face(at(i - 1, j - 1), at(i, j - 1), at(i - 1, j)));
                faces.push(face(at(i, j), at(i - 1, j), at(i, j - 1)));
            }
        }
    }
    Made {
        vertices,
        normals: Some(normals),
        faces: Some(faces),
        is_shell: true,
    }
}
