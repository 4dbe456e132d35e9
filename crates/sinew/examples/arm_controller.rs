//! An arm that follows a circle: a controller takes part in every step.
//!
//! The controller finds joint velocities that move the hand along (transposed Jacobian) and adds them to the
//! targets of the position servos.
//!
//! cargo run --release --example arm_controller

use sinew::prelude::*;

/// Leads the hand along a circle.
struct FollowCircle {
    hand: SiteId,
    body: usize,
    /// The servos that move the arm, with the degree of freedom that each of them moves.
    servos: Vec<(ActuatorId, usize)>,
    centre: Vec3,
    jacp: Vec<f64>,
    jacr: Vec<f64>,
}

impl FollowCircle {
    fn new(model: &Model, centre: Vec3) -> Result<Self, AccessError> {
        let hand = model.site("grip")?;
        let names = [
            "shoulder_turn",
            "shoulder_lift",
            "upper_turn",
            "elbow",
            "forearm_turn",
            "wrist_lift",
            "wrist_turn",
        ];
        let servo = |name: &&str| -> Result<(ActuatorId, usize), AccessError> {
            let dof = model.jnt_dofadr[model.joint(name)?.index()];
            Ok((model.actuator(name)?, dof as usize))
        };
        Ok(FollowCircle {
            hand,
            body: model.site_bodyid[hand.index()] as usize,
            servos: names.iter().map(servo).collect::<Result<_, _>>()?,
            centre,
            jacp: vec![0.0; 3 * model.nv],
            jacr: vec![0.0; 3 * model.nv],
        })
    }

    /// Where the hand should be.
    fn target(&self, time: f64) -> Vec3 {
        let (sin, cos) = (2.0 * time).sin_cos();
        self.centre + Vec3([0.0, 0.08 * sin, 0.08 * (1.0 - cos)])
    }
}

impl Controller for FollowCircle {
    fn control(&mut self, model: &Model, data: &mut Data) {
        let at = data.position.kinematics.site_xpos[self.hand.index()];
        let error = self.target(data.state.time) - at;
        if data
            .jacobian(model, self.body, at, &mut self.jacp, &mut self.jacr)
            .is_err()
        {
            return;
        }
        for (servo, dof) in &self.servos {
            let along: f64 = (0..3)
                .map(|k| self.jacp[k * model.nv + dof] * error[k])
                .sum();
            data.input.ctrl[servo.index()] += 30.0 * along * model.opt.timestep;
        }
    }
}

pub(crate) fn main() -> Result<(), Box<dyn std::error::Error>> {
    let model = Model::built_in("manipulator")?;
    let mut start = Simulation::new(model);
    start.reset_to("ready")?;
    start.forward()?;
    let centre = start.site("grip")?.position;

    let follow = FollowCircle::new(start.model(), centre)?;
    let mut sim = Simulation::builder(start.shared_model())
        .controller(follow)
        .build()?;
    sim.reset_to("ready")?;
    let mut worst = 0.0_f64;
    for second in 1..=8 {
        for _ in 0..20 {
            sim.step_for(0.05)?;
            if second > 2 {
                let error = sim.site("grip")?.position - sim.parts.controller.target(sim.time());
                worst = worst.max(error.norm());
            }
        }
        println!("{second} s  hand at {:.3?}", sim.site("grip")?.position.0);
    }
    println!(
        "never more than {:.1} mm from the circle after 2 s",
        1000.0 * worst
    );
    assert!(worst < 0.08);
    Ok(())
}
