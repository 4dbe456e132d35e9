//! The problem a solver is given, and how it is told to go about it.

use crate::jacobian::Jacobian;
use crate::rows::Rows;
use sinew_math::Real;
use sinew_math::tree::TreeRows;

/// A contact with an elliptic cone: rows `row..row + dim`, the normal first.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Cone {
    /// Its first row.
    pub row: usize,
    /// Number of its rows: 3, 4 or 6.
    pub dim: usize,
}

/// What makes a cone circular: the slope of the regularised cone, then the friction coefficients of
/// the tangential directions.
pub type ConeShape<T = f64> = [T; 6];

/// A contact with a pyramidal cone: 2·(dim − 1) rows, opposing edges in pairs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Pyramid {
    /// Its first row.
    pub row: usize,
    /// Contact dimension: 3, 4 or 6.
    pub dim: usize,
}

/// Constraint rows in fixed order: equalities, dry friction, then everything that only pushes
/// (limits, contacts), with the inertia they act on.
///
/// With several lanes there is one problem in each. They share the degrees of freedom, the kinds of
/// the rows and the place and size of contacts, so whoever puts worlds side by side pads: a row that a lane does
/// not have is a row of zeros there, with D, R, frictionloss, aref and the shape of its cone
/// zero. It stands anywhere between rows of its kind and leaves every bit of the lane's solution
/// alone.
#[derive(Clone, Copy, Debug)]
pub struct Problem<'a, T = f64, J = Rows<'a, T>> {
    /// Number of equality rows.
    pub equality_count: usize,
    /// Number of dry-friction rows.
    pub friction_count: usize,
    /// Constraint Jacobian J.
    pub jacobian: J,
    /// Elliptic contacts by ascending row.
    pub cones: &'a [Cone],
    /// Shape of the cone of each of them.
    pub cone_shapes: &'a [ConeShape<T>],
    /// Pyramidal contacts by ascending row.
    pub pyramids: &'a [Pyramid],
    /// Inverse regularisation, per row.
    pub D: &'a [T],
    /// Regularisation, per row.
    pub R: &'a [T],
    /// Bound of the dry-friction rows, per row.
    pub frictionloss: &'a [T],
    /// Reference acceleration, per row.
    pub aref: &'a [T],
    /// Kinematic tree of each degree of freedom, ascending: M couples none across trees.
    pub tree: &'a [i32],
    /// Layout of the inertia and of its factor.
    pub inertia_rows: TreeRows<'a>,
    /// Inertia M, compressed.
    pub inertia: &'a [T],
    /// LᵀDL factor of M.
    pub factor: &'a [T],
    /// 1/D of that factor.
    pub factor_inverse: &'a [T],
    /// Force without constraints.
    pub qfrc_smooth: &'a [T],
    /// Acceleration without constraints.
    pub qacc_smooth: &'a [T],
    /// Acceleration that may be a better start than the one without constraints.
    pub warm_start: Option<&'a [T]>,
    /// Turns costs and gradients into the unit the tolerance is given in. Islands, also
    /// one that is everything, have that of their inertia: [`inertia_scale`].
    pub scale: T,
}

impl<T: Real, J> Problem<'_, T, J> {
    /// Number of rows.
    #[inline(always)]
    pub fn row_count(&self) -> usize {
        self.D.len()
    }

    /// Number of degrees of freedom.
    #[inline(always)]
    pub fn dof_count(&self) -> usize {
        self.qacc_smooth.len()
    }

    /// J·qacc − aref
    #[inline(always)]
    pub(crate) fn residual(&self, qacc: &[T], out: &mut [T])
    where
        J: Jacobian<T>,
    {
        self.jacobian.multiply(qacc, out);
        for (residual, &aref) in out.iter_mut().zip(self.aref) {
            *residual -= aref;
        }
    }
}

/// 1 over the sum of the diagonal of M.
#[inline(always)]
pub fn inertia_scale<T: Real>(rows: TreeRows<'_>, inertia: &[T]) -> T {
    let mut sum = T::ZERO;
    for i in 0..rows.size() {
        sum += inertia[(rows.rowadr[i] + rows.rownnz[i] - 1) as usize];
    }
    T::ONE / sum
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

    /// The same without what is solved for forces, for whoever has no memory for their products.
    #[cfg(feature = "std")]
    pub(crate) fn as_primal(&self) -> Settings {
        let method = match self.method {
            Method::GaussSeidel => Method::ConjugateGradient,
            method => method,
        };
        Settings {
            method,
            noslip_iterations: 0,
            ..*self
        }
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
