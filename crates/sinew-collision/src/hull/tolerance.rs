//! Round-off of distances, and the thresholds that follow from it.
//!
//! A distance n·x + d of a point whose coordinates are at most m in magnitude, with coordinate
//! sums at most s, is wrong by at most ε(3.03·min(√3 m, s) + m). Facets are convex if their
//! centres are below each other's planes by more than twice that.

use super::HullError;
use sinew_math::Vec3;

const EPSILON: f64 = f64::EPSILON;
/// The smallest number whose reciprocal is finite, as the reference counts.
pub(super) const SMALLEST: f64 = f64::MIN_POSITIVE;

/// Thresholds for one set of points.
#[derive(Clone, Debug)]
pub(super) struct Tolerance {
    /// Points with the smallest and largest x, y, z.
    pub extremes: [u32; 6],
    /// Largest extent along an axis.
    pub width: f64,
    /// Pivots below this are nearly zero, by column.
    pub near_zero: [f64; 3],
    /// Largest error of a distance.
    pub distance: f64,
    /// Lengths above this can be divided by.
    pub min_denominator: f64,
    /// Threshold of the ratio of a careful division.
    pub min_ratio: f64,
    /// Diagonals above this can be divided by.
    pub min_diagonal: f64,
    /// Facets whose centres are within this of each other's planes are merged.
    pub center: f64,
    /// Largest distance that one merge may cause.
    pub one_merge: f64,
    /// Points at most this far below a facet are kept in mind.
    pub near_inside: f64,
    /// A point this far above a facet sees it.
    pub visible: f64,
    /// A point this close to a facet is coplanar with it.
    pub coplanar: f64,
    /// A point this far above a facet is outside the hull.
    pub outside: f64,
    /// A facet this thick keeps its centre.
    pub wide: f64,
}

impl Tolerance {
    /// Thresholds for points that are not all in one place.
    pub fn new(points: &[Vec3]) -> Result<Self, HullError> {
        let mut extremes = [0; 6];
        let mut near_zero = [0.0; 3];
        let (mut largest, mut sum, mut width) = (0.0_f64, 0.0_f64, -f64::MAX);
        for axis in 0..3 {
            let (mut low, mut high) = (0, 0);
            for (index, point) in points.iter().enumerate() {
                if points[high][axis] < point[axis] {
                    high = index;
                } else if points[low][axis] > point[axis] {
                    low = index;
                }
            }
            let (minimum, maximum) = (points[low][axis], points[high][axis]);
            let magnitude = if maximum < -minimum {
                -minimum
            } else {
                maximum
            };
            if width < maximum - minimum {
                width = maximum - minimum;
            }
            if largest < magnitude {
                largest = magnitude;
            }
            sum += magnitude;
            extremes[2 * axis] = low as u32;
            extremes[2 * axis + 1] = high as u32;
            near_zero[axis] = 80.0 * sum * EPSILON;
        }
        // Not all in one place, and no overflow in what follows.
        if !(width > 0.0 && width < 1e150 && largest < 1e150) {
            return Err(HullError::Flat);
        }

        let mut diagonal = 3.0_f64.sqrt() * largest;
        if diagonal > sum {
            diagonal = sum;
        }
        let distance = EPSILON * (3.0 * diagonal * 1.01 + largest);
        let center = 2.0 * distance;
        let one_merge = 3.0 * center + distance;
        let visible = center;
        let coplanar = visible;
        let outside = 2.0 * visible;
        let min_ratio = (SMALLEST * 3.0).sqrt();
        Ok(Tolerance {
            extremes,
            width,
            near_zero,
            distance,
            min_denominator: SMALLEST * largest,
            min_ratio,
            min_diagonal: min_ratio * largest,
            center,
            one_merge,
            near_inside: one_merge * 5.0,
            visible,
            coplanar,
            outside,
            wide: 6.0 * coplanar,
        })
    }
}
