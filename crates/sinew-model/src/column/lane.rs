//! Worlds in lanes: one world's numbers in cells that hold those of several.

use sinew_math::{Mat3, Quat, Real, Vec3};

/// A cell that holds, lane by lane, the cells `S` of several worlds.
pub trait LaneCell<S> {
    /// Puts a world's cell into its lane.
    fn put(&mut self, lane: usize, one: S);
    /// The world's cell in a lane.
    fn take(&self, lane: usize) -> S;
}

impl<T: Real> LaneCell<f64> for T {
    #[inline]
    fn put(&mut self, lane: usize, one: f64) {
        self.set_lane(lane, one);
    }
    #[inline]
    fn take(&self, lane: usize) -> f64 {
        self.read_lane(lane)
    }
}

impl<T: Real, const N: usize> LaneCell<[f64; N]> for [T; N] {
    #[inline]
    fn put(&mut self, lane: usize, one: [f64; N]) {
        for (cell, number) in self.iter_mut().zip(one) {
            cell.set_lane(lane, number);
        }
    }
    #[inline]
    fn take(&self, lane: usize) -> [f64; N] {
        core::array::from_fn(|k| self[k].read_lane(lane))
    }
}

macro_rules! wrapped {
    ($($name:ident)*) => { $(
        impl<T: Real> LaneCell<$name> for $name<T> {
            #[inline]
            fn put(&mut self, lane: usize, one: $name) {
                self.0.put(lane, one.0);
            }
            #[inline]
            fn take(&self, lane: usize) -> $name {
                $name(self.0.take(lane))
            }
        }
    )* };
}
wrapped! { Vec3 Quat Mat3 }

/// Flags are of the model: all worlds of a group share them.
impl LaneCell<u8> for u8 {
    #[inline]
    fn put(&mut self, _: usize, one: u8) {
        *self = one;
    }
    #[inline]
    fn take(&self, _: usize) -> u8 {
        *self
    }
}
