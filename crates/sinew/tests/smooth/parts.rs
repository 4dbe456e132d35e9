//! User code in the pipeline: when it is called, and what follows from it.
//!
//! Traces and motions are the reference's, printed by `conformance/hooks.py` with the same model and
//! the same callbacks; the other tests let a part repeat a built-in element.

use crate::{Case, close, numbers};
use sinew::engine::{
    ContactFilter, Control, Controller, Data, Engine, Moment, Observer, Parts, PassiveForce,
    Physics, State, UserActuators, UserSensors,
};
use sinew::model::Model;
use sinew::model::kinds::Stage;
use std::cell::RefCell;

fn model(integrator: &str, flags: &str) -> Case {
    Case::new(&format!(
        r#"<mujoco><option timestep="0.01" integrator="{integrator}">{flags}</option><worldbody><body>
             <joint name="a" axis="0 1 0" damping="0.1"/>
             <geom type="capsule" fromto="0 0 0 .3 0 0" size=".02" mass="1"/>
             <body pos=".3 0 0"><joint name="b" axis="0 1 0"/>
               <geom type="capsule" fromto="0 0 0 .3 0 0" size=".02" mass="1"/></body></body></worldbody>
           <actuator><motor joint="a"/>
             <general name="u" joint="b" dyntype="user" gaintype="user" biastype="user" actdim="1"/>
             <general joint="b" dyntype="user" actdim="2"/></actuator>
           <sensor><user dim="1" needstage="pos"/><user dim="1" needstage="vel" cutoff="1"/>
             <user dim="2" needstage="acc"/><actuatorfrc actuator="u"/></sensor></mujoco>"#
    ))
}

/// Plays every role of the reference's callbacks; remembers the calls, a letter each.
#[derive(Clone, Copy)]
struct Everything<'a>(&'a RefCell<String>);

impl Everything<'_> {
    fn note(self, letter: char) {
        self.0.borrow_mut().push(letter);
    }
}

impl Controller for Everything<'_> {
    fn control(&mut self, _: &Model, data: &mut Data) {
        self.note('c');
        let state = &data.state;
        let push = -5.0 * state.qpos[0] - state.qvel[0];
        data.input.ctrl.copy_from_slice(&[push, 1.0, 2.0]);
        data.input.qfrc_applied[1] = 0.1 * state.time;
    }
}

impl PassiveForce for Everything<'_> {
    fn add_force(&mut self, _: &Model, data: &mut Data) {
        self.note('p');
        let q = data.state.qpos[1];
        data.velocity.passive.qfrc_passive[1] -= 2.0 * q * q * q;
    }

    fn add_velocity_derivative(&mut self, _: &Model, _: &mut Data) {}
}

impl UserActuators for Everything<'_> {
    fn activation_rates(&mut self, _: &Model, data: &mut Data, actuator: usize, rates: &mut [f64]) {
        self.note('d');
        let (ctrl, act) = (&data.input.ctrl, &data.state.act);
        match actuator {
            1 => rates[0] = (ctrl[1] - act[0]) / (0.05 + act[0] * act[0]),
            _ => rates.copy_from_slice(&[ctrl[2] - act[1] - 3.0 * act[2], act[1]]),
        }
    }

    fn gain(&mut self, _: &Model, data: &mut Data, actuator: usize) -> f64 {
        self.note('g');
        0.5 - 0.2 * data.position.transmission.actuator_length[actuator]
    }

    fn bias(&mut self, _: &Model, data: &mut Data, actuator: usize) -> f64 {
        self.note('b');
        -0.3 * data.velocity.length.actuator_velocity[actuator]
    }
}

impl UserSensors for Everything<'_> {
    fn fill(&mut self, _: &Model, data: &mut Data, stage: Stage) {
        let state = &data.state;
        let out = &mut data.sensor.sensordata;
        match stage {
            Stage::Pos => {
                self.note('P');
                out[0] = state.qpos[0] * state.qpos[1];
            }
            Stage::Vel => {
                self.note('V');
                out[1] = 10.0 * state.qvel[0];
            }
            _ => {
                self.note('A');
                out[2] = data.acceleration.solution.qacc[1];
                out[3] = data.acceleration.body_force.cfrc_int[1][5];
            }
        }
    }
}

#[test]
fn parts_are_called_where_the_reference_calls_its_callbacks() {
    // Calls of step, forward, step1, step2, inverse.
    for (integrator, flags, expected) in [
        ("Euler", "", "PpVcddgbA PpVcddgbA PpVc ddgbA PpVA"),
        ("Euler", r#"actuation="disable""#, "PpVA PpVA PpVc A PpVA"),
        (
            "Euler",
            r#"spring="disable" damper="disable""#,
            "PVcddgbA PVcddgbA PVc ddgbA PVA",
        ),
        ("Euler", r#"sensor="disable""#, "pcddgb pcddgb pc ddgb p"),
        (
            "RK4",
            "",
            "PpVcddgbApcddgbpcddgbpcddgb PpVcddgbA PpVc ddgbA PpVA",
        ),
        ("RK4", r#"actuation="disable""#, "PpVAppp PpVA PpVc A PpVA"),
        (
            "RK4",
            r#"spring="disable" damper="disable""#,
            "PVcddgbAcddgbcddgbcddgb PVcddgbA PVc ddgbA PVA",
        ),
        (
            "RK4",
            r#"sensor="disable""#,
            "pcddgbpcddgbpcddgbpcddgb pcddgb pc ddgb p",
        ),
        ("implicitfast", "", "PpVcddgbA PpVcddgbA PpVc ddgbA PpVA"),
    ] {
        let Case { model, mut data } = model(integrator, &format!("<flag {flags}/>"));
        let trace = RefCell::default();
        let part = Everything(&trace);
        let mut engine = Engine::new(&model)
            .controller(part)
            .passive_force(part)
            .actuators(part)
            .sensors(part);
        engine.step(&mut data).expect("finite");
        part.note(' ');
        engine.forward(&mut data).expect("its own model");
        part.note(' ');
        engine.step1(&mut data).expect("finite");
        part.note(' ');
        engine.step2(&mut data).expect("finite");
        part.note(' ');
        engine.inverse(&mut data).expect("its own model");
        assert_eq!(trace.take(), expected, "{integrator} {flags}");
    }
}

#[test]
fn motions_with_all_parts_are_those_of_the_reference() {
    for (integrator, expected) in [
        (
            "Euler",
            "0.634849754642007 0.742703941084653 -0.410128371866277 0.346652929376861 0.889321920730128 0.737413400513522 0.58289119675961 0.47233651185884 -1 2.02117887985492 17.8539776065542 0.215093606292435",
        ),
        (
            "RK4",
            "0.638777866614685 0.740660951047624 -0.441180123047839 0.334560469557369 0.885773173240794 0.728703971993556 0.580558301957226 0.474466405933686 -1 2.27773414982348 17.9034432741148 0.217937296975511",
        ),
        (
            "implicit",
            "0.635180487896943 0.743717184913541 -0.404550430080168 0.344437084659695 0.889321920730128 0.737413400513522 0.58289119675961 0.473201624068959 -1 1.87749972269697 17.8592113501759 0.215383537256356",
        ),
        (
            "implicitfast",
            "0.634849754642007 0.742703941084653 -0.410128371866277 0.346652929376861 0.889321920730128 0.737413400513522 0.58289119675961 0.47233651185884 -1 2.02117887985492 17.8539776065542 0.215093606292435",
        ),
    ] {
        let Case { model, mut data } = model(integrator, "").qpos(&[0.3, -0.5]);
        let trace = RefCell::default();
        let [mut a, mut b, mut c, mut d] = [Everything(&trace); 4];
        // Trait objects serve as well.
        let mut engine = Engine::new(&model)
            .controller(&mut a as &mut dyn Controller)
            .passive_force(&mut b as &mut dyn PassiveForce)
            .actuators(&mut c as &mut dyn UserActuators)
            .sensors(&mut d as &mut dyn UserSensors);
        for _ in 0..100 {
            engine.step(&mut data).expect("finite");
        }
        let state = &data.state;
        let actual = [
            &state.qpos[..],
            &state.qvel,
            &state.act,
            &data.sensor.sensordata,
        ]
        .concat();
        close(&actual, &numbers(expected), 1e-11);
    }
}

#[test]
fn without_parts_user_elements_do_nothing() {
    let case = model("Euler", "")
        .ctrl(&[0.0, 3.0, 0.0])
        .act(&[2.0, 0.0, 0.0]);
    let case = case.forward();
    assert_eq!(case.act_dot(), [0.0; 3]);
    // Gain 1, bias 0.
    assert_eq!(case.actuator_force(), [0.0, 2.0, 0.0]);
    assert_eq!(case.data.sensor.sensordata[..4], [0.0; 4]);
}

fn hinge(integrator: &str, joint: &str, sections: &str) -> Case {
    Case::new(&format!(
        r#"<mujoco><option timestep=".005" integrator="{integrator}"/><worldbody><body>
             <joint name="j" axis="0 1 0" {joint}/>
             <geom type="capsule" fromto="0 0 0 .3 0 0" size=".02" mass="1"/></body></worldbody>
           {sections}</mujoco>"#
    ))
    .qpos(&[0.4])
}

/// A case without parts and a simulation with parts end in the same state.
fn race(built_in: Case, mut by_hand: Data, mut engine: Engine<'_, impl Parts>) {
    for _ in 0..200 {
        engine.step(&mut by_hand).expect("finite");
    }
    let built_in = built_in.steps(200).data;
    let numbers = |data: &Data| {
        let state = &data.state;
        [&state.qpos[..], &state.qvel, &state.act].concat()
    };
    close(&numbers(&by_hand), &numbers(&built_in), 1e-11);
}

#[test]
fn a_controller_can_be_a_servo() {
    for integrator in ["Euler", "RK4"] {
        let servo = r#"<actuator><position joint="j" kp="10" kv="1"/></actuator>"#;
        let motor = r#"<actuator><motor joint="j"/></actuator>"#;
        let Case { model, data } = hinge(integrator, "", motor);
        let servo_by_hand = Control(|_: &Model, data: &mut Data| {
            data.input.ctrl[0] = -10.0 * data.state.qpos[0] - data.state.qvel[0];
        });
        let engine = Engine::new(&model).controller(servo_by_hand);
        race(hinge(integrator, "", servo), data, engine);
    }
}

#[test]
fn a_passive_force_can_be_a_spring() {
    struct Spring;
    impl PassiveForce for Spring {
        fn add_force(&mut self, _: &Model, data: &mut Data) {
            data.velocity.passive.qfrc_passive[0] += -7.0 * data.state.qpos[0];
        }
        fn add_velocity_derivative(&mut self, _: &Model, _: &mut Data) {}
    }
    for integrator in ["Euler", "RK4", "implicit"] {
        let Case { model, data } = hinge(integrator, "", "");
        let engine = Engine::new(&model).passive_force(Spring);
        race(hinge(integrator, r#"stiffness="7""#, ""), data, engine);
    }
}

#[test]
fn user_actuators_can_repeat_the_built_in_ones() {
    struct Filter;
    impl UserActuators for Filter {
        fn activation_rates(&mut self, _: &Model, data: &mut Data, _: usize, rates: &mut [f64]) {
            rates[0] = (data.input.ctrl[0] - data.state.act[0]) / 0.2;
        }
        fn gain(&mut self, _: &Model, data: &mut Data, i: usize) -> f64 {
            3.0 - data.position.transmission.actuator_length[i]
        }
        fn bias(&mut self, _: &Model, data: &mut Data, i: usize) -> f64 {
            1.0 - 0.5 * data.velocity.length.actuator_velocity[i]
        }
        fn velocity_derivative(&mut self, _: &Model, _: &mut Data, _: usize) -> f64 {
            -0.5
        }
    }
    let built_in = r#"<actuator><general joint="j" dyntype="filter" dynprm=".2" gaintype="affine"
        gainprm="3 -1 0" biastype="affine" biasprm="1 0 -.5"/></actuator>"#;
    let user = r#"<actuator><general joint="j" dyntype="user" gaintype="user" biastype="user" actdim="1"/>
        </actuator>"#;
    for integrator in ["Euler", "RK4", "implicit", "implicitfast"] {
        let built_in = hinge(integrator, "", built_in).ctrl(&[0.7]);
        let Case { model, data } = hinge(integrator, "", user).ctrl(&[0.7]);
        race(built_in, data, Engine::new(&model).actuators(Filter));
    }
}

#[test]
fn passive_forces_count_in_inverse_dynamics() {
    struct Push;
    impl PassiveForce for Push {
        fn add_force(&mut self, _: &Model, data: &mut Data) {
            data.velocity.passive.qfrc_passive[0] += 2.5;
        }
        fn add_velocity_derivative(&mut self, _: &Model, _: &mut Data) {}
    }
    let Case { model, mut data } = hinge("Euler", "", "").forward();
    data.inverse(&model).expect("its own model");
    let plain = data.inverse.qfrc_inverse[0];
    let mut engine = Engine::new(&model).passive_force(Push);
    engine.inverse(&mut data).expect("its own model");
    close(&[data.inverse.qfrc_inverse[0]], &[plain - 2.5], 1e-12);
}

/// Calls into the simulation in the middle of a step.
struct Meddler {
    /// Which call, and how often yet.
    what: usize,
    left: usize,
    laws: Physics,
}

impl Meddler {
    fn meddle(&mut self, model: &Model, data: &mut Data) {
        if self.left == 0 {
            return;
        }
        self.left -= 1;
        match self.what {
            0 => drop(data.reset(model)),
            1 => drop(data.step(model)),
            2 => drop(data.forward(model)),
            3 => drop(data.inverse(model)),
            4 => drop(data.reset_to_keyframe(model, 0)),
            5 => data.state.qpos.fill(f64::NAN),
            6 => data.state.time = f64::NEG_INFINITY,
            7 => drop(Engine::new(model).compute_contacts(data)),
            8 => drop(data.step1(model).and_then(|()| data.step2(model))),
            _ => data.state.qvel.fill(1e300),
        }
    }
}

impl Controller for Meddler {
    fn control(&mut self, model: &Model, data: &mut Data) {
        self.meddle(model, data);
    }
}

impl ContactFilter for Meddler {
    fn may_touch(&mut self, _: &Model, _: &State, geom1: usize, geom2: usize) -> bool {
        !(geom1 + geom2 + self.left).is_multiple_of(3)
    }
}

impl PassiveForce for Meddler {
    fn add_force(&mut self, model: &Model, data: &mut Data) {
        self.meddle(model, data);
    }

    fn add_velocity_derivative(&mut self, model: &Model, data: &mut Data) {
        self.meddle(model, data);
    }
}

impl UserActuators for Meddler {
    fn activation_rates(&mut self, model: &Model, data: &mut Data, _: usize, _: &mut [f64]) {
        self.meddle(model, data);
    }

    fn gain(&mut self, model: &Model, data: &mut Data, _: usize) -> f64 {
        self.meddle(model, data);
        f64::NAN
    }

    fn bias(&mut self, model: &Model, data: &mut Data, _: usize) -> f64 {
        self.meddle(model, data);
        1e300
    }

    fn velocity_derivative(&mut self, model: &Model, data: &mut Data, _: usize) -> f64 {
        self.meddle(model, data);
        -1e300
    }
}

impl UserSensors for Meddler {
    fn fill(&mut self, model: &Model, data: &mut Data, _: Stage) {
        self.meddle(model, data);
    }
}

impl Observer for Meddler {
    fn observe(&mut self, _: Moment) {}
}

/// One value in all roles.
impl Parts for Meddler {
    type Controller = Self;
    type ContactFilter = Self;
    type PassiveForce = Self;
    type Actuators = Self;
    type Sensors = Self;
    type Observer = Self;
    type Laws = Physics;

    fn controller(&mut self) -> &mut Self {
        self
    }
    fn contact_filter(&mut self) -> &mut Self {
        self
    }
    fn passive_force(&mut self) -> &mut Self {
        self
    }
    fn actuators(&mut self) -> &mut Self {
        self
    }
    fn sensors(&mut self) -> &mut Self {
        self
    }
    fn observer(&mut self) -> &mut Self {
        self
    }
    fn laws(&mut self) -> &mut Physics {
        &mut self.laws
    }
    fn laws_ref(&self) -> &Physics {
        &self.laws
    }
}

#[test]
fn parts_that_meddle_with_the_simulation_are_survived() {
    let built_in = |name: &str| {
        let loaded = sinew::models::get(name).expect("built in").load();
        loaded.expect("loads").model
    };
    let mut models = ["humanoid", "sensor_zoo", "arm_actuators"]
        .map(built_in)
        .to_vec();
    models.push(model("Euler", "").model);
    for mut model in models {
        for integrator in 0..4 {
            model.opt.integrator = integrator;
            let mut fresh = Data::new(&model);
            fresh.step(&model).expect("finite");
            for what in 0..10 {
                let mut data = Data::new(&model);
                let parts = Meddler {
                    what,
                    left: 50,
                    laws: Physics::default(),
                };
                let model = &model;
                let mut engine = Engine { model, parts };
                for _ in 0..20 {
                    let _ = engine.step(&mut data);
                    let _ = engine.forward(&mut data);
                    let _ = engine.inverse(&mut data);
                }
                data.reset(model).expect("its own model");
                data.step(model).expect("finite");
                assert_eq!(data.state.qpos, fresh.state.qpos, "{integrator} {what}");
                assert_eq!(data.state.qvel, fresh.state.qvel, "{integrator} {what}");
            }
        }
    }
}
