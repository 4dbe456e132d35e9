//! Loops compiled for wide registers, chosen when the program runs.
//!
//! x86 processors of the last decade add four numbers at once, but a program that has to run
//! everywhere may only assume two. [`run`] compiles the work it is given twice and takes the better
//! form. Nothing is fused or reordered: every number comes out the same.

use crate::real::Real;

/// A loop worth microseconds. `run` and everything it calls should be `inline(always)`: only what
/// is inlined is compiled for four lanes.
pub trait Work {
    /// What comes out.
    type Output;
    /// Does it.
    fn run(self) -> Self::Output;
}

/// Does work on single numbers, with four lanes where the processor has them.
#[inline]
pub fn run<W: Work>(work: W) -> W::Output {
    #[cfg(all(feature = "std", target_arch = "x86_64"))]
    if std::arch::is_x86_feature_detected!("avx") {
        #[allow(unsafe_code)]
        // SAFETY: the processor has the feature that the function was compiled for.
        return unsafe { four_lanes(work) };
    }
    two_lanes(work)
}

/// Does work on numbers of type `T`: single ones as above, while packs fill registers already.
#[inline(always)]
pub fn run_with<T: Real, W: Work>(work: W) -> W::Output {
    if T::LANES == 1 { run(work) } else { work.run() }
}

fn two_lanes<W: Work>(work: W) -> W::Output {
    work.run()
}

#[cfg(all(feature = "std", target_arch = "x86_64"))]
#[target_feature(enable = "avx")]
fn four_lanes<W: Work>(work: W) -> W::Output {
    work.run()
}

#[cfg(test)]
mod tests {
    use super::Work;

    struct Sums([f64; 37]);

    impl Work for Sums {
        type Output = [f64; 37];
        #[inline(always)]
        fn run(self) -> [f64; 37] {
            let mut total = [0.0; 37];
            for k in 0..37 {
                for i in 0..37 {
                    total[i] += self.0[i] * self.0[k] - total[36 - i] * 0.01;
                }
            }
            total
        }
    }

    #[test]
    fn both_forms_give_the_same_bits() {
        let numbers = core::array::from_fn(|i| 1.0 / (i as f64 + 0.3));
        assert_eq!(super::run(Sums(numbers)), Sums(numbers).run());
    }
}
