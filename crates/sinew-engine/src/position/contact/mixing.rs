//! Contact parameters from the surfaces of two geoms or flexes.
//!
//! Margins and gaps add. The surface with the higher priority gives condim, friction, solref and
//! solimp; between equals condim and friction are the larger, solref and solimp are averaged with
//! the weights `solmix` (solref in its negative form: the smaller). The override flag replaces
//! margin, solref, solimp and friction of every contact.

use super::Contact;
use core::cmp::Ordering;
use sinew_collision::pair::Touch;
use sinew_math::{MIN_VALUE, Mat3, Real, Vec3};
use sinew_model::Model;
use sinew_model::kinds::EnableFlag;

/// No friction coefficient is smaller.
const LEAST_FRICTION: f64 = 1e-5;

/// What all contacts of one pair share.
#[derive(Clone, Copy, Debug, Default)]
pub struct Parameters {
    /// Dimension: 1, 3, 4 or 6.
    pub dim: i32,
    /// A force arises below this distance.
    pub includemargin: f64,
    /// Friction coefficients: two sliding, one spinning, two rolling.
    pub friction: [f64; 5],
    /// Reference of the normal direction.
    pub solref: [f64; 2],
    /// Reference of the friction directions; zero: as the normal direction.
    pub solreffriction: [f64; 2],
    /// Impedance.
    pub solimp: [f64; 5],
}

fn is_overridden(model: &Model) -> bool {
    model.opt.enableflags & EnableFlag::Override.code() != 0
}

/// A distance up to which contacts are listed, unless the model overrides it.
#[doc(alias = "mj_assignMargin")]
#[inline]
pub(super) fn chosen_margin(model: &Model, margin: f64) -> f64 {
    if is_overridden(model) {
        model.opt.o_margin
    } else {
        margin
    }
}

/// Distance up to which contacts of two geoms are listed.
pub(super) fn margin(model: &Model, first: usize, second: usize) -> f64 {
    chosen_margin(model, model.geom_margin[first] + model.geom_margin[second])
}

/// The same for an explicit pair.
pub(super) fn pair_margin(model: &Model, pair: usize) -> f64 {
    chosen_margin(model, model.pair_margin[pair])
}

/// A dimension that contacts have: 1, 3, 4 or 6; others count as the next larger one.
fn dimension(condim: i32) -> i32 {
    match condim {
        ..=1 => 1,
        2 | 3 => 3,
        4 => 4,
        _ => 6,
    }
}

/// What one side gives to the parameters of its contacts.
#[derive(Clone, Copy, Debug)]
pub(super) struct Surface {
    condim: i32,
    gap: f64,
    feel: Feel,
}

/// How hard and rough a surface is, in one world or one per lane.
#[derive(Clone, Copy, Debug)]
pub struct Feel<T = f64> {
    /// Who has the higher one decides.
    pub priority: i32,
    /// Share among equals.
    pub solmix: T,
    /// Reference.
    pub solref: [T; 2],
    /// Impedance.
    pub solimp: [T; 5],
    /// Friction: sliding, spinning, rolling.
    pub friction: [T; 3],
}

impl Surface {
    #[inline(always)]
    pub fn of_geom(model: &Model, geom: usize) -> Self {
        Surface {
            condim: model.geom_condim[geom],
            gap: model.geom_gap[geom],
            feel: Feel {
                priority: model.geom_priority[geom],
                solmix: model.geom_solmix[geom],
                solref: model.geom_solref[geom],
                solimp: model.geom_solimp[geom],
                friction: model.geom_friction[geom],
            },
        }
    }

    pub fn of_flex(model: &Model, flex: usize) -> Self {
        Surface {
            condim: model.flex_condim[flex],
            gap: model.flex_gap[flex],
            feel: Feel {
                priority: model.flex_priority[flex],
                solmix: model.flex_solmix[flex],
                solref: model.flex_solref[flex],
                solimp: model.flex_solimp[flex],
                friction: model.flex_friction[flex],
            },
        }
    }
}

/// Parameters of contacts between two geoms.
pub(super) fn mix(model: &Model, first: usize, second: usize, margin: f64) -> Parameters {
    let surfaces = [first, second].map(|geom| Surface::of_geom(model, geom));
    of_surfaces(model, &surfaces, margin)
}

/// Parameters of contacts between two surfaces.
#[doc(alias = "mj_contactParam")]
#[inline(always)]
pub(super) fn of_surfaces(
    model: &Model,
    [first, second]: &[Surface; 2],
    margin: f64,
) -> Parameters {
    let condim = match first.feel.priority.cmp(&second.feel.priority) {
        Ordering::Greater => first.condim,
        Ordering::Less => second.condim,
        Ordering::Equal => first.condim.max(second.condim),
    };
    let together = mixed(&first.feel, &second.feel);
    let [sliding, spinning, rolling] = together.friction;
    Parameters {
        dim: dimension(condim),
        includemargin: margin - (first.gap + second.gap),
        friction: [sliding, sliding, spinning, rolling, rolling],
        solref: together.solref,
        solreffriction: [0.0; 2],
        solimp: together.solimp,
    }
    .overridden(model)
}

/// How two surfaces feel to each other.
#[inline(always)]
pub fn mixed<T: Real>(first: &Feel<T>, second: &Feel<T>) -> Feel<T> {
    if first.priority != second.priority {
        return match first.priority > second.priority {
            true => *first,
            false => *second,
        };
    }
    let mut out = *first;
    let weight = weight(first.solmix, second.solmix);
    let (ref1, ref2) = (first.solref, second.solref);
    let is_time_constant = ref1[0].greater(T::ZERO) & ref2[0].greater(T::ZERO);
    for i in 0..2 {
        let mean = weight * ref1[i] + (T::ONE - weight) * ref2[i];
        out.solref[i] = T::select(is_time_constant, mean, ref1[i].min_of(ref2[i]));
    }
    for i in 0..5 {
        out.solimp[i] = weight * first.solimp[i] + (T::ONE - weight) * second.solimp[i];
    }
    for i in 0..3 {
        out.friction[i] = first.friction[i].max_of(second.friction[i]);
    }
    out
}

/// No friction coefficient is smaller than the least.
#[inline(always)]
pub fn enough_friction<T: Real>(friction: T) -> T {
    let least = T::from_f64(LEAST_FRICTION);
    T::select(friction.greater(least), friction, least)
}

/// Parameters of contacts of an explicit pair.
pub(super) fn of_pair(model: &Model, pair: usize, margin: f64) -> Parameters {
    Parameters {
        dim: model.pair_dim[pair],
        includemargin: margin - model.pair_gap[pair],
        friction: model.pair_friction[pair],
        solref: model.pair_solref[pair],
        solreffriction: model.pair_solreffriction[pair],
        solimp: model.pair_solimp[pair],
    }
    .overridden(model)
}

/// Share of the first surface in mixed parameters.
#[inline(always)]
fn weight<T: Real>(mix1: T, mix2: T) -> T {
    let least = T::from_f64(MIN_VALUE);
    let (counts1, counts2) = (mix1.at_least(least), mix2.at_least(least));
    let one_sided = T::select(counts1, T::ONE, T::ZERO);
    let neither = T::from_f64(0.5);
    let without_second = T::select(counts1 | counts2, one_sided, neither);
    T::select(counts1 & counts2, mix1 / (mix1 + mix2), without_second)
}

impl Parameters {
    fn overridden(mut self, model: &Model) -> Self {
        if is_overridden(model) {
            self.solref = model.opt.o_solref;
            self.solreffriction = model.opt.o_solref;
            self.solimp = model.opt.o_solimp;
            self.friction = model.opt.o_friction;
        }
        self.friction = self.friction.map(enough_friction);
        self
    }

    /// Adds the contacts at some touching points. Those between flat faces share their normal, hence
    /// their frame.
    pub(crate) fn add_contacts(&self, touches: &[Touch], geom: [i32; 2], out: &mut Vec<Contact>) {
        let mut last: Option<(&Touch, Mat3)> = None;
        for touch in touches {
            let frame = match last {
                Some((other, frame)) if have_same_axes(touch, other) => frame,
                _ => touch.frame(),
            };
            last = Some((touch, frame));
            out.push(self.contact(touch, frame, geom));
        }
    }

    /// The contact at one touching point.
    #[inline]
    pub(super) fn contact(&self, touch: &Touch, frame: Mat3, geom: [i32; 2]) -> Contact {
        Contact {
            dist: touch.dist,
            pos: touch.pos,
            frame,
            includemargin: self.includemargin,
            friction: self.friction,
            solref: self.solref,
            solreffriction: self.solreffriction,
            solimp: self.solimp,
            dim: self.dim,
            geom,
            flex: [-1; 2],
            elem: [-1; 2],
            vert: [-1; 2],
            exclude: i32::from(touch.dist >= self.includemargin),
        }
    }
}

/// Whether normals and tangents are equal, to the bit.
#[inline]
fn have_same_axes(touch: &Touch, other: &Touch) -> bool {
    let is_same = |a: Vec3, b: Vec3| (0..3).all(|k| a[k].to_bits() == b[k].to_bits());
    is_same(touch.normal, other.normal) && is_same(touch.tangent, other.tangent)
}
