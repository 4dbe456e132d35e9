//! One body: pose, inertia, what its geoms collide with, alignment of free bodies.
//!
//! The order is the reference's: orientation, inertia as written, geoms, inertia from geoms,
//! bounds, balance, then the frame the body stands in. The frame moves the body, not the inertial
//! frame inside it.

use super::inertia::{self, Lump};
use super::shape::larger;
use super::{Tree, camera, element, fail, geom, joint, light, site};
use crate::compile::Context;
use crate::compile::orientation::Oriented;
use crate::compile::pose::{EPSILON, Pose, rotate, unit};
use crate::place::Place;
use crate::spec::tree::{BodyTable, Inertial, Plugin};
use crate::spec::value::Tristate;
use sinew_math::Vec3;
use sinew_model::joint::Layout;
use sinew_model::kinds::{InertiaFromGeom, JointType};

/// A body of the flattened tree.
#[derive(Clone, Debug, Default)]
pub struct Body {
    /// Its name; empty if it has none.
    pub name: String,
    /// Where it was written.
    pub place: Place,
    /// What was written.
    pub table: Box<BodyTable>,
    /// Its inertia as written.
    pub inertial: Option<Inertial>,
    /// Plugins attached to it.
    pub plugins: Vec<Plugin>,
    /// Its plugin instance.
    pub plugin: Option<usize>,
    /// User data.
    pub user: Vec<f64>,
    /// The frame it stands in.
    pub frame: Option<usize>,
    /// Parent body.
    pub parent: usize,
    /// Child bodies, in order.
    pub children: Vec<usize>,
    /// Its joints.
    pub joints: Vec<usize>,
    /// Its geoms.
    pub geoms: Vec<usize>,
    /// Its sites.
    pub sites: Vec<usize>,
    /// Its cameras.
    pub cameras: Vec<usize>,
    /// Its lights.
    pub lights: Vec<usize>,

    /// Pose in the parent.
    pub pose: Pose,
    /// Mass, inertial frame and principal moments.
    pub lump: Lump,
    /// The topmost body it is rigidly attached to.
    pub weld: usize,
    /// Largest contact margin of its geoms, including those that are only seen.
    pub margin: f64,
    /// Degrees of freedom.
    pub dofs: usize,
    /// What [`volumes`](super::volumes) remembers of earlier bounding-volume trees.
    pub leaves: Vec<Option<usize>>,
}

impl Body {
    /// The world.
    pub fn world() -> Self {
        Body {
            name: "world".to_string(),
            ..Body::default()
        }
    }

    /// Whether it is a mocap body.
    pub fn is_mocap(&self) -> bool {
        self.table.mocap.as_ref().is_some_and(|at| at.value)
    }
}

/// Compiles a body and everything attached to it. Parents come first.
pub fn compile(ctx: &mut Context, tree: &mut Tree, id: usize) {
    resolve_pose(ctx, tree, id);
    let written = inertia_as_written(ctx, &tree.bodies[id]);

    for k in 0..tree.bodies[id].geoms.len() {
        if !ctx.has_time(tree.bodies[id].place) {
            return;
        }
        let index = tree.bodies[id].geoms[k];
        let counts = id > 0 && geom_counts(ctx, &tree.bodies[id], &tree.geoms[index]);
        geom::compile(ctx, tree, index, counts);
    }
    if id > 0 {
        let lump = inertia_of_body(ctx, tree, id, written);
        tree.bodies[id].lump = lump;
    }

    // The frame moves the body, but not its inertial frame.
    if let Some(frame) = tree.bodies[id].frame {
        tree.bodies[id].pose = tree.frames[frame].compose(&tree.bodies[id].pose);
    }
    let aligned = align_geoms(ctx, tree, id);

    let mut dofs = 0;
    for k in 0..tree.bodies[id].joints.len() {
        if !ctx.has_time(tree.bodies[id].place) {
            return;
        }
        let index = tree.bodies[id].joints[k];
        dofs += joint::compile(ctx, tree, index);
    }
    tree.bodies[id].dofs = dofs;
    check_joints(ctx, tree, id);

    for k in 0..tree.bodies[id].sites.len() {
        if !ctx.has_time(tree.bodies[id].place) {
            return;
        }
        let index = tree.bodies[id].sites[k];
        site::compile(ctx, tree, index);
    }
    for k in 0..tree.bodies[id].cameras.len() {
        if !ctx.has_time(tree.bodies[id].place) {
            return;
        }
        let index = tree.bodies[id].cameras[k];
        camera::compile(ctx, tree, index);
    }
    for k in 0..tree.bodies[id].lights.len() {
        if !ctx.has_time(tree.bodies[id].place) {
            return;
        }
        let index = tree.bodies[id].lights[k];
        light::compile(ctx, tree, index);
    }
    if let Some(inverse) = aligned {
        align_others(tree, id, &inverse);
    }
}

/// Pose from `pos` and the orientation attributes, and the body it is welded to.
fn resolve_pose(ctx: &mut Context, tree: &mut Tree, id: usize) {
    let parent_weld = tree.bodies[tree.bodies[id].parent].weld;
    let body = &mut tree.bodies[id];
    body.weld = if body.joints.is_empty() {
        parent_weld
    } else {
        id
    };
    let label = element("body", &body.name);
    let orientation = body.table.orientation();
    let quat = orientation.resolve(body.place, ctx.spec, &label, ctx.report);
    body.pose = Pose {
        pos: body
            .table
            .pos
            .as_ref()
            .map_or(Vec3::ZERO, |at| Vec3(at.value)),
        // A plain quaternion is normalised; alternatives are kept as they come out.
        quat: if orientation.has_alternative() {
            quat
        } else {
            unit(quat)
        },
    };
}

/// What the body's `inertial` says.
fn inertia_as_written(ctx: &mut Context, body: &Body) -> Option<Lump> {
    let written = body.inertial.as_ref()?;
    let label = element("inertial of body", &body.name);
    let orientation = written.orientation();
    let quat = orientation.resolve(written.place, ctx.spec, &label, ctx.report);
    let mut lump = Lump {
        mass: written.mass.as_ref().map_or(0.0, |at| at.value),
        pose: Pose {
            pos: written.pos.as_ref().map_or(Vec3::ZERO, |at| Vec3(at.value)),
            quat: if orientation.has_alternative() {
                quat
            } else {
                unit(quat)
            },
        },
        moments: written
            .diaginertia
            .as_ref()
            .map_or(Vec3::ZERO, |at| Vec3(at.value)),
    };
    if let Some(full) = &written.fullinertia {
        if orientation.is_written() {
            let message = "fullinertia and an inertial orientation cannot both be given";
            fail(ctx, "inertial of body", &body.name, full.place, message);
        }
        if lump.moments != Vec3::ZERO {
            let message = "fullinertia and diaginertia cannot both be given";
            fail(ctx, "inertial of body", &body.name, full.place, message);
        }
        match inertia::principal(full.value) {
            Some((quat, moments)) => {
                lump.pose.quat = quat;
                lump.moments = moments;
            }
            None => {
                let message = "fullinertia must have positive eigenvalues";
                fail(ctx, "inertial of body", &body.name, full.place, message);
            }
        }
    }
    Some(lump)
}

fn inertia_mode(ctx: &Context, body: &Body) -> InertiaFromGeom {
    ctx.compiler(body.place)
        .inertiafromgeom
        .as_ref()
        .map_or(InertiaFromGeom::Auto, |at| at.value)
}

/// Whether a geom's mass is wanted for its body.
fn geom_counts(ctx: &Context, body: &Body, geom: &geom::Geom) -> bool {
    let wanted = body.inertial.is_none() || inertia_mode(ctx, body) == InertiaFromGeom::True;
    wanted && group_counts(ctx, body, geom)
}

fn group_counts(ctx: &Context, body: &Body, geom: &geom::Geom) -> bool {
    let [low, high] = ctx
        .compiler(body.place)
        .inertiagrouprange
        .as_ref()
        .map_or([0, 5], |at| at.value);
    (low..=high).contains(&geom.group())
}

/// The inertia a body ends up with: as written or from geoms, bounded, balanced, checked.
fn inertia_of_body(ctx: &mut Context, tree: &Tree, id: usize, written: Option<Lump>) -> Lump {
    let body = &tree.bodies[id];
    let mode = inertia_mode(ctx, body);
    let from_geoms =
        mode == InertiaFromGeom::True || (mode == InertiaFromGeom::Auto && written.is_none());
    let mut lump = written;
    if from_geoms {
        let parts: Vec<Lump> = body
            .geoms
            .iter()
            .map(|&index| &tree.geoms[index])
            .filter(|geom| group_counts(ctx, body, geom) && geom.mass > EPSILON)
            .map(|geom| Lump {
                mass: geom.mass,
                pose: geom.pose,
                moments: geom.moments,
            })
            .collect();
        match parts.as_slice() {
            [] => {}
            [only] => lump = Some(*only),
            several => match inertia::combine(several) {
                Some(combined) => lump = Some(combined),
                None => {
                    let message = "the inertia of its geoms has no positive eigenvalues";
                    fail(ctx, "body", &body.name, body.place, message);
                }
            },
        }
    }
    // Without any inertia the inertial frame is a copy of the body's own pose.
    let mut lump = lump.unwrap_or(Lump {
        mass: 0.0,
        pose: body.pose,
        moments: Vec3::ZERO,
    });

    let compiler = ctx.compiler(body.place);
    let least_mass = compiler.boundmass.as_ref().map_or(0.0, |at| at.value);
    let least_inertia = compiler.boundinertia.as_ref().map_or(0.0, |at| at.value);
    let balance = compiler.balanceinertia.as_ref().is_some_and(|at| at.value);
    lump.mass = larger(lump.mass, least_mass);
    lump.moments = Vec3(lump.moments.0.map(|moment| larger(moment, least_inertia)));
    if lump.mass < 0.0 || lump.moments.iter().any(|&moment| moment < 0.0) {
        let message = "mass and inertia cannot be negative";
        let place = inertial_place(body, lump.mass < 0.0);
        fail(ctx, "body", &body.name, place, message);
    }
    let [a, b, c] = lump.moments.0;
    if a + b < c || a + c < b || b + c < a {
        if balance {
            lump.moments = Vec3([(a + b + c) / 3.0; 3]);
        } else {
            ctx.report
                .error(
                    "mjcf::inertia",
                    inertial_place(body, false),
                    format!("inertia ({a}, {b}, {c}) must satisfy A + B >= C"),
                )
                .element(element("body", &body.name))
                .hint("set balanceinertia=\"true\" in `compiler` to replace it by its mean");
        }
    }
    lump
}

/// Where the mass or the inertia of a body is written: in its `inertial`, or nowhere but in its geoms.
fn inertial_place(body: &Body, wants_mass: bool) -> Place {
    let Some(inertial) = &body.inertial else {
        return body.place;
    };
    let mass = inertial.mass.as_ref().filter(|_| wants_mass);
    let full = inertial.fullinertia.as_ref().map(|at| at.place);
    let diagonal = inertial.diaginertia.as_ref().map(|at| at.place);
    mass.map(|at| at.place)
        .or(full.or(diagonal).filter(|_| !wants_mass))
        .unwrap_or(inertial.place)
}

/// Moves a free body's frame to its inertial frame, if that was asked for, together with its
/// geoms. Returns the transform that the other elements have to follow.
fn align_geoms(ctx: &Context, tree: &mut Tree, id: usize) -> Option<Pose> {
    let body = &tree.bodies[id];
    let &[joint] = body.joints.as_slice() else {
        return None;
    };
    let joint = &tree.joints[joint];
    let by_default = ctx
        .compiler(body.place)
        .alignfree
        .as_ref()
        .is_some_and(|at| at.value);
    let wanted = match joint.align {
        Tristate::True => true,
        Tristate::False => false,
        Tristate::Auto => by_default,
    };
    if joint.written_kind() != JointType::Free || !body.children.is_empty() || !wanted {
        return None;
    }
    let body = &mut tree.bodies[id];
    let inertial = body.lump.pose;
    body.pose = body.pose.compose(&inertial);
    body.lump.pose = Pose::default();
    let inverse = inertial.inverse();
    for &geom in &tree.bodies[id].geoms {
        let geom = &mut tree.geoms[geom];
        geom.pose = inverse.compose(&geom.pose);
    }
    Some(inverse)
}

fn align_others(tree: &mut Tree, id: usize, inverse: &Pose) {
    for &site in &tree.bodies[id].sites {
        let site = &mut tree.sites[site];
        site.pose = inverse.compose(&site.pose);
    }
    for &camera in &tree.bodies[id].cameras {
        let camera = &mut tree.cameras[camera];
        camera.pose = inverse.compose(&camera.pose);
    }
    for &light in &tree.bodies[id].lights {
        let light = &mut tree.lights[light];
        light.pos = inverse.transform(light.pos);
        light.dir = rotate(inverse.quat, light.dir);
    }
}

/// Checks the joints of a body against each other and against the tree. The joint that is too much is
/// named.
fn check_joints(ctx: &mut Context, tree: &Tree, id: usize) {
    let body = &tree.bodies[id];
    let joints: Vec<&joint::Joint> = body.joints.iter().map(|&j| &tree.joints[j]).collect();
    let mut problem = |joint: &joint::Joint, message: &str, hint: &str| {
        ctx.report
            .error("mjcf::invalid", joint.place, message)
            .element(element("joint", &joint.name))
            .hint(hint);
    };
    let mut dofs = 0;
    let too_many = joints.iter().find(|joint| {
        dofs += Layout::of(joint.kind.code()).dofs();
        dofs > 6
    });
    if let Some(joint) = too_many {
        let hint = "give some of the joints to a body inside this one";
        problem(joint, "more than 6 degrees of freedom in one body", hint);
    }
    if let Some(ball) = joints
        .iter()
        .position(|joint| joint.kind == JointType::Ball)
    {
        let turns = |joint: &&&joint::Joint| {
            joint.kind == JointType::Ball || Layout::of(joint.kind.code()).angles
        };
        if let Some(joint) = joints[ball + 1..].iter().find(turns) {
            let message = "a ball joint is followed by another rotation";
            problem(
                joint,
                message,
                "a ball turns about every axis already: remove this one",
            );
        }
    }
    if let Some(free) = joints.iter().find(|joint| joint.kind == JointType::Free) {
        // The free joint came first or the other did: the second one is too much.
        if let Some(second) = joints.get(1) {
            let message = "a free joint can only appear by itself";
            problem(
                second,
                message,
                "a free body moves in every direction already",
            );
        }
        if body.parent != 0 {
            let message = "a free joint can only be used on the top level, in a child of the world";
            let hint = "move the body into <worldbody>, or give it a ball and three slides";
            problem(free, message, hint);
        }
    }
    if body.is_mocap() && (body.dofs > 0 || body.parent != 0) {
        let message = "a mocap body must be a fixed child of the world";
        ctx.report
            .error("mjcf::invalid", body.place, message)
            .element(element("body", &body.name))
            .attribute("mocap")
            .hint("remove its joints, or weld the moving body to a mocap body");
    }
}

/// Every moving body needs mass and inertia, its own or that of a static descendant.
pub fn check_moving_masses(ctx: &mut Context) {
    let tree = &ctx.tree;
    let least = sinew_math::MIN_VALUE;
    let mut has_mass = vec![false; tree.bodies.len()];
    let mut massless = Vec::new();
    // Children come after their parents: going backwards, a body knows its static children.
    for id in (1..tree.bodies.len()).rev() {
        let body = &tree.bodies[id];
        has_mass[id] |=
            body.lump.mass >= least && body.lump.moments.iter().all(|&moment| moment >= least);
        if body.joints.is_empty() {
            if has_mass[id] {
                has_mass[body.parent] = true;
            }
        } else if !has_mass[id] {
            let place = inertial_place(body, body.lump.mass < least);
            massless.push((body.name.clone(), place));
        }
    }
    for (name, place) in massless.into_iter().rev() {
        ctx.report
            .error(
                "mjcf::massless",
                place,
                "mass and inertia of moving bodies must be larger than 1e-15",
            )
            .element(element("body", &name))
            .hint("give it a geom with mass, an `inertial`, or set boundmass and boundinertia");
    }
}
