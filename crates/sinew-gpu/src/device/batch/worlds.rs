//! What callers that do not know where worlds are ask of them.

use super::DeviceBatch;
use crate::device::DeviceError;
use crate::device::launch::{self, Launch};
use crate::field::{Field, Memory, fields};
use crate::own::{self, Values};
use crate::scene::Scene;
use crate::starts::Starts;
use crate::worlds::{Place, Rows, Scatter, Worlds, check};
use bytemuck::cast_slice;
use cudarc::driver::sys;
use sinew_kernels::Number;
use sinew_model::Model;

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

    fn step_while(
        &mut self,
        steps: usize,
        is_masked: bool,
        goes_on: &dyn Fn() -> bool,
    ) -> Result<(), DeviceError> {
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
        DeviceBatch::step_while(self, steps, goes_on)?;
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
