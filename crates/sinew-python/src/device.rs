//! Many worlds on a device as a Python object: the calls that start something there, and copies.
//!
//! The arrays are described to Python, which hands them out with DLPack (`dlpack.rs`). A call has the batch for itself;
//! a second thread that comes in meanwhile gets `BusyError`.
//!
//! # Safety
//!
//! The memory of the worlds is allocated when they are made, and neither moved nor resized before they are dropped;
//! [`NativeDeviceBatch`] owns them and is held by every array that is exported. Where that is memory of the process, numbers
//! may be read and written while worlds are computed: a race for numbers, not for memory, as in `batch.rs`.

use crate::batch::NativeBatch;
use crate::dlpack::{self, Array};
use crate::failure;
use crate::interrupt::Interrupt;
use crate::model::NativeModel;
use crate::structure::Extent;
use numpy::{PyReadonlyArray1, PyReadwriteArray1};
use pyo3::exceptions::{PyIndexError, PyKeyError, PyValueError};
use pyo3::prelude::*;
use sinew::model::{Model, Value};
use sinew_gpu::{
    Capacity, DeviceBatch, DeviceError, EmulatedBatch, Field, Held, Kernels, Kind, Noise, Place,
    Refusal, Rows, Scatter, Scene, Spread, Worlds,
};
use std::sync::{Mutex, MutexGuard, PoisonError, TryLockError};

/// Worlds on a device. Their arrays never move.
#[pyclass(name = "DeviceBatch", module = "sinew._native", frozen)]
pub struct NativeDeviceBatch {
    worlds: Mutex<Held>,
    fields: Vec<Field>,
    count: usize,
    place: Place,
    /// Where the memory of each field begins, and how long it is.
    memories: Vec<(u64, usize)>,
}

/// Numbers of an array: where they begin and how far they are apart, in bytes.
type View = (usize, Vec<usize>, Vec<usize>);

/// Rows in bytes: where they begin, how many there are, how far they are apart, how long they are.
type RowBytes = (usize, usize, usize, usize);

impl NativeDeviceBatch {
    fn enter(&self) -> PyResult<MutexGuard<'_, Held>> {
        match self.worlds.try_lock() {
            Ok(worlds) => Ok(worlds),
            Err(TryLockError::Poisoned(poisoned)) => Ok(PoisonError::into_inner(poisoned)),
            Err(TryLockError::WouldBlock) => Err(failure::busy("batch")),
        }
    }

    /// Runs something with the interpreter lock released.
    fn compute<T: Send>(
        &self,
        py: Python<'_>,
        work: impl FnOnce(&mut dyn Worlds) -> Result<T, DeviceError> + Send,
    ) -> PyResult<T> {
        let mut held = self.enter()?;
        let worlds = &mut *held;
        let result = py.detach(|| failure::guard(|| worlds.get_mut().and_then(work)));
        drop(held);
        result?.map_err(failed)
    }

    fn index(&self, name: &str) -> PyResult<usize> {
        let index = self.fields.iter().position(|field| field.name == name);
        index.ok_or_else(|| PyKeyError::new_err(name.to_owned()))
    }

    /// What memory some bytes of an array are.
    fn rows(&self, name: &str, (start, count, pitch, width): RowBytes) -> PyResult<Rows> {
        let field = &self.fields[self.index(name)?];
        Ok(Rows {
            memory: field.memory,
            start: field.offset * field.kind.bytes() + start,
            count,
            pitch,
            width,
        })
    }

    /// Whether a view lies within its memory.
    fn check(&self, index: usize, (start, shape, strides): &View) -> PyResult<()> {
        let field = &self.fields[index];
        let mut end = field.offset * field.kind.bytes() + start + field.kind.bytes();
        let is_empty = shape.contains(&0);
        for (size, stride) in shape.iter().zip(strides) {
            end = end.saturating_add(size.saturating_sub(1).saturating_mul(*stride));
        }
        match shape.len() == strides.len() && (is_empty || end <= self.memories[index].1) {
            true => Ok(()),
            false => Err(PyIndexError::new_err("beyond the array")),
        }
    }
}

#[pymethods]
impl NativeDeviceBatch {
    /// So many worlds of a model as it is now. `place` is the number of a graphics processor, or none: then the processor
    /// runs the kernels. A world has `room` for so many contacts and, if told so, for forces on bodies; arrays besides the
    /// state are kept.
    #[new]
    fn new(
        py: Python<'_>,
        model: &Bound<'_, NativeModel>,
        count: usize,
        place: Option<usize>,
        is_single: bool,
        room: (Option<usize>, bool),
        derived: Vec<String>,
    ) -> PyResult<Self> {
        let shared = model.get();
        let (contacts, has_body_forces) = room;
        let usual = Capacity::default();
        let capacity = Capacity {
            contacts: contacts.unwrap_or(usual.contacts),
            wrenches: has_body_forces,
        };
        let made = py.detach(|| {
            let model = shared.cloned(Extent::Rays)?;
            let derived: Vec<&str> = derived.iter().map(String::as_str).collect();
            failure::guard(|| match is_single {
                true => make::<f32>(&model, count, place, capacity, &derived),
                false => make::<f64>(&model, count, place, capacity, &derived),
            })
        });
        let worlds = made?.map_err(failed)?;
        let fields = worlds.fields();
        let memory = |field: &Field| (worlds.address(field.memory), worlds.length(field.memory));
        Ok(NativeDeviceBatch {
            memories: fields.iter().map(memory).collect(),
            count: worlds.count(),
            place: worlds.place(),
            worlds: Mutex::new(Held::new(worlds)),
            fields,
        })
    }

    /// The arrays: name, numpy's name of the type, shape and strides in bytes.
    fn arrays(&self) -> Vec<(&'static str, &'static str, Vec<usize>, Vec<usize>)> {
        let describe = |field: &Field| {
            let size = field.kind.bytes();
            let mut strides = vec![field.stride * size];
            for k in 0..field.shape.len() {
                strides.push(field.shape[k + 1..].iter().product::<usize>() * size);
            }
            let mut shape = vec![self.count];
            shape.extend(&field.shape);
            (field.name, numpy_name(field.kind), shape, strides)
        };
        self.fields.iter().map(describe).collect()
    }

    /// DLPack's numbers of the device.
    fn dlpack_device(&self) -> (i32, i32) {
        match self.place {
            Place::Device(number) => (dlpack::CUDA, number as i32),
            Place::Emulated => (dlpack::CPU, 0),
        }
    }

    /// Part of an array as a DLPack capsule.
    fn dlpack(
        slf: &Bound<'_, Self>,
        name: &str,
        view: View,
        is_versioned: bool,
    ) -> PyResult<Py<PyAny>> {
        let own = slf.get();
        let index = own.index(name)?;
        own.check(index, &view)?;
        let kind = own.fields[index].kind;
        let (_, shape, strides) = &view;
        let array = Array {
            start: own.start(name, view.0)?,
            kind,
            device: own.dlpack_device(),
            shape: shape.iter().map(|&n| n as i64).collect(),
            strides: strides.iter().map(|&n| (n / kind.bytes()) as i64).collect(),
        };
        array.export(slf.py(), slf.clone().into_any().unbind(), is_versioned)
    }

    /// The address of a byte of an array.
    fn start(&self, name: &str, start: usize) -> PyResult<u64> {
        let index = self.index(name)?;
        let field = &self.fields[index];
        Ok(self.memories[index].0 + (field.offset * field.kind.bytes() + start) as u64)
    }

    /// Advances worlds by a number of steps, all or those of the mask, until Ctrl-C.
    fn step(&self, py: Python<'_>, count: usize, is_masked: bool) -> PyResult<()> {
        let interrupt = Interrupt::new();
        let made = self.compute(py, |worlds| {
            worlds.step_while(count, is_masked, &|| interrupt.goes_on())
        });
        interrupt.raise()?;
        made
    }

    /// Computes what is asked for besides the state, and what sensors read.
    fn forward(&self, py: Python<'_>, is_masked: bool) -> PyResult<()> {
        self.compute(py, |worlds| worlds.forward(is_masked))
    }

    /// Takes the values that some worlds of a batch on the processor have of their own.
    fn set_values(
        &self,
        py: Python<'_>,
        batch: &Bound<'_, NativeBatch>,
        which: Vec<usize>,
    ) -> PyResult<()> {
        let held = batch.get().enter()?;
        let (count, mut values) = (held.len(), Vec::new());
        for (name, shape) in held.values() {
            let width = shape.iter().product::<usize>();
            if let (Some(value), Ok(cells)) = (Value::named(name), held.value(name)) {
                values.push((value, width, cells));
            }
        }
        let floating = held.floating_bodies();
        let load = |world: usize, model: &mut Model| {
            for &(value, width, cells) in values.iter().filter(|_| world < count) {
                let row = &cells[world * width..][..width];
                value.of(model).copy_from_slice(row);
            }
            if let Some(&count) = floating.get(world) {
                model.set_floating_bodies(count);
            }
        };
        self.compute(py, |worlds| worlds.set_values(&which, &load))
    }

    /// How often something was copied between the worlds and the host.
    #[getter]
    fn transfers(&self, py: Python<'_>) -> PyResult<u64> {
        self.compute(py, |worlds| Ok(worlds.transfers()))
    }

    /// Says how episodes have ended.
    fn end(&self, py: Python<'_>, is_masked: bool) -> PyResult<()> {
        self.compute(py, |worlds| worlds.end(is_masked))
    }

    /// Puts worlds into the initial state, or into that of a keyframe, or near to it: sizes of noise of positions and
    /// of velocities, whether it is normal, and the seed.
    fn reset(
        &self,
        py: Python<'_>,
        is_masked: bool,
        key: Option<usize>,
        noise: Option<(f64, f64, bool, u64)>,
    ) -> PyResult<()> {
        let scatter = noise.map(|(position, velocity, is_normal, seed)| Scatter {
            noise: Noise {
                position,
                velocity,
                spread: if is_normal {
                    Spread::Normal
                } else {
                    Spread::Uniform
                },
            },
            seed,
        });
        self.compute(py, |worlds| worlds.reset(is_masked, key, scatter))
    }

    /// Episodes count as truncated from this simulated time on.
    fn set_time_limit(&self, py: Python<'_>, seconds: f64) -> PyResult<()> {
        self.compute(py, |worlds| {
            worlds.set_time_limit(seconds);
            Ok(())
        })
    }

    /// Goes on with the values that a model of the same structure has now.
    fn set_model(&self, py: Python<'_>, model: &Bound<'_, NativeModel>) -> PyResult<()> {
        let model = model.get().cloned(Extent::Rays)?;
        self.compute(py, |worlds| worlds.set_model(&model))
    }

    /// Bytes that a world takes.
    #[getter]
    fn bytes_per_world(&self, py: Python<'_>) -> PyResult<usize> {
        let count = self.count.max(1);
        self.compute(py, |worlds| Ok(worlds.bytes().div_ceil(count)))
    }

    /// Copies rows of an array here.
    fn read(
        &self,
        py: Python<'_>,
        name: &str,
        rows: RowBytes,
        mut out: PyReadwriteArray1<'_, u8>,
    ) -> PyResult<()> {
        let rows = self.rows(name, rows)?;
        let out = out.as_slice_mut()?;
        self.compute(py, |worlds| worlds.read(rows, out))
    }

    /// Copies rows of an array there.
    fn write(
        &self,
        py: Python<'_>,
        name: &str,
        rows: RowBytes,
        from: PyReadonlyArray1<'_, u8>,
    ) -> PyResult<()> {
        let rows = self.rows(name, rows)?;
        let from = from.as_slice()?;
        self.compute(py, |worlds| worlds.write(rows, from))
    }

    /// Copies a whole array of others on the same device, in a DLPack capsule, over rows of ours.
    #[allow(unsafe_code)]
    fn copy(
        &self,
        py: Python<'_>,
        name: &str,
        rows: RowBytes,
        shape: Vec<i64>,
        capsule: &Bound<'_, PyAny>,
    ) -> PyResult<()> {
        let kind = self.fields[self.index(name)?].kind;
        let (from, pitch) = dlpack::rows(capsule, kind, self.dlpack_device(), &shape)?;
        let rows = self.rows(name, rows)?;
        let given = shape.iter().product::<i64>() as usize * kind.bytes();
        if rows.count * rows.width != given {
            return Err(PyValueError::new_err("the arrays have different sizes"));
        }
        self.compute(py, |worlds| {
            // SAFETY: the capsule has so many rows; Python keeps their owner until the copy is made.
            unsafe { worlds.copy(rows, from, pitch) }
        })
    }

    /// Waits until everything is done.
    fn wait(&self, py: Python<'_>) -> PyResult<()> {
        self.compute(py, |worlds| worlds.wait())
    }

    /// The stream that work goes to.
    #[getter]
    fn stream(&self, py: Python<'_>) -> PyResult<usize> {
        self.compute(py, |worlds| Ok(worlds.stream()))
    }

    /// Lets work go to another stream, a handle of the driver.
    #[allow(unsafe_code)]
    fn set_stream(&self, py: Python<'_>, stream: usize) -> PyResult<()> {
        // SAFETY: Python's users promise that it is a stream of this device, as `sinew.Batch.stream` says.
        self.compute(py, |worlds| unsafe { worlds.set_stream(stream) })
    }

    /// Lets another stream wait for what was started here.
    #[allow(unsafe_code)]
    fn let_wait(&self, py: Python<'_>, stream: usize) -> PyResult<()> {
        // SAFETY: DLPack's users promise that it is a stream of this device.
        self.compute(py, |worlds| unsafe { worlds.let_wait(stream) })
    }
}

/// Worlds where they are asked for.
fn make<T: sinew_gpu::Emulated + Send + Sync>(
    model: &Model,
    count: usize,
    place: Option<usize>,
    capacity: Capacity,
    derived: &[&str],
) -> Result<Box<dyn Worlds>, DeviceError> {
    Ok(match place {
        None => Box::new(EmulatedBatch::<T>::with(model, count, capacity, derived)?),
        Some(number) => {
            // A model that is refused needs no device to say so.
            Scene::<T>::new(model, capacity).map_err(DeviceError::Refused)?;
            let kernels = Kernels::of_device(number)?;
            let worlds = DeviceBatch::<T>::with(&kernels, model, count, capacity, derived)?;
            Box::new(worlds)
        }
    })
}

fn numpy_name(kind: Kind) -> &'static str {
    match kind {
        Kind::F32 => "float32",
        Kind::F64 => "float64",
        Kind::I32 => "int32",
        Kind::U64 => "uint64",
        Kind::Flag => "bool",
    }
}

/// What models may have that devices do not compute.
#[pyfunction]
pub fn device_refusals() -> Vec<&'static str> {
    Refusal::ALL.iter().map(|refusal| refusal.name()).collect()
}

/// What a model has that devices do not compute; the first such thing.
#[pyfunction]
pub fn device_refusal(
    py: Python<'_>,
    model: &Bound<'_, NativeModel>,
) -> PyResult<Option<&'static str>> {
    let shared = model.get();
    py.detach(|| {
        let model = shared.cloned(Extent::Rays)?;
        failure::guard(|| Scene::<f64>::new(&model, Capacity::default()).err())
    })
    .map(|refusal| refusal.map(Refusal::name))
}

/// Arrays besides the state that devices keep for who asks.
#[pyfunction]
pub fn device_derived() -> Vec<&'static str> {
    sinew_gpu::DERIVED.to_vec()
}

/// Kinds of sensors of a model that are not read on devices.
#[pyfunction]
pub fn device_unread(py: Python<'_>, model: &Bound<'_, NativeModel>) -> PyResult<Vec<String>> {
    let shared = model.get();
    py.detach(|| {
        let model = shared.cloned(Extent::Rays)?;
        failure::guard(|| match Scene::<f64>::new(&model, Capacity::default()) {
            Ok(scene) => scene
                .unread
                .iter()
                .map(|kind| format!("{kind:?}"))
                .collect(),
            Err(_) => Vec::new(),
        })
    })
}

/// The name of a graphics processor and its architecture; an error if there is none.
#[pyfunction]
pub fn device_name(py: Python<'_>, number: usize) -> PyResult<(String, (i32, i32))> {
    let found = py.detach(|| {
        failure::guard(|| {
            let device = sinew_gpu::Device::find(number)?;
            Ok((device.name()?, device.architecture()?))
        })
    });
    found?.map_err(failed)
}

fn failed(error: DeviceError) -> PyErr {
    match error {
        DeviceError::WrongLength { .. } => PyValueError::new_err(error.to_string()),
        DeviceError::NoKeyframe(_) => PyIndexError::new_err(error.to_string()),
        error => Python::attach(|py| {
            let made = py
                .import("sinew.errors")
                .and_then(|errors| errors.getattr("DeviceError"))
                .and_then(|class| class.call1((error.to_string(), error.kind())));
            made.map_or_else(|error| error, PyErr::from_value)
        }),
    }
}
