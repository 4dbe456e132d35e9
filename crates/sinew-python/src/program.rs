//! Quadratic programs within a box: minimise ½·xᵀ·H·x + g·x for lower ≤ x ≤ upper.
//!
//! Projected Newton steps: variables that press against their bound are held, the others take a Newton step, which is
//! cut back along its projection until it improves enough (Tassa et al., "Control-limited differential dynamic
//! programming", 2014).

// The functions carry the reference's names.
#![allow(non_snake_case)]

use crate::argument::functions;
use crate::array::{Numbers, Target};
use crate::failure::wrong_call;
use pyo3::PyResult;
use sinew::math::dense;

const ITERATIONS: usize = 100;
/// Squared gradient below which the minimum is found.
const GRADIENT: f64 = 1e-16;
/// The least step and improvement of the line search.
const STEP: f64 = 1e-22;
const ARMIJO: f64 = 0.1;
/// The least pivot of a Hessian that has a minimum.
const PIVOT: f64 = 1e-15;

/// A quadratic and its bounds.
struct Program<'a> {
    hessian: &'a [f64],
    linear: &'a [f64],
    low: Vec<f64>,
    high: Vec<f64>,
}

/// Where the search has ended.
struct Minimum {
    /// None if there is no minimum.
    x: Option<Vec<f64>>,
    free: Vec<usize>,
    /// Factor of the Hessian of the free variables.
    factor: Vec<f64>,
}

impl Program<'_> {
    /// H·x.
    fn product(&self, x: &[f64]) -> Vec<f64> {
        let rows = self.hessian.chunks(x.len());
        rows.map(|row| dense::dot(row, x)).collect()
    }

    fn value(&self, x: &[f64]) -> f64 {
        0.5 * dense::dot(x, &self.product(x)) + dense::dot(self.linear, x)
    }

    fn clipped(&self, x: &[f64]) -> Vec<f64> {
        let bounds = self.low.iter().zip(&self.high);
        x.iter()
            .zip(bounds)
            .map(|(x, (low, high))| x.max(*low).min(*high))
            .collect()
    }

    /// The rows and columns of some variables.
    fn part(&self, chosen: &[usize]) -> Vec<f64> {
        let count = self.linear.len();
        let rows = chosen.iter().map(|row| row * count);
        rows.flat_map(|row| chosen.iter().map(move |column| self.hessian[row + column]))
            .collect()
    }

    fn minimize(&self, start: Vec<f64>) -> Minimum {
        let count = start.len();
        let (mut x, mut factor): (Vec<f64>, Vec<f64>) = (start, Vec::new());
        let mut free: Vec<usize> = Vec::new();
        for iteration in 0..ITERATIONS {
            let gradient: Vec<f64> = self
                .product(&x)
                .iter()
                .zip(self.linear)
                .map(|(h, g)| h + g)
                .collect();
            let is_free = |&i: &usize| {
                let is_held = (x[i] == self.low[i] && gradient[i] > 0.0)
                    || (x[i] == self.high[i] && gradient[i] < 0.0);
                !is_held
            };
            let now: Vec<usize> = (0..count).filter(is_free).collect();
            let has_changed = iteration == 0 || now != free;
            free = now;
            if free.is_empty() {
                return Minimum {
                    x: Some(x),
                    free,
                    factor,
                };
            }
            if has_changed {
                factor = self.part(&free);
                if dense::cholesky_factor(&mut factor, free.len(), PIVOT) != free.len() {
                    return Minimum {
                        x: None,
                        free,
                        factor,
                    };
                }
            }
            let search = self.direction(&x, &free, &factor);
            let steepness: f64 = free.iter().map(|&i| gradient[i] * gradient[i]).sum();
            if steepness < GRADIENT {
                break;
            }
            let slope = dense::dot(&search, &gradient);
            if slope >= 0.0 {
                return Minimum {
                    x: None,
                    free,
                    factor,
                };
            }
            let (next, is_done) = self.line_search(&x, &search, slope);
            x = next;
            if is_done {
                break;
            }
        }
        Minimum {
            x: Some(x),
            free,
            factor,
        }
    }

    /// The Newton step of the free variables.
    fn direction(&self, x: &[f64], free: &[usize], factor: &[f64]) -> Vec<f64> {
        let mut held = x.to_vec();
        free.iter().for_each(|&i| held[i] = 0.0);
        let pull = self.product(&held);
        let mut target: Vec<f64> = free.iter().map(|&i| self.linear[i] + pull[i]).collect();
        dense::cholesky_solve(factor, &mut target);
        let mut search = vec![0.0; x.len()];
        for (&i, target) in free.iter().zip(&target) {
            search[i] = -target - x[i];
        }
        search
    }

    /// A point along the projected direction that improves enough; whether the step became too small.
    fn line_search(&self, x: &[f64], search: &[f64], slope: f64) -> (Vec<f64>, bool) {
        let (before, mut step) = (self.value(x), 1.0);
        loop {
            let moved: Vec<f64> = x.iter().zip(search).map(|(x, s)| x + step * s).collect();
            let candidate = self.clipped(&moved);
            step *= 0.5;
            if step < STEP {
                return (candidate, true);
            }
            if (self.value(&candidate) - before) / (step * slope) >= ARMIJO {
                return (candidate, false);
            }
        }
    }
}

/// The given bounds, or none.
fn bounds(given: Option<&Numbers>, count: usize, none: f64) -> PyResult<Vec<f64>> {
    given.map_or_else(
        || Ok(vec![none; count]),
        |given| Ok(given.exactly(count)?.to_vec()),
    )
}

functions! {
    /// Minimises ½·xᵀ·H·x + g·x within bounds, starting at ``res``, where the answer goes.
    ///
    /// Returns the number of variables that are free, which ``index`` lists and whose factor stands at the start of
    /// ``R``; -1 if there is no minimum.
    fn mju_boxQP(
        res: Target, R: Target, index: Option<Target<i32>>, H: Numbers, g: Numbers, lower: Option<Numbers>,
        upper: Option<Numbers>,
    ) -> i64 {
        let linear = g.slice();
        let count = linear.len();
        let hessian = H.exactly(count * count)?;
        res.fits(count)?;
        R.fits(count * (count + 7))?;
        index.as_ref().map_or(Ok(()), |index| index.fits(count))?;
        let low = bounds(lower.as_ref(), count, f64::NEG_INFINITY)?;
        let high = bounds(upper.as_ref(), count, f64::INFINITY)?;
        if count == 0 || low.iter().zip(&high).any(|(low, high)| low >= high) {
            let message = "upper bounds must be above lower bounds, and there must be variables";
            return Err(wrong_call(message));
        }
        let program = Program { hessian, linear, low, high };
        let is_bounded = lower.is_some() || upper.is_some();
        let start = if is_bounded { program.clipped(&res.values()?) } else { vec![0.0; count] };
        let found = program.minimize(start);
        let mut factor = R.values()?;
        factor[..found.factor.len()].copy_from_slice(&found.factor);
        R.put(&factor)?;
        if let Some(index) = index {
            let mut listed = index.values()?;
            listed.iter_mut().zip(&found.free).for_each(|(slot, &free)| *slot = free as i32);
            index.put(&listed)?;
        }
        let Some(x) = found.x else {
            return Ok(-1);
        };
        res.put(&x)?;
        Ok(found.free.len() as i64)
    }
}
