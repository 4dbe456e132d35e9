//! Symmetric matrices that are narrow bands but for their last rows.
//!
//! The first `ntotal - ndense` rows are stored as `nband` numbers each, the last of them on the diagonal; then come the
//! `ndense` last rows in full. What lies above the diagonal is not looked at.

// The functions carry the reference's names.
#![allow(non_snake_case)]

use crate::argument::{Flag, functions, wrong};
use crate::array::{Numbers, Target};
use pyo3::PyResult;
use sinew::math::{MIN_VALUE, dense};
use std::ops::Range;

/// The layout of such a matrix.
#[derive(Clone, Copy)]
struct Band {
    total: usize,
    width: usize,
    dense: usize,
}

impl Band {
    fn new(ntotal: i64, nband: i64, ndense: i64) -> PyResult<Self> {
        let band = || {
            let [total, width, dense] = [ntotal, nband, ndense].map(usize::try_from);
            let (total, width, dense) = (total.ok()?, width.ok()?, dense.ok()?);
            let size = (total.checked_sub(dense)?).checked_mul(width);
            size?.checked_add(dense.checked_mul(total)?)?;
            Some(Band {
                total,
                width,
                dense,
            })
        };
        band().ok_or_else(|| {
            wrong(format!(
                "there is no matrix with ntotal={ntotal}, nband={nband}, ndense={ndense}"
            ))
        })
    }

    fn size(self) -> usize {
        (self.total - self.dense) * self.width + self.dense * self.total
    }

    /// Where the diagonal of a row is stored, counted from the end of what is stored before it.
    fn diagonal(self, row: usize) -> usize {
        let sparse = self.total - self.dense;
        match row < sparse {
            true => ((row + 1) * self.width).wrapping_sub(1),
            false => sparse * self.width + (row - sparse) * self.total + row,
        }
    }

    /// First column of a row, and where its entries up to the diagonal are stored.
    fn row(self, row: usize) -> (usize, Range<usize>) {
        let is_dense = row >= self.total - self.dense;
        let first = if is_dense {
            0
        } else {
            (row + 1).saturating_sub(self.width)
        };
        let end = self.diagonal(row).wrapping_add(1);
        (first, end - (row + 1 - first)..end)
    }

    /// The lower triangle, written out.
    fn lower(self, stored: &[f64]) -> Vec<f64> {
        let mut full = vec![0.0; self.total * self.total];
        for i in 0..self.total {
            let (first, place) = self.row(i);
            full[i * self.total + first..=i * self.total + i][..place.len()]
                .copy_from_slice(&stored[place]);
        }
        full
    }

    /// Takes the stored entries out of a lower triangle.
    fn store(self, full: &[f64], stored: &mut [f64]) {
        for i in 0..self.total {
            let (first, place) = self.row(i);
            let count = place.len();
            stored[place].copy_from_slice(&full[i * self.total + first..][..count]);
        }
    }

    /// Copies the lower triangle to the upper one.
    fn mirror(self, full: &mut [f64]) {
        for i in 0..self.total {
            for j in 0..i {
                full[j * self.total + i] = full[i * self.total + j];
            }
        }
    }
}

functions! {
    /// Where the diagonal of a row is stored.
    fn mju_bandDiag(i: i64, ntotal: i64, nband: i64, ndense: i64) -> i64 {
        let sparse = ntotal - ndense;
        Ok(if i < sparse { (i + 1) * nband - 1 } else { sparse * nband + (i - sparse) * ntotal + i })
    }

    /// Writes out the lower triangle, or both if ``flg_sym``.
    fn mju_band2Dense(res: Target, mat: Numbers, ntotal: i64, nband: i64, ndense: i64, flg_sym: Flag) {
        let band = Band::new(ntotal, nband, ndense)?;
        let stored = mat.exactly(band.size())?;
        res.fits_matrix(band.total, band.total)?;
        let mut full = band.lower(stored);
        if flg_sym.0 {
            band.mirror(&mut full);
        }
        res.put(&full)
    }

    /// Takes the stored entries out of a full matrix.
    fn mju_dense2Band(res: Target, mat: Numbers, ntotal: i64, nband: i64, ndense: i64) {
        let band = Band::new(ntotal, nband, ndense)?;
        res.fits(band.size())?;
        let full = mat.exactly(band.total * band.total)?;
        let mut stored = res.values()?;
        band.store(full, &mut stored);
        res.put(&stored)
    }

    /// res = mat·vec for each of ``nvec`` vectors; only the lower triangle counts unless ``flg_sym``.
    fn mju_bandMulMatVec(
        res: Target, mat: Numbers, vec: Numbers, ntotal: i64, nband: i64, ndense: i64, nvec: usize, flg_sym: Flag,
    ) {
        let band = Band::new(ntotal, nband, ndense)?;
        let stored = mat.exactly(band.size())?;
        let vectors = vec.exactly(band.total.saturating_mul(nvec))?;
        res.fits(vectors.len())?;
        let mut full = band.lower(stored);
        if flg_sym.0 {
            band.mirror(&mut full);
        }
        let mut made = Vec::with_capacity(vectors.len());
        for vector in vectors.chunks(band.total.max(1)) {
            made.extend(full.chunks(band.total.max(1)).map(|row| dense::dot(row, vector)));
        }
        res.put(&made)
    }

    /// Factor L of mat + diagadd + diagmul·diagonal, in place. Returns the smallest pivot; 0 if one vanishes.
    fn mju_cholFactorBand(
        mat: Target, ntotal: i64, nband: i64, ndense: i64, diagadd: f64, diagmul: f64,
    ) -> f64 {
        let band = Band::new(ntotal, nband, ndense)?;
        mat.fits(band.size())?;
        let size = band.total;
        let mut stored = mat.values()?;
        let mut lower = band.lower(&stored);
        let mut smallest = f64::INFINITY;
        for j in 0..size {
            let row = j * size..j * size + j;
            let diagonal = lower[j * size + j];
            let pivot = diagadd + diagmul * diagonal + diagonal - dense::dot(&lower[row.clone()], &lower[row.clone()]);
            smallest = smallest.min(pivot);
            if pivot < MIN_VALUE {
                smallest = 0.0;
                break;
            }
            lower[j * size + j] = pivot.sqrt();
            let inverse = 1.0 / lower[j * size + j];
            for i in j + 1..size {
                let product = dense::dot(&lower[i * size..i * size + j], &lower[row.clone()]);
                lower[i * size + j] = (lower[i * size + j] - product) * inverse;
            }
        }
        band.store(&lower, &mut stored);
        mat.put(&stored)?;
        Ok(if size > 0 { smallest } else { -1.0 })
    }

    /// res = (L·Lᵀ)⁻¹·vec, with the factor in mat.
    fn mju_cholSolveBand(res: Target, mat: Numbers, vec: Numbers, ntotal: i64, nband: i64, ndense: i64) {
        let band = Band::new(ntotal, nband, ndense)?;
        let lower = band.lower(mat.exactly(band.size())?);
        let mut x = vec.exactly(band.total)?.to_vec();
        dense::cholesky_solve(&lower, &mut x);
        res.put(&x)
    }
}
