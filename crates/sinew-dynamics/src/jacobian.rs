//! Motion of points fixed in bodies.
//!
//! Column i of the translational Jacobian of a point p is the velocity of p under unit velocity of
//! degree of freedom i: the translation of `cdof[i]` moved from the tree's centre of mass to p.
//! Only the degrees of freedom on the path from the body to the root have non-zero columns, and
//! they are visited by following `dof_parentid`. Conforms to MuJoCo's `mj_jac` family.

use sinew_math::series::{Cells, Series};
use sinew_math::spatial::{Spatial, rotation, translation};
use sinew_math::{Real, Vec3};
use sinew_model::view::Tree;

/// The last degree of freedom that moves a body; −1 for a static body.
#[inline(always)]
pub fn last_dof(tree: &Tree<'_>, body: usize) -> i32 {
    let weld = tree.body_weldid[body] as usize;
    if weld == 0 {
        -1
    } else {
        tree.body_dofadr[weld] + tree.body_dofnum[weld] - 1
    }
}

/// From the tree's centre of mass to a point in a body.
#[inline(always)]
pub fn offset<T: Real>(
    tree: &Tree<'_>,
    subtree_com: &Series<Vec3<T>>,
    body: usize,
    point: Vec3<T>,
) -> Vec3<T> {
    point - *subtree_com.at(tree.body_rootid[body] as usize)
}

/// Velocity of a point at `offset` from the centre of mass under a unit motion.
#[inline(always)]
pub fn translation_column<T: Real>(cdof: &Spatial<T>, offset: Vec3<T>) -> Vec3<T> {
    translation(cdof) + rotation(cdof).cross(offset)
}

/// Degrees of freedom from one to the root of its tree.
#[derive(Clone, Debug)]
pub struct Dofs<'a> {
    parents: &'a [i32],
    next: i32,
}

impl Iterator for Dofs<'_> {
    type Item = usize;

    #[inline(always)]
    fn next(&mut self) -> Option<usize> {
        let dof = usize::try_from(self.next).ok()?;
        self.next = self.parents[dof];
        Some(dof)
    }
}

/// The degrees of freedom that move a body, from the body to the root.
#[inline(always)]
pub fn dofs_of<'a>(tree: &Tree<'a>, body: usize) -> Dofs<'a> {
    Dofs {
        parents: tree.dof_parentid,
        next: last_dof(tree, body),
    }
}

/// Calls `visit(dof)` for the degrees of freedom that move a body, from the body to the root.
#[inline(always)]
pub fn for_each_dof(tree: &Tree<'_>, body: usize, mut visit: impl FnMut(usize)) {
    for dof in dofs_of(tree, body) {
        visit(dof);
    }
}

/// Which of two bodies a degree of freedom moves.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Moves {
    /// The first.
    First,
    /// The second.
    Second,
    /// Both, as one rigid body.
    Both,
}

/// Calls `visit(dof, moves)` for the degrees of freedom that move either of two bodies, in
/// descending order.
#[inline(always)]
pub fn for_each_dof_of_pair(
    tree: &Tree<'_>,
    [first, second]: [usize; 2],
    mut visit: impl FnMut(usize, Moves),
) {
    let (mut a, mut b) = (last_dof(tree, first), last_dof(tree, second));
    while a >= 0 || b >= 0 {
        let dof = a.max(b);
        let parent = tree.dof_parentid[dof as usize];
        let moves = match (a == dof, b == dof) {
            (true, true) => Moves::Both,
            (true, false) => Moves::First,
            (false, _) => Moves::Second,
        };
        visit(dof as usize, moves);
        if moves != Moves::Second {
            a = parent;
        }
        if moves != Moves::First {
            b = parent;
        }
    }
}

/// Lists the degrees of freedom that move either of two bodies, ascending, as far as they are
/// `wanted`, at the end of the two slices, which have room for all of the model. Returns where the
/// lists begin.
#[inline(always)]
pub fn columns_of_pair(
    tree: &Tree<'_>,
    bodies: [usize; 2],
    wanted: impl Fn(Moves) -> bool,
    columns: &mut [i32],
    whose: &mut [Moves],
) -> usize {
    let mut start = columns.len();
    for_each_dof_of_pair(tree, bodies, |dof, moves| {
        if wanted(moves) {
            start -= 1;
            columns[start] = dof as i32;
            whose[start] = moves;
        }
    });
    start
}

/// Column of the Jacobian of (point 2 − point 1), each given by its offset in its tree.
#[inline(always)]
pub fn difference_column<T: Real>(
    cdof: &Spatial<T>,
    moves: Moves,
    [offset1, offset2]: [Vec3<T>; 2],
) -> Vec3<T> {
    match moves {
        Moves::Second => translation_column(cdof, offset2),
        Moves::First => -translation_column(cdof, offset1),
        Moves::Both => translation_column(cdof, offset2) - translation_column(cdof, offset1),
    }
}
