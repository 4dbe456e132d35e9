//! Principal axes of symmetric 3×3 matrices.
//!
//! Jacobi rotations accumulated in a quaternion q: the matrix in the frame of q is D = RᵀAR, and
//! each sweep rotates away the largest off-diagonal entry of D. The order in which entries are
//! chosen and eigenvalues are sorted decides which of the equivalent principal frames results, so
//! both follow MuJoCo's `mju_eig3`.

use crate::mat3::Mat3;
use crate::quat::Quat;
use crate::quotient;
use crate::real::Scalar;

/// The result of [`symmetric3`].
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Eigen3<T = f64> {
    /// Eigenvalues, largest first (values closer than 1e-12 keep their order).
    pub values: [T; 3],
    /// Eigenvectors as columns: a proper rotation.
    pub vectors: Mat3<T>,
    /// The same rotation as a quaternion.
    pub quat: Quat<T>,
    /// Rotations that were needed.
    pub iterations: usize,
}

const MAX_ROTATIONS: usize = 500;

/// Eigenvalues and principal frame of a symmetric matrix.
#[doc(alias = "mju_eig3")]
pub fn symmetric3<T: Scalar>(matrix: &Mat3<T>) -> Eigen3<T> {
    jacobi(
        matrix,
        T::from_f64(crate::MIN_VALUE * 1000.0),
        Quat::normalized,
    )
}

/// The same in the arithmetic of the reference's model compiler, which normalises quaternions by
/// division. The last bits decide when the rotations stop, and with inertias near the tolerance
/// that is visible in the frame.
#[doc(alias = "mjuu_eig3")]
pub fn symmetric3_compiled(matrix: &Mat3) -> Eigen3 {
    jacobi(matrix, 1e-12, quotient::normalized4)
}

/// `tolerance`: below it an off-diagonal entry counts as zero and two eigenvalues as equal.
fn jacobi<T: Scalar>(
    matrix: &Mat3<T>,
    tolerance: T,
    normalized: impl Fn(Quat<T>) -> Quat<T>,
) -> Eigen3<T> {
    let (one, half) = (T::ONE, T::from_f64(0.5));

    let mut quat = Quat::default();
    let mut values = [T::ZERO; 3];
    let mut iterations = MAX_ROTATIONS;
    for iteration in 0..MAX_ROTATIONS {
        let frame = quat.to_mat();
        let d = (frame.transpose_mul_mat(matrix)) * frame;
        values = [d[0], d[4], d[8]];

        // The largest off-diagonal entry and the axis that rotates it away.
        let (xy, xz, yz) = (d[1].abs(), d[2].abs(), d[5].abs());
        let (row, column, axis) = if xy > xz && xy > yz {
            (0, 1, 2)
        } else if xz > yz {
            (0, 2, 1)
        } else {
            (1, 2, 0)
        };
        let entry = d[3 * row + column];
        if entry.abs() < tolerance {
            iterations = iteration;
            break;
        }

        // Tangent and cosine of the rotation that diagonalises the 2×2 block.
        let tau = (d[4 * column] - d[4 * row]) / (T::from_f64(2.0) * entry);
        let root = (one + tau * tau).sqrt();
        let tangent = if tau >= T::ZERO {
            one / (tau + root)
        } else {
            -one / (-tau + root)
        };
        let cosine = one / (one + tangent * tangent).sqrt();
        if cosine > one - tolerance {
            iterations = iteration;
            break;
        }

        // The same rotation as a quaternion about one coordinate axis.
        let sine_half = (half - half * cosine).sqrt();
        let mut component = if tau >= T::ZERO {
            -sine_half
        } else {
            sine_half
        };
        if axis == 1 {
            component = -component;
        }
        let mut rotation = [T::ZERO; 4];
        rotation[axis + 1] = component;
        rotation[0] = (one - component * component).sqrt();
        quat = normalized(quat * normalized(Quat(rotation)));
    }

    // Sort by neighbouring swaps; each swap is a quarter turn about the third axis.
    for first in [0, 1, 0] {
        if values[first] + tolerance < values[first + 1] {
            values.swap(first, first + 1);
            // cos 45° to the digits the reference has it.
            #[allow(clippy::approx_constant)]
            let quarter = T::from_f64(0.707106781186548);
            let mut rotation = [quarter, T::ZERO, T::ZERO, T::ZERO];
            rotation[(first + 2) % 3 + 1] = quarter;
            quat = normalized(quat * Quat(rotation));
        }
    }

    Eigen3 {
        values,
        vectors: quat.to_mat(),
        quat,
        iterations,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn diagonal_is_sorted_by_quarter_turns() {
        let eigen = symmetric3(&Mat3([1.0, 0.0, 0.0, 0.0, 2.0, 0.0, 0.0, 0.0, 3.0]));
        assert_eq!(eigen.values, [3.0, 2.0, 1.0]);
        assert_eq!(eigen.iterations, 0);
    }

    // Values of `mju_eig3` in MuJoCo 3.5.0: matrix, eigenvalues, quaternion, iterations.
    #[test]
    #[allow(clippy::type_complexity)]
    fn equals_the_reference() {
        #[rustfmt::skip]
        let cases: [([f64; 9], [f64; 3], [f64; 4], usize); 4] = [
            ([0.443, 0.316, -0.412, 0.316, 0.429, -0.625, -0.412, -0.625, 3.093],
             [3.310110836193304, 0.5466651827542434, 0.1082239810524525],
             [0.20341991679344018, 0.614128688676293, -0.39933762860350275, 0.649611999256339], 6),
            ([1.991, 3.027, 1.253, 3.027, 7.006, 2.216, 1.253, 2.216, 0.932],
             [9.208218891506052, 0.6364984524771333, 0.08428265601682156],
             [0.8373537393203621, -0.07175974589508557, -0.21770880197998796, 0.4962782804593808], 6),
            ([1.273, -0.176, 0.565, -0.176, 2.433, 0.911, 0.565, 0.911, 1.378],
             [2.9691358473158362, 1.668600272515692, 0.44626388016847196],
             [0.7357550999331325, -0.02564861008358521, -0.3713403658742882, 0.5657852193151723], 6),
            ([1.998, -0.001, 0.001, -0.001, 5.0, 0.0, 0.001, 0.0, 3.001],
             [5.00000033311078, 3.0010009970079823, 1.9979986698812378],
             [0.499667359802214, 0.5001659466290327, 0.5003324190458629, 0.49983399827611136], 2),
        ];
        for (matrix, values, quat, iterations) in cases {
            let eigen = symmetric3(&Mat3(matrix));
            assert_eq!(eigen.iterations, iterations);
            for k in 0..3 {
                assert!((eigen.values[k] - values[k]).abs() < 1e-14);
            }
            for k in 0..4 {
                assert!((eigen.quat[k] - quat[k]).abs() < 1e-14);
            }
        }
    }
}
