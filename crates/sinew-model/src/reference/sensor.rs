//! What each type of sensor must be attached to, and how many numbers it then has.

use super::{Verdict, ids, wrong};
use crate::joint::Layout;
use crate::kinds::{JointType, ObjectType, SensorType};
use crate::model::ModelArrays;

/// Numbers of the fields of a contact: found, force, torque, dist, pos, normal, tangent.
const CONTACT_FIELDS: [usize; 7] = [1, 3, 3, 1, 3, 3, 3];
/// Numbers of the fields of a ray: dist, direction, origin, point, normal, depth.
const RAY_FIELDS: [usize; 6] = [1, 3, 3, 3, 3, 1];

const FRAMES: &[ObjectType] = &[
    ObjectType::Body,
    ObjectType::Xbody,
    ObjectType::Geom,
    ObjectType::Site,
    ObjectType::Camera,
];
const SHAPES: &[ObjectType] = &[ObjectType::Geom, ObjectType::Body];

/// Kinds of object that will do.
enum Object {
    /// None is looked at.
    Any,
    /// One of these.
    One(&'static [ObjectType]),
    /// One of these, or none.
    Perhaps(&'static [ObjectType]),
}

impl ModelArrays {
    /// Whether a sensor has the objects and the numbers that its type reads and writes.
    pub(super) fn check_sensor(&self, row: usize) -> Verdict {
        let Some(kind) = SensorType::from_code(self.sensor_type[row]) else {
            return Err(wrong("sensor_type", row));
        };
        let (object, reference) = objects(kind);
        let (objtype, objid) = (self.sensor_objtype[row], self.sensor_objid[row]);
        self.check_object(object, objtype, objid)
            .ok_or(wrong("sensor_objid", row))?;
        self.check_object(reference, self.sensor_reftype[row], self.sensor_refid[row])
            .ok_or(wrong("sensor_refid", row))?;
        let id = usize::try_from(objid).unwrap_or(0);
        if !self.is_fit(kind, id) {
            return Err(wrong("sensor_objid", row));
        }
        let dim = usize::try_from(self.sensor_dim[row]).unwrap_or(usize::MAX);
        match self.numbers(kind, row, id) {
            Some(numbers) if numbers != dim => Err(wrong("sensor_dim", row)),
            _ => Ok(()),
        }
    }

    /// An id that is one of the kinds; nothing if it is not.
    fn check_object(&self, wanted: Object, kind: i32, id: i32) -> Option<()> {
        let kind = ObjectType::from_code(kind)?;
        let least = match wanted {
            Object::Any if id == -1 => -1,
            Object::Perhaps(_) if id == -1 => (kind == ObjectType::Unknown).then_some(-1)?,
            Object::One(kinds) | Object::Perhaps(kinds) => kinds.contains(&kind).then_some(0)?,
            Object::Any => 0,
        };
        ids("sensor_objid", &[id], self.count_of(kind), least).ok()
    }

    /// Whether a joint is of the kind that the sensor reads, and a mesh has what it reads.
    fn is_fit(&self, kind: SensorType, id: usize) -> bool {
        use SensorType as S;
        match kind {
            S::Jointpos | S::Jointvel | S::Jointactfrc => Layout::of(self.jnt_type[id]).is_scalar(),
            S::Ballquat | S::Ballangvel => self.jnt_type[id] == JointType::Ball.code(),
            S::Tactile => self.mesh_normalnum[id] >= self.mesh_vertnum[id],
            _ => true,
        }
    }

    /// How many numbers a sensor has; nothing if any number will do.
    fn numbers(&self, kind: SensorType, row: usize, id: usize) -> Option<usize> {
        use SensorType as S;
        let [fields, _, slots] = self.sensor_intprm[row];
        let sum = |sizes: &[usize]| {
            let chosen = sizes.iter().enumerate();
            let chosen = chosen.filter(|(field, _)| fields & (1 << field) != 0);
            chosen.map(|(_, size)| size).sum::<usize>()
        };
        let count = |n: i32| usize::try_from(n).unwrap_or(0);
        Some(match kind {
            S::User | S::Plugin => return None,
            S::Camprojection => 2,
            S::Ballquat | S::Framequat => 4,
            S::Geomfromto => 6,
            S::Rangefinder => {
                let is_camera = self.sensor_objtype[row] == ObjectType::Camera.code();
                let rays = if is_camera {
                    let [width, height] = self.cam_resolution[id].map(count);
                    width.saturating_mul(height)
                } else {
                    1
                };
                rays.saturating_mul(sum(&RAY_FIELDS))
            }
            S::Contact => count(slots).saturating_mul(sum(&CONTACT_FIELDS)),
            S::Tactile => count(self.mesh_vertnum[id]).saturating_mul(3),
            S::Accelerometer | S::Velocimeter | S::Gyro | S::Force | S::Torque => 3,
            S::Magnetometer | S::Ballangvel | S::Geomnormal => 3,
            S::Framepos | S::Framexaxis | S::Frameyaxis | S::Framezaxis => 3,
            S::Framelinvel | S::Frameangvel | S::Framelinacc | S::Frameangacc => 3,
            S::Subtreecom | S::Subtreelinvel | S::Subtreeangmom => 3,
            _ => 1,
        })
    }
}

/// The object of a sensor and its reference.
fn objects(kind: SensorType) -> (Object, Object) {
    use Object::{Any, One, Perhaps};
    use ObjectType as O;
    use SensorType as S;
    match kind {
        S::Touch
        | S::Accelerometer
        | S::Velocimeter
        | S::Gyro
        | S::Force
        | S::Torque
        | S::Magnetometer => (One(&[O::Site]), Any),
        S::Camprojection => (One(&[O::Site]), One(&[O::Camera])),
        S::Rangefinder => (One(&[O::Site, O::Camera]), Any),
        S::Jointpos
        | S::Jointvel
        | S::Jointactfrc
        | S::Ballquat
        | S::Ballangvel
        | S::Jointlimitpos
        | S::Jointlimitvel
        | S::Jointlimitfrc => (One(&[O::Joint]), Any),
        S::Tendonpos
        | S::Tendonvel
        | S::Tendonactfrc
        | S::Tendonlimitpos
        | S::Tendonlimitvel
        | S::Tendonlimitfrc => (One(&[O::Tendon]), Any),
        S::Actuatorpos | S::Actuatorvel | S::Actuatorfrc => (One(&[O::Actuator]), Any),
        S::Subtreecom | S::Subtreelinvel | S::Subtreeangmom => (One(&[O::Body]), Any),
        S::Framepos
        | S::Framequat
        | S::Framexaxis
        | S::Frameyaxis
        | S::Framezaxis
        | S::Framelinvel
        | S::Frameangvel
        | S::Framelinacc
        | S::Frameangacc => (One(FRAMES), Perhaps(FRAMES)),
        S::Insidesite => (One(FRAMES), One(&[O::Site])),
        S::Geomdist | S::Geomnormal | S::Geomfromto => (One(SHAPES), One(SHAPES)),
        S::Contact => (
            Perhaps(&[O::Site, O::Body, O::Xbody, O::Geom]),
            Perhaps(&[O::Body, O::Xbody, O::Geom]),
        ),
        S::Tactile => (One(&[O::Mesh]), One(&[O::Geom])),
        S::EPotential | S::EKinetic | S::Clock | S::User | S::Plugin => (Any, Any),
    }
}
