//! Vertices, edges and their Jacobians.

use super::{grid, model, near, place};
use sinew::engine::parts::{Moment, Observer};
use sinew::engine::{Data, Engine};
use sinew::model::Model;
use sinew::model::kinds::TimerKind;

/// A line through the world, a hinge, a free box, three slides and a static body.
pub const CHAIN: &str = "<mujoco><worldbody>\
    <body name='h' pos='0 0 1'><joint type='hinge' axis='0 1 0'/><geom size='.05'/></body>\
    <body name='f' pos='.5 0 1.2'><freejoint/><geom type='box' size='.05 .05 .05'/></body>\
    <body name='s' pos='1 0 1'><joint type='slide' axis='1 0 0'/><joint type='slide' axis='0 1 0'/>\
    <joint type='slide' axis='0 0 1'/><geom size='.05'/></body>\
    <body name='c' pos='1.5 0 1'/></worldbody>\
    <deformable><flex name='l' dim='1' body='world h f s c world' element='0 1 1 2 2 3 3 4 4 5' \
    vertex='-.5 0 1 .2 0 .1 .1 .05 0 0 0 0 0 0 0 1.7 0 1'><edge stiffness='50' damping='2'/></flex></deformable></mujoco>";

pub fn chain() -> (Model, Data) {
    chain_of(CHAIN)
}

/// The chain, or a part of it, in a given state.
pub fn chain_of(text: &str) -> (Model, Data) {
    let model = model(text);
    let quat = [0.9, 0.1, -0.2, 0.3].map(|x: f64| x / 0.95_f64.sqrt());
    let qpos = [
        0.3, 0.5, 0.1, 1.2, quat[0], quat[1], quat[2], quat[3], 0.05, -0.02, 0.03,
    ];
    let qvel = [0.5, 0.1, -0.2, 0.3, 0.4, -0.5, 0.6, 0.7, -0.8, 0.9];
    let data = place(&model, &qpos, &qvel);
    (model, data)
}

fn lengths_and_velocities(model: &Model, data: &mut Data) {
    let mut engine = Engine::new(model);
    engine.forward_kinematics(data).unwrap();
    engine.compute_length_velocity(data).unwrap();
}

#[test]
fn edges_reach_across_joints_of_every_kind() {
    let (model, mut data) = chain();
    assert_eq!(model.flex_rigid, [0]);
    assert_eq!(model.flexedge_rigid, [0, 0, 0, 0, 1]);
    assert_eq!(model.flexedge_J_rownnz, [1, 7, 9, 3, 0]);
    lengths_and_velocities(&model, &mut data);
    let lengths = [
        0.72153954742,
        0.429828835445,
        0.591772538094,
        0.451442133612,
        0.2,
    ];
    near(&data.position.flex.flexedge_length, &lengths, 1e-12);
    let velocities = [
        0.012622179793,
        0.143235853835,
        0.601653646197,
        -0.602513544369,
        0.0,
    ];
    near(&data.velocity.length.flexedge_velocity, &velocities, 1e-12);
    near(
        &data.position.flex.flexedge_J[..1],
        &[0.025244359585],
        1e-12,
    );
}

#[test]
fn a_jacobian_is_the_slope_of_the_lengths() {
    let (model, mut data) = chain();
    lengths_and_velocities(&model, &mut data);
    const STEP: f64 = 1e-7;
    // Slides and the hinge; their positions are numbers of their own.
    for (dof, at) in [(0, 0), (1, 1), (2, 2), (3, 3), (7, 8), (8, 9), (9, 10)] {
        let ends = [STEP, -STEP].map(|step| {
            let mut moved = data.clone();
            moved.state.qpos[at] += step;
            lengths_and_velocities(&model, &mut moved);
            moved.position.flex.flexedge_length
        });
        for edge in 0..model.nflexedge {
            let slope = (ends[0][edge] - ends[1][edge]) / (2.0 * STEP);
            let start = model.flexedge_J_rowadr[edge] as usize;
            let row = start..start + model.flexedge_J_rownnz[edge] as usize;
            let entry = (row.clone()).find(|&k| model.flexedge_J_colind[k] == dof);
            let value = entry.map_or(0.0, |k| data.position.flex.flexedge_J[k]);
            assert!((slope - value).abs() < 1e-5, "edge {edge}, dof {dof}");
        }
    }
}

/// The rows of edges with an entry for each degree of freedom.
pub fn full_rows(model: &Model, data: &Data) -> Vec<Vec<f64>> {
    let edges = 0..model.nflexedge;
    let rows = edges.map(|edge| {
        let mut full = vec![0.0; model.nv];
        let start = model.flexedge_J_rowadr[edge] as usize;
        for k in start..start + model.flexedge_J_rownnz[edge] as usize {
            full[model.flexedge_J_colind[k] as usize] = data.position.flex.flexedge_J[k];
        }
        full
    });
    rows.collect()
}

#[test]
fn edges_change_their_lengths_by_their_jacobian() {
    let (model, mut data) = chain();
    lengths_and_velocities(&model, &mut data);
    let velocities = full_rows(&model, &data).into_iter().map(|row| {
        let products = row.iter().zip(&data.state.qvel).map(|(a, b)| a * b);
        products.sum::<f64>()
    });
    let velocities: Vec<f64> = velocities.collect();
    near(&data.velocity.length.flexedge_velocity, &velocities, 1e-15);
}

/// Counts how often places are computed.
struct Counter(usize);

impl Observer for Counter {
    fn observe(&mut self, moment: Moment) {
        self.0 += usize::from(moment == Moment::End(TimerKind::PosKinematics));
    }
}

#[test]
fn edges_are_computed_once_in_a_step() {
    let model = grid("<edge equality='true' damping='1'/>");
    let mut data = Data::new(&model);
    let mut counter = Counter(0);
    let mut engine = Engine::new(&model).observer(&mut counter);
    engine.step(&mut data).unwrap();
    assert_eq!(counter.0, 1);
}

#[test]
fn a_model_without_flexes_has_no_arrays_for_them() {
    let model = model(
        "<mujoco><worldbody><geom type='plane' size='1 1 1'/><body pos='0 0 .1'><freejoint/><geom size='.1'/></body>\
         </worldbody></mujoco>",
    );
    let mut data = Data::new(&model);
    data.step(&model).unwrap();
    let columns = [model.columns(), data.columns()].concat();
    let of_flexes = columns.iter().filter(|c| c.name.starts_with("flex"));
    assert!(of_flexes.clone().count() > 50);
    for column in of_flexes {
        assert!(column.bytes.is_empty(), "{}", column.name);
    }
    assert!(data.position.flex.bvh_aabb_dyn.is_empty());
}

#[test]
fn jacobians_are_made_where_something_needs_them() {
    let qvel: Vec<f64> = (0..27).map(|i| 0.01 * f64::from(i)).collect();
    for (inside, expected) in [
        ("<edge damping='1'/>", 0.169705627485),
        ("<edge equality='true'/>", 0.169705627485),
        ("<elasticity young='1' damping='.1'/>", 0.169705627485),
        ("", 0.0),
        ("<edge equality='vert'/>", 0.0),
    ] {
        let model = grid(inside);
        let mut data = place(&model, &[0.0; 27], &qvel);
        lengths_and_velocities(&model, &mut data);
        let velocities = &data.velocity.length.flexedge_velocity;
        let largest = velocities.iter().fold(0.0_f64, |a, b| a.max(b.abs()));
        near(&[largest], &[expected], 1e-12);
        let shortest = data.position.flex.flexedge_length.iter().copied();
        near(&[shortest.fold(1.0, f64::min)], &[0.1], 1e-15);
    }
}

#[test]
fn the_jacobian_of_free_vertices_is_the_direction_of_the_edge() {
    let model = grid("<edge damping='1'/>");
    let mut data = Data::new(&model);
    lengths_and_velocities(&model, &mut data);
    for edge in 0..model.nflexedge {
        let [a, b] = model.flex_edge[edge].map(|v| data.position.flex.flexvert_xpos[v as usize]);
        let (u, _) = (b - a).normalize();
        let start = model.flexedge_J_rowadr[edge] as usize;
        let row = &data.position.flex.flexedge_J[start..start + 6];
        near(row, &[-u[0], -u[1], -u[2], u[0], u[1], u[2]], 1e-15);
    }
}

#[test]
fn rigid_flexes_have_no_lengths() {
    let bodies = |inside: &str, names: &str| {
        model(&format!(
            "<mujoco><worldbody>{inside}</worldbody><deformable><flex name='t' body='{names}' \
             vertex='0 0 0 1 0 0 0 1 0' element='0 1 2'><edge damping='1'/></flex></deformable></mujoco>"
        ))
    };
    let still = bodies("<body name='a'/><body name='b'/><body name='c'/>", "a b c");
    assert_eq!(still.flex_rigid, [0]);
    assert_eq!(still.flexedge_rigid, [1, 1, 1]);
    let moving = bodies("<body name='a'><freejoint/><geom size='.1'/></body>", "a");
    assert_eq!(moving.flex_rigid, [1]);
    let mut data = Data::new(&moving);
    lengths_and_velocities(&moving, &mut data);
    assert_eq!(data.position.flex.flexedge_length, [0.0; 3]);
}

#[test]
fn interpolated_vertices_follow_their_nodes() {
    let model = model(
        "<mujoco><worldbody><flexcomp name='f' type='grid' dim='3' dof='trilinear' count='3 3 3' spacing='.1 .1 .1' \
         mass='1' radius='.001'><contact selfcollide='none'/></flexcomp></worldbody></mujoco>",
    );
    assert_eq!(model.nv, 24);
    let mut data = Data::new(&model);
    // The top moves by one tenth along x: nodes are counted with z fastest.
    for node in 0..8 {
        if node % 2 == 1 {
            data.state.qpos[3 * node] = 0.1;
        }
    }
    lengths_and_velocities(&model, &mut data);
    for (vertex, at) in data.position.flex.flexvert_xpos.iter().enumerate() {
        let (x, y, z) = (vertex / 9, vertex / 3 % 3, vertex % 3);
        let grid = |i: usize| 0.1 * (i as f64 - 1.0);
        near(&at.0, &[grid(x) + 0.05 * z as f64, grid(y), grid(z)], 1e-15);
    }
}

#[test]
fn boxes_surround_their_elements() {
    let model = grid("");
    let mut data = Data::new(&model);
    data.state.qpos[2] = 0.3;
    lengths_and_velocities(&model, &mut data);
    let flex = &data.position.flex;
    near(
        &flex.flexelem_aabb[0],
        &[-0.05, -0.05, 0.15, 0.06, 0.06, 0.16],
        1e-15,
    );
    let root = flex.bvh_aabb_dyn[model.flex_bvhadr[0] as usize - model.nbvhstatic];
    near(&root, &[0.0, 0.0, 0.15, 0.11, 0.11, 0.16], 1e-15);
}
