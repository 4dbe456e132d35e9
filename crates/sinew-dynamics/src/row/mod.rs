//! Constraint rows: what is constrained, how it moves with the joints, how hard it is.
//!
//! Rows of equalities, dry friction and limits are told to a [`NewRows`], one after the other. All
//! lanes of a row share its kind, its object and its columns; in which lanes it exists is a mask. Rows
//! of contacts are written into slices that have room for them: what two bodies have to do with each
//! other is found once, and where worlds touch at other bodies, each writes its own lane. The owner of
//! the rows decides about their order and memory. Tendons are not here, but what their rows have in
//! common with others is.
//!
//! ```text
//! equality    connect, weld, joint; the polynomial of a coupling
//! friction    dry friction of degrees of freedom
//! limit       limits of hinges, slides and balls
//! contact     frictionless, pyramidal and elliptic contacts
//! parameter   diagApprox R D KBIP of rows other than contacts'
//! impedance   how hard a row is at a violation; the reference acceleration
//! ```

pub mod contact;
pub mod equality;
pub mod friction;
pub mod impedance;
pub mod limit;
pub mod parameter;

use sinew_math::{Quat, Real};
#[cfg(feature = "std")]
use sinew_model::Model;
use sinew_model::kinds::Constraint;
use sinew_model::view::{Attached, Constrained, ConstrainedValues, Tree};

/// What rows other than contacts' are made of: structure, and values of type `V`.
#[derive(Clone, Copy, Debug)]
pub struct Source<'a, V = f64> {
    /// Bodies, joints and degrees of freedom.
    pub tree: Tree<'a>,
    /// Sites.
    pub attached: Attached<'a>,
    /// Limits and equalities.
    pub constrained: Constrained<'a>,
    /// Their values.
    pub values: ConstrainedValues<'a, V>,
    /// Positions at the reference.
    pub qpos0: &'a [V],
    /// Orientations of sites in their bodies.
    pub site_quat: &'a [Quat<V>],
}

#[cfg(feature = "std")]
impl<'a> From<&'a Model> for Source<'a> {
    #[inline(always)]
    fn from(model: &'a Model) -> Self {
        Source {
            tree: Tree::from(model),
            attached: Attached::from(model),
            constrained: Constrained::from(model),
            values: ConstrainedValues::from(model),
            qpos0: &model.qpos0,
            site_quat: &model.site_quat,
        }
    }
}

/// How the reference would store the Jacobian, which decides about rows and columns without effect.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Form {
    /// As a full matrix: a row without entries and a column that moves nothing are left out.
    Full,
    /// In compressed rows, with all columns of the objects' trees.
    Compressed,
}

/// What a row is about.
#[derive(Clone, Copy, Debug)]
pub struct Row<T = f64> {
    /// Kind of constraint.
    pub kind: Constraint,
    /// What the row belongs to: equality, degree of freedom, tendon or joint.
    pub id: usize,
    /// Violation: position error or distance.
    pub pos: T,
    /// Distance at which the row becomes active.
    pub margin: T,
    /// Bound of dry friction.
    pub frictionloss: T,
}

/// Rows that are being made, in order.
pub trait NewRows<T: Real> {
    /// Adds a row, which exists in some lane, with its columns, ascending, and an entry for each.
    fn add(
        &mut self,
        exists: T::Mask,
        row: Row<T>,
        columns: &[i32],
        entries: impl Iterator<Item = T>,
    );

    /// The same for a row whose number of entries is known beforehand.
    #[inline(always)]
    fn add_few<const N: usize>(
        &mut self,
        exists: T::Mask,
        row: Row<T>,
        columns: [i32; N],
        entries: [T; N],
    ) {
        self.add(exists, row, &columns, entries.iter().copied());
    }
}

/// How hard rows are.
#[allow(non_snake_case)]
#[derive(Debug)]
pub struct HardnessMut<'a, T = f64> {
    /// Approximate diagonal of J·M⁻¹·Jᵀ.
    pub efc_diagApprox: &'a mut [T],
    /// Regularisation.
    pub efc_R: &'a mut [T],
    /// Inverse regularisation.
    pub efc_D: &'a mut [T],
    /// Stiffness, damping, impedance and its derivative.
    pub efc_KBIP: &'a mut [[T; 4]],
}
