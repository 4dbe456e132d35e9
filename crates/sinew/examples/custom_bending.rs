//! A bending law of one's own, and one chosen per episode: how far a cloth that lies over a beam hangs down.
//!
//! cargo run --release --example custom_bending

use sinew::engine::law::{CorrectedCotangent, Dihedral};
use sinew::engine::{Bending, Engine, FlexLaw, FlexLoad, FlexView, LawError, Memory};
use sinew::prelude::*;

/// Paper that is soft until it is folded by an angle, and stiff beyond: the moment at a fold grows with its cube.
#[derive(Clone, Debug)]
struct Crease {
    stiffness: f64,
    /// Folds of the cloth: the ends of an edge, and the vertices across.
    folds: Vec<[usize; 4]>,
}

impl Memory for Crease {}

impl FlexLaw for Crease {
    fn prepare(&mut self, model: &Model, flex: usize) -> Result<bool, LawError> {
        let edges = sinew::engine::flex::edges(model, flex);
        let inner = edges.filter(|edge| model.flex_edgeflap[*edge][1] >= 0);
        let fold = |edge: usize| {
            let ([a, b], [c, d]) = (model.flex_edge[edge], model.flex_edgeflap[edge]);
            [a, b, c, d].map(|vertex| vertex as usize)
        };
        self.folds = inner.map(fold).collect();
        Ok(true)
    }

    fn add_force(&mut self, view: &FlexView<'_>, load: &mut FlexLoad<'_>) {
        for fold in &self.folds {
            let [a, b, c, d] = fold.map(|vertex| view.xpos[vertex]);
            // How far the middle of the edge stands out of the line between the vertices across.
            let out = (a + b - c - d) * 0.5;
            let pull = out * (self.stiffness * out.dot(out));
            let speeds = fold.map(|vertex| view.velocity[vertex]);
            let drag = (speeds[0] + speeds[1] - speeds[2] - speeds[3]) * 0.01;
            for (k, &vertex) in fold.iter().enumerate() {
                let sign = if k < 2 { -0.5 } else { 0.5 };
                load.spring[vertex] += pull * sign;
                load.damper[vertex] += drag * sign;
            }
        }
    }
}

impl Bending for Crease {}

const CLOTH: &str = r#"<mujoco><option timestep="0.001" integrator="implicitfast"/><worldbody>
    <geom type="box" size=".03 .3 .03" pos="0 0 .96"/>
    <flexcomp name="cloth" type="grid" count="8 4 1" spacing=".05 .05 .05" dim="2" mass=".1" radius=".002" pos="0 0 1">
        <contact selfcollide="none"/>
        <edge equality="true" damping="0.02"/>
        <elasticity young="2e5" poisson=".3" thickness=".004" damping=".02" elastic2d="bend"/>
    </flexcomp></worldbody></mujoco>"#;

/// The height of the free corner after a second, from a start that a seed has shaken a little.
fn episode(model: &Model, law: &mut dyn Bending, seed: u64) -> Result<f64, StepError> {
    let mut data = Data::new(model);
    let mut dice = seed;
    for speed in &mut data.state.qvel {
        dice = dice.wrapping_mul(6364136223846793005).wrapping_add(1);
        *speed = 0.02 * ((dice >> 40) as f64 / (1 << 24) as f64 - 0.5);
    }
    let mut engine = Engine::new(model).bending(law);
    for _ in 0..1000 {
        engine.step(&mut data)?;
    }
    let corner = data.position.flex.flexvert_xpos.last();
    Ok(corner.map_or(0.0, |place| place[2]))
}

pub(crate) fn main() -> Result<(), Box<dyn std::error::Error>> {
    let model = Model::from_str(CLOTH)?;
    // Laws of different types, one per episode: the call per cloth goes through a pointer, the loops in it do not.
    let crease = Crease {
        stiffness: 5e3,
        folds: Vec::new(),
    };
    let mut laws: [(&str, Box<dyn Bending>); 3] = [
        ("hinges", Box::new(Dihedral::default())),
        ("cotangents", Box::new(CorrectedCotangent::default())),
        ("creases", Box::new(crease)),
    ];
    let mut heights = Vec::new();
    for seed in 1..=2 {
        for (name, law) in &mut laws {
            let height = episode(&model, &mut **law, seed)?;
            assert_eq!(
                height,
                episode(&model, &mut **law, seed)?,
                "the same law and seed, the same bits"
            );
            println!("seed {seed}  {name:12} {height:.4} m");
            heights.push(height);
        }
    }
    // Other laws and other seeds end elsewhere.
    let mut sorted = heights.clone();
    sorted.sort_by(f64::total_cmp);
    sorted.dedup();
    assert_eq!(sorted.len(), heights.len(), "{heights:?}");
    Ok(())
}
