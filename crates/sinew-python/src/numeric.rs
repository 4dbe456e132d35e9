//! Functions of numbers alone: scalar products, factors of dense matrices, muscles, principal axes, rays
//! against one shape.

use crate::query::check_length;
use numpy::{IntoPyArray, PyArray1, PyArrayMethods, PyReadonlyArray1, PyUntypedArrayMethods};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use sinew::collision::ray::{Pose, Ray};
use sinew::engine::acceleration::muscle;
use sinew::engine::ray::against_shape;
use sinew::math::{Mat3, Vec3, dense, eigen};
use sinew::model::kinds::GeomType;

/// Numbers of Python, side by side.
type Numbers<'py> = PyReadonlyArray1<'py, f64>;

/// Numbers that are given back.
type Array<'py> = Bound<'py, PyArray1<f64>>;

/// Scalar product.
#[pyfunction]
pub fn dot(a: Numbers<'_>, b: Numbers<'_>) -> PyResult<f64> {
    let (a, b) = (a.as_slice()?, b.as_slice()?);
    check_length("the second vector", b.len(), a.len())?;
    Ok(dense::dot(a, b))
}

/// Cholesky factor in the lower triangle of a square matrix, and its rank.
#[pyfunction]
pub fn cholesky_factor<'py>(
    py: Python<'py>,
    matrix: Numbers<'_>,
    size: usize,
    minimum: f64,
) -> PyResult<(Array<'py>, usize)> {
    check_length("the matrix", matrix.len(), size * size)?;
    let mut factor = matrix.to_vec()?;
    let rank = dense::cholesky_factor(&mut factor, size, minimum);
    Ok((factor.into_pyarray(py), rank))
}

/// Solution of L·Lᵀ·x = b.
#[pyfunction]
pub fn cholesky_solve<'py>(
    py: Python<'py>,
    factor: Numbers<'_>,
    vector: Numbers<'_>,
) -> PyResult<Array<'py>> {
    let mut x = vector.to_vec()?;
    check_length("the factor", factor.len(), x.len() * x.len())?;
    dense::cholesky_solve(factor.as_slice()?, &mut x);
    Ok(x.into_pyarray(py))
}

/// Factor of L·Lᵀ ± x·xᵀ, what is left of x, and the rank.
#[pyfunction]
pub fn cholesky_update<'py>(
    py: Python<'py>,
    factor: Numbers<'_>,
    vector: Numbers<'_>,
    is_added: bool,
) -> PyResult<(Array<'py>, Array<'py>, usize)> {
    let (mut factor, mut x) = (factor.to_vec()?, vector.to_vec()?);
    check_length("the factor", factor.len(), x.len() * x.len())?;
    let rank = if is_added {
        dense::cholesky_update(&mut factor, &mut x)
    } else {
        dense::cholesky_downdate(&mut factor, &mut x)
    };
    Ok((factor.into_pyarray(py), x.into_pyarray(py), rank))
}

/// A smooth step from 0 at 0 to 1 at 1.
#[pyfunction]
pub fn sigmoid(x: f64) -> f64 {
    muscle::sigmoid(x)
}

/// The parameters of a muscle, filled up.
fn filled<const N: usize>(prm: [f64; N]) -> [f64; 10] {
    let mut all = [0.0; 10];
    all[..N].copy_from_slice(&prm);
    all
}

/// Active force of a muscle.
#[pyfunction]
pub fn muscle_gain(
    length: f64,
    velocity: f64,
    lengthrange: [f64; 2],
    acc0: f64,
    prm: [f64; 9],
) -> f64 {
    muscle::gain(length, velocity, lengthrange, acc0, &filled(prm))
}

/// Passive force of a muscle.
#[pyfunction]
pub fn muscle_bias(length: f64, lengthrange: [f64; 2], acc0: f64, prm: [f64; 9]) -> f64 {
    muscle::bias(length, lengthrange, acc0, &filled(prm))
}

/// Rate of a muscle's activation.
#[pyfunction]
pub fn muscle_dynamics(control: f64, activation: f64, prm: [f64; 3]) -> f64 {
    muscle::activation_rate(control, activation, &filled(prm))
}

/// Eigenvalues, eigenvectors as columns, the same as a quaternion, and how many rotations it took.
#[pyfunction]
pub fn principal_axes(matrix: [f64; 9]) -> ([f64; 3], [f64; 9], [f64; 4], usize) {
    let found = eigen::symmetric3(&Mat3(matrix));
    (
        found.values,
        found.vectors.0,
        found.quat.0,
        found.iterations,
    )
}

/// Where a ray meets a primitive shape: distance (−1: not at all) and normal.
#[pyfunction]
pub fn ray_against_shape(
    kind: i32,
    pos: [f64; 3],
    mat: [f64; 9],
    size: [f64; 3],
    origin: [f64; 3],
    direction: [f64; 3],
) -> PyResult<(f64, [f64; 3])> {
    let primitive = GeomType::from_code(kind).filter(|kind| {
        use GeomType::{Box, Capsule, Cylinder, Ellipsoid, Plane, Sphere};
        matches!(kind, Plane | Sphere | Capsule | Ellipsoid | Cylinder | Box)
    });
    let Some(primitive) = primitive else {
        let message = format!("{kind} is no mjtGeom of a plane, sphere, capsule, … or box");
        return Err(PyValueError::new_err(message));
    };
    let ray = Ray {
        origin: Vec3(origin),
        direction: Vec3(direction),
    };
    let mat = Mat3(mat);
    let pose = Pose {
        pos: Vec3(pos),
        mat: &mat,
    };
    let hit = against_shape(primitive, &ray, pose, size);
    Ok(hit.map_or((-1.0, [0.0; 3]), |hit| (hit.distance, hit.normal.0)))
}
