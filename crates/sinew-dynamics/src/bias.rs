//! Bias force: what it takes to follow the motion without acceleration.
//!
//! Recursive Newton–Euler (R. Featherstone, "Rigid Body Dynamics Algorithms", 2008, chapter 5):
//! accelerations run out from the world, which accelerates by −gravity, with
//! a = a_parent + ċdof·q̇ (+ cdof·q̈); each body needs f = I·a + v ×* I·v; forces run back and are
//! projected on the axes. Conforms to MuJoCo's `mj_rne`.

use crate::com::ComRef;
use crate::velocity::{ComVelocityRef, body_dofs, combine};
use core::ops::Range;
use sinew_math::Real;
use sinew_math::series::{Cells, Series};
use sinew_math::spatial::{Inertia, Spatial, add, cross_force, dot, mul_inertia};
use sinew_model::view::Tree;

sinew_model::columns! {
    /// Bias force.
    pub struct Bias<T>(BiasRef, BiasMut) for Model {
        sizes {
            /// Degrees of freedom.
            nv,
        }
        columns {
            /// Coriolis, centrifugal and gravitational force.
            qfrc_bias: nv x T,
        }
    }
}

/// Working memory: one entry per body each.
#[derive(Debug)]
pub struct Scratch<'a, T = f64> {
    /// Accelerations of bodies.
    pub acceleration: &'a mut Series<Spatial<T>>,
    /// Forces on bodies.
    pub force: &'a mut Series<Spatial<T>>,
}

/// Force that a body needs to move with a velocity and an acceleration.
#[inline(always)]
pub fn body_force<T: Real>(
    inertia: &Inertia<T>,
    velocity: &Spatial<T>,
    acceleration: &Spatial<T>,
) -> Spatial<T> {
    let gyroscopic = cross_force(velocity, &mul_inertia(inertia, velocity));
    add(&mul_inertia(inertia, acceleration), &gyroscopic)
}

/// Acceleration of a body whose parent's is known: what its joints carry along, and what they add.
#[inline(always)]
fn body_acceleration<T: Real>(
    tree: &Tree<'_>,
    body: usize,
    (qvel, qacc): (&Series<T>, Option<&Series<T>>),
    (cdof, cdof_dot): (&Series<Spatial<T>>, &Series<Spatial<T>>),
    of_parent: &Spatial<T>,
) -> Spatial<T> {
    let own = body_dofs(tree, body);
    let carried = combine(cdof_dot.part(own.clone()), qvel.part(own.clone()));
    let carried = add(of_parent, &carried);
    match qacc {
        Some(qacc) => add(&carried, &combine(cdof.part(own.clone()), qacc.part(own))),
        None => carried,
    }
}

/// Accelerations of all bodies. `world` is that of the world, minus gravity.
#[inline(always)]
pub fn accelerations<T: Real>(
    tree: &Tree<'_>,
    (qvel, qacc): (&Series<T>, &Series<T>),
    axes: (&Series<Spatial<T>>, &Series<Spatial<T>>),
    world: Spatial<T>,
    out: &mut Series<Spatial<T>>,
) {
    *out.at_mut(0) = world;
    for i in 1..out.len() {
        let of_parent = *out.at(tree.body_parentid[i] as usize);
        *out.at_mut(i) = body_acceleration(tree, i, (qvel, Some(qacc)), axes, &of_parent);
    }
}

/// M·q̈ + bias of the given bodies and their degrees of freedom; without accelerations only the bias.
/// `world` is the acceleration of the world, minus gravity.
#[doc(alias = "mj_rne")]
#[inline(always)]
pub fn newton_euler<T: Real>(
    tree: &Tree<'_>,
    (qvel, qacc): (&Series<T>, Option<&Series<T>>),
    com: &ComRef<'_, T>,
    velocity: &ComVelocityRef<'_, T>,
    world: Spatial<T>,
    (bodies, dofs): (Range<usize>, Range<usize>),
    out: &mut Series<T>,
    scratch: &mut Scratch<'_, T>,
) {
    of_world(world, scratch);
    for i in bodies.start.max(1)..bodies.end {
        of_body(tree, i, (qvel, qacc), com, velocity, scratch);
    }
    gather(tree, bodies, scratch.force);
    project(tree, com, dofs, scratch.force, out);
}

/// Acceleration of the world, which needs no force.
#[inline(always)]
pub fn of_world<T: Real>(world: Spatial<T>, scratch: &mut Scratch<'_, T>) {
    *scratch.acceleration.at_mut(0) = world;
    *scratch.force.at_mut(0) = [T::ZERO; 6];
}

/// Acceleration of a body whose parent's is known, and the force it needs by itself.
#[inline(always)]
pub fn of_body<T: Real>(
    tree: &Tree<'_>,
    body: usize,
    moving: (&Series<T>, Option<&Series<T>>),
    com: &ComRef<'_, T>,
    velocity: &ComVelocityRef<'_, T>,
    scratch: &mut Scratch<'_, T>,
) {
    let of_parent = *scratch.acceleration.at(tree.body_parentid[body] as usize);
    let axes = (com.cdof, velocity.cdof_dot);
    let acceleration = body_acceleration(tree, body, moving, axes, &of_parent);
    *scratch.acceleration.at_mut(body) = acceleration;
    *scratch.force.at_mut(body) =
        body_force(&com.cinert.at(body), &velocity.cvel.at(body), &acceleration);
}

/// Adds the forces of bodies to those of their parents.
#[inline(always)]
pub fn gather<T: Real>(tree: &Tree<'_>, bodies: Range<usize>, force: &mut Series<Spatial<T>>) {
    for i in (bodies.start.max(1)..bodies.end).rev() {
        let parent = tree.body_parentid[i] as usize;
        if parent > 0 {
            *force.at_mut(parent) = add(&force.at(parent), &force.at(i));
        }
    }
}

/// What the forces of bodies are for degrees of freedom.
#[inline(always)]
pub fn project<T: Real>(
    tree: &Tree<'_>,
    com: &ComRef<'_, T>,
    dofs: Range<usize>,
    force: &Series<Spatial<T>>,
    out: &mut Series<T>,
) {
    for i in dofs {
        out[i] = dot(&com.cdof.at(i), &force.at(tree.dof_bodyid[i] as usize));
    }
}
