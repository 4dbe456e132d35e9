//! Worlds that stay on a device.

use super::launch::{self, Arguments, Between, Episodes, Kept, Launch, MOST_WORLDS, Resetting};
use super::{DeviceError, Kernels};
use crate::field::{Field, Memory, fields};
use crate::own::{self, Own, Values};
use crate::scene::{Capacity, Scene, Wanted};
use crate::starts::Starts;
use crate::worlds::{Place, Rows, Scatter, Worlds, check};
use bytemuck::{cast_slice, cast_slice_mut};
use core::cell::Cell;
use cudarc::driver::{CudaGraph, CudaSlice, CudaStream, DevicePtr, result, sys};
use sinew_kernels::block::Event;
use sinew_kernels::warp::LANES;
use sinew_kernels::{Number, forward};
use sinew_math::random::Spread;
use sinew_model::Model;
use std::sync::Arc;

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
        if self.worlds == 0 || steps == 0 {
            return Ok(());
        }
        if self
            .captured
            .as_ref()
            .is_none_or(|&(_, count)| count != steps)
        {
            use sys::CUstreamCaptureMode::CU_STREAM_CAPTURE_MODE_THREAD_LOCAL as LOCAL;
            self.capturing.begin_capture(LOCAL)?;
            let started = (0..steps).try_for_each(|_| self.start_step(&self.capturing));
            let graph = self
                .capturing
                .end_capture(sys::CUgraphInstantiate_flags(0))?;
            started?;
            self.captured = graph.map(|graph| (Graph(graph), steps));
        }
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

    /// Goes on with a scene in which all worlds have numbers of their own.
    fn put_all_own(&mut self, scene: Scene<T>, rows: &[Own<T>]) -> Result<(), DeviceError> {
        let room = self.kernels.room()?;
        let rooms = self.worlds.next_multiple_of(LANES);
        let stride = scene.packed.own.next_multiple_of(4);
        let mut numbers = vec![T::ZERO; rooms * stride];
        // Worlds that nobody asked for are as the last.
        let filled = rows.iter().chain(std::iter::repeat_n(
            &rows[rows.len() - 1],
            rooms - self.worlds,
        ));
        for (place, row) in numbers.chunks_exact_mut(stride).zip(filled) {
            place[..row.numbers.len()].copy_from_slice(&row.numbers);
        }
        // What was started may still read the old ones.
        self.wait()?;
        let number = size_of::<T>();
        let scratch = launch::scratch(&scene, room, rooms, self.kernels.multiprocessors()?);
        let memory = forward::memory_length::<T>(&scene.head);
        let zeros = |bytes: usize| self.stream.alloc_zeros::<u8>(bytes.max(16));
        let tiles = zeros(memory * number * rooms)?;
        let scratches = zeros(scratch.map_or(usize::MAX, |count| count.saturating_mul(number)))?;
        let own = self.stream.clone_htod(cast_slice::<T, u8>(&numbers))?;
        let launches = Launch::of_step(&self.kernels, &scene)?;
        let words = cast_slice::<i32, u8>(&scene.packed.words);
        let common = cast_slice::<T, u8>(&scene.packed.numbers);
        let packed = [
            self.stream.clone_htod(words)?,
            self.stream.clone_htod(common)?,
        ];
        self.wait()?;
        self.captured = None;
        self.arguments = Arguments {
            words: self.address_of(&packed[0]),
            numbers: self.address_of(&packed[1]),
            own: self.address_of(&own),
            word_count: scene.packed.words.len() as u32,
            number_count: scene.packed.numbers.len() as u32,
            own_count: scene.packed.own as u32,
            own_stride: stride as u32,
            tiles: self.address_of(&tiles),
            scratch: self.address_of(&scratches),
            team_memory: forward::quick_length::<T>(&scene.head) as u32,
            header: launch::header(&scene),
            ..self.arguments
        };
        self.packed = packed;
        self._others[1] = tiles;
        self._others[2] = scratches;
        (self.own, self.launches, self.scene) = (Some(own), launches, scene);
        Ok(())
    }

    /// Says what worlds with values of their own begin with, where that differs from what all do.
    fn put_own_starts(&mut self, rows: &[Own<T>]) -> Result<(), DeviceError> {
        let of_others = |row: &&Own<T>| row.starts.time != self.starts.time;
        if let Some(row) = rows.iter().find(of_others) {
            return Err(DeviceError::OtherStructure(row.world));
        }
        let is_same = |row: &Own<T>| {
            (&row.starts.blocks, &row.starts.ctrl) == (&self.starts.blocks, &self.starts.ctrl)
        };
        if self.own_starts.is_none() {
            if rows.iter().all(is_same) {
                return Ok(());
            }
            let repeated = |numbers: &[T]| {
                let all = numbers.repeat(self.worlds);
                let bytes = cast_slice::<T, u8>(&all);
                match bytes.is_empty() {
                    true => self.stream.alloc_zeros::<u8>(16),
                    false => self.stream.clone_htod(bytes),
                }
            };
            self.own_starts = Some([repeated(&self.starts.blocks)?, repeated(&self.starts.ctrl)?]);
        }
        if let Some([blocks, ctrl]) = &mut self.own_starts {
            for row in rows {
                for (numbers, place) in [
                    (&row.starts.blocks, &mut *blocks),
                    (&row.starts.ctrl, &mut *ctrl),
                ] {
                    let bytes = cast_slice::<T, u8>(numbers);
                    if !bytes.is_empty() {
                        let mut place = place.slice_mut(row.world * bytes.len()..);
                        self.stream.memcpy_htod(bytes, &mut place)?;
                    }
                }
            }
        }
        self.wait()
    }

    /// A copy of rows between the device and somewhere else.
    fn copy_rows(&self, mut copy: sys::CUDA_MEMCPY2D) -> Result<(), DeviceError> {
        if copy.WidthInBytes == 0 || copy.Height == 0 {
            return Ok(());
        }
        // Rows that follow each other on both sides are one.
        let width = copy.WidthInBytes;
        if copy.srcPitch == width && copy.dstPitch == width {
            copy.WidthInBytes = width * copy.Height;
            (copy.srcPitch, copy.dstPitch) = (copy.WidthInBytes, copy.WidthInBytes);
            copy.Height = 1;
        }
        self.kernels.context.bind_to_thread()?;
        // SAFETY: both places have the rows, as the callers have checked or promise.
        unsafe { sys::cuMemcpy2DAsync_v2(&raw const copy, self.stream.cu_stream()).result()? };
        Ok(())
    }

    /// Rows of a memory of the worlds as the target of a copy, and as its source.
    fn shape(&self, rows: Rows) -> sys::CUDA_MEMCPY2D {
        use sys::CUmemorytype::{CU_MEMORYTYPE_DEVICE as DEVICE, CU_MEMORYTYPE_HOST as HOST};
        let place = self.address_of(self.memory(rows.memory)) + rows.start as u64;
        // A pitch that counts for no second row may be anything that is long enough.
        let pitch = rows.pitch.max(rows.width);
        sys::CUDA_MEMCPY2D {
            srcXInBytes: 0,
            srcY: 0,
            srcMemoryType: HOST,
            srcHost: std::ptr::null(),
            srcDevice: place,
            srcArray: std::ptr::null_mut(),
            srcPitch: pitch,
            dstXInBytes: 0,
            dstY: 0,
            dstMemoryType: DEVICE,
            dstHost: std::ptr::null_mut(),
            dstDevice: place,
            dstArray: std::ptr::null_mut(),
            dstPitch: pitch,
            WidthInBytes: rows.width,
            Height: rows.count,
        }
    }
}

impl<T: Number + Send> Worlds for DeviceBatch<T> {
    fn count(&self) -> usize {
        self.worlds
    }

    fn place(&self) -> Place {
        Place::Device(self.kernels.context.ordinal())
    }

    fn fields(&self) -> Vec<Field> {
        fields(&self.scene)
    }

    fn address(&self, memory: Memory) -> u64 {
        self.address_of(self.memory(memory))
    }

    fn length(&self, memory: Memory) -> usize {
        self.memory(memory).len()
    }

    fn bytes(&self) -> usize {
        let arrays = [&self.time, &self.states, &self.ctrl, &self.words];
        let all = arrays.into_iter().chain(&self._others);
        let all = all.chain(&self.own).chain([&self.derived]);
        let all = all.chain(self.own_starts.iter().flatten());
        let flags = self.flags.draws.len() + self.flags.seen.len() + 5 * self.flags.mask.len();
        all.map(|slice| slice.len()).sum::<usize>() + flags
    }

    fn step(&mut self, steps: usize, is_masked: bool) -> Result<(), DeviceError> {
        if self.worlds == 0 || steps == 0 {
            return Ok(());
        }
        if is_masked {
            self.keep()?;
        }
        let episodes = self.episodes(is_masked);
        if self.scene.head.resets != 0 {
            let resetting = self.resetting(0, true, None);
            self.between
                .reset(&self.stream, &self.arguments, &episodes, &resetting)?;
        }
        DeviceBatch::step(self, steps)?;
        self.derive(is_masked)?;
        match is_masked {
            true => self.put_back(&episodes),
            false => Ok(()),
        }
    }

    fn forward(&mut self, is_masked: bool) -> Result<(), DeviceError> {
        if self.worlds == 0 {
            return Ok(());
        }
        if is_masked {
            self.keep()?;
        }
        for launch in self.launches.iter().filter(|launch| !launch.moves()) {
            launch.start(&self.stream, &self.arguments)?;
        }
        self.derive(is_masked)?;
        match is_masked {
            true => self.put_back(&self.episodes(is_masked)),
            false => Ok(()),
        }
    }

    fn end(&mut self, is_masked: bool) -> Result<(), DeviceError> {
        if self.worlds == 0 {
            return Ok(());
        }
        let episodes = self.episodes(is_masked);
        self.between.end(&self.stream, &self.arguments, &episodes)
    }

    fn reset(
        &mut self,
        is_masked: bool,
        key: Option<usize>,
        scatter: Option<Scatter>,
    ) -> Result<(), DeviceError> {
        let no_keyframe = DeviceError::NoKeyframe(key.unwrap_or(0));
        let start = self.starts.index(key).ok_or(no_keyframe)?;
        if self.worlds == 0 {
            return Ok(());
        }
        let episodes = self.episodes(is_masked);
        let resetting = self.resetting(start, false, scatter);
        self.between
            .reset(&self.stream, &self.arguments, &episodes, &resetting)
    }

    fn set_time_limit(&mut self, seconds: f64) {
        self.limit = seconds;
    }

    fn set_model(&mut self, model: &Model) -> Result<(), DeviceError> {
        let mut scene = Scene::<T>::wanted(model, &self.wanted)?;
        if self.scene.head.general != 0 {
            scene = scene.into_general();
        }
        let scene = launch::suited(scene, self.kernels.room()?);
        if !scene.fits(&self.scene) {
            return Err(DeviceError::OtherModel);
        }
        let starts = Starts::new(model, &scene);
        // What was started may still read the old values.
        self.wait()?;
        self.captured = None;
        let [words, numbers] = &mut self.packed;
        let [blocks, ctrl] = &mut self.on_device_starts;
        for (bytes, to) in [
            (cast_slice::<i32, u8>(&scene.packed.words), words),
            (cast_slice(&scene.packed.numbers), numbers),
            (cast_slice(&starts.blocks), blocks),
            (cast_slice(&starts.ctrl), ctrl),
        ] {
            if !bytes.is_empty() {
                self.stream.memcpy_htod(bytes, to)?;
            }
        }
        self.arguments.header = launch::header(&scene);
        self.arguments.own = self.arguments.numbers;
        self.arguments.own_stride = 0;
        (self.own, self.own_starts) = (None, None);
        self.launches = Launch::of_step(&self.kernels, &scene)?;
        (self.scene, self.starts) = (scene, starts);
        self.model.clone_from(model);
        self.wait()
    }

    fn set_values(&mut self, worlds: &[usize], values: Values<'_>) -> Result<(), DeviceError> {
        let meant = own::meant(worlds, self.worlds, self.own.is_none())?;
        let Some((scene, rows)) = own::pack::<T>(&self.model, &self.wanted, &meant, values)? else {
            return Ok(());
        };
        let is_all = meant.len() == self.worlds;
        own::check(&scene, &self.scene, is_all, &meant)?;
        self.put_own_starts(&rows)?;
        match &mut self.own {
            Some(own) if !is_all => {
                let stride = self.arguments.own_stride as usize * size_of::<T>();
                for row in &rows {
                    let bytes = cast_slice::<T, u8>(&row.numbers);
                    let mut place = own.slice_mut(row.world * stride..);
                    self.stream.memcpy_htod(bytes, &mut place)?;
                }
                self.wait()
            }
            _ => self.put_all_own(scene, &rows),
        }
    }

    fn transfers(&self) -> u64 {
        self.transfers.get()
    }

    fn read(&self, rows: Rows, out: &mut [u8]) -> Result<(), DeviceError> {
        use sys::CUmemorytype::{CU_MEMORYTYPE_DEVICE as DEVICE, CU_MEMORYTYPE_HOST as HOST};
        check(&rows, self.length(rows.memory), out.len())?;
        self.count_transfer();
        self.copy_rows(sys::CUDA_MEMCPY2D {
            srcMemoryType: DEVICE,
            dstMemoryType: HOST,
            dstHost: out.as_mut_ptr().cast(),
            dstPitch: rows.width,
            ..self.shape(rows)
        })?;
        self.wait()
    }

    fn write(&mut self, rows: Rows, from: &[u8]) -> Result<(), DeviceError> {
        check(&rows, self.length(rows.memory), from.len())?;
        self.count_transfer();
        // Memory that the system may move is copied by the driver before this returns.
        self.copy_rows(sys::CUDA_MEMCPY2D {
            srcHost: from.as_ptr().cast(),
            srcPitch: rows.width,
            ..self.shape(rows)
        })
    }

    unsafe fn copy(&mut self, rows: Rows, from: u64, pitch: usize) -> Result<(), DeviceError> {
        use sys::CUmemorytype::CU_MEMORYTYPE_DEVICE as DEVICE;
        check(&rows, self.length(rows.memory), rows.count * rows.width)?;
        self.copy_rows(sys::CUDA_MEMCPY2D {
            srcMemoryType: DEVICE,
            srcDevice: from,
            srcPitch: pitch.max(rows.width),
            ..self.shape(rows)
        })
    }

    fn wait(&self) -> Result<(), DeviceError> {
        DeviceBatch::wait(self)
    }

    fn stream(&self) -> usize {
        self.stream.cu_stream() as usize
    }

    unsafe fn set_stream(&mut self, stream: usize) -> Result<(), DeviceError> {
        if stream == Worlds::stream(self) {
            return Ok(());
        }
        let handle = stream as sys::CUstream;
        // SAFETY: as promised by the caller.
        let other = unsafe { self.kernels.context.wrap_borrowed_stream(handle) };
        other.join(&self.stream)?;
        self.stream = other;
        Ok(())
    }

    unsafe fn let_wait(&self, stream: usize) -> Result<(), DeviceError> {
        if stream == Worlds::stream(self) {
            return Ok(());
        }
        let handle = stream as sys::CUstream;
        // SAFETY: as promised by the caller.
        let other = unsafe { self.kernels.context.wrap_borrowed_stream(handle) };
        Ok(other.join(&self.stream)?)
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
