//! How hard rows of equalities, friction and limits are: `diagApprox`, R, D and KBIP.
//!
//! Conforms to MuJoCo's `mj_diagApprox`, `mj_makeImpedance`.

use super::impedance::{Impedance, impedance, safe_impedance, usual_reference};
use super::{HardnessMut, Source};
use sinew_math::dense::norm;
use sinew_math::{Lift, Real};
use sinew_model::kinds::{Constraint, EqualityType, ObjectType};
use sinew_model::view::{Constrained, ConstrainedValues};

/// How hard all rows are, of the given kinds and objects, with the given positions and margins. No row
/// is a contact's. Rows of flexes come with their `efc_diagApprox`. Where `timestep` is given, references are no faster than it allows.
#[doc(alias = "mj_makeImpedance")]
#[inline(always)]
pub fn rows<T: Real, V: Lift<T>>(
    source: &Source<'_, V>,
    (efc_type, efc_id): (&[i32], &[i32]),
    (efc_pos, efc_margin): (&[T], &[T]),
    timestep: Option<T>,
    out: &mut HardnessMut<'_, T>,
) {
    let mut start = 0;
    while start < efc_type.len() {
        // Rows are made with a kind.
        let Some(kind) = Constraint::from_code(efc_type[start]) else {
            return;
        };
        let id = efc_id[start] as usize;
        let rows = start..start + dimension(&source.constrained, kind, id);
        approximate_diagonal(source, kind, id, &mut out.efc_diagApprox[rows.clone()]);
        // Connect and weld have one impedance, for the length of their error.
        let pos = match rows.len() {
            1 => efc_pos[start],
            _ => norm(&efc_pos[rows.clone()]),
        };
        let (solref, solimp) = usual_parameters(source, kind, id, timestep);
        let impedance_of_row = impedance_of(kind, (solref, &solimp), pos - efc_margin[start]);
        for row in rows.clone() {
            out.set(row, &impedance_of_row);
        }
        start = rows.end;
        // Rows of a flex differ in their violation only.
        let is_flex = is_flex(&source.constrained, kind, id);
        while is_flex
            && efc_type.get(start) == Some(&kind.code())
            && efc_id[start] == efc_id[rows.start]
        {
            let violation = efc_pos[start] - efc_margin[start];
            out.set(start, &impedance(solref, &solimp, violation));
            start += 1;
        }
    }
}

/// How hard the row of a constraint that has but one is: `efc_R`, `efc_D` and `efc_KBIP`.
#[inline(always)]
pub fn single<T: Real, V: Lift<T>>(
    source: &Source<'_, V>,
    (kind, id): (Constraint, usize),
    violation: T,
    timestep: Option<T>,
) -> (T, T, [T; 4]) {
    let mut diagonal = [T::ZERO];
    approximate_diagonal(source, kind, id, &mut diagonal);
    let (solref, solimp) = usual_parameters(source, kind, id, timestep);
    let impedance = impedance_of(kind, (solref, &solimp), violation);
    let regularisation = impedance.regularisation(diagonal[0]);
    (regularisation, T::ONE / regularisation, impedance.row())
}

/// Reference and impedance parameters of a constraint, within their bounds.
#[inline(always)]
fn usual_parameters<T: Real, V: Lift<T>>(
    source: &Source<'_, V>,
    kind: Constraint,
    id: usize,
    timestep: Option<T>,
) -> ([T; 2], [T; 5]) {
    let (solref, solimp) = parameters(source.values, kind, id);
    (usual_reference(solref, timestep), safe_impedance(solimp))
}

/// The impedance of a row: dry friction has no stiffness.
#[inline(always)]
fn impedance_of<T: Real>(
    kind: Constraint,
    (solref, solimp): ([T; 2], &[T; 5]),
    violation: T,
) -> Impedance<T> {
    let mut out = impedance(solref, solimp, violation);
    if matches!(kind, Constraint::FrictionDof | Constraint::FrictionTendon) {
        out.stiffness = T::ZERO;
    }
    out
}

impl<T: Real> HardnessMut<'_, T> {
    /// Makes a row, whose approximate diagonal is there, as hard as an impedance says.
    #[inline(always)]
    fn set(&mut self, row: usize, impedance: &Impedance<T>) {
        let regularisation = impedance.regularisation(self.efc_diagApprox[row]);
        self.efc_diagApprox[row] = impedance.diagonal(regularisation);
        self.efc_R[row] = regularisation;
        self.efc_D[row] = T::ONE / regularisation;
        self.efc_KBIP[row] = impedance.row();
    }
}

/// Whether a constraint keeps the shape of a flex.
#[inline(always)]
fn is_flex(constrained: &Constrained<'_>, kind: Constraint, id: usize) -> bool {
    let equality = || EqualityType::from_code(constrained.eq_type[id]);
    kind == Constraint::Equality
        && matches!(
            equality(),
            Some(EqualityType::Flex | EqualityType::Flexvert)
        )
}

/// Number of rows of a constraint.
#[inline(always)]
fn dimension(constrained: &Constrained<'_>, kind: Constraint, id: usize) -> usize {
    match kind {
        Constraint::Equality => match EqualityType::from_code(constrained.eq_type[id]) {
            Some(EqualityType::Connect) => 3,
            Some(EqualityType::Weld) => 6,
            _ => 1,
        },
        _ => 1,
    }
}

/// Approximate diagonal of J·M⁻¹·Jᵀ for the rows of one constraint.
#[doc(alias = "mj_diagApprox")]
#[inline(always)]
fn approximate_diagonal<T: Real, V: Lift<T>>(
    source: &Source<'_, V>,
    kind: Constraint,
    id: usize,
    out: &mut [T],
) {
    let values = source.values;
    let of_joint = |joint: i32| -> T {
        let dof = source.tree.jnt_dofadr[joint as usize] as usize;
        values.dof_invweight0[dof].lift()
    };
    let of_tendon = |tendon: i32| -> T { values.tendon_invweight0[tendon as usize].lift() };
    match kind {
        Constraint::Equality => {
            let ids = [
                source.constrained.eq_obj1id[id],
                source.constrained.eq_obj2id[id],
            ];
            match EqualityType::from_code(source.constrained.eq_type[id]) {
                Some(EqualityType::Connect | EqualityType::Weld) => {
                    let is_site = source.constrained.eq_objtype[id] == ObjectType::Site.code();
                    let [first, second]: [[T; 2]; 2] = ids.map(|object| {
                        let body = match is_site {
                            true => source.attached.site_bodyid[object as usize],
                            false => object,
                        };
                        values.body_invweight0[body as usize].lift()
                    });
                    for (row, out) in out.iter_mut().enumerate() {
                        let part = usize::from(row > 2);
                        *out = first[part] + second[part];
                    }
                }
                Some(EqualityType::Joint) => out[0] = of_one_or_two(ids, of_joint),
                Some(EqualityType::Flex | EqualityType::Flexvert) => {}
                _ => out[0] = of_one_or_two(ids, of_tendon),
            }
        }
        Constraint::FrictionDof => out[0] = values.dof_invweight0[id].lift(),
        Constraint::LimitJoint => out[0] = of_joint(id as i32),
        _ => out[0] = of_tendon(id as i32),
    }
}

/// The weight of the first object, and of the second where there is one.
#[inline(always)]
fn of_one_or_two<T: Real>([first, second]: [i32; 2], weight: impl Fn(i32) -> T) -> T {
    if second >= 0 {
        weight(first) + weight(second)
    } else {
        weight(first)
    }
}

/// Reference and impedance parameters of a constraint, as the model has them.
#[inline(always)]
fn parameters<T: Real, V: Lift<T>>(
    values: ConstrainedValues<'_, V>,
    kind: Constraint,
    id: usize,
) -> ([T; 2], [T; 5]) {
    let of = |solref: &[[V; 2]], solimp: &[[V; 5]]| (solref[id].lift(), solimp[id].lift());
    match kind {
        Constraint::Equality => of(values.eq_solref, values.eq_solimp),
        Constraint::LimitJoint => of(values.jnt_solref, values.jnt_solimp),
        Constraint::FrictionDof => of(values.dof_solref, values.dof_solimp),
        Constraint::LimitTendon => of(values.tendon_solref_lim, values.tendon_solimp_lim),
        _ => of(values.tendon_solref_fri, values.tendon_solimp_fri),
    }
}
