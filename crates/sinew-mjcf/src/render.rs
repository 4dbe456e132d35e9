//! A diagnostic as a person wants to read it: what, where, the line itself, and how to mend it.
//!
//! ```text
//! error[mjcf::unknown-attribute]: `geom` has no attribute `frictoin`
//!   --> arm.xml:12:21
//!    |
//! 12 |   <geom name="palm" frictoin="1"/>
//!    |                     ^^^^^^^^ did you mean `friction`?
//! ```
//!
//! Where neither message nor line name the element it is about, because it began further up, the
//! place does: `--> arm.xml:12:21 in fixed "cord"`.
//!
//! Source text is quoted with care: a long line is cut around the place, and characters that a
//! terminal would obey are replaced.

#![deny(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    clippy::arithmetic_side_effects
)]

use crate::diagnostic::{Diagnostic, Severity};
use std::fmt::Write;

/// Characters of source shown before and after the place in a long line.
const BEFORE: usize = 60;
const AFTER: usize = 60;

impl Diagnostic {
    /// The diagnostic with its source line, several lines of plain text without a final newline.
    pub fn render(&self) -> String {
        let severity = match self.severity {
            Severity::Error => "error",
            Severity::Warning => "warning",
        };
        let mut out = format!("{severity}[{}]: {}", self.code, printable(&self.message));
        let hint = self.hint.as_deref().map(printable);
        let number = self.line.to_string();
        let gutter = if self.line > 0 { number.len() } else { 1 };

        // Writing to a string cannot fail; the results are ignored.
        if !self.file.is_empty() {
            let _ = write!(out, "\n{:gutter$}--> {}", "", printable(&self.file));
            if self.line > 0 {
                let _ = write!(out, ":{}:{}", self.line, self.column);
            }
            if let Some(element) = self.element_out_of_sight() {
                let _ = write!(out, " in {}", printable(element));
            }
        }
        match &self.source_line {
            Some(source) if self.line > 0 && self.column > 0 => {
                let quote = Quote::around(source, self.column as usize);
                let _ = write!(out, "\n{:gutter$} |\n{number} | {}", "", quote.text);
                let _ = write!(out, "\n{:gutter$} | {:2$}", "", "", quote.indent);
                out.extend(std::iter::repeat_n('^', quote.length));
                if let Some(hint) = hint {
                    let _ = write!(out, " {hint}");
                }
            }
            _ => {
                if let Some(hint) = hint {
                    let _ = write!(out, "\n{:gutter$} = {hint}", "");
                }
            }
        }
        out
    }

    /// The element, if it has a name that neither the message nor the quoted line says.
    fn element_out_of_sight(&self) -> Option<&str> {
        let name = self.element.split('"').nth(1)?;
        let line = Quote::around(self.source_line.as_deref()?, self.column as usize).text;
        let is_said = line.contains(name) || self.message.contains(name);
        let is_short = self.element.chars().nth(BEFORE).is_none();
        (is_short && !name.is_empty() && !is_said).then_some(self.element.as_str())
    }
}

/// The part of a source line that is shown, and what is underlined in it.
struct Quote {
    text: String,
    indent: usize,
    length: usize,
}

impl Quote {
    /// Quotes the surroundings of a column (from 1) and underlines the word or string there.
    fn around(line: &str, column: usize) -> Quote {
        let line = line.trim_end();
        let start = column.saturating_sub(1);
        let skip = start.saturating_sub(BEFORE);
        let mut text = String::new();
        if skip > 0 {
            text.push('…');
        }
        let before = start.saturating_sub(skip);
        let indent = text.chars().count().saturating_add(before);
        text.extend(
            line.chars()
                .skip(skip)
                .take(before.saturating_add(AFTER))
                .map(printable_character),
        );
        if line.chars().nth(start.saturating_add(AFTER)).is_some() {
            text.push('…');
        }
        let length = word_length(line.chars().skip(start).take(AFTER));
        Quote {
            text,
            indent,
            length,
        }
    }
}

/// The length of the name, tag or quoted string that starts here; at least 1.
fn word_length(characters: impl Iterator<Item = char>) -> usize {
    let mut length = 0_usize;
    let mut quote = None;
    for c in characters {
        match quote {
            Some(mark) if c == mark => return length.saturating_add(1),
            Some(_) => {}
            None if length == 0 && (c == '"' || c == '\'') => quote = Some(c),
            None if length == 0 && c == '<' => {}
            None if c.is_alphanumeric() || matches!(c, '_' | '-' | '.' | ':') => {}
            None => break,
        }
        length = length.saturating_add(1);
    }
    length.max(1)
}

/// Text without characters that move the cursor or change colours.
fn printable(text: &str) -> String {
    text.chars()
        .map(|c| if c == '\n' { c } else { printable_character(c) })
        .collect()
}

fn printable_character(c: char) -> char {
    match c {
        '\t' => ' ',
        c if c.is_control() => char::REPLACEMENT_CHARACTER,
        c => c,
    }
}

#[cfg(test)]
#[allow(clippy::indexing_slicing, clippy::expect_used)]
mod tests {
    use super::*;

    fn diagnostic(line: u32, column: u32, source: Option<&str>, hint: Option<&str>) -> Diagnostic {
        Diagnostic {
            code: "mjcf::unknown-attribute",
            severity: Severity::Error,
            file: "arm.xml".into(),
            line,
            column,
            element: "mujoco/worldbody/geom".into(),
            attribute: Some("frictoin".into()),
            message: "`geom` has no attribute `frictoin`".into(),
            hint: hint.map(Into::into),
            source_line: source.map(Into::into),
        }
    }

    #[test]
    fn a_known_place_is_underlined() {
        let source = "\t<geom name=\"palm\" frictoin=\"1\"/>\r";
        let shown = diagnostic(12, 20, Some(source), Some("did you mean `friction`?")).render();
        let expected = "\
error[mjcf::unknown-attribute]: `geom` has no attribute `frictoin`
  --> arm.xml:12:20
   |
12 |  <geom name=\"palm\" frictoin=\"1\"/>
   |                    ^^^^^^^^ did you mean `friction`?";
        assert_eq!(shown, expected);
    }

    #[test]
    fn an_element_that_began_further_up_is_named() {
        let mut found = diagnostic(4, 15, Some(" <joint joint='jj' coef='1'/>"), None);
        found.element = "fixed \"cord\"".into();
        let place = |found: &Diagnostic| found.render().lines().nth(1).map(String::from);
        let named = Some(" --> arm.xml:4:15 in fixed \"cord\"".into());
        assert_eq!(place(&found), named);
        // In sight already, too long, or without a name.
        let plain = Some(" --> arm.xml:4:15".to_string());
        found.source_line = Some("<fixed name='cord'><joint joint='jj'/>".into());
        assert_eq!(place(&found), plain);
        found.source_line = Some(String::new());
        for element in [
            "joint",
            "fixed \"\"",
            &format!("fixed \"{}\"", "x".repeat(99)),
        ] {
            found.element = element.into();
            assert_eq!(place(&found), plain);
        }
    }

    #[test]
    fn tags_and_strings_are_underlined_whole() {
        assert_eq!(word_length("<geom name=".chars()), 5);
        assert_eq!(word_length("\"1 2 x\" size".chars()), 7);
        assert_eq!(word_length("'open".chars()), 5);
        assert_eq!(word_length("".chars()), 1);
    }

    #[test]
    fn without_a_place_the_hint_stands_alone() {
        let shown = diagnostic(0, 0, None, Some("is the path right?")).render();
        let expected = "\
error[mjcf::unknown-attribute]: `geom` has no attribute `frictoin`
 --> arm.xml
  = is the path right?";
        assert_eq!(shown, expected);
    }

    #[test]
    fn long_lines_are_cut_around_the_place() {
        let source = format!("{}BAD{}", "a ".repeat(500_000), " b".repeat(500_000));
        let shown = diagnostic(1, 1_000_001, Some(&source), None).render();
        assert!(
            shown.lines().all(|line| line.chars().count() < 140),
            "{shown}"
        );
        let lines: Vec<&str> = shown.lines().collect();
        let caret = lines[4].find('^').expect("underlined");
        let quoted: String = lines[3].chars().skip(caret).take(3).collect();
        assert_eq!(quoted, "BAD");
    }

    #[test]
    fn control_characters_do_not_reach_the_terminal() {
        let shown = diagnostic(1, 2, Some("\u{1b}[2J<geom>"), None).render();
        assert!(!shown.contains('\u{1b}'));
    }

    #[test]
    fn a_column_past_the_end_is_harmless() {
        let shown = diagnostic(3, 4_000_000_000, Some("<a/>"), None).render();
        assert!(shown.len() < 400);
    }
}
