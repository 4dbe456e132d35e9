//! What touches what, and how hard.

use super::Simulation;
use crate::ids::{FlexId, GeomId, Id, Names};
use sinew_engine::Data;
use sinew_engine::position::contact::Contact;
use sinew_math::Vec3;
use sinew_model::Model;

/// A contact of two geoms or flexes.
///
/// ```
/// use sinew::prelude::*;
/// let mut sim = Simulation::new(Model::built_in("box_pile")?);
/// sim.step_for(1.0)?;
/// let hardest = sim.contacts().map(|touch| touch.normal_force()).fold(0.0, f64::max);
/// let deepest = sim.contacts().map(|touch| touch.distance()).fold(0.0, f64::min);
/// assert!(hardest > 0.0 && deepest > -0.01);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug)]
pub struct Touch<'a> {
    model: &'a Model,
    data: &'a Data,
    index: usize,
    contact: &'a Contact,
}

impl<'a> Touch<'a> {
    /// The geoms on both sides; none where a flex is.
    pub fn geoms(&self) -> [Option<GeomId>; 2] {
        self.contact.geom.map(known)
    }

    /// The flexes on both sides; none where a geom is.
    pub fn flexes(&self) -> [Option<FlexId>; 2] {
        self.contact.flex.map(known)
    }

    /// The names of both sides, empty where there is none.
    pub fn names(&self) -> [&'a str; 2] {
        let (geoms, flexes) = (self.geoms(), self.flexes());
        [0, 1].map(|side| {
            let geom = geoms[side].and_then(|geom| self.model.name_of(geom));
            let flex = || flexes[side].and_then(|flex| self.model.name_of(flex));
            geom.or_else(flex).unwrap_or("")
        })
    }

    /// Whether a geom is on one of its sides.
    pub fn involves(&self, geom: GeomId) -> bool {
        self.geoms().contains(&Some(geom))
    }

    /// The point between the surfaces, in the world.
    pub fn position(&self) -> Vec3 {
        self.contact.pos
    }

    /// The direction from the first side to the second, in the world.
    pub fn normal(&self) -> Vec3 {
        self.contact.frame.row(0)
    }

    /// The distance between the surfaces; negative where they overlap.
    pub fn distance(&self) -> f64 {
        self.contact.dist
    }

    /// The force on the second side, in the world; the first side feels its opposite. Zero before the contact
    /// was solved for.
    pub fn force(&self) -> Vec3 {
        let force = self.in_frame();
        let frame = &self.contact.frame;
        frame.row(0) * force[0] + frame.row(1) * force[1] + frame.row(2) * force[2]
    }

    /// The part of the force that pushes the sides apart.
    pub fn normal_force(&self) -> f64 {
        self.in_frame()[0]
    }

    /// All the engine knows about it: friction, constraint parameters, elements and vertices of flexes.
    pub fn record(&self) -> &'a Contact {
        self.contact
    }

    fn in_frame(&self) -> [f64; 6] {
        let force = self.data.contact_force(self.model, self.index);
        force.unwrap_or_default()
    }
}

fn known<I: Id>(id: i32) -> Option<I> {
    usize::try_from(id).ok().map(I::at)
}

impl<P> Simulation<P> {
    /// The contacts, as of the last step's start or the last [`Simulation::forward`].
    ///
    /// ```
    /// use sinew::prelude::*;
    /// let mut sim = Simulation::new(Model::built_in("box_pile")?);
    /// sim.step_for(0.5)?;
    /// for touch in sim.contacts() {
    ///     let [first, second] = touch.names();
    ///     println!("{first} and {second} with {:.1} N", touch.normal_force());
    /// }
    /// assert!(sim.contacts().any(|touch| touch.normal_force() > 0.0));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn contacts(&self) -> impl Iterator<Item = Touch<'_>> {
        let (model, data) = (&*self.model, &self.data);
        let contacts = data.position.contacts.contact.iter().enumerate();
        contacts.map(move |(index, contact)| Touch {
            model,
            data,
            index,
            contact,
        })
    }
}
