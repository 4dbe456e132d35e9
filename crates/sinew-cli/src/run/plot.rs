//! What happened over time, as a picture: joint positions, energies, forces of contacts.

use super::letters;
use sinew::engine::Data;
use sinew::model::Model;
use sinew::model::kinds::{JointType, ObjectType};
use sinew::render::Image;

/// Moments that are kept; of longer runs every second one, or fewer.
const MOMENTS: usize = 2000;
/// Joints that are shown.
const JOINTS: usize = 10;
const WIDTH: usize = 900;
/// Of one panel.
const HEIGHT: usize = 240;
/// Room for numbers and titles around the lines.
const LEFT: usize = 90;
const RIGHT: usize = 170;
const ABOVE: usize = 26;
const BELOW: usize = 24;
/// Pixels of a letter's dot.
const SCALE: usize = 1;

const COLOURS: [[u8; 3]; 10] = [
    [31, 119, 180],
    [255, 127, 14],
    [44, 160, 44],
    [214, 39, 40],
    [148, 103, 189],
    [140, 86, 75],
    [227, 119, 194],
    [127, 127, 127],
    [188, 189, 34],
    [23, 190, 207],
];
const INK: [u8; 3] = [40, 40, 40];
const GRID: [u8; 3] = [225, 225, 225];

/// Numbers over time that share a panel.
struct Panel {
    title: &'static str,
    names: Vec<String>,
    /// One row of numbers per moment.
    rows: Vec<Vec<f64>>,
}

/// What is kept of a run.
pub struct Plot {
    stride: usize,
    times: Vec<f64>,
    /// Addresses of the joints' positions.
    joints: Vec<usize>,
    panels: [Panel; 3],
}

impl Plot {
    /// For a run of so many steps.
    pub fn new(model: &Model, steps: usize) -> Self {
        let is_single = |joint: &usize| {
            let kind = JointType::from_code(model.jnt_type[*joint]);
            matches!(kind, Some(JointType::Hinge | JointType::Slide))
        };
        let joints: Vec<usize> = (0..model.njnt).filter(is_single).take(JOINTS).collect();
        let name = |&joint: &usize| {
            let name = model.name(ObjectType::Joint, joint).unwrap_or_default();
            match name {
                "" => format!("joint {joint}"),
                name => name.to_owned(),
            }
        };
        let panel = |title, names: Vec<String>| Panel {
            title,
            names,
            rows: Vec::new(),
        };
        Plot {
            stride: steps.div_ceil(MOMENTS).max(1),
            times: Vec::new(),
            panels: [
                panel("joints (rad or m)", joints.iter().map(name).collect()),
                panel(
                    "energy (J)",
                    ["potential", "kinetic"].map(str::to_owned).to_vec(),
                ),
                panel("contacts (N)", vec!["normal forces".to_owned()]),
            ],
            joints: joints
                .iter()
                .map(|&joint| model.jnt_qposadr[joint] as usize)
                .collect(),
        }
    }

    /// Keeps the present moment, if it is one of those that are kept.
    pub fn add(&mut self, model: &Model, data: &Data, step: usize) {
        if step % self.stride != 0 {
            return;
        }
        let positions = self.joints.iter().map(|&address| data.state.qpos[address]);
        let contacts = 0..data.position.contacts.contact.len();
        let force = |contact| data.contact_force(model, contact).unwrap_or_default()[0];
        self.times.push(data.state.time);
        self.panels[0].rows.push(positions.collect());
        self.panels[1].rows.push(data.energy.values.to_vec());
        self.panels[2].rows.push(vec![contacts.map(force).sum()]);
    }

    /// The picture.
    pub fn draw(&self) -> Image {
        let height = HEIGHT * self.panels.len();
        let mut canvas = Canvas(Image {
            width: WIDTH,
            height,
            pixels: vec![255; 3 * WIDTH * height],
        });
        for (number, panel) in self.panels.iter().enumerate() {
            panel.draw(&mut canvas, &self.times, number * HEIGHT);
        }
        canvas.0
    }
}

impl Panel {
    fn draw(&self, canvas: &mut Canvas, times: &[f64], top: usize) {
        let (right, bottom) = (WIDTH - RIGHT, top + HEIGHT - BELOW);
        let (low, high) = range(self.rows.iter().flatten().copied());
        let (start, end) = range(times.iter().copied());
        let across = |time: f64| place(time, (start, end), LEFT as f64, right as f64);
        let up = |value: f64| place(value, (low, high), bottom as f64, (top + ABOVE) as f64);
        for k in 0..=4 {
            let part = f64::from(k) / 4.0;
            let between = |low: f64, high: f64| low * (1.0 - part) + high * part;
            let (value, time) = (between(low, high), between(start, end));
            let (x, y) = (across(time), up(value));
            canvas.line([LEFT as f64, y], [right as f64, y], GRID);
            canvas.line([x, (top + ABOVE) as f64], [x, bottom as f64], GRID);
            canvas.write(&short(value), 8, (y as usize).saturating_sub(3), INK);
            canvas.write(
                &short(time),
                (x as usize).saturating_sub(10),
                bottom + 8,
                INK,
            );
        }
        canvas.write(self.title, LEFT, top + 10, INK);
        for (number, name) in self.names.iter().enumerate() {
            let colour = COLOURS[number % COLOURS.len()];
            let name: String = name.chars().take(24).collect();
            canvas.write(&name, right + 12, top + ABOVE + 14 * number, colour);
            let points = times.iter().zip(&self.rows);
            let mut last = None;
            for (&time, row) in points {
                let value = row.get(number).copied().unwrap_or(f64::NAN);
                let point = value.is_finite().then(|| [across(time), up(value)]);
                if let (Some(from), Some(to)) = (last, point) {
                    canvas.line(from, to, colour);
                }
                last = point;
            }
        }
    }
}

/// The smallest and the largest of some numbers, never the same.
fn range(values: impl Iterator<Item = f64>) -> (f64, f64) {
    let finite = values.filter(|value| value.is_finite());
    let (low, high) = finite.fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), value| {
        (low.min(value), high.max(value))
    });
    if low > high {
        (0.0, 1.0)
    } else if high - low < 1e-9 * high.abs().max(1.0) {
        (low - 0.5, high + 0.5)
    } else {
        (low, high)
    }
}

/// Where a number of a range lies between two places.
fn place(value: f64, (low, high): (f64, f64), from: f64, to: f64) -> f64 {
    // Halves, so that the widest range has a length.
    let part = (0.5 * value - 0.5 * low) / (0.5 * high - 0.5 * low);
    from + (to - from) * part
}

/// A number in a few letters.
fn short(value: f64) -> String {
    if value == 0.0 || (1e-3..1e5).contains(&value.abs()) {
        let text = format!("{value:.3}");
        text.trim_end_matches('0').trim_end_matches('.').to_owned()
    } else {
        format!("{value:.1e}")
    }
}

/// A picture that is drawn on.
struct Canvas(Image);

impl Canvas {
    fn dot(&mut self, x: usize, y: usize, colour: [u8; 3]) {
        let Image {
            width,
            height,
            pixels,
        } = &mut self.0;
        if x < *width && y < *height {
            let at = 3 * (y * *width + x);
            pixels[at..at + 3].copy_from_slice(&colour);
        }
    }

    /// A line with a dot for every column or row that it goes through.
    fn line(&mut self, from: [f64; 2], to: [f64; 2], colour: [u8; 3]) {
        let (dx, dy) = (to[0] - from[0], to[1] - from[1]);
        let steps = dx.abs().max(dy.abs()).ceil().max(1.0) as usize;
        for k in 0..=steps.min(WIDTH + HEIGHT) {
            let part = k as f64 / steps as f64;
            let (x, y) = (from[0] + dx * part, from[1] + dy * part);
            self.dot(x.round() as usize, y.round() as usize, colour);
        }
    }

    fn write(&mut self, text: &str, left: usize, top: usize, colour: [u8; 3]) {
        for (number, sign) in text.chars().enumerate() {
            let start = left + number * SCALE * (letters::WIDTH + 1);
            for (row, dots) in letters::dots(sign).iter().enumerate() {
                for (column, _) in dots.iter().enumerate().filter(|(_, dot)| **dot) {
                    self.dot(start + SCALE * column, top + SCALE * row, colour);
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ranges_and_numbers_that_make_no_sense_are_drawn_somehow() {
        let values = [f64::NAN, f64::MAX, -f64::MAX, f64::INFINITY, 1e-300, 0.0];
        let panel = Panel {
            title: "panel",
            names: vec!["a".to_owned(), "b".to_owned()],
            rows: values.iter().map(|&value| vec![value]).collect(),
        };
        let times = [0.0, 1.0, 2.0, 3.0, f64::NAN, 4.0];
        let mut canvas = Canvas(Image {
            width: WIDTH,
            height: HEIGHT,
            pixels: vec![255; 3 * WIDTH * HEIGHT],
        });
        panel.draw(&mut canvas, &times, 0);
        assert!(canvas.0.pixels.iter().any(|&byte| byte != 255));
        assert_eq!(range([].into_iter()), (0.0, 1.0));
        assert_eq!(range([2.0].into_iter()), (1.5, 2.5));
        assert_eq!(
            [short(0.25), short(-3.0), short(1e9)],
            ["0.25", "-3", "1.0e9"]
        );
    }
}
