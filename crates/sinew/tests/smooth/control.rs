//! State and control of a simulation: state vectors by component, keyframes, mocap bodies, applied
//! forces, split steps, skipped stages, names.

use crate::{Case, close};
use sinew::engine::state_vector::{StateError, extract_state, state_size};
use sinew::engine::{Data, Engine, Sensors};
use sinew::math::Vec3;
use sinew::model::kinds::{ObjectType, Stage, StateComponent};

/// One of everything that a state has.
const MACHINE: &str = r#"<mujoco><size nuserdata="3"/><worldbody>
      <body name="hand" mocap="true" pos="0 0 2"><geom name="palm" size=".05" contype="0" conaffinity="0"/></body>
      <body name="arm" pos="0 0 1"><joint name="shoulder" axis="0 1 0"/>
        <geom name="upper" type="capsule" fromto="0 0 0 .3 0 0" size=".03"/><site name="tip" pos=".3 0 0"/></body>
      <body name="ball" pos="1 0 1"><freejoint name="root"/><geom size=".1" pos=".05 0 0"/></body></worldbody>
    <tendon><fixed name="cord"><joint joint="shoulder" coef="2"/></fixed></tendon>
    <actuator><motor name="late" joint="shoulder" delay=".004" nsample="3"/>
      <general name="lag" joint="shoulder" dyntype="filter" dynprm=".1"/></actuator>
    <equality><weld name="tie" body1="hand" body2="ball" active="false"/>
      <joint name="lock" joint1="shoulder"/></equality>
    <sensor><jointpos name="angle" joint="shoulder" nsample="2"/><jointvel name="rate" joint="shoulder"/>
      <actuatorfrc name="pull" actuator="late"/></sensor>
    <keyframe><key name="up" time="2" qpos=".5 1 2 3 0 1 0 0" qvel="1 2 3 4 5 6 7" act=".25" ctrl=".1 .2"
      mpos="4 5 6" mquat="0 0 1 0"/></keyframe></mujoco>"#;

const SINGLE: [(StateComponent, usize); 14] = [
    (StateComponent::Time, 1),
    (StateComponent::Qpos, 8),
    (StateComponent::Qvel, 7),
    (StateComponent::Act, 1),
    // A user slot, a cursor, and times and values of each sample.
    (StateComponent::History, (2 + 3 + 3) + (2 + 2 + 2)),
    (StateComponent::Warmstart, 7),
    (StateComponent::Ctrl, 2),
    (StateComponent::QfrcApplied, 7),
    (StateComponent::XfrcApplied, 24),
    (StateComponent::EqActive, 2),
    (StateComponent::MocapPos, 3),
    (StateComponent::MocapQuat, 4),
    (StateComponent::Userdata, 3),
    (StateComponent::Plugin, 0),
];

/// A simulation in the middle of something, with all inputs in use.
fn busy() -> Case {
    let mut case = Case::new(MACHINE).ctrl(&[0.3, -0.2]);
    case.data.input.qfrc_applied[0] = 0.1;
    case.data.input.xfrc_applied[3] = [1.0, 2.0, 3.0, 0.1, 0.2, 0.3];
    case.data.input.userdata.copy_from_slice(&[7.0, 8.0, 9.0]);
    case.data.input.mocap_pos[0] = Vec3([0.0, 0.5, 2.0]);
    case.data.input.eq_active[1] = 0;
    case.steps(5)
}

fn vector(case: &Case, components: i32) -> Vec<f64> {
    let mut out = vec![f64::NAN; state_size(&case.model, components).expect("known")];
    case.data
        .get_state(&case.model, components, &mut out)
        .expect("fits");
    out
}

#[test]
fn components_have_their_sizes_and_stand_in_order() {
    let case = busy();
    let mut all = 0;
    for (component, size) in SINGLE {
        assert_eq!(
            state_size(&case.model, component.code()),
            Ok(size),
            "{component:?}"
        );
        all |= component.code();
    }
    assert_eq!(state_size(&case.model, 0), Ok(0));
    assert_eq!(StateComponent::Integration.code(), all);
    let one_by_one: Vec<f64> = SINGLE
        .iter()
        .flat_map(|(component, _)| vector(&case, component.code()))
        .collect();
    assert_eq!(vector(&case, all), one_by_one);
    // The named unions are what they say.
    let sum = |parts: &[StateComponent]| parts.iter().map(|part| part.code()).sum::<i32>();
    use StateComponent as S;
    let physics = sum(&[S::Qpos, S::Qvel, S::Act, S::History]);
    assert_eq!(S::Physics.code(), physics);
    assert_eq!(S::Fullphysics.code(), physics | sum(&[S::Time, S::Plugin]));
    let user = [
        S::Ctrl,
        S::QfrcApplied,
        S::XfrcApplied,
        S::EqActive,
        S::MocapPos,
        S::MocapQuat,
        S::Userdata,
    ];
    assert_eq!(S::User.code(), sum(&user));
}

#[test]
fn every_component_is_set_copied_and_extracted_alone() {
    let source = busy();
    let all = StateComponent::Integration.code();
    let whole = vector(&source, all);
    for (component, size) in SINGLE {
        let mask = component.code();
        let part = vector(&source, mask);
        let mut set = Case::new(MACHINE);
        set.data.set_state(&set.model, mask, &part).expect("fits");
        let mut copied = Case::new(MACHINE);
        copied.data.copy_state(&source.data, mask).expect("fits");
        let mut extracted = vec![0.0; size];
        extract_state(&source.model, &whole, all, &mut extracted, mask).expect("contained");
        assert_eq!(extracted, part, "{component:?}");
        for case in [&set, &copied] {
            assert_eq!(vector(case, mask), part, "{component:?}");
            // All other components are as in a new simulation.
            assert_eq!(
                vector(case, all & !mask),
                vector(&Case::new(MACHINE), all & !mask),
                "{component:?}"
            );
        }
    }
    let time = StateComponent::Time.code();
    let mut out = [0.0];
    let missing = extract_state(
        &source.model,
        &[1.0],
        time,
        &mut [0.0; 8],
        StateComponent::Qpos.code(),
    );
    assert_eq!(
        missing,
        Err(StateError::Missing(StateComponent::Qpos.code()))
    );
    for (mask, error) in [
        (1 << 14, StateError::UnknownComponent(1 << 14)),
        (-1, StateError::UnknownComponent(-1)),
        (
            StateComponent::Qpos.code(),
            StateError::Length {
                expected: 8,
                found: 1,
            },
        ),
    ] {
        assert_eq!(
            source.data.get_state(&source.model, mask, &mut out),
            Err(error)
        );
        let mut target = Case::new(MACHINE);
        assert_eq!(target.data.set_state(&target.model, mask, &out), Err(error));
    }
}

#[test]
fn keyframes_set_all_they_name_and_reset_the_rest() {
    let mut case = busy();
    let key = case.model.id(ObjectType::Key, "up").expect("a keyframe");
    case.data
        .reset_to_keyframe(&case.model, key)
        .expect("a keyframe");
    let (state, input) = (&case.data.state, &case.data.input);
    assert_eq!(state.time, 2.0);
    assert_eq!(state.qpos, [0.5, 1.0, 2.0, 3.0, 0.0, 1.0, 0.0, 0.0]);
    assert_eq!(state.qvel, [1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0]);
    assert_eq!(
        (state.act[0], input.ctrl.as_slice()),
        (0.25, &[0.1, 0.2][..])
    );
    assert_eq!(input.mocap_pos[0], Vec3([4.0, 5.0, 6.0]));
    assert_eq!(input.mocap_quat[0].0, [0.0, 0.0, 1.0, 0.0]);
    let fresh = Data::new(&case.model);
    assert_eq!(input.userdata, fresh.input.userdata);
    assert_eq!(input.qfrc_applied, fresh.input.qfrc_applied);
    assert_eq!(input.xfrc_applied, fresh.input.xfrc_applied);
    assert_eq!(input.eq_active, fresh.input.eq_active);
    assert_eq!(state.qacc_warmstart, fresh.state.qacc_warmstart);
    assert_eq!(state.history, fresh.state.history);
}

#[test]
fn mocap_bodies_go_where_they_are_put() {
    let mut case = Case::new(MACHINE);
    let hand = case.model.id(ObjectType::Body, "hand").expect("a body");
    case.data.input.mocap_pos[0] = Vec3([1.0, 2.0, 3.0]);
    case.data.input.mocap_quat[0].0 = [0.0, 0.0, 2.0, 0.0];
    let case = case.steps(3);
    let kinematics = &case.data.position.kinematics;
    assert_eq!(kinematics.xpos[hand], Vec3([1.0, 2.0, 3.0]));
    assert_eq!(kinematics.xquat[hand].0, [0.0, 0.0, 1.0, 0.0]);
    // The input stays as it was given.
    assert_eq!(case.data.input.mocap_quat[0].0, [0.0, 0.0, 2.0, 0.0]);
}

#[test]
fn applied_forces_enter_the_smooth_force() {
    let force = |case: Case| case.forward().data.acceleration.smooth.qfrc_smooth;
    let none = force(Case::new(MACHINE));
    let mut pushed = Case::new(MACHINE);
    for (k, f) in pushed.data.input.qfrc_applied.iter_mut().enumerate() {
        *f = k as f64 - 3.0;
    }
    let added = force(pushed);
    for k in 0..7 {
        close(&[added[k] - none[k]], &[k as f64 - 3.0], 1e-12);
    }
    // A Cartesian force acts at the centre of mass, like the query that maps forces.
    let mut pushed = Case::new(MACHINE);
    let ball = pushed.model.id(ObjectType::Body, "ball").expect("a body");
    pushed.data.input.xfrc_applied[ball] = [1.0, 2.0, 3.0, 0.1, 0.2, 0.3];
    let pushed = pushed.forward();
    let mut expected = none;
    let point = pushed.data.position.kinematics.xipos[ball];
    let (push, turn) = (Vec3([1.0, 2.0, 3.0]), Vec3([0.1, 0.2, 0.3]));
    pushed
        .data
        .apply_force(&pushed.model, ball, point, push, turn, &mut expected)
        .expect("fits");
    close(
        &pushed.data.acceleration.smooth.qfrc_smooth,
        &expected,
        1e-12,
    );
}

#[test]
fn split_steps_are_whole_steps() {
    for integrator in [0, 2, 3] {
        let start = || {
            let mut case = busy();
            case.model.opt.integrator = integrator;
            case
        };
        let mut split = start();
        for _ in 0..20 {
            split.data.step1(&split.model).expect("finite");
            split.data.step2(&split.model).expect("finite");
        }
        let whole = start().steps(20);
        let all = StateComponent::Integration.code();
        assert_eq!(vector(&split, all), vector(&whole, all));
        assert_eq!(split.data.sensor.sensordata, whole.data.sensor.sensordata);
        // Controls set between the halves count in the same step.
        let mut split = start();
        split.data.step1(&split.model).expect("finite");
        split.data.input.ctrl[1] = 5.0;
        split.data.step2(&split.model).expect("finite");
        let whole = start().ctrl(&[0.3, 5.0]).steps(1);
        assert_eq!(vector(&split, all), vector(&whole, all));
    }
}

#[test]
fn stages_that_are_current_may_be_skipped() {
    let qacc = |case: &Case| case.qacc().to_vec();
    // New controls: only accelerations change.
    let mut case = busy().forward();
    case.data.input.ctrl[1] = 9.0;
    case.data.input.qfrc_applied[3] = 4.0;
    let whole = case.clone().forward();
    Engine::new(&case.model)
        .forward_from(&mut case.data, Stage::Vel, Sensors::Computed)
        .expect("its own model");
    assert_eq!(qacc(&case), qacc(&whole));
    assert_eq!(case.data.sensor.sensordata, whole.data.sensor.sensordata);
    // New velocities: positions stay.
    case.data.state.qvel[0] += 1.0;
    let whole = case.clone().forward();
    Engine::new(&case.model)
        .forward_from(&mut case.data, Stage::Pos, Sensors::Computed)
        .expect("its own model");
    assert_eq!(qacc(&case), qacc(&whole));
    assert_eq!(case.data.sensor.sensordata, whole.data.sensor.sensordata);
    // Without sensors the readings stay.
    let before = case.data.sensor.sensordata.clone();
    case.data.state.qvel[0] += 1.0;
    case.data.state.qpos[0] += 1.0;
    let whole = case.clone().forward();
    Engine::new(&case.model)
        .forward_from(&mut case.data, Stage::None, Sensors::Skipped)
        .expect("its own model");
    assert_eq!(qacc(&case), qacc(&whole));
    assert_eq!(case.data.sensor.sensordata, before);
}

#[test]
fn objects_are_found_by_name_and_named_by_id() {
    let model = Case::new(MACHINE).model;
    for (kind, name, id) in [
        (ObjectType::Body, "world", 0),
        (ObjectType::Body, "arm", 2),
        (ObjectType::Joint, "shoulder", 0),
        (ObjectType::Joint, "root", 1),
        (ObjectType::Geom, "upper", 1),
        (ObjectType::Site, "tip", 0),
        (ObjectType::Tendon, "cord", 0),
        (ObjectType::Actuator, "lag", 1),
        (ObjectType::Equality, "lock", 1),
        (ObjectType::Sensor, "pull", 2),
        (ObjectType::Key, "up", 0),
    ] {
        assert_eq!(model.id(kind, name), Some(id), "{name}");
        assert_eq!(model.name(kind, id), Some(name));
        assert_eq!(model.id(kind, "nobody"), None);
        assert_eq!(model.name(kind, 99), None);
    }
    // A geom without a name.
    assert_eq!(model.name(ObjectType::Geom, 2), None);
    assert_eq!(model.id(ObjectType::Geom, ""), None);
}

#[test]
fn nothing_is_computed_in_a_new_simulation_nor_after_a_reset() {
    let mut case = busy();
    case.data.reset(&case.model).expect("its own model");
    for data in [&case.data, &Data::new(&case.model)] {
        let derived = data.position.columns().into_iter();
        let derived = derived.chain(data.velocity.columns());
        for column in derived.chain(data.acceleration.columns()) {
            assert!(
                column.bytes.iter().all(|&byte| byte == 0),
                "{}",
                column.name
            );
        }
    }
}
