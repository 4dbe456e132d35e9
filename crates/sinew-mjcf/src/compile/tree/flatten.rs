//! From nested elements to lists in id order.
//!
//! Bodies are numbered depth-first; frames leave nothing but a pose on their children; every
//! element takes what it does not say itself from its class (own `class`, nearest `childclass` of a
//! frame or body, `main`). The walk keeps its own stack, so that a deep chain of bodies does not
//! need a deep call stack.

use super::{Body, Camera, Geom, Joint, Light, Site, Tree, element};
use crate::compile::Context;
use crate::compile::orientation::Oriented;
use crate::compile::pose::{self, Pose};
use crate::place::{At, Place};
use crate::spec::element::Element;
use crate::spec::tree as written;
use crate::spec::tree::Child;
use crate::spec::value::Tristate;
use sinew_math::Vec3;
use sinew_model::kinds::{JointType, ObjectType};

/// Where the walk stands: children still to visit, and what applies to them.
struct Level<'a> {
    children: core::slice::Iter<'a, Child>,
    spot: Spot,
}

/// The body and frame that elements stand in, and the class in force there.
#[derive(Clone, Copy)]
struct Spot {
    body: usize,
    frame: Option<usize>,
    class: usize,
}

/// Lists bodies depth-first, with their elements in body order.
pub fn flatten(ctx: &mut Context) -> Tree {
    let mut tree = Tree::default();
    tree.bodies.push(Body::world());
    let spec = ctx.spec;
    for flex in &spec.flexes {
        not_supported(ctx, "flex", flex.table.place, flex.table.name.as_ref());
    }
    let mut stack = vec![Level {
        children: spec.world.iter(),
        spot: Spot {
            body: 0,
            frame: None,
            class: 0,
        },
    }];
    while let Some(level) = stack.last_mut() {
        let Some(child) = level.children.next() else {
            stack.pop();
            continue;
        };
        let spot = level.spot;
        match child {
            Child::Body(child) => {
                let class = child_class(ctx, &child.table.childclass, None, spot.class, "body");
                let body = add_body(&mut tree, &child.table, spot.body, spot.frame);
                stack.push(Level {
                    children: child.children.iter(),
                    spot: Spot {
                        body,
                        frame: None,
                        class,
                    },
                });
            }
            Child::Frame(child) => {
                let table = &child.table;
                let given = Some(&table.class);
                let class = child_class(ctx, &table.childclass, given, spot.class, "frame");
                let frame = Some(add_frame(ctx, &mut tree, table, spot.frame));
                stack.push(Level {
                    children: child.children.iter(),
                    spot: Spot {
                        frame,
                        class,
                        ..spot
                    },
                });
            }
            other => add_element(ctx, &mut tree, other, spot),
        }
    }
    let most = ctx.source.limits().bodies;
    if tree.bodies.len() + spec.flexes.len() > most {
        ctx.report.error(
            "mjcf::too-many-bodies",
            tree.bodies
                .get(most)
                .map_or(Place::default(), |body| body.place),
            format!(
                "{} bodies, the world included; {most} are possible",
                tree.bodies.len()
            ),
        );
    }
    tree.renumber();
    tree
}

/// The class for the children of a body or frame.
fn child_class(
    ctx: &mut Context,
    childclass: &Option<At<String>>,
    class: Option<&Option<At<String>>>,
    inherited: usize,
    what: &str,
) -> usize {
    let given = childclass.as_ref().or(class.and_then(Option::as_ref));
    match given {
        Some(_) => ctx.class(given, what),
        None => inherited,
    }
}

fn text(at: &Option<At<String>>) -> String {
    at.as_ref().map(|at| at.value.clone()).unwrap_or_default()
}

fn add_body(
    tree: &mut Tree,
    table: &written::BodyTable,
    parent: usize,
    frame: Option<usize>,
) -> usize {
    let id = tree.bodies.len();
    let name = text(&table.name);
    tree.bodies.push(Body {
        name,
        place: table.place,
        parent,
        frame,
        user: values(&table.user),
        table: table.clone(),
        ..Body::world()
    });
    tree.bodies[parent].children.push(id);
    id
}

fn values(user: &Option<At<Vec<f64>>>) -> Vec<f64> {
    user.as_ref().map(|at| at.value.clone()).unwrap_or_default()
}

fn add_frame(
    ctx: &mut Context,
    tree: &mut Tree,
    table: &written::FrameTable,
    parent: Option<usize>,
) -> usize {
    let name = text(&table.name);
    let label = element("frame", &name);
    let orientation = table.orientation();
    ctx.names
        .add(ObjectType::Frame, &name, table.place, ctx.report);
    let mut frame = Pose {
        pos: table.pos.as_ref().map_or(Vec3::ZERO, |at| Vec3(at.value)),
        quat: orientation.resolve(table.place, ctx.spec, &label, ctx.report),
    };
    if let Some(parent) = parent {
        frame = tree.frames[parent].compose(&frame);
    }
    frame.quat = pose::unit(frame.quat);
    tree.frames.push(frame);
    tree.frames.len() - 1
}

fn add_element(ctx: &mut Context, tree: &mut Tree, child: &Child, spot: Spot) {
    match child {
        Child::Inertial(inertial) => add_inertial(ctx, tree, inertial, spot),
        Child::Joint(joint) => add_joint(ctx, tree, joint, spot),
        Child::FreeJoint(joint) => add_free_joint(ctx, tree, joint, spot),
        Child::Geom(geom) => add_geom(ctx, tree, geom, spot),
        Child::Site(site) => add_site(ctx, tree, site, spot),
        Child::Camera(camera) => add_camera(ctx, tree, camera, spot),
        Child::Light(light) => add_light(ctx, tree, light, spot),
        Child::Plugin(plugin) => tree.bodies[spot.body].plugins.push((**plugin).clone()),
        Child::Flexcomp(flexcomp) => {
            let table = &flexcomp.table;
            not_supported(ctx, "flexcomp", table.place, table.name.as_ref());
        }
        Child::Composite(composite) => not_expanded(ctx, "composite", composite.table.place),
        Child::Replicate(replicate) => not_expanded(ctx, "replicate", replicate.table.place),
        Child::Attach(attach) => not_expanded(ctx, "attach", attach.place),
        // Handled by the walk.
        Child::Body(_) | Child::Frame(_) => {}
    }
}

fn add_inertial(ctx: &mut Context, tree: &mut Tree, inertial: &written::Inertial, spot: Spot) {
    if spot.body == 0 {
        return not_in_world(ctx, "inertial", inertial.place);
    }
    match &mut tree.bodies[spot.body].inertial {
        Some(earlier) => earlier.overwrite(inertial),
        none => *none = Some(inertial.clone()),
    }
}

fn add_joint(ctx: &mut Context, tree: &mut Tree, joint: &written::Joint, spot: Spot) {
    if spot.body == 0 {
        return not_in_world(ctx, "joint", joint.place);
    }
    let class = own_class(ctx, &joint.class, spot.class, "joint");
    let mut table = joint.clone();
    let settings = ctx.classes.joint(class);
    table.inherit(settings);
    let class_kind = settings.kind.as_ref();
    tree.bodies[spot.body].joints.push(tree.joints.len());
    tree.joints.push(Joint {
        name: text(&table.name),
        place: table.place,
        class_kind: class_kind.map_or(JointType::Hinge, |at| at.value),
        body: spot.body,
        frame: spot.frame,
        user: values(&table.user),
        table,
        ..Joint::default()
    });
}

fn add_free_joint(ctx: &mut Context, tree: &mut Tree, joint: &written::FreeJoint, spot: Spot) {
    if spot.body == 0 {
        return not_in_world(ctx, "freejoint", joint.place);
    }
    tree.bodies[spot.body].joints.push(tree.joints.len());
    tree.joints.push(Joint {
        name: text(&joint.name),
        place: joint.place,
        body: spot.body,
        frame: spot.frame,
        align: joint.align.as_ref().map_or(Tristate::Auto, |at| at.value),
        table: written::Joint {
            place: joint.place,
            kind: Some(At::new(JointType::Free, joint.place)),
            group: joint.group.clone(),
            ..written::Joint::default()
        },
        ..Joint::default()
    });
}

fn add_geom(ctx: &mut Context, tree: &mut Tree, geom: &written::Geom, spot: Spot) {
    let class = own_class(ctx, &geom.table.class, spot.class, "geom");
    let mut table = geom.table.clone();
    table.inherit(ctx.classes.geom(class));
    tree.bodies[spot.body].geoms.push(tree.geoms.len());
    tree.geoms.push(Geom {
        name: text(&table.name),
        place: table.place,
        body: spot.body,
        frame: spot.frame,
        user: values(&table.user),
        table,
        plugins: geom.plugins.clone(),
        ..Geom::default()
    });
}

fn add_site(ctx: &mut Context, tree: &mut Tree, site: &written::Site, spot: Spot) {
    let class = own_class(ctx, &site.class, spot.class, "site");
    let mut table = site.clone();
    table.inherit(ctx.classes.site(class));
    tree.bodies[spot.body].sites.push(tree.sites.len());
    tree.sites.push(Site {
        name: text(&table.name),
        place: table.place,
        body: spot.body,
        frame: spot.frame,
        user: values(&table.user),
        table,
        ..Site::default()
    });
}

fn add_camera(ctx: &mut Context, tree: &mut Tree, camera: &written::Camera, spot: Spot) {
    let class = own_class(ctx, &camera.class, spot.class, "camera");
    let mut table = camera.clone();
    table.inherit(ctx.classes.camera(class));
    tree.bodies[spot.body].cameras.push(tree.cameras.len());
    tree.cameras.push(Camera {
        name: text(&table.name),
        place: table.place,
        body: spot.body,
        frame: spot.frame,
        // The class's user data is not inherited: the reference overwrites it.
        user: values(&camera.user),
        table,
        ..Camera::default()
    });
}

fn add_light(ctx: &mut Context, tree: &mut Tree, light: &written::Light, spot: Spot) {
    let class = own_class(ctx, &light.class, spot.class, "light");
    let mut table = light.clone();
    table.inherit(ctx.classes.light(class));
    tree.bodies[spot.body].lights.push(tree.lights.len());
    tree.lights.push(Light {
        name: text(&table.name),
        place: table.place,
        body: spot.body,
        frame: spot.frame,
        table,
        ..Light::default()
    });
}

fn own_class(ctx: &mut Context, class: &Option<At<String>>, inherited: usize, what: &str) -> usize {
    match class {
        Some(_) => ctx.class(class.as_ref(), what),
        None => inherited,
    }
}

fn not_in_world(ctx: &mut Context, what: &str, place: Place) {
    ctx.report
        .error(
            "mjcf::world",
            place,
            format!("the world body cannot have `{what}`"),
        )
        .element(what)
        .hint("put it into a `body`");
}

fn not_supported(ctx: &mut Context, what: &str, place: Place, name: Option<&At<String>>) {
    let name = name.map_or("", |at| at.value.as_str());
    ctx.report
        .error(
            "mjcf::not-supported",
            place,
            format!("not supported yet: flex ({})", element(what, name)),
        )
        .element(element(what, name));
}

fn not_expanded(ctx: &mut Context, what: &str, place: Place) {
    ctx.report
        .error(
            "mjcf::not-expanded",
            place,
            format!("`{what}` must be expanded before a model is compiled"),
        )
        .element(what);
}
