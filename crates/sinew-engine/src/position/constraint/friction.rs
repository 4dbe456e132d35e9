//! Dry friction of degrees of freedom and tendons.

use super::{Constraints, Row, for_each_tendon_entry};
use crate::position::tendon::Tendon;
use sinew_model::Model;
use sinew_model::kinds::{Constraint, DisableFlag};

pub(super) fn add(model: &Model, tendon: &Tendon, out: &mut Constraints) {
    if model.opt.disableflags & DisableFlag::Frictionloss.code() != 0 {
        return;
    }
    let row = |kind, id, frictionloss| Row {
        kind,
        id,
        pos: 0.0,
        margin: 0.0,
        frictionloss,
    };
    for dof in 0..model.nv {
        let loss = model.dof_frictionloss[dof];
        if loss != 0.0 {
            let row = row(Constraint::FrictionDof, dof, loss);
            out.push_row(row, &[dof as i32], std::iter::once(1.0));
        }
    }
    for i in 0..model.ntendon {
        let loss = model.tendon_frictionloss[i];
        if loss > 0.0 {
            let start = out.efc_J.len();
            for_each_tendon_entry(model, tendon, i, |column, value| {
                out.efc_J_colind.push(column);
                out.efc_J.push(value);
            });
            let address = out.nefc() as i32;
            if out.efc_J.len() > start {
                out.finish_row(row(Constraint::FrictionTendon, i, loss), start);
            }
            if out.tendon_efcadr[i] < 0 {
                out.tendon_efcadr[i] = address;
            }
        }
    }
}
