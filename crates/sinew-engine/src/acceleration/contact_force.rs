//! Forces at contacts.

use crate::position::contact::Contact;
use sinew_model::Model;
use sinew_model::kinds::Cone;

/// Force and torque of a contact in its own frame: normal, two tangents, then torques about them.
/// Zero for a contact without constraint rows, or whose rows are not among the forces because they
/// were made for another kind of cone.
#[doc(alias = "mj_contactForce")]
pub fn in_contact_frame(
    model: &Model,
    contact: &Contact,
    first_row: Option<usize>,
    efc_force: &[f64],
) -> [f64; 6] {
    let mut out = [0.0; 6];
    let Some(first) = first_row else {
        return out;
    };
    let dim = contact.dim as usize;
    let is_pyramid = dim > 1 && model.opt.cone != Cone::Elliptic.code();
    let rows = if is_pyramid { 2 * (dim - 1) } else { dim };
    let Some(edges) = efc_force.get(first..first + rows) else {
        return out;
    };
    if !is_pyramid {
        out[..dim].copy_from_slice(edges);
        return out;
    }
    // Edges of the pyramid come in pairs, one pair for each friction direction.
    for &edge in edges {
        out[0] += edge;
    }
    for (k, pair) in edges.chunks_exact(2).enumerate() {
        out[k + 1] = (pair[0] - pair[1]) * contact.friction[k];
    }
    out
}
