//! The stages without constraints, one world per lane.

use super::group::Group;
use super::numbers::{Common, Numbers};
use super::plan::Cord;
use super::pushed::{self, Motion};
use bytemuck::{Pod, cast, cast_slice, cast_slice_mut};
use sinew_dynamics::bias::{self, Scratch};
use sinew_dynamics::inertia::{self, rows};
use sinew_dynamics::kinematics::{self, Coordinates};
use sinew_dynamics::smooth::{self, Forces};
use sinew_dynamics::{actuation, com, spring, velocity};
use sinew_math::dense::dot;
use sinew_math::lanes::Work;
use sinew_math::spatial::spatial;
use sinew_math::{Lift, Mask, Real, Vec3, tree};
use sinew_model::Model;
use sinew_model::kinds::DisableFlag;
use sinew_model::view::{Attached, DriveValues, Drives, Tree};

/// Numbers beyond this count as bad.
const MOST: f64 = 1e10;

/// Whether a number is none, or too large.
#[inline(always)]
pub(super) fn is_bad<T: Real>(x: T) -> T::Mask {
    !x.abs().at_most(T::from_f64(MOST))
}

/// Poses, inertias and velocities.
pub(super) struct Position<'a, N, P>(pub N, pub &'a mut Group<P>);

impl<'m, N: Numbers<'m, P>, P: Real + Pod> Work for Position<'_, N, P> {
    type Output = ();

    #[inline(always)]
    fn run<T: Real + Pod>(self) {
        let Position(numbers, group) = self;
        let model = numbers.model();
        let (structure, values) = (&Tree::from(model), &numbers.tree::<T>());
        let (bodies, joints, dofs) = (0..model.nbody, 0..model.njnt, 0..model.nv);
        let qpos = cast_slice::<P, T>(&group.qpos);
        let qvel = cast_slice::<P, T>(&group.qvel);
        let mut is_left = cast_slice::<P, T>(core::slice::from_ref(&group.is_left))[0];
        for &x in qpos.iter().chain(qvel) {
            is_left = T::select(is_bad(x), T::ONE, is_left);
        }
        cast_slice_mut::<P, T>(core::slice::from_mut(&mut group.is_left))[0] = is_left;

        let coordinates = Coordinates {
            qpos,
            mocap_pos: cast_slice(&group.mocap_pos),
            mocap_quat: cast_slice(&group.mocap_quat),
        };
        let out = &mut group.kinematics.as_mut().cast::<T>();
        kinematics::bodies(structure, values, &coordinates, bodies.clone(), out);
        kinematics::inertial_frames(structure, values, bodies.clone(), out);
        let (attached, poses) = (&Attached::from(model), &numbers.attached::<T>());
        kinematics::geoms(attached, poses, 0..model.ngeom, out);
        kinematics::sites(attached, poses, 0..model.nsite, out);

        let poses = &group.kinematics.as_ref().cast::<T>();
        let out = &mut group.com.as_mut().cast();
        com::centres(structure, values, poses, bodies.clone(), out);
        com::inertias(structure, values, poses, bodies.clone(), out);
        com::axes(structure, poses, joints, out);

        let about = &group.com.as_ref().cast::<T>();
        let out = &mut group.inertia.as_mut().cast::<T>();
        inertia::composite(structure, about, bodies.clone(), out.crb);
        inertia::matrix(structure, values, about, dofs, out);
        inertia::factor(structure, out);

        let out = &mut group.velocity.as_mut().cast();
        velocity::bodies(structure, qvel, about, bodies, out);
    }
}

/// Forces that do not come from constraints, and the acceleration they cause.
pub(super) struct Acceleration<'a, N, P>(pub N, pub &'a mut Group<P>);

impl<'m, N: Numbers<'m, P>, P: Real + Pod> Work for Acceleration<'_, N, P> {
    type Output = ();

    #[inline(always)]
    fn run<T: Real + Pod>(self) {
        let Acceleration(numbers, group) = self;
        let model = numbers.model();
        let (structure, values) = (&Tree::from(model), &numbers.tree::<T>());
        let (bodies, joints, dofs) = (0..model.nbody, 0..model.njnt, 0..model.nv);
        let qpos = cast_slice::<P, T>(&group.qpos);
        let qvel = cast_slice::<P, T>(&group.qvel);
        let spring_force = cast_slice_mut::<P, T>(&mut group.spring);
        spring_force.fill(T::ZERO);
        spring::springs(structure, values, qpos, joints, spring_force);
        let damper_force = cast_slice_mut::<P, T>(&mut group.damper);
        damper_force.fill(T::ZERO);
        spring::dampers(values, qvel, dofs.clone(), damper_force);
        for cord in &group.plan.cords {
            let row = cast_slice_mut::<P, T>(&mut group.row_entries);
            let forces = (&mut *spring_force, &mut *damper_force);
            let bands = numbers.tendons::<T>().tendon_lengthspring;
            cord_forces(model, (cord, bands), (qpos, qvel), row, forces);
        }
        let motion = &Motion {
            kinematics: group.kinematics.as_ref().cast::<T>(),
            com: group.com.as_ref().cast::<T>(),
            velocity: group.velocity.as_ref().cast::<T>(),
        };
        let carried = cast_slice_mut::<P, T>(&mut group.carried);
        let fluid = cast_slice_mut::<P, T>(&mut group.fluid);
        carried.fill(T::ZERO);
        fluid.fill(T::ZERO);
        let is_carried = pushed::add_carried(model, motion, carried);
        let has_fluid = pushed::add_fluid(model, motion, fluid);
        let passive = cast_slice_mut::<P, T>(&mut group.passive);
        for i in dofs.clone() {
            passive[i] = spring_force[i] + damper_force[i];
            if has_fluid {
                passive[i] += fluid[i];
            }
            if is_carried && model.jnt_actgravcomp[model.dof_jntid[i] as usize] == 0 {
                passive[i] += carried[i];
            }
        }
        let gravity = against_gravity::<P, T>(&group.common);
        let about = &group.com.as_ref().cast::<T>();
        let bias_force = cast_slice_mut::<P, T>(&mut group.bias);
        bias::newton_euler(
            structure,
            (qvel, None),
            about,
            &group.velocity.as_ref().cast::<T>(),
            spatial(Vec3::zero(), gravity),
            (bodies, dofs.clone()),
            bias_force,
            &mut Scratch {
                acceleration: cast_slice_mut(&mut group.body_acceleration),
                force: cast_slice_mut(&mut group.body_force),
            },
        );

        let ctrl = cast_slice::<P, T>(&group.ctrl);
        let generalised = cast_slice_mut::<P, T>(&mut group.actuator);
        let mut is_left = actuators(
            model,
            (structure, &numbers.drives::<T>()),
            cast(group.common.timestep),
            (qpos, qvel, cast_slice(&group.act), ctrl),
            is_carried.then_some(&*carried),
            cast_slice_mut(&mut group.act_dot),
            cast_slice_mut(&mut group.actuator_force),
            generalised,
        );
        let out = group.smooth.as_mut().cast::<T>();
        let forces = &Forces {
            passive,
            bias: bias_force,
            applied: cast_slice(&group.applied),
            actuator: generalised,
        };
        smooth::sum(forces, dofs, out.qfrc_smooth);
        if group.pushed != 0 {
            let wrenches = cast_slice(&group.wrenches);
            is_left = is_left | pushed::add_wrenches(model, motion, wrenches, out.qfrc_smooth);
        }
        let left = &mut cast_slice_mut::<P, T>(core::slice::from_mut(&mut group.is_left))[0];
        *left = T::select(is_left, T::ONE, *left);
        out.qacc_smooth.copy_from_slice(out.qfrc_smooth);
        let matrices = &group.inertia.as_ref().cast::<T>();
        tree::solve(
            rows(structure),
            matrices.qLD,
            matrices.qLDiagInv,
            out.qacc_smooth,
        );
    }
}

/// Accelerations of all bodies, for sensors.
pub(super) struct BodyAcceleration<'a, P>(pub &'a Model, pub &'a mut Group<P>);

impl<P: Real + Pod> Work for BodyAcceleration<'_, P> {
    type Output = ();

    #[inline(always)]
    fn run<T: Real + Pod>(self) {
        let BodyAcceleration(model, group) = self;
        let gravity = against_gravity::<P, T>(&group.common);
        let about = group.com.as_ref().cast::<T>();
        let velocity = group.velocity.as_ref().cast::<T>();
        bias::accelerations(
            &Tree::from(model),
            (cast_slice::<P, T>(&group.qvel), cast_slice(&group.qacc)),
            (about.cdof, velocity.cdof_dot),
            spatial(Vec3::zero(), gravity),
            cast_slice_mut(&mut group.body_acceleration),
        );
    }
}

/// What everything is accelerated by that holds still.
#[inline(always)]
fn against_gravity<P: Real + Pod, T: Real + Pod>(common: &Common<P>) -> Vec3<T> {
    cast(common.against_gravity)
}

/// Spring and damper of a fixed tendon.
#[inline(always)]
fn cord_forces<T: Real, V: Lift<T>>(
    model: &Model,
    (cord, bands): (&Cord, &[[V; 2]]),
    (qpos, qvel): (&[T], &[T]),
    row: &mut [T],
    (springs, dampers): (&mut [T], &mut [T]),
) {
    let stiffness = model.tendon_stiffness[cord.tendon];
    let damping = model.tendon_damping[cord.tendon];
    if stiffness == 0.0 && damping == 0.0 {
        return;
    }
    let row = &mut row[..qvel.len()];
    row.fill(T::ZERO);
    for (&dof, &entry) in cord.columns.iter().zip(&cord.entries) {
        row[dof as usize] = T::from_f64(entry);
    }
    let band = bands[cord.tendon].lift();
    let spring = T::from_f64(stiffness) * spring::outside_band(cord.length(qpos), band);
    let damper = T::from_f64(-damping) * dot(row, qvel);
    let is_idle = spring.equals(T::ZERO) & damper.equals(T::ZERO);
    for &dof in &cord.columns {
        let dof = dof as usize;
        let (pulled, braked) = (springs[dof], dampers[dof]);
        springs[dof] = T::select(is_idle, pulled, pulled + row[dof] * spring);
        dampers[dof] = T::select(is_idle, braked, braked + row[dof] * damper);
    }
}

/// Forces of the actuators. Returns the lanes with a bad control.
#[inline(always)]
fn actuators<T: Real, V: Lift<T>>(
    model: &Model,
    (structure, values): (&Tree<'_>, &DriveValues<'_, V>),
    timestep: T,
    (qpos, qvel, act, ctrl): (&[T], &[T], &[T], &[T]),
    carried: Option<&[T]>,
    act_dot: &mut [T],
    forces: &mut [T],
    out: &mut [T],
) -> T::Mask {
    let drives = &Drives::from(model);
    let clamps = model.opt.disableflags & DisableFlag::Clampctrl.code() == 0;
    let mut has_bad = T::Mask::NONE;
    out.fill(T::ZERO);
    for i in 0..model.nu {
        let on_axis = actuation::on_axis(structure, drives, values, qpos, i);
        let Some((length, dof, moment)) = on_axis else {
            continue;
        };
        let speed = T::ZERO + moment * qvel[dof];
        let control = match clamps {
            true => actuation::control(drives, values, i, ctrl[i]),
            false => ctrl[i],
        };
        has_bad = has_bad | is_bad(control);
        let gain = actuation::gain(drives, values, i, (length, speed));
        let bias = actuation::bias(drives, values, i, (length, speed));
        // The plan has let no other laws pass.
        let (Some(gain), Some(bias)) = (gain, bias) else {
            continue;
        };
        if let Some(index) = actuation::driving_activation(drives, i) {
            // Nor other dynamics.
            let rate = actuation::activation_rate(drives, values, i, control, act[index]);
            act_dot[index] = rate.unwrap_or(T::ZERO);
        }
        let moving = (act, &*act_dot);
        let driver = actuation::drive(drives, values, i, control, moving, timestep);
        let force = actuation::limited(drives, values, i, gain * driver + bias);
        forces[i] = force;
        actuation::apply(force, (&[dof as i32], &[moment]), out);
    }
    for (dof, out) in out.iter_mut().enumerate() {
        if let Some(carried) = carried
            && model.jnt_actgravcomp[model.dof_jntid[dof] as usize] != 0
        {
            *out += carried[dof];
        }
    }
    for j in 0..model.njnt {
        if model.jnt_actfrclimited[j] != 0 {
            let dof = model.jnt_dofadr[j] as usize;
            out[dof] = actuation::clip(out[dof], model.jnt_actfrcrange[j].lift());
        }
    }
    has_bad
}
