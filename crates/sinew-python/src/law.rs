//! Laws in place of the reference's, by name.

use crate::model::NativeModel;
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use sinew::engine::law::named;
use sinew::model::Model;
use sinew::model::law::{Law, Laws};

/// Place, object, name and parameters of one law.
type Choice = (String, usize, String, Vec<f64>);

/// Where laws are chosen, in the order in which they are kept.
const PLACES: [&str; 4] = ["bending", "elasticity", "gain", "solver"];

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

/// The laws of a model as bytes: for each its place, object, name and parameters, numbers of eight bytes all.
pub fn write(model: &Model, bytes: &mut Vec<u8>) {
    for (place, object, name, parameters) in listed(model) {
        let place = PLACES.iter().position(|&known| known == place).unwrap_or(0);
        for number in [place, object, name.len(), parameters.len()] {
            bytes.extend_from_slice(&(number as u64).to_le_bytes());
        }
        bytes.extend_from_slice(name.as_bytes());
        for parameter in parameters {
            bytes.extend_from_slice(&parameter.to_le_bytes());
        }
    }
}

/// Chooses the laws that bytes tell of; `None` if they are no such bytes or there are no such laws.
pub fn read(model: &mut Model, mut bytes: &[u8]) -> Option<()> {
    let mut choices = Vec::new();
    while !bytes.is_empty() {
        let mut numbers = [0; 4];
        for number in &mut numbers {
            *number = usize::try_from(u64::from_le_bytes(*taken(&mut bytes)?)).ok()?;
        }
        let [place, object, length, count] = numbers;
        let (name, rest) = bytes.split_at_checked(length)?;
        bytes = rest;
        let mut parameters = Vec::new();
        for _ in 0..count {
            parameters.push(f64::from_le_bytes(*taken(&mut bytes)?));
        }
        let name = std::str::from_utf8(name).ok()?.to_string();
        choices.push((PLACES.get(place)?.to_string(), object, name, parameters));
    }
    choose(model, choices).ok()
}

fn taken<'a>(bytes: &mut &'a [u8]) -> Option<&'a [u8; 8]> {
    let (first, rest) = bytes.split_first_chunk()?;
    *bytes = rest;
    Some(first)
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
