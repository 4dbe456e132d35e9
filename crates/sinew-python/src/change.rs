//! Changes to a model after loading, and contacts that the user adds.

use crate::contact::check_dimensions;
use crate::data::NativeData;
use crate::failure;
use crate::model::NativeModel;
use crate::query::{change, index, wrong_call};
use crate::structure::Extent;
use pyo3::exceptions::{PyRuntimeError, PyValueError};
use pyo3::prelude::*;
use sinew::engine::constants::{
    LengthRangeOptions, find_length_range, set_constants_in, set_total_mass,
};
use sinew::engine::position::contact::Contact;
use sinew::math::{Mat3, Vec3};
use sinew::model::Model;

/// Derives again what depends on masses, `qpos0` and the like, in the arrays of a simulation.
#[pyfunction]
pub fn derive_constants(
    model: &Bound<'_, NativeModel>,
    data: &Bound<'_, NativeData>,
) -> PyResult<()> {
    let mut changed = model.get().cloned(Extent::Step)?;
    drop(model.get().write()?);
    change(model, data, |_, data| {
        set_constants_in(&mut changed, data)
            .map_err(|error| PyValueError::new_err(error.to_string()))
    })?;
    overwrite(model, &changed)
}

/// Scales masses and inertias to a total mass.
#[pyfunction]
pub fn scale_mass(model: &Bound<'_, NativeModel>, total: f64) -> PyResult<()> {
    let mut changed = model.get().cloned(Extent::Step)?;
    failure::guard(|| set_total_mass(&mut changed, total))?
        .map_err(|error| PyValueError::new_err(error.to_string()))?;
    overwrite(model, &changed)
}

/// The values of another model with the same sizes. Arrays stay where they are.
fn overwrite(model: &Bound<'_, NativeModel>, changed: &Model) -> PyResult<()> {
    let mut target = model.get().write()?;
    for (to, from) in target
        .unchecked()
        .columns_mut()
        .into_iter()
        .zip(changed.columns())
    {
        to.bytes.copy_from_slice(from.bytes);
    }
    target.stat = changed.stat.clone();
    target.unchecked().ngravcomp = changed.ngravcomp;
    Ok(())
}

/// The range of lengths of an actuator, found by simulating the model as it stands.
#[pyfunction]
pub fn length_range(
    model: &Bound<'_, NativeModel>,
    actuator: i64,
    options: [f64; 7],
) -> PyResult<[f64; 2]> {
    let [
        accel,
        maxforce,
        timeconst,
        timestep,
        inttotal,
        interval,
        tolrange,
    ] = options;
    let options = LengthRangeOptions {
        accel,
        maxforce,
        timeconst,
        timestep,
        inttotal,
        interval,
        tolrange,
    };
    let shared = model.get();
    let found = model.py().detach(|| {
        let model = shared.checked(Extent::Step)?;
        let actuator = index("actuator", actuator, model.nu)?;
        let keep_going = || Python::attach(|py| py.check_signals().is_ok());
        failure::guard(|| find_length_range(&model, actuator, &options, keep_going))
    })?;
    model.py().check_signals()?;
    found.map_err(|error| PyRuntimeError::new_err(error.to_string()))
}

/// Adds a contact behind those found; the constraint rows are gone until they are made again.
#[pyfunction]
pub fn add_contact(
    model: &Bound<'_, NativeModel>,
    data: &Bound<'_, NativeData>,
    contact: &Bound<'_, PyAny>,
) -> PyResult<()> {
    let frame: [f64; 9] = contact.getattr("frame")?.extract()?;
    let dim: i32 = contact.getattr("dim")?.extract()?;
    let added = Contact {
        dist: contact.getattr("dist")?.extract()?,
        pos: Vec3(contact.getattr("pos")?.extract()?),
        frame: Mat3(frame),
        includemargin: contact.getattr("includemargin")?.extract()?,
        friction: contact.getattr("friction")?.extract()?,
        solref: contact.getattr("solref")?.extract()?,
        solreffriction: contact.getattr("solreffriction")?.extract()?,
        solimp: contact.getattr("solimp")?.extract()?,
        dim,
        geom: contact.getattr("geom")?.extract()?,
        flex: contact.getattr("flex")?.extract()?,
        elem: contact.getattr("elem")?.extract()?,
        vert: contact.getattr("vert")?.extract()?,
        exclude: contact.getattr("exclude")?.extract()?,
    };
    check_dimensions(&[dim])?;
    change(model, data, |model, data| {
        data.add_contact(model, added).map_err(wrong_call)
    })
}
