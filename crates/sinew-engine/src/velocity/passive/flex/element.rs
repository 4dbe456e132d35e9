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

use bytemuck::Pod;
use core::marker::PhantomData;
use sinew_math::lanes::{self, Work};
use sinew_math::{Real, Vec3};

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

/// A kind of element: which corners its edges join.
trait Kind<const EDGES: usize> {
    const ENDS: [[usize; 2]; EDGES];
}

struct Triangle;

/// Corners that the edges of a triangle join.
pub const TRIANGLE_ENDS: [[usize; 2]; 3] = [[1, 2], [2, 0], [0, 1]];
/// Corners that the edges of a tetrahedron join.
pub const TETRAHEDRON_ENDS: [[usize; 2]; 6] = [[0, 1], [1, 2], [2, 0], [2, 3], [0, 3], [1, 3]];

impl Kind<3> for Triangle {
    const ENDS: [[usize; 2]; 3] = TRIANGLE_ENDS;
}

struct Tetrahedron;

impl Kind<6> for Tetrahedron {
    const ENDS: [[usize; 2]; 6] = TETRAHEDRON_ENDS;
}

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
        lanes::double4(Push::<_, 3, 3> {
            kind: PhantomData::<Triangle>,
            elements,
            elongation,
            xpos,
            force,
        });
    } else {
        lanes::double4(Push::<_, 4, 6> {
            kind: PhantomData::<Tetrahedron>,
            elements,
            elongation,
            xpos,
            force,
        });
    }
}

/// The forces of elements with some corners and edges. Three lanes are coordinates, the fourth is idle.
struct Push<'a, K, const CORNERS: usize, const EDGES: usize> {
    kind: PhantomData<K>,
    elements: &'a Elements<'a>,
    elongation: &'a [f64],
    xpos: &'a [Vec3],
    force: &'a mut [Vec3],
}

impl<K: Kind<EDGES>, const CORNERS: usize, const EDGES: usize> Work
    for Push<'_, K, CORNERS, EDGES>
{
    type Output = ();

    #[inline(always)]
    fn run<T: Real + Pod>(self) {
        let (corners, _) = self.elements.corners.as_chunks::<CORNERS>();
        let (edges, _) = self.elements.edges.as_chunks::<EDGES>();
        let elements = corners.iter().zip(edges).zip(self.elements.stiffness);
        for ((corners, edges), stiffness) in elements {
            let mut points = [T::ZERO; CORNERS];
            for (point, &corner) in points.iter_mut().zip(corners) {
                let Vec3([x, y, z]) = self.xpos[corner as usize];
                *point = bytemuck::cast([x, y, z, 0.0]);
            }
            let mut driven = [0.0; EDGES];
            for (driven, &edge) in driven.iter_mut().zip(edges) {
                *driven = self.elongation[edge as usize];
            }
            let local = push::<T, K, CORNERS, EDGES>(&points, &driven, stiffness);
            for (&corner, &local) in corners.iter().zip(&local) {
                let [x, y, z, _]: [f64; 4] = bytemuck::cast(local);
                self.force[corner as usize] += Vec3([x, y, z]);
            }
        }
    }
}

/// The forces on the corners of one element. They are not shortened by adding up the tension of an edge first: what
/// many soft rows make of a force shows its last bit.
#[inline(always)]
fn push<T: Real, K: Kind<EDGES>, const CORNERS: usize, const EDGES: usize>(
    points: &[T; CORNERS],
    driven: &[f64; EDGES],
    stiffness: &Stiffness,
) -> [T; CORNERS] {
    let mut sides = [T::ZERO; EDGES];
    for (side, [a, b]) in sides.iter_mut().zip(K::ENDS) {
        *side = points[a] - points[b];
    }
    let mut local = [T::ZERO; CORNERS];
    for i in 0..EDGES {
        let driven = T::from_f64(driven[i]);
        for j in 0..EDGES {
            let [a, b] = K::ENDS[j];
            let entry = stiffness[entry::<EDGES>(i.min(j), i.max(j))];
            let pull = driven * sides[j] * T::from_f64(entry);
            local[a] -= pull;
            local[b] += pull;
        }
    }
    local
}

/// Where a matrix over the edges keeps an entry of a row from the diagonal on.
#[inline(always)]
const fn entry<const EDGES: usize>(row: usize, column: usize) -> usize {
    row * EDGES - row * (row + 1) / 2 + column
}
