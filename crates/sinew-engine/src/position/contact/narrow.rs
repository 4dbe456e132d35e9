//! Where two geoms touch.

use super::{Contact, middle, mixing};
use crate::is_disabled;
use crate::position::kinematics::Kinematics;
use sinew_collision::convex::{
    self, Convex, Field, Hull, Kind, MeshShape, Method, PairSettings, convex_convex, hfield_convex,
    plane_convex,
};
use sinew_collision::pair::{self, Shape, Touch};
use sinew_model::Model;
use sinew_model::kinds::{DisableFlag, EnableFlag, GeomType};
use sinew_model::version::Version;
use std::sync::Arc;

/// Storage of the narrow phase, kept between steps.
#[derive(Clone, Debug, Default)]
pub(super) struct Narrow {
    pub touches: Vec<Touch>,
    pub convex: convex::Workspace,
    /// Hull graph of each mesh that has one, shared by copies.
    pub hulls: Arc<[Option<Hull>]>,
    /// The model with whose vertices the hulls were made.
    version: Option<Version>,
}

impl Narrow {
    pub fn new(model: &Model) -> Narrow {
        let mut narrow = Narrow::default();
        narrow.read_hulls(model);
        narrow
    }

    /// Makes the hulls again if the vertices of the model may be others than before.
    #[inline]
    pub(crate) fn update(&mut self, model: &Model) {
        let is_present = |version: &Version| version.is_of(model);
        if !self.version.as_ref().is_some_and(is_present) {
            self.read_hulls(model);
        }
    }

    fn read_hulls(&mut self, model: &Model) {
        let hull = |id: usize| {
            let address = usize::try_from(model.mesh_graphadr[id]).ok()?;
            let start = model.mesh_vertadr[id] as usize;
            let vertices = &model.mesh_vert[start..start + model.mesh_vertnum[id] as usize];
            Hull::new(vertices, &model.mesh_graph[address..])
        };
        self.hulls = (0..model.nmesh).map(hull).collect();
        self.version = Some(model.version());
    }
}

/// Whether the contact bits of two geoms allow a contact.
#[inline]
pub(crate) fn bits_match(model: &Model, first: usize, second: usize) -> bool {
    model.geom_contype[first] & model.geom_conaffinity[second] != 0
        || model.geom_contype[second] & model.geom_conaffinity[first] != 0
}

/// Contacts of two geoms with mixed parameters.
pub(super) fn geoms(
    model: &Model,
    kinematics: &Kinematics,
    first: usize,
    second: usize,
    work: &mut Narrow,
    out: &mut Vec<Contact>,
) {
    let (first, second) = by_type(model, first, second);
    let margin = mixing::margin(model, first, second);
    if !find(model, kinematics, first, second, margin, work) {
        return;
    }
    let parameters = mixing::mix(model, first, second, margin);
    let ids = [first as i32, second as i32];
    parameters.add_contacts(&work.touches, ids, out);
}

/// Contacts of an explicit pair, which has parameters of its own and ignores contact bits. Its bodies
/// may be fixed, which those of other pairs are not.
pub(super) fn explicit(
    model: &Model,
    kinematics: &Kinematics,
    pair: usize,
    work: &mut Narrow,
    out: &mut Vec<Contact>,
) {
    let (first, second) = by_type(
        model,
        model.pair_geom1[pair] as usize,
        model.pair_geom2[pair] as usize,
    );
    let margin = mixing::pair_margin(model, pair);
    if !find(model, kinematics, first, second, margin, work) {
        return;
    }
    let parameters = mixing::of_pair(model, pair, margin);
    let ids = [first as i32, second as i32];
    let start = out.len();
    parameters.add_contacts(&work.touches, ids, out);
    for contact in &mut out[start..] {
        contact.exclude_if_fixed(model);
    }
}

pub(super) fn by_type(model: &Model, first: usize, second: usize) -> (usize, usize) {
    if model.geom_type[first] > model.geom_type[second] {
        (second, first)
    } else {
        (first, second)
    }
}

pub(super) fn shape(model: &Model, kinematics: &Kinematics, geom: usize) -> Shape {
    Shape {
        pos: kinematics.geom_xpos[geom],
        mat: kinematics.geom_xmat[geom],
        size: model.geom_size[geom],
    }
}

/// Fills `work.touches` if the geoms' spheres overlap; false when there are none. Geoms come
/// ordered by type.
fn find(
    model: &Model,
    kinematics: &Kinematics,
    first: usize,
    second: usize,
    margin: f64,
    work: &mut Narrow,
) -> bool {
    if !middle::spheres_overlap(model, kinematics, first, second, margin) {
        return false;
    }
    touches(model, kinematics, first, second, margin, work);
    !work.touches.is_empty()
}

/// Fills `work.touches`, however far apart the geoms are. Geoms come ordered by type.
#[inline]
pub(super) fn touches(
    model: &Model,
    kinematics: &Kinematics,
    first: usize,
    second: usize,
    margin: f64,
    work: &mut Narrow,
) {
    // No `map`: it would copy the shapes once more.
    let shapes = [
        shape(model, kinematics, first),
        shape(model, kinematics, second),
    ];
    shapes_touch(model, [first, second], &shapes, margin, work);
}

/// The same for geoms at any place.
pub(super) fn shapes_touch(
    model: &Model,
    [first, second]: [usize; 2],
    [shape1, shape2]: &[Shape; 2],
    margin: f64,
    work: &mut Narrow,
) {
    let Narrow {
        touches,
        convex,
        hulls,
        ..
    } = work;
    touches.clear();
    let (Some(type1), Some(type2)) = (
        GeomType::from_code(model.geom_type[first]),
        GeomType::from_code(model.geom_type[second]),
    ) else {
        return;
    };
    use GeomType::{Box, Capsule, Cylinder, Hfield, Plane, Sdf, Sphere};
    match (type1, type2) {
        (Plane, Sphere) => pair::plane_sphere(shape1, shape2, margin, touches),
        (Plane, Capsule) => pair::plane_capsule(shape1, shape2, margin, touches),
        (Plane, Cylinder) => pair::plane_cylinder(shape1, shape2, margin, touches),
        (Plane, Box) => pair::plane_box(shape1, shape2, margin, touches),
        (Sphere, Sphere) => pair::sphere_sphere(shape1, shape2, margin, touches),
        (Sphere, Capsule) => pair::sphere_capsule(shape1, shape2, margin, touches),
        (Sphere, Cylinder) => pair::sphere_cylinder(shape1, shape2, margin, touches),
        (Sphere, Box) => pair::sphere_box(shape1, shape2, margin, touches),
        (Capsule, Capsule) => pair::capsule_capsule(shape1, shape2, margin, touches),
        (Capsule, Box) => pair::capsule_box(shape1, shape2, margin, touches),
        (Box, Box) => {
            pair::box_box(shape1, shape2, margin, touches);
            pair::drop_outside_and_repeated(shape1, shape2, margin, touches, 0);
        }
        (Plane | Hfield, Plane | Hfield) | (_, Sdf) => {}
        (Plane, _) => {
            let mut shape = convex_shape(model, hulls, shape2, second, 0.0);
            plane_convex(
                shape1,
                &mut shape,
                model.geom_rbound[second],
                margin,
                touches,
            );
        }
        (Hfield, _) => {
            let field = height_field(model, shape1, first);
            let shape = convex_shape(model, hulls, shape2, second, 0.0);
            let radius = model.geom_rbound[second];
            hfield_convex(
                &settings(model),
                &field,
                &shape,
                radius,
                margin,
                convex,
                touches,
            );
        }
        _ => {
            let radius = model.geom_rbound[first].min(model.geom_rbound[second]);
            convex_convex(
                &settings(model),
                &mut convex_shape(model, hulls, shape1, first, margin),
                &mut convex_shape(model, hulls, shape2, second, margin),
                radius,
                margin,
                convex,
                touches,
            );
        }
    }
}

pub(super) fn settings(model: &Model) -> PairSettings {
    let method = match is_disabled(model, DisableFlag::Nativeccd) {
        false => Method::Native,
        true => Method::Portal,
    };
    PairSettings {
        method,
        iterations: model.opt.ccd_iterations.max(0) as usize,
        tolerance: model.opt.ccd_tolerance,
        is_multiple: model.opt.enableflags & EnableFlag::Multiccd.code() != 0,
    }
}

/// A geom as the convex algorithms see it.
pub(super) fn convex_shape<'a>(
    model: &'a Model,
    hulls: &'a [Option<Hull>],
    shape: &Shape,
    geom: usize,
    margin: f64,
) -> Convex<'a> {
    let kind = match GeomType::from_code(model.geom_type[geom]) {
        Some(GeomType::Sphere) => Kind::Sphere,
        Some(GeomType::Capsule) => Kind::Capsule,
        Some(GeomType::Ellipsoid) => Kind::Ellipsoid,
        Some(GeomType::Cylinder) => Kind::Cylinder,
        Some(GeomType::Mesh) => Kind::Mesh(mesh(model, hulls, model.geom_dataid[geom] as usize)),
        _ => Kind::Box,
    };
    Convex::new(kind, shape.pos, shape.mat, shape.size, margin)
}

fn mesh<'a>(model: &'a Model, hulls: &'a [Option<Hull>], id: usize) -> MeshShape<'a> {
    fn part<T>(all: &[T], address: i32, count: i32) -> &[T] {
        &all[address as usize..(address + count) as usize]
    }
    let (vertices, count) = (model.mesh_vertadr[id], model.mesh_vertnum[id]);
    let (polygons, polygon_count) = (model.mesh_polyadr[id], model.mesh_polynum[id]);
    MeshShape {
        vertices: part(&model.mesh_vert, vertices, count),
        hull: hulls.get(id).and_then(Option::as_ref),
        polygon_normals: part(&model.mesh_polynormal, polygons, polygon_count),
        polygon_start: part(&model.mesh_polyvertadr, polygons, polygon_count),
        polygon_count: part(&model.mesh_polyvertnum, polygons, polygon_count),
        polygon_vertices: &model.mesh_polyvert,
        map_start: part(&model.mesh_polymapadr, vertices, count),
        map_count: part(&model.mesh_polymapnum, vertices, count),
        vertex_polygons: &model.mesh_polymap,
    }
}

pub(super) fn height_field<'a>(model: &'a Model, shape: &Shape, geom: usize) -> Field<'a> {
    let id = model.geom_dataid[geom] as usize;
    Field {
        pos: shape.pos,
        mat: shape.mat,
        size: model.hfield_size[id],
        rows: model.hfield_nrow[id] as usize,
        columns: model.hfield_ncol[id] as usize,
        elevation: &model.hfield_data[model.hfield_adr[id] as usize..],
    }
}
