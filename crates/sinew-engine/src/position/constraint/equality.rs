//! Equality constraints: connect, weld and joint by [`sinew_dynamics::row::equality`], tendon here, flex beside it.
//!
//! *Tendon* ties one length to a quartic polynomial of another (1 row).

use super::{Buffer, Constraints, flex, for_each_tendon_entry};
use crate::is_sparse;
use crate::position::com::Com;
use crate::position::flex::Flex;
use crate::position::kinematics::Kinematics;
use crate::position::tendon::Tendon;
use crate::state::{Input, State};
use sinew_dynamics::row::equality::{self, Pose};
use sinew_dynamics::row::{NewRows, Source};
use sinew_model::Model;
use sinew_model::kinds::{DisableFlag, EqualityType};

pub(super) fn add(
    model: &Model,
    state: &State,
    input: &Input,
    kinematics: &Kinematics,
    com: &Com,
    (tendon, flex): (&Tendon, &Flex),
    out: &mut Constraints,
) {
    if model.neq == 0 || model.opt.disableflags & DisableFlag::Equality.code() != 0 {
        return;
    }
    let source = &Source::from(model);
    let pose = &Pose {
        qpos: &state.qpos,
        kinematics: kinematics.as_ref(),
        com: com.as_ref(),
    };
    let mut buffer = std::mem::take(&mut out.buffer);
    buffer.resize(model.nv);
    for i in (0..model.neq).filter(|i| input.eq_active[*i] != 0) {
        match EqualityType::from_code(model.eq_type[i]) {
            Some(EqualityType::Tendon) => couple_tendons(model, tendon, i, &mut buffer, out),
            Some(EqualityType::Flex | EqualityType::Flexvert) if flex::by_law(model, i, out) => {}
            Some(EqualityType::Flex) => flex::keep_lengths(model, flex, i, out),
            Some(EqualityType::Flexvert) => flex::keep_strains(model, flex, i, out),
            _ => {
                let scratch = &mut buffer.equality();
                equality::rows(source, pose, (i, true), out.form(), scratch, out);
            }
        }
    }
    out.buffer = buffer;
}

fn couple_tendons(
    model: &Model,
    tendon: &Tendon,
    i: usize,
    buffer: &mut Buffer,
    out: &mut Constraints,
) {
    let c = &model.eq_data[i];
    let (first, second) = (model.eq_obj1id[i], model.eq_obj2id[i]);
    for id in [first, second].into_iter().filter(|id| *id >= 0) {
        let address = &mut out.tendon_efcadr[id as usize];
        if *address < 0 {
            *address = i as i32;
        }
    }
    let from_reference = |id: i32| {
        let id = id as usize;
        (tendon.ten_length[id], model.tendon_length0[id])
    };
    // Entries of both rows in a dense buffer, columns in order of degree of freedom.
    buffer.row.clear();
    buffer.row.resize(model.nv, 0.0);
    buffer.row_columns.clear();
    let mut add = |id: i32, scale: f64| {
        for_each_tendon_entry(model, tendon, id as usize, |column, value| {
            buffer.row[column as usize] += value * scale;
            buffer.row_columns.push(column);
        });
    };
    add(first, 1.0);
    let (length, reference) = from_reference(first);
    let mut pos = length - reference - c[0];
    if second >= 0 {
        let (length, reference) = from_reference(second);
        let (follow, slope) = equality::polynomial(c, length - reference);
        pos -= follow;
        add(second, -slope);
    }
    buffer.row_columns.sort_unstable();
    buffer.row_columns.dedup();
    let is_zero = buffer.row.iter().all(|value| *value == 0.0);
    if buffer.row_columns.is_empty() || (is_zero && !is_sparse(model)) {
        return;
    }
    let columns = &buffer.row_columns;
    let values = columns.iter().map(|column| buffer.row[*column as usize]);
    out.add(true, equality::row(i, pos), columns, values);
}
