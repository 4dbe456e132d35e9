//! What sensors read in worlds of the kernels, run on the processor: the bits of the engine.

mod compared;

use compared::{Start, compare, written};
use sinew_gpu::{Capacity, Order, Scene};
use sinew_model::Model;
use sinew_model::kinds::{DisableFlag, SensorType};

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

#[test]
fn sensors_that_are_not_read_are_named() {
    let model = written(
        r#"<worldbody><body><joint/><geom size=".1" pos=".3 0 0"/><site name="here"/></body></worldbody>
        <sensor><touch site="here"/><gyro site="here"/><force site="here"/><touch site="here"/></sensor>"#,
    );
    let scene = Scene::<f64>::new(&model, Capacity::default()).expect("a model that kernels know");
    assert_eq!(scene.unread, [SensorType::Touch, SensorType::Force]);
    assert_eq!(scene.head.sensors, 1);
}
