//! The 64-bit Mersenne twister, because random marks must fall on the same pixels everywhere.
//!
//! M. Matsumoto and T. Nishimura, "Mersenne twister: a 623-dimensionally equidistributed uniform
//! pseudo-random number generator" (1998); 64-bit parameters by T. Nishimura (2000).

const STATE: usize = 312;
const MIDDLE: usize = 156;
const TWIST: u64 = 0xb502_6f5a_a966_19e9;
const UPPER: u64 = 0xffff_ffff_8000_0000;
const LOWER: u64 = 0x7fff_ffff;

/// The generator.
pub struct Mersenne {
    state: [u64; STATE],
    next: usize,
}

impl Mersenne {
    /// A generator with a seed.
    pub fn new(seed: u64) -> Self {
        let mut state = [0; STATE];
        state[0] = seed;
        for i in 1..STATE {
            let before = state[i - 1];
            state[i] = 6_364_136_223_846_793_005_u64
                .wrapping_mul(before ^ (before >> 62))
                .wrapping_add(i as u64);
        }
        Mersenne { state, next: STATE }
    }

    /// A number between 0 and 1.
    pub fn uniform(&mut self) -> f64 {
        // 2⁻⁶⁴; rounding up to 1 is avoided as the standard library of C++ does.
        let number = self.next() as f64 / 18_446_744_073_709_551_616.0;
        if number < 1.0 {
            number
        } else {
            // The largest number below 1.
            1.0 - f64::EPSILON / 2.0
        }
    }

    fn next(&mut self) -> u64 {
        if self.next >= STATE {
            self.refill();
        }
        let mut x = self.state[self.next];
        self.next += 1;
        x ^= (x >> 29) & 0x5555_5555_5555_5555;
        x ^= (x << 17) & 0x71d6_7fff_eda6_0000;
        x ^= (x << 37) & 0xfff7_eee0_0000_0000;
        x ^ (x >> 43)
    }

    fn refill(&mut self) {
        for i in 0..STATE {
            let x = (self.state[i] & UPPER) | (self.state[(i + 1) % STATE] & LOWER);
            let twisted = (x >> 1) ^ if x & 1 == 1 { TWIST } else { 0 };
            self.state[i] = self.state[(i + MIDDLE) % STATE] ^ twisted;
        }
        self.next = 0;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_ten_thousandth_number_is_that_of_the_standard() {
        // C++ standard, [rand.predef]: default-seeded generator.
        let mut generator = Mersenne::new(5489);
        for _ in 0..9999 {
            generator.next();
        }
        assert_eq!(generator.next(), 9_981_545_732_273_789_042);
    }
}
