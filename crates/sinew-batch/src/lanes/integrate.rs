//! Moving the state by what forward dynamics gave, one world per lane.

use super::group::Group;
use super::numbers::Numbers;
use super::{InRegisters, forward};
use bytemuck::{Pod, cast, cast_slice, cast_slice_mut};
use sinew_dynamics::integrate::{self, Damped, STAGE_STEPS, STAGE_WEIGHTS};
use sinew_dynamics::{actuation, joint};
use sinew_math::dense::add_scaled;
use sinew_math::lanes::Work;
use sinew_math::{Lift, Mask, Real};
use sinew_model::Model;
use sinew_model::kinds::Integrator;
use sinew_model::view::{DriveValues, Drives, Tree, TreeValues};

/// Where a step with stages began, and the slopes that lead over it.
#[derive(Clone, Debug)]
pub(super) struct Stages<P> {
    qpos: Vec<P>,
    qvel: Vec<P>,
    act: Vec<P>,
    velocity: Vec<P>,
    slope: Vec<P>,
    act_slope: Vec<P>,
}

impl<P: Real> Stages<P> {
    pub fn new(model: &Model) -> Self {
        Stages {
            qpos: vec![P::ZERO; model.nq],
            qvel: vec![P::ZERO; model.nv],
            act: vec![P::ZERO; model.na],
            velocity: vec![P::ZERO; model.nv],
            slope: vec![P::ZERO; model.nv],
            act_slope: vec![P::ZERO; model.na],
        }
    }
}

/// The positions and velocities that the derived arrays belong to: those that forward dynamics was last computed for.
#[derive(Clone, Debug)]
pub(super) struct DerivedFrom<P> {
    pub qpos: Vec<P>,
    pub qvel: Vec<P>,
}

/// What a step computes after the forward dynamics of its start, before the state moves.
pub(super) fn finish_stages<'m, P: InRegisters>(
    numbers: impl Numbers<'m, P>,
    group: &mut Group<P>,
) {
    if group.plan.integrator == Integrator::Rk4 {
        for stage in 0..STAGE_STEPS.len() {
            P::run(NextStage(numbers.model(), group, stage));
            forward(numbers, group);
        }
        P::run(LastStage(group));
    }
}

/// Adds the slopes of a stage, and goes to where the next one is computed.
struct NextStage<'a, P>(&'a Model, &'a mut Group<P>, usize);

impl<P: Real + Pod> Work for NextStage<'_, P> {
    type Output = ();

    #[inline(always)]
    fn run<T: Real + Pod>(self) {
        let NextStage(model, group, stage) = self;
        let stages = &mut group.stages;
        if stage == 0 {
            stages.qpos.copy_from_slice(&group.qpos);
            stages.qvel.copy_from_slice(&group.qvel);
            stages.act.copy_from_slice(&group.act);
            stages.velocity.fill(P::ZERO);
            stages.slope.fill(P::ZERO);
            stages.act_slope.fill(P::ZERO);
        }
        add_slopes::<P, T>(group, STAGE_WEIGHTS[stage]);
        let step = T::from_f64(STAGE_STEPS[stage]) * cast::<P, T>(group.common.timestep);
        let stages = &group.stages;
        group.acceleration.copy_from_slice(&group.qvel);
        group.qpos.copy_from_slice(&stages.qpos);
        group.qvel.copy_from_slice(&stages.qvel);
        group.act.copy_from_slice(&stages.act);
        let previous = cast_slice::<P, T>(&group.acceleration);
        let qpos = cast_slice_mut::<P, T>(&mut group.qpos);
        joint::advance(&Tree::from(model), 0..model.njnt, qpos, previous, step);
        let qvel = cast_slice_mut::<P, T>(&mut group.qvel);
        add_scaled(qvel, cast_slice(&group.qacc), step);
        let act = cast_slice_mut::<P, T>(&mut group.act);
        add_scaled(act, cast_slice(&group.act_dot), step);
    }
}

/// Adds the slopes of the last stage, and goes back to where the step began.
struct LastStage<'a, P>(&'a mut Group<P>);

impl<P: Real + Pod> Work for LastStage<'_, P> {
    type Output = ();

    #[inline(always)]
    fn run<T: Real + Pod>(self) {
        let LastStage(group) = self;
        group.derived_from.qpos.copy_from_slice(&group.qpos);
        group.derived_from.qvel.copy_from_slice(&group.qvel);
        add_slopes::<P, T>(group, STAGE_WEIGHTS[STAGE_STEPS.len()]);
        group.qpos.copy_from_slice(&group.stages.qpos);
        group.qvel.copy_from_slice(&group.stages.qvel);
        group.act.copy_from_slice(&group.stages.act);
    }
}

#[inline(always)]
fn add_slopes<P: Real + Pod, T: Real + Pod>(group: &mut Group<P>, weight: f64) {
    let weight = T::from_f64(weight);
    let stages = &mut group.stages;
    for (sum, slope) in [
        (&mut stages.velocity, &group.qvel),
        (&mut stages.slope, &group.qacc),
        (&mut stages.act_slope, &group.act_dot),
    ] {
        add_scaled(cast_slice_mut::<P, T>(sum), cast_slice(slope), weight);
    }
}

/// Moves the state, in all lanes.
pub(super) struct Advance<'a, N, P>(pub N, pub &'a mut Group<P>);

impl<'m, N: Numbers<'m, P>, P: Real + Pod> Work for Advance<'_, N, P> {
    type Output = ();

    #[inline(always)]
    fn run<T: Real + Pod>(self) {
        let Advance(numbers, group) = self;
        let model = numbers.model();
        let structure = &Tree::from(model);
        let timestep = cast::<P, T>(group.common.timestep);
        let has_stages = group.plan.integrator == Integrator::Rk4;
        if !has_stages {
            group.derived_from.qpos.copy_from_slice(&group.qpos);
            group.derived_from.qvel.copy_from_slice(&group.qvel);
            acceleration::<P, T>(numbers, group);
        }
        let stages = &group.stages;
        let (slope, act_slope) = match has_stages {
            true => (&stages.slope, &stages.act_slope),
            false => (&group.acceleration, &group.act_dot),
        };
        let act = cast_slice_mut::<P, T>(&mut group.act);
        let laws = &numbers.drives::<T>();
        activations(model, laws, act, cast_slice(act_slope), timestep);
        let qvel = cast_slice_mut::<P, T>(&mut group.qvel);
        integrate::velocities(qvel, cast_slice(slope), timestep);
        let velocity = match has_stages {
            true => &stages.velocity,
            false => &group.qvel,
        };
        let qpos = cast_slice_mut::<P, T>(&mut group.qpos);
        let joints = 0..model.njnt;
        joint::advance(structure, joints, qpos, cast_slice(velocity), timestep);
        group.warm_start.copy_from_slice(&group.qacc);
    }
}

/// The acceleration that leads over a step without stages.
#[inline(always)]
fn acceleration<'m, P: Real + Pod, T: Real + Pod>(
    numbers: impl Numbers<'m, P>,
    group: &mut Group<P>,
) {
    let model = numbers.model();
    let is_implicit = group.plan.integrator == Integrator::Implicitfast;
    let is_damped = numbers.is_damped::<T>(&group.plan);
    if !is_implicit && !is_damped.any() {
        group.acceleration.copy_from_slice(&group.qacc);
        return;
    }
    let (structure, values) = (&Tree::from(model), &numbers.tree::<T>());
    let timestep = cast::<P, T>(group.common.timestep);
    let smooth = group.smooth.as_ref().cast::<T>();
    let forces = (smooth.qfrc_smooth, cast_slice::<P, T>(&group.constraint));
    let inertia = group.inertia.as_ref().cast::<T>().M;
    let out = &mut Damped {
        qH: cast_slice_mut(&mut group.damped),
        qHDiagInv: cast_slice_mut(&mut group.damped_inverse),
        acceleration: cast_slice_mut(&mut group.acceleration),
    };
    let dofs = 0..model.nv;
    if is_implicit {
        let derivative = cast_slice_mut::<P, T>(&mut group.derivative);
        let ctrl = cast_slice::<P, T>(&group.ctrl);
        let act = cast_slice::<P, T>(&group.act);
        let act_dot = cast_slice::<P, T>(&group.act_dot);
        let force = cast_slice::<P, T>(&group.actuator_force);
        let laws = &numbers.drives::<T>();
        let moving = (ctrl, act, act_dot, timestep);
        velocity_derivative(model, (values, laws), moving, force, derivative);
        for cord in &group.plan.cords {
            for &(entry, slope) in &cord.derivative {
                derivative[entry] += T::from_f64(slope);
            }
        }
        integrate::implicit_acceleration(
            structure, derivative, timestep, inertia, forces, dofs, out,
        );
    } else {
        integrate::damped_acceleration(structure, values, timestep, inertia, forces, dofs, out);
        if !is_damped.all() {
            let undamped = cast_slice::<P, T>(&group.qacc);
            for (x, &undamped) in out.acceleration.iter_mut().zip(undamped) {
                *x = T::select(is_damped, *x, undamped);
            }
        }
    }
}

/// How forces of actuators, dampers and tendons change with velocity, in the layout of M.
#[inline(always)]
fn velocity_derivative<T: Real, V: Lift<T>>(
    model: &Model,
    (values, laws): (&TreeValues<'_, V>, &DriveValues<'_, V>),
    (ctrl, act, act_dot, timestep): (&[T], &[T], &[T], T),
    force: &[T],
    out: &mut [T],
) {
    let (tree, drives) = (&Tree::from(model), &Drives::from(model));
    out.fill(T::ZERO);
    for i in 0..model.nu {
        let gain = actuation::gain_slope::<T, V>(drives, laws, i);
        let bias = actuation::bias_slope::<T, V>(drives, laws, i);
        // The plan has let no other laws pass.
        let (Some(gain), Some(bias)) = (gain, bias) else {
            continue;
        };
        let driver = actuation::drive(drives, laws, i, ctrl[i], (act, act_dot), timestep);
        let slope = T::select(gain.equals(T::ZERO), bias, bias + gain * driver);
        let joint = drives.actuator_trnid[i][0] as usize;
        let at = diagonal(tree, tree.jnt_dofadr[joint] as usize);
        let gear: T = laws.actuator_gear[i][0].lift();
        let changed = out[at] + gear * (gear * slope);
        let stays = actuation::is_at_limit(drives, laws, i, force[i]) | slope.equals(T::ZERO);
        out[at] = T::select(stays, out[at], changed);
    }
    for i in 0..model.nv {
        let at = diagonal(tree, i);
        out[at] -= values.dof_damping[i].lift();
    }
}

/// Where M has the entry of a degree of freedom with itself.
#[inline(always)]
fn diagonal(tree: &Tree<'_>, dof: usize) -> usize {
    (tree.M_rowadr[dof] + tree.M_rownnz[dof] - 1) as usize
}

#[inline(always)]
fn activations<T: Real, V: Lift<T>>(
    model: &Model,
    laws: &DriveValues<'_, V>,
    act: &mut [T],
    rates: &[T],
    timestep: T,
) {
    let drives = &Drives::from(model);
    for i in 0..model.nu {
        if let Some(index) = actuation::driving_activation(drives, i) {
            let moving = (act[index], rates[index]);
            act[index] = actuation::next_activation(drives, laws, i, moving, timestep);
        }
    }
}
