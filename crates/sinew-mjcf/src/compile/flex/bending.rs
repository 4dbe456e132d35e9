//! Bending of a cloth at the edges between two triangles.
//!
//! With the vertices v₀ v₁ of an edge and v₂ v₃ across it, cotangents of the angles at v₀ and v₁ give the
//! coefficients cᵢ of the discrete mean curvature Σ cᵢ xᵢ, whose square is the bending energy of a plate:
//! B_ij = cᵢ cⱼ cos θ · 3μt³/(24A), with the fold θ at rest and the area A of both triangles. The 17th
//! number belongs to the cubic term of a shell that is curved at rest. M. Wardetzky et al., "Discrete
//! quadratic curvature energies" (2007); A. Garg et al., "Cubic shells" (2007). Conforms to MuJoCo's
//! `ComputeBending`.

use super::edge::Edges;
use super::{BENDING, Fault, Written};
use crate::asset::pace::Pace;
use sinew_math::Vec3;
use sinew_math::power::pow;

/// What the arithmetic of an edge takes, in bytes that are read meanwhile.
const EDGE: usize = 256;

/// Bending of all edges; zero at those of one triangle.
pub fn all(
    written: &Written,
    world: &[Vec3],
    edges: &Edges,
    pace: &Pace,
) -> Result<Vec<f64>, Fault> {
    let mu = written.young / (2.0 * (1.0 + written.poisson));
    let stiffness = 3.0 * mu * pow(written.thickness, 3.0);
    let mut out = vec![0.0; BENDING * edges.flaps.len()];
    for (edge, (flap, out)) in edges
        .flaps
        .iter()
        .zip(out.chunks_exact_mut(BENDING))
        .enumerate()
    {
        pace.after(EDGE)?;
        if flap[3] < 0 {
            continue;
        }
        at_edge(flap.map(|vertex| world[vertex as usize]), stiffness, out);
        if !out.iter().all(|number| number.is_finite()) {
            let [a, b] = edges.vertices[edge];
            return Err(Fault::new(
                written.element_place,
                "element",
                format!("a triangle at the edge between vertices {a} and {b} has no area"),
                "the corners of a triangle must not lie on one line",
            ));
        }
    }
    Ok(out)
}

fn at_edge([v0, v1, v2, v3]: [Vec3; 4], stiffness: f64, out: &mut [f64]) {
    let a01 = cotangent(v0, v1, v2);
    let a02 = cotangent(v0, v3, v1);
    let a03 = cotangent(v1, v2, v0);
    let a04 = cotangent(v1, v0, v3);
    let c = [a03 + a04, a01 + a02, -(a01 + a03), -(a02 + a04)];
    let stiffness = stiffness / (24.0 * (area(v0, v1, v2) + area(v1, v0, v3)));

    let (e0, e1, e2) = (v1 - v0, v2 - v0, v3 - v0);
    let (e3, e4) = (v2 - v1, v3 - v1);
    let t0 = -(e1 * a03 + e3 * a01);
    let t1 = -(e2 * a04 + e4 * a02);
    let square = e0.dot(e0);
    let cosine = -t0.dot(t1) / square;
    for (i, ci) in c.iter().enumerate() {
        for (j, cj) in c.iter().enumerate() {
            out[4 * i + j] = ci * cj * cosine * stiffness;
        }
    }
    out[16] =
        e0.cross(e1).dot(e2) * (a01 - a03) * (a04 - a02) * stiffness / (square * square.sqrt());
}

/// Cotangent of the angle at a corner.
fn cotangent(corner: Vec3, first: Vec3, second: Vec3) -> f64 {
    let (a, b) = (first - corner, second - corner);
    let normal = a.cross(b);
    a.dot(b) / normal.dot(normal).sqrt()
}

fn area(a: Vec3, b: Vec3, c: Vec3) -> f64 {
    let normal = (b - a).cross(c - a);
    normal.dot(normal).sqrt() / 2.0
}
