//! Constraint rows of worlds side by side.

use super::contact::read;
use super::group::{Group, MergedContact, Slot};
use super::merge::{LaneSet, Merge, Shared};
use super::numbers::Numbers;
use super::plan::{Cord, Pair};
use super::rows::{RowStore, Told};
use bytemuck::{Pod, cast, cast_slice, cast_slice_mut};
use core::marker::PhantomData;
use sinew_dynamics::com::ComRef;
use sinew_dynamics::jacobian::offset;
use sinew_dynamics::row::contact::{
    self, DIRECTIONS, Friction, Numbers as ContactNumbers, Place, RowsMut, Settings,
};
use sinew_dynamics::row::equality::{self, Pose, Scratch};
use sinew_dynamics::row::limit::{self, SIDES, distance};
use sinew_dynamics::row::{Form, NewRows, Row, Source, friction, parameter};
use sinew_math::lanes::Work;
use sinew_math::{Lift, Mask, Real};
use sinew_model::Model;
use sinew_model::kinds::{Constraint, DisableFlag};
use sinew_model::view::Tree;
use sinew_solver::problem::Cone;

/// Makes all rows.
pub(super) struct Rows<'a, N, P>(pub N, pub &'a mut Group<P>);

impl<'m, N: Numbers<'m, P>, P: Real + Pod> Work for Rows<'_, N, P> {
    type Output = ();

    #[inline(always)]
    fn run<T: Real + Pod>(self) {
        let Rows(numbers, group) = self;
        let (model, source) = (numbers.model(), &numbers.rows::<T>());
        let store = &mut group.rows;
        store.clear();
        let qpos = cast_slice::<P, T>(&group.qpos);
        let com = group.com.as_ref().cast::<T>();
        let pose = &Pose {
            qpos,
            kinematics: group.kinematics.as_ref().cast::<T>(),
            com,
        };
        let scratch = &mut Scratch {
            columns: &mut group.columns,
            translation: cast_slice_mut(&mut group.translation),
            rotation: cast_slice_mut(&mut group.rotation),
        };
        let told = &mut Told::<P, T>(store, PhantomData);
        for equality in 0..model.neq {
            let active = cast::<P, T>(group.eq_active[equality]).equals(T::ONE);
            if active.any() {
                equality::rows(source, pose, (equality, active), Form::Full, scratch, told);
            }
        }
        told.0.equality_count = told.0.count;
        friction::rows(source, 0..model.nv, told);
        told.0.friction_count = told.0.count - told.0.equality_count;
        limit::rows(source, qpos, 0..model.njnt, told);
        for cord in &group.plan.cords {
            cord_limits(model, cord, qpos, told);
        }
        let settings = &settings::<T>(model, cast(group.common.timestep));
        harden(source, settings, store);
        if !group.contacts.is_empty() {
            let tree = &source.tree;
            merge_contacts::<P, T>(
                numbers,
                tree,
                &group.com.as_ref().cast(),
                &mut MergeMut {
                    contacts: &group.contacts,
                    pairs: &group.plan.pairs,
                    merge: &mut group.merge,
                    merged: &mut group.merged,
                    directions: &mut group.directions,
                },
            );
            let Group {
                rows,
                merge,
                merged,
                directions,
                row_entries,
                columns,
                ..
            } = group;
            for (shared, contact) in merge.shared.iter().zip(merged) {
                let (directions, entries) =
                    (cast_slice_mut(directions), cast_slice_mut(row_entries));
                shared_rows::<P, T>(
                    settings,
                    (shared, contact),
                    columns,
                    directions,
                    entries,
                    rows,
                );
            }
        }
        let store = &mut group.rows;
        store.finish(cast_slice::<P, T>(&group.qvel));
    }
}

/// The options that decide how hard rows are.
#[inline(always)]
fn settings<T: Real>(model: &Model, timestep: T) -> Settings<T> {
    let is_safe = model.opt.disableflags & DisableFlag::Refsafe.code() == 0;
    Settings {
        timestep: is_safe.then_some(timestep),
        impratio: T::from_f64(model.opt.impratio),
    }
}

/// Limits of a fixed tendon.
#[inline(always)]
fn cord_limits<T: Real>(model: &Model, cord: &Cord, qpos: &[T], out: &mut impl NewRows<T>) {
    if model.tendon_limited[cord.tendon] == 0 {
        return;
    }
    let length = cord.length(qpos);
    let margin = T::from_f64(model.tendon_margin[cord.tendon]);
    for (side, bound) in SIDES.into_iter().zip(model.tendon_range[cord.tendon]) {
        let pos = distance(side, T::from_f64(bound), length);
        let exists = pos.less(margin);
        if exists.any() {
            let row = Row {
                kind: Constraint::LimitTendon,
                id: cord.tendon,
                pos,
                margin,
                frictionloss: T::ZERO,
            };
            let entries = cord.entries.iter().map(|&x| T::from_f64(x * -side));
            out.add(exists, row, &cord.columns, entries);
        }
    }
}

/// How hard the rows so far are, none of which is a contact's.
#[inline(always)]
fn harden<P: Real + Pod, T: Real + Pod, V: Lift<T>>(
    source: &Source<'_, V>,
    settings: &Settings<T>,
    store: &mut RowStore<P>,
) {
    let count = store.count;
    let kinds = core::mem::take(&mut store.kind);
    let ids = core::mem::take(&mut store.id);
    let pos = core::mem::take(&mut store.pos);
    let margin = core::mem::take(&mut store.margin);
    parameter::rows(
        source,
        (&kinds, &ids),
        (
            &cast_slice::<P, T>(&pos)[..count],
            &cast_slice::<P, T>(&margin)[..count],
        ),
        settings.timestep,
        &mut store.hardness(0),
    );
    (store.kind, store.id) = (kinds, ids);
    (store.pos, store.margin) = (pos, margin);
}

/// True in the given lanes.
#[inline(always)]
pub(super) fn in_lanes<T: Real>(lanes: LaneSet) -> T::Mask {
    let mut mask = T::Mask::NONE;
    for lane in (0..T::LANES).filter(|lane| lanes & (1 << lane) != 0) {
        mask.set_lane(lane, true);
    }
    mask
}

/// Puts the contacts of all lanes into as few rows as they need together.
#[inline(always)]
fn merge_contacts<'m, P: Real + Pod, T: Real + Pod>(
    numbers: impl Numbers<'m, P>,
    tree: &Tree<'_>,
    com: &ComRef<'_, T>,
    group: &mut MergeMut<'_, P>,
) {
    let dofs = com.cdof.len();
    let MergeMut {
        contacts,
        pairs,
        merge,
        merged,
        directions,
    } = group;
    merge.plan(contacts.iter().map(|slot| {
        let pair = &pairs[slot.pair];
        (pair.friction, slot.lanes, pair.column_set)
    }));
    if merged.len() < merge.shared.len() {
        let empty = MergedContact {
            numbers: ContactNumbers::default(),
            directions: vec![P::ZERO; DIRECTIONS * dofs],
        };
        merged.resize(merge.shared.len(), empty);
    }
    for (shared, contact) in merge.shared.iter().zip(merged.iter_mut()) {
        let directions = cast_slice_mut::<P, T>(&mut contact.directions);
        for direction in directions
            .chunks_exact_mut(dofs)
            .take(shared.friction.dim())
        {
            for_each_column(shared.columns, |column| direction[column] = T::ZERO);
        }
    }
    let directions = cast_slice_mut::<P, T>(directions);
    let mut last = usize::MAX;
    for share in &merge.shares {
        let slot = &contacts[share.contact];
        let pair = &pairs[slot.pair];
        let (width, dim) = (pair.columns.len(), pair.friction.dim());
        let (dist, pos, frame) = read::<P, T>(slot);
        if share.contact != last {
            last = share.contact;
            let place = &Place {
                frame,
                offsets: pair
                    .candidate
                    .bodies
                    .map(|body| offset(tree, com.subtree_com, body, pos)),
            };
            let moves = (pair.columns.as_slice(), pair.moves.as_slice());
            contact::directions(com.cdof, moves, place, dim, directions);
        }
        let lanes = in_lanes::<T>(share.lanes);
        let out = &mut merged[share.shared];
        let rows = cast_slice_mut::<P, T>(&mut out.directions);
        for k in 0..dim {
            for (c, &column) in pair.columns.iter().enumerate() {
                let entry = &mut rows[k * dofs + column as usize];
                *entry = T::select(lanes, directions[k * width + c], *entry);
            }
        }
        put_numbers(lanes, &numbers.contact(pair, dist), &mut out.numbers);
    }
}

/// Goes through the columns of a set, ascending.
#[inline(always)]
fn for_each_column(mut columns: u64, mut work: impl FnMut(usize)) {
    while columns != 0 {
        work(columns.trailing_zeros() as usize);
        columns &= columns - 1;
    }
}

/// Writes the numbers of a contact in its lanes.
#[inline(always)]
fn put_numbers<P: Real + Pod, T: Real + Pod>(
    lanes: T::Mask,
    new: &ContactNumbers<T>,
    out: &mut ContactNumbers<P>,
) {
    put(lanes, new.dist, &mut out.dist);
    put(lanes, new.includemargin, &mut out.includemargin);
    put(lanes, new.weight, &mut out.weight);
    for k in 0..5 {
        put(lanes, new.friction[k], &mut out.friction[k]);
        put(lanes, new.solimp[k], &mut out.solimp[k]);
    }
    for k in 0..2 {
        put(lanes, new.solref[k], &mut out.solref[k]);
        put(lanes, new.solreffriction[k], &mut out.solreffriction[k]);
    }
}

#[inline(always)]
fn put<P: Real + Pod, T: Real + Pod>(lanes: T::Mask, new: T, old: &mut P) {
    *old = cast(T::select(lanes, new, cast::<P, T>(*old)));
}

/// The numbers over the type that is computed with.
#[inline(always)]
fn read_numbers<P: Real + Pod, T: Real + Pod>(numbers: &ContactNumbers<P>) -> ContactNumbers<T> {
    ContactNumbers {
        dist: cast(numbers.dist),
        includemargin: cast(numbers.includemargin),
        friction: cast(numbers.friction),
        solref: cast(numbers.solref),
        solreffriction: cast(numbers.solreffriction),
        solimp: cast(numbers.solimp),
        weight: cast(numbers.weight),
    }
}

/// Rows that contacts of different lanes share.
#[inline(always)]
fn shared_rows<P: Real + Pod, T: Real + Pod>(
    settings: &Settings<T>,
    (shared, contact): (&Shared, &MergedContact<P>),
    columns: &mut [i32],
    directions: &mut [T],
    entries: &mut [T],
    store: &mut RowStore<P>,
) {
    let dofs = columns.len();
    let mut width = 0;
    for_each_column(shared.columns, |column| {
        columns[width] = column as i32;
        width += 1;
    });
    let columns = &columns[..width];
    let given = cast_slice::<P, T>(&contact.directions);
    for k in 0..shared.friction.dim() {
        for (c, &column) in columns.iter().enumerate() {
            directions[k * width + c] = given[k * dofs + column as usize];
        }
    }
    let exists = in_lanes::<T>(shared.lanes);
    let numbers = &read_numbers::<P, T>(&contact.numbers);
    let rows = shared.friction.rows();
    let first = store.add_rows::<T>(exists, rows, columns);
    let entries = &mut entries[..rows * width];
    let range = first..first + rows;
    let (mut position, mut margin) = ([T::ZERO; 10], [T::ZERO; 10]);
    let mu = contact::rows(
        shared.friction,
        numbers,
        settings,
        (directions, width),
        &mut RowsMut {
            efc_J: entries,
            efc_pos: &mut position[..rows],
            efc_margin: &mut margin[..rows],
            hardness: store.hardness(first),
        },
    );
    cast_slice_mut::<P, T>(&mut store.pos)[range.clone()].copy_from_slice(&position[..rows]);
    cast_slice_mut::<P, T>(&mut store.margin)[range.clone()].copy_from_slice(&margin[..rows]);
    cast_slice_mut::<P, T>(&mut store.frictionloss)[range].fill(T::ZERO);
    store.write_entries(first, exists, columns, entries);
    if let Friction::Elliptic(dim) = shared.friction {
        store.cones.push(Cone { row: first, dim });
        let [a, b, c, d, e] = numbers.friction;
        let shape = [mu, a, b, c, d, e].map(|x| T::select(exists, x, T::ZERO));
        store.cone_shapes.push(shape.map(|x| cast::<T, P>(x)));
    }
}

/// What merging contacts reads and writes.
struct MergeMut<'a, P> {
    contacts: &'a [Slot<P>],
    pairs: &'a [Pair],
    merge: &'a mut Merge,
    merged: &'a mut Vec<MergedContact<P>>,
    directions: &'a mut [P],
}
