//! The command `sinew`.
//!
//! ```text
//! sinew check FILE…   compile, say what is wrong and where
//! sinew info MODEL    sizes, options, tree, actuators, sensors
//! sinew run MODEL     simulate, record
//! sinew render MODEL  a picture or a film
//! sinew bench MODEL   how fast it steps
//! sinew models        the built-in models
//! ```
//!
//! Exit codes: 0 done, 1 bad input, 2 usage, 70 our fault, 130 interrupted. Output is written whole
//! or not at all; a reader that closes the pipe early is not an error.

mod bench;
mod check;
mod info;
mod input;
mod interrupt;
mod output;
mod progress;
mod render;
mod run;

use clap::{Parser, Subcommand};
use std::process::ExitCode;

/// Physics for articulated bodies with contact.
#[derive(Parser)]
#[command(
    name = "sinew",
    version,
    max_term_width = 100,
    arg_required_else_help = true
)]
struct Arguments {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    /// Compile models and report every error and warning with its place
    Check(check::Arguments),
    /// Show what a model is made of
    Info(info::Arguments),
    /// Simulate a model
    Run(run::Arguments),
    /// Draw a picture of a model
    Render(render::Arguments),
    /// Measure how fast a model steps
    Bench(bench::Arguments),
    /// List the built-in models
    Models,
    /// End as a fault of ours would, for tests
    #[command(hide = true)]
    FailOnPurpose,
}

/// How a command ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Outcome {
    /// Everything was as asked.
    Done,
    /// The input is at fault.
    BadInput,
    /// The user pressed Ctrl-C.
    Interrupted,
}

/// Exit code for a fault of ours, after the convention of `sysexits`.
const OUR_FAULT: u8 = 70;
/// Exit code after Ctrl-C, as shells have it.
const INTERRUPTED: u8 = 130;

fn main() -> ExitCode {
    // Clap reports usage errors itself, with exit code 2.
    let arguments = Arguments::parse();
    interrupt::listen();
    match std::panic::catch_unwind(|| execute(&arguments.command)) {
        Ok(Ok(Outcome::Done)) => ExitCode::SUCCESS,
        Ok(Ok(Outcome::BadInput)) => ExitCode::FAILURE,
        Ok(Ok(Outcome::Interrupted)) => ExitCode::from(INTERRUPTED),
        Ok(Err(error)) => {
            output::complain(&format!("sinew: cannot write: {error}"));
            ExitCode::FAILURE
        }
        Err(_) => {
            output::complain(concat!(
                "sinew: this is a fault of sinew ",
                env!("CARGO_PKG_VERSION"),
                ", not yours; please report it with the text above"
            ));
            ExitCode::from(OUR_FAULT)
        }
    }
}

fn execute(command: &Command) -> std::io::Result<Outcome> {
    match command {
        Command::Check(arguments) => check::run(arguments),
        Command::Info(arguments) => info::run(arguments),
        Command::Run(arguments) => run::run(arguments),
        Command::Render(arguments) => render::run(arguments),
        Command::Bench(arguments) => bench::run(arguments),
        Command::Models => list_models(),
        Command::FailOnPurpose => panic!("failed on purpose"),
    }
}

fn list_models() -> std::io::Result<Outcome> {
    let mut table = output::Table::default();
    for model in sinew::models::ALL {
        table.row([model.name.to_owned(), model.summary.to_owned()]);
    }
    output::write(&table.to_string())?;
    Ok(Outcome::Done)
}
