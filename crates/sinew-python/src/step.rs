//! The functions that compute with a simulation: stages, steps, steps with hooks.
//!
//! They release the interpreter lock, count what ran in the timers, and look for Ctrl-C now and then.

// The functions carry the reference's names.
#![allow(non_snake_case)]

use crate::data::{NativeData, PATIENCE};
use crate::failure;
use crate::model::NativeModel;
use crate::timing::{Clock, Timing};
use pyo3::prelude::*;
use pyo3::types::PyTuple;
use sinew::engine::error::{CallError, StepError};
use sinew::engine::state_vector::state_size;
use sinew::engine::step::Sensors;
use sinew::engine::{Data, Hooks, Moment};
use sinew::model::Model;
use sinew::model::kinds::{Integrator, Stage, TimerKind};
use std::time::Instant;

/// Runs a stage with the interpreter lock released, and counts what it does.
fn run<E: Into<StepError> + Send>(
    model: &Bound<'_, NativeModel>,
    data: &Bound<'_, NativeData>,
    stage: impl FnOnce(&mut Data, &Model, &mut Timing) -> Result<(), E> + Send,
) -> PyResult<()> {
    let own = data.get();
    let done = work(model, data, |data, model| {
        let mut timing = Timing::new(Clock::None);
        let done = stage(data, model, &mut timing);
        timing.add_to(&mut own.timers());
        Ok(done)
    });
    done.and_then(outcome)
}

/// A stage that nothing is counted in.
fn plain<E>(
    stage: impl FnOnce(&mut Data, &Model) -> Result<(), E>,
) -> impl FnOnce(&mut Data, &Model, &mut Timing) -> Result<(), E> {
    |data, model, _| stage(data, model)
}

/// Runs a function of data and model with the interpreter lock released.
pub fn work<T: Send>(
    model: &Bound<'_, NativeModel>,
    data: &Bound<'_, NativeData>,
    work: impl FnOnce(&mut Data, &Model) -> PyResult<T> + Send,
) -> PyResult<T> {
    let (py, shared, own) = (model.py(), model.get(), data.get());
    own.check_fits(model)?;
    let mut held = own.place.enter()?;
    own.session(py, &mut held, |held| {
        py.detach(|| {
            let model = shared.read();
            own.place.guard(|| work(held, &model))?
        })
    })
}

macro_rules! stages {
    ($( $(#[$meta:meta])* $name:ident => $stage:expr; )*) => {
        $(
            $(#[$meta])*
            #[pyfunction]
            fn $name(model: &Bound<'_, NativeModel>, data: &Bound<'_, NativeData>) -> PyResult<()> {
                run(model, data, $stage)
            }
        )*

        /// Adds the functions to the module, and their names.
        pub fn add_stages(module: &Bound<'_, PyModule>) -> PyResult<()> {
            $( module.add_function(wrap_pyfunction!($name, module)?)?; )*
            module.add("STAGES", [$( stringify!($name), )*])
        }
    };
}

stages! {
    /// Poses of bodies, joints, geoms and sites.
    mj_kinematics => plain(Data::compute_kinematics);
    /// Centres of mass, inertias and motion axes about them.
    mj_comPos => plain(Data::compute_com);
    /// Poses of cameras and lights.
    mj_camlight => plain(Data::compute_view);
    /// Tendon lengths, paths and Jacobians.
    mj_tendon => plain(Data::compute_tendon);
    /// Poses, centres of mass, cameras and lights, tendons.
    mj_fwdKinematics => plain(|data, model| {
        data.compute_kinematics(model)?;
        data.compute_com(model)?;
        data.compute_view(model)?;
        data.compute_tendon(model)
    });
    /// Contacts between geoms.
    mj_collision => |data, model, timing| data.compute_contacts_with(model, timing);
    /// Constraint rows: equalities, dry friction, limits, contacts.
    mj_makeConstraint => plain(Data::compute_constraints);
    /// Couplings of the constraint rows, for solvers that work on forces.
    mj_projectConstraint => plain(Data::project_constraints);
    /// Groups of trees that constraints tie together.
    mj_island => plain(Data::compute_islands);
    /// Rates of tendon and actuator lengths, spatial velocities about the centres of mass.
    mj_comVel => plain(Data::compute_com_velocity);
    /// Springs, dampers, gravity compensation, fluid.
    mj_passive => plain(Data::compute_passive);
    /// What the constraint rows aim at.
    mj_referenceConstraint => plain(Data::compute_reference);
    /// Joint-space inertia; the same as mj_makeM.
    mj_crb => plain(Data::compute_inertia);
    /// Joint-space inertia.
    mj_makeM => |data, model, timing| {
        timing.clock(Moment::Begin(TimerKind::PosInertia));
        let made = data.compute_inertia(model);
        timing.clock(Moment::End(TimerKind::PosInertia));
        made
    };
    /// Factor of the joint-space inertia.
    mj_factorM => plain(Data::factor_inertia);
    /// Actuator lengths and moments.
    mj_transmission => plain(Data::compute_transmission);
    /// Everything that depends on positions alone.
    mj_fwdPosition => |data, model, timing| data.forward_position_with(model, timing);
    /// Everything that depends on positions and velocities.
    mj_fwdVelocity => |data, model, timing| data.forward_velocity_with(model, timing);
    /// Actuator forces and activation rates.
    mj_fwdActuation => |data, model, timing| data.compute_actuation_with(model, timing);
    /// Sum of the smooth forces and the acceleration it causes.
    mj_fwdAcceleration => plain(Data::compute_smooth_acceleration);
    /// Constraint forces and the resulting acceleration.
    mj_fwdConstraint => |data, model, timing| data.solve_constraints_with(model, timing);
    /// All derived quantities of the current state and input.
    mj_forward => |data, model, timing| data.forward_with(model, timing);
    /// The force that makes the accelerations `qacc`, into `qfrc_inverse`.
    mj_inverse => |data, model, timing| data.inverse_with(model, timing);
    /// The positions' part of inverse dynamics.
    mj_invPosition => |data, model, timing| data.inverse_position_with(model, timing);
    /// The velocities' part of inverse dynamics.
    mj_invVelocity => |data, model, timing| data.forward_velocity_with(model, timing);
    /// Constraint forces at the accelerations `qacc`.
    mj_invConstraint => plain(Data::inverse_constraints);
    /// Sensors that depend on positions.
    mj_sensorPos => plain(|data, model| data.compute_sensors(model, Stage::Pos));
    /// Sensors that depend on velocities.
    mj_sensorVel => plain(|data, model| data.compute_sensors(model, Stage::Vel));
    /// Sensors that depend on forces and accelerations.
    mj_sensorAcc => plain(|data, model| data.compute_sensors(model, Stage::Acc));
    /// Potential energy, into `energy[0]`.
    mj_energyPos => plain(Data::compute_potential_energy);
    /// Kinetic energy, into `energy[1]`.
    mj_energyVel => plain(Data::compute_kinetic_energy);
    /// Counts and resets bad positions.
    mj_checkPos => plain(Data::check_position);
    /// Counts and resets bad velocities.
    mj_checkVel => plain(Data::check_velocity);
    /// Counts and resets bad accelerations.
    mj_checkAcc => |data, model, timing| data.check_acceleration_with(model, timing);
    /// Advances the state by the semi-implicit Euler rule.
    mj_Euler => |data, model, timing| data.integrate_with(model, Integrator::Euler, timing);
    /// How well inverse dynamics returns what forward dynamics was given, into `solver_fwdinv`.
    mj_compareFwdInv => plain(Data::compare_forward_inverse);
    /// Linear velocity and angular momentum of subtrees.
    mj_subtreeVel => plain(Data::subtree_momentum);
    /// Accelerations of bodies and forces between them.
    mj_rnePostConstraint => plain(Data::body_forces);
}

/// As in the reference a diverging state is counted and reset, and the simulation goes on. What is
/// left after that is an error.
pub fn outcome<E: Into<StepError>>(step: Result<(), E>) -> PyResult<()> {
    match step.map_err(E::into) {
        Ok(()) | Err(StepError::Diverged(_)) => Ok(()),
        Err(error) => Err(failure::exception("StepError", error.to_string())),
    }
}

/// The part of a step before controls and forces are set.
#[pyfunction]
pub fn mj_step1(model: &Bound<'_, NativeModel>, data: &Bound<'_, NativeData>) -> PyResult<()> {
    run(model, data, |data, model, timing| {
        data.step1_with(model, timing)
    })
}

/// The part of a step after controls and forces are set.
#[pyfunction]
pub fn mj_step2(model: &Bound<'_, NativeModel>, data: &Bound<'_, NativeData>) -> PyResult<()> {
    run(model, data, |data, model, timing| {
        data.step2_with(model, timing)
    })
}

/// Advances the simulation. As in the reference a state that diverges is counted in the warnings
/// and reset. Ctrl-C ends the call between two steps; nobody else gets in before the last one.
#[pyfunction]
pub fn mj_step(
    model: &Bound<'_, NativeModel>,
    data: &Bound<'_, NativeData>,
    nstep: i64,
) -> PyResult<()> {
    data.get().check_fits(model)?;
    let (shared, own) = (model.get(), data.get());
    let py = model.py();
    let mut held = own.place.claim()?;
    let some_steps = |data: &mut Data, count: i64| {
        let model = shared.read();
        own.place.guard(|| {
            let start = Instant::now();
            let mut left = count;
            let mut timing = Timing::new(Clock::None);
            let mut done = Ok(());
            while left > 0 && done.is_ok() && start.elapsed() < PATIENCE {
                done = outcome(data.step_with(&model, &mut timing));
                left -= 1;
            }
            timing.add_to(&mut own.timers());
            done.map(|()| left)
        })?
    };
    own.session(py, &mut held, |held| {
        let mut left = nstep;
        while left > 0 {
            left = py.detach(|| some_steps(held, left))?;
            py.check_signals()?;
        }
        Ok(())
    })
}

/// The stage with this code; anything else is an error.
fn stage(code: i32) -> PyResult<Stage> {
    Stage::from_code(code).ok_or_else(|| {
        let message = format!("{code} is no mjtStage: mjSTAGE_NONE, _POS, _VEL or _ACC");
        pyo3::exceptions::PyValueError::new_err(message)
    })
}

fn sensors(skips: i32) -> Sensors {
    if skips == 0 {
        Sensors::Computed
    } else {
        Sensors::Skipped
    }
}

/// Forward dynamics of what comes after a stage that is still current.
#[pyfunction]
pub fn mj_forwardSkip(
    model: &Bound<'_, NativeModel>,
    data: &Bound<'_, NativeData>,
    skipstage: i32,
    skipsensor: i32,
) -> PyResult<()> {
    let (current, sensors) = (stage(skipstage)?, sensors(skipsensor));
    run(model, data, |data, model, timing| {
        data.forward_from_with(model, current, sensors, timing)
    })
}

/// Inverse dynamics of what comes after a stage that is still current.
#[pyfunction]
pub fn mj_inverseSkip(
    model: &Bound<'_, NativeModel>,
    data: &Bound<'_, NativeData>,
    skipstage: i32,
    skipsensor: i32,
) -> PyResult<()> {
    let (current, sensors) = (stage(skipstage)?, sensors(skipsensor));
    run(model, data, |data, model, timing| {
        data.inverse_from_with(model, current, sensors, timing)
    })
}

/// Advances the state by the implicit rule that the model asks for.
#[pyfunction]
pub fn mj_implicit(model: &Bound<'_, NativeModel>, data: &Bound<'_, NativeData>) -> PyResult<()> {
    data.get().check_fits(model)?;
    let rule = implicit_rule(&model.get().read())?;
    run(model, data, |data, model, timing| {
        data.integrate_with(model, rule, timing)
    })
}

/// The implicit rule that the model asks for.
fn implicit_rule(model: &Model) -> PyResult<Integrator> {
    match Integrator::from_code(model.opt.integrator) {
        Some(rule @ (Integrator::Implicit | Integrator::Implicitfast)) => Ok(rule),
        _ => Err(pyo3::exceptions::PyValueError::new_err(
            "the model's integrator must be implicit or implicitfast",
        )),
    }
}

/// Advances the state by Runge and Kutta's rule of order 4.
#[pyfunction]
pub fn mj_RungeKutta(
    model: &Bound<'_, NativeModel>,
    data: &Bound<'_, NativeData>,
    N: i32,
) -> PyResult<()> {
    if N != 4 {
        let message = format!("only the rule of order 4 is there, not {N}");
        return Err(pyo3::exceptions::PyValueError::new_err(message));
    }
    run(model, data, |data, model, timing| {
        data.integrate_with(model, Integrator::Rk4, timing)
    })
}

/// Panics while it has the data, so that a test can see what a fault of ours leaves behind.
#[pyfunction]
pub fn fail_in_data(model: &Bound<'_, NativeModel>, data: &Bound<'_, NativeData>) -> PyResult<()> {
    let fault = |_: &mut Data, _: &Model| -> Result<(), CallError> { panic!("failed on purpose") };
    run(model, data, plain(fault))
}

/// Steps with hooks. A hook that raises leaves the state as it was before the step it raised in.
#[pyfunction]
pub fn step_with_hooks(
    model: &Bound<'_, NativeModel>,
    data: &Bound<'_, NativeData>,
    nstep: i64,
    hooks: &Bound<'_, PyTuple>,
) -> PyResult<()> {
    const EVERYTHING: i32 = (1 << 14) - 1;
    data.get()
        .run_with_hooks(model, hooks, |data, model, hooks| {
            let size = state_size(model, EVERYTHING).unwrap_or(0);
            let mut before = vec![0.0; size];
            let mut signals = Instant::now();
            for _ in 0..nstep.max(0) {
                let _ = data.get_state(model, EVERYTHING, &mut before);
                let result = data.step_with(model, hooks);
                if hooks.has_failed() {
                    let _ = data.set_state(model, EVERYTHING, &before);
                    break;
                }
                outcome(result)?;
                if signals.elapsed() > PATIENCE {
                    Python::attach(|py| py.check_signals())?;
                    signals = Instant::now();
                }
            }
            Ok(())
        })
}

/// Runs one of the other functions that hooks take part in, by its name.
#[pyfunction]
pub fn call_with_hooks(
    name: &str,
    model: &Bound<'_, NativeModel>,
    data: &Bound<'_, NativeData>,
    skips: (i32, i32),
    hooks: &Bound<'_, PyTuple>,
) -> PyResult<()> {
    let (current, sensors) = (stage(skips.0)?, sensors(skips.1));
    data.get()
        .run_with_hooks(model, hooks, |data, model, hooks| {
            let result = match name {
                "mj_step1" => return outcome(data.step1_with(model, hooks)),
                "mj_step2" => return outcome(data.step2_with(model, hooks)),
                "mj_checkAcc" => return outcome(data.check_acceleration_with(model, hooks)),
                "mj_Euler" => {
                    return outcome(data.integrate_with(model, Integrator::Euler, hooks));
                }
                "mj_RungeKutta" => {
                    return outcome(data.integrate_with(model, Integrator::Rk4, hooks));
                }
                "mj_implicit" => {
                    let rule = implicit_rule(model)?;
                    return outcome(data.integrate_with(model, rule, hooks));
                }
                "mj_forward" => data.forward_with(model, hooks),
                "mj_forwardSkip" => data.forward_from_with(model, current, sensors, hooks),
                "mj_inverse" => data.inverse_with(model, hooks),
                "mj_inverseSkip" => data.inverse_from_with(model, current, sensors, hooks),
                "mj_collision" => data.compute_contacts_with(model, hooks),
                "mj_fwdPosition" => data.forward_position_with(model, hooks),
                "mj_invPosition" => data.inverse_position_with(model, hooks),
                "mj_fwdConstraint" => data.solve_constraints_with(model, hooks),
                "mj_fwdVelocity" | "mj_invVelocity" => data.forward_velocity_with(model, hooks),
                "mj_fwdActuation" => data.compute_actuation_with(model, hooks),
                "mj_passive" => data.compute_passive_with(model, hooks),
                "mj_sensorPos" => data.compute_sensors_with(model, Stage::Pos, hooks),
                "mj_sensorVel" => data.compute_sensors_with(model, Stage::Vel, hooks),
                "mj_sensorAcc" => data.compute_sensors_with(model, Stage::Acc, hooks),
                _ => {
                    let message = format!("no hooks take part in {name}");
                    return Err(pyo3::exceptions::PyValueError::new_err(message));
                }
            };
            outcome(result)
        })
}
