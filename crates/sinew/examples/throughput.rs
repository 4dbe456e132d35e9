//! Steps per second of many worlds, one at a time and side by side.
//!
//! usage: cargo run --release --example throughput -- MODEL.xml [WORLDS] [STEPS] [THREADS] [LANES]

use sinew::batch::{Batch, Lanes, Precision, Which};
use sinew::engine::integrate::integrate_position;
use sinew::mjcf::load_path;
use std::sync::Arc;
use std::time::Instant;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let Some(path) = arguments.first() else {
        return Err("usage: throughput MODEL.xml [WORLDS] [STEPS] [THREADS] [LANES]".into());
    };
    let number = |k: usize, otherwise: usize| -> Result<usize, std::num::ParseIntError> {
        arguments.get(k).map_or(Ok(otherwise), |text| text.parse())
    };
    let (count, steps, threads) = (number(1, 256)?, number(2, 400)?, number(3, 1)?);
    let only = number(4, 0)?;
    let model = load_path(path)?.model;
    let model = Arc::new(model);
    let mut rates = Vec::new();
    let (double, single) = (Precision::Double, Precision::Single);
    for (lanes, precision) in [
        (Lanes::One, double),
        (Lanes::Four, double),
        (Lanes::Eight, double),
        (Lanes::Four, single),
        (Lanes::Eight, single),
    ] {
        if lanes.count() > Lanes::widest().count() || (only > 0 && lanes.count() != only) {
            continue;
        }
        let mut batch = Batch::with(Arc::clone(&model), count, threads, &[])?;
        batch.set_lanes(lanes);
        batch.set_precision(precision);
        if let (_, Some(reason)) = batch.plan()
            && lanes != Lanes::One
        {
            println!("{lanes:?}: one world at a time, because of {reason}");
            continue;
        }
        let mut seed = 1_u64;
        let mut random = || {
            seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
            (seed >> 11) as f64 / (1_u64 << 52) as f64 - 1.0
        };
        batch.put(Which::All, |_, data| {
            let away: Vec<f64> = (0..model.nv).map(|_| random()).collect();
            integrate_position(&model, &mut data.state.qpos, &away, 0.05)
        })?;
        let mut best = f64::INFINITY;
        let snapshot = batch.save();
        for _ in 0..3 {
            batch.restore(&snapshot)?;
            let start = Instant::now();
            for _ in 0..steps {
                for ctrl in batch.get_mut("ctrl")? {
                    *ctrl = 0.2 * random();
                }
                batch.step(1, &());
            }
            best = best.min(start.elapsed().as_secs_f64());
        }
        let rate = (count * steps) as f64 / best;
        rates.push(rate);
        let ratio = rate / rates[0];
        println!(
            "{lanes:?} {precision:?}: {rate:.0} steps per second, {ratio:.2} times one at a time"
        );
    }
    Ok(())
}
