//! The memory of a column as a numpy array.
//!
//! A view points into memory that a Python object (its owner) holds; numpy keeps the owner alive
//! as the array's base. Views are live: what Python writes is what the next call reads.

use numpy::ndarray::{ArrayView, IxDyn};
use numpy::{Element, PyArrayDyn, PyArrayMethods};
use pyo3::prelude::*;
use sinew::model::column::{ColumnMut, Number};

/// Whether Python may write through a view.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Access {
    /// Values: masses, gains, colours, the state.
    Write,
    /// Structure: ids, addresses and counts, on which memory safety of a step could depend.
    Read,
}

/// Name of the numpy type of a column. Plugin configuration is text that the reference hands out
/// as signed characters.
pub fn dtype(name: &str, number: Number) -> &'static str {
    match number {
        Number::U8 if name == "plugin_attr" => "int8",
        Number::F64 => "float64",
        Number::F32 => "float32",
        Number::I32 => "int32",
        Number::I64 => "int64",
        Number::U8 => "uint8",
    }
}

/// A view of a column.
///
/// # Safety
///
/// The column's memory must stay allocated at the same address until `owner` is dropped.
#[allow(unsafe_code)]
pub unsafe fn column<'py>(
    column: &mut ColumnMut<'_>,
    access: Access,
    owner: &Bound<'py, PyAny>,
) -> PyResult<Bound<'py, PyAny>> {
    // SAFETY: passed on to the caller.
    unsafe {
        match dtype(column.name, column.number) {
            "float64" => numbers::<f64>(column, access, owner),
            "float32" => numbers::<f32>(column, access, owner),
            "int32" => numbers::<i32>(column, access, owner),
            "int64" => numbers::<i64>(column, access, owner),
            "int8" => numbers::<i8>(column, access, owner),
            _ => numbers::<u8>(column, access, owner),
        }
    }
}

/// A view of a column whose numbers are `T`.
///
/// # Safety
///
/// As for [`column`].
#[allow(unsafe_code)]
unsafe fn numbers<'py, T: Element>(
    column: &mut ColumnMut<'_>,
    access: Access,
    owner: &Bound<'py, PyAny>,
) -> PyResult<Bound<'py, PyAny>> {
    let start = column.bytes.as_mut_ptr().cast::<T>();
    let mut shape = vec![column.rows];
    shape.extend(column.width);
    let count: usize = shape.iter().product();
    assert_eq!(
        column.bytes.len(),
        count * size_of::<T>(),
        "`{}` has its shape",
        column.name
    );
    assert!(
        start.is_aligned(),
        "`{}` is a slice of its number type",
        column.name
    );
    // SAFETY: `start` is aligned and heads `count` numbers, as asserted; every bit pattern is a
    // valid `T`, which is a plain number. The view is only used to describe the array.
    let view = unsafe { ArrayView::from_shape_ptr(IxDyn(&shape), start) };
    // SAFETY: the memory outlives `owner`, promised by the caller, and `owner` becomes the base.
    let array = unsafe { PyArrayDyn::borrow_from_array(&view, owner.clone()) };
    if access == Access::Read {
        array.try_readwrite()?.make_nonwriteable();
    }
    Ok(array.into_any())
}
