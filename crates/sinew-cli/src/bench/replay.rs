//! Single steps from states that the reference dumped, timed and compared with its results.
//!
//! The file is `SNWST001`, five 32-bit integers nq nv na nu N, then N rows of 64-bit floats: time,
//! qpos, qvel, act, qacc_warmstart, ctrl, then the reference's next qpos and qvel, and its number
//! of contacts, rows and iterations.

use super::measure::median;
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
    /// Sum of the fastest step from each state, per state.
    pub microseconds_per_step: f64,
    /// The middle round, per state.
    pub microseconds_per_step_median: f64,
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

/// Steps from every state in turn, all of them `repetitions` times; the first round is compared.
pub fn run(model: &Model, states: &States, repetitions: usize) -> Replayed {
    let mut data = Data::new(model);
    let count = states.rows.len() / states.width;
    let mut out = Replayed {
        states: count,
        microseconds_per_step: 0.0,
        microseconds_per_step_median: 0.0,
        contacts_differ: 0,
        rows_differ: 0,
        iterations_differ: 0,
        largest_qpos_difference: 0.0,
        largest_qvel_difference: 0.0,
    };
    let mut fastest = vec![f64::INFINITY; count];
    let mut rounds = Vec::with_capacity(repetitions);
    for round in 0..repetitions {
        let mut total = 0.0;
        for (row, fastest) in states.rows.chunks_exact(states.width).zip(&mut fastest) {
            let expected = load(model, row, &mut data);
            let start = Instant::now();
            // A diverging state is counted by the comparison.
            let _ = data.step(model);
            let seconds = start.elapsed().as_secs_f64();
            *fastest = fastest.min(seconds);
            total += seconds;
            if round == 0 {
                compare(model, &data, expected, &mut out);
            }
        }
        rounds.push(total);
    }
    let per_step = 1e6 / count.max(1) as f64;
    out.microseconds_per_step = fastest.iter().sum::<f64>() * per_step;
    out.microseconds_per_step_median = median(&mut rounds) * per_step;
    out
}

/// Counts and differences of one step against the reference's.
fn compare(model: &Model, data: &Data, expected: &[f64], out: &mut Replayed) {
    let (qpos, rest) = expected.split_at(model.nq);
    let (qvel, counts) = rest.split_at(model.nv);
    let difference = |a: &[f64], b: &[f64]| {
        let pairs = a.iter().zip(b);
        pairs.map(|(x, y)| (x - y).abs()).fold(0.0, f64::max)
    };
    let position = difference(&data.state.qpos, qpos);
    let velocity = difference(&data.state.qvel, qvel);
    out.largest_qpos_difference = out.largest_qpos_difference.max(position);
    out.largest_qvel_difference = out.largest_qvel_difference.max(velocity);
    let contacts = data.position.contacts.contact.len() as f64;
    let rows = data.position.constraints.nefc();
    let iterations = match rows {
        0 => 0.0,
        _ => f64::from(data.acceleration.solution.solver_niter[0]),
    };
    out.contacts_differ += usize::from(contacts != counts[0]);
    out.rows_differ += usize::from(rows as f64 != counts[1]);
    out.iterations_differ += usize::from(iterations != counts[2]);
}

/// Sets a state; returns the part of the row that holds the reference's results.
fn load<'a>(model: &Model, row: &'a [f64], data: &mut Data) -> &'a [f64] {
    let _ = data.reset(model);
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
