//! Parts side by side.

use super::{
    ContactFilter, Controller, Nothing, Observer, Parts, PassiveForce, UserActuators, UserSensors,
};
use crate::engine::Engine;
use sinew_model::Model;

/// Parts side by side, each of its own type. Made by the methods of [`Engine`].
#[derive(Clone, Copy, Debug, Default)]
pub struct Composition<C = Nothing, F = Nothing, P = Nothing, A = Nothing, S = Nothing, O = Nothing>
{
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
}

impl<C, F, P, A, S, O> Parts for Composition<C, F, P, A, S, O>
where
    C: Controller,
    F: ContactFilter,
    P: PassiveForce,
    A: UserActuators,
    S: UserSensors,
    O: Observer,
{
    type Controller = C;
    type ContactFilter = F;
    type PassiveForce = P;
    type Actuators = A;
    type Sensors = S;
    type Observer = O;

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
}

/// The same engine with one more part, or with another one in its place.
impl<'m, C, F, P, A, S, O> Engine<'m, Composition<C, F, P, A, S, O>> {
    /// With a controller.
    pub fn controller<N: Controller>(self, part: N) -> Engine<'m, Composition<N, F, P, A, S, O>> {
        let old = self.parts;
        compose(
            self.model,
            part,
            old.contact_filter,
            old.passive_force,
            old.actuators,
            old.sensors,
            old.observer,
        )
    }

    /// With a contact filter.
    pub fn contact_filter<N: ContactFilter>(
        self,
        part: N,
    ) -> Engine<'m, Composition<C, N, P, A, S, O>> {
        let old = self.parts;
        compose(
            self.model,
            old.controller,
            part,
            old.passive_force,
            old.actuators,
            old.sensors,
            old.observer,
        )
    }

    /// With a passive force.
    pub fn passive_force<N: PassiveForce>(
        self,
        part: N,
    ) -> Engine<'m, Composition<C, F, N, A, S, O>> {
        let old = self.parts;
        compose(
            self.model,
            old.controller,
            old.contact_filter,
            part,
            old.actuators,
            old.sensors,
            old.observer,
        )
    }

    /// With user actuators.
    pub fn actuators<N: UserActuators>(self, part: N) -> Engine<'m, Composition<C, F, P, N, S, O>> {
        let old = self.parts;
        compose(
            self.model,
            old.controller,
            old.contact_filter,
            old.passive_force,
            part,
            old.sensors,
            old.observer,
        )
    }

    /// With user sensors.
    pub fn sensors<N: UserSensors>(self, part: N) -> Engine<'m, Composition<C, F, P, A, N, O>> {
        let old = self.parts;
        compose(
            self.model,
            old.controller,
            old.contact_filter,
            old.passive_force,
            old.actuators,
            part,
            old.observer,
        )
    }

    /// With an observer.
    pub fn observer<N: Observer>(self, part: N) -> Engine<'m, Composition<C, F, P, A, S, N>> {
        let old = self.parts;
        compose(
            self.model,
            old.controller,
            old.contact_filter,
            old.passive_force,
            old.actuators,
            old.sensors,
            part,
        )
    }
}

/// An engine of all its parts.
fn compose<C, F, P, A, S, O>(
    model: &Model,
    controller: C,
    contact_filter: F,
    passive_force: P,
    actuators: A,
    sensors: S,
    observer: O,
) -> Engine<'_, Composition<C, F, P, A, S, O>> {
    let parts = Composition {
        controller,
        contact_filter,
        passive_force,
        actuators,
        sensors,
        observer,
    };
    Engine { model, parts }
}
