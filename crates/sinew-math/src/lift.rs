//! Stored numbers as the numbers that are computed with.
//!
//! A value of a model is either shared by all worlds, stored once as `f64`, or differs between them
//! and is stored in lanes like everything else. Code that reads it through [`Lift`] serves both.

use crate::mat3::Mat3;
use crate::quat::Quat;
use crate::real::Real;
use crate::vec3::Vec3;

/// A stored value that can be read as a `T`: a single number as the nearest `T` in every lane,
/// every number as itself, vectors component by component.
pub trait Lift<T>: Copy {
    /// The value to compute with.
    fn lift(self) -> T;
}

impl<T: Real> Lift<T> for f64 {
    #[inline(always)]
    fn lift(self) -> T {
        T::from_f64(self)
    }
}

impl<T: Real> Lift<T> for f32 {
    #[inline(always)]
    fn lift(self) -> T {
        T::from_f64(f64::from(self))
    }
}

impl<T: Copy + Default, V: Lift<T>, const N: usize> Lift<[T; N]> for [V; N] {
    #[inline(always)]
    fn lift(self) -> [T; N] {
        let mut out = [T::default(); N];
        for k in 0..N {
            out[k] = self[k].lift();
        }
        out
    }
}

impl<T: Copy + Default, V: Lift<T>> Lift<Vec3<T>> for Vec3<V> {
    #[inline(always)]
    fn lift(self) -> Vec3<T> {
        Vec3(self.0.lift())
    }
}

impl<T: Copy + Default, V: Lift<T>> Lift<Quat<T>> for Quat<V> {
    #[inline(always)]
    fn lift(self) -> Quat<T> {
        Quat(self.0.lift())
    }
}

impl<T: Copy + Default, V: Lift<T>> Lift<Mat3<T>> for Mat3<V> {
    #[inline(always)]
    fn lift(self) -> Mat3<T> {
        Mat3(self.0.lift())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::vec3::vec3;

    /// A sum that reads a value either way.
    fn plus<T: Real, V: Lift<T>>(a: T, stored: V) -> T {
        a + stored.lift()
    }

    #[test]
    fn shared_and_own_values_read_alike() {
        assert_eq!(plus(1.0_f64, 0.1_f64), 1.1);
        assert_eq!(plus(1.0_f32, 0.1_f64), 1.0_f32 + 0.1_f32);
        assert_eq!(plus(1.0_f32, 0.1_f32), 1.0_f32 + 0.1_f32);
    }

    #[test]
    fn vectors_are_lifted_by_component() {
        let stored = vec3(0.1, -2.0, 1e-40);
        let single: Vec3<f32> = stored.lift();
        assert_eq!(single.0, [0.1_f32, -2.0, 1e-40]);
        let double: Vec3 = stored.lift();
        assert_eq!(double, stored);
        let frame: Mat3<f32> = Mat3::IDENTITY.lift();
        let turn: Quat<f32> = Quat::IDENTITY.lift();
        assert_eq!((frame, turn), (Mat3::identity(), Quat::identity()));
        let pair: [[f32; 2]; 2] = [[1.0_f64, 2.0], [3.0, 4.0]].lift();
        assert_eq!(pair, [[1.0, 2.0], [3.0, 4.0]]);
    }
}
