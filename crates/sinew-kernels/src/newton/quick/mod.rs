//! Newton's method in single precision, for at most 32 degrees of freedom.
//!
//! Every thread of the warp has a degree of freedom and a column of H in its registers, and one of each 32 rows. The
//! Jacobian, the inertia and what is known of rows lie in memory that all threads see. Sums are added up in the order that is
//! fastest; nothing that is large is written twice, because programs of a device should be short.
//!
//! `N` is the number of degrees of freedom, as a multiple of four, so that arrays of columns live in registers; `CONES` is whether
//! there may be elliptic cones.
//!
//! ```text
//! memory    what the threads see, and how it is filled
//! factor    H, its factor and what is solved with it
//! line      costs of rows, and the best step along a direction
//! cone      contacts with elliptic cones
//! ```

mod cone;
mod factor;
mod line;
mod memory;

use super::{Given, Solution};
use crate::Number;
use crate::scene::{Head, Scene};
use crate::warp::{LANES, Lanes, Shared, Warp, read};
use factor::Factor;
use memory::Memory;
use sinew_math::series::Series;

pub use memory::memory_length;

/// Whether a scene can be solved so.
pub fn takes<T: Number>(head: &Head) -> bool {
    T::MAY_REORDER && head.nv <= LANES
}

/// A world and who solves it.
struct Quick<'a, T, const N: usize, const CONES: bool> {
    warp: Warp,
    scene: &'a Scene<'a, T>,
    given: &'a Given<'a, T>,
    at: Memory<'a, T>,
}

/// Finds the forces of constraints and the acceleration they lead to. Returns the number of iterations.
#[doc(alias = "mj_solNewton")]
#[inline(always)]
pub fn solve<T: Number, const N: usize, const CONES: bool>(
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
    let solver = Quick::<T, N, CONES> {
        warp,
        scene,
        given,
        at: Memory::cut::<N, CONES>(given.rows, memory),
    };
    solver.fill();
    let (qacc, force, iterations) = solver.descend();
    out.tell_forces(warp, given.rows, |i| solver.at.force[i].get());
    warp.each(LANES, |i| {
        if i < n {
            out.qacc[i].set(qacc.own(i));
            out.qfrc_constraint[i].set(force.own(i));
        }
    });
    iterations
}

/// Calls [`solve`] with as many columns as a scene needs.
pub fn solve_any<T: Number>(
    warp: Warp,
    scene: &Scene<'_, T>,
    given: &Given<'_, T>,
    out: Solution<'_, T>,
    memory: Shared<'_, T>,
) -> usize {
    match scene.head.cones {
        0 => solve_columns::<T, false>(warp, scene, given, out, memory),
        _ => solve_columns::<T, true>(warp, scene, given, out, memory),
    }
}

fn solve_columns<T: Number, const CONES: bool>(
    warp: Warp,
    scene: &Scene<'_, T>,
    given: &Given<'_, T>,
    out: Solution<'_, T>,
    memory: Shared<'_, T>,
) -> usize {
    match scene.head.stride() {
        0..=4 => solve::<T, 4, CONES>(warp, scene, given, out, memory),
        8 => solve::<T, 8, CONES>(warp, scene, given, out, memory),
        12 => solve::<T, 12, CONES>(warp, scene, given, out, memory),
        16 => solve::<T, 16, CONES>(warp, scene, given, out, memory),
        20 => solve::<T, 20, CONES>(warp, scene, given, out, memory),
        24 => solve::<T, 24, CONES>(warp, scene, given, out, memory),
        28 => solve::<T, 28, CONES>(warp, scene, given, out, memory),
        _ => solve::<T, 32, CONES>(warp, scene, given, out, memory),
    }
}

impl<T: Number, const N: usize, const CONES: bool> Quick<'_, T, N, CONES> {
    /// A vector of degrees of freedom; zeros beyond.
    #[inline(always)]
    fn load(&self, from: &Series<T>) -> Lanes<T> {
        let n = self.scene.head.nv;
        Lanes::new(|i| if i < n { from[i] } else { T::ZERO })
    }

    /// Newton's iterations: acceleration, force of constraints, and how many there were.
    ///
    /// The first one or two rounds only go to where the descent may begin, the acceleration without constraints and then the
    /// last one, and stay where it costs least.
    #[inline(always)]
    fn descend(&self) -> (Lanes<T>, Lanes<T>, usize) {
        let (given, head, constants) = (self.given, &self.scene.head, &self.scene.constants);
        let (n, zero) = (head.nv, Lanes::splat(T::ZERO));
        let smooth = [self.load(given.qfrc_smooth), self.load(given.qacc_smooth)];
        let starts = 1 + head.warm_starts;
        let (mut qacc, mut Ma, mut force) = (zero, zero, zero);
        let (mut v, mut gradient) = (smooth[1], zero);
        let (mut cost, mut gauss, mut improvement) = (T::ZERO, T::ZERO, T::ZERO);
        let mut factor = Factor::<T, N>::new();
        let mut round = 0;
        loop {
            if round >= starts {
                force = self.forces();
                gradient = Lanes::new(|i| Ma.own(i) - smooth[0].own(i) - force.own(i));
                let iteration = round - starts;
                if iteration > 0 {
                    let squares = Lanes::new(|i| gradient.own(i) * gradient.own(i));
                    let slope = given.scale * squares.sum().sqrt();
                    // What is no number ends as well.
                    let goes_on =
                        improvement >= constants.tolerance && slope >= constants.tolerance;
                    if !goes_on {
                        return (qacc, force, iteration);
                    }
                }
                if iteration == head.iterations {
                    return (qacc, force, iteration);
                }
                v = self.direction(&mut factor, gradient, iteration == 0);
            }
            let Mv = self.products(v);
            let line = if round >= starts {
                let of = |i: usize| (v.own(i), Ma.own(i) - smooth[0].own(i));
                self.line(
                    [
                        Lanes::new(|i| v.own(i) * v.own(i)),
                        Lanes::new(|i| v.own(i) * gradient.own(i)),
                        Lanes::new(|i| of(i).0 * of(i).1),
                        Lanes::new(|i| v.own(i) * Mv.own(i)),
                    ],
                    gauss,
                )
            } else {
                let terms = Lanes::new(|i| {
                    let pull = Ma.own(i) + Mv.own(i) - smooth[0].own(i);
                    T::from_f64(0.5) * pull * (qacc.own(i) + v.own(i) - smooth[1].own(i))
                });
                line::Line::point(terms.sum())
            };
            if line.is_short() {
                return (qacc, force, round - starts);
            }
            let (alpha, next) = self.search(&line);
            let is_start = round < starts;
            if !is_start || round == 0 || next < cost {
                // A cost that rounding keeps from falling is no reason to stay: the slope is better known.
                improvement = given.scale * (cost - next);
                cost = next;
                gauss = line.gauss_at(alpha);
                qacc = Lanes::new(|i| qacc.own(i) + v.own(i) * alpha);
                Ma = Lanes::new(|i| Ma.own(i) + Mv.own(i) * alpha);
                self.move_on(alpha);
            }
            if is_start {
                let warm = given.warm_start;
                v = Lanes::new(|i| match i < n {
                    true => read(warm, i) - smooth[1].own(i),
                    false => T::ZERO,
                });
            }
            round += 1;
        }
    }
}
