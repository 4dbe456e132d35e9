//! Elasticity of triangles and tetrahedra of constant strain, written in squared lengths of their edges.
//!
//! A Saint-Venant–Kirchhoff element stores a quadratic form in the changes L² − L₀² of its edges, with
//! the matrix K of `flex_stiffness`. What drives it here is
//!
//! ```text
//! qₑ = L² − L₀² + (d/h)·(L² − (L − h·L̇)²)
//! ```
//!
//! whose second part is Rayleigh damping with the coefficient d over a time step h (Kharevych et al., "Geometric,
//! variational integrators for computer animation", 2006). The ends a and b of edge e are pushed by
//! ∓(Σᵢ qᵢ·Kᵢₑ)·(xₐ − x_b).

use sinew_math::Vec3;

/// Numbers of a symmetric matrix over the edges of one element, row by row from the diagonal on.
pub type Stiffness = [f64; 21];

/// Elements of one flex.
#[derive(Clone, Copy, Debug)]
pub struct Elements<'a> {
    /// Vertices of each element, dimension + 1 in a row.
    pub corners: &'a [i32],
    /// Edges of each element, 3 or 6 in a row.
    pub edges: &'a [i32],
    /// Stiffness of each element.
    pub stiffness: &'a [Stiffness],
}

/// Corners at the ends of the edges of a triangle.
const OF_TRIANGLE: [[usize; 2]; 3] = [[1, 2], [2, 0], [0, 1]];

/// Corners at the ends of the edges of a tetrahedron.
const OF_TETRAHEDRON: [[usize; 2]; 6] = [[0, 1], [1, 2], [2, 0], [2, 3], [0, 3], [1, 3]];

/// What drives the elements: how far the square of each edge's length is from rest, with damping and time
/// step.
pub fn elongations(
    length: &[f64],
    rest: &[f64],
    velocity: &[f64],
    (damping, timestep): (f64, f64),
    out: &mut Vec<f64>,
) {
    let rate = if timestep > 0.0 {
        damping / timestep
    } else {
        0.0
    };
    out.clear();
    let edges = length.iter().zip(rest).zip(velocity);
    out.extend(edges.map(|((length, rest), velocity)| {
        let before = length - velocity * timestep;
        let square = length * length;
        square - rest * rest + (square - before * before) * rate
    }));
}

/// Adds the forces of elements of a dimension (2 or 3) on the vertices at `xpos`.
pub fn forces(
    dim: usize,
    elements: &Elements<'_>,
    elongation: &[f64],
    xpos: &[Vec3],
    force: &mut [Vec3],
) {
    if dim == 2 {
        push::<3, 3>(&OF_TRIANGLE, elements, elongation, xpos, force);
    } else {
        push::<4, 6>(&OF_TETRAHEDRON, elements, elongation, xpos, force);
    }
}

/// The forces of elements with some corners and edges.
#[inline(always)]
fn push<const CORNERS: usize, const EDGES: usize>(
    ends: &[[usize; 2]; EDGES],
    elements: &Elements<'_>,
    elongation: &[f64],
    xpos: &[Vec3],
    force: &mut [Vec3],
) {
    let (corners, _) = elements.corners.as_chunks::<CORNERS>();
    let (edges, _) = elements.edges.as_chunks::<EDGES>();
    for ((corners, edges), stiffness) in corners.iter().zip(edges).zip(elements.stiffness) {
        let points = corners.map(|corner| xpos[corner as usize]);
        let driven = edges.map(|edge| elongation[edge as usize]);
        let tension = tensions(&driven, stiffness);
        let mut local = [Vec3::ZERO; CORNERS];
        for (&[a, b], tension) in ends.iter().zip(tension) {
            let pull = (points[a] - points[b]) * tension;
            local[a] -= pull;
            local[b] += pull;
        }
        for (&corner, local) in corners.iter().zip(local) {
            force[corner as usize] += local;
        }
    }
}

/// The product with a symmetric matrix.
#[inline(always)]
fn tensions<const EDGES: usize>(driven: &[f64; EDGES], stiffness: &Stiffness) -> [f64; EDGES] {
    let mut tension = [0.0; EDGES];
    let mut next = stiffness.iter();
    for i in 0..EDGES {
        for j in i..EDGES {
            let Some(entry) = next.next() else {
                return tension;
            };
            tension[j] += driven[i] * entry;
            if i != j {
                tension[i] += driven[j] * entry;
            }
        }
    }
    tension
}
