//! A controller from derivatives: the step is linearised about the upright pole, the gains follow from a
//! Riccati equation, and the pole is balanced.
//!
//! cargo run --release --example balance_cartpole

use sinew::prelude::*;

/// Numbers of the state: cart, pole and their velocities.
const N: usize = 4;
type Matrix = [[f64; N]; N];

fn times(a: &Matrix, b: &Matrix) -> Matrix {
    core::array::from_fn(|i| core::array::from_fn(|j| (0..N).map(|k| a[i][k] * b[k][j]).sum()))
}

fn transposed(a: &Matrix) -> Matrix {
    core::array::from_fn(|i| core::array::from_fn(|j| a[j][i]))
}

/// The gains that minimise the sum of x·x over all future steps and a price on control.
fn gains(a: &Matrix, b: &[f64; N], price: f64) -> [f64; N] {
    let mut cost: Matrix = core::array::from_fn(|i| core::array::from_fn(|j| f64::from(i == j)));
    let mut gains = [0.0; N];
    for _ in 0..2000 {
        let cost_a = times(&cost, a);
        let cost_b: [f64; N] = core::array::from_fn(|i| (0..N).map(|k| cost[i][k] * b[k]).sum());
        let scale = price + (0..N).map(|k| b[k] * cost_b[k]).sum::<f64>();
        gains = core::array::from_fn(|j| (0..N).map(|k| b[k] * cost_a[k][j]).sum::<f64>() / scale);
        let next = times(&transposed(a), &cost_a);
        // The mean of both triangles: what rounding makes of their difference would grow.
        cost = core::array::from_fn(|i| {
            core::array::from_fn(|j| {
                let symmetric = (next[i][j] + next[j][i]) / 2.0;
                symmetric - gains[i] * gains[j] * scale + f64::from(i == j)
            })
        });
    }
    gains
}

pub(crate) fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut sim = Simulation::new(Model::built_in("cartpole")?);
    // Steps of Runge and Kutta have no such derivative.
    sim.options_mut().integrator = 0;
    let step = sim.linearise(1e-6)?;
    let a: Matrix = core::array::from_fn(|i| core::array::from_fn(|j| step.A[i * N + j]));
    let b: [f64; N] = core::array::from_fn(|i| step.B[i]);
    let gains = gains(&a, &b, 10.0);
    println!("gains {gains:.3?}");

    let push = sim.model().actuator("push")?;
    sim.reset_to("tilted")?;
    for second in 1..=8 {
        for _ in 0..100 {
            let state = &sim.data().state;
            let x = [state.qpos[0], state.qpos[1], state.qvel[0], state.qvel[1]];
            let ctrl = -(0..N).map(|k| gains[k] * x[k]).sum::<f64>();
            sim.set_ctrl(push, ctrl)?;
            sim.step()?;
        }
        let (cart, pole) = (sim.qpos("slider")?[0], sim.qpos("pivot")?[0]);
        println!("{second} s  cart {cart:+.3} m  pole {pole:+.4} rad");
    }
    assert!(sim.qpos("pivot")?[0].abs() < 0.01 && sim.qpos("slider")?[0].abs() < 0.05);
    Ok(())
}
