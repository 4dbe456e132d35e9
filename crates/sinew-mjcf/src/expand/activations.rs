//! How many activations an actuator has, from what is written.

use super::walk::{ancestry, value};
use crate::spec::actuator::{Actuator, ActuatorKind};
use crate::spec::{DefaultClass, Spec};
use sinew_model::kinds::DynamicsType;

/// Number of activations of an actuator as written.
pub fn count(spec: &Spec, actuator: &Actuator) -> usize {
    let class = value(&actuator.table.class);
    let mut classes: Vec<&DefaultClass> = ancestry(spec, class.as_deref()).collect();
    classes.reverse();
    let inherited = classes.into_iter().flat_map(|class| class.actuators.iter());
    in_order(inherited.chain(std::iter::once(actuator)))
}

/// The same of the elements that write to one record: those of its classes from the root down, then itself.
fn in_order<'a>(written: impl Iterator<Item = &'a Actuator>) -> usize {
    let mut dyntype = DynamicsType::None;
    let mut actdim = -1;
    for actuator in written {
        let table = &actuator.table;
        match actuator.kind {
            ActuatorKind::General | ActuatorKind::Plugin => {
                if let Some(at) = &table.dyntype {
                    dyntype = at.value;
                }
                if let Some(at) = &table.actdim {
                    actdim = at.value;
                }
            }
            ActuatorKind::Motor | ActuatorKind::Velocity | ActuatorKind::Damper => {
                dyntype = DynamicsType::None;
            }
            ActuatorKind::Position => {
                if let Some(first) = table.timeconst.as_ref().and_then(|at| at.value.first()) {
                    dyntype = if *first == 0.0 {
                        DynamicsType::None
                    } else {
                        DynamicsType::Filterexact
                    };
                }
            }
            ActuatorKind::IntVelocity => dyntype = DynamicsType::Integrator,
            ActuatorKind::Cylinder => dyntype = DynamicsType::Filter,
            ActuatorKind::Muscle => dyntype = DynamicsType::Muscle,
            ActuatorKind::Adhesion => {}
        }
    }
    match usize::try_from(actdim) {
        Ok(actdim) if actdim > 0 => actdim.min(1 << 20),
        _ => usize::from(dyntype != DynamicsType::None),
    }
}
