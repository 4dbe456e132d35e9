//! Laws in place of the reference's, by name.

use crate::model::NativeModel;
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use sinew::engine::law::named;
use sinew::model::Model;
use sinew::model::law::{Law, Laws};

/// Place, object, name and parameters of one law.
type Choice = (String, usize, String, Vec<f64>);

/// The laws that a model chooses.
#[pyfunction]
pub fn laws(model: &Bound<'_, NativeModel>) -> Vec<Choice> {
    listed(&model.get().read())
}

fn listed(model: &Model) -> Vec<Choice> {
    let laws = model.laws();
    let places = [
        ("bending", &laws.bending),
        ("elasticity", &laws.elasticity),
        ("gain", &laws.gain),
    ];
    let choice = |place: &str, object: usize, law: &Law| {
        (
            place.to_string(),
            object,
            law.name.clone(),
            law.parameters.clone(),
        )
    };
    let mut out = Vec::new();
    for (place, chosen) in places {
        out.extend(chosen.iter().map(|(&id, law)| choice(place, id, law)));
    }
    out.extend(laws.solver.iter().map(|law| choice("solver", 0, law)));
    out
}

/// Replaces the laws that a model chooses. Nothing changes if one is unknown, or refuses its object.
#[pyfunction]
pub fn choose_laws(model: &Bound<'_, NativeModel>, choices: Vec<Choice>) -> PyResult<()> {
    choose(&mut *model.get().write()?, choices)
}

fn choose(model: &mut Model, choices: Vec<Choice>) -> PyResult<()> {
    if choices.is_empty() && model.laws().is_empty() {
        return Ok(());
    }
    let mut chosen = Laws::default();
    for (place, object, name, parameters) in choices {
        let law = Law { name, parameters };
        match place.as_str() {
            "bending" => {
                chosen.bending.insert(object, law);
            }
            "elasticity" => {
                chosen.elasticity.insert(object, law);
            }
            "gain" => {
                chosen.gain.insert(object, law);
            }
            "solver" => chosen.solver = Some(law),
            _ => return Err(PyValueError::new_err(format!("no laws of {place}"))),
        }
    }
    let before = std::mem::replace(model.laws_mut(), chosen);
    if let Err(error) = named::check(model) {
        *model.laws_mut() = before;
        return Err(PyValueError::new_err(error.to_string()));
    }
    Ok(())
}
