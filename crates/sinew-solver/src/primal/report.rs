//! What one iteration did.

use crate::problem::{Statistic, state};
use sinew_math::Real;

/// What one iteration did.
#[derive(Debug)]
pub struct Report<'a, T: Real = f64> {
    /// Lanes that took part in it; what is said of others is of no use.
    pub active: T::Mask,
    /// Scaled cost decrease.
    pub improvement: T,
    /// Scaled gradient norm.
    pub gradient: T,
    /// Scaled slope at the end of the line search.
    pub slope: T,
    /// Evaluations in the line search.
    pub evaluations: T,
    /// Inverse regularisation, per row; zero where a lane does not have the row.
    pub D: &'a [T],
    /// State of each row before.
    pub old_state: &'a [T],
    /// State of each row after.
    pub state: &'a [T],
}

impl<T: Real> Report<'_, T> {
    /// What Newton's method did in one lane, as the reference counts it.
    #[inline(always)]
    pub fn statistic(&self, lane: usize) -> Statistic {
        const SATISFIED: f64 = state::SATISFIED as f64;
        const QUADRATIC: f64 = state::QUADRATIC as f64;
        const CONE: f64 = state::CONE as f64;
        let (mut nactive, mut nchange, mut nupdate) = (0, 0, 0);
        let D = &self.D[..self.state.len()];
        for (i, (&old, &new)) in self.old_state.iter().zip(self.state).enumerate() {
            // Without a branch, so that rows are counted side by side.
            let (old, new) = (old.lane(lane), new.lane(lane));
            let is_active = (new != SATISFIED) & (D[i].lane(lane) != 0.0);
            let is_update = (old == QUADRATIC) != (new == QUADRATIC);
            nactive += i32::from(is_active);
            nchange += i32::from(old != new);
            nupdate += i32::from(new == CONE) + i32::from(is_update);
        }
        Statistic {
            improvement: self.improvement.lane(lane),
            gradient: self.gradient.lane(lane),
            lineslope: self.slope.lane(lane),
            nactive,
            nchange,
            neval: self.evaluations.lane(lane) as i32,
            nupdate,
        }
    }
}
