//! What the declarations say about arrays, for the type stubs that editors show.

use pyo3::prelude::*;
use sinew::engine::Data;
use sinew::model::{Model, kinds};
use std::collections::BTreeMap;

/// What each array of a model and of a simulation is. Enums have the reference's names.
#[pyfunction]
pub fn column_comments() -> BTreeMap<&'static str, String> {
    let model = Model::default();
    let data = Data::new(&model);
    let columns = model.columns().into_iter().chain(data.columns());
    let energy = ("energy", "Potential and kinetic energy, J.".to_string());
    let comments = columns.map(|c| (c.name, plain(c.comment)));
    comments.chain([energy]).collect()
}

/// A comment without the links of our documentation.
fn plain(comment: &str) -> String {
    let mut text = comment.trim().to_string();
    for table in kinds::ALL {
        let link = format!("[`{0}`](crate::kinds::{0})", table.own_name);
        text = text.replace(&link, &format!("`{}`", table.name));
    }
    text
}
