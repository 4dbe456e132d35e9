//! Contacts of height fields with shapes and simplices.

use super::field::{HeightField, field_contacts};
use super::pair::find_one;
use super::{Convex, Method, PairSettings, Workspace, round_wall};
use crate::pair::Touch;
use sinew_math::Vec3;

/// A height field of one world on the processor.
pub type Field<'a> = HeightField<&'a [f32], f64>;

/// Up to fifty contacts, one for each prism that is touched.
#[doc(alias = "mjc_ConvexHField")]
pub fn hfield_convex(
    settings: &PairSettings,
    field: &Field<'_>,
    placed: &Convex<'_>,
    bounding_radius: f64,
    margin: f64,
    work: &mut Workspace,
    out: &mut Vec<Touch>,
) {
    let start = out.len();
    field_contacts(
        field,
        placed,
        bounding_radius,
        margin,
        |ground, shape| find_one(settings, ground, shape, 0.0, work),
        out,
    );
    if settings.method == Method::Portal {
        for touch in &mut out[start..] {
            round_wall::correct(None, Some(placed), touch);
        }
    }
}

/// The same for a simplex of one to four corners in a layer of a radius, seen from a centre. The cells are those
/// under the corners, without the layer.
#[doc(alias = "mjc_HFieldElem")]
pub fn hfield_simplex(
    settings: &PairSettings,
    field: &Field<'_>,
    (corners, centre, radius): (&[Vec3], Vec3, f64),
    margin: f64,
    work: &mut Workspace,
    out: &mut Vec<Touch>,
) {
    let in_field = |point: Vec3| field.mat.transpose_mul(point - field.pos);
    let mut local = [Vec3::ZERO; 4];
    for (local, corner) in local.iter_mut().zip(corners) {
        *local = in_field(*corner);
    }
    let local = &local[..corners.len().min(4)];
    let (mut low, mut high) = (local[0], local[0]);
    for corner in &local[1..] {
        for k in 0..3 {
            low[k] = low[k].min(corner[k]);
            high[k] = high[k].max(corner[k]);
        }
    }
    let Some(cells) = field.cells_under([low, high], margin) else {
        return;
    };
    let mut shape = Convex::simplex(local, in_field(centre), radius, margin);
    field.touch_cells(
        &cells,
        &mut shape,
        margin,
        |ground, shape| find_one(settings, ground, shape, 0.0, work),
        out,
    );
}
