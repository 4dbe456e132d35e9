//! Words of a text, with the lines they stand in.

use super::malformed;
use crate::asset::mesh::{MeshError, Place};

/// A reader of numbers separated by white space.
#[derive(Clone, Copy, Debug)]
pub struct Words<'a> {
    rest: &'a [u8],
    line: usize,
}

impl<'a> Words<'a> {
    /// Starts at the beginning of a text; `line` is the number of its first line.
    pub fn new(text: &'a [u8], line: usize) -> Self {
        Words { rest: text, line }
    }

    /// Where it stands.
    pub fn place(&self) -> Place {
        Place::Line(self.line)
    }

    /// What is left of the current line.
    pub fn line(&self) -> &'a [u8] {
        self.rest
            .split(|byte| *byte == b'\n')
            .next()
            .unwrap_or_default()
    }

    fn word(&mut self, what: &str) -> Result<&'a str, MeshError> {
        let blanks = self.rest.iter().take_while(|b| b.is_ascii_whitespace());
        let (blanks, word) = self
            .rest
            .split_at_checked(blanks.count())
            .unwrap_or_default();
        self.line = self
            .line
            .saturating_add(blanks.iter().filter(|byte| **byte == b'\n').count());
        let length = word.iter().take_while(|b| !b.is_ascii_whitespace()).count();
        let (word, rest) = word.split_at_checked(length).unwrap_or_default();
        self.rest = rest;
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
