//! Words of a text, with the lines they stand in.

use super::{Section, malformed};
use crate::asset::mesh::{MeshError, Place};
use crate::asset::pace::{Late, Pace};

/// A reader of numbers separated by white space.
pub struct Words<'a> {
    rest: &'a [u8],
    line: usize,
    pace: &'a Pace<'a>,
}

impl<'a> Words<'a> {
    /// Starts at the beginning of a text; `line` is the number of its first line.
    pub fn new(text: &'a [u8], line: usize, pace: &'a Pace) -> Self {
        Words {
            rest: text,
            line,
            pace,
        }
    }

    /// Starts at the beginning of a section.
    pub fn of(section: Section<'a>) -> Self {
        Words::new(section.bytes, section.line, section.pace)
    }

    /// Where it stands.
    pub fn place(&self) -> Place {
        Place::Line(self.line)
    }

    /// Whether nothing but digits is left of the current line.
    pub fn line_is_whole_number(&self) -> bool {
        let mut line = self.rest.iter().take_while(|byte| **byte != b'\n');
        line.all(u8::is_ascii_digit)
    }

    /// The bytes up to the first of another kind.
    fn take_while(&mut self, is_wanted: impl Fn(&u8) -> bool) -> Result<&'a [u8], Late> {
        let mut length = 0_usize;
        for piece in self.rest.chunks(Pace::BYTES) {
            let found = piece.iter().take_while(|byte| is_wanted(byte)).count();
            length = length.saturating_add(found);
            self.pace.after(found)?;
            if found < piece.len() {
                break;
            }
        }
        let (taken, rest) = self.rest.split_at_checked(length).unwrap_or_default();
        self.rest = rest;
        Ok(taken)
    }

    fn word(&mut self, what: &str) -> Result<&'a str, MeshError> {
        let blanks = self.take_while(u8::is_ascii_whitespace)?;
        let line_endings = blanks.iter().filter(|byte| **byte == b'\n').count();
        self.line = self.line.saturating_add(line_endings);
        let word = self.take_while(|byte| !byte.is_ascii_whitespace())?;
        if word.is_empty() {
            return Err(malformed(
                Some(self.place()),
                format!("{what} is missing: the section ends too early"),
            ));
        }
        core::str::from_utf8(word).map_err(|_| self.unexpected(what, "bytes that are no text"))
    }

    fn unexpected(&self, what: &str, found: &str) -> MeshError {
        let found: String = found.chars().take(40).collect();
        malformed(
            Some(self.place()),
            format!("expected {what}, found `{found}`"),
        )
    }

    /// A number with decimals.
    pub fn real(&mut self, what: &str) -> Result<f64, MeshError> {
        let word = self.word(what)?;
        let number = word.parse::<f64>().ok().filter(|number| number.is_finite());
        number.ok_or_else(|| self.unexpected(what, word))
    }

    /// A whole number.
    pub fn whole(&mut self, what: &str) -> Result<i64, MeshError> {
        let word = self.word(what)?;
        word.parse().map_err(|_| self.unexpected(what, word))
    }

    /// A whole number that is not negative.
    pub fn count(&mut self, what: &str) -> Result<u64, MeshError> {
        let word = self.word(what)?;
        word.parse().map_err(|_| self.unexpected(what, word))
    }
}
