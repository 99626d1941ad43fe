//! The identities of rows: what a row without one is called, and one that repeats.

use std::collections::{HashMap, HashSet};

use crate::map::Ids;

/// What a row without an identity is called, if no other row bears the name.
pub(super) fn made_for(ids: Ids, index: usize) -> String {
    match ids {
        Ids::Verbatim => format!("row-{index}"),
        Ids::Unique => index.to_string(),
    }
}

/// The identities of the rows of a list, in order.
///
/// Verbatim: repeated ones stay as they are. Unique: the first of equal ones keeps it, the others
/// gain the first of `-2`, `-3`... that no row bears; an empty one counts as missing. Then what is
/// missing is made from the place of the row, suffixed in the same way.
pub(super) fn settle(ids: Ids, wire: Vec<Option<String>>) -> Vec<String> {
    settle_apart(ids, wire, |_| false)
}

/// The same; those rows that others name by their identity are told apart in any case.
pub(super) fn settle_apart(ids: Ids, wire: Vec<Option<String>>, are_named: impl Fn(usize) -> bool) -> Vec<String> {
    let mut borne: HashSet<String> = wire.iter().flatten().cloned().collect();
    // Where the next look for a suffix starts: many equal ones must not be counted again and again.
    let mut next: HashMap<String, usize> = HashMap::new();
    let mut free = |name: String| {
        let n = next.entry(name.clone()).or_insert(1);
        let mut found = if *n == 1 { name.clone() } else { format!("{name}-{n}") };
        while !borne.insert(found.clone()) {
            *n += 1;
            found = format!("{name}-{n}");
        }
        found
    };
    let mut claimed = HashSet::new();
    let settled: Vec<Option<String>> = wire
        .into_iter()
        .enumerate()
        .map(|(n, id)| {
            let id = id.filter(|id| ids == Ids::Verbatim || !id.is_empty())?;
            let may_repeat = ids == Ids::Verbatim && !are_named(n);
            let is_first = may_repeat || claimed.insert(id.clone());
            // The suffix of a repeated one counts from two.
            Some(if is_first { id } else { free(id) })
        })
        .collect();
    settled.into_iter().enumerate().map(|(index, id)| id.unwrap_or_else(|| free(made_for(ids, index)))).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn settled(ids: Ids, wire: &[Option<&str>]) -> Vec<String> {
        settle(ids, wire.iter().map(|id| id.map(str::to_owned)).collect())
    }

    #[test]
    fn missing_identities_get_names_that_no_row_bears() {
        let wire = [None, Some("row-0"), Some("a"), Some("a"), None, Some("row-4"), Some("row-4-2")];
        let expected = ["row-0-2", "row-0", "a", "a", "row-4-3", "row-4", "row-4-2"];
        assert_eq!(settled(Ids::Verbatim, &wire), expected);
    }

    #[test]
    fn repeated_identities_become_unique_before_missing_ones_are_made() {
        let unique = |wire: &[Option<&str>]| settled(Ids::Unique, wire);
        assert_eq!(unique(&[Some("x"), Some("x"), Some("x")]), ["x", "x-2", "x-3"]);
        assert_eq!(unique(&[Some("x"), Some("x-2"), Some("x")]), ["x", "x-2", "x-3"]);
        assert_eq!(unique(&[Some("dup"), Some("dup"), Some("dup-2")]), ["dup", "dup-3", "dup-2"]);
        assert_eq!(unique(&[None, Some(""), Some("0"), Some("1"), None]), ["0-2", "1-2", "0", "1", "4"]);
        assert_eq!(unique(&[Some("0"), None, Some("0")]), ["0", "1", "0-2"]);
    }
}
