//! Dry friction of degrees of freedom and tendons.

use super::{Constraints, for_each_tendon_entry};
use crate::position::tendon::Tendon;
use sinew_dynamics::row::{Row, Source, friction};
use sinew_model::Model;
use sinew_model::kinds::{Constraint, DisableFlag};

pub(super) fn add(model: &Model, tendon: &Tendon, out: &mut Constraints) {
    if model.opt.disableflags & DisableFlag::Frictionloss.code() != 0 {
        return;
    }
    friction::rows(&Source::from(model), 0..model.nv, out);
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
                let row = Row {
                    kind: Constraint::FrictionTendon,
                    id: i,
                    pos: 0.0,
                    margin: 0.0,
                    frictionloss: loss,
                };
                out.finish_row(row, start);
            }
            if out.tendon_efcadr[i] < 0 {
                out.tendon_efcadr[i] = address;
            }
        }
    }
}
