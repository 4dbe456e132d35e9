//! Reproducible random shapes, as the scripts beside the stored values make them.

use sinew_collision::pair::Shape;
use sinew_math::{Quat, Vec3};

/// A linear congruential generator.
pub struct Generator(pub u64);

impl Generator {
    fn uniform(&mut self) -> f64 {
        self.0 = self
            .0
            .wrapping_mul(6364136223846793005)
            .wrapping_add(1442695040888963407);
        (self.0 >> 11) as f64 / (1u64 << 53) as f64
    }

    /// A number between two others.
    pub fn between(&mut self, low: f64, high: f64) -> f64 {
        low + (high - low) * self.uniform()
    }

    /// A shape; snapped to a grid on request.
    pub fn shape(&mut self, is_snapped: bool) -> Shape {
        let mut pos: [f64; 3] = std::array::from_fn(|_| self.between(-0.3, 0.3));
        let mut quat: [f64; 4] = std::array::from_fn(|_| self.between(-1.0, 1.0));
        let mut size: [f64; 3] = std::array::from_fn(|_| self.between(0.05, 0.25));
        if is_snapped {
            pos = pos.map(|x| (x * 20.0).round_ties_even() / 20.0);
            quat = quat.map(f64::round_ties_even);
            if quat == [0.0; 4] {
                quat = [1.0, 0.0, 0.0, 0.0];
            }
            size = size.map(|x| (x * 20.0).round_ties_even() / 20.0);
        }
        Shape {
            pos: Vec3(pos),
            mat: Quat(quat).normalized().to_mat(),
            size,
        }
    }
}
