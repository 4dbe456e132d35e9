//! Collects what is said about a model while it is read and compiled.
//!
//! Entries carry a [`Place`]; file names and source lines are looked up once, at the end.

#![deny(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    clippy::arithmetic_side_effects
)]

use crate::clock::Moment;
use crate::diagnostic::{Diagnostic, Severity};
use crate::hint;
use crate::memory::Memory;
use crate::place::Place;
use crate::spec::SourceFile;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;
use std::time::Duration;

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

/// When a load has to be over. Letting go of what it holds takes time, too, which is set aside.
#[derive(Clone, Debug)]
pub struct Deadline {
    started: Moment,
    time: Duration,
    memory: Arc<Memory>,
    wish: Wish,
}

/// Whether somebody still wants what a load is about to make; nobody is asked by default.
#[derive(Clone, Default)]
pub struct Wish(Option<Arc<dyn Fn() -> bool + Send + Sync>>);

impl Wish {
    /// Who is asked, again and again.
    pub fn new(is_wanted: impl Fn() -> bool + Send + Sync + 'static) -> Self {
        Wish(Some(Arc::new(is_wanted)))
    }

    /// Whether to go on.
    pub fn is_there(&self) -> bool {
        self.0.as_ref().is_none_or(|is_wanted| is_wanted())
    }
}

impl std::fmt::Debug for Wish {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(if self.0.is_some() {
            "Wish(…)"
        } else {
            "Wish"
        })
    }
}

/// What it takes to let go of a mebibyte, on a machine that has nothing else to do.
const LETTING_GO: Duration = Duration::from_micros(80);
/// How much longer it may take on one that is slow or busy.
const SLOWEST: u32 = 5;
/// What was made in some time is let go of in less than this part of it.
const PART: u32 = 8;

impl Deadline {
    /// So long after now, for a load whose memory is counted here.
    pub fn after(time: Duration, memory: Arc<Memory>) -> Self {
        Deadline {
            started: Moment::now(),
            time,
            memory,
            wish: Wish::default(),
        }
    }

    /// The same, or as soon as nobody wants the model any more.
    pub fn or_without(mut self, wish: Wish) -> Self {
        self.wish = wish;
        self
    }

    /// Whether the time is used up, or nobody wants the model any more.
    pub fn is_over(&self) -> bool {
        if !self.wish.is_there() {
            return true;
        }
        let held = u32::try_from(self.memory.held() >> 20).unwrap_or(u32::MAX);
        let least = LETTING_GO.saturating_mul(held);
        let elapsed = self.started.elapsed();
        let part = elapsed.checked_div(PART).unwrap_or_default();
        let set_aside = part.clamp(least, least.saturating_mul(SLOWEST));
        elapsed >= self.time.saturating_sub(set_aside)
    }
}

/// All messages so far, and the clock that everybody looks at who may take long.
#[derive(Clone, Debug, Default)]
pub struct Report {
    entries: Vec<Entry>,
    error_count: usize,
    deadline: Option<Deadline>,
    is_late: bool,
}

impl Report {
    /// More messages than this are counted, not kept.
    const MOST_ENTRIES: usize = 1000;
    /// Longer lines, in bytes, are not quoted.
    const LONGEST_LINE: usize = 10_000;

    /// Nothing said yet about a load that ends in time.
    pub fn until(deadline: Deadline) -> Self {
        Report {
            deadline: Some(deadline),
            ..Report::default()
        }
    }

    /// Whether there is time left to go on; reported once if not.
    pub fn has_time(&mut self, place: Place) -> bool {
        if self.is_late {
            return false;
        }
        let Some(deadline) = self.deadline.as_ref().filter(|end| end.is_over()) else {
            return true;
        };
        let seconds = deadline.time.as_secs_f64();
        let is_wanted = deadline.wish.is_there();
        self.is_late = true;
        if is_wanted {
            let message = format!("loading takes more than {seconds} seconds");
            self.error("mjcf::time-limit", place, message);
        } else {
            self.error("mjcf::interrupted", place, "loading was interrupted");
        }
        false
    }

    /// Adds an error. The returned entry takes element, attribute and hint:
    /// `report.error(…).element("geom").hint("…");`
    pub fn error(
        &mut self,
        code: &'static str,
        place: Place,
        message: impl Into<String>,
    ) -> &mut Entry {
        self.error_count = self.error_count.saturating_add(1);
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
        // There is always a place for the newest message; errors stay longer than warnings.
        if self.entries.len() >= Self::MOST_ENTRIES {
            let is_warning = |entry: &Entry| entry.severity == Severity::Warning;
            let last = self.entries.len().saturating_sub(1);
            let least = self.entries.iter().rposition(is_warning).unwrap_or(last);
            self.entries.remove(least);
        }
        let last = self.entries.len();
        self.entries.push(Entry {
            code,
            severity,
            place,
            element: String::new(),
            attribute: None,
            message,
            hint: None,
        });
        #[allow(clippy::indexing_slicing, reason = "the entry was just pushed")]
        &mut self.entries[last]
    }

    /// Whether anything so far prevents the model from loading.
    pub fn has_errors(&self) -> bool {
        self.error_count > 0
    }

    /// Whether a hint is still worth its search: after many messages nobody reads on.
    pub fn wants_hints(&self) -> bool {
        self.entries.len() < 100
    }

    /// Whether there are errors and no room for more messages: looking further has no use.
    pub fn is_exhausted(&self) -> bool {
        self.has_errors() && self.entries.len() >= Self::MOST_ENTRIES
    }

    /// Number of errors so far.
    pub fn error_count(&self) -> usize {
        self.error_count
    }

    /// The messages with file names and source lines.
    ///
    /// A message about an attribute that only knows its element is moved to the attribute's value.
    pub fn diagnostics(&self, files: &[SourceFile]) -> Vec<Diagnostic> {
        let starts = line_starts(&self.entries, files);
        let show = |entry: &Entry| {
            let file = files.get(usize::from(entry.place.file));
            let rest = file.and_then(|file| {
                let start = starts.get(&(entry.place.file, entry.place.line))?;
                file.text.get(*start..)
            });
            let mut diagnostic = Diagnostic {
                code: entry.code,
                severity: entry.severity,
                file: file.map(|file| file.name.clone()).unwrap_or_default(),
                line: entry.place.line,
                column: entry.place.column,
                element: entry.element.clone(),
                attribute: entry.attribute.clone(),
                message: entry.message.clone(),
                hint: entry.hint.clone().or_else(|| {
                    let is_error = entry.severity == Severity::Error;
                    let usual = if is_error {
                        hint::usual(entry.code)
                    } else {
                        None
                    };
                    usual.map(String::from)
                }),
                source_line: None,
            };
            let mut line = rest.and_then(first_line);
            let is_near = entry.place.column as usize <= Report::LONGEST_LINE;
            if let (Some(rest), Some(attribute), true) = (rest, &entry.attribute, is_near)
                && let Some(found) = locate_attribute(rest, entry.place.column, attribute)
            {
                diagnostic.line = diagnostic.line.saturating_add(found.lines);
                diagnostic.column = found.column;
                line = found.text;
            }
            diagnostic.source_line = line.map(str::to_string);
            diagnostic
        };
        let mut out: Vec<Diagnostic> = self.entries.iter().map(show).collect();
        // Errors first; within a severity the order they were found in.
        out.sort_by_key(|d| d.severity != Severity::Error);
        out
    }
}

/// Byte offsets of the lines that messages are about, found in one pass over each file.
fn line_starts(entries: &[Entry], files: &[SourceFile]) -> BTreeMap<(u16, u32), usize> {
    let mut wanted: BTreeMap<u16, BTreeSet<u32>> = BTreeMap::new();
    for entry in entries.iter().filter(|entry| entry.place.line > 0) {
        let lines = wanted.entry(entry.place.file).or_default();
        lines.insert(entry.place.line);
    }
    let mut found = BTreeMap::new();
    for (file, lines) in wanted {
        let Some(source) = files.get(usize::from(file)) else {
            continue;
        };
        let (mut start, mut at) = (0_usize, 1_u32);
        for line in lines {
            let rest = source.text.as_bytes().get(start..).unwrap_or(&[]);
            let Some(skipped) = lines_end(rest, line.saturating_sub(at)) else {
                break;
            };
            start = start.saturating_add(skipped);
            at = line;
            if start < source.text.len() {
                found.insert((file, line), start);
            }
        }
    }
    found
}

/// The first line of a text, unless it is too long to be quoted: nobody looks for its end then.
fn first_line(text: &str) -> Option<&str> {
    let most = text.len().min(Report::LONGEST_LINE.saturating_add(2));
    let start = text.as_bytes().get(..most)?;
    let line = match start.iter().position(|byte| *byte == b'\n') {
        Some(end) => {
            let line = text.get(..end)?;
            line.strip_suffix('\r').unwrap_or(line)
        }
        None if most == text.len() && !text.is_empty() => text,
        None => return None,
    };
    (line.len() <= Report::LONGEST_LINE).then_some(line)
}

/// How many bytes the first so many lines of a text take. Pieces without the last of them are only counted.
fn lines_end(text: &[u8], lines: u32) -> Option<usize> {
    const PIECE: usize = 4096;
    let mut left = lines as usize;
    let mut before = 0_usize;
    if left == 0 {
        return Some(0);
    }
    for piece in text.chunks(PIECE) {
        let newlines = piece.iter().filter(|byte| **byte == b'\n').count();
        if newlines < left {
            left = left.saturating_sub(newlines);
            before = before.saturating_add(piece.len());
            continue;
        }
        let mut places = piece.iter().enumerate().filter(|(_, byte)| **byte == b'\n');
        let (place, _) = places.nth(left.saturating_sub(1))?;
        return Some(before.saturating_add(place).saturating_add(1));
    }
    None
}

/// Where an attribute's value stands, seen from its element.
struct Located<'a> {
    /// Lines below the element's.
    lines: u32,
    /// Column, from 1.
    column: u32,
    /// The line it is on, if it is short enough to be quoted.
    text: Option<&'a str>,
}

/// Finds an attribute of the element that starts at a column of the first line of `rest`.
fn locate_attribute<'a>(rest: &'a str, column: u32, name: &str) -> Option<Located<'a>> {
    let start = column.checked_sub(1)? as usize;
    let (start, _) = rest.char_indices().nth(start)?;
    let tag = rest.get(start..)?;
    if !tag.starts_with('<') {
        return None;
    }
    // Quoted values alternate with what stands before them: ` name=`.
    let mut at = 0_usize;
    loop {
        let open = at.checked_add(tag.get(at..)?.find(['"', '\'', '>'])?)?;
        let quote = tag.get(open..)?.chars().next()?;
        if quote == '>' {
            return None;
        }
        let before = tag.get(at..open)?.trim_end().strip_suffix('=')?.trim_end();
        let value = open.checked_add(1)?;
        if before.rsplit(char::is_whitespace).next() == Some(name) {
            let value = start.checked_add(value)?;
            let newline = rest.get(..value)?.rfind('\n');
            let line_start = newline.map_or(0, |newline| newline.saturating_add(1));
            let above = rest.get(..line_start)?;
            let lines = above.bytes().filter(|b| *b == b'\n').count();
            let column = rest.get(line_start..value)?.chars().count();
            return Some(Located {
                lines: u32::try_from(lines).ok()?,
                column: u32::try_from(column.checked_add(1)?).ok()?,
                text: first_line(rest.get(line_start..)?),
            });
        }
        let length = tag.get(value..)?.find(quote)?;
        at = value.checked_add(length)?.checked_add(1)?;
    }
}
