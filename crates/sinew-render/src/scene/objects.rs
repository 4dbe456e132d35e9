//! Geoms and sites.

use super::{Piece, Scene, Shape, Surface, island};
use crate::options::{Labels, Options, shows};
use crate::view::View;
use libm::rint;
use sinew_engine::Data;
use sinew_math::Vec3;
use sinew_model::Model;
use sinew_model::kinds::{GeomType, ObjectType};

/// The colour of what says nothing about its colour: a material's then counts.
pub(super) const UNSAID: [f32; 4] = [0.5, 0.5, 0.5, 1.0];
/// Parts of an infinite plane between its middle and its edge, as the reference draws it.
const GRID: f64 = 200.0;

/// The look of an object with a material and a colour of its own.
pub(super) fn surface(model: &Model, material: i32, own: [f32; 4], options: &Options) -> Surface {
    let Ok(material) = usize::try_from(material) else {
        return Surface::plain(own);
    };
    Surface {
        colour: if own == UNSAID {
            model.mat_rgba[material]
        } else {
            own
        },
        emission: model.mat_emission[material],
        specular: model.mat_specular[material],
        shininess: model.mat_shininess[material],
        reflectance: model.mat_reflectance[material],
        material: options.textures.then_some(material),
    }
}

/// The look of something that moves, which may be translucent.
pub(super) fn dimmed(mut surface: Surface, model: &Model, options: &Options) -> Surface {
    if options.translucent {
        surface.colour[3] *= model.vis.map.alpha;
    }
    surface
}

/// Whether a body is selected: then it glows.
pub(super) fn is_selected(body: i32, options: &Options) -> bool {
    let is_it = |body: usize| options.selection.is_some_and(|chosen| chosen.body == body);
    usize::try_from(body).is_ok_and(|body| body > 0 && is_it(body))
}

/// Whether a body is not a fixed part of the world; one that is put somewhere by hand is not.
pub fn moves(model: &Model, body: i32) -> bool {
    let body = body as usize;
    let root = model.body_rootid[body] as usize;
    model.body_weldid[body] != 0 || model.body_mocapid[root] >= 0
}

pub(super) fn add_geoms(
    scene: &mut Scene,
    model: &Model,
    data: &Data,
    view: &View,
    options: &Options,
) {
    let kinematics = &data.position.kinematics;
    for i in 0..model.ngeom {
        let moves = moves(model, model.geom_bodyid[i]);
        if !shows(&options.geom_groups, model.geom_group[i]) || (!moves && !options.statics) {
            continue;
        }
        let own = model.geom_rgba[i];
        let mut surface = surface(model, model.geom_matid[i], own, options);
        if moves {
            surface = dimmed(surface, model, options);
        }
        if options.islands
            && let Some(colour) = island::of_body(model, data, model.geom_bodyid[i])
        {
            (surface.colour, surface.material) = (colour, None);
        }
        if surface.colour[3] == 0.0 {
            continue;
        }
        if is_selected(model.geom_bodyid[i], options) {
            surface.emission += model.vis.global.glow;
        }
        let (position, axes) = (kinematics.geom_xpos[i], kinematics.geom_xmat[i]);
        let data_id = usize::try_from(model.geom_dataid[i]).ok();
        let Some((shape, size)) = form(model.geom_type[i], model.geom_size[i], data_id) else {
            continue;
        };
        let mut piece = Piece {
            shape: hull(model, i, shape, options),
            size,
            position,
            axes,
            surface,
            object: [i as i32, ObjectType::Geom.code()],
            is_decoration: false,
        };
        if shape == Shape::Plane {
            // The pattern's step counts also where it is not shown.
            let material = usize::try_from(model.geom_matid[i]).ok();
            piece.position = middle_of_plane(model, view, &piece, material);
        }
        scene.pieces.push(piece);
        if options.labels == Some(Labels::Geoms) {
            scene.write_name(model, ObjectType::Geom, i);
        }
    }
}

/// The convex hull in place of a mesh that can touch others, where hulls are shown.
fn hull(model: &Model, geom: usize, shape: Shape, options: &Options) -> Shape {
    let touches = model.geom_contype[geom] != 0 || model.geom_conaffinity[geom] != 0;
    match shape {
        Shape::Mesh(mesh) if options.convex_hulls && touches && model.mesh_graphadr[mesh] >= 0 => {
            Shape::Hull(mesh)
        }
        _ => shape,
    }
}

pub(super) fn add_sites(scene: &mut Scene, model: &Model, data: &Data, options: &Options) {
    let kinematics = &data.position.kinematics;
    for i in 0..model.nsite {
        if !shows(&options.site_groups, model.site_group[i]) {
            continue;
        }
        let moves = moves(model, model.site_bodyid[i]);
        if !moves && !options.statics {
            continue;
        }
        let mut surface = surface(model, model.site_matid[i], model.site_rgba[i], options);
        let Some((shape, size)) = form(model.site_type[i], model.site_size[i], None) else {
            continue;
        };
        if surface.colour[3] == 0.0 {
            continue;
        }
        if moves {
            surface = dimmed(surface, model, options);
        }
        if is_selected(model.site_bodyid[i], options) {
            surface.emission += model.vis.global.glow;
        }
        scene.pieces.push(Piece {
            shape,
            size,
            position: kinematics.site_xpos[i],
            axes: kinematics.site_xmat[i],
            surface,
            object: [i as i32, ObjectType::Site.code()],
            is_decoration: false,
        });
        if options.labels == Some(Labels::Sites) {
            scene.write_name(model, ObjectType::Site, i);
        }
    }
}

/// The form of an object of a geom's type, and its half sizes.
pub(super) fn form(kind: i32, size: [f64; 3], data_id: Option<usize>) -> Option<(Shape, [f64; 3])> {
    let [a, b, c] = size;
    Some(match GeomType::from_code(kind)? {
        GeomType::Plane => (Shape::Plane, [a, b, c]),
        GeomType::Sphere => (Shape::Ellipsoid, [a; 3]),
        GeomType::Ellipsoid => (Shape::Ellipsoid, [a, b, c]),
        GeomType::Capsule => (Shape::Capsule, [a, a, b]),
        GeomType::Cylinder => (Shape::Cylinder, [a, a, b]),
        GeomType::Box => (Shape::Box, [a, b, c]),
        GeomType::Mesh | GeomType::Sdf => (Shape::Mesh(data_id?), [a, b, c]),
        GeomType::Hfield => (Shape::HeightField(data_id?), [a, b, c]),
        _ => return None,
    })
}

/// Where a plane is drawn: infinite ones below the eye, in steps of their texture.
fn middle_of_plane(model: &Model, view: &View, piece: &Piece, material: Option<usize>) -> Vec3 {
    let mut position = piece.position;
    if piece.size[0] > 0.0 && piece.size[1] > 0.0 {
        return position;
    }
    let to_eye = view.position - piece.position;
    for k in 0..2 {
        if piece.size[k] <= 0.0 {
            let axis = piece.axes.column(k);
            let step = grid_step(model, material, k, view.frustum.far);
            let away = 2.0 * step * rint(0.5 * to_eye.dot(axis) / step);
            position += axis * away;
        }
    }
    position
}

/// The step of an infinite plane's pattern.
fn grid_step(model: &Model, material: Option<usize>, axis: usize, far: f64) -> f64 {
    let repeat = material.map_or(0.0, |material| {
        f64::from(model.mat_texrepeat[material][axis])
    });
    if repeat > 0.0 {
        2.0 / repeat
    } else {
        2.1 * far / (GRID - 2.0)
    }
}
