//! Rows of memory of the worlds as the driver copies them.

use super::DeviceBatch;
use crate::device::DeviceError;
use crate::worlds::Rows;
use cudarc::driver::sys;
use sinew_kernels::Number;

impl<T: Number> DeviceBatch<T> {
    /// A copy of rows between the device and somewhere else.
    pub(super) fn copy_rows(&self, mut copy: sys::CUDA_MEMCPY2D) -> Result<(), DeviceError> {
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
    pub(super) fn shape(&self, rows: Rows) -> sys::CUDA_MEMCPY2D {
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
