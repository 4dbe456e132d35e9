//! Every law that can be replaced, by a user who has the public interface only.

use sinew::engine::{
    ActuatorGain, Bending, Constrained, ConstraintSolver, Elasticity, FlexLaw, FlexLoad, FlexRows,
    FlexView, GainForce, GainInputs, LawError, Memory, Solved,
};
use sinew::prelude::*;
use sinew::solver::Bounds;

/// Cloth that pulls every vertex towards the mean of the ends of the edges it lies across.
#[derive(Clone, Debug, Default)]
struct Paper {
    stiffness: f64,
    folds: Vec<[usize; 4]>,
    /// How often it was asked.
    asked: [f64; 1],
}

impl Memory for Paper {
    fn reset(&mut self) {
        self.asked = [0.0];
    }
    fn numbers(&self) -> &[f64] {
        &self.asked
    }
    fn numbers_mut(&mut self) -> &mut [f64] {
        &mut self.asked
    }
}

impl FlexLaw for Paper {
    fn prepare(&mut self, model: &Model, flex: usize) -> Result<bool, LawError> {
        if !(self.stiffness > 0.0) {
            return Err(LawError::of_flex(model, flex, "paper has a stiffness"));
        }
        let edges = sinew::engine::flex::edges(model, flex);
        let inner = edges.filter(|edge| model.flex_edgeflap[*edge][1] >= 0);
        self.folds = inner
            .map(|edge| {
                let ([a, b], [c, d]) = (model.flex_edge[edge], model.flex_edgeflap[edge]);
                [a, b, c, d].map(|vertex| vertex as usize)
            })
            .collect();
        Ok(true)
    }

    fn add_force(&mut self, view: &FlexView<'_>, load: &mut FlexLoad<'_>) {
        self.asked[0] += 1.0;
        for &[a, b, c, d] in &self.folds {
            let x = view.xpos;
            let pull = (x[a] + x[b] - x[c] - x[d]) * self.stiffness;
            for (vertex, sign) in [(a, -1.0), (b, -1.0), (c, 1.0), (d, 1.0)] {
                load.spring[vertex] += pull * sign;
            }
        }
    }
}

impl Bending for Paper {}

/// Springs along edges.
#[derive(Clone, Debug)]
struct Net {
    stiffness: f64,
}

impl Memory for Net {}

impl FlexLaw for Net {
    fn prepare(&mut self, _: &Model, _: usize) -> Result<bool, LawError> {
        Ok(true)
    }

    fn add_force(&mut self, view: &FlexView<'_>, load: &mut FlexLoad<'_>) {
        for edge in sinew::engine::flex::edges(view.model, view.flex) {
            let [a, b] = view.model.flex_edge[edge].map(|vertex| vertex as usize);
            let side = view.xpos[b] - view.xpos[a];
            let stretch = side.norm() - view.model.flexedge_length0[edge];
            let pull = side.normalized() * (self.stiffness * stretch);
            load.spring[a] += pull;
            load.spring[b] -= pull;
        }
    }
}

impl Elasticity for Net {}

/// Edges that keep their lengths, times a factor, by constraint rows and by no force.
#[derive(Clone, Debug)]
struct Mesh {
    factor: f64,
}

impl Memory for Mesh {}

impl FlexLaw for Mesh {
    fn prepare(&mut self, _: &Model, _: usize) -> Result<bool, LawError> {
        Ok(true)
    }

    fn add_force(&mut self, _: &FlexView<'_>, _: &mut FlexLoad<'_>) {}
}

impl Elasticity for Mesh {
    fn add_rows(&mut self, rows: &mut FlexRows<'_>) -> bool {
        for edge in sinew::engine::flex::edges(rows.model, rows.flex) {
            let [a, b] = rows.model.flex_edge[edge].map(|vertex| vertex as usize);
            let side = rows.xpos[b] - rows.xpos[a];
            let length = self.factor * rows.model.flexedge_length0[edge];
            let along = side.normalized();
            rows.add(side.norm() - length, &[(a, -along), (b, along)]);
        }
        true
    }
}

/// A motor whose force fades with its speed.
#[derive(Clone, Debug)]
struct Fading;

impl Memory for Fading {}

impl ActuatorGain for Fading {
    fn prepare(&mut self, _: &Model, _: usize) -> Result<bool, LawError> {
        Ok(true)
    }

    fn forces(&mut self, actuators: &[usize], inputs: &GainInputs<'_>, out: &mut [GainForce]) {
        for (&i, out) in actuators.iter().zip(out) {
            *out = GainForce {
                force: inputs.drive[i] * (1.0 - inputs.velocity[i]),
                slope: -inputs.drive[i],
            };
        }
    }
}

/// A solver that knows no constraint at all.
#[derive(Clone, Debug)]
struct Ghost;

impl Memory for Ghost {}

impl ConstraintSolver for Ghost {
    fn prepare(&mut self, _: &Model) -> Result<(), LawError> {
        Ok(())
    }

    fn solve(&mut self, task: &Constrained<'_>, _: Bounds<'_>, out: &mut Solved<'_>) {
        out.rows.qacc.copy_from_slice(task.problem.qacc_smooth);
        out.rows.qfrc_constraint.fill(0.0);
        out.rows.force.fill(0.0);
    }
}

const TEXT: &str = r#"<mujoco><worldbody><geom type="plane" size="5 5 1"/>
    <body name="cart" pos="3 0 1"><joint name="slide" type="slide" axis="1 0 0"/><geom size=".1" mass="1"/></body>
    <flexcomp name="cloth" type="grid" count="4 4 1" spacing=".1 .1 .1" dim="2" pos="0 0 .1" mass=".2">
        <elasticity young="1e4" poisson=".3" thickness=".005" elastic2d="both"/>
    </flexcomp></worldbody>
    <actuator><motor name="push" joint="slide"/></actuator></mujoco>"#;

const HELD: &str = r#"<mujoco><worldbody><flexcomp name="cloth" type="grid" count="4 3 1" spacing=".1 .1 .1" dim="2"
        mass=".2"><edge equality="true"/><contact selfcollide="none"/><pin id="0 3"/></flexcomp></worldbody></mujoco>"#;

/// Rows of a user take the place of the equality of the flex: the same edges have the model's rows, shorter ones shrink it.
fn rows_in_place_of_an_equality() -> Result<(), Box<dyn std::error::Error>> {
    let mut plain = Simulation::new(Model::from_str(HELD)?);
    let mesh = |factor| {
        Simulation::builder(Model::from_str(HELD)?)
            .elasticity(Mesh { factor })
            .build()
            .map_err(Box::<dyn std::error::Error>::from)
    };
    let (mut same, mut shorter) = (mesh(1.0)?, mesh(0.5)?);
    plain.forward()?;
    same.forward()?;
    let rows = |data: &Data| data.position.constraints.nefc();
    let (ours, model) = (&same.data().position, &plain.data().position);
    assert!(rows(same.data()) > 0 && rows(same.data()) == rows(plain.data()));
    let jacobians = [ours, model].map(|position| position.constraints.stored_jacobian());
    for (a, b) in jacobians[0].iter().zip(jacobians[1]) {
        assert!((a - b).abs() < 1e-12, "{a} {b}");
    }
    same.step_for(0.5)?;
    shorter.step_for(0.5)?;
    let mean = |lengths: &[f64]| lengths.iter().sum::<f64>() / lengths.len() as f64;
    let rest = mean(&same.model().flexedge_length0);
    let kept = mean(&same.data().position.flex.flexedge_length);
    let shrunk = mean(&shorter.data().position.flex.flexedge_length);
    assert!((kept / rest - 1.0).abs() < 0.05, "{kept} {rest}");
    assert!(shrunk < 0.8 * rest, "{shrunk} {rest}");
    // Where the equality is switched off there are no rows.
    same.data_mut().input.eq_active[0] = 0;
    same.step()?;
    assert_eq!(rows(same.data()), 0);
    Ok(())
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    rows_in_place_of_an_equality()?;
    let paper = Paper {
        stiffness: 0.5,
        ..Paper::default()
    };
    let mut sim = Simulation::builder(Model::from_str(TEXT)?)
        .bending(paper)
        .elasticity(Net { stiffness: 50.0 })
        .gain(Fading)
        .solver(Ghost)
        .build()?;
    sim.set_ctrl("push", 1.0)?;
    sim.step_for(1.0)?;
    // Nothing holds the cloth, and the cart tends to the speed at which its motor fades.
    assert!(sim.data().position.flex.flexvert_xpos[0].0[2] < -1.0);
    let speed = sim.qvel("slide")?[0];
    assert!((0.5..1.0).contains(&speed), "{speed}");
    assert_eq!(sim.parts.laws.bending.law().asked, [500.0]);
    let refused = Simulation::builder(Model::from_str(TEXT)?)
        .bending(Paper::default())
        .build();
    println!(
        "{}",
        refused.err().ok_or("paper without stiffness is refused")?
    );
    Ok(())
}
