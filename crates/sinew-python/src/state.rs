//! State and input of a simulation as one vector.

// The functions carry the reference's names.
#![allow(non_snake_case)]

use crate::argument::{DataObject, ModelObject, functions};
use crate::array::{Numbers, Target};
use crate::failure;
use crate::query::look;
use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use sinew::engine::state_vector::{self, StateError};

fn wrong(error: StateError) -> PyErr {
    failure::wrong_call(match error {
        StateError::UnknownComponent(mask) => {
            format!("mj_stateSize: invalid state signature {mask} >= 2^mjNSTATE")
        }
        other => other.to_string(),
    })
}

fn other_size() -> PyErr {
    PyTypeError::new_err("state size should equal mj_stateSize(m, sig)")
}

functions! {
    /// Number of numbers in the components chosen by ``mjtState`` bits.
    fn mj_stateSize(m: ModelObject, sig: i32) -> usize { state_vector::state_size(&*m.checked()?, sig).map_err(wrong) }

    /// Copies the chosen components of state and input into a vector.
    fn mj_getState(m: ModelObject, d: DataObject, state: Target, sig: i32) {
        let found = look(&m, &d, |model, data| {
            let size = state_vector::state_size(model, sig).map_err(wrong)?;
            state.fits(size).map_err(|_| other_size())?;
            let mut found = vec![0.0; size];
            data.get_state(model, sig, &mut found).map_err(wrong)?;
            Ok(found)
        })?;
        state.put(&found)
    }

    /// Sets the chosen components of state and input from a vector.
    fn mj_setState(m: ModelObject, d: DataObject, state: Numbers, sig: i32) {
        // A part of the simulation itself may be given.
        let given = state.slice().to_vec();
        look(&m, &d, |model, data| {
            let size = state_vector::state_size(model, sig).map_err(wrong)?;
            state.exactly(size).map_err(|_| other_size())?;
            data.set_state(model, sig, &given).map_err(wrong)
        })
    }

    /// Takes some components out of a vector that has them and others.
    fn mj_extractState(m: ModelObject, src: Numbers, srcsig: i32, dst: Target, dstsig: i32) {
        let model = m.checked()?;
        let source = src.exactly(state_vector::state_size(&model, srcsig).map_err(wrong)?)?;
        let mut found = vec![0.0; state_vector::state_size(&model, dstsig).map_err(wrong)?];
        dst.fits(found.len())?;
        let take = || state_vector::extract_state(&model, source, srcsig, &mut found, dstsig);
        failure::guard(take)?.map_err(wrong)?;
        dst.put(&found)
    }

    /// Copies the chosen components from one simulation to another.
    fn mj_copyState(m: ModelObject, src: DataObject, dst: DataObject, sig: i32) {
        let (source, target) = (src.0.get(), dst.0.get());
        Python::attach(|py| {
            source.check_fits(m.0.bind(py))?;
            target.check_fits(m.0.bind(py))
        })?;
        state_vector::state_size(&*m.checked()?, sig).map_err(wrong)?;
        if src.0.is(&dst.0) {
            return Ok(());
        }
        let source = source.place.enter()?;
        let mut held = target.place.enter()?;
        target.place.guard(|| held.copy_state(&source, sig))?.map_err(wrong)
    }
}
