//! Forces of contacts and constraint rows.

use crate::{close, numbers, open, reference};
use sinew::engine::Data;
use sinew::model::Model;
use sinew::model::kinds::{Cone, Solver};

/// A heap in motion, in the state that the reference brings it to.
pub fn settled(name: &str, cone: Cone) -> (Model, Data) {
    let mut model = open("features/contact_sensors");
    model.opt.cone = cone.code();
    let mut data = Data::new(&model);
    let numbers = reference(&format!("heap {name}"));
    let (qpos, rest) = numbers.split_at(model.nq);
    let (qvel, qacc) = rest.split_at(model.nv);
    data.state.qpos.copy_from_slice(qpos);
    data.state.qvel.copy_from_slice(qvel);
    data.state.qacc_warmstart.copy_from_slice(qacc);
    data.forward(&model).expect("its own model");
    (model, data)
}

const CONES: [(&str, Cone); 2] = [("pyramidal", Cone::Pyramidal), ("elliptic", Cone::Elliptic)];

#[test]
fn contact_forces_are_those_of_the_reference() {
    for (name, cone) in CONES {
        let (model, data) = settled(name, cone);
        let count = data.position.contacts.contact.len();
        let forces = (0..count).flat_map(|i| data.contact_force(&model, i).expect("an id"));
        let key = format!("contact force {name}");
        close(&key, &forces.collect::<Vec<_>>(), &reference(&key), 1e-8);
        assert!(data.contact_force(&model, count).is_err());
    }
}

#[test]
fn rows_answer_given_residuals_as_in_the_reference() {
    for (name, cone) in CONES {
        let (model, mut data) = settled(name, cone);
        let rows = data.position.constraints.nefc();
        let cost = data.update_constraints(&model, &numbers(rows, 5, 20.0));
        let mut actual = vec![cost.expect("fits")];
        let solution = &data.acceleration.solution;
        actual.extend(&solution.qfrc_constraint);
        actual.extend(&solution.efc_force);
        actual.extend(solution.efc_state.iter().map(|&state| f64::from(state)));
        let key = format!("update {name}");
        close(&key, &actual, &reference(&key), 1e-9);
    }
}

#[test]
fn a_copy_knows_how_forces_accelerate_rows() {
    for (name, cone) in CONES {
        let (mut model, mut data) = settled(name, cone);
        model.opt.solver = Solver::Pgs.code();
        data.forward(&model).expect("its own model");
        let mut copy = Data::new(&model);
        copy.copy_from(&data).expect("the same model");
        let expected = &data.acceleration.solution.projection;
        let actual = &copy.acceleration.solution.projection;
        assert_eq!(expected.start.len(), data.position.constraints.nefc() + 1);
        assert_eq!(actual.start, expected.start);
        assert_eq!(actual.colind, expected.colind);
        assert_eq!(actual.value, expected.value);
        // The copy sums in the same order.
        let force = numbers(data.position.constraints.nefc(), 3, 1.0);
        let product = |data: &Data| {
            let mut out = vec![0.0; force.len()];
            let projection = &data.acceleration.solution.projection;
            projection.multiply(&force, &mut out);
            out
        };
        assert_eq!(product(&copy), product(&data));
    }
}
