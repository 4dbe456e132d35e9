//! What a law of users or ours has to do: force laws of flexes, gains of actuators, solvers of constraint rows.
//!
//! A law works in two phases. *Prepare* is called for each object when the law first meets a model and again
//! when the model has changed: it says whether the law takes the object, and may compute what does not change from step to
//! step. *Apply* is called in every evaluation, once per flex, once for all actuators that are taken, once per solve,
//! never per element. What the law does not take follows the model.

use super::Nothing;
use super::rows::FlexRows;
use core::fmt;
use sinew_math::Vec3;
use sinew_model::Model;
use sinew_model::kinds::ObjectType;

/// Why a law cannot be used.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LawError {
    /// What it was meant for, such as `` flex `cloth` ``.
    pub object: String,
    /// What is wrong.
    pub reason: String,
}

impl LawError {
    /// An error about one object.
    pub fn new(object: impl Into<String>, reason: impl Into<String>) -> Self {
        LawError {
            object: object.into(),
            reason: reason.into(),
        }
    }

    /// An error about a flex.
    pub fn of_flex(model: &Model, flex: usize, reason: impl Into<String>) -> Self {
        let name = model.name(ObjectType::Flex, flex).unwrap_or_default();
        LawError::new(format!("flex `{name}`"), reason)
    }

    /// An error about an actuator.
    pub fn of_actuator(model: &Model, actuator: usize, reason: impl Into<String>) -> Self {
        let name = model
            .name(ObjectType::Actuator, actuator)
            .unwrap_or_default();
        LawError::new(format!("actuator `{name}`"), reason)
    }
}

impl fmt::Display for LawError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.object, self.reason)
    }
}

impl std::error::Error for LawError {}

/// What a law remembers from step to step. It belongs to the simulation: a reset clears it, and it is saved and
/// restored with the state. A law without such memory has nothing to implement.
pub trait Memory {
    /// Back to the beginning.
    fn reset(&mut self) {}

    /// The numbers to save.
    fn numbers(&self) -> &[f64] {
        &[]
    }

    /// The same for writing: as many as are saved.
    fn numbers_mut(&mut self) -> &mut [f64] {
        &mut []
    }
}

impl<M: Memory + ?Sized> Memory for &mut M {
    fn reset(&mut self) {
        (**self).reset();
    }

    fn numbers(&self) -> &[f64] {
        (**self).numbers()
    }

    fn numbers_mut(&mut self) -> &mut [f64] {
        (**self).numbers_mut()
    }
}

/// A place for a law, as far as memory goes: nothing to remember where there is none.
pub trait Slot {
    /// Clears what the law remembers.
    #[inline]
    fn reset(&mut self) {}

    /// Appends what the law remembers.
    #[inline]
    fn save(&self, _out: &mut Vec<f64>) {}

    /// Takes what it remembers from the front of what was saved; none: there are too few numbers.
    #[inline]
    fn restore<'a>(&mut self, saved: &'a [f64]) -> Option<&'a [f64]> {
        Some(saved)
    }
}

impl Slot for Nothing {}

/// Takes numbers from the front of what was saved; none: there are too few.
pub(super) fn take<'a>(saved: &'a [f64], out: &mut [f64]) -> Option<&'a [f64]> {
    let (first, rest) = saved.split_at_checked(out.len())?;
    out.copy_from_slice(first);
    Some(rest)
}

/// One flex in one evaluation.
#[derive(Clone, Copy, Debug)]
pub struct FlexView<'a> {
    /// The model.
    pub model: &'a Model,
    /// Which flex.
    pub flex: usize,
    /// Positions of its vertices in the world, m.
    pub xpos: &'a [Vec3],
    /// Their velocities in the world, m/s.
    pub velocity: &'a [Vec3],
    /// Whether springs act; otherwise elastic forces of laws that the flag rules are absent.
    pub has_springs: bool,
    /// Whether dampers act.
    pub has_dampers: bool,
}

/// Forces on the vertices of one flex, to which a law adds its own.
#[derive(Debug)]
pub struct FlexLoad<'a> {
    /// What ends up in `qfrc_spring`, N per vertex in the world.
    pub spring: &'a mut [Vec3],
    /// What ends up in `qfrc_damper`.
    pub damper: &'a mut [Vec3],
    /// Elements found inside out; they are counted as a warning.
    pub inverted: usize,
}

/// A force law of flexes.
///
/// ```
/// # use sinew_engine::{FlexLaw, FlexLoad, FlexView, LawError, Memory, Elasticity};
/// # use sinew_model::Model;
/// /// Springs along the edges of elements, as stiff as one number says.
/// #[derive(Clone, Debug)]
/// struct Net {
///     stiffness: f64,
/// }
///
/// impl Memory for Net {}
///
/// impl FlexLaw for Net {
///     fn prepare(&mut self, _: &Model, _: usize) -> Result<bool, LawError> {
///         Ok(true) // every flex is made of it, and nothing is to be computed beforehand
///     }
///
///     fn add_force(&mut self, view: &FlexView<'_>, load: &mut FlexLoad<'_>) {
///         for edge in sinew_engine::flex::edges(view.model, view.flex) {
///             let [a, b] = view.model.flex_edge[edge].map(|vertex| vertex as usize);
///             let side = view.xpos[b] - view.xpos[a];
///             let stretch = side.norm() - view.model.flexedge_length0[edge];
///             let pull = side.normalized() * (self.stiffness * stretch);
///             load.spring[a] += pull;
///             load.spring[b] -= pull;
///         }
///     }
/// }
///
/// impl Elasticity for Net {}
/// ```
pub trait FlexLaw: Memory {
    /// Whether it takes a flex, after it computed what does not change from step to step.
    fn prepare(&mut self, model: &Model, flex: usize) -> Result<bool, LawError>;

    /// Adds its forces on the vertices of a flex that it has taken.
    fn add_force(&mut self, view: &FlexView<'_>, load: &mut FlexLoad<'_>);

    /// Adds ∂force/∂q̇ to `qDeriv`, whose entries [`derivative::entry`](crate::derivative::entry) finds, for the
    /// implicit integrators. As the reference's laws, one that adds nothing is integrated explicitly.
    fn add_velocity_derivative(&mut self, _view: &FlexView<'_>, _derivative: &mut [f64]) {}
}

/// How flexes of two dimensions resist being bent.
pub trait Bending: FlexLaw {}

/// What keeps the elements of flexes in shape: by forces, by constraint rows, or by both.
pub trait Elasticity: FlexLaw {
    /// Adds constraint rows of a flex that it has taken, where the model has an equality that keeps the shape of that flex:
    /// `<equality><flex/>`, or `<edge equality="true"/>` of a flexcomp. True if they take the place of that equality's
    /// rows, which otherwise stay.
    fn add_rows(&mut self, _rows: &mut FlexRows<'_>) -> bool {
        false
    }
}

impl<L: FlexLaw + ?Sized> FlexLaw for &mut L {
    fn prepare(&mut self, model: &Model, flex: usize) -> Result<bool, LawError> {
        (**self).prepare(model, flex)
    }

    fn add_force(&mut self, view: &FlexView<'_>, load: &mut FlexLoad<'_>) {
        (**self).add_force(view, load);
    }

    fn add_velocity_derivative(&mut self, view: &FlexView<'_>, derivative: &mut [f64]) {
        (**self).add_velocity_derivative(view, derivative);
    }
}

impl<L: Bending + ?Sized> Bending for &mut L {}
impl<L: Elasticity + ?Sized> Elasticity for &mut L {
    fn add_rows(&mut self, rows: &mut FlexRows<'_>) -> bool {
        (**self).add_rows(rows)
    }
}
