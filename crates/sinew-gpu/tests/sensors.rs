//! What sensors read in worlds of the kernels, run on the processor: the bits of the engine.

mod compared;
mod text;

use compared::{Start, compare};
use sinew_gpu::{Capacity, Order, Scene};
use sinew_model::Model;
use sinew_model::kinds::{Cone, DisableFlag, Integrator, Jacobian, SensorType, Solver};
use text::written;

/// An arm on a cart with all sensors that kernels read, on everything they can be attached to, with and without references and
/// cutoffs.
fn sensing() -> Model {
    let mut sensors = String::new();
    for object in ["body", "xbody", "geom", "site"] {
        for kind in [
            "framepos",
            "framequat",
            "framexaxis",
            "frameyaxis",
            "framezaxis",
            "framelinvel",
            "frameangvel",
            "framelinacc",
            "frameangacc",
        ] {
            sensors += &format!(r#"<{kind} objtype="{object}" objname="hand"/>"#);
            if !kind.ends_with("acc") {
                let is_direction = kind.ends_with("axis") || kind.ends_with("quat");
                let cutoff = if is_direction { "" } else { r#"cutoff=".2""# };
                sensors += &format!(
                    r#"<{kind} objtype="{object}" objname="hand" reftype="body" refname="cart"/>
                    <{kind} objtype="site" objname="hand" reftype="{object}" refname="base" {cutoff}/>"#
                );
            }
        }
    }
    written(&format!(
        r#"<option timestep="0.004" magnetic=".1 -.5 .2"/>
        <worldbody>
          <geom type="plane" size="5 5 .1"/>
          <body name="base" pos="0 0 .5"><geom name="base" size=".05" contype="0"/><site name="base" euler="10 20 30"/></body>
          <body name="cart" pos="0 0 .2"><joint name="slide" type="slide" axis="1 0 0"/><geom type="sphere" size=".1"/>
            <body pos=".3 0 0"><joint name="elbow" axis="0 1 0" limited="true" range="-40 40"/><geom type="capsule" size=".05 .2"/>
              <body name="hand" pos=".3 0 0"><joint name="wrist" type="ball"/><geom name="hand" type="box" size=".1 .05 .03" pos=".1 0 .1" euler="5 6 7"/>
                <site name="hand" pos="0 .1 .1" euler="40 50 60"/></body>
            </body>
          </body>
        </worldbody>
        <actuator><position name="servo" joint="elbow" kp="20" gear="2"/><motor name="motor" joint="slide" gear="-3" ctrlrange="-.5 .5" ctrllimited="true"/></actuator>
        <sensor>{sensors}
          <accelerometer site="hand"/><accelerometer site="base"/><velocimeter site="hand"/><velocimeter site="base"/><gyro site="hand" cutoff=".5"/>
          <magnetometer site="hand"/><jointpos joint="elbow"/><jointvel joint="elbow" cutoff=".3"/><ballquat joint="wrist"/><ballangvel joint="wrist"/>
          <actuatorpos actuator="servo"/><actuatorvel actuator="servo"/><actuatorfrc actuator="servo"/><actuatorvel actuator="motor"/>
          <jointactuatorfrc joint="slide"/><subtreecom body="cart"/><clock/><clock cutoff=".1"/>
        </sensor>"#
    ))
}

#[test]
fn sensors_have_the_bits_of_the_engine() {
    let model = sensing();
    let scene = Scene::<f64>::new(&model, Capacity::default()).expect("a model that kernels know");
    assert_eq!(scene.unread, []);
    assert_eq!(scene.head.sensors, model.nsensor);
    assert!(compare(&model, 150, &Start::default(), Order::Ascending) > 0);
    assert!(compare(&model, 60, &Start::default(), Order::Descending) > 0);
}

#[test]
fn sensors_that_are_switched_off_read_nothing() {
    let mut model = sensing();
    model.opt.disableflags |= DisableFlag::Sensor.code();
    compare(&model, 20, &Start::default(), Order::Ascending);
}

/// Bodies that fall, touch, hang on each other and are driven, with all sensors of contacts, forces, limits, tendons, energies,
/// momenta and rays.
fn feeling() -> Model {
    let mut sensors = String::new();
    for reduce in ["none", "mindist", "maxforce", "netforce"] {
        for (select, num) in [
            (r#"body1="hand""#, 2),
            (r#"subtree1="arm" geom2="floor""#, 3),
            (r#"geom1="floor" subtree2="arm""#, 1),
            (r#"site="zone""#, 4),
            (r#"geom2="ball""#, 1),
            ("", 5),
        ] {
            let data = "found force torque dist pos normal tangent";
            sensors +=
                &format!(r#"<contact {select} num="{num}" reduce="{reduce}" data="{data}"/>"#);
        }
    }
    for site in ["tip", "zone", "middle"] {
        sensors += &format!(
            r#"<touch site="{site}"/><force site="{site}"/><torque site="{site}" cutoff="1"/><accelerometer site="{site}"/>
            <insidesite site="zone" objtype="site" objname="{site}"/><rangefinder site="{site}"/>
            <rangefinder site="{site}" data="dist dir origin point normal depth"/>"#
        );
    }
    for joint in ["shoulder", "elbow", "wrist"] {
        sensors += &format!(
            r#"<jointlimitpos joint="{joint}"/><jointlimitvel joint="{joint}"/><jointlimitfrc joint="{joint}"/>"#
        );
    }
    for tendon in ["sum", "string"] {
        sensors += &format!(
            r#"<tendonpos tendon="{tendon}"/><tendonvel tendon="{tendon}"/><tendonactuatorfrc tendon="{tendon}"/>
            <tendonlimitpos tendon="{tendon}"/><tendonlimitvel tendon="{tendon}"/><tendonlimitfrc tendon="{tendon}"/>"#
        );
    }
    for body in ["arm", "hand", "ball"] {
        sensors += &format!(
            r#"<subtreelinvel body="{body}"/><subtreeangmom body="{body}"/><subtreecom body="{body}"/>"#
        );
    }
    for actuator in ["pull", "push", "fly"] {
        sensors += &format!(
            r#"<actuatorpos actuator="{actuator}"/><actuatorvel actuator="{actuator}"/><actuatorfrc actuator="{actuator}"/>"#
        );
    }
    written(&format!(
        r#"<option timestep="0.003"/>
        <worldbody>
          <geom name="floor" type="plane" size="5 5 .1"/><geom type="box" size=".1 .1 .3" pos="1.2 0 .3"/>
          <site name="high" pos=".2 .1 1"/>
          <body name="arm" pos="0 0 .25"><joint name="shoulder" axis="0 1 0" limited="true" range="-20 25" stiffness="3" damping=".1"/>
            <geom type="capsule" fromto="0 0 0 .3 0 0" size=".05"/><site name="middle" pos=".15 0 0" size=".08"/>
            <body name="forearm" pos=".35 0 0"><joint name="elbow" axis="0 1 0" limited="true" range="-30 30"/>
              <geom type="capsule" fromto="0 0 0 .25 0 0" size=".04" condim="4"/>
              <body name="hand" pos=".3 0 0"><joint name="wrist" type="ball" limited="true" range="0 20" stiffness=".5"/>
                <geom type="box" size=".08 .06 .04" condim="6"/><site name="tip" type="box" size=".1 .08 .06" pos="0 0 -.03"/>
                <site name="zone" type="capsule" size=".08 .1" euler="10 70 20"/></body>
            </body>
          </body>
          <body name="ball" pos=".5 .02 .45"><freejoint/><geom name="ball" type="sphere" size=".08" condim="1"/><site name="inside"/></body>
          <body name="weight" pos=".9 0 .3"><freejoint/><geom type="cylinder" size=".06 .05"/></body>
          <body name="hung" pos=".2 .5 .6"><freejoint/><geom type="sphere" size=".05"/></body>
          <body name="tied" pos=".5 .5 .6"><freejoint/><geom type="ellipsoid" size=".05 .06 .07"/></body>
        </worldbody>
        <tendon>
          <fixed name="sum" limited="true" range="-.3 .3"><joint joint="shoulder" coef="1"/><joint joint="elbow" coef="-.7"/></fixed>
          <spatial name="string" limited="true" range="0 .9" stiffness="8" springlength=".3"><site site="high"/><site site="middle"/><site site="tip"/></spatial>
        </tendon>
        <equality><connect body1="hung" body2="forearm" anchor="0 .1 0"/><weld body1="tied" body2="hung"/>
          <joint joint1="elbow" polycoef="0 .2 0 0 0" joint2="shoulder" solref=".1 1"/></equality>
        <actuator><motor name="pull" tendon="string" gear="-5"/><motor name="push" tendon="sum" gear="2"/>
          <motor name="fly" site="tip" gear="0 0 3 0 0 .1"/></actuator>
        <sensor>{sensors}<e_potential/><e_kinetic/><e_potential cutoff=".1"/></sensor>"#
    ))
}

#[test]
fn sensors_of_contacts_and_forces_have_the_bits_of_the_engine() {
    let model = feeling();
    let scene = Scene::<f64>::new(&model, Capacity::default()).expect("a model that kernels know");
    assert_eq!(scene.unread, []);
    for cone in [Cone::Pyramidal, Cone::Elliptic] {
        for jacobian in [Jacobian::Dense, Jacobian::Sparse] {
            for solver in [Solver::Newton, Solver::Cg] {
                let mut model = model.clone();
                model.opt.cone = cone.code();
                model.opt.jacobian = jacobian.code();
                model.opt.solver = solver.code();
                let order = if solver == Solver::Cg {
                    Order::Descending
                } else {
                    Order::Ascending
                };
                assert!(compare(&model, 100, &Start::default(), order) > 10);
            }
        }
    }
    let mut model = model.clone();
    model.opt.integrator = Integrator::Rk4.code();
    compare(&model, 30, &Start::default(), Order::Ascending);
}

/// The same where one tree is solved as a whole, in registers and in memory.
#[test]
fn sensors_of_a_single_tree_have_the_bits_of_the_engine() {
    for cone in ["pyramidal", "elliptic"] {
        for (joint, name) in [
            ("<freejoint/>", "free"),
            (
                r#"<joint type="slide" axis="0 0 1" limited="true" range="-.2 .5"/>"#,
                "slide",
            ),
        ] {
            let model = written(&format!(
                r#"<option timestep="0.004" cone="{cone}"/><worldbody><geom type="plane" size="5 5 .1"/>
                <body name="{name}" pos="0 0 .12">{joint}<geom type="capsule" size=".05 .1" euler="0 80 0"/><site name="zone" type="ellipsoid" size=".2 .2 .06"/>
                  <body pos=".2 0 0"><joint name="hinge" axis="0 1 0" limited="true" range="-10 10"/><geom size=".04" pos=".1 0 0"/><site name="wrist"/></body></body>
                </worldbody><sensor><touch site="zone"/><force site="wrist"/><torque site="wrist"/><jointlimitfrc joint="hinge"/>
                <contact subtree1="{name}" reduce="maxforce" num="2" data="found force dist"/><subtreeangmom body="{name}"/></sensor>"#
            ));
            assert!(compare(&model, 150, &Start::default(), Order::Ascending) > 0);
        }
    }
}

#[test]
fn sensors_that_are_not_read_are_named() {
    let model = written(
        r#"<worldbody><body><joint/><geom size=".1" pos=".3 0 0"/><site name="here"/></body><camera name="eye" resolution="9 9"/></worldbody>
        <sensor><user dim="1"/><gyro site="here"/><camprojection camera="eye" site="here"/><user dim="2"/></sensor>"#,
    );
    let scene = Scene::<f64>::new(&model, Capacity::default()).expect("a model that kernels know");
    assert_eq!(scene.unread, [SensorType::User, SensorType::Camprojection]);
    assert_eq!(scene.head.sensors, 1);
}
