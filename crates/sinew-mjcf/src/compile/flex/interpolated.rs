//! Linear elasticity of a box of nodes: the stiffness matrix of one large finite element.
//!
//! Displacements are products of polynomials φᵢ of degree 1 or 2 along the axes; K is the integral of
//! λ tr ε(u) tr ε(v) + μ ε(u) : ε(v) over the box, with the sign that makes force = K·displacement.
//! Stored is the whole matrix, row by row, in the place of the stiffness of as many elements as it
//! takes. Conforms to MuJoCo's `ComputeLinearStiffness`, with the places at which it integrates.

use super::{Fault, STIFFNESS, Written};
use sinew_math::{Mat3, Vec3};

/// Stiffness of the nodes, filled up to the size of all elements.
pub fn stiffness(written: &Written, nodes: &[Vec3], elements: usize) -> Result<Vec<f64>, Fault> {
    let size = 3 * nodes.len();
    let needed = (size * size).div_ceil(STIFFNESS);
    if elements < needed {
        return Err(Fault::new(
            written.element_place,
            "element",
            format!(
                "an elastic flex with {} nodes needs at least {needed} elements, not {elements}",
                nodes.len()
            ),
            "make the grid finer; the elements hold the stiffness of the nodes",
        ));
    }
    let extent = nodes[nodes.len() - 1] - nodes[0];
    let mut matrix = vec![0.0; STIFFNESS * elements];
    let degree = if nodes.len() == 8 { 1 } else { 2 };
    let (points, weights) = quadrature(degree);
    let material = Material::of(written);
    let volume = extent[0] * extent[1] * extent[2];
    let inverse = Vec3(extent.0.map(|length| 1.0 / length));
    for (s, ws) in points.iter().zip(&weights) {
        for (t, wt) in points.iter().zip(&weights) {
            for (u, wu) in points.iter().zip(&weights) {
                let gradients = gradients(Vec3([*s, *t, *u]), degree, inverse);
                material.integrate(&gradients, ws * wt * wu * volume, &mut matrix);
            }
        }
    }
    Ok(matrix)
}

/// Places and weights on the interval from 0 to 1.
fn quadrature(degree: usize) -> (Vec<f64>, Vec<f64>) {
    let (middle, half) = (0.5, 0.5);
    if degree == 1 {
        let offset = half / 3.0_f64.sqrt();
        (vec![-offset + middle, offset + middle], vec![half; 2])
    } else {
        let offset = half / (3.0_f64 / 5.0).sqrt();
        (
            vec![middle, -offset + middle, offset + middle],
            vec![8.0 / 9.0 * half, 5.0 / 9.0 * half, 5.0 / 9.0 * half],
        )
    }
}

/// A polynomial along one axis: 1 at its own node, 0 at the others; and its slope.
fn polynomial(s: f64, node: usize, degree: usize) -> (f64, f64) {
    match (degree, node) {
        (1, 0) => (1.0 - s, -1.0),
        (1, _) => (s, 1.0),
        (_, 0) => (2.0 * s * s - 3.0 * s + 1.0, 4.0 * s - 3.0),
        (_, 1) => (4.0 * (s - s * s), 4.0 * (1.0 - 2.0 * s)),
        _ => (2.0 * s * s - s, 4.0 * s - 1.0),
    }
}

/// Gradients of the functions of all nodes at a place.
fn gradients(place: Vec3, degree: usize, inverse: Vec3) -> Vec<Vec3> {
    let mut out = Vec::with_capacity((degree + 1).pow(3));
    for i in 0..=degree {
        let (x, dx) = polynomial(place[0], i, degree);
        for j in 0..=degree {
            let (y, dy) = polynomial(place[1], j, degree);
            for k in 0..=degree {
                let (z, dz) = polynomial(place[2], k, degree);
                let gradient = Vec3([dx * y * z, x * dy * z, x * y * dz]);
                out.push(inverse.component_mul(gradient));
            }
        }
    }
    out
}

/// Lamé's parameters.
struct Material {
    lambda: f64,
    mu: f64,
}

impl Material {
    fn of(written: &Written) -> Material {
        let (young, poisson) = (written.young, written.poisson);
        Material {
            lambda: young * poisson / (1.0 + poisson) / (1.0 - 2.0 * poisson),
            mu: young / (2.0 * (1.0 + poisson)),
        }
    }

    /// Adds what one place contributes.
    fn integrate(&self, gradients: &[Vec3], weight: f64, matrix: &mut [f64]) {
        let size = 3 * gradients.len();
        for (i, a) in gradients.iter().enumerate() {
            for (j, b) in gradients.iter().enumerate() {
                for k in 0..3 {
                    let strain_a = strain(*a, k);
                    for l in 0..3 {
                        let entry = &mut matrix[size * (3 * i + k) + 3 * j + l];
                        *entry -= self.lambda * a[k] * b[l] * weight;
                        *entry -= self.mu * product_trace(&strain_a, &strain(*b, l)) * weight;
                    }
                }
            }
        }
    }
}

/// Strain of a displacement along one axis with this gradient.
fn strain(gradient: Vec3, axis: usize) -> Mat3 {
    let mut out = [0.0; 9];
    for k in 0..3 {
        out[3 * axis + k] += gradient[k] / 2.0;
        out[3 * k + axis] += gradient[k] / 2.0;
    }
    Mat3(out)
}

fn product_trace(Mat3(a): &Mat3, Mat3(b): &Mat3) -> f64 {
    let mut sum = 0.0;
    for i in 0..3 {
        sum += a[3 * i] * b[i] + a[3 * i + 1] * b[3 + i] + a[3 * i + 2] * b[6 + i];
    }
    sum
}
