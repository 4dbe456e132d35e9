//! Where the rows that come again and again have their entries.

use crate::rows::Rows;

/// The columns of the first rows of a J, as they were the last time.
#[derive(Clone, Debug, Default)]
pub(super) struct Pattern {
    width: usize,
    rownnz: Vec<i32>,
    rowadr: Vec<i32>,
    colind: Vec<i32>,
    repeats: Vec<bool>,
}

impl Pattern {
    /// Takes over the columns of the first rows of a J with so many columns. Tells whether they are those of the last
    /// time.
    pub fn follow(&mut self, jacobian: &Rows<'_>, rows: usize, width: usize) -> bool {
        let (rownnz, rowadr) = (&jacobian.rownnz[..rows], &jacobian.rowadr[..rows]);
        let end = match (rownnz.last(), rowadr.last()) {
            (Some(count), Some(start)) => (start + count) as usize,
            _ => 0,
        };
        let (colind, repeats) = (&jacobian.colind[..end], &jacobian.repeats[..rows]);
        let is_known = self.width == width
            && self.rownnz == rownnz
            && self.rowadr == rowadr
            && self.repeats == repeats
            && self.colind == colind;
        if !is_known {
            self.width = width;
            for (own, given) in [
                (&mut self.rownnz, rownnz),
                (&mut self.rowadr, rowadr),
                (&mut self.colind, colind),
            ] {
                own.clear();
                own.extend_from_slice(given);
            }
            self.repeats.clear();
            self.repeats.extend_from_slice(repeats);
        }
        is_known
    }
}
