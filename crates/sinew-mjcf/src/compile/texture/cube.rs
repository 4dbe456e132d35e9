//! Cubes and sky boxes from files: one square for all sides, a grid of squares, or six files.

use super::builtin::bytes;
use super::{Pixels, Problem, Settings};
use crate::asset::image::Image;

/// The letters of the sides, in the order they are stored.
const SIDES: [u8; 6] = *b"RLUDFB";

fn check_channels(settings: &Settings) -> Result<(), Problem> {
    // With any other number the reference copies memory that is not part of the image.
    if settings.nchannel != 3 {
        return Err("a cube or skybox from files has 3 channels".into());
    }
    Ok(())
}

/// From one file.
pub fn from_one(settings: &Settings, image: &mut Image) -> Result<Pixels, Problem> {
    check_channels(settings)?;
    let [rows, columns] = settings.gridsize.map(|n| usize::try_from(n).unwrap_or(0));
    let squares = rows.saturating_mul(columns);
    if !(1..=12).contains(&squares) {
        return Err("gridsize must be positive and have at most 12 squares".into());
    }
    let side = image.width / columns;
    if side != image.height / rows
        || image.width.checked_rem(columns) != Some(0)
        || image.height.checked_rem(rows) != Some(0)
    {
        return Err("the image does not consist of squares as gridsize says".into());
    }
    if squares == 1 {
        return Ok(Pixels {
            width: side,
            height: side,
            is_srgb: image.is_srgb,
            bytes: std::mem::take(&mut image.bytes),
        });
    }
    let mut cube = Cube::new(side)?;
    for (square, letter) in settings.gridlayout.iter().take(squares).enumerate() {
        if *letter == b'.' {
            continue;
        }
        let Some(face) = SIDES.iter().position(|side| side == letter) else {
            return Err("gridlayout has a symbol that is not among .RLUDFB".into());
        };
        cube.copy(
            face,
            image,
            square / columns * side,
            square % columns * side,
        );
    }
    Ok(cube.finish(settings, image.is_srgb))
}

/// From one file per side; sides without file get the first colour.
pub fn from_sides(settings: &Settings, images: &[Option<Image>]) -> Result<Pixels, Problem> {
    check_channels(settings)?;
    let Some(first) = images.iter().flatten().next() else {
        return Err("the texture has no file and no builtin".into());
    };
    let mut cube = Cube::new(first.width)?;
    for (count, image) in images.iter().flatten().enumerate() {
        if image.width != image.height || image.width != cube.side {
            return Err(Problem {
                message: "the sides of a cube must be squares of one size".to_string(),
                file: Some(count),
            });
        }
    }
    for (face, image) in images.iter().enumerate() {
        if let Some(image) = image {
            cube.copy(face, image, 0, 0);
        }
    }
    Ok(cube.finish(settings, first.is_srgb))
}

/// Six squares below each other.
struct Cube {
    side: usize,
    bytes: Vec<u8>,
    is_painted: [bool; 6],
}

impl Cube {
    fn new(side: usize) -> Result<Self, Problem> {
        let size = side.checked_mul(side).and_then(|n| n.checked_mul(18));
        let mut bytes = Vec::new();
        match size {
            Some(size) if bytes.try_reserve_exact(size).is_ok() => bytes.resize(size, 0),
            _ => return Err("the cube texture is too large".into()),
        }
        Ok(Cube {
            side,
            bytes,
            is_painted: [false; 6],
        })
    }

    /// Copies the square of an image that starts at a row and column.
    fn copy(&mut self, face: usize, image: &Image, row: usize, column: usize) {
        let stride = 3 * self.side;
        let rows = self
            .bytes
            .chunks_exact_mut(stride.max(1))
            .skip(face * self.side);
        for (i, to) in rows.take(self.side).enumerate() {
            let start = 3 * ((row + i) * image.width + column);
            if let Some(from) = image.bytes.get(start..start + stride) {
                to.copy_from_slice(from);
            }
        }
        if let Some(painted) = self.is_painted.get_mut(face) {
            *painted = true;
        }
    }

    fn finish(mut self, settings: &Settings, is_srgb: bool) -> Pixels {
        let colour = bytes(settings.rgb1);
        let size = 3 * self.side * self.side;
        for (face, painted) in self
            .bytes
            .chunks_exact_mut(size.max(1))
            .zip(self.is_painted)
        {
            if !painted {
                for pixel in face.chunks_exact_mut(3) {
                    pixel.copy_from_slice(&colour);
                }
            }
        }
        Pixels {
            width: self.side,
            height: 6 * self.side,
            is_srgb,
            bytes: self.bytes,
        }
    }
}
