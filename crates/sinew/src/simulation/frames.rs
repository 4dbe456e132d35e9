//! Where bodies, geoms, sites and cameras are, and how they move.

use super::Simulation;
use crate::access::AccessError;
use crate::ids::{BodyId, CameraId, Find, GeomId, Id, SiteId};
use sinew_engine::query::Axes;
use sinew_math::spatial::{rotation, translation};
use sinew_math::{Mat3, Quat, Vec3};
use sinew_model::kinds::ObjectType;

/// A frame in the world that moves: that of a body, geom, site or camera.
///
/// ```
/// use sinew::prelude::*;
/// let mut sim = Simulation::new(Model::built_in("pendulum")?);
/// sim.set_qvel("hinge", &[1.0])?;
/// sim.step_for(0.1)?;
/// let rod: Frame = sim.body("rod")?;
/// assert_eq!(rod.position, Vec3([0.0, 0.0, 1.0]), "it turns about its end");
/// assert!(rod.angular_velocity[1].abs() > 0.1, "and swings");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Frame {
    /// Where its origin is, in metres.
    pub position: Vec3,
    /// Its axes, as the columns of a matrix.
    pub axes: Mat3,
    /// Velocity of its origin, in the axes of the world.
    pub velocity: Vec3,
    /// Angular velocity, in the axes of the world.
    pub angular_velocity: Vec3,
}

impl Frame {
    /// Its orientation as a unit quaternion.
    pub fn orientation(&self) -> Quat {
        self.axes.to_quat()
    }
}

/// Frames, as of the last step's start or the last [`Simulation::forward`].
///
/// ```
/// use sinew::prelude::*;
/// let mut sim = Simulation::new(Model::built_in("humanoid")?);
/// sim.forward()?;
/// let pelvis = sim.body("pelvis")?;
/// println!("{:?} {:?}", pelvis.position, pelvis.velocity);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
impl<P> Simulation<P> {
    /// The frame of a body, at its origin.
    pub fn body(&self, body: impl Find<BodyId>) -> Result<Frame, AccessError> {
        Ok(self.frame(ObjectType::Xbody, body.id_in(&self.model)?))
    }

    /// The frame at a body's centre of mass, along its principal axes of inertia.
    pub fn centre_of_mass(&self, body: impl Find<BodyId>) -> Result<Frame, AccessError> {
        Ok(self.frame(ObjectType::Body, body.id_in(&self.model)?))
    }

    /// The frame of a geom.
    pub fn geom(&self, geom: impl Find<GeomId>) -> Result<Frame, AccessError> {
        Ok(self.frame(ObjectType::Geom, geom.id_in(&self.model)?))
    }

    /// The frame of a site.
    pub fn site(&self, site: impl Find<SiteId>) -> Result<Frame, AccessError> {
        Ok(self.frame(ObjectType::Site, site.id_in(&self.model)?))
    }

    /// The frame of a camera: it looks along −z.
    pub fn camera(&self, camera: impl Find<CameraId>) -> Result<Frame, AccessError> {
        Ok(self.frame(ObjectType::Camera, camera.id_in(&self.model)?))
    }

    fn frame(&self, kind: ObjectType, id: impl Id) -> Frame {
        let (data, model, id) = (&self.data, &self.model, id.index());
        // The object exists and its kind has frames; only a simulation whose arrays the user cut off has none.
        let frame = data.frame(model, kind, id);
        let velocity = data.object_velocity(model, kind, id, Axes::World);
        let (_, position, axes) = frame.unwrap_or_default();
        let velocity = velocity.unwrap_or_default();
        Frame {
            position,
            axes,
            velocity: translation(&velocity),
            angular_velocity: rotation(&velocity),
        }
    }
}
