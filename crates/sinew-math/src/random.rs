//! Random numbers for the worlds of a batch, the same on a processor and on a device.
//!
//! Every world has streams of its own: the numbers of its k-th draw follow from the seed, the world and k alone,
//! whatever other worlds do and whichever thread asks. A stream is SplitMix64 (Steele, Lea, Flood: "Fast splittable
//! pseudorandom number generators", 2014), begun at a hash of the three.

use crate::Real;

/// How far a random reset moves a world away from its start.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Noise {
    /// Along every degree of freedom, in radians or metres; orientations turn by it.
    pub position: f64,
    /// Of every velocity.
    pub velocity: f64,
    /// How the numbers are spread.
    pub spread: Spread,
}

/// How random numbers are spread.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Spread {
    /// Evenly, from minus the given number up to it.
    #[default]
    Uniform,
    /// Normally, with the given number as standard deviation.
    Normal,
}

/// A stream of random numbers.
#[derive(Clone, Debug)]
pub struct Stream(u64);

/// The increment of SplitMix64: the odd number nearest to 2⁶⁴ over the golden ratio.
const STEP: u64 = 0x9E37_79B9_7F4A_7C15;

/// The output function of SplitMix64.
#[inline(always)]
fn mixed(mut bits: u64) -> u64 {
    bits = (bits ^ (bits >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    bits = (bits ^ (bits >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
    bits ^ (bits >> 31)
}

impl Stream {
    /// The stream of a world's draw.
    #[inline(always)]
    pub fn new(seed: u64, world: usize, draw: u64) -> Self {
        let hashed = [world as u64, draw].into_iter().fold(seed, |hash, part| {
            mixed(hash.wrapping_add(STEP)) ^ mixed(part.wrapping_mul(STEP).wrapping_add(1))
        });
        Stream(mixed(hashed))
    }

    /// A number from 0 to 1, without 1.
    #[inline(always)]
    fn fraction(&mut self) -> f64 {
        self.0 = self.0.wrapping_add(STEP);
        (mixed(self.0) >> 11) as f64 / (1_u64 << 53) as f64
    }

    /// A number of the spread, for scale 1.
    #[inline(always)]
    pub fn number(&mut self, spread: Spread) -> f64 {
        match spread {
            Spread::Uniform => 2.0 * self.fraction() - 1.0,
            Spread::Normal => self.normal(),
        }
    }

    /// Marsaglia's polar method: a point in the unit circle, stretched.
    #[inline(always)]
    fn normal(&mut self) -> f64 {
        loop {
            let x = 2.0 * self.fraction() - 1.0;
            let y = 2.0 * self.fraction() - 1.0;
            let square = x * x + y * y;
            if square > 0.0 && square < 1.0 {
                return x * Real::sqrt(-2.0 * libm::log(square) / square);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn draw(seed: u64, world: usize, draw: u64) -> Vec<f64> {
        let mut stream = Stream::new(seed, world, draw);
        (0..4).map(|_| stream.number(Spread::Uniform)).collect()
    }

    #[test]
    fn seed_world_and_draw_each_give_other_numbers() {
        let all = [(0, 0, 0), (1, 0, 0), (0, 1, 0), (0, 0, 1), (1, 1, 1)];
        let drawn: Vec<_> = all.map(|(s, w, d)| draw(s, w, d)).into();
        for (i, one) in drawn.iter().enumerate() {
            assert_eq!(*one, draw(all[i].0, all[i].1, all[i].2));
            assert!(drawn[..i].iter().all(|other| other[0] != one[0]));
        }
    }

    /// Mean, variance and fourth moment of 40,000 numbers, four worlds' streams together.
    fn moments(spread: Spread) -> [f64; 3] {
        let mut sums = [0.0; 3];
        for world in 0..4 {
            let mut stream = Stream::new(7, world, 0);
            for _ in 0..10_000 {
                let x = stream.number(spread);
                sums[0] += x;
                sums[1] += x * x;
                sums[2] += x * x * x * x;
            }
        }
        sums.map(|sum| sum / 40_000.0)
    }

    #[test]
    fn numbers_have_the_moments_of_their_spread() {
        // Limits are five standard errors of the mean of 40,000.
        let [mean, variance, fourth] = moments(Spread::Uniform);
        assert!(mean.abs() < 0.015, "{mean}");
        assert!((variance - 1.0 / 3.0).abs() < 0.008, "{variance}");
        assert!((fourth - 1.0 / 5.0).abs() < 0.008, "{fourth}");
        let [mean, variance, fourth] = moments(Spread::Normal);
        assert!(mean.abs() < 0.025, "{mean}");
        assert!((variance - 1.0).abs() < 0.036, "{variance}");
        assert!((fourth - 3.0).abs() < 0.25, "{fourth}");
    }
}
