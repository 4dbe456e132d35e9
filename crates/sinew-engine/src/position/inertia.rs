//! Joint-space inertia and its sparse factor. Tendons with armature a add a·JᵀJ.

use super::com::Com;
use super::tendon::Tendon;
use crate::{factor, is_sparse};
use sinew_dynamics::inertia;
pub use sinew_dynamics::inertia::{Inertia, InertiaMut, InertiaRef};
use sinew_math::tree::TreeRows;
use sinew_model::Model;
use sinew_model::view::{Tree, TreeValues};

/// The layout of M in a model.
#[inline]
pub(crate) fn rows(model: &Model) -> TreeRows<'_> {
    inertia::rows(&Tree::from(model))
}

/// M and qM.
#[doc(alias = "mj_makeM")]
pub(crate) fn compute(model: &Model, com: &Com, tendon: &Tendon, out: &mut Inertia) {
    bodies(model, com, out);
    tendon_armature(model, tendon, &mut out.M);
    inertia::older_layout(&Tree::from(model), &mut out.as_mut());
}

/// M of the bodies alone.
#[doc(alias = "mj_crb")]
pub(crate) fn bodies(model: &Model, com: &Com, out: &mut Inertia) {
    let (tree, values) = (&Tree::from(model), &TreeValues::from(model));
    out.is_factored = false;
    composite(model, com, &mut out.crb);
    inertia::matrix(tree, values, &com.as_ref(), 0..model.nv, &mut out.as_mut());
}

/// Factors the current M, as long as `may_go_on` says so.
#[doc(alias = "mj_factorM")]
pub(crate) fn factor(model: &Model, out: &mut Inertia, may_go_on: impl FnMut() -> bool) {
    out.qLD.copy_from_slice(&out.M);
    out.is_factored = factor::symmetric(rows(model), &mut out.qLD, &mut out.qLDiagInv, may_go_on);
}

/// Inertias of subtrees.
pub(crate) fn composite(model: &Model, com: &Com, crb: &mut [[f64; 10]]) {
    inertia::composite(&Tree::from(model), &com.as_ref(), 0..model.nbody, crb);
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
