//! Actuators whose force is a gain times what drives them, plus a bias, each constant or affine in the
//! length and velocity of the actuator.
//!
//! Muscles and laws of user code are not here; neither are transmissions other than hinges and slides.

use core::ops::Range;
use sinew_math::series::Series;
use sinew_math::{Lift, MIN_VALUE, Mask, Real};
use sinew_model::kinds::{BiasType, DynamicsType, GainType, JointType, TransmissionType};
use sinew_model::view::{DriveValues, Drives, Tree};

/// The nearest value within a range.
#[doc(alias = "mju_clip")]
#[inline(always)]
pub fn clip<T: Real>(x: T, [low, high]: [T; 2]) -> T {
    T::select(x.less(low), low, T::select(x.greater(high), high, x))
}

/// Length of an actuator, the degree of freedom it acts on, and its moment there, if it acts on a hinge
/// or a slide.
#[inline(always)]
pub fn on_axis<T: Real, V: Lift<T>>(
    tree: &Tree<'_>,
    drives: &Drives<'_>,
    values: &DriveValues<'_, V>,
    qpos: &Series<T>,
    actuator: usize,
) -> Option<(T, usize, T)> {
    const JOINT: i32 = TransmissionType::Joint.code();
    const JOINT_IN_PARENT: i32 = TransmissionType::Jointinparent.code();
    if !matches!(drives.actuator_trntype[actuator], JOINT | JOINT_IN_PARENT) {
        return None;
    }
    let joint = drives.actuator_trnid[actuator][0] as usize;
    match JointType::from_code(tree.jnt_type[joint]) {
        Some(JointType::Hinge | JointType::Slide) => {
            let gear: T = values.actuator_gear[actuator][0].lift();
            let length = qpos[tree.jnt_qposadr[joint] as usize] * gear;
            Some((length, tree.jnt_dofadr[joint] as usize, gear))
        }
        _ => None,
    }
}

/// The control within its range.
#[inline(always)]
pub fn control<T: Real, V: Lift<T>>(
    drives: &Drives<'_>,
    values: &DriveValues<'_, V>,
    actuator: usize,
    ctrl: T,
) -> T {
    if drives.actuator_ctrllimited[actuator] != 0 {
        clip(ctrl, values.actuator_ctrlrange[actuator].lift())
    } else {
        ctrl
    }
}

/// p₀ + p₁·length + p₂·velocity
#[inline(always)]
fn affine<T: Real, V: Lift<T>>(parameters: &[V; 10], length: T, velocity: T) -> T {
    let [p0, p1, p2]: [T; 3] = [parameters[0], parameters[1], parameters[2]].lift();
    p0 + p1 * length + p2 * velocity
}

/// The gain of an actuator; `None` if it is a muscle's or the user's.
#[inline(always)]
pub fn gain<T: Real, V: Lift<T>>(
    drives: &Drives<'_>,
    values: &DriveValues<'_, V>,
    actuator: usize,
    (length, velocity): (T, T),
) -> Option<T> {
    let parameters = &values.actuator_gainprm[actuator];
    match GainType::from_code(drives.actuator_gaintype[actuator]) {
        Some(GainType::Fixed) => Some(parameters[0].lift()),
        Some(GainType::Affine) => Some(affine(parameters, length, velocity)),
        _ => None,
    }
}

/// The bias of an actuator; `None` if it is a muscle's or the user's.
#[inline(always)]
pub fn bias<T: Real, V: Lift<T>>(
    drives: &Drives<'_>,
    values: &DriveValues<'_, V>,
    actuator: usize,
    (length, velocity): (T, T),
) -> Option<T> {
    let parameters = &values.actuator_biasprm[actuator];
    match BiasType::from_code(drives.actuator_biastype[actuator]) {
        Some(BiasType::None) => Some(T::ZERO),
        Some(BiasType::Affine) => Some(affine(parameters, length, velocity)),
        _ => None,
    }
}

/// The derivative of a gain by velocity; `None` if it is a muscle's or the user's.
#[inline(always)]
pub fn gain_slope<T: Real, V: Lift<T>>(
    drives: &Drives<'_>,
    values: &DriveValues<'_, V>,
    actuator: usize,
) -> Option<T> {
    match GainType::from_code(drives.actuator_gaintype[actuator]) {
        Some(GainType::Fixed) => Some(T::ZERO),
        Some(GainType::Affine) => Some(values.actuator_gainprm[actuator][2].lift()),
        _ => None,
    }
}

/// The derivative of a bias by velocity; `None` if it is a muscle's or the user's.
#[inline(always)]
pub fn bias_slope<T: Real, V: Lift<T>>(
    drives: &Drives<'_>,
    values: &DriveValues<'_, V>,
    actuator: usize,
) -> Option<T> {
    match BiasType::from_code(drives.actuator_biastype[actuator]) {
        Some(BiasType::None) => Some(T::ZERO),
        Some(BiasType::Affine) => Some(values.actuator_biasprm[actuator][2].lift()),
        _ => None,
    }
}

/// Where the force of an actuator is at a limit of its range, and does not change with velocity.
#[inline(always)]
pub fn is_at_limit<T: Real, V: Lift<T>>(
    drives: &Drives<'_>,
    values: &DriveValues<'_, V>,
    actuator: usize,
    force: T,
) -> T::Mask {
    if drives.actuator_forcelimited[actuator] != 0 {
        let [low, high] = values.actuator_forcerange[actuator].lift();
        force.at_most(low) | force.at_least(high)
    } else {
        T::Mask::NONE
    }
}

/// How fast an activation changes; `None` if it is a muscle's or the user's.
#[inline(always)]
pub fn activation_rate<T: Real, V: Lift<T>>(
    drives: &Drives<'_>,
    values: &DriveValues<'_, V>,
    actuator: usize,
    control: T,
    activation: T,
) -> Option<T> {
    match DynamicsType::from_code(drives.actuator_dyntype[actuator]) {
        Some(DynamicsType::Integrator) => Some(control),
        Some(DynamicsType::Filter | DynamicsType::Filterexact) => {
            let time: T = values.actuator_dynprm[actuator][0].lift();
            Some((control - activation) / time.max_of(T::from_f64(MIN_VALUE)))
        }
        Some(DynamicsType::None) | None => Some(T::ZERO),
        Some(DynamicsType::Muscle | DynamicsType::User) => None,
    }
}

/// The activation one step ahead, within its range.
#[doc(alias = "mj_nextActivation")]
#[inline(always)]
pub fn next_activation<T: Real, V: Lift<T>>(
    drives: &Drives<'_>,
    values: &DriveValues<'_, V>,
    actuator: usize,
    (activation, rate): (T, T),
    timestep: T,
) -> T {
    let is_exact = drives.actuator_dyntype[actuator] == DynamicsType::Filterexact.code();
    let next = if is_exact {
        let time: T = values.actuator_dynprm[actuator][0].lift();
        let time = time.max_of(T::from_f64(MIN_VALUE));
        activation + rate * time * (T::ONE - (-timestep / time).exp())
    } else {
        activation + rate * timestep
    };
    if drives.actuator_actlimited[actuator] != 0 {
        clip(next, values.actuator_actrange[actuator].lift())
    } else {
        next
    }
}

/// Activations of an actuator; the last one drives its force.
#[inline(always)]
pub fn activations(drives: &Drives<'_>, actuator: usize) -> Option<Range<usize>> {
    let first = usize::try_from(drives.actuator_actadr[actuator]).ok()?;
    Some(first..first + drives.actuator_actnum[actuator] as usize)
}

/// The activation that drives an actuator.
#[inline(always)]
pub fn driving_activation(drives: &Drives<'_>, actuator: usize) -> Option<usize> {
    Some(activations(drives, actuator)?.end - 1)
}

/// What the gain multiplies: control, activation, or the activation one step ahead.
#[inline(always)]
pub fn drive<T: Real, V: Lift<T>>(
    drives: &Drives<'_>,
    values: &DriveValues<'_, V>,
    actuator: usize,
    control: T,
    (activations, rates): (&[T], &[T]),
    timestep: T,
) -> T {
    let Some(index) = driving_activation(drives, actuator) else {
        return control;
    };
    if drives.actuator_actearly[actuator] == 0 {
        return activations[index];
    }
    let moving = (activations[index], rates[index]);
    next_activation(drives, values, actuator, moving, timestep)
}

/// The force within the actuator's range.
#[inline(always)]
pub fn limited<T: Real, V: Lift<T>>(
    drives: &Drives<'_>,
    values: &DriveValues<'_, V>,
    actuator: usize,
    force: T,
) -> T {
    if drives.actuator_forcelimited[actuator] != 0 {
        clip(force, values.actuator_forcerange[actuator].lift())
    } else {
        force
    }
}

/// Adds the generalised force of an actuator with the given moments.
#[inline(always)]
pub fn apply<T: Real>(force: T, (dofs, moments): (&[i32], &[T]), qfrc: &mut Series<T>) {
    let is_idle = force.equals(T::ZERO);
    if is_idle.all() {
        return;
    }
    for (&dof, &moment) in dofs.iter().zip(moments) {
        let sum = &mut qfrc[dof as usize];
        *sum = T::select(is_idle, *sum, *sum + moment * force);
    }
}
