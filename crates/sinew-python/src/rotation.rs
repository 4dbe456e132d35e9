//! Rotations and spatial vectors: quaternions (w first), matrices (row-major), motions and forces.

use pyo3::prelude::*;
use sinew::math::spatial::{Spatial, into_axes, shift_force, shift_motion};
use sinew::math::{Mat3, Quat, Vec3};

/// First `b`, then `a`.
#[pyfunction]
pub fn quat_product(a: [f64; 4], b: [f64; 4]) -> [f64; 4] {
    (Quat(a) * Quat(b)).0
}

/// The product with the quaternion (0, axis).
#[pyfunction]
pub fn quat_times_axis(quat: [f64; 4], axis: [f64; 3]) -> [f64; 4] {
    Quat(quat).mul_axis(Vec3(axis)).0
}

/// Unit quaternion and former length.
#[pyfunction]
pub fn normalize_quat(quat: [f64; 4]) -> ([f64; 4], f64) {
    let (unit, length) = Quat(quat).normalize();
    (unit.0, length)
}

/// A vector, turned.
#[pyfunction]
pub fn rotate(quat: [f64; 4], vector: [f64; 3]) -> [f64; 3] {
    Quat(quat).rotate(Vec3(vector)).0
}

/// Rotation about a unit axis.
#[pyfunction]
pub fn quat_about_axis(axis: [f64; 3], angle: f64) -> [f64; 4] {
    Quat::from_axis_angle(Vec3(axis), angle).0
}

/// The angular velocity that makes a rotation in a time.
#[pyfunction]
pub fn quat_to_velocity(quat: [f64; 4], duration: f64) -> [f64; 3] {
    Quat(quat).to_velocity(duration).0
}

/// The rotation vector that leads from `other` to `quat`, in the frame of `other`.
#[pyfunction]
pub fn quat_difference(quat: [f64; 4], other: [f64; 4]) -> [f64; 3] {
    Quat(quat).difference(Quat(other)).0
}

/// The rate of a quaternion that turns with an angular velocity.
#[pyfunction]
pub fn quat_rate(quat: [f64; 4], velocity: [f64; 3]) -> [f64; 4] {
    Quat(quat).derivative(Vec3(velocity))
}

/// Where a quaternion gets that turns with an angular velocity for a time.
#[pyfunction]
pub fn turn_quat(quat: [f64; 4], velocity: [f64; 3], duration: f64) -> [f64; 4] {
    Quat(quat).integrate(Vec3(velocity), duration).0
}

/// The rotation that turns the z-axis to a direction.
#[pyfunction]
pub fn quat_from_z_to(direction: [f64; 3]) -> [f64; 4] {
    Quat::from_z_to(Vec3(direction)).0
}

/// Rotation matrix of a quaternion.
#[pyfunction]
pub fn quat_to_matrix(quat: [f64; 4]) -> [f64; 9] {
    Quat(quat).to_mat().0
}

/// Quaternion of a rotation matrix.
#[pyfunction]
pub fn matrix_to_quat(matrix: [f64; 9]) -> [f64; 4] {
    Mat3(matrix).to_quat().0
}

/// Matrix times vector.
#[pyfunction]
pub fn matrix_times_vector(matrix: [f64; 9], vector: [f64; 3]) -> [f64; 3] {
    (Mat3(matrix) * Vec3(vector)).0
}

/// Transposed matrix times vector.
#[pyfunction]
pub fn transposed_times_vector(matrix: [f64; 9], vector: [f64; 3]) -> [f64; 3] {
    Mat3(matrix).transpose_mul(Vec3(vector)).0
}

/// The rotation in a matrix, found from a guess, and the iterations it took.
#[pyfunction]
pub fn extract_rotation(guess: [f64; 4], matrix: [f64; 9]) -> ([f64; 4], usize) {
    let (found, iterations) = Quat(guess).extract_rotation(&Mat3(matrix));
    (found.0, iterations)
}

/// A motion, or a force, about another point and in other axes.
#[pyfunction]
pub fn transform_spatial(
    vector: Spatial,
    is_force: bool,
    new: [f64; 3],
    old: [f64; 3],
    axes: Option<[f64; 9]>,
) -> Spatial {
    let shift = if is_force { shift_force } else { shift_motion };
    let shifted = shift(&vector, Vec3(new), Vec3(old));
    axes.map_or(shifted, |axes| into_axes(&shifted, &Mat3(axes)))
}
