//! What the page does, without the page.

use sinew_playground::Playground;

const ARM: &str = "<mujoco><worldbody><camera name='side' pos='0 -3 0' xyaxes='1 0 0 0 0 1'/>
    <body name='arm'><joint name='hinge' axis='0 1 0'/><geom type='capsule' fromto='0 0 0 .5 0 0' size='.05'/></body>
    </worldbody><actuator><motor name='motor' joint='hinge' ctrlrange='-2 2'/><motor joint='hinge'/></actuator>
    <keyframe><key name='down' qpos='1.5'/></keyframe></mujoco>";

fn with(files: &[(&str, &str)]) -> Playground {
    let mut playground = Playground::default();
    for (name, text) in files {
        let added = playground.add_file(name, text.as_bytes().to_vec());
        assert_eq!(added, Ok(()));
    }
    playground
}

#[test]
fn a_dropped_model_is_simulated_and_drawn() {
    let mut playground = with(&[("arm.xml", ARM)]);
    assert_eq!(playground.candidates(), "arm.xml");
    let summary = playground.load("arm.xml").expect("a model");
    let expected =
        "time\t0.002\ncamera\tside\nkey\tdown\ncontrol\tmotor\t-2\t2\ncontrol\t1\t-1\t1\n";
    assert_eq!(summary, expected);

    let first = playground.draw(40, 30).expect("a picture").to_vec();
    assert_eq!(first.len(), 4 * 40 * 30);
    assert_eq!(playground.advance(0.1, 1000), Ok(50));
    assert_eq!(playground.advance(1.0, 7), Ok(7));
    let later = playground.draw(40, 30).expect("a picture").to_vec();
    assert_ne!(first, later);

    assert_eq!(playground.reset(None), Ok(()));
    assert_eq!(playground.time(), 0.0);
    assert_eq!(playground.draw(40, 30), Ok(first.as_slice()));
    assert_eq!(playground.reset(Some(0)), Ok(()));
    assert_ne!(playground.draw(40, 30), Ok(first.as_slice()));
}

#[test]
fn the_eye_goes_where_it_is_led_and_cameras_are_looked_through() {
    let mut playground = with(&[("arm.xml", ARM)]);
    playground.load("arm.xml").expect("a model");
    let mut seen = vec![playground.draw(40, 30).expect("a picture").to_vec()];
    let led: [fn(&mut Playground); 5] = [
        |p| p.turn(40.0, -20.0),
        |p| p.zoom(0.5),
        |p| p.shift(0.1, 0.2),
        |p| p.look_through(Some(0)),
        // A camera that there is not is the free eye.
        |p| p.look_through(Some(7)),
    ];
    for lead in led {
        lead(&mut playground);
        seen.push(playground.draw(40, 30).expect("a picture").to_vec());
    }
    assert_eq!(seen[5], seen[3]);
    seen.pop();
    let count = seen.len();
    seen.sort();
    seen.dedup();
    assert_eq!(seen.len(), count);
    for nonsense in [f64::NAN, f64::INFINITY, 0.0] {
        playground.turn(nonsense, nonsense);
        playground.zoom(nonsense);
        playground.shift(nonsense, nonsense);
        assert!(playground.draw(8, 8).is_ok());
    }
}

#[test]
fn errors_say_where_and_leave_what_was_there() {
    let broken = ARM.replace("fromto", "frmto");
    let mut playground = with(&[("arm.xml", ARM), ("broken.xml", &broken)]);
    playground.load("arm.xml").expect("a model");
    playground.advance(0.1, 1000).expect("steps");
    let error = playground.load("broken.xml").expect_err("no model");
    assert!(error.contains("broken.xml:2:"), "{error}");
    assert!(error.contains("did you mean \"fromto\"?"), "{error}");
    assert!(playground.time() > 0.09);

    let said = playground.load("absent.xml");
    assert_eq!(said, Err("no file is named `absent.xml`".to_owned()));
    assert!(playground.load_built_in("absent").is_err());
    assert!(playground.set_control(2, 0.0).is_err());
    assert!(playground.draw(0, 0).is_err());
    assert!(Playground::default().draw(8, 8).is_err());
    assert!(Playground::default().advance(1.0, 1).is_err());
}

#[test]
fn files_find_each_other_in_folders() {
    let scene = "<mujoco><include file='parts/robot.xml'/></mujoco>";
    let robot = "<mujoco><asset><mesh name='m' file='shape.obj'/></asset>
        <worldbody><geom type='mesh' mesh='m'/></worldbody></mujoco>";
    let shape = "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 3 2\nf 1 2 4\nf 1 4 3\nf 2 3 4\n";
    let mut playground = with(&[
        ("zip/parts/robot.xml", robot),
        ("zip/parts/shape.obj", shape),
        ("zip/scene.xml", scene),
    ]);
    assert_eq!(
        playground.candidates(),
        "zip/scene.xml\nzip/parts/robot.xml"
    );
    assert!(playground.load("zip/scene.xml").is_ok());
    playground.forget_files();
    assert_eq!(playground.candidates(), "");
    assert!(playground.draw(8, 8).is_ok());
}

#[test]
fn the_list_has_models_that_load() {
    let list = Playground::built_in();
    let first = list.lines().next().and_then(|line| line.split('\t').next());
    assert_eq!(first, Some("humanoid"));
    let mut playground = Playground::default();
    for name in ["humanoid", "mesh_scene", "flag"] {
        assert!(list.contains(name));
        assert!(playground.load_built_in(name).is_ok());
        assert!(playground.advance(0.01, 100).is_ok());
    }
}
