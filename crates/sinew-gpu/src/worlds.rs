//! Many worlds of one model as kernels compute them, wherever that is: on a device, or on the processor.

use crate::device::DeviceError;
use crate::field::{Field, Memory};
use crate::own::Values;
use sinew_math::random::Noise;
use sinew_model::Model;

/// Where worlds are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Place {
    /// On the graphics processor of that number.
    Device(usize),
    /// In the memory of the process, where the processor runs the kernels.
    Emulated,
}

/// Bytes of a memory that are copied: rows of some bytes, a pitch apart.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Rows {
    /// What they are a part of.
    pub memory: Memory,
    /// Where the first row begins.
    pub start: usize,
    /// How many rows there are.
    pub count: usize,
    /// How far they are apart.
    pub pitch: usize,
    /// How long they are.
    pub width: usize,
}

/// A random change at the start.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Scatter {
    /// How large, and how it is spread.
    pub noise: Noise,
    /// What numbers follow from, besides the world and how often it has drawn.
    pub seed: u64,
}

/// Worlds whose arrays stay where they are computed. What a call starts may be going on when it returns; copies and
/// [`Worlds::wait`] wait for it.
pub trait Worlds: Send {
    /// Number of worlds.
    fn count(&self) -> usize;

    /// Where they are.
    fn place(&self) -> Place;

    /// Their arrays.
    fn fields(&self) -> Vec<Field>;

    /// Where a memory begins. It stays there.
    fn address(&self, memory: Memory) -> u64;

    /// How long it is, in bytes.
    fn length(&self, memory: Memory) -> usize;

    /// Bytes that all worlds take.
    fn bytes(&self) -> usize;

    /// Advances all worlds by a number of steps, or those of the mask. Worlds that have failed begin anew first, if the
    /// model lets them.
    fn step(&mut self, steps: usize, is_masked: bool) -> Result<(), DeviceError> {
        self.step_while(steps, is_masked, &|| true)
    }

    /// The same, as long as `goes_on` says so, which is asked now and then. Steps that were begun by then are made.
    fn step_while(
        &mut self,
        steps: usize,
        is_masked: bool,
        goes_on: &dyn Fn() -> bool,
    ) -> Result<(), DeviceError>;

    /// Says how episodes have ended, in all worlds or in those of the mask.
    fn end(&mut self, is_masked: bool) -> Result<(), DeviceError>;

    /// Puts all worlds, or those of the mask, into the initial state or that of a keyframe, or near to it.
    fn reset(
        &mut self,
        is_masked: bool,
        key: Option<usize>,
        scatter: Option<Scatter>,
    ) -> Result<(), DeviceError>;

    /// Episodes count as truncated from this simulated time on.
    fn set_time_limit(&mut self, seconds: f64);

    /// Computes what is asked for besides the state, and what sensors read, for the present states and inputs.
    fn forward(&mut self, is_masked: bool) -> Result<(), DeviceError>;

    /// Goes on with the values of another model of the same structure. Those that worlds have of their own are forgotten.
    fn set_model(&mut self, model: &Model) -> Result<(), DeviceError>;

    /// Lets worlds have values of their own: takes those of some worlds, and of all the first time. Nothing changes if it
    /// fails. Worlds are computed by kernels for models of any kind from now on, with the same bits in double precision.
    fn set_values(&mut self, worlds: &[usize], values: Values<'_>) -> Result<(), DeviceError>;

    /// How often something was copied between the worlds and the host.
    fn transfers(&self) -> u64;

    /// Copies rows here, one after the other.
    fn read(&self, rows: Rows, out: &mut [u8]) -> Result<(), DeviceError>;

    /// Copies rows there.
    fn write(&mut self, rows: Rows, from: &[u8]) -> Result<(), DeviceError>;

    /// Copies rows from other memory of the device.
    ///
    /// # Safety
    ///
    /// At `from` there are as many rows on the same device, `pitch` bytes apart, until the copy is made.
    #[allow(unsafe_code)]
    unsafe fn copy(&mut self, rows: Rows, from: u64, pitch: usize) -> Result<(), DeviceError>;

    /// Waits until everything is done.
    fn wait(&self) -> Result<(), DeviceError>;

    /// The driver's handle of the stream that work goes to; 0 is the default one.
    fn stream(&self) -> usize;

    /// Lets work go to another stream from now on, after what was started before.
    ///
    /// # Safety
    ///
    /// The handle is one of a stream of the same device that lives as long as it is used here.
    #[allow(unsafe_code)]
    unsafe fn set_stream(&mut self, stream: usize) -> Result<(), DeviceError>;

    /// Lets the work of another stream that comes from now on wait for what was started here.
    ///
    /// # Safety
    ///
    /// The handle is one of a stream of the same device.
    #[allow(unsafe_code)]
    unsafe fn let_wait(&self, stream: usize) -> Result<(), DeviceError>;
}

/// Worlds, for the process that made them. Another one that was forked from it gets an error, and leaves what is on the
/// device alone.
pub struct Held {
    process: u32,
    worlds: Option<Box<dyn Worlds>>,
}

impl Held {
    /// Of this process.
    pub fn new(worlds: Box<dyn Worlds>) -> Self {
        Held {
            process: std::process::id(),
            worlds: Some(worlds),
        }
    }

    fn is_ours(&self) -> bool {
        self.process == std::process::id()
    }

    /// The worlds.
    pub fn get(&self) -> Result<&dyn Worlds, DeviceError> {
        match &self.worlds {
            Some(worlds) if self.is_ours() => Ok(&**worlds),
            _ => Err(DeviceError::Forked),
        }
    }

    /// The worlds, to be changed.
    pub fn get_mut(&mut self) -> Result<&mut dyn Worlds, DeviceError> {
        let is_ours = self.is_ours();
        match &mut self.worlds {
            Some(worlds) if is_ours => Ok(&mut **worlds),
            _ => Err(DeviceError::Forked),
        }
    }
}

impl Drop for Held {
    fn drop(&mut self) {
        if !self.is_ours() {
            std::mem::forget(self.worlds.take());
        }
    }
}

/// Whether rows lie within a memory, and a copy has as many bytes.
pub(crate) fn check(rows: &Rows, memory: usize, given: usize) -> Result<(), DeviceError> {
    let wanted = rows.count.saturating_mul(rows.width);
    let end = match rows.count {
        0 => Some(rows.start),
        count => (count - 1)
            .checked_mul(rows.pitch)
            .and_then(|last| last.checked_add(rows.start)?.checked_add(rows.width)),
    };
    match given == wanted && end.is_some_and(|end| end <= memory) {
        true => Ok(()),
        false => Err(DeviceError::WrongLength { given, wanted }),
    }
}
