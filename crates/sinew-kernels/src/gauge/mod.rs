//! Sensors that a thread of its own reads, because they take long or need memory: distances between geoms, rays that may meet
//! meshes and height fields, the kinetic energy of the step before, touch spread over a surface.
//!
//! They read what a team has left in the memory of the world, before the state moves. The threads of a device take sensor after
//! sensor: neighbours have the same one of neighbouring worlds.

mod distance;
mod energy;
mod ray;
mod tactile;

pub use distance::distance;
pub use energy::energy;
pub use ray::ray;
pub use tactile::tactile;

use crate::Number;
use sinew_dynamics::actuation::clip;
use sinew_model::kinds::DataType;

/// Cuts what a sensor reads, which is of a kind of numbers, to a range where there is one.
#[inline(always)]
fn cut<T: Number>(kind: i32, cutoff: T, x: T) -> T {
    const REAL: i32 = DataType::Real.code();
    const POSITIVE: i32 = DataType::Positive.code();
    let is_cut = cutoff > T::ZERO;
    match kind {
        REAL if is_cut => clip(x, [-cutoff, cutoff]),
        POSITIVE if is_cut => T::select(x.less(cutoff), x, cutoff),
        _ => x,
    }
}
