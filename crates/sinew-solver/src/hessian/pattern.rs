//! Which columns the rows of J and M have. As long as they stay the same, so does what follows from them.

use crate::problem::Problem;

/// The columns of J and M of one problem; at first, of none.
#[derive(Clone, Debug, Default)]
pub(super) struct Pattern {
    is_known: bool,
    jacobian: Columns,
    inertia: Columns,
}

/// Columns of compressed rows.
#[derive(Clone, Debug, Default)]
struct Columns {
    counts: Vec<i32>,
    columns: Vec<i32>,
}

impl Pattern {
    /// Whether a problem has these columns.
    pub fn is_of(&self, problem: &Problem<'_>) -> bool {
        let (jacobian, inertia) = (problem.jacobian, problem.inertia_rows);
        self.is_known
            && self
                .jacobian
                .are_of(jacobian.rownnz, jacobian.rowadr, jacobian.colind)
            && self
                .inertia
                .are_of(inertia.rownnz, inertia.rowadr, inertia.colind)
    }

    /// Forgets the problem.
    pub fn clear(&mut self) {
        self.is_known = false;
    }

    /// Remembers a problem.
    pub fn keep(&mut self, problem: &Problem<'_>) {
        let (jacobian, inertia) = (problem.jacobian, problem.inertia_rows);
        self.jacobian
            .keep(jacobian.rownnz, jacobian.rowadr, jacobian.colind);
        self.inertia
            .keep(inertia.rownnz, inertia.rowadr, inertia.colind);
        self.is_known = true;
    }
}

impl Columns {
    fn are_of(&self, counts: &[i32], starts: &[i32], columns: &[i32]) -> bool {
        let mut known = &self.columns[..];
        self.counts == counts
            && rows(counts, starts, columns).all(|row| {
                let (own, rest) = known.split_at(row.len());
                known = rest;
                own == row
            })
    }

    fn keep(&mut self, counts: &[i32], starts: &[i32], columns: &[i32]) {
        self.counts.clear();
        self.counts.extend_from_slice(counts);
        self.columns.clear();
        for row in rows(counts, starts, columns) {
            self.columns.extend_from_slice(row);
        }
    }
}

/// The columns of each row.
fn rows<'a>(
    counts: &'a [i32],
    starts: &'a [i32],
    columns: &'a [i32],
) -> impl Iterator<Item = &'a [i32]> {
    let rows = counts.iter().zip(starts);
    rows.map(|(&count, &start)| &columns[start as usize..start as usize + count as usize])
}

#[cfg(test)]
mod tests {
    use super::Columns;

    #[test]
    fn only_the_same_columns_are_known_again() {
        let mut known = Columns::default();
        known.keep(&[2, 0, 1], &[0, 2, 2], &[0, 4, 7]);
        assert!(known.are_of(&[2, 0, 1], &[0, 2, 2], &[0, 4, 7]));
        // Elsewhere in memory.
        assert!(known.are_of(&[2, 0, 1], &[2, 0, 1], &[9, 7, 0, 4]));
        assert!(!known.are_of(&[2, 0, 1], &[0, 2, 2], &[0, 4, 6]));
        assert!(!known.are_of(&[1, 1, 1], &[0, 1, 2], &[0, 4, 7]));
        assert!(!known.are_of(&[2, 0], &[0, 2], &[0, 4]));
    }
}
