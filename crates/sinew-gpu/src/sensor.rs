//! Sensors for the kernels.

use crate::gauge::Gauged;
use sinew_engine::ray::{RayFilter, counts};
use sinew_kernels::scene::TableData;
use sinew_kernels::sense::{reads, reads_more, reads_touches};
use sinew_model::Model;
use sinew_model::kinds::{DisableFlag, JointType, ObjectType, SensorType, TransmissionType};

/// Which sensors of a model kernels read.
pub(crate) struct Sensors {
    /// Those they read, and their types.
    pub read: Vec<(usize, SensorType)>,
    /// Those that threads of their own read.
    pub gauged: Gauged,
    /// Types of the others.
    pub unread: Vec<SensorType>,
}

impl Sensors {
    pub fn new(model: &Model) -> Self {
        let mut out = Sensors {
            read: Vec::new(),
            gauged: Gauged::default(),
            unread: Vec::new(),
        };
        if model.opt.disableflags & DisableFlag::Sensor.code() != 0 {
            return out;
        }
        for sensor in 0..model.nsensor {
            let kind = SensorType::from_code(model.sensor_type[sensor]);
            let kind = kind.unwrap_or(SensorType::User);
            if reads(kind) && is_known(model, sensor, kind) {
                match out.gauged.list(model, sensor, kind) {
                    Some(list) => list.push(sensor),
                    None => out.read.push((sensor, kind)),
                }
            } else if !out.unread.contains(&kind) {
                out.unread.push(kind);
            }
        }
        out
    }

    /// 1 if a test holds for the type of one.
    pub fn any(&self, test: impl Fn(SensorType) -> bool) -> usize {
        usize::from(self.read.iter().any(|&(_, kind)| test(kind)))
    }

    /// 1 if one reads contacts.
    pub fn read_touches(&self) -> usize {
        self.any(reads_touches) | usize::from(!self.gauged.tactile.is_empty())
    }

    /// Whether one looks at all contacts, those without rows as well.
    pub fn list_contacts(&self) -> bool {
        self.any(|kind| kind == SensorType::Contact) != 0 || !self.gauged.tactile.is_empty()
    }

    /// Whether the plain kernel does not know one.
    pub fn need_more(&self, model: &Model) -> bool {
        let is_axis = |sensor: usize| is_on_axis(model, model.sensor_objid[sensor] as usize);
        self.read.iter().any(|&(sensor, kind)| match kind {
            SensorType::Actuatorpos | SensorType::Actuatorvel => !is_axis(sensor),
            _ => reads_more(kind),
        })
    }

    /// Packs the sensors that are read.
    pub fn add(&self, model: &Model, out: &mut TableData) {
        for &(sensor, kind) in &self.read {
            let site = zone(model, sensor, kind);
            let [fields, reduction, _] = model.sensor_intprm[sensor];
            out.sensor_words.extend([
                model.sensor_type[sensor],
                model.sensor_objtype[sensor],
                model.sensor_objid[sensor],
                model.sensor_reftype[sensor],
                model.sensor_refid[sensor],
                model.sensor_adr[sensor],
                model.sensor_dim[sensor],
                model.sensor_datatype[sensor],
                fields,
                reduction,
                site.map_or(-1, |site| model.site_type[site]),
            ]);
            out.sensor_cutoffs.push(model.sensor_cutoff[sensor]);
            let size = site.map_or([0.0; 3], |site| model.site_size[site]);
            out.sensor_sizes.extend(size);
        }
        out.magnetic.extend(model.opt.magnetic.0);
        self.gauged.add(model, out);
        let has_rays = self.any(|kind| kind == SensorType::Rangefinder) != 0;
        if has_rays || !self.gauged.rays.is_empty() {
            let kind = |geom: usize| match counts(model, geom, &RayFilter::default()) {
                true => model.geom_type[geom],
                false => -1,
            };
            out.ray_geoms.extend((0..model.ngeom).map(kind));
        }
    }
}

/// The site in which a sensor looks.
fn zone(model: &Model, sensor: usize, kind: SensorType) -> Option<usize> {
    let id = match kind {
        SensorType::Touch => model.sensor_objid[sensor],
        SensorType::Insidesite => model.sensor_refid[sensor],
        SensorType::Contact if model.sensor_objtype[sensor] == ObjectType::Site.code() => {
            model.sensor_objid[sensor]
        }
        _ => return None,
    };
    usize::try_from(id).ok()
}

/// Whether a sensor looks at something that kernels have.
fn is_known(model: &Model, sensor: usize, kind: SensorType) -> bool {
    let camera = ObjectType::Camera.code();
    if model.sensor_objtype[sensor] == camera || model.sensor_reftype[sensor] == camera {
        return false;
    }
    let id = model.sensor_objid[sensor] as usize;
    let acts = model.opt.disableflags & DisableFlag::Actuation.code() == 0;
    match kind {
        SensorType::Actuatorpos | SensorType::Actuatorvel => acts || is_on_axis(model, id),
        // Meshes with signed distances are not packed.
        SensorType::Tactile => model.mesh_octadr.iter().all(|&start| start < 0),
        SensorType::Geomdist | SensorType::Geomnormal | SensorType::Geomfromto => {
            model.opt.disableflags & DisableFlag::Nativeccd.code() == 0
        }
        _ => true,
    }
}

/// Whether an actuator acts on a hinge or a slide.
fn is_on_axis(model: &Model, actuator: usize) -> bool {
    let is_joint = matches!(
        TransmissionType::from_code(model.actuator_trntype[actuator]),
        Some(TransmissionType::Joint | TransmissionType::Jointinparent)
    );
    let joint = || model.jnt_type[model.actuator_trnid[actuator][0] as usize];
    is_joint
        && matches!(
            JointType::from_code(joint()),
            Some(JointType::Hinge | JointType::Slide)
        )
}

/// Whether a sensor reads the length or the speed of a tendon.
pub(crate) fn is_sensed(model: &Model, tendon: usize) -> bool {
    (0..model.nsensor).any(|sensor| {
        let kind = SensorType::from_code(model.sensor_type[sensor]);
        matches!(kind, Some(SensorType::Tendonpos | SensorType::Tendonvel))
            && model.sensor_objid[sensor] as usize == tendon
    })
}
