//! Bending by hinges, and by cotangents without their defect.

use super::{bent, diamond, equilateral, flexcomp, largest, model, near, noise, plain};
use sinew::engine::law::{CorrectedCotangent, Dihedral};
use sinew::prelude::*;

const FLAT: &str = "0 0 0 1 0 0 .2 .7 0 .6 -.4 0";

#[test]
fn hinges_are_at_rest_in_any_rest_shape() {
    for points in [
        FLAT,
        &equilateral(0.5),
        &equilateral(-1.9),
        "0 0 0 1 0 .2 .2 .7 .1 .6 -.4 .5",
    ] {
        let model = diamond(points);
        let force = bent(&model, &vec![0.0; model.nq], Dihedral::default());
        assert!(largest(&force) < 1e-15, "{points}: {force:?}");
    }
}

/// The energy of hinges is k/2·(θ − θ₀)², found by integrating the force along the way: force = −∂E/∂x means that
/// work along closed ways is none, and that differences of θ give the moment.
#[test]
fn hinge_forces_are_the_slope_of_their_energy() {
    let model = diamond("0 0 0 1 0 .2 .2 .7 .1 .6 -.4 .5");
    let law = || Dihedral::new(0.3);
    let qpos: Vec<f64> = noise(model.nq, 3).iter().map(|x| 0.1 * x).collect();
    let vertices = |qpos: &[f64]| {
        let mut data = Data::new(&model);
        data.state.qpos.copy_from_slice(qpos);
        data.forward(&model).expect("its own model");
        data.position.flex.flexvert_xpos.clone()
    };
    let angle = |qpos: &[f64]| {
        let x = vertices(qpos);
        let edge = x[1] - x[0];
        let (first, second) = (edge.cross(x[2] - x[0]), (x[3] - x[0]).cross(edge));
        let sine = first.cross(second).dot(edge) / edge.norm();
        sinew::math::arc::atan2(sine, first.dot(second))
    };
    let rest = angle(&vec![0.0; model.nq]);
    let energy = |qpos: &[f64]| 0.15 * (angle(qpos) - rest) * (angle(qpos) - rest);
    let force = bent(&model, &qpos, law());
    for dof in 0..model.nv {
        let at = |change: f64| {
            let mut moved = qpos.clone();
            moved[dof] += change;
            energy(&moved)
        };
        let slope = (at(1e-5) - at(-1e-5)) / 2e-5;
        assert!(
            (force[dof] + slope).abs() < 1e-6 * largest(&force),
            "{dof}: {} {slope}",
            force[dof]
        );
    }
    let total: f64 = (0..3)
        .map(|axis| (axis..12).step_by(3).map(|k| force[k]).sum::<f64>().abs())
        .sum();
    assert!(total < 1e-15, "they push nothing away: {total}");
}

#[test]
fn hinges_do_not_feel_rigid_motions() {
    let model = diamond(&equilateral(0.4));
    let folded = noise(model.nq, 8)
        .iter()
        .map(|x| 0.1 * x)
        .collect::<Vec<_>>();
    let force = bent(&model, &folded, Dihedral::new(0.3));
    let moved: Vec<f64> = folded
        .iter()
        .enumerate()
        .map(|(k, x)| x + [3.0, -2.0, 5.0][k % 3])
        .collect();
    near(&bent(&model, &moved, Dihedral::new(0.3)), &force, 1e-13);
}

#[test]
fn hinges_bend_as_cotangents_for_small_folds() {
    let model = diamond(&equilateral(0.0));
    let mut qpos = vec![0.0; model.nq];
    // The vertex across is lifted by the height of its triangle times the fold.
    qpos[11] = 1e-3 * 3f64.sqrt() / 2.0;
    let (cotangent, hinge) = (
        plain(&model, &qpos),
        bent(&model, &qpos, Dihedral::default()),
    );
    assert!(largest(&cotangent) > 1e-9);
    near(&hinge, &cotangent, 0.01 * largest(&cotangent));
}

#[test]
fn corrected_cotangents_are_at_rest_where_the_reference_is_not() {
    let inside = "<elasticity young='1e4' poisson='.3' thickness='.01' elastic2d='bend'/>";
    let exchanged = flexcomp(
        &format!("type='direct' dim='2' point='{FLAT}' element='1 0 3 0 1 2'"),
        inside,
    );
    let rest = vec![0.0; exchanged.nq];
    let reference = largest(&plain(&exchanged, &rest));
    assert!((reference - 7.804695304695e-4).abs() < 1e-12, "{reference}");
    assert!(largest(&bent(&exchanged, &rest, CorrectedCotangent::default())) < 1e-16);
    // Where the reference exchanges nothing, nothing is to be corrected.
    let kept = diamond(FLAT);
    let qpos: Vec<f64> = noise(kept.nq, 4).iter().map(|x| 0.05 * x).collect();
    let corrected = bent(&kept, &qpos, CorrectedCotangent::default());
    near(&corrected, &plain(&kept, &qpos), 1e-15);
}

fn falling_cloth(young: &str) -> Model {
    model(&format!(
        "<mujoco><option timestep='.01'/><worldbody><flexcomp name='f' type='grid' dim='2' count='6 6 1' \
         spacing='.1 .1 .1' mass='1' radius='.001'><contact contype='0' conaffinity='0' selfcollide='none'/>\
         <edge equality='true'/><elasticity young='{young}' poisson='.3' thickness='.01' elastic2d='bend'/>\
         </flexcomp></worldbody></mujoco>"
    ))
}

#[test]
fn limited_hinges_stay_finite_where_cotangents_diverge() {
    let model = falling_cloth("1e12");
    let disturb = |data: &mut Data| {
        for (x, noise) in data.state.qpos.iter_mut().zip(noise(model.nq, 1)) {
            *x = 1e-4 * noise;
        }
    };
    let mut data = Data::new(&model);
    disturb(&mut data);
    let diverged = (0..20).any(|_| data.step(&model).is_err());
    assert!(diverged, "the reference diverges within two steps");

    let mut sim = Simulation::builder(model.clone())
        .bending(Dihedral::default())
        .build()
        .expect("a cloth");
    disturb(sim.data_mut());
    for step in 0..500 {
        sim.step()
            .unwrap_or_else(|error| panic!("step {step}: {error}"));
    }
}

#[test]
fn the_reference_falls_freely_while_it_can_be_followed() {
    let model = falling_cloth("1e6");
    let mut data = Data::new(&model);
    for (x, noise) in data.state.qpos.iter_mut().zip(noise(model.nq, 1)) {
        *x = 1e-4 * noise;
    }
    for _ in 0..500 {
        data.step(&model).expect("finite");
    }
    let speed = largest(&data.state.qvel);
    assert!((speed / 49.05 - 1.0).abs() < 1e-3, "{speed}");
}

fn two_cloths() -> (Model, [Model; 2]) {
    let cloth = |name: &str, x: f64| {
        format!(
            "<flexcomp name='{name}' type='grid' dim='2' count='4 4 1' spacing='.1 .1 .1' radius='.001' pos='{x} 0 0' \
             mass='1'><contact contype='0' conaffinity='0' selfcollide='none'/>\
             <elasticity young='1e4' poisson='.3' thickness='.01' elastic2d='both'/></flexcomp>"
        )
    };
    let around = |inside: &str| {
        model(&format!(
            "<mujoco><option gravity='0 0 0'/><worldbody>{inside}</worldbody></mujoco>"
        ))
    };
    let (a, b) = (cloth("a", 0.0), cloth("b", 2.0));
    (around(&format!("{a}{b}")), [around(&a), around(&b)])
}

/// Two flexes with different laws in one model each move as alone, and a change of law changes nothing else.
#[test]
fn flexes_choose_their_laws_one_by_one() {
    let (both, [first, second]) = two_cloths();
    let choose = |model: Model, flex: usize, law: &str| {
        let mut sim = Simulation::new(model);
        let law = sinew::model::law::Law::new(law, []);
        sim.choose_laws(|laws| {
            laws.bending.insert(flex, law);
        })
        .expect("it is known");
        sim
    };
    let disturbed = |mut sim: Simulation, seed: u64, from: usize, count: usize| {
        for (x, noise) in sim.data_mut().state.qpos[from..from + count]
            .iter_mut()
            .zip(noise(count, seed))
        {
            *x = 0.02 * noise;
        }
        sim
    };
    let alone = [
        disturbed(choose(first, 0, "dihedral"), 1, 0, 48),
        disturbed(choose(second, 0, "corrected_cotangent"), 2, 0, 48),
    ];
    let mut together = choose(both, 0, "dihedral");
    together
        .choose_laws(|laws| {
            laws.bending
                .insert(1, sinew::model::law::Law::new("corrected_cotangent", []));
        })
        .expect("it is known");
    let mut together = disturbed(disturbed(together, 1, 0, 48), 2, 48, 48);
    together.step_for(0.02).expect("finite");
    for (k, mut alone) in alone.into_iter().enumerate() {
        alone.step_for(0.02).expect("finite");
        let part = &together.data().state.qpos[48 * k..48 * (k + 1)];
        assert_eq!(part, &alone.data().state.qpos[..], "flex {k}");
    }
    // Back to the reference's law, the bits are those of a model that never had another.
    let mut back = Simulation::new(two_cloths().0);
    back.choose_laws(|laws| {
        laws.bending
            .insert(0, sinew::model::law::Law::new("dihedral", []));
    })
    .expect("known");
    back.forward().expect("its own model");
    back.choose_laws(|laws| laws.bending.clear())
        .expect("nothing is always known");
    let mut never = Simulation::new(two_cloths().0);
    let (mut back, mut never) = (disturbed(back, 5, 0, 96), {
        never.forward().expect("its own model");
        disturbed(never, 5, 0, 96)
    });
    back.step_for(0.02).expect("finite");
    never.step_for(0.02).expect("finite");
    assert_eq!(back.data().state.qpos, never.data().state.qpos);
}

#[test]
fn wrong_choices_are_refused_by_name() {
    let mut sim = Simulation::new(diamond(FLAT));
    let mut refused = |name: &str, parameters: &[f64]| {
        let law = sinew::model::law::Law::new(name, parameters);
        let outcome = sim.choose_laws(|laws| {
            laws.bending.insert(0, law);
        });
        outcome.expect_err(name).to_string()
    };
    assert_eq!(
        refused("bridson", &[]),
        "flex `f`: there is no law `bridson`, only cotangent, corrected_cotangent, dihedral"
    );
    assert_eq!(
        refused("dihedral", &[1.0, 2.0, 3.0]),
        "flex `f`: `dihedral` has 0 to 2 parameters, not 3"
    );
    assert_eq!(
        refused("dihedral", &[-1.0]),
        "flex `f`: the stiffness of dihedral bending must be positive"
    );
    assert!(sim.model().laws().is_empty(), "nothing has changed");

    let carried = "<body name='arm'><joint type='hinge'/><geom size='.1'/><flexcomp name='f' type='grid' dim='2' count='3 3 1' \
                   spacing='.1 .1 .1' radius='.001'><pin id='0'/></flexcomp></body>";
    let carried = model(&format!(
        "<mujoco><worldbody>{carried}</worldbody></mujoco>"
    ));
    let built = Simulation::builder(carried)
        .bending(Dihedral::new(0.1))
        .build();
    let error = built.expect_err("a vertex turns").to_string();
    assert!(
        error.contains("flex `f`") && error.contains("three slides"),
        "{error}"
    );
}
