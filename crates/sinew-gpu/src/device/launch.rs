//! How kernels are started.

use super::{DeviceError, Kernels};
use crate::scene::Scene;
use cudarc::driver::sys::CUfunction_attribute_enum as Attribute;
use cudarc::driver::{CudaFunction, CudaStream, DeviceRepr, LaunchConfig, PushKernelArg};
use sinew_kernels::newton::{self, narrow};
use sinew_kernels::warp::LANES;
use sinew_kernels::{Number, advance, forward};

/// Bytes that a block can share on every device that kernels are made for.
const MOST_SHARED: usize = 96 * 1024;

/// A kernel of a step: its name, whether it is there for few degrees of freedom, and numbers of working memory of a warp.
type Kernel = (&'static str, bool, usize);

/// The kernels of a step, in their order.
fn kernels_of<T: Number>(scene: &Scene<T>) -> [Kernel; 3] {
    let head = &scene.head;
    let is_narrow = narrow::takes(head) && fits::<T>(narrow::memory_length(head));
    let solve = match is_narrow {
        true => narrow::memory_length(head),
        false => newton::memory_length(head),
    };
    [
        ("forward", false, forward::memory_length::<T>(head)),
        ("solve", is_narrow, solve),
        ("advance", false, advance::memory_length(head)),
    ]
}

fn fits<T>(numbers: usize) -> bool {
    numbers * size_of::<T>() <= MOST_SHARED
}

/// Numbers of working memory that a warp has outside its block, for kernels that have no room there.
pub(super) fn scratch<T: Number>(scene: &Scene<T>) -> usize {
    let outside = kernels_of(scene).map(|(_, _, numbers)| match fits::<T>(numbers) {
        true => 0,
        false => numbers,
    });
    outside.into_iter().max().unwrap_or(0).next_multiple_of(4)
}

/// What kernels are told: the same for all of them.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub(super) struct Arguments {
    pub words: u64,
    pub numbers: u64,
    pub time: u64,
    pub states: u64,
    pub ctrl: u64,
    pub problems: u64,
    pub events: u64,
    pub scratch: u64,
    pub word_count: u32,
    pub number_count: u32,
    pub worlds: u32,
    pub warp_memory: u32,
}

// SAFETY: plain integers, in the layout of the kernels' arguments.
unsafe impl DeviceRepr for Arguments {}

/// A kernel and how it is started.
#[derive(Debug)]
pub(super) struct Launch {
    function: CudaFunction,
    /// Bytes that a block shares.
    shared: u32,
}

impl Launch {
    /// The kernels of a step, in their order.
    pub fn of_step<T: Number>(
        kernels: &Kernels<T>,
        scene: &Scene<T>,
    ) -> Result<[Self; 3], DeviceError> {
        let [forward, solve, advance] = kernels_of(scene);
        Ok([
            load(kernels, forward)?,
            load(kernels, solve)?,
            load(kernels, advance)?,
        ])
    }

    /// Starts the kernel, a warp for each world; does not wait for it.
    pub fn start(&self, stream: &CudaStream, arguments: &Arguments) -> Result<(), DeviceError> {
        let mut builder = stream.launch_builder(&self.function);
        builder.arg(arguments);
        let shape = LaunchConfig {
            grid_dim: (arguments.worlds, 1, 1),
            block_dim: (LANES as u32, 1, 1),
            shared_mem_bytes: self.shared,
        };
        // SAFETY: the arguments name arrays of a batch, in the sizes that the kernels compute from its scene.
        unsafe { builder.launch(shape)? };
        Ok(())
    }
}

/// A kernel in the size whose working memory is large enough.
fn load<T>(
    kernels: &Kernels<T>,
    (name, is_narrow, numbers): Kernel,
) -> Result<Launch, DeviceError> {
    let is_shared = fits::<T>(numbers);
    let size = match is_shared {
        true if is_narrow => "narrow",
        true => "small",
        false => "large",
    };
    let shared = if is_shared {
        numbers * size_of::<T>()
    } else {
        0
    };
    let function = kernels.module.load_function(&format!("{name}_{size}"))?;
    let most = Attribute::CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES;
    function.set_attribute(most, shared as i32)?;
    Ok(Launch {
        function,
        shared: shared as u32,
    })
}
