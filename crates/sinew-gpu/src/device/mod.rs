//! Worlds on a graphics processor.
//!
//! The driver is looked for when it is first asked for; neither building nor running needs more than it. Everything
//! that can go wrong is a [`DeviceError`]. States, problems and controls stay on the device from step to step; copies
//! happen when they are asked for.

#![allow(unsafe_code)]

mod batch;
mod code;
mod error;
mod launch;

pub use batch::DeviceBatch;
pub use code::ARE_CURRENT;
pub use error::DeviceError;

use core::any::TypeId;
use core::marker::PhantomData;
use cudarc::driver::{CudaContext, CudaModule, sys};
use cudarc::nvrtc::Ptx;
use sinew_kernels::Number;
use std::fs;
use std::path::Path;
use std::sync::{Arc, Mutex, OnceLock, PoisonError};

/// Names a folder of kernels that are taken instead of those that come with the crate.
const FOLDER: &str = "SINEW_KERNELS";

/// A device that was found.
#[derive(Clone, Debug)]
pub struct Device {
    context: Arc<CudaContext>,
}

impl Device {
    /// The device of a number, counted from 0.
    pub fn find(number: usize) -> Result<Self, DeviceError> {
        if process() != std::process::id() {
            return Err(DeviceError::Forked);
        }
        // SAFETY: opens the driver's library, whose initialisation is trusted.
        if !unsafe { sys::is_culib_present() } {
            return Err(DeviceError::NoDriver);
        }
        let count = CudaContext::device_count().map_err(|_| DeviceError::NoDevice(number))?;
        if number >= usize::try_from(count).unwrap_or(0) {
            return Err(DeviceError::NoDevice(number));
        }
        let context = CudaContext::new(number)?;
        // SAFETY: all work goes to one stream, in order.
        unsafe { context.disable_event_tracking() };
        Ok(Device { context })
    }

    /// Its name.
    pub fn name(&self) -> Result<String, DeviceError> {
        Ok(self.context.name()?)
    }

    /// Its architecture, as in 9.0.
    pub fn architecture(&self) -> Result<(i32, i32), DeviceError> {
        Ok(self.context.compute_capability()?)
    }

    /// The kernels that come with this crate: machine code, or else a program of which the driver makes it, which takes a
    /// while; it keeps it for the next time. Where the environment variable `SINEW_KERNELS` names a folder, those in it.
    pub fn kernels<T: Number>(&self) -> Result<Kernels<T>, DeviceError> {
        if let Some(folder) = std::env::var_os(FOLDER) {
            return self.kernels_in(Path::new(&folder));
        }
        if !ARE_CURRENT {
            return Err(DeviceError::OldKernels);
        }
        let (major, minor) = self.architecture()?;
        if (major, minor) < code::OLDEST {
            return Err(DeviceError::NoKernels(major, minor));
        }
        // A driver that is older than the compiler may not know the form of its machine code, but knows that of the program.
        let machine_code = code::machine_code::<T>((major, minor));
        if let Some(Ok(kernels)) = machine_code.map(|code| self.compiled_kernels(code)) {
            return Ok(kernels);
        }
        let program = code::program::<T>().ok_or(DeviceError::NoKernels(major, minor))?;
        self.load(Ptx::from_src(program))
    }

    /// Kernels in a folder as `device/build` leaves them: `f32-sm_90.cubin` and so on, or `f32.ptx`. That they belong to the
    /// source that this crate was built with is not checked.
    pub fn kernels_in<T: Number>(&self, folder: &Path) -> Result<Kernels<T>, DeviceError> {
        let (major, minor) = self.architecture()?;
        let number = if size_of::<T>() == 4 { "f32" } else { "f64" };
        for minor in (0..=minor).rev() {
            if let Ok(code) = fs::read(folder.join(format!("{number}-sm_{major}{minor}.cubin"))) {
                return self.compiled_kernels(code);
            }
        }
        match fs::read_to_string(folder.join(format!("{number}.ptx"))) {
            Ok(program) => self.load(Ptx::from_src(program)),
            Err(_) => Err(DeviceError::NoKernels(major, minor)),
        }
    }

    /// Kernels that were compiled before: machine code for the device's architecture and this kind of number.
    pub fn compiled_kernels<T: Number>(
        &self,
        machine_code: Vec<u8>,
    ) -> Result<Kernels<T>, DeviceError> {
        self.load(Ptx::from_binary(machine_code))
    }

    fn load<T>(&self, code: Ptx) -> Result<Kernels<T>, DeviceError> {
        Ok(Kernels {
            context: self.context.clone(),
            module: self.context.load_module(code)?,
            numbers: PhantomData,
        })
    }
}

/// Kernels on a device that compute with a kind of number.
#[derive(Clone, Debug)]
pub struct Kernels<T> {
    context: Arc<CudaContext>,
    module: Arc<CudaModule>,
    numbers: PhantomData<T>,
}

impl<T> Kernels<T> {
    /// How many blocks the device can compute at least at the same time.
    fn multiprocessors(&self) -> Result<u32, DeviceError> {
        use sys::CUdevice_attribute_enum::CU_DEVICE_ATTRIBUTE_MULTIPROCESSOR_COUNT as COUNT;
        let count = self.context.attribute(COUNT)?;
        Ok(u32::try_from(count).unwrap_or(1))
    }

    /// How many bytes a block can share.
    fn room(&self) -> Result<launch::Room, DeviceError> {
        use sys::CUdevice_attribute_enum::CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_BLOCK_OPTIN as MOST;
        let most = self.context.attribute(MOST)?;
        Ok(launch::Room(usize::try_from(most).unwrap_or(0)))
    }
}

/// The process that first looked for a device. What a driver has begun does not go on in a fork of it.
fn process() -> u32 {
    static PROCESS: OnceLock<u32> = OnceLock::new();
    *PROCESS.get_or_init(std::process::id)
}

/// A module that was loaded: the number of its device, its kind of number, the device itself.
type Loaded = (usize, TypeId, Device, Arc<CudaModule>);

/// All of them.
static LOADED: Mutex<Vec<Loaded>> = Mutex::new(Vec::new());

impl<T: Number> Kernels<T> {
    /// The kernels that come with this crate on the device of a number, loaded once for all batches of a process.
    pub fn of_device(number: usize) -> Result<Self, DeviceError> {
        if process() != std::process::id() {
            return Err(DeviceError::Forked);
        }
        let mut loaded = LOADED.lock().unwrap_or_else(PoisonError::into_inner);
        let id = TypeId::of::<T>();
        let known = loaded
            .iter()
            .find(|known| known.0 == number && known.1 == id);
        if let Some((_, _, device, module)) = known {
            return Ok(Kernels {
                context: device.context.clone(),
                module: module.clone(),
                numbers: PhantomData,
            });
        }
        let device = Device::find(number)?;
        let kernels = device.kernels::<T>()?;
        loaded.push((number, id, device, kernels.module.clone()));
        Ok(kernels)
    }
}
