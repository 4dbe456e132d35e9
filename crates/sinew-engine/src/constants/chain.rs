//! Inverse weights of trees with long paths, in time that grows with the number of bodies.
//!
//! A row of J that is solved costs the square of its path, so that the rows of a rope of a thousand links cost
//! their number cubed. Here every body is visited twice. From the leaves to the roots goes what a body and
//! all that hangs on it resist a motion with (articulated inertia A); each degree of freedom with axis s and
//! armature a takes out what it gives way to:
//!
//! ```text
//! u = A·s    d = sᵀu + a    A ← A − u·uᵀ/d
//! ```
//!
//! From the roots to the leaves goes how a unit force at a body accelerates it (mobility G, zero for the world):
//!
//! ```text
//! (M⁻¹)ᵢᵢ = 1/d + uᵀG·u/d²    G ← P·G·Pᵀ + s·sᵀ/d    with P = 1 − s·uᵀ/d
//! ```
//!
//! All in the frame at a tree's centre of mass, as `cdof` is. The results differ from those of rows in the
//! last digits only, but they do differ: trees of common size are left to the rows.

use crate::position::Position;
use sinew_math::Vec3;
use sinew_math::spatial::{Spatial, dot, mul_inertia, spatial};
use sinew_model::Model;

/// Degrees of freedom of the longest path whose rows are solved one by one.
const LONGEST: usize = 600;

/// A symmetric matrix over motions.
type Square = [Spatial; 6];

/// How bodies and degrees of freedom of trees with long paths move under unit forces.
pub(super) struct Chains {
    is_long: Vec<bool>,
    mobility: Vec<Square>,
    dof: Vec<f64>,
}

impl Chains {
    /// Of a model at its reference position. No tree counts as long where tendons have armature: M then has
    /// entries that are not of the tree.
    pub fn find(model: &Model, p: &Position) -> Self {
        let mut is_long = vec![false; model.ntree];
        if model
            .tendon_armature
            .iter()
            .all(|&armature| armature == 0.0)
        {
            for (&tree, &path) in model.dof_treeid.iter().zip(&model.M_rownnz) {
                is_long[tree as usize] |= path as usize > LONGEST;
            }
        }
        if !is_long.contains(&true) {
            return Chains {
                is_long,
                mobility: Vec::new(),
                dof: Vec::new(),
            };
        }
        let (mobility, dof) = propagate(model, p);
        Chains {
            is_long,
            mobility,
            dof,
        }
    }

    /// Whether a tree has a long path.
    pub fn is_long(&self, tree: i32) -> bool {
        self.is_long[tree as usize]
    }

    /// Whether all of them have.
    pub fn are_all_long(&self) -> bool {
        self.is_long.iter().all(|&is_long| is_long)
    }

    /// The diagonal of J·M⁻¹·Jᵀ at a point of a body, given from the tree's centre of mass: translation,
    /// then rotation.
    pub fn body(&self, body: usize, offset: Vec3) -> [f64; 6] {
        let mobility = &self.mobility[body];
        core::array::from_fn(|k| {
            let mut axis = Vec3([0.0; 3]);
            axis.0[k % 3] = 1.0;
            let force = if k < 3 {
                spatial(offset.cross(axis), axis)
            } else {
                spatial(axis, Vec3([0.0; 3]))
            };
            dot(&force, &times(mobility, &force))
        })
    }

    /// An entry of the diagonal of M⁻¹.
    pub fn dof(&self, dof: usize) -> f64 {
        self.dof[dof]
    }
}

/// The mobility of every body, and the diagonal of M⁻¹.
fn propagate(model: &Model, p: &Position) -> (Vec<Square>, Vec<f64>) {
    let mut resistance: Vec<Square> = p.com.cinert.iter().map(as_square).collect();
    let mut given_way = vec![([0.0; 6], 0.0); model.nv];
    for body in (1..model.nbody).rev() {
        let mut inertia = resistance[body];
        for dof in dofs(model, body).rev() {
            let axis = &p.com.cdof[dof];
            let u = times(&inertia, axis);
            let d = dot(axis, &u) + model.dof_armature[dof];
            add_outer(&mut inertia, &u, -1.0 / d);
            given_way[dof] = (u, d);
        }
        let parent = &mut resistance[model.body_parentid[body] as usize];
        for (sum, row) in parent.iter_mut().zip(&inertia) {
            for (sum, value) in sum.iter_mut().zip(row) {
                *sum += value;
            }
        }
    }

    let mut mobility = vec![[[0.0; 6]; 6]; model.nbody];
    let mut diagonal = vec![0.0; model.nv];
    for body in 1..model.nbody {
        let mut moves = mobility[model.body_parentid[body] as usize];
        for dof in dofs(model, body) {
            let (u, d) = &given_way[dof];
            let pushed = times(&moves, u);
            let back = dot(u, &pushed) / d;
            diagonal[dof] = (1.0 + back) / d;
            // P·G·Pᵀ, written out: G − (s·(G·u)ᵀ + (G·u)·sᵀ)/d + s·sᵀ·(uᵀG·u)/d².
            let axis = &p.com.cdof[dof];
            add_outer(&mut moves, axis, diagonal[dof]);
            for (i, row) in moves.iter_mut().enumerate() {
                for (j, value) in row.iter_mut().enumerate() {
                    *value -= (axis[i] * pushed[j] + pushed[i] * axis[j]) / d;
                }
            }
        }
        mobility[body] = moves;
    }
    (mobility, diagonal)
}

/// The degrees of freedom of a body.
fn dofs(model: &Model, body: usize) -> core::ops::Range<usize> {
    let count = model.body_dofnum[body] as usize;
    // A body without any has no address.
    let first = usize::try_from(model.body_dofadr[body]).unwrap_or(0);
    first..first + count
}

fn as_square(inertia: &[f64; 10]) -> Square {
    core::array::from_fn(|k| {
        let mut unit = [0.0; 6];
        unit[k] = 1.0;
        mul_inertia(inertia, &unit)
    })
}

fn times(matrix: &Square, v: &Spatial) -> Spatial {
    core::array::from_fn(|k| dot(&matrix[k], v))
}

/// Adds v·vᵀ, scaled.
fn add_outer(matrix: &mut Square, v: &Spatial, scale: f64) {
    for (row, &x) in matrix.iter_mut().zip(v) {
        for (entry, &y) in row.iter_mut().zip(v) {
            *entry += x * y * scale;
        }
    }
}
