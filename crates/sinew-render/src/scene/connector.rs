//! What runs from one point to another: tendons, and arrows of contacts.

use super::objects::surface;
use super::{Piece, Scene, Shape, Surface};
use crate::options::{Options, shows};
use sinew_engine::Data;
use sinew_math::{Mat3, Quat, Vec3};
use sinew_model::Model;
use sinew_model::kinds::ObjectType;

/// A frame whose z axis has a direction.
fn along(direction: Vec3) -> Mat3 {
    Quat::from_z_to(direction).to_mat()
}

/// A capsule between two points.
pub(super) fn capsule(
    from: Vec3,
    to: Vec3,
    radius: f64,
    surface: Surface,
    object: [i32; 2],
) -> Piece {
    Piece {
        shape: Shape::Capsule,
        size: [radius, radius, 0.5 * from.distance(to)],
        position: (from + to) * 0.5,
        axes: along(to - from),
        surface,
        object,
        is_decoration: false,
    }
}

/// Spatial tendons, along their paths.
pub(super) fn add_tendons(scene: &mut Scene, model: &Model, data: &Data, options: &Options) {
    let tendon = &data.position.tendon;
    for i in 0..model.ntendon {
        let width = model.tendon_width[i];
        if !shows(&options.tendon_groups, model.tendon_group[i]) || width <= 0.0 {
            continue;
        }
        let look = surface(model, model.tendon_matid[i], model.tendon_rgba[i], options);
        if look.colour[3] == 0.0 {
            continue;
        }
        let object = [i as i32, ObjectType::Tendon.code()];
        let first = tendon.ten_wrapadr[i] as usize;
        let points = first..first + tendon.ten_wrapnum[i] as usize;
        for k in points.start + 1..points.end {
            // Between the branches of a pulley is nothing.
            let object_at = |k: usize| tendon.wrap_obj[k / 2][k % 2];
            let (before, this) = (object_at(k - 1), object_at(k));
            if before == -2 || this == -2 {
                continue;
            }
            let point = |k: usize| {
                let pair = &tendon.wrap_xpos[k / 2];
                let first = 3 * (k % 2);
                Vec3([pair[first], pair[first + 1], pair[first + 2]])
            };
            let (from, to) = (point(k - 1), point(k));
            // Inside a wrapping body the tendon is thinner, as the reference draws it.
            let is_wrapped = before >= 0 && this >= 0;
            let radius = if is_wrapped { 0.5 * width } else { width };
            scene.pieces.push(capsule(from, to, radius, look, object));
        }
    }
}

/// Marks and forces of contacts.
pub(super) fn add_contacts(scene: &mut Scene, model: &Model, data: &Data, options: &Options) {
    if !options.contact_points && !options.contact_forces {
        return;
    }
    let (scale, rgba, size) = (&model.vis.scale, &model.vis.rgba, model.stat.meansize);
    for (index, contact) in data.position.contacts.contact.iter().enumerate() {
        let normal = contact.frame.row(0);
        let object = [index as i32, ObjectType::Unknown.code()];
        if options.contact_points {
            let radius = f64::from(scale.contactwidth) * size;
            scene.pieces.push(Piece {
                shape: Shape::Cylinder,
                size: [radius, radius, f64::from(scale.contactheight) * size],
                position: contact.pos,
                axes: along(normal),
                surface: Surface::plain(rgba.contactpoint),
                object,
                is_decoration: true,
            });
        }
        let force = data.contact_force(model, index).unwrap_or_default();
        if options.contact_forces && force[0] != 0.0 {
            let frame = &contact.frame;
            let force = frame.row(0) * force[0] + frame.row(1) * force[1] + frame.row(2) * force[2];
            let arrow = force * (f64::from(model.vis.map.force) / model.stat.meanmass);
            let width = f64::from(scale.forcewidth) * size;
            scene.pieces.push(Piece {
                shape: Shape::Arrow,
                size: [width, width, arrow.norm()],
                position: contact.pos,
                axes: along(arrow),
                surface: Surface::plain(rgba.contactforce),
                object,
                is_decoration: true,
            });
        }
    }
}
