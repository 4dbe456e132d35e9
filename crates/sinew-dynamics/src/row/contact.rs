//! Contacts as constraint rows.
//!
//! With n the normal row and tᵢ the tangential ones of the relative motion of the two sides in the
//! contact frame: a frictionless contact is the row n; an elliptic one the rows n, t₁, …; a
//! pyramidal one a pair n ± μᵢtᵢ for each tangential direction. Friction rows take R/impratio,
//! scaled so that the cone is circular in regularised space.
//!
//! First the [`directions`] are filled in: for all lanes at once where they touch at the same two
//! bodies, else lane by lane ([`directions_in_lane`]), then in full width, since other bodies have
//! other columns. The [`rows`] follow from them for all lanes together.

use super::HardnessMut;
use super::impedance::{
    Impedance, damping, impedance, raised, safe_impedance, safe_reference, usual_reference,
};
use crate::jacobian::{Moves, translation_column};
use sinew_math::series::{Cells, Series};
use sinew_math::spatial::{Spatial, rotation};
use sinew_math::{MIN_VALUE, Mask, Mat3, Real, Vec3};
use sinew_model::kinds::Constraint;

/// Directions of the relative motion at a contact: along the axes of its frame, then about them.
pub const DIRECTIONS: usize = 6;

/// Where two bodies touch.
#[derive(Clone, Copy, Debug)]
pub struct Place<T = f64> {
    /// Normal and two tangents as rows, world.
    pub frame: Mat3<T>,
    /// To the point of contact from the centres of mass of the two bodies' trees, world.
    pub offsets: [Vec3<T>; 2],
}

/// Friction of a contact, which decides what its rows mean and how many there are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Friction {
    /// None: the contact has one direction.
    None,
    /// A pyramid around the normal, for this many directions.
    Pyramidal(usize),
    /// An ellipse around the normal, for this many directions.
    Elliptic(usize),
}

impl Friction {
    /// Number of directions: 1, 3, 4 or 6.
    #[inline(always)]
    pub fn dim(self) -> usize {
        match self {
            Friction::None => 1,
            Friction::Pyramidal(dim) | Friction::Elliptic(dim) => dim,
        }
    }

    /// Number of rows.
    #[inline(always)]
    pub fn rows(self) -> usize {
        match self {
            Friction::Pyramidal(dim) => 2 * (dim - 1),
            _ => self.dim(),
        }
    }

    /// Kind of the rows.
    #[inline(always)]
    pub fn kind(self) -> Constraint {
        match self {
            Friction::None => Constraint::ContactFrictionless,
            Friction::Pyramidal(_) => Constraint::ContactPyramidal,
            Friction::Elliptic(_) => Constraint::ContactElliptic,
        }
    }
}

/// The motion of the second body against the first in each direction that the friction has, under
/// the given degrees of freedom: `directions` has their entries side by side, direction by direction,
/// three or six of them.
#[inline(always)]
pub fn directions<T: Real>(
    cdof: &Series<Spatial<T>>,
    (columns, moves): (&[i32], &[Moves]),
    place: &Place<T>,
    dim: usize,
    directions: &mut [T],
) {
    let (along, about) = directions.split_at_mut(3 * columns.len());
    entries(cdof, (columns, moves), place, Motion::Sliding, along);
    if dim > 3 {
        entries(cdof, (columns, moves), place, Motion::Turning, about);
    }
}

/// The same where the motion is known: its translation and rotation by degree of freedom.
pub fn known_directions<T: Real>(
    columns: &[i32],
    (sliding, turning): (&[Vec3<T>], &[Vec3<T>]),
    frame: &Mat3<T>,
    dim: usize,
    directions: &mut [T],
) {
    let (along, about) = directions.split_at_mut(3 * columns.len());
    known_entries(columns, sliding, frame, along);
    if dim > 3 {
        known_entries(columns, turning, frame, about);
    }
}

/// Writes the components of known motions along the axes of a frame into three rows of entries.
#[inline(always)]
fn known_entries<T: Real>(columns: &[i32], motion: &[Vec3<T>], frame: &Mat3<T>, out: &mut [T]) {
    let [first, second, third] = three_rows(out, columns.len());
    for (c, &dof) in columns.iter().enumerate() {
        [first[c], second[c], third[c]] = components(frame, motion[dof as usize]);
    }
}

/// The same in one lane, in double precision, for a contact of its own two bodies. `directions` has an
/// entry for each degree of freedom of the model; those that move neither body become zero in this lane.
#[inline(always)]
pub fn directions_in_lane<T: Real>(
    lane: usize,
    cdof: &Series<Spatial<T>>,
    (columns, moves): (&[i32], &[Moves]),
    place: &Place,
    dim: usize,
    directions: &mut [T],
) {
    let (along, about) = directions.split_at_mut(3 * cdof.len());
    entries_in_lane(lane, cdof, (columns, moves), place, Motion::Sliding, along);
    if dim > 3 {
        entries_in_lane(lane, cdof, (columns, moves), place, Motion::Turning, about);
    }
}

/// Writes the components of a motion along the three axes of the frame into one lane.
#[inline(always)]
fn entries_in_lane<T: Real>(
    lane: usize,
    cdof: &Series<Spatial<T>>,
    (columns, moves): (&[i32], &[Moves]),
    place: &Place,
    motion: Motion,
    out: &mut [T],
) {
    let width = cdof.len();
    for x in &mut *out {
        x.set_lane(lane, 0.0);
    }
    for (&dof, &moves) in columns.iter().zip(moves) {
        let dof = dof as usize;
        let mut unit = [0.0; 6];
        for k in 0..6 {
            unit[k] = cdof.at(dof)[k].lane(lane);
        }
        let along = components(&place.frame, motion.between(&unit, moves, place));
        for k in 0..3 {
            out[k * width + dof].set_lane(lane, along[k]);
        }
    }
}

/// Writes the components of a motion along the axes of the frame into three rows of entries.
#[inline(always)]
fn entries<T: Real>(
    cdof: &Series<Spatial<T>>,
    (columns, moves): (&[i32], &[Moves]),
    place: &Place<T>,
    motion: Motion,
    out: &mut [T],
) {
    let [first, second, third] = three_rows(out, columns.len());
    for (c, (&dof, &moves)) in columns.iter().zip(moves).enumerate() {
        let motion = motion.between(&cdof.at(dof as usize), moves, place);
        [first[c], second[c], third[c]] = components(&place.frame, motion);
    }
}

/// The components of a vector along the axes of a frame.
#[inline(always)]
fn components<T: Real>(frame: &Mat3<T>, vector: Vec3<T>) -> [T; 3] {
    [
        frame.row(0).dot(vector),
        frame.row(1).dot(vector),
        frame.row(2).dot(vector),
    ]
}

/// Three rows one after the other.
#[inline(always)]
fn three_rows<T>(rows: &mut [T], width: usize) -> [&mut [T]; 3] {
    let (first, rest) = rows.split_at_mut(width);
    let (second, third) = rest.split_at_mut(width);
    [first, second, &mut third[..width]]
}

/// A motion between two bodies. Not a function that is handed over: what is called through one need not be inlined.
#[derive(Clone, Copy)]
enum Motion {
    /// Velocity at the point of contact.
    Sliding,
    /// Angular velocity.
    Turning,
}

impl Motion {
    /// What a degree of freedom gives of it.
    #[inline(always)]
    fn between<T: Real>(self, cdof: &Spatial<T>, moves: Moves, place: &Place<T>) -> Vec3<T> {
        match (self, moves) {
            (Motion::Sliding, Moves::First) => -translation_column(cdof, place.offsets[0]),
            (Motion::Sliding, Moves::Second) => translation_column(cdof, place.offsets[1]),
            (Motion::Turning, Moves::First) => -rotation(cdof),
            (Motion::Turning, Moves::Second) => rotation(cdof),
            (_, Moves::Both) => Vec3::zero(),
        }
    }
}

/// Numbers of a contact that its rows follow from.
#[derive(Clone, Copy, Debug, Default)]
pub struct Numbers<T = f64> {
    /// Distance between the surfaces; negative in penetration.
    pub dist: T,
    /// A force arises below this distance.
    pub includemargin: T,
    /// Friction coefficients: two sliding, one spinning, two rolling.
    pub friction: [T; 5],
    /// Reference of the normal direction.
    pub solref: [T; 2],
    /// Reference of the friction directions; zero: as the normal direction.
    pub solreffriction: [T; 2],
    /// Impedance.
    pub solimp: [T; 5],
    /// Inverse weights of the two sides together: translation.
    pub weight: T,
}

/// Options that rows of contacts depend on.
#[derive(Clone, Copy, Debug)]
pub struct Settings<T = f64> {
    /// The time step, where references may be no faster than it allows.
    pub timestep: Option<T>,
    /// How much harder friction is than the normal direction.
    pub impratio: T,
}

/// Rows of one contact.
#[allow(non_snake_case)]
#[derive(Debug)]
pub struct RowsMut<'a, T = f64> {
    /// Entries, row by row, as wide as the directions.
    pub efc_J: &'a mut [T],
    /// Violations.
    pub efc_pos: &'a mut [T],
    /// Distances at which the rows become active.
    pub efc_margin: &'a mut [T],
    /// How hard they are.
    pub hardness: HardnessMut<'a, T>,
}

/// Writes the rows of a contact, whose `directions` are each `width` wide. Returns the slope of its
/// regularised cone; 0: it has none.
#[inline(always)]
pub fn rows<T: Real>(
    friction: Friction,
    contact: &Numbers<T>,
    settings: &Settings<T>,
    (directions, width): (&[T], usize),
    out: &mut RowsMut<'_, T>,
) -> T {
    let hard = Hard::new(contact, settings);
    let (along, hardness) = (&directions[..friction.dim() * width], &mut out.hardness);
    out.efc_pos.fill(contact.dist);
    out.efc_margin.fill(contact.includemargin);
    match friction {
        Friction::None => {
            out.efc_J.copy_from_slice(along);
            let regularisation = hard.normal.regularisation(contact.weight);
            write(&hard.normal, regularisation, 0..1, hardness);
            T::ZERO
        }
        Friction::Pyramidal(dim) => {
            let normal = &along[..width];
            for k in 0..dim - 1 {
                let tangent = &along[(k + 1) * width..(k + 2) * width];
                let pair = &mut out.efc_J[2 * k * width..2 * (k + 1) * width];
                edges(normal, tangent, contact.friction[k], pair);
            }
            let friction = contact.friction[0];
            let diagonal = contact.weight + friction * friction * contact.weight;
            let normal = hard.normal.regularisation(diagonal);
            let mu = hard.slope(friction, normal, normal / hard.ratio);
            let regularisation = T::from_f64(2.0) * mu * mu * normal;
            write(&hard.normal, regularisation, 0..2 * (dim - 1), hardness);
            mu
        }
        Friction::Elliptic(dim) => {
            out.efc_J.copy_from_slice(along);
            out.efc_pos[1..].fill(T::ZERO);
            out.efc_margin[1..].fill(T::ZERO);
            let friction = contact.friction;
            let normal = hard.normal.regularisation(contact.weight);
            let tangential = normal / hard.ratio;
            write(&hard.normal, normal, 0..1, hardness);
            write(&hard.tangential, tangential, 1..2, hardness);
            for j in 1..dim - 1 {
                let regularisation =
                    tangential * friction[0] * friction[0] / (friction[j] * friction[j]);
                write(&hard.tangential, regularisation, j + 1..j + 2, hardness);
            }
            hard.slope(friction[0], normal, tangential)
        }
    }
}

/// The entries n + μt and, behind them, n − μt.
#[inline(always)]
fn edges<T: Real>(normal: &[T], tangent: &[T], friction: T, out: &mut [T]) {
    let (plus, minus) = out.split_at_mut(normal.len());
    for (((plus, minus), &n), &t) in plus.iter_mut().zip(minus).zip(normal).zip(tangent) {
        let slide = t * friction;
        *plus = n + slide;
        *minus = n - slide;
    }
}

/// Writes equal rows.
#[inline(always)]
fn write<T: Real>(
    impedance: &Impedance<T>,
    regularisation: T,
    rows: core::ops::Range<usize>,
    out: &mut HardnessMut<'_, T>,
) {
    out.efc_diagApprox[rows.clone()].fill(impedance.diagonal(regularisation));
    out.efc_R[rows.clone()].fill(regularisation);
    out.efc_D[rows.clone()].fill(T::ONE / regularisation);
    out.efc_KBIP[rows].fill(impedance.row());
}

/// How hard the directions of a contact are.
struct Hard<T> {
    normal: Impedance<T>,
    /// Of the friction rows of an elliptic contact.
    tangential: Impedance<T>,
    ratio: T,
}

impl<T: Real> Hard<T> {
    #[inline(always)]
    fn new(contact: &Numbers<T>, settings: &Settings<T>) -> Self {
        let timestep = settings.timestep;
        let solimp = safe_impedance(contact.solimp);
        let solref = usual_reference(contact.solref, timestep);
        let own = safe_reference(contact.solreffriction, [0.0; 2], timestep);
        let normal = impedance(solref, &solimp, contact.dist - contact.includemargin);
        let is_absent = own[0].equals(T::ZERO) & own[1].equals(T::ZERO);
        let friction_damping = if is_absent.all() {
            normal.damping
        } else {
            T::select(is_absent, normal.damping, damping(own, &solimp))
        };
        Hard {
            normal,
            tangential: Impedance {
                stiffness: T::ZERO,
                damping: friction_damping,
                ..normal
            },
            ratio: raised(settings.impratio, T::from_f64(MIN_VALUE)),
        }
    }

    /// Slope of the cone: that of friction where both directions are equally hard.
    #[inline(always)]
    fn slope(&self, friction: T, normal: T, tangential: T) -> T {
        let is_plain = self.ratio.equals(T::ONE) & normal.less(T::from_f64(f64::INFINITY));
        if is_plain.all() {
            return friction;
        }
        let scaled = friction * (tangential / normal).sqrt();
        T::select(is_plain, friction, scaled)
    }
}
