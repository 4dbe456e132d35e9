//! The facts about a model, gathered once for both ways of showing them.

use super::words::{flags, name, range, reference, word};
use serde::Serialize;
use sinew::model::Model;
use sinew::model::joint::Layout;
use sinew::model::kinds::{
    BiasType, Cone, DisableFlag, DynamicsType, EnableFlag, EqualityType, GainType, Integrator,
    Jacobian, JointType, ObjectType, SensorType, Solver, TransmissionType,
};

/// Everything that is shown.
#[derive(Serialize)]
pub struct Summary {
    pub model: String,
    pub source: String,
    pub mass: f64,
    pub sizes: serde_json::Map<String, serde_json::Value>,
    pub options: Options,
    pub bodies: Vec<Body>,
    pub joints: Vec<Joint>,
    pub tendons: Vec<Tendon>,
    pub equalities: Vec<Equality>,
    pub actuators: Vec<Actuator>,
    pub sensors: Vec<Sensor>,
    pub keyframes: Vec<String>,
}

#[derive(Serialize)]
pub struct Options {
    pub timestep: f64,
    pub gravity: [f64; 3],
    pub integrator: String,
    pub solver: String,
    pub iterations: i32,
    pub tolerance: f64,
    pub cone: String,
    pub jacobian: String,
    pub impratio: f64,
    pub density: f64,
    pub viscosity: f64,
    pub wind: [f64; 3],
    pub disabled: Vec<String>,
    pub enabled: Vec<String>,
}

#[derive(Serialize)]
pub struct Body {
    pub id: usize,
    pub name: String,
    pub parent: usize,
    pub mass: f64,
    pub is_mocap: bool,
    pub joints: Vec<String>,
    pub geoms: usize,
    pub sites: usize,
}

#[derive(Serialize)]
pub struct Joint {
    pub name: String,
    pub kind: String,
    pub body: String,
    pub range: Option<[f64; 2]>,
    pub qpos: [i32; 2],
    pub dofs: [i32; 2],
}

#[derive(Serialize)]
pub struct Tendon {
    pub name: String,
    pub length0: f64,
    pub range: Option<[f64; 2]>,
    pub stiffness: f64,
    pub damping: f64,
}

#[derive(Serialize)]
pub struct Equality {
    pub name: String,
    pub kind: String,
    pub first: String,
    pub second: Option<String>,
    pub is_active: bool,
}

#[derive(Serialize)]
pub struct Actuator {
    pub name: String,
    pub transmission: String,
    pub target: String,
    pub dynamics: String,
    pub gain: String,
    pub bias: String,
    pub gear: [f64; 6],
    pub ctrlrange: Option<[f64; 2]>,
    pub forcerange: Option<[f64; 2]>,
}

#[derive(Serialize)]
pub struct Sensor {
    pub name: String,
    pub kind: String,
    pub object: Option<String>,
    pub reference: Option<String>,
    pub address: i32,
    pub dimension: i32,
}

/// Gathers the facts. `source` is what the user called the model.
pub fn of(source: &str, model: &Model) -> Summary {
    let sizes = model.sizes().into_iter();
    Summary {
        model: model.model_name().to_owned(),
        source: source.to_owned(),
        mass: model.body_mass.iter().fold(0.0, |sum, mass| sum + mass),
        sizes: sizes
            .map(|(size, value)| (size.to_owned(), value.into()))
            .collect(),
        options: options(model),
        bodies: (0..model.nbody).map(|id| body(model, id)).collect(),
        joints: (0..model.njnt).map(|id| joint(model, id)).collect(),
        tendons: (0..model.ntendon).map(|id| tendon(model, id)).collect(),
        equalities: (0..model.neq).map(|id| equality(model, id)).collect(),
        actuators: (0..model.nu).map(|id| actuator(model, id)).collect(),
        sensors: (0..model.nsensor).map(|id| sensor(model, id)).collect(),
        keyframes: (0..model.nkey)
            .map(|id| name(model, ObjectType::Key, id))
            .collect(),
    }
}

fn options(model: &Model) -> Options {
    let opt = &model.opt;
    Options {
        timestep: opt.timestep,
        gravity: opt.gravity.0,
        integrator: word(Integrator::TABLE, opt.integrator),
        solver: word(Solver::TABLE, opt.solver),
        iterations: opt.iterations,
        tolerance: opt.tolerance,
        cone: word(Cone::TABLE, opt.cone),
        jacobian: word(Jacobian::TABLE, opt.jacobian),
        impratio: opt.impratio,
        density: opt.density,
        viscosity: opt.viscosity,
        wind: opt.wind.0,
        disabled: flags(DisableFlag::TABLE, opt.disableflags),
        enabled: flags(EnableFlag::TABLE, opt.enableflags),
    }
}

fn body(model: &Model, id: usize) -> Body {
    let first = usize::try_from(model.body_jntadr[id]).unwrap_or(0);
    let count = usize::try_from(model.body_jntnum[id]).unwrap_or(0);
    let owned = |owners: &[i32]| owners.iter().filter(|&&owner| owner as usize == id).count();
    Body {
        id,
        name: name(model, ObjectType::Body, id),
        parent: usize::try_from(model.body_parentid[id]).unwrap_or(0),
        mass: model.body_mass[id],
        is_mocap: model.body_mocapid[id] >= 0,
        joints: (first..first + count)
            .map(|id| name(model, ObjectType::Joint, id))
            .collect(),
        geoms: usize::try_from(model.body_geomnum[id]).unwrap_or(0),
        sites: owned(&model.site_bodyid),
    }
}

fn joint(model: &Model, id: usize) -> Joint {
    let kind = model.jnt_type[id];
    let layout = Layout::of(kind);
    let (coordinates, dofs) = (layout.positions() as i32, layout.dofs() as i32);
    let [qpos, dof] = [model.jnt_qposadr[id], model.jnt_dofadr[id]];
    let body = usize::try_from(model.jnt_bodyid[id]).unwrap_or(0);
    Joint {
        name: name(model, ObjectType::Joint, id),
        kind: word(JointType::TABLE, kind),
        body: name(model, ObjectType::Body, body),
        range: range(model.jnt_limited[id], model.jnt_range[id]),
        qpos: [qpos, qpos + coordinates - 1],
        dofs: [dof, dof + dofs - 1],
    }
}

fn tendon(model: &Model, id: usize) -> Tendon {
    Tendon {
        name: name(model, ObjectType::Tendon, id),
        length0: model.tendon_length0[id],
        range: range(model.tendon_limited[id], model.tendon_range[id]),
        stiffness: model.tendon_stiffness[id],
        damping: model.tendon_damping[id],
    }
}

fn equality(model: &Model, id: usize) -> Equality {
    let code = model.eq_type[id];
    let object = match EqualityType::from_code(code) {
        Some(EqualityType::Joint) => ObjectType::Joint.code(),
        Some(EqualityType::Tendon) => ObjectType::Tendon.code(),
        _ => model.eq_objtype[id],
    };
    Equality {
        name: name(model, ObjectType::Equality, id),
        kind: word(EqualityType::TABLE, code),
        first: reference(model, object, model.eq_obj1id[id]).unwrap_or_default(),
        second: reference(model, object, model.eq_obj2id[id]),
        is_active: model.eq_active0[id] != 0,
    }
}

fn actuator(model: &Model, id: usize) -> Actuator {
    let transmission = model.actuator_trntype[id];
    let kind = match TransmissionType::from_code(transmission) {
        Some(TransmissionType::Joint | TransmissionType::Jointinparent) => ObjectType::Joint,
        Some(TransmissionType::Tendon) => ObjectType::Tendon,
        Some(TransmissionType::Site | TransmissionType::Slidercrank) => ObjectType::Site,
        Some(TransmissionType::Body) => ObjectType::Body,
        Some(TransmissionType::Undefined) | None => ObjectType::Unknown,
    };
    let [target, _] = model.actuator_trnid[id];
    let target = usize::try_from(target).map_or_else(|_| String::new(), |t| name(model, kind, t));
    Actuator {
        name: name(model, ObjectType::Actuator, id),
        transmission: word(TransmissionType::TABLE, transmission),
        target,
        dynamics: word(DynamicsType::TABLE, model.actuator_dyntype[id]),
        gain: word(GainType::TABLE, model.actuator_gaintype[id]),
        bias: word(BiasType::TABLE, model.actuator_biastype[id]),
        gear: model.actuator_gear[id],
        ctrlrange: range(model.actuator_ctrllimited[id], model.actuator_ctrlrange[id]),
        forcerange: range(
            model.actuator_forcelimited[id],
            model.actuator_forcerange[id],
        ),
    }
}

fn sensor(model: &Model, id: usize) -> Sensor {
    Sensor {
        name: name(model, ObjectType::Sensor, id),
        kind: word(SensorType::TABLE, model.sensor_type[id]),
        object: reference(model, model.sensor_objtype[id], model.sensor_objid[id]),
        reference: reference(model, model.sensor_reftype[id], model.sensor_refid[id]),
        address: model.sensor_adr[id],
        dimension: model.sensor_dim[id],
    }
}
