//! The declaration of columns.

/// Declares a struct of sizes and columns.
///
/// A column is `name: rows x Cell`, or `name: rows x number [width]` where the width is itself a size;
/// ` = Meaning` behind it says what its numbers stand for where that is not what their type says
/// ([`Meaning`](crate::column::Meaning)). The comment before it is part of the list of columns, for whoever
/// shows them to users.
///
/// There are two forms. `pub struct ModelArrays { … }` is what a model consists of. `pub struct
/// Kinematics<T>(KinematicsRef, KinematicsMut) for Model { … }` is what a stage of a simulation makes
/// of it: sizes are those of the model, cells are numbers of type `T` (f64 unless said otherwise), and
/// the two names in brackets are its borrowed forms made of plain slices, which is what the arithmetic
/// of a stage is written over. Without `<T>(…)` the arrays are f64 only and have no borrowed form.
///
/// Sections: `sizes`; `columns`, which have names that users know; `other`, what else is computed, of
/// types that are [`Group`](crate::column::Group)s; `scratch`, working memory that is neither cleared nor
/// copied and starts with its default, or as `name: Vec<Cell> = rows` with that many cells.
#[macro_export]
macro_rules! columns {
    (
        $(#[$meta:meta])*
        pub struct $name:ident {
            sizes { $( $(#[$size_meta:meta])* $size:ident, )* }
            columns { $( $(#[doc = $comment:literal])* $column:ident : $rows:ident x $cell:ty $([ $width:ident $(* $factor:literal)? ])? $(= $meaning:ident)?, )* }
            other { $( $(#[$other_meta:meta])* $other:ident : $other_type:ty, )* }
        }
    ) => {
        $(#[$meta])*
        #[allow(non_snake_case)]
        #[derive(Clone, Debug, Default)]
        pub struct $name {
            $( $(#[$size_meta])* pub $size: usize, )*
            $( $(#[doc = $comment])* pub $column: Vec<$cell>, )*
            $( $(#[$other_meta])* pub $other: $other_type, )*
        }

        impl $name {
            /// Gives every column the length its sizes ask for, new cells being zero (quaternions:
            /// identity).
            pub fn allocate(&mut self) {
                self.allocate_while(&mut || true);
            }

            /// As `allocate`, as long as `may_go_on` says so, which is asked before each piece of what grows.
            /// False: it did not.
            pub fn allocate_while(&mut self, may_go_on: &mut dyn FnMut() -> bool) -> bool {
                $( {
                    let width = 1 $(* self.$width $(* $factor)?)?;
                    let length = self.$rows * width;
                    if !$crate::column::resize_while(&mut self.$column, length, may_go_on) {
                        return false;
                    }
                } )*
                true
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

            /// Reserves what columns of these sizes need, no more. False: there is no such memory.
            pub fn reserve(&mut self, sizes: &Self) -> bool {
                $( {
                    let width = 1_usize $(.saturating_mul(sizes.$width $(* $factor)?))?;
                    let cells = sizes.$rows.saturating_mul(width);
                    let more = cells.saturating_sub(self.$column.len());
                    if self.$column.try_reserve_exact(more).is_err() {
                        return false;
                    }
                } )*
                true
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
                vec![ $( $crate::column::Column::new(
                    (stringify!($column), stringify!($rows), self.$rows),
                    concat!($($comment),*),
                    None $(.or(Some(self.$width $(* $factor)?)))?,
                    None $(.or(Some($crate::column::Meaning::$meaning)))?,
                    &self.$column,
                ), )* ]
            }

            /// All columns, writable, in declaration order.
            pub fn columns_mut(&mut self) -> Vec<$crate::column::ColumnMut<'_>> {
                vec![ $( $crate::column::ColumnMut::new(
                    (stringify!($column), self.$rows),
                    None $(.or(Some(self.$width $(* $factor)?)))?,
                    None $(.or(Some($crate::column::Meaning::$meaning)))?,
                    &mut self.$column,
                ), )* ]
            }

            /// A function for each column that borrows it for writing, in declaration order.
            pub const WRITERS: &'static [fn(&mut $name) -> $crate::column::ColumnMut<'_>] = &[
                $( |arrays| $crate::column::ColumnMut::new(
                    (stringify!($column), arrays.$rows),
                    None $(.or(Some(arrays.$width $(* $factor)?)))?,
                    None $(.or(Some($crate::column::Meaning::$meaning)))?,
                    &mut arrays.$column,
                ), )*
            ];
        }
    };

    (
        $(#[$meta:meta])*
        pub struct $name:ident $(<$number:ident>($ref_name:ident, $mut_name:ident))? for Model { $($body:tt)* }
    ) => {
        $crate::owned_columns! {
            $(#[$meta])*
            pub struct $name $(<$number>($ref_name, $mut_name))? for Model { $($body)* }
        }
        $crate::borrowed_columns! {
            pub struct $name $(<$number>($ref_name, $mut_name))? for Model { $($body)* }
        }
    };
}

/// The part of [`columns!`](crate::columns) that owns its arrays. Nothing without the feature `std`.
#[cfg(not(feature = "std"))]
#[doc(hidden)]
#[macro_export]
macro_rules! owned_columns {
    ($($anything:tt)*) => {};
}

/// The part of [`columns!`](crate::columns) that owns its arrays.
#[cfg(feature = "std")]
#[doc(hidden)]
#[macro_export]
macro_rules! owned_columns {
    (
        $(#[$meta:meta])*
        pub struct $name:ident $(<$number:ident>($ref_name:ident, $mut_name:ident))? for Model {
            sizes { $( $(#[$size_meta:meta])* $size:ident, )* }
            columns { $( $(#[doc = $comment:literal])* $column:ident : $rows:ident x $cell:ty $([ $width:ident $(* $factor:literal)? ])?, )* }
            $( other { $( $(#[$other_meta:meta])* $other:ident : $other_type:ty, )* } )?
            $( scratch { $( $(#[$scratch_meta:meta])* $scratch:ident : $scratch_type:ty $(= $scratch_rows:ident)?, )* } )?
        }
    ) => {
        $(#[$meta])*
        #[allow(non_snake_case)]
        #[derive(Clone, Debug, Default)]
        pub struct $name $(<$number = f64>)? {
            $( $(#[$size_meta])* pub $size: usize, )*
            $( $(#[doc = $comment])* pub $column: Vec<$cell>, )*
            $( $( $(#[$other_meta])* pub $other: $other_type, )* )?
            $( $( $(#[$scratch_meta])* pub $scratch: $scratch_type, )* )?
        }

        impl $(<$number: $crate::column::Real>)? $name $(<$number>)? {
            /// Arrays for a model, with nothing computed yet: zero everywhere.
            pub fn new(model: &$crate::Model) -> Self {
                $name {
                    $( $size: model.$size, )*
                    $( $column: vec![
                        $crate::column::zero();
                        model.$rows $(* model.$width $(* $factor)?)?
                    ], )*
                    $( $( $other: $crate::column::Group::new(model), )* )?
                    $( $( $scratch: $crate::owned_columns!(@scratch model $($scratch_rows)?), )* )?
                }
            }

            /// As new. Storage stays where it is.
            pub fn clear(&mut self, _model: &$crate::Model) {
                $( self.$column.fill($crate::column::zero()); )*
                $( $( $crate::column::Group::clear(&mut self.$other, _model); )* )?
            }

            /// Takes over what another simulation of the same structure has. No column moves.
            pub fn copy_from(&mut self, other: &Self) {
                $( self.$column.copy_from_slice(&other.$column); )*
                $( $( $crate::column::Group::copy_from(&mut self.$other, &other.$other); )* )?
            }
        }

        impl $name {
            /// All columns, in declaration order.
            pub fn columns(&self) -> Vec<$crate::column::Column<'_>> {
                let mut all = Vec::new();
                $crate::column::Group::list(self, &mut all);
                all
            }
        }

        impl $crate::column::Group for $name {
            fn new(model: &$crate::Model) -> Self {
                $name::new(model)
            }
            fn clear(&mut self, model: &$crate::Model) {
                $name::clear(self, model);
            }
            fn copy_from(&mut self, other: &Self) {
                $name::copy_from(self, other);
            }
            fn list<'a>(&'a self, out: &mut Vec<$crate::column::Column<'a>>) {
                $( out.push($crate::column::Column::new(
                    (stringify!($column), stringify!($rows), self.$rows),
                    concat!($($comment),*),
                    None $(.or(Some(self.$width $(* $factor)?)))?,
                    None,
                    &self.$column,
                )); )*
            }
            fn list_mut<'a>(&'a mut self, out: &mut Vec<$crate::column::ColumnMut<'a>>) {
                $( out.push($crate::column::ColumnMut::new(
                    (stringify!($column), self.$rows),
                    None $(.or(Some(self.$width $(* $factor)?)))?,
                    None,
                    &mut self.$column,
                )); )*
            }
        }

        $crate::owned_columns!(@views $name ($($number $ref_name $mut_name)?) { $($column)* });
    };

    (@views $name:ident () { $($column:ident)* }) => {};
    (@views $name:ident ($number:ident $ref_name:ident $mut_name:ident) { $($column:ident)* }) => {
        impl<$number> $name<$number> {
            /// The columns as slices.
            #[inline(always)]
            pub fn as_ref(&self) -> $ref_name<'_, $number> {
                $ref_name { $( $column: &self.$column, )* }
            }

            /// The columns as slices for writing.
            #[inline(always)]
            pub fn as_mut(&mut self) -> $mut_name<'_, $number> {
                $mut_name { $( $column: &mut self.$column, )* }
            }
        }

        impl<$number: $crate::column::Real> $name<$number> {
            /// Puts the columns of one world into a lane.
            pub fn put_lane(&mut self, lane: usize, world: &$name) {
                $( for (cell, one) in self.$column.iter_mut().zip(&world.$column) {
                    $crate::column::LaneCell::put(cell, lane, *one);
                } )*
            }

            /// Takes the columns of one world out of a lane.
            pub fn take_lane(&self, lane: usize, world: &mut $name) {
                $( for (cell, one) in self.$column.iter().zip(&mut world.$column) {
                    *one = $crate::column::LaneCell::take(cell, lane);
                } )*
            }
        }
    };

    (@scratch $model:ident) => {
        Default::default()
    };
    (@scratch $model:ident $rows:ident) => {
        vec![$crate::column::zero(); $model.$rows]
    };
}

/// The part of [`columns!`](crate::columns) that borrows arrays as plain slices.
#[doc(hidden)]
#[macro_export]
macro_rules! borrowed_columns {
    ( pub struct $name:ident for Model { $($body:tt)* } ) => {};
    (
        pub struct $name:ident<$number:ident>($ref_name:ident, $mut_name:ident) for Model {
            sizes { $($sizes:tt)* }
            columns { $( $(#[doc = $comment:literal])* $column:ident : $rows:ident x $cell:ty $([ $width:ident $(* $factor:literal)? ])?, )* }
            $($rest:tt)*
        }
    ) => {
        #[doc = concat!("The columns of `", stringify!($name), "`, borrowed.")]
        #[allow(non_snake_case)]
        #[derive(Clone, Copy, Debug)]
        pub struct $ref_name<'a, $number = f64> {
            $( $(#[doc = $comment])* pub $column: &'a $crate::column::Series<$cell>, )*
        }

        #[doc = concat!("The columns of `", stringify!($name), "`, borrowed for writing.")]
        #[allow(non_snake_case)]
        #[derive(Debug)]
        pub struct $mut_name<'a, $number = f64> {
            $( $(#[doc = $comment])* pub $column: &'a mut $crate::column::Series<$cell>, )*
        }

        #[cfg(not(target_arch = "nvptx64"))]
        impl<'a, $number: $crate::column::Pod> $ref_name<'a, $number> {
            /// The same memory as numbers of another type with the same layout.
            #[inline(always)]
            pub fn cast<Other: $crate::column::Pod>(self) -> $ref_name<'a, Other> {
                $ref_name { $( $column: $crate::column::cast_slice(self.$column), )* }
            }
        }

        #[cfg(not(target_arch = "nvptx64"))]
        impl<'a, $number: $crate::column::Pod> $mut_name<'a, $number> {
            /// The same memory as numbers of another type with the same layout.
            #[inline(always)]
            pub fn cast<Other: $crate::column::Pod>(self) -> $mut_name<'a, Other> {
                $mut_name { $( $column: $crate::column::cast_slice_mut(self.$column), )* }
            }
        }
    };
}
