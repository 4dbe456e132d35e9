//! Actuators where they act, in the colour of their control or activation.

use super::Desk;
use crate::options::{Labels, shows};
use crate::scene::objects::form;
use crate::scene::{Shape, tendon};
use sinew_math::MIN_VALUE;
use sinew_model::kinds::{DynamicsType, GeomType, JointType, ObjectType, TransmissionType};

/// How much larger than a geom or site its actuator is.
const LARGER: f64 = 1.05;

pub(super) fn add(desk: &mut Desk<'_>) {
    if !desk.options.actuators {
        return;
    }
    let model = desk.model;
    for actuator in 0..model.nu {
        let group = model.actuator_group[actuator];
        let is_disabled = (0..31).contains(&group) && model.opt.disableactuator & (1 << group) != 0;
        if is_disabled || !shows(&desk.options.actuator_groups, group) {
            continue;
        }
        let colour = colour(desk, actuator);
        let target = model.actuator_trnid[actuator][0].max(0) as usize;
        match TransmissionType::from_code(model.actuator_trntype[actuator]) {
            Some(TransmissionType::Joint | TransmissionType::Jointinparent) => {
                add_joint(desk, target, colour, actuator);
            }
            Some(TransmissionType::Site) => add_site(desk, target, colour, actuator),
            Some(TransmissionType::Body) => add_body(desk, target, colour, actuator),
            Some(TransmissionType::Tendon) => add_tendon(desk, target, colour, actuator),
            _ => {}
        }
    }
}

fn object(actuator: usize) -> [i32; 2] {
    [actuator as i32, ObjectType::Actuator.code()]
}

fn add_joint(desk: &mut Desk<'_>, joint: usize, colour: [f32; 4], actuator: usize) {
    let (model, kinematics) = (desk.model, &desk.data.position.kinematics);
    let (scale, object) = (&model.vis.scale, object(actuator));
    let anchor = kinematics.xanchor[joint];
    let pose = (anchor, kinematics.xmat[model.jnt_bodyid[joint] as usize]);
    let block = [0.33 * desk.scaled(scale.jointlength); 3];
    let (width, length) = (
        desk.scaled(scale.actuatorwidth),
        desk.scaled(scale.actuatorlength),
    );
    let ends = (anchor, anchor + kinematics.xaxis[joint] * length);
    match JointType::from_code(model.jnt_type[joint]) {
        Some(JointType::Free) => desk.put(Shape::Box, block, pose, colour, object),
        Some(JointType::Ball) => desk.put(Shape::Ellipsoid, block, pose, colour, object),
        Some(JointType::Slide) => desk.connect(Shape::Arrow, width, ends, colour, object),
        _ => desk.connect(Shape::Pointer, width, ends, colour, object),
    }
    desk.name(Labels::Actuators, ObjectType::Actuator, actuator);
}

fn add_site(desk: &mut Desk<'_>, site: usize, colour: [f32; 4], actuator: usize) {
    let (model, kinematics) = (desk.model, &desk.data.position.kinematics);
    let size = model.site_size[site].map(|side| LARGER * side);
    if let Some((shape, size)) = form(model.site_type[site], size, None) {
        let pose = (kinematics.site_xpos[site], kinematics.site_xmat[site]);
        desk.put(shape, size, pose, colour, object(actuator));
        desk.name(Labels::Actuators, ObjectType::Actuator, actuator);
    }
}

/// All simple geoms of the body.
fn add_body(desk: &mut Desk<'_>, body: usize, colour: [f32; 4], actuator: usize) {
    let (model, kinematics) = (desk.model, &desk.data.position.kinematics);
    let first = model.body_geomadr[body].max(0) as usize;
    for geom in first..first + model.body_geomnum[body].max(0) as usize {
        let kind = model.geom_type[geom];
        let is_simple = !matches!(
            GeomType::from_code(kind),
            Some(GeomType::Plane | GeomType::Hfield | GeomType::Mesh | GeomType::Sdf)
        );
        let size = model.geom_size[geom].map(|side| LARGER * side);
        if is_simple && let Some((shape, size)) = form(kind, size, None) {
            let pose = (kinematics.geom_xpos[geom], kinematics.geom_xmat[geom]);
            desk.put(shape, size, pose, colour, object(actuator));
        }
    }
}

/// The tendon's path, thicker.
fn add_tendon(desk: &mut Desk<'_>, tendon: usize, colour: [f32; 4], actuator: usize) {
    let (model, data) = (desk.model, desk.data);
    let wider = f64::from(model.vis.map.actuatortendon);
    let mut look = tendon::look(model, tendon, desk.options);
    look.colour = colour;
    let is_named = tendon::starts_at_once(data, tendon);
    for (number, (ends, width)) in tendon::segments(model, data, tendon).enumerate() {
        desk.connect(
            Shape::Capsule,
            wider * width,
            ends,
            colour,
            object(actuator),
        );
        if let Some(piece) = desk.scene.pieces.last_mut() {
            piece.surface = look;
        }
        if number == 0 && is_named {
            desk.name(Labels::Actuators, ObjectType::Actuator, actuator);
        }
    }
}

/// Between the colours of the least, of no and of the most control.
fn colour(desk: &Desk<'_>, actuator: usize) -> [f32; 4] {
    let (model, rgba) = (desk.model, &desk.model.vis.rgba);
    let shows_activation = desk.options.activations;
    let [low, high] = if model.actuator_ctrllimited[actuator] != 0 {
        model.actuator_ctrlrange[actuator]
    } else if shows_activation && model.actuator_actlimited[actuator] != 0 {
        model.actuator_actrange[actuator]
    } else {
        [-1.0, 1.0]
    };
    let [mut least, none, mut most] = if low >= 0.0 {
        [-1.0, low, high]
    } else if high <= 0.0 {
        [low, high, 1.0]
    } else {
        [low, 0.0, high]
    };
    least = least.min(none - MIN_VALUE);
    most = most.max(none + MIN_VALUE);
    let has_activation = model.actuator_dyntype[actuator] != DynamicsType::None.code();
    let value = if shows_activation && has_activation {
        let last = model.actuator_actadr[actuator] + model.actuator_actnum[actuator] - 1;
        let index = usize::try_from(last).unwrap_or(0);
        desk.data.state.act.get(index).copied().unwrap_or(0.0)
    } else {
        desk.data.input.ctrl[actuator]
    };
    let value = value.max(least).min(most);
    let (end, part) = if value <= none {
        (rgba.actuatornegative, (none - value) / (none - least))
    } else {
        (rgba.actuatorpositive, (value - none) / (most - none))
    };
    tendon::mix(rgba.actuator, end, part)
}
