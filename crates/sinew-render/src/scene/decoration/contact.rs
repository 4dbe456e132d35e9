//! Contacts: marks, axes and forces.

use super::{Desk, unknown};
use crate::options::Frames;
use crate::scene::Shape;
use sinew_math::{MIN_VALUE, Mat3, Vec3};

pub(super) fn add(desk: &mut Desk<'_>) {
    let options = desk.options;
    let shows_frames = options.frames == Some(Frames::Contacts);
    if !options.contact_points && !options.contact_forces && !shows_frames {
        return;
    }
    let (model, data) = (desk.model, desk.data);
    for (index, contact) in data.position.contacts.contact.iter().enumerate() {
        let rows = &data.position.constraints.contact_efc_address;
        let has_rows = rows.get(index).is_some_and(|&row| row >= 0);
        let [normal, first, second] = [0, 1, 2].map(|k| contact.frame.row(k));
        if options.contact_points {
            let radius = desk.scaled(model.vis.scale.contactwidth);
            let height = desk.scaled(model.vis.scale.contactheight);
            let size = [radius, radius, height.max(-0.5 * contact.dist)];
            let pose = (contact.pos, from_columns([first, second, normal]));
            let colour = if has_rows {
                model.vis.rgba.contactpoint
            } else {
                model.vis.rgba.contactgap
            };
            desk.put(Shape::Cylinder, size, pose, colour, unknown(index));
        }
        if shows_frames {
            let axes = from_columns([normal, first, second]);
            desk.put_frame(index, (contact.pos, axes), 0.5);
        }
        if options.contact_forces && has_rows {
            add_forces(desk, index);
        }
    }
}

/// Arrows towards the body of the higher number; two heads where both bodies move.
fn add_forces(desk: &mut Desk<'_>, index: usize) {
    let (model, data) = (desk.model, desk.data);
    let contact = &data.position.contacts.contact[index];
    let [normal, mut first, mut second, ..] = data.contact_force(model, index).unwrap_or_default();
    if contact.dim < 3 {
        (first, second) = (0.0, 0.0);
    }
    if Vec3([normal, first, second]).norm() < MIN_VALUE {
        return;
    }
    let frame = &contact.frame;
    let along_normal = frame.row(0) * normal;
    let friction = frame.row(1) * first + frame.row(2) * second;
    let sides = [0, 1].map(|k| match usize::try_from(contact.geom[k]) {
        Ok(geom) => i64::from(model.geom_bodyid[geom]),
        Err(_) => model.nbody as i64 + i64::from(contact.flex[k]),
    });
    let sign = if sides[0] > sides[1] { -1.0 } else { 1.0 };
    let scale = sign * f64::from(model.vis.map.force) / model.stat.meanmass;
    let width = desk.scaled(model.vis.scale.forcewidth);
    let rgba = &model.vis.rgba;
    let is_split = desk.options.split_forces && contact.dim > 1;
    let mut arrow = |shape: Shape, force: Vec3, colour: [f32; 4]| {
        let ends = (contact.pos, contact.pos + force * scale);
        desk.connect(shape, width, ends, colour, unknown(index));
    };
    if is_split {
        arrow(Shape::Arrow, along_normal, rgba.contactforce);
        arrow(Shape::Arrow, friction, rgba.contactfriction);
    } else {
        let is_between = sides[0] > 0 && sides[1] > 0;
        let shape = if is_between {
            Shape::DoubleArrow
        } else {
            Shape::Arrow
        };
        arrow(shape, along_normal + friction, rgba.contactforce);
    }
}

/// A matrix of three axes.
fn from_columns(columns: [Vec3; 3]) -> Mat3 {
    Mat3(core::array::from_fn(|k| columns[k % 3].0[k / 3]))
}
