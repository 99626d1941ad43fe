//! The identities of rows: what a row without one is called.

use std::collections::HashSet;

/// What a row is called that has no identity, if no other row bears the name.
pub(super) fn synthetic(index: usize) -> String {
    format!("row-{index}")
}

/// The identities of the rows of a list, in order. Repeated ones stay as they are; a missing one
/// becomes a synthetic one, suffixed until no row bears it.
pub(super) fn settle(wire: Vec<Option<String>>) -> Vec<String> {
    let mut borne: HashSet<String> = wire.iter().flatten().cloned().collect();
    let mut settled = Vec::with_capacity(wire.len());
    for (index, id) in wire.into_iter().enumerate() {
        settled.push(id.unwrap_or_else(|| {
            let name = synthetic(index);
            let suffixed = (2..).map(|n| format!("{name}-{n}"));
            let free = [name.clone()].into_iter().chain(suffixed).find(|name| !borne.contains(name)).unwrap_or(name);
            borne.insert(free.clone());
            free
        }));
    }
    settled
}

/// Whether an identity is one that is given to a row without one.
pub(crate) fn is_synthetic(id: &str) -> bool {
    id.strip_prefix("row-").is_some_and(|rest| {
        rest.split('-').all(|number| !number.is_empty() && number.bytes().all(|b| b.is_ascii_digit()))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn missing_identities_get_names_that_no_row_bears() {
        let wire = [None, Some("row-0"), Some("a"), Some("a"), None, Some("row-4"), Some("row-4-2")];
        let settled = settle(wire.into_iter().map(|id| id.map(str::to_owned)).collect());
        assert_eq!(settled, ["row-0-2", "row-0", "a", "a", "row-4-3", "row-4", "row-4-2"]);
        assert!(is_synthetic("row-0-2") && is_synthetic("row-12") && !is_synthetic("row-") && !is_synthetic("row-a"));
    }
}
