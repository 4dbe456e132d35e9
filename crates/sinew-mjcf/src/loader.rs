//! Loading: path or text in, a Model with warnings or all errors out.
//!
//! [`Loader`] holds what a load may use: named buffers, a root folder, limits. The library prints
//! nothing and writes no file.

#![deny(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    clippy::arithmetic_side_effects
)]

use std::path::PathBuf;
use std::sync::Arc;

use crate::compile;
use crate::diagnostic::{Diagnostic, LoadError, Severity};
use crate::edit::Draft;
use crate::expand::{Budget, expand};
use crate::read;
use crate::report::{Report, Wish};
use crate::source::{Limits, Source};
use crate::spec::Spec;
use sinew_model::Model;

/// Reads models. `Loader::default()` follows the reference's path rules.
#[derive(Clone, Debug, Default)]
pub struct Loader {
    assets: Vec<(String, Arc<[u8]>)>,
    limits: Limits,
    root: Option<PathBuf>,
    is_strict: bool,
    wish: Wish,
}

/// A compiled model with the warnings met on the way.
#[derive(Clone, Debug)]
pub struct Loaded {
    /// The model.
    pub model: Model,
    /// What looks unintended.
    pub warnings: Vec<Diagnostic>,
}

/// A Spec with the warnings met while reading it.
#[derive(Clone, Debug)]
pub struct ReadSpec {
    /// What was written.
    pub spec: Spec,
    /// What looks unintended.
    pub warnings: Vec<Diagnostic>,
}

impl Loader {
    /// A loader with the reference's path rules and default limits.
    pub fn new() -> Self {
        Loader::default()
    }

    /// Adds a file in memory; it is found before files on disk.
    pub fn asset(mut self, name: &str, bytes: impl Into<Arc<[u8]>>) -> Self {
        self.assets.push((name.to_string(), bytes.into()));
        self
    }

    /// Replaces the limits.
    pub fn limits(mut self, limits: Limits) -> Self {
        self.limits = limits;
        self
    }

    /// Refuses files outside a folder, symbolic links resolved.
    pub fn confined_to(mut self, root: impl Into<PathBuf>) -> Self {
        self.root = Some(root.into());
        self
    }

    /// Refuses attributes that the reference does not have, which choose laws of ours.
    ///
    /// ```
    /// use sinew_mjcf::Loader;
    /// let text = r#"<mujoco><option sinew_solver="xpbd"/></mujoco>"#;
    /// assert!(Loader::new().load_text(text).is_ok());
    /// assert!(Loader::new().strict().load_text(text).is_err());
    /// ```
    pub fn strict(mut self) -> Self {
        self.is_strict = true;
        self
    }

    /// Loads as long as the function says so, which is asked as often as the clock is looked at. Otherwise the error has the
    /// code `mjcf::interrupted`.
    ///
    /// ```
    /// use sinew_mjcf::Loader;
    /// let error = Loader::new().while_wanted(|| false).load_text("<mujoco/>").unwrap_err();
    /// assert_eq!(error.diagnostics[0].code, "mjcf::interrupted");
    /// ```
    pub fn while_wanted(mut self, is_wanted: impl Fn() -> bool + Send + Sync + 'static) -> Self {
        self.wish = Wish::new(is_wanted);
        self
    }

    /// Loads a model file.
    pub fn load_path(&self, path: &str) -> Result<Loaded, LoadError> {
        self.load(|source, report| read::read_path(path, source, report))
    }

    /// Loads a model from text; files are looked for from the current folder on.
    pub fn load_text(&self, text: &str) -> Result<Loaded, LoadError> {
        self.load(|source, report| read::read_text(text, TEXT_NAME, "", source, report))
    }

    fn load(&self, read: impl FnOnce(&Source, &mut Report) -> Spec) -> Result<Loaded, LoadError> {
        let source = self.source();
        let mut report = Report::until(source.deadline());
        let mut spec = read(&source, &mut report);
        if !report.has_errors() {
            spec = expand(spec, &source, &self.budget(&source), &mut report);
        }
        let model = if report.has_errors() {
            None
        } else {
            compile::compile(&mut spec, &source, &mut report)
        };
        let diagnostics = report.diagnostics(&spec.files);
        match model {
            Some(model) if !report.has_errors() => Ok(Loaded {
                model,
                warnings: diagnostics,
            }),
            _ => Err(LoadError { diagnostics }),
        }
    }

    /// Compiles a Spec.
    pub fn compile_spec(&self, spec: Spec) -> Result<Loaded, LoadError> {
        self.load(|_, _| spec)
    }

    /// Reads a model file into a draft that can be edited.
    pub fn read_draft_path(&self, path: &str) -> Result<Draft, LoadError> {
        self.draft(|source, report| read::read_path(path, source, report))
    }

    /// Reads text into a draft; files are looked for from the current folder on.
    pub fn read_draft_text(&self, text: &str) -> Result<Draft, LoadError> {
        self.draft(|source, report| read::read_text(text, TEXT_NAME, "", source, report))
    }

    fn draft(&self, read: impl FnOnce(&Source, &mut Report) -> Spec) -> Result<Draft, LoadError> {
        let source = self.source();
        let mut report = Report::until(source.deadline());
        let mut spec = read(&source, &mut report);
        if !report.has_errors() {
            spec = expand(spec, &source, &self.budget(&source), &mut report);
        }
        let spec = finish(spec, &report)?.spec;
        Draft::from_spec(&spec, source.memory(), &mut report).ok_or_else(|| {
            let diagnostics = report.diagnostics(&spec.files);
            LoadError { diagnostics }
        })
    }

    /// Reads a model file into a Spec.
    pub fn read_spec_path(&self, path: &str) -> Result<ReadSpec, LoadError> {
        let source = self.source();
        let mut report = Report::until(source.deadline());
        let spec = read::read_path(path, &source, &mut report);
        finish(spec, &report)
    }

    /// Reads text into a Spec; files are looked for from the current folder on.
    pub fn read_spec_text(&self, text: &str) -> Result<ReadSpec, LoadError> {
        let source = self.source();
        let mut report = Report::until(source.deadline());
        let spec = read::read_text(text, TEXT_NAME, "", &source, &mut report);
        finish(spec, &report)
    }

    fn budget(&self, source: &Source) -> Budget {
        Budget {
            elements: self.limits.elements,
            memory: source.memory().clone(),
            ..Budget::default()
        }
    }

    /// Buffers, files and limits of one load.
    pub fn source(&self) -> Source {
        let mut source = Source::new(self.limits.clone());
        for (name, bytes) in &self.assets {
            source.insert(name, bytes.clone());
        }
        if let Some(root) = &self.root {
            source.confine(root.clone());
        }
        if self.is_strict {
            source.make_strict();
        }
        source.end_without(self.wish.clone());
        source
    }
}

/// Loads a model file with the default loader.
pub fn load_path(path: &str) -> Result<Loaded, LoadError> {
    Loader::default().load_path(path)
}

/// Loads a model from text with the default loader.
pub fn load_text(text: &str) -> Result<Loaded, LoadError> {
    Loader::default().load_text(text)
}

/// What a model given as text is called in messages.
const TEXT_NAME: &str = "model.xml";

fn finish(spec: Spec, report: &Report) -> Result<ReadSpec, LoadError> {
    let diagnostics = report.diagnostics(&spec.files);
    if report.has_errors() {
        return Err(LoadError { diagnostics });
    }
    Ok(ReadSpec {
        spec,
        warnings: diagnostics
            .into_iter()
            .filter(|d| d.severity == Severity::Warning)
            .collect(),
    })
}
