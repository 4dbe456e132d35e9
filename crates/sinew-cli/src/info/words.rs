//! Codes, numbers and references in words.

use sinew::model::Model;
use sinew::model::kinds::{KindTable, ObjectType};

/// The word for a code: the member's name without its prefix, in lower case.
pub fn word(table: KindTable, code: i32) -> String {
    match table.members.iter().find(|&&(_, value)| value == code) {
        Some((member, _)) => bare(member),
        None => code.to_string(),
    }
}

/// The words for the bits of a flag set.
pub fn flags(table: KindTable, bits: i32) -> Vec<String> {
    table
        .members
        .iter()
        .filter(|(_, bit)| bits & bit != 0)
        .map(|(member, _)| bare(member))
        .collect()
}

/// `mjSENS_FRAMEPOS` → `framepos`.
fn bare(member: &str) -> String {
    member
        .split_once('_')
        .map_or(member, |(_, rest)| rest)
        .to_ascii_lowercase()
}

/// The name of an object, or `#id` when it has none.
pub fn name(model: &Model, kind: ObjectType, id: usize) -> String {
    model
        .name(kind, id)
        .map_or_else(|| format!("#{id}"), str::to_owned)
}

/// `joint elbow`; `None` when the id is that of nothing.
pub fn reference(model: &Model, kind: i32, id: i32) -> Option<String> {
    let id = usize::try_from(id).ok()?;
    let kind = ObjectType::from_code(kind)?;
    let label = word(ObjectType::TABLE, kind.code());
    Some(format!("{label} {}", name(model, kind, id)))
}

/// A number with at most six significant digits.
pub fn number(value: f64) -> String {
    if value == 0.0 || !value.is_finite() {
        return value.to_string();
    }
    let rounded: f64 = format!("{value:.5e}").parse().unwrap_or(value);
    let magnitude = rounded.abs();
    if (1e-4..1e7).contains(&magnitude) {
        rounded.to_string()
    } else {
        format!("{rounded:e}")
    }
}

/// Numbers separated by spaces.
pub fn numbers(values: &[f64]) -> String {
    let words: Vec<String> = values.iter().map(|&value| number(value)).collect();
    words.join(" ")
}

/// A range when it is in force.
pub fn range(limited: u8, range: [f64; 2]) -> Option<[f64; 2]> {
    (limited != 0).then_some(range)
}

#[cfg(test)]
mod tests {
    use super::*;
    use sinew::model::kinds::{DisableFlag, SensorType};

    #[test]
    fn codes_become_the_words_of_model_files() {
        assert_eq!(word(SensorType::TABLE, 26), "framepos");
        assert_eq!(word(SensorType::TABLE, -7), "-7");
        assert_eq!(flags(DisableFlag::TABLE, 1 | 16), ["constraint", "contact"]);
    }

    #[test]
    fn numbers_are_short() {
        for (value, expected) in [
            (0.0, "0"),
            (-9.81, "-9.81"),
            (0.1 + 0.2, "0.3"),
            (1e-10, "1e-10"),
            (123456789.0, "1.23457e8"),
            (f64::INFINITY, "inf"),
        ] {
            assert_eq!(number(value), expected);
        }
    }
}
