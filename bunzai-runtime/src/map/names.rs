//! Suggestions: which of the known names was probably meant. Usable in constants, because wrong
//! canonical paths are found while the user's crate is compiled.

/// Longer names than this are not compared.
const LONGEST: usize = 64;

/// The edits (insertions, deletions, replacements, swaps of neighbours) between two names, case
/// aside; a large number when one of them is very long.
const fn distance(a: &[u8], b: &[u8]) -> usize {
    if a.len() > LONGEST || b.len() > LONGEST {
        return usize::MAX;
    }
    let (mut before, mut last, mut row) = ([0usize; LONGEST + 1], [0usize; LONGEST + 1], [0usize; LONGEST + 1]);
    let mut j = 0;
    while j <= b.len() {
        last[j] = j;
        j += 1;
    }
    let mut i = 1;
    while i <= a.len() {
        row[0] = i;
        j = 1;
        while j <= b.len() {
            let (x, y) = (a[i - 1].to_ascii_lowercase(), b[j - 1].to_ascii_lowercase());
            let mut best = last[j - 1] + (x != y) as usize;
            if last[j] + 1 < best {
                best = last[j] + 1;
            }
            if row[j - 1] + 1 < best {
                best = row[j - 1] + 1;
            }
            let swapped = i > 1 && j > 1 && x == b[j - 2].to_ascii_lowercase() && y == a[i - 2].to_ascii_lowercase();
            if swapped && before[j - 2] + 1 < best {
                best = before[j - 2] + 1;
            }
            row[j] = best;
            j += 1;
        }
        before = last;
        last = row;
        i += 1;
    }
    last[b.len()]
}

/// How far a candidate is from a name; nothing when it is too far to be what was meant.
pub const fn similar(name: &[u8], candidate: &[u8]) -> Option<usize> {
    let edits = distance(name, candidate);
    let longest = if name.len() > candidate.len() { name.len() } else { candidate.len() };
    let allowed = if longest < 6 { 1 } else { longest / 3 };
    if edits <= allowed { Some(edits) } else { None }
}

/// The candidate that was probably meant by a name.
pub fn nearest<'a>(name: &str, candidates: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    let scored = candidates.into_iter().filter_map(|c| Some((similar(name.as_bytes(), c.as_bytes())?, c)));
    scored.min_by_key(|(edits, _)| *edits).map(|(_, c)| c)
}

#[cfg(test)]
mod tests {
    use super::nearest;

    #[test]
    fn slips_of_the_finger_are_recognised_and_other_words_are_not() {
        let names = ["history", "personality", "appearance", "id"];
        assert_eq!(nearest("histroy", names), Some("history"));
        assert_eq!(nearest("Personality", names), Some("personality"));
        assert_eq!(nearest("quirks", names), None);
        assert_eq!(nearest("ix", names), Some("id"));
    }
}
