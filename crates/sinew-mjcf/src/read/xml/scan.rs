//! Names, values and what stands between tags: characters of an XML file, in order.

use super::fault::{Fault, Problem};
use crate::place::Place;
use crate::report::Report;

/// A text and how far it is read.
pub(super) struct Scanner<'a> {
    text: &'a str,
    /// Bytes read.
    pub at: usize,
}

/// What was found on the way.
#[derive(Default)]
pub(super) struct Passed {
    pub blanks: usize,
    /// Whether a character stands for another: `&`, and blanks that are no spaces.
    pub is_special: bool,
}

/// After so many bytes of one piece somebody looks at the clock.
const PIECE: usize = 1 << 20;

/// A name with its prefix, which may be empty.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Name<'a> {
    pub prefix: &'a str,
    pub local: &'a str,
}

impl<'a> Scanner<'a> {
    pub fn new(text: &'a str) -> Self {
        Scanner { text, at: 0 }
    }

    pub fn is_at_end(&self) -> bool {
        self.at >= self.text.len()
    }

    /// What was read since an offset.
    pub fn since(&self, start: usize) -> &'a str {
        self.text.get(start..self.at).unwrap_or("")
    }

    fn rest(&self) -> &'a [u8] {
        self.text.as_bytes().get(self.at..).unwrap_or(&[])
    }

    pub fn starts_with(&self, text: &str) -> bool {
        self.rest().starts_with(text.as_bytes())
    }

    /// The next byte, which must be there.
    pub fn byte(&self) -> Result<u8, Fault> {
        let next = self.rest().first().copied();
        next.ok_or(Fault::new(Problem::EarlyEnd, self.at))
    }

    /// The byte after the next.
    pub fn second(&self) -> Option<u8> {
        self.rest().get(1).copied()
    }

    pub fn advance(&mut self, bytes: usize) {
        self.at = self.at.saturating_add(bytes).min(self.text.len());
    }

    /// Passes one byte, which must be this one.
    pub fn expect(&mut self, wanted: u8) -> Result<(), Fault> {
        let found = self.byte()?;
        if found != wanted {
            return Err(Fault::new(Problem::Expected(wanted, found), self.at));
        }
        self.advance(1);
        Ok(())
    }

    /// Passes a text, which must be this one.
    pub fn expect_text(&mut self, wanted: &'static str) -> Result<(), Fault> {
        if !self.starts_with(wanted) {
            return Err(Fault::new(Problem::ExpectedText(wanted), self.at));
        }
        self.advance(wanted.len());
        Ok(())
    }

    pub fn is_at_space(&self) -> bool {
        self.rest().first().is_some_and(|byte| is_space(*byte))
    }

    /// Passes blanks, if there are any.
    pub fn skip_spaces(&mut self, report: &mut Report, place: Place) -> Result<(), Fault> {
        while self.is_at_space() {
            let piece = self.rest().iter().take(PIECE);
            let spaces = piece.take_while(|byte| is_space(**byte)).count();
            self.advance(spaces);
            if spaces == PIECE {
                self.look_at_clock(report, place)?;
            }
        }
        Ok(())
    }

    /// Passes everything before a text, or to the end. Characters that XML does not have are refused.
    pub fn skip_to(&mut self, end: &str, report: &mut Report, place: Place) -> Result<(), Fault> {
        let first = end.as_bytes().first().copied().unwrap_or(0);
        let mut looked = self.at;
        loop {
            self.skip_until(&[first], report, place)?;
            if self.is_at_end() || self.starts_with(end) {
                return Ok(());
            }
            self.advance(1);
            // A text may begin like its end again and again.
            if self.at.saturating_sub(looked) >= PIECE {
                self.look_at_clock(report, place)?;
                looked = self.at;
            }
        }
    }

    /// Passes everything before one of these bytes, or to the end. Characters that XML does not have are
    /// refused.
    pub fn skip_until(
        &mut self,
        ends: &[u8],
        report: &mut Report,
        place: Place,
    ) -> Result<Passed, Fault> {
        let mut passed = Passed::default();
        loop {
            let rest = self.rest();
            let piece = rest.get(..PIECE).unwrap_or(rest);
            let mut stop = None;
            for (offset, byte) in piece.iter().enumerate() {
                if *byte > b'&' && *byte < 0xef && !ends.contains(byte) {
                    continue;
                }
                if ends.contains(byte) {
                    stop = Some(offset);
                    break;
                }
                let is_blank = is_space(*byte);
                passed.blanks = passed.blanks.saturating_add(usize::from(is_blank));
                passed.is_special |= *byte == b'&' || (is_blank && *byte != b' ');
                let is_foreign = match byte {
                    0..0x20 => !is_blank,
                    // U+FFFE and U+FFFF.
                    0xef => matches!(
                        rest.get(offset..offset.saturating_add(3)),
                        Some([0xef, 0xbf, 0xbe | 0xbf])
                    ),
                    _ => false,
                };
                if is_foreign {
                    let at = self.at.saturating_add(offset);
                    return Err(Fault::new(Problem::ForeignCharacter, at));
                }
            }
            self.advance(stop.unwrap_or(piece.len()));
            if stop.is_some() || self.is_at_end() {
                return Ok(passed);
            }
            self.look_at_clock(report, place)?;
        }
    }

    pub fn look_at_clock(&self, report: &mut Report, place: Place) -> Result<(), Fault> {
        let has_time = report.has_time(place);
        has_time
            .then_some(())
            .ok_or(Fault::new(Problem::Reported, self.at))
    }

    /// A name of an instruction, where a colon is a letter like others.
    pub fn target(&mut self) -> Result<(), Fault> {
        let rest = self.text.get(self.at..).unwrap_or("");
        if !rest.chars().next().is_some_and(starts_name) {
            return Err(Fault::new(Problem::InvalidName, self.at));
        }
        let end = rest.find(|c: char| c != ':' && !is_in_name(c));
        self.advance(end.unwrap_or(rest.len()));
        Ok(())
    }

    /// A name, with or without a prefix.
    pub fn name(&mut self) -> Result<Name<'a>, Fault> {
        let start = self.at;
        let invalid = Fault::new(Problem::InvalidName, start);
        let mut colon = None;
        let rest = self.text.get(start..).unwrap_or("");
        let mut length = rest.len();
        for (offset, character) in rest.char_indices() {
            if character == ':' {
                if colon.replace(offset).is_some() {
                    return Err(invalid);
                }
            } else if !is_in_name(character) {
                length = offset;
                break;
            }
        }
        self.advance(length);
        let whole = self.since(start);
        let (prefix, local) = match colon {
            Some(colon) => whole.split_at_checked(colon).unwrap_or(("", whole)),
            None => ("", whole),
        };
        let local = local.strip_prefix(':').unwrap_or(local);
        let starts = |name: &str| name.chars().next().is_some_and(starts_name);
        if (!prefix.is_empty() && !starts(prefix)) || !starts(local) {
            return Err(invalid);
        }
        Ok(Name { prefix, local })
    }

    /// `=` and the quotation mark after it.
    pub fn equals(&mut self, report: &mut Report, place: Place) -> Result<u8, Fault> {
        self.skip_spaces(report, place)?;
        self.expect(b'=')?;
        self.skip_spaces(report, place)?;
        let quote = self.byte()?;
        if !matches!(quote, b'"' | b'\'') {
            return Err(Fault::new(Problem::ExpectedThing("a quote"), self.at));
        }
        self.advance(1);
        Ok(quote)
    }
}

/// A character that `&…;` stands for: `text` begins with it. The number of bytes it takes is the second.
pub(super) fn reference(text: &str, at: usize) -> Result<(char, usize), Fault> {
    let malformed = || Fault::new(Problem::MalformedEntity, at);
    let inside = text.strip_prefix('&').ok_or_else(malformed)?;
    // No reference is longer than a number of eight digits, but names of unknown ones are told.
    const LONGEST: usize = 100;
    let end = inside.bytes().take(LONGEST).position(|byte| byte == b';');
    let name = end
        .and_then(|end| inside.get(..end))
        .ok_or_else(malformed)?;
    let length = name.len().saturating_add(2);
    if let Some(number) = name.strip_prefix('#') {
        let (digits, radix) = match number.strip_prefix('x') {
            Some(digits) => (digits, 16),
            None => (number, 10),
        };
        let is_number = digits.chars().all(|digit| digit.is_digit(radix));
        let code = u32::from_str_radix(digits, radix)
            .ok()
            .filter(|_| is_number);
        let character = char::from_u32(code.ok_or_else(malformed)?).unwrap_or('\u{fffd}');
        let is_foreign = (character < ' ' && !matches!(character, '\t' | '\n' | '\r'))
            || matches!(character, '\u{fffe}' | '\u{ffff}');
        return if is_foreign {
            Err(malformed())
        } else {
            Ok((character, length))
        };
    }
    let character = match name {
        "quot" => '"',
        "amp" => '&',
        "apos" => '\'',
        "lt" => '<',
        "gt" => '>',
        _ => {
            let is_name = name.chars().next().is_some_and(starts_name)
                && name.chars().all(|c| c == ':' || is_in_name(c));
            let unknown = || Fault::new(Problem::UnknownEntity(name.to_string()), at);
            return Err(if is_name { unknown() } else { malformed() });
        }
    };
    Ok((character, length))
}

pub(super) fn is_space(byte: u8) -> bool {
    matches!(byte, b' ' | b'\t' | b'\n' | b'\r')
}

/// Characters that a name may begin with; a colon is looked at before.
fn starts_name(character: char) -> bool {
    match character {
        'A'..='Z' | 'a'..='z' | ':' | '_' => true,
        '\0'..='\x7f' => false,
        _ => is_foreign_letter(character),
    }
}

/// Characters that a name may have.
fn is_in_name(character: char) -> bool {
    match character {
        'A'..='Z' | 'a'..='z' | '0'..='9' | '_' | '-' | '.' => true,
        '\0'..='\x7f' => false,
        '\u{b7}' | '\u{300}'..='\u{36f}' | '\u{203f}'..='\u{2040}' => true,
        _ => is_foreign_letter(character),
    }
}

/// Letters beyond ASCII, as XML counts them.
fn is_foreign_letter(character: char) -> bool {
    matches!(character,
        '\u{c0}'..='\u{d6}' | '\u{d8}'..='\u{f6}' | '\u{f8}'..='\u{2ff}' | '\u{370}'..='\u{37d}'
        | '\u{37f}'..='\u{1fff}' | '\u{200c}'..='\u{200d}' | '\u{2070}'..='\u{218f}'
        | '\u{2c00}'..='\u{2fef}' | '\u{3001}'..='\u{d7ff}' | '\u{f900}'..='\u{fdcf}'
        | '\u{fdf0}'..='\u{fffd}' | '\u{10000}'..='\u{effff}')
}
