//! Arrays among the arguments of functions.
//!
//! An array of the caller that has the right type and lies in one piece is read and written where it is; everything else
//! that numpy can make numbers of is converted, and an array with gaps is written through numpy. Answers are computed
//! before they are written, so that arguments may overlap.

use crate::argument::{Argument, wrong};
use crate::room;
use numpy::{
    Element, PyArray1, PyArrayDescrMethods, PyArrayMethods, PyUntypedArray, PyUntypedArrayMethods,
};
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyEllipsis};
use std::slice;

/// Numbers that arrays hold.
pub trait Number: Element + Copy {
    /// Its name in numpy.
    const NAME: &'static str;
    /// How the type stubs spell arrays of it.
    const ARRAY: &'static str;
    /// The same if there need not be one.
    const OPTIONAL_ARRAY: &'static str;
}

macro_rules! numbers {
    ($( $kind:ty, $name:literal, $array:literal; )*) => { $(
        impl Number for $kind {
            const NAME: &'static str = $name;
            const ARRAY: &'static str = $array;
            const OPTIONAL_ARRAY: &'static str = concat!($array, " | None");
        }
    )* };
}

numbers! {
    f64, "float64", "Array";
    f32, "float32", "npt.NDArray[np.float32]";
    i32, "int32", "npt.NDArray[np.int32]";
}

/// Numbers of the caller, to read; as many as there are.
pub struct Numbers<T: Number = f64> {
    name: &'static str,
    /// In one piece, of the right type: it keeps the numbers where they are.
    _array: Py<PyUntypedArray>,
    start: *const T,
    length: usize,
    /// Rows and columns of a matrix.
    shape: Option<[usize; 2]>,
}

impl<T: Number> Argument for Numbers<T> {
    const TEXT: &'static str = "npt.ArrayLike";
    const OPTIONAL: &'static str = "npt.ArrayLike | None";

    #[inline]
    fn take(value: &Bound<'_, PyAny>, name: &'static str) -> PyResult<Self> {
        if let Ok(array) = value.cast::<PyUntypedArray>() {
            check_copies(array.len())?;
        }
        Numbers::where_they_are(value, name).map_or_else(|| Numbers::converted(value, name), Ok)
    }
}

impl<T: Number> Numbers<T> {
    /// The numbers of an array that has the right type and lies in one piece.
    #[inline]
    pub fn where_they_are(value: &Bound<'_, PyAny>, name: &'static str) -> Option<Self> {
        let array = value.cast::<PyUntypedArray>().ok()?;
        let is_plain = array.is_c_contiguous() && array.is_aligned() && holds::<T>(array);
        is_plain.then(|| Numbers::of(array, name))
    }

    #[inline]
    #[allow(unsafe_code)]
    fn of(array: &Bound<'_, PyUntypedArray>, name: &'static str) -> Self {
        // SAFETY: the object is an array.
        let start = unsafe { (*array.as_array_ptr()).fields.data };
        let shape = match *array.shape() {
            [rows, columns] => Some([rows, columns]),
            _ => None,
        };
        Numbers {
            name,
            _array: array.clone().unbind(),
            start: start.cast_const().cast(),
            length: array.len(),
            shape,
        }
    }

    #[cold]
    fn converted(value: &Bound<'_, PyAny>, name: &'static str) -> PyResult<Self> {
        let py = value.py();
        let options = PyDict::new(py);
        options.set_item("dtype", numpy::dtype::<T>(py))?;
        options.set_item("order", "C")?;
        let numpy = py.import("numpy")?;
        let made = numpy.call_method("array", (value,), Some(&options));
        let made = made.map_err(|_| wrong(format!("{name} must be numbers")))?;
        Ok(Numbers::of(made.cast::<PyUntypedArray>()?, name))
    }

    /// The numbers. Nobody else may be writing them, and they must not be written as long as they are looked at.
    #[inline]
    #[allow(unsafe_code)]
    pub fn slice(&self) -> &[T] {
        if self.length == 0 {
            return &[];
        }
        // SAFETY: the array is held, lies in one piece, is aligned and has this many numbers of this type. Nothing here
        // writes to arrays of Python while a slice lives: targets are written from values of our own.
        unsafe { slice::from_raw_parts(self.start, self.length) }
    }

    /// The numbers, which must be as many as said.
    #[inline]
    pub fn exactly(&self, count: usize) -> PyResult<&[T]> {
        if self.length == count {
            return Ok(self.slice());
        }
        let (name, length) = (self.name, self.length);
        Err(wrong(format!(
            "{name} must have {count} numbers, not {length}"
        )))
    }

    /// The numbers, in rows of a given length.
    pub fn rows(&self, length: usize) -> PyResult<&[T]> {
        let found = self.shape.map_or(self.length, |[_, columns]| columns);
        if found == length {
            return Ok(self.slice());
        }
        let name = self.name;
        Err(wrong(format!(
            "{name} must have {length} columns, not {found}"
        )))
    }
}

/// Refuses an array of which there is no memory for the copies that functions make.
#[inline]
fn check_copies(length: usize) -> PyResult<()> {
    const LARGE: usize = 1 << 16;
    if length < LARGE {
        return Ok(());
    }
    room::check_numbers(length.saturating_mul(2), "copies of an array")
}

/// Whether an array holds numbers of a type, as this machine stores them.
#[inline]
fn holds<T: Element>(array: &Bound<'_, PyUntypedArray>) -> bool {
    let (found, wanted) = (array.dtype(), numpy::dtype::<T>(array.py()));
    found.is(&wanted) || found.is_equiv_to(&wanted)
}

/// A given number of numbers, to read.
pub struct Vector<const N: usize>(pub [f64; N]);

impl<const N: usize> Argument for Vector<N> {
    const TEXT: &'static str = <Numbers>::TEXT;
    const OPTIONAL: &'static str = <Numbers>::OPTIONAL;

    #[inline]
    fn take(value: &Bound<'_, PyAny>, name: &'static str) -> PyResult<Self> {
        let numbers = <Numbers>::take(value, name)?;
        let mut vector = Vector([0.0; N]);
        vector.0.copy_from_slice(numbers.exactly(N)?);
        Ok(vector)
    }
}

/// A matrix, to read.
pub struct Matrix {
    numbers: Numbers,
    /// Number of rows.
    pub rows: usize,
    /// Number of columns.
    pub columns: usize,
}

impl Argument for Matrix {
    const TEXT: &'static str = <Numbers>::TEXT;
    const OPTIONAL: &'static str = <Numbers>::OPTIONAL;

    fn take(value: &Bound<'_, PyAny>, name: &'static str) -> PyResult<Self> {
        let numbers = <Numbers>::take(value, name)?;
        let Some([rows, columns]) = numbers.shape else {
            return Err(wrong(format!("{name} must be a matrix")));
        };
        Ok(Matrix {
            numbers,
            rows,
            columns,
        })
    }
}

impl Matrix {
    /// The numbers, row by row.
    pub fn slice(&self) -> &[f64] {
        self.numbers.slice()
    }

    /// One row.
    pub fn row(&self, row: usize) -> &[f64] {
        &self.slice()[row * self.columns..(row + 1) * self.columns]
    }

    /// The number of rows, which must be that of columns.
    pub fn square(&self) -> PyResult<usize> {
        if self.rows == self.columns {
            return Ok(self.rows);
        }
        Err(wrong(format!(
            "{} must be a square matrix",
            self.numbers.name
        )))
    }
}

/// An array of the caller, to write; of any size.
pub struct Target<T: Number = f64> {
    name: &'static str,
    array: Py<PyUntypedArray>,
    /// Where the numbers are, if they lie in one piece.
    start: Option<*mut T>,
    length: usize,
    dimensions: usize,
    /// Rows and columns of a matrix.
    shape: [usize; 2],
}

impl<T: Number> Argument for Target<T> {
    const TEXT: &'static str = T::ARRAY;
    const OPTIONAL: &'static str = T::OPTIONAL_ARRAY;

    #[inline]
    #[allow(unsafe_code)]
    fn take(value: &Bound<'_, PyAny>, name: &'static str) -> PyResult<Self> {
        let Ok(array) = value.cast::<PyUntypedArray>() else {
            let found = value.get_type().name()?;
            return Err(wrong(format!("{name} must be a numpy array, not {found}")));
        };
        if !holds::<T>(array) {
            let (wanted, found) = (T::NAME, array.dtype());
            return Err(wrong(format!("{name} must hold {wanted}, not {found}")));
        }
        // SAFETY: the object is an array.
        let raw = unsafe { &*array.as_array_ptr() };
        if raw.fields.flags & numpy::npyffi::NPY_ARRAY_WRITEABLE == 0 {
            return Err(wrong(format!("{name} cannot be written")));
        }
        check_copies(array.len())?;
        let is_plain = array.is_c_contiguous() && array.is_aligned();
        let shape = array.shape();
        Ok(Target {
            name,
            array: array.clone().unbind(),
            start: is_plain.then(|| raw.fields.data.cast()),
            length: array.len(),
            dimensions: shape.len(),
            shape: match *shape {
                [rows, columns] => [rows, columns],
                _ => [0; 2],
            },
        })
    }
}

impl<T: Number> Target<T> {
    /// How many numbers there is room for.
    #[inline]
    pub fn len(&self) -> usize {
        self.length
    }

    /// Refuses an array of another size.
    #[inline]
    pub fn fits(&self, count: usize) -> PyResult<()> {
        if self.length == count {
            return Ok(());
        }
        Err(self.misfit(&format!("({count},)")))
    }

    /// Refuses a matrix of another shape; what is no matrix need only have the size.
    #[inline]
    pub fn fits_matrix(&self, rows: usize, columns: usize) -> PyResult<()> {
        let fits = match self.dimensions {
            0 | 1 => self.length == rows * columns,
            2 => self.shape == [rows, columns],
            _ => false,
        };
        if fits {
            return Ok(());
        }
        Err(self.misfit(&format!("({rows}, {columns})")))
    }

    /// The shape, if it is a matrix.
    pub fn matrix(&self) -> PyResult<[usize; 2]> {
        if self.dimensions == 2 {
            return Ok(self.shape);
        }
        Err(wrong(format!("{} must be a matrix", self.name)))
    }

    #[cold]
    fn misfit(&self, wanted: &str) -> PyErr {
        let name = self.name;
        Python::attach(|py| {
            let found = self.array.bind(py).getattr("shape");
            let found = found.map_or_else(|_| String::new(), |shape| shape.to_string());
            wrong(format!("{name} must have shape {wanted}, not {found}"))
        })
    }

    /// What is in the array now.
    #[allow(unsafe_code)]
    pub fn values(&self) -> PyResult<Vec<T>> {
        let Some(start) = self.start else {
            return Python::attach(|py| {
                let flat = self.array.bind(py).call_method0("ravel")?;
                let flat = flat.cast_into::<PyArray1<T>>()?;
                Ok(flat.try_readonly()?.as_slice()?.to_vec())
            });
        };
        let mut values = Vec::with_capacity(self.length);
        // SAFETY: the array is held, lies in one piece, is aligned and has this many numbers of this type, which are
        // plain; the vector has room for them.
        unsafe {
            std::ptr::copy_nonoverlapping(start, values.as_mut_ptr(), self.length);
            values.set_len(self.length);
        }
        Ok(values)
    }

    /// Writes the answer, which must have the size of the array. It must be ours, not a part of an array of Python.
    #[inline]
    #[allow(unsafe_code)]
    pub fn put(&self, values: &[T]) -> PyResult<()> {
        self.fits(values.len())?;
        let Some(start) = self.start else {
            return self.put_with_gaps(values);
        };
        // SAFETY: the array is held, can be written, lies in one piece, is aligned and has room for this many numbers
        // of this type. No reference to its numbers lives: slices of arguments end before answers are written.
        unsafe { std::ptr::copy(values.as_ptr(), start, values.len()) };
        Ok(())
    }

    #[cold]
    fn put_with_gaps(&self, values: &[T]) -> PyResult<()> {
        Python::attach(|py| {
            let array = self.array.bind(py);
            let answer = PyArray1::from_slice(py, values);
            let answer = answer.call_method1("reshape", (array.getattr("shape")?,))?;
            array.set_item(PyEllipsis::get(py), answer)
        })
    }
}

/// An array of the caller with a given number of numbers, to write.
pub struct Fixed<const N: usize, T: Number = f64>(Target<T>);

impl<const N: usize, T: Number> Argument for Fixed<N, T> {
    const TEXT: &'static str = T::ARRAY;
    const OPTIONAL: &'static str = T::OPTIONAL_ARRAY;

    #[inline]
    fn take(value: &Bound<'_, PyAny>, name: &'static str) -> PyResult<Self> {
        let target = Target::take(value, name)?;
        target.fits(N)?;
        Ok(Fixed(target))
    }
}

impl<const N: usize, T: Number> Fixed<N, T> {
    /// Writes the answer.
    #[inline]
    pub fn put(&self, values: [T; N]) -> PyResult<()> {
        self.0.put(&values)
    }

    /// What is in the array now.
    pub fn values(&self) -> PyResult<[T; N]> {
        let values = self.0.values()?;
        Ok(std::array::from_fn(|i| values[i]))
    }
}

/// Six flags for the groups of geoms.
pub struct Groups(pub [bool; 6]);

impl Argument for Groups {
    const TEXT: &'static str = <Numbers>::TEXT;
    const OPTIONAL: &'static str = <Numbers>::OPTIONAL;

    fn take(value: &Bound<'_, PyAny>, name: &'static str) -> PyResult<Self> {
        let flags = Vector::<6>::take(value, name)?;
        Ok(Groups(flags.0.map(|flag| flag != 0.0)))
    }
}
