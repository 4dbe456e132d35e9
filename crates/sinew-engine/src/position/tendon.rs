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
use super::jacobian::{difference_column, for_each_dof_of_pair, offset};
use super::kinematics::Kinematics;
use super::row::GatheredRow;
use super::wrap::{Around, wrap};
use crate::is_sparse;
use crate::scratch::Scratch;
use crate::state::State;
use sinew_math::Vec3;
use sinew_model::Model;
use sinew_model::kinds::WrapType;

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
    let mut row = GatheredRow::new(&mut scratch.row, &mut scratch.touched);
    let (mut path_points, mut entries) = (0, 0);
    for i in 0..model.ntendon {
        let first_point = path_points;
        let start = model.tendon_adr[i] as usize;
        out.ten_length[i] = if model.wrap_type[start] == WrapType::Joint.code() {
            fixed(model, state, i, &mut row, is_sparse)
        } else {
            spatial(model, kinematics, com, i, out, &mut path_points, &mut row)
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

/// A string through sites, around geoms and over pulleys. Appends its points to the paths.
fn spatial(
    model: &Model,
    kinematics: &Kinematics,
    com: &Com,
    tendon: usize,
    out: &mut Tendon,
    points: &mut usize,
    row: &mut GatheredRow<'_>,
) -> f64 {
    let mut push_point = |point: Vec3, object: i32| {
        out.set_point(*points, point, object);
        *points += 1;
    };
    let start = model.tendon_adr[tendon] as usize;
    let count = model.tendon_num[tendon] as usize;
    let kind = |k: usize| WrapType::from_code(model.wrap_type[start + k]);
    let object = |k: usize| model.wrap_objid[start + k] as usize;
    let (mut length, mut divisor, mut scale) = (0.0, 1.0, 1.0);
    let mut j = 0;
    while j + 1 < count {
        // A pulley starts a new branch.
        if kind(j) == Some(WrapType::Pulley) {
            divisor = model.wrap_prm[start + j];
            scale = 1.0 / divisor;
            push_point(Vec3::ZERO, -2);
            j += 1;
            continue;
        }
        if kind(j + 1) == Some(WrapType::Pulley) {
            j += 1;
            continue;
        }

        // A site, possibly a geom to pass, and the next site.
        let around = match kind(j + 1) {
            Some(WrapType::Sphere) => Some(Around::Sphere),
            Some(WrapType::Cylinder) => Some(Around::Cylinder),
            _ => None,
        };
        let next = if around.is_some() { j + 2 } else { j + 1 };
        let (site0, site1) = (object(j), object(next));
        let (p0, p1) = (kinematics.site_xpos[site0], kinematics.site_xpos[site1]);
        let body0 = model.site_bodyid[site0] as usize;
        let body1 = model.site_bodyid[site1] as usize;
        let geom = object(j + 1);
        let contact = around.and_then(|around| {
            let side = side_site(model, model.wrap_prm[start + j + 1]);
            wrap(
                around,
                (p0, p1),
                (
                    kinematics.geom_xpos[geom],
                    &kinematics.geom_xmat[geom],
                    model.geom_size[geom][0],
                ),
                side.map(|site| kinematics.site_xpos[site]),
            )
        });

        let mut straight = |from: (Vec3, usize), to: (Vec3, usize)| {
            straight_piece(model, com, from, to, scale, row);
        };
        push_point(p0, -1);
        match contact {
            None => {
                length += p0.distance(p1) / divisor;
                straight((p0, body0), (p1, body1));
            }
            Some(contact) => {
                let [q0, q1] = contact.points;
                let geom_body = model.geom_bodyid[geom] as usize;
                length += (p0.distance(q0) + contact.length + q1.distance(p1)) / divisor;
                straight((p0, body0), (q0, geom_body));
                straight((q1, geom_body), (p1, body1));
                push_point(q0, geom as i32);
                push_point(q1, geom as i32);
            }
        }
        j = next;
        if j + 1 == count || kind(j + 1) == Some(WrapType::Pulley) {
            push_point(p1, -1);
        }
    }
    length
}

/// The side site stored with a wrapping geom; negative: none.
fn side_site(model: &Model, parameter: f64) -> Option<usize> {
    let id = (parameter + 0.5) as usize;
    (parameter > -0.5 && id < model.nsite).then_some(id)
}

/// Adds the Jacobian of the length of a straight piece between points fixed in two bodies.
fn straight_piece(
    model: &Model,
    com: &Com,
    (p0, body0): (Vec3, usize),
    (p1, body1): (Vec3, usize),
    scale: f64,
    row: &mut GatheredRow<'_>,
) {
    if body0 == body1 {
        return;
    }
    let direction = (p1 - p0).normalized();
    let offsets = [offset(model, com, body0, p0), offset(model, com, body1, p1)];
    for_each_dof_of_pair(model, [body0, body1], |dof, moves| {
        let column = difference_column(&com.cdof[dof], moves, offsets);
        row.add(dof, column.dot(direction) * scale);
    });
}
