//! The nearest name in a list, for "did you mean".

#![deny(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    clippy::arithmetic_side_effects
)]

/// The candidate nearest to a word, if one is near enough to be a slip of the keyboard.
pub fn nearest<'a>(word: &str, candidates: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    const LONGEST: usize = 60;
    let word: Vec<char> = lower(word).take(LONGEST + 1).collect();
    // One slip in a short word, two in a longer one, a third of the letters at most.
    let mut most = match word.len() {
        0..=2 => 1,
        3..=5 => 2,
        n if n > LONGEST => return None,
        n => n.div_ceil(3),
    };
    let mut best = None;
    let mut rows = Rows::default();
    let mut other = Vec::new();
    for candidate in candidates {
        other.clear();
        other.extend(lower(candidate).take(LONGEST + 1));
        if other.len().abs_diff(word.len()) > most {
            continue;
        }
        let distance = rows.distance(&word, &other);
        let is_nearer = distance < most || (distance == most && best.is_none());
        if is_nearer && distance < other.len() {
            best = Some(candidate);
            most = distance;
        }
    }
    best
}

fn lower(word: &str) -> impl Iterator<Item = char> {
    word.chars().flat_map(char::to_lowercase)
}

/// Rows of the table of distances, kept between comparisons.
#[derive(Default)]
struct Rows {
    before: Vec<usize>,
    above: Vec<usize>,
    row: Vec<usize>,
}

impl Rows {
    /// Number of insertions, deletions, replacements and swaps of neighbours between two words.
    fn distance(&mut self, a: &[char], b: &[char]) -> usize {
        let at = |row: &[usize], j: usize| row.get(j).copied().unwrap_or(usize::MAX);
        self.above.clear();
        self.above.extend(0..=b.len());
        let mut previous_letter = None;
        for (i, letter) in a.iter().enumerate() {
            self.row.clear();
            self.row.push(i.saturating_add(1));
            let mut previous_other = None;
            for (j, other) in b.iter().enumerate() {
                let replaced = at(&self.above, j).saturating_add(usize::from(letter != other));
                let inserted = at(&self.row, j).saturating_add(1);
                let deleted = at(&self.above, j.saturating_add(1)).saturating_add(1);
                let mut best = replaced.min(inserted).min(deleted);
                if j > 0 && Some(other) == previous_letter && Some(letter) == previous_other {
                    best = best.min(at(&self.before, j.saturating_sub(1)).saturating_add(1));
                }
                self.row.push(best);
                previous_other = Some(other);
            }
            std::mem::swap(&mut self.before, &mut self.above);
            std::mem::swap(&mut self.above, &mut self.row);
            previous_letter = Some(letter);
        }
        self.above.last().copied().unwrap_or(0)
    }
}

#[cfg(test)]
mod tests {
    use super::nearest;

    #[test]
    fn finds_slips_and_nothing_else() {
        let names = ["friction", "size", "type", "pos", "name"];
        assert_eq!(nearest("frictoin", names), Some("friction"));
        assert_eq!(nearest("sizee", names), Some("size"));
        assert_eq!(nearest("Type", names), Some("type"));
        assert_eq!(nearest("possition", names), None);
        assert_eq!(nearest("zzz", names), None);
        assert_eq!(nearest("", names), None);
    }
}
