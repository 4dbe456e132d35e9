//! The smooth stages over any number: worlds without constraints, one per lane.

use bytemuck::Pod;
use sinew::dynamics::bias::{self, Scratch};
use sinew::dynamics::com::{self, Com};
use sinew::dynamics::inertia::{self, Inertia, rows};
use sinew::dynamics::integrate::{self, Damped};
use sinew::dynamics::kinematics::{self, Coordinates, Kinematics};
use sinew::dynamics::smooth::{self, Forces, Smooth};
use sinew::dynamics::velocity::{self, ComVelocity};
use sinew::dynamics::{actuation, joint, spring};
use sinew::engine::Data;
use sinew::math::spatial::{Spatial, spatial};
use sinew::math::{Lift, Quat, Real, Vec3, lanes, tree};
use sinew::model::Model;
use sinew::model::column::LaneCell;
use sinew::model::view::{Attached, AttachedValues, DriveValues, Drives, Tree, TreeValues};

/// Numbers of one world, or of several side by side.
pub struct World<P> {
    pub qpos: Vec<P>,
    pub qvel: Vec<P>,
    pub ctrl: Vec<P>,
    mocap_pos: Vec<Vec3<P>>,
    mocap_quat: Vec<Quat<P>>,
    pub kinematics: Kinematics<P>,
    pub com: Com<P>,
    pub inertia: Inertia<P>,
    pub velocity: ComVelocity<P>,
    pub qfrc_bias: Vec<P>,
    pub qfrc_spring: Vec<P>,
    pub qfrc_damper: Vec<P>,
    pub qfrc_actuator: Vec<P>,
    pub smooth: Smooth<P>,
    body_acceleration: Vec<Spatial<P>>,
    body_force: Vec<Spatial<P>>,
    passive: Vec<P>,
    nothing: Vec<P>,
    qh: Vec<P>,
    qh_inverse: Vec<P>,
    acceleration: Vec<P>,
}

impl<P: Real> World<P> {
    pub fn new(model: &Model) -> Self {
        let dofs = || vec![P::ZERO; model.nv];
        let bodies = || vec![[P::ZERO; 6]; model.nbody];
        World {
            qpos: vec![P::ZERO; model.nq],
            qvel: dofs(),
            ctrl: vec![P::ZERO; model.nu],
            mocap_pos: vec![Vec3::zero(); model.nmocap],
            mocap_quat: vec![Quat::identity(); model.nmocap],
            kinematics: Kinematics::new(model),
            com: Com::new(model),
            inertia: Inertia::new(model),
            velocity: ComVelocity::new(model),
            qfrc_bias: dofs(),
            qfrc_spring: dofs(),
            qfrc_damper: dofs(),
            qfrc_actuator: dofs(),
            smooth: Smooth::new(model),
            body_acceleration: bodies(),
            body_force: bodies(),
            passive: dofs(),
            nothing: dofs(),
            qh: vec![P::ZERO; model.nC],
            qh_inverse: dofs(),
            acceleration: dofs(),
        }
    }

    /// Puts the state and input of a simulation into a lane.
    pub fn put(&mut self, lane: usize, data: &Data) {
        fn all<C: LaneCell<S>, S: Copy>(lane: usize, cells: &mut [C], world: &[S]) {
            for (cell, one) in cells.iter_mut().zip(world) {
                cell.put(lane, *one);
            }
        }
        all(lane, &mut self.qpos, &data.state.qpos);
        all(lane, &mut self.qvel, &data.state.qvel);
        all(lane, &mut self.ctrl, &data.input.ctrl);
        all(lane, &mut self.mocap_pos, &data.input.mocap_pos);
        all(lane, &mut self.mocap_quat, &data.input.mocap_quat);
    }
}

/// What the stages read of a model, its values being numbers of type `V`.
#[derive(Clone, Copy)]
pub struct Views<'a, V = f64> {
    pub model: &'a Model,
    pub tree: TreeValues<'a, V>,
    pub attached: AttachedValues<'a, V>,
    pub drives: DriveValues<'a, V>,
}

impl<'a> Views<'a> {
    pub fn shared(model: &'a Model) -> Self {
        Views {
            model,
            tree: TreeValues::from(model),
            attached: AttachedValues::from(model),
            drives: DriveValues::from(model),
        }
    }
}

/// One step of a world: smooth forward dynamics, then Euler with damping taken implicitly.
pub struct Step<'a, P> {
    pub views: Views<'a>,
    pub world: &'a mut World<P>,
}

impl<P: Real + Pod> lanes::Work for Step<'_, P> {
    type Output = ();

    #[inline(always)]
    fn run<T: Real + Pod>(self) {
        step::<P, T, f64>(&self.views, self.world);
    }
}

/// The step, computed with numbers of type `T`.
#[inline(always)]
pub fn step<P: Real + Pod, T: Real + Pod, V: Lift<T>>(views: &Views<'_, V>, world: &mut World<P>) {
    use bytemuck::{cast_slice, cast_slice_mut};
    let model = views.model;
    let (structure, values) = (&Tree::from(model), &views.tree);
    let (bodies, joints, dofs) = (0..model.nbody, 0..model.njnt, 0..model.nv);

    let coordinates = Coordinates {
        qpos: cast_slice::<P, T>(&world.qpos),
        mocap_pos: cast_slice(&world.mocap_pos),
        mocap_quat: cast_slice(&world.mocap_quat),
    };
    let out = &mut world.kinematics.as_mut().cast::<T>();
    kinematics::bodies(structure, values, &coordinates, bodies.clone(), out);
    kinematics::inertial_frames(structure, values, bodies.clone(), out);
    let attached = &Attached::from(model);
    kinematics::geoms(attached, &views.attached, 0..model.ngeom, out);
    kinematics::sites(attached, &views.attached, 0..model.nsite, out);

    let poses = &world.kinematics.as_ref().cast::<T>();
    let out = &mut world.com.as_mut().cast();
    com::centres(structure, values, poses, bodies.clone(), out);
    com::inertias(structure, values, poses, bodies.clone(), out);
    com::axes(structure, poses, joints.clone(), out);

    let about = &world.com.as_ref().cast::<T>();
    let out = &mut world.inertia.as_mut().cast::<T>();
    inertia::composite(structure, about, bodies.clone(), out.crb);
    inertia::matrix(structure, values, about, dofs.clone(), out);
    inertia::older_layout(structure, out);
    inertia::factor(structure, out);

    let qpos = cast_slice::<P, T>(&world.qpos);
    let qvel = cast_slice::<P, T>(&world.qvel);
    let out = &mut world.velocity.as_mut().cast();
    velocity::bodies(structure, qvel, about, bodies.clone(), out);
    let spring_force = cast_slice_mut::<P, T>(&mut world.qfrc_spring);
    spring_force.fill(T::ZERO);
    spring::springs(structure, values, qpos, joints.clone(), spring_force);
    let damper_force = cast_slice_mut::<P, T>(&mut world.qfrc_damper);
    damper_force.fill(T::ZERO);
    spring::dampers(values, qvel, dofs.clone(), damper_force);
    let passive = cast_slice_mut::<P, T>(&mut world.passive);
    for i in dofs.clone() {
        passive[i] = spring_force[i] + damper_force[i];
    }
    let gravity: Vec3<T> = (model.opt.gravity * -1.0).lift();
    let spatial_velocity = &world.velocity.as_ref().cast::<T>();
    let bias_force = cast_slice_mut::<P, T>(&mut world.qfrc_bias);
    bias::newton_euler(
        structure,
        (qvel, None),
        about,
        spatial_velocity,
        spatial(Vec3::zero(), gravity),
        (bodies, dofs.clone()),
        bias_force,
        &mut Scratch {
            acceleration: cast_slice_mut(&mut world.body_acceleration),
            force: cast_slice_mut(&mut world.body_force),
        },
    );

    let drives = &Drives::from(model);
    let ctrl = cast_slice::<P, T>(&world.ctrl);
    let actuator_force = cast_slice_mut::<P, T>(&mut world.qfrc_actuator);
    actuator_force.fill(T::ZERO);
    for i in 0..model.nu {
        let (length, dof, moment) = actuation::on_axis(structure, drives, &views.drives, qpos, i)
            .expect("motors of these models turn hinges");
        let speed = T::ZERO + moment * qvel[dof];
        let control = actuation::control(drives, &views.drives, i, ctrl[i]);
        let gain = actuation::gain(drives, &views.drives, i, (length, speed)).expect("simple");
        let bias = actuation::bias(drives, &views.drives, i, (length, speed)).expect("simple");
        let force = actuation::limited(drives, &views.drives, i, gain * control + bias);
        actuation::apply(force, (&[dof as i32], &[moment]), actuator_force);
    }

    let smooth_columns = world.smooth.as_mut().cast::<T>();
    let forces = &Forces {
        passive,
        bias: bias_force,
        applied: cast_slice(&world.nothing),
        actuator: actuator_force,
    };
    smooth::sum(forces, dofs.clone(), smooth_columns.qfrc_smooth);
    smooth_columns
        .qacc_smooth
        .copy_from_slice(smooth_columns.qfrc_smooth);
    let matrices = &world.inertia.as_ref().cast::<T>();
    tree::solve(
        rows(structure),
        matrices.qLD,
        matrices.qLDiagInv,
        smooth_columns.qacc_smooth,
    );

    let timestep = T::from_f64(model.opt.timestep);
    let acceleration = cast_slice_mut::<P, T>(&mut world.acceleration);
    integrate::damped_acceleration(
        structure,
        values,
        timestep,
        matrices.M,
        (smooth_columns.qfrc_smooth, cast_slice(&world.nothing)),
        dofs,
        &mut Damped {
            qH: cast_slice_mut(&mut world.qh),
            qHDiagInv: cast_slice_mut(&mut world.qh_inverse),
            acceleration,
        },
    );
    let qvel = cast_slice_mut::<P, T>(&mut world.qvel);
    integrate::velocities(qvel, acceleration, timestep);
    let qpos = cast_slice_mut::<P, T>(&mut world.qpos);
    joint::advance(structure, joints, qpos, qvel, timestep);
}
