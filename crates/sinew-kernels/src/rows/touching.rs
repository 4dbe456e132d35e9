//! Rows of contacts: each pair of geoms that are near each other by a thread.

use super::making::Making;
use crate::Number;
use crate::block::{Event, Problem, Words};
use crate::contact::{MOST, Pair};
use crate::scene::{MOST_DOFS, Scene};
use crate::smooth::{Local, com_of, kinematics_of};
use crate::warp::{LANES, Lanes, Warp};
use sinew_collision::pair::{Touch, TouchList};
use sinew_dynamics::com::ComRef;
use sinew_dynamics::jacobian::{Moves, offset};
use sinew_dynamics::kinematics::KinematicsRef;
use sinew_dynamics::row::contact::{self, Friction, Place};

/// Directions in which a contact resists at most.
const MOST_DIRECTIONS: usize = 6;

/// Where the contacts of a pair go.
#[derive(Clone, Copy)]
struct Room {
    row: usize,
    cone: usize,
    /// How many of them there is room for.
    count: i32,
}

/// Rows and cones so far, and contacts for which there was no room.
struct Filled {
    rows: usize,
    cones: usize,
    lost: i32,
}

/// Adds the rows of contacts; how many rows and cones there are then.
#[inline(always)]
pub(super) fn rows<T: Number>(
    warp: Warp,
    scene: &Scene<'_, T>,
    at: &mut Local<'_, T>,
    rows: usize,
    out: &mut Problem<'_, T>,
    words: &mut Words<'_, i32>,
) -> (usize, usize) {
    let kinematics = &kinematics_of(&at.kinematics);
    let com = &com_of(&at.com);
    let near = find_near(warp, scene, kinematics, at.near);
    let mut filled = Filled {
        rows,
        cones: 0,
        lost: 0,
    };
    let mut first = 0;
    while first < near {
        let list = &*at.near;
        let pair = |lane: usize| Pair::new(scene, list[first + lane].to_f64() as usize);
        let lists = Lanes::new(|lane| match first + lane < near {
            true => pair(lane).touches(scene, kinematics),
            false => TouchList::new(),
        });
        let counts = |lane: usize| match first + lane < near {
            true => pair(lane).counts(&lists.own(lane)),
            false => (0, 0),
        };
        let contacts = Lanes::new(|lane| counts(lane).0);
        let (_, shallow) = Lanes::new(|lane| counts(lane).1).sums();
        if shallow > 0 {
            warp.each(1, |_| words.events[Event::ShallowTouch as usize] += shallow);
        }
        let friction = |lane: usize| match first + lane < near {
            true => pair(lane).friction(),
            false => Friction::None,
        };
        let rooms = share(scene, contacts, friction, &mut filled);
        warp.each(LANES, |lane| {
            let room = rooms.own(lane);
            if room.count > 0 {
                let touches = &lists.own(lane);
                pair_rows(
                    scene,
                    &pair(lane),
                    touches,
                    com,
                    (at.qvel, room),
                    out,
                    words,
                );
            }
        });
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

/// Gives room to the contacts of each thread, in the order of the threads.
#[inline(always)]
fn share<T: Number>(
    scene: &Scene<'_, T>,
    contacts: Lanes<i32>,
    friction: impl Fn(usize) -> Friction,
    filled: &mut Filled,
) -> Lanes<Room> {
    let head = &scene.head;
    let needed = Lanes::new(|lane| friction(lane).rows() as i32);
    let is_elliptic = Lanes::new(|lane| i32::from(matches!(friction(lane), Friction::Elliptic(_))));
    let mut rooms = Lanes::splat(Room {
        row: 0,
        cone: 0,
        count: 0,
    });
    for other in 0..LANES {
        let wanted = contacts.from(other);
        if wanted == 0 {
            continue;
        }
        let (rows, cones) = (
            needed.from(other) as usize,
            is_elliptic.from(other) as usize,
        );
        let mut room = Room {
            row: filled.rows,
            cone: filled.cones,
            count: 0,
        };
        let mut left = wanted;
        while left > 0
            && filled.rows + rows <= head.rows
            && (cones == 0 || filled.cones < head.cones)
        {
            filled.rows += rows;
            filled.cones += cones;
            room.count += 1;
            left -= 1;
        }
        filled.lost += left;
        rooms = Lanes::new(|lane| if lane == other { room } else { rooms.own(lane) });
    }
    rooms
}

/// The rows of the contacts of a pair.
#[inline(always)]
fn pair_rows<T: Number>(
    scene: &Scene<'_, T>,
    pair: &Pair<'_, T>,
    touches: &TouchList<T, MOST>,
    com: &ComRef<'_, T>,
    (qvel, room): (&[T], Room),
    out: &mut Problem<'_, T>,
    words: &mut Words<'_, i32>,
) {
    let listed = pair.columns();
    let own = &scene.tables.pair_columns[listed.clone()];
    let making = &mut Making::new(out, qvel, room.row);
    let mut done = 0;
    for place in 0..MOST {
        let (exists, touch) = touches.get(place);
        if !exists || !pair.has_rows(&touch) || done == room.count {
            continue;
        }
        let mut directions = [T::ZERO; MOST_DIRECTIONS * MOST_DOFS];
        directions_of(
            scene,
            pair,
            &touch,
            com,
            (own, listed.clone()),
            &mut directions,
        );
        let first = making.done;
        let slope = making.contact(scene, pair, touch.dist, own, &directions);
        if let Friction::Elliptic(dim) = pair.friction() {
            let cone = room.cone + done as usize;
            let shapes = making.out.cone_shapes.as_chunks_mut::<6>().0;
            let [a, b, c, d, e] = pair.contact(touch.dist).friction;
            shapes[cone] = [slope, a, b, c, d, e];
            words.cone_rows[cone] = first as i32;
            words.cone_dims[cone] = dim as i32;
        }
        done += 1;
    }
}

/// How the bodies of a pair move against each other at a contact.
#[inline(always)]
fn directions_of<T: Number>(
    scene: &Scene<'_, T>,
    pair: &Pair<'_, T>,
    touch: &Touch<T>,
    com: &ComRef<'_, T>,
    (columns, listed): (&[i32], core::ops::Range<usize>),
    directions: &mut [T],
) {
    let mut moves = [Moves::First; MOST_DOFS];
    for (moves, k) in moves.iter_mut().zip(listed) {
        if scene.tables.pair_moves[k] != 0 {
            *moves = Moves::Second;
        }
    }
    let place = &Place {
        frame: touch.frame(),
        offsets: pair
            .bodies()
            .map(|body| offset(&scene.tree, com.subtree_com, body, touch.pos)),
    };
    let moves = (columns, &moves[..columns.len()]);
    contact::directions(com.cdof, moves, place, pair.friction().dim(), directions);
}
