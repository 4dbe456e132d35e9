//! The nearest name in a list, for "did you mean".

/// The candidate nearest to a word, if one is near enough to be a slip of the keyboard.
pub fn nearest<'a>(word: &str, candidates: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    let length = word.chars().count();
    if length > 60 {
        return None;
    }
    // One slip in a short word, two in a longer one, a third of the letters at most.
    let most = match length {
        0..=2 => 1,
        3..=5 => 2,
        n => n.div_ceil(3),
    };
    let word = word.to_lowercase();
    candidates
        .into_iter()
        .map(|candidate| (distance(&word, &candidate.to_lowercase()), candidate))
        .filter(|(distance, candidate)| *distance <= most && *distance < candidate.chars().count())
        .min_by_key(|(distance, _)| *distance)
        .map(|(_, candidate)| candidate)
}

/// Number of insertions, deletions, replacements and swaps of neighbours between two words.
fn distance(a: &str, b: &str) -> usize {
    let b: Vec<char> = b.chars().collect();
    let width = b.len().saturating_add(1);
    let mut before: Vec<usize> = Vec::new();
    let mut above: Vec<usize> = (0..width).collect();
    let mut previous_letter = None;
    for (i, letter) in a.chars().enumerate() {
        let mut row = vec![i.saturating_add(1)];
        let mut previous_other = None;
        for (j, other) in b.iter().copied().enumerate() {
            let at = |row: &[usize], j: usize| row.get(j).copied().unwrap_or(usize::MAX);
            let replaced = at(&above, j).saturating_add(usize::from(letter != other));
            let inserted = at(&row, j).saturating_add(1);
            let deleted = at(&above, j.saturating_add(1)).saturating_add(1);
            let mut best = replaced.min(inserted).min(deleted);
            if j > 0 && Some(other) == previous_letter && Some(letter) == previous_other {
                best = best.min(at(&before, j.saturating_sub(1)).saturating_add(1));
            }
            row.push(best);
            previous_other = Some(other);
        }
        before = std::mem::replace(&mut above, row);
        previous_letter = Some(letter);
    }
    above.last().copied().unwrap_or(0)
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
