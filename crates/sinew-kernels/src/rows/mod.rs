//! Constraint rows: each constraint by a thread, in the order in which the engine has them.
//!
//! How many rows each has is found out first, then all know where theirs begin.

mod making;
mod touching;

use crate::Number;
use crate::block::{Problem, State, Words};
use crate::forces::cord_length;
use crate::scene::{CORD_NUMBERS, CORD_WORDS, MOST_DOFS, Scene};
use crate::smooth::{Local, com_of, kinematics_of};
use crate::warp::{LANES, Lanes, Warp};
use making::Making;
use sinew_dynamics::row::equality::{self, Pose, Scratch};
use sinew_dynamics::row::limit::{self, SIDES, distance};
use sinew_dynamics::row::{Form, NewRows, Row, Source, friction};
use sinew_model::kinds::Constraint;

/// Makes all rows. Contacts for which there is no room are counted.
#[inline(always)]
pub(crate) fn make<T: Number>(
    warp: Warp,
    scene: &Scene<'_, T>,
    state: &State<'_, T>,
    at: &mut Local<'_, T>,
    out: &mut Problem<'_, T>,
    words: &mut Words<'_, i32>,
) {
    let (head, source) = (&scene.head, &scene.source());
    let equality_count = equalities(warp, scene, state, at, out, words);
    let (qpos, qvel) = (&*at.qpos, &*at.qvel);
    let rows = equality_count;
    let rows = add(warp, scene, &Frictions(source), (head.nv, rows), qvel, out);
    let friction_count = rows - equality_count;
    let limits = &Limits(source, qpos);
    let rows = add(warp, scene, limits, (head.njnt, rows), qvel, out);
    let limits = &CordLimits(scene, qpos);
    let rows = add(warp, scene, limits, (head.cords, rows), qvel, out);
    let (rows, cones) = touching::rows(warp, scene, at, rows, out, words);
    let counts = [rows, equality_count, friction_count, cones];
    warp.each(1, |_| {
        for (out, count) in words.counts.iter_mut().zip(counts) {
            *out = count as i32;
        }
    });
}

/// Rows of equalities, all by one thread; how many there are.
#[inline(always)]
fn equalities<T: Number>(
    warp: Warp,
    scene: &Scene<'_, T>,
    state: &State<'_, T>,
    at: &mut Local<'_, T>,
    out: &mut Problem<'_, T>,
    words: &mut Words<'_, i32>,
) -> usize {
    let (head, source) = (&scene.head, &scene.source());
    if head.neq == 0 {
        return 0;
    }
    let pose = &Pose {
        qpos: &*at.qpos,
        kinematics: kinematics_of(&at.kinematics),
        com: com_of(&at.com),
    };
    warp.each(1, |_| {
        let making = &mut Making::new(out, at.qvel, 0);
        let mut columns = [0; MOST_DOFS];
        for equality in 0..head.neq {
            if state.eq_active[equality] == T::ONE {
                let scratch = &mut Scratch {
                    columns: &mut columns[..head.nv],
                    translation: at.translation,
                    rotation: at.rotation,
                };
                equality::rows(source, pose, (equality, true), Form::Full, scratch, making);
                making.harden(scene);
            }
        }
        words.counts[1] = making.done as i32;
    });
    words.counts[1] as usize
}

/// Things that may have rows.
trait Constraints<T: Number> {
    /// Tells the rows of one.
    fn tell(&self, i: usize, out: &mut impl NewRows<T>);
}

/// Dry friction of degrees of freedom.
struct Frictions<'a, T>(&'a Source<'a, T>);

impl<T: Number> Constraints<T> for Frictions<'_, T> {
    #[inline(always)]
    fn tell(&self, i: usize, out: &mut impl NewRows<T>) {
        friction::rows(self.0, i..i + 1, out);
    }
}

/// Limits of joints.
struct Limits<'a, T>(&'a Source<'a, T>, &'a [T]);

impl<T: Number> Constraints<T> for Limits<'_, T> {
    #[inline(always)]
    fn tell(&self, i: usize, out: &mut impl NewRows<T>) {
        limit::rows(self.0, self.1, i..i + 1, out);
    }
}

/// Limits of fixed tendons.
struct CordLimits<'a, T>(&'a Scene<'a, T>, &'a [T]);

impl<T: Number> Constraints<T> for CordLimits<'_, T> {
    #[inline(always)]
    fn tell(&self, i: usize, out: &mut impl NewRows<T>) {
        cord_limits(self.0, i, self.1, out);
    }
}

/// Counts rows.
struct Count(i32);

impl<T: Number> NewRows<T> for Count {
    #[inline(always)]
    fn add(&mut self, _: bool, _: Row<T>, _: &[i32], _: impl Iterator<Item = T>) {
        self.0 += 1;
    }
}

/// Adds the rows of some things after those that are there; how many there are then.
#[inline(always)]
fn add<T: Number>(
    warp: Warp,
    scene: &Scene<'_, T>,
    things: &impl Constraints<T>,
    (count, rows): (usize, usize),
    qvel: &[T],
    out: &mut Problem<'_, T>,
) -> usize {
    let mut rows = rows;
    let mut first = 0;
    while first < count {
        let counts = Lanes::new(|lane| {
            let mut own = Count(0);
            if first + lane < count {
                Constraints::<T>::tell(things, first + lane, &mut own);
            }
            own.0
        });
        if warp.which(0, LANES, |lane| counts.own(lane) > 0) != 0 {
            let (before, total) = counts.sums();
            warp.each(LANES, |lane| {
                if counts.own(lane) > 0 {
                    let start = rows + before.own(lane) as usize;
                    let making = &mut Making::new(out, qvel, start);
                    things.tell(first + lane, making);
                    making.harden(scene);
                }
            });
            rows += total as usize;
        }
        first += LANES;
    }
    rows
}

/// Limits of a fixed tendon.
#[inline(always)]
fn cord_limits<T: Number>(
    scene: &Scene<'_, T>,
    cord: usize,
    qpos: &[T],
    out: &mut impl NewRows<T>,
) {
    let tables = &scene.tables;
    let words = &tables.cord_words[cord * CORD_WORDS..][..CORD_WORDS];
    if words[1] == 0 {
        return;
    }
    let numbers = &tables.cord_numbers[cord * CORD_NUMBERS..][..CORD_NUMBERS];
    let length = cord_length(scene, cord, qpos);
    let margin = numbers[4];
    let own = words[4] as usize..(words[4] + words[5]) as usize;
    for (k, side) in SIDES.into_iter().enumerate() {
        let pos = distance(side, numbers[5 + k], length);
        if pos < margin {
            let row = Row {
                kind: Constraint::LimitTendon,
                id: words[0] as usize,
                pos,
                margin,
                frictionloss: T::ZERO,
            };
            let entries = tables.cord_entries[own.clone()].iter();
            let entries = entries.map(|&x| x * T::from_f64(-side));
            out.add(true, row, &tables.cord_columns[own.clone()], entries);
        }
    }
}
