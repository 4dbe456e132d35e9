//! Numbers side by side: one world per lane.
//!
//! [`Double4`], [`Double8`], [`Single8`] and [`Single16`] are numbers like `f64`: what is written over
//! [`Real`] runs with them as it stands, and every lane has the bits that a single number
//! has. They are plain arrays and compile everywhere. Where the processor has registers of that
//! width, [`double4`] and its sisters do the work with those instead:
//!
//! ```
//! use sinew_math::{Real, lanes};
//!
//! struct Norms<'a> {
//!     x: &'a [lanes::Double4],
//!     y: &'a [lanes::Double4],
//!     out: &'a mut [lanes::Double4],
//! }
//!
//! impl lanes::Work for Norms<'_> {
//!     type Output = ();
//!
//!     #[inline(always)]
//!     fn run<T: Real + bytemuck::Pod>(self) {
//!         let (x, y): (&[T], &[T]) = (bytemuck::cast_slice(self.x), bytemuck::cast_slice(self.y));
//!         let out: &mut [T] = bytemuck::cast_slice_mut(self.out);
//!         for k in 0..out.len() {
//!             out[k] = (x[k] * x[k] + y[k] * y[k]).sqrt();
//!         }
//!     }
//! }
//!
//! let (x, y) = ([lanes::Double4::from_f64(3.0)], [lanes::Double4::from_f64(4.0)]);
//! let mut out = [lanes::Double4::ZERO];
//! lanes::double4(Norms { x: &x, y: &y, out: &mut out });
//! assert_eq!(out[0].to_array(), [5.0; 4]);
//! ```
//!
//! The types of the processor's registers cannot be named outside: they are only met as the type
//! parameter of [`Work::run`], which is called with them after the processor has been asked. They
//! have the size and alignment of the arrays, so slices of one can be read as slices of the other.
//! `run::<Double4>()`, called directly, is the portable form.

#[cfg(target_arch = "aarch64")]
mod neon;
mod pack;
mod portable;
mod register;
mod sine;
#[cfg(test)]
mod tests;
#[cfg(not(any(all(feature = "std", target_arch = "x86_64"), target_arch = "aarch64")))]
mod without;
#[cfg(all(feature = "std", target_arch = "x86_64"))]
mod x86;

use crate::real::Real;
use bytemuck::Pod;
#[cfg(target_arch = "aarch64")]
use neon as registers;
pub use pack::Pack;
#[cfg(not(any(all(feature = "std", target_arch = "x86_64"), target_arch = "aarch64")))]
use without as registers;
#[cfg(all(feature = "std", target_arch = "x86_64"))]
use x86 as registers;

/// Four numbers of double precision.
pub type Double4 = Pack<portable::Double4>;
/// Eight numbers of double precision.
pub type Double8 = Pack<portable::Double8>;
/// Eight numbers of single precision.
pub type Single8 = Pack<portable::Single8>;
/// Sixteen numbers of single precision.
pub type Single16 = Pack<portable::Single16>;

/// Something to do with packs of one width. `run` and everything it calls must be `inline(always)`:
/// only what is inlined is compiled for the registers.
pub trait Work {
    /// What comes out.
    type Output;
    /// Does it with numbers of type `T`, which has the layout of the pack the work was made for.
    fn run<T: Real + Pod>(self) -> Self::Output;
}

/// Does work made for [`Double4`] in registers, or hands it back where the processor has none.
#[inline]
pub fn double4_in_registers<W: Work>(work: W) -> Result<W::Output, W> {
    registers::double4(work)
}

/// Does work made for [`Double8`] in registers, or hands it back where the processor has none.
#[inline]
pub fn double8_in_registers<W: Work>(work: W) -> Result<W::Output, W> {
    registers::double8(work)
}

/// Does work made for [`Single8`] in registers, or hands it back where the processor has none.
#[inline]
pub fn single8_in_registers<W: Work>(work: W) -> Result<W::Output, W> {
    registers::single8(work)
}

/// Does work made for [`Single16`] in registers, or hands it back where the processor has none.
#[inline]
pub fn single16_in_registers<W: Work>(work: W) -> Result<W::Output, W> {
    registers::single16(work)
}

macro_rules! dispatch {
    ($(#[$doc:meta])* $name:ident, $pack:ident) => {
        $(#[$doc])*
        #[inline]
        pub fn $name<W: Work>(work: W) -> W::Output {
            match registers::$name(work) {
                Ok(output) => output,
                Err(work) => portably::<$pack, W>(work),
            }
        }
    };
}

dispatch!(
    /// Does work made for [`Double4`], in registers where the processor has them.
    double4, Double4
);
dispatch!(
    /// Does work made for [`Double8`], in registers where the processor has them.
    double8, Double8
);
dispatch!(
    /// Does work made for [`Single8`], in registers where the processor has them.
    single8, Single8
);
dispatch!(
    /// Does work made for [`Single16`], in registers where the processor has them.
    single16, Single16
);

/// Does work with arrays, compiled for every processor.
fn portably<T: Real + Pod, W: Work>(work: W) -> W::Output {
    work.run::<T>()
}
