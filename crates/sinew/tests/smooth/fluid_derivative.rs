//! Derivatives of fluid forces with respect to velocity, as the implicit integrators use them.

use crate::{Case, close, numbers};
use sinew::engine::Engine;
use sinew::engine::derivative::BiasTerm;

const VELOCITY: &str = "1.2 -0.7 0.3 0.5 -1.1 0.8";
const AIR: &str = r#"density="1.2" viscosity="0.5""#;
const BOX: &str = r#"<geom type="box" size=".1 .2 .3" mass="1"/>"#;
const EGG: &str = r#"<geom type="ellipsoid" size=".1 .2 .3" mass="1" fluidshape="ellipsoid"/>"#;
const BALL: &str = r#"<geom size=".1" mass="1"/>"#;

fn world(option: &str, bodies: &str) -> Case {
    Case::new(&format!(
        r#"<mujoco><option gravity="0 0 0" {option}/><worldbody>{bodies}</worldbody></mujoco>"#
    ))
}

fn free(option: &str, geoms: &str) -> Case {
    world(option, &format!("<body><freejoint/>{geoms}</body>")).qvel(&numbers(VELOCITY))
}

/// The derivative as a dense matrix.
fn derivative(case: &Case, bias_term: BiasTerm) -> Vec<f64> {
    let mut case = case.clone().forward();
    Engine::new(&case.model)
        .velocity_derivative(&mut case.data, bias_term)
        .expect("its own model");
    dense(&case)
}

fn dense(case: &Case) -> Vec<f64> {
    let (model, nv) = (&case.model, case.model.nv);
    let mut out = vec![0.0; nv * nv];
    for row in 0..nv {
        let start = model.D_rowadr[row] as usize;
        for k in start..start + model.D_rownnz[row] as usize {
            out[row * nv + model.D_colind[k] as usize] = case.data.integration.qDeriv[k];
        }
    }
    out
}

/// What the fluid adds to the derivative.
fn fluid(case: &Case, bias_term: BiasTerm) -> Vec<f64> {
    let mut still = case.clone();
    still.model.opt.density = 0.0;
    still.model.opt.viscosity = 0.0;
    let (with, without) = (derivative(case, bias_term), derivative(&still, bias_term));
    with.iter().zip(without).map(|(a, b)| a - b).collect()
}

/// Central differences of the fluid force.
fn differences(case: &Case) -> Vec<f64> {
    let nv = case.model.nv;
    let mut out = vec![0.0; nv * nv];
    for column in 0..nv {
        let at = |step: f64| {
            let mut moved = case.clone();
            moved.data.state.qvel[column] += step;
            moved.forward().data.velocity.passive.qfrc_fluid
        };
        let (ahead, behind) = (at(1e-6), at(-1e-6));
        for row in 0..nv {
            out[row * nv + column] = (ahead[row] - behind[row]) / 2e-6;
        }
    }
    out
}

fn diagonal(matrix: &[f64]) -> Vec<f64> {
    let n = matrix.len().isqrt();
    (0..n).map(|k| matrix[k * n + k]).collect()
}

#[track_caller]
fn is_diagonal(matrix: &[f64], expected: &[f64], tolerance: f64) {
    let n = expected.len();
    close(&diagonal(matrix), expected, tolerance);
    for row in 0..n {
        for column in (0..n).filter(|&column| column != row) {
            assert_eq!(matrix[row * n + column], 0.0);
        }
    }
}

use BiasTerm::{Included, Omitted};

#[test]
fn viscous_drag_of_a_ball_is_a_constant_diagonal() {
    let pi = core::f64::consts::PI;
    let diameter = 0.1549193338483_f64;
    let linear = -3.0 * pi * diameter * 0.5;
    let angular = -pi * diameter * diameter * diameter * 0.5;
    close(
        &[linear, angular],
        &[-0.730040161675, -0.005840321293],
        1e-11,
    );
    let expected = [linear, linear, linear, angular, angular, angular];
    for velocity in [VELOCITY, "0 0 0 0 0 0", "9 8 7 6 5 4"] {
        let case = free(r#"viscosity="0.5""#, BALL).qvel(&numbers(velocity));
        is_diagonal(&fluid(&case, Omitted), &expected, 1e-12);
    }
    let case = free(r#"density="1.2""#, BALL).qvel(&numbers("0 0 0 0 0 -1"));
    let expected = [0.0, 0.0, 0.0, 0.0, 0.0, -6.692515222246e-6];
    is_diagonal(&fluid(&case, Omitted), &expected, 1e-12);
}

#[test]
fn boxes_have_a_diagonal_that_adds_up() {
    let expected = "-2.230555592154 -1.985755592154 -1.913755592154 \
                    -0.101112964915 -0.102695764915 -0.101020564915";
    let whole = fluid(&free(AIR, BOX), Included);
    is_diagonal(&whole, &numbers(expected), 1e-10);
    let dense = fluid(&free(r#"density="1.2""#, BOX), Included);
    let viscous = fluid(&free(r#"viscosity="0.5""#, BOX), Included);
    let sum: Vec<f64> = dense.iter().zip(viscous).map(|(a, b)| a + b).collect();
    close(&whole, &sum, 1e-14);
}

#[test]
fn derivatives_are_slopes_of_the_force() {
    let turned = r#"<body quat=".8 .2 -.4 .4"><freejoint/>"#;
    let two = format!(
        r#"{EGG}<geom type="capsule" size=".05 .1" pos=".3 0 .1" euler="30 0 20" mass=".5" fluidshape="ellipsoid"/>"#
    );
    for case in [
        free(AIR, BOX),
        world(AIR, &format!("{turned}{BOX}</body>")).qvel(&numbers(VELOCITY)),
        free(AIR, EGG),
        free(r#"density="1.2""#, EGG),
        free(r#"viscosity="0.5""#, EGG),
        world(AIR, &format!("{turned}{EGG}</body>")).qvel(&numbers(VELOCITY)),
        free(AIR, &two),
    ] {
        close(&fluid(&case, Included), &differences(&case), 1e-8);
    }
    // Each part of the ellipsoid's force alone: coefficients choose drag, lift and spin.
    for coefficients in [
        "0 0 0 0 0",
        "1 0 0 0 0",
        "0 1 0 0 0",
        "0 0 1 0 0",
        "0 0 0 1 0",
        "0 0 0 0 1",
    ] {
        let egg = EGG.replace("/>", &format!(r#" fluidcoef="{coefficients}"/>"#));
        let case = free(r#"density="1.2""#, &egg);
        close(&fluid(&case, Included), &differences(&case), 1e-8);
    }
}

const EGG_ROWS: &str = "
-2.177198356460  .2266846932898 -.1472822763659  0 .007371626375994  .01341544809581
-.06795505473727 -1.933957644324 .02869239556355 -.007371626375994 0 -.01308410225612
 .02089349615825  .03215093735433 -1.836560695374 -.01341544809581 .01308410225612 0
0 .001622148620649 -.003785013448180 -.1066719997135  .002516704248526 -.0006248326139010
-.01064265194002 0 -.04257060776009  .0008264484640584 -.1113096146995  .0006548522946780
-.02104784107854 .03608201327750 0 -.0001428782496427  .003437755557890 -.1067725975350";

#[test]
fn ellipsoids_have_the_references_matrix() {
    let full = fluid(&free(AIR, EGG), Included);
    close(&full, &numbers(EGG_ROWS), 1e-10);
    // Without bias terms the fluid's are made symmetric.
    let half = fluid(&free(AIR, EGG), Omitted);
    let (mut skew, mut mixed) = (0.0_f64, 0.0_f64);
    for row in 0..6 {
        for column in 0..6 {
            let (a, b) = (full[6 * row + column], full[6 * column + row]);
            assert_eq!(half[6 * row + column], half[6 * column + row]);
            close(&[half[6 * row + column]], &[(a + b) / 2.0], 1e-12);
            skew = skew.max((a - b).abs());
            if row < 3 && column >= 3 {
                mixed = mixed.max((a - b).abs());
            }
        }
    }
    close(&[skew], &[0.29464], 1e-5);
    close(&[mixed], &[0.05565], 1e-4);
    let dense = fluid(&free(r#"density="1.2""#, EGG), Omitted);
    let expected =
        "-.292242764306 -.049002052170 .048394896780 -.006141034799 -.010778649785 -.006241632620";
    close(&diagonal(&dense), &numbers(expected), 1e-8);
    close(
        &[dense[1], dense[2 * 6 + 4]],
        &[0.079364819276, -0.014743252752],
        1e-8,
    );
}

#[test]
fn drag_in_the_step_takes_energy_away() {
    for (integrator, last) in [("implicit", 0.638811703), ("implicitfast", 0.638811120)] {
        let option = format!(r#"density="1.2" integrator="{integrator}""#);
        let xml = format!(
            r#"<mujoco><option gravity="0 0 0" {option}><flag energy="enable"/></option><worldbody>
                 <body><freejoint/>{BALL}</body></worldbody></mujoco>"#
        );
        let mut case = Case::new(&xml).qvel(&numbers("1 -.5 .3 .5 -1.1 .8"));
        let mut before = f64::INFINITY;
        let mut first = None;
        for _ in 0..1000 {
            case = case.steps(1);
            let energy = case.data.energy.values[1];
            assert!(energy <= before + 1e-12);
            before = energy;
            first.get_or_insert(energy);
        }
        close(&[first.unwrap_or_default()], &[0.6742], 1e-4);
        close(&[before], &[last], 1e-8);
    }
}

#[test]
fn only_viscosity_remains_at_rest() {
    assert!(fluid(&free("", EGG), Included).iter().all(|&d| d == 0.0));
    let expected = numbers(
        "-1.884955592154 -1.884955592154 -1.884955592154 \
         -0.100530964915 -0.100530964915 -0.100530964915",
    );
    for geom in [BOX, EGG] {
        for bias in [Included, Omitted] {
            let found = fluid(&free(AIR, geom).qvel(&[0.0; 6]), bias);
            is_diagonal(&found, &expected, 1e-12);
        }
    }
}

#[test]
fn bodies_without_mass_and_shapes_of_none_add_nothing() {
    let child = r#"<body pos=".5 0 0"><geom size=".1" mass="0" fluidshape="ellipsoid"/></body>"#;
    let with = fluid(&free(AIR, &format!("{BOX}{child}")), Included);
    close(&with, &fluid(&free(AIR, BOX), Included), 1e-14);
    // The massless one may also be the one that moves, carried by the mass of its child.
    let egg = EGG.replace(r#"mass="1""#, r#"mass="0""#);
    let carried = fluid(&free(AIR, &format!("{egg}<body>{BOX}</body>")), Included);
    close(&carried, &fluid(&free(AIR, BOX), Included), 1e-14);
    let none = BOX.replace("/>", r#" fluidshape="none"/>"#);
    let none = fluid(&free(AIR, &none), Included);
    assert_eq!(none, fluid(&free(AIR, BOX), Included));
}

#[test]
fn offsets_and_wind_move_the_point_of_evaluation() {
    let at = |row: usize, column: usize| 6 * row + column;
    let shifted = EGG.replace("/>", r#" pos="1 .5 0"/>"#);
    let found = fluid(&free(AIR, &shifted), Included);
    for ((row, column), expected) in [
        ((3, 3), -0.6476830377413),
        ((5, 5), -2.719780276649),
        ((0, 5), 1.129076499433),
        ((1, 5), -2.071020687695),
    ] {
        close(&[found[at(row, column)]], &[expected], 1e-10);
    }
    let found = fluid(&free(&format!(r#"{AIR} wind="5 0 0""#), EGG), Included);
    let expected = "-2.745511322788 -1.718546515335 -1.573341315602 -.1066719997135 -.1113096146995 -.1067725975350";
    close(&diagonal(&found), &numbers(expected), 1e-10);
    close(&[found[at(4, 2)]], &[0.1348069245736], 1e-10);
    let found = fluid(&free(AIR, EGG).qvel(&numbers("1.5 0 0 0 0 0")), Included);
    let expected = "-2.224247598742 -1.800132590507 -1.753008700703 -.100530964915 -.100530964915 -.100530964915";
    close(&diagonal(&found), &numbers(expected), 1e-10);
    let mixed = [
        found[at(1, 5)],
        found[at(2, 4)],
        found[at(4, 2)],
        found[at(5, 1)],
    ];
    let expected = [-0.01635512782, 0.01635512782, -0.0532132597, 0.045102516597];
    close(&mixed, &expected, 1e-10);
}

#[test]
fn bodies_do_not_couple() {
    let velocity: Vec<f64> = [numbers(VELOCITY), numbers(VELOCITY)].concat();
    let both = world(
        AIR,
        &format!(r#"<body><freejoint/>{BOX}</body><body pos="3 0 0"><freejoint/>{EGG}</body>"#),
    )
    .qvel(&velocity);
    let found = fluid(&both, Included);
    let blocks = [
        fluid(&free(AIR, BOX), Included),
        fluid(&free(AIR, EGG), Included),
    ];
    for row in 0..12 {
        for column in 0..12 {
            let expected = if row / 6 == column / 6 {
                blocks[row / 6][6 * (row % 6) + column % 6]
            } else {
                0.0
            };
            assert_eq!(found[12 * row + column], expected);
        }
    }
}

/// Three boxes on hinges, at an angle and in motion.
fn chain() -> Case {
    let link = |pos: &str, axis: &str, inner: &str| {
        format!(
            r#"<body pos="{pos}"><joint axis="{axis}"/>
                 <geom type="box" size=".05 .05 .2" pos="0 0 -.2"/>{inner}</body>"#
        )
    };
    let third = link("0 0 -.4", "1 0 0", r#"<site name="s" pos="0 0 -.2"/>"#);
    let second = link("0 0 -.4", "0 1 0", &third);
    world(r#"density="1000""#, &link("0 0 0", "0 1 0", &second))
        .qpos(&[0.3, -0.4, 0.5])
        .qvel(&[1.0, -0.5, 0.8])
}

#[test]
fn joints_see_the_fluid_through_their_jacobian() {
    let hinge = world(
        r#"density="1.2""#,
        r#"<body><joint axis="0 1 0"/><geom type="box" size=".1 .2 .3" pos=".5 0 0" mass="1"/></body>"#,
    )
    .qvel(&[2.0]);
    close(&fluid(&hinge, Included), &[-0.027936], 1e-10);
    let shifted = EGG.replace("/>", r#" pos=".5 0 0"/>"#);
    let ball = world(
        AIR,
        &format!(r#"<body><joint type="ball"/>{shifted}</body>"#),
    )
    .qvel(&[0.5, -1.1, 0.8]);
    let found = fluid(&ball, Included);
    let expected = numbers("-.106671999713 -.602283291189 -.601104505664");
    close(&diagonal(&found), &expected, 1e-10);
    close(
        &[found[7], found[5]],
        &[0.021503311099, -0.002780067768],
        1e-10,
    );
    let found = fluid(&chain(), Included);
    let expected = "-30.02446342124 -16.45648833901 -.1402043468687 \
                    -16.45648833901 -9.510526700233 0 \
                    -.1402043468687 0 -.4397361430424";
    close(&found, &numbers(expected), 1e-10);
}

#[test]
fn guards_bind_for_small_geoms_as_in_the_reference() {
    let small = EGG.replace(".1 .2 .3", ".01 .02 .03");
    let case = free(r#"density="1.2""#, &small);
    let found = fluid(&case, Included);
    let expected = [-2.882746989997e-3, 4.804020099708e-4, 2.466777876562e-3];
    close(&[found[0], found[2 * 6 + 2], found[1]], &expected, 1e-12);
    // The price: away from the slope of the force.
    let slopes = differences(&case);
    let largest = found.iter().zip(slopes).map(|(a, b)| (a - b).abs());
    close(&[largest.fold(0.0, f64::max)], &[6.2e-5], 1e-6);
}

#[test]
fn one_kernel_gives_all_jacobians() {
    use sinew::model::kinds::ObjectType;
    let mut case = chain().forward();
    let (model, data) = (&case.model, &mut case.data);
    let body = 3;
    let site = data.position.kinematics.site_xpos[0];
    let (_, com, _) = data.frame(model, ObjectType::Body, body).expect("a body");
    assert_eq!(site, com);
    let jacobian = |point| {
        let (mut jacp, mut jacr) = (vec![0.0; 9], vec![0.0; 9]);
        data.jacobian(model, body, point, &mut jacp, &mut jacr)
            .expect("fits");
        (jacp, jacr)
    };
    assert_eq!(jacobian(site), jacobian(com));
    let expected = numbers("-.954775922653 -.572641327002 -.009572537909");
    close(&jacobian(site).0[..3], &expected, 1e-10);
}

#[test]
fn derivatives_stay_empty_until_an_implicit_step() {
    let case = free(AIR, EGG).forward();
    assert!(case.data.integration.qDeriv.iter().all(|&d| d == 0.0));
    for (integrator, bias) in [("implicit", Included), ("implicitfast", Omitted)] {
        let option = format!(r#"{AIR} integrator="{integrator}""#);
        let start = free(&option, EGG);
        let expected = derivative(&start, bias);
        assert_eq!(dense(&start.steps(1)), expected);
    }
}

#[test]
fn flags_gate_dampers_and_fluid() {
    let with = |flag: &str| {
        let xml = format!(
            r#"<mujoco><option gravity="0 0 0" {AIR}><flag {flag}/></option><worldbody>
                 <body><joint damping=".25"/>{BOX}</body></worldbody></mujoco>"#
        );
        derivative(&Case::new(&xml), Omitted)[0]
    };
    let stokes = -0.100530964915;
    close(&[with(r#"spring="disable""#)], &[stokes - 0.25], 1e-10);
    close(&[with(r#"damper="disable""#)], &[stokes], 1e-10);
    assert_eq!(with(r#"spring="disable" damper="disable""#), 0.0);
}

#[test]
fn dense_and_sparse_models_give_equal_bits() {
    for links in [20, 100] {
        for shape in ["none", "ellipsoid"] {
            let next = |jacobian: &str, integrator: &str| {
                let mut bodies = String::new();
                for k in 0..links {
                    let axis = ["1 0 0", "0 1 0"][k % 2];
                    bodies += &format!(
                        r#"<body pos="0 0 -.1"><joint axis="{axis}"/>
                             <geom type="capsule" fromto="0 0 0 0 0 -.1" size=".02" fluidshape="{shape}"/>"#
                    );
                }
                bodies += &"</body>".repeat(links);
                let xml = format!(
                    r#"<mujoco><option {AIR} jacobian="{jacobian}" integrator="{integrator}">
                         <flag contact="disable"/></option><worldbody>{bodies}</worldbody></mujoco>"#
                );
                let mut case = Case::new(&xml);
                for (k, v) in case.data.state.qvel.iter_mut().enumerate() {
                    *v = 0.1 * ((k * 7 % 11) as f64 - 5.0);
                }
                let case = case.steps(3);
                (case.data.integration.qDeriv, case.data.state.qvel)
            };
            for integrator in ["implicit", "implicitfast"] {
                assert_eq!(next("dense", integrator), next("sparse", integrator));
            }
        }
    }
}

#[test]
fn many_bodies_cost_what_their_blocks_cost() {
    // 60 free bodies: 360 degrees of freedom, of which a full matrix would keep 129,600 entries.
    let bodies: String = (0..60)
        .map(|k| format!(r#"<body pos="{k} 0 0"><freejoint/>{EGG}</body>"#))
        .collect();
    let mut case = world(&format!(r#"{AIR} integrator="implicitfast""#), &bodies);
    case.data.state.qvel.fill(0.5);
    let case = case.steps(1);
    let entries = case.data.integration.qDeriv.len();
    assert_eq!((case.model.nv, entries), (360, 60 * 36));
    // What is kept is filled, and only a body's own six coordinates meet.
    assert!(case.data.integration.qDeriv.iter().any(|&x| x != 0.0));
    for (row, columns) in case.model.D_colind.chunks(6).enumerate() {
        let first = (row / 6 * 6) as i32;
        assert_eq!(
            columns,
            std::array::from_fn::<i32, 6, _>(|k| first + k as i32)
        );
    }
}
