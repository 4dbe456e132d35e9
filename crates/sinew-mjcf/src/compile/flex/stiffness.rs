//! Elasticity of triangles and tetrahedra in the lengths of their edges.
//!
//! The Green strain of a linear element is a sum over its edges, Σ Tₑ (Lₑ² − Lₑ,₀²)/…, with constant
//! tensors Tₑ: symmetrised products of the normals of the two faces that the edge does not touch. The
//! energy of a Saint-Venant–Kirchhoff material is then a quadratic form in squared lengths,
//!
//! ```text
//! K_ab = μ' tr(T_a T_b) + λ' tr T_a tr T_b        μ' = μ V t/4, λ' = λ V t/4
//! ```
//!
//! with V the area and t the thickness of a triangle, or V the volume of a tetrahedron and t = 4. Stored
//! is the upper triangle of K, row by row. D. Weischedel, "A discrete geometric view on
//! shear-deformable shell models" (2012), section 4.1. Conforms to MuJoCo's `ComputeStiffness`.

use super::{STIFFNESS, Written};
use crate::asset::pace::{Late, Pace};
use sinew_math::Vec3;
use sinew_math::quotient::normalize3;

/// Edges across which the basis of a triangle's edge lies, as pairs of corners.
const TRIANGLE: [[[usize; 2]; 2]; 3] = [[[2, 0], [0, 1]], [[0, 1], [1, 2]], [[1, 2], [2, 0]]];
/// Faces of a tetrahedron that its edges do not touch, as triples of corners.
const FACES: [[usize; 3]; 4] = [[2, 1, 0], [0, 1, 3], [1, 2, 3], [2, 0, 3]];
const TETRAHEDRON: [[usize; 2]; 6] = [[2, 3], [1, 3], [2, 1], [1, 0], [0, 2], [0, 3]];
/// The thickness that makes the formula of triangles that of tetrahedra.
const SOLID_THICKNESS: f64 = 4.0;

type Tensor = [f64; 9];

/// What the arithmetic of an element takes, in bytes that are read meanwhile.
const ELEMENT: usize = 512;

/// Stiffness of all triangles.
pub fn triangles(
    written: &Written,
    world: &[Vec3],
    elements: &[i32],
    pace: &Pace,
) -> Result<Vec<f64>, Late> {
    let (triangles, _) = elements.as_chunks::<3>();
    let mut out = Vec::with_capacity(triangles.len() * STIFFNESS);
    for corners in triangles {
        pace.after(ELEMENT)?;
        let x = corners.map(|corner| world[corner as usize]);
        let area = normalize3((x[1] - x[0]).cross(x[2] - x[0])).1 / 2.0;
        let tensors = TRIANGLE.map(|[left, right]| {
            let left = x[left[0]] - x[left[1]];
            let right = x[right[1]] - x[right[0]];
            let normal = normalize3(right.cross(left)).0;
            symmetric(normal.cross(left), right.cross(normal), 8.0 * area * area)
        });
        push(&mut out, written, area, written.thickness, &tensors);
    }
    Ok(out)
}

/// Stiffness of all tetrahedra.
pub fn solids(
    written: &Written,
    world: &[Vec3],
    elements: &[i32],
    pace: &Pace,
) -> Result<Vec<f64>, Late> {
    let (solids, _) = elements.as_chunks::<4>();
    let mut out = Vec::with_capacity(solids.len() * STIFFNESS);
    for corners in solids {
        pace.after(ELEMENT)?;
        let x = corners.map(|corner| world[corner as usize]);
        let volume = (x[1] - x[0]).cross(x[2] - x[0]).dot(x[3] - x[0]) / 6.0;
        let normals = FACES.map(|[a, b, c]| (x[b] - x[a]).cross(x[c] - x[a]));
        let tensors = TETRAHEDRON.map(|[left, right]| {
            symmetric(normals[left], normals[right], 36.0 * 2.0 * volume * volume)
        });
        push(&mut out, written, volume, SOLID_THICKNESS, &tensors);
    }
    Ok(out)
}

/// (a⊗b + b⊗a) / divisor.
fn symmetric(a: Vec3, b: Vec3, divisor: f64) -> Tensor {
    core::array::from_fn(|k| {
        let (i, j) = (k / 3, k % 3);
        (a[i] * b[j] + b[i] * a[j]) / divisor
    })
}

/// Adds the stiffness of an element with these tensors, filled up with zeros.
fn push(out: &mut Vec<f64>, written: &Written, volume: f64, thickness: f64, tensors: &[Tensor]) {
    let (young, poisson) = (written.young, written.poisson);
    let mu = young / (2.0 * (1.0 + poisson)) * volume.abs() / 4.0 * thickness;
    let lambda = young * poisson / ((1.0 + poisson) * (1.0 - 2.0 * poisson)) * volume.abs() / 4.0
        * thickness;
    let start = out.len();
    for (first, a) in tensors.iter().enumerate() {
        for b in &tensors[first..] {
            let mut product = 0.0;
            for i in 0..3 {
                for j in 0..3 {
                    product += a[3 * i + j] * b[3 * j + i];
                }
            }
            out.push(mu * product + lambda * trace(b) * trace(a));
        }
    }
    out.resize(start + STIFFNESS, 0.0);
}

fn trace(tensor: &Tensor) -> f64 {
    tensor[0] + tensor[4] + tensor[8]
}
