//! The kinematic tree: bodies with their joints, geoms, sites, cameras and lights.
//!
//! [`flatten`] turns nested elements into a [`Tree`] of lists in id order, classes merged and
//! frames resolved. [`compile`] then works body by body, parents first: poses, sizes, masses,
//! limits. On request static bodies are fused and visual geoms dropped; what remains is written to
//! the model's columns.

pub mod body;
pub mod camera;
pub mod columns;
pub mod discard;
pub mod fit;
pub mod flatten;
pub mod fluid;
pub mod fuse;
pub mod geom;
pub mod inertia;
pub mod joint;
pub mod light;
pub mod references;
pub mod renumber;
pub mod shape;
pub mod site;
pub mod span;
pub mod volumes;

pub use body::Body;
pub use camera::Camera;
pub use geom::Geom;
pub use joint::Joint;
pub use light::Light;
pub use site::Site;

use super::pose::Pose;
use super::{Context, budget};
use crate::place::Place;
use sinew_model::ModelArrays;
use sinew_model::kinds::ObjectType;

/// The flattened tree. Elements know their body; a body knows its elements.
#[derive(Clone, Debug, Default)]
pub struct Tree {
    /// Bodies, parents before children; the first is the world.
    pub bodies: Vec<Body>,
    /// Joints, in body order.
    pub joints: Vec<Joint>,
    /// Geoms, in body order.
    pub geoms: Vec<Geom>,
    /// Sites, in body order.
    pub sites: Vec<Site>,
    /// Cameras, in body order.
    pub cameras: Vec<Camera>,
    /// Lights, in body order.
    pub lights: Vec<Light>,
    /// Poses of frames in their bodies.
    pub frames: Vec<Pose>,
    /// Bounding-volume nodes that are counted but not used.
    pub spare_volumes: usize,
}

/// Registers the names of everything in the tree.
pub fn collect_names(ctx: &mut Context) {
    let Context {
        tree,
        names,
        report,
        ..
    } = ctx;
    macro_rules! register {
        ($($list:ident: $kind:ident),*) => { $(
            for object in &tree.$list {
                if !report.has_time(object.place) {
                    return;
                }
                names.add(ObjectType::$kind, &object.name, object.place, report);
            }
        )* };
    }
    register!(bodies: Body, joints: Joint, geoms: Geom, sites: Site, cameras: Camera, lights: Light);
}

/// Compiles bodies and everything attached to them, and fills their columns.
pub fn compile(ctx: &mut Context, model: &mut ModelArrays) {
    user_sizes(ctx, model);
    budget::reserve_tree(ctx, model);
    if ctx.report.has_errors() {
        return;
    }
    let mut tree = std::mem::take(&mut ctx.tree);
    for id in 0..tree.bodies.len() {
        if !ctx.has_time(tree.bodies[id].place) {
            break;
        }
        body::compile(ctx, &mut tree, id);
    }
    if !ctx.report.has_errors() {
        if ctx.fuses_static() {
            fuse::fuse(ctx, &mut tree);
        }
        for body in &mut tree.bodies {
            let margins = body.geoms.iter().map(|&geom| tree.geoms[geom].margin());
            body.margin = margins.fold(0.0, shape::larger);
        }
        if ctx.discards_visual() {
            discard::discard(ctx, &mut tree);
        }
    }
    ctx.tree = tree;
    if ctx.report.has_errors() || !ctx.has_time(Place::default()) {
        return;
    }
    body::check_moving_masses(ctx);
    if columns::write(ctx, model).is_none() {
        return;
    }
    super::mesh::write(ctx, model);
    model.nbvhstatic += ctx.tree.spare_volumes;
    model.nbvh += ctx.tree.spare_volumes;
}

/// Sizes of user data: as asked for, or the longest given.
fn user_sizes(ctx: &mut Context, model: &mut ModelArrays) {
    let spec = ctx.spec;
    let size = &spec.size;
    macro_rules! user_size {
        ($field:ident, $list:ident, $what:literal) => {{
            let asked = size
                .$field
                .as_ref()
                .and_then(|at| usize::try_from(at.value).ok());
            let longest = ctx
                .tree
                .$list
                .iter()
                .map(|o| o.user.len())
                .max()
                .unwrap_or(0);
            model.$field = asked.unwrap_or(longest);
            let count = ctx.tree.$list.len();
            let asked = size.$field.as_ref();
            if !budget::check_user(ctx, count, model.$field, asked, stringify!($field)) {
                model.$field = 0;
            }
            if longest > model.$field {
                for object in ctx
                    .tree
                    .$list
                    .iter()
                    .filter(|o| o.user.len() > model.$field)
                {
                    ctx.report
                        .error(
                            "mjcf::user-data",
                            object.place,
                            concat!("user has more values than ", stringify!($field)).to_string(),
                        )
                        .element(element($what, &object.name))
                        .attribute("user");
                }
            }
        }};
    }
    user_size!(nuser_body, bodies, "body");
    user_size!(nuser_jnt, joints, "joint");
    user_size!(nuser_geom, geoms, "geom");
    user_size!(nuser_site, sites, "site");
    user_size!(nuser_cam, cameras, "camera");
}

/// How a message names an element.
pub fn element(kind: &str, name: &str) -> String {
    if name.is_empty() {
        kind.to_string()
    } else {
        format!("{kind} \"{name}\"")
    }
}

/// Reports an error about an element of the tree.
pub fn fail(ctx: &mut Context, kind: &str, name: &str, place: Place, message: impl Into<String>) {
    ctx.report
        .error("mjcf::invalid", place, message)
        .element(element(kind, name));
}
