//! The three solvers on one heap: iterations, and how far their forces lie apart.
//!
//! cargo run --release --example solver_comparison

use sinew::model::kinds::Solver;
use sinew::prelude::*;

pub(crate) fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut sim = Simulation::new(Model::built_in("box_pile")?);
    sim.step_for(1.0)?;
    let settled = sim.save();
    let mut exact: Option<Vec<f64>> = None;
    for solver in [Solver::Newton, Solver::Cg, Solver::Pgs] {
        let options = sim.options_mut();
        options.solver = solver.code();
        (options.iterations, options.tolerance) = (2000, 1e-14);
        sim.restore(&settled)?;
        sim.forward()?;
        let solution = &sim.data().acceleration.solution;
        let iterations: i32 = solution.solver_niter.iter().sum();
        let forces = solution.qfrc_constraint.clone();
        let reference = exact.get_or_insert_with(|| forces.clone());
        let apart = forces.iter().zip(&*reference).map(|(a, b)| (a - b).abs());
        let apart = apart.fold(0.0, f64::max);
        println!("{solver:?}: {iterations} iterations, at most {apart:.1e} N from Newton's forces");
        assert!(apart < 1e-3);
    }
    Ok(())
}
