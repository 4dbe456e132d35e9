//! The Hessian of the primal cost, H = M + Jᵀ·diag(D of quadratic rows)·J + cone blocks, and its
//! Cholesky factor: what Newton's method goes by.
//!
//! Small problems keep H dense ([`dense`]). Many small trees give dense blocks that are eliminated
//! in a good order ([`block`]); large trees leave sparse rows ([`sparse`]). All are told which rows
//! changed state and refactor. Blocks and sparse rows follow what one problem touches, so only the
//! dense form is written over lanes.

#[cfg(feature = "std")]
mod block;
pub(crate) mod dense;
#[cfg(feature = "std")]
mod form;
#[cfg(feature = "std")]
mod order;
#[cfg(feature = "std")]
mod pattern;
#[cfg(feature = "std")]
mod sparse;

use crate::cost::code;
use crate::primal::Place;
use crate::problem::state;
#[cfg(feature = "std")]
pub(crate) use form::{Hessian, Newton};
use sinew_math::{Mask, Real};

#[cfg(feature = "std")]
const QUADRATIC: f64 = state::QUADRATIC as f64;
#[cfg(feature = "std")]
const CONE: f64 = state::CONE as f64;

/// Whether H changed by a step, in some lane.
#[inline(always)]
fn is_changed<T: Real, J>(place: &Place<'_, T, J>, old_state: &[T]) -> bool {
    let (quadratic, side) = (code(state::QUADRATIC), code(state::CONE));
    for (&old, &new) in old_state.iter().zip(place.state) {
        let is_same = old.equals(new);
        if !is_same.all() && (!is_same & (old.equals(quadratic) | new.equals(quadratic))).any() {
            return true;
        }
    }
    for cone in place.problem.cones {
        let (old, new) = (old_state[cone.row], place.state[cone.row]);
        if (old.equals(side) | new.equals(side)).any() {
            return true;
        }
    }
    false
}

/// x ← −x
#[inline(always)]
fn negate<T: Real>(x: &mut [T]) {
    for x in x {
        *x = -*x;
    }
}

/// Whether there is memory for a vector of a length; what it lacks is reserved, and no more.
#[cfg(feature = "std")]
pub(crate) fn can_hold<T>(vector: &mut Vec<T>, length: usize) -> bool {
    let more = length.saturating_sub(vector.len());
    vector.try_reserve_exact(more).is_ok()
}

/// Gives a vector a length and one value, keeping its memory.
#[cfg(feature = "std")]
fn refill<T: Copy>(vector: &mut Vec<T>, length: usize, value: T) {
    vector.clear();
    vector.resize(length, value);
}
