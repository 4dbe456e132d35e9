//! Derivatives of fluid forces with respect to velocity.
//!
//! The force on a body or geom is a function of its velocity in its own frame; its 6×6 derivative B
//! is projected as JᵀBJ with J the local Jacobian, rotation first. Conforms to MuJoCo's
//! `mjd_inertiaBoxFluid` and `mjd_ellipsoidFluid`, to the last bit: the terms of B are added to the
//! result one by one, and viscosity and drag of the box one after the other.

use super::{BiasTerm, DerivativeScratch};
use crate::position::Position;
use crate::position::jacobian::{for_each_dof, offset, translation_column};
use crate::velocity::Velocity;
use crate::velocity::passive::fluid::{
    Interaction, body_geoms, box_of, max_moment, pow2, relative_velocity, semi_axes,
    uses_ellipsoids,
};
use core::f64::consts::PI;
use sinew_math::spatial::{Spatial, into_axes, rotation, spatial, translation};
use sinew_math::{MIN_VALUE, Mat3, Vec3};
use sinew_model::Model;

/// A 6×6 matrix: torque and force by angular and linear velocity.
type Block = [[f64; 6]; 6];

const TORQUE: usize = 0;
const FORCE: usize = 3;
const ANGULAR: usize = 0;
const LINEAR: usize = 3;

/// Adds the dependence of fluid forces on velocity.
pub(super) fn add(
    model: &Model,
    position: &Position,
    velocity: &Velocity,
    bias_term: BiasTerm,
    out: &mut [f64],
    scratch: &mut DerivativeScratch,
) {
    if !(model.opt.viscosity > 0.0 || model.opt.density > 0.0) {
        return;
    }
    let k = &position.kinematics;
    for body in 0..model.nbody {
        if model.body_mass[body] < MIN_VALUE {
            continue;
        }
        if uses_ellipsoids(model, body) {
            for geom in body_geoms(model, body) {
                let interaction = Interaction::of(&model.geom_fluid[geom]);
                if interaction.scale == 0.0 {
                    continue;
                }
                let frame = (k.geom_xpos[geom], &k.geom_xmat[geom]);
                let v = relative_velocity(model, position, &velocity.com, body, frame);
                let mut block = ellipsoid(
                    &v,
                    (model.opt.density, model.opt.viscosity),
                    semi_axes(model, geom),
                    &interaction,
                );
                if bias_term == BiasTerm::Omitted {
                    symmetrize(&mut block);
                }
                project(model, position, body, frame, &block, out, scratch);
            }
        } else {
            let frame = (k.xipos[body], &k.ximat[body]);
            let v = relative_velocity(model, position, &velocity.com, body, frame);
            for block in inertia_box(model, body, &v).into_iter().flatten() {
                project(model, position, body, frame, &block, out, scratch);
            }
        }
    }
}

fn symmetrize(block: &mut Block) {
    for i in 0..6 {
        for j in 0..i {
            let mean = 0.5 * (block[i][j] + block[j][i]);
            block[i][j] = mean;
            block[j][i] = mean;
        }
    }
}

/// Adds JᵀBJ.
fn project(
    model: &Model,
    position: &Position,
    body: usize,
    (point, axes): (Vec3, &Mat3),
    block: &Block,
    out: &mut [f64],
    scratch: &mut DerivativeScratch,
) {
    let offset = offset(model, &position.com, body, point);
    scratch.chain.clear();
    scratch.columns.clear();
    for_each_dof(model, body, |dof| {
        let cdof = &position.com.cdof[dof];
        let column = spatial(rotation(cdof), translation_column(cdof, offset));
        scratch.chain.push(dof);
        scratch.columns.push(into_axes(&column, axes));
    });
    scratch.chain.reverse();
    scratch.columns.reverse();
    let DerivativeScratch {
        chain,
        columns,
        components,
        row: sums,
        ..
    } = scratch;
    for (j, component) in components.iter_mut().enumerate() {
        component.clear();
        component.extend(columns.iter().map(|column| column[j]));
    }
    let mut entries = [(0, 0, 0.0); 36];
    let mut count = 0;
    for (i, values) in block.iter().enumerate() {
        for (j, &value) in values.iter().enumerate() {
            if value != 0.0 {
                entries[count] = (i, j, value);
                count += 1;
            }
        }
    }
    for (&k, left) in chain.iter().zip(columns.iter()) {
        let start = model.D_rowadr[k] as usize;
        let end = start + model.D_rownnz[k] as usize;
        let (row, out) = (&model.D_colind[start..end], &mut out[start..end]);
        // All of a chain are ancestors and descendants of each other: each has a place in the row.
        let places = || {
            let mut at = 0;
            chain.iter().map(move |&p| {
                while row[at] as usize != p {
                    at += 1;
                }
                at
            })
        };
        sums.clear();
        sums.extend(places().map(|place| out[place]));
        for &(i, j, value) in &entries[..count] {
            let factor = left[i] * value;
            for (sum, &right) in sums.iter_mut().zip(&components[j]) {
                *sum += right * factor;
            }
        }
        for (place, &sum) in places().zip(sums.iter()) {
            out[place] = sum;
        }
    }
}

/// Diagonals: viscosity of the mean sphere, quadratic drag of the faces.
fn inertia_box(model: &Model, body: usize, v: &Spatial) -> [Option<Block>; 2] {
    let (viscosity, density) = (model.opt.viscosity, model.opt.density);
    let size = box_of(model, body);
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

fn ellipsoid(
    v: &Spatial,
    (density, viscosity): (f64, f64),
    size: [f64; 3],
    interaction: &Interaction,
) -> Block {
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
    let area_scale = PI / (cube * denominator).sqrt().max(MIN_VALUE);
    let area = PI * (denominator / numerator.max(MIN_VALUE)).sqrt();
    let square = [v[0] * v[0], v[1] * v[1], v[2] * v[2]];
    let norm_square = square[0] + square[1] + square[2];
    let norm = norm_square.sqrt();
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
        / (denominator * numerator * norm_square)
            .sqrt()
            .max(MIN_VALUE);
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
