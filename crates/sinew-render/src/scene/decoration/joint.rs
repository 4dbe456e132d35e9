//! Joints, and the points that equality constraints hold together.

use super::Desk;
use crate::options::{Labels, shows};
use crate::scene::Shape;
use crate::scene::tendon::{limit_impedance, mix};
use sinew_math::Vec3;
use sinew_model::kinds::{Constraint, EqualityType, JointType, ObjectType};

/// Joints: boxes where a body is free, balls, arrows along axes. Near their limits they take the colour of constraints.
pub(super) fn add(desk: &mut Desk<'_>) {
    if !desk.options.joints {
        return;
    }
    let (model, kinematics) = (desk.model, &desk.data.position.kinematics);
    let length = desk.scaled(model.vis.scale.jointlength);
    let width = desk.scaled(model.vis.scale.jointwidth);
    for joint in 0..model.njnt {
        if !shows(&desk.options.joint_groups, model.jnt_group[joint]) {
            continue;
        }
        let held = limit_impedance(desk.data, Constraint::LimitJoint, joint);
        let mut colour = mix(model.vis.rgba.joint, model.vis.rgba.constraint, held);
        colour[3] = 1.0;
        let object = [joint as i32, ObjectType::Joint.code()];
        let anchor = kinematics.xanchor[joint];
        let axes = kinematics.xmat[model.jnt_bodyid[joint] as usize];
        let ends = (anchor, anchor + kinematics.xaxis[joint] * length);
        let block = [0.3 * length; 3];
        match JointType::from_code(model.jnt_type[joint]) {
            Some(JointType::Free) => desk.put(Shape::Box, block, (anchor, axes), colour, object),
            Some(JointType::Ball) => {
                desk.put(Shape::Ellipsoid, block, (anchor, axes), colour, object);
            }
            Some(JointType::Slide) => desk.connect(Shape::Arrow, width, ends, colour, object),
            _ => desk.connect(Shape::Pointer, width, ends, colour, object),
        }
        desk.name(Labels::Joints, ObjectType::Joint, joint);
    }
}

/// Both points of every connection and weld that is active.
pub(super) fn add_constraints(desk: &mut Desk<'_>) {
    if !desk.options.constraints {
        return;
    }
    let (model, kinematics) = (desk.model, &desk.data.position.kinematics);
    let radius = desk.scaled(model.vis.scale.constraint);
    for equality in 0..model.neq {
        let is_weld = model.eq_type[equality] == EqualityType::Weld.code();
        let is_connect = model.eq_type[equality] == EqualityType::Connect.code();
        if desk.data.input.eq_active[equality] == 0 || !(is_weld || is_connect) {
            continue;
        }
        let numbers = &model.eq_data[equality];
        // A weld has its second body's point first.
        let firsts = if is_weld { [3, 0] } else { [0, 3] };
        let ids = [model.eq_obj1id[equality], model.eq_obj2id[equality]];
        let is_of_sites = model.eq_objtype[equality] == ObjectType::Site.code();
        let colours = [model.vis.rgba.connect, model.vis.rgba.constraint];
        for k in 0..2 {
            let id = ids[k].max(0) as usize;
            let pose = if is_of_sites {
                (kinematics.site_xpos[id], kinematics.site_xmat[id])
            } else {
                let axes = kinematics.xmat[id];
                let point = Vec3(core::array::from_fn(|i| numbers[firsts[k] + i]));
                (kinematics.xpos[id] + axes * point, axes)
            };
            let object = [equality as i32, ObjectType::Equality.code()];
            desk.put(Shape::Ellipsoid, [radius; 3], pose, colours[k], object);
            desk.name(Labels::Constraints, ObjectType::Equality, equality);
        }
    }
}
