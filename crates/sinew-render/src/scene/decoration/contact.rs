//! Contacts: marks, axes and forces.

use super::{Desk, unknown};
use crate::options::{Frames, Labels};
use crate::scene::{Shape, island};
use sinew_engine::position::contact::Contact;
use sinew_math::{MIN_VALUE, Mat3, Vec3};
use sinew_model::Model;
use sinew_model::kinds::ObjectType;

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
            let row = rows.get(index).copied().unwrap_or(-1);
            let radius = desk.scaled(model.vis.scale.contactwidth);
            let height = desk.scaled(model.vis.scale.contactheight);
            let size = [radius, radius, height.max(-0.5 * contact.dist)];
            let pose = (contact.pos, from_columns([first, second, normal]));
            let colour = if has_rows && options.islands {
                island::of_row(data, row)
            } else if has_rows {
                model.vis.rgba.contactpoint
            } else {
                model.vis.rgba.contactgap
            };
            desk.put(Shape::Cylinder, size, pose, colour, unknown(index));
            if options.labels == Some(Labels::ContactPoints) {
                let sides = [0, 1].map(|side| touching(model, contact, side));
                desk.scene.write(sides.join(" | "));
            }
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
    let size = Vec3([normal, first, second]).norm();
    let is_labelled = desk.options.labels == Some(Labels::ContactForces);
    let mut arrow = |shape: Shape, force: Vec3, colour: [f32; 4]| {
        let ends = (contact.pos, contact.pos + force * scale);
        desk.connect(shape, width, ends, colour, unknown(index));
        if is_labelled && colour == rgba.contactforce {
            desk.scene.write(three_digits(size));
        }
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

/// The name of what a contact touches on a side: a geom, or an element or a vertex of a flex.
fn touching(model: &Model, contact: &Contact, side: usize) -> String {
    const LONGEST: usize = 47;
    let named = |kind: ObjectType, id: i32, letter: char| {
        let name = usize::try_from(id).ok().and_then(|id| model.name(kind, id));
        let name = name.filter(|name| !name.is_empty());
        name.map_or_else(|| format!("{letter}{id}"), str::to_owned)
    };
    let text = if contact.geom[side] >= 0 {
        named(ObjectType::Geom, contact.geom[side], 'g')
    } else {
        let flex = named(ObjectType::Flex, contact.flex[side], 'f');
        if contact.elem[side] >= 0 {
            format!("{flex}.e{}", contact.elem[side])
        } else {
            format!("{flex}.v{}", contact.vert[side])
        }
    };
    text.chars().take(LONGEST).collect()
}

/// A positive number with three digits that count, as the reference writes it.
fn three_digits(number: f64) -> String {
    let rounded = format!("{number:.2e}");
    let Some((digits, exponent)) = rounded.split_once('e') else {
        return rounded;
    };
    let exponent: i32 = exponent.parse().unwrap_or(0);
    let trim = |text: &str| match text.contains('.') {
        true => text.trim_end_matches('0').trim_end_matches('.').to_owned(),
        false => text.to_owned(),
    };
    if (-4..3).contains(&exponent) {
        let places = usize::try_from(2 - exponent).unwrap_or(0);
        trim(&format!("{number:.places$}"))
    } else {
        let sign = if exponent < 0 { '-' } else { '+' };
        format!("{}e{sign}{:02}", trim(digits), exponent.abs())
    }
}

/// A matrix of three axes.
fn from_columns(columns: [Vec3; 3]) -> Mat3 {
    Mat3(core::array::from_fn(|k| columns[k % 3].0[k / 3]))
}

#[cfg(test)]
mod tests {
    use super::three_digits;

    #[test]
    fn numbers_are_written_as_by_printf() {
        let written = [
            0.0,
            1.0,
            12.34,
            999.6,
            1234.0,
            0.000_123_4,
            0.000_012_34,
            100.0,
            2.5e120,
        ]
        .map(three_digits);
        let wanted = [
            "0", "1", "12.3", "1e+03", "1.23e+03", "0.000123", "1.23e-05", "100", "2.5e+120",
        ];
        assert_eq!(written, wanted);
    }
}
