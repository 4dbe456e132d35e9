//! Single steps from states that the reference dumped, timed and compared with its results.
//!
//! The file is `SNWST001`, five 32-bit integers nq nv na nu N, then N rows of 64-bit floats: time,
//! qpos, qvel, act, qacc_warmstart, ctrl, then the reference's next qpos and qvel, and its number
//! of contacts, rows and iterations.

use sinew::engine::Data;
use sinew::model::Model;
use std::time::Instant;

/// States with the reference's results.
pub struct States {
    rows: Vec<f64>,
    width: usize,
}

/// What a replay found.
#[derive(Debug, serde::Serialize)]
pub struct Replayed {
    pub states: usize,
    pub microseconds_per_step: f64,
    pub contacts_differ: usize,
    pub rows_differ: usize,
    pub iterations_differ: usize,
    pub largest_qpos_difference: f64,
    pub largest_qvel_difference: f64,
}

/// Reads a state file for a model.
pub fn read(bytes: &[u8], model: &Model) -> Result<States, String> {
    let header = bytes.get(..28).ok_or("the state file is too short")?;
    if &header[..8] != b"SNWST001" {
        return Err("this is not a state file".to_owned());
    }
    let sizes: Vec<usize> = header[8..]
        .chunks_exact(4)
        .map(|b| u32::from_le_bytes([b[0], b[1], b[2], b[3]]) as usize)
        .collect();
    if sizes[..4] != [model.nq, model.nv, model.na, model.nu] {
        return Err(format!(
            "the states have sizes nq nv na nu = {:?}, the model {:?}",
            &sizes[..4],
            [model.nq, model.nv, model.na, model.nu]
        ));
    }
    let width = 1 + 2 * model.nq + 3 * model.nv + model.na + model.nu + 3;
    let wanted = sizes[4].checked_mul(width).and_then(|n| n.checked_mul(8));
    if wanted != Some(bytes.len() - 28) {
        return Err("the state file is cut off or has a tail".to_owned());
    }
    let rows = bytes[28..]
        .chunks_exact(8)
        .map(|b| f64::from_le_bytes([b[0], b[1], b[2], b[3], b[4], b[5], b[6], b[7]]))
        .collect();
    Ok(States { rows, width })
}

/// Steps from every state, `repetitions` times, keeping the fastest time of each.
pub fn run(model: &Model, states: &States, repetitions: usize) -> Replayed {
    let mut data = Data::new(model);
    let mut out = Replayed {
        states: states.rows.len() / states.width,
        microseconds_per_step: 0.0,
        contacts_differ: 0,
        rows_differ: 0,
        iterations_differ: 0,
        largest_qpos_difference: 0.0,
        largest_qvel_difference: 0.0,
    };
    let mut total = 0.0;
    for row in states.rows.chunks_exact(states.width) {
        let mut fastest = f64::INFINITY;
        let mut rest: &[f64] = &[];
        for _ in 0..repetitions {
            rest = load(model, row, &mut data);
            let start = Instant::now();
            // A diverging state is counted by the comparison.
            let _ = data.step(model);
            fastest = fastest.min(start.elapsed().as_secs_f64());
        }
        total += fastest;
        let (qpos, rest) = rest.split_at(model.nq);
        let (qvel, counts) = rest.split_at(model.nv);
        let difference = |a: &[f64], b: &[f64]| {
            a.iter()
                .zip(b)
                .map(|(x, y)| (x - y).abs())
                .fold(0.0, f64::max)
        };
        out.largest_qpos_difference = f64::max(
            out.largest_qpos_difference,
            difference(&data.state.qpos, qpos),
        );
        out.largest_qvel_difference = f64::max(
            out.largest_qvel_difference,
            difference(&data.state.qvel, qvel),
        );
        let contacts = data.position.contacts.contact.len() as f64;
        let rows = data.position.constraints.nefc() as f64;
        let iterations = f64::from(data.acceleration.solution.solver_niter[0]);
        out.contacts_differ += usize::from(contacts != counts[0]);
        out.rows_differ += usize::from(rows != counts[1]);
        out.iterations_differ += usize::from(iterations != counts[2]);
    }
    out.microseconds_per_step = total * 1e6 / out.states.max(1) as f64;
    out
}

/// Sets a state; returns the part of the row that holds the reference's results.
fn load<'a>(model: &Model, row: &'a [f64], data: &mut Data) -> &'a [f64] {
    data.reset(model);
    let (time, rest) = row.split_at(1);
    data.state.time = time[0];
    let mut rest = rest;
    for target in [
        &mut data.state.qpos,
        &mut data.state.qvel,
        &mut data.state.act,
        &mut data.state.qacc_warmstart,
        &mut data.input.ctrl,
    ] {
        let (values, after) = rest.split_at(target.len());
        target.copy_from_slice(values);
        rest = after;
    }
    rest
}
