//! Forces of springs and dampers along edges, of elastic elements, and of plates that bend.

use super::position::{CHAIN, chain, chain_of, full_rows};
use super::{grid, model, near, place};
use sinew::engine::{Data, Engine};
use sinew::math::sine::{sin, sin_cos};
use sinew::model::Model;

/// Passive forces of a model whose vertices are free bodies.
fn passive(model: &Model, data: &mut Data) {
    let mut engine = Engine::new(model);
    engine.forward_kinematics(data).unwrap();
    engine.compute_com_velocity(data).unwrap();
    engine.compute_length_velocity(data).unwrap();
    engine.compute_passive(data).unwrap();
}

/// Two triangles over four vertices.
fn diamond(points: &str, elements: &str) -> Model {
    model(&format!(
        "<mujoco><option gravity='0 0 0'/><worldbody><flexcomp name='f' type='direct' dim='2' radius='.001' \
         point='{points}' element='{elements}'><contact contype='0' conaffinity='0'/>\
         <elasticity young='1e4' poisson='.3' thickness='.01' elastic2d='bend'/></flexcomp></worldbody></mujoco>"
    ))
}

const FLAT: &str = "0 0 0 1 0 0 .2 .7 0 .6 -.4 0";

/// A cloth of four by four vertices, 0.1 apart.
fn cloth(elasticity: &str) -> Model {
    model(&format!(
        "<mujoco><option gravity='0 0 0'/><worldbody><flexcomp name='f' type='grid' dim='2' count='4 4 1' \
         spacing='.1 .1 .1' radius='.001' mass='1'><contact contype='0' conaffinity='0'/>\
         <elasticity young='1e4' poisson='.3' thickness='.01' {elasticity}/></flexcomp></worldbody></mujoco>"
    ))
}

/// Heights of a wave over the vertices of the cloth.
fn wave(model: &Model) -> Data {
    let mut data = Data::new(model);
    for vertex in 0..16 {
        let (x, y) = ((vertex / 4) as f64, (vertex % 4) as f64);
        let (x, y) = (0.1 * (x - 1.5), 0.1 * (y - 1.5));
        data.state.qpos[3 * vertex + 2] = 0.02 * sin(7.0 * x + 3.0 * y);
    }
    data
}

#[test]
fn springs_and_dampers_pull_along_edges() {
    let (model, mut data) = chain();
    passive(&model, &mut data);
    let spring = [
        -0.076948659591,
        5.541717452404,
        -2.864706113246,
        -2.959513279207,
        -0.174667878372,
        0.349335756745,
        -0.643633127181,
        -8.504022790948,
        2.433169747452,
        2.765119347974,
    ];
    near(&data.velocity.passive.qfrc_spring, &spring, 1e-9);
    near(
        &data.velocity.passive.qfrc_damper[..1],
        &[-0.0238477741],
        1e-9,
    );
    // Forces along edges, carried to the degrees of freedom by the rows of the edges.
    let (mut of_springs, mut of_dampers) = (vec![0.0; model.nv], vec![0.0; model.nv]);
    for (edge, row) in full_rows(&model, &data).into_iter().enumerate() {
        let stretch = data.position.flex.flexedge_length[edge] - model.flexedge_length0[edge];
        for (dof, entry) in row.into_iter().enumerate() {
            of_springs[dof] -= 50.0 * stretch * entry;
            of_dampers[dof] -= 2.0 * data.velocity.length.flexedge_velocity[edge] * entry;
        }
    }
    near(&data.velocity.passive.qfrc_spring, &of_springs, 1e-12);
    near(&data.velocity.passive.qfrc_damper, &of_dampers, 1e-12);
}

#[test]
fn rigid_edges_are_left_out_without_a_trace() {
    let shorter = CHAIN
        .replace(" c world'", " c'")
        .replace(" 4 5'", "'")
        .replace(" 1.7 0 1'", "'");
    let [all, without] = [CHAIN, &shorter].map(|text| {
        let (model, mut data) = chain_of(text);
        passive(&model, &mut data);
        let forces = data.velocity.passive;
        (model.nflexedge, forces.qfrc_spring, forces.qfrc_damper)
    });
    assert_eq!((all.0, without.0), (5, 4));
    assert_eq!((all.1, all.2), (without.1, without.2));
}

#[test]
fn a_flat_diamond_bends_by_cotangents() {
    let model = diamond(FLAT, "0 1 2 1 0 3");
    let interior = (0..model.nflexedge).find(|&e| model.flex_edgeflap[e][1] >= 0);
    let bending = &model.flex_bending[interior.unwrap()];
    let row = [
        0.0040138433,
        0.003344869416,
        -0.002675895533,
        -0.004682817183,
    ];
    near(&bending[..4], &row, 1e-12);
    assert_eq!(bending[16], 0.0);
    let mut data = Data::new(&model);
    passive(&model, &mut data);
    let spring = &data.velocity.passive.qfrc_spring;
    assert!(spring.iter().all(|force| force.abs() < 1e-17));
    data.state.qpos[11] = 0.05;
    passive(&model, &mut data);
    let spring = &data.velocity.passive.qfrc_spring;
    let vertical = [2, 5, 8, 11].map(|dof| spring[dof]);
    let expected = [
        0.000234140859,
        0.000195117383,
        -0.000156093906,
        -0.000273164336,
    ];
    near(&vertical, &expected, 1e-12);
}

#[test]
fn an_edge_that_is_listed_backwards_bends_as_in_the_reference() {
    let model = diamond(FLAT, "1 0 3 0 1 2");
    let interior = (0..model.nflexedge).find(|&e| model.flex_edgeflap[e][1] >= 0);
    let row = [
        0.00278739118,
        0.003344869416,
        -0.003902347652,
        -0.002229912944,
    ];
    near(&model.flex_bending[interior.unwrap()][..4], &row, 1e-12);
    let mut data = Data::new(&model);
    passive(&model, &mut data);
    let spring = data.velocity.passive.qfrc_spring.iter();
    let largest = spring.fold(0.0_f64, |a, b| a.max(b.abs()));
    near(&[largest], &[7.804695304695e-4], 1e-15);
}

#[test]
fn a_wave_of_cloth_is_bent_back() {
    let model = cloth("elastic2d='bend' damping='.01'");
    let mut data = wave(&model);
    for vertex in 0..16 {
        data.state.qvel[3 * vertex + 2] = 0.1 * ((vertex + 1) % 3) as f64;
    }
    passive(&model, &mut data);
    let forces = &data.velocity.passive;
    let vertical = |vertex: usize| forces.qfrc_spring[3 * vertex + 2];
    let rows = [
        -0.001253033546,
        0.000001683553,
        0.000313296497,
        0.000306993505,
        0.000803466577,
        0.001183112054,
        0.000558993172,
        -0.000652391828,
    ];
    for (vertex, expected) in rows.into_iter().enumerate() {
        near(&[vertical(vertex)], &[expected], 1e-11);
        near(&[vertical(15 - vertex)], &[-expected], 1e-11);
    }
    for vertex in 0..16 {
        near(
            &forces.qfrc_spring[3 * vertex..3 * vertex + 2],
            &[0.0; 2],
            1e-15,
        );
    }
    let damper: Vec<f64> = (0..4).map(|v| forces.qfrc_damper[3 * v + 2]).collect();
    let expected = [0.000576923077, -0.001442307692, 0.000865384615, 0.0];
    near(&damper, &expected, 1e-11);
    let sum: f64 = (0..16).map(vertical).sum();
    assert!(sum.abs() < 1e-15);
}

#[test]
fn folded_rest_shapes_keep_the_forces_of_the_reference() {
    // The last vertex turned about the x axis by half a radian.
    let (sine, cosine) = sin_cos(0.5);
    let points = format!("0 0 0 1 0 0 .2 .7 0 .6 {} {}", -0.4 * cosine, -0.4 * sine);
    let model = diamond(&points, "0 1 2 1 0 3");
    let interior = (0..model.nflexedge).find(|&e| model.flex_edgeflap[e][1] >= 0);
    let bending = &model.flex_bending[interior.unwrap()];
    near(&[bending[16].abs()], &[5.028939216128e-5], 1e-15);
    let flat = diamond(FLAT, "0 1 2 1 0 3").flex_bending[interior.unwrap()];
    near(&[bending[0] / flat[0]], &[0.877582561890], 1e-12);
    let mut data = Data::new(&model);
    passive(&model, &mut data);
    let spring = &data.velocity.passive.qfrc_spring;
    let size = |v: usize| {
        let force = &spring[3 * v..3 * v + 3];
        force.iter().fold(0.0_f64, |a, b| a.max(b.abs()))
    };
    let largest = (0..4).map(size).fold(0.0, f64::max);
    near(&[largest], &[9.546420246963e-4], 1e-13);
}

#[test]
fn two_folded_equilateral_triangles_pull_at_their_tips() {
    let height = 0.75_f64.sqrt();
    let (sine, cosine) = sin_cos(0.5);
    let (across, up) = (-height * cosine, -height * sine);
    let model = diamond(
        &format!("0 0 0 1 0 0 .5 {height} 0 .5 {across} {up}"),
        "0 1 2 1 0 3",
    );
    let interior = (0..model.nflexedge).find(|&e| model.flex_edgeflap[e][1] >= 0);
    let bending = &model.flex_bending[interior.unwrap()];
    near(&[bending[0], bending[16]], &[6.495801645430e-4, 0.0], 1e-15);
    let mut data = Data::new(&model);
    passive(&model, &mut data);
    let spring = &data.velocity.passive.qfrc_spring;
    for tip in [2, 3] {
        let pull = [0.0, -6.8866288e-5, 2.69702239e-4];
        near(&spring[3 * tip..3 * tip + 3], &pull, 1e-11);
    }
    // Edges of one triangle resist nothing.
    for edge in (0..model.nflexedge).filter(|&edge| Some(edge) != interior) {
        assert_eq!(model.flex_bending[edge], [0.0; 17]);
    }
}

#[test]
fn a_cloth_does_not_push_itself_by_bending() {
    let (sine, cosine) = sin_cos(0.5);
    let folded = format!("0 0 0 1 0 0 .2 .7 0 .6 {} {}", -0.4 * cosine, -0.4 * sine);
    for model in [
        diamond(FLAT, "1 0 3 0 1 2"),
        diamond(&folded, "0 1 2 1 0 3"),
        cloth("elastic2d='bend'"),
    ] {
        let mut data = Data::new(&model);
        for (k, x) in data.state.qpos.iter_mut().enumerate() {
            *x = 0.02 * ((7 * k % 11) as f64 / 5.0 - 1.0);
        }
        passive(&model, &mut data);
        let spring = &data.velocity.passive.qfrc_spring;
        assert!(spring.iter().any(|force| force.abs() > 1e-5));
        for axis in 0..3 {
            let sum: f64 = spring.iter().skip(axis).step_by(3).sum();
            assert!(sum.abs() < 1e-15, "{sum}");
        }
    }
}

#[test]
fn stretched_cloth_pulls_back() {
    let model = cloth("elastic2d='stretch'");
    let stiffness = [
        1442.307692,
        -240.384615,
        961.538462,
        240.384615,
        -240.384615,
        1442.307692,
    ];
    near(&model.flex_stiffness[0][..6], &stiffness, 1e-6);
    let mut data = Data::new(&model);
    for vertex in 0..16 {
        data.state.qpos[3 * vertex] = 0.001 * ((vertex / 4) as f64 - 1.5);
    }
    passive(&model, &mut data);
    let spring = &data.velocity.passive.qfrc_spring;
    let along_x: f64 = (0..4).map(|vertex| spring[3 * vertex]).sum();
    let along_y: f64 = (0..4).map(|row| spring[12 * row + 1]).sum();
    near(
        &[along_x, along_y],
        &[0.146401442308, 0.086971153846],
        1e-11,
    );

    let mut data = wave(&model);
    for vertex in 0..16 {
        data.state.qpos[3 * vertex] = 0.001 * ((vertex / 4) as f64 - 1.5);
    }
    passive(&model, &mut data);
    let first = [0.030435711975, 0.021892371623, 0.002038827289];
    near(&data.velocity.passive.qfrc_spring[..3], &first, 1e-11);
}

/// Forces on the first vertices along x of a sheet or a solid of three vertices a side, which are displaced along x by
/// a gradient times their place along some axis; summed up and divided by gradient and cross section.
fn resistance(dim: usize, poisson: f64, axis: u32, gradient: f64) -> f64 {
    let (counts, material) = match dim {
        2 => ("3 3 1", "thickness='.01' elastic2d='stretch'"),
        _ => ("3 3 3", ""),
    };
    let model = model(&format!(
        "<mujoco><option gravity='0 0 0'/><worldbody><flexcomp name='f' type='grid' dim='{dim}' count='{counts}' \
         spacing='.1 .1 .1' radius='.001'><contact contype='0' conaffinity='0'/>\
         <elasticity young='1e4' poisson='{poisson}' {material}/></flexcomp></worldbody></mujoco>"
    ));
    // Vertices are counted along the last axis first.
    let place = |vertex: usize| vertex / 3_usize.pow(dim as u32 - 1 - axis) % 3;
    let mut data = Data::new(&model);
    for vertex in 0..model.nflexvert {
        data.state.qpos[3 * vertex] = gradient * 0.1 * (place(vertex) as f64 - 1.0);
    }
    passive(&model, &mut data);
    let spring = &data.velocity.passive.qfrc_spring;
    let first = (0..model.nflexvert).filter(|&vertex| place(vertex) == 0);
    let force: f64 = first.map(|vertex| spring[3 * vertex]).sum();
    let section = 0.2 * if dim == 2 { 0.01 } else { 0.2 };
    force / section / gradient
}

#[test]
fn sheets_and_solids_have_their_effective_moduli() {
    let strain = (1.01 * 1.01 - 1.0) / 2.0 * 1.01 / 0.01;
    for (poisson, sheet, solid) in [
        (0.0, 2500.0, 10000.0),
        (0.3, 4807.692, 19230.769),
        (0.45, 17241.379, 68965.517),
    ] {
        for (dim, modulus, share) in [(2, sheet, 0.25), (3, solid, 1.0)] {
            let stretched = resistance(dim, poisson, 0, 0.01) / strain;
            near(&[stretched / modulus], &[1.0], 1e-6);
            let shear = 1e4 / (2.0 * (1.0 + poisson));
            let sheared = resistance(dim, poisson, dim as u32 - 1, 1e-6);
            near(&[sheared / shear], &[share], 1e-6);
        }
    }
}

#[test]
fn springs_and_dampers_are_switched_off_by_flags() {
    let both = |flags: &str| {
        let model = model(&format!(
            "<mujoco><option><flag {flags}/></option><worldbody><flexcomp name='f' type='grid' dim='1' count='2 1 1' \
             spacing='.5 .5 .5'><edge stiffness='100' damping='5'/><contact contype='0' conaffinity='0'/></flexcomp>\
             </worldbody></mujoco>"
        ));
        let mut data = place(
            &model,
            &[-0.1, 0.0, 0.0, 0.0, 0.0, 0.0],
            &[1.0, 0.0, 0.0, 0.0, 0.0, 0.0],
        );
        passive(&model, &mut data);
        let forces = &data.velocity.passive;
        [forces.qfrc_spring[0], forces.qfrc_damper[0]]
    };
    near(&both(""), &[10.0, -5.0], 1e-12);
    near(&both("spring='disable'"), &[0.0, -5.0], 1e-12);
    near(&both("damper='disable'"), &[10.0, 0.0], 1e-12);
}

#[test]
fn a_line_stores_energy_in_its_springs() {
    let model = model(
        "<mujoco><option gravity='0 0 0'/><worldbody><flexcomp name='f' type='grid' dim='1' count='2 1 1' \
         spacing='.5 .5 .5'><edge stiffness='100'/></flexcomp></worldbody></mujoco>",
    );
    let mut data = place(&model, &[-0.1, 0.0, 0.0, 0.0, 0.0, 0.0], &[0.0; 6]);
    let mut engine = Engine::new(&model);
    engine.forward_kinematics(&mut data).unwrap();
    engine.compute_potential_energy(&mut data).unwrap();
    near(&[data.energy.values[0]], &[0.5], 1e-12);
}

#[test]
fn elasticity_damping_needs_the_jacobian_and_slows_a_cloth() {
    let model = grid("<elasticity young='1e3' thickness='.01' elastic2d='stretch' damping='.1'/>");
    let qvel: Vec<f64> = (0..27)
        .map(|i| if i % 9 == 0 { 1.0 } else { 0.0 })
        .collect();
    let mut data = place(&model, &[0.0; 27], &qvel);
    passive(&model, &mut data);
    let spring = &data.velocity.passive.qfrc_spring;
    let power: f64 = spring.iter().zip(&qvel).map(|(f, v)| f * v).sum();
    assert!(power < 0.0);
}
