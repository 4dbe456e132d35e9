//! What can go wrong with a device.

use crate::refusal::Refusal;
use core::fmt;
use cudarc::driver::DriverError;
use cudarc::driver::sys::CUresult;

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
    /// There is no keyframe of that number.
    NoKeyframe(usize),
    /// The model has another structure, or other sizes, than that which the worlds were made of.
    OtherModel,
    /// Values of a world change what its model consists of, which all worlds have in common.
    OtherStructure(usize),
    /// There is no array of that name that devices keep besides the state.
    NotDerived(String),
    /// The process was forked: a device belongs to the process that found it.
    Forked,
    /// The device does not answer any more, or a program on it failed: no world of this process can go on there.
    Lost(String),
    /// The driver reports another error.
    Driver(String),
}

impl DeviceError {
    /// A word for programs.
    pub fn kind(&self) -> &'static str {
        match self {
            DeviceError::NoDriver => "no-driver",
            DeviceError::NoDevice(_) => "no-device",
            DeviceError::Refused(_) => "refused",
            DeviceError::OldKernels => "old-kernels",
            DeviceError::NoKernels(..) => "no-kernels",
            DeviceError::OutOfMemory { .. } => "out-of-memory",
            DeviceError::WrongLength { .. } => "wrong-length",
            DeviceError::NoKeyframe(_) => "no-keyframe",
            DeviceError::OtherModel => "other-model",
            DeviceError::OtherStructure(_) | DeviceError::NotDerived(_) => "refused",
            DeviceError::Forked => "forked",
            DeviceError::Lost(_) => "lost",
            DeviceError::Driver(_) => "driver",
        }
    }
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
            DeviceError::OutOfMemory { needed: 0, .. } => write!(f, "no device memory is left"),
            DeviceError::OutOfMemory { needed, free } => {
                write!(f, "{needed} bytes of device memory needed, {free} free")
            }
            DeviceError::WrongLength { given, wanted } => {
                write!(f, "{given} numbers where {wanted} are asked for")
            }
            DeviceError::NoKeyframe(key) => write!(f, "there is no keyframe {key}"),
            DeviceError::OtherModel => write!(f, "the model has another structure"),
            DeviceError::OtherStructure(world) => write!(
                f,
                "values of world {world} change what is damped, carried, in a fluid or constrained: on a device that is the \
                 same for all worlds"
            ),
            DeviceError::NotDerived(name) => write!(f, "devices do not keep {name}"),
            DeviceError::Forked => write!(
                f,
                "a device cannot be used in a forked process; start processes with `spawn`"
            ),
            DeviceError::Lost(message) => {
                write!(
                    f,
                    "the graphics processor is lost: the driver reports {message}"
                )
            }
            DeviceError::Driver(message) => write!(f, "the driver reports {message}"),
        }
    }
}

impl std::error::Error for DeviceError {}

impl From<Refusal> for DeviceError {
    fn from(refusal: Refusal) -> Self {
        DeviceError::Refused(refusal)
    }
}

impl From<DriverError> for DeviceError {
    fn from(error: DriverError) -> Self {
        let message = format!("{:?}", error.0);
        match error.0 {
            CUresult::CUDA_ERROR_OUT_OF_MEMORY => DeviceError::OutOfMemory { needed: 0, free: 0 },
            code if is_final(code) => DeviceError::Lost(message),
            _ => DeviceError::Driver(message),
        }
    }
}

/// Whether all later calls of the process fail as well.
fn is_final(code: CUresult) -> bool {
    use CUresult as Code;
    matches!(
        code,
        Code::CUDA_ERROR_DEINITIALIZED
            | Code::CUDA_ERROR_DEVICE_UNAVAILABLE
            | Code::CUDA_ERROR_ECC_UNCORRECTABLE
            | Code::CUDA_ERROR_NVLINK_UNCORRECTABLE
            | Code::CUDA_ERROR_ILLEGAL_ADDRESS
            | Code::CUDA_ERROR_ILLEGAL_INSTRUCTION
            | Code::CUDA_ERROR_MISALIGNED_ADDRESS
            | Code::CUDA_ERROR_INVALID_ADDRESS_SPACE
            | Code::CUDA_ERROR_INVALID_PC
            | Code::CUDA_ERROR_LAUNCH_TIMEOUT
            | Code::CUDA_ERROR_LAUNCH_FAILED
            | Code::CUDA_ERROR_ASSERT
            | Code::CUDA_ERROR_HARDWARE_STACK_ERROR
            | Code::CUDA_ERROR_CONTEXT_IS_DESTROYED
            | Code::CUDA_ERROR_UNKNOWN
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_the_driver_reports_is_told_apart() {
        let kind = |code| DeviceError::from(DriverError(code)).kind();
        assert_eq!(kind(CUresult::CUDA_ERROR_OUT_OF_MEMORY), "out-of-memory");
        assert_eq!(kind(CUresult::CUDA_ERROR_ILLEGAL_ADDRESS), "lost");
        assert_eq!(kind(CUresult::CUDA_ERROR_INVALID_VALUE), "driver");
    }
}
