//! Body pairs that only just touch.
//!
//! The reference finds body pairs by sweeping over the ends of their bounding boxes, taken along
//! the principal axes of all geom positions and sorted as 32-bit numbers. Boxes whose overlap along
//! the first axis vanishes in that rounding are lost, and with them contacts that lie a hair
//! within the margin; where two ends round to the same number, the box that ends comes first if
//! its body does. Our own broad phase keeps such pairs, so this is asked only about pairs whose
//! contacts are all that shallow. Conforms to `mj_broadphase`.

use super::Contact;
use crate::position::flex::Flex;
use crate::position::kinematics::Kinematics;
use sinew_math::{Mat3, Vec3, eigen};
use sinew_model::Model;
use sinew_model::kinds::{EnableFlag, GeomType};

/// Depths below this, relative to coordinates, may vanish in 32 bits.
pub const SHALLOW: f64 = 1e-6;

/// Whether the reference's sweep misses the pair to which these contacts belong.
pub(super) fn loses(
    model: &Model,
    (kinematics, flex): (&Kinematics, &Flex),
    [first, second]: [usize; 2],
    contacts: &[Contact],
) -> bool {
    if contacts.is_empty() || !may_lose(model, [first, second]) {
        return false;
    }
    let is_shallow = |contact: &Contact| {
        let [a, b] = contact.geom.map(|geom| margin(model, geom as usize));
        let size = contact.pos.iter().fold(1.0_f64, |m, x| m.max(x.abs()));
        contact.dist > a + b - SHALLOW * size
    };
    contacts.iter().all(is_shallow) && !sweep_finds(model, kinematics, flex, [first, second])
}

/// Whether contacts of two bodies can be lost at all.
#[inline]
pub(super) fn may_lose(model: &Model, bodies: [usize; 2]) -> bool {
    !bodies.iter().any(|body| meets_everything(model, *body))
}

/// The world, and static bodies with a plane, are paired with all others without a sweep.
pub(super) fn meets_everything(model: &Model, body: usize) -> bool {
    let start = model.body_geomadr[body] as usize;
    let mut geoms = start..start + model.body_geomnum[body] as usize;
    let is_plane = |geom: usize| model.geom_type[geom] == GeomType::Plane.code();
    body == 0 || (model.body_weldid[body] == 0 && geoms.any(is_plane))
}

/// Margin of one geom; a global one is shared by both.
fn margin(model: &Model, geom: usize) -> f64 {
    if model.opt.enableflags & EnableFlag::Override.code() != 0 {
        0.5 * model.opt.o_margin
    } else {
        model.geom_margin[geom]
    }
}

/// The sweep, for one pair of bodies with the first before the second.
fn sweep_finds(model: &Model, kinematics: &Kinematics, flex: &Flex, bodies: [usize; 2]) -> bool {
    let Some(frame) = principal_frame(model, kinematics, flex) else {
        return false;
    };
    let [first, second] = bodies.map(|body| interval(model, kinematics, body, &frame));
    first.meets(&second)
}

/// Ends of a box along three axes.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Interval {
    pub low: Vec3,
    pub high: Vec3,
}

impl Interval {
    /// Whether the sweep finds this box and one that is listed after it.
    pub fn meets(&self, later: &Interval) -> bool {
        let is_sorted = (later.low[0] as f32) < (self.high[0] as f32)
            && (self.low[0] as f32) <= (later.high[0] as f32);
        let overlap = |k: usize| self.low[k] <= later.high[k] && later.low[k] <= self.high[k];
        is_sorted && (1..3).all(overlap)
    }
}

/// Principal axes, as rows, of the positions of all geoms and vertices of flexes that are not the world's; `None` if
/// there are none.
pub(super) fn principal_frame(model: &Model, kinematics: &Kinematics, flex: &Flex) -> Option<Mat3> {
    let geoms = kinematics.geom_xpos.iter().zip(&model.geom_bodyid);
    let vertices = flex.flexvert_xpos.iter().zip(&model.flex_vertbodyid);
    let moving = || {
        let all = geoms.clone().chain(vertices.clone());
        all.filter(|(_, body)| **body != 0).map(|(point, _)| *point)
    };
    let count = moving().count();
    if count == 0 {
        return None;
    }
    let inverse = 1.0 / count as f64;
    let mut centre = Vec3::ZERO;
    for point in moving() {
        centre += point;
    }
    centre *= inverse;
    let mut covariance = [0.0; 9];
    for point in moving() {
        let away = point - centre;
        for i in 0..3 {
            for j in 0..3 {
                covariance[3 * i + j] += away[i.min(j)] * away[i.max(j)];
            }
        }
    }
    Some(eigen::symmetric3(&Mat3(covariance.map(|entry| entry * inverse))).vectors)
}

/// Ends of a body's bounding box along the rows of a frame.
pub(super) fn interval(
    model: &Model,
    kinematics: &Kinematics,
    body: usize,
    frame: &Mat3,
) -> Interval {
    let mut low = Vec3([f64::INFINITY; 3]);
    let mut high = Vec3([f64::NEG_INFINITY; 3]);
    let start = model.body_geomadr[body] as usize;
    for geom in start..start + model.body_geomnum[body] as usize {
        for k in 0..3 {
            let centre = kinematics.geom_xpos[geom].dot(frame.row(k));
            let (radius, margin) = (model.geom_rbound[geom], margin(model, geom));
            low[k] = low[k].min(centre - radius - margin);
            high[k] = high[k].max(centre + radius + margin);
        }
    }
    Interval { low, high }
}
