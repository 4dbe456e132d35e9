//! H = M + JᵀDJ, its factor L·diag(d)·Lᵀ and the direction −H⁻¹g, a column per thread.

// Loops are written out, from the first number on.
#![allow(clippy::absurd_extreme_comparisons)]

use super::Quick;
use super::memory::stride;
use crate::Number;
use crate::warp::{LANES, Lanes, Shared, Warp, get_four, set_four};

/// Does something for each number below 32 as a constant, so that an array that it counts through lives in registers.
macro_rules! for_each {
    ($i:ident $body:block) => {
        for_each!($i $body 0 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20 21 22 23 24 25 26 27 28 29 30 31)
    };
    ($i:ident down $body:block) => {
        for_each!($i $body 31 30 29 28 27 26 25 24 23 22 21 20 19 18 17 16 15 14 13 12 11 10 9 8 7 6 5 4 3 2 1 0)
    };
    ($i:ident $body:block $($number:literal)*) => {
        $( {
            const $i: usize = $number;
            if $i < N $body
        } )*
    };
}

/// An array of what each number below 32 gives, each a constant for the same reason.
macro_rules! columns {
    ($i:ident $body:block) => {
        columns!($i $body 0 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20 21 22 23 24 25 26 27 28 29 30 31)
    };
    ($i:ident $body:block $($number:literal)*) => {
        [$( {
            const _: usize = $number;
            $body
        } ),*]
    };
}

/// Eliminates four rows at a time, each a constant for the same reason.
macro_rules! eliminate {
    ($factor:ident, $given:expr, $b:ident: $($row:literal)*) => {
        $( if $row < N { $factor.eliminate::<$row>($given, $b); } )*
    };
}

/// What is kept of H: behind the diagonal thread j has row j of L, before it column j of L·diag(d).
pub(super) struct Factor<T, const N: usize> {
    /// N of them; an array of their number would be filled by a loop, and not in registers.
    columns: [Lanes<T>; LANES],
    /// 1/d
    inverse: Lanes<T>,
}

impl<T: Number, const N: usize> Factor<T, N> {
    #[inline(always)]
    pub fn new() -> Self {
        Factor {
            columns: columns!(I { Lanes::splat(T::ZERO) }),
            inverse: Lanes::splat(T::ZERO),
        }
    }

    /// Eliminates rows K to K + 3: among themselves through registers, from the rest through memory that all threads see. The
    /// right-hand side comes along.
    #[inline(always)]
    fn eliminate<const K: usize>(
        &mut self,
        (warp, panels): (Warp, Shared<'_, T>),
        b: &mut Lanes<T>,
    ) {
        let mut scaled = [Lanes::splat(T::ZERO); 4];
        for c in 0..4 {
            let k = K + c;
            let own = self.columns[K + c];
            let inverse = T::ONE / own.from(k);
            let factor = Lanes::new(|j| match j > k {
                true => own.own(j) * inverse,
                false => T::ZERO,
            });
            for r in 0..4 {
                if r > c {
                    let (row, entry) = (self.columns[K + r], self.columns[K + r].from(k));
                    self.columns[K + r] = Lanes::new(|j| row.own(j) - factor.own(j) * entry);
                }
            }
            let (known, before) = (b.from(k), *b);
            *b = Lanes::new(|j| before.own(j) - factor.own(j) * known);
            let others = self.inverse;
            self.inverse = Lanes::new(|j| if j == k { inverse } else { others.own(j) });
            scaled[c] = factor;
        }
        if K + 4 < N {
            // Two panels take turns: nobody writes one that another still reads.
            let panel = K / 4 % 2 * 4 * LANES;
            let rows = [0, 1, 2, 3].map(|c| self.columns[K + c]);
            warp.each(LANES, |j| {
                set_four(panels, panel + 4 * j, rows.map(|row| row.own(j)));
            });
            for_each!(I {
                if I >= K + 4 {
                    let (row, entries) = (self.columns[I], Lanes::new(|_| get_four(panels, panel + 4 * I)));
                    self.columns[I] = Lanes::new(|j| {
                        let mut value = row.own(j);
                        for c in 0..4 {
                            value -= scaled[c].own(j) * entries.own(j)[c];
                        }
                        value
                    });
                }
            });
        }
        for c in 0..4 {
            let (own, factor) = (self.columns[K + c], scaled[c]);
            self.columns[K + c] = Lanes::new(|j| match j > K + c {
                true => factor.own(j),
                false => own.own(j),
            });
        }
    }

    /// Takes L out of a right-hand side, as elimination does when it comes along.
    #[inline(always)]
    fn forward(&self, b: &mut Lanes<T>) {
        for_each!(K {
            let (known, before, own) = (b.from(K), *b, self.columns[K]);
            *b = Lanes::new(|j| match j > K {
                true => before.own(j) - own.own(j) * known,
                false => before.own(j),
            });
        });
    }

    /// Takes the rest out: x = L⁻ᵀ·diag(1/d)·b.
    #[inline(always)]
    fn backward(&self, b: Lanes<T>) -> Lanes<T> {
        let (mut b, inverse) = (b, self.inverse);
        for_each!(K down {
            let known = Lanes::new(|j| b.own(j) * inverse.own(j)).from(K);
            let own = self.columns[K];
            b = Lanes::new(|j| match j < K {
                true => b.own(j) - own.own(j) * known,
                false => b.own(j),
            });
        });
        Lanes::new(|j| b.own(j) * inverse.own(j))
    }
}

impl<T: Number, const N: usize, const CONES: bool> Quick<'_, T, N, CONES> {
    /// −H⁻¹g. The factor is known unless this is the first direction, or rows have come or gone since.
    #[inline(always)]
    pub(super) fn direction(
        &self,
        factor: &mut Factor<T, N>,
        gradient: Lanes<T>,
        is_first: bool,
    ) -> Lanes<T> {
        let n = self.scene.head.nv;
        let (mut x, given) = (gradient, (self.warp, self.at.panels));
        if self.enter(is_first) {
            self.assemble(factor);
            let right = &mut x;
            eliminate!(factor, given, right: 0 4 8 12 16 20 24 28);
        } else {
            factor.forward(&mut x);
        }
        let x = factor.backward(x);
        Lanes::new(|j| if j < n { -x.own(j) } else { T::ZERO })
    }

    /// Notes which rows are in H from now on; returns whether they are others than before.
    #[inline(always)]
    fn enter(&self, is_first: bool) -> bool {
        let (at, rows) = (&self.at, self.given.rows.next_multiple_of(LANES));
        let mut changed = u32::from(is_first);
        let mut first = 0;
        while first < rows {
            changed |= self.warp.which(first, rows, |i| {
                if CONES && self.is_of_cone(i) {
                    return false;
                }
                let curvature = self.law(i, at.residual[i].get())[2];
                let is_other = is_first || curvature != at.entered[i].get();
                at.entered[i].set(curvature);
                is_other
            });
            first += LANES;
        }
        if CONES {
            changed |= self.enter_cones(is_first);
        }
        self.warp.each(0, |_| {});
        changed != 0
    }

    /// H.
    #[inline(always)]
    fn assemble(&self, factor: &mut Factor<T, N>) {
        let (at, rows) = (&self.at, self.given.rows.next_multiple_of(LANES));
        for_each!(I {
            factor.columns[I] = Lanes::new(|j| at.inertia[I * stride(N) + j].get());
        });
        let mut first = 0;
        while first < rows {
            let mut left = self
                .warp
                .which(first, rows, |i| at.entered[i].get() != T::ZERO);
            while left != 0 {
                let row = first + left.trailing_zeros() as usize;
                left &= left - 1;
                let start = row * stride(N);
                let own = Lanes::new(|j| match j < N {
                    true => at.J[start + j].get() * at.entered[row].get(),
                    false => T::ZERO,
                });
                for_each!(I {
                    if I % 4 == 0 {
                        let entries = Lanes::new(|_| get_four(at.J, start + I));
                        for k in 0..4 {
                            let column = factor.columns[I + k];
                            factor.columns[I + k] =
                                Lanes::new(|j| column.own(j) + own.own(j) * entries.own(j)[k]);
                        }
                    }
                });
            }
            first += LANES;
        }
        if CONES {
            self.add_sides(factor);
        }
    }

    /// Adds to H what cones have besides their rows, where these are on their side: the square of the row that is their normal,
    /// less that of the row along which they slide.
    #[inline(always)]
    fn add_sides(&self, factor: &mut Factor<T, N>) {
        let (at, warp, cones) = (&self.at, &self.warp, self.given.cones);
        let (mut first, mut panel) = (0, 0);
        while first < cones {
            let mut left = warp.which(first, cones, |k| {
                at.normal[self.cone(k).row].get() != T::ZERO
            });
            while left != 0 {
                let cone = self.cone(first + left.trailing_zeros() as usize);
                left &= left - 1;
                let sum = |of: Shared<'_, T>, j: usize| {
                    let mut sum = T::ZERO;
                    for row in cone.rows() {
                        sum += of[row].get() * at.J[row * stride(N) + j].get();
                    }
                    sum
                };
                let own = Lanes::new(|j| match j < N {
                    true => [sum(at.normal, j), sum(at.tangent, j)],
                    false => [T::ZERO; 2],
                });
                // Two panels take turns: nobody writes one that another still reads.
                panel = 4 * LANES - panel;
                warp.each(LANES, |j| {
                    at.panels[panel + j].set(own.own(j)[0]);
                    at.panels[panel + LANES + j].set(own.own(j)[1]);
                });
                for_each!(I {
                    if I % 4 == 0 {
                        let normal = Lanes::new(|_| get_four(at.panels, panel + I));
                        let tangent = Lanes::new(|_| get_four(at.panels, panel + LANES + I));
                        for k in 0..4 {
                            let column = factor.columns[I + k];
                            factor.columns[I + k] = Lanes::new(|j| {
                                let [by_normal, by_tangent] = own.own(j);
                                column.own(j) + by_normal * normal.own(j)[k]
                                    - by_tangent * tangent.own(j)[k]
                            });
                        }
                    }
                });
            }
            first += LANES;
        }
        warp.each(0, |_| {});
    }
}
