//! Triangles and tetrahedra that resist being flattened.
//!
//! ```text
//! W = μ/2·(I₁ − 3) − μ·ln J + λ/2·ln²J        P = μ·(F − F⁻ᵀ) + λ·ln J·F⁻ᵀ
//! ```
//!
//! per volume at rest, with the deformation gradient F of an element, I₁ = tr FᵀF and J = det F. A triangle has the
//! 3 × 2 gradient in its plane, I₁ − 2, J = √det FᵀF, and F(FᵀF)⁻¹ for F⁻ᵀ; its energy is per area times thickness.
//! Damping is d·(2μĖ + λ·tr Ė) in the strain E, with the elasticity's d.
//!
//! Below [`LEAST_VOLUME`] of its rest volume an element pushes as at that volume, along the direction that unfolds it,
//! and is counted as inverted.
//!
//! Without numbers of its own, an element has the moduli that the reference's law has for small strains, taken back out of its
//! stiffness: μ and 2λ of solids, μ/4 and λ/2 of sheets.

use super::hinge::rest_positions;
use crate::flex;
use crate::parts::{Elasticity, FlexLaw, FlexLoad, FlexView, LawError, Memory};
use crate::velocity::passive::flex::element::{Stiffness, TETRAHEDRON_ENDS, TRIANGLE_ENDS};
use sinew_math::Vec3;
use sinew_model::Model;

/// The part of its rest volume below which an element counts as inverted.
pub const LEAST_VOLUME: f64 = 0.01;

/// The moduli of a material, Pa.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Moduli {
    /// Shear modulus μ.
    shear: f64,
    /// Lamé's first parameter λ.
    lame: f64,
}

/// Neo-Hookean elements. All flexes of two or three dimensions whose elements are elastic are made of it.
///
/// ```
/// use sinew_engine::law::NeoHookean;
/// let as_stiff_as_the_model = NeoHookean::default();
/// let by_hand = NeoHookean::new(1000.0, 2000.0);
/// let a_sheet = NeoHookean::new(1000.0, 2000.0).thickness(0.01);
/// # let _ = (as_stiff_as_the_model, by_hand, a_sheet);
/// ```
#[derive(Clone, Debug, Default)]
pub struct NeoHookean {
    /// The moduli; none: those of the model for small strains.
    moduli: Option<Moduli>,
    /// Thickness of sheets with moduli of their own, m.
    thickness: Option<f64>,
    flexes: Vec<Elements>,
}

/// The elements of one flex.
#[derive(Clone, Debug, Default)]
struct Elements {
    triangles: Vec<Element<2, 3>>,
    solids: Vec<Element<3, 4>>,
}

/// One element at rest.
#[derive(Clone, Copy, Debug)]
struct Element<const DIM: usize, const CORNERS: usize> {
    corners: [usize; CORNERS],
    /// Inverse of the sides at rest.
    inverse: [[f64; DIM]; DIM],
    /// Volume times shear modulus.
    shear: f64,
    /// Volume times Lamé's first parameter.
    lame: f64,
}

impl NeoHookean {
    /// With moduli of its own, Pa: μ and λ.
    pub fn new(shear: f64, lame: f64) -> Self {
        NeoHookean {
            moduli: Some(Moduli { shear, lame }),
            ..NeoHookean::default()
        }
    }

    /// With a thickness of sheets, m.
    pub fn thickness(mut self, thickness: f64) -> Self {
        self.thickness = Some(thickness);
        self
    }

    fn check(&self, model: &Model, flex: usize) -> Result<(), LawError> {
        let refuse = |reason: &str| Err(LawError::of_flex(model, flex, reason));
        if model.flex_dim[flex] == 1 {
            return refuse("a line has no neo-Hookean elements");
        }
        let Some(moduli) = self.moduli else {
            return Ok(());
        };
        if !(moduli.shear > 0.0 && moduli.shear.is_finite()) {
            return refuse("the shear modulus of neo-Hookean elements must be positive");
        }
        if !(moduli.lame >= 0.0 && moduli.lame.is_finite()) {
            return refuse("Lamé's parameter of neo-Hookean elements must not be negative");
        }
        let has_thickness = self.thickness.is_some_and(|t| t > 0.0 && t.is_finite());
        if model.flex_dim[flex] == 2 && !has_thickness {
            return refuse("a neo-Hookean sheet with moduli of its own needs its thickness");
        }
        Ok(())
    }

    fn elements(&self, model: &Model, flex: usize) -> Elements {
        let rest = rest_positions(model, flex);
        let corners = flex::corners(model, flex);
        let stiffness = &model.flex_stiffness[flex::elements(model, flex)];
        let mut out = Elements::default();
        if model.flex_dim[flex] == 2 {
            let (corners, _) = corners.as_chunks::<3>();
            for (corners, stiffness) in corners.iter().zip(stiffness) {
                let corners = corners.map(|corner| corner as usize);
                let points = corners.map(|corner| rest[corner]);
                out.triangles
                    .extend(self.triangle(corners, &points, stiffness));
            }
        } else {
            let (corners, _) = corners.as_chunks::<4>();
            for (corners, stiffness) in corners.iter().zip(stiffness) {
                let corners = corners.map(|corner| corner as usize);
                let points = corners.map(|corner| rest[corner]);
                out.solids.extend(self.solid(corners, &points, stiffness));
            }
        }
        out
    }

    fn triangle(
        &self,
        corners: [usize; 3],
        points: &[Vec3; 3],
        stiffness: &Stiffness,
    ) -> Option<Element<2, 3>> {
        let [first, second] = [1, 2].map(|k| points[k] - points[0]);
        let along = first.normalized();
        let across = (second - along * along.dot(second)).normalized();
        let sides = [
            [along.dot(first), along.dot(second)],
            [across.dot(first), across.dot(second)],
        ];
        let determinant = sides[0][0] * sides[1][1] - sides[0][1] * sides[1][0];
        let inverse = [
            [sides[1][1] / determinant, -sides[0][1] / determinant],
            [-sides[1][0] / determinant, sides[0][0] / determinant],
        ];
        let volume = determinant.abs() / 2.0 * self.thickness.unwrap_or(1.0);
        let (shear, lame) = match self.moduli {
            Some(moduli) => (moduli.shear * volume, moduli.lame * volume),
            None => small_strain(points, &TRIANGLE_ENDS, stiffness, 2.0),
        };
        Element::new(corners, inverse, shear, lame)
    }

    fn solid(
        &self,
        corners: [usize; 4],
        points: &[Vec3; 4],
        stiffness: &Stiffness,
    ) -> Option<Element<3, 4>> {
        let [a, b, c] = [1, 2, 3].map(|k| points[k] - points[0]);
        let determinant = a.cross(b).dot(c);
        let rows = [b.cross(c), c.cross(a), a.cross(b)];
        let inverse = rows.map(|row| (row * (1.0 / determinant)).0);
        let volume = determinant.abs() / 6.0;
        let (shear, lame) = match self.moduli {
            Some(moduli) => (moduli.shear * volume, moduli.lame * volume),
            None => small_strain(points, &TETRAHEDRON_ENDS, stiffness, 3.0),
        };
        Element::new(corners, inverse, shear, lame)
    }
}

/// Volume times the moduli for small strains of the reference's stiffness K: with squared lengths q of edges its energy
/// is qᵀKq/4 = V·(μ·tr E² + λ/2·tr²E), here at two strains E = ε·1 and E = ε·uuᵀ with ε = 1.
fn small_strain<const CORNERS: usize, const EDGES: usize>(
    points: &[Vec3; CORNERS],
    ends: &[[usize; 2]; EDGES],
    stiffness: &Stiffness,
    dim: f64,
) -> (f64, f64) {
    let sides = ends.map(|[a, b]| points[b] - points[a]);
    let along = sides[0].normalized();
    let energy = |q: [f64; EDGES]| {
        let (mut sum, mut entries) = (0.0, stiffness.iter());
        for i in 0..EDGES {
            for j in i..EDGES {
                let twice = if i == j { 1.0 } else { 2.0 };
                sum += twice * q[i] * q[j] * entries.next().unwrap_or(&0.0);
            }
        }
        sum / 4.0
    };
    let uniform = energy(sides.map(|side| 2.0 * side.dot(side)));
    let single = energy(sides.map(|side| {
        let part = side.dot(along);
        2.0 * part * part
    }));
    let half_lame = (uniform - dim * single) / (dim * dim - dim);
    (single - half_lame, 2.0 * half_lame)
}

impl Memory for NeoHookean {}

impl FlexLaw for NeoHookean {
    fn prepare(&mut self, model: &Model, flex: usize) -> Result<bool, LawError> {
        self.flexes.resize(model.nflex, Elements::default());
        self.flexes[flex] = Elements::default();
        let is_rigid = model.flex_rigid[flex] != 0 || model.flex_interp[flex] != 0;
        let is_elastic = model.flex_dim[flex] > 1 && flex::is_elastic(model, flex);
        if is_rigid || (self.moduli.is_none() && !is_elastic) {
            return Ok(false);
        }
        self.check(model, flex)?;
        self.flexes[flex] = self.elements(model, flex);
        Ok(true)
    }

    fn add_force(&mut self, view: &FlexView<'_>, load: &mut FlexLoad<'_>) {
        let elements = &self.flexes[view.flex];
        for element in &elements.triangles {
            element.add(view, load, in_plane);
        }
        for element in &elements.solids {
            element.add(view, load, in_space);
        }
    }
}

impl Elasticity for NeoHookean {}

/// F⁻ᵀ·J and J, or what stands for them in a plane: F·adj(FᵀF)/J and √det FᵀF, with J as it is to be divided by.
type Inverted<const DIM: usize> = ([Vec3; DIM], f64);

fn in_space(&[x, y, z]: &[Vec3; 3]) -> Inverted<3> {
    ([y.cross(z), z.cross(x), x.cross(y)], x.cross(y).dot(z))
}

fn in_plane(&[x, y]: &[Vec3; 2]) -> Inverted<2> {
    let (xx, xy, yy) = (x.dot(x), x.dot(y), y.dot(y));
    let area = (xx * yy - xy * xy).max(0.0).sqrt();
    let scale = 1.0 / area.max(LEAST_VOLUME);
    ([(x * yy - y * xy) * scale, (y * xx - x * xy) * scale], area)
}

impl<const DIM: usize, const CORNERS: usize> Element<DIM, CORNERS> {
    /// None where there is nothing to resist, or no volume.
    fn new(
        corners: [usize; CORNERS],
        inverse: [[f64; DIM]; DIM],
        shear: f64,
        lame: f64,
    ) -> Option<Self> {
        let mut numbers = inverse.iter().flatten().chain([&shear, &lame]);
        let is_finite = numbers.all(|number| number.is_finite());
        (is_finite && shear != 0.0).then_some(Element {
            corners,
            inverse,
            shear,
            lame,
        })
    }

    /// Sides of the element times their inverse at rest: the columns of F, or of its rate.
    #[inline(always)]
    fn gradient(&self, vectors: &[Vec3]) -> [Vec3; DIM] {
        let origin = vectors[self.corners[0]];
        let mut out = [Vec3::ZERO; DIM];
        for (row, &corner) in self.inverse.iter().zip(&self.corners[1..]) {
            let side = vectors[corner] - origin;
            for (column, &entry) in out.iter_mut().zip(row) {
                *column += side * entry;
            }
        }
        out
    }

    /// Adds the forces on the corners.
    #[inline(always)]
    fn add(
        &self,
        view: &FlexView<'_>,
        load: &mut FlexLoad<'_>,
        invert: impl Fn(&[Vec3; DIM]) -> Inverted<DIM>,
    ) {
        let gradient = self.gradient(view.xpos);
        let (cofactor, volume) = invert(&gradient);
        if volume <= LEAST_VOLUME {
            load.inverted += 1;
        }
        let volume = volume.max(LEAST_VOLUME);
        let pressure = (self.lame * libm::log(volume) - self.shear) / volume;
        let mut stress = [Vec3::ZERO; DIM];
        for ((stress, &column), &cofactor) in stress.iter_mut().zip(&gradient).zip(&cofactor) {
            *stress = column * self.shear + cofactor * pressure;
        }
        self.push(&stress, load.spring);

        let damping = view.model.flex_damping[view.flex];
        if view.has_dampers && damping != 0.0 {
            let stress = self.viscous(&gradient, &self.gradient(view.velocity), damping);
            self.push(&stress, load.damper);
        }
    }

    /// F·d·(2μĖ + λ·tr Ė).
    #[inline(always)]
    fn viscous(&self, gradient: &[Vec3; DIM], rate: &[Vec3; DIM], damping: f64) -> [Vec3; DIM] {
        let mut trace = 0.0;
        for k in 0..DIM {
            trace += gradient[k].dot(rate[k]);
        }
        let mut stress = [Vec3::ZERO; DIM];
        for j in 0..DIM {
            for i in 0..DIM {
                // Twice the rate of strain.
                let strain = gradient[i].dot(rate[j]) + rate[i].dot(gradient[j]);
                stress[j] += gradient[i] * (self.shear * strain * damping);
            }
            stress[j] += gradient[j] * (self.lame * trace * damping);
        }
        stress
    }

    /// Adds −P·D⁻ᵀ to the corners, and what balances it to the first.
    #[inline(always)]
    fn push(&self, stress: &[Vec3; DIM], force: &mut [Vec3]) {
        let mut total = Vec3::ZERO;
        for (row, &corner) in self.inverse.iter().zip(&self.corners[1..]) {
            let mut push = Vec3::ZERO;
            for (&column, &entry) in stress.iter().zip(row) {
                push -= column * entry;
            }
            force[corner] += push;
            total += push;
        }
        force[self.corners[0]] -= total;
    }
}
