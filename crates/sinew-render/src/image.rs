//! Pictures, and what else a camera tells.

/// A picture: rows from the top, three bytes per pixel.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Image {
    /// Pixels in a row.
    pub width: usize,
    /// Rows.
    pub height: usize,
    /// Red, green and blue of every pixel.
    pub pixels: Vec<u8>,
}

impl Image {
    /// The picture as a PNG file.
    pub fn to_png(&self) -> Vec<u8> {
        let mut file = Vec::new();
        // Sides fit: a renderer refuses larger ones.
        let sides = (self.width as u32, self.height as u32);
        let mut encoder = png::Encoder::new(&mut file, sides.0, sides.1);
        encoder.set_color(png::ColorType::Rgb);
        encoder.set_depth(png::BitDepth::Eight);
        // Writing into memory does not fail, and the pixels are as many as the sides say.
        if let Ok(mut writer) = encoder.write_header() {
            let _ = writer.write_image_data(&self.pixels);
        }
        file
    }
}

/// Distances along the line of sight: rows from the top, metres.
#[derive(Clone, Debug, PartialEq)]
pub struct Depth {
    /// Pixels in a row.
    pub width: usize,
    /// Rows.
    pub height: usize,
    /// Distance of every pixel from the camera's plane; the sky's or else the far plane's where nothing is.
    pub metres: Vec<f32>,
}

/// What is seen where: rows from the top.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Segmentation {
    /// Pixels in a row.
    pub width: usize,
    /// Rows.
    pub height: usize,
    /// Id and type of the object (codes of `ObjectType`) at every pixel; −1 where nothing is.
    pub objects: Vec<[i32; 2]>,
}
