//! Newton's method with a dense Hessian, by a warp: what `sinew_solver::newton` does, in phases.
//!
//! Rows and degrees of freedom are shared out among the threads; every sum is added up by one thread in the order in
//! which the solver of one world adds it, so that all numbers have its bits.
//!
//! ```text
//! cost      cost, force and state of rows
//! hessian   H, its factor, the direction
//! line      the cost along a direction
//! search    the best step along a direction
//! parts     several kinematic trees: those that rows tie together are solved on their own
//! blocks    H of many small trees, eliminated one after the other
//! conjugate the direction of conjugate gradients
//! elimination H of many degrees of freedom, with the entries that there are
//! narrow    all of it for up to 32 degrees of freedom, with H in registers
//! quick     the same where sums may be added up in any order
//! ```

mod blocks;
mod conjugate;
mod cost;
mod elimination;
mod hessian;
mod line;
pub mod narrow;
pub mod parts;
pub mod quick;
mod search;

use crate::Number;
use crate::scene::{Head, Scene};
use crate::warp::{Shared, Warp};
use core::cell::Cell;
use sinew_math::series::Series;

/// The problem of a world, as the threads of a warp read it.
#[allow(non_snake_case)]
#[derive(Clone, Copy, Debug)]
pub struct Given<'a, T> {
    /// Inertia.
    pub M: &'a Series<T>,
    /// Force without constraints.
    pub qfrc_smooth: &'a Series<T>,
    /// Acceleration without constraints.
    pub qacc_smooth: &'a Series<T>,
    /// Factor of the inertia, where conjugate gradients need it, and the inverse of its diagonal.
    pub factor: &'a Series<T>,
    /// The latter.
    pub factor_inverse: &'a Series<T>,
    /// Acceleration of the last step.
    pub warm_start: &'a [T],
    /// Turns costs into the unit of the tolerance.
    pub scale: T,
    /// Inverse regularisation, per row.
    pub D: &'a [T],
    /// Regularisation, per row.
    pub R: &'a [T],
    /// Bound of dry friction, per row.
    pub frictionloss: &'a [T],
    /// Reference acceleration, per row.
    pub aref: &'a [T],
    /// Shapes of cones.
    pub cone_shapes: &'a [[T; 6]],
    /// First row of each cone.
    pub cone_rows: &'a [i32],
    /// Rows of each cone.
    pub cone_dims: &'a [i32],
    /// Rows of the Jacobian.
    pub J: &'a [T],
    /// Degrees of freedom of rows, a bit each, where the world has parts.
    pub row_dofs: &'a [i32],
    /// Number of rows.
    pub rows: usize,
    /// Number of equality rows.
    pub equality_count: usize,
    /// Number of rows of dry friction.
    pub friction_count: usize,
    /// Number of cones.
    pub cones: usize,
}

/// What solving writes.
#[derive(Clone, Copy)]
pub struct Solution<'a, T> {
    /// Acceleration.
    pub qacc: Shared<'a, T>,
    /// Force of constraints.
    pub qfrc_constraint: Shared<'a, T>,
    /// Forces of rows; none where nobody reads them.
    pub force: Shared<'a, T>,
}

impl<T: Number> Solution<'_, T> {
    /// Tells the forces of rows to who reads them.
    #[inline(always)]
    fn tell_forces(&self, warp: Warp, rows: usize, force: impl Fn(usize) -> T) {
        let is_read = !self.force.is_empty();
        warp.each(rows * usize::from(is_read), |i| self.force[i].set(force(i)));
    }
}

macro_rules! work {
    ($( $(#[$meta:meta])* $name:ident : |$head:ident| $count:expr, )*) => {
        /// Working memory of a warp.
        #[derive(Clone, Copy)]
        pub(crate) struct Work<'a, T> { $( $(#[$meta])* pub $name: Shared<'a, T>, )* }

        impl<'a, T> Work<'a, T> {
            #[inline(always)]
            fn cut(head: &Head, memory: Shared<'a, T>) -> Self {
                let rest = memory;
                $( let (cut, rest) = { let $head = head; rest.split_at($count) }; let $name = cut; )*
                let _ = rest;
                Work { $( $name, )* }
            }
        }

        /// Numbers of working memory that a warp takes.
        pub fn memory_length(head: &Head) -> usize {
            let mut length = 0;
            $( length += { let $head = head; $count }; )*
            length
        }
    };
}

work! {
    /// M·qacc
    inertia_acceleration: |head| head.nv,
    /// M·qacc − qfrc_smooth − Jᵀf
    gradient: |head| head.nv,
    direction: |head| head.nv,
    /// M·direction
    inertia_direction: |head| head.nv,
    /// J·qacc − aref
    residual: |head| head.rows,
    /// J·direction
    jacobian_direction: |head| head.rows,
    force: |head| head.rows,
    state: |head| head.rows,
    old_state: |head| head.rows,
    /// What a row, and what a degree of freedom, adds to the cost.
    terms: |head| head.rows,
    inertial_terms: |head| head.nv,
    /// Polynomials of rows along a line.
    quadratics: |head| 3 * head.rows,
    /// Those of dry friction beyond its bound.
    arms: |head| 3 * head.nv,
    /// Cones along a line, and what they add on their side.
    cone_lines: |head| 6 * head.cones,
    sides: |head| 3 * head.cones,
    cone_hessians: |head| 36 * head.cones,
    /// H without cones, and its factor.
    base: |head| head.nv * head.nv * (1 - head.is_conjugate),
    factor: |head| head.nv * head.nv * (1 - head.is_conjugate),
    /// What conjugate gradients remember.
    conjugate: |head| 3 * head.nv * head.is_conjugate,
    /// Parts of scalar products.
    parts: |head| 5 * head.nv + 32,
}

/// How a world is solved.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Form {
    /// With H in registers and sums in any order: [`quick`].
    Quick,
    /// With H in registers: [`narrow`].
    Narrow,
    /// As a whole.
    Whole,
    /// Part by part: [`parts`].
    Parts,
}

impl Form {
    /// The form that suits a scene.
    pub fn of<T: Number>(head: &Head) -> Self {
        if quick::takes::<T>(head) && head.is_conjugate == 0 {
            Form::Quick
        } else if head.has_parts != 0 {
            Form::Parts
        } else if narrow::takes(head) {
            Form::Narrow
        } else {
            Form::Whole
        }
    }

    /// Numbers of working memory that a warp takes.
    pub fn memory_length(self, head: &Head) -> usize {
        match self {
            Form::Quick => quick::memory_length(head, head.rows),
            Form::Narrow => narrow::memory_length(head),
            Form::Whole => memory_length(head),
            Form::Parts => parts::memory_length(head),
        }
    }
}

/// What is solved at once: everything, or what rows tie together.
#[derive(Clone, Copy)]
pub(crate) struct Part<T> {
    pub dofs: usize,
    pub rows: usize,
    pub equality_count: usize,
    pub friction_count: usize,
    pub cones: usize,
    /// Turns costs into the unit of the tolerance.
    pub scale: T,
    /// Whether H is eliminated tree by tree.
    pub has_blocks: bool,
    /// Whether H has only the entries that rows and trees make.
    pub is_large: bool,
}

/// A world and who solves it: as a whole, or a part.
pub(crate) struct Solver<'a, T, const PARTS: bool> {
    pub warp: Warp,
    pub scene: &'a Scene<'a, T>,
    pub given: &'a Given<'a, T>,
    pub part: Part<T>,
    pub maps: parts::Maps<'a>,
    /// Acceleration of the part.
    pub qacc: Shared<'a, T>,
    /// Force of constraints, of everything.
    pub qfrc_constraint: Shared<'a, T>,
    pub work: Work<'a, T>,
}

/// Finds the forces of constraints and the acceleration they lead to. Returns the number of iterations.
#[doc(alias = "mj_solNewton")]
#[inline(always)]
pub fn solve<T: Number>(
    warp: Warp,
    scene: &Scene<'_, T>,
    given: &Given<'_, T>,
    out: Solution<'_, T>,
    memory: Shared<'_, T>,
) -> usize {
    let solver = Solver::<T, false> {
        warp,
        scene,
        given,
        part: Part::whole(scene, given),
        maps: parts::Maps::NONE,
        qacc: out.qacc,
        qfrc_constraint: out.qfrc_constraint,
        work: Work::cut(&scene.head, memory),
    };
    if given.rows == 0 {
        solver.copy(given.qacc_smooth, out.qacc);
        warp.each(scene.head.nv, |i| out.qfrc_constraint[i].set(T::ZERO));
        return 0;
    }
    solver.choose_start();
    let iterations = solver.descend();
    out.tell_forces(warp, given.rows, |i| solver.work.force[i].get());
    iterations
}

impl<T: Number> Part<T> {
    /// Everything.
    #[inline(always)]
    fn whole(scene: &Scene<'_, T>, given: &Given<'_, T>) -> Self {
        Part {
            dofs: scene.head.nv,
            rows: given.rows,
            equality_count: given.equality_count,
            friction_count: given.friction_count,
            cones: given.cones,
            scale: given.scale,
            has_blocks: false,
            is_large: false,
        }
    }
}

impl<T: Number, const PARTS: bool> Solver<'_, T, PARTS> {
    #[inline(always)]
    fn dofs(&self) -> usize {
        self.part.dofs
    }

    /// The degree of freedom that a part has in a place.
    #[inline(always)]
    fn dof(&self, i: usize) -> usize {
        if PARTS { self.maps.dof(i) } else { i }
    }

    /// The row that a part has in a place.
    #[inline(always)]
    fn row(&self, i: usize) -> usize {
        if PARTS { self.maps.row(i) } else { i }
    }

    /// Where J has the row of a part.
    #[inline(always)]
    fn row_start(&self, i: usize) -> usize {
        self.row(i) * self.scene.head.stride()
    }

    /// An entry of a row that begins in a place.
    #[inline(always)]
    fn entry(&self, start: usize, i: usize) -> T {
        self.given.J[start + self.dof(i)]
    }

    #[inline(always)]
    fn copy(&self, from: &Series<T>, to: Shared<'_, T>) {
        self.warp
            .each(self.dofs(), |i| to[i].set(from[self.dof(i)]));
    }

    /// Starts from the last acceleration or the one without constraints, whichever costs less.
    #[inline(always)]
    fn choose_start(&self) {
        let (given, work, n, rows) = (self.given, &self.work, self.dofs(), self.part.rows);
        let warp = &self.warp;
        // J·qacc_smooth − aref
        self.copy(given.qacc_smooth, work.direction);
        self.multiply_rows(work.direction, work.jacobian_direction);
        let cold = work.jacobian_direction;
        warp.each(rows, |i| {
            cold[i].set(cold[i].get() - given.aref[self.row(i)])
        });
        if self.scene.head.warm_starts == 0 {
            self.copy(given.qacc_smooth, self.qacc);
            warp.each(rows, |i| work.residual[i].set(cold[i].get()));
            return;
        }
        warp.each(n, |i| self.qacc[i].set(given.warm_start[self.dof(i)]));
        self.multiply_rows(self.qacc, work.residual);
        let residual = work.residual;
        warp.each(rows, |i| {
            residual[i].set(residual[i].get() - given.aref[self.row(i)])
        });
        self.multiply_inertia(self.qacc, work.inertia_acceleration);
        self.update_rows(residual);
        self.inertial_terms();
        let [row_cost, inertial] = self.add_terms();
        let warm_cost = row_cost + inertial;
        self.update_rows(cold);
        let [cold_cost, _] = self.add_terms();
        if warm_cost > cold_cost {
            warp.each(n, |i| self.qacc[i].set(given.qacc_smooth[self.dof(i)]));
            warp.each(rows, |i| residual[i].set(cold[i].get()));
        }
    }

    /// Newton's iterations.
    #[inline(always)]
    fn descend(&self) -> usize {
        let (part, work, warp) = (&self.part, &self.work, &self.warp);
        let constants = &self.scene.constants;
        let most = self.scene.head.iterations;
        self.multiply_inertia(self.qacc, work.inertia_acceleration);
        let mut cost = T::ZERO;
        let mut iteration = 0;
        loop {
            let old_cost = cost;
            self.update_rows(work.residual);
            self.inertial_terms();
            self.joint_force();
            let [rows, gauss] = self.add_terms();
            cost = rows + gauss;
            if iteration > 0 {
                let improvement = part.scale * (old_cost - cost);
                let [square] = self.dots(|_| (work.gradient, work.gradient));
                let gradient = part.scale * square.sqrt();
                if improvement < constants.tolerance || gradient < constants.tolerance {
                    break;
                }
            }
            if iteration == most {
                break;
            }
            self.choose_direction(iteration == 0);
            self.multiply_inertia(work.direction, work.inertia_direction);
            self.multiply_rows(work.direction, work.jacobian_direction);
            let alpha = self.minimise(gauss);
            if alpha == T::ZERO {
                break;
            }
            warp.each(self.dofs(), |i| {
                advance(&self.qacc[i], &work.direction[i], alpha);
                advance(
                    &work.inertia_acceleration[i],
                    &work.inertia_direction[i],
                    alpha,
                );
            });
            warp.each(part.rows, |i| {
                work.old_state[i].set(work.state[i].get());
                advance(&work.residual[i], &work.jacobian_direction[i], alpha);
            });
            iteration += 1;
        }
        iteration
    }

    /// out = J·x
    #[inline(always)]
    fn multiply_rows(&self, x: Shared<'_, T>, out: Shared<'_, T>) {
        let (given, n) = (self.given, self.dofs());
        self.warp.each(self.part.rows, |i| {
            let start = self.row_start(i);
            let product = match PARTS {
                true => self.multiply_row(i, x),
                false => dot_with(&given.J[start..start + n], x),
            };
            out[i].set(product);
        });
    }

    /// out = M·x
    #[inline(always)]
    fn multiply_inertia(&self, x: Shared<'_, T>, out: Shared<'_, T>) {
        let (M, tree, tables) = (self.given.M, &self.scene.tree, &self.scene.tables);
        self.warp.each(self.dofs(), |i| {
            let dof = self.dof(i);
            let start = tree.M_rowadr[dof] as usize;
            let diagonal = start + tree.M_rownnz[dof] as usize - 1;
            let mut value = M[diagonal] * x[i].get();
            // Trees stay together.
            let first = dof - i;
            for entry in (start..diagonal).rev() {
                value += M[entry] * x[tree.M_colind[entry] as usize - first].get();
            }
            for k in tables.below_starts[dof]..tables.below_starts[dof + 1] {
                let row = tables.below_rows[k as usize] as usize - first;
                value += M[tables.below_entries[k as usize] as usize] * x[row].get();
            }
            out[i].set(value);
        });
    }

    /// Jᵀ·force, and the gradient.
    #[inline(always)]
    fn joint_force(&self) {
        let (given, work, n) = (self.given, &self.work, self.dofs());
        self.warp.each(n, |i| {
            let dof = self.dof(i);
            let mut sum = T::ZERO;
            let head = &self.scene.head;
            if PARTS && head.is_conjugate * head.is_sparse != 0 {
                sum = self.column_force(dof);
            } else {
                for row in 0..self.part.rows {
                    sum += given.J[self.row_start(row) + dof] * work.force[row].get();
                }
            }
            self.qfrc_constraint[dof].set(sum);
            let inertial = work.inertia_acceleration[i].get() - given.qfrc_smooth[dof];
            work.gradient[i].set(inertial - sum);
        });
    }

    /// ½(a − aₛ)(M·a − qfrc_smooth), per degree of freedom.
    #[inline(always)]
    fn inertial_terms(&self) {
        let (given, work) = (self.given, &self.work);
        self.warp.each(self.dofs(), |i| {
            let dof = self.dof(i);
            let force = work.inertia_acceleration[i].get() - given.qfrc_smooth[dof];
            let away = self.qacc[i].get() - given.qacc_smooth[dof];
            work.inertial_terms[i].set(T::from_f64(0.5) * force * away);
        });
    }

    /// What rows cost, and what the inertia does.
    #[inline(always)]
    fn add_terms(&self) -> [T; 2] {
        let (work, rows, n) = (&self.work, self.part.rows, self.dofs());
        self.warp.each(2, |k| {
            let terms = if k == 0 {
                &work.terms[..rows]
            } else {
                &work.inertial_terms[..n]
            };
            let mut sum = T::ZERO;
            for term in terms {
                sum += term.get();
            }
            work.parts[k].set(sum);
        });
        let sums = [work.parts[0].get(), work.parts[1].get()];
        self.warp.each(0, |_| {});
        sums
    }

    /// Scalar products of pairs of vectors of degrees of freedom, at most eight, as `sinew_math::dense::dot` adds them.
    #[inline(always)]
    fn dots<'b, const N: usize>(
        &self,
        pair: impl Fn(usize) -> (Shared<'b, T>, Shared<'b, T>),
    ) -> [T; N]
    where
        T: 'b,
    {
        let (parts, n) = (self.work.parts, self.dofs());
        let blocks = n / 4 * 4;
        self.warp.each(4 * N, |k| {
            let (a, b) = pair(k / 4);
            let mut sum = T::ZERO;
            let mut i = k % 4;
            while i < blocks {
                sum += a[i].get() * b[i].get();
                i += 4;
            }
            parts[k].set(sum);
        });
        let mut out = [T::ZERO; N];
        for k in 0..N {
            let (a, b) = pair(k);
            let part = |j: usize| parts[4 * k + j].get();
            let total = (part(0) + part(2)) + (part(1) + part(3));
            let product = |j: usize| a[blocks + j].get() * b[blocks + j].get();
            out[k] = match n - blocks {
                3 => total + (product(0) + product(1) + product(2)),
                2 => total + (product(0) + product(1)),
                1 => total + product(0),
                _ => total,
            };
        }
        self.warp.each(0, |_| {});
        out
    }
}

/// x += d·alpha
#[inline(always)]
fn advance<T: Number>(x: &Cell<T>, d: &Cell<T>, alpha: T) {
    x.set(x.get() + d.get() * alpha);
}

/// `sinew_math::dense::dot` of a row and a vector that all threads see.
#[inline(always)]
fn dot_with<T: Number>(row: &[T], x: Shared<'_, T>) -> T {
    let (blocks, rest) = row.as_chunks::<4>();
    let (other_blocks, x) = x[..row.len()].as_chunks::<4>();
    let mut sum = [T::ZERO; 4];
    for (row, x) in blocks.iter().zip(other_blocks) {
        for k in 0..4 {
            sum[k] += row[k] * x[k].get();
        }
    }
    let total = (sum[0] + sum[2]) + (sum[1] + sum[3]);
    match rest.len() {
        3 => total + (rest[0] * x[0].get() + rest[1] * x[1].get() + rest[2] * x[2].get()),
        2 => total + (rest[0] * x[0].get() + rest[1] * x[1].get()),
        1 => total + rest[0] * x[0].get(),
        _ => total,
    }
}
