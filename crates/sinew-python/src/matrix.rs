//! Dense and sparse matrices: products, factors, how they are laid out.

// The functions carry the reference's names.
#![allow(non_snake_case)]

use crate::argument::{Flag, functions, wrong};
use crate::array::{Fixed, Matrix, Numbers, Target, Vector};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use sinew::math::{Mat3, Vec3, dense, eigen};

/// Sum of the rows of a matrix, each times a number.
fn sum_of_rows<'a>(columns: usize, rows: impl Iterator<Item = (f64, &'a [f64])>) -> Vec<f64> {
    let mut sum = vec![0.0; columns];
    for (scale, row) in rows.filter(|(scale, _)| *scale != 0.0) {
        dense::add_scaled(&mut sum, row, scale);
    }
    sum
}

/// A vector as long as a side of a matrix.
fn side(count: usize, expected: usize, what: &str) -> PyResult<()> {
    if count == expected {
        return Ok(());
    }
    Err(wrong(format!("{what} do not fit: {count} and {expected}")))
}

/// The size of a target that is a square matrix.
fn square(mat: &Target) -> PyResult<usize> {
    let [rows, columns] = mat.matrix()?;
    side(rows, columns, "rows and columns of a square matrix")?;
    Ok(rows)
}

functions! {
    /// mat = identity.
    fn mju_eye(mat: Target) {
        let [rows, columns] = mat.matrix()?;
        let mut made = vec![0.0; rows * columns];
        for i in 0..rows.min(columns) {
            made[i * columns + i] = 1.0;
        }
        mat.put(&made)
    }

    /// res = matᵀ.
    fn mju_transpose(res: Target, mat: Matrix) {
        res.fits_matrix(mat.columns, mat.rows)?;
        let mut made = Vec::with_capacity(mat.rows * mat.columns);
        for column in 0..mat.columns {
            made.extend((0..mat.rows).map(|row| mat.row(row)[column]));
        }
        res.put(&made)
    }

    /// res = (mat + matᵀ) / 2.
    fn mju_symmetrize(res: Target, mat: Matrix) {
        let size = mat.square()?;
        let entries = mat.slice();
        let mut made = Vec::with_capacity(size * size);
        for row in 0..size {
            made.extend((0..size).map(|column| 0.5 * (entries[row * size + column] + entries[column * size + row])));
        }
        res.fits_matrix(size, size)?;
        res.put(&made)
    }

    /// res = mat·vec.
    fn mju_mulMatVec(res: Target, mat: Matrix, vec: Numbers) {
        let vec = vec.exactly(mat.columns)?;
        let made: Vec<f64> = (0..mat.rows).map(|row| dense::dot(mat.row(row), vec)).collect();
        res.put(&made)
    }

    /// res = matᵀ·vec.
    fn mju_mulMatTVec(res: Target, mat: Matrix, vec: Numbers) {
        let vec = vec.exactly(mat.rows)?;
        let rows = (0..mat.rows).map(|row| (vec[row], mat.row(row)));
        res.put(&sum_of_rows(mat.columns, rows))
    }

    /// res = mat·vec, 3 × 3.
    fn mju_mulMatVec3(res: Fixed<3>, mat: Vector<9>, vec: Vector<3>) { res.put((Mat3(mat.0) * Vec3(vec.0)).0) }

    /// res = matᵀ·vec, 3 × 3.
    fn mju_mulMatTVec3(res: Fixed<3>, mat: Vector<9>, vec: Vector<3>) {
        res.put(Mat3(mat.0).transpose_mul(Vec3(vec.0)).0)
    }

    /// vec1ᵀ·mat·vec2.
    fn mju_mulVecMatVec(vec1: Numbers, mat: Matrix, vec2: Numbers) -> f64 {
        let (vec1, vec2) = (vec1.exactly(mat.rows)?, vec2.exactly(mat.columns)?);
        Ok((0..mat.rows).fold(0.0, |sum, row| sum + vec1[row] * dense::dot(mat.row(row), vec2)))
    }

    /// res = mat1·mat2.
    fn mju_mulMatMat(res: Target, mat1: Matrix, mat2: Matrix) {
        side(mat1.columns, mat2.rows, "columns of mat1 and rows of mat2")?;
        res.fits_matrix(mat1.rows, mat2.columns)?;
        let mut made = Vec::with_capacity(mat1.rows * mat2.columns);
        for row in 0..mat1.rows {
            let rows = mat1.row(row).iter().enumerate().map(|(k, &scale)| (scale, mat2.row(k)));
            made.extend(sum_of_rows(mat2.columns, rows));
        }
        res.put(&made)
    }

    /// res = mat1·mat2ᵀ.
    fn mju_mulMatMatT(res: Target, mat1: Matrix, mat2: Matrix) {
        side(mat1.columns, mat2.columns, "columns of mat1 and mat2")?;
        res.fits_matrix(mat1.rows, mat2.rows)?;
        let mut made = Vec::with_capacity(mat1.rows * mat2.rows);
        for row in 0..mat1.rows {
            made.extend((0..mat2.rows).map(|column| dense::dot(mat1.row(row), mat2.row(column))));
        }
        res.put(&made)
    }

    /// res = mat1ᵀ·mat2.
    fn mju_mulMatTMat(res: Target, mat1: Matrix, mat2: Matrix) {
        side(mat1.rows, mat2.rows, "rows of mat1 and mat2")?;
        res.fits_matrix(mat1.columns, mat2.columns)?;
        let mut made = Vec::with_capacity(mat1.columns * mat2.columns);
        for column in 0..mat1.columns {
            let rows = (0..mat1.rows).map(|row| (mat1.row(row)[column], mat2.row(row)));
            made.extend(sum_of_rows(mat2.columns, rows));
        }
        res.put(&made)
    }

    /// res = matᵀ·diag·mat.
    fn mju_sqrMatTD(res: Target, mat: Matrix, diag: Option<Numbers>) {
        let diagonal = diag.as_ref().map(|diag| diag.exactly(mat.rows)).transpose()?;
        res.fits_matrix(mat.columns, mat.columns)?;
        let mut made = Vec::with_capacity(mat.columns * mat.columns);
        for column in 0..mat.columns {
            let rows = (0..mat.rows).map(|row| {
                let scale = diagonal.map_or(1.0, |diagonal| diagonal[row]);
                (mat.row(row)[column] * scale, mat.row(row))
            });
            made.extend(sum_of_rows(mat.columns, rows));
        }
        res.put(&made)
    }

    /// Factor L of mat = L·Lᵀ, in place in the lower triangle. Diagonals below ``mindiag`` are raised. Returns the rank.
    fn mju_cholFactor(mat: Target, mindiag: f64) -> usize {
        let size = square(&mat)?;
        let mut factor = mat.values()?;
        let rank = dense::cholesky_factor(&mut factor, size, mindiag);
        mat.put(&factor)?;
        Ok(rank)
    }

    /// res = (L·Lᵀ)⁻¹·vec, with the factor in the lower triangle of mat.
    fn mju_cholSolve(res: Target, mat: Matrix, vec: Numbers) {
        let mut x = vec.exactly(mat.square()?)?.to_vec();
        dense::cholesky_solve(mat.slice(), &mut x);
        res.put(&x)
    }

    /// Factor of L·Lᵀ ± x·xᵀ, in place; x is used up. Returns the rank.
    fn mju_cholUpdate(mat: Target, x: Target, flg_plus: Flag) -> usize {
        x.fits(square(&mat)?)?;
        let (mut factor, mut rest) = (mat.values()?, x.values()?);
        let rank = match flg_plus.0 {
            true => dense::cholesky_update(&mut factor, &mut rest),
            false => dense::cholesky_downdate(&mut factor, &mut rest),
        };
        mat.put(&factor)?;
        x.put(&rest)?;
        Ok(rank)
    }

    /// Eigenvalues of a symmetric matrix, largest first, and its axes as columns and as a quaternion.
    ///
    /// Returns how many rotations it took.
    fn mju_eig3(eigval: Fixed<3>, eigvec: Fixed<9>, quat: Fixed<4>, mat: Vector<9>) -> usize {
        let found = eigen::symmetric3(&Mat3(mat.0));
        eigval.put(found.values)?;
        eigvec.put(found.vectors.0)?;
        quat.put(found.quat.0)?;
        Ok(found.iterations)
    }

    /// The entries of a matrix that are not 0, row by row. Returns 0, or 1 if there is no room for them.
    fn mju_dense2sparse(
        res: Target, mat: Matrix, rownnz: Target<i32>, rowadr: Target<i32>, colind: Target<i32>,
    ) -> i64 {
        rownnz.fits(mat.rows)?;
        rowadr.fits(mat.rows)?;
        colind.fits(res.len())?;
        let (mut entries, mut columns) = (res.values()?, colind.values()?);
        let (mut counts, mut starts) = (rownnz.values()?, rowadr.values()?);
        let mut next = 0;
        let mut has_room = true;
        for row in 0..mat.rows {
            let filled = || mat.row(row).iter().enumerate().filter(|(_, x)| **x != 0.0);
            let count = filled().count();
            (counts[row], starts[row]) = (count as i32, next as i32);
            has_room = next + count <= entries.len();
            if !has_room {
                break;
            }
            for (column, &entry) in filled() {
                (entries[next], columns[next]) = (entry, column as i32);
                next += 1;
            }
        }
        res.put(&entries)?;
        colind.put(&columns)?;
        rownnz.put(&counts)?;
        rowadr.put(&starts)?;
        Ok(i64::from(!has_room))
    }

    /// Writes out a sparse matrix.
    fn mju_sparse2dense(
        res: Target, mat: Numbers, rownnz: Numbers<i32>, rowadr: Numbers<i32>, colind: Numbers<i32>,
    ) {
        let [rows, columns] = res.matrix()?;
        let (counts, starts) = (rownnz.exactly(rows)?, rowadr.exactly(rows)?);
        let mut made = vec![0.0; rows * columns];
        for row in 0..rows {
            let (start, count) = (starts[row], counts[row]);
            for k in start..start.saturating_add(count) {
                let place = usize::try_from(k).ok();
                let entry = place.and_then(|k| Some((colind.slice().get(k)?, mat.slice().get(k)?)));
                match entry {
                    Some((&column, &value)) if (0..columns as i32).contains(&column) => {
                        made[row * columns + column as usize] = value;
                    }
                    _ => return Err(PyValueError::new_err(format!("row {row} does not lie in the matrix"))),
                }
            }
        }
        res.put(&made)
    }
}
