//! Arrays that others look at without a copy: DLPack, version 1 and the form before it.
//!
//! # Safety
//!
//! The structs are those of DLPack's header. What is exported holds the Python object that owns the memory, until whoever
//! took it says that it is not needed any more. What is imported is looked at while its capsule lives.

use pyo3::exceptions::{PyBufferError, PyTypeError};
use pyo3::ffi;
use pyo3::prelude::*;
use sinew_gpu::Kind;
use std::ffi::{CStr, c_void};

/// The processor's memory.
pub const CPU: i32 = 1;
/// Memory of a graphics processor.
pub const CUDA: i32 = 2;

const NAME: &CStr = c"dltensor";
const VERSIONED_NAME: &CStr = c"dltensor_versioned";

#[repr(C)]
#[derive(Clone, Copy)]
struct Device {
    kind: i32,
    number: i32,
}

#[repr(C)]
#[derive(Clone, Copy, PartialEq, Eq)]
struct DataType {
    code: u8,
    bits: u8,
    lanes: u16,
}

#[repr(C)]
#[derive(Clone, Copy)]
struct Tensor {
    data: *mut c_void,
    device: Device,
    dimensions: i32,
    number: DataType,
    shape: *mut i64,
    strides: *mut i64,
    offset: u64,
}

/// A tensor and who looks after it.
#[repr(C)]
struct Managed {
    tensor: Tensor,
    context: *mut c_void,
    delete: Option<unsafe extern "C" fn(*mut Managed)>,
}

/// The same since version 1.
#[repr(C)]
struct Versioned {
    major: u32,
    minor: u32,
    context: *mut c_void,
    delete: Option<unsafe extern "C" fn(*mut Versioned)>,
    flags: u64,
    tensor: Tensor,
}

/// An exported tensor in both forms, one of which is in a capsule, and what it needs while it lives.
struct Kept {
    managed: Managed,
    versioned: Versioned,
    _shape: Vec<i64>,
    _strides: Vec<i64>,
    _owner: Py<PyAny>,
}

/// An array in memory: where, of what, and how.
pub struct Array {
    /// Address of the first number.
    pub start: u64,
    /// What it consists of.
    pub kind: Kind,
    /// [`CPU`] or [`CUDA`], and the number of the device.
    pub device: (i32, i32),
    /// How many there are.
    pub shape: Vec<i64>,
    /// How far they are apart, in numbers.
    pub strides: Vec<i64>,
}

fn data_type(kind: Kind) -> DataType {
    let (code, bits) = match kind {
        Kind::F32 => (2, 32),
        Kind::F64 => (2, 64),
        Kind::I32 => (0, 32),
        Kind::U64 => (1, 64),
        Kind::Flag => (6, 8),
    };
    DataType {
        code,
        bits,
        lanes: 1,
    }
}

impl Array {
    /// A capsule with the array, which keeps its owner alive.
    #[allow(unsafe_code)]
    pub fn export(
        mut self,
        py: Python<'_>,
        owner: Py<PyAny>,
        is_versioned: bool,
    ) -> PyResult<Py<PyAny>> {
        let tensor = Tensor {
            data: std::ptr::with_exposed_provenance_mut(self.start as usize),
            device: Device {
                kind: self.device.0,
                number: self.device.1,
            },
            dimensions: self.shape.len() as i32,
            number: data_type(self.kind),
            shape: self.shape.as_mut_ptr(),
            strides: self.strides.as_mut_ptr(),
            offset: 0,
        };
        let kept = Box::into_raw(Box::new(Kept {
            managed: Managed {
                tensor,
                context: std::ptr::null_mut(),
                delete: Some(delete_managed),
            },
            versioned: Versioned {
                major: 1,
                minor: 0,
                context: std::ptr::null_mut(),
                delete: Some(delete_versioned),
                flags: 0,
                tensor,
            },
            _shape: self.shape,
            _strides: self.strides,
            _owner: owner,
        }));
        // SAFETY: just made, and nobody else has it; the name lives for ever, the destructor takes such capsules.
        let capsule = unsafe {
            (*kept).managed.context = kept.cast();
            (*kept).versioned.context = kept.cast();
            let (address, name) = match is_versioned {
                true => ((&raw mut (*kept).versioned).cast(), VERSIONED_NAME),
                false => ((&raw mut (*kept).managed).cast(), NAME),
            };
            ffi::PyCapsule_New(address, name.as_ptr(), Some(forget_capsule))
        };
        // SAFETY: a new object, or null with an error set.
        Ok(unsafe { Bound::from_owned_ptr_or_err(py, capsule)? }.unbind())
    }
}

/// Forgets what `export` made.
#[allow(unsafe_code)]
unsafe fn forget(kept: *mut c_void) {
    // SAFETY: the box that `export` made, and this is called once.
    let kept: Box<Kept> = unsafe { Box::from_raw(kept.cast()) };
    Python::attach(|_| drop(kept));
}

#[allow(unsafe_code)]
unsafe extern "C" fn delete_managed(managed: *mut Managed) {
    // SAFETY: the tensor is one that `export` made, and this is called once.
    unsafe { forget((*managed).context) };
}

#[allow(unsafe_code)]
unsafe extern "C" fn delete_versioned(managed: *mut Versioned) {
    // SAFETY: the tensor is one that `export` made, and this is called once.
    unsafe { forget((*managed).context) };
}

/// A capsule goes away. Whoever took the tensor has changed its name.
#[allow(unsafe_code)]
unsafe extern "C" fn forget_capsule(capsule: *mut ffi::PyObject) {
    // SAFETY: the capsule is one that `export` made.
    unsafe {
        if ffi::PyCapsule_IsValid(capsule, NAME.as_ptr()) != 0 {
            delete_managed(ffi::PyCapsule_GetPointer(capsule, NAME.as_ptr()).cast());
        } else if ffi::PyCapsule_IsValid(capsule, VERSIONED_NAME.as_ptr()) != 0 {
            delete_versioned(ffi::PyCapsule_GetPointer(capsule, VERSIONED_NAME.as_ptr()).cast());
        }
    }
}

/// Rows in a capsule of others: the address of the first and how many bytes they are apart. An error if they are not
/// numbers of that kind, of that shape, on that device, with rows whose numbers follow each other.
#[allow(unsafe_code)]
pub fn rows(
    capsule: &Bound<'_, PyAny>,
    kind: Kind,
    device: (i32, i32),
    shape: &[i64],
) -> PyResult<(u64, usize)> {
    let capsule = capsule.as_ptr();
    // SAFETY: the capsule lives through this function, its name says what it has, and it is only looked at.
    let tensor = unsafe {
        if ffi::PyCapsule_IsValid(capsule, NAME.as_ptr()) != 0 {
            let managed: *mut Managed = ffi::PyCapsule_GetPointer(capsule, NAME.as_ptr()).cast();
            &(*managed).tensor
        } else if ffi::PyCapsule_IsValid(capsule, VERSIONED_NAME.as_ptr()) != 0 {
            let pointer = ffi::PyCapsule_GetPointer(capsule, VERSIONED_NAME.as_ptr());
            &(*pointer.cast::<Versioned>()).tensor
        } else {
            return Err(PyTypeError::new_err("this is no capsule with a tensor"));
        }
    };
    let list = |numbers: *const i64| match numbers.is_null() {
        true => None,
        false => {
            let count = tensor.dimensions.max(0) as usize;
            // SAFETY: the lists have an entry for each dimension.
            Some(unsafe { std::slice::from_raw_parts(numbers, count) })
        }
    };
    let given = list(tensor.shape).unwrap_or(&[]);
    if (tensor.device.kind, tensor.device.number) != device {
        return Err(PyBufferError::new_err("the array is on another device"));
    }
    let is_byte = kind == Kind::Flag && (tensor.number.code, tensor.number.bits) == (1, 8);
    if tensor.number != data_type(kind) && !is_byte {
        return Err(PyTypeError::new_err(
            "an array on a device must have the numbers of the one that it is assigned to",
        ));
    }
    if given != shape {
        let message = format!("an array of the shape {given:?} is assigned to one of {shape:?}");
        return Err(PyTypeError::new_err(message));
    }
    let mut compact = 1;
    let mut pitch = 1;
    for (k, &size) in shape.iter().enumerate().rev() {
        let stride = list(tensor.strides).map_or(compact, |strides| strides[k]);
        let is_compact = if k == 0 {
            stride >= compact
        } else {
            stride == compact
        };
        if size > 1 && !is_compact {
            return Err(PyTypeError::new_err(
                "the rows of an array on a device must be contiguous",
            ));
        }
        pitch = stride.max(compact);
        compact *= size;
    }
    let pitch = pitch as usize * kind.bytes();
    let start = tensor.data.expose_provenance() as u64 + tensor.offset;
    Ok((start, pitch))
}
