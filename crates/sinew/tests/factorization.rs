//! The joint-space inertia, its factor and everything solved with it.
//!
//! Numbers are those of MuJoCo 3.5.0 or follow from the definition.

use sinew::engine::{CallError, Data, Diverged, Engine, StepError};
use sinew::math::dense::{cholesky_factor, cholesky_solve, norm};
use sinew::math::tree::{TreeRows, half_solve};
use sinew::mjcf::load_text;
use sinew::model::Model;

fn load(xml: &str) -> Model {
    match load_text(xml) {
        Ok(loaded) => loaded.model,
        Err(error) => panic!("{error}"),
    }
}

fn world(bodies: &str) -> String {
    format!("<mujoco><worldbody>{bodies}</worldbody></mujoco>")
}

const INERTIAL: &str = r#"<inertial pos="0 0 -.25" mass="2" diaginertia=".04 .04 .01"/>"#;

fn two_links() -> String {
    world(&format!(
        r#"<body>{INERTIAL}<joint axis="0 1 0"/>
             <body pos="0 0 -.5">{INERTIAL}<joint axis="0 1 0"/></body></body>"#
    ))
}

/// Six kinematic trees: xml, degrees of freedom, stored values of M.
fn trees() -> Vec<(String, usize, usize)> {
    let geom = r#"<geom size=".1" pos=".1 .2 .3"/>"#;
    vec![
        (world(&format!("<body><joint/>{geom}</body>")), 1, 1),
        (two_links(), 2, 3),
        (
            world(&format!(
                r#"<body><joint/>{geom}<body pos="0 0 1"><joint axis="1 0 0"/>{geom}</body>
                     <body pos="0 1 0"><joint axis="0 1 0"/>{geom}</body></body>"#
            )),
            3,
            5,
        ),
        (
            world(&format!(
                r#"<body><joint type="ball"/>{geom}
                     <body pos="0 0 1"><joint type="ball"/>{geom}</body></body>"#
            )),
            6,
            21,
        ),
        (
            world(&format!(
                r#"<body><freejoint/>{geom}<body pos="0 0 1"><joint axis="1 0 0"/>{geom}
                     <body pos="0 1 0"><joint type="slide" axis="0 1 1"/>{geom}</body></body></body>"#
            )),
            8,
            36,
        ),
        (
            world(&format!(
                r#"<body><freejoint/>{geom}</body>
                   <body pos="0 3 0"><joint armature=".5"/>{geom}</body>"#
            )),
            7,
            22,
        ),
    ]
}

/// Uniform numbers in [−1, 1).
struct Random(u64);

impl Random {
    fn next(&mut self) -> f64 {
        self.0 = self
            .0
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 11) as f64 / (1u64 << 52) as f64 - 1.0
    }

    fn vector(&mut self, n: usize) -> Vec<f64> {
        (0..n).map(|_| self.next()).collect()
    }
}

fn randomize(data: &mut Data, random: &mut Random) {
    for q in &mut data.state.qpos {
        *q += random.next();
    }
}

fn relative(a: &[f64], b: &[f64]) -> f64 {
    let difference: Vec<f64> = a.iter().zip(b).map(|(x, y)| x - y).collect();
    norm(&difference) / norm(b).max(1e-300)
}

#[test]
fn sparse_solve_equals_dense_solve_of_the_expanded_matrix() {
    let mut random = Random(1);
    for (xml, nv, stored) in trees() {
        let model = load(&xml);
        assert_eq!((model.nv, model.nC), (nv, stored));
        let mut data = Data::new(&model);
        for _ in 0..10 {
            randomize(&mut data, &mut random);
            Engine::new(&model)
                .forward_position(&mut data)
                .expect("its own model");
            let b = random.vector(nv);
            let mut x = b.clone();
            data.solve_inertia(&model, &mut x).expect("fits");

            let mut dense = vec![0.0; nv * nv];
            data.inertia_matrix(&model, &mut dense).expect("fits");
            assert_eq!(cholesky_factor(&mut dense, nv, 1e-15), nv);
            let mut expected = b.clone();
            cholesky_solve(&dense, &mut expected);
            assert!(relative(&x, &expected) < 1e-12);

            let mut product = vec![0.0; nv];
            data.multiply_inertia(&model, &x, &mut product)
                .expect("fits");
            assert!(relative(&product, &b) < 1e-12);
        }
    }
}

#[test]
fn factors_reproduce_the_inertia_of_every_tree() {
    let mut random = Random(3);
    for (xml, nv, _) in trees() {
        let model = load(&xml);
        let mut data = Data::new(&model);
        randomize(&mut data, &mut random);
        Engine::new(&model)
            .forward_position(&mut data)
            .expect("its own model");
        let inertia = &data.position.inertia;
        let mut lower = vec![0.0; nv * nv];
        let mut d = vec![0.0; nv];
        for i in 0..nv {
            let start = model.M_rowadr[i] as usize;
            let diagonal = start + model.M_rownnz[i] as usize - 1;
            for k in start..diagonal {
                lower[i * nv + model.M_colind[k] as usize] = inertia.qLD[k];
            }
            lower[i * nv + i] = 1.0;
            d[i] = inertia.qLD[diagonal];
            assert_eq!(inertia.qLDiagInv[i], 1.0 / d[i]);
        }
        let mut dense = vec![0.0; nv * nv];
        data.inertia_matrix(&model, &mut dense).expect("fits");
        let largest = dense.iter().fold(0.0f64, |a, m| a.max(m.abs()));
        for i in 0..nv {
            for j in 0..nv {
                let back: f64 = (0..nv)
                    .map(|r| lower[r * nv + i] * d[r] * lower[r * nv + j])
                    .sum();
                assert!((back - dense[i * nv + j]).abs() <= 1e-12 * largest);
            }
        }
        // Half a solve has the energy of the whole.
        let b = random.vector(nv);
        let (mut whole, mut half) = (b.clone(), b.clone());
        data.solve_inertia(&model, &mut whole).expect("fits");
        let roots: Vec<f64> = inertia.qLDiagInv.iter().map(|d| d.sqrt()).collect();
        let rows = TreeRows {
            rownnz: &model.M_rownnz,
            rowadr: &model.M_rowadr,
            colind: &model.M_colind,
        };
        half_solve(rows, &inertia.qLD, &roots, &mut half);
        let energy: f64 = b.iter().zip(&whole).map(|(b, x)| b * x).sum();
        let half_energy: f64 = half.iter().map(|x| x * x).sum();
        assert!((half_energy - energy).abs() <= 1e-12 * energy);
    }
}

#[test]
fn two_link_chain_has_the_reference_numbers() {
    let model = load(&two_links());
    let mut data = Data::new(&model);
    Engine::new(&model)
        .forward_position(&mut data)
        .expect("its own model");
    let inertia = &data.position.inertia;
    let close = |a: &[f64], b: &[f64]| a.iter().zip(b).all(|(x, y)| (x - y).abs() < 1e-10);
    assert!(close(&inertia.M, &[1.33, 0.415, 0.165]));
    assert!(close(
        &inertia.qLD,
        &[0.286212121212, 2.515151515152, 0.165]
    ));
    assert!(close(&inertia.qLDiagInv, &[3.493912122816, 6.060606060606]));
    let mut x = [1.0, 1.0];
    data.solve_inertia(&model, &mut x).expect("fits");
    assert!(close(&x, &[-5.293806246691, 19.375330862890]));
}

#[test]
fn branching_tree_has_the_reference_numbers() {
    let model = load(&world(&format!(
        r#"<body>{INERTIAL}<joint axis="0 1 0"/>
             <body pos="0 0 -.5">{INERTIAL}<joint axis="0 1 0"/></body>
             <body pos="0 0.1 -.5">{INERTIAL}<joint axis="1 0 0"/></body></body>"#
    )));
    let mut data = Data::new(&model);
    Engine::new(&model)
        .forward_position(&mut data)
        .expect("its own model");
    let inertia = &data.position.inertia;
    let close = |a: f64, b: f64| (a - b).abs() < 1e-10;
    // Rows: 00 | 10 11 | 20 22; the entry 20 is an explicit zero.
    assert_eq!(model.M_colind, [0, 0, 1, 0, 2]);
    for (value, expected) in inertia.M.iter().zip([2.495, 0.415, 0.165, 0.0, 0.165]) {
        assert!(close(*value, expected));
    }
    for (k, expected) in [(0, 1.451212121212), (2, 0.165), (4, 0.165)] {
        assert!(close(inertia.qLD[k], expected));
    }
    let mut x = [1.0, 1.0, 1.0];
    data.solve_inertia(&model, &mut x).expect("fits");
    for (value, expected) in x
        .iter()
        .zip([-1.044059302568, 8.686573397369, 6.060606060606])
    {
        assert!(close(*value, expected));
    }
}

#[test]
fn unconstrained_acceleration_is_force_over_inertia() {
    let mut random = Random(2);
    for (xml, nv, _) in trees() {
        // A motor and a spring on the first joint.
        let xml = xml.replacen("<joint", r#"<joint name="first" stiffness="3""#, 1);
        let motor = r#"<actuator><motor joint="first" gear="1 2 3 4 5 6"/></actuator></mujoco>"#;
        let model = load(&xml.replace("</mujoco>", motor));
        let mut data = Data::new(&model);
        randomize(&mut data, &mut random);
        data.state.qvel.copy_from_slice(&random.vector(nv));
        data.input.qfrc_applied.copy_from_slice(&random.vector(nv));
        data.input.ctrl[0] = 5.0;
        data.forward(&model).expect("its own model");
        let mut force = data.input.qfrc_applied.clone();
        let actuator = &data.acceleration.actuation.qfrc_actuator;
        let passive = &data.velocity.passive.qfrc_passive;
        assert!(norm(actuator) > 0.0 && norm(passive) > 0.0);
        for i in 0..nv {
            force[i] += actuator[i] + passive[i] - data.velocity.bias.qfrc_bias[i];
        }
        let mut back = vec![0.0; nv];
        data.multiply_inertia(&model, &data.acceleration.smooth.qacc_smooth, &mut back)
            .expect("fits");
        assert!(relative(&back, &force) < 1e-12);
        // The same by an independent dense solver, and nothing else accelerates.
        let mut dense = vec![0.0; nv * nv];
        data.inertia_matrix(&model, &mut dense).expect("fits");
        assert_eq!(cholesky_factor(&mut dense, nv, 1e-15), nv);
        cholesky_solve(&dense, &mut force);
        assert!(relative(&data.acceleration.smooth.qacc_smooth, &force) < 1e-12);
        assert_eq!(
            data.acceleration.solution.qacc,
            data.acceleration.smooth.qacc_smooth
        );
    }
}

/// A chain of two hinges with dampings 0.7 and 0.3 at velocity (1, −2), and its next velocity by
/// v + h·(M + h·diag(b))⁻¹·f.
fn damped_chain(integrator: &str, stiffness: f64) -> (Model, Data, [f64; 2]) {
    let model = load(&format!(
        r#"<mujoco><option integrator="{integrator}" timestep="0.002"/><worldbody>
             <body>{INERTIAL}<joint axis="0 1 0" damping="0.7" stiffness="{stiffness}"/>
               <body pos="0 0 -.5">{INERTIAL}<joint axis="0 1 0" damping="0.3"/></body></body>
           </worldbody></mujoco>"#
    ));
    let mut data = Data::new(&model);
    data.state.qpos.copy_from_slice(&[0.4, -0.3]);
    data.state.qvel.copy_from_slice(&[1.0, -2.0]);
    data.forward(&model).expect("its own model");
    let h = model.opt.timestep;
    let m = &data.position.inertia.M;
    let (a, b, c) = (m[0] + h * 0.7, m[1], m[2] + h * 0.3);
    let f = &data.acceleration.smooth.qfrc_smooth;
    let determinant = a * c - b * b;
    let expected = [
        1.0 + h * (c * f[0] - b * f[1]) / determinant,
        -2.0 + h * (a * f[1] - b * f[0]) / determinant,
    ];
    (model, data, expected)
}

#[test]
fn euler_and_implicitfast_take_damping_implicitly_and_springs_explicitly() {
    for integrator in ["Euler", "implicitfast"] {
        for stiffness in [0.0, 50.0] {
            let (model, mut data, expected) = damped_chain(integrator, stiffness);
            let qacc = data.acceleration.solution.qacc.clone();
            data.step(&model).expect("a finite step");
            for k in 0..2 {
                assert!((data.state.qvel[k] - expected[k]).abs() < 1e-12);
                assert_eq!(data.acceleration.solution.qacc[k], qacc[k]);
            }
        }
    }
}

#[test]
fn a_stale_factor_is_replaced_by_the_position_stage() {
    let model = load(&two_links());
    let mut data = Data::new(&model);
    Engine::new(&model)
        .forward_position(&mut data)
        .expect("its own model");
    data.position.inertia.qLD.fill(f64::NAN);
    data.position.inertia.qLDiagInv.fill(7.0);
    data.state.qpos[1] = 1.0;
    // A rebuilt matrix invalidates the factor until it is factored anew.
    Engine::new(&model)
        .compute_kinematics(&mut data)
        .expect("its own model");
    Engine::new(&model)
        .compute_com(&mut data)
        .expect("its own model");
    Engine::new(&model)
        .compute_inertia(&mut data)
        .expect("its own model");
    assert!(!data.position.inertia.is_factored);
    let refused = data.solve_inertia(&model, &mut [1.0, 2.0]);
    assert_eq!(refused, Err(CallError::NotFactored));
    Engine::new(&model)
        .factor_inertia(&mut data)
        .expect("its own model");
    assert!(data.position.inertia.is_factored);
    let mut x = [1.0, 2.0];
    data.solve_inertia(&model, &mut x).expect("fits");
    let mut back = [0.0; 2];
    data.multiply_inertia(&model, &x, &mut back).expect("fits");
    assert!(relative(&back, &[1.0, 2.0]) < 1e-12);
}

#[test]
fn a_model_without_degrees_of_freedom_steps() {
    let model = load(&world(r#"<geom size="1"/><body><geom size="1"/></body>"#));
    assert_eq!(model.nv, 0);
    let mut data = Data::new(&model);
    data.step(&model).expect("nothing can diverge");
    assert!((data.state.time - 0.002).abs() < 1e-18);
}

#[test]
fn centred_free_bodies_store_their_diagonal_only() {
    let centred = load(&world(r#"<body><freejoint/><geom size=".1"/></body>"#));
    let shifted = load(&world(
        r#"<body><freejoint/><geom size=".1" pos=".1 0 0"/></body>"#,
    ));
    assert_eq!((centred.nC, shifted.nC), (6, 21));
}

#[test]
fn singular_inertia_diverges_resets_and_counts() {
    // Two coincident hinges.
    let xml = |flag: &str| {
        format!(
            r#"<mujoco><option><flag {flag}/></option><worldbody><body>{INERTIAL}
                 <joint axis="0 1 0"/><joint axis="0 1 0"/></body></worldbody></mujoco>"#
        )
    };
    use sinew::model::kinds::Warning;
    let model = load(&xml(""));
    let mut data = Data::new(&model);
    data.state.qpos[0] = 0.5;
    // The reset state is as singular: every step ends there.
    for step in 0..5 {
        let error = data.step(&model).expect_err("no unique acceleration");
        let bad = Diverged {
            warning: Warning::Badqacc,
            index: 0,
        };
        assert_eq!(error, StepError::StillBad(bad));
        assert_eq!(data.warnings.get(Warning::Badqacc).number, 1);
        assert_eq!(data.warnings.resets(), step + 1);
        assert_eq!((data.state.time, &data.state.qpos), (0.0, &model.qpos0));
    }

    let model = load(&xml(r#"autoreset="disable""#));
    let mut data = Data::new(&model);
    data.state.qpos[0] = 0.5;
    assert!(data.step(&model).is_err());
    assert_eq!(data.warnings.get(Warning::Badqacc).number, 2);
}

/// Links with one ball each, crooked, with branches now and then.
fn long_tree(links: usize) -> String {
    let mut text = String::new();
    for i in 0..links {
        let (angle, size) = (i * 37 % 90, 5 + i % 3);
        text += &format!(
            r#"<body pos=".1 .02 .03" euler="{angle} 0 {size}"><joint type="ball" armature=".0{size}"/>
               <geom type="box" size=".0{size} .03 .02" pos=".0{size} 0 0"/>"#
        );
        if i % 50 == 20 {
            text += r#"<body pos="0 .1 0"><joint type="slide" axis="1 1 0"/><geom size=".03"/>
                         <body pos="0 .1 0"><geom size=".02"/></body></body>"#;
        }
    }
    world(&(text + &"</body>".repeat(links)))
}

/// Weights of trees with long paths are not found row by row, but are what rows give.
#[test]
fn weights_of_a_long_tree_are_those_of_its_rows() {
    let model = load(&long_tree(201));
    assert!(model.M_rownnz.iter().any(|&path| path > 600));
    let mut data = Data::new(&model);
    data.forward(&model).expect("a position");
    let nv = model.nv;
    let weight = |row: &[f64]| {
        let mut x = row.to_vec();
        data.solve_inertia(&model, &mut x).expect("fits");
        row.iter().zip(&x).map(|(a, b)| a * b).sum::<f64>()
    };
    let close = |a: f64, b: f64| (a - b).abs() <= 1e-9 * b.abs();
    for body in (1..model.nbody).step_by(17) {
        let (mut jacp, mut jacr) = (vec![0.0; 3 * nv], vec![0.0; 3 * nv]);
        let point = data.position.kinematics.xipos[body];
        data.jacobian(&model, body, point, &mut jacp, &mut jacr)
            .expect("a body");
        for (k, jacobian) in [jacp, jacr].iter().enumerate() {
            let mean = jacobian.chunks(nv).map(weight).sum::<f64>() / 3.0;
            let found = model.body_invweight0[body][k];
            assert!(close(found, mean), "body {body}: {found} {mean}");
        }
    }
    for joint in (0..model.njnt).step_by(13) {
        let dof = model.jnt_dofadr[joint] as usize;
        let count = if joint + 1 < model.njnt {
            model.jnt_dofadr[joint + 1] as usize - dof
        } else {
            nv - dof
        };
        let unit = |k: usize| {
            let mut row = vec![0.0; nv];
            row[dof + k] = 1.0;
            weight(&row)
        };
        let mean = (0..count).map(unit).sum::<f64>() / count as f64;
        let found = model.dof_invweight0[dof];
        assert!(close(found, mean), "joint {joint}: {found} {mean}");
    }
}
