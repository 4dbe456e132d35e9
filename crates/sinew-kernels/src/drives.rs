//! Actuators of any kind, by a team: each member computes some. An actuator has its moments, a row over the degrees of
//! freedom, in the memory of its world.

use crate::Number;
use crate::adhesion::Grip;
use crate::block::Problem;
use crate::forces::Accelerated;
use crate::local::{General, com_of, kinematics_of};
use crate::medium::{self, Bodies};
use crate::scene::Scene;
use crate::sums::sparse_dot_where;
use crate::team::Team;
use crate::tendon::Cord;
use sinew_dynamics::com::ComMut;
use sinew_dynamics::joint::quat_at;
use sinew_dynamics::kinematics::KinematicsMut;
use sinew_dynamics::transmission::{self, Entries};
use sinew_dynamics::{actuation, muscle};
use sinew_math::Vec3;
use sinew_math::series::Series;
use sinew_model::joint::Layout;
use sinew_model::kinds::{BiasType, DynamicsType, GainType, JointType, TransmissionType};

/// What moves actuators.
pub(crate) struct Moving<'a, T> {
    pub qpos: &'a Series<T>,
    pub qvel: &'a Series<T>,
    pub act: &'a [T],
    pub ctrl: &'a [T],
}

/// Where everything is, and what bodies stick to, if they do.
type Poses<'a, 'b, T> = (
    &'a KinematicsMut<'b, T>,
    &'a ComMut<'b, T>,
    Option<&'a Grip<'b, T>>,
);

/// The moments of an actuator while they are gathered.
struct Moments<'a, T> {
    row: &'a mut Series<T>,
    start: usize,
}

impl<T: Number> Entries<T> for Moments<'_, T> {
    #[inline(always)]
    fn add(&mut self, dof: usize, value: T) {
        self.row[self.start + dof] += value;
    }

    #[inline(always)]
    fn set(&mut self, dof: usize, value: T) {
        self.row[self.start + dof] = value;
    }
}

impl<T: Number> Moments<'_, T> {
    #[inline(always)]
    fn set_three(&mut self, dof: usize, values: Vec3<T>) {
        for k in 0..3 {
            self.set(dof + k, values[k]);
        }
    }
}

/// What an actuator acts on.
#[inline(always)]
fn kind<T: Number>(scene: &Scene<'_, T>, i: usize) -> (Option<TransmissionType>, usize) {
    let kind = TransmissionType::from_code(scene.drives.actuator_trntype[i]);
    (kind, scene.drives.actuator_trnid[i][0] as usize)
}

/// The tendon that an actuator acts on.
#[inline(always)]
fn cord_of<T: Number>(scene: &Scene<'_, T>, i: usize) -> Option<usize> {
    match kind(scene, i) {
        (Some(TransmissionType::Tendon), tendon) => {
            usize::try_from(scene.tables.tendon_cords[tendon]).ok()
        }
        _ => None,
    }
}

/// Whether a compressed row has the moment of an actuator.
#[inline(always)]
fn is_stored<T: Number>(
    scene: &Scene<'_, T>,
    general: &General<'_, T>,
    i: usize,
    dof: usize,
) -> bool {
    let (kind, target) = kind(scene, i);
    match kind {
        Some(TransmissionType::Joint | TransmissionType::Jointinparent) => {
            let first = scene.tree.jnt_dofadr[target] as usize;
            (first..first + Layout::of(scene.tree.jnt_type[target]).dofs()).contains(&dof)
        }
        Some(TransmissionType::Tendon) if scene.head.is_sparse != 0 => {
            cord_of(scene, i).is_some_and(|cord| general.has_entry(scene, cord, dof))
        }
        _ => general.moment[i * scene.head.nv + dof] != T::ZERO,
    }
}

/// Lengths, moments and speeds of all actuators.
#[inline(always)]
fn transmissions<T: Number>(
    team: Team,
    scene: &Scene<'_, T>,
    moving: &Moving<'_, T>,
    (kinematics, com, grip): Poses<'_, '_, T>,
    general: &mut General<'_, T>,
) {
    let head = &scene.head;
    let nv = head.nv;
    team.each(head.nu * nv, |k| general.moment[k] = T::ZERO);
    let at = &transmission::Scene {
        tree: scene.tree,
        attached: scene.attached,
        kinematics: kinematics_of(kinematics),
        com: com_of(com),
    };
    team.each(head.nu, |i| {
        general.length[i] = match kind(scene, i).0 {
            Some(TransmissionType::Tendon) => through_tendon(scene, i, general),
            _ => length(scene, i, moving.qpos, at, general.moment),
        };
    });
    if let Some(grip) = grip {
        team.each(head.nu * nv, |k| {
            if let (Some(TransmissionType::Body), body) = kind(scene, k / nv) {
                general.moment[k] = grip.moment(&at.com, body, k % nv);
            }
        });
    }
    team.each(head.nu, |i| {
        let product = |dof: usize| general.moment[i * nv + dof] * moving.qvel[dof];
        let stored = |dof: usize| is_stored(scene, general, i, dof);
        general.speed[i] = sparse_dot_where(nv, stored, product);
    });
}

/// Length of an actuator on a tendon, whose moments are written.
#[inline(always)]
fn through_tendon<T: Number>(scene: &Scene<'_, T>, i: usize, general: &mut General<'_, T>) -> T {
    let (gear, nv) = (scene.drive_values.actuator_gear[i][0], scene.head.nv);
    let Some(cord) = cord_of(scene, i) else {
        return T::ZERO;
    };
    for dof in 0..nv {
        general.moment[i * nv + dof] = general.cord_entry(nv, cord, dof) * gear;
    }
    general.cord_length[cord] * gear
}

/// Length of another actuator, whose moments are written.
#[inline(always)]
fn length<T: Number>(
    scene: &Scene<'_, T>,
    i: usize,
    qpos: &Series<T>,
    at: &transmission::Scene<'_, T>,
    moment: &mut Series<T>,
) -> T {
    let gear = &scene.drive_values.actuator_gear[i];
    let [target, second] = scene.drives.actuator_trnid[i];
    let target = target as usize;
    let row = &mut Moments {
        row: moment,
        start: i * scene.head.nv,
    };
    match kind(scene, i).0 {
        Some(TransmissionType::Joint) => on_joint(scene, target, (gear, false), qpos, row),
        Some(TransmissionType::Jointinparent) => on_joint(scene, target, (gear, true), qpos, row),
        Some(TransmissionType::Slidercrank) => {
            let rod = (scene.extra.actuator_cranklength[i], gear[0]);
            transmission::slider_crank(at, (target, second as usize), rod, row)
        }
        Some(TransmissionType::Site) => match usize::try_from(second) {
            Err(_) => transmission::site(at, target, gear, row),
            Ok(second) => {
                let quats = [target, second].map(|site| scene.attached_values.site_quat[site]);
                transmission::site_in_site(at, (target, second), quats, gear, row)
            }
        },
        // Adhesion has none.
        _ => T::ZERO,
    }
}

#[inline(always)]
fn on_joint<T: Number>(
    scene: &Scene<'_, T>,
    joint: usize,
    (gear, in_parent): (&[T; 6], bool),
    qpos: &Series<T>,
    out: &mut Moments<'_, T>,
) -> T {
    let tree = &scene.tree;
    let (address, dof) = (
        tree.jnt_qposadr[joint] as usize,
        tree.jnt_dofadr[joint] as usize,
    );
    match JointType::from_code(tree.jnt_type[joint]) {
        Some(JointType::Ball) => {
            let (length, axis) = transmission::ball(quat_at(qpos, address), gear, in_parent);
            out.set_three(dof, axis);
            length
        }
        Some(JointType::Free) => {
            let quat = quat_at(qpos, address + 3);
            let [linear, angular] = transmission::free(quat, gear, in_parent);
            out.set_three(dof, linear);
            out.set_three(dof + 3, angular);
            T::ZERO
        }
        _ => {
            out.set(dof, gear[0]);
            qpos[address] * gear[0]
        }
    }
}

/// Whether the group of an actuator is switched off.
#[inline(always)]
pub(crate) fn is_off<T>(scene: &Scene<'_, T>, i: usize) -> bool {
    scene.tables.drives_off[i] != 0
}

/// Forces of all actuators, and the rates of their activations. `is_bad` says that controls are none.
#[inline(always)]
pub(crate) fn forces<T: Number>(
    team: Team,
    scene: &Scene<'_, T>,
    moving: &Moving<'_, T>,
    poses: Poses<'_, '_, T>,
    is_bad: bool,
    general: &mut General<'_, T>,
    given: &mut Accelerated<'_, T>,
    out: &mut Series<T>,
) {
    let (head, drives, values) = (&scene.head, &scene.drives, &scene.drive_values);
    transmissions(team, scene, moving, poses, general);
    team.each(head.nu, |i| {
        let control = if is_bad { T::ZERO } else { moving.ctrl[i] };
        drive(scene, i, (moving.act, control), general, given);
    });
    team.each(1, |_| limit_tendons(scene, general, given.actuator_force));
    team.each(head.nu, |i| {
        let force = given.actuator_force[i];
        given.actuator_force[i] = actuation::limited(drives, values, i, force);
    });
    team.each(head.nv, |dof| {
        let mut sum = T::ZERO;
        for i in 0..head.nu {
            let (force, moment) = (given.actuator_force[i], general.moment[i * head.nv + dof]);
            if force != T::ZERO && moment != T::ZERO {
                sum += moment * force;
            }
        }
        let joint = scene.tree.dof_jntid[dof] as usize;
        if head.lifts > 0 && scene.extra.jnt_actgravcomp[joint] != 0 {
            sum += general.gravcomp[dof];
        }
        out[dof] = sum;
    });
}

/// Force of an actuator before limits, and the rate of its activation.
#[inline(always)]
fn drive<T: Number>(
    scene: &Scene<'_, T>,
    i: usize,
    (act, control): (&[T], T),
    general: &General<'_, T>,
    given: &mut Accelerated<'_, T>,
) {
    let (drives, values, extra) = (&scene.drives, &scene.drive_values, &scene.extra);
    let control = match scene.head.clamps_control != 0 {
        true => actuation::control(drives, values, i, control),
        false => control,
    };
    if let Some(index) = actuation::driving_activation(drives, i) {
        let rate = actuation::activation_rate(drives, values, i, control, act[index]);
        let is_muscle = drives.actuator_dyntype[i] == DynamicsType::Muscle.code();
        given.act_dot[index] = match rate {
            None if is_muscle => {
                muscle::activation_rate(control, act[index], &values.actuator_dynprm[i])
            }
            rate => rate.unwrap_or(T::ZERO),
        };
    }
    if is_off(scene, i) {
        given.actuator_force[i] = T::ZERO;
        return;
    }
    let (length, speed) = (general.length[i], general.speed[i]);
    let (range, acc0) = (extra.actuator_lengthrange[i], extra.actuator_acc0[i]);
    let gain = match drives.actuator_gaintype[i] == GainType::Muscle.code() {
        true => muscle::gain(length, speed, range, acc0, &values.actuator_gainprm[i]),
        false => actuation::gain(drives, values, i, (length, speed)).unwrap_or(T::ONE),
    };
    let bias = match drives.actuator_biastype[i] == BiasType::Muscle.code() {
        true => muscle::bias(length, range, acc0, &values.actuator_biasprm[i]),
        false => actuation::bias(drives, values, i, (length, speed)).unwrap_or(T::ZERO),
    };
    let moving = (act, &*given.act_dot);
    let timestep = scene.constants.timestep;
    let driver = actuation::drive(drives, values, i, control, moving, timestep);
    given.actuator_force[i] = gain * driver + bias;
}

/// Scales the forces on each tendon so that their sum stays within the tendon's range.
#[inline(always)]
fn limit_tendons<T: Number>(scene: &Scene<'_, T>, general: &mut General<'_, T>, force: &mut [T]) {
    let head = &scene.head;
    // Forces of springs are added up already.
    let total = &mut *general.cord_spring;
    for cord in 0..head.cords {
        total[cord] = T::ZERO;
    }
    let limited = |i: usize| {
        let cord = cord_of(scene, i)?;
        Some((cord, Cord::new(scene, cord).force_range()?))
    };
    for i in 0..head.nu {
        if let Some((cord, _)) = limited(i) {
            total[cord] += force[i];
        }
    }
    for i in 0..head.nu {
        let Some((cord, [low, high])) = limited(i) else {
            continue;
        };
        let sum = total[cord];
        if sum != T::ZERO && sum < low {
            force[i] *= low / sum;
        } else if sum != T::ZERO && sum > high {
            force[i] *= high / sum;
        }
    }
}

/// How forces of actuators, dampers and tendons change with velocity, in the layout of M: who has a row adds up all.
#[inline(always)]
pub(crate) fn slopes<T: Number>(
    team: Team,
    scene: &Scene<'_, T>,
    (ctrl, act): (&[T], &[T]),
    given: &Problem<'_, T>,
    bodies: &Bodies<'_, '_, T>,
    general: &mut General<'_, T>,
    out: &mut Series<T>,
) {
    let (head, tree) = (&scene.head, &scene.tree);
    let nv = head.nv;
    team.each(head.nu, |i| {
        general.slope[i] = slope(scene, i, (ctrl, act), given, general)
    });
    team.each(nv, |row| {
        let start = tree.M_rowadr[row] as usize;
        let diagonal = start + tree.M_rownnz[row] as usize - 1;
        for i in 0..head.nu {
            let (slope, own) = (general.slope[i], general.moment[i * nv + row]);
            if slope == T::ZERO || own == T::ZERO {
                continue;
            }
            for entry in start..=diagonal {
                let other = general.moment[i * nv + tree.M_colind[entry] as usize];
                out[entry] += other * (own * slope);
            }
        }
        if head.swimmers > 0 {
            for entry in start..=diagonal {
                let column = tree.M_colind[entry] as usize;
                out[entry] = medium::add_slopes(scene, bodies, general, [row, column], out[entry]);
            }
        }
        out[diagonal] -= scene.values.dof_damping[row];
        for cord in 0..head.cords {
            let damping = Cord::new(scene, cord).damping();
            let own = general.cord_entry(nv, cord, row);
            if damping == T::ZERO || own == T::ZERO {
                continue;
            }
            for entry in start..=diagonal {
                let other = general.cord_entry(nv, cord, tree.M_colind[entry] as usize);
                out[entry] += other * (own * -damping);
            }
        }
    });
}

/// How the force of an actuator changes with its speed.
#[inline(always)]
fn slope<T: Number>(
    scene: &Scene<'_, T>,
    i: usize,
    (ctrl, act): (&[T], &[T]),
    given: &Problem<'_, T>,
    general: &General<'_, T>,
) -> T {
    let (drives, values) = (&scene.drives, &scene.drive_values);
    let is_at_limit = actuation::is_at_limit(drives, values, i, given.actuator_force[i]);
    if scene.head.acts == 0 || is_off(scene, i) || is_at_limit {
        return T::ZERO;
    }
    let gain = match drives.actuator_gaintype[i] == GainType::Muscle.code() {
        true => muscle::gain_velocity_derivative(
            general.length[i],
            general.speed[i],
            scene.extra.actuator_lengthrange[i],
            scene.extra.actuator_acc0[i],
            &values.actuator_gainprm[i],
        ),
        false => actuation::gain_slope(drives, values, i).unwrap_or(T::ZERO),
    };
    let bias = actuation::bias_slope(drives, values, i).unwrap_or(T::ZERO);
    if gain == T::ZERO {
        return bias;
    }
    let timestep = scene.constants.timestep;
    let moving = (act, &*given.act_dot);
    bias + gain * actuation::drive(drives, values, i, ctrl[i], moving, timestep)
}
