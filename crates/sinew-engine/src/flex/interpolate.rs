//! Positions within the box of nodes of an interpolated flex.
//!
//! The weight of a node is a product of polynomials along the three axes, of degree 1 (eight nodes) or 2
//! (twenty-seven), which are 1 at their own node and 0 at the others. Nodes are counted with the last axis
//! fastest. Conforms to MuJoCo's `mju_evalBasis` and `mju_interpolate3D`.

use sinew_math::{Mat3, Vec3};

/// Nodes along an axis, at most.
const MOST: usize = 3;

/// Nodes of a box, at most.
pub const MOST_NODES: usize = MOST * MOST * MOST;

/// The polynomials of all nodes along one axis.
#[inline]
fn polynomials(order: usize, s: f64) -> [f64; MOST] {
    if order == 1 {
        [1.0 - s, s, 0.0]
    } else {
        [
            2.0 * s * s - 3.0 * s + 1.0,
            4.0 * (s - s * s),
            2.0 * s * s - s,
        ]
    }
}

/// Slopes of these polynomials.
#[inline]
fn slopes(order: usize, s: f64) -> [f64; MOST] {
    if order == 1 {
        [-1.0, 1.0, 0.0]
    } else {
        [4.0 * s - 3.0, 4.0 * (1.0 - 2.0 * s), 4.0 * s - 1.0]
    }
}

/// Calls `visit(node, weight)` for the nodes of a box in order. `at` is a position in the box, 0 to 1 along each
/// axis.
#[inline]
pub fn for_each_weight(order: usize, at: Vec3, mut visit: impl FnMut(usize, f64)) {
    let [along_x, along_y, along_z] = at.0.map(|s| polynomials(order, s));
    let mut node = 0;
    for x in &along_x[..=order] {
        for y in &along_y[..=order] {
            for z in &along_z[..=order] {
                visit(node, z * y * x);
                node += 1;
            }
        }
    }
}

/// The weighted mean of what is known at the nodes.
#[inline]
pub fn interpolate(order: usize, at: Vec3, nodes: &[Vec3]) -> Vec3 {
    let mut sum = Vec3::ZERO;
    for_each_weight(order, at, |node, weight| {
        sum = sum.add_scaled(nodes[node], weight);
    });
    sum
}

/// How positions change with the place in the box: column k is the derivative along axis k.
#[doc(alias = "mju_defGradient")]
pub fn deformation_gradient(order: usize, at: Vec3, nodes: &[Vec3]) -> Mat3 {
    let values = at.0.map(|s| polynomials(order, s));
    let slopes = at.0.map(|s| slopes(order, s));
    let mut sum = Mat3([0.0; 9]);
    let mut nodes = nodes.iter();
    for i in 0..=order {
        for j in 0..=order {
            for k in 0..=order {
                let Some(node) = nodes.next() else {
                    return sum;
                };
                let gradient = [
                    slopes[0][i] * values[1][j] * values[2][k],
                    values[0][i] * slopes[1][j] * values[2][k],
                    values[0][i] * values[1][j] * slopes[2][k],
                ];
                for row in 0..3 {
                    for column in 0..3 {
                        sum.0[3 * row + column] += node[row] * gradient[column];
                    }
                }
            }
        }
    }
    sum
}

#[cfg(test)]
mod tests {
    use super::*;
    use sinew_math::vec3;

    #[test]
    fn weights_reproduce_places_and_sum_to_one() {
        for order in [1, 2] {
            let step = 1.0 / order as f64;
            let mut nodes = Vec::new();
            for x in 0..=order {
                for y in 0..=order {
                    for z in 0..=order {
                        nodes.push(vec3(x as f64, y as f64, z as f64) * step);
                    }
                }
            }
            let at = vec3(0.3, 0.8, 0.45);
            assert!(interpolate(order, at, &nodes).distance(at) < 1e-15);
            let gradient = deformation_gradient(order, at, &nodes);
            for (entry, expected) in gradient.0.iter().zip(Mat3::IDENTITY.0) {
                assert!((entry - expected).abs() < 1e-14);
            }
            let mut sum = 0.0;
            for_each_weight(order, at, |_, weight| sum += weight);
            assert!((sum - 1.0).abs() < 1e-15);
            for (index, node) in nodes.iter().enumerate() {
                for_each_weight(order, *node, |other, weight| {
                    assert_eq!(weight, f64::from(other == index));
                });
            }
        }
    }
}
