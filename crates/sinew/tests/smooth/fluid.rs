//! Forces of a surrounding fluid: the model of equivalent boxes and the one of ellipsoids.

use crate::{Case, close, numbers};

const ELLIPSOID: &str = r#" fluidshape="ellipsoid""#;
const BALL: &str = r#"<geom size="0.1" mass="1"/>"#;
const BOX: &str = r#"<geom type="box" size="0.1 0.05 0.025" mass="1"/>"#;
const EGG: &str =
    r#"<geom type="ellipsoid" size="0.1 0.05 0.02" mass="1" fluidshape="ellipsoid"/>"#;

fn world(option: &str, bodies: &str) -> String {
    format!("<mujoco><option {option}/><worldbody>{bodies}</worldbody></mujoco>")
}

fn body(attributes: &str, geoms: &str) -> String {
    format!(r#"<body pos="0 0 1" {attributes}><freejoint/>{geoms}</body>"#)
}

fn medium(density: f64, viscosity: f64) -> String {
    format!(r#"density="{density}" viscosity="{viscosity}""#)
}

/// The models of the table of forces, by letter.
fn model(id: &str) -> String {
    let air = medium(1.2, 0.0);
    let thick = medium(1.2, 0.001);
    let windy = |wind: &str| format!(r#"{air} wind="{wind}""#);
    let shaped = |geom: &str| geom.replace("/>", &format!("{ELLIPSOID}/>"));
    let one = |option: &str, geoms: &str| world(option, &body("", geoms));
    match id {
        "A" => one(&air, BALL),
        "B" => one(&medium(0.0, 1.0), r#"<geom size="0.01" mass="0.001"/>"#),
        "C" => one(&windy("5 0 0"), BOX),
        "D" => one(&air, &shaped(BALL)),
        "E" => one(&air, EGG),
        "F" => one(&thick, &EGG.replace("/>", r#" fluidcoef="1 0.5 2 0 0"/>"#)),
        "G" => one(&medium(0.0, 0.0), BALL),
        "H" => one(
            &air,
            r#"<geom size="0.05" mass="0.5"/><geom type="ellipsoid" size="0.1 0.05 0.02" mass="0.5"
                 pos="0.2 0 0" fluidshape="ellipsoid"/>"#,
        ),
        "I" => one(
            &thick,
            r#"<geom type="capsule" size="0.05 0.15" mass="0.5" pos="-0.1 0 0"/>
               <geom type="capsule" size="0.05 0.15" mass="0.5" pos="0.1 0 0"/>"#,
        ),
        "J" | "T" => one(&thick, EGG),
        "K" => {
            let second = body("", EGG).replace("0 0 1", "1 0 1");
            world(&air, &(body("", BOX) + &second))
        }
        "L" => format!(
            r#"<mujoco><option {air}/><default><geom{ELLIPSOID}/></default><worldbody>{}</worldbody></mujoco>"#,
            body("", BALL)
        ),
        "M" => one(
            &air,
            &shaped(r#"<geom type="cylinder" size="0.05 0.15" mass="1"/>"#),
        ),
        "N" => one(&thick, &BOX.replace("/>", r#" pos="0.1 0.05 0"/>"#)),
        "P" => one(&medium(0.0, 1.0), EGG),
        "Q" => one(&windy("3 4 0"), BOX),
        "R" => one(
            &air,
            &shaped(r#"<geom type="capsule" size="0.05 0.15" mass="1"/>"#),
        ),
        "S" => one(
            &air,
            r#"<geom type="ellipsoid" size="0.1 0.05 0.02" mass="0.5" pos="-0.15 0 0" fluidshape="ellipsoid"/>
               <geom type="ellipsoid" size="0.08 0.04 0.03" mass="0.5" pos="0.15 0 0" fluidshape="ellipsoid"/>"#,
        ),
        "U" => one(
            &air,
            &shaped(r#"<geom type="ellipsoid" size="0.1 0.1 0.03" mass="1"/>"#),
        ),
        "V" => one(&windy("3 0 0"), EGG),
        "W" => one(&thick, BOX),
        "X" => one(
            &air,
            &BALL.replace("/>", r#" fluidcoef="1 0.5 2 0.5 0.5"/>"#),
        ),
        "Y" => world(&thick, &body(r#"quat="0.707 0 0.707 0""#, EGG)),
        "AA" => format!(
            r#"<mujoco><option {thick}/><default><geom{ELLIPSOID} fluidcoef="1 0.5 2 0.5 0.5"/></default>
                 <worldbody>{}</worldbody></mujoco>"#,
            body(
                "",
                r#"<geom type="ellipsoid" size="0.1 0.05 0.02" mass="1"/>"#
            )
        ),
        _ => panic!("no model {id}"),
    }
}

fn at(id: &str, velocity: &[f64]) -> Case {
    Case::new(&model(id)).qvel(velocity).forward()
}

fn fluid(case: &Case) -> &[f64] {
    &case.data.velocity.passive.qfrc_fluid
}

/// Model, velocity (linear in the world, then angular in the body), force.
const FORCES: &str = "
A  | 0 0 -1 0 0 0  | 0 0 0.0144 0 0 0
A  | 0 0 0 0 0 -1  | 0 0 0 0 0 3.346257611123e-06
B  | 1 0 0 0 0 0   | -0.1460080323351 0 0 0 0 0
B  | 0 0 0 1 0 0   | 0 0 0 -1.16806425868e-05 0 0
C  | 0 0 0 0 0 0   | 0.075 0 0 0 0 0
D  | 0 0 -1 0 0 0  | 0 0 0.01884955592154 0 0 0
D  | 0 0 0 0 0 -1  | 0 0 0 0 0 3.015928947446e-05
D  | 1 0 0 0 0 10  | -0.01884955592154 0.02513275603254 0 0 0 -0.003015928947446
D  | 0 0 10 1 0 0  | 0 -0.02513275603254 -1.884955592154 -3.015928947446e-05 0 0
E  | 1 0.5 0 0 0 0 | -0.005335254292353 -0.006666221790519 0 0 0 -5.552135627282e-05
E  | 0 0 0 1 0.5 0 | 0 0 0 -8.574879170467e-06 -4.287439585234e-06 -5.955764990546e-07
D  | 0 0 -1 5 0 0  | 0 0.01256637801627 0.01884955592154 -0.0007539822368616 0 0
D  | 5 0 0 0 0 -1  | -0.4712388980385 -0.01256637801627 0 0 0 3.015928947446e-05
F  | 1 0.5 0 5 0 0 | -0.0149375258024 -0.0074687629012 -0.000410164036507 -0.0001956537362542 0 -5.552135627282e-05
F  | 5 0 0 1 0.5 0 | -0.2880840463342 0 0.0001325572551429 -1.677296717203e-05 -8.386483586015e-06 -5.955764990546e-07
H  | 0 0 -1 0 0 0  | 0 0 0.009424777960769 0 -0.001884955592154 0
H  | 0 0 0 0 0 -1  | -6.771784199432e-05 0.0002638937829015 0 0 0 6.031857894892e-05
I  | 0 0 -1 0 0 0  | 0 0 0.02074061557048 0 0 0
I  | 0 0 0 0 0 -1  | 0 0 0 0 0 0.0001742999957254
J  | 1 0.5 0 0 0 0 | -0.006403395794573 -0.007200292541629 0 0 0 -5.552135627282e-05
J  | 0 0 0 1 0.5 0 | 0 0 0 -1.314810723183e-05 -6.574053615913e-06 -5.955764990546e-07
K  | 0 0 -1 0 0 0 0 0 -1 0 0 0 | 0 0 0.012 0 0 0 0 0 0.009424777960769 0 0 0
K  | 0 0 0 0 0 -1 0 0 0 0 0 -1 | 0 0 0 0 0 1.59375e-06 0 0 0 0 0 7.539822368616e-06
L  | 0 0 -1 0 0 0  | 0 0 0.01884955592154 0 0 0
M  | 0 0 -1 0 0 0  | 0 0 0.009424777960769 0 0 0
M  | 0 0 0 0 0 -1  | 0 0 0 0 0 1.507964473723e-05
N  | 1 0.5 0 0 0 0 | -0.004099557428756 -0.002049778714378 0 0 0 0
N  | 0 0 0 1 0.5 0 | 0 0 0 -5.387170278617e-06 -3.247296076809e-06 0
P  | 1 0.5 0 0 0 0 | -1.068141502221 -0.5340707511103 0 0 0 0
P  | 0 0 0 1 0.5 0 | 0 0 0 -0.004573228061359 -0.00228661403068 0
Q  | 0 0 0 0 0 0   | 0.027 0.096 0 0 0 0
R  | 0 0 -1 0 0 0  | 0 0 0.01178097245096 0 0 0
R  | 0 0 0 0 0 -1  | 0 0 0 0 0 4.335397861954e-05
S  | 1 0.5 -1 0 0 0 | -0.001354654199537 -0.006554955837889 0.04624251031261 0.0005020391004624 0.0004955008515459 -0.0004528717968267
S  | 0 0 0 1 0.5 -1 | 1.08618836323e-06 2.478066407086e-05 -0.0001499219634247 -2.824529937939e-05 -6.113517769374e-05 4.426785732127e-05
T  | 0 0 0 10 5 3  | 0 0 0 -0.0009139260993258 -0.0004677936940339 -0.0003393233078209
T  | 10 5 3 0 0 0  | -0.7207137886722 -0.5327882312712 -1.04388455389 -0.01207780647048 0.02748689431732 -0.005552135627282
U  | 1 0.5 0 0 0 0 | -0.01369838872553 -0.006849194362765 0 0 0 0
U  | 0 0 0 1 0.5 0 | 0 0 0 -3.3719110709e-05 -1.68595553545e-05 0
V  | 0 0 0 0 0 0   | 0.05089380098815 0 0 0 0 0
W  | 0 0 -1 10 5 3 | 0 0 0.01309955742876 -8.973107778617e-05 -0.0001002366326431 -2.930994833585e-05
W  | 10 5 3 0 0 -1 | -0.3109955742876 -0.1554977871438 -0.1112986722863 0 0 6.582482778617e-06
X  | 0 0 -1 0 0 0  | 0 0 0.0144 0 0 0
Y  | 1 0.5 -1 0 0 0 | -0.03018431772164 -0.002800138124739 0.002088270324884 -0.0004025935490159 0.0009162298105774 -5.552135627282e-05
Y  | 0 0 0 1 0.5 -1 | 0 0 0 -1.661239344037e-05 -7.945175241151e-06 1.539594715046e-05
AA | 1 0.5 0 0 0 0 | -0.01413780687353 -0.009068200758937 0 0 0 -5.552135627282e-05
AA | 0 0 0 1 0.5 0 | 0 0 0 -1.677296717203e-05 -8.386483586015e-06 -5.955764990546e-07";

#[test]
fn forces_follow_the_reference() {
    for line in FORCES.trim().lines() {
        let columns: Vec<&str> = line.split('|').map(str::trim).collect();
        let case = at(columns[0], &numbers(columns[1]));
        close(fluid(&case), &numbers(columns[2]), 1e-12);
        assert_eq!(case.qfrc_passive(), fluid(&case), "{line}");
    }
}

#[test]
fn nothing_acts_without_a_medium_or_without_motion() {
    let velocity = numbers("1 2 3 4 5 6");
    assert_eq!(fluid(&at("G", &velocity)), [0.0; 6]);
    let windy = model("G").replace("<option", r#"<option wind="5 0 0""#);
    let case = Case::new(&windy).qvel(&velocity).forward();
    assert_eq!(fluid(&case), [0.0; 6]);
    assert_eq!(fluid(&at("D", &[0.0; 6])), [0.0; 6]);
    assert_eq!(
        fluid(&at("X", &numbers("0 0 -1 0 0 0"))),
        fluid(&at("A", &numbers("0 0 -1 0 0 0")))
    );
}

#[test]
fn equivalent_box_of_a_ball_has_sides_of_its_inertia() {
    // From drag along z: ½·ρ·side²·v².
    let force = fluid(&at("A", &numbers("0 0 -1 0 0 0")))[2];
    let side = (force / 0.6).sqrt();
    close(&[side], &[0.154919333848297], 1e-13);
    close(&[side], &[0.1 * 2.4_f64.sqrt()], 1e-13);
}

#[test]
fn geoms_store_shape_coefficients_and_virtual_inertia() {
    let default = "1 .5 .25 1.5 1 1";
    let egg = "4.418575171428774e-05 1.3672134550232173e-04 8.077105938620983e-04 \
               1.6855563541926584e-07 1.1611831338435452e-06 1.2640014908278048e-07";
    let ball = "0.002094393868741025 0.002094393868741025 0.002094393868741025 0 0 0";
    let second = "6.929755944414557e-05 2.2584302104284922e-04 3.9158560678714745e-04 \
                  1.4409733762456334e-08 2.8357422803802514e-07 1.2715309567741622e-07";
    let cylinder = "1.2627621873587509e-03 1.2627621873587509e-03 1.9158783161120382e-04 \
                    3.6574299294947896e-06 3.6574299294947896e-06 0";
    let capsule = "1.8006790539086448e-03 1.8006790539086448e-03 1.7081310951458064e-04 \
                   1.082273452024974e-05 1.082273452024974e-05 0";
    let disc = "2.5615291305198184e-04 2.5615291305198184e-04 2.4540911463056553e-03 \
                2.7402873282617277e-06 2.7402873282617277e-06 0";
    for (id, geom, coefficients, inertia) in [
        ("D", 0, default, ball),
        ("L", 0, default, ball),
        ("E", 0, default, egg),
        ("S", 1, default, second),
        ("M", 0, default, cylinder),
        ("R", 0, default, capsule),
        ("U", 0, default, disc),
        ("AA", 0, "1 1 .5 2 .5 .5", egg),
        ("X", 0, "0 0 0 0 0 0", "0 0 0 0 0 0"),
        ("H", 0, "0 0 0 0 0 0", "0 0 0 0 0 0"),
    ] {
        let found = Case::new(&model(id)).model.geom_fluid[geom];
        close(&found[..6], &numbers(coefficients), 1e-15);
        for (a, e) in found[6..].iter().zip(numbers(inertia)) {
            assert!((a - e).abs() <= 1e-12 * e.abs(), "{id}: {a} {e}");
        }
    }
    let brick = model("E").replace(r#"type="ellipsoid" size"#, r#"type="box" size"#);
    let of = |xml: &str| Case::new(xml).model.geom_fluid[0];
    assert_eq!(of(&brick), of(&model("E")));
}

#[test]
fn virtual_masses_follow_the_closed_forms_of_spheroids() {
    // κ from the stored mass: m = V·κ/(2 − κ).
    let kappa = |axes: [f64; 3]| {
        let [a, b, c] = axes;
        let xml = model("E").replace("0.1 0.05 0.02", &format!("{a} {b} {c}"));
        let fluid = Case::new(&xml).model.geom_fluid[0];
        let volume = 4.0 / 3.0 * core::f64::consts::PI * a * b * c;
        [6, 7, 8].map(|k| 2.0 * fluid[k] / (volume + fluid[k]))
    };
    for (axes, quadrature, closed) in [
        (
            [1.0, 1.0, 1.0],
            "0.666666404877494 0.666666404877494 0.666666404877494",
            [2.0 / 3.0; 3],
        ),
        (
            [1.0, 1.0, 3.0],
            "0.891290708168717 0.891290708168717 0.217418921632246",
            [0.891290534947, 0.891290534947, 0.217418930105],
        ),
        (
            [3.0, 3.0, 1.0],
            "0.364611121028011 0.364611121028011 1.270777722607698",
            [0.364611110144, 0.364611110144, 1.270777779712],
        ),
    ] {
        close(&kappa(axes), &numbers(quadrature), 1e-13);
        close(&kappa(axes), &closed, 1e-6);
    }
    let expected = numbers("1.153090603046138 0.534308028363425 0.312601399111254");
    close(&kappa([1.0, 2.0, 3.0]), &expected, 1e-13);
}

#[test]
fn angular_drag_has_the_moments_of_the_ellipsoid() {
    // At a unit spin about axis 0, without viscosity: ρ·(C_a·J + C_s·(J_max − J)) opposes it.
    let xml = model("E");
    let found = fluid(&Case::new(&xml).qvel(&numbers("0 0 0 1 0 0")).forward())[3];
    let unit = 8.0 / 15.0 * core::f64::consts::PI;
    let own = unit * 0.1 * 6.25e-6;
    let largest = unit * 0.05 * 1e-4;
    let expected = -1.2 * (1.5 * own + 0.25 * (largest - own));
    close(&[found / expected], &[1.0], 1e-12);
}

#[test]
fn forces_are_computed_in_the_frame_of_the_shape() {
    let pose = r#" pos="0.1 0.05 0" euler="30 40 50"/>"#;
    let option = format!(r#"{} wind="0.3 -0.2 0.1""#, medium(1.2, 0.001));
    let velocity = numbers("1 0.5 -1 10 5 3");
    let turned = r#"quat=".5 .5 .5 .5""#;
    for (geom, attributes, expected) in [
        (
            BOX,
            "",
            "-0.000442860116656 -0.005684400746619 0.008832600423423 \
             0.000323679008647 -0.000908674761986 -0.000597180783534",
        ),
        (
            BOX,
            turned,
            "-0.010810739995531 -0.010118302245150 0.007127698740949 \
             -0.000658488012301 0.001055659279909 0.001167801271647",
        ),
        (
            EGG,
            "",
            "0.009404207094785 -0.013514099262329 0.024988572647443 \
             0.000785881638870 -0.003617862328005 -0.002554895619240",
        ),
        (
            EGG,
            turned,
            "-0.008862056063137 -0.013944263405658 0.006317941756684 \
             -0.000909830175034 0.000399188984820 0.000804890902581",
        ),
    ] {
        let xml = world(&option, &body(attributes, &geom.replace("/>", pose)));
        let case = Case::new(&xml).qvel(&velocity).forward();
        close(fluid(&case), &numbers(expected), 1e-12);
    }
    let case = at("N", &numbers("1 -0.5 0.2 0 0 0"));
    let expected = "-0.004099557428756 0.002049778714378 -0.000699911485751 \
                    -3.499557428756e-05 6.999114857513e-05 0.000409955742876";
    close(fluid(&case), &numbers(expected), 1e-12);
}

#[test]
fn trajectories_follow_the_reference() {
    for (id, start, row, expected) in [
        (
            "A",
            "0 0 -1 0 0 0",
            2,
            "0.01992426856948 0.02710698589705 0.03538620413486 0.04475821702671 0.05521883225709",
        ),
        (
            "J",
            "0 0 -1 0 0 0",
            2,
            "0.01429877798701 0.01921280397614 0.02484679316094 0.03119909221235 0.03826783767624",
        ),
        (
            "A",
            "0 0 0 0 0 -1",
            2,
            "0.0004489876468761 0.002000843972076 0.004660429615491 0.008426561757952 0.01329755843583",
        ),
        (
            "J",
            "0 0 0 0 0 -1",
            2,
            "0.0004824685400117 0.001707713505416 0.003658051567817 0.006332913989304 0.00973151803095",
        ),
    ] {
        let mut case = Case::new(&model(id)).qvel(&numbers(start));
        for value in numbers(expected) {
            case = case.steps(10);
            close(&fluid(&case)[row..=row], &[value], 1e-12);
        }
    }
    for (id, first, last) in [
        ("A", 3.346156836e-06, 3.345709003e-06),
        ("J", 1.2111336590e-05, 1.2103723844e-05),
    ] {
        let case = Case::new(&model(id))
            .qvel(&numbers("0 0 0 0 0 -1"))
            .steps(10);
        close(&[fluid(&case)[5]], &[first], 1e-14);
        close(&[fluid(&case.steps(40))[5]], &[last], 1e-14);
    }
}

#[test]
fn bodies_without_mass_feel_nothing() {
    let with = |child: &str| {
        let parent = format!(r#"{BALL}<body pos="0.5 0 0">{child}</body>"#);
        let xml = world(&medium(1.2, 0.5), &body("", &parent));
        let case = Case::new(&xml)
            .qvel(&numbers("1 0.5 -1 0.1 0.2 0.3"))
            .forward();
        fluid(&case).to_vec()
    };
    let alone = "-0.744440161675 -0.368620080838 0.744440161675 -0.000584065592 -0.001168198109 -0.001752397551";
    for child in [
        "",
        r#"<geom size="0.1" mass="0"/>"#,
        r#"<geom size="0.1" mass="0" fluidshape="ellipsoid"/>"#,
    ] {
        close(&with(child), &numbers(alone), 1e-11);
    }
    close(
        &with(r#"<geom size="0.1" mass="0.1" fluidshape="ellipsoid"/>"#),
        &numbers(
            "-1.718544335305 -1.000079394606 1.814468150149 -0.001841831111 -0.538697723383 -0.321255350991",
        ),
        1e-11,
    );
    close(
        &with(r#"<geom size="0.1" mass="0.1"/>"#),
        &numbers(
            "-1.488880323351 -0.849230185927 1.564908339518 -0.001168131184 -0.412570485139 -0.243809847647",
        ),
        1e-11,
    );
}

#[test]
fn bodies_without_geoms_are_boxes_of_their_inertia() {
    let inertial = r#"<inertial pos="0.1 0 0" mass="2" diaginertia="0.01 0.02 0.025"/>"#;
    let xml = world(&medium(1.2, 0.5), &body("", inertial));
    let case = Case::new(&xml)
        .qvel(&numbers("1 0.5 -1 0.1 0.2 0.3"))
        .forward();
    let expected = "-1.050183336353 -0.555024009804 1.098196182444 -0.001662429240 -0.113145993183 -0.060491975710";
    close(fluid(&case), &numbers(expected), 1e-11);
}

#[test]
fn geoms_of_one_body_or_of_its_children_give_the_same() {
    let brick = |pos: &str, euler: &str| {
        format!(r#"<geom type="box" size=".1 .01 .01" pos="{pos}" euler="{euler}"{ELLIPSOID}/>"#)
    };
    let (left, right) = (brick("-0.1 0 0", "0 20 0"), brick("0.1 0 0", "40 0 0"));
    let turned = |inside: &str| {
        let xml = world(
            r#"density="10" wind="5 5 0""#,
            &format!(r#"<body quat=".5 .5 .5 .5"><freejoint align="false"/>{inside}</body>"#),
        );
        let case = Case::new(&xml).qvel(&numbers("1 2 3 4 5 6")).forward();
        fluid(&case).to_vec()
    };
    let one = turned(&(right.clone() + &left));
    let two = turned(&format!("<body>{right}</body><body>{left}</body>"));
    close(&one, &two, 1e-14);
    let expected = "1.093378556514 -0.126201455374 -0.767762205694 -0.001132045472 -0.016528348119 -0.025943936009";
    close(&one, &numbers(expected), 1e-11);
}

#[test]
fn articulated_bodies_feel_it_at_their_joints() {
    let pendulum = |shape: &str| {
        let link = |length: f64, radius: f64| {
            format!(
                r#"<joint axis="0 1 0"/><geom type="capsule" fromto="0 0 0 0 0 -{length}" size="{radius}"{shape}/>"#
            )
        };
        let xml = world(
            r#"density="1000" viscosity="0.0009""#,
            &format!(
                r#"<body>{}<body pos="0 0 -0.5">{}</body></body>"#,
                link(0.5, 0.03),
                link(0.4, 0.02)
            ),
        );
        let case = Case::new(&xml)
            .qpos(&[0.3, -0.4])
            .qvel(&[2.0, -1.0])
            .forward();
        fluid(&case).to_vec()
    };
    close(&pendulum(""), &[-7.284058999617, -1.865443290687], 1e-11);
    close(
        &pendulum(ELLIPSOID),
        &[-9.626105200829, -2.225345810469],
        1e-11,
    );
}

#[test]
fn coefficients_and_interaction_may_change_while_running() {
    let velocity = numbers("1 0.5 -1 10 5 3");
    let whole = numbers(
        "-0.000263164699541 -0.006117221237789 0.029629104158915 \
         -0.000511332550310 -0.001384023504611 -0.000394844664094",
    );
    let start = Case::new(&model("J")).qvel(&velocity);
    close(fluid(&start.clone().forward()), &whole, 1e-12);
    let with = |change: &dyn Fn(&mut [f64; 12])| {
        let mut case = start.clone();
        change(&mut case.model.unchecked().geom_fluid[0]);
        fluid(&case.forward()).to_vec()
    };
    let half: Vec<f64> = fluid(&start.clone().forward())
        .iter()
        .map(|f| f / 2.0)
        .collect();
    assert_eq!(with(&|fluid| fluid[0] = 0.5), half);
    let lift = with(&|fluid| fluid[4..6].fill(0.0));
    close(
        &lift[..3],
        &numbers("-0.009873263396655 -0.017334408523383 0.014410411819004"),
        1e-12,
    );
    close(&lift[3..], &whole[3..], 1e-12);
    let none = "0.004024220482856 -0.010385666583627 0.000512927939492 \
                0.000375487362128 -0.000940613548392 -0.000128798690362";
    close(&with(&|fluid| fluid[1..6].fill(0.0)), &numbers(none), 1e-12);
    // A negative interaction of the only geom leaves the body to the box model.
    let mut plain = Case::new(&model("J").replace(ELLIPSOID, "")).qvel(&velocity);
    plain = plain.forward();
    assert_eq!(with(&|fluid| fluid[0] = -1.0), fluid(&plain));
}

#[test]
fn negative_media_count_for_ellipsoids_only() {
    let velocity = numbers("1 0.5 -1 10 5 3");
    let with = |id: &str, density: f64| {
        let mut case = Case::new(&model(id)).qvel(&velocity);
        case.model.opt.density = density;
        case.model.opt.viscosity = 0.0;
        fluid(&case.forward()).to_vec()
    };
    assert_eq!(with("W", -1.2), [0.0; 6]);
    let mirrored: Vec<f64> = with("J", 1.2).iter().map(|f| -f).collect();
    close(&with("J", -1.2), &mirrored, 1e-15);
}

#[test]
fn passive_flags_gate_the_fluid_together_only() {
    let velocity = numbers("0 0 -1 0 0 0");
    for (flag, expected) in [
        (r#"spring="disable""#, 0.0144),
        (r#"damper="disable""#, 0.0144),
        (r#"spring="disable" damper="disable""#, 0.0),
    ] {
        let xml = model("A").replace(
            r#"viscosity="0"/>"#,
            &format!(r#"viscosity="0"><flag {flag}/></option>"#),
        );
        let case = Case::new(&xml).qvel(&velocity).forward();
        close(&fluid(&case)[2..3], &[expected], 1e-14);
        assert_eq!(case.qfrc_passive(), fluid(&case));
    }
}

#[test]
fn a_falling_ball_reaches_its_terminal_velocity() {
    // Weight equals drag: m·g = ½·ρ·side²·v².
    let side = 0.1 * 2.4_f64.sqrt();
    let expected = -(2.0 * 9.81 / (100.0 * side * side)).sqrt();
    for integrator in ["Euler", "RK4", "implicit", "implicitfast"] {
        let option = format!(r#"density="100" integrator="{integrator}""#);
        let case = Case::new(&world(&option, &body("", BALL))).steps(5000);
        close(&case.data.state.qvel[2..3], &[expected], 1e-10);
    }
    // In a viscous fluid 6·π·β·r·v for an ellipsoid of three equal axes.
    let expected = -9.81 / (6.0 * core::f64::consts::PI * 5.0 * 0.1);
    let sphere = BALL.replace("/>", &format!("{ELLIPSOID}/>"));
    let case = Case::new(&world(r#"viscosity="5""#, &body("", &sphere))).steps(5000);
    close(&case.data.state.qvel[2..3], &[expected], 1e-10);
}

#[test]
fn a_plane_of_the_world_may_be_called_an_ellipsoid() {
    let plane = format!(r#"<geom type="plane" size="0 0 1"{ELLIPSOID}/>"#);
    let xml = world(&medium(1.2, 0.5), &(plane + &body("", BALL)));
    let case = Case::new(&xml).qvel(&[1.0; 6]).forward();
    assert!(case.qacc().iter().all(|a| a.is_finite()));
}
