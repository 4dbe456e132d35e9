//! How hard a constraint is: regularisation and reference parameters.
//!
//! The impedance d(r) rises from `solimp[0]` to `solimp[1]` over a violation of `solimp[2]`, along
//! two powers joined at the midpoint `solimp[3]`. It sets the regularisation
//! R = (1 − d)/d · diagApprox, where diagApprox stands for the diagonal of J·M⁻¹·Jᵀ and comes from
//! inverse weights at qpos0. `solref` sets the reference acceleration −B·v − K·d·r: as (time
//! constant, damping ratio) K = 1/(dmax²τ²ζ²), B = 2/(dmaxτ); negative as (−K, −B) directly.
//! Friction rows of a contact take R/impratio, scaled so that the cone is circular in
//! regularised space. Conforms to `mj_diagApprox`, `mj_makeImpedance`.

use super::Constraints;
use crate::position::contact::Contact;
use sinew_math::MIN_VALUE;
use sinew_math::dense::norm;
use sinew_model::Model;
use sinew_model::kinds::{Constraint, DisableFlag, EqualityType, ObjectType};
use std::iter::repeat_n;

const LEAST_IMPEDANCE: f64 = 0.0001;
const MOST_IMPEDANCE: f64 = 0.9999;
const DEFAULT_SOLREF: [f64; 2] = [0.02, 1.0];

/// Reference and impedance parameters of a constraint, made safe.
struct Parameters {
    solref: [f64; 2],
    solreffriction: [f64; 2],
    solimp: [f64; 5],
}

/// Impedances of all rows so far, none of which is a contact's.
pub(super) fn compute(model: &Model, out: &mut Constraints) {
    let rows = out.nefc();
    out.efc_diagApprox.resize(rows, 0.0);
    let mut i = 0;
    while i < rows {
        // Rows are made with a kind.
        let Some(kind) = Constraint::from_code(out.efc_type[i]) else {
            return;
        };
        let id = out.efc_id[i] as usize;
        let dim = dimension(model, kind, id);
        approximate_diagonal(model, kind, id, &mut out.efc_diagApprox[i..i + dim]);
        let parameters = parameters(model, kind, id);
        // Connect and weld have one impedance, for the length of their error.
        let pos = match kind {
            Constraint::Equality if dim > 1 => norm(&out.efc_pos[i..i + dim]),
            _ => out.efc_pos[i],
        };
        let is_friction = matches!(kind, Constraint::FrictionDof | Constraint::FrictionTendon);
        let mut impedance = impedance(&parameters.solimp, pos, out.efc_margin[i]);
        impedance.stiffness_damping = [
            if is_friction {
                0.0
            } else {
                stiffness(parameters.solref, &parameters.solimp)
            },
            damping(parameters.solref, &parameters.solimp),
        ];
        for j in i..i + dim {
            let regularisation = impedance.regularisation(out.efc_diagApprox[j]);
            out.efc_diagApprox[j] = impedance.diagonal(regularisation);
            out.efc_R.push(regularisation);
            out.efc_D.push(1.0 / regularisation);
            out.efc_KBIP.push(impedance.row());
        }
        i += dim;
    }
}

/// Number of rows of the constraint that starts here.
fn dimension(model: &Model, kind: Constraint, id: usize) -> usize {
    match kind {
        Constraint::Equality => match EqualityType::from_code(model.eq_type[id]) {
            Some(EqualityType::Connect) => 3,
            Some(EqualityType::Weld) => 6,
            _ => 1,
        },
        _ => 1,
    }
}

/// Approximate diagonal of J·M⁻¹·Jᵀ for the rows of one constraint.
#[doc(alias = "mj_diagApprox")]
fn approximate_diagonal(model: &Model, kind: Constraint, id: usize, out: &mut [f64]) {
    let joint_weight = |joint: i32| model.dof_invweight0[model.jnt_dofadr[joint as usize] as usize];
    match kind {
        Constraint::Equality => {
            let (first, second) = (model.eq_obj1id[id], model.eq_obj2id[id]);
            match EqualityType::from_code(model.eq_type[id]) {
                Some(EqualityType::Connect | EqualityType::Weld) => {
                    let body = |object: i32| {
                        if model.eq_objtype[id] == ObjectType::Site.code() {
                            model.site_bodyid[object as usize] as usize
                        } else {
                            object as usize
                        }
                    };
                    let weight1 = model.body_invweight0[body(first)];
                    let weight2 = model.body_invweight0[body(second)];
                    for (j, out) in out.iter_mut().enumerate() {
                        let part = usize::from(j > 2);
                        *out = weight1[part] + weight2[part];
                    }
                }
                Some(EqualityType::Joint) => {
                    out[0] = joint_weight(first);
                    if second >= 0 {
                        out[0] += joint_weight(second);
                    }
                }
                _ => {
                    out[0] = model.tendon_invweight0[first as usize];
                    if second >= 0 {
                        out[0] += model.tendon_invweight0[second as usize];
                    }
                }
            }
        }
        Constraint::FrictionDof => out[0] = model.dof_invweight0[id],
        Constraint::LimitJoint => out[0] = joint_weight(id as i32),
        _ => out[0] = model.tendon_invweight0[id],
    }
}

/// Solver parameters of a constraint other than a contact.
fn parameters(model: &Model, kind: Constraint, id: usize) -> Parameters {
    let (solref, solimp) = match kind {
        Constraint::Equality => (model.eq_solref[id], model.eq_solimp[id]),
        Constraint::LimitJoint => (model.jnt_solref[id], model.jnt_solimp[id]),
        Constraint::FrictionDof => (model.dof_solref[id], model.dof_solimp[id]),
        Constraint::LimitTendon => (model.tendon_solref_lim[id], model.tendon_solimp_lim[id]),
        _ => (model.tendon_solref_fri[id], model.tendon_solimp_fri[id]),
    };
    Parameters {
        solref,
        solreffriction: [0.0; 2],
        solimp,
    }
    .made_safe(model)
}

impl Parameters {
    /// With unusable values replaced.
    #[inline]
    fn made_safe(mut self, model: &Model) -> Self {
        // One form or the other, not both.
        let is_mixed = |r: [f64; 2]| (r[0] > 0.0) != (r[1] > 0.0);
        if is_mixed(self.solref) {
            self.solref = DEFAULT_SOLREF;
        }
        if is_mixed(self.solreffriction) {
            self.solreffriction = [0.0; 2];
        }
        // A time constant below two steps is unstable.
        if model.opt.disableflags & DisableFlag::Refsafe.code() == 0 {
            for reference in [&mut self.solref, &mut self.solreffriction] {
                if reference[0] > 0.0 {
                    reference[0] = reference[0].max(2.0 * model.opt.timestep);
                }
            }
        }
        let clamp = |x: f64| x.clamp(LEAST_IMPEDANCE, MOST_IMPEDANCE);
        let solimp = &mut self.solimp;
        solimp[0] = clamp(solimp[0]);
        solimp[1] = clamp(solimp[1]);
        solimp[2] = solimp[2].max(0.0);
        solimp[3] = clamp(solimp[3]);
        solimp[4] = solimp[4].max(1.0);
        self
    }
}

/// Impedance of a row, its derivative, and the stiffness and damping of its reference.
#[derive(Clone, Copy, Default)]
struct Impedance {
    value: f64,
    slope: f64,
    stiffness_damping: [f64; 2],
}

impl Impedance {
    /// Regularisation of a row with the given diagonal entry of J·M⁻¹·Jᵀ.
    #[inline]
    fn regularisation(&self, diagonal: f64) -> f64 {
        ((1.0 - self.value) * diagonal / self.value).max(MIN_VALUE)
    }

    /// The diagonal entry that a regularisation stands for.
    #[inline]
    fn diagonal(&self, regularisation: f64) -> f64 {
        regularisation * self.value / (1.0 - self.value)
    }

    #[inline]
    fn row(&self) -> [f64; 4] {
        let [stiffness, damping] = self.stiffness_damping;
        [stiffness, damping, self.value, self.slope]
    }
}

/// What the rows of a contact need to be regularised.
pub(super) struct ContactRows {
    impedance: Impedance,
    /// Damping of the friction rows of an elliptic contact.
    friction_damping: f64,
    /// Inverse weights of the two sides together: translation.
    weight: f64,
    /// 1 or more: how much harder friction is than the normal direction.
    ratio: f64,
    friction: [f64; 5],
    dim: usize,
}

impl ContactRows {
    #[inline]
    pub fn new(model: &Model, contact: &Contact) -> ContactRows {
        let parameters = Parameters {
            solref: contact.solref,
            solreffriction: contact.solreffriction,
            solimp: contact.solimp,
        }
        .made_safe(model);
        let mut impedance = impedance(&parameters.solimp, contact.dist, contact.includemargin);
        impedance.stiffness_damping = [
            stiffness(parameters.solref, &parameters.solimp),
            damping(parameters.solref, &parameters.solimp),
        ];
        let own = parameters.solreffriction;
        let friction_damping = if own != [0.0; 2] {
            damping(own, &parameters.solimp)
        } else {
            impedance.stiffness_damping[1]
        };
        let inverse = |(body, share): (usize, f64)| share * model.body_invweight0[body][0];
        let of_side = |side: usize| contact.bodies(model, side).map(inverse).sum::<f64>();
        ContactRows {
            impedance,
            friction_damping,
            weight: of_side(0) + of_side(1),
            ratio: model.opt.impratio.max(MIN_VALUE),
            friction: contact.friction,
            dim: contact.dim as usize,
        }
    }

    /// The single row of a frictionless contact.
    #[inline]
    pub(crate) fn add_frictionless(&self, out: &mut Constraints) {
        let regularisation = self.impedance.regularisation(self.weight);
        self.push(regularisation, 1, out);
    }

    /// The equal rows of a pyramidal contact. Returns the slope of its cone.
    #[inline]
    pub(crate) fn add_pyramid(&self, rows: usize, out: &mut Constraints) -> f64 {
        let friction = self.friction[0];
        let diagonal = self.weight + friction * friction * self.weight;
        let normal = self.impedance.regularisation(diagonal);
        let mu = self.slope(normal, normal / self.ratio);
        self.push(2.0 * mu * mu * normal, rows, out);
        mu
    }

    /// The rows of an elliptic contact. Returns the slope of its cone.
    #[inline]
    pub(crate) fn add_cone(&self, out: &mut Constraints) -> f64 {
        let friction = self.friction;
        let normal = self.impedance.regularisation(self.weight);
        let tangential = normal / self.ratio;
        self.push(normal, 1, out);
        let along = ContactRows {
            impedance: Impedance {
                stiffness_damping: [0.0, self.friction_damping],
                ..self.impedance
            },
            ..*self
        };
        along.push(tangential, 1, out);
        for j in 1..self.dim - 1 {
            let regularisation =
                tangential * friction[0] * friction[0] / (friction[j] * friction[j]);
            along.push(regularisation, 1, out);
        }
        self.slope(normal, tangential)
    }

    /// Slope of the cone: that of friction where both directions are equally hard.
    #[inline]
    fn slope(&self, normal: f64, tangential: f64) -> f64 {
        if self.ratio == 1.0 && normal < f64::INFINITY {
            return self.friction[0];
        }
        self.friction[0] * (tangential / normal).sqrt()
    }

    #[inline]
    fn push(&self, regularisation: f64, rows: usize, out: &mut Constraints) {
        let diagonal = self.impedance.diagonal(regularisation);
        out.efc_diagApprox.extend(repeat_n(diagonal, rows));
        out.efc_R.extend(repeat_n(regularisation, rows));
        out.efc_D.extend(repeat_n(1.0 / regularisation, rows));
        out.efc_KBIP.extend(repeat_n(self.impedance.row(), rows));
    }
}

/// Impedance at a violation, and its derivative.
fn impedance(solimp: &[f64; 5], pos: f64, margin: f64) -> Impedance {
    let flat = |value: f64| Impedance {
        value,
        ..Impedance::default()
    };
    let [low, high, width, midpoint, power] = *solimp;
    if low == high || width <= MIN_VALUE {
        return flat(0.5 * (low + high));
    }
    let signed = (pos - margin) / width;
    let x = signed.abs();
    if x >= 1.0 {
        return flat(high);
    }
    if x <= 0.0 {
        return flat(low);
    }
    let raise = |base: f64, exponent: f64| {
        if exponent == 1.0 {
            base
        } else if exponent == 2.0 {
            base * base
        } else {
            libm::pow(base, exponent)
        }
    };
    let (y, slope) = if power == 1.0 {
        (x, 1.0)
    } else if x <= midpoint {
        let a = 1.0 / raise(midpoint, power - 1.0);
        (a * raise(x, power), power * a * raise(x, power - 1.0))
    } else {
        let b = 1.0 / raise(1.0 - midpoint, power - 1.0);
        let rest = 1.0 - x;
        (
            1.0 - b * raise(rest, power),
            power * b * raise(rest, power - 1.0),
        )
    };
    let sign = if signed < 0.0 { -1.0 } else { 1.0 };
    Impedance {
        value: low + y * (high - low),
        slope: slope * sign * (high - low) / width,
        ..Impedance::default()
    }
}

/// K of a reference.
#[inline]
fn stiffness(solref: [f64; 2], solimp: &[f64; 5]) -> f64 {
    let high = solimp[1];
    if solref[0] > 0.0 {
        let [time, ratio] = solref;
        1.0 / (high * high * time * time * ratio * ratio).max(MIN_VALUE)
    } else {
        -solref[0] / (high * high).max(MIN_VALUE)
    }
}

/// B of a reference.
#[inline]
fn damping(solref: [f64; 2], solimp: &[f64; 5]) -> f64 {
    let high = solimp[1];
    if solref[1] > 0.0 {
        2.0 / (high * solref[0]).max(MIN_VALUE)
    } else {
        -solref[1] / high.max(MIN_VALUE)
    }
}
