//! `sinew render`: a picture of a model, or many, without a window or a graphics processor.

mod film;

use crate::progress::Progress;
use crate::{Outcome, input, interrupt, output};
use film::Film;
use sinew::engine::Data;
use sinew::model::Model;
use sinew::model::kinds::ObjectType;
use sinew::render::{Image, Options, Renderer, Scene, View};

/// What to draw.
#[derive(clap::Args)]
pub struct Arguments {
    /// A model file, or the name of a built-in model
    #[arg(default_value = sinew::models::DEFAULT)]
    model: String,
    /// The picture to write, a PNG file; or a film, .mp4 or .gif, by the program ffmpeg
    #[arg(short, long, value_name = "FILE", default_value = "picture.png")]
    output: String,
    /// Write the pictures of a film into a folder instead
    #[arg(long, value_name = "FOLDER")]
    frames: Option<String>,
    /// How long a film is
    #[arg(long, value_name = "SECONDS", default_value_t = 2.0, value_parser = duration)]
    seconds: f64,
    /// Pictures per second of a film
    #[arg(long, value_name = "RATE", default_value_t = 30.0, value_parser = rate)]
    fps: f64,
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
    let drawn = Artist::new(arguments, &model).and_then(|mut artist| {
        if arguments.frames.is_some() || film::is_film(&arguments.output) {
            artist.draw_film()
        } else {
            artist.draw_picture()
        }
    });
    match drawn {
        Ok(Some(said)) => {
            output::write(&said)?;
            Ok(Outcome::Done)
        }
        Ok(None) => Ok(Outcome::Interrupted),
        Err(message) => {
            output::complain(&format!("sinew: {message}"));
            Ok(Outcome::BadInput)
        }
    }
}

/// The whole model in its first state, as a PNG file.
pub fn portrait(model: &Model, (width, height): (usize, usize)) -> Result<Vec<u8>, String> {
    let mut data = Data::new(model);
    data.forward(model).map_err(|error| error.to_string())?;
    let renderer = Renderer::new(model).map_err(|error| error.to_string())?;
    let view = View::free(model);
    let scene = Scene::new(model, &data, &view, &Options::default());
    let image = renderer.draw(&scene, &view, width, height);
    Ok(image.map_err(|error| error.to_string())?.to_png())
}

/// Who draws.
struct Artist<'a> {
    arguments: &'a Arguments,
    model: &'a Model,
    data: Data,
    renderer: Renderer,
}

impl<'a> Artist<'a> {
    fn new(arguments: &'a Arguments, model: &'a Model) -> Result<Self, String> {
        if arguments.frames.is_none() {
            let check = if film::is_film(&arguments.output) {
                output::check_path
            } else {
                output::check_picture_path
            };
            check(&arguments.output, &arguments.model, "the picture")?;
        }
        let mut data = Data::new(model);
        if let Some(key) = &arguments.key {
            input::reset_to_key(model, &mut data, key)?;
        }
        let renderer = Renderer::new(model).map_err(|error| error.to_string())?;
        Ok(Artist {
            arguments,
            model,
            data,
            renderer: renderer.threads(arguments.threads),
        })
    }

    /// Makes a picture; what is to be said, or none if the user pressed Ctrl-C.
    fn draw_picture(&mut self) -> Result<Option<String>, String> {
        if !self.simulate_until(self.arguments.time)? {
            return Ok(None);
        }
        let file = self.draw()?.to_png();
        let path = &self.arguments.output;
        output::write_file(path, &file).map_err(|error| format!("cannot write {path}: {error}"))?;
        let (width, height) = self.arguments.size;
        Ok(Some(format!("{path}: {width} × {height} pixels\n")))
    }

    /// Makes a film; the same.
    fn draw_film(&mut self) -> Result<Option<String>, String> {
        let Arguments {
            size, fps, seconds, ..
        } = self.arguments;
        let count = (seconds * fps).round().max(1.0) as usize;
        // What is wrong with the first picture is said before anything is begun.
        if !self.simulate_until(self.arguments.time)? {
            return Ok(None);
        }
        self.draw()?;
        let mut film = match &self.arguments.frames {
            Some(folder) => Film::in_folder(folder)?,
            None => Film::encoded(&self.arguments.output, *size, *fps)?,
        };
        let made = self.draw_frames(&mut film, count);
        let is_whole = matches!(made, Ok(true));
        let finished = film.finish(is_whole);
        if !made? {
            return Ok(None);
        }
        finished?;
        let name = self
            .arguments
            .frames
            .as_ref()
            .unwrap_or(&self.arguments.output);
        let pictures = output::count(count, "picture", "pictures");
        Ok(Some(format!(
            "{name}: {pictures} of {} × {} pixels\n",
            size.0, size.1
        )))
    }

    /// Draws the pictures of a film; whether the user let it finish.
    fn draw_frames(&mut self, film: &mut Film, count: usize) -> Result<bool, String> {
        let mut progress = Progress::new(count, 1);
        for frame in 0..count {
            let moment = self.arguments.time + frame as f64 / self.arguments.fps;
            if !self.simulate_until(moment)? {
                progress.clear();
                return Ok(false);
            }
            let image = self.draw()?;
            film.add(&image)?;
            progress.show(frame + 1);
        }
        progress.clear();
        Ok(true)
    }

    /// Makes steps up to a time; whether the user let them finish.
    fn simulate_until(&mut self, time: f64) -> Result<bool, String> {
        // Times are sums of steps: the last one may be short of a moment by a rounding.
        while self.data.state.time < time - 1e-6 * self.model.opt.timestep {
            if interrupt::is_raised() {
                return Ok(false);
            }
            let stepped = self.data.step(self.model);
            stepped.map_err(|error| format!("at {} s: {error}", self.data.state.time))?;
        }
        Ok(!interrupt::is_raised())
    }

    /// A picture of the present moment.
    fn draw(&mut self) -> Result<Image, String> {
        let (arguments, model, data) = (self.arguments, self.model, &mut self.data);
        data.forward(model).map_err(|error| error.to_string())?;
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
        let scene = Scene::new(model, data, &view, &options);
        let image = self.renderer.draw(&scene, &view, width, height);
        image.map_err(|error| error.to_string())
    }
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

/// Reads how long a film is.
fn duration(text: &str) -> Result<f64, String> {
    number(text, 0.0, 3600.0)
        .ok_or_else(|| format!("`{text}` is not a duration of at most an hour"))
}

/// Reads how many pictures a second has.
fn rate(text: &str) -> Result<f64, String> {
    number(text, 0.1, 1000.0).ok_or_else(|| format!("`{text}` is not a rate between 0.1 and 1000"))
}

fn number(text: &str, low: f64, high: f64) -> Option<f64> {
    text.parse()
        .ok()
        .filter(|value| (low..=high).contains(value))
}
