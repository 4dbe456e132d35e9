//! Pairs of geoms whose contacts take long to find: boxes, meshes, height fields and other convex shapes.
//!
//! A warp looks which of them are close in its world, and gives each a place for its contacts. Then a thread looks at each, of
//! whichever world: those of a kind side by side, and those that need much memory last. Who makes the rows finds the contacts in the
//! order of the pairs, whoever came first.

use crate::Number;
use crate::block::{Event, Problem, Words};
use crate::contact::{Finder, Pair, Spots};
use crate::local::{Local, kinematics_of};
use crate::near::{Near, before};
use crate::scene::{Head, Scene};
use crate::warp::{LANES, Lanes, Warp};
use core::cell::Cell;
use sinew_collision::convex::{self, Search};
use sinew_math::series::Series;

/// Numbers of a contact: distance, position, normal, tangent.
pub const MET: usize = 10;

/// Numbers of memory of a thread that looks at pairs which overlap.
#[inline(always)]
pub fn polytope_length(head: &Head) -> usize {
    convex::room(head.ccd_iterations).next_multiple_of(4)
}

/// Numbers of working memory of a warp that looks which pairs are close.
pub fn memory_length(head: &Head) -> usize {
    match head.meetings {
        0 => 0,
        _ => (3 * head.ngeom).next_multiple_of(4),
    }
}

/// Lists the pairs of a world that are close, and those among them that others look at. `send` is told how, in which place, and
/// by which threads: bits of those that have one.
#[inline(always)]
pub fn find<T: Number>(
    warp: Warp,
    scene: &Scene<'_, T>,
    (memory, quick): (&mut Series<T>, &mut Series<T>),
    own: &mut [T],
    words: &mut Words<'_, i32>,
    mut send: impl FnMut(Finder, u32, Lanes<i32>),
) {
    let head = &scene.head;
    let at = &Local::cut(head, memory, quick);
    let kinematics = &kinematics_of(&at.kinematics);
    let near = Cell::from_mut(&mut *words.near).as_slice_of_cells();
    let positions = Cell::from_mut(own).as_slice_of_cells();
    let looked = &Near::new(warp, scene, kinematics, positions);
    let count_near = looked.find(|place, pair| near[place].set(pair as i32));
    let (mut close, mut met, mut touches, mut first) = (0, 0, 0, 0);
    let mut lost = 0;
    while first < count_near {
        let pairs = Lanes::new(|lane| near[(first + lane).min(count_near - 1)].get());
        let pair = |lane: usize| Pair::new(scene, pairs.own(lane) as usize);
        let are_close = warp.which(first, count_near, |i| {
            !pair(i - first).is_clearly_apart(scene, kinematics)
        });
        let finders = Lanes::new(|lane| match are_close >> lane & 1 {
            0 => Finder::Rows,
            _ => pair(lane).finder(),
        });
        let are_met = warp.which(0, LANES, |lane| finders.own(lane) != Finder::Rows);
        let sizes = Lanes::new(|lane| match are_met >> lane & 1 {
            0 => 0,
            _ => pair(lane).most_touches() as i32,
        });
        let (sizes_before, size) = sizes.sums();
        let start = |lane: usize| touches + sizes_before.own(lane) as usize;
        let slot = |lane: usize| met + before(are_met, lane);
        let has_room = |lane: usize| {
            let end = start(lane) + sizes.own(lane) as usize;
            slot(lane) < head.meetings && end <= head.met_touches
        };
        let with_room = warp.which(0, LANES, |lane| are_met >> lane & 1 != 0 && has_room(lane));
        warp.each(LANES, |lane| {
            if are_close >> lane & 1 != 0 {
                near[close + before(are_close, lane)].set(pairs.own(lane));
            }
            if with_room >> lane & 1 != 0 {
                words.met_pairs[slot(lane)] = pairs.own(lane);
                words.met_starts[slot(lane)] = start(lane) as i32;
            }
        });
        let slots = Lanes::new(|lane| slot(lane) as i32);
        for finder in [Finder::Formula, Finder::Distance, Finder::Polytope] {
            let theirs = warp.which(0, LANES, |lane| finders.own(lane) == finder) & with_room;
            if theirs != 0 {
                send(finder, theirs, slots);
            }
        }
        lost += (are_met & !with_room).count_ones() as i32;
        // None comes after one for which there was no room.
        met += are_met.count_ones() as usize;
        touches += size as usize;
        close += are_close.count_ones() as usize;
        first += LANES;
    }
    warp.each(1, |_| {
        words.near_counts[0] = close as i32;
        words.near_counts[1] = (met as i32 - lost).max(0);
        words.events[Event::LostContact as usize] += lost;
    });
}

/// A pair that a thread looks at.
pub struct Meeting<'a, T> {
    pair: Pair<'a, T>,
    slot: usize,
    start: usize,
}

/// A world of which a thread reads poses, and writes the contacts of a pair.
pub struct Place<'a, 'b, T> {
    /// Memory of the world through its step.
    pub memory: (&'a mut Series<T>, &'a mut Series<T>),
    /// Its problem.
    pub problem: &'a mut Problem<'b, T>,
    /// Its words.
    pub words: &'a mut Words<'b, i32>,
}

impl<'a, T: Number> Meeting<'a, T> {
    /// By its number.
    #[inline(always)]
    pub fn new(scene: &Scene<'a, T>, words: &Words<'_, i32>, slot: usize) -> Self {
        Meeting {
            pair: Pair::new(scene, words.met_pairs[slot] as usize),
            slot,
            start: words.met_starts[slot] as usize,
        }
    }

    /// How its contacts are found.
    #[inline(always)]
    pub fn finder(&self) -> Finder {
        self.pair.finder()
    }

    /// Where the contacts are listed.
    #[inline(always)]
    fn spots<'b>(&self, list: &'b mut [T]) -> Spots<'b, T> {
        Spots {
            list: Cell::from_mut(list).as_slice_of_cells(),
            first: MET * self.start,
            step: MET,
            apart: 1,
            most: self.pair.most_touches(),
            count: 0,
        }
    }

    /// Finds contacts by a formula.
    #[inline(always)]
    pub fn compute(&self, scene: &Scene<'_, T>, place: &mut Place<'_, '_, T>) {
        let at = &Local::cut(&scene.head, &mut *place.memory.0, &mut *place.memory.1);
        let found = self.pair.by_formula(
            scene,
            &kinematics_of(&at.kinematics),
            self.spots(place.problem.met),
        );
        self.tell(found, place.words);
    }

    /// Finds the contact of convex shapes that do not overlap much; whether that was all.
    #[inline(always)]
    pub fn measure(&self, scene: &Scene<'_, T>, place: &mut Place<'_, '_, T>) -> bool {
        let at = &Local::cut(&scene.head, &mut *place.memory.0, &mut *place.memory.1);
        let Search::Ended(touch) = self
            .pair
            .begin_convex(scene, &kinematics_of(&at.kinematics))
        else {
            return false;
        };
        let found = self.pair.found(touch, self.spots(place.problem.met));
        self.tell(found, place.words);
        true
    }

    /// Finds contacts of shapes that overlap, or of a height field, with the help of memory.
    #[inline(always)]
    pub fn expand(&self, scene: &Scene<'_, T>, place: &mut Place<'_, '_, T>, memory: &mut [T]) {
        let at = &Local::cut(&scene.head, &mut *place.memory.0, &mut *place.memory.1);
        let found = self.pair.with_polytope(
            scene,
            &kinematics_of(&at.kinematics),
            memory,
            self.spots(place.problem.met),
        );
        self.tell(found, place.words);
    }

    /// Says how many contacts there are. How many the reference may have lost is added up by who makes the rows.
    #[inline(always)]
    fn tell(&self, (contacts, shallow): (i32, i32), words: &mut Words<'_, i32>) {
        words.met_counts[self.slot] = contacts | shallow << SHALLOW;
    }
}

/// Bits of a word that count contacts; the others count those that the reference may have lost.
pub(crate) const SHALLOW: u32 = 16;

/// Counts what happened to a world in which nobody looked.
#[inline(always)]
pub(crate) fn counted(word: i32) -> (i32, i32) {
    (word & ((1 << SHALLOW) - 1), word >> SHALLOW)
}
