//! Named arrays with a known row count and cell shape.
//!
//! A struct declared with [`columns!`](crate::columns) is a set of arrays under the names MuJoCo
//! users know. One declaration yields the fields, their allocation from the sizes, and a list of
//! [`Column`]s from which bindings, comparison and files are made without naming an array twice.
//!
//! ```text
//! declare   columns!: the arrays of a model, and of the stages of a simulation
//! group     Group, groups!: structs of such arrays
//! lane      LaneCell: one world's cells among those of several
//! meaning   Meaning: what the numbers of a column stand for
//! ```

mod declare;
#[cfg(feature = "std")]
mod group;
mod lane;
mod meaning;

#[cfg(feature = "std")]
pub use group::Group;
pub use lane::LaneCell;
pub use meaning::Meaning;

use bytemuck::Zeroable;
#[doc(hidden)]
pub use bytemuck::{Pod, cast_slice, cast_slice_mut};
use sinew_math::{Mat3, Quat, Vec3};

/// Gives a column a length in pieces, as long as `may_go_on` says so before each. False: it did not.
#[cfg(feature = "std")]
#[doc(hidden)]
pub fn resize_while<T: Clone + Default>(
    column: &mut Vec<T>,
    length: usize,
    may_go_on: &mut dyn FnMut() -> bool,
) -> bool {
    const PIECE: usize = 1 << 20;
    column.reserve_exact(length.saturating_sub(column.len()));
    column.truncate(length);
    while column.len() < length {
        if !may_go_on() {
            return false;
        }
        column.resize(length.min(column.len().saturating_add(PIECE)), T::default());
    }
    true
}

/// The number type of a column.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Number {
    /// 64-bit float.
    F64,
    /// 32-bit float.
    F32,
    /// 32-bit signed integer.
    I32,
    /// 64-bit signed integer.
    I64,
    /// Byte: flag, character or pixel.
    U8,
}

/// What one row of a column is made of.
pub trait Cell: Pod + Default {
    /// The number type.
    const NUMBER: Number;
    /// How many numbers a row holds; `None` for a plain number, whose column is one-dimensional.
    const OWN_WIDTH: Option<usize>;
}

macro_rules! cell {
    ($($t:ty, $number:ident;)*) => { $(
        impl Cell for $t { const NUMBER: Number = Number::$number; const OWN_WIDTH: Option<usize> = None; }
    )* };
}
cell! { f64, F64; f32, F32; i32, I32; i64, I64; u8, U8; }

macro_rules! wide_cell {
    ($($t:ty, $number:ident, $width:literal;)*) => { $(
        impl Cell for $t { const NUMBER: Number = Number::$number; const OWN_WIDTH: Option<usize> = Some($width); }
    )* };
}
wide_cell! {
    Vec3, F64, 3; Quat, F64, 4; Mat3, F64, 9;
    [f64; 2], F64, 2; [f64; 3], F64, 3; [f64; 4], F64, 4; [f64; 5], F64, 5; [f64; 6], F64, 6;
    [f64; 8], F64, 8; [f64; 10], F64, 10; [f64; 11], F64, 11; [f64; 12], F64, 12; [f64; 17], F64, 17; [f64; 21], F64, 21;
    [f32; 2], F32, 2; [f32; 3], F32, 3; [f32; 4], F32, 4;
    [i32; 2], I32, 2; [i32; 3], I32, 3; [i32; 8], I32, 8; [i32; 10], I32, 10;
}

/// One array of a columns struct, seen without its type.
#[derive(Clone, Copy, Debug)]
pub struct Column<'a> {
    /// The field's name.
    pub name: &'static str,
    /// The number type.
    pub number: Number,
    /// Name of the size that counts the rows, such as `nbody`.
    pub size: &'static str,
    /// Number of rows.
    pub rows: usize,
    /// Numbers per row; `None` for a one-dimensional array.
    pub width: Option<usize>,
    /// What the numbers stand for.
    pub meaning: Meaning,
    /// What the declaration says about it.
    pub comment: &'static str,
    /// The numbers, row by row, in native byte order.
    pub bytes: &'a [u8],
}

/// One array of a columns struct, writable.
#[derive(Debug)]
pub struct ColumnMut<'a> {
    /// The field's name.
    pub name: &'static str,
    /// The number type.
    pub number: Number,
    /// Number of rows.
    pub rows: usize,
    /// Numbers per row; `None` for a one-dimensional array.
    pub width: Option<usize>,
    /// What the numbers stand for.
    pub meaning: Meaning,
    /// The numbers, row by row, in native byte order.
    pub bytes: &'a mut [u8],
}

impl<'a> Column<'a> {
    /// A column from its name, the name and number of its rows, and what its declaration says of it,
    /// of width and meaning.
    #[doc(hidden)]
    pub fn new<C: Cell>(
        (name, size, rows): (&'static str, &'static str, usize),
        comment: &'static str,
        width: Option<usize>,
        meaning: Option<Meaning>,
        cells: &'a [C],
    ) -> Self {
        Column {
            name,
            number: C::NUMBER,
            size,
            rows,
            width: width.or(C::OWN_WIDTH),
            meaning: meaning.unwrap_or(Meaning::of(C::NUMBER)),
            comment,
            bytes: bytemuck::cast_slice(cells),
        }
    }
}

impl<'a> ColumnMut<'a> {
    /// A writable column from its name, the number of its rows, and what its declaration says of
    /// width and meaning.
    #[doc(hidden)]
    pub fn new<C: Cell>(
        (name, rows): (&'static str, usize),
        width: Option<usize>,
        meaning: Option<Meaning>,
        cells: &'a mut [C],
    ) -> Self {
        ColumnMut {
            name,
            number: C::NUMBER,
            rows,
            width: width.or(C::OWN_WIDTH),
            meaning: meaning.unwrap_or(Meaning::of(C::NUMBER)),
            bytes: bytemuck::cast_slice_mut(cells),
        }
    }
}

#[doc(hidden)]
pub use sinew_math::Real;
pub use sinew_math::series::Series;

/// A cell of zeros.
#[doc(hidden)]
#[inline]
pub fn zero<C: Zeroable>() -> C {
    C::zeroed()
}
