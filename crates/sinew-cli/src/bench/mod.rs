//! `sinew bench`: how fast a model steps.
//!
//! Runs a fixed workload ([`workload`]) that other engines can run too, so that ratios can be
//! taken; a number of its own says little. `--replay` times single steps from recorded states.

mod measure;
mod replay;
mod stages;
mod workload;

use crate::{Outcome, input, output};
use measure::{median, rollout, throughput};
use sinew::engine::Data;
use sinew::model::Model;
use sinew::model::kinds::{DisableFlag, ObjectType};
use stages::{Stages, statistics};
use std::time::Instant;
use workload::Plan;

/// What to run.
#[derive(clap::Args)]
pub struct Arguments {
    /// A model file, or the name of a built-in model
    #[arg(default_value = sinew::models::DEFAULT)]
    model: String,
    /// Start of each episode: name or number of a keyframe
    #[arg(long)]
    key: Option<String>,
    /// Untimed steps at the start of each episode
    #[arg(long, default_value_t = 0)]
    warm: usize,
    /// Timed steps of each episode
    #[arg(long, default_value_t = 1000, value_parser = at_least_one)]
    steps: usize,
    /// Number of episodes
    #[arg(long, default_value_t = 10, value_parser = at_least_one)]
    episodes: usize,
    /// Repetitions of the whole; the median counts
    #[arg(long, default_value_t = 3, value_parser = at_least_one)]
    repetitions: usize,
    /// Threads, each with a simulation of its own, for the throughput
    #[arg(long, default_value_t = 1, value_parser = at_least_one)]
    threads: usize,
    /// Parts of the physics to switch off, such as contact,gravity
    #[arg(long, value_delimiter = ',', value_parser = disable_flag, value_name = "FLAGS")]
    disable: Vec<i32>,
    /// Time single steps from a file of states and compare their results
    #[arg(long, value_name = "FILE")]
    replay: Option<String>,
    /// Print the result as JSON
    #[arg(long)]
    json: bool,
    #[command(flatten)]
    loading: input::Loading,
}

/// The result of a run.
#[derive(serde::Serialize)]
struct Report {
    model: String,
    steps: usize,
    steps_per_second: f64,
    steps_per_cpu_second: Option<f64>,
    steps_per_second_all_threads: Option<f64>,
    threads: usize,
    mean_contacts: f64,
    mean_rows: f64,
    mean_iterations: f64,
    microseconds: Stages,
    load_milliseconds: f64,
    model_bytes: usize,
    data_bytes: usize,
    checksum: f64,
    divergences: usize,
}

/// Runs the benchmark.
pub fn run(arguments: &Arguments) -> std::io::Result<Outcome> {
    let start = Instant::now();
    let mut loaded = match arguments.loading.load(&arguments.model) {
        Ok(loaded) => loaded,
        Err(error) => {
            for diagnostic in &error.diagnostics {
                output::complain(&diagnostic.render());
            }
            return Ok(Outcome::BadInput);
        }
    };
    let load_milliseconds = start.elapsed().as_secs_f64() * 1e3;
    for flag in &arguments.disable {
        loaded.model.opt.disableflags |= flag;
    }
    let model = &loaded.model;
    let key = match arguments.key.as_deref().map(|key| find_key(model, key)) {
        Some(None) => {
            let key = arguments.key.as_deref().unwrap_or_default();
            output::complain(&format!("sinew: the model has no keyframe `{key}`"));
            return Ok(Outcome::BadInput);
        }
        Some(Some(key)) => Some(key),
        None => None,
    };
    if let Some(path) = &arguments.replay {
        return run_replay(arguments, model, path);
    }

    let plan = Plan {
        key,
        warm: arguments.warm,
        steps: arguments.steps,
        episodes: arguments.episodes,
    };
    let repetitions = arguments.repetitions;
    let mut wall = Vec::new();
    let mut cpu = Vec::new();
    // A short unmeasured episode fills the caches.
    let mut last = rollout(model, &plan.short(), 0);
    for _ in 0..repetitions {
        last = rollout(model, &plan, 0);
        wall.push(last.wall);
        cpu.extend(last.cpu);
    }
    let steps = plan.steps * plan.episodes;
    let statistics = statistics(model, &plan);
    let report = Report {
        model: arguments.model.clone(),
        steps,
        steps_per_second: steps as f64 / median(&mut wall),
        steps_per_cpu_second: (!cpu.is_empty()).then(|| steps as f64 / median(&mut cpu)),
        steps_per_second_all_threads: (arguments.threads > 1)
            .then(|| throughput(model, &plan, arguments.threads, repetitions)),
        threads: arguments.threads,
        mean_contacts: statistics.contacts,
        mean_rows: statistics.rows,
        mean_iterations: statistics.iterations,
        microseconds: statistics.stages,
        load_milliseconds,
        model_bytes: model
            .columns()
            .iter()
            .map(|column| column.bytes.len())
            .sum(),
        data_bytes: Data::new(model)
            .columns()
            .iter()
            .map(|column| column.bytes.len())
            .sum(),
        checksum: last.checksum,
        divergences: last.divergences,
    };
    show(arguments, &report)
}

/// A count of something to run.
fn at_least_one(text: &str) -> Result<usize, String> {
    match text.parse() {
        Ok(0) => Err("it must be at least 1".to_owned()),
        Ok(count) => Ok(count),
        Err(error) => Err(format!("{error}")),
    }
}

/// The bit of a flag, by its name in the model language.
fn disable_flag(name: &str) -> Result<i32, String> {
    let members = DisableFlag::TABLE.members;
    let short = |member: &str| member.trim_start_matches("mjDSBL_").to_lowercase();
    let found = members.iter().find(|(member, _)| short(member) == name);
    found.map(|(_, code)| *code).ok_or_else(|| {
        let names: Vec<String> = members.iter().map(|(member, _)| short(member)).collect();
        format!("no such flag; there are {}", names.join(", "))
    })
}

fn find_key(model: &Model, key: &str) -> Option<usize> {
    if let Ok(number) = key.parse::<usize>() {
        return (number < model.nkey).then_some(number);
    }
    model.id(ObjectType::Key, key)
}

fn run_replay(arguments: &Arguments, model: &Model, path: &str) -> std::io::Result<Outcome> {
    let states = std::fs::read(path)
        .map_err(|error| format!("cannot read {path}: {error}"))
        .and_then(|bytes| replay::read(&bytes, model));
    let states = match states {
        Ok(states) => states,
        Err(message) => {
            output::complain(&format!("sinew: {message}"));
            return Ok(Outcome::BadInput);
        }
    };
    let replayed = replay::run(model, &states, arguments.repetitions);
    if arguments.json {
        output::write(&format!("{:#}\n", serde_json::json!(replayed)))?;
    } else {
        let mut table = output::Table::default();
        let row = |name: &str, value: String| [name.to_owned(), value];
        table.row(row("states", replayed.states.to_string()));
        table.row(row(
            "step",
            format!("{:.2} µs", replayed.microseconds_per_step),
        ));
        table.row(row("contacts differ", replayed.contacts_differ.to_string()));
        table.row(row("rows differ", replayed.rows_differ.to_string()));
        table.row(row(
            "iterations differ",
            replayed.iterations_differ.to_string(),
        ));
        table.row(row(
            "largest qpos difference",
            format!("{:.1e}", replayed.largest_qpos_difference),
        ));
        table.row(row(
            "largest qvel difference",
            format!("{:.1e}", replayed.largest_qvel_difference),
        ));
        output::write(&table.to_string())?;
    }
    Ok(Outcome::Done)
}

fn show(arguments: &Arguments, report: &Report) -> std::io::Result<Outcome> {
    if arguments.json {
        output::write(&format!("{:#}\n", serde_json::json!(report)))?;
        return Ok(Outcome::Done);
    }
    let mut table = output::Table::default();
    let mut row = |name: &str, value: String| table.row([name.to_owned(), value]);
    row(
        "steps per second",
        format!("{:.0}", report.steps_per_second),
    );
    if let Some(rate) = report.steps_per_cpu_second {
        row("steps per processor second", format!("{rate:.0}"));
    }
    if let Some(rate) = report.steps_per_second_all_threads {
        row("steps per second, all threads", format!("{rate:.0}"));
    }
    row(
        "contacts, rows, iterations",
        format!(
            "{:.2}, {:.2}, {:.2}",
            report.mean_contacts, report.mean_rows, report.mean_iterations
        ),
    );
    for (name, microseconds) in report.microseconds.named() {
        row(name, format!("{microseconds:.2} µs"));
    }
    row("load", format!("{:.1} ms", report.load_milliseconds));
    row(
        "model, data",
        format!(
            "{} KiB, {} KiB",
            report.model_bytes / 1024,
            report.data_bytes / 1024
        ),
    );
    if report.divergences > 0 {
        row("divergences", report.divergences.to_string());
    }
    output::write(&table.to_string())?;
    Ok(Outcome::Done)
}
