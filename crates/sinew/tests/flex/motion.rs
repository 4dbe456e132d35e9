//! Flexes in motion.

use super::{model, near};
use sinew::engine::Data;
use sinew::model::Model;

const UNTOUCHED: &str = "<contact contype='0' conaffinity='0' selfcollide='none'/>";

pub(super) fn advance(model: &Model, steps: usize) -> Data {
    let mut data = Data::new(model);
    for _ in 0..steps {
        data.step(model).unwrap();
    }
    data
}

/// A vertex as the last step saw it.
fn vertex(data: &Data, vertex: usize) -> [f64; 3] {
    data.position.flex.flexvert_xpos[vertex].0
}

#[test]
fn a_rope_of_three_points_falls() {
    let model = model(&format!(
        "<mujoco><worldbody><flexcomp name='r' type='grid' dim='1' count='3 1 1' mass='3' spacing='.2 .2 .2'>\
         <edge equality='true'/><pin id='0'/>{UNTOUCHED}</flexcomp></worldbody></mujoco>"
    ));
    near(&model.body_inertia[1].0, &[1.0 / 60000.0; 3], 1e-18);
    let data = advance(&model, 1);
    for (index, x) in [-0.2, 0.0, 0.2].into_iter().enumerate() {
        near(&vertex(&data, index), &[x, 0.0, 0.0], 1e-15);
    }
    assert_eq!(data.position.constraints.nefc(), 2);
    let data = advance(&model, 100);
    near(&vertex(&data, 0), &[-0.2, 0.0, 0.0], 1e-15);
    near(&vertex(&data, 1), &[-0.06344429, 0.0, -0.15029870], 1e-5);
    near(&vertex(&data, 2), &[0.13299822, 0.0, -0.19237918], 1e-5);
}

fn cloth(inside: &str) -> Model {
    model(&format!(
        "<mujoco><worldbody><flexcomp name='c' type='grid' dim='2' count='4 4 1' spacing='.1 .1 .1' mass='.16' \
         radius='.01' pos='0 0 1'><pin id='0 3'/>{UNTOUCHED}{inside}</flexcomp></worldbody></mujoco>"
    ))
}

#[test]
fn a_cloth_of_elastic_triangles_hangs() {
    let model = cloth(
        "<elasticity young='3e3' poisson='.2' thickness='.01' elastic2d='stretch' damping='.001'/>",
    );
    let data = advance(&model, 50);
    let first = [0.1499884349, -0.1499952398, 0.9519310000];
    near(&vertex(&data, 12), &first, 1e-8);
    let second = [0.1499829653, 0.1500017312, 0.9519310000];
    near(&vertex(&data, 15), &second, 1e-8);
}

#[test]
fn a_cloth_of_edges_that_keep_their_lengths_hangs() {
    let model = cloth("<edge equality='true' damping='.01'/>");
    let data = advance(&model, 50);
    assert_eq!(data.position.constraints.nefc(), 33);
    let expected = [0.14279660, -0.15107959, 0.95193175];
    near(&vertex(&data, 12), &expected, 1e-5);
}

#[test]
fn the_same_cloth_written_out_moves_the_same() {
    let made = cloth("<edge equality='true' damping='.01'/>");
    let (mut bodies, mut names, mut places) = (String::new(), String::new(), String::new());
    for point in 0..16 {
        let at = |i: i32| 0.1 * (f64::from(i) - 1.5);
        let (x, y) = (at(point / 4), at(point % 4));
        if point == 0 || point == 3 {
            names += "world ";
            places += &format!("{x} {y} 1 ");
            continue;
        }
        let slides: String = ["1 0 0", "0 1 0", "0 0 1"]
            .map(|axis| format!("<joint type='slide' axis='{axis}'/>"))
            .concat();
        let inertia = 0.01 * 2.0 * 0.005 * 0.005 / 3.0;
        bodies += &format!(
            "<body name='b{point}' pos='{x} {y} 1'>{slides}<inertial pos='0 0 0' mass='.01' \
             diaginertia='{inertia} {inertia} {inertia}'/></body>"
        );
        names += &format!("b{point} ");
        places += "0 0 0 ";
    }
    let elements: String = made.flex_elem.iter().map(|v| format!("{v} ")).collect();
    let written = model(&format!(
        "<mujoco><worldbody>{bodies}</worldbody><deformable><flex name='c' dim='2' radius='.01' body='{names}' \
         vertex='{places}' element='{elements}'>{UNTOUCHED}<edge damping='.01'/></flex></deformable>\
         <equality><flex flex='c'/></equality></mujoco>"
    ));
    assert_eq!(written.nv, made.nv);
    let (a, b) = (advance(&made, 50), advance(&written, 50));
    near(&a.state.qpos, &b.state.qpos, 1e-12);
}

#[test]
fn equalities_leave_rigid_edges_out() {
    let pinned = |inside: &str, flags: &str| {
        model(&format!(
            "<mujoco><option><flag {flags}/></option><worldbody><flexcomp name='f' type='grid' dim='2' \
             count='3 3 1' spacing='.1 .1 .1'>{inside}<pin id='0 1 2'/>{UNTOUCHED}</flexcomp></worldbody></mujoco>"
        ))
    };
    let rows = |model: &Model| {
        let mut data = Data::new(model);
        data.forward(model).unwrap();
        data.position.constraints.nefc()
    };
    let held = pinned("<edge equality='true'/>", "");
    assert_eq!((held.nflexedge, rows(&held)), (16, 14));
    assert_eq!(rows(&pinned("", "")), 0);
    assert_eq!(
        rows(&pinned("<edge equality='true'/>", "equality='disable'")),
        0
    );
    let mut data = Data::new(&held);
    data.input.eq_active[0] = 0;
    data.forward(&held).unwrap();
    assert_eq!(data.position.constraints.nefc(), 0);
}

#[test]
fn a_line_hangs_at_the_length_of_its_spring() {
    let model = model(&format!(
        "<mujoco><worldbody><flexcomp name='l' type='grid' dim='1' count='2 1 1' spacing='.5 .5 .5' mass='2' \
         euler='0 90 0' pos='0 0 2'><edge stiffness='100' damping='5'/><pin id='0'/>{UNTOUCHED}</flexcomp>\
         </worldbody></mujoco>"
    ));
    let mut data = advance(&model, 5000);
    data.forward(&model).unwrap();
    near(&data.position.flex.flexedge_length, &[0.5981], 1e-6);
}

#[test]
fn a_rope_sags_between_its_ends() {
    let model = model(&format!(
        "<mujoco><worldbody><flexcomp name='r' type='grid' dim='1' count='11 1 1' spacing='.1 .1 .1' mass='1'>\
         <edge equality='true'/><pin id='0 10'/>{UNTOUCHED}</flexcomp></worldbody></mujoco>"
    ));
    let mut data = advance(&model, 5000);
    data.forward(&model).unwrap();
    for length in &data.position.flex.flexedge_length {
        assert!((length / 0.1 - 1.0).abs() <= 0.03);
    }
    near(&[-vertex(&data, 5)[2]], &[0.099], 0.005);
}

/// A ball of 1 kg on a vertical slide, and something under it; the force that holds the ball, and its height.
fn held_ball(ground: &str) -> (f64, f64) {
    let model = model(&format!(
        "<mujoco><worldbody><body name='b' pos='0 0 .12'><joint type='slide' axis='0 0 1' damping='.5'/>\
         <geom size='.1' mass='1'/></body>{ground}</worldbody></mujoco>"
    ));
    let data = advance(&model, 5000);
    assert!(data.state.qvel.iter().all(|speed| speed.abs() < 1e-9));
    let dof = model.body_dofadr[1] as usize;
    let force = data.acceleration.solution.qfrc_constraint[dof];
    (force, data.position.kinematics.xpos[1][2])
}

#[test]
fn a_ball_rests_on_a_rigid_flex_as_on_a_plane() {
    let (force, height) = held_ball("<geom type='plane' size='1 1 1' pos='0 0 .01'/>");
    near(&[force, height], &[9.81, 0.1096328], 1e-6);
    let (force, height) = held_ball(
        "<flexcomp name='f' type='grid' dim='2' count='5 5 1' spacing='.1 .1 .1' radius='.01' rigid='true'/>",
    );
    near(&[force, height], &[9.81, 0.1099276], 1e-6);
}

#[test]
fn a_soft_block_rests_on_its_lowest_vertices() {
    let model = model(
        "<mujoco><option timestep='.001'/><worldbody><geom type='plane' size='1 1 1'/>\
         <flexcomp name='f' type='grid' dim='3' count='3 3 3' spacing='.1 .1 .1' radius='.005' mass='2' pos='0 0 .11'>\
         <edge damping='.1'/><elasticity young='2e4' poisson='.2' damping='.001'/></flexcomp></worldbody></mujoco>",
    );
    let data = advance(&model, 4000);
    let contacts = &data.position.contacts.contact;
    assert_eq!(contacts.len(), 9);
    for contact in contacts {
        assert_eq!(
            (contact.geom, contact.flex, contact.elem),
            ([0, -1], [-1, 0], [-1, -1])
        );
        assert!(contact.vert[1] >= 0);
    }
    let force: f64 = data
        .acceleration
        .solution
        .qfrc_constraint
        .iter()
        .skip(2)
        .step_by(3)
        .sum();
    near(&[force], &[19.62], 1e-5);
    assert!(data.state.qvel.iter().all(|speed| speed.abs() < 1e-6));
}
