//! Sensors for the kernels.

use sinew_kernels::scene::TableData;
use sinew_kernels::sense::{reads, reads_acceleration};
use sinew_model::Model;
use sinew_model::kinds::{DisableFlag, JointType, ObjectType, SensorType, TransmissionType};

/// Which sensors of a model kernels read.
pub(crate) struct Sensors {
    /// Those they read.
    pub read: Vec<usize>,
    /// Types of the others.
    pub unread: Vec<SensorType>,
    /// Whether one reads accelerations of bodies.
    pub reads_acceleration: bool,
}

impl Sensors {
    pub fn new(model: &Model) -> Self {
        let mut out = Sensors {
            read: Vec::new(),
            unread: Vec::new(),
            reads_acceleration: false,
        };
        if model.opt.disableflags & DisableFlag::Sensor.code() != 0 {
            return out;
        }
        for sensor in 0..model.nsensor {
            let kind = SensorType::from_code(model.sensor_type[sensor]);
            let kind = kind.unwrap_or(SensorType::User);
            if reads(kind) && is_known(model, sensor, kind) {
                out.read.push(sensor);
                out.reads_acceleration |= reads_acceleration(kind);
            } else if !out.unread.contains(&kind) {
                out.unread.push(kind);
            }
        }
        out
    }

    /// Packs the sensors that are read.
    pub fn add(&self, model: &Model, out: &mut TableData) {
        for &sensor in &self.read {
            out.sensor_words.extend([
                model.sensor_type[sensor],
                model.sensor_objtype[sensor],
                model.sensor_objid[sensor],
                model.sensor_reftype[sensor],
                model.sensor_refid[sensor],
                model.sensor_adr[sensor],
                model.sensor_dim[sensor],
                model.sensor_datatype[sensor],
            ]);
            out.sensor_cutoffs.push(model.sensor_cutoff[sensor]);
        }
        out.magnetic.extend(model.opt.magnetic.0);
    }
}

/// Whether a sensor looks at something that kernels have.
fn is_known(model: &Model, sensor: usize, kind: SensorType) -> bool {
    let camera = ObjectType::Camera.code();
    if model.sensor_objtype[sensor] == camera || model.sensor_reftype[sensor] == camera {
        return false;
    }
    let id = model.sensor_objid[sensor] as usize;
    match kind {
        SensorType::Actuatorpos | SensorType::Actuatorvel => {
            let is_joint = matches!(
                TransmissionType::from_code(model.actuator_trntype[id]),
                Some(TransmissionType::Joint | TransmissionType::Jointinparent)
            );
            let joint = || model.jnt_type[model.actuator_trnid[id][0] as usize];
            is_joint
                && matches!(
                    JointType::from_code(joint()),
                    Some(JointType::Hinge | JointType::Slide)
                )
        }
        _ => true,
    }
}
