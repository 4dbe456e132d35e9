//! Wavefront OBJ text.
//!
//! Read are `v`, `vn`, `vt` and the faces of the first shape; `g` and `o` end a shape, materials
//! are ignored. Polygons are cut into triangles by ear clipping (`ear.rs`), numbers are read with
//! the reference's arithmetic (`number.rs`), indices may be negative (relative to the vertices
//! read so far). The second texture coordinate is turned around: 1 − v. Conforms to
//! `mjCMesh::LoadOBJ`, which uses tinyobjloader.
//!
//! Differs from MuJoCo: a coordinate that is missing or not a number is an error with its line
//! (the reference reads 0), as is a normal or texture index beyond the arrays.

#![deny(
    clippy::indexing_slicing,
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic
)]

mod ear;
mod number;

use super::MAX_ELEMENTS;
use super::error::MeshError;
use super::raw::RawMesh;
use crate::asset::pace::Pace;

/// What a corner costs when polygons are cut, in bytes of text.
const POLYGON: usize = 16;

/// One corner of a face: indices from 0, −1 for none.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Corner {
    vertex: i32,
    texcoord: i32,
    normal: i32,
}

pub(super) fn read(bytes: &[u8], is_mirrored: bool, pace: &Pace) -> Result<RawMesh, MeshError> {
    let mut reader = Reader::default();
    for (index, line) in Lines(bytes).enumerate() {
        pace.after(line.len())?;
        reader.line(index + 1, line, pace)?;
    }
    reader.end_shape(Ending::File, pace)?;

    let Reader {
        vertices,
        normals,
        mut texcoords,
        first_shape,
        ..
    } = reader;
    let mut triangles = first_shape.unwrap_or_default();
    if is_mirrored {
        for triangle in &mut triangles {
            triangle.swap(1, 2);
        }
    }
    for texcoord in &mut texcoords {
        texcoord[1] = 1.0 - texcoord[1];
    }
    let face_normals = if normals.is_empty() {
        Vec::new()
    } else {
        triangles.iter().map(|t| t.map(|c| c.normal)).collect()
    };
    let face_texcoords = if texcoords.is_empty() {
        Vec::new()
    } else {
        triangles.iter().map(|t| t.map(|c| c.texcoord)).collect()
    };
    Ok(RawMesh {
        vertices,
        normals,
        texcoords,
        faces: triangles.iter().map(|t| t.map(|c| c.vertex)).collect(),
        face_normals,
        face_texcoords,
    })
}

/// The most bytes that reading a file holds: per corner of a face itself and its triangles in lists
/// that grew, per other number itself.
pub(super) fn memory(bytes: &[u8], pace: &Pace) -> Result<u64, MeshError> {
    const CORNER: u64 = 160;
    const NUMBER: u64 = 12;
    let mut total = 0_u64;
    for line in Lines(bytes) {
        pace.after(line.len())?;
        let line = skip_blanks(line);
        let each = match line.first() {
            Some(b'f') => CORNER,
            Some(b'v') => NUMBER,
            _ => continue,
        };
        let blanks = line.iter().filter(|b| matches!(b, b' ' | b'\t')).count();
        total = total.saturating_add((blanks as u64).saturating_mul(each));
    }
    Ok(total)
}

/// Lines ended by `\n`, `\r` or both.
struct Lines<'a>(&'a [u8]);

impl<'a> Iterator for Lines<'a> {
    type Item = &'a [u8];
    fn next(&mut self) -> Option<&'a [u8]> {
        if self.0.is_empty() {
            return None;
        }
        let end = self.0.iter().position(|b| matches!(b, b'\n' | b'\r'));
        let (line, rest) = match end {
            None => (self.0, &[][..]),
            Some(end) => {
                let (line, rest) = self.0.split_at(end);
                let skip = if rest.starts_with(b"\r\n") { 2 } else { 1 };
                (line, rest.get(skip..).unwrap_or_default())
            }
        };
        self.0 = rest;
        Some(line)
    }
}

/// What ends a shape.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Ending {
    Group,
    Object,
    File,
}

#[derive(Default)]
struct Reader {
    vertices: Vec<[f32; 3]>,
    normals: Vec<[f32; 3]>,
    texcoords: Vec<[f32; 2]>,
    /// Corners of the polygons of the shape being read, and where each polygon ends.
    corners: Vec<Corner>,
    ends: Vec<usize>,
    has_lines_or_points: bool,
    /// Triangles of the first shape, once it is complete.
    first_shape: Option<Vec<[Corner; 3]>>,
}

impl Reader {
    fn line(&mut self, number: usize, line: &[u8], pace: &Pace) -> Result<(), MeshError> {
        // A zero byte ends a line, as it ends a text in C.
        let line = line.split(|b| *b == 0).next().unwrap_or_default();
        let line = skip_blanks(line);
        match line {
            [b'v', b' ' | b'\t', rest @ ..] => {
                let (vertex, _) = number::read::<3>(rest, 3).map_err(|e| e.at(number, "v"))?;
                self.vertices.push(vertex);
                check_limit(self.vertices.len())
            }
            [b'v', b'n', b' ' | b'\t', rest @ ..] => {
                let (normal, _) = number::read::<3>(rest, 3).map_err(|e| e.at(number, "vn"))?;
                self.normals.push(normal);
                check_limit(self.normals.len())
            }
            [b'v', b't', b' ' | b'\t', rest @ ..] => {
                let (texcoord, _) = number::read::<2>(rest, 1).map_err(|e| e.at(number, "vt"))?;
                self.texcoords.push(texcoord);
                check_limit(self.texcoords.len())
            }
            [b'f', b' ' | b'\t', rest @ ..] => {
                let start = self.corners.len();
                self.read_corners(number, rest, true, pace)?;
                if self.first_shape.is_some() {
                    self.corners.truncate(start);
                } else {
                    self.ends.push(self.corners.len());
                    check_limit(self.corners.len() / 3)?;
                }
                Ok(())
            }
            [b'l' | b'p', b' ' | b'\t', rest @ ..] => {
                let start = self.corners.len();
                self.read_corners(number, rest, false, pace)?;
                self.corners.truncate(start);
                self.has_lines_or_points = true;
                Ok(())
            }
            [b'g', b' ' | b'\t', ..] => self.end_shape(Ending::Group, pace),
            [b'o', b' ' | b'\t', ..] => self.end_shape(Ending::Object, pace),
            _ => Ok(()),
        }
    }

    /// Reads `v`, `v/vt`, `v//vn` or `v/vt/vn` until the end of the line.
    fn read_corners(
        &mut self,
        number: usize,
        mut rest: &[u8],
        skips_leading_blanks: bool,
        pace: &Pace,
    ) -> Result<(), MeshError> {
        if skips_leading_blanks {
            rest = skip_blanks(rest);
        }
        let counts = [
            self.vertices.len(),
            self.texcoords.len(),
            self.normals.len(),
        ];
        while !rest.is_empty() {
            let Some((corner, tail)) = corner(rest, counts) else {
                return Err(MeshError::at_line(
                    number,
                    "an index of the face is zero or not a number; OBJ indices start at 1",
                ));
            };
            self.corners.push(corner);
            pace.after(rest.len().saturating_sub(tail.len()))?;
            rest = skip_blanks(tail);
        }
        Ok(())
    }

    /// Closes the shape being read; the first one that has something in it is the mesh.
    fn end_shape(&mut self, ending: Ending, pace: &Pace) -> Result<(), MeshError> {
        if self.first_shape.is_none() {
            let mut triangles = Vec::with_capacity(self.ends.len());
            let mut start = 0;
            let mut budget = ear::Budget::default();
            for &end in &self.ends {
                let polygon = self.corners.get(start..end).unwrap_or_default();
                pace.after(POLYGON * polygon.len())?;
                ear::clip(polygon, &self.vertices, &mut budget, &mut triangles)?;
                start = end;
            }
            check_limit(triangles.len())?;
            let counts = match ending {
                Ending::Group => !triangles.is_empty(),
                Ending::Object => !triangles.is_empty() || self.has_lines_or_points,
                Ending::File => !self.ends.is_empty() || self.has_lines_or_points,
            };
            if counts {
                self.first_shape = Some(triangles);
            }
        }
        self.corners.clear();
        self.ends.clear();
        self.has_lines_or_points = false;
        Ok(())
    }
}

fn check_limit(count: usize) -> Result<(), MeshError> {
    if count > MAX_ELEMENTS {
        return Err(MeshError::limit(format!(
            "a mesh may have {MAX_ELEMENTS} vertices and faces, this OBJ file has more"
        )));
    }
    Ok(())
}

fn skip_blanks(text: &[u8]) -> &[u8] {
    let start = text.iter().position(|b| !matches!(b, b' ' | b'\t'));
    start.and_then(|s| text.get(s..)).unwrap_or_default()
}

/// One corner and the text after it; `None` for a zero index.
fn corner(text: &[u8], [vertices, texcoords, normals]: [usize; 3]) -> Option<(Corner, &[u8])> {
    let mut corner = Corner {
        vertex: resolve(integer(text), vertices)?,
        texcoord: -1,
        normal: -1,
    };
    let text = after_index(text);
    let [b'/', text @ ..] = text else {
        return Some((corner, text));
    };
    if let [b'/', text @ ..] = text {
        corner.normal = resolve(integer(text), normals)?;
        return Some((corner, after_index(text)));
    }
    corner.texcoord = resolve(integer(text), texcoords)?;
    let text = after_index(text);
    let [b'/', text @ ..] = text else {
        return Some((corner, text));
    };
    corner.normal = resolve(integer(text), normals)?;
    Some((corner, after_index(text)))
}

fn after_index(text: &[u8]) -> &[u8] {
    let end = text.iter().position(|b| matches!(b, b'/' | b' ' | b'\t'));
    end.and_then(|e| text.get(e..)).unwrap_or_default()
}

/// Index from 0; negative numbers count back from the last row read.
fn resolve(index: i64, count: usize) -> Option<i32> {
    match index {
        0 => None,
        1.. => i32::try_from(index - 1).ok(),
        _ => i32::try_from(count as i64 + index).ok(),
    }
}

/// The whole number at the start of a text, after white space; 0 without digits.
fn integer(text: &[u8]) -> i64 {
    let mut rest = text;
    while let [b' ' | b'\t' | b'\x0b' | b'\x0c', tail @ ..] = rest {
        rest = tail;
    }
    let (sign, digits) = match rest {
        [b'-', tail @ ..] => (-1, tail),
        [b'+', tail @ ..] => (1, tail),
        _ => (1, rest),
    };
    let mut value = 0_i64;
    for digit in digits.iter().take_while(|b| b.is_ascii_digit()) {
        value = value
            .saturating_mul(10)
            .saturating_add(i64::from(digit - b'0'));
        if value > i64::from(i32::MAX) {
            return 0;
        }
    }
    sign * value
}
