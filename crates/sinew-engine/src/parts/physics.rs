//! The laws of an engine side by side, each of its own type.
//!
//! A place without a law ([`Nothing`]) leaves nothing behind when it is compiled: what the model says happens.

use super::Nothing;
use super::gain::{ActuatorGain, GainSlot, PreparedGain};
use super::law::{Bending, Elasticity, LawError, Slot};
use super::prepared::Prepared;
use super::rows::LawRows;
use super::solver::{ConstraintSolver, PreparedSolver, SolverSlot};
use crate::law::{Dihedral, NeoHookean, Xpbd};
use crate::position::com::Com;
use crate::position::flex::Flex;
use crate::velocity::passive::flex::law::{Evaluation, FlexLoads, Forces};
use sinew_model::Model;

/// A place for a law of flexes.
pub trait FlexSlot: Slot {
    /// Prepares the law for a model: an error if it refuses an object.
    #[inline]
    fn check(&mut self, _model: &Model) -> Result<(), LawError> {
        Ok(())
    }

    /// Adds the forces on a flex. False if the law does not take it, or there is none.
    #[inline(always)]
    fn add_force(
        &mut self,
        _evaluation: &Evaluation<'_>,
        _flex: usize,
        _loads: &mut FlexLoads,
        _forces: Forces<'_>,
    ) -> bool {
        false
    }

    /// Adds the derivatives by velocity of the forces on all flexes that the law takes.
    #[inline(always)]
    fn add_velocity_derivative(
        &mut self,
        _evaluation: &Evaluation<'_>,
        _loads: &mut FlexLoads,
        _derivative: &mut [f64],
    ) {
    }
}

impl FlexSlot for Nothing {}

/// A place for a law of elasticity.
pub trait ElasticitySlot: FlexSlot {
    /// Adds the constraint rows of all flexes that the law takes.
    #[inline(always)]
    fn add_rows(&mut self, _model: &Model, _moving: (&Com, &Flex), _out: &mut LawRows) {}
}

impl ElasticitySlot for Nothing {}

/// The laws of an engine, by type. Made by the methods of [`Engine`](crate::Engine) and of builders that are named after
/// them.
#[derive(Clone, Copy, Debug, Default)]
pub struct Physics<B = Nothing, E = Nothing, G = Nothing, V = Nothing> {
    /// How flexes of two dimensions bend.
    pub bending: B,
    /// What keeps elements in shape.
    pub elasticity: E,
    /// Which force controls and activations make.
    pub gain: G,
    /// Who finds the forces of constraint rows.
    pub solver: V,
}

/// All laws of an engine.
pub trait Laws {
    /// How flexes of two dimensions bend.
    type Bending: FlexSlot;
    /// What keeps elements in shape.
    type Elasticity: ElasticitySlot;
    /// Which force controls and activations make.
    type Gain: GainSlot;
    /// Who finds the forces of constraint rows.
    type Solver: SolverSlot;

    /// How flexes of two dimensions bend.
    fn bending(&mut self) -> &mut Self::Bending;
    /// What keeps elements in shape.
    fn elasticity(&mut self) -> &mut Self::Elasticity;
    /// Which force controls and activations make.
    fn gain(&mut self) -> &mut Self::Gain;
    /// Who finds the forces of constraint rows.
    fn solver(&mut self) -> &mut Self::Solver;

    /// Prepares all laws for a model: an error if one refuses an object.
    fn check(&mut self, model: &Model) -> Result<(), LawError>;
    /// Clears what laws remember.
    fn reset(&mut self);
    /// What laws remember.
    fn save(&self, out: &mut Vec<f64>);
    /// Puts back what was saved. False if it is not of these laws.
    fn restore(&mut self, saved: &[f64]) -> bool;
}

impl<B: FlexSlot, E: ElasticitySlot, G: GainSlot, V: SolverSlot> Laws for Physics<B, E, G, V> {
    type Bending = B;
    type Elasticity = E;
    type Gain = G;
    type Solver = V;

    #[inline(always)]
    fn bending(&mut self) -> &mut B {
        &mut self.bending
    }

    #[inline(always)]
    fn elasticity(&mut self) -> &mut E {
        &mut self.elasticity
    }

    #[inline(always)]
    fn gain(&mut self) -> &mut G {
        &mut self.gain
    }

    #[inline(always)]
    fn solver(&mut self) -> &mut V {
        &mut self.solver
    }

    #[inline]
    fn check(&mut self, model: &Model) -> Result<(), LawError> {
        self.bending.check(model)?;
        self.elasticity.check(model)?;
        self.gain.check(model)?;
        self.solver.check(model)
    }

    #[inline]
    fn reset(&mut self) {
        self.bending.reset();
        self.elasticity.reset();
        self.gain.reset();
        self.solver.reset();
    }

    #[inline]
    fn save(&self, out: &mut Vec<f64>) {
        self.bending.save(out);
        self.elasticity.save(out);
        self.gain.save(out);
        self.solver.save(out);
    }

    #[inline]
    fn restore(&mut self, saved: &[f64]) -> bool {
        let rest = self.bending.restore(saved);
        let rest = rest.and_then(|rest| self.elasticity.restore(rest));
        let rest = rest.and_then(|rest| self.gain.restore(rest));
        let rest = rest.and_then(|rest| self.solver.restore(rest));
        rest.is_some_and(<[f64]>::is_empty)
    }
}

/// Presets.
impl Physics {
    /// Everything as the model says: the reference's laws.
    pub fn conformant() -> Self {
        Physics::default()
    }

    /// Cloth that stays finite whatever its stiffness, and contacts that let nothing in: hinges that are limited, and
    /// projection.
    pub fn animation() -> Physics<Prepared<Dihedral>, Nothing, Nothing, PreparedSolver<Xpbd>> {
        let physics = Physics::conformant().bending(Dihedral::default());
        physics.solver(Xpbd::default())
    }

    /// Soft bodies that withstand being crushed: neo-Hookean elements, with the model's bending and solver.
    pub fn soft_body() -> Physics<Nothing, Prepared<NeoHookean>> {
        Physics::conformant().elasticity(NeoHookean::default())
    }
}

macro_rules! laws {
    ($( $(#[$doc:meta])* $method:ident: $role:ident => $holder:ident [$($type:ty),*], $($other:ident)*; )*) => {
        /// The same laws with another one in its place.
        impl<B, E, G, V> Physics<B, E, G, V> {
            $(
                $(#[$doc])*
                pub fn $method<N: $role>(self, law: N) -> Physics<$($type),*> {
                    let Physics { $method: _, $($other),* } = self;
                    Physics { $method: $holder::new(law), $($other),* }
                }
            )*
        }
    };
}

laws! {
    /// With a law of how flexes bend.
    bending: Bending => Prepared [Prepared<N>, E, G, V], elasticity gain solver;
    /// With a law of what keeps elements of flexes in shape.
    elasticity: Elasticity => Prepared [B, Prepared<N>, G, V], bending gain solver;
    /// With a law of which force controls and activations make.
    gain: ActuatorGain => PreparedGain [B, E, PreparedGain<N>, V], bending elasticity solver;
    /// With another solver.
    solver: ConstraintSolver => PreparedSolver [B, E, G, PreparedSolver<N>], bending elasticity gain;
}
