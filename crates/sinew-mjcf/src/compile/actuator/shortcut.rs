//! What each actuator element means in terms of dynamics, gain and bias.
//!
//! | element | dynamics | gain | bias |
//! |---|---|---|---|
//! | `motor` | none | 1 | none |
//! | `position` | none, or exact filter τ | kp | 0, −kp, −kv |
//! | `velocity` | none | kv | 0, 0, −kv |
//! | `intvelocity` | integrator | kp | 0, −kp, −kv |
//! | `damper` | none | 0, 0, −kv (affine) | none |
//! | `cylinder` | filter τ | area | bias₀, 0, 0 |
//! | `muscle` | muscle τ₊ τ₋ smooth | range force scale lmin lmax vmax fpmax fvmax | the same |
//! | `adhesion` | as inherited | gain | none |
//! | `general` | as written | as written | as written |
//!
//! A damping ratio is kept as a positive third bias parameter until the inertia at `qpos0` is known
//! (see `sinew_engine::constants::set_constants`).

use super::record::{Record, take};
use crate::place::{At, Place};
use crate::report::Report;
use crate::spec::actuator::{Actuator, ActuatorKind, ActuatorTable};
use crate::spec::value::Tristate;
use sinew_model::kinds::{BiasType, DynamicsType, GainType};

/// Where and about whom to complain.
struct Complaint<'a> {
    report: &'a mut Report,
    element: &'a str,
}

impl Complaint<'_> {
    fn error(&mut self, place: Place, attribute: &str, message: &str) {
        self.report
            .error("mjcf::invalid-actuator", place, message)
            .element(self.element)
            .attribute(attribute);
    }
}

/// Writes the meaning of an element into the record.
pub fn expand(record: &mut Record, actuator: &Actuator, element: &str, report: &mut Report) {
    let table = &actuator.table;
    let mut complaint = Complaint { report, element };
    match actuator.kind {
        ActuatorKind::General => general(record, table),
        ActuatorKind::Motor => motor(record),
        ActuatorKind::Position => {
            if let Err(mistake) = position(record, table) {
                complaint.error(mistake.place, mistake.attribute, mistake.message);
            }
        }
        ActuatorKind::IntVelocity => int_velocity(record, table, &mut complaint),
        ActuatorKind::Velocity => velocity(record, table),
        ActuatorKind::Damper => damper(record, table, &mut complaint),
        ActuatorKind::Cylinder => cylinder(record, table, &mut complaint),
        ActuatorKind::Muscle => muscle(record, table, &mut complaint),
        ActuatorKind::Adhesion => adhesion(record, table, &mut complaint),
        ActuatorKind::Plugin => {
            take(&mut record.dyntype, &table.dyntype);
            take(&mut record.actearly, &table.actearly);
            if let Some(prm) = &table.dynprm {
                record.dynprm = prm.value.over(record.dynprm);
            }
            take(&mut record.actdim, &table.actdim);
        }
    }
}

fn place_of<T>(attribute: &Option<At<T>>, otherwise: Place) -> Place {
    attribute.as_ref().map_or(otherwise, |at| at.place)
}

fn general(record: &mut Record, table: &ActuatorTable) {
    take(&mut record.dyntype, &table.dyntype);
    take(&mut record.gaintype, &table.gaintype);
    take(&mut record.biastype, &table.biastype);
    take(&mut record.actearly, &table.actearly);
    for (field, written) in [
        (&mut record.dynprm, &table.dynprm),
        (&mut record.gainprm, &table.gainprm),
        (&mut record.biasprm, &table.biasprm),
    ] {
        if let Some(written) = written {
            *field = written.value.over(*field);
        }
    }
    take(&mut record.actdim, &table.actdim);
    // No text may say this of a general actuator, programs may.
    take(&mut record.inheritrange, &table.inheritrange);
}

fn motor(record: &mut Record) {
    record.gainprm[0] = 1.0;
    record.dyntype = DynamicsType::None;
    record.gaintype = GainType::Fixed;
    record.biastype = BiasType::None;
}

/// What is wrong with a position servo.
struct Mistake {
    place: Place,
    attribute: &'static str,
    message: &'static str,
}

impl Mistake {
    fn new(place: Place, attribute: &'static str, message: &'static str) -> Self {
        Mistake {
            place,
            attribute,
            message,
        }
    }
}

/// Stops at the first mistake and leaves the record as far as it came.
fn position(record: &mut Record, table: &ActuatorTable) -> Result<(), Mistake> {
    let kp = table.kp.as_ref().map_or(record.gainprm[0], |kp| kp.value);
    record.gainprm[0] = kp;
    record.biasprm[1] = -kp;
    if let (Some(_), Some(ratio)) = (&table.kv, &table.dampratio) {
        let message = "kv and dampratio cannot both be given";
        return Err(Mistake::new(ratio.place, "dampratio", message));
    }
    if let Some(kv) = &table.kv {
        if kv.value < 0.0 {
            return Err(Mistake::new(kv.place, "kv", "kv cannot be negative"));
        }
        record.biasprm[2] = -kv.value;
    }
    if let Some(ratio) = &table.dampratio {
        if ratio.value < 0.0 {
            let message = "dampratio cannot be negative";
            return Err(Mistake::new(ratio.place, "dampratio", message));
        }
        record.biasprm[2] = ratio.value;
    }
    if let Some(timeconst) = &table.timeconst {
        let [value] = *timeconst.value.as_slice() else {
            let message = "timeconst needs one number";
            return Err(Mistake::new(timeconst.place, "timeconst", message));
        };
        if value < 0.0 {
            let message = "timeconst cannot be negative";
            return Err(Mistake::new(timeconst.place, "timeconst", message));
        }
        record.dynprm[0] = value;
        record.dyntype = if value == 0.0 {
            DynamicsType::None
        } else {
            DynamicsType::Filterexact
        };
    }
    take(&mut record.inheritrange, &table.inheritrange);
    if record.inheritrange > 0.0 && record.ctrlrange != [0.0; 2] {
        let place = place_of(&table.inheritrange, table.place);
        let message = "ctrlrange and inheritrange cannot both be given";
        return Err(Mistake::new(place, "inheritrange", message));
    }
    record.gaintype = GainType::Fixed;
    record.biastype = BiasType::Affine;
    Ok(())
}

fn int_velocity(record: &mut Record, table: &ActuatorTable, complaint: &mut Complaint) {
    // The reference drops the servo's mistakes here and keeps the half-written record. So do we,
    // but not in silence.
    if let Err(mistake) = position(record, table) {
        complaint
            .report
            .warning("mjcf::ignored-setting", mistake.place, mistake.message)
            .element(complaint.element)
            .attribute(mistake.attribute)
            .hint("the settings of this servo are taken over only in part");
    }
    record.dyntype = DynamicsType::Integrator;
    record.actlimited = Tristate::True;
    if record.inheritrange > 0.0 && record.actrange != [0.0; 2] {
        let place = place_of(&table.inheritrange, table.place);
        let message = "actrange and inheritrange cannot both be given";
        complaint.error(place, "inheritrange", message);
    }
}

fn velocity(record: &mut Record, table: &ActuatorTable) {
    let kv = table.kv.as_ref().map_or(record.gainprm[0], |kv| kv.value);
    record.biasprm = [0.0; 10];
    record.gainprm[0] = kv;
    record.biasprm[2] = -kv;
    record.dyntype = DynamicsType::None;
    record.gaintype = GainType::Fixed;
    record.biastype = BiasType::Affine;
}

fn damper(record: &mut Record, table: &ActuatorTable, complaint: &mut Complaint) {
    // The one gain that no class can give.
    let kv = table.kv.as_ref().map_or(0.0, |kv| kv.value);
    record.gainprm = [0.0; 10];
    record.gainprm[2] = -kv;
    record.ctrllimited = Tristate::True;
    record.dyntype = DynamicsType::None;
    record.gaintype = GainType::Affine;
    record.biastype = BiasType::None;
    if kv < 0.0 {
        let place = place_of(&table.kv, table.place);
        complaint.error(place, "kv", "damping coefficient cannot be negative");
    }
    check_control_range(record, table, complaint);
}

fn cylinder(record: &mut Record, table: &ActuatorTable, complaint: &mut Complaint) {
    if let Some(timeconst) = &table.timeconst {
        if let [value] = *timeconst.value.as_slice() {
            record.dynprm[0] = value;
        } else {
            complaint.error(timeconst.place, "timeconst", "timeconst needs one number");
        }
    }
    if let Some(bias) = &table.bias {
        // Three numbers are asked for, one takes effect.
        record.biasprm[0] = bias.value[0];
    }
    take(&mut record.gainprm[0], &table.area);
    if let Some(diameter) = table.diameter.as_ref().filter(|d| d.value >= 0.0) {
        let quarter_turn = core::f64::consts::PI / 4.0;
        record.gainprm[0] = quarter_turn * diameter.value * diameter.value;
    }
    record.dyntype = DynamicsType::Filter;
    record.gaintype = GainType::Fixed;
    record.biastype = BiasType::Affine;
}

/// What muscle parameters are when neither element nor class says so: position in the parameters,
/// the value that counts as unset, the default.
const MUSCLE_DEFAULTS: [(usize, f64, f64); 9] = [
    (0, 1.0, 0.75),
    (1, 0.0, 1.05),
    (2, 0.0, -1.0),
    (3, 0.0, 200.0),
    (4, 0.0, 0.5),
    (5, 0.0, 1.6),
    (6, 0.0, 1.5),
    (7, 0.0, 1.3),
    (8, 0.0, 1.2),
];

fn muscle(record: &mut Record, table: &ActuatorTable, complaint: &mut Complaint) {
    if record.dynprm[0] == 1.0 {
        record.dynprm[0] = 0.01;
    }
    if record.dynprm[1] == 0.0 {
        record.dynprm[1] = 0.04;
    }
    for (i, unset, default) in MUSCLE_DEFAULTS {
        if record.gainprm[i] == unset {
            record.gainprm[i] = default;
        }
    }
    if let Some(tausmooth) = &table.tausmooth {
        if tausmooth.value < 0.0 {
            let message = "muscle tausmooth cannot be negative";
            complaint.error(tausmooth.place, "tausmooth", message);
        }
        record.dynprm[2] = tausmooth.value;
    }
    // A negative number counts as not given.
    if let Some(timeconst) = &table.timeconst {
        if let [activation, deactivation] = *timeconst.value.as_slice() {
            keep_if_not_negative(&mut record.dynprm[0], Some(activation));
            keep_if_not_negative(&mut record.dynprm[1], Some(deactivation));
        } else {
            let message = "timeconst of a muscle needs two numbers: activation, deactivation";
            complaint.error(timeconst.place, "timeconst", message);
        }
    }
    let range = table.range.as_ref().map(|range| range.value);
    let value = |attribute: &Option<At<f64>>| attribute.as_ref().map(|at| at.value);
    let given = [
        range.map(|range| range[0]),
        range.map(|range| range[1]),
        value(&table.force),
        value(&table.scale),
        value(&table.lmin),
        value(&table.lmax),
        value(&table.vmax),
        value(&table.fpmax),
        value(&table.fvmax),
    ];
    for (field, given) in record.gainprm.iter_mut().zip(given) {
        keep_if_not_negative(field, given);
    }
    for i in 0..9 {
        record.biasprm[i] = record.gainprm[i];
    }
    record.dyntype = DynamicsType::Muscle;
    record.gaintype = GainType::Muscle;
    record.biastype = BiasType::Muscle;
}

fn keep_if_not_negative(field: &mut f64, given: Option<f64>) {
    if let Some(value) = given.filter(|value| *value >= 0.0) {
        *field = value;
    }
}

fn adhesion(record: &mut Record, table: &ActuatorTable, complaint: &mut Complaint) {
    take(&mut record.gainprm[0], &table.gain);
    record.ctrllimited = Tristate::True;
    record.gaintype = GainType::Fixed;
    record.biastype = BiasType::None;
    if record.gainprm[0] < 0.0 {
        let place = place_of(&table.gain, table.place);
        complaint.error(place, "gain", "adhesion gain cannot be negative");
    }
    check_control_range(record, table, complaint);
}

fn check_control_range(record: &Record, table: &ActuatorTable, complaint: &mut Complaint) {
    if record.ctrlrange[0] < 0.0 || record.ctrlrange[1] < 0.0 {
        let place = place_of(&table.ctrlrange, table.place);
        complaint.error(place, "ctrlrange", "control range cannot be negative here");
    }
}
