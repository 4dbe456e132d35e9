//! Bodies that stick to what they touch, by a team, once contacts and their rows are known.
//!
//! An actuator pulls its body against the mean of the normal directions of the body's contacts, as
//! `sinew_engine::position::transmission` says: the first row of each contact, the mean of the edges of its pyramid, or the
//! normal itself where it is within its gap. Only then do actuators act, and is the acceleration known that there would be
//! without constraints.

use crate::Number;
use crate::block::{Problem, State, Words};
use crate::forces::{self, Accelerated};
use crate::local::Local;
use crate::scene::Scene;
use crate::sense::{Kept, Seen};
use crate::smooth::factor;
use crate::team::Team;
use sinew_dynamics::com::ComRef;
use sinew_dynamics::jacobian::{Moves, difference_column, offset};
use sinew_dynamics::row::contact::Friction;
use sinew_math::series::{Cells, Series};

/// Contacts and their rows.
pub(crate) struct Grip<'a, T> {
    scene: &'a Scene<'a, T>,
    kept: Kept<'a, T>,
    J: &'a [T],
}

/// Ends what the team has begun before there were rows: forces of actuators, the sum of all forces, and their acceleration.
#[inline(always)]
pub fn adhere<T: Number>(
    team: Team,
    scene: &Scene<'_, T>,
    state: &State<'_, T>,
    ctrl: &[T],
    out: &mut Problem<'_, T>,
    words: &mut Words<'_, i32>,
    memory: &mut Series<T>,
    quick: &mut Series<T>,
) {
    let at = &mut Local::cut(&scene.head, memory, quick);
    let inertia = &mut at.inertia;
    team.each(scene.head.nC, |i| inertia.qLD[i] = inertia.M[i]);
    factor(team, scene, inertia.qLD, inertia.qLDiagInv);
    let grip = &Grip {
        scene,
        kept: Kept::new(scene, &*out.touches, &[], words),
        J: &*out.J,
    };
    let accelerated = &mut Accelerated {
        act_dot: out.act_dot,
        actuator_force: out.actuator_force,
        events: words.events,
    };
    forces::driven::<T, true>(team, scene, state, ctrl, at, Some(grip), accelerated);
}

impl<T: Number> Grip<'_, T> {
    /// How a degree of freedom moves a body against what it sticks to.
    #[inline(always)]
    pub fn moment(&self, com: &ComRef<'_, T>, body: usize, dof: usize) -> T {
        let (mut sum, mut count) = (T::ZERO, 0);
        for i in 0..self.kept.count {
            let contact = &self.kept.get(i);
            if !contact.pair.bodies().contains(&body) {
                continue;
            }
            if contact.is_felt() {
                self.add_rows(contact, dof, &mut sum);
            } else if contact.pair.is_in_gap(contact.dist) {
                self.add_normal(com, contact, dof, &mut sum);
            } else {
                continue;
            }
            count += 1;
        }
        match count {
            0 => T::ZERO,
            _ => sum * (-T::ONE / T::from_f64(f64::from(count))),
        }
    }

    /// Adds the normal direction of a contact that has rows.
    #[inline(always)]
    fn add_rows(&self, contact: &Seen<'_, T>, dof: usize, sum: &mut T) {
        let (rows, weight) = match contact.pair.friction() {
            Friction::Pyramidal(dim) => {
                let directions = dim - 1;
                (2 * directions, 0.5 / f64::from(directions as u32))
            }
            _ => (1, 1.0),
        };
        let stride = self.scene.head.stride();
        for row in contact.row..contact.row + rows {
            *sum += self.J[row * stride + dof] * T::from_f64(weight);
        }
    }

    /// Adds the normal direction of a contact without rows.
    #[inline(always)]
    fn add_normal(&self, com: &ComRef<'_, T>, contact: &Seen<'_, T>, dof: usize, sum: &mut T) {
        let (scene, bodies) = (self.scene, contact.pair.bodies());
        let (movers, words) = (scene.tables.movers, scene.head.dof_words());
        let moves = bodies.map(|body| movers[body * words + dof / 32] >> (dof % 32) & 1 != 0);
        let moves = match moves {
            [false, false] => return,
            [true, true] => Moves::Both,
            [true, false] => Moves::First,
            [false, true] => Moves::Second,
        };
        let offsets = bodies.map(|body| offset(&scene.tree, com.subtree_com, body, contact.pos));
        let cdof = *com.cdof.at(dof);
        let column = difference_column(&cdof, moves, offsets);
        *sum += column.dot(contact.frame.row(0));
    }
}
