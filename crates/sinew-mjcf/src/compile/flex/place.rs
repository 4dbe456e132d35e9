//! The bodies of vertices and nodes, and where they stand in the world at `qpos0`.

use super::{Fault, Written};
use crate::compile::Context;
use crate::compile::pose::{Pose, product, rotate};
use crate::compile::tree::Tree;
use crate::place::At;
use crate::spec::extra::Flex;
use crate::spec::value::NameList;
use sinew_math::Vec3;
use sinew_model::kinds::ObjectType;

/// Numbers of nodes that flexes are interpolated between.
const NODES: [usize; 2] = [8, 27];

/// Poses of all bodies in the world.
pub struct Poses(Vec<Pose>);

impl Poses {
    /// Adds up the tree.
    pub fn of(tree: &Tree) -> Poses {
        let mut poses: Vec<Pose> = Vec::with_capacity(tree.bodies.len());
        for body in &tree.bodies {
            let parent = poses.get(body.parent).copied().unwrap_or_default();
            poses.push(Pose {
                pos: rotate(parent.quat, body.pose.pos) + parent.pos,
                quat: product(parent.quat, body.pose.quat),
            });
        }
        Poses(poses)
    }

    fn point(&self, body: usize, local: Vec3) -> Vec3 {
        let pose = self.0[body];
        pose.pos + rotate(pose.quat, local)
    }
}

/// Vertices and nodes with their bodies.
pub struct Vertices {
    /// The body of each vertex, or the one of all; empty names of interpolated ones: the parent.
    pub bodies: Vec<usize>,
    /// The body of each node; empty: not interpolated.
    pub node_bodies: Vec<usize>,
    /// Positions in the bodies.
    pub local: Vec<Vec3>,
    /// Positions of nodes in their bodies.
    pub node_local: Vec<Vec3>,
    /// Positions in the world.
    pub world: Vec<Vec3>,
    /// Positions of nodes in the world.
    pub node_world: Vec<Vec3>,
    /// Whether all vertices have one body.
    pub is_rigid: bool,
    /// Whether all vertices, or all nodes, stand at the origins of their bodies.
    pub is_centered: bool,
}

impl Vertices {
    /// Resolves the bodies and places the vertices.
    pub fn place(
        ctx: &mut Context,
        flex: &Flex,
        written: &Written,
        poses: &Poses,
    ) -> Result<Vertices, Fault> {
        let table = &flex.table;
        let Some(body) = table.body.as_ref().filter(|at| !at.value.0.is_empty()) else {
            ctx.missing(table.place, "flex", "body");
            return Err(Fault::reported());
        };
        let bodies = resolve(ctx, body, "body")?;
        check_bending(ctx, written, body, &bodies)?;
        let node_bodies = match &table.node {
            Some(node) => resolve(ctx, node, "node")?,
            None => Vec::new(),
        };
        let local = local_positions(flex, written, bodies.len(), !node_bodies.is_empty())?;
        written.check_texcoord(flex, local.len())?;
        if let (Some(node), true) = (&table.node, !node_bodies.is_empty())
            && !NODES.contains(&node_bodies.len())
        {
            return Err(Fault::new(
                node.place,
                "node",
                format!("a flex has 8 or 27 nodes, not {}", node_bodies.len()),
                "2 or 3 along each axis, the last axis running fastest",
            ));
        }
        Ok(Vertices::with(flex, bodies, node_bodies, local, poses))
    }

    fn with(
        flex: &Flex,
        bodies: Vec<usize>,
        node_bodies: Vec<usize>,
        local: Vec<Vec3>,
        poses: &Poses,
    ) -> Vertices {
        let is_interpolated = !node_bodies.is_empty();
        let is_rigid = !is_interpolated && bodies.iter().all(|body| *body == bodies[0]);
        let (node_local, _) = flex.node_positions.as_chunks::<3>();
        let mut node_local: Vec<Vec3> = node_local.iter().map(|pos| Vec3(*pos)).collect();
        node_local.resize(node_bodies.len(), Vec3::ZERO);
        let anchors = if is_interpolated { &node_local } else { &local };
        let is_centered = anchors.iter().all(|pos| *pos == Vec3::ZERO);
        let body_of = |vertex: usize| bodies.get(vertex).copied().unwrap_or(bodies[0]);
        let world = local.iter().enumerate();
        let world = world.map(|(vertex, pos)| poses.point(body_of(vertex), *pos));
        let node_world = node_bodies.iter().zip(&node_local);
        let node_world = node_world.map(|(body, pos)| poses.point(*body, *pos));
        Vertices {
            world: world.collect(),
            node_world: node_world.collect(),
            bodies,
            node_bodies,
            local,
            node_local,
            is_rigid,
            is_centered,
        }
    }

    /// Whether vertices are interpolated between nodes.
    pub fn is_interpolated(&self) -> bool {
        !self.node_bodies.is_empty()
    }

    /// The body of a vertex.
    pub fn body(&self, vertex: usize) -> usize {
        self.bodies.get(vertex).copied().unwrap_or(self.bodies[0])
    }
}

fn resolve(
    ctx: &mut Context,
    names: &At<NameList>,
    attribute: &'static str,
) -> Result<Vec<usize>, Fault> {
    let mut out = Vec::with_capacity(names.value.0.len());
    for name in &names.value.0 {
        // Most names are right: no copy is made of them.
        let id = match ctx.names.find(ObjectType::Body, name) {
            Some(id) => id,
            None => {
                let name = At::new(name.clone(), names.place);
                ctx.resolve(ObjectType::Body, &name, "flex", attribute)
                    .ok_or_else(Fault::reported)?
            }
        };
        out.push(id);
    }
    Ok(out)
}

/// Bending acts on the three slides of each vertex's body.
fn check_bending(
    ctx: &Context,
    written: &Written,
    body: &At<NameList>,
    bodies: &[usize],
) -> Result<(), Fault> {
    if !written.bends() {
        return Ok(());
    }
    let has_three = |id: &usize| ctx.tree.bodies[*id].joints.len() == 3;
    match bodies.iter().position(|id| !has_three(id)) {
        None => Ok(()),
        Some(vertex) => Err(Fault::new(
            body.place,
            "body",
            format!("vertex {vertex} has a body without three joints, which bending needs"),
            "do not pin vertices of a cloth that bends, or choose elastic2d \"stretch\" or \"none\"",
        )),
    }
}

/// Positions of the vertices in their bodies.
fn local_positions(
    flex: &Flex,
    written: &Written,
    bodies: usize,
    is_interpolated: bool,
) -> Result<Vec<Vec3>, Fault> {
    let vertex = flex.table.vertex.as_ref();
    let place = vertex.map_or(written.place, |at| at.place);
    let numbers = vertex.map_or(&[][..], |at| &at.value);
    let (positions, rest) = numbers.as_chunks::<3>();
    if !rest.is_empty() {
        return Err(Fault::new(
            place,
            "vertex",
            format!("{} numbers cannot be divided among vertices", numbers.len()),
            "a vertex has three coordinates",
        ));
    }
    let mut local: Vec<Vec3> = positions.iter().map(|pos| Vec3(*pos)).collect();
    if local.is_empty() && !is_interpolated {
        local.resize(bodies, Vec3::ZERO);
    } else if bodies != local.len() && (bodies != 1 || is_interpolated) {
        return Err(Fault::new(
            place,
            "body",
            format!("{bodies} bodies for {} vertices", local.len()),
            "name one body per vertex, or one for all of them",
        ));
    }
    if local.len() <= written.dim {
        return Err(Fault::new(
            place,
            "vertex",
            format!(
                "{} vertices are too few for dimension {}",
                local.len(),
                written.dim
            ),
            "an element has one vertex more than the flex has dimensions",
        ));
    }
    if !local.iter().flat_map(|pos| pos.0).all(f64::is_finite) {
        return Err(Fault {
            code: "mjcf::not-finite",
            ..Fault::new(
                place,
                "vertex",
                "a vertex is not finite",
                "look for nan and inf",
            )
        });
    }
    Ok(local)
}
