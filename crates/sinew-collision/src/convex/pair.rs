//! Contacts of two convex shapes.

use super::{
    CLEARLY, Convex, Kind, Settings, Workspace, deepest, distance, portal, round_wall, touch,
};
use crate::pair::Touch;
use sinew_math::{Mat3, Quat, Vec3};

/// Distinct contacts keep this distance, relative to the smaller bounding radius.
const DISTINCT: f64 = 1e-3;
/// Both shapes are rocked by this angle in search of further contacts.
const ROCKING: f64 = 1e-3;

/// Which algorithm finds contacts.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Method {
    /// The least penetration, by the nearest face of the Minkowski difference.
    #[default]
    Native,
    /// The older one: a portal is refined.
    Portal,
}

/// How contacts of convex shapes are found.
#[derive(Clone, Copy, Debug)]
pub struct PairSettings {
    /// By which algorithm.
    pub method: Method,
    /// Most iterations of each algorithm.
    pub iterations: usize,
    /// Tolerance of each algorithm.
    pub tolerance: f64,
    /// Look for more than one contact.
    pub is_multiple: bool,
}

/// Contacts of two shapes that carry the margin. One, or several with `is_multiple`: corners of the
/// clipped faces of boxes and meshes without a margin, otherwise by rocking the shapes about the
/// first contact.
#[doc(alias = "mjc_Convex")]
pub fn convex_convex<'a>(
    settings: &PairSettings,
    first: &mut Convex<'a>,
    second: &mut Convex<'a>,
    bounding_radius: f64,
    margin: f64,
    work: &mut Workspace,
    out: &mut Vec<Touch>,
) {
    // Far enough apart that the algorithms below cannot call them touching.
    if first.is_clearly_apart(second, margin.max(0.0) + CLEARLY * settings.tolerance) {
        return;
    }
    let is_flat = |shape: &Convex<'_>| matches!(shape.kind, Kind::Box | Kind::Mesh(_));
    let is_native = settings.method == Method::Native;
    let can_clip = is_native && margin <= 0.0 && is_flat(first) && is_flat(second);
    let most = if can_clip && settings.is_multiple {
        4
    } else {
        1
    };
    let start = out.len();
    find_corrected(settings, first, second, most, margin, work, out);
    let is_round = |shape: &Convex<'_>| matches!(shape.kind, Kind::Sphere | Kind::Ellipsoid);
    if most > 1
        || !settings.is_multiple
        || out.len() != start + 1
        || is_round(first)
        || is_round(second)
    {
        return;
    }

    let initial = out[start];
    let axes = tangents(initial.normal);
    let (pose1, pose2) = ((first.pos, first.mat), (second.pos, second.mat));
    for axis in axes {
        for angle in [-ROCKING, ROCKING] {
            let turn = Quat::from_axis_angle(axis, angle).to_mat();
            rock(first, initial.pos, &turn);
            rock(second, initial.pos, &turn.transpose());
            let found = out.len();
            find_corrected(settings, first, second, 1, margin, work, out);
            if out.len() > found {
                let pos = out[found].pos;
                let is_distinct = out[start..found]
                    .iter()
                    .all(|touch| touch.pos.distance(pos) > DISTINCT * bounding_radius);
                if is_distinct {
                    out[found].dist = initial.dist;
                } else {
                    out.truncate(found);
                }
            }
            (first.pos, first.mat) = pose1;
            (second.pos, second.mat) = pose2;
        }
    }
}

/// The deepest contact of a shape and a simplex, which both carry the margin. Against a triangle, the normal of the native
/// algorithm is that of the shape's round wall where it has one.
#[doc(alias = "mjc_ConvexElem")]
pub fn convex_simplex<'a>(
    settings: &PairSettings,
    first: &mut Convex<'a>,
    simplex: &mut Convex<'a>,
    margin: f64,
    work: &mut Workspace,
    out: &mut Vec<Touch>,
) {
    let start = out.len();
    find(settings, first, simplex, 1, margin, work, out);
    let is_triangle = matches!(simplex.kind, Kind::Simplex { count: 3, .. });
    if is_triangle && settings.method == Method::Native {
        for touch in &mut out[start..] {
            round_wall::correct(Some(first), None, touch);
        }
    }
}

/// Contacts whose normals are those of round walls, where the algorithm needs that.
fn find_corrected<'a>(
    settings: &PairSettings,
    first: &mut Convex<'a>,
    second: &mut Convex<'a>,
    most_contacts: usize,
    margin: f64,
    work: &mut Workspace,
    out: &mut Vec<Touch>,
) {
    let start = out.len();
    find(settings, first, second, most_contacts, margin, work, out);
    if settings.method == Method::Portal {
        for touch in &mut out[start..] {
            round_wall::correct(Some(first), Some(second), touch);
        }
    }
}

/// The contact of two shapes that carry the margin, if they touch.
pub(super) fn find_one<'a>(
    settings: &PairSettings,
    first: &mut Convex<'a>,
    second: &mut Convex<'a>,
    margin: f64,
    work: &mut Workspace,
) -> Option<Touch> {
    if settings.method == Method::Portal {
        let limits = (settings.iterations, settings.tolerance);
        let found = portal::penetration(limits, first, second)?;
        return Some(Touch {
            dist: margin - found.depth,
            pos: found.pos,
            normal: found.direction,
            tangent: Vec3::ZERO,
        });
    }
    let limits = (settings.iterations, settings.tolerance);
    deepest(limits, first, second, margin, &mut work.polytope)
}

fn find<'a>(
    settings: &PairSettings,
    first: &mut Convex<'a>,
    second: &mut Convex<'a>,
    most_contacts: usize,
    margin: f64,
    work: &mut Workspace,
    out: &mut Vec<Touch>,
) {
    if settings.method == Method::Portal || most_contacts == 1 {
        out.extend(find_one(settings, first, second, margin, work));
        return;
    }
    let query = Settings {
        iterations: settings.iterations,
        tolerance: settings.tolerance,
        most_contacts,
        cutoff: 0.0,
    };
    let dist = distance(&query, first, second, work);
    if dist >= 0.0 {
        return;
    }
    for &(x1, x2) in &work.witness {
        out.push(touch(margin + dist, x1, x2));
    }
}

/// Turns a shape about a fixed point.
fn rock(shape: &mut Convex<'_>, about: Vec3, turn: &Mat3) {
    shape.mat = *turn * shape.mat;
    let lever = about - shape.pos;
    shape.pos -= *turn * lever - lever;
}

/// Two directions across a normal: the tangents of the contact frame.
fn tangents(normal: Vec3) -> [Vec3; 2] {
    let x = normal.normalized();
    let y = if x[1] < 0.5 && x[1] > -0.5 {
        Vec3::Y
    } else {
        Vec3::Z
    };
    let y = (y - x * x.dot(y)).normalized();
    [y, x.cross(y)]
}
