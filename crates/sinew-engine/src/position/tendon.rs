//! Tendon lengths, paths and Jacobians.
//!
//! A fixed tendon is a weighted sum of joint positions. A spatial tendon is a string through sites,
//! around spheres and cylinders, divided by pulleys; its length is the sum of its pieces, each over
//! the divisor of its branch, and its Jacobian follows from the direction of every straight piece
//! that connects two bodies.
//!
//! `ten_J` is dense, one row of nv numbers per tendon, unless the model uses sparse Jacobians: then
//! rows are packed one after the other and `ten_J_rownnz ten_J_rowadr ten_J_colind` describe them.
//! Conforms to MuJoCo's `mj_tendon`.

use super::com::Com;
use super::kinematics::Kinematics;
use super::row::GatheredRow;
use crate::is_sparse;
use crate::scratch::Scratch;
use crate::state::State;
use sinew_dynamics::transmission::{Entries, Paths, Scene, string};
use sinew_math::Vec3;
use sinew_model::Model;
use sinew_model::kinds::WrapType;
use sinew_model::view::{Attached, Tree};

sinew_model::columns! {
    /// Tendons.
    pub struct Tendon for Model {
        sizes {
            /// Tendons.
            ntendon,
            /// Entries of all tendon paths in the model.
            nwrap,
            /// Degrees of freedom.
            nv,
        }
        columns {
            /// First path point of each tendon.
            ten_wrapadr: ntendon x i32,
            /// Number of path points of each tendon.
            ten_wrapnum: ntendon x i32,
            /// Entries of each row of a sparse Jacobian.
            ten_J_rownnz: ntendon x i32,
            /// First entry of each row of a sparse Jacobian.
            ten_J_rowadr: ntendon x i32,
            /// Columns of a sparse Jacobian.
            ten_J_colind: ntendon x i32 [nv],
            /// Jacobian.
            ten_J: ntendon x f64 [nv],
            /// Lengths.
            ten_length: ntendon x f64,
            /// What each path point lies on: geom id, −1 site, −2 pulley.
            wrap_obj: nwrap x [i32; 2],
            /// Path points in the world frame.
            wrap_xpos: nwrap x [f64; 6],
        }
    }
}

impl Tendon {
    /// Stores a path point, two to an entry.
    #[inline]
    fn set_point(&mut self, at: usize, point: Vec3, object: i32) {
        self.wrap_obj.as_flattened_mut()[at] = object;
        self.wrap_xpos.as_flattened_mut()[3 * at..3 * at + 3].copy_from_slice(&point.0);
    }

    /// Calls `visit(dof, value)` for the stored entries of a tendon's Jacobian row.
    #[inline]
    pub(crate) fn for_each_entry(
        &self,
        is_sparse: bool,
        tendon: usize,
        mut visit: impl FnMut(usize, f64),
    ) {
        if is_sparse {
            let start = self.ten_J_rowadr[tendon] as usize;
            let end = start + self.ten_J_rownnz[tendon] as usize;
            for k in start..end {
                visit(self.ten_J_colind[k] as usize, self.ten_J[k]);
            }
        } else {
            let row = &self.ten_J[tendon * self.nv..(tendon + 1) * self.nv];
            for (dof, &value) in row.iter().enumerate() {
                visit(dof, value);
            }
        }
    }
}

/// Lengths, paths and Jacobians of all tendons.
#[doc(alias = "mj_tendon")]
pub(crate) fn compute(
    model: &Model,
    state: &State,
    kinematics: &Kinematics,
    com: &Com,
    out: &mut Tendon,
    scratch: &mut Scratch,
) {
    if model.ntendon == 0 {
        return;
    }
    let is_sparse = is_sparse(model);
    let scene = &Scene {
        tree: Tree::from(model),
        attached: Attached::from(model),
        kinematics: kinematics.as_ref(),
        com: com.as_ref(),
    };
    let paths = &Paths {
        wrap_type: &model.wrap_type,
        wrap_objid: &model.wrap_objid,
        wrap_prm: &model.wrap_prm,
        geom_size: &model.geom_size,
    };
    let mut row = GatheredRow::new(&mut scratch.row, &mut scratch.touched);
    let (mut path_points, mut entries) = (0, 0);
    for i in 0..model.ntendon {
        let first_point = path_points;
        let start = model.tendon_adr[i] as usize;
        out.ten_length[i] = if model.wrap_type[start] == WrapType::Joint.code() {
            fixed(model, state, i, &mut row, is_sparse)
        } else {
            let path = (start, model.tendon_num[i] as usize);
            string(scene, paths, path, &mut row, |point, object| {
                out.set_point(path_points, point, object);
                path_points += 1;
            })
        };
        out.ten_wrapadr[i] = first_point as i32;
        out.ten_wrapnum[i] = (path_points - first_point) as i32;

        if is_sparse {
            out.ten_J_rowadr[i] = entries as i32;
            row.drain(|dof, value| {
                out.ten_J[entries] = value;
                out.ten_J_colind[entries] = dof as i32;
                entries += 1;
            });
            out.ten_J_rownnz[i] = entries as i32 - out.ten_J_rowadr[i];
        } else {
            let dense = &mut out.ten_J[i * model.nv..(i + 1) * model.nv];
            dense.fill(0.0);
            row.drain(|dof, value| dense[dof] = value);
        }
    }
}

/// Weighted sum of joint positions. A joint listed twice counts twice in the length; in a dense
/// Jacobian its last coefficient stands, in a sparse one their sum, as in the reference.
fn fixed(
    model: &Model,
    state: &State,
    tendon: usize,
    row: &mut GatheredRow<'_>,
    is_sparse: bool,
) -> f64 {
    let start = model.tendon_adr[tendon] as usize;
    let mut length = 0.0;
    for k in start..start + model.tendon_num[tendon] as usize {
        let joint = model.wrap_objid[k] as usize;
        let coefficient = model.wrap_prm[k];
        let dof = model.jnt_dofadr[joint] as usize;
        length += coefficient * state.qpos[model.jnt_qposadr[joint] as usize];
        if is_sparse {
            row.add(dof, coefficient);
        } else {
            row.set(dof, coefficient);
        }
    }
    length
}
