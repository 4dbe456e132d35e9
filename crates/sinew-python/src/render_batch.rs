//! Pictures of the worlds of a batch, each thread with a simulation of its own.

use crate::batch::NativeBatch;
use crate::data::check_room_of_threads;
use crate::failure;
use crate::interrupt::Interrupt;
use crate::model::NativeModel;
use crate::render::{Camera, Flags, Groups, options, refused, view};
use crate::room;
use crate::structure::Extent;
use numpy::PyReadwriteArray1;
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use sinew::batch::{Batch, Pool};
use sinew::engine::{Data, Engine};
use sinew::model::Model;
use sinew::render::{Options, Renderer, Scene};
use std::sync::{Mutex, PoisonError};

/// What pictures show.
#[derive(Clone, Copy)]
enum Kind {
    Colours,
    Depth,
    Objects,
}

/// Draws worlds of a batch.
#[pyclass(name = "BatchRenderer", module = "sinew._native", frozen)]
pub struct NativeBatchRenderer {
    renderer: Renderer,
    crew: Mutex<Crew>,
}

/// Threads, and a simulation for each.
struct Crew {
    pool: Pool,
    worlds: Vec<Data>,
}

/// What all pictures of a call have in common.
struct Order<'a> {
    renderer: &'a Renderer,
    batch: &'a Batch,
    camera: Camera,
    options: Options,
    width: usize,
    height: usize,
    kind: Kind,
}

#[pymethods]
impl NativeBatchRenderer {
    /// A renderer of a model as it is now, on a number of threads (0: as many as the machine runs at once).
    #[new]
    fn new(model: &Bound<'_, NativeModel>, threads: usize) -> PyResult<Self> {
        let model = model.get().checked(Extent::Rays)?;
        check_room_of_threads(&model, threads)?;
        room::check(model.byte_size(), "what pictures need of a model")?;
        let renderer = failure::guard(|| Renderer::new(&model))?.map_err(refused)?;
        let pool = Pool::new(threads);
        let worlds = (0..pool.threads()).map(|_| Data::new(&model)).collect();
        Ok(NativeBatchRenderer {
            renderer,
            crew: Mutex::new(Crew { pool, worlds }),
        })
    }

    /// Draws worlds into the bytes of an array, one picture after the other.
    fn draw(
        &self,
        py: Python<'_>,
        batch: &Bound<'_, NativeBatch>,
        worlds: Vec<usize>,
        shown: (Camera, Groups, Flags),
        form: (usize, usize, String),
        mut out: PyReadwriteArray1<'_, u8>,
    ) -> PyResult<()> {
        let (camera, groups, flags) = shown;
        let (width, height, kind) = form;
        let (kind, bytes) = match kind.as_str() {
            "rgb" => (Kind::Colours, 3),
            "depth" => (Kind::Depth, 4),
            _ => (Kind::Objects, 8),
        };
        let out = out.as_slice_mut()?;
        let each = bytes * width * height;
        if each == 0 || out.len() != each * worlds.len() {
            return Err(PyValueError::new_err("the array does not fit the pictures"));
        }
        let held = batch.get().enter()?;
        let order = Order {
            renderer: &self.renderer,
            batch: &held,
            camera,
            options: options(groups, flags, None),
            width,
            height,
            kind,
        };
        let interrupt = Interrupt::new();
        let drawn = py.detach(|| {
            let mut crew = self.crew.lock().unwrap_or_else(PoisonError::into_inner);
            let Crew { pool, worlds: own } = &mut *crew;
            let trouble = Mutex::new(None);
            let pictures = worlds.iter().zip(out.chunks_exact_mut(each));
            let parts: Vec<_> = pictures.map(Mutex::new).collect();
            failure::guard(|| {
                let goes_on = || interrupt.goes_on();
                pool.for_each_while(own, &parts, &goes_on, |data, (world, bytes)| {
                    if !interrupt.goes_on() {
                        return;
                    }
                    if let Err(error) = order.draw(data, **world, bytes) {
                        let mut first = trouble.lock().unwrap_or_else(PoisonError::into_inner);
                        first.get_or_insert(error);
                    }
                });
            })
            .map(|()| trouble.into_inner().unwrap_or_else(PoisonError::into_inner))
        });
        interrupt.raise()?;
        drawn?.map_or(Ok(()), Err)
    }
}

impl Order<'_> {
    fn draw(&self, data: &mut Data, world: usize, bytes: &mut [u8]) -> PyResult<()> {
        // Worlds with values of their own have a model of their own.
        if self.batch.values().next().is_none() {
            return self.draw_model(self.batch.model(), data, world, bytes);
        }
        let model = self.batch.model_of(world);
        let mut own = Data::new(&model);
        self.draw_model(&model, &mut own, world, bytes)
    }

    fn draw_model(
        &self,
        model: &Model,
        data: &mut Data,
        world: usize,
        bytes: &mut [u8],
    ) -> PyResult<()> {
        let wrong = crate::query::wrong_call;
        self.batch.load(world, data).map_err(wrong)?;
        let mut engine = Engine::new(model);
        engine.forward_kinematics(data).map_err(wrong)?;
        let view = view(model, data, self.camera)?;
        let mut scene = Scene::new(model, data, &view, &self.options);
        // Distances are those of objects.
        scene.effects.sky = matches!(self.kind, Kind::Colours);
        let (renderer, width, height) = (self.renderer, self.width, self.height);
        let drawn = match self.kind {
            Kind::Colours => renderer.draw(&scene, &view, width, height).map(|image| {
                bytes.copy_from_slice(&image.pixels);
            }),
            Kind::Depth => renderer.depth(&scene, &view, width, height).map(|depth| {
                write(
                    bytes,
                    depth.metres.iter().map(|number| number.to_ne_bytes()),
                );
            }),
            Kind::Objects => renderer.segment(&scene, &view, width, height).map(|seen| {
                let codes = seen.objects.iter().flatten();
                write(bytes, codes.map(|code| code.to_ne_bytes()));
            }),
        };
        drawn.map_err(refused)
    }
}

fn write(bytes: &mut [u8], numbers: impl Iterator<Item = [u8; 4]>) {
    for (target, number) in bytes.chunks_exact_mut(4).zip(numbers) {
        target.copy_from_slice(&number);
    }
}
