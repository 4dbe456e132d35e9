//! Islands: what constraints do not connect is solved apart.

use crate::{CONES, Case, SOLVERS, relative};
use sinew::model::kinds::{DisableFlag, Solver};

fn four_trees(cone: &str) -> String {
    format!(
        r#"<mujoco><option cone="{cone}"/><worldbody><geom type="plane" size="5 5 1"/>
          <body pos="0 0 .099"><freejoint/><geom size=".1" mass="1"/></body>
          <body pos="1 0 .099"><freejoint/><geom type="box" size=".1 .1 .1" mass="1"/></body>
          <body pos="2 0 2"><freejoint/><geom size=".1" mass="1"/></body>
          <body pos="3 0 1"><joint axis="0 1 0" range="-10 10" frictionloss=".1"/>
            <geom type="capsule" fromto="0 0 0 .3 0 0" size=".03" mass="1"/></body>
        </worldbody></mujoco>"#
    )
}

/// Line 15.
#[test]
fn each_island_is_solved_on_its_own() {
    for cone in CONES {
        for (name, solver) in SOLVERS {
            let start = || {
                let mut case = Case::new(&four_trees(cone)).solver(solver);
                let last = case.model.nq - 1;
                case.data.state.qpos[last] = 0.3;
                case
            };
            let case = start().forward();
            let islands = &case.data.position.islands;
            assert_eq!((islands.nisland, islands.nidof), (3, 13));
            let expected: Vec<i32> = [0, 1, -1]
                .into_iter()
                .flat_map(|island| [island; 6])
                .chain([2])
                .collect();
            assert_eq!(islands.dof_island, expected);
            let counts = case.data.acceleration.solution.solver_niter;
            let used = if solver == Solver::Pgs { 1 } else { 3 };
            assert!(counts[..used].iter().all(|n| *n > 0), "{name} {counts:?}");
            assert!(counts[used..].iter().all(|n| *n == 0), "{name} {counts:?}");
            assert_eq!(case.qacc()[12..18], [0.0, 0.0, -9.81, 0.0, 0.0, 0.0]);

            let tight = |case: Case| case.tight(1e-14, 10000).forward();
            let apart = tight(start());
            let together = tight(start().disable(DisableFlag::Island));
            assert_eq!(together.data.position.islands.nisland, 0);
            // Conjugate gradients over everything end early where one body is much stiffer.
            let tolerance = if solver == Solver::Cg { 1e-8 } else { 1e-10 };
            assert!(
                relative(apart.qacc(), together.qacc()) < tolerance,
                "{name}"
            );
        }
    }
}

/// Line 15, its second half.
#[test]
fn a_tendon_with_friction_joins_two_sliders() {
    let slider = |name: &str, x: i32| {
        format!(
            r#"<body pos="{x} 0 0"><joint name="{name}" type="slide" axis="0 0 1"/>
                 <geom size=".1" mass="1"/></body>"#
        )
    };
    let xml = format!(
        r#"<mujoco><worldbody>{}{}</worldbody><tendon><fixed frictionloss="1">
             <joint joint="a" coef="1"/><joint joint="b" coef="-1"/></fixed></tendon></mujoco>"#,
        slider("a", 0),
        slider("b", 1)
    );
    let case = Case::new(&xml).forward();
    assert_eq!(case.data.position.islands.nisland, 1);
    assert_eq!(case.data.position.islands.dof_island, [0, 0]);
}
