//! The three solvers find the same forces, those of the reference.

use crate::{
    CONES, Case, SOLVERS, box_on_slope, close, near, norm, relative, sphere_on_plane,
    stack_of_boxes,
};
use sinew::mjcf::write::write;
use sinew::mjcf::{Loader, load_text};
use sinew::model::kinds::{Constraint, Jacobian, Solver};

fn cone(name: &str) -> String {
    format!(r#"cone="{name}""#)
}

/// Line 1.
#[test]
fn a_sphere_at_rest_carries_its_weight() {
    for name in CONES {
        let normal = SOLVERS.map(|(_, solver)| {
            let case = Case::new(&sphere_on_plane(&cone(name)))
                .solver(solver)
                .steps(1000);
            near(case.qpos_of()[2], 0.0496328, 1e-6);
            if solver == Solver::Newton {
                near(case.qpos_of()[2], 0.04963281815754, 1e-12);
            }
            near(case.normal_force(), 9.81, 9.81e-5);
            case.normal_force()
        });
        for force in normal {
            near(force, normal[0], 1e-4 * normal[0]);
        }
    }
}

/// Line 2. Under conjugate gradients with pyramids the reference's stack stands on chance (moved by
/// 3e-14 it falls over within 500 steps), so that solver is held against another one's state.
#[test]
fn a_stack_of_three_boxes_rests_at_the_same_heights() {
    let heights = [
        [0.049949, 0.149881, 0.249847],
        [0.049706, 0.149339, 0.249131],
    ];
    for (name, heights) in CONES.into_iter().zip(heights) {
        let scene = stack_of_boxes(3, &cone(name));
        let [pgs, newton] = [Solver::Pgs, Solver::Newton].map(|solver| {
            let mut case = Case::new(&scene).solver(solver).steps(499);
            let state = case.data.state.clone();
            case.step();
            assert_eq!(case.contacts().len(), 12);
            near(case.normal_force(), 58.86, 1e-3);
            for (body, height) in heights.into_iter().enumerate() {
                near(case.qpos_of()[7 * body + 2], height, 2e-6);
            }
            (state, case.qfrc_constraint().to_vec())
        });
        assert!(relative(&newton.1, &pgs.1) < 1e-3);
        let mut cg = Case::new(&scene).solver(Solver::Cg).tight(1e-12, 100);
        cg.data.state.clone_from(&pgs.0);
        let cg = cg.forward();
        assert_eq!(cg.contacts().len(), 12);
        near(cg.normal_force(), 58.86, 1e-3);
        assert!(relative(cg.qfrc_constraint(), &pgs.1) < 1e-3);
    }
}

/// Line 3.
#[test]
fn a_box_slides_down_a_slope() {
    let slope = 25f64.to_radians();
    let closed_form = 9.81 * (slope.sin() - 0.3 * slope.cos()) * 0.4;
    for (name, speed) in CONES.into_iter().zip([0.59135, 0.59113]) {
        let [pgs, cg, newton] = SOLVERS.map(|(_, solver)| {
            let case = Case::new(&box_on_slope(25.0, 0.3, 0.0, &cone(name)))
                .solver(solver)
                .steps(200);
            let velocity = case.qvel_of().to_vec();
            near(norm(&velocity[..3]), speed, 1e-4);
            near(norm(&velocity[..3]), closed_form, 1e-3);
            velocity
        });
        assert!(relative(&cg, &pgs) < 1e-3);
        assert!(relative(&newton, &pgs) < 1e-3);
    }
}

/// Line 4.
#[test]
fn contact_forces_stay_within_their_cones() {
    for name in CONES {
        let scenes = [
            (sphere_on_plane(&cone(name)), 1.0),
            (stack_of_boxes(3, &cone(name)), 0.5),
            (box_on_slope(25.0, 0.3, 0.0, &cone(name)), 0.3),
        ];
        for (xml, friction) in scenes {
            for (_, solver) in SOLVERS {
                let mut case = Case::new(&xml).solver(solver);
                for _ in 0..200 {
                    case.step();
                    for [normal, first, second, ..] in case.contact_forces() {
                        assert!(normal >= 0.0);
                        assert!(first.hypot(second) <= friction * normal + 1e-10);
                        if name == "pyramidal" {
                            assert!(first.abs() + second.abs() <= friction * normal + 1e-10);
                        }
                    }
                }
            }
        }
    }
}

/// Line 5.
#[test]
fn without_rows_a_body_falls_freely() {
    for name in CONES {
        for (_, solver) in SOLVERS {
            let case = Case::new(&sphere_on_plane(&cone(name)))
                .solver(solver)
                .z(1.0)
                .forward();
            assert_eq!((case.nefc(), case.niter()), (0, 0));
            assert_eq!(case.qacc(), [0.0, 0.0, -9.81, 0.0, 0.0, 0.0]);
            assert_eq!(case.qfrc_constraint(), [0.0; 6]);
        }
    }
}

/// Line 6.
#[test]
fn one_contact_takes_one_iteration() {
    for (_, solver) in SOLVERS {
        let case = Case::new(&sphere_on_plane("")).solver(solver).z(0.0495);
        let case = case.forward();
        if solver == Solver::Pgs {
            near(case.qacc()[2], 0.44928, 0.44928e-3);
            continue;
        }
        assert_eq!(case.niter(), 1);
        near(case.qacc()[2], 0.449326177285, 1e-8);
        close(case.force(), &[2.564831544; 4], 1e-8);
    }
}

/// Line 7.
#[test]
fn a_sliding_contact_has_the_reference_s_forces() {
    let solve = |name: &str, solver| {
        Case::new(&sphere_on_plane(&cone(name)))
            .solver(solver)
            .z(0.045)
            .qvel(&[1.0, 0.0, -0.1, 0.0, 0.0, 0.0])
    };
    for (_, solver) in SOLVERS {
        let tolerance = if solver == Solver::Pgs { 1e-6 } else { 1e-8 };
        let case = solve("pyramidal", solver).tight(1e-14, 10000).forward();
        let qacc = [
            -30.4471206997,
            0.0,
            23.3940114952,
            0.0,
            1446.2382332376,
            0.0,
        ];
        close(case.qacc(), &qacc, tolerance);
        let force = [1.3784453977, 1.3784453977, 30.4471206997, 0.0];
        close(case.force(), &force, tolerance);
        close(&case.rows().efc_R, &[0.2105263158; 4], 1e-10);
        let aref = [23.6842105, 23.6842105, 128.9473684, -81.5789474];
        close(case.aref(), &aref, 1e-8);

        let case = solve("elliptic", solver).tight(1e-14, 10000).forward();
        let qacc = [-31.8123073864, 0.0, 22.0095, 0.0, 1511.084600855, 0.0];
        close(case.qacc(), &qacc, tolerance);
        close(case.force(), &[31.8195, 0.0, 31.8123073864], tolerance);
        close(&case.rows().efc_R, &[0.0526315789; 3], 1e-10);
    }
    assert_eq!(solve("pyramidal", Solver::Newton).forward().niter(), 1);
    assert_eq!(solve("elliptic", Solver::Newton).forward().niter(), 2);
}

/// Line 8.
#[test]
fn solvers_agree_at_one_state_of_a_stack() {
    for name in CONES {
        let start = Case::new(&stack_of_boxes(3, &cone(name))).steps(50);
        let state = start.data.state.clone();
        let solve = |solver, tolerance, iterations| {
            let mut case = Case::new(&stack_of_boxes(3, &cone(name))).solver(solver);
            case.data.state.clone_from(&state);
            case.tight(tolerance, iterations).forward().cold()
        };
        let newton = solve(Solver::Newton, 1e-15, 1000);
        let cg = solve(Solver::Cg, 1e-15, 10000);
        assert!(relative(cg.qfrc_constraint(), newton.qfrc_constraint()) < 1e-10);
        let pgs = solve(Solver::Pgs, 1e-15, 100_000);
        assert!(relative(pgs.qfrc_constraint(), newton.qfrc_constraint()) < 1e-6);
        let pgs = solve(Solver::Pgs, 1e-8, 100);
        assert_eq!(pgs.niter(), 100);
        assert!(relative(pgs.qfrc_constraint(), newton.qfrc_constraint()) < 1e-2);
    }
}

fn mixed(option: &str) -> String {
    format!(
        r#"<mujoco><option {option}/><worldbody><geom type="plane" size="1 1 1"/>
          <body pos="0 0 .3">
            <joint name="a" axis="0 1 0" frictionloss=".2" range="-30 30"/>
            <geom type="capsule" fromto="0 0 0 .3 0 0" size=".03" mass="1"/>
            <body pos=".3 0 0"><joint name="b" axis="0 1 0" damping=".1"/>
              <geom type="capsule" fromto="0 0 0 .3 0 0" size=".03" mass=".5"/></body>
          </body>
          <body pos="0 1 .3"><joint name="c" type="slide" axis="0 0 1"/>
            <geom size=".05" mass="1"/></body></worldbody>
          <tendon><fixed name="t" range="-.2 .1" frictionloss=".05">
            <joint joint="a" coef="1"/><joint joint="b" coef="-.5"/></fixed></tendon>
          <equality><joint joint1="c" joint2="b" polycoef="0 .1 0 0 0"/></equality></mujoco>"#
    )
}

/// Line 9.
#[test]
fn all_kinds_of_rows_together() {
    use Constraint as C;
    let expected = [
        [-203.065787, -30.436031, 42.280362],
        [-213.277400, -27.146116, 51.773225],
    ];
    for (name, expected) in CONES.into_iter().zip(expected) {
        for (_, solver) in SOLVERS {
            let case = Case::new(&mixed(&cone(name)))
                .solver(solver)
                .tight(1e-14, 10000)
                .qpos(&[0.6, 0.35, 0.02])
                .qvel(&[0.5, -0.3, 0.1])
                .forward();
            let mut kinds = case.rows().efc_type.clone();
            kinds.dedup();
            let contact = if name == "pyramidal" {
                C::ContactPyramidal
            } else {
                C::ContactElliptic
            };
            let order = [
                C::Equality,
                C::FrictionDof,
                C::FrictionTendon,
                C::LimitJoint,
                C::LimitTendon,
                contact,
            ];
            assert_eq!(kinds, order.map(Constraint::code));
            for (force, expected) in case.qfrc_constraint().iter().zip(expected) {
                near(*force, expected, 1e-6 * expected.abs());
            }
            close(&case.force()[1..5], &[0.2, 0.05, 0.0, 0.0], 1e-6);
        }
    }
}

/// Line 14.
#[test]
fn the_solver_survives_a_round_trip() {
    for (name, solver) in SOLVERS {
        let xml = sphere_on_plane(&format!(r#"solver="{name}""#));
        let code = |xml: &str| load_text(xml).expect("loads").model.opt.solver;
        assert_eq!(code(&xml), solver.code());
        let spec = Loader::new().read_spec_text(&xml).expect("reads").spec;
        assert_eq!(code(&write(&spec)), solver.code());
    }
    let model = Case::new(&sphere_on_plane("")).model;
    assert_eq!(model.opt.solver, Solver::Newton.code());
}

/// Line 17: numbers of one solve that every build must give, debug or optimised.
#[test]
fn one_solve_to_the_last_digits() {
    let qacc = [
        [-30.447120699739305, 23.394011495213284, 1446.2382332376114],
        [-31.81230738642013, 22.00950000000001, 1511.0846008549559],
    ];
    for (name, qacc) in CONES.into_iter().zip(qacc) {
        let case = Case::new(&sphere_on_plane(&cone(name)))
            .z(0.045)
            .qvel(&[1.0, 0.0, -0.1, 0.0, 0.0, 0.0])
            .forward();
        let found = [case.qacc()[0], case.qacc()[2], case.qacc()[4]];
        close(&found, &qacc, 1e-12);
    }
}

/// Line 17: the Jacobian's storage does not matter, and a run repeats its bits.
#[test]
fn dense_and_sparse_give_one_acceleration() {
    for name in CONES {
        let scenes = [
            sphere_on_plane(&cone(name)),
            stack_of_boxes(3, &cone(name)),
            box_on_slope(25.0, 0.3, 0.0, &cone(name)),
        ];
        for (i, xml) in scenes.iter().enumerate() {
            let start = Case::new(xml).steps(50);
            for (_, solver) in SOLVERS {
                let solve = |jacobian: Jacobian| {
                    let mut case = Case::new(xml).solver(solver);
                    case.model.opt.jacobian = jacobian.code();
                    case.data.state.clone_from(&start.data.state);
                    case.forward().qacc().to_vec()
                };
                let dense = solve(Jacobian::Dense);
                close(&solve(Jacobian::Sparse), &dense, 1e-9);
                let bits = |x: &[f64]| x.iter().map(|x| x.to_bits()).collect::<Vec<_>>();
                assert_eq!(bits(&dense), bits(&solve(Jacobian::Dense)), "scene {i}");
            }
        }
    }
}
