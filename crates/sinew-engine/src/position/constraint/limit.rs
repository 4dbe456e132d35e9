//! Limits of joints and tendons.
//!
//! A tendon has a lower and an upper bound, as a slide and a hinge have, each a row of its own.

use super::{Constraints, for_each_tendon_entry};
use crate::position::tendon::Tendon;
use crate::state::State;
use sinew_dynamics::row::limit::{self, SIDES, distance};
use sinew_dynamics::row::{Row, Source};
use sinew_model::Model;
use sinew_model::kinds::{Constraint, DisableFlag};

pub(super) fn add(model: &Model, state: &State, tendon: &Tendon, out: &mut Constraints) {
    if model.opt.disableflags & DisableFlag::Limit.code() != 0 {
        return;
    }
    limit::rows(&Source::from(model), &state.qpos, 0..model.njnt, out);
    for i in 0..model.ntendon {
        if model.tendon_limited[i] == 0 {
            continue;
        }
        let margin = model.tendon_margin[i];
        for (side, bound) in SIDES.into_iter().zip(model.tendon_range[i]) {
            let dist = distance(side, bound, tendon.ten_length[i]);
            if dist < margin {
                let start = out.efc_J.len();
                for_each_tendon_entry(model, tendon, i, |column, value| {
                    out.efc_J_colind.push(column);
                    out.efc_J.push(value * -side);
                });
                let address = out.nefc() as i32;
                if out.efc_J.len() > start {
                    let row = Row {
                        kind: Constraint::LimitTendon,
                        id: i,
                        pos: dist,
                        margin,
                        frictionloss: 0.0,
                    };
                    out.finish_row(row, start);
                }
                if out.tendon_efcadr[i] < 0 {
                    out.tendon_efcadr[i] = address;
                }
            }
        }
    }
}
