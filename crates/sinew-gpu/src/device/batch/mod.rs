//! Worlds that stay on a device.

mod copy;
mod own;
mod worlds;

use super::launch::{self, Arguments, Between, Episodes, Kept, Launch, MOST_WORLDS, Resetting};
use super::{DeviceError, Kernels};
use crate::field::Memory;
use crate::scene::{Capacity, Scene, Wanted};
use crate::starts::Starts;
use crate::worlds::{Rows, Scatter};
use bytemuck::{cast_slice, cast_slice_mut};
use core::cell::Cell;
use cudarc::driver::{CudaEvent, CudaGraph, CudaSlice, CudaStream, DevicePtr, result, sys};
use sinew_kernels::block::Event;
use sinew_kernels::warp::LANES;
use sinew_kernels::{Number, forward};
use sinew_math::random::Spread;
use sinew_model::Model;
use std::sync::Arc;
use std::time::Duration;

/// Steps that are captured as one at most: a graph has a node for each of their kernels.
const MOST_CAPTURED: usize = 256;

/// How often who waits for the device looks up.
const LOOK: Duration = Duration::from_micros(100);

/// Worlds on a device.
pub struct DeviceBatch<T> {
    kernels: Kernels<T>,
    model: Model,
    scene: Scene<T>,
    wanted: Wanted,
    /// Where work goes: the default stream, if nobody says otherwise.
    stream: Arc<CudaStream>,
    /// Where steps are captured, which the default stream cannot do.
    capturing: Arc<CudaStream>,
    worlds: usize,
    arguments: Arguments,
    launches: Vec<Launch>,
    derive: Option<Launch>,
    between: Between,
    /// Steps that were captured, and how many they are.
    captured: Option<(Graph, usize)>,
    time: CudaSlice<u8>,
    states: CudaSlice<u8>,
    ctrl: CudaSlice<u8>,
    words: CudaSlice<u8>,
    flags: Flags,
    /// Blocks and controls of the starts.
    starts: Starts<T>,
    on_device_starts: [CudaSlice<u8>; 2],
    /// Time, states, controls, words and readings before a call that is not about all worlds.
    kept: Option<[CudaSlice<u8>; 5]>,
    limit: f64,
    /// The packed model, and what only kernels read and write.
    packed: [CudaSlice<u8>; 2],
    _others: [CudaSlice<u8>; 4],
    derived: CudaSlice<u8>,
    /// Numbers of the packed model that worlds have of their own.
    own: Option<CudaSlice<u8>>,
    /// What such worlds begin with, where that differs: blocks and controls.
    own_starts: Option<[CudaSlice<u8>; 2]>,
    transfers: Cell<u64>,
}

/// Steps that are started as one.
struct Graph(CudaGraph);

// SAFETY: a graph may be used by any thread, by one at a time, and only who has the batch for writing uses it.
unsafe impl Send for Graph {}

/// What is known of the last call of each world, and which worlds the next one is about.
struct Flags {
    draws: CudaSlice<u8>,
    seen: CudaSlice<u8>,
    failed: CudaSlice<u8>,
    terminated: CudaSlice<u8>,
    truncated: CudaSlice<u8>,
    over: CudaSlice<u8>,
    mask: CudaSlice<u8>,
}

/// Bytes of the large arrays of so many worlds: time, states, controls, words, problems, memory through a step, scratch, pairs that
/// threads look at.
fn sizes<T: Number>(scene: &Scene<T>, scratch: Option<usize>, rooms: usize) -> Option<[usize; 8]> {
    let number = size_of::<T>();
    let all = [
        size_of::<f64>(),
        scene.state.length * number,
        scene.head.nu * number,
        scene.words.length * size_of::<i32>(),
        scene.problem.length * number,
        forward::memory_length::<T>(&scene.head) * number,
    ];
    let mut out = [0; 8];
    for (out, size) in out.iter_mut().zip(all) {
        *out = size.checked_mul(rooms)?;
    }
    out[6] = scratch?.checked_mul(number)?;
    out[7] = launch::queue_bytes(scene, rooms)?;
    out.iter().try_fold(0_usize, |sum, &x| sum.checked_add(x))?;
    Some(out)
}

impl<T: Number> DeviceBatch<T> {
    /// As many worlds of a model at their start.
    pub fn new(
        kernels: &Kernels<T>,
        model: &Model,
        worlds: usize,
        capacity: Capacity,
    ) -> Result<Self, DeviceError> {
        Self::with(kernels, model, worlds, capacity, &[])
    }

    /// The same, with arrays besides the state ([`crate::DERIVED`]).
    pub fn with(
        kernels: &Kernels<T>,
        model: &Model,
        worlds: usize,
        capacity: Capacity,
        derived: &[&str],
    ) -> Result<Self, DeviceError> {
        let wanted = Wanted::new(capacity, derived);
        let room = kernels.room()?;
        let scene = Scene::<T>::wanted(model, &wanted)?;
        let scene = launch::suited(scene, room);
        let multiprocessors = kernels.multiprocessors()?;
        let (free, _) = kernels.context.mem_get_info()?;
        // Kernels compute whole tiles; worlds that nobody asked for are as the others.
        let rooms = worlds.checked_next_multiple_of(LANES);
        let sizes = rooms.and_then(|rooms| {
            let scratch = launch::scratch(&scene, room, rooms, multiprocessors);
            sizes(&scene, scratch, rooms)
        });
        let needed = sizes.map_or(usize::MAX, |sizes| sizes.iter().sum());
        let derived_bytes = scene.derived_length() * size_of::<T>();
        let needed = needed.saturating_add(worlds.saturating_mul(derived_bytes));
        let (Some(rooms), Some(sizes)) = (rooms, sizes) else {
            return Err(DeviceError::OutOfMemory { needed, free });
        };
        if needed > free || worlds > MOST_WORLDS {
            return Err(DeviceError::OutOfMemory { needed, free });
        }
        let stream = kernels.context.default_stream();
        let zeros = |bytes: usize| stream.alloc_zeros::<u8>(bytes.max(16));
        let copy = |bytes: &[u8]| match bytes.is_empty() {
            true => zeros(0),
            false => stream.clone_htod(bytes),
        };
        let time = zeros(sizes[0])?;
        let states = copy(cast_slice(&scene.start.repeat(rooms)))?;
        let (ctrl, words) = (zeros(sizes[2])?, zeros(sizes[3])?);
        let packed = [
            copy(cast_slice(&scene.packed.words))?,
            copy(cast_slice(&scene.packed.numbers))?,
        ];
        let others = [
            zeros(sizes[4])?,
            zeros(sizes[5])?,
            zeros(sizes[6])?,
            zeros(sizes[7])?,
        ];
        let flags = Flags {
            draws: zeros(8 * rooms)?,
            seen: zeros(4 * rooms)?,
            failed: zeros(rooms)?,
            terminated: zeros(rooms)?,
            truncated: zeros(rooms)?,
            over: zeros(rooms)?,
            mask: zeros(rooms)?,
        };
        let derived = zeros(rooms * derived_bytes)?;
        let starts = Starts::new(model, &scene);
        let on_device_starts = [
            copy(cast_slice(&starts.blocks))?,
            copy(cast_slice(&starts.ctrl))?,
        ];
        let place = |slice: &CudaSlice<u8>| slice.device_ptr(&stream).0;
        let arguments = Arguments {
            words: place(&packed[0]),
            numbers: place(&packed[1]),
            own: place(&packed[1]),
            time: place(&time),
            states: place(&states),
            ctrl: place(&ctrl),
            problems: place(&others[0]),
            events: place(&words),
            tiles: place(&others[1]),
            scratch: place(&others[2]),
            derived: place(&derived),
            mask: 0,
            word_count: scene.packed.words.len() as u32,
            number_count: scene.packed.numbers.len() as u32,
            own_count: scene.packed.own as u32,
            own_stride: 0,
            worlds: worlds as u32,
            warp_memory: 0,
            team_memory: forward::quick_length::<T>(&scene.head) as u32,
            fewest_rows: 0,
            most_rows: u32::MAX,
            unused: 0,
            queues: place(&others[3]),
            header: launch::header(&scene),
        };
        Ok(DeviceBatch {
            launches: Launch::of_step(kernels, &scene)?,
            derive: Launch::of_derived(kernels, &scene)?,
            between: Between::new(kernels)?,
            capturing: kernels.context.new_stream()?,
            kernels: kernels.clone(),
            model: model.clone(),
            scene,
            wanted,
            stream,
            worlds,
            arguments,
            captured: None,
            time,
            states,
            ctrl,
            words,
            flags,
            starts,
            on_device_starts,
            kept: None,
            limit: f64::INFINITY,
            packed,
            _others: others,
            derived,
            own: None,
            own_starts: None,
            transfers: Cell::new(0),
        })
    }

    /// Number of worlds.
    pub fn len(&self) -> usize {
        self.worlds
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.worlds == 0
    }

    /// The packed model, which says where a block of a state has what.
    pub fn scene(&self) -> &Scene<T> {
        &self.scene
    }

    /// Starts steps of all worlds; does not wait for them. As many as the last time are started as one.
    pub fn step(&mut self, steps: usize) -> Result<(), DeviceError> {
        self.step_while(steps, &|| true)
    }

    /// The same, as long as `goes_on` says so. Many steps are started in parts, of which the device has two at most to
    /// make: before the next one is started the one before the last is waited for.
    pub fn step_while(
        &mut self,
        steps: usize,
        goes_on: &dyn Fn() -> bool,
    ) -> Result<(), DeviceError> {
        if self.worlds == 0 || steps == 0 {
            return Ok(());
        }
        let part = steps.min(MOST_CAPTURED);
        self.capture(part)?;
        let mut last = None;
        for begun in (part..=steps).step_by(part) {
            self.start_captured()?;
            if begun == steps {
                break;
            }
            let mark = self.stream.record_event(None)?;
            let before = last.replace(mark);
            if before.map_or(Ok(!goes_on()), |mark| Self::is_left(&mark, goes_on))? {
                return Ok(());
            }
        }
        (0..steps % part).try_for_each(|_| self.start_step(&self.stream))
    }

    /// Waits for a mark in the work of the device, unless the caller does not want to any more: then it is left.
    fn is_left(mark: &CudaEvent, goes_on: &dyn Fn() -> bool) -> Result<bool, DeviceError> {
        while !mark.try_is_complete()? {
            if !goes_on() {
                return Ok(true);
            }
            std::thread::sleep(LOOK);
        }
        Ok(!goes_on())
    }

    /// Captures so many steps, unless they are those that were captured last.
    fn capture(&mut self, steps: usize) -> Result<(), DeviceError> {
        if let Some((_, count)) = &self.captured
            && *count == steps
        {
            return Ok(());
        }
        use sys::CUstreamCaptureMode::CU_STREAM_CAPTURE_MODE_THREAD_LOCAL as LOCAL;
        self.capturing.begin_capture(LOCAL)?;
        let started = (0..steps).try_for_each(|_| self.start_step(&self.capturing));
        let graph = self
            .capturing
            .end_capture(sys::CUgraphInstantiate_flags(0))?;
        started?;
        self.captured = graph.map(|graph| (Graph(graph), steps));
        Ok(())
    }

    /// Starts the steps that were captured.
    fn start_captured(&self) -> Result<(), DeviceError> {
        if let Some((Graph(graph), _)) = &self.captured {
            self.kernels.context.bind_to_thread()?;
            // SAFETY: graph and stream live, and belong to one context.
            unsafe { result::graph::launch(graph.cu_graph_exec(), self.stream.cu_stream())? };
        }
        Ok(())
    }

    fn start_step(&self, stream: &CudaStream) -> Result<(), DeviceError> {
        (0..self.scene.head.stages).try_for_each(|_| {
            self.launches
                .iter()
                .try_for_each(|launch| launch.start(stream, &self.arguments))
        })
    }

    /// Gathers what is asked for besides the state, of all worlds or of those of the mask.
    fn derive(&self, is_masked: bool) -> Result<(), DeviceError> {
        let mask = match is_masked {
            true => self.address_of(&self.flags.mask),
            false => 0,
        };
        let arguments = Arguments {
            mask,
            ..self.arguments
        };
        match &self.derive {
            Some(launch) => launch.start(&self.stream, &arguments),
            None => Ok(()),
        }
    }

    /// Puts worlds that a call is not about back to where they were.
    fn put_back(&self, episodes: &Episodes) -> Result<(), DeviceError> {
        let Some([time, states, ctrl, words, readings]) = &self.kept else {
            return Ok(());
        };
        let kept = Kept {
            time: self.address_of(time),
            states: self.address_of(states),
            ctrl: self.address_of(ctrl),
            events: self.address_of(words),
            readings: self.address_of(readings),
        };
        self.between
            .put_back(&self.stream, &self.arguments, episodes, &kept)
    }

    /// The kernels of a step and how many microseconds each takes, between the others. States move on.
    pub fn kernel_times(&self, repeats: usize) -> Result<Vec<(&str, f32)>, DeviceError> {
        let flags = Some(sys::CUevent_flags::CU_EVENT_DEFAULT);
        let names = self.launches.iter().map(|launch| launch.name.as_str());
        let mut times: Vec<(&str, f32)> = names.map(|name| (name, 0.0)).collect();
        for _ in 0..repeats {
            let mut marks = vec![self.stream.record_event(flags)?];
            for launch in &self.launches {
                launch.start(&self.stream, &self.arguments)?;
                marks.push(self.stream.record_event(flags)?);
            }
            self.stream.synchronize()?;
            for (time, pair) in times.iter_mut().zip(marks.windows(2)) {
                time.1 += pair[0].elapsed_ms(&pair[1])? * 1e3 / repeats as f32;
            }
        }
        Ok(times)
    }

    /// Waits until all steps are done.
    pub fn wait(&self) -> Result<(), DeviceError> {
        Ok(self.stream.synchronize()?)
    }

    /// Copies the controls of all worlds to the device, a row each.
    pub fn set_ctrl(&mut self, ctrl: &[T]) -> Result<(), DeviceError> {
        check_length(ctrl.len(), self.worlds * self.scene.head.nu)?;
        if !ctrl.is_empty() {
            self.stream
                .memcpy_htod(cast_slice::<T, u8>(ctrl), &mut self.ctrl)?;
        }
        Ok(())
    }

    /// Copies the states of all worlds to the device, a block each.
    pub fn set_states(&mut self, states: &[T]) -> Result<(), DeviceError> {
        check_length(states.len(), self.worlds * self.scene.state.length)?;
        if !states.is_empty() {
            self.stream
                .memcpy_htod(cast_slice::<T, u8>(states), &mut self.states)?;
        }
        Ok(())
    }

    /// The states of all worlds, a block each.
    pub fn states(&self) -> Result<Vec<T>, DeviceError> {
        let count = self.worlds * self.scene.state.length;
        self.copied(&self.states, count)
    }

    /// The time of all worlds.
    pub fn time(&self) -> Result<Vec<f64>, DeviceError> {
        self.copied(&self.time, self.worlds)
    }

    /// How often something happened to each world.
    pub fn counts(&self, event: Event) -> Result<Vec<usize>, DeviceError> {
        let length = self.scene.words.length;
        let words: Vec<i32> = self.copied(&self.words, self.worlds * length)?;
        let at = self.scene.words.events[0] + event as usize;
        let blocks = words.chunks_exact(length.max(1));
        Ok(blocks.map(|block| block[at] as usize).collect())
    }

    fn copied<N: bytemuck::Pod>(
        &self,
        from: &CudaSlice<u8>,
        count: usize,
    ) -> Result<Vec<N>, DeviceError> {
        if count == 0 {
            return Ok(Vec::new());
        }
        let bytes = self
            .stream
            .clone_dtoh(&from.slice(..count * size_of::<N>()))?;
        self.wait()?;
        let mut out = vec![N::zeroed(); count];
        let used = &bytes[..count * size_of::<N>()];
        cast_slice_mut::<N, u8>(&mut out).copy_from_slice(used);
        Ok(out)
    }

    fn address_of(&self, slice: &CudaSlice<u8>) -> u64 {
        slice.device_ptr(&self.stream).0
    }

    fn memory(&self, memory: Memory) -> &CudaSlice<u8> {
        match memory {
            Memory::States => &self.states,
            Memory::Time => &self.time,
            Memory::Ctrl => &self.ctrl,
            Memory::Words => &self.words,
            Memory::Problems => &self._others[0],
            Memory::Draws => &self.flags.draws,
            Memory::Seen => &self.flags.seen,
            Memory::Failed => &self.flags.failed,
            Memory::Terminated => &self.flags.terminated,
            Memory::Truncated => &self.flags.truncated,
            Memory::Over => &self.flags.over,
            Memory::Mask => &self.flags.mask,
            Memory::Derived => &self.derived,
        }
    }

    fn count_transfer(&self) {
        self.transfers.set(self.transfers.get() + 1);
    }

    fn episodes(&self, is_masked: bool) -> Episodes {
        let place = |slice: &CudaSlice<u8>| self.address_of(slice);
        Episodes {
            seen: place(&self.flags.seen),
            failed: place(&self.flags.failed),
            terminated: place(&self.flags.terminated),
            truncated: place(&self.flags.truncated),
            over: place(&self.flags.over),
            mask: if is_masked {
                place(&self.flags.mask)
            } else {
                0
            },
            limit: self.limit,
        }
    }

    /// How worlds begin anew at a start, those alone that have failed if that is said.
    fn resetting(&self, start: usize, have_failed: bool, scatter: Option<Scatter>) -> Resetting {
        let (block, nu) = (self.scene.state.length, self.scene.head.nu);
        let (length, row) = (block * size_of::<T>(), nu * size_of::<T>());
        let [blocks, ctrl] = self.own_starts.as_ref().unwrap_or(&self.on_device_starts);
        let apart = match self.own_starts {
            Some(_) => self.starts.time.len(),
            None => 0,
        };
        let spread = scatter.map_or(0, |scatter| match scatter.noise.spread {
            Spread::Uniform => 1,
            Spread::Normal => 2,
        });
        Resetting {
            also: if have_failed {
                self.address_of(&self.flags.failed)
            } else {
                0
            },
            draws: self.address_of(&self.flags.draws),
            start: self.address_of(blocks) + (start * length) as u64,
            start_ctrl: self.address_of(ctrl) + (start * row) as u64,
            start_stride: (apart * block) as u32,
            start_ctrl_stride: (apart * nu) as u32,
            start_time: self.starts.time[start],
            seed: scatter.map_or(0, |scatter| scatter.seed),
            position: scatter.map_or(0.0, |scatter| scatter.noise.position),
            velocity: scatter.map_or(0.0, |scatter| scatter.noise.velocity),
            spread,
        }
    }

    /// Keeps all worlds as they are.
    fn keep(&mut self) -> Result<(), DeviceError> {
        let from = [&self.time, &self.states, &self.ctrl, &self.words];
        match &mut self.kept {
            Some(kept) => {
                for (kept, from) in kept.iter_mut().zip(from) {
                    self.stream.memcpy_dtod(from, kept)?;
                }
            }
            None => {
                let [time, states, ctrl, words] = from;
                let copy = |from: &CudaSlice<u8>| self.stream.clone_dtod(from);
                let bytes = self.worlds * self.scene.head.nsensordata * size_of::<T>();
                let readings = self.stream.alloc_zeros(bytes.max(16))?;
                let (time, states) = (copy(time)?, copy(states)?);
                self.kept = Some([time, states, copy(ctrl)?, copy(words)?, readings]);
            }
        }
        let (layout, number) = (&self.scene.problem, size_of::<T>());
        let rows = Rows {
            memory: Memory::Problems,
            start: layout.sensordata[0] * number,
            count: self.worlds,
            pitch: layout.length * number,
            width: self.scene.head.nsensordata * number,
        };
        if let Some([.., readings]) = &self.kept {
            self.copy_rows(sys::CUDA_MEMCPY2D {
                srcMemoryType: sys::CUmemorytype::CU_MEMORYTYPE_DEVICE,
                dstDevice: self.address_of(readings),
                dstPitch: rows.width,
                ..self.shape(rows)
            })?;
        }
        Ok(())
    }
}

impl<T> Drop for DeviceBatch<T> {
    fn drop(&mut self) {
        // Memory goes back on the default stream, which does not wait for others.
        let _ = self.stream.synchronize();
    }
}

fn check_length(given: usize, wanted: usize) -> Result<(), DeviceError> {
    match given == wanted {
        true => Ok(()),
        false => Err(DeviceError::WrongLength { given, wanted }),
    }
}
