//! How forces of the fluid on a body or geom change with its velocity, both in its own frame: 6×6 matrices, rotation first.
//! Conforms to MuJoCo's `mjd_inertiaBoxFluid` and `mjd_ellipsoidFluid`, to the last bit.

use crate::fluid::{Interaction, Medium, max_moment, pow2};
use core::f64::consts::PI;
use sinew_math::spatial::{Spatial, rotation, translation};
use sinew_math::{MIN_VALUE, Mat3, Real, Vec3};

/// A 6×6 matrix: torque and force by angular and linear velocity.
pub type Block = [[f64; 6]; 6];

const TORQUE: usize = 0;
const FORCE: usize = 3;
const ANGULAR: usize = 0;
const LINEAR: usize = 3;

/// The mean of a matrix and its transpose.
pub fn symmetrize(block: &mut Block) {
    for i in 0..6 {
        for j in 0..i {
            let mean = 0.5 * (block[i][j] + block[j][i]);
            block[i][j] = mean;
            block[j][i] = mean;
        }
    }
}

/// Diagonals: viscosity of the mean sphere, quadratic drag of the faces.
pub fn of_box(v: &Spatial, medium: Medium, size: [f64; 3]) -> [Option<Block>; 2] {
    let Medium { density, viscosity } = medium;
    let viscous = (viscosity > 0.0).then(|| {
        let diameter = (size[0] + size[1] + size[2]) / 3.0;
        let torque = -PI * diameter * diameter * diameter * viscosity;
        let force = -3.0 * PI * diameter * viscosity;
        diagonal([torque, torque, torque, force, force, force])
    });
    let drag = (density > 0.0).then(|| {
        let fourth = |a: f64| a * a * a * a;
        let mut entries = [0.0; 6];
        for (k, (a, b)) in [(1, 2), (0, 2), (0, 1)].into_iter().enumerate() {
            let (a, b) = (size[a], size[b]);
            entries[k] = -density * size[k] * (fourth(a) + fourth(b)) * 2.0 * v[k].abs() / 64.0;
            entries[k + 3] = -0.5 * density * a * b * 2.0 * v[k + 3].abs();
        }
        diagonal(entries)
    });
    [viscous, drag]
}

fn diagonal(entries: [f64; 6]) -> Block {
    let mut block = [[0.0; 6]; 6];
    for k in 0..6 {
        block[k][k] = entries[k];
    }
    block
}

fn add_quadrant(block: &mut Block, matrix: &Mat3, row: usize, column: usize) {
    for i in 0..3 {
        for j in 0..3 {
            block[row + i][column + j] += matrix[3 * i + j];
        }
    }
}

/// The matrix of v ↦ a × v.
fn cross_matrix(a: Vec3) -> Mat3 {
    Mat3([0.0, -a[2], a[1], a[2], 0.0, -a[0], -a[1], a[0], 0.0])
}

/// Columns scaled by the components of a vector.
fn scale_columns(matrix: &Mat3, scale: Vec3) -> Mat3 {
    let mut out = *matrix;
    for k in 0..9 {
        out[k] *= scale[k % 3];
    }
    out
}

/// Of an ellipsoid with given semi-axes.
pub fn of_ellipsoid(
    v: &Spatial,
    medium: Medium,
    size: [f64; 3],
    interaction: &Interaction,
) -> Block {
    let Medium { density, viscosity } = medium;
    let (angular, linear) = (rotation(v), translation(v));
    let mut block = [[0.0; 6]; 6];

    // Magnus lift c·ω × v.
    let volume = 4.0 / 3.0 * PI * size[0] * size[1] * size[2];
    let magnus = interaction.magnus_lift * density * volume;
    add_quadrant(&mut block, &cross_matrix(linear * -magnus), FORCE, ANGULAR);
    add_quadrant(&mut block, &cross_matrix(angular * magnus), FORCE, LINEAR);

    let lift = kutta_lift(linear, density, &size, interaction);
    add_quadrant(&mut block, &lift, FORCE, LINEAR);
    let drag = viscous_drag(linear, (density, viscosity), &size, interaction);
    add_quadrant(&mut block, &drag, FORCE, LINEAR);
    let torque = viscous_torque(angular, (density, viscosity), &size, interaction);
    add_quadrant(&mut block, &torque, TORQUE, ANGULAR);
    added_mass(&mut block, angular, linear, density, interaction);
    block
}

/// Torque p × v + l × ω and force p × ω, with p and l the momenta of the fluid carried along.
fn added_mass(
    block: &mut Block,
    angular: Vec3,
    linear: Vec3,
    density: f64,
    interaction: &Interaction,
) {
    let mass = interaction.virtual_mass * density;
    let inertia = interaction.virtual_inertia * density;
    let (p, l) = (mass.component_mul(linear), inertia.component_mul(angular));
    // ∂(a × b) = −[b]ₓ ∂a + [a]ₓ ∂b
    let by_first = |b: Vec3, scale: Vec3| scale_columns(&cross_matrix(-b), scale);
    add_quadrant(block, &cross_matrix(l), TORQUE, ANGULAR);
    add_quadrant(block, &by_first(angular, inertia), TORQUE, ANGULAR);
    add_quadrant(block, &cross_matrix(p), TORQUE, LINEAR);
    add_quadrant(block, &by_first(linear, mass), TORQUE, LINEAR);
    add_quadrant(block, &cross_matrix(p), FORCE, ANGULAR);
    add_quadrant(block, &by_first(angular, mass), FORCE, LINEAR);
}

/// Quantities of the ellipsoid's shadow along the velocity.
struct Shadow {
    /// Squares of the products of two semi-axes.
    s: [f64; 3],
    /// Σ s²v².
    denominator: f64,
    /// Σ s v².
    numerator: f64,
}

fn shadow(size: &[f64; 3], v: Vec3) -> Shadow {
    let s = [
        pow2(size[1] * size[2]),
        pow2(size[2] * size[0]),
        pow2(size[0] * size[1]),
    ];
    let square = [v[0] * v[0], v[1] * v[1], v[2] * v[2]];
    Shadow {
        s,
        denominator: s[0] * s[0] * square[0] + s[1] * s[1] * square[1] + s[2] * s[2] * square[2],
        numerator: s[0] * square[0] + s[1] * square[1] + s[2] * square[2],
    }
}

/// Derivative of −(μ c₁ + ρ c₂|I ω|) ω.
fn viscous_torque(
    angular: Vec3,
    (density, viscosity): (f64, f64),
    size: &[f64; 3],
    interaction: &Interaction,
) -> Mat3 {
    let (largest, middle) = largest_and_middle(size);
    let diameter = 2.0 / 3.0 * (size[0] + size[1] + size[2]);
    let max_inertia = 8.0 / 15.0 * PI * middle * pow2(largest) * pow2(largest);
    let mut coefficient = Vec3::ZERO;
    for k in 0..3 {
        let inertia = max_moment(size, k);
        coefficient[k] =
            interaction.angular_drag * inertia + interaction.slender_drag * (max_inertia - inertia);
    }
    let moment = angular.component_mul(coefficient).norm();
    let scale = density / moment.max(MIN_VALUE);
    let gradient = (angular * -scale)
        .component_mul(coefficient)
        .component_mul(coefficient);
    let diagonal = angular.dot(gradient) - viscosity * (PI * diameter * diameter * diameter);
    outer_plus_diagonal(angular, gradient, diagonal)
}

/// a·bᵀ + c·1.
fn outer_plus_diagonal(a: Vec3, b: Vec3, c: f64) -> Mat3 {
    let mut out = Mat3::default();
    for i in 0..3 {
        for j in 0..3 {
            out[3 * i + j] = a[i] * b[j] + if i == j { c } else { 0.0 };
        }
    }
    out
}

fn largest_and_middle(size: &[f64; 3]) -> (f64, f64) {
    let largest = size[0].max(size[1]).max(size[2]);
    let smallest = size[0].min(size[1]).min(size[2]);
    (largest, size[0] + size[1] + size[2] - largest - smallest)
}

/// Derivative of −(3πμd + ρ|v|(A c_blunt + (A_max − A) c_slender)) v, with A the area of the shadow.
fn viscous_drag(
    v: Vec3,
    (density, viscosity): (f64, f64),
    size: &[f64; 3],
    interaction: &Interaction,
) -> Mat3 {
    let (largest, middle) = largest_and_middle(size);
    let max_area = PI * largest * middle;
    let diameter = 2.0 / 3.0 * (size[0] + size[1] + size[2]);
    let Shadow {
        s,
        denominator,
        numerator,
    } = shadow(size, v);
    let cube = numerator * numerator * numerator;
    let area_scale = PI / Real::sqrt(cube * denominator).max(MIN_VALUE);
    let area = PI * Real::sqrt(denominator / numerator.max(MIN_VALUE));
    let square = [v[0] * v[0], v[1] * v[1], v[2] * v[2]];
    let norm_square = square[0] + square[1] + square[2];
    let norm = Real::sqrt(norm_square);
    let (blunt, slender) = (interaction.blunt_drag, interaction.slender_drag);
    let quadratic = density * (area * blunt + slender * (max_area - area));

    // How the shadow's area changes with the velocity.
    let by_area = density * norm * (blunt - slender);
    let mut area_gradient = Vec3::ZERO;
    for k in 0..3 {
        let (i, j) = ((k + 1) % 3, (k + 2) % 3);
        let change = s[i] * square[i] * (s[k] - s[i]) + s[j] * square[j] * (s[k] - s[j]);
        area_gradient[k] = by_area * area_scale * s[k] * v[k] * change;
    }

    let scale = -quadratic * (1.0 / norm.max(MIN_VALUE));
    let linear = viscosity * 3.0 * PI * diameter;
    let mut out = outer_plus_diagonal(v, v, norm_square);
    for i in 0..3 {
        for j in 0..3 {
            let entry = &mut out[3 * i + j];
            *entry = *entry * scale - v[i] * area_gradient[j];
        }
        out[4 * i] -= linear;
    }
    out
}

/// Derivative of the Kutta lift c·cos α·A·((s∘v) × v) × v.
fn kutta_lift(v: Vec3, density: f64, size: &[f64; 3], interaction: &Interaction) -> Mat3 {
    let Shadow {
        s,
        denominator,
        numerator,
    } = shadow(size, v);
    let square = [v[0] * v[0], v[1] * v[1], v[2] * v[2]];
    let norm_square = square[0] + square[1] + square[2];
    let scale = PI * interaction.kutta_lift * density
        / Real::sqrt(denominator * numerator * norm_square).max(MIN_VALUE);
    let by_denominator = numerator / denominator.max(MIN_VALUE);
    let cosine = numerator / norm_square.max(MIN_VALUE);
    let mut out = Mat3::default();
    for i in 0..3 {
        let (k, l) = ((i + 1) % 3, (i + 2) % 3);
        let lever = square[k] * (s[i] - s[k]) + square[l] * (s[i] - s[l]);
        for j in 0..3 {
            let inner = s[j] * s[j] * by_denominator - s[j] + cosine;
            let mut value = ((s[j] - s[i]) * (2.0 * numerator) + inner * lever) * (v[i] * v[j]);
            if i == j {
                value -= lever * numerator;
            }
            out[3 * i + j] = value * scale;
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_cross_matrix_is_the_derivative_of_a_cross_product() {
        for (a, b) in [
            (Vec3([1.0, -2.0, 3.0]), Vec3([0.5, 0.25, -4.0])),
            (Vec3([0.0, 0.0, 1.0]), Vec3([0.0, 2.0, 0.0])),
            (Vec3([0.0; 3]), Vec3([1.0, 2.0, 3.0])),
        ] {
            // ∂(a × b)/∂b = [a], ∂(a × b)/∂a = −[b].
            let h = 1e-6;
            for column in 0..3 {
                let mut step = Vec3([0.0; 3]);
                step.0[column] = h;
                let by_b = (a.cross(b + step) - a.cross(b - step)) * (0.5 / h);
                let by_a = ((a + step).cross(b) - (a - step).cross(b)) * (0.5 / h);
                assert!((by_b - cross_matrix(a).column(column)).norm() < 1e-8);
                assert!((by_a + cross_matrix(b).column(column)).norm() < 1e-8);
            }
        }
    }
}
