//! Images: PNG files, and the reference's raw texture format.
//!
//! A PNG is brought to eight bits and one, three or four channels: sixteen bits keep their upper
//! byte, grey is repeated, colour becomes grey by its red channel, transparency is dropped unless
//! asked for. The size in the header and the lengths of the chunks that the decoder relies on are judged
//! before anything is decoded.

use super::pace::{GoesOn, Late};
use std::io::{self, BufRead, Cursor, Read, Seek, SeekFrom};

/// An image, row by row from the top.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Image {
    /// Columns.
    pub width: usize,
    /// Rows.
    pub height: usize,
    /// Channel values.
    pub bytes: Vec<u8>,
    /// Whether the file says that its colours are sRGB.
    pub is_srgb: bool,
}

/// How many channels an image is brought to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Channels {
    /// One.
    Grey,
    /// Three.
    Rgb,
    /// Four.
    Rgba,
}

impl Channels {
    /// The number of channels.
    pub fn count(self) -> usize {
        match self {
            Channels::Grey => 1,
            Channels::Rgb => 3,
            Channels::Rgba => 4,
        }
    }

    /// One, three or four channels.
    pub fn from_count(count: i32) -> Option<Self> {
        match count {
            1 => Some(Channels::Grey),
            3 => Some(Channels::Rgb),
            4 => Some(Channels::Rgba),
            _ => None,
        }
    }
}

/// The first bytes of every PNG file.
const SIGNATURE: &[u8] = b"\x89PNG\r\n\x1a\n";
/// Colours of a palette.
const MOST_COLOURS: usize = 256;

/// Refuses palettes that the decoder takes for whole: it relies on one to 256 colours of three bytes.
fn check_palettes(bytes: &[u8]) -> Result<(), String> {
    let mut rest = bytes.strip_prefix(SIGNATURE).ok_or("not a PNG file")?;
    // A chunk is its length, four letters, that many bytes, and a checksum of four.
    while let Some((head, after)) = rest.split_first_chunk::<8>() {
        let [a, b, c, d, kind @ ..] = *head;
        let length = u32::from_be_bytes([a, b, c, d]) as usize;
        if &kind == b"PLTE" && (length == 0 || length % 3 != 0 || length > 3 * MOST_COLOURS) {
            return Err(format!(
                "a palette of {length} bytes, which is not one to {MOST_COLOURS} colours of 3 bytes"
            ));
        }
        let Some(next) = length.checked_add(4).and_then(|skip| after.get(skip..)) else {
            break;
        };
        rest = next;
    }
    Ok(())
}

/// So many pixels are brought to another form at once.
const PIXELS: usize = 1 << 18;

/// The bytes of a file in pieces, as long as somebody wants them.
struct Watched<'a> {
    bytes: Cursor<&'a [u8]>,
    goes_on: GoesOn<'a>,
}

impl Watched<'_> {
    /// The longest piece. Eight megabytes may come of it.
    const PIECE: usize = 8192;
}

impl BufRead for Watched<'_> {
    fn fill_buf(&mut self) -> io::Result<&[u8]> {
        if !(self.goes_on)() {
            return Err(io::Error::other(Late::MESSAGE));
        }
        let rest = self.bytes.fill_buf()?;
        Ok(rest.get(..Self::PIECE).unwrap_or(rest))
    }

    fn consume(&mut self, count: usize) {
        self.bytes.consume(count);
    }
}

impl Read for Watched<'_> {
    fn read(&mut self, to: &mut [u8]) -> io::Result<usize> {
        let count = self.fill_buf()?.read(to)?;
        self.consume(count);
        Ok(count)
    }
}

impl Seek for Watched<'_> {
    fn seek(&mut self, place: SeekFrom) -> io::Result<u64> {
        self.bytes.seek(place)
    }
}

/// A PNG file whose header was found good, ready to be decoded.
pub struct Png<'a> {
    reader: png::Reader<Watched<'a>>,
    goes_on: GoesOn<'a>,
    width: usize,
    height: usize,
    channels: Channels,
}

/// Opens a PNG file of at most `most_pixels`. The error says what is wrong with the file, or that nobody wants it any more.
pub fn open_png<'a>(
    bytes: &'a [u8],
    channels: Channels,
    most_pixels: u64,
    goes_on: GoesOn<'a>,
) -> Result<Png<'a>, String> {
    check_palettes(bytes)?;
    let limits = png::Limits {
        bytes: usize::try_from(most_pixels.saturating_mul(16)).unwrap_or(usize::MAX),
    };
    let watched = Watched {
        bytes: Cursor::new(bytes),
        goes_on,
    };
    let mut decoder = png::Decoder::new_with_limits(watched, limits);
    decoder.set_transformations(png::Transformations::EXPAND | png::Transformations::STRIP_16);
    decoder.set_ignore_text_chunk(true);
    decoder.set_ignore_iccp_chunk(true);
    let header = decoder
        .read_header_info()
        .map_err(|error| error.to_string())?;
    let (width, height) = header.size();
    let pixels = u64::from(width).saturating_mul(u64::from(height));
    if pixels > most_pixels {
        return Err(format!(
            "{width} × {height} pixels, the limit is {most_pixels}"
        ));
    }
    let reader = decoder.read_info().map_err(|error| error.to_string())?;
    Ok(Png {
        reader,
        goes_on,
        width: width as usize,
        height: height as usize,
        channels,
    })
}

impl Png<'_> {
    /// Columns times rows.
    pub fn pixels(&self) -> usize {
        self.width.saturating_mul(self.height)
    }

    /// The most bytes that decoding holds at once.
    pub fn bytes(&self) -> u64 {
        let samples = self.reader.output_color_type().0.samples();
        let mut channels = samples;
        if samples != self.channels.count() {
            channels += self.channels.count();
        }
        (self.pixels() as u64).saturating_mul(channels as u64)
    }

    /// Decodes the pixels.
    pub fn decode(mut self) -> Result<Image, String> {
        let size = self
            .reader
            .output_buffer_size()
            .ok_or("the image is too large")?;
        let mut raw = reserved(size)?;
        raw.resize(size, 0);
        let frame = self
            .reader
            .next_frame(&mut raw)
            .map_err(|error| error.to_string())?;
        raw.truncate(frame.buffer_size());
        Ok(Image {
            width: self.width,
            height: self.height,
            bytes: convert(
                raw,
                frame.color_type.samples(),
                self.channels.count(),
                self.goes_on,
            )?,
            is_srgb: self.reader.info().srgb.is_some(),
        })
    }
}

/// An empty list with room for so many numbers, if the system has it.
pub fn reserved<T>(count: usize) -> Result<Vec<T>, String> {
    let mut list = Vec::new();
    match list.try_reserve_exact(count) {
        Ok(()) => Ok(list),
        Err(_) => Err("it does not fit the memory".to_string()),
    }
}

/// Brings pixels of one to four channels (grey, grey-alpha, RGB, RGBA) to one, three or four.
fn convert(raw: Vec<u8>, from: usize, to: usize, goes_on: GoesOn) -> Result<Vec<u8>, String> {
    if from == to {
        return Ok(raw);
    }
    let mut out = reserved((raw.len() / from.max(1)).saturating_mul(to))?;
    for pixels in raw.chunks(from.max(1).saturating_mul(PIXELS)) {
        if !goes_on() {
            return Err(Late.into());
        }
        for pixel in pixels.chunks_exact(from.max(1)) {
            let (colour, alpha) = match *pixel {
                [grey] => ([grey; 3], 255),
                [grey, alpha] => ([grey; 3], alpha),
                [red, green, blue] => ([red, green, blue], 255),
                [red, green, blue, alpha] => ([red, green, blue], alpha),
                _ => ([0; 3], 255),
            };
            match to {
                1 => out.push(colour[0]),
                3 => out.extend(colour),
                _ => {
                    out.extend(colour);
                    out.push(alpha);
                }
            }
        }
    }
    Ok(out)
}

/// Reads the raw texture format: width and height as little-endian integers, then RGB bytes.
pub fn decode_raw(bytes: &[u8], most_pixels: u64) -> Result<Image, String> {
    let (width, height, pixels) = raw_header(bytes, most_pixels)?;
    let data = bytes.get(8..).unwrap_or(&[]);
    if pixels.checked_mul(3) != Some(data.len()) {
        return Err("not a PNG file, and its size is not that of a raw texture".to_string());
    }
    let mut copied = reserved(data.len())?;
    copied.extend_from_slice(data);
    Ok(Image {
        width,
        height,
        bytes: copied,
        is_srgb: false,
    })
}

/// The two sizes at the start of a raw file and their product.
pub fn raw_header(bytes: &[u8], most: u64) -> Result<(usize, usize, usize), String> {
    let Some([a, b, c, d, e, f, g, h]) = bytes.first_chunk::<8>() else {
        return Err("the file is too short for its header".to_string());
    };
    let size = |bytes: [u8; 4]| usize::try_from(i32::from_le_bytes(bytes)).unwrap_or(0);
    let (first, second) = (size([*a, *b, *c, *d]), size([*e, *f, *g, *h]));
    if first < 1 || second < 1 {
        return Err("the sizes in the header are not positive".to_string());
    }
    match first.checked_mul(second) {
        Some(product) if product as u64 <= most => Ok((first, second, product)),
        // The numbers are the file's first bytes, whatever it is: they are not repeated.
        _ => Err(format!(
            "the product of the sizes in its header is beyond the limit of {most}"
        )),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn decode_png(bytes: &[u8], channels: Channels, most_pixels: u64) -> Result<Image, String> {
        open_png(bytes, channels, most_pixels, &|| true)?.decode()
    }

    fn png(color: png::ColorType, width: u32, height: u32, pixels: &[u8]) -> Vec<u8> {
        let mut bytes = Vec::new();
        let mut encoder = png::Encoder::new(&mut bytes, width, height);
        encoder.set_color(color);
        encoder.set_depth(png::BitDepth::Eight);
        let mut writer = encoder.write_header().expect("header");
        writer.write_image_data(pixels).expect("pixels");
        writer.finish().expect("end");
        bytes
    }

    #[test]
    fn channels_are_converted() {
        let file = png(png::ColorType::Rgba, 2, 1, &[1, 2, 3, 4, 5, 6, 7, 8]);
        let image = |channels| decode_png(&file, channels, 100).expect("image").bytes;
        assert_eq!(image(Channels::Rgba), [1, 2, 3, 4, 5, 6, 7, 8]);
        assert_eq!(image(Channels::Rgb), [1, 2, 3, 5, 6, 7]);
        assert_eq!(image(Channels::Grey), [1, 5]);
        let file = png(png::ColorType::Grayscale, 1, 2, &[9, 7]);
        let image = |channels| decode_png(&file, channels, 100).expect("image").bytes;
        assert_eq!(image(Channels::Rgb), [9, 9, 9, 7, 7, 7]);
        assert_eq!(image(Channels::Rgba), [9, 9, 9, 255, 7, 7, 7, 255]);
    }

    #[test]
    fn the_header_is_judged_first() {
        let mut file = png(png::ColorType::Grayscale, 1, 1, &[0]);
        file[16..24].copy_from_slice(&[0, 0, 0x9c, 0x40, 0, 0, 0x9c, 0x40]);
        assert!(decode_png(&file, Channels::Rgb, 1 << 26).is_err());
        assert!(decode_png(b"", Channels::Rgb, 1 << 26).is_err());
        assert!(decode_png(b"\x89PNG\r\n\x1a\n", Channels::Rgb, 1 << 26).is_err());
    }

    #[test]
    fn raw_textures_must_have_the_right_length() {
        let mut bytes = vec![2, 0, 0, 0, 1, 0, 0, 0, 1, 2, 3, 4, 5, 6];
        let image = decode_raw(&bytes, 100).expect("image");
        assert_eq!((image.width, image.height), (2, 1));
        bytes.pop();
        assert!(decode_raw(&bytes, 100).is_err());
        assert!(decode_raw(&[255; 20], 100).is_err());
        assert!(decode_raw(&[1; 20], 100).is_err());
        assert!(decode_raw(&[1; 3], 100).is_err());
    }
}
