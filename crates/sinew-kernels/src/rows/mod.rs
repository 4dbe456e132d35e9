//! Constraint rows, in the order in which the engine has them.
//!
//! How many rows each constraint has is found out first, then all threads know where theirs begin. Entries, hardness and
//! what violations ask for are written as constraints are found; when all rows are there, each is given its velocity.

mod making;
mod memory;
mod touching;

pub(crate) use touching::index;

use crate::Number;
use crate::block::{Problem, State, Words};
use crate::forces::cord_length;
use crate::local::{General, Local, com_of, kinematics_of};
use crate::scene::{CORD_NUMBERS, CORD_WORDS, Scene};
use crate::sums::{dot_in_fours, dot_of, sparse_dot_where};
use crate::tendon::Cord;
use crate::warp::{LANES, Lanes, Shared, Warp};
use bytemuck::cast_slice_mut;
use core::cell::Cell;
use making::{Making, Marks, Single};
pub(crate) use memory::length as memory_length;
use memory::{Lists, kept_length};
use sinew_dynamics::row::equality::{self, Pose, Scratch};
use sinew_dynamics::row::limit::{self, SIDES, distance};
use sinew_dynamics::row::{Form, NewRows, Row, Source, friction};
use sinew_math::series::Series;
use sinew_model::kinds::{Constraint, EqualityType};

/// Makes all rows, those of equalities where there are any. Contacts for which there is no room are counted.
#[inline(always)]
pub(crate) fn make<T: Number, const GENERAL: bool>(
    warp: Warp,
    scene: &Scene<'_, T>,
    state: &State<'_, T>,
    at: &Local<'_, T>,
    memory: &mut [T],
    out: &mut Problem<'_, T>,
    words: &mut Words<'_, i32>,
) {
    let (head, source) = (&scene.head, &scene.source());
    let equality_count = match GENERAL && head.equalities > 0 {
        true => equalities(warp, scene, state, at, memory, out, words),
        false => 0,
    };
    let memory = Cell::from_mut(memory).as_slice_of_cells();
    let (qvel, memory) = memory.split_at(head.stride());
    warp.each(head.nv, |i| qvel[i].set(at.qvel[i]));
    let lists = &Lists::cut(head, memory);
    let others = &Others::<T, GENERAL> {
        scene,
        source,
        qpos: &*at.qpos,
        eq_active: state.eq_active,
        general: &at.general,
    };
    let marks = &mut match GENERAL {
        true => Marks::new(head, words.row_dofs),
        false => Marks::none(),
    };
    let added = others.add(warp, equality_count, lists.damping, out, marks);
    let (rows, equality_count, friction_count) = (
        added.rows,
        equality_count + added.equalities,
        added.frictions,
    );
    let (rows, cones) = touching::rows::<T, GENERAL>(warp, scene, at, lists, rows, out, words);
    warp.each(rows, |row| {
        let start = row * head.stride();
        let velocity = match GENERAL && head.is_sparse != 0 {
            false => dot_in_fours(out.J, start, head.nv, qvel),
            true => {
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
                couple_tendons(scene, equality, &at.general, making);
                let before = making.done;
                making.harden(scene);
                if head.senses_forces != 0 {
                    for row in before..making.done {
                        words.equality_ids[row] = equality as i32;
                    }
                }
            }
        }
        words.counts[1] = making.done as i32;
    });
    words.counts[1] as usize
}

/// What has rows besides contacts, in the order of its rows: equalities, if all are of joints and there is nothing general, dry
/// friction of degrees of freedom and of tendons, limits of joints and of tendons.
struct Others<'a, T, const GENERAL: bool> {
    scene: &'a Scene<'a, T>,
    source: &'a Source<'a, T>,
    qpos: &'a Series<T>,
    eq_active: &'a [T],
    general: &'a General<'a, T>,
}

/// How many rows there are, and how many of those that were added are of equalities and of dry friction.
struct Added {
    rows: usize,
    equalities: usize,
    frictions: usize,
}

impl<T: Number, const GENERAL: bool> Others<'_, T, GENERAL> {
    /// Whether tendons of any kind are there.
    #[inline(always)]
    fn is_general(&self) -> bool {
        GENERAL && self.scene.head.general != 0
    }

    /// Where those end that are equalities, those that may have dry friction, and limits of joints.
    #[inline(always)]
    fn ends(&self) -> [usize; 3] {
        let head = &self.scene.head;
        let equalities = if GENERAL { 0 } else { head.equalities };
        let frictions = match self.is_general() {
            true => equalities + head.nv + head.cords,
            false => equalities + head.nv,
        };
        [equalities, frictions, frictions + head.njnt]
    }

    /// Tells the rows of one.
    #[inline(always)]
    fn tell(&self, i: usize, out: &mut impl CordRows<T>) {
        let (nv, [equalities, frictions, joints]) = (self.scene.head.nv, self.ends());
        if i < equalities {
            let given = (i, true);
            if self.eq_active[i] == T::ONE {
                equality::couple_joints(self.source, self.qpos, given, out);
            }
        } else if i < equalities + nv {
            friction::rows(self.source, i - equalities..i - equalities + 1, out);
        } else if i < frictions {
            self.cord_friction(i - equalities - nv, out);
        } else if i < joints {
            let joint = i - frictions;
            limit::rows(self.source, self.qpos, joint..joint + 1, out);
        } else if self.is_general() {
            self.general_limits(i - joints, out);
        } else {
            cord_limits(self.scene, i - joints, self.qpos, out);
        }
    }

    /// Makes the rows of one.
    #[inline(always)]
    fn make(&self, i: usize, out: &mut Single<'_, '_, '_, T>) {
        self.tell(i, out);
        let (nv, [equalities, frictions, joints]) = (self.scene.head.nv, self.ends());
        let kind = if i < equalities {
            Constraint::Equality
        } else if i < equalities + nv {
            Constraint::FrictionDof
        } else if i < frictions {
            Constraint::FrictionTendon
        } else if i < joints {
            Constraint::LimitJoint
        } else {
            Constraint::LimitTendon
        };
        // In one place: all threads do the same.
        out.harden(self.source, kind);
    }

    /// An entry of the row of a tendon, if it has one.
    #[inline(always)]
    fn cord_entry(&self, cord: usize, dof: usize) -> Option<T> {
        let has_entry = self.general.has_entry(self.scene, cord, dof);
        has_entry.then(|| self.general.cord_entry(self.scene.head.nv, cord, dof))
    }

    /// Dry friction of a tendon.
    #[inline(always)]
    fn cord_friction(&self, index: usize, out: &mut impl CordRows<T>) {
        let cord = Cord::new(self.scene, index);
        let frictionloss = cord.frictionloss();
        if frictionloss > T::ZERO {
            let row = Row {
                kind: Constraint::FrictionTendon,
                id: cord.tendon(),
                pos: T::ZERO,
                margin: T::ZERO,
                frictionloss,
            };
            let nv = self.scene.head.nv;
            out.add_cord(row, nv, |dof| self.cord_entry(index, dof));
        }
    }

    /// Limits of a tendon.
    #[inline(always)]
    fn general_limits(&self, index: usize, out: &mut impl CordRows<T>) {
        let cord = Cord::new(self.scene, index);
        if !cord.is_limited() {
            return;
        }
        let (margin, range) = cord.limit();
        for (k, &side) in SIDES.iter().enumerate() {
            let pos = distance(side, range[k], self.general.cord_length[index]);
            if pos < margin {
                let row = Row {
                    kind: Constraint::LimitTendon,
                    id: cord.tendon(),
                    pos,
                    margin,
                    frictionloss: T::ZERO,
                };
                let entry = |dof| Some(self.cord_entry(index, dof)? * T::from_f64(-side));
                out.add_cord(row, self.scene.head.nv, entry);
            }
        }
    }

    /// Adds all rows after those that are there.
    #[inline(always)]
    fn add(
        &self,
        warp: Warp,
        rows: usize,
        damping: Shared<'_, T>,
        out: &mut Problem<'_, T>,
        marks: &mut Marks<'_>,
    ) -> Added {
        let head = &self.scene.head;
        let [equality_end, friction_end, joint_end] = self.ends();
        let count = joint_end + head.cords;
        let mut added = Added {
            rows,
            equalities: 0,
            frictions: 0,
        };
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
                // Each of these has one row.
                let before_end = |end: usize| {
                    let has_row = |lane: usize| first + lane < end && counts.own(lane) > 0;
                    warp.which(0, LANES, has_row).count_ones() as usize
                };
                let equalities = match GENERAL {
                    true => 0,
                    false => before_end(equality_end),
                };
                added.equalities += equalities;
                added.frictions += before_end(friction_end) - equalities;
                let (rows, stride) = (added.rows, head.stride());
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
                added.rows += total as usize;
            }
            first += LANES;
        }
        added
    }
}

/// A row of a limit.
pub(crate) struct LimitRow<T> {
    /// Its number.
    pub row: usize,
    /// How far beyond its margin it is.
    pub pos: T,
}

/// The first row of the limit of a joint, or of a tendon by its number among those that do something.
#[inline(always)]
pub(crate) fn limit_row<T: Number>(
    scene: &Scene<'_, T>,
    at: &Local<'_, T>,
    counts: &[i32],
    (is_cord, id): (bool, usize),
) -> Option<LimitRow<T>> {
    let others = &Others::<T, true> {
        scene,
        source: &scene.source(),
        qpos: &*at.qpos,
        eq_active: &[],
        general: &at.general,
    };
    let [_, frictions, joints] = others.ends();
    let limited = if is_cord { joints + id } else { frictions + id };
    let mut before = Count(0);
    for i in frictions..limited {
        others.tell(i, &mut before);
    }
    let mut first = First(None);
    others.tell(limited, &mut first);
    let (pos, margin) = first.0?;
    Some(LimitRow {
        row: (counts[1] + counts[2] + before.0) as usize,
        pos: pos - margin,
    })
}

/// Remembers violation and margin of the first row.
struct First<T>(Option<(T, T)>);

impl<T: Number> NewRows<T> for First<T> {
    #[inline(always)]
    fn add(&mut self, _: bool, row: Row<T>, _: &[i32], _: impl Iterator<Item = T>) {
        self.0 = self.0.or(Some((row.pos, row.margin)));
    }
}

impl<T: Number> CordRows<T> for First<T> {
    #[inline(always)]
    fn add_cord(&mut self, row: Row<T>, dofs: usize, entry: impl Fn(usize) -> Option<T>) {
        if has_any(dofs, entry) {
            self.0 = self.0.or(Some((row.pos, row.margin)));
        }
    }
}

/// How fast a row changes.
#[inline(always)]
pub(crate) fn row_velocity<T: Number>(
    scene: &Scene<'_, T>,
    row: usize,
    (J, row_dofs): (&[T], &[i32]),
    qvel: &Series<T>,
) -> T {
    let head = &scene.head;
    let product = |dof: usize| J[row * head.stride() + dof] * qvel[dof];
    if head.is_sparse == 0 {
        return dot_of(head.nv, product);
    }
    let bits = &row_dofs[row * head.row_words()..];
    let has = |dof: usize| bits[dof / 32] >> (dof % 32) & 1 != 0;
    sparse_dot_where(head.nv, has, product)
}

/// Counts rows.
struct Count(i32);

impl<T: Number> NewRows<T> for Count {
    #[inline(always)]
    fn add(&mut self, _: bool, _: Row<T>, _: &[i32], _: impl Iterator<Item = T>) {
        self.0 += 1;
    }
}

/// Rows of tendons, whose entries are looked up.
trait CordRows<T: Number>: NewRows<T> {
    /// Adds a row with the entries that there are, if there are any.
    fn add_cord(&mut self, row: Row<T>, dofs: usize, entry: impl Fn(usize) -> Option<T>);
}

/// Whether one of the entries exists.
#[inline(always)]
fn has_any<T>(dofs: usize, entry: impl Fn(usize) -> Option<T>) -> bool {
    (0..dofs).any(|dof| entry(dof).is_some())
}

impl<T: Number> CordRows<T> for Count {
    #[inline(always)]
    fn add_cord(&mut self, _: Row<T>, dofs: usize, entry: impl Fn(usize) -> Option<T>) {
        self.0 += i32::from(has_any(dofs, entry));
    }
}

impl<T: Number> CordRows<T> for Single<'_, '_, '_, T> {
    #[inline(always)]
    fn add_cord(&mut self, row: Row<T>, dofs: usize, entry: impl Fn(usize) -> Option<T>) {
        if has_any(dofs, &entry) {
            self.begin(row);
            for dof in 0..dofs {
                if let Some(entry) = entry(dof) {
                    self.put(dof, entry);
                }
            }
            self.end(row);
        }
    }
}

/// The row of an equality of tendons, if it is one.
#[inline(always)]
fn couple_tendons<T: Number>(
    scene: &Scene<'_, T>,
    equality: usize,
    general: &General<'_, T>,
    out: &mut Making<'_, '_, T>,
) {
    let constrained = &scene.constrained;
    if constrained.eq_type[equality] != EqualityType::Tendon.code() {
        return;
    }
    let nv = scene.head.nv;
    let cord = |tendon: i32| {
        let tendon = usize::try_from(tendon).ok()?;
        usize::try_from(scene.tables.tendon_cords[tendon]).ok()
    };
    let first = cord(constrained.eq_obj1id[equality]);
    let second = cord(constrained.eq_obj2id[equality]);
    let Some(first) = first else {
        return;
    };
    let stretched = |cord: usize| general.cord_length[cord] - Cord::new(scene, cord).length0();
    let data = &scene.constrained_values.eq_data[equality];
    let mut pos = stretched(first) - data[0];
    let mut slope = T::ZERO;
    if let Some(second) = second {
        let (follow, by_second) = equality::polynomial(data, stretched(second));
        pos -= follow;
        slope = by_second;
    }
    let entry = |dof: usize| {
        let of_first = general.has_entry(scene, first, dof);
        let of_second = second.filter(|&second| general.has_entry(scene, second, dof));
        if !of_first && of_second.is_none() {
            return None;
        }
        let mut sum = T::ZERO;
        if of_first {
            sum += general.cord_entry(nv, first, dof);
        }
        if let Some(second) = of_second {
            sum += general.cord_entry(nv, second, dof) * -slope;
        }
        Some(sum)
    };
    let is_zero = |dof: usize| entry(dof).is_none_or(|entry| entry == T::ZERO);
    let is_empty = scene.head.is_sparse == 0 && (0..nv).all(is_zero);
    if has_any(nv, entry) && !is_empty {
        out.begin(equality::row(equality, pos));
        for dof in 0..nv {
            if let Some(entry) = entry(dof) {
                out.put(dof, entry);
            }
        }
        out.end();
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
    for (k, &side) in SIDES.iter().enumerate() {
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
