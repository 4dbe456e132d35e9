//! The problem a solver is given, and how it is told to go about it.

use crate::island::Islands;
use crate::rows::Rows;
use sinew_math::tree::TreeRows;

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
    /// Pyramidal contacts by ascending row.
    pub pyramids: &'a [Pyramid],
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
    /// Acceleration that may be a better start than the one without constraints.
    pub warm_start: Option<&'a [f64]>,
    /// Groups of trees that can be solved on their own.
    pub islands: Option<&'a Islands>,
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

    /// J·qacc − aref
    pub(crate) fn residual(&self, qacc: &[f64], out: &mut [f64]) {
        self.jacobian.multiply(qacc, out);
        for (residual, aref) in out.iter_mut().zip(self.aref) {
            *residual -= aref;
        }
    }
}

/// How forces are found.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Method {
    /// Projected Gauss–Seidel over forces.
    GaussSeidel,
    /// Conjugate gradients over accelerations.
    ConjugateGradient,
    /// Newton's method over accelerations.
    Newton,
}

/// How to solve, and when to stop.
#[derive(Clone, Copy, Debug)]
pub struct Settings {
    /// How forces are found.
    pub method: Method,
    /// Most iterations.
    pub iterations: usize,
    /// Scaled improvement or gradient below which the solution counts as found.
    pub tolerance: f64,
    /// Relative tolerance of the line search.
    pub ls_tolerance: f64,
    /// Most evaluations in one line search.
    pub ls_iterations: usize,
    /// Most sweeps of noslip afterwards; 0: none.
    pub noslip_iterations: usize,
    /// Scaled improvement below which noslip ends.
    pub noslip_tolerance: f64,
}

impl Settings {
    /// Whether forces are what is solved for, at least in part.
    pub fn is_dual(&self) -> bool {
        self.method == Method::GaussSeidel || self.noslip_iterations > 0
    }
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
