//! The plugins that come with the reference: what they serve and which settings they know.

/// What a plugin can be attached to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Capability {
    /// Actuators.
    Actuator,
    /// Sensors.
    Sensor,
    /// Bodies, as a passive force.
    Passive,
    /// Geoms and meshes, as a signed distance field.
    Distance,
}

impl Capability {
    /// The word for messages.
    pub fn word(self) -> &'static str {
        match self {
            Capability::Actuator => "actuators",
            Capability::Sensor => "sensors",
            Capability::Passive => "passive forces",
            Capability::Distance => "signed distance fields",
        }
    }
}

/// A plugin. Its place in [`SHIPPED`] is the slot that the model stores.
#[derive(Clone, Copy, Debug)]
pub struct Shipped {
    /// Its name.
    pub name: &'static str,
    /// What it serves.
    pub capability: Capability,
    /// Its settings, in the order their values are stored.
    pub attributes: &'static [&'static str],
}

/// All of them, by slot.
pub const SHIPPED: [Shipped; 8] = [
    Shipped {
        name: "mujoco.pid",
        capability: Capability::Actuator,
        attributes: &["kp", "ki", "kd", "imax", "slewmax"],
    },
    Shipped {
        name: "mujoco.elasticity.cable",
        capability: Capability::Passive,
        attributes: &["twist", "bend", "flat", "vmax"],
    },
    Shipped {
        name: "mujoco.sensor.touch_grid",
        capability: Capability::Sensor,
        attributes: &["nchannel", "size", "fov", "gamma"],
    },
    Shipped {
        name: "mujoco.sdf.bolt",
        capability: Capability::Distance,
        attributes: &["radius"],
    },
    Shipped {
        name: "mujoco.sdf.bowl",
        capability: Capability::Distance,
        attributes: &["height", "radius", "thickness"],
    },
    Shipped {
        name: "mujoco.sdf.gear",
        capability: Capability::Distance,
        attributes: &["alpha", "diameter", "teeth", "thickness", "innerdiameter"],
    },
    Shipped {
        name: "mujoco.sdf.nut",
        capability: Capability::Distance,
        attributes: &["radius"],
    },
    Shipped {
        name: "mujoco.sdf.torus",
        capability: Capability::Distance,
        attributes: &["radius1", "radius2"],
    },
];

/// The slot of a plugin.
pub fn slot(name: &str) -> Option<usize> {
    SHIPPED.iter().position(|plugin| plugin.name == name)
}
