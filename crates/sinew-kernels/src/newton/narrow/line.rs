//! The cost along a line, a row per thread.

use super::super::search::{Line, Point};
use super::Narrow;
use crate::Number;
use crate::warp::{LANES, Lanes, read};

impl<T: Number> Narrow<'_, T> {
    /// Value, slope and curvature at α.
    #[inline(always)]
    pub(super) fn at(&self, line: &Line<T>, alpha: T) -> Point<T> {
        let rows = self.given.rows;
        let mut total = line.gauss;
        let mut first = 0;
        if T::MAY_REORDER {
            let mut terms = [Lanes::splat(T::ZERO); 3];
            while first < rows {
                let own = Lanes::new(|lane| match first + lane < rows {
                    true => self.along(first + lane, alpha),
                    false => [T::ZERO; 3],
                });
                for k in 0..3 {
                    let sum = terms[k];
                    terms[k] = Lanes::new(|lane| sum.own(lane) + own.own(lane)[k]);
                }
                first += LANES;
            }
            for k in 0..3 {
                total[k] += terms[k].sum();
            }
            return Point::new(alpha, total, [T::ZERO; 3]);
        }
        while first < rows {
            let along = |lane: usize| match first + lane < rows {
                true => self.along(first + lane, alpha),
                false => [T::ZERO; 3],
            };
            let terms = [0, 1, 2].map(|k| Lanes::new(|lane| along(lane)[k]));
            for lane in 0..LANES {
                for k in 0..3 {
                    total[k] += terms[k].from(lane);
                }
            }
            first += LANES;
        }
        Point::new(alpha, total, [T::ZERO; 3])
    }

    /// What a row adds to the polynomial where α is.
    #[inline(always)]
    fn along(&self, i: usize, alpha: T) -> [T; 3] {
        let given = self.given;
        let push_start = given.equality_count + given.friction_count;
        let (r, jv) = (self.residual[i].get(), self.slope[i].get());
        let (D, half) = (read(given.D, i), T::from_f64(0.5));
        let dr = D * r;
        let parabola = [half * (r * dr), jv * dr, half * (jv * D * jv)];
        let x = r + alpha * jv;
        if i < given.equality_count {
            return parabola;
        }
        if i < push_start {
            let (R, loss) = (read(given.R, i), read(given.frictionloss, i));
            let bound = R * loss;
            if -bound < x && x < bound {
                return parabola;
            }
            let is_below = x <= -bound;
            let distance = if is_below { -r } else { r };
            let slope = if is_below { -loss } else { loss };
            return [loss * (-half * bound + distance), slope * jv, T::ZERO];
        }
        if x < T::ZERO { parabola } else { [T::ZERO; 3] }
    }
}
