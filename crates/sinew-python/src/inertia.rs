//! Products with the inertia in joint space, solutions, and the same with half of its factor.

// The functions carry the reference's names.
#![allow(non_snake_case)]

use crate::argument::{DataObject, ModelObject, functions};
use crate::array::{Numbers, Target};
use crate::query::{look, wrong_call};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use sinew::engine::error::CallError;
use sinew::engine::{Data, constants, query};
use sinew::model::Model;

/// A number per degree of freedom, made from as many.
fn product(
    m: &ModelObject,
    d: &DataObject,
    (res, vec): (&Target, &Numbers),
    multiply: impl FnOnce(&Data, &Model, &[f64], &mut [f64]) -> Result<(), CallError>,
) -> PyResult<()> {
    let product = look(m, d, |model, data| {
        res.fits(model.nv)?;
        let mut product = vec![0.0; model.nv];
        multiply(data, model, vec.exactly(model.nv)?, &mut product).map_err(wrong_call)?;
        Ok(product)
    })?;
    res.put(&product)
}

/// Solves for each row of y.
fn solve(
    m: &ModelObject,
    d: &DataObject,
    (x, y): (&Target, &Numbers),
    solve: impl Fn(&Data, &Model, &mut [f64]) -> PyResult<()>,
) -> PyResult<()> {
    let solved = look(m, d, |model, data| {
        let mut rows = y.rows(model.nv)?.to_vec();
        x.fits(rows.len())?;
        for row in rows.chunks_mut(model.nv.max(1)) {
            solve(data, model, row)?;
        }
        Ok(rows)
    })?;
    x.put(&solved)
}

/// The sums of the inertia and a sparse matrix, row by row; each must have room.
fn sums(
    model: &Model,
    inertia: &[f64],
    (counts, starts, columns, entries): (&[i32], &[i32], &[i32], &[f64]),
) -> PyResult<Vec<Vec<(i32, f64)>>> {
    let wrong = |row: usize, what: &str| PyValueError::new_err(format!("row {row} {what}"));
    let mut sums = Vec::with_capacity(model.nv);
    for row in 0..model.nv {
        let start = usize::try_from(starts[row]).ok();
        let count = usize::try_from(counts[row]).ok();
        let stretch = start
            .zip(count)
            .map(|(start, count)| start..start.saturating_add(count));
        let stretch = stretch.filter(|stretch| stretch.end <= entries.len());
        let Some(stretch) = stretch else {
            return Err(wrong(row, "does not lie in the matrix"));
        };
        let start = stretch.start;
        let given = columns[stretch.clone()].iter().zip(&entries[stretch]);
        let mut sum: Vec<(i32, f64)> = given.map(|(&column, &entry)| (column, entry)).collect();
        let first = model.M_rowadr[row] as usize;
        let own = first..first + model.M_rownnz[row] as usize;
        for (&column, &value) in model.M_colind[own.clone()].iter().zip(&inertia[own]) {
            match sum.iter_mut().find(|(known, _)| *known == column) {
                Some((_, entry)) => *entry += value,
                None => sum.push((column, value)),
            }
        }
        sum.sort_by_key(|&(column, _)| column);
        let following = starts.iter().filter_map(|&next| usize::try_from(next).ok());
        let room = following
            .filter(|&next| next > start)
            .min()
            .unwrap_or(entries.len());
        if start + sum.len() > room {
            return Err(wrong(
                row,
                &format!("has no room for {} entries", sum.len()),
            ));
        }
        sums.push(sum);
    }
    Ok(sums)
}

functions! {
    /// Sum of the masses of all bodies.
    fn mj_getTotalmass(m: ModelObject) -> f64 { Ok(constants::total_mass(&*m.checked()?)) }

    /// Writes out a symmetric matrix in the layout of ``qM``.
    fn mj_fullM(m: ModelObject, dst: Target, M: Numbers) {
        let model = m.checked()?;
        dst.fits_matrix(model.nv, model.nv)?;
        let mut full = vec![0.0; model.nv * model.nv];
        query::expand_inertia(&model, M.exactly(model.nM)?, &mut full).map_err(wrong_call)?;
        dst.put(&full)
    }

    /// res = M·vec.
    fn mj_mulM(m: ModelObject, d: DataObject, res: Target, vec: Numbers) {
        product(&m, &d, (&res, &vec), Data::multiply_inertia)
    }

    /// res = D^½·L·vec, whose square is vec·M·vec, where M = Lᵀ·D·L.
    fn mj_mulM2(m: ModelObject, d: DataObject, res: Target, vec: Numbers) {
        product(&m, &d, (&res, &vec), Data::half_multiply_inertia)
    }

    /// x = M⁻¹·y, for each row of y.
    fn mj_solveM(m: ModelObject, d: DataObject, x: Target, y: Numbers) {
        solve(&m, &d, (&x, &y), |data, model, row| data.solve_inertia(model, row).map_err(wrong_call))
    }

    /// x = D^(-½)·L⁻ᵀ·y for each row of y, whose square is y·M⁻¹·y; ``sqrtInvD`` is D^(-½).
    fn mj_solveM2(m: ModelObject, d: DataObject, x: Target, y: Numbers, sqrtInvD: Numbers) {
        solve(&m, &d, (&x, &y), |data, model, row| {
            data.half_solve_inertia(model, sqrtInvD.exactly(model.nv)?, row).map_err(wrong_call)
        })
    }

    /// Adds the inertia to a sparse matrix, whose rows must have room for it.
    fn mj_addM(
        m: ModelObject, d: DataObject, dst: Target, rownnz: Target<i32>, rowadr: Target<i32>, colind: Target<i32>,
    ) {
        let (mut entries, mut columns) = (dst.values()?, colind.values()?);
        let (mut counts, starts) = (rownnz.values()?, rowadr.values()?);
        let sums = look(&m, &d, |model, data| {
            rownnz.fits(model.nv)?;
            rowadr.fits(model.nv)?;
            colind.fits(dst.len())?;
            sums(model, &data.position.inertia.M, (&counts, &starts, &columns, &entries))
        })?;
        for (row, sum) in sums.iter().enumerate() {
            counts[row] = sum.len() as i32;
            for (&(column, entry), k) in sum.iter().zip(starts[row] as usize..) {
                (columns[k], entries[k]) = (column, entry);
            }
        }
        dst.put(&entries)?;
        colind.put(&columns)?;
        rownnz.put(&counts)
    }
}
