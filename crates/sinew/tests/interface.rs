//! The comfortable interface: names, ids, simulations that own their model, saved states.

use sinew::engine::{CallError, Parts, StepError};
use sinew::prelude::*;
use sinew::simulation::RestoreError;
use std::sync::Arc;

fn simulation(name: &str) -> Simulation {
    Simulation::new(Model::built_in(name).expect("built in"))
}

#[test]
fn steps_have_the_bits_of_the_plain_interface() {
    let mut sim = simulation("quadruped");
    let model = sim.shared_model();
    let mut data = Data::new(&model);
    for step in 0..200 {
        let ctrl = f64::from(step % 7) * 0.05;
        sim.set_ctrl("front_left_hip", ctrl).expect("a servo");
        let servo = model.actuator("front_left_hip").expect("a servo");
        data.input.ctrl[servo.index()] = ctrl;
        sim.step().expect("a step");
        data.step(&model).expect("a step");
    }
    let bits = |qpos: &[f64]| qpos.iter().map(|x| x.to_bits()).collect::<Vec<_>>();
    assert_eq!(bits(&sim.data().state.qpos), bits(&data.state.qpos));
    assert!(sim.contacts().count() > 0);
}

#[test]
fn unknown_names_are_told_with_what_was_meant() {
    let sim = simulation("cartpole");
    let told = |error: AccessError| error.to_string();
    assert_eq!(
        told(sim.qpos("pivo").unwrap_err()),
        "no joint is named \"pivo\": did you mean \"pivot\"?"
    );
    assert_eq!(
        told(sim.qpos("elbow").unwrap_err()),
        "no joint is named \"elbow\": there are \"slider\", \"pivot\" …"
    );
    assert_eq!(
        told(sim.tendon_length("rope").unwrap_err()),
        "no tendon is named \"rope\": none has a name"
    );
    let error = Model::built_in("humanoit").unwrap_err();
    assert_eq!(
        error.to_string(),
        "no built-in model is named \"humanoit\": did you mean \"humanoid\"?"
    );
    let error = Model::from_file("no/such/file.xml").unwrap_err();
    assert!(error.to_string().contains("no/such/file.xml"), "{error}");
}

#[test]
fn ids_of_other_models_are_refused() {
    let humanoid = Model::built_in("humanoid").expect("built in");
    let last = humanoid.all_joints().last().expect("a joint");
    let mut sim = simulation("pendulum");
    let error = sim.qpos(last).unwrap_err();
    let told = format!("joint {} is of another model: this one has 1", last.index());
    assert_eq!(error.to_string(), told);
    assert!(sim.set_qpos(last, &[0.0]).is_err());
    assert!(sim.reset_to("ready").is_err());
}

#[test]
fn values_have_the_length_of_their_joint() {
    let mut sim = simulation("humanoid");
    let root = sim.model().all_joints().next().expect("a free joint");
    assert_eq!(sim.qpos(root).map(<[f64]>::len), Ok(7));
    assert_eq!(sim.qvel(root).map(<[f64]>::len), Ok(6));
    let before = sim.save();
    let error = sim.set_qpos(root, &[0.0; 6]).unwrap_err();
    assert_eq!(
        error.to_string(),
        "qpos of the joint needs 7 numbers, not 6"
    );
    assert_eq!(sim.save(), before);
    // Arrays that the user cut off are an error as well.
    sim.data_mut().state.qpos.truncate(3);
    assert!(sim.qpos(root).is_err());
    assert!(matches!(sim.step(), Err(StepError::Call(_))));
}

#[test]
fn what_is_written_is_read() {
    let text = "<mujoco><worldbody>
        <body name='hand' mocap='true'><geom size='.1'/></body>
        <body name='ball' pos='0 0 1'><freejoint name='free'/><geom name='ball' size='.1'/><site name='top' pos='0 0 .1'/></body>
        <body name='arm'><joint name='hinge'/><geom size='.1' pos='1 0 0'/></body>
        <camera name='eye' pos='0 0 3'/></worldbody>
        <equality><connect name='tie' body1='ball' anchor='0 0 0' active='false'/></equality>
        <actuator><motor name='turn' joint='hinge'/></actuator>
        <sensor><jointpos name='angle' joint='hinge'/></sensor></mujoco>";
    let mut sim = Simulation::new(Model::from_str(text).expect("a model"));
    sim.set_qpos("hinge", &[0.3]).expect("a hinge");
    sim.set_qvel("hinge", &[0.7]).expect("a hinge");
    sim.set_ctrl("turn", 0.25).expect("a motor");
    sim.set_joint_force("hinge", &[0.5]).expect("a hinge");
    let (x, upright) = (Vec3([1.0, 2.0, 3.0]), Quat([1.0, 0.0, 0.0, 0.0]));
    sim.set_mocap("hand", x, upright).expect("a mocap body");
    assert_eq!(sim.set_mocap("arm", x, upright), Err(AccessError::NotMocap));
    sim.set_body_force("ball", Vec3([0.0, 0.0, 5.0]), Vec3([0.0; 3]))
        .expect("a body");
    sim.set_equality("tie", true).expect("an equality");
    assert_eq!(sim.data().input.eq_active[0], 1);
    sim.forward().expect("a state");

    assert_eq!(sim.qpos("hinge"), Ok(&[0.3][..]));
    assert_eq!(sim.qvel("hinge"), Ok(&[0.7][..]));
    assert_eq!(sim.ctrl("turn"), Ok(0.25));
    assert_eq!(sim.actuator_force("turn"), Ok(0.25));
    assert_eq!(sim.sensor("angle"), Ok(&[0.3][..]));
    assert_eq!(sim.body("hand").map(|hand| hand.position), Ok(x));
    let arm = sim.body("arm").expect("a body");
    let spin = arm.axes * Vec3([0.0, 0.0, 0.7]);
    assert!((arm.angular_velocity - spin).norm() < 1e-15);
    let turned = arm.orientation().0;
    let xquat = sim.data().position.kinematics.xquat[3].0;
    assert!((0..4).all(|k| (turned[k] - xquat[k]).abs() < 1e-15));
    let top = sim.site("top").expect("a site");
    assert_eq!(top.position, Vec3([0.0, 0.0, 1.1]));
    assert_eq!(
        sim.geom("ball").expect("a geom").position,
        Vec3([0.0, 0.0, 1.0])
    );
    assert_eq!(
        sim.camera("eye").expect("a camera").position,
        Vec3([0.0, 0.0, 3.0])
    );
    assert!(sim.qacc("free").expect("a joint")[2] > -9.81);
}

#[test]
fn states_are_restored_to_the_bit_and_not_into_other_models() {
    let mut sim = simulation("humanoid");
    sim.step_for(0.2).expect("steps");
    let middle = sim.save();
    sim.step_for(0.2).expect("steps");
    let end = sim.save();
    let mut other = Simulation::new(sim.shared_model());
    other.restore(&middle).expect("the same model");
    other.step_for(0.2).expect("steps");
    assert_eq!(other.save(), end);

    let text = serde_json::to_string(&middle).expect("text");
    let read: Saved = serde_json::from_str(&text).expect("a state");
    assert_eq!(read, middle);
    assert_eq!(
        simulation("pendulum").restore(&middle),
        Err(RestoreError::Foreign)
    );
    let (structure, mut numbers): (u64, Vec<f64>) = serde_json::from_str(&text).expect("numbers");
    numbers.pop();
    let text = serde_json::to_string(&(structure, &numbers)).expect("text");
    let short: Saved = serde_json::from_str(&text).expect("a state");
    let expected = numbers.len() + 1;
    let found = numbers.len();
    assert_eq!(
        sim.restore(&short),
        Err(RestoreError::Length { expected, found })
    );
    assert_eq!(sim.save(), end);
}

#[test]
fn a_shared_model_is_copied_before_it_changes() {
    let model = Arc::new(Model::built_in("pendulum").expect("built in"));
    let mut heavy = Simulation::new(model.clone());
    let light = Simulation::new(model.clone());
    heavy
        .change_model(|arrays| arrays.body_mass[1] *= 2.0)
        .expect("a mass");
    heavy.options_mut().timestep = 0.001;
    assert_eq!(light.model().body_mass[1], model.body_mass[1]);
    assert_eq!(heavy.model().body_mass[1], 2.0 * model.body_mass[1]);
    assert_ne!(light.model().opt.timestep, 0.001);
    assert!(
        heavy
            .change_model(|arrays| arrays.body_mass[1] = -1.0)
            .is_err()
    );
    heavy.step_for(0.1).expect("steps");
    assert!((heavy.time() - 0.1).abs() < 1e-12);
}

#[test]
fn times_without_an_end_are_refused() {
    let mut sim = simulation("pendulum");
    for seconds in [f64::NAN, f64::INFINITY] {
        let refused = StepError::Call(CallError::NotFinite("the number of seconds"));
        assert_eq!(sim.step_for(seconds), Err(refused));
    }
    sim.step_for(-1.0).expect("nothing to do");
    assert_eq!(sim.time(), 0.0);
    assert!(Simulation::builder(Model::default()).build().is_err());
}

/// Counts evaluations, and is cloned and moved with its simulation.
#[derive(Clone, Default)]
struct Counter(usize);

impl Controller for Counter {
    fn control(&mut self, _: &Model, _: &mut Data) {
        self.0 += 1;
    }
}

#[test]
fn parts_go_with_their_simulation() {
    fn is_send(_: &impl Send) {}
    fn steps<P: Parts>(sim: &mut Simulation<P>) {
        sim.step().expect("a step");
    }
    let model = Model::built_in("pendulum").expect("built in");
    let is_rk4 = model.opt.integrator == 1;
    let mut sim = Simulation::builder(model)
        .controller(Counter::default())
        .build()
        .expect("a simulation");
    is_send(&sim);
    steps(&mut sim);
    let mut copy = sim.clone();
    steps(&mut copy);
    let per_step = if is_rk4 { 4 } else { 1 };
    assert_eq!(sim.parts.controller.0, per_step);
    assert_eq!(copy.parts.controller.0, 2 * per_step);
}
