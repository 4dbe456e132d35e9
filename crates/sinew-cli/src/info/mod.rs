//! `sinew info`: what a model is made of.
//!
//! [`summary`] gathers, [`text`] and JSON show the same facts.

mod summary;
mod text;
mod words;

use crate::{Outcome, input, output, render};

/// What to show.
#[derive(clap::Args)]
pub struct Arguments {
    /// A model file, or the name of a built-in model
    #[arg(default_value = sinew::models::DEFAULT)]
    model: String,
    /// Print the facts as JSON
    #[arg(long)]
    json: bool,
    /// Draw the model, too, into a PNG file
    #[arg(long, value_name = "FILE")]
    picture: Option<String>,
    #[command(flatten)]
    loading: input::Loading,
}

/// Sides of the picture.
const SIZE: (usize, usize) = (640, 480);

/// Describes one model.
pub fn run(arguments: &Arguments) -> std::io::Result<Outcome> {
    let loaded = match arguments.loading.load(&arguments.model) {
        Ok(loaded) => loaded,
        Err(error) => {
            for diagnostic in &error.diagnostics {
                output::complain(&diagnostic.render());
            }
            return Ok(Outcome::BadInput);
        }
    };
    if let Some(path) = &arguments.picture {
        let drawn = output::check_picture_path(path, &arguments.model, "the picture")
            .and_then(|()| render::portrait(&loaded.model, SIZE))
            .and_then(|file| {
                output::write_file(path, &file)
                    .map_err(|error| format!("cannot write {path}: {error}"))
            });
        if let Err(message) = drawn {
            output::complain(&format!("sinew: {message}"));
            return Ok(Outcome::BadInput);
        }
    }
    let summary = summary::of(&arguments.model, &loaded.model);
    if arguments.json {
        output::write(&format!("{:#}\n", serde_json::json!(summary)))?;
    } else {
        output::write(&text::show(&summary))?;
    }
    Ok(Outcome::Done)
}
