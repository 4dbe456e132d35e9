//! Constraint rows, by a thread, into the block of its world.
//!
//! Rows are finished constraint by constraint: what is only needed to make them lives in a few registers or on the
//! stack, and each row is written once.

use crate::Number;
use crate::block::{Event, Problem, State, Words, count};
use crate::contact::Pair;
use crate::scene::{CORD_NUMBERS, CORD_WORDS, MOST_DOFS, Scene};
use crate::smooth::{Local, MOST_ROWS, com_of, cord_length, kinematics_of};
use sinew_collision::pair::Touch;
use sinew_dynamics::jacobian::{Moves, offset};
use sinew_dynamics::row::contact::{self, Friction, Place, RowsMut, Settings};
use sinew_dynamics::row::equality::{self, Pose, Scratch};
use sinew_dynamics::row::impedance::reference;
use sinew_dynamics::row::limit::{self, SIDES, distance};
use sinew_dynamics::row::{Form, HardnessMut, NewRows, Row, friction, parameter};
use sinew_math::dense::dot;
use sinew_model::kinds::Constraint;

/// Rows of one constraint on their way into the block.
struct Making<'a, 'b, T> {
    out: &'a mut Problem<'b, T>,
    qvel: &'a [T],
    row: &'a mut [T],
    /// Rows that are finished.
    done: usize,
    /// Rows that were told since.
    new: usize,
    kind: i32,
    id: i32,
    pos: [T; MOST_ROWS],
    margin: [T; MOST_ROWS],
    velocity: [T; MOST_ROWS],
    diagonal: [T; MOST_ROWS],
    parameters: [[T; 4]; MOST_ROWS],
}

impl<T: Number> NewRows<T> for Making<'_, '_, T> {
    #[inline(always)]
    fn add(&mut self, _: bool, row: Row<T>, columns: &[i32], entries: impl Iterator<Item = T>) {
        self.row.fill(T::ZERO);
        for (&column, entry) in columns.iter().zip(entries) {
            self.row[column as usize] = entry;
        }
        let k = self.new;
        self.pos[k] = row.pos;
        self.margin[k] = row.margin;
        self.out.frictionloss[self.done + k] = row.frictionloss;
        (self.kind, self.id) = (row.kind.code(), row.id as i32);
        self.write_row(k);
        self.new += 1;
    }
}

impl<'a, 'b, T: Number> Making<'a, 'b, T> {
    #[inline(always)]
    fn new(out: &'a mut Problem<'b, T>, qvel: &'a [T], row: &'a mut [T]) -> Self {
        Making {
            out,
            qvel,
            row,
            done: 0,
            new: 0,
            kind: 0,
            id: 0,
            pos: [T::ZERO; MOST_ROWS],
            margin: [T::ZERO; MOST_ROWS],
            velocity: [T::ZERO; MOST_ROWS],
            diagonal: [T::ZERO; MOST_ROWS],
            parameters: [[T::ZERO; 4]; MOST_ROWS],
        }
    }

    /// Writes the row at hand and its velocity.
    #[inline(always)]
    fn write_row(&mut self, k: usize) {
        let n = self.row.len();
        self.velocity[k] = dot(self.row, self.qvel);
        let at = (self.done + k) * n;
        self.out.J[at..at + n].copy_from_slice(self.row);
    }

    /// How hard the new rows are, none of which is a contact's.
    #[inline(always)]
    fn harden(&mut self, scene: &Scene<'_, T>) {
        if self.new == 0 {
            return;
        }
        let (rows, new) = (self.done..self.done + self.new, self.new);
        let (kinds, ids) = ([self.kind; MOST_ROWS], [self.id; MOST_ROWS]);
        parameter::rows(
            &scene.source(),
            (&kinds[..new], &ids[..new]),
            (&self.pos[..new], &self.margin[..new]),
            settings(scene).timestep,
            &mut HardnessMut {
                efc_diagApprox: &mut self.diagonal[..new],
                efc_R: &mut self.out.R[rows.clone()],
                efc_D: &mut self.out.D[rows],
                efc_KBIP: &mut self.parameters[..new],
            },
        );
        self.finish();
    }

    /// What the new rows aim at.
    #[inline(always)]
    fn finish(&mut self) {
        for k in 0..self.new {
            let violation = self.pos[k] - self.margin[k];
            let aim = reference(self.parameters[k], self.velocity[k], violation);
            self.out.aref[self.done + k] = aim;
        }
        self.done += self.new;
        self.new = 0;
    }

    /// The rows of a contact, whose directions have the given columns.
    #[inline(always)]
    fn contact(
        &mut self,
        scene: &Scene<'_, T>,
        pair: &Pair<'_, T>,
        dist: T,
        columns: &[i32],
        directions: &[T],
        entries: &mut [T],
    ) -> T {
        let (friction, width) = (pair.friction(), columns.len());
        let count = friction.rows();
        let entries = &mut entries[..count * width];
        let rows = self.done..self.done + count;
        let slope = contact::rows(
            friction,
            &pair.contact(dist),
            &settings(scene),
            (directions, width),
            &mut RowsMut {
                efc_J: entries,
                efc_pos: &mut self.pos[..count],
                efc_margin: &mut self.margin[..count],
                hardness: HardnessMut {
                    efc_diagApprox: &mut self.diagonal[..count],
                    efc_R: &mut self.out.R[rows.clone()],
                    efc_D: &mut self.out.D[rows.clone()],
                    efc_KBIP: &mut self.parameters[..count],
                },
            },
        );
        self.out.frictionloss[rows].fill(T::ZERO);
        for (k, given) in entries.chunks_exact(width).enumerate() {
            self.row.fill(T::ZERO);
            for (&column, &entry) in columns.iter().zip(given) {
                self.row[column as usize] = entry;
            }
            self.write_row(k);
        }
        self.new = count;
        self.finish();
        slope
    }
}

/// The options that decide how hard rows are.
#[inline(always)]
fn settings<T: Number>(scene: &Scene<'_, T>) -> Settings<T> {
    let is_safe = scene.head.is_safe != 0;
    Settings {
        timestep: is_safe.then_some(scene.constants.timestep),
        impratio: scene.constants.impratio,
    }
}

/// Makes all rows. Contacts for which there is no room are counted.
#[inline(always)]
pub(crate) fn make<T: Number>(
    scene: &Scene<'_, T>,
    state: &State<'_, T>,
    at: &mut Local<'_, T>,
    out: &mut Problem<'_, T>,
    words: &mut Words<'_, i32>,
) {
    let (head, source) = (&scene.head, &scene.source());
    let kinematics = kinematics_of(&at.kinematics);
    let com = com_of(&at.com);
    let making = &mut Making::new(out, at.qvel, at.row);
    let pose = &Pose {
        qpos: at.qpos,
        kinematics,
        com,
    };
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
    let equality_count = making.done;
    for dof in 0..head.nv {
        friction::rows(source, dof..dof + 1, making);
        making.harden(scene);
    }
    let friction_count = making.done - equality_count;
    for joint in 0..head.njnt {
        limit::rows(source, at.qpos, joint..joint + 1, making);
        making.harden(scene);
    }
    for cord in 0..head.cords {
        cord_limits(scene, cord, at.qpos, making);
        making.harden(scene);
    }
    let mut cones = Cones { words, count: 0 };
    for index in 0..head.pairs {
        let pair = Pair::new(scene, index);
        let friction = pair.friction();
        pair.touches(scene, &kinematics, |touch| {
            if pair.is_shallow(touch) {
                count(cones.words.events, Event::ShallowTouch);
            }
            if touch.dist >= pair.includemargin() {
                return;
            }
            if making.done + friction.rows() > head.rows || !cones.has_room(friction) {
                count(cones.words.events, Event::LostContact);
                return;
            }
            let listed = pair.columns();
            let own = &scene.tables.pair_columns[listed.clone()];
            directions_of(scene, &pair, touch, &com, (own, listed), at.directions);
            let first = making.done;
            let slope = making.contact(scene, &pair, touch.dist, own, at.directions, at.entries);
            if let Friction::Elliptic(dim) = friction {
                let shape = &pair.contact(touch.dist).friction;
                let shapes = making.out.cone_shapes.as_chunks_mut::<6>().0;
                let [a, b, c, d, e] = *shape;
                shapes[cones.count] = [slope, a, b, c, d, e];
                cones.add(first, dim);
            }
        });
    }
    let counts = [making.done, equality_count, friction_count, cones.count];
    for (out, count) in words.counts.iter_mut().zip(counts) {
        *out = count as i32;
    }
}

/// Elliptic contacts so far.
struct Cones<'a, 'b> {
    words: &'a mut Words<'b, i32>,
    count: usize,
}

impl Cones<'_, '_> {
    #[inline(always)]
    fn has_room(&self, friction: Friction) -> bool {
        !matches!(friction, Friction::Elliptic(_)) || self.count < self.words.cone_rows.len()
    }

    #[inline(always)]
    fn add(&mut self, row: usize, dim: usize) {
        self.words.cone_rows[self.count] = row as i32;
        self.words.cone_dims[self.count] = dim as i32;
        self.count += 1;
    }
}

/// How the bodies of a pair move against each other at a contact.
#[inline(always)]
fn directions_of<T: Number>(
    scene: &Scene<'_, T>,
    pair: &Pair<'_, T>,
    touch: &Touch<T>,
    com: &sinew_dynamics::com::ComRef<'_, T>,
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
