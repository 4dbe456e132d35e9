//! Collects what is said about a model while it is read and compiled.
//!
//! Entries carry a [`Place`]; file names and source lines are looked up once, at the end.

use crate::diagnostic::{Diagnostic, Severity};
use crate::place::Place;
use crate::spec::SourceFile;

/// One message before its file name is known.
#[derive(Clone, Debug)]
pub struct Entry {
    /// Stable code, such as `mjcf::unknown-attribute`.
    pub code: &'static str,
    /// Error or warning.
    pub severity: Severity,
    /// Where.
    pub place: Place,
    /// Path or description of the element, such as `geom "palm"`.
    pub element: String,
    /// The attribute concerned.
    pub attribute: Option<String>,
    /// What is wrong.
    pub message: String,
    /// How to mend it.
    pub hint: Option<String>,
}

impl Entry {
    /// Names the element the message is about.
    pub fn element(&mut self, element: impl Into<String>) -> &mut Self {
        self.element = element.into();
        self
    }

    /// Names the attribute the message is about.
    pub fn attribute(&mut self, attribute: impl Into<String>) -> &mut Self {
        self.attribute = Some(attribute.into());
        self
    }

    /// Says how to mend it.
    pub fn hint(&mut self, hint: impl Into<String>) -> &mut Self {
        self.hint = Some(hint.into());
        self
    }
}

/// All messages so far.
#[derive(Clone, Debug, Default)]
pub struct Report {
    entries: Vec<Entry>,
    error_count: usize,
}

impl Report {
    /// More messages than this are counted, not kept.
    const MOST_ENTRIES: usize = 1000;

    /// Adds an error. The returned entry takes element, attribute and hint:
    /// `report.error(…).element("geom").hint("…");`
    pub fn error(
        &mut self,
        code: &'static str,
        place: Place,
        message: impl Into<String>,
    ) -> &mut Entry {
        self.error_count += 1;
        self.push(code, Severity::Error, place, message.into())
    }

    /// Adds a warning.
    pub fn warning(
        &mut self,
        code: &'static str,
        place: Place,
        message: impl Into<String>,
    ) -> &mut Entry {
        self.push(code, Severity::Warning, place, message.into())
    }

    fn push(
        &mut self,
        code: &'static str,
        severity: Severity,
        place: Place,
        message: String,
    ) -> &mut Entry {
        if self.entries.len() >= Self::MOST_ENTRIES {
            self.entries.truncate(Self::MOST_ENTRIES - 1);
        }
        self.entries.push(Entry {
            code,
            severity,
            place,
            element: String::new(),
            attribute: None,
            message,
            hint: None,
        });
        let last = self.entries.len() - 1;
        &mut self.entries[last]
    }

    /// Whether anything so far prevents the model from loading.
    pub fn has_errors(&self) -> bool {
        self.error_count > 0
    }

    /// Number of errors so far.
    pub fn error_count(&self) -> usize {
        self.error_count
    }

    /// The messages with file names and source lines.
    pub fn diagnostics(&self, files: &[SourceFile]) -> Vec<Diagnostic> {
        let mut out: Vec<Diagnostic> = self.entries.iter().map(|e| show(e, files)).collect();
        // Errors first; within a severity the order they were found in.
        out.sort_by_key(|d| d.severity != Severity::Error);
        out
    }
}

fn show(entry: &Entry, files: &[SourceFile]) -> Diagnostic {
    let file = files.get(entry.place.file as usize);
    let source_line = match (file, entry.place.line) {
        (Some(file), line) if line > 0 => file
            .text
            .lines()
            .nth(line as usize - 1)
            .map(|text| text.chars().take(400).collect()),
        _ => None,
    };
    Diagnostic {
        code: entry.code,
        severity: entry.severity,
        file: file.map(|f| f.name.clone()).unwrap_or_default(),
        line: entry.place.line,
        column: entry.place.column,
        element: entry.element.clone(),
        attribute: entry.attribute.clone(),
        message: entry.message.clone(),
        hint: entry.hint.clone(),
        source_line,
    }
}
