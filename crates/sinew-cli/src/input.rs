//! A model named on the command line: a file, or a built-in model by name.

use sinew::mjcf::{Diagnostic, LoadError, Loaded, Loader, Severity};
use sinew::models;
use std::path::Path;

/// Loads what was named. A file goes before a built-in model of the same name.
pub fn load(name: &str) -> Result<Loaded, LoadError> {
    let path = Path::new(name);
    match models::get(name) {
        Some(model) if !path.exists() => model.load(),
        None if !path.exists() && looks_like_a_name(name) => Err(unknown_model(name)),
        _ => Loader::default().load_path(name),
    }
}

/// A word without folder and extension can only be meant as a built-in model.
fn looks_like_a_name(name: &str) -> bool {
    !name.is_empty()
        && name
            .chars()
            .all(|c| c.is_alphanumeric() || c == '_' || c == '-')
}

fn unknown_model(name: &str) -> LoadError {
    let names: Vec<&str> = models::ALL.iter().map(|model| model.name).collect();
    LoadError {
        diagnostics: vec![Diagnostic {
            code: "cli::unknown-model",
            severity: Severity::Error,
            file: String::new(),
            line: 0,
            column: 0,
            element: String::new(),
            attribute: None,
            message: format!("there is no file and no built-in model `{name}`"),
            hint: Some(format!("built-in models: {}", names.join(", "))),
            source_line: None,
        }],
    }
}
