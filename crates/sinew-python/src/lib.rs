//! Native part of the Python package `sinew`: the module `sinew._native`.
//!
//! It hands out a model, its arrays as numpy views and the functions that work on them. The names
//! Python users know (`MjModel`, `m.body("arm")`, enum classes) are made in Python from the tables
//! given here, so that no array is named twice.
//!
//! ```text
//! view.rs     memory of a column as a numpy array
//! model.rs    a compiled model and its arrays
//! loan.rs     … mesh vertices, which simulations keep copies of
//! place.rs    where a simulation lies and who may use it
//! data.rs     one simulation: its arrays, reset and copy
//! step.rs     the functions that compute with it
//! varying.rs  arrays whose length changes: how Python reads and writes them
//! contact.rs  … the contacts
//! rows.rs     … the constraint rows and islands
//! counter.rs  … warnings and statistics of the solver
//! argument.rs functions under the reference's names: their arguments, said by types; array.rs … arrays
//! query.rs    … velocities, contact forces, moved positions, names
//! jacobian.rs … Jacobians
//! inertia.rs  … products with the inertia, solutions
//! state.rs    … state and input as one vector
//! ray.rs      … rays
//! vector.rs   … vectors and single numbers
//! matrix.rs   … matrices
//! band.rs     … matrices that are bands
//! program.rs  … quadratic programs within a box
//! rotation.rs … rotations, poses and spatial vectors
//! numeric.rs  … contact forces as pyramids, muscles
//! render.rs   pictures; scene.rs what is on them; render_batch.rs of many worlds
//! history.rs  delayed controls and sensor readings
//! derivative.rs  derivatives of steps, inverse dynamics and rotations
//! change.rs   changes to a model, added contacts
//! law.rs      laws in place of the reference's, by name
//! pickle.rs   models and simulations as bytes
//! comment.rs  what arrays are, for the type stubs
//! hooks.rs    Python functions that take part in a step
//! timing.rs   how often and how long parts of the computation run
//! rollout.rs  many trajectories on several threads; rollout_batch.rs side by side
//! batch.rs    many worlds of one model, stepped together
//! device.rs   … on a graphics processor; dlpack.rs its arrays in the hands of others
//! interrupt.rs  … until the user presses Ctrl-C
//! load.rs     files and text to a model
//! draft.rs    a model under construction
//! failure.rs  panics and load errors as Python exceptions
//! ```

mod argument;
mod array;
mod band;
mod batch;
mod change;
mod comment;
mod contact;
mod counter;
mod data;
mod derivative;
mod device;
mod dlpack;
mod draft;
mod failure;
mod history;
mod hooks;
mod inertia;
mod interrupt;
mod jacobian;
mod kept;
mod law;
mod load;
mod loan;
mod matrix;
mod model;
mod numeric;
mod pickle;
mod place;
mod program;
mod query;
mod ray;
mod render;
mod render_batch;
mod rollout;
mod rollout_batch;
mod room;
mod rotation;
mod rows;
mod scene;
mod state;
mod step;
mod structure;
mod timing;
mod varying;
mod vector;
mod view;

use pyo3::prelude::*;
use pyo3::types::PyDict;
use sinew::model::{Model, kinds};

/// Name, row count's name, type and width of one column.
type ColumnRow = (&'static str, &'static str, &'static str, Option<usize>);

/// The columns of a model, in declaration order. A width that depends on the model is given as
/// the width in an empty model.
#[pyfunction]
fn model_columns() -> Vec<ColumnRow> {
    let model = Model::default();
    let columns = model.columns();
    columns
        .iter()
        .map(|c| (c.name, c.size, view::dtype(c.name, c.number), c.width))
        .collect()
}

/// The enum classes: name to list of (member, code), counts included.
#[pyfunction]
fn enums(py: Python<'_>) -> PyResult<Bound<'_, PyDict>> {
    let tables = PyDict::new(py);
    for table in kinds::ALL {
        let mut members = table.members.to_vec();
        let counts = kinds::COUNTS
            .iter()
            .filter(|(name, ..)| *name == table.name);
        members.extend(counts.map(|&(_, member, value)| (member, value)));
        tables.set_item(table.name, members)?;
    }
    Ok(tables)
}

/// Fails on purpose, so that a test can see what a fault of ours looks like from Python.
#[pyfunction]
fn fail_on_purpose() -> PyResult<()> {
    failure::guard(|| panic!("failed on purpose"))
}

/// Adds functions to the module.
macro_rules! functions {
    ($module:ident: $( $function:path, )*) => {
        $( $module.add_function(wrap_pyfunction!($function, $module)?)?; )*
    };
}

/// The native module.
#[pymodule]
fn _native(module: &Bound<'_, PyModule>) -> PyResult<()> {
    failure::capture_panics();
    module.add("__version__", env!("CARGO_PKG_VERSION"))?;
    module.add_class::<model::NativeModel>()?;
    module.add_class::<loan::Loan>()?;
    module.add_class::<draft::NativeDraft>()?;
    module.add_class::<draft::Numbers>()?;
    module.add_class::<data::NativeData>()?;
    module.add_class::<batch::NativeBatch>()?;
    module.add_class::<device::NativeDeviceBatch>()?;
    module.add_class::<render::NativeRenderer>()?;
    module.add_class::<render_batch::NativeBatchRenderer>()?;
    module.add_class::<scene::NativeScene>()?;
    module.add_class::<batch::NativeSnapshot>()?;
    step::add_stages(module)?;
    module.add("HOOKS", hooks::NAMES.to_vec())?;
    functions!(module:
        load::load_path,
        load::load_text,
        load::schema_text,
        step::mj_step,
        step::mj_forwardSkip,
        step::mj_inverseSkip,
        step::mj_RungeKutta,
        step::mj_implicit,
        data::mj_resetData,
        data::mj_resetDataKeyframe,
        data::mj_copyData,
        step::fail_in_data,
        data::addresses,
        data::data_columns,
        comment::column_comments,
        batch::batch_fields,
        batch::value_names,
        device::device_refusals,
        device::device_refusal,
        device::device_derived,
        device::device_unread,
        device::device_name,
        varying::varying_columns,
        varying::varying,
        rollout::rollout,
        derivative::transition,
        derivative::inverse_derivative,
        derivative::difference_derivatives,
        derivative::integral_derivatives,
        history::read_control,
        history::read_sensor,
        history::set_control_history,
        history::set_sensor_history,
        change::derive_constants,
        law::laws,
        law::choose_laws,
        change::scale_mass,
        change::length_range,
        pickle::seal,
        pickle::model_bytes,
        pickle::model_from_bytes,
        pickle::data_bytes,
        pickle::restore_data,
        change::add_contact,
        draft::draft_fields,
        model_columns,
        enums,
        fail_on_purpose,
    );
    let signatures = PyDict::new(module.py());
    for add in [
        query::add,
        jacobian::add,
        inertia::add,
        state::add,
        ray::add,
        vector::add,
        matrix::add,
        band::add,
        program::add,
        rotation::add,
        numeric::add,
    ] {
        add(module, &signatures)?;
    }
    module.add("SIGNATURES", signatures)
}
