//! Laws with what they know of a model.
//!
//! Whoever uses a law has it here: it is prepared when it first meets a model, and again when the model has another
//! [`Version`](sinew_model::version::Version). A law that refuses an object while steps are made leaves it to the model;
//! who wants to hear of it asks [`Laws::check`](super::Laws::check), as the builder of simulations does.

use super::law::{Elasticity, FlexLaw, LawError, Memory, Slot, take};
use super::physics::{ElasticitySlot, FlexSlot};
use super::rows::LawRows;
use crate::flex;
use crate::position::com::Com;
use crate::position::flex::Flex;
use crate::velocity::passive::flex::law::{Evaluation, FlexLoads, Forces};
use sinew_model::Model;
use sinew_model::version::Version;

/// A law with what it was told about a model.
#[derive(Clone, Debug, Default)]
pub struct Prepared<L> {
    version: Option<Version>,
    /// The objects that it takes.
    taken: Vec<usize>,
    law: L,
}

impl<L> Prepared<L> {
    /// A law that has met no model yet.
    pub fn new(law: L) -> Self {
        Prepared {
            version: None,
            taken: Vec::new(),
            law,
        }
    }

    /// The law.
    pub fn law(&self) -> &L {
        &self.law
    }

    /// The law for writing; it will be prepared again.
    pub fn law_mut(&mut self) -> &mut L {
        self.version = None;
        &mut self.law
    }

    /// The law, and the objects that it takes.
    pub(crate) fn with_taken(&mut self) -> (&mut L, &[usize]) {
        (&mut self.law, &self.taken)
    }

    #[inline]
    pub(crate) fn is_current(&self, model: &Model) -> bool {
        self.version
            .as_ref()
            .is_some_and(|version| version.is_of(model))
    }

    /// Asks about each of so many objects; the first that is refused is the error, and goes to nobody.
    pub(crate) fn ask(
        &mut self,
        model: &Model,
        count: usize,
        mut prepare: impl FnMut(&mut L, usize) -> Result<bool, LawError>,
    ) -> Result<(), LawError> {
        self.version = Some(model.version());
        self.taken.clear();
        let mut outcome = Ok(());
        for object in 0..count {
            match prepare(&mut self.law, object) {
                Ok(true) => self.taken.push(object),
                Ok(false) => {}
                Err(error) => outcome = outcome.and(Err(error)),
            }
        }
        outcome
    }
}

impl<L: FlexLaw> FlexSlot for Prepared<L> {
    fn check(&mut self, model: &Model) -> Result<(), LawError> {
        self.ask(model, model.nflex, |law, flex| law.prepare(model, flex))
    }

    fn add_force(
        &mut self,
        evaluation: &Evaluation<'_>,
        flex: usize,
        loads: &mut FlexLoads,
        forces: Forces<'_>,
    ) -> bool {
        let model = evaluation.model;
        if !self.is_current(model) {
            // Who asks hears of errors.
            let _ = self.check(model);
        }
        if self.taken.binary_search(&flex).is_err() {
            return false;
        }
        loads.add(evaluation, flex, &mut self.law, forces);
        true
    }

    fn add_velocity_derivative(
        &mut self,
        evaluation: &Evaluation<'_>,
        loads: &mut FlexLoads,
        derivative: &mut [f64],
    ) {
        for &flex in &self.taken {
            let view = loads.view(evaluation, flex);
            self.law.add_velocity_derivative(&view, derivative);
        }
    }
}

impl<L: Elasticity> ElasticitySlot for Prepared<L> {
    fn add_rows(&mut self, model: &Model, moving: (&Com, &Flex), out: &mut LawRows) {
        if !self.is_current(model) {
            // Who asks hears of errors.
            let _ = self.check(model);
        }
        for &flex in &self.taken {
            // The others have no vertices of their own.
            if flex::has_own_edges(model, flex) {
                out.collect(model, moving, flex, |rows| self.law.add_rows(rows));
            }
        }
    }
}

impl<L: Memory> Slot for Prepared<L> {
    fn reset(&mut self) {
        self.law.reset();
    }

    fn save(&self, out: &mut Vec<f64>) {
        out.extend_from_slice(self.law.numbers());
    }

    fn restore<'a>(&mut self, saved: &'a [f64]) -> Option<&'a [f64]> {
        take(saved, self.law.numbers_mut())
    }
}
