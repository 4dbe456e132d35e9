//! Joint-space inertia and its sparse factor.
//!
//! Composite rigid bodies: the inertia `crb` that a degree of freedom carries is the sum over its
//! subtree, and `M[i,j]` = cdof_j · (crb_i · cdof_i) for every ancestor j of i, plus the armature on
//! the diagonal. Simple bodies have constant diagonal entries, taken from the model. Then M = LᵀDL
//! without fill-in. Conforms to MuJoCo's `mj_makeM` and `mj_factorM`.

use crate::com::ComRef;
use core::ops::Range;
use sinew_math::series::{Cells, Series};
use sinew_math::spatial::{Inertia as SpatialInertia, dot, mul_inertia};
use sinew_math::tree::TreeRows;
use sinew_math::{Lift, Real};
use sinew_model::view::{Tree, TreeValues};

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
            crb: nbody x SpatialInertia<T>,
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

#[cfg(feature = "std")]
impl Inertia {
    /// Solves M·x = b in place, with the factor that is there.
    #[inline]
    pub fn solve<'a>(&self, tree: impl Into<Tree<'a>>, x: &mut [f64]) {
        sinew_math::tree::solve(rows(&tree.into()), &self.qLD, &self.qLDiagInv, x);
    }

    /// Solves M·x = b in place for the degrees of freedom of whole trees; the others are left alone.
    #[inline]
    pub fn solve_trees<'a>(&self, tree: impl Into<Tree<'a>>, dofs: Range<usize>, x: &mut [f64]) {
        sinew_math::tree::solve_range(rows(&tree.into()), dofs, &self.qLD, &self.qLDiagInv, x);
    }

    /// out = M·x.
    #[inline]
    pub fn multiply<'a>(&self, tree: impl Into<Tree<'a>>, x: &[f64], out: &mut [f64]) {
        sinew_math::tree::multiply(rows(&tree.into()), &self.M, x, out);
    }
}

/// The layout of M.
#[inline(always)]
pub fn rows<'a>(tree: &Tree<'a>) -> TreeRows<'a> {
    TreeRows {
        rownnz: tree.M_rownnz,
        rowadr: tree.M_rowadr,
        colind: tree.M_colind,
    }
}

/// Inertias of subtrees. What hangs on the world stays apart, and so does what hangs on bodies outside
/// the range.
#[inline(always)]
pub fn composite<T: Real>(
    tree: &Tree<'_>,
    com: &ComRef<'_, T>,
    bodies: Range<usize>,
    crb: &mut Series<SpatialInertia<T>>,
) {
    crb.part_mut(bodies.clone())
        .copy_cells(com.cinert.part(bodies.clone()));
    for i in (bodies.start.max(1)..bodies.end).rev() {
        let parent = tree.body_parentid[i] as usize;
        if parent > 0 && parent >= bodies.start {
            let child = *crb.at(i);
            for (sum, value) in crb.at_mut(parent).iter_mut().zip(child) {
                *sum += value;
            }
        }
    }
}

/// Rows of M, without what tendons add.
#[inline(always)]
pub fn matrix<T: Real, V: Lift<T>>(
    tree: &Tree<'_>,
    values: &TreeValues<'_, V>,
    com: &ComRef<'_, T>,
    dofs: Range<usize>,
    out: &mut InertiaMut<'_, T>,
) {
    for i in dofs {
        let start = tree.M_rowadr[i] as usize;
        if tree.dof_simplenum[i] > 0 {
            out.M[start] = values.dof_M0[i].lift();
            continue;
        }
        let length = tree.M_rownnz[i] as usize;
        let momentum = mul_inertia(&out.crb.at(tree.dof_bodyid[i] as usize), &com.cdof.at(i));
        let columns = &tree.M_colind[start..start + length];
        let row = out.M.part_mut(start..start + length);
        for (value, &j) in row.iter_mut().zip(columns) {
            *value = dot(&com.cdof.at(j as usize), &momentum);
        }
        row[length - 1] += values.dof_armature[i].lift();
    }
}

/// M in the older layout.
#[cfg(not(target_arch = "nvptx64"))]
#[inline(always)]
pub fn older_layout<T: Real>(tree: &Tree<'_>, out: &mut InertiaMut<'_, T>) {
    for (&value, &address) in out.M.iter().zip(tree.mapM2M) {
        out.qM[address as usize] = value;
    }
}

/// Factors M.
#[cfg(not(target_arch = "nvptx64"))]
#[doc(alias = "mj_factorM")]
#[inline(always)]
pub fn factor<T: Real>(tree: &Tree<'_>, out: &mut InertiaMut<'_, T>) {
    out.qLD.copy_from_slice(out.M);
    sinew_math::tree::factor(rows(tree), out.qLD, out.qLDiagInv);
}
