//! Costs and forces of rows, a row per thread, and the best step along a direction.

use super::Quick;
use super::memory::stride;
use crate::Number;
use crate::warp::{LANES, Lanes, four_sums, read};
use sinew_math::MIN_VALUE;

/// What is known of a line: the inertial cost is a parabola along it.
pub(super) struct Line<T> {
    gauss: [T; 3],
    /// Slope at which the search ends.
    slope_tolerance: T,
    /// Most evaluations.
    most: usize,
    /// Square of the direction's length.
    square: T,
}

impl<T: Number> Line<T> {
    /// One whose end, at α = 1, is all that is asked for.
    #[inline(always)]
    pub fn point(gauss: T) -> Self {
        Line {
            gauss: [gauss, T::ZERO, T::ZERO],
            slope_tolerance: T::ZERO,
            most: 1,
            square: T::ONE,
        }
    }

    /// The inertial cost at α.
    #[inline(always)]
    pub fn gauss_at(&self, alpha: T) -> T {
        self.gauss[0] + alpha * (self.gauss[1] + alpha * self.gauss[2])
    }

    /// Whether the direction leads nowhere.
    #[inline(always)]
    pub fn is_short(&self) -> bool {
        self.square < T::from_f64(MIN_VALUE * MIN_VALUE)
    }
}

impl<T: Number, const N: usize, const CONES: bool> Quick<'_, T, N, CONES> {
    /// Cost of a row with a residual, its slope and its curvature. Rows behind the last, and those of cones, have none.
    #[inline(always)]
    pub(super) fn law(&self, i: usize, x: T) -> [T; 3] {
        let (given, D, half) = (self.given, self.at.D[i].get(), T::from_f64(0.5));
        let parabola = [half * D * x * x, D * x, D];
        if CONES && self.is_of_cone(i) {
            return [T::ZERO; 3];
        }
        if i >= given.equality_count + given.friction_count {
            return if x < T::ZERO { parabola } else { [T::ZERO; 3] };
        }
        if i < given.equality_count {
            return parabola;
        }
        let loss = read(given.frictionloss, i);
        let bound = read(given.R, i) * loss;
        if x.abs() < bound {
            return parabola;
        }
        let slope = if x < T::ZERO { -loss } else { loss };
        [loss * (x.abs() - half * bound), slope, T::ZERO]
    }

    /// Jᵀ·force, of rows as they are now.
    #[inline(always)]
    pub(super) fn forces(&self) -> Lanes<T> {
        let (at, n) = (&self.at, self.scene.head.nv);
        let rows = self.given.rows.next_multiple_of(LANES);
        self.warp.each(rows, |i| {
            at.force[i].set(-self.law(i, at.residual[i].get())[1]);
        });
        if CONES {
            self.warp.each(self.given.cones, |k| self.push(k));
        }
        let mut sum = Lanes::splat(T::ZERO);
        let mut first = 0;
        while first < rows {
            let pushes = |i: usize| at.force[i].get() != T::ZERO;
            let mut left = self.warp.which(first, rows, pushes);
            while left != 0 {
                let row = first + left.trailing_zeros() as usize;
                left &= left - 1;
                let start = row * stride(N);
                sum = Lanes::new(|j| match j < N {
                    true => sum.own(j) + at.J[start + j].get() * at.force[row].get(),
                    false => T::ZERO,
                });
            }
            first += LANES;
        }
        Lanes::new(|j| if j < n { sum.own(j) } else { T::ZERO })
    }

    /// A line from terms of v·v, v·g, v·(M·a − qfrc_smooth) and v·M·v, and the inertial cost where it begins.
    #[inline(always)]
    pub(super) fn line(&self, terms: [Lanes<T>; 4], gauss: T) -> Line<T> {
        let (constants, head) = (&self.scene.constants, &self.scene.head);
        let [square, slope, gauss_slope, curvature] = four_sums(terms);
        let finest = constants.slope_tolerance * square.sqrt() / self.given.scale;
        Line {
            gauss: [gauss, gauss_slope, T::from_f64(0.5) * curvature],
            slope_tolerance: finest.max_of(constants.least_slope * slope.abs()),
            most: head.ls_iterations,
            square,
        }
    }

    /// Where along the line the cost is least, and the cost there: Newton's method on the slope, kept between the points
    /// where it has either sign. It begins at 1, which is right if no row comes or goes.
    #[inline(always)]
    pub(super) fn search(&self, line: &Line<T>) -> (T, T) {
        let (at, rows) = (&self.at, self.given.rows.next_multiple_of(LANES));
        let two = T::from_f64(2.0);
        let (mut low, mut high, mut alpha) = (T::ZERO, T::ZERO, T::ONE);
        let mut used = 0;
        loop {
            let mut terms = [Lanes::splat(T::ZERO); 4];
            let mut first = 0;
            while first < rows {
                let own = Lanes::new(|lane| {
                    let i = first + lane;
                    let slope = at.slope[i].get();
                    let [cost, force, curvature] =
                        self.law(i, at.residual[i].get() + alpha * slope);
                    [cost, force * slope, curvature * slope * slope]
                });
                for k in 0..3 {
                    let sum = terms[k];
                    terms[k] = Lanes::new(|lane| sum.own(lane) + own.own(lane)[k]);
                }
                first += LANES;
            }
            if CONES {
                self.add_along(alpha, &mut terms);
            }
            let [cost, slope, curvature, _] = four_sums(terms);
            let cost = cost + line.gauss_at(alpha);
            let slope = slope + line.gauss[1] + two * alpha * line.gauss[2];
            let curvature = curvature + two * line.gauss[2];
            used += 1;
            let goes_on = slope.abs() >= line.slope_tolerance && used < line.most;
            if !goes_on {
                return (alpha, cost);
            }
            if slope < T::ZERO {
                low = alpha;
            } else {
                high = alpha;
            }
            let mut next = alpha - slope / curvature;
            let is_between = next > low && next < high;
            if high > T::ZERO && !is_between {
                next = T::from_f64(0.5) * (low + high);
            }
            // The limit of accuracy.
            if next == alpha || next == low || next == high {
                return (alpha, cost);
            }
            alpha = next;
        }
    }

    /// Moves the residuals along the direction.
    #[inline(always)]
    pub(super) fn move_on(&self, alpha: T) {
        let at = &self.at;
        self.warp
            .each(self.given.rows.next_multiple_of(LANES), |i| {
                at.residual[i].set(at.residual[i].get() + alpha * at.slope[i].get());
            });
    }
}
