//! A model named on the command line: a file, or a built-in model by name.

use crate::output;
use sinew::engine::Data;
use sinew::mjcf::{Diagnostic, Limits, LoadError, Loaded, Loader, Severity};
use sinew::model::Model;
use sinew::model::kinds::ObjectType;
use sinew::models;
use std::path::Path;
use std::time::Duration;

/// What loading may use.
#[derive(clap::Args)]
#[command(next_help_heading = "Loading")]
pub struct Loading {
    /// Refuse files outside the model's own folder, links resolved; for models from strangers
    #[arg(long)]
    confined: bool,
    /// Memory that loading may hold, such as 500M or 2G; otherwise what the process may still get
    #[arg(long, value_name = "BYTES", value_parser = bytes)]
    memory: Option<u64>,
    /// Seconds that loading may take
    #[arg(long, value_name = "SECONDS", value_parser = seconds)]
    load_time: Option<Duration>,
}

impl Loading {
    /// Loads what was named. A file goes before a built-in model of the same name.
    pub fn load(&self, name: &str) -> Result<Loaded, LoadError> {
        let path = Path::new(name);
        match models::get(name) {
            Some(model) if !path.exists() => model.load(),
            None if !path.exists() && looks_like_a_name(name) => Err(unknown_model(name)),
            _ => self.loader(path).load_path(name),
        }
    }

    /// Loads what was named, and says on the way what is wrong with it. None: it does not load.
    pub fn load_or_complain(&self, name: &str) -> Option<Model> {
        let (model, diagnostics) = match self.load(name) {
            Ok(loaded) => (Some(loaded.model), loaded.warnings),
            Err(error) => (None, error.diagnostics),
        };
        for diagnostic in &diagnostics {
            output::complain(&diagnostic.render());
        }
        model
    }

    fn loader(&self, path: &Path) -> Loader {
        let mut limits = Limits {
            memory: self.memory,
            ..Limits::default()
        };
        if let Some(time) = self.load_time {
            limits.load_time = time;
        }
        let loader = Loader::new().limits(limits);
        if !self.confined {
            return loader;
        }
        let folder = path
            .parent()
            .filter(|folder| !folder.as_os_str().is_empty());
        loader.confined_to(folder.unwrap_or(Path::new(".")))
    }
}

/// Resets to a keyframe, given by its name or number.
pub fn reset_to_key(model: &Model, data: &mut Data, key: &str) -> Result<(), String> {
    let id = match key.parse::<usize>() {
        Ok(number) => number,
        Err(_) => model
            .id(ObjectType::Key, key)
            .ok_or_else(|| format!("the model has no keyframe `{key}`"))?,
    };
    let reset = data.reset_to_keyframe(model, id);
    reset.map_err(|_| {
        let count = model.nkey;
        format!("keyframe {id} is out of range: there are {count}")
    })
}

/// Reads `500M`: a number and at most one of K, M, G.
fn bytes(text: &str) -> Result<u64, String> {
    let wrong = || format!("`{text}` is not a number of bytes, such as 500M or 2G");
    let digits = text.trim_end_matches(|c: char| c.is_ascii_alphabetic());
    let shift = match text.get(digits.len()..) {
        Some("") => 0,
        Some("K" | "k") => 10,
        Some("M" | "m") => 20,
        Some("G" | "g") => 30,
        _ => return Err(wrong()),
    };
    let number: u64 = digits.parse().map_err(|_| wrong())?;
    number.checked_mul(1 << shift).ok_or_else(wrong)
}

fn seconds(text: &str) -> Result<Duration, String> {
    let number: Option<f64> = text.parse().ok();
    let time = number.and_then(|number| Duration::try_from_secs_f64(number).ok());
    time.ok_or_else(|| format!("`{text}` is not a number of seconds"))
}

/// A word without folder and extension can only be meant as a built-in model.
fn looks_like_a_name(name: &str) -> bool {
    !name.is_empty()
        && name
            .chars()
            .all(|c| c.is_alphanumeric() || c == '_' || c == '-')
}

fn unknown_model(name: &str) -> LoadError {
    // The compiler joins a list that it knows without a loop, which takes it minutes.
    let all = core::hint::black_box(models::ALL);
    let names: Vec<&str> = all.iter().map(|model| model.name).collect();
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bytes_take_one_suffix() {
        assert_eq!(bytes("512"), Ok(512));
        assert_eq!(bytes("2K"), Ok(2048));
        assert_eq!(bytes("3m"), Ok(3 << 20));
        for bad in ["", "M", "1.5M", "1MB", "-1", "99999999999G"] {
            assert!(bytes(bad).is_err(), "{bad}");
        }
    }
}
