//! Elements that keep their shape by constraints on the lengths of their edges, and by no force.
//!
//! The rows are those of the reference's equality (`<equality><flex/>`), which the model must have: in a file,
//! `sinew_elasticity="linear_edge"` of a flexcomp adds it.

use crate::flex::held;
use crate::parts::{Elasticity, FlexLaw, FlexLoad, FlexView, LawError, Memory};
use sinew_model::Model;

/// No elastic forces: edges are held by an equality. All flexes whose edges are held are made of it.
#[derive(Clone, Copy, Debug, Default)]
pub struct LinearEdge;

impl LinearEdge {
    /// An error unless the edges of a flex are held.
    pub(crate) fn check(model: &Model, flex: usize) -> Result<(), LawError> {
        if model.flex_edgeequality[flex] == held::EDGES {
            return Ok(());
        }
        let reason = "`linear_edge` needs an equality that holds the edges of the flex";
        Err(LawError::of_flex(model, flex, reason))
    }
}

impl Memory for LinearEdge {}

impl FlexLaw for LinearEdge {
    fn prepare(&mut self, model: &Model, flex: usize) -> Result<bool, LawError> {
        Ok(model.flex_edgeequality[flex] == held::EDGES)
    }

    fn add_force(&mut self, _: &FlexView<'_>, _: &mut FlexLoad<'_>) {}
}

impl Elasticity for LinearEdge {}
