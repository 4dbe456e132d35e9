//! H = M + JᵀDJ, its factor and the direction −H⁻¹g, a column per thread.

use super::Narrow;
use crate::Number;
use crate::warp::{LANES, Lanes, Shared, read};
use sinew_math::MIN_VALUE;

/// A square matrix of 32 rows and columns. Rows are 33 numbers apart: threads that read a column, and threads that read
/// a row, ask different banks of the memory.
#[derive(Clone, Copy)]
pub(super) struct Tile<'a, T>(&'a [core::cell::Cell<T>]);

const STRIDE: usize = LANES + 1;

impl<'a, T: Number> Tile<'a, T> {
    /// Numbers that it takes.
    pub const LENGTH: usize = LANES * STRIDE;

    /// The first numbers of a memory, and the rest.
    #[inline(always)]
    pub fn cut(memory: Shared<'a, T>) -> (Self, Shared<'a, T>) {
        let (own, rest) = memory.split_at(Self::LENGTH);
        (Tile(own), rest)
    }

    #[inline(always)]
    pub fn get(&self, i: usize, j: usize) -> T {
        self.0[i * STRIDE + j].get()
    }

    #[inline(always)]
    pub fn set(&self, i: usize, j: usize, x: T) {
        self.0[i * STRIDE + j].set(x);
    }
}

/// Does something for each number below 32 as a constant, so that an array that it counts through lives in registers.
macro_rules! for_each {
    ($i:ident $body:block) => {
        for_each!($i $body 0 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20 21 22 23 24 25 26 27 28 29 30 31)
    };
    ($i:ident $body:block $($number:literal)*) => {
        $( {
            const $i: usize = $number;
            $body
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
            const $i: usize = $number;
            $body
        } ),*]
    };
}

/// Eliminates rows, each a constant for the same reason.
macro_rules! eliminate {
    ($n:ident, $columns:ident: $($row:literal)*) => { $( eliminate::<T, $row>($n, $columns); )* };
}

/// A row of the factor that all threads know: A = Lᵀ·L from the last row to the first, with 1/L on the diagonal.
#[inline(always)]
fn eliminate<T: Number, const K: usize>(n: usize, columns: &mut [Lanes<T>; LANES]) {
    if K >= n {
        return;
    }
    let pivot = columns[K].from(K);
    let low = T::from_f64(MIN_VALUE);
    let inverse = T::ONE / if pivot < low { low } else { pivot }.sqrt();
    let row = Lanes::new(|j| columns[K].own(j) * inverse);
    for_each!(I {
        if I < K {
            let (column, other) = (columns[I], -row.from(I));
            columns[I] = Lanes::new(|j| column.own(j) + row.own(j) * other);
        }
    });
    columns[K] = Lanes::new(|j| if j == K { inverse } else { row.own(j) });
}

impl<T: Number> Narrow<'_, T> {
    /// M, from its compressed rows.
    #[inline(always)]
    pub(super) fn fill_inertia(&self) {
        let (tree, M, n) = (&self.scene.tree, self.given.M, self.scene.head.nv);
        let (inertia, base) = (self.inertia, self.base);
        self.warp.each(LANES, |j| {
            for i in 0..LANES {
                inertia.set(i, j, T::ZERO);
                base.set(i, j, T::ZERO);
            }
        });
        self.warp.each(n, |i| {
            let start = tree.M_rowadr[i] as usize;
            for entry in start..start + tree.M_rownnz[i] as usize {
                let column = read(tree.M_colind, entry) as usize % LANES;
                let value = M[entry];
                inertia.set(i % LANES, column, value);
                inertia.set(column, i % LANES, value);
                base.set(i % LANES, column, value + T::ZERO);
            }
        });
    }

    /// −H⁻¹g. Which rows were on their parabola before is known unless this is the first direction.
    #[inline(always)]
    pub(super) fn direction(&self, gradient: Lanes<T>, is_first: bool) -> Lanes<T> {
        if is_first || self.is_changed() {
            self.refactor(is_first);
        }
        let x = self.substitute(gradient);
        Lanes::new(|i| -x.own(i))
    }

    /// With which weight a row enters H: after a change, or all at once. Zero if it does not.
    #[inline(always)]
    fn weight(&self, is_first: bool, row: usize) -> T {
        let is = self.is_quadratic[row].get() != T::ZERO;
        let was = !is_first && self.was_quadratic[row].get() != T::ZERO;
        let D = read(self.given.D, row);
        match (was, is) {
            (false, true) => D,
            (true, false) => -D,
            _ => T::ZERO,
        }
    }

    /// Which of the 32 rows from one on enter H.
    #[inline(always)]
    fn entering(&self, is_first: bool, first: usize) -> u32 {
        let enters = |row: usize| self.weight(is_first, row) != T::ZERO;
        self.warp.which(first, self.given.rows, enters)
    }

    #[inline(always)]
    fn is_changed(&self) -> bool {
        let mut any = 0;
        let mut first = 0;
        while first < self.given.rows {
            any |= self.warp.which(first, self.given.rows, |row| {
                self.is_quadratic[row].get() != self.was_quadratic[row].get()
            });
            first += LANES;
        }
        any != 0
    }

    /// Adds the rows that enter H, and factors it.
    #[inline(always)]
    fn refactor(&self, is_first: bool) {
        let (given, n) = (self.given, self.scene.head.nv);
        let stride = self.scene.head.stride();
        let mut columns = columns!(I { Lanes::new(|j| self.base.get(I, j)) });
        let mut first = 0;
        while first < given.rows {
            let mut entering = self.entering(is_first, first);
            while entering != 0 {
                let row = first + entering.trailing_zeros() as usize;
                entering &= entering - 1;
                let weight = self.weight(is_first, row);
                let own = Lanes::new(|j| match j < n {
                    true => read(given.J, row * stride + j),
                    false => T::ZERO,
                });
                let weighted = Lanes::new(|j| weight * own.own(j));
                for_each!(I {
                    let (column, other) = (columns[I], weighted.from(I));
                    columns[I] = Lanes::new(|j| column.own(j) + own.own(j) * other);
                });
            }
            first += LANES;
        }
        self.warp.each(LANES, |j| {
            for_each!(I { self.base.set(I, j, columns[I].own(j)); });
        });
        let columns = &mut columns;
        eliminate!(n, columns: 31 30 29 28 27 26 25 24 23 22 21 20 19 18 17 16);
        eliminate!(n, columns: 15 14 13 12 11 10 9 8 7 6 5 4 3 2 1 0);
        self.warp.each(LANES, |j| {
            for_each!(I { self.factor.set(I, j, columns[I].own(j)); });
        });
    }

    /// Solves Lᵀ·L·x = b.
    #[inline(always)]
    fn substitute(&self, b: Lanes<T>) -> Lanes<T> {
        let (factor, n) = (self.factor, self.scene.head.nv);
        let mut x = b;
        for i in (0..LANES).rev() {
            if i < n {
                let row = Lanes::new(|j| factor.get(i, j));
                let value = Lanes::new(|j| x.own(j) * row.own(j)).from(i);
                x = Lanes::new(|j| {
                    let next = x.own(j) + row.own(j) * -value;
                    if j == i {
                        value
                    } else if j < i {
                        next
                    } else {
                        x.own(j)
                    }
                });
            }
        }
        // Each row adds up its scalar product with what is known so far: four interleaved sums, and what is left over.
        let zero = Lanes::splat(T::ZERO);
        let (mut parts, mut left) = ([zero; 4], zero);
        let diagonal = Lanes::new(|i| factor.get(i, i));
        for block in 0..LANES / 4 {
            for k in 0..4 {
                let j = 4 * block + k;
                let next = Lanes::new(|i| {
                    let part = |k: usize| parts[k].own(i);
                    let total = (part(0) + part(2)) + (part(1) + part(3));
                    let rest = if i % 4 == 0 {
                        total
                    } else {
                        total + left.own(i)
                    };
                    (x.own(i) - rest) * diagonal.own(i)
                });
                let known = next.from(j);
                let products = Lanes::new(|i| factor.get(i, j) * known);
                let (part, rest) = (parts[k], left);
                parts[k] = Lanes::new(|i| match block < i / 4 {
                    true => part.own(i) + products.own(i),
                    false => part.own(i),
                });
                // The first of what is left over is not added to a zero.
                left = Lanes::new(|i| {
                    if block != i / 4 || j >= i {
                        rest.own(i)
                    } else if k == 0 {
                        products.own(i)
                    } else {
                        rest.own(i) + products.own(i)
                    }
                });
                x = Lanes::new(|i| if i == j { known } else { x.own(i) });
            }
        }
        x
    }
}
