//! Delay buffers for controls and sensor readings.
//!
//! A buffer of n samples of width w is a slice: user slot, index of the newest sample, n times,
//! n·w values. Times are ascending in circular order from the slot after the newest. Conforms to
//! MuJoCo's `mju_historyInsert` and `mju_historyRead`.

use sinew_math::MIN_VALUE;

/// How values between samples are read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Interpolation {
    /// The last sample before.
    Hold,
    /// Piecewise linear.
    Linear,
    /// Cubic with finite-difference slopes.
    Cubic,
}

impl Interpolation {
    /// From the code stored in a model.
    pub fn from_code(code: i32) -> Self {
        match code {
            0 => Interpolation::Hold,
            1 => Interpolation::Linear,
            _ => Interpolation::Cubic,
        }
    }
}

/// Place of the newest sample; a number that is none of the places counts as the last.
fn newest_of(buffer: &[f64], count: usize) -> usize {
    (buffer[1] as usize).min(count - 1)
}

/// Time and value of the newest sample of width 1.
pub(crate) fn newest(buffer: &[f64], count: usize) -> (f64, f64) {
    let newest = newest_of(buffer, count);
    (buffer[2 + newest], buffer[2 + count + newest])
}

/// Where in the circle the sample with a logical index (0 = oldest) lies.
#[inline]
fn slot(newest: usize, count: usize, logical: usize) -> usize {
    (newest + 1 + logical) % count
}

/// The smallest logical index whose time is not before `time`; `count` if there is none.
fn find(times: &[f64], newest: usize, time: f64) -> usize {
    let count = times.len();
    let at = |logical| times[slot(newest, count, logical)];
    if time <= at(0) {
        return 0;
    }
    if time > at(count - 1) {
        return count;
    }
    let (mut low, mut high) = (0, count - 1);
    while high - low > 1 {
        let middle = (low + high) / 2;
        if at(middle) < time {
            low = middle;
        } else {
            high = middle;
        }
    }
    high
}

/// Makes room for a sample at a time, dropping the oldest unless the time is already there, and
/// returns the place of its values.
pub(crate) fn insert(buffer: &mut [f64], count: usize, width: usize, time: f64) -> &mut [f64] {
    let newest = newest_of(buffer, count);
    let (head, values) = buffer.split_at_mut(2 + count);
    let (cursor, times) = head.split_at_mut(2);
    let index = find(times, newest, time);
    let exact = index < count && (time - times[slot(newest, count, index)]).abs() < MIN_VALUE;
    let place = if exact {
        slot(newest, count, index)
    } else if index == 0 {
        slot(newest, count, 0)
    } else if index == count {
        let next = (newest + 1) % count;
        cursor[1] = next as f64;
        next
    } else {
        // Out of order: move the older samples one place back.
        for logical in 0..index - 1 {
            let (from, to) = (
                slot(newest, count, logical + 1),
                slot(newest, count, logical),
            );
            times[to] = times[from];
            values.copy_within(from * width..(from + 1) * width, to * width);
        }
        slot(newest, count, index - 1)
    };
    if !exact {
        times[place] = time;
    }
    &mut values[place * width..(place + 1) * width]
}

/// Reads the values at a time; before the oldest and after the newest sample they are constant.
pub(crate) fn read(buffer: &[f64], count: usize, time: f64, how: Interpolation, out: &mut [f64]) {
    let width = out.len();
    let newest = newest_of(buffer, count);
    let times = &buffer[2..2 + count];
    let values = &buffer[2 + count..2 + count + count * width];
    let at = |logical: usize| times[slot(newest, count, logical)];
    let row = |logical: usize| {
        let start = slot(newest, count, logical) * width;
        &values[start..start + width]
    };
    if time <= at(0) + MIN_VALUE {
        return out.copy_from_slice(row(0));
    }
    if time >= at(count - 1) - MIN_VALUE {
        return out.copy_from_slice(row(count - 1));
    }
    let high = find(times, newest, time);
    if (time - at(high)).abs() < MIN_VALUE {
        return out.copy_from_slice(row(high));
    }
    // With a single sample a time that is no number comes here.
    let low = high.saturating_sub(1);
    if how == Interpolation::Hold {
        return out.copy_from_slice(row(low));
    }
    let step = at(high) - at(low);
    let a = (time - at(low)) / step;
    if how == Interpolation::Linear {
        for k in 0..width {
            out[k] = row(low)[k] + a * (row(high)[k] - row(low)[k]);
        }
        return;
    }
    // Hermite polynomials; slopes vanish at the ends of the record.
    let (a2, a3) = (a * a, a * a * a);
    let (h00, h10) = (2.0 * a3 - 3.0 * a2 + 1.0, a3 - 2.0 * a2 + a);
    let (h01, h11) = (-2.0 * a3 + 3.0 * a2, a3 - a2);
    for k in 0..width {
        let slope = |from: usize, to: usize| (row(to)[k] - row(from)[k]) / (at(to) - at(from));
        let slope_low = if high > 1 { slope(high - 2, high) } else { 0.0 };
        let slope_high = if high < count - 1 {
            slope(low, high + 1)
        } else {
            0.0
        };
        out[k] = h00 * row(low)[k]
            + h10 * step * slope_low
            + h01 * row(high)[k]
            + h11 * step * slope_high;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn buffer() -> Vec<f64> {
        // Three samples of one value at −0.3, −0.2, −0.1.
        vec![0.0, 2.0, -0.3, -0.2, -0.1, 0.0, 0.0, 0.0]
    }

    fn value(buffer: &[f64], time: f64, how: Interpolation) -> f64 {
        let mut out = [0.0];
        read(buffer, 3, time, how, &mut out);
        out[0]
    }

    #[test]
    fn a_time_that_is_no_number_reads_something() {
        for how in [
            Interpolation::Hold,
            Interpolation::Linear,
            Interpolation::Cubic,
        ] {
            let mut out = [0.0];
            read(&[0.0, 0.0, -0.1, 7.0], 1, f64::NAN, how, &mut out);
            assert!(out[0] == 7.0 || out[0].is_nan());
            value(&buffer(), f64::NAN, how);
        }
    }

    #[test]
    fn samples_are_read_back_between_and_beyond() {
        let mut b = buffer();
        for (time, v) in [(0.0, 1.0), (0.1, 2.0), (0.2, 4.0)] {
            insert(&mut b, 3, 1, time)[0] = v;
        }
        assert_eq!(value(&b, 0.1, Interpolation::Hold), 2.0);
        assert_eq!(value(&b, 0.15, Interpolation::Hold), 2.0);
        assert!((value(&b, 0.15, Interpolation::Linear) - 3.0).abs() < 1e-15);
        assert_eq!(value(&b, -5.0, Interpolation::Cubic), 1.0);
        assert_eq!(value(&b, 5.0, Interpolation::Cubic), 4.0);
    }

    #[test]
    fn out_of_order_samples_keep_the_times_sorted() {
        let mut b = buffer();
        for (time, v) in [(0.0, 1.0), (0.1, 2.0), (0.2, 4.0), (0.15, 3.0)] {
            insert(&mut b, 3, 1, time)[0] = v;
        }
        for (time, v) in [(0.1, 2.0), (0.15, 3.0), (0.2, 4.0)] {
            assert_eq!(value(&b, time, Interpolation::Linear), v);
        }
        // The same time again replaces the value.
        insert(&mut b, 3, 1, 0.15)[0] = 7.0;
        assert_eq!(value(&b, 0.15, Interpolation::Linear), 7.0);
    }
}
