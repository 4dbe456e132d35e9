//! Structs of columns.

use super::{Column, ColumnMut};
use crate::Model;

/// Arrays of one simulation: a struct made by [`columns!`](crate::columns), a struct of such structs
/// made by [`groups!`](crate::groups), or what stands beside columns in them.
pub trait Group: Sized {
    /// As it is before anything is computed.
    fn new(model: &Model) -> Self;

    /// As new. Storage stays where it is.
    fn clear(&mut self, model: &Model);

    /// Takes over what another simulation of the same structure has. Columns stay where they are.
    fn copy_from(&mut self, other: &Self);

    /// Appends every column under the reference's name.
    fn list<'a>(&'a self, _out: &mut Vec<Column<'a>>) {}

    /// Appends every column under the reference's name, writable.
    fn list_mut<'a>(&'a mut self, _out: &mut Vec<ColumnMut<'a>>) {}
}

macro_rules! plain {
    ($($type:ty),*) => { $(
        impl Group for $type {
            fn new(_: &Model) -> Self {
                Self::default()
            }
            fn clear(&mut self, _: &Model) {
                *self = Self::default();
            }
            fn copy_from(&mut self, other: &Self) {
                *self = *other;
            }
        }
    )* };
}
plain! { bool, f64, usize, i32, u64 }

impl<X: Copy + Default, const N: usize> Group for [X; N] {
    fn new(_: &Model) -> Self {
        [X::default(); N]
    }
    fn clear(&mut self, _: &Model) {
        self.fill(X::default());
    }
    fn copy_from(&mut self, other: &Self) {
        *self = *other;
    }
}

/// A list that grows with what is found.
impl<X: Clone> Group for Vec<X> {
    fn new(_: &Model) -> Self {
        Vec::new()
    }
    fn clear(&mut self, _: &Model) {
        self.clear();
    }
    fn copy_from(&mut self, other: &Self) {
        self.clone_from(other);
    }
}

/// Declares a struct of [`Group`]s that is one itself.
#[macro_export]
macro_rules! groups {
    (
        $(#[$meta:meta])*
        pub struct $name:ident { $( $(#[$field_meta:meta])* $field:ident : $type:ty, )* }
    ) => {
        $(#[$meta])*
        #[derive(Clone, Debug)]
        pub struct $name { $( $(#[$field_meta])* pub $field: $type, )* }

        impl $name {
            /// Arrays for a model.
            pub fn new(model: &$crate::Model) -> Self {
                $crate::column::Group::new(model)
            }

            /// Every array under the reference's name.
            pub fn columns(&self) -> Vec<$crate::column::Column<'_>> {
                let mut all = Vec::new();
                $crate::column::Group::list(self, &mut all);
                all
            }

            /// Every array under the reference's name, writable.
            pub fn columns_mut(&mut self) -> Vec<$crate::column::ColumnMut<'_>> {
                let mut all = Vec::new();
                $crate::column::Group::list_mut(self, &mut all);
                all
            }
        }

        impl $crate::column::Group for $name {
            fn new(model: &$crate::Model) -> Self {
                $name { $( $field: $crate::column::Group::new(model), )* }
            }
            fn clear(&mut self, model: &$crate::Model) {
                $( $crate::column::Group::clear(&mut self.$field, model); )*
            }
            fn copy_from(&mut self, other: &Self) {
                $( $crate::column::Group::copy_from(&mut self.$field, &other.$field); )*
            }
            fn list<'a>(&'a self, out: &mut Vec<$crate::column::Column<'a>>) {
                $( $crate::column::Group::list(&self.$field, out); )*
            }
            fn list_mut<'a>(&'a mut self, out: &mut Vec<$crate::column::ColumnMut<'a>>) {
                $( $crate::column::Group::list_mut(&mut self.$field, out); )*
            }
        }
    };
}
