//! Little-endian numbers at byte offsets of a section.

use super::{Section, malformed};
use crate::asset::mesh::{MeshError, Place};

/// Bytes of the number at the start of a section that are looked at, as in the reference.
const COUNT_BYTES: usize = 10;

impl Section<'_> {
    /// An error at an offset of the section.
    pub fn error(&self, offset: usize, message: impl Into<String>) -> MeshError {
        malformed(Some(self.place(offset)), message)
    }

    /// A place in the file.
    pub fn place(&self, offset: usize) -> Place {
        Place::Byte(self.start.saturating_add(offset))
    }

    fn at<const N: usize>(&self, offset: usize) -> Result<[u8; N], MeshError> {
        self.pace.after(N)?;
        let end = offset.saturating_add(N);
        let bytes = self.bytes.get(offset..end).and_then(|b| b.try_into().ok());
        bytes.ok_or_else(|| self.error(offset, format!("{} ends too early", self.name)))
    }

    /// A 32-bit whole number.
    pub fn int(&self, offset: usize) -> Result<i32, MeshError> {
        self.at(offset).map(i32::from_le_bytes)
    }

    /// A 64-bit count.
    pub fn long(&self, offset: usize) -> Result<u64, MeshError> {
        self.at(offset).map(u64::from_le_bytes)
    }

    /// A number with decimals.
    pub fn double(&self, offset: usize) -> Result<f64, MeshError> {
        self.at(offset).map(f64::from_le_bytes)
    }

    /// Whether so many records of so many bytes follow a header; an error if not.
    pub fn check_length(&self, header: usize, count: usize, size: usize) -> Result<(), MeshError> {
        let needed = count.checked_mul(size).and_then(|n| n.checked_add(header));
        if needed.is_some_and(|needed| self.bytes.len() >= needed) {
            return Ok(());
        }
        Err(self.error(
            0,
            format!(
                "{} has {} bytes, too few for {count} records",
                self.name,
                self.bytes.len()
            ),
        ))
    }

    /// The count written as text before binary records, and where these begin: after the text and
    /// before the first byte of the first record, whose second byte is zero.
    pub fn text_count(&self, what: &str) -> Result<(usize, usize), MeshError> {
        let text = self.bytes.iter().take(COUNT_BYTES);
        let text: Vec<u8> = text.copied().take_while(|byte| *byte != 0).collect();
        let digits = text.iter().copied().skip_while(u8::is_ascii_whitespace);
        let digits: String = digits
            .take_while(u8::is_ascii_digit)
            .map(char::from)
            .collect();
        let count = digits
            .parse::<u64>()
            .map_err(|_| self.error(0, format!("expected the number of {what}")))?;
        let count = super::counted(count, what, self.place(0))?;
        Ok((count, text.len().saturating_sub(1)))
    }
}
