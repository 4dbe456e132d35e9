//! Dry friction of degrees of freedom.

use super::{NewRows, Row, Source};
use core::ops::Range;
use sinew_math::{Lift, Mask, Real};
use sinew_model::kinds::Constraint;

/// A row with entry 1 for each degree of freedom that has a loss.
#[inline(always)]
pub fn rows<T: Real, V: Lift<T>>(
    source: &Source<'_, V>,
    dofs: Range<usize>,
    out: &mut impl NewRows<T>,
) {
    for dof in dofs {
        let frictionloss: T = source.values.dof_frictionloss[dof].lift();
        let exists = !frictionloss.equals(T::ZERO);
        if exists.any() {
            let row = Row {
                kind: Constraint::FrictionDof,
                id: dof,
                pos: T::ZERO,
                margin: T::ZERO,
                frictionloss,
            };
            out.add_few(exists, row, [dof as i32], [T::ONE]);
        }
    }
}
