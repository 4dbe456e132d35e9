//! Stages called out of order, and values written past the checks: answers for old positions at
//! worst, never a panic, a loop without end or memory without bound.

use crate::open;
use sinew::collision::ray::Ray;
use sinew::engine::ray::RayFilter;
use sinew::engine::{Data, Engine};
use sinew::math::Vec3;
use sinew::model::Model;

/// A humanoid that has come to lie on the floor, and one that has not been computed since it flew.
fn landed() -> (Model, Data) {
    let model = open("humanoid");
    let mut data = Data::new(&model);
    for _ in 0..600 {
        data.step(&model).expect("finite");
    }
    assert!(data.position.constraints.nefc() > 0);
    let mut flying = Data::new(&model);
    flying.state.qpos[2] = 5.0;
    flying.forward(&model).expect("its own model");
    flying.state.qpos.clone_from(&data.state.qpos);
    (model, flying)
}

#[test]
fn rows_without_velocity_stage_are_solved() {
    let (model, mut data) = landed();
    for stage in [
        Engine::compute_kinematics,
        Engine::compute_com,
        Engine::compute_contacts,
        Engine::compute_constraints,
        Engine::compute_islands,
        Engine::body_forces,
        Engine::solve_constraints,
        Engine::inverse_constraints,
    ] {
        stage(&mut Engine::new(&model), &mut data).expect("its own model");
    }
    let rows = data.position.constraints.nefc();
    assert!(rows > 0);
    assert_eq!(data.acceleration.solution.efc_force.len(), rows);
    assert_eq!(data.velocity.reference.efc_aref.len(), rows);
}

/// Rows stay in the island of their own bodies, whatever a user says about their contact since.
#[test]
fn islands_follow_the_rows() {
    let model = open("mesh_scene");
    let mut data = Data::new(&model);
    for _ in 0..300 {
        data.step(&model).expect("finite");
    }
    data.forward(&model).expect("its own model");
    let expected = data.position.islands.efc_island.clone();
    assert!(data.position.islands.nisland > 1);
    for (k, contact) in data.position.contacts.contact.iter_mut().enumerate() {
        contact.dim = [1, 6, 3, 4][k % 4];
    }
    Engine::new(&model)
        .compute_islands(&mut data)
        .expect("its own model");
    assert_eq!(data.position.islands.efc_island, expected);
    Engine::new(&model)
        .solve_constraints(&mut data)
        .expect("its own model");
}

/// First rows and slopes of cones belong to the rows: they come with them and go with them.
#[test]
fn contacts_have_rows_only_while_there_are_rows() {
    let (model, mut data) = landed();
    data.forward(&model).expect("its own model");
    let count = data.position.contacts.contact.len();
    let rows = &data.position.constraints;
    assert!(count > 0 && rows.first_row(count - 1).is_some() && rows.first_row(count).is_none());
    let first_normal = data.contact_force(&model, 0).expect("a contact")[0];
    assert!(first_normal > 0.0);

    data.position.contacts.contact[0].exclude = 1;
    Engine::new(&model)
        .compute_constraints(&mut data)
        .expect("its own model");
    let rows = &data.position.constraints;
    assert_eq!(rows.contact_efc_address.len(), count);
    assert_eq!((rows.contact_efc_address[0], rows.contact_mu[0]), (-1, 0.0));

    Engine::new(&model)
        .compute_contacts(&mut data)
        .expect("its own model");
    assert!(data.position.constraints.contact_efc_address.is_empty());
    assert_eq!(data.contact_force(&model, 0), Ok([0.0; 6]));
}

/// A contact that somebody has given neither geoms nor anything else to touch.
#[test]
fn a_contact_of_nothing_does_nothing() {
    let (model, mut data) = landed();
    data.forward(&model).expect("its own model");
    for contact in &mut data.position.contacts.contact {
        contact.geom = [-1, i32::MAX];
    }
    Engine::new(&model)
        .compute_constraints(&mut data)
        .expect("its own model");
    Engine::new(&model)
        .solve_constraints(&mut data)
        .expect("its own model");
    Engine::new(&model)
        .body_forces(&mut data)
        .expect("its own model");
    let is_none = |row: &i32| *row == -1;
    let rows = &data.position.constraints;
    assert!(rows.contact_efc_address.iter().all(is_none));
}

/// A body that clings to what it touches, at a contact that has no rows yet.
#[test]
fn adhesion_without_rows_does_nothing() {
    let model = sinew::mjcf::load_text(
        r#"<mujoco><worldbody><geom type="plane" size="1 1 1"/>
             <body name="b" pos="0 0 .09"><freejoint/><geom size=".1"/></body></worldbody>
           <actuator><adhesion body="b" ctrlrange="0 1"/></actuator></mujoco>"#,
    );
    let model = model.expect("loads").model;
    let mut data = Data::new(&model);
    for stage in [
        Engine::compute_kinematics,
        Engine::compute_com,
        Engine::compute_contacts,
        Engine::compute_transmission,
    ] {
        stage(&mut Engine::new(&model), &mut data).expect("its own model");
    }
    assert_eq!(data.position.contacts.contact.len(), 1);
    assert!(
        data.moment(&model, 0)
            .is_ok_and(|(_, row)| row.iter().all(|x| *x == 0.0))
    );
    data.step(&model).expect("finite");
}

#[test]
fn a_dimension_changed_after_its_rows_ends_the_search_for_islands() {
    let (model, mut data) = landed();
    data.forward(&model).expect("its own model");
    for dim in [1, 3, 4, 6] {
        for contact in &mut data.position.contacts.contact {
            contact.dim = dim;
        }
        Engine::new(&model)
            .compute_islands(&mut data)
            .expect("its own model");
        Engine::new(&model)
            .solve_constraints(&mut data)
            .expect("its own model");
    }
}

#[test]
fn codes_without_meaning_do_no_harm() {
    for condim in [-7, 0, 2, 5, 9, i32::MAX] {
        let (mut model, mut data) = landed();
        model.unchecked().geom_condim.fill(condim);
        model.unchecked().geom_matid.fill(condim);
        data.step(&model).expect("finite");
        assert!(matches!(data.position.contacts.contact[0].dim, 1 | 3 | 6));
        let ray = Ray {
            origin: Vec3([0.0, 0.0, 9.0]),
            direction: Vec3([0.0, 0.0, -1.0]),
        };
        assert!(data.cast_ray(&model, &ray, &RayFilter::default()).is_ok());
    }
}

/// Spatial velocities and the rates of lengths are two stages.
#[test]
fn velocities_of_bodies_leave_those_of_tendons_alone() {
    let model = open("mechanism");
    let mut data = Data::new(&model);
    data.forward(&model).expect("its own model");
    let before = data.velocity.clone();
    data.state.qvel.fill(0.5);
    let mut engine = Engine::new(&model);
    engine
        .compute_com_velocity(&mut data)
        .expect("its own model");
    assert_ne!(data.velocity.com.cvel, before.com.cvel);
    assert_eq!(
        data.velocity.length.ten_velocity,
        before.length.ten_velocity
    );
    engine
        .compute_length_velocity(&mut data)
        .expect("its own model");
    assert_ne!(
        data.velocity.length.ten_velocity,
        before.length.ten_velocity
    );
}
