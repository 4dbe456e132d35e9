//! Named arrays with a known row count and cell shape.
//!
//! A struct declared with [`columns!`](crate::columns) is a set of arrays under the names MuJoCo
//! users know. One declaration yields the fields, their allocation from the sizes, and a list of
//! [`Column`]s from which bindings, comparison and files are made without naming an array twice.

use bytemuck::Pod;
use sinew_math::{Mat3, Quat, Vec3};

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
    /// How many numbers a row holds; 0 for a plain number, whose column is one-dimensional.
    const WIDTH: usize;
}

macro_rules! cell {
    ($($t:ty, $number:ident;)*) => { $(
        impl Cell for $t { const NUMBER: Number = Number::$number; const WIDTH: usize = 0; }
    )* };
}
cell! { f64, F64; f32, F32; i32, I32; i64, I64; u8, U8; }

macro_rules! wide_cell {
    ($($t:ty, $number:ident, $width:literal;)*) => { $(
        impl Cell for $t { const NUMBER: Number = Number::$number; const WIDTH: usize = $width; }
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
    /// The numbers, row by row, in native byte order.
    pub bytes: &'a mut [u8],
}

/// Declares a struct of sizes and columns. A column is `name: rows x Cell`, or
/// `name: rows x number [width]` where the width is itself a size.
#[macro_export]
macro_rules! columns {
    (
        $(#[$meta:meta])*
        pub struct $name:ident {
            sizes { $( $(#[$size_meta:meta])* $size:ident, )* }
            columns { $( $(#[$column_meta:meta])* $column:ident : $rows:ident x $cell:ty $([ $width:ident $(* $factor:literal)? ])?, )* }
            other { $( $(#[$other_meta:meta])* $other:ident : $other_type:ty, )* }
        }
    ) => {
        $(#[$meta])*
        #[allow(non_snake_case)]
        #[derive(Clone, Debug, Default)]
        pub struct $name {
            $( $(#[$size_meta])* pub $size: usize, )*
            $( $(#[$column_meta])* pub $column: Vec<$cell>, )*
            $( $(#[$other_meta])* pub $other: $other_type, )*
        }

        impl $name {
            /// Gives every column the length its sizes ask for, new cells being zero (quaternions:
            /// identity).
            pub fn allocate(&mut self) {
                $( {
                    let width = 1 $(* self.$width $(* $factor)?)?;
                    self.$column.resize(self.$rows * width, <$cell as Default>::default());
                } )*
            }

            /// Every cell as in new columns: zero (quaternions: identity).
            pub fn clear_columns(&mut self) {
                $( self.$column.fill(<$cell as Default>::default()); )*
            }

            /// Bytes of all columns at the lengths their sizes ask for; saturates.
            pub fn byte_size(&self) -> u64 {
                let mut bytes = 0_u64;
                $( {
                    let width = 1_u64 $(.saturating_mul(self.$width as u64) $(.saturating_mul($factor))?)?;
                    let cells = (self.$rows as u64).saturating_mul(width);
                    let cell = size_of::<$cell>() as u64;
                    bytes = bytes.saturating_add(cells.saturating_mul(cell));
                } )*
                bytes
            }

            /// The first column whose length disagrees with the sizes.
            pub fn misshapen_column(&self) -> Option<&'static str> {
                $( {
                    let width = 1 $(* self.$width $(* $factor)?)?;
                    if self.$column.len() != self.$rows * width {
                        return Some(stringify!($column));
                    }
                } )*
                None
            }

            /// Names and values of the sizes.
            pub fn sizes(&self) -> Vec<(&'static str, usize)> {
                vec![ $( (stringify!($size), self.$size), )* ]
            }

            /// Sets a size by name; false if there is none of that name.
            pub fn set_size(&mut self, name: &str, value: usize) -> bool {
                match name {
                    $( stringify!($size) => self.$size = value, )*
                    _ => return false,
                }
                true
            }

            /// All columns, in declaration order.
            pub fn columns(&self) -> Vec<$crate::column::Column<'_>> {
                vec![ $( $crate::column::Column {
                    name: stringify!($column),
                    number: <$cell as $crate::column::Cell>::NUMBER,
                    size: stringify!($rows),
                    rows: self.$rows,
                    width: $crate::column::width::<$cell>(&[$( self.$width $(* $factor)? )?]),
                    bytes: $crate::column::bytes(&self.$column),
                }, )* ]
            }

            /// All columns, writable, in declaration order.
            pub fn columns_mut(&mut self) -> Vec<$crate::column::ColumnMut<'_>> {
                vec![ $( $crate::column::ColumnMut {
                    name: stringify!($column),
                    number: <$cell as $crate::column::Cell>::NUMBER,
                    rows: self.$rows,
                    width: $crate::column::width::<$cell>(&[$( self.$width $(* $factor)? )?]),
                    bytes: $crate::column::bytes_mut(&mut self.$column),
                }, )* ]
            }
        }
    };
}

/// The width of a column, from its declared size or its cell.
#[doc(hidden)]
pub fn width<C: Cell>(declared: &[usize]) -> Option<usize> {
    match declared.first() {
        Some(&width) => Some(width),
        None => (C::WIDTH > 0).then_some(C::WIDTH),
    }
}

/// The bytes of a column.
#[doc(hidden)]
pub fn bytes<C: Cell>(cells: &[C]) -> &[u8] {
    bytemuck::cast_slice(cells)
}

/// The bytes of a column, writable.
#[doc(hidden)]
pub fn bytes_mut<C: Cell>(cells: &mut [C]) -> &mut [u8] {
    bytemuck::cast_slice_mut(cells)
}
