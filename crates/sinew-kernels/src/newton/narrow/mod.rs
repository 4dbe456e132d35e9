//! Newton's method for at most 32 degrees of freedom and no elliptic cones: every thread of the warp has a degree of
//! freedom, and a column of H in its registers.
//!
//! Rows come in groups of 32, one of each group per thread. What one thread knows the others are told through registers.
//! Sums have the order that the solver of one world gives them.

mod direction;
mod line;

use super::search::{Line, search};
use super::{Given, Solution};
use crate::Number;
use crate::scene::{Head, Scene};
use crate::sums::dot_in_fours;
use crate::warp::{LANES, Lanes, Shared, Warp, read};
use direction::Tile;
use sinew_math::MIN_VALUE;
use sinew_math::series::Series;

/// Whether a scene can be solved so.
pub fn takes(head: &Head) -> bool {
    head.nv <= LANES && head.cones == 0
}

/// Numbers of working memory that a warp takes.
pub fn memory_length(head: &Head) -> usize {
    3 * Tile::<f64>::LENGTH + 4 * head.rows.next_multiple_of(LANES) + LANES
}

/// A world and who solves it.
struct Narrow<'a, T> {
    warp: Warp,
    scene: &'a Scene<'a, T>,
    given: &'a Given<'a, T>,
    /// Which degrees of freedom are above and below each in the tree: bits.
    relatives: (&'a [i32], &'a [i32]),
    /// M, both triangles.
    inertia: Tile<'a, T>,
    /// H, and its factor.
    base: Tile<'a, T>,
    factor: Tile<'a, T>,
    /// J·qacc − aref
    residual: Shared<'a, T>,
    /// J·direction
    slope: Shared<'a, T>,
    /// 1 where a row is on its parabola: now, and when H was made.
    is_quadratic: Shared<'a, T>,
    was_quadratic: Shared<'a, T>,
    /// A vector that all threads read.
    told: Shared<'a, T>,
}

/// What a row adds.
#[derive(Clone, Copy)]
struct RowCost<T> {
    cost: T,
    force: T,
    is_quadratic: bool,
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
    let n = scene.head.nv;
    if given.rows == 0 {
        warp.each(n, |i| {
            out.qacc[i].set(given.qacc_smooth[i]);
            out.qfrc_constraint[i].set(T::ZERO);
        });
        return 0;
    }
    let rows = scene.head.rows.next_multiple_of(LANES);
    let (inertia, memory) = Tile::cut(memory);
    let (base, memory) = Tile::cut(memory);
    let (factor, memory) = Tile::cut(memory);
    let (residual, memory) = memory.split_at(rows);
    let (slope, memory) = memory.split_at(rows);
    let (is_quadratic, memory) = memory.split_at(rows);
    let (was_quadratic, memory) = memory.split_at(rows);
    let solver = Narrow {
        warp,
        scene,
        given,
        relatives: (scene.tables.above, scene.tables.below),
        inertia,
        base,
        factor,
        residual,
        slope,
        is_quadratic,
        was_quadratic,
        told: &memory[..LANES],
    };
    solver.fill_inertia();
    let (qacc, force, iterations) = solver.descend();
    out.tell_forces(warp, given.rows, |i| {
        solver.row(i, solver.residual[i].get()).force
    });
    warp.each(LANES, |i| {
        if i < n {
            out.qacc[i].set(qacc.own(i));
            out.qfrc_constraint[i].set(force.own(i));
        }
    });
    iterations
}

impl<T: Number> Narrow<'_, T> {
    /// A vector of degrees of freedom; zeros beyond.
    #[inline(always)]
    fn load(&self, from: &Series<T>) -> Lanes<T> {
        let n = self.scene.head.nv;
        Lanes::new(|i| if i < n { from[i] } else { T::ZERO })
    }

    /// Shows a vector to all threads.
    #[inline(always)]
    fn tell(&self, x: Lanes<T>) {
        self.warp.each(0, |_| {});
        self.warp.each(LANES, |i| self.told[i].set(x.own(i)));
    }

    /// out = J·x for the vector that was told.
    #[inline(always)]
    fn multiply_rows(&self, out: Shared<'_, T>) {
        let (given, head) = (self.given, &self.scene.head);
        self.warp.each(given.rows, |i| {
            let product = dot_in_fours(given.J, i * head.stride(), head.nv, self.told);
            out[i].set(product);
        });
    }

    /// M·x for the vector that was told.
    #[inline(always)]
    fn multiply_inertia(&self) -> Lanes<T> {
        let n = self.scene.head.nv;
        let (above, below) = self.relatives;
        Lanes::new(|i| {
            if i >= n {
                return T::ZERO;
            }
            let x = |j: usize| self.told[j % LANES].get();
            if T::MAY_REORDER {
                let mut value = T::ZERO;
                for j in 0..n {
                    value += self.inertia.get(i, j) * x(j);
                }
                return value;
            }
            let (above, below) = (read(above, i), read(below, i));
            let mut value = self.inertia.get(i, i) * x(i);
            let mut left = above as u32;
            while left != 0 {
                let j = 31 - left.leading_zeros() as usize;
                left &= !(1 << j);
                value += self.inertia.get(i, j) * x(j);
            }
            let mut left = below as u32;
            while left != 0 {
                let j = left.trailing_zeros() as usize;
                left &= left - 1;
                value += self.inertia.get(i, j) * x(j);
            }
            value
        })
    }

    /// Scalar product as `sinew_math::dense::dot` adds it.
    #[inline(always)]
    fn dot(&self, a: Lanes<T>, b: Lanes<T>) -> T {
        let n = self.scene.head.nv;
        let products = Lanes::new(|i| a.own(i) * b.own(i));
        if T::MAY_REORDER {
            return products.sum();
        }
        let blocks = n / 4 * 4;
        let inner = Lanes::new(|i| if i < blocks { products.own(i) } else { T::ZERO });
        let mut sum = [T::ZERO; 4];
        for i in 0..LANES / 4 {
            for k in 0..4 {
                sum[k] += inner.from(4 * i + k);
            }
        }
        let total = (sum[0] + sum[2]) + (sum[1] + sum[3]);
        let rest = |k: usize| products.from((blocks + k) % LANES);
        match n - blocks {
            3 => total + (rest(0) + rest(1) + rest(2)),
            2 => total + (rest(0) + rest(1)),
            1 => total + rest(0),
            _ => total,
        }
    }

    /// Cost, force and state of a row with a residual.
    #[inline(always)]
    fn row(&self, i: usize, r: T) -> RowCost<T> {
        let given = self.given;
        let push_start = given.equality_count + given.friction_count;
        let D = read(given.D, i);
        let half = T::from_f64(0.5);
        let parabola = RowCost {
            cost: half * D * r * r,
            force: -D * r,
            is_quadratic: true,
        };
        if i < given.equality_count {
            return parabola;
        }
        if i < push_start {
            let (R, loss) = (read(given.R, i), read(given.frictionloss, i));
            let bound = R * loss;
            let arm = -half * R * loss * loss;
            let beyond = |cost: T, force: T| RowCost {
                cost,
                force,
                is_quadratic: false,
            };
            return if r <= -bound {
                beyond(arm - loss * r, loss)
            } else if r >= bound {
                beyond(arm + loss * r, -loss)
            } else {
                parabola
            };
        }
        if r >= T::ZERO {
            return RowCost {
                cost: T::ZERO,
                force: T::ZERO,
                is_quadratic: false,
            };
        }
        parabola
    }

    /// What all rows cost with the given residuals.
    #[inline(always)]
    fn cost_of_rows(&self, residual: Shared<'_, T>) -> T {
        let rows = self.given.rows;
        let mut sum = T::ZERO;
        let mut first = 0;
        while first < rows {
            let costs = Lanes::new(|lane| match first + lane < rows {
                true => self.row(first + lane, residual[first + lane].get()).cost,
                false => T::ZERO,
            });
            sum = costs.add_to(sum);
            first += LANES;
        }
        sum
    }

    /// Cost of all rows and Jᵀ·force; notes which are on their parabola.
    #[inline(always)]
    fn update_rows(&self) -> (T, Lanes<T>) {
        let (given, n) = (self.given, self.scene.head.nv);
        let rows = given.rows;
        let mut cost = T::ZERO;
        let mut force = Lanes::splat(T::ZERO);
        let mut first = 0;
        while first < rows {
            let is_row = |lane: usize| first + lane < rows;
            let at = |lane: usize| self.row(first + lane, self.residual[first + lane].get());
            let costs = Lanes::new(|lane| if is_row(lane) { at(lane).cost } else { T::ZERO });
            let forces = Lanes::new(|lane| {
                if is_row(lane) {
                    at(lane).force
                } else {
                    T::ZERO
                }
            });
            self.warp.each(LANES, |lane| {
                let is_on = is_row(lane) && at(lane).is_quadratic;
                let code = if is_on { T::ONE } else { T::ZERO };
                self.is_quadratic[first + lane].set(code);
            });
            cost = costs.add_to(cost);
            let mut row = 0;
            while row < LANES.min(rows - first) {
                force = self.add_forces(first, row, forces, force, n);
                row += AT_ONCE;
            }
            first += LANES;
        }
        (cost, force)
    }

    /// Adds what some rows push, their entries read at once.
    #[inline(always)]
    fn add_forces(
        &self,
        first: usize,
        row: usize,
        forces: Lanes<T>,
        sum: Lanes<T>,
        n: usize,
    ) -> Lanes<T> {
        let (J, rows) = (self.given.J, self.given.rows);
        let stride = self.scene.head.stride();
        let mut entries = [Lanes::splat(T::ZERO); AT_ONCE];
        for k in 0..AT_ONCE {
            let i = first + row + k;
            entries[k] = Lanes::new(|lane| match i < rows && lane < n {
                true => read(J, i * stride + lane),
                false => T::ZERO,
            });
        }
        let mut sum = sum;
        for k in 0..AT_ONCE {
            let force = forces.from((row + k) % LANES);
            let entry = entries[k];
            sum = Lanes::new(|lane| sum.own(lane) + entry.own(lane) * force);
        }
        sum
    }

    /// J·x − aref for the vector that was told.
    #[inline(always)]
    fn residual_of(&self, out: Shared<'_, T>) {
        let given = self.given;
        self.multiply_rows(out);
        self.warp
            .each(given.rows, |i| out[i].set(out[i].get() - given.aref[i]));
    }

    /// ½(a − aₛ)(M·a − qfrc_smooth), added up.
    #[inline(always)]
    fn inertial_cost(&self, qacc: Lanes<T>, Ma: Lanes<T>, smooth: [Lanes<T>; 2]) -> T {
        let terms = Lanes::new(|i| {
            let force = Ma.own(i) - smooth[0].own(i);
            T::from_f64(0.5) * force * (qacc.own(i) - smooth[1].own(i))
        });
        terms.add_to(T::ZERO)
    }

    /// The last acceleration or the one without constraints, whichever costs less, with its residuals and M times it.
    #[inline(always)]
    fn start(&self, smooth: [Lanes<T>; 2]) -> (Lanes<T>, Lanes<T>) {
        let (from, n) = (self.given.warm_start, self.scene.head.nv);
        let warm_start = Lanes::new(|i| if i < n { read(from, i) } else { T::ZERO });
        let starts = if self.scene.head.warm_starts == 0 {
            1
        } else {
            2
        };
        let (mut best, mut best_cost) = ((smooth[1], smooth[1]), T::ZERO);
        // One place for both, because programs of a device should be short.
        for start in 0..starts {
            let is_warm = start > 0;
            let qacc = if is_warm { warm_start } else { smooth[1] };
            self.tell(qacc);
            self.residual_of(self.slope);
            let Ma = self.multiply_inertia();
            let rows = self.cost_of_rows(self.slope);
            let cost = match is_warm {
                true => rows + self.inertial_cost(qacc, Ma, smooth),
                false => rows,
            };
            if is_warm && cost > best_cost {
                break;
            }
            (best, best_cost) = ((qacc, Ma), cost);
            self.warp.each(self.given.rows, |i| {
                self.residual[i].set(self.slope[i].get())
            });
        }
        best
    }

    /// Newton's iterations: acceleration, force of constraints, and how many there were.
    #[inline(always)]
    fn descend(&self) -> (Lanes<T>, Lanes<T>, usize) {
        let (given, constants) = (self.given, &self.scene.constants);
        let smooth = [self.load(given.qfrc_smooth), self.load(given.qacc_smooth)];
        let (mut qacc, mut Ma) = self.start(smooth);
        let mut cost = T::ZERO;
        let mut iteration = 0;
        loop {
            let old_cost = cost;
            let (rows, force) = self.update_rows();
            let gauss = self.inertial_cost(qacc, Ma, smooth);
            cost = rows + gauss;
            let gradient = Lanes::new(|i| Ma.own(i) - smooth[0].own(i) - force.own(i));
            if iteration > 0 {
                let improvement = given.scale * (old_cost - cost);
                let slope = given.scale * self.dot(gradient, gradient).sqrt();
                if improvement < constants.tolerance || slope < constants.tolerance {
                    return (qacc, force, iteration);
                }
            }
            if iteration == self.scene.head.iterations {
                return (qacc, force, iteration);
            }
            let v = self.direction(gradient, iteration == 0);
            self.tell(v);
            let Mv = self.multiply_inertia();
            self.multiply_rows(self.slope);
            let length = self.dot(v, v).sqrt();
            if length < T::from_f64(MIN_VALUE) {
                return (qacc, force, iteration);
            }
            let start = self.dot(v, Ma) - self.dot(smooth[0], v);
            let line = Line {
                gauss: [gauss, start, T::from_f64(0.5) * self.dot(v, Mv)],
                slope_tolerance: constants.slope_tolerance * length / given.scale,
                least_slope: constants.least_slope,
                most: self.scene.head.ls_iterations,
            };
            let alpha = search(&line, |alpha| self.at(&line, alpha));
            if alpha == T::ZERO {
                return (qacc, force, iteration);
            }
            qacc = Lanes::new(|i| qacc.own(i) + v.own(i) * alpha);
            Ma = Lanes::new(|i| Ma.own(i) + Mv.own(i) * alpha);
            self.warp.each(given.rows, |i| {
                self.was_quadratic[i].set(self.is_quadratic[i].get());
                let r = self.residual[i].get() + self.slope[i].get() * alpha;
                self.residual[i].set(r);
            });
            iteration += 1;
        }
    }
}

/// Rows whose entries are read at once.
const AT_ONCE: usize = 8;
