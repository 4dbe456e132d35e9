//! Rows of contacts. A thread looks at each pair of geoms that are near each other; when all know how many contacts come
//! before theirs, a thread makes out how hard each contact is, and a thread per degree of freedom writes the entries of all.

use super::making::{Marks, pull, settings};
use super::memory::{FOUND, Lists, PLACED};
use crate::Number;
use crate::block::{Event, Problem, TOUCH, Words};
use crate::contact::{BOXES, CONVEX, POLYTOPES, Pair, pairs_at_once, polytope_length};
use crate::local::{Local, com_of, kinematics_of};
use crate::scene::Scene;
use crate::warp::{LANES, Lanes, Shared, Warp};
use sinew_collision::convex::Search;
use sinew_collision::pair::{Touch, TouchSlots, Touches};
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
struct Touching<'a, T, const SKILL: usize> {
    warp: Warp,
    scene: &'a Scene<'a, T>,
    kinematics: &'a KinematicsRef<'a, T>,
    com: &'a ComRef<'a, T>,
    lists: &'a Lists<'a, T>,
    /// Whether rows say which degrees of freedom they have.
    has_marks: bool,
    /// Contacts that are kept for sensors.
    keeps: usize,
}

/// Adds the rows of contacts, but for their velocities; how many rows and cones there are then.
#[inline(always)]
pub(super) fn rows<T: Number, const GENERAL: bool, const SKILL: usize>(
    warp: Warp,
    scene: &Scene<'_, T>,
    at: &Local<'_, T>,
    (lists, polytopes): (&Lists<'_, T>, &mut [T]),
    rows: usize,
    out: &mut Problem<'_, T>,
    words: &mut Words<'_, i32>,
) -> (usize, usize) {
    let touching = &Touching::<T, SKILL> {
        warp,
        scene,
        kinematics: &kinematics_of(&at.kinematics),
        com: &com_of(&at.com),
        lists,
        has_marks: GENERAL && scene.head.has_parts != 0,
        keeps: if GENERAL { scene.head.kept_touches } else { 0 },
    };
    let mut filled = Filled {
        rows,
        cones: 0,
        lost: 0,
        contacts: 0,
    };
    if scene.head.pairs == 0 {
        return (filled.rows, filled.cones);
    }
    let mut near = touching.find_near();
    if SKILL >= CONVEX {
        near = touching.keep_close(near);
    }
    let mut first = 0;
    while first < near {
        touching.add((first, near), polytopes, &mut filled, out, words);
        first += pairs_at_once(SKILL);
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

impl<T: Number, const SKILL: usize> Touching<'_, T, SKILL> {
    /// Contacts of the pairs that are looked at together.
    #[inline(always)]
    fn slots(&self) -> usize {
        pairs_at_once(SKILL) * self.scene.head.touches
    }

    /// Lists the pairs of geoms that are near each other, in their order; how many there are.
    #[inline(always)]
    fn find_near(&self) -> usize {
        let (head, positions) = (&self.scene.head, self.lists.positions);
        let placed = self.scene.tables.placed_geoms;
        self.warp.each(placed.len(), |k| {
            let geom = placed[k] as usize;
            let pos = *self.kinematics.geom_xpos.at(geom);
            for k in 0..3 {
                positions[3 * geom + k].set(pos[k]);
            }
        });
        let mut near = 0;
        let mut first = 0;
        while first < head.pairs {
            let are_near = self.warp.which(first, head.pairs, |i| self.is_near(i));
            self.warp.each(LANES, |lane| {
                if are_near >> lane & 1 != 0 {
                    let before = are_near & ((1 << lane) - 1);
                    let place = near + before.count_ones() as usize;
                    self.lists.near[place].set(number(first + lane));
                }
            });
            near += are_near.count_ones() as usize;
            first += LANES;
        }
        near
    }

    /// Takes pairs whose boxes are far apart from the list of those that are near each other; how many are left.
    #[inline(always)]
    fn keep_close(&self, near: usize) -> usize {
        let (mut left, mut first) = (0, 0);
        while first < near {
            let pairs = Lanes::new(|lane| self.lists.near[(first + lane).min(near - 1)].get());
            let is_close = |i: usize| {
                let pair = Pair::new(self.scene, index(pairs.own(i - first)));
                !pair.is_clearly_apart(self.scene, self.kinematics)
            };
            let are_close = self.warp.which(first, near, is_close);
            self.warp.each(LANES, |lane| {
                if are_close >> lane & 1 != 0 {
                    let before = are_close & ((1 << lane) - 1);
                    let place = left + before.count_ones() as usize;
                    self.lists.near[place].set(pairs.own(lane));
                }
            });
            left += are_close.count_ones() as usize;
            first += LANES;
        }
        left
    }

    /// Whether the bounding spheres, or the half space of a plane and a sphere, come closer than the margin.
    #[inline(always)]
    fn is_near(&self, pair: usize) -> bool {
        let tables = &self.scene.tables;
        let (first, second) = (tables.near_first[pair], tables.near_second[pair] as usize);
        let reach = tables.near_reach[pair];
        let pos = |geom: usize| -> Vec3<T> {
            let at = |k: usize| self.lists.positions[3 * geom + k].get();
            Vec3([at(0), at(1), at(2)])
        };
        if first >= 0 {
            let between = pos(first as usize) - pos(second);
            return between.dot(between) <= reach * reach;
        }
        let plane = !first as usize;
        let away = pos(second) - pos(plane);
        let height = away.dot(self.kinematics.geom_xmat.at(plane).column(2));
        !height.greater(reach)
    }

    /// A pair of those that are near each other.
    #[inline(always)]
    fn pair(&self, near: usize) -> (usize, Pair<'_, T>) {
        let index = index(self.lists.near[near].get());
        (index, Pair::new(self.scene, index))
    }

    /// Adds the contacts of some pairs, as far as there is room: none comes after one for which there was none.
    #[inline(always)]
    fn add(
        &self,
        (first, near): (usize, usize),
        polytopes: &mut [T],
        filled: &mut Filled,
        out: &mut Problem<'_, T>,
        words: &mut Words<'_, i32>,
    ) {
        let (head, lists, warp) = (&self.scene.head, self.lists, self.warp);
        let at_once = pairs_at_once(SKILL);
        let mut found = Lanes::new(|lane| match lane < at_once && first + lane < near {
            true => self.find(first + lane, lane),
            false => (0, 0),
        });
        if SKILL >= CONVEX {
            self.find_convex((first, near), polytopes, &mut found);
        }
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
        let (before, total) = contacts.sums();
        let (rows_before, rows) = Lanes::new(|i| contacts.own(i) * each.own(i).0).sums();
        let (cones_before, cones) = match head.cones {
            0 => (Lanes::splat(0), 0),
            _ => Lanes::new(|i| contacts.own(i) * each.own(i).1).sums(),
        };
        let start = *filled;
        // Where contact `k` of a thread has its rows and its cone.
        let place = |lane: usize, k: i32| {
            let row = start.rows as i32 + rows_before.own(lane) + k * each.own(lane).0;
            let cone = start.cones as i32 + cones_before.own(lane) + k * each.own(lane).1;
            (row, cone)
        };
        let with_room = Lanes::new(|lane| {
            let mut count = 0;
            for k in 0..contacts.own(lane) {
                let (row, cone) = place(lane, k + 1);
                count += i32::from(row <= head.rows as i32 && cone <= head.cones as i32);
            }
            count
        });
        let (_, kept) = with_room.sums();
        let slots = self.slots();
        warp.each(LANES, |lane| {
            for k in 0..contacts.own(lane) {
                let (row, cone) = place(lane, k);
                let slot = k as usize * at_once + lane;
                lists.found[10 * slots + slot].set(number(row as usize));
                lists.found[11 * slots + slot].set(number(cone as usize));
                lists.order[(before.own(lane) + k) as usize].set(number(slot));
            }
        });
        filled.lost += total - kept;
        (filled.rows, filled.cones) = (start.rows + rows as usize, start.cones + cones as usize);
        if kept < total {
            let slot = index(lists.order[kept as usize].get());
            filled.rows = index(lists.found[10 * slots + slot].get());
            filled.cones = index(lists.found[11 * slots + slot].get());
            // The next pairs are written to the same lists.
            warp.each(0, |_| {});
        }
        self.make(first, kept as usize, out, words);
        if self.keeps > 0 {
            self.keep(first, kept as usize, filled.contacts, out);
        }
        filled.contacts += kept as usize;
    }

    /// Keeps contacts that were found after those that are kept.
    #[inline(always)]
    fn keep(&self, first: usize, contacts: usize, before: usize, out: &mut Problem<'_, T>) {
        let (lists, slots) = (self.lists, self.slots());
        let room = self.keeps - before.min(self.keeps);
        self.warp.each(contacts.min(room), |i| {
            let slot = index(lists.order[i].get());
            let touch = self.places().get(slot);
            let (pair, _) = self.pair(first + slot % pairs_at_once(SKILL));
            let kept = &mut out.touches.as_chunks_mut::<TOUCH>().0[before + i];
            let frame = touch.frame();
            for k in 0..9 {
                kept[k] = frame.0[k];
            }
            for k in 0..3 {
                kept[9 + k] = touch.pos[k];
            }
            kept[12] = touch.dist;
            kept[13] = lists.found[10 * slots + slot].get();
            kept[14] = number(pair);
        });
    }

    /// Contacts that were found, by their place in the list.
    #[inline(always)]
    fn places(&self) -> Places<'_, T> {
        Places {
            list: self.lists.found,
            slots: self.slots(),
            apart: 1,
            lane: 0,
            count: self.slots(),
        }
    }

    /// The same for pairs of convex shapes: all at once as long as they take no memory, then some at a time.
    #[inline(always)]
    fn find_convex(
        &self,
        (first, near): (usize, usize),
        polytopes: &mut [T],
        found: &mut Lanes<(i32, i32)>,
    ) {
        let end = near.min(first + pairs_at_once(SKILL));
        let are_convex = self.warp.which(first, end, |i| self.pair(i).1.is_convex());
        if are_convex == 0 {
            return;
        }
        let begun = Lanes::new(|lane| {
            let (_, pair) = self.pair((first + lane).min(end - 1));
            match are_convex >> lane & 1 != 0 && !pair.has_field() {
                true => pair.begin_convex(self.scene, self.kinematics),
                false => Search::Ended(None),
            }
        });
        let needs_memory = |i: usize| {
            matches!(begun.own(i - first), Search::Begun(_)) || self.pair(i).1.has_field()
        };
        let with_memory = self.warp.which(first, end, needs_memory);
        let before = *found;
        *found = Lanes::new(|lane| {
            let Search::Ended(Some(touch)) = begun.own(lane) else {
                return before.own(lane);
            };
            let (_, pair) = self.pair(first + lane);
            let mut found = self.found(&pair, lane);
            found.add(true, touch);
            (found.places.count as i32, found.shallow)
        });
        let length = polytope_length(&self.scene.head);
        let mut done = 0;
        while done < with_memory.count_ones() as usize {
            let before = *found;
            *found = Lanes::new(|lane| {
                let place = (with_memory & ((1 << lane) - 1)).count_ones() as usize;
                let is_next = (done..done + POLYTOPES).contains(&place);
                if with_memory >> lane & 1 == 0 || !is_next {
                    return before.own(lane);
                }
                let (_, pair) = self.pair(first + lane);
                let mut found = self.found(&pair, lane);
                let memory = &mut polytopes[(place - done) * length..][..length];
                let begun = &begun.own(lane);
                pair.end_convex(self.scene, self.kinematics, begun, memory, &mut found);
                (found.places.count as i32, found.shallow)
            });
            // Others use the same memory next.
            self.warp.each(0, |_| {});
            done += POLYTOPES;
        }
    }

    /// Where a thread lists contacts of a pair.
    #[inline(always)]
    fn found<'b>(&'b self, pair: &'b Pair<'b, T>, lane: usize) -> Found<'b, 'b, T> {
        Found {
            pair,
            places: Places {
                list: self.lists.found,
                slots: self.slots(),
                apart: pairs_at_once(SKILL),
                lane,
                count: 0,
            },
            shallow: 0,
        }
    }

    /// Lists the contacts with rows of a pair but of convex shapes; how many there are, and how many the reference may have lost.
    #[inline(always)]
    fn find(&self, near: usize, lane: usize) -> (i32, i32) {
        let (_, pair) = self.pair(near);
        let found = &mut self.found(&pair, lane);
        if SKILL >= BOXES && pair.is_refined() {
            pair.refined(self.scene, self.kinematics, &mut found.places);
            for i in 0..core::mem::take(&mut found.places.count) {
                found.add(true, found.places.get(i));
            }
        } else {
            pair.touches::<SKILL>(self.scene, self.kinematics, found);
        }
        (found.places.count as i32, found.shallow)
    }

    /// Makes the rows of contacts that were found, 32 at a time.
    #[inline(always)]
    fn make(
        &self,
        first: usize,
        contacts: usize,
        out: &mut Problem<'_, T>,
        words: &mut Words<'_, i32>,
    ) {
        let mut done = 0;
        while done < contacts {
            let count = LANES.min(contacts - done);
            self.warp.each(count, |i| {
                self.harden(first, done + i, i, out, words);
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
        first: usize,
        contact: usize,
        i: usize,
        out: &mut Problem<'_, T>,
        words: &mut Words<'_, i32>,
    ) {
        let (lists, slots) = (self.lists, self.slots());
        let slot = index(lists.order[contact].get());
        let cell = |k: usize| lists.found[k * slots + slot].get();
        let touch = self.places().get(slot);
        let (row, cone) = (index(cell(10)), index(cell(11)));
        let (index, pair) = self.pair(first + slot % pairs_at_once(SKILL));
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

/// Where a thread lists contacts.
#[derive(Clone, Copy)]
struct Places<'a, T> {
    list: Shared<'a, T>,
    slots: usize,
    /// Places from one contact to the next.
    apart: usize,
    lane: usize,
    count: usize,
}

impl<T: Number> Touches<T> for Places<'_, T> {
    #[inline(always)]
    fn add(&mut self, exists: bool, touch: Touch<T>) {
        if exists && self.lane + self.apart * self.count < self.slots {
            self.count += 1;
            self.set(self.count - 1, touch);
        }
    }
}

impl<T: Number> TouchSlots<T> for Places<'_, T> {
    #[inline(always)]
    fn count(&self) -> usize {
        self.count
    }

    #[inline(always)]
    fn get(&self, i: usize) -> Touch<T> {
        let cell = |k: usize| self.list[k * self.slots + self.lane + self.apart * i].get();
        let vector = |k: usize| Vec3([cell(k), cell(k + 1), cell(k + 2)]);
        Touch {
            dist: cell(0),
            pos: vector(1),
            normal: vector(4),
            tangent: vector(7),
        }
    }

    #[inline(always)]
    fn set(&mut self, i: usize, touch: Touch<T>) {
        let place = self.lane + self.apart * i;
        let cell = |k: usize, x: T| self.list[k * self.slots + place].set(x);
        cell(0, touch.dist);
        for k in 0..3 {
            cell(1 + k, touch.pos[k]);
            cell(4 + k, touch.normal[k]);
            cell(7 + k, touch.tangent[k]);
        }
    }

    #[inline(always)]
    fn truncate(&mut self, count: usize) {
        self.count = count;
    }
}

/// A thread that lists the contacts of a pair that have rows.
struct Found<'a, 'b, T> {
    pair: &'a Pair<'b, T>,
    places: Places<'a, T>,
    shallow: i32,
}

impl<T: Number> Touches<T> for Found<'_, '_, T> {
    #[inline(always)]
    fn add(&mut self, exists: bool, touch: Touch<T>) {
        if !exists {
            return;
        }
        self.shallow += i32::from(self.pair.is_shallow(&touch));
        self.places.add(self.pair.has_rows(&touch), touch);
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

const _: () = assert!(FOUND == 12 && PLACED == 17);
