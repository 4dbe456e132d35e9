//! What a run leaves behind: time, positions and velocities after each step.
//!
//! `.csv` is a table with a header; `.npz` is what `numpy.load` reads: arrays `time`, `qpos`,
//! `qvel` in a zip archive without compression. A file appears whole or not at all.

use crate::output;
use sinew::engine::Data;
use sinew::model::Model;
use std::fmt::Write as _;
use std::io;
use std::path::Path;

/// Largest recording, in bytes of numbers.
const LARGEST: usize = 2 << 30;

/// A recording in memory.
pub struct Recording {
    is_csv: bool,
    nq: usize,
    nv: usize,
    time: Vec<f64>,
    qpos: Vec<f64>,
    qvel: Vec<f64>,
}

impl Recording {
    /// An empty recording for a file of this name and at most this many steps. The file must not be the
    /// one the model came from.
    pub fn new(model: &Model, path: &str, input: &str, steps: usize) -> Result<Self, String> {
        let file = Path::new(path);
        let is_csv = match file.extension().and_then(|e| e.to_str()) {
            Some("csv") => true,
            Some("npz") => false,
            _ => return Err(format!("{path}: recordings end in .csv or .npz")),
        };
        output::check_path(path, input, "the recording")?;
        let width = 8 * (1 + model.nq + model.nv);
        if steps.checked_mul(width).is_none_or(|bytes| bytes > LARGEST) {
            return Err(format!("{path}: a recording of {steps} steps is too large"));
        }
        Ok(Recording {
            is_csv,
            nq: model.nq,
            nv: model.nv,
            time: Vec::new(),
            qpos: Vec::new(),
            qvel: Vec::new(),
        })
    }

    /// Adds the current state.
    pub fn add(&mut self, data: &Data) {
        self.time.push(data.state.time);
        self.qpos.extend_from_slice(&data.state.qpos);
        self.qvel.extend_from_slice(&data.state.qvel);
    }

    /// Writes the file.
    pub fn write(&self, path: &str) -> io::Result<()> {
        let bytes = if self.is_csv {
            self.csv().into_bytes()
        } else {
            self.npz()
        };
        output::write_file(path, &bytes)
    }

    fn csv(&self) -> String {
        let mut out = String::from("time");
        let names = (0..self.nq).map(|i| format!("qpos{i}"));
        for name in names.chain((0..self.nv).map(|i| format!("qvel{i}"))) {
            out.push(',');
            out.push_str(&name);
        }
        out.push('\n');
        for (i, time) in self.time.iter().enumerate() {
            let _ = write!(out, "{time}");
            let qpos = &self.qpos[i * self.nq..(i + 1) * self.nq];
            let qvel = &self.qvel[i * self.nv..(i + 1) * self.nv];
            for value in qpos.iter().chain(qvel) {
                let _ = write!(out, ",{value}");
            }
            out.push('\n');
        }
        out
    }

    fn npz(&self) -> Vec<u8> {
        let steps = self.time.len();
        archive(&[
            ("time.npy", npy(&self.time, &format!("({steps},)"))),
            (
                "qpos.npy",
                npy(&self.qpos, &format!("({steps}, {})", self.nq)),
            ),
            (
                "qvel.npy",
                npy(&self.qvel, &format!("({steps}, {})", self.nv)),
            ),
        ])
    }
}

/// An array in numpy's file format, version 1.
fn npy(values: &[f64], shape: &str) -> Vec<u8> {
    let mut header = format!("{{'descr': '<f8', 'fortran_order': False, 'shape': {shape}, }}");
    while (10 + header.len() + 1) % 64 != 0 {
        header.push(' ');
    }
    header.push('\n');
    let mut out = b"\x93NUMPY\x01\x00".to_vec();
    out.extend((header.len() as u16).to_le_bytes());
    out.extend(header.as_bytes());
    out.extend(values.iter().flat_map(|value| value.to_le_bytes()));
    out
}

/// A zip archive of stored files.
fn archive(files: &[(&str, Vec<u8>)]) -> Vec<u8> {
    let mut out = Vec::new();
    let mut directory = Vec::new();
    for (name, bytes) in files {
        let offset = out.len() as u32;
        // Version, flags, method (stored), time and date (none), checksum, sizes, name length.
        let mut common = Vec::new();
        for field in [20u16, 0, 0, 0, 0x21] {
            common.extend(field.to_le_bytes());
        }
        for field in [checksum(bytes), bytes.len() as u32, bytes.len() as u32] {
            common.extend(field.to_le_bytes());
        }
        common.extend((name.len() as u16).to_le_bytes());
        common.extend([0, 0]);
        out.extend(b"PK\x03\x04");
        out.extend(&common);
        out.extend(name.as_bytes());
        out.extend(bytes);
        directory.extend(b"PK\x01\x02\x14\x00");
        directory.extend(&common);
        directory.extend([0; 10]);
        directory.extend(offset.to_le_bytes());
        directory.extend(name.as_bytes());
    }
    let start = out.len() as u32;
    out.extend(&directory);
    out.extend(b"PK\x05\x06\0\0\0\0");
    let count = (files.len() as u16).to_le_bytes();
    out.extend(count);
    out.extend(count);
    out.extend((directory.len() as u32).to_le_bytes());
    out.extend(start.to_le_bytes());
    out.extend([0, 0]);
    out
}

/// CRC-32 as zip archives use it.
fn checksum(bytes: &[u8]) -> u32 {
    let mut table = [0u32; 256];
    for (i, entry) in table.iter_mut().enumerate() {
        let mut value = i as u32;
        for _ in 0..8 {
            value = if value & 1 != 0 {
                0xEDB8_8320 ^ (value >> 1)
            } else {
                value >> 1
            };
        }
        *entry = value;
    }
    !bytes.iter().fold(!0u32, |crc, byte| {
        table[((crc ^ u32::from(*byte)) & 0xFF) as usize] ^ (crc >> 8)
    })
}
