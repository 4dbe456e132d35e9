//! Contacts with elliptic cones, each by a thread.
//!
//! Seen from where its cone is circular, a contact has a normal `n` and slides by `t`. Where it lets go it costs nothing, where it
//! sticks its rows are parabolas, and between, on the side of the cone, it costs `½·s·(n − μ·t)²`. There its part of H is the
//! square of a row along the normal, and a circle without the direction in which it slides.

use super::Quick;
use crate::Number;
use crate::warp::{LANES, Lanes, Shared, read};
use core::ops::Range;

/// Where the rows of a contact are.
#[derive(Clone, Copy)]
pub(super) struct Cone {
    pub row: usize,
    dim: usize,
}

impl Cone {
    #[inline(always)]
    pub fn rows(self) -> Range<usize> {
        self.row..self.row + self.dim
    }
}

/// A contact at a point of a line, and how it changes along that.
struct Seen<T> {
    /// Normal, slope of that.
    normal: [T; 2],
    /// t², half of its slope, half of its curvature.
    squares: [T; 3],
    /// Cost, slope and curvature of its rows as parabolas.
    parabola: [T; 3],
    mu: T,
    stiffness: T,
}

/// Where a contact is.
#[derive(PartialEq)]
enum Zone {
    Free,
    Stuck,
    Side,
}

impl<T: Number> Seen<T> {
    #[inline(always)]
    fn zone(&self, t: T) -> Zone {
        let (n, mu) = (self.normal[0], self.mu);
        if n >= mu * t {
            Zone::Free
        } else if mu * n + t <= T::ZERO {
            Zone::Stuck
        } else {
            Zone::Side
        }
    }
}

impl<T: Number, const N: usize, const CONES: bool> Quick<'_, T, N, CONES> {
    /// The shapes of the cones of rows.
    #[inline(always)]
    pub(super) fn fill_cones(&self) {
        let (given, at) = (self.given, &self.at);
        self.warp.each(given.rows.next_multiple_of(LANES), |i| {
            at.shape[i].set(T::ZERO)
        });
        self.warp.each(given.cones, |k| {
            let (cone, shapes) = (self.cone(k), given.cone_shapes.as_flattened());
            for row in cone.rows() {
                at.shape[row].set(read(shapes, 6 * k + row - cone.row));
            }
        });
    }

    #[inline(always)]
    pub(super) fn cone(&self, k: usize) -> Cone {
        Cone {
            row: read(self.given.cone_rows, k) as usize,
            dim: read(self.given.cone_dims, k) as usize,
        }
    }

    /// Whether a row is one of a cone.
    #[inline(always)]
    pub(super) fn is_of_cone(&self, row: usize) -> bool {
        self.at.shape[row].get() != T::ZERO
    }

    /// A contact whose rows have certain residuals, with certain slopes.
    #[inline(always)]
    fn see(&self, cone: Cone, along: impl Fn(usize) -> (T, T)) -> Seen<T> {
        let at = &self.at;
        let (mu, D) = (at.shape[cone.row].get(), at.D[cone.row].get());
        let (half, mut seen) = (
            T::from_f64(0.5),
            Seen {
                normal: [T::ZERO; 2],
                squares: [T::ZERO; 3],
                parabola: [T::ZERO; 3],
                mu,
                stiffness: D / (mu * mu * (T::ONE + mu * mu)),
            },
        );
        for row in cone.rows() {
            let ((x, slope), D, shape) = (along(row), at.D[row].get(), at.shape[row].get());
            seen.parabola[0] += half * D * x * x;
            seen.parabola[1] += D * x * slope;
            seen.parabola[2] += D * slope * slope;
            let (u, v) = (x * shape, slope * shape);
            if row == cone.row {
                seen.normal = [u, v];
            } else {
                seen.squares[0] += u * u;
                seen.squares[1] += u * v;
                seen.squares[2] += v * v;
            }
        }
        seen
    }

    /// Adds costs, slopes and curvatures of all contacts at a point of the line.
    #[inline(always)]
    pub(super) fn add_along(&self, alpha: T, terms: &mut [Lanes<T>; 4]) {
        let (at, cones) = (&self.at, self.given.cones);
        let mut first = 0;
        while first < cones {
            let own = Lanes::new(|lane| match first + lane < cones {
                true => {
                    let along = |row: usize| {
                        let slope = at.slope[row].get();
                        (at.residual[row].get() + alpha * slope, slope)
                    };
                    self.costs(&self.see(self.cone(first + lane), along))
                }
                false => [T::ZERO; 3],
            });
            for k in 0..3 {
                let sum = terms[k];
                terms[k] = Lanes::new(|lane| sum.own(lane) + own.own(lane)[k]);
            }
            first += LANES;
        }
    }

    #[inline(always)]
    fn costs(&self, seen: &Seen<T>) -> [T; 3] {
        let ([n, n1], [tt, tv, vv], mu) = (seen.normal, seen.squares, seen.mu);
        let t = tt.sqrt();
        match seen.zone(t) {
            Zone::Free => [T::ZERO; 3],
            Zone::Stuck => seen.parabola,
            Zone::Side => {
                let t1 = tv / t;
                let t2 = (vv - t1 * t1) / t;
                let (depth, depth1) = (n - mu * t, n1 - mu * t1);
                let force = seen.stiffness * depth;
                [
                    T::from_f64(0.5) * force * depth,
                    force * depth1,
                    seen.stiffness * depth1 * depth1 - force * mu * t2,
                ]
            }
        }
    }

    /// Forces of a contact as it is now.
    #[inline(always)]
    pub(super) fn push(&self, k: usize) {
        let (at, cone) = (&self.at, self.cone(k));
        let seen = self.see(cone, |row| (at.residual[row].get(), T::ZERO));
        let t = seen.squares[0].sqrt();
        let zone = seen.zone(t);
        let push = match zone {
            Zone::Side => -seen.stiffness * (seen.normal[0] - seen.mu * t),
            _ => T::ZERO,
        };
        for row in cone.rows() {
            let (x, shape) = (at.residual[row].get(), at.shape[row].get());
            let force = match zone {
                Zone::Free => T::ZERO,
                Zone::Stuck => -at.D[row].get() * x,
                Zone::Side if row == cone.row => push * shape,
                Zone::Side => -push * seen.mu / t * x * shape * shape,
            };
            at.force[row].set(force);
        }
    }

    /// Notes how contacts are in H from now on; returns bits where they are others than before.
    #[inline(always)]
    pub(super) fn enter_cones(&self, is_first: bool) -> u32 {
        let (mut changed, mut first) = (0, 0);
        while first < self.given.cones {
            let enter = |k: usize| self.enter_cone(self.cone(k), is_first);
            changed |= self.warp.which(first, self.given.cones, enter);
            first += LANES;
        }
        changed
    }

    #[inline(always)]
    fn enter_cone(&self, cone: Cone, is_first: bool) -> bool {
        let at = &self.at;
        let seen = self.see(cone, |row| (at.residual[row].get(), T::ZERO));
        let t = seen.squares[0].sqrt();
        let zone = seen.zone(t);
        let (mut normal, mut sliding, mut circle) = (T::ZERO, T::ZERO, T::ZERO);
        if zone == Zone::Side {
            let push = -seen.stiffness * (seen.normal[0] - seen.mu * t);
            normal = seen.stiffness.sqrt();
            circle = push * seen.mu / t;
            sliding = circle.sqrt();
        }
        let mut is_other = is_first;
        for row in cone.rows() {
            let (x, shape) = (at.residual[row].get(), at.shape[row].get());
            let weights = match zone {
                Zone::Free => (T::ZERO, T::ZERO, T::ZERO),
                Zone::Stuck => (at.D[row].get(), T::ZERO, T::ZERO),
                Zone::Side if row == cone.row => (T::ZERO, normal * shape, T::ZERO),
                Zone::Side => {
                    let way = x * shape / t * shape;
                    let pull = normal * seen.mu * way;
                    (circle * shape * shape, -pull, sliding * way)
                }
            };
            let mut note = |list: Shared<'_, T>, weight: T| {
                is_other |= list[row].get() != weight;
                list[row].set(weight);
            };
            note(at.entered, weights.0);
            note(at.normal, weights.1);
            note(at.tangent, weights.2);
        }
        is_other
    }
}
