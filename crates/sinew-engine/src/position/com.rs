//! Centres of mass, and inertias and motion axes expressed about them.

use super::kinematics::Kinematics;
use sinew_dynamics::com;
pub use sinew_dynamics::com::{Com, ComMut, ComRef};
use sinew_model::Model;
use sinew_model::view::{Tree, TreeValues};

/// Centres of mass, then inertias and axes about them.
#[doc(alias = "mj_comPos")]
pub(crate) fn compute(model: &Model, kinematics: &Kinematics, out: &mut Com) {
    let (tree, values) = (&Tree::from(model), &TreeValues::from(model));
    let (kinematics, out) = (&kinematics.as_ref(), &mut out.as_mut());
    com::centres(tree, values, kinematics, 0..model.nbody, out);
    com::inertias(tree, values, kinematics, 0..model.nbody, out);
    com::axes(tree, kinematics, 0..model.njnt, out);
}
