//! Worlds side by side: the arrays of a step, one world per lane.

use super::alone::Alone;
use super::integrate::{DerivedFrom, Stages};
use super::island::Islands;
use super::merge::{LaneSet, Merge};
use super::numbers::Common;
use super::plan::Plan;
use super::rows::RowStore;
use super::solve::Answer;
use sinew_dynamics::com::Com;
use sinew_dynamics::inertia::Inertia;
use sinew_dynamics::kinematics::Kinematics;
use sinew_dynamics::row::contact::Numbers;
use sinew_dynamics::smooth::Smooth;
use sinew_dynamics::velocity::ComVelocity;
use sinew_engine::position::contact::candidates::Prober;
use sinew_math::spatial::Spatial;
use sinew_math::{Mat3, Quat, Real, Vec3};
use sinew_model::Model;

/// A contact that one of the lanes has.
#[derive(Clone, Copy, Debug)]
pub(super) struct Slot<P> {
    /// Which of the plan's pairs touch.
    pub pair: usize,
    /// The lanes that have rows for it.
    pub lanes: LaneSet,
    pub dist: P,
    pub pos: Vec3<P>,
    pub frame: Mat3<P>,
}

/// Contacts of different lanes that share rows.
#[derive(Clone, Debug)]
pub(super) struct MergedContact<P> {
    pub numbers: Numbers<P>,
    /// Entries of the directions, six of them, each with all degrees of freedom.
    pub directions: Vec<P>,
}

/// The arrays of as many worlds as a pack has lanes.
#[derive(Clone, Debug)]
pub(super) struct Group<P> {
    pub plan: Plan,
    pub common: Common<P>,
    // State and input.
    pub time: Vec<f64>,
    pub qpos: Vec<P>,
    pub qvel: Vec<P>,
    pub act: Vec<P>,
    pub warm_start: Vec<P>,
    pub ctrl: Vec<P>,
    pub applied: Vec<P>,
    /// Forces and torques on bodies, and the lanes that have some.
    pub wrenches: Vec<[P; 6]>,
    pub pushed: LaneSet,
    pub mocap_pos: Vec<Vec3<P>>,
    pub mocap_quat: Vec<Quat<P>>,
    /// 1 where an equality is active.
    pub eq_active: Vec<P>,
    // What follows from them, stage by stage.
    pub kinematics: Kinematics<P>,
    pub com: Com<P>,
    pub inertia: Inertia<P>,
    pub velocity: ComVelocity<P>,
    pub spring: Vec<P>,
    pub damper: Vec<P>,
    pub carried: Vec<P>,
    pub fluid: Vec<P>,
    pub passive: Vec<P>,
    pub bias: Vec<P>,
    pub act_dot: Vec<P>,
    pub actuator_force: Vec<P>,
    pub actuator: Vec<P>,
    pub smooth: Smooth<P>,
    pub contacts: Vec<Slot<P>>,
    /// What finds contacts of geoms that lanes do not know.
    pub prober: Prober,
    pub merge: Merge,
    /// Contacts that share rows, side by side.
    pub merged: Vec<MergedContact<P>>,
    pub rows: RowStore<P>,
    pub answer: Answer<P>,
    /// What finds forces island by island, and one world at a time.
    pub islands: Islands<P>,
    pub alone: Alone,
    pub qacc: Vec<P>,
    pub constraint: Vec<P>,
    /// How much work a lane was: rows, and iterations of the solver among worlds with as many.
    pub effort: P,
    /// 1 in lanes with a world that is still computed here.
    pub is_alive: P,
    /// 1 in lanes that met something that is only computed one world at a time.
    pub is_left: P,
    // Working memory.
    pub body_acceleration: Vec<Spatial<P>>,
    pub body_force: Vec<Spatial<P>>,
    pub directions: Vec<P>,
    pub row_entries: Vec<P>,
    pub columns: Vec<i32>,
    pub translation: Vec<Vec3<P>>,
    pub rotation: Vec<Vec3<P>>,
    pub solver: Vec<P>,
    pub damped: Vec<P>,
    pub damped_inverse: Vec<P>,
    pub derivative: Vec<P>,
    pub acceleration: Vec<P>,
    pub stages: Stages<P>,
    pub derived_from: DerivedFrom<P>,
}

impl<P: Real> Group<P> {
    pub fn new(model: &Model, plan: Plan) -> Self {
        let dofs = || vec![P::ZERO; model.nv];
        let bodies = || vec![[P::ZERO; 6]; model.nbody];
        let directions = || vec![P::ZERO; 10 * model.nv];
        Group {
            plan,
            common: Common::new(model),
            time: vec![0.0; P::LANES],
            qpos: vec![P::ZERO; model.nq],
            qvel: dofs(),
            act: vec![P::ZERO; model.na],
            warm_start: dofs(),
            ctrl: vec![P::ZERO; model.nu],
            applied: dofs(),
            wrenches: bodies(),
            pushed: 0,
            mocap_pos: vec![Vec3::zero(); model.nmocap],
            mocap_quat: vec![Quat::identity(); model.nmocap],
            eq_active: vec![P::ZERO; model.neq],
            kinematics: Kinematics::new(model),
            com: Com::new(model),
            inertia: Inertia::new(model),
            velocity: ComVelocity::new(model),
            spring: dofs(),
            damper: dofs(),
            carried: dofs(),
            fluid: dofs(),
            passive: dofs(),
            bias: dofs(),
            act_dot: vec![P::ZERO; model.na],
            actuator_force: vec![P::ZERO; model.nu],
            actuator: dofs(),
            smooth: Smooth::new(model),
            contacts: Vec::new(),
            prober: Prober::new(model),
            merge: Merge::default(),
            merged: Vec::new(),
            rows: RowStore::new(model.nv),
            answer: Answer::default(),
            islands: Islands::default(),
            alone: Alone::default(),
            qacc: dofs(),
            constraint: dofs(),
            effort: P::ZERO,
            is_alive: P::ZERO,
            is_left: P::ZERO,
            body_acceleration: bodies(),
            body_force: bodies(),
            directions: directions(),
            row_entries: directions(),
            columns: vec![0; model.nv],
            translation: vec![Vec3::zero(); model.nv],
            rotation: vec![Vec3::zero(); model.nv],
            solver: Vec::new(),
            damped: vec![P::ZERO; model.nC],
            damped_inverse: dofs(),
            derivative: vec![P::ZERO; model.nC],
            acceleration: dofs(),
            stages: Stages::new(model),
            derived_from: DerivedFrom {
                qpos: vec![P::ZERO; model.nq],
                qvel: dofs(),
            },
        }
    }
}
