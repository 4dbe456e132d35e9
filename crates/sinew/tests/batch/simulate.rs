//! Simulations on several threads: the bits are those of one simulation after the other.

use sinew::batch::simulate;
use sinew::engine::{Data, StepError};
use sinew::model::Model;
use sinew::models;

/// A new simulation, pushed differently for each number; the state and forces in which it ends.
fn run(model: &Model, mut data: Data, number: usize) -> Result<Vec<u64>, StepError> {
    data.state.qvel[0] = 0.01 * number as f64;
    for step in 0..60 + number % 3 {
        data.input.ctrl.fill(((number + step) % 7) as f64 * 0.1);
        data.step(model)?;
    }
    let state = data.state.qpos.iter().chain(&data.state.qvel);
    let numbers = state.chain(&data.acceleration.solution.efc_force);
    Ok(numbers.map(|x| x.to_bits()).collect())
}

#[test]
fn the_number_of_threads_changes_no_bit() {
    for name in ["humanoid", "box_pile"] {
        let loaded = models::get(name).expect("built in").load();
        let model = loaded.expect("loads").model;
        let count = 12;
        let alone: Vec<_> = (0..count)
            .map(|number| run(&model, Data::new(&model), number))
            .collect();
        for threads in [0, 1, 2, 5, 40] {
            let together = simulate(&model, threads, (0..count).collect(), |data, number| {
                run(&model, data, number)
            });
            assert_eq!(together, alone, "{name}, {threads} threads");
        }
    }
}

#[test]
fn a_simulation_that_fails_leaves_the_others_alone() {
    let loaded = models::get("pendulum").expect("built in").load();
    let model = loaded.expect("loads").model;
    let outcomes = simulate(&model, 2, vec![0.1, f64::NAN, 0.3], |mut data, angle| {
        data.state.qpos[0] = angle;
        data.step(&model).map(|()| data.state.time)
    });
    assert_eq!(outcomes[0], Ok(model.opt.timestep));
    assert!(matches!(outcomes[1], Err(StepError::Diverged(_))));
    assert_eq!(outcomes[2], Ok(model.opt.timestep));
}
