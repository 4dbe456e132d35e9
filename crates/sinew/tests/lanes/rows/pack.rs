//! Rows of worlds side by side, made by the generic source.

use super::worlds::{Worlds, bodies};
use super::{Numbers, Row};
use bytemuck::{Pod, cast_slice};
use sinew::dynamics::jacobian::{Moves, columns_of_pair, offset};
use sinew::dynamics::row::contact::{self, DIRECTIONS, Friction, Place, RowsMut, Settings};
use sinew::dynamics::row::equality::{self, Pose, Scratch};
use sinew::dynamics::row::impedance::reference;
use sinew::dynamics::row::{self, Form, HardnessMut, NewRows, Source, friction, limit, parameter};
use sinew::engine::is_sparse;
use sinew::engine::position::contact::Contact;
use sinew::math::dense::dot;
use sinew::math::tree::dot_contiguous;
use sinew::math::{Lift, Mask, Real, Vec3, lanes};
use sinew::model::Model;
use sinew::model::column::LaneCell;
use std::collections::BTreeMap;

/// What came out.
pub struct Made {
    /// The rows of each lane, contacts in packs of the same bodies first, then in packs of any.
    pub lanes: Vec<Vec<Row>>,
    /// Packs of contacts of the same two bodies, with more than one lane in use if there are lanes.
    pub shared: usize,
    /// Packs of contacts of different bodies.
    pub mixed: usize,
}

/// Making the rows, with values that all worlds share.
pub struct Make<'a, P> {
    model: &'a Model,
    worlds: &'a Worlds<P>,
}

impl<'a, P> Make<'a, P> {
    pub fn new(model: &'a Model, worlds: &'a Worlds<P>) -> Self {
        Make { model, worlds }
    }
}

impl<P: Real + Pod> lanes::Work for Make<'_, P> {
    type Output = Made;

    #[inline(always)]
    fn run<T: Real + Pod>(self) -> Made {
        make::<P, T, f64>(self.model, &Source::from(self.model), self.worlds)
    }
}

/// Makes all rows with numbers of type `T`.
#[inline(always)]
pub fn make<P: Real + Pod, T: Real + Pod, V: Lift<T>>(
    model: &Model,
    source: &Source<'_, V>,
    worlds: &Worlds<P>,
) -> Made {
    let pose = Pose {
        qpos: cast_slice(&worlds.qpos),
        kinematics: worlds.kinematics.as_ref().cast::<T>(),
        com: worlds.com.as_ref().cast::<T>(),
    };
    let maker = Maker {
        model,
        form: match is_sparse(model) {
            true => Form::Compressed,
            false => Form::Full,
        },
        settings: Settings {
            timestep: Some(T::from_f64(model.opt.timestep)),
            impratio: T::from_f64(model.opt.impratio),
        },
        pose,
        qvel: cast_slice(&worlds.qvel),
    };
    let mut out = Made {
        lanes: vec![Vec::new(); T::LANES],
        shared: 0,
        mixed: 0,
    };
    maker.without_contacts(source, &worlds.eq_active, &mut out);
    maker.contacts(&worlds.contacts, &worlds.weights, &mut out);
    out
}

/// What the contacts of a pack have in common: dimension, bodies where they are the same, and place
/// among the contacts of this sort in their lane.
type Key = (i32, [usize; 2], usize);

/// A contact in its lane.
struct Member<'a> {
    lane: usize,
    id: usize,
    contact: &'a Contact,
    /// Inverse weights of its bodies.
    weight: f64,
}

struct Maker<'a, T> {
    model: &'a Model,
    form: Form,
    settings: Settings<T>,
    pose: Pose<'a, T>,
    qvel: &'a [T],
}

/// Rows as they are told.
struct Told<T: Real> {
    exists: Vec<T::Mask>,
    efc_type: Vec<i32>,
    efc_id: Vec<i32>,
    pos: Vec<T>,
    margin: Vec<T>,
    frictionloss: Vec<T>,
    entries: Vec<(Vec<i32>, Vec<T>)>,
}

impl<T: Real> NewRows<T> for Told<T> {
    fn add(
        &mut self,
        exists: T::Mask,
        row: row::Row<T>,
        columns: &[i32],
        entries: impl Iterator<Item = T>,
    ) {
        self.exists.push(exists);
        self.efc_type.push(row.kind.code());
        self.efc_id.push(row.id as i32);
        self.pos.push(row.pos);
        self.margin.push(row.margin);
        self.frictionloss.push(row.frictionloss);
        self.entries.push((columns.to_vec(), entries.collect()));
    }
}

/// How hard rows are.
struct Hardness<T> {
    diagonal: Vec<T>,
    r: Vec<T>,
    d: Vec<T>,
    kbip: Vec<[T; 4]>,
}

impl<T: Real> Hardness<T> {
    fn new(rows: usize) -> Self {
        Hardness {
            diagonal: vec![T::ZERO; rows],
            r: vec![T::ZERO; rows],
            d: vec![T::ZERO; rows],
            kbip: vec![[T::ZERO; 4]; rows],
        }
    }

    fn as_mut(&mut self) -> HardnessMut<'_, T> {
        HardnessMut {
            efc_diagApprox: &mut self.diagonal,
            efc_R: &mut self.r,
            efc_D: &mut self.d,
            efc_KBIP: &mut self.kbip,
        }
    }
}

impl<T: Real> Maker<'_, T> {
    /// Equalities, friction and limits: all lanes share objects and columns.
    #[inline(always)]
    fn without_contacts<V: Lift<T>>(
        &self,
        source: &Source<'_, V>,
        eq_active: &[Vec<u8>],
        out: &mut Made,
    ) {
        let model = self.model;
        let mut told = Told::<T> {
            exists: Vec::new(),
            efc_type: Vec::new(),
            efc_id: Vec::new(),
            pos: Vec::new(),
            margin: Vec::new(),
            frictionloss: Vec::new(),
            entries: Vec::new(),
        };
        let mut scratch = Scratch {
            columns: &mut vec![0; model.nv],
            translation: &mut vec![Vec3::zero(); model.nv],
            rotation: &mut vec![Vec3::zero(); model.nv],
        };
        for i in 0..model.neq {
            let mut is_active = T::Mask::NONE;
            for (lane, active) in eq_active.iter().enumerate() {
                is_active.set_lane(lane, active[i] != 0);
            }
            let given = (i, is_active);
            equality::rows(
                source,
                &self.pose,
                given,
                self.form,
                &mut scratch,
                &mut told,
            );
        }
        friction::rows(source, 0..model.nv, &mut told);
        limit::rows(source, self.pose.qpos, 0..model.njnt, &mut told);

        let mut hardness = Hardness::new(told.pos.len());
        parameter::rows(
            source,
            (&told.efc_type, &told.efc_id),
            (&told.pos, &told.margin),
            self.settings.timestep,
            &mut hardness.as_mut(),
        );
        for i in 0..told.pos.len() {
            let (columns, entries) = &told.entries[i];
            let numbers = [told.pos[i], told.margin[i], told.frictionloss[i]];
            let velocity = self.velocity(columns, entries);
            let shown = self.show((columns, entries), velocity, numbers, &hardness, i);
            for (lane, numbers) in shown.into_iter().enumerate() {
                if told.exists[i].lane(lane) {
                    out.lanes[lane].push(Row {
                        kind: told.efc_type[i],
                        id: told.efc_id[i] as usize,
                        place: 0,
                        numbers,
                    });
                }
            }
        }
        for rows in &mut out.lanes {
            for i in 1..rows.len() {
                if (rows[i].kind, rows[i].id) == (rows[i - 1].kind, rows[i - 1].id) {
                    rows[i].place = rows[i - 1].place + 1;
                }
            }
        }
    }

    /// Contacts, first in packs of the same bodies, then in packs of the same dimension.
    #[inline(always)]
    fn contacts(&self, contacts: &[Vec<(usize, Contact)>], weights: &[Vec<f64>], out: &mut Made) {
        for is_shared in [true, false] {
            // The first, second, ... contact of a sort in each lane form a pack.
            let mut packs: BTreeMap<Key, Vec<(usize, usize)>> = BTreeMap::new();
            for (lane, contacts) in contacts.iter().enumerate() {
                let mut count: BTreeMap<(i32, [usize; 2]), usize> = BTreeMap::new();
                for (k, (_, contact)) in contacts.iter().enumerate() {
                    let bodies = match is_shared {
                        true => bodies(self.model, contact),
                        false => [0; 2],
                    };
                    let place = count.entry((contact.dim, bodies)).or_default();
                    let key = (contact.dim, bodies, *place);
                    packs.entry(key).or_default().push((lane, k));
                    *place += 1;
                }
            }
            let mut rows: Vec<Vec<Row>> = vec![Vec::new(); T::LANES];
            for members in packs.values() {
                let member = |&(lane, k): &(usize, usize)| Member {
                    lane,
                    id: contacts[lane][k].0,
                    contact: &contacts[lane][k].1,
                    weight: weights[lane][k],
                };
                let pack: Vec<Member<'_>> = members.iter().map(member).collect();
                self.pack(&pack, is_shared, &mut rows);
                let first = bodies(self.model, pack[0].contact);
                let differ = |member: &Member<'_>| bodies(self.model, member.contact) != first;
                out.mixed += usize::from(pack.iter().any(differ));
                out.shared += usize::from(is_shared && (pack.len() > 1 || T::LANES == 1));
            }
            for (lane, mut rows) in rows.into_iter().enumerate() {
                rows.sort_by_key(|row| (row.id, row.place));
                out.lanes[lane].append(&mut rows);
            }
        }
    }

    /// Rows of contacts of one dimension in some lanes.
    #[inline(always)]
    fn pack(&self, pack: &[Member<'_>], is_shared: bool, out: &mut [Vec<Row>]) {
        let model = self.model;
        let nv = model.nv;
        let mut numbers = contact::Numbers::<T>::default();
        for &Member {
            lane,
            contact,
            weight,
            ..
        } in pack
        {
            numbers.dist.put(lane, contact.dist);
            numbers.includemargin.put(lane, contact.includemargin);
            numbers.friction.put(lane, contact.friction);
            numbers.solref.put(lane, contact.solref);
            numbers.solreffriction.put(lane, contact.solreffriction);
            numbers.solimp.put(lane, contact.solimp);
            numbers.weight.put(lane, weight);
        }
        let friction = pack[0].contact.friction_form(model);
        let dim = friction.dim();
        // What was left by others must not matter.
        let mut directions = vec![T::from_f64(f64::NAN); DIRECTIONS * nv];
        let columns = if is_shared {
            let (columns, moves) = self.columns(bodies(model, pack[0].contact));
            let place = self.place(pack);
            let lists = (&columns[..], &moves[..]);
            contact::directions(self.pose.com.cdof, lists, &place, dim, &mut directions);
            columns
        } else {
            for &Member { lane, contact, .. } in pack {
                let (columns, moves) = self.columns(bodies(model, contact));
                let place = self.place_in_lane(lane, contact);
                contact::directions_in_lane(
                    lane,
                    self.pose.com.cdof,
                    (&columns, &moves),
                    &place,
                    dim,
                    &mut directions,
                );
            }
            (0..nv as i32).collect()
        };
        self.finish(
            (pack, is_shared),
            (friction, &numbers),
            (&columns, &directions),
            out,
        );
    }

    /// Rows from directions.
    #[inline(always)]
    fn finish(
        &self,
        (pack, is_shared): (&[Member<'_>], bool),
        (friction, numbers): (Friction, &contact::Numbers<T>),
        (columns, directions): (&[i32], &[T]),
        out: &mut [Vec<Row>],
    ) {
        let (rows, width) = (friction.rows(), columns.len());
        let mut hardness = Hardness::new(rows);
        let mut entries = vec![T::ZERO; rows * width];
        let (mut pos, mut margin) = (vec![T::ZERO; rows], vec![T::ZERO; rows]);
        contact::rows(
            friction,
            numbers,
            &self.settings,
            (directions, width),
            &mut RowsMut {
                efc_J: &mut entries,
                efc_pos: &mut pos,
                efc_margin: &mut margin,
                hardness: hardness.as_mut(),
            },
        );
        for place in 0..rows {
            let entries = &entries[place * width..(place + 1) * width];
            let numbers = [pos[place], margin[place], T::ZERO];
            let mut velocity = self.velocity(columns, entries);
            if !is_shared && self.form == Form::Compressed {
                for &Member { lane, contact, .. } in pack {
                    velocity.put(lane, self.velocity_in_lane(lane, contact, entries));
                }
            }
            let shown = self.show((columns, entries), velocity, numbers, &hardness, place);
            for &Member { lane, id, .. } in pack {
                out[lane].push(Row {
                    kind: friction.kind().code(),
                    id,
                    place,
                    numbers: shown[lane].clone(),
                });
            }
        }
    }

    fn columns(&self, bodies: [usize; 2]) -> (Vec<i32>, Vec<Moves>) {
        let mut columns = vec![0; self.model.nv];
        let mut moves = vec![Moves::Both; self.model.nv];
        let wanted = |moves| self.form == Form::Compressed || moves != Moves::Both;
        let tree = &self.model.into();
        let start = columns_of_pair(tree, bodies, wanted, &mut columns, &mut moves);
        (columns.split_off(start), moves.split_off(start))
    }

    /// Where the lanes of a pack touch, all at the same two bodies.
    #[inline(always)]
    fn place(&self, pack: &[Member<'_>]) -> Place<T> {
        let (mut frame, mut point) = (sinew::math::Mat3::<T>::identity(), Vec3::<T>::zero());
        for &Member { lane, contact, .. } in pack {
            frame.put(lane, contact.frame);
            point.put(lane, contact.pos);
        }
        let tree = &self.model.into();
        Place {
            frame,
            offsets: bodies(self.model, pack[0].contact)
                .map(|body| offset(tree, self.pose.com.subtree_com, body, point)),
        }
    }

    /// Where one lane touches.
    fn place_in_lane(&self, lane: usize, contact: &Contact) -> Place {
        let tree = self.model.into();
        let centres = self.pose.com.subtree_com.iter();
        let centres: Vec<Vec3> = centres.map(|centre| centre.take(lane)).collect();
        Place {
            frame: contact.frame,
            offsets: bodies(self.model, contact)
                .map(|body| offset(&tree, &centres, body, contact.pos)),
        }
    }

    /// Velocity of a row, summed in the order of the layout.
    fn velocity(&self, columns: &[i32], entries: &[T]) -> T {
        match self.form {
            Form::Full => dot(&self.full(columns, entries), self.qvel),
            Form::Compressed => {
                let part: Vec<T> = columns.iter().map(|c| self.qvel[*c as usize]).collect();
                dot_contiguous(entries, &part)
            }
        }
    }

    /// The same for one lane of a full row, which sums over the columns of its own contact.
    fn velocity_in_lane(&self, lane: usize, contact: &Contact, entries: &[T]) -> f64 {
        let (columns, _) = self.columns(bodies(self.model, contact));
        let of_columns = |cells: &[T]| -> Vec<f64> {
            let columns = columns.iter();
            columns.map(|c| cells[*c as usize].lane(lane)).collect()
        };
        dot_contiguous(&of_columns(entries), &of_columns(self.qvel))
    }

    fn full(&self, columns: &[i32], entries: &[T]) -> Vec<T> {
        let mut full = vec![T::ZERO; self.model.nv];
        for (&column, &entry) in columns.iter().zip(entries) {
            full[column as usize] = entry;
        }
        full
    }

    /// The numbers of a row, lane by lane.
    fn show(
        &self,
        (columns, entries): (&[i32], &[T]),
        velocity: T,
        [pos, margin, frictionloss]: [T; 3],
        hardness: &Hardness<T>,
        i: usize,
    ) -> Vec<Numbers> {
        let full = self.full(columns, entries);
        let aref = reference(hardness.kbip[i], velocity, pos - margin);
        let in_lane = |lane: usize| -> Numbers {
            let one = |x: T| vec![x.lane(lane)];
            vec![
                ("efc_J", full.iter().map(|x| x.lane(lane)).collect()),
                ("efc_pos", one(pos)),
                ("efc_margin", one(margin)),
                ("efc_frictionloss", one(frictionloss)),
                ("efc_diagApprox", one(hardness.diagonal[i])),
                ("efc_R", one(hardness.r[i])),
                ("efc_D", one(hardness.d[i])),
                ("efc_KBIP", hardness.kbip[i].map(|x| x.lane(lane)).to_vec()),
                ("efc_aref", one(aref)),
            ]
        };
        (0..T::LANES).map(in_lane).collect()
    }
}
