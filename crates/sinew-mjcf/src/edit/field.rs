//! What an element's fields are: a row each.

use super::shared::Shared;
use super::value::Value;

/// A field of an element.
#[derive(Clone, Copy, Debug)]
pub struct Field {
    /// Its name.
    pub name: &'static str,
    /// The attribute that says the same in a file; empty: none does, or it takes more than one.
    pub attribute: &'static str,
    /// Its type and built-in value.
    pub kind: FieldKind,
}

/// Type and built-in value of a field.
#[derive(Clone, Copy, Debug)]
pub enum FieldKind {
    /// A real number.
    Real(f64),
    /// A real number of 32 bits.
    Float(f32),
    /// A whole number of 32 bits.
    Integer(i32),
    /// A whole number of 64 bits.
    Long(i64),
    /// Yes or no.
    Flag(bool),
    /// One of some words, as a number.
    Code(i32, Words),
    /// So many real numbers.
    Reals(&'static [f64]),
    /// So many real numbers of 32 bits.
    Floats(&'static [f32]),
    /// So many whole numbers.
    Integers(&'static [i32]),
    /// Any number of real numbers.
    RealList,
    /// Any number of real numbers of 32 bits.
    FloatList,
    /// Any number of whole numbers.
    IntegerList,
    /// A text.
    Text(&'static str),
    /// A text of fixed length, letter by letter.
    Letters(&'static str),
    /// So many texts; 0: any number.
    Texts(usize),
    /// Lists of whole numbers.
    IntegerLists,
    /// Lists of real numbers of 32 bits.
    FloatLists,
    /// Bytes.
    Bytes,
    /// Fields of its own, reached by `group.field`.
    Group(&'static [Field]),
}

/// The words that codes stand for.
#[derive(Clone, Copy, Debug)]
pub struct Words {
    /// The word of a code.
    pub word: fn(i64) -> Option<&'static str>,
    /// The code of a word.
    pub code: fn(&str) -> Option<i64>,
}

/// The [`Words`] of a keyword type.
macro_rules! words {
    ($t:ty) => {
        $crate::edit::field::Words {
            word: |code| {
                let words = <$t as $crate::spec::value::Keyword>::WORDS;
                let found = words.iter().find(|(_, value)| *value as i64 == code);
                found.map(|(word, _)| *word)
            },
            code: |word| {
                let words = <$t as $crate::spec::value::Keyword>::WORDS;
                let found = words.iter().find(|(known, _)| *known == word);
                found.map(|(_, value)| *value as i64)
            },
        }
    };
}
pub(super) use words;

macro_rules! rows {
    ($($function:ident, $kind:ident, $default:ty;)*) => { $(
        pub(super) const fn $function(name: &'static str, attribute: &'static str, default: $default) -> Field {
            Field { name, attribute, kind: FieldKind::$kind(default) }
        }
    )* };
}

rows! {
    real, Real, f64;
    float, Float, f32;
    integer, Integer, i32;
    long, Long, i64;
    flag, Flag, bool;
    reals, Reals, &'static [f64];
    floats, Floats, &'static [f32];
    integers, Integers, &'static [i32];
    text, Text, &'static str;
    letters, Letters, &'static str;
    texts, Texts, usize;
}

macro_rules! rows_without_default {
    ($($function:ident, $kind:ident;)*) => { $(
        pub(super) const fn $function(name: &'static str, attribute: &'static str) -> Field {
            Field { name, attribute, kind: FieldKind::$kind }
        }
    )* };
}

rows_without_default! {
    real_list, RealList;
    float_list, FloatList;
    integer_list, IntegerList;
}

pub(super) const fn code(
    name: &'static str,
    attribute: &'static str,
    default: i32,
    words: Words,
) -> Field {
    let kind = FieldKind::Code(default, words);
    Field {
        name,
        attribute,
        kind,
    }
}

pub(super) const fn group(name: &'static str, fields: &'static [Field]) -> Field {
    own(name, FieldKind::Group(fields))
}

/// A field that no attribute sets.
pub(super) const fn own(name: &'static str, kind: FieldKind) -> Field {
    Field {
        name,
        attribute: "",
        kind,
    }
}

impl FieldKind {
    /// The built-in value.
    pub fn default(self) -> Value {
        match self {
            FieldKind::Real(default) => Value::Real(default),
            FieldKind::Float(default) => Value::Float(default),
            FieldKind::Integer(default) | FieldKind::Code(default, _) => {
                Value::Integer(i64::from(default))
            }
            FieldKind::Long(default) => Value::Integer(default),
            FieldKind::Flag(default) => Value::Integer(i64::from(default)),
            FieldKind::Reals(default) => Value::Reals(Shared::new(default.iter().copied())),
            FieldKind::Floats(default) => Value::Floats(Shared::new(default.iter().copied())),
            FieldKind::Integers(default) => Value::Integers(Shared::new(default.iter().copied())),
            FieldKind::RealList => Value::Reals(Shared::new([])),
            FieldKind::FloatList => Value::Floats(Shared::new([])),
            FieldKind::IntegerList => Value::Integers(Shared::new([])),
            FieldKind::Text(default) | FieldKind::Letters(default) => {
                Value::Text(default.to_string())
            }
            FieldKind::Texts(count) => Value::Texts(vec![String::new(); count]),
            FieldKind::IntegerLists => Value::IntegerLists(Vec::new()),
            FieldKind::FloatLists => Value::FloatLists(Vec::new()),
            FieldKind::Bytes => Value::Bytes(Vec::new()),
            FieldKind::Group(fields) => Value::Group(values(fields)),
        }
    }

    /// How many numbers or texts there must be; `None`: any number, or it is no list.
    pub fn length(self) -> Option<usize> {
        match self {
            FieldKind::Reals(default) => Some(default.len()),
            FieldKind::Floats(default) => Some(default.len()),
            FieldKind::Integers(default) => Some(default.len()),
            FieldKind::Letters(default) => Some(default.len()),
            FieldKind::Texts(count) if count > 0 => Some(count),
            _ => None,
        }
    }
}

/// The built-in values of fields.
pub fn values(fields: &[Field]) -> Vec<Value> {
    fields.iter().map(|field| field.kind.default()).collect()
}
