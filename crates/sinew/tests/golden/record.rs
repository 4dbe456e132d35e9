//! Reading a golden file. Every deviation from the format is a panic: the files are our own.

use std::collections::BTreeSet;
use std::path::Path;

/// What a record's values are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// A field of the model.
    Field,
    /// An input of the position stage at a numbered state.
    Input(usize),
    /// A result of the position stage at a numbered state.
    Output(usize),
}

/// The stored values.
#[derive(Clone, Debug)]
pub enum Values {
    /// All integers.
    Integers(Vec<i64>),
    /// Each `step`-th float; `largest` is the largest magnitude of the whole array.
    Floats {
        values: Vec<f64>,
        step: usize,
        largest: f64,
    },
    /// FNV-1a over little-endian bytes.
    Hash(u64),
}

/// One field with its values.
#[derive(Clone, Debug)]
pub struct Record {
    /// Where it belongs.
    pub kind: Kind,
    /// The reference's name.
    pub name: String,
    /// Whether the reference stores 32-bit floats.
    pub is_single: bool,
    /// Lengths; empty for a single number.
    pub shape: Vec<usize>,
    /// The values.
    pub values: Values,
}

impl Record {
    /// All values of a float record.
    pub fn floats(&self) -> &[f64] {
        match &self.values {
            Values::Floats {
                values, step: 1, ..
            } => values,
            _ => panic!("{} is not stored in full", self.name),
        }
    }
}

/// One model's golden values.
#[derive(Clone, Debug)]
pub struct GoldenFile {
    /// Path of the model below `models/`.
    pub model: String,
    /// Name and version of the engine that computed the values.
    pub engine: String,
    /// The program that wrote the file.
    pub generator: String,
    /// The values.
    pub records: Vec<Record>,
}

impl GoldenFile {
    /// Reads a file.
    pub fn read(path: &Path) -> Self {
        let text = std::fs::read_to_string(path).expect("a readable golden file");
        let mut lines = text.lines();
        assert_eq!(
            lines.next(),
            Some("sinew golden values 1"),
            "{}",
            path.display()
        );
        let mut header = |key: &str| {
            let line = lines.next().unwrap_or_default();
            let value = line
                .strip_prefix(key)
                .unwrap_or_else(|| panic!("{}: no {key}", path.display()));
            value.trim().to_string()
        };
        let (model, engine, generator) = (header("model"), header("engine"), header("generator"));
        let mut records = Vec::new();
        while let Some(head) = lines.next() {
            let values = lines
                .next()
                .unwrap_or_else(|| panic!("{}: {head}: no values", path.display()));
            records.push(parse_record(head, values));
        }
        GoldenFile {
            model,
            engine,
            generator,
            records,
        }
    }

    /// The numbers of the states that the file knows.
    pub fn states(&self) -> BTreeSet<usize> {
        let state = |record: &Record| match record.kind {
            Kind::Input(state) => Some(state),
            _ => None,
        };
        self.records.iter().filter_map(state).collect()
    }
}

/// A header line and a line of values.
fn parse_record(head: &str, line: &str) -> Record {
    let mut words = head.split(' ');
    let mut word = || {
        words
            .next()
            .unwrap_or_else(|| panic!("short header: {head}"))
    };
    let kind = match word() {
        "field" => Kind::Field,
        "input" => Kind::Input(number(word())),
        "output" => Kind::Output(number(word())),
        other => panic!("unknown record {other}"),
    };
    let name = word().to_string();
    let number_type = word();
    let shape = match word() {
        "scalar" => Vec::new(),
        lengths => lengths.split('x').map(number).collect(),
    };
    let is_float = number_type.starts_with("float");
    let values = match word() {
        "full" if is_float => {
            let values: Vec<f64> = line.split(' ').map(number).collect();
            let largest = values
                .iter()
                .fold(0.0, |largest: f64, value| largest.max(value.abs()));
            Values::Floats {
                values,
                step: 1,
                largest,
            }
        }
        "full" => Values::Integers(line.split(' ').map(number).collect()),
        "every" => Values::Floats {
            step: number(word()),
            largest: number(word()),
            values: line.split(' ').map(number).collect(),
        },
        "fnv" => Values::Hash(u64::from_str_radix(line, 16).expect("a hexadecimal hash")),
        other => panic!("unknown storage {other}"),
    };
    Record {
        kind,
        name,
        is_single: number_type == "float32",
        shape,
        values,
    }
}

/// A number in text.
fn number<T: std::str::FromStr>(text: &str) -> T {
    text.parse()
        .unwrap_or_else(|_| panic!("not a number: {text}"))
}
