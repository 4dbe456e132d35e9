//! One model that is simulated and seen.

use crate::files::{self, File};
use crate::orbit::Orbit;
use sinew::mjcf::{LoadError, Loaded, Loader};
use sinew::models;
use sinew::prelude::*;
use sinew::render::{Options, Renderer, Scene, View};
use std::fmt::Write;

/// The most bytes of files that are kept.
const MOST_BYTES: usize = 1 << 30;

/// Files that were dropped, and the model that is simulated and seen. What goes wrong is told in words, and leaves
/// what was there before.
#[derive(Debug, Default)]
pub struct Playground {
    files: Vec<File>,
    shown: Option<Shown>,
    /// Red, green, blue and opacity of every pixel of the last picture.
    pixels: Vec<u8>,
}

#[derive(Debug)]
struct Shown {
    simulation: Simulation,
    renderer: Renderer,
    orbit: Orbit,
    /// A camera of the model to look through.
    camera: Option<usize>,
    options: Options,
}

/// What is said where there is no model yet.
const NOTHING: &str = "no model is loaded";

impl Playground {
    /// Keeps a file for the next load.
    pub fn add_file(&mut self, name: &str, bytes: Vec<u8>) -> Result<(), String> {
        let held: usize = self.files.iter().map(|file| file.bytes.len()).sum();
        if held.saturating_add(bytes.len()) > MOST_BYTES {
            return Err(format!(
                "these files have more than {MOST_BYTES} bytes together"
            ));
        }
        self.files.push(File {
            name: name.to_owned(),
            bytes,
        });
        Ok(())
    }

    /// Forgets the files; the model stays.
    pub fn forget_files(&mut self) {
        self.files.clear();
    }

    /// The files that can be a model, a line each, the likeliest first.
    pub fn candidates(&self) -> String {
        files::models(&self.files).join("\n")
    }

    /// Simulates the model in one of the files. Gives what [`Playground::summary`] says.
    pub fn load(&mut self, name: &str) -> Result<String, String> {
        if !self.files.iter().any(|file| file.name == name) {
            return Err(format!("no file is named `{name}`"));
        }
        let loader = self.files.iter().fold(Loader::new(), |loader, file| {
            loader.asset(&file.name, file.bytes.as_slice())
        });
        self.show(loader.load_path(name))
    }

    /// Simulates a built-in model. Gives what [`Playground::summary`] says.
    pub fn load_built_in(&mut self, name: &str) -> Result<String, String> {
        let model = models::get(name).ok_or_else(|| format!("no built-in model `{name}`"))?;
        self.show(model.load())
    }

    fn show(&mut self, loaded: Result<Loaded, LoadError>) -> Result<String, String> {
        let loaded = loaded.map_err(|error| {
            let texts: Vec<String> = error.diagnostics.iter().map(|one| one.render()).collect();
            texts.join("\n\n")
        })?;
        let renderer = Renderer::new(&loaded.model).map_err(|error| error.to_string())?;
        let mut simulation = Simulation::new(loaded.model);
        simulation.forward().map_err(|error| error.to_string())?;
        self.shown = Some(Shown {
            orbit: Orbit::new(simulation.model()),
            renderer,
            simulation,
            camera: None,
            options: Options::default(),
        });
        let warnings = loaded.warnings.iter();
        let warnings: Vec<String> = warnings
            .map(|one| format!("warning\t{}", one.message.replace(['\n', '\t'], " ")))
            .collect();
        Ok(format!("{}{}", self.summary(), warnings.join("\n")))
    }

    /// What the page's panel needs of the model, a line each, with tabs between: `time`step, `camera`s, `key`frames by
    /// name, `control`s with their range.
    pub fn summary(&self) -> String {
        let mut out = String::new();
        let Some(shown) = &self.shown else {
            return out;
        };
        let model = shown.simulation.model();
        // Writing to a string cannot fail; the results are ignored.
        let _ = writeln!(out, "time\t{}", model.opt.timestep);
        for (number, camera) in model.all_cameras().enumerate() {
            let _ = writeln!(out, "camera\t{}", label(model.name_of(camera), number));
        }
        for (number, key) in model.all_keyframes().enumerate() {
            let _ = writeln!(out, "key\t{}", label(model.name_of(key), number));
        }
        for (number, actuator) in model.all_actuators().enumerate() {
            let [low, high] = if model.actuator_ctrllimited[number] != 0 {
                model.actuator_ctrlrange[number]
            } else {
                [-1.0, 1.0]
            };
            let name = label(model.name_of(actuator), number);
            let _ = writeln!(out, "control\t{name}\t{low}\t{high}");
        }
        out
    }

    /// The built-in models, a line each: name, tab, what it is.
    pub fn built_in() -> String {
        let lines: Vec<String> = models::ALL
            .iter()
            .map(|model| format!("{}\t{}", model.name, model.summary))
            .collect();
        lines.join("\n")
    }

    /// Steps until so many seconds have passed, but at most so often. Gives how often.
    pub fn advance(&mut self, seconds: f64, most: u32) -> Result<u32, String> {
        let shown = self.shown.as_mut().ok_or(NOTHING)?;
        let end = shown.simulation.time() + seconds;
        let mut steps = 0;
        while steps < most && shown.simulation.time() < end {
            steps += 1;
            shown.simulation.step().map_err(|error| error.to_string())?;
        }
        Ok(steps)
    }

    /// Back to the beginning, or to a keyframe.
    pub fn reset(&mut self, key: Option<usize>) -> Result<(), String> {
        let simulation = &mut self.shown.as_mut().ok_or(NOTHING)?.simulation;
        let key = key.and_then(|number| simulation.model().all_keyframes().nth(number));
        let done = match key {
            Some(key) => simulation.reset_to(key).map_err(|error| error.to_string()),
            None => simulation.reset().map_err(|error| error.to_string()),
        };
        done?;
        simulation.forward().map_err(|error| error.to_string())
    }

    /// Simulated seconds.
    pub fn time(&self) -> f64 {
        self.shown
            .as_ref()
            .map_or(0.0, |shown| shown.simulation.time())
    }

    /// Sets a control.
    pub fn set_control(&mut self, number: usize, value: f64) -> Result<(), String> {
        let simulation = &mut self.shown.as_mut().ok_or(NOTHING)?.simulation;
        let actuator = simulation.model().all_actuators().nth(number);
        let actuator = actuator.ok_or_else(|| format!("there is no control {number}"))?;
        simulation
            .set_ctrl(actuator, value)
            .map_err(|error| error.to_string())
    }

    /// Turns the eye around its point, by degrees; a camera of the model is left.
    pub fn turn(&mut self, azimuth: f64, elevation: f64) {
        if let Some(shown) = &mut self.shown {
            shown.camera = None;
            shown.orbit.turn(azimuth, elevation);
        }
    }

    /// Takes the eye nearer or farther, by a factor; a camera of the model is left.
    pub fn zoom(&mut self, factor: f64) {
        if let Some(shown) = &mut self.shown {
            shown.camera = None;
            let extent = shown.simulation.model().stat.extent;
            shown.orbit.zoom(factor, extent);
        }
    }

    /// Moves the eye and its point, by parts of the picture's height; a camera of the model is left.
    pub fn shift(&mut self, right: f64, up: f64) {
        if let Some(shown) = &mut self.shown {
            shown.camera = None;
            shown.orbit.shift(right, up, shown.simulation.model());
        }
    }

    /// Looks through a camera of the model, or through the free eye again.
    pub fn look_through(&mut self, camera: Option<usize>) {
        if let Some(shown) = &mut self.shown {
            shown.camera = camera;
        }
    }

    /// Marks contacts and their forces, or does not.
    pub fn show_contacts(&mut self, is_shown: bool) {
        if let Some(shown) = &mut self.shown {
            shown.options.contact_points = is_shown;
            shown.options.contact_forces = is_shown;
        }
    }

    /// A picture: red, green, blue and opacity of every pixel, rows from the top.
    pub fn draw(&mut self, width: usize, height: usize) -> Result<&[u8], String> {
        let shown = self.shown.as_ref().ok_or(NOTHING)?;
        let (model, data) = (shown.simulation.model(), shown.simulation.data());
        let through = shown
            .camera
            .and_then(|camera| View::of_camera(model, data, camera));
        let view = through.unwrap_or_else(|| shown.orbit.view(model));
        let scene = Scene::new(model, data, &view, &shown.options);
        let image = shown.renderer.draw(&scene, &view, width, height);
        let image = image.map_err(|error| error.to_string())?;
        self.pixels.clear();
        for pixel in image.pixels.chunks_exact(3) {
            self.pixels.extend_from_slice(pixel);
            self.pixels.push(255);
        }
        Ok(&self.pixels)
    }
}

/// A name for people, without what would break a line of the summary.
fn label(name: Option<&str>, number: usize) -> String {
    match name {
        Some(name) if !name.is_empty() => name.replace(['\n', '\t'], " "),
        _ => number.to_string(),
    }
}
