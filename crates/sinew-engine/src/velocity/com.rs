//! Spatial velocities of bodies and rates of change of the motion axes, about the tree's centre of
//! mass.

use crate::position::com::Com;
use crate::state::State;
use core::ops::Range;
use sinew_dynamics::velocity;
pub use sinew_dynamics::velocity::{ComVelocity, ComVelocityMut, ComVelocityRef};
use sinew_model::Model;
use sinew_model::view::Tree;

/// The degrees of freedom of a body.
#[inline]
pub(crate) fn body_dofs(model: &Model, body: usize) -> Range<usize> {
    velocity::body_dofs(&Tree::from(model), body)
}

/// Velocities of all bodies and axes.
#[doc(alias = "mj_comVel")]
pub(crate) fn compute(model: &Model, state: &State, com: &Com, out: &mut ComVelocity) {
    let tree = &Tree::from(model);
    let (com, out) = (&com.as_ref(), &mut out.as_mut());
    velocity::bodies(tree, &state.qvel, com, 0..model.nbody, out);
}
