//! Laws by name, as models choose them.
//!
//! | place | name | parameters |
//! |---|---|---|
//! | bending | `cotangent` | none: the reference's law |
//! | bending | `corrected_cotangent` | none |
//! | bending | `dihedral` | none, or stiffness, or stiffness and damping of hinges |
//! | elasticity | `default` | none: the reference's law |
//! | elasticity | `linear_edge` | none; the flex has an equality that holds its edges |
//! | elasticity | `neo_hookean` | none, or μ and λ, or μ, λ and the thickness of a sheet |
//! | gain | `series_elastic` | k, d, N |
//! | solver | `xpbd` | none, or iterations, or iterations and substeps, or these and compliance |

use super::{CorrectedCotangent, Dihedral, LinearEdge, NeoHookean, SeriesElastic, Xpbd};
use crate::parts::{
    ActuatorGain, Bending, Elasticity, FlexLaw, FlexLoad, FlexView, GainForce, GainInputs,
    LawError, Memory,
};
use sinew_model::Model;
use sinew_model::law::Law;
use std::collections::BTreeMap;

/// Names of laws of bending.
pub const BENDING: [&str; 3] = ["cotangent", "corrected_cotangent", "dihedral"];
/// Names of laws of elasticity.
pub const ELASTICITY: [&str; 3] = ["default", "linear_edge", "neo_hookean"];

/// Names of laws of gain.
pub const GAIN: [&str; 1] = ["series_elastic"];
/// Names of solvers.
pub const SOLVER: [&str; 2] = ["default", "xpbd"];

/// What is wrong with a law by name.
fn wrong(model: &Model, flex: usize, law: &Law, names: &[&str], counts: &str) -> LawError {
    LawError::of_flex(model, flex, fault(law, names, counts))
}

/// The same in words.
fn fault(law: &Law, names: &[&str], counts: &str) -> String {
    let name = law.name.as_str();
    if names.contains(&name) {
        let count = law.parameters.len();
        format!("`{name}` has {counts} parameters, not {count}")
    } else {
        format!("there is no law `{name}`, only {}", names.join(", "))
    }
}

/// Laws of bending, each flex its own.
#[derive(Clone, Debug, Default)]
pub struct NamedBending(BTreeMap<usize, OneBending>);

#[derive(Clone, Debug)]
enum OneBending {
    Corrected(CorrectedCotangent),
    Dihedral(Dihedral),
}

impl OneBending {
    /// None: the reference's.
    fn new(model: &Model, flex: usize, law: &Law) -> Result<Option<Self>, LawError> {
        let dihedral = |law| Some(OneBending::Dihedral(law));
        Ok(match (law.name.as_str(), law.parameters.as_slice()) {
            ("cotangent", []) => None,
            ("corrected_cotangent", []) => Some(OneBending::Corrected(Default::default())),
            ("dihedral", []) => dihedral(Dihedral::default()),
            ("dihedral", &[stiffness]) => dihedral(Dihedral::new(stiffness)),
            ("dihedral", &[stiffness, damping]) => {
                dihedral(Dihedral::new(stiffness).damping(damping))
            }
            ("dihedral", _) => return Err(wrong(model, flex, law, &BENDING, "0 to 2")),
            _ => return Err(wrong(model, flex, law, &BENDING, "no")),
        })
    }

    fn law(&mut self) -> &mut dyn FlexLaw {
        match self {
            OneBending::Corrected(law) => law,
            OneBending::Dihedral(law) => law,
        }
    }
}

impl Memory for NamedBending {}

impl FlexLaw for NamedBending {
    fn prepare(&mut self, model: &Model, flex: usize) -> Result<bool, LawError> {
        self.0.remove(&flex);
        let Some(law) = model.laws().bending.get(&flex) else {
            return Ok(false);
        };
        let Some(mut law) = OneBending::new(model, flex, law)? else {
            return Ok(false);
        };
        let is_taken = law.law().prepare(model, flex)?;
        self.0.insert(flex, law);
        Ok(is_taken)
    }

    fn add_force(&mut self, view: &FlexView<'_>, load: &mut FlexLoad<'_>) {
        match self.0.get_mut(&view.flex) {
            Some(OneBending::Corrected(law)) => law.add_force(view, load),
            Some(OneBending::Dihedral(law)) => law.add_force(view, load),
            None => {}
        }
    }
}

impl Bending for NamedBending {}

/// Laws of elasticity, each flex its own.
#[derive(Clone, Debug, Default)]
pub struct NamedElasticity(BTreeMap<usize, OneElasticity>);

#[derive(Clone, Debug)]
enum OneElasticity {
    LinearEdge,
    NeoHookean(NeoHookean),
}

/// None: the reference's.
fn elasticity(model: &Model, flex: usize, law: &Law) -> Result<Option<OneElasticity>, LawError> {
    if law.name == "neo_hookean" && model.flex_dim[flex] == 1 {
        let reason = "a line has no neo-Hookean elements";
        return Err(LawError::of_flex(model, flex, reason));
    }
    let elements = |law| Some(OneElasticity::NeoHookean(law));
    Ok(match (law.name.as_str(), law.parameters.as_slice()) {
        ("default", []) => None,
        ("linear_edge", []) => {
            LinearEdge::check(model, flex)?;
            Some(OneElasticity::LinearEdge)
        }
        ("neo_hookean", []) => elements(NeoHookean::default()),
        ("neo_hookean", &[shear, lame]) => elements(NeoHookean::new(shear, lame)),
        ("neo_hookean", &[shear, lame, thickness]) => {
            elements(NeoHookean::new(shear, lame).thickness(thickness))
        }
        ("neo_hookean", _) => return Err(wrong(model, flex, law, &ELASTICITY, "0, 2 or 3")),
        _ => return Err(wrong(model, flex, law, &ELASTICITY, "no")),
    })
}

impl Memory for NamedElasticity {}

impl FlexLaw for NamedElasticity {
    fn prepare(&mut self, model: &Model, flex: usize) -> Result<bool, LawError> {
        self.0.remove(&flex);
        let Some(law) = model.laws().elasticity.get(&flex) else {
            return Ok(false);
        };
        let Some(mut law) = elasticity(model, flex, law)? else {
            return Ok(false);
        };
        let is_taken = match &mut law {
            OneElasticity::LinearEdge => true,
            OneElasticity::NeoHookean(law) => law.prepare(model, flex)?,
        };
        self.0.insert(flex, law);
        Ok(is_taken)
    }

    fn add_force(&mut self, view: &FlexView<'_>, load: &mut FlexLoad<'_>) {
        if let Some(OneElasticity::NeoHookean(law)) = self.0.get_mut(&view.flex) {
            law.add_force(view, load);
        }
    }
}

impl Elasticity for NamedElasticity {}

/// Gains, each actuator its own.
#[derive(Clone, Debug, Default)]
pub struct NamedGain(SeriesElastic);

impl Memory for NamedGain {}

impl ActuatorGain for NamedGain {
    fn prepare(&mut self, model: &Model, actuator: usize) -> Result<bool, LawError> {
        let Some(law) = model.laws().gain.get(&actuator) else {
            return Ok(false);
        };
        let refuse = |reason: String| Err(LawError::of_actuator(model, actuator, reason));
        match (law.name.as_str(), law.parameters.as_slice()) {
            ("series_elastic", &[stiffness, damping, ratio]) => {
                if damping != 0.0 && model.actuator_history[actuator][0] <= 0 {
                    let reason = "`series_elastic` with damping reads the control of the last step: \
                                  the actuator needs nsample=\"1\"";
                    return refuse(reason.into());
                }
                self.0.set(actuator, stiffness, damping, ratio);
                self.0.prepare(model, actuator)
            }
            _ => refuse(fault(law, &GAIN, "3")),
        }
    }

    fn forces(&mut self, actuators: &[usize], inputs: &GainInputs<'_>, out: &mut [GainForce]) {
        self.0.forces(actuators, inputs, out);
    }
}

/// The solver that a model names; none: the reference's.
pub fn solver(model: &Model) -> Result<Option<Xpbd>, LawError> {
    let Some(law) = &model.laws().solver else {
        return Ok(None);
    };
    let refuse = |reason: String| Err(LawError::new("option", reason));
    let count = |number: f64| (number >= 1.0 && number.fract() == 0.0).then_some(number as usize);
    let (iterations, substeps, compliance) = match (law.name.as_str(), law.parameters.as_slice()) {
        ("default", []) => return Ok(None),
        ("xpbd", []) => return Ok(Some(Xpbd::default())),
        ("xpbd", &[iterations]) => (iterations, 1.0, 0.0),
        ("xpbd", &[iterations, substeps]) => (iterations, substeps, 0.0),
        ("xpbd", &[iterations, substeps, compliance]) => (iterations, substeps, compliance),
        ("xpbd", _) => return refuse(fault(law, &SOLVER, "0 to 3")),
        _ => return refuse(fault(law, &SOLVER, "no")),
    };
    let (Some(iterations), Some(substeps)) = (count(iterations), count(substeps)) else {
        return refuse("iterations and substeps of `xpbd` are counts of at least 1".into());
    };
    let solver = Xpbd {
        iterations,
        substeps,
        compliance,
        ..Xpbd::default()
    };
    match solver.fault() {
        Some(reason) => refuse(reason.into()),
        None => Ok(Some(solver)),
    }
}

/// Where a model names a law.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Chosen {
    /// Bending of a flex.
    Bending(usize),
    /// Elasticity of a flex.
    Elasticity(usize),
    /// Gain of an actuator.
    Gain(usize),
    /// The solver.
    Solver,
}

/// All laws that a model names and that cannot be used.
pub fn faults(model: &Model) -> Vec<(Chosen, LawError)> {
    let (mut bending, mut elasticity) = (NamedBending::default(), NamedElasticity::default());
    let mut gain = NamedGain::default();
    let mut found = Vec::new();
    let mut note = |chosen, outcome: Result<bool, LawError>| {
        found.extend(outcome.err().map(|error| (chosen, error)));
    };
    for flex in 0..model.nflex {
        note(Chosen::Bending(flex), bending.prepare(model, flex));
        note(Chosen::Elasticity(flex), elasticity.prepare(model, flex));
    }
    for actuator in 0..model.nu {
        note(Chosen::Gain(actuator), gain.prepare(model, actuator));
    }
    note(Chosen::Solver, solver(model).map(|solver| solver.is_some()));
    found
}

/// Whether all laws that a model names can be used; the first that cannot.
pub fn check(model: &Model) -> Result<(), LawError> {
    match faults(model).into_iter().next() {
        Some((_, error)) => Err(error),
        None => Ok(()),
    }
}
