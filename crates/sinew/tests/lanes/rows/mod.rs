//! Constraint rows of packs of worlds: each lane has the rows of the scalar engine, number by number.

mod model;
mod pack;
mod worlds;

use bytemuck::Pod;
use model::{models, varied};
use pack::{Make, make};
use sinew::dynamics::row::Source;
use sinew::engine::Data;
use sinew::math::Real;
use sinew::math::lanes::{self, Double4, Double8};
use sinew::model::Model;
use sinew::model::kinds::Constraint;
use sinew::model::view::ConstrainedValuesInLanes;
use std::collections::{BTreeMap, BTreeSet};
use worlds::{Worlds, scattered};

const WORLDS: usize = 1000;

/// Numbers of one row by name: `efc_J` in full, `efc_pos` and so on.
pub type Numbers = Vec<(&'static str, Vec<f64>)>;

/// One row of one world: kind, object, its place among the rows of that object, numbers.
#[derive(Clone, Debug)]
pub struct Row {
    pub kind: i32,
    pub id: usize,
    pub place: usize,
    pub numbers: Numbers,
}

/// The rows of the scalar engine.
fn engine_rows(model: &Model, data: &Data) -> Vec<Row> {
    let rows = &data.position.constraints;
    let reference = &data.velocity.reference;
    let mut place = 0;
    (0..rows.nefc())
        .map(|i| {
            let is_same = i > 0
                && (rows.efc_type[i - 1], rows.efc_id[i - 1]) == (rows.efc_type[i], rows.efc_id[i]);
            place = if is_same { place + 1 } else { 0 };
            let mut full = vec![0.0; model.nv];
            let (columns, values) = rows.jacobian().row(i);
            for (&column, &value) in columns.iter().zip(values) {
                full[column as usize] = value;
            }
            Row {
                kind: rows.efc_type[i],
                id: rows.efc_id[i] as usize,
                place,
                numbers: vec![
                    ("efc_J", full),
                    ("efc_pos", vec![rows.efc_pos[i]]),
                    ("efc_margin", vec![rows.efc_margin[i]]),
                    ("efc_frictionloss", vec![rows.efc_frictionloss[i]]),
                    ("efc_diagApprox", vec![rows.efc_diagApprox[i]]),
                    ("efc_R", vec![rows.efc_R[i]]),
                    ("efc_D", vec![rows.efc_D[i]]),
                    ("efc_KBIP", rows.efc_KBIP[i].to_vec()),
                    ("efc_aref", vec![reference.efc_aref[i]]),
                ],
            }
        })
        .collect()
}

/// What was compared: kinds of rows, packs of contacts of the same bodies and of different ones.
#[derive(Default)]
struct Seen {
    kinds: BTreeSet<i32>,
    rows: usize,
    shared: usize,
    mixed: usize,
}

/// Makes the rows of all worlds, `P::LANES` at a time, and shows each beside the scalar engine's.
fn run_all<P: Real + Pod>(
    model: &Model,
    own: &[Model],
    run: impl Fn(&Worlds<P>) -> pack::Made,
    mut check: impl FnMut(usize, &Row, &Row),
) -> Seen {
    let mut seen = Seen::default();
    for first in (0..WORLDS).step_by(P::LANES) {
        let worlds: Vec<(&Model, Data)> = (0..P::LANES)
            .map(|lane| {
                let model = own.get(lane).unwrap_or(model);
                (model, scattered(model, first + lane))
            })
            .collect();
        let made = run(&Worlds::gather(model, &worlds));
        seen.shared += made.shared;
        seen.mixed += made.mixed;
        for (lane, (own, data)) in worlds.iter().enumerate() {
            let expected = engine_rows(own, data);
            let is_contact = |row: &&Row| row.kind >= Constraint::ContactFrictionless.code();
            // Rows of contacts are made twice, in packs of the same bodies and in other packs.
            let contacts = expected.iter().filter(is_contact);
            let expected: Vec<&Row> = expected.iter().chain(contacts).collect();
            let found = &made.lanes[lane];
            assert_eq!(expected.len(), found.len(), "world {}", first + lane);
            for (expected, found) in expected.into_iter().zip(found) {
                let key = |row: &Row| (row.kind, row.id, row.place);
                assert_eq!(key(expected), key(found), "world {}", first + lane);
                check(first + lane, expected, found);
                seen.kinds.insert(expected.kind);
                seen.rows += 1;
            }
        }
    }
    seen
}

/// Checks that every number of every row has the scalar engine's bits.
fn equal_bits<P: Real + Pod>(
    form: &str,
    (name, model): (&str, &Model),
    own: &[Model],
    run: impl Fn(&Worlds<P>) -> pack::Made,
) {
    let seen = run_all(model, own, run, |world, expected, found| {
        for ((field, a), (_, b)) in expected.numbers.iter().zip(&found.numbers) {
            let bits = |numbers: &[f64]| numbers.iter().map(|x| x.to_bits()).collect::<Vec<_>>();
            let (kind, id, place) = (expected.kind, expected.id, expected.place);
            assert!(
                bits(a) == bits(b),
                "{form}: {name}, world {world}, kind {kind} of {id}, row {place}, {field}: {a:?} {b:?}"
            );
        }
    });
    assert!(seen.kinds.len() >= 5, "{name}: {:?}", seen.kinds);
    assert!(seen.rows > 30 * WORLDS, "{name}: {} rows", seen.rows);
    assert!(seen.shared > 100, "{name}: contacts of the same bodies");
    assert!(
        P::LANES == 1 || seen.mixed > 100,
        "{name}: of different bodies"
    );
}

/// The portable form, with values that all worlds share.
#[inline(never)]
fn shared<P: Real + Pod>(model: &Model, worlds: &Worlds<P>) -> pack::Made {
    make::<P, P, f64>(model, &Source::from(model), worlds)
}

#[test]
fn one_world_has_the_rows_of_the_engine() {
    for (name, model) in models() {
        equal_bits::<f64>("f64", (name, &model), &[], |worlds| shared(&model, worlds));
    }
}

#[test]
fn four_worlds_have_the_rows_of_each() {
    for (name, model) in models() {
        let subject = (name, &model);
        equal_bits::<Double4>("portable", subject, &[], |worlds| shared(&model, worlds));
        equal_bits::<Double4>("registers", subject, &[], |worlds| {
            lanes::double4(Make::new(&model, worlds))
        });
    }
}

#[test]
fn eight_worlds_have_the_rows_of_each() {
    for (name, model) in models() {
        let subject = (name, &model);
        equal_bits::<Double8>("portable", subject, &[], |worlds| shared(&model, worlds));
        equal_bits::<Double8>("registers", subject, &[], |worlds| {
            lanes::double8(Make::new(&model, worlds))
        });
    }
}

#[test]
fn limits_losses_and_hardness_may_differ_per_world() {
    for (name, model) in models() {
        let own: Vec<Model> = (0..4).map(|seed| varied(&model, seed)).collect();
        let others: Vec<&Model> = own[1..].iter().collect();
        let values = ConstrainedValuesInLanes::<Double4>::gather(&own[0], &others);
        let in_lanes = |x: &f64| Double4::from_f64(*x);
        let qpos0: Vec<Double4> = model.qpos0.iter().map(in_lanes).collect();
        let site_quat: Vec<_> = model
            .site_quat
            .iter()
            .map(|turn| sinew::math::Lift::lift(*turn))
            .collect();
        let shared = Source::from(&model);
        let source = Source {
            values: values.as_ref(),
            qpos0: &qpos0,
            site_quat: &site_quat,
            tree: shared.tree,
            attached: shared.attached,
            constrained: shared.constrained,
        };
        equal_bits::<Double4>("own values", (name, &model), &own, |worlds| {
            make::<Double4, Double4, Double4>(&model, &source, worlds)
        });
    }
}

/// Single precision is right to 1e-5 of the largest number that a field has in any of the worlds.
#[test]
fn rows_in_single_precision_are_right_to_its_own_accuracy() {
    for (name, model) in models() {
        // Largest difference and largest number of each field.
        let mut errors: BTreeMap<&str, (f64, f64)> = BTreeMap::new();
        run_all::<f32>(
            &model,
            &[],
            |worlds| shared(&model, worlds),
            |_, expected, found| {
                for ((field, a), (_, b)) in expected.numbers.iter().zip(&found.numbers) {
                    let (most, scale) = errors.entry(field).or_default();
                    for (a, b) in a.iter().zip(b) {
                        (*most, *scale) = (most.max((a - b).abs()), scale.max(a.abs()));
                    }
                }
            },
        );
        for (field, (most, scale)) in errors {
            assert!(
                most <= 1e-5 * scale,
                "{name}, {field}: {most:e} of {scale:e}"
            );
        }
    }
}
