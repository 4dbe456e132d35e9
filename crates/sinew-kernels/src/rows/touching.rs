//! Rows of contacts. A thread looks at each pair of geoms that are near each other; when all know how many contacts come
//! before theirs, a thread makes out how hard each contact is, and a thread per degree of freedom writes the entries of all.

use super::making::{Marks, pull, settings};
use super::memory::{FOUND, Lists, ORDER, PLACED};
use crate::Number;
use crate::block::{Event, NO_ROW, Problem, TOUCH, Words};
use crate::contact::{Finder, Pair, Spots};
use crate::local::{Local, com_of, kinematics_of};
use crate::meeting::{MET, counted};
use crate::near::{Near, before};
use crate::scene::Scene;
use crate::warp::{LANES, Lanes, Shared, Warp};
use core::cell::Cell;
use sinew_collision::pair::{Touch, TouchSlots};
use sinew_dynamics::com::ComRef;
use sinew_dynamics::jacobian::{Moves, difference_column, offset};
use sinew_dynamics::kinematics::KinematicsRef;
use sinew_dynamics::row::HardnessMut;
use sinew_dynamics::row::contact::{self, DIRECTIONS, Friction, RowsMut};
use sinew_math::series::Cells;
use sinew_math::spatial::{Spatial, rotation};
use sinew_math::{Mat3, Vec3};

/// Rows and cones so far, and contacts for which there was no room.
#[derive(Clone, Copy)]
struct Filled {
    rows: usize,
    cones: usize,
    lost: i32,
    /// Contacts that have rows.
    contacts: usize,
    /// Pairs that others have looked at.
    met: usize,
}

/// How hard a row is.
#[derive(Clone, Copy)]
struct Hardness<T> {
    R: T,
    D: T,
    damping: T,
    pull: T,
}

/// A warp that makes the rows of contacts.
struct Touching<'a, T> {
    warp: Warp,
    scene: &'a Scene<'a, T>,
    kinematics: &'a KinematicsRef<'a, T>,
    com: &'a ComRef<'a, T>,
    lists: &'a Lists<'a, T>,
    /// What others have found out: pairs that are near each other, and contacts.
    met: Met<'a, T>,
    /// Whether rows say which degrees of freedom they have.
    has_marks: bool,
    /// Contacts that are kept for sensors.
    keeps: usize,
    /// Whether contacts without rows may be listed, which are kept then.
    lists_all: bool,
}

/// Contacts that others have found: pairs that are near each other, where the contacts of some begin, how many there are, and
/// the contacts.
#[derive(Clone, Copy)]
struct Met<'a, T> {
    near: &'a [i32],
    starts: &'a [i32],
    counts: &'a [i32],
    list: Shared<'a, T>,
}

/// Adds the rows of contacts, but for their velocities; how many rows and cones there are then.
#[inline(always)]
pub(super) fn rows<T: Number, const GENERAL: bool>(
    warp: Warp,
    scene: &Scene<'_, T>,
    at: &Local<'_, T>,
    lists: &Lists<'_, T>,
    rows: usize,
    out: &mut Problem<'_, T>,
    words: &mut Words<'_, i32>,
) -> (usize, usize) {
    let is_met = GENERAL && scene.head.meetings > 0;
    let [close, met] = match is_met {
        true => [words.near_counts[0], words.near_counts[1]].map(|count| count as usize),
        false => [0, 0],
    };
    let kinematics = &kinematics_of(&at.kinematics);
    let touches = core::mem::take(&mut out.met);
    let touching = &Touching::<T> {
        warp,
        scene,
        kinematics,
        com: &com_of(&at.com),
        lists,
        met: Met {
            near: &core::mem::take(&mut words.near)[..close],
            starts: &*core::mem::take(&mut words.met_starts),
            counts: &core::mem::take(&mut words.met_counts)[..met],
            list: Cell::from_mut(touches).as_slice_of_cells(),
        },
        has_marks: GENERAL && scene.head.has_parts != 0,
        keeps: if GENERAL { scene.head.kept_touches } else { 0 },
        lists_all: GENERAL && scene.head.lists_all != 0,
    };
    let mut filled = Filled {
        rows,
        cones: 0,
        lost: 0,
        contacts: 0,
        met: 0,
    };
    if scene.head.pairs == 0 {
        return (filled.rows, filled.cones);
    }
    let near = match is_met {
        true => close,
        false => {
            let near = &Near::new(warp, scene, kinematics, lists.positions);
            near.find(|place, pair| lists.near[place].set(number(pair)))
        }
    };
    let mut first = 0;
    while first < near {
        touching.add::<GENERAL>((first, near), &mut filled, out, words);
        first += LANES;
    }
    if filled.lost > 0 {
        warp.each(1, |_| {
            words.events[Event::LostContact as usize] += filled.lost
        });
    }
    if touching.keeps > 0 {
        warp.each(1, |_| {
            words.touch_count[0] = filled.contacts.min(touching.keeps) as i32
        });
    }
    (filled.rows, filled.cones)
}

impl<T: Number> Touching<'_, T> {
    /// A pair of those that are near each other.
    #[inline(always)]
    fn pair(&self, near: usize) -> (usize, Pair<'_, T>) {
        let index = match self.met.near.is_empty() {
            true => index(self.lists.near[near].get()),
            false => self.met.near[near] as usize,
        };
        (index, Pair::new(self.scene, index))
    }

    /// Where a thread lists contacts of a pair.
    #[inline(always)]
    fn spots(&self, lane: usize) -> Spots<'_, T> {
        let most = self.scene.head.touches;
        Spots {
            list: self.lists.found,
            first: lane,
            step: LANES,
            apart: LANES * most,
            most,
            count: 0,
        }
    }

    /// The contacts of a pair that others have found; `None` if there was no room for them.
    #[inline(always)]
    fn met(&self, slot: usize) -> Option<(i32, i32)> {
        (slot < self.met.counts.len()).then(|| counted(self.met.counts[slot]))
    }

    /// Adds the contacts of some pairs, as far as there is room: none comes after one for which there was none.
    #[inline(always)]
    fn add<const GENERAL: bool>(
        &self,
        (first, near): (usize, usize),
        filled: &mut Filled,
        out: &mut Problem<'_, T>,
        words: &mut Words<'_, i32>,
    ) {
        let (head, lists, warp) = (&self.scene.head, self.lists, self.warp);
        let is_met = |i: usize| self.pair(i).1.finder() != Finder::Rows;
        let are_met = match GENERAL && head.meetings > 0 {
            true => warp.which(first, near, is_met),
            false => 0,
        };
        let start = *filled;
        let slot = |lane: usize| start.met + before(are_met, lane);
        filled.met += are_met.count_ones() as usize;
        let found = Lanes::new(|lane| match first + lane < near {
            true if are_met >> lane & 1 != 0 => self.met(slot(lane)).unwrap_or((0, 0)),
            true => {
                let (_, pair) = self.pair(first + lane);
                pair.at_once::<GENERAL>(self.scene, self.kinematics, self.spots(lane))
            }
            false => (0, 0),
        });
        let contacts = Lanes::new(|lane| found.own(lane).0);
        if warp.which(0, LANES, |lane| found.own(lane).1 > 0) != 0 {
            let (_, shallow) = Lanes::new(|lane| found.own(lane).1).sums();
            warp.each(1, |_| words.events[Event::ShallowTouch as usize] += shallow);
        }
        if warp.which(0, LANES, |lane| contacts.own(lane) > 0) == 0 {
            return;
        }
        // Rows and cones of each contact.
        let each = Lanes::new(|lane| match contacts.own(lane) > 0 {
            true => {
                let friction = self.pair(first + lane).1.friction();
                let cones = usize::from(matches!(friction, Friction::Elliptic(_)));
                (friction.rows() as i32, cones as i32)
            }
            false => (0, 0),
        });
        let spot = |lane: usize, k: i32| match are_met >> lane & 1 != 0 {
            true => self.met.starts[slot(lane)] + k,
            false => k,
        };
        // How many of the first contacts of a thread have rows.
        let felt = |lane: usize, count: i32| match self.lists_all {
            false => count,
            true => {
                let (_, pair) = self.pair((first + lane).min(near - 1));
                let mut felt = 0;
                for k in 0..count {
                    let touch = self.touch(are_met, lane, spot(lane, k) as usize);
                    felt += i32::from(pair.is_felt(touch.dist));
                }
                felt
            }
        };
        let felt_ones = Lanes::new(|lane| felt(lane, contacts.own(lane)));
        let (rows_before, _) = Lanes::new(|i| felt_ones.own(i) * each.own(i).0).sums();
        let (cones_before, _) = match head.cones {
            0 => (Lanes::splat(0), 0),
            _ => Lanes::new(|i| felt_ones.own(i) * each.own(i).1).sums(),
        };
        // Where contact `k` of a thread has its rows and its cone.
        let place = |lane: usize, k: i32| {
            let k = felt(lane, k);
            let row = start.rows as i32 + rows_before.own(lane) + k * each.own(lane).0;
            let cone = start.cones as i32 + cones_before.own(lane) + k * each.own(lane).1;
            (row, cone)
        };
        let (contacts_before, total) = contacts.sums();
        let has_place = |lane: usize, k: i32| {
            let kept = start.contacts as i32 + contacts_before.own(lane) + k;
            !self.lists_all || kept < self.keeps as i32
        };
        let with_room = Lanes::new(|lane| {
            let mut count = 0;
            for k in 0..contacts.own(lane) {
                let (row, cone) = place(lane, k + 1);
                let has_rows = row <= head.rows as i32 && cone <= head.cones as i32;
                count += i32::from(has_rows && has_place(lane, k));
            }
            count
        });
        let felt_ones = Lanes::new(|lane| felt(lane, with_room.own(lane)));
        let (before, made) = felt_ones.sums();
        warp.each(LANES, |lane| {
            for k in 0..with_room.own(lane) {
                let (row, cone) = place(lane, k);
                if self.lists_all && place(lane, k + 1).0 == row {
                    continue;
                }
                let numbers = [row, cone, lane as i32, spot(lane, k)];
                for (i, &x) in numbers.iter().enumerate() {
                    let contact = (before.own(lane) + felt(lane, k)) as usize;
                    lists.order[i * head.rows + contact].set(number(x as usize));
                }
            }
        });
        let (kept_before, kept) = match self.lists_all {
            false => (before, made),
            true => with_room.sums(),
        };
        filled.lost += total - kept;
        let (_, rows) = Lanes::new(|i| felt_ones.own(i) * each.own(i).0).sums();
        let (_, cones) = Lanes::new(|i| felt_ones.own(i) * each.own(i).1).sums();
        (filled.rows, filled.cones) = (start.rows + rows as usize, start.cones + cones as usize);
        self.make((first, are_met), made as usize, out, words);
        if self.lists_all {
            warp.each(LANES, |lane| {
                for k in 0..with_room.own(lane) {
                    let row = place(lane, k).0;
                    let has_rows = place(lane, k + 1).0 > row;
                    let row = if has_rows { row as usize } else { NO_ROW };
                    let touch = self.touch(are_met, lane, spot(lane, k) as usize);
                    let contact = start.contacts + (kept_before.own(lane) + k) as usize;
                    self.keep_one(contact, first + lane, (row, touch), out);
                }
            });
        } else if self.keeps > 0 {
            self.keep((first, are_met), kept as usize, filled.contacts, out);
        }
        filled.contacts += kept as usize;
    }

    /// A contact of the pair of a thread.
    #[inline(always)]
    fn touch(&self, are_met: u32, lane: usize, spot: usize) -> Touch<T> {
        match are_met >> lane & 1 != 0 {
            true => Spots {
                list: self.met.list,
                first: MET * spot,
                step: MET,
                apart: 1,
                most: 1,
                count: 1,
            }
            .get(0),
            false => self.spots(lane).get(spot),
        }
    }

    /// A contact that has rows: row, cone, thread of its pair, and the contact itself.
    #[inline(always)]
    fn placed(&self, are_met: u32, contact: usize) -> (usize, usize, usize, Touch<T>) {
        let rows = self.scene.head.rows;
        let of = |i: usize| index(self.lists.order[i * rows + contact].get());
        let (lane, spot) = (of(2), of(3));
        (of(0), of(1), lane, self.touch(are_met, lane, spot))
    }

    /// Keeps contacts that were found after those that are kept.
    #[inline(always)]
    fn keep(
        &self,
        (first, are_met): (usize, u32),
        contacts: usize,
        before: usize,
        out: &mut Problem<'_, T>,
    ) {
        let room = self.keeps - before.min(self.keeps);
        self.warp.each(contacts.min(room), |i| {
            let (row, _, lane, touch) = self.placed(are_met, i);
            self.keep_one(before + i, first + lane, (row, touch), out);
        });
    }

    /// Keeps a contact of a pair of those that are near each other.
    #[inline(always)]
    fn keep_one(
        &self,
        contact: usize,
        near: usize,
        (row, touch): (usize, Touch<T>),
        out: &mut Problem<'_, T>,
    ) {
        let (pair, _) = self.pair(near);
        let kept = &mut out.touches.as_chunks_mut::<TOUCH>().0[contact];
        let frame = touch.frame();
        for k in 0..9 {
            kept[k] = frame.0[k];
        }
        for k in 0..3 {
            kept[9 + k] = touch.pos[k];
        }
        kept[12] = touch.dist;
        kept[13] = number(row);
        kept[14] = number(pair);
    }

    /// Makes the rows of contacts that were found, 32 at a time.
    #[inline(always)]
    fn make(
        &self,
        group: (usize, u32),
        contacts: usize,
        out: &mut Problem<'_, T>,
        words: &mut Words<'_, i32>,
    ) {
        let mut done = 0;
        while done < contacts {
            let count = LANES.min(contacts - done);
            self.warp.each(count, |i| {
                self.harden(group, done + i, i, out, words);
            });
            self.warp.each(self.scene.head.nv, |dof| {
                let cdof = *self.com.cdof.at(dof);
                for i in 0..count {
                    self.entries(dof, &cdof, i, out);
                }
            });
            done += LANES;
        }
    }

    /// Places a contact, and makes out how hard it is.
    #[inline(always)]
    fn harden(
        &self,
        (first, are_met): (usize, u32),
        contact: usize,
        i: usize,
        out: &mut Problem<'_, T>,
        words: &mut Words<'_, i32>,
    ) {
        let lists = self.lists;
        let (row, cone, lane, touch) = self.placed(are_met, contact);
        let (index, pair) = self.pair(first + lane);
        let place = |k: usize, x: T| lists.placed[k * LANES + i].set(x);
        let frame = touch.frame();
        for k in 0..9 {
            place(k, frame.0[k]);
        }
        let bodies = pair.bodies();
        for side in 0..2 {
            let (tree, com) = (&self.scene.tree, self.com.subtree_com);
            let offset = offset(tree, com, bodies[side], touch.pos);
            for k in 0..3 {
                place(9 + 3 * side + k, offset[k]);
            }
        }
        place(15, number(row));
        place(16, number(index));
        let head = &self.scene.head;
        if self.has_marks {
            let marks = &mut Marks::new(head, words.row_dofs);
            let (movers, length) = (self.scene.tables.movers, head.dof_words());
            for k in 0..pair.friction().rows() {
                marks.put_words(row + k, |word| {
                    let [first, second] = bodies.map(|body| movers[body * length + word]);
                    match head.is_sparse {
                        // What moves both alike is left out.
                        0 => first ^ second,
                        _ => first | second,
                    }
                });
            }
        }
        let mut put = |k: usize, hard: Hardness<T>| {
            let row = row + k;
            (out.R[row], out.D[row]) = (hard.R, hard.D);
            (out.frictionloss[row], out.aref[row]) = (T::ZERO, hard.pull);
            lists.damping[row].set(hard.damping);
        };
        match pair.friction() {
            Friction::None => put(0, self.rows::<1>(&pair, Friction::None, touch.dist).0[0]),
            Friction::Pyramidal(dim) => {
                // All rows of a pyramid are as hard as the first.
                let (rows, _) = self.rows::<2>(&pair, Friction::Pyramidal(2), touch.dist);
                for k in 0..2 * (dim - 1) {
                    put(k, rows[0]);
                }
            }
            Friction::Elliptic(dim) => {
                let most = Friction::Elliptic(DIRECTIONS);
                let (rows, slope) = self.rows::<DIRECTIONS>(&pair, most, touch.dist);
                for k in 0..DIRECTIONS {
                    if k < dim {
                        put(k, rows[k]);
                    }
                }
                let shape = &mut out.cone_shapes.as_chunks_mut::<6>().0[cone];
                shape[0] = slope;
                for k in 0..5 {
                    shape[1 + k] = pair.coefficient(k);
                }
                words.cone_rows[cone] = row as i32;
                words.cone_dims[cone] = dim as i32;
            }
        }
    }

    /// How hard rows of a contact are, and the slope of its cone.
    #[inline(always)]
    fn rows<const N: usize>(
        &self,
        pair: &Pair<'_, T>,
        friction: Friction,
        dist: T,
    ) -> ([Hardness<T>; N], T) {
        let (mut pos, mut margin) = ([T::ZERO; N], [T::ZERO; N]);
        let (mut R, mut D, mut diagonal) = ([T::ZERO; N], [T::ZERO; N], [T::ZERO; N]);
        let mut parameters = [[T::ZERO; 4]; N];
        let slope = contact::rows(
            friction,
            &pair.contact(dist),
            &settings(self.scene),
            (&[], 0),
            &mut RowsMut {
                efc_J: &mut [],
                efc_pos: &mut pos,
                efc_margin: &mut margin,
                hardness: HardnessMut {
                    efc_diagApprox: &mut diagonal,
                    efc_R: &mut R,
                    efc_D: &mut D,
                    efc_KBIP: &mut parameters,
                },
            },
        );
        let rows = core::array::from_fn(|k| Hardness {
            R: R[k],
            D: D[k],
            damping: parameters[k][1],
            pull: pull(parameters[k], pos[k] - margin[k]),
        });
        (rows, slope)
    }

    /// The entries of a degree of freedom in the rows of a contact.
    #[inline(always)]
    fn entries(&self, dof: usize, cdof: &Spatial<T>, i: usize, out: &mut Problem<'_, T>) {
        let cell = |k: usize| self.lists.placed[k * LANES + i].get();
        let (row, pair) = (index(cell(15)), Pair::new(self.scene, index(cell(16))));
        let (stride, friction) = (self.scene.head.stride(), pair.friction());
        let along = self.directions(dof, cdof, &pair, cell);
        let mut put = |k: usize, entry: T| out.J[(row + k) * stride + dof] = entry;
        match friction {
            Friction::None => put(0, along[0]),
            Friction::Pyramidal(dim) => {
                for k in 0..DIRECTIONS - 1 {
                    if k + 1 < dim {
                        let slide = along[k + 1] * pair.coefficient(k);
                        put(2 * k, along[0] + slide);
                        put(2 * k + 1, along[0] - slide);
                    }
                }
            }
            Friction::Elliptic(dim) => {
                for k in 0..DIRECTIONS {
                    if k < dim {
                        put(k, along[k]);
                    }
                }
            }
        }
    }

    /// How a degree of freedom moves the bodies of a contact against each other.
    #[inline(always)]
    fn directions(
        &self,
        dof: usize,
        cdof: &Spatial<T>,
        pair: &Pair<'_, T>,
        cell: impl Fn(usize) -> T,
    ) -> [T; DIRECTIONS] {
        let mut out = [T::ZERO; DIRECTIONS];
        let (movers, words) = (self.scene.tables.movers, self.scene.head.dof_words());
        let [first, second] = pair
            .bodies()
            .map(|body| movers[body * words + dof / 32] >> (dof % 32) & 1 != 0);
        if first == second {
            return out;
        }
        let (moves, turning) = match first {
            true => (Moves::First, -rotation(cdof)),
            false => (Moves::Second, rotation(cdof)),
        };
        let vector = |k: usize| Vec3([cell(k), cell(k + 1), cell(k + 2)]);
        let sliding = difference_column(cdof, moves, [vector(9), vector(12)]);
        let frame = &Mat3(core::array::from_fn(&cell));
        let motion = (&[sliding][..], &[turning][..]);
        contact::known_directions(&[0], motion, frame, pair.friction().dim(), &mut out);
        out
    }
}

/// A small number as the memory of a warp has it.
#[inline(always)]
fn number<T: Number>(i: usize) -> T {
    T::from_f64(f64::from(i as u32))
}

/// And back.
#[inline(always)]
pub(crate) fn index<T: Number>(x: T) -> usize {
    x.to_f64() as u32 as usize
}

const _: () = assert!(FOUND == 10 && PLACED == 17 && ORDER == 4);
