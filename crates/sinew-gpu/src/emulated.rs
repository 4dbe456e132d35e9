//! Worlds that the processor computes with the kernels, under the interface of those on a device.

use crate::device::DeviceError;
use crate::emulation::Emulated;
use crate::emulation::{Emulation, read};
use crate::field::{Field, Memory, fields};
use crate::own::{self, Values};
use crate::scene::{Capacity, Scene, Wanted};
use crate::starts::Starts;
use crate::worlds::{Place, Rows, Scatter, Worlds, check};
use bytemuck::{cast_slice, cast_slice_mut};
use core::cell::Cell;
use sinew_kernels::block::range;
use sinew_kernels::episode::{self, Marks};
use sinew_kernels::warp::Order;
use sinew_math::random::Stream;
use sinew_model::Model;

/// Worlds of one model. Their arrays never move.
#[derive(Clone, Debug)]
pub struct EmulatedBatch<T> {
    worlds: Emulation<T>,
    model: Model,
    starts: Starts<T>,
    /// What worlds with values of their own begin with.
    own_starts: Vec<Starts<T>>,
    wanted: Wanted,
    derived: Vec<T>,
    transfers: Cell<u64>,
    limit: f64,
    draws: Vec<u64>,
    seen: Vec<i32>,
    failed: Vec<u8>,
    terminated: Vec<u8>,
    truncated: Vec<u8>,
    over: Vec<u8>,
    mask: Vec<u8>,
}

impl<T: Emulated> EmulatedBatch<T> {
    /// As many worlds of a model at their start.
    pub fn new(model: &Model, count: usize, capacity: Capacity) -> Result<Self, DeviceError> {
        Self::with(model, count, capacity, &[])
    }

    /// The same, with arrays besides the state ([`crate::DERIVED`]).
    pub fn with(
        model: &Model,
        count: usize,
        capacity: Capacity,
        derived: &[&str],
    ) -> Result<Self, DeviceError> {
        let wanted = Wanted::new(capacity, derived);
        let scene = Scene::<T>::wanted(model, &wanted)?;
        let derived = scene.derived_length();
        let numbers = scene.state.length + scene.head.nu + scene.problem.length + derived;
        let per_world = numbers * size_of::<T>() + scene.words.length * 4 + 32;
        let needed = count.saturating_mul(per_world);
        let mut probe: Vec<u8> = Vec::new();
        let reserved = probe.try_reserve_exact(needed);
        reserved.map_err(|_| DeviceError::OutOfMemory { needed, free: 0 })?;
        drop(probe);
        let starts = Starts::new(model, &scene);
        Ok(EmulatedBatch {
            worlds: Emulation::new(scene, count, Order::Ascending),
            model: model.clone(),
            starts,
            own_starts: Vec::new(),
            wanted,
            derived: vec![T::ZERO; count * derived],
            transfers: Cell::new(0),
            limit: f64::INFINITY,
            draws: vec![0; count],
            seen: vec![0; count],
            failed: vec![0; count],
            terminated: vec![0; count],
            truncated: vec![0; count],
            over: vec![0; count],
            mask: vec![0; count],
        })
    }

    /// Puts a world to a start.
    fn restart(&mut self, world: usize, start: usize, scatter: Option<Scatter>) {
        let Emulation {
            scene,
            states,
            ctrl,
            time,
            words,
            problems,
            step_memory,
            ..
        } = &mut self.worlds;
        let block = |length: usize| world * length..(world + 1) * length;
        let numbers = &mut states[block(scene.state.length)];
        let starts = self.own_starts.get(world).unwrap_or(&self.starts);
        episode::restart(
            &starts.get(scene, start),
            numbers,
            &mut ctrl[block(scene.head.nu)],
            &mut time[world],
            (&scene.words, &mut words[block(scene.words.length)]),
            &mut problems[block(scene.problem.length)][range(scene.problem.sensordata)],
            Marks {
                seen: &mut self.seen[world],
                failed: &mut self.failed[world],
                terminated: &mut self.terminated[world],
                truncated: &mut self.truncated[world],
            },
        );
        if let Some(Scatter { noise, seed }) = scatter {
            let read = &read(scene, &[]);
            let stream = Stream::new(seed, world, self.draws[world]);
            self.draws[world] += 1;
            episode::scatter(read, &scene.state, numbers, &noise, stream, step_memory);
        }
    }

    fn is_meant(&self, world: usize, is_masked: bool) -> bool {
        !is_masked || self.mask[world] != 0
    }

    fn memory(&self, memory: Memory) -> &[u8] {
        match memory {
            Memory::States => cast_slice(&self.worlds.states),
            Memory::Time => cast_slice(&self.worlds.time),
            Memory::Ctrl => cast_slice(&self.worlds.ctrl),
            Memory::Words => cast_slice(&self.worlds.words),
            Memory::Problems => cast_slice(&self.worlds.problems),
            Memory::Draws => cast_slice(&self.draws),
            Memory::Seen => cast_slice(&self.seen),
            Memory::Failed => &self.failed,
            Memory::Terminated => &self.terminated,
            Memory::Truncated => &self.truncated,
            Memory::Over => &self.over,
            Memory::Mask => &self.mask,
            Memory::Derived => cast_slice(&self.derived),
        }
    }

    fn memory_mut(&mut self, memory: Memory) -> &mut [u8] {
        match memory {
            Memory::States => cast_slice_mut(&mut self.worlds.states),
            Memory::Time => cast_slice_mut(&mut self.worlds.time),
            Memory::Ctrl => cast_slice_mut(&mut self.worlds.ctrl),
            Memory::Words => cast_slice_mut(&mut self.worlds.words),
            Memory::Problems => cast_slice_mut(&mut self.worlds.problems),
            Memory::Draws => cast_slice_mut(&mut self.draws),
            Memory::Seen => cast_slice_mut(&mut self.seen),
            Memory::Failed => &mut self.failed,
            Memory::Terminated => &mut self.terminated,
            Memory::Truncated => &mut self.truncated,
            Memory::Over => &mut self.over,
            Memory::Mask => &mut self.mask,
            Memory::Derived => cast_slice_mut(&mut self.derived),
        }
    }

    /// Gathers what is asked for of a world besides its state.
    fn derive(&mut self, world: usize) {
        let length = self.worlds.scene.derived_length();
        let out = &mut self.derived[world * length..(world + 1) * length];
        self.worlds.derive_world(world, out);
    }

    fn count_transfer(&self) {
        self.transfers.set(self.transfers.get() + 1);
    }
}

impl<T: Emulated + Send> Worlds for EmulatedBatch<T> {
    fn count(&self) -> usize {
        self.draws.len()
    }

    fn place(&self) -> Place {
        Place::Emulated
    }

    fn fields(&self) -> Vec<Field> {
        fields(&self.worlds.scene)
    }

    fn address(&self, memory: Memory) -> u64 {
        self.memory(memory).as_ptr().expose_provenance() as u64
    }

    fn length(&self, memory: Memory) -> usize {
        self.memory(memory).len()
    }

    fn bytes(&self) -> usize {
        let numbers = self.derived.len() + self.worlds.own.len();
        self.worlds.bytes() + self.count() * (8 + 4 + 5) + numbers * size_of::<T>()
    }

    fn step_while(
        &mut self,
        steps: usize,
        is_masked: bool,
        goes_on: &dyn Fn() -> bool,
    ) -> Result<(), DeviceError> {
        for world in 0..self.count() {
            if !self.is_meant(world, is_masked) {
                continue;
            }
            if !goes_on() {
                break;
            }
            if steps > 0 && self.failed[world] != 0 && self.worlds.scene.head.resets != 0 {
                self.restart(world, 0, None);
            }
            for _ in (0..steps).take_while(|_| goes_on()) {
                self.worlds.step_world(world);
            }
            if steps > 0 {
                self.derive(world);
            }
        }
        Ok(())
    }

    fn forward(&mut self, is_masked: bool) -> Result<(), DeviceError> {
        for world in 0..self.count() {
            if self.is_meant(world, is_masked) {
                self.worlds.forward_world(world);
                self.derive(world);
            }
        }
        Ok(())
    }

    fn end(&mut self, is_masked: bool) -> Result<(), DeviceError> {
        let layout = self.worlds.scene.words;
        for world in 0..self.count() {
            if self.is_meant(world, is_masked) {
                let words = &self.worlds.words[world * layout.length..][..layout.length];
                let marks = Marks {
                    seen: &mut self.seen[world],
                    failed: &mut self.failed[world],
                    terminated: &mut self.terminated[world],
                    truncated: &mut self.truncated[world],
                };
                let (time, is_over) = (self.worlds.time[world], self.over[world] != 0);
                episode::end((&layout, words), time, self.limit, is_over, marks);
            }
        }
        Ok(())
    }

    fn reset(
        &mut self,
        is_masked: bool,
        key: Option<usize>,
        scatter: Option<Scatter>,
    ) -> Result<(), DeviceError> {
        let no_keyframe = DeviceError::NoKeyframe(key.unwrap_or(0));
        let start = self.starts.index(key).ok_or(no_keyframe)?;
        for world in 0..self.count() {
            if self.is_meant(world, is_masked) {
                self.restart(world, start, scatter);
            }
        }
        Ok(())
    }

    fn set_time_limit(&mut self, seconds: f64) {
        self.limit = seconds;
    }

    fn set_model(&mut self, model: &Model) -> Result<(), DeviceError> {
        let mut scene = Scene::<T>::wanted(model, &self.wanted)?;
        if self.worlds.scene.head.general != 0 {
            scene = scene.into_general();
        }
        if !scene.fits(&self.worlds.scene) {
            return Err(DeviceError::OtherModel);
        }
        self.starts = Starts::new(model, &scene);
        self.model.clone_from(model);
        self.own_starts.clear();
        self.worlds.set_scene(scene, Vec::new());
        Ok(())
    }

    fn set_values(&mut self, worlds: &[usize], values: Values<'_>) -> Result<(), DeviceError> {
        let is_first = self.worlds.own.is_empty();
        let meant = own::meant(worlds, self.count(), is_first)?;
        let Some((scene, rows)) = own::pack::<T>(&self.model, &self.wanted, &meant, values)? else {
            return Ok(());
        };
        own::check(
            &scene,
            &self.worlds.scene,
            meant.len() == self.count(),
            &meant,
        )?;
        let stride = scene.packed.own;
        let mut own = std::mem::take(&mut self.worlds.own);
        own.resize(self.count() * stride, T::ZERO);
        self.own_starts.resize(self.count(), self.starts.clone());
        for row in rows {
            own[row.world * stride..][..stride].copy_from_slice(&row.numbers);
            self.own_starts[row.world] = row.starts;
        }
        self.worlds.set_scene(scene, own);
        Ok(())
    }

    fn transfers(&self) -> u64 {
        self.transfers.get()
    }

    fn read(&self, rows: Rows, out: &mut [u8]) -> Result<(), DeviceError> {
        let memory = self.memory(rows.memory);
        check(&rows, memory.len(), out.len())?;
        self.count_transfer();
        for (k, out) in out.chunks_exact_mut(rows.width.max(1)).enumerate() {
            let start = rows.start + k * rows.pitch;
            out.copy_from_slice(&memory[start..start + rows.width]);
        }
        Ok(())
    }

    fn write(&mut self, rows: Rows, from: &[u8]) -> Result<(), DeviceError> {
        self.count_transfer();
        let memory = self.memory_mut(rows.memory);
        check(&rows, memory.len(), from.len())?;
        for (k, row) in from.chunks_exact(rows.width.max(1)).enumerate() {
            let start = rows.start + k * rows.pitch;
            memory[start..start + rows.width].copy_from_slice(row);
        }
        Ok(())
    }

    #[allow(unsafe_code)]
    unsafe fn copy(&mut self, rows: Rows, from: u64, pitch: usize) -> Result<(), DeviceError> {
        let width = rows.width;
        let mut given = Vec::with_capacity(rows.count * width);
        for k in 0..rows.count {
            let row = std::ptr::with_exposed_provenance::<u8>(from as usize + k * pitch);
            // SAFETY: so many rows are there, as the caller promises.
            given.extend_from_slice(unsafe { std::slice::from_raw_parts(row, width) });
        }
        self.write(rows, &given)
    }

    fn wait(&self) -> Result<(), DeviceError> {
        Ok(())
    }

    fn stream(&self) -> usize {
        0
    }

    #[allow(unsafe_code)]
    unsafe fn set_stream(&mut self, _stream: usize) -> Result<(), DeviceError> {
        Ok(())
    }

    #[allow(unsafe_code)]
    unsafe fn let_wait(&self, _stream: usize) -> Result<(), DeviceError> {
        Ok(())
    }
}
