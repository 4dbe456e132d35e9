//! A row over the degrees of freedom that is gathered entry by entry.
//!
//! Between uses all entries are 0 and untouched, so that a short row costs no more than its span.

use sinew_dynamics::transmission::Entries;

/// The row being gathered.
pub(crate) struct GatheredRow<'a> {
    values: &'a mut [f64],
    touched: &'a mut [bool],
    first: usize,
    end: usize,
}

impl Entries<f64> for GatheredRow<'_> {
    #[inline]
    fn add(&mut self, dof: usize, value: f64) {
        self.values[dof] += value;
        self.touch(dof);
    }

    #[inline]
    fn set(&mut self, dof: usize, value: f64) {
        self.values[dof] = value;
        self.touch(dof);
    }
}

impl<'a> GatheredRow<'a> {
    /// An empty row in working memory of one entry per degree of freedom.
    pub fn new(values: &'a mut [f64], touched: &'a mut [bool]) -> Self {
        values.fill(0.0);
        touched.fill(false);
        let first = values.len();
        GatheredRow {
            values,
            touched,
            first,
            end: 0,
        }
    }

    #[inline]
    fn touch(&mut self, dof: usize) {
        self.touched[dof] = true;
        self.first = self.first.min(dof);
        self.end = self.end.max(dof + 1);
    }

    /// Multiplies all entries.
    pub(crate) fn scale(&mut self, factor: f64) {
        if self.first < self.end {
            for value in &mut self.values[self.first..self.end] {
                *value *= factor;
            }
        }
    }

    /// Calls `visit(dof, value)` for the touched entries in ascending order, and empties the row.
    #[inline]
    pub(crate) fn drain(&mut self, mut visit: impl FnMut(usize, f64)) {
        for dof in self.first..self.end {
            if self.touched[dof] {
                visit(dof, self.values[dof]);
                self.values[dof] = 0.0;
                self.touched[dof] = false;
            }
        }
        (self.first, self.end) = (self.values.len(), 0);
    }
}
