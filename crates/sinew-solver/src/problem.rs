//! The problem a solver is given.

use sinew_math::dense::dot;
use sinew_math::tree::{TreeRows, dot_contiguous, dot_sparse};

/// A matrix in compressed rows. Columns ascend within a row; rows of one contact share columns.
#[derive(Clone, Copy, Debug)]
pub struct Rows<'a> {
    /// Entries of each row.
    pub rownnz: &'a [i32],
    /// Address of each row's first entry.
    pub rowadr: &'a [i32],
    /// Column of each entry.
    pub colind: &'a [i32],
    /// Whether the row has the same columns as the one before.
    pub repeats: &'a [bool],
    /// The entries.
    pub value: &'a [f64],
    /// The full matrix, row-major, where sums run in its order.
    pub full: Option<&'a [f64]>,
}

/// Rows with up to this many entries have their part of a vector gathered once for all rows that
/// share the columns.
const MOST_GATHERED: usize = 64;

impl<'a> Rows<'a> {
    /// Columns and entries of row `i`.
    #[inline]
    pub fn row(&self, i: usize) -> (&'a [i32], &'a [f64]) {
        let start = self.rowadr[i] as usize;
        let end = start + self.rownnz[i] as usize;
        (&self.colind[start..end], &self.value[start..end])
    }

    /// out = J·x
    pub fn multiply(&self, x: &[f64], out: &mut [f64]) {
        if let Some(full) = self.full {
            for (i, out) in out.iter_mut().enumerate() {
                *out = dot(&full[i * x.len()..(i + 1) * x.len()], x);
            }
            return;
        }
        let mut gathered = [0.0; MOST_GATHERED];
        for (i, out) in out.iter_mut().enumerate() {
            let (columns, values) = self.row(i);
            *out = match gathered.get_mut(..columns.len()) {
                Some(part) => {
                    if !self.repeats[i] {
                        for (slot, &column) in part.iter_mut().zip(columns) {
                            *slot = x[column as usize];
                        }
                    }
                    dot_contiguous(values, part)
                }
                None => dot_sparse(values, columns, x),
            };
        }
    }

    /// Writes the full matrix with `width` columns.
    pub fn expand(&self, width: usize, out: &mut Vec<f64>) {
        out.clear();
        out.resize(self.rownnz.len() * width, 0.0);
        for (i, full) in out.chunks_exact_mut(width.max(1)).enumerate() {
            let (columns, values) = self.row(i);
            for (&column, &value) in columns.iter().zip(values) {
                full[column as usize] = value;
            }
        }
    }

    /// out = Jᵀ·f
    pub fn multiply_transposed(&self, f: &[f64], out: &mut [f64]) {
        out.fill(0.0);
        for (i, &force) in f.iter().enumerate() {
            if force != 0.0 {
                let (columns, values) = self.row(i);
                for (&column, &value) in columns.iter().zip(values) {
                    out[column as usize] += value * force;
                }
            }
        }
    }
}

/// The columns of a sparse J, for products with Jᵀ in the order of sums of compressed columns.
#[derive(Clone, Debug, Default)]
pub(crate) struct Columns {
    /// First entry of each column, and the end.
    start: Vec<usize>,
    row: Vec<i32>,
    value: Vec<f64>,
}

impl Columns {
    /// Collects the entries of J by column.
    pub fn collect(&mut self, jacobian: &Rows<'_>, width: usize) {
        let count = jacobian.rownnz.len();
        self.start.clear();
        self.start.resize(width + 2, 0);
        for i in 0..count {
            for &column in jacobian.row(i).0 {
                self.start[column as usize + 2] += 1;
            }
        }
        for column in 0..width {
            self.start[column + 2] += self.start[column + 1];
        }
        let total = self.start[width + 1];
        self.row.resize(total, 0);
        self.value.resize(total, 0.0);
        // What is the start of the next column serves as the end of this one while it fills.
        for i in 0..count {
            let (columns, values) = jacobian.row(i);
            for (&column, &value) in columns.iter().zip(values) {
                let entry = &mut self.start[column as usize + 1];
                self.row[*entry] = i as i32;
                self.value[*entry] = value;
                *entry += 1;
            }
        }
    }

    /// Rows and entries of one column.
    pub fn column(&self, i: usize) -> (&[i32], &[f64]) {
        let entries = self.start[i]..self.start[i + 1];
        (&self.row[entries.clone()], &self.value[entries])
    }

    /// out = Jᵀ·f
    pub fn multiply(&self, f: &[f64], out: &mut [f64]) {
        for (out, bounds) in out.iter_mut().zip(self.start.windows(2)) {
            let entries = bounds[0]..bounds[1];
            *out = dot_sparse(&self.value[entries.clone()], &self.row[entries], f);
        }
    }
}

/// A contact with an elliptic cone: rows `row..row + dim`, the normal first.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Cone {
    /// Its first row.
    pub row: usize,
    /// Number of its rows: 3, 4 or 6.
    pub dim: usize,
    /// Slope of the regularised cone.
    pub mu: f64,
    /// Friction coefficients of the tangential directions.
    pub friction: [f64; 5],
}

/// A contact with a pyramidal cone: 2·(dim − 1) rows, opposing edges in pairs.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Pyramid {
    /// Its first row.
    pub row: usize,
    /// Contact dimension: 3, 4 or 6.
    pub dim: usize,
}

/// Constraint rows in fixed order: equalities, dry friction, then everything that only pushes
/// (limits, contacts), with the inertia they act on.
#[derive(Clone, Copy, Debug)]
pub struct Problem<'a> {
    /// Number of equality rows.
    pub equality_count: usize,
    /// Number of dry-friction rows.
    pub friction_count: usize,
    /// Constraint Jacobian J.
    pub jacobian: Rows<'a>,
    /// Elliptic contacts by ascending row.
    pub cones: &'a [Cone],
    /// Inverse regularisation, per row.
    pub D: &'a [f64],
    /// Regularisation, per row.
    pub R: &'a [f64],
    /// Bound of the dry-friction rows, per row.
    pub frictionloss: &'a [f64],
    /// Reference acceleration, per row.
    pub aref: &'a [f64],
    /// Kinematic tree of each degree of freedom, ascending: M couples none across trees.
    pub tree: &'a [i32],
    /// Layout of the inertia and of its factor.
    pub inertia_rows: TreeRows<'a>,
    /// Inertia M, compressed.
    pub inertia: &'a [f64],
    /// LᵀDL factor of M.
    pub factor: &'a [f64],
    /// 1/D of that factor.
    pub factor_inverse: &'a [f64],
    /// Force without constraints.
    pub qfrc_smooth: &'a [f64],
    /// Acceleration without constraints.
    pub qacc_smooth: &'a [f64],
    /// Turns costs and gradients into the unit the tolerance is given in.
    pub scale: f64,
}

impl Problem<'_> {
    /// Number of rows.
    #[inline]
    pub fn row_count(&self) -> usize {
        self.D.len()
    }

    /// Number of degrees of freedom.
    #[inline]
    pub fn dof_count(&self) -> usize {
        self.qacc_smooth.len()
    }
}

/// When to stop.
#[derive(Clone, Copy, Debug)]
pub struct Settings {
    /// Most iterations.
    pub iterations: usize,
    /// Scaled improvement or gradient below which the solution counts as found.
    pub tolerance: f64,
    /// Relative tolerance of the line search.
    pub ls_tolerance: f64,
    /// Most evaluations in one line search.
    pub ls_iterations: usize,
}

/// What one iteration did.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Statistic {
    /// Scaled cost decrease.
    pub improvement: f64,
    /// Scaled gradient norm.
    pub gradient: f64,
    /// Scaled slope at the end of the line search.
    pub lineslope: f64,
    /// Active rows.
    pub nactive: i32,
    /// Rows whose state changed.
    pub nchange: i32,
    /// Evaluations in the line search.
    pub neval: i32,
    /// Rank-one changes of the Hessian.
    pub nupdate: i32,
}

/// State of a row: the branch of its cost function it is on. Codes as in the reference.
pub mod state {
    /// No force.
    pub const SATISFIED: i32 = 0;
    /// On the parabola.
    pub const QUADRATIC: i32 = 1;
    /// Dry friction at its bound, positive force.
    pub const LINEAR_NEGATIVE: i32 = 2;
    /// Dry friction at its bound, negative force.
    pub const LINEAR_POSITIVE: i32 = 3;
    /// On the side of an elliptic cone.
    pub const CONE: i32 = 4;
}
