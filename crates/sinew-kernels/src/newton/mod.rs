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
//! narrow    all of it for up to 32 degrees of freedom, with H in registers
//! quick     the same where sums may be added up in any order
//! ```

mod cost;
mod hessian;
mod line;
pub mod narrow;
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
    base: |head| head.nv * head.nv,
    factor: |head| head.nv * head.nv,
    /// Parts of scalar products.
    parts: |head| 5 * head.nv + 32,
}

/// A world and who solves it.
pub(crate) struct Solver<'a, T> {
    pub warp: Warp,
    pub scene: &'a Scene<'a, T>,
    pub given: &'a Given<'a, T>,
    pub out: Solution<'a, T>,
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
    let solver = Solver {
        warp,
        scene,
        given,
        out,
        work: Work::cut(&scene.head, memory),
    };
    if given.rows == 0 {
        solver.copy(given.qacc_smooth, out.qacc);
        warp.each(scene.head.nv, |i| out.qfrc_constraint[i].set(T::ZERO));
        return 0;
    }
    solver.choose_start();
    solver.descend()
}

impl<T: Number> Solver<'_, T> {
    #[inline(always)]
    fn dofs(&self) -> usize {
        self.scene.head.nv
    }

    #[inline(always)]
    fn copy(&self, from: &Series<T>, to: Shared<'_, T>) {
        self.warp.each(self.dofs(), |i| to[i].set(from[i]));
    }

    /// Starts from the last acceleration or the one without constraints, whichever costs less.
    #[inline(always)]
    fn choose_start(&self) {
        let (given, work, n) = (self.given, &self.work, self.dofs());
        let warp = &self.warp;
        // J·qacc_smooth − aref
        self.copy(given.qacc_smooth, work.direction);
        self.multiply_rows(work.direction, work.jacobian_direction);
        let cold = work.jacobian_direction;
        warp.each(given.rows, |i| cold[i].set(cold[i].get() - given.aref[i]));
        if self.scene.head.warm_starts == 0 {
            self.copy(given.qacc_smooth, self.out.qacc);
            warp.each(given.rows, |i| work.residual[i].set(cold[i].get()));
            return;
        }
        warp.each(n, |i| self.out.qacc[i].set(given.warm_start[i]));
        self.multiply_rows(self.out.qacc, work.residual);
        let residual = work.residual;
        warp.each(given.rows, |i| {
            residual[i].set(residual[i].get() - given.aref[i])
        });
        self.multiply_inertia(self.out.qacc, work.inertia_acceleration);
        self.update_rows(residual);
        self.inertial_terms();
        let [rows, inertial] = self.add_terms();
        let warm_cost = rows + inertial;
        self.update_rows(cold);
        let [cold_cost, _] = self.add_terms();
        if warm_cost > cold_cost {
            warp.each(n, |i| self.out.qacc[i].set(given.qacc_smooth[i]));
            warp.each(given.rows, |i| residual[i].set(cold[i].get()));
        }
    }

    /// Newton's iterations.
    #[inline(always)]
    fn descend(&self) -> usize {
        let (given, work, warp) = (self.given, &self.work, &self.warp);
        let constants = &self.scene.constants;
        let most = self.scene.head.iterations;
        self.multiply_inertia(self.out.qacc, work.inertia_acceleration);
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
                let improvement = given.scale * (old_cost - cost);
                let [square] = self.dots(|_| (work.gradient, work.gradient));
                let gradient = given.scale * square.sqrt();
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
                advance(&self.out.qacc[i], &work.direction[i], alpha);
                advance(
                    &work.inertia_acceleration[i],
                    &work.inertia_direction[i],
                    alpha,
                );
            });
            warp.each(given.rows, |i| {
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
        let (given, n, stride) = (self.given, self.dofs(), self.scene.head.stride());
        self.warp.each(given.rows, |i| {
            let row = &given.J[i * stride..i * stride + n];
            out[i].set(dot_with(row, x));
        });
    }

    /// out = M·x
    #[inline(always)]
    fn multiply_inertia(&self, x: Shared<'_, T>, out: Shared<'_, T>) {
        let (M, tree, tables) = (self.given.M, &self.scene.tree, &self.scene.tables);
        self.warp.each(self.dofs(), |i| {
            let start = tree.M_rowadr[i] as usize;
            let diagonal = start + tree.M_rownnz[i] as usize - 1;
            let mut value = M[diagonal] * x[i].get();
            for entry in (start..diagonal).rev() {
                value += M[entry] * x[tree.M_colind[entry] as usize].get();
            }
            for k in tables.below_starts[i]..tables.below_starts[i + 1] {
                let row = tables.below_rows[k as usize] as usize;
                value += M[tables.below_entries[k as usize] as usize] * x[row].get();
            }
            out[i].set(value);
        });
    }

    /// Jᵀ·force, and the gradient.
    #[inline(always)]
    fn joint_force(&self) {
        let (given, work, n) = (self.given, &self.work, self.dofs());
        let stride = self.scene.head.stride();
        self.warp.each(n, |i| {
            let mut sum = T::ZERO;
            for row in 0..given.rows {
                sum += given.J[row * stride + i] * work.force[row].get();
            }
            self.out.qfrc_constraint[i].set(sum);
            let inertial = work.inertia_acceleration[i].get() - given.qfrc_smooth[i];
            work.gradient[i].set(inertial - sum);
        });
    }

    /// ½(a − aₛ)(M·a − qfrc_smooth), per degree of freedom.
    #[inline(always)]
    fn inertial_terms(&self) {
        let (given, work) = (self.given, &self.work);
        self.warp.each(self.dofs(), |i| {
            let force = work.inertia_acceleration[i].get() - given.qfrc_smooth[i];
            let away = self.out.qacc[i].get() - given.qacc_smooth[i];
            work.inertial_terms[i].set(T::from_f64(0.5) * force * away);
        });
    }

    /// What rows cost, and what the inertia does.
    #[inline(always)]
    fn add_terms(&self) -> [T; 2] {
        let (work, rows, n) = (&self.work, self.given.rows, self.dofs());
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
