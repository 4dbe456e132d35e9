//! Rows of contacts: each pair of geoms that are near each other is looked at by a thread; then the rows of each contact are
//! made by all of them, a degree of freedom per thread.

use super::making::settings;
use crate::Number;
use crate::block::{Event, Problem, Words};
use crate::contact::{MOST, Pair};
use crate::local::{Local, com_of, kinematics_of};
use crate::scene::Scene;
use crate::sums::dot_of;
use crate::warp::{LANES, Lanes, Warp};
use sinew_collision::pair::TouchList;
use sinew_dynamics::com::ComRef;
use sinew_dynamics::jacobian::{Moves, offset};
use sinew_dynamics::kinematics::KinematicsRef;
use sinew_dynamics::row::HardnessMut;
use sinew_dynamics::row::contact::{self, DIRECTIONS, Friction, Place, RowsMut};
use sinew_dynamics::row::impedance::reference;
use sinew_math::series::Series;
use sinew_math::{Mat3, Vec3};

/// Rows of a contact at most.
const MOST_ROWS: usize = 10;

/// What threads tell each other of a contact: its distance, position and frame.
const TOLD: usize = 13;

/// Rows and cones so far, and contacts for which there was no room.
struct Filled {
    rows: usize,
    cones: usize,
    lost: i32,
}

/// A row of a contact, but for its entries.
#[derive(Clone, Copy)]
struct Hardness<T> {
    R: T,
    D: T,
    violation: T,
    parameters: [T; 4],
    slope: T,
}

/// A warp that makes the rows of contacts.
struct Touching<'a, T> {
    warp: Warp,
    scene: &'a Scene<'a, T>,
    com: &'a ComRef<'a, T>,
    qvel: &'a Series<T>,
}

/// Adds the rows of contacts; how many rows and cones there are then.
#[inline(always)]
pub(super) fn rows<T: Number>(
    warp: Warp,
    scene: &Scene<'_, T>,
    at: &Local<'_, T>,
    list: &mut [T],
    rows: usize,
    out: &mut Problem<'_, T>,
    words: &mut Words<'_, i32>,
) -> (usize, usize) {
    let kinematics = &kinematics_of(&at.kinematics);
    let near = find_near(warp, scene, kinematics, list);
    let touching = &Touching {
        warp,
        scene,
        com: &com_of(&at.com),
        qvel: &*at.qvel,
    };
    let mut filled = Filled {
        rows,
        cones: 0,
        lost: 0,
    };
    let mut first = 0;
    while first < near {
        let list = &*list;
        let pair = |lane: usize| Pair::new(scene, list[first + lane].to_f64() as usize);
        let lists = Lanes::new(|lane| match first + lane < near {
            true => pair(lane).touches(scene, kinematics),
            false => TouchList::new(),
        });
        let counts = Lanes::new(|lane| match first + lane < near {
            true => pair(lane).counts(&lists.own(lane)),
            false => (0, 0),
        });
        let contacts = Lanes::new(|lane| counts.own(lane).0);
        let (_, shallow) = Lanes::new(|lane| counts.own(lane).1).sums();
        if shallow > 0 {
            warp.each(1, |_| words.events[Event::ShallowTouch as usize] += shallow);
        }
        let mut left = warp.which(0, LANES, |lane| contacts.own(lane) > 0);
        while left != 0 {
            let owner = left.trailing_zeros() as usize;
            left &= left - 1;
            let wanted = contacts.from(owner);
            let whose = (lists, owner);
            touching.add(&pair(owner), whose, wanted, &mut filled, out, words);
        }
        first += LANES;
    }
    if filled.lost > 0 {
        warp.each(1, |_| {
            words.events[Event::LostContact as usize] += filled.lost
        });
    }
    (filled.rows, filled.cones)
}

/// Lists the pairs of geoms that are near each other, in their order; how many there are.
#[inline(always)]
fn find_near<T: Number>(
    warp: Warp,
    scene: &Scene<'_, T>,
    kinematics: &KinematicsRef<'_, T>,
    list: &mut [T],
) -> usize {
    let pairs = scene.head.pairs;
    let mut near = 0;
    let mut first = 0;
    while first < pairs {
        let are_near = warp.which(first, pairs, |i| Pair::new(scene, i).is_near(kinematics));
        warp.each(LANES, |lane| {
            if are_near >> lane & 1 != 0 {
                let before = are_near & ((1 << lane) - 1);
                list[near + before.count_ones() as usize] = T::from_f64((first + lane) as f64);
            }
        });
        near += are_near.count_ones() as usize;
        first += LANES;
    }
    near
}

impl<T: Number> Touching<'_, T> {
    /// Adds the rows of the contacts of a pair, which one thread has found, as far as there is room.
    #[inline(always)]
    fn add(
        &self,
        pair: &Pair<'_, T>,
        (lists, owner): (Lanes<TouchList<T, MOST>>, usize),
        wanted: i32,
        filled: &mut Filled,
        out: &mut Problem<'_, T>,
        words: &mut Words<'_, i32>,
    ) {
        let (head, friction) = (&self.scene.head, pair.friction());
        let cones = usize::from(matches!(friction, Friction::Elliptic(_)));
        let mut left = wanted;
        let mut next = 0;
        while left > 0 {
            let has_room = filled.rows + friction.rows() <= head.rows;
            if !has_room || (cones > 0 && filled.cones >= head.cones) {
                filled.lost += left;
                return;
            }
            left -= 1;
            let (place, told) = next_touch(pair, (lists, owner), next);
            next = place + 1;
            let pos = Vec3([told[1], told[2], told[3]]);
            let bodies = pair.bodies();
            let place = &Place {
                frame: Mat3(core::array::from_fn(|k| told[4 + k])),
                offsets: bodies
                    .map(|body| offset(&self.scene.tree, self.com.subtree_com, body, pos)),
            };
            let slope = self.contact(pair, told[0], place, filled.rows, out);
            if let Friction::Elliptic(dim) = friction {
                let (cone, row) = (filled.cones, filled.rows);
                let [a, b, c, d, e] = pair.contact(told[0]).friction;
                self.warp.each(1, |_| {
                    let shapes = out.cone_shapes.as_chunks_mut::<6>().0;
                    shapes[cone] = [slope, a, b, c, d, e];
                    words.cone_rows[cone] = row as i32;
                    words.cone_dims[cone] = dim as i32;
                });
            }
            filled.rows += friction.rows();
            filled.cones += cones;
        }
    }

    /// The rows of a contact from one on; the slope of its cone.
    #[inline(always)]
    fn contact(
        &self,
        pair: &Pair<'_, T>,
        dist: T,
        place: &Place<T>,
        row: usize,
        out: &mut Problem<'_, T>,
    ) -> T {
        let (n, count) = (self.scene.head.nv, pair.friction().rows());
        self.warp.each(n, |dof| {
            for k in row..row + count {
                out.J[k * n + dof] = T::ZERO;
            }
        });
        let made = Lanes::new(|lane| self.columns(pair, dist, place, row, lane, out));
        self.warp.each(0, |_| {});
        let qvel = self.qvel;
        self.warp.each(LANES, |lane| {
            if lane < count {
                let own = made.own(lane);
                let entries = &out.J[(row + lane) * n..(row + lane + 1) * n];
                let velocity = dot_of(n, |i| entries[i] * qvel[i]);
                out.R[row + lane] = own.R;
                out.D[row + lane] = own.D;
                out.frictionloss[row + lane] = T::ZERO;
                out.aref[row + lane] = reference(own.parameters, velocity, own.violation);
            }
        });
        Lanes::new(|lane| made.own(lane).slope).from(0)
    }

    /// The entries of some of the degrees of freedom that move the pair, and all but the entries of a row.
    #[inline(always)]
    fn columns(
        &self,
        pair: &Pair<'_, T>,
        dist: T,
        place: &Place<T>,
        row: usize,
        lane: usize,
        out: &mut Problem<'_, T>,
    ) -> Hardness<T> {
        let (n, tables, friction) = (self.scene.head.nv, &self.scene.tables, pair.friction());
        let (listed, count) = (pair.columns(), friction.rows());
        let mut c = listed.start + lane;
        loop {
            let exists = c < listed.end;
            let k = if exists { c } else { listed.start };
            let moves = match tables.pair_moves[k] {
                0 => Moves::First,
                _ => Moves::Second,
            };
            let dof = tables.pair_columns[k];
            let mut directions = [T::ZERO; DIRECTIONS];
            let dim = friction.dim();
            contact::directions(
                self.com.cdof,
                (&[dof], &[moves]),
                place,
                dim,
                &mut directions,
            );
            let mut entries = [T::ZERO; MOST_ROWS];
            let (mut pos, mut margin) = ([T::ZERO; MOST_ROWS], [T::ZERO; MOST_ROWS]);
            let (mut R, mut D) = ([T::ZERO; MOST_ROWS], [T::ZERO; MOST_ROWS]);
            let (mut diagonal, mut parameters) = ([T::ZERO; MOST_ROWS], [[T::ZERO; 4]; MOST_ROWS]);
            let slope = contact::rows(
                friction,
                &pair.contact(dist),
                &settings(self.scene),
                (&directions, 1),
                &mut RowsMut {
                    efc_J: &mut entries[..count],
                    efc_pos: &mut pos[..count],
                    efc_margin: &mut margin[..count],
                    hardness: HardnessMut {
                        efc_diagApprox: &mut diagonal[..count],
                        efc_R: &mut R[..count],
                        efc_D: &mut D[..count],
                        efc_KBIP: &mut parameters[..count],
                    },
                },
            );
            if exists {
                for k in 0..count {
                    out.J[(row + k) * n + dof as usize] = entries[k];
                }
            }
            c += LANES;
            if c >= listed.end {
                let own = if lane < count { lane } else { 0 };
                return Hardness {
                    R: R[own],
                    D: D[own],
                    violation: pos[own] - margin[own],
                    parameters: parameters[own],
                    slope,
                };
            }
        }
    }
}

/// The next contact with rows that a thread has found, from a place in its list on, told to all.
#[inline(always)]
fn next_touch<T: Number>(
    pair: &Pair<'_, T>,
    (lists, owner): (Lanes<TouchList<T, MOST>>, usize),
    first: usize,
) -> (usize, [T; TOLD]) {
    let found = Lanes::new(|lane| {
        let mut numbers = [T::ZERO; TOLD];
        let mut place = first;
        if lane == owner {
            let mut touch = lists.own(lane).get(place);
            while place + 1 < MOST && !(touch.0 && pair.has_rows(&touch.1)) {
                place += 1;
                touch = lists.own(lane).get(place);
            }
            let (touch, frame) = (touch.1, touch.1.frame());
            numbers[0] = touch.dist;
            for k in 0..3 {
                numbers[1 + k] = touch.pos[k];
            }
            for k in 0..9 {
                numbers[4 + k] = frame.0[k];
            }
        }
        (place as i32, numbers)
    });
    let place = Lanes::new(|lane| found.own(lane).0).from(owner);
    let told = core::array::from_fn(|k| Lanes::new(|lane| found.own(lane).1[k]).from(owner));
    (place as usize, told)
}
