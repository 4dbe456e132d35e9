//! Worlds that stay on a device.

use super::launch::{self, Arguments, Launch};
use super::{DeviceError, Kernels};
use crate::scene::{Capacity, Scene};
use bytemuck::{cast_slice, cast_slice_mut};
use cudarc::driver::{CudaGraph, CudaSlice, CudaStream, DevicePtr, sys};
use sinew_kernels::block::Event;
use sinew_kernels::warp::LANES;
use sinew_kernels::{Number, forward};
use sinew_model::Model;
use std::sync::Arc;

/// Worlds on a device.
pub struct DeviceBatch<T> {
    scene: Scene<T>,
    stream: Arc<CudaStream>,
    worlds: usize,
    arguments: Arguments,
    launches: Vec<Launch>,
    /// Steps that were captured, and how many they are.
    captured: Option<(CudaGraph, usize)>,
    time: CudaSlice<u8>,
    states: CudaSlice<u8>,
    ctrl: CudaSlice<u8>,
    words: CudaSlice<u8>,
    /// Kept because kernels read and write them.
    _others: [CudaSlice<u8>; 5],
}

impl<T: Number> DeviceBatch<T> {
    /// As many worlds of a model at their start.
    pub fn new(
        kernels: &Kernels<T>,
        model: &Model,
        worlds: usize,
        capacity: Capacity,
    ) -> Result<Self, DeviceError> {
        let scene = Scene::<T>::new(model, capacity).map_err(DeviceError::Refused)?;
        let scratch = launch::scratch(&scene);
        let number = size_of::<T>();
        // Kernels compute whole tiles; worlds that nobody asked for are as the others.
        let rooms = worlds.next_multiple_of(LANES);
        let sizes = [
            rooms * size_of::<f64>(),
            rooms * scene.state.length * number,
            rooms * scene.head.nu * number,
            rooms * scene.words.length * size_of::<i32>(),
            rooms * scene.problem.length * number,
            rooms * forward::memory_length::<T>(&scene.head) * number,
            rooms * scratch * number,
        ];
        let (free, _) = kernels.context.mem_get_info()?;
        let needed = sizes.iter().sum();
        if needed > free {
            return Err(DeviceError::OutOfMemory { needed, free });
        }
        let stream = kernels.context.new_stream()?;
        let zeros = |bytes: usize| stream.alloc_zeros::<u8>(bytes.max(16));
        let copy = |bytes: &[u8]| match bytes.is_empty() {
            true => zeros(0),
            false => stream.clone_htod(bytes),
        };
        let time = zeros(sizes[0])?;
        let states = copy(cast_slice(&scene.start.repeat(rooms)))?;
        let (ctrl, words) = (zeros(sizes[2])?, zeros(sizes[3])?);
        let others = [
            copy(cast_slice(&scene.packed.words))?,
            copy(cast_slice(&scene.packed.numbers))?,
            zeros(sizes[4])?,
            zeros(sizes[5])?,
            zeros(sizes[6])?,
        ];
        let place = |slice: &CudaSlice<u8>| slice.device_ptr(&stream).0;
        let arguments = Arguments {
            words: place(&others[0]),
            numbers: place(&others[1]),
            time: place(&time),
            states: place(&states),
            ctrl: place(&ctrl),
            problems: place(&others[2]),
            events: place(&words),
            tiles: place(&others[3]),
            scratch: place(&others[4]),
            word_count: scene.packed.words.len() as u32,
            number_count: scene.packed.numbers.len() as u32,
            worlds: worlds as u32,
            warp_memory: scratch as u32,
            team_memory: forward::quick_length::<T>(&scene.head) as u32,
            fewest_rows: 0,
            most_rows: u32::MAX,
            header: launch::header(&scene),
        };
        let launches = Launch::of_step(kernels, &scene)?;
        Ok(DeviceBatch {
            scene,
            stream,
            worlds,
            arguments,
            launches,
            captured: None,
            time,
            states,
            ctrl,
            words,
            _others: others,
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
            self.stream.begin_capture(LOCAL)?;
            let started = (0..steps).try_for_each(|_| self.start_step());
            let graph = self.stream.end_capture(sys::CUgraphInstantiate_flags(0))?;
            started?;
            self.captured = graph.map(|graph| (graph, steps));
        }
        if let Some((graph, _)) = &self.captured {
            graph.launch()?;
        }
        Ok(())
    }

    fn start_step(&self) -> Result<(), DeviceError> {
        (0..self.scene.head.stages).try_for_each(|_| {
            self.launches
                .iter()
                .try_for_each(|launch| launch.start(&self.stream, &self.arguments))
        })
    }

    /// The kernels of a step and how many microseconds each takes, started a number of times in a row. States move on.
    pub fn kernel_times(&self, repeats: usize) -> Result<Vec<(&str, f32)>, DeviceError> {
        let flags = Some(sys::CUevent_flags::CU_EVENT_DEFAULT);
        let mut times = Vec::new();
        for launch in &self.launches {
            let begin = self.stream.record_event(flags)?;
            for _ in 0..repeats {
                launch.start(&self.stream, &self.arguments)?;
            }
            let end = self.stream.record_event(flags)?;
            end.synchronize()?;
            let time = begin.elapsed_ms(&end)? * 1e3 / repeats.max(1) as f32;
            times.push((launch.name.as_str(), time));
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
        self.read(&self.states, count)
    }

    /// The time of all worlds.
    pub fn time(&self) -> Result<Vec<f64>, DeviceError> {
        self.read(&self.time, self.worlds)
    }

    /// How often something happened to each world.
    pub fn counts(&self, event: Event) -> Result<Vec<usize>, DeviceError> {
        let length = self.scene.words.length;
        let words: Vec<i32> = self.read(&self.words, self.worlds * length)?;
        let at = self.scene.words.events[0] + event as usize;
        let blocks = words.chunks_exact(length.max(1));
        Ok(blocks.map(|block| block[at] as usize).collect())
    }

    fn read<N: bytemuck::Pod>(
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
        let mut out = vec![N::zeroed(); count];
        let used = &bytes[..count * size_of::<N>()];
        cast_slice_mut::<N, u8>(&mut out).copy_from_slice(used);
        Ok(out)
    }
}

fn check_length(given: usize, wanted: usize) -> Result<(), DeviceError> {
    match given == wanted {
        true => Ok(()),
        false => Err(DeviceError::WrongLength { given, wanted }),
    }
}
