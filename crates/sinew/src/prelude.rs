//! What a program that simulates usually needs: `use sinew::prelude::*;`

pub use crate::access::AccessError;
pub use crate::ids::{
    ActuatorId, BodyId, CameraId, EqualityId, Find, FlexId, GeomId, Id, JointId, KeyId, Names,
    SensorId, SiteId, TendonId,
};
pub use crate::load::Load;
pub use crate::simulation::{Frame, Saved, Simulation, Touch};
pub use sinew_engine::{Control, Controller, Data, StepError};
pub use sinew_math::{Mat3, Quat, Vec3};
pub use sinew_mjcf::LoadError;
pub use sinew_model::Model;
