//! A copy has all that the original has.

use super::{away, open};
use sinew::engine::Data;
use sinew::model::kinds::{Integrator, Solver};

/// Everything that a simulation shows, as text; working memory is left out.
fn shown(data: &Data) -> String {
    let solution = &data.acceleration.solution;
    let columns: Vec<_> = data.columns().iter().map(|c| c.bytes.to_vec()).collect();
    format!(
        "{columns:?} {:?} {:?} {:?} {:?} {:?} {:?} {:?} {:?} {:?} {:?} {:?}",
        data.state.time,
        data.energy,
        data.position.contacts.contact,
        data.position.constraints.jacobian(),
        data.velocity.reference,
        solution.efc_force,
        solution.efc_state,
        solution.efc_b,
        &solution.solver[..],
        (solution.solver_niter, &solution.projection.value),
        data.inverse.solver_fwdinv,
    )
}

#[test]
fn a_copy_has_every_array_list_and_flag() {
    for name in ["humanoid", "box_pile", "mechanism", "sensor_zoo"] {
        let mut model = open(name);
        model.opt.solver = Solver::Pgs.code();
        model.opt.integrator = Integrator::Implicit.code();
        let mut original = away(&model, 0.1);
        for _ in 0..20 {
            original.step(&model).expect("a finite step");
        }
        let couplings = &original.acceleration.solution.projection.value;
        assert!(!couplings.is_empty(), "{name} has rows that are coupled");
        let mut copy = Data::new(&model);
        copy.copy_from(&original).expect("the same model");
        assert!(shown(&copy) == shown(&original), "{name}");
        copy.reset(&model).expect("its own model");
        assert!(
            shown(&copy) == shown(&Data::new(&model)),
            "{name} after a reset"
        );
    }
}
