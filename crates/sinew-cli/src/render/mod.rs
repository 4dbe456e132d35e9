//! `sinew render`: a picture of a model, without a window or a graphics processor.

use crate::{Outcome, input, interrupt, output};
use sinew::engine::Data;
use sinew::model::Model;
use sinew::model::kinds::ObjectType;
use sinew::render::{Options, Renderer, Scene, View};

/// What to draw.
#[derive(clap::Args)]
pub struct Arguments {
    /// A model file, or the name of a built-in model
    #[arg(default_value = sinew::models::DEFAULT)]
    model: String,
    /// The picture to write, a PNG file
    #[arg(short, long, value_name = "FILE", default_value = "picture.png")]
    output: String,
    /// A camera of the model, by name or number; otherwise the whole model is seen
    #[arg(long)]
    camera: Option<String>,
    /// Pixels of a row, and rows
    #[arg(long, value_name = "WIDTHxHEIGHT", default_value = "640x480", value_parser = size)]
    size: (usize, usize),
    /// Draw a keyframe: its name or number
    #[arg(long)]
    key: Option<String>,
    /// Simulate for so many seconds first
    #[arg(long, value_name = "SECONDS", default_value_t = 0.0)]
    time: f64,
    /// Show contacts and their forces
    #[arg(long)]
    contacts: bool,
    /// Let what moves be seen through
    #[arg(long)]
    translucent: bool,
    /// Threads that draw
    #[arg(long, default_value_t = 1)]
    threads: usize,
    #[command(flatten)]
    loading: input::Loading,
}

/// Draws.
pub fn run(arguments: &Arguments) -> std::io::Result<Outcome> {
    let Some(model) = arguments.loading.load_or_complain(&arguments.model) else {
        return Ok(Outcome::BadInput);
    };
    let mut data = Data::new(&model);
    match draw(arguments, &model, &mut data) {
        Ok(Some(file)) => {
            if let Err(error) = output::write_file(&arguments.output, &file) {
                output::complain(&format!(
                    "sinew: cannot write {}: {error}",
                    arguments.output
                ));
                return Ok(Outcome::BadInput);
            }
            let (width, height) = arguments.size;
            output::write(&format!(
                "{}: {width} × {height} pixels\n",
                arguments.output
            ))?;
            Ok(Outcome::Done)
        }
        Ok(None) => Ok(Outcome::Interrupted),
        Err(message) => {
            output::complain(&format!("sinew: {message}"));
            Ok(Outcome::BadInput)
        }
    }
}

/// The picture as a file; none if the user pressed Ctrl-C.
fn draw(arguments: &Arguments, model: &Model, data: &mut Data) -> Result<Option<Vec<u8>>, String> {
    output::check_path(&arguments.output, &arguments.model, "the picture")?;
    if let Some(key) = &arguments.key {
        input::reset_to_key(model, data, key)?;
    }
    while data.state.time < arguments.time {
        if interrupt::is_raised() {
            return Ok(None);
        }
        let stepped = data.step(model);
        stepped.map_err(|error| format!("at {} s: {error}", data.state.time))?;
    }
    let computed = data.forward(model);
    computed.map_err(|error| error.to_string())?;
    let view = match &arguments.camera {
        Some(camera) => camera_view(model, data, camera)?,
        None => View::free(model),
    };
    let options = Options {
        contact_points: arguments.contacts,
        contact_forces: arguments.contacts,
        translucent: arguments.translucent,
        ..Options::default()
    };
    let (width, height) = arguments.size;
    let renderer = Renderer::new(model).map_err(|error| error.to_string())?;
    let scene = Scene::new(model, data, &view, &options);
    let image = renderer
        .threads(arguments.threads)
        .draw(&scene, &view, width, height)
        .map_err(|error| error.to_string())?;
    Ok(Some(image.to_png()))
}

/// What a camera sees, by its name or number.
fn camera_view(model: &Model, data: &Data, camera: &str) -> Result<View, String> {
    let id = match camera.parse::<usize>() {
        Ok(number) => number,
        Err(_) => model
            .id(ObjectType::Camera, camera)
            .ok_or_else(|| format!("the model has no camera `{camera}`"))?,
    };
    View::of_camera(model, data, id).ok_or_else(|| {
        let count = model.ncam;
        format!("camera {id} is out of range: there are {count}")
    })
}

/// Reads `640x480`.
fn size(text: &str) -> Result<(usize, usize), String> {
    let sides = text.split_once('x').and_then(|(width, height)| {
        let (width, height) = (width.parse().ok()?, height.parse().ok()?);
        (width > 0 && height > 0).then_some((width, height))
    });
    sides.ok_or_else(|| format!("`{text}` is not a size such as 640x480"))
}
