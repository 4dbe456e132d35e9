//! The memory of a column as a numpy array.
//!
//! A view points into memory that a Python object (its owner) holds; numpy keeps the owner alive
//! as the array's base. Views are live: what Python writes is what the next call reads.

use numpy::ndarray::{ArrayView, IxDyn};
use numpy::{Element, PyArrayDyn, PyArrayMethods};
use pyo3::prelude::*;
use sinew::model::column::{Cell, ColumnMut, Meaning, Number};

/// Whether Python may write through a view.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Access {
    /// Values: masses, gains, colours, the state.
    Write,
    /// Structure: ids, addresses and counts, on which memory safety of a step could depend.
    Read,
}

impl Access {
    /// Values may be written, structure only read.
    pub fn of(meaning: Meaning) -> Self {
        if meaning.is_value() {
            Access::Write
        } else {
            Access::Read
        }
    }
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

/// Where numbers lie and how they are laid out. It can be kept after the borrow it was made from.
pub struct Memory {
    /// Name of the array.
    pub name: &'static str,
    /// What the numbers stand for.
    pub meaning: Meaning,
    number: Number,
    shape: Vec<usize>,
    /// Address, with its provenance exposed: foreign code reads and writes there.
    start: usize,
    bytes: usize,
}

impl Memory {
    /// The memory of a column.
    pub fn of(column: &mut ColumnMut<'_>) -> Self {
        let mut shape = vec![column.rows];
        shape.extend(column.width);
        Memory {
            name: column.name,
            meaning: column.meaning,
            number: column.number,
            shape,
            start: column.bytes.as_mut_ptr().expose_provenance(),
            bytes: column.bytes.len(),
        }
    }

    /// The same for a record's field: a single number is an array of one.
    pub fn of_field(field: &mut ColumnMut<'_>) -> Self {
        Memory {
            shape: vec![field.width.unwrap_or(1)],
            ..Memory::of(field)
        }
    }

    /// The memory of numbers that follow each other, in some shape.
    pub fn of_numbers<C: Cell>(name: &'static str, numbers: &mut [C], shape: Vec<usize>) -> Self {
        Memory {
            start: numbers.as_mut_ptr().expose_provenance(),
            ..Memory::of_constants(name, numbers, shape)
        }
    }

    /// The same for numbers that may only be shown for reading.
    pub fn of_constants<C: Cell>(name: &'static str, numbers: &[C], shape: Vec<usize>) -> Self {
        Memory {
            name,
            meaning: Meaning::of(C::NUMBER),
            number: C::NUMBER,
            shape,
            start: numbers.as_ptr().expose_provenance(),
            bytes: size_of_val(numbers),
        }
    }

    /// The numbers as they are now. The memory must still be there: whoever keeps this keeps its owner, too.
    #[allow(unsafe_code)]
    pub fn bytes(&self) -> &[u8] {
        let start = std::ptr::with_exposed_provenance::<u8>(self.start);
        // SAFETY: this was made from so many bytes, which live as long as their owner; it is kept by the owner.
        unsafe { std::slice::from_raw_parts(start, self.bytes) }
    }

    /// The rows in which two contents differ.
    pub fn other_rows<'a>(
        &self,
        one: &'a [u8],
        other: &'a [u8],
    ) -> impl Iterator<Item = usize> + use<'a> {
        let rows = self.shape.first().copied().unwrap_or(1).max(1);
        let size = (self.bytes / rows).max(1);
        let pairs = one.chunks(size).zip(other.chunks(size)).enumerate();
        pairs.filter(|(_, (a, b))| a != b).map(|(row, _)| row)
    }
}

/// A view of memory.
///
/// # Safety
///
/// The memory must stay allocated at the same address until `owner` is dropped.
#[allow(unsafe_code)]
pub unsafe fn show<'py>(
    memory: &Memory,
    access: Access,
    owner: &Bound<'py, PyAny>,
) -> PyResult<Bound<'py, PyAny>> {
    // SAFETY: passed on to the caller.
    unsafe {
        match dtype(memory.name, memory.number) {
            "float64" => numbers::<f64>(memory, access, owner),
            "float32" => numbers::<f32>(memory, access, owner),
            "int32" => numbers::<i32>(memory, access, owner),
            "int64" => numbers::<i64>(memory, access, owner),
            "int8" => numbers::<i8>(memory, access, owner),
            _ => numbers::<u8>(memory, access, owner),
        }
    }
}

/// A view of memory whose numbers are `T`.
///
/// # Safety
///
/// As for [`show`].
#[allow(unsafe_code)]
unsafe fn numbers<'py, T: Element>(
    memory: &Memory,
    access: Access,
    owner: &Bound<'py, PyAny>,
) -> PyResult<Bound<'py, PyAny>> {
    let start = std::ptr::with_exposed_provenance_mut::<T>(memory.start);
    let count: usize = memory.shape.iter().product();
    assert_eq!(
        memory.bytes,
        count * size_of::<T>(),
        "`{}` has its shape",
        memory.name
    );
    assert!(
        start.is_aligned(),
        "`{}` is a slice of its number type",
        memory.name
    );
    // SAFETY: `start` is aligned and heads `count` numbers, as asserted; every bit pattern is a
    // valid `T`, which is a plain number. The view is only used to describe the array.
    let view = unsafe { ArrayView::from_shape_ptr(IxDyn(&memory.shape), start) };
    // SAFETY: the memory outlives `owner`, promised by the caller, and `owner` becomes the base.
    let array = unsafe { PyArrayDyn::borrow_from_array(&view, owner.clone()) };
    if access == Access::Read {
        array.try_readwrite()?.make_nonwriteable();
    }
    Ok(array.into_any())
}
