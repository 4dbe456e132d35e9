//! Derivative of the bias force.
//!
//! Every quantity of the Newton–Euler recursion is linear in the derivatives of the one before it,
//! so the recursion is run on columns: for body i and degree of freedom p, ∂v, ∂a and ∂f are
//! spatial vectors, stored where the layout B has an entry (p an ancestor's, the body's own or a
//! descendant's). Velocities and accelerations depend on ancestors only, forces gather from
//! descendants. Products with a column add up component by component, as a product of matrices
//! does, so that the last bits are MuJoCo's.

use super::DerivativeScratch;
use crate::position::Position;
use crate::state::State;
use crate::velocity::Velocity;
use crate::velocity::com::body_dofs;
use sinew_math::spatial::{Inertia, Spatial, add, dot, mul_inertia};
use sinew_model::Model;
use sinew_model::joint::Layout;

/// Subtracts ∂(bias force)/∂q̇.
#[doc(alias = "mjd_rne_vel")]
pub(super) fn subtract(
    model: &Model,
    state: &State,
    position: &Position,
    velocity: &Velocity,
    out: &mut [f64],
    scratch: &mut DerivativeScratch,
) {
    for buffer in [
        &mut scratch.velocity,
        &mut scratch.acceleration,
        &mut scratch.force,
    ] {
        buffer.clear();
        buffer.resize(model.nB, [0.0; 6]);
    }
    outward(model, state, position, velocity, scratch);
    inward(model, &mut scratch.force);
    for dof in 0..model.nv {
        // A dof's row of D has the columns of its body's row of B.
        let from = model.B_rowadr[model.dof_bodyid[dof] as usize] as usize;
        let to = model.D_rowadr[dof] as usize;
        for k in 0..model.D_rownnz[dof] as usize {
            out[to + k] -= dot(&position.com.cdof[dof], &scratch.force[from + k]);
        }
    }
}

/// Number of columns of a body's row that belong to its ancestors.
fn ancestor_columns(model: &Model, body: usize) -> usize {
    let parent = model.body_parentid[body] as usize;
    match crate::position::jacobian::last_dof(model, parent) {
        -1 => 0,
        last => model.D_diag[last as usize] as usize + 1,
    }
}

/// Derivatives of velocities, accelerations and body forces, from the root outwards.
fn outward(
    model: &Model,
    state: &State,
    position: &Position,
    velocity: &Velocity,
    scratch: &mut DerivativeScratch,
) {
    let (cdof, cdof_dot) = (&position.com.cdof, &velocity.com.cdof_dot);
    for i in 1..model.nbody {
        let row = model.B_rowadr[i] as usize;
        let parent_row = model.B_rowadr[model.body_parentid[i] as usize] as usize;
        let inherited = ancestor_columns(model, i);
        for buffer in [&mut scratch.velocity, &mut scratch.acceleration] {
            buffer.copy_within(parent_row..parent_row + inherited, row);
        }

        // Joint by joint: axes are carried by the velocity reached before the joint.
        let dofs = body_dofs(model, i);
        let mut known = inherited;
        let mut dof = dofs.start;
        while dof < dofs.end {
            // The translations of a free joint are fixed in the world.
            let joint = model.dof_jntid[dof] as usize;
            let layout = Layout::of(model.jnt_type[joint]);
            let is_turn = layout.is_turn(dof - model.jnt_dofadr[joint] as usize);
            let (count, fixed) = match layout.turns {
                true => (3, !is_turn),
                false => (1, false),
            };
            for j in dof..dof + count {
                if !fixed {
                    for k in row..row + known {
                        let carried = carried_along(&scratch.velocity[k], &cdof[j]);
                        for c in 0..6 {
                            scratch.acceleration[k][c] += carried[c] * state.qvel[j];
                        }
                    }
                }
                let own = row + inherited + (j - dofs.start);
                scratch.acceleration[own] = add(&scratch.acceleration[own], &cdof_dot[j]);
            }
            for j in dof..dof + count {
                scratch.velocity[row + inherited + (j - dofs.start)] = cdof[j];
            }
            known += count;
            dof += count;
        }

        let (inertia, v) = (&position.com.cinert[i], &velocity.com.cvel[i]);
        let gyroscopic = gyroscopic_derivative(inertia, v);
        for k in row..row + known {
            scratch.force[k] = add(
                &mul_inertia(inertia, &scratch.acceleration[k]),
                &times(&gyroscopic, &scratch.velocity[k]),
            );
        }
    }
}

/// `v × m` for motions, adding in the order of v's components.
#[inline]
fn carried_along(v: &Spatial, m: &Spatial) -> Spatial {
    [
        v[1] * m[2] - v[2] * m[1],
        v[2] * m[0] - v[0] * m[2],
        v[0] * m[1] - v[1] * m[0],
        v[1] * m[5] - v[2] * m[4] + v[4] * m[2] - v[5] * m[1],
        v[2] * m[3] - v[0] * m[5] - v[3] * m[2] + v[5] * m[0],
        v[0] * m[4] - v[1] * m[3] + v[3] * m[1] - v[4] * m[0],
    ]
}

/// ∂(v × (I v))/∂v, a matrix: how the gyroscopic force follows the velocity.
fn gyroscopic_derivative(inertia: &Inertia, v: &Spatial) -> [Spatial; 6] {
    let i = inertia;
    let p = mul_inertia(inertia, v);
    // ∂(I v)/∂v, and ∂(v × f)/∂f.
    let momentum = [
        [i[0], i[3], i[4], 0.0, -i[8], i[7]],
        [i[3], i[1], i[5], i[8], 0.0, -i[6]],
        [i[4], i[5], i[2], -i[7], i[6], 0.0],
        [0.0, i[8], -i[7], i[9], 0.0, 0.0],
        [-i[8], 0.0, i[6], 0.0, i[9], 0.0],
        [i[7], -i[6], 0.0, 0.0, 0.0, i[9]],
    ];
    let by_force = [
        [0.0, -v[2], v[1], 0.0, -v[5], v[4]],
        [v[2], 0.0, -v[0], v[5], 0.0, -v[3]],
        [-v[1], v[0], 0.0, -v[4], v[3], 0.0],
        [0.0, 0.0, 0.0, 0.0, -v[2], v[1]],
        [0.0, 0.0, 0.0, v[2], 0.0, -v[0]],
        [0.0, 0.0, 0.0, -v[1], v[0], 0.0],
    ];
    // ∂(v × f)/∂v at f = I v.
    let mut result = [
        [0.0, p[2], -p[1], 0.0, p[5], -p[4]],
        [-p[2], 0.0, p[0], -p[5], 0.0, p[3]],
        [p[1], -p[0], 0.0, p[4], -p[3], 0.0],
        [0.0, p[5], -p[4], 0.0, 0.0, 0.0],
        [-p[5], 0.0, p[3], 0.0, 0.0, 0.0],
        [p[4], -p[3], 0.0, 0.0, 0.0, 0.0],
    ];
    for (row, factors) in result.iter_mut().zip(&by_force) {
        let mut through_momentum = [0.0; 6];
        for (factor, column) in factors.iter().zip(&momentum) {
            for (sum, entry) in through_momentum.iter_mut().zip(column) {
                *sum += entry * factor;
            }
        }
        *row = add(row, &through_momentum);
    }
    result
}

/// Matrix times vector, adding in the order of the vector's components.
#[inline]
fn times(matrix: &[Spatial; 6], v: &Spatial) -> Spatial {
    matrix
        .map(|m| m[0] * v[0] + m[1] * v[1] + m[2] * v[2] + m[3] * v[3] + m[4] * v[4] + m[5] * v[5])
}

/// Adds each body's force derivatives to its parent's. The columns of a child are those of the
/// parent's ancestors and own, then a stretch of the parent's descendants.
fn inward(model: &Model, force: &mut [Spatial]) {
    for i in (1..model.nbody).rev() {
        let parent = model.body_parentid[i] as usize;
        if model.body_weldid[parent] == 0 {
            continue;
        }
        let (row, parent_row) = (model.B_rowadr[i] as usize, model.B_rowadr[parent] as usize);
        let shared = ancestor_columns(model, i);
        let total = model.B_rownnz[i] as usize;
        let shift = if shared < total {
            (model.B_colind[row + shared] - model.B_colind[parent_row + shared]) as usize
        } else {
            0
        };
        for k in 0..total {
            let target = parent_row + if k < shared { k } else { k + shift };
            let child = force[row + k];
            for c in 0..6 {
                force[target][c] += child[c];
            }
        }
    }
}
