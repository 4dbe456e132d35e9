//! What has to be computed for the derived arrays of a batch.

use crate::field::{Need, Role};
use crate::worlds::Shape;
use sinew_engine::{Data, Engine};
use sinew_model::Model;

/// What the arrays that a batch keeps need besides a step.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Needs {
    /// Forces on bodies.
    pub body_force: bool,
    /// Momentum of subtrees.
    pub momentum: bool,
}

impl Needs {
    pub fn of(shapes: &[Shape]) -> Self {
        let has = |need: Need| shapes.iter().any(|s| s.field.role == Role::Derived(need));
        Needs {
            body_force: has(Need::BodyForce),
            momentum: has(Need::Momentum),
        }
    }

    /// Computes what is missing. The simulation is one of this model, so nothing is refused.
    pub fn complete(self, model: &Model, data: &mut Data) {
        let mut engine = Engine::new(model);
        if self.body_force {
            let _ = engine.body_forces(data);
        }
        if self.momentum {
            let _ = engine.subtree_momentum(data);
        }
    }
}
