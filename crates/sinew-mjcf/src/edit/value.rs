//! The value of a field.

use super::error::EditError;
use super::field::{Field, FieldKind};
use super::shared::Shared;
use crate::spec::value::{AttributeNumber, join, numbers};

/// The value of a field. Numbers in lists can be written through every view of them.
#[derive(Clone, Debug)]
pub enum Value {
    /// A real number.
    Real(f64),
    /// A real number of 32 bits.
    Float(f32),
    /// A whole number, a code, or yes (1) and no (0).
    Integer(i64),
    /// Real numbers.
    Reals(Shared<f64>),
    /// Real numbers of 32 bits.
    Floats(Shared<f32>),
    /// Whole numbers.
    Integers(Shared<i32>),
    /// A text.
    Text(String),
    /// Texts.
    Texts(Vec<String>),
    /// Lists of whole numbers.
    IntegerLists(Vec<Vec<i32>>),
    /// Lists of real numbers of 32 bits.
    FloatLists(Vec<Vec<f32>>),
    /// Bytes.
    Bytes(Vec<u8>),
    /// The values of a group's fields.
    Group(Vec<Value>),
}

/// What the allocator and counters of owners take for each list.
const LIST: u64 = 32;

impl Value {
    /// Roughly the bytes that it takes.
    pub(super) fn byte_size(&self) -> u64 {
        let many = |sizes: &mut dyn Iterator<Item = usize>| {
            let each = |size: usize| LIST.saturating_add(size as u64);
            sizes.map(each).fold(LIST, u64::saturating_add)
        };
        let behind = match self {
            Value::Real(_) | Value::Float(_) | Value::Integer(_) => 0,
            Value::Reals(list) => many(&mut [8 * list.len()].into_iter()),
            Value::Floats(list) => many(&mut [4 * list.len()].into_iter()),
            Value::Integers(list) => many(&mut [4 * list.len()].into_iter()),
            Value::Text(text) => many(&mut [text.len()].into_iter()),
            Value::Bytes(bytes) => many(&mut [bytes.len()].into_iter()),
            Value::Texts(texts) => many(&mut texts.iter().map(String::len)),
            Value::IntegerLists(lists) => many(&mut lists.iter().map(|list| 4 * list.len())),
            Value::FloatLists(lists) => many(&mut lists.iter().map(|list| 4 * list.len())),
            Value::Group(values) => {
                let sizes = values.iter().map(Value::byte_size);
                sizes.fold(0, u64::saturating_add)
            }
        };
        (size_of::<Value>() as u64).saturating_add(behind)
    }
}

macro_rules! from_value {
    ($($from:ty => $value:ident => $variant:ident($expression:expr);)*) => { $(
        impl From<$from> for Value {
            fn from($value: $from) -> Self {
                Value::$variant($expression)
            }
        }
    )* };
}

from_value! {
    f64 => value => Real(value);
    f32 => value => Float(value);
    i32 => value => Integer(i64::from(value));
    i64 => value => Integer(value);
    bool => value => Integer(i64::from(value));
    Vec<f64> => value => Reals(Shared::new(value));
    Vec<f32> => value => Floats(Shared::new(value));
    Vec<i32> => value => Integers(Shared::new(value));
    &str => value => Text(value.to_string());
    String => value => Text(value);
    Vec<String> => value => Texts(value);
    Vec<u8> => value => Bytes(value);
}

impl<const N: usize> From<[f64; N]> for Value {
    fn from(value: [f64; N]) -> Self {
        Value::Reals(Shared::new(value))
    }
}

impl Value {
    /// The number, if it is a single one.
    pub fn number(&self) -> Option<f64> {
        match self {
            Value::Real(value) => Some(*value),
            Value::Float(value) => Some(f64::from(*value)),
            Value::Integer(value) => Some(*value as f64),
            _ => None,
        }
    }

    /// The whole number, if it is one; else 0.
    pub fn integer(&self) -> i64 {
        match self {
            Value::Integer(value) => *value,
            _ => 0,
        }
    }

    /// The text, if it is one; else an empty one.
    pub fn text(&self) -> &str {
        match self {
            Value::Text(text) => text,
            _ => "",
        }
    }

    /// The texts, if they are some; else none.
    pub fn texts(&self) -> &[String] {
        match self {
            Value::Texts(texts) => texts,
            _ => &[],
        }
    }

    /// The numbers as real ones, if it is a list.
    pub fn reals(&self) -> Vec<f64> {
        match self {
            Value::Reals(numbers) => numbers.to_vec(),
            Value::Floats(numbers) => numbers.to_vec().into_iter().map(f64::from).collect(),
            Value::Integers(numbers) => numbers.to_vec().into_iter().map(f64::from).collect(),
            _ => Vec::new(),
        }
    }

    /// The whole numbers, if it is a list of such.
    pub fn integers(&self) -> Vec<i32> {
        match self {
            Value::Integers(numbers) => numbers.to_vec(),
            _ => Vec::new(),
        }
    }

    /// Whether both are the same, bit by bit.
    pub fn is_same(&self, other: &Value) -> bool {
        let bits = |numbers: &Shared<f64>| -> Vec<u64> {
            numbers.to_vec().into_iter().map(f64::to_bits).collect()
        };
        let bits32 = |numbers: &Shared<f32>| -> Vec<u32> {
            numbers.to_vec().into_iter().map(f32::to_bits).collect()
        };
        match (self, other) {
            (Value::Real(one), Value::Real(other)) => {
                one == other || (one.is_nan() && other.is_nan())
            }
            (Value::Float(one), Value::Float(other)) => one == other,
            (Value::Integer(one), Value::Integer(other)) => one == other,
            (Value::Reals(one), Value::Reals(other)) => bits(one) == bits(other),
            (Value::Floats(one), Value::Floats(other)) => bits32(one) == bits32(other),
            (Value::Integers(one), Value::Integers(other)) => one.to_vec() == other.to_vec(),
            (Value::Text(one), Value::Text(other)) => one == other,
            (Value::Texts(one), Value::Texts(other)) => one == other,
            (Value::IntegerLists(one), Value::IntegerLists(other)) => one == other,
            (Value::FloatLists(one), Value::FloatLists(other)) => one == other,
            (Value::Bytes(one), Value::Bytes(other)) => one == other,
            (Value::Group(one), Value::Group(other)) => {
                one.len() == other.len() && one.iter().zip(other).all(|(a, b)| a.is_same(b))
            }
            _ => false,
        }
    }

    /// The value as the text of an attribute; `None`: a code without a word.
    pub fn written(&self, kind: FieldKind) -> Option<String> {
        Some(match (self, kind) {
            (Value::Integer(code), FieldKind::Code(_, words)) => (words.word)(*code)?.to_string(),
            (Value::Integer(flag), FieldKind::Flag(_)) => (*flag != 0).to_string(),
            (Value::Integer(number), _) => number.to_string(),
            (Value::Real(number), _) => number.to_string(),
            (Value::Float(number), _) => number.to_string(),
            (Value::Reals(numbers), _) => join(&numbers.to_vec()),
            (Value::Floats(numbers), _) => join(&numbers.to_vec()),
            (Value::Integers(numbers), _) => join(&numbers.to_vec()),
            (Value::Text(text), _) => text.clone(),
            (Value::Texts(texts), _) => texts.join(" "),
            _ => return None,
        })
    }

    /// Takes over what an attribute says; a list of fixed length may be given in part.
    pub fn read(&mut self, kind: FieldKind, text: &str) {
        match (self, kind) {
            (Value::Integer(value), FieldKind::Code(_, words)) => {
                *value = (words.code)(text).unwrap_or(*value);
            }
            (Value::Integer(value), FieldKind::Flag(_)) => *value = i64::from(text == "true"),
            (Value::Integer(value), _) => *value = text.parse().unwrap_or(*value),
            (Value::Real(value), _) => *value = first(text).unwrap_or(*value),
            (Value::Float(value), _) => *value = first(text).unwrap_or(*value),
            (Value::Reals(value), FieldKind::RealList) => *value = Shared::new(all(text)),
            (Value::Reals(value), _) => value.fill(&all(text)),
            (Value::Floats(value), FieldKind::FloatList) => *value = Shared::new(all(text)),
            (Value::Floats(value), _) => value.fill(&all(text)),
            (Value::Integers(value), FieldKind::IntegerList) => *value = Shared::new(all(text)),
            (Value::Integers(value), _) => value.fill(&all(text)),
            (Value::Text(value), _) => *value = text.to_string(),
            (Value::Texts(value), _) => {
                *value = text.split_ascii_whitespace().map(str::to_string).collect();
            }
            _ => {}
        }
    }

    /// Puts a value of the right type and length in place of this one.
    pub fn replace(&mut self, field: &Field, value: Value) -> Result<(), EditError> {
        let wrong_type = || EditError::WrongType { field: field.name };
        let given = match &value {
            Value::Reals(numbers) => Some(numbers.len()),
            Value::Floats(numbers) => Some(numbers.len()),
            Value::Integers(numbers) => Some(numbers.len()),
            Value::Texts(texts) => Some(texts.len()),
            Value::Text(text) if matches!(field.kind, FieldKind::Letters(_)) => {
                Some(text.chars().count())
            }
            _ => None,
        };
        if let (Some(expected), Some(given)) = (field.kind.length(), given)
            && expected != given
        {
            return Err(EditError::WrongLength {
                field: field.name,
                expected,
                given,
            });
        }
        match (&mut *self, value) {
            (Value::Real(old), new) => *old = new.number().ok_or_else(wrong_type)?,
            (Value::Float(old), new) => *old = new.number().ok_or_else(wrong_type)? as f32,
            (Value::Integer(old), Value::Integer(new)) => {
                let fits = matches!(field.kind, FieldKind::Long(_)) || i32::try_from(new).is_ok();
                if !fits {
                    return Err(wrong_type());
                }
                *old = new;
            }
            (Value::Reals(old), Value::Reals(new)) => keep_memory(old, new),
            (Value::Floats(old), Value::Floats(new)) => keep_memory(old, new),
            (Value::Integers(old), Value::Integers(new)) => keep_memory(old, new),
            (Value::Text(old), Value::Text(new)) => *old = new,
            (Value::Texts(old), Value::Texts(new)) => *old = new,
            (Value::IntegerLists(old), Value::IntegerLists(new)) => *old = new,
            (Value::FloatLists(old), Value::FloatLists(new)) => *old = new,
            (Value::Bytes(old), Value::Bytes(new)) => *old = new,
            (Value::Group(old), Value::Group(new)) if old.len() == new.len() => *old = new,
            _ => return Err(wrong_type()),
        }
        Ok(())
    }
}

/// Lists of the same length keep their memory, so that views stay true.
fn keep_memory<T: super::shared::SharedNumber>(old: &mut Shared<T>, new: Shared<T>) {
    if old.len() == new.len() {
        old.fill(&new.to_vec());
    } else {
        *old = new;
    }
}

fn all<T: AttributeNumber>(text: &str) -> Vec<T> {
    numbers(text, 0, usize::MAX).unwrap_or_default()
}

fn first<T: AttributeNumber>(text: &str) -> Option<T> {
    all(text).first().copied()
}
