//! Skins: the reference's binary format, and the checks that file and inline data share.
//!
//! A file holds four counts (vertices, texture coordinates, faces, bones), the three arrays, then
//! for each bone: a name of 40 characters, bind position and orientation, a vertex count, vertex
//! ids and weights. All numbers are 32-bit and little-endian.

use super::pace::{Late, Pace};

/// One bone.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Bone {
    /// Name of the body.
    pub body: String,
    /// Position of the body when the skin was bound to it.
    pub bindpos: [f32; 3],
    /// Orientation of the body when the skin was bound to it.
    pub bindquat: [f32; 4],
    /// The vertices it moves.
    pub vertid: Vec<i32>,
    /// How much it moves each.
    pub vertweight: Vec<f32>,
}

/// A skin.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Skin {
    /// Vertices, three numbers each.
    pub vertex: Vec<f32>,
    /// Texture coordinates, two numbers each.
    pub texcoord: Vec<f32>,
    /// Faces, three vertex ids each.
    pub face: Vec<i32>,
    /// Bones.
    pub bones: Vec<Bone>,
}

/// Walks over a file; every step is checked.
struct Words<'a> {
    rest: &'a [u8],
    pace: &'a Pace<'a>,
}

impl<'a> Words<'a> {
    fn take(&mut self, count: usize, width: usize) -> Result<&'a [u8], String> {
        let length = count.checked_mul(width).filter(|n| *n <= self.rest.len());
        let Some((taken, rest)) = length.and_then(|n| self.rest.split_at_checked(n)) else {
            return Err("the file is too short for what it announces".to_string());
        };
        self.rest = rest;
        Ok(taken)
    }

    fn numbers<T>(&mut self, count: usize, number: fn([u8; 4]) -> T) -> Result<Vec<T>, String> {
        let bytes = self.take(count, 4)?;
        let mut out = Vec::with_capacity(count);
        for piece in bytes.chunks(Pace::BYTES) {
            out.extend(words(piece).map(number));
            self.pace.after(piece.len())?;
        }
        Ok(out)
    }

    fn integers(&mut self, count: usize) -> Result<Vec<i32>, String> {
        self.numbers(count, i32::from_le_bytes)
    }

    fn floats(&mut self, count: usize) -> Result<Vec<f32>, String> {
        self.numbers(count, f32::from_le_bytes)
    }

    fn count(&mut self) -> Result<usize, String> {
        let number = self.integers(1)?.first().copied().unwrap_or(0);
        usize::try_from(number).map_err(|_| "a count in the file is negative".to_string())
    }
}

fn words(bytes: &[u8]) -> impl Iterator<Item = [u8; 4]> {
    bytes
        .chunks_exact(4)
        .map(|word| word.first_chunk().copied().unwrap_or_default())
}

/// Reads a file, as long as there is time.
pub fn decode(bytes: &[u8], pace: &Pace) -> Result<Skin, String> {
    let mut file = Words { rest: bytes, pace };
    let vertices = file.count()?;
    let texcoords = file.count()?;
    let faces = file.count()?;
    let bones = file.count()?;
    let times = |count: usize, factor: usize| count.saturating_mul(factor);
    let mut skin = Skin {
        vertex: file.floats(times(vertices, 3))?,
        texcoord: file.floats(times(texcoords, 2))?,
        face: file.integers(times(faces, 3))?,
        bones: Vec::new(),
    };
    for index in 0..bones {
        let name = file.take(40, 1)?;
        let name = name.get(..39).unwrap_or(name);
        let name = name.split(|byte| *byte == 0).next().unwrap_or(&[]);
        let body = String::from_utf8_lossy(name).into_owned();
        let bindpos = file.floats(3)?;
        let bindquat = file.floats(4)?;
        let count = file.count()?;
        if count < 1 {
            return Err(format!("bone {index} has no vertices"));
        }
        skin.bones.push(Bone {
            body,
            bindpos: bindpos.first_chunk().copied().unwrap_or_default(),
            bindquat: bindquat.first_chunk().copied().unwrap_or_default(),
            vertid: file.integers(count)?,
            vertweight: file.floats(count)?,
        });
    }
    if !file.rest.is_empty() {
        return Err("the file is longer than what it announces".to_string());
    }
    Ok(skin)
}

/// Bytes of a vertex of a bone.
const ENTRY: usize = 8;

/// What is wrong with a skin, and the bone that is to blame.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SkinError {
    /// What is wrong.
    pub message: String,
    /// Position of the bone, if one is to blame.
    pub bone: Option<usize>,
}

impl From<Late> for SkinError {
    fn from(late: Late) -> Self {
        String::from(late).into()
    }
}

impl From<String> for SkinError {
    fn from(message: String) -> Self {
        SkinError {
            message,
            bone: None,
        }
    }
}

impl Skin {
    /// Checks sizes and ids, and scales weights so that they sum to one at every vertex, as long as there is time.
    pub fn complete(&mut self, pace: &Pace) -> Result<(), SkinError> {
        if self.vertex.is_empty() || self.face.is_empty() || self.bones.is_empty() {
            return Err("a skin needs vertices, faces and bones".to_string().into());
        }
        if !self.vertex.len().is_multiple_of(3) {
            return Err("vertex needs three numbers per vertex".to_string().into());
        }
        let vertices = self.vertex.len() / 3;
        if !self.texcoord.is_empty() && self.texcoord.len() != 2 * vertices {
            return Err("texcoord needs two numbers per vertex".to_string().into());
        }
        if !self.face.len().is_multiple_of(3) {
            return Err("face needs three vertex ids per face".to_string().into());
        }
        let is_vertex = |id: i32| usize::try_from(id).is_ok_and(|id| id < vertices);
        if let Some(id) = self.face.iter().find(|id| !is_vertex(**id)) {
            return Err(format!("face names vertex {id}, which does not exist").into());
        }
        let mut totals = vec![0.0_f32; vertices];
        for (index, bone) in self.bones.iter().enumerate() {
            let blame = |message: String| SkinError {
                message,
                bone: Some(index),
            };
            if bone.vertid.is_empty() || bone.vertid.len() != bone.vertweight.len() {
                let message = "vertid and vertweight must have the same number of entries";
                return Err(blame(message.to_string()));
            }
            for (id, weight) in bone.vertid.iter().zip(&bone.vertweight) {
                let total = usize::try_from(*id).ok().and_then(|id| totals.get_mut(id));
                let total = total.ok_or_else(|| blame(format!("vertid {id} does not exist")))?;
                *total += weight;
                pace.after(ENTRY)?;
            }
        }
        if let Some(vertex) = totals.iter().position(|total| f64::from(*total) <= 1e-15) {
            return Err(format!("vertex {vertex} has no positive weight").into());
        }
        for bone in &mut self.bones {
            for (id, weight) in bone.vertid.iter().zip(&mut bone.vertweight) {
                let total = usize::try_from(*id).ok().and_then(|id| totals.get(id));
                *weight /= total.copied().unwrap_or(1.0);
                pace.after(ENTRY)?;
            }
            bone.bindquat = unit(bone.bindquat);
        }
        Ok(())
    }
}

/// Normalises in double precision; what has no length stays as it is.
fn unit(quat: [f32; 4]) -> [f32; 4] {
    let unit = sinew_math::quotient::normalized4(sinew_math::Quat(quat.map(f64::from)));
    unit.0.map(|number| number as f32)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn file() -> Vec<u8> {
        let integers =
            |numbers: &[i32]| -> Vec<u8> { numbers.iter().flat_map(|n| n.to_le_bytes()).collect() };
        let floats =
            |numbers: &[f32]| -> Vec<u8> { numbers.iter().flat_map(|n| n.to_le_bytes()).collect() };
        let mut name = b"torso".to_vec();
        name.resize(40, 0);
        [
            integers(&[3, 0, 1, 1]),
            floats(&[0.0, 1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0, 8.0]),
            integers(&[0, 1, 2]),
            name,
            floats(&[0.0, 0.0, 0.0, 2.0, 0.0, 0.0, 0.0]),
            integers(&[3, 0, 1, 2]),
            floats(&[2.0, 4.0, 0.5]),
        ]
        .concat()
    }

    #[test]
    fn weights_are_normalised() {
        let pace = Pace::new(&|| true);
        let mut skin = decode(&file(), &pace).expect("a good file");
        assert_eq!(skin.bones[0].body, "torso");
        skin.complete(&pace).expect("a good skin");
        assert_eq!(skin.bones[0].vertweight, [1.0; 3]);
        assert_eq!(skin.bones[0].bindquat, [1.0, 0.0, 0.0, 0.0]);
    }

    #[test]
    fn broken_files_are_refused() {
        let pace = Pace::new(&|| true);
        let good = file();
        for length in 0..good.len() {
            assert!(
                decode(&good[..length], &pace).is_err(),
                "cut after {length}"
            );
        }
        for at in (0..16).step_by(4) {
            let mut bad = good.clone();
            bad[at..at + 4].copy_from_slice(&[255, 255, 255, 127]);
            assert!(decode(&bad, &pace).is_err());
            bad[at..at + 4].copy_from_slice(&[255; 4]);
            assert!(decode(&bad, &pace).is_err());
        }
        let mut skin = decode(&good, &pace).expect("a good file");
        skin.face[1] = 3;
        assert!(skin.complete(&pace).is_err());
        let mut skin = decode(&good, &pace).expect("a good file");
        skin.bones[0].vertid[0] = -1;
        assert!(skin.complete(&pace).is_err());
    }
}
