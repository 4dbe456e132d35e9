//! Reference acceleration of the constraint rows.
//!
//! a_ref = −B·v − K·d·(pos − margin), v = J·qvel. Conforms to `mj_referenceConstraint`.

use crate::position::constraint::Constraints;
use crate::state::State;
use sinew_dynamics::row::impedance::reference;

sinew_model::groups! {
    /// What the constraint rows aim at.
    pub struct Reference {
        /// Velocity of each row.
        efc_vel: Vec<f64>,
        /// Reference acceleration of each row.
        efc_aref: Vec<f64>,
    }
}

/// Computes velocities and reference accelerations of all rows.
#[doc(alias = "mj_referenceConstraint")]
pub(crate) fn compute(state: &State, constraints: &Constraints, out: &mut Reference) {
    let rows = constraints.nefc();
    out.efc_vel.resize(rows, 0.0);
    out.efc_aref.resize(rows, 0.0);
    constraints
        .jacobian()
        .multiply(&state.qvel, &mut out.efc_vel);
    let (aref, vel) = (&mut out.efc_aref[..rows], &out.efc_vel[..rows]);
    let (pos, margin) = (
        &constraints.efc_pos[..rows],
        &constraints.efc_margin[..rows],
    );
    let hardness = &constraints.efc_KBIP[..rows];
    for i in 0..rows {
        aref[i] = reference(hardness[i], vel[i], pos[i] - margin[i]);
    }
}
