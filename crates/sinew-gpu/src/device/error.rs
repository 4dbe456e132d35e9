//! What can go wrong with a device.

use crate::refusal::Refusal;
use core::fmt;

/// Why worlds cannot be on a device, or cannot go on there.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum DeviceError {
    /// There is no driver on this machine.
    NoDriver,
    /// There is a driver, but no device of that number.
    NoDevice(usize),
    /// Kernels do not know something that the model has.
    Refused(Refusal),
    /// The kernels that come with the crate were compiled from another source.
    OldKernels,
    /// There are no kernels that the device can run; its architecture.
    NoKernels(i32, i32),
    /// The worlds need more memory than the device has; bytes.
    OutOfMemory {
        /// How much they need.
        needed: usize,
        /// How much there is.
        free: usize,
    },
    /// An array has another length than the worlds ask for.
    WrongLength {
        /// What was given.
        given: usize,
        /// What is asked for.
        wanted: usize,
    },
    /// The driver reports an error.
    Driver(String),
}

impl fmt::Display for DeviceError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            DeviceError::NoDriver => write!(f, "no driver of a graphics processor"),
            DeviceError::NoDevice(number) => write!(f, "no graphics processor {number}"),
            DeviceError::Refused(reason) => write!(f, "the model has {reason}"),
            DeviceError::OldKernels => write!(f, "the kernels were compiled from another source"),
            DeviceError::NoKernels(major, minor) => {
                write!(f, "no kernels for architecture {major}.{minor}")
            }
            DeviceError::OutOfMemory { needed, free } => {
                write!(f, "{needed} bytes of device memory needed, {free} free")
            }
            DeviceError::WrongLength { given, wanted } => {
                write!(f, "{given} numbers where {wanted} are asked for")
            }
            DeviceError::Driver(message) => write!(f, "the driver reports {message}"),
        }
    }
}

impl std::error::Error for DeviceError {}
