//! Worlds that have values of the model of their own.

use super::DeviceBatch;
use crate::device::DeviceError;
use crate::device::launch::{self, Arguments, Launch};
use crate::own::Own;
use crate::scene::Scene;
use bytemuck::cast_slice;
use sinew_kernels::warp::LANES;
use sinew_kernels::{Number, forward};

impl<T: Number> DeviceBatch<T> {
    /// Goes on with a scene in which all worlds have numbers of their own.
    pub(super) fn put_all_own(
        &mut self,
        scene: Scene<T>,
        rows: &[Own<T>],
    ) -> Result<(), DeviceError> {
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
    pub(super) fn put_own_starts(&mut self, rows: &[Own<T>]) -> Result<(), DeviceError> {
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
}
