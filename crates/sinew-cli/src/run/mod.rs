//! `sinew run`: simulates a model and says what happened.

mod letters;
mod plot;
mod record;

use crate::progress::Progress;
use crate::{Outcome, input, interrupt, output};
use plot::Plot;
use record::Recording;
use sinew::engine::Data;
use sinew::engine::error::StepError;
use sinew::model::Model;
use sinew::model::kinds::{EnableFlag, Warning};
use std::time::Instant;

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
    #[arg(long, default_value_t = 5.0, value_parser = seconds, allow_negative_numbers = true)]
    seconds: f64,
    /// Start from a keyframe: its name or number
    #[arg(long)]
    key: Option<String>,
    /// Constant controls, separated by commas; missing ones stay 0
    #[arg(long, value_delimiter = ',', value_parser = control, allow_hyphen_values = true)]
    ctrl: Vec<f64>,
    /// Record time, qpos and qvel after each step, as .csv or .npz
    #[arg(long, value_name = "FILE")]
    record: Option<String>,
    /// Draw joint positions, energies and contact forces over time, as a PNG file
    #[arg(long, value_name = "FILE")]
    plot: Option<String>,
    #[command(flatten)]
    loading: input::Loading,
}

/// Simulates.
pub fn run(arguments: &Arguments) -> std::io::Result<Outcome> {
    let Some(mut model) = arguments.loading.load_or_complain(&arguments.model) else {
        return Ok(Outcome::BadInput);
    };
    // The energy is part of the report.
    model.opt.enableflags |= EnableFlag::Energy.code();
    let model = &model;
    let mut data = Data::new(model);
    let prepared = prepare(arguments, model, &mut data);
    let (steps, mut recording, mut plot) = match prepared {
        Ok(prepared) => prepared,
        Err(message) => {
            output::complain(&format!("sinew: {message}"));
            return Ok(Outcome::BadInput);
        }
    };

    let summary = simulate(model, &mut data, steps, recording.as_mut(), plot.as_mut());
    if let (Some(recording), Some(path)) = (recording, &arguments.record) {
        if let Err(error) = recording.write(path) {
            output::complain(&format!("sinew: cannot write {path}: {error}"));
            return Ok(Outcome::BadInput);
        }
    }
    if let (Some(plot), Some(path)) = (plot, &arguments.plot) {
        if let Err(error) = output::write_file(path, &plot.draw().to_png()) {
            output::complain(&format!("sinew: cannot write {path}: {error}"));
            return Ok(Outcome::BadInput);
        }
    }
    let written = [
        ("recorded", &arguments.record),
        ("plotted", &arguments.plot),
    ];
    output::write(&report(&data, &summary, &written))?;
    Ok(summary.outcome)
}

/// What a simulation came to.
struct Summary {
    steps: usize,
    seconds: f64,
    energy_before: f64,
    energy_after: f64,
    /// The first step that met something bad, and what.
    trouble: Option<(usize, StepError)>,
    outcome: Outcome,
}

/// Makes the steps, until the last one, Ctrl-C, or a state that stays bad.
fn simulate(
    model: &Model,
    data: &mut Data,
    steps: usize,
    mut recording: Option<&mut Recording>,
    mut plot: Option<&mut Plot>,
) -> Summary {
    let started = data.forward(model);
    let mut summary = Summary {
        steps: 0,
        seconds: 0.0,
        energy_before: data.energy.values.iter().sum(),
        energy_after: 0.0,
        trouble: started.err().map(|error| (0, error.into())),
        outcome: Outcome::Done,
    };
    interrupt::wait_for_command();
    let mut progress = Progress::new(steps, 64);
    let start = Instant::now();
    for step in 0..steps {
        if let Err(error) = data.step(model) {
            summary.trouble.get_or_insert((step, error));
            if !matches!(error, StepError::Diverged(_)) {
                summary.outcome = Outcome::BadInput;
                break;
            }
        }
        summary.steps = step + 1;
        if let Some(recording) = &mut recording {
            recording.add(data);
        }
        if let Some(plot) = &mut plot {
            plot.add(model, data, step);
        }
        progress.show(step + 1);
        if interrupt::is_raised() {
            summary.outcome = Outcome::Interrupted;
            break;
        }
    }
    summary.seconds = start.elapsed().as_secs_f64();
    progress.clear();
    // What can be wrong with this call has ended the steps already.
    let _ = data.forward(model);
    summary.energy_after = data.energy.values.iter().sum();
    summary
}

/// The report, as a table.
fn report(data: &Data, summary: &Summary, written: &[(&str, &Option<String>)]) -> String {
    let mut table = output::Table::default();
    let mut row = |name: &str, value: String| table.row([name.to_owned(), value]);
    let steps = output::count(summary.steps, "step", "steps");
    let ending = match summary.outcome {
        Outcome::Done => "",
        Outcome::BadInput => ", then stopped",
        Outcome::Interrupted => ", then interrupted",
    };
    let time = data.state.time;
    row("simulated", format!("{time:.3} s in {steps}{ending}"));
    let seconds = summary.seconds;
    let rate = summary.steps as f64 / seconds.max(1e-9);
    let speed = time / seconds.max(1e-9);
    row(
        "took",
        format!("{seconds:.3} s, {rate:.0} steps per second, {speed:.1} × real time"),
    );
    row(
        "energy",
        format!(
            "{:.6} J before, {:.6} J after",
            summary.energy_before, summary.energy_after
        ),
    );
    row(
        "contacts now",
        data.position.contacts.contact.len().to_string(),
    );
    if let Some((step, error)) = summary.trouble {
        row("trouble", format!("at step {}: {error}", step + 1));
    }
    for (name, total) in warnings(data) {
        row(
            "warning",
            format!("{name}, {}", output::count(total, "time", "times")),
        );
    }
    for (what, path) in written {
        if let Some(path) = path {
            row(what, path.clone());
        }
    }
    table.to_string()
}

/// What the warnings say, with how often they came over the whole run.
fn warnings(data: &Data) -> Vec<(&'static str, usize)> {
    const TEXTS: [(Warning, &str); 8] = [
        (Warning::Inertia, "inertia matrix near singular"),
        (Warning::Contactfull, "too many contacts, some dropped"),
        (Warning::Cnstrfull, "too many constraint rows, some dropped"),
        (Warning::Vgeomfull, "too much to draw"),
        (Warning::Badqpos, "bad position"),
        (Warning::Badqvel, "bad velocity"),
        (Warning::Badqacc, "bad acceleration"),
        (Warning::Badctrl, "bad control"),
    ];
    let count = |warning| data.warnings.total(warning).number as usize;
    TEXTS
        .into_iter()
        .map(|(warning, text)| (text, count(warning)))
        .filter(|(_, count)| *count > 0)
        .collect()
}

/// Sets the start and the controls; the number of steps, and recording and plot if they are asked for.
fn prepare(
    arguments: &Arguments,
    model: &Model,
    data: &mut Data,
) -> Result<(usize, Option<Recording>, Option<Plot>), String> {
    let steps = match arguments.steps {
        Some(steps) => steps,
        None => (arguments.seconds / model.opt.timestep).round().max(0.0) as usize,
    };
    if let Some(key) = &arguments.key {
        input::reset_to_key(model, data, key)?;
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
    let recording = match &arguments.record {
        Some(path) => Some(Recording::new(model, path, &arguments.model, steps)?),
        None => None,
    };
    let plot = match &arguments.plot {
        Some(path) => {
            output::check_picture_path(path, &arguments.model, "the plot")?;
            Some(Plot::new(model, steps))
        }
        None => None,
    };
    Ok((steps, recording, plot))
}

/// A time that can be simulated.
fn seconds(text: &str) -> Result<f64, String> {
    match text.parse::<f64>() {
        Ok(seconds) if seconds.is_finite() && seconds >= 0.0 => Ok(seconds),
        _ => Err("not a number of seconds".to_owned()),
    }
}

/// A control.
fn control(text: &str) -> Result<f64, String> {
    match text.trim().parse::<f64>() {
        Ok(value) if value.is_finite() => Ok(value),
        _ => Err("not a number".to_owned()),
    }
}
