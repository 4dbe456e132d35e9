//! Collects what is said about a model while it is read and compiled.
//!
//! Entries carry a [`Place`]; file names and source lines are looked up once, at the end.

use crate::diagnostic::{Diagnostic, Severity};
use crate::place::Place;
use crate::spec::SourceFile;
use std::collections::{BTreeMap, BTreeSet};

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
    /// Longer lines, in bytes, are not quoted.
    const LONGEST_LINE: usize = 10_000;

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
        let lines = source_lines(&self.entries, files);
        let show = |entry: &Entry| Diagnostic {
            code: entry.code,
            severity: entry.severity,
            file: files
                .get(usize::from(entry.place.file))
                .map(|file| file.name.clone())
                .unwrap_or_default(),
            line: entry.place.line,
            column: entry.place.column,
            element: entry.element.clone(),
            attribute: entry.attribute.clone(),
            message: entry.message.clone(),
            hint: entry.hint.clone(),
            source_line: lines.get(&(entry.place.file, entry.place.line)).cloned(),
        };
        let mut out: Vec<Diagnostic> = self.entries.iter().map(show).collect();
        // Errors first; within a severity the order they were found in.
        out.sort_by_key(|d| d.severity != Severity::Error);
        out
    }
}

/// The lines that messages are about, found in one pass over each file.
fn source_lines(entries: &[Entry], files: &[SourceFile]) -> BTreeMap<(u16, u32), String> {
    let mut wanted: BTreeSet<(u16, u32)> = entries
        .iter()
        .map(|entry| (entry.place.file, entry.place.line))
        .collect();
    let mut found = BTreeMap::new();
    for (index, file) in files.iter().enumerate() {
        let Ok(index) = u16::try_from(index) else {
            break;
        };
        let later = wanted.split_off(&(index + 1, 0));
        let mut lines = file.text.lines();
        let mut next = 1;
        for (_, line) in std::mem::replace(&mut wanted, later) {
            if line == 0 {
                continue;
            }
            match lines.nth((line - next) as usize) {
                Some(text) if text.len() <= Report::LONGEST_LINE => {
                    found.insert((index, line), text.to_string());
                }
                _ => {}
            }
            next = line + 1;
        }
    }
    found
}
