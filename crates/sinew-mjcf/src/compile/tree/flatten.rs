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
use crate::memory::Memory;
use crate::place::{At, Place};
use crate::report::Report;
use crate::spec::element::Element;
use crate::spec::tree as written;
use crate::spec::tree::Child;
use crate::spec::value::Tristate;
use sinew_math::Vec3;
use sinew_model::kinds::{JointType, ObjectType};

/// Where the walk stands: children still to visit, and what applies to them.
struct Level {
    children: std::vec::IntoIter<Child>,
    spot: Spot,
}

/// The body and frame that elements stand in, and the class in force there.
#[derive(Clone, Copy)]
struct Spot {
    body: usize,
    frame: Option<usize>,
    class: usize,
}

/// Lists bodies depth-first, with their elements in body order. Elements are moved, not copied.
pub fn flatten(ctx: &mut Context, world: Vec<Child>) -> Tree {
    let mut tree = Tree::default();
    tree.bodies.push(Body::world());
    if !has_room_for_bodies(ctx, &world) {
        return tree;
    }
    let mut stack = vec![Level {
        children: world.into_iter(),
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
        if !ctx.has_time(child.place()) {
            return Tree::default();
        }
        if let Err(shortage) = ctx.source.memory().take(tree_bytes(&child)) {
            let place = child.place();
            shortage.report("the tree of the model", place, ctx.report);
            return Tree::default();
        }
        match child {
            Child::Body(child) => {
                let written::Body { table, children } = *child;
                let class = child_class(ctx, &table.childclass, None, spot.class, "body");
                let body = add_body(&mut tree, table, spot.body, spot.frame);
                stack.push(Level {
                    children: children.into_iter(),
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
                    children: child.children.into_iter(),
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
    tree.renumber();
    tree
}

/// Whether the bodies of a model are not too many; reported if they are.
fn has_room_for_bodies(ctx: &mut Context, world: &[Child]) -> bool {
    let most = ctx.source.limits().bodies;
    let flexes = ctx.spec.flexes.len();
    let mut count = 1 + flexes;
    let mut first_too_many = None;
    let mut stack = vec![world.iter()];
    while let Some(children) = stack.last_mut() {
        match children.next() {
            Some(Child::Body(body)) => {
                count += 1;
                if count > most && first_too_many.is_none() {
                    first_too_many = Some(body.table.place);
                }
                stack.push(body.children.iter());
            }
            Some(Child::Frame(frame)) => stack.push(frame.children.iter()),
            Some(_) => {}
            None => drop(stack.pop()),
        }
    }
    if count > most {
        ctx.report
            .error(
                "mjcf::too-many-bodies",
                first_too_many.unwrap_or_default(),
                format!(
                    "{} bodies, the world included; {most} are possible",
                    count - flexes
                ),
            )
            .element("body");
    }
    count <= most
}

/// What an element of the tree costs besides what was written: its place in lists that may have grown,
/// its names, and what it takes from its class.
fn tree_bytes(child: &Child) -> u64 {
    const NAMES: usize = 512;
    let own = match child {
        Child::Body(_) => size_of::<Body>(),
        Child::Joint(_) | Child::FreeJoint(_) => size_of::<Joint>() + size_of::<written::Joint>(),
        Child::Geom(_) => size_of::<Geom>(),
        Child::Site(_) => size_of::<Site>(),
        Child::Camera(_) => size_of::<Camera>(),
        Child::Light(_) => size_of::<Light>(),
        _ => 0,
    };
    (2 * own + NAMES) as u64
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

fn text(at: Option<At<String>>) -> String {
    at.map(|at| at.value).unwrap_or_default()
}

fn values(user: Option<At<Vec<f64>>>) -> Vec<f64> {
    user.map(|at| at.value).unwrap_or_default()
}

/// Gives an element what its class has and it does not say itself.
fn complete<T: Element>(
    table: &mut T,
    class: &T,
    memory: &Memory,
    report: &mut Report,
    place: Place,
) {
    match memory.take(class.heap() as u64) {
        Ok(()) => table.inherit(class),
        Err(shortage) => {
            shortage.report("what elements take from their classes", place, report);
        }
    }
}

fn add_body(
    tree: &mut Tree,
    mut table: written::BodyTable,
    parent: usize,
    frame: Option<usize>,
) -> usize {
    let id = tree.bodies.len();
    tree.bodies.push(Body {
        name: text(table.name.take()),
        place: table.place,
        parent,
        frame,
        user: values(table.user.take()),
        table: Box::new(table),
        ..Body::default()
    });
    tree.bodies[parent].children.push(id);
    id
}

fn add_frame(
    ctx: &mut Context,
    tree: &mut Tree,
    table: &written::FrameTable,
    parent: Option<usize>,
) -> usize {
    let name = text(table.name.clone());
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

fn add_element(ctx: &mut Context, tree: &mut Tree, child: Child, spot: Spot) {
    match child {
        Child::Inertial(inertial) => add_inertial(ctx, tree, &inertial, spot),
        Child::Joint(joint) => add_joint(ctx, tree, joint, spot),
        Child::FreeJoint(joint) => add_free_joint(ctx, tree, *joint, spot),
        Child::Geom(geom) => add_geom(ctx, tree, *geom, spot),
        Child::Site(site) => add_site(ctx, tree, site, spot),
        Child::Camera(camera) => add_camera(ctx, tree, *camera, spot),
        Child::Light(light) => add_light(ctx, tree, *light, spot),
        Child::Plugin(plugin) => tree.bodies[spot.body].plugins.push(*plugin),
        Child::Flexcomp(flexcomp) => not_expanded(ctx, "flexcomp", flexcomp.table.place),
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

fn add_joint(ctx: &mut Context, tree: &mut Tree, mut table: Box<written::Joint>, spot: Spot) {
    let place = table.place;
    if spot.body == 0 {
        return not_in_world(ctx, "joint", place);
    }
    let class = own_class(ctx, &table.class, spot.class, "joint");
    let settings = ctx.classes.joint(class);
    complete(
        &mut *table,
        settings,
        ctx.source.memory(),
        ctx.report,
        place,
    );
    let class_kind = settings.kind.as_ref();
    tree.bodies[spot.body].joints.push(tree.joints.len());
    tree.joints.push(Joint {
        name: text(table.name.take()),
        place,
        class_kind: class_kind.map_or(JointType::Hinge, |at| at.value),
        body: spot.body,
        frame: spot.frame,
        user: values(table.user.take()),
        table,
        ..Joint::default()
    });
}

fn add_free_joint(ctx: &mut Context, tree: &mut Tree, joint: written::FreeJoint, spot: Spot) {
    let place = joint.place;
    if spot.body == 0 {
        return not_in_world(ctx, "freejoint", place);
    }
    tree.bodies[spot.body].joints.push(tree.joints.len());
    tree.joints.push(Joint {
        name: text(joint.name),
        place,
        body: spot.body,
        frame: spot.frame,
        align: joint.align.as_ref().map_or(Tristate::Auto, |at| at.value),
        table: Box::new(written::Joint {
            place,
            kind: Some(At::new(JointType::Free, place)),
            group: joint.group,
            ..written::Joint::default()
        }),
        ..Joint::default()
    });
}

fn add_geom(ctx: &mut Context, tree: &mut Tree, geom: written::Geom, spot: Spot) {
    let mut table = geom.table;
    let place = table.place;
    let class = own_class(ctx, &table.class, spot.class, "geom");
    let settings = ctx.classes.geom(class);
    complete(&mut table, settings, ctx.source.memory(), ctx.report, place);
    tree.bodies[spot.body].geoms.push(tree.geoms.len());
    tree.geoms.push(Geom {
        name: text(table.name.take()),
        place,
        body: spot.body,
        frame: spot.frame,
        user: values(table.user.take()),
        table: Box::new(table),
        plugins: geom.plugins,
        ..Geom::default()
    });
}

fn add_site(ctx: &mut Context, tree: &mut Tree, mut table: Box<written::Site>, spot: Spot) {
    let place = table.place;
    let class = own_class(ctx, &table.class, spot.class, "site");
    let settings = ctx.classes.site(class);
    complete(
        &mut *table,
        settings,
        ctx.source.memory(),
        ctx.report,
        place,
    );
    tree.bodies[spot.body].sites.push(tree.sites.len());
    tree.sites.push(Site {
        name: text(table.name.take()),
        place,
        body: spot.body,
        frame: spot.frame,
        user: values(table.user.take()),
        table,
        ..Site::default()
    });
}

fn add_camera(ctx: &mut Context, tree: &mut Tree, mut table: written::Camera, spot: Spot) {
    let place = table.place;
    let class = own_class(ctx, &table.class, spot.class, "camera");
    // The class's user data is not inherited: the reference overwrites it.
    let user = values(table.user.take());
    let settings = ctx.classes.camera(class);
    complete(&mut table, settings, ctx.source.memory(), ctx.report, place);
    tree.bodies[spot.body].cameras.push(tree.cameras.len());
    tree.cameras.push(Camera {
        name: text(table.name.take()),
        place,
        body: spot.body,
        frame: spot.frame,
        user,
        table,
        ..Camera::default()
    });
}

fn add_light(ctx: &mut Context, tree: &mut Tree, mut table: written::Light, spot: Spot) {
    let place = table.place;
    let class = own_class(ctx, &table.class, spot.class, "light");
    let settings = ctx.classes.light(class);
    complete(&mut table, settings, ctx.source.memory(), ctx.report, place);
    tree.bodies[spot.body].lights.push(tree.lights.len());
    tree.lights.push(Light {
        name: text(table.name.take()),
        place,
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

fn not_expanded(ctx: &mut Context, what: &str, place: Place) {
    ctx.report
        .error(
            "mjcf::not-expanded",
            place,
            format!("`{what}` must be expanded before a model is compiled"),
        )
        .element(what);
}
