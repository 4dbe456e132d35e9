//! What counts as equal. The same table as in the live comparison.

use crate::record::{Record, Values};
use crate::subject::Actual;

/// Same mathematics in 64 bits, room for rounding only.
const DOUBLE: f64 = 1e-12;
/// The reference stores the field in 32 bits.
const SINGLE: f64 = 1e-6;

/// Compares a field with its golden record; the error says what differs most.
pub fn compare(record: &Record, actual: Option<Actual>) -> Result<(), String> {
    let actual = actual.ok_or("missing")?;
    if actual.shape() != record.shape {
        return Err(format!(
            "shape {:?}, expected {:?}",
            actual.shape(),
            record.shape
        ));
    }
    match (&record.values, &actual) {
        (Values::Hash(expected), actual) => {
            let hash = fnv1a(actual.bytes());
            if hash == *expected {
                Ok(())
            } else {
                Err(format!("hash {hash:016x}, expected {expected:016x}"))
            }
        }
        (Values::Integers(expected), Actual::Integers { values, .. }) => integers(expected, values),
        (
            Values::Floats {
                values: expected,
                step,
                largest,
            },
            Actual::Floats { values, .. },
        ) => {
            let tolerance = if record.is_single { SINGLE } else { DOUBLE };
            let sampled: Vec<f64> = values.iter().copied().step_by(*step).collect();
            floats(expected, &sampled, tolerance * largest.max(1.0))
                .map_err(|(index, text)| format!("at {}: {text}", index * step))
        }
        _ => Err("integers in place of floats, or floats in place of integers".to_string()),
    }
}

fn integers(expected: &[i64], actual: &[i64]) -> Result<(), String> {
    match expected.iter().zip(actual).position(|(a, b)| a != b) {
        Some(index) => Err(format!(
            "at {index}: {} instead of {}",
            actual[index], expected[index]
        )),
        None => Ok(()),
    }
}

/// The entry with the largest difference beyond the limit, with its index.
fn floats(expected: &[f64], actual: &[f64], limit: f64) -> Result<(), (usize, String)> {
    let distance = |a: f64, b: f64| {
        if a == b || (a.is_nan() && b.is_nan()) {
            0.0
        } else {
            (a - b).abs()
        }
    };
    let mut worst = (0, 0.0);
    for (index, (&a, &b)) in expected.iter().zip(actual).enumerate() {
        let difference = distance(a, b);
        // NaN on one side only is the largest difference of all.
        if difference.is_nan() || difference > worst.1 {
            worst = (
                index,
                if difference.is_nan() {
                    f64::INFINITY
                } else {
                    difference
                },
            );
        }
    }
    let (index, difference) = worst;
    if difference <= limit {
        return Ok(());
    }
    Err((
        index,
        format!(
            "{:e} instead of {:e}, off by {difference:e}",
            actual[index], expected[index]
        ),
    ))
}

/// The 64-bit FNV-1a hash.
fn fnv1a(bytes: &[u8]) -> u64 {
    bytes.iter().fold(0xcbf2_9ce4_8422_2325, |hash, &byte| {
        (hash ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01b3)
    })
}
