//! Joint-space inertia and its sparse factor.
//!
//! Composite rigid bodies: the inertia `crb` that a degree of freedom carries is the sum over its
//! subtree, and `M[i,j]` = cdof_j · (crb_i · cdof_i) for every ancestor j of i, plus the armature on
//! the diagonal. Tendons with armature a add a·JᵀJ. Simple bodies have constant diagonal entries,
//! taken from the model. Then M = LᵀDL without fill-in. Conforms to MuJoCo's `mj_makeM` and
//! `mj_factorM`.

use super::com::Com;
use super::tendon::Tendon;
use crate::is_sparse;
use core::ops::Range;
use sinew_math::spatial::{dot, mul_inertia};
use sinew_math::tree::{self, TreeRows};
use sinew_model::Model;

sinew_model::columns! {
    /// Inertia in joint space.
    pub struct Inertia<T>(InertiaRef, InertiaMut) for Model {
        sizes {
            /// Bodies.
            nbody,
            /// Entries of the older layout.
            nM,
            /// Entries of the compressed layout.
            nC,
            /// Degrees of freedom.
            nv,
        }
        columns {
            /// Inertia of each body's subtree about the tree's centre of mass.
            crb: nbody x [T; 10],
            /// Inertia matrix, older layout: rows from the diagonal up the ancestors.
            qM: nM x T,
            /// Inertia matrix, compressed rows of the lower triangle, diagonal last.
            M: nC x T,
            /// Factor LᵀDL in the layout of M.
            qLD: nC x T,
            /// 1/D.
            qLDiagInv: nv x T,
        }
        other {
            /// Whether `qLD` belongs to `M`.
            is_factored: bool,
        }
    }
}

impl Inertia {
    /// Solves M·x = b in place, with the factor that is there.
    pub(crate) fn solve(&self, model: &Model, x: &mut [f64]) {
        tree::solve(rows(model), &self.qLD, &self.qLDiagInv, x);
    }

    /// Solves M·x = b in place for the degrees of freedom of whole trees; the others are left alone.
    pub(crate) fn solve_trees(&self, model: &Model, dofs: Range<usize>, x: &mut [f64]) {
        tree::solve_range(rows(model), dofs, &self.qLD, &self.qLDiagInv, x);
    }

    /// out = M·x.
    pub(crate) fn multiply(&self, model: &Model, x: &[f64], out: &mut [f64]) {
        tree::multiply(rows(model), &self.M, x, out);
    }
}

/// The layout of M in a model.
#[inline]
pub(crate) fn rows(model: &Model) -> TreeRows<'_> {
    TreeRows {
        rownnz: &model.M_rownnz,
        rowadr: &model.M_rowadr,
        colind: &model.M_colind,
    }
}

/// M and qM.
#[doc(alias = "mj_makeM")]
pub(crate) fn compute(model: &Model, com: &Com, tendon: &Tendon, out: &mut Inertia) {
    out.is_factored = false;
    composite(model, com, &mut out.crb);
    for i in 0..model.nv {
        let start = model.M_rowadr[i] as usize;
        if model.dof_simplenum[i] > 0 {
            out.M[start] = model.dof_M0[i];
            continue;
        }
        let length = model.M_rownnz[i] as usize;
        let momentum = mul_inertia(&out.crb[model.dof_bodyid[i] as usize], &com.cdof[i]);
        let columns = &model.M_colind[start..start + length];
        let row = &mut out.M[start..start + length];
        for (value, &j) in row.iter_mut().zip(columns) {
            *value = dot(&com.cdof[j as usize], &momentum);
        }
        row[length - 1] += model.dof_armature[i];
    }
    tendon_armature(model, tendon, &mut out.M);
    for (&value, &address) in out.M.iter().zip(&model.mapM2M) {
        out.qM[address as usize] = value;
    }
}

/// Factors the current M.
#[doc(alias = "mj_factorM")]
pub(crate) fn factor(model: &Model, out: &mut Inertia) {
    out.qLD.copy_from_slice(&out.M);
    tree::factor(rows(model), &mut out.qLD, &mut out.qLDiagInv);
    out.is_factored = true;
}

/// Inertias of subtrees.
pub(crate) fn composite(model: &Model, com: &Com, crb: &mut [[f64; 10]]) {
    crb.copy_from_slice(&com.cinert);
    for i in (1..model.nbody).rev() {
        let parent = model.body_parentid[i] as usize;
        if parent > 0 {
            let child = crb[i];
            for (sum, value) in crb[parent].iter_mut().zip(child) {
                *sum += value;
            }
        }
    }
}

/// Adds a·JᵀJ for every tendon with armature a.
#[doc(alias = "mj_tendonArmature")]
fn tendon_armature(model: &Model, tendon: &Tendon, matrix: &mut [f64]) {
    let is_sparse = is_sparse(model);
    for k in 0..model.ntendon {
        let armature = model.tendon_armature[k];
        if armature == 0.0 {
            continue;
        }
        tendon.for_each_entry(is_sparse, k, |i, at_i| {
            if at_i == 0.0 {
                return;
            }
            let start = model.M_rowadr[i] as usize;
            let end = start + model.M_rownnz[i] as usize;
            let columns = &model.M_colind[start..end];
            let row = &mut matrix[start..end];
            if is_sparse {
                // Walk both ascending lists of columns together.
                let mut at = 0;
                tendon.for_each_entry(true, k, |j, at_j| {
                    while at < columns.len() && (columns[at] as usize) < j {
                        at += 1;
                    }
                    if at < columns.len() && columns[at] as usize == j {
                        row[at] += at_j * (armature * at_i);
                    }
                });
            } else {
                let dense = &tendon.ten_J[k * model.nv..(k + 1) * model.nv];
                for (value, &j) in row.iter_mut().zip(columns) {
                    *value += armature * at_i * dense[j as usize];
                }
            }
        });
    }
}
