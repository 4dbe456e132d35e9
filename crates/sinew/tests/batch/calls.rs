//! Calls about some of the worlds: steps, random resets and rollouts, and their end before the last step.

use crate::worlds::{bits, floating};
use sinew::batch::{Batch, BatchError, Controls, Lanes, Noise, Record, Spread, Which};
use sinew::engine::CallError;
use sinew::engine::integrate::integrate_position;
use sinew::model::Model;
use sinew::model::kinds::DisableFlag;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

const ALWAYS: &(dyn Fn() -> bool + Sync) = &|| true;

/// A model with sensors, and the same without.
fn models() -> [Model; 2] {
    let mut without_sensors = floating();
    without_sensors.opt.disableflags |= DisableFlag::Sensor.code();
    [floating(), without_sensors]
}

/// Rows of a matrix with a row per world.
fn rows(cells: &[f64], count: usize) -> Vec<Vec<u64>> {
    cells.chunks(cells.len() / count).map(bits).collect()
}

#[test]
fn worlds_that_a_call_does_not_name_stay_as_they_are() {
    for model in models() {
        let mut batch = Batch::with(model, 11, 2, &[]).expect("fits");
        batch.step(3, &());
        let before = rows(batch.states(), 11);
        let mask: Vec<bool> = (0..11).map(|world| world % 3 == 1).collect();
        batch
            .step_while(Which::Where(&mask), 2, &(), ALWAYS)
            .expect("fits");
        let after = rows(batch.states(), 11);
        for world in 0..11 {
            assert_eq!(after[world] != before[world], mask[world]);
        }
        let refused = batch.step_while(Which::One(11), 1, &(), ALWAYS);
        assert!(matches!(
            refused,
            Err(CallError::Index { what: "world", .. })
        ));
    }
}

#[test]
fn forward_is_about_the_named_worlds() {
    let mut batch = Batch::with(floating(), 4, 2, &["xpos"]).expect("fits");
    batch.step(3, &());
    let before = rows(batch.get("xpos").expect("kept"), 4);
    batch.get_mut("qpos").expect("kept")[2] += 1.0;
    batch
        .forward_while(Which::One(0), ALWAYS)
        .expect("there is one");
    let found = rows(batch.get("xpos").expect("kept"), 4);
    assert_ne!(found[0], before[0]);
    assert_eq!(found[1..], before[1..]);
    assert!(batch.forward_while(Which::Where(&[true]), ALWAYS).is_err());
}

#[test]
fn a_call_that_ends_early_has_made_whole_steps() {
    for (number, model) in models().into_iter().enumerate() {
        let model = Arc::new(model);
        for threads in [1, 3] {
            let mut batch = Batch::with(Arc::clone(&model), 26, threads, &[]).expect("fits");
            if number == 0 {
                batch.set_lanes(Lanes::One);
            }
            let asked = AtomicUsize::new(0);
            let goes_on = || asked.fetch_add(1, Ordering::Relaxed) < 17;
            batch
                .step_while(Which::All, 10, &(), &goes_on)
                .expect("fits");
            let time = batch.get("time").expect("kept").iter();
            let steps: Vec<f64> = time.map(|t| (t / model.opt.timestep).round()).collect();
            let lanes = batch.plan().0 as f64;
            // It is asked before each step of each world, or of several side by side.
            let made: f64 = steps.iter().sum();
            assert!(made >= 17.0 && made <= 17.0 * lanes, "{steps:?}");
            for (world, &count) in steps.iter().enumerate() {
                let mut alone = Batch::with(Arc::clone(&model), 1, 1, &[]).expect("fits");
                alone.step(count as usize, &());
                let width = alone.states().len();
                let found = &batch.states()[world * width..][..width];
                assert_eq!(bits(found), bits(alone.states()));
            }
        }
    }
}

#[test]
fn random_resets_depend_on_seed_world_and_draw_alone() {
    let noise = Noise {
        position: 0.1,
        velocity: 0.5,
        spread: Spread::Uniform,
    };
    let model = Arc::new(floating());
    let batch = || Batch::with(Arc::clone(&model), 5, 2, &[]).expect("fits");
    let mut together = batch();
    let mut drawn = Vec::new();
    for _ in 0..2 {
        together
            .reset_randomly(Which::All, None, &noise, 7)
            .expect("fits");
        drawn.push(rows(together.states(), 5));
    }
    assert_ne!(drawn[0], drawn[1], "another draw");
    assert_ne!(drawn[0][0], drawn[0][1], "another world");

    // One world after the other, backwards.
    let mut apart = batch();
    for world in (0..5).rev() {
        for draw in &drawn {
            apart.step(1, &());
            apart
                .reset_randomly(Which::One(world), None, &noise, 7)
                .expect("fits");
            assert_eq!(rows(apart.states(), 5)[world], draw[world]);
        }
    }
    assert_eq!(apart.draws(), [2; 5]);
    apart.draws_mut().fill(0);
    apart
        .reset_randomly(Which::All, None, &noise, 7)
        .expect("fits");
    assert_eq!(rows(apart.states(), 5), drawn[0]);
    apart.draws_mut().fill(0);
    apart
        .reset_randomly(Which::All, None, &noise, 8)
        .expect("fits");
    assert_ne!(rows(apart.states(), 5), drawn[0], "another seed");
    assert!(
        apart
            .reset_randomly(Which::One(5), None, &noise, 7)
            .is_err()
    );
}

#[test]
fn noise_moves_positions_along_the_degrees_of_freedom() {
    let model = Arc::new(floating());
    let (nq, nv) = (model.nq, model.nv);
    let reset = |position, velocity| {
        let mut batch = Batch::with(Arc::clone(&model), 1, 1, &[]).expect("fits");
        let spread = Spread::Normal;
        let noise = Noise {
            position,
            velocity,
            spread,
        };
        batch
            .reset_randomly(Which::All, None, &noise, 3)
            .expect("fits");
        batch
    };
    // With equal streams velocities show the numbers that positions moved by, after the first nv.
    let batch = reset(0.3, 1.0);
    let quat = &batch.get("qpos").expect("kept")[3..7];
    let length: f64 = quat.iter().map(|x| x * x).sum();
    assert!((length - 1.0).abs() < 1e-15, "{length}");
    let (still, whole, half) = (reset(0.0, 1.0), reset(0.2, 0.0), reset(0.1, 0.0));
    assert_eq!(bits(still.get("qpos").expect("kept")), bits(&model.qpos0));
    assert_eq!(
        bits(still.get("qvel").expect("kept")),
        bits(batch.get("qvel").expect("kept"))
    );
    assert_eq!(whole.get("qvel").expect("kept"), vec![0.0; nv]);
    // Twice the noise is twice the way along the same geodesic.
    let moved = |batch: &Batch| {
        let mut found = vec![0.0; nv];
        sinew::engine::integrate::differentiate_position(
            &model,
            &mut found,
            1.0,
            &model.qpos0,
            batch.get("qpos").expect("kept"),
        )
        .expect("fits");
        found
    };
    for (whole, half) in moved(&whole).iter().zip(moved(&half)) {
        assert!((whole - 2.0 * half).abs() < 1e-14, "{whole} {half}");
    }
    let mut qpos = model.qpos0.clone();
    integrate_position(&model, &mut qpos, &moved(&whole), 1.0).expect("fits");
    for dof in 0..nq {
        assert!((qpos[dof] - whole.get("qpos").expect("kept")[dof]).abs() < 1e-14);
    }
}

#[test]
fn a_rollout_records_what_stepping_gives() {
    let model = Arc::new(floating());
    let (count, steps) = (19, 6);
    let controls: Vec<f64> = (0..count * steps)
        .map(|i| (i as f64 * 0.7).rem_euclid(1.0) - 0.5)
        .collect();
    let shapes = [(count, steps), (1, steps), (count, 1), (1, 1)];
    let shapes = shapes.into_iter().zip([2, 1, 3, 4]);
    for ((worlds, control_steps), threads) in shapes {
        let mut batch = Batch::with(Arc::clone(&model), count, threads, &["xpos"]).expect("fits");
        if threads == 3 {
            batch.set_lanes(Lanes::One);
        }
        let (width, body_width) = (model.nq + model.nv, 3 * model.nbody);
        let mut states = vec![0.0; count * steps * width];
        let mut xpos = vec![0.0; count * steps * body_width];
        let mut physics = vec![0.0; count * steps * (1 + width)];
        let given = Controls {
            cells: &controls[..worlds * control_steps],
            worlds,
            steps: control_steps,
        };
        let mut records = [
            Record {
                name: "states",
                cells: &mut states,
            },
            Record {
                name: "xpos",
                cells: &mut xpos,
            },
            Record {
                name: "physics",
                cells: &mut physics,
            },
        ];
        let made = batch.rollout(
            steps,
            Some(given),
            &mut records,
            ALWAYS,
            &AtomicUsize::new(0),
        );
        assert_eq!(made, Ok(vec![steps; count]));
        let mut plain = Batch::with(Arc::clone(&model), count, 1, &["xpos"]).expect("fits");
        for step in 0..steps {
            for world in 0..count {
                let row = world % worlds * control_steps + step % control_steps;
                plain.get_mut("ctrl").expect("kept")[world] = controls[row];
            }
            plain.step(1, &());
            for world in 0..count {
                let row = |cells: &[f64], width: usize| {
                    bits(&cells[(world * steps + step) * width..][..width])
                };
                let state = &rows(plain.states(), count)[world];
                assert_eq!(row(&states, width), *state);
                let time = plain.get("time").expect("kept")[world].to_bits();
                let full = row(&physics, 1 + width);
                assert_eq!((full[0], &full[1..]), (time, state.as_slice()));
                assert_eq!(
                    row(&xpos, body_width),
                    rows(plain.get("xpos").expect("kept"), count)[world]
                );
            }
        }
    }
}

#[test]
fn a_world_that_fails_stands_still_for_the_rest_of_a_rollout() {
    for model in models() {
        let mut batch = Batch::with(model, 3, 2, &[]).expect("fits");
        batch.get_mut("qvel").expect("kept")[7] = f64::NAN;
        let steps = 4;
        let width = batch.states().len() / 3;
        let mut states = vec![0.0; 3 * steps * width];
        let mut records = [Record {
            name: "states",
            cells: &mut states,
        }];
        let made = batch.rollout(steps, None, &mut records, ALWAYS, &AtomicUsize::new(0));
        assert_eq!(made, Ok(vec![4, 1, 4]));
        assert!(batch.outcome().errors[1].is_some());
        let row =
            |world: usize, step: usize| bits(&states[(world * steps + step) * width..][..width]);
        for step in 1..steps {
            assert_eq!(row(1, step), row(1, 0));
            assert_ne!(row(0, step), row(0, step - 1));
        }
        assert_eq!(rows(batch.states(), 3)[1], row(1, 0));
    }
}

#[test]
fn a_rollout_ends_when_nobody_wants_more_and_refuses_what_does_not_fit() {
    let mut batch = Batch::with(floating(), 2, 1, &[]).expect("fits");
    let progress = AtomicUsize::new(0);
    let enough = || progress.load(Ordering::Relaxed) < 6;
    let mut times = [0.0; 20];
    let mut record = [Record {
        name: "time",
        cells: &mut times,
    }];
    let made = batch.rollout(10, None, &mut record, &enough, &progress);
    let made = made.expect("fits");
    assert_eq!(made.iter().sum::<usize>(), 6);
    let own = batch.get("time").expect("kept");
    for (world, &steps) in made.iter().enumerate() {
        let found = times[world * 10..][..10].iter().filter(|&&time| time > 0.0);
        assert_eq!(found.copied().fold(0.0, f64::max), own[world]);
        assert!((own[world] - 0.005 * steps as f64).abs() < 1e-15);
    }
    let before = bits(batch.states());
    let mut few = [0.0; 3];
    let mut unknown = [Record {
        name: "xpos",
        cells: &mut [],
    }];
    let mut short = [Record {
        name: "qpos",
        cells: &mut few,
    }];
    let controls = |cells, worlds, steps| {
        Some(Controls {
            cells,
            worlds,
            steps,
        })
    };
    let refused = [
        batch.rollout(2, None, &mut unknown, ALWAYS, &AtomicUsize::new(0)),
        batch.rollout(2, None, &mut short, ALWAYS, &AtomicUsize::new(0)),
        batch.rollout(
            2,
            controls(&[0.0; 6], 3, 2),
            &mut [],
            ALWAYS,
            &AtomicUsize::new(0),
        ),
        batch.rollout(
            2,
            controls(&[0.0; 6], 2, 3),
            &mut [],
            ALWAYS,
            &AtomicUsize::new(0),
        ),
        batch.rollout(
            2,
            controls(&[0.0; 3], 2, 2),
            &mut [],
            ALWAYS,
            &AtomicUsize::new(0),
        ),
        batch.rollout(
            2,
            controls(&[], 0, 2),
            &mut [],
            ALWAYS,
            &AtomicUsize::new(0),
        ),
    ];
    assert_eq!(refused[0], Err(BatchError::UnknownField("xpos".into())));
    for result in &refused[1..] {
        assert!(
            matches!(result, Err(BatchError::Call(CallError::Length { .. }))),
            "{result:?}"
        );
    }
    assert_eq!(bits(batch.states()), before);
}

#[test]
fn no_array_moves_as_long_as_the_batch_lives() {
    let model = Arc::new(floating());
    let mut batch = Batch::with(Arc::clone(&model), 3, 2, &["xpos"]).expect("fits");
    let addresses = |batch: &Batch| -> Vec<usize> {
        let fields = batch
            .fields()
            .map(|field| batch.get(field.name).expect("kept").as_ptr().addr());
        let others = [
            batch.states().as_ptr().addr(),
            batch.eq_active().as_ptr().addr(),
        ];
        fields.chain(others).collect()
    };
    let at_first = addresses(&batch);
    let snapshot = batch.save();
    batch.get_mut("qpos").expect("kept")[1] = f64::NAN;
    batch.step(4, &());
    batch.forward();
    batch.reset(Which::One(1), None).expect("there is one");
    batch
        .reset_randomly(Which::All, None, &Noise::default(), 0)
        .expect("fits");
    batch.restore(&snapshot).expect("its own");
    batch
        .rollout(2, None, &mut [], ALWAYS, &AtomicUsize::new(0))
        .expect("fits");
    batch.set_threads(3);
    assert_eq!(batch.threads(), 3);
    let mut heavier = (*model).clone();
    heavier
        .change(|arrays| arrays.body_mass[1] = 7.0)
        .expect("makes sense");
    batch.set_model(heavier).expect("same structure");
    batch.step(1, &());
    assert_eq!(addresses(&batch), at_first);
    let other = sinew::models::get("pendulum")
        .expect("built in")
        .load()
        .expect("loads")
        .model;
    assert_eq!(batch.set_model(other), Err(CallError::ForeignModel));
}
