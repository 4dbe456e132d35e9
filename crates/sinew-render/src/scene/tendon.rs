//! Spatial tendons along their paths, strings that hang, and sliders with their cranks.

use super::catenary;
use super::connector::connector;
use super::objects::{UNSAID, dimmed, surface};
use super::{Scene, Shape, Surface, island};
use crate::options::{Labels, Options, shows};
use libm::sqrt;
use sinew_engine::Data;
use sinew_math::Vec3;
use sinew_model::Model;
use sinew_model::kinds::{Constraint, DisableFlag, ObjectType, TransmissionType};

/// Spatial tendons.
pub(super) fn add(scene: &mut Scene, model: &Model, data: &Data, options: &Options) {
    if !options.tendons {
        return;
    }
    for tendon in 0..model.ntendon {
        if !shows(&options.tendon_groups, model.tendon_group[tendon]) {
            continue;
        }
        let width = model.tendon_width[tendon];
        let object = [tendon as i32, ObjectType::Tendon.code()];
        let is_named = options.labels == Some(Labels::Tendons);
        let mut look = look(model, tendon, options);
        if let Some(points) = hanging(model, data, tendon) {
            // The reference writes beside every part of a string that hangs.
            let is_named = is_named && points.len() > 1;
            for pair in points.windows(2) {
                let ends = (pair[0], pair[1]);
                let piece = connector(Shape::Capsule, width, ends, look, object);
                scene.pieces.push(piece);
                if is_named {
                    scene.write_name(model, ObjectType::Tendon, tendon);
                }
            }
            continue;
        }
        warn_of_limit(&mut look, model, data, tendon);
        if options.islands {
            let rows = &data.position.constraints.tendon_efcadr;
            look.colour = island::of_row(data, rows.get(tendon).copied().unwrap_or(-1));
            look.material = None;
        }
        let starts_at_once = starts_at_once(data, tendon);
        for (number, (ends, width)) in segments(model, data, tendon).enumerate() {
            let piece = connector(Shape::Capsule, width, ends, look, object);
            scene.pieces.push(piece);
            if is_named && number == 0 && starts_at_once {
                scene.write_name(model, ObjectType::Tendon, tendon);
            }
        }
    }
}

/// The look of a tendon without regard to its state.
pub(super) fn look(model: &Model, tendon: usize, options: &Options) -> Surface {
    let (material, own) = (model.tendon_matid[tendon], model.tendon_rgba[tendon]);
    dimmed(surface(model, material, own, options), model, options)
}

/// The straight parts of a tendon's path with their widths.
pub(super) fn segments(
    model: &Model,
    data: &Data,
    tendon: usize,
) -> impl Iterator<Item = ((Vec3, Vec3), f64)> {
    let paths = &data.position.tendon;
    let object_at = |k: usize| paths.wrap_obj[k / 2][k % 2];
    let point = |k: usize| {
        let pair = &paths.wrap_xpos[k / 2];
        let first = 3 * (k % 2);
        Vec3([pair[first], pair[first + 1], pair[first + 2]])
    };
    let width = model.tendon_width[tendon];
    let first = paths.ten_wrapadr[tendon].max(0) as usize;
    let end = first + paths.ten_wrapnum[tendon].max(0) as usize;
    (first + 1..end).filter_map(move |k| {
        let (before, this) = (object_at(k - 1), object_at(k));
        // Between the branches of a pulley is nothing.
        if before == -2 || this == -2 {
            return None;
        }
        // Inside a wrapping body the tendon is thinner, as the reference draws it.
        let is_wrapped = before >= 0 && this >= 0;
        let width = if is_wrapped { 0.5 * width } else { width };
        Some(((point(k - 1), point(k)), width))
    })
}

/// Whether the first two points of a tendon's path are those of its first part.
pub(super) fn starts_at_once(data: &Data, tendon: usize) -> bool {
    let paths = &data.position.tendon;
    let first = paths.ten_wrapadr[tendon].max(0) as usize;
    let is_pulley = |k: usize| {
        paths
            .wrap_obj
            .get(k / 2)
            .is_some_and(|pair| pair[k % 2] == -2)
    };
    !is_pulley(first) && !is_pulley(first + 1)
}

/// Tendons without a colour of their own show how hard their limit holds them.
fn warn_of_limit(look: &mut Surface, model: &Model, data: &Data, tendon: usize) {
    if model.tendon_matid[tendon] >= 0 || model.tendon_rgba[tendon] != UNSAID {
        return;
    }
    let held = limit_impedance(data, Constraint::LimitTendon, tendon);
    let alpha = look.colour[3];
    look.colour = mix(look.colour, model.vis.rgba.constraint, held);
    look.colour[3] = alpha;
}

/// Impedance of the limit of a joint or tendon; 0 where it is not at its limit.
pub(super) fn limit_impedance(data: &Data, kind: Constraint, id: usize) -> f64 {
    let rows = &data.position.constraints;
    let first = rows.ne + rows.nf;
    let limits = (first..first + rows.nl).rev();
    let own = |&row: &usize| rows.efc_type[row] == kind.code() && rows.efc_id[row] == id as i32;
    let found = limits.into_iter().find(own);
    found.map_or(0.0, |row| rows.efc_KBIP[row][2])
}

/// Between two colours; the first where the part is 0.
pub(super) fn mix(one: [f32; 4], other: [f32; 4], part: f64) -> [f32; 4] {
    core::array::from_fn(|k| ((1.0 - part) * f64::from(one[k]) + part * f64::from(other[k])) as f32)
}

/// The shape of a tendon that is a mere string: two sites, held by a longest length only, and nothing that pulls.
fn hanging(model: &Model, data: &Data, tendon: usize) -> Option<Vec<Vec3>> {
    let [lower, upper] = model.tendon_lengthspring[tendon];
    let stiffness = model.tendon_stiffness[tendon];
    let has_spring = stiffness > 0.0 && lower == 0.0 && upper > 0.0;
    let [least, most] = model.tendon_range[tendon];
    let is_slack = stiffness == 0.0
        && model.tendon_limited[tendon] != 0
        && least == 0.0
        && data.position.tendon.ten_length[tendon] < most;
    let is_pulled = (0..model.nu).any(|actuator| {
        model.actuator_trntype[actuator] == TransmissionType::Tendon.code()
            && model.actuator_trnid[actuator][0] == tendon as i32
    });
    let has_weight = model.opt.disableflags & DisableFlag::Gravity.code() == 0
        && model.opt.gravity.norm() > sinew_math::MIN_VALUE;
    let is_string = has_weight
        && model.tendon_num[tendon] == 2
        && has_spring != is_slack
        && model.tendon_damping[tendon] == 0.0
        && model.tendon_frictionloss[tendon] == 0.0
        && !is_pulled;
    if !is_string {
        return None;
    }
    let ((from, to), _) = segments(model, data, tendon).next()?;
    let length = if is_slack { most } else { upper };
    let count = (model.vis.quality.numslices + 1).clamp(2, 100) as usize;
    let up = (model.opt.gravity * -1.0).normalized();
    Some(catenary::points((from, to), up, length, count))
}

/// Sliders and cranks of actuators.
pub(super) fn add_cranks(scene: &mut Scene, model: &Model, data: &Data, options: &Options) {
    let kinematics = &data.position.kinematics;
    for actuator in 0..model.nu {
        if model.actuator_trntype[actuator] != TransmissionType::Slidercrank.code() {
            continue;
        }
        let [crank, slider] = model.actuator_trnid[actuator].map(|site| site.max(0) as usize);
        let rod = model.actuator_cranklength[actuator];
        let (start, end) = (kinematics.site_xpos[slider], kinematics.site_xpos[crank]);
        let axis = kinematics.site_xmat[slider].column(2);
        let way = end - start;
        let ahead = way.dot(axis);
        let rest = ahead * ahead + rod * rod - way.dot(way);
        let joint = start + axis * (ahead - sqrt(rest.max(0.0)));
        let width = model.stat.meansize * f64::from(model.vis.scale.slidercrank);
        let rgba = &model.vis.rgba;
        let object = [actuator as i32, ObjectType::Actuator.code()];
        let whole = Surface::plain(rgba.slidercrank);
        let rod_look = if rest < 0.0 {
            Surface::plain(rgba.crankbroken)
        } else {
            whole
        };
        let ends = (start, joint);
        scene
            .pieces
            .push(connector(Shape::Cylinder, width, ends, whole, object));
        if options.labels == Some(Labels::Actuators) {
            scene.write_name(model, ObjectType::Actuator, actuator);
        }
        let ends = (joint, end);
        let rod = connector(Shape::Capsule, 0.5 * width, ends, rod_look, object);
        scene.pieces.push(rod);
    }
}
