//! Textures made by a rule: gradient, checker or flat colour, with marks on top.
//!
//! Colours are written with three bytes per pixel whatever the number of channels; with four
//! channels the rest of the buffer stays zero, as in the reference.

use super::random::Mersenne;
use super::{Pixels, Problem, Settings};
use core::f64::consts::PI;
use sinew_model::kinds::{TextureBuiltin, TextureMark, TextureType};

/// Makes a texture of at most `most` pixels, as long as `may_go_on` says so.
pub fn make(
    settings: &Settings,
    most: u64,
    may_go_on: &dyn Fn() -> bool,
) -> Result<Pixels, Problem> {
    let size = |size: i32| usize::try_from(size).unwrap_or(0);
    let width = size(settings.width);
    if width < 1 {
        return Err("a builtin texture needs a positive width".into());
    }
    let is_flat = settings.kind == TextureType::TwoD;
    let height = if is_flat {
        size(settings.height)
    } else {
        width.saturating_mul(6)
    };
    if height < 1 {
        return Err("a builtin texture needs a positive height".into());
    }
    let channels = match settings.nchannel {
        3 | 4 => size(settings.nchannel),
        _ => return Err("a builtin texture has 3 or 4 channels".into()),
    };
    let pixels = width.checked_mul(height).filter(|n| *n as u64 <= most);
    let Some(pixels) = pixels else {
        return Err("the texture has too many pixels".into());
    };
    let mut bytes = Vec::new();
    if bytes.try_reserve_exact(pixels * channels).is_err() {
        return Err("the texture does not fit the memory".into());
    }
    bytes.resize(pixels * channels, 0);
    let mut canvas = Canvas {
        bytes: &mut bytes,
        width,
        may_go_on,
        visited: 0,
        is_over: false,
    };
    if is_flat {
        paint_flat(settings, &mut canvas, height);
    } else {
        paint_cube(settings, &mut canvas);
    }
    if canvas.is_over {
        return Err("there was no time to paint it".into());
    }
    Ok(Pixels {
        width,
        height,
        is_srgb: false,
        bytes,
    })
}

/// Pixels by row and column.
struct Canvas<'a> {
    bytes: &'a mut [u8],
    width: usize,
    may_go_on: &'a dyn Fn() -> bool,
    visited: usize,
    is_over: bool,
}

impl Canvas<'_> {
    /// Whether to go on with the next pixel; the caller is asked now and then.
    fn goes_on(&mut self) -> bool {
        const PIXELS: usize = 1 << 18;
        self.visited += 1;
        if self.visited.is_multiple_of(PIXELS) {
            self.is_over |= !(self.may_go_on)();
        }
        !self.is_over
    }

    fn set(&mut self, row: usize, column: usize, colour: [u8; 3]) {
        let at = 3 * (row * self.width + column);
        if let Some(pixel) = self.bytes.get_mut(at..at + 3) {
            pixel.copy_from_slice(&colour);
        }
    }

    fn fill(&mut self, rows: core::ops::Range<usize>, colour: [u8; 3]) {
        let stride = 3 * self.width;
        for at in (rows.start * stride..rows.end * stride).step_by(3) {
            if !self.goes_on() {
                return;
            }
            if let Some(pixel) = self.bytes.get_mut(at..at + 3) {
                pixel.copy_from_slice(&colour);
            }
        }
    }

    /// Four fields in two colours, on `height` rows from `top`.
    fn checker(&mut self, top: usize, height: usize, colours: [[u8; 3]; 2]) {
        for row in 0..height {
            for column in 0..self.width {
                if !self.goes_on() {
                    return;
                }
                let is_upper = row < height / 2;
                let is_left = column < self.width / 2;
                let colour = colours[usize::from(is_upper != is_left)];
                self.set(top + row, column, colour);
            }
        }
    }

    fn edge(&mut self, top: usize, height: usize, colour: [u8; 3]) {
        for row in 0..height {
            if !self.goes_on() {
                return;
            }
            self.set(top + row, 0, colour);
            self.set(top + row, self.width - 1, colour);
        }
        for column in 0..self.width {
            if !self.goes_on() {
                return;
            }
            self.set(top, column, colour);
            self.set(top + height - 1, column, colour);
        }
    }

    fn cross(&mut self, top: usize, height: usize, colour: [u8; 3]) {
        for row in 0..height {
            if !self.goes_on() {
                return;
            }
            self.set(top + row, self.width / 2, colour);
        }
        for column in 0..self.width {
            if !self.goes_on() {
                return;
            }
            self.set(top + height / 2, column, colour);
        }
    }

    /// Dots at random places, the same ones every time.
    fn dots(&mut self, height: usize, colour: [u8; 3], probability: f64) {
        let mut generator = Mersenne::new(42);
        for row in 0..height {
            for column in 0..self.width {
                if !self.goes_on() {
                    return;
                }
                if generator.uniform() < probability {
                    self.set(row, column, colour);
                }
            }
        }
    }
}

/// Colour components between 0 and 1 as bytes, cut off.
pub(super) fn bytes(rgb: [f64; 3]) -> [u8; 3] {
    rgb.map(|component| (255.0 * component) as i32 as u8)
}

/// Blends two colours through a sigmoid; position −1 is the second, +1 the first.
fn blend(rgb1: [f64; 3], rgb2: [f64; 3], position: f64) -> [u8; 3] {
    let correction = 1.0 / 2.0_f64.sqrt();
    let alpha = 0.5 * (1.0 + position / (1.0 + position * position).sqrt() / correction);
    let alpha = alpha.clamp(0.0, 1.0);
    let mut mixed = [0.0; 3];
    for j in 0..3 {
        mixed[j] = alpha * rgb1[j] + (1.0 - alpha) * rgb2[j];
    }
    bytes(mixed)
}

fn paint_flat(settings: &Settings, canvas: &mut Canvas, height: usize) {
    let (first, second) = (bytes(settings.rgb1), bytes(settings.rgb2));
    match settings.builtin {
        TextureBuiltin::Gradient => {
            let (right, bottom) = ((canvas.width as f64) - 1.0, (height as f64) - 1.0);
            for row in 0..height {
                let y = 1.0 - (2 * row) as f64 / bottom;
                for column in 0..canvas.width {
                    if !canvas.goes_on() {
                        return;
                    }
                    let x = (2 * column) as f64 / right - 1.0;
                    let position = 2.0 * (x * x + y * y).sqrt() - 1.0;
                    let colour = blend(settings.rgb2, settings.rgb1, position);
                    canvas.set(row, column, colour);
                }
            }
        }
        TextureBuiltin::Checker => canvas.checker(0, height, [first, second]),
        TextureBuiltin::Flat => canvas.fill(0..height, first),
        TextureBuiltin::None => {}
    }
    paint_marks(settings, canvas, &[0], height, height);
}

fn paint_cube(settings: &Settings, canvas: &mut Canvas) {
    let side = canvas.width;
    let (first, second) = (bytes(settings.rgb1), bytes(settings.rgb2));
    let tops = [0, 1, 2, 3, 4, 5].map(|face| face * side);
    match settings.builtin {
        TextureBuiltin::Gradient => gradient_cube(settings, canvas),
        TextureBuiltin::Checker => {
            for (face, top) in tops.into_iter().enumerate() {
                let colours = if face < 4 {
                    [first, second]
                } else {
                    [second, first]
                };
                canvas.checker(top, side, colours);
            }
        }
        TextureBuiltin::Flat => {
            for (face, top) in tops.into_iter().enumerate() {
                let colour = if face == 3 { second } else { first };
                canvas.fill(top..top + side, colour);
            }
        }
        TextureBuiltin::None => {}
    }
    paint_marks(settings, canvas, &tops, side, 6 * side);
}

/// Colours follow the elevation of the direction that a pixel is seen in.
fn gradient_cube(settings: &Settings, canvas: &mut Canvas) {
    let side = canvas.width;
    let last = (side as f64) - 1.0;
    for row in 0..side {
        let y = 1.0 - (2 * row) as f64 / last;
        for column in 0..side {
            if !canvas.goes_on() {
                return;
            }
            let x = (2 * column) as f64 / last - 1.0;
            let distance = (1.0 + x * x + y * y).sqrt();
            let around = libm::asin(y / distance) / (0.5 * PI);
            let above = 1.0 - libm::acos(1.0 / distance) / (0.5 * PI);
            let colour = blend(settings.rgb1, settings.rgb2, around);
            for face in [0, 1, 4, 5] {
                canvas.set(face * side + row, column, colour);
            }
            let colour = blend(settings.rgb1, settings.rgb2, above);
            canvas.set(2 * side + row, column, colour);
            let colour = blend(settings.rgb1, settings.rgb2, -above);
            canvas.set(3 * side + row, column, colour);
        }
    }
}

fn paint_marks(
    settings: &Settings,
    canvas: &mut Canvas,
    tops: &[usize],
    height: usize,
    whole: usize,
) {
    let colour = bytes(settings.markrgb);
    match settings.mark {
        TextureMark::Edge => {
            for &top in tops {
                canvas.edge(top, height, colour);
            }
        }
        TextureMark::Cross => {
            for &top in tops {
                canvas.cross(top, height, colour);
            }
        }
        TextureMark::Random if settings.random > 0.0 => {
            canvas.dots(whole, colour, settings.random);
        }
        TextureMark::Random | TextureMark::None => {}
    }
}
