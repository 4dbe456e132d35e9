//! Working memory of the stages, sized once per model.

use crate::ray::Fan;
use crate::sensor::contact::Match;
use sinew_math::spatial::Spatial;
use sinew_model::Model;

/// Buffers a stage may use while it runs; nothing in them survives a stage.
#[derive(Clone, Debug, Default)]
pub struct Scratch {
    /// One number per degree of freedom.
    pub row: Vec<f64>,
    /// Degrees of freedom that a sparse row touches.
    pub touched: Vec<bool>,
    /// Accelerations of bodies.
    pub body_acceleration: Vec<Spatial>,
    /// Forces on bodies.
    pub body_force: Vec<Spatial>,
    /// Clamped controls.
    pub control: Vec<f64>,
    /// Rates of one actuator's activations.
    pub rates: Vec<f64>,
    /// One number per tendon.
    pub tendon: Vec<f64>,
    /// Contacts that a sensor selects.
    pub(crate) matches: Vec<Match>,
    /// What rays from one point may meet.
    pub(crate) fan: Fan,
    /// Nodes of a tree to visit.
    pub stack: Vec<i32>,
    /// Readings of one sensor.
    pub sensor: Vec<f64>,
}

impl Scratch {
    /// Buffers for a model.
    pub fn new(model: &Model) -> Self {
        Scratch {
            row: vec![0.0; model.nv],
            touched: vec![false; model.nv],
            body_acceleration: vec![[0.0; 6]; model.nbody],
            body_force: vec![[0.0; 6]; model.nbody],
            control: vec![0.0; model.nu],
            rates: Vec::new(),
            tendon: vec![0.0; model.ntendon],
            matches: Vec::new(),
            fan: Fan::default(),
            stack: Vec::with_capacity(64),
            sensor: vec![
                0.0;
                model
                    .sensor_dim
                    .iter()
                    .map(|&n| n as usize)
                    .max()
                    .unwrap_or(0)
            ],
        }
    }
}
