//! Constraint rows that laws of flexes make.
//!
//! They stand in the place of the rows of the equality that keeps the shape of the flex (`<equality><flex/>`), which says
//! how hard they are (`solref`, `solimp`) and whether they are there. A row is a violation c(x) that the solver keeps at 0,
//! a function of the places x of vertices:
//!
//! ```text
//! J = Σᵥ (∂c/∂xᵥ)ᵀ·Jᵥ        diagonal of J·M⁻¹·Jᵀ ≈ Σᵥ |∂c/∂xᵥ|²·(inverse weight of the body of v)
//! ```

use crate::flex;
use crate::position::com::Com;
use crate::position::flex::Flex;
use crate::position::jacobian::{for_each_dof, offset, translation_column};
use core::ops::Range;
use sinew_math::Vec3;
use sinew_model::Model;

/// A flex whose rows are made, and where they go.
#[derive(Debug)]
pub struct FlexRows<'a> {
    /// The model.
    pub model: &'a Model,
    /// Which flex.
    pub flex: usize,
    /// Positions of its vertices in the world, m.
    pub xpos: &'a [Vec3],
    com: &'a Com,
    out: &'a mut LawRows,
}

impl FlexRows<'_> {
    /// Adds a row: a violation, and its gradients by the places of vertices, which are counted within the flex. A row
    /// that nothing can move is left out.
    pub fn add(&mut self, violation: f64, gradients: &[(usize, Vec3)]) {
        let (model, out) = (self.model, &mut *self.out);
        out.full.resize(model.nv, 0.0);
        let bodies = &model.flex_vertbodyid[flex::vertices(model, self.flex)];
        let (mut weight, start) = (0.0, out.columns.len());
        for &(vertex, gradient) in gradients {
            let body = bodies[vertex] as usize;
            weight += gradient.dot(gradient) * model.body_invweight0[body][0];
            let offset = offset(model, self.com, body, self.xpos[vertex]);
            for_each_dof(model, body, |dof| {
                out.columns.push(dof as i32);
                out.full[dof] += gradient.dot(translation_column(&self.com.cdof[dof], offset));
            });
        }
        out.columns[start..].sort_unstable();
        let mut end = start;
        for k in start..out.columns.len() {
            let column = out.columns[k];
            if end == start || out.columns[end - 1] != column {
                out.columns[end] = column;
                end += 1;
                out.values
                    .push(core::mem::take(&mut out.full[column as usize]));
            }
        }
        out.columns.truncate(end);
        if out.values[start..].iter().all(|value| *value == 0.0) {
            out.columns.truncate(start);
            return out.values.truncate(start);
        }
        out.rows.push(LawRow {
            violation,
            weight,
            entries: (start, end),
        });
    }
}

/// A row of a law.
#[derive(Clone, Copy, Debug)]
pub(crate) struct LawRow {
    pub violation: f64,
    /// Approximate diagonal of J·M⁻¹·Jᵀ.
    pub weight: f64,
    entries: (usize, usize),
}

/// The rows of laws, until the equalities are met whose place they take.
#[derive(Clone, Debug, Default)]
pub struct LawRows {
    /// Flexes with such rows, and which.
    flexes: Vec<(usize, Range<usize>)>,
    rows: Vec<LawRow>,
    columns: Vec<i32>,
    values: Vec<f64>,
    /// A row over all degrees of freedom, zero outside of its use.
    full: Vec<f64>,
}

impl LawRows {
    /// No rows.
    #[inline]
    pub(crate) fn clear(&mut self) {
        self.flexes.clear();
        self.rows.clear();
        self.columns.clear();
        self.values.clear();
    }

    /// Lets a law add its rows of one flex; it says whether they take the place of the model's.
    pub(super) fn collect(
        &mut self,
        model: &Model,
        (com, flexes): (&Com, &Flex),
        flex: usize,
        add: impl FnOnce(&mut FlexRows<'_>) -> bool,
    ) {
        let start = self.rows.len();
        let mut rows = FlexRows {
            model,
            flex,
            xpos: &flexes.flexvert_xpos[flex::vertices(model, flex)],
            com,
            out: self,
        };
        if add(&mut rows) {
            self.flexes.push((flex, start..self.rows.len()));
        } else {
            self.rows.truncate(start);
        }
    }

    /// The rows that take the place of those of the model for a flex; none: the model's stay.
    pub(crate) fn of(&self, flex: usize) -> Option<&[LawRow]> {
        let found = self.flexes.iter().find(|(with_rows, _)| *with_rows == flex);
        found.map(|(_, rows)| &self.rows[rows.clone()])
    }

    /// Columns and values of a row.
    pub(crate) fn entries(&self, row: &LawRow) -> (&[i32], &[f64]) {
        let (start, end) = row.entries;
        (&self.columns[start..end], &self.values[start..end])
    }
}
