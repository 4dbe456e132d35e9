//! Forces at contacts.

use crate::position::contact::Contact;
use sinew_model::Model;
use sinew_model::kinds::Cone;

/// Force and torque of a contact in its own frame: normal, two tangents, then torques about them.
/// Zero for a contact without constraint rows.
#[doc(alias = "mj_contactForce")]
pub fn in_contact_frame(model: &Model, contact: &Contact, efc_force: &[f64]) -> [f64; 6] {
    let mut out = [0.0; 6];
    let Ok(first) = usize::try_from(contact.efc_address) else {
        return out;
    };
    let dim = contact.dim as usize;
    if dim == 1 || model.opt.cone == Cone::Elliptic.code() {
        out[..dim].copy_from_slice(&efc_force[first..first + dim]);
        return out;
    }
    // Edges of the pyramid come in pairs, one pair for each friction direction.
    let edges = &efc_force[first..first + 2 * (dim - 1)];
    for &edge in edges {
        out[0] += edge;
    }
    for (k, pair) in edges.chunks_exact(2).enumerate() {
        out[k + 1] = (pair[0] - pair[1]) * contact.friction[k];
    }
    out
}
