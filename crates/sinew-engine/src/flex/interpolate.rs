//! Positions within the box of nodes of an interpolated flex.
//!
//! The weight of a node is a product of polynomials along the three axes, of degree 1 (eight nodes) or 2
//! (twenty-seven), which are 1 at their own node and 0 at the others. Nodes are counted with the last axis
//! fastest. Conforms to MuJoCo's `mju_evalBasis` and `mju_interpolate3D`.

use core::array::from_fn;
use sinew_math::wide::{self, Work};
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

/// [`interpolate`] at many places.
pub fn interpolate_all(order: usize, places: &[Vec3], nodes: &[Vec3], out: &mut [Vec3]) {
    wide::run(Interpolation {
        order,
        places,
        nodes,
        out,
    });
}

struct Interpolation<'a> {
    order: usize,
    places: &'a [Vec3],
    nodes: &'a [Vec3],
    out: &'a mut [Vec3],
}

/// Places side by side.
const LANES: usize = 4;

impl Work for Interpolation<'_> {
    type Output = ();

    #[inline(always)]
    fn run(self) {
        let (packs, rest) = self.places.as_chunks::<LANES>();
        let (out, out_of_rest) = self.out.as_chunks_mut::<LANES>();
        if self.order == 1 {
            interpolate_packs::<1>(packs, self.nodes, out);
        } else {
            interpolate_packs::<2>(packs, self.nodes, out);
        }
        for (out, place) in out_of_rest.iter_mut().zip(rest) {
            *out = interpolate(self.order, *place, self.nodes);
        }
    }
}

/// [`interpolate`] at four places at a time, one in each lane.
#[inline(always)]
fn interpolate_packs<const ORDER: usize>(
    packs: &[[Vec3; LANES]],
    nodes: &[Vec3],
    out: &mut [[Vec3; LANES]],
) {
    for (out, places) in out.iter_mut().zip(packs) {
        // By axis, polynomial and lane.
        let values: [[[f64; LANES]; MOST]; 3] = from_fn(|axis| {
            let lanes: [_; LANES] = from_fn(|lane| polynomials(ORDER, places[lane][axis]));
            from_fn(|k| lanes.map(|polynomials| polynomials[k]))
        });
        let mut sum = [[0.0; LANES]; 3];
        let mut nodes = nodes.iter();
        for x in &values[0][..=ORDER] {
            for y in &values[1][..=ORDER] {
                for z in &values[2][..=ORDER] {
                    let Some(node) = nodes.next() else {
                        continue;
                    };
                    let weight: [f64; LANES] = from_fn(|lane| z[lane] * y[lane] * x[lane]);
                    for axis in 0..3 {
                        for lane in 0..LANES {
                            sum[axis][lane] += node[axis] * weight[lane];
                        }
                    }
                }
            }
        }
        *out = from_fn(|lane| Vec3(sum.map(|lanes| lanes[lane])));
    }
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
    fn many_places_have_the_bits_of_one() {
        let number = |k: usize| 1.0 / (k as f64 + 0.7) - 0.3;
        let points = |count: usize, first: usize| -> Vec<Vec3> {
            let point = |k: usize| vec3(number(first + k), number(2 * k), number(3 * k + first));
            (0..count).map(point).collect()
        };
        for order in [1, 2] {
            let nodes = points((order + 1usize).pow(3), 5);
            for count in [0, 1, 4, 11] {
                let places = points(count, 1);
                let mut out = vec![Vec3::ZERO; count];
                interpolate_all(order, &places, &nodes, &mut out);
                for (out, place) in out.iter().zip(places) {
                    let alone = interpolate(order, place, &nodes);
                    assert_eq!(out.0.map(f64::to_bits), alone.0.map(f64::to_bits));
                }
            }
        }
    }

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
