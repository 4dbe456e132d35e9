//! Every example runs, and what it asserts holds.

type Outcome = Result<(), Box<dyn std::error::Error>>;

#[path = "../examples/arm_controller.rs"]
mod arm_controller;
#[path = "../examples/balance_cartpole.rs"]
mod balance_cartpole;
#[path = "../examples/contact_forces.rs"]
mod contact_forces;
#[path = "../examples/custom_actuator.rs"]
mod custom_actuator;
#[path = "../examples/custom_bending.rs"]
mod custom_bending;
#[path = "../examples/hello_pendulum.rs"]
mod hello_pendulum;
#[path = "../examples/saved_states.rs"]
mod saved_states;
#[path = "../examples/soft_bodies.rs"]
mod soft_bodies;
#[path = "../examples/solver_comparison.rs"]
mod solver_comparison;

#[test]
fn an_arm_follows_a_circle() -> Outcome {
    arm_controller::main()
}

#[test]
fn a_cart_balances_its_pole() -> Outcome {
    balance_cartpole::main()
}

#[test]
fn the_floor_carries_a_pile() -> Outcome {
    contact_forces::main()
}

#[test]
fn a_motor_speeds_up() -> Outcome {
    custom_actuator::main()
}

#[test]
fn a_cloth_hangs_by_laws_of_its_own() -> Outcome {
    custom_bending::main()
}

#[test]
fn a_pendulum_falls() -> Outcome {
    hello_pendulum::main()
}

#[test]
fn trials_lift_a_pendulum() -> Outcome {
    saved_states::main()
}

#[test]
fn soft_bodies_stay_finite_where_forces_diverge() -> Outcome {
    soft_bodies::main()
}

#[test]
fn solvers_agree() -> Outcome {
    solver_comparison::main()
}
