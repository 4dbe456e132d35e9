//! Parts side by side.

use super::{
    ActuatorGain, Bending, ConstraintSolver, ContactFilter, Controller, Elasticity, Laws, Nothing,
    Observer, Parts, PassiveForce, Physics, Prepared, PreparedGain, PreparedSolver, UserActuators,
    UserSensors,
};
use crate::engine::Engine;
use sinew_solver::Patience;

/// Parts side by side, each of its own type. Made by the methods of [`Engine`].
#[derive(Clone, Copy, Debug, Default)]
pub struct Composition<
    C = Nothing,
    F = Nothing,
    P = Nothing,
    A = Nothing,
    S = Nothing,
    O = Nothing,
    L = Physics,
> {
    /// Sets controls.
    pub controller: C,
    /// Decides which geoms may touch.
    pub contact_filter: F,
    /// Adds to the passive forces.
    pub passive_force: P,
    /// Drives the actuators of type `user`.
    pub actuators: A,
    /// Fills the sensors of type `user`.
    pub sensors: S,
    /// Hears where stages begin and end.
    pub observer: O,
    /// Takes the place of laws.
    pub laws: L,
}

impl<C, F, P, A, S, O, L> Parts for Composition<C, F, P, A, S, O, L>
where
    C: Controller,
    F: ContactFilter,
    P: PassiveForce,
    A: UserActuators,
    S: UserSensors,
    O: Observer,
    L: Laws,
{
    type Controller = C;
    type ContactFilter = F;
    type PassiveForce = P;
    type Actuators = A;
    type Sensors = S;
    type Observer = O;
    type Laws = L;

    #[inline]
    fn controller(&mut self) -> &mut C {
        &mut self.controller
    }

    #[inline]
    fn contact_filter(&mut self) -> &mut F {
        &mut self.contact_filter
    }

    #[inline]
    fn passive_force(&mut self) -> &mut P {
        &mut self.passive_force
    }

    #[inline]
    fn actuators(&mut self) -> &mut A {
        &mut self.actuators
    }

    #[inline]
    fn sensors(&mut self) -> &mut S {
        &mut self.sensors
    }

    #[inline]
    fn observer(&mut self) -> &mut O {
        &mut self.observer
    }

    #[inline]
    fn laws(&mut self) -> &mut L {
        &mut self.laws
    }

    #[inline]
    fn laws_ref(&self) -> &L {
        &self.laws
    }

    #[inline]
    fn laws_and_patience(&mut self) -> (&mut L, Option<&mut dyn Patience>) {
        (&mut self.laws, self.observer.patience())
    }
}

macro_rules! places {
    ($( $(#[$doc:meta])* $method:ident: $role:ident => [$($type:ty),*], $($other:ident)*; )*) => {
        /// The same parts with one more, or with another one in its place.
        impl<C, F, P, A, S, O, L> Composition<C, F, P, A, S, O, L> {
            $(
                $(#[$doc])*
                pub fn $method<N: $role>(self, part: N) -> Composition<$($type),*> {
                    let Composition { $method: _, $($other),* } = self;
                    Composition { $method: part, $($other),* }
                }
            )*
        }

        /// The same engine with one more part, or with another one in its place.
        impl<'m, C, F, P, A, S, O, L> Engine<'m, Composition<C, F, P, A, S, O, L>> {
            $(
                $(#[$doc])*
                pub fn $method<N: $role>(self, part: N) -> Engine<'m, Composition<$($type),*>> {
                    Engine { model: self.model, parts: self.parts.$method(part) }
                }
            )*
        }
    };
}

places! {
    /// With a controller.
    controller: Controller => [N, F, P, A, S, O, L],
        contact_filter passive_force actuators sensors observer laws;
    /// With a contact filter.
    contact_filter: ContactFilter => [C, N, P, A, S, O, L],
        controller passive_force actuators sensors observer laws;
    /// With a passive force.
    passive_force: PassiveForce => [C, F, N, A, S, O, L],
        controller contact_filter actuators sensors observer laws;
    /// With user actuators.
    actuators: UserActuators => [C, F, P, N, S, O, L],
        controller contact_filter passive_force sensors observer laws;
    /// With user sensors.
    sensors: UserSensors => [C, F, P, A, N, O, L],
        controller contact_filter passive_force actuators observer laws;
    /// With an observer.
    observer: Observer => [C, F, P, A, S, N, L],
        controller contact_filter passive_force actuators sensors laws;
    /// With all laws at once, such as those of a preset.
    laws: Laws => [C, F, P, A, S, O, N],
        controller contact_filter passive_force actuators sensors observer;
}

macro_rules! one_law {
    ($( $(#[$doc:meta])* $method:ident: $role:ident => [$($type:ty),*]; )*) => {
        /// The same parts with another law.
        impl<C, F, P, A, S, O, B, E, G, V> Composition<C, F, P, A, S, O, Physics<B, E, G, V>> {
            $(
                $(#[$doc])*
                pub fn $method<N: $role>(
                    self,
                    law: N,
                ) -> Composition<C, F, P, A, S, O, Physics<$($type),*>> {
                    let Composition {
                        controller, contact_filter, passive_force, actuators, sensors, observer, laws,
                    } = self;
                    let laws = laws.$method(law);
                    Composition {
                        controller, contact_filter, passive_force, actuators, sensors, observer, laws,
                    }
                }
            )*
        }

        /// The same engine with another law.
        impl<'m, C, F, P, A, S, O, B, E, G, V>
            Engine<'m, Composition<C, F, P, A, S, O, Physics<B, E, G, V>>>
        {
            $(
                $(#[$doc])*
                pub fn $method<N: $role>(
                    self,
                    law: N,
                ) -> Engine<'m, Composition<C, F, P, A, S, O, Physics<$($type),*>>> {
                    Engine { model: self.model, parts: self.parts.$method(law) }
                }
            )*
        }
    };
}

one_law! {
    /// With a law of how flexes bend.
    bending: Bending => [Prepared<N>, E, G, V];
    /// With a law of what keeps elements of flexes in shape.
    elasticity: Elasticity => [B, Prepared<N>, G, V];
    /// With a law of which force controls and activations make.
    gain: ActuatorGain => [B, E, PreparedGain<N>, V];
    /// With another solver.
    solver: ConstraintSolver => [B, E, G, PreparedSolver<N>];
}
