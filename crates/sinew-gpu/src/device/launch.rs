//! How kernels are started.

use super::{DeviceError, Kernels};
use crate::scene::Scene;
use cudarc::driver::sys::CUfunction_attribute_enum as Attribute;
use cudarc::driver::{CudaFunction, CudaStream, DeviceRepr, LaunchConfig, PushKernelArg};
use sinew_kernels::warp::LANES;
use sinew_kernels::{Number, advance, forward, newton};

/// Threads of a block in which each has a world.
const BLOCK: u32 = 64;

/// Bytes that a block can share on every device that kernels are made for.
const MOST_SHARED: usize = 96 * 1024;

/// Numbers of working memory of a warp.
pub(super) fn warp_memory<T>(scene: &Scene<T>) -> usize {
    newton::memory_length(&scene.head).next_multiple_of(4)
}

/// Bytes of working memory that a warp has outside its block, because there is no room.
pub(super) fn scratch<T>(scene: &Scene<T>) -> usize {
    let bytes = warp_memory(scene) * size_of::<T>();
    if bytes <= MOST_SHARED { 0 } else { bytes }
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
    threads_per_world: u32,
    block: u32,
    shared: usize,
}

impl Launch {
    /// The kernels of a step, in their order.
    pub fn of_step<T: Number>(
        kernels: &Kernels<T>,
        scene: &Scene<T>,
    ) -> Result<[Self; 3], DeviceError> {
        let head = &scene.head;
        let forward = (forward::memory_length::<T>(head), forward::STACKS);
        let advance = (advance::memory_length(head), advance::STACKS);
        Ok([
            by_threads(kernels, "forward", forward)?,
            by_warps(kernels, scene)?,
            by_threads(kernels, "advance", advance)?,
        ])
    }

    /// Starts the kernel; does not wait for it.
    pub fn start(&self, stream: &CudaStream, arguments: &Arguments) -> Result<(), DeviceError> {
        let threads = arguments.worlds * self.threads_per_world;
        let mut builder = stream.launch_builder(&self.function);
        builder.arg(arguments);
        let shape = LaunchConfig {
            grid_dim: (threads.div_ceil(self.block), 1, 1),
            block_dim: (self.block, 1, 1),
            shared_mem_bytes: self.shared as u32,
        };
        // SAFETY: the arguments name arrays of a batch, in the sizes that the kernels compute from its scene.
        unsafe { builder.launch(shape)? };
        Ok(())
    }
}

/// A kernel whose threads have a world each, with a stack that is large enough.
fn by_threads<T>(
    kernels: &Kernels<T>,
    name: &str,
    (needed, [small, _]): (usize, [usize; 2]),
) -> Result<Launch, DeviceError> {
    let size = if needed <= small { "small" } else { "large" };
    Ok(Launch {
        function: kernels.module.load_function(&format!("{name}_{size}"))?,
        threads_per_world: 1,
        block: BLOCK,
        shared: 0,
    })
}

/// The kernel whose warps have a world each: with working memory in their block if that is large enough.
fn by_warps<T>(kernels: &Kernels<T>, scene: &Scene<T>) -> Result<Launch, DeviceError> {
    let fits = scratch(scene) == 0;
    let name = if fits { "solve_small" } else { "solve_large" };
    let shared = if fits {
        warp_memory(scene) * size_of::<T>()
    } else {
        0
    };
    let function = kernels.module.load_function(name)?;
    let most = Attribute::CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES;
    function.set_attribute(most, shared as i32)?;
    Ok(Launch {
        function,
        threads_per_world: LANES as u32,
        block: LANES as u32,
        shared,
    })
}
