//! What a world has in memory between the kernels: a block of numbers, and some words.

use crate::Number;
use crate::meeting::MET;
use crate::newton::parts;
use crate::scene::Head;
use core::ops::Range;

macro_rules! layout {
    (
        $(#[$layout_meta:meta])*
        pub struct $name:ident($view:ident) of $cell:ident {
            $( $(#[$meta:meta])* $column:ident : |$head:ident| $count:expr, )*
        }
    ) => {
        $(#[$layout_meta])*
        #[allow(non_snake_case)]
        #[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
        pub struct $name {
            $( $(#[$meta])* pub $column: [usize; 2], )*
            /// How much all of it is: a multiple of four.
            pub length: usize,
        }

        impl $name {
            /// For a model.
            #[inline(always)]
            pub fn new(head: &Head) -> Self {
                let mut out = Self::default();
                $( {
                    let $head = head;
                    let end = out.length + $count;
                    out.$column = [out.length, end];
                    out.length = end;
                } )*
                out.length = out.length.next_multiple_of(4);
                out
            }
        }

        #[doc = concat!("[`", stringify!($name), "`] of one world.")]
        #[allow(non_snake_case)]
        #[derive(Debug)]
        pub struct $view<'a, $cell> { $( $(#[$meta])* pub $column: &'a mut [$cell], )* }

        impl<'a, $cell> $view<'a, $cell> {
            /// Cuts a block.
            #[inline(always)]
            pub fn cut(layout: &$name, block: &'a mut [$cell]) -> Self {
                let rest = block;
                $( let (cut, rest) = rest.split_at_mut(layout.$column[1] - layout.$column[0]); let $column = cut; )*
                let _ = rest;
                $view { $( $column, )* }
            }
        }
    };
}

layout! {
    /// Where in a world's block the state is, in numbers.
    pub struct StateLayout(State) of T {
        /// Positions.
        qpos: |head| head.nq,
        /// Velocities.
        qvel: |head| head.nv,
        /// Activations.
        act: |head| head.na,
        /// Acceleration of the last step.
        warm_start: |head| head.nv,
        /// Force that the user applies.
        applied: |head| head.nv,
        /// Forces and torques that the user applies to bodies, where there is room for them.
        wrenches: |head| 6 * head.nbody * head.wrenches,
        /// Positions of mocap bodies.
        mocap_pos: |head| 3 * head.nmocap,
        /// Orientations of mocap bodies.
        mocap_quat: |head| 4 * head.nmocap,
        /// 1 where an equality is active.
        eq_active: |head| head.neq,
    }
}

layout! {
    /// Where in a world's block of the problem its parts are, in numbers.
    pub struct ProblemLayout(Problem) of T {
        /// Rows of the Jacobian, [`Head::stride`] apart. They come first: rows begin at multiples of four.
        J: |head| head.rows * head.stride(),
        /// Acceleration.
        qacc: |head| head.nv,
        /// Force of constraints.
        qfrc_constraint: |head| head.nv,
        /// Rates of activations.
        act_dot: |head| head.na,
        /// Forces of actuators.
        actuator_force: |head| head.nu,
        /// What sensors read in the last step.
        sensordata: |head| head.nsensordata,
        /// Turns costs into the unit of the tolerance.
        scale: |_head| 1,
        /// Inverse regularisation, per row.
        D: |head| head.rows,
        /// Regularisation, per row.
        R: |head| head.rows,
        /// Bound of dry friction, per row.
        frictionloss: |head| head.rows,
        /// Reference acceleration, per row.
        aref: |head| head.rows,
        /// Shapes of cones, six numbers each.
        cone_shapes: |head| 6 * head.cones,
        /// Forces of rows, where sensors read them.
        force: |head| head.rows * head.senses_rows,
        /// Contacts, where sensors read them: [`TOUCH`] numbers each.
        touches: |head| TOUCH * head.kept_touches,
        /// Contacts that threads have found for who makes rows: [`MET`] numbers each.
        met: |head| MET * head.met_touches,
    }
}

layout! {
    /// Where a world's words are.
    pub struct WordLayout(Words) of I {
        /// Number of rows; of equalities; of dry friction; of cones.
        counts: |_head| 4,
        /// What happened: see [`Event`].
        events: |_head| EVENTS,
        /// Which stage of a step is next; below 0 where the world rests.
        stage: |_head| 1,
        /// First row of each cone.
        cone_rows: |head| head.cones,
        /// Rows of each cone.
        cone_dims: |head| head.cones,
        /// Degrees of freedom of each row, a bit each, where worlds have parts.
        row_dofs: |head| head.rows * head.row_words(),
        /// Working memory of who solves them.
        parts: |head| parts::word_length(head),
        /// How many contacts are kept, where sensors read them.
        touch_count: |head| usize::from(head.kept_touches > 0),
        /// Where sensors read the kinetic energy of the step before: whether it is known, and its bits.
        energy: |head| 3 * head.remembers_energy,
        /// The equality of each of their rows, where sensors read forces between bodies.
        equality_ids: |head| 6 * head.equalities * head.senses_forces,
        /// Where threads look at pairs first: how many are near each other, and how many of them they look at.
        near_counts: |head| 2 * usize::from(head.meetings > 0),
        /// The pairs that are near each other.
        near: |head| head.pairs * usize::from(head.meetings > 0),
        /// The pairs that threads look at.
        met_pairs: |head| head.meetings,
        /// Where the contacts of each begin.
        met_starts: |head| head.meetings,
        /// And how many there are: see [`crate::meeting`].
        met_counts: |head| head.meetings,
    }
}

/// Numbers of a contact that is kept: frame, position, distance, first row ([`NO_ROW`]: none), pair.
pub const TOUCH: usize = 15;

/// In place of the first row of a contact that has none: exact in single precision.
pub const NO_ROW: usize = 1 << 24;

/// Kinds of events.
pub const EVENTS: usize = 5;

/// What may happen to a world; each is counted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Event {
    /// Positions, velocities or accelerations were no numbers, or too large: the world began anew.
    BadState = 0,
    /// A contact was left out because there was no room for its rows.
    LostContact = 1,
    /// Geoms touched so little that the reference may not see it.
    ShallowTouch = 2,
    /// Iterations of the solver, all together.
    Iterations = 3,
    /// A control was no number, or too large: all controls of the step counted as 0.
    BadControl = 4,
}

/// Counts an event.
#[inline(always)]
pub fn count(events: &mut [i32], event: Event) {
    events[event as usize] = events[event as usize].saturating_add(1);
}

/// Numbers beyond this count as bad.
const MOST: f64 = 1e10;

/// Whether one of the numbers is none, or too large.
#[inline(always)]
pub fn has_bad<T: Number>(numbers: &[T]) -> bool {
    let mut is_bad = false;
    for x in numbers {
        is_bad |= !x.abs().at_most(T::from_f64(MOST));
    }
    is_bad
}

/// The part of a slice that a place names.
#[inline(always)]
pub fn range([start, end]: [usize; 2]) -> Range<usize> {
    start..end
}
