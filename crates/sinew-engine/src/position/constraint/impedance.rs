//! How hard rows are: regularisation and reference parameters.
//!
//! The arithmetic is [`sinew_dynamics::row::impedance`]'s. Conforms to `mj_diagApprox`,
//! `mj_makeImpedance`.

use super::Constraints;
use sinew_dynamics::row::contact::Settings;
use sinew_dynamics::row::{HardnessMut, Source, parameter};
use sinew_model::Model;
use sinew_model::kinds::DisableFlag;

/// Impedances of all rows so far, none of which is a contact's.
pub(super) fn compute(model: &Model, out: &mut Constraints) {
    out.resize_hardness(out.nefc());
    parameter::rows(
        &Source::from(model),
        (&out.efc_type, &out.efc_id),
        (&out.efc_pos, &out.efc_margin),
        settings(model).timestep,
        &mut HardnessMut {
            efc_diagApprox: &mut out.efc_diagApprox,
            efc_R: &mut out.efc_R,
            efc_D: &mut out.efc_D,
            efc_KBIP: &mut out.efc_KBIP,
        },
    );
}

/// The options that decide how hard rows are.
#[inline]
pub(super) fn settings(model: &Model) -> Settings {
    let is_safe = model.opt.disableflags & DisableFlag::Refsafe.code() == 0;
    Settings {
        timestep: is_safe.then_some(model.opt.timestep),
        impratio: model.opt.impratio,
    }
}

impl Constraints {
    /// Makes room for what says how hard rows are.
    #[inline]
    pub(super) fn resize_hardness(&mut self, rows: usize) {
        self.efc_diagApprox.resize(rows, 0.0);
        self.efc_R.resize(rows, 0.0);
        self.efc_D.resize(rows, 0.0);
        self.efc_KBIP.resize(rows, [0.0; 4]);
    }
}
