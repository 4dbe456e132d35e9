//! What can be wrong with a call, and with a step.
//!
//! A call whose arguments do not fit together changes nothing. A step that meets a bad value (not a
//! number, or beyond 10¹⁰) says so and leaves the simulation usable, see [`StepError`].

use crate::data::Data;
use crate::integrate::has_stages;
use crate::is_enabled;
use core::fmt;
use sinew_model::Model;
use sinew_model::change::ChangeError;
use sinew_model::kinds::{Cone, EnableFlag, Integrator, Solver, Warning};

/// Iterations beyond this are an error, so that every step ends.
const MAX_ITERATIONS: i32 = 1_000_000;

/// A call whose arguments do not fit together. Nothing was changed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CallError {
    /// The simulation was made for a model of another structure.
    ForeignModel,
    /// The model has no body, not even the world: nobody has compiled it.
    NoWorld,
    /// There is no such object.
    Index {
        /// Which kind of object.
        what: &'static str,
        /// The index asked for.
        index: usize,
        /// How many there are.
        count: usize,
    },
    /// A slice has another length than the model asks for.
    Length {
        /// Which argument.
        what: &'static str,
        /// The length it must have.
        expected: usize,
        /// The length it has.
        found: usize,
    },
    /// Objects of this kind have no frame.
    NoFrame,
    /// An option has a code without a meaning, or asks for more than a million iterations.
    Option {
        /// Which option.
        name: &'static str,
        /// What it is.
        value: i32,
    },
    /// A contact cannot have this dimension.
    Dimension(i32),
    /// A number is infinite or none at all.
    NotFinite(&'static str),
    /// The joint-space inertia was computed and not factored since.
    NotFactored,
    /// Discrete inverse dynamics of a Runge–Kutta step, which has no single acceleration.
    NoDiscreteInverse,
}

impl fmt::Display for CallError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            CallError::ForeignModel => {
                write!(f, "the simulation belongs to a model of another structure")
            }
            CallError::NoWorld => write!(f, "the model is empty, it has no world body"),
            CallError::Index { what, index, count } => {
                write!(f, "there is no {what} {index}, the model has {count}")
            }
            CallError::Length {
                what,
                expected,
                found,
            } => write!(f, "{what} needs {expected} numbers, it has {found}"),
            CallError::NoFrame => write!(f, "objects of this kind have no frame"),
            CallError::Option { name, value } => write!(f, "option {name} cannot be {value}"),
            CallError::Dimension(dim) => {
                write!(f, "a contact has dimension 1, 3, 4 or 6, not {dim}")
            }
            CallError::NotFinite(what) => write!(f, "{what} must be finite"),
            CallError::NotFactored => {
                write!(f, "the inertia is not factored: run `factor_inertia`")
            }
            CallError::NoDiscreteInverse => {
                write!(f, "discrete inverse dynamics is not defined for RK4")
            }
        }
    }
}

impl core::error::Error for CallError {}

/// The length of a slice argument.
pub(crate) fn check_length(
    what: &'static str,
    expected: usize,
    found: usize,
) -> Result<(), CallError> {
    if expected == found {
        Ok(())
    } else {
        Err(CallError::Length {
            what,
            expected,
            found,
        })
    }
}

/// The index of an object.
pub(crate) fn check_index(what: &'static str, index: usize, count: usize) -> Result<(), CallError> {
    if index < count {
        Ok(())
    } else {
        Err(CallError::Index { what, index, count })
    }
}

/// A bad value that a step met.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Diverged {
    /// Which array: positions, velocities or accelerations.
    pub warning: Warning,
    /// The first bad entry.
    pub index: usize,
}

impl fmt::Display for Diverged {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let what = match self.warning {
            Warning::Badqpos => "position",
            Warning::Badqvel => "velocity",
            _ => "acceleration",
        };
        write!(f, "{what} {} is not finite or too large", self.index)
    }
}

impl core::error::Error for Diverged {}

/// Why a step did not simply advance the simulation. Stepping may go on after any of them.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum StepError {
    /// A bad value was met and counted, and the simulation reset unless the model disables automatic
    /// resets. The step then went on as in the reference: time has advanced by one step.
    Diverged(Diverged),
    /// The values are bad even in the reset state. The step ended there: the simulation is in its
    /// initial state, at time 0, with all derived arrays zero.
    StillBad(Diverged),
    /// The time step is not positive or not finite. Nothing was changed.
    Timestep(f64),
    /// A number of the model makes no sense. Nothing was changed.
    Value(ChangeError),
    /// Simulation and model do not belong together, or the model asks for what is not defined.
    /// Nothing was changed.
    Call(CallError),
    /// The observer refused to go on. State and input are as they were; derived arrays are those of an
    /// unfinished computation.
    Interrupted,
}

impl StepError {
    /// The bad value, if that is what was wrong.
    pub fn diverged(&self) -> Option<Diverged> {
        match self {
            StepError::Diverged(bad) | StepError::StillBad(bad) => Some(*bad),
            _ => None,
        }
    }
}

impl fmt::Display for StepError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            StepError::Diverged(bad) => bad.fmt(f),
            StepError::StillBad(bad) => write!(f, "{bad}, even after a reset"),
            StepError::Timestep(h) => write!(f, "the time step must be positive, it is {h}"),
            StepError::Value(error) => error.fmt(f),
            StepError::Call(error) => error.fmt(f),
            StepError::Interrupted => write!(f, "the step was interrupted"),
        }
    }
}

impl core::error::Error for StepError {}

impl From<CallError> for StepError {
    fn from(error: CallError) -> Self {
        StepError::Call(error)
    }
}

impl From<Diverged> for StepError {
    fn from(bad: Diverged) -> Self {
        StepError::Diverged(bad)
    }
}

/// Arrays that users write: state and input.
const WRITTEN: [&str; 13] = [
    "qpos",
    "qvel",
    "act",
    "history",
    "qacc_warmstart",
    "plugin_state",
    "ctrl",
    "qfrc_applied",
    "xfrc_applied",
    "eq_active",
    "mocap_pos",
    "mocap_quat",
    "userdata",
];

/// The lengths that [`WRITTEN`] arrays have for a model.
#[inline]
fn expected_lengths(model: &Model) -> [usize; WRITTEN.len()] {
    [
        model.nq,
        model.nv,
        model.na,
        model.nhistory,
        model.nv,
        model.npluginstate,
        model.nu,
        model.nv,
        model.nbody,
        model.neq,
        model.nmocap,
        model.nmocap,
        model.nuserdata,
    ]
}

/// The first array of another length than expected.
#[cold]
fn misshapen(
    expected: [usize; WRITTEN.len()],
    found: [usize; WRITTEN.len()],
) -> Result<(), CallError> {
    let pairs = expected.into_iter().zip(found);
    WRITTEN
        .into_iter()
        .zip(pairs)
        .try_for_each(|(what, (expected, found))| check_length(what, expected, found))
}

/// The first option that means nothing or asks for too much.
#[cold]
fn wrong_option(model: &Model) -> Result<(), CallError> {
    let opt = &model.opt;
    let is_short = |count: i32| count <= MAX_ITERATIONS;
    let options = [
        (
            "solver",
            opt.solver,
            Solver::from_code(opt.solver).is_some(),
        ),
        (
            "integrator",
            opt.integrator,
            Integrator::from_code(opt.integrator).is_some(),
        ),
        ("cone", opt.cone, Cone::from_code(opt.cone).is_some()),
        ("iterations", opt.iterations, is_short(opt.iterations)),
        (
            "ls_iterations",
            opt.ls_iterations,
            is_short(opt.ls_iterations),
        ),
        (
            "noslip_iterations",
            opt.noslip_iterations,
            is_short(opt.noslip_iterations),
        ),
        (
            "ccd_iterations",
            opt.ccd_iterations,
            is_short(opt.ccd_iterations),
        ),
    ];
    let wrong = options.into_iter().find(|(_, _, is_right)| !is_right);
    wrong.map_or(Ok(()), |(name, value, _)| {
        Err(CallError::Option { name, value })
    })
}

impl Data {
    /// Whether this simulation was made for a model of that structure: the model itself, or one that
    /// differs in numbers only; and whether state and input still have their lengths. Every call
    /// begins with this.
    #[inline]
    pub fn check_model(&self, model: &Model) -> Result<(), CallError> {
        if self.signature != model.signature {
            return Err(CallError::ForeignModel);
        }
        // One comparison for all lengths: this runs before every step.
        let pairs = self.lengths().into_iter().zip(expected_lengths(model));
        let differences = pairs.fold(0, |differences, (a, b)| differences | (a ^ b));
        if differences == 0 && model.nbody > 0 {
            return Ok(());
        }
        if model.nbody == 0 {
            return Err(CallError::NoWorld);
        }
        misshapen(expected_lengths(model), self.lengths())
    }

    /// Whether two simulations are of models of the same structure, with all their state.
    pub(crate) fn check_same_structure(&self, other: &Data) -> Result<(), CallError> {
        if self.signature != other.signature {
            return Err(CallError::ForeignModel);
        }
        misshapen(self.lengths(), other.lengths())
    }

    /// Lengths of the arrays that users write, in the order of [`WRITTEN`].
    #[inline]
    fn lengths(&self) -> [usize; WRITTEN.len()] {
        let (state, input) = (&self.state, &self.input);
        [
            state.qpos.len(),
            state.qvel.len(),
            state.act.len(),
            state.history.len(),
            state.qacc_warmstart.len(),
            state.plugin_state.len(),
            input.ctrl.len(),
            input.qfrc_applied.len(),
            input.xfrc_applied.len(),
            input.eq_active.len(),
            input.mocap_pos.len(),
            input.mocap_quat.len(),
            input.userdata.len(),
        ]
    }

    /// What a stage needs before it starts: its model, and options that mean something.
    #[inline]
    pub(crate) fn check_stages(&self, model: &Model) -> Result<(), CallError> {
        self.check_model(model)?;
        let opt = &model.opt;
        let is_known = Solver::from_code(opt.solver).is_some()
            & Integrator::from_code(opt.integrator).is_some()
            & Cone::from_code(opt.cone).is_some();
        let longest = (opt.iterations.max(opt.ls_iterations))
            .max(opt.noslip_iterations.max(opt.ccd_iterations));
        if is_known && longest <= MAX_ITERATIONS {
            return Ok(());
        }
        wrong_option(model)
    }

    /// What a step needs before it starts.
    pub(crate) fn check_step(&self, model: &Model) -> Result<(), StepError> {
        self.check_stages(model)?;
        let timestep = model.opt.timestep;
        if !(timestep > 0.0 && timestep.is_finite()) {
            return Err(StepError::Timestep(timestep));
        }
        model.check_masses().map_err(StepError::Value)?;
        if is_enabled(model, EnableFlag::Fwdinv) {
            self.check_inverse(model)?;
        }
        Ok(())
    }

    /// Whether inverse dynamics is defined for a model's settings.
    pub fn check_inverse(&self, model: &Model) -> Result<(), CallError> {
        self.check_stages(model)?;
        let is_discrete = is_enabled(model, EnableFlag::Invdiscrete);
        let integrator = Integrator::from_code(model.opt.integrator);
        if is_discrete && integrator.is_some_and(has_stages) {
            return Err(CallError::NoDiscreteInverse);
        }
        Ok(())
    }
}
