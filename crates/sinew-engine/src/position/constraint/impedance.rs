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
use crate::position::contact::Contacts;
use sinew_math::MIN_VALUE;
use sinew_math::dense::norm;
use sinew_model::Model;
use sinew_model::kinds::{Constraint, DisableFlag, EqualityType, ObjectType};

const LEAST_IMPEDANCE: f64 = 0.0001;
const MOST_IMPEDANCE: f64 = 0.9999;
const DEFAULT_SOLREF: [f64; 2] = [0.02, 1.0];

/// Reference and impedance parameters of a constraint, made safe.
struct Parameters {
    solref: [f64; 2],
    solreffriction: [f64; 2],
    solimp: [f64; 5],
}

pub(super) fn compute(model: &Model, contacts: &mut Contacts, out: &mut Constraints) {
    let rows = out.nefc();
    out.efc_diagApprox.clear();
    out.efc_diagApprox.resize(rows, 0.0);
    out.efc_KBIP.clear();
    out.efc_KBIP.resize(rows, [0.0; 4]);
    out.efc_R.clear();
    out.efc_R.resize(rows, 0.0);

    let mut i = 0;
    while i < rows {
        let Some(kind) = Constraint::from_code(out.efc_type[i]) else {
            i += 1;
            continue;
        };
        let id = out.efc_id[i] as usize;
        let dim = dimension(model, contacts, kind, id);
        approximate_diagonal(
            model,
            contacts,
            kind,
            id,
            &mut out.efc_diagApprox[i..i + dim],
        );
        let parameters = parameters(model, contacts, kind, id);
        // Connect and weld have one impedance, for the length of their error.
        let pos = match kind {
            Constraint::Equality if dim > 1 => norm(&out.efc_pos[i..i + dim]),
            _ => out.efc_pos[i],
        };
        let (impedance, slope) = impedance(&parameters.solimp, pos, out.efc_margin[i]);
        for j in 0..dim {
            let diagonal = out.efc_diagApprox[i + j];
            out.efc_R[i + j] = ((1.0 - impedance) * diagonal / impedance).max(MIN_VALUE);
            let [k, b] = stiffness_damping(&parameters, kind, j);
            out.efc_KBIP[i + j] = [k, b, impedance, slope];
        }
        i += dim;
    }

    regularise_friction(model, contacts, out);
    out.efc_D.clear();
    out.efc_D.extend(out.efc_R.iter().map(|r| 1.0 / r));
    for i in 0..rows {
        let impedance = out.efc_KBIP[i][2];
        out.efc_diagApprox[i] = out.efc_R[i] * impedance / (1.0 - impedance);
    }
}

/// Number of rows of the constraint that starts here.
fn dimension(model: &Model, contacts: &Contacts, kind: Constraint, id: usize) -> usize {
    match kind {
        Constraint::Equality => match EqualityType::from_code(model.eq_type[id]) {
            Some(EqualityType::Connect) => 3,
            Some(EqualityType::Weld) => 6,
            _ => 1,
        },
        Constraint::ContactPyramidal => 2 * (contacts.contact[id].dim as usize - 1),
        Constraint::ContactElliptic => contacts.contact[id].dim as usize,
        _ => 1,
    }
}

/// Approximate diagonal of J·M⁻¹·Jᵀ for the rows of one constraint.
#[doc(alias = "mj_diagApprox")]
fn approximate_diagonal(
    model: &Model,
    contacts: &Contacts,
    kind: Constraint,
    id: usize,
    out: &mut [f64],
) {
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
        Constraint::FrictionTendon | Constraint::LimitTendon => {
            out[0] = model.tendon_invweight0[id];
        }
        Constraint::ContactFrictionless
        | Constraint::ContactPyramidal
        | Constraint::ContactElliptic => {
            let contact = &contacts.contact[id];
            let weight =
                |geom: i32| model.body_invweight0[model.geom_bodyid[geom as usize] as usize];
            let (weight1, weight2) = (weight(contact.geom[0]), weight(contact.geom[1]));
            let translation = weight1[0] + weight2[0];
            let rotation = weight1[1] + weight2[1];
            for (j, out) in out.iter_mut().enumerate() {
                *out = match kind {
                    Constraint::ContactPyramidal => {
                        let friction = contact.friction[j / 2];
                        let part = if j / 2 < 2 { translation } else { rotation };
                        translation + friction * friction * part
                    }
                    _ if j < 3 => translation,
                    _ => rotation,
                };
            }
        }
    }
}

/// Solver parameters of a constraint, with unusable values replaced.
fn parameters(model: &Model, contacts: &Contacts, kind: Constraint, id: usize) -> Parameters {
    let (mut solref, mut solreffriction, mut solimp) = match kind {
        Constraint::Equality => (model.eq_solref[id], [0.0; 2], model.eq_solimp[id]),
        Constraint::LimitJoint => (model.jnt_solref[id], [0.0; 2], model.jnt_solimp[id]),
        Constraint::FrictionDof => (model.dof_solref[id], [0.0; 2], model.dof_solimp[id]),
        Constraint::LimitTendon => (
            model.tendon_solref_lim[id],
            [0.0; 2],
            model.tendon_solimp_lim[id],
        ),
        Constraint::FrictionTendon => (
            model.tendon_solref_fri[id],
            [0.0; 2],
            model.tendon_solimp_fri[id],
        ),
        _ => {
            let contact = &contacts.contact[id];
            (contact.solref, contact.solreffriction, contact.solimp)
        }
    };
    // One form or the other, not both.
    let is_mixed = |r: [f64; 2]| (r[0] > 0.0) != (r[1] > 0.0);
    if is_mixed(solref) {
        solref = DEFAULT_SOLREF;
    }
    if is_mixed(solreffriction) {
        solreffriction = [0.0; 2];
    }
    // A time constant below two steps is unstable.
    if model.opt.disableflags & DisableFlag::Refsafe.code() == 0 {
        for reference in [&mut solref, &mut solreffriction] {
            if reference[0] > 0.0 {
                reference[0] = reference[0].max(2.0 * model.opt.timestep);
            }
        }
    }
    let clamp = |x: f64| x.clamp(LEAST_IMPEDANCE, MOST_IMPEDANCE);
    solimp[0] = clamp(solimp[0]);
    solimp[1] = clamp(solimp[1]);
    solimp[2] = solimp[2].max(0.0);
    solimp[3] = clamp(solimp[3]);
    solimp[4] = solimp[4].max(1.0);
    Parameters {
        solref,
        solreffriction,
        solimp,
    }
}

/// Impedance at a violation, and its derivative.
fn impedance(solimp: &[f64; 5], pos: f64, margin: f64) -> (f64, f64) {
    let [low, high, width, midpoint, power] = *solimp;
    if low == high || width <= MIN_VALUE {
        return (0.5 * (low + high), 0.0);
    }
    let signed = (pos - margin) / width;
    let x = signed.abs();
    if x >= 1.0 {
        return (high, 0.0);
    }
    if x <= 0.0 {
        return (low, 0.0);
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
    (low + y * (high - low), slope * sign * (high - low) / width)
}

/// K and B of row `j` of a constraint. Friction has no position to return to.
fn stiffness_damping(parameters: &Parameters, kind: Constraint, j: usize) -> [f64; 2] {
    let is_elliptic_friction = kind == Constraint::ContactElliptic && j > 0;
    let own = parameters.solreffriction;
    let reference = if is_elliptic_friction && own != [0.0; 2] {
        own
    } else {
        parameters.solref
    };
    let high = parameters.solimp[1];
    let is_friction = matches!(kind, Constraint::FrictionDof | Constraint::FrictionTendon);
    let k = if is_friction || is_elliptic_friction {
        0.0
    } else if reference[0] > 0.0 {
        let [time, ratio] = reference;
        1.0 / (high * high * time * time * ratio * ratio).max(MIN_VALUE)
    } else {
        -reference[0] / (high * high).max(MIN_VALUE)
    };
    let b = if reference[1] > 0.0 {
        2.0 / (high * reference[0]).max(MIN_VALUE)
    } else {
        -reference[1] / high.max(MIN_VALUE)
    };
    [k, b]
}

/// Regularisation of friction rows, and the slope of each contact's cone.
fn regularise_friction(model: &Model, contacts: &mut Contacts, out: &mut Constraints) {
    let ratio = model.opt.impratio.max(MIN_VALUE);
    for pyramid in &out.pyramids {
        let contact = &mut contacts.contact[out.efc_id[pyramid.row] as usize];
        let normal = out.efc_R[pyramid.row];
        contact.mu = contact.friction[0] * ((normal / ratio) / normal).sqrt();
        let common = 2.0 * contact.mu * contact.mu * normal;
        out.efc_R[pyramid.row..pyramid.row + 2 * (pyramid.dim - 1)].fill(common);
    }
    for cone in &mut out.cones {
        let contact = &mut contacts.contact[out.efc_id[cone.row] as usize];
        let friction = contact.friction;
        let normal = out.efc_R[cone.row];
        let tangential = normal / ratio;
        contact.mu = friction[0] * (tangential / normal).sqrt();
        cone.mu = contact.mu;
        out.efc_R[cone.row + 1] = tangential;
        for j in 1..cone.dim - 1 {
            out.efc_R[cone.row + j + 1] =
                tangential * friction[0] * friction[0] / (friction[j] * friction[j]);
        }
    }
}
