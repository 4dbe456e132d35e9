//! Bending by a spring at every hinge of a cloth, as stiff as one likes.
//!
//! ```text
//! m = −k·(θ − θ₀) − k_d·θ̇        fᵥ = m·∂θ/∂xᵥ
//! ```
//!
//! with the angle θ between the normals of both triangles, by atan2, and θ₀ at rest; the four gradients have neither net
//! force nor net torque. R. Bridson et al., "Simulation of clothing with folds and wrinkles" (2003).
//!
//! Explicit integration of a stiff spring diverges, so that the moment is limited: a step h moves no vertex by more than a
//! metre, |m| ≤ 1/(h²·|∂θ/∂xᵥ|·wᵥ) with the inverse mass w, nor a hinge past its rest angle, |m| ≤ (|θ − θ₀| + h·|θ̇|)/(h²·Σ wᵥ|∂θ/∂xᵥ|²).
//! The second limit acts where k·h²·Σ wᵥ|∂θ/∂xᵥ|² > 1, beyond what explicit steps follow anyway.
//!
//! The stiffness is k = s·L² with the plate's s = 3μt³/24A and the length L of the edge, which is the reference's
//! bending for small angles of a flat cloth, and k_d = d·k with the elasticity's damping d.

use super::hinge::{Hinge, check_slides, hinges, inverse_masses, plate_stiffness, rest_positions};
use crate::parts::{Bending, FlexLaw, FlexLoad, FlexView, LawError, Memory};
use sinew_math::arc::atan2;
use sinew_math::{MIN_VALUE, Vec3};
use sinew_model::Model;

/// Bending by springs at hinges. All flexes of two dimensions that bend are made of it.
///
/// ```
/// use sinew_engine::law::Dihedral;
/// let as_stiff_as_the_plate = Dihedral::default();
/// let by_hand = Dihedral::new(0.01).damping(1e-4);
/// # let _ = (as_stiff_as_the_plate, by_hand);
/// ```
#[derive(Clone, Debug, Default)]
pub struct Dihedral {
    /// Stiffness of every hinge, N·m/rad; none: that of the plate which the flex describes.
    stiffness: Option<f64>,
    /// Damping of every hinge, N·m·s/rad; none: stiffness times the damping of the elasticity.
    damping: Option<f64>,
    /// Hinges of each flex.
    flexes: Vec<Vec<Spring>>,
}

/// The spring at one hinge.
#[derive(Clone, Copy, Debug)]
struct Spring {
    vertices: [usize; 4],
    inverse_mass: [f64; 4],
    rest: f64,
    stiffness: f64,
    damping: f64,
}

impl Dihedral {
    /// With a stiffness of every hinge, N·m/rad.
    pub fn new(stiffness: f64) -> Self {
        Dihedral {
            stiffness: Some(stiffness),
            ..Dihedral::default()
        }
    }

    /// With a damping of every hinge, N·m·s/rad.
    pub fn damping(mut self, damping: f64) -> Self {
        self.damping = Some(damping);
        self
    }

    fn springs(&self, model: &Model, flex: usize) -> Vec<Spring> {
        let rest = rest_positions(model, flex);
        let masses = inverse_masses(model, flex);
        let spring = |hinge: &Hinge| {
            let points = hinge.vertices.map(|vertex| rest[vertex]);
            let plate = || {
                let edge = points[1] - points[0];
                plate_stiffness(model, hinge, &points) * edge.dot(edge)
            };
            let stiffness = self.stiffness.unwrap_or_else(plate);
            let damping = self.damping.unwrap_or(stiffness * model.flex_damping[flex]);
            let fold = Fold::of(&points)?;
            (stiffness != 0.0 || damping != 0.0).then_some(Spring {
                vertices: hinge.vertices,
                inverse_mass: hinge.vertices.map(|vertex| masses[vertex]),
                rest: fold.angle,
                stiffness,
                damping,
            })
        };
        hinges(model, flex).iter().filter_map(spring).collect()
    }
}

impl Memory for Dihedral {}

impl FlexLaw for Dihedral {
    fn prepare(&mut self, model: &Model, flex: usize) -> Result<bool, LawError> {
        self.flexes.resize(model.nflex, Vec::new());
        self.flexes[flex].clear();
        let is_cloth = model.flex_dim[flex] == 2;
        if !is_cloth || model.flex_rigid[flex] != 0 || model.flex_interp[flex] != 0 {
            return Ok(false);
        }
        if self.stiffness.is_some_and(|k| !(k > 0.0 && k.is_finite())) {
            let reason = "the stiffness of dihedral bending must be positive";
            return Err(LawError::of_flex(model, flex, reason));
        }
        if self.damping.is_some_and(|d| !(d >= 0.0 && d.is_finite())) {
            let reason = "the damping of dihedral bending must not be negative";
            return Err(LawError::of_flex(model, flex, reason));
        }
        check_slides(model, flex)?;
        self.flexes[flex] = self.springs(model, flex);
        Ok(true)
    }

    fn add_force(&mut self, view: &FlexView<'_>, load: &mut FlexLoad<'_>) {
        let timestep = view.model.opt.timestep;
        for spring in &self.flexes[view.flex] {
            let Some(fold) = Fold::of(&spring.vertices.map(|vertex| view.xpos[vertex])) else {
                continue;
            };
            let turned = fold.beyond(spring.rest);
            let velocity = spring.vertices.map(|vertex| view.velocity[vertex]);
            let rate = fold.rate(&velocity);
            let elastic = if view.has_springs {
                -spring.stiffness * turned
            } else {
                0.0
            };
            let damping = if view.has_dampers {
                -spring.damping * rate
            } else {
                0.0
            };
            let moment = elastic + damping;
            let reach = turned.abs() + timestep * rate.abs();
            let limit = fold.limit(&spring.inverse_mass, timestep, reach);
            let share = if moment.abs() > limit {
                limit / moment.abs()
            } else {
                1.0
            };
            for (&vertex, &gradient) in spring.vertices.iter().zip(&fold.gradient) {
                load.spring[vertex] += gradient * (elastic * share);
                load.damper[vertex] += gradient * (damping * share);
            }
        }
    }
}

impl Bending for Dihedral {}

/// An angle between −π and π.
fn wrapped(angle: f64) -> f64 {
    use core::f64::consts::PI;
    if angle > PI {
        angle - 2.0 * PI
    } else if angle < -PI {
        angle + 2.0 * PI
    } else {
        angle
    }
}

/// The fold at a hinge.
pub(crate) struct Fold {
    /// Angle between the normals of both triangles.
    pub angle: f64,
    /// How it changes with the vertices.
    pub gradient: [Vec3; 4],
}

impl Fold {
    /// None if a triangle has no area.
    pub fn of(&[a, b, c, d]: &[Vec3; 4]) -> Option<Fold> {
        let edge = b - a;
        let length = edge.norm();
        // Normals of both triangles, twice their areas long, on the same side of a flat cloth.
        let first = edge.cross(c - a);
        let second = (d - a).cross(edge);
        let (squared1, squared2) = (first.dot(first), second.dot(second));
        if length < MIN_VALUE
            || squared1 < MIN_VALUE * MIN_VALUE
            || squared2 < MIN_VALUE * MIN_VALUE
        {
            return None;
        }
        let angle = atan2(first.cross(second).dot(edge) / length, first.dot(second));
        let (per1, per2) = (first * (1.0 / squared1), second * (1.0 / squared2));
        // Moving the vertex across by its height turns its triangle by one.
        let along = |point: Vec3, from: Vec3| (point - from).dot(edge) / length;
        let at_c = -(per1 * length);
        let at_d = -(per2 * length);
        let at_a = per1 * along(b, c) + per2 * along(b, d);
        let at_b = per1 * along(c, a) + per2 * along(d, a);
        Some(Fold {
            angle,
            gradient: [at_a, at_b, at_c, at_d],
        })
    }

    /// How far it is from another angle.
    pub fn beyond(&self, rest: f64) -> f64 {
        wrapped(self.angle - rest)
    }

    fn rate(&self, velocity: &[Vec3; 4]) -> f64 {
        let terms = self.gradient.iter().zip(velocity);
        terms
            .map(|(gradient, velocity)| gradient.dot(*velocity))
            .sum()
    }

    /// The largest moment that is allowed.
    fn limit(&self, inverse_mass: &[f64; 4], timestep: f64, reach: f64) -> f64 {
        let square = timestep * timestep;
        let mut limit = f64::INFINITY;
        let mut response = 0.0;
        for (gradient, &inverse_mass) in self.gradient.iter().zip(inverse_mass) {
            let length = gradient.norm();
            let moved = square * length * inverse_mass;
            if moved > 0.0 {
                limit = limit.min(1.0 / moved);
            }
            response += square * length * length * inverse_mass;
        }
        if response > 0.0 {
            limit = limit.min(reach / response);
        }
        limit
    }
}
