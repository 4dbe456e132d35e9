//! How the force of one constraint row accelerates another, kept beside the forces.

use sinew_model::Model;
use sinew_model::column::Group;
use sinew_solver::Projection;
use std::ops::{Deref, DerefMut};

/// J·M⁻¹·Jᵀ + R, as the solver keeps it.
#[derive(Clone, Debug, Default)]
pub struct Couplings(Projection);

impl Deref for Couplings {
    type Target = Projection;
    fn deref(&self) -> &Projection {
        &self.0
    }
}

impl DerefMut for Couplings {
    fn deref_mut(&mut self) -> &mut Projection {
        &mut self.0
    }
}

impl Group for Couplings {
    fn new(_: &Model) -> Self {
        Couplings::default()
    }
    fn clear(&mut self, _: &Model) {
        self.0.clear();
    }
    fn copy_from(&mut self, other: &Self) {
        self.0.clone_from(&other.0);
    }
}
