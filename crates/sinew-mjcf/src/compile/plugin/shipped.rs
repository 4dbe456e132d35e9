//! The plugins that come with the reference: what they serve and which settings they know.

use super::Instance;
use sinew_collision::sdf::Shape;

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

/// The shape that an instance of a signed-distance plugin describes.
pub fn shape(instance: &Instance) -> Option<Shape> {
    let or = |attribute: &str, default: f64| instance.number(attribute).unwrap_or(default);
    Some(match instance.plugin().name {
        "mujoco.sdf.bolt" => Shape::Bolt {
            radius: or("radius", 0.26),
        },
        "mujoco.sdf.bowl" => Shape::Bowl {
            height: or("height", 0.4),
            radius: or("radius", 1.0),
            thickness: or("thickness", 0.02),
        },
        "mujoco.sdf.gear" => Shape::Gear {
            alpha: or("alpha", 0.0),
            diameter: or("diameter", 2.8),
            teeth: or("teeth", 25.0),
            thickness: or("thickness", 0.2),
            innerdiameter: or("innerdiameter", -1.0),
        },
        "mujoco.sdf.nut" => Shape::Nut {
            radius: or("radius", 0.26),
        },
        "mujoco.sdf.torus" => Shape::Torus {
            radius1: or("radius1", 0.35),
            radius2: or("radius2", 0.15),
        },
        _ => return None,
    })
}
