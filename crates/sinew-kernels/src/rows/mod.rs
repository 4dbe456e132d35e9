//! Constraint rows, in the order in which the engine has them.
//!
//! How many rows each constraint has is found out first, then all threads know where theirs begin. Entries, hardness and
//! what violations ask for are written as constraints are found; when all rows are there, each is given its velocity.

mod making;
mod memory;
mod touching;

use crate::Number;
use crate::block::{Problem, State, Words};
use crate::contact::CONVEX;
use crate::forces::cord_length;
use crate::local::{Local, com_of, kinematics_of};
use crate::scene::{CORD_NUMBERS, CORD_WORDS, Scene};
use crate::sums::{dot_in_fours, sparse_dot_where};
use crate::warp::{LANES, Lanes, Shared, Warp};
use bytemuck::cast_slice_mut;
use core::cell::Cell;
use making::{Making, Marks, Single};
pub(crate) use memory::length as memory_length;
use memory::{Lists, kept_length, lists_length};
use sinew_dynamics::row::equality::{self, Pose, Scratch};
use sinew_dynamics::row::limit::{self, SIDES, distance};
use sinew_dynamics::row::{Form, NewRows, Row, Source, friction};
use sinew_math::series::Series;
use sinew_model::kinds::Constraint;

/// Makes all rows, those of equalities where there are any. Contacts for which there is no room are counted.
#[inline(always)]
pub(crate) fn make<T: Number, const EQUALITIES: bool, const SKILL: usize>(
    warp: Warp,
    scene: &Scene<'_, T>,
    state: &State<'_, T>,
    at: &Local<'_, T>,
    memory: &mut [T],
    out: &mut Problem<'_, T>,
    words: &mut Words<'_, i32>,
) {
    let (head, source) = (&scene.head, &scene.source());
    let equality_count = match EQUALITIES {
        true => equalities(warp, scene, state, at, memory, out, words),
        false => 0,
    };
    let lists_end = match SKILL {
        CONVEX => lists_length(head),
        _ => memory.len(),
    };
    let (memory, polytopes) = memory.split_at_mut(lists_end);
    let memory = Cell::from_mut(memory).as_slice_of_cells();
    let (qvel, memory) = memory.split_at(head.stride());
    warp.each(head.nv, |i| qvel[i].set(at.qvel[i]));
    let lists = &Lists::cut::<SKILL>(head, memory);
    let others = &Others {
        scene,
        source,
        qpos: &*at.qpos,
    };
    let marks = &mut Marks::new(head, words.row_dofs);
    let (rows, friction_count) = others.add(warp, equality_count, lists.damping, out, marks);
    let (rows, cones) =
        touching::rows::<T, SKILL>(warp, scene, at, (lists, polytopes), rows, out, words);
    warp.each(rows, |row| {
        let start = row * head.stride();
        let velocity = match head.is_sparse {
            0 => dot_in_fours(out.J, start, head.nv, qvel),
            _ => {
                let bits = &words.row_dofs[row * head.row_words()..];
                let has = |dof: usize| bits[dof / 32] >> (dof % 32) & 1 != 0;
                sparse_dot_where(head.nv, has, |dof| out.J[start + dof] * qvel[dof].get())
            }
        };
        // What `sinew_dynamics::row::impedance::reference` says.
        out.aref[row] = -lists.damping[row].get() * velocity - out.aref[row];
    });
    warp.each(1, |_| {
        words.counts[0] = rows as i32;
        words.counts[1] = equality_count as i32;
        words.counts[2] = friction_count as i32;
        words.counts[3] = cones as i32;
    });
}

/// Rows of equalities, all by one thread; how many there are.
#[inline(always)]
fn equalities<T: Number>(
    warp: Warp,
    scene: &Scene<'_, T>,
    state: &State<'_, T>,
    at: &Local<'_, T>,
    memory: &mut [T],
    out: &mut Problem<'_, T>,
    words: &mut Words<'_, i32>,
) -> usize {
    let (head, source) = (&scene.head, &scene.source());
    let pose = &Pose {
        qpos: &*at.qpos,
        kinematics: kinematics_of(&at.kinematics),
        com: com_of(&at.com),
    };
    warp.each(1, |_| {
        let (kept, memory) = memory.split_at_mut(kept_length(head));
        let (columns, memory) = memory.split_at_mut(head.nv);
        let (translation, memory) = memory.split_at_mut(3 * head.nv);
        let (rotation, memory) = memory.split_at_mut(3 * head.nv);
        let scratch = &mut Scratch {
            columns: &mut cast_slice_mut(columns)[..head.nv],
            translation: cast_slice_mut(translation),
            rotation: cast_slice_mut(rotation),
        };
        let marks = Marks::new(head, words.row_dofs);
        let damping = &mut kept[head.stride()..];
        let making = &mut Making::new((out, marks), head.stride(), damping, memory);
        let form = match head.is_sparse {
            0 => Form::Full,
            _ => Form::Compressed,
        };
        for equality in 0..head.equalities {
            if state.eq_active[equality] == T::ONE {
                equality::rows(source, pose, (equality, true), form, scratch, making);
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

    /// Makes the rows of one.
    #[inline(always)]
    fn make(&self, i: usize, out: &mut Single<'_, '_, '_, T>) {
        self.tell(i, out);
        let (nv, njnt) = (self.scene.head.nv, self.scene.head.njnt);
        if i < nv {
            out.harden(self.source, Constraint::FrictionDof);
        } else if i < nv + njnt {
            out.harden(self.source, Constraint::LimitJoint);
        } else {
            out.harden(self.source, Constraint::LimitTendon);
        }
    }

    /// Adds all rows after those that are there; how many there are then, and how many of them are of dry friction.
    #[inline(always)]
    fn add(
        &self,
        warp: Warp,
        rows: usize,
        damping: Shared<'_, T>,
        out: &mut Problem<'_, T>,
        marks: &mut Marks<'_>,
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
                let stride = head.stride();
                let new = &mut out.J[rows * stride..(rows + total as usize) * stride];
                warp.each(new.len(), |i| new[i] = T::ZERO);
                warp.each(LANES, |lane| {
                    if counts.own(lane) > 0 {
                        let start = rows + before.own(lane) as usize;
                        self.make(
                            first + lane,
                            &mut Single::new(self.scene, (out, marks), damping, start),
                        );
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
