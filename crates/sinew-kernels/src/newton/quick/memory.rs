//! What the threads of a warp see, and how it is filled.

use super::Quick;
use crate::Number;
use crate::scene::Head;
use crate::warp::{LANES, Lanes, Shared, get_four, read, read_four, set_four};

/// Numbers from one row of a matrix to the next: an odd number of fours, so that threads that read rows, and threads that
/// read columns, ask different banks of the memory.
pub(super) const fn stride(columns: usize) -> usize {
    columns + (columns / 4 + 1) % 2 * 4
}

/// Fours that are read at once.
const AT_ONCE: usize = 4;

/// The lists of a warp.
#[allow(non_snake_case)]
#[derive(Clone, Copy)]
pub(super) struct Memory<'a, T> {
    /// Rows of the Jacobian.
    pub J: Shared<'a, T>,
    /// M, both triangles, with ones behind its end.
    pub inertia: Shared<'a, T>,
    /// J·qacc − aref
    pub residual: Shared<'a, T>,
    /// J·direction
    pub slope: Shared<'a, T>,
    /// Inverse regularisation.
    pub D: Shared<'a, T>,
    /// With which weight each row is in H.
    pub entered: Shared<'a, T>,
    /// Forces of rows.
    pub force: Shared<'a, T>,
    /// A vector that all threads read.
    pub told: Shared<'a, T>,
    /// Two times four rows of H that are being eliminated.
    pub panels: Shared<'a, T>,
    /// Where there are cones, of each row: the shape of its cone, or zero if it has none, and what its cone adds to H by the
    /// normal and takes away by the tangent.
    pub shape: Shared<'a, T>,
    pub normal: Shared<'a, T>,
    pub tangent: Shared<'a, T>,
}

/// Numbers of working memory that a warp takes for a number of rows.
pub fn memory_length(head: &Head, rows: usize) -> usize {
    let (columns, rows) = (head.stride().max(4), rows.next_multiple_of(LANES));
    let lists = if head.cones == 0 { 5 } else { 8 };
    (rows + columns) * stride(columns) + LANES + lists * rows + LANES + 2 * 4 * LANES
}

impl<'a, T: Number> Memory<'a, T> {
    /// Cuts a memory for a number of rows.
    #[inline(always)]
    pub fn cut<const N: usize, const CONES: bool>(rows: usize, memory: Shared<'a, T>) -> Self {
        let rows = rows.next_multiple_of(LANES);
        let (told, memory) = memory.split_at(LANES);
        let (panels, memory) = memory.split_at(2 * 4 * LANES);
        // Threads without a column read behind the last row.
        let (inertia, memory) = memory.split_at(N * stride(N) + LANES);
        let (J, memory) = memory.split_at(rows * stride(N));
        let (residual, memory) = memory.split_at(rows);
        let (slope, memory) = memory.split_at(rows);
        let (D, memory) = memory.split_at(rows);
        let (entered, memory) = memory.split_at(rows);
        let (force, memory) = memory.split_at(rows);
        let rows = if CONES { rows } else { 0 };
        let (shape, memory) = memory.split_at(rows);
        let (normal, memory) = memory.split_at(rows);
        let (tangent, _) = memory.split_at(rows);
        Memory {
            J,
            inertia,
            residual,
            slope,
            D,
            entered,
            force,
            told,
            panels,
            shape,
            normal,
            tangent,
        }
    }
}

impl<T: Number, const N: usize, const CONES: bool> Quick<'_, T, N, CONES> {
    /// Fills the lists from what the problem of the world says. Rows behind the last are zeros.
    #[inline(always)]
    pub(super) fn fill(&self) {
        let (given, at) = (self.given, &self.at);
        let rows = given.rows;
        self.warp.each(rows.next_multiple_of(LANES), |i| {
            let exists = i < rows;
            let (D, aref) = match exists {
                true => (read(given.D, i), read(given.aref, i)),
                false => (T::ZERO, T::ZERO),
            };
            at.D[i].set(D);
            at.residual[i].set(-aref);
        });
        let fours = rows * N / 4;
        let mut first = 0;
        while first < rows.next_multiple_of(LANES) * N / 4 {
            let mut entries = [Lanes::splat([T::ZERO; 4]); AT_ONCE];
            for k in 0..AT_ONCE {
                let i = first + k * LANES;
                entries[k] = Lanes::new(|lane| match i + lane < fours {
                    true => read_four(given.J, 4 * (i + lane)),
                    false => [T::ZERO; 4],
                });
            }
            self.warp.each(LANES, |lane| {
                for k in 0..AT_ONCE {
                    let i = first + k * LANES + lane;
                    let (row, four) = (i / (N / 4), i % (N / 4));
                    if i < rows.next_multiple_of(LANES) * N / 4 {
                        set_four(at.J, row * stride(N) + 4 * four, entries[k].own(lane));
                    }
                }
            });
            first += AT_ONCE * LANES;
        }
        if CONES {
            self.fill_cones();
        }
        self.fill_inertia();
    }

    /// M from its compressed rows.
    #[inline(always)]
    fn fill_inertia(&self) {
        let (head, tables) = (&self.scene.head, &self.scene.tables);
        let (M, inertia) = (self.given.M, self.at.inertia);
        self.warp.each(N * stride(N) / 4, |i| {
            set_four(inertia, 4 * i, [T::ZERO; 4]);
        });
        let mut first = 0;
        while first < head.nC {
            let mut entries = [Lanes::splat(T::ZERO); AT_ONCE];
            for k in 0..AT_ONCE {
                let i = first + k * LANES;
                entries[k] = Lanes::new(|lane| match i + lane < head.nC {
                    true => M[i + lane],
                    false => T::ZERO,
                });
            }
            self.warp.each(LANES, |lane| {
                for k in 0..AT_ONCE {
                    let i = first + k * LANES + lane;
                    if i < head.nC {
                        let place = read(tables.inertia_places, i) as usize;
                        let (row, column) = (place / LANES, place % LANES);
                        inertia[row * stride(N) + column].set(entries[k].own(lane));
                        inertia[column * stride(N) + row].set(entries[k].own(lane));
                    }
                }
            });
            first += AT_ONCE * LANES;
        }
        self.warp.each(N, |i| {
            if i >= head.nv {
                inertia[i * stride(N) + i].set(T::ONE);
            }
        });
    }

    /// M·v; leaves J·v in the list of slopes.
    #[inline(always)]
    pub(super) fn products(&self, v: Lanes<T>) -> Lanes<T> {
        let (at, n) = (&self.at, self.scene.head.nv);
        self.warp.each(LANES, |i| at.told[i].set(v.own(i)));
        let mut Mv = Lanes::splat(T::ZERO);
        for i in 0..N / 4 {
            let x = Lanes::new(|_| get_four(at.told, 4 * i));
            for k in 0..4 {
                let row = (4 * i + k) * stride(N);
                Mv = Lanes::new(|j| Mv.own(j) + at.inertia[row + j].get() * x.own(j)[k]);
            }
        }
        self.warp
            .each(self.given.rows.next_multiple_of(LANES), |row| {
                let mut sum = T::ZERO;
                for i in 0..N / 4 {
                    let x = get_four(at.told, 4 * i);
                    let entries = get_four(at.J, row * stride(N) + 4 * i);
                    for k in 0..4 {
                        sum += entries[k] * x[k];
                    }
                }
                at.slope[row].set(sum);
            });
        Lanes::new(|j| if j < n { Mv.own(j) } else { T::ZERO })
    }
}
