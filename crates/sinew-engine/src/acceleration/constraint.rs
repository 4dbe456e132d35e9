//! Constraint forces and the acceleration that satisfies them.
//!
//! Without constraint rows the acceleration is the unconstrained one.

use super::smooth::Smooth;
use sinew_model::Model;

sinew_model::columns! {
    /// Constrained dynamics.
    pub struct Solution {
        sizes {
            /// Degrees of freedom.
            nv,
        }
        columns {
            /// Acceleration.
            qacc: nv x f64,
            /// Generalised force of the constraints.
            qfrc_constraint: nv x f64,
        }
        other {}
    }
}

impl Solution {
    /// Arrays for a model.
    pub fn new(model: &Model) -> Self {
        let mut out = Solution {
            nv: model.nv,
            ..Default::default()
        };
        out.allocate();
        out
    }
}

/// Finds the constrained acceleration.
#[doc(alias = "mj_fwdConstraint")]
pub fn compute(smooth: &Smooth, out: &mut Solution) {
    out.qfrc_constraint.fill(0.0);
    out.qacc.copy_from_slice(&smooth.qacc_smooth);
}
