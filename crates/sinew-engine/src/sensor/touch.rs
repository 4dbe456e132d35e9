//! The touch sensor: normal forces of contacts in a zone.
//!
//! A contact of the site's body counts if the ray from it along its force meets the site's shape,
//! as it always does from inside.

use crate::acceleration::contact_force::in_contact_frame;
use crate::data::Data;
use crate::ray::against_shape;
use sinew_collision::ray::{Pose, Ray};
use sinew_model::Model;
use sinew_model::kinds::GeomType;

pub(super) fn compute(model: &Model, data: &Data, site: usize) -> f64 {
    let Some(shape) = GeomType::from_code(model.site_type[site]) else {
        return 0.0;
    };
    let body = model.site_bodyid[site] as usize;
    let pose = Pose {
        pos: data.position.kinematics.site_xpos[site],
        mat: &data.position.kinematics.site_xmat[site],
    };
    let mut total = 0.0;
    for (i, contact) in data.position.contacts.contact.iter().enumerate() {
        let first_row = data.position.constraints.first_row(i);
        let is_moved = [0, 1].map(|side| contact.is_moved_by(model, side, body));
        if first_row.is_none() || is_moved == [false; 2] {
            continue;
        }
        let efc_force = &data.acceleration.solution.efc_force;
        let force = in_contact_frame(model, contact, first_row, efc_force)[0];
        if force <= 0.0 {
            continue;
        }
        let along = (contact.frame.row(0) * force).normalized();
        let ray = Ray {
            origin: contact.pos,
            direction: if is_moved[1] { -along } else { along },
        };
        if against_shape(shape, &ray, pose, model.site_size[site]).is_some() {
            total += force;
        }
    }
    total
}
