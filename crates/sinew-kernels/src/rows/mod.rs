//! Constraint rows: each constraint by a thread, in the order in which the engine has them.
//!
//! How many rows each has is found out first, then all know where theirs begin.

mod making;
mod touching;

use crate::Number;
use crate::block::{Problem, State, Words};
use crate::forces::cord_length;
use crate::local::{Local, com_of, kinematics_of};
use crate::scene::{CORD_NUMBERS, CORD_WORDS, MOST_DOFS, Scene};
use crate::warp::{LANES, Lanes, Warp};
use making::Making;
use sinew_dynamics::row::equality::{self, Pose, Scratch};
use sinew_dynamics::row::limit::{self, SIDES, distance};
use sinew_dynamics::row::{Form, NewRows, Row, Source, friction};
use sinew_math::Vec3;
use sinew_math::series::Series;
use sinew_model::kinds::Constraint;

/// Makes all rows. Contacts for which there is no room are counted.
#[inline(always)]
pub(crate) fn make<T: Number>(
    warp: Warp,
    scene: &Scene<'_, T>,
    state: &State<'_, T>,
    at: &Local<'_, T>,
    near: &mut [T],
    out: &mut Problem<'_, T>,
    words: &mut Words<'_, i32>,
) {
    let source = &scene.source();
    let equality_count = equalities(warp, scene, state, at, out, words);
    let (qpos, qvel) = (&*at.qpos, &*at.qvel);
    let others = &Others {
        scene,
        source,
        qpos,
    };
    let (rows, friction_count) = others.add(warp, equality_count, qvel, out);
    let (rows, cones) = touching::rows(warp, scene, at, near, rows, out, words);
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
    at: &Local<'_, T>,
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
        let making = &mut Making::new(out, &*at.qvel, 0);
        let mut columns = [0; MOST_DOFS];
        let (mut translation, mut rotation) =
            ([Vec3::zero(); MOST_DOFS], [Vec3::zero(); MOST_DOFS]);
        for equality in 0..head.neq {
            if state.eq_active[equality] == T::ONE {
                let scratch = &mut Scratch {
                    columns: &mut columns[..head.nv],
                    translation: &mut translation[..head.nv],
                    rotation: &mut rotation[..head.nv],
                };
                equality::rows(source, pose, (equality, true), Form::Full, scratch, making);
                making.harden(scene);
            }
        }
        words.counts[1] = making.done as i32;
    });
    words.counts[1] as usize
}

/// What has rows besides equalities and contacts, in the order of its rows: dry friction of degrees of freedom, limits of
/// joints, limits of fixed tendons.
struct Others<'a, T> {
    scene: &'a Scene<'a, T>,
    source: &'a Source<'a, T>,
    qpos: &'a Series<T>,
}

impl<T: Number> Others<'_, T> {
    /// Tells the rows of one.
    #[inline(always)]
    fn tell(&self, i: usize, out: &mut impl NewRows<T>) {
        let (nv, njnt) = (self.scene.head.nv, self.scene.head.njnt);
        if i < nv {
            friction::rows(self.source, i..i + 1, out);
        } else if i < nv + njnt {
            let joint = i - nv;
            limit::rows(self.source, self.qpos, joint..joint + 1, out);
        } else {
            cord_limits(self.scene, i - nv - njnt, self.qpos, out);
        }
    }

    /// Adds all rows after those that are there; how many there are then, and how many of them are of dry friction.
    #[inline(always)]
    fn add(
        &self,
        warp: Warp,
        rows: usize,
        qvel: &Series<T>,
        out: &mut Problem<'_, T>,
    ) -> (usize, usize) {
        let head = &self.scene.head;
        let count = head.nv + head.njnt + head.cords;
        let (mut rows, mut frictions) = (rows, 0);
        let mut first = 0;
        while first < count {
            let counts = Lanes::new(|lane| {
                let mut own = Count(0);
                if first + lane < count {
                    self.tell(first + lane, &mut own);
                }
                own.0
            });
            if warp.which(0, LANES, |lane| counts.own(lane) > 0) != 0 {
                let (before, total) = counts.sums();
                let of_friction = |lane: usize| first + lane < head.nv && counts.own(lane) > 0;
                frictions += warp.which(0, LANES, of_friction).count_ones() as usize;
                warp.each(LANES, |lane| {
                    if counts.own(lane) > 0 {
                        let start = rows + before.own(lane) as usize;
                        let making = &mut Making::new(out, qvel, start);
                        self.tell(first + lane, making);
                        making.harden(self.scene);
                    }
                });
                rows += total as usize;
            }
            first += LANES;
        }
        (rows, frictions)
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

/// Limits of a fixed tendon.
#[inline(always)]
fn cord_limits<T: Number>(
    scene: &Scene<'_, T>,
    cord: usize,
    qpos: &Series<T>,
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
