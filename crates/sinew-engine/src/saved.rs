//! Models as bytes, for binary files and pickles.
//!
//! ```text
//! tag · sizes · columns · options, statistics and visuals · laws · checksum
//! ```
//!
//! Columns stand in the order of their declaration, in this machine's order of bytes; the sizes tell how long they are.
//! Nothing is believed: sizes are compared with what is there before memory is reserved, and a model is verified like
//! one that was loaded. The checksum tells apart bytes that were changed on their way, by accident at least.

#![deny(clippy::indexing_slicing, clippy::arithmetic_side_effects)]

use crate::constants::verify;
use crate::law::named;
use sinew_model::Model;
use sinew_model::column::{Column, ColumnMut};
use sinew_model::law::{Law, Laws};
use sinew_model::options::{Options, Statistic, Visual};
use std::fmt;
use std::io::Write;

const MODEL: &[u8] = b"sinew model 2\n";
const NUMBER: usize = 8;
/// No array has more entries; what fewer need is compared with the memory there is.
const MOST: i64 = 1 << 40;

/// Why bytes are no model, or why there are none of it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum SavedError {
    /// They are not what they should be.
    Wrong {
        /// What they should be.
        what: &'static str,
        /// Why they are not.
        why: String,
    },
    /// There is no such memory.
    Memory {
        /// How many bytes are needed.
        bytes: u64,
    },
}

impl SavedError {
    /// Something in the bytes of a model that does not fit the rest.
    fn misfit(part: &str) -> Self {
        SavedError::Wrong {
            what: "model",
            why: format!("{part} does not fit"),
        }
    }
}

impl fmt::Display for SavedError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            SavedError::Wrong { what, why } => write!(f, "this is no {what} of sinew: {why}"),
            SavedError::Memory { bytes } => write!(f, "there are no {bytes} bytes for the model"),
        }
    }
}

impl std::error::Error for SavedError {}

/// Four sums side by side, each of which takes two words with one product, so that a processor takes 64 bytes in a few
/// cycles. They begin with what no words are by chance: a product with zero would forget the other factor.
fn checksum(bytes: &[u8]) -> u64 {
    const KEY: u64 = 0x9e37_79b9_7f4a_7c15;
    let mix = |sum: u64, [first, second]: [[u8; NUMBER]; 2]| {
        let factors = (
            sum ^ u64::from_le_bytes(first),
            KEY ^ u64::from_le_bytes(second),
        );
        let product = u128::from(factors.0).wrapping_mul(u128::from(factors.1));
        product as u64 ^ (product >> 64) as u64
    };
    let (words, rest) = bytes.as_chunks::<NUMBER>();
    let (pairs, single) = words.as_chunks::<2>();
    let (blocks, pairs) = pairs.as_chunks::<4>();
    let mut sums = [13, 26, 39, 52].map(|turn| KEY.rotate_left(turn));
    for block in blocks {
        for (sum, pair) in sums.iter_mut().zip(block) {
            *sum = mix(*sum, *pair);
        }
    }
    let mut last = [0; NUMBER];
    last.iter_mut()
        .zip(rest)
        .for_each(|(slot, byte)| *slot = *byte);
    let last = [last, single.first().copied().unwrap_or_default()];
    let length = KEY.wrapping_add(bytes.len() as u64);
    let total = pairs.iter().copied().chain([last]).fold(length, mix);
    sums.iter().fold(total, |total, sum| {
        mix(total, [sum.to_le_bytes(), [0; NUMBER]])
    })
}

/// Appends the checksum of what there is.
pub fn seal(bytes: &mut Vec<u8>) {
    let sum = checksum(bytes);
    bytes.extend_from_slice(&sum.to_le_bytes());
}

/// How many bytes become of so many when they are [sealed](seal).
pub fn sealed_length(length: usize) -> usize {
    length.saturating_add(NUMBER)
}

/// Fills room with what is written and the checksum of it: bytes are made where they stay, since a second piece of
/// memory of that size takes longer to be had than to be written.
///
/// # Errors
/// What `write` says.
pub fn write_sealed<E>(
    room: &mut [u8],
    write: impl FnOnce(&mut &mut [u8]) -> Result<(), E>,
) -> Result<(), E> {
    let length = room.len().saturating_sub(NUMBER);
    let (content, sum) = room.split_at_mut(length);
    write(&mut &mut *content)?;
    let found = checksum(content).to_le_bytes();
    sum.iter_mut()
        .zip(found)
        .for_each(|(slot, byte)| *slot = byte);
    Ok(())
}

/// What stands between a tag and the checksum, if both are right.
pub fn open<'a>(bytes: &'a [u8], tag: &[u8], what: &'static str) -> Result<&'a [u8], SavedError> {
    let wrong = |why: &str| SavedError::Wrong {
        what,
        why: why.to_string(),
    };
    let (content, sum) = bytes
        .split_last_chunk::<NUMBER>()
        .ok_or_else(|| wrong("there are too few bytes"))?;
    let inside = content.strip_prefix(tag);
    let inside = inside.ok_or_else(|| wrong("it begins with something else"))?;
    if checksum(content) != u64::from_le_bytes(*sum) {
        return Err(wrong("the checksum does not fit"));
    }
    Ok(inside)
}

/// Sizes that are no lengths of columns.
fn limits(model: &Model) -> [i64; 4] {
    [model.nemax, model.njmax, model.nconmax, model.narena]
}

/// Options, statistics and visuals, field by field.
fn for_each_field(
    (opt, stat, vis): (&mut Options, &mut Statistic, &mut Visual),
    mut call: impl FnMut(&mut ColumnMut<'_>),
) {
    let records = [
        opt.fields_mut(),
        stat.fields_mut(),
        vis.global.fields_mut(),
        vis.quality.fields_mut(),
        vis.headlight.fields_mut(),
        vis.map.fields_mut(),
        vis.scale.fields_mut(),
        vis.rgba.fields_mut(),
    ];
    for mut fields in records {
        fields.iter_mut().for_each(&mut call);
    }
}

/// A model that is about to become bytes.
#[derive(Clone, Debug)]
pub struct Saved<'a> {
    columns: Vec<Column<'a>>,
    /// What comes before the columns.
    head: Vec<u8>,
    /// What comes behind them.
    tail: Vec<u8>,
}

impl<'a> Saved<'a> {
    /// Looks at a model.
    pub fn new(model: &'a Model) -> Self {
        let mut head = MODEL.to_vec();
        let sizes = model.sizes().into_iter().map(|(_, size)| size as i64);
        for size in sizes.chain(limits(model)) {
            head.extend_from_slice(&size.to_le_bytes());
        }
        let mut tail = Vec::new();
        let (mut opt, mut stat, mut vis) =
            (model.opt.clone(), model.stat.clone(), model.vis.clone());
        for_each_field((&mut opt, &mut stat, &mut vis), |field| {
            tail.extend_from_slice(field.bytes);
        });
        write_laws(model.laws(), &mut tail);
        let columns = model.columns();
        Self {
            columns,
            head,
            tail,
        }
    }

    /// How many bytes there will be.
    pub fn length(&self) -> usize {
        let columns: usize = self.columns.iter().map(|column| column.bytes.len()).sum();
        let ends = self.head.len().saturating_add(self.tail.len());
        sealed_length(columns.saturating_add(ends))
    }

    /// Writes them into room of that [length](Self::length).
    ///
    /// # Errors
    /// When the room is too small.
    pub fn write(&self, room: &mut [u8]) -> std::io::Result<()> {
        write_sealed(room, |room| {
            room.write_all(&self.head)?;
            for column in &self.columns {
                room.write_all(column.bytes)?;
            }
            room.write_all(&self.tail)
        })
    }
}

/// A model as bytes.
pub fn to_bytes(model: &Model) -> Result<Vec<u8>, SavedError> {
    let saved = Saved::new(model);
    let length = saved.length();
    let mut bytes = Vec::new();
    let room = bytes.try_reserve_exact(length).is_ok();
    bytes.resize(if room { length } else { 0 }, 0);
    let written = saved.write(&mut bytes).map(|()| bytes);
    let bytes = length as u64;
    written.map_err(|_| SavedError::Memory { bytes })
}

/// The model that bytes were made of.
pub fn from_bytes(bytes: &[u8]) -> Result<Model, SavedError> {
    let mut rest = open(bytes, MODEL, "model")?;
    let mut model = Model::default();
    for (name, _) in model.sizes() {
        let size = Some(number(&mut rest, name)?).filter(|size| *size <= MOST);
        let size = size.and_then(|size| usize::try_from(size).ok());
        let size = size.ok_or_else(|| SavedError::misfit(name))?;
        model.unchecked().set_size(name, size);
    }
    let own = model.unchecked();
    own.nemax = number(&mut rest, "nemax")?;
    own.njmax = number(&mut rest, "njmax")?;
    own.nconmax = number(&mut rest, "nconmax")?;
    own.narena = number(&mut rest, "narena")?;
    reserve(&mut model, rest)?;
    model.unchecked().allocate();
    for column in model.unchecked().columns_mut() {
        fill(column.bytes, &mut rest);
    }
    let fields = (&mut model.opt, &mut model.stat, &mut model.vis);
    for_each_field(fields, |field| fill(field.bytes, &mut rest));
    verify(&model).map_err(|error| SavedError::misfit(error.column))?;
    let laws = read_laws(rest).ok_or_else(|| SavedError::misfit("what it says of laws"))?;
    *model.laws_mut() = laws;
    named::check(&model).map_err(|_| SavedError::misfit("what it says of laws"))?;
    model.unchecked().signature = model.structure_signature();
    Ok(model)
}

/// Reserves the columns of a model whose sizes are known, if there are as many bytes for them.
fn reserve(model: &mut Model, rest: &[u8]) -> Result<(), SavedError> {
    let bytes = model.byte_size();
    let mut needed = bytes;
    let fields = (&mut model.opt, &mut model.stat, &mut model.vis);
    for_each_field(fields, |field| {
        needed = needed.saturating_add(field.bytes.len() as u64);
    });
    if needed > rest.len() as u64 {
        return Err(SavedError::misfit("the sizes"));
    }
    // No plugin is run, so none has a state to make room for.
    if model.npluginstate > 0 {
        return Err(SavedError::misfit("npluginstate"));
    }
    let sizes = model.clone();
    if model.unchecked().reserve(&sizes) {
        Ok(())
    } else {
        Err(SavedError::Memory { bytes })
    }
}

fn number(rest: &mut &[u8], name: &str) -> Result<i64, SavedError> {
    let number = taken(rest).ok_or_else(|| SavedError::misfit(name))?;
    Ok(i64::from_le_bytes(*number))
}

fn taken<'a>(bytes: &mut &'a [u8]) -> Option<&'a [u8; NUMBER]> {
    let (first, rest) = bytes.split_first_chunk()?;
    *bytes = rest;
    Some(first)
}

/// Takes as many bytes as there is room for; those that are missing stay as they are.
pub fn fill(room: &mut [u8], rest: &mut &[u8]) {
    let (first, others) = rest.split_at(room.len().min(rest.len()));
    if let Some(filled) = room.get_mut(..first.len()) {
        filled.copy_from_slice(first);
    }
    *rest = others;
}

/// Laws as bytes: for each its place, object, name and parameters, numbers of eight bytes all. Places are numbered in
/// the order of the fields.
fn write_laws(laws: &Laws, bytes: &mut Vec<u8>) {
    let mut write = |place: usize, object: usize, law: &Law| {
        for number in [place, object, law.name.len(), law.parameters.len()] {
            bytes.extend_from_slice(&(number as u64).to_le_bytes());
        }
        bytes.extend_from_slice(law.name.as_bytes());
        for parameter in &law.parameters {
            bytes.extend_from_slice(&parameter.to_le_bytes());
        }
    };
    for (place, chosen) in [&laws.bending, &laws.elasticity, &laws.gain]
        .into_iter()
        .enumerate()
    {
        for (&object, law) in chosen {
            write(place, object, law);
        }
    }
    if let Some(law) = &laws.solver {
        write(3, 0, law);
    }
}

/// The laws that bytes tell of; `None` if they are no such bytes.
fn read_laws(mut bytes: &[u8]) -> Option<Laws> {
    let mut laws = Laws::default();
    while !bytes.is_empty() {
        let mut numbers = [0; 4];
        for number in &mut numbers {
            *number = usize::try_from(u64::from_le_bytes(*taken(&mut bytes)?)).ok()?;
        }
        let [place, object, length, count] = numbers;
        let (name, rest) = bytes.split_at_checked(length)?;
        bytes = rest;
        let mut parameters = Vec::new();
        for _ in 0..count {
            parameters.push(f64::from_le_bytes(*taken(&mut bytes)?));
        }
        let law = Law::new(std::str::from_utf8(name).ok()?, parameters);
        match place {
            0 => drop(laws.bending.insert(object, law)),
            1 => drop(laws.elasticity.insert(object, law)),
            2 => drop(laws.gain.insert(object, law)),
            3 => laws.solver = Some(law),
            _ => return None,
        }
    }
    Some(laws)
}
