//! Worlds side by side in single precision stay near those in double precision.

use crate::worlds::{built_in, noise};
use sinew::batch::{Batch, Lanes, Precision, Which};
use sinew::engine::integrate::integrate_position;
use std::sync::Arc;

/// How far 999 of 1000 positions and velocities may be after one step, relative to 1 and their size. Where a contact
/// comes or goes, or friction is about to give way, single steps differ by more.
const TOLERANCE: f64 = 1e-3;

#[test]
fn steps_are_near_those_in_double_precision() {
    for name in ["humanoid", "quadruped", "cartpole", "manipulator"] {
        let model = Arc::new(built_in(name));
        let batch = |precision| {
            let mut batch = Batch::with(Arc::clone(&model), 40, 1, &[]).expect("fits");
            batch.set_precision(precision);
            batch
        };
        let (mut double, mut single) = (batch(Precision::Double), batch(Precision::Single));
        let twice = 2 * Lanes::widest().count();
        if twice > 2 {
            assert_eq!(single.plan().0, twice, "{name}");
        }
        let away = |world: usize| -> Vec<f64> { (0..model.nv).map(|i| noise(world, i)).collect() };
        double
            .put(Which::All, |world, data| {
                integrate_position(&model, &mut data.state.qpos, &away(world), 0.1)
            })
            .expect("its own worlds");
        let mut distances = Vec::new();
        for step in 0..150 {
            let ctrl = double.get_mut("ctrl").expect("kept");
            for (i, ctrl) in ctrl.iter_mut().enumerate() {
                *ctrl = 0.3 * noise(i, step);
            }
            // Both start every step from the same state.
            single.restore(&double.save()).expect("the same arrays");
            double.step(1, &());
            single.step(1, &());
            for (&exact, &near) in double.states().iter().zip(single.states()) {
                distances.push((exact - near).abs() / (1.0 + exact.abs()));
            }
        }
        distances.sort_by(f64::total_cmp);
        let nearly_all = distances[distances.len() * 999 / 1000];
        assert!(nearly_all < TOLERANCE, "{name}: {nearly_all:e}");
        if twice > 2 {
            assert!(nearly_all > 0.0, "{name}: as in double precision");
        }
    }
}
