//! The functions that compute with a simulation: stages and steps, with hooks and without.
//!
//! They release the interpreter lock, count what ran in the timers, and look for Ctrl-C now and then.

// The functions carry the reference's names.
#![allow(non_snake_case)]

use crate::data::NativeData;
use crate::failure;
use crate::hooks::{PythonEngine, PythonParts};
use crate::model::NativeModel;
use crate::place::Held;
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::PyTuple;
use sinew::engine::error::{CallError, StepError};
use sinew::engine::state_vector::state_size;
use sinew::engine::{Data, Engine, Sensors};
use sinew::model::kinds::{Integrator, Stage};

/// Runs something with the hooks of the caller, if there are any, and the interpreter lock released.
/// What a hook has raised is raised; what ran is counted. A hook cannot run something with hooks.
pub fn compute<T: Send>(
    model: &Bound<'_, NativeModel>,
    data: &Bound<'_, NativeData>,
    hooks: Option<&Bound<'_, PyTuple>>,
    call: impl FnOnce(&mut PythonEngine<'_, '_>, &mut Data) -> PyResult<T> + Send,
) -> PyResult<T> {
    let own = data.get();
    own.check_fits(model)?;
    let held = match hooks {
        Some(_) => own.place.claim()?,
        None => own.place.enter()?,
    };
    compute_held(model, own, held, hooks, call)
}

/// The same with a simulation that is already held.
fn compute_held<T: Send>(
    model: &Bound<'_, NativeModel>,
    own: &NativeData,
    mut held: Held<'_>,
    hooks: Option<&Bound<'_, PyTuple>>,
    call: impl FnOnce(&mut PythonEngine<'_, '_>, &mut Data) -> PyResult<T> + Send,
) -> PyResult<T> {
    let (py, shared) = (model.py(), model.get());
    let parts = PythonParts::new(own, hooks)?;
    own.session(py, &mut held, |held| {
        py.detach(|| {
            let model = &*shared.read();
            let mut engine = Engine { model, parts };
            let result = own.place.guard(|| call(&mut engine, held));
            engine
                .parts
                .finish()
                .map_or(result.and_then(|done| done), Err)
        })
    })
}

/// A stage in which hooks take part.
fn hooked<E: Into<StepError>>(
    model: &Bound<'_, NativeModel>,
    data: &Bound<'_, NativeData>,
    hooks: Option<&Bound<'_, PyTuple>>,
    stage: impl FnOnce(&mut PythonEngine<'_, '_>, &mut Data) -> Result<(), E> + Send,
) -> PyResult<()> {
    compute(model, data, hooks, |engine, data| {
        outcome(stage(engine, data))
    })
}

/// A stage in which none takes part, so that hooks may call it.
fn alone<E: Into<StepError>>(
    model: &Bound<'_, NativeModel>,
    data: &Bound<'_, NativeData>,
    _: Option<&Bound<'_, PyTuple>>,
    stage: impl FnOnce(&mut PythonEngine<'_, '_>, &mut Data) -> Result<(), E> + Send,
) -> PyResult<()> {
    hooked(model, data, None, stage)
}

/// One row for each function of model and data: whether hooks take part, and what the engine does.
macro_rules! stages {
    ($( $(#[$meta:meta])* $kind:ident $name:ident => $method:ident $(($argument:expr))?; )*) => {
        $(
            $(#[$meta])*
            #[pyfunction]
            #[pyo3(signature = (model, data, hooks=None))]
            fn $name(
                model: &Bound<'_, NativeModel>,
                data: &Bound<'_, NativeData>,
                hooks: Option<&Bound<'_, PyTuple>>,
            ) -> PyResult<()> {
                $kind(model, data, hooks, |engine, data| engine.$method(data $(, $argument)?))
            }
        )*

        /// Adds the functions to the module, their names, and the names of those in which hooks take part.
        pub fn add_stages(module: &Bound<'_, PyModule>) -> PyResult<()> {
            $( module.add_function(wrap_pyfunction!($name, module)?)?; )*
            let kinds = [$( (stringify!($name), stringify!($kind)), )*];
            let hooked = kinds.iter().filter(|(_, kind)| *kind == "hooked");
            module.add("HOOKED", hooked.map(|(name, _)| *name).collect::<Vec<_>>())?;
            module.add("STAGES", kinds.map(|(name, _)| name))
        }
    };
}

stages! {
    /// The part of a step before controls and forces are set.
    hooked mj_step1 => step1;
    /// The part of a step after controls and forces are set.
    hooked mj_step2 => step2;
    /// Poses of bodies, joints, geoms and sites.
    alone mj_kinematics => compute_kinematics;
    /// Centres of mass, inertias and motion axes about them.
    alone mj_comPos => compute_com;
    /// Poses of cameras and lights.
    alone mj_camlight => compute_view;
    /// Vertices, boxes and edges of flexes.
    alone mj_flex => compute_flex;
    /// Tendon lengths, paths and Jacobians.
    alone mj_tendon => compute_tendon;
    /// Poses, centres of mass, cameras and lights, tendons.
    alone mj_fwdKinematics => forward_kinematics;
    /// Contacts between geoms.
    hooked mj_collision => compute_contacts;
    /// Constraint rows: equalities, dry friction, limits, contacts.
    alone mj_makeConstraint => compute_constraints;
    /// Couplings of the constraint rows, for solvers that work on forces.
    alone mj_projectConstraint => project_constraints;
    /// Groups of trees that constraints tie together.
    alone mj_island => compute_islands;
    /// Spatial velocities about the centres of mass.
    alone mj_comVel => compute_com_velocity;
    /// Springs, dampers, gravity compensation, fluid.
    hooked mj_passive => compute_passive;
    /// What the constraint rows aim at.
    alone mj_referenceConstraint => compute_reference;
    /// Joint-space inertia of the bodies, without the armature of tendons.
    alone mj_crb => compute_body_inertia;
    /// Joint-space inertia.
    alone mj_makeM => compute_inertia;
    /// Factor of the joint-space inertia.
    alone mj_factorM => factor_inertia;
    /// Actuator lengths and moments.
    alone mj_transmission => compute_transmission;
    /// Everything that depends on positions alone.
    hooked mj_fwdPosition => forward_position;
    /// Everything that depends on positions and velocities.
    hooked mj_fwdVelocity => forward_velocity;
    /// Actuator forces and activation rates.
    hooked mj_fwdActuation => compute_actuation;
    /// Sum of the smooth forces and the acceleration it causes.
    alone mj_fwdAcceleration => compute_smooth_acceleration;
    /// Constraint forces and the resulting acceleration.
    hooked mj_fwdConstraint => solve_constraints;
    /// All derived quantities of the current state and input.
    hooked mj_forward => forward;
    /// The force that makes the accelerations `qacc`, into `qfrc_inverse`.
    hooked mj_inverse => inverse;
    /// The positions' part of inverse dynamics.
    hooked mj_invPosition => inverse_position;
    /// The velocities' part of inverse dynamics.
    hooked mj_invVelocity => forward_velocity;
    /// Constraint forces at the accelerations `qacc`.
    hooked mj_invConstraint => inverse_constraints;
    /// Sensors that depend on positions.
    hooked mj_sensorPos => compute_sensors(Stage::Pos);
    /// Sensors that depend on velocities.
    hooked mj_sensorVel => compute_sensors(Stage::Vel);
    /// Sensors that depend on forces and accelerations.
    hooked mj_sensorAcc => compute_sensors(Stage::Acc);
    /// Potential energy, into `energy[0]`.
    alone mj_energyPos => compute_potential_energy;
    /// Kinetic energy, into `energy[1]`.
    alone mj_energyVel => compute_kinetic_energy;
    /// Counts and resets bad positions.
    alone mj_checkPos => check_position;
    /// Counts and resets bad velocities.
    alone mj_checkVel => check_velocity;
    /// Counts and resets bad accelerations.
    hooked mj_checkAcc => check_acceleration;
    /// Advances the state by the semi-implicit Euler rule.
    hooked mj_Euler => integrate(Integrator::Euler);
    /// How well inverse dynamics returns what forward dynamics was given, into `solver_fwdinv`.
    hooked mj_compareFwdInv => compare_forward_inverse;
    /// Linear velocity and angular momentum of subtrees.
    alone mj_subtreeVel => subtree_momentum;
    /// Accelerations of bodies and forces between them.
    alone mj_rnePostConstraint => body_forces;
}

/// As in the reference a diverging state is counted and reset, and the simulation goes on. What is
/// left after that is an error.
pub fn outcome<E: Into<StepError>>(step: Result<(), E>) -> PyResult<()> {
    match step.map_err(E::into) {
        Ok(()) | Err(StepError::Diverged(_)) => Ok(()),
        Err(error) => Err(failure::exception("StepError", error.to_string())),
    }
}

/// Advances the simulation. As in the reference a state that diverges is counted in the warnings
/// and reset. Ctrl-C ends the call, also inside a long step, which then leaves the state as it was before; nobody
/// else gets in before the last step. A hook
/// that raises leaves the state as it was before the step it raised in.
#[pyfunction]
#[pyo3(signature = (model, data, nstep, hooks=None))]
pub fn mj_step(
    model: &Bound<'_, NativeModel>,
    data: &Bound<'_, NativeData>,
    nstep: i64,
    hooks: Option<&Bound<'_, PyTuple>>,
) -> PyResult<()> {
    const EVERYTHING: i32 = (1 << 14) - 1;
    let own = data.get();
    own.check_fits(model)?;
    let held = own.place.claim()?;
    let has_hooks = hooks.is_some();
    compute_held(model, own, held, hooks, |engine, data| {
        let model = engine.model;
        let size = state_size(model, EVERYTHING).unwrap_or(0);
        let mut before = vec![0.0; if has_hooks { size } else { 0 }];
        for _ in 0..nstep {
            if has_hooks {
                let _ = data.get_state(model, EVERYTHING, &mut before);
            }
            let done = engine.step(data);
            if engine.parts.has_failed() {
                let _ = data.set_state(model, EVERYTHING, &before);
                break;
            }
            outcome(done)?;
        }
        Ok(())
    })
}

/// The stage with this code; anything else is an error.
fn stage(code: i32) -> PyResult<Stage> {
    Stage::from_code(code).ok_or_else(|| {
        let message = format!("{code} is no mjtStage: mjSTAGE_NONE, _POS, _VEL or _ACC");
        PyValueError::new_err(message)
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
#[pyo3(signature = (model, data, skipstage, skipsensor, hooks=None))]
pub fn mj_forwardSkip(
    model: &Bound<'_, NativeModel>,
    data: &Bound<'_, NativeData>,
    skipstage: i32,
    skipsensor: i32,
    hooks: Option<&Bound<'_, PyTuple>>,
) -> PyResult<()> {
    let (current, sensors) = (stage(skipstage)?, sensors(skipsensor));
    hooked(model, data, hooks, |engine, data| {
        engine.forward_from(data, current, sensors)
    })
}

/// Inverse dynamics of what comes after a stage that is still current.
#[pyfunction]
#[pyo3(signature = (model, data, skipstage, skipsensor, hooks=None))]
pub fn mj_inverseSkip(
    model: &Bound<'_, NativeModel>,
    data: &Bound<'_, NativeData>,
    skipstage: i32,
    skipsensor: i32,
    hooks: Option<&Bound<'_, PyTuple>>,
) -> PyResult<()> {
    let (current, sensors) = (stage(skipstage)?, sensors(skipsensor));
    hooked(model, data, hooks, |engine, data| {
        engine.inverse_from(data, current, sensors)
    })
}

/// Advances the state by the implicit rule that the model asks for.
#[pyfunction]
#[pyo3(signature = (model, data, hooks=None))]
pub fn mj_implicit(
    model: &Bound<'_, NativeModel>,
    data: &Bound<'_, NativeData>,
    hooks: Option<&Bound<'_, PyTuple>>,
) -> PyResult<()> {
    compute(
        model,
        data,
        hooks,
        |engine, data| match Integrator::from_code(engine.model.opt.integrator) {
            Some(rule @ (Integrator::Implicit | Integrator::Implicitfast)) => {
                outcome(engine.integrate(data, rule))
            }
            _ => Err(failure::wrong_call(
                "the model's integrator must be implicit or implicitfast",
            )),
        },
    )
}

/// Advances the state by Runge and Kutta's rule of order 4.
#[pyfunction]
#[pyo3(signature = (model, data, N, hooks=None))]
pub fn mj_RungeKutta(
    model: &Bound<'_, NativeModel>,
    data: &Bound<'_, NativeData>,
    N: i32,
    hooks: Option<&Bound<'_, PyTuple>>,
) -> PyResult<()> {
    if N != 4 {
        let message = format!("only the rule of order 4 is there, not {N}");
        return Err(failure::wrong_call(message));
    }
    hooked(model, data, hooks, |engine, data| {
        engine.integrate(data, Integrator::Rk4)
    })
}

/// Panics while it has the data, so that a test can see what a fault of ours leaves behind.
#[pyfunction]
pub fn fail_in_data(model: &Bound<'_, NativeModel>, data: &Bound<'_, NativeData>) -> PyResult<()> {
    hooked(model, data, None, |_, _| -> Result<(), CallError> {
        panic!("failed on purpose")
    })
}
