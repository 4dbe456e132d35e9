//! Values of the model that differ per world.
//!
//! They are matrices with a row per world, like the worlds themselves. Each thread has a model of its own into
//! which it writes a world's rows before it computes with the world; the structure is everybody's.

use crate::batch::{Batch, GoesOn};
use crate::error::BatchError;
use crate::pool::lock;
use crate::which::Which;
use sinew_engine::CallError;
use sinew_engine::constants::set_constants;
use sinew_model::{Model, Value};
use std::sync::Mutex;

/// One array of values of all worlds, row by row.
#[derive(Clone, Debug)]
struct Matrix {
    name: String,
    value: Value,
    /// Shape of a row.
    shape: Vec<usize>,
    cells: Vec<f64>,
}

impl Matrix {
    fn width(&self) -> usize {
        self.shape.iter().product()
    }
}

/// All values that differ per world.
#[derive(Clone, Debug, Default)]
pub(crate) struct Values {
    matrices: Vec<Matrix>,
    /// Bodies whose weight is carried, per world, once constants were derived.
    floating: Vec<usize>,
}

/// What [`set_constants`] derives and a simulation reads, besides the number of bodies whose weight is carried.
const CONSTANTS: [&str; 23] = [
    "body_subtreemass",
    "body_invweight0",
    "dof_M0",
    "dof_invweight0",
    "dof_length",
    "tendon_length0",
    "tendon_invweight0",
    "tendon_lengthspring",
    "actuator_length0",
    "actuator_acc0",
    "actuator_biasprm",
    "eq_data",
    "cam_poscom0",
    "cam_pos0",
    "cam_mat0",
    "light_poscom0",
    "light_pos0",
    "light_dir0",
    "stat.meaninertia",
    "stat.meanmass",
    "stat.meansize",
    "stat.extent",
    "stat.center",
];

impl Values {
    pub fn is_empty(&self) -> bool {
        self.matrices.is_empty()
    }

    /// Names of the arrays.
    pub fn names(&self) -> impl Iterator<Item = &str> {
        self.matrices.iter().map(|matrix| matrix.name.as_str())
    }

    /// A world's rows of the arrays.
    pub fn rows(&self, world: usize) -> impl Iterator<Item = &[f64]> {
        let matrices = self.matrices.iter();
        matrices.map(move |matrix| {
            let width = matrix.width();
            &matrix.cells[world * width..][..width]
        })
    }

    /// Writes a world's values into a model.
    pub fn load(&self, world: usize, model: &mut Model) {
        for (matrix, row) in self.matrices.iter().zip(self.rows(world)) {
            matrix.value.of(model).copy_from_slice(row);
        }
        if let Some(&count) = self.floating.get(world) {
            model.set_floating_bodies(count);
        }
    }

    /// Takes over the values of another batch; `None` if it has some that are not here.
    pub fn copy_from(&mut self, other: &Values) -> Option<()> {
        let find = |name: &str| self.matrices.iter().position(|own| own.name == name);
        let places: Option<Vec<usize>> = other.matrices.iter().map(|m| find(&m.name)).collect();
        for (place, matrix) in places?.into_iter().zip(&other.matrices) {
            self.matrices[place].cells.copy_from_slice(&matrix.cells);
        }
        self.floating.clone_from(&other.floating);
        Some(())
    }

    /// Bytes of all worlds.
    pub fn bytes(&self) -> usize {
        let cells: usize = self.matrices.iter().map(|matrix| matrix.cells.len()).sum();
        8 * (cells + self.floating.len())
    }
}

/// Rows of the constants of worlds that follow each other, for one worker.
struct Rows<'a> {
    first: usize,
    count: usize,
    /// The matrices that are constants, and their rows.
    constants: Vec<(Value, usize, &'a mut [f64])>,
    floating: &'a mut [usize],
    /// The first world that failed.
    failure: Option<BatchError>,
}

impl Batch {
    /// Lets worlds differ in an array of the model's values: one of the reference's arrays (`body_mass`,
    /// `geom_friction`), an option (`opt.gravity`) or a statistic. Each world begins with the values of the
    /// model and has its own row from now on.
    ///
    /// What follows from values (`body_subtreemass`, `dof_invweight0`, …) stays as it is until
    /// [`Batch::derive_constants`].
    pub fn expand(&mut self, name: &str) -> Result<(), BatchError> {
        if self
            .values
            .matrices
            .iter()
            .any(|matrix| matrix.name == name)
        {
            return Ok(());
        }
        let value = Value::named(name);
        let value = value.ok_or_else(|| BatchError::UnknownValue(name.to_owned()))?;
        let count = self.len();
        let mut model = Model::clone(self.model());
        let row = value.of(&mut model).to_vec();
        let cells = crate::worlds::repeated(&row, count);
        let cells = cells.ok_or(BatchError::Memory { count })?;
        let shape = value.shape(&mut model);
        let name = name.to_owned();
        self.values.matrices.push(Matrix {
            name,
            value,
            shape,
            cells,
        });
        self.set_lanes(self.lanes);
        Ok(())
    }

    /// Names of the values that worlds have of their own, and the shape of a world's row.
    pub fn values(&self) -> impl Iterator<Item = (&str, &[usize])> {
        let matrices = self.values.matrices.iter();
        matrices.map(|matrix| (matrix.name.as_str(), matrix.shape.as_slice()))
    }

    /// Values of all worlds, row by row; an error if worlds have none of that name of their own.
    pub fn value(&self, name: &str) -> Result<&[f64], BatchError> {
        let mut matrices = self.values.matrices.iter();
        let found = matrices.find(|matrix| matrix.name == name);
        let found = found.ok_or_else(|| BatchError::UnknownValue(name.to_owned()))?;
        Ok(&found.cells)
    }

    /// Values of all worlds for writing.
    pub fn value_mut(&mut self, name: &str) -> Result<&mut [f64], BatchError> {
        let mut matrices = self.values.matrices.iter_mut();
        let found = matrices.find(|matrix| matrix.name == name);
        let found = found.ok_or_else(|| BatchError::UnknownValue(name.to_owned()))?;
        Ok(&mut found.cells)
    }

    /// How many bodies of each world have their weight carried; empty before constants were derived.
    pub fn floating_bodies(&self) -> &[usize] {
        &self.values.floating
    }

    /// Sets what [`Batch::floating_bodies`] gives: nothing, or a number per world.
    pub fn set_floating_bodies(&mut self, counts: &[usize]) -> Result<(), CallError> {
        let (what, expected, found) = ("floating bodies", self.len(), counts.len());
        if found != 0 && found != expected {
            return Err(CallError::Length {
                what,
                expected,
                found,
            });
        }
        self.values.floating = counts.to_vec();
        Ok(())
    }

    /// The model of a world: the structure of all with its own values.
    pub fn model_of(&self, world: usize) -> Model {
        let mut model = Model::clone(self.model());
        if world < self.len() {
            self.values.load(world, &mut model);
        }
        model
    }

    /// Derives again what depends on masses, `qpos0` and the like, from the values of each world
    /// ([`set_constants`]). From now on worlds have constants of their own. A world whose constants cannot be
    /// derived keeps those it had.
    pub fn derive_constants(
        &mut self,
        which: Which<'_>,
        goes_on: GoesOn<'_>,
    ) -> Result<(), BatchError> {
        which.check(self.len())?;
        for name in CONSTANTS {
            self.expand(name)?;
        }
        if self.values.floating.is_empty() {
            self.values.floating = vec![self.model().ngravcomp; self.len()];
        }
        // Derived from what the worlds have now, while the rows are being replaced.
        let before = self.values.clone();
        let size = self.chunk_size();
        let Batch {
            model,
            values,
            workers,
            pool,
            ..
        } = self;
        let parts = in_rows(values, size);
        pool.for_each_while(workers, &parts, goes_on, |worker, rows| {
            for i in 0..rows.count {
                let world = rows.first + i;
                if !which.has(world) || !goes_on() {
                    continue;
                }
                let model = worker.own.made(model);
                before.load(world, model);
                match set_constants(model) {
                    Ok(()) => rows.store(i, model),
                    Err(error) => {
                        rows.failure
                            .get_or_insert(BatchError::Constants { world, error });
                    }
                }
            }
        });
        let failure = parts.iter().find_map(|rows| lock(rows).failure.take());
        failure.map_or(Ok(()), Err)
    }
}

impl Rows<'_> {
    /// Takes the constants of a world out of a model.
    fn store(&mut self, i: usize, model: &mut Model) {
        for (value, width, rows) in &mut self.constants {
            rows[i * *width..][..*width].copy_from_slice(value.of(model));
        }
        self.floating[i] = model.ngravcomp;
    }
}

/// The rows of the constants in chunks that can be worked on at the same time.
fn in_rows(values: &mut Values, size: usize) -> Vec<Mutex<Rows<'_>>> {
    let mut parts: Vec<Rows<'_>> = Vec::new();
    for (k, floating) in values.floating.chunks_mut(size).enumerate() {
        parts.push(Rows {
            first: k * size,
            count: floating.len(),
            constants: Vec::new(),
            floating,
            failure: None,
        });
    }
    let is_constant = |matrix: &&mut Matrix| CONSTANTS.contains(&matrix.name.as_str());
    for matrix in values.matrices.iter_mut().filter(is_constant) {
        let width = matrix.width();
        let mut rest = matrix.cells.as_mut_slice();
        for part in &mut parts {
            let own;
            (own, rest) = rest.split_at_mut(part.count * width);
            part.constants.push((matrix.value, width, own));
        }
    }
    parts.into_iter().map(Mutex::new).collect()
}

/// The model of a thread, with the values of the world at hand, once worlds have values of their own.
#[derive(Clone, Debug, Default)]
pub(crate) struct OwnModel(Option<Box<Model>>);

impl OwnModel {
    /// The model of a world.
    pub fn of<'a>(&'a mut self, shared: &'a Model, values: &Values, world: usize) -> &'a Model {
        if values.is_empty() {
            return shared;
        }
        let model = self.made(shared);
        values.load(world, model);
        model
    }

    fn made(&mut self, shared: &Model) -> &mut Model {
        self.0.get_or_insert_with(|| Box::new(shared.clone()))
    }
}
