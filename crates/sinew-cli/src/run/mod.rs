//! `sinew run`: simulates a model and says what happened.

mod record;

use crate::{Outcome, input, output};
use record::Recording;
use sinew::engine::Data;
use sinew::model::Model;
use sinew::model::kinds::{EnableFlag, ObjectType, Warning};
use std::io::{IsTerminal, Write};
use std::time::{Duration, Instant};

/// What to run.
#[derive(clap::Args)]
pub struct Arguments {
    /// A model file, or the name of a built-in model
    #[arg(default_value = sinew::models::DEFAULT)]
    model: String,
    /// Number of steps
    #[arg(long, conflicts_with = "seconds")]
    steps: Option<usize>,
    /// Simulated seconds
    #[arg(long, default_value_t = 5.0)]
    seconds: f64,
    /// Start from a keyframe: its name or number
    #[arg(long)]
    key: Option<String>,
    /// Constant controls, separated by commas; missing ones stay 0
    #[arg(long, value_delimiter = ',', allow_negative_numbers = true)]
    ctrl: Vec<f64>,
    /// Record time, qpos and qvel after each step, as .csv or .npz
    #[arg(long, value_name = "FILE")]
    record: Option<String>,
}

/// Simulates.
pub fn run(arguments: &Arguments) -> std::io::Result<Outcome> {
    let mut loaded = match input::load(&arguments.model) {
        Ok(loaded) => loaded,
        Err(error) => {
            for diagnostic in &error.diagnostics {
                output::complain(&diagnostic.render());
            }
            return Ok(Outcome::BadInput);
        }
    };
    // The energy is part of the report.
    loaded.model.opt.enableflags |= EnableFlag::Energy.code();
    let model = &loaded.model;
    let mut data = Data::new(model);
    if let Err(message) = prepare(arguments, model, &mut data) {
        output::complain(&format!("sinew: {message}"));
        return Ok(Outcome::BadInput);
    }
    let mut recording = match arguments
        .record
        .as_deref()
        .map(|path| Recording::new(model, path))
    {
        Some(Err(message)) => {
            output::complain(&format!("sinew: {message}"));
            return Ok(Outcome::BadInput);
        }
        Some(Ok(recording)) => Some(recording),
        None => None,
    };

    data.forward(model);
    let energy_before: f64 = data.energy.values.iter().sum();
    let steps = arguments
        .steps
        .unwrap_or_else(|| (arguments.seconds / model.opt.timestep).round().max(0.0) as usize);
    let start = Instant::now();
    let mut progress = Progress::new(steps);
    let mut divergence = None;
    for step in 0..steps {
        if let Err(error) = data.step(model) {
            divergence.get_or_insert((step, error));
        }
        if let Some(recording) = &mut recording {
            recording.add(&data);
        }
        progress.show(step + 1);
    }
    progress.clear();
    let elapsed = start.elapsed().as_secs_f64();
    data.forward(model);
    let energy_after: f64 = data.energy.values.iter().sum();

    let mut table = output::Table::default();
    let mut row = |name: &str, value: String| table.row([name.to_owned(), value]);
    row(
        "simulated",
        format!(
            "{:.3} s in {}",
            data.state.time,
            output::count(steps, "step", "steps")
        ),
    );
    row(
        "took",
        format!(
            "{elapsed:.3} s, {:.0} steps per second, {:.1} × real time",
            steps as f64 / elapsed.max(1e-9),
            data.state.time / elapsed.max(1e-9)
        ),
    );
    row(
        "energy",
        format!("{energy_before:.6} J before, {energy_after:.6} J after"),
    );
    row(
        "contacts now",
        data.position.contacts.contact.len().to_string(),
    );
    if let Some((step, error)) = divergence {
        row("diverged", format!("at step {}: {error}", step + 1));
    }
    for (member, count) in Warning::TABLE.members.iter().zip(data.warnings.all()) {
        if count.number > 0 {
            row(
                member.0,
                format!("{} times, last about {}", count.number, count.lastinfo),
            );
        }
    }
    output::write(&table.to_string())?;
    if let (Some(recording), Some(path)) = (recording, &arguments.record) {
        if let Err(error) = recording.write(path) {
            output::complain(&format!("sinew: cannot write {path}: {error}"));
            return Ok(Outcome::BadInput);
        }
    }
    Ok(Outcome::Done)
}

/// Sets the start and the controls.
fn prepare(arguments: &Arguments, model: &Model, data: &mut Data) -> Result<(), String> {
    if let Some(key) = &arguments.key {
        let id = match key.parse::<usize>() {
            Ok(number) => number,
            Err(_) => model
                .id(ObjectType::Key, key)
                .ok_or_else(|| format!("the model has no keyframe `{key}`"))?,
        };
        if data.reset_to_keyframe(model, id).is_err() {
            return Err(format!(
                "keyframe {id} is out of range: there are {}",
                model.nkey
            ));
        }
    }
    if arguments.ctrl.len() > model.nu {
        return Err(format!(
            "{} controls were given, the model has {}",
            arguments.ctrl.len(),
            output::count(model.nu, "actuator", "actuators")
        ));
    }
    for (ctrl, value) in data.input.ctrl.iter_mut().zip(&arguments.ctrl) {
        *ctrl = *value;
    }
    Ok(())
}

/// A line on the terminal that says how far it is.
struct Progress {
    steps: usize,
    last: Instant,
    is_shown: bool,
}

impl Progress {
    fn new(steps: usize) -> Self {
        Progress {
            steps,
            last: Instant::now(),
            is_shown: false,
        }
    }

    fn show(&mut self, done: usize) {
        // Looking at the clock costs more than a small step.
        if done % 64 != 0 || self.last.elapsed() < Duration::from_millis(200) {
            return;
        }
        self.last = Instant::now();
        if std::io::stderr().is_terminal() {
            self.is_shown = true;
            let width = 30 * done / self.steps.max(1);
            let bar = "█".repeat(width) + &"░".repeat(30 - width);
            let _ = write!(std::io::stderr(), "\r{bar} {done}/{}", self.steps);
        }
    }

    fn clear(&self) {
        if self.is_shown {
            let _ = write!(std::io::stderr(), "\r\x1b[K");
        }
    }
}
