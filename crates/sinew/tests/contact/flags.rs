//! Flags that switch parts of the pipeline off or on.

use crate::{Case, SOLVERS, close, near};
use sinew::engine::{CallError, StepError};
use sinew::mjcf::load_text;
use sinew::model::kinds::{DisableFlag, Integrator, Solver, Warning};

/// A model in which every flag of the pipeline has something to do.
fn everything(flags: &str) -> String {
    format!(
        r#"<mujoco><option timestep=".005"><flag {flags}/></option><worldbody>
          <geom type="plane" size="5 5 1" solref=".002 1"/>
          <body pos="0 0 1"><joint name="j1" axis="0 1 0" range="-10 10" stiffness="20" damping="2"
              springref="30" frictionloss=".1"/>
            <geom type="capsule" fromto="0 0 0 .3 0 0" size=".04" mass="1"/>
            <body pos=".3 0 0"><joint name="j2" axis="0 1 0" frictionloss=".2" damping=".1"/>
              <geom type="capsule" fromto=".05 0 0 .3 0 0" size=".03" mass=".5"/></body></body>
          <body pos="0 1 .5"><joint name="j3" type="slide" axis="0 0 1"/>
            <geom size=".1" mass="1" contype="0" conaffinity="0"/></body>
          <body pos="0 2 .5"><joint name="j4" type="slide" axis="0 0 1"/>
            <geom size=".1" mass="1" contype="0" conaffinity="0"/></body>
          <body pos="0 3 .095"><joint name="j5" type="slide" axis="0 0 1"/>
            <joint name="j6" type="slide" axis="1 0 0"/><geom size=".1" mass="1" solref=".002 1"/>
          </body></worldbody>
          <equality><joint joint1="j3" joint2="j4" polycoef=".05 1 0 0 0"/></equality>
          <actuator><motor joint="j6" ctrlrange="-1 1" gear="3"/>
            <general joint="j4" dyntype="filter" dynprm=".05" gainprm="4"/></actuator>
          <sensor><jointpos joint="j1"/><jointvel joint="j6"/></sensor></mujoco>"#
    )
}

fn start(flags: &str) -> Case {
    Case::new(&everything(flags))
        .qpos(&[0.3, 2.9, 0.0, 0.0, 0.0, 0.0])
        .qvel(&[0.0, 0.0, 0.0, 0.0, 0.0, 0.5])
        .ctrl(&[2.0, 1.0])
}

const QACC: [f64; 6] = [
    46.567575012939194,
    -10.98675587924277,
    -16.071576834034026,
    -1.098105121965976,
    -9.81,
    3.0,
];
const QPOS: [f64; 6] = [
    0.211018794657,
    2.82893243049,
    0.00577164093474,
    -0.0313872468956,
    0.00621131760204,
    0.00942493239796,
];

/// A disabled flag with the components of qacc and of qpos after 10 steps that it changes.
type Line = (
    DisableFlag,
    &'static str,
    &'static [(usize, f64)],
    &'static [(usize, f64)],
);

const TABLE: [Line; 19] = [
    (
        DisableFlag::Constraint,
        "constraint",
        &[
            (0, 1.35379616916),
            (1, -40.1933818263),
            (2, -9.81),
            (3, -7.359681956),
        ],
        &[
            (0, 0.387105335391),
            (1, 2.86974415008),
            (2, -0.01348875),
            (3, -0.0121268559609),
            (4, -0.01348875),
            (5, 0.029125),
        ],
    ),
    (
        DisableFlag::Equality,
        "equality",
        &[(2, -9.81), (3, -7.359681956)],
        &[(2, -0.01348875), (3, -0.0121268559609)],
    ),
    (
        DisableFlag::Frictionloss,
        "frictionloss",
        &[(0, 46.5364895171), (1, -19.5293694201)],
        &[(0, 0.210981260145), (1, 2.81578049791)],
    ),
    (
        DisableFlag::Limit,
        "limit",
        &[(0, 1.39206720675), (1, -31.3988151783)],
        &[(0, 0.386448082941), (1, 2.87955451824)],
    ),
    (
        DisableFlag::Contact,
        "contact",
        &[],
        &[(4, -0.01348875), (5, 0.029125)],
    ),
    (
        DisableFlag::Spring,
        "spring",
        &[(0, 47.1984720153), (1, -10.767102746)],
        &[(0, 0.209157108572), (1, 2.82831784918)],
    ),
    (
        DisableFlag::Damper,
        "damper",
        &[(0, 36.7904211701), (1, -23.5062639274)],
        &[(0, 0.209309712266), (1, 2.81908059411)],
    ),
    (
        DisableFlag::Gravity,
        "gravity",
        &[
            (0, 47.0641731839),
            (1, 10.1811837617),
            (2, -6.26157683403),
            (3, 8.71189487803),
            (4, 0.0),
        ],
        &[
            (0, 0.210346446189),
            (1, 2.88362437626),
            (2, 0.0192603909347),
            (3, -0.0178984968956),
            (4, 0.0181964285714),
            (5, 0.0109285714286),
        ],
    ),
    (
        DisableFlag::Clampctrl,
        "clampctrl",
        &[(5, 6.0)],
        &[(4, 0.00710823028643), (5, 0.0126530197136)],
    ),
    (
        DisableFlag::Filterparent,
        "filterparent",
        &[(0, 38.4676820147), (1, 283.731647039)],
        &[(0, 0.214733911856), (1, 1.7596769814)],
    ),
    (
        DisableFlag::Actuation,
        "actuation",
        &[(2, -17.2955387729), (3, -2.32446122707), (5, 0.0)],
        &[
            (2, 0.00510209711703),
            (3, -0.032079597117),
            (4, 0.00557241454082),
            (5, 0.00593883545918),
        ],
    ),
    (
        DisableFlag::Refsafe,
        "refsafe",
        &[],
        &[(4, 0.301341125), (5, -0.0906011904762)],
    ),
    (
        DisableFlag::Eulerdamp,
        "eulerdamp",
        &[(0, 35.3181704933), (1, -14.5016761453)],
        &[(0, 0.210564305051), (1, 2.82705693998)],
    ),
    (DisableFlag::Warmstart, "warmstart", &[], &[]),
    (DisableFlag::Sensor, "sensor", &[], &[]),
    (DisableFlag::Midphase, "midphase", &[], &[]),
    (DisableFlag::Autoreset, "autoreset", &[], &[]),
    (DisableFlag::Nativeccd, "nativeccd", &[], &[]),
    (DisableFlag::Island, "island", &[], &[]),
];

fn changed(base: [f64; 6], changes: &[(usize, f64)]) -> [f64; 6] {
    let mut out = base;
    for &(i, value) in changes {
        out[i] = value;
    }
    out
}

/// Lines 1 and 16: each flag alone, from the file and set at run time.
#[test]
fn each_flag_alone() {
    let base = start("").steps(10);
    close(base.qacc(), &QACC, 1e-10);
    close(base.qpos_of(), &QPOS, 1e-10);
    for (flag, name, qacc, qpos) in TABLE {
        let written = start(&format!(r#"{name}="disable""#)).steps(10);
        close(written.qacc(), &changed(QACC, qacc), 1e-10);
        close(written.qpos_of(), &changed(QPOS, qpos), 1e-10);
        let set = start("").disable(flag).steps(10);
        assert_eq!(set.qpos_of(), written.qpos_of(), "{name}");
        match flag {
            DisableFlag::Sensor => assert_eq!(set.data.sensor.sensordata, [0.0, 0.0]),
            DisableFlag::Actuation => assert_eq!(set.data.state.act, [0.0]),
            // Line 7.
            DisableFlag::Constraint => assert_eq!((set.nefc(), set.contacts().len()), (0, 0)),
            _ => {}
        }
    }
}

/// Line 16: setting and clearing between steps.
#[test]
fn flags_take_effect_at_the_next_step() {
    let mut case = start("").steps(5);
    case.model.opt.disableflags |= DisableFlag::Gravity.code();
    case = case.steps(5);
    let mut other = start(r#"gravity="disable""#);
    other.data.state.clone_from(&start("").steps(5).data.state);
    assert_eq!(case.qpos_of(), other.steps(5).qpos_of());
    case.model.opt.disableflags = 0;
    let mut plain = start("");
    plain.data.state.clone_from(&case.data.state);
    assert_eq!(case.steps(5).qpos_of(), plain.steps(5).qpos_of());
    // Bits without a meaning have no effect.
    let mut odd = start("");
    odd.model.opt.disableflags = 1 << 30;
    odd.model.opt.enableflags = 1 << 29;
    assert_eq!(odd.steps(10).qpos_of(), start("").steps(10).qpos_of());
}

/// Line 2.
#[test]
fn contact_gravity_limit_and_equality() {
    let case = start(r#"contact="disable""#).steps(10);
    assert_eq!(case.contacts().len(), 0);
    near(case.qacc()[4], -9.81, 1e-12);
    assert!(case.data.velocity.passive.qfrc_spring[0] != 0.0);

    let floating = r#"<mujoco><option><flag gravity="disable" energy="enable"/></option><worldbody>
        <body pos="0 0 1"><freejoint/><geom size=".1"/></body></worldbody></mujoco>"#;
    let case = Case::new(floating);
    let before = case.qpos_of().to_vec();
    let case = case.steps(100);
    assert_eq!(case.qpos_of(), before);
    assert_eq!(case.model.opt.gravity.0, [0.0, 0.0, -9.81]);
    assert_eq!(case.data.energy.values[0], 0.0);

    let limited = r#"<mujoco><option gravity="0 0 0"><flag limit="disable"/></option><worldbody>
        <body><joint range="-10 10"/><geom size=".1"/></body></worldbody></mujoco>"#;
    let case = Case::new(limited).qvel(&[1.0]).steps(500);
    near(case.qpos_of()[0], 1.0, 1e-9);
    assert_eq!(case.nefc(), 0);

    let tied = |flag: &str| {
        format!(
            r#"<mujoco><option gravity="0 0 0"><flag equality="{flag}"/></option><worldbody>
               <body name="a"><joint name="x" type="slide"/><geom size=".1"/></body>
               <body name="b" pos="1 0 0"><joint name="y" type="slide"/><geom size=".1"/></body>
               </worldbody><tendon><fixed name="t"><joint joint="x" coef="1"/></fixed></tendon>
               <equality><weld body1="a" body2="b"/><connect body1="a" body2="b" anchor="0 0 0"/>
               <joint joint1="x" joint2="y"/><tendon tendon1="t"/></equality></mujoco>"#
        )
    };
    let case = Case::new(&tied("disable")).qvel(&[1.0, 0.0]).steps(500);
    assert_eq!(case.rows().ne, 0);
    near(case.qpos_of()[0] - case.qpos_of()[1], 1.0, 1e-9);
    assert_eq!(Case::new(&tied("enable")).forward().rows().ne, 11);
}

/// Line 3.
#[test]
fn springs_and_dampers() {
    let run = |flags: &str| {
        let xml = format!(
            r#"<mujoco><option density="1.2"><flag {flags}/></option><worldbody>
               <body gravcomp="1"><joint type="slide" axis="1 0 0" stiffness="100" damping="10"/>
                 <geom size=".1" mass="1"/></body>
               <body pos="0 1 0" gravcomp="1"><joint type="slide" axis="0 0 1"/>
                 <geom size=".1" mass="1"/></body></worldbody></mujoco>"#
        );
        Case::new(&xml)
            .qpos(&[0.1, 0.0])
            .qvel(&[1.0, 1.0])
            .forward()
    };
    let check = |flags: &str, spring: f64, damper: f64, rest: f64| {
        let case = run(flags);
        let passive = &case.data.velocity.passive;
        close(&passive.qfrc_spring, &[spring, 0.0], 1e-12);
        close(&passive.qfrc_damper, &[damper, 0.0], 1e-12);
        let drag = passive.qfrc_fluid[0];
        near(drag, -0.0144 * rest, 1e-14);
        near(passive.qfrc_fluid[1], drag, 1e-14);
        close(&passive.qfrc_gravcomp, &[0.0, 9.81 * rest], 1e-12);
        case
    };
    check("", -10.0, -10.0, 1.0);
    check(r#"spring="disable""#, 0.0, -10.0, 1.0);
    check(r#"damper="disable""#, -10.0, 0.0, 1.0);
    let none = check(r#"spring="disable" damper="disable""#, 0.0, 0.0, 0.0);
    assert_eq!(none.data.velocity.passive.qfrc_passive, [0.0, 0.0]);
    near(none.qacc()[1], -9.81, 1e-12);
}

/// Line 4.
#[test]
fn without_actuation_compensation_by_actuators_is_lost() {
    let xml = r#"<mujoco><option><flag actuation="disable"/></option><worldbody>
        <body gravcomp="1"><joint name="j" type="slide" axis="0 0 1" actuatorgravcomp="true"/>
        <geom size=".1" mass="1"/></body></worldbody><actuator>
        <general joint="j" dyntype="integrator" gainprm="5"/></actuator></mujoco>"#;
    let case = Case::new(xml).ctrl(&[1.0]).steps(10);
    near(case.qacc()[0], -9.81, 1e-12);
    near(case.data.velocity.passive.qfrc_gravcomp[0], 9.81, 1e-12);
    assert_eq!(case.data.state.act, [0.0]);
    assert_eq!(case.qfrc_actuator(), [0.0]);
}

/// Line 5.
#[test]
fn without_sensors_the_last_readings_stay() {
    let mut case = start("").steps(3);
    let before = case.data.sensor.sensordata.clone();
    case.model.opt.disableflags |= DisableFlag::Sensor.code();
    assert_eq!(case.steps(3).data.sensor.sensordata, before);
    assert_ne!(start("").steps(6).data.sensor.sensordata, before);
}

/// Line 6.
#[test]
fn without_warm_start_more_iterations_are_needed() {
    let run = |flags: &str| {
        let mut case = start(flags).solver(Solver::Cg);
        case.model.opt.tolerance = 1e-12;
        case.steps(8)
    };
    let (warm, cold) = (run(""), run(r#"warmstart="disable""#));
    assert_eq!((warm.niter(), cold.niter()), (2, 4));
    close(warm.qacc(), cold.qacc(), 1e-8);
}

/// Line 8.
#[test]
fn each_flag_sets_its_bit() {
    let flags = |attribute: &str| {
        let opt = Case::new(&everything(attribute)).model.opt;
        (opt.disableflags, opt.enableflags)
    };
    assert_eq!(flags(""), (0, 0));
    for (bit, name) in [
        "constraint",
        "equality",
        "frictionloss",
        "limit",
        "contact",
        "spring",
        "damper",
        "gravity",
        "clampctrl",
        "warmstart",
        "filterparent",
        "actuation",
        "refsafe",
        "sensor",
        "midphase",
        "eulerdamp",
        "autoreset",
        "nativeccd",
        "island",
    ]
    .into_iter()
    .enumerate()
    {
        assert_eq!(flags(&format!(r#"{name}="disable""#)), (1 << bit, 0));
        assert_eq!(flags(&format!(r#"{name}="enable""#)), (0, 0));
    }
    let enable = [
        "override",
        "energy",
        "fwdinv",
        "invdiscrete",
        "multiccd",
        "sleep",
    ];
    for (bit, name) in enable.into_iter().enumerate() {
        assert_eq!(flags(&format!(r#"{name}="enable""#)), (0, 1 << bit));
        assert_eq!(flags(&format!(r#"{name}="disable""#)), (0, 0));
    }
    // A later option section wins for the flags it names.
    let two = r#"<mujoco><option><flag gravity="disable" limit="disable"/></option>
        <option><flag gravity="enable" energy="enable"/></option></mujoco>"#;
    let opt = load_text(two).expect("loads").model.opt;
    assert_eq!((opt.disableflags, opt.enableflags), (1 << 3, 1 << 1));
}

/// The older algorithm finds a contact too, elsewhere: not where shapes overlap least.
#[test]
fn the_older_convex_algorithm_is_another() {
    let xml = r#"<mujoco><worldbody><geom type="ellipsoid" size=".3 .2 .1"/>
        <body pos=".05 0 .25"><freejoint/><geom type="cylinder" size=".1 .2"/></body>
        </worldbody></mujoco>"#;
    let native = Case::new(xml).steps(20);
    let other = Case::new(xml).disable(DisableFlag::Nativeccd).steps(20);
    assert!(!native.contacts().is_empty() && !other.contacts().is_empty());
    assert_ne!(native.qpos_of(), other.qpos_of());
    let warnings = other.data.warnings.all();
    assert!(warnings.iter().all(|warning| warning.number == 0));
}

/// Line 9.
#[test]
fn there_is_no_flag_passive() {
    let error = load_text(&everything(r#"passive="disable""#)).expect_err("refused");
    assert!(error.to_string().contains("passive"), "{error}");
}

/// Line 10, as far as bodies can sleep: the flag changes nothing while everything is awake.
#[test]
fn awake_bodies_ignore_the_sleep_flag() {
    let xml = |flag: &str| {
        format!(
            r#"<mujoco><option density="1000" viscosity=".1"><flag sleep="{flag}"/></option><worldbody>
               <body><freejoint/><geom type="box" size=".1 .2 .3"/></body>
               <body pos="1 0 0"><freejoint/><geom type="box" size=".1 .2 .3"/></body>
               </worldbody></mujoco>"#
        )
    };
    let run = |flag: &str| Case::new(&xml(flag)).steps(5).qpos_of().to_vec();
    assert_eq!(run("enable"), run("disable"));
}

/// Line 11.
#[test]
fn bad_states_are_reset_unless_disabled() {
    let xml = |flag: &str| {
        format!(
            r#"<mujoco><option><flag autoreset="{flag}"/></option><worldbody>
               <body><freejoint/><geom size=".1"/></body></worldbody></mujoco>"#
        )
    };
    for (warning, position) in [(Warning::Badqpos, true), (Warning::Badqvel, false)] {
        let spoil = |flag: &str| {
            let mut case = Case::new(&xml(flag));
            case.data.state.time = 1.0;
            if position {
                case.data.state.qpos[0] = f64::NAN;
            } else {
                case.data.state.qvel[0] = 2e10;
            }
            assert!(case.data.step(&case.model).is_err());
            case
        };
        let case = spoil("enable");
        near(case.data.state.time, 0.002, 1e-15);
        near(case.qpos_of()[2], -3.924e-5, 1e-15);
        assert_eq!(case.data.warnings.get(warning).number, 1);
        assert_eq!(case.data.warnings.get(warning).lastinfo, 0);
        let case = spoil("disable");
        near(case.data.state.time, 1.002, 1e-15);
        assert!(case.data.warnings.get(warning).number >= 1);
        assert_eq!(case.data.warnings.get(warning).lastinfo, 0);
    }
}

/// Line 13.
#[test]
fn energy_respects_gravity_and_springs() {
    let energy = |flags: &str| start(flags).steps(1).data.energy.values;
    close(
        &energy(r#"energy="enable""#),
        &[25.1373050616509, 0.125],
        1e-12,
    );
    let floating = energy(r#"energy="enable" gravity="disable""#);
    near(floating[0], 0.4999641244906, 1e-12);
    let slack = energy(r#"energy="enable" spring="disable""#);
    near(slack[0], 24.6373409371603, 1e-12);
    assert_eq!(energy(""), [0.0, 0.0]);
}

/// Line 15.
#[test]
fn islands_do_not_change_the_solution() {
    for (name, solver) in SOLVERS {
        let run = |flags: &str| start(flags).solver(solver).steps(8);
        let (apart, together) = (run(""), run(r#"island="disable""#));
        let count = |case: &Case| case.data.position.islands.nisland;
        assert_eq!((count(&apart), count(&together)), (2, 0));
        let difference = crate::relative(apart.qacc(), together.qacc());
        assert!(difference < 1e-5, "{name} {difference}");
    }
}

fn tilted_box(flags: &str, solver: Solver, iterations: i32) -> [f64; 2] {
    let xml = format!(
        r#"<mujoco><option><flag fwdinv="enable" {flags}/></option><worldbody>
           <geom type="plane" size="5 5 1"/><body pos="0 0 .12" euler="20 30 0"><freejoint/>
             <geom type="box" size=".1 .1 .1" mass="1"/></body></worldbody></mujoco>"#
    );
    let mut case = Case::new(&xml).solver(solver);
    case.model.opt.iterations = iterations;
    case.data.input.xfrc_applied[1] = [1.0, 2.0, -3.0, 0.1, 0.2, 0.3];
    let case = case.steps(5);
    assert!(case.nefc() > 0 || flags.contains("constraint"));
    case.data.inverse.solver_fwdinv
}

/// Line 14.
#[test]
fn inverse_dynamics_returns_the_applied_forces() {
    let [constraint, applied] = tilted_box("", Solver::Newton, 100);
    assert!(
        constraint < 1e-10 && applied < 1e-10,
        "{constraint} {applied}"
    );
    let [constraint, applied] = tilted_box("", Solver::Pgs, 3);
    assert!(constraint > 1e-3, "{constraint}");
    near(applied, constraint, 1e-9 * constraint);
    assert_eq!(
        tilted_box(r#"constraint="disable""#, Solver::Newton, 100),
        [0.0; 2]
    );
    let mut case = Case::new(&everything(r#"fwdinv="enable" invdiscrete="enable""#));
    assert_eq!(case.data.check_inverse(&case.model), Ok(()));
    case.model.opt.integrator = Integrator::Rk4.code();
    let refused = CallError::NoDiscreteInverse;
    assert_eq!(case.data.check_inverse(&case.model), Err(refused));
    assert_eq!(case.data.step(&case.model), Err(StepError::Call(refused)));
    // Forward results are not changed by the comparison.
    let run = |flags: &str| start(flags).steps(10).qpos_of().to_vec();
    assert_eq!(run(""), run(r#"fwdinv="enable""#));
}

/// Storage of the Jacobian does not matter, whatever is switched off.
#[test]
fn sparse_and_dense_agree_under_every_flag() {
    for (flag, ..) in TABLE {
        let run = |jacobian: i32| {
            let mut case = start("").disable(flag);
            case.model.opt.jacobian = jacobian;
            case.steps(10)
        };
        close(run(0).qpos_of(), run(1).qpos_of(), 1e-10);
    }
}
