//! Values of a compiled model change through checks; its structure does not change.

use crate::open;
use sinew::engine::Data;
use sinew::engine::constants::{set_constants, set_spring_damper, set_total_mass};
use sinew::model::change::Fault;
use sinew::model::{Model, ModelArrays};

/// All numbers of a model.
fn bytes(model: &Model) -> Vec<u8> {
    let columns = model.columns().into_iter();
    columns.flat_map(|column| column.bytes.to_vec()).collect()
}

#[test]
fn values_take_effect_at_the_next_step() {
    let mut model = open("cartpole");
    let mut data = Data::new(&model);
    let (body, mass) = (model.nbody - 1, model.body_mass[model.nbody - 1]);
    model
        .change(|arrays| {
            arrays.body_mass[body] = 2.0 * mass;
            arrays.geom_rgba[0] = [0.1, 0.2, 0.3, 1.0];
            arrays.jnt_range[0] = [-f64::INFINITY, 3.0];
            arrays.geom_condim[0] = 6;
        })
        .expect("values");
    assert_eq!(model.body_mass[body], 2.0 * mass);
    set_constants(&mut model).expect("constants");
    assert_eq!(model.body_subtreemass[body], 2.0 * mass);
    // The simulation goes on with the changed model.
    assert_eq!(data.step(&model), Ok(()));
}

/// What is tried, in which array it is refused, and why.
type Refusal = (fn(&mut ModelArrays), &'static str, Fault);

#[test]
fn what_makes_no_sense_is_refused_and_nothing_is_changed() {
    let refusals: [Refusal; 22] = [
        (|m| m.body_mass[1] = -1.0, "body_mass", Fault::Negative),
        (|m| m.body_mass[1] = f64::NAN, "body_mass", Fault::NotFinite),
        (
            |m| m.body_inertia[1].0[2] = -1e-9,
            "body_inertia",
            Fault::Negative,
        ),
        (
            |m| m.body_pos[1].0[0] = f64::INFINITY,
            "body_pos",
            Fault::NotFinite,
        ),
        (|m| m.body_quat[1].0 = [0.0; 4], "body_quat", Fault::NotUnit),
        (|m| m.geom_quat[1].0[3] = 2.0, "geom_quat", Fault::NotUnit),
        (
            |m| m.jnt_axis[1].0 = [0.0, 0.0, 2.0],
            "jnt_axis",
            Fault::NotUnit,
        ),
        (|m| m.geom_size[1][0] = -0.1, "geom_size", Fault::Negative),
        (
            |m| m.geom_friction[1][0] = -0.1,
            "geom_friction",
            Fault::Negative,
        ),
        (
            |m| m.geom_rgba[1][0] = f32::NAN,
            "geom_rgba",
            Fault::NotFinite,
        ),
        (
            |m| m.dof_armature[0] = -1.0,
            "dof_armature",
            Fault::Negative,
        ),
        (|m| m.jnt_range[1] = [1.0, -1.0], "jnt_range", Fault::Range),
        (
            |m| m.actuator_ctrlrange[0] = [0.0, f64::NAN],
            "actuator_ctrlrange",
            Fault::NotFinite,
        ),
        (|m| m.qpos0[0] = f64::NAN, "qpos0", Fault::NotFinite),
        (|m| m.geom_condim[1] = 2, "geom_condim", Fault::Unknown),
        (
            |m| m.geom_matid[1] = 1_000_000,
            "geom_matid",
            Fault::Unknown,
        ),
        (
            |m| m.actuator_gaintype[0] = 99,
            "actuator_gaintype",
            Fault::Unknown,
        ),
        (
            |m| m.body_parentid[1] = 5,
            "body_parentid",
            Fault::Structure,
        ),
        (|m| m.names[0] = b'x', "names", Fault::Structure),
        (|m| m.nbody -= 1, "sizes", Fault::Structure),
        (|m| m.signature = 0, "sizes", Fault::Structure),
        (|m| m.body_mass.clear(), "body_mass", Fault::Length),
    ];
    let mut model = open("humanoid");
    let before = bytes(&model);
    for (edit, column, fault) in refusals {
        let error = model.change(edit).expect_err(column);
        assert_eq!((error.column, error.fault), (column, fault), "{error}");
        assert!(error.to_string().contains(column), "{error}");
        assert!(bytes(&model) == before, "{error}");
    }
    // One bad value refuses the whole change.
    let both = model.change(|m| {
        m.body_mass[2] = 3.0;
        m.body_mass[3] = -3.0;
    });
    assert_eq!(both.map_err(|error| error.row), Err(3));
    assert!(bytes(&model) == before);
}

#[test]
fn masses_and_springs_are_checked_as_well() {
    let mut model = open("humanoid");
    let before = bytes(&model);
    for bad in [f64::NAN, f64::INFINITY, f64::NEG_INFINITY] {
        assert!(set_total_mass(&mut model, bad).is_err());
    }
    let joints = model.njnt;
    assert!(set_spring_damper(&mut model, joints, 1.0, 1.0).is_err());
    assert!(bytes(&model) == before);
    set_total_mass(&mut model, 50.0).expect("finite");
    let total: f64 = model.body_mass[1..].iter().sum();
    assert!((total - 50.0).abs() < 1e-12 * 50.0);
    // The empty model has nothing to scale.
    assert_eq!(set_total_mass(&mut Model::default(), 1.0), Ok(()));
}
