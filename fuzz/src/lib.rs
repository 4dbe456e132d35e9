//! What the targets share: a loader with small limits, and what is done with a model that loads.

use sinew::engine::{Data, Engine, Until};
use sinew::mjcf::memory::simulation_bytes;
use sinew::mjcf::{Limits, LoadError, Loader};
use sinew::model::Model;
use std::time::{Duration, Instant};

/// How long a model may step.
const PATIENCE: Duration = Duration::from_secs(2);

/// A loader that gives up early, so that a run is many small loads.
pub fn loader() -> Loader {
    Loader::new().confined_to("no-such-folder").limits(Limits {
        elements: 2_000,
        bodies: 200,
        pixels: 1 << 12,
        mesh_elements: 2_000,
        model_bytes: 16 << 20,
        data_bytes: 16 << 20,
        memory: Some(64 << 20),
        load_time: Duration::from_secs(5),
        ..Limits::default()
    })
}

/// Loads a text that names one file. What loads holds together and steps; what does not says why.
pub fn load(text: &str, file: Option<(&str, &[u8])>) -> Option<Model> {
    let mut loader = loader();
    if let Some((name, bytes)) = file {
        loader = loader.asset(name, bytes);
    }
    check(loader.load_text(text).map(|loaded| loaded.model))
}

fn check(loaded: Result<Model, LoadError>) -> Option<Model> {
    match loaded {
        Ok(model) => {
            assert_eq!(model.misshapen_column(), None);
            if let Err(error) = sinew::engine::constants::verify(&model) {
                panic!("the compiler made a model that does not hold together: {error}");
            }
            step(&model);
            Some(model)
        }
        Err(error) => {
            assert!(!error.diagnostics.is_empty());
            for diagnostic in &error.diagnostics {
                let _ = diagnostic.render();
            }
            None
        }
    }
}

/// A few steps, which may diverge but not fail, and which end when nobody wants to wait any longer.
pub fn step(model: &Model) {
    let is_large = model.nv > 60 || model.ngeom > 60 || simulation_bytes(model) > 16 << 20;
    if is_large || model.opt.iterations > 200 {
        return;
    }
    let mut data = Data::new(model);
    data.input.ctrl.fill(0.1);
    let begin = Instant::now();
    let mut engine = Engine::new(model).observer(Until(|| begin.elapsed() < PATIENCE));
    for _ in 0..3 {
        let _ = engine.step(&mut data);
    }
}

/// A model that names a mesh, which collides.
pub const MESH: &str = "<mujoco><asset><mesh name='m' file='FILE'/></asset><worldbody>\
    <geom type='plane' size='1 1 1'/><body pos='0 0 .1'><freejoint/><geom type='mesh' mesh='m' mass='1'/>\
    </body></worldbody></mujoco>";
